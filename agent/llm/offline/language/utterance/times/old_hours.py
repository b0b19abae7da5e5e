"""A move that tells the hours which an item leaves in front of its new ones, in plain words: 行列式周四3-4节改7-8节,
move Determinants from thursday 3-4 to 7-8 -> the item on its day at the new hours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.spans.targets import PlaceTarget, place_of
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.utterance.phrase_signs import ITEM, NUMBERED, TIME, Signed, sign_phrases
from agent.loop.view_document import TaskView

_JOINTS = (
    re.compile(r"(?:就|都|给我|帮我)*(?:[改换挪移调变]动?)+(?:[到成为至在]|->|→)*|->|→"),
    re.compile(r"\s*(?:,? (?:moved |shifted |changed )?(?:in)?to |->|→)\s*"),
)
"""What stands between an old time and a new one."""
_HOURS = re.compile(r"\d\s*[-~到至节:点]|\bsections? \d")
_KINDS = ("sections", "clock")
_ONE = rf"(?P<one>{ITEM}|{NUMBERED})"
_OLD = (
    re.compile(
        rf"(?:请|帮我|我?想|把|将|从|原来)*(?:{_ONE})?(?:从|在|的|原来|原本|,)*(?P<old>{TIME}(?:的?{TIME})*)的?"
    ),
    re.compile(
        rf"(?:(?:please|can you|move|change|shift|put|push|reschedule|the|my) )*(?:{_ONE})?"
        rf"(?:,? ?\b(?:from|on|at|in)\b)* ?(?P<old>{TIME}(?:,? (?:(?:on|at|from) )*{TIME})*)"
    ),
)
_NEW = (
    re.compile(rf"(?P<new>{TIME}(?:的?{TIME})*)(?:去|[吧呢了上啊])*"),
    re.compile(rf"(?P<new>{TIME}(?:,? (?:(?:on|at) )*{TIME})*)(?: please| instead)*"),
)


def spell_old_hours(message: str, plan: SelectionPlan) -> str:
    """The message with an item, its day and its new hours, where it tells the old hours too; any other as it is."""
    text = fold_text(message).strip(" .。!！")
    zh = has_chinese(text)
    for joint in _JOINTS[not zh].finditer(text):
        head, tail = text[: joint.start()], text[joint.end() :]
        if not (_HOURS.search(head) and re.search(r"\d", tail)):
            continue
        if told := _tell_new(head, sign_phrases(tail if zh else _with_unit(tail), plan), plan, zh=zh):
            return told
    return message


def _with_unit(tail: str) -> str:
    return re.sub(r"^(?=\d{1,2} ?- ?\d)", "sections ", tail)


def _tell_new(head: str, tail: Signed, plan: SelectionPlan, *, zh: bool) -> str:
    """What a message wants whose one half tells the old place and the other the new one; empty for others."""
    before, found = sign_phrases(head, plan), _NEW[not zh].fullmatch(tail.text)
    said = _OLD[not zh].fullmatch(before.text)
    if not (found and said):
        return ""
    old, new = before.times_of(said["old"]), tail.times_of(found["new"])
    if any(one.side for one in new) or not (_tells_hours(old) and _tells_hours(new)):
        return ""
    left = place_of([replace(one, role="", side="") for one in old], plan.term)
    rows = before.items_of(said["one"], f"{ITEM}|{NUMBERED}") if said["one"] else _list_at(left, plan)
    slot = rows[0]["slot"] if len(rows) == 1 else None
    if slot is None or not replace(left, part=None).covers(slot):
        return ""
    when, there = tail.restore(found["new"]).strip(), place_of(new, plan.term)
    if not there.dated or (there.days == (slot["day_of_week"],) and there.week is None):
        day, hours = plan.term.day(slot["week"], slot["day_of_week"]), tail.restore(_hours_of(found["new"], tail))
        when = f"{day.month}月{day.day}日{hours.strip()}" if zh else f"{day.isoformat()} at {hours.strip()}"
    return f"把{rows[0]['name']}移到{when}" if zh else f"move {rows[0]['name']} to {when}"


def _tells_hours(times: Sequence[Time]) -> bool:
    return any(one.kind in _KINDS for one in times)


def _hours_of(words: str, signed: Signed) -> str:
    """The signs of the hours, and of the part of the day that a clock is of."""
    return "".join(one for one in words if any(time.kind in (*_KINDS, "part") for time in signed.times_of(one)))


def _list_at(left: PlaceTarget, plan: SelectionPlan) -> list[TaskView]:
    """The items that stand on a day at its sections."""
    return [
        row
        for row in plan.tasks
        if left.days and left.sections and (slot := row["slot"]) and left.covers(slot)
        and left.sections[0] == slot["slot_start"] and left.sections[1] in (None, slot["slot_end"])
    ]  # fmt: skip
