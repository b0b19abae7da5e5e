"""What a client asks of a conversation, after its shape was checked."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Literal

from agent.models import Run

Thinking = Literal["auto", "true", "false"]


@dataclass(frozen=True)
class InteractionAnswer:
    """Holds an explicit answer to an interaction (`extra.resume`); `type` "" means the interaction's own."""

    interaction_id: str
    action: str
    type: str = ""
    option: str | None = None


@dataclass(frozen=True)
class Ask:
    """Holds one request to the agent. `conversation_id` "" opens a new conversation; `task_class_ids` () keeps the
    scope.

    `key` is the client's idempotency key within `route`, and `digest` the SHA-256 of the canonical body.
    """

    message: str = ""
    conversation_id: str = ""
    task_class_ids: tuple[int, ...] = ()
    always_execute: bool = False
    thinking: Thinking = "auto"
    answer: InteractionAnswer | None = None
    locale: str = "zh"
    route: str = ""
    key: str = ""
    digest: str = ""

    def request_key(self, user_id: int) -> str | None:
        """Returns the unique name of the run this key makes, None without a key. A hash: collations must not fold its
        case."""
        if not self.key:
            return None
        return hashlib.sha256(f"{user_id}\n{self.route}\n{self.key}".encode()).hexdigest()

    def to_request(self, resume: dict[str, Any] | None) -> dict[str, Any]:
        """Returns the document of `Run.request`, from which the executor builds the loop's request."""
        return {
            "message": self.message,
            "task_class_ids": list(self.task_class_ids),
            "always_execute": self.always_execute,
            "thinking": self.thinking,
            "resume": resume,
        }


@dataclass(frozen=True)
class Started:
    """Holds the run that answers a request; `replayed` when an earlier, equal request had made it."""

    run: Run
    replayed: bool = False
