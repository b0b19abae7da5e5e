"""What the loop asks of a language model.

A model turns one `ModelRequest` into a stream of deltas. A stream that was cut raises `ModelError("llm_truncated")`, so
a reader may trust that the last delta of a stream without exception is `Finish`; an answer cut at the token limit ends
with `Finish("length")`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.loop.prompt.document import View

Stage = Literal["chat", "deep_answer", "plan", "execute", "deliver", "compact"]
FinishReason = Literal["stop", "length"]
ModelErrorCode = Literal[
    "llm_unavailable", "llm_timeout", "llm_rate_limited", "llm_bad_request", "llm_filtered", "llm_truncated"
]

STAGES: tuple[Stage, ...] = ("chat", "deep_answer", "plan", "execute", "deliver", "compact")
DECISION_STAGES: frozenset[Stage] = frozenset({"chat", "plan", "execute"})


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One model call.

    `messages` are the rendered `{"role", "content"}` messages. `view` is the document from which they were
    rendered; only a backend without a language model reads it. `temperature`, `max_tokens`, `thinking` and
    `deadline_s` (seconds for the whole call) that are None mean "the setting of the stage". `call_index` counts the
    model calls of the run from 1.
    """

    stage: Stage
    messages: Sequence[Mapping[str, str]]
    view: View | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    thinking: bool | None = None
    deadline_s: float | None = None
    call_index: int = 1

    @property
    def decides(self) -> bool:
        """True when the answer has to be one JSON object."""
        return self.stage in DECISION_STAGES


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of the model's reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the call, as the provider counts them; `cached` is part of `prompt`, `reasoning` of `completion`."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of the answer; `length` when it was cut at the token limit."""

    reason: FinishReason = "stop"


Delta = Reasoning | Text | Usage | Finish


class Model(Protocol):
    """A source of answers. Closing the iterator (`aclose`) ends the call at once."""

    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]: ...


class ModelError(Exception):
    """A model call failed.

    `code` is what the outside sees. `detail` is for the log only: it may quote the provider and never reaches an event.
    """

    def __init__(self, code: ModelErrorCode, detail: str = "") -> None:
        super().__init__(code)
        self.code: ModelErrorCode = code
        self.detail = detail
