"""Changes of a task class that are no settings: its last day, its items, their names and their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import reduce
from typing import Any

from dateutil.relativedelta import relativedelta

from agent.llm.offline.goals.classes.class_dates import later_end, own_words, tells_month
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.labels import CHANGES_CLASS
from agent.llm.offline.language.dialogue.revision.other_values import EXTENDED
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import aim_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import label_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots, read_class
from agent.llm.offline.language.spans.classes.class_times import excludes, without_days_off
from agent.llm.offline.language.spans.classes.content_reading import ItemChange
from agent.llm.offline.language.spans.classes.exam_days import ends_before_exam, without_exam_day
from agent.llm.offline.language.spans.classes.item_lengths import read_lengths
from agent.llm.offline.language.spans.classes.item_list import NUMERALS
from agent.llm.offline.language.spans.classes.rhythms import without_rhythm
from agent.llm.offline.language.spans.conditions.limit_forms import COUNTS
from agent.llm.offline.language.spans.dates import dates_in, week_in, weekdays_in
from agent.llm.offline.language.spans.mentions import ORDINAL, all_items, items_in
from agent.llm.offline.language.spans.targets import shift_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import ClassView, TaskView
from taskclasses.spec import DURATION_MAX

_EACH = re.compile(r"每|各|\b(?:each|every|all)\b")
_NUMBERED = re.compile(r"^(?P<head>.*?)(?P<n>\d+|[一二三四五六七八九十]+)(?P<tail>\D*)$")
_LABELLED = re.compile(r"(unit|chapter|lecture|lesson|lab|part|topic)\s*(\d+)", re.IGNORECASE)
MOST_MONTHS = 12
_WEEK = 7
_LONGER = re.compile(
    r"(?:延|宽限|多给|再给|多了?|加|晚|推|后|拖|早|提前|缩短|少)[^,，。;；\d]{0,6}(?<!第)"
    r"(?P<zh>\d{1,2})\s*个?(?P<unit>天|日|周|星期|礼拜|月)"
    r"|\b(?P<en>\d{1,2}|an?|another|one|extra) (?:more |extra |additional |other )*(?P<en_unit>days?|weeks?|months?)"
)
"""So much longer: 延一周, two more weeks, an extra week."""
_SHORTER = re.compile(
    r"提前|提早|缩短|[早少]\s*\d"
    r"|\b(?:early|earlier|sooner|less|fewer|ahead(?! of)|cut|cuts|cutting|short|shorter|shorten\w*|reduc\w*|trim\w*"
    r"|curtail\w*|br(?:ing\w*|ought)|(?:mov\w*|pull\w*) (?:\w+ ){0,2}?(?:up|forward|in))\b"
)
"""That the end comes sooner."""
_ENDS = re.compile(r"结束|截止|为止|[到至](?=第?\d|周)|\b(?:end|ends|ending|until|till|to|through)\b")
_STAYS = re.compile(
    r"[,，;；]\s*(?:但是?|不过|而)?[^,，。;；]{0,8}(?:不变|照旧|不动)|,?\s*\b(?:but|and)\s+(?:keep|leave)\b[^,.;]*",
    re.IGNORECASE,
)
"""The end that is to be as it is."""
_TELLS_END = re.compile(r"截止|结束日期|死线|\bddl\b|\b(?:deadline|end date)\b", re.IGNORECASE)
"""What tells the last day, whatever else is told of a day beside it."""
_WEEK_BEFORE = re.compile(r"前1?个?(?:周|星期|礼拜)|\bweek before\b")
"""That the end is a week before a day."""
_STARTS = re.compile(r"开始|起(?!来)|开放|\b(?:start|begin|open|kick off)\w*\b")


def edited_dates(brief: Brief, row: ClassView, turn: str, *, dated: bool = False) -> ClassSlots | None:
    """The new last day, or first one, that a turn gives a class: a date, a week, or so much later or earlier.
    `dated`: it is known to be about that."""
    turn = without_rhythm(_STAYS.sub("", turn))
    kept = [one for one in re.split(r"[,，;；]", turn) if not excludes(fold_text(one)) or dates_in(one, brief.term)]
    turn = ", ".join(kept) or turn
    ends = [one for one in re.split(r"[,，;；]", turn) if _TELLS_END.search(one) and dates_in(one, brief.term)]
    turn = ends[0] if len(ends) == 1 and not _STARTS.search(turn) else turn
    if says("deadline", fold_text(turn)):
        turn = _FORMER_END.sub("", turn)
    turn, whole = without_exam_day(turn, brief.term), turn
    said = Features(turn, brief)
    dated = dated or turn != whole or label_of(turn, brief) == "class_dates"
    later = EXTENDED.search(fold_text(turn)) and (_days_more(turn) or dates_in(turn, brief.term))
    dated = dated or bool(later and not said.any_items)
    dated = dated or said.gets_more_time
    if not row["end_date"] or not (said.changes_end or said.starts_later or said.ends_all or dated):
        return None
    turn = without_days_off(turn, brief.term)
    days = dates_in(turn, brief.term)
    week = week_in(turn, brief.term)
    begins = week is not None and _STARTS.search(fold_text(turn)) and not _ENDS.search(fold_text(turn))
    if begins and dated and not days:
        return ClassSlots(start=brief.term.day(week or 1, min(weekdays_in(turn), default=1)))
    ending = (_ENDS.search(fold_text(turn)) or said.has("deadline") or said.has("due_by")) and not begins
    if ending and said.slots.start and said.slots.end and _WEEK_BEFORE.search(fold_numbers(turn)):
        return ClassSlots(end=said.slots.start)
    a_week = said.slots.start and said.slots.end and (said.slots.end - said.slots.start).days < _WEEK
    span = not (weekdays_in(turn) or (ending and not days and a_week))
    if span and said.slots.start and said.slots.end and said.slots.start < said.slots.end:
        return ClassSlots(start=said.slots.start, end=said.slots.end)
    if days and dated and _STARTS.search(fold_text(turn)) and not said.has("deadline"):
        return ClassSlots(start=days[0])
    if days:
        told = [day for one in brief.earlier if one["role"] == "user" for day in dates_in(one["text"], brief.term)]
        end = next((day for day in told[-2:] if day.day == days[-1].day and day > days[-1]), days[-1])
        end = end if tells_month(turn) else _bring_behind(end, row["start_date"])
        end -= timedelta(days=_leaves_out(brief, turn, days[-1]))
        return ClassSlots(end=later_end(brief, row, whole, end))
    weekdays = weekdays_in(turn)
    if weekdays and week is None and _STARTS.search(fold_text(turn)) and not _ENDS.search(fold_text(turn)):
        return ClassSlots(start=brief.term.today + timedelta(days=(weekdays[0] - brief.term.today.isoweekday()) % 7))
    days_more, old = _days_more(turn), date.fromisoformat(row["end_date"])
    if days_more and row["start_date"] and _STARTS.search(fold_text(turn)) and not _ENDS.search(fold_text(turn)):
        return ClassSlots(start=date.fromisoformat(row["start_date"]) + timedelta(days=days_more))
    if days_more:
        return ClassSlots(end=old + timedelta(days=days_more))
    if week is not None and dated and _STARTS.search(fold_text(turn)):
        return ClassSlots(start=brief.term.day(week, weekdays[0] if weekdays else 1))
    if week is not None:
        last = brief.term.day(week, weekdays[-1] if weekdays else 7)
        return ClassSlots(end=last - timedelta(days=_leaves_out(brief, turn, last)))
    return ClassSlots(end=brief.term.day(brief.term.week_day(old)[0], weekdays[-1])) if weekdays else None


def _leaves_out(brief: Brief, turn: str, day: date) -> bool:
    """Whether a day is told as the one before which all is to be done: before April 6, or before the exam on it."""
    if ends_before_exam(own_words(brief, turn)) or (turn in brief.request and ends_before_exam(brief.request)):
        return True
    return brief.language == "en" and any(one.strict and one.last == day for one in read_times(turn, brief.term))


def _bring_behind(day: date, start: str | None) -> date:
    """The day of a month that was not told, in the first month in which it is not before the class begins."""
    first = date.fromisoformat(start) if start else day
    months = (day + relativedelta(months=count) for count in range(MOST_MONTHS))
    return next((one for one in months if one >= first and one.day == day.day), day)


_FORMER_END = re.compile(
    r"从[^,，。;；]{2,14}?(?=提前|推迟|推后|改|延|调|移|挪)|\bfrom [^,.;]{3,24}? (?=(?:back |forward |ahead )?to\b)",
    re.IGNORECASE,
)
"""The day that was the last one: 从5月10日提前到4月30日."""


def _days_more(turn: str) -> int:
    """By how many days a class is to end later; less than none for earlier, none where it is not told."""
    text = reduce(lambda left, form: form.sub(" ", left), COUNTS, fold_numbers(turn))
    sign = -1 if _SHORTER.search(text) else 1
    if (shift := shift_in(turn)) is not None and shift.days:
        return shift.days if shift.days < 0 else shift.days * sign
    found = _LONGER.search(text)
    if found is None:
        return 0
    count, unit = found["zh"] or found["en"], found["unit"] or found["en_unit"]
    days = (int(count) if count.isdigit() else 1) * (1 if unit[0] in "天日d" else 30 if unit[0] in "月m" else 7)
    return days * sign


def divide_changes(turn: str, brief: Brief) -> list[str]:
    """The pieces of a turn that change different things of a class: its dates, its times, its rules."""
    pieces: list[tuple[str, str]] = []
    for clause in re.split(_NEXT_CHANGE, turn):
        label = aim_of(clause, brief)
        kind = "class_times" if label == "wish" else label if label in CHANGES_CLASS else ""
        if pieces and (not kind or kind == pieces[-1][0]):
            pieces[-1] = (pieces[-1][0], f"{pieces[-1][1]}, {clause}")
        elif pieces and not pieces[-1][0]:
            pieces[-1] = (kind, f"{pieces[-1][1]}, {clause}")
        else:
            pieces.append((kind, clause))
    return [piece for _, piece in pieces] if len(pieces) > 1 else [turn]


_NEXT_CHANGE = re.compile(
    r"[,，;；。]\s*(?:(?:and|then|also|再|另外|顺便|然后)\s*)*|\.\s+|\s+(?:and|then)\s+(?=\w)|(?:另外|顺便|然后)",
    re.IGNORECASE,
)


def edited_items(brief: Brief, row: ClassView, turn: str, *, sole: bool) -> list[dict[str, Any]] | str | None:
    """The whole list of items after what a turn changes, a word for what is not there, None when it changes none.
    `sole`: only this class is changed, so that what names none is said of it."""
    said = Features(turn, brief)
    rows = _list_items(brief, row)
    adds = any(one.kind == "add" and one.names for one in read_content_changes(turn, brief).told)  # that is so long
    each = adds or _EACH.search(fold_text(turn))
    told, made, problem = _make_changes(brief, row, turn, sole=sole)
    own = {item["item_id"] for item in all_items(brief) if item["class_id"] == row["id"]}
    lengths = _lengths_beside(brief, turn)
    beside = {item: length for item, length in lengths.items() if item in own}
    if said.has("length") and not each and not lengths and items_in(turn, brief, among=all_items(brief)):
        return _lengthen(brief, row, rows, turn)
    made = [{**item, "duration": beside[item["id"]]} if item.get("id") in beside else item for item in made]
    if told or beside:
        return problem if problem and made == rows else made
    return no_such_item(brief, row, turn) if sole and said.has("reorder") and changes_contents(turn, brief) else None


def not_made_text(brief: Brief, row: ClassView, turn: str, *, sole: bool) -> str:
    """Why one of the changes of a turn cannot be made, beside others that are; empty for none."""
    _, made, problem = _make_changes(brief, row, turn, sole=sole)
    return problem if made != _list_items(brief, row) else ""


def _make_changes(
    brief: Brief, row: ClassView, turn: str, *, sole: bool
) -> tuple[list[ItemChange], list[dict[str, Any]], str]:
    """The changes that a turn tells of a class, its items after them, and the first thing that is not there for one."""
    told = [
        one
        for one in read_content_changes(turn, brief.before_goal).told
        if row["id"] in (one.classes or ((row["id"],) if sole else ())) and (one.kind != "rename" or one.items)
    ]
    sure = len(told) > 1 or changes_contents(turn, brief) or Features(turn, brief).orders_only
    told = [one for one in told if sure or one.kind not in ("drop", "reorder") or (one.items and one.kind == "drop")]
    rows, problem = _list_items(brief, row), ""
    for change in told:
        made = _MAKE[change.kind](brief, row, rows, change)
        problem, rows = (problem or made, rows) if isinstance(made, str) else (problem, made)
    return told, rows, problem


def _own(row: ClassView, change: ItemChange) -> list[int]:
    """The ids of the items of a class that a change is about."""
    return [item["item_id"] for item in change.items if item["class_id"] == row["id"]]


_Rows = list[dict[str, Any]]


def _add(brief: Brief, row: ClassView, rows: _Rows, change: ItemChange) -> _Rows | str:
    """New items at the end, or where they are said to stand; so many more are numbered on from the last one."""
    names = [_in_style(name, row) for name in change.names] or _numbered_on(row, change.more)
    known = {fold_text(item["content"]) for item in rows}
    lengths = change.lengths if len(change.lengths) == len(names) else change.lengths[:1] * len(names)
    sized = zip(names, lengths or (0,) * len(names), strict=True)
    added = [
        {"content": name} | ({"duration": min(length, DURATION_MAX)} if length else {})
        for name, length in sized
        if fold_text(name) not in known
    ]
    if names and not added:
        there = ("「{name}」里已经有{items}。要改什么？", '"{name}" has {items} already. What should change?')
        return brief.say(*there, name=row["name"], items=brief.say("、", ", ").join(names))
    if not added:
        told = ("要加的内容叫什么？请说，例如「加一项：习题课」。",
                'What are the new items called? Say for example "add an item called exercises".')  # fmt: skip
        return brief.say(*told)
    at = _place_beside(rows, change, row)
    return [*rows[:at], *added, *rows[at:]]


def _place_beside(rows: _Rows, change: ItemChange, row: ClassView) -> int:
    """At which place of a list something is to stand: beside an item, or where that was, at its beginning, else at its
    end."""
    if change.beside is None:
        return 0 if change.side == "first" else len(rows)
    at = next((n for n, item in enumerate(rows) if item.get("id") == change.beside["item_id"]), None)
    if at is not None:
        return at if change.side == "before" else at + 1
    before = {item["id"] for item in row["items"] if item["order"] < change.beside["order"]}
    return 1 + max((n for n, item in enumerate(rows) if item.get("id") in before), default=-1)


def _drop(brief: Brief, row: ClassView, rows: _Rows, change: ItemChange) -> _Rows | str:
    gone = _own(row, change)
    return [item for item in rows if item.get("id") not in gone] if gone else no_such_item(brief, row, brief.request)


def _rename(brief: Brief, row: ClassView, rows: _Rows, change: ItemChange) -> _Rows | str:
    """Rename units 1 to 3 to A, B and C: as many names as items, else it is asked."""
    ids = _own(row, change)
    if not ids:
        return no_such_item(brief, row, brief.request)
    if len(ids) != len(change.names):
        told = (
            "要改名的有 {n} 项，名字有 {m} 个。请给每一项说一个名字。",
            "To rename: {n}, with {m} names. Please give one name for each item.",
        )
        return brief.say(*told, n=len(ids), m=len(change.names))
    new = dict(zip(ids, change.names, strict=True))
    return [{**item, "content": new.get(item.get("id", 0), item["content"])} for item in rows]


def _merge(brief: Brief, row: ClassView, rows: _Rows, change: ItemChange) -> _Rows | str:
    """第7章和第8章合并成一个: one item in the place of the first, by the name that is said or by theirs."""
    ids = _own(row, change)
    if len(ids) < 2:
        return no_such_item(brief, row, brief.request)
    joined = brief.say("、", " & ").join(item["name"] for item in change.items if item["item_id"] in ids)
    kept = [item for item in rows if item.get("id") not in ids[1:]]
    lengths = [item["duration"] for item in rows if item.get("id") in ids and "duration" in item]
    name = change.names[0] if change.names else joined
    whole = {"content": name} | ({"duration": min(sum(lengths), DURATION_MAX)} if len(lengths) == len(ids) else {})
    return [{**item, **whole} if item.get("id") == ids[0] else item for item in kept]


def _split(brief: Brief, row: ClassView, rows: _Rows, change: ItemChange) -> _Rows | str:
    """第3章拆成两次：3.1和3.2: two items in the place of one, numbered where no names are said; they share its length
    where none is said of each."""
    ids = _own(row, change)
    at = next((n for n, item in enumerate(rows) if ids and item.get("id") == ids[0]), None)
    if at is None:
        return no_such_item(brief, row, brief.request)
    names = change.names or tuple(f"{rows[at]['content']} ({n})" for n in range(1, (change.more or 2) + 1))
    whole, each = rows[at].get("duration", 0), read_class(brief.request, brief.term).each
    shares = [each or max(1, (whole + n) // len(names)) for n in range(len(names) - 1, -1, -1)]
    parts = [
        {"content": name, "duration": share} if each or whole else {"content": name}
        for name, share in zip(names, shares, strict=True)
    ]
    return [*rows[:at], *parts, *rows[at + 1 :]]


def _reorder(brief: Brief, row: ClassView, rows: _Rows, change: ItemChange) -> _Rows | str:
    """第3章放到第1章前面, put chapter 3 first, chapter 1 and 2 the other way round."""
    found = [item for item_id in _own(row, change) for item in rows if item.get("id") == item_id]
    if not found:
        return no_such_item(brief, row, brief.request)
    if change.side == "order":
        told = iter(found)
        return [next(told) if item in found else item for item in rows]
    if change.side == "swap":
        places = {one["id"]: other for one, other in (found, found[::-1])} if len(found) == 2 else {}
        return [places.get(item.get("id", 0), item) for item in rows]
    rest = [item for item in rows if item is not found[0]]
    at = _place_beside(rest, change, row)
    return [*rest[:at], found[0], *rest[at:]]


_MAKE: dict[str, Callable[[Brief, ClassView, _Rows, ItemChange], _Rows | str]] = {
    "add": _add, "drop": _drop, "rename": _rename, "merge": _merge, "split": _split, "reorder": _reorder,
}  # fmt: skip


def changes_contents(turn: str, brief: Brief) -> bool:
    """Whether a turn is about the contents of a class."""
    return label_of(turn, brief) == "class_items" or Features(turn, brief).changes_items


def _numbered_on(row: ClassView, count: int) -> list[str]:
    """再加两个单元, another lab: so many more items, numbered on from the last one."""
    last = _NUMBERED.match(row["items"][-1]["content"]) if row["items"] else None
    if last is None:
        return []
    chinese = not last["n"].isdigit()
    unit = re.sub(r"^\s*(章|讲|项|课|节|单元|次|篇)?.*$", r"\1", last["tail"])
    at = NUMERALS.find(last["n"]) if chinese else int(last["n"])
    if at < 0 or (chinese and at + count >= len(NUMERALS)):
        return []
    numbers = [NUMERALS[n] if chinese else str(n) for n in range(at + 1, at + 1 + min(count, 20))]
    return [f"{last['head']}{number}{unit}" for number in numbers]


def _in_style(name: str, row: ClassView) -> str:
    """A new name with its label spelled as the others have it: Chapter 9 beside Chapter 8."""
    label = _LABELLED.match(name)
    heads = {item["content"].split()[0] for item in row["items"] if item["content"].split()}
    head = next((one for one in heads if label and one.lower() == label[1].lower()), None)
    return f"{head}{name[len(head) :]}" if head else name


def _list_items(brief: Brief, row: ClassView) -> list[dict[str, Any]]:
    """The items as they are written, with their lengths as far as they are known."""
    usual, rest = divmod(row["sections"] or 0, len(row["items"]) or 1)
    lengths = {item["id"]: usual for item in row["items"] if usual and not rest}
    lengths |= {task["item_id"]: task["duration"] for task in brief.tasks}
    return [
        {"id": item["id"], "content": item["content"]}
        | ({"duration": lengths[item["id"]]} if item["id"] in lengths else {})
        for item in row["items"]
    ]


def _lengthen(brief: Brief, row: ClassView, rows: list[dict[str, Any]], turn: str) -> list[dict[str, Any]] | str | None:
    """第5章给它4节: the length of the items that are named, the others as they are."""
    told = read_lengths(turn, brief)
    lengths = {one["item_id"]: number for named, number in told for one in named if one["class_id"] == row["id"]}
    if not lengths:
        return no_such_item(brief, row, turn)
    return [{**item, "duration": lengths.get(item["id"], item.get("duration"))} for item in rows]


_IT = re.compile(r"^(?:把|将)?它|\b(?:it|that one)\b", re.IGNORECASE)


def _lengths_beside(brief: Brief, turn: str) -> dict[int, int]:
    """The lengths by item that clauses beside other contents tell; of what names nothing, of the one that they are
    about: rename it to Sets and make it twice as long."""
    read = read_content_changes(turn, brief.before_goal)
    about = {item["name"] for one in read.told if one.kind in ("rename", "drop", "reorder") for item in one.items}
    lengths = dict[int, int]()
    for clause in read.left if read.told else ():
        name = next(iter(about)) if len(about) == 1 and not items_in(clause, brief, among=all_items(brief)) else ""
        spelled = _IT.sub(name, clause, count=1) if name else clause
        told = read_lengths(spelled if not name or spelled != clause else f"{name} {clause}", brief)
        lengths |= {item["item_id"]: number for rows, number in told for item in rows}
    return lengths


def no_such_item(brief: Brief, row: ClassView, turn: str) -> str:
    """There is no chapter 12: 「概率论复习」 has 8 items."""
    if len(items_in(turn, brief, among=[item for item in all_items(brief) if item["class_id"] == row["id"]])) == 1:
        return brief.say("要改什么？", "What should change?")
    ordinal = ORDINAL.search(fold_numbers(turn))
    last = row["items"][-1]["content"] if row["items"] else ""
    return brief.say(
        "「{name}」里没有{which}，现有 {count} 项，最后一项是{last}。要改哪一项？",
        '"{name}" has no {which}: there are {count} items, the last is {last}. Which one do you mean?',
        name=row["name"],
        which=ordinal.group().strip() if ordinal else brief.say("这一项", "such item"),
        count=row["item_count"],
        last=last,
    )


def changes_nothing(brief: Brief, row: ClassView, arguments: Mapping[str, Any]) -> bool:
    """Whether the arguments of a change give a class only what it has already."""
    values = {**arguments.get("task_class", {})}
    config = values.pop("config", {})
    known: dict[str, Any] = {
        **row,
        "total_slots": row["sections"],
        "allow_filler_course": row["filler"],
        "excluded_slots": row["excluded_blocks"],
        "excluded_days_of_week": row["excluded_days"],
        "excluded_cells": [{"day_of_week": day, "block": block} for day, block in row["excluded_cells"]],
    }
    same = all(known.get(key) == value for key, value in {**values, **config}.items())
    return same and arguments.get("items") in (None, _list_items(brief, row))


def with_items(
    slots: ClassSlots, row: ClassView, items: list[dict[str, Any]], tasks: list[TaskView]
) -> tuple[ClassSlots, list[dict[str, Any]]]:
    """The slots with a total that grows and shrinks with the list, at the usual length of an item."""
    before, known = row["sections"], len(row["items"])
    each = max(1, before // known) if known else 2
    total = max(len(items), before + each * (len(items) - known))
    known_lengths = {task["item_id"]: task["duration"] for task in tasks}
    longer = sum(
        item["duration"] - known_lengths.get(item.get("id", 0), each) for item in items if item.get("duration")
    )
    kept = {item.get("id") for item in items}
    gone = sum(known_lengths.get(item["id"], each) - each for item in row["items"] if item["id"] not in kept)
    total += longer - gone
    changed = (len(items) != known or longer) and before and slots.total is None
    return (replace(slots, total=total) if changed else slots), items
