"""The findings about the contents of a class: items that come, go, get other names or another order."""

from __future__ import annotations

import re

from agent.llm.offline.language.lexicon import pattern
from agent.llm.offline.language.meaning.facts import Facts
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_changes import tells_contents
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.items.counted import find_counted_items
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import (
    items_in,
    said_names,
)

_BESIDE_DAY = re.compile(r"[同后前下次][一1]?天|\b(?:day|week) (?:after|before)\b|\bsame day\b")
_ITEM_VERBS = re.compile(
    r"(?P<adds>增加|添加|新增|添|加上?|补上?|再加|\b(?:add|append|insert|tack)\b"
    r"|\b(?:stick|put|pop|squeeze)\b.{1,60}\b(?:on|at|to) the (?:end|start|top|beginning|front)\b)"
    r"|(?P<gone>(?:老师|教授|学校)[^,，。;；]{0,6}(?:不[做讲考学上]了|取消|砍|去掉)|不[做讲考学]了$"
    r"|\b(?:prof(?:essor)?|teacher|lecturer|school|they)\b.{0,20}\b(?:cancell?ed|dropped|scrapped)\b"
    r"|\b(?:is|was|got|been) (?:cancell?ed|scrapped)\b)"
    r"|(?P<drops>删除|删掉|去掉|删了?|砍掉?|不要了|\b(?:delete|remove|drop|chop|scrap|ditch|bin|cut|get rid of)\b)"
    r"|(?P<renames>重命名|改个?名|换个名|改叫|更名|名字改|\b(?:rename|fix the names?)\b)"
    r"|(?P<splits>拆成|拆分|分成|\bsplit\b)"
)
_OF_CLASS = re.compile(r"任务类|\b(?:class|course)\b")
_INSIDE = re.compile(r"里面?|之?中(?!心)|\b(?:from|in|of)\b")
_ORDER_SAID = re.compile(r"顺序|次序|先后|\bin the (?:class|list|course)\b|\b(?:order|sequence)\b")
_AT_AN_END = re.compile(r"第[一1][个位]|最[前后]面|\b(?:on|at|to) the (?:end|start|top|beginning|front)\b")


_ADDS_CLASS = re.compile(r"\b(?:add|include|bring in)(?: in)?(?: my| the)? *$|(?:加上|加进来?|再加|加入) *$")


class ContentFeatures(Facts):
    """What a message says of the contents of a class."""

    @property
    def changes_items(self) -> bool:
        """给概率论加一章「假设检验」, rename chapter 2 to …, delete unit 3 from the class: the contents of a class."""
        verb = _ITEM_VERBS.search(self.folded)
        if not self.brief.classes or self.has("question") or self.slots.described:
            return False
        if tells_contents(self.message, self.brief):
            return True
        if self.has("class_noun") and not (verb and verb["drops"] and self.contents):
            return False
        if self.has("related"):
            return False
        if (
            self.has("reorder")
            and not self.timed
            and not _BESIDE_DAY.search(self.folded)
            and (self.has("content_word") or self.items or self.classes)
            and self._tells_order
        ):
            return not self.has("swap") or _ORDER_SAID.search(self.folded) is not None
        if self.any_items and self.has("called") and not (self.timed or self.has("shift") or self.has("nudge")):
            return True
        if verb is None:
            return False
        if verb["splits"]:
            return self.any_items
        if verb["renames"]:
            return self.any_items or (self.has("content_word") and _OF_CLASS.search(self.folded) is None)
        if verb["gone"]:
            return bool(self.contents)
        if verb["drops"]:
            named = self.any_items or self.has("content_word")
            of_class = verb.group() in ("删除", "delete") or _INSIDE.search(self.folded)
            counted = bool(self.classes and find_counted_items(self.message, self.brief))
            told = bool(of_class and named and self.classes) or self.drops_unplanned or counted
            return told and not self.has("from_timetable")
        known = len(named_items(self.message, self.brief)) > 1 and not self.has("class_noun")
        told = self.has("content_word") or bool(self.classes)
        return told and not (known or self.timed or self.slots.excludes)

    @property
    def adds_class(self) -> bool:
        """Whether what is to be added is a class that there is: now add CET-6, it is to be planned as well."""
        parts = (self.folded.partition(fold_text(name)) for name in said_names(self.folded, self.brief))
        return any(_ADDS_CLASS.search(head) and not re.match(r"\s*\d", rest) for head, _, rest in parts)

    @property
    def _tells_order(self) -> bool:
        """Whether a place beside something may be one in the order of a class: not beside what is no item, nor where
        the two stand so already or are of two classes, which then is about their times."""
        if not self.brief.tasks or _ORDER_SAID.search(self.folded) or _AT_AN_END.search(self.folded):
            return True
        rows = find_mentioned(self.message, self.brief)
        if len(rows) == 1 and (beside := pattern("beside_it").search(self.folded)):
            what = re.split(r"\b(?:before|after|ahead of)\b", self.folded)[-1]
            return bool(items_in(beside.group() if what == self.folded else what, self.brief))
        wanted = read_arrangement(self.message, self.brief) if len(rows) == 2 else None
        if wanted is None or wanted.beside is None or len(wanted.items) != 1:
            return True
        (row,), (side, other, _) = wanted.items, wanted.beside
        if not (row["slot"] or other["slot"]) and abs(row["order"] - other["order"]) > 1:
            return row["class_id"] == other["class_id"]  # what stands nowhere is beside nothing at any time
        return row["class_id"] == other["class_id"] and (row["order"] < other["order"]) is not (side == "before")

    @property
    def orders_contents(self) -> bool:
        """Whether what is said of the contents of a class cannot be meant for their times."""
        if not self.changes_items or self.timed:
            return False
        if not self.any_items:
            return _AT_AN_END.search(self.folded) is not None
        told = self.drops_unplanned or _ORDER_SAID.search(self.folded) or _AT_AN_END.search(self.folded)
        return bool(told) and self.has("reorder")

    @property
    def drops_unplanned(self) -> bool:
        """Whether what is to go are contents of a class that stand nowhere yet."""
        named = self.contents
        placed = {row["item_id"] for row in self.brief.tasks if row["slot"]}
        return bool(named) and not any(row["item_id"] in placed for row in named)
