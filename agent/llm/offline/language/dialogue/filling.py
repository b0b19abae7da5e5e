"""A request with spans of a fragment in the place of its own: each takes the place of the last one of its kind."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.slots import COUNT, ORDINAL, Kind, Span, find_spans
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_times import ONLY_TIMES, excludes
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals
from agent.llm.offline.language.spans.mentions import (
    all_items,
    classes_in,
    items_in,
    without_refusals,
)
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.spelling import spell_out_lists

_ALL_OF = re.compile(r"(?:所有的?|全部的?|每[个章项]|\ball(?: of)?(?: the| my)? |\bevery |\bthe )\s*$")
_MEANT = re.compile(r"[,\s]*\bi (?:mean|meant)\W*$")
CLAUSE = re.compile(r"[,，。;；!！]\s*|\.(?:\s+|$)|但是?|不过|\bbut\b")
_DAY = timedelta(days=1)


def put_in(fragment: str, base: str, brief: Brief, *, adds: bool = False) -> str:
    """The request with the spans of the fragment in the place of its own, or beside them where it `adds`; empty where
    the fragment has none."""
    fragment = _MEANT.sub("", without_refusals(fold_text(fragment)))
    fragment, base = (spell_out_lists(_spell_out(one)) for one in (fragment, fold_text(base).rstrip(" .。!！")))
    if excludes(base) and (opened := [one for one in CLAUSE.split(fragment) if says("open_up", one)]):
        rest = ", ".join(one for one in CLAUSE.split(fragment) if one not in opened)
        whole = put_in(rest, base, brief) if rest.strip(" ,") else ""
        return ", ".join([whole, *opened]) if whole else ""
    new = _find_wanted(fragment, brief)
    if not new:
        return ""
    old = _find_known(base, brief, names="name" in new)
    if intent_of(base, brief) in ("build", "wish") and not new.keys() <= old.keys():
        return ""
    return _Filling(fragment, base, new, old, brief).fill(adds=adds)


def _find_wanted(fragment: str, brief: Brief) -> dict[Kind, Span]:
    """The spans of a fragment by kind; a number only where it is all that the fragment has."""
    spans = find_spans(fragment, brief)
    new = {one.kind: one for one in spans if not any(time.role == "avoided" for time in one.times)}
    if "count" in new and len(new) > 1:
        del new["count"]
    return new


def _find_known(base: str, brief: Brief, *, names: bool) -> dict[Kind, Span]:
    """The last spans of a request by kind, of its numbers the last one that counts something."""
    spans = find_spans(base, brief, pronouns=True, names=names)
    old = {one.kind: one for one in spans}
    if numbers := [one for one in spans if one.kind == "count" and not _is_period(base[one.start : one.end])]:
        old["count"] = numbers[-1]
    return old


class _Filling:
    """A request in the places of whose spans (`old`) the texts of a fragment's (`new`) come."""

    def __init__(self, fragment: str, base: str, new: dict[Kind, Span], old: dict[Kind, Span], brief: Brief) -> None:
        self._fragment, self._base, self._brief = fragment, base, brief
        self._new, self._old = new, old
        self._texts = {kind: fragment[one.start : one.end] for kind, one in new.items()}
        self._changes: list[tuple[int, int, str]] = []

    def fill(self, *, adds: bool) -> str:
        """The request with the texts; empty where one has no place in it."""
        self._settle_names()
        if "count" in self._new and (known := _find_ordinal(self._texts["count"], self._base, self._old)):
            return self._base[: known.start] + self._texts["count"] + self._base[known.end :]
        self._settle_days()
        if not self._settle_number():
            return ""
        for kind, text in self._texts.items():
            self._changes.append(self._place(kind, text, adds=adds))
        return self._write()

    def _settle_names(self) -> None:
        """An item takes the place of a class that it is none of; a class that of an item, whose number it keeps."""
        new, old = self._new, self._old
        other = "item" in new and "class" in old and "class" not in new
        if other and not _belongs(self._texts["item"], self._base, self._brief):
            old.setdefault("item", old["class"])
            if old["item"] != old["class"]:
                self._changes.append((old["class"].start, old["class"].end, ""))
        if "class" in new and "class" not in old and "item" in old and "item" not in new:
            item = self._base[old["item"].start : old["item"].end]
            self._texts["item"] = self._texts.pop("class") + (item if ORDINAL.fullmatch(item.strip()) else "")

    def _settle_days(self) -> None:
        """A number may be a day of the request's month, and a day one of its week, or its new end."""
        new, old, texts, brief = self._new, self._old, self._texts, self._brief
        if "count" in new and "day" in old and (days := _in_month(texts["count"], old["day"], brief)):
            texts["day"] = days
            del texts["count"]
        elif "day" in new and "day" in old:
            texts["day"] = (
                _bound_anew(new["day"], old["day"], self._fragment, brief)
                or _in_month(texts["day"], old["day"], brief)
                or _in_week(new["day"], old["day"], texts["day"], brief)
            )

    def _settle_number(self) -> bool:
        """Whether a number, if there is one, has a place in the request."""
        if "count" not in self._texts:
            return True
        known = _find_number(self._texts["count"], self._base, self._old.get("count"))
        if known is not None:
            self._old["count"] = known
        return known is not None

    def _place(self, kind: Kind, text: str, *, adds: bool) -> tuple[int, int, str]:
        """From where to where a text comes, and how: in the place of its kind, or beside what it belongs to."""
        base, old = self._base, self._old
        if (at := old.get(kind)) is not None:
            text = f"{base[at.start : at.end]}、{text}" if adds and kind != "count" else text
            every = _ALL_OF.search(base[: at.start]) if kind == "item" else None
            return every.start() if every else at.start, at.end, text
        if kind == "hour" and adds and intent_of(base, self._brief) == "replan":
            return len(base), len(base), ""  # the days that are kept free have all their hours already
        if kind == "hour" and "day" in old:
            return old["day"].end, old["day"].end, f" {text}"
        if kind == "class" and "item" in (*old, *self._new):
            start = old["item"].start if "item" in old else len(base)
            return start, start, f"{text} "
        return len(base), len(base), f" {text}"

    def _write(self) -> str:
        base = self._base
        for start, end, text in sorted(self._changes, key=lambda change: change[:2], reverse=True):
            base = base[:start] + text + base[end:]
        return base


def _spell_out(text: str) -> str:
    """A folded text with each item of a list named in full: chapters 2, 3 and 4."""
    spelled = spell_out_ordinals(text)
    return text if spelled == fold_numbers(text) else spelled


def _belongs(item: str, base: str, brief: Brief) -> bool:
    """Whether an item may be one of the classes that the request names."""
    owners = {row["class_id"] for row in items_in(item, brief, among=all_items(brief))}
    return not owners or bool(owners & set(classes_in(base, brief.classes)))


def _is_period(said: str) -> bool:
    """Whether a number only tells in what time there are so many: a day, 一天."""
    return re.fullmatch(r"(?:an?|one|[1一每]) ?(?:day|week|天|周|星期)", said.strip()) is not None


def _find_number(said: str, base: str, old: Span | None) -> Span | None:
    """Where a number stands that another may take the place of: it has the same unit, or the other one has none."""
    new, known = COUNT.match(said), [*COUNT.finditer(base, old.start, old.end)] if old else []
    if old is None or new is None or not known:
        return None
    there = next((one for one in reversed(known) if not _is_period(one.group())), known[0])
    unit = (new["unit"] or "").rstrip("s")
    if unit:
        return old if unit == (there["unit"] or "").rstrip("s") else None
    return Span("count", *there.span("number"))


def _find_ordinal(said: str, base: str, old: dict[Kind, Span]) -> Span | None:
    """Where the number of an item stands that a number alone takes the place of: chapter 5, then "and 6?"."""
    alone = said.strip().isdigit() and "count" not in old and "item" in old
    match = re.search(r"\d{1,2}(?=\D*$)", base[old["item"].start : old["item"].end]) if alone else None
    return Span("item", old["item"].start + match.start(), old["item"].start + match.end()) if match else None


_DAY_NUMBERS = re.compile(
    r"\D{0,5}?(?P<first>\d{1,2})(?:[号日]|st|nd|rd|th)?"
    r"(?:\s*(?:-|–|~|到|至|to|until|through)\s*(?:the )?(?P<last>\d{1,2})(?:[号日]|st|nd|rd|th)?)?\s*"
)


def _in_month(text: str, old: Span, brief: Brief) -> str:
    """Days that are told by their numbers alone, in the month of the request's: May 8, then "the 9th"; 21 to 23."""
    said = None if re.search("周|week", text) else _DAY_NUMBERS.fullmatch(text)
    days_said = (one for one in old.times if not one.weekdays and one.kind in ("day", "days"))
    dated = next((one.first or one.last for one in days_said), None)
    if said is None or dated is None:
        return ""
    days = [int(number) for number in said.groups() if number]
    last = monthrange(dated.year, dated.month)[1]
    named = [dated.replace(day=day) for day in days if 1 <= day <= last]
    if len(named) < len(days):
        return ""
    return brief.say("到", " to ").join(brief.say(f"{day.month}月{day.day}号", day.isoformat()) for day in named)


_UNTIL = re.compile(r"(?:到|至|\b(?:until|till?|through))\s*(?:the )?$")


def _bound_anew(new: Span, old: Span, fragment: str, brief: Brief) -> str:
    """The days of the request with the end that a fragment gives them, or the beginning: 22 to 25 March, then "until
    the 26th"; empty where the fragment tells no bound alone."""
    if len(new.times) != 1 or len(old.times) != 1:
        return ""
    said, run = new.times[0], old.times[0]
    ends = run.kind == "days" and said.kind == "day" and _UNTIL.search(fragment[: new.start]) is not None
    if run.first is None or ((said.first is None) == (said.last is None) and not ends):
        return ""
    first, last = (None if ends else said.first) or run.first, said.last or run.last
    if last is None or last < first:
        return ""
    return brief.say(
        "到".join(f"{day.month}月{day.day}号" for day in (first, last)),
        " to ".join(day.isoformat() for day in (first, last)),
    )


def _in_week(new: Span, old: Span, text: str, brief: Brief) -> str:
    """The days of a fragment; weekdays alone are of the week of the request, a week alone is of its weekdays."""
    monday = next((one.first for one in new.times if one.kind == "week" and one.first), None)
    named = sorted({day for one in old.times for day in one.weekdays})
    if monday is not None and named and len(new.times) == 1:
        return "、".join((monday + (day - 1) * _DAY).isoformat() for day in named)
    bare = all(one.kind == "weekday" and one.week is None for one in new.times)
    dated = next((one.first for one in old.times if one.first and one.kind != "days"), None)
    strict = bare and len(new.times) == 1 and new.times[0].strict
    if not bare or dated is None:
        return brief.say("{day}之前", "before {day}", day=text) if strict else text
    monday = dated - (dated.isoweekday() - 1) * _DAY
    days = [monday + (day - 1) * _DAY for day in sorted({day for one in new.times for day in one.weekdays})]
    if strict and dated < days[0]:  # the day before which something is to be is not meant
        return f"{dated.isoformat()} {brief.say('到', 'to')} {(days[0] - _DAY).isoformat()}"
    return "、".join(day.isoformat() for day in days)


def put_only(said: str, request: str, brief: Brief) -> str:
    """A request for certain times alone with those in their place that words want alone: only weekends, behind only
    Tuesdays; empty for any other."""
    pieces = [one for one in re.split(r"[,，;；。]", request) if read_times(one, brief.term)]
    alone = [ONLY_TIMES.search(fold_text(text)) is not None for text in (said, *pieces)]
    told, before = (read_times(text, brief.term) for text in (said, request))
    kinds = [{one.kind for one in times} for times in (told, before)]
    if not all(alone) or not told or kinds[0] != kinds[1]:
        return ""
    return request[: before[0].start] + said[told[0].start : told[-1].end] + request[before[-1].end :]
