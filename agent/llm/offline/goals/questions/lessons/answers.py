"""Answers to questions about lessons, by the form of the question: which days, the next one, until when, how many."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from agent.llm.offline.goals.decisions import Decision, call, give_up
from agent.llm.offline.goals.questions.inquiry import WEEK_DAYS, Inquiry, asked_in
from agent.llm.offline.goals.questions.lessons.beside_items import tell_beside_items
from agent.llm.offline.goals.questions.lessons.lesson_questions import (
    CLASHES,
    EVERY_DAY,
    LESSONS,
    LessonQuestion,
    asks_beside_items,
    find_lesson_question,
    is_named,
)
from agent.llm.offline.goals.questions.lessons.rows import Lesson, clock_text, lessons_of, pattern_lines, when_text
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.goals.questions.reads import span_text
from agent.llm.offline.goals.questions.term_weeks import asks_exam_day, tell_exam_day
from agent.llm.offline.goals.questions.timetable import NAME
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.lesson_moves import says_lesson, says_subject
from agent.llm.offline.language.spans.mentions import blank_names
from agent.llm.offline.language.texts import dated_text, day_and_date
from agent.loop.view_document import ResultView

_MOST = 21
"""Lessons of one answer; more are told by their weekdays."""
_PIECES = re.compile(r"[?？。;；!！]+\s*")
_UNTIL = re.compile(
    r"[上到][^,，。?？]{0,4}(?:第?几|哪)一?个?周|(?:什么|啥)时候[^,，。]{0,4}(?:结束|结课|上完|停)|结课"
    r"|几周[^,，。]{0,3}(?:结束|上完|结课)"
    r"|最后[一1]?(?:次|节|堂)"
    r"|\bwh(?:en|at|ich)\b[^,.;?]*\b(?:ends?|finish(?:es)?|stops?|over|last (?:one|lesson|lecture|class|week))\b"
    r"|\b(?:until|till) (?:when|what week|which week)\b|\blast (?:\w+ )?(?:lesson|lecture|class)\b|\bhow long\b"
)
_NEXT = re.compile(
    r"下[一1]?(?:次|节|回|堂)|最近的?[一1]?(?:次|节|堂)|\bone after\b|\bnext\b(?! (?:week|month|mon|tue|wed|thu|fri"
    r"|sat|sun))"
    r"|\bagain\b"
)
_AFTER_NEXT = re.compile(r"再下|\bone after\b")
_FIRST = re.compile(
    r"第[一1](?:节|堂|门|次)|最早|几点|\b(?:first|earliest)\b|\bwhat time\b|\bwhen (?:do|does) (?:it|my day"
    r"|i) (?:start|begin|have to)\b"
)
_LAST = re.compile(
    r"最后[一1]?(?:节|堂|门|次)|最晚|下课|放学|结束|到几点|\b(?:until|till) (?:when|what time)\b"
    r"|\b(?:last|latest)\b|\b(?:finish\w*|ends?|done|over|out|leave"
    r"|go home)\b"
)
_MANY = re.compile(r"[几多少]\s*[次节堂]|多少|\bhow (?:many|often)\b")
_TO_COME = re.compile(r"还[剩有]|剩|学期|一共|总共|\b(?:left|remain\w*|more|semester|term|to go|in total|still)\b")
_PER_WEEK = re.compile(r"[一每]周|[一每]个?星期|\b(?:a|per|each|every) week\b")
_WHICH_DAYS = re.compile(
    r"[周星期礼拜]几|还是|哪[几些一]?天|什么时候|啥时候|何时|\b(?:which|what) (?:week)?days?\b|\bwhen(?:'s|s|'re)?\b"
    r"|\bhow often\b"
)
_STILL = re.compile(r"还[有要]|\b(?:still|another|more|left)\b")
_NONE_THEN = re.compile(
    r"(?:哪[几些一]?天|周几)[^,，。?？]{0,6}没(?:有)?[^,，。?？]{0,4}课|\b(?:which|what"
    r"|any) days?\b[^,.;?]{0,24}\b(?:no|without|not any|free of)\b"
)


@dataclass(frozen=True)
class _Asked:
    """A question with the lessons that it is about."""

    text: str
    asked: Inquiry
    lessons: Sequence[Lesson]
    named: tuple[str, ...]
    since: tuple[date, int]
    """The day and the section from which on a lesson is still to come."""

    def then(self) -> list[Lesson]:
        """The lessons at the time that is asked about."""
        return [one for one in self.lessons if self.asked.has_day(one.day) and self.asked.meets(*one.sections)]

    def ahead(self) -> list[Lesson]:
        """The lessons that are still to come, at the time that is asked about where one is."""
        return [one for one in self.then() if (one.day, one.sections[0]) > self.since]


def answer_lessons(brief: Brief) -> Decision | None:
    """The look-up of the timetable, then what is asked of its lessons; None where no lesson of it is meant."""
    question = find_lesson_question(brief)
    if question is None:
        return None
    wanted = _weeks(brief, question)
    done = _looked_up(brief, wanted)
    if done is None:
        return call(brief, NAME, wanted)
    told = _tell(brief, question, done["data"] or {"days": []}) or answer_query(brief)
    return give_up(LESSONS, told) if told else None


def tell_lessons(brief: Brief) -> str:
    """What was asked of lessons, once the timetable was looked up for it; empty elsewhere."""
    question = find_lesson_question(brief) if brief.results else None
    done = _looked_up(brief, _weeks(brief, question)) if question else None
    return _tell(brief, question, done["data"] or {"days": []}) if question and done else ""


def _weeks(brief: Brief, question: LessonQuestion) -> dict[str, int]:
    """The weeks that are looked up: those ahead, and those behind that are asked about."""
    first = brief.term.week_day(asked_in(question.text, brief).first or brief.term.today)[0]
    return {"week_from": max(1, min(first, brief.term.week)), "week_to": brief.term.weeks}


def _looked_up(brief: Brief, weeks: dict[str, int]) -> ResultView | None:
    return next((row for row in brief.results if row["tool"] == NAME and row["arguments"] == weeks), None)


def _tell(brief: Brief, question: LessonQuestion, data: Json) -> str:
    """The answers to the questions of a message; empty where the timetable has no lesson of the name that is said."""
    lessons = lessons_of(brief, data)
    every = sorted({one.name for one in lessons})
    named = _named(brief, question, every)
    if not named and not question.lessons_said:
        return ""
    meant = [one for one in lessons if not named or one.name in named]
    if CLASHES.search(question.text) or asks_beside_items(question.text, brief):
        return tell_beside_items(brief, question.text, meant, named, lessons)
    if not named and says_subject(question.said[0]):
        return _tell_unknown(brief, lessons)
    told = []
    for piece in filter(str.strip, _PIECES.split(question.text)):
        if asks_exam_day(piece):
            told.append(tell_exam_day(brief))
        elif (
            says_lesson(piece) or says_subject(piece) or len(question.said) > 1 or question.text.strip(" ?？") == piece
        ):
            told.append(
                _tell_piece(brief, _Asked(piece, asked_in(piece, brief), meant, named, _since(brief, question)))
            )
    return "\n".join(told)


def _named(brief: Brief, question: LessonQuestion, every: Sequence[str]) -> tuple[str, ...]:
    """The lessons that are named, in the nearest text that names any."""
    known = [row["name"] for row in brief.classes] + [row["name"] for row in brief.tasks]
    for text in question.said:
        rest = blank_names(text, known)
        if found := tuple(name for name in every if is_named(fold_text(name), rest)):
            return found
    return ()


_TODAY = re.compile(r"今天|今早|\b(?:today|this morning|this afternoon)\b")


def _since(brief: Brief, question: LessonQuestion) -> tuple[date, int]:
    """From when on a lesson is to come: now, tomorrow where that of today was spoken of before."""
    today = brief.term.today
    over = len(question.said) > 1 and _TODAY.search(question.said[-1])
    return (today, brief.term.sections) if over else (today, brief.now["section"])


def _tell_piece(brief: Brief, asked: _Asked) -> str:
    return next(told for form in _FORMS if (told := form(brief, asked)))


def _tell_unknown(brief: Brief, lessons: Sequence[Lesson]) -> str:
    """That the timetable has no lesson of that name, and which it has."""
    names = brief.say("、", ", ").join(sorted({one.name for one in lessons}))
    told = ("课表里没有找到这门课。课表里有：{names}。", "I found no such lesson in the timetable. It has: {names}.")
    return brief.say(*told, names=names or "-")


def _what(brief: Brief, asked: _Asked) -> str:
    return brief.say("、", ", ").join(asked.named) or brief.say("课", "lesson")


def _none(brief: Brief, asked: _Asked) -> str:
    """That there is no such lesson then, and the lessons that there are."""
    when = span_text(brief, Inquiry(asked.asked.runs, asked.asked.hours)) if asked.asked.runs else ""
    if not when:
        return brief.say("后面没有{what}了。", "There is no {what} any more.", what=_what(brief, asked))
    told = ("没有，{when}没有安排{what}。", "No, there is no {what} ({when}).")
    return brief.say(*told, when=when, what=_what(brief, asked))


def _days_without(brief: Brief, asked: _Asked) -> str:
    """The days of a week without such lessons."""
    if not _NONE_THEN.search(asked.text):
        return ""
    days = _days_of(brief, asked.asked)
    busy = {one.day for one in asked.then()}
    free = [dated_text(brief, *brief.term.week_day(day)) for day in days if day not in busy]
    if not free:
        return brief.say(
            "没有，那些天每天都有{what}。", "None: each of those days has a {what}.", what=_what(brief, asked)
        )
    head = brief.say("没有{what}的是：", "Days without a {what}: ", what=_what(brief, asked))
    return head + brief.say("、", ", ").join(free)


def _days_of(brief: Brief, asked: Inquiry) -> list[date]:
    """The days that are asked about, this week's where none are."""
    term = brief.term
    runs = asked.runs or ((term.today, term.day(term.week, WEEK_DAYS)),)
    return [first + timedelta(days=n) for first, last in runs for n in range((last - first).days + 1)]


def _next(brief: Brief, asked: _Asked) -> str:
    """The next lesson from now on."""
    if not _NEXT.search(asked.text) or _MANY.search(asked.text):
        return ""
    ahead = asked.ahead()[1 if _AFTER_NEXT.search(asked.text) else 0 :]
    if not ahead:
        return _none(brief, asked)
    told = ("下一次是{when}{clock}。", "The next one is {when}{clock}.")
    return brief.say(*told, when=when_text(brief, ahead[0]), clock=clock_text(brief, ahead[0]))


def _edge(brief: Brief, asked: _Asked) -> str:
    """The first or the last lesson of a day."""
    last = _LAST.search(asked.text) is not None
    if not asked.asked.runs or asked.asked.first != asked.asked.last or not (last or _FIRST.search(asked.text)):
        return ""
    then = asked.then()
    if not then:
        return _none(brief, asked)
    told = ("{which}是{when}{clock}。", "{which}: {when}{clock}.")
    which = brief.say("最后一节" if last else "第一节", "The last one" if last else "The first one")
    one = then[-1 if last else 0]
    head = brief.say(*told, which=which, when=when_text(brief, one), clock=clock_text(brief, one))
    rest = brief.say("、", ", ").join(when_text(brief, other) for other in then if other is not one)
    return head + (brief.say("那天还有：{rest}。", " Also on that day: {rest}.", rest=rest) if rest else "")


def _until(brief: Brief, asked: _Asked) -> str:
    """In which week lessons end, with the last of each."""
    if not _UNTIL.search(asked.text):
        return ""
    lines = []
    for name in dict.fromkeys(one.name for one in asked.lessons):
        last = [one for one in asked.lessons if one.name == name][-1]
        week, left = brief.term.week_day(last.day)[0], brief.term.week_day(last.day)[0] - brief.term.week
        told = (
            "{name}上到第{week}周（还有 {left} 周），最后一次是{day} {at}节。",
            "{name} runs until week {week} (weeks ahead: {left}); its last lesson is on {day}, sections {at}.",
        )
        at = f"{last.sections[0]}-{last.sections[1]}"
        lines.append(brief.say(*told, name=name, week=week, left=left, day=day_and_date(brief, last.day), at=at))
    return "\n".join(lines) or _none(brief, asked)


def _count(brief: Brief, asked: _Asked) -> str:
    """How many lessons are held in the days that are asked about, or are still to come."""
    if not _MANY.search(asked.text):
        return ""
    term = brief.term
    if asked.asked.runs:
        return _list(brief, asked)
    if _TO_COME.search(asked.text) and not _PER_WEEK.search(asked.text):
        ahead = asked.ahead()
        told = ("后面还有 {n} 次，{m} 节：", "{n} lessons are still to come, {m} sections:")
        head = brief.say(*told, n=len(ahead), m=_sections(ahead))
        return "\n".join([head, *pattern_lines(brief, ahead)]) if ahead else _none(brief, asked)
    week = (term.day(term.week, 1), term.day(term.week, WEEK_DAYS))
    return _list(
        brief, _Asked(asked.text, Inquiry((week,), asked.asked.hours), asked.lessons, asked.named, asked.since)
    )


def _pattern(brief: Brief, asked: _Asked) -> str:
    """On which weekdays lessons are held."""
    if asked.asked.runs or not _WHICH_DAYS.search(asked.text):
        return ""
    return _tell_pattern(brief, asked)


_AT_CLOCK = re.compile(r"几点|\b(?:what|which) (?:time|hour)\b")
_EVERY_DAY = re.compile(EVERY_DAY)
_WORKING_DAYS = frozenset(range(1, 6))


def _tell_pattern(brief: Brief, asked: _Asked, *, clock: bool = False) -> str:
    ahead = [one for one in asked.then() if one.day >= brief.term.today]
    return "\n".join(pattern_lines(brief, ahead, clock=clock)) or _none(brief, asked)


def _clock(brief: Brief, asked: _Asked) -> str:
    """When a lesson that is named is held by the clock, on whichever days."""
    told = asked.named and not asked.asked.runs and _AT_CLOCK.search(asked.text)
    return _tell_pattern(brief, asked, clock=True) if told else ""


def _every_day(brief: Brief, asked: _Asked) -> str:
    """Whether a lesson is held on each working day."""
    if asked.asked.runs or not _EVERY_DAY.search(asked.text) or _NOT_WHETHER.search(asked.text):
        return ""
    days = {one.day.isoweekday() for one in asked.then() if one.day >= brief.term.today}
    yes, no = ("是的，周一到周五每天都有：\n", "Yes, Monday to Friday:\n"), ("不是每天：\n", "Not every day:\n")
    return brief.say(*(yes if days >= _WORKING_DAYS else no)) + _tell_pattern(brief, asked)


_NOT_WHETHER = re.compile(r"[几多少哪]|什么|\b(?:wh\w+|how)\b")


_ASKS_CHANGE = re.compile(r"[换改调变][^,，。]{0,6}了?(?:没有?|吗|么)|\b(?:changed?|moved?|switched|different)\b")
"""Whether something of lessons has become another: the timetable alone does not tell it."""


def _list(brief: Brief, asked: _Asked) -> str:
    """The lessons at the time that is asked about, this week's where none is; a long list by its weekdays."""
    if not asked.asked.runs:
        term = brief.term
        first = term.today if asks_whether(asked.text) else term.day(term.week, 1)
        days = Inquiry(
            ((first, term.last_day if _TO_COME.search(asked.text) else term.day(term.week, WEEK_DAYS)),),
            asked.asked.hours,
        )
        asked = _Asked(asked.text, days, asked.lessons, asked.named, asked.since)
    found = asked.ahead() if _STILL.search(asked.text) else asked.then()
    if not found:
        others = [one for one in asked.lessons if asked.asked.has_day(one.day)]
        told = brief.say("、", ", ").join(when_text(brief, one) for one in others[:_MOST])
        single = len(_days_of(brief, asked.asked)) == 1
        when = brief.say("那天", "that day") if single else brief.say("那些天", "those days")
        beside = brief.say("{day}的课：{o}。", " The lessons of {day}: {o}.", o=told, day=when)
        return _none(brief, asked) + (beside if told and asked.asked.hours else "")
    whether = asks_whether(asked.text) and not _ASKS_CHANGE.search(asked.text)
    lead = brief.say("有，", "Yes: ") if whether else ""
    when = span_text(brief, Inquiry(asked.asked.runs, asked.asked.hours))
    values = {
        "lead": lead,
        "when": when,
        "what": _what(brief, asked),
        "of": f"{_what(brief, asked)}: " if asked.named else "",
    }
    head = ("{lead}{when}{what}一共 {n} 次，{m} 节：", "{lead}{of}{n} lessons, {m} sections ({when}):")
    lines = (
        [when_text(brief, one) for one in found]
        if len({one.day for one in found}) <= WEEK_DAYS
        else pattern_lines(brief, found)
    )
    return "\n".join([brief.say(*head, **values, n=len(found), m=_sections(found)), *lines])


def _sections(lessons: Sequence[Lesson]) -> int:
    return sum(one.sections[1] - one.sections[0] + 1 for one in lessons)


_FORMS: tuple[Callable[[Brief, _Asked], str], ...] = (
    _days_without, _every_day, _next, _clock, _edge, _until, _count, _pattern, _list,
)  # fmt: skip
