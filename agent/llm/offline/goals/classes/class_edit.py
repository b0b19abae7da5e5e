"""Changes of a task class that are no settings: its last day, its items, their names and their order."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import aim_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import label_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text, widths
from agent.llm.offline.language.spans.class_sentence import ClassSlots
from agent.llm.offline.language.spans.class_times import without_days_off
from agent.llm.offline.language.spans.counted import find_counted_items
from agent.llm.offline.language.spans.dates import dates_in, week_in, weekdays_in
from agent.llm.offline.language.spans.item_list import NUMERALS
from agent.llm.offline.language.spans.mentions import (
    ORDINAL,
    all_items,
    classes_in,
    find_quoted_texts,
    items_in,
    without_classes,
)
from agent.llm.offline.language.spans.spoken import spell_out_ordinals
from agent.llm.offline.language.spans.targets import shift_in
from agent.loop.view_document import ClassView, TaskView

_ADD = re.compile(r"增加|添加|新增|添|加上?|补上?|插入?|\b(?:add|append|insert|tack|put in|stick|pop|squeeze)\b")
_DROP = re.compile(
    r"不用[做讲考学背看]了?|\b(?:not|no longer) (?:doing|covering|taking)\b"
    r"|删除|删掉|去掉|删了?|砍掉?|不要了|不[做讲考学上]了|取消|\b(?:cancell?ed|dropped|scrapped)\b"
    r"|\b(?:delet(?:e|ing)|remov(?:e|ing)|drop(?:ping)?|chop(?:ping)?|scrap(?:ping)?|ditch(?:ing)?|bin(?:ning)?"
    r"|cut(?:ting)?|get(?:ting)? rid of)\b"
)
_RENAME = re.compile(
    r"(?:改名|重命名|改叫|更名)(?:为|成|叫|做)*|应该?[为叫]|更正[为成]|\brenamed?\b.{0,60}?\b(?:to|as|into)\b|改[成为](?!\s*第?[\d一二两三四五六七八九十])",
    re.IGNORECASE,
)
_RUN = re.compile(
    r"(?P<label>第|[a-z]{3,10}?(?=s?\s*\d)|[一-鿿]{1,4}(?=\d))s?\s*(?P<first>\d{1,3})\s*(?P<unit>[章项个讲课单元]*)"
    r"\s*(?:到|至|-|~|–|—|to|through)\s*(?:第|[a-z]+|[一-鿿]{1,4}(?=\d))?\s*(?P<last>\d{1,3})(?!\d)"
)
"""Items from one to another: units 1 to 3, 第1章到第3章."""
_NAMED_SO = re.compile(
    r"\b(?:to|as|into)\b|(?:分别|依次)?(?:改名|重命名|改叫|更名|改[成为])(?:为|成|叫|做)*", re.IGNORECASE
)
_ORDER = re.compile(r"[顺次]序|\border\b")
_MARKS = " 。.!?？「」“”‘’'\""
_EACH = re.compile(r"每|各|\b(?:each|every|all)\b")
_HOW_MANY = re.compile(r"(?:[2-9]|two|three|four|[两二三四])\s*(?:个|things?|parts?|pieces?|部分|项)?", re.IGNORECASE)
_SPLIT = re.compile(
    r"拆分?[成为开]*|分[成为]|其实是(?=[两二三2-9]个?)|\bis (?:actually |really )?(?=(?:two|three|four|\d) )|"
    r"\b(?:split|break)\b(?:.{1,40}?\b(?:into|to|in)\b)?"
)
_MERGE = re.compile(r"合并|并[成为到]|合[成为到]|\b(?:merge|combine|join|lump)\b|\b(?:in)?to one\b")
_MORE = re.compile(
    r"(?P<zh>[1-9]\d?)\s*(?:章节?|项|个|讲|节|单元|次|课|篇|条)"
    r"|\b(?P<en>\d+|an?|another|one) (?:more |extra |new |other )*"
    r"(?:chapters?|items?|units?|lectures?|lessons?|parts?|topics?|labs?)\b"
)
"""So many more items, without their names."""
_NUMBERED = re.compile(r"^(?P<head>.*?)(?P<n>\d+|[一二三四五六七八九十]+)(?P<tail>\D*)$")
_PIECES = re.compile(r"(\d)\s*(?:次|个|份|部分|段|半|parts?|pieces?|halves)")
_LENGTH = re.compile(r"(\d+)\s*(?:节|课时|sections?|periods?)")
_CALLED = re.compile(
    r"\s(?:is|are|should be|should read|=)\s+(?:(?:actually|really|now|called|named)\s+)*"
    r"(?!not\b|no\b|(?:two|three|four|\d)\s)|(?:其实|应该|改)?叫做?|应该是"
)
_UNIT = r"(?:章节?|项|个|讲|节|部分|单元|次|课|篇|条|chapters?|items?|units?|lectures?|lessons?|parts?|topics?|labs?)"
_NEW = re.compile(
    rf"(?:增加|添加|新增|添|加上?|补上?|插入?)\s*(?:了|[2-9]|两|一|1|\d+|几)*\s*{_UNIT}?(?:内容|任务项?|任务)?\s*(?:叫做?|名为|是|[:：])?\s*(?P<zh>[^,，。;；]{{1,40}})"
    rf"|\b(?:add|append|insert)\s+(?:an?|another|one more|the|new|extra|\s)*\s*(?:{_UNIT}(?!\s*\d))?\s*(?:called"
    rf"|named|on|about|:)?\s*(?P<en>.{{1,60}}?)"
    r"(?=\s+(?:to|into|in|at|after|before|between|for)\b|[,.;]|$)",
    re.IGNORECASE,
)
_COUNTED_LIST = re.compile(
    rf"(?:[2-9两二三四五六七八九几]个?\s*(?:{_UNIT})|\b(?:\d+|two|three|four|five|some|several)\s(?:more\s|new\s)*{_UNIT})"
    r"[^:,]{0,40}[:,](?P<list>.+)$",
    re.IGNORECASE,
)
"""Several new items: their list stands after a colon."""
_LABELLED = re.compile(r"\b(unit|chapter|lecture|lesson|lab|part|topic)\s*(\d+)", re.IGNORECASE)
_LABELLED_ZH = re.compile(r"(第\s*\d+\s*(?:章|讲|单元)(?!前|后|之)[^,，。;；、和与也还都吧]{0,16})")
_TO_CLASS = re.compile(r"\s*(?:到|进|给|至)?\s*(?:任务类|里面?|中)?\s*(?:吧|去)?$")
_BEFORE = re.compile(r"(?:最前面?|开头|第1[个位]|\bfirst\b|\b(?:to|at) the (?:start|beginning|front|top)\b)")
_LAST = re.compile(r"(?:最后面?|末尾|\blast\b|\b(?:to|at) the end\b)")
_EXCHANGED = re.compile(r"交换|对调|互换|调换|换|\b(?:swap|exchange|switch|flip|revers|the other way)|颠倒|反过来")
_EXTENDED = re.compile(r"延(?!误)|\b(?:extend|lengthen|prolong)\w*\b|\bmore (?:weeks?|days?)\b")
_AHEAD = re.compile(r"前面?|之前|以前|\b(?:before|ahead of|above|in front of)\b")
_BEHIND = re.compile(r"后面?|[跟接]着|\b(?:after|behind|below|follow\w*|following|next to)\b")
_LONGER = re.compile(
    r"(?:延|宽限|多给|再给|多了?|晚|推|后|拖|早|提前|缩短|少)[^,，。;；\d]{0,6}"
    r"(?P<zh>\d{1,2})\s*个?(?P<unit>天|日|周|星期|礼拜|月)"
    r"|\b(?P<en>\d{1,2}|an?|another|one|extra) (?:more |extra |additional |other )*(?P<en_unit>days?|weeks?|months?)"
    r"(?P<earlier> (?:earlier|sooner|less))?"
)
"""So much longer: 延一周, two more weeks, an extra week."""
_STARTS = re.compile(r"开始|起(?!来)|开放|\b(?:start|begin|open|kick off)\w*\b")


_CHANGES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("renames", _RENAME), ("splits", _SPLIT), ("merges", _MERGE), ("adds", _ADD), ("drops", _DROP), ("called", _CALLED),
)  # fmt: skip


def edited_dates(brief: Brief, row: ClassView, turn: str, *, dated: bool = False) -> ClassSlots | None:
    """The new last day, or first one, that a turn gives a class: a date, a week, or so much later or earlier.
    `dated`: it is known to be about that."""
    if says("deadline", fold_text(turn)):
        turn = _FORMER_END.sub("", turn)
    said = Features(turn, brief)
    dated = dated or label_of(turn, brief) == "class_dates"
    dated = dated or bool(_EXTENDED.search(fold_text(turn)) and _days_more(turn) and not said.any_items)
    if not row["end_date"] or not (said.changes_end or said.ends_all or dated):
        return None
    turn = without_days_off(turn, brief.term)
    days = dates_in(turn, brief.term)
    if said.slots.start and said.slots.end and said.slots.start < said.slots.end and not weekdays_in(turn):
        return ClassSlots(start=said.slots.start, end=said.slots.end)
    if days and dated and _STARTS.search(fold_text(turn)) and not said.has("deadline"):
        return ClassSlots(start=days[0])
    if days:
        told = [day for one in brief.earlier if one["role"] == "user" for day in dates_in(one["text"], brief.term)]
        end = next((day for day in told[-2:] if day.day == days[-1].day and day > days[-1]), days[-1])
        return ClassSlots(end=end)
    days_more, old = _days_more(turn), date.fromisoformat(row["end_date"])
    if days_more:
        return ClassSlots(end=old + timedelta(days=days_more))
    week, weekdays = week_in(turn, brief.term), weekdays_in(turn)
    if week is not None and dated and _STARTS.search(fold_text(turn)):
        return ClassSlots(start=brief.term.day(week, weekdays[0] if weekdays else 1))
    if week is not None:
        return ClassSlots(end=brief.term.day(week, weekdays[-1] if weekdays else 7))
    return ClassSlots(end=brief.term.day(brief.term.week_day(old)[0], weekdays[-1])) if weekdays else None


_FORMER_END = re.compile(
    r"从[^,，。;；]{2,14}?(?=提前|推迟|推后|改|延|调|移|挪)|\bfrom [^,.;]{3,24}? (?=(?:back |forward |ahead )?to\b)",
    re.IGNORECASE,
)
"""The day that was the last one: 从5月10日提前到4月30日."""


def _days_more(turn: str) -> int:
    """By how many days a class is to end later; less than none for earlier, none where it is not told."""
    if (shift := shift_in(turn)) is not None and shift.days:
        return shift.days
    found = _LONGER.search(fold_numbers(turn))
    if found is None:
        return 0
    count, unit = found["zh"] or found["en"], found["unit"] or found["en_unit"]
    days = (int(count) if count.isdigit() else 1) * (1 if unit[0] in "天日d" else 30 if unit[0] in "月m" else 7)
    sooner = found["earlier"] or re.match("早|提前|缩短|少", found.group())
    return -days if sooner else days


def divide_changes(turn: str, brief: Brief) -> list[str]:
    """The pieces of a turn that change different things of a class: what is added, what goes, names, dates."""
    pieces: list[tuple[str, str]] = []
    for clause in re.split(_NEXT_CHANGE, turn):
        kind = _kind_of_change(clause, brief)
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


def _kind_of_change(clause: str, brief: Brief) -> str:
    """What of a class a clause changes by itself; empty for one that goes on about the same."""
    text, label = fold_numbers(clause), aim_of(clause, brief)
    if label in ("class_dates", "class_rules"):
        return label
    if label in ("class_times", "wish"):
        return "class_times"
    named = label == "class_items" or bool(items_in(clause, brief, among=all_items(brief)))
    told = [kind for kind, form in _CHANGES if form.search(text)] if named else []
    return told[0] if told else ""


def edited_items(brief: Brief, row: ClassView, turn: str, whole: str = "") -> list[dict[str, Any]] | str | None:
    """The whole list of items after what a turn changes, a word for what is not there, None when it changes none.
    `whole`: what the turn is a piece of."""
    said = Features(turn, brief)
    if not (
        changes_contents(turn, brief)
        or said.has("length")
        or (whole not in ("", turn) and _kind_of_change(turn, brief))
    ):
        return None
    rows = _list_items(brief, row)
    if said.has("length") and not _EACH.search(fold_text(turn)) and items_in(turn, brief, among=all_items(brief)):
        return _lengthen(brief, row, rows, turn)
    text, quoted = fold_numbers(turn), [name for name in find_quoted_texts(widths(turn)) if name != row["name"]]
    named = _named(brief, row, _BEFORE.sub(" ", fold_numbers(turn)))
    new = _new_labels(turn, row)
    if _MERGE.search(text) and len(found := _all_named(brief, row, turn)) > 1:
        return _merge(brief, rows, found, quoted)
    if _SPLIT.search(text):
        return _split(brief, row, rows, named, turn)
    if _ORDER.search(text) and len(named) > 1 and (ordered := _reorder(rows, named, text)) is not None:
        return ordered
    if _RENAME.search(text) or said.has("rename") or (named and _CALLED.search(text) and not _ADD.search(text)):
        return _rename_each(brief, row, rows, turn, quoted)
    if _DROP.search(text) and not (_ADD.search(text) or said.has("reorder")):
        counted = [item for item in find_counted_items(turn, brief) if item["class_id"] == row["id"]]
        gone = {item["item_id"] for item in counted or _all_named(brief, row, turn) or named}
        return [item for item in rows if item["id"] not in gone] if gone else no_such_item(brief, row, turn)
    if not (_ADD.search(text) or quoted or new) and (ordered := _reorder(rows, named, text)) is not None:
        return ordered
    if _ADD.search(text) and (place := _find_place(brief, row, turn)):
        where, turn = place
        named, new = _named(brief, row, fold_numbers(where)), _new_labels(turn, row)
        text = fold_numbers(where)
    names = quoted or _called_so(turn, new) or new or _new_names(turn, row, brief) or _numbered_on(row, text)
    names = [_in_style(name, row) for name in names]
    known = {fold_text(item["content"]) for item in rows}
    if added := [name for name in names if fold_text(name) not in known]:
        return _insert(rows, added, named, text)
    if names:
        there = ("「{name}」里已经有{items}。要改什么？", '"{name}" has {items} already. What should change?')
        return brief.say(*there, name=row["name"], items=brief.say("、", ", ").join(names))
    if said.has("reorder"):
        return no_such_item(brief, row, turn)
    if _ADD.search(text):
        told = ("要加的内容叫什么？请说，例如「加一项：习题课」。",
                'What are the new items called? Say for example "add an item called exercises".')  # fmt: skip
        return brief.say(*told)
    return None


_PLACE = re.compile(
    r"\b(?:right |just |straight )?(?:after|before|between|behind|ahead of|in front of|following) (?:(?! (?:in"
    r"|to|of) (?:the|my)\b)[^,.;:])+"
    r"|(?:在|放?到)?[^,，。;；:：]{1,24}?(?:之间|中间|后面|之后|以后|前面|之前|以前|后|前)(?=[,，]?\s*(?:再|也|增|添|新增|加|插|补|塞))",
    re.IGNORECASE,
)
"""Where something new is to stand: after the second one, 在分析和报告之间."""


def _find_place(brief: Brief, row: ClassView, turn: str) -> tuple[str, str] | None:
    """The words that tell beside which items something new is to stand, and the turn without them; None without."""
    place = _PLACE.search(turn)
    if place is None or not _named(brief, row, fold_numbers(place.group())):
        return None
    return place.group(), f"{turn[: place.start()]} {turn[place.end() :]}".strip()


def changes_contents(turn: str, brief: Brief) -> bool:
    """Whether a turn is about the contents of a class."""
    return label_of(turn, brief) == "class_items" or Features(turn, brief).changes_items


def _all_named(brief: Brief, row: ClassView, turn: str) -> list[TaskView]:
    """The items of the class that a turn names in runs and lists, in the order of the class."""
    ids = {item["item_id"] for item in Features(turn, brief).contents}
    return [item for item in all_items(brief) if item["class_id"] == row["id"] and item["item_id"] in ids]


def _merge(brief: Brief, rows: list[dict[str, Any]], found: list[TaskView], quoted: list[str]) -> list[dict[str, Any]]:
    """第7章和第8章合并成一个: one item in the place of the first, by the name that is said or by theirs."""
    ids = [item["item_id"] for item in found]
    joined = brief.say("、", " & ").join(item["name"] for item in found)
    kept = [item for item in rows if item["id"] not in ids[1:]]
    return [{**item, "content": quoted[-1] if quoted else joined} if item["id"] == ids[0] else item for item in kept]


def _new_labels(turn: str, row: ClassView) -> list[str]:
    """Items told by a label and a number that the class does not have: Lab 7 of six."""
    known = {fold_text(item["content"]) for item in row["items"]}
    labels = [f"{kind.capitalize()} {number}" for kind, number in _LABELLED.findall(spell_out_ordinals(turn))]
    return [name for name in dict.fromkeys(labels) if not any(_says_label(name, one) for one in known)]


def _says_label(name: str, content: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(fold_text(name))}(?!\d)", content) is not None


def _numbered_on(row: ClassView, text: str) -> list[str]:
    """再加两个单元, another lab: so many more items, numbered on from the last one."""
    more, last = _MORE.search(text), _NUMBERED.match(row["items"][-1]["content"]) if row["items"] else None
    if more is None or last is None or not _ADD.search(text):
        return []
    said = more["zh"] or more["en"]
    count, chinese = int(said) if said.isdigit() else 1, not last["n"].isdigit()
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
    """The items as they are written, with the length of those that have their own."""
    usual = row["sections"] // len(row["items"]) if row["items"] else 2
    lengths = {task["item_id"]: task["duration"] for task in brief.tasks if task["duration"] != usual}
    return [
        {"id": item["id"], "content": item["content"]}
        | ({"duration": lengths[item["id"]]} if item["id"] in lengths else {})
        for item in row["items"]
    ]


def _named(brief: Brief, row: ClassView, turn: str) -> list[TaskView]:
    """The items of the class that a turn names, in the order of the text."""
    pool = [item for item in all_items(brief) if item["class_id"] == row["id"]]
    found: list[TaskView] = []
    for piece in re.split(
        r"[和与跟及、,，到在放]|之?前|之?后|前面|后面|\b(?:and|to|before|after|with)\b", spell_out_ordinals(turn)
    ):
        rows = items_in(piece, brief, among=pool)
        found += [item for item in rows if item not in found] if len(rows) == 1 else []
    return found


def _rename(
    brief: Brief, row: ClassView, rows: list[dict[str, Any]], named: list[TaskView], turn: str, quoted: list[str]
) -> list[dict[str, Any]] | str | None:
    cut = _RENAME if _RENAME.search(widths(turn)) else _CALLED
    name = quoted[-1] if quoted else cut.split(widths(turn), maxsplit=1)[-1].strip(_MARKS)
    if not named:
        return no_such_item(brief, row, turn)
    listed = re.split(r"[、,，]|\band\b", name) if re.search(r"[、,，]", name) and not quoted else [name]
    if len(listed) > 1:
        return _ask_for_names(brief, 1, len(listed))
    return [{**item, "content": name} if item["id"] == named[0]["item_id"] else item for item in rows] if name else None


def _rename_each(
    brief: Brief, row: ClassView, rows: list[dict[str, Any]], turn: str, quoted: list[str]
) -> list[dict[str, Any]] | str | None:
    """实验四改叫示波器，实验五改叫光的干涉; lab 4 is Optics and lab 5 is Waves, fix the names: each its own name."""
    if (run := _RUN.search(fold_numbers(turn))) is not None:
        return _rename_run(brief, row, rows, turn, run)
    told: list[tuple[str, str]] = []
    for clause in re.split(r"[,，;；]|(?:\band\b)(?=[^,]*\d)", widths(turn)):
        forms = (_RENAME, _CALLED, *((_NAMED_SO,) if told else ()))
        cut = next((match.end() for form in forms if (match := form.search(clause))), len(clause))
        head, name = clause[:cut], clause[cut:].strip(_MARKS)
        if name and _named(brief, row, head):
            told.append((head, name))
    if not told or quoted:
        return _rename(brief, row, rows, _named(brief, row, turn), turn, quoted)
    if len(told) == 1 and re.search(r"[、,，]|\band\b", told[0][1]):
        return _rename(brief, row, rows, _named(brief, row, told[0][0]), turn, quoted)
    new = {_named(brief, row, head)[0]["item_id"]: name for head, name in told}
    return [{**one, "content": new.get(one["id"], one["content"])} for one in rows]


def _rename_run(
    brief: Brief, row: ClassView, rows: list[dict[str, Any]], turn: str, run: re.Match[str]
) -> list[dict[str, Any]] | str:
    """Rename units 1 to 3 to A, B and C: as many names as items, else it is asked."""
    numbers = range(int(run["first"]), int(run["last"]) + 1)
    label = run["label"] if run["label"] == "第" else f"{run['label']} "
    pool = [item for item in all_items(brief) if item["class_id"] == row["id"]]
    found = [items_in(f"{label}{n}{run['unit']}", brief, among=pool) for n in numbers]
    said = _NAMED_SO.split(widths(turn))[-1]
    names = [name.strip(_MARKS) for name in re.split(r"[、,，和]|\band\b", said) if name.strip(_MARKS)]
    if any(len(one) != 1 for one in found):
        return no_such_item(brief, row, turn)
    if len(names) != len(found):
        return _ask_for_names(brief, len(found), len(names))
    new = {one[0]["item_id"]: name for one, name in zip(found, names, strict=True)}
    return [{**item, "content": new.get(item["id"], item["content"])} for item in rows]


def _ask_for_names(brief: Brief, items: int, names: int) -> str:
    told = (
        "要改名的有 {n} 项，名字有 {m} 个。请给每一项说一个名字。",
        "To rename: {n}, with {m} names. Please give one name for each item.",
    )
    return brief.say(*told, n=items, m=names)


def _split(
    brief: Brief, row: ClassView, rows: list[dict[str, Any]], named: list[TaskView], turn: str
) -> list[dict[str, Any]] | str | None:
    """第3章拆成两次：3.1和3.2: two items in the place of one, numbered where no names are said."""
    if not named:
        return no_such_item(brief, row, turn)
    said = _SPLIT.split(widths(turn), maxsplit=1)[-1]
    listed = re.split(r"[:：]", said)[-1] if re.search(r"[:：]", said) else re.sub(_PIECES, " ", fold_numbers(said))
    names = [name.strip(" 「」\"'。.!") for name in re.split(r"[、,，和]|\band\b", listed)]
    names = [name for name in names if not _HOW_MANY.fullmatch(name)]
    names = [name for name in names if name and not _PIECES.fullmatch(fold_numbers(name))]
    count = _PIECES.search(fold_numbers(said))
    if len(names) < 2:
        names = [f"{named[0]['name']} ({n})" for n in range(1, (int(count[1]) if count else 2) + 1)]
    at = next(index for index, item in enumerate(rows) if item["id"] == named[0]["item_id"])
    return [*rows[:at], *({"content": name} for name in names), *rows[at + 1 :]]


def _lengthen(brief: Brief, row: ClassView, rows: list[dict[str, Any]], turn: str) -> list[dict[str, Any]] | str | None:
    """第5章给它4节: the length of one item, the others as they are."""
    pool = [item for item in all_items(brief) if item["class_id"] == row["id"]]
    named, length = items_in(turn, brief, among=pool), _LENGTH.search(fold_numbers(turn))
    if len(named) != 1 or length is None:
        return no_such_item(brief, row, turn)
    return [{**item, "duration": int(length[1])} if item["id"] == named[0]["item_id"] else item for item in rows]


def _reorder(rows: list[dict[str, Any]], named: list[TaskView], text: str) -> list[dict[str, Any]] | None:
    """第3章放到第1章前面, put chapter 3 first, chapter 1 and 2 the other way round."""
    ids = [item["item_id"] for item in named]
    if not ids:
        return None
    moved = next(item for item in rows if item["id"] == ids[0])
    rest = [item for item in rows if item is not moved]
    if len(ids) == 2 and _EXCHANGED.search(text):
        places = {item_id: next(item for item in rows if item["id"] == other) for item_id, other in (ids, ids[::-1])}
        return [places.get(item["id"], item) for item in rows]
    if len(ids) > 1:
        between = len(ids) > 2 and _AHEAD.search(text) and _BEHIND.search(text)
        if between or not (_AHEAD.search(text) or _BEHIND.search(text)):
            return None
        at = next(index for index, item in enumerate(rest) if item["id"] == ids[1])
        rest.insert(at if _AHEAD.search(text) else at + 1, moved)
    elif _BEFORE.search(text):
        rest.insert(0, moved)
    elif _LAST.search(text):
        rest.append(moved)
    else:
        return None
    return rest


def _insert(rows: list[dict[str, Any]], names: list[str], named: list[TaskView], text: str) -> list[dict[str, Any]]:
    """New items at the end, or beside the one that is named."""
    at = 0 if _BEFORE.search(text) else len(rows)
    if named:
        index = next(number for number, item in enumerate(rows) if item["id"] == named[0]["item_id"])
        at = index if _AHEAD.search(text) else index + 1
    return [*rows[:at], *({"content": name} for name in names), *rows[at:]]


def _called_so(turn: str, labels: list[str]) -> list[str]:
    """The name that a new item is called by, behind its label where it has one: Chapter 9 Mock exam."""
    match = _NAMED.search(widths(turn)) if _ADD.search(fold_numbers(turn)) else None
    name = match.group(1).strip(_MARKS) if match else ""
    return [f"{labels[0]} {name}" if len(labels) == 1 else name] if name else []


_NAMED = re.compile(
    r"(?:\b(?:called|named|titled)|(?<![改名])叫做?|名为|名字是)\s*([^,，。;；:：、]{1,40}?)(?=\s*(?:$|[,，。;；.]|\b(?:to|at|in)\b))",
    re.IGNORECASE,
)


def _new_names(turn: str, row: ClassView, brief: Brief) -> list[str]:
    text = widths(turn).replace(row["name"], " ")
    chinese = [name.strip() for name in _LABELLED_ZH.findall(fold_numbers(turn))]
    if chinese:
        return chinese
    labelled = _LABELLED.findall(spell_out_ordinals(turn))
    if len(labelled) > 1:
        return [f"{kind.capitalize()} {number}" for kind, number in dict.fromkeys(labelled)]
    match = _NEW.search(text)
    said = (match["zh"] or match["en"] or "") if match else ""
    several = _COUNTED_LIST.search(text)
    parts = re.split(r"[、,，和]|\band\b", several["list"]) if several else re.split(r"[、和]|\band\b", said)
    names = [_TO_CLASS.sub("", name).strip(f"{_MARKS}的") for name in parts]
    return [
        name
        for name in names
        if name
        and not _is_class(name, brief)
        and not _MORE.fullmatch(fold_numbers(name))
        and not re.fullmatch(_UNIT + r"|\d+|吧|一下|进去?|去|it|to|too|also|them|as well", name, re.IGNORECASE)
    ]


def _is_class(name: str, brief: Brief) -> bool:
    """Whether what is to be added is a class, not an item of one: add CET too."""
    rest = re.sub(r"\b(?:too|also|as well)\b|[也吧\W]", "", without_classes(fold_numbers(name), brief))
    return bool(classes_in(name, brief.classes)) and not rest


def no_such_item(brief: Brief, row: ClassView, turn: str) -> str:
    """There is no chapter 12: 「概率论复习」 has 8 items."""
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


def with_items(
    slots: ClassSlots, row: ClassView, items: list[dict[str, Any]], tasks: list[TaskView]
) -> tuple[ClassSlots, list[dict[str, Any]]]:
    """The slots with a total that grows and shrinks with the list, at the usual length of an item."""
    before, known = row["sections"], len(row["items"])
    each = max(1, before // known) if known else 2
    total = max(len(items), before + each * (len(items) - known))
    known_lengths = {task["item_id"]: task["duration"] for task in tasks}
    longer = sum(item["duration"] - known_lengths.get(item["id"], each) for item in items if item.get("duration"))
    total += longer
    changed = (len(items) != known or longer) and before and slots.total is None
    return (replace(slots, total=total) if changed else slots), items
