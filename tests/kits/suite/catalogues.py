"""Texts in English come from a compiled catalogue, which a clone does not hold."""

from __future__ import annotations

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_catalogues(root: Path) -> list[Path]:
    """Compiles the catalogues that are missing or older than their source; answers those it made."""
    stale = [source for source in sorted(root.glob("smartmate/locale/*/LC_MESSAGES/*.po")) if _is_stale(source)]
    for source in stale:
        with source.open("rb") as read, source.with_suffix(".mo").open("wb") as written:
            write_mo(written, read_po(read, locale=source.parent.parent.name))
    return [source.with_suffix(".mo") for source in stale]


def _is_stale(source: Path) -> bool:
    compiled = source.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime
