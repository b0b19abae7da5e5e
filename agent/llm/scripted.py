"""A model that plays back a script: for tests and for replaying a recorded run.

An entry is the text of an answer, a decision (any JSON object), a list of deltas, an exception, or a callable that gets
the request and returns one of those. `ScriptEntry(answer, stage=...)` also states for which stage the answer is meant.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.loop.outside.model import Delta, Finish, ModelRequest, Reasoning, Stage, Text, Usage

Answer = str | Mapping[str, Any] | Sequence[Delta] | BaseException | Callable[[ModelRequest], Any]


@dataclass(frozen=True, slots=True)
class ScriptEntry:
    """Holds one answer of the script; `stage` None fits any stage."""

    answer: Answer
    stage: Stage | None = None


class ScriptError(AssertionError):
    """Tells that the run asked for something the script does not contain. `code`: script_exhausted or
    script_stage_mismatch."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


class ScriptedModel:
    """Plays `script` in order, whoever calls; `requests` holds every request it got."""

    def __init__(self, script: Iterable[Answer | ScriptEntry] = (), *, name: str = "scripted", chunk: int = 12) -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._entries = [entry if isinstance(entry, ScriptEntry) else ScriptEntry(entry) for entry in script]
        self._chunk = chunk
        self._next = 0

    def append(self, answer: Answer | ScriptEntry) -> None:
        """Adds an answer to the end of the script."""
        self._entries.append(answer if isinstance(answer, ScriptEntry) else ScriptEntry(answer))

    @property
    def left(self) -> int:
        """Returns answers that nobody has asked for yet."""
        return len(self._entries) - self._next

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        self.requests.append(request)
        for delta in await self._deltas(self._take(request), request):
            await asyncio.sleep(0)
            yield delta

    def _take(self, request: ModelRequest) -> Answer:
        if self._next >= len(self._entries):
            raise ScriptError("script_exhausted", f"call {len(self.requests)}, stage {request.stage}")
        entry = self._entries[self._next]
        if entry.stage is not None and entry.stage != request.stage:
            raise ScriptError("script_stage_mismatch", f"expected {entry.stage}, asked for {request.stage}")
        self._next += 1
        return entry.answer

    async def _deltas(self, answer: Answer, request: ModelRequest) -> Sequence[Delta]:
        if callable(answer):
            made = answer(request)
            return await self._deltas(await made if inspect.isawaitable(made) else made, request)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Mapping):
            answer = json.dumps(answer, ensure_ascii=False)
        return chunks(answer, size=self._chunk) if isinstance(answer, str) else answer


def chunks(answer: str, *, size: int = 12) -> tuple[Delta, ...]:
    """Returns the deltas of a complete answer, `size` characters each."""
    return (*(Text(answer[at : at + size]) for at in range(0, len(answer), size)), Finish())


__all__ = ["Answer", "Finish", "Reasoning", "ScriptEntry", "ScriptError", "ScriptedModel", "Text", "Usage", "chunks"]
