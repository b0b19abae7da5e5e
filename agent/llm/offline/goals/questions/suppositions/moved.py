"""Whether an item could stand at another time, supposed all else stays; told with its place, and offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from agent.llm.offline.goals.questions.reads import item_lines
from agent.llm.offline.goals.questions.suppositions.supposed import PLACES, Answer, look_up
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.conditions.suppositions import WEEK_BESIDE, Supposition, untimed
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.texts import dated_slot_text
from agent.loop.view_document import SlotView, TaskView

MOST_PLACES, MOST_OTHERS = 60, 3
TAKE_IT = ("要这样改，请说「就这样改」，会先出确认卡片。", 'To do it, say "do that"; a card comes first.')


def try_place(brief: Brief, supposed: Supposition) -> Answer:
    """Whether an item could stand at a time with everything else as it is, and where the others in question are."""
    row = items_in(untimed(supposed.said, brief), brief)[0]
    found, decision = look_up(brief, PLACES, {"for_task_id": row["state_id"], "limit": MOST_PLACES})
    if decision is not None:
        return decision
    places = [cast("SlotView", one) for one in (found or {}).get("slots", ())]
    fitting = _nearest_hours(_find_fitting(brief, supposed, row, places), row)
    if fitting:
        lines = [
            brief.say(
                "可以：{name} 可以放在{where}，别的都不用动。",
                "Yes: {name} could go to {where}; nothing else would move.",
                name=row["name"],
                where=dated_slot_text(brief, fitting[0]),
            ),
            brief.say(*TAKE_IT),
        ]
    else:
        lines = _tell_others(brief, row, places)
    others = [one for one in items_in(untimed(supposed.question, brief), brief) if one is not row]
    return "\n".join([*lines, *item_lines(brief, others)])


def _find_fitting(brief: Brief, supposed: Supposition, row: TaskView, places: Sequence[SlotView]) -> Sequence[SlotView]:
    """The places that are supposed: on a weekday alone those in the item's own week, else those of the next week with
    any."""
    wanted, slot = _wanted(brief, supposed, row), row["slot"]
    found = [one for one in places if wanted(one)]
    target = target_in(supposed.said, brief)
    if not slot or not target.days or target.week or target.run:
        return found
    weeks = sorted({one["week"] for one in found}, key=lambda week: (abs(week - slot["week"]), -week))
    return [one for one in found if weeks and one["week"] == weeks[0]]


def _wanted(brief: Brief, supposed: Supposition, row: TaskView) -> Callable[[SlotView], bool]:
    """What tells whether a place is one of those that are supposed: a time, or one beside that of the item."""
    slot, beside, shift = row["slot"], WEEK_BESIDE.search(supposed.said), shift_in(supposed.said)
    if slot and beside:
        week = slot["week"] + (-1 if beside["before"] else 1)
        return lambda one: one["week"] == week
    if slot and shift is not None and shift.days:
        day = brief.term.week_day(brief.day_of(slot))
        week, weekday = divmod(7 * (day[0] - 1) + day[1] - 1 + shift.days, 7)
        return lambda one: (one["week"], one["day_of_week"]) == (week + 1, weekday + 1)
    return target_in(supposed.said, brief).covers


def _nearest_hours(places: Sequence[SlotView], row: TaskView) -> list[SlotView]:
    """The places, those at the hour of the item first."""
    slot = row["slot"]
    if slot is None:
        return [*places]
    return sorted(places, key=lambda one: (abs(one["slot_start"] - slot["slot_start"]), abs(
        one["day_of_week"] - slot["day_of_week"])))  # fmt: skip


def _tell_others(brief: Brief, row: TaskView, places: Sequence[SlotView]) -> list[str]:
    """That there is no such place, and the next ones that there are."""
    told = brief.say(
        "别的都不动的话不行：那时候没有 {name} 可以用的位置。",
        "Not with all else as it is: {name} could have no place then.",
        name=row["name"],
    )
    near = brief.say("；", "; ").join(dated_slot_text(brief, one) for one in _near(row, places))
    return [told, *([brief.say("可以的有：{near}。", "It could go to: {near}.", near=near)] if near else [])]


def _near(row: TaskView, places: Sequence[SlotView]) -> list[SlotView]:
    """The places nearest to the item, one of each day."""
    days = {(one["week"], one["day_of_week"]): one for one in reversed(places)}
    slot = row["slot"]
    here = 7 * slot["week"] + slot["day_of_week"] if slot else 0
    near = sorted(days.values(), key=lambda one: abs(7 * one["week"] + one["day_of_week"] - here))[:MOST_OTHERS]
    return sorted(near, key=lambda one: (one["week"], one["day_of_week"]))
