"""An item that goes so many days or weeks behind another one: lab 2 a week later, same time; 实验三再过一周; or that
shares its day."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import name_of
from agent.llm.offline.language.dialogue.memory import Exchange, Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import SAME_DAY, name_day
from agent.llm.offline.language.dialogue.slots import OF_DAY
from agent.llm.offline.language.meaning.ellipsis import strip_fillers, strip_known
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned, fold_mentions
from agent.llm.offline.language.spans.mentions import all_items, items_in, said_names, without_items
from agent.llm.offline.language.spans.targets import (
    SHIFT,
    PlaceTarget,
    join_times,
    place_of,
    shift_in,
    stands_at,
    target_in,
    way_in,
)
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import say_hours, say_sections
from agent.loop.view_document import TaskView

_COUNT = r"(?P<{0}>\d{{1,2}}|an?|one|another)"
_DISTANCE = re.compile(
    rf"\b(?:exactly |precisely |just |right |on |for )*{_COUNT.format('en')} (?P<en_unit>day|week)s?"
    r" (?:later|after(?:wards)?|on)\b(?P<of>(?: from)? (?:that|it|this|then|the (?:first|last|previous))(?: one)?\b)?"
    r"|\b(?:on )?the (?:(?P<next>day|week) after|(?:next|following) (?P<next2>day|week))\b(?P<of2>"
    r" (?:that|it|this|then)(?: one)?\b)?"
    r"|(?:正好|刚好|恰好|整整?|就|再)*(?P<of3>它|那|这之?|再过?|隔)?(?:的?[之以]后)?(?:正好|刚好|恰好|整整?)?(?P<zh>\d{1,2})个?"
    r"(?P<zh_unit>天|周|星期|礼拜)(?:之|以)?(?:后|过后)?(?![末一二三四五六日内之以])"
    r"|(?P<of4>它|那)?的?(?:[放排]在?)?(?P<next3>(?<!最)后1天|次日|第2天)"
    r"|(?P<of5>再)?下1个?(?P<zh_next>周|星期|礼拜)(?![一二三四五六日天末1-7])"
)
"""So long after something, and whether the words point to it."""
_POINTS, _NEXT = ("of", "of2", "of3", "of4", "of5"), ("next", "next2", "next3", "zh_next")
_AFTER = re.compile(r"后|再|隔|过")
SAME_TIME = re.compile(
    r",?\s*\b(?:at |and )?(?:the )?(?:very )?same (?:time|hours?|slot|sections?)"
    r"(?: (?:of (?:the )?day|too|again|please))*\b"
    r"|[,，]?(?:还是|在)?(?:同|相同|一样|同样|原来)[的1一个]*(?:时间段?|时段|节次|钟点)"
    r"|[,，]?(?:时间段?|时段|节次)(?:不变|一样|相同)"
)


_ONE_ITEM = re.compile(r",|\band\b")


def spell_hours_of_clause_before(text: str, memory: Memory) -> str:
    """A message with the hours of the clause before where another item is to be at the same time."""
    brief, folded = memory.brief, fold_text(text)
    found = SAME_TIME.search(folded)
    *before, own = _ONE_ITEM.split(folded[: found.start()]) if found else [""]
    head = ",".join(before)
    sides = [items_in(one, brief) or items_in(one, brief, among=all_items(brief)) for one in (head, own)]
    hours = [one for one in read_times(head, brief.term) if one.kind in OF_DAY]
    if found is None or not all(sides) or sides[0] == sides[1] or not hours or _DISTANCE.search(fold_numbers(own)):
        return text
    told = head[hours[-1].start : hours[-1].end]
    return f"{folded[: found.start()]}{brief.say('', ' ')}{told}{folded[found.end() :]}"


def place_at_distance(text: str, last: Exchange, brief: Brief) -> str:
    """The place of an item by its distance from the one that was spoken of last, at the same hours."""
    folded = fold_numbers(text)
    found, anchor = _find_distance(folded), _find_anchor(last, brief)
    rows = find_mentioned(text, brief) or items_in(text, brief, among=all_items(brief))
    if anchor is None or len(rows) != 1 or rows[0] in (anchor.row, *last.listed[1:]):
        return ""
    item, shift = rows[0], shift_in(folded)
    shifted = shift.days if shift and not item["slot"] else 0  # it stands nowhere to be moved from
    if found is None and not shifted:
        before = (
            _find_anchor(last.before, brief) if last.before and _AGAIN.fullmatch(without_items(folded, rows)) else None
        )
        if before and before.row != anchor.row:
            return _say_place(item, anchor.day + (anchor.day - before.day), anchor, brief)
        return _take_same_hours(folded, anchor, item, last, brief)
    keys = (*_POINTS, *(_NEXT if last.heading else ()))
    points = found is not None and (any(found[key] for key in keys) or SAME_DAY.search(folded) is not None)
    rest = SAME_TIME.sub(" ", f"{folded[: found.start()]} {folded[found.end() :]}" if found else SHIFT.sub(" ", folded))
    told = target_in(rest, brief)
    if (item["slot"] and not points) or told.dated:
        return ""
    days = shifted or _count_days(found)
    if told.sections or told.part or item["duration"] != anchor.row["duration"]:
        return ""
    if item["slot"] and not SAME_TIME.search(folded):
        anchor = anchor._replace(hours="")  # it has hours of its own
    return _say_place(item, anchor.day + timedelta(days=days), anchor, brief)


def place_added(text: str, last: Exchange, brief: Brief) -> str:
    """The place of the item that was added behind an open card, where a turn only tells how long after the one of the
    card, or the same time as that: a week later; 也周六，同一个时段."""
    there, anchor, folded = last.heading, last.before.heading if last.before else None, fold_numbers(text)
    if there is None or anchor is None or there[0] == anchor[0] or find_mentioned(text, brief):
        return ""
    found, hours = _find_distance(folded), say_hours(anchor[2], brief)
    rest = SAME_TIME.sub(" ", _ALSO.sub(" ", folded.replace(found.group(), " ") if found else folded))
    if found and not strip_fillers(SHIFT.sub(" ", rest)):
        return _say_place(there[0], anchor[1] + timedelta(days=_count_days(found)), _Anchor(*anchor[:2], hours), brief)
    times = read_times(rest, brief.term)
    same = (
        times
        and _ALSO.search(folded)
        and SAME_TIME.search(folded)
        and strip_known(rest, brief).strip(" ,，。.!改到放在") == ""
    )
    if not same or not target_in(rest, brief).days or asks_whether(text):
        return ""
    when = brief.say("", " on ") + rest[times[0].start : times[-1].end] + hours
    return brief.say(f"把{name_of(there[0], brief)}放到{when}", f"put {name_of(there[0], brief)}{when}")


_ALSO = re.compile(r"[也都]|同样(?!的)|\b(?:too|also|as well)\b")
_AGAIN = re.compile(
    r"(?=.*[样同也此理])(?:[那就也都再又把吧呢了照依按以此着这样同一1理如类推办来排放弄,，。.!\s]|实验)+"
    r"|(?=.*\b(?:same|again|too|also|as well|likewise|similarly|ditto)\b)(?:(?:and|then|so|the|same|for|again|too|also"
    r"|as|well|likewise|similarly|ditto|with|goes|way|one|lab|chapter)\b|\W)+"
)
"""That the step from one item to the next is made once more."""


def _count_days(found: re.Match[str] | None) -> int:
    said = (found and (found["en"] or found["zh"])) or "1"
    units = ("en_unit", "zh_unit", "next", "next2", "zh_next")
    unit = next(filter(None, (found[key] for key in units)), "day") if found else "day"
    return (int(said) if said.isdigit() else _NUMBERS.get(said, 1)) * (1 if unit in ("day", "天") else 7)


_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def _say_place(item: TaskView, day: date, anchor: _Anchor, brief: Brief) -> str:
    name = name_of(item, brief)
    return brief.say(
        f"把{name}放到{day.month}月{day.day}号{anchor.hours}", f"put {name} on {day.isoformat()}{anchor.hours}"
    )


def says_place(text: str) -> bool:
    """Whether a text is the place of an item as it was counted from the one before."""
    return _PLACE.fullmatch(text) is not None


_PLACE = re.compile(r"把.{1,60}放到\d+月\d+号\S*|put .{1,60} on \d{4}-\d\d-\d\d.*")


def tells_by_other(text: str) -> bool:
    """Whether a text may tell where an item goes by where another one stands."""
    folded = fold_numbers(text)
    return _find_distance(folded) is not None or SAME_TIME.search(folded) is not None


def counts_from_other(text: str) -> bool:
    """Whether a text tells so many days or weeks from where another item stands: the same day a week later."""
    found = _find_distance(fold_numbers(text))
    return found is not None and bool(found["en"] or found["zh"])


def _find_distance(text: str) -> re.Match[str] | None:
    """Where a text tells a distance; 4周 alone may be the week of that number."""
    found = _DISTANCE.search(text)
    return None if found is None or (found["zh"] and not _AFTER.search(found.group())) else found


def _take_same_hours(text: str, anchor: _Anchor, item: TaskView, last: Exchange, brief: Brief) -> str:
    """The place of an item on a day that is told, at the hours of the one that was spoken of last: its own hours are
    meant where it has some and none were told of the other."""
    rest = SAME_TIME.sub(" ", text)
    day = _find_day(target_in(rest, brief), item, brief)
    own = item["slot"] is not None and not (last.wrote or last.target.sections or last.target.part)
    if rest == text or day is None or own or item["duration"] != anchor.row["duration"]:
        return ""
    return _say_place(item, day, anchor, brief)


def finish_class_earlier(text: str, last: Exchange, brief: Brief) -> str:
    """What is wanted so many days earlier right after a class was asked about: its last item, or a new last day where
    others would come behind that."""
    shift, folded = shift_in(text), fold_numbers(text)
    rows = sorted((row for row in brief.tasks if row["class_id"] in last.classes and row["slot"]), key=stands_at)
    days = [brief.day_of(slot) for row in rows if (slot := row["slot"])]
    named = items_in(text, brief) or said_names(folded, brief) or target_in(SHIFT.sub(" ", folded), brief).dated
    if named or not last.asked or last.items or len(last.classes) != 1 or not days or shift is None or shift.days >= 0:
        return ""
    name, day = name_of(rows[-1], brief), days[-1] + timedelta(days=shift.days)
    if len(days) == 1 or not days[-2] >= day > brief.term.today:
        return brief.say(f"把{name}提前{-shift.days}天", f"move {name} {-shift.days} days earlier")
    name, when = brief.names_of(last.classes).strip("「」"), name_day(day, brief)
    return brief.say(f"{name}{when}之前学完", f"finish {name} by {when}")


_AS_FAR = re.compile(
    r"(?:同样|相同|一样|同等)的?(?:天数|幅度|距离|时长|多天?)"
    r"|\b(?:by )?(?:just |exactly )?(?:(?:the|that) (?:very )?same (?:number|amount)(?: of (?:days|weeks|time))?"
    r"|as (?:many days|much|far))\b(?! as)"
)
_FOLLOWS = re.compile(r"跟着|[也都](?=[往向推提延后前晚早])|\b(?:too|as well|also)\b")
_WAY = re.compile(r"\b(?:earlier|later|sooner|forward|back)\b")


def spell_as_far(text: str, memory: Memory) -> str:
    """A turn about another item with the distance by which one was to be shifted just before: 透镜也跟着推."""
    last, brief, folded = memory.last, memory.brief, fold_numbers(text)
    shift = shift_in(last.text) if last and not last.asked else None
    as_far = _AS_FAR.search(folded)
    if not shift or not shift.days or not (as_far or _FOLLOWS.search(folded)) or shift_in(folded) is not None:
        return text
    rest = _AS_FAR.sub(" ", folded)
    if not items_in(folded, brief, among=all_items(brief)) or target_in(rest, brief).dated or asks_whether(text):
        return text
    if last and last.wrote:  # what was done is not done again
        folded = _FOLLOWS.sub("", folded)
    far = brief.say(f"{abs(shift.days)}天", f"{abs(shift.days)} days")
    way = way_in(rest)
    if not as_far and way * shift.days <= 0:
        return text
    if not folded.isascii():
        head = _AS_FAR.sub("", folded).rstrip(" 吧呗啊了.。!！")
        return head + ("" if way else "提前" if shift.days < 0 else "往后推") + far
    told = f"{far} {'earlier' if (way or shift.days) < 0 else 'later'}"
    return _AS_FAR.sub(" ", _WAY.sub("", folded)).strip(" .!") + f" {told}"


_CLAUSES = re.compile(r"[,，;；。]\s*|\.\s+|\s+(?:so|and)\s+")
_FROM_THERE = re.compile(r"\s*[,，]?\s*(?:(?:and |but )?then|再|然后再?|之后再?|接着)\s*(?=\S)")


def spell_day_behind(text: str, memory: Memory) -> str:
    """A message with the day that it tells by its distance from another one that it names: 换到周五再往后推两天."""
    brief, folded = memory.brief, fold_text(text)
    rows = items_in(folded, brief)
    for start, end, times in join_times(folded, brief) if len(rows) == 1 else ():
        joint = _FROM_THERE.match(folded, end)
        said = folded[joint.end() :].replace("another", "one") if joint else ""
        shift = shift_in(said) if said else None
        day = _find_day(place_of(times, brief.term), rows[0], brief) if shift and shift.days else None
        if day and shift and not strip_known(SHIFT.sub(" ", fold_numbers(said)), brief).strip():
            return f"{folded[:start]}{name_day(day + timedelta(days=shift.days), brief)}"
    return text


def _find_day(target: PlaceTarget, row: TaskView, brief: Brief) -> date | None:
    """The one day of a target; a weekday of no certain week is that of the week of the item."""
    week = target.week or (row["slot"]["week"] if row["slot"] else None)
    single = len(target.days) == 1 and not (target.sections or target.part)
    return brief.term.day(week, target.days[0]) if single and week else None


_SHARES = re.compile(
    r"(?=.*(?:同?[1一]|同)天)(?=.*[能行可放排安把将挪移])(?:[和与跟同、,，把将让能不可以行放排安在到挪移给我帮想都1一天吗么吧呢吗得成?？.。\s]|(?<=[和与跟、])第)+"
    r"|(?=.*\bsame day\b)(?=.*\b(?:can|could|possible|put|have|place|plan|schedule|move|do|want|like)\b)"
    r"(?:(?:can|could|is|it|would|be|possible|put|have|place|plan|schedule|move|do|study|go|and|with|for|to|on|the|same|day"
    r"|please|pls|both|i|you|we|want|like|them|share|together|as|both)\b|\W)+"
)
"""That two items are to be on one day, or whether they can, and nothing else."""


def share_day(text: str, brief: Brief) -> str:
    """The move of one of two items to the day of the other, where a turn only wants them on one day, or asks whether
    they can be: chapters 2 and 3 on the same day."""
    rows, folded = find_mentioned(text, brief), fold_mentions(text)
    if len(rows) != _PAIR or not _SHARES.fullmatch(without_items(folded, rows)):
        return ""
    one, other = (name_of(row, brief) for row in rows)
    return brief.say(f"把{one}移到和{other}同一天", f"move {one} to the same day as {other}")


_PAIR = 2


class _Anchor(NamedTuple):
    """The item by which another one's place is told, where it stands, or is to go by the open card."""

    row: TaskView
    day: date
    hours: str


def _find_anchor(last: Exchange, brief: Brief) -> _Anchor | None:
    """The one item that was written just before, else the one that the student spoke of."""
    if last.heading:
        return _Anchor(*last.heading[:2], say_hours(last.heading[2], brief))
    rows = [*last.listed] if last.wrote else []
    ids = [row["item_id"] for row in rows or find_mentioned(last.said, brief)]
    row = next((row for row in brief.tasks if row["item_id"] in ids[:1]), None) if len(ids) == 1 else None
    if row is None or (slot := row["slot"]) is None:
        return None
    hours = say_sections(brief, slot["slot_start"], slot["slot_end"])
    return _Anchor(row, brief.day_of(slot), hours)
