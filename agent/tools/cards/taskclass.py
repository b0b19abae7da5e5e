"""Cards of the class write (taskclass.write_result), and the field rows its consent card shares."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.values import ToolOutcome
from agent.tools.cards.parts.class_fields import CONFIG_FIELDS, HEAD_FIELDS, field_words, label_pairs, number_words
from agent.tools.cards.parts.kit import Content, Lang, callout, item, items_section, kv_section, metric
from taskclasses.fields import CLASS_FIELDS

SHOWN = 4
"""Changes that a sentence tells before it counts the rest."""
FIELDS = {field.name: field for field in CLASS_FIELDS}


def class_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    values = data["class"]
    return Content(
        title=lang.t("任务类已创建") if data["created"] else lang.t("任务类已更新"),
        subtitle=lang.name(values["name"]),
        metrics=tuple(class_metrics(lang, data)),
        sections=(
            *class_sections(lang, data),
            changes_section(lang, data),
            items_section(lang.t("失去位置的任务"), [lost_item(lang, row) for row in data.get("unplaced", [])]),
            notes_callout(lang, data),
        ),
    )


def classes_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    return Content(
        title=lang.t("任务类已更新"),
        subtitle=named_classes(lang, data),
        metrics=(metric(lang.t("任务类"), lang.t("{n} 个", n=len(data["classes"]))),),
        sections=(
            changes_section(lang, data),
            items_section(lang.t("失去位置的任务"), [lost_item(lang, row) for row in data.get("unplaced", [])]),
            notes_callout(lang, data),
        ),
    )


def named_classes(lang: Lang, data: Json) -> str:
    """Returns the names of the classes that are written together."""
    return lang.join_parts(lang.t("「{name}」", name=lang.name(one["class"]["name"])) for one in data["classes"])


def class_failure(lang: Lang, outcome: ToolOutcome) -> Content:
    """Returns what a refused class write knows beyond the common failure card: every problem, and the class as it was
    meant."""
    data = outcome.data
    errors = [issue_words(lang, row) for row in data.get("shown_issues", []) if row["severity"] == "error"]
    title = lang.t("任务类写入失败")
    if "class" not in data and "classes" not in data:
        return Content(title)
    found = lang.t("{n} 处需要修正", n=len(errors)) if errors else ""
    problems = callout(lang.t("校验问题"), found, tone="danger", lines=errors)
    shown = class_sections(lang, data) if "class" in data else [changes_section(lang, data)]
    return Content(title, sections=(problems, *shown, notes_callout(lang, data)))


def class_sentence(lang: Lang, data: Json) -> str:
    """Returns what a consent card asks in one sentence: size, dates and exclusions of a new class, or what changes of
    a stored one."""
    values = data["class"]
    name = lang.name(values["name"])
    if not data["created"]:
        return changes_sentence(lang, name, data["confirm_fields"])
    size = lang.t("{n} 项 / {m} 节", n=len(values["items"]), m=values.get("total_slots") or 0)
    parts = [size]
    if data["dates"]:
        first, last = ({**data["dates"][end]} for end in ("first", "last"))
        values_of = {"week": first["week"], "weekday": lang.weekday(first["day_of_week"])}
        values_of |= {"week2": last["week"], "weekday2": lang.weekday(last["day_of_week"])}
        parts.append(lang.t("第{week}周{weekday}–第{week2}周{weekday2}", **values_of))
    lists = [field for field in reversed(CLASS_FIELDS) if field.is_list]
    avoided = [number_words(lang, field, number) for field in lists for number in values[field.name]]
    if avoided:
        parts.append(lang.t("{list}不排", list=lang.join_parts(avoided)))
    empty = {row["field"].rpartition(".")[2] for row in data["shown_issues"] if row["code"] == "profile_missing"}
    missing = [lang.t(field.label) for field in CLASS_FIELDS if field.name in empty]
    told = lang.t("新建任务类「{name}」：{parts}", name=name, parts=lang.clauses(parts))
    return lang.t("{sentence}；没填{fields}", sentence=told, fields=lang.join_parts(missing)) if missing else told


def classes_sentence(lang: Lang, data: Json) -> str:
    """Returns what a consent card asks of several classes: what changes in the same way is told once."""
    told: dict[str, list[Json]] = {}
    for one in data["classes"]:
        told.setdefault(told_changes(lang, one["confirm_fields"]), []).append(one)
    several = "更新任务类{names}：{list}"
    return lang.t("；").join(
        lang.t(several, names=named_classes(lang, {"classes": rows}), list=changes)
        if len(rows) > 1
        else changes_sentence(lang, lang.name(rows[0]["class"]["name"]), rows[0]["confirm_fields"])
        for changes, rows in told.items()
    )


def changes_sentence(lang: Lang, name: str, rows: list[Json]) -> str:
    return lang.t("更新任务类「{name}」：{list}", name=name, list=told_changes(lang, rows))


def told_changes(lang: Lang, rows: list[Json]) -> str:
    """Tells the first changes of a class, and all that is removed from it; its number of sections follows from its
    items."""
    counted = any(row["field"] == "items" for row in rows)
    rows = [row for row in rows if not (counted and row["field"] == "total_slots")]
    told = [row for at, row in enumerate(rows) if at < SHOWN or (row["field"] == "items" and row["after"] is None)]
    shown = lang.t("；").join(change_words(lang, row) for row in told)
    return lang.t("{list}等 {n} 处", list=shown, n=len(rows)) if len(rows) > len(told) else shown


def change_words(lang: Lang, row: Json) -> str:
    """Returns one change of a class as a part of a sentence."""
    label, words = field_row(lang, row)
    if row["field"] != "items":
        return lang.t("{label} {change}", label=label, change=words)
    if row["after"] is not None and row["after"].get("was"):
        plain = {**row["after"], "was": None}
        name = lang.name(plain["content"]) if row["before"] is None else item_row(lang, {**row, "after": plain})[1]
        return lang.t("{name} 移到第 {n} 项", name=name, n=row["number"])
    return lang.t("新增：{name}", name=words) if row["before"] is None else words


def deletion_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    rows = [item(label, words) for label, words in (item_row(lang, row) for row in data["confirm_fields"])]
    return Content(
        title=lang.t("任务类已删除"),
        subtitle=lang.name(data["name"]),
        metrics=(metric(lang.t("任务项"), lang.t("{n} 项", n=data["items"])),),
        sections=(
            items_section(lang.t("变更"), rows),
            callout(lang.t("提示"), lang.t("可以在课表页撤销"), tone="info", lines=applied_lines(lang, data)),
        ),
    )


def applied_lines(lang: Lang, data: Json) -> list[str]:
    return [lang.t("课表里的 {n} 项也移出", n=data["applied"])] if data["applied"] else []


def delete_sentence(lang: Lang, data: Json) -> str:
    """Returns what a consent card asks about the deletion of a class."""
    told = lang.t("删除任务类「{name}」和它的 {n} 项内容？", name=lang.name(data["name"]), n=data["items"])
    return told + "".join(lang.t("（{notes}）", notes=line) for line in applied_lines(lang, data))


def class_metrics(lang: Lang, data: Json) -> list[Json]:
    values = data["class"]
    shown = [metric(lang.t("任务项"), lang.t("{n} 项", n=len(values["items"])))]
    if values.get("total_slots"):
        shown.append(metric(lang.t("总节数"), lang.length(values["total_slots"])))
    return [*shown, metric(lang.t("来源"), lang.word(data["source"]))]


def class_sections(lang: Lang, data: Json) -> list[Json]:
    values = data["class"]
    items = [class_item(lang, number, row) for number, row in enumerate(values["items"], 1)]
    return [
        kv_section(lang.t("字段"), label_pairs(lang, values, HEAD_FIELDS)),
        kv_section(lang.t("排程配置"), label_pairs(lang, values, CONFIG_FIELDS)),
        items_section(lang.t("任务项"), items),
    ]


def class_item(lang: Lang, number: int, row: Json) -> Json:
    length = lang.length(row["duration"]) if row.get("duration") else ""
    return item(f"{number}. {lang.name(str(row.get('content', '')))}", length, meta={"order": number})


def changes_section(lang: Lang, data: Json) -> Json:
    rows = [] if data["created"] else data["confirm_fields"]
    shown = [item(label, words) for label, words in (field_row(lang, row) for row in rows)]
    return items_section(lang.t("变更"), shown)


def field_row(lang: Lang, row: Json) -> tuple[str, str]:
    """Returns one row of the field table: the value alone when it is new, before → after when it changes; with its
    class where several are changed."""
    if row["field"] == "items":
        return item_row(lang, row)
    field = FIELDS[row["field"]]
    before, after = (field_words(lang, field, row.get(end)) for end in ("before", "after"))
    label = lang.t(field.label)
    label = lang.t("{name} · {label}", name=lang.name(row["class"]), label=label) if "class" in row else label
    return label, f"{before} → {after or lang.t('无')}" if before else after


def item_row(lang: Lang, row: Json) -> tuple[str, str]:
    """Returns one item that is new, changed or removed."""
    before, after = (item_words(lang, row.get(end)) for end in ("before", "after"))
    label = lang.t("任务项 {n}", n=row["number"])
    if row["before"] is None:
        return label, after
    return label, f"{before} → {after}" if row["after"] is not None else lang.t("移除：{name}", name=before)


def item_words(lang: Lang, value: Json | None) -> str:
    """Returns an item of the class with its length; empty when there is none."""
    if value is None:
        return ""
    length = lang.t("（{n} 节）", n=value["duration"]) if value.get("duration") else ""
    was = lang.t("（原第 {n} 项）", n=value["was"]) if value.get("was") else ""
    return lang.name(value["content"]) + length + was


def lost_item(lang: Lang, row: Json) -> Json:
    words = lang.rule(row["rule"]) if row["rule"] else lang.t("任务项已删除")
    return item(lang.task(row), words, meta={"task_id": row["task_id"]})


def notes_callout(lang: Lang, data: Json) -> Json:
    warnings = [issue_words(lang, row) for row in data["shown_issues"] if row["severity"] == "warning"]
    told = lang.t("{n} 条提示", n=len(warnings)) if warnings else ""
    return callout(lang.t("提示"), told, tone="warning", lines=warnings)


def issue_words(lang: Lang, issue: Json) -> str:
    """Returns what was found in the words it was told in; with its class where several are written."""
    message = str(issue["message"])
    return (
        lang.t("「{name}」：{reason}", name=lang.name(issue["class"]), reason=message) if "class" in issue else message
    )


def confirm_fields(lang: Lang, data: Json) -> list[Json]:
    """Returns the field table of the consent card, warnings at its end."""
    rows = [field_row(lang, row) for row in data.get("confirm_fields", [])]
    notes = [issue_words(lang, one) for one in data.get("shown_issues", []) if one["severity"] == "warning"]
    rows += [(lang.t("提示"), note) for note in notes]
    return [{"label": label, "value": words} for label, words in rows if words]
