"""Makes a picture of every screen and state in both languages and themes and four widths (see script/screens)."""

from __future__ import annotations

import argparse
import html
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

from tests.e2e.conftest import CHROMIUM, FLAGS
from tests.kits.gallery.frames import LANGUAGES, THEMES, WIDTHS, Frame, Pages
from tests.kits.gallery.screens import SCREENS, Screen
from tests.kits.gallery.site import open_site

STYLE = """
body { font: 14px sans-serif; margin: 16px }
div { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start }
figure { margin: 0 }
img { max-height: 420px; border: 1px solid #999 }
"""
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def chosen(text: str) -> list[str]:
    return [one for one in text.split(",") if one]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="script/screens", description=__doc__)
    parser.add_argument("--screen", type=chosen, default=[], help="names, or beginnings of names with a *: week,today*")
    parser.add_argument("--lang", type=chosen, default=list(LANGUAGES))
    parser.add_argument("--theme", type=chosen, default=list(THEMES))
    parser.add_argument("--width", type=chosen, default=[str(one) for one in WIDTHS])
    parser.add_argument("--design", type=Path, help="a folder with the design's NAME-desk.png and NAME-phone.png")
    parser.add_argument("--out", type=Path, default=Path("var/screens"))
    parser.add_argument("--whole", action="store_true", help="the whole length of pages that scroll")
    return parser.parse_args()


def wanted(names: Sequence[str]) -> list[Screen]:
    def fits(screen: Screen) -> bool:
        return any(screen.name == name or (name[-1] == "*" and screen.name.startswith(name[:-1])) for name in names)

    return [screen for screen in SCREENS if not names or fits(screen)]


def main() -> int:
    options = parse()
    screens = wanted(options.screen)
    frames = [
        Frame(lang, theme, int(width)) for lang in options.lang for theme in options.theme for width in options.width
    ]
    options.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    with (
        tempfile.TemporaryDirectory(prefix="smartmate-screens-") as folder,
        open_site(Path(folder)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = Pages(browser, site)
        for screen in screens:
            for frame in frames:
                begun = time.monotonic()
                try:
                    with pages.show(screen, frame) as page:
                        page.screenshot(path=options.out / f"{screen.name}-{frame}.png", full_page=options.whole)
                        wide = page.evaluate(WIDE)
                        told = f"{wide} px too wide" if wide > 0 else ""
                except (Error, AssertionError) as error:
                    failed += 1
                    told = f"FAILED {str(error).splitlines()[0]}"
                sys.stdout.write(f"{screen.name:16} {frame!s:16} {time.monotonic() - begun:5.1f} s  {told}\n")
                sys.stdout.flush()
        browser.close()
    write_index(options.out, options.design)
    sys.stdout.write(f"{options.out / 'index.html'}: {len(screens)} screens, {failed} failed\n")
    return 1 if failed else 0


def write_index(out: Path, design: Path | None) -> None:
    """All pictures of the folder by screen, the design's beside them."""
    if design is not None:
        (out / "design").mkdir(exist_ok=True)
        for path in design.glob("*.png"):
            shutil.copyfile(path, out / "design" / path.name)
    rows = []
    for screen in SCREENS:
        own = sorted(out.glob(f"{screen.name}-[ez][nh]-*.png"), key=lambda path: (-_width(path), path.name))
        drawn = [out / "design" / f"{screen.design}-{end}.png" for end in ("desk", "phone")] if screen.design else []
        shown = [path for path in drawn if path.exists()] + own
        figures = "".join(_figure(path.relative_to(out)) for path in shown)
        if own:
            rows.append(f"<h2>{html.escape(screen.name)}</h2><div>{figures}</div>")
    head = f'<!doctype html><meta charset="utf-8"><title>Screens</title><style>{STYLE}</style>'
    page = head + "<h1>Screens</h1>" + "".join(rows)
    (out / "index.html").write_text(page, encoding="utf-8")


def _width(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


def _figure(path: Path) -> str:
    name = html.escape(path.as_posix())
    return (
        f'<figure><a href="{name}"><img loading="lazy" src="{name}" alt=""></a><figcaption>{name}</figcaption></figure>'
    )


if __name__ == "__main__":
    raise SystemExit(main())
