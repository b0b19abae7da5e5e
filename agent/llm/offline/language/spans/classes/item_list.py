"""The list of contents inside a sentence: where it begins, where it ends, what divides it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from agent.llm.offline.language.normalize import digits, fold_numbers, fold_text, widths, words
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import NO_TERM
from agent.llm.offline.language.words.guarded import GuardedPattern

_MONTH_EN = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
_MONTH_DAY = rf"\b{_MONTH_EN} \d|\d {_MONTH_EN}"
UNITS_ZH = r"专题|章节?|单元|讲|节课|课(?!时)|次|部分|篇|实验|主题|话题|知识点|模块|项|份|套|遍|首|本(?!周)"
UNITS_EN = (
    r"topics?|chapters?|units?|lessons?|lectures?|parts?|sessions?|labs?|modules?|essays?|sets?|items?"
    r"|papers?|themes?|readings?|exercises?|songs?|books?"
)
NUMBER_EN = r"two|three|four|five|six|seven|eight|nine|ten"
_PARTS_EN = r"(?:topics|chapters|parts|steps|sections|modules|units|stages|phases|themes|contents|items)"
_BULLET = re.compile(r"^\s*[-–—•*·]\s+")
_OPENING = re.compile(
    rf"(?:内容|任务项|章节|项目|知识点|items?|topics?|contents?|\b{_PARTS_EN}|class(?=:)|分为|分成|包括|包含|依次是|分别是)"
    r"\s*(?:有|为|是|包括|are|include)?\s*"
    r"[:：]\s*|(?:内容(?:有|为|是|包括|(?=[^,，。、:：]{1,12}、))|包括|包含|分别是|依次是|"
    r"分(?=[^,，。、\d:：]{2,12}、)|分[为成](?!\s*[\d一二两三四五六七八九十几]))\s*"
    r"|\b(?:with|has|have|having) (?:the |these )?(?:items|topics|parts|stages|steps|tasks) (?=\w)"
    r"|\b(?:consisting of|consists of|made up of) (?=\w)"
    rf"|(?P<are>(?<!which )(?<!what )(?<!whose )\b(?:the |its |their )?{_PARTS_EN}"
    r" (?:are|will be|would be|include)"
    r" (?!(?:on|in|at|to|too|not|all|both|still|done|left|planned|already|due|missing|for|so|very|where|there|moved"
    r"|late|equally|about|from|before|after|of|what|the same)\b)"
    r"|(?:内容|章节|步骤|部分|主题|专题|模块|单元|知识点|阶段)(?:分别)?(?:是|有|为)(?![什哪多几不否])"
    rf"|\b(?P<k>\d|{NUMBER_EN}) (?!sections){_PARTS_EN}(?:\s*,\s*| (?=\w))"
    r"|(?P<l>[\d两二三四五六七八九])个?(?:步骤?|部分|阶段|专题|单元|模块)(?:\s*[,，]|\s)\s*)"
    r"|(?:有|分|共|分成)?\s*(?![1一]个任务\s*[:：](?![^、\n]*[、\n]))(?P<n>\d{1,2}|[一二两三四五六七八九十]{1,2})\s*个?(?:大)?(?:部分|项|步骤?"
    r"|阶段|任务|专题|单元|章|篇|块)\s*[:：]\s*"
    r"|(?:with |has |have )?\b(?P<m>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?(?:items"
    r"|parts|topics|steps|stages"
    r"|chapters|units|tasks|pieces|labs|essays|sessions|lessons|lectures|modules|sections|phases|themes|exercises"
    r"|papers|readings|blocks)\s*[:：]\s*",
    re.IGNORECASE,
)
_MARK = re.compile(r"(?:^|[\s,，;；、])(?:\d{1,2}\s*[.)、．]|[(（]\d{1,2}[)）]|[①-⑳])\s*")
MARK_OF_NAME = re.compile(r"(?P<label>[^\W\d_]+)[ \ue2ff]?\d{1,2}\s*、\s*(?P=label)[ \ue2ff]?\d", re.IGNORECASE)
_SPAN = re.compile(r"(?<![\d月.])第?\s*(\d{1,3})\s*(?:章|讲|单元)?\s*[-~—到至]\s*第?\s*(\d{1,3})\s*(章|讲|单元)")
_SPAN_EN = re.compile(
    r"\b(?<!\bno )(?<!\bnot )(?<!\bin )(?<!\bor )"
    r"(chapter|unit|lecture|lesson|lab|topic|part|paper|essay|section|module|set)s?\s*(\d{1,3}"
    r"|[A-Z]\b)\s*(?:-|~|–|to\b|thru\b|through\b)\s*(?:\1 ?)?"
    r"(\d{1,3}|[A-Z]\b)",
    re.IGNORECASE,
)
_SPAN_OF = re.compile(
    rf"(?P<label>\b(?!week|day|section|period|month|{_MONTH_EN})[a-z]{{3,12}} ?|(?![第周月])[一-鿿]{{1,3}}?)"
    r"(?P<first>\d{1,2}|[一二三四五六七八九十]{1,2})\s*"
    r"(?:到|至|-|~|–|to|through)\s*(?P=label)(?P<last>\d{1,2}|[一二三四五六七八九十]{1,2})(?![\d号日月点节周天])",
    re.IGNORECASE,
)
"""专题一到专题五, Essay 1 to Essay 4: the label stands at both ends."""
_PARTS = GuardedPattern(
    r"(?:分|拆|改|变|就)(?:成|为|作)?\s*(\d{1,3})\s*(?:次|份|部分|讲|项|段|个任务)|\b(\d{1,3})\s*(?:parts|items|blocks)\b"
    r"|(?:^|[,，。;；:：\s共])(\d{1,3})\s*次(?=$|[,，。;；\s]|每次)|(?<![第\d~到至-])\b(\d{1,3})\s*(?:章"
    r"|个单元|讲)(?=$|[,，。;；\s])|\b(\d{1,3}) chapters\b",
    needed=r"\d\s*(?:[次份部讲项段个章]|parts|items|blocks|chapters)",
)
_ONLY_COUNT = re.compile(
    rf"(?:一?共|总共|分成?为?|有)*\s*\d{{1,3}}\s*(?:个|大)*(?:块|{UNITS_ZH})"
    rf"|(?:(?:with|about|around|maybe|say|in) )*\d{{1,3}} (?:\w+ )?(?:{UNITS_EN})"
)
"""How many contents there are, without any of them."""
_NOT_AN_ITEM = (
    "排进", "排好", "排课", "排程", "排一下", "安排", "规划", "不排", "均匀", "平均分", "集中", "突击", "难度", "强度",
    "嵌入", "一共", "总共",
    "schedule", "arrange", "plan it", "plan my", "fit in", "no weekends", "no evenings", "steady",
    "rapid", "difficulty", "sections", "then schedule", "plan them",
)  # fmt: skip
_COMMAS = re.compile(r"[,，]|\band\b")
_BORDERS = re.compile(r"\s*(?:[,，。;；!！\n()]|\.(?=\s|$)|:(?!\d)|\s[-–—]\s)+\s*")
_LEADS_LIST = re.compile(
    r"^(?:(?:它|里面|主要|内容|一共|总共)*(?:有|包括|包含|分[为成]?|分别是|是|(?:要|得|需要)(?:做|写|复习|学|考|背|看|弄)?)(?=[^,，]{1,16}、)"
    r"|(?:and |so )?(?:(?:i|we) )?(?:need|have|want|got)(?: to)?"
    r"(?: (?:do|cover|write|read|prepare|go through|finish|learn|study|revise))?(?: the)? "
    r"|(?:it|there)(?:'s| is| are| has| have)? (?:with |about )?(?=\w+$))",
    re.IGNORECASE,
)
"""What leads to the first of a list."""
_HOW_MANY = re.compile(rf"\b(?:\d+|{NUMBER_EN}) (?:\w+ )?{_PARTS_EN}$")
_NO_CONTENT = re.compile(
    r"\d\s*(?:周|月|日|节|/|-)|\b(?:week|sections?|parts)\b|分\s*\d+|^\s*共?\d+\s*(?:章|个|项|讲|次)\S{0,2}$"
    r"|不要|不排|别排|不是|^\s*[这那][个门]?课?就?是|\d+ \w+s$"
    rf"|\b(?:never|no|not)\b|{_MONTH_DAY}"
)
_EXAM = re.compile(r"考试|期末|\bexams?\b")
_FACT = re.compile(
    r"截止|[才就要]考|之前|以前|前完|只排|不排|别排|周末|晚上|上午|下午|中午|早上|每[天周]|(?<![a-z])ddl(?![a-z])"
    r"|\b(?:due|deadline|by (?:the \w+|\d+|[a-z]+ \d+|next|end|\w+day)|from \d+|until|till|only|weekends?"
    r"|evenings?|mornings?"
    r"|afternoons?|each|every|starting|start|at most)\b|\d(?:st|nd|rd|th)\b"
)
"""Days, times and limits of a class: none of its contents."""
_LABELLED = re.compile(r"^(?:第\s*\d+\s*\S{1,2}|\D{1,4}\d{1,3})$|[a-z]$", re.IGNORECASE)
"""The head of a name with a gap behind it: 第1章 行列式, 实验四 霍尔效应."""
_ASKED = re.compile(r"[?？]\s*$|[吗呢]\s*$|^(?:what|how|when|where|which|why|is|are|can|could|does|do)\b")
"""A question is no list of contents."""
_MAX_ITEMS = 100
NUMERALS = "零一二三四五六七八九十"


def tells_fact(clause: str) -> bool:
    """Whether a clause tells days, times or limits of a class, not its contents or its name."""
    folded = fold_text(clause)
    return (_EXAM.search(folded) or _FACT.search(folded) or _NO_CONTENT.search(fold_numbers(clause))) is not None


def parts_of(text: str) -> int | None:
    """The number of equal parts asked for: 分6次, 6 parts."""
    match = _PARTS.search(fold_numbers(text))
    count = int(next(filter(None, match.groups()))) if match else 0
    return count if 1 <= count <= _MAX_ITEMS else None


_QUOTED_LIST = re.compile(
    r"[,，\s]*(?:内容[:：]\s*(?P<zh>(?:「[^」]+」(?:\d{1,2}节)?、?)+)"
    r"|with the items:\s*(?P<en>(?:\"[^\"]+\"(?: \d{1,2} sections?)?,?\s*)+))$"
)
_QUOTED_ITEM = re.compile(r"[「\"]([^」\"]+)[」\"](?:\s?(\d{1,2}))?")


def spell_quoted(items: Sequence[str], lengths: Sequence[tuple[str, int]], *, zh: bool) -> str:
    """Says the contents of a class, each between marks, so that none of their words is read as anything else."""
    own = {item: f"{n}节" if zh else f" {n} section{'s' * (n > 1)}" for item, n in lengths}
    listed = [f"「{item}」{own.get(item, '')}" if zh else f'"{item}"{own.get(item, "")}' for item in items]
    return f"内容：{'、'.join(listed)}" if zh else f"with the items: {', '.join(listed)}"


def read_quoted(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...], str]:
    """The contents that stand between marks at the end of a text, their lengths, and the text without them."""
    found = _QUOTED_LIST.search(text)
    if found is None:
        return (), (), text
    told = _QUOTED_ITEM.findall(found["zh"] or found["en"])
    return tuple(name for name, _ in told), tuple((name, int(n)) for name, n in told if n), text[: found.start()]


def items_of(text: str, *, expected: bool = False) -> tuple[tuple[str, ...], str]:
    """The enumerated contents, and the sentence without them.

    `expected`: the contents were asked for, so a sentence that is a list counts without an opening word.
    """
    quoted, _, rest = read_quoted(text)
    if quoted:
        return quoted, rest
    if opened := _opened_lists(text):
        # What a class is called is no list of it, nor is what opens another list a name.
        whole = (one for one in opened if len(one[0]) > 1 and not re.search("[:：]", "".join(one[0])))
        return next(whole, opened[0])
    span = span_of(text)
    if span:
        return span
    if expected and not _ASKED.search(fold_text(text)):
        return _bare_list(text)
    return (), text


def split_clauses(text: str) -> list[str]:
    """The clauses of a text about a class: at its commas and stops, and behind what opens a list."""
    return [clause.strip() for clause in _BORDERS.split(text) if clause.strip()]


def _split_numbered(text: str) -> list[str]:
    """The parts of an enumeration, 1. limits 2. series; none where names end in numbers: Unit 1、Unit 2."""
    first, *parts = _MARK.split(text)
    return [first, *parts] if len(parts) > 1 and not MARK_OF_NAME.match(text) else []


def _bare_list(text: str) -> tuple[tuple[str, ...], str]:
    """The contents without an opening word: the clauses that tell no days, no limits, no wish, and what is left."""
    numbered = bool(_split_numbered(text))
    clauses = [text] if numbered else split_clauses(text)
    told = [] if numbered else [clause for clause in clauses if _tells_else(clause)]
    marked = [clause for clause in clauses if "、" in clause]
    told = [clause for clause in clauses if clause not in marked] if marked and not numbered else told
    listed = [_LEADS_LIST.sub("", clause) for clause in clauses if clause not in told]
    items, tail = _list(text) if numbered else (tuple(split_names("，".join(listed))), "")
    items = _drop_count(items)
    return (items, ",".join([tail, *told])) if len(items) > 1 else ((), text)


def _tells_else(clause: str) -> bool:
    """Whether a clause tells something of a class that is none of its contents."""
    rest = _LEADS_LIST.sub("", clause)
    return (
        tells_fact(rest)
        or _HOW_MANY.search(fold_text(rest)) is not None
        or not is_name(rest)
        or words(fold_text(rest), *_NOT_AN_ITEM)
        or bool(read_times(rest, NO_TERM))
    )


def _opened_lists(text: str) -> list[tuple[tuple[str, ...], str]]:
    """What stands behind each opening of a list, with the sentence without it."""
    found = []
    for opening in _OPENING.finditer(text):
        items, tail = _list(text[opening.end() :])
        items = _drop_count(items)
        if _is_list(items, opening):
            found.append((items, f"{text[: opening.start()]},{tail}"))
    return found


def _is_list(items: tuple[str, ...], opening: re.Match[str]) -> bool:
    """Whether the pieces behind such an opening are names: as many as it says, and no count of them."""
    names = opening["are"] is None or (len(items) > 1 and all(map(is_name, items)))
    said = opening["k"] or opening["l"] or ""
    counted = [one for one in items if _ONLY_COUNT.fullmatch(fold_numbers(one))]
    counts = len(items) == len(counted) + 1 if counted else len(items) == 1 and parts_of(items[0])
    counts = counts or (len(items) == 1 and bool(counted))
    return bool(items) and names and not counts and (not said or len(items) == _number(said))


def _number(said: str) -> int:
    return int(re.sub(r"\D", "", fold_numbers(said)) or 0)


def split_at_gaps(name: str, count: int = 0) -> list[str]:
    """A piece of a list that is three names or more, or `count`, with nothing but gaps between: 数组 链表 二叉树."""
    pieces = name.split()
    several = (len(pieces) > 2 or len(pieces) == count) and all(
        re.fullmatch(r"[\w·-]*[一-鿿][\w·-]*", piece) for piece in pieces
    )
    labels = [_LABELLED.search(fold_numbers(piece)) is not None for piece in pieces]
    headed = any(label and not then for label, then in pairwise(labels))
    return pieces if several and not headed else [name]


def tells_days(part: str) -> bool:
    """Whether a piece of a list begins with the days of something: 从下周一到4月15号, 3.23-4.20."""
    times = [one for one in read_times(part, NO_TERM) if one.kind in ("day", "days") and not one.whole_month]
    head = fold_text(part)[: times[0].start].strip() if times else ""
    return (
        bool(times)
        and re.fullmatch(r"(?:时间|日期)?(?:是|为|:)?\s*[从自在于到]?|\b(?:from|on|by|until|till)", head) is not None
    )


def _drop_count(items: tuple[str, ...]) -> tuple[str, ...]:
    """选题、调研、初稿、定稿四项 ends with how many they are."""
    alone = items[-1] if len(items) > 1 and _ONLY_COUNT.fullmatch(fold_numbers(items[-1])) else ""
    if alone and int(re.sub(r"\D", "", fold_numbers(alone))) == len(items) - 1:
        return items[:-1]
    match = (
        re.search(r"(?:这|共|一共|等)?(\d{1,2})个?(?:大)?(?:部分|项|步骤?|阶段|任务|块)$", fold_numbers(items[-1]))
        if items
        else None
    )
    if match is None or int(match[1]) != len(items):
        return items
    return (*items[:-1], re.sub(r"(?:这|共|一共|等)?[\d一二两三四五六七八九十]{1,3}个?\D{1,2}$", "", items[-1]))


def span_of(text: str) -> tuple[tuple[str, ...], str] | None:
    """第1到6章 -> 第1章 ... 第6章."""
    flat = digits(text)
    match = _SPAN.search(flat)
    if match:
        names = [f"第{n}{match[3]}" for n in range(int(match[1]), int(match[2]) + 1)]
    else:
        match = _SPAN_EN.search(flat)
        if not match:
            return _labelled_span(text)
        ends = [match[2].upper(), match[3].upper()]
        if ends[0].isdigit() != ends[1].isdigit():
            return None
        first, last = (int(one) if one.isdigit() else ord(one) for one in ends)
        known = range(first, last + 1)
        names = [f"{match[1].capitalize()} {n if ends[0].isdigit() else chr(n)}" for n in known]
    if not 1 < len(names) <= _MAX_ITEMS:
        return None
    return tuple(names), f"{flat[: match.start()]},{flat[match.end() :]}"


def _labelled_span(text: str) -> tuple[tuple[str, ...], str] | None:
    match = _SPAN_OF.search(text)
    if match is None:
        return None
    first, last = (int(fold_numbers(match[end])) for end in ("first", "last"))
    spelled = not match["first"].isdigit()
    names = [
        f"{match['label']}{NUMERALS[n] if spelled else n}" for n in range(first, last + 1) if not spelled or n <= 10
    ]
    return (tuple(names), f"{text[: match.start()]},{text[match.end() :]}") if 1 < len(names) <= _MAX_ITEMS else None


def _list(text: str) -> tuple[tuple[str, ...], str]:
    """Splits at the strongest divider present; the rest of the sentence after the list is handed back."""
    text = text.strip()
    span = span_of(text)
    if span and (_SPAN.match(digits(text)) or _SPAN_EN.match(text) or _SPAN_OF.match(text)):
        return span
    if numbered := _split_numbered(text):
        *first, last = numbered
        last, tail = _split_at(last, r"[,，。;；\n]")
        return _take_names([*first, last], tail)
    if "\n" in text:
        return _take_names(text.split("\n"))
    if "、" in text:
        head, tail = _split_at(text, r"[,，。;；]")
        *first, last = head.split("、")
        return _take_names([*first, *re.split(r"(?<=[^\s和])(?:和|以及|还有)(?=[^\s和])", last, maxsplit=1)], tail)
    parts = re.split(r"[;；]", text)
    tells_more = words(fold_text(parts[-1]), *_NOT_AN_ITEM) or tells_days(parts[1]) if len(parts) > 1 else False
    if len(parts) > 1 and not (tells_more and _COMMAS.search(parts[0])):
        return _take_names(parts)
    head, tail = _split_at(text, r"[。!;；]|\.(?:\s|$)")
    listed = re.split(r"[,，]", head)
    told = (
        at
        for at, part in enumerate(listed)
        if at and (_EXAM.search(fold_text(part)) or _FACT.search(fold_text(part)) or tells_days(part))
    )
    stop = next(told, len(listed))
    return _take_names(split_names(",".join(listed[:stop])), ",".join([*listed[stop:], tail]))


def _split_at(text: str, border: str) -> tuple[str, str]:
    match = re.search(border, text)
    return (text[: match.start()], text[match.end() :]) if match else (text, "")


def _take_names(parts: list[str], tail: str = "") -> tuple[tuple[str, ...], str]:
    """Names up to the first part that is no content; what follows belongs to the sentence."""
    names: list[str] = []
    for at, part in enumerate(parts):
        name = _BULLET.sub("", part).strip(" \t,，。;；、.和及").strip()
        if not name:
            continue
        fact = at > 0 and (_EXAM.search(fold_text(name)) or _FACT.search(fold_text(name))) is not None
        if fact or words(fold_text(name), *_NOT_AN_ITEM) or len(names) >= _MAX_ITEMS:
            return tuple(names), ",".join([*parts[at:], tail])
        names.append(name[:200])
    return tuple(names), tail


_NO_NAME = re.compile(
    r"它们?|[这那][1一些几]?[个项]?|以下|下面这?些?|the following"
    r"|[两23456几]?(?:个|样|件)?(?:东西|事情?)|[两2-9几]?(?:个|项|部分|次|章)|.{1,6}[吗呢]|吧|了|一下"
    r"|进去?|去|谢谢.*|其[他它余].*|.{0,6}(?:不变|照旧|不动)|(?:都|也)?不[考做讲学上用要变动排移再占].*|没[有做学].*"
    r"|别[动排改管].*|取消.*|只[排在要有].*|每[天周个项次].*|各[1-9两].*|[先再](?:说|看|加|排|做|别|不).*|尽[快量早].*"
    r"|(?:[一1][起并块]|全部?|都|也|再|顺便|帮我|给我|重新|建[好完]了?|直接|马上|就)*(?:安排|规划|排)"
    r"(?:$|(?:在|到|最|进|好|上|了|掉|完|[一1]?下|起来|吧).*)"
    r"|(?:我的|整个)?(?:计划|课表|日程表?|日历|时间表)(?:里面?|中|上)?|[1一]?[点些](?:学习)?时间"
    r"|(?:my|the) (?:plan|schedule|timetable|calendar|draft)"
    r"|放(?:在|到|最|进|好).*|[1一][天周].*|(?:plan|schedule|arrange) (?:it|them|that|all|everything)\b.*"
    r"|(?:我们?的?)?(?:老师|教授|学校|助教|学长|学姐|同学|他们?|她们?|我们?|你们?)[^、]*(?:[说讲要让觉通刚]|的$).*"
    r"|(?:the |my |our )?(?:prof\w*|teacher|lecturer|tutor|school|dr|he|she|they|we|i|you)\b.*"
    r"|(?:it|them|that|this|these|those|they|both|too|also|as well|please|thanks?|instead|now|off|out|one)"
    r"|(?:\d+|[1一两二三四五六七八九十几半])个?(?:天|周|星期|礼拜)(?:的?时间)?"
    r"|(?:第?几[个周号点天章]|周几|星期几|哪|啥|什么|谁).*|.*来着"
    r"|(?:\d+|two|three|four|some|a few|several)(?: (?:more|new|other|extra))*"
    r" ?(?:things?|parts?|pieces?|items?|sections?|ones?|halves|of (?:them|these))?"
    r"|(?:(?:the )?(?:rest|others?)|nothing else|everything else|keep|leave)\b.*|cancel\w*"
    r"|(?:is|are|was|were|not|no longer|never|only|just|at|each|every|because|since|so|which|that|if|when|before|after"
    r"|until|by|from|\w+n't)\b.*"
    r"|(?:an?|one|two|three|\d+) (?:\w+ )?(?:per|an?|each|every) \w+.*"
)
_DATED = re.compile(
    r"\d\s*(?:月|[日号](?![一-鿿])|周(?!期)|/\d)|^共?\d+\s*(?:章|个|项|讲|节)\S?$|不要|不排|别排|\b(?:never|no|not)\b"
    rf"|{_MONTH_DAY}"
)
_NAMES_END = re.compile(r"^(?:以及|还有|和|与|及|\band\b)\s*|(?:\s+(?:too|also|as well|please|instead|now))+$")
_JOINS = re.compile(r"以及|还有|[和与及&]|\band\b|\s\+\s")


def is_name(text: str) -> bool:
    """Whether a piece of a list can be the name of an item: no time, no limit, no word for what becomes of it."""
    folded = fold_text(text)
    return bool(folded) and not (
        _NO_NAME.fullmatch(folded) or _FACT.search(folded) or _DATED.search(fold_numbers(text))
    )


def split_names(text: str, count: int = 0) -> list[str]:
    """The pieces of a list: at its commas, the last one at its "and"; without commas at every one. `count`: as many as
    they are told to be."""
    sign = next((one for one in ("\n", "、", ";", "；") if one in text), "")
    parts = text.split(sign) if sign else re.split(r"[,，]", text)
    parts = [part.strip(" \t,，。;；.、:：") for part in parts]
    parts = [part for part in parts if part]
    if parts and len(parts) != count:
        parts = [*parts[:-1], *([parts[-1]] if _NAMES_END.match(parts[-1]) else _JOINS.split(parts[-1]))]
    parts = [_NAMES_END.sub("", part.strip()).strip(" 「」“”‘’'\"。.") for part in parts]
    parts = list(_drop_count(tuple(split_at_gaps(parts[0], count)))) if len(parts) == 1 else parts
    parts = [part for part in parts if part]
    return [part[:200] for part in parts if part][:_MAX_ITEMS]


_SPELLINGS = {str(n): f"(?:{n}|{zh}|{en})" for n, zh, en in zip(range(10), "零一二三四五六七八九", (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), strict=True)}  # fmt: skip


@lru_cache(maxsize=1024)
def as_written(piece: str, message: str) -> str:
    """A folded piece of a message as its writer has it: where it stands last, for a new name follows what it is for."""
    form = "".join(r"\s*" if char == " " else _SPELLINGS.get(char, re.escape(char) + r"\s*?") for char in piece.strip())
    edges = ("(?<![a-z])" if piece[:1].isascii() else "", "(?![a-z])" if piece.strip()[-1:].isascii() else "")
    found = re.findall(f"{edges[0]}{form}{edges[1]}", widths(message), re.IGNORECASE) if form else ()
    if not found and " " in piece.strip():  # its words stand apart
        return " ".join(as_written(word, message) for word in piece.split())
    return str(found[-1]).strip() if found else piece.strip()
