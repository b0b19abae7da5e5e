"""Life happens: each ask becomes a draft by least change, in words with dates, and nothing is applied by itself."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from schedules.models import ScheduleEvent, Semester
from schedules.selectors import semester_current
from schedules.services import class_create
from smartmate.accounts.tokens import token_create
from taskclasses.fields import ItemValues
from taskclasses.models import TaskClass, TaskItem
from tests.kits.agent.lived_term import Term, term
from tests.kits.timetable.fixtures import courses
from tests.kits.timetable.helpers import Api, class_values, picture

__all__ = ["courses", "term"]


def moves(found: dict[str, Any]) -> dict[int, str]:
    rows = [*found["difference"]["new"], *found["difference"]["moved"], *found["difference"]["removed"]]
    return {row["task_item_id"]: (row["after"] or {"date": ""})["date"] for row in rows}


def test_what_was_missed_is_picked_up_and_nothing_else_moves(term: Term) -> None:
    term.mark(term.items[0], "missed")
    found = term.ask("missed")
    assert [(move["task_item_id"], move["op"]) for move in found["moves"]] == [(term.items[0], "move")]
    # Before its follower on Friday morning: this is Thursday.
    assert moves(found) == {term.items[0]: "2026-04-16"}
    assert (found["stays"], found["left"]) == (6, [])
    assert found["sentences"][0].startswith("「随机变量」从 4 月 14 日 周二 10:15–11:55 移到 4 月 16 日 周四")
    assert found["sentences"][-1] == "其余 6 项不动。"
    assert [row["task_item_id"] for row in term.accept(found)["moved"]] == [term.items[0]]
    assert term.ask("missed")["sentences"] == ["现在不用改。"]


def test_what_was_missed_is_picked_up_in_the_way_that_is_named(term: Term) -> None:
    term.mark(term.items[0], "missed")
    pushed = term.ask("missed", way="push_on")
    assert moves(pushed)[term.items[0]] == "2026-04-17", "where its follower stood"
    assert set(moves(pushed)) == set(term.items)
    aside = term.ask("missed", way="set_aside")
    assert moves(aside) == {term.items[0]: ""}
    term.accept(aside)
    assert term.api("POST", "agent/replan", {"kind": "missed", "way": "at random"})[1]["status"] == "40005"


def test_what_was_missed_before_something_done_is_done_after_it(term: Term) -> None:
    term.apply(class_create(user=term.user, values=class_values(name="先后", items=[
        ItemValues(1, "一"), ItemValues(2, "二")
    ])), (7, 1, 1), (7, 3, 1))  # fmt: skip
    first = TaskClass.objects.get(name="先后").items.get(order=1).pk
    term.mark(first, "missed")
    found = term.ask("missed")
    assert list(moves(found)) == [first]
    term.accept(found)


def test_a_rest_goes_before_its_followers(term: Term) -> None:
    term.mark(term.items[0], "partial")
    found = term.ask("rest")
    assert moves(found) == {term.items[0]: "2026-04-16"}
    assert found["difference"]["new"][0]["sections"] == 1
    term.accept(found)


def test_days_of_illness_are_empty_and_what_lay_there_is_placed_anew(term: Term) -> None:
    found = term.ask("ill", from_date="2026-04-14", to_date="2026-04-18")
    # Tuesday, Friday and Saturday of week 7; the class follows in order, so its items of week 8 make room.
    assert {term.items[0], term.items[1], term.words[0]} <= set(moves(found))
    assert min(moves(found).values()) >= "2026-04-19"
    assert found["left"] == []
    term.accept(found)


def test_days_of_illness_beside_exams(term: Term) -> None:
    for day in ("2026-04-21", "2026-04-22", "2026-04-23"):
        term.exam(date=day, section_from=11, section_to=12)
    found = term.ask("ill", from_date="2026-04-16", to_date="2026-04-18")
    assert {term.items[1], term.words[0]} <= set(moves(found))
    term.accept(found)


def test_evenings_stay_free(term: Term) -> None:
    row = class_create(user=term.user, values=class_values(name="晚上", items=[ItemValues(1, "练习")]))
    term.apply(row, (7, 4, 9))
    item = row.items.get().pk
    found = term.ask("keep_free", from_date="2026-04-16", to_date="2026-04-30", evenings=True)
    assert list(moves(found)) == [item]
    assert found["difference"]["moved"][0]["after"]["section_from"] < 9


def test_days_without_an_evening_have_none_to_keep_free(term: Term) -> None:
    semester = semester_current(term.user.pk)
    Semester.objects.filter(pk=semester.pk).update(section_times=semester.section_times[:8])
    body = {"kind": "keep_free", "from_date": "2026-04-16", "evenings": True}
    refused = term.api("POST", "agent/replan", body)[1]["data"]
    assert refused["errors"] == [{"field": "evenings", "message": "这个学期的一天没有晚上的节次"}]


def test_a_week_is_lightened_by_the_fewest_moves(term: Term) -> None:
    found = term.ask("lighten", week=8, sections=3)
    assert len(found["moves"]) == 2
    assert all(day < "2026-04-20" or day > "2026-04-26" for day in moves(found).values())
    assert (found["stays"], found["left"]) == (5, [])
    term.accept(found)


def test_one_class_is_finished_first(term: Term) -> None:
    found = term.ask("finish_first", task_class_id=term.second.pk)
    days = [row["after"]["date"] for row in found["difference"]["moved"] if row["task_class_id"] == term.second.pk]
    assert max(days) < "2026-04-23"
    term.accept(found)


def test_an_earlier_deadline_moves_what_lies_beyond(term: Term) -> None:
    found = term.ask("deadline", task_class_id=term.second.pk, date="2026-04-22")
    assert found["class_change"] == {
        "task_class_id": term.second.pk, "field": "end_date", "before": "2026-04-26", "after": "2026-04-22",
    }  # fmt: skip
    assert list(moves(found)) == [term.words[2]]
    assert found["difference"]["benefits"]["late_items"] == -1
    term.accept(found)


def test_a_deadline_that_leaves_no_room_says_what_no_longer_fits(term: Term) -> None:
    found = term.ask("deadline", task_class_id=term.first.pk, date="2026-04-13")
    assert sorted(row["task_item_id"] for row in found["left"]) == term.items[1:]
    assert "放不下" in found["sentences"][-2]


def test_a_class_starts_from_a_week(term: Term) -> None:
    found = term.ask("start", task_class_id=term.second.pk, week=8)
    assert found["class_change"]["after"] == "2026-04-20"
    assert term.words[0] in moves(found)
    assert min(moves(found).values()) >= "2026-04-20"
    term.accept(found)


def test_a_lecture_that_moves_is_written_and_what_gave_way_is_placed_anew(term: Term) -> None:
    lesson = ScheduleEvent.objects.filter(user=term.user, type="course", week__gte=9).order_by("pk").first()
    assert lesson is not None
    place = {"week": 8, "day_of_week": 1, "section_from": 1, "section_to": 2}
    before = picture(term.user.pk)
    found = term.move("lesson_moved", event_id=lesson.pk, **place, location="B202", note="老师出差")
    written = found["lesson_change"]
    assert written["released_task_item_ids"] == [term.items[2]]
    assert written["change"]["to"] == {**place, "location": "B202"}
    assert found["sentences"][0] == f"「{lesson.name}」这节课改到 4 月 20 日 周一 08:00–09:40。"
    # Between its neighbours, Friday of week 7 and Tuesday of week 8, as the only one that finds another place.
    assert [(move["task_item_id"], move["op"]) for move in found["moves"]] == [(term.items[2], "place")]
    assert "2026-04-17" <= moves(found)[term.items[2]] <= "2026-04-21"
    assert (found["left"], found["exam_change"], found["class_change"]) == ([], None, None)
    term.accept(found)
    again = term.move("lesson_moved", event_id=lesson.pk, **place, location="B202", note="老师出差")
    assert (again["lesson_change"]["batch_id"], again["moves"]) == (None, [])
    for batch in reversed(term.batches(found)):
        answer = term.api("POST", f"schedule/batches/{batch}/undo", {})
        assert answer[0] == 200, answer
    assert picture(term.user.pk) == before


def test_a_suggestion_gives_way_to_a_lecture_too(term: Term) -> None:
    term.mark(term.items[0], "missed")
    first = term.ask("missed")
    place = first["difference"]["moved"][0]["after"]
    lesson = ScheduleEvent.objects.filter(user=term.user, type="course", week__gte=9).order_by("pk").first()
    assert lesson is not None
    at = {name: place[name] for name in ("week", "day_of_week", "section_from", "section_to")}
    found = term.move("lesson_moved", conversation_id=first["conversation_id"], event_id=lesson.pk, **at)
    assert found["lesson_change"]["released_task_item_ids"] == []
    moved = found["difference"]["moved"][0]
    assert (moved["task_item_id"], moved["after"] != place) == (term.items[0], True)
    term.accept(found)


def test_an_exam_that_moves_takes_its_classes_along(term: Term) -> None:
    exam = term.exam(date="2026-04-28", start_time="08:00", end_time="09:40")
    shown = term.api("GET", f"task-class/{term.second.pk}")[1]["data"]
    assert term.api("PUT", f"task-class/{term.second.pk}", {**shown, "exam_id": exam})[0] == 200
    found = term.move("exam_moved", exam_id=exam, date="2026-04-23")
    written = found["exam_change"]
    assert (written["exam"]["date"], written["exam"]["start_time"]) == ("2026-04-23", "08:00")
    assert [row["after"] for row in written["task_classes"]] == ["2026-04-22"]
    # Thursday of week 8 is beyond the new end, and under the exam.
    assert list(moves(found)) == [term.words[2]]
    assert max(moves(found).values()) <= "2026-04-22"
    assert found["sentences"][0] == "「概率论期末」改到 4 月 23 日 周四 08:00–09:40 考。"
    assert found["sentences"][1] == "「单词」的最后一天跟着改成 4 月 22 日 周三。"
    term.accept(found)
    same = term.move("exam_moved", exam_id=exam, date="2026-04-23", start_time="08:00", end_time="09:40")
    assert (same["exam_change"]["batch_id"], same["moves"]) == (None, [])
    assert term.api("POST", f"schedule/batches/{written['batch_id']}/undo", {})[0] == 200
    assert term.api("GET", f"schedule/exams/{exam}")[1]["data"]["date"] == "2026-04-28"


def test_an_exam_over_an_item_moves_the_item(term: Term) -> None:
    exam = term.exam(date="2026-05-20", section_from=1, section_to=2)
    found = term.move("exam_moved", exam_id=exam, date="2026-04-20", location="主楼 101")
    assert [row["task_item_id"] for row in found["exam_change"]["conflicts"]] == [term.items[2]]
    assert found["exam_change"]["exam"]["location"] == "主楼 101"
    assert list(moves(found)) == [term.items[2]]
    term.accept(found)


@pytest.mark.parametrize(
    "ask",
    [
        {"kind": "mend"},
        {"kind": "ill", "from_date": "2026-04-20", "to_date": "2026-04-24"},
        {"kind": "keep_free", "from_date": "2026-04-20", "evenings": True},
        {"kind": "lighten", "week": 8, "sections": 2},
        {"kind": "finish_first"},
    ],
    ids=lambda ask: ask["kind"],
)
def test_an_exam_may_lie_over_what_stays_and_over_a_lesson(term: Term, ask: dict[str, Any]) -> None:
    assert term.api("POST", f"schedule/task-items/{term.words[2]}/pin", {})[0] == 200
    term.exam(date="2026-04-23", section_from=1, section_to=2)
    term.exam(date="2026-04-22", section_from=5, section_to=6)
    found = term.ask(**ask, **({"task_class_id": term.second.pk} if ask["kind"] == "finish_first" else {}))
    assert term.words[2] not in moves(found)


def test_what_moves_is_mine_and_of_this_term(term: Term, other_user: Any) -> None:
    exam = term.exam(date="2026-05-20", section_from=1, section_to=2)
    lesson = ScheduleEvent.objects.filter(user=term.user, type="course").order_by("pk").first()
    assert lesson is not None
    place = {"week": 8, "day_of_week": 7, "section_from": 1, "section_to": 2}
    stranger = Api(Client(headers={"Authorization": f"Bearer {token_create(user=other_user)[1]}"}))
    before = picture(term.user.pk)
    for body, code in (
        ({"kind": "lesson_moved", "event_id": lesson.pk, **place}, "40031"),
        ({"kind": "exam_moved", "exam_id": exam, "date": "2026-04-20"}, "40047"),
    ):
        assert stranger("POST", "agent/replan", body)[1]["status"] == code
    assert picture(term.user.pk) == before
    assert term.api("GET", f"schedule/exams/{exam}")[1]["data"]["date"] == "2026-05-20"


def test_a_move_that_cannot_be_is_refused_and_leaves_everything(term: Term) -> None:
    exam = term.exam(date="2026-05-20", section_from=1, section_to=2)
    lessons = ScheduleEvent.objects.filter(user=term.user, type="course").order_by("pk")
    one, other = lessons[0], lessons[1]
    beyond = {"week": 30, "day_of_week": 1, "section_from": 1, "section_to": 2}
    taken = {"week": other.week, "day_of_week": other.day_of_week,
             "section_from": other.section_from, "section_to": other.section_to}  # fmt: skip
    before = picture(term.user.pk)
    for body, code in (
        ({"kind": "lesson_moved", "event_id": one.pk, **beyond}, "40049"),
        ({"kind": "lesson_moved", "event_id": one.pk, **taken}, "40026"),
        ({"kind": "lesson_moved", "event_id": 999_999, **beyond}, "40031"),
        ({"kind": "lesson_moved", "event_id": one.pk, "week": 8}, "40005"),
        ({"kind": "exam_moved", "exam_id": exam}, "40005"),
        ({"kind": "exam_moved", "exam_id": exam, "date": "2027-01-01"}, "40005"),
        ({"kind": "exam_moved", "exam_id": exam, "date": "2026-04-20", "start_time": "10:00"}, "40005"),
        ({"kind": "exam_moved", "exam_id": 999_999, "date": "2026-04-20"}, "40047"),
    ):
        assert term.api("POST", "agent/replan", body)[1]["status"] == code, body
    assert picture(term.user.pk) == before


def test_what_is_set_by_hand_or_past_or_done_stays(term: Term) -> None:
    term.mark(term.items[0], "done")
    TaskItem.objects.filter(pk=term.words[0]).update(by_hand=True)
    found = term.ask("ill", from_date="2026-04-13", to_date="2026-04-18")
    assert not {term.items[0], term.words[0]} & set(moves(found))
    assert term.items[1] in moves(found)


def test_an_ask_goes_on_in_the_same_conversation(term: Term) -> None:
    term.mark(term.items[0], "missed")
    found = term.ask("missed")
    again = term.ask("keep_free", conversation_id=found["conversation_id"], from_date="2026-04-16")
    assert again["conversation_id"] == found["conversation_id"]
    assert moves(again)[term.items[0]] != "2026-04-16"
    assert again["difference"]["changed"] >= 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"kind": "x"}, "40005"),
        ({"kind": "ill"}, "40005"),
        ({"kind": "lighten", "week": 7}, "40005"),
        ({"kind": "start", "task_class_id": 1}, "40005"),
        ({"kind": "ill", "from_date": "2026-04-16", "to_date": "2026-04-15"}, "40005"),
        ({"kind": "finish_first", "task_class_id": 999_999}, "40040"),
        ({"kind": "missed", "task_item_ids": [999_999]}, "40036"),
        ({"kind": "missed", "conversation_id": "00000000-0000-4000-8000-000000000000"}, "40401"),
    ],
)
def test_what_is_not_whole_is_refused(term: Term, body: dict[str, Any], code: str) -> None:
    assert term.api("POST", "agent/replan", body)[1]["status"] == code


def test_what_an_ask_lacks_is_named(term: Term) -> None:
    refused = term.api("POST", "agent/replan", {"kind": "ill"})[1]["data"]
    assert refused["errors"] == [{"field": "from_date", "message": "缺少该字段"}]
