"""What a consent card shows about a call: the sentence, the changes, the cost; no raw JSON. PURE."""

from __future__ import annotations

from agent.tools.cards.arguments import argument_view
from agent.tools.cards.kit import Lang
from agent.tools.cards.operation import route
from agent.tools.cards.taskclass import confirm_fields
from agent.tools.phrase import clipped
from agent.tools.types import Json, Outcome, ValidatedCall, changes_digest
from schedules.planner.state import ScheduleState


def confirm_card(call_id: str, call: ValidatedCall, outcome: Outcome, draft: ScheduleState | None, locale: str) -> Json:
    """From the dry run `outcome` of `call` on `draft`; `changes_digest` tells two dry runs apart."""
    lang = Lang(locale)
    view = argument_view(call.arguments, lang=lang, draft=draft)
    changes = [change.to_json() for change in outcome.changes]
    return {
        "title": lang.t("操作确认"),
        "summary": sentence(lang, call, changes),
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


def sentence(lang: Lang, call: ValidatedCall, changes: list[Json]) -> str:
    label = lang.t(call.tool.label)
    if len(changes) == 1 and changes[0]["op"] in TOLD:
        return told(lang, changes[0])
    if changes and changes[0]["op"] in {"class_create", "class_update"}:
        message = "要创建任务类「{name}」吗？" if changes[0]["op"] == "class_create" else "要更新任务类「{name}」吗？"
        return lang.t(message, name=lang.name(changes[0]["name"]))
    shown = clipped("；".join(f"{lang.task(one)} {route(lang, one)}" for one in changes), 400)
    return lang.t("{label}：将执行 {n} 处变更？{list}", label=label, n=len(changes), list=shown)


TOLD = {
    "place": "将 {task} 安排到{after}？",
    "move": "将 {task} 从{before}移到{after}？",
    "unplace": "将 {task} 从{before}移出？",
}


def told(lang: Lang, change: Json) -> str:
    spots = {key: lang.place(change[key]) for key in ("before", "after") if change[key]}
    return lang.t(TOLD[change["op"]], task=lang.task(change), **spots)
