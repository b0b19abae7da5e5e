"""A new class as students tell it in passing, in the words of a wish for one: its name, its contents, its days.

What a clause that tells of work or an exam ahead has besides its days and the words around it is the name; what other
clauses have that is no time, no number, no limit and no wish for a plan are the contents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.intents import wants_build
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese, widths
from agent.llm.offline.language.paraphrase.names import find_whole_name
from agent.llm.offline.language.plain.classes.counted_class import read_counted_class
from agent.llm.offline.language.plain.classes.new_names import NO_NAME, is_free, is_known
from agent.llm.offline.language.remember import remember_found
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes, tells_only_contents
from agent.llm.offline.language.spans.classes.class_parts import (
    ClassParts,
    Segment,
    cut_dates,
    cut_message,
    fold_wish,
    is_setting,
    read_parts,
)
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots, find_weekdays, read_class, without_kind
from agent.llm.offline.language.spans.classes.class_wish import ClassWish, name_as_written, read_wish, spell_request
from agent.llm.offline.language.spans.classes.item_list import as_written, spell_quoted, tells_fact
from agent.llm.offline.language.spans.classes.new_class import find_count, find_opened_name, read_new_class
from agent.llm.offline.language.spans.classes.rhythms import RHYTHM, count_times, read_rhythm, without_rhythm
from agent.llm.offline.language.spans.mentions import find_pieces, find_quoted_texts
from agent.llm.offline.language.spans.targets import shift_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.spelling import (
    find_own_words,
    names_holiday,
    spell_out_lists,
    spell_out_times,
)

_EACH = re.compile(r"每次(?:学|上)?(\d)节")
_WISH = re.compile(
    r"(?:一起|顺便|麻烦|请?帮我|给我|都|也|再|把它)*(?:安排|规划|排|[加放塞弄](?=[进到上]))+"
    r"(?:一下|[好上完掉了]|[进到]去?|起来|个?计划|课表里?|到?日程里?|复习|备考|学习)*[吧呗啊了]*$"
    r"|\b(?:please |also )?(?:help me )?(?:plan|schedule|fit|put|add|squeeze|get|slot|work)"
    r"(?: (?:it|that|this|them|everything))*(?: (?:in|into?) ?(?:my |the )?(?:plan|schedule|calendar|timetable)?)?"
    r"(?: (?:too|as well|for me|please|somehow|somewhere))*\s*$"
)
"""That it is to be planned as well."""
_AS_LONG_AS = re.compile(
    r"[,，]\s*(?:大概|大约|about|around)?\s*(?:\d+k?|[一二两三四五六七八九十百千万]+)\s*(?:个?字|页|(?:words?|pages?|slides?)\b)",
    re.IGNORECASE,
)
"""How long a text is to be, which is none of its parts."""
_HOW = re.compile(
    r"[,，](?:请?帮我|给我|麻烦)*(?:挤|找|腾|抽|留)[出个点一]?[个点下]?时间|[,，\s](?:我?(?:该|要)?(?:怎么|咋)(?:安排|排|弄|办|搞|复习)|来得及吗?|救命"
    r"|help)[呢啊呀]*[?？!！]*$"
    r"|[,.] ?(?:where|how) (?:do|can|should) (?:i|we) (?:even )?(?:fit|plan|do|put|squeeze)\b[^,.]*$"
    r"|[,.] ?(?:please |pls |just )*(?:add|put|fit) (?:it|that|this)(?: in)?(?: (?:please|pls|plz|too))*$",
    re.IGNORECASE,
)
"""How it is to be planned, behind what is told of it."""
_ASKS = re.compile(r"[?吗]|怎么|[来赶][得不]及|^(?:is|are|do|does|did|will)\b", re.IGNORECASE)
_ONE = re.compile(
    r"[一1]?[个门份篇场](?!人|星期|月|小时|下)|[学过]一?遍|准备|快到|\bcoming up\b|\b(?:an?|another|my|new)\b"
    r"(?! (?:day|week|bit|little|few|lot))"
)
"""One piece of work, or that it is prepared for."""
_END = re.compile(r"(?:考试?|截止|交|提交|截至|ddl|deadline|exam|due|test|final)?(?:'s)?")
_MONTHS = tuple(date(2000, month, 1).strftime("%B") for month in range(1, 13))


def spell_out_class(message: str, brief: Brief) -> str:
    """The message as the wish for a new class, with as much of it as it tells; empty where it tells of none."""
    told = _read_told(message, brief)
    return _say_told(told, brief) if told is not None else _spell_bare_class(message, brief)


def wishes_class(message: str, brief: Brief) -> bool:
    """Whether a message says that a new class is to be made, or what is in one that there is not."""
    told = _read_told(message, brief)
    return told is not None and bool(told.sure or told.wish.parts.items or told.count)


def find_untold(message: str, brief: Brief) -> tuple[str, ...]:
    """The pieces of a message about a new class that are none of its parts."""
    told = _read_told(message, brief)
    return tuple(as_written(one, message) for one in told.wish.parts.rest) if told is not None else ()


@dataclass(frozen=True)
class _Told:
    """A class that a message tells of, with the clauses that its days and settings are read from."""

    wish: ClassWish
    clauses: tuple[str, ...]
    count: str
    wished: bool
    sure: bool = False
    """Whether it is said that it is to be made."""


@remember_found
def _read_told(message: str, brief: Brief) -> _Told | None:
    """The new class that a message wishes for or tells of; None where it does neither."""
    if (counted := read_counted_class(message, brief)) is not None:
        parts = ClassParts(count=counted.count, dates=(counted.until,))
        return _Told(ClassWish(counted.name, parts), ("", counted.until), counted.count, counted.planned, sure=True)
    today, names = brief.term.today, [row["name"] for row in brief.classes]
    text = spell_out_times(message, names, today) if names_holiday(message) else message
    text = _HOW.sub("，帮我安排" if has_chinese(message) else ", plan it", _AS_LONG_AS.sub("", widths(text)))
    if _ASKS.search(spell_request(fold_wish(text))):
        return None
    wish = read_wish(text, brief.term)
    others = wish is None and any(one.items for one in read_content_changes(message, brief).told)
    if others or tells_only_contents(message, brief):
        return None  # what is new is a content beside others of their class
    if wish is None:
        segments = cut_message(spell_request(fold_wish(text)))
        return None if find_quoted_texts(text) else _read_in_passing(text, segments, brief)
    if not wish.name:
        return _read_in_passing(text, wish.others, brief, sure=True)
    if not is_free(wish.name, brief) or find_count(wish.name) or shift_in(wish.opening):
        return None
    if any(is_known(one, brief) for one in (wish.opening, *wish.parts.rest)):
        return None
    settings = (find_own_words(as_written(one, text), message, names, today) for one in wish.parts.settings)
    told = ("", *wish.parts.dates, *settings)
    count = wish.parts.count or ("" if wish.parts.items else _find_count(told, _read_days(told, wish.parts, brief)))
    aim = _AIMS_AT.search(wish.others[0].text) if wish.others and _PLAN_ZH.search(wish.opening) else None
    named = replace(wish, name=aim["of"] + wish.name) if aim and aim["of"] not in wish.name else wish
    return _Told(named, told, count, wish.parts.plans or any(map(wants_build, wish.parts.settings)), sure=True)


def _read_in_passing(text: str, segments: Sequence[Segment], brief: Brief, *, sure: bool = False) -> _Told | None:
    """The new class that segments tell of without saying that it is to be made; `sure`: where others say so."""
    cuts = [cut_dates([one], brief.term) for one in segments]
    clauses = [_without_last_date(one, cut) for one, cut in zip(segments, cuts, strict=True)]
    if sure:  # what is listed is in the class, and names none
        lists = [len(read_parts([one], brief.term).items) > 1 for one in segments]
        clauses = ["" if listed else clause for clause, listed in zip(clauses, lists, strict=True)]
    at, planned = _find_planned(clauses, brief)
    listed = len(read_parts(segments[1:], brief.term).items) > 1
    at, name = (at, planned) if planned else _find_opening(clauses, brief, listed=listed)
    if not name:
        return None
    others = [one for number, one in enumerate(segments) if number > at or not _UNTOUCHED.search(one.text)]
    others = [one for one in others if one is not segments[at]]
    parts = read_parts([*others, *(one for one in cuts[at] if one.dated)], brief.term)
    told = [clauses[at], *parts.dates, *parts.settings, *parts.rest]
    wishes = [one for one in told if not is_setting(one, brief.term) and _WISH.search(one)]
    wished = parts.plans or bool(wishes) or wants_build(_find_lead(clauses[at]))
    slots = replace(_read_days(told, parts, brief), items=parts.items)
    count = "" if parts.items else parts.count or _find_count(told, slots)
    wish = ClassWish(as_written(without_kind(name)[0], text), name_as_written(parts, text), clauses[at])
    sure = sure or bool(planned) or _is_told(told, slots, brief, count=count, wished=wished)
    return _Told(wish, tuple(told), count, wished) if sure else None


def _without_last_date(whole: Segment, cut: Sequence[Segment]) -> str:
    """A segment without the date at its end, which goes on about what it tells."""
    last = cut[-1] if len(cut) > 1 and cut[-1].dated else None
    return (whole.text.removesuffix(last.text) if last else whole.text).strip(" :：")


def _read_days(clauses: Sequence[str], parts: ClassParts, brief: Brief) -> ClassSlots:
    """The days and the numbers that clauses tell; the first, which tells the name, where no other has a date."""
    text = "" if parts.dates else clauses[0]
    for clause in clauses[1:]:
        text += f"{' ' if _UP_TO.match(clause) else '，'}{_date_first_day(clause, brief)}"
    slots = read_new_class(text, brief.term)
    return replace(slots, start=slots.start or (brief.term.today if slots.days else None))


def _say_told(told: _Told, brief: Brief) -> str:
    """Says the wish for a class that is told of."""
    parts, clauses = told.wish.parts, told.clauses
    slots = _read_days(clauses, parts, brief)
    slots = ClassSlots(name=told.wish.name, start=slots.start, end=slots.end, days=slots.days, items=parts.items,
                       lengths=parts.lengths, parts=slots.parts)  # fmt: skip
    zh = has_chinese(told.wish.name + "".join(clauses) + told.wish.opening)
    return say_class(slots, told.count, clauses, wished=told.wished, zh=zh, brief=brief)


_UP_TO = re.compile(r"(?:to|until|till|through)\b|[到至]")


def _date_first_day(clause: str, brief: Brief) -> str:
    """A clause with the date of the weekday, of no certain week, from which something begins."""
    days = [one for one in read_times(clause, brief.term) if one.kind == "weekday" and one.side == "from"]
    if len(days) != 1 or days[0].first or len(days[0].weekdays) != 1:
        return clause
    today = brief.term.today
    first = today + timedelta(days=(days[0].weekdays[0] - today.isoweekday() - 1) % 7 + 1)
    return f"{clause[: days[0].start]}{spell_day(first, zh=has_chinese(clause))} {clause[days[0].end :]}"


_BOUND_WORDS = re.compile(
    r"从|自|开始|起|到|直到|为止|[,，.。:：\s]|\b(?:from|starting|starts?|beginning|begins?|until|till?|on)\b"
)
_WORDS_OF_PLANS = re.compile(
    r"\d|学习|复习|任务|安排|计划|最|不|别|[?？吗]"
    r"|\b(?:i|have|my|we|it|them|that|study\w*|plan\w*|tasks?|items?|everything|all|only|no|not|at|max|most|least|steps?)\b"
)
_LONGEST_NAME = 20


def _spell_bare_class(message: str, brief: Brief) -> str:
    """A name that nothing has yet, with how often it is done and from or until when and nothing else, as the wish for a
    class of that name: 练字，每周两次，下周开始."""
    zh, text = has_chinese(message), spell_out_lists(fold_numbers(message))
    rest, times = without_rhythm(text), read_times(text, brief.term)
    bounds = [one for one in times if one.kind in ("day", "days", "week", "weekday") and not one.impossible]
    if read_rhythm(message) is None or not (
        _STARTS.search(rest) or any(one.side or one.kind == "days" for one in bounds)
    ):
        return ""
    for one in bounds:
        rest = rest.replace(text[one.start : one.end], " ")
    name = " ".join(_BOUND_WORDS.sub(" ", rest).split())
    known = find_pieces(name, tuple(row["name"] for row in (*brief.classes, *brief.tasks)))
    begins = fold_numbers(message).startswith(name)
    if not (bounds and name and begins) or known or len(name) > _LONGEST_NAME or _WORDS_OF_PLANS.search(name):
        return ""
    told = re.sub(r"(?<=\d) ?x\b", " times", message.strip()[len(name) :].lstrip(" ,，:："))
    return f"新建任务类「{name}」，{told}" if zh else f"create a class called {name}, {told}"


_STARTS = re.compile(r"开始|起|\b(?:start|begin)\w*\b")
_UNTOUCHED = re.compile(r"没|\b(?:not|behind|no)\b|n'?t\b")
"""That nothing is done of what an exam is about."""
_SO_MANY_OF = re.compile(r"^\W*(?:\d{1,2}|[a-z]+) (?:[a-z]+s) (?:of|on|from|in) (?=\w)", re.IGNORECASE)
_EXAM_OF = re.compile(r"^考(?![试研虑察核勤点场古])(?=[一-鿿]{2,}$)")


_HAS_ONE = re.compile(r"(?<=\w)(?:'s)? (?:got|has|have|having|has got) (?:an?|its|the|my|our) (?=\w)")
"""Between what an exam is of and the exam: calculus got a midterm."""
_TERM_EXAM = re.compile(r"(?:要?[考有]|是)?(期[中末](?:考试?)?)(?=$|[,，。!！了])")


def _find_opening(clauses: Sequence[str], brief: Brief, *, listed: bool) -> tuple[int, str]:
    """The clause that tells of something new to learn, with its name; the name is empty where none does. Beside
    contents that are listed, a lab report is none of the lab."""
    for at, clause in enumerate(clauses[: 1 if clauses and is_known(clauses[0], brief) else 2]):
        text = fold_text(clause)
        lead = _find_lead(text)
        if is_known(lead, brief) or not (lead or says("work_ahead", text) or says("exam_ahead", text)):
            continue
        name = find_opened_name(clause, brief.term) or _find_name(clause, brief)
        if not name and at and _UNTOUCHED.search(fold_text(clauses[0])):
            name = _find_name(clauses[0], brief)
        if NO_NAME.fullmatch(fold_text(name)) and at + 1 < len(clauses):
            at, name = at + 1, _find_name(clauses[at + 1], brief)
        other = listed and " " in name and re.search(rf"\b(?:an?|another|my) {re.escape(fold_text(name))}", text)
        free = is_free(name, brief) or (other and not find_whole_name(name, [row["name"] for row in brief.classes]))
        return (at, name) if name and free and not (find_count(name) or name.startswith("第")) else (0, "")
    return 0, ""


_PLAN_FOR = re.compile(
    r"[弄做搞来整出定订列写排](?:一?[下个份套])(?:新的?)?(?P<zh>[^,，。的]{2,12}?)的?(?:学习|复习|练习|备考|训练)?计划[吧呗呢]?$"
    r"|\b(?:an?|some)(?: \w+)? plan (?:for|to (?:learn|study|practi[cs]e)) (?:my |the |learning |studying )?"
    r"(?P<en>[a-z][\w' ]{2,30})(?<!week)(?<!weeks)(?<!term)(?<!exams)(?<!finals)$"
)
_PLAN_ZH = re.compile(r"计划")
_AIMS_AT = re.compile(r"(?:考(?![试虑察核勤])|准备|备考|报名?了?)(?P<of>[^,，。考]{2,6})$")
"""The exam for which something is to be learnt: 想考六级，帮我弄个听力计划."""


def _find_planned(clauses: Sequence[str], brief: Brief) -> tuple[int, str]:
    """The clause that wants a plan for something that there is not, with its name; what it is for goes before it."""
    for at, clause in enumerate(clauses):
        found = _PLAN_FOR.search(fold_text(clause).strip(" .!。！"))
        name = found["zh"] or found["en"] if found else ""
        if name and is_free(name, brief) and not (tells_fact(name) or find_count(name)):
            aim = _AIMS_AT.search(clauses[at - 1]) if at and has_chinese(name) else None
            return at, (aim["of"] if aim and aim["of"] not in name else "") + as_written(name, clause)
    return 0, ""


def _find_lead(text: str) -> str:
    """The words of a text in front of what may be a name."""
    end = 0
    while (led := pattern("before_study").match(text, end)) is not None:
        end = led.end()
    return text[:end]


def _find_name(clause: str, brief: Brief) -> str:
    """What a clause has besides its times and the words around a name."""
    text, pieces, begin = RHYTHM.sub("\u2063", spell_out_lists(fold_text(clause))), list[str](), 0
    for time in read_times(text, brief.term):
        pieces.append(text[begin : time.start])
        begin = time.end
    pieces = [one for piece in (*pieces, text[begin:]) for one in piece.split("\u2063")]
    for at, piece in enumerate(pieces):
        plain = _WISH.sub("", piece)
        name = plain[len(_find_lead(plain)) :]
        name = _EXAM_OF.sub("", _SO_MANY_OF.sub("", name) if find_count(name) else name)
        while (trail := pattern("behind_study").search(name)) is not None:
            name = name[: trail.start()]
        if sum(map(str.isalnum, name)) > 1 and not _END.fullmatch(name.strip()):
            half = _TERM_EXAM.match(pieces[at + 1]) if at + 1 < len(pieces) else None
            return _HAS_ONE.sub(" ", as_written(name, clause)) + (half[1] if half else "")
    return ""


def _is_told(told: Sequence[str], slots: ClassSlots, brief: Brief, *, count: str, wished: bool) -> bool:
    """Whether clauses are of something new to learn: of work ahead, or of an exam with what it is about."""
    text, contents = fold_text(", ".join(told)), bool(slots.items or count)
    plain = ", ".join([told[0], *(one for one in told[1:] if not is_setting(one, brief.term))])
    timed = any(one.kind in ("part", "clock", "sections") for one in read_times(told[0], brief.term))
    kept = timed or (read_class(text, brief.term).excludes and not slots.end)
    if says("no_study", fold_text(plain)) or (kept and not contents):
        return False
    one = _ONE.search(fold_text(told[0])) is not None
    if says("work_ahead", text):
        return one or bool(contents or slots.end or (slots.start and read_rhythm(text)))
    if says("exam_ahead", text):
        return contents or wished or (one and not read_times(text, brief.term))
    return bool(count and slots.end and wished)


def say_class(slots: ClassSlots, count: str, told: Sequence[str], *, wished: bool, zh: bool, brief: Brief) -> str:
    """Says the wish for a class, with what is told of it."""
    pieces = [f"新建任务类「{slots.name}」" if zh else f'create a task class "{slots.name}"']
    parts = re.search(r"\d+", count)
    counted = replace(slots, parts=int(parts[0]) if parts else None, rhythm=read_rhythm(", ".join(told)))
    first, last = (day and spell_day(day, zh=zh) for day in (slots.start, counted.completed().end))
    if first and not last:
        pieces.append(f"从{first}开始" if zh else f"from {first} on")
    if last:
        pieces.append(f"{first or ''}到{last}" if zh else f"from {first} to {last}" if first else f"until {last}")
    pieces += [f"共{count}" if zh else f"with {count}"] if count else []
    pieces += [] if count or last else [one.strip() for one in told[1:] if counted.rhythm and read_rhythm(one)]
    pieces += [
        _EACH.sub(r"每项\1节", number) if _EACH.search(number := fold_numbers(one)) else one
        for one in told[1:]
        if is_setting(one, brief.term)
    ]
    pieces += _say_weekdays(told, brief, zh=zh)
    pieces += ["帮我排上" if zh else "plan it"] if wished else []  # in front of a list, of which it is none
    if slots.items:
        pieces.append(spell_quoted(slots.items, slots.lengths, zh=zh))
    return ("，" if zh else ", ").join(pieces)


def _say_weekdays(told: Sequence[str], brief: Brief, *, zh: bool) -> list[str]:
    """The wish for the weekdays that are told, where no clause tells which are left out."""
    days = find_weekdays(", ".join(told), brief.term)
    if not days or any(read_class(one, brief.term).excludes for one in told):
        return []
    if zh:
        return [f"只排{'、'.join(f'周{_DAYS[day - 1]}' for day in days)}"]
    return [f"only on {' and '.join(date(2024, 1, day).strftime('%As') for day in days)}"]


_DAYS = "一二三四五六日"


def spell_day(day: date, *, zh: bool) -> str:
    """A day with its month, as a request tells it."""
    return f"{day.month}月{day.day}日" if zh else f"{day.day} {_MONTHS[day.month - 1]}"


def _find_count(told: Sequence[str], slots: ClassSlots) -> str:
    """How many items there are, and what they are called: so many, or so many in so much time."""
    text = fold_numbers(", ".join(told))
    if count := find_count(without_rhythm(_EACH.sub(" ", text))):
        return count
    rhythm = read_rhythm(text)
    if rhythm is None or slots.start is None or slots.end is None:
        return ""
    number = count_times(rhythm, (slots.end - slots.start).days + 1)
    return f"{number}次" if has_chinese(text) else f"{number} sessions"
