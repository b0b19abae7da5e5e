"""What is known on the way through the clauses that change the contents of classes, and the changes that they tell."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.classes.item_list import as_written, is_name, split_names
from agent.llm.offline.language.spans.classes.new_lengths import take_length
from agent.llm.offline.language.spans.items.beside import SIGN
from agent.llm.offline.language.spans.items.mention_signs import restore_mentions
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.words.comments import LEFT_OUT
from agent.loop.view_document import TaskView

Kind = Literal["add", "drop", "rename", "split", "merge", "reorder"]
UNIT = (
    r"(?:章节?|项|个|讲|节课?|部分|单元|次|课|篇|条|门|chapters?|items?|units?|lectures?|lessons?|parts?|topics?"
    rf"|labs?|things?|tasks?|steps?|sections?|ones?|{SIGN})"
)
SIDES = {
    "first": re.compile(r"最前面?|[开打]头|第[1一][个位]|\b(?:to|at|on) the (?:start|beginning|front|top)\b|\bfirst\b"),
    "last": re.compile(r"最后面?(?!那?[一1几两2三3]?个?[天周星礼])|[末结]尾|最末|\b(?:to|at|on) the end\b|\blast\b"),
}
BESIDE = re.compile(
    rf"(?:[,，]?\s*(?:再|并)?(?:放|排|加|插|接|跟|移|挪|调)?[到在于]?)?(?:the |my )?(?P<zh>{SIGN})"
    rf"(?:[和\s]*{SIGN}(?:之间|中间)|的?(?:之?后面?|以后|(?P<ahead>之?前面?|以前)))"
    r"|\b(?:right |just |straight |directly )*(?:after|behind|following|below|between"
    r"|(?P<ahead2>before|ahead of|in front of|above)) "
    rf"(?:the |all )*(?P<en>{SIGN})(?:(?: and)?(?: the)? {SIGN})?"
)
LABELLED = re.compile(
    r"\b(?:units?|chapters?|lectures?|lessons?|labs?|parts?|topics?)\s*\d+|第\s*\d+\s*(?:章|讲|单元|课)|实验\s*\d+",
    re.IGNORECASE,
)
QUOTE = re.compile("[\ue200-\ue263]")


@dataclass(frozen=True)
class ItemChange:
    """A change of the contents of one class."""

    kind: Kind
    items: tuple[TaskView, ...] = ()
    names: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    """The sections of each of the names, none where that is not told; of what has no name yet its only ones."""
    more: int = 0
    """So many more, without their names."""
    count: int = 0
    """How many there are told to be."""
    side: str = ""
    beside: TaskView | None = None
    classes: tuple[int, ...] = ()
    """The classes that the clause names, by themselves or by their items."""
    closed: bool = False
    """Whether its list is at an end: as long as it is told to be, or with its "and"."""
    gone: bool = False
    """Whether it is told that there will be none of an item, not asked to take it away."""
    back: bool = False
    """Whether something comes again that there is no more."""
    asked: bool = False
    """Whether what is told to be new is asked for by a clause of its own."""


@dataclass(frozen=True)
class ContentChanges:
    """What a message changes, in its order, and the clauses that tell of something else."""

    told: tuple[ItemChange, ...] = ()
    left: tuple[str, ...] = ()


@dataclass
class Reading:
    """What is known on the way through the clauses."""

    message: str
    brief: Brief
    said: dict[str, tuple[str, str, list[TaskView]]]
    told: list[ItemChange] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    named: tuple[TaskView, ...] = ()
    """The items of the clause before: what it, 它 and a bare verb mean."""
    adds: bool = False
    """Whether something new is told in a clause behind."""

    def items(self, text: str) -> tuple[TaskView, ...]:
        found = list[TaskView]()
        owners = self._named(text)
        for char in text:
            rows = self.said[char][2] if char in self.said and self.said[char][1] == "item" else []
            own = [row for row in rows if row["class_id"] in owners]
            found += [row for row in own or rows if row not in found]
        return tuple(found)

    def meant(self, text: str) -> tuple[TaskView, ...]:
        """The items that a text names, else the one that a telling part of its name means."""
        found = items_in(restore_mentions(text, self.said), self.brief, among=all_items(self.brief))
        return self.items(text) or (tuple(found) if len(found) == 1 else ())

    def _owners(self, char: str) -> set[int]:
        return {row["class_id"] for row in self.said[char][2]}

    def _named(self, text: str, *kinds: str) -> set[int]:
        """The classes that the signs of these kinds stand for; of none told, the names of classes."""
        signs = [char for char in text if char in self.said and self.said[char][1] in (kinds or ("class",))]
        return {one for char in signs for one in self._owners(char)}

    def classes(self, text: str) -> tuple[int, ...]:
        """The classes of a clause: those of its items where a class is named beside them, else by name, by the kind or
        the items."""
        items, named = {row["class_id"] for row in self.meant(text)}, self._named(text)
        sure = {row["class_id"] for row in self.items(text)}
        told = ((items & named or sure) if named else set()) or named or self._named(text, "item", "kind") or items
        return tuple(sorted(told))

    def own(self, text: str) -> str:
        return as_written(restore_mentions(text, self.said), self.message)

    def names(self, text: str, count: int = 0, *, parts: bool = False) -> list[str]:
        """The names of a list."""
        return [name for name, _ in self.sized(text, count, parts=parts)]

    def sized(self, text: str, count: int = 0, *, parts: bool = False) -> list[tuple[str, int]]:
        """The names of a list with their sections, as far as they are told: those in quotation marks, else its pieces
        that can be names; of `parts` without which part it is."""
        if QUOTE.search(text):
            _, *told = re.split(f"({QUOTE.pattern})", text)
            return [
                (self.said[one][0], take_length(behind)[1]) for one, behind in zip(told[::2], told[1::2], strict=True)
            ]
        bare = [LEFT_OUT.sub("", _IN_PART.sub("", one) if parts else one) or one for one in split_names(text, count)]
        pieces = [take_length(restore_mentions(piece, self.said)) for piece in bare]
        return [(self._spell(name), length) for name, length, _ in pieces if is_name(name)]

    def _spell(self, piece: str) -> str:
        """A name as it is written; a label and what it is called are one name: chapter 7 called Regression."""
        label, *called = _CALLED.split(piece, maxsplit=1)
        label = _ARTICLE.sub("", label)
        whole = not called or LABELLED.fullmatch(fold_numbers(label).strip()) is None
        return " ".join(
            as_written(one, self.message) for one in ([_ARTICLE.sub("", piece)] if whole else [label, *called])
        )


_IN_PART = re.compile(
    r"^(?:第?[一二两三四五\d](?:次|部分|半|块|份|遍|讲|个|节)|[上下前后]半(?:部分|段)?|另外?[一1]?(?:次|部分|半|块|份|个))[先再就用来]*"
    r"(?:讲(?![解座义评])|学(?!习)|做(?![题法])|看(?![图书法])|背(?![诵景])|练(?!习)|复习(?!题)|搞|弄|放|是|叫|为)+(?=\S)"
    r"|^(?:the )?(?:one|first|second|third|other|another|last)(?: one| part| half| session)?(?: is| will be)?"
    r" (?:for|on|about|covering|with)\s+",
    re.IGNORECASE,
)
"""In which part of something that is split it is, in front of a name: once for this, once for that."""


_ARTICLE = re.compile(rf"^(?:an? |the )(?={LABELLED.pattern})", re.IGNORECASE)
"""In front of a label, and no part of it: a chapter 8 on anova."""
_CALLED = re.compile(r"\s+(?:called|named|titled)\s+|\s*(?:名字?)?叫做?\s*|\s*名为\s*")


def side_of(clause: str, reading: Reading) -> tuple[str, TaskView | None] | None:
    """Where something is to stand: beside an item, behind all of a kind, at an end of the class."""
    if (beside := BESIDE.search(clause)) is not None:
        sign = beside["zh"] or beside["en"]
        ahead = beside["ahead"] or beside["ahead2"]
        rows = reading.said[sign][2]
        if rows:
            return ("before" if ahead else "after"), (rows[0] if ahead else rows[-1])
    return next(((side, None) for side, form in SIDES.items() if form.search(clause)), None)


PUTS = re.compile(
    r"[放挪移调插]|\b(?:put|mov(?:e|ing)|plac(?:e|ing)|insert|stick|pop|squeeze|right|directly|just)\b|紧|刚好|正好"
)
"""That an item is to stand beside another one, and not only somewhere before or behind it."""
