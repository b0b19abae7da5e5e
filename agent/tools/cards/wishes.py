"""Cards of set_preferences, and how a plan stands to the student's wishes."""

from __future__ import annotations

from collections.abc import Iterable

from agent.calls.kinds import Json
from agent.calls.values import ToolOutcome
from agent.tools.cards.parts.kit import Content, Lang, item, items_section
from agent.tools.words.wishes import wish_words
from schedules.planner.diagnosis.trade_offs import effect_words

CHANGES = {"added": "记下愿望：{what}", "removed": "取消愿望：{what}"}


def wish_view(lang: Lang, outcome: ToolOutcome) -> Content:
    data = outcome.data
    rows = [item(change_words(lang, row, data["class_names"])) for row in data["wishes"]]
    sections = [items_section(lang.t("愿望"), rows)]
    standings = data.get("standings", [])
    if standings:
        sections.append(standings_section(lang, standings))
    return Content(lang.t("愿望已更新"), lang.t("排程时会尽量照办"), sections=tuple(sections), extra=_extra(lang))


def _extra(lang: Lang) -> Json:
    label = lang.t("设置愿望")
    return {"operation": "set_preferences", "operation_label": label, "changes": [], "affected_days": []}


def wish_sentence(lang: Lang, data: Json) -> str:
    """Returns what the consent card asks."""
    return lang.clauses(change_words(lang, row, data["class_names"]) for row in data["wishes"])


def change_words(lang: Lang, row: Json, names: dict[int, str]) -> str:
    return lang.t(CHANGES[row["change"]], what=wish_words(row, names, lang.locale))


def standings_section(lang: Lang, rows: Iterable[Json]) -> Json:
    """Tells which wishes the plan meets, and how far it is from the others."""
    return items_section(lang.t("你的愿望"), [_standing_item(lang, row) for row in rows])


def _standing_item(lang: Lang, row: Json) -> Json:
    names = {} if row["class_id"] is None else {row["class_id"]: row["class_name"]}
    title = wish_words(row, names, lang.locale)
    cost = cost_words(lang, row.get("cost"))
    if row["met"]:
        return item(title, lang.t("已满足"), lines=[cost])
    days = lang.join_parts(lang.day(day) for day in row["days"])
    return item(title, lang.t("还有 {n} 节不合", n=row["sections"]), lines=[days, cost])


def cost_words(lang: Lang, cost: Json | None) -> str:
    """Returns what makes way for a wish: the move that would be worth most without it."""
    if cost is None or cost["day"] is None:
        return lang.t("代价：单看每一项，没有为它让步")
    place = lang.day_sections(cost["day"], cost["section_from"], cost["section_to"])
    effects = effect_words(cost, lang.locale)
    return lang.t("代价：没有它，{task} 可以在{place}（{effects}）", task=lang.task(cost["task"]), place=place,
                  effects=effects)  # fmt: skip
