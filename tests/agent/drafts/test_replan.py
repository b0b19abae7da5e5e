"""Life happens: each ask becomes a draft by least change, in words with dates, and nothing is applied by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from schedules.services import class_create
from smartmate.accounts.tokens import token_create
from taskclasses.fields import ItemValues
from taskclasses.models import TaskClass, TaskItem
from tests.kits.agent.lived_term import Term
from tests.kits.timetable.fixtures import courses
from tests.kits.timetable.helpers import Api, class_values

__all__ = ["courses"]


@pytest.fixture
def term(transactional_db: None, user: Any, semester: Any, courses: None, monkeypatch: pytest.MonkeyPatch) -> Term:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 4, 16, 2, tzinfo=UTC))
    return Term(user, Api(Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})))


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


def test_evenings_stay_free(term: Term) -> None:
    row = class_create(user=term.user, values=class_values(name="晚上", items=[ItemValues(1, "练习")]))
    term.apply(row, (7, 4, 9))
    item = row.items.get().pk
    found = term.ask("keep_free", from_date="2026-04-16", to_date="2026-04-30", evenings=True)
    assert list(moves(found)) == [item]
    assert found["difference"]["moved"][0]["after"]["section_from"] < 9


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
