"""Wishes about every plan in a sentence -> the wishes of `set_preferences`.

A clause is one wish: how much a day (每天最多两段), a light weekday (周日轻松一点), a part of the day (数学尽量放上午,
mornings for maths), an hour (十点前别排难的), or days to spare at the end (提前一周学完). What names an item, a date or
a certain week is no wish about every plan.
"""

from __future__ import annotations

import re
from typing import Any

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.names import find_shortened
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.classes.class_times import (
    divide_softly,
    excludes,
    find_owners,
    read_exclusions,
)
from agent.llm.offline.language.spans.conditions.limit_forms import CATCHES_UP, EVERYTHING, FROM_NOW_ON
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.dates import dates_in, part_in, sections_in, week_in, weekdays_in
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.mentions import blank_names, classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.spans.times.bounds import run_of
from agent.llm.offline.language.spans.times.hours import section_from, section_until
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates

_CLAUSE = re.compile(r"[,，。;；!！\n]|\.(?:\s|$)|(?<![a-z])and(?![a-z]| ?\d)")
_THAT_ONE = re.compile(r"[这那]条|[这那]个|刚才|刚刚|\b(?:that|this|it)\b")
_PER_CLASS = re.compile(r"每门|各门|每科|每个任务类|\b(?:per|each|every|of each) class\b")
_SPARE = re.compile(r"(\d{1,2}|\b(?:an?|one)\b)\s*(?:个)?(天|日|周|星期|礼拜|days?|weeks?)")
_THIS_WEEK = re.compile(
    r"[本这下上]个?(?:周|星期|礼拜)|\b(?:this|next|last)\b|今[天晚]|明[天晚]|后天|\b(?:today|tomorrow|tonight)\b"
)
_PLURAL_PARTS = re.compile(r"\b(?:mornings|afternoons|evenings|nights)\b|\bin the (?:morning|afternoon|evening)s?\b")
_FREE = re.compile(r"\b(?:free|clear|empty)\b|空着|留空")


_BEFORE = re.compile(r"(?<!最)之?前|以前|早于|\bbefore\b|\bearlier than\b|\bprior to\b|\bby\b")
_AFTER = re.compile(r"(?<!最)之?后|以后|晚于|\bafter\b|\blater than\b|\bpast\b")
_IN_ONE_DAY = re.compile(r"\b(?:in|into|on) (?:one|a|1|any) (?:single )?day\b")
_NOON = 12
_ENDS_A_STRETCH = re.compile(
    r"(?:到|至|\b(?:till|until|til|to) (?:about |around )?)\s*(?=\d{1,2}\s*(?:点|[ap]m\b|:\d|o'clock|after\b|$))"
)
"""An hour up to which something lasts is no limit of the day: 午饭后睡到三点."""


_ONE_DAY = re.compile(r"[那这]一?天(?!天)|\b(?:that|this) (?:same )?day\b")
"""One day that was spoken of: what is said of it holds for no other."""


@remember_of_plan
def wishes_in(message: str, brief: Brief) -> list[dict[str, Any]]:
    """The wishes of a message, each once; none where it is about items or a certain time."""
    if (
        items_in(message, brief)
        or _moves_a_group(message, brief)
        or dates_in(_IN_ONE_DAY.sub(" ", FROM_NOW_ON.sub(" ", fold_text(message))), brief.term)
        or week_in(message, brief.term)
    ):
        return []
    folded = fold_text(message)
    if CATCHES_UP.search(folded) or _THIS_WEEK.search(folded) or says("deadline", folded) or _ONE_DAY.search(folded):
        return []
    if read_conditions(message, brief).once:
        return []
    found: list[dict[str, Any]] = []
    named = _find_owners(message, brief)
    for clause in _CLAUSE.split(fold_text(message)):
        own = len(named) == 1 and not (EVERYTHING.search(clause) or FROM_NOW_ON.search(clause) or _OF_ME.search(clause))
        for wish in _clause_wishes(clause, brief):
            wish = {"task_class_id": named[0], **wish} if own else wish  # what one class is named beside is not of all
            if wish not in found:
                found.append(wish)
    daily = None if any(wish["kind"] == "blocks_a_day" for wish in found) else _daily_wish(fold_text(message), brief)
    return [] if _leaves_more_free(message, found, brief) else [*found, daily] if daily else found


def _leaves_more_free(message: str, found: list[dict[str, Any]], brief: Brief) -> bool:
    """Whether a message refuses more than the hours that its wishes bound, which only a class can keep free."""
    ends = {one["kind"]: one["value"] for one in found if one["kind"] in _LIMITED and not one.get("hard_only")}
    out = read_exclusions(message, brief.term) if ends and "day_part" not in ends else {}
    first, last = ends.get("earliest_section", 1), ends.get("latest_section", brief.term.sections)
    within = [block for block in out.get("excluded_blocks") or () if first <= 2 * block - 1 and 2 * block <= last]
    return bool(within or out.get("excluded_days") or out.get("excluded_cells"))


_OF_ME = re.compile(r"我(?:从来|一般|平时|都|晚上|早上)|\bi (?:never|always|don't|do not|can't|cannot|usually)\b")


def wishes_beside(message: str, brief: Brief) -> list[dict[str, Any]]:
    """The wishes of a request for a plan: what its clauses wish that name no date, a time where it is soft; none of a
    message that is for this plan alone."""
    if read_conditions(message, brief).once:
        return []
    told = [wish for clause, soft in _clauses_of(message, brief) for wish in _wishes_beside(clause, brief, soft=soft)]
    open_ = {day for clause, _ in _clauses_of(message, brief) if says("open_up", clause) for day in weekdays_in(clause)}
    told = [wish for wish in told if wish["kind"] != "light_weekday" or wish["value"] not in open_]
    return [wish for at, wish in enumerate(told) if wish not in told[:at]]


def _clauses_of(message: str, brief: Brief) -> list[tuple[str, bool]]:
    """The clauses of a request for a plan with whether they are soft; none that tells what else would do."""
    divided = [one for one in divide_softly(message, brief) if not says("fallback", one[0])]
    return [(piece, soft) for clause, soft in divided for piece in ([clause] if soft else _AND_WITH.split(clause))]


_AND_WITH = re.compile(_CLAUSE.pattern + r"|\bwith\b")


def is_wished_beside(said: str, message: str, brief: Brief) -> bool:
    """Whether a piece of a request for a plan stands in a clause that is taken as a wish."""
    if any(said in clause and _wishes_beside(clause, brief, soft=soft) for clause, soft in _clauses_of(message, brief)):
        return True
    divided = [clause for clause, soft in divide_softly(message, brief) if soft]
    beside = (one for one in divided if says("fallback", one) or not read_times(one, brief.term))
    return any(said in clause for clause in beside) and bool(wishes_beside(message, brief))


def find_unwished(message: str, brief: Brief) -> list[str]:
    """The clauses beside the wishes of a message that name a class or a time and give none."""
    if taken_back_in(message, brief) or not (found := wishes_in(message, brief)):
        return []
    clauses = [clause for clause in _CLAUSE.split(fold_text(message)) if not _clause_wishes(clause, brief)]
    days = {wish["value"] for wish in found if wish["kind"] == "light_weekday"}
    told = [one for one in clauses if classes_in(one, brief.classes) or part_in(one, brief.term)
            or {*weekdays_in(one)} - days or says("wish_most", one)]  # fmt: skip
    return told if found else []


def _wishes_beside(clause: str, brief: Brief, *, soft: bool) -> list[dict[str, Any]]:
    dated = dates_in(clause, brief.term) or week_in(clause, brief.term) or _THIS_WEEK.search(clause)
    if dated or says("asking", clause):
        return []
    if soft and (told := _soft_times(clause, brief)):
        return told
    return [one for one in _clause_wishes(clause, brief) if one["kind"] not in _LIMITED]


_LIMITED = ("day_part", "earliest_section", "latest_section")
"""What a plan keeps to where it is not soft."""


def _soft_times(clause: str, brief: Brief) -> list[dict[str, Any]]:
    """The times that a clause would like, or not, as wishes: a part of the day or hours, and little on other days."""
    text = fold_numbers(blank_names(clause, [row["name"] for row in brief.classes]))
    owners, days, refuses = _find_owners(clause, brief), weekdays_in(text), _refuses(text)
    hours = next((run for one in read_times(text, brief.term) if (run := run_of(one, text, brief.term))), None)
    hours = hours or part_in(text, brief.term)
    if refuses and days and hours:
        return []  # no wish is of one weekday's evening
    told: list[dict[str, Any]] = []
    if hours:
        known, (begin, end) = brief.term.day_parts, hours
        ends = (end + 1, begin - 1) if refuses else (begin, end)
        told = [{"kind": "earliest_section", "value": ends[0]}] if 1 < ends[0] <= brief.term.sections else []
        told += [{"kind": "latest_section", "value": ends[1]}] if 1 <= ends[1] < brief.term.sections else []
        if hours in known and not refuses:
            told = [{"kind": "day_part", "value": known.index(hours) + 1}]
    light = days if refuses or says("wish_light", text) else [day for day in range(1, 8) if days and day not in days]
    told += [{"kind": "light_weekday", "value": day} for day in light]
    return [{**one, **({"task_class_id": owners[0]} if len(owners) == 1 else {})} for one in told]


def _moves_a_group(message: str, brief: Brief) -> bool:
    """把实验都放到下午: all items of a class that stand are to be at another time."""
    soft = any(says(concept, fold_text(message)) for concept in ("wish_soft", "wish_daily"))
    group = None if soft else find_group(message, brief)
    if group is None or not (group.every and group.items):
        return False
    return target_in(group.rest, brief).part is not None


_ABOUT = re.compile(
    r"关于[^,，。;；]{1,30}?的(?:要求|愿望|规矩|规则|限制|偏好)"
    r"|\b(?:wish|rule|limit|preference|request)s? about (?!every|all)\w+"
)
"""A wish that is told by what it is about."""


def taken_back_in(message: str, brief: Brief) -> list[dict[str, Any]]:
    """What is to be wished no more: the kinds that are named, else everything."""
    text = fold_text(message)
    said = [str(turn["text"]) for turn in brief.earlier if turn["role"] == "user"]
    before = wishes_in(said[-1], brief) if said and _THAT_ONE.search(text) and said[-1] != message else []
    if not (takes_back_rule(text, brief) or (before and says("wish_forget", text))):
        return []
    nth = _NTH_WISH.search(text)
    number = int(nth[1] or nth[2]) if nth else 0
    counted = brief.wishes[max(0, number - 1) : number or None] if nth else []
    held = counted or [wish for wish in brief.wishes if _is_named(wish["kind"], wish["value"], text, brief)]
    if held:
        return [{"kind": wish["kind"], "value": None, **({"task_class_id": one} if (one := wish["class_id"]) else {})}
                for wish in held][:MOST]  # fmt: skip
    kinds = [wish["kind"] for wish in wishes_in(message, brief) or before]
    kinds = kinds or (["blocks_a_day"] if says("wish_daily", text) else [])
    if nth or (not kinds and _ABOUT.search(text)):
        kinds = [kind for kind in KINDS if kind not in {wish["kind"] for wish in brief.wishes}]
    ids: list[int | None] = [*classes_in(message, brief.classes)] or [None, *(row["id"] for row in brief.classes)]
    return [
        {"kind": kind, "value": None, **({} if class_id is None else {"task_class_id": class_id})}
        for class_id in ids
        for kind in dict.fromkeys(kinds or KINDS)
    ][:MOST]


_NTH_WISH = re.compile(r"编号(\d)的要求|\bwish number (\d)\b")
"""A wish by its place among those that hold; 0 are all of them."""
_RULE = re.compile(r"[这那][条个]|\b(?:the|that|my) (?:\w+[ -]){1,3}(?:one|thing|rule|limit)\b")


def takes_back_rule(text: str, brief: Brief) -> bool:
    """Whether a text takes back a rule: it is called one, or is pointed to where rules hold (晚上那条不要了)."""
    pointed = holds_rules(brief) and _RULE.search(text) is not None and not items_in(text, brief)
    return (says("wish_noun", text) or pointed) and says("wish_forget", text)


def holds_rules(brief: Brief) -> bool:
    """Whether any wish is noted, or a class leaves times free."""
    free = (row["excluded_days"] or row["excluded_blocks"] or row["excluded_cells"] for row in brief.classes)
    return bool(brief.wishes) or any(free)


_SAID_LIMIT = re.compile(
    r"(?:[这那][条个项]?|刚[才刚]?[^,，。;；]{0,4}的?|上[1一]?[条个]|最后[1一那]?[条个])(?:限制|规矩|规则|要求|上限|规定|约束)"
    r"|\b(?:that|this|the|(?:the )?last) (?:new )?(?:limit|cap|rule|restriction|constraint|requirement)s?\b"
    r"(?=\W*(?:$|[,.;!?]|(?:again|please|i|we|you|from|too|after|now|then|altogether|completely|entirely|any ?more)\b))"
)


def drops_said_limit(text: str) -> bool:
    """Whether a text takes back the limit that was set last, and names none."""
    return _SAID_LIMIT.search(text) is not None and (says("wish_forget", text) or says("back", text))


def _is_named(kind: str, value: int, text: str, brief: Brief) -> bool:
    """Whether a text speaks of a wish by its time, its weekday or its number."""
    part, days = part_in(text, brief.term), weekdays_in(text)
    if kind == "light_weekday":
        return value in days
    if kind == "blocks_a_day":
        return not days and (
            says("wish_daily", text) or re.search(r"\d\s*[个项条节]|\bmore than\b|最多", fold_numbers(text)) is not None
        )
    if part is None or days:
        return False
    begin, end = brief.term.day_parts[value - 1] if kind == "day_part" and value <= len(brief.term.day_parts) else part
    return (
        (part == (begin, end))
        if kind == "day_part"
        else (
            value >= part[1] if kind == "earliest_section" else value < part[1] if kind == "latest_section" else False
        )
    )


KINDS = ("earliest_section", "latest_section", "day_part", "light_weekday", "blocks_a_day", "finish_early")
MOST = 12
"""Wishes of one call."""


def _clause_wishes(clause: str, brief: Brief) -> list[dict[str, Any]]:
    text = fold_numbers(blank_names(clause, [row["name"] for row in brief.classes]))
    owners = _find_owners(clause, brief)
    owner: dict[str, Any] = {"task_class_id": owners[0]} if len(owners) == 1 else {}
    hard = {"hard_only": True} if says("wish_hard", text) else {}
    if (spare := _spare(text)) is not None:
        return [{**spare, **owner}]
    if (daily := _daily_wish(clause, brief)) is not None:
        each = _PER_CLASS.search(text) is not None and not owner
        return [{**daily, "task_class_id": row["id"]} for row in brief.classes] if each else [daily]
    light = [{"kind": "light_weekday", "value": day, **owner, **hard} for day in _light_days(text)]
    if light:
        return light
    found = _hour(text, brief) or _part(text, brief, named=bool(owner) or bool(hard))
    if found is None and says("softly", text) and weekdays_in(text) and not read_conditions(clause, brief).counted:
        return _soft_times(clause, brief)
    return [{**found, **owner, **hard}] if found else []


def _find_owners(clause: str, brief: Brief) -> list[int]:
    """The classes that a clause names, shortened as well: 线代."""
    if found := find_owners(clause, brief):
        return found
    told = find_shortened(clause, [row["name"] for row in brief.classes], ())
    return [row["id"] for row in brief.classes if row["name"] in told]


def _daily_wish(message: str, brief: Brief) -> dict[str, Any] | None:
    """每天最多两段, one chapter a day is enough: how much of every day, of all or of one class."""
    for one in read_conditions(message, brief).said:
        sections = one.values.get("sections_a_day", 0)
        most = one.values.get("a_day") or (max(1, sections // 2) if sections else 0)  # no more than was said
        if most and not {"during", "each_class"} & set(one.values) and not one.items:
            owner = {"task_class_id": one.owners[0]} if len(one.owners) == 1 < len(brief.classes) else {}
            return {"kind": "blocks_a_day", "value": min(8, max(1, most)), **owner}
    return None


def tells_rate(message: str, brief: Brief) -> bool:
    """Whether so many on every day are told."""
    return _daily_wish(message, brief) is not None


def _spare(text: str) -> dict[str, Any] | None:
    """提前一周学完: days to spare at the end."""
    span = _SPARE.search(text)
    if span is None or not (says("wish_finish", text) and says("wish_early", text)):
        return None
    days = _count(span[1]) * (7 if span[2].startswith(("周", "星期", "礼拜", "week")) else 1)
    return {"kind": "finish_early", "value": min(30, max(1, days))}


def _light_days(text: str) -> list[int]:
    return weekdays_in(text) if says("wish_light", text) else []


def _hour(text: str, brief: Brief) -> dict[str, Any] | None:
    """十点前别排难的: a section, or an hour that lies in one."""
    text = FROM_NOW_ON.sub("", text)
    before, after = _BEFORE.search(text), _AFTER.search(text)
    if not (before or after):
        return _end_of_day(text, brief)
    if weekdays_in(text) or not says("wish_nothing", text) or _ENDS_A_STRETCH.search(text):
        return None
    sections = sections_in(text, brief.term)
    if before:
        section = sections[0] if sections else section_from(_clock(text, brief.term, after=False), brief.term)
        return {"kind": "earliest_section", "value": section} if section and section > 1 else None
    section = (
        sections[1] or sections[0] if sections else section_until(_clock(text, brief.term, after=True), brief.term)
    )
    return {"kind": "latest_section", "value": section} if section and section < brief.term.sections else None


def _end_of_day(text: str, brief: Brief) -> dict[str, Any] | None:
    """不要第11、12节: sections at one end of the day that are refused; others lie beyond those in the middle."""
    runs = [one.sections for one in read_times(text, brief.term) if one.kind == "sections" and one.sections]
    if not runs or weekdays_in(text) or not _refuses(text) or items_in(text, brief):
        return None
    out = {section for first, last in runs for section in range(first, (last or first) + 1)}
    kept = [section for section in range(1, brief.term.sections + 1) if section not in out]
    if kept and kept[-1] < brief.term.sections:
        return {"kind": "latest_section", "value": kept[-1]}
    return {"kind": "earliest_section", "value": kept[0]} if kept and kept[0] > 1 else None


def _clock(text: str, term: SemesterDates, *, after: bool) -> str:
    """The hour of a wish, as HH:MM; "after ten" is in the evening."""
    found = next((one for one in read_times(text, term) if one.clock), None)
    if found is None:
        return ""
    hour = int(found.clock[:2])
    return f"{hour + _NOON}{found.clock[2:]}" if after and found.loose and hour < _NOON else found.clock


def _refuses(text: str) -> bool:
    """Whether a clause says when something is not to be: by a "not", or by what is to stay free."""
    return says("wish_nothing", text) or says("keep_free", text) or _FREE.search(text) is not None or excludes(text)


def _part(text: str, brief: Brief, *, named: bool) -> dict[str, Any] | None:
    """数学尽量放上午, evenings if possible not: a part of the day, wanted or not."""
    part = part_in(text, brief.term)
    soft, plural = says("wish_soft", text), _PLURAL_PARTS.search(text) is not None
    told = plural or says("wish_put", text)
    if part is None or weekdays_in(text) or not (soft or named) or not (named or told or _refuses(text)):
        return None
    if named and not (soft or told):
        return None
    if not _refuses(text):
        known = brief.term.day_parts  # 傍晚 and "late afternoon" are none of them
        return {"kind": "day_part", "value": known.index(part) + 1} if part in known else None
    if not soft:
        return None
    if part[0] == 1:
        return {"kind": "earliest_section", "value": part[1] + 1}
    return {"kind": "latest_section", "value": part[0] - 1} if part == brief.term.day_parts[-1] else None


def _count(said: str) -> int:
    return int(said) if said.isdigit() else 1
