"""Changes of the contents of a class in plain words: their order and length, what is gone or done, and what is new."""

from __future__ import annotations

import re
from datetime import timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.names import find_shortened, find_whole_name, list_names
from agent.llm.offline.language.plain.shapes import (
    find_classes,
)
from agent.llm.offline.language.spans.classes.item_lengths import read_lengths
from agent.llm.offline.language.spans.classes.item_list import is_name, split_names
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import place_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import say_date
from agent.loop.view_document import TaskView


def names_of(ids: list[int], brief: Brief) -> list[str]:
    return [row["name"] for row in brief.classes if row["id"] in ids]


def set_lengths(text: str, brief: Brief) -> list[Frame]:
    """How many sections items take, each length with its items; those of a whole class together."""
    frames: list[Frame] = []
    for rows, number in read_lengths(text, brief):
        for class_id in dict.fromkeys(row["class_id"] for row in rows):
            own = tuple(row["name"] for row in rows if row["class_id"] == class_id)
            whole = len(own) == sum(row["class_id"] == class_id for row in all_items(brief)) > 1
            slots = {"class": tuple(names_of([class_id], brief))} if whole else {"items": own}
            frames.append(frame_of("each_takes" if whole else "takes", {**slots, "number": (str(number),)}))
    return frames


def find_items(text: str, brief: Brief) -> list[TaskView]:
    """The planned items that are named, shortened as well."""
    if rows := find_mentioned(text, brief):
        return rows
    told = find_shortened(text, (), [row["name"] for row in brief.tasks])
    return [row for row in brief.tasks if row["name"] in told]


_ORDERED = re.compile(
    r"顺序|次序|先[^,，]{1,8}[,，]?\s*(?:再|然后|接着)[^,，]{1,8}[,，]?\s*(?:再|然后|接着|最后)"
    r"|\border\b|\bstart\w* with\b.*\bthen\b.*\b(?:then|finally|last)\b|\bfirst\b.*\bthen\b.*\b(?:then|finally"
    r"|last|after that)\b"
)
_NO_ORDER = re.compile(
    r"颠倒|反过来|按顺序|不变|先后|[加删拆并]|[?？吗]|\b(?:add|delete|remove|split|merge|in order|same order"
    r"|which|what)\b"
)
_LEAST_ORDERED = 3


def read_order(text: str, brief: Brief) -> list[Frame]:
    """The order in which the items of a class are to be done, at least three of them told one after the other."""
    if not _ORDERED.search(text) or _NO_ORDER.search(text) or read_times(text, brief.term):
        return []
    names = [row["name"] for row in all_items(brief)]
    folded = {fold_numbers(name): name for name in names}
    places = dict[str, int]()
    plain = fold_numbers(text)
    for piece in sorted({one.text for one in list_names(plain, (), names)}, key=len, reverse=True):
        name = folded.get(piece) or find_whole_name(piece, names)
        if name and piece in plain:
            places[name] = min(places.get(name, len(plain)), plain.find(piece))
            plain = plain.replace(piece, " " * len(piece))
    told = sorted(places, key=lambda name: places[name])
    owners = {row["class_id"] for row in all_items(brief) if row["name"] in told}
    whole = sum(row["class_id"] in owners for row in all_items(brief))
    if len(owners) != 1 or len(told) < min(_LEAST_ORDERED, whole) or says("swap", text):
        return []
    return [frame_of("order_all", {"items": tuple(told)})]


def read_reordered(text: str, brief: Brief) -> list[Frame]:
    """That two items of one class change places, or that one is to be right beside another which is not beside it in
    their class: what only another order of the class allows."""
    if (asks_whether(text) and not says("polite_form", text)) or read_times(text, brief.term):
        return []
    wanted, pair = read_arrangement(text, brief), find_mentioned(text, brief)
    beside = wanted.beside if wanted else None
    if beside is not None and wanted is not None and beside[0] in ("next", "ahead") and len(wanted.items) == 1:
        pair = [wanted.items[0], beside[1]]
    elif beside is not None or not says("swap", text):
        return []
    if len(pair) != 2 or len({row["class_id"] for row in pair}) > 1 or not all(row["slot"] for row in pair):
        return []
    rows = sorted((row for row in brief.tasks if row["class_id"] == pair[0]["class_id"]), key=lambda row: row["order"])
    names = [row["name"] for row in rows]
    at, other = (names.index(row["name"]) for row in pair)
    if beside is None:
        names[at], names[other] = names[other], names[at]
    elif other - at != (1 if beside[0] == "ahead" else -1):
        moved = names.pop(at)
        names.insert(names.index(pair[1]["name"]) + (beside[0] == "next"), moved)
    else:
        return []
    return [frame_of("order_all", {"items": tuple(names)})]


_NOT_IN_CLASS = re.compile(
    r"不在(?:大纲|考纲|课程|内容|清单|列表)[里内中]?|不属于(?:课程|考试)|(?:不|没有?)(?:会)?考(?:了|它|这[个章项])?(?=$|[,，。;；!！])|考试?不考"
    r"|\b(?:(?:is|are|will)(?:n't| not)|won't)(?: going to)?(?: be)?"
    r" (?:on|in|part of) (?:the|my|our) (?:exam|test|final|midterm)\b"
    r"|\b(?:(?:is|are)n't|(?:is|are) not|(?:is|are) no longer|no longer) (?:a |any )?(?:part of|on|in)"
    r" (?:the|this|our|my) (?:course|class|syllabus|list|programme?|curriculum)\b"
)
_SENTENCE = re.compile(r"[.。;；!！]\s*(?=\w)")
_TAKEN_OUT = re.compile(r"拿[掉出]|移出|撤[下掉]|\btak(?:e|ing)\b[^,.;]*\bout\b(?! of (?:the |my )?(?:class|course))")
"""What only leaves the plan, whatever the reason: it can come back."""
_OFF_LIST = re.compile(
    r"\b(?:take|remove|drop|delete|cross|get|kick|throw|strike)\b[^,.;]{1,40}\b(?:off|from|out of) (?:my|the) "
    r"(?:(?:\w+ )?list|classes|subjects)\b|从[^,，。]{0,4}(?:清单|列表|任务类)[里中上]?[^,，。]{0,4}[删去拿移划除]"
)


def read_gone(text: str, brief: Brief) -> list[Frame]:
    """That items are no part of their class any more, or a class is none any more."""
    ids = classes_in(text, brief.classes) if _OFF_LIST.search(text) and not asks_whether(text) else []
    if len(ids) == 1 and not find_mentioned(text, brief):
        return [frame_of("delete_class", {"class": tuple(names_of(ids, brief))})]
    rows = [row for row in all_items(brief) if row in items_in(text, brief, among=all_items(brief))]
    several = _SENTENCE.search(text.strip(" .。!！")) is not None
    if several or _NOT_IN_CLASS.search(text) is None or _TAKEN_OUT.search(text) or len(rows) != 1 or asks_whether(text):
        return []
    return [frame_of("remove", {"items": (rows[0]["name"],)})]


_ONLY_LEFT = re.compile(
    r"[只就](?:还|是)?[剩差](?:下|了)?(?P<zh>[^,，。;；]{1,24}?)(?:还?[没未](?:有|能)?(?:[做学背看复写弄搞]习?完?|完成|动))?了?(?=[,，。;；!！]|$)"
    r"|\b(?:only|just) (?P<en>[^,.;]{2,40}?) (?:is|are|'s)?\s*(?:still )?(?:left|to go|missing|to do|remains?|undone)\b"
    r"|\ball (?:that's|that is|i have) left (?:to do )?is (?P<en2>[^,.;]{2,40})"
)
_OTHERS_DONE = re.compile(
    r"(?:其[他它余]|别的|另外|剩下|前面)[^,，。;；]{0,8}(?:[做学背看写弄搞]|复习)?[过完好]了"
    r"|(?:其[他它余]|别的|另外|前面)[^,，。;；]{0,8}(?:搞定|完成)"
    r"|\b(?:others?|the rest|everything else|other (?:two|three|ones?))\b[^,.;]{0,16}"
    r"\b(?:done|finished|completed|behind me)\b"
    r"|\b(?:did|done|finished|completed) (?:all )?(?:of )?(?:the|my)? ?(?:others?|rest)\b|\bdid everything else\b"
)


def read_only_left(text: str, brief: Brief) -> list[Frame]:
    """That all items of a class are done but those that are left."""
    found = _ONLY_LEFT.search(text)
    if found is None or not (_OTHERS_DONE.search(text) or "没" in found.group()) or asks_whether(text):
        return []
    said = found["zh"] or found["en"] or found["en2"]
    left = find_mentioned(said, brief) or items_in(said, brief, among=all_items(brief)) or find_items(said, brief)
    owners, names = {row["class_id"] for row in left}, [row["name"] for row in left]
    done = [row["name"] for row in all_items(brief) if row["class_id"] in owners and row["name"] not in names]
    return [frame_of("did", {"items": tuple(done)})] if len(owners) == 1 and done else []


_DIVIDED = re.compile(
    r"^(?P<zh>[^,，。;；]{2,24}?)(?:里|的?内容)?(?:拆|分)(?:成|为)[:：]?(?P<zh_list>.+)$"
    r"|\b(?:split|divide|break)(?: up)? (?P<en>[^,.;:]{2,40}?)(?: up)? into:? (?P<en_list>.+)$"
)


def read_divided(text: str, brief: Brief) -> list[Frame]:
    """That a class is to have new items beside all that it has: split vocab into verbs, nouns, adjectives."""
    found = _DIVIDED.search(text)
    head = (found["zh"] or found["en"]) if found else ""
    ids = classes_in(head, brief.classes)
    own = [row["name"] for row in all_items(brief) if [row["class_id"]] == ids]
    if found is None or len(ids) != 1 or find_mentioned(head, brief) or asks_whether(text):
        return []
    listed = [name for name in split_names((found["zh_list"] or found["en_list"]).strip(" .。!！"), 0) if is_name(name)]
    new = [name for name in listed if not any(name in fold_text(one) for one in own)]
    kept = all(any(name in fold_text(one) for name in listed) for one in own)
    return [frame_of("add_item", {"class": tuple(names_of(ids, brief)), "text": tuple(new)})] if new and kept else []


_ONCE_MORE = re.compile(
    r"(?:[再多另]|另外)?(?:加|来|安排|添)[1一](?:次|遍|回)|再(?:学|复习|看|背|做)[1一](?:次|遍|回)"
    r"|\b(?:one more|another|an extra|a second|an additional) (?:session|round|review|go)\b|\bonce more\b"
)


def read_once_more(text: str, brief: Brief) -> list[Frame]:
    """That an item is to be done once more: a further item behind it in its class."""
    rows = items_in(text, brief, among=all_items(brief))
    owner = brief.class_of(rows[0]["class_id"]) if len(rows) == 1 else None
    if owner is None or not _ONCE_MORE.search(text) or asks_whether(text):
        return []
    name, times = rows[0]["name"], read_times(text, brief.term)
    zh = has_chinese(text)
    again = f"{name.split()[-1]}（第二次）" if zh else f"{name} (again)"
    added = frame_of("add_item_after", {"class": (owner["name"],), "item": (name,), "text": (again,)})
    said = text[min(one.start for one in times) : max(one.end for one in times)] if times else ""
    return [added, *([frame_of("put_in_on", {"items": (again,), "time": (said,)})] if said else [])]


_TO_BE_DONE = re.compile(
    r"[学做看背弄搞]完(?!了)|完成(?!了)|搞定(?!了)|\b(?:has|have|needs?|must|should|want\w*|get|be)\b[^,.;]*\b(?:done|finished|completed?|over|through)\b"
    r"|^(?:please |i (?:must|have to|need to|want to) )?(?:finish|complete)\b"
)


def read_items_by(text: str, brief: Brief) -> list[Frame]:
    """The last day by which items are to be done, those that are counted or told from one to another as well."""
    rows, times = find_mentioned(brief.read_words(text), brief), read_times(text, brief.term)
    bounds = [one for one in times if one.side in ("until", "before") and one.kind in ("day", "weekday")]
    if (
        not rows
        or len(times) != 1
        or len(bounds) != 1
        or not _TO_BE_DONE.search(text)
        or re.search(r"[,，;；。]", text)
    ):
        return []
    days, today = place_of(bounds, brief.term).days, brief.term.today
    last = bounds[0].last or today + timedelta(days=(days[0] - today.isoweekday() - 1) % 7 + 1 if days else 0)
    last -= timedelta(days=bounds[0].strict and not has_chinese(text))
    if asks_whether(text) or last <= today:
        return []
    if EXCEPTION.search(text):  # all others: everything but chapter 6
        owners = find_classes(text, brief)
        rows = [row for row in brief.tasks_before if row["slot"] and row not in rows]
        rows = [row for row in rows if not owners or row["class_id"] in owners]
    when = say_date(last, zh=has_chinese(text))
    return [frame_of("items_by", {"items": tuple(row["name"] for row in rows), "time": (when,)})]
