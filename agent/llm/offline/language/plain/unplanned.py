"""Requests as they hold for items that no plan has."""

from __future__ import annotations

import re
from datetime import timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.planned_classes import find_waiting_classes
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.paraphrase import Paraphrase
from agent.llm.offline.language.spans.mentions import all_items, items_in

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
    waiting = [row["name"] for row in brief.classes if row["id"] in find_waiting_classes(brief)]
    if frame.form != "put_in_waiting" or frame.slots or not waiting or not all(row["slot"] for row in brief.tasks):
        return frame
    return frame_of("plan", {"class": tuple(waiting)})


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
