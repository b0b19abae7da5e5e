"""A task class as a call would leave it, and how that differs from the stored one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from agent.calls.kinds import Json
from agent.calls.values import WrittenValue
from agent.tools.arguments.task_class import CLASS_KEYS, CONFIG_KEYS, UpsertArgs
from taskclasses.fields import default_fields
from taskclasses.spec import item_lengths


def merge_class(args: UpsertArgs, current: Json | None) -> Json:
    """Returns the class as it would be, flat: the given fields over the stored class or the defaults of a new one."""
    given = given_values(args, current)
    task_class = dict(given.get("task_class") or {})
    config = task_class.pop("config", None) or {}
    # A class that a journal holds may be older than a field.
    keys = (*CLASS_KEYS, *CONFIG_KEYS)
    base: Json = {key: current[key] for key in keys if key in current} if current else default_fields()
    items = given.get("items")
    if items is None:
        kept = (current or {}).get("items") or []
        items = [{key: row[key] for key in ("id", "order", "content", "duration") if row.get(key)} for row in kept]
    return {**base, **task_class, **config, "items": items}


def given_values(args: UpsertArgs, current: Json | None) -> Json:
    """Returns the given fields; an item of the class that is given without a length keeps the one it has."""
    given = args.values()
    lengths = {row["id"]: row["duration"] for row in (current or {}).get("items") or [] if row.get("duration")}
    for row in given.get("items") or []:
        if "duration" not in row and row.get("id") in lengths:
            row["duration"] = lengths[row["id"]]
    return given


def nest_values(merged: Json) -> Json:
    task_class: Json = {key: merged[key] for key in CLASS_KEYS if merged.get(key) is not None}
    task_class["config"] = {key: merged[key] for key in CONFIG_KEYS if merged.get(key) is not None}
    return {"task_class": task_class, "items": merged["items"]}


def changed_rows(current: Json | None, merged: Json, *, given_items: bool) -> list[Json]:
    """Returns the field table: all fields of a new class, only the changed ones of a stored one; items one by one."""
    rows = []
    for field in (*CLASS_KEYS, *CONFIG_KEYS):
        before, after = (current or {}).get(field), merged.get(field)
        if after != before and (current is not None or after not in (None, [])):
            rows.append({"field": field, "before": before, "after": after})
    if current is not None and not given_items:
        return rows
    stored = with_lengths((current or {}).get("items") or [], (current or {}).get("total_slots"))
    return rows + item_rows(stored, with_lengths(merged["items"], merged.get("total_slots")))


def with_lengths(rows: Sequence[Mapping[str, Any]], total: int | None) -> list[Json]:
    """Returns items with the sections that each of them takes: a length told for what has it already is no change."""
    lengths = item_lengths([row.get("duration") for row in rows], total)
    return [{**row, "takes": takes} for row, takes in zip(rows, lengths, strict=True)]


def written_values(class_id: int, current: Json | None, merged: Json, *, given_items: bool) -> tuple[WrittenValue, ...]:
    """Returns the fields that a write changed, its items as one of them; of a new class only that it is there."""
    if current is None:
        return (WrittenValue(class_id, "", None, merged["name"]),)
    rows = changed_rows(current, merged, given_items=given_items)
    fields = [
        WrittenValue(class_id, row["field"], row["before"], row["after"]) for row in rows if row["field"] != "items"
    ]
    if len(fields) < len(rows):
        before, after = ([_item_value(row) for row in side["items"]] for side in (current, merged))
        fields.append(WrittenValue(class_id, "items", before, after))
    return tuple(fields)


def _item_value(row: Mapping[str, Any]) -> Json:
    """Returns an item with the length that it has, be it its own or its part of the total."""
    return {"id": row.get("id"), **item_brief(row), "duration": row.get("duration") or row.get("sections")}


def item_rows(before: list[Json], after: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Returns items added, changed, moved among the others and removed, by id. What only follows an item that went or
    came is no change."""
    stored = {row["id"]: row for row in before}
    rows: list[Json] = []
    in_order = keep_order([stored[row["id"]]["order"] for row in after if row.get("id") in stored])
    for number, row in enumerate(after, 1):
        old = stored.pop(row.get("id"), None) if row.get("id") else None
        new = item_brief(row)
        was = {"was": old["order"]} if old is not None and old["order"] not in in_order else {}
        same = old is not None and (old.get("content"), old.get("takes")) == (new["content"], row.get("takes"))
        if old is None or (item_brief(old) != new and not same):
            before_it = item_brief(old) if old else None
            rows.append({"field": "items", "number": number, "before": before_it, "after": {**new, **was}})
        elif was:
            rows.append({"field": "items", "number": number, "before": None, "after": {**new, **was}})
    for row in stored.values():
        rows.append({"field": "items", "number": row["order"], "before": item_brief(row), "after": None})
    return rows


def keep_order(numbers: list[int]) -> set[int]:
    """Returns the most of `numbers` that stand in rising order: a longest increasing subsequence, in O(n log n)
    (M. L. Fredman, On computing the length of longest increasing subsequences, 1975)."""
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(ends, number)
        before[number] = ends[at - 1] if at else None
        ends[at : at + 1] = [number]
    kept: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return kept


def item_brief(row: Mapping[str, Any]) -> Json:
    return {"content": row.get("content", ""), "duration": row.get("duration")}
