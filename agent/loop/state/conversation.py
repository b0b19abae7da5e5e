"""The part of the state that is never reset: what was said, and what the last goal changed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from agent.calls.kinds import Json
from agent.loop.state.part import StatePart

Via = Literal["message", "reply", "reject"]


class Asked(StatePart):
    """Tells what a question is about. Two questions of one topic and one `about` are the same, whatever their words."""

    topic: str
    about: Json = Field(default_factory=dict)


class Turn(StatePart):
    """Holds something said aloud, or an option chosen: `question` is then what it answers and `option` its id, with the
    option's label as the text.

    `via` tells how words of the student came. Of words for the student, `asks` tells what they ask, `item_ids` which
    items they name, and `wrote` which tools had written something in the goal by then.
    """

    role: Literal["user", "assistant"]
    text: str
    via: Via = "message"
    question: str = ""
    option: str | None = None
    asks: Asked | None = None
    item_ids: list[int] = Field(default_factory=list)
    wrote: list[str] = Field(default_factory=list)


class WeekPlace(StatePart):
    """Tells where an item stood or stands."""

    week: int
    day_of_week: int
    section_from: int
    section_to: int


class GoalChange(StatePart):
    """Tells what a goal made of the draft: a build, several changes, or one change of one item. `told` is what the
    student heard of it."""

    kind: Literal["build", "several", "place", "move", "unplace"]
    item_id: int | None = None
    before: WeekPlace | None = None
    after: WeekPlace | None = None
    told: str = ""


class PastValue(StatePart):
    """Tells what a call of a goal wrote beside the draft: one value as it was and as it became."""

    goal: int
    tool: str
    owner: int
    field: str
    before: Any = None
    after: Any = None


class ConversationPart(StatePart):
    """Holds what is never reset. `watermark` turns came before `dialogue`; `summary` stands for them."""

    id: str
    user_id: int
    locale: str = "zh"
    scope: list[int] = Field(default_factory=list)
    dialogue: list[Turn] = Field(default_factory=list)
    summary: str = ""
    watermark: int = 0
    goals: int = 0
    seen_revision: int | None = None
    """The newest draft revision whose change log the model has been told about."""
    seen_classes: dict[str, str] = Field(default_factory=dict)
    """How the classes of the scope were when the loop last looked: class id -> digest."""
    last_change: GoalChange | None = None
    """What the last goal that changed the draft made of it; the present goal's own is `RunPart.change`."""
    past_values: list[PastValue] = Field(default_factory=list)
    """The newest values that were written beside the draft, oldest first."""
