"""Lifts stored state documents to the present version: pure functions v -> v + 1. Samples: tests/loop/samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from agent.loop.errors import UnknownVersion

Document = dict[str, Any]
Steps = Mapping[int, Callable[[Document], Document]]

VERSION = 1
MIGRATIONS: Steps = MappingProxyType({})
"""Version -> the function that makes the next version of a document. Each one comes with a stored sample."""


def migrated(document: Document, *, version: int = VERSION, steps: Steps = MIGRATIONS) -> Document:
    """The document at `version`. Raises `UnknownVersion` for a newer or unversioned one; the input is not changed."""
    found = document.get("version")
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= version:
        raise UnknownVersion(f"state document of version {found!r}")
    for step in range(found, version):
        document = {**steps[step](document), "version": step + 1}
    return dict(document)
