"""Cards of reads (schedule.read_result)."""

from __future__ import annotations

from datetime import date

from agent.calls.kinds import Json
from agent.calls.values import ToolOutcome
from agent.tools.cards.parts.class_fields import label_pairs
from agent.tools.cards.parts.kit import Content, Lang, callout, item, items_section, kv_section, metric
from agent.tools.cards.parts.rows import day_words, entry_item, host_items, queue_counts, range_items, task_item
from taskclasses.fields import CLASS_FIELDS
from taskclasses.kernel import i18n


def overview_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    counts = data["counts"]
    days = [day_item(lang, row) for row in data["days"]]
    return Content(
        title=lang.t("当前排程总览"),
        subtitle=lang.t("{first} ~ {last}", first=lang.day(data["first"]), last=lang.day(data["last"])),
        metrics=(
            metric(lang.t("已占用"), lang.length(data["used"])),
            metric(lang.t("空闲"), lang.length(data["free"])),
            metric(lang.t("待安排"), lang.t("{n} 项", n=counts["pending"])),
            metric(lang.t("课程"), lang.t("{n} 场", n=data["course_count"])),
        ),
        items=tuple(days),
        sections=(
            kv_section(
                lang.t("窗口概况"),
                [
                    (lang.t("天数"), lang.t("{n} 天", n=data["total_days"])),
                    (lang.t("总节数"), lang.length(data["total"])),
                    (lang.t("已安排"), lang.t("{n} 项", n=counts["existing"])),
                    (lang.t("已预排"), lang.t("{n} 项", n=counts["suggested"])),
                ],
            ),
            items_section(lang.t("每日概况"), days),
            items_section(lang.t("任务清单"), [entry_item(lang, row) for row in data["tasks"]], left_words(lang, data)),
            items_section(lang.t("任务类约束"), [class_item(lang, row) for row in data["classes"]]),
        ),
    )


def left_words(lang: Lang, data: Json) -> str:
    return lang.t("其余 {n} 项未列出", n=data["tasks_left"]) if data["tasks_left"] else ""


def day_item(lang: Lang, row: Json) -> Json:
    lines = [lang.pair(lang.task(one), lang.slot(one["slots"][0])) for one in row["items"]]
    return item(lang.day(row), day_words(lang, row), lines=lines, meta={"day": row["day"]})


def class_item(lang: Lang, row: Json) -> Json:
    return item(
        lang.name(row["name"]),
        lang.word(row["strategy"]),
        tags=[lang.word(row[key]) for key in ("subject_type",) if row[key]],
        lines=[lang.pair(label, value) for label, value in class_limits(lang, row) if value],
        meta={"task_class_id": row["task_class_id"]},
    )


def class_limits(lang: Lang, row: Json) -> list[tuple[str, str]]:
    """Returns settings, dates and profile, but for what the head of the item says."""
    config = [field for field in CLASS_FIELDS if field.config and field.name != "strategy"]
    profile = [field for field in CLASS_FIELDS if field.missing and field.name != "subject_type"]
    dates = (lang.t("日期"), date_words(lang, row))
    return [*label_pairs(lang, row, config), dates, *label_pairs(lang, row, profile)]


def date_words(lang: Lang, row: Json) -> str:
    if row.get("start") is None or row.get("end") is None:
        return ""
    if "start_date" in row:
        first, last = (i18n.date_words(date.fromisoformat(row[key]), lang.locale) for key in ("start_date", "end_date"))
        return lang.t("{first} ~ {last}", first=first, last=last)
    return lang.t("{first} ~ {last}", first=lang.day(row["start"]), last=lang.day(row["end"]))


def slots_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    shown = [slot_item(lang, row, data["hosts"]) for row in data["slots"]]
    query = kv_section(lang.t("查询条件"), [(lang.t("连续时长"), lang.length(data["span"]))])
    if shown:
        result = items_section(lang.t("候选时段"), shown)
    else:
        lines = lang.rule_counts(data.get("blocked_by", {}))
        result = callout(lang.t("未找到可用时段"), lang.t("没有符合条件的时段"), tone="warning", lines=lines)
    title = lang.t("找到 {n} 个可用时段", n=data["total"]) if shown else lang.t("未找到可用时段")
    return Content(
        title=title,
        subtitle=lang.t("连续 {n} 节", n=data["span"]),
        metrics=(
            metric(lang.t("候选"), str(data["count"])),
            metric(lang.t("纯空位"), str(data["strict_total"])),
            metric(lang.t("可嵌入"), str(data["embedded_total"])),
        ),
        items=tuple(shown),
        sections=(query, result),
    )


def slot_item(lang: Lang, row: Json, hosts: Json) -> Json:
    host = row.get("host_task_id")
    named = {"task_id": host, "name": hosts[str(host)]} if host else None
    lines = [lang.pair(lang.t("嵌入课程"), lang.task(named))] if named else []
    meta = {key: row[key] for key in ("day", "slot_start", "slot_end")}
    return item(lang.slot(row), tags=[lang.status(row["slot_type"])], lines=lines, meta=meta)


def targets_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    shown = [task_item(lang, row) for row in data["items"]]
    query = [(lang.t("状态"), lang.status(data["status"]))]
    found = (
        items_section(lang.t("任务列表"), shown)
        if shown
        else callout(lang.t("没有符合条件的任务"), lang.t("换一个条件再试"), tone="warning")
    )
    refused = [refused_item(lang, row) for row in data["not_enqueued"]]
    sections = [kv_section(lang.t("查询条件"), query), found]
    if data["enqueued"] or refused or any(data["queue"].values()):
        sections.append(queue_counts(lang, data["queue"]))
    return Content(
        title=lang.t("找到 {n} 个任务", n=data["total"]),
        subtitle=lang.t("已入队 {n} 个", n=len(data["enqueued"])) if data["enqueued"] else "",
        metrics=(
            metric(lang.t("任务数"), lang.t("{n} 个", n=data["total"])),
            metric(lang.t("已入队"), lang.t("{n} 个", n=len(data["enqueued"]))),
        ),
        items=tuple(shown),
        sections=(*sections, items_section(lang.t("未入队"), refused)),
    )


def refused_item(lang: Lang, row: Json) -> Json:
    words = lang.t("已在队列中") if row["status"] == "queued" else lang.status(row["status"])
    return item(lang.task(row), words, meta={"task_id": row["task_id"]})


def timetable_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    days = [timetable_day(lang, row) for row in data["days"]]
    return Content(
        title=lang.t("课表 {first} ~ {last}", first=lang.day(data["days"][0]), last=lang.day(data["days"][-1])),
        subtitle="",
        metrics=(
            metric(lang.t("课程"), lang.length(data["courses"])),
            metric(lang.t("任务"), lang.length(data["tasks"])),
            metric(lang.t("空闲"), lang.length(data["free"])),
        ),
        items=tuple(days),
        sections=(items_section(lang.t("每日概况"), days),),
    )


def timetable_day(lang: Lang, row: Json) -> Json:
    lines = [
        lang.pair(
            lang.sections(one["slot_start"], one["slot_end"]),
            lang.t("留空") if one["status"] == "kept" else lang.name(one["name"]),
        )
        for one in row["entries"]
    ]
    free = lang.t("空闲 {n} 节", n=row["free"])
    return item(lang.day(row), lang.pair(lang.t("放假"), free) if row.get("closed") else free, lines=lines)


def range_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    rows = [range_row(lang, row) for row in data["rows"]]
    span = lang.sections(data["slot_start"], data["slot_end"])
    title = lang.t("{day} {sections}", day=lang.day(data), sections=span)
    total = data["slot_end"] - data["slot_start"] + 1
    return Content(
        title=title,
        subtitle=lang.day(data),
        metrics=(
            metric(lang.t("总节数"), lang.length(total)),
            metric(lang.t("占用"), lang.length(data["used"])),
            metric(lang.t("空闲"), lang.length(data["free"])),
        ),
        items=tuple(rows),
        sections=(
            kv_section(lang.t("概况"), [(lang.t("日期"), lang.day(data)), (lang.t("节次"), span)]),
            items_section(lang.t("时段分布") if data["whole_day"] else lang.t("逐节情况"), rows),
            items_section(lang.t("空闲区"), range_items(lang, data["free_ranges"])),
            items_section(lang.t("可嵌入"), host_items(lang, data["embeddable"])),
        ),
    )


def range_row(lang: Lang, row: Json) -> Json:
    place, owner, guest = lang.sections(row["slot_start"], row["slot_end"]), row["owner"], row["guest"]
    meta = {"slot_start": row["slot_start"], "slot_end": row["slot_end"]}
    if owner is None:
        return item(place, lang.status("empty"), meta=meta)
    lines = [lang.pair(lang.t("已嵌入"), lang.task(guest))] if guest else []
    tags = [lang.status(owner["status"])]
    tags += [lang.t("可嵌入")] if owner["can_embed"] and not owner["guest"] else []
    return item(place, lang.task(owner), tags=tags, lines=lines, meta=meta)


def info_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    place = lang.slot(data["slots"][0]) if data["slots"] else lang.t("未安排")
    facts = [(lang.t("状态"), lang.status(data["status"])), (lang.t("时长"), lang.length(data["duration"]))]
    facts += [(lang.t("位置"), place), (lang.t("归属"), belongs(lang, data))]
    if "limits" in data:
        facts += class_limits(lang, data["limits"])
    return Content(
        title=lang.task(data),
        subtitle=belongs(lang, data),
        metrics=(
            metric(lang.t("状态"), lang.status(data["status"])),
            metric(lang.t("时长"), lang.length(data["duration"])),
            metric(lang.t("位置"), place),
        ),
        items=tuple(item(lang.slot(row), meta={"day": row["day"]}) for row in data["slots"]),
        sections=(
            kv_section(lang.t("基本信息"), facts),
            kv_section(lang.t("前后项"), neighbour_pairs(lang, data)),
            embedding_callout(lang, data),
        ),
    )


def belongs(lang: Lang, data: Json) -> str:
    if data["ordinal"]:
        return lang.t("{name} 第{n}项", name=lang.name(data["category"]), n=data["ordinal"])
    return lang.t(data["category"])


def neighbour_pairs(lang: Lang, data: Json) -> list[tuple[str, str]]:
    if "previous" not in data:
        return []
    pairs = [(lang.t("前一项"), neighbour(lang, data["previous"])), (lang.t("后一项"), neighbour(lang, data["next"]))]
    first, last = data["range_from"], data["range_to"]
    pairs.append((lang.t("最早"), cell(lang, first) if first else ""))
    pairs.append((lang.t("最晚"), cell(lang, last) if last else ""))
    return pairs


def neighbour(lang: Lang, row: Json | None) -> str:
    if row is None:
        return lang.t("无")
    place = lang.slot(row["slots"][0]) if row["slots"] else lang.status("pending")
    return f"{lang.task(row)} {place}"


def cell(lang: Lang, row: Json) -> str:
    return lang.day_sections(row, row["section"], row["section"])


def embedding_callout(lang: Lang, data: Json) -> Json:
    title = lang.t("嵌入关系")
    if data["host"]:
        return callout(title, lang.pair(lang.t("嵌入课程"), lang.task(data["host"])))
    if data["guest"]:
        return callout(title, lang.pair(lang.t("已嵌入"), lang.task(data["guest"])))
    return callout(title, lang.t("可嵌入一项任务") if data["can_embed"] else "")


def list_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    counts = data["counts"]
    shown = [entry_item(lang, row) for row in data["tasks"]]
    if shown:
        section = items_section(lang.t("任务清单"), shown)
    else:
        known = lang.join_parts(lang.name(name) for name in data["categories"])
        lines = [lang.pair(lang.t("现有分类"), known)] if known else []
        section = callout(lang.t("没有符合条件的任务"), lang.t("换一个条件再试"), tone="warning", lines=lines)
    return Content(
        title=lang.t("共 {n} 项任务", n=data["total"]),
        metrics=tuple(
            metric(lang.status(key), lang.t("{n} 项", n=counts[key])) for key in ("existing", "suggested", "pending")
        ),
        items=tuple(shown),
        sections=(section,),
    )


def first_free_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    query = kv_section(lang.t("查询条件"), [(lang.t("连续时长"), lang.length(data["span"]))])
    if not data["found"]:
        lines = lang.rule_counts(data["blocked_by"])
        nothing = callout(lang.t("未找到"), lang.t("没有符合条件的时段"), tone="warning", lines=lines)
        return Content(lang.t("未找到"), sections=(nothing, query))
    place, load = data["place"], data["load"]
    kind = lang.pair(lang.t("嵌入课程"), lang.task(data["host"])) if data["host"] else lang.status("empty")
    shown = item(lang.slot(place), kind, tags=[lang.status(place["slot_type"])], meta={"day": place["day"]})
    return Content(
        title=lang.t("首个空位：{place}", place=lang.slot(place)),
        subtitle=kind,
        metrics=(
            metric(lang.t("当日占用"), f"{load['used']}/{load['sections']}"),
            metric(lang.t("当日任务"), lang.length(load["task_sections"])),
        ),
        items=(shown,),
        sections=(
            kv_section(lang.t("位置"), [(lang.t("时段"), lang.slot(place)), (lang.t("类型"), kind)]),
            items_section(lang.t("当日空闲段"), range_items(lang, data["free_ranges"])),
            query,
        ),
    )
