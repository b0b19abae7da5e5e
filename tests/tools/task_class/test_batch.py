"""The write of several classes: one card for one wish, all of them or none, once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.calls.ports import Ports
from agent.tools.default import default_registry
from taskclasses.kernel.errors import CodedError
from tests.kits.tools.cases import stored_class
from tests.kits.tools.world import call, draft, facts

REGISTRY = default_registry()
NAME = "batch_update_task_classes"
NO_SUNDAYS = {"config": {"excluded_days_of_week": [7]}}


class Shelf:
    """The ports over two stored classes."""

    def __init__(self) -> None:
        other = {**stored_class(), "id": 10, "name": "概率论", "excluded_days_of_week": [7]}
        self.rows = {9: stored_class(), 10: other}
        self.saved: dict[str, Any] = {}
        self.refusal: CodedError | None = None

    async def book(self, class_id: int | None) -> dict[str, Any]:
        names = [{"id": row["id"], "name": row["name"]} for row in self.rows.values()]
        return {"today": "2026-03-10", "classes": names, "current": self.rows.get(class_id or 0)}

    async def save(self, rows: Any, *, call_id: str) -> dict[str, Any]:
        if self.refusal is not None:
            raise self.refusal
        self.saved.setdefault(call_id, rows)
        return {"task_class_ids": [row["id"] for row in self.saved[call_id]]}

    async def facts(self, class_ids: Any) -> Any:
        return facts()

    def ports(self) -> Ports:
        return Ports(update_task_classes=self.save, task_class_book=self.book, load_facts=self.facts)


def changes(*ids: int, task_class: Any = NO_SUNDAYS) -> dict[str, Any]:
    return {"classes": [{"id": one, "task_class": task_class} for one in ids]}


async def write(arguments: dict[str, Any], shelf: Shelf | None = None, **fields: Any) -> Any:
    return await call(NAME, arguments, draft(), ports=(shelf or Shelf()).ports(), **fields)


async def test_one_card_tells_what_changes_alike_once_and_saves_nothing():
    shelf = Shelf()
    shelf.rows[10]["excluded_days_of_week"] = []
    outcome, _ = await write(changes(9, 10), shelf, dry_run=True)
    card = REGISTRY.card("c", REGISTRY.validate(NAME, changes(9, 10)), outcome, draft(), locale="zh")
    assert card.summary == "更新任务类「线性代数」、「概率论」：不排的星期 周日"
    assert [(row["label"], row["value"]) for row in card.fields][:2] == [
        ("线性代数 · 不排的星期", "周日"), ("概率论 · 不排的星期", "周日"),
    ]  # fmt: skip
    assert [(one.op, one.task_class_id) for one in outcome.changes] == [("class_update", 9), ("class_update", 10)]
    assert shelf.saved == {}


async def test_what_changes_otherwise_is_told_of_each():
    given = {"classes": [*changes(9)["classes"], {"id": 10, "task_class": {"end_date": "2026-03-27"}}]}
    outcome, _ = await write(given, dry_run=True)
    card = REGISTRY.card("c", REGISTRY.validate(NAME, given), outcome, draft(), locale="en")
    first, second = card.summary.split("; ")
    assert first.startswith('Update task "线性代数":')
    assert second.startswith('Update task "概率论":')


async def test_a_class_that_has_it_already_is_left_out():
    shelf = Shelf()
    outcome, result = await write(changes(9, 10), shelf, call_id="one")
    assert outcome.error is None
    assert json.loads(result.observation_text)["task_class_ids"] == [9]
    assert [row["id"] for row in shelf.saved["one"]] == [9]
    assert {(value.owner, value.field) for value in outcome.written} == {(9, "excluded_days_of_week")}
    unchanged, _ = await write(changes(10), dry_run=True)
    assert unchanged.error is not None
    assert unchanged.error.code == "no_change"


async def test_one_wrong_class_stops_all_and_is_named():
    shelf = Shelf()
    given = {"classes": [*changes(9)["classes"], {"id": 10, "task_class": {"end_date": "2026-03-01"}}]}
    outcome, result = await write(given, shelf)
    told = json.loads(result.observation_text)
    assert told["error_code"] == "validation_failed"
    assert {one["task_class_id"] for one in told["validation"]["issues"] if one["severity"] == "error"} == {10}
    assert "概率论" in result.error_message
    assert shelf.saved == {}
    assert outcome.changes == ()


async def test_a_class_that_is_not_there_is_not_found():
    shelf = Shelf()
    _, result = await write(changes(9, 77), shelf)
    assert json.loads(result.observation_text)["error_code"] == "class_not_found"
    assert shelf.saved == {}


async def test_what_the_rows_refuse_is_told_and_nothing_is_remembered_as_written():
    shelf = Shelf()
    shelf.refusal = CodedError(40040, {"task_class_ids": [9]})
    outcome, _ = await write(changes(9), shelf)
    assert outcome.error is not None
    assert outcome.error.code == "class_not_found"
    assert outcome.written == ()


@pytest.mark.parametrize(
    "wrong",
    [changes(), changes(9, 9), {"classes": [{"id": 9}]}, {"classes": [{**changes(9)["classes"][0], "items": ["一"]}]}],
    ids=["none", "twice", "nothing to change", "with items"],
)
def test_arguments_that_do_not_fit_are_refused(wrong):
    assert REGISTRY.validate(NAME, wrong).code == "invalid_args"


def test_each_class_is_read_with_the_words_a_model_uses():
    flat = {"classes": [{"id": 9, "excludedDaysOfWeek": "周日"}, {"id": 10, "end_date": "2026/3/27"}]}
    read, dropped = REGISTRY.fit(NAME, flat)
    assert dropped == ()
    assert [one["task_class"] for one in read.arguments["classes"]] == [NO_SUNDAYS, {"end_date": "2026-03-27"}]
