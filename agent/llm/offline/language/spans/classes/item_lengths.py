"""How many sections items are to take: so many, or more or fewer than now, each item of a class or of a kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.rhythms import spell_minutes
from agent.llm.offline.language.spans.conditions.limit_forms import EXCEPT
from agent.llm.offline.language.spans.items.beside import SIGN
from agent.llm.offline.language.spans.items.counted import find_counted_items
from agent.llm.offline.language.spans.items.mention_signs import (
    fold_mentions,
    restore_mentions,
    rows_of,
    sign_mentions,
)
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import TaskView
from taskclasses.spec import DURATION_DEFAULT

_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
_N, _UNIT = rf"(?:\d|{'|'.join(_NUMBERS)})", r"(?:sections?|periods?|slots?)\b"
_BY = r"(?:more|extra|additional|further|longer|less|fewer|shorter)"
_LENGTH = re.compile(
    r"(?:[多再少减加增砍延缩]+[给加排来留分安去掉长短它们上了到至成为]*\s*)?(?<![-第\d])(?P<zh>\d)\s*个?"
    r"(?:小?节课?|课时)(?=$|\W|[就够吧的给长短啊呢了都可即])"
    rf"|(?:\badd )?\b(?P<en>{_N}) (?:{_BY} )?{_UNIT}(?: {_BY}\b)?|\b(?:another|extra|additional) {_UNIT}"
    rf"|\b(?:longer|shorter) by (?P<by>{_N})\b|\b(?:takes?|needs?|gets?|(?:stay|remain)s? at) (?P<alone>\d)$"
    r"|(?P<double>[翻加][1一]?倍|双倍|[两二2]倍|\b(?:double|twice)\b)|(?P<triple>[三3]倍|\b(?:triple|three times)\b)"
    r"|(?P<half>[减砍缩短]+[成到为]?(?:[1一]?半|2分之1)|[1一]半的?时[间长]"
    r"|\bhal(?:f (?:as long|the (?:time|length))|v(?:e|ed|ing))\b|\bin half\b)"
    r"|(?P<somewhat>(?:[加延拉变弄改排]?长|短)[1一]?[点些]"
    r"|多[给花留用](?=[^,，。;；\d]{2,12}[1一]?[点些]的?时间)|多[给花留用排加要]*[它他]?[1一]?[点些]的?时间"
    r"|\bmore time\b"
    r"|\b(?:a (?:bit|little)|slightly|somewhat) (?:longer|shorter)\b|\b(?:lengthen|shorten)\b|\b(?:longer|shorter)$)"
)
_LESS = re.compile(r"[少减砍缩短]|\b(?:less|fewer|short)")
_MORE = re.compile(r"[多再加增延]|\b(?:add|another|more|extra|additional|further|longer)\b")
_UP_TO = re.compile(r"[到至成为]")
"""What tells the whole length, and not by how much it changes."""
_FROM = re.compile(rf"\bfrom {_N}(?: {_UNIT})? (?=to {_N} {_UNIT})|[从由]\d小?节(?=[^,，]{{0,6}}\d小?节)")
_DENIED = re.compile(
    r"[,，]?\s*(?:而?不是|\bnot|\binstead of|\brather than) ?\d ?(?:个?(?:小?节|小时)|sections?|hours?)?\b"
    r"(?! (?:later|earlier))"
)
"""A length that is not meant: not 2, 不是两节."""
_EACH = re.compile(
    r"每|各|都|所有|全部|统一|[一1]次"
    r"|\b(?:each|every|all|per (?:item|session|chapter|lab|unit)|at a time|(?:item|chapter|lab|unit|lecture|part)s)\b"
)
_TAKES = re.compile(
    r"要|需|给|改|变|还是|保持|维持|[设调定弄搞算排]成|[调设定]为|占|用|得|够|就[行好]|可以|应该|[加多少减]|长|短|倍|延|时间"
    r"|\b(?:make|give|needs?|takes?|set|should|gets?|have|change|turn|enough|will do|want|for|doubl\w*|twice|triple"
    r"|hal[fv]\w*|time|stays?|remains?|(?:long|length|short)\w*|more|less|fewer|extra|add|are|be|increas\w*|reduc\w*|cut|rais\w*)\b"
)
"""What tells a length that items are to have."""
_GRUMBLES = re.compile(r"不够|太[短长少多赶]|不完|来不及|现在|\b(?:too|isn't|aren't|not|instead of|now|currently)\b")
_NO_LENGTH = re.compile(
    r"最[多少]|至[多少]|不超过|每[天周日]|[几多少]节课?[?？吗呢]?$|有[几多]|新建|[完过好]了|做了|学了|[没还]学|才|只[做学]|拆|分[成为]"
    r"|间隔|空[档出]|之间|删|移|挪|排(?![长短成])|规划|改名|[叫加]上|新增|延[期后迟]|提前|推迟|放[到在]|合并|截止|标记|哪|比|剩"
    r"|[前后]\d节|第\d+节|\b(?:at (?:most|least)|no more|a day|a week|per (?:day|week)|how many|sections? of|did|done"
    r"|finished|took|split|divide|break|between|gap|pause|apart|free|which|than|left|(?:first|last) \w+ sections?"
    r"|delete|remove|drop|plan|schedule|move|put|extend|rename|call(?:ed)?|mark|merge|deadline|total)\b"
)
"""Sections that are a limit, a place, a part of an item or what was done of it; what else is asked for."""
_BREAK = re.compile(
    r"[,，。;；!！\u2063]|\.(?:\s|$)|\b(?:but|because|since|so)\b"
    r"|(?<=\w) and (?=(?:make|give|set|let)\b)"
    r"|(?:(?<=sections)|(?<=section)) and (?=[^,.;]{2,60}\b(?:takes?|needs?|gets?)\b)"
)


_AND = r"(?:[\s,，、和与及跟]|\band\b)"
_SHORT_LENGTH = re.compile(
    rf"(?P<who>{SIGN}(?:{_AND}*{SIGN})*(?:\s*\d\s?个?(?=\D{{0,12}}\d))?[^{SIGN[1:-1]},，、.;。\d]{{0,16}}?)(?<![-第\d])(?P<n>\d|\bone\b)"
    rf"\s*(?P<unit>个?(?:小?节|课时)(?!课)|{_UNIT})?(?P<end>\s*(?:each|就?够了?|就[行好]|[吧了长]|long)?(?=$|[\s,，、.;。和与]))"
)
"""Items side by side and a length, its unit told or left out as of the one before: A 1 section and B 3."""


def _part_lengths(text: str, brief: Brief) -> str:
    """A message with each of several lengths, and the items it is for, in a clause of their own; empty for others."""
    signed, said = sign_mentions(fold_mentions(brief.read_words(text)), brief, all_items(brief))
    found = [*_SHORT_LENGTH.finditer(signed)]
    unit = next((one["unit"] for one in found if one["unit"]), "")
    left = _LENGTH.sub("", _SHORT_LENGTH.sub("", signed))
    if len(found) < 2 or not unit or re.search(rf"{SIGN}|\d", left):
        return ""
    apart = _SHORT_LENGTH.sub(
        lambda one: f"{one['who']} {one['n']}{'节' if '节' in unit else ' sections'}{one['end']} \u2063", signed
    )
    return restore_mentions(apart, said).strip(" \u2063")


def tells_length(clause: str) -> bool:
    """Whether a clause tells how long something is to take, and nothing else."""
    text = spell_minutes(fold_numbers(clause))
    return _LENGTH.search(text) is not None and not _NO_LENGTH.search(text)


_BARE = re.compile(
    rf"\b(?:make|give|let|allow) (?:it|that|them|this)(?: have| take)? {_N}(?=\W*$)"
    rf"|(?<=[,;] ){_N}(?= (?:is|will be|would be|should be) (?:enough|plenty|fine)\b)"
)
"""A length without its unit, behind one that is too long or too short: make it 4."""


def spell_unit(text: str) -> str:
    """A text with the unit of such a length."""
    return _BARE.sub(lambda bare: f"{bare.group()} sections", text)


def read_lengths(message: str, brief: Brief) -> list[tuple[tuple[TaskView, ...], int]]:
    """The items whose length a message tells and their sections; none where it asks for something else beside it. What
    a clause names without a length goes with the length of the next one."""
    text = spell_minutes(_DENIED.sub("", _FROM.sub("", fold_numbers(message)))).strip(" .!吧。！")
    text = re.sub(rf"[,，]\s*(?={EXCEPT.pattern})", " ", spell_unit(text))
    if not _LENGTH.search(text):
        return []
    parted = _part_lengths(text, brief)
    told, text = list[tuple[tuple[TaskView, ...], int]](), parted or text
    if _NO_LENGTH.search(text) or read_times(_LENGTH.sub(" ", text), brief.term):
        return []
    asks = asks_whether(text) and not says("polite_form", text)
    added = [name for one in read_content_changes(message, brief).told if one.kind == "add" for name in one.names]
    if asks or any(re.fullmatch(_UNIT, name, re.IGNORECASE) is None for name in added):
        return []
    named, beside, somewhat = "", False, False
    clauses = [one.strip() for one in _BREAK.split(text) if one.strip()]
    for clause in clauses:
        grumbles = _GRUMBLES.search(clause) is not None and len(clauses) > 1
        found = None if grumbles else _LENGTH.search(clause)
        if found is None:
            named += f"{clause} , "
            wanted = items_in(clause, brief, among=all_items(brief)) and not _only_lists(clause, brief)
            beside = beside or bool(wanted and not grumbles)
            continue
        rest = f"{clause[: found.start()]} , {clause[found.end() :]}"
        if named and _only_lists(named, brief):
            rest, named = named + rest, ""
        rows = _find_subject(rest, clause, brief) or _find_others(rest, told, brief)
        if not rows:
            rows, beside = _find_subject(named + rest, clause, brief), False
        if not rows and told and somewhat and not told[1:] and not named:
            rows, told = list(told[0][0]), []  # longer, like double
        if not rows or not (parted or _TAKES.search(clause) or _EACH.search(clause)):
            return []
        somewhat = found["somewhat"] is not None
        told += _measure(rows, found, brief)
    return [] if beside else told


_OF_NEW = re.compile(rf"(?<![-第\d])(\d)\s*个?(?:小?节|课时)(?!课)|\b({_N}) {_UNIT}")
_IN_ALL = re.compile(r"[一总]共|总的|每|\b(?:total|altogether|in all|each|every)\b")


def read_length_of_new(message: str) -> int:
    """How many sections the one item is to take that a message adds; none where it tells of more."""
    text = fold_numbers(message)
    found = None if _IN_ALL.search(text) else [*_OF_NEW.finditer(text)]
    said = (found[-1][1] or found[-1][2]) if found else "0"
    return _NUMBERS.get(said) or int(said)


def _find_subject(text: str, clause: str, brief: Brief) -> list[TaskView]:
    """The items that a text names, counts or takes as a kind; all of a class only where a clause means each of them."""
    text, *excepted = EXCEPT.split(text, maxsplit=1)
    if excepted and not text.strip(" ,，"):
        text, excepted = excepted[0], []  # all the others have theirs already
    if excepted:
        kept = items_in(excepted[0], brief, among=all_items(brief))
        return [row for row in _find_subject(text, clause, brief) if row not in kept] if kept else []
    rest = brief.read_words(text)
    signed, said = sign_mentions(fold_mentions(rest), brief, all_items(brief))
    if counted := find_counted_items(rest, brief):
        return counted
    for kind in ("item", "kind"):
        if any(said[char][1] == kind for char in signed if char in said):
            signs = "".join(char for char in signed if char in said and said[char][1] in (kind, "class"))
            return [row for _, row in rows_of(signs, said)]
    if ids := classes_in(rest, brief.classes):
        return [row for row in all_items(brief) if row["class_id"] in ids and _EACH.search(clause)]
    rows = items_in(rest, brief, among=all_items(brief))
    return rows if len(rows) == 1 else []


def _find_others(text: str, told: Sequence[tuple[tuple[TaskView, ...], int]], brief: Brief) -> list[TaskView]:
    """The other items of the one class of those whose length was told before, where a text says so."""
    before = [row["state_id"] for rows, _ in told for row in rows]
    owners = {row["class_id"] for rows, _ in told for row in rows}
    _, said = sign_mentions(fold_mentions(text), brief, all_items(brief))
    if len(owners) != 1 or [kind for _, kind, _ in said.values()] != ["others"]:
        return []
    return [row for row in all_items(brief) if row["class_id"] in owners and row["state_id"] not in before]


def _only_lists(clause: str, brief: Brief) -> bool:
    """Whether a clause only names items, so that the list of the next one begins in it."""
    signed, _ = sign_mentions(fold_mentions(clause), brief, all_items(brief))
    return re.fullmatch(rf"(?:{SIGN}|[和与及、,\s]|\band\b|\bthe\b)+", signed) is not None


def _measure(rows: list[TaskView], found: re.Match[str], brief: Brief) -> list[tuple[tuple[TaskView, ...], int]]:
    """The items by the length that each of them is to have."""
    said = found["zh"] or found["en"] or found["by"] or found["alone"] or "1"
    number = _NUMBERS.get(said) or int(said)
    way = -1 if _LESS.search(found.group()) else 1 if found["somewhat"] or _MORE.search(found.group()) else 0
    way = 0 if _UP_TO.search(found.group()) else way
    made: dict[int, list[TaskView]] = {}
    for row in rows:
        now = _length_of(row, brief)
        times = 2 if found["double"] else 3 if found["triple"] else 0.5 if found["half"] else 0
        made.setdefault(ceil(now * times) or (max(1, now + way * number) if way else number), []).append(row)
    return [(tuple(same), length) for length, same in made.items()]


def measure_as(said: str, rows: list[TaskView], brief: Brief) -> list[tuple[tuple[TaskView, ...], int]]:
    """The items by the length that a request for others tells, or as much more or less; none for several."""
    found = [*_LENGTH.finditer(spell_minutes(_DENIED.sub("", _FROM.sub("", fold_numbers(said)))))]
    return _measure(rows, found[0], brief) if len(found) == 1 else []


def _length_of(row: TaskView, brief: Brief) -> int:
    """The sections of an item now: as in the plan, else as its class divides its total."""
    planned = (task["duration"] for task in brief.tasks_before if task["item_id"] == row["item_id"])
    owner = brief.class_of(row["class_id"])
    return next(planned, (owner["sections"] or 0) // len(owner["items"]) if owner else 0) or DURATION_DEFAULT
