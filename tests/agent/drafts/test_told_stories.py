"""The stories of a term in whole conversations: cards that the student agrees to, then the draft of the endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent.llm.offline.backend import OfflineModel
from agent.models import Conversation
from agent.selectors import draft_of
from schedules.models import AppliedBatch, ProgressRule, ScheduleEvent
from schedules.planner.draft import diff
from schedules.planner.draft.state import ScheduleState
from schedules.progress.standing_items import standing_classes
from schedules.selectors import semester_current
from schedules.services import class_create
from taskclasses.fields import ItemValues
from taskclasses.models import TaskClass, TaskItem
from tests.kits.agent.lived_term import Term, term
from tests.kits.agent.stories import STORIES, Json, apply_and_undo, draft_now, named
from tests.kits.agent.talks import scripted, speaks, talk
from tests.kits.suite.stores import on_mysql
from tests.kits.timetable.fixtures import courses
from tests.kits.timetable.helpers import class_values, picture

__all__ = ["courses", "speaks", "term"]

TOLD = [story for story in STORIES if "words" in story]
# Both make the same writes, which this test holds: on real servers one of them is enough.
POLICIES = ["offline"] if on_mysql() else ["scripted", "offline"]


def calls_of(story: Json, classes: dict[str, int]) -> list[Json]:
    calls: list[Json] = []
    if "mark" in story:
        calls.append({"name": "mark_items", "arguments": {"task_ids": [story["of"]], **story["mark"]}})
    if "class" in story:
        asked = {**story["rest"], "task_class_id": classes[story["of"]]}
        calls.append({"name": "replan", "arguments": asked})
    elif "call" in story:
        found = {key: classes[value] if key == "task_class_id" else value for key, value in story["call"].items()}
        calls.append({"name": "replan", "arguments": found})
    return calls


def changes_of(before: ScheduleState, after: ScheduleState | None) -> list[tuple[str, int]]:
    assert after is not None
    return sorted((one.op, one.item_id) for one in diff.changes_between(before, after))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("story", TOLD, ids=lambda story: story["words"])
def test_a_story_that_is_told_ends_in_the_draft_of_the_endpoint(
    term: Term, story: Json, policy: str, speaks: Callable[[Any], None]
) -> None:
    for name, progress in story.get("before", {}).items():
        term.mark(TaskItem.objects.get(content=name).pk, progress)
    classes = {row.name: row.pk for row in TaskClass.objects.all()}
    speaks(OfflineModel() if policy == "offline" else scripted(*calls_of(story, classes)))
    locale = "en" if story["words"].isascii() else "zh"
    run = talk(term.user, story["words"], standing_classes(term.user.pk), locale)
    assert (run.status, run.outcome, run.error_code) == ("succeeded", "completed", "")
    if "mark" in story:
        assert TaskItem.objects.get(content=story["of"]).mark == story["mark"]["progress"]
    for key, value in story.get("class", {}).items():
        assert getattr(TaskClass.objects.get(name=story["of"]), key).isoformat() == value
    if "call" not in story:
        return
    stands = draft_now(term.user)
    told = changes_of(stands, draft_of(Conversation.objects.get(pk=run.conversation_id)))
    found = term.ask(**named(story, "rest", classes))
    assert told == sorted((row["op"], int(row["task_item_id"])) for row in found["moves"])
    if told:
        schedule = draft_of(Conversation.objects.get(pk=run.conversation_id))
        apply_and_undo(term, {"conversation_id": str(run.conversation_id), "revision": schedule.revision}, stands)


@pytest.mark.parametrize("story", [one for one in STORIES if "happened" in one], ids=lambda story: story["happened"])
def test_what_moved_is_written_by_the_tool_and_planned_for(
    term: Term, story: Json, speaks: Callable[[Any], None]
) -> None:
    calendar = semester_current(term.user.pk).calendar
    rest, arguments = story["rest"], {"kind": story["rest"]["kind"]}
    if "lesson" in story:
        event = ScheduleEvent.objects.get(type="course", **story["lesson"])
        day = 7 * (rest["week"] - 1) + rest["day_of_week"]
        arguments |= {"name": event.name, "from_date": calendar.date_of(event.place.day).isoformat()}
        arguments |= {"date": calendar.date_of(day).isoformat()}
        arguments |= {key: rest[key] for key in ("section_from", "section_to")}
    else:
        exam_id = term.exam(**story["exam"])
        row = term.api("GET", f"task-class/{TaskClass.objects.get(name=story['of']).pk}")[1]["data"]
        assert term.api("PUT", f"task-class/{row['id']}", {**row, "exam_id": exam_id})[0] == 200
        arguments |= {"name": "概率论期末", "date": rest["date"]}
    before, stood = picture(term.user.pk), draft_now(term.user)
    speaks(scripted({"name": "replan", "arguments": arguments}))
    run = talk(term.user, story["happened"], standing_classes(term.user.pk), "zh")
    assert (run.status, run.outcome, run.error_code) == ("succeeded", "completed", "")
    schedule = draft_of(Conversation.objects.get(pk=run.conversation_id))
    assert schedule is not None
    names = {entry.source_id: entry.name for entry in schedule.items()}
    assert [names[item] for _, item in changes_of(stood, schedule)] == story["moves"]
    dates = {
        calendar.date_of(place.day).isoformat()
        for entry in schedule.items()
        if entry.status == "suggested" and (place := schedule.place_of(entry)) is not None
    }
    assert not dates & set(story.get("clear", ()))
    batch = AppliedBatch.objects.latest("pk")
    assert batch.source == ("lesson-change" if "lesson" in story else "exam-replace")
    found = {"conversation_id": str(run.conversation_id), "revision": schedule.revision}
    apply_and_undo(term, found, draft_now(term.user))
    assert term.api("POST", f"schedule/batches/{batch.pk}/undo", {})[0] == 200
    assert picture(term.user.pk) == before


def test_a_talk_that_names_no_class_is_answered_by_the_whole_of_the_plan(
    term: Term, speaks: Callable[[Any], None]
) -> None:
    speaks(OfflineModel())
    ProgressRule.objects.create(user=term.user, mode="tick", grace_hours=0)
    assert term.api("POST", f"schedule/task-items/{term.words[2]}/undo")[0] == 200

    def answer(words: str) -> str:
        run = talk(term.user, words, [], "zh")
        timeline = term.api("GET", f"agent/conversations/{run.conversation_id}/timeline")[1]
        return json.dumps(timeline, ensure_ascii=False)

    assert "第 3 组" in answer("哪些还没有地方？")
    missed = TaskItem.objects.get(pk=term.items[0]).content
    for words in ("我落下了什么？", "还剩什么？"):
        assert missed in answer(words)


def test_a_talk_that_caught_up_behind_what_is_done_plans_another_task(
    term: Term, speaks: Callable[[Any], None]
) -> None:
    items = [ItemValues(1, "一"), ItemValues(2, "二")]
    pair = class_create(user=term.user, values=class_values(name="先后", items=items))
    term.apply(pair, (7, 1, 1), (7, 3, 1))
    term.mark(pair.items.get(order=1).pk, "missed")
    found = term.ask("missed")
    new = class_create(user=term.user, values=class_values(name="新的", items=items))
    speaks(OfflineModel())
    run = talk(term.user, "帮我把选中的任务排好", [new.pk], "zh", found["conversation_id"])
    assert (run.status, run.outcome) == ("succeeded", "completed")
    drafted = draft_of(Conversation.objects.get(pk=found["conversation_id"]))
    assert drafted is not None
    term.accept({**found, "revision": drafted.revision})
    assert TaskItem.objects.filter(task_class__in=[pair, new], status=TaskItem.Status.APPLIED).count() == 4
