"""What the loop asks of a language model.

A model turns one `ModelRequest` into a stream of deltas. A stream that was cut raises `ModelError("llm_truncated")`, so
a reader may trust that the last delta of a stream without exception is `Finish`; an answer cut at the token limit ends
with `Finish("length")`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, Protocol

from agent.loop.view_document import View

Stage = Literal["chat", "deep_answer", "plan", "execute", "deliver", "compact"]
FinishReason = Literal["stop", "length"]
ModelErrorCode = Literal[
    "llm_unavailable", "llm_timeout", "llm_rate_limited", "llm_bad_request", "llm_filtered", "llm_truncated"
]
CauseKind = Literal[
    "refused", "unresolved", "tls", "disconnected", "unauthorized", "forbidden", "not_found", "bad_request",
    "context_overflow", "rate_limited", "unpaid", "filtered", "server_error", "other_status", "error_in_stream",
    "no_answer", "silence", "deadline", "truncated", "malformed", "wrong_address", "no_model", "unknown",
]  # fmt: skip

DECISION_STAGES: frozenset[Stage] = frozenset({"chat", "plan", "execute"})


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Holds one model call.

    `messages` are the rendered `{"role", "content"}` messages. `view` is the document from which they were
    rendered; only a backend without a language model reads it. `temperature`, `max_tokens`, `thinking` and
    `deadline_s` (seconds for the whole call) that are None mean "the setting of the stage". `call_index` counts the
    model calls of the run from 1. `tools` are all tools as function schemas, for a model that is
    spoken to by a protocol of calls: the same in every round, so that a provider's cache holds; `open_tools` names
    those that may be called now.
    """

    stage: Stage
    messages: Sequence[Mapping[str, str]]
    view: View | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    thinking: bool | None = None
    deadline_s: float | None = None
    call_index: int = 1
    tools: Sequence[Mapping[str, object]] = ()
    open_tools: Sequence[str] = ()

    @property
    def decides(self) -> bool:
        """Tells whether the answer has to be one JSON object."""
        return self.stage in DECISION_STAGES


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Holds a piece of the model's reasoning."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """Holds a piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Holds tokens of the call, as the provider counts them; `cached` is part of `prompt`, `reasoning` of
    `completion`."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class Finish:
    """Marks the end of the answer; `length` when it was cut at the token limit."""

    reason: FinishReason = "stop"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Tells that the backend tries again after `seconds`; nothing of the answer has come."""

    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Switched:
    """Tells that another model answers instead of the one that was asked; `offline` when it is the policy of fixed
    rules."""

    model: str
    offline: bool = False


Delta = Reasoning | Text | Usage | Finish | Waiting | Switched


class Model(Protocol):
    """Answers requests. Closing the iterator (`aclose`) ends the call at once."""

    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]: ...


@dataclass(frozen=True, slots=True)
class Cause:
    """Tells why a call failed, for operators and logs: our own words and identifiers, nothing else that a provider
    wrote.

    `status` is that of HTTP, 0 without an answer; `request_id` and `provider_code` are those of the provider.
    """

    kind: CauseKind = "unknown"
    status: int = 0
    provider_code: str = ""
    request_id: str = ""
    attempts: int = 1
    context: int = 0
    """The model's window in tokens, where an overflow told it."""

    def __str__(self) -> str:
        facts = {"status": self.status, "provider_code": self.provider_code, "request_id": self.request_id}
        return " ".join([self.kind, *(f"{name}={value}" for name, value in facts.items() if value)])


NO_CAUSE = Cause()


class ModelError(Exception):
    """Tells that a model call failed. `code` is what the outside sees, `cause` what an operator sees."""

    def __init__(self, code: ModelErrorCode, cause: Cause = NO_CAUSE) -> None:
        super().__init__(code)
        self.code: ModelErrorCode = code
        self.cause = cause


@dataclass(frozen=True, slots=True)
class FailedCall:
    """Holds a model call of a run that failed, whether the run went on without it or not."""

    stage: Stage
    call_index: int
    model: str
    code: ModelErrorCode
    cause: Cause

    def to_document(self) -> dict[str, object]:
        document: dict[str, object] = asdict(self)
        return document
