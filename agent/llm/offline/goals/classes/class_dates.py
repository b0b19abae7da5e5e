"""A build lays a class out within the dates of the class: what is said when other ones are asked for."""

from __future__ import annotations

import re
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.dates import range_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.texts import date_text, day_and_date
from agent.loop.view_document import ClassView

_AFTERWARDS = re.compile(r"[,，。;；]?\s*(?:然后|接着|之后|再(?=把|看|移|挪|查)|\bthen\b)", re.IGNORECASE)


def first_of(message: str) -> str:
    """The first of several wishes in one message: 排概率论，然后把第2章移到周六."""
    return _AFTERWARDS.split(message)[0]


def rest_of(message: str) -> str:
    """What is wished after that; empty when it is all one wish."""
    return _AFTERWARDS.sub("", message.removeprefix(first_of(message)), count=1).strip(" ,，。;；")


def other_dates(brief: Brief, class_ids: list[int], message: str) -> str:
    """Why 第5周排线性代数 is not simply built, and how to go on; empty when the dates are those of the class."""
    term = brief.term
    first, last = range_in(message, term)
    days = target_in(message, brief).days if not (first or last) else ()
    rows = [row for row in brief.classes if row["id"] in class_ids and row["start_date"] and row["end_date"]]
    others = [row for row in rows if days or not _within(row, first, last)]
    wanted = (
        (date_text(brief, first), date_text(brief, last))
        if first and last
        else ("第5周", "第6周")
        if brief.language == "zh"
        else ("week 5", "week 6")
    )
    return "".join(_explain_dates(brief, row, wanted) for row in others[:1])


def _within(row: ClassView, first: date | None, last: date | None) -> bool:
    start, end = date.fromisoformat(row["start_date"]), date.fromisoformat(row["end_date"])
    return (first is None or first <= start) and (last is None or end <= last)


def _explain_dates(brief: Brief, row: ClassView, wanted: tuple[str, str]) -> str:
    return brief.say(
        "初稿按任务类自己的起止日期和不排时段来排，「{name}」是 {start} 到 {end}，我不能只在别的时间里排它。"
        "就按这个日期排，请说「把{name}排好」；要换日期，请说「把{name}的日期改到{first}到{last}」；"
        "要避开某些星期，请说「修改{name}，周末不排」。",
        'A plan keeps to the dates and exclusions of its task class: "{name}" runs from {start} to {end}, and I cannot '
        'confine it to another time. To plan it within these dates say "plan my {name}"; to change them say '
        '"change the dates of {name} to {first} to {last}"; to keep days free say "edit {name}, no weekends".',
        name=row["name"],
        start=day_and_date(brief, row["start_date"]),
        end=day_and_date(brief, row["end_date"]),
        first=wanted[0],
        last=wanted[1],
    )
