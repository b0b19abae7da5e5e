"""The parts of a message about a new class: what stands between its marks, around its dates and behind its openings.

A message is cut into segments, each is one kind of thing (a date, a setting, a count, contents, courtesy), and what a
list of contents is follows from the segments side by side that can be names: nothing else becomes an item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from agent.llm.offline.language.normalize import fold_numbers, fold_text, widths
from agent.llm.offline.language.spans.classes.class_sentence import find_weekdays, read_class
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.classes.item_list import (
    MARK_OF_NAME,
    NUMBER_EN,
    UNITS_EN,
    UNITS_ZH,
    is_name,
    span_of,
    split_names,
)
from agent.llm.offline.language.spans.classes.new_lengths import take_length
from agent.llm.offline.language.spans.classes.rhythms import RHYTHM, read_duration, read_rhythm
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates

_MARKED = re.compile(
    r"(?:^|(?<=[\s\ue2ff,，;；、:：。\n是有为]))(?:(\d{1,2})\s*(?:[.)、](?!\d)|\)\s)|[(（](\d{1,2})[)）]|([①-⑳]))\s*"
)
_ORDERED = re.compile(r"(?:^|(?<=[\s,，;；、:：。\n]))第([一二三四五六七八九])(?:个|步|块|部分)?(?:是|为|[:：])\s*")
_BULLET = re.compile(r"\n\s*(?:[-–—•*·]\s+)?")
_INSIDE = re.compile(r"\s*[(（]([^()（）]*(?:[,，、;；]|\band\b|/)[^()（）]*)[)）]")
_DATES_INSIDE = re.compile(
    r"\s*[(（]\s*((?:(?:from|between|on|due|by|从|自)\s*)?(?:\d{1,2}\s*[月/.-]\s*\d|\d{1,2} [a-z]{3}"
    r"|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d)[^()（）]*)[)）]"
)
_SHORT_CHAPTER = re.compile(r"\b(?:chs?|chaps?)\b\.? ?(?=\d)")
_NUM_ZH = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"
_GENERIC = (
    r"(?:topics|items|steps|parts|chapters|units|modules|tasks|stages|phases|things|areas|pieces|blocks|themes"
    r"|contents)"
)
_LEAD_ZH = re.compile(
    rf"(?:它|里面|主要|大概|大致|一?共|总共|分别|依次)*(?:(?:内容|章节|步骤|部分|任务项|阶段|重点|考点|模块|知识点)(?:上|主要|大概|如下)*"
    rf"|(?:我?要|得|需要)(?:看|做|学|背|写|考|复习|准备|弄|搞)(?:的(?:内容|东西)?(?=[有是:：]))?"
    rf"|(?:有|共|分[为成]?|拆成)?{_NUM_ZH}个?大?(?:{UNITS_ZH}|块|阶段|步骤?|方面|任务|内容|项目|东西)(?=[:：,，]|分|是|有|为)|包括|包含|涵盖|分[为成]?|拆[为成]"
    rf"|(?<![没还])有(?![机限效氧])|是)"
    rf"(?:分别|依次|主要|就)*(?:是|有(?![机限效氧])|为|包括|包含|[:：])*(?:{_NUM_ZH}个?大?(?:块|部分|章|阶段|步骤?|方面)[:：,，]?(?:分别"
    rf"|依次)?[是有为]?)?\s*[:：]?\s*"
)
_STRONG_ZH = re.compile(
    r"内容|章节|步骤|部分|任务项|阶段|重点|考点|模块|知识点|包括|包含|分别|[:：]|分[为成]|拆[为成]|\d"
)
_WORD_EN = (
    r"(?:it|this|that|which|they|there|i|we|has|have|having|got|is|are|be|will|should|need|needs|want|must|to|do|study"
    r"|learn|read|write|cover|covers|covering|include|includes|including|contain|contains|containing|comprise"
    r"|comprises|comprising|consist|consists|consisting|made|up|of|with|in|into|split|divide|divided|break|broken|down"
    r"|the|its|my|these|following|namely|about|around|roughly|all|main|different|as|follows)"
)
_LEAD_EN = re.compile(
    rf"(?:{_WORD_EN}(?:'(?:s|ve|ll))? +)*(?:(?:\d{{1,2}}|{NUMBER_EN}) +(?:\w+ +)?{_GENERIC}|{_GENERIC})"
    rf"(?: +(?:to (?:do|cover|learn|study|read|write)|are|is|will be|include|as follows|in total))*\s*(?::\s*"
    rf"| +(?=\w))"
    rf"|(?:{_WORD_EN}(?:'(?:s|ve|ll))? +)*(?:cover|covers|covering|includes?|including|contains?|containing|comprising"
    rf"|consists? of|consisting of|made (?:up )?of|split (?:it )?(?:up )?into|broken (?:up |down )?into|divided into"
    rf"|namely|with|has|have|are|is|to (?:do|cover|learn|study|read|write))(?: the)?(?:\s*:\s*| +(?=\w))"
    r"|(?:with|covering|including)$"
)
_STRONG_EN = re.compile(rf":|\b{_GENERIC}\b|\b(?:cover\w*|includ\w+|consist\w*|compris\w+|contain\w*|into|made)\b")
_BEGINS_LIST = re.compile(
    r"(?<=[^\s,，。;；:：\n])(?<!内容)(?<!主要)\s*(?=(?:分[为成拆]|包括|包含|涵盖|(?<!学习)(?<!复习)内容(?:[有是为:：]|就)|(?:一共|(?<![一总])共"
    r"|总共)[有分\d一二两三四五六七八九十])|拆[为成])"
    rf"|(?<=\S)(?<!\b[mu][es] up)\s+(?=(?:with|covering|including|consisting of|made (?:up )?of|split (?:up )?into"
    rf"|comprising|containing"
    rf"|broken (?:up |down )?into|divided into|(?:that|which) (?:has|covers|includes)|in {_NUM_ZH} {_GENERIC}"
    rf"|(?:\d{{1,2}}|{NUMBER_EN}) {_GENERIC}\b)\b)"
)
_MARKS = re.compile(r"\s*(\n|[,，。;；!！?？]+|\.(?=\s|$)|[:：](?!\d)|\s[-–—]\s)\s*")
_GAP = "\ue2ff"
"""What stands for a gap beside a Chinese character that the student left."""
_GAPS = re.compile(
    r"(?<=[一-鿿])(?<![月年第周])[^\S\n]+(?=\S)(?!\d{1,3}(?:[、,，;；。\s]|$))|(?<=[^\s\d–—•*·.)、-])[^\S\n]+(?=[一-鿿])"
)
_LEFT_OF_DATE = re.compile(
    r"(?:(?:^|\s+|(?<=[一-鿿]))(?:考试|截止|截至|到期|(?<!次)交|ddl|考|^期[中末])(?:的?(?:时间|日期))?\s*[是在为:：]?\s*|从|自|到|于"
    r"|(?<=[,，\s])[是在]|定在|就是|最[晚迟]|必须|得|要|争取|打算|希望|赶在|计划|\s)+$"
    r"|(?:(?:^|(?<=\bthe )|(?<=\bits )|(?<=\bmy ))(?:exam|test|final|midterm|quiz)(?:'s)?[\s:]+"
    r"|(?:^|(?<=[\s,;:]))(?:it|i|want|need|needs|has|have|must|should|to|be|is|are|the|my|and|deadline|due|date"
    r"|finish|finished"
    r"|done|complete|completed|ready|submit|submitted|hand|handed|in|by|until|till|before|from|on|at|of|end|ending"
    r"|starting"
    r"|start|over|within|for|next|'s|it's|all)[\s:]+)+$"
)
_RIGHT_OF_DATE = re.compile(
    r"(?:\s*(?:之?前|以前|开始|为止|截止|(?:[之以]|(?<=[天周月期]))内(?!容)|考试?(?![试研])|要?交|提交|到期|答辩|期末考|学完|搞定|完成|弄完|做完|看完|背完|写完|复习完"
    r"|结束|要|得|必须|全部|就|起|都))+"
    r"|\s*(?:at the latest|onwards?|exam|test|deadline)\b"
)
_ROUGH = re.compile(
    r"(?:大概|大约|差不多|约|估计|应该|可能|左右|一?共|总共|[分拆][为成]?|要(?:做|学|看)?|需要|得|有|做|内容|学|的|吧|上下|来)+"
    r"|\b(?:it|this|there|that|i|we|has|have|having|got|is|are|be|will|split|divide|in|into|with|about|around|roughly"
    r"|approximately|maybe|probably|some|say|like|total|all|of|the|or so|think|up|total|altogether|need|to|do|on"
    r"|them)\b|'s|'ve"
)
_COUNT = re.compile(
    rf"(?P<n>\d{{1,3}})\s*个?大?(?P<zh>{UNITS_ZH}|步)(?:[一-鿿]{{0,3}}$)?"
    rf"|(?P<m>\d{{1,3}})[ -](?:\w+ )?(?P<en>{UNITS_EN}|steps?|tasks?)"
)
_PLANS = re.compile(
    r"(?:建(?:好|完)|之?后|以后|了|顺便|请|麻烦|帮我|给我|再|都|也|一起|然后|直接|把它?们?|今天|马上|就)*(?:安排|规划|排)(?:一?下|[好上进]|起来|个?计划|课表里?|到?日程里?|吧|去|呗|啊|了)*"
    r"|(?:can you |could you |please |pls |and |then |also |just )*(?:plan|schedule|fit|slot|put|get)"
    r"(?: (?:it|that|this|them|everything))*(?: (?:in|into?)(?: (?:my|the))?(?: (?:plan|schedule|calendar"
    r"|timetable))?)?"
    r"(?: (?:too|as well|for me|please|pls|somehow|somewhere))*"
)
_COURTESY = re.compile(
    r"(?:谢|多谢|感谢|谢谢你?|拜托了?|麻烦了?|辛苦了?|你好|在吗|哈喽|嗨|那个|嗯|好的?|吧|可以吗|行吗|好吗|有点急|挺?急的?|急|救命|呜|哈|[啊呢啦哦呀])+"
    r"|(?:thanks?(?: you)?|thx|ty|please|pls|plz|cheers|hi|hey|hello|ok(?:ay)?|so|um|help|ugh|asap|for me|a lot"
    r"|so much"
    r"|in advance|btw|by the way|well|oh|and|then|\s)+"
)
_LIMITS = re.compile(r"不要|别|只|不[排学]|(?:and |but )?(?:no|not|never|only)\b")
_SAYS_MORE = re.compile(
    r"(?:我|他|她|这|那|老师|因为|所以|但|不过|而且|感觉|觉得|真的|好难|救)"
    r"|(?:i|i'm|i've|we|he|she|it|it's|that's|they|this|that|these|those|because|since|so|but|my (?:prof|teacher))\b"
)
"""How a clause begins that tells a story and no name."""


DONE_THEN = re.compile(
    r"(?:都?[在放排]?)?(?:早上|上午|下午|晚上|周末|工作日)[去来再]?(?:练|学|做|弄|看|背|搞|写|上课?)?[吧了呗]?"
    r"|(?:all |only |mostly |always )*(?:(?:in|on|at) (?:the |my )?)?(?:mornings?|afternoons?|evenings?|weekends"
    r"|weekdays)"
)
"""When a new class is done each time, as a clause of its own."""


@dataclass(frozen=True)
class Segment:
    """A piece of a message, the mark in front of it, and whether a date was cut out as it."""

    text: str
    mark: str = ""
    dated: bool = False


@dataclass(frozen=True)
class ClassParts:
    """What the segments behind a name tell of its class."""

    items: tuple[str, ...] = ()
    lengths: tuple[tuple[str, int], ...] = ()
    count: str = ""
    dates: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    plans: bool = False
    rest: tuple[str, ...] = field(default=())
    """What is none of that: it is told that it is not used."""


def fold_wish(message: str) -> str:
    """The form in which a wish for a class is read: folded, with the gaps that the student left in Chinese."""
    return fold_text(_GAPS.sub(_GAP, widths(message)))


def cut_message(text: str) -> list[Segment]:
    """The segments of a folded message: between its marks and its gaps, and in front of what begins a list."""
    found = list[Segment]()
    begin, mark = 0, ""
    plain = _spell_lines(text)
    for one in (*_MARKS.finditer(plain), None):
        pieces = _BEGINS_LIST.split(plain[begin : one.start() if one else len(plain)])
        for at, piece in enumerate(pieces):
            for gap, part in enumerate(piece.split(_GAP)):
                if part.strip():
                    found.append(Segment(part.strip(), " " if gap else "," if at else mark))
        if one is None:
            break
        mark, begin = one[1].strip(" ") or "\n", one.end()
        if found and mark in ":：":
            found[-1] = replace(found[-1], text=f"{found[-1].text}:")
    return found


def cut_dates(segments: Sequence[Segment], term: SemesterDates) -> list[Segment]:
    """Segments with each of their dates, and the words that belong to it, as one of its own."""
    return [cut for one in segments for cut in _cut_dates(one, term)]


def _spell_lines(text: str) -> str:
    """A text whose numbered or bulleted lists, and those in brackets, stand on lines of their own."""
    text = _INSIDE.sub(r": \1。", _DATES_INSIDE.sub(r", \1,", text))
    text = _SHORT_CHAPTER.sub("chapter ", text)
    for form in (_MARKED, _ORDERED):
        marks = [*form.finditer(text)]
        if len(marks) > 1 and not MARK_OF_NAME.search(text):
            text = form.sub("\n", text)
    return _BULLET.sub("\n", text.strip())


def _cut_dates(segment: Segment, term: SemesterDates) -> Iterator[Segment]:
    piece, begin, mark = segment.text, 0, segment.mark
    if _LIMITS.match(piece) or excludes(piece):  # those days are left free
        yield segment
        return
    plain = RHYTHM.sub(lambda often: "\n" * len(often.group()), piece)
    for one in read_times(plain, term):
        if one.kind not in ("day", "days", "week", "weekday") or one.role or one.start < begin:
            continue
        left, right = _LEFT_OF_DATE.search(plain[begin : one.start]), _RIGHT_OF_DATE.match(piece, one.end)
        start = begin + left.start() if left else one.start
        end = right.end() if right else one.end
        whole = not piece[begin:start].strip() and not piece[end:].strip()
        weekly = one.kind in ("week", "weekday") and not (one.first or one.side or right)
        if (weekly and not (one.kind == "week" and whole)) or not (left or right or one.side or whole):
            continue
        if piece[begin:start].strip():
            yield Segment(piece[begin:start].strip(), mark)
            mark = ","
        yield Segment(piece[start:end].strip(), mark, dated=True)
        begin, mark = end, ","
    if piece[begin:].strip():
        yield Segment(piece[begin:].strip(), mark)


def read_parts(segments: Sequence[Segment], term: SemesterDates) -> ClassParts:
    """What segments beside the name of a class tell of it."""
    segments = cut_dates(segments, term)
    at, run, lead = _find_list(segments, term)
    parts = ClassParts()
    if run:
        told = _count_in(lead)
        items, lengths = split_items(run, int(told[0]) if told else 0)
        if len(items) > 1 or (items and lead and _is_strong(lead)):
            parts = ClassParts(items=items, lengths=lengths)
            segments = [one for number, one in enumerate(segments) if number not in at]
    for one in segments:
        parts = _take(parts, one, term)
    return parts


def _find_list(segments: Sequence[Segment], term: SemesterDates) -> tuple[range, list[Segment], str]:
    """The segments that are a list of contents, each as far as it is one, and what leads to it; that which has a lead
    before any other."""
    for needs_lead in (True, False):
        for at, one in enumerate(segments):
            kind = kind_of(one, term)
            lead = "" if kind in ("date", "count", "span", "plan", "courtesy") else lead_of(one.text)
            if bool(lead) != needs_lead or not (lead or kind == "name"):
                continue
            first = one.text[len(lead) :].strip()
            run = [replace(one, text=first, mark="")] if first else []
            if not run and at + 1 < len(segments) and lead_of(segments[at + 1].text):
                continue  # in three parts: they are ...
            if run and kind_of(run[0], term) != "name" and "、" not in first:
                continue
            end = at + 1
            while end < len(segments) and _goes_on(run, segments[end], term):
                run, end = [*run, segments[end]], end + 1
            number = len(split_items(run, 0)[0]) if run else 0
            if number > 1 or (number and lead and _is_strong(lead)):
                before = segments[at - 1].text if at else ""
                led = bool(lead and before) and lead_of(before) == before
                return range(at - led, end), run, f"{before if led else ''}{lead}"
    return range(0), [], ""


def _goes_on(run: Sequence[Segment], one: Segment, term: SemesterDates) -> bool:
    """Whether a segment goes on with a list."""
    if one.dated or kind_of(one, term) != "name" or (run and one.mark[:1] in "。.!！?？"):
        return False
    if run and _is_strong(lead_of(one.text)):
        return False
    strong = {"\n", ";"} & {each.mark for each in run[1:]} or any("、" in each.text for each in run)
    return "、" in one.text or _AND_ALSO.match(one.text) is not None if run and strong and one.mark in ",，" else True


_AND_ALSO = re.compile(r"(?:还有|以及|再加上?)(?=\S)")
"""In front of the last of a list."""


def lead_of(text: str) -> str:
    """What stands in front of the contents in a segment that begins a list of them; empty for any other."""
    found = _LEAD_ZH.match(text) or _LEAD_EN.match(text)
    return found.group() if found else ""


def _is_strong(lead: str) -> bool:
    """Whether what leads to a list can lead to one thing alone."""
    return (_STRONG_ZH.search(lead) or _STRONG_EN.search(lead)) is not None


def _count_in(lead: str) -> re.Match[str] | None:
    return re.search(r"\d+", fold_numbers(lead))


_TAIL_ZH = re.compile(
    rf"(?:这|那|等|共|一共)?{_NUM_ZH}?[几个]?(?:大)?(?:块|部分|个部分|方面|项|章|阶段|步骤?)(?:内容)?$|等等?$"
)
BEGINS_ORDER = re.compile(r"^(?:首先|先|第一步)|^first(?:ly)?\b")
_GOES_ON_ORDER = re.compile(
    r"^(?:最后|然后|再|接着|之后|其次)+(?:是)?|^(?:and )?(?:then|finally|lastly|last|next|after that)\b"
)


_DIVIDES = re.compile(
    r"\s*(?<!\d)/\s*|\s*/(?!\d)\s*|(?<=[^\s+])\s*\+\s*(?=[^\s+])|\s+plus\s+|\s+then\s+(?=.*\b(?:then|finally|last)\b)"
)
_PARTICLE = re.compile(r"(?<=[^网酒贴])[吧呢啊哦]$")
_LAST_JOINS = re.compile(r"(?<=[^\s和])(?:和|以及|还有)(?=[^\s和])|\s*\b(?:and|plus)\b\s*")


def split_items(run: Sequence[Segment], count: int) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """The names of a list and the lengths of those that have one."""
    pieces = _drop_order([name for one in _divide_run(run, count) if (name := one.strip(" ,，.。;；:：、"))])
    if pieces and (tail := _TAIL_ZH.search(pieces[-1])) and tail.start() > 0:
        pieces[-1] = pieces[-1][: tail.start()].removesuffix("这").strip()
    pieces = [_PARTICLE.sub("", one).replace('"', "'") for one in pieces]
    sized = [take_length(one) for one in pieces]
    names = tuple(name or piece for (name, _, _), piece in zip(sized, pieces, strict=True))
    return names, tuple((name, n) for (name, n, each) in sized if name and n and not each)


_ONLY_COUNT = re.compile(rf"(?:[这那等共]|一共)*{_NUM_ZH}个?大?(?:块|部分|方面|项|章|阶段|步骤?)")
"""Behind a list, how many it has."""


def _divide_run(run: Sequence[Segment], count: int) -> list[str]:
    """The pieces of a list: at the strongest of the marks that divide it."""
    marks, texts = {one.mark for one in run[1:]}, list[str]()
    for one in run:  # what only a gap divides is one name where anything else divides the list
        text = _AND_ALSO.sub("", one.text.strip(" .。:："))
        texts[-1:] = [f"{texts[-1]} {text}"] if texts and one.mark == " " and marks != {" "} else [*texts[-1:], text]
    texts = [one for one in texts if not _ONLY_COUNT.fullmatch(one)] if len(texts) > 1 else texts
    if {"\n", ";", "；"} & marks or (marks == {" "} and not any("、" in one for one in texts)):
        return texts
    if any("、" in one for one in texts):
        *head, last = [one for text in texts for one in text.split("、")]
        return [*head, *_LAST_JOINS.split(last, maxsplit=1)]
    pieces = [one for text in texts for one in _DIVIDES.split(text)]
    if len(pieces) == len(texts) or len(texts) > 1:
        return split_names("，".join(pieces), count)
    return [*pieces[:-1], *split_names(pieces[-1], 0)]


def _drop_order(pieces: list[str]) -> list[str]:
    """Names without the words that put them one after the other: first ..., then ..., finally ..."""
    first, then = BEGINS_ORDER, _GOES_ON_ORDER
    if len(pieces) < 2 or not first.search(pieces[0]) or not all(then.search(one) for one in pieces[1:]):
        return [re.sub(r"^(?:and|then|finally|plus) ", "", one) for one in pieces]
    return [first.sub("", pieces[0]).strip(), *(then.sub("", one).strip() for one in pieces[1:])]


def kind_of(one: Segment, term: SemesterDates) -> str:
    """What a segment is: date, plan, courtesy, span, count, setting, name, or other."""
    text = one.text.strip(" :：")
    if one.dated:
        return "date"
    if _COURTESY.fullmatch(text):
        return "courtesy"
    if _PLANS.fullmatch(text):
        return "plan"
    if count_of(text):
        return "count"
    if span_of(text):
        return "span"
    if is_sized(text):
        return "name"
    if is_setting(text, term) or read_rhythm(text) or find_weekdays(text, term):
        return "setting"
    if read_duration(text) or (read_times(text, term) and not is_name(text)):
        return "date"
    return "name" if is_name(text) and not _SAYS_MORE.match(text) else "other"


_NO_CONTENT = re.compile(
    r"(?:每|各|[一1]?共|总共|总计|合计|[一1](?:次|回|遍|项|章|个|天|周))+|(?:in )?total|all|altogether"
)
"""What stands in front of a length and is none of the contents."""


def is_sized(text: str) -> bool:
    """Whether a text is one of the contents with its length: analysis 4 sections."""
    name, number, each = take_length(text)
    return bool(name and number) and not each and is_name(name) and not _NO_CONTENT.fullmatch(name)


def count_of(text: str) -> str:
    """How many parts there are, where a text tells nothing else: 大概8讲, about 8 lectures."""
    plain = fold_numbers(text)
    found = _COUNT.search(plain)
    if found is None or re.search(r"每|第|最多|各|\b(?:each|per|every|most|a (?:day|week))\b", plain):
        return ""
    around = _ROUGH.sub("", plain[: found.start()] + plain[found.end() :]).strip(" ,，.。:：")
    told = plain[found.start() : found.end("zh") if found["zh"] else found.end()].strip()
    return told if not around and int(found["n"] or found["m"]) > 1 else ""


def is_setting(clause: str, term: SemesterDates) -> bool:
    """Whether a clause sets something of a class besides its name, its days and its contents."""
    own, text = read_class(clause, term), fold_text(clause)
    told = own.each or own.total or own.strategy or own.filler or own.difficulty or own.intensity or own.minutes
    return bool(_LIMITS.match(text) or excludes(text) or own.excludes or told or DONE_THEN.fullmatch(text))


def _take(parts: ClassParts, one: Segment, term: SemesterDates) -> ClassParts:
    """The parts with what one more segment tells."""
    kind, text = kind_of(one, term), one.text.strip(" :：")
    if kind == "date":
        return replace(parts, dates=(*parts.dates, text))
    if kind == "plan":
        return replace(parts, plans=True)
    if kind == "count" and not parts.items:
        return replace(parts, count=count_of(text))
    if kind == "span" and not parts.items and (span := span_of(text)):
        return replace(parts, items=span[0])
    if kind == "setting":
        return replace(parts, settings=(*parts.settings, text))
    known = kind in ("courtesy", "count", "span")
    return parts if known else replace(parts, rest=(*parts.rest, text))
