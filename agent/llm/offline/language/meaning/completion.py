"""A fragment completed by the request before it: each of its spans takes the place of the last one of its kind.

打错了，是周三 after 周二晚上别排 means 周三晚上别排. A span of a kind that the request has not is added to it. What
points to a day, a week or an item that was just talked about ("that day", "the one after it") is spelled out first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.labels import INTENTS
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.ellipsis import form_of, leaves_it_open, strip_fillers
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, SURER, Intent, intent_of, line_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.class_times import excludes
from agent.llm.offline.language.spans.groups import find_group
from agent.llm.offline.language.spans.mentions import (
    KINDS,
    LABEL,
    STATE_ID,
    all_items,
    choice_in,
    classes_in,
    items_in,
    said_names,
    without_mistakes,
)
from agent.llm.offline.language.spans.spoken import spoken_of
from agent.llm.offline.language.spans.targets import SHIFT, day_at, shift_in
from agent.llm.offline.language.spans.times.pieces import Time
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.loop.view_document import AskedView, TaskView

Kind = Literal["class", "item", "day", "hour", "count"]
_NUM = "[0-9一二两三四五六七八九十]{1,3}"
_HEADS = "|".join(re.escape(word) for kinds in KINDS for word in (*kinds, *(f"{kind}s" for kind in kinds)))
_ORDINAL = re.compile(
    rf"第\s*{_NUM}\s*(?:章节?|项|个|讲|部分|单元|次|课|篇)"
    rf"|(?<![a-z])(?:{_HEADS}|item|part)\.?\s*#?{_NUM}(?![\d周月天节个])"
)
_COUNT = re.compile(
    rf"(?P<number>(?<![\d:/.-]){_NUM}(?![\d:/.-])|\b(?:one|two|three|four|five|six)\b)\s*个?"
    r"(?P<unit>天|周|星期|节|小时|分钟|项|章|次|\b(?:day|week|section|period|hour|minute|item|chapter|unit)s?\b)?"
)
_DIGITS = str.maketrans("一两二三四五六七八九", "1223456789")
_SPELLED = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "an": "1", "a": "1"}
_JOINED = re.compile(r"\s*(?:[、,，&的和与跟及或到至-]|\b(?:and|or|to|on|in|the|of|at)\b|\s)*\s*")
_OF_DAY = ("part", "sections", "clock")
_THAT_DAY = re.compile(
    r"[那这](?:[2两二]|几)天|[那当](?:1|一)?天(?!气)"
    r"|\b(?:both (?:of )?)?(?:those|these|both) (?:two )?days\b"
    r"|\b(?:that|the same) day\b"
)
_SEVERAL_DAYS = re.compile(r"[2两二几]天|days\b")
_THAT_WEEK = re.compile(r"那一?(?:周|个?星期|个?礼拜)(?![一二三四五六日天\d])|\bthat week\b")
_NEXT_DAY = re.compile(
    r"(?:第二|第2|后一|后1|下一|下1)天|\b(?:the )?(?:day after(?! tomorrow)|next day|following day)\b"
    r"|(?P<before>(?:前一|前1|上一|上1)天|\b(?:the )?(?:day before(?! yesterday)|previous day)\b)"
)
_NEIGHBOUR = re.compile(
    r"(?:它|这个|那个)的?(?:后面?|后边|下1?一?)(?:的|那)*[1一]?[个章项讲]|(?P<zh>(?:它|这个|那个)的?(?:前面?|前边|上1?一?)(?:的|那)*[1一]?[个章项讲])"
    r"|\bthe (?:one|next one) after (?:it|that|this)(?: one)?\b|\b(?P<en>the one before (?:it|that|this)(?: one)?)\b"
)
_AGREES_BUT = re.compile(
    r"\W*(?:同意|好|可以|行|嗯+|对|没问题|ok(?:ay)?|yes|yep|yeah|sure|fine|good)[^,，。;；]{0,6}?[,，.;；\s]*"
    r"(?:但是?|不过|只是|\b(?:but|just|only)\b)(?P<but>.*(?:不|别|\b(?:leave|keep|not|except|without|don't)\b).*)"
)
_ALSO = re.compile(r"[呢也]|\b(?:and|also|too|either|what about|how about|as well)\b")
_ASKS = re.compile(r"啥|什么|哪|多少|\b(?:what|how)(?! about)\b|\b(?:when|where|which|why)\b")
"""A question of its own."""
LIKELY = 0.3
"""The probability from which a message that is no fragment by its form is one by the classifier."""
_LOOKING: tuple[Intent, ...] = (
    "explain", "class_facts", "classes", "end_asked", "next", "past", "due", "load", "fits", "show", "free", "reasons",
)  # fmt: skip
_CLAUSE = re.compile(r"[,，。;；!！]\s*|\.(?:\s+|$)")
_NO_BASE: tuple[Intent, ...] = ("other", "undo", "keep", "recovery", "changes", "plan_first")
_REPLAYED, _LONGEST = 10, 60
"""Turns that are read again, and characters of the longest fragment."""
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Span:
    """What a text says of one kind at `start` to `end`."""

    kind: Kind
    start: int
    end: int
    times: tuple[Time, ...] = ()


class Talk:
    """A conversation read from its beginning: the last full request, and the days that were talked about."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.request = ""
        self.days: list[date] = []
        """The days that were said, the last one first."""
        self.offered: AskedView | None = None
        """The last question with a list to choose from, until something else was wanted."""
        for turn in brief.earlier[-_REPLAYED:]:
            if turn["role"] == "user":
                self.hear(str(turn["text"]))
            else:
                self._look(turn["item_ids"])
                self.offered = turn["asks"] or self.offered

    def read(self, message: str) -> str:
        """A message with what it points to said in full, as the whole request that it makes."""
        said = self._pick(message) or agree_but(message, self.request, self.brief) or spell_out_pointers(message, self)
        fragment = self.request and _is_fragment(said, self.request, self.brief)
        whole = put_in(without_mistakes(fold_text(said)), self.request, self.brief) if fragment else ""
        return (self._undo_first(message, whole) + whole) if whole else said

    def _pick(self, message: str) -> str:
        """The request that an entry of the list means that was offered last; empty for a message that picks none."""
        about = self.offered["about"] if self.offered else {}
        listed = next((about[key] for key in ("places", "readings", "items") if key in about), ())
        number = choice_in(message, len(listed)) or (1 if listed and leaves_it_open(message) else None)
        if number is None:
            return ""
        chosen, brief = listed[number - 1], self.brief
        if "readings" in about:
            return str(chosen)
        wanted = about["item"] if "places" in about else chosen
        row = next((row for row in brief.tasks if row["item_id"] == wanted), None)
        if row is None:
            return ""
        if "items" in about:
            return put_in(f"[{row['state_id']}]", self.request, brief)
        (week, day), first, last = day_at(brief, chosen[0]), chosen[1], chosen[2]
        return brief.say(
            f"把[{row['state_id']}]移到第{week}周周{'一二三四五六日'[day - 1]}{first}-{last}节",
            f"move [{row['state_id']}] to {brief.term.day(week, day).isoformat()} sections {first}-{last}",
        )

    def _undo_first(self, message: str, whole: str) -> str:
        """The words that take back what was done by mistake, where the right thing would not take its place."""
        brief, last = self.brief, self.brief.view["last_change"]
        if message != brief.request or last is None or intent_of(self.request, brief) not in OPERATIONS:
            return ""
        right, wrong = ([row["item_id"] for row in items_in(text, brief)] for text in (whole, self.request))
        other = right != wrong and says("correction", fold_text(message))
        further = (
            shift_in(whole) is not None and shift_in(whole) != shift_in(self.request) and shift_in(message) is None
        )
        done = last["kind"] != "build" and last["item_id"] in wrong
        return brief.say("撤销上1步；", "undo the last 1 steps; ") if done and (other or further) else ""

    def hear(self, message: str) -> None:
        """Takes a message of the student in."""
        whole = self.read(message)
        intent, spans = intent_of(whole, self.brief), find_spans(fold_text(whole), self.brief)
        if spans and (intent not in _NO_BASE or (intent == "other" and _asks_unclearly(whole, self.brief))):
            self.request, self.offered = whole, None
        times = read_times(whole, self.brief.term)
        said = [one.first for one in reversed(times) if one.kind == "day" and one.first]
        today = self.brief.term.today
        said += [
            today + ((day - today.isoweekday()) % 7) * _DAY
            for one in reversed(times)
            if one.kind == "weekday" and not one.week
            for day in one.weekdays
        ]
        self.days = list(dict.fromkeys([*said, *self.days]))

    def _look(self, item_ids: list[int]) -> None:
        """Takes the day of the only item in that the student was told of."""
        moved = {row["task_item_id"]: row["before"] for row in reversed(self.brief.changes)}
        places = [moved.get(row["item_id"], row["slot"]) for row in self.brief.tasks if row["item_id"] in item_ids]
        if len(places) == 1 and places[0]:
            day = self.brief.term.day(places[0]["week"], places[0]["day_of_week"])
            self.days = [day, *(other for other in self.days if other != day)]


def _asks_unclearly(message: str, brief: Brief) -> bool:
    """Whether a message that is not understood is about something of the trade."""
    return INTENTS[aims_of(message, brief)[0][0]] != "other"


def corrects_request(message: str, brief: Brief) -> bool:
    """Whether a later message of a goal only says otherwise what its request says of a time, a thing or a number."""
    kinds = [{one.kind for one in find_spans(fold_text(text), brief)} for text in (message, brief.request)]
    return bool(kinds[0]) and kinds[0] <= kinds[1] and _is_fragment(message, brief.request, brief)


def agree_but(message: str, request: str, brief: Brief) -> str:
    """The request about several items without the ones that consent leaves out: yes, but leave lab 1."""
    but = _AGREES_BUT.match(fold_text(message))
    left = items_in(but["but"], brief) if but and request else []
    if not left or intent_of(request, brief) not in OPERATIONS or find_group(request, brief) is None:
        return ""
    names = "、".join(row["name"] for row in left)
    return brief.say(f"除了{names}，{request}", f"{request.rstrip(' .!')} except {names}")


def _is_fragment(message: str, base: str, brief: Brief) -> bool:
    """Whether a message only makes sense by the request before it."""
    if len(message) > _LONGEST or Features(message, brief).has("declines"):
        return False
    form, (label, chance) = form_of(message, brief), aims_of(message, brief, later=True)[0]
    folded = fold_text(message)
    counted = _COUNT.search(folded) and not strip_fillers(pattern("pronoun").sub(" ", _COUNT.sub(" ", folded)))
    if (label == "amend" and chance > LIKELY and not _ASKS.search(folded)) or counted:
        return True
    corrects = says("correction", folded)
    if form == "both" or line_of(message, brief) or (INTENTS[label] in _LOOKING and chance > SURER):
        return False
    if not form:
        return corrects
    return form == "time" or corrects or _ALSO.search(folded) is not None or intent_of(base, brief) in _LOOKING


def put_in(fragment: str, base: str, brief: Brief) -> str:
    """The request with the spans of the fragment in the place of its own; empty where the fragment has none."""
    fragment, base = spell_out_lists(fold_text(fragment)), spell_out_lists(fold_text(base)).rstrip(" .。!！")
    if excludes(base) and (opened := [one for one in _CLAUSE.split(fragment) if says("open_up", one)]):
        rest = ", ".join(one for one in _CLAUSE.split(fragment) if one not in opened)
        whole = put_in(rest, base, brief) if rest.strip(" ,") else ""
        return ", ".join([whole, *opened]) if whole else ""
    new = {
        one.kind: one for one in find_spans(fragment, brief) if not any(time.role == "avoided" for time in one.times)
    }
    if "count" in new and len(new) > 1:
        del new["count"]
    if not new:
        return ""
    old = {one.kind: one for one in find_spans(base, brief, pronouns=True)}
    if intent_of(base, brief) == "build" and not new.keys() <= old.keys():
        return ""
    texts = {kind: fragment[one.start : one.end] for kind, one in new.items()}
    changes: list[tuple[int, int, str]] = []
    if "item" in new and "class" in old and "class" not in new and not _belongs(texts["item"], base, brief):
        old.setdefault("item", old["class"])
        if old["item"] != old["class"]:
            changes.append((old["class"].start, old["class"].end, ""))
    if "class" in new and "class" not in old and "item" in old and "item" not in new:
        numbered = _ORDINAL.fullmatch(base[old["item"].start : old["item"].end].strip()) is not None
        texts["item"] = texts.pop("class") + (base[old["item"].start : old["item"].end] if numbered else "")
    if "day" in new and "day" in old:
        texts["day"] = _in_week(new["day"], old["day"], texts["day"], brief)
    if "count" in new:
        known = _find_number(texts["count"], base, old.get("count"))
        if known is None:
            return ""
        old["count"] = known
    for kind, text in texts.items():
        at = old.get(kind)
        if at is not None:
            changes.append((at.start, at.end, text))
        elif kind == "hour" and "day" in old:
            changes.append((old["day"].end, old["day"].end, f" {text}"))
        elif kind == "class" and "item" in (*old, *new):
            start = old["item"].start if "item" in old else len(base)
            changes.append((start, start, f"{text} "))
        else:
            changes.append((len(base), len(base), f" {text}"))
    for start, end, text in sorted(changes, key=lambda change: change[:2], reverse=True):
        base = base[:start] + text + base[end:]
    return base


def _belongs(item: str, base: str, brief: Brief) -> bool:
    """Whether an item may be one of the classes that the request names."""
    owners = {row["class_id"] for row in items_in(item, brief, among=all_items(brief))}
    return not owners or bool(owners & set(classes_in(base, brief.classes)))


def _find_number(said: str, base: str, old: Span | None) -> Span | None:
    """Where a number stands that another may take the place of: it has the same unit, or the other one has none."""
    new, there = _COUNT.match(said), _COUNT.match(base, old.start, old.end) if old else None
    if old is None or new is None or there is None:
        return None
    unit = (new["unit"] or "").rstrip("s")
    if unit:
        return old if unit == (there["unit"] or "").rstrip("s") else None
    return Span("count", *there.span("number"))


def _in_week(new: Span, old: Span, text: str, brief: Brief) -> str:
    """The days of a fragment; weekdays alone are of the week of the request, a week alone is of its weekdays."""
    monday = next((one.first for one in new.times if one.kind == "week" and one.first), None)
    named = sorted({day for one in old.times for day in one.weekdays})
    if monday is not None and named and len(new.times) == 1:
        return "、".join((monday + (day - 1) * _DAY).isoformat() for day in named)
    bare = all(one.kind == "weekday" and one.week is None for one in new.times)
    dated = next((one.first for one in old.times if one.first and (one.weekdays or one.kind == "week")), None)
    if not bare or dated is None:
        return text
    monday = dated - (dated.isoweekday() - 1) * _DAY
    days = sorted({day for one in new.times for day in one.weekdays})
    return "、".join((monday + (day - 1) * _DAY).isoformat() for day in days)


def find_spans(text: str, brief: Brief, *, pronouns: bool = False) -> list[Span]:
    """The spans of a folded text in order, those of one kind side by side as one; `pronouns` count as items."""
    found = [Span("item", *match.span()) for match in STATE_ID.finditer(text)]
    found = found or [Span("item", *at) for at in _find_items(text, brief)]
    left = _mask(text, found)
    for name in sorted(said_names(left, brief), key=lambda name: -len(name)):
        found += [Span("class", left.index(name), left.index(name) + len(name))] if name in left else []
        left = _mask(text, found)
    counted = _in_digits(left)
    shift = SHIFT.search(counted)
    if shift:
        found.append(Span("day", *shift.span()))
        left = _mask(text, found)
    times = [one for one in read_times(left, brief.term) if not one.impossible]
    found += [Span("hour" if one.kind in _OF_DAY else "day", one.start, one.end, (one,)) for one in times]
    if pronouns and not any(one.kind == "item" for one in found):
        found += [
            Span("item", *match.span())
            for match in pattern("pronoun").finditer(left)
            if len(match.group()) > 1 or match.group() == "它"
        ]
    left = _mask(text, [one for one in found if one.start != (shift.start() if shift else -1)])
    found += [Span("count", match.start(), match.end(2 if match[2] else 1)) for match in _COUNT.finditer(left)]
    return _join(sorted(found, key=lambda one: (one.start, one.end)), text)


def _join(found: list[Span], text: str) -> list[Span]:
    joined: list[Span] = []
    for one in found:
        last = next((other for other in reversed(joined) if other.kind == one.kind), None)
        if last is not None and last is joined[-1] and _JOINED.fullmatch(text[last.end : max(one.start, last.end)]):
            joined[-1] = Span(one.kind, last.start, max(last.end, one.end), (*last.times, *one.times))
        else:
            joined.append(one)
    return joined


def _mask(text: str, spans: list[Span]) -> str:
    """The text with what is known blanked out, each character by one that means nothing."""
    for one in spans:
        text = text[: one.start] + "_" * (one.end - one.start) + text[one.end :]
    return text


def _in_digits(text: str) -> str:
    """The text with its numerals in digits, in as many characters."""
    spelled = re.sub(
        r"\b(?:one|two|three|four|five|six|an?)\b",
        lambda found: _SPELLED[found.group()].ljust(len(found.group())),
        text,
    )
    return re.sub(
        r"(?<![周期拜])[一二两三四五六七八九](?![一二三四五六七八九十])",
        lambda found: found.group().translate(_DIGITS),
        spelled,
    )


def _find_items(text: str, brief: Brief) -> list[tuple[int, int]]:
    """Where items are named: in full, by a label at the head of their name, or by their number."""
    rows = [*brief.tasks, *all_items(brief)]
    names = {fold_text(row["name"]) for row in rows}
    heads = {
        match[1].strip() for name in names if (match := LABEL.match(fold_numbers(name))) and match[1].strip() != "第"
    }
    forms = [re.escape(name) for name in sorted(names, key=lambda name: -len(name)) if len(name) > 1]
    forms += [rf"{re.escape(head)}\s*#?{_NUM}(?![\d周月天节个])" for head in heads if head]
    known = (
        re.compile("|".join(rf"(?<![a-z0-9])(?:{form})(?!\d)" if form[0].isascii() else form for form in forms))
        if forms
        else None
    )
    found = [match.span() for match in known.finditer(text)] if known else []
    taken = [*found]
    found += [
        match.span()
        for match in _ORDINAL.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    return found


def spell_out_pointers(message: str, talk: Talk) -> str:
    """A message with the day, the week or the neighbour of an item that it points to said in full."""
    brief, folded = talk.brief, fold_text(message)
    neighbour = _NEIGHBOUR.search(folded)
    row = _find_neighbour(brief, -1 if neighbour["zh"] or neighbour["en"] else 1) if neighbour else None
    if neighbour and row:
        message = folded = folded.replace(neighbour.group(), f"[{row['state_id']}] ")
    pointer = _THAT_DAY.search(folded)
    told = read_times(_mask(folded, [Span("day", *pointer.span())]) if pointer else "", brief.term)
    if pointer and talk.days and all(one.kind in _OF_DAY for one in told):
        days = sorted(talk.days[: 2 if _SEVERAL_DAYS.search(pointer.group()) else 1])
        return folded.replace(pointer.group(), f" {'、'.join(day.isoformat() for day in days)} ")
    beside = _NEXT_DAY.search(folded)
    if beside and talk.days and intent_of(talk.request, brief) in _LOOKING:
        day = talk.days[0] + (-_DAY if beside["before"] else _DAY)
        return folded.replace(beside.group(), f" {day.isoformat()} ")
    week = _THAT_WEEK.search(folded)
    if week and talk.days:
        number = brief.term.week_day(talk.days[0])[0]
        return folded.replace(week.group(), brief.say(f"第{number}周", f"week {number}"))
    return message


def _find_neighbour(brief: Brief, step: int) -> TaskView | None:
    """The item after or before the one that was named last."""
    said = next((found for turn in reversed(brief.view["turns"][:-1]) if (found := items_in(turn["text"], brief))), [])
    last = (said or spoken_of(brief))[-1:]
    wanted = [(row["class_id"], row["order"] + step) for row in last]
    return next((row for row in brief.tasks if (row["class_id"], row["order"]) in wanted), None)
