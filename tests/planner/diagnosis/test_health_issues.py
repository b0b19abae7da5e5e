"""Each issue, metric and verdict on the smallest draft that shows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from schedules.planner.diagnosis.health import analyze_health
from schedules.planner.diagnosis.rhythm import analyze_rhythm
from schedules.planner.diagnosis.rhythm_days import two_decimals
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import ClassFact
from schedules.planner.grid import Cell
from tests.kits.planner.worlds import applied, class_fact, course, facts_of, with_rules

KNOWN = {"subject_type": "memory", "difficulty_level": "low", "cognitive_intensity": "low"}


def known(class_id: int, *lengths: int, high: bool = False, **values: Any) -> ClassFact:
    """A rapid class with a complete profile, days 1-21."""
    profile = KNOWN | ({"difficulty_level": "high"} if high else {})
    return with_rules(class_fact(class_id, lengths, end=21), strategy="rapid", **(profile | values))


def draft(
    *classes: ClassFact, at: dict[int, tuple[int, int]], events: Any = (), now: Cell | None = None
) -> ScheduleState:
    """Items (by id) suggested at (day index, first section)."""
    state = load_state(facts_of(events, classes), scope=[row.id for row in classes], now=None)
    for item_id, (day, first) in at.items():
        entry = state.by_item(item_id)
        assert entry is not None
        state = PlaceOp(entry.state_id, day, first).apply(state)
    return replace(state, now=now)


def issues(state: ScheduleState) -> dict[str, dict[str, Any]]:
    return {issue["issue_id"]: issue for issue in analyze_health(state)["issues"]}


def ids_of(state: ScheduleState, *item_ids: int) -> list[int]:
    return sorted(entry.state_id for entry in state.items() if entry.source_id in item_ids)


def test_two_heavy_neighbours_are_a_warning_and_two_pairs_are_critical() -> None:
    state = draft(known(5, 1, high=True), known(6, 1, high=True), at={501: (2, 1), 601: (2, 3)})
    issue = issues(state)["issue_rhythm_heavy_adjacent_day_2"]
    assert (issue["severity"], issue["cost"]) == ("warning", 60)
    both = draft(known(5, 1, 1, high=True), known(6, 1, high=True), at={501: (2, 1), 502: (2, 4), 601: (2, 3)})
    issue = issues(both)["issue_rhythm_heavy_adjacent_day_2"]
    assert (issue["severity"], issue["trigger"]["actual"], issue["cost"]) == ("critical", 2, 120)
    assert issue["scope"]["task_ids"] == ids_of(both, 501, 502, 601)


def test_blocks_two_sections_apart_or_in_two_parts_are_no_neighbours() -> None:
    apart = draft(known(5, 1, high=True), known(6, 1, high=True), at={501: (2, 1), 601: (2, 4)})
    parts = draft(known(5, 1, high=True), known(6, 1, high=True), at={501: (2, 4), 601: (2, 5)})
    for state in (apart, parts):
        assert "issue_rhythm_heavy_adjacent_day_2" not in issues(state)
        assert analyze_health(state)["metrics"]["rhythm"]["same_type_transition_ratio"] == 1.0


def test_three_switches_warn_and_four_are_critical() -> None:
    classes = (known(5, 1, 1, 1), known(6, 1, 1))
    state = draft(*classes, at={501: (1, 1), 502: (1, 3), 601: (1, 2), 602: (1, 4), 503: (2, 1)})
    issue = issues(state)["issue_rhythm_switch_warn_day_1"]
    assert issue["trigger"] == {"metric": "switch_count", "operator": "=", "threshold": 3, "actual": 3}
    assert (issue["severity"], issue["cost"], len(issue["scope"]["task_ids"])) == ("warning", 18, 4)
    at = {501: (1, 5), 502: (1, 7), 601: (1, 6), 602: (1, 8), 503: (1, 10)}
    more = draft(*classes, known(7, 1), at={**at, 701: (1, 9)})
    issue = issues(more)["issue_rhythm_switch_day_1"]
    assert (issue["severity"], issue["cost"]) == ("critical", 24)


def test_a_heavy_run_of_one_long_item_is_compressed_but_no_long_run() -> None:
    alone = draft(known(5, 4, high=True), at={501: (1, 1)})
    assert "issue_rhythm_long_block_day_1" not in issues(alone)
    rhythm = analyze_health(alone)["metrics"]["rhythm"]
    assert (rhythm["long_high_intensity_days"], rhythm["compressed_run_count"], rhythm["block_balance"]) == (1, 1, -1)
    joined = draft(known(5, 2, 2, high=True), at={501: (1, 1), 502: (1, 3)})
    assert issues(joined)["issue_rhythm_long_block_day_1"]["trigger"]["metric"] == "high_run"


def test_five_sections_of_one_class_in_a_chain_are_a_long_block() -> None:
    """Blocks chain where the first ends and the second begins in one part, even when the second crosses noon."""
    state = draft(known(5, 3, 2), at={501: (1, 1), 502: (1, 4)})
    assert issues(state)["issue_rhythm_long_block_day_1"]["trigger"]["metric"] == "max_block"
    four = draft(known(5, 2, 1, 1), at={501: (1, 1), 502: (1, 3), 503: (1, 4)})
    assert "issue_rhythm_long_block_day_1" not in issues(four)
    parted = draft(known(5, 3, 2), at={501: (1, 2), 502: (1, 5)})
    assert "issue_rhythm_long_block_day_1" not in issues(parted)


def test_more_blocks_than_allowed_are_crowded() -> None:
    steady = with_rules(known(5, 2, 2, 2), strategy="steady")
    state = draft(steady, at={501: (1, 1), 502: (1, 5), 503: (1, 9)})
    issue = issues(state)["issue_rhythm_crowded_day_1"]
    assert issue["trigger"] == {"metric": "blocks_over_allowance", "operator": ">=", "threshold": 1, "actual": 2}
    assert issue["cost"] == 120


def test_a_day_can_be_overfull_by_load_and_by_lack_of_air() -> None:
    lessons = tuple(course(900 + n, 1, 1 + 2 * n, 2 + 2 * n) for n in range(5))
    state = draft(known(5, 2), at={501: (1, 11)}, events=lessons)
    issue = issues(state)["issue_load_overfull_day_1"]
    assert issue["trigger"] == {"metric": "free_sections", "operator": "<", "threshold": 2, "actual": 0}
    assert issue["cost"] == 30
    loaded = draft(known(5, 4, 4, 2), at={501: (1, 1), 502: (1, 5), 503: (1, 9)})
    issue = issues(loaded)["issue_load_overfull_day_1"]
    assert issue["trigger"] == {"metric": "overload_halves", "operator": ">=", "threshold": 1, "actual": 4}
    assert issue["cost"] == 30


def test_items_in_the_last_days_of_a_class_are_reported_from_two_or_on_the_last_day() -> None:
    one = draft(known(5, 2, 2), at={501: (18, 1), 502: (19, 1)})
    assert "issue_slack_class_5" not in issues(one)
    last = draft(known(5, 2, 2), at={501: (18, 1), 502: (21, 1)})
    issue = issues(last)["issue_slack_class_5"]
    assert (issue["trigger"]["actual"], issue["cost"], issue["scope"]["day_range"]) == (1, 30, [21])
    two = draft(known(5, 2, 2), at={501: (19, 1), 502: (20, 1)})
    assert (issues(two)["issue_slack_class_5"]["trigger"]["actual"]) == 2


def test_a_high_class_in_a_filler_or_in_the_evening_fits_badly() -> None:
    host = (course(900, 1, 3, 4, hosts=True),)
    state = draft(known(5, 2, high=True), at={501: (1, 3)}, events=host)
    issue = issues(state)["issue_fit_class_5"]
    assert (issue["dimension"], issue["cost"], issue["scope"]["task_ids"]) == ("profile", 50, ids_of(state, 501))
    evening = draft(known(5, 2, 2, high=True), at={501: (1, 9), 502: (2, 9)})
    assert "issue_fit_class_5" not in issues(evening)


def test_issues_that_nothing_can_move_are_only_information() -> None:
    classes = (known(5, 1, high=True), known(6, 1, high=True))
    state = draft(*classes, at={501: (2, 1), 601: (2, 2)})
    rows = applied(facts_of((), classes), state)
    loaded = load_state(rows, scope=[5, 6], now=None)
    found = analyze_health(loaded)
    issue = found["issues"][0]
    assert (issue["issue_id"], issue["fixed"], issue["severity"]) == ("issue_rhythm_heavy_adjacent_day_2", True, "info")
    assert (found["verdict"], found["metrics"]["can_close"]) == ("close", True)
    assert "issue_rhythm_info" in {issue["issue_id"] for issue in found["issues"]}


def test_a_past_suggestion_is_seen_but_never_moved() -> None:
    at = {501: (2, 1), 601: (2, 2)}
    classes = (known(5, 1, high=True), known(6, 1, high=True))
    today = draft(*classes, at=at, now=(2, 5))
    assert issues(today)["issue_rhythm_heavy_adjacent_day_2"]["fixed"]
    assert "issue_rhythm_heavy_adjacent_day_2" not in issues(draft(*classes, at=at, now=(3, 1)))


def test_unknown_profiles_never_stop_a_run() -> None:
    state = draft(class_fact(5, (2,)), at={501: (1, 1)})
    found = analyze_health(state)
    assert found["verdict"] == "close"
    assert found["metrics"]["profile"]["missing_complete_profile_count"] == 1
    assert [issue["severity"] for issue in found["issues"]] == ["info", "info"]


def test_pending_items_are_the_question_unless_agreed_to_be_left_out() -> None:
    state = draft(known(5, 2, 2), at={501: (1, 1)})
    asked = analyze_health(state)
    assert (asked["verdict"], asked["decision"]["primary_issue_id"]) == ("ask_user", "issue_pending_items")
    assert asked["decision"]["problem_scope"] == {"day_range": [], "task_ids": ids_of(state, 502)}
    assert asked["metrics"]["feasibility"]["required_sections"] == 2
    assert analyze_health(state, left_out={502})["verdict"] == "close"


def test_a_gap_is_infeasible_and_told_apart_from_a_bad_arrangement() -> None:
    narrow = with_rules(known(5, 4, 4), start_day=1, end_day=1, excluded_slots=(3, 4, 5, 6))
    full = draft(narrow, at={501: (1, 1)})
    found = analyze_health(full)
    assert (found["verdict"], found["decision"]["candidates"]) == ("infeasible", [])
    assert found["metrics"]["feasibility"] == {
        "is_feasible": False,
        "capacity_gap": 4,
        "reason_code": "capacity_insufficient",
        "pending_count": 1,
        "required_sections": 4,
    }
    assert found["decision"]["primary_issue_id"] == "issue_feasibility_capacity_gap"
    first_day = {"start_day": 1, "end_day": 1, "excluded_slots": (3, 4, 5, 6)}
    other = with_rules(known(6, 2), **first_day)
    blocked = draft(with_rules(known(5, 2), **first_day), other, known(7, 2), at={601: (1, 1), 701: (1, 3)})
    state = analyze_health(blocked)
    assert state["metrics"]["feasibility"]["reason_code"] == "replan_needed"
    assert state["verdict"] == "ask_user"


def test_a_plan_without_room_to_move_closes_as_locked() -> None:
    tight = with_rules(known(5, 4, high=True), end_day=1, excluded_slots=(3, 4, 5, 6))
    host = (course(900, 1, 1, 4, hosts=True),)
    found = analyze_health(draft(tight, at={501: (1, 1)}, events=host))
    assert (found["verdict"], found["decision"]["forced_reason"]) == ("close", "locked")
    assert found["decision"]["is_forced_imperfection"]
    assert found["decision"]["candidates"][-1]["after"]["can_close"]


def test_the_rhythm_report_drills_down_by_class_and_day() -> None:
    state = draft(known(5, 1, 1, high=True), known(6, 1, high=True), at={501: (2, 1), 601: (2, 2)})
    found = analyze_rhythm(state, locale="zh")
    (day,) = found["metrics"]["days"]
    assert (day["day"], day["heavy_adjacent"], day["sequence"]) == (2, True, ["类5", "类6"])
    assert (day["own_sections"], day["course_sections"], day["free_sections"]) == (2, 0, 10)
    assert [(row["task_count"], row["placed_count"], row["pending_count"]) for row in found["metrics"]["subjects"]] == [
        (2, 1, 1),
        (1, 1, 0),
    ]
    action = {"action_id": "na_issue_rhythm_heavy_adjacent_day_2", "priority": 2, "intent": "smooth_rhythm"}
    assert found["next_actions"] == [{**action, "day_range": [2], "tools": ["analyze_health"]}]
    one = analyze_rhythm(state, locale="zh", category="类6", include_pending=False, detail="full")
    assert [row["category"] for row in one["metrics"]["subjects"]] == ["类6"]
    assert len(one["metrics"]["days"]) == 21
    assert one["metrics"]["overview"] == found["metrics"]["overview"]


@pytest.mark.parametrize(("numbers", "expected"), [((1, 3), 0.33), ((1, 8), 0.13), ((2, 3), 0.67), ((0, 0), 0.0)])
def test_fractions_have_two_decimals_half_up(numbers: tuple[int, int], expected: float) -> None:
    assert two_decimals(*numbers) == expected
