"""A new class of which a message tells its number of parts, its last day and its name, in any order, and nothing else.

What is neither the number nor the day is cut at both into pieces; the words around a name go from the ends of each, and
one piece alone may be left: that is the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese, widths
from agent.llm.offline.language.paraphrase.names import find_whole_name
from agent.llm.offline.language.plain.classes.new_names import is_free
from agent.llm.offline.language.spans.classes.item_list import as_written
from agent.llm.offline.language.spans.classes.new_class import count_span
from agent.llm.offline.language.spans.mentions import find_quoted_texts
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.words import say_date
from agent.llm.offline.language.words.told_deeds import DEED_OR_PROGRESS, DEED_ZH

_CUT = re.compile(r"\s-\s|[|,，、.。;；:：!！?？\n–—]+|(?<=\w)-(?= )")
_POLITELY = re.compile(r"\b(?:can|could|would|will) (?:you|u|we)\b|(?:能不能|可不可以|可以|能)(?=.{0,4}[帮加])")
_BEFORE = re.compile(
    r"(?:忘了?说?|[又多到嗯]|还有(?!机)|新?(?:任务类?|作业|科目?)|大[概约]|差不多|估计|应该|一?共|总共|[的得分要个]|再来|它|期末|ddl"
    r"|截止(?:日期)?|考试?(?![古虑研察核勤点场])(?=..))+"
    r"|\b(?:also|besides|forgot|then|now|it's|it|that's|that|this|is|be|has|by|until|till|before|about|around|like|roughly"
    r"|maybe|probably|altogether|thing|assignment|due|deadline|(?:final |last )?exam|final|test|with|on top|think|know"
    r"|fit|bring|takes?|needs?|which|date|at)\b"
)
_BEHIND = re.compile(
    r"(?:有|一?共|总共|大[概约]|差不多|估计|应该|[要得分到在是有的为共]|截止|上?交|之?前|考试?|期末|需?要完?成?|搞定|[写弄做学看背复习]+完|完成"
    r"|之内|布置|deadline|ddl|考)+$"
    r"|(?:'s|\b(?:also|now|needs?|takes?|has|have|got|is|are|it's|an?|the|with|about|around|like|roughly|maybe|probably"
    r"|and|so|think|i|we|exam|test|final|deadline|date|due|should|must|can|needs? to|has to|to|be|finished"
    r"|done|submitted|ready|do|total|in total|altogether|or so|on top|of it|it|as well|that|due date|after|by|left))$"
)
_OF_MORE = re.compile(
    r"(?:最|[前后这那每其第])\W*$|\b(?:first|last|next|other|these|those|remaining|final|all|both|only)\W*$"
)
"""In front of a number of things that there are already."""
_ASKS = re.compile(r"[?？吗呢]|怎么|什么")
_BESIDE_ZH, _BESIDE_EN = r"(?:一起|顺便|帮我|给我|也|都)*", r"(?:please |also |and )*"
_IT_EN = r"(?:it|that|this|them)(?: (?:in|too|as well|please|pls))*"
_PLANNED = re.compile(rf"{_BESIDE_ZH}(?:排[上好]|安排一?下?)[吧呗]?|{_BESIDE_EN}(?:plan|schedule|fit) {_IT_EN}")
_ADDED = re.compile(rf"{_BESIDE_ZH}加上[吧呗]?|{_BESIDE_EN}(?:add|put) {_IT_EN}")
_KIND = re.compile(
    r"新?的?(?:任务类?|作业|课程?|科目?|考试)"
    r"|(?:an? |my |new |one )*(?:task|class|course|subject|assignment|homework|thing|exam|deadline|one)s?"
)
"""What says of what kind it is, and not which."""
_WORK = re.compile(
    r"(?:作业|论文|报告|综述|课设|项目|大纲|[初终定]稿|草稿)$"
    r"|\b(?:homework|assignment|coursework|essay|paper|report|thesis|project|presentation|draft|worksheet|poster|summary)$"
)
"""A piece of work, which is another thing than the class that it may be for: lab report."""


@dataclass(frozen=True)
class CountedClass:
    """The name, the number and the last day of a class that is told of; `planned` whether it is to be planned too."""

    name: str
    count: str
    until: str
    planned: bool = False


def read_counted_class(message: str, brief: Brief) -> CountedClass | None:
    """The new class of which a message tells these three and nothing else; None for any other."""
    text = fold_numbers(fold_text(_ask_plainly(widths(message))))
    span = count_span(text)
    if span is None or _OF_MORE.search(text[: span[0]]) or find_quoted_texts(text) or _ASKS.search(text):
        return None
    blank = f"{text[: span[0]]}|{' ' * (span[1] - span[0] - 1)}{text[span[1] :]}"
    times = read_times(blank, brief.term)
    if len(times) != 1 or times[0].kind not in ("day", "weekday") or times[0].side == "from" or times[0].impossible:
        return None
    day = _say_day(times[0], blank)
    rest = f"{blank[: times[0].start]}|{blank[times[0].end :]}"
    if says("no_study", rest) or says("only", rest) or says("wish_most", rest):
        return None
    plans = any(_PLANNED.fullmatch(one.strip()) for one in _CUT.split(rest))
    found = find_only_name(rest, brief)
    if not found:
        return None
    name = as_written(found, message)
    return CountedClass(name, text[slice(*span)].strip(), f"{'到' if has_chinese(text) else 'until '}{day}", plans)


def find_only_name(text: str, brief: Brief) -> str:
    """The name of something new that a folded text has beside the words around one, and nothing else; else empty."""
    pieces = [one.strip(" ()（）") for one in _CUT.split(text)]
    pieces = [one for one in pieces if not (_PLANNED.fullmatch(one) or _ADDED.fullmatch(one))]
    names = [name for one in pieces if (name := _bare(one)) and not _KIND.fullmatch(name)]
    return names[0] if len(names) == 1 and _is_new(names[0], brief) else ""


def _say_day(time: Time, text: str) -> str:
    """The day that a time of a text tells, with its month where it is a certain one."""
    day = time.last or time.first
    if day is None:
        return text[time.start : time.end]
    return say_date(day, zh=has_chinese(text))


def _ask_plainly(text: str) -> str:
    """A text whose polite question is one clause of it: can you add an essay? due on Friday."""
    found = _POLITELY.search(text)
    if found is None:
        return text
    return text[: found.start()] + re.sub(r"吗?[?？]", ",", text[found.end() :], count=1)


def _bare(piece: str) -> str:
    """A piece without the words around a name, at either end."""
    name, before = piece, None
    while name != before:
        before = name
        for form in (_BEHIND, pattern("behind_study")):
            trail = form.search(name)
            name = name[: trail.start()].strip() if trail else name
        for form in (_BEFORE, pattern("before_study")):
            led = form.match(name)
            name = name[led.end() :].strip() if led else name
    return name


def _is_new(name: str, brief: Brief) -> bool:
    """Whether a name is that of nothing there is, and no deed."""
    deed = DEED_ZH.search(name) if has_chinese(name) else DEED_OR_PROGRESS.search(f"{name} it")
    if deed or sum(map(str.isalnum, name)) < 2:
        return False
    known = [row["name"] for row in (*brief.classes, *brief.tasks)]
    return is_free(name, brief) or (_WORK.search(name) is not None and not find_whole_name(name, known))
