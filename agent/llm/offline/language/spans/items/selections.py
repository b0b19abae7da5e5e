"""Items told by description, written out by their names before anything else is read, so that every goal knows them.

后面三个单元 -> Unit 4、Unit 5、Unit 6; my next unit -> Unit 3; unit 5 and up -> Unit 5 and Unit 6; U5 -> Unit 5. What
picks items by when they are stays for `groups.py`, and a description that fits nothing stays as it is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from agent.llm.offline.language.normalize import digits, fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.spans.mentions import KINDS, LABEL, classes_in, find_pieces
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.loop.view_document import ClassView, TaskView

_NUM = r"(?:\d{1,2}|[一二两俩三四五六七八九十]{1,3})"
_EN_NUM = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|couple(?: of)?)"
_EN_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORD = rf"(?:{'|'.join(_EN_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))"
_ZH_KIND = r"(?:章节?|单元|units?|实验课?|labs?|讲|专题|chapters?)"
_ZH_ANY = rf"(?:{_ZH_KIND}|学习?任务|任务|内容|项)"
_EN_KIND = r"(?:chapters?|units?|labs?|experiments?|lectures?|lessons?|topics?|lists?)"
_EN_ANY = rf"(?:{_EN_KIND}|(?:study |revision )?(?:items?|tasks?|sessions?|things?|bits?))"
_THE = r"(?:\b(?:all (?:of )?)?(?:the|my|those|these|our) )"
_FROM = (
    r"(?:[,，]?(?:以及|及|和)?(?:它)?(?:之后|以后|往后)的?(?=[都全]|所有|全部)|(?:以及|及|和)(?:它)?后[面边]的?(?=[都全]|所有|全部)|的?(?:之后|以后|往后|后面"
    r"|后边)的(?!那?[一1]?个|(?:[一两二三四五\d]\s*个?)?(?:天|周|日|星期))(?:所有|全部|那?些|内容)?"
    r"|(?:开始|起)(?:往后|以后|之后)?的?(?:所有|全部|那?些)?(?=都|全|$|[,，移挪推延提改取拿往移先]|的"
    r"|到最后)(?:到最后)?|(?:一直)?到(?:最后(?!1|一)|结尾|末尾)(?:的|1?[章个项])?|及(?:之|以)后的?)"
)
_UP_TO = r"(?:(?:之前|以前|前面|前边)的(?:所有|全部|那?些|内容)?(?!那?[一1]?[个章项])|及(?:之|以)前的?)"
_BARE = r"(?: ones?| of them)?(?=\s*(?:[,.;!]|$|(?:an?|one|two|\d) (?:day|week)))"
"""Behind a number without what is counted."""
_NO_HOUR = r"(?!\d|:| ?(?:[ap]m|o'clock|st|nd|rd|th|days?|weeks?|sections?|periods?|[a-z]{3,9} \d)\b)"
"""Behind a number that is no hour and no day."""
_NO_TIME = "(?<![前后里内天周日号末午晚月])"
"""Behind a time the last one is that of the time."""
_PLACED_ZH = r"地方(?:可?[放排去])?|位置|着落|能?被?(?:安排|[排放塞])(?:[上进好下]去?)?(?:位置)?"
_NOT_PLACED_EN = (
    r"(?:(?:still|that|are|is|were|have|has) )*(?:didn't|did not|don't|doesn't|couldn't|haven't|hasn't|isn't|aren't|"
    r"weren't|without|has no|have no|with no|not|no)(?=(?: \w+){0,4}? (?:placed|scheduled|planned|fit|fits|slot|spot"
    r"|place|home|room|make|made|in)\b)(?: (?:get|got|have|been|be|fits?|make|made|find|found|a|any|yet|placed|"
    r"scheduled|planned|in|it|into|there|the|plan|timetable|draft|slot|spot|place|home|room)\b)+"
)


@dataclass(frozen=True)
class _Described:
    """What one form of words needs to choose: the items, the classes, the item now, the text before it."""

    rows: list[TaskView]
    """Those of the kind and of the classes that are said, in the order of their class."""
    now: tuple[int, int, int]
    match: re.Match[str]
    before: str

    @property
    def number(self) -> int:
        return _number(self.match.groupdict().get("n") or "1")

    @property
    def ahead(self) -> list[TaskView]:
        """Those whose time is still to come, the next one first."""
        return sorted((row for row in self.rows if row["slot"] and when_of(row) > self.now), key=when_of)

    @property
    def in_time(self) -> list[TaskView]:
        return sorted((row for row in self.rows if row["slot"]), key=when_of)

    @property
    def of_one_class(self) -> bool:
        return len({row["class_id"] for row in self.rows}) == 1


def when_of(row: TaskView) -> tuple[int, int, int]:
    slot = row["slot"]
    return (slot["week"], slot["day_of_week"], slot["slot_start"]) if slot else (99, 0, 0)


def _number(said: str) -> int:
    said = said.lower()
    if said in _EN_ORDINALS:
        return _EN_ORDINALS.index(said) + 1
    if said.startswith("couple"):
        return 2
    found = re.search(r"\d+", digits(fold_numbers(said)))
    return int(found.group()) if found else 1


def _first(told: _Described) -> list[TaskView]:
    if told.match.groupdict().get("kind") == "" and not told.of_one_class:
        return []
    rows = told.rows if told.of_one_class else told.in_time
    return rows[: told.number]


def _last(told: _Described) -> list[TaskView]:
    if told.match.groupdict().get("kind") == "" and not told.of_one_class:
        return []
    rows = told.rows if told.of_one_class else told.in_time
    return rows[-told.number :] if rows else []


def _nth(told: _Described) -> list[TaskView]:
    at = told.number
    return told.rows[at - 1 : at] if told.of_one_class else []


def _nth_last(told: _Described) -> list[TaskView]:
    at = told.number
    return told.rows[-at:][:1] if told.of_one_class and at <= len(told.rows) else []


def _next(told: _Described) -> list[TaskView]:
    return told.ahead[: told.number]


def _after_next(told: _Described) -> list[TaskView]:
    return told.ahead[1:2]


def _earliest(told: _Described) -> list[TaskView]:
    return told.in_time[:1]


def _latest(told: _Described) -> list[TaskView]:
    return told.in_time[-1:]


def _rest(told: _Described) -> list[TaskView]:
    """What is still to come or has no place, of more than one item; not those that are named before."""
    named = fold_numbers(told.before)
    found = [row for row in told.rows if (not row["slot"] or when_of(row) > told.now) and row["mark"] != "done"]
    found = [row for row in found if not _says(row, named)]
    return found if told.of_one_class else []


def _half(told: _Described) -> list[TaskView]:
    rows = told.rows if told.of_one_class else []
    first = re.search(r"前|first", told.match.group(), re.IGNORECASE)
    return rows[: (len(rows) + 1) // 2] if first else rows[(len(rows) + 1) // 2 :]


def _from(told: _Described) -> list[TaskView]:
    at, said = told.number, told.match.group().lower()
    beyond = re.search(r"之后|以后|后面|后边|\b(?:after|past|beyond|above) (?:[a-z]+ )?\d", said)
    beyond = None if re.search(r"[及和起从自]|开始", said) else beyond
    return [
        row
        for row in told.rows
        if number_of_item(row) and (number_of_item(row) > at if beyond else number_of_item(row) >= at)
    ]


def _until(told: _Described) -> list[TaskView]:
    at, with_it = told.number, re.search(r"及|\bup to\b|\bthrough\b", told.match.group())
    return [row for row in told.rows if 0 < number_of_item(row) < at + bool(with_it)]


def _beside(told: _Described) -> list[TaskView]:
    at, step = told.number, -1 if re.search(r"前|上|before|preced", told.match.group()) else 1
    return [row for row in told.rows if number_of_item(row) == at + step]


def _every_other(told: _Described) -> list[TaskView]:
    odd = told.match["n"] is not None
    return [row for row in told.rows if number_of_item(row) % 2 == odd]


def _last_of_each(told: _Described) -> list[TaskView]:
    last = {row["class_id"]: row for row in told.rows}
    return [*last.values()]


def _around(told: _Described) -> list[TaskView]:
    at = _number(told.match["n"] or told.match["n2"])
    return [row for row in told.rows if number_of_item(row) in (at - 1, at + 1)]


def _unplaced(told: _Described) -> list[TaskView]:
    return [row for row in told.rows if not row["slot"]]


def number_of_item(row: TaskView) -> int:
    """The number in the name of an item, else its place in its class."""
    found = re.search(r"\d+", fold_numbers(row["name"]))
    return int(found.group()) if found else row["order"]


def _says(row: TaskView, text: str) -> bool:
    return re.search(rf"(?<!\d){re.escape(fold_numbers(_short_name(row)))}(?!\d)", fold_numbers(text)) is not None


_FORMS: tuple[tuple[re.Pattern[str], Callable[[_Described], list[TaskView]]], ...] = tuple(
    (re.compile(form, re.IGNORECASE), choose)
    for form, choose in (
        # from one on, up to one
        (rf"(?:从|自)?第?\s*(?P<n>{_NUM})\s*个?(?P<kind>{_ZH_KIND})\s*{_FROM}", _from),
        (rf"(?:从|自)?(?<![\d一二三四五六七八九十])(?P<kind>{_ZH_KIND})\s*(?P<n>{_NUM})\s*{_FROM}", _from),
        (rf"第\s*(?P<n>{_NUM})\s*个?(?P<kind>{_ZH_KIND})\s*{_UP_TO}", _until),
        (rf"(?<![\d一二三四五六七八九十])(?P<kind>{_ZH_KIND})\s*(?P<n>{_NUM})\s*{_UP_TO}", _until),
        (
            rf"\b(?:from |since )?(?:the )?(?P<kind>{_EN_KIND}) (?P<n>\d{{1,2}})(?:\+|,? (?:and|&|or) up| up(?= to \d)"
            r"|(?:,? and|,? &|,? or)? (?:upwards?|above|later|after(?! (?:the |my )?[a-z]+ \d)(?: that)?|beyond"
            r"|onwards?|on(?=\s*(?:[,.;]|$|everything|all\b|should|can|"
            r"goes|go\b|gets?\b|needs?\b))|everything (?:after|behind)(?: it| that)?|the (?:rest"
            r"|ones after)(?: of them)?)"
            r"|(?: all the way)? to the (?:end|last(?: one)?)(?=\s*(?:[,.;!?]|$)| (?:should|can|goes|a"
            r"|by)\b))(?!\s*\d)",
            _from,
        ),
        (
            rf"\b(?:everything|all|anything|{_EN_KIND}) (?:from|after|past"
            rf"|beyond) (?P<kind>{_EN_KIND}) (?P<n>\d{{1,2}})"
            r"(?: on(?:wards?)?)?\b",
            _from,
        ),
        (
            rf"\b(?:everything|all|anything|{_EN_KIND}) (?:before|up to"
            rf"|through) (?P<kind>{_EN_KIND}) (?P<n>\d{{1,2}})\b",
            _until,
        ),
        (rf"\b(?:the )?(?P<kind>{_EN_KIND}) (?:from|after|past|beyond|above) (?P<n>\d{{1,2}}){_NO_HOUR}", _from),
        (rf"\b(?:the )?(?P<kind>{_EN_KIND}) (?:before|below|up to|through) (?P<n>\d{{1,2}}){_NO_HOUR}", _until),
        (
            rf"第\s*(?P<n>{_NUM})\s*(?P<kind>{_ZH_KIND})的?前[面一]?[那一1]*个?和后[面一]?[那一1]*个"
            rf"|第\s*(?P<n2>{_NUM})\s*(?P<kind2>{_ZH_KIND})的?前后(?:两|2|各[一1])个?[章讲项]?",
            _around,
        ),
        # each other one, the last of each class
        (rf"(?:所有的?|全部)?(?:(?P<n>奇|单)|偶|双)数的?(?P<kind>{_ZH_KIND})", _every_other),
        (rf"\b(?:all )?(?:the )?(?:(?P<n>odd)|even)(?:[- ]numbered)? (?P<kind>{_EN_KIND})\b", _every_other),
        (rf"(?P<kind>)每[门个](?:课|任务类|科)?的?最后[一1]?(?:个|{_ZH_ANY})", _last_of_each),
        (
            rf"(?P<kind>)\b(?:the )?(?:last|final) (?:one|{_EN_ANY}) (?:of|in) (?:every|each)(?: (?:class"
            rf"|course|subject|of them))?",
            _last_of_each,
        ),
        # half of them, the rest
        (rf"(?<![\d一二三四五六七八九十])(?P<kind>{_ZH_KIND})的?[前后]?(?:一|1)?半(?:章节|内容)?(?![天个小夜])", _half),
        (rf"(?:[前后](?:一|1)?半|(?:一|1)半)的?(?P<kind>{_ZH_KIND})", _half),
        (r"(?P<kind>)[前后](?:一|1)半(?![天个小夜])", _half),
        (
            rf"\b(?:the |a )?(?:(?:first|second|last|latter|other|back) )?half (?:of )?{_THE}?(?P<kind>{_EN_KIND})\b"
            r"(?!\s*\d)",
            _half,
        ),
        (r"(?P<kind>)\b(?:the )?(?:first|second|last|latter|back) half of (?=\w)", _half),
        (rf"(?:剩下|剩余|余下|其余|还没[学上做背看])的?(?:那?(?:些|几|{_NUM})?个?)(?P<kind>{_ZH_KIND})", _rest),
        (rf"(?P<kind>{_ZH_KIND})(?:剩下|剩余|余下|其余)的?(?:那?[些几]个?)?", _rest),
        (
            r"(?P<kind>)(?:剩下|剩余|余下|还没[学上做背看完]+)的(?:那?[些几]个?|内容|部分|全部|任务)?(?=[都全]"
            r"|往|挪|推|提|移|延|先|改)",
            _rest,
        ),
        (rf"(?:\bthe rest of {_THE}?|{_THE}?\bremaining (?:{_EN_NUM} )?)(?P<kind>{_EN_KIND})\b", _rest),
        (
            r"(?P<kind>)\b(?:the rest|(?<!^)(?<!so )(?<!and )(?<!then )what(?:'s| is) left) of (?:the |my )?(?=\w)",
            _rest,
        ),
        # what has no place
        (
            rf"(?P<kind>)(?:[这那]些?(?:[几\d]|{_NUM})?个?|所有|全部)?(?:目前|现在|还)*(?:没有?|未|无"
            rf"|缺)(?:{_PLACED_ZH})的(?:[那这]?(?:些|(?:几|{_NUM})[个项章门]))?(?:任务|内容)?",
            _unplaced,
        ),
        (
            rf"(?P<kind>)(?:[这那]些?(?:[几\d]|{_NUM})?个?)?[排放塞]不[上进下]去?的"
            rf"(?:[那这]?(?:些|(?:几|{_NUM})[个项章]))?(?:任务|内容)?",
            _unplaced,
        ),
        (
            rf"(?P<kind>)\b(?:(?:all )?(?:the|those|these|my|any) )?(?:(?:ones?|items?|tasks?|things?|stuff"
            rf"|bits|two|three|four|\d) ?)+"
            rf"(?: ?that| ?which)? {_NOT_PLACED_EN}(?!(?: the)? ?(?:\w+ing|afternoon|night|week(?:end)?)\b)"
            r"|(?P<kind2>)\b(?:whatever|what|everything"
            rf"|anything) {_NOT_PLACED_EN}",
            _unplaced,
        ),
        (
            r"(?P<kind>)\b(?:all )?(?:the |my |those |any )?(?:missing|unplaced|unscheduled|homeless|left[- ]?over) "
            r"(?:ones?|items?|tasks?|things?|stuff|bits|chapters?|units?|labs?|three|two|\d)\b|(?P<kind2>)\b(?:all )?"
            r"(?:the |my |those |any )?leftovers\b",
            _unplaced,
        ),
        (
            r"(?P<kind>)\b(?:all of )?what(?:ever)?(?:'s| is| are)? (?:still )?(?:missing|unplaced|homeless"
            r"|left over)\b",
            _unplaced,
        ),
        (
            r"(?P<kind>)(?:剩下|剩余|其余)的?(?:那?(?:些|几|[\d一二两三四五六])[个项]?)?(?:任务|内容)?(?=(?:也"
            r"|都|就|接着|继续|全部?|给我|帮我)*(?:[排塞]|安排|放[进上]|补))",
            _unplaced,
        ),
        (
            r"(?P<kind>)(?:(?<=place )|(?<=schedule )|(?<=fit in )|(?<=fit )|(?<=squeeze in )|(?<=slot in ))"
            r"(?:the rest|what's left|the (?:remaining|other) ones)\b",
            _unplaced,
        ),
        # so many from an end, one by its number, the next ones
        (rf"(?:最?前面?|头|开头|最开始)的?(?P<n>{_NUM})\s*(?:个|项|次)?的?(?P<kind>{_ZH_ANY})", _first),
        (
            rf"{_NO_TIME}(?<![章讲项元\d])(?:最?后面?|末尾?|结尾|倒数)的?那?(?P<n>{_NUM})\s*(?:个|项"
            rf"|次)?的?(?P<kind>{_ZH_ANY})(?!后)",
            _last,
        ),
        (rf"倒数第\s*(?P<n>{_NUM})\s*[个次项]?的?(?P<kind>{_ZH_KIND})", _nth_last),
        (
            rf"{_NO_TIME}(?:最早|最先)的?那?(?P<n>)[一1]?[个项次]?(?P<kind>{_ZH_ANY})"
            rf"|(?:最前面?)的?那?[一1]?[个项次](?P<kind2>{_ZH_ANY})",
            _earliest,
        ),
        (rf"{_NO_TIME}(?:最晚|最迟)的?那?[一1]?[个项次]?(?P<kind>{_ZH_ANY})", _latest),
        (
            rf"最后面?的?那?[一1]?[个项次]?的?(?P<kind>{_ZH_KIND})"
            rf"|{_NO_TIME}最后面?的?那?[一1]?[个项次]?(?P<kind2>项|任务|内容)",
            _last,
        ),
        (rf"第\s*(?P<n>{_NUM})\s*[个次]的?(?P<kind>{_ZH_KIND})", _nth),
        (rf"下下一?[个次]?(?P<kind>{_ZH_KIND})", _after_next),
        (rf"\bthe (?P<kind>{_EN_KIND}) after (?:the )?next(?: one)?\b", _after_next),
        (
            r"(?P<kind>)(?:最?前|头)面?(?P<n>[一两二三四五]"
            r"|\d{1,2})个(?=[,，。都全的(（移挪改放调推想要往拿取先提拖换除但]|$|之?外|以外)",
            _first,
        ),
        (
            r"(?P<kind>)最后面?(?P<n>[两二三四五]"
            r"|\d{1,2})个(?=[,，。都全的(（移挪改放调推想要往拿取先提拖换除但]|$|之?外|以外)",
            _last,
        ),
        (r"(?P<kind>)最后面?的?那?[一1]个(?=[提推放挪移改换调排拿取删往])", _last),
        (
            rf"(?P<kind>)\b(?:the )?first (?P<n>{_EN_NUM}){_BARE}",
            _first,
        ),
        (
            rf"(?P<kind>)\b(?:the )?last (?P<n>{_EN_NUM}){_BARE}",
            _last,
        ),
        (
            rf"(?:我?(?:的)?下|接下来的?|最近的?|马上要[学做背上]的)(?P<n>{_NUM})?\s*(?:个|次"
            rf"|项)?(?:要[学做背看]的)?(?P<kind>{_ZH_KIND})",
            _next,
        ),
        (rf"(?:接下来的?|最近的?|下)(?P<n>{_NUM})\s*(?:个|次)?(?P<kind>学习?任务|任务|内容|项)(?!是[什啥])", _next),
        (rf"{_THE}?\b(?:first|opening) (?P<n>{_EN_NUM}) (?P<kind>{_EN_ANY})\b", _first),
        (rf"{_THE}?\b(?:last|final) (?P<n>{_EN_NUM}) (?P<kind>{_EN_ANY})\b", _last),
        (
            rf"(?:\b(?:the|my) )(?:second[- ]to[- ]last|next[- ]to[- ]last|penultimate"
            rf"|second[- ]last) (?P<kind>{_EN_KIND})\b",
            lambda told: told.rows[-2:-1] if told.of_one_class else [],
        ),
        (
            rf"{_THE}(?:last|final|very last) (?P<kind>{_EN_ANY})\b(?! (?:on|of (?:the|a|this|each|every|my)|in"
            rf"|before|this|next|i|i'll|i'm|we|to)\b)",
            _last,
        ),
        (rf"{_THE}earliest (?P<kind>{_EN_ANY})\b", _earliest),
        (rf"{_THE}latest (?P<kind>{_EN_ANY})\b", _latest),
        (rf"{_THE}(?P<n>{_ORD}) (?P<kind>{_EN_KIND})\b(?! \d)", _nth),
        (rf"{_THE}?\b(?:next|upcoming|coming) (?P<n>{_EN_NUM}) (?P<kind>{_EN_ANY})\b", _next),
        (rf"{_THE}(?:next|upcoming|coming) (?P<kind>{_EN_KIND}|(?:study |revision )?(?:item|task|session))\b", _next),
        # the one beside another
        (rf"第\s*(?P<n>{_NUM})\s*(?P<kind>{_ZH_KIND})的?[前后上下][面边]?的?[那一1]+[个章项讲次]", _beside),
        (rf"(?P<kind>{_ZH_KIND})\s*(?P<n>{_NUM})\s*的?[前后上下][面边]?的?[那一1]+[个章项讲次]", _beside),
        (
            rf"\bthe (?:one|{_EN_ANY}) (?:right |just |straight |immediately )?(?:before|after|preceding|following) "
            rf"(?P<kind>{_EN_KIND}) (?P<n>\d{{1,2}})\b",
            _beside,
        ),
    )
)
"""Each form of words for items of a kind, and which of the kind they are. The kind is empty where a class is said."""

_COUNTED_BEHIND = re.compile(
    rf"\s*(?:上午|下午|晚上)?的?那?(?P<n>{_NUM})(?:个|项|门)?(?:学习?任务|任务|内容|东西)?(?![章单讲月周天点\d])"
)
_COUNTED_BEFORE = re.compile(
    rf"\b(?:the|those|these|my|both) ?(?P<n>{_EN_NUM})?(?: (?:study )?(?:items|tasks|things|ones"
    rf"|sessions))?(?: that are)?"
    r" (?:on|for|from|in) (?:the )?$",
    re.IGNORECASE,
)
"""So many at a time: 周五那两个, the two on friday."""
_WHICH_AND = re.compile(
    r"(?<=.)(\S)(?:是哪[一1]?[个项章]?|是什么)[呢啊呀]?[,，](?=把?[它他]?(?:帮我|给我)?[挪移换改提推放调往排])"
)
"""Behind a description that is asked for and used at once: 下一个单元是哪个，挪到今晚."""
_ONLY_KEPT = re.compile(
    r"[^,，。;；]{0,12}只(?:保?留|要)(?:下|着)?(?P<kept>[^,，。;；]{1,80})[,，]\s*(?:后面|其[他余它]|剩下|剩余"
    r"|别|另外)的|\b(?:only keep|keep only|just keep) (?P<kept2>[^.;]{1,120}?)(?:,| and)(?: then)?"
    r" (?:take|drop|remove|pull)(?: out)? (?:the rest|everything else|the others)\b(?: out)?",
    re.IGNORECASE,
)
_LAST_WEEK = re.compile(
    r"(?<!学期)(?<!月)(?<!月的)最后(?:那|这)?(?:[一1]?个?(?:周|星期|礼拜)(?!的?[一二三四五六日天末])"
    r"|(?P<days>[几两2三3])天)"
    r"|\bthe (?:very )?(?:last|final) (?:week|(?P<days2>few|couple of|two|three) days)"
    r"(?: of (?:the|my) (?:plan|draft))?\b(?! (?:of|in)\b)",
    re.IGNORECASE,
)
"""An end of the plan, where the semester goes on after it."""


_LAST_DAY = re.compile(
    r"(?:这个?|那个?|该)?(?:任务类|课|类|它)的?(?:最后[一1]天|截止(?:的?那[一1]?天|当天|日期?))"
    r"|\b(?:the )?(?:very )?(?:last|final) (?:possible )?day (?:of|for) (?:the|that|its|my) class\b"
    r"|\b(?:its|the class's) (?:last|final) day\b|\bthe day (?:the|that|its) class ends\b",
    re.IGNORECASE,
)
"""The day on which a class ends."""


def _find_end(text: str, plan: SelectionPlan, spoken: Sequence[int] = ()) -> date | None:
    """The day on which the one class ends that a text names, or an item of which it does; else that of the one that
    was spoken of."""
    said = fold_numbers(text)
    named = [*classes_in(text, plan.classes)] or [
        row["id"]
        for row in plan.classes
        if any(head in said for one in row.get("items", ()) for head in fold_numbers(one["content"]).split()[:1])
    ]
    ends = [row["end_date"] for row in plan.classes if (named or [*spoken]) == [row["id"]] and row.get("end_date")]
    return date.fromisoformat(ends[0]) if ends else None


def _spell_last(found: re.Match[str], plan: SelectionPlan) -> str:
    """The last week of the one class that a text is about, else of the plan; its last days, where these are told."""
    term, zh = plan.term, has_chinese(found.string)
    last = _find_end(found.string, plan) or term.day(plan.last_week, 7)
    week = term.week_day(last)[0]
    if told := found["days"] or found["days2"]:
        first = last - timedelta(days=1 if told in ("两", "2", "two", "couple of") else 2)
        return "到".join(f"{day.month}月{day.day}日" for day in (first, last)) if zh else f"{first} to {last}"
    return found.group() if week >= term.weeks else f"第{week}周" if zh else f"week {week}"


def _spell_last_day(text: str, plan: SelectionPlan) -> str:
    """A text that puts something on the last day of a class with that day by its date."""
    found = _LAST_DAY.search(text) if _PUTS.search(text) else None
    if found is None or (end := _find_end(text, plan, plan.spoken())) is None:
        return text
    return _LAST_DAY.sub(f"{end.month}月{end.day}日" if has_chinese(text) else f"{end.day} {end:%B}", text)


_PUTS = re.compile(r"[放挪移排塞推搬]|\b(?:put|moved?|place|stick|shift|push|squeeze|fit)\b", re.IGNORECASE)
_SHORT = re.compile(r"(?<![a-z\d])([a-z])\s?(\d{1,2})(?![\d:点号日月周天节/.-]|[a-z])", re.IGNORECASE)
"""U5, c3: the first letter of a kind and a number."""
_OTHER_CLASSES = re.compile(
    rf"(?:另外|其[他余它]|剩下|别)的?(?P<n>{_NUM})[门个]课?(?:程)?"
    rf"|\b(?:the|my) other (?P<n2>{_EN_NUM})? ?(?:class|course"
    rf"|subject)(?:es|s)?\b|\b(?P<one>the other (?P<n3>one|two|three))\b(?! of)|(?P<one2>另)(?P<n4>[1一])个",
    re.IGNORECASE,
)
MAKES = re.compile(
    r"新建|创建|新增|加(?:一|1)[门个节章]|\b(?:create|new class|add (?:an?|another)|set up)\b", re.IGNORECASE
)
_ASKS_WHICH = re.compile(
    r"哪些|哪几|什么(?!时候)|多少|(?<![那这好])几[个项](?!没)|有没有|还有|列"
    r"|\b(?:which|how many|list|what(?:'s| is| are|s)(?! already| in\b| there\b| placed)|are there|is there)\b",
    re.IGNORECASE,
)
"""What has no place is asked for, not picked."""
_LONGEST = 240


@dataclass(frozen=True)
class SelectionPlan:
    """What descriptions are about: the items as they stand, their classes, the time, the classes spoken of last."""

    tasks: Sequence[TaskView]
    classes: Sequence[ClassView]
    now: tuple[int, int, int]
    spoken: Callable[[], list[int]]
    term: SemesterDates
    last_week: int


_ON_WHICH = re.compile(r"\b(?:which|what) (?:day|date|week)\b.* on\W*$", re.IGNORECASE)
"""Which day is chapter 5 on: no chapter behind it is meant."""


def spell_out_selections(message: str, plan: SelectionPlan) -> str:
    """The message with the items that it describes by their names."""
    if not plan.tasks or len(message) > _LONGEST or MAKES.search(message):
        return message
    text = _put_class_behind(_spell_last_day(message, plan), plan)
    text = _SHORT.sub(lambda found: _spell_label(found, plan), text)
    for form, choose in _FORMS if _describes(text) else ():
        if (choose is _unplaced and _ASKS_WHICH.search(text)) or (choose is _from and _ON_WHICH.search(text)):
            continue
        for match in reversed([*form.finditer(text)]):
            rows = choose(_told(match, text, plan))
            if rows and len(rows) < len(plan.tasks):
                named = join_names(rows, plan.tasks, zh=has_chinese(message))
                text = text[: match.start()] + named + _without_class(text, match, plan)
    text = _LAST_WEEK.sub(lambda found: _spell_last(found, plan), text) if _PUTS.search(text) else text
    text = _ONLY_KEPT.sub(lambda found: _spell_others(found, plan), text)
    text = _spell_counted(text, plan)
    text = _WHICH_AND.sub(r"\1，", text) if text != message else text
    return _OTHER_CLASSES.sub(lambda found: _spell_classes(found, plan), text)


@lru_cache(maxsize=4096)
def _describes(text: str) -> bool:
    """Whether a text has any form that describes items: most have none, and are read with each view again."""
    return any(form.search(text) for form, _ in _FORMS)


_OF_CLASS = r"\b((?:first|last|final|next)(?: {number})?) {name} (ones?|{kind})\b"


def _say_of(found: re.Match[str], name: str) -> str:
    kind = found[2] if found[2].lower().rstrip("s") != "one" else f"item{'s' * found[2].lower().endswith('s')}"
    return f"{found[1]} {kind} of {name}"


def _put_class_behind(message: str, plan: SelectionPlan) -> str:
    """A message with the class behind the kind of its items: the last chapter of maths for the last maths chapter."""
    names = tuple(row["name"] for row in plan.classes)
    for name in find_pieces(fold_text(message), names) if message.isascii() else ():
        form = _OF_CLASS.format(number=_EN_NUM, name=re.escape(name), kind=_EN_ANY)
        message = re.sub(form, lambda found, of=name: _say_of(found, of), message, flags=re.IGNORECASE)  # type: ignore[misc]
    return message


def _spell_others(found: re.Match[str], plan: SelectionPlan) -> str:
    """The items of the same class that are not among those to be kept: 实验只留前三个，后面的都拿出来."""
    said = fold_numbers(found["kept"] or found["kept2"])
    kept = [row for row in plan.tasks if re.search(rf"{re.escape(fold_numbers(_short_name(row)))}(?!\d)", said)]
    owners = {row["class_id"] for row in kept}
    others = [row for row in plan.tasks if row["class_id"] in owners and row not in kept and row["slot"]]
    if len(owners) != 1 or not others:
        return found.group()
    names = join_names(others, plan.tasks, zh=has_chinese(found.string))
    return names if found["kept"] else f"take {names} out"


def _spell_counted(text: str, plan: SelectionPlan) -> str:
    """The items at a day where they are as many as is said; else the words stay, and the goal tells what is there."""
    folded = fold_text(text)
    for time in reversed(read_times(text, plan.term)) if len(folded) == len(text) else ():
        head, rest = folded[: time.start], folded[time.end :]
        behind, before = _COUNTED_BEHIND.match(rest), _COUNTED_BEFORE.search(head)
        first, day = time.first, time.weekdays[0] if len(time.weekdays) == 1 else 0
        if not (behind or before) or (not day and first != time.last) or time.side:
            continue
        found = sorted((row for row in plan.tasks if (slot := row["slot"]) and (
            plan.term.day(slot["week"], slot["day_of_week"]) == first if first else slot["day_of_week"] == day
        )), key=when_of)  # fmt: skip
        ahead = [row for row in found if first or when_of(row)[:2] >= plan.now[:2]]
        rows = [row for row in ahead if when_of(row)[:2] == when_of(ahead[0])[:2]]
        said = behind["n"] if behind else (before["n"] if before else "") or "two"
        if len(rows) == _number(said) > 1:
            named = join_names(rows, plan.tasks, zh=has_chinese(text))
            start, stop = (
                (time.start, time.end + behind.end()) if behind else (before.start() if before else 0, time.end)
            )
            apart = " " if re.match(r"[一二三四五六七八九十\d]", text[stop:]) else ""
            text = text[:start] + named + apart + text[stop:]
            folded = fold_text(text)
    return text


def _told(match: re.Match[str], text: str, plan: SelectionPlan) -> _Described:
    groups = match.groupdict()
    kind = (
        fold_text(groups.get("kind") or groups.get("kind2") or "")
        .removesuffix("s")
        .removesuffix("节")
        .removesuffix("课")
    )
    kinds: tuple[str, ...] = next(
        (kinds for kinds in KINDS if kind and kind in kinds), (kind,) if re.fullmatch(_LISTED_KIND, kind) else ()
    )
    if not kinds and match.groupdict().get("kind") == "":
        kinds = (
            _only_kind(text) if "n" in match.groupdict() or re.search(r"剩|余下|半|rest|half", match.group()) else ()
        )
    rows = [row for row in plan.tasks if not kinds or any(one in fold_text(row["name"]) for one in kinds)]
    head = re.split(r"[。;；.!?？]", text[: match.start()])[-1]
    clause = f"{head} {re.split(r'[,，。;；.!?？]', text[match.end() :])[0]}"
    named = [] if kinds and len({row["class_id"] for row in rows}) == 1 else classes_in(clause, plan.classes)
    rows = [row for row in rows if not named or len(named) == len(plan.classes) or row["class_id"] in named]
    rows.sort(key=lambda row: (row["class_id"], row["order"]))
    return _Described(rows, plan.now, match, text[: match.start()])


def _only_kind(text: str) -> tuple[str, ...]:
    """The one kind of items that a message speaks of; empty for none or several."""
    said = [kinds for kinds in KINDS[:4] if re.search(rf"(?<![a-z])(?:{'|'.join(kinds)})s?(?![a-z])", fold_text(text))]
    return said[0] if len(said) == 1 else ()


def _without_class(text: str, match: re.Match[str], plan: SelectionPlan) -> str:
    """What stands behind a description, without the class whose items it is about: half of [the maths one]. What is
    deleted is deleted of its class."""
    rest = text[match.end() :]
    of = re.match(r"\s+of (?:the |my )?", rest, re.IGNORECASE) if match.groupdict().get("kind") else None
    if match.groupdict().get("kind") and (of is None or DELETES.search(text)):
        return rest
    if of is None and not re.search(r"\bof (?:the |my )?$", match.group(), re.IGNORECASE):
        return rest
    rest = rest[of.end() :] if of else rest
    names = tuple(row["name"] for row in plan.classes)
    said = next((one for one in find_pieces(fold_text(rest), names) if fold_text(rest).startswith(one)), "")
    if of is not None:
        return rest[len(said) :] if said else text[match.end() :]
    other = re.match(r"(?:[\w-]+ )?(?:one|class|course|stuff)\b|\w+", rest)
    return rest[len(said) :] if said else rest[other.end() :] if other else rest


DELETES = re.compile(r"\b(?:delete|remove|drop|scrap|cut)", re.IGNORECASE)
_LISTED_KIND = r"专题|list|topic|experiment"


def _short_name(row: TaskView) -> str:
    """The label at the head of a name where it has one: 第3章 of 第3章 随机变量."""
    name = row["name"]
    label = re.match(r"\s*(第\s*\S{1,3}?\s*[章讲课项次]|[^\d\s]{1,12}\s*\d{1,3}(?!\d))", name)
    return (label[1] if label else name).strip()


def name_alone(row: TaskView, rows: Sequence[TaskView]) -> str:
    """How an item is named beyond doubt among others: by its label, its name, else its id."""
    same = [other for other in rows if _short_name(other) == _short_name(row)]
    if len(same) == 1 and not re.search(r"[、&,，]", _short_name(row)):
        return _short_name(row)
    return f"[{row['state_id']}]"


def join_names(chosen: Sequence[TaskView], rows: Sequence[TaskView], *, zh: bool) -> str:
    """How chosen items are named among others, side by side."""
    *names, last = (name_alone(row, rows) for row in chosen)
    return "、".join((*names, last)) if zh else " and ".join(filter(None, (", ".join(names), last)))


def _spell_label(found: re.Match[str], plan: SelectionPlan) -> str:
    letter, number = found[1].lower(), int(found[2])
    rows = []
    for row in plan.tasks:
        label = LABEL.match(fold_numbers(row["name"]))
        words = [*re.findall(r"[a-z]+", label[1]), *_kind_words(label[1])] if label else []
        if label and int(label[2]) == number and any(word.startswith(letter) for word in words[-2:]):
            rows.append(row)
    chapters = (
        []
        if rows or letter != "c"
        else [row for row in plan.tasks if "章" in row["name"] and number_of_item(row) == number]
    )
    rows = rows or chapters
    return name_alone(rows[0], plan.tasks) if len(rows) == 1 else found.group()


def _kind_words(label: str) -> list[str]:
    head = label.strip()
    return [word for kinds in KINDS if head in kinds for word in kinds if word.isascii()]


_PLANS_THEM = re.compile(r"排|规划|\b(?:plan|schedule)\b", re.IGNORECASE)


def _head_of(name: str) -> str:
    """The label of a name, or the whole of it: Lab 3 of Lab 3 Bridge circuit."""
    found = LABEL.match(fold_numbers(name))
    return found.group().strip() if found else fold_numbers(name)


def _spell_classes(found: re.Match[str], plan: SelectionPlan) -> str:
    """The classes besides those that are named or were spoken of, where they are as many as is said."""
    text = found.string[: found.start()] + " " + found.string[found.end() :]
    if found.group().endswith("个") and re.search("[放挪移推]", text):
        return found.group()
    alone = (found["one"] or found["one2"]) is not None
    heads = {item["content"]: _head_of(item["content"]) for row in plan.classes for item in row.get("items", ())}
    named = [name for name, head in heads.items() if head in fold_numbers(text)]
    owners = [row["id"] for row in plan.classes if any(item["content"] in named for item in row.get("items", ()))]
    known = classes_in(text, plan.classes) or owners or ([] if alone else plan.spoken())
    others = [row["name"] for row in plan.classes if row["id"] not in known]
    told = next((one for name in ("n", "n2", "n3", "n4") if (one := found[name])), "")
    number = _number(told) if told else len(others)
    if len(others) != number:  # of those that have no plan yet
        placed = {row["class_id"] for row in plan.tasks if row["slot"]}
        others = [row["name"] for row in plan.classes if row["id"] not in {*known, *placed}]
    rows = [item["content"] for row in plan.classes if row["id"] in known for item in row.get("items", ())]
    if named and {*named} < {*rows} and len(rows) - len(named) == number:
        others = [name for name in rows if name not in named]
    if not known or len(others) != number or (alone and not _PLANS_THEM.search(text)):
        return found.group()
    return ("和" if has_chinese(found.string) else " & ").join(others)
