"""The placement rule and the fast list of legal places, judged by the table of places."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.planner.draft.operations import SwapOp, judge
from schedules.planner.draft.state import TaskEntry
from schedules.planner.rules.placement import DERIVE
from schedules.planner.rules.violations import Rule
from tests.kits.planner.legal_places import legal_places
from tests.kits.planner.places import TABLE, draft, place_of

STATE = draft()
CASES = TABLE["cases"]
each_case = pytest.mark.parametrize("case", CASES, ids=[case["says"] for case in CASES])


def entry_of(item_id: int) -> TaskEntry:
    entry = STATE.by_item(item_id)
    assert entry is not None
    return entry


@each_case
def test_the_rule_names_what_the_table_says_is_broken(case: dict[str, Any]) -> None:
    spots, broken = judge(STATE, {case["item"]: (place_of(case), DERIVE)})
    assert [one.rule.value for one in broken.get(case["item"], [])] == case["broken"]
    if not case["broken"]:
        assert spots[case["item"]].host_event_id == case.get("host")


@each_case
def test_a_place_is_listed_with_its_host_when_nothing_is_broken(case: dict[str, Any]) -> None:
    listed = dict(legal_places(STATE, entry_of(case["item"]).state_id))
    place = place_of(case)
    assert (place in listed) == (not case["broken"])
    assert listed.get(place) == case.get("host")


@pytest.mark.parametrize("case", [case for case in CASES if "swaps_with" in case], ids=lambda case: case["says"])
def test_two_suggestions_change_places_where_the_table_says_so(case: dict[str, Any]) -> None:
    partner = entry_of(case["swaps_with"])
    assert STATE.place_of(partner) == place_of(case)
    assert SwapOp(entry_of(case["item"]).state_id, partner.state_id).check(STATE) is None


def test_the_table_breaks_every_rule_that_a_student_can_break() -> None:
    named = {rule for case in CASES for rule in case["broken"]}
    never = {"wrong_length", "not_aligned", "crosses_day_part", "host_unknown", "host_not_embeddable"}
    assert named == {rule.value for rule in Rule} - never
