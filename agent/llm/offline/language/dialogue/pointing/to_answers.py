"""Turns that act on what an answer told: put chapter 3 there, move that one to friday, 那天别排了, 第二个推一天.

What the answer left behind has kinds, and so have the words that point to it: to a day, hours, a week, an item or its
class. Where one is meant and several were left, each of them is a reading of the turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import join_names, name_of
from agent.llm.offline.language.dialogue.left_behind import Left
from agent.llm.offline.language.dialogue.memory import Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import (
    name_day,
    spell_own_day_beside,
    spell_week_beside,
)
from agent.llm.offline.language.dialogue.pointing.same_for_others import classes_named
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.counted import name_alternatives
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.targets import may_be_on, shift_in, target_in, tells_time
from agent.loop.view_document import TaskView

Row = TypeVar("Row", date, TaskView)
_LONGEST = 80
_ON = r"(?:(?:on|to|onto|into|in|at|for) )?"
_THAT_DAY = re.compile(
    rf"\b{_ON}(?:that|the same|the) (?:(?P<part>morning|afternoon|evening|night)|day)\b(?! (?:as|of|with|after|before))"
    r"|(?<![和跟与])(?:那|同|当)(?:[1一])?(?:天|日)(?:里)?(?P<zh>早上|上午|中午|下午|晚上)?(?!气)|那(?P<zh2>晚)上?"
)
_SHARED_DAY = re.compile(r"[和跟与][^,，。]{2,16}同[1一]天|\b(?:same|that) day (?:as|of|with)\b")
"""A day that is that of another thing which is named."""
_THOSE_DAYS = re.compile(rf"\b{_ON}(?:those|these|the (?:two|three|four)) days\b|[那这](?:几|些|[两2二三3四4])天")
_THERE = re.compile(
    rf"\b(?:{_ON}that (?:slot|time|gap|spot|place)|(?:in |over )?there|then(?=\W*$))\b(?! (?:is|are|was)\b)"
    r"|(?:在|到)?(?:那[里儿边]|那(?:个|段)?(?:时间段?|时候|时段|空[档位]?|位置|地方)|那会儿)(?:里|上)?"
    r"|(?<=[放排挪移调换搬塞])过去(?!的)"
)
_THAT_WEEK = re.compile(
    rf"\b{_ON}(?:that|the same) week\b(?!end|'s)|那[1一]?个?(?:周|星期|礼拜)(?![末一二三四五六日天1-7])"
)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5}
_NTH_ONE = re.compile(
    r"(?:其中|里面)?的?(?:第(?P<zh>[一二三四五1-5])|(?P<zh_last>最后)面?那?[1一]?(?![两几二三四2-9])|头[1一]|最[前早]面?的?那?[1一]?)"
    r"[天日]?(?:个|项|的)?(?!周|星期|章|课)"
    rf"|(?:\b{_ON}the |^(?:and |then |now )?)(?:(?P<last>last|final)|(?P<en>first|second|third|fourth|fifth))"
    r"(?: (?:one|item|task|day))?(?: of (?:those|them|these|the)(?: days| items| ones)?)?\b"
    r"(?! (?:week|chapter|lab|exam|of|two|three|four|few|\d+)\b)"
)
_THAT_ONE = re.compile(
    r"(?:(?<![前后晚早])(?<![前后]面)[那这](?:[1一]?[项个])(?!星期|周|月|时间|时候|任务类|计划|学期|门)"
    r"|(?<!其)它(?!们|的|俩|[两二几2]|[之以]?[前后]))"
    r"|(?<!\bafter )(?<!\bbefore )(?<!\bbehind )(?<!\bone )(?<!\bthing )(?<!\bitem )"
    r"\b(?:it|(?:this|that)(?: (?:one|item|task))?)\b"
    r"(?! (?:day|week|weekend|morning|afternoon|evening|night|time|slot|class|course|subject|way|is why)\b)(?!')"
)
_THAT_CLASS = re.compile(
    r"[那这](?:1|一)?(?:门课?|个(?:任务类|科目|课程))(?:课)?(?:的)?(?=.)|它的?(?=(?:截止|结束|开始)日期|ddl|deadline)"
    r"|\b(?:that|this|the same) (?:whole )?(?:class|course|subject)(?P<own>'s)?"
    r"|\b(?P<its>its)(?= (?:deadline|last day|end|due|exam))"
)
"""What points to a class of which an item, or its name, was told."""
_CHANGES = (*OPERATIONS, "mark", "class", "replan", "limit", "delete_class")


def point_to_answer(text: str, memory: Memory) -> tuple[str, ...]:
    """A turn with what it points to in the answer right before it told in full; several turns where one of several may
    be meant. Empty where it points to nothing there."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    left = last.left if last else Left()
    if other := _name_other(folded, memory):
        return (other,)
    if last is None or left == Left() or len(folded) > _LONGEST or Features(text, brief).asks:
        return ()
    if _SHARED_DAY.search(folded):
        return ()
    item = items_in(folded, brief) or items_in(folded, brief, among=all_items(brief))
    if whole := _name_class(folded, left, brief):
        return (whole,)
    if not item and (kept := _keep_free(folded, left, brief, of_item=bool(last.items))):
        return kept
    told = _tell_when(folded, left, item, brief)
    if told and (item or _FREES.search(folded)):
        return told
    own = text if len(text) == len(folded) else folded  # a new name as it was written
    named = () if item or classes_named(text, brief) else _name_item(folded, own, left, brief)
    return tuple(spell_week_beside(spell_own_day_beside(one, memory), memory) for one in named)


def _name_class(text: str, left: Left, brief: Brief) -> str:
    """A turn with the one class that was left for what points to it."""
    found = _THAT_CLASS.search(text) if len(left.classes) == 1 else None
    if found is None or classes_named(text, brief):
        return ""
    name = brief.name_of(left.classes[0])
    its = found.group().endswith("的") or text[found.end() :].startswith(("截止", "结束", "开始"))
    own = brief.say("的" if its else "", "'s" if found["own"] or found["its"] else "")
    return f"{text[: found.start()]}{name}{own}{text[found.end() :]}"


_FREES = re.compile(
    r"[空腾留][出着下给]|留空|空着|别[安排]|不[要用]?[安排]|休息|清空|没空"
    r"|\b(?:free|clear|empty|nothing|off|block)\b"
)


_KEEPS = re.compile(
    r"[预保]?留(?:[给着空下住好]|出来?)*|空(?:[着好]|出来?)|占(?:[着住好])?|休息"
    r"|(?:别|不要?|不用)再?(?:安?排|占)?(?:别的|东西|任务|其他的?)*"
    r"|\b(?:keep|leave|block|reserve|hold|save|free|blocked|reserved|clear|empty|off"
    r"|nothing (?:else )?(?:on|there|then|in)?)(?:\b|$)"
)
_BESIDE_IT = re.compile(
    r"(?:有|可以|空)的话|[我想要希望帮给请把将那就先它吧呢了的也都段个天周些几两一1]|时间段?|时候|星期|周末|早上|[上下]午|晚上|[^\w]"
    r"|\b(?:i|we|i'd|want|wanna|would|like|need|to|have|should|stay|be|please|pls|then|ok(?:ay)?|so|and|just|it|that"
    r"|those|these|them|all|this|one|the|on|for|me|in|if|is|whole|days?|week|weekend|time|slot|morning|afternoon|evening|night|good|great|well|yes|yeah|sure)\b"
)
"""Words around a time that is to stay free, which tell nothing more."""
_WEEK, _SEVERAL = re.compile(r"周(?!末)|星期|\bweek\b"), re.compile(r"[些几都]|\b(?:those|these|them|all)\b")


_OF_TIME = re.compile(r"[天周时段空留晚]|星期|休息")


def _keep_free(text: str, left: Left, brief: Brief, *, of_item: bool) -> tuple[str, ...]:
    """The time that an answer left, which is to stay free: good, block that; 那帮我留着. Where only an item told of it,
    its day has to be pointed to."""
    rest = _KEEPS.sub(" ", text)
    if rest == text or _BESIDE_IT.sub("", rest) or (of_item and not _THAT_DAY.search(text)):
        return ()
    if left.items and not text.isascii() and not _OF_TIME.search(text):
        return ()  # 不排了: the items
    part = _THAT_DAY.search(text)
    if not left.days or (_WEEK.search(text) and left.weeks):
        return tuple(brief.say(f"我第{week}周没空", f"I am not available in week {week}") for week in left.weeks[:1])
    hours = _hours_of(part, left, brief) if part else left.hours
    when = [left.days] if left.together or _SEVERAL.search(text) else [(day,) for day in left.days]
    named = (f"{_say_days(days, brief)}{hours}" for days in when)
    return tuple(brief.say(f"我{one}没空", f"I am not available on {one}") for one in named)


def _hours_of(found: re.Match[str], left: Left, brief: Brief) -> str:
    """The hours that words for a day tell, else those that were left."""
    part = next((one for key in ("part", "zh", "zh2") if (one := found.groupdict().get(key))), "")
    return brief.say("晚上" if part == "晚" else part, f" in the {part}") if part else left.hours


def _list_fitting(days: Sequence[date], items: Sequence[TaskView], brief: Brief) -> tuple[date, ...]:
    """Those of these days on which items may be, by the dates and the order of their classes; all, where none is."""

    def fits(day: date, row: TaskView) -> bool:
        beside = ((one, one["order"] - row["order"]) for one in brief.tasks if one["class_id"] == row["class_id"])
        known = [(brief.day_of(slot), by) for one, by in beside if (slot := one["slot"])]
        return may_be_on(row, day, brief) and all((by <= 0 or day <= at) and (by >= 0 or at <= day) for at, by in known)

    return tuple(day for day in days if all(fits(day, row) for row in items)) or tuple(days)


def _tell_when(text: str, left: Left, items: Sequence[TaskView], brief: Brief) -> tuple[str, ...]:
    """A turn about items, or none, with the days, the hours or the week that were left for what points to them."""
    if found := _THOSE_DAYS.search(text):
        return (_put(text, found, _say_days(left.days, brief), brief),) if left.days else ()
    nth = _NTH_ONE.search(text) if items and len(left.days) > 1 else None
    if nth and not target_in(f"{text[: nth.start()]} {text[nth.end() :]}", brief).said:
        chosen = _choose(nth, left.days)
        return tuple(_put(text, nth, _say_days((day,), brief), brief) for day in chosen)
    found = _THAT_DAY.search(text)
    there = None if found else _THERE.search(text)
    week = brief.say("第{n}周", "week {n}", n=left.weeks[0]) if len(left.weeks) == 1 else ""
    if then := _THAT_WEEK.search(text):
        return (_put(text, then, week, brief, lead="in"),) if week else ()
    found = found or there or (_ONE_DAY.search(text) if items else None)
    if found is None or target_in(f"{text[: found.start()]} {text[found.end() :]}", brief).dated:
        return ()
    if not left.days and there and week:
        return (_put(text, found, week, brief, lead="in"),)
    hours, days = _hours_of(found, left, brief), _list_fitting(left.days, items, brief)
    return tuple(_put(text, found, _say_days((day,), brief) + hours, brief) for day in days)


_ONE_DAY = re.compile(r"\b(?:on|to|onto) that(?: one)?\b")
"""A day as one of those that were told, for an item that is named."""


def _choose(nth: re.Match[str], rows: Sequence[Row]) -> tuple[Row, ...]:
    """The one of a list that is counted, from its beginning or its end."""
    said = nth["zh"] or nth["en"] or "first"
    at = len(rows) if nth["zh_last"] or nth["last"] else _NTH.get(said) or int(said)
    return tuple(rows[at - 1 : at])


def _say_days(days: Sequence[date], brief: Brief) -> str:
    """Days by their weekdays and dates: either may be what chooses one of them."""
    return brief.say("和", " and ").join(
        brief.say(f"{name}周{'一二三四五六日'[day.weekday()]}", f"{day:%A} {name}".lower())
        for day, name in ((day, name_day(day, brief)) for day in days)
    )


def _put(text: str, found: re.Match[str], when: str, brief: Brief, *, lead: str = "on") -> str:
    """A text with a time in the place of what points to it."""
    lead = "" if _TAKES_DAY.search(text[: found.start()]) else f"{lead} "
    return f"{text[: found.start()]}{brief.say(when, f'{lead}{when}')}{text[found.end() :]}"


_TAKES_DAY = re.compile(r"\b(?:clear|keep|free|leave|empty|block|want|use|need) $")
"""Deeds that are done to a day."""


def _name_item(text: str, own: str, left: Left, brief: Brief) -> tuple[str, ...]:
    """A change with the item that was left for what points to it, or in front of a deed that is told of nothing; of
    several with all of them as those of which one is meant."""
    nth = _NTH_ONE.search(text) if len(left.items) > 1 else None
    nth = None if nth and nth.group().endswith(("天", "日")) else nth
    found, rows = nth or _THAT_ONE.search(text), _choose(nth, left.items) if nth else left.items
    intent = intent_of(text, brief)
    if not rows or intent == "swap" or _OTHER.search(text):
        return ()
    every = found is None and _ALL.search(text) is not None
    name = join_names(rows, brief) if every or len(rows) == 1 else name_alternatives(rows, brief)
    if found is None:
        bare = _BARE_DEED.fullmatch(text) if intent in (*_CHANGES, "undo") else None
        bare = None if bare and intent == "move" and not tells_time(text, brief) and shift_in(text) is None else bare
        told = f"把{name}{bare['deed']}" if bare and bare["verb"] else f"{name}{bare['deed']}" if bare else ""
    else:
        told = f"{own[: found.start()]}{name}{own[found.end() :]}"
    return (told,) if told and intent_of(told, brief) in _CHANGES else ()


_ALL = re.compile(r"[都全]")
_BARE_DEED = re.compile(
    r"(?:那就?|就|先|还是|麻烦|帮我|给我|请|[,，\s])*(?P<deed>[都全]?(?:部|都)?(?:先|给我)?"
    r"(?:(?P<verb>(?:删|拿|取消|去|撤|移|挪|推|调|标)(?!一?下?个)[^,，。;；]{0,12})|(?:没|未)?(?:不|[学做完成排])[^,，。;；]{0,6}))"
)
"""A deed in Chinese without what it is done to."""
_OTHER = re.compile(
    r"(?:另外?|剩下?|余下)的?那?[1一]?[个项](?!周|星期|月)"
    r"|\bthe (?:other|remaining)(?: (?:one|item|task))?\b(?! (?:day|week|way|two|class)\b)"
)
_REACH = 4


def _name_other(text: str, memory: Memory) -> str:
    """A turn with the other one of the items that were told by its name, where the rest was changed since then."""
    brief, found = memory.brief, _OTHER.search(text)
    since: set[int] = set()
    for one in reversed(memory.exchanges[-_REACH:]) if found else ():
        rows = [row for row in one.left.items if row["item_id"] not in since]
        if found and since and len(one.left.items) > 1:
            left = len(rows) == 1 and not items_in(text, brief)
            return f"{text[: found.start()]}{name_of(rows[0], brief)}{text[found.end() :]}" if left else ""
        if not one.wrote:
            return ""
        since |= {row["item_id"] for row in (*one.items, *one.listed)}
    return ""


def may_point(text: str) -> bool:
    """Whether words may point to something that was told."""
    return any(one.search(text) for one in (_THAT_DAY, _THOSE_DAYS, _THERE, _THAT_WEEK, _NTH_ONE, _THAT_CLASS, _OTHER))
