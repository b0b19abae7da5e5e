"""Stories of a term as data: words become calls, the tool plans as the endpoint does, and an undo gives it back."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async

from agent.calls.ports import ChangedRows, Ports
from agent.calls.tool import ToolCall
from agent.calls.values import ToolContext
from agent.drafts.rows import rows_change
from agent.tools.default import default_registry
from schedules.models import ScheduleEvent
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import week_and_weekday
from schedules.progress.standing_items import missed_items
from schedules.selectors import semester_current
from taskclasses.models import TaskClass, TaskItem
from tests.kits.agent.lived_term import NOW, Term, term
from tests.kits.agent.stories import STORIES, Json, apply_and_undo, draft_now, named
from tests.kits.offline.views import BASE, execute, result, task_class
from tests.kits.timetable.fixtures import courses
from tests.kits.timetable.helpers import picture

__all__ = ["courses", "term"]

SEEN = {"date": "2026-04-16", "week": 7, "day_of_week": 4, "section": 3}


def said(words: str, draft: ScheduleState, *results: Json) -> Json:
    """The call that the policy of fixed rules makes of the words."""
    tasks = [_task(draft, entry) for entry in draft.items()]
    classes = [
        task_class(row.pk, row.name, start_date=str(row.start_date), end_date=str(row.end_date))
        for row in TaskClass.objects.order_by("pk")
    ]
    first = week_and_weekday(draft.window.first_day)
    window = {"first": {"week": first[0], "day_of_week": first[1]}, "total_days": draft.window.total_days}
    view = {**BASE["draft"], "tasks": tasks, "window": window}
    more: Json = {"last_results": list(results), "scope": list(draft.scope), "classes": classes, "now": SEEN}
    found = execute(words, draft=view, **more)
    return found.get("tool_call") or found


def _task(draft: ScheduleState, entry: Any) -> Json:
    place, slot = draft.place_of(entry), None
    if place is not None and entry.slot is not None:
        week, weekday = week_and_weekday(place.day)
        at = {"day": entry.slot.day, "week": week, "day_of_week": weekday}
        slot = {**at, "slot_start": place.first, "slot_end": place.last, "host_event_id": None}
    return {
        "state_id": entry.state_id, "item_id": entry.source_id, "name": entry.name, "class_id": entry.task_class_id,
        "order": entry.task_order, "status": entry.status, "slot": slot, "duration": entry.duration, "mark": entry.mark,
    }  # fmt: skip


def run_tool(user: Any, draft: ScheduleState, arguments: Json) -> list[Json]:
    """The changes of the tool's dry run, by item."""
    registry, calendar = default_registry(), semester_current(user.pk).calendar
    standing = [entry.source_id for entry in draft.items() if entry.status == "existing"]
    known = missed_items(user.pk, standing, NOW)

    async def missed(item_ids: Any) -> list[int]:
        return known

    async def change_rows(change: Any, class_ids: Any, *, call_id: str, dry_run: bool) -> ChangedRows:
        given: Json = {"change": change, "class_ids": class_ids, "claim": call_id, "dry_run": True}
        return await sync_to_async(rows_change)(user_id=user.pk, semester=semester_current(user.pk), **given)

    call = registry.validate("replan", arguments, draft)
    assert isinstance(call, ToolCall), call
    ports = Ports(missed_items=missed, change_rows=change_rows)
    ctx = ToolContext(now=NOW, calendar=calendar, now_cell=calendar.now_cell(NOW), ports=ports)
    outcome = async_to_sync(registry.run)(call, draft, ctx)
    assert outcome.error is None or outcome.error.code == "no_change", outcome.error
    return sorted((change.to_json() for change in outcome.changes), key=lambda row: int(row["task_item_id"]))


@pytest.mark.parametrize("story", [story for story in STORIES if "words" in story], ids=lambda story: story["words"])
def test_a_story_ends_the_same_by_words_by_tool_and_by_request(term: Term, story: Json) -> None:
    for name, progress in story.get("before", {}).items():
        term.mark(TaskItem.objects.get(content=name).pk, progress)
    draft, results = draft_now(term.user), []
    states = {entry.name: entry.state_id for entry in draft.items()}
    classes = {row.name: row.pk for row in TaskClass.objects.all()}
    if "mark" in story:
        wanted = {"task_ids": [states[story["of"]]], **story["mark"]}
        assert said(story["words"], draft) == {"name": "mark_items", "arguments": wanted}
        item = TaskItem.objects.get(content=story["of"])
        assert term.api("POST", f"schedule/task-items/{item.pk}/progress", story["mark"])[0] == 200
        results.append(result("mark_items", wanted, data={"marks": []}))
    if "class" in story:
        wanted = {"id": classes[story["of"]], "task_class": story["class"]}
        assert said(story["words"], draft) == {"name": "upsert_task_class", "arguments": wanted}
        results.append(result("upsert_task_class", wanted, data={"task_class_id": wanted["id"], "created": False}))
    if "call" not in story:
        assert said(story["words"], draft, *results)["action"] == "done"
        return
    arguments = named(story, "call", {**states, **classes})
    assert said(story["words"], draft, *results) == {"name": "replan", "arguments": arguments}
    found = term.ask(**named(story, "rest", classes))
    before = draft_now(term.user)
    changes = run_tool(term.user, before, arguments)
    moved = sorted(found["moves"], key=lambda row: int(row["task_item_id"]))
    assert [(row["op"], row["task_item_id"]) for row in changes] == [(row["op"], row["task_item_id"]) for row in moved]
    if "moves" in story:
        assert [row["name"] for row in moved] == story["moves"]
    dates = {row["after"]["date"] for row in found["difference"]["moved"] + found["difference"]["new"]}
    assert not dates & set(story.get("clear", ()))
    if moved:
        apply_and_undo(term, found, before)


@pytest.mark.parametrize("story", [one for one in STORIES if "happened" in one], ids=lambda story: story["happened"])
def test_what_moved_is_written_planned_and_undone(term: Term, story: Json) -> None:
    if "lesson" in story:
        named = {"event_id": ScheduleEvent.objects.get(type="course", **story["lesson"]).pk}
    else:
        named = {"exam_id": term.exam(**story["exam"])}
        row = term.api("GET", f"task-class/{TaskClass.objects.get(name=story['of']).pk}")[1]["data"]
        assert term.api("PUT", f"task-class/{row['id']}", {**row, **named})[0] == 200
    before = picture(term.user.pk)
    found = term.move(**story["rest"], **named)
    written = draft_now(term.user)
    assert [row["name"] for row in found["moves"]] == story["moves"]
    dates = {row["after"]["date"] for row in found["difference"]["moved"] + found["difference"]["new"]}
    assert not dates & set(story.get("clear", ()))
    apply_and_undo(term, found, written)
    batch = (found["lesson_change"] or found["exam_change"])["batch_id"]
    assert term.api("POST", f"schedule/batches/{batch}/undo", {})[0] == 200
    assert picture(term.user.pk) == before
