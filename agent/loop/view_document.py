"""The view of a model call: the document that a backend without a language model reads instead of messages.

All keys are always present and every value is JSON. What a tool returned (`data`, `verdict`, `report`) is the tool's
own document and stays untyped here.
"""

from __future__ import annotations

from typing import Any, TypedDict

from agent.calls.kinds import Json
from schedules.planner.shapes import CostTable, WeekDay


class NowView(TypedDict):
    """Holds the moment of the call. `section` is the one that has begun last, 0 before the first."""

    date: str
    week: int
    day_of_week: int
    section: int


class AskedView(TypedDict):
    """Tells what a question is about; two questions with equal values are the same, whatever their words."""

    topic: str
    about: Json


class DialogueTurnView(TypedDict):
    """Holds something said aloud in the conversation, by the student or to the student.

    Of words for the student, `asks` tells what they ask, `item_ids` which items they name, and `wrote` which tools had
    written something in the goal by then.
    """

    role: str
    text: str
    asks: AskedView | None
    item_ids: list[int]
    wrote: list[str]


class GoalTurnView(TypedDict):
    """Holds something the student said in the goal, or the label of the `option` that was chosen. `via` tells how it
    came."""

    text: str
    via: str
    option: str | None


class ClassItemView(TypedDict):
    id: int
    order: int
    content: str


class ClassView(TypedDict):
    """Holds a task class of the student; `items` is empty for a long or an old one outside the scope."""

    id: int
    name: str
    start_date: str
    end_date: str
    sections: int
    item_count: int
    items: list[ClassItemView]
    mode: str
    strategy: str
    subject_type: str
    difficulty_level: str
    cognitive_intensity: str
    excluded_days: list[int]
    excluded_blocks: list[int]
    excluded_cells: list[list[int]]
    filler: bool


class SemesterView(TypedDict):
    first_monday: str
    weeks: int
    sections: int
    day_parts: list[list[int]]
    starts: list[str]


class WindowView(TypedDict):
    """Holds the days of the draft; day 1 is `first`."""

    first: WeekDay
    total_days: int


class SlotView(TypedDict):
    day: int
    week: int
    day_of_week: int
    slot_start: int
    slot_end: int
    host_event_id: int | None


class TaskView(TypedDict):
    """Holds an item of a task class in the draft; `mark` is what the student said of it: done, partial, missed or
    nothing."""

    state_id: int
    item_id: int
    name: str
    class_id: int
    order: int
    status: str
    slot: SlotView | None
    duration: int
    mark: str


class WishView(TypedDict):
    """Holds a wish that every plan heeds: its kind with a number, of one class or of all."""

    kind: str
    value: int
    class_id: int | None
    hard_only: bool


class ClashView(TypedDict):
    """Tells of an item ahead which exam lies over it."""

    item_id: int
    exam: str


class MisfitView(TypedDict):
    """Tells of an item ahead which rules of its class it stands against by now."""

    item_id: int
    rules: list[str]


class DraftView(TypedDict):
    revision: int
    placed: int
    suggested: int
    pending: int
    courses: int
    window: WindowView
    tasks: list[TaskView]
    under_exams: list[ClashView]
    misfits: list[MisfitView]
    cost: CostTable | None
    wishes: list[WishView]


class RoughBuildView(TypedDict):
    """Holds the last rough build, and the report of one that did not fit."""

    class_ids: list[int]
    placed: int
    left: list[Json]
    report: Json | None


class PlanStepView(TypedDict):
    content: str
    done_when: str
    kind: str
    class_ids: list[int]


class PlanView(TypedDict):
    steps: list[PlanStepView]
    current: int


class ResultView(TypedDict):
    """Holds a call of the goal that was carried out or failed."""

    tool: str
    arguments: Json
    status: str
    data: Json
    observation: str
    error_code: str
    rule: str
    system: bool
    step_index: int
    revision: int | None


class ReceiptView(TypedDict):
    step_index: int
    source: str
    name: str
    success: bool
    summary: str


class CallView(TypedDict):
    name: str
    arguments: Json


class AnswerView(TypedDict):
    """Holds the last question or card that the student answered in the goal, and how.

    `call` or `steps` is what a card asked consent to, `topic` what a question was about.
    """

    type: str
    subject: str
    action: str
    message: str
    option: str | None
    question: str
    topic: str
    call: CallView | None
    steps: list[PlanStepView]
    seen: bool
    results_at: int


class AcceptedRiskView(TypedDict):
    gap_sections: int
    unplaced_item_ids: list[int]
    at: str
    by: str


class CorrectionView(TypedDict):
    kind: str
    error: str


class PlaceView(TypedDict):
    """Holds a place by week and weekday, and by the day of the draft's window."""

    day: int
    week: int
    day_of_week: int
    section_from: int
    section_to: int
    embed_course_event_id: int | None


class ChangeView(TypedDict):
    """Tells what became of one item; no `before` when it had no place, no `after` when it has none."""

    op: str
    task_id: int
    task_item_id: int
    task_class_id: int
    name: str
    before: PlaceView | None
    after: PlaceView | None


class OutcomeView(TypedDict):
    status: str
    code: str
    user_message: str


class GoalView(TypedDict):
    """Tells what the goal changed so far, measured against its start; `left` are the names of items without a place,
    `number` which goal of the conversation it is."""

    number: int
    start_revision: int | None
    cost_before: CostTable | None
    cost_after: CostTable | None
    changes: list[ChangeView]
    left: list[str]
    outcome: OutcomeView | None


class WeekPlaceView(TypedDict):
    week: int
    day_of_week: int
    section_from: int
    section_to: int


class GoalChangeView(TypedDict):
    """Tells what the last goal that changed the draft made of it; item and places when it was one item. `told` is what
    the student heard of it."""

    kind: str
    item_id: int | None
    before: WeekPlaceView | None
    after: WeekPlaceView | None
    told: str


class LogChangeView(TypedDict):
    """Tells where an item was before a change of the draft, and after it; None is without a place. `goal` is the goal
    of the conversation that made it, 0 beside it; an item that is gone is known by class and name alone."""

    goal: int
    item_id: int
    class_id: int
    name: str
    before: PlaceView | None
    after: PlaceView | None


class PastValueView(TypedDict):
    """Holds a value that a goal wrote beside the draft, as it was and as it became; `stands`: whether it still is."""

    goal: int
    tool: str
    owner: int
    field: str
    before: Any
    after: Any
    stands: bool


class View(TypedDict):
    """Holds the whole picture for one call."""

    stage: str
    now: NowView
    locale: str
    dialogue: list[DialogueTurnView]
    request: str
    rest: str
    """What the message wants beside the request, which comes after it."""
    turns: list[GoalTurnView]
    message: str
    resumes: bool
    last_change: GoalChangeView | None
    draft_log: list[list[LogChangeView]]
    """The newest changes of the draft by the student or for the student, oldest first."""
    past_values: list[PastValueView]
    """What was written beside the draft, oldest first."""
    classes: list[ClassView]
    semester: SemesterView | None
    scope: list[int]
    scope_given: bool
    draft: DraftView | None
    mode: str
    active_optimize_only: bool
    needs_rough_build: bool
    already_built: list[int]
    rough_build: RoughBuildView | None
    verdict: Json | None
    shortage: list[str]
    plan: PlanView | None
    tools: list[str]
    last_results: list[ResultView]
    receipts: list[ReceiptView]
    interaction: AnswerView | None
    rejected: list[CallView]
    accepted_risk: AcceptedRiskView | None
    correction: CorrectionView | None
    notes: list[str]
    goal: GoalView
