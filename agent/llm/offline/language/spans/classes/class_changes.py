"""What a message changes of the contents of classes: what comes, goes, is called otherwise, divided or reordered.

Mentions of items become single signs first. Each clause then tells a change, goes on with the list of the one before,
or tells something else, which is left for others to read. A piece of a list that tells a time, a limit or what becomes
of something is none of its names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers, fold_text, widths
from agent.llm.offline.language.remember import remember_found, remember_of_plan
from agent.llm.offline.language.spans.classes.added_contents import (
    ADD,
    ADDS_IT,
    CLOSED,
    PLACED,
    as_addition,
    find_addition,
    find_lengths,
    read_add,
    read_replaced,
    without_target,
)
from agent.llm.offline.language.spans.classes.content_reading import (
    BESIDE,
    LABELLED,
    PUTS,
    QUOTE,
    SIDES,
    UNIT,
    ContentChanges,
    ItemChange,
    Reading,
    side_of,
)
from agent.llm.offline.language.spans.classes.item_list import as_written, split_names
from agent.llm.offline.language.spans.items.beside import SIGN
from agent.llm.offline.language.spans.items.counted import find_counted_items
from agent.llm.offline.language.spans.items.mention_signs import fold_mentions, restore_mentions, sign_mentions
from agent.llm.offline.language.spans.items.spoken import spoken_of
from agent.llm.offline.language.spans.mentions import all_items, classes_in, find_quoted_texts
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import number_of
from agent.llm.offline.language.words.refused_deeds import NOT_DONE
from agent.loop.view_document import TaskView

_GONE = re.compile(
    rf"(?<={SIGN})(?:也|都|就|已经|我|老师|学校)*(?:不用|不需要|不|没必要)(?:再)?(?:做|讲|考|学|背|看|上|要(?!在|[放排挪移动改]|周|星期|礼拜|\d|[早上下]|晚)|复习)了?"
    rf"|(?<={SIGN})(?:也|都|就|已经|被|老师|学校|的)*(?:取消掉?了?|(?:不再?|停止?)(?:举行|进行|开设?|上课))"
    rf"|(?<={SIGN} )(?:will not|won't|does not|doesn't|do not|is not|isn't|are not)"
    r" (?:be )?(?:tak(?:e|ing) place|happen\w*|held|run\w*)"
    rf"|(?<={SIGN} )(?:(?:is|are|was|were|got|has been|have been|will be) )?(?:now |both |all |also |not )*"
    r"(?:cancell?ed|called off|scrapped|dropped|deleted|removed|(?<=is )off|(?<=are )off"
    r"|(?:(?<=not )|(?<=n't ))(?:\w+ )?(?:examined|tested|covered|needed|required|on the exam|in the exam"
    r"|part of the exam))"
)
_DROP = re.compile(
    r"(?:删除?|去掉|去除|砍掉?|拿掉|移除)(?:掉|了|吧)*|取消掉?了?"
    rf"|不(?:考|做|学|背|讲)(?:第)?(?={SIGN})"
    r"|\b(?:not|no longer) (?:be )?(?:doing|covering|taking)\b|\b(?:cancell?ed|scrapped|dropped)\b"
    rf"|\b(?:take|pull|throw)(?= (?:the )?{SIGN}(?: and {SIGN}| {SIGN})* out of (?:the |my )?{SIGN})"
    r"|\b(?:delet(?:e|ing)|remov(?:e|ing)|drop(?:ping)?|chop(?:ping)?|scrap(?:ping)?|ditch(?:ing)?|bin(?:ning)?"
    r"|cut(?:ting)?(?: out)?|get(?:ting)? rid of|kick out|cancel)\b"
)
_RENAME = re.compile(
    r"(?:改个?名字?|换个名字?|重命名|改叫|更名|更正)(?:为|成|叫|做)*(?!撤|取消|恢复|还原|作废)|(?:其实|应该|应当|应(?=为))+改?(?:是|叫|为)做?"
    r"|(?<!\w)叫做?|改[成为](?!\s*第?\d)"
    r"|\b(?:is|are|should be|should read|be)? ?(?:(?:actually|really|now) )*(?:called|named|titled)\b"
    r"|\bshould (?:be|read)\b|\b(?:is|=)(?: (?:actually|really|now))*(?= )"
)
_RENAME_EN = re.compile(
    rf"\brename(?:d)?\b(?P<what>.*?)\b(?:to|as|into)\b|\b(?:call|name(?= (?:the )?{SIGN}))\b(?P<what2>.*)"
)
_GOES_ON = re.compile(
    rf"(?P<what>{SIGN})\s*(?:\b(?:to|as|into|becomes|is)\b|改?[成为叫])(?!\s*\d+ ?(?:节|课时|小时|section|hour))"
)
_SPLIT = re.compile(
    r"(?:拆分?|分)(?:[成为开]|作)?(?=\s*\d|\s*[:：]|[^,，]{1,16}[、和]|$)|(?:其实|应该)?(?:是|有|包括)(?=[23456两]\s*个?"
    r"(?:部分|块|次|节|东西|内容|小节))|\bis (?:actually |really )?(?=(?:two|three|four|\d) )"
    r"|\b(?:split|break|divide)\b(?: up)?(?P<what>.*?\b(?:into|to|in)\b)?"
)
_MERGE = re.compile(r"合并|并[成到]|合[成到]|\b(?:merge|combine|lump|join)\b")
_SWAPS = re.compile(
    r"交换|对调|互换|调换|调(?:一?[个下])?(?:先后)?[顺次]序|换|颠倒|反过来"
    r"|\b(?:swap|exchange|switch|flip|revers|the other way)"
)
_BREAK = re.compile(
    rf"[;；。!！?？\n]+|\.(?:\s|$)|[,，]|(?:然后|另外|顺便|同时|并且|但是?|不过)"
    r"|\b(?:and |but |then |also |please |so )+(?=(?:add|append|insert|tack|include|delete|remove|drop|scrap|ditch|cut"
    r"|get rid of|bin|chop|kick out|cancel|rename|call|name|split|break|merge|combine|put|move|stick|swap|plan|place"
    r"|make|let|give|set|change|extend|schedule|keep|leave|do)\b"
    rf"|{SIGN} (?:to|is|are|should|as|into|becomes|first|last)\b)"
    r"|\band (?=[^,.;]{1,40}\b(?:is|are|was|were|has|ends?|starts?|must|now)\b)"
)
_NOTHING = re.compile(
    r"^(?:[-–•*·](?=\s)|\d{1,2}[.)、](?!\d)|再|也|还|都|请|帮我|给我|把|将|and|then|also|please|so|,|，|\s)+|[\s,，.。:：;；]+$"
)
_PRONOUN = re.compile(r"它们?|这[一1]?[个项章]|\b(?:it|that|this one|them|those|both)\b")
_ONLY_IT = re.compile(r"(?:just |simply )*(?:it|that|this|that one|this one|them|the (?:class|course|whole thing))")
"""What points to an item only where one was named; a class else."""
_POINTS = re.compile(r"\s*(?:it|that|this)\s+(?=\S)")
_ONLY_POINTS = re.compile(r"(?:那|就|还是|干脆|把|给|将|它|[这那]1?[个项章]|的|名字|\s)*")
_FIRST_QUOTED = 0xE200


def tells_contents(message: str, brief: Brief) -> bool:
    """Whether a message can only be about the contents of a class: several changes of them, a new name, a division, or
    that there will be none of an item."""
    told = [one for one in read_content_changes(message, brief).told if one.items or one.names or one.more]
    sure = [
        one
        for one in told
        if one.items and (one.kind in ("split", "merge") or one.side == "order" or (one.kind == "rename" and one.names))
    ]
    if any(any(one.lengths) for one in told):
        return True
    made = {one.kind for one in told} & {"add", "rename", "split", "merge"}
    kinds = {one.kind for one in told}
    several = (bool(made) and len(kinds) > 1) or (len(kinds) > 1 and bool(classes_in(message, brief.classes)))
    return bool(sure) or several or any(one.gone or one.back for one in told) or contradicts_order(message, brief)


def divides_items(message: str, brief: Brief) -> bool:
    """Whether a message makes several items of one, or one of several, and nothing else of contents."""
    told = read_content_changes(message, brief).told
    return bool(told) and all(one.kind in ("split", "merge") and one.items for one in told)


def tells_only_contents(message: str, brief: Brief, tells_length: Callable[[str], bool] | None = None) -> bool:
    """Whether a message is nothing but several changes of the contents of one class, each of them complete, or how long
    one of them takes."""
    read = read_content_changes(message, brief)
    left = [one for one in read.left if not (tells_length and tells_length(one))]
    owners = {class_id for one in read.told for class_id in one.classes}
    sized = len(left) < len(read.left) or any(any(one.lengths) for one in read.told)
    kinds = len({one.kind for one in read.told}) + bool(read.told and sized)
    asked = kinds == 1 and bool(read.told[0].names) and read.told[0].asked
    whole = (kinds > 1 or asked) and not left and len(owners) == 1
    return whole and all(_is_complete(one) for one in read.told) and not read_times(message, brief.term)


def _is_complete(change: ItemChange) -> bool:
    """Whether a change tells what it needs: what comes, or which items, and what they are called from now on."""
    if change.kind == "add":
        return bool(change.names) or change.more > 0
    if change.kind == "rename":
        return len(change.names) == (len(change.items) or len(change.classes))
    return bool(change.items)


def contradicts_order(message: str, brief: Brief) -> bool:
    """Whether an item is wanted on the other side of one of its class, and nothing else: no place could be legal, so
    it is the order of the class that is to be another one."""
    read = read_content_changes(message, brief)
    wanted = [one for one in read.told if one.kind == "reorder"]
    if len(wanted) != 1 or len(read.told) > 1 or read_times(message, brief.term):
        return False
    moved, beside = wanted[0].items[0], wanted[0].beside
    if wanted[0].side == "order" and [*wanted[0].items] == sorted(wanted[0].items, key=lambda row: row["order"]):
        return False  # it is like that
    if wanted[0].side in ("swap", "order"):
        return len({row["class_id"] for row in wanted[0].items}) == 1
    if beside is None:
        own = [row["order"] for row in all_items(brief) if row["class_id"] == moved["class_id"]]
        return len(own) > 1 and moved["order"] != (min(own) if wanted[0].side == "first" else max(own))
    return (moved["order"] > beside["order"]) == (wanted[0].side == "before")


@remember_found
def read_content_changes(message: str, brief: Brief) -> ContentChanges:
    """The changes that a message tells of the contents of classes, clause by clause."""
    return _read_plain(widths(brief.plain(message)), brief)


@remember_of_plan
def _read_plain(message: str, brief: Brief) -> ContentChanges:
    plain = message
    quoted = {chr(_FIRST_QUOTED + at): name for at, name in enumerate(find_quoted_texts(message)[:99])}
    for sign, name in quoted.items():
        known = fold_text(name) in {fold_text(row["name"]) for row in (*brief.classes, *all_items(brief))}
        plain = re.sub(rf"[《「『“\"'‘]\s*{re.escape(name)}\s*[》」』”\"'’]", f" {name} " if known else sign, plain)
    text, said = sign_mentions(fold_mentions(plain), brief, all_items(brief))
    items = "".join(char for char, one in said.items() if one[1] == "item") or "\ue0ff"
    joint = re.compile(rf"(?<=[{items}])\s*(?P<by>(?:[、,，&+]|和|与|以及|\band\b)+)\s*(?:the )?(?=[{items}])")
    text = joint.sub(lambda found: found.group() if _is_told_apart(text, found) else " ", text)
    reading = Reading(message, brief, {**said, **{sign: (name, "name", []) for sign, name in quoted.items()}})
    if (whole := _read_sequence(text, reading)) is not None:
        return ContentChanges((whole,))
    clauses = [_NOTHING.sub("", clause) for clause in _clauses(text)]
    added = [read_add(as_addition(clause), reading) for clause in clauses]
    for at, clause in enumerate(clauses):
        reading.adds = any(one is not None and bool(one.names) for one in added[at + 1 :])
        _read_clause(clause, reading)
    told = tuple(own for one in reading.told for own in _by_class(_without_kind(one)))
    return ContentChanges(told, tuple(reading.own(one) for one in reading.left))


def _by_class(change: ItemChange) -> list[ItemChange]:
    """What goes of several classes, as one change of each."""
    ids = sorted({row["class_id"] for row in change.items}) if change.kind == "drop" else []
    if len(ids) <= 1:
        return [change]
    return [
        replace(change, items=tuple(row for row in change.items if row["class_id"] == one), classes=(one,))
        for one in ids
    ]


def _is_told_apart(text: str, joint: re.Match[str]) -> bool:
    """Whether a comma between two items divides what goes from what is called otherwise or takes so long: 删掉第6章，
    第5章改名叫估计."""
    behind = re.split(r"[,，;；。]", text[joint.end() :], maxsplit=1)[0]
    renames = re.match(rf"{SIGN}(?:的?名[字称])?\s*(?:{_RENAME.pattern})", behind)
    sized = re.match(rf"{SIGN}[^\d]{{0,6}}\d ?个?(?:小?节|课时|sections?|periods?)", behind)
    return joint["by"] in ",，" and (renames or sized) is not None and _DROP.search(text[: joint.start()]) is not None


def _without_kind(change: ItemChange) -> ItemChange:
    """An addition without the words for what its names are: two verb units, prefixes and suffixes."""
    headed = change.count > 1 and len(change.names) == change.count + 1
    return replace(change, names=change.names[1:]) if headed else change


_SEQUENCE = re.compile(
    rf"顺序|次序|先[^,，]{{0,6}}{SIGN}.*(?:再|然后|接着|最后)[^,，]{{0,6}}{SIGN}"
    rf"|\border\b|\bin the list\b|{SIGN}[^.;]{{0,24}}\bfirst\b.*\b(?:then|finally|last|next|afterwards)\b"
    rf"|\bfirst\b[^.;]{{0,24}}{SIGN}.*\bthen\b"
)
"""That items are told one after the other as they are to be done."""
_LEAST_ORDERED = 2
_EXCHANGE = re.compile(
    r"换|调(?:一?[个下])?(?:先后)?[顺次]序|对调|互调|颠倒|倒过来|反过来|\b(?:swap|switch|exchange|revers|flip)\w*"
)
_BY_NAME = re.compile(r"顺序|次序|\border\b|\bin the list\b")
_REVERSED = re.compile(
    r"(?:顺序|次序)[^,，]{0,6}[倒反]|倒序|[倒反]过来排"
    r"|\brevers\w*\b.*\border\b|\border\b.*\brevers\w*\b|\bback to front\b"
)


def _read_sequence(text: str, reading: Reading) -> ItemChange | None:
    """The order of the items of one class, all of which are told in it, or that it is turned round; of two of them only
    as an order by name."""
    if _REVERSED.search(text) and len(turned := reading.classes(text)) == 1 and not reading.items(text):
        own = [row for row in all_items(reading.brief) if row["class_id"] == turned[0]]
        return ItemChange("reorder", tuple(sorted(own, key=lambda row: -row["order"])), side="order", classes=turned)
    if _SEQUENCE.search(text) is None or any(form.search(text) for form in (ADD, _DROP, _SPLIT, _MERGE)):
        return None
    signs = [char for char in text if char in reading.said and reading.said[char][1] == "item"]
    items = reading.items(text)
    owners = {row["class_id"] for row in items}
    several = len(items) > _LEAST_ORDERED or (len(items) == _LEAST_ORDERED and _BY_NAME.search(text))
    if len(owners) != 1 or len(signs) != len(items) or not several or read_times(reading.message, reading.brief.term):
        return None
    if _EXCHANGE.search(text):
        items = tuple(sorted(items, key=lambda row: -row["order"]))
    return ItemChange("reorder", items, side="order", classes=tuple(owners))


def _clauses(text: str) -> list[str]:
    found, begin = [], 0
    for joint in _BREAK.finditer(text):
        found.append(text[begin : joint.start()])
        begin = joint.end()
    return [clause for clause in (*found, text[begin:]) if clause.strip(" ,，.。")]


_LEFT_OVER = re.compile(
    rf"(?:{SIGN}|另外?|剩下的?)那?(?P<n2>[1-4两几])[个项](?:则|就)?|(?P<at2>最后|第1)那?1?[个项]"
    rf"|{SIGN}(?: (?:ones?|(?P<n>two|three|[23]))\b)?(?! of\b)"
    r"|\b(?:the )?(?:(?P<at>last|first|final) one|remaining ones?)\b"
)
"""What is left of a class after the changes before it, or an end of that: the other one, the last one, 剩下那2个."""
_FIRST_LEFT = 0xE0E0


def _sign_left_over(clause: str, reading: Reading) -> str:
    """A clause with a sign for the items that it tells by what the changes before it leave of their class."""
    owners = reading.told[-1].classes if reading.told else ()
    gone = [row for change in reading.told for row in change.items]
    rows = [row for row in all_items(reading.brief) if row["class_id"] in owners and row not in gone]
    others = ((reading.said.get(one.group()[0], ("", "others"))[1], one) for one in _LEFT_OVER.finditer(clause))
    found = next((one for kind, one in others if kind == "others"), None)
    if found is None or not rows or len(owners) != 1:
        return clause
    if at := found["at"] or found["at2"]:
        rows = rows[:1] if at in ("first", "第1") else rows[-1:]
    elif len(rows) > 1 and (number := found["n"] or found["n2"]) and number_of(number) != len(rows):
        return clause
    sign = chr(_FIRST_LEFT + len(reading.told))
    reading.said[sign] = (found.group(), "item", rows)
    return f"{clause[: found.start()]}{sign} {clause[found.end() :]}"


def _read_clause(clause: str, reading: Reading) -> None:
    clause = _sign_left_over(clause, reading)
    if NOT_DONE.search(clause):
        reading.left.append(clause)
    elif (goes := read_replaced(clause, reading)) is not None:
        reading.told += goes
    elif (
        change := next((found for read in _READERS if (found := read(clause, reading)) is not None), None)
    ) is not None:
        reading.told.append(change)
    elif not _goes_on(clause, reading):
        reading.left.append(clause)
    reading.named = reading.items(clause) or reading.named


_PUT = r"放|排|加|在|到|要|应该|\b(?:put|add|them|it|place|goes|go|comes?|should|must|at|on|to|please|right|just)\b|\s"


def _goes_on(clause: str, reading: Reading) -> bool:
    """Whether a clause only goes on with the change before: more of its list, or where it is to stand."""
    if not reading.told:
        return False
    last = reading.told[-1]
    if last.kind == "drop" and (added := read_add(as_addition(clause), reading)):
        reading.told.append(replace(added, classes=added.classes or last.classes))
        return True
    side, rest = side_of(clause, reading), _SIDED.sub(" ", PLACED.sub(" ", clause))
    if last.kind == "add" and not side and ADDS_IT.fullmatch(without_target(clause, reading)):
        one = len(last.names) > 1 and re.search(r"\bit\b|它(?!们)", clause) is not None  # chapter 7, Regression, add it
        whole = (" ".join(last.names),) if one and LABELLED.fullmatch(fold_numbers(last.names[0])) else last.names
        reading.told[-1] = replace(last, names=whole, classes=reading.classes(clause) or last.classes, asked=True)
        return True
    if last.kind == "add" and (lengths := find_lengths(clause, last, reading)):
        reading.told[-1] = replace(last, lengths=lengths)
        return True
    if last.kind == "add" and len(last.names) < 2 and (called := _CALLED_IT.match(clause)):
        label = " ".join(name for name in last.names if LABELLED.fullmatch(fold_numbers(name)))
        reading.told[-1] = replace(last, names=(f"{label} {reading.own(clause[called.end() :])}".strip(),))
        return True
    if last.kind == "rename" and len(last.names) < len(last.items) and not reading.items(clause):
        reading.told[-1] = replace(last, names=(*last.names, *reading.names(clause)))
        return True
    if last.kind == "rename" and (pair := _GOES_ON.match(clause)):
        reading.told.append(_renamed(reading.items(pair["what"]), clause[pair.end() :], clause, reading))
        return True
    if last.kind == "add" and side and not re.sub(_PUT, "", rest):
        reading.told[-1] = replace(last, side=side[0], beside=side[1], classes=last.classes or reading.classes(clause))
        return True
    bare = not re.sub(rf"{SIGN}|\band\b|[和与、及\s]", "", clause)
    if last.kind in ("drop", "merge") and bare:
        reading.told[-1] = replace(last, items=(*last.items, *reading.items(clause)))
        return True
    if last.kind not in ("add", "split") or (side and last.kind == "split") or last.closed:
        return False
    text = without_target(rest, reading) if last.kind == "add" else clause
    pieces, sized = split_names(text), reading.sized(text, parts=last.kind == "split")
    names = [name for name, _ in sized]
    if not names or len(names) < len(pieces) or reading.items(text):
        return False
    classes = last.classes or reading.classes(clause)
    place = (last.side, last.beside) if last.side else side or ("", None)
    counts = _NTH.fullmatch(" ".join(last.names)) is not None  # a third item, Common adjectives
    counts = counts or fold_numbers(names[0]).startswith(f"{fold_numbers(' '.join(last.names))} ")  # lab 4, Lab 4 Heat
    closed, names = CLOSED.search(clause) is not None, [*(() if counts else last.names), *names]
    lengths = (*(() if counts else last.lengths), *(length for _, length in sized))
    last = replace(last, names=tuple(names), lengths=lengths, more=0, classes=classes, closed=closed)
    reading.told[-1] = replace(last, side=place[0], beside=place[1])
    return True


_NTH = re.compile(r"(?:item|thing|task|part|topic|step) \d+", re.IGNORECASE)
_CALLED_IT = re.compile(
    r"(?:and |then |just )*(?:call|name) (?:it|that|this)\s+(?=\w)|(?:it'?s|it is|that'?s|which is) (?:called|named)\s+"
    r"|(?:就|它|这项|名字?)*叫(?:它|做)?(?=[^吧\s])"
)
_SIDED = re.compile("|".join([re.sub(r"\?P<\w+>", "?:", BESIDE.pattern), *(form.pattern for form in SIDES.values())]))


def _read_merge(clause: str, reading: Reading) -> ItemChange | None:
    items = reading.items(clause)
    match = _MERGE.search(clause)
    if match is None or len(items) < 2:
        return None
    into = re.split(r"[成为叫]|\b(?:into|as|called)\b", clause[match.start() :])
    names = reading.names(into[-1]) if len(into) > 1 else []
    return ItemChange("merge", items, tuple(names[:1]), classes=reading.classes(clause))


def _read_split(clause: str, reading: Reading) -> ItemChange | None:
    match, items = _SPLIT.search(clause), reading.meant(clause) or reading.named
    if match is not None and (anew := _read_whole_list(clause, match, reading)) is not None:
        return anew
    if match is None or len(items) != 1 or ADD.search(clause) or _MERGE.search(clause):
        return None
    rest = clause[match.end() :] if match["what"] else re.sub(rf"^\s*(?:the )?{SIGN}", "", clause[match.end() :])
    count = re.match(r"\s*(?:(?:into|in|to) )?(\d)(?![\d.])", rest)
    listed = re.sub(
        rf"^\s*(?:into|in|to)?\s*(?:\d\s*(?:个?(?:{UNIT}|halves|pieces|半|块|小节|东西|内容|parts)+"
        r"|(?=[:：]|$)))?\s*[:：,，-]*",
        "",
        rest,
    )
    number = int(count[1]) if count else 2
    names = reading.names(listed, number, parts=True) if listed.strip() else []
    names = [_name_part(name, items[0]) for name in names]
    closed, names = len(names) == number if count else len(names) > 1, names if len(names) > 1 else []
    return ItemChange("split", items, tuple(names), more=number, classes=reading.classes(clause), closed=closed)


_BARE_PART = re.compile(
    r"([上中下前后])(?:\d?个?(?:部分?|半|小?节|篇|段|块))?"
    r"|(?:the )?(?:part [a-z\d]|(?:first|second|last) (?:half|part))"
)


def _name_part(name: str, item: TaskView) -> str:
    """The name of a part that tells only which it is, behind that of what is divided: 上 -> 第三章 数字特征 上."""
    bare = _BARE_PART.fullmatch(name.lower())
    return f"{item['name']} {bare[1] or name}" if bare else name


def _read_whole_list(clause: str, match: re.Match[str], reading: Reading) -> ItemChange | None:
    """What comes to a class whose contents are told anew, all that it has among them: 词汇拆成三个：动词 名词 副词."""
    head, listed = clause[: match.start()] + (match["what"] or ""), clause[match.end() :].partition(":")[2]
    owners = () if reading.meant(head) else reading.classes(head)
    names = restore_mentions(listed, reading.said).split()
    own = [fold_text(row["name"]) for row in all_items(reading.brief) if row["class_id"] in owners]
    new = [name for name in names if not any(fold_text(name) in one for one in own)]
    kept = all(any(fold_text(name) in one for name in names) for one in own)
    told = tuple(as_written(name, reading.message) for name in new)
    return ItemChange("add", (), told, classes=owners, closed=True) if len(owners) == 1 and new and kept else None


def _read_rename(clause: str, reading: Reading) -> ItemChange | None:
    found = _RENAME_EN.search(clause)
    if found is not None and (what := found["what"] or found["what2"] or ""):
        it = _POINTS.match(found["what2"] or "")
        rest = re.sub(rf"(?:(?:\b(?:the|my|and) )?{SIGN}\s*)+", "", what, count=1) if it is None else what[it.end() :]
        rest = clause[found.end() :] or rest
        pointed = it is not None or _ONLY_IT.fullmatch(what.strip()) is not None
        items = (reading.named or _find_spoken(reading.brief)) if pointed else reading.meant(what)
        whole = not pointed and (found["what"] or reading.classes(what))
        return _renamed(items, rest, clause, reading) if items or whole else None
    match = _RENAME.search(clause)
    if match is None or ADD.search(clause[: match.start()]):
        return None
    head, rest = clause[: match.start()], clause[match.end() :]
    items = reading.meant(head) if _HEAD.search(head) or not reading.items(head) else ()
    if not items and _ONLY_POINTS.fullmatch(head):
        items = (reading.named if len(reading.named) == 1 else ()) or _find_spoken(reading.brief)
    plain = re.fullmatch(r"(?:is|=)", match.group().strip())
    quoted = QUOTE.match(rest.strip()) is not None
    if plain and not (quoted or _NAMING.search(reading.message) or any(one.kind == "rename" for one in reading.told)):
        return None
    called = classes_in(reading.own(head), reading.brief.classes) if _NAMING.search(match.group()) else []
    if not items and len(called) == 1 and (name := reading.own(rest).strip(_AROUND)):
        return ItemChange("rename", (), (name,), classes=tuple(called))
    return _renamed(items, rest, clause, reading) if items and reading.names(rest) else None


def _without_former(name: str, reading: Reading) -> str:
    """A new name without the old one that it is said not to be, and without since when: Wheatstone bridge, not bridge
    circuit; Everyday nouns from now on."""
    name = _SINCE.sub("", name)
    found = _FORMER_NAME.search(name)
    return name[: found.start()] if found and reading.meant(name[found.end() :]) else name


def _find_spoken(brief: Brief) -> tuple[TaskView, ...]:
    """The one item that was spoken of before; none where it was a class."""
    ids = {row["item_id"] for row in spoken_of(brief)}
    return tuple(row for row in all_items(brief) if row["item_id"] in ids) if len(ids) == 1 else ()


_SINCE = re.compile(r"(?<=\w) (?:from (?:now|here) on(?:wards)?|in (?:the )?future|going forward)$", re.IGNORECASE)
_FORMER_NAME = re.compile(
    r"(?<=.)[,，\s]*(?:\b(?:and |but )?(?:not|instead of|rather than|no longer)\b|(?:而|并)?不(?:再)?[是叫])"
)
_HEAD = re.compile(rf"{SIGN}(?:的?(?:名字|名称|标题)|这[一1]?[项章个])?\s*(?:也|再|的|分别|依次|都|\s)*$")
_AROUND = " 。.!?？「」“”‘’'\""
_NAMING = re.compile(r"\b(?:names?|rename|called|fix)\b|名|改叫", re.IGNORECASE)


def _renamed(items: tuple[TaskView, ...], name: str, clause: str, reading: Reading) -> ItemChange:
    """Items and their new names; the whole rest is one name where one item is meant."""
    name = _without_former(name, reading)
    classes = reading.classes(clause) or tuple(sorted({row["class_id"] for row in items}))
    if (signs := QUOTE.findall(name)) and len(items) == 1:
        told = _without_former(reading.said[signs[0]][0], reading).strip(" ,，\"'“”‘’")
        return ItemChange("rename", items, (told,), classes=classes)
    quoted = find_quoted_texts(name)
    whole = reading.own(quoted[0] if quoted else name).strip(_AROUND)
    names = reading.names(name, len(items)) if len(items) > 1 else [whole] if whole else []
    return ItemChange("rename", items, tuple(names), classes=classes)


_FIRST_THEN = re.compile(
    rf"先[^,，]{{0,4}}{SIGN}[^,，]{{0,4}}(?:再|后)[^,，]{{0,3}}{SIGN}|{SIGN} (?:first|and) then {SIGN}"
)


def _read_reorder(clause: str, reading: Reading) -> ItemChange | None:
    items = reading.meant(clause) or (reading.named if _PRONOUN.search(clause) else ())
    if find_addition(clause, reading) or not items:
        return None
    turn = _FIRST_THEN.search(clause)
    if turn is not None and len(items) == 2:
        return ItemChange("reorder", (items[0],), side="before", beside=items[1], classes=reading.classes(clause))
    if len(items) == 2 and _SWAPS.search(clause):
        return ItemChange("reorder", items, side="swap", classes=reading.classes(clause))
    side = side_of(clause, reading)
    moved = [row for row in items if side is None or row is not side[1]]
    if side is None or len(moved) != 1 or (side[1] and side[1]["class_id"] != moved[0]["class_id"]):
        return None
    told = PUTS.search(clause) or _DISTANT.search(clause)
    beside = side[1] if side[0] in ("before", "after") and not told else None
    if beside and (moved[0]["order"] < beside["order"]) == (side[0] == "before"):
        both = sorted((moved[0], beside), key=lambda row: row["order"])
        return ItemChange("reorder", tuple(both), side="order", classes=reading.classes(clause))
    return ItemChange("reorder", (moved[0],), side=side[0], beside=side[1], classes=reading.classes(clause))


_DISTANT = re.compile(
    r"\b(?:days?|weeks?) (?:after|before|from|later|earlier)\b|[天周][之以]?[前后]|次日|第2天|[前后]1天"
)
"""So long before or behind another one: a place in the week."""
_GIVES_UP = re.compile(
    r"[别不](?:想|再|用)?[学做要背看讲考上]|拿[掉出走]|移出"
    r"|\b(?:take|taking|kick|throw|pull|leave) .*\bout\b|\b(?:take|kick|throw|pull|leave) out\b|\bskip\b"
    r"|(?:n't|\bno longer|\bnot) (?:need|want|do|doing|have)\b"
)
"""That one does without something, beside what is new."""


def _read_drop(clause: str, reading: Reading) -> ItemChange | None:
    gone = _GONE.search(clause) is not None
    goes = gone or _DROP.search(clause) or (reading.adds and _GIVES_UP.search(clause))
    if not goes or ADD.search(clause):
        return None
    items = reading.meant(clause) or tuple(find_counted_items(restore_mentions(clause, reading.said), reading.brief))
    rest = re.sub(rf"(?:{_DROP.pattern})|{SIGN}|从|把|里面?|中|掉|了|吧|please|\bfrom\b|\bthe\b|\s", "", clause)
    if not items and reading.named and (_PRONOUN.search(clause) or not rest):
        items = reading.named
    owners = reading.classes(clause) or tuple(sorted({row["class_id"] for row in items}))
    return ItemChange("drop", items, classes=owners, gone=gone)


_READERS = (_read_merge, _read_split, read_add, _read_rename, _read_drop, _read_reorder)
