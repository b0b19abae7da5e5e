"""Times that a turn points to by those spoken of before: the friday of that week, the day after, the week after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief, slot_of
from agent.llm.offline.language.dialogue.memory import Exchange, Memory
from agent.llm.offline.language.dialogue.pointing.same_for_others import find_runs
from agent.llm.offline.language.dialogue.references import BESIDE_DAY, find_day_beside, keep_deed
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.slips import spell_end_of_question
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.items.mention_signs import count_mentioned
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.lesson_moves import says_lesson
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.revert import find_changes
from agent.llm.offline.language.spans.targets import PlaceTarget, day_at, shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.texts import say_hours, say_sections
from agent.loop.view_document import TaskView

_DAY = timedelta(days=1)
_RUN_OF_DAYS = re.compile(r"[到至~-]|\b(?:to|till|until|through)\b")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_SHORT = 16
"""Characters of a Chinese question that has little beside its weekday."""
_GOES_ON = re.compile(
    r"^(?:那|还有|[,，\s])+|呢\W*$"
    r"|^(?:and|what about|how about|then|also|ok(?:ay)?,? (?:and|what about))\b"
)
"""That a turn goes on about what the one before asked."""
_BEFORE = re.compile(r"(?:(?<!make )\b(?P<en>the|that|this) |(?P<zh>那)个?)$")
"""What stands in front of a weekday that was spoken of."""
_ONE = re.compile(
    r"\s*(?:one|slot|gap|spot|window|(?:morning|afternoon|evening|night)(?: (?:one|slot|gap))?)\b"
    r"|的?那(?:一?个|段|天)?的?(?:空档?|时间段?|时段|位置)?"
)
"""What stands behind the weekday of a time out of a list."""


def spell_weekdays(text: str, memory: Memory) -> str:
    """A turn with its weekdays of no certain week in the week that was spoken of, where it points there."""
    last, brief = memory.last, memory.brief
    folded = fold_text(text)
    times = read_times(folded, brief.term)
    bare = [one for one in times if _is_bare(one, folded)]
    other = [one for one in times if one not in bare and one.kind in ("day", "days", "week", "weekday")]
    if last is None or not bare or other:
        return text
    for one in reversed(bare):
        pointer = _BEFORE.search(folded[: one.start])
        week = _find_week(one, pointer, folded, memory)
        if week is not None:
            behind = _ONE.match(folded, one.end) if last.asked_free else None
            hours = _say_hours(last, times, brief) if behind else ""
            end = behind.end() if behind and behind[0] else one.end
            text = folded = _put_week(folded, one, pointer, week, brief, hours=hours, end=end)
    return text


def spell_in_week(text: str, week: int, brief: Brief) -> str:
    """A turn with its weekdays of no certain week in this one."""
    folded = fold_text(text)
    for one in reversed([one for one in read_times(folded, brief.term) if _is_bare(one, folded)]):
        folded = _put_week(folded, one, _BEFORE.search(folded[: one.start]), week, brief, end=one.end)
    return folded


_MOST_OF_DAYS = re.compile(
    r"哪[1一]?天(?:会|是|要|比较)?最|最(?:[空忙满闲累多少]|轻松)[^,，。;；]{0,3}哪[1一]?天"
    r"|\b(?P<asks>which|what) day\b[^,.;]{0,16}\b(?:\w{3,}est|most|least)\b|\bthe \w{3,}est day\b(?! of)"
)


def spell_week_asked(text: str, memory: Memory) -> str:
    """A question for the fullest or the emptiest day with the week that was asked about as a whole just before."""
    last, brief, rest = memory.last, memory.brief, _GOES_ON.sub("", fold_text(text)).strip(" ,，?？")
    found = _MOST_OF_DAYS.search(rest) if last is not None and last.whole_week else None
    if last is None or not found or read_times(rest, brief.term) or _names_item(rest, brief):
        return text
    lead = "" if found["asks"] else "which is "
    return brief.say(f"第{last.target.week}周{rest}", f"{lead}{rest} in week {last.target.week}")


def _put_week(
    text: str, one: Time, pointer: re.Match[str] | None, week: int, brief: Brief, *, hours: str = "", end: int
) -> str:
    """A text with the week of a weekday or of a run of them, and the hours, in the place of what points to it."""
    start, ends = pointer.start() if pointer else one.start, dict.fromkeys((one.weekdays[0], one.weekdays[-1]))
    days = brief.say("到", " to ").join(name_day(brief.term.day(week, day), brief) for day in ends)
    return f"{text[:start]}{days}{hours}{text[end:]}"


def _is_bare(one: Time, text: str) -> bool:
    """Whether a time is one weekday of no certain week, or those from one to another."""
    said = text[one.start : one.end]
    plural = said.endswith("s") and said.isascii()
    run = one.kind == "weekday" and (len(one.weekdays) == 1 or _RUN_OF_DAYS.search(said) is not None)
    return run and one.week is None and not one.every and not plural


def _find_week(one: Time, pointer: re.Match[str] | None, text: str, memory: Memory) -> int | None:
    """The week of a bare weekday: of the question before, or in which that very weekday was spoken of."""
    last = memory.last
    if last is None:
        return None
    if pointer and (pointer["en"] == "that" or pointer["zh"]):
        known = [turn.target for turn in reversed(memory.exchanges)]
        spoken = next((told.week for told in known if told.week and one.weekdays[0] in told.days), None)
        if spoken is not None:
            return spoken
    short = not text.isascii() and len(text) <= _SHORT
    goes_on = pointer is not None or _GOES_ON.search(text) is not None or (short and not last.wrote)
    if pointer and pointer["en"] == "that" and last.target.week:
        return last.target.week
    return last.target.week if last.whole_week or (last.asked and goes_on) else None


def _say_hours(last: Exchange, times: Sequence[Time], brief: Brief) -> str:
    """The hours that the question before was about, where the turn tells none."""
    if any(one.kind in ("part", "sections", "clock") for one in times):
        return ""
    return say_hours(read_times(last.text, brief.term), brief)


_THEN = re.compile(r"\b(?:then|there)\b|^\W*(?:and|so)\b|^那(?![一1]?[天周个章项])")


def spell_day_of_hours(text: str, memory: Memory) -> str:
    """A turn about an item and hours alone with the one day that was asked about just before: could matrices go in the
    morning then?"""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    times = read_times(folded, brief.term)
    hours = len(times) == 1 and times[0].kind in ("part", "sections", "clock")
    days = days_of(last.target, brief) if last and last.asked and hours and not last.items else []
    if len(days) != 1 or not _THEN.search(folded) or len(items_in(folded, brief)) != 1 or shift_in(folded) is not None:
        return text
    day, start = name_day(days[0], brief), times[0].start
    lead = re.search(r"\b(?:in|at|on) (?:the )?$", folded[:start])
    start = lead.start() if lead else start
    return f"{folded[:start]}{brief.say(day, f'on {day} ')}{folded[start:]}"


_DAY_BESIDE = re.compile(
    r"\b(?:on )?the (?:very )?(?P<en>day after|day before|next day|following day|previous day)(?: (?:that|it|this))?"
    r"(?=\W*$|\W*[,;.]|\s+(?:too|also|as|please|pls|for|off|free|in|because|cos|coz|since|and|is|was|then|i|we|morning"
    r"|afternoon|evening|night|haha|lol)\b)"
    r"|(?:它|那|这|其)?(?:1|一)?(?:天)?的?(?<![往向推提延拖移挪最])"
    r"(?P<zh>第[二2]天|后面?[一1]天|次日|(?<!以)下[一1]天|前面?[一1]天|(?<!以)上[一1]天)"
)
_BACK = re.compile(r"before|previous|前|上")


def spell_day_beside_spoken(text: str, memory: Memory) -> str:
    """A turn that names no item with the day that it tells by the days the student spoke of last."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    found = _DAY_BESIDE.search(folded)
    if last is None or found is None or _names_item(folded, brief) or _names_item(last.said, brief):
        return text
    days = days_of(last.target, brief)
    rest = folded[: found.start()] + " " * len(found.group()) + folded[found.end() :]
    if not days or target_in(rest, brief).dated:
        return text
    back = _BACK.search(found["en"] or found["zh"]) is not None
    day = days[0] - _DAY if back else days[-1] + _DAY
    return f"{folded[: found.start()]}{name_day(day, brief)}{folded[found.end() :]}"


OWN_DAY = re.compile(
    r"\b(?:(?:to|on|in|into|for) )?(?:the (?P<part>morning|afternoon|evening|night) )?(?:(?:of|on) )?"
    r"(?:the |its )?(?P<en>day before|day after|previous day|next day|following day|(?<=[gnt] )(?:before|after))"
    r"(?: (?:it|that|this))?(?=\W*$|\W*[,;.!?]|\s+(?:please|pls|then|in|at|is|if|because|since)\b)"
    r"|(?:它|那|其)?的?(?<![往向推提延拖移挪最])(?P<zh>后面?[一1]天|次日|第[二2]天|前面?[一1]天)"
)
_CLAUSE_END = re.compile(r"[,，;；。]")
_OF_DAY = re.compile(r"\s*(?:'s\b|的|那天?的?|那个|这个)?\s*")
_FROM = re.compile(r"\b(?:from|on) (?:the )?$|\bthe $|从$")


def spell_own_day_beside(text: str, memory: Memory) -> str:
    """A message about one item with the day that it tells by the day on which the item stands."""
    brief, folded = memory.brief, fold_text(text)
    found = OWN_DAY.search(folded)
    clause = _CLAUSE_END.split(folded[: found.start()])[-1] + folded[found.start() :] if found else ""
    rows = items_in(folded, brief) if items_in(_CLAUSE_END.split(clause)[0], brief) else []
    slot = rows[0]["slot"] if len(rows) == 1 else None
    if found is None or slot is None or count_mentioned(folded, brief) > 1:
        return text
    own = brief.day_of(slot)
    rest = folded[: found.start()] + " " * len(found.group()) + folded[found.end() :]
    times = [one for one in read_times(rest, brief.term) if one.kind in ("day", "days", "week", "weekday")]
    if any(one.first != own or one.last != own or one.start > found.start() for one in times):
        return text
    back = _BACK.search(found["en"] or found["zh"]) is not None
    day = name_day(own + (-_DAY if back else _DAY), brief)
    part = f" in the {found['part']}" if found["part"] else ""
    told = f"{folded[: found.start()]}{brief.say(day, f'on {day}')}{part}{folded[found.end() :]}"
    for one in reversed(times):
        lead, behind = _FROM.search(told[: one.start]), _OF_DAY.match(told, one.end)
        told = told[: lead.start() if lead else one.start] + told[behind.end() if behind else one.end :]
    return told


SAME_DAY = re.compile(
    r"\b(?:(?:to|on|for) )?(?:that|(?:the )?(?:very )?same) (?:same )?day\b(?! (?:as|of|with)\b)"
    r"|(?<![和跟与])(?:同[一1]天|那[一1]?天|当天)(?!气)"
)


_WENT = re.compile(
    r"原[来先本]|去哪|哪[儿里]?去?了|\bwhere\b.*\b(?:go|gone|went|move|moved|put)\b|\bfrom (?:that|the same) day\b"
)
"""What asks of a day that items have left."""


def spell_day_of_moved(text: str, memory: Memory) -> str:
    """A message about another item with the day of the one that was moved just before: chapter 4 on the same day."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    found = SAME_DAY.search(folded)
    if last is None or found is None or not last.wrote or len(last.listed) != 1:
        return text
    row = next((row for row in brief.tasks if row["item_id"] == last.listed[0]["item_id"]), None)
    left = find_changes(brief) if row and _WENT.search(folded) else []
    if row and left:
        row = {**row, "slot": slot_of(left[-1][0]["before"])}
    rest = folded[: found.start()] + " " * len(found.group()) + folded[found.end() :]
    if row is None or not row["slot"] or row in items_in(folded, brief) or target_in(rest, brief).dated:
        return text
    day = name_day(brief.day_of(row["slot"]), brief)
    return f"{folded[: found.start()]}{brief.say(day, f'on {day}')}{folded[found.end() :]}"


_THOSE_DAYS = re.compile(
    r"\b(?:(?P<one>(?:any |either )?one|both|all|each|any|either) of )?(?:those|these|the) (?:two |three )?"
    r"(?P<part>day|morning|afternoon|evening|night)s\b"
    r"|\b(?:from |of )?that (?P<part2>day|morning|afternoon|evening|night)\b|\b(?P<there>there)(?=\W*$)"
    r"|(?:(?<=lessons )|(?<=classes )|(?<=anything )|(?<=free ))then(?=\W*$)"
    r"|[那这](?P<zh>[两二2三3几]|[一1])?天(?!气)(?:里|中)?(?:的?(?:哪|某|其中)?一天)?的?"
)


_PREPOSITION = re.compile(r"\b(?:on|for|to|until|till|by|before|after|since|is|was|than|about|and|or) $")


def spell_days_said(text: str, memory: Memory) -> str:
    """A turn with the days by their dates that the student told before and it points to: on one of those evenings.
    Of a place that something was moved to the plan tells more than its words."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    found = _THOSE_DAYS.search(folded)
    if last is None or found is None or last.intent in ("move", "place", "swap"):
        return text
    if last.items and not says_lesson(last.said):
        return text
    said = _list_days(last, brief)
    several = found["zh"] in (*"两二2三3几",) or found.group().endswith("s")
    rest = folded[: found.start()] + " " * len(found.group()) + folded[found.end() :]
    days = said or _list_days_told(last, brief, _SOONEST if _names_item(rest, brief) else _TOP)
    if several and not days and last.asked_free and (asked := read_times(last.text, brief.term)):
        when = " ".join(last.text[one.start : one.end] for one in asked)  # as many as there are
        return f"{folded[: found.start()]}{when}{folded[found.end() :]}"
    if not days or (len(days) > 1) != several or target_in(rest, brief).dated:
        return text
    goes_there = last.asked_free and not said and _names_item(rest, brief)  # the hours are those that were asked for
    if (found["there"] and not goes_there) or (goes_there and last.target.days):
        return text  # a weekday that was asked about may be any such day
    hours = _say_hours(last, read_times(rest, brief.term), brief) if goes_there else ""
    if not folded.isascii():
        told = "和".join(name_day(day, brief) for day in days)
        return f"{folded[: found.start()]}{told}{hours}{folded[found.end() :]}"
    named = f" {'or' if found['one'] else 'and'} ".join(name_day(day, brief) for day in days)
    part = found["part"] or found["part2"]
    told = f"{named}{hours}" if part in (None, "day") else f"the {part} of {named}"
    lead = "" if _PREPOSITION.search(folded[: found.start()]) else "on "  # "from" a day would be all behind it
    return f"{folded[: found.start()]}{lead}{told}{folded[found.end() :]}"


_SOONEST = re.compile(
    r"最[近早快先]|下[一1]?[个次]|\b(?:next(?! (?:week|month|\w+day))|nearest|soonest|closest|first|earliest)\b"
)
_TOP = re.compile(rf"最|{_SOONEST.pattern}|\b\w+iest\b")
"""What asks for one day of those that an answer may tell."""


def _list_days_told(last: Exchange, brief: Brief, one_of: re.Pattern[str] = _SOONEST) -> list[date]:
    """The one day that an answer told, or the first one of those of which one was asked for."""
    days = last.told_days if last.asked else []
    return days[:1] if len(days) == 1 or one_of.search(last.text) else []


_OTHER_DAY = re.compile(
    r"\b(?:to |on )?the other (?:one|day)\b(?: of the weekend)?|(?:周末)?的?另外?那?[1一]天(?!.*[和与])"
)
_PAIR = 2


def spell_other_day(text: str, brief: Brief) -> str:
    """Words over a card with the one of two days that its request told and on which it does not put its item."""
    folded, call = fold_text(text), (brief.interaction or {"call": None})["call"]
    found, days = _OTHER_DAY.search(folded), target_in(brief.request, brief).days
    index = call["arguments"].get("new_day", call["arguments"].get("day")) if call else None
    if found is None or index is None or len(days) != _PAIR:
        return text
    week, day = day_at(brief, index)
    told = [name_day(brief.term.day(week, one), brief) for one in days if one != day and day in days]
    on = brief.say("", " on ")
    return f"{folded[: found.start()].rstrip()}{on}{told[0]}{folded[found.end() :]}" if told else text


_NEXT_ONE = re.compile(
    r"另外?[一1]?个|下[一1]个|后面?那?[一1]?个"
    r"|\b(?:the next|(?:the )?other|following)\b|\bafter(?: (?:that|it|this))?\b(?! \w)"
)


def spell_weekday_after(text: str, brief: Brief) -> str:
    """The same weekday a week behind the one to which the open card moves its item, where words want "the other" one of
    that name; empty for other words."""
    folded, call = fold_text(text), (brief.interaction or {"call": None})["call"]
    index = call["arguments"].get("new_day", call["arguments"].get("day")) if call else None
    times = [one for one in read_times(folded, brief.term) if one.kind in ("weekday", "day")]
    if index is None or len(times) != 1 or len(folded) > _MOST_OF_NEXT or not _NEXT_ONE.search(folded):
        return ""
    (week, day), told = day_at(brief, index), times[0]
    later = told.first is not None and told.first > brief.term.day(week, day)
    if told.weekdays != (day,) or later or items_in(folded, brief):
        return ""
    return brief.say("", "on ") + name_day(brief.term.day(week + 1, day), brief)


_MOST_OF_NEXT = 48
"""Characters of words that tell a day alone."""


_THAT_WEEKEND = re.compile(
    r"\b(?:(?:on|over|at|during) )?(?:(?:that|the same) weekend|the (?P<en>(?:weekend|one) (?:after|before)"
    r"(?: (?:that|it|this)(?: one)?)?|(?:following|previous) (?:weekend|one)))\b(?! \w+day)"
    r"|(?P<zh>(?:那|它)?(?:之[后前]|再下|[后前]面?(?=[一1个]))的?[一1]?个?周末)|(?:那|同)[一1]?个?周末|那[一1]?[周星]期?的周末"
)
_WEEKEND = re.compile(r"周末|\bweekend\b")


def spell_weekend_spoken(text: str, memory: Memory) -> str:
    """A turn with the dates of that weekend: of the week in which the days lie that were spoken of last; or of the one
    after it, or before it, where that was a weekend."""
    brief, folded = memory.brief, fold_text(text)
    found = _THAT_WEEKEND.search(folded)
    beside = (found["en"] or found["zh"]) if found else None
    for one in reversed(memory.exchanges if found else []):
        days = days_of(one.target, brief) or _list_days_told(one, brief)
        week = brief.term.week_day(days[-1])[0] if days else one.target.week
        if beside and week:
            if {*one.target.days} - {_SATURDAY, _SUNDAY} or not (one.target.days or _WEEKEND.search(one.text)):
                return text
            week += -1 if _BACK.search(beside) else 1
        if found and week:
            first, last = (name_day(brief.term.day(week, day), brief) for day in (_SATURDAY, _SUNDAY))
            told = brief.say(f"{first}到{last}", f"on {first} and {last}")
            return f"{folded[: found.start()]}{told}{folded[found.end() :]}"
    return text


_SATURDAY, _SUNDAY = 6, 7


def _list_days(last: Exchange, brief: Brief) -> list[date]:
    """The dates that the student told, each of a stretch of few days."""
    found: list[date] = []
    for one in read_times(last.said, brief.term):
        if one.kind in ("day", "days") and one.first and one.last and one.last - one.first < _MOST_DAYS * _DAY:
            found += [one.first + at * _DAY for at in range((one.last - one.first).days + 1)]
    return list(dict.fromkeys(found))


_MOST_DAYS = 5
"""Days of the longest stretch that is told day by day."""
_DAY_OF = re.compile(r"\b(?:on )?(?:the )?(?:very )?(?:same )?day (?:of|with|as) $")
_ASKS_WHAT = re.compile(r"什么|啥|还有|哪|\b(?:what|which|else|anything)\b")
_ITS_DAY = re.compile(r"\s*的?(?:那|同|当)[一1]?天|'s day\b")


def spell_day_of_named(text: str, memory: Memory) -> str:
    """A question, or a move of another item, with the day by its date that it tells by the one item which stands on it:
    第一章那天还有别的吗, chapter 2 to the day of chapter 1."""
    brief, folded = memory.brief, fold_numbers(text)
    runs = find_runs(folded, brief)
    for at in runs:
        front, behind = _DAY_OF.search(folded[: at[0]]), _ITS_DAY.match(folded, at[1])
        rows = items_in(folded[slice(*at)], brief) if front or behind else []
        slot = rows[0]["slot"] if len(rows) == 1 and not _JOINED.search(folded[: at[1]]) else None
        moves = len(runs) > 1 and _GOES.search(folded) and not SAME_DAY.search(folded[: at[0]])
        if slot is None or not (moves or asks_whether(folded) or _ASKS_WHAT.search(folded)):
            continue
        day = name_day(brief.day_of(slot), brief)
        head = folded[: front.start()] if front else folded[: at[0]]
        return f"{head}{brief.say(day, f'on {day}')}{folded[behind.end() if behind else at[1] :]}"
    return text


_JOINED = re.compile(r"[和与跟、](?:[^,，。;；]{1,30})$|\band\b[^,.;]{1,40}$")
"""Two items that are to share a day, whichever it is."""


def days_of(target: PlaceTarget, brief: Brief) -> list[date]:
    """The first and the last day of a target; a weekday of no certain week is the next one."""
    if target.run:
        return [brief.term.day(*end) for end in target.run]
    if not target.days:
        return []
    if target.week:
        return [brief.term.day(target.week, day) for day in sorted(target.days)]
    today = brief.term.today
    return sorted(today + ((day - today.isoweekday()) % 7) * _DAY for day in target.days)


def name_day(day: date, brief: Brief) -> str:
    """A day as students write it."""
    return brief.say(f"{day.month}月{day.day}号", f"{day.day} {_MONTHS[day.month - 1]}".lower())


def _names_item(text: str, brief: Brief) -> bool:
    return bool(named_items(text, brief) or items_in(text, brief))


_WEEK_BESIDE = re.compile(
    r"\b(?:(?:to|in|into|on|for) )?the (?P<en>(?:very )?(?:week after|following week|week before|previous week))"
    r"(?! (?:next|last|that|the|my|our|i|we)\b)(?: (?:it|this))?"
    r"|(?:它|那|这)的?(?P<zh>(?<!最)[后下前上][一1]个?(?:周|星期|礼拜)(?![一二三四五六日天末]))"
    r"|(?P<next>再?下[一1]?个?(?:周|星期|礼拜)(?![一二三四五六日天末下])"
    r"|\b(?:(?:to|in|into|on|for) )?the (?:next week|one after(?: that)?)(?=\W*$))"
    r"|(?<![往向推提延拖移挪最])(?P<zh2>[后前][一1]个?(?:周|星期|礼拜)(?![一二三四五六日天末]))"
)


def spell_week_beside(text: str, memory: Memory) -> str:
    """A message about an item with the week that it tells by the one of the clause before, else of where it stands."""
    brief, folded = memory.brief, fold_text(text)
    found = _WEEK_BESIDE.search(folded)
    day = _day_of_clause_before(folded[: found.start()], brief) if found else None
    asked = memory.last.target.week if memory.last and memory.last.whole_week else None
    if found and found["next"] and not asked:
        return text
    told = (brief.term.week_day(day)[0] if day else None) or asked
    rows = items_in(folded, brief) if found and not told else []
    weeks = {row["slot"]["week"] for row in rows if row["slot"]} or ({told} if told else set())
    if found is None or len(weeks) != 1:
        return text
    rest = folded[: found.start()] + " " * len(found.group()) + folded[found.end() :]
    if not told and (target_in(rest, brief).dated or shift_in(rest) is not None):
        return text
    week = weeks.pop() + (-1 if _BACK.search(found["en"] or found["zh"] or found["zh2"] or "") else 1)
    if not 1 <= week <= brief.term.weeks:
        return text
    lead = "to" if _GOES.search(folded) else "in"
    return f"{folded[: found.start()]}{brief.say(f'第{week}周', f'{lead} week {week}')}{folded[found.end() :]}"


def _day_of_clause_before(head: str, brief: Brief) -> date | None:
    """The day to which a clause gives another item than the next one has: lab 1 on 25 march, lab 2 the week after."""
    *before, own = _ONE_ITEM.split(head)
    there, here = (
        items_in(one, brief) or items_in(one, brief, among=all_items(brief)) for one in (" ".join(before), own)
    )
    times = [time for one in before for time in read_times(one, brief.term)]
    if not there and here and any(_FREES.search(one) for one in before) and not read_times(own, brief.term):
        return next((run.last for run in reversed(days_in(" ".join(before), brief.term))), None)
    if not there or not here or not times or read_times(own, brief.term) or _ONE_WEEK.search(head):
        return None
    week = there[0]["slot"]["week"] if there[0]["slot"] else None  # of a weekday of no certain week
    bare = [one.weekdays[0] for one in times if one.kind == "weekday" and len(one.weekdays) == 1]
    dated = next((day for one in reversed(times) if (day := one.last or one.first)), None)
    return dated or (brief.term.day(week, bare[-1]) if bare and week else None)


def spell_day_of_clause_before(text: str, memory: Memory) -> str:
    """A message with the day that it tells by that of the clause before: lab 1 on 25 march and lab 2 the day after."""
    brief, folded = memory.brief, fold_text(text)
    found = BESIDE_DAY.search(folded)
    day = _day_of_clause_before(folded[: found.start()], brief) if found else None
    going = memory.last.heading or _find_moved(memory.last, text, brief) if found and not day and memory.last else None
    if going and (rows := items_in(folded, brief)) and going[0]["item_id"] not in {row["item_id"] for row in rows}:
        day = going[1]
    if found is None or day is None:
        return text
    named = name_day(find_day_beside(found, day), brief)
    folded = text if len(text) == len(folded) else folded
    spelled = f"{folded[: found.start()]}{brief.say(named, f'on {named}')}{folded[found.end() :]}"
    return keep_deed(text, spelled, brief)


def _find_moved(last: Exchange, text: str, brief: Brief) -> tuple[TaskView, date] | None:
    """The one item that was just moved with the day on which it is now, for a turn that goes on about it."""
    ids = {row["item_id"] for row in last.listed} if last.wrote and _GOES_ON.search(fold_text(text)) else set[int]()
    rows = [row for row in brief.tasks if row["item_id"] in ids]
    return (rows[0], brief.day_of(rows[0]["slot"])) if len(rows) == 1 and rows[0]["slot"] else None


_FREES = re.compile(r"[空腾]出|留空|空着|清空|没空|\b(?:clear|free|empty|nothing|away|off)\b")
"""A day that is to stay free, in front of what goes beside it."""
_ONE_WEEK = re.compile(r"\b(?:one|same) week\b|同[一1]?个?[周星礼]")
"""Items that are to share a week, whichever it is."""
_ONE_ITEM = re.compile(r"[,，;；。]|\band\b")
_GOES = re.compile(
    r"[挪移推调放排提](?:前|早)?[到在至]|\b(?:mov|push|shift|put|go|went|bring|postpon|delay|schedul)\w*\b"
)


_THAT_TIME = re.compile(
    r"[^,，。;；]{0,6}(?<![一-鿿]在)(?:那个?|同[1一]?个?|这个)(?:时间段?|时段|点儿?)|那会儿?"
    r"|\b(?:at |in )?(?:that|the same|this) (?:time|slot)(?: slot)?\b"
)
_NOW = re.compile(r"现在|目前|\bnow\b")
_ASKS_OF_IT = re.compile(r"[吗没么]\s*[?？]?$|[?？]\s*$|^(?:so |and |ok |then )*(?:is|am|are|do|does|was)\b")


def spell_time_spoken(text: str, memory: Memory) -> str:
    """A question about that time with the day and the sections that the student told last."""
    brief, folded = memory.brief, spell_end_of_question(fold_text(text))
    found, beside = _THAT_TIME.search(folded), _DAY_BESIDE.search(folded)
    told = read_times(_NOW.sub(" ", folded), brief.term)
    if found is None or not _ASKS_OF_IT.search(folded) or _names_item(folded, brief) or told:
        return text
    for one in reversed(memory.exchanges):
        days, run = days_of(one.target, brief), one.target.sections or one.target.part
        if len(days) == 1 and run and run[1]:
            back = beside is not None and _BACK.search(beside["en"] or beside["zh"]) is not None
            day = days[0] + (0 if beside is None else -1 if back else 1) * _DAY
            when = ("on " if text.isascii() else "") + name_day(day, brief) + say_sections(brief, run[0], run[1])
            told_at = f"{folded[: found.start()]}{when}{folded[found.end() :]}"
            return told_at.replace(beside.group(), "", 1) if beside else told_at
    return text


_BEFORE_DATE = re.compile(
    r"\b(?:right |just |shortly )?before (?:it|that|then|this|the (?:exam|test|quiz|deadline|finals?|due date|date))\b"
    r"|(?:在)?(?:那|它|这)(?:[一1]?天|个)?(?:考试|截止)?(?:之前|以前|前面?)(?![一1]?天)|(?:考试"
    r"|截止)(?:日期?)?(?:之前|以前|前)|考前"
)


def spell_date_before(text: str, memory: Memory) -> str:
    """A question for what comes before the date of a class that the student told last, with that date."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    found = _BEFORE_DATE.search(folded)
    if last is None or found is None or last.asked or _names_item(last.said, brief):
        return text
    days = days_of(last.target, brief)
    dated = target_in(folded[: found.start()] + " " + folded[found.end() :], brief).dated
    if len(days) != 1 or dated or last.intent not in ("class", "limit", "build"):
        return text
    told = brief.say(f"{name_day(days[0], brief)}之前", f"before {name_day(days[0], brief)}")
    return f"{folded[: found.start()]}{told}{folded[found.end() :]}"
