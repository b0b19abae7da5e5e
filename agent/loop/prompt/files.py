"""Prompt files, read once at first use, and a prepared prompt."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agent.loop.outside.model import Stage
from agent.loop.view_document import View

FOLDER = Path(__file__).resolve().parent / "texts"
Message = dict[str, str]


@dataclass(frozen=True)
class Prompt:
    """Holds one model call, ready to send: four messages and the view they were rendered from. `sizes` in estimated
    tokens; `catalogue` names the tools that the rules describe, `tools` those of them that may be called."""

    stage: Stage
    messages: tuple[Message, ...]
    view: View
    sizes: tuple[int, ...]
    tools: tuple[str, ...] = ()
    catalogue: tuple[str, ...] = ()
    compacted: bool = False
    attempt: int = 1


@lru_cache(maxsize=64)
def prompt_text(name: str) -> str:
    """Returns a prompt file by name without suffix, e.g. `base` or `packs/core_min`."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()


@lru_cache(maxsize=1)
def prompts_digest() -> str:
    """Returns SHA-256 of all prompt files, recorded with each run."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.md")):
        digest.update(path.relative_to(FOLDER).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
