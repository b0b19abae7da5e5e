"""What the words beside a time make of it: a bound, the day before it, or no time that is wanted."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from agent.llm.offline.language.spans.times.hours import (
    section_at,
    section_from,
    section_running,
    section_until,
)
from agent.llm.offline.language.spans.times.said_time import Kind, Side, Time
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.llm.offline.language.spans.times.words import COUNT, number_of

CLAUSE = re.compile(r"[,，。;；]")
MOVED = re.compile(r"[挪移调换改推拖搬放]|\b(?:mov|shift|push|put|reschedul|bring|chang|drag|bump|postpon|switch)\w*")
ORIGIN_BEFORE = re.compile(r"(?:从|\bfrom (?:the )?)$")
TOLD_WHERE = re.compile(r"\bput\b(?! (?:off|back|forward))|\b(?:to|onto) (?!.*\bto\b)[^,.;]+\bfrom $")
"""Before hours that are those of the place where something goes: put it on Monday from 2 to 4pm."""
_ORIGIN_BEHIND = re.compile(r"[^,，。;；]{0,12}?[移挪调换改推拖搬放补]到|\s*(?:上午|下午|晚上)?\s*to\b")
_NOT_LATE = re.compile(
    r"(?:截止到?|截至|最[晚迟](?:是|在)?(?:[学排做]?到)?|(?:只|顶多|最多)(?:能|可以)*[学排做]?到|不(?:要)?(?:晚|迟)于"
    r"|[不别](?:要|能)?超过|直到|(?<![底日号末周期\d一二三四五六天])为止)\s*$"
    r"|\b(?:on or before|(?:no|not|never) later than|not (?:after|past)|by|(?<!not )(?:until|till|til)"
    r"|up to(?: and including)?|(?:ends?|due)(?: on| by)?|(?:go to|in) bed(?: at| around)?|asleep)"
    r"\s+(?:the\s+)?(?:end of\s+)?(?:on\s+)?$"
)
_UP_TO = re.compile(r"(?<!等)[到至]\s*$")
_PUT = re.compile(r"[改移挪调换迟前后排放推提搬安塞拖腾期变回成补]")
"""Before 到: a place to go to, no bound."""
_NOT_EARLY = re.compile(
    r"(?:从|自从?|打|等到|最早|[不别](?:要|能)?早于)\s*$"
    r"|\b(?:on or after|(?:get|wake) up (?:at|around)|not (?:before|until)|(?:no|not|never) (?:earlier|sooner) than"
    r"|from|since|as of|start(?:s|ing)?(?: on| from| in)?)"
    r"\s+(?:the\s+)?$"
)
_EARLIER = re.compile(r"早于\s*$|\b(?:before|prior to|earlier than|ahead of)\s+(?:the\s+)?$")
_LATER = re.compile(r"晚于\s*$|\b(?:after|past|later than)\s+(?:the\s+)?$")
EARLIER_BEHIND = re.compile(r"\s*(?:之前|以前|前(?![后面天边一二两三四五六七八九十\d半]))")
LATER_BEHIND = re.compile(r"\s*(?:(?<=节)课)?(?:之后|以后|过后|后(?![面天边来一二两三四五六七八九十\d半]))")
_FROM_BEHIND = re.compile(r"\s*(?:(?:之?后)?才|起床|(?:周|上|下)?开始|起(?![床来])|以来|\bonwards?\b)")
_UNTIL_BEHIND = re.compile(r"\s*(?:过完|就?(?:要|得)?(?:收工|睡)|就结束|为止|截止|结束)")
_SIDES: tuple[tuple[Side, re.Pattern[str], re.Pattern[str]], ...] = (
    ("until", _NOT_LATE, _UNTIL_BEHIND),
    ("from", _NOT_EARLY, _FROM_BEHIND),
    ("before", _EARLIER, EARLIER_BEHIND),
    ("after", _LATER, LATER_BEHIND),
)
_NOT = re.compile(
    r"(?:(?<!能)不(?:要|想要?|能|是(?!说)|在|排|放)?|(?<![分特区级])别(?!的)|除了?|避开|避免|躲开)"
    r"(?:再|给我|放|排|安排|学|做|是|在|到|把[^,，。;；]{1,12}?(?=放|排|安排|移))*\s*$"
    r"|\b(?:not|never|\w+n't|avoid|except(?: for)?|(?:other|rather) than|any(?:thing|time| \w+) but|(?:instead"
    r"|out) of"
    r"|apart from"
    r"|\b(?:i'm|i am|i'll be|i will be) (?:\w+ )?(?:busy|away))\s+"
    r"(?:(?:put|place|have|do|want|move|keep|schedule|be|it|on|in|into|to|for|at|a|the|any"
    r"|(?:chapter|unit|lab|item|part) ?\d*)"
    r"\s+){0,4}$"
    r"|(?:\b(?:not|never|rather not)|n't) (?:(?:really|ever|even) )?(?:(?:want|wish|like|have|going) to |be )?"
    r"(?:do|doing|study|studying|have|having|learn|revise) (?:[a-z0-9]+ ){1,4}?(?:on|in|at) (?:an? |the )?$"
)
_OFF = re.compile(
    r"\b(?:get|take|pull|keep|move) (?!(?:everything|anything|whatever|all|what|the rest)\b)[^,.;]{1,40} off (?:the )?$"
)
_AWAY = re.compile(r"[挪移](?:走|开|掉|出去)")
"""Around a time from which one thing is to be gone."""
_HELD = re.compile(r"\b(?:have|got|'ve|busy|away)\b[^,.;]{0,30}?\s$")
"""Before a time that ends its clause: something else is then."""
_NONE = re.compile(r"\bno (?:more )?$")
_LISTED = re.compile(r"\s*(?:的|[、/&]|和|与|跟|及|或者?|\b(?:and|or|on|in|at|the)\b|\s)*\s*")
_REJECTED = re.compile(
    r"\s*(?:(?:之|以)?[前后])?(?:(?:我|都|要|得|可能)*(?:有(?!空|时间|没有|什么|哪|啥|多|几"
    r"|几)[^,，。;；吗么?？]{1,6}(?=[,，。;；]|$)|不行|没空|没时间"
    r"|有事|不可以|不方便|(?:(?:真的?|实在|根本|确实|肯定|都|也|是)*[上学做看背来搞弄]不了))|以外|之外|除外)"
    r"|\s*(?:(?:does|do|wo|is|are)n't(?! (?:care|mind|know|matter))|(?:does|do|will|is|are) not"
    r"|(?:is|are) (?:just |really |totally |simply )*(?:no good|out|bad|impossible|an? no[- ]?go)|off(?! (?:to"
    r"|the|my|of)\b))\b"
)
_NOT_THEN = re.compile(r"\s*(?:不要?|别|不能|不想)再?(?:排|放|安排|学|占|用)|\s*(?:不要|别)[了啊哈]?(?=[,，。;；]|$)")
"""Behind a time of a later clause, where one before tells when something is to be, or that it goes elsewhere."""
_MOVES = re.compile(r"换|[移挪调放补塞]|推迟|提前|排[进上入]")
DAY = timedelta(days=1)
_MIDDLE_OF_MONTH = re.compile(r".*月的?中|(?:.*\bmiddle of|mid\b).*")


def settle_middle(one: Time, text: str) -> Time:
    """A stretch in the middle of a month as the 15th, where something begins or ends then: 到四月中."""
    middle = one.kind == "days" and one.first and _MIDDLE_OF_MONTH.fullmatch(text[one.start : one.end])
    return (
        replace(one, first=one.first.replace(day=15), last=one.first.replace(day=15)) if middle and one.first else one
    )


_IN_LIST = re.compile(r"(?:周|星期|礼拜)[1-7一二三四五六日天]\s*[、和跟与及,，]?\s*$")
"""Before a weekday: what is said of the last of a list bounds none of it: 周二周四周六才有空."""


def set_side(one: Time, text: str, term: SemesterDates) -> Time:
    """A time that is a bound, open on its other side; an hour as the sections that it means."""
    side: Side = ""
    if one.role == "origin":
        return one
    if (beside := _day_beside(one, text)) is not None:
        return beside
    if one.kind in ("day", "days", "week", "weekday", "clock") and not one.impossible:
        side = side_of(text[: one.start], text[one.end :])
    if one.kind == "clock":
        ends = _ENDS_STUDY if side in ("from", "after") else _STUDY_OVER
        late = one.loose and side and one.clock < "12" and ends.search(text)
        return _hours(replace(one, clock=f"{int(one.clock[:2]) + 12}{one.clock[2:]}") if late else one, side, term)
    if not side or (one.kind == "weekday" and _IN_LIST.search(text[: one.start])):
        return one
    one = settle_middle(one, text)
    if not (one.first and one.last):
        return _weekday_bound(one, side)
    if side == "before":
        last = one.first - DAY if one.kind in ("days", "week") else one.last
        strict = one.kind in ("day", "weekday") and _LAST_OF.search(text[one.start : one.end]) is None
        return replace(one, side="until", first=None, last=last, strict=strict, week=one.week if strict else None)
    if side == "until":
        ahead = one.whole_month and one.first > term.today and _UNTIL.search(text[: one.start])
        return replace(one, side=side, first=None, last=one.first - DAY if ahead else one.last)
    return replace(one, side="from", first=one.last + DAY if side == "after" else one.first, last=None)


_UNTIL = re.compile(r"\b(?:until|till|til)\s+$")
"""Before a month: up to the day on which it begins; by April and 到四月 may mean the month too."""
_DAY_BEFORE = re.compile(
    rf"\bthe (?:last )?(?:(?P<n>{COUNT}) days|day|night|evening) (?:right |just )?(?P<side>before|after)"
    r"(?: (?:my|the|our) [a-z ]{2,30}?)?(?: is)?(?: on)? (?:the )?$"
)
_DAY_BEFORE_ZH = re.compile(
    r"[^,，。;；\d前后挪移推改放到]{0,6}(?<![以之])(?P<side>前|后)[一1]天(?!最多|至多|顶多|[只就限]|都?(?:不|不要|别)超|控制|安?排?[一两二三四\d][项个节次])"
)
_DAYS_BESIDE_ZH = re.compile(
    r"(?<![以之])(?:之|的)?(?P<side>前|后)(?:面|边)?的?[那这]?(?P<n>[2-9]|[两二三四五六七八九])天"
    r"(?=[^,，。;；\d]{0,8}(?:空|休息|[不别没]|歇|留))"
)
"""So many days beside a date, of which all are meant; elsewhere it may be the one at that distance."""
_DONE = re.compile(r"[完好]|结束|截止|\b(?:finish\w*|done|ready|due|end\w*|complete\w*)\b")
"""By the day before something, not on that day."""


def _day_beside(one: Time, text: str) -> Time | None:
    """The day before a date, or behind it, or so many of them: the day before my exam on april 8; 4月8号前一天."""
    if one.kind != "day" or one.first is None or one.first != one.last or _DONE.search(text):
        return None
    ahead = _DAY_BEFORE.search(text[: one.start])
    behind = _DAY_BEFORE_ZH.match(text, one.end) or _DAYS_BESIDE_ZH.match(text, one.end)
    found = ahead or behind
    if found is None:
        return None
    number = found.groupdict().get("n")
    run = sorted(
        one.first + DAY * at * (-1 if found["side"] in ("before", "前") else 1) for at in (1, number_of(number or "1"))
    )
    start, end = (ahead.start(), one.end) if ahead else (one.start, found.end())
    kind: Kind = "days" if number else "day"
    return replace(one, kind=kind, first=run[0], last=run[-1], week=None, start=start, end=end)


_ENDS_STUDY = re.compile(
    r"[不别勿](?:要|想|再|用|能|给我|许|准)*(?:安?排|学|看书|复习|做题|干活)|睡觉|上床"
    r"|\b(?:no|not|nothing|never|don't|stop|without)\b(?=.*\b(?:after|past|later than|beyond)\b)|\b(?:sleep|bed)\b"
)
_STUDY_OVER = re.compile(
    r"结束|收工|[学做弄搞忙]完|搞定|睡|最[晚迟]|不[晚迟]于|\b(?:no|not|never) (?:later than|after|past)\b"
    r"|\b(?:be|have me|i'm) (?:\w+ )?(?:done|finished|through|over)\b|\b(?:wrap\w*|stop\w*|finish\w*|quit|bed|asleep)\b"
)
"""What ends at an hour is the day: nothing after 9, 九点以后不学习 are those of the evening."""
_LAST_OF = re.compile(r"[底末]|\bend of\b")
"""Before the end of a month its last day counts."""
_PART_AHEAD = re.compile(r"(?:早上|上午|中午|下午|傍晚|晚上)$")
"""The part of the day of an hour, between it and the word that makes it a bound: 不晚于晚上九点."""


def side_of(head: str, rest: str) -> Side:
    if _UP_TO.search(head) and not _PUT.search(CLAUSE.split(head)[-1]):
        return "until"
    head = _PART_AHEAD.sub("", head)
    return next((side for side, before, behind in _SIDES if before.search(head) or behind.match(rest)), "")


def read_side(one: Time, text: str) -> Side:
    """The side of a time of a text that the words beside it make it a bound of."""
    return side_of(text[: one.start], text[one.end :])


def _weekday_bound(one: Time, side: Side) -> Time:
    """Until or from a weekday: before the weekend is until Friday."""
    several = len(one.weekdays) > 1
    if side in ("before", "until"):
        day = one.weekdays[0] - 1 if several and side == "before" else one.weekdays[-1]
        return replace(one, side="until", weekdays=(day or 7,), strict=side == "before" and not several)
    return replace(one, side="from", weekdays=(one.weekdays[-1] % 7 + 1 if side == "after" else one.weekdays[0],))


def _hours(one: Time, side: Side, term: SemesterDates) -> Time:
    if one.impossible or one.sections or one.until:
        return one
    if side in ("before", "until"):
        last = section_until(one.clock, term)
        return replace(one, side="until", sections=(1, last) if last else None)
    if side:
        first = section_from(one.clock, term) or section_running(one.clock, term)
        return replace(one, side="from", sections=(first, term.sections) if first else None)
    at = section_at(one.clock, term)
    return replace(one, sections=(at, None) if at else None)


def set_role(at: int, found: list[Time], text: str) -> Time:
    """A time that is not wanted, or from which something is moved; times in one list share that."""
    one = found[at]
    hours = one.kind == "clock" and TOLD_WHERE.search(CLAUSE.split(text[: one.start])[-1])
    gone = ORIGIN_BEFORE.search(text[: one.start]) and _AWAY.match(text[one.end :])
    if gone or _OFF.search(text[: one.start]):
        return replace(one, role="avoided", side="")
    if not hours and ORIGIN_BEFORE.search(text[: one.start]) and (to := _ORIGIN_BEHIND.match(text[one.end :])):
        moved = MOVED.search(CLAUSE.split(text[: one.start])[-1] + to.group())
        return replace(one, role="origin") if moved else one
    first = last = at
    while first and _LISTED.fullmatch(text[found[first - 1].end : found[first].start]):
        first -= 1
    while last + 1 < len(found) and _LISTED.fullmatch(text[found[last].end : found[last + 1].start]):
        last += 1
    head, rest = text[: found[first].start], text[found[last].end :]
    held = _HELD.search(head) and rest[:1] in (",", ".", ";", "，", "。")
    none = _NONE.search(head) and text[one.start : one.end].endswith("s")
    ahead = text[found[0].end if first > 0 else 0 : one.start]
    later = (first > 0 or _MOVES.search(ahead)) and CLAUSE.search(ahead) and _NOT_THEN.match(rest)
    none = none or bool(later)
    return replace(one, role="avoided") if _NOT.search(head) or _REJECTED.match(rest) or held or none else one
