"""Lifts stored state documents to the present version: pure functions v -> v + 1. Samples: tests/loop/samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from agent.loop.errors import UnknownVersion

Document = dict[str, Any]
Steps = Mapping[int, Callable[[Document], Document]]


def _drop_what_nothing_reads(document: Document) -> Document:
    """Makes version 2: an answer no longer counts the turns before it, a change of the draft no longer repeats what it
    dropped."""
    lifted = dict(document)
    run, draft = document.get("run"), document.get("draft")
    if run and run.get("interaction"):
        lifted["run"] = {**run, "interaction": _without(run["interaction"], "turns_at")}
    if draft and draft.get("log"):
        lifted["draft"] = {**draft, "log": [_without(entry, "dropped") for entry in draft["log"]]}
    return lifted


def _without(fields: Document, name: str) -> Document:
    return {key: value for key, value in fields.items() if key != name}


VERSION = 2
MIGRATIONS: Steps = MappingProxyType({1: _drop_what_nothing_reads})
"""Version -> the function that makes the next version of a document. Each one comes with a stored sample."""


def migrated_draft(draft: Document, *, found: object) -> Document:
    """The draft part of a document of version `found` at the present version. Raises `UnknownVersion`."""
    lifted: Document = migrated({"version": found, "draft": draft})["draft"]
    return lifted


def migrated(document: Document, *, version: int = VERSION, steps: Steps = MIGRATIONS) -> Document:
    """The document at `version`. Raises `UnknownVersion` for a newer or unversioned one; the input is not changed."""
    found = document.get("version")
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= version:
        raise UnknownVersion(f"state document of version {found!r}")
    for step in range(found, version):
        document = {**steps[step](document), "version": step + 1}
    return dict(document)
