"""The view of a model call, read through names. Nothing here decides anything."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn, cast

from agent.llm.offline.language.dialogue.offers import take_offer
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.remember import (
    FINDINGS,
    Found,
    GoesByMoreError,
    find_apart,
    keep_plan,
    list_sources,
    list_sources_of_part,
    list_sources_of_plan,
)
from agent.llm.offline.language.slips import correct_spelling, drop_slips, join_topic
from agent.llm.offline.language.spans.classes.written_class import (
    name_each_class,
    spell_listed_classes,
    spell_of_written,
)
from agent.llm.offline.language.spans.conditions.led_periods import join_led_periods
from agent.llm.offline.language.spans.items.nth_items import spell_nth_items
from agent.llm.offline.language.spans.items.selections import SelectionPlan, spell_out_selections
from agent.llm.offline.language.spans.mentions import classes_in
from agent.llm.offline.language.spans.times.neighbours import (
    spell_out_bounds,
    spell_out_days_of_plan,
    spell_out_neighbours,
    spell_out_same_hours,
)
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.llm.offline.language.spans.times.spelling import find_own_words, spell_out_times
from agent.llm.offline.language.spans.times.stretches import spell_stretch
from agent.llm.offline.language.utterance.page_words import read_page_words, unwrap_request
from agent.loop.nodes.enter import READING
from agent.loop.phrases import language_of_message
from agent.loop.view_document import (
    AnswerView,
    AskedView,
    ChangeView,
    ClassItemView,
    ClassView,
    CorrectionView,
    DialogueTurnView,
    DraftView,
    GoalTurnView,
    NowView,
    PlaceView,
    ReceiptView,
    ResultView,
    RoughBuildView,
    SlotView,
    TaskView,
    View,
    WishView,
)
from taskclasses.kernel.i18n import agree

if TYPE_CHECKING:
    from agent.llm.offline.language.paraphrase.frames import Frame

Json = Mapping[str, Any]
"""What a tool returned."""
OUTSIDE = "outside_class_window"
"""The rule that an item breaks outside the dates of its class."""
NO_SUCH_TIME, PLACES = "no_such_time", "places"
"""The question for a time in the place of one that no calendar has."""
READ_CHARS = 4_000
"""What is read of one message with all that it points to written out: a bound on the time spent on it."""


def slot_of(place: PlaceView | None) -> SlotView | None:
    """A place as the draft tells it."""
    return place and {
        "day": place["day"], "week": place["week"], "day_of_week": place["day_of_week"],
        "slot_start": place["section_from"], "slot_end": place["section_to"], "host_event_id": None,
    }  # fmt: skip


@lru_cache(maxsize=4096)
def _spell_out(said: str, classes: tuple[str, ...], names: tuple[str, ...], today: str) -> str:
    """What was said, its slips mended and its times in full: the same turns are read again with each view."""
    # Runs of spaces tell nothing, and cost a pattern with two of them the square of their length.
    plain = read_page_words(re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", said)), names)
    whole = join_topic(drop_slips(correct_spelling(unwrap_request(plain), names)), classes)
    day = date.fromisoformat(today)
    timed = spell_out_same_hours(spell_out_times(whole, names, day), day)
    told = spell_stretch(spell_out_bounds(spell_out_neighbours(timed, day), day), (*classes, *names))
    return join_led_periods(_name_all_of_class(told, classes))


_THEN = (
    r"(?= (?:in|on|from|between|before|after|until|till|up to|as of|starting|beginning|during|through|for|the week|the"
    r" (?:first|second|last)|next|this)\b)"
)
"""Before the period in which items are."""
_NOT_PLANNED = "".join(f"(?<!\\b{verb} )" for verb in ("do", "plan", "finish", "schedule", "fit", "study", "have"))
"""Not behind what is to be done with all of it then."""


def _name_all_of_class(text: str, classes: tuple[str, ...]) -> str:
    """The text with what there is of a class in some period as its items: everything of Probability in week 4."""
    names = "|".join(re.escape(name) for name in classes if name.isascii())
    if not names:
        return text
    form = rf"{_NOT_PLANNED}\b(?:everything|anything|all) (?:of|from|in) ({names}){_THEN}"
    return re.sub(form, r"all \1 items", text, flags=re.I)


_KEPT_FREE = {
    "excluded_days_of_week": "excluded_days", "excluded_slots": "excluded_blocks", "excluded_cells": "excluded_cells",
}  # fmt: skip
"""What tells of the times that a class keeps free, by the names of its fields."""


def _put_back(row: ClassView, results: Sequence[ResultView]) -> ClassView:
    """A class with the items that these results have removed from it, or given other names, and the times of every week
    that it kept free before them."""
    told = [one["data"] or {} for one in results if one["tool"] == "upsert_task_class" and one["status"] == "done"]
    fields = [
        one for data in told if data.get("task_class_id") == row["id"] for one in data.get("confirm_fields") or ()
    ]
    free = {_KEPT_FREE[one["field"]]: one["before"] or [] for one in reversed(fields) if one["field"] in _KEPT_FREE}
    if cells := free.get("excluded_cells"):
        free["excluded_cells"] = [[one["day_of_week"], one["block"]] for one in cells]
    row = cast(ClassView, {**row, **free})
    changed = [(one["number"], one["before"], one["after"] or {}) for one in fields if one["field"] == "items"]
    lost = [(at, old["content"], new.get("content")) for at, old, new in changed if old]
    lost = [(at, old, new) for at, old, new in lost if old != new]
    kept = [item for item in row["items"] if item["content"] not in [new for _, _, new in lost]]
    back = [ClassItemView(id=-at, order=at, content=old) for at, old, _ in lost]
    return {**row, "items": sorted([*kept, *back], key=lambda item: item["order"])} if lost else row


@dataclass(frozen=True)
class Brief:
    """What the offline policy knows. `say(zh, en)` speaks the language of the goal's request."""

    view: View
    whole: Brief | None = None
    """The brief of the whole goal when this one is about a part of its request."""
    completed: str = ""
    """The whole request that the goal's first words make together with what was said before them."""
    unlisted: tuple[str, ...] | None = None
    """The names of the list that was told last, where the message points to an item that it does not have."""
    found_day: str = ""
    """What was found of the day that the request describes by how full it is."""
    written: tuple[tuple[str, str], ...] = ()
    """The plain words of the requests, and the student's own for each."""
    likely: tuple[str, ...] = ()
    """What a request may mean of which the models are not sure, in plain words, the likeliest first."""
    heard_not: tuple[str, ...] = ()
    """The times that the models heard to be left free by a plan, whether or not the request is read by them."""
    readings: tuple[str, ...] = ()
    """The whole requests among which it is to be chosen, where the words point to one of several that were told."""
    unknown_class: str = ""
    """What the request calls a class that is to change, where there is none of that name."""
    frames: Mapping[str, tuple[Frame, ...]] = field(default_factory=dict)
    """How the models read each message of the student after the one before it, where they are sure."""
    spoken: Mapping[str, str] = field(default_factory=dict)
    """The student's own words for messages in plain words."""
    anew: frozenset[str] = frozenset()
    """The messages that are the request before them again, with other things."""
    before: str = ""
    """Of a part of a request: the part in front of it, where its words point there."""

    @cached_property
    def found(self) -> Found:
        """What was read of messages with this brief, or with one that tells reading the same."""
        told = (self.completed, self.unlisted, self.found_day, self.written, self.before)
        if self.whole is not None:
            return find_apart(self.whole.found, (list_sources_of_part(self.view), told))
        models = (self.likely, self.heard_not, self.unknown_class, *self.spoken.items(), *self.frames.items())
        return find_apart(FINDINGS.find(list_sources(self.view)), (told, models))

    @cached_property
    def of_plan(self) -> Brief:
        """The brief of classes, draft and time alone, as they are and as they were when the goal began."""
        whole = self.whole
        same = whole is not None and all(self.view[key] is whole.view[key] for key in ("classes", "draft", "goal"))
        return whole.of_plan if whole is not None and same else PlanBrief(self)

    @property
    def found_of_plan(self) -> Found:
        """What was read of messages that goes by nothing else which was said."""
        return self.of_plan.found_of_plan

    @cached_property
    def turns(self) -> list[str]:
        """What the student said in this goal, oldest first; never empty."""
        first = [self.completed] if self.completed else []
        said = [self._meant(turn) for turn in self.view["turns"]]
        return self._with_possible_times([*first, *said[len(first) :]]) or [self.request]

    @cached_property
    def request(self) -> str:
        later = [self._meant(turn) for turn in self.view["turns"][1:]]
        return self._with_possible_times([self.completed or self.read_words(self.view["request"]), *later])[0]

    def _with_possible_times(self, turns: list[str]) -> list[str]:
        """The turns with a time that the student was asked for in the place of the impossible one."""
        for said in (row["about"]["said"] for row in self.asked if row["topic"] == NO_SUCH_TIME):
            for turn, answer in pairwise(turns):
                times = read_times(answer, self.term)
                if said in fold_text(turn) and times and not any(time.impossible for time in times):
                    at = turns.index(turn)
                    turns = [*turns[:at], fold_text(turn).replace(said, answer), *turns[at + 2 :]]
                    break
        return self._with_refused_times(turns)

    def _with_refused_times(self, turns: list[str]) -> list[str]:
        """The turns with the times that the student refuses among the places that were offered, in the request itself:
        that is narrowed by them, and says nothing of other items."""
        if len(turns) < 2 or not any(row["topic"] == PLACES for row in self.asked):
            return turns
        request, answer, *rest = turns
        whole = f"{request}{', ' if request.isascii() else '，'}{answer}"
        times = [one for one in read_times(whole, self.term) if one.start > len(request)]
        names = [name for name in self.names if fold_text(name) in fold_text(answer)]
        refused = times and all(one.role == "avoided" for one in times) and not names
        return self._with_refused_times([whole, *rest]) if refused else turns

    @cached_property
    def message(self) -> str:
        turns = self.view["turns"]
        chosen = bool(turns) and (turns[-1]["option"] is not None or (len(turns) == 1 and self.completed != ""))
        return self.turns[-1] if chosen else self.read_words(self.view["message"]) or self.turns[-1]

    @property
    def last_said(self) -> str:
        """The last message of the student as it stands in the dialogue."""
        said = (turn["text"] for turn in reversed(self.view["dialogue"]) if turn["role"] == "user")
        return next(said, self.view["turns"][-1]["text"])

    def _meant(self, turn: GoalTurnView) -> str:
        """The student's words: an option by its id, a reading by its words."""
        named = turn["option"] is None or turn["option"].startswith(READING)
        return self.read_words(turn["text"]) if named else str(turn["option"])

    def read_words(self, said: str) -> str:
        known: dict[str, str] = self.found.setdefault("reads", {})
        if said not in known:
            classes = tuple(row["name"] for row in self.classes)
            before = self._answer_before(said)
            whole = spell_listed_classes(take_offer(said, before), before, classes)
            former = (one["content"] for row in self.before_goal.classes for one in row["items"] if one["id"] < 0)
            names = tuple(dict.fromkeys((*self.names, *former)))  # what has another name now is no misspelt one
            timed = _spell_out(whole[:READ_CHARS], classes, names, self.view["now"]["date"])
            slots = [slot for row in self.selection_plan.tasks if (slot := row["slot"])]
            days = [self.day_of(slot) for slot in slots]
            timed = spell_of_written(timed, before, self.classes)
            timed = spell_out_days_of_plan(name_each_class(self.name_nth(timed), self.classes), days)
            known[said] = spell_out_selections(timed, self.selection_plan)
            self.found.setdefault("described", set()).update([said] if known[said] != timed else [])
            self.found.setdefault("plain", {}).setdefault(known[said], timed)
        return known[said]

    def name_nth(self, message: str) -> str:
        """A message with the items that it counts within their class by their names, as they were before the goal."""
        return spell_nth_items(message, self.before_goal.classes, self.selection_plan.tasks, self._spoken)

    def _answer_before(self, said: str) -> DialogueTurnView | None:
        """What was answered right before the student said this last."""
        turns = self.view["dialogue"]
        at = max((at for at, turn in enumerate(turns) if (turn["role"], turn["text"]) == ("user", said)), default=0)
        return turns[at - 1] if at else None

    def plain(self, message: str) -> str:
        """A message as it was before the items that it describes were spelled out."""
        whole = self.whole or self
        known: dict[str, str] = whole.found.get("plain", {})
        return known.get(message, message)

    @cached_property
    def describes_items(self) -> bool:
        """Whether the request tells its items by a description, so that none of them is named alone."""
        said = (self.whole or self).view["request"]
        brief = self.whole or self
        return bool(brief.read_words(said)) and said in brief.found.get("described", ())

    @cached_property
    def selection_plan(self) -> SelectionPlan:
        """What descriptions of items are about: the plan as it was when the goal began."""
        now = self.view["now"]
        moment = (now["week"], now["day_of_week"], now["section"])
        window = self.draft["window"] if self.draft else None
        last = (
            (window["first"]["day_of_week"] + window["total_days"] - 2) // 7 + window["first"]["week"] if window else 99
        )
        return SelectionPlan(self.tasks_before, self.classes, moment, self._spoken, self.term, last)

    @cached_property
    def tasks_before(self) -> list[TaskView]:
        """The items as they were when the goal began."""
        before = {row["task_item_id"]: row["before"] for row in self.changes}
        rows: list[TaskView] = [
            {**row, "slot": slot_of(before[row["item_id"]])} if row["item_id"] in before else row for row in self.tasks
        ]
        planned = [
            row for row in (self.whole or self).results if row["tool"] == "smart_planning" and row["status"] == "done"
        ]
        made = {one for row in planned for one in row["arguments"].get("task_class_ids") or ()}
        if (self.whole or self).view["needs_rough_build"]:
            made |= {row["class_id"] for row in rows} - {*self.view["already_built"]}
        # Of a class that this goal plans and of which nothing stood before, no item was in the draft.
        new = made - {row["class_id"] for row in rows if row["slot"]}
        return [row for row in rows if row["class_id"] not in new]

    @property
    def before_goal(self) -> Brief:
        """The brief with the draft as it was when the goal began: words mean what they meant before they were done."""
        draft, classes = self.draft, [_put_back(row, self.results) for row in self.classes]
        view: View = {**self.view, "classes": classes, "draft": draft and {**draft, "tasks": self.tasks_before}}
        return replace(self, view=view) if self.changes or classes != self.classes else self

    @property
    def before_added(self) -> Brief:
        """The brief without the contents that this goal has added to classes: the request that names them is read as it
        was when they were new."""
        written = [one["data"] or {} for one in self.results if one["tool"] == "upsert_task_class"]
        fields = [one for data in written for one in data.get("confirm_fields") or ()]
        added = {(one["after"] or {}).get("content") for one in fields if one["field"] == "items" and not one["before"]}
        classes = [
            {**row, "items": [item for item in row["items"] if item["content"] not in added]} for row in self.classes
        ]
        tasks = [row for row in self.tasks if row["name"] not in added]
        draft = self.draft and {**self.draft, "tasks": tasks}
        return replace(self, view=cast(View, {**self.view, "classes": classes, "draft": draft})) if added else self

    @cached_property
    def placed_before(self) -> set[int]:
        """The ids of the items that had a place when the goal began: what it did itself changes nothing of what its
        words mean."""
        return {row["state_id"] for row in self.tasks_before if row["slot"]}

    def _spoken(self) -> list[int]:
        """The classes that the student named last before this goal, or whose items were."""
        for turn in reversed(self.view["dialogue"][: max(0, self._begin)]):
            ids = {row["class_id"] for row in self.tasks if row["item_id"] in turn["item_ids"]}
            if found := classes_in(turn["text"], self.classes) if turn["role"] == "user" else sorted(ids):
                return found
        return []

    def quote(self, said: str) -> str:
        """A piece of the request in the student's own words."""
        for plain, own in (self.whole or self).written:
            if fold_text(said) in fold_text(plain) and fold_text(said) not in fold_text(own):
                return own
        today = date.fromisoformat(self.view["now"]["date"])
        return find_own_words(said, (self.whole or self).view["request"], self.names, today)

    @property
    def own_words(self) -> str:
        """The request as the student wrote it."""
        brief = self.whole or self
        return brief.say("，", ", ").join(own for _, own in brief.written) or brief.view["request"]

    @cached_property
    def names(self) -> list[str]:
        """The names the student gave: of classes and of their items."""
        return [row["name"] for row in self.classes] + [row["name"] for row in self.tasks]

    @cached_property
    def term(self) -> SemesterDates:
        return SemesterDates.of(self.view)

    @cached_property
    def language(self) -> str:
        if self.whole is not None:
            return self.whole.language
        default = "en" if self.view["locale"].startswith("en") else "zh"
        return language_of_message(self.turns[0], default)

    @cached_property
    def asked(self) -> list[AskedView]:
        """What the student was asked in this goal, oldest first."""
        if self.whole is not None:
            return self.whole.asked
        said = self.view["dialogue"][self._begin + 1 :]
        return [turn["asks"] for turn in said if turn["asks"]]

    @cached_property
    def earlier(self) -> list[DialogueTurnView]:
        """What was said before this goal, oldest first."""
        if self.whole is not None:
            front = DialogueTurnView(role="user", text=self.before, asks=None, item_ids=[], wrote=[])
            return [*self.whole.earlier, *([front] if self.before else [])]
        said = self.view["dialogue"][: max(0, self._begin)]
        return [{**turn, "text": self.read_words(turn["text"])} if turn["role"] == "user" else turn for turn in said]

    @cached_property
    def _begin(self) -> int:
        """Where the goal's request stands in the dialogue, -1 when it is not there any more."""
        said = ("user", self.view["request"])
        turns = [(turn["role"], turn["text"]) for turn in self.view["dialogue"]]
        return max((at for at, turn in enumerate(turns) if turn == said), default=-1)

    def part(self, turns: list[str], results: list[ResultView], before: str = "") -> Brief:
        """The same goal with these turns and results alone; `before`: what was said in front of them."""
        via = dict(zip(self.turns[1:], (turn["via"] for turn in self.view["turns"][1:]), strict=False))
        view: View = {
            **self.view,
            "request": turns[0],
            "message": turns[-1],
            "turns": [{"text": turn, "via": via.get(turn, "message"), "option": None} for turn in turns],
            "last_results": results,
        }
        return Brief(view, self.whole or self, before=before or self.before)

    def say(self, zh: str, en: str, **values: Any) -> str:
        sentence = agree(en, values) if self.language == "en" else zh
        return sentence.format(**values) if values else sentence

    @property
    def now(self) -> NowView:
        return self.view["now"]

    @property
    def classes(self) -> list[ClassView]:
        return self.view["classes"]

    @property
    def scope(self) -> list[int]:
        return self.view["scope"]

    def meant(self, ids: list[int]) -> list[int]:
        """The classes a plan will be for when these are named: beside those that the request gives."""
        if ids and self.view["scope_given"]:
            return sorted({*self.scope, *ids})
        return ids or self.scope

    def class_of(self, class_id: int | None) -> ClassView | None:
        return next((row for row in self.classes if row["id"] == class_id), None)

    def name_of(self, class_id: int | None) -> str:
        row = self.class_of(class_id)
        return row["name"] if row else ""

    @property
    def class_ids(self) -> list[int]:
        return [row["id"] for row in self.classes]

    def names_of(self, class_ids: list[int]) -> str:
        names = [row["name"] for row in self.classes if row["id"] in class_ids]
        return "、".join(f"「{name}」" for name in names) if self.language == "zh" else ", ".join(names)

    @property
    def draft(self) -> DraftView | None:
        return self.view["draft"]

    @property
    def tasks(self) -> list[TaskView]:
        return self.draft["tasks"] if self.draft else []

    @property
    def under_exams(self) -> list[tuple[TaskView, str]]:
        """The items ahead that an exam lies over, with its name."""
        rows = {row["item_id"]: row for row in self.tasks}
        return [(rows[one["item_id"]], one["exam"]) for one in (self.draft["under_exams"] if self.draft else [])]

    @property
    def misfits(self) -> list[tuple[TaskView, list[str]]]:
        """The items ahead that stand against what their class says by now, but for those that only stand late, with the
        rules."""
        rows = {row["item_id"]: row for row in self.tasks}
        late = {row["item_id"] for row in self.late}
        found = [(rows[one["item_id"]], one["rules"]) for one in (self.draft["misfits"] if self.draft else [])]
        told = ((row, [one for one in rules if one != OUTSIDE or row["item_id"] not in late]) for row, rules in found)
        return [(row, rules) for row, rules in told if rules]

    @property
    def late(self) -> list[TaskView]:
        """The items that stand after the last day of their class."""

        def ends(row: TaskView) -> str:
            owner = self.class_of(row["class_id"])
            return owner["end_date"] if owner else ""

        def stands(slot: SlotView | None) -> str:
            return self.day_of(slot).isoformat() if slot else ""

        return [row for row in self.tasks if ends(row) and stands(row["slot"]) > ends(row)]

    def day_of(self, place: SlotView | PlaceView | Json) -> date:
        """The date of a place."""
        return self.term.day(place["week"], place["day_of_week"])

    def task(self, state_id: int | None) -> TaskView | None:
        return next((row for row in self.tasks if row["state_id"] == state_id), None)

    def is_ahead(self, row: TaskView) -> bool:
        """Whether an item has a time, and that has not begun."""
        now, slot = (self.now["week"], self.now["day_of_week"], self.now["section"]), row["slot"]
        return slot is not None and (slot["week"], slot["day_of_week"], slot["slot_start"]) > now

    @cached_property
    def tasks_done(self) -> list[TaskView]:
        """The items of planned classes that are done and gave their place back: they are in the draft no more."""
        held = {row["item_id"] for row in self.tasks}
        planned = {row["class_id"] for row in self.tasks}
        return [
            TaskView(
                state_id=0, item_id=item["id"], name=item["content"], class_id=row["id"], order=item["order"],
                status="existing", slot=None, duration=row["sections"] // max(1, row["item_count"]), mark="done",
            )
            for row in self.classes if row["id"] in planned
            for item in row["items"] if item["id"] not in held
        ]  # fmt: skip

    @property
    def wishes(self) -> list[WishView]:
        """The wishes that the draft heeds; none are known without a draft."""
        return self.draft["wishes"] if self.draft else []

    @property
    def verdict(self) -> Json | None:
        """The diagnosis of the draft as it is now, None when there is none or it is stale."""
        verdict = self.view["verdict"]
        return verdict if verdict and not verdict["stale"] else None

    @property
    def tools(self) -> list[str]:
        return self.view["tools"]

    @property
    def results(self) -> list[ResultView]:
        return self.view["last_results"]

    def done(self, *tools: str) -> list[ResultView]:
        """Answers what these tools have done in this goal."""
        return [row for row in self.results if row["tool"] in tools and row["status"] == "done"]

    @property
    def changes(self) -> list[ChangeView]:
        """What the goal changed so far."""
        return self.view["goal"]["changes"]

    @property
    def interaction(self) -> AnswerView | None:
        return self.view["interaction"]

    def last_answer(self, subject: str, action: str) -> AnswerView | None:
        """The last answer of the student, when it is this one to a thing of this kind."""
        last = self.interaction
        return last if last and (last["subject"], last["action"]) == (subject, action) else None

    @property
    def rough_build(self) -> RoughBuildView | None:
        return self.view["rough_build"]

    @property
    def steps_left(self) -> int:
        """Plan steps after the current one."""
        plan = self.view["plan"]
        return max(0, len(plan["steps"]) - 1 - plan["current"]) if plan else 0

    @property
    def proofs(self) -> list[ReceiptView]:
        """Successful receipts of the current step: without one the loop accepts no end of it."""
        plan = self.view["plan"]
        current = plan["current"] if plan else 0
        return [row for row in self.view["receipts"] if row["step_index"] == current and row["success"]]

    @property
    def correction(self) -> CorrectionView | None:
        return self.view["correction"]

    def noted(self, code: str) -> bool:
        return code in self.view["notes"]


class PlanBrief(Brief):
    """What the offline policy knows of classes, draft and time; who reads anything else of it raises
    `GoesByMoreError`."""

    def __init__(self, brief: Brief) -> None:
        view, before = keep_plan(brief.view), brief.tasks_before
        found = FINDINGS.find(list_sources_of_plan(view, before))
        self.__dict__.update(view=view, whole=None, of_plan=self, tasks_before=before, _found=found)

    @property
    def found_of_plan(self) -> Found:
        found: Found = self.__dict__["_found"]
        return found


def _refuse(brief: PlanBrief) -> NoReturn:
    raise GoesByMoreError


for _more in {one.name for one in fields(Brief)} - {"view", "whole"}:
    setattr(PlanBrief, _more, property(_refuse))


def read_again(brief: Brief, view: View) -> Brief:
    """The brief of a later view that tells reading the same."""
    read: View = brief.view
    words = {key: read[key] for key in ("dialogue", "request", "turns", "message")}
    return replace(brief, view=cast(View, {**view, **words}))
