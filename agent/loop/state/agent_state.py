"""What a conversation remembers, in parts by lifetime.

A reset is a fresh part, never field by field: `new_goal` replaces run, plan, health and tools and keeps conversation
and draft. The stored form is canonical JSON with a version; `migrations.py` lifts older documents.
"""

from __future__ import annotations

from datetime import datetime
from typing import Self

from pydantic import Field

from agent.calls.kinds import Json
from agent.loop.state.conversation import ConversationPart
from agent.loop.state.draft import DraftPart
from agent.loop.state.migrations import VERSION, migrate_document
from agent.loop.state.part import StatePart
from agent.loop.state.plan import PlanPart
from agent.loop.state.run import RunPart
from schedules.planner.draft.state import ScheduleState


class HealthPart(StatePart):
    """Holds the last diagnosis. `signals` are the newest five improvement signals, oldest first."""

    verdict: Json | None = None
    revision: int | None = None
    signals: list[str] = Field(default_factory=list)
    stagnation: int = 0


class ToolsPart(StatePart):
    active: dict[str, list[str]] = Field(default_factory=dict)
    opened: bool = False
    """Whether the goal's first packs have been opened."""
    queue: Json = Field(default_factory=dict)
    last_class_write: Json | None = None
    searches: int = 0
    fetches: int = 0
    fetched_bytes: int = 0


PARTS = ("conversation", "run", "plan", "draft", "health", "tools")


class AgentState(StatePart):
    """Holds one document per conversation. `revision` is the stored document's, kept by the store for
    compare-and-set."""

    revision: int = 0
    saved_at: str = ""
    conversation: ConversationPart
    run: RunPart = Field(default_factory=RunPart)
    plan: PlanPart = Field(default_factory=PlanPart)
    draft: DraftPart = Field(default_factory=DraftPart)
    health: HealthPart = Field(default_factory=HealthPart)
    tools: ToolsPart = Field(default_factory=ToolsPart)

    @classmethod
    def fresh(cls, *, conversation_id: str, user_id: int, locale: str = "zh") -> Self:
        return cls(conversation=ConversationPart(id=conversation_id, user_id=user_id, locale=locale))

    @property
    def schedule(self) -> ScheduleState | None:
        return self.draft.schedule

    @property
    def built_classes(self) -> list[int]:
        """Returns classes that have a first plan. Where none of its items is placed any more, a class has none."""
        if self.schedule is None:
            return list(self.draft.built)
        placed: dict[int | None, bool] = {}
        for entry in self.schedule.items():
            placed[entry.task_class_id] = placed.get(entry.task_class_id, False) or bool(entry.slots)
        return [class_id for class_id in self.draft.built if placed.get(class_id, True)]

    @property
    def locale(self) -> str:
        return self.conversation.locale

    @property
    def verdict(self) -> Json | None:
        """Returns the last diagnosis, only while it is current."""
        current = self.schedule is not None and self.health.revision == self.schedule.revision
        return self.health.verdict if current else None

    def new_goal(self) -> None:
        """Begins a new goal: conversation and draft stay, everything else is fresh. What the goal changed is
        remembered."""
        self.conversation.last_change = self.run.change or self.conversation.last_change
        self.run, self.plan, self.health, self.tools = RunPart(), PlanPart(), HealthPart(), ToolsPart()
        self.conversation.goals += 1

    def checkpoint(self) -> Self:
        """Returns a copy that later changes do not touch. Rows and the schedule are values that are replaced, never
        edited, so that only the parts and their lists are copied."""
        return self.model_copy(update={name: getattr(self, name).copy_lists() for name in PARTS})

    def restore(self, checkpoint: Self) -> None:
        """Goes back to a checkpoint; block numbers keep counting, so that no block id is used twice in a goal."""
        counters = self.run.counters
        for name in PARTS:
            setattr(self, name, getattr(checkpoint, name))
        self.run.counters = counters

    def saved(self, now: datetime) -> Json:
        """Returns the document to store."""
        self.saved_at = now.isoformat()
        return self.to_document()

    def to_document(self) -> Json:
        apart: dict[str, bool | set[str]] = {"draft": True}
        if not self.run.rest:
            apart["run"] = {"rest"}  # a version that does not know it reads all that have none
        document = self.model_dump(mode="json", exclude=apart)
        return {"version": VERSION, **document, "draft": self.draft.to_document()}

    @classmethod
    def from_document(cls, document: Json) -> Self:
        """Reads a stored document of any version up to ours. Raises `UnknownVersion` for a newer one.

        While a release is rolled out, a process of the one before reads what the next one wrote: a field that it does
        not know is left out. What must not be left out raises the version.
        """
        fields = migrate_document(document)
        del fields["version"]
        draft: dict[str, object] = fields.pop("draft", None) or {}
        # The schedule is read into values, and is by far the most of it: of the rest nothing is shared.
        schedule = {"schedule": draft["schedule"]} if "schedule" in draft else {}
        rest = _copy_object({name: value for name, value in draft.items() if name != "schedule"})
        return cls.model_validate({**_copy_object(fields), "draft": {**rest, **schedule}}, extra="ignore")


def _copy_object(fields: dict[str, object]) -> dict[str, object]:
    """Copies what JSON can say so deeply that no list and no object is shared."""
    return {name: _copy_value(value) for name, value in fields.items()}


def _copy_value(value: object) -> object:
    if type(value) is dict:
        return _copy_object(value)
    return list(map(_copy_value, value)) if type(value) is list else value
