"""Items named by their place in their class, written out by their names: 线代第二步, the first two steps of Algebra."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.described_forms import when_of
from agent.llm.offline.language.spans.items.selections import DELETES, MAKES
from agent.llm.offline.language.spans.mentions import classes_in, find_pieces
from agent.llm.offline.language.spans.times.words import EN_COUNTS, ORDINALS, number_of
from agent.loop.view_document import ClassItemView, ClassView, TaskView

_N = r"(?:\d{1,2}(?!\d)|[一二三四五六七八九十]{1,3})"
_STEP = r"(?:步骤?|小节(?!课)|部分|块)"
_K = (
    rf"(?:{_STEP}|[个项条](?!周|星期|礼拜|月|[上下中]午|[早晚]上|小时|半|空|时间|地方|位置|选项|方案|办法|考|小?测|截|ddl|学期"
    r"|章|单元|实验|讲|专题))(?:(?:学习)?任务(?!类)|内容)?"
)
_AND = r"\s*(?:[、和与跟及]|以及|[,，](?=第)|还有(?=第))\s*"
_GOES = "都|全|也|做|学|放|挪|移|推|往|换|对调|互换|改|删|标|拿|取"
_ZH = (
    rf"(?P<list>(?=第)(?:第?{_N}(?:{_K})?{_AND})*第?{_N}{_K}|第{_N}(?:{_AND}第?{_N})+(?={_GOES}|\W|$))"
    rf"|倒数第(?P<back>{_N}){_K}"
    rf"|(?:前|最前|开头|头)面?的?(?P<head>[两俩]|{_N}){_K}|(?:最后|后(?!一|1)|末尾)面?的?(?P<tail>[两俩]|{_N}){_K}"
    rf"|最(?:(?P<early>早|先|前面?|开始)|晚|迟|后面?)的?(?:那?一?{_K}|(?<=的)(?=[能可挪移放推往调改提换先拿取删撤做排在]|是(?!哪|什么|几|谁)))"
)
_EN_N = rf"(?:{'|'.join(ORDINALS[:10])}|\d{{1,2}}(?:st|nd|rd|th))"
_EN_K = r"(?:(?:steps?|parts?|section|items?|tasks?|ones?|things?|pieces?|bits?)\b)"
_EN_AND = r"(?:,? (?:and|&) (?:the )?|, ?(?:the )?)"
_EN_LIST = rf"{_EN_N}(?:{_EN_AND}{_EN_N})*"
_EN_STEP = (
    rf"(?:step|part|item)(?:s(?= \d))? (?P<no>(?:\d{{1,2}}|{'|'.join(EN_COUNTS)})(?:{_EN_AND}\d{{1,2}})*)\b"
    r"(?!:| ?[ap]m\b| (?:days?|weeks?|hours?|periods?|sections?|more|by|at)\b)"
)
_EN = (
    rf"(?P<back>next|second|third)[- ](?:to[- ])?last(?: {_EN_K})?"
    rf"|(?:(?P<head>first)|last|final) (?P<count>{'|'.join(EN_COUNTS[1:])}|\d{{1,2}})(?: {_EN_K})?"
    rf"|(?P<early>earliest)(?: {_EN_K})?|(?:latest|last|final) {_EN_K}|(?P<list>{_EN_LIST})(?: {_EN_K})?|{_EN_STEP}"
)
_COUNTS = re.compile(
    rf"第|[前最后头末]|倒数|\b(?:(?:step|part|item)s?|{_EN_N}|last|final|earliest|latest)\b", re.IGNORECASE
)
_TELLS = re.compile(r"\s*[:：]|[先再是就我排把]")
"""Behind a first and a second step that are those of what is said."""


def spell_nth_items(
    message: str, classes: Sequence[ClassView], tasks: Sequence[TaskView], spoken: Callable[[], list[int]]
) -> str:
    """A message with each item by its name that it counts within a class: that before it or behind it, for a bare one
    the class named before, else the one spoken of last; what a class has not stays as it is said."""
    if MAKES.search(message) or not _COUNTS.search(message):
        return message
    text = fold_text(message)
    pieces = {_widen(one, row["name"], text): row for row in classes for one in find_pieces(text, (row["name"],))}
    pieces = {one: row for one, row in pieces.items() if classes_in(one, classes) == [row["id"]]}
    owners = {row["id"]: row for row in pieces.values()}
    last, bound = next(iter(owners.values())) if len(owners) == 1 else None, False

    def write(found: re.Match[str]) -> str:
        nonlocal last, bound
        told = found.groupdict()
        of = (told.get("of") or told.get("of2") or "").lower()
        step = re.search(r"步|\bstep", found.group()) and not _TELLS.match(message, found.end())
        if not of and not (step or bound):
            return found.group()
        if of and beside.search(message, 0, found.start()):
            return found.group()  # of each of them, or of what they are together
        ids = [] if owners else spoken()
        bound = bound or bool(of)
        last = pieces.get(of) or last or next((row for row in classes if [row["id"]] == ids), None)
        rows = _choose(told, found.group(), last["items"], tasks) if last else []
        others = [item["content"] for row in classes if row is not last for item in row["items"]]
        owner = last["name"] + ("的" if has_chinese(message) else " ") if last else ""
        texts = [owner * (row["content"] in others) + row["content"] for row in rows]
        of = f" of {last['name']}" if last and texts and DELETES.search(message) else ""
        return (("、" if has_chinese(message) else " and ").join(texts) or found.group()) + of

    names = "|".join(re.escape(one) for one in sorted(pieces, key=len, reverse=True)) or r"\Z\A"
    beside = re.compile(rf"(?:{names})(?:\s*[、和与跟及]| and )\s*$", re.IGNORECASE)
    for form in _forms(names):
        message = form.sub(write, message)
    return message


def _widen(piece: str, name: str, text: str) -> str:
    """A Chinese piece of a name with what else of it stands right before: 大物实验 for 大学物理实验."""
    at = end = text.find(piece)
    while at > 0 and has_chinese(text[at - 1]) and text[at - 1] in name:
        at -= 1
    return text[at:end] + piece


@lru_cache(maxsize=256)
def _forms(names: str) -> tuple[re.Pattern[str], ...]:
    """The forms of an item by its place, of classes that are called so."""
    forms = (
        rf"(?:(?P<of>{names})\s*(?:的|里面?的?|[中内]的|[那这]个|\s)*)?(?:{_ZH})(?!\s*[:：])",
        rf"\b(?:the |my )?(?:{_EN}) of (?:the |my )?(?P<of>{names})\b",
        rf"\b(?:the |my )?(?P<of>{names})(?:'s (?:{_EN})| (?:the )?(?P<list2>{_EN_LIST}) (?:step|part|item|task)s?\b)",
        rf"\b(?:the |my )?(?P<list>{_EN_LIST}) (?:(?P<of>{names}) {_EN_K}"
        rf"|{_EN_K} (?:in|from|on) (?:the |my )?(?P<of2>{names})\b)",
        rf"(?:\b(?:the |my )?(?P<of>{names}) )?\b(?:{_EN_STEP}|(?:the )?(?P<list>{_EN_LIST}) steps?\b)",
        rf"\bthe (?:(?P<list>{_EN_LIST})|last (?P<count>{'|'.join(EN_COUNTS[1:])}))"
        r"(?: (?:one|item|task)s?\b|(?= (?:to|on|in|at|for|takes?|gets?)\b))",
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def _choose(
    told: dict[str, str | None], said: str, items: Sequence[ClassItemView], tasks: Sequence[TaskView]
) -> list[ClassItemView]:
    """The items of a class that are counted; none where it has not so many."""
    rows = sorted(items, key=lambda item: item["order"])
    if listed := told.get("list") or told.get("list2") or told.get("no"):
        at = [_number(one) for one in re.findall(rf"{_N}|{_EN_N}|{'|'.join(EN_COUNTS)}", listed, re.IGNORECASE)]
        return [rows[one - 1] for one in at] if all(0 < one <= len(rows) for one in at) else []
    if back := told.get("back"):
        first = len(rows) - (2 if back.lower() == "next" else _number(back))
        return rows[first : first + 1] if first >= 0 else []
    count = _number(told.get("count") or told.get("head") or told.get("tail") or "1")
    if re.search(r"最[早先晚迟]|earliest|latest", said, re.IGNORECASE):
        slots = {row["item_id"]: when_of(row) for row in tasks if row["slot"]}
        rows = sorted((row for row in rows if row["id"] in slots), key=lambda row: slots[row["id"]]) or rows
    ahead = told.get("head") or told.get("early")
    return [] if count > len(rows) else rows[:count] if ahead else rows[-count:]


def _number(said: str) -> int:
    said = re.sub(r"(?<=\d)[a-z]+", "", said.lower())
    return ORDINALS.index(said) + 1 if said in ORDINALS else number_of(said)
