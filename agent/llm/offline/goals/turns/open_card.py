"""A card that words were typed over: what it would change, and the items as they would stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, cast

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.targets import day_at, target_in
from agent.loop.view_document import CallView, SlotView, TaskView


@dataclass(frozen=True)
class OpenCard:
    """A card that was typed over: what it would change, and the items as they would stand."""

    brief: Brief
    call: CallView
    said: str
    rows: tuple[TaskView, ...]

    @property
    def moved(self) -> list[TaskView]:
        """The items that would stand elsewhere."""
        now = {row["state_id"]: row["slot"] for row in self.brief.tasks}
        return [row for row in self.rows if row["slot"] != now[row["state_id"]]]

    @property
    def about(self) -> list[TaskView]:
        """The items that the card is about, as they would stand."""
        ids = self.call["arguments"].get("task_ids", ())
        return self.moved or [row for row in self.rows if row["state_id"] in ids]

    @property
    def named(self) -> list[TaskView]:
        """The items that the words name, as they would stand."""
        ids = {row["state_id"] for row in named_items(self.said, self.brief) or items_in(self.said, self.brief)}
        return [row for row in self.rows if row["state_id"] in ids]


def suppose_card(brief: Brief, call: CallView, shown: str) -> list[TaskView]:
    """The items of the draft as a call would place them; of what the planner finds, as the card shows it."""
    given, places = call["arguments"], dict[int, SlotView | None]()
    if not given:
        return [*brief.tasks]
    if call["name"] in ("move", "place"):
        places[given["task_id"]] = _slot(brief, given["task_id"], *_where(given))
    elif call["name"] == "batch_move":
        places = {one["task_id"]: _slot(brief, one["task_id"], *_where(one)) for one in given["moves"]}
    elif call["name"] == "swap":
        first, second = brief.task(given["task_a"]), brief.task(given["task_b"])
        if first and second:
            places = {first["state_id"]: second["slot"], second["state_id"]: first["slot"]}
    elif given.get("progress") == "done":
        return [row for row in brief.tasks if row["state_id"] not in given.get("task_ids", ())]
    elif call["name"] in ("unplace", "batch_unplace"):
        places = dict.fromkeys(given.get("task_ids") or [given.get("task_id")])
    elif call["name"] == "replan":
        places = _read_shown(brief, shown)
    return [cast("TaskView", {**row, "slot": places.get(row["state_id"], row["slot"])}) for row in brief.tasks]


def _read_shown(brief: Brief, shown: str) -> dict[int, SlotView | None]:
    """The places that a card shows, which its call leaves to the planner; none where one of them is not read."""
    places, first = dict[int, SlotView | None](), brief.draft["window"]["first"] if brief.draft else None
    for piece in re.split("[；;]", shown):
        rows, target = items_in(piece, brief), target_in(re.split("→|移到|安排到", piece)[-1], brief)
        if first is None or len(rows) != 1 or not target.week or len(target.days) != 1 or not target.sections:
            return {}
        day = 7 * (target.week - first["week"]) + target.days[0] - first["day_of_week"] + 1
        places[rows[0]["state_id"]] = _slot(brief, rows[0]["state_id"], day, target.sections[0])
    return places


def _where(given: Any) -> tuple[int, int]:
    return given.get("new_day", given.get("day")), given.get("new_slot_start", given.get("slot_start"))


def _slot(brief: Brief, task_id: int, day: int, first: int) -> SlotView:
    row, (week, weekday) = brief.task(task_id), day_at(brief, day)
    return {
        "day": day, "week": week, "day_of_week": weekday, "slot_start": first,
        "slot_end": first + (row["duration"] if row else 1) - 1, "host_event_id": None,
    }  # fmt: skip
