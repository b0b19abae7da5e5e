"""Every screen and state, in both languages and themes, wide and narrow: rules of accessibility, targets, width.

By default each screen is looked at in two frames, one wide and one narrow, that differ in language and theme, and the
next screen in the other two; `script/test --long` looks at every screen in every frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.gallery.frames import Frame, Pages
from tests.kits.gallery.screens import SCREENS, Screen
from tests.kits.gallery.site import Site, open_site
from tests.kits.page.audit import find_faults, find_small_targets, pixels_too_wide

PAIRS = (
    (Frame("zh", "light", 1440), Frame("en", "dark", 320)),
    (Frame("en", "light", 1024), Frame("zh", "dark", 390)),
)
LONG = (Frame("en", "dark", 1024), Frame("en", "light", 390), Frame("zh", "dark", 320))


def frames_of_screens() -> list[Any]:
    """Each screen with its frames; those that it has in the long run only are marked."""
    return [
        pytest.param(
            screen, frame, id=f"{screen.name}-{frame}", marks=[] if frame in PAIRS[at % 2] else [pytest.mark.long]
        )
        for frame in (*PAIRS[0], *PAIRS[1], *LONG)
        for at, screen in enumerate(SCREENS)
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("gallery")) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(browser: Any, site: Site) -> Pages:
    return Pages(browser, site)


@pytest.mark.parametrize(("screen", "frame"), frames_of_screens())
def test_nobody_is_shut_out(pages: Pages, screen: Screen, frame: Frame) -> None:
    with pages.show(screen, frame) as page:
        assert find_faults(page) == []
        assert pixels_too_wide(page) <= 0
        if frame.width < 861:
            assert find_small_targets(page) == []
