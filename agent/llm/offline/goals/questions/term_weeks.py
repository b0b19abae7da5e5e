"""Questions about the term: which week it is, of today or of a date, how many are left; a midterm of no known day."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

from agent.llm.offline.goals.explain import due_text
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.texts import date_text

_WHICH_WEEK = re.compile(r"(?:第几|(?<=是)几)个?(?:教学)?周|\b(?:what|which) (?:week|wk)(?: number)?\b")
_BESIDE_WEEK = re.compile(
    r"请问|现在|今天|目前|我们|咱们?|学期|这个?|本|都|已经|属于|落在|[是算在到了啊呀呢吗的哪那]"
    r"|\b(?:of|in|the|this|that|term|semester|is|it|are|we|am|i|today|now|currently|at|on|does|fall|so|hey|and"
    r"|date|day|right)\b|[\s,，.。!！?？']"
)
"""Words beside which nothing else is asked for."""
_WEEKS_LEFT = re.compile(
    r"(?:这?个?学期|本学期|期末|放假)[^,，。?？]{0,6}(?:还剩|还有|剩下?)(?:几|多少)个?(?:周|星期|礼拜)"
    r"|还(?:剩|有)(?:几|多少)个?(?:周|星期|礼拜)[^,，。?？]{0,4}(?:学期|期末|放假|结束)"
    r"|\bhow many (?:more )?weeks\b[^,?]*\b(?:term|semester)(?: (?:end|over|finish)\w*)?\b"
    r"|\bhow long (?:is|until|till|before) (?:the )?(?:term|semester)\b"
)
_MIDTERM = re.compile(
    r"(?:到|在)?期中(?:考试?)?(?:之?前|以前)"
    r"|\b(?:before|until|by|till) (?:the |my )?mid-?terms?(?: exams?)?\b"
)
_EXAM = re.compile(r"考|截止|ddl|\b(?:exam|deadline|due|test|quiz)\b")

_EXAM_DAY = re.compile(
    r"(?:期[末中]|结课)?考试?[^,，。;；]{0,4}(?:是|在|安排在)?(?:什么时候|啥时候|何时|哪[一1]?天|几号|周几|第几周)"
    r"|(?:什么时候|啥时候|哪[一1]?天|几号)[^,，。;；]{0,3}(?:期[末中]考?|考试)"
    r"|\bwh(?:en|at day|ich day)(?:'s|s| is| are| will)?(?: \w+){0,2} (?:finals?|mid-?terms?|exams?)(?: exams?"
    r"| week)?\b[^,.;]{0,8}$"
)


def asks_exam_day(text: str) -> bool:
    """Whether it is asked when exams are."""
    return _EXAM_DAY.search(text.strip(" ?？")) is not None


def tell_exam_day(brief: Brief) -> str:
    """That no date of an exam can be looked up, and what is known instead."""
    told = (
        "考试是哪天我查不到：课表和计划里只有课、任务和任务类的截止日期。知道日期的话，告诉我就能按它排。",
        "I cannot look up the day of an exam: I only know lessons, items and the end dates of classes. Tell me the "
        "date and I can plan by it.",
    )
    return "\n".join([brief.say(*told), due_text(brief)])


def answer_term(brief: Brief, answer: Callable[[Brief], str]) -> str:
    """The answer to a question about the term; what is asked of the time before a midterm of no known day, `answer`
    gives. Empty where the message asks neither."""
    message = brief.plain(brief.message)
    if items_in(message, brief) or not brief.view["semester"]:
        return ""
    if told := _tell_fact(brief, fold_text(message)):
        return told
    midterm = _MIDTERM.search(fold_text(message))
    if midterm is None or read_times(message, brief.term):
        return ""
    told = brief.say(
        "期中考试是哪天我不知道，说了日期才能算到那天之前；下面是全部的：",
        "I do not know the day of your midterm; with its date I can tell what comes before it. In all:",
    )
    rest = _MIDTERM.sub("", fold_text(message)).strip(" ,，?？") + brief.say("？", "?")
    return "\n".join(filter(None, [told, answer(brief.part([rest], brief.results))]))


def _tell_fact(brief: Brief, text: str) -> str:
    """Which week it is or how many are left; empty where a piece asks neither."""
    if classes_in(text, brief.classes) not in ([], [row["id"] for row in brief.classes]):
        return ""
    if asks_exam_day(text):
        return tell_exam_day(brief)
    if _EXAM.search(text):
        return ""
    if _ALL_WORK.search(text) and not (_REST.search(text) or read_times(text, brief.term)):
        return _tell_work(brief)
    if _WEEKS_LEFT.search(text):
        return _tell_left(brief)
    times = [one for one in read_times(text, brief.term) if one.kind == "day" and one.first]
    if not _WHICH_WEEK.search(text) or _BESIDE_WEEK.sub("", _WHICH_WEEK.sub("", _untimed(text, times))):
        return ""
    day = next((one.first for one in times if one.first), brief.term.today)
    return _tell_week(brief, day)


_ALL_WORK = re.compile(
    r"(?:一共|总共|总的|全部|这?个?学期|本学期)[^,，。;；每周天]{0,8}(?:多少|几)(?:个|项|节)?(?:任务|内容|东西|要?[学复])"
    r"|\bhow (?:much|many) (?:is there |study |more )?(?:work|studying|tasks?|things?|items?|to (?:do|study))\b"
    r"[^,.;]{0,24}\b(?:in total|altogether|overall|in all|(?:this|the whole|all) (?:term|semester))\b"
)


_REST = re.compile(r"剩|还[有要没]|\b(?:left|remain\w*|still|to go)\b")


def _tell_work(brief: Brief) -> str:
    """How many items and sections all classes have, and how many of them are planned."""
    placed = {row["item_id"] for row in brief.tasks if row["slot"]}
    told = ("{name}：{n} 项，{m} 节", "{name}: {n} items, {m} sections")
    rows = [(row["name"], row["item_count"], row["sections"]) for row in brief.classes]
    total = (brief.say("一共", "In all"), sum(n for _, n, _ in rows), sum(m for _, _, m in rows))
    lines = [brief.say(*told, name=name, n=n, m=m) for name, n, m in (total, *rows)]
    planned = brief.say("，其中 {n} 项已经排好", ", {n} of the items planned", n=len(placed))
    return "\n".join([lines[0] + planned, *lines[1:]])


def _untimed(text: str, times: Sequence[Time]) -> str:
    for one in reversed(times):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def _tell_week(brief: Brief, day: date) -> str:
    week = brief.term.week_day(day)[0]
    if not 1 <= week <= brief.term.weeks:
        return brief.say("{day}不在这个学期里。", "{day} is not in this term.", day=date_text(brief, day))
    return brief.say(
        "{day}在第 {week} 周，这个学期一共 {weeks} 周。",
        "{day} is in week {week}; this term has {weeks} weeks.",
        day=f"{_today(brief)}{date_text(brief, day)}" if day == brief.term.today else date_text(brief, day),
        week=week,
        weeks=brief.term.weeks,
    )


def _today(brief: Brief) -> str:
    return brief.say("今天", "Today, ")


def _tell_left(brief: Brief) -> str:
    left = max(0, brief.term.weeks - brief.term.week)
    return brief.say(
        "现在是第 {week} 周，后面还有 {left} 周，学期到{end}结束。",
        "This is week {week}; {left} more are left, the term ends on {end}.",
        week=brief.term.week,
        left=left,
        end=date_text(brief, brief.term.last_day),
    )
