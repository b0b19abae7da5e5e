"""Reads that a client keeps: each carries a tag of what it is made of, and 304 answers who has it already.

A tag is not of the answer's bytes but of a mark that is cheaper to read: numbers in the database and in Redis that
change with every write of what the answer shows. They are read before what they stand for, so that a write in between
is told by the next answer. Nothing is kept in a process.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from taskclasses.kernel.auth import identity_of
from taskclasses.kernel.envelope import locale_of, ok

KEPT = "private, no-cache"
"""Kept by the student's own browser alone, which asks each time whether it still holds."""
VARY = ("Accept-Language", "Authorization", "Cookie")
SOURCES = ("taskclasses", "schedules", "agent", "smartmate")


def answer_tagged(request: HttpRequest, mark: object | None, build: Callable[[], Any]) -> HttpResponse:
    """Answers 304 to a client that names the tag of this mark, else what `build` returns, with the tag.

    `mark` is whatever says, by its `repr`, what the answer of this path is made of; path, query, student and language
    are added here. None: nothing vouches for the answer, which then has no tag.
    """
    tag = None if mark is None else _tag_of(request, mark)
    response = HttpResponseNotModified() if tag is not None and tag in _known(request) else ok(build())
    if tag is not None:
        # Weak: it vouches for the meaning, and compression changes the bytes.
        response["ETag"] = tag
    response["Cache-Control"] = KEPT
    patch_vary_headers(response, VARY)
    return response


def _known(request: HttpRequest) -> set[str]:
    """Returns the tags that the client names, as weak ones; a proxy may have made them strong or weak."""
    named = parse_etags(request.headers.get("If-None-Match", ""))
    return {f"W/{tag.removeprefix('W/')}" for tag in named}


def _tag_of(request: HttpRequest, mark: object) -> str:
    whole = (release_tag(), request.get_full_path(), identity_of(request).user.pk, locale_of(request), mark)
    return f'W/"{blake2b(repr(whole).encode(), digest_size=16).hexdigest()}"'


@lru_cache(maxsize=1)
def release_tag() -> str:
    """Returns a digest of the sources and texts: another release may answer the same rows in other words."""
    digest = blake2b(digest_size=8)
    for folder in SOURCES:
        for path in sorted(Path(settings.BASE_DIR, folder).rglob("*")):
            if path.suffix in (".py", ".mo"):
                digest.update(path.read_bytes())
    return digest.hexdigest()
