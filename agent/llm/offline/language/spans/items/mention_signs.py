"""Mentions of items in a text as single signs, so that what stands around them can be told in short forms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals
from agent.llm.offline.language.spans.mentions import (
    KINDS,
    LABEL,
    STATE_ID,
    all_items,
    find_pieces,
    find_words,
    list_heads,
    without_mistakes,
)
from agent.llm.offline.language.utterance.phrase_signs import find_first_of_pair
from agent.loop.view_document import TaskView

Mentions = dict[str, tuple[str, str, list[TaskView]]]
"""What each sign stands for: its words, its kind and the items."""
_FIRST_SIGN, _MOST_SIGNS = 0xE000, 0x100
_OTHERS = re.compile(
    r"(?:其[他余它]|别的|另外的|剩[下余]|余下)的?(?:那?几[个项章]|任务|内容|东西|安排|项目|章节)?"
    r"|\b(?:(?:every|any|no)thing else|the others?|the rest|the remaining(?: ones| items| tasks| steps)?"
    r"|(?:the )?other (?:chapters|units|labs|items|tasks|things|stuff|ones)|all (?:the )?others?)\b"
)
_WEEKDAY = re.compile(r"(?<=[周期拜])([1-6]) (?!节)")


@lru_cache(maxsize=4096)
def fold_mentions(message: str) -> str:
    """A message with digits, except for those of weekdays, without what it says by mistake."""
    return fold_said(without_mistakes(fold_numbers(message)))


def fold_said(message: str) -> str:
    """A message with digits, except for those of weekdays, whatever it takes back."""
    text = spell_out_ordinals(fold_numbers(message))
    return _WEEKDAY.sub(lambda day: "一二三四五六"[int(day[1]) - 1], text)


def find_mentioned(message: str, brief: Brief) -> list[TaskView]:
    """The items that a message names one by one, whatever it says of them."""
    text, said = sign_mentions(fold_mentions(message), brief)
    rows = rows_of("".join(char for char in text if char in said), said)
    return [row for sign, row in rows if said[sign][1] == "item"]


def count_mentioned(message: str, brief: Brief) -> int:
    """How many mentions of single items there are, those of classes without a plan too."""
    _, said = sign_mentions(fold_mentions(message), brief, all_items(brief))
    return sum(kind == "item" for _, kind, _ in said.values())


def sign_mentions(text: str, brief: Brief, tasks: Sequence[TaskView] | None = None) -> tuple[str, Mentions]:
    """The text with a sign for each mention of the draft's items, or of these `tasks`, and for each sign its words, its
    kind and the items. The same each time for the items of the draft and for those of all classes: nobody may change
    it."""
    if tasks is None:
        return _sign_planned(text, brief)
    return _sign_all(text, brief) if tasks is all_items(brief) else _sign(text, brief, tasks)


@remember_of_plan
def _sign_planned(text: str, brief: Brief) -> tuple[str, Mentions]:
    return _sign(text, brief, brief.tasks)


@remember_of_plan
def _sign_all(text: str, brief: Brief) -> tuple[str, Mentions]:
    return _sign(text, brief, all_items(brief))


def _sign(text: str, brief: Brief, tasks: Sequence[TaskView]) -> tuple[str, Mentions]:
    spans: list[tuple[int, int, str, list[TaskView]]] = []
    for row in tasks:
        for needed, form in _forms_of(row["name"]):
            if needed in text:
                spans += [(one.start(), one.end(), "item", [row]) for one in form.finditer(text)]
    by_id = {row["state_id"]: row for row in brief.tasks}
    for one in STATE_ID.finditer(text):
        number = next((int(group) for group in one.groups() if group), 0)
        spans += [(one.start(), one.end(), "item", [by_id[number]])] if number in by_id else []
    for owner in brief.classes:
        rows = [row for row in tasks if row["class_id"] == owner["id"]]
        for piece in find_pieces(text, (owner["name"],), fold_numbers):
            spans += [(one.start(), one.end(), "class", rows) for one in re.finditer(re.escape(piece), text)]
    for at, form in enumerate(_KIND_FORMS):
        said_kinds = [one.span() for one in form.finditer(text)]
        rows = [row for row in tasks if at in _kinds_of(row["name"])] if said_kinds else []
        if rows and len({row["class_id"] for row in rows}) == 1:
            spans += [(start, end, "kind", rows) for start, end in said_kinds]
    spans += [(one.start(), one.end(), "others", []) for one in _OTHERS.finditer(text)]
    signed, said, end = "", Mentions(), 0
    chosen = _longest(spans)
    for row, head in zip(tasks, list_heads(row["name"] for row in tasks), strict=True):
        places = find_words(head, text) if head else []
        chosen += [(a, z, "item", [row]) for a, z in places if not any(a < one[1] and one[0] < z for one in chosen)]
    chosen.sort(key=lambda one: one[0])
    for at, (start, stop, kind, rows) in enumerate(chosen[:_MOST_SIGNS]):
        sign = chr(_FIRST_SIGN + at)
        signed += text[end:start] + sign
        said[sign] = (text[start:stop], kind, rows)
        end = stop
    return signed + text[end:], said


def _longest(spans: Iterable[tuple[int, int, str, list[TaskView]]]) -> list[tuple[int, int, str, list[TaskView]]]:
    """Of spans that overlap the longest; several items of one span together."""
    found: list[tuple[int, int, str, list[TaskView]]] = []
    for start, stop, kind, rows in sorted(spans, key=lambda one: (one[0] - one[1], one[0])):
        same = next((at for at, one in enumerate(found) if one[:3] == (start, stop, kind)), None)
        if same is not None:
            known = found[same][3]
            found[same] = (start, stop, kind, [*known, *(row for row in rows if row not in known)])
        elif not any(start < one[1] and one[0] < stop for one in found):
            found.append((start, stop, kind, rows))
    return sorted(found, key=lambda one: one[0])


def _form_of_kind(kinds: Sequence[str]) -> re.Pattern[str]:
    latin = "|".join(f"{kind}s?" for kind in kinds if kind.isascii() and len(kind) > 2)
    return re.compile(rf"(?<![a-z])(?:{latin})(?![a-z]|\s*\d)|(?<![\d个]){kinds[0]}节?(?!\s*\d|[课室])")


_KIND_FORMS = tuple(map(_form_of_kind, KINDS))
"""The words for all items of a kind: labs, 实验."""


@lru_cache(maxsize=4096)
def _kinds_of(name: str) -> frozenset[int]:
    """Where in `KINDS` the kinds stand of which a name tells."""
    folded = fold_numbers(name)
    return frozenset(at for at, kinds in enumerate(KINDS) if any(kind in folded for kind in kinds))


@lru_cache(maxsize=4096)
def _forms_of(item: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The words for an item, each with what is in all of them: its name, its label in both languages, what its name
    says besides the label."""
    return tuple((needed, re.compile(form)) for needed, form in _write_forms(fold_numbers(item).strip()))


def _write_forms(name: str) -> list[tuple[str, str]]:
    numbered = re.search(r"第\s*(\d{1,3})\s*(章|讲|课|单元|项|部分|次|篇)", name)
    label = LABEL.match(name)
    head, number = (
        (numbered[2], numbered[1])
        if numbered
        else (label[1].split()[-1], label[2])
        if label and label[1].split() and label[1].split()[-1].isalpha()
        else ("", "")
    )
    forms = [(name, rf"(?<![\da-z]){re.escape(name)}(?!\d(?![次遍下]|\d?月))")] if len(name) > 1 else []
    if not head:
        return [*forms, *_first_of_pair(name)]
    kinds = next((kinds for kinds in KINDS if head in kinds), (head,))
    latin = "|".join(f"{kind}s?" for kind in kinds if kind.isascii())
    han = "|".join(kind for kind in kinds if not kind.isascii())
    forms += [(number, rf"(?<![a-z])(?:{latin})\.?\s*#?{number}(?!\d)")] if latin else []
    han_form = rf"第\s*{number}\s*个?(?:{han})|(?<!\d)(?:{han})\s*{number}(?!\d|[次元阶维])"
    forms += [(number, han_form)] if han else []
    rest = re.sub(r"^(?:第\s*\d+\s*\S|\D{1,14}?\s*\d{1,3})[\s:：.、-]*", "", name)
    alone = len(rest) > 2 or (len(rest) == 2 and not rest.isascii() and not _GENERAL.search(rest))
    return [*forms, *([(rest, re.escape(rest))] if alone and rest != name else []), *_first_of_pair(rest)]


_GENERAL = re.compile(r"[上下前后中]|[复预练]习|总结|考试|测验|作业|内容|部分|[一二三四五六七八九十\d]")
"""Words of two characters that are said of much besides an item."""


def _first_of_pair(name: str) -> list[tuple[str, str]]:
    first = find_first_of_pair(name)
    return [(first, re.escape(first))] if first else []


def rows_of(signs: str, said: Mentions) -> list[tuple[str, TaskView]]:
    """The items of signs side by side, a class before its own items only narrowing them."""
    found: list[tuple[str, TaskView]] = []
    for at, sign in enumerate(signs):
        _, kind, rows = said[sign]
        beside = [said[one] for one in (*signs[max(0, at - 1) : at], *signs[at + 1 : at + 2])]
        if kind == "class" and any(one[1] in ("item", "kind") and one[2][0] in rows for one in beside if one[2]):
            continue
        owners = next((said[one][2] for one in reversed(signs[:at]) if said[one][1] == "class"), None)
        meant = [row for row in rows if owners and row in owners] if len(rows) > 1 and kind == "item" else rows
        found += [(sign, row) for row in meant or rows if row not in [one for _, one in found]]
    return found


def restore_mentions(text: str, said: Mentions) -> str:
    return "".join(said[char][0] if char in said else char for char in text)
