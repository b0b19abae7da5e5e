"""One text for equal JSON values, and a short name made of it."""

from __future__ import annotations

import hashlib
import json


def canonical_json(value: object, *, allow_nan: bool = True) -> str:
    """Writes a JSON value with sorted keys, no blanks, characters as they are.

    Raises `ValueError` for NaN and infinity when `allow_nan` is false.
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=allow_nan)


def digest_of(value: object) -> str:
    """Computes the first 16 hex digits of the SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:16]
