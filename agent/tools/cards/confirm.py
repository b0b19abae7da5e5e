"""What a consent card shows about a call: the sentence, the changes, the cost; no raw JSON."""

from __future__ import annotations

from agent.calls.phrase import clipped
from agent.tools.cards.arguments import argument_view
from agent.tools.cards.kit import Lang
from agent.tools.cards.operation import route
from agent.tools.cards.taskclass import class_sentence, confirm_fields
from agent.tools.types import Json, Outcome, ValidatedCall, changes_digest
from schedules.planner.draft.state import ScheduleState

LIST_LIMIT = 400


def confirm_card(call_id: str, call: ValidatedCall, outcome: Outcome, draft: ScheduleState | None, locale: str) -> Json:
    """From the dry run `outcome` of `call` on `draft`; `changes_digest` tells two dry runs apart."""
    lang = Lang(locale)
    view = argument_view(call.arguments, lang=lang, draft=draft)
    changes = [change.to_json() for change in outcome.changes]
    return {
        "title": lang.t("操作确认"),
        "summary": sentence(lang, call, changes, outcome.data),
        "tool": {
            "call_id": call_id,
            "name": call.name,
            "arguments_preview": view["collapsed"]["summary"],
            "argument_view": view,
        },
        "fields": confirm_fields(lang, outcome.data),
        "changes": changes,
        "changes_digest": changes_digest(outcome.changes),
        "affected_days": outcome.data.get("affected_days", []),
        "cost_before": outcome.data.get("cost_before"),
        "cost_after": outcome.data.get("cost_after"),
    }


def sentence(lang: Lang, call: ValidatedCall, changes: list[Json], data: Json) -> str:
    if len(changes) == 1 and changes[0]["op"] in {"place", "move", "unplace"}:
        return placement_sentence(lang, changes[0])
    if changes and changes[0]["op"] in {"class_create", "class_update"}:
        return class_sentence(lang, data)
    shown = clipped("；".join(f"{lang.task(one)} {route(lang, one)}" for one in changes), LIST_LIMIT)
    return lang.t("{label}：{n} 处变更，{list}", label=lang.t(call.tool.label), n=len(changes), list=shown)


def placement_sentence(lang: Lang, change: Json) -> str:
    """`将 [6]大数定律 从第7周 周五 3-4 节移到周六 1-2 节？`: Chinese says the week once when it stays."""
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
