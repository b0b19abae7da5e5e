"""A task class described in a sentence -> the arguments of `upsert_task_class`, and what is still missing.

新建任务类「线性代数复习」，3月16日到4月12日，共12节，均匀分布，周日不排，内容：行列式、矩阵、向量组
create a task class "Algebra", week 3 to 6, 12 sections, no weekends, items: matrices, vectors
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese, widths, words
from agent.llm.offline.language.spans.classes.class_times import excludes, read_exclusions, without_days_off
from agent.llm.offline.language.spans.classes.item_list import items_of, parts_of, read_quoted
from agent.llm.offline.language.spans.classes.rhythms import (
    count_times,
    minutes_each,
    read_duration,
    read_rhythm,
    sections_of,
    spell_duration,
    take_lengths,
    without_rhythm,
)
from agent.llm.offline.language.spans.conditions.limit_forms import FROM_NOW_ON
from agent.llm.offline.language.spans.dates import range_in
from agent.llm.offline.language.spans.mentions import find_quoted_texts
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates

_NAME_BEFORE = re.compile(
    r"(?:新建|创建|建立|添加|新增|建|加)(?:一个|一门|个|门)?(?:新的)?(?P<name>[^,，。;；「」《》:：]{1,40}?)(?:的)?"
    r"(?:任务类|复习计划|学习计划|学习任务)"
)
_NAME_AFTER = re.compile(
    r"(?:任务类|任务(?=\s*:)|复习计划|学习计划|学习任务)\s*(?:叫做|叫|名为|名称是|名字是|是|:|：)?\s*(?P<name>[^,，。;；:：\s「」《》]{1,40})"
)
_NAME_EN = re.compile(
    r"(?:(?:task class|study plan|revision plan)\s+(?:called|named|for|:)?|\bplan\s+(?:called|named|for))"
    r"\s*(?P<name>[\w][\w &'/+-]{0,58}?)"
    r"(?=\s*(?:[,.;:]|$|\bfrom\b|\bwith\b|\bweek))",
    re.IGNORECASE,
)
_NAME_EN_BEFORE = re.compile(
    r"(?:create|add|make|new)\s+(?:an?\s+|the\s+|new\s+)*(?P<name>[\w][\w &'/+-]{0,58}?)\s+(?:task class|study plan)",
    re.IGNORECASE,
)
_NAME_TOLD = re.compile(
    r"(?:改名|重命名|名称|名字|课程?名|(?<![改])叫做?|名为|取名|\bcalled|\bnamed|name|\bcall (?:it|the (?:[\w-]+ ){1,3}"
    r"class)|rename\b.{1,40}?\bto)\s*(?:改)?(?:叫|是|为|成|is|to|:|：)?\s*(?P<name>[^,，。;；:：]{1,40})",
    re.IGNORECASE,
)
_NAME_WISHED = re.compile(
    r"(?<!不)(?:想|要|打算|计划|需要|want to|plan to|need to|like to|going to|gonna).{0,20}?"
    r"(?:复习|学习|备考|(?<!大)学(?![习校期院生分会完])|study(?:ing)?|revis(?:e|ing)|learn(?:ing)?)(?:[一1]下)?\s*"
    r"(?P<name>[^,，。;；:：\d]{2,20}?)\s*(?=[,，。;；:：]|$)",
    re.IGNORECASE,
)
_NAME_EXAM = re.compile(
    r"(?:要|准备|参加|报了|得|去)考(?![试虑核完得不了])\s*(?P<name>[^,，。;；:：\d了]{2,20}?)\s*(?:考试)?了?\s*(?=[,，。;；]|$)"
)
_NO_NAME = re.compile(
    r"(?:不对?|不是|错了?|说错了|等等|等一下|哦|嗯+|额|好的?|行|可以|对|是的?|随便|不知道|没有|你定"
    r"|no|not|wait|ok(?:ay)?|y|yes|yeah?|yep|sure|sorry|actually|hm+|well|oops|i don't know|whatever)[吧呢啊了.!?]*"
)
"""Words of consent or correction: no name of a class."""
_FACT = re.compile(r"^\d+$|\d\s*(?:周|月|日|号|节|次|份|章|/|\.\d)|\b(?:weeks?|sections?|parts|items)\b|\d{4}-")
_TOTAL = re.compile(r"(?<![第\d.~-])(?<!\d[-~到至])(\d{1,3})\s*(?:个)?(?:节(?!次)|课时|学时|sections?\b|periods?\b)")
_EACH = re.compile(
    r"(?:每|各)(?:个|项|章|次|份|讲|部分|单元)?[^,，。;；\d天周日晚]{0,6}\s*(\d)\s*(?:节|课时)"
    r"|\b(\d)\s*(?:(?:sections?|periods?)\s*)?(?:each|(?:per|a|every) (?:item|session|lab|chapter|one|time))\b"
    r"|\b(?:each|every) [^,.;\d]{0,40}?(\d) (?:sections?|periods?)\b"
    r"|(\d)\s*节[一1](?:个|项|章|次|份|讲|单元)|(?<!\d)[一1](?:个|项|章|次|份|讲|单元)\s*(\d)\s*节(?!课)"
)
_COURTESY = re.compile(r"(?: (?:instead|please|pls|thanks|then|for now))+$|(?<=.)吧$", re.IGNORECASE)
_AT_MOST = re.compile(
    r"最多|至多|顶多|不(?:要|能)?超过|[每1][天日周](?!期)|\b(?:at most|no more than|max(?:imum)?)\b"
    r"|\b(?:a|per|each|every) (?:day|week)\b"
)
"""So much a day or a week, or no more than that: no total."""
_STOPS = re.compile(r"(?<=\w{3})[.!?](?:\s|$)|[.!?！？\s]+$")
"""The end of the sentence that a name stands in."""
_FROM_NOW_ON = re.compile(FROM_NOW_ON.pattern, re.IGNORECASE)
_BEGINS = re.compile(r"(?:\bnot|n'?t) (?:start|begin|open|available|released)\w*\b|[才再]开始")
_NO_FILLER = re.compile(
    r"(?:(?<!能)(?<!可)不|(?<![特区级分])别(?!的)|勿|禁止|关[闭掉])[^,，。;；]{0,16}(?:水课|嵌入|课上|课里)"
    r"|(?:水课|嵌入|课上|课里)[^,，。;；]{0,6}(?:不[许让准要]|(?<![特区级分])别(?!的)|关[闭掉])"
    r"|(?<!why )(?:\b(?:no|not|never|stop|disallow|forbid|disable)|n't)\b(?! (?:mind|forget))[^,.;]{0,40}\bfiller\b"
    r"|\bturn\b[^,.;]{0,30}\bfiller\b[^,.;]{0,12}\boff\b"
    r"|\b(?:turn off|keep [^,.;]{1,30} (?:out of|off|away from))\b[^,.;]{0,30}\bfiller\b"
    r"|\b(?:no|not|never|don't|without)\b[^,.;]{0,30}\b(?:inside|during|in) (?:a |my |the )?(?:lectures?"
    r"|class(?:es)?|courses?)\b"
)
_EXAMINED = re.compile(r"考(?![虑核])|测验|\b(?:exams?|tests?|finals?|midterms?)\b")
_PERIOD = re.compile(r"[上中下]旬|周|\b(?:early|mid|late|weeks?)\b")
_STUDIED = re.compile(
    r"[到至~-]|从|学|复习|备考|排|建|计划|\b(?:to|from|until|till|study|revis\w*|plan|create|add|make)\b"
)
_CLAUSE = re.compile(r"[,，。;；\n]|\band\b")
_LEVELS = {"高": "high", "大": "high", "难": "high", "中": "medium", "中等": "medium", "低": "low", "小": "low"}
_LEVEL = r"(高|中等?|低|大|小)"
_SAID = r"\s*(?:较|偏|很|为|是|:)*\s*"
_LEVEL_EN = r"(high|medium|low)"
_DIFFICULTY = re.compile(
    rf"难度{_SAID}{_LEVEL}|{_LEVEL}难度|\bdifficulty\s*(?:is|:)?\s*{_LEVEL_EN}|\b{_LEVEL_EN}\s+difficulty"
)
_INTENSITY = re.compile(
    rf"强度{_SAID}{_LEVEL}|{_LEVEL}强度|\bintensity\s*(?:is|:)?\s*{_LEVEL_EN}|\b{_LEVEL_EN}\s+intensity"
)
_SUBJECTS = {
    "计算": "quantitative",
    "理工": "quantitative",
    "记忆": "memory",
    "背诵": "memory",
    "阅读": "reading",
    "混合": "mixed",
}
_SUBJECT = re.compile(r"(计算|理工|记忆|背诵|阅读|混合)(?:型|类型|类|为主|性)")
_SUBJECT_CLAUSE = re.compile(r"(?:学科|科目|类型|画像|偏|属于|是|为|:|\s)*(计算|理工|记忆|背诵|阅读|混合)")
_SUBJECT_EN = re.compile(r"\b(quantitative|memory|memorisation|memorization|reading|mixed)\b(?!\s+list)")


@dataclass(frozen=True)
class ClassSlots:
    """What was said about a class; None and empty = not said. `placeholders`: the item names are made up."""

    name: str = ""
    start: date | None = None
    end: date | None = None
    total: int | None = None
    each: int | None = None
    items: tuple[str, ...] = ()
    placeholders: bool = False
    parts: int | None = None
    unit: str = ""
    """How equal parts are numbered: 第{}章, lesson {}."""
    rhythm: tuple[int, int] | None = None
    """So many times in so many days, which tell how many parts there are between the first and the last."""
    minutes: int | None = None
    """How long one of the contents takes where it is told in minutes or hours."""
    lengths: tuple[tuple[str, int], ...] = ()
    """The contents that have a length of their own, in sections."""
    days: int | None = None
    """For how many days the class lasts, where that is told and not its last one."""
    strategy: str = ""
    filler: bool | None = None
    excluded_days: tuple[int, ...] | None = None
    excluded_blocks: tuple[int, ...] | None = None
    excluded_cells: tuple[tuple[int, int], ...] | None = None
    subject_type: str = ""
    difficulty: str = ""
    intensity: str = ""

    def then(self, later: ClassSlots) -> ClassSlots:
        """These slots with everything that was said later."""
        said = {entry.name: getattr(later, entry.name) for entry in fields(later)}
        return replace(
            self,
            **{
                name: value
                for name, value in said.items()
                if value not in (None, "", ()) and (value is not False or name == "filler")
            },
        )

    @property
    def described(self) -> bool:
        """True when enough is said for a sentence without the words "task class" to mean one."""
        return (
            bool(self.name)
            and sum((bool(self.start and self.end), bool(self.total), len(self.items) > 1 or bool(self.parts))) >= 2
        )

    @property
    def excludes(self) -> bool:
        return any(kind is not None for kind in (self.excluded_days, self.excluded_blocks, self.excluded_cells))

    @property
    def said_anything(self) -> bool:
        return self != ClassSlots() and self != ClassSlots(name=self.name)

    def completed(self, *, unnamed: bool = False) -> ClassSlots:
        """Total and items from each other where one of them decides the other; `unnamed`: also before there
        is a name."""
        made = self
        if made.start and made.days and not made.end:
            made = replace(made, end=made.start + timedelta(days=made.days - 1))
        if made.start and made.rhythm and not made.end and (count := len(made.items) or made.parts):
            times, within = made.rhythm
            made = replace(made, end=made.start + timedelta(days=-(-count // times) * within - 1))
        made = made.counted()
        if made.total is None and made.items:
            own = dict(made.lengths)
            made = replace(made, total=sum(own.get(item, made.each or 2) for item in made.items))
        if not made.items and (made.name or unnamed) and (made.parts or made.total):
            count = made.parts or max(1, (made.total or 0) // (made.each or 2))
            made = replace(made, items=_numbered(made, count), placeholders=True)
            made = replace(made, total=made.total or (made.each or 2) * count)
        return made

    @property
    def counts_by_rhythm(self) -> bool:
        """Whether how often it is done tells how many parts there are: nothing else does."""
        return self.rhythm is not None and not (self.items or self.parts or self.total)

    def counted(self) -> ClassSlots:
        """These slots with as many parts as their rhythm makes of their days."""
        if self.rhythm is None or not (self.counts_by_rhythm and self.start and self.end):
            return self
        days = [self.start + timedelta(days=at) for at in range((self.end - self.start).days + 1)]
        free = self.excluded_days if self.rhythm[1] == 1 else None
        number = count_times(self.rhythm, len([day for day in days if day.isoweekday() not in (free or ())]))
        unit = self.unit or ("第{}次" if has_chinese(self.name) else "session {}")
        return replace(self, parts=number, unit=unit)

    @property
    def missing(self) -> list[str]:
        """Required facts that were not said, in the order in which they are asked."""
        held = self.items or self.rhythm
        wanted = {"name": self.name, "start": self.start, "end": self.end, "items": held, "total": self.total or held}
        return [key for key, value in wanted.items() if not value]

    def arguments(self, class_id: int | None = None) -> dict[str, Any]:
        """Arguments of `upsert_task_class`; with `class_id` only what was said."""
        own = dict(self.lengths)
        config = {
            "total_slots": self.total,
            "strategy": self.strategy or (None if class_id else "steady"),
            "allow_filler_course": self.filler,
            "excluded_slots": list(self.excluded_blocks) if self.excluded_blocks is not None else None,
            "excluded_days_of_week": list(self.excluded_days) if self.excluded_days is not None else None,
            "excluded_cells": None
            if self.excluded_cells is None
            else [{"day_of_week": day, "block": block} for day, block in self.excluded_cells],
        }
        task_class = {
            "name": self.name or None,
            "mode": None if class_id else "auto",
            "start_date": self.start.isoformat() if self.start else None,
            "end_date": self.end.isoformat() if self.end else None,
            "subject_type": self.subject_type or None,
            "difficulty_level": self.difficulty or None,
            "cognitive_intensity": self.intensity or None,
            "config": _drop_absent(config) or None,
        }
        whole = {
            "id": class_id,
            "task_class": _drop_absent(task_class),
            "items": [_drop_absent({"content": name, "duration": own.get(name)}) for name in self.items],
        }
        return _drop_absent({**whole, "items": whole["items"] or None})


def _numbered(slots: ClassSlots, count: int) -> tuple[str, ...]:
    return tuple(f"{slots.name} {(slots.unit or '{}').format(n)}" for n in range(1, count + 1))


def _drop_absent(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def read_class(message: str, term: SemesterDates, *, expect: Sequence[str] = ()) -> ClassSlots:
    """The slots of one message. `expect` names facts that were asked for: a bare list or a bare name then counts."""
    return _read_class(message, term, tuple(expect))


_NUMBERED = re.compile(r"\d|第?[一二三四五六七八九十](?:[章节讲课回次套部]|$)")
"""One of several of a kind: sheet 2, 第三讲."""


def _leads_others(items: Sequence[str], message: str) -> bool:
    """Whether the first of what a message lists is what the others are of: Homework, sheet 1, sheet 2; Homework: ..."""
    if len(items) < 3:
        return False
    numbered = [_NUMBERED.search(one) is not None for one in items]
    headed = re.match(rf"\W*{re.escape(items[0])}\s*[:：]", widths(message), re.IGNORECASE)
    return headed is not None or (all(numbered[1:]) and not numbered[0])


@lru_cache(maxsize=1024)
def _read_class(message: str, term: SemesterDates, expect: tuple[str, ...]) -> ClassSlots:
    quoted, own_lengths, text = read_quoted(widths(message))
    text, lengths = take_lengths(spell_duration(text)) if not quoted else (spell_duration(text), own_lengths)
    items, rest = (quoted, text) if quoted else items_of(text, expected="items" in expect)
    items = items or tuple(name for name, _ in lengths)
    lengths = tuple((name, n) for name, n in lengths if name in items)
    dated = without_days_off(_FROM_NOW_ON.sub(" ", _without_rhythm(rest)), term)
    start, end = (None, None) if find_exam_period(dated, term) else range_in(dated, term)
    if end and not start and _BEGINS.search(fold_text(rest)):
        start, end = end, None
    name = _name(rest)
    body = rest.replace(name, " ") if name else rest
    if not name and "name" in expect:
        name = _bare_name(rest, term)
    if not name and {"name", "items"} <= set(expect) and _leads_others(items, message):
        name, items = items[0], items[1:]  # the name that was asked for, in front of what it has
    parts = None if items else parts_of(_without_rhythm(rest))
    days = None if end else read_duration(_without_rhythm(rest))
    slots = ClassSlots(name=name, start=start, end=end, items=items, parts=parts, lengths=lengths, days=days)
    out = read_exclusions(body, term)
    if name and (items or slots.parts) and not any(out.values()):
        told = find_weekdays(body, term)
        out |= {"excluded_days": tuple(day for day in range(1, 8) if told and day not in told) or None}
    return replace(_add_profile(replace(slots, **_amounts(body)), body), **out)


def _without_rhythm(text: str) -> str:
    return without_rhythm(fold_numbers(text)) if read_rhythm(text) else text


_EACH_WEEK = re.compile(r"每|[学上排]|\b(?:every|each)\b|\b\w+days\b")


def find_weekdays(text: str, term: SemesterDates) -> tuple[int, ...]:
    """The weekdays on which something new is learnt each week: every tuesday, 周二周四学; none where none are told."""
    times = [one for one in read_times(text, term) if one.kind == "weekday" and not (one.first or one.side or one.role)]
    told = sorted({day for one in times for day in one.weekdays})
    return tuple(told) if told and _EACH_WEEK.search(fold_text(text)) else ()


def find_exam_period(text: str, term: SemesterDates) -> tuple[date, date] | None:
    """The days in which an exam lies that has no date yet: 5月中旬考, the exam is in week 10. No window to study in."""
    for clause in _CLAUSE.split(fold_numbers(text)):
        if _EXAMINED.search(clause) and _PERIOD.search(clause) and not _STUDIED.search(clause):
            first, last = range_in(clause, term)
            if first and last and first < last:
                return first, last
    return None


_AROUND_NAME = re.compile(
    r"(?<=\S)\s*的\s*(?:(?:学习|复习|备考)?(?:任务类?|计划)|安排)$|(?<=\S)[弄建加开搞][一1]?个新的?$|^一下(?=\S{2})"
    r"|^(?:(?:an? )?(?:some|new)(?:thing| thing)(?: new)?|stuff) (?:for|about|on) (?:my |the |our )?(?=\w)"
    r"|(?<=\w) (?:this|next) (?:term|semester|year)$",
    re.IGNORECASE,
)
"""What stands beside a name and is none of it: 考研英语的计划, something new for my essay, guitar this term."""
_KIND_WITH = re.compile(r"(.+?)(?: (?:study|revision|learning))? (?:plan|class|course) with (.+)", re.IGNORECASE)
"""A name and the first of its contents: IELTS study plan with reading."""


_RATE = re.compile(
    r"(?<=\S)\s*(?:(?:每(?:天|日|周|次|项|回)|一?共|总共)\s*)?[\d一二两三四五六七八九十]{1,3}\s*(?:小?节课?|课时)$"
)
"""口语每天 1 节: what stands behind a name and is how much of it there is."""


def without_amount(name: str) -> str:
    """Answers a name without how much of it there is."""
    return _RATE.sub("", name)


def without_kind(name: str) -> tuple[str, tuple[str, ...]]:
    """Answers a name without the words around it, and the first of the contents behind it."""
    both = _KIND_WITH.fullmatch(name)
    return (both[1], (both[2],)) if both else (_AROUND_NAME.sub("", name.strip()), ())


def _name(text: str) -> str:
    for name in find_quoted_texts(text):
        return name
    for pattern in (_NAME_TOLD, _NAME_BEFORE, _NAME_EN_BEFORE, _NAME_EN, _NAME_AFTER, _NAME_WISHED, _NAME_EXAM):
        match = pattern.search(text)
        name = _STOPS.split(match["name"])[0].removeprefix("一下").strip(" 的一个,'") if match else ""
        name = without_amount(without_kind(_COURTESY.sub("", name).strip(" '"))[0])
        if name and not re.fullmatch(
            r"(?:新的?|an?|the|new|吧|呢|好?吗|please|for me|任务|安排|计划|东西|内容)*", name, re.IGNORECASE
        ):
            return name
    return ""


def wished_name(message: str) -> str:
    """What the student wants to learn: 我想复习线性代数, I need to study algebra."""
    match = _NAME_WISHED.search(widths(message))
    return match["name"].removeprefix("一下").strip(" 的一") if match else ""


_BEFORE_NAME = re.compile(
    r"^(?:就?叫做?|名字?[是叫]|(?:是|为)?(?:为了|关于)|(?:(?:it|this|that)(?: is|'s)|call it)?(?: called)?(?: ?\b(?:for"
    r"|about)\b)?)\s*"
    r"(?:(?:my|the|our)\s+)?",
    re.IGNORECASE,
)


def _bare_name(text: str, term: SemesterDates) -> str:
    """The first clause that is more than a word of consent or correction, unless it states a fact; without the times
    behind it: Roman Law from 16 March."""
    clauses = [clause.strip() for clause in re.split(r"[,，。;；\n]", text)]
    clause = next((clause for clause in clauses if clause and not _NO_NAME.fullmatch(fold_text(clause))), "")
    clause = _BEFORE_NAME.sub("", clause)
    times = read_times(clause, term)
    clause = _LEADS_TIME.sub("", clause[: times[0].start]).strip() if times and times[0].start else clause
    told = _FACT.search(fold_numbers(clause)) or excludes(fold_text(clause))
    return clause if 1 <= len(clause) <= 60 and not told else ""


_LEADS_TIME = re.compile(r"\s*(?:从|到|截止|\b(?:from|until|till|to|by|due|starting|ending|on)\b)?\s*$", re.IGNORECASE)


def _amounts(text: str) -> dict[str, Any]:
    flat = re.sub(r"\bone(?= (?:section|period)\b)", "1", fold_numbers(text))
    each = _EACH.search(flat)
    clauses = _CLAUSE.split(_EACH.sub(" ", flat))
    kept = " ".join(clause for clause in clauses if not (excludes(clause) or _AT_MOST.search(clause)))
    totals = [int(match[1]) for match in _TOTAL.finditer(kept) if int(match[1])]
    minutes = None if each else minutes_each(flat)
    told = int(next(filter(None, each.groups()))) if each else sections_of(minutes) if minutes else None
    total = totals[-1] if totals else None
    return {"each": told, "total": total, "minutes": minutes, "rhythm": read_rhythm(text)}


def _add_profile(slots: ClassSlots, text: str) -> ClassSlots:
    flat = fold_text(text)
    strategy = ""
    if words(flat, "均匀", "平均", "steady", "steadily", "evenly"):
        strategy = "steady"
    elif words(flat, "集中", "突击", "尽快", "cram", "rapid", "rapidly", "asap", "as soon as possible") or says(
        "earlier_end", flat
    ):
        strategy = "rapid"
    return replace(
        slots,
        strategy=strategy,
        filler=_filler(flat),
        subject_type=_subject(flat),
        difficulty=_level(_DIFFICULTY, flat),
        intensity=_level(_INTENSITY, flat),
    )


def _filler(text: str) -> bool | None:
    if _NO_FILLER.search(text) or words(
        text, "不嵌入", "不可嵌入", "不能嵌入", "不要嵌入", "不占水课", "no embedding", "do not embed", "no filler"
    ):
        return False
    return True if says("filler", text) else None


def _subject(text: str) -> str:
    match = _SUBJECT.search(text)
    if not match:
        clauses = (_SUBJECT_CLAUSE.fullmatch(clause.strip()) for clause in _CLAUSE.split(text))
        match = next((found for found in clauses if found), None)
    if match:
        return _SUBJECTS[match[1]]
    english = _SUBJECT_EN.search(text)
    return {"mem": "memory", "qua": "quantitative", "rea": "reading", "mix": "mixed"}[english[1][:3]] if english else ""


def _level(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    said = next((group for group in match.groups() if group), "") if match else ""
    return _LEVELS.get(said, said)
