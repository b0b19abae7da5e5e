"""The part of the state that holds the draft: the plan in hand, how it came to be, what was said of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import AliasChoices, Field, PlainSerializer, PlainValidator

from agent.calls.kinds import Json
from agent.loop.state.part import StatePart
from schedules.planner.draft.codec import state_from_json, state_to_json
from schedules.planner.draft.diff import changes_between, lost_with_items
from schedules.planner.draft.state import ScheduleState


def _read_schedule(value: object) -> ScheduleState | None:
    if value is None or isinstance(value, ScheduleState):
        return value
    if not isinstance(value, dict):
        raise ValueError("a stored schedule is an object")
    return state_from_json(value)


def _write_schedule(value: ScheduleState | None) -> Json | None:
    return None if value is None else state_to_json(value)


Schedule = Annotated[
    ScheduleState | None,
    PlainValidator(_read_schedule),
    PlainSerializer(_write_schedule),
]


class RoughBuildRecord(StatePart):
    class_ids: list[int]
    placed: int
    left: list[Json] = Field(default_factory=list)
    revision: int
    at: str


class AcceptedRisk(StatePart):
    gap_sections: int
    unplaced_item_ids: list[int] = Field(default_factory=list)
    at: str
    by: str
    """Interaction id, or the message that accepted it."""


Author = Literal["agent", "student", "apply", "rebase"]
LOG_LENGTH = 50


class LogEntry(StatePart):
    """Holds one change of the draft: who made it, in which goal of the conversation (0 beside it), which revision came
    of it, what moved."""

    who: Author
    goal: int = 0
    revision: int
    at: str
    changes: list[Json] = Field(default_factory=list)


class DraftPart(StatePart):
    """Holds the draft, never reset, only rebased. The student's own save changes this part alone."""

    schedule: Schedule = None
    rough_build: RoughBuildRecord | None = None
    built: list[int] = Field(default_factory=list)
    report: Json | None = None
    accepted_risk: AcceptedRisk | None = None
    negotiating: bool = False
    """The last goal ended because not everything fits; the next message may choose an option."""
    log: list[LogEntry] = Field(default_factory=list)
    """The newest changes, oldest first."""
    by_hand: list[int] = Field(default_factory=list)
    """Ids of the items that stand where the student put them: nothing moves them without being asked."""
    undone_batch_ids: list[int] = Field(
        default_factory=list, validation_alias=AliasChoices("undone_batch_ids", "returned")
    )
    """Ids of the undone batches whose suggestions came back into it last; stored as `returned` for a while."""
    written_at: str = ""
    """When the present revision was written, RFC 3339; `written_by` is the run that last wrote it."""
    written_by: str = ""

    def note_change(self, before: ScheduleState | None, *, who: Author, at: str, goal: int = 0) -> None:
        """Enters into the log how the present revision differs from the one before; of the loop's own changes also
        which items lost their place because they are gone."""
        after = self.schedule
        assert after is not None
        changes = [] if before is None else changes_between(before, after)
        gone = [] if before is None or who != "agent" else lost_with_items(before, after)
        told = [change.to_json(after.window) for change in (*changes, *gone)]
        entry = LogEntry(who=who, goal=goal, revision=after.revision, at=at, changes=told)
        self.log = [*self.log, entry][-LOG_LENGTH:]
        touched = {change.item_id for change in changes}
        placed = {change.item_id for change in changes if change.after is not None} if who == "student" else set()
        self.by_hand = sorted(({*self.by_hand} - touched) | placed)
        # Never back in time: what was undone before the draft was written has been looked at.
        self.written_at = max(at, self.written_at)

    def to_document(self) -> Json:
        # The schedule is written by itself: what is JSON already is not looked through again. A process of the version
        # before does not know the field.
        apart = {"schedule"} if self.undone_batch_ids else {"schedule", "undone_batch_ids"}
        return {"schedule": _write_schedule(self.schedule), **self.model_dump(mode="json", exclude=apart)}

    @classmethod
    def from_document(cls, document: Mapping[str, object]) -> Self:
        return cls.model_validate(document, extra="ignore")
