"""Times that stay open after all: an exception to what a request leaves free, or what is possible beside it."""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.standing_rules import read_closed, read_weekly
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_times import Cells
from agent.llm.offline.language.spans.dates import TIMES
from agent.llm.offline.language.spans.happenings import Days, days_in
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import WEEKDAYS, weekday_names
from agent.llm.offline.language.texts import date_text

EXCEPTS = re.compile(
    r"除外|例外|除[了非]|不算|不包括|\b(?:except|excluding|apart from|other than|bar)\b|(?:n't|not) count\b"
)
_OPENS = re.compile(
    r"照[常旧样]|没(?:关系|事|问题)|无所谓|可以|能|\b(?:works?|can|possible|allowed|all ?right|still)\b"
    r"|算了|取消|去掉|不用了|^(?:scratch|forget|drop|cancel|take back)\b"
)
_PRESENT = re.compile(r"(?<![不没])在(?:学?校|家|的|[呢了吧]?\W*$)|有空|没事|\b(?:here|around|free|available)\b")
"""What tells of a day that one is not away on it."""
_DENIES = re.compile(r"不(?!错|用了)|没(?!关系|事|问题)|别|\b(?:not|no)\b|n't\b")
_ONSET = re.compile(
    r"^(?:(?:hm+|oh|no|wait|sorry|actually)[,\s]+)+(?=i\b|the\b|it|that|\d)|^(?:哦|不对|不是?的?|[,，])+(?=\d|周|星期)"
)
"""What only says that something else was wrong."""
_CLAUSE = re.compile(
    r"[,，。;；!！]\s*|\.(?:\s+|$)|(?=\b(?:except|apart from|other than) (?:for |on |at )?)|(?=\bbut\b)"
)
_IS_OFF = re.compile(r"不[^,，]{0,4}了$|取消了?$|没有?了$|\b(?:off|cancell?ed|over|not on|no longer|moved)\b")
"""Why a time is open after all: what was on then is not."""
_NOT_THEN = re.compile(
    r"^(?:but |just |well |oh )*not (?:on |in |at )?(?=(?:the |that )?(?:\w+ )?"
    r"(?:morning|afternoon|evening|night|\w+day|weekend)s?(?: (?:morning|afternoon|evening)s?)?"
    r"(?: (?:though|tho|please|itself))*\W*$)"
)
_NOT_KEPT_ZH = re.compile(r"^(?:但是?)?(.{1,8}?)(?:就|可以)?不用(?:空|留|避)(?:出来|着|开)?[了吧]?$")
"""What is not kept free after all, where nothing but a time is told: not the afternoon though."""
NOT_THAT = re.compile(r"^(?:but |just |well )*not (?:for )?(?:\w+ ?){1,4}\W*$|^[^,，。;；]{2,10}不要[了吧]?$")
"""That what is named is not meant: not vocab."""
_IS_FREE = re.compile(r"\bi(?:'m| am|'ll be)? (?:\w+ )?(?:free|available)\b|我[^,，]{0,8}有空")
_ONLY = re.compile(r"^\s*(?:就?只[有是]?|就)(?=[^,，]*(?:不|没|别|空))|^\s*(?:it'?s |but |and )*(?:only|just)\b")
_NO_MORE = re.compile(
    r"算了|不用了?$|^(?:不对|不是|等等|其实|还是|哦|噢|啊|嗯|哎|等下|说错了|记错了)+$"
    r"|^(?:(?:never ?mind|actually|wait|sorry|no|hm+|well|oh|ok)\b\W*)+$"
)
"""What says nothing of its own beside what is opened."""


class OpenAfterAll(NamedTuple):
    """What is left of a request whose times are opened in part: empty where nothing is; `touched`: whether it leaves
    any of them free at all."""

    whole: str
    touched: bool


def open_after_all(said: str, request: str, brief: Brief) -> OpenAfterAll | None:
    """Answers what words that open times make of a request that leaves times free; None where they do not, or where
    other times are meant in the place of those."""
    found = _open(said, request, brief)
    return None if found and not found.touched and _INSTEAD.search(fold_text(said)) else found


_INSTEAD = re.compile(r"改|换|更|\b(?:better|instead|rather|prefer\w*|actually|mean|meant)\b")


def _open(said: str, request: str, brief: Brief) -> OpenAfterAll | None:
    clauses = [
        _NOT_KEPT_ZH.sub(r"除了\1", _NOT_THEN.sub("except ", one))
        for one in _CLAUSE.split(fold_text(said))
        if one and one.strip()
    ]
    away = intent_of(request, brief) == "replan"
    opening = [one for one in clauses if _opens(one) or (away and opens_days(one))]
    rest = [one for one in clauses if one not in opening and not _NO_MORE.search(one)]
    rest = [one for one in rest if read_times(one, brief.term) or says("wants_change", one) or not _IS_OFF.search(one)]
    stays = [one for one in rest if _ONLY.search(one)]  # only sunday is off: what is left, told again
    rest = [one for one in rest if one not in stays]
    named, owners = items_in(said, brief, among=all_items(brief)), classes_in(said, brief.classes)
    if says("asking", fold_text(said)) or named:
        return None
    if owners and not read_times(said, brief.term):
        return _leave_out_classes(said, owners, request, brief)
    if not opening or rest or owners:
        return None
    if closed := read_closed(request, brief):
        opened = {cell for one in opening for cell in read_weekly(one, brief.term)}
        left = closed - opened
        if not all({*read_weekly(one, brief.term)} <= left for one in stays):
            return None
        of = classes_in(request, brief.classes)
        whole = _spell(left, of, brief) if left != closed else ""
        return OpenAfterAll(whole, left != closed) if opened else None
    runs, times = days_in(request, brief.term) if away else [], [(one, read_times(one, brief.term)) for one in opening]
    when = brief.say("和", " and ").join(one[found[0].start : found[-1].end] for one, found in times if found)
    joined = f"{request}{brief.say(f'，{when}除外', f', except {when}')}"
    if not (runs and when):
        return None
    left_runs = days_in(joined, brief.term)
    told = [run for one in stays for run in days_in(one, brief.term)]
    if not all(any(run.first <= one.first and one.last <= run.last for run in left_runs) for one in told):
        return None
    return OpenAfterAll(joined if len(left_runs) == 1 else _spell_dates(left_runs, brief), left_runs != runs)


def opens_once(said: str, request: str, brief: Brief) -> bool:
    """Whether words open a certain day of what a request leaves free every week, which no rule can hold."""
    clauses = _CLAUSE.split(_NOT_THEN.sub("except ", fold_text(said)))
    dated = any(one.first for clause in clauses if _opens(clause) for one in read_times(clause, brief.term))
    return (
        dated
        and not items_in(said, brief)
        and not says("asking", fold_text(said))
        and bool(read_closed(request, brief))
    )


def close_more(said: str, request: str, brief: Brief) -> str:
    """The request that leaves times free with those that words add to it and tell nothing else of: 周日也不行; neither
    do Thursday evenings."""
    text = fold_text(brief.spoken.get(said, said))
    rest = _ADDED.sub(" ", TIMES.sub(" ", text))
    wanted = opens_days(text) or _WANTED.search(text)
    if wanted or not _ALSO.search(text) or strip_fillers(rest) or not read_times(text, brief.term):
        return ""
    lasting = intent_of(request, brief) in ("class", "wish", "limit") and not Features(request, brief).plans_with_limits
    closed, more = read_closed(request, brief) if lasting else set(), read_weekly(text, brief.term)
    if closed and more:
        return _spell(closed | more, classes_in(request, brief.classes), brief)
    dated = any(one.first or one.week for one in (*read_times(request, brief.term), *read_times(text, brief.term)))
    if intent_of(request, brief) != "replan" or dated:
        return ""  # days of its week
    runs = [run for one in (request, text) for run in days_in(one, brief.term)]
    return _spell_dates(sorted(runs, key=lambda run: run.first), brief)


_ALSO = re.compile(r"也|同样|一样|\b(?:neither|nor|either|also|too|as well|same)\b")
_WANTED = re.compile(r"(?<!不)[想要]|\b(?:prefer|like|want|would|could)\b")
_ADDED = re.compile(
    r"[也别不没]|同样|一样|[都全]|排|学习?|有[空时]间?|空|能|算上?|[,，。.!]"
    r"|\b(?:neither|nor|either|also|too|as well|same|goes|for|don't|doesn't|do|does|work|plan"
    r"|study|no|not|out|are|is|off|free)\b"
)


def leave_out_exceptions(message: str, brief: Brief) -> str:
    """Answers a message without the times that one of its clauses opens of those which the others leave free; empty
    for one that opens none, and for single dates."""
    clauses = [one for one in _CLAUSE.split(fold_text(message)) if one and one.strip()]
    opening = [one for at, one in enumerate(clauses) if EXCEPTS.search(one) or (at and _opens(one))]
    rest = brief.say("，", ", ").join(one for one in clauses if one not in opening)
    if opening and _IS_FREE.search(rest):  # what one has time on is not to stay free, but what is left out of it
        not_free = {cell for one in opening for cell in read_weekly(one, brief.term)} & read_weekly(rest, brief.term)
        return _spell(not_free, [], brief) if not_free else ""
    if not opening or not rest or not read_closed(rest, brief):
        return ""
    opened = open_after_all(", ".join(opening), rest, brief)
    return opened.whole if opened and opened.touched else ""


def opens_days(text: str) -> bool:
    """Whether words tell that one is not away then, or free for study."""
    return _opens(text) or (_PRESENT.search(text) is not None and not _DENIES.search(_ONSET.sub("", text)))


def _opens(clause: str) -> bool:
    possible = _OPENS.search(clause) or says("open_up", clause) or says("opens_times", clause)
    denies = _DENIES.search(_ONSET.sub("", clause))
    return EXCEPTS.search(clause) is not None or (bool(possible) and not denies)


def _spell_dates(runs: list[Days], brief: Brief) -> str:
    """Runs of dates as those on which one is away; empty for none."""
    told = list[str]()
    for run in runs:
        ends = [date_text(brief, day) for day in dict.fromkeys((run.first, run.last))]
        first, last = run.sections or (0, 0)
        hours = brief.say(f"{first}-{last}节", f" sections {first}-{last}") if run.sections else ""
        told.append(brief.say("到", " to ").join(ends) + hours)
    return brief.say("我{when}没空", "I am away on {when}", when=brief.say("和", " and ").join(told)) if told else ""


def _leave_out_classes(said: str, owners: list[int], request: str, brief: Brief) -> OpenAfterAll | None:
    """What is left of a request that leaves times free for good where these classes are left out of it."""
    text = fold_text(said)
    spares = EXCEPTS.search(text) or _opens(text) or says("left_alone", text) or NOT_THAT.search(text)
    of = classes_in(request, brief.classes) or [row["id"] for row in brief.classes]
    kept, closed = [one for one in of if one not in owners], read_closed(request, brief)
    if not spares or not closed or kept == of or intent_of(request, brief) not in ("class", "wish", "limit"):
        return None
    return OpenAfterAll(_spell(closed, kept, brief) if kept else "", touched=True)


def _spell(cells: Cells, owners: list[int], brief: Brief) -> str:
    """Times of every week as the request that leaves them free, of these classes; of all where there are none."""
    blocks: dict[int, tuple[int, ...]] = {}
    for day, block in sorted(cells):
        blocks[day] = (*blocks.get(day, ()), block)
    told = list[str]()
    for held in dict.fromkeys(blocks.values()):
        days = [day for day in blocks if blocks[day] == held]
        runs = [[one for _, one in run] for _, run in groupby(enumerate(held), lambda pair: pair[1] - pair[0])]
        told += [_spell_run(days, 2 * run[0] - 1, min(2 * run[-1], brief.term.sections), brief) for run in runs]
    names = brief.say("和", " and ").join(row["name"] for row in brief.classes if row["id"] in owners)
    return names + brief.say("", ": " if names else "") + brief.say("，", ", ").join(told)


def _spell_run(days: list[int], first: int, last: int, brief: Brief) -> str:
    """One stretch of sections on these weekdays as what is left free for good."""
    parts = dict(zip(brief.term.day_parts, _PARTS, strict=False))
    zh, en = (
        ("", "") if (first, last) == (1, brief.term.sections) else (f"{first}-{last}节", f"sections {first}-{last}")
    )
    zh, en = parts.get((first, last), (zh, en))
    if brief.language == "zh":
        named = "工作日" if days == _WORKING else "、".join(weekday_names(days, "zh"))
        return f"以后{named if len(days) < len(WEEKDAYS) else ''}{zh}都别排"
    names = ["weekdays"] if days == _WORKING else weekday_names(days, "en")
    when = f"on {', '.join([name[:-1] for name in names] if en else names)}" if len(days) < len(WEEKDAYS) else "in"
    return f"from now on nothing {when} {en}".rstrip()


_PARTS = (("上午", "mornings"), ("下午", "afternoons"), ("晚上", "evenings"))
_WORKING = [1, 2, 3, 4, 5]
