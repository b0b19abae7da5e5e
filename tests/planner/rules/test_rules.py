"""Each hard rule broken alone: one situation per rule in which no other rule answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from schedules.planner.draft.load import subject_of
from schedules.planner.facts import ClassFact
from schedules.planner.grid import Place
from schedules.planner.rules.board import Board, Occupant, PlacedItem
from schedules.planner.rules.placement import RULES, HostMode, Situation, broken_rules
from schedules.planner.rules.sentences import violation_text
from schedules.planner.rules.violations import REST_CODES, Rule
from tests.kits.planner.worlds import GRID, class_fact, with_rules

HOST, LECTURE = 900, 901
CLASS = class_fact(5, (2, 2, 2), start=1, end=14)
EVENTS = (
    Occupant(HOST, "思修", "course", Place(2, 3, 2), True),
    Occupant(LECTURE, "高等数学", "course", Place(1, 1, 2), False),
)


def board(*items: PlacedItem) -> Board:
    return Board(GRID, EVENTS, items)


def sibling(order: int, place: Place) -> PlacedItem:
    return PlacedItem(500 + order, 5, order, f"项5-{order}", place, None)


def stranger(place: Place, host: int | None = None) -> PlacedItem:
    return PlacedItem(700, 7, 1, "单词", place, host)


FREE_PLACE = Place(3, 3, 2)
ALONE: list[tuple[Rule, Place, HostMode, Situation, ClassFact, Board]] = [
    (Rule.OUTSIDE_WINDOW, FREE_PLACE, "derive", Situation(window=(4, 9)), CLASS, board()),
    (Rule.OUTSIDE_SEMESTER, Place(3, 12, 2), "derive", Situation(), CLASS, board()),
    (Rule.WRONG_LENGTH, Place(3, 3, 3), "free", Situation(), CLASS, board()),
    (
        Rule.CLOSED_DAY,
        FREE_PLACE,
        "derive",
        Situation(),
        CLASS,
        Board(replace(GRID, closed_days=frozenset({3})), EVENTS),
    ),
    (
        Rule.KEPT_FREE,
        FREE_PLACE,
        "derive",
        Situation(),
        CLASS,
        Board(replace(GRID, kept_free=frozenset({(3, 4)})), EVENTS),
    ),
    (Rule.OUTSIDE_CLASS_WINDOW, Place(15, 3, 2), "derive", Situation(), CLASS, board()),
    (Rule.IN_THE_PAST, FREE_PLACE, "derive", Situation(now=(3, 4)), CLASS, board()),
    (Rule.EXCLUDED_WEEKDAY, FREE_PLACE, "derive", Situation(), with_rules(CLASS, excluded_days_of_week=(3,)), board()),
    (Rule.EXCLUDED_BLOCK, FREE_PLACE, "derive", Situation(), with_rules(CLASS, excluded_slots=(2,)), board()),
    (Rule.EXCLUDED_CELL, FREE_PLACE, "derive", Situation(), with_rules(CLASS, excluded_cells=((3, 2),)), board()),
    (Rule.NOT_ALIGNED, Place(3, 2, 2), "derive", Situation(planner=True), CLASS, board()),
    (
        Rule.CROSSES_DAY_PART,
        Place(3, 3, 3),
        "derive",
        Situation(planner=True),
        class_fact(5, (3, 3, 3), end=14),
        board(),
    ),
    (Rule.HOST_UNKNOWN, FREE_PLACE, HOST, Situation(), CLASS, board()),
    (Rule.OCCUPIED, FREE_PLACE, "free", Situation(), CLASS, board(stranger(Place(3, 4, 1)))),
    (
        Rule.FILLER_NOT_ALLOWED,
        Place(2, 3, 2),
        "derive",
        Situation(),
        with_rules(CLASS, allow_filler_course=False),
        board(),
    ),
    (Rule.HOST_PARTIAL, Place(2, 2, 2), "derive", Situation(), CLASS, board()),
    (Rule.HOST_TAKEN, Place(2, 3, 2), HOST, Situation(), CLASS, board(stranger(Place(2, 3, 2), HOST))),
    (Rule.ORDER_BEFORE, FREE_PLACE, "derive", Situation(), CLASS, board(sibling(1, Place(4, 1, 2)))),
    (Rule.ORDER_AFTER, FREE_PLACE, "derive", Situation(), CLASS, board(sibling(3, Place(1, 3, 2)))),
]


@pytest.mark.parametrize(
    ("rule", "place", "host", "situation", "owner", "others"), ALONE, ids=[row[0].value for row in ALONE]
)
def test_it_breaks_exactly_this_rule(
    rule: Rule, place: Place, host: HostMode, situation: Situation, owner: ClassFact, others: Board
) -> None:
    found = broken_rules(others, subject_of(owner, owner.items[1]), place, host=host, situation=situation)
    assert [one.rule for one in found] == [rule]
    assert violation_text(found[0], "zh")
    assert found[0].rest_code == REST_CODES[rule]


def test_a_course_that_may_not_host_is_named_before_its_cells_are_called_taken() -> None:
    found = broken_rules(board(), subject_of(CLASS, CLASS.items[1]), Place(1, 1, 2), host=LECTURE)
    assert [one.rule for one in found] == [Rule.HOST_NOT_EMBEDDABLE, Rule.OCCUPIED]


def test_a_lecture_elsewhere_cannot_host() -> None:
    """Rule 11 alone does not exist: a lecture under the place also occupies it, elsewhere it is not there at all."""
    found = broken_rules(board(), subject_of(CLASS, CLASS.items[1]), FREE_PLACE, host=LECTURE)
    assert [one.rule for one in found] == [Rule.HOST_UNKNOWN, Rule.HOST_NOT_EMBEDDABLE]


def test_the_list_ends_at_a_place_outside() -> None:
    past = Situation(now=(200, 1))
    assert [
        r.rule for r in broken_rules(board(), subject_of(CLASS, CLASS.items[0]), Place(141, 1, 2), situation=past)
    ] == [Rule.OUTSIDE_SEMESTER]


def test_order_holds_across_an_unplaced_middle_item() -> None:
    others = board(sibling(3, Place(3, 1, 2)))
    found = broken_rules(others, subject_of(CLASS, CLASS.items[0]), Place(4, 1, 2))
    assert [one.rule for one in found] == [Rule.ORDER_AFTER]


def test_an_order_rule_names_the_binding_sibling_and_the_range() -> None:
    others = board(sibling(1, Place(4, 11, 2)), sibling(3, Place(6, 1, 2)))
    violation = broken_rules(others, subject_of(CLASS, CLASS.items[1]), FREE_PLACE)[0]
    assert violation.params["range_from"] == [5, 1]
    assert violation.params["range_to"] == [5, 12]
    assert violation_text(violation, "zh") == "须在第1项「项5-1」之后（可用范围：第1周周五第1节 ~ 第1周周五第12节）"


def test_the_own_place_of_an_item_is_never_in_its_way() -> None:
    me = sibling(2, FREE_PLACE)
    assert broken_rules(board(me), subject_of(CLASS, CLASS.items[1]), Place(3, 4, 2)) == []


def test_every_rule_has_one_function_and_one_code() -> None:
    assert len(RULES) == len(Rule) == len(REST_CODES) == 20
