"""Rows that several cards share: an entry of the draft, a slot, a section of the queue."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.tools.cards.parts.kit import Lang, item, kv_section


def entry_item(lang: Lang, row: Json) -> Json:
    """Returns a task or a fixed entry with its place, class and embedding."""
    place = lang.slot(row["slots"][0]) if row["slots"] else lang.t("需 {n} 节", n=row["duration"])
    lines = []
    if row.get("ordinal"):
        lines.append(lang.t("{name} 第{n}项", name=lang.name(row["category"]), n=row["ordinal"]))
    if row.get("host"):
        lines.append(lang.pair(lang.t("嵌入课程"), lang.task(row["host"])))
    if row.get("guest"):
        lines.append(lang.pair(lang.t("已嵌入"), lang.task(row["guest"])))
    return item(lang.task(row), place, tags=entry_tags(lang, row), lines=lines, meta={"task_id": row["task_id"]})


def entry_tags(lang: Lang, row: Json) -> list[str]:
    category = row["category"]
    fixed = category in FIXED_CATEGORIES and row.get("task_class_id") is None
    tags = [lang.status(row["status"]), lang.t(category) if fixed else lang.name(category)]
    return [*tags, lang.t("可嵌入")] if row.get("can_embed") and not row.get("guest") else tags


FIXED_CATEGORIES = frozenset({"课程", "任务"})
"""Category words of the draft for entries without a class."""


def task_item(lang: Lang, row: Json) -> Json:
    """Returns a task item as queries and the queue carry it."""
    slot = row["slots"][0] if row["slots"] else None
    place = lang.slot(slot) if slot else lang.t("需 {n} 节", n=row.get("duration", 0))
    tags = [lang.status(row["status"])] if row.get("status") else []
    tags += [lang.name(row["category"])] if row.get("category") else []
    tags += [lang.t("嵌入")] if slot and slot.get("embedded_in") else []
    return item(lang.task(row), place, tags=tags, meta={"task_id": row["task_id"]})


def range_items(lang: Lang, runs: list[list[int]]) -> list[Json]:
    return [
        item(lang.sections(first, last), lang.length(last - first + 1), meta={"slot_start": first, "slot_end": last})
        for first, last in runs
    ]


def host_items(lang: Lang, hosts: list[Json]) -> list[Json]:
    return [
        item(
            lang.task(row),
            lang.sections(row["slot_start"], row["slot_end"]),
            tags=[lang.t("可嵌入")],
            meta={"task_id": row["task_id"]},
        )
        for row in hosts
    ]


def queue_counts(lang: Lang, counts: Json) -> Json:
    rows = [("待处理", "pending_count"), ("已完成", "completed_count"), ("已跳过", "skipped_count")]
    return kv_section(lang.t("队列状态"), [(lang.t(label), str(counts[key])) for label, key in rows])


def day_words(lang: Lang, row: Json) -> str:
    return lang.t("占用 {used}/{sections}", used=row["used"], sections=row["sections"])
