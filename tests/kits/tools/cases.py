"""One call that works and one that fails for every tool, on the draft of `world`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.calls.ports import Hit, Ports, WebFailure, WebPage
from schedules.planner.soft_limits import SoftLimit
from taskclasses.kernel.errors import CodedError
from tests.kits.tools.world import facts


def stored_class() -> dict[str, Any]:
    """A class as the API shows it; its first item is on the timetable."""
    items = [
        {"id": 901, "order": 1, "content": "第一章", "duration": None, "sections": 2, "status": 2},
        {"id": 902, "order": 2, "content": "第二章", "duration": None, "sections": 2, "status": 1},
    ]
    return {
        "id": 9, "name": "线性代数", "mode": "auto", "start_date": "2026-03-16", "end_date": "2026-03-29",
        "subject_type": "quantitative", "difficulty_level": "low", "cognitive_intensity": None, "total_slots": 4,
        "allow_filler_course": False, "strategy": "steady", "excluded_slots": [], "excluded_days_of_week": [],
        "items": items,
    }  # fmt: skip


class Desk:
    """The class ports over one stored class; remembers what was saved by call id."""

    def __init__(self) -> None:
        self.saved: dict[str, dict[str, Any]] = {}
        self.writes = 0
        self.wishes: list[SoftLimit] = []

    async def book(self, class_id: int | None) -> dict[str, Any]:
        current = stored_class() if class_id == 9 else None
        return {"today": "2026-03-10", "classes": [{"id": 9, "name": "线性代数"}], "current": current}

    async def save(self, values: dict[str, Any], *, call_id: str) -> dict[str, Any]:
        if call_id not in self.saved:
            self.writes += 1
            self.saved[call_id] = {"task_class_id": 6, "created": "id" not in values, "item_ids": [601, 602]}
        return self.saved[call_id]

    async def save_all(self, rows: Sequence[dict[str, Any]], *, call_id: str) -> dict[str, Any]:
        if call_id not in self.saved:
            self.writes += 1
            self.saved[call_id] = {"task_class_ids": [row["id"] for row in rows]}
        return self.saved[call_id]

    async def delete(self, class_id: int, *, call_id: str) -> dict[str, Any]:
        if class_id != 9:
            raise CodedError(40040, {"task_class_ids": [class_id]})
        if call_id not in self.saved:
            self.writes += 1
            self.saved[call_id] = {"task_class_id": class_id}
        return self.saved[call_id]

    async def preferences(self) -> list[SoftLimit]:
        return list(self.wishes)

    async def change_preferences(self, added: Any, removed: Any) -> list[SoftLimit]:
        gone = {*removed, *added}
        self.wishes = [*(one for one in self.wishes if one not in gone), *added]
        return self.wishes

    async def facts(self, class_ids: Any) -> Any:
        return facts()

    async def check_marks(self, marks: Any) -> int:
        missed = [mark["task_item_id"] for mark in marks if mark["progress"] == "missed"]
        if missed:
            raise CodedError(40090, {"reason": "not_placed", "task_item_ids": missed})
        return len(marks)

    async def mark(self, marks: Any, *, call_id: str) -> dict[str, Any]:
        await self.check_marks(marks)
        if call_id not in self.saved:
            self.writes += 1
            self.saved[call_id] = {"batch_id": 4, "items": []}
        return self.saved[call_id]


async def search(query: str, **asked: Any) -> list[Hit]:
    return [Hit("概率论提纲", "https://a.example.org/x", "一句摘要", "a.example.org", "2026-01-05")]


async def fetch(url: str, *, max_chars: int) -> WebPage:
    if "private" in url:
        raise WebFailure("web_blocked_url", reason="address")
    return WebPage(url, url, "贝叶斯公式", "第一行\n第二行", False, 30)


def all_ports(desk: Desk | None = None) -> Any:
    desk = desk or Desk()
    return Ports(
        web_search=search,
        web_fetch=fetch,
        upsert_task_class=desk.save,
        update_task_classes=desk.save_all,
        delete_task_class=desk.delete,
        task_class_book=desk.book,
        load_facts=desk.facts,
        check_marks=desk.check_marks,
        mark_items=desk.mark,
        preferences=desk.preferences,
        change_preferences=desk.change_preferences,
    )


NEW_CLASS: dict[str, Any] = {
    "task_class": {
        "name": "线性代数复习",
        "start_date": "2026-03-16",
        "end_date": "2026-04-12",
        "config": {"total_slots": 4, "excluded_days_of_week": [7]},
    },
    "items": [{"content": "行列式"}, {"content": "矩阵"}],
}
QUEUED: dict[str, Any] = {
    "pending": [6, 8],
    "current": 5,
    "attempt": 1,
    "completed": [],
    "skipped": [],
    "last_error": "",
}


@dataclass(frozen=True)
class Case:
    tool: str
    works: dict[str, Any]
    fails: dict[str, Any]
    code: str
    context: dict[str, Any] = field(default_factory=dict)


INVALID = "invalid_args"
CASES = (
    Case("context_tools_add", {"domain": "schedule", "packs": ["web"]}, {"domain": "schedule", "packs": ["core"]},
         INVALID),
    Case("context_tools_remove", {"all": True}, {}, INVALID),
    Case("get_overview", {}, {"day": 1}, INVALID),
    Case("query_available_slots", {"for_task_id": 7}, {"for_task_id": 1}, "fixed_entry"),
    Case("query_target_tasks", {"enqueue": True}, {"status": "done"}, INVALID),
    Case("query_range", {"day": 2}, {"day": 15}, INVALID),
    Case("get_task_info", {"task_id": 6}, {"task_id": 66}, "task_not_found"),
    Case("explain_place", {"task_id": 6}, {"task_id": 7}, "not_placed"),
    Case("preview_replan", {"kind": "keep_free", "dates": ["2026-03-16", "2026-03-17"]},
         {"kind": "ill", "dates": ["2026-03-16"], "from_date": "2026-03-16"}, INVALID),
    Case("query_timetable", {"week_from": 3, "week_to": 3}, {"week_from": 5, "week_to": 4}, "outside_semester"),
    Case("list_tasks", {}, {"limit": 0}, INVALID),
    Case("find_first_free", {"duration": 2}, {"for_task_id": 66}, "task_not_found"),
    Case("queue_status", {}, {"limit": 3}, INVALID, {"queue": {**QUEUED, "last_error": "rule_broken/occupied"}}),
    Case("queue_pop_head", {}, {"force": True}, INVALID, {"queue": {**QUEUED, "current": None}}),
    Case("queue_apply_head_move", {"new_day": 2, "new_slot_start": 7}, {"new_day": 1, "new_slot_start": 1},
         "rule_broken", {"queue": QUEUED}),
    Case("queue_skip_head", {"reason": "没有合适位置"}, {"reason": "长" * 101}, INVALID, {"queue": QUEUED}),
    Case("place", {"task_id": 7, "day": 9, "slot_start": 3}, {"task_id": 7, "day": 2, "slot_start": 3}, "rule_broken"),
    Case("move", {"task_id": 5, "new_day": 2, "new_slot_start": 4}, {"task_id": 7, "new_day": 6, "new_slot_start": 1},
         "wrong_status"),
    Case("swap", {"task_a": 6, "task_b": 8}, {"task_a": 6, "task_b": 6}, "duplicate_task"),
    Case("batch_move", {"moves": [{"task_id": 6, "new_day": 4, "new_slot_start": 5},
                                  {"task_id": 8, "new_day": 4, "new_slot_start": 3}]},
         {"moves": [{"task_id": 6, "new_day": 1, "new_slot_start": 1}]}, "rule_broken"),
    Case("unplace", {"task_id": 8}, {"task_id": 3}, "fixed_entry"),
    Case("batch_unplace", {"task_ids": [6, 8]}, {"task_ids": [6, 3]}, "fixed_entry"),
    Case("replan", {"kind": "ill", "from_date": "2026-03-16", "to_date": "2026-03-19"}, {"kind": "missed"},
         "no_change"),
    Case("mark_items", {"task_ids": [6], "progress": "partial", "sections_left": 1},
         {"task_ids": [9], "progress": "missed"}, "mark_not_placed"),
    Case("analyze_health", {"detail": "full"}, {"detail": "all"}, INVALID),
    Case("analyze_rhythm", {"category": "概率论复习"}, {"include_pending": "yes"}, INVALID),
    Case("set_preferences", {"wishes": [{"kind": "light_weekday", "value": 7}, {"kind": "blocks_a_day", "value": 2}]},
         {"wishes": [{"kind": "day_part", "value": None}]}, "no_change"),
    Case("upsert_task_class", NEW_CLASS, {"task_class": {"name": "x"}}, "validation_failed"),
    Case("batch_update_task_classes",
         {"classes": [{"id": 9, "task_class": {"config": {"excluded_days_of_week": [7]}}}]},
         {"classes": [{"id": 9, "task_class": {"end_date": "2026-03-01"}}]}, "validation_failed"),
    Case("delete_task_class", {"task_class_id": 9}, {"task_class_id": 8}, "class_not_found"),
    Case("web_search", {"query": "概率论 提纲"}, {"query": ""}, INVALID),
    Case("web_fetch", {"url": "https://a.example.org/x"}, {"url": "http://private/"}, "web_blocked_url"),
)  # fmt: skip
