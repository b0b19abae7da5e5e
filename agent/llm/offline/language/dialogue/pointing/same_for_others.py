"""A turn that names others and wants of them what was wanted before: moments too, 透镜也是, the same for physics."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import join_names
from agent.llm.offline.language.dialogue.memory import CLASS_WRITE, Exchange
from agent.llm.offline.language.dialogue.pointing.subjects import LEADS
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.names import find_shortened, list_names
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import ORDINAL, all_items, classes_in, items_in, said_names

_SAME = re.compile(
    r"同样|一样|照旧|照此|同上|也是|也这么|也这样|也按|条件不变|^还有|也\W*$"
    r"|\b(?:same|likewise|similarly|ditto|too|as well|also)\b"
    r"|\b(?:does|would|will|could|can|is) (?:that|it|this) (?:work|be|go|do|possible|ok(?:ay)?|fine)\b"
)
_SAME_OF = re.compile(r"同样|一样|照此|同上|\b(?:same|likewise|similarly|ditto)\b")


REST_OF_SAME = re.compile(
    r"(?:\b(?:and|same|for|with|goes|the|too|as well|also|likewise|please|pls|oh|ok(?:ay)?|then|do|plan|actually|my"
    r"|what|how|about|condition|rule|limit|restriction|deal|thing|similarly|ditto|of|it"
    r"|does|would|will|could|can|is|that|this|work|possible|fine|be|other|one|step|task)s?\b|[,.!?\s])+"
    r"|(?:其[他它余]|别的|[几些]?[个章项门]|任务|可以|能行|行|吗|同样|一样|相同|照旧|照此|同上|条件|要求|规则|不变|也是|也这[么样]|也按|[那还有也是的把吧哦啊呢呀这样么排,，。!！?？\s])+"
)
WHAT_ABOUT = re.compile(r"呢(?:\W|$)|\b(?:what|how) about\b|^(?:oh |ok )?and\b[^?]*\?\s*$")
_CARRIED: tuple[Intent, ...] = (*OPERATIONS, "class", "wish", "replan", "mark", "build", "limit")
"""What may be wanted of others as well."""
_PLACING: tuple[Intent, ...] = ("move", "place")


def take_same_for_others(text: str, last: Exchange, brief: Brief) -> str:
    """What was wanted of a class, or of items, for the others that a turn names and nothing else: moments too,
    透镜和电桥也是, the same for physics."""
    folded, said = fold_numbers(text), fold_around_names(last.text, brief)
    new, old = find_names_run(folded, brief), find_names_run(said, brief)
    if new is None or old is None or last.asked or last.intent not in _CARRIED:
        return ""
    swaps = says("swap", last.text) and len(last.items) > 1
    beside = last.intent in _PLACING and len(last.items) == 1 and not last.stopped and WHAT_ABOUT.search(folded)
    if not (last.wrote or last.listed or swaps or beside or classes_named(text, brief)):
        return ""  # over a card of items another one is a correction, or one more
    told = _SAME.search(folded) or WHAT_ABOUT.search(folded)
    plain = _SAME_OF.search(folded) or not Features(text, brief).builds
    name = _name_others(text, last, brief)
    if not (told and plain and name) or REST_OF_SAME.sub("", folded[: new[0]] + folded[new[1] :]):
        return ""
    return LEADS.sub("", said[: old[0]] + name + said[old[1] :])


def ask_same_of_class(text: str, last: Exchange, brief: Brief) -> str:
    """A question that named nothing, no time either, asked of the class that a turn names alone: 线代呢 behind
    还剩几章没排."""
    folded = fold_numbers(text)
    new, named = find_names_run(folded, brief), classes_in(text, brief.classes)
    alone = new is not None and not REST_OF_SAME.sub("", folded[: new[0]] + folded[new[1] :])
    if not alone or len(named) != 1 or not WHAT_ABOUT.search(folded) or last.intent not in _NAMELESS or last.wrote:
        return ""
    if find_names_run(last.text, brief) or last.items or last.target.said or not _ASKS.search(last.text):
        return ""
    asked, name = last.text.strip(" ?？。."), brief.name_of(named[0])
    return brief.say("{name}{asked}", "{asked} of {name}", name=name, asked=asked)


_NAMELESS: tuple[Intent, ...] = ("show", "other")
_ASKS = re.compile(r"几|多少|哪|什么|\bhow (?:many|much)\b")


def _name_others(text: str, last: Exchange, brief: Brief) -> str:
    """The names of what a turn names, where that is not what was spoken of; the class where it alone was changed."""
    named = classes_named(text, brief)
    if named:
        others = named != classes_named(last.said, brief)
        return brief.say("、", " and ").join(brief.name_of(one) for one in named) if others else ""
    rows = named_items(text, brief) or items_in(text, brief, among=all_items(brief))
    owners = {row["class_id"] for row in rows}
    if CLASS_WRITE in last.wrote and owners == {*last.classes} and not last.items:
        return brief.name_of(last.classes[0])
    if not rows:  # a part of a name that no reader takes for one by itself
        items = [item["content"] for row in brief.classes for item in row["items"]]
        said, before = (find_shortened(one, (), items) for one in (text, last.said))
        return brief.say("、", " and ").join(one for one in said if one not in before)
    return join_names(rows, brief) if not any(row in last.items for row in rows) else ""


def fold_around_names(text: str, brief: Brief) -> str:
    """A text folded as far as its names need it: weekdays stay as they are written where no number is one."""
    plain = fold_text(text)
    return plain if find_names_run(plain, brief) else fold_numbers(text)


_BETWEEN = re.compile(r"(?:[\s、,，&和与跟的第章]|\band\b|\bthe\b|\bmy\b|课|实验)*")


def find_names_run(text: str, brief: Brief) -> tuple[int, int] | None:
    """Where the names of a folded text stand, side by side; None where there are none, or at several places. The class
    of an item that is named in front tells nothing more."""
    runs = find_runs(text, brief)
    owners = (
        {row["class_id"] for row in items_in(text[slice(*runs[0])], brief, among=all_items(brief))} if runs else set()
    )
    others = [one for one in runs[1:] if not owners & {*classes_named(text[slice(*one)], brief)}]
    return runs[0] if runs and not others else None


_LABEL = r"(?:实验|单元|专题|模块)\s*\d{1,2}(?![\d个节天月号])"
_ORDINAL_OF = "第[一二三四五六七八九十]{1,3}"
"""The number in front of a name of which only the rest was found: 第三 in 第三章 数字特征."""


def find_runs(text: str, brief: Brief) -> list[tuple[int, int]]:
    """Where the names of a folded text stand, those side by side as one."""
    classes = tuple(row["name"] for row in brief.classes)
    items = tuple(item["content"] for row in brief.classes for item in row["items"])
    said = [re.escape(name.text) for name in list_names(text, classes, items)]
    forms = (*(f"(?:{_ORDINAL_OF})?{form}" for form in said), ORDINAL.pattern, _LABEL)
    at = sorted(found.span() for form in forms for found in re.finditer(form, text))
    runs: list[tuple[int, int]] = []
    for start, end in at:
        if runs and (start <= runs[-1][1] or _BETWEEN.fullmatch(text[runs[-1][1] : start])):
            runs[-1] = (runs[-1][0], max(runs[-1][1], end))
        else:
            runs.append((start, end))
    return runs


def classes_named(text: str, brief: Brief) -> list[int]:
    return classes_in(text, brief.classes) if said_names(fold_text(text), brief) else []
