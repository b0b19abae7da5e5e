"""Cards of opening and closing tool packs (tool.context_result)."""

from __future__ import annotations

from agent.calls.kinds import Json
from agent.calls.values import ToolOutcome
from agent.tools.cards.parts.kit import Content, Lang, item, items_section, kv_section
from agent.tools.words import labels


def context_view(lang: Lang, outcome: ToolOutcome, *, closing: bool) -> Content:
    data = outcome.data
    areas = active_words(lang, data["active"])
    shown = lang.join_parts(lang.word(domain) for domain in data["active"]) or lang.t("无")
    if not data["changed"]:
        title = lang.t("无变化")
    elif closing:
        title = lang.t("已移除")
    else:
        title = lang.pair(lang.t("已激活"), shown)
    return Content(
        title=title,
        subtitle=lang.t(data["note"]) if data["note"] else "",
        sections=(
            kv_section(lang.t("当前工具区"), areas or [(lang.t("工具域"), lang.t("无"))]),
            items_section(lang.t("已激活"), [pack_item(lang, *row) for row in data["opened"]]),
            items_section(lang.t("已移除"), [pack_item(lang, *row) for row in data["closed"]]),
        ),
    )


def active_words(lang: Lang, active: dict[str, list[str]]) -> list[tuple[str, str]]:
    def words(packs: list[str]) -> str:
        return lang.join_parts(lang.word(pack) for pack in ["core", *packs])

    return [(lang.word(domain), words(packs)) for domain, packs in active.items()]


def pack_item(lang: Lang, domain: str, pack: str) -> Json:
    return item(lang.t(labels.PACKS[pack]), tags=[lang.domain(domain)])
