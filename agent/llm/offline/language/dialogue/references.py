"""What a turn points to, said in full."""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.rewriting import LOOKING
from agent.llm.offline.language.dialogue.slots import OF_DAY, Span, find_spans, mask_spans
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import (
    items_in,
)
from agent.llm.offline.language.spans.spoken import spoken_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import TaskView

_THAT_DAY = re.compile(
    r"[那这](?:[2两二]|几)天|[那当同](?:1|一)?天(?!气)"
    r"|\b(?:both (?:of )?)?(?:those|these|both) (?:two )?days\b"
    r"|\b(?:that|the same) day\b"
)
_SEVERAL_DAYS = re.compile(r"[2两二几]天|days\b")
_THAT_PART = re.compile(r"\bthat (?P<part>morning|afternoon|evening|night)\b")
_THEN = re.compile(
    r"那个?时[间候段](?!表)|那会儿|那个空[档位]?|\b(?:at |in )?(?:that time|that slot|that gap)\b"
    r"|\b(?:in )?there\b|\bthen(?=\W*$)"
)
_NEXT_WEEK = re.compile(
    r"(?:再?下|后)一?个?(?:周|星期)(?![一二三四五六日天末])|\bthe (?:one|week) after(?: that)?\b|\bthe following week\b"
)
_THAT_WEEK = re.compile(r"那一?(?:周|个?星期|个?礼拜)(?![一二三四五六日天\d])|\bthat week\b")
_NEXT_DAY = re.compile(
    r"(?:第二|第2|(?<![往向])后[一1]|下一|下1)天|\b(?:the )?(?:day after(?! tomorrow)|next day|following day)\b"
    r"|(?P<before>(?<![提往向])(?:前一|前1|上一|上1)天|\b(?:the )?(?:day before(?! yesterday)|previous day)\b)"
)
NEIGHBOUR = re.compile(
    r"(?:它|这个|那个)的?(?:后面?|后边|下1?一?)(?:的|那)*[1一]?[个章项讲]|(?P<zh>(?:它|这个|那个)的?(?:前面?|前边|上1?一?)(?:的|那)*[1一]?[个章项讲])"
    r"|[下后][1一][章项讲]|后面那[个章项]|(?P<zh2>[上前][1一][章项讲]|前面那[个章项])"
    r"|\bthe (?:one|next one) after (?:it|that|this)(?: one)?\b|\b(?P<en>the (?:one before (?:it|that|this)(?: one)?"
    r"|previous one))\b|\bthe next one\b"
)
_WEEKDAY_OF = re.compile(r"(?<![下上本这])(?:周|星期|礼拜)(?P<zh>[一二三四五六日])(?:那天)?的")
"""What is on a weekday of the week that was looked at."""
IF_ANY = re.compile(
    r"^(?:如果|要是)?(?:有的话|有就|有)[,，\s]*(?=都|全|就|把|[挪移拿])"
    r"|^if (?:there (?:is|are)(?: any(?:thing)?)?|so|any)[,\s]+"
)
"""The condition that the list which was told answers."""
_CLEARS = re.compile(r"\bclear (?:it|that)\b|^(?:都|全)?清(?:空|掉)(?:它|吧)?$")
_SHORT = 24
_DAY = timedelta(days=1)


def resolve_references(message: str, brief: Brief, request: str, days: list[date]) -> str:
    """A message with the day, the week or the neighbour of an item that it points to said in full."""
    folded = fold_text(message)
    neighbour = NEIGHBOUR.search(folded)
    row = _find_neighbour(brief, -1 if any(neighbour.groups()) else 1) if neighbour else None
    if neighbour and row:
        message = folded = folded.replace(neighbour.group(), f"[{row['state_id']}] ")
    if (former := _FORMER.search(folded)) and (
        place := _find_former_place(brief, whole=not former["day"] and not former["en"])
    ):
        rest = folded.replace(former.group(), " ")
        given = items_in(rest, brief)
        if len(given) == 1:
            return brief.say(f"把{given[0]['name']}移到{place}", f"move {given[0]['name']} to {place}")
        return folded.replace(former.group(), place)
    looked = bool(request) and intent_of(request, brief) in LOOKING
    said = [one for one in find_spans(fold_text(request), brief) if one.kind in ("day", "hour")] if looked else []
    if said and _THEN.search(folded) and not read_times(_THEN.sub(" ", folded), brief.term):
        return _THEN.sub(" ".join(fold_text(request)[one.start : one.end] for one in said), folded, count=1)
    if looked and days and (cleared := _CLEARS.search(folded)):
        named = brief.say(f"{days[0].month}月{days[0].day}号的都移走", f"move everything off {days[0].isoformat()}")
        return folded.replace(cleared.group(), named)
    weeks = [time.week for one in said for time in one.times if time.kind == "week" and time.week]
    if weeks and brief.term and (dated := _WEEKDAY_OF.search(folded)):
        day = brief.term.day(weeks[-1], "一二三四五六日".index(dated["zh"]) + 1)
        return f"{folded[: dated.start()]}{day.month}月{day.day}号的{folded[dated.end() :]}"
    part = _THAT_PART.search(folded)
    if part and days:
        return folded.replace(part.group(), f"{days[0].isoformat()} {part['part']}")
    if weeks and (after := _NEXT_WEEK.search(folded)) and len(folded) <= _SHORT:
        return folded.replace(after.group(), brief.say(f"第{weeks[-1] + 1}周", f"week {weeks[-1] + 1}"))
    pointer = _THAT_DAY.search(folded)
    told = read_times(mask_spans(folded, [Span("day", *pointer.span())]) if pointer else "", brief.term)
    if pointer and days and all(one.kind in OF_DAY for one in told):
        days = sorted(days[: 2 if _SEVERAL_DAYS.search(pointer.group()) else 1])
        named = "、".join(brief.say(f"{day.month}月{day.day}号", day.isoformat()) for day in days)
        return folded.replace(pointer.group(), brief.say(named, f" {named} "))
    beside = _NEXT_DAY.search(folded)
    if beside and days and intent_of(request, brief) in LOOKING:
        day = days[0] + (-_DAY if beside["before"] else _DAY)
        return folded.replace(beside.group(), f" {day.isoformat()} ")
    week = _THAT_WEEK.search(folded)
    if week and days:
        number = brief.term.week_day(days[0])[0]
        return folded.replace(week.group(), brief.say(f"第{number}周", f"week {number}"))
    return message


_FORMER = re.compile(
    r"它的(?:位置|空位|地方|时间|时段)|(?:它|那)?的?(?:原来|之前|本来)的?(?:位置|空位|地方|时间|时段|(?P<day>那?1?一?天))"
    r"|\b(?:its (?:old |former |previous |original )?|the )(?:slot|place|time|(?P<en>day))"
    r"(?: (?:it|that) (?:was|had|stood)(?: (?:on|in|at))?(?: before)?)?\b"
)
"""Where the item stood that was changed last."""


def _find_former_place(brief: Brief, *, whole: bool) -> str:
    """Where the item stood before the last change, which was of it alone: its day, or its sections too."""
    last = brief.view["last_change"]
    before = last and last["before"]
    if before is None:
        return ""
    day = brief.term.day(before["week"], before["day_of_week"])
    at = f"{before['section_from']}-{before['section_to']}"
    return brief.say(
        f"{day.month}月{day.day}号{at + '节' if whole else ''}",
        f"{day.isoformat()}{' sections ' + at if whole else ''}",
    )


def _find_neighbour(brief: Brief, step: int) -> TaskView | None:
    """The item after or before the one that was named last."""
    said = next((found for turn in reversed(brief.view["turns"][:-1]) if (found := items_in(turn["text"], brief))), [])
    last = (said or spoken_of(brief))[-1:]
    wanted = [(row["class_id"], row["order"] + step) for row in last]
    return next((row for row in brief.tasks if (row["class_id"], row["order"]) in wanted), None)
