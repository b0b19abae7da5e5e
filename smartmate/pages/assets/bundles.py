"""The script and the styles of a screen as one file each: named by content, compressed, kept by browsers."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

from smartmate.pages.assets.modules import bundle_modules

BASE = ("agent/css/tokens.css", "agent/css/base.css")
STYLES = {
    "base.css": BASE,
    "screen.css": (*BASE, "agent/css/screens.css"),
    "week.css": (*BASE, "agent/css/week.css", "agent/css/assistant.css"),
    "today.css": ("smartmate/today.css",),
    "tasks.css": ("smartmate/tasks.css",),
    "courses.css": ("smartmate/courses.css",),
    "welcome.css": ("smartmate/courses.css", "smartmate/welcome.css"),
    "print-week.css": ("smartmate/print-week.css",),
}
SCRIPTS = {
    "week.js": "agent/main.js",
    "shell.js": "smartmate/shell/main.js",
    "file-drop.js": "smartmate/file-drop.js",
    "line-moves.js": "smartmate/line-moves.js",
    "week-picks.js": "smartmate/week-picks.js",
}
STANDS_ON = {"shell.js": "django_htmx/htmx-2.min.js"}
"""What a script uses that is not ours, before it as it came."""


@dataclass(frozen=True)
class Bundle:
    """Holds one file of a screen; `tag` stands in its address, so a new content has a new address."""

    tag: str
    content_type: str
    plain: bytes
    packed: bytes


def bundle_named(name: str) -> Bundle | None:
    """Returns the bundle of this process; while developing it is made anew each time."""
    if name not in STYLES and name not in SCRIPTS:
        return None
    return make_bundle(name) if settings.DEBUG else kept_bundle(name)


def make_bundle(name: str) -> Bundle:
    plain = _text(name).encode()
    return Bundle(
        tag=hashlib.sha256(plain).hexdigest()[:12],
        content_type=f"text/{'css' if name in STYLES else 'javascript'}; charset=utf-8",
        plain=plain,
        packed=gzip.compress(plain, compresslevel=9, mtime=0),
    )


kept_bundle = lru_cache(maxsize=None)(make_bundle)


def _text(name: str) -> str:
    if name in STYLES:
        return _read(STYLES[name])
    library = f"{_read((STANDS_ON[name],))}\n" if name in STANDS_ON else ""
    return library + bundle_modules(_file(SCRIPTS[name]))


def _read(paths: tuple[str, ...]) -> str:
    return "".join(_file(path).read_text(encoding="utf-8") for path in paths)


def _file(path: str) -> Path:
    found = finders.find(path)
    assert isinstance(found, str), path
    return Path(found)
