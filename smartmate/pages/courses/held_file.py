"""A file between the look at it and its import. A student has one at a time; it is forgotten after half an hour."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

from django.core.cache import cache

KEPT_S = 1_800


@dataclass(frozen=True)
class HeldFile:
    name: str
    data: bytes

    @property
    def mark(self) -> str:
        """Returns what a form names the file by."""
        return hashlib.sha256(self.name.encode() + b"\0" + self.data).hexdigest()[:32]


def file_hold(user_id: int, file: HeldFile) -> None:
    """Keeps a file in place of the one before."""
    cache.set(_key(user_id), [file.name, base64.b64encode(file.data).decode()], KEPT_S)


def file_held(user_id: int, mark: str) -> HeldFile | None:
    """Returns the student's file of this mark; None when it is forgotten or another one took its place."""
    kept = cache.get(_key(user_id))
    found = HeldFile(kept[0], base64.b64decode(kept[1])) if kept else None
    return found if found is not None and found.mark == mark else None


def file_forget(user_id: int) -> None:
    """Forgets the student's file: it is imported."""
    cache.delete(_key(user_id))


def _key(user_id: int) -> str:
    return f"import-file:{user_id}"
