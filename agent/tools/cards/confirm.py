"""What a consent card shows about a call: the sentence, the changes, the cost; no raw JSON."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.phrase import clip_text
from agent.calls.size import fit
from agent.calls.tool import ConsentCard
from agent.calls.values import ToolOutcome
from agent.tools.cards.arguments import argument_view
from agent.tools.cards.operation import route
from agent.tools.cards.parts.kit import Lang
from agent.tools.cards.progress import marks_sentence
from agent.tools.cards.taskclass import class_sentence, classes_sentence, confirm_fields, delete_sentence
from agent.tools.cards.wishes import wish_sentence
from agent.tools.types import Tool
from schedules.planner.draft.state import ScheduleState
from schedules.planner.replan.asks import KEPT

LIST_LIMIT = 400


def confirm_card(
    call_id: str, tool: Tool, arguments: Json, outcome: ToolOutcome, *, draft: ScheduleState | None, locale: str
) -> ConsentCard:
    """Makes the consent card from `outcome`, the dry run of the call on `draft`."""
    lang = Lang(locale, draft)
    view = argument_view(arguments, lang=lang, draft=draft)
    changes = [change.to_json() for change in outcome.changes]
    shown = {
        "call_id": call_id,
        "name": tool.name,
        "arguments_preview": view["collapsed"]["summary"],
        "argument_view": view,
    }
    told = fit({"tool": shown, "changes": changes, "days": outcome.data.get("affected_days", [])})
    left = len(changes) - len(told["changes"])
    more = [{"label": lang.t("变更"), "value": lang.t("…另有 {n} 项", n=left)}] if left else []
    return ConsentCard(
        summary=sentence(lang, tool, changes, outcome.data)
        + kept_words(lang, draft, changes)
        + left_words(lang, outcome.data),
        tool=told["tool"],
        fields=[*confirm_fields(lang, outcome.data), *more],
        changes=told["changes"],
        affected_days=told["days"],
        cost_before=outcome.data.get("cost_before"),
        cost_after=outcome.data.get("cost_after"),
    )


def sentence(lang: Lang, tool: Tool, changes: list[Json], data: Json) -> str:
    if "written" in data:
        return written_sentence(lang, changes, data)
    if len(changes) == 1 and changes[0]["op"] in {"place", "move", "unplace"}:
        return placement_sentence(lang, changes[0])
    if "marks" in data:
        return marks_sentence(lang, data)
    if tool.name == "set_preferences":
        return wish_sentence(lang, data)
    if changes and changes[0]["op"] == "class_delete":
        return delete_sentence(lang, data)
    if "classes" in data:
        return classes_sentence(lang, data)
    if changes and changes[0]["op"] in {"class_create", "class_update"}:
        return class_sentence(lang, data)
    shown = clip_text(lang.t("；").join(f"{lang.task(one)} {route(lang, one)}" for one in changes), LIST_LIMIT)
    return lang.t("{label}：{n} 处变更，{list}", label=lang.t(tool.label), n=len(changes), list=shown)


def written_sentence(lang: Lang, changes: list[Json], data: Json) -> str:
    """Returns what is written of the term, and how many items follow it."""
    told = "".join(data["written"].get(lang.locale, ()))
    if not changes:
        return told + lang.t("写入吗？" if data.get("left") else "不用移动任何项，写入吗？")
    return told + lang.t("随之移动 {n} 项，写入吗？", n=len(changes))


def kept_words(lang: Lang, draft: ScheduleState | None, changes: list[Json]) -> str:
    """Tells which of the items the student keeps where they are: why a card is asked for at all."""
    found = (draft.task(change["task_id"]) for change in changes if draft is not None and change.get("task_id"))
    kept = [entry for entry in found if entry is not None and entry.kept]
    told = []
    for label, entries in (
        ("「{names}」是你钉住的", [entry for entry in kept if entry.pinned]),
        ("「{names}」是你自己放的", [entry for entry in kept if not entry.pinned]),
    ):
        names = [lang.task({"task_id": entry.state_id, "name": entry.name}) for entry in entries]
        if names:
            told.append(lang.t(label, names=clip_text(_between(lang).join(names), LIST_LIMIT)))
    return lang.t("（{notes}）", notes=lang.t("；").join(told)) if told else ""


def left_words(lang: Lang, data: Json) -> str:
    """Tells what a re-planning leaves as it is though it should change: before it is agreed to, not after."""
    told = []
    rows = [row for row in data.get("left", ()) if row["name"]]
    kept = [row for row in rows if row.get("rule") == KEPT]
    others = [row for row in rows if row not in kept]
    for words, left in (
        ("「{names}」是钉住的或你亲手放的，要自己挪", kept),
        ("「{names}」做不到，留在原处", [row for row in others if row.get("stays", False)]),
        ("「{names}」放不下", [row for row in others if not row.get("stays", False)]),
    ):
        if names := [lang.task(row) for row in left]:
            told.append(lang.t(words, names=clip_text(_between(lang).join(names), LIST_LIMIT)))
    return lang.t("（{notes}）", notes=lang.t("；").join(told)) if told else ""


def _between(lang: Lang) -> str:
    """Returns what stands between two names in quotation marks."""
    return "」「" if lang.locale == "zh" else "”, “"


def placement_sentence(lang: Lang, change: Json) -> str:
    """Asks `将 [6]大数定律 从第7周 周五 3-4 节移到周六 1-2 节？`: Chinese says the week once when it stays."""
    before, after = change["before"], change["after"]
    task = lang.task(change)
    if before is None:
        return lang.t("将 {task} 安排到{to}？", task=task, to=spot_words(lang, after))
    if after is None:
        return lang.t("将 {task} 从{origin}移出？", task=task, origin=spot_words(lang, before))
    same_week = before["week"] == after["week"] and lang.locale == "zh"
    to = spot_words(lang, after, week=not same_week)
    return lang.t("将 {task} 从{origin}移到{to}？", task=task, origin=spot_words(lang, before), to=to)


def spot_words(lang: Lang, spot: Json, *, week: bool = True) -> str:
    first, last = spot["section_from"], spot["section_to"]
    values = {
        "weekday": lang.weekday(spot["day_of_week"]),
        "range": str(first) if first == last else f"{first}-{last}",
    }
    if not week:
        return lang.t("{weekday} {range} 节", **values)
    return lang.t("第{week}周 {weekday} {range} 节", week=spot["week"], **values)
