"""Requests as they hold for items that no plan has."""

from __future__ import annotations

import re
from datetime import timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.planned_classes import find_waiting_classes
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.paraphrase import Paraphrase
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.spelling import names_holiday

_FROM_CLASS = re.compile(
    r"从(?:任务类|课程?(?!表)|类|清单|列表)[里中]?"
    r"|\b(?:from|off|out of) (?:the|my|its) (?:class|course|list|syllabus)\b"
)
_ONLY_PLAN = re.compile(
    r"移出|草稿|计划|课表|\b(?:from|out of|off) (?:the |my )?(?:plan|draft|schedule|timetable|calendar|week)\b"
    r"|\bfor now\b"
)


def settle_unplanned(said: Paraphrase, message: str, brief: Brief) -> Paraphrase:
    """Requests as they hold for items that no plan has: to be taken out they are removed from their class, which is all
    that they stand in; beside a planned item they are put on its day or the one next to it; what has no place are the
    classes without a plan where all that is planned has one."""
    settled = (_of_classes(frame, brief) for frame in said.frames)
    frames = tuple(_beside_planned(_gone(frame, fold_text(message), brief), brief) for frame in settled)
    if frames == said.frames:
        return said
    language = "zh" if has_chinese(message) else "en"
    told = tuple(
        new.say(language) if new != frame else plain
        for new, frame, plain in zip(frames, said.frames, said.said, strict=True)
    )
    return Paraphrase(told, said.own, frames, by_spans=True)


_NOT_YET = re.compile(
    r"[没未](?:有|给我)*(?:安?排|影|着落|动(?!静)|弄|搞|放|加)|[没未]有?(?:在|进)?(?:计划|课表|日程)"
    r"|(?:\bnot\b|n'?t\b)[^,.;]*\b(?:plan(?:ned)?|schedul\w*|placed|in there|got|on there|calendar|timetable)\b"
    r"|\b(?:still |is |are )*(?:missing|unplanned|unscheduled)\b"
)
"""That something has no place yet."""
_PUTS = re.compile(
    r"^(?:(?:那|就|都|直接|帮我|给我)*(?:塞|放|排|安排|弄)(?:到|在|进)?(?=[上下早晚周星礼这月第\d]))"
    r"|^(?:(?:so|just|please|pls|maybe|can (?:you|u|we)|could (?:you|u|we)) )*"
    r"(?:stick|put|place|shove|chuck|squeeze|pop|slot|throw|get|fit|plan|schedule)"
    r" (?:it|them|that|those|these)(?: in)? ",
    re.IGNORECASE,
)
"""That it is to be put somewhere, in front of the time."""


def plan_what_is_told(message: str, brief: Brief) -> str:
    """A message that tells first that classes are not planned, and then when they are to be: as the plan of them."""
    told, *others = [one for one in re.split(r"[,，。;；!！?？]+\s*", message) if one.strip()] or [""]
    ids = find_classes(told, brief) if others and _NOT_YET.search(fold_text(told)) else []
    rest = message[message.find(others[0], len(told)) :] if others else ""
    planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
    if not ids or planned & {*ids} or len(ids) == len(brief.classes) or find_mentioned(message, brief):
        return message
    if (
        not (read_times(rest, brief.term) or names_holiday(rest))
        or classes_in(rest, brief.classes)
        or asks_whether(rest)
    ):
        return message
    zh = has_chinese(message)
    names = ("和" if zh else " and ").join(row["name"] for row in brief.classes if row["id"] in ids)
    when = _PUTS.sub("放" if zh else "", rest)
    return f"排{names}，{when}" if zh else f"plan {names}, {when}"


_DAYS_ON = {"move_day_after": 1, "move_day_before": -1, "move_same_day": 0}
"""How many days behind another item an item is to stand, by the forms that tell it."""


def _beside_planned(frame: Frame, brief: Brief) -> Frame:
    if frame.form not in _DAYS_ON or not frame.slots.get("items") or not frame.slots.get("item"):
        return frame
    movers = items_in(", ".join(frame.slots["items"]), brief, among=all_items(brief))
    anchors = [slot for row in items_in(frame.slots["item"][0], brief) if (slot := row["slot"])]
    drafted = {row["item_id"] for row in brief.tasks}
    if len(movers) != 1 or movers[0]["item_id"] in drafted or len(anchors) != 1:
        return frame
    day = brief.term.day(anchors[0]["week"], anchors[0]["day_of_week"]) + timedelta(days=_DAYS_ON[frame.form])
    return frame_of("put_in_on", {"items": (movers[0]["name"],), "time": (day.isoformat(),)})


def _of_classes(frame: Frame, brief: Brief) -> Frame:
    if frame.form in ("move_to", "put_in_on"):
        return _of_whole_class(frame, brief)
    waiting = [row["name"] for row in brief.classes if row["id"] in find_waiting_classes(brief)]
    if frame.form != "put_in_waiting" or frame.slots or not waiting or not all(row["slot"] for row in brief.tasks):
        return frame
    return frame_of("plan", {"class": tuple(waiting)})


def _of_whole_class(frame: Frame, brief: Brief) -> Frame:
    """The times of the week that a class is to keep to, where it is named by the kind of all its items: the labs."""
    said, times = frame.slots.get("items", ()), read_times(", ".join(frame.slots.get("time", ())), brief.term)
    ids = find_classes(said[0], brief) if len(said) == 1 else []
    owner = brief.class_of(ids[0]) if len(ids) == 1 else None
    if owner and items_in(said[0], brief, among=list(all_items(brief))):
        return frame
    placed = owner is None or any(row["class_id"] == owner["id"] and row["slot"] for row in brief.tasks_before)
    if owner is None or placed or find_mentioned(said[0], brief) or {one.kind for one in times} - {"weekday", "part"}:
        return frame
    return frame_of("only_on_of", {"class": (owner["name"],), "time": frame.slots["time"]}) if times else frame


def _gone(frame: Frame, text: str, brief: Brief) -> Frame:
    if frame.form != "take_out" or "items" not in frame.filled:
        return frame
    of_class = _FROM_CLASS.search(text) is not None
    planned = {row["class_id"] for row in brief.tasks_before}
    rows = items_in(", ".join(frame.slots["items"]), brief, among=all_items(brief))
    unplanned = bool(rows) and all(row["class_id"] not in planned for row in rows)
    if not of_class and (not unplanned or _ONLY_PLAN.search(text)):
        return frame
    return frame_of("remove", {"items": frame.slots["items"]})
