"""The shared card kit: words in one language, sections, and the common shape of every result view.

A card is built from the typed result alone and cannot touch the text the model saw. Nothing shown carries key names,
JSON or untranslated codes; machine values live in `machine_payload` and `meta` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from agent.calls.kinds import Json
from agent.calls.phrase import clip_text, one_line
from agent.calls.twins import owners_of_twins
from agent.tools.words import labels
from schedules.planner.draft.state import ScheduleState
from taskclasses.kernel.i18n import language_of, text, weekday_words

NAME_LIMIT = 60
TITLE_LIMIT = 80
LINE_LIMIT = 300


class Lang:
    """Says the words of one card; `draft` tells which items share a name."""

    def __init__(self, locale: str, draft: ScheduleState | None = None) -> None:
        self.locale, self._draft = language_of(locale), draft

    def t(self, message: str, /, **values: object) -> str:
        return text(message, self.locale, **values)

    def tc(self, context: str, message: str) -> str:
        """Returns a word that English tells apart by where it stands."""
        found = text(f"{context}\x04{message}", self.locale)
        return self.t(message) if "\x04" in found else found

    def pair(self, label: str, value: str) -> str:
        return self.t("{label}：{value}", label=label, value=value)

    def join_parts(self, parts: Iterable[str]) -> str:
        return self.t("、").join(parts)

    def clauses(self, parts: Iterable[str]) -> str:
        return self.t("，").join(parts)

    def name(self, name: str) -> str:
        return clip_text(one_line(name), NAME_LIMIT)

    def task(self, row: Json) -> str:
        """Returns the name of an item, with its class where another class has one of that name; its id is the
        model's."""
        name = self.name(row["name"]) or self.t("一项任务")
        owner = self._owners.get(row.get("task_id", 0))
        return self.t("{name}（{owner}）", name=name, owner=self.name(owner)) if owner else name

    @cached_property
    def _owners(self) -> dict[int, str]:
        return {} if self._draft is None else owners_of_twins(self._draft)

    def weekday(self, day: int) -> str:
        return weekday_words(day, self.locale)

    def day(self, ref: Json) -> str:
        return self.t("第{week}周 {weekday}", week=ref["week"], weekday=self.weekday(ref["day_of_week"]))

    def sections(self, first: int, last: int) -> str:
        return self.t("{range}节", range=first if first == last else f"{first}-{last}")

    def length(self, n: int) -> str:
        return self.t("{n} 节", n=n) if n != 1 else self.t("1 节")

    def day_sections(self, ref: Json, first: int, last: int) -> str:
        return self.t("{day} {sections}", day=self.day(ref), sections=self.sections(first, last))

    def slot(self, row: Json) -> str:
        return self.day_sections(row, row["slot_start"], row["slot_end"])

    def place(self, spot: Json) -> str:
        return self.day_sections(spot, spot["section_from"], spot["section_to"])

    def status(self, code: str) -> str:
        return self.t(labels.STATUS[code])

    def domain(self, name: str) -> str:
        return self.tc("domain", labels.DOMAINS[name])

    def word(self, value: str) -> str:
        """Returns the word of an enumerated value; anything else is the student's own text."""
        if value in labels.DOMAINS:
            return self.domain(value)
        return self.t(labels.WORDS[value]) if value in labels.WORDS else self.name(value)

    def better(self, before: int, after: int) -> str:
        """Tells by how much a plan became better or worse: the numbers behind it mean nothing to a person."""
        share = max(1, round(100 * abs(before - after) / before)) if before else 100
        if before == after:
            return self.t("不变")
        return self.t("变好约 {n}%", n=share) if after < before else self.t("变差约 {n}%", n=share)

    def yes_no(self, value: bool) -> str:
        return self.t("是") if value else self.t("否")

    def rule(self, code: str) -> str:
        return self.t(labels.RULES[code])

    def rule_counts(self, counts: dict[str, int]) -> list[str]:
        return [self.pair(self.rule(rule), self.t("{n} 处", n=n)) for rule, n in counts.items()]


def metric(label: str, value: str) -> Json:
    return {"label": label, "value": value}


def item(
    title: str,
    subtitle: str = "",
    *,
    tags: Sequence[str] = (),
    lines: Sequence[str] = (),
    meta: Json | None = None,
) -> Json:
    shown = [clip_text(line, LINE_LIMIT) for line in lines if line]
    return {
        "title": clip_text(title, LINE_LIMIT),
        "subtitle": clip_text(subtitle, LINE_LIMIT),
        "tags": [tag for tag in tags if tag],
        "detail_lines": shown,
        "meta": meta or {},
    }


def items_section(title: str, items: Sequence[Json], summary: str = "") -> Json:
    section: Json = {"type": "items", "title": title, "items": list(items)}
    return {**section, "summary": summary} if summary else section


def kv_section(title: str, pairs: Iterable[tuple[str, str]]) -> Json:
    """Returns label and value rows; rows without a value are left out."""
    fields = [{"label": label, "value": clip_text(value, LINE_LIMIT)} for label, value in pairs if value]
    return {"type": "kv", "title": title, "fields": fields}


def callout(title: str, subtitle: str, *, tone: str = "info", lines: Sequence[str] = ()) -> Json:
    shown = [clip_text(line, LINE_LIMIT) for line in lines if line]
    subtitle = clip_text(subtitle, LINE_LIMIT)
    return {"type": "callout", "title": title, "subtitle": subtitle, "tone": tone, "detail_lines": shown}


def has_content(section: Json) -> bool:
    if section["type"] == "items":
        return bool(section["items"])
    if section["type"] == "kv":
        return bool(section["fields"])
    return bool(section["subtitle"] or section["detail_lines"])


@dataclass(frozen=True)
class Content:
    """Holds what a tool's own builder decides; the kit adds status, raw text and payload."""

    title: str
    subtitle: str = ""
    metrics: tuple[Json, ...] = ()
    items: tuple[Json, ...] = ()
    sections: tuple[Json, ...] = ()
    extra: Json = field(default_factory=dict)


def result_view(view_type: str, content: Content, *, lang: Lang, status: str, observation: str, payload: Json) -> Json:
    """Returns the common shape of all result views. `observation` goes in unchanged."""
    return {
        "view_type": view_type,
        "version": 1,
        "collapsed": {
            "title": clip_text(content.title, TITLE_LIMIT),
            "subtitle": clip_text(content.subtitle, LINE_LIMIT),
            "status": status,
            "status_label": lang.t(labels.CALL_STATUS[status]),
            "metrics": list(content.metrics),
        },
        "expanded": {
            "items": list(content.items),
            "sections": [section for section in content.sections if has_content(section)],
            **content.extra,
            "raw_text": observation,
            "machine_payload": payload,
        },
    }


def told_by(view: Json) -> str:
    """Returns what a card says was done, beside its title."""
    return str(view["collapsed"]["subtitle"] or view["collapsed"]["title"])


def legacy_view(name: str, *, lang: Lang, status: str, observation: str) -> Json:
    """Returns the card of a tool this version does not know."""
    title = lang.t("{label}失败", label=lang.name(name)) if status != "done" else lang.name(name)
    return {
        "view_type": "legacy_text",
        "version": 1,
        "collapsed": {
            "title": clip_text(title, TITLE_LIMIT),
            "subtitle": "",
            "status": status,
            "status_label": lang.t(labels.CALL_STATUS[status]),
            "metrics": [],
            "tool": name,
            "tool_label": lang.name(name),
        },
        "expanded": {
            "items": [],
            "sections": [],
            "raw_text_label": lang.t("原始结果"),
            "raw_text": observation,
        },
    }
