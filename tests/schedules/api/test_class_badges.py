"""Colours, seals, courses and excluded cells of classes over REST, and what entries tell of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kits.timetable.helpers import Api, event_at, placed

BODY: dict[str, Any] = {
    "name": "概率论复习", "mode": "manual", "allow_filler_course": True,
    "items": [{"order": 5, "content": "随机变量"}, {"order": 9, "content": "数字特征"}],
}  # fmt: skip


def make(api: Api, **changes: Any) -> dict[str, Any]:
    status, body = api("POST", "task-class", {**BODY, **changes})
    assert status == 200, body
    shown: dict[str, Any] = body["data"]
    return shown


def test_classes_get_colours_by_their_place_and_keep_them(api: Api, semester: Any) -> None:
    made = [make(api, name=f"{letter}级") for letter in "一二三四五六七八九"]
    assert [row["color_index"] for row in made] == [0, 1, 2, 3, 4, 5, 6, 7, 0]
    assert api("DELETE", f"task-class/{made[2]['id']}")[0] == 200
    listed = api("GET", "task-class?page_size=100")[1]["data"]["list"]
    assert {row["id"]: row["color_index"] for row in listed} == {
        row["id"]: row["color_index"] for row in made if row is not made[2]
    }
    assert make(api, name="十级")["color_index"] == 2


def test_a_seal_is_the_first_free_character_of_the_name(api: Api, semester: Any) -> None:
    names = ["概率论", "概率论", "概要", "《论语》", "论", "C++", "👩‍🎓毕业", "!?"]
    assert [make(api, name=name)["seal"] for name in names] == ["概", "率", "要", "论", "论", "C", "毕", "!"]


def test_a_student_chooses_colour_and_seal_and_a_write_without_them_keeps_them(api: Api, semester: Any) -> None:
    shown = make(api, seal="👩‍🎓", color_index=7)
    assert (shown["seal"], shown["color_index"]) == ("👩‍🎓", 7)
    same = api("PUT", f"task-class/{shown['id']}", {**BODY, "name": "线性代数", "items": shown["items"][:0]})[1]["data"]
    assert (same["seal"], same["color_index"]) == ("👩‍🎓", 7)
    other = api("PUT", f"task-class/{shown['id']}", {**BODY, "items": [], "seal": "线", "color_index": 0})[1]["data"]
    assert (other["seal"], other["color_index"]) == ("线", 0)


def test_a_seal_of_the_name_follows_a_new_name(api: Api, semester: Any) -> None:
    shown = make(api)
    renamed = api("PUT", f"task-class/{shown['id']}", {**BODY, "name": "线性代数", "items": []})[1]["data"]
    assert (shown["seal"], renamed["seal"]) == ("概", "线")


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"seal": "概率"}, "40005", "seal"),
        ({"seal": " "}, "40005", "seal"),
        ({"seal": "\u200d"}, "40005", "seal"),
        ({"seal": 5}, "40005", "seal"),
        ({"seal": "x" * 17}, "40006", "seal"),
        ({"color_index": 8}, "40005", "color_index"),
        ({"color_index": -1}, "40005", "color_index"),
        ({"excluded_cells": [{"day_of_week": 8, "block": 1}]}, "40005", "excluded_cells"),
        ({"excluded_cells": [{"day_of_week": 1, "block": 7}]}, "40005", "excluded_cells"),
        ({"excluded_cells": [{"day_of_week": 1}]}, "40005", "excluded_cells.0.block"),
        ({"excluded_cells": [[1, 2]]}, "40005", "excluded_cells.0"),
        (
            {
                "excluded_days_of_week": [1, 2, 3, 4, 5, 6],
                "excluded_slots": [2, 3, 4, 5, 6],
                "excluded_cells": [{"day_of_week": 7, "block": 1}],
            },
            "40005",
            "excluded_cells",
        ),
        ({"course_id": 999_999}, "40042", ""),
    ],
)
def test_values_that_cannot_be_are_named(
    api: Api, semester: Any, changes: dict[str, Any], code: str, field: str
) -> None:
    _, body = api("POST", "task-class", {**BODY, **changes})
    assert body["status"] == code, body
    if code != "40042":
        named = body["data"]["field"] if code == "40006" else body["data"]["errors"][0]["field"]
        assert named == field


def test_an_excluded_cell_closes_one_double_section_of_one_weekday(api: Api, semester: Any) -> None:
    cells = [{"day_of_week": 3, "block": 2}, {"day_of_week": 1, "block": 1}, {"day_of_week": 3, "block": 2}]
    shown = make(api, excluded_cells=cells)
    assert shown["excluded_cells"] == [{"day_of_week": 1, "block": 1}, {"day_of_week": 3, "block": 2}]
    item = shown["items"][0]["id"]
    body = {"task_class_id": shown["id"], "items": [{**placed(item, 7, 3, 3, 4), "by_hand": False}]}
    status, refused = api.apply(body)
    assert (status, refused["status"], refused["data"]["conflicts"][0]["rule"]) == (422, "40073", "excluded_cell")
    body["items"] = [placed(item, 7, 4, 3, 4)]
    assert api.apply(body)[0] == 200


def test_entries_of_a_week_tell_class_order_seal_and_colour_and_lessons_their_course(api: Api, semester: Any) -> None:
    meeting = {"weeks": [7], "day_of_week": 2, "start_section": 5, "end_section": 6}
    given = {"course_name": "思修", "color_index": 9, "is_allow_tasks": True, "arrangements": [meeting]}
    course = api("POST", "schedule/courses", given)[1]["data"]["course"]["id"]
    shown = make(api, course_id=course)
    first, second = (item["id"] for item in shown["items"])
    items = [placed(first, 7, 1, 3, 4), placed(second, 7, 2, 5, 6, event_at("思修", 7).pk)]
    assert api.apply({"task_class_id": shown["id"], "items": items})[0] == 200
    task, lesson = api("GET", "schedule/week?week=7")[1]["data"]["events"]
    badge = {"task_class_id": shown["id"], "task_class_name": "概率论复习", "task_total": 2, "seal": "概"}
    badge |= {"color_index": 0, "course_id": 0, "exam_id": 0, "pinned": False, "by_hand": True}
    assert {key: task[key] for key in badge} == badge
    assert (task["task_item_id"], task["task_order"], shown["course_id"]) == (first, 1, course)
    assert lesson["embedded_task_info"] == {
        "id": second, "name": "数字特征", "type": "task", "task_order": 2, "progress": "done", **badge,
        "section_from": 5, "section_to": 6,
    }  # fmt: skip
    assert (lesson["course_id"], lesson["color_index"], lesson["task_class_id"]) == (course, 9, 0)


def test_an_item_shorter_than_its_lesson_tells_its_own_sections(api: Api, semester: Any) -> None:
    meeting = {"weeks": [7], "day_of_week": 2, "start_section": 5, "end_section": 6}
    api("POST", "schedule/courses", {"course_name": "思修", "is_allow_tasks": True, "arrangements": [meeting]})
    shown = make(api, items=[{"order": 1, "content": "背单词", "duration": 1}])
    item = shown["items"][0]["id"]
    body = {"task_class_id": shown["id"], "items": [placed(item, 7, 2, 5, 5, event_at("思修", 7).pk)]}
    assert api.apply(body)[0] == 200
    (lesson,) = api("GET", "schedule/week?week=7")[1]["data"]["events"]
    guest = lesson["embedded_task_info"]
    assert (lesson["section_from"], lesson["section_to"]) == (5, 6)
    assert (guest["section_from"], guest["section_to"]) == (5, 5)
