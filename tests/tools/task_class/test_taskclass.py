"""The class write: what is widened, what is refused, what the student is asked, and that it happens once."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from agent.calls.ports import Ports
from agent.calls.tool import ToolCall
from agent.tools.default import default_registry
from agent.tools.task_class.values import keep_order
from schedules.planner.facts import Facts
from taskclasses.kernel.errors import CodedError, too_large
from tests.kits.tools.cases import NEW_CLASS, Desk, all_ports
from tests.kits.tools.class_values import BROKEN, NAME, new_class
from tests.kits.tools.world import GRID, call, class_fact, context, draft, facts

REGISTRY = default_registry()


async def upsert(arguments, state=None, desk=None, **fields):
    return await call(NAME, arguments, state or draft(), ports=all_ports(desk), **fields)


@pytest.mark.parametrize(("changes", "field", "code"), BROKEN)
async def test_a_broken_row_is_an_issue_of_its_own(changes, field, code):
    state = draft()
    desk = Desk()
    outcome, result = await upsert(new_class(**changes), state, desk)
    told = json.loads(result.observation_text)
    assert told["error_code"] == "validation_failed"
    assert told["validation"]["ok"] is False
    assert (field, code) in {(one["field"], one["code"]) for one in told["validation"]["issues"]}
    assert outcome.draft is state
    assert desk.writes == 0


async def test_all_errors_come_at_once_and_warnings_do_not_stop():
    outcome, _ = await upsert({"task_class": {"name": "x", "mode": "auto"}})
    errors = [one["field"] for one in outcome.data["validation"]["issues"] if one["severity"] == "error"]
    assert errors == ["task_class.start_date", "task_class.end_date", "items", "task_class.config.total_slots"]
    outcome, _ = await upsert(new_class(task_class__name="线性代数"), dry_run=True)
    codes = {one["code"] for one in outcome.data["validation"]["issues"]}
    assert outcome.error is None
    assert {"profile_missing", "same_name"} <= codes


async def test_durations_that_do_not_add_up_are_a_warning():
    items = [{"content": "a", "duration": 1}, {"content": "b", "duration": 1}]
    outcome, _ = await upsert(new_class(items=items), dry_run=True)
    assert "budget_uneven" in {one["code"] for one in outcome.data["validation"]["issues"]}


async def test_a_class_that_finds_no_room_is_warned_about():
    values = new_class(task_class__start_date="2026-03-22", task_class__end_date="2026-03-22")
    outcome, _ = await upsert(values, dry_run=True)
    (capacity,) = [one for one in outcome.data["validation"]["issues"] if one["code"] == "capacity"]
    assert "需要4节" in capacity["message"]


async def test_accepted_widenings_are_reported():
    values = {
        "task_class": {
            "name": "  线性   代数 ", "subject_type": "理工", "difficulty_level": "高", "cognitive_intensity": "MEDIUM",
            "end_date": "2026-04-12", "excluded_slots": ["11-12", 1, 1], "excluded_days_of_week": [7, 6],
            "config": {"start_date": "2026-03-16", "total_slots": 4, "strategy": "突击"},
        },
        "items": [{"title": "矩阵", "order": 9}, {"content": " 行列式 ", "order": 2}],
    }  # fmt: skip
    outcome, _ = await upsert(values, dry_run=True)
    assert outcome.error is None, outcome.data
    merged = outcome.data["class"]
    assert (merged["name"], merged["subject_type"], merged["difficulty_level"]) == ("线性 代数", "quantitative", "high")
    assert (merged["cognitive_intensity"], merged["strategy"]) == ("medium", "rapid")
    assert (merged["start_date"], merged["excluded_slots"]) == ("2026-03-16", [1, 6])
    assert merged["excluded_days_of_week"] == [6, 7]
    assert [(row["order"], row["content"]) for row in merged["items"]] == [(1, "行列式"), (2, "矩阵")]
    fields = {note["field"] for note in outcome.data["normalized"]}
    assert {"task_class.start_date", "task_class.config.excluded_slots", "items[0].content"} <= fields


async def test_words_for_values_and_items_in_one_text_are_read():
    values = {
        "task_class": {
            "name": "线代", "mode": "自动", "subject_type": "数学", "difficulty_level": "困难",
            "cognitive_intensity": "中等", "start_date": "2026-03-16", "end_date": "2026-04-12",
            "config": {"total_slots": 6, "strategy": "均匀分布"},
        },
        "items": "行列式、矩阵；特征值",
    }  # fmt: skip
    outcome, _ = await upsert(values, dry_run=True)
    assert outcome.error is None, outcome.data
    merged = outcome.data["class"]
    assert (merged["mode"], merged["subject_type"], merged["strategy"]) == ("auto", "quantitative", "steady")
    assert (merged["difficulty_level"], merged["cognitive_intensity"]) == ("high", "medium")
    assert [row["content"] for row in merged["items"]] == ["行列式", "矩阵", "特征值"]


@pytest.mark.parametrize("flat", [False, True])
def test_fields_of_a_class_in_another_spelling_are_read(flat):
    config = {"totalSlots": "6", "excludedDaysOfWeek": "周日", "excludedSlots": ["11-12"]}
    fields = {"name": "线代", "startDate": "2026/03/16", "endDate": "2026-04-12"}
    given = {**fields, **config} if flat else {"taskClass": {**fields, "config": config}}
    read, dropped = REGISTRY.fit("upsert_task_class", {**given, "items": ["矩阵"]})
    assert isinstance(read, ToolCall), read
    assert dropped == ()
    written = read.arguments["task_class"]
    assert (written["start_date"], written["end_date"]) == ("2026-03-16", "2026-04-12")
    assert written["config"] == {"total_slots": 6, "excluded_days_of_week": [7], "excluded_slots": [6]}


FLAT = {
    "name": "线代",
    "start_date": "2026年3月16日",
    "end_date": "2026/4/12",
    "total_slots": "4节",
    "strategy": "集中",
    "excluded_days_of_week": ["周日", "Saturday"],
}


@pytest.mark.parametrize("outer", [lambda fields: fields, lambda fields: {"task_class": fields}])
async def test_a_class_that_is_written_flat_is_read_as_the_class_it_means(outer):
    outcome, _ = await upsert({**outer(FLAT), "items": ["矩阵", "行列式"]}, dry_run=True)
    assert outcome.error is None, outcome.data
    merged = outcome.data["class"]
    assert (merged["name"], merged["start_date"], merged["end_date"]) == ("线代", "2026-03-16", "2026-04-12")
    assert (merged["total_slots"], merged["strategy"], merged["excluded_days_of_week"]) == (4, "rapid", [6, 7])
    assert [row["content"] for row in merged["items"]] == ["矩阵", "行列式"]


async def test_a_field_that_stands_twice_is_left_to_be_refused():
    outcome = default_registry().validate(NAME, {"name": "一", "task_class": {"name": "二"}})
    assert outcome.code == "invalid_args"


async def test_a_dry_run_shows_the_field_table_and_saves_nothing():
    desk = Desk()
    validated = REGISTRY.validate(NAME, NEW_CLASS)
    outcome, _ = await upsert(NEW_CLASS, desk=desk, dry_run=True)
    card = REGISTRY.card("execute.tool.1", validated, outcome, draft(), locale="zh")
    assert desk.writes == 0
    assert (
        card.summary
        == "新建任务类「线性代数复习」：2 项 / 4 节，第3周周一–第6周周日，周日不排；没填学科类型、难度、费脑程度"
    )
    shown = {row["label"]: row["value"] for row in card.fields}
    assert (shown["名称"], shown["总节数"], shown["不排的星期"], shown["任务项 2"]) == (
        "线性代数复习",
        "4 节",
        "周日",
        "矩阵",
    )
    assert [one.op for one in outcome.changes] == ["class_create"]


async def test_an_update_shows_before_and_after_and_keeps_what_is_not_given():
    outcome, _ = await upsert({"id": 9, "task_class": {"end_date": "2026-04-05"}}, dry_run=True)
    validated = REGISTRY.validate(NAME, {"id": 9, "task_class": {"end_date": "2026-04-05"}})
    card = REGISTRY.card("execute.tool.1", validated, outcome, draft(), locale="zh")
    changed = [row for row in card.fields if row["label"] != "提示"]
    assert changed == [{"label": "结束日期", "value": "3 月 29 日 周日 → 4 月 5 日 周日"}]
    assert card.summary == "更新任务类「线性代数」：结束日期 3 月 29 日 周日 → 4 月 5 日 周日"
    assert [row["content"] for row in outcome.data["class"]["items"]] == ["第一章", "第二章"]


async def test_an_update_of_items_is_shown_item_by_item():
    items = [{"id": 901, "content": "第一章"}, {"content": "新的一章"}]
    outcome, _ = await upsert({"id": 9, "items": items}, dry_run=True)
    assert [(row["number"], row["before"] and row["before"]["content"], row["after"] and row["after"]["content"])
            for row in outcome.data["confirm_fields"]] == [(2, None, "新的一章"), (2, "第二章", None)]  # fmt: skip


class Chapters(Desk):
    """A class of six chapters, none on the timetable."""

    lengths: tuple[int | None, ...] = (None,) * 6

    async def book(self, class_id: int | None) -> dict[str, Any]:
        found = await super().book(class_id)
        lengths = enumerate(self.lengths, 1)
        items = [{"id": n, "order": n, "content": f"Chapter {n}", "duration": own, "status": 1} for n, own in lengths]
        return {**found, "current": {**found["current"], "items": items, "total_slots": 12}}


@pytest.mark.parametrize(
    ("order", "zh", "en"),
    [
        ([1, 2, 4, 5, 6], "移除：Chapter 3", "removed: Chapter 3"),
        ([1, 2, 3, 5, 4, 6], "Chapter 5 移到第 4 项", "Chapter 5 becomes step 4"),
        ([6, 1, 2, 3, 4, 5], "Chapter 6 移到第 1 项", "Chapter 6 becomes step 1"),
        ([1, "Review", 2, 3, 4, 5, 6], "新增：Review", "new: Review"),
        (
            [*"abcde", 1, 2, 3, 4, 5, 6],
            "新增：a；新增：b；新增：c；新增：d等 5 处",
            "new: a; new: b; new: c; new: d … (5 in all)",
        ),
        (
            ["x", 1, 3, 2, 5, 6],
            "新增：x；Chapter 3 移到第 3 项；移除：Chapter 4",
            "new: x; Chapter 3 becomes step 3; removed: Chapter 4",
        ),
    ],
)
async def test_a_consent_card_says_which_items_change_and_not_those_that_only_follow(order, zh, en):
    items = [{"id": row, "content": f"Chapter {row}"} if isinstance(row, int) else {"content": row} for row in order]
    arguments = {"id": 9, "items": items, "task_class": {"config": {"total_slots": 2 * len(items)}}}
    outcome, _ = await upsert(arguments, desk=Chapters(), dry_run=True)
    validated = REGISTRY.validate(NAME, arguments)
    told = [REGISTRY.card("execute.tool.1", validated, outcome, draft(), locale=lang).summary for lang in ("zh", "en")]
    assert told == [f"更新任务类「线性代数」：{zh}", f'Update task "线性代数": {en}']


async def test_an_item_that_is_renamed_and_moved_tells_both():
    names = {6: "Summary"}
    items = [{"id": row, "content": names.get(row, f"Chapter {row}")} for row in (6, 1, 2, 3, 4, 5)]
    outcome, _ = await upsert({"id": 9, "items": items}, desk=Chapters(), dry_run=True)
    validated = REGISTRY.validate(NAME, {"id": 9, "items": items})
    told = [REGISTRY.card("execute.tool.1", validated, outcome, draft(), locale=lang).summary for lang in ("zh", "en")]
    assert told == [
        "更新任务类「线性代数」：Chapter 6 → Summary 移到第 1 项",
        'Update task "线性代数": Chapter 6 → Summary becomes step 1',
    ]


def test_the_longest_run_in_order_is_kept():
    shuffled = random.Random(7).sample(range(400), 400)
    for numbers in (list(range(60)), list(range(60))[::-1], [3, 1, 2, 5, 4, 6], shuffled, []):
        best = [1] * len(numbers)
        for at, number in enumerate(numbers):
            best[at] += max((best[one] for one in range(at) if numbers[one] < number), default=0)
        kept = keep_order(numbers)
        rising = [number for number in numbers if number in kept]
        assert rising == sorted(rising)
        assert len(kept) == max(best, default=0)


class UnevenChapters(Chapters):
    """Chapters of lengths of their own, which remembers what it was asked to save."""

    lengths = (1, 2, 3, None, 2, 1)
    asked: dict[str, Any]

    async def save(self, values: dict[str, Any], *, call_id: str) -> dict[str, Any]:
        self.asked = values
        return await super().save(values, call_id=call_id)


async def test_items_that_are_given_without_a_length_keep_the_one_they_have():
    desk = UnevenChapters()
    rows = [
        {"id": 1, "content": "Opening"},
        {"id": 3, "content": "Chapter 3"},
        {"id": 5, "content": "x", "duration": 4},
    ]
    items = [*rows, {"id": 4, "content": "Chapter 4"}, {"content": "new"}]
    outcome, _ = await upsert({"id": 9, "items": items, "task_class": {"config": {"total_slots": 12}}}, desk=desk)
    assert outcome.error is None
    assert [row.get("duration") for row in desk.asked["items"]] == [1, 3, 4, None, None]
    told = [row for row in outcome.data["confirm_fields"] if row["field"] == "items" and row["before"] and row["after"]]
    assert [(row["before"]["content"], row["after"]["content"], row["after"]["duration"]) for row in told] == [
        ("Chapter 1", "Opening", 1),
        ("Chapter 5", "x", 4),
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"id": 404, "task_class": {"name": "x"}}, "class_not_found"),
        (
            {"id": 9, "items": [{"id": 902, "content": "第二章"}], "task_class": {"config": {"total_slots": 2}}},
            "item_applied",
        ),
        ({"id": 9, "items": [{"id": 901, "content": "a"}, {"id": 77, "content": "b"}]}, "validation_failed"),
        ({"id": 9, "task_class": {"end_date": "2026-03-29"}}, "no_change"),
    ],
)
async def test_an_update_that_cannot_be_is_refused_before_any_card(arguments, code):
    outcome, _ = await upsert(arguments, dry_run=True)
    assert outcome.error.code == code


async def test_the_same_call_writes_once():
    desk = Desk()
    first, _ = await upsert(NEW_CLASS, desk=desk, call_id="execute.tool.3")
    again, _ = await upsert(NEW_CLASS, desk=desk, call_id="execute.tool.3")
    assert desk.writes == 1
    assert first.data["task_class_id"] == again.data["task_class_id"] == 6


async def test_the_class_joins_the_scope_and_the_draft_follows_the_rows():
    """Class 6 was shortened and lost an item: its suggestion goes with it, its other item stays buildable."""
    desk, asked = Desk(), []

    async def newer(class_ids):
        asked.append(tuple(class_ids))
        late = class_fact(6, "六级词汇", (2, 1), fillers=False, excluded_days_of_week=(4, 7))
        return Facts(7, 1, GRID, 2, facts().events, (facts().task_classes[0], late))

    state = draft()
    outside = Ports(upsert_task_class=desk.save, task_class_book=desk.book, load_facts=newer)
    outcome, result = await call(NAME, NEW_CLASS, state, ports=outside)
    assert asked[-1] == outcome.draft.scope == (5, 6)
    assert outcome.draft.revision == state.revision + 1
    assert outcome.data["unplaced"] == [{"task_id": 8, "name": "六级词汇第1项", "rule": "excluded_weekday"}]
    told = json.loads(result.observation_text)
    assert (told["draft_revision"], told["scope"]) == (outcome.draft.revision, [5, 6])
    assert result.draft_revision == outcome.draft.revision


async def test_without_a_draft_the_write_makes_one():
    outcome, _ = await call(NAME, NEW_CLASS, None, ports=all_ports(), scope=())
    assert outcome.draft.scope == (6,)
    assert outcome.data["draft_revision"] == 0


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (TimeoutError(), "persist_failed"),
        (CodedError(40040), "class_not_found"),
        (CodedError(40034), "item_applied"),
        (too_large("task_classes", 500), "validation_failed"),
        (CodedError(40005), "persist_failed"),
        (RuntimeError("driver"), "persist_failed"),
    ],
)
async def test_a_write_that_fails_is_a_failed_result(failure, code):
    async def failing(values, *, call_id):
        raise failure

    desk = Desk()
    state = draft()
    outside = Ports(upsert_task_class=failing, task_class_book=desk.book, load_facts=desk.facts)
    outcome, result = await call(NAME, NEW_CLASS, state, ports=outside)
    assert (result.status, result.error_code) == ("failed", code)
    assert outcome.draft is state


async def test_one_class_too_many_is_told_as_that():
    async def full(values, *, call_id):
        raise too_large("task_classes", 500)

    outside = Ports(upsert_task_class=full, task_class_book=Desk().book, load_facts=Desk().facts)
    _, result = await call(NAME, NEW_CLASS, draft(), ports=outside)
    assert "已经有 500 个任务类" in result.observation_text


async def test_a_class_that_was_saved_is_told_so_when_the_draft_cannot_follow():
    desk, state = Desk(), draft()

    async def facts_until_saved(class_ids):
        if desk.writes:
            raise RuntimeError("the database went away")
        return facts()

    outside = Ports(upsert_task_class=desk.save, task_class_book=desk.book, load_facts=facts_until_saved)
    outcome, result = await call(NAME, NEW_CLASS, state, ports=outside)
    assert (result.status, outcome.data["task_class_id"], outcome.data["scope"]) == ("done", 6, [5, 6])
    assert outcome.draft is state


async def test_without_its_ports_nothing_is_written():
    outcome, _ = await call(NAME, NEW_CLASS, draft(), ports=Ports())
    assert outcome.error.code == "persist_failed"


def test_identity_is_no_argument():
    found = REGISTRY.validate(NAME, {**NEW_CLASS, "user_id": 1}, draft())
    assert found.details["details"][0]["field"] == "user_id"
    assert context().scope == (5, 6)


async def test_a_single_block_of_a_weekday_is_told_with_its_day():
    arguments = {"id": 9, "task_class": {"config": {"excluded_cells": [{"day_of_week": 5, "block": 3}]}}}
    outcome, _ = await upsert(arguments, dry_run=True)
    validated = REGISTRY.validate(NAME, arguments)
    told = [REGISTRY.card("execute.tool.1", validated, outcome, draft(), locale=lang).summary for lang in ("zh", "en")]
    assert ["周五 5-6节" in told[0], "Fri, periods 5-6" in told[1]] == [True, True], told
