"""What somebody is like, likes or cannot stand, as the request that it comes to: a night owl, no early bird, weekends
for rest, one class for the weekend and another for weekdays.
"""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.times.reading import read_times

_LATE, _EARLY = (
    re.compile(r"夜猫子|夜型人|\bnight (?:owl|person)\b|\bevening person\b"),
    re.compile(r"早鸟|早起鸟|晨型人|\b(?:early bird|morning (?:person|lark))\b"),
)
_MORE = re.compile(
    r"多(?:排|放|安排|学|弄|做)(?!久|少)|(?:效率|状态|精力|精神|注意力|记性|脑子|头脑)[^,，。;；]{0,4}[高好旺佳足清]"
    r"|\b(?:rather|prefer(?: to)?) (?:study|learn|revise|work|do (?:things|stuff|my \w+))\b"
    r"|\bmore\b[^,.;]{0,24}\b(?:in|at|during)\b|\b(?:come|feel) (?:most )?alive\b"
    r"|\b(?:i(?:'m| am)?|my brain|my head) (?:\w+ ){0,3}(?:best|better|sharp\w*|(?:more |most )?(?:productive|focus\w*"
    r"|awake|alert|efficient\w*|energetic)|fresh\w*)\b"
)
_LESS = re.compile(
    r"少(?:排|放|安排|学|弄|做)|少一?点|别(?:排|放|安排)?(?:得)?太多"
    r"|\b(?:less|fewer|not (?:so|too|that) much|go easy|ease (?:off|up))\b"
)
REFUSED = re.compile(r"不|别|没|\b(?:not|never|hate|worst|bad)\b|n't\b|\bno\b")
_LEISURE = re.compile(r"自由|空|休息|玩|\b(?:free|off|clear|time (?:for|to)|rest|sleep)\b")
_PARTS = (("上午", "mornings"), ("下午", "afternoons"), ("晚上", "evenings"))
_LAST = len(_PARTS) - 1


def read_habits(text: str, brief: Brief) -> list[Frame]:
    """The frames of such a request; none where items or questions are told beside it."""
    if find_mentioned(text, brief) or items_in(text, brief, among=all_items(brief)):
        return []
    asks = asks_whether(text) or (says("asking", text) and not _NOTHING.search(text))
    if asks and not says("polite_form", text):
        return []
    return next((frames for read in _READERS if (frames := read(text, brief))), [])


def _zh(text: str) -> bool:
    return re.search(r"[一-鿿]", text) is not None


def _read_part(text: str, brief: Brief) -> list[Frame]:
    """The part of the day that is liked best, or least."""
    times = read_times(text, brief.term)
    told = {2} if _LATE.search(text) else {0} if _EARLY.search(text) else {one.part for one in times}
    if len(told) != 1 or None in told or {one.kind for one in times} - {"part"} or find_classes(text, brief):
        return []
    part = told.pop() or 0
    denied = REFUSED.search(_LESS.sub(" ", text)) is not None
    if _LEISURE.search(text) or says("wish_hard", text) or part > _LAST:
        return []
    less = _LESS.search(text) is not None or (denied and bool(_LATE.search(text) or _EARLY.search(text)))
    if (less and part == 1) or (denied and not less):
        return []
    if not (less or _LATE.search(text) or _EARLY.search(text) or _MORE.search(text)):
        return []
    return [frame_of("wish_not_in" if less else "wish_in", {"time": (_PARTS[part][not _zh(text)],)})]


_UP_EARLY = re.compile(
    r"早起|早八|早课|起[得个]?(?:那么|这么|太)?早|\b(?:(?:get|getting|wake|waking|be|being|be woken|am|i'm) up"
    r" (?:so |that )?early"
    r"|early (?:mornings?|starts?|wake-?ups?)|up at (?:the crack of dawn|dawn)|early bird)\b"
)


def _read_early(text: str, brief: Brief) -> list[Frame]:
    """That one will not get up early, which is the first lesson hours of the days that are told."""
    clauses = [one for one in re.split(r"[,，。;；.!！]", text) if _UP_EARLY.search(one)]
    told = [one for one in clauses if REFUSED.search(one)] or clauses
    times = [one for clause in told[-1:] for one in read_times(clause, brief.term) if one.part is None]
    days = [told[-1][one.start : one.end] for one in times]
    if not told or find_classes(text, brief) or len(days) > 1 or any(not one.weekdays for one in times):
        return []
    if not REFUSED.search(told[-1]) and not says("complains", text):
        return []
    when = "".join(_DAYS_OF.sub("", one) for one in days)
    first = f"{when}1-2节" if _zh(text) else f"{f'{when} in ' if when else ''}sections 1-2"
    return [frame_of("wish_nothing_on", {"time": (first if _zh(text) or when else f"in {first}",)})]


_DAYS_OF = re.compile(r"^(?:on |at |the )+")
_NOTHING = re.compile(
    r"(?:什么|啥)(?:事|东西)?[都也]不(?:想|愿意?|打算|高兴)(?:再)?(?:干|做|学|动|碰|看|弄|搞|复习|排)?"
)
_FOR_REST = re.compile(
    r"^(?:我的?|my |the |our )*(?P<time>周末|(?:周|星期|礼拜)[1-6一二三四五六日天]|weekends?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
    r"(?:就|都|应该)?(?:是|得|要)?(?: is| are|'s)?(?: strictly| only| just| all)?\s*"
    r"(?:(?:用来|拿来|留着?|留给|为了)|for\b|meant for\b|reserved for\b|about\b)\s*(?:我|自己)?"
    r"(?:放松|休息|玩|躺平?|睡|耍|娱乐|陪|chill|relax|rest|fun|sleep|friends|family|having fun|me\b)"
)


def _read_free_time(text: str, brief: Brief) -> list[Frame]:
    """That nothing is wanted at a time, or what a day of every week is for."""
    if (rest := _FOR_REST.search(text)) is not None:
        day = rest["time"] if _zh(text) else rest["time"].removesuffix("s") + "s"
        return [frame_of("wish_nothing_on", {"time": (day,)})]
    times = [one for one in read_times(text, brief.term) if one.kind in ("day", "days", "week", "weekday", "part")]
    if not _NOTHING.search(text) or not times:
        return []
    form = "wish_nothing_on" if re.search(r"每个?(?:周|星期|礼拜)", text) else "away"
    return [frame_of(form, {"time": (text[times[0].start : times[-1].end],)})]


_WEEKEND, _WORKING = (
    re.compile(r"(?<![这本下上])(?:每个?)?周末|(?<!this )(?<!next )\bweekends?\b"),
    re.compile(r"工作日|平时|平日|周[1一]到周[5五]|\bweekdays?\b|\bduring the week\b"),
)
_LEARNS = re.compile(r"[学排放看弄搞背做]|复习|安排|[,，]|\b(?:on|at|for|during|do|study)\b")
_NARROWED = re.compile(
    r"[几多]少?|什么|开始|之?[前后]|移|挪|考|截止|停|最多|节|项|\d|\b(?:when|what|how|start\w*|exam|before|after|move|most"
    r"|max\w*|until|by|from)\b"
)


def _read_times_of_classes(text: str, brief: Brief) -> list[Frame]:
    """That each of the classes is for weekends, or for weekdays."""
    clauses = [one.strip() for one in _PAIRS.split(text) if one.strip()]
    if REFUSED.search(text) or _NARROWED.search(text) or says("keep_free", text):
        return []
    frames, form = [], "wish_in_of" if says("softly", text) else "always_on"
    for clause in clauses:
        owners = find_classes(clause, brief)
        told = [bool(one.search(clause)) for one in (_WEEKEND, _WORKING)]
        if len(owners) != 1 or sum(told) != 1 or not _LEARNS.search(text):
            return []
        name = next(row["name"] for row in brief.classes if row["id"] == owners[0])
        time = ("周末", "weekends") if told[0] else ("工作日", "weekdays")
        frames.append(frame_of(form, {"class": (name,), "time": (time[not _zh(text)],)}))
    return frames


_PAIRS = re.compile(
    r"[,，;；。.]\s*(?:and |but )?|\band (?=[^,;]*\bon (?:the )?week)|[而但](?=[^,，]{2,8}(?:平时|工作日|周末))"
)


def _read_days_in_turn(text: str, brief: Brief) -> list[Frame]:
    """That two classes are to be on different days, or one never on two days side by side."""
    clause = next((one for one in re.split(r"[,，;；。]", text) if IN_A_ROW.search(one)), "")
    owners, own = _names_in(text, brief), _names_in(clause, brief) or _names_in(text, brief)
    taken = [frame_of("classes_apart", {"class": (owners[0],), "class2": (owners[1],)})] if len(owners) == 2 else []
    frames = taken if _IN_TURN.search(text) else []
    if clause and (REFUSED.search(text) or says("complains", text)):
        frames = [*frames, *(frame_of("days_between_of", {"class": (name,), "number": ("1",)}) for name in own)]
    return frames


def _names_in(text: str, brief: Brief) -> list[str]:
    ids = find_classes(text, brief)
    return [row["name"] for row in brief.classes if row["id"] in ids]


_IN_TURN = re.compile(
    r"轮流|交替|轮着|单双日|隔天轮"
    r"|\balternat\w+\b|\btake turns\b|\bin turns?\b|\bone day\b.{3,40}\bthe (?:next|other)(?: day)?\b"
)
IN_A_ROW = re.compile(
    r"连[着续][两2几]天|[两2几]天连[着续]|天天都?(?:学|是|排)"
    r"|\b(?:two|2|three|consecutive|several) days (?:in a row|running|straight)\b"
    r"|\b(?:consecutive|successive|back[- ]to[- ]back) days\b|\bday after day\b"
)

_READERS = (_read_early, _read_free_time, _read_part, _read_times_of_classes, _read_days_in_turn)
