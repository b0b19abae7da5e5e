"""What points to the class that was written right before: the last one, the second one, it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.spans.mentions import classes_in, find_named, find_pieces
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import NO_TERM
from agent.loop.view_document import ClassView, DialogueTurnView

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NTH = re.compile(
    r"(?P<end>最后[一1]?(?:个|项|步|节|讲|章)(?!月|周|星期|礼拜|学期)(?:任务项?|内容)?)"
    r"|第\s*(?P<zh>[一二三四五六七八九十]|\d{1,2})\s*(?:个|项|步)(?!月|周|星期|礼拜)(?:任务项?|内容)?"
    rf"|\b(?:the )?(?:(?P<last>last|final)|(?P<en>{'|'.join(_ORDINALS)})) "
    r"(?:one|item|part|step|task|topic|session|lesson|chapter|unit|lab)\b",
    re.IGNORECASE,
)
_IT = re.compile(
    r"(?<=^给)它|(?<=^把)它|^它(?=的|改|叫|到|从|截|结)|(?<=\brename )it\b|(?<=\bcall )it\b|(?<=\bto )it\b"
    r"|\bit(?= (?:ends"
    r"|starts|begins|runs|lasts|is due|should (?:be called|end|start))\b)",
    re.IGNORECASE,
)
_DATED = re.compile(r"[到从截结]|\b(?:ends?|starts?|begins|runs|lasts|due)\b", re.IGNORECASE)


def find_written(before: DialogueTurnView | None, classes: Sequence[ClassView]) -> ClassView | None:
    """The one class that the answer before wrote; None where it wrote none, or several."""
    if before is None or before["role"] == "user" or "upsert_task_class" not in before["wrote"]:
        return None
    named = classes_in(before["text"], classes)
    return next((row for row in classes if named == [row["id"]]), None)


def spell_of_written(said: str, before: DialogueTurnView | None, classes: Sequence[ClassView]) -> str:
    """A message with the items of the class that was just written by their names, and that class itself by its own."""
    row = find_written(before, classes)
    if before is None or row is None or classes_in(said, classes):
        return said
    names = [item["content"] for item in row["items"]]
    others = [fold_text(item["content"]) for one in classes if one is not row for item in one["items"]]
    text = _NTH.sub(lambda found: _name_of(found, row, names, others), said)
    made = re.search(r"已创建|\bcreated\b", before["text"]) is not None
    return _IT.sub(row["name"], text, count=1) if made or _DATED.search(said) else text


def _name_of(found: re.Match[str], row: ClassView, names: list[str], others: list[str]) -> str:
    """The item that is counted, with its class where another one has items that are called alike."""
    told = found["zh"] or found["en"]
    number = len(names) if told is None else _number(told)
    if not 0 < number <= len(names):
        return found.group()
    name = names[number - 1]
    alike = any(one.startswith(fold_text(name)) for one in others)
    return name if not alike else f"{row['name']} {name}" if name.isascii() else f"{row['name']}的{name}"


def _number(told: str) -> int:
    return _ORDINALS.index(told.lower()) + 1 if told.isascii() and told.isalpha() else int(fold_numbers(told))


_CLAUSE = re.compile(r"\s*[,，。;；]\s*")
_FREES = re.compile(
    r"空出|空着|留空|[别不](?:要|想)?(?:再|给我)?(?:排|安排|学)|\b(?:free|clear|no|nothing|not|never|don't)\b"
)
_ONLY_THESE = re.compile(
    r"[\s和与跟及、这两门课]*(?:都|全|也)+(?:是|一样|这样|如此|要|算|的|吧|哦)+"
    r"|(?:(?:that|this|it|the same) (?:goes|holds|counts|is true) )?(?:for )?(?:both )?"
    r"[\s,]*and[\s,]*(?:both|alike|too)?"
)
"""What stands around the names of the classes."""
_LONGEST = 100
_WEEKLY = ("weekday", "part")


def name_each_class(text: str, classes: Sequence[ClassView]) -> str:
    """A message that leaves the same times of a week free of several classes, with each of them beside its times."""
    clauses = [clause for clause in _CLAUSE.split(text.strip(" .。!！")) if clause]
    if len(clauses) != 2 or classes_in(clauses[0], classes) or len(text) > _LONGEST:
        return text
    freed, told = fold_text(clauses[0]), fold_text(clauses[1])
    times = read_times(clauses[0], NO_TERM)
    names, rest = list[str](), told
    for row in classes:
        for piece in find_pieces(rest, (row["name"],)):
            names, rest = [*names, row["name"]], rest.replace(piece, " ")
    weekly = bool(times) and all(one.kind in _WEEKLY and one.first is None for one in times)
    frees = _FREES.search(freed) is not None or says("keep_free", freed)
    if not (weekly and frees and len(names) > 1 and _ONLY_THESE.fullmatch(rest.strip())):
        return text
    when = freed[times[0].start : times[-1].end]
    if text.isascii():
        return ", ".join(f"{name} not on {when}" for name in names)
    return "，".join(f"{name}{when}别排" for name in names)


_TOLD_AS = ("first", "second", "third", "fourth", "fifth")
_POINTER = re.compile(
    r"第\s*(?P<zh>[1-5])\s*[个门项样](?:课|任务类)?(?![章节讲])|(?P<zh_last>(?:最后|后)[面边]?(?:那)?(?:1|一)?[个门])"
    r"|(?P<zh_all>(?:这|那)?(?:[两2]个?|俩)都?|都(?=[排安弄]))"
    r"|\b(?:the )?(?:(?P<en>first|second|third|fourth|fifth)|(?P<nth>[1-5])(?:st|nd|rd|th)|(?P<en_last>last))"
    r"(?: (?:one|class|of (?:them|these|those|the two)))?\b(?! (?:chapter|item|lab|unit|week|day))"
    r"|\b(?P<en_all>both(?: of them)?|all of them|the two(?: of them)?)\b"
)
_PLANS = re.compile(r"[排放塞加弄搞]|安排|\b(?:plan|schedul\w*|do|put|fit|add|arrange|start|begin|slot|take)\b")
_FILLER = re.compile(
    r"[\s,，.。!！?？~]|先|把|帮我|给我|请|麻烦|那就?|吧|了|好|一下|上|进去?|下|呗|嘛|就|的|排|安排|弄|放|塞|加|搞|我|再|行"
    r"|\b(?:ok(?:ay)?|then|please|pls|yes|yeah|well|so|now|first|in|up|my|me|for|and|with|can|could|you|u|let's|just"
    r"|plan|schedule|do|put|fit|add|arrange|start|begin|slot|take|it)\b"
)
_LISTS = re.compile(r"还没有排的任务类|Not planned yet:")
MOST = 60


def spell_listed_classes(said: str, before: DialogueTurnView | None, names: Sequence[str]) -> str:
    """What was said with the names of the classes for their numbers on the list that the answer before it told."""
    text = fold_numbers(said)
    listed = _find_listed(before, names)
    found = _POINTER.search(text) if listed and len(text) <= MOST else None
    if found is None or find_named(_POINTER.sub(" ", text), names):
        return said
    meant = _pick(found, listed)
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    short = not _FILLER.sub("", rest).strip()
    if not meant or not (short or _PLANS.search(rest)):
        return said
    zh = has_chinese(said)
    named = ("、" if zh else " and ").join(meant)
    if short:
        return f"把{named}排好" if zh else f"plan my {named}"
    return f"{text[: found.start()]}{named}{text[found.end() :]}"


def _find_listed(before: DialogueTurnView | None, names: Sequence[str]) -> list[str]:
    """The classes that an answer named last, in its order: one or several that are not planned, or several; none where
    it listed items too."""
    if before is None or before["role"] == "user" or before["item_ids"]:
        return []
    begins = _LISTS.search(before["text"])
    told = before["text"][begins.start() if begins else 0 :]
    named = sorted((name for name in names if name in told), key=told.index)
    return named if begins or len(named) > 1 else []


def _pick(found: re.Match[str], listed: Sequence[str]) -> list[str]:
    if every := found["zh_all"] or found["en_all"]:
        return [*listed] if len(listed) == 2 or not re.search("[两2俩]|both|two", every) else []
    if found["zh_last"] or found["en_last"]:
        return [listed[-1]]
    at = int(found["zh"] or found["nth"] or _TOLD_AS.index(found["en"]) + 1) - 1
    return [listed[at]] if at < len(listed) else []
