"""Readable text of an HTML page: by trafilatura where it is installed, else by a small parser of our own."""

from __future__ import annotations

import logging
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import find_spec

log = logging.getLogger("agent.outbound")

LIBRARY_LIMIT = 300_000
"""Characters of a page that the library may be asked to read; it needs seconds for a hostile page of this size."""
SKIPPED = frozenset({"script", "style", "nav", "header", "footer", "noscript", "template", "svg", "iframe", "form"})
BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "li", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6",
     "blockquote", "pre", "br", "dd", "dt", "figcaption"}
)  # fmt: skip

FLUSH = "<p></p>"
"""Makes the parser hand over the text at the end. `close` would do so too, but it tries every broken tag to the end of
the page, which takes a hostile page of one MiB to hours."""


def extract(html: str) -> tuple[str, str]:
    """Returns title and text; the text is empty when the page has none."""
    reader = TextReader()
    try:
        reader.feed(html)
        reader.feed(FLUSH)
    except AssertionError:  # how the standard parser gives up on a broken declaration; what came before it counts
        pass
    reader.finish()
    return reader.title, by_library(html) or reader.text


def by_library(html: str) -> str:
    """Returns the main text as trafilatura finds it; empty when it is not installed, finds none or gives up."""
    if find_spec("trafilatura") is None or len(html) > LIBRARY_LIMIT:
        return ""
    try:
        return import_module("trafilatura").extract(html, include_comments=False, include_tables=True) or ""
    except Exception:
        log.info("trafilatura gave up on a page of %d characters", len(html), exc_info=True)
        return ""


class TextReader(HTMLParser):
    """Collects visible text block by block; what is navigation, script or style is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[str] = []
        self._words: list[str] = []
        self._title: list[str] = []
        self._skipped = ""
        self._depth = 0
        self._in_title = False

    @property
    def title(self) -> str:
        return " ".join("".join(self._title).split())

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skipped:
            self._depth += tag == self._skipped
        elif tag in SKIPPED:
            self._skipped, self._depth = tag, 1
        elif tag == "title":
            self._in_title = True
        elif tag in BLOCKS:
            self._break()

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            self._depth -= tag == self._skipped
            self._skipped = self._skipped if self._depth else ""
        elif tag == "title":
            self._in_title = False
        elif tag in BLOCKS:
            self._break()

    def handle_data(self, data: str) -> None:
        if self._skipped:
            return
        (self._title if self._in_title else self._words).append(data)

    def finish(self) -> None:
        """Takes over the words of an open block."""
        self._break()

    def _break(self) -> None:
        line = " ".join("".join(self._words).split())
        if line:
            self._lines.append(line)
        self._words = []
