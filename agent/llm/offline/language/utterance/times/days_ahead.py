"""What is to be done so many days before a date, with the last day itself: finish probability two days before April 10
-> finish Probability by 8 April; 线代4月10号考，考前两天学完 -> 线性代数4月8号之前学完.

The distance stands at the date, or behind it where the date is that of an exam or a deadline.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.paraphrase.names import find_shortened
from agent.llm.offline.language.spans.classes.exam_days import EXAM
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.words import COUNT, number_of, say_date
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, sign_phrases
from agent.loop.view_document import TaskView

_DONE = re.compile(
    r"[完好]|完成|结束|搞定|解决|\b(?:finish\w*|done|ready|complete\w*|through|over with|wrapped up|end)\b"
)
_N_ZH = r"(?P<n>\d{1,2}|[一二两三四五六七八九十]{1,2})个?(?P<unit>天|周|星期|礼拜)"
_N_EN = rf"(?P<n>{COUNT}) (?:full |whole )?(?P<unit>day|week)s?"
_SURELY = r"(?:[,，\s]|全部?|都|得|要|我|想|能|所有的?|必须|应该|就|至少|起码|最好|的|在|之|以)*"
_AHEAD_ZH = rf"(?:(?:考试?|[它那]一?天?|截止)?前{_SURELY}|提[前早]|往前){_N_ZH}(?:之前|以前|前|的时候|就)*"
_BACK_ZH = r"(?P<n2>\d{1,2}|[一二两三四五六七八九十]{1,2})个?(?P<unit2>天|周|星期|礼拜)(?:之|以)?前"
_AT_ZH = re.compile(rf"比?{TIME}(?P<exam>考试?|小测|测验|答辩|截止|上?交)?{_SURELY}(?:{_AHEAD_ZH}|{_BACK_ZH})")
_AT_EN = re.compile(
    rf"(?:at least )?{_N_EN} (?:or more )?(?:before|ahead of|prior to|earlier than|in advance of)"
    rf"(?: (?:the|my|our) (?!\w+ day)[a-z ]{{2,30}}?)?(?: is)?(?: on)?(?: the)? {TIME}"
)
_LATER_EN = re.compile(
    rf"(?:at least )?\b{_N_EN} (?:or more )?(?:before|ahead|prior|earlier|early|sooner|in advance)\b"
    r"(?: (?:of|to) (?:it|that|then)| (?:it|that|then)\b"
    r"| (?:of |to )?the (?:exam|test|deadline|final|quiz|midterm|due date|day)\b)?(?! \w+ [\ue000-\uf8ff])"
)
_CLAUSES = re.compile(r"[,，;；。]|\band\b")
_TOLD_AND_WANTED = 2
_ASKS = re.compile(r"[?？吗呢]|能不能|来得及")
_LONGEST = 120


def spell_days_ahead(message: str, plan: SelectionPlan) -> str:
    """The message with the last day of what is done some days before a date; any other as it is."""
    text = re.sub(r"早(?=[一二两三四五六七八九十\d]{1,2}个?[天周星礼])", "提前", fold_text(message).strip(" .。!！"))
    if len(text) > _LONGEST or not _DONE.search(text):
        return message
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    at_date = (_AT_ZH if zh else _AT_EN).search(signed.text)
    found = at_date or (None if zh else _LATER_EN.search(signed.text))
    times = signed.times_of(signed.text)
    day = _only_day(times[0], plan) if len(times) == 1 else None
    named = re.findall(CLASS, signed.text)
    if found is None or day is None or len(named) > 1 or re.search(f"{ITEM}|{NUMBERED}", signed.text):
        return message
    parts = found.groupdict()
    count, unit = parts["n"] or parts.get("n2") or "", parts["unit"] or parts.get("unit2")
    last = day - timedelta(days=number_of(count) * (1 if unit in ("day", "天") else 7))
    names = [row["name"] for row in plan.classes]
    owners = find_shortened(text, names, ()) if not named else [_name_owner(signed.said[named[0]][1], plan)]
    owner = owners[0] if len(owners) == 1 else ""
    before, behind = signed.text[: found.start()], signed.text[found.end() :]
    exam = EXAM.search(before) or parts.get("exam") or says("deadline", before)
    alone = len(_CLAUSES.split(signed.text)) <= _TOLD_AND_WANTED and not _ASKS.search(signed.text)
    if owner and alone and (exam or at_date):
        return f"{owner}{say_date(last, zh=zh)}之前学完" if zh else f"finish {owner} by {say_date(last, zh=zh)}"
    if at_date is None or not _DONE.search(f"{before} {behind}"):
        return message
    return signed.restore(
        f"{before}{say_date(last, zh=zh)}之前{behind}" if zh else f"{before}by {say_date(last, zh=zh)}{behind}"
    )


def _name_owner(meant: tuple[TaskView, ...] | Time, plan: SelectionPlan) -> str:
    """The whole name of the class for which a sign stands."""
    owned = () if isinstance(meant, Time) else meant
    return next((row["name"] for row in plan.classes if owned and row["id"] == owned[0]["class_id"]), "")


def _only_day(time: Time, plan: SelectionPlan) -> date | None:
    """The one day that a time tells, or up to which it goes; a weekday of no certain week is the next one."""
    term = plan.term
    if time.kind == "weekday" and len(time.weekdays) == 1 and not (time.first or time.last):
        ahead = timedelta(days=(time.weekdays[0] - term.today.isoweekday() - 1) % 7 + 1)
        return term.day(time.week, time.weekdays[0]) if time.week else term.today + ahead
    one = time.kind in ("day", "weekday") and (time.first in (None, time.last) or time.last is None)
    return (time.last or time.first) if one else None
