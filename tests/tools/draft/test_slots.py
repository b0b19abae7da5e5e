"""Slot queries: spread over days, legal, and honest about what stops the rest."""

from __future__ import annotations

import pytest

from schedules.planner.draft.load import load_state
from schedules.planner.facts import Facts
from tests.kits.tools.world import FIRST, GRID, call, class_fact, draft


def empty_fortnight():
    facts = Facts(7, 1, GRID, 1, (), (class_fact(5, "概率论", (2,)),))
    return load_state(facts, scope=(5,), now=(FIRST, 1))


async def slots(arguments, state=None, **fields):
    return (await call("query_available_slots", arguments, state or draft(), **fields))[0]


async def test_twelve_results_on_an_empty_fortnight_touch_at_least_ten_days():
    found = (await slots({"for_task_id": 1}, empty_fortnight())).data
    assert found["count"] == 12
    assert len({row["day"] for row in found["slots"]}) >= 10
    assert [(row["day"], row["slot_start"]) for row in found["slots"]] == sorted(
        (row["day"], row["slot_start"]) for row in found["slots"]
    )


async def test_the_counts_cover_every_start():
    found = (await slots({"for_task_id": 1}, empty_fortnight())).data
    assert found["total"] + sum(found["blocked_by"].values()) == 14 * 11
    assert found["strict_total"] + found["embedded_total"] == found["total"]
    assert sum(row["count"] for row in found["per_day"]) == found["total"]


async def test_pure_places_come_before_embedded_and_odd_starts_before_even():
    state = (await call("unplace", {"task_id": 6}, draft()))[0].draft
    found = (await slots({"for_task_id": 6, "day": 2, "limit": 1}, state)).data
    assert (found["slots"][0]["slot_start"], found["slots"][0]["slot_type"]) == (1, "empty")
    embedded = (await slots({"for_task_id": 6, "day": 2, "section_from": 3, "section_to": 5}, state)).data
    assert {row["slot_type"] for row in embedded["slots"]} == {"embedded_candidate"}
    assert {row["host_task_id"] for row in embedded["slots"]} == {2}


async def test_embedding_can_be_ruled_out_and_a_class_that_forbids_it_wins():
    state = (await call("unplace", {"task_id": 6}, draft()))[0].draft
    asked = {"for_task_id": 6, "day": 2, "section_from": 3, "section_to": 5}
    without = (await slots({**asked, "allow_embed": False}, state)).data
    assert without["total"] == 0
    assert without["blocked_by"] == {"filler_not_allowed": 2}
    assert (await slots({**asked, "for_task_id": 9, "allow_embed": True}, state)).data["embedded_total"] == 0


@pytest.mark.parametrize(
    ("narrow", "days"),
    [
        ({"day_start": 8, "day_end": 9}, {8, 9}),
        ({"week": 4, "day_of_week": [1, 3]}, {8, 10}),
        ({"week_from": 3, "week_to": 3, "day_scope": "weekend"}, {6, 7}),
        ({"week_filter": [4], "day_scope": "workday"}, {8, 9, 10, 11, 12}),
        ({"day": 3}, {3}),
    ],
)
async def test_calendar_filters_narrow_the_days(narrow, days):
    found = (await slots({"span": 1, "limit": 60, **narrow})).data
    assert {row["day"] for row in found["per_day"]} == days


@pytest.mark.parametrize(
    ("narrow", "starts"),
    [
        ({"section_from": 5, "section_to": 8}, {5, 6, 7}),
        ({"after_section": 8}, {9, 10, 11}),
        ({"before_section": 4}, {1, 2}),
        ({"exclude_sections": [1, 2, 3, 4, 5, 6, 7, 8, 9]}, {10, 11}),
        ({"after_section": 2, "before_section": 7, "exclude_sections": [4]}, {5}),
    ],
)
async def test_section_filters_narrow_the_places(narrow, starts):
    found = (await slots({"span": 2, "day": 10, "limit": 60, **narrow})).data
    assert {row["slot_start"] for row in found["slots"]} == starts


async def test_a_filter_that_matches_no_day_gives_nothing_and_leaves_the_queue():
    assert (await slots({"week": 3, "day_start": 8, "day_end": 14})).data["total"] == 0
    queue = {"pending": [5], "current": None, "attempt": 0, "completed": [], "skipped": [], "last_error": ""}
    arguments = {"week": 3, "day_start": 8, "day_end": 14, "enqueue": True, "reset_queue": True}
    outcome, _ = await call("query_target_tasks", arguments, draft(), queue=queue)
    assert outcome.data["total"] == 0
    assert outcome.queue is None


async def test_a_long_span_may_not_fit_a_day():
    assert (await slots({"span": 12, "day": 6})).data["total"] == 1
    assert (await slots({"span": 12, "day": 1})).data["total"] == 0


async def test_first_free_agrees_with_the_slot_query():
    for task in (7, 9):
        first = (await call("find_first_free", {"for_task_id": task}, draft()))[0].data["place"]
        found = (await slots({"for_task_id": task, "limit": 60})).data["slots"]
        assert (first["day"], first["slot_start"]) == min((row["day"], row["slot_start"]) for row in found)


async def test_nothing_found_is_a_success_with_the_counts():
    _, result = await call("find_first_free", {"for_task_id": 9, "day_of_week": [7]}, draft())
    assert result.status == "done"
    assert result.observation_text == "未找到可用位置：连续1节。按规则：excluded_weekday 24。"


async def test_another_classes_applied_item_is_no_subject_of_a_query():
    for task in (1, 4):
        assert (await slots({"for_task_id": task})).error.code == "fixed_entry"
    assert (await slots({"for_task_id": 404})).error.code == "task_not_found"
