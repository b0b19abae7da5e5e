"""The dates of classes: what is said when a build is to lie outside of them, and last days that are put off."""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.revision.other_values import EXTENDED, MONTH
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.conditions.limit_forms import CLAUSE_BREAK, SPAN
from agent.llm.offline.language.spans.dates import dates_in, range_in
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in, way_in, way_to
from agent.llm.offline.language.spans.times.piece_readers import next_of_number
from agent.llm.offline.language.spans.times.reading import read_times
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


_STUDIES = re.compile(r"[背学做看练排]|复习|\b(?:do|start|begin|study|learn|plan|work|revise|schedule)\b")
_THESE_DAYS = re.compile(r"这[几两]天|\b(?:these|the next few) days\b")


def tell_class_begins_later(brief: Brief) -> str:
    """That a class only begins behind the days on which the student wants to study it; empty where it does not."""
    text = fold_text(brief.message)
    days = [one.last for one in read_times(text, brief.term) if one.last]
    days = days or [brief.term.today] * bool(_THESE_DAYS.search(text))
    if not days or not _STUDIES.search(text) or excludes(text) or SPAN.search(text):  # which begins with the class
        return ""
    rows = [row for one in find_classes(text, brief) if (row := brief.class_of(one)) is not None]
    begun = not all(max(days).isoformat() < (row["start_date"] or "") for row in rows)
    if not rows or begun or items_in(text, brief, among=all_items(brief)):
        return ""
    if intent_of(text, brief) not in ("build", "optimise", "other"):
        return ""
    told = (
        "「{name}」{start}才开始，在那之前排不了，什么都没有改。要提前开始，请说「{name}从{today}开始」。",
        '"{name}" only begins on {start}; nothing can be planned before that, and nothing was changed. To begin '
        'earlier, say "{name} starts on {today}".',
    )
    starts = [(row["name"], day_and_date(brief, row["start_date"])) for row in rows]
    today = date_text(brief, brief.term.today)
    return "\n".join(brief.say(*told, name=name, start=start, today=today) for name, start in starts)


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


_SOONER = re.compile(
    r"提[前早]|早(?:了|到|一|1)|往前|缩短"
    r"|\b(?:earlier|sooner|forward|ahead|shorten\w*|brought|bring\w*|pull\w*|not? (?:extend|more))\b"
)


def own_words(brief: Brief, turn: str) -> str:
    """What the student wrote of a turn, beside its plain words: these leave out whether a date was put off."""
    own = dict((brief.whole or brief).written)
    return f"{turn}, {own.get(turn, '')}"


def puts_off(brief: Brief, turn: str) -> bool:
    """Whether a turn tells of a later end, not of an earlier one."""
    text = fold_text(own_words(brief, turn))
    later = EXTENDED.search(fold_numbers(text)) or way_to(text) == 1 or way_in(text) == 1
    return bool(later) and not _SOONER.search(text)


def tells_month(turn: str) -> bool:
    """Whether a turn names the month of its dates."""
    return MONTH.search(fold_text(turn)) is not None


def later_end(brief: Brief, row: ClassView, turn: str, end: date) -> date:
    """The end that is told, in the first month in which it is later than the present one where it is put off."""
    present = date.fromisoformat(row["end_date"]) if row["end_date"] else end
    own = dict((brief.whole or brief).written).get(turn, turn)
    if end > present or tells_month(own) or not puts_off(brief, turn):
        return end
    return next_of_number(end.day, present) or end


_TOO_LATE = re.compile(r"太[晚早]了?\W*$|\btoo (?:late|early|soon)\W*$")


def tell_no_later(brief: Brief, row: ClassView, turn: str, end: date | None) -> str:
    """What is asked where an end that is put off would come before the present one, or the present one is told to be
    too late or too early; empty where it is not."""
    present = date.fromisoformat(row["end_date"]) if row["end_date"] else None
    if end and end == present and _TOO_LATE.search(fold_text(own_words(brief, turn))):
        told = ("「{name}」现在到 {day} 结束，要改到哪一天？", '"{name}" ends on {day} now. Which day should it be?')
        return brief.say(*told, name=row["name"], day=date_text(brief, end))
    if end is None or present is None or end >= present or not puts_off(brief, turn):
        return ""
    return brief.say(
        "「{name}」现在到 {present} 结束，{end} 比它还早，不是延长。要改到哪一天？",
        '"{name}" ends on {present} now; {end} is earlier than that, so it would get shorter. Which day do you mean?',
        name=row["name"],
        present=date_text(brief, present),
        end=date_text(brief, end),
    )


def end_said_later(brief: Brief, row: ClassView) -> date | None:
    """The day that was named in answer to that question; one before the class begins is of the month of its end."""
    day = next((day for turn in reversed(brief.turns[1:]) for day in dates_in(turn, brief.term)), None)
    if day and row["start_date"] and row["end_date"] and day < date.fromisoformat(row["start_date"]):
        present = date.fromisoformat(row["end_date"])
        return present + timedelta(days=day.day - present.day)
    return day


_NOT_YET = re.compile(
    r"(?:先|暂时|暂且|目前|现在)(?:就|都)?(?:别|不要?|不用|不必|不急着?)(?:着急|急着|去|再|给我|帮我)*(?:安?排|学|弄|做|管|碰|考虑|动)"
    r"|(?:别|不要?|不用)(?:先|急着|现在)就?(?:安?排|学|弄|做|管)"
    r"|\b(?:don't|do not|no need to|not) (?:plan|schedule|place)\b[^,.;]*\b(?:yet|for now|right now|at the moment)\b"
    r"|\b(?:leave|keep)\b[^,.;]*\b(?:unplanned|out)\b[^,.;]*\b(?:for now|yet)\b"
)
_UNTIL_THEN = re.compile(r"^等|再说|再排|再考虑|^(?:and |i'll |please )*(?:wait|until|till|when|later)\b")


def tell_left_unplanned(brief: Brief) -> str:
    """That a class without a plan stays so, for one who wants it planned later; empty where anything else is wanted."""
    clauses = [one for one in CLAUSE_BREAK.split(fold_text(brief.own_words)) if one.strip()]
    wanted = [one for one in clauses if not (_UNTIL_THEN.search(one.strip()) and not _NOT_YET.search(one))]
    ids = classes_in(wanted[0], brief.classes) if len(wanted) == 1 and _NOT_YET.search(wanted[0]) else []
    planned = {row["class_id"] for row in brief.tasks if row["slot"]}
    if not ids or planned & {*ids} or read_times(wanted[0], brief.term) or asks_whether(wanted[0]):
        return ""
    return brief.say(
        "好的，{names}先不排，什么都没有改。要排的时候，请说「把{first}排好」。",
        'All right, {names} stays unplanned for now; nothing was changed. To have it planned, say "plan {first}".',
        names=brief.names_of(ids),
        first=brief.name_of(ids[0]),
    )
