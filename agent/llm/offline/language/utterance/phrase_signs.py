"""The times, classes and items of a text as single signs, so that phrases of them can be told in short forms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.described_forms import number_of_item
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.spans.mentions import KINDS, classes_in, find_pieces
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.llm.offline.language.spans.times.words import number_of
from agent.loop.view_document import TaskView

_FIRST, _EACH = 0xE000, 0x100
TIME, CLASS, ITEM, NUMBERED = (f"[{chr(_FIRST + _EACH * at)}-{chr(_FIRST + _EACH * (at + 1) - 1)}]" for at in range(4))
"""The signs of each kind, as expressions."""
_KINDS = {TIME: 0, CLASS: 1, ITEM: 2, NUMBERED: 3}
_N = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})"
_JOINT = r"(?:[、,，和与跟及~-]|到|至)"
_NUMBERS_EN = r"\d{1,2}(?:(?:, ?(?:and )?| and | & | to | through | ?- ?)\d{1,2}(?! ?(?:days?|weeks?|sections?)))*"
_NUMBERED = re.compile(
    rf"(?P<zh>第{_N}(?:{_JOINT}第?{_N})*|(?<![\d第])\d{{1,2}}(?:{_JOINT}\d{{1,2}})*)\s*个?(?P<kind>章|单元|讲|实验|专题)"
    rf"|(?P<kind2>实验|专题|单元)\s*(?P<zh2>{_N}(?:{_JOINT}(?:实验|专题|单元)?{_N})*)(?!(?<=\d)\d|[天个节次]|周(?![一二三四五六日天末](?![个次])))"
    rf"|(?<![a-z])(?P<kind3>chapter|ch|unit|lab|experiment|lecture|lesson|topic)s? ?(?P<en>{_NUMBERS_EN})"
    r"(?!\d| ?(?:days?|weeks?|sections?|periods?)\b)"
)
"""Items by their numbers: 第二、三章, 实验一到三, chapters 2 and 3."""


@dataclass(frozen=True)
class Signed:
    """A text with signs, and for each sign its words and what it stands for."""

    text: str
    said: dict[str, tuple[str, tuple[TaskView, ...] | Time]]
    rows: tuple[TaskView, ...]
    """All that may be meant: the items of the plan, and those of classes that have none in it."""

    def times_of(self, words: str) -> list[Time]:
        return [found for char in words if char in self.said and isinstance(found := self.said[char][1], Time)]

    def items_of(self, words: str, kinds: str) -> list[TaskView]:
        """The items that the signs of some kinds in a piece of the text stand for."""
        found = [self.said[char][1] for char in re.findall(kinds, words) if char in self.said]
        return [row for rows in found if not isinstance(rows, Time) for row in rows]

    def restore(self, words: str) -> str:
        return "".join(self.said[char][0] if char in self.said else char for char in words)


def sign_phrases(text: str, plan: SelectionPlan) -> Signed:
    """A folded text with its times, classes and items as signs, the longest where several overlap."""
    text, rows = spell_out_lists(text), (*plan.tasks, *_list_waiting(plan))
    numbered = [(found, meant) for found in _NUMBERED.finditer(text) if (meant := _find_numbered(found, rows))]
    untold = text
    for found, _ in numbered:  # lab 1 march 24: no first of March
        untold = untold[: found.start()] + "_" * len(found.group()) + untold[found.end() :]
    spans: list[tuple[int, int, str, tuple[TaskView, ...] | Time]] = [
        (one.start, one.end, TIME, one) for one in read_times(untold, plan.term) if one.end > one.start
    ]
    for row in plan.classes:
        own = tuple(one for one in rows if one["class_id"] == row["id"])
        for piece in find_pieces(text, (row["name"],)):
            if own and classes_in(piece, plan.classes) == [row["id"]]:
                spans += [(*one.span(), CLASS, own) for one in re.finditer(_alone(piece), text)]
    for one in rows:
        rest = _without_label(one["name"])
        for name in {fold_text(one["name"]), rest, find_first_of_pair(rest)} - {""}:
            spans += [(*found.span(), ITEM, (one,)) for found in re.finditer(_alone(name), text)]
    spans += [(*found.span(), NUMBERED, meant) for found, meant in numbered]
    return _write(text, spans, rows)


def _alone(name: str) -> str:
    return rf"(?<![a-z\d]){re.escape(name)}(?![a-z\d])" if name.isascii() else re.escape(name)


def _write(
    text: str, spans: Iterable[tuple[int, int, str, tuple[TaskView, ...] | Time]], rows: Iterable[TaskView]
) -> Signed:
    chosen: list[tuple[int, int, str, tuple[TaskView, ...] | Time]] = []
    for span in sorted(spans, key=lambda one: (one[0] - one[1], one[0], _KINDS[one[2]])):
        if all(span[1] <= one[0] or one[1] <= span[0] for one in chosen):
            chosen.append(span)
    signed, end = "", 0
    said: dict[str, tuple[str, tuple[TaskView, ...] | Time]] = {}
    for at, (start, stop, kind, meant) in enumerate(sorted(chosen, key=lambda one: one[0])[: _EACH - 1]):
        sign = chr(_FIRST + _EACH * _KINDS[kind] + at)
        signed, end = signed + text[end:start] + sign, stop
        said[sign] = (text[start:stop], meant)
    return Signed(signed + text[end:], said, tuple(rows))


def _list_waiting(plan: SelectionPlan) -> list[TaskView]:
    """The items of the classes that have none in the plan, in the form of its entries."""
    planned = {row["class_id"] for row in plan.tasks}
    return [
        TaskView(
            state_id=-item["id"], item_id=item["id"], name=item["content"], class_id=row["id"], order=item["order"],
            status="pending", slot=None, duration=0, mark="",
        )
        for row in plan.classes if row["id"] not in planned for item in row.get("items", ())
    ]  # fmt: skip


def _without_label(name: str) -> str:
    """What a name says besides its label: 随机变量 of 第二章 随机变量."""
    rest = re.sub(
        r"^(?:第\s*\S{1,3}?\s*[章讲课项次]|[^\d\s]{1,12}\s*(?:\d{1,3}|[一二三四五六七八九十]{1,3}))[\s:：.、-]+",
        "",
        name,
    )
    return fold_text(rest) if len(rest) > 2 else ""


_PAIR = re.compile(r"(?P<first>[\u4e00-\u9fff]{3,8}?)[与和及](?=[\u4e00-\u9fff]{2})")


def find_first_of_pair(name: str) -> str:
    """The first of the two things that a Chinese name joins: 特征值与特征向量 is called 特征值 for short."""
    pair = _PAIR.match(name)
    return pair["first"] if pair else ""


def _find_numbered(found: re.Match[str], rows: Iterable[TaskView]) -> tuple[TaskView, ...]:
    """The items of the kind that have these numbers, all of them; none where one is not there."""
    kind = found["kind"] or found["kind2"] or found["kind3"]
    kinds = next((kinds for kinds in KINDS if kind in kinds), (kind,))
    said = found["zh"] or found["zh2"] or found["en"]
    numbers = [number_of(one) for one in re.findall(_N, said)]
    if re.search(r"到|至|[~-]| to | through ", said) and len(numbers) == 2:
        numbers = [*range(numbers[0], numbers[1] + 1)]
    own = [row for row in rows if any(one in fold_text(row["name"]) for one in kinds)]
    meant = tuple(row for row in own if number_of_item(row) in numbers)
    return meant if len({row["class_id"] for row in meant}) == 1 and len(meant) == len(set(numbers)) else ()
