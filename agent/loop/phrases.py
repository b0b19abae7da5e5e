"""Phrases that decide without a model: the gates of the rough build, scope answers, the conversation's language. PURE.

A phrase matches as a substring of the NFKC-folded, lower-cased message.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from taskclasses.i18n import language_of

DRAFT_ONLY = (
    "只要初稿", "先给初稿", "先排进去就行", "先排进去", "先不优化", "先别优化", "先不微调", "先别微调", "排完就收口",
    "粗排就行", "草稿就行", "draft only", "no refine", "no optimization", "no optimisation",
)  # fmt: skip
SECOND_BUILD = (
    "重新粗排", "重做粗排", "从头排", "从头重排", "重新排一遍", "重新排课", "重排全部", "全部重排", "重置排程",
    "重置后重排", "重新生成初稿", "rebuild", "from scratch", "start over",
)  # fmt: skip
ACCEPT_PARTIAL = (
    "能排多少排多少", "先排能排的", "接受风险", "排不下就算了", "as many as fit", "accept the risk",
)  # fmt: skip
GLOBAL = (
    "全局优化", "整体优化", "全局重排", "整体重排", "重新优化", "全面优化", "体检", "节奏", "切换太多", "太碎",
    "太累", "太满", "optimise", "optimize", "check my plan", "too fragmented", "too tiring",
)  # fmt: skip
CLASS_NOUNS = ("任务类", "复习计划", "学习计划", "学习任务", "task class", "study plan")
CLASS_VERBS = ("新建", "创建", "添加", "修改", "建一个", "建个", "编辑", "create", "add", "edit", "make", "new")
ALL_WORDS = ("全部", "所有", "都要", "都排", "all", "everything", "both")
_CJK = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_QUOTED = re.compile('「[^」]*」|『[^』]*』|《[^》]*》|“[^”]*”|"[^"]*"')
_NUMBER = re.compile(r"(?:选|第|option|no\.?|#)?\s*(\d{1,2})\s*(?:个|项|号)?[.。、]?")


def folded(message: str) -> str:
    return unicodedata.normalize("NFKC", message).lower()


def listed(names: Iterable[str], locale: str) -> str:
    """Names in a sentence for the student."""
    return (", " if language_of(locale) == "en" else "、").join(names)


def says(message: str, phrases: Sequence[str]) -> bool:
    text = folded(message)
    return any(phrase in text for phrase in phrases)


def writes_a_class(message: str) -> bool:
    """Whether the message is about creating or editing a task class."""
    return says(message, CLASS_NOUNS) and says(message, CLASS_VERBS)


def language_of_message(message: str, default: str = "zh") -> str:
    """zh when at least a fifth of the letters are CJK, else en; `default` for a message without letters.

    Quoted names are the student's data, whatever language the student speaks.
    """
    letters = [char for char in _QUOTED.sub("", message) if char.isalpha()]
    if not letters:
        return default
    return "zh" if 5 * sum(1 for char in letters if _CJK.match(char)) >= len(letters) else "en"


def chosen_option(message: str, options: Sequence[tuple[str, str]]) -> str | None:
    """The id of the option a reply names by id, label or number in the list; None when it names none."""
    text = folded(message).strip()
    for key, label in options:
        if text in (folded(key), folded(label).strip()):
            return key
    number = _NUMBER.fullmatch(text)
    if number and 1 <= int(number.group(1)) <= len(options):
        return options[int(number.group(1)) - 1][0]
    return None


def means_all(message: str) -> bool:
    """Whether an answer names everything that is offered."""
    text = folded(message)
    return text.strip() in ALL_WORDS or any(word in text for word in ALL_WORDS if not word.isascii())


def classes_named(message: str, classes: Sequence[Mapping[str, Any]]) -> list[int]:
    """Ids of the classes whose name occurs in the message."""
    text = folded(message)
    return [row["id"] for row in classes if row["name"] and folded(row["name"]) in text]
