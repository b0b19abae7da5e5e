"""The preview document: thirteen fields per entry, weeks with clock times, leftovers."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time

from schedules.planner.draft.adapter import apply_plan
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp, UnplaceOp
from schedules.planner.draft.preview import preview
from schedules.planner.grid import Calendar, Place
from schedules.planner.problem import Placement
from taskclasses.kernel.canonical_json import canonical_json
from tests.kits.planner.worlds import applied, class_fact, course, facts_of, with_rules

TIMES = ["08:00-08:45", "08:55-09:40", "10:15-11:00", "11:10-11:55"]
TIMES += ["14:00-14:45", "14:55-15:40", "16:15-17:00", "17:10-17:55"]
TIMES += ["19:00-19:45", "19:55-20:40", "20:50-21:35", "21:45-22:30"]
SECTIONS = tuple((time.fromisoformat(row[:5]), time.fromisoformat(row[6:])) for row in TIMES)
CALENDAR = Calendar(date(2026, 3, 2), 20, SECTIONS, "Asia/Shanghai")
EVENTS = (
    replace(course(10, 1, 1, 2, name="高等数学"), location="教学楼A", course_id=7, color_index=11),
    replace(course(20, 3, 5, 6, hosts=True, name="思想政治"), location="教学楼B", interrupted=True),
    course(30, 4, 5, 6, hosts=True, name="写作"),
)
CLASS = replace(with_rules(class_fact(5, (2, 2, 2, 2), end=7), subject_type="quantitative"), seal="类", color_index=3)
FACTS = facts_of(EVENTS, (CLASS,))


class Result:
    placements = (Placement(501, 5, Place(2, 3, 2)), Placement(502, 5, Place(3, 5, 2), 20))
    unplaced = ()


def test_it_shows_every_kind_of_entry_with_all_fields() -> None:
    state = apply_plan(load_state(FACTS, scope=[5], now=None), Result())
    assert state.revision == 1
    shown = preview(state, calendar=CALENDAR)
    free = {"week": 1, "day_of_week": 2, "section_from": 3, "section_to": 4, "name": "项5-1", "type": "task"}
    free |= {"status": "suggested", "task_item_id": 501, "task_class_id": 5, "event_id": 0, "can_be_embedded": False}
    free |= {"block_for_suggested": True, "context_tag": "High-Logic", "item_id": 501, "class_id": 5}
    free |= {
        "task_class_name": "类5",
        "task_order": 1,
        "task_total": 4,
        "seal": "类",
        "color_index": 3,
        "course_id": 0,
        "exam_id": 0,
        "pinned": False,
        "by_hand": False,
        "progress": "open",
    }
    rows = shown["hybrid_entries"]
    assert rows[1] == free
    assert [(row["name"], row["event_id"], row["can_be_embedded"], row["block_for_suggested"]) for row in rows] == [
        ("高等数学", 10, False, True),
        ("项5-1", 0, False, True),
        ("思想政治", 20, True, True),
        ("项5-2", 20, False, True),
        ("写作", 30, True, False),
    ]
    assert shown["summary"] == "已为你安排了 2 个任务，还有 2 个任务没有排下"
    assert shown["window"] == {"from": {"week": 1, "day_of_week": 1}, "to": {"week": 1, "day_of_week": 7}}
    assert shown["now"] is None
    badge = {
        "task_class_name": "类5",
        "task_total": 4,
        "seal": "类",
        "color_index": 3,
        "course_id": 0,
        "exam_id": 0,
        "pinned": False,
        "by_hand": False,
        "progress": "open",
    }
    left = {
        **badge,
        "task_order": 3,
        "task_item_id": 503,
        "task_class_id": 5,
        "name": "项5-3",
        "order": 3,
        "sections": 2,
        "rule": "",
    }
    assert shown["unplaced_items"][0] == left


def test_it_names_the_moment_that_saves_are_judged_by() -> None:
    state = load_state(FACTS, scope=[5], now=(2, 13))
    assert preview(state, calendar=CALENDAR)["now"] == {"week": 1, "day_of_week": 2, "section": 13}


def test_a_week_names_a_guest_inside_its_host_only() -> None:
    state = apply_plan(load_state(FACTS, scope=[5], now=None), Result())
    (week,) = preview(state, calendar=CALENDAR)["candidate_plans"]
    assert [event["name"] for event in week["events"]] == ["高等数学", "项5-1", "思想政治", "写作"]
    host = week["events"][2]
    badge = {"task_class_id": 5, "task_class_name": "类5", "task_order": 2, "task_total": 4, "seal": "类"}
    badge |= {"course_id": 0, "exam_id": 0, "color_index": 3, "pinned": False, "by_hand": False, "progress": "open"}
    assert host["embedded_task_info"] == {"id": 502, "name": "项5-2", "type": "task", **badge}
    lesson = week["events"][0]
    assert (lesson["course_id"], lesson["color_index"], lesson["task_class_id"], lesson["seal"]) == (7, 11, 0, "")
    assert (host["status"], host["location"], host["start_time"], host["end_time"]) == (
        "interrupted",
        "教学楼B",
        "14:00",
        "15:40",
    )
    assert week["events"][1]["order"] == 1
    assert (week["events"][1]["id"], week["events"][1]["location"]) == (0, "")


def test_applied_items_are_existing_and_carry_their_event_until_taken_out() -> None:
    placed = apply_plan(load_state(FACTS, scope=[5], now=None), Result())
    state = load_state(applied(FACTS, placed), scope=[5], now=None)
    rows = [row for row in preview(state, calendar=CALENDAR)["hybrid_entries"] if row["type"] == "task"]
    assert [(row["status"], row["event_id"], row["task_item_id"], row["context_tag"]) for row in rows] == [
        ("existing", 10501, 0, ""),
        ("existing", 20, 0, ""),
    ]
    assert [(row["task_class_id"], row["class_id"], row["item_id"], row["seal"]) for row in rows] == [
        (0, 5, 501, "类"),
        (0, 5, 502, "类"),
    ]
    entry = state.by_item(502)
    assert entry is not None
    out = preview(UnplaceOp(entry.state_id).apply(state), calendar=CALENDAR)
    assert [row["task_item_id"] for row in out["unplaced_items"]] == [502, 503, 504]


def test_two_readings_are_byte_equal_and_english_reads_english() -> None:
    state = PlaceOp(4, 2, 3).apply(load_state(FACTS, scope=[5], now=None))
    assert canonical_json(preview(state, calendar=CALENDAR)) == canonical_json(preview(state, calendar=CALENDAR))
    assert canonical_json(preview(state, calendar=CALENDAR, locale="en")["hybrid_entries"]) == canonical_json(
        preview(state, calendar=CALENDAR)["hybrid_entries"]
    )
