"""The weekdays, blocks and cells of a week that a sentence keeps free, or that it keeps to.

A clause that refuses takes its times away (晚上别排, no Fridays); one that names the only times takes away all others
(只排晚上, at weekends only). Of a plan with limits a clause that just names times is kept to as well, and belongs to
the classes that it names: 实验放下午，概率晚上看.
"""

from __future__ import annotations

import re
from typing import Any

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.limit_forms import NO_MORE, ONLY_PART_OF_DAYS, THOSE_DAYS
from agent.llm.offline.language.spans.dates import dates_in, parts_in, sections_in, weekdays_in
from agent.llm.offline.language.spans.happenings import is_dated
from agent.llm.offline.language.spans.items.counted import of_kind
from agent.llm.offline.language.spans.mentions import all_items, classes_in
from agent.llm.offline.language.spans.times.bounds import BOUNDS, run_of, side_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates

_NO = re.compile(
    r"\b(?:no|not|none|neither|never|skip|don't do|doesn't work|don't work|can't|cannot)\b|起不来"
    r"|(?:早上|上午|中午|下午|晚上|(?:周|星期|礼拜)[一二三四五六日天末1-7])[也都]?(?:不要|不可以)(?![动移改太])|(?:不要|别)(?:在|放)?(?:早上|上午|中午|下午|晚上|周末"
    r"|周[一二三四五六日天])|(?<!没)(?:不想|不能)(?:学|排|上)"
    r"|(?:\d节|[\d一二三四五六七八九十]点半?[之以]?[前后]|周末)[也都]?(?:不要|不可以|不行)(?![动移改太])"
    r"|(?:不要|别)(?:再|给我|在|排|放)*第?\s*\d{1,2}\s*(?:[-~到至]\s*\d{1,2})?\s*节"
    r"|(?:不|没法|没办法)(?:学习|复习|做事)|(?:不要|别)(?:再|给我)?(?:在|放在?|排在?)第\s*\d"
    r"|(?:不要|别)(?:再)?在[这那][^,，]{0,6}(?:排|放|学)|\b(?:sacred|off[- ]limits)\b"
    r"|\b(?:don't|do not|shouldn't|mustn't) (?:\w+ )?"
    r"(?:use|put|plan|schedule|place|book|pick|choose|assign|do|study|touch|fill)\b"
    r"|\b(?:shouldn't|should not|mustn't|must not|isn't to) (?:ever )?(?:be|go|fall|land|happen)\b"
    r"|\b(?:mornings?|afternoons?|evenings?|nights?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
    r" (?:(?:is|are) (?:\w+ )?(?:out|taken|gone|impossible|(?:no|not) (?:good|great)|bad|blocked|terrible|awful"
    r"|horrible|hopeless|the worst)|sucks?)\b"
    r"|(?:不要|别|不准|不许|不能|不可以)(?:再)?(?:用|占用?|碰|选|挑)|(?:都|也)?(?:不要|别|不)用(?=$|[,，。;；])"
)
ONLY_TIMES = re.compile(
    r"[只仅](?!要|剩|有[^,，]{0,4}[吗?？]|有?[^,，]{1,8}(?:不[排学要行能]|别))|只要(?:在|排)?(?:早上|上午|中午|下午|晚上|周末|工作日|(?:周|星期"
    r"|礼拜)[一二三四五六日天])+$"
    r"|\b(?:only|just)\b(?! (?:not|no|if|when)\b)|\bnothing but\b|\b(?:keep|stick) (?:it |them )?to\b"
    r"|限(?:定|制)?[在于为]|\b(?:restrict|limit|confine)(?:ed)?\b"
)
_COUNT = re.compile(
    r"[0-9一二两三四五六七八九十]\s*(?:个|项|章|样|门|份|件|次)(?!小时)"
    r"|(?<![第到至~–—-])(?<![第到至~–—-]\d)[0-9一二两三四五六七八九十]\s*节"
    r"|\b(?:one|two|three|four|a|an|\d+) (?:\w+ )?(?:a|per|each|every) (?:day|week)"
    r"|(?<!chapter )(?<!unit )(?<!lab )\b(?:one|two|three|four|[1-9]) on (?:the )?(?:week(?:end|day)s?|\w+days)\b"
)
"""So many a day: a limit of another kind."""
_EACH_PART = re.compile(
    r"每[天日](?:早上|上午|下午|晚上)|每个?晚上?|每个?早上|\b(?:every|each|per|a) (?:evening|night|morning|afternoon)\b"
)
_FREE = re.compile(r"空|休息|\b(?:free|empty|clear|off|nothing)\b")
AVAILABLE_THEN = re.compile(
    r"有空|\b(?:i'm|i am|am|i'll be) (?:\w+ly )?free\b(?! of)|\bfree (?:only|just)\b|\bonly free\b"
)
"""What the student is at the times that are told, not what they are to be."""
_ALSO = re.compile(r"也(?:能|可以|行|没问题)|\b(?:also|too|as well|fine|ok|okay)\b")
_PLURAL = re.compile(r"[周末每]末|每|\b(?:\w+days|weekends?|every|each)\b")
_BUSY = re.compile(
    r"(?<![所没])有(?!空|时间|位|点|多|几|没有|什么|哪|啥)[一-鿿]{1,8}$"
    r"|\bi(?:'ve| have) (?:got )?\w+|\bi(?:'m| am) \w+|\bworking\b|要?上班|打工|值班"
)
_LEISURE = re.compile(
    r"(?<![不没])(?:玩|耍|放松|睡懒觉|浪一?浪)|\b(?:have (?:some )?fun|relax|chill|hang out|rest|sleep in|to myself)\b"
)
_UNFIT = re.compile(
    r"\b(?:rubbish|terrible|awful|horrible|bad|crap|tough|tricky|nightmare|mess|useless|hopeless|packed|full|crammed"
    r"|crazy|mad|busy|hectic|booked|no[- ]go|hate|worst|out)\b|忙|不方便|不太(?:行|方便|合适|好)|不合适|满课"
    r"|课(?:很|太)?[多满]|没戏|够呛|受不了|讨厌|最烦|崩溃|犯困|没精神|记不[住牢]|学不进"
    r"|(?:效率|精力|状态|记性|效果|精神)(?:比较|更|最|也|都|特别|很)*(?:[低差糟]|不[好行高佳济])"
    r"|\b(?:sleepy|groggy|drowsy|exhausted|unproductive|inefficient)\b"
)
"""What is said of times that a plan is to leave free without a "not"."""
FREE_AGAIN = re.compile(r"\b(?:free|available|open|clear) (?:up )?again\b|又(?:有)?空|空出来了|又能[排学]")
"""Times that nothing takes any more."""
FITTING = re.compile(
    r"\b(?:only|just|always|fine|ok(?:ay)?|good|great|best|ideal\w*|perfect|works?|suits?|prefer\w*|easiest)\b"
    r"|\b(?:sharp\w*|fresh\w*|awake|focus\w*|productive|efficient\w*|concentrate)\b"
    r"|就(?:行|好|可以|成)|[行成好][吗吧嘛不]|可以|只|最好|方便|合适|比较闲|都[放排]"
    r"|(?:效率|精力|状态|记性|效果|精神|脑子|头脑)(?:比较|更|最|也|都|特别|挺|很)*[高好旺佳足灵清]|记得(?:比较|更|最|特别)*[牢住快清]"
    r"|(?:比较|更|最|特别|很|挺)(?:清醒|专注|专心|有劲|有效|高效)|学得(?:进|快|好|下去)"
)
"""What is said of times that a plan is to use."""
_WEEKLY_COUNT = re.compile(
    r"[每一1]个?(?:周|星期|礼拜)(?![一二三四五六日天末1-7])|\b(?:a|per|each|every) week\b|\bweekly\b"
)
"""So many a week: a weekday beside it is one of every week."""
_OTHER_WISH = re.compile(
    r"(?:想|打算)(?:要|去|回|出|见|陪|睡)|\bi (?:\w+ )?(?:want|like|plan|hope) to (?:go|visit|see|meet|sleep|travel)\b"
)
"""What is wished for a time that is no study."""
_NOT_PLANNED = re.compile(
    r"(?:不|别|不要|不能)(?:再|给我)?(?:排|安排|放|上|学)(?![完到在]|[^,，]*[前后])|空出|休息|放假"
    r"|\b(?:skip|avoid)\b|\b(?:no|nothing)\b[^,.;]{0,30}?\b(?:between|from|during|in|on)\b"
    r"|\b(?:don't|do not|never) (?:plan|schedul|put|plac|use)\w*(?!.*\b(?:before|after|past)\b)"
    r"|^\s*(?:and |but )?(?:not|except) (?:for )?(?:on|in|during|from|between|over)\b"
)
_ANY_SECTION = re.compile(r"[一1]节(?:课)?(?:都|也)")
_THAT_DAY = re.compile(
    r"那天|那几天|[这那](?:几|些|两|三)个?(?:天|晚上?|上午|下午|早上|中午|时间|时候|时段)"
    r"|\b(?:that day|(?:those|these) (?:days|evenings|mornings|afternoons|times)|then|there)\b"
)
FIRST_LESSON = re.compile(r"\b8\s?(?:am|o'clock)\b")
"""The first two sections of a day."""
_WEEKDAYS_ONLY = re.compile(r"(?:只在?|仅在?|只排)工作日|weekdays only|only weekdays")
_DAY_NAME = r"(?:(?:周|星期|礼拜)[一二三四五六日天]|(?:(?:and|or) )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b)"
_DAY_LIST = re.compile(
    rf"(?<=[一二三四五六日天ys])\s*[,，、]\s*(?={_DAY_NAME})"
    r"(?![a-z]+ (?:is|are|would|works?|will|seems?)\b|..(?:更|比较)?[好行可方])"
)
"""The comma between weekdays side by side: what is said of the last is said of all."""
_KEEPS_THEM = (
    r"(?!\s*(?:(?:so|and|please|i)\b,?\s*)*(?:keep|leave|want|need) (?:them|it|those|these|that) (?:all )?"
    r"(?:clear|free|empty|open)\b)"
)
"""No joint: the times of the clause before are to stay free."""
_JOINT = re.compile(
    rf"[,，。;；!！\n]{_KEEPS_THEM}|[:：](?:(?<=：)|(?=\s))"
    rf"|\b(?:(?<!any day )(?<!anytime )(?<!any time )but|while|so{_KEEPS_THEM}|because|since)\b"
    r"|\.(?:\s|$)|\band (?=(?:not|nothing|no|never)\b)"
)
_DAYS = range(1, 8)
Cells = set[tuple[int, int]]
"""Weekday and block of two sections."""


_EXCEPTED = re.compile(r"除外|例外|\b(?:excluded|excepted)\b")
"""What is left out of the times right before it: of those that are kept to it is refused, of those refused allowed."""
_ALL_BUT = re.compile(
    r"除了?[^,，。;；]{1,12}?(?:[之以]?外)?(?:其[他它余][^,，。;；]{0,4})?(?:都|随时|哪天|什么时候|随便)[^,，。;；不没]{0,3}(?:可以|行|能|有空|好|成)"
    r"|\bany ?(?:day|time|thing|where)? (?:but|except|other than|apart from|bar)\b"
)
"""What is left out of all times, which do."""


def bounds_hours(clause: str, term: SemesterDates) -> bool:
    """Whether a clause keeps to the sections of a day up to an hour, or from one on."""
    told = BOUNDS.search(clause) and not excludes(clause)
    return bool(told) and any(one.kind in ("clock", "sections") and side_of(one, clause) and run_of(one, clause, term)
                              for one in read_times(clause, term))  # fmt: skip


def excludes(clause: str) -> bool:
    """Whether a clause says when something is not to be."""
    if FREE_AGAIN.search(clause):
        return False
    clause = NO_MORE.sub(" ", BOUNDS.sub(" ", clause))
    refused = says("keep_free", clause) or _NO.search(clause) or _EXCEPTED.search(clause)
    return bool(refused or _ALL_BUT.search(clause))


_OWN_COUNT = re.compile(
    r"(?:,? and|,? but) (?=(?:at most|no more than|up to|max(?:imum)?|none|nothing|not (?:at all|a thing|any))\b)",
    re.IGNORECASE,
)
"""Before how much there is to be at a time of its own: at most 2 on weekends and none on fridays."""


def _divide(text: str) -> list[str]:
    text = _OWN_COUNT.sub(", ", text)
    return _JOINT.split(_DAY_LIST.sub(" ", fold_text(text).replace("different weekdays", "different days")))


def without_days_off(text: str, term: SemesterDates) -> str:
    """A text without the clauses that leave single dates free: 且5月1日到5日不排 tells no first and no last day."""
    clauses = _JOINT.split(text)
    for clause, then in zip(clauses, [*clauses[1:], ""], strict=True):
        folded = fold_text(clause)
        refused = _NOT_PLANNED.search(folded) or (THOSE_DAYS.search(fold_text(then)) and excludes(fold_text(then)))
        if refused and dates_in(folded, term) and not _is_timed(folded, term):
            text = text.replace(clause, " ")
    return text


def excluding_clauses(text: str) -> list[str]:
    """The clauses that say when something is not to be."""
    return [clause for clause in _divide(text) if excludes(clause)]


def read_exclusions(text: str, term: SemesterDates) -> dict[str, Any]:
    """Weekdays, blocks of two sections, and blocks of one weekday that a text takes away."""
    return _excluded([(clause, _side_of(clause, term)) for clause in _divide(text)], fold_text(text), term)


def read_limits(message: str, class_id: int, brief: Brief) -> dict[str, Any]:
    """What a plan is to keep to of one class: the limits of the clauses that name it, or that name none."""
    told: list[tuple[str, str]] = []
    owners: list[int] = []
    clauses, bare = divide_softly(message, brief), False
    weekly = _WEEKLY_COUNT.search(fold_text(message)) is not None or _names_days_of_each(clauses, brief)
    for clause, soft in clauses:
        named, timed = find_owners(clause, brief), _is_timed(clause, brief.term)
        owners = named or ([] if _side_of(clause, brief.term) == "not" and timed and not bare else owners)
        if timed and (not owners or class_id in owners) and not is_dated(clause, brief.term):
            side = "" if soft else _side_of(clause, brief.term) or _wanted_side(clause, brief, weekly=weekly)
            told.append((clause, side))
        bare = not timed and bool(named)  # its times follow: plan vocab, not on weekends
        if not (timed or named):
            owners = []
    return _excluded(told, fold_text(message), brief.term)


def _names_days_of_each(clauses: list[tuple[str, bool]], brief: Brief) -> bool:
    """Whether several classes have a weekday each: labs on wednesday, vocab on thursday are those of every week."""
    owned = [(tuple(find_owners(clause, brief)), weekdays_in(clause)) for clause, _ in clauses]
    return len({owners for owners, days in owned if owners and days}) > 1


def is_kept_to(clause: str, brief: Brief) -> bool:
    """Whether a clause limits a plan to the times that it names, or takes them away."""
    return _is_timed(clause, brief.term) and _side_of(clause, brief.term) != ""


def find_owners(clause: str, brief: Brief) -> list[int]:
    """The classes that a clause names, by themselves or by the kind of their items: labs, chapters, 单词."""
    if named := classes_in(clause, brief.classes):
        return named
    every = all_items(brief)
    kind = of_kind(_PLANS_ANY.sub(" ", fold_text(clause)), every)
    return sorted({row["class_id"] for row in kind}) if len(kind) < len(every) else []


_PLANS_ANY = re.compile(r"[排上选](?:一?下|个|好|点|些)?课(?![程题件后本文])")
"""What is planned, whatever it is: its 课 is no kind of items."""
_FILLS = re.compile(r"\W|please|pls|的话|but|it's|一下")


def divide_softly(message: str, brief: Brief) -> list[tuple[str, bool]]:
    """The clauses of a request for a plan, each with whether its times are only to be tried: it says so, or the words
    beside it that say nothing else, or others are told for when they do not do."""
    clauses: list[str] = []
    for clause in filter(str.strip, _clauses_of(message, brief)):
        goes_on = clauses and says("fallback", clauses[-1]) and not _is_timed(clauses[-1], brief.term)
        clauses = [*clauses[:-1], f"{clauses[-1]} {clause}"] if goes_on else [*clauses, clause]
    softens = [says("softly", clause) for clause in clauses]
    alone = [not _FILLS.sub("", pattern("softly").sub("", clause)) for clause in clauses]
    last = [says("fallback", clause) for clause in clauses]
    beside = [any((*last[at : at + 2], *alone[at + 1 : at + 2], at == 1 and alone[0])) for at in range(len(clauses))]
    return [(clause, softens[at] or beside[at]) for at, clause in enumerate(clauses)]


def _clauses_of(message: str, brief: Brief) -> list[str]:
    """The clauses of a message; "and" begins a new one where a class or a limit of its own stands behind it."""
    found: list[str] = []
    for clause in _divide(message):
        parts = re.split(r"\band\b|[和与](?=[^,，]{1,8}(?:放|排|学|在))", clause)
        for at, part in enumerate(parts):
            timed = _is_timed(parts[at - 1], brief.term) if at else True
            counted = not timed and _COUNT.search(parts[at - 1]) is not None
            apart = not at or counted or (timed and (find_owners(part, brief) or _NO.search(part)))
            found = [*found, part] if apart else [*found[:-1], f"{found[-1]} and {part}"]
    return [piece for clause in found for piece in _divide_owners(clause, brief)]


def _divide_owners(clause: str, brief: Brief) -> list[str]:
    """The pieces of a clause in which classes stand each in front of its time: vocab mornings labs afternoons."""
    for one in read_times(clause, brief.term)[:-1]:
        head, tail = clause[: one.end], clause[one.end :]
        first, then = find_owners(head, brief), find_owners(tail, brief)
        timed = _is_timed(head, brief.term) and _is_timed(tail, brief.term)
        if timed and first and then and not {*first} & {*then}:
            return [head, *_divide_owners(tail, brief)]
    return [clause]


def _is_timed(clause: str, term: SemesterDates) -> bool:
    told = weekdays_in(clause) or parts_in(clause, term) or sections_in(clause, term) or FIRST_LESSON.search(clause)
    return bool(told) or any(run_of(one, clause, term) for one in read_times(clause, term))


def _side_of(clause: str, term: SemesterDates) -> str:
    """Whether a clause takes its times away, bounds the hours of its days, names the only times, or none of these."""
    if bounds_hours(clause, term):
        return "bound"
    only = (ONLY_TIMES.search(clause) and not _COUNT.search(clause)) or _WEEKDAYS_ONLY.search(clause)
    if only and not (_FREE.search(AVAILABLE_THEN.sub(" ", clause)) and says("keep_free", clause)):
        return "only"
    return "not" if excludes(clause) else ""


def _wanted_side(clause: str, brief: Brief, *, weekly: bool = False) -> str:
    """How a clause of a plan that just names times is meant: nothing that is soft, open, counted or a single day,
    unless that is one of every week. What no word tells is as the models heard it."""
    if ANY_OF.search(clause) and weekdays_in(clause):
        return "only"
    soft = any(says(one, clause) for one in ("wish_soft", "wish_light", "open_up"))
    if soft or _ALSO.search(clause) or FREE_AGAIN.search(clause):
        return ""
    heard_not = any(_is_refused(fold_text(one), clause) for one in (brief.whole or brief).heard_not)
    if _UNFIT.search(clause) or (heard_not and not FITTING.search(clause)):
        return "not"
    if _COUNT.search(clause) and not _EACH_PART.search(clause):
        return ""
    if (
        _FREE.search(clause)
        or says("busy_then", clause)
        or says("occupied", clause)
        or _BUSY.search(clause)
        or _LEISURE.search(clause)
    ):
        return "not"
    if _OTHER_WISH.search(clause):
        return ""
    days = weekdays_in(clause)
    plain = not days and bool(parts_in(clause, brief.term))
    if plain and _DENIES.search(clause) and not _PUTS.search(clause):
        return "not"  # what one is not up to then
    return "only" if len(days) > 1 or (days and weekly) or _PLURAL.search(clause) or plain else ""


ANY_OF = re.compile(
    r"(?:任何|任意|随便|[哪每])一?[个天]?(?:周|星期|礼拜)|(?:周|星期|礼拜)[一二三四五六日天末][^,，。;；]{0,4}(?:都|随便|任[何意一])"
    r"|\b(?:any|whichever|whatever) (?:\w+day|weekend)"
)
"""One of the days of a name, whichever: any friday works, 哪个周五都行."""
_DENIES = re.compile(r"不(?!错|过)|没|\b(?:not|never|no)\b|n't\b")
_PUTS = re.compile(r"放|排|安排|挪|[学做看背]|\b(?:put|plan|schedule|place|use|keep)\b")
_PUT_THERE = re.compile(
    r"(?:放|排|安排|挪|[学做看背])[在到]?(?:第?\d|\s)*$|\b(?:on|in|at|during|for|to)(?: the| my)? $"
)
"""What stands right in front of a time at which something is to be."""


def _is_refused(piece: str, clause: str) -> bool:
    """Whether a time that the models heard as refused stands in a clause, and nothing is put there."""
    head, found, _ = clause.partition(piece)
    return found != "" and _PUT_THERE.search(head) is None


def _excluded(told: list[tuple[str, str]], whole: str, term: SemesterDates) -> dict[str, Any]:
    """What is left out when the refused times are taken from those that are kept to."""
    blocks = range(1, (term.sections + 1) // 2 + 1)
    kept: Cells = set()
    kept_days: set[int] = set()
    kept_blocks: set[int] = set()
    refused: Cells = set()
    before = ""
    pieces = [(piece, side) for whole_clause, side in told for piece in _divide_times(whole_clause, term)]
    for clause, side in pieces:
        side = "open" if before == "not" and _EXCEPTED.search(clause) else side
        side = "" if before == "bound" and not _is_timed(clause, term) else side  # what lies beyond it: 后面不要排
        before = side
        if side == "not" and (_THAT_DAY.search(clause) or (not _is_timed(clause, term) and says("keep_free", clause))):
            clause = whole
        if not side or not _is_timed(clause, term):
            continue
        days, parts = weekdays_in(clause), _blocks_in(clause, side, term)
        if _WEEKDAYS_ONLY.search(clause):
            days = [*range(1, 6)]
        cells = {(day, block) for day in days or _DAYS for block in parts or blocks}
        if side == "bound" or (side == "only" and days and parts and ONLY_PART_OF_DAYS.search(clause)):
            refused |= {(day, block) for day in days or _DAYS for block in blocks if block not in parts}
        elif side == "open":
            refused -= cells
        elif side == "not":
            refused |= cells
        elif days and parts:
            kept |= cells
        else:
            kept_days, kept_blocks = kept_days | {*days}, kept_blocks | parts
    if kept_days or kept_blocks:
        kept |= {(day, block) for day in kept_days or _DAYS for block in kept_blocks or blocks}
    every = {(day, block) for day in _DAYS for block in blocks}
    out = every - ((kept or every) - refused)
    return as_exclusions(set() if out == every else out, term)


_JOINED = re.compile(r"\s*(?:[和与及、]|\b(?:and|n?or)\b)\s*")


def _divide_times(clause: str, term: SemesterDates) -> list[str]:
    """Weekdays and a part of every day that a clause names side by side, each alone: weekends and mornings."""
    for joint in _JOINED.finditer(clause):
        days, part = clause[: joint.start()], clause[joint.end() :]
        if weekdays_in(days) and parts_in(part, term) and not (parts_in(days, term) or weekdays_in(part)):
            return [days, part]
    return [clause]


def as_exclusions(out: Cells, term: SemesterDates) -> dict[str, Any]:
    """Weekdays and blocks that are left out as a whole, and what is left out besides."""
    blocks = range(1, (term.sections + 1) // 2 + 1)
    free = {(day, block) for day in _DAYS for block in blocks} - out
    days_out = {*_DAYS} - {day for day, _ in free} if free and out else set()
    blocks_out = {*blocks} - {block for _, block in free} if free and out else set()
    cells_out = {(day, block) for day, block in out if day not in days_out and block not in blocks_out}
    return {
        "excluded_days": tuple(sorted(days_out)) or None,
        "excluded_blocks": tuple(sorted(blocks_out)) or None,
        "excluded_cells": tuple(sorted(cells_out)) or None,
    }


def _blocks_in(clause: str, side: str, term: SemesterDates) -> set[int]:
    """The blocks of the parts of the day that a clause names; sections and hours tell them more narrowly.

    Of what is kept to a block counts that lies in it as a whole, if any does; of what is refused each that it touches.
    """
    found: set[int] = {1} if FIRST_LESSON.search(clause) else set()
    text = _ANY_SECTION.sub(" ", clause)
    told = [one if side in ("only", "bound") else one.taken for one in read_times(text, term)]
    narrow = [run for one in told if (run := run_of(one, text, term))]
    for first, last in narrow or parts_in(clause, term):
        within = range((first + 2) // 2, last // 2 + 1)
        touched = range((first + 1) // 2, (last + 1) // 2 + 1)
        found |= set(within if side in ("only", "bound") and within else touched)
    return found
