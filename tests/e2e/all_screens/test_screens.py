"""Every screen and state, in both languages and themes, wide and narrow: rules of accessibility, targets, width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.gallery.frames import Frame, Pages
from tests.kits.gallery.screens import SCREENS, Screen
from tests.kits.gallery.site import Site, open_site
from tests.kits.page.audit import find_faults, find_small_targets, pixels_too_wide

FRAMES = (Frame("zh", "light", 1440), Frame("en", "dark", 1024), Frame("en", "light", 390), Frame("zh", "dark", 320))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with open_site(tmp_path_factory.mktemp("gallery")) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(browser: Any, site: Site) -> Pages:
    return Pages(browser, site)


@pytest.mark.parametrize("frame", FRAMES, ids=str)
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_nobody_is_shut_out(pages: Pages, screen: Screen, frame: Frame) -> None:
    with pages.show(screen, frame) as page:
        assert find_faults(page) == []
        assert pixels_too_wide(page) <= 0
        if frame.width < 861:
            assert find_small_targets(page) == []
