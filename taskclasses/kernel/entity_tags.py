"""Reads that are made once: each carries a tag of what it is made of, and 304 answers who has it already.

A tag is not of the answer's bytes but of a mark that is cheaper to read: numbers in the database and in Redis that
change with every write of what the answer shows, and never come back. They are read before what they stand for, so that
a write in between is told by the next answer, whichever process wrote. Under the same tag a process keeps what it
answered last, for clients that have nothing yet.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from taskclasses.kernel.auth import identity_of
from taskclasses.kernel.envelope import answer_bytes, encode_ok, encode_plain, envelope, locale_of
from taskclasses.kernel.errors import CodedError

KEPT = "private, no-cache"
"""Kept by the student's own browser alone, which asks each time whether it still holds."""
VARY = ("Accept-Language", "Authorization", "Cookie")
ENTRY_BYTES = 500
"""What a kept answer takes beside its body: its tag, and its place in the table."""
SOURCES = ("taskclasses", "schedules", "agent", "smartmate")


class KeptAnswers:
    """Keeps the bodies that were asked for last under their tags, `ANSWERS_KEPT_MB` of them; any thread may ask."""

    def __init__(self) -> None:
        self._bodies: OrderedDict[str, bytes] = OrderedDict()
        self._size, self._lock = 0, Lock()

    def get(self, tag: str) -> bytes | None:
        with self._lock:
            if tag in self._bodies:
                self._bodies.move_to_end(tag)
            return self._bodies.get(tag)

    def put(self, tag: str, body: bytes) -> None:
        share = settings.ANSWERS_KEPT_MB << 20
        if len(body) + ENTRY_BYTES > share:
            return
        with self._lock:
            before = self._bodies.pop(tag, None)
            self._size += len(body) + ENTRY_BYTES - (0 if before is None else len(before) + ENTRY_BYTES)
            self._bodies[tag] = body
            while self._size > share:
                self._size -= len(self._bodies.popitem(last=False)[1]) + ENTRY_BYTES


kept_answers = KeptAnswers()


def answer_tagged(request: HttpRequest, mark: object | None, build: Callable[[], Any]) -> HttpResponse:
    """Answers 304 to a client that names the tag of this mark, else what `build` returns, with the tag: built once.

    `mark` is whatever says, by its `repr`, what the answer of this path is made of; path, query, student and language
    are added here. None: nothing vouches for the answer, which then has no tag and is not kept.
    """
    tag = None if mark is None else _tag_of(request, mark)
    if tag is None:
        response = answer_bytes(encode_plain(envelope(build())))
    elif _knows(request, tag):
        response = HttpResponseNotModified()
    else:
        response = answer_bytes(_body_of(tag, build))
    # Weak: it vouches for the meaning, and compression changes the bytes.
    return _mark(response, tag)


def answer_digested(request: HttpRequest, data: Any) -> HttpResponse:
    """Answers `data` with a tag of its bytes, which a write may name (`refuse_changed`); 304 to who names it now."""
    body = encode_ok(data)
    tag = digest_tag(body)
    return _mark(HttpResponseNotModified() if _knows(request, tag) else answer_bytes(body), tag)


def digest_tag(body: bytes) -> str:
    return f'"{blake2b(body, digest_size=16).hexdigest()}"'


def refuse_changed(request: HttpRequest, data: Any) -> None:
    """Raises 40079 when the client names, with If-Match, other tags than that of `data` as it stands.

    A proxy that compresses makes tags weak: what they name is the same.
    """
    condition = request.headers.get("If-Match", "").strip()
    if condition in ("", "*"):
        return
    if not _is_among(digest_tag(encode_ok(data)), parse_etags(condition)):
        raise CodedError(40079)


def _mark(response: HttpResponse, tag: str | None) -> HttpResponse:
    if tag is not None:
        response["ETag"] = tag
    response["Cache-Control"] = KEPT
    patch_vary_headers(response, VARY)
    return response


def _body_of(tag: str, build: Callable[[], Any]) -> bytes:
    body = kept_answers.get(tag)
    if body is None:
        body = encode_plain(envelope(build()))
        kept_answers.put(tag, body)
    return body


def _knows(request: HttpRequest, tag: str) -> bool:
    """Tells whether the client names this tag or `*`, any answer."""
    named = parse_etags(request.headers.get("If-None-Match", ""))
    return named == ["*"] or _is_among(tag, named)


def _is_among(tag: str, named: list[str]) -> bool:
    """Tells whether a tag is named, strong or weak: a proxy may have made it either."""
    return tag.removeprefix("W/") in {one.removeprefix("W/") for one in named}


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
