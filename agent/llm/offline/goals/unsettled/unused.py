"""What a message says that nothing used: asked about where it decides what is done, else told; never dropped.

One pass takes out what the grammar has slots for, names first; what is left of numbers, times, limits, conditions and
negations is quoted in the student's own words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agent.llm.offline.goals.decisions import WRITES, Decision, ask
from agent.llm.offline.goals.happenings.lesson_moves import find_lesson_move
from agent.llm.offline.goals.happenings.replan_wish import divide_by_amount
from agent.llm.offline.goals.items.many_items import find_arrangement
from agent.llm.offline.goals.limits import conditions_of
from agent.llm.offline.goals.questions.answers import answer_by_form
from agent.llm.offline.goals.questions.if_so import if_so_text
from agent.llm.offline.goals.questions.inquiry import ONWARDS
from agent.llm.offline.goals.questions.lessons.lesson_questions import asks_about_lessons
from agent.llm.offline.goals.questions.timetable import EACH_WEEK, compares, limits_what_fits
from agent.llm.offline.goals.unsettled.loose_words import TOPIC as LOOSE
from agent.llm.offline.goals.wishes import wishes_of_plan
from agent.llm.offline.language.brief import NO_SUCH_TIME, Brief
from agent.llm.offline.language.dialogue.pointing.distances import tells_by_other
from agent.llm.offline.language.dialogue.references import BESIDE_DAY
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.clauses import find_stayers, without_stayers
from agent.llm.offline.language.meaning.ellipsis import strip_known
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import Intent
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of, label_of
from agent.llm.offline.language.meaning.planned_classes import find_left_out
from agent.llm.offline.language.meaning.requests import APART, requests_in
from agent.llm.offline.language.normalize import fold_numbers, fold_text, widths
from agent.llm.offline.language.spans.alternatives import (
    alternatives_in,
    condition_in,
    find_unless,
    proviso_in,
    relation_in,
)
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_times import excluding_clauses, find_owners, is_kept_to
from agent.llm.offline.language.spans.classes.new_class import opens_class
from agent.llm.offline.language.spans.classes.new_lengths import take_length
from agent.llm.offline.language.spans.conditions.limit_forms import FROM_NOW_ON
from agent.llm.offline.language.spans.conditions.limits import read_conditions, rows_of
from agent.llm.offline.language.spans.conditions.suppositions import read_supposition
from agent.llm.offline.language.spans.conditions.wishes import find_unwished, is_wished_beside
from agent.llm.offline.language.spans.dates import TIMES, dates_in, hours_in, weekdays_in
from agent.llm.offline.language.spans.happenings import leaves_days_out
from agent.llm.offline.language.spans.items.beside import CLOSE_BY
from agent.llm.offline.language.spans.items.groups import EXCEPTION, selects_by_time
from agent.llm.offline.language.spans.items.references import leaves_some_out, parts_of
from agent.llm.offline.language.spans.mentions import NEGATED, all_items, classes_in, find_pieces, items_in
from agent.llm.offline.language.spans.targets import avoided_in, way_in
from agent.llm.offline.language.spans.times.reading import find_recurrences, read_times
from agent.llm.offline.language.words.guarded import AnyPattern, GuardedPattern
from agent.loop.phrases import ACCEPT_PARTIAL, DRAFT_ONLY, SECOND_BUILD

TOPIC = "unused"
_END = r"[^,，。;；!?？！\n]*"
_NUM = "[0-9一二两三四五六七八九十百]+"
KINDS: tuple[tuple[str, AnyPattern], ...] = (
    ("condition", GuardedPattern(
        r"\b(?:all|everything|anything|whatever) but\b[^,.;!?]*|"
        rf"(?:如果|(?<!主)要是|假如|假设|万一|除非|除了|只要(?!初稿)|前提是|否则|不然|优先|尽量){_END}|[^,，。;；]*的话"
        rf"|\b(?:if|unless|provided|as long as|only if|otherwise|except|assuming|in case|preferably|ideally"
        rf"|whenever(?! (?:suits|works|fits|you)\b))\b[^,.;!?]*",
        needed="如果|要是|假如|假设|万一|除非|除了|只要|前提是|否则|不然|优先|尽量|的话|but|if|unless|provided"
        "|as long as|otherwise|except|assuming|in case|preferably|ideally|whenever")),
    ("limit", re.compile(
        rf"(?:每(?:天|日|周|次|晚)|一天|一周|单日)?(?:最多|至多|不超过|不要超过|别超过|不多于|至少|最少|不少于"
        rf"|起码|控制在|只能?|不能超过){_END}"
        rf"|(?:每(?:天|日|周|晚)|一天)\s*{_NUM}\s*(?:项|节|章|个|次|小时){_END}|(?:每?隔"
        rf"|间隔)\s*{_NUM}?\s*[天周日]{_END}|连续{_END}"
        r"|\b(?:at most|no more than|not more than|up to(?! (?:[a-z]+ \d|(?:the )?\d+[snrt][tdh]))|at least|maximum"
        r"|minimum|max|only) [^,.;!?]*"
        r"|\b(?:\d+|one|two|three|four|five|\w+s|fewer|less) (?:\w+ )?(?:per|a|each|every) (?:day|week|evening"
        r"|night)\b(?! (?:early|late|earlier|later|sooner|ahead|off)\b)[^,.;!?]*"
        rf"|(?:交替|轮流|轮着|穿插){_END}|\b(?:alternat\w+|taking turns|take turns)\b[^,.;!?]*"
        r"|\bevery other day\b"
        r"|\bin a row\b")),
    ("order", GuardedPattern(
        rf"(?:在|等|排在|放在)?[^,，。;；]{{1,16}}(?:之后|以后|之前|以前|前面|后面){_END}|(?:下课|上完课|课上完)后"
        r"|\b(?:after(?! next\b)|before(?! last\b)|until|once) [^,.;!?]*",
        needed="[后前]|after|before|until|once")),
    ("clock", re.compile(
        rf"(?:(?<![一-鿿])一点(?=钟|半)|(?:[2-9二两三四五六七八九十]|1\d)\s*点)(?:半|{_NUM}分?)?(?:钟)?(?:之?前"
        rf"|之?后|以前|以后)?"
        rf"|\d{{1,2}}:\d{{2}}|\b\d{{1,2}}\s*(?:am|pm|o'clock)\b"
        rf"|{_NUM}\s*(?:个)?(?:小时|分钟|钟头)|\b(?:\d+|an?|two|three)\s*(?:hours?|minutes?|mins?)\b|中午|早八"
        rf"|\bnoon\b")),
    ("holiday", re.compile(
        "国庆|春节|五一|清明|端午|中秋|元旦|寒假|暑假|劳动节|圣诞|放假|假期|考试周"
        r"|\b(?:christmas|easter|thanksgiving|new year|national day|spring festival|labou?r day|holidays?"
        r"|exam week)\b")),
    ("time", TIMES),
    ("count", re.compile(
        rf"(?<![第\d一二三四五六七八九十]){_NUM}\s*(?:个)?(?:节(?!次)|课时|学时|次|份|天|周|项|遍)"
        r"|\b\d+ (?:sections?|days?|weeks?|parts|items|times|blocks)\b")),
    ("negation", re.compile(
        rf"(?:(?<![能可要会是好行])不要|(?<![分特区级])别(?!的)|不想|(?<![能可要会是好行])不能|不许|不准|避免"
        rf"|避开){_END}"
        rf"|(?<!\bi )(?<!\bi just )(?<!\bi really )\b(?:don't|do not|never|without|avoid"
        rf"|(?<!is )(?<!'s )(?<!'re )(?<!are )not)"
        r"\b[^,.;!?]*")),
)  # fmt: skip
"""Kinds of what may be left over, in the order in which they are taken out."""
_CLASS = {"time", "count", "negation", "order"}
TAKEN: dict[str, set[str]] = {
    "move": {"time"}, "place": {"time"}, "swap": set(), "remove": set(), "build": {"time"}, "class": _CLASS,
    "show": {"time", "clock", "holiday", "negation"}, "free": {"time", "clock", "holiday"}, "load": {"time", "holiday"},
    "fits": {"time", "count", "limit", "order", "holiday"},
    "mark": {"count", "limit", "time", "negation"},
    "replan": {"time", "clock", "count", "negation", "order", "holiday"},
    "try": {"time", "condition", "negation", "order"},
    "optimise": set(), "plan_first": set(), "delete_class": {"negation"},
}  # fmt: skip
"""What the slots of an intent take; other intents answer with facts and take nothing that could be lost."""
_DECIDING = ("condition", "clock", "negation", "order", "limit")
_PHRASES = (*DRAFT_ONLY, *ACCEPT_PARTIAL, *SECOND_BUILD)
_SHIFT = re.compile(
    rf"(?:推迟?|提前|往[前后]|延后|延期|顺延|推后|晚|早|挪|移"
    rf"|延长)[^,，。;；\d一二两三四五六七八九十]{{0,4}}{_NUM}\s*个?(?:天|周|星期|大?节|小时|钟头)(?:[之以]?[前后])?"
    rf"|\b(?:by |an? |\w+ )?(?:days?|weeks?|sections?|periods?|blocks?|hours?)"
    rf" (?:later|earlier|back|forward|before|after|sooner)|\bby (?:\w+) (?:days?|weeks?|hours?|blocks?)"
    r"|\b(?:(?:slid|slip|mov|push|bump|shift|delay|postpon|extend|put)\w* (?:\w+ ){0,4}?|(?:back|forward) )"
    r"(?:an?|one|two|three|\d) (?:days?|weeks?)|[换改](?:一|个)?天"
    r"|(?:前|后|第二|下)[一1]?天|\b(?:the )?day (?:after|before)\b"
)
_ONLY = re.compile(r"只(?!能)|除了|\b(?:only|just|except|apart from)\b")
_POINTERS = ("this", "next")
"""Words of a time that say nothing without one."""
_PREPOSITION = re.compile(
    r"哪[一1][天周]|[这那][一1][个项]|不想[学做看背弄]了?|不[学做]了"
    r"|\bdon't want to (?:do|study|learn) [^,.;]*?any ?more\b"
    r"|\bafter all\b|\b(?:one|a) (?:\w+ ){0,2}day (?:off )?(?:each|every|a|per) week|同一天|same day|只(?:在|排)?工作日"
    r"|\bweekdays only|\bonly (?:on )?weekdays|\bbar the last|\bonly (?:\w+ )?(?:on )?"
    r"(?:\w+days?)(?: (?:or|and) \w+days?)*|"
    r"第?\s*\d+\s*周?之前|以前的|之前的|刚才|(?:如果|要是)?(?:我)?(?:有空|没课|空着)的话|如果(?:我)?有空"
    rf"|(?:全部|所有|(?<![a-z])all)\s*(?:的)?{_NUM}\s*(?:项|章|个|items|chapters)|{_NUM}\s*(?:项|章|个)(?=[都全])"
    r"|\b(?:tell me|check|see|know|ask|wonder\w*) (?:me )?(?:if|whether)\b|\bif (?:i'm|i am|it's|it is"
    r"|that's|that is) free\b"
)
"""What is no condition of its own: a place that is not free is never taken."""


def unused(brief: Brief) -> list[tuple[str, str]]:
    """(kind, the student's words) of what the request says and its intent has no slot for."""
    if read_supposition(brief.request, brief) is not None or asks_about_lessons(brief) or if_so_text(brief):
        return []
    parts = requests_in(brief.request, brief) if brief.whole is None else [brief.request]
    if parts != [brief.request]:
        each = {text: unused(brief.part([text], [], front)) for front, text in zip(["", *parts], parts, strict=False)}
        return [pair for text in parts for pair in each[text]
                if not any(pair[1] in other and pair not in each[other] for other in parts)]  # fmt: skip
    intent = intent_of(brief.request, brief)
    held = conditions_of(brief)
    planned = (row["slot"] for one in held.said for row in rows_of(one, held, brief))
    if held.said and (intent != "wish" or any(planned)):  # nothing keeps to the conditions of a wish without a plan
        rest = "".join(held.left.split())
        return [(kind, said) for kind, said in _unread(brief, intent, TAKEN.get(intent, {"time", "count", "order"}))
                if "".join(fold_numbers(said).split()) in rest]  # fmt: skip
    if intent == "wish":
        return [("time", clause.strip()) for clause in find_unwished(brief.request, brief)]
    taken = TAKEN.get(intent)
    if taken is None or answer_by_form(brief):
        return []
    if (wanted := find_arrangement(brief)) is not None:
        left = [(kind, said) for kind, said in _find_spans(brief, wanted.left) if kind not in ("time", "count")]
        left = [(kind, said) for kind, said in left if not _tells_nothing_more(brief, kind, said)]
        left += [("limit", said) for said in find_recurrences(brief.request, brief.term)]
        return [(kind, _own_words(brief, said)) for kind, said in left]
    return _unread(brief, intent, taken)


def _unread(brief: Brief, intent: Intent, taken: set[str]) -> list[tuple[str, str]]:
    """What of a request the slots of its intent do not take."""
    kinds = _kinds_taken(brief, intent, taken)
    found = [(kind, said) for kind, said in _find_spans(brief, brief.request) if kind not in kinds]
    found = _drop_read(found, _READ_BY_SPANS, brief, intent)
    found += _find_bounds(brief) if intent == "build" else []
    found += _find_not_kept(brief) if intent in OPERATIONS else []
    found += [("limit", more)] if intent == "replan" and (more := divide_by_amount(brief.request, brief)[1]) else []
    told = " ".join(said for _, said in found)
    found += [("limit", said) for said in find_recurrences(brief.request, brief.term) if said not in told]
    read = read_content_changes(brief.request, brief)
    if intent == "class" and not read.told:
        found += [("time", clause.strip()) for clause in _dated_exclusions(brief)]
    if any(one.kind == "add" for one in read.told):
        found += [("count", one) for one in read.left if _tells_only_length(one)]
    return _drop_read(found, _READ_BESIDE, brief, intent)


def _kinds_taken(brief: Brief, intent: Intent, taken: set[str]) -> set[str]:
    """The kinds that the slots of an intent take of this request."""
    for intents, is_so, kinds in _LEFT_WHERE:
        taken = taken - kinds if intent in intents and is_so(brief) else taken
    for intents, is_so, kinds in _TAKEN_WHERE:
        taken = taken | kinds if intent in intents and is_so(brief) else taken
    return taken | {"time"} if selects_by_time(brief.request, brief) else taken


def _bounds_days(brief: Brief) -> bool:
    """Whether all days of a request are bounds or weekdays within them: before Friday, Sundays from the 3rd on."""
    days = [one for one in read_times(brief.request, brief.term) if one.first or one.last or one.weekdays]
    return any(one.side for one in days) and all(one.side or not (one.first or one.last) for one in days)


def _find_bounds(brief: Brief) -> list[tuple[str, str]]:
    """The last days that a request tells, as limits."""
    times = read_times(brief.request, brief.term)
    bounds = [one for one in times if one.last and not one.first and not one.sections]
    return [("limit", fold_text(brief.request)[one.start : one.end]) for one in bounds]


_OF_ALL = {"days_between", "a_day", "a_week", "sections_a_day", "even"}


def _find_not_kept(brief: Brief) -> list[tuple[str, str]]:
    """The limits of the whole plan that stand beside a request for some items, which keeps to none of them."""
    said = read_conditions(brief.request, brief).said
    loose = [one.words for one in said if {*one.values} <= _OF_ALL and not (one.owners or one.items or one.pair)]
    return [("limit", words) for words in loose]


_Where = tuple[tuple[tuple[Intent, ...], Callable[[Brief], bool], set[str]], ...]
_LEFT_WHERE: _Where = (
    (("class",), lambda brief: not _uses_count(brief), {"count"}),
    (("replan",), lambda brief: label_of(brief.request, brief) == "lighter", {"negation"}),
    (("build",), lambda brief: Features(brief.request, brief).has("day_part"), {"time"}),
)
"""Kinds that an intent takes, and of a request of which this holds does not."""
_TAKEN_WHERE: _Where = (
    (("swap",), lambda brief: bool(parts_of(brief.request, brief)), {"time"}),
    (OPERATIONS, lambda brief: any(tells_by_other(said) for _, said in parts_of(brief.request, brief)[1:]), {"count"}),
    (OPERATIONS, lambda brief: any(hours_in(brief.request, brief.term)), {"clock"}),
    (
        ("class",),
        lambda brief: any(
            any(hours_in(one if read_times(one, brief.term) else brief.request, brief.term))
            for one in excluding_clauses(brief.request)
        ),
        {"clock"},
    ),
    (("class",), lambda brief: bool(Features(brief.request, brief).slots.minutes or _sizes_new(brief)), {"clock"}),
    (("class",), lambda brief: Features(brief.request, brief).slots.counts_by_rhythm, {"limit", "count"}),
    (OPERATIONS, lambda brief: bool(hours_in(brief.request, brief.term)[1]), {"order"}),
    (OPERATIONS, lambda brief: condition_in(brief.request, brief) is not None, {"condition"}),
    ((*OPERATIONS, "show", "free", "load", "fits"), _bounds_days, {"order"}),
    (("fits",), lambda brief: limits_what_fits(brief), {"condition"}),
    (("load",), lambda brief: EACH_WEEK.search(fold_text(brief.message)) is not None, {"limit"}),
    (OPERATIONS, lambda brief: avoided_in(brief.request, brief.term).said, {"negation"}),
    (OPERATIONS, lambda brief: relation_in(brief.request, brief) is not None, {"order", "negation", "limit"}),
)
"""Kinds that an intent takes of a request of which this holds."""


@dataclass(frozen=True)
class _Read:
    """Words that are read where an intent wants them, though no slot takes their kind: which they are (by their kind
    and themselves), and when at all."""

    intents: tuple[Intent, ...]
    are: Callable[[str, str, Brief], bool]
    when: Callable[[Brief], bool] = lambda brief: True


def _drop_read(
    found: list[tuple[str, str]], lines: tuple[_Read, ...], brief: Brief, intent: Intent
) -> list[tuple[str, str]]:
    """What is left over but for what is read by one of these lines."""
    for line in lines:
        if found and intent in line.intents and line.when(brief):
            found = [(kind, said) for kind, said in found if not line.are(kind, said, brief)]
    return found


def _is_excluded_owner(kind: str, said: str, brief: Brief) -> bool:
    left_out = says("leave_out", fold_text(said)) or find_owners(fold_text(said), brief)
    return kind in ("condition", "negation") and bool(left_out)


def _is_of_stayers(kind: str, said: str, brief: Brief) -> bool:
    """Whether words are only in what tells the items that are to stay."""
    return fold_text(said) not in fold_text(without_stayers(brief.request, brief))


def _has_stayers(brief: Brief) -> bool:
    return bool(without_stayers(brief.request, brief)) and bool(find_stayers(brief))


def _names_only(kind: str, said: str, brief: Brief) -> bool:
    """Whether words tell which items alone are meant, or which are not; of a change of a class those that it tells."""
    told = {row["item_id"] for one in read_content_changes(brief.request, brief).told for row in one.items}
    named = items_in(said, brief) or items_in(said, brief, among=all_items(brief))
    of_class = intent_of(brief.request, brief) == "class"
    return _ONLY.match(fold_text(said)) is not None and any(not of_class or row["item_id"] in told for row in named)


_ANSWERED: tuple[Intent, ...] = ("show", "free", "load", "fits", "try")
_HELD_BACK = re.compile(
    r"(?:先|暂时)?(?:不要?|别)(?:先|动手|直接)?(?:改|动|排|建|做|应用|执行)"
    r"|\b(?:do not|don't|not) (?:\w+ )?(?:build|change|plan|apply"
    r"|create|move|touch|do)\b"
)
_ONE_ITEM = re.compile(r"[一1]\s*[项个件]|1 items?")
_TALKS = re.compile(r"问|想知道|^\W*(?:before|after|while|since) (?:i|we)\b")
"""What one does beside asking: before I go home, 回家之前想问一下."""
_UP_TO = re.compile(r"到|至|\b(?:until|till|through)\b")
_ONE_MORE = re.compile(r"[加开报]一?[门个]|\b(?:another|one more|a new) (?:class|course|subject)\b")


def _is_answered(kind: str, said: str, brief: Brief) -> bool:
    """Whether a question takes a piece by itself: its days, that nothing is to be done, the class that comes on top."""
    text = fold_text(said)
    if kind == "count":
        return _ONE_ITEM.fullmatch(text.strip()) is not None
    if kind == "limit":
        return compares(brief)
    if kind == "order" and _TALKS.search(text) and not items_in(text, brief):
        return True
    if kind == "order":
        return _UP_TO.match(text) is not None and bool(read_times(text, brief.term))
    return (kind == "negation" and _HELD_BACK.search(text) is not None) or (
        kind == "condition" and _ONE_MORE.search(text) is not None
    )


def _own_words(brief: Brief, said: str) -> str:
    """A piece of what was left over as the student wrote it."""
    known = {"".join(fold_numbers(piece).split()): piece for _, piece in _find_spans(brief, brief.request)}
    meant = "".join(fold_numbers(said).split())
    found = known.get(meant) or next((piece for form, piece in known.items() if meant in form or form in meant), said)
    chunks = re.split(r"\s+", found) if found not in brief.request and not found.isascii() else []
    return max((one for one in chunks if one in brief.request), key=len, default=found)


def _is_hour_bound(said: str, brief: Brief) -> bool:
    """Whether a "not" only tells an hour to begin or end at: not before 10."""
    times = read_times(said, brief.term)
    return bool(times) and all(one.kind == "clock" and one.side and one.sections for one in times)


def _tells_nothing_more(brief: Brief, kind: str, said: str) -> bool:
    """A refusal of nothing that is known (不想上), a condition that is a time alone (只要在五一前) or a word that what
    stands beside it is wished for (尽量), and an "only" whose items are taken."""
    text = fold_text(said)
    if kind == "limit":
        only, numbered = _BARE_ONLY.match(text.strip()), any(char.isdigit() for char in fold_numbers(text))
        return only is not None and not numbered and not strip_known(text.strip()[only.end() :], brief).strip()
    timed = bool(read_times(text, brief.term))
    if kind == "condition" and says("softly", text):
        return way_in(text) != 0 or not any(map(str.isalnum, pattern("softly").sub(" ", text)))
    if kind == "condition":
        return timed and text.startswith("只要") and not items_in(text, brief)
    named = items_in(text, brief) or classes_in(text, brief.classes) or any(char.isdigit() for char in text)
    named = named or says("same_day", text)
    return kind == "negation" and not (timed or named or _MOVES.search(text))


_BARE_ONLY = re.compile(r"[只仅][有是]?|(?:only|just)\b")
_MOVES = re.compile(r"[动移挪换改碰]|\b(?:mov|touch|chang|shift)\w*")


def _dated_exclusions(brief: Brief) -> list[str]:
    """Single dates that a class is to leave free: a class knows only weekdays and sections."""
    clauses = excluding_clauses(brief.request)
    dated = [clause for clause in clauses if dates_in(FROM_NOW_ON.sub(" ", clause), brief.term)]
    return [clause for clause in dated if not weekdays_in(clause)]


def _uses_count(brief: Brief) -> bool:
    """Whether a number of what a class has is what the change is about."""
    said = Features(brief.request, brief)
    slots = (said.slots.total, said.slots.each, said.slots.parts, said.slots.items, said.slots.days)
    told = read_content_changes(brief.request, brief).told
    return (
        any(slots)
        or bool(told)
        or said.has("shift")
        or said.changes_items
        or said.has("length")
        or said.slots.described
    )


def _tells_only_length(clause: str) -> bool:
    name, length, _ = take_length(clause)
    return length > 0 and not name


def _sizes_new(brief: Brief) -> bool:
    """Whether it is told how long what is added takes."""
    return any(any(one.lengths) for one in read_content_changes(brief.request, brief).told)


def _limits_to_class(brief: Brief, said: str) -> bool:
    """只把概率论重新排一遍，除了实验: the limit is the class that is planned, or that is left out."""
    return _ONLY.match(fold_text(said)) is not None and bool(classes_in(said, brief.classes))


_READ_BY_SPANS = (
    _Read(OPERATIONS, lambda kind, said, brief: _is_hour_bound(said, brief)),
    _Read(
        ("show", "free", "load"),
        lambda kind, said, brief: kind == "order" and ONWARDS.search(fold_text(said)) is not None,
    ),
    _Read(_ANSWERED, _is_answered),
    _Read(("replan",), lambda kind, said, brief: leaves_days_out(said, brief.request, brief.term)),
    _Read(
        ("class",),
        lambda kind, said, brief: kind == "limit" and bool(weekdays_in(said)),
        when=lambda brief: Features(brief.request, brief).slots.excludes,
    ),
)
"""What of the words that stand alone is read."""
_READ_BESIDE = (
    _Read(
        ("build", "class"),
        lambda kind, said, brief: kind != "clock" and any(one.last for one in read_times(said, brief.term)),
        when=lambda brief: bool(Features(brief.request, brief).plan_dates),
    ),
    _Read(
        ("build", "class"),
        _is_excluded_owner,
        when=lambda brief: bool(find_left_out(fold_text(brief.request), brief)),
    ),
    _Read((*OPERATIONS, "optimise", "replan"), _is_of_stayers, when=_has_stayers),
    _Read(OPERATIONS, lambda kind, said, brief: _tells_nothing_more(brief, kind, said)),
    _Read((*OPERATIONS, "class"), _names_only),
    _Read(
        ("build", "class"),
        lambda kind, said, brief: is_wished_beside(fold_text(said), brief.request, brief),
        when=lambda brief: bool(wishes_of_plan(brief)),
    ),
    _Read(
        ("class",),
        lambda kind, said, brief: kind in ("limit", "condition") and is_kept_to(fold_text(said), brief),
        when=lambda brief: Features(brief.request, brief).plans_with_limits or opens_class(brief.request),
    ),
    _Read(("build",), lambda kind, said, brief: _limits_to_class(brief, said)),
)
"""What of them, and of bounds and of what comes again, is read beside the slots."""


def _find_spans(brief: Brief, message: str) -> list[tuple[str, str]]:
    """Everything of a kind in a message, names, fixed phrases and shifts taken out first."""
    said = widths(message)
    text = fold_text(said) if len(fold_text(said)) == len(said) else said.lower()
    if len(text) != len(said):
        said = text
    rest = _blank_all(brief, text)
    found: list[tuple[int, str, str]] = []
    for kind, form in KINDS:
        for match in [*form.finditer(rest)]:
            piece = said[match.start() : match.end()].strip(" 的地得，,")
            if len(piece) > 1 and piece.lower() not in _POINTERS:
                found.append((match.start(), kind, piece))
            rest = rest[: match.start()] + "\n" * len(match.group()) + rest[match.end() :]
    return [(kind, piece) for _, kind, piece in sorted(found)]


def _blank_all(brief: Brief, text: str) -> str:
    """The text with everything that has a meaning of its own blanked in place."""
    names = [*(row["name"] for row in brief.classes), *(row["name"] for row in brief.tasks)]
    names += [one["content"] for row in brief.classes for one in row["items"]]  # what is done is no task any more
    names += [name for one in read_content_changes(brief.request, brief).told for name in one.names]
    for name in [*names, *find_pieces(text, tuple(names)), *_PHRASES]:
        folded = fold_text(name)
        for said in dict.fromkeys((folded, folded if folded.isascii() else folded.replace(" ", ""))):
            text = text.replace(said, " " * len(said)) if len(said) > 2 else text
    choice = alternatives_in(text, brief) if intent_of(brief.request, brief) in OPERATIONS else None
    proviso = proviso_in(text) if intent_of(brief.request, brief) in OPERATIONS else None
    for said in (*(choice.said if choice else ()), *(proviso.said if proviso else ())):
        text = text.replace(said, " " * len(said), 1)
    wanted = find_arrangement(brief)
    for form in (
        _SHIFT,
        _PREPOSITION,
        *((pattern("anywhere"),) if intent_of(brief.request, brief) in OPERATIONS else ()),
        *((CLOSE_BY,) if wanted and wanted.close else ()),
        *((EXCEPTION,) if leaves_some_out(brief) else ()),
        *((BESIDE_DAY,) if intent_of(brief.request, brief) in OPERATIONS else ()),
        *((NEGATED,) if intent_of(brief.request, brief) in (*OPERATIONS, "build") else ()),
    ):
        text = form.sub(lambda match: " " * len(match.group()), text)
    return text


def tell_unused(brief: Brief) -> str:
    """没有考虑：「每天最多一节」。 Empty when everything was used. Of several requests, and of a change of a class,
    it is told before the first write: what was planned or changed by it is read otherwise behind it."""
    wrote = brief.done(*WRITES)
    changed = [row["tool"] == "upsert_task_class" and not row["data"].get("created") for row in wrote[:1]]
    if wrote and brief.whole is None and (APART in brief.request or changed[0]):
        return ""
    checked = find_unless(brief.request)
    left = [] if find_lesson_move(brief) else [piece for _, piece in unused(brief)]
    left = [piece for piece in left if not checked or (piece not in checked and not find_unless(piece))]
    said = list(dict.fromkeys(map(brief.quote, left)))
    if not said:
        return ""
    quoted = brief.say("、", ", ").join(brief.say(f"「{piece}」", f'"{piece}"') for piece in said)
    return brief.say("没有考虑：{quoted}。", "Not taken into account: {quoted}.", quoted=quoted)


def ask_about_unused(brief: Brief) -> Decision | None:
    """A question before a write that a condition, an hour or a "not" would change; asked once."""
    intent = intent_of(brief.request, brief)
    changes_items = intent == "class" and bool(read_content_changes(brief.request, brief).told)
    alternates = intent in ("class", "wish") and bool(find_recurrences(brief.request, brief.term))
    if not (intent in (*OPERATIONS, "limit") or changes_items or alternates) or any(
        row["topic"] == TOPIC for row in brief.asked
    ):
        return None
    deciding = ("condition", "limit") if changes_items else _DECIDING
    said = [brief.quote(piece) for kind, piece in unused(brief) if kind in deciding]
    written = bool(brief.done(*WRITES))
    if not said or brief.changes or (changes_items and written):
        return None
    told = brief.say(
        "「{said}」我没法照做。不管它，照样改吗？也可以直接说星期和节次。",
        'I cannot take "{said}" into account. Change it anyway? You can also name a weekday and sections.',
        said=brief.say("」「", '", "').join(said),
    )
    return ask(brief, TOPIC, told, said=said)


def mention_unused(brief: Brief, stage: str, decision: Decision) -> Decision:
    """The decision with a word about what was not used, where it speaks to the student or opens a card."""
    told = tell_unused(brief)
    if not told:
        return decision
    if decision.get("abort"):
        abort: dict[str, Any] = decision["abort"]
        return {**decision, "abort": {**abort, "user_message": _join(abort["user_message"], told)}}
    call = decision.get("tool_call") or {}
    opens_card = call.get("name") in WRITES and not brief.view["active_optimize_only"]
    builds = stage == "chat" and (decision.get("needs_rough_build") or decision.get("route") == "direct_reply")
    asks = decision.get("asks") and decision["asks"]["topic"] not in (TOPIC, NO_SUCH_TIME, LOOSE)
    if opens_card or builds or asks:
        return {**decision, "speak": _join(decision.get("speak", ""), told)}
    return decision


def _join(*parts: str) -> str:
    return "\n".join(part for part in parts if part)
