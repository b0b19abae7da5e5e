"""What the draft that waits would make of a day: the items that it puts there, and what it does to those that are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from typing import Any

from django.utils.translation import gettext

from agent.drafts.waiting import WaitingDraft
from schedules.planner.shapes import DifferenceRow, PlaceText
from schedules.presentation.shapes.week import Gap
from smartmate.pages.courses.words import day_words
from taskclasses.models import TaskClass

Row = dict[str, Any]
Times = tuple[time, time]


def drafted_on(draft: WaitingDraft | None, day: date, looks: Mapping[int, TaskClass]) -> list[Row]:
    """Returns the items that the draft puts on a day, in order of time."""
    if draft is None:
        return []
    rows = [(row, after) for row in draft.placed if (after := row["after"]) and after["date"] == day.isoformat()]
    found = [_row_of(row, after, looks, draft.conversation_id) for row, after in rows]
    return sorted(found, key=lambda row: str(row["from"]))


def _row_of(row: DifferenceRow, after: PlaceText, looks: Mapping[int, TaskClass], conversation_id: str) -> Row:
    return {
        **row,
        "kind": "draft",
        "mark": {"id": row["task_item_id"], "progress": "open", "begun": False, "conversation": conversation_id},
        "look": looks.get(row["task_class_id"]),
        "host": after["embed_course_event_id"],
        "sections": range(after["section_from"], after["section_to"] + 1),
        "week": after["week"],
        "from": after["start_time"],
        "to": after["end_time"],
    }


def leaving_on(draft: WaitingDraft | None, day: date) -> set[int]:
    """Returns the items that the draft takes away from a day."""
    rows = [] if draft is None else [*draft.difference["moved"], *draft.difference["removed"]]
    gone = {row["task_item_id"] for row in rows if row["before"] and row["before"]["date"] == day.isoformat()}
    return gone - {row["task_item_id"] for row in rows if row["after"] and row["after"]["date"] == day.isoformat()}


def draft_words(draft: WaitingDraft | None, day: date) -> dict[int, Row]:
    """Returns item -> what the draft does to it where it stands on the timetable that day, and the week where it stands
    in the draft."""
    if draft is None:
        return {}
    found: dict[int, Row] = {}
    for row in [*draft.difference["moved"], *draft.difference["removed"]]:
        if row["before"] and row["before"]["date"] == day.isoformat():
            found[row["task_item_id"]] = {
                "words": _words_of(row["after"], day),
                "week": row["after"]["week"] if row["after"] else None,
                "conversation": draft.conversation_id,
            }
    return found


def _words_of(after: PlaceText | None, day: date) -> str:
    if after is None:
        return gettext("草稿里移出课表")
    on = date.fromisoformat(after["date"])
    when = after["start_time"] if on == day else f"{day_words(on)} {after['start_time']}"
    return gettext("草稿里移到 {when}").format(when=when)


def gaps_beside(gaps: Iterable[Gap], drafted: Iterable[Row], times: Sequence[Times]) -> list[Gap]:
    """Returns what stays free of the gaps of a day beside what the draft puts there."""
    taken = {section for row in drafted for section in row["sections"]}
    return [left for gap in gaps for left in _left_of(gap, taken, times)]


def _left_of(gap: Gap, taken: set[int], times: Sequence[Times]) -> list[Gap]:
    sections = range(gap["section_from"], gap["section_to"] + 1)
    if taken.isdisjoint(sections):
        return [gap]
    runs: list[list[int]] = []
    for section in sections:
        if section in taken:
            continue
        if runs and runs[-1][-1] == section - 1:
            runs[-1].append(section)
        else:
            runs.append([section])
    return [
        {
            "section_from": run[0],
            "section_to": run[-1],
            "sections": len(run),
            "start_time": f"{times[run[0] - 1][0]:%H:%M}",
            "end_time": f"{times[run[-1] - 1][1]:%H:%M}",
        }
        for run in runs
    ]


def with_drafted(rows: Sequence[Row], drafted: Sequence[Row], words: Mapping[int, Row], clock: str) -> list[Row]:
    """Returns the lines of a day with what the draft puts there, in the lesson that takes it or in a line of its own;
    what stands there says what the draft does to it."""
    for row in rows:
        if row["kind"] == "lesson":
            row["drafted"] = [one for one in drafted if one["host"] == row["id"]]
        if row.get("mark") and (told := words.get(row["mark"]["id"])):
            row["draft_says"] = told["words"]
            row["mark"] |= {"week": told["week"], "conversation": told["conversation"]}
    hosts = {row["id"] for row in rows if row["kind"] == "lesson"}
    return [*rows, *({**one, "past": one["to"] <= clock} for one in drafted if one["host"] not in hosts)]
