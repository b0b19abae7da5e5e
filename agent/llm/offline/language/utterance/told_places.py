"""Where single items are to stand, in plain words, whichever short form tells it.

Items side by side with the time of each (lab 1 march 24, lab 2 march 31 -> put lab 1 on march 24, put lab 2 on march
31); how many days there are at least from one to another (第五章至少要在第四章三天之后 -> 第四章和第五章之间至少隔2天);
which of two comes first (lab 2 first, then lab 1); so many days before an exam whose date is told beside them
(4月10号考试，第六章放考试前一天 -> 把第六章移到4月9号); later or earlier on the day where an item stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.selections import SelectionPlan, name_alone
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.words import EN_COUNTS, NUM, number_of, say_date
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, Signed, sign_phrases
from agent.loop.view_document import TaskView

_ONE = f"(?:{ITEM}|{NUMBERED})"
_A, _B = f"(?P<a>{_ONE})", f"(?P<b>{_ONE})"
_LONGEST = 160
_N_ZH = rf"(?P<n>{NUM})"
_N_EN = rf"(?P<n>\d{{1,2}}|an?|{'|'.join(EN_COUNTS)})"
_PUT_ZH = r"(?:就|都|先|给我|帮我)*(?:安?排|放|定|挪|移|改|调|换|做|学|写)?(?:[到在于至]|给)?"
_PUT_EN = r"(?:(?:and|then|please|put|move|do|place|schedule|have|set|shift) )*"
_WHEN_EN = rf"(?:(?:on|to|in|at|for|the) )*{TIME}(?:,? (?:(?:of|in|on|at|the) )*{TIME})*"
_PAIR = (
    re.compile(rf"(?:请|帮我|再|把|将)*{_A}\s*(?:[:：是]|{_PUT_ZH})\s*(?P<when>{TIME}(?:的?{TIME})*)(?:[做学上]|吧)*"),
    re.compile(
        rf"{_PUT_EN}(?:the )?{_A}(?: (?:is|goes|should be|will be))? ?[:=-]?>? ?(?P<when>{_WHEN_EN})(?: please)?"
    ),
)
"""An item and its time."""
_DAYS_FROM = (
    re.compile(rf"{_A}{_PUT_ZH}{_B}(?:那天)?的?(?:之?后面?|(?P<ahead>之?前面?))(?:(?P<n>{NUM})天|(?<=后)第二天)"),
    re.compile(
        rf"{_PUT_EN}(?:the )?{_A} (?:goes |on )*(?:the day|{_N_EN} days?) (?:after|(?P<ahead>before)) (?:the )?{_B}"
    ),
)
"""An item so many days from another one of the same list."""
_LONG = (
    re.compile(rf"{_A}(?:要|需要|用|花|得|[:：])*(?P<long>[半一两二三四五六\d.]+个?半?(?:小时|钟头|分钟))吧?"),
    re.compile(
        rf"(?:the )?{_A}:? (?:(?:takes?|needs?|gets?|will take) )?"
        r"(?P<long>(?:[\d.]+|an?|one|two|three|four|half an)(?: and a half)? (?:hours?|minutes?|mins?)(?: and a half)?)"
    ),
)
"""An item and how long it takes."""
_JOINTS = (
    re.compile(r"\s*[,，;；。、\n]\s*(?:然后|还有|再|和|以及|接着)?\s*"),
    re.compile(r"\s*(?:[,;\n]|\band\b)\s*(?:and\b|then\b)?\s*"),
)
_LEAST_ZH = r"(?:至少|最少|起码|不少于|得|要|必须|应该|应|需要|安排|放|排)"
_LEAST_EN = r"(?:at least|at minimum|a minimum of|no (?:earlier|sooner|less) than|not (?:before|earlier than))"
_MUST_EN = r"(?:(?:should|must|needs? to|has to|to|may|can|only|please|put|move|keep|schedule|place) )*"
_STAND_EN = r"(?:(?:come|be|go|start|begin|stand|happen|follow) )?"
_UNIT_ZH, _UNIT_EN = r"(?:天|个?(?P<week>周|星期|礼拜))", r"(?:days?|(?P<week>weeks?))"
_APART = (
    (
        re.compile(
            rf"(?=.*(?:至少|最少|起码|不少于)){_A}{_LEAST_ZH}*[在比]?{_B}的?{_LEAST_ZH}*{_N_ZH}{_UNIT_ZH}(?:之|以)?(?P<side>[前后])面?"
        ),
        re.compile(
            rf"(?=.*(?:至少|最少|起码|不少于|以上)){_A}{_LEAST_ZH}*比{_B}{_LEAST_ZH}*(?P<side>[早晚]){_LEAST_ZH}*{_N_ZH}{_UNIT_ZH}(?:以上)?"
        ),
        re.compile(
            rf"{_A}[和与跟]{_B}(?:之间|中间)?{_LEAST_ZH}*(?:间隔|相隔|隔)开?{_LEAST_ZH}*{_N_ZH}个?(?P<week>周|星期|礼拜)(?P<side>)"
        ),
    ),
    (
        re.compile(
            rf"(?=.*(?:at least|minimum|no |not )){_MUST_EN}(?:the )?{_A} {_MUST_EN}{_STAND_EN}(?:{_LEAST_EN} )?"
            rf"{_N_EN} {_UNIT_EN} (?:or more )?(?P<side>after|behind|later than|before|ahead of|earlier than) "
            rf"(?:the )?{_B}(?: at least)?"
        ),
        re.compile(
            rf"(?:.*\b(?:leave|keep|have|want|put|is|are|be|need|with) )?(?:at least|a minimum of) {_N_EN} {_UNIT_EN} "
            rf"(?:free )?(?P<side>between) (?:the )?{_A} and (?:the )?{_B}"
        ),
    ),
)
"""So many days at least from one item to another."""
_LEARN_ZH = r"(?:[学做看背弄搞排]|复习)?完?"
_FIRST = (
    (re.compile(rf"(?:我?想?要?|把|请)*先{_LEARN_ZH}{_A}[,，]?(?:然后|接着|之后|再|后|才|就)+{_LEARN_ZH}{_B}吧?"),),
    (
        re.compile(
            rf"(?:(?:please|first|do|study|learn|take|start with|i want to) )*(?:the )?{_A}(?: (?:should|must) come)?"
            rf"(?: first)?,? (?:and )?then (?:(?:do|study|learn|take|only) )*(?:the )?{_B}(?: after(?: that)?)?"
        ),
    ),
)
"""One item before another."""
_BEGINS = (
    (
        re.compile(rf"(?:{CLASS}(?:里|的|就)?)?(?:我?[想要]|那)*先?从{_A}(?:开始|起|入手)(?:{_LEARN_ZH})?吧?"),
        re.compile(rf"(?:{CLASS}(?:里|的|就)?)?(?:我?[想要]|那)*先{_LEARN_ZH}{_A}吧?"),
    ),
    (
        re.compile(
            rf"(?:please )?(?:start|begin) (?:off )?(?:the |my )?{CLASS} with (?:the )?{_A}(?: first)?(?: please)?"
        ),
    ),
)
"""An item with which its class begins."""
_PUTS_A_ZH = rf"(?:把|将)?{_A}{_PUT_ZH}"
_EXAM_ZH, _EXAM_EN = r"(?:(?:期[中末])?考试?|期[中末]|测验)", r"(?:exam|final|midterm|test)"
_BEFORE_EXAM = (
    (
        re.compile(
            rf"(?:我|们|是|在|那门课?)*(?P<day>{TIME})(?:就|要|有|是)*{_EXAM_ZH}[,，]\s*{_PUTS_A_ZH}(?:{_EXAM_ZH})?的?前面?{_N_ZH}天"
        ),
        re.compile(
            rf"(?:我|们|的|那门课?)*{_EXAM_ZH}(?:是|在|定在)*(?P<day>{TIME})[,，]\s*{_PUTS_A_ZH}(?:{_EXAM_ZH})?的?前面?{_N_ZH}天"
        ),
    ),
    (
        re.compile(
            rf"{_PUT_EN}(?:the )?{_A} (?:(?:to|on|for) )?(?:the day|{_N_EN} days?) before (?:the |my )?{_EXAM_EN}"
            rf"(?: (?:on|of|is|which is))* (?:the )?(?P<day>{TIME})"
        ),
        re.compile(
            rf"(?:(?:the|my|i have (?:an|my)) )?{_EXAM_EN}(?:'s| is)?(?: on)? (?P<day>{TIME}),? (?:so |and )?"
            rf"{_PUT_EN}(?:the )?{_A} (?:(?:to|on|for|goes|should go) )*(?:the day|{_N_EN} days?) before"
            rf"(?: (?:it|that|the {_EXAM_EN}))?"
        ),
    ),
)
"""An item so many days before an exam."""
_NEXT = (re.compile(rf"{_PUTS_A_ZH}紧[跟接挨贴][着在]?{_B}(?:的?后面?)?"),), ()
"""An item right behind another one, without a word that puts it there."""
_SLIGHTLY_EN = r"(?:(?:just|a bit|a little|a little bit|slightly|somewhat) )*"
_THAT_DAY_EN = r"(?:on |in )?(?:that|the same|its|(?<=in )the) day"
_ON_ITS_DAY = (
    (
        re.compile(
            rf"(?:请|帮我|把|将)*{_A}(?:在|就)?(?:那一?天|当天|同一天)(?:里|的话)?(?:能不能|可不可以|能|可以|想|要|再|稍微|就)*"
            r"(?:(?P<later>往后|靠后|[推延]后|推迟|晚)|往前|靠前|提前|早)(?:[挪移排放调推靠来开一])*[点些]?(?:开始|[做学])?(?:吗|吧|行吗|么)?"
        ),
    ),
    (
        re.compile(
            r"(?:(?:can|could|would) (?:you|we|i) |please |can |could )*(?:(?:move|put|push|shift|have|do|start) )?"
            rf"(?:the )?{_A} (?:be |go |start |come |to )*{_SLIGHTLY_EN}(?:(?P<later>later)|earlier)"
            rf" {_THAT_DAY_EN}(?: please)?"
        ),
    ),
)
"""Later or earlier than where an item stands, on its day."""


def spell_told_places(message: str, plan: SelectionPlan) -> str:
    """The message in plain words where one form tells where its items are to stand; any other as it is."""
    text = fold_text(message).strip(" .。!！?？")
    if not plan.classes or len(text) > _LONGEST:
        return message
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    if pairs := _say_pairs(signed, plan, zh=zh):
        return pairs
    whole = re.sub(TIME, lambda found: _untimed(found.group(), signed), signed.text)
    for forms, say in _FORMS:
        for form in forms[not zh]:
            if (found := form.fullmatch(whole)) and (told := say(found, signed, plan, zh)):
                return told
    return message


_SPAN = re.compile(rf"(?:再?隔|再过)?{NUM}个?(?:天|周|星期|礼拜)(?:(?:之|以)?[前后])?|(?:in )?the day")
"""What is read as a day from now on, or a part of one, and may be told from an item: 第四章三天之后."""


def _untimed(sign: str, signed: Signed) -> str:
    said = signed.restore(sign)
    return said if _SPAN.fullmatch(said) else sign


_LATER = re.compile(rf"(?:再过|再隔|过|隔)(?P<n>{NUM})个?(?:天|(?P<week>周|星期|礼拜))(?:之?后)?")
"""So long behind the item before it in a list."""


def _say_pairs(signed: Signed, plan: SelectionPlan, *, zh: bool) -> str:
    """Items side by side, each put at its own time, or taking its own; empty for anything else."""
    pieces = [one for one in _JOINTS[not zh].split(signed.text) if one]
    days, told = dict[str, date | None](), list[str]()
    if len(pieces) > 1 and (long := [_LONG[not zh].fullmatch(piece) for piece in pieces]) and all(long):
        each = [(signed.restore(one["a"]), one["long"]) for one in long if one]
        return ("，", ", ")[not zh].join(f"{item}要{time}" if zh else f"{item} needs {time}" for item, time in each)
    for piece in pieces:
        read = _read_pair(piece, days, signed, plan, zh=zh)
        if not read:
            return ""
        item, when = read[0], read[1].replace(" of ", " ")
        lead = re.match("(?:(?:on|to|in|at|for|the) )+", when)
        told.append(f"把{item}放到{when}" if zh else f"put {item} {'' if lead else 'on '}{when}")
    return ("，", ", ")[not zh].join(told) if len(days) > 1 else ""


def _read_pair(
    piece: str, days: dict[str, date | None], signed: Signed, plan: SelectionPlan, *, zh: bool
) -> tuple[str, str] | None:
    """The item of a piece and its time; its day is noted beside those of the items before it."""
    if found := _DAYS_FROM[not zh].fullmatch(piece):
        item, start = signed.restore(found["a"]), days.get(signed.restore(found["b"]))
        shift = timedelta(days=_count(found["n"]))
        day = start and (start - shift if found["ahead"] else start + shift)
    elif found := _PAIR[not zh].fullmatch(piece):
        item, when = signed.restore(found["a"]), signed.restore(found["when"])
        times = signed.times_of(found["when"])
        later, start = _LATER.fullmatch(when), next(reversed(days.values()), None)
        day = times[0].first if len(times) == 1 and times[0].first == times[0].last else None
        if not later:
            days[item] = day
            odd = any(one.side or one.role or one.impossible or _is_past(one, plan) for one in times)
            return None if odd else (item, when)
        day = start and start + timedelta(days=_count(later["n"]) * (_WEEK if later["week"] else 1))
    else:
        return None
    days[item] = day
    return (item, say_date(day, zh=True) if zh else f"on {say_date(day, zh=False)}") if day else None


_WEEK = 7


def _is_past(time: Time, plan: SelectionPlan) -> bool:
    return time.last is not None and time.last < plan.term.today


def _say_apart(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    """The days that are to be between two items, where they stand or are to be done in that order."""
    one, other = ([*signed.items_of(found[name], _ONE)] for name in ("a", "b"))
    if len(one) != 1 or len(other) != 1:
        return ""
    side, days = found["side"], _count(found["n"]) * (_WEEK if found["week"] else 1)
    first, last = (
        (one[0], other[0])
        if side in ("between", "前", "早", "before", "ahead of", "earlier than")
        else (other[0], one[0])
    )
    if side in ("", "between"):
        first, last = sorted((first, last), key=lambda row: row["order"])
    elif not _comes_first(first, last):
        return ""
    names = [signed.restore(found[name]) for name in (("a", "b") if first is one[0] else ("b", "a"))]
    if zh:
        return f"{names[0]}和{names[1]}之间至少隔{days - 1}天" if days > 1 else ""
    if side == "between" and not found["week"]:
        return f"there should be at least {days} days between {names[0]} and {names[1]}"
    return f"keep {names[0]} and {names[1]} at least {days} days apart" if days > 1 else ""


def _comes_first(first: TaskView, last: TaskView) -> bool:
    """Whether an item is before another one in their class, or in the plan where they are of two."""
    if first["class_id"] == last["class_id"]:
        return first["order"] < last["order"]
    here, there = first["slot"], last["slot"]
    return here is not None and there is not None and here["day"] < there["day"]


def _count(said: str | None) -> int:
    return number_of(said) if said else 1


def _say_first(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    """The order of two items of one class."""
    rows = signed.items_of(found["a"] + found["b"], _ONE)
    if len(rows) != len({row["item_id"] for row in rows}) or len({row["class_id"] for row in rows}) > 1:
        return ""
    one, other = signed.restore(found["a"]), signed.restore(found["b"])
    return f"先做{one}，再做{other}" if zh else f"do {one} before {other}"


def _say_begin(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    """An item before what is the first of its class now."""
    rows = signed.items_of(found["a"], _ONE)
    own = sorted((row for row in signed.rows if row["class_id"] == rows[0]["class_id"]), key=lambda row: row["order"])
    if len(rows) != 1 or rows[0]["item_id"] == own[0]["item_id"]:
        return ""
    one, other = signed.restore(found["a"]), name_alone(own[0], signed.rows)
    return f"先做{one}，再做{other}" if zh else f"do {one} before {other}"


def _say_before_exam(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    """An item on the day that is so many days before an exam."""
    times = signed.times_of(found["day"])
    exam = times[0].first if len(times) == 1 and times[0].first == times[0].last else None
    if exam is None:
        return ""
    day, item = exam - timedelta(days=_count(found["n"])), signed.restore(found["a"])
    return f"把{item}移到{say_date(day, zh=zh)}" if zh else f"move {item} to {say_date(day, zh=zh)}"


def _say_next(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    return f"{signed.restore(found['a'])}紧接着{signed.restore(found['b'])}排"


def _say_on_its_day(found: re.Match[str], signed: Signed, plan: SelectionPlan, zh: bool) -> str:
    item = signed.restore(found["a"])
    if zh:
        return f"把{item}在当天往{'后' if found['later'] else '前'}挪一点"
    return f"move {item} {'later' if found['later'] else 'earlier'} on the same day"


_Forms = tuple[tuple[re.Pattern[str], ...], ...]
_FORMS: tuple[tuple[_Forms, Callable[[re.Match[str], Signed, SelectionPlan, bool], str]], ...] = (
    (_APART, _say_apart),
    (_FIRST, _say_first),
    (_BEGINS, _say_begin),
    (_BEFORE_EXAM, _say_before_exam),
    (_NEXT, _say_next),
    (_ON_ITS_DAY, _say_on_its_day),
)
"""The Chinese and the English forms of each request, and how it is said."""
