"""The fields of a task class in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from agent.calls.kinds import Json
from agent.calls.phrase import one_line
from agent.tools.cards.parts.kit import Lang
from taskclasses.fields import CLASS_FIELDS, ClassField
from taskclasses.kernel.i18n import date_words

CONFIG_FIELDS = tuple(field for field in CLASS_FIELDS if field.config)
HEAD_FIELDS = tuple(field for field in CLASS_FIELDS if not field.config)


def label_pairs(lang: Lang, values: Json, fields: Iterable[ClassField]) -> list[tuple[str, str]]:
    """Returns label and value of each field."""
    return [(lang.t(field.label), field_words(lang, field, values.get(field.name))) for field in fields]


def field_words(lang: Lang, field: ClassField, value: Any) -> str:
    """Returns a field's value; empty when there is none."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return lang.yes_no(value)
    if isinstance(value, list):
        return lang.join_parts(number_words(lang, field, one) for one in value)
    if field.kind == "date":
        return day_words(value, lang.locale)
    if field.kind == "count":
        return lang.length(value)
    return lang.word(str(value)) if field.kind == "choice" else lang.name(str(value))


def day_words(value: object, locale: str) -> str:
    """Writes a date in words; as it was sent when it is none, since a refused class is shown too."""
    try:
        return date_words(date.fromisoformat(str(value)), locale)
    except ValueError:
        return one_line(str(value))


def number_words(lang: Lang, field: ClassField, value: Any) -> str:
    """Returns one number of a list: a weekday, or the sections of a block."""
    if field.kind == "weekdays" and isinstance(value, int) and 1 <= value <= 7:
        return lang.weekday(value)
    if field.kind == "blocks" and isinstance(value, int):
        return lang.sections(2 * value - 1, 2 * value)
    if field.kind == "cells" and isinstance(value, dict):
        sections = lang.sections(2 * value["block"] - 1, 2 * value["block"])
        return lang.t("{day} {sections}", day=lang.weekday(value["day_of_week"]), sections=sections)
    return str(value)
