"""What answers to suppositions share: look-ups, the items ahead, the classes and the days that are meant."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from agent.llm.offline.goals.decisions import Decision, call
from agent.llm.offline.goals.questions.query import find_owners
from agent.llm.offline.goals.questions.reads import rows_in_time
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.paraphrase.names import find_shortened
from agent.llm.offline.language.spans.mentions import classes_in
from agent.llm.offline.language.spans.times.piece_readers import next_of_number
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import dated_text
from agent.loop.view_document import ClassView, TaskView

PLACES, TIMETABLE = "query_available_slots", "query_timetable"
Answer = str | Decision


def look_up(brief: Brief, tool: str, arguments: dict[str, Any]) -> tuple[Json | None, Decision | None]:
    """What a tool found, None where it failed; or the call that is still to be made."""
    done = next((row for row in brief.results if row["tool"] == tool and _same(row["arguments"], arguments)), None)
    if done is None:
        return None, call(brief, tool, arguments)
    return (done["data"] if done["status"] == "done" else None), None


def _same(given: Any, wanted: dict[str, Any]) -> bool:
    return all(given.get(key) == value for key, value in wanted.items())


def dated_day(brief: Brief, day: date) -> str:
    return dated_text(brief, *brief.term.week_day(day))


def items_ahead(brief: Brief, ids: Sequence[int] = ()) -> list[TaskView]:
    """The items that are still to be studied, those without a place too."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    return [
        row for row in rows_in_time(brief.tasks)
        if (not ids or row["class_id"] in ids) and row["mark"] != "done"
        and (not (s := row["slot"]) or (s["week"], s["day_of_week"], s["slot_start"]) > now)
    ]  # fmt: skip


def last_day_of(brief: Brief, ids: Sequence[int] = ()) -> date:
    """The last day of the classes that are meant, of the term where none is known."""
    ends = [date.fromisoformat(row["end_date"]) for row in brief.classes
            if row["end_date"] and (not ids or row["id"] in ids)]  # fmt: skip
    return min(max(ends, default=brief.term.last_day), brief.term.last_day)


def named_classes(brief: Brief, *texts: str) -> list[ClassView]:
    """The classes that are named, first in what is supposed, then in the question."""
    for text in texts:
        short = find_shortened(text, [row["name"] for row in brief.classes], ())
        ids = classes_in(text, brief.classes) or find_owners(text, brief)[0]
        ids = ids or [row["id"] for row in brief.classes if [row["name"]] == short]
        if ids and len(ids) < max(2, len(brief.classes)):
            return [row for row in brief.classes if row["id"] in ids]
    return []


def find_unplanned(brief: Brief, ids: Sequence[int]) -> list[int]:
    """The classes of these of which nothing has a place, where that is so of all of them."""
    planned = {row["class_id"] for row in brief.tasks if row["slot"]}
    return [] if planned & set(ids) else [*ids]


def tell_unplanned(brief: Brief, ids: Sequence[int]) -> str:
    """That nothing of some classes is planned yet."""
    return brief.say("{names}还没有排。", "{names}: not planned yet.", names=brief.names_of([*ids]))


def bound_in(brief: Brief, *texts: str) -> date | None:
    """The day by which something is to be done."""
    for text in texts:
        for one in read_times(text, brief.term):
            if one.weekdays and one.side in ("until", "before") and not one.last:
                ahead = (one.weekdays[-1] - brief.term.today.isoweekday()) % 7
                return brief.term.today + timedelta(days=ahead - (one.strict and brief.language == "en"))
            if (
                one.last
                and one.number
                and one.side in ("until", "before")
                and one.last < (first := _first_place(brief))
            ):
                return next_of_number(one.number, first)
            if one.last and (one.side in ("until", "before") or not one.first):
                return one.last - timedelta(days=one.strict and brief.language == "en")
    return None


def _first_place(brief: Brief) -> date:
    """The day of the first item of the plan; today where nothing is planned."""
    return min((brief.day_of(slot) for row in brief.tasks if (slot := row["slot"])), default=brief.term.today)


def items_text(number: int) -> str:
    return f"{number} item{'' if number == 1 else 's'}"
