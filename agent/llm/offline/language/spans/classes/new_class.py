"""A new class as a student describes it: its name, how many parts it has, when it ends; at once or bit by bit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese, widths
from agent.llm.offline.language.spans.classes.class_parts import DONE_THEN, cut_message, fold_wish, read_parts
from agent.llm.offline.language.spans.classes.class_sentence import (
    ClassSlots,
    find_exam_period,
    find_weekdays,
    read_class,
    without_amount,
    without_kind,
)
from agent.llm.offline.language.spans.classes.class_times import read_exclusions
from agent.llm.offline.language.spans.classes.item_list import (
    UNITS_EN,
    UNITS_ZH,
    as_written,
    items_of,
    span_of,
    tells_fact,
)
from agent.llm.offline.language.spans.classes.rhythms import spell_duration, without_rhythm
from agent.llm.offline.language.spans.mentions import find_quoted_texts
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import SemesterDates

_NAME = r"(?P<{}>[^,，。.;；:：!！?？「」]{{1,40}}?)"
_END = r"(?=\s*(?:[,，。.;；:：!！?？]|$|\s(?:with|from|by|due|until|which|that|it)\b))"
_NOUN_ZH = r"(?:任务类|课程|课|科目|学习计划|复习计划|计划)"
_NOUN_EN = r"(?:(?:task |study )?class|course|subject|module)"
_MAKE_EN = (
    r"(?:add(?:ing)?|creat(?:e|ing)|mak(?:e|ing)|set(?:ting)? up|start(?:ing)?|tak(?:e|ing)(?: up)?|need|want|got|have)"
)
_OPENS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:新建|创建|建立|添加|新增|增加|加|开|建|报了?|多了?)(?:上|了)?(?:一?[个门类]|一)?(?:新的?)?{_NOUN_ZH}(?:吧|呗|类)?"
        rf"[\s,，:：。]*(?:(?:名字|名称)?(?:叫做?|名叫|名为|是))?\s*{_NAME.format('a')}{_END}",
        rf"(?:新建|创建|建立|添加|新增|增加|加|开|建|报了?|多了?|学)(?:上|了)?一?(?:门(?![的时前后了之])|个(?=[^,，。:：]{{1,16}}(?:课程?|任务类)))"
        rf"新?的?{_NAME.format('b')}(?:课程?|任务类)?{_END}",
        rf"\b{_MAKE_EN} (?:me |up |in )?(?:an?|the|another|one more)? ?(?:new )?{_NOUN_EN}\b(?: of mine)?"
        rf"(?:[,:;]|\s-|\s(?:(?:it'?s |it is )?(?:called|named)|for|on|about|in)\b)*\s*{_NAME.format('c')}{_END}",
        rf"(?:新建|创建|建立|建)(?:一?[个门])?(?:任务类)?\s*[「“《\"]{_NAME.format('f')}[」”》\"]",
        rf"^\W*(?:there(?:'s| is) )?(?:an? |another )?new {_NOUN_EN}\b"
        rf"(?:[,:;]|\s(?:called|named|for|is))*\s*{_NAME.format('e')}{_END}",
    )
)
_OPENS_NAMELESS = re.compile(
    rf"(?:新建|创建|建立|添加|新增|增加|加|开|建)(?:上|了)?(?:一?[个门]|一)?(?:新的?)?{_NOUN_ZH}"
    rf"|\b{_MAKE_EN} (?:an?|another) (?:new )?{_NOUN_EN}\b",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"^(?:一?共|有|分|内容(?:[是为有:：].*)?|包括|每|背诵|复习|it|has|with|which|that|there|me|us|this"
    r"|to(?: [a-z]+){1,3})$",
    re.IGNORECASE,
)
"""What a count stands behind, and no name."""
_NO_OPENING = re.compile(
    r"[?？]\s*$|吗|如果|要是|假如|假设|\b(?:suppose|supposing|if i|what if)\b"
    r"|课表|水课|上课|下课|(?:加|添加|新增|增加)(?:上|了)?(?:一?[个门]|一)?(?:课时|课次)"
    r"|[加增添](?:上|了)?[一几两二三四五]课(?!程)"
    r"|\b(?:to|into|in) (?:my|the) [\w ]{1,30} (?:class|course)\b|\b(?:class|course) (?:today|tomorrow|at|on \w+day)\b",
    re.IGNORECASE,
)
_KINDLY = re.compile(
    r"\b(?:can|could|would) (?:you|u|ya|we) (?P<en>[^?,]*)\?"
    r"|(?:能不能|可不可以|能|可以)(?=[^,]{0,4}[帮给])(?P<zh>[^,?]*?)吗?(?:[?]|(?=,|$))",
    re.IGNORECASE,
)
_AROUND_WISH = re.compile(
    r"^在吗|(?<=[类课程门划个])(?:吗|吧|呗|呢|嘛)(?=\W*$)"
    r"|(?<=\w) (?:for (?:me|us|this|that)|please|pls|plz|thanks|thx)\b(?=[^\w\s]|$| (?:please|pls|plz|thanks|thx)\b)",
    re.IGNORECASE,
)
"""What stands around the wish for a class and is no name."""
_CALLED = re.compile(
    r"^(?:嗯|那|就|好|ok|okay|oh|so|well|right|sure|yes|yea|yeah|yep|just|let'?s|,|，|\s)*"
    r"(?:(?:名字|名称)?(?:叫做?|名叫|名为|取名|是)|(?:call|name) it"
    r"|(?:it'?s|it is|that'?s)(?: called)?(?! (?:for|about|from|in|on|due|until|by|not|a|an|the|\d))"
    r"|its name is|called|name)"
    r"[\s:：]*(?P<name>[^,，。;；:：]{1,40}?)(?:吧|好了|就行|please|\s)*(?=[,，。;；:：]|[.!]?$)",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"(?<![第每周天日次\d.到至~-])(?P<n>\d{{1,3}})\s*(?:个|大)?(?P<zh>{UNITS_ZH})(?!后|前|之)"
    rf"|\b(?P<m>\d{{1,3}})[ -](?:\w+ )?(?P<en>{UNITS_EN})\b"
)
_BARE_COUNT = re.compile(
    r"(?:\D{0,4}|(?:ok(?:ay)?|so|well|then|maybe|about|around|let's (?:say|do)|say|make it|probably|just|i think"
    r"|[, ])*)"
    r"(\d{1,3})(?:\D{0,2}|(?: (?!times|days?|weeks?|months?|sections?|hours?|minutes?)([a-z]{3,14}s))"
    r"(?: (?:i think|maybe|or so|please|in total|altogether))*)"
)
"""A bare answer to how many there are: 4, three meetings."""
_NUMBERED_ZH = ("章", "讲", "课", "次", "节课", "篇", "单元", "首", "本", "套", "遍")
_ONLY_THEN = "只排only {}"
"""Times alone are those that a new class keeps to."""
_BEGINS = re.compile(r"从|开始|(?<!一)起(?!来)|\b(?:from|start\w*|begin\w*|after|since)\b")
_MOST = 100


def spell_wish(message: str) -> str:
    """A wish in the form of a question as one: can you set up a new class for me? -> set up a new class."""
    text = _KINDLY.sub(lambda wish: f"{wish['en'] or wish['zh'] or ''},", widths(message)).strip(",")
    return _AROUND_WISH.sub("", _LINES.sub("，内容：" if has_chinese(text) else ", items: ", text, count=1))


_LINES = re.compile(
    r"[\s,，:：]*(?:\b(?:with|in|including|has|have)\b\s*)?(?:\b(?:the|these|following)\s+)*"
    r"(?:(?:步骤|内容|章节|部分|任务项?)(?:如下|[是有为])*"
    r"|\b(?:steps|items|topics|parts|tasks|chapters|stages)\b(?: are)?)?"
    r"\s*[:：]?\s*\n\s*(?=[-–—•*·]\s+\S)"
)
"""What stands before the contents where these are lines of their own."""


def opens_class(message: str) -> bool:
    """Whether a message begins with the wish for a new class, named or not."""
    text = spell_wish(message)
    return _NO_OPENING.search(text) is None and (
        _OPENS_NAMELESS.search(text) is not None or any(form.search(text) for form in _OPENS)
    )


_STUDY = re.compile(
    r"任务|复习|计划|内容|作业|练习|(?<=[上午点节天末一二三四五六日])[学背练看做](?:$|[,，。])|考|排|\b(?:tasks?|stud(?:y|ies|ying)|revis\w+"
    r"|plan\w*|exam|due)\b"
)
"""What is done for a class besides going to it."""


def tells_new_lesson(message: str, term: SemesterDates) -> bool:
    """Whether the class that is there now is one to go to: it has a weekday and its sections, hours or part of the day,
    no contents."""
    times = read_times(message, term)
    held = any(one.kind == "weekday" or (one.kind == "day" and one.weekdays) for one in times)
    kinds = {one.kind for one in times}
    if not held or not kinds & {"sections", "clock", "part"}:
        return False
    exact, text = bool(kinds & {"sections", "clock"}), fold_text(message)
    if exact and _FOR_TIMETABLE.search(text):
        return True
    if not opens_class(message) or _STUDY.search(text) or _COUNT.search(fold_numbers(message)):
        return False
    if not exact and ("days" in kinds or _BOUNDED.search(text)):
        return False  # when a class is studied is told by parts of a day too
    rest = without_spans(message, times)
    return len(items_of(rest)[0]) < 2 and not _LISTED.search(rest)


_LISTED = re.compile(r"\w、\w|(?<![\d第到至~-])\b\d{1,3} ?(?!weeks?\b|wks?\b)[a-z]", re.IGNORECASE)
"""Contents, or how many of them there are, beside the times of a class."""


def without_spans(message: str, times: Sequence[Time]) -> str:
    """A message without these times, which were read in it."""
    for one in sorted(times, key=lambda one: -one.start):
        message = f"{_BEFORE_TIME.sub('', message[: one.start])} {message[one.end :]}"
    return message


_BEFORE_TIME = re.compile(r"\b(?:on|at|in|from|every|each)\s*$", re.IGNORECASE)


_BOUNDED = re.compile(
    r"[不别只]|避开|截止|之?前|到(?=\d+[月号.])|学|背|练|\b(?:no|not|never|nothing|only|except|avoid|until|till|by|free|after|before"
    r"|prefer\w*|in the|every)\b"
)
"""What bounds the times of a class that is studied."""
_FOR_TIMETABLE = re.compile(
    r"[加放录填写][到进入](?:我的?)?课表|\b(?:add|put|enter)\b.*\b(?:to|into|in|on) (?:my|the) timetable\b"
)


def find_opened_name(message: str, term: SemesterDates) -> str:
    """The name that stands in the wish for a new class; empty where it has none."""
    text = spell_wish(message)
    for form in _OPENS:
        if (match := form.search(text)) is not None:
            name = str(next(filter(None, match.groups()))).strip(" 的一个,，'\"“”")
            name = without_amount(re.sub(r"^(?:my|the|our) ", "", name))
            if name and not (_NOUN.fullmatch(name) or _NO_NAME.match(name) or _is_fact(name)):
                return name
    return ""


_NOUN = re.compile(
    rf"(?:新的?|内容|任务|items?|topics?|{_NOUN_ZH}|吧|呢|please|for me|new|{_NOUN_EN}|\s)*", re.IGNORECASE
)


def read_new_class(message: str, term: SemesterDates, *, expect: Sequence[str] = ()) -> ClassSlots:
    """The slots of a message about a class that is not there yet; `expect` names what was asked for."""
    text = spell_duration(widths(message))
    called = _CALLED.search(text)
    called = None if called and read_times(called["name"], term) else called
    text = text[called.end() :].strip(" ,，。;；") if called and not find_quoted_texts(text) else text
    said = read_class(text, term, expect=expect)
    if "items" in expect and "name" not in expect:
        said = _list_anew(said, text, term)
    opened = find_opened_name(text, term)
    quoted = find_quoted_texts(text)
    name = quoted[0] if quoted else opened or (called["name"].strip() if called else said.name)
    no_name = _NOUN.fullmatch(name) or _OPENS_NAMELESS.search(name) or _NO_NAME.match(name) or _is_fact(name)
    name = name if quoted else "" if no_name else without_kind(name)[0]
    rest = items_of(text, expected="items" in expect)[1].replace(name, " ") if name else text
    plain = without_rhythm(fold_numbers(rest))
    said = replace(said, name=name, items=said.items[said.items[:1] == (name,) :])
    if not said.items and (count := _COUNT.search(plain)) is not None:
        number = int(count["n"] or count["m"])
        said = replace(said, parts=number, unit=_unit(count), total=None) if 1 < number <= _MOST else said
    bare = _BARE_COUNT.fullmatch(plain.strip(" ,，.。!")) if "items" in expect else None
    if (
        bare is not None
        and not said.items
        and not said.parts
        and 1 <= int(bare[1]) <= _MOST
        and not (said.total or said.each)
    ):
        said = replace(said, parts=int(bare[1]), unit=f"{bare[2].rstrip('s')} {{}}" if bare[2] else "")
    if not said.said_anything and read_times(text, term):
        said = replace(said, **read_exclusions(_ONLY_THEN.format(re.sub(r"[,，]", " ", text)), term))
    done = [one for one in re.split(r"[,，;；。]", fold_text(text)) if DONE_THEN.fullmatch(one.strip())]
    if not said.excludes and len(done) == 1:
        said = replace(said, **read_exclusions(_ONLY_THEN.format(done[0]), term))
    if not said.start and (said.days or said.end) and _BEGINS.search(fold_text(rest)):
        said = replace(said, start=_next_weekday(fold_text(text), term))
    if said.start and not said.end and not find_exam_period(rest, term) and not _BEGINS.search(fold_text(rest)):
        said = replace(said, start=None, end=said.start)
    return said


def _list_anew(said: ClassSlots, text: str, term: SemesterDates) -> ClassSlots:
    """The slots of an answer to what a class has, with the contents as its parts tell them."""
    parts = read_parts(cut_message(fold_wish(text)), term)
    if find_quoted_texts(text) or span_of(text) or len(parts.items) < max(2, len(said.items)):
        return said
    names = {one: as_written(one, text) for one in parts.items}
    own = tuple((names[one], n) for one, n in parts.lengths)
    return replace(said, items=tuple(names.values()), lengths=own or said.lengths)


def _next_weekday(text: str, term: SemesterDates) -> date | None:
    """The next day of the one weekday that a text tells: from Monday; none where it is told of every week."""
    days = [day for one in read_times(text, term) if one.kind == "weekday" and not one.week for day in one.weekdays]
    behind = (days[0] - term.today.isoweekday() - 1) % 7 + 1 if len(days) == 1 else 0
    return term.today + timedelta(days=behind) if behind and not find_weekdays(text, term) else None


def find_count(text: str) -> str:
    """How many parts there are, as a text tells it: 5章, 3 problem sets; empty where it does not."""
    plain = fold_numbers(text)
    span = count_span(plain)
    return plain[slice(*span)].strip() if span else ""


def count_span(text: str) -> tuple[int, int] | None:
    """Where a text with its numbers in digits tells how many parts there are."""
    counts = _COUNT.finditer(text)
    return next((one.span() for one in counts if 1 < int(one["n"] or one["m"]) <= _MOST), None)


def _unit(count: re.Match[str]) -> str:
    """How the parts are numbered: 第{}章, lesson {}."""
    if count["en"]:
        return f"{count['en'].rstrip('s')} {{}}"
    kind = {"节课": "课", "章节": "章"}.get(count["zh"], count["zh"])
    return f"第{{}}{kind}" if kind in _NUMBERED_ZH else f"{kind}{{}}"


def _is_fact(clause: str) -> bool:
    """Whether a clause tells contents, days or times, and so is no name."""
    return tells_fact(clause) or _COUNT.search(fold_numbers(clause)) is not None
