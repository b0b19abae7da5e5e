"""What is asked for an opinion: which to learn first, whether it is too much. The figures that it turns on are told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from agent.llm.offline.goals.questions.distances import find_pair
from agent.llm.offline.goals.questions.query import ASKS, find_owners
from agent.llm.offline.goals.questions.reads import count_text, item_lines, rows_in_time
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import ACTS, read_supposition
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text, run_text
from agent.loop.view_document import TaskView

_ADVICE = re.compile(
    r"先(?:学|复习|做|背|看|搞|弄)(?:哪|谁)(?![^,，。]{0,3}后(?:学|做))|(?:哪|谁)[^,，。]{0,6}(?<!最)先(?:学|复习|做|背|看|搞|弄)(?!完)|哪[个门科][^,，。]{0,4}(?:难|重要|好学|简单|容易)"
    r"|(?:几|多少)[^,，。]{0,8}(?:合适|合理|够)[吗呢?？]*$"
    r"|先[^,，。]{1,12}还是先|\b(?:should i|(?:smarter|better|wiser|best) to) (?:start|begin)\b(?! on)"
    r"|\bshould i (?:do|learn|study|revise|tackle)\b.{2,60}\b(?:first|or)\b"
    r"|\b(?:which|what)\b.{0,30}\b(?:should i .{2,30} first|harder|easier|more (?:important|difficult))\b"
)
_TOO_FULL = re.compile(
    r"太(?:赶|满|密|紧凑?(?!挨)|挤|多|累)|\b(?:too (?:much|packed|tight|full|busy|crowded|dense|heavy"
    r"|rushed)|overload\w*)\b"
)


def opinion_text(brief: Brief) -> str:
    """That the student is to judge, and by which figures; empty where no opinion is asked for."""
    own = dict(brief.written).get(brief.last_said, brief.view["message"])  # before anything was read into it
    text = fold_text(brief.message if brief.whole else own)
    asks = ASKS.search(text) or asks_whether(text) or "还是" in text
    if not asks or not brief.tasks or ACTS.search(text) or read_supposition(brief.message, brief) is not None:
        return ""
    dated = any(one.first or one.week or one.weekdays for one in read_times(text, brief.term))
    if dated:
        return ""
    if _ADVICE.search(text):
        return _advice_text(brief, text)
    return _full_text(brief) if _TOO_FULL.search(text) and not items_in(text, brief) else ""


_HELP = re.compile(
    r"办法|怎么办|咋办|建议|主意|\b(?:ideas?|tips?|advice|help|suggest\w*|what (?:should|can|do) i|how (?:do|can) i)\b"
)
_PUTS_OFF = re.compile(
    r"拖(?:着|延)|一直拖|老拖|懒得|\b(?:putting (?:\w+ ){0,3}off|put off|procrastinat\w*|keep (?:avoiding|skipping))\b"
)


def put_off_text(brief: Brief) -> str:
    """What comes next of what is put off, and what may be said to make it smaller or regular, where help is asked."""
    text = fold_text(brief.view["message"])
    ahead = [row for row in rows_in_time(brief.tasks) if row["slot"] and brief.is_ahead(row)]
    named = find_owners(text, brief)[0]
    rows = [row for row in ahead if not named or row["class_id"] in named]
    if not (_PUTS_OFF.search(text) and _HELP.search(text) and rows) or read_times(text, brief.term):
        return ""
    return brief.say(
        "先只看最近的一项：{line}。想更容易开始，可以说「每天最多一项」「{name}只排周二和周四」，或者说这一项挪到哪天。",
        'Look at the next item alone: {line}. To make it easier to begin you can say "at most one item a day" or '
        '"{name} only on Tuesdays and Thursdays", or to which day that item should move.',
        line=item_lines(brief, rows[:1])[0], name=brief.names_of([rows[0]["class_id"]]).strip('「」"'),
    )  # fmt: skip


def _advice_text(brief: Brief, text: str) -> str:
    """What each class that is named has to do and when, and what of it comes first."""
    items = find_pair(brief, text) or items_in(text, brief)
    named = find_owners(text, brief)[0]
    lines = item_lines(brief, items)
    for row in () if items else brief.classes:
        own = [one for one in rows_in_time(brief.tasks) if one["class_id"] == row["id"] and one["slot"]]
        first = brief.say("，最先的是", "; first ") + item_lines(brief, own[:1])[0] if own else ""
        ends = [date_text(brief, date.fromisoformat(day)) for day in (row["start_date"], row["end_date"]) if day]
        when = brief.say("到", " to ").join(ends)
        told = ("{name}：{n} 项，{when}{first}", "{name}: {n} items, {when}{first}")
        line = brief.say(*told, name=row["name"], n=row["item_count"], when=when, first=first)
        lines += [line] if not named or row["id"] in named else []
    head = (
        "难易和先后要你自己判断，我只知道项数、日期和计划里的顺序：",
        "That is yours to judge; I only know how many items there are, the dates and the order of the plan:",
    )
    return "\n".join([brief.say(*head), *lines])


def _full_text(brief: Brief) -> str:
    """How full the weeks are which the last change reached, all where nothing was changed."""
    placed = [row for row in rows_in_time(brief.tasks) if row["slot"]]
    log = brief.view["draft_log"]
    moved = {change["item_id"] for change in log[-1]} if log else set()
    weeks = sorted({row["slot"]["week"] for row in placed if row["slot"] and (not moved or row["item_id"] in moved)})
    lines = [_week_line(brief, week, [row for row in placed if row["slot"] and row["slot"]["week"] == week])
             for week in weeks]  # fmt: skip
    head = ("多不多要你自己判断，这几周是这样：", "That is yours to judge; these weeks look like this:")
    return "\n".join([brief.say(*head), *lines])


def _week_line(brief: Brief, week: int, rows: Sequence[TaskView]) -> str:
    days = [row["slot"]["day_of_week"] for row in rows if row["slot"]]
    span = run_text(brief, brief.term.day(week, 1), brief.term.day(week, 7))
    told = ("{span}：{count}；一天最多 {n} 项", "{span}: {count}; at most {n} on a day")
    return brief.say(*told, span=span, count=count_text(brief, rows), n=max(days.count(day) for day in days))
