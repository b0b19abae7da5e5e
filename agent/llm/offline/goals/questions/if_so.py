"""A question with what is to be done if its answer is yes: answered, and nothing done where it is no.

Which item goes is never guessed: where the answer is yes, those that could go are named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.llm.offline.goals.questions.lessons.lesson_questions import own_words
from agent.llm.offline.goals.questions.reads import count_text, item_lines, rows_in_time
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.references import IF_ANY
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.plain.progress import asks_what_is_on
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import run_text
from agent.loop.view_document import TaskView

_FULL = r"(?:多|满|重|忙|挤|累|紧)"
_IF_SO = re.compile(
    rf"^(?P<ask>.+?)[?？,，。\s]+(?:如果|要是|假如)?(?:是(?:的话|[,，]?就)|(?:真的|确实|实在)?太?{_FULL}(?:了|的话"
    rf"|[,，]?就)+)[,，\s]*(?P<act>.+)$"
    rf"|^(?P<ask3>[^,，。]{{2,16}}比[^,，。]{{2,16}}{_FULL})的话[,，]?就?(?P<act3>.+)$"
    r"|^(?P<ask2>.+?)[?,;.]+ *(?:and )?if (?:so|yes|it is|it does|that's the case|they are"
    r"|it's too \w+),? (?P<act2>.+)$"
)
_LOAD = re.compile(
    rf"{_FULL}|\b(?:too (?:much|many|full|busy)|full\w*|heav\w+|bus(?:y|ier)|more|packed|crowded|overloaded)\b"
)
_LESS = re.compile(r"[挪移匀调分放推减]|\b(?:move|shift|push|put|spread|take|drop)\b")


@dataclass(frozen=True)
class IfSo:
    """The weeks that are asked about, the fuller one first, and that to which something is to go."""

    week: int
    other: int
    items: Sequence[TaskView] = ()


def find_if_so(brief: Brief) -> IfSo | None:
    """What is asked of how full a week is, before what is to be done if it is; None elsewhere."""
    found = _IF_SO.search(fold_text(own_words(brief))) if brief.whole is None else None
    if found is None:
        return None
    ask, act = found["ask"] or found["ask2"] or found["ask3"], found["act"] or found["act2"] or found["act3"]
    weeks = list(dict.fromkeys(one.week for text in (ask, act) for one in read_times(text, brief.term) if one.week))
    if not _LOAD.search(ask) or not _LESS.search(act) or len(weeks) != _PAIR:
        return None
    return IfSo(weeks[0], weeks[1], items_in(act, brief)[:1])


_PAIR = 2


def if_so_text(brief: Brief) -> str:
    """How full the weeks are, and what could go, or that nothing is where it was asked about; empty where nothing is
    asked so."""
    if _goes_on_with_nothing(brief):
        return brief.say(*NOTHING_THERE)
    asked = find_if_so(brief)
    if asked is None or not brief.tasks:
        return ""
    rows, others = _rows(brief, asked.week), _rows(brief, asked.other)
    told = ("{a}有 {n}，{b}有 {m}。", "{a}: {n}; {b}: {m}.")
    values = {"a": _week(brief, asked.week), "b": _week(brief, asked.other)}
    head = brief.say(*told, **values, n=count_text(brief, rows), m=count_text(brief, others))
    if _size(rows) <= _size(others):
        no = (
            "前者任务不比后者多，所以没有移动。还是想匀的话，请说移哪一项。",
            "The first has no more to study than the second, so nothing was moved. To move something all the same, "
            "say which item.",
        )
        return head + brief.say("", " ") + brief.say(*no)
    yes = (
        "前者多 {d} 节。要移哪一项，请整句说，例如「把{item}移到第{w}周」：",
        'The first has {d} sections more. To move one of these, say for example "move {item} to week {w}":',
    )
    lead = brief.say(*yes, d=_size(rows) - _size(others), item=[*asked.items, *rows[-1:]][0]["name"], w=asked.other)
    return "\n".join([head + brief.say("", " ") + lead, *item_lines(brief, rows)])


def _goes_on_with_nothing(brief: Brief) -> bool:
    """Whether what is to be done if there is anything comes behind the answer that there is nothing."""
    asked, told = brief.earlier[-2:] if len(brief.earlier) > 1 else (None, None)
    if asked is None or told is None or brief.completed:
        return False
    answered = (asked["role"], told["role"]) == ("user", "assistant") and not (told["item_ids"] or told["asks"])
    return answered and IF_ANY.match(fold_text(own_words(brief))) is not None and asks_what_is_on(asked["text"], brief)


NOTHING_THERE = (
    "刚才问的那里没有任务，所以没有要移的，什么都没有改。",
    "Nothing is where you asked, so there is nothing to move; nothing was changed.",
)


def _rows(brief: Brief, week: int) -> list[TaskView]:
    return rows_in_time([row for row in brief.tasks if row["slot"] and row["slot"]["week"] == week])


def _size(rows: Sequence[TaskView]) -> int:
    return sum(row["duration"] for row in rows)


def _week(brief: Brief, week: int) -> str:
    return run_text(brief, brief.term.day(week, 1), brief.term.day(week, 7))
