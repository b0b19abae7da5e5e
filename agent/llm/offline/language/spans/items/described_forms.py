"""The forms of words that describe items of a class by their place in it, and which items each of them picks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from agent.llm.offline.language.normalize import digits, fold_numbers
from agent.llm.offline.language.spans.times.words import MONTH
from agent.loop.view_document import TaskView

NUM = r"(?:\d{1,2}|[一二两俩三四五六七八九十]{1,3})"
EN_NUM = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|couple(?: of)?)"
_EN_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORD = rf"(?:{'|'.join(_EN_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))"
_ZH_KIND = r"(?:章节?|单元|units?|实验课?|labs?|讲|专题|chapters?)"
_ZH_ANY = rf"(?:{_ZH_KIND}|学习?任务|任务|内容|项)"
_EN_KIND = r"(?:chapters?|units?|labs?|experiments?|lectures?|lessons?|topics?|lists?)"
EN_ANY = rf"(?:{_EN_KIND}|(?:study |revision )?(?:items?|tasks?|sessions?|things?|bits?))"
_THE = r"(?:\b(?:all (?:of )?)?(?:the|my|those|these|our) )"
_FROM = (
    r"(?:[,，]?(?:以及|及|和)?(?:它)?(?:之后|以后|往后)的?(?=[都全]|所有|全部)|(?:以及|及|和)(?:它)?后[面边]的?(?=[都全]|所有|全部)|的?(?:之后|以后|往后|后面"
    r"|后边)的(?!那?[一1]?个|(?:[一两二三四五\d]\s*个?)?(?:天|周|日|星期))(?:所有|全部|那?些|内容)?"
    r"|(?:开始|起)(?:往后|以后|之后)?的?(?:所有|全部|那?些)?(?=都|全|$|[,，移挪推延提改取拿往移先]|的"
    r"|到最后)(?:到最后)?|(?:一直)?到(?:最后(?!1|一)|结尾|末尾)(?:的|1?[章个项])?|及(?:之|以)后的?)"
)
_UP_TO = r"(?:(?:之前|以前|前面|前边)的(?:所有|全部|那?些|内容)?(?!那?[一1]?[个章项])|及(?:之|以)前的?)"
_BARE = r"(?: ones?| of them)?(?=\s*(?:[,.;!]|$|(?:are|were|have been)\b|(?:an?|one|two|\d) (?:day|week)))"
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
class Described:
    """What one form of words needs to choose: the items, the classes, the item now, the text before it."""

    rows: list[TaskView]
    """Those of the kind and of the classes that are said, in the order of their class."""
    now: tuple[int, int, int]
    match: re.Match[str]
    before: str

    @property
    def number(self) -> int:
        return read_count(self.match.groupdict().get("n") or "1")

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


def read_count(said: str) -> int:
    said = said.lower()
    if said in _EN_ORDINALS:
        return _EN_ORDINALS.index(said) + 1
    if said.startswith("couple"):
        return 2
    found = re.search(r"\d+", digits(fold_numbers(said)))
    return int(found.group()) if found else 1


def _first(told: Described) -> list[TaskView]:
    if told.match.groupdict().get("kind") == "" and not told.of_one_class:
        return []
    rows = told.rows if told.of_one_class else told.in_time
    return rows[: told.number]


def _last(told: Described) -> list[TaskView]:
    if told.match.groupdict().get("kind") == "" and not told.of_one_class:
        return []
    rows = told.rows if told.of_one_class else told.in_time
    return rows[-told.number :] if rows else []


def _nth(told: Described) -> list[TaskView]:
    at = told.number
    return told.rows[at - 1 : at] if told.of_one_class else []


def _nth_last(told: Described) -> list[TaskView]:
    at = told.number
    return told.rows[-at:][:1] if told.of_one_class and at <= len(told.rows) else []


def _next(told: Described) -> list[TaskView]:
    return told.ahead[: told.number]


def _after_next(told: Described) -> list[TaskView]:
    return told.ahead[1:2]


def _earliest(told: Described) -> list[TaskView]:
    return told.in_time[:1]


def _latest(told: Described) -> list[TaskView]:
    return told.in_time[-1:]


def _rest(told: Described) -> list[TaskView]:
    """What is still to come or has no place, of more than one item; not those that are named before."""
    named = fold_numbers(told.before)
    found = [row for row in told.rows if (not row["slot"] or when_of(row) > told.now) and row["mark"] != "done"]
    found = [row for row in found if not _says(row, named)]
    return found if told.of_one_class else []


def _half(told: Described) -> list[TaskView]:
    rows = told.rows if told.of_one_class else []
    first = re.search(r"前|first", told.match.group(), re.IGNORECASE)
    return rows[: (len(rows) + 1) // 2] if first else rows[(len(rows) + 1) // 2 :]


def pick_from(told: Described) -> list[TaskView]:
    at, said = told.number, told.match.group().lower()
    beyond = re.search(r"之后|以后|后面|后边|\b(?:after|past|beyond|above) (?:[a-z]+ )?\d", said)
    beyond = None if re.search(r"[及和起从自]|开始", said) else beyond
    return [
        row
        for row in told.rows
        if number_of_item(row) and (number_of_item(row) > at if beyond else number_of_item(row) >= at)
    ]


def _until(told: Described) -> list[TaskView]:
    at, with_it = told.number, re.search(r"及|\bup to\b|\bthrough\b", told.match.group())
    return [row for row in told.rows if 0 < number_of_item(row) < at + bool(with_it)]


def _beside(told: Described) -> list[TaskView]:
    at, step = told.number, -1 if re.search(r"前|上|before|preced", told.match.group()) else 1
    return [row for row in told.rows if number_of_item(row) == at + step]


def _every_other(told: Described) -> list[TaskView]:
    odd = told.match["n"] is not None
    return [row for row in told.rows if number_of_item(row) % 2 == odd]


def _last_of_each(told: Described) -> list[TaskView]:
    last = {row["class_id"]: row for row in told.rows}
    return [*last.values()]


def _around(told: Described) -> list[TaskView]:
    at = read_count(told.match["n"] or told.match["n2"])
    return [row for row in told.rows if number_of_item(row) in (at - 1, at + 1)]


def pick_unplaced(told: Described) -> list[TaskView]:
    return [row for row in told.rows if not row["slot"]]


def number_of_item(row: TaskView) -> int:
    """The number in the name of an item, else its place in its class."""
    found = re.search(r"\d+", fold_numbers(row["name"]))
    return int(found.group()) if found else row["order"]


def _says(row: TaskView, text: str) -> bool:
    return re.search(rf"(?<!\d){re.escape(fold_numbers(short_name(row)))}(?!\d)", fold_numbers(text)) is not None


FORMS: tuple[tuple[re.Pattern[str], Callable[[Described], list[TaskView]]], ...] = tuple(
    (re.compile(form, re.IGNORECASE), choose)
    for form, choose in (
        # from one on, up to one
        (rf"(?:从|自)?第?\s*(?P<n>{NUM})\s*个?(?P<kind>{_ZH_KIND})\s*{_FROM}", pick_from),
        (rf"(?:从|自)?(?<![\d一二三四五六七八九十])(?P<kind>{_ZH_KIND})\s*(?P<n>{NUM})\s*{_FROM}", pick_from),
        (rf"第\s*(?P<n>{NUM})\s*个?(?P<kind>{_ZH_KIND})\s*{_UP_TO}", _until),
        (rf"(?<![\d一二三四五六七八九十])(?P<kind>{_ZH_KIND})\s*(?P<n>{NUM})\s*{_UP_TO}", _until),
        (
            rf"\b(?:from |since )?(?:the )?(?P<kind>{_EN_KIND}) (?P<n>\d{{1,2}})(?:\+|,? (?:and|&|or) up| up(?= to \d)"
            r"|(?:,? and|,? &|,? or)? (?:upwards?|above|(?:(?<=and )|(?<=or )|(?<=& ))later|beyond"
            r"|after(?! (?:the |my )?[a-z]+ \d)(?: that)?"
            r"|onwards?|on(?=\s*(?:[,.;]|$|everything|all\b|should|can|"
            r"goes|go\b|gets?\b|needs?\b))|everything (?:after|behind)(?: it| that)?|the (?:rest"
            r"|ones after)(?: of them)?)"
            r"|(?: all the way)? to the (?:end|last(?: one)?)(?=\s*(?:[,.;!?]|$)| (?:should|can|goes|a"
            r"|by)\b))(?!\s*\d)",
            pick_from,
        ),
        (
            rf"\b(?:everything|all|anything|{_EN_KIND}) (?:from|after|past"
            rf"|beyond) (?P<kind>{_EN_KIND}) (?P<n>\d{{1,2}})"
            r"(?: on(?:wards?)?)?\b",
            pick_from,
        ),
        (
            rf"\b(?:everything|all|anything|{_EN_KIND}) (?:before|up to"
            rf"|through) (?P<kind>{_EN_KIND}) (?P<n>\d{{1,2}})\b",
            _until,
        ),
        (rf"\b(?:the )?(?P<kind>{_EN_KIND}) (?:from|after|past|beyond|above) (?P<n>\d{{1,2}}){_NO_HOUR}", pick_from),
        (rf"\b(?:the )?(?P<kind>{_EN_KIND}) (?:before|below|up to|through) (?P<n>\d{{1,2}}){_NO_HOUR}", _until),
        (
            rf"第\s*(?P<n>{NUM})\s*(?P<kind>{_ZH_KIND})的?前[面一]?[那一1]*个?和后[面一]?[那一1]*个"
            rf"|第\s*(?P<n2>{NUM})\s*(?P<kind2>{_ZH_KIND})的?前后(?:两|2|各[一1])个?[章讲项]?",
            _around,
        ),
        # each other one, the last of each class
        (rf"(?:所有的?|全部)?(?:(?P<n>奇|单)|偶|双)数的?(?P<kind>{_ZH_KIND})", _every_other),
        (rf"\b(?:all )?(?:the )?(?:(?P<n>odd)|even)(?:[- ]numbered)? (?P<kind>{_EN_KIND})\b", _every_other),
        (rf"(?P<kind>)每[门个](?:课|任务类|科)?的?最后[一1]?(?:个|{_ZH_ANY})", _last_of_each),
        (
            rf"(?P<kind>)\b(?:the )?(?:last|final) (?:one|{EN_ANY}) (?:of|in) (?:every|each)(?: (?:class"
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
        (
            rf"(?P<kind>)\b(?:the )?(?:first|second|last|latter|back) half of (?=\w)(?!(?:the |this |next "
            rf")?month\b|{MONTH})",
            _half,
        ),
        (rf"(?:剩下|剩余|余下|其余|还没[学上做背看])的?(?:那?(?:些|几|{NUM})?个?)(?P<kind>{_ZH_KIND})", _rest),
        (rf"(?P<kind>{_ZH_KIND})(?:剩下|剩余|余下|其余)的?(?:那?[些几]个?)?", _rest),
        (
            r"(?P<kind>)(?:剩下|剩余|余下|还没[学上做背看完]+)的(?:那?[些几]个?|内容|部分|全部|任务)?(?=[都全]"
            r"|往|挪|推|提|移|延|先|改)",
            _rest,
        ),
        (rf"(?:\bthe rest of {_THE}?|{_THE}?\bremaining (?:{EN_NUM} )?)(?P<kind>{_EN_KIND})\b", _rest),
        (
            r"(?P<kind>)\b(?:the rest|(?<!^)(?<!so )(?<!and )(?<!then )what(?:'s| is) left) of (?:the |my )?(?=\w)",
            _rest,
        ),
        # what has no place
        (
            rf"(?P<kind>)(?:[这那]些?(?:[几\d]|{NUM})?个?|所有|全部)?(?:目前|现在|还)*(?:没有?|未|无"
            rf"|缺)(?:{_PLACED_ZH})的(?:[那这]?(?:些|(?:几|{NUM})[个项章门]))?(?:任务|内容)?",
            pick_unplaced,
        ),
        (
            rf"(?P<kind>)(?:[这那]些?(?:[几\d]|{NUM})?个?)?[排放塞]不[上进下]去?的"
            rf"(?:[那这]?(?:些|(?:几|{NUM})[个项章]))?(?:任务|内容)?",
            pick_unplaced,
        ),
        (
            rf"(?P<kind>)\b(?:(?:all )?(?:the|those|these|my|any) )?(?:(?:ones?|items?|tasks?|things?|stuff"
            rf"|bits|two|three|four|\d) ?)+"
            rf"(?: ?that| ?which)? {_NOT_PLACED_EN}(?!(?: the)? ?(?:\w+ing|afternoon|night|week(?:end)?)\b)"
            r"|(?P<kind2>)\b(?:whatever|what|everything"
            rf"|anything) {_NOT_PLACED_EN}",
            pick_unplaced,
        ),
        (
            r"(?P<kind>)\b(?:all )?(?:the |my |those |any )?(?:missing|unplaced|unscheduled|homeless|left[- ]?over) "
            r"(?:ones?|items?|tasks?|things?|stuff|bits|chapters?|units?|labs?|three|two|\d)\b|(?P<kind2>)\b(?:all )?"
            r"(?:the |my |those |any )?leftovers\b",
            pick_unplaced,
        ),
        (
            r"(?P<kind>)\b(?:all of )?what(?:ever)?(?:'s| is| are)? (?:still )?(?:missing|unplaced|homeless"
            r"|left over)\b",
            pick_unplaced,
        ),
        (
            r"(?P<kind>)(?:剩下|剩余|其余)的?(?:那?(?:些|几|[\d一二两三四五六])[个项]?)?(?:任务|内容)?(?=(?:也"
            r"|都|就|接着|继续|全部?|给我|帮我)*(?:[排塞]|安排|放[进上]|补))",
            pick_unplaced,
        ),
        (
            r"(?P<kind>)(?:(?<=place )|(?<=schedule )|(?<=fit in )|(?<=fit )|(?<=squeeze in )|(?<=slot in ))"
            r"(?:the rest|what's left|the (?:remaining|other) ones)\b",
            pick_unplaced,
        ),
        # so many from an end, one by its number, the next ones
        (rf"(?:最?前面?|头|开头|最开始)的?(?P<n>{NUM})\s*(?:个|项|次)?的?(?P<kind>{_ZH_ANY})", _first),
        (
            rf"{_NO_TIME}(?<![章讲项元\d])(?:最?后面?|末尾?|结尾|倒数)的?那?(?P<n>{NUM})\s*(?:个|项"
            rf"|次)?的?(?P<kind>{_ZH_ANY})(?!后)",
            _last,
        ),
        (rf"倒数第\s*(?P<n>{NUM})\s*[个次项]?的?(?P<kind>{_ZH_KIND})", _nth_last),
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
        (rf"第\s*(?P<n>{NUM})\s*[个次]的?(?P<kind>{_ZH_KIND})", _nth),
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
            rf"(?P<kind>)\b(?:the )?first (?P<n>{EN_NUM}){_BARE}",
            _first,
        ),
        (
            rf"(?P<kind>)\b(?:the )?last (?P<n>{EN_NUM}){_BARE}",
            _last,
        ),
        (
            rf"(?:我?(?:的)?下|接下来的?|最近的?|马上要[学做背上]的)(?P<n>{NUM})?\s*(?:个|次"
            rf"|项)?(?:要[学做背看]的)?(?P<kind>{_ZH_KIND})",
            _next,
        ),
        (rf"(?:接下来的?|最近的?|下)(?P<n>{NUM})\s*(?:个|次)?(?P<kind>学习?任务|任务|内容|项)(?!是[什啥])", _next),
        (rf"{_THE}?\b(?:first|opening) (?P<n>{EN_NUM}) (?P<kind>{EN_ANY})\b", _first),
        (rf"{_THE}?\b(?:last|final) (?P<n>{EN_NUM}) (?P<kind>{EN_ANY})\b", _last),
        (
            rf"(?:\b(?:the|my) )(?:second[- ]to[- ]last|next[- ]to[- ]last|penultimate"
            rf"|second[- ]last) (?P<kind>{_EN_KIND})\b",
            lambda told: told.rows[-2:-1] if told.of_one_class else [],
        ),
        (
            rf"{_THE}(?:last|final|very last) (?P<kind>{EN_ANY})\b(?! (?:on|of (?:the|a|this|each|every|my)|in"
            rf"|before|this|next|i|i'll|i'm|we|to)\b)",
            _last,
        ),
        (rf"{_THE}earliest (?P<kind>{EN_ANY})\b", _earliest),
        (rf"{_THE}latest (?P<kind>{EN_ANY})\b", _latest),
        (rf"{_THE}(?P<n>{_ORD}) (?P<kind>{_EN_KIND})\b(?! \d)", _nth),
        (rf"{_THE}?\b(?:next|upcoming|coming) (?P<n>{EN_NUM}) (?P<kind>{EN_ANY})\b", _next),
        (rf"{_THE}(?:next|upcoming|coming) (?P<kind>{_EN_KIND}|(?:study |revision )?(?:item|task|session))\b", _next),
        # the one beside another
        (rf"第\s*(?P<n>{NUM})\s*(?P<kind>{_ZH_KIND})的?[前后上下][面边]?的?[那一1]+[个章项讲次]", _beside),
        (rf"(?P<kind>{_ZH_KIND})\s*(?P<n>{NUM})\s*的?[前后上下][面边]?的?[那一1]+[个章项讲次]", _beside),
        (
            rf"\bthe (?:one|{EN_ANY}) (?:right |just |straight |immediately )?(?:before|after|preceding|following) "
            rf"(?P<kind>{_EN_KIND}) (?P<n>\d{{1,2}})\b",
            _beside,
        ),
    )
)
"""Each form of words for items of a kind, and which of the kind they are. The kind is empty where a class is said."""


def short_name(row: TaskView) -> str:
    """The label at the head of a name where it has one: 第3章 of 第3章 随机变量."""
    name = row["name"]
    label = re.match(r"\s*(第\s*\S{1,3}?\s*[章讲课项次]|[^\d\s]{1,12}\s*\d{1,3}(?!\d))", name)
    return (label[1] if label else name).strip()
