"""Items that one phrase describes by several things at once, written out by their names where a deed is told of them.

A phrase chooses by class, kind, time, rank, by what stands on the same day or in the same week, and leaves some out:
the probability chapters on sundays, 概率论除了最后一章都, everything in week 4 except matrices. All of it holds
together. What one thing alone describes stays as it is said, for `selections.py` and `groups.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.described_forms import number_of_item, when_of
from agent.llm.offline.language.spans.items.selections import SelectionPlan, join_names, spell_out_selections
from agent.llm.offline.language.spans.mentions import KINDS
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.llm.offline.language.spans.times.words import EN_COUNTS, ORDINALS, number_of
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, Signed, sign_phrases
from agent.loop.view_document import SlotView, TaskView

_N = r"(?:\d{1,2}|[一二两俩三四五六七八九十]{1,3})"
_ZH_ANY = r"(?:章节?|单元|实验课?|讲|专题|任务|内容|安排|项目?|那?[些几]?个)"
_EN_ANY = (
    r"(?:(?:chapters?|units?|labs?|experiments?|lectures?|lessons?|topics?|(?:study )?(?:items?|tasks?|things?"
    r"|sessions?|stuff|ones|one(?! (?:day|week|section|period))|steps?|bits?))(?![a-z]))"
)
_EN_N = rf"(?:\d{{1,2}}|{'|'.join(EN_COUNTS[1:])}|couple(?: of)?)"
_EN_NTH = rf"(?:first|last|final|{'|'.join(ORDINALS[1:10])})"
_EN_AND, _ZH_AND = r"(?:, ?(?:and |or )?| and | or | & | nor )", r"(?:[、,，和与跟及]|以及)"
_ZH_TIMES, _EN_TIMES = rf"{TIME}(?:{_ZH_AND}?{TIME})*", rf"{TIME}(?:(?:{_EN_AND}| )(?:(?:on|in|of) )?{TIME})*"
_ZH_RANK = (
    rf"(?:[前后][一1]?半|[单奇双偶]数的?|第{_N}[个项]?|(?<![以之])(?:最?前面?|开头|头|最?后面?|倒数)的?{_N}?[个项]?)"
)
_EN_RANK = rf"(?:(?:first|last|second) half(?: of)?|(?:odd|even)(?:[- ]numbered)?|{_EN_NTH}(?: {_EN_N})?(?: of)?)"
_ZH_SUB = rf"(?:(?:{CLASS}的?)?(?:{NUMBERED}|{ITEM}|{_ZH_RANK}{_ZH_ANY}?)|{CLASS}|{_ZH_TIMES}(?:那天)?的{_ZH_ANY}?)"
_EN_SUB = (
    rf"(?:the |my |those )?(?:(?:{CLASS} )?(?:{NUMBERED}|{ITEM})|{CLASS}(?: {_EN_ANY})?|{_EN_RANK}(?: {_EN_ANY})?"
    rf"|{_EN_TIMES} {_EN_ANY}|(?:ones|those|what's) (?:on|in) {_EN_TIMES}|\d{{1,2}}(?! ?(?:days?|weeks?|sections?)))"
)
_ZH_BUT = rf"(?:除了?|除去|除开|不算|不包括|抛开)(?P<NAME>{_ZH_SUB}(?:{_ZH_AND}{_ZH_SUB})*)(?:之外|以外|外)?的?[,，]?"
_EN_BUT = (
    r"(?:except(?: for)?|but(?: not)?|apart from|aside from|other than|besides|excluding|not counting|leaving out"
    rf"|without) (?P<NAME>{_EN_SUB}(?:{_EN_AND}{_EN_SUB})*)"
)
_ZH_UNIT = (
    rf"(?:{CLASS}(?:的|里面?的?|中的?)?"
    rf"|(?:从|自)?(?:已经)?(?:安?排|放|落)?在?{_ZH_TIMES}(?:之?[前后]|以[前后]|开始|起|那天|当天|里面?|内)?(?:的|(?={CLASS}|除))"
    rf"|(?P<NAME>[和跟与](?:{ITEM}|{NUMBERED})(?:在|是|排在)?同[一1]?(?:天|个?周|个?星期)的"
    rf"|(?:{ITEM}|{NUMBERED})所?在?的?那[一1]?个?(?:天|周|星期)的))"
)
_EN_UNIT = (
    r"(?: ?(?:that|which)(?:'s|'re| is| are| i have)?| ?i have| ?is)?(?: (?:still|already|currently))*"
    r"(?: ?(?:planned|scheduled|placed|set|due|falls?|lands?|sits?)(?![a-z]))? ?(?<![a-z])"
    rf"(?:(?:on|in|at|of|from|for|before|after|since|until|during|between|past) (?:an? |the |any |my )?"
    rf"(?:{_EN_TIMES}(?: on(?:wards?)?(?![a-z]))?|{CLASS})"
    rf"|(?P<NAME>(?:on|in|from) the (?:same (?:day|week) as|(?:day|week) of) (?:{ITEM}|{NUMBERED})))"
)


def _name(form: str, name: str) -> str:
    """A form with the name of what it finds."""
    return form.replace("NAME", name)


def _several(unit: str, name: str) -> str:
    """A unit again and again, what it stands beside named once."""
    bare = unit.replace("?P<NAME>", "?:")
    return rf"(?:{bare})*?(?:{_name(unit, name)})?(?:{bare})*"


_ZH_PHRASE = re.compile(
    rf"(?:{_name(_ZH_BUT, 'but')})?(?P<pre>{_several(_ZH_UNIT, 'near')})"
    rf"(?:(?P<others>其[他她它余]|剩下|别)的?|(?P<every>所有|全部)的?)?(?P<post>{_several(_ZH_UNIT, 'near2')})"
    rf"(?P<rank>{_ZH_RANK})?(?P<kind>{_ZH_ANY})?的?"
    rf"(?:{_name(_ZH_BUT, 'but2')}(?:(?P<others2>其[他她它余]|剩下|别)的?)?)?"
    r"(?P<end>[都全]|统统|一律)?"
)
_EN_PHRASE = re.compile(
    r"(?<![a-z])(?:(?P<every>(?:all|every|each)(?: of(?: it| them)?)?|everything|anything|whatever|what)(?![a-z]) ?)?"
    r"(?:(?:the )?(?P<others>other) (?!than |(?:on|in|at|to) )|(?:the|my|those|these) )?(?:(?P<rank>"
    + _EN_RANK
    + r")(?![a-z]) ?(?:(?:the|my) )?)?"
    rf"(?P<pre>(?:(?:{CLASS}|{TIME})(?:'s)? ?)*)(?P<kind>{_EN_ANY})?(?P<post>{_several(_EN_UNIT, 'near')})"
    rf"(?:,? ?{_name(_EN_BUT, 'but')})?"
)
_EN_BUT_AHEAD = re.compile(rf"^{_name(_EN_BUT, 'but')},? ")
_GOES = (
    re.compile(
        r"移[出除]|删|去掉|拿[掉出走]|取消|撤|往[前后]|[推延]迟|[推延](?=[一1两二三四\d])|延后|顺延|提[前早]|挪后"
        rf"|(?:[移挪改调换搬推放排])[到至在](?=[^,，。;；]*{TIME})"
    ),
    re.compile(
        r"\b(?:later|earlier|sooner|back|forward|out|off|remove|drop|delete|cut|skip)\b"
        rf"|\b(?:to|into|onto|in|on)\b[^,.;]*{TIME}"
    ),
)
"""That something is to go elsewhere, or to be gone, beside the phrase."""
_PUTS = re.compile(r"\b(?:put|(?<!the )(?<!my )(?:plan|schedule)|have|keep|want|finish|do|place|fit|squeeze|get)\b")
"""What a time behind it is the place for, not what picks."""
_ASKS = re.compile(
    r"哪|什么|多少|怎么|有没有|是不是|几[个项章]|吗|[?？]\s*$"
    r"|^(?:so |and )?(?:what|which|when|where|how|is|are|do|does|did|why|who|if)\b"
)
_POLITE = re.compile(r"能不能|可不可以|能否|可以吗|\b(?:can|could|would) (?:you|u|we|i)\b")
_REFUSES = re.compile(r"不[要想能用许准]|(?<![分特区级])别(?!的)|勿|如果|要是|\b(?:don't|do not|never|not|if)\b|n't\b")
_LEAVES_OUT = re.compile(
    r"除[了去开]?|不算|不包括|\b(?:except|but|apart from|aside from|besides|other than|excluding)\b"
)
"""What is left out of a phrase by words that do not stand beside it, for `groups.py`."""
_LONGEST = 160


def spell_described(message: str, plan: SelectionPlan) -> str:
    """The message with the names of what one phrase in it describes by several things; any other as it is."""
    text = fold_text(message)
    if not plan.tasks or len(text) > _LONGEST or (_ASKS.search(text) and not _POLITE.search(text)):
        return message
    signed = sign_phrases(text, plan)
    zh, told = has_chinese(text), signed.text
    ahead = None if zh else _EN_BUT_AHEAD.search(told)
    start = ahead.end() if ahead else 0
    for match in (_ZH_PHRASE if zh else _EN_PHRASE).finditer(told, start):
        rest = f"{told[start : match.start()]} {told[match.end() :]}"
        if not match.group().strip() or not _is_told_elsewhere(match, rest, zh=zh):
            continue
        phrase = _Phrase.of(match, ahead["but"] if ahead else "", signed)
        if phrase is None or _is_told_of_classes(phrase, rest, signed):
            continue
        if rows := _choose(phrase, signed, plan):
            names = join_names(rows, signed.rows, zh=zh)
            end = (match["end"] or "") if zh else " " * match.group().endswith(" ")
            return signed.restore(told[start : match.start()]) + names + end + signed.restore(told[match.end() :])
    written = message if _REFUSES.search(told) or _THE_REST.search(told) else spell_out_selections(message, plan)
    goes = written != message and _GOES[0 if zh else 1].search(sign_phrases(fold_text(written), plan).text)
    return written if goes else message


_THE_REST = re.compile(r"其[他余它]|剩下|别的|\b(?:rest|others?)\b")
"""What points back to all but those that a phrase describes."""


def _is_told_elsewhere(match: re.Match[str], rest: str, *, zh: bool) -> bool:
    """Whether the words around a phrase tell what becomes of what it describes, so that its times only pick."""
    goes = _GOES[0 if zh else 1].search(rest)
    if goes is None or _REFUSES.search(rest) or _LEAVES_OUT.search(rest) or _THE_REST.search(rest):
        return False
    timed = re.search(TIME, f"{match['pre']}{match['post']}") is not None
    if timed and re.match(r"(?:in|on)\b", goes.group()) and "," in rest:
        return False  # each of several goes to a time of its own
    return zh or not timed or not _PUTS.search(rest) or re.search(r"\b(?:to|into|onto)\b", rest) is not None


def _is_told_of_classes(phrase: _Phrase, rest: str, signed: Signed) -> bool:
    """Whether all classes but some go by weeks, which their last days do too, or days of every week alone pick what
    goes to other ones, which later words may narrow."""
    alone = not (phrase.classes or phrase.kinds or phrase.rank or phrase.near)
    if phrase.but and alone and not phrase.times and not re.search(f"{ITEM}|{NUMBERED}|{TIME}", phrase.but):
        return re.search(r"周|星期|\bweeks?\b", rest) is not None
    return alone and not phrase.but and any(one.kind == "weekday" and not one.week for one in signed.times_of(rest))


@dataclass(frozen=True)
class _Phrase:
    """What a phrase tells of the items that it describes; whatever was not said is empty."""

    classes: list[TaskView]
    """All the items of the classes that are named."""
    times: list[Time]
    near: str
    """On whose day, or in whose week, they are."""
    but: str
    """What is left out."""
    kinds: tuple[str, ...]
    rank: str
    every: bool
    """Whether all that is planned may be meant."""
    others: bool
    several: bool
    """Whether more than one is meant."""
    words: str

    @classmethod
    def of(cls, match: re.Match[str], ahead: str, signed: Signed) -> _Phrase | None:
        told = match.groupdict()
        near, kind = told.get("near") or told.get("near2") or "", told["kind"] or ""
        words = f"{told['pre']}{told['post']}"
        words = words.replace(near, " ") if near else words
        but, others = told.get("but") or told.get("but2") or ahead, told["others"] or told.get("others2")
        classes, every, whole = signed.items_of(words, CLASS), bool(told["every"]), told.get("end")
        if not (kind or every or whole or but or (told["rank"] and classes) or (others and words)):
            return None
        kinds = next((kinds for kinds in KINDS if any(re.match(one, kind) for one in kinds)), ())
        several = bool(every or others or whole or kind.endswith("s"))
        own = signed.restore(match.group())
        return cls(
            classes, signed.times_of(words), near, but, kinds, told["rank"] or "", every, bool(others), several, own
        )

    @property
    def is_rank_alone(self) -> bool:
        """Whether it is told by its place in its class, for `nth_items.py` and what goes on from there."""
        return bool(self.rank) and not (self.times or self.near or self.but)

    def is_told_by_several(self, rows: Sequence[TaskView], plan: SelectionPlan) -> bool:
        """Whether more than one thing describes the items, or times that pick more than the nearest of them has."""
        things = (self.classes, self.kinds, self.times, self.rank)
        often = bool(self.times) and (_picks_often(self.times, self.words) or self._is_one_there(rows, plan))
        return bool(self.but or self.near or often or sum(map(bool, things)) > 1)

    def _is_one_there(self, rows: Sequence[TaskView], plan: SelectionPlan) -> bool:
        """Whether the nearest of the days of every week has one item alone, where several are meant."""
        weekly = all(one.kind == "weekday" and not one.week for one in self.times)
        if not weekly or not self.several or not self.words.isascii() or self.every:
            return False
        found = sorted(
            when_of(row)[:2] for row in rows if (slot := row["slot"]) and stands_in(slot, self.times, plan.term)
        )
        return len(found) > 1 and found[0] != found[1]


def _choose(phrase: _Phrase, signed: Signed, plan: SelectionPlan) -> list[TaskView]:
    """What a phrase describes; nothing where one thing alone tells it, where that is all there is, or none."""
    rows = [row for row in signed.rows if not phrase.classes or row in phrase.classes]
    rows = [row for row in rows if not phrase.kinds or any(one in fold_text(row["name"]) for one in phrase.kinds)]
    if not phrase.is_told_by_several(rows, plan):
        return []
    out = _find_left_out(phrase.but, rows, signed, plan.term) if phrase.but else []
    if phrase.but and not out:
        return []
    owners = {row["class_id"] for row in out}
    if len(owners) == 1 and not (phrase.classes or phrase.kinds or phrase.times or phrase.near or phrase.every):
        own = [row for row in rows if row["class_id"] in owners]
        rows = own if len(own) > len(out) else rows  # the others of its class
    if phrase.times or phrase.near or any(row["slot"] for row in rows):
        rows = [row for row in rows if row["slot"]]
    rows = _find_beside(phrase.near, rows, signed) if phrase.near else rows
    if phrase.times:
        rows = [row for row in rows if (slot := row["slot"]) and stands_in(slot, phrase.times, plan.term)]
    if phrase.rank:
        rows = _take_rank(phrase.rank, rows) if len({row["class_id"] for row in rows}) == 1 else []
    rows = sorted((row for row in rows if row not in out), key=lambda row: (row["class_id"], row["order"]))
    fits = len(rows) == 1 if not (phrase.several or phrase.rank) else len(rows) > 1 or not phrase.is_rank_alone
    return rows if fits and len(rows) < len(signed.rows) else []


_OFTEN = re.compile(r"每|落在|所有|全部|\ban? |\ball\b|\bevery(?!thing)|\beach\b|days\b(?!')|\bweekends\b")
"""All days of that name, not the nearest one alone."""


def _picks_often(times: Sequence[Time], words: str) -> bool:
    """Whether times pick more than what the nearest of them has: of several weeks, from one on, of every week."""
    kinds = {one.kind for one in times}
    weekly = kinds <= {"weekday", "every", "part"} and not any(one.week for one in times)
    several = any(one.side for one in times) or len({one.week for one in times if one.week}) > 1
    several = several or {"part", "week"} <= kinds
    return several or (weekly and (kinds == {"part"} or _OFTEN.search(words) is not None))


def _find_left_out(but: str, rows: Sequence[TaskView], signed: Signed, term: SemesterDates) -> list[TaskView]:
    """What an exception leaves out: by name, number, class, time or rank among what the phrase describes."""
    found = [row for row in rows if row in signed.items_of(but, f"{ITEM}|{NUMBERED}")]
    owned = signed.items_of(but, CLASS)
    if not found and owned:
        found = [row for row in rows if row in owned]
        rows = found
    if times := signed.times_of(but):
        found += [row for row in rows if (slot := row["slot"]) and stands_in(slot, times, term)]
    if rank := re.search(f"{_ZH_RANK}|(?<![a-z]){_EN_RANK}(?![a-z])", but):
        found = _take_rank(rank.group(), rows) if len({row["class_id"] for row in rows}) == 1 else []
    numbers = {int(one) for one in re.findall(r"(?<!\d)\d{1,2}(?!\d)", but)}
    return found + [row for row in rows if row not in found and number_of_item(row) in numbers]


def _find_beside(near: str, rows: Sequence[TaskView], signed: Signed) -> list[TaskView]:
    """The items of the day, or of the week, of the one that is named."""
    others = [slot for row in signed.items_of(near, f"{ITEM}|{NUMBERED}") if (slot := row["slot"])]
    size = 1 if re.search(r"周|星期|\bweek\b", near) else 2
    there = {(slot["week"], slot["day_of_week"])[:size] for slot in others}
    return [row for row in rows if (slot := row["slot"]) and (slot["week"], slot["day_of_week"])[:size] in there]


def _take_rank(rank: str, rows: Iterable[TaskView]) -> list[TaskView]:
    """The first, the last or so many of the items of a class in their order."""
    own = sorted(rows, key=lambda row: row["order"])
    half = (len(own) + 1) // 2
    words = re.findall(rf"{_N}|{'|'.join((*EN_COUNTS, *ORDINALS[1:10]))}|couple", re.sub(r"一?半| half.*", "", rank))
    if parity := re.match(r"(?P<odd>[单奇]|odd)|[双偶]|even", rank):
        return [row for row in own if number_of_item(row) % 2 == (parity["odd"] is not None)]
    if "半" in rank or "half" in rank:
        return own[:half] if re.match(r"前|first", rank) else own[half:]
    if rank.startswith("第") or (words and words[0] in ORDINALS):
        at = ORDINALS.index(words[0]) + 1 if words[0] in ORDINALS else number_of(words[0])
        return own[at - 1 : at]
    count = 2 if words and words[0] == "俩" else number_of(words[0]) if words else 1
    return own[:count] if re.match(r"最?前|开头|头|first", rank) else own[-count:]


def stands_in(slot: SlotView, times: Sequence[Time], term: SemesterDates) -> bool:
    """Whether a place lies in what times tell: any of those of one kind, and of each kind that is told."""
    day = term.day(slot["week"], slot["day_of_week"])
    ranges = [one for one in times if one.first or one.last]
    weekdays = {day for one in times if one.kind == "weekday" and not one.side for day in one.weekdays}
    exact = [one for one in ranges if one.kind != "week"]
    weeks = [one for one in ranges if one.kind == "week"] or ([] if not weekdays else ranges)
    if weekdays and weeks:
        there = slot["day_of_week"] in weekdays and any(_in_week(slot, one, term) for one in (*weeks, *exact))
    else:
        there = not ranges or any((one.first or day) <= day <= (one.last or day) for one in ranges)
        there = there and (bool(ranges) or not weekdays or slot["day_of_week"] in weekdays)
    hours = [one.sections for one in times if one.sections]
    return there and (not hours or any(first <= slot["slot_start"] <= (last or first) for first, last in hours))


def _in_week(slot: SlotView, one: Time, term: SemesterDates) -> bool:
    first, last = (term.week_day(day)[0] if day else slot["week"] for day in (one.first, one.last))
    return first <= slot["week"] <= last
