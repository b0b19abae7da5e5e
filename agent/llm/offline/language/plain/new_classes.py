"""A new class as students tell it in passing, in the words of a wish for one: its name, how much, from when to when."""

from __future__ import annotations

import re
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers, fold_text, widths
from agent.llm.offline.language.spans.classes.class_times import read_exclusions
from agent.llm.offline.language.spans.classes.new_class import read_new_class
from agent.llm.offline.language.spans.dates import range_in
from agent.llm.offline.language.spans.mentions import all_items, find_pieces, find_quoted_texts, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import View

_CLAUSE = re.compile(r"\s*[,，。;；]\s*|\.\s+")
_UNIT = r"sessions?|units?|chapters?|lessons?|parts?|topics?|modules?|lectures?|blocks?|sets?"
_EN_NUMBER = r"\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|twelve"
_COUNT = re.compile(
    rf"(?<!每)(?:一?共|总共|分成?|[,，\s]|^)*(?P<zh>\d{{1,2}})\s*个?(?P<zh_unit>次|讲|章节?|单元|专题|部分|节课|课|篇|套|模块|实验)(?![后前])"
    rf"|\b(?P<en>{_EN_NUMBER}) (?:\w+ )?(?P<unit>{_UNIT})\b(?! (?:a|per|each|every))"
)
_WEEKLY = re.compile(
    r"每(?:个)?(?:周|星期)(?:上|学|排)?(?P<zh>\d)次|\b(?P<en>\d|once|twice|two|three|four) ?(?:times"
    r"|sessions?)? (?:a|per|each|every) week\b"
)
_WEEKLY_WORDS = {"once": 1, "twice": 2, "two": 2, "three": 3, "four": 4}
_EACH = re.compile(r"每次(?:学|上)?(\d)节")
_OPENS_ZH = re.compile(
    r"^(?:我?[要想]|帮我|请|给我|麻烦)*(?P<verb>新建|创建|建立?|新增|添加|加|新开)(?:一?[个门])?(?:新的?)?(?:任务类?|课程|学习计划|计划|课)?"
    r"(?:叫做?|名为|[:：\s])*(?P<name>(?![上到进去个章项节])[^:：\s]{2,16}?)\s*(?:[:：]\s*(?P<list>\S.*))?$"
)
_OPENS_EN = tuple(
    re.compile(form)
    for form in (
        r"\b(?:prep(?:are|ping)?|revis(?:e|ing)|study(?:ing)?|get ready|cram|practi[cs]e|train(?:ing)?) (?:for|on)"
        r" (?:my |the |an? )?(?P<name>[^,.;:!?]{3,40}?)",
        r"\b(?:add|create|make|set up)\b (?:me )?(?:an? |my )?(?:new )?(?:study |revision )?(?:plan|class|course|prep)"
        r" (?:for|on|called) (?:my |the |an? )?(?P<name>[^,.;:!?]{3,40}?)",
        r"\b(?:learn|tak(?:e|ing) up|practi[cs]e|start)(?:ing)? (?:some )?(?P<name>[^,.;:!?]{3,40}?)",
        r"\b(?:got|have|there's|there is) (?:an?|my) (?P<name>[^,.;:!?]{3,40}?)",
    )
)
_END_EN = (
    r"(?=\s*(?:[,.;:!?]|$|\s(?:coming up|from|between|until|till|by|with|in|on|due|-|once|twice"
    r"|(?:three|four) times|\d)\b))"
)
_ASKS = re.compile(r"\b(?:when|what|which|why|how)\b|什么|几[号点]|哪")
_MONTHS = tuple(date(2000, month, 1).strftime("%B") for month in range(1, 13))


def spell_out_class(message: str, brief: Brief) -> str:
    """The message as the wish for a new class; empty where it does not tell all of one: a name that is nobody's, its
    contents or how many, and its last day."""
    text = widths(message)
    if _ASKS.search(fold_text(text)) or find_quoted_texts(text):
        return ""
    own = read_new_class(text, brief.term)
    if re.search("[(:：]", text) and len(own.items) > 1 and own.name and own.end and _is_free(own.name, brief):
        return text
    return _tell_chinese(text, brief) if re.search(r"[一-鿿]", text) else _tell_english(text, brief)


def _tell_chinese(text: str, brief: Brief) -> str:
    clauses = [clause for clause in _CLAUSE.split(text) if clause]
    opened = _OPENS_ZH.match(clauses[0]) if clauses else None
    first, last = range_in(",".join(clauses[1:]), brief.term) if clauses else (None, None)
    if opened is None or last is None or not _is_free(opened["name"], brief):
        return ""
    listed = (opened["list"] or "").split()
    rest = [one for one in clauses[1:] if not _counts(one)]
    rest = [_EACH.sub(r"每项\1节", fold_numbers(one)) if _EACH.search(fold_numbers(one)) else one for one in rest]
    if len(listed) > 1 and not re.search(r"[、,]", opened["list"]):
        return "，".join([f"新建任务类「{opened['name']}」，内容：{'、'.join(listed)}", *rest])
    number, unit = _count(",".join(clauses[1:]), first, last)
    return "，".join([f"新建任务类「{opened['name']}」，共{number}{unit}", *rest]) if number and not listed else ""


def _tell_english(text: str, brief: Brief) -> str:
    folded = fold_text(text)
    named = next((found for form in _OPENS_EN if (found := re.search(form.pattern + _END_EN, folded))), None)
    first, last = range_in(text, brief.term)
    number, unit = _count(folded, first, last)
    if named is None or not number or last is None or not _is_free(named["name"], brief):
        return ""
    name = text[named.start("name") : named.end("name")] if len(text) == len(folded) else named["name"]
    begins = f" from {_day(first)} to {_day(last)}" if first and first < last else f" until {_day(last)}"
    limits = [one for one in _CLAUSE.split(text) if _excludes(one, brief) and name not in one]
    return ", ".join([f'create a task class "{name.strip(" -")}"{begins} with {number} {unit}', *limits])


def _excludes(clause: str, brief: Brief) -> bool:
    return any(value for value in read_exclusions(clause, brief.term).values())


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]}"


def _counts(clause: str) -> bool:
    """Whether a clause tells how many there are, and nothing else."""
    text = fold_numbers(clause)
    return _COUNT.fullmatch(text) is not None or _WEEKLY.fullmatch(text) is not None


def _count(text: str, first: date | None, last: date | None) -> tuple[int, str]:
    """How many items there are, and what they are called: so many, or so many a week."""
    folded = fold_numbers(text)
    if (found := _COUNT.search(_WEEKLY.sub(" ", _EACH.sub(" ", folded)))) is not None:
        said = found["zh"] or found["en"]
        number = int(said) if said.isdigit() else _NUMBERS.index(said) + 2
        return number, found["zh_unit"] or found["unit"]
    weekly = _WEEKLY.search(folded)
    if weekly is None or first is None or last is None:
        return 0, ""
    said = weekly["zh"] or weekly["en"]
    weeks = -(-((last - first).days + 1) // 7)
    return (int(said) if said.isdigit() else _WEEKLY_WORDS[said]) * weeks, "次" if weekly["zh"] else "sessions"


_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _is_free(name: str, brief: Brief) -> bool:
    """Whether a name is that of no class and no item, and no time; a class that this goal has made is none yet."""
    made = find_made(brief.view)
    rows = [row for row in brief.classes if row["name"] not in made]
    known = find_pieces(fold_text(name), tuple(row["name"] for row in rows))
    ids = {row["id"] for row in rows}
    items = items_in(name, brief, among=[row for row in all_items(brief) if row["class_id"] in ids])
    return not (known or items or read_times(name, brief.term) or _NO_NAME.fullmatch(fold_text(name).strip()))


_NO_NAME = re.compile(
    r"[一1]?[个门]?新?的?(?:任务类?|课程?|科目|学习计划|计划|东西|内容)|(?:new )?(?:class|course|subject|plan"
    r"|task|thing|it|that|this)s?"
)
"""What says that it is a class, and not which."""


def find_made(view: View) -> set[str]:
    """The names of classes that this goal has made: its request is read as it was before there were any."""
    made = (
        row["arguments"]
        for row in view["last_results"]
        if row["tool"] == "upsert_task_class" and row["status"] == "done"
    )
    return {(told.get("task_class") or {}).get("name", "") for told in made if not told.get("id")}
