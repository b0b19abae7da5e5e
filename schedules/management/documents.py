"""JSON documents on the command line: read strictly, so that nothing is guessed from a damaged file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

MOST_DIGITS = 18
LARGEST = 16 * 2**20
"""Bytes; two thousand items and a full timetable of thirty weeks take a tenth of it."""


class DocumentError(ValueError):
    """Tells that the file cannot be read, or is not one JSON document."""


def read_document(path: str) -> Any:
    """Reads the JSON document of a file, `-` for standard input. NaN, repeated keys and endless nesting are errors."""
    try:
        data = _bytes(path)
        if len(data) > LARGEST:
            raise DocumentError(f"larger than {LARGEST // 2**20} MiB")
        return json.loads(data.decode(), object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
    except RecursionError as error:
        raise DocumentError(f"{path}: nested too deeply") from error
    except OSError as error:
        raise DocumentError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise DocumentError(f"{path}: {error}") from error


def _bytes(path: str) -> bytes:
    """Reads no more of the file than is needed to see that it is too large."""
    if path == "-":
        return sys.stdin.buffer.read(LARGEST + 1)
    with Path(path).open("rb") as file:
        return file.read(LARGEST + 1)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise DocumentError(f"key {next(key for key in keys if keys.count(key) > 1)!r} occurs twice in an object")
    return found


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise DocumentError(f"a number of {len(text)} digits")
    return int(text)


def _constant(name: str) -> Any:
    raise DocumentError(f"{name} is not JSON")
