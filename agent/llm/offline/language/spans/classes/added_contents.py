"""What a clause tells to come to the contents of a class: new items, how long and where, or one for another."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.content_reading import (
    BESIDE,
    LABELLED,
    PUTS,
    UNIT,
    ItemChange,
    Reading,
    side_of,
)
from agent.llm.offline.language.spans.classes.item_list import as_written
from agent.llm.offline.language.spans.classes.new_lengths import take_length
from agent.llm.offline.language.spans.items.beside import SIGN
from agent.llm.offline.language.spans.items.mention_signs import restore_mentions
from agent.llm.offline.language.spans.mentions import KINDS, all_items, classes_in
from agent.llm.offline.language.spans.times.reading import read_times

_LABEL = r"(?:chapter|unit|lecture|lesson|lab|part|topic|item|step|task)s?"
ADD = re.compile(
    r"[加添]回[来去]?|再来(?=1?个?(?:章|讲|实验|专题|单元))|(?:增加|添加|新增|增添|补充|加入|添上?|加上?|补上?|插入?)(?!班|油|强|速|快|急|重|深|错|[到成为了]?[\d一两二三半]?倍|长(?:[1一]?[点些]|到|成|$))"
    r"|(?<![最至顶很太])多(?:了|出来?)?(?=\s*(?:第?\d{1,2}|几)\s*(?:个|章|节|讲|项|次|篇|单元|部分))"
    r"|(?:缺|漏|少)(?:了|掉)?(?=1?[个项章讲]|第\d)"
    rf"|(?<={SIGN})(?:里面?|还|也|好像|是不是)*(?:缺|漏|少)[了掉](?!\d|[好很太不]?[多少]|[几点些])"
    r"|(?:还|又|现在)有(?:了)?(?=(?:1?个)?(?:实验|专题|单元)\s*\d|第\d+个?(?:章|讲|课|实验|专题|单元))"
    r"|\b(?:add(?:ed)?|append|insert|tack on|tack|include)\b"
    r"|\b(?:there(?:'s| is| are| will be)|has|have|got|gets|needs?)(?: also| now| got| still)*"
    r" (?=(?:an? |one |\d )?(?:extra|more|additional|another|further)\b(?! (?:days?|weeks?|months?|hours?|time)\b)"
    rf"|(?:an? |one |\d )?new {_LABEL}\b|(?:an? |one )?{_LABEL} \d)"
    r"|(?<=\bis )(?:still )?missing (?!from\b|on\b)|\black(?:s|ing)\b"
    r"|\b(?:stick|pop|squeeze|put|throw)(?= (?:in )?(?:an? |one |another )?(?:new|extra|additional|further) )"
    r"|\b(?:stick|pop|squeeze|put|throw)\b"
    r"(?! (?:in )?(?:more|less|some|extra|any|all|everything|my|it|that|this|\d+ hours?|a (?:bit|little|lot))\b)"
    r"(?=.{1,60}\S (?:(?:on|at|to) the (?:end|start|top|beginning|front)\b"
    rf"|(?:in|into|to|under) (?:the |my )?{SIGN}))"
)
_BEHIND_IT = re.compile(r"\b(?:right )?(?:after|behind|below) (?:it|that|this)(?: one)?\b|[放排加]?在?它的?后面")
"""A place behind what was spoken of, and no part of a name."""
_LEAD_ZH = (
    r"^\s*(?:了|进去?|到|上)*\s*(?:(?P<n>\d{1,2}|几)?\s*"
    r"(?:个|项|章节?|讲|节课?|(?<=\d)课(?!程)|(?<=\d)步(?!骤)|单元|部分"
    r"|(?:次|课|篇|条)(?=\s*(?:[:：叫]|名为|$))))?(?:新的?)?"
    r"(?:内容|任务项?|任务|项目|章节|步骤|小节)?(?:叫做?|名为|是|分别是|[:：])*\s*"
)
_LEAD_EN = (
    rf"^\s*(?:(?:an?|another|one|the|new|extra|more|some|these|following|other|further|(?P<n>\d{{1,2}})) )*"
    rf"(?:{UNIT}(?!\s*\d)\s*)?(?:(?:called|named|titled|on|about|for|namely)\b|:)*\s*"
)
_TARGET = re.compile(
    rf"\b(?:to|into|in|onto|for) (?:the |my )?{SIGN}(?: (?:class|course))?|\b(?:to|into|in) (?:it|there|them|this class"
    rf"|the (?:class|course|list))\b"
    rf"|(?P<to>到|进|给|至|在)?\s*(?P<what>{SIGN})(?:这门课|任务类)?(?:里面?|中|上)?(?=\s*$)"
)
_UNITS = re.compile(rf"{UNIT}|\d+|吧|一下|进去?|去|a|an|the|another|more|new")


def find_lengths(clause: str, added: ItemChange, reading: Reading) -> tuple[int, ...]:
    """The sections of what is added, where a clause tells nothing else: those of each of its names, or of the last."""
    name, length, each = take_length(restore_mentions(clause, reading.said))
    if name or not length:
        return ()
    count, known = len(added.names) or 1, added.lengths or (0,)
    if each or count == 1:
        return (length,) * count
    return (*known[:-1], length) if all(known[:-1]) and not known[-1] else ()


ADDS_IT = re.compile(
    rf"(?:{ADD.pattern}|\b(?:put|please|pls|can|could|you|it|them|that|this|too|also|as well|in|there|to|into)\b"
    r"|(?:请|麻烦|帮我|给我|把|它们?|也|都|再|[1一]下|上去|进[来去]?|到|里面?|吧|呗|了)|\s)+"
)
"""That what was told before is to be added."""
_COUNTED_ZH = re.compile(r"^\s*了?第\d+(?=个)")
CLOSED = re.compile(r"和|以及|\band\b")
"""Before the last name of a list."""


def find_addition(clause: str, reading: Reading) -> re.Match[str] | None:
    """What tells that something comes, and is not only put elsewhere in its class."""
    found = ADD.search(clause)
    if found is None or not PUTS.match(found.group()):
        return found
    put = BESIDE.sub(" ", clause[found.end() :])
    signs = [reading.said[one][1] for one in put if one in reading.said]
    return None if reading.items(put) or "others" in signs else found


def read_add(clause: str, reading: Reading) -> ItemChange | None:
    match = find_addition(clause, reading)
    if match is None:
        return None
    before, after = clause[: match.start()], _COUNTED_ZH.sub("1", clause[match.end() :])
    if "回" in match.group():
        return _read_return(before, after, reading)
    side = side_of(before, reading) or side_of(re.sub(r"\b(?:first|last)\b", "", after), reading)
    after = PLACED.sub(" ", BESIDE.sub(" ", _BEHIND_IT.sub(" ", after)))
    after = without_target(after, reading, named=bool(reading.classes(before)))
    named = _NAMED_CLASS.search(after)
    owners = tuple(_find_class(named[1], reading.brief)) if named else ()
    owners, after = (owners, after[: named.start()]) if named and len(owners) == 1 else ((), after)
    lead = re.match(_LEAD_EN if match.group().isascii() else _LEAD_ZH, after)
    count = int(lead["n"]) if lead and (lead["n"] or "").isdigit() else 0
    labels = [one.group() for one in LABELLED.finditer(restore_mentions(after, reading.said))]
    rest = after[lead.end() :] if lead else after
    if lead and rest.strip() and reading.said.get(lead.group().strip()[-1:], ("", ""))[1] == "class":
        rest = f"{lead.group().strip()[-1]} {rest}"  # a name that begins like that of a class: linear maps
    rest = re.sub(r"的\s*$", "", rest) if lead and "叫" in lead.group() else rest
    headed = _HEADED.match(after) if lead and ":" not in lead.group() else None
    rest = after[headed.end() :] if headed else rest
    sized = [one for one in reading.sized(rest, count) if not _UNITS.fullmatch(fold_text(one[0]))]
    names = [_PLACE_IN_LIST.sub("", _KIND.sub("", name)) for name, _ in sized]
    lengths = tuple(length for _, length in sized) or take_length(restore_mentions(rest, reading.said))[1:2]
    names = [] if count >= len(names) and fold_text("".join(names)) in _KIND_NAMES else names  # 2个实验
    led = _LABEL_FIRST.match(restore_mentions(after, reading.said)) if len(labels) == len(names) == 1 else None
    if led and fold_text(names[0]) in fold_text(led["rest"]) and fold_text(labels[0]) not in fold_text(names[0]):
        names = [f"{as_written(labels[0], reading.message)} {names[0]}"]  # lab 4 'Optics'
    if labels and not names:
        names = [as_written(label, reading.message) for label in labels]
    more = 0 if names else count or 1
    counted = re.search(UNIT, after[: lead.end()] if lead else "") or re.match(rf"\s*(?:{_LEAD_EN[2:]})?{SIGN}", after)
    awaits = not names and _LIST_FOLLOWS.search(after) is not None
    if not names and not counted and not awaits:
        return None
    where, beside = side or ("", None)
    classes = owners or reading.classes(clause) or _find_numbered(names, reading.brief)
    closed = bool(names) and (len(names) == count or CLOSED.search(rest) is not None)
    told = ItemChange("add", (), tuple(names), lengths, more=more, count=count, classes=classes, closed=closed)
    return replace(told, side=where, beside=beside, more=0 if awaits else more, asked=awaits)


_LABEL_FIRST = re.compile(rf"\s*(?:an?|the|1?个)?\s*(?:{LABELLED.pattern})\s*[:：]?\s*(?P<rest>.+)", re.IGNORECASE)
_LIST_FOLLOWS = re.compile(r"[这那][几些]|以下|下面|\b(?:these|the following)\b")
_KIND = re.compile(r"(?<=\w) (?:item|task)$|(?<=\S)的(?:任务项?|内容|项目)$", re.IGNORECASE)
_KIND_NAMES = frozenset(kind for kinds in KINDS for kind in kinds)
_PLACE_IN_LIST = re.compile(
    r"^(?:第\s*[\d一二三四五六七八九十]+\s*[个项]|(?:item|thing|task) \d+)\s*[:：]\s*(?=\S)", re.IGNORECASE
)
"""Which one of the class the new one is, in front of its name: a third item: adjectives."""
_INSTEAD = re.compile(
    r"^(?:再|并)?(?:换成|换上|替换[成为])|^instead(?: we)?(?: do| have)? "
    r"|^(?:(?:so|but|now|just|please|we|i|they)(?:'ll|'re)? )*(?:(?:will|are|want|need)(?: to)? )?"
    r"(?:do(?:ing)?|have|having|take|learn|study|put(?: in)?|use|get|cover)\b(?=.{2,40}\binstead\b)"
)
"""Behind what goes: what comes in its place."""


def as_addition(clause: str) -> str:
    return _INSTEAD.sub(lambda found: "add " if found.group().isascii() else "加 ", clause)


_REPLACES = re.compile(
    rf"(?P<zh>{SIGN})(?:[也都就]|全部)*(?:改|替)?(?:换[成为做]|改[做学])(?:了)?(?P<zh_new>.+)"
    rf"|[用拿](?P<zh_new2>[^{SIGN[1:-1]}]+?)(?:来)?(?:代替|替换|取代|换掉|替掉)(?P<zh2>{SIGN})"
    r"|\b(?:replac\w*|swap\w*(?: out)?|exchang\w*|substitut\w*|trad\w*)"
    rf" (?:the |my )?(?P<en>{SIGN}) (?:out )?(?:with|by|for) (?P<en_new>.+)"
    rf"|\binstead of (?:the |my )?(?P<en2>{SIGN})"
    r" (?:there is|there's|we(?:'re| are)? (?:have|do|doing)|i want|do) (?P<en_new2>.+)"
)
"""What comes in the place of an item."""


def read_replaced(clause: str, reading: Reading) -> list[ItemChange] | None:
    """That something new comes in the place of an item: replace nouns with idioms."""
    found = _REPLACES.search(clause)
    told = next(filter(None, (found[one] for one in ("zh_new", "zh_new2", "en_new", "en_new2"))), "") if found else ""
    items = reading.items(next(filter(None, (found[one] for one in ("zh", "zh2", "en", "en2"))))) if found else ()
    other = {row["item_id"] for row in reading.items(told)} - {row["item_id"] for row in items}
    sized = [] if other or re.fullmatch(rf"\s*{SIGN}\s*", told) else reading.sized(_ARTICLE.sub("", told))
    if len(items) != 1 or not sized or read_times(told, reading.brief.term):
        return None
    classes, (names, lengths) = (items[0]["class_id"],), zip(*sized, strict=True)
    added = ItemChange("add", (), (*names,), (*lengths,), side="before", beside=items[0], classes=classes)
    return [ItemChange("drop", items, classes=classes), added]


_ARTICLE = re.compile(r"^\s*(?:an? |the |new |[1一]?个)+")
_HEADED = re.compile(
    r"\s*(?:[2-9]|1\d)\s*个?\s*[^:：,，\d]*[:：]|\s*(?:a )?(?:few|couple of|some|several|more)\b[^:：,，\d]*[:：]"
    r"|\s*[1一]?[几些]个?[^:：,，\d]*[:：]"
)
"""What kind of things is listed behind it: 3 more noun units: animals, food."""
_HANDED = re.compile(
    r"^(?:.*(?:把|将))?(?:那个?|之前的?|刚才的?|原来的?|删掉?的|去掉的)*|(?:给我|帮我|给|再|还是|重新|都)+$"
)
"""What stands around the name of something that is added again, and is no part of it."""


def _read_return(before: str, after: str, reading: Reading) -> ItemChange | None:
    """What is added again by its name, which no item has now: 把矩阵运算加回来, 加回矩阵运算."""
    text = after if after.strip(" 吧呗了。!") else _HANDED.sub("", before)
    names = [] if reading.items(before + after) else reading.names(without_target(text, reading).strip(" 吧呗了"))
    classes = reading.classes(before + after) or find_written_class(reading.brief)
    return ItemChange("add", (), tuple(names), classes=classes, back=True) if names else None


def find_written_class(brief: Brief) -> tuple[int, ...]:
    """The class that was written last."""
    told = [row["text"] for row in brief.earlier if "upsert_task_class" in row["wrote"]]
    return tuple(classes_in(told[-1], brief.classes)) if told else ()


def without_target(text: str, reading: Reading, *, named: bool = False) -> str:
    """A text without what something is added to; an item at the end of a new name is a part of it: 二阶行列式, and
    so is a class where the one is `named` before: 真题词汇. Behind a number it is what is added: two more labs."""

    def blank(found: re.Match[str]) -> str:
        part = found["what"] and not found["to"] and (named or reading.said[found["what"]][1] == "item")
        counted = found["what"] and not found["to"] and _COUNTED.search(text[: found.start()])
        return found.group() if part or counted else " "

    return _TARGET.sub(blank, text)


def _find_numbered(names: list[str], brief: Brief) -> tuple[int, ...]:
    """The one class whose items are numbered as new ones are: Lab 4 goes on with Lab 3."""
    labels = {*map(_label_of, names)} - {""}
    owners = {row["class_id"] for row in all_items(brief) if _label_of(row["name"]) in labels}
    return tuple(owners) if len(owners) == 1 else ()


def _label_of(name: str) -> str:
    found = _NUMBERED.match(fold_numbers(name))
    return re.sub(r"[\d\s]", "", found.group()) if found else ""


_NUMBERED = re.compile(r"第\s*\d+\s*(?:章|讲|单元|课)|[^\W\d]{2,12}\s*\d+")
_COUNTED = re.compile(r"\b(?:[2-9]|1\d)(?: (?:more|extra|other|further|additional))*\s*$")


def _find_class(said: str, brief: Brief) -> list[int]:
    """The class that a piece names, as its name begins without its signs: cet6."""
    short = re.sub(r"\W", "", said)
    begun = [row["id"] for row in brief.classes if re.sub(r"\W", "", fold_text(row["name"])).startswith(short)]
    return classes_in(said, brief.classes) or (begun if len(short) > 2 else [])


PLACED = re.compile(
    rf"\b(?:right |just )*(?:to|at|on) the (?:end|start|beginning|front|top)"
    rf"(?: of (?:the |my )?(?:{SIGN}(?: (?:class|list))?|(?:\w+ )?(?:list|class)))?"
    r"|[放到在]*(?:最后面?|最前面?|开头|末尾)"
)
_NAMED_CLASS = re.compile(r"\b(?:to|into|in|for) (?:the |my )?([\w-]+(?: \w+)?)\s*$")
