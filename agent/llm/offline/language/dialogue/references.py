"""What a turn points to, said in full."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.rewriting import LOOKING
from agent.llm.offline.language.dialogue.slots import OF_DAY, Span, find_spans, mask_spans
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.items.beside import SIGN
from agent.llm.offline.language.spans.items.mention_signs import (
    find_mentioned,
    fold_mentions,
    restore_mentions,
    sign_mentions,
)
from agent.llm.offline.language.spans.items.spoken import spoken_of
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.revert import find_changes
from agent.llm.offline.language.spans.targets import THAT_WEEK, place_of, shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import EN_DAY, weekday_of
from agent.loop.view_document import TaskView

_THAT_DAY = re.compile(
    r"[那这](?:[2两二]|几)天|[那当同](?:1|一)?天(?!气)"
    r"|\b(?:both (?:of )?)?(?:those|these|both) (?:two )?days\b"
    r"|\b(?:that|the same) day\b(?! (?:as|of|with)\b)"
)
_SAME_AS = re.compile(r"[和跟与][^,，。]{2,16}同[1一]天")
_SEVERAL_DAYS = re.compile(r"[2两二几]天|days\b")
_THAT_PART = re.compile(r"\bthat (?P<part>morning|afternoon|evening|night)\b")
_THEN = re.compile(
    r"(?<=[放排挪移调换搬塞])过去(?!的)|那个?时[间候段](?!表)|那会儿|那个空[档位]?|(?<=[放到在去])那[里儿]"
    r"|\b(?:at |in )?(?:that time|that slot|that gap)\b"
    r"|\b(?:in )?there\b|\bthen(?=\W*$)"
)
NEIGHBOUR = re.compile(
    r"(?:它|这个|那个)的?(?:后面?|后边|下1?一?)(?:的|那)*[1一]?[个章项讲]|(?P<zh>(?:它|这个|那个)的?(?:前面?|前边|上1?一?)(?:的|那)*[1一]?[个章项讲])"
    r"|(?<!最)[下后][1一][章项讲]|后面那[个章项]|(?P<zh2>[上前][1一][章项讲]|前面那[个章项])"
    r"|\bthe (?:one|next one) after (?:it|that|this)(?: one)?\b|\b(?P<en>the (?:one before (?:it|that|this)(?: one)?"
    r"|previous one))\b|\bthe next one\b"
)
IF_ANY = re.compile(
    r"^(?:那|如果|要是)*(?:真?有的话|有就|有)[,，\s]*(?=都|全|就|把|帮|给|[挪移拿换调放改往推])"
    r"|^(?:and )?if (?:there (?:is|are)(?: any(?:thing)?)?|so|yes|any)[,\s]+"
)
"""The condition that the list which was told answers."""
_DAY = timedelta(days=1)


def resolve_references(message: str, brief: Brief, request: str, days: list[date], answered: list[date]) -> str:
    """A message with the day, the week or the neighbour of an item that it points to said in full. `answered`: the days
    that the answer to a question for a day has just named."""
    folded = fold_text(message)
    neighbour = NEIGHBOUR.search(folded)
    row = _find_neighbour(brief, -1 if any(neighbour.groups()) else 1) if neighbour else None
    if neighbour and row:
        message = folded = folded.replace(neighbour.group(), f"[{row['state_id']}] ")
    if (spelled := _spell_former_place(message, brief)) != message:
        return spelled
    looked = bool(request) and intent_of(request, brief) in LOOKING
    said = [one for one in find_spans(fold_text(request), brief) if one.kind in ("day", "hour")] if looked else []
    spoken = _THEN.search(folded)
    if spoken and not read_times(_THEN.sub(" ", folded), brief.term):
        day_said = any(time.kind != "week" for one in said for time in one.times)
        pointed = spoken.group() != "there" or intent_of(message, brief) in OPERATIONS
        if answered and pointed and not day_said:
            return _THEN.sub(brief.say(_name(days[0], brief), f"on {_name(days[0], brief)}"), folded, count=1)
        if said:
            return _THEN.sub(_spell_then(request, said, brief, answered), folded, count=1)
    part = _THAT_PART.search(folded)
    if part and days:
        return folded.replace(part.group(), f"{days[0].isoformat()} {part['part']}")
    pointer = None if _SAME_AS.search(folded) else _THAT_DAY.search(folded)
    told = read_times(mask_spans(folded, [Span("day", *pointer.span())]) if pointer else "", brief.term)
    if pointer and days and shift_in(folded[: pointer.start()]) is None and all(one.kind in OF_DAY for one in told):
        days = sorted(days[: 2 if _SEVERAL_DAYS.search(pointer.group()) else 1])
        named = "、".join(_name(day, brief) for day in days)
        return folded.replace(pointer.group(), brief.say(named, f" {named} "))
    week = THAT_WEEK.search(folded)
    if week and days:
        number = brief.term.week_day(days[0])[0]
        return folded.replace(week.group(), brief.say(f"第{number}周", f"week {number}"))
    return message


def _name(day: date, brief: Brief) -> str:
    return brief.say(f"{day.month}月{day.day}号", day.isoformat())


_SLOT = r"(?:位置|空位|空档|空|地方|时间|时段|那里|那儿|slot|place|time|spot|gap|position|hole)"
_TO = r"(?:(?:to|in|into|at|on|onto) )?"


def _spell_then(request: str, said: list[Span], brief: Brief, answered: list[date]) -> str:
    """The time that was asked about: its date where it is one day, or a weekday of which the answer told one day, else
    its words."""
    target = place_of([time for one in said for time in one.times], brief.term)
    words = [fold_text(request)[one.start : one.end] for one in said if one.kind == "hour"]
    told = [day for day in answered if (day.isoweekday(),) == target.days]
    if len(target.days) != 1 or not (target.week or len(told) == 1):
        return " ".join(fold_text(request)[one.start : one.end] for one in said)
    day = brief.term.day(target.week, target.days[0]) if target.week else told[0]
    return " ".join([brief.say(f"{day.month}月{day.day}号", f"on {day.isoformat()}"), *words])


_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*"
_BARE_DAY = re.compile(
    rf"(?<![\d月/.年-])(?P<zh>\d{{1,2}})[号日](?![\d内])|\bthe (?P<en>\d{{1,2}})(?:st|nd|rd|th)\b"
    rf"(?! (?:of )?{_MONTHS}| (?:one|item))"
)
"""A day of a month that is not said."""


def spell_month(message: str, brief: Brief, days: list[date]) -> str:
    """A message with the days that it tells by their number alone in the month of the day spoken of last, where that
    goes on from there and lies ahead; a first day is none that follows what was spoken of."""
    text = fold_text(message)
    if says("starts", text):
        return message
    if not days or days[0].month == brief.term.today.month or re.search(rf"\d月|\b{_MONTHS}\b", text):
        return message
    last = days[0]

    def spell(found: re.Match[str]) -> str:
        number = int(found["zh"] or found["en"])
        if not last.day <= number <= monthrange(last.year, last.month)[1]:
            return found.group()
        return brief.say(f"{last.month}月{number}号", last.replace(day=number).isoformat())

    return _BARE_DAY.sub(spell, text)


_FORMER = re.compile(
    rf"(?P<zh>{SIGN}|它)?的?(?:原来|之前|本来|以前|(?:空|腾|让)(?:了?出来?)?)的?(?:那个?)?(?:{_SLOT}|(?P<day>那?1?一?天))"
    rf"|它的{_SLOT}"
    rf"|\b{_TO}(?:(?P<en>{SIGN})'s|its|the) (?:old|former|previous|original) (?:{_SLOT}|(?P<day2>day))"
    r"(?: (?:it|that) (?:was|had|stood)(?: (?:on|in|at))?(?: before)?)?"
    rf"|\b{_TO}(?:where|the (?:{_SLOT}|(?P<day3>day))(?: that| which)?) (?P<en2>{SIGN}|it|that)"
    r" (?:was|had|stood|is (?:now|at the moment)|used to be|left|leaves|has left|freed(?: up)?|vacated)\b"
    r"(?: (?:on|in|at|before|empty|free|behind))*"
)
"""Where an item stood before it was changed: 它原来的位置, its old slot, where unit 6 was."""


def _spell_former_place(message: str, brief: Brief, it: TaskView | None = None) -> str:
    """A text with the former place of an item that it names, or of `it` or the one changed last, said in full."""
    text, said = sign_mentions(fold_mentions(message), brief)
    found = _FORMER.search(text)
    if found is None or says("left_alone", fold_text(message)):
        return message
    who = found["zh"] or found["en"] or found["en2"] or ""
    owner = said[who][2][0] if who in said else it
    place = _find_former_place(brief, owner, whole=not (found["day"] or found["day2"] or found["day3"]))
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    if not place or not (owner is None or re.search(SIGN, rest)):
        return message
    given = [said[char][2] for char in rest if char in said]
    if len(given) == 1 and len(given[0]) == 1:
        name = given[0][0]["name"]
        return brief.say(f"把{name}移到{place}", f"move {name} to {place}")
    return restore_mentions(f"{text[: found.start()]}{brief.say(place, f' to {place} ')}{text[found.end() :]}", said)


def _find_former_place(brief: Brief, owner: TaskView | None, *, whole: bool) -> str:
    """Where an item stood before it was changed last, else the one that was changed last: its day, or its sections."""
    last = brief.view["last_change"]
    wanted = owner["item_id"] if owner else None
    changed = [one for entry in find_changes(brief) for one in entry] if owner else []
    own = [row["before"] for row in (brief.whole or brief).changes if row["task_item_id"] == wanted]
    own = own or [one["before"] for one in changed if one["item_id"] == wanted][-2:]
    before = next(filter(None, reversed(own)), None) if own else (last and last["before"]) if owner is None else None
    if before is None:
        return ""
    day = brief.day_of(before)
    at = f"{before['section_from']}-{before['section_to']}"
    return brief.say(
        f"{day.month}月{day.day}号{at + '节' if whole else ''}",
        f"{day.isoformat()}{' sections ' + at if whole else ''}",
    )


_N = r"\d{1,2}|an?|one|two|three|four|five|the|[一两二三四五六七]"
BESIDE_DAY = re.compile(
    rf"\b(?:on |to )?(?P<n>{_N})(?: very)?(?: next)? (?P<unit>day|week)s? (?P<way>after|before)"
    r" (?:that|it|this|then)(?: one)?\b"
    r"|\b(?:on |to )?the (?P<one>next|following|previous) day\b"
    r"|\b(?:on |to )?the day (?P<one2>after|before)(?=\W*$|[,;.]| (?:in|at|and)\b)"
    r"|\b(?:on )?(?:the (?:very )?same day(?! (?:as|of|with)\b)|that (?:same )?day"
    r"|that(?= (?:morning|afternoon|evening|night)\b))\b"
    rf"|(?:(?:它|那个|这个|其)那?[1一]?天?|那[1一]?天?|再(?:过|往)?)(?:的|之)*(?P<zh_way>[后前])(?:的?第)?(?P<zh_n>{_N})天"
    r"|(?:它|那[1一]?天|那)?的?(?<![往向提推延拖移挪])(?:(?P<zh_one>[后前])面?[1一]天|第[2二]天|次日|(?<![以之])下[1一]天)"
    r"|(?<![和跟与同])(?:同[1一]天|那[1一]?天|当天)(?!气)"
    rf"|\b(?:on |to )?(?:the |that )(?P<wd>{EN_DAY})(?: right| straight)? (?P<wd_way>after|before)(?: that| it)?"
    rf"(?=(?: pls| please)?\W*$|[,;.]| (?:at|in|same)\b)|\b(?:on |to )?the following (?P<wd2>{EN_DAY})"
    r"|(?:(?P<wd_back>[之以]前|前面)|[之以]后|后面|紧?接着)"
    r"的?(?:那|第)?[1一]?个(?:周|星期|礼拜)(?P<wd_zh>[1-6一二三四五六日天])"
    r"|(?:之后|后面|随后)的(?:周|星期|礼拜)(?P<wd_zh2>[1-6一二三四五六日天])"
)
"""A day beside that of the item spoken of just before: the day after that, 它前一天, 同一天, the monday after."""
_NUMBERS = {"a": 1, "an": 1, "one": 1, "the": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_ZH_NUMBERS = "零一二三四五六七"


def spell_day_beside(text: str, row: TaskView, brief: Brief) -> str:
    """A text about another item with the day that it tells by its distance to that of `row` said in full."""
    folded, slot = fold_text(text), row["slot"]
    if slot is None or not items_in(folded, brief) or row in [*items_in(folded, brief), *find_mentioned(folded, brief)]:
        return text
    return _spell_day_from(text, brief.day_of(slot), brief)


def _spell_day_from(text: str, start: date, brief: Brief) -> str:
    """A text with the day that it tells by its distance to this one said in full."""
    folded = fold_text(text)
    found = BESIDE_DAY.search(folded)
    if found is None or shift_in(folded[: found.start()]) or target_in(folded[: found.start()], brief).dated:
        return text
    day = find_day_beside(found, start)
    named = brief.say(f"{day.month}月{day.day}号", f" on {day.isoformat()} ")
    return keep_deed(text, folded[: found.start()] + named + folded[found.end() :], brief)


def keep_deed(text: str, spelled: str, brief: Brief) -> str:
    """The spelled text, else the text as it was where it alone tells that items go somewhere."""
    lost = intent_of(text, brief) in OPERATIONS and intent_of(spelled, brief) not in OPERATIONS
    return text if lost else spelled


def find_day_beside(found: re.Match[str], start: date) -> date:
    """The day that words of `BESIDE_DAY` tell by this one."""
    if weekday := next(filter(None, map(found.group, ("wd", "wd2", "wd_zh", "wd_zh2"))), ""):
        behind = (weekday_of(weekday) - start.isoweekday() - 1) % 7 + 1
        back = found["wd_back"] or found["wd_way"] == "before"
        return start + (behind - 7 - 7 * (behind == 7) if back else behind) * _DAY
    return start + _count_days(found) * _DAY


def _count_days(found: re.Match[str]) -> int:
    """How many days behind another one is what words of `BESIDE_DAY` tell; below zero in front of it."""
    said = (found["n"] or found["zh_n"] or "1").replace("两", "二")
    number = int(said) if said.isdigit() else _NUMBERS.get(said) or max(1, _ZH_NUMBERS.find(said))
    way = next((one for name in ("way", "one", "one2", "zh_way", "zh_one") if (one := found[name])), "")
    same = not way and not re.search(r"第[2二]天|次日|下[1一]天", found.group())
    step = number * (7 if found["unit"] == "week" else 1)
    return 0 if same else -step if way in ("before", "previous", "前") else step


def resolve_step(step: str, before: str, brief: Brief) -> str:
    """A step of a request with what it tells by the step before said in full, as that one has come out."""
    wanted = read_arrangement(before, brief)
    rows = wanted.items if wanted else find_mentioned(before, brief)
    if not rows:
        free = days_in(before, brief.term) if items_in(step, brief) else []
        return _spell_day_from(step, free[-1].last, brief) if free else step
    step = spell_day_beside(_spell_former_place(step, brief, rows[0]), rows[0], brief)
    others = [row for row in items_in(step, brief) if row not in rows]
    return _IT.sub(rows[0]["name"], step, count=1) if len(rows) == 1 and others else step


_IT = re.compile(r"\b(?:it|that one)\b|它")


def points_back(text: str) -> bool:
    """Whether a text tells a place by what was said just before it."""
    folded = fold_text(text)
    return BESIDE_DAY.search(folded) is not None or says("pronoun", folded) or _POINTS.search(folded) is not None


_POINTS = re.compile(
    r"原来的|空出|腾出|\b(?:old|former|previous|original) (?:slot|place|time|spot|day)\b"
    r"|\bsame (?:morning|afternoon|evening)\b|\bwhere .{1,24} (?:was|is now)\b"
)


def _find_neighbour(brief: Brief, step: int) -> TaskView | None:
    """The item after or before the one that was named last."""
    said = next((found for turn in reversed(brief.view["turns"][:-1]) if (found := items_in(turn["text"], brief))), [])
    last = (said or spoken_of(brief))[-1:]
    wanted = [(row["class_id"], row["order"] + step) for row in last]
    return next((row for row in brief.tasks if (row["class_id"], row["order"]) in wanted), None)
