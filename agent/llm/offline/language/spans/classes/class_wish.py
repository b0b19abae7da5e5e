"""The wish for a new class: which segment of a message opens it, what it is called, the parts that are told of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.llm.offline.language.spans.classes.class_parts import (
    BEGINS_ORDER,
    ClassParts,
    Segment,
    cut_dates,
    cut_message,
    fold_wish,
    kind_of,
    lead_of,
    read_parts,
)
from agent.llm.offline.language.spans.classes.class_sentence import without_amount, without_kind
from agent.llm.offline.language.spans.classes.item_list import as_written, span_of
from agent.llm.offline.language.spans.times.semester import SemesterDates

_KIND_ZH = r"(?:(?:学习|复习|备考|练习|训练)?(?:任务类?|计划)|课程|科目)"
_BEFORE_ZH = (
    r"(?:请|麻烦|帮我|帮忙|给我|我|想|要|再|先|另外|还|也|能不能|能|可以|可不可以|你|那|就|顺便|现在|需要|得|打算"
    r"|准备|\s)*"
)
_MAKES_ZH = r"(?:新建|创建|建立|新增|添加|增加|新开|建|加|开)"
_GETS_ZH = r"(?:弄|搞|整(?!个(?:任务|课程|计划|科目))|做|来|列|设|定)"
_ONE_ZH = r"(?:上|了|出)?(?:[一1]?[个门项份套])?(?:新的?)?\s*"
_KIND_EN = r"(?:(?:study|revision|learning|task) )?(?:class|course|subject|module|task|plan)"
_BEFORE_EN = (
    r"(?:(?:please|pls|plz|can|could|would|will|you|i|we|i'd|we'd|i'll|i'm|like|love|want|wanna|need|got|have|let's|to"
    r"|just|also|hey|hi|hello|ok|okay|so|and|then|kindly|going|gonna|there's|there|is|it's|for)[\s,]+)*"
)
_MAKES_EN = r"(?:add|create|set up|set (?:me|us) up with|put in)"
_GETS_EN = r"(?:make|start|open|build|give|get|do|have|need|want|there's)"
_ONE_EN = r"(?:(?:me|us|a|an|the|my|one|another|new|more|extra|separate)\s+)*"
_NEW_EN = r"(?:(?:me|us)\s+)?(?:an?|another|one|new)\s+(?:(?:new|more|extra|separate)\s+)*"
_LINK_EN = (
    r"(?:[\s,:;-]|\b(?:called|named|titled|for|on|about|to (?:learn|study|revise|prepare for|practi[cs]e)|is|it's|and"
    r"|call it|name it|my|the|our)\b(?=\s))*"
)
_CALLED = r"(?:名字|名称)?(?:[就也]?叫做?|名为|取名|是|为)?"
_SURELY_CALLED = r"(?:[\s:]+|(?:名字|名称)?(?:[就也]?叫做?|名为|取名|是))"
_OPENS = tuple(
    re.compile(form)
    for form in (
        rf"^{_BEFORE_ZH}{_MAKES_ZH}{_ONE_ZH}{_KIND_ZH}(?![里中上的进])吧?{_CALLED}[\s:]*(?P<name>.*)$",
        rf"^{_BEFORE_ZH}(?:{_GETS_ZH}|有|多)(?:了)?[一1]?[个门项](?:新的?)?{_KIND_ZH}(?P<name>|{_SURELY_CALLED}.*)$",
        rf"^{_BEFORE_ZH}(?:新的?|再来[一1]?个|另[一1]个){_KIND_ZH}(?P<name>|{_SURELY_CALLED}.*)$",
        rf"^{_BEFORE_ZH}(?:{_MAKES_ZH}|{_GETS_ZH}){_ONE_ZH}(?P<name>\S.*?)的?{_KIND_ZH}吧?$",
        rf"^{_BEFORE_ZH}(?:新建|创建|(?:建|加|开|报|多|学)(?:上|了)?)[一1]?门(?:新的?)?"
        r"(?P<name>[^第]\S*?)(?:课程?|任务类)?$",
        rf"^{_BEFORE_ZH}(?:新建|创建|建(?=[一1]个))(?:[一1]?个)?(?:新的?)?(?P<name>[^第]\S*.*)$",
        rf"^{_BEFORE_EN}{_MAKES_EN} {_ONE_EN}{_KIND_EN}\b{_LINK_EN}(?P<name>.*)$",
        rf"^{_BEFORE_EN}(?:{_GETS_EN} )?{_NEW_EN}{_KIND_EN}\b{_LINK_EN}(?P<name>.*)$",
        rf"^{_BEFORE_EN}(?:{_MAKES_EN}|make|build|give) (?:me |us )?(?:an?|my|another|the)\s+(?:new )?"
        rf"(?P<name>.+?) {_KIND_EN}$",
        rf"^{_BEFORE_EN}(?:add|put) (?P<name>.+?) (?:to|on|in|into) my (?:tasks|classes|courses|subjects|list)\b.*$",
    )
)
_BARE = (
    re.compile(rf"^{_BEFORE_ZH}建立?(?![议模筑成好])(?P<name>[^第]\S*.*)$"),
    re.compile(rf"^{_BEFORE_EN}(?:create|set up) (?:me )?(?!an?\b|the\b|another\b|new\b)(?P<name>.+)$"),
)
"""A wish that may be for anything but a class, where nothing else is told of one."""
_NAMED_BEHIND = re.compile(
    r"^(?:(?:名字|名称)[就也]?(?:叫做?|是|为)|[就也]?叫做?(?=\S)|名为|取名叫?)\s*:?\s*"
    r"|^(?:(?:and )?(?:call|name) it|(?:it'?s )?(?:called|named)|its name is)\s+"
)
_OF_NAME = re.compile(
    r"^(?:my|the|our|an?)\s+|^(?:(?:名字|名称)?(?:[就也]?叫做?|名为|取名))|[吧呗呢嘛啊]$"
    r"|\s+(?:for me|please|pls|plz|thanks|as well|too|now|then|(?:this|next) (?:semester|term|year))$"
)
_NO_NAME = re.compile(
    r"[\d一二两三四五六几]?[个门]?新?的?(?:|任务类?|课?程|课|科目|(?:学习|复习)?计划|东西|内容|项目?)"
    r"|复习|学习|一下|吧|吗|了|它|[这那]个?|类|出来"
    r"|(?:\b(?:for|with|of|and|it|me|us|this|that|them|there|here|an?|the|new|class|course|subject|plan|task|please"
    r"|up|one|to|in|on|my|list)\b\s*)*"
    r"|.*(?:[一1]点|点儿?|了)|提醒|列表|清单|表|合理|详细|轻松|完整|简单|具体|初步|靠谱|科学|紧凑|宽松"
    r"|(?:better|lighter|realistic|good|nice|different|detailed|simple|full|whole|weekly|daily|proper|solid|quick|rough|more"
    r"|less|harder|easier|earlier|later|done)\b.*"
)
_ASKS = re.compile(
    r"怎么|什么|哪|多少|为什么|如果|(?<![主只])要是|假如|是不是"
    r"|\b(?:how|what|which|why|when|if|suppose|should i|did|does)\b"
)


@dataclass(frozen=True)
class ClassWish:
    """A class that is wished for: its name as it is written, empty where it has none, and what is told of it."""

    name: str
    parts: ClassParts
    opening: str = ""
    """The segment that opens it."""
    others: tuple[Segment, ...] = ()
    """The segments beside it."""


_KINDLY = re.compile(
    r"^(?P<before>(?:hi|hey|hello|so|ok|okay|please|and|\W)*)(?:can|could|would|will) (?:you|u|ya"
    r"|we) (?P<en>[^?]*)\?+\W*$"
    r"|^(?P<before_zh>(?:你好|在吗|哈喽|嗨|\W)*)(?:你?(?:能不能|可不可以|能否|能|可以))"
    r"(?=[^,]{0,4}[帮给建加新])(?P<zh>[^?]*?)吗?\?*\W*$"
    r"|^(?P<plain>[^?]*?)[,，\s]*(?:可以|行|好|成)[吗么]\?*\W*$"
)


def spell_request(text: str) -> str:
    """A folded wish in the form of a question as a plain one: could you add a task for me?"""
    found = _KINDLY.search(text)
    if found is None:
        return text
    before = found["before"] or found["before_zh"] or ""
    return f"{before}{found['en'] or found['zh'] or found['plain'] or ''}"


def read_wish(message: str, term: SemesterDates) -> ClassWish | None:
    """The class that a message wishes for by saying that it is to be made; None where it tells of none."""
    text, quoted = _hide_quotes(spell_request(fold_wish(message)))
    segments = cut_dates(cut_message(text), term)
    for at, one in enumerate(segments):
        found = None if one.dated else _find_name(segments, at, term)
        if found is None:
            continue
        name, rest = found
        name = _clean(_show_quotes(name, quoted))
        if _ASKS.search(text):
            return None
        parts = read_parts([replace(each, text=_show_quotes(each.text, quoted)) for each in rest], term)
        return ClassWish(as_written(name, message), name_as_written(parts, message), one.text, tuple(rest))
    return None


def _find_name(segments: Sequence[Segment], at: int, term: SemesterDates) -> tuple[str, list[Segment]] | None:
    """The name that the segment at some place opens, and the other segments; None where it opens none."""
    text = segments[at].text.rstrip(": ")
    told = len(segments) > 1
    for form in (*_OPENS, *(_BARE if told else ())):
        if (found := form.match(text)) is None:
            continue
        name, end = found["name"].strip(" :,-"), at + 1
        if not name or _NO_NAME.fullmatch(name):
            called = next((one for one in segments[end:] if _NAMED_BEHIND.match(one.text)), None)
            if called is not None:
                others = [one for one in segments if one is not called and one is not segments[at]]
                return _NAMED_BEHIND.sub("", called.text.rstrip(": ")), others
            behind = segments[end] if end < len(segments) else None
            if at > 0 or behind is None or not _is_name(behind, term):
                return "", [*segments[:at], *segments[end:]]
            name, end = behind.text.rstrip(": "), end + 1
        while end < len(segments) and segments[end].mark == " " and _is_name(segments[end], term):
            name, end = f"{name} {segments[end].text}", end + 1
        return name, [*segments[:at], *segments[end:]]
    return None


def _is_name(one: Segment, term: SemesterDates) -> bool:
    """Whether a segment goes on with a name that a gap divides."""
    led = lead_of(one.text) or BEGINS_ORDER.search(one.text)
    return kind_of(one, term) == "name" and not led and len(cut_dates([one], term)) == 1


def _clean(name: str) -> str:
    """A name without the words around it."""
    before = ""
    while name != before:
        before, name = name, _OF_NAME.sub("", name.strip(" \"'“”「」《》:,，-")).strip()
    name = without_kind(without_amount(name))[0]
    return "" if _NO_NAME.fullmatch(name) else name


_QUOTED = re.compile(r"[《「『“\"]([^》」』”\"]{1,60})[》」』”\"]")


def _hide_quotes(text: str) -> tuple[str, list[str]]:
    """A text with one sign for each thing in quotation marks, and these."""
    quoted: list[str] = []

    def hide(found: re.Match[str]) -> str:
        quoted.append(found[1])
        return chr(0xE300 + len(quoted) - 1)

    return _QUOTED.sub(hide, text), quoted


def _show_quotes(text: str, quoted: Sequence[str]) -> str:
    return re.sub("[\ue300-\ue3ff]", lambda one: quoted[ord(one.group()) - 0xE300], text)


def name_as_written(parts: ClassParts, message: str) -> ClassParts:
    """The parts with the names of their items as the student wrote them."""
    if span_of(message):  # chapter 1 to chapter 4: those between are not written
        return parts
    known = {name: as_written(name, message) for name in parts.items}
    return replace(
        parts,
        items=tuple(known[name] for name in parts.items),
        lengths=tuple((known[name], n) for name, n in parts.lengths),
    )
