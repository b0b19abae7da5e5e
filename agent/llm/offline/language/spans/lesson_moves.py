"""Lessons in a message: whether it speaks of them, and one that is held at another time once: the words that tell which
one, and those that tell when it is then."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.conditions.limit_forms import PASTIME

_LESSON = re.compile(
    r"(?<![\d一二三四五六七八九十第])课(?!程?任务|题|后|本|件|表|时|程设计)|讲座"
    r"|\b(?:lectures?|lessons?|seminars?|tutorials?|(?<!task )class)\b"
)
"""A word for a lesson; its name alone is one where it is told of as moved."""
_TOLD_EN = (
    r"(?:\b(?:is|are|was|were|be|been|being|gets?|got|gotten|has|have|had)|'s|'re)(?: \w+ly| now| just| been| also"
    r"| getting| being| apparently)*"
    r" (?:moved|rescheduled|shifted|switched|pushed(?: back)?|postponed|brought forward|bumped|changed)\b"
)
_BY_OTHERS = (
    r"\b(?:they|he|she|we|uni|university|school|(?:the |our |my )?(?:\w+ )?(?:prof(?:essor)?|teacher|lecturer|tutor"
    r"|faculty|department))(?:'s|'ve| has| have| had| just| also)* (?:moved|moves|rescheduled|shifted|switched|pushed"
    r"|postponed|bumped|changed|brought forward)\b"
)
_MOVED_EN = r"(?<!\bi )(?<!\bi've )(?<!\bi just )\bmoved\b(?= (?:from|to)\b)"
_NOW_EN = r"\b(?:is|are|takes place) now\b(?= (?:on|at)\b)"
_VERB_EN = r"\b(?:moves?|reschedules?|shifts?|switch(?:es)?|postpones?|goes|puts?)\b"
_VERB_ZH = r"(?:调课|换课|改期|改时间|换时间|调时间|[调改挪移换搬推延](?!整|一下计划)|提前|推迟)"
_TOLD = re.compile(f"{_TOLD_EN}|{_NOW_EN}|{_BY_OTHERS}|{_MOVED_EN}|{_VERB_ZH}")
_ASKED = re.compile(_VERB_EN)
_TO_EN = re.compile(r"\b(?:on)?to\b|\b(?:until|till|for)\b")
_ON_EN = re.compile(r"\b(?:on|in|at)\b")
"""Where something is put, or is now."""
_TO_ZH = re.compile(
    r"(?:[调改挪移换搬推延]|提前|推迟|改期)[^,，。;；到至在去成]{0,6}(?:到|至|在|去|成(?!了?一))(?!时候?)|(?:到|至)"
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|from)\b|[,，。;；]")
_WEEK_BEHIND = re.compile(r"(?<=\d)\s*\b(?:in|of) week \d{1,2}$")
"""Behind the hours: the week of the lesson as well."""
_HOURS = re.compile(
    r"\s*(?:at |in the |from |第)?(?:sections? )?\d"
    r"|\s*(?:上午|下午|晚上|早上|中午|(?:in the )?(?:morning|afternoon|evening)\b)"
)
_TEACHERS = re.compile(r"老师|教授|学校|学院|教务|通知|辅导员|被|他们")
_HANDS = "移挪搬推"
"""Verbs of who moves something, where what happens to lessons is told with others."""
_WANTED = re.compile(r"[把将帮请]|我想|能不能|可不可以|能否")
_OTHERS = re.compile(
    r"考|截止|作业|答辩|测验|任务|计划|复习|内容|它|\b(?:exams?|midterms?|finals?|quiz|deadlines?|due|tasks?|items?|plan"
    r"|everything|all|it|(?:that|this)(?! (?:week|(?:mon|tues|wednes|thurs|fri|satur|sun)day))"
    r"|them|those|stuff|things?|draft|revision)\b"
)
"""Who moves where a lesson is not named by a word for it: what is no lesson."""
_FOR_EVER = re.compile(
    r"以后|每个?(?:周|星期)|[全都](?:部|往)?[移挪调改换搬]|一直|期末|学期|永久|长期|固定|整门|整个|从[^,，。;；]{1,8}(?:起|开始)"
    r"|\b(?:from now on|every|always|for good"
    r"|permanently|for ever|forever|each week|for the rest)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
)


@dataclass(frozen=True)
class LessonMove:
    """The words for a lesson with the time at which it was to be, and those for the time at which it is then."""

    lesson: str
    target: str
    named: bool
    """Whether a word tells that a lesson is meant."""
    by_others: bool
    """Whether it is told who moved it, or that it was moved."""
    told: bool
    """Whether it is told as what others did, not asked for."""
    lasting: bool


def read_lesson_move(text: str) -> LessonMove | None:
    """What a message tells of a lesson that moves; None where it tells of none."""
    text = fold_text(text)
    named, subject = _LESSON.search(text) is not None, says_subject(text)
    told = _TOLD.search(text)
    verb = told or (_ASKED.search(text) if named or subject else None)
    if verb is None or says("deadline", text):
        return None
    chinese = has_chinese(verb.group())
    others = _OTHERS.search(text) or says_studied(text) or PASTIME.search(text)
    if not named and (others or not (told or subject)):
        return None
    to = _TO_ZH.search(text, verb.start()) if chinese else _TO_EN.search(text, verb.end())
    to = to or (None if chinese else _ON_EN.search(text, verb.end()))
    between = text[verb.end() : to.start()] if to and to.start() > verb.end() else ""
    rest = text[to.end() :] if to else text[verb.end() :]
    target, aside = _divide(rest) if to else ("", rest)
    week = _WEEK_BEHIND.search(target)
    lesson = " ".join((text[: verb.start()], between, aside, week.group() if week else ""))
    told_by = not chinese or _TEACHERS.search(text[: verb.start()]) is not None
    return LessonMove(lesson, target.strip(), named, told_by, _is_told(text, verb, chinese), is_for_ever(text))


def is_for_ever(text: str) -> bool:
    """Whether a text means every lesson from then on."""
    return _FOR_EVER.search(fold_text(text)) is not None


def _divide(said: str) -> tuple[str, str]:
    """The words behind "to" that tell when, and those behind them: friday, sections 5-6; friday instead of monday."""
    cut = next((one for one in _INSTEAD.finditer(said) if not _HOURS.match(said, one.end())), None)
    return (said[: cut.start()], said[cut.end() :]) if cut else (said, "")


def _is_told(text: str, verb: re.Match[str], chinese: bool) -> bool:
    """Whether others moved it: 老师把, was moved; 把高数课调到周五 asks for it."""
    if not chinese:
        return re.match(_VERB_EN, verb.group()) is None or verb.group().endswith("s")
    before = text[: verb.start()]
    bare = verb.group() in _HANDS and not re.search(r"了[^,，。;；]{0,2}(?:$|[,，。;；])", text)
    return _TEACHERS.search(before) is not None or not (bare or _WANTED.search(before))


_LESSON_SAID = re.compile(
    r"(?<![门这])课(?!时|题|后|本|件|文|间|表|程(?!表)|堂?作业|任务|设计)|讲座|上学|放学|到校"
    r"|\b(?:lessons?|lectures?|seminars?|tutorials?|timetabled)\b(?! ?\d)"
    r"|\b(?:be|get|go|turn up|show up|out|leave)(?: (?:at|to|in|on|of))? (?:the )?(?:uni|university|school|college"
    r"|campus)\b"
    r"|\b(?:have|has|got|any|no|to|in|next|first|last|from|after|before|attend|skip(?:ped)?|missed|english"
    r"|calc\w*) class\b(?! (?:called|named|for|ends?))"
    r"|落下(?:什么|啥)|错过(?:什么|啥)|\b(?:anything|what (?:do|will|would)|will) i(?:'ll| will)? miss\b"
    r"(?! chapter| lab)"
    r"|\b(?:have|got|any|no|more|other|next|first|last|just) classes\b(?=\W*$| (?:on|today|tomorrow|tonight|this"
    r"|next|left|after)\b)"
)
"""What is held, and what is gone to for it; a task class is none."""
_AROUND = re.compile(
    rf"{_TEACHERS.pattern}|[把将帮请的那这上节门堂都全一1个]|[我给]+|想|从|所有"
    r"|\b(?:the|my|our|all|both|of|on|in|at|from|an?|this|that|s|can|could|you|please|i|want|need|to|is|are|was|were|be|been"
    r"|prof(?:essor)?|teacher|lecturer|they|has|have)\b"
)
"""What stands beside a lesson without telling which one it is."""
SUBJECTS = re.compile(
    r"(?:大学|高等|公共)?(?:英语|体育|语文|数学(?!分析))|高数|微积分|大英|马原|思政|毛概|近代史|史纲|军理|物理课|化学|电路|程序设计|离散|日语"
    r"|\b(?:calc|calculus|english|math(?:s|ematics)?|pe|gym|chem(?:istry)?|biology|history|french|german|spanish"
    r"|econ(?:omics)?|philosophy|law)\b"
)
"""Names and short names of what is taught."""
_STUDIED = re.compile(
    r"任务|内容|单词|词汇|复习|背|章|单元|实验|安排|计划|有空|空[吗么着]|空闲|忙|截止|ddl|每?门课"
    r"|\b(?:items?|tasks?|units?|chapters?|labs?|words?|revis\w+|vocab\w*|stud(?:y|ies|ying)|plan(?:ned)?|free|busy"
    r"|deadlines?|due|filler)\b"
)
"""What is asked of items and of free time."""


def says_lesson(text: str) -> bool:
    """Whether a word for a lesson is said."""
    return _LESSON_SAID.search(fold_text(text)) is not None


def says_subject(text: str) -> bool:
    """Whether something that is taught is named."""
    return SUBJECTS.search(fold_text(text)) is not None


_OWNED = re.compile(r"'s \w+(?: \w+)?|的[一-鿿]{2,5}")


def owns_lesson(text: str, *places: int) -> bool:
    """Whether a time, there or anywhere in a text, has a lesson behind it: thursday's calculus, 周四的高数."""
    found = filter(None, (_OWNED.match(text, at) for at in places)) if places else _OWNED.finditer(text)
    return any((says_lesson(one[0]) or says_subject(one[0])) and not says_studied(one[0]) for one in found)


def tells_which_lesson(text: str) -> bool:
    """Whether a folded text without its times has more than the words around any lesson: 周四的课, my lessons on."""
    return re.search(r"\w", _AROUND.sub(" ", _LESSON.sub(" ", text))) is not None


def without_subjects(text: str) -> str:
    """A folded text without the names of what is taught."""
    return SUBJECTS.sub(" ", text)


def says_studied(text: str) -> bool:
    """Whether items or free time are spoken of."""
    return _STUDIED.search(fold_text(text)) is not None


_SKIPPED = re.compile(
    r"翘|逃|不(?:想|打算|准备)?[去上]|取消|停"
    r"|\b(?:skip|ditch|miss)\w*\b|\b(?:not|n't) (?:be )?go(?:ing)? to\b|\bcancel\w*"
)
_USED = re.compile(
    r"[用拿]来|[那这](?:[个段节]|堂课)?(?:时间|时候|时段)|(?:[那这][节堂次]课?|课上)(?:就|都|我)*(?=[学做看背弄写练]|复习)|[放排][那这](?:里|儿|$)"
    r"|\b(?:in|during) (?:that|this|the) (?:lesson|lecture|class|time|slot|hour)\b"
    r"|[,;] (?:and )?(?:do|study|learn|revise)\b.*\b(?:then|instead)$"
    r"|\b(?:use|have|take)\b[^,.;]{0,12}\b(?:time|slot|hour|it)\b(?= (?:for|to)\b)|\b(?:put|move)\b.*\bthere\b"
)


def uses_skipped_lesson(said: str) -> bool:
    """Whether the time of a lesson that is skipped is to be used for something to study."""
    text = fold_text(said)
    skipped, used = _SKIPPED.search(text), _USED.search(text)
    lesson = text[: used.start()] if skipped and used and skipped.start() < used.start() else ""
    return says_lesson(lesson) or says_subject(lesson)
