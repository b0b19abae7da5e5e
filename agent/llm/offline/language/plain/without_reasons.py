"""A message without its reasons, grumbles and aims: what they tell fills what its request leaves open.

The item or the class that only the grumble names is that of the request; a time that is bad for it is left free, where
the request wants no other one. A grumble alone about the place of an item proposes another one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.slots import COUNT
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.paraphrase.names import find_shortened
from agent.llm.offline.language.paraphrase.wordings import WORDINGS
from agent.llm.offline.language.plain.unplanned import plan_what_is_told
from agent.llm.offline.language.spans.classes.item_lengths import spell_unit
from agent.llm.offline.language.spans.mentions import all_items, classes_in, find_quoted_texts, items_in
from agent.llm.offline.language.spans.reasons import Clause, find_clauses
from agent.llm.offline.language.spans.targets import place_of, shift_in, way_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.loop.view_document import TaskView

_LONGEST = 160
_DAYS = ("weekday", "day", "days", "week")
_HOURS = ("part", "sections", "clock")
_PARTS = (("上午", "in the morning"), ("下午", "in the afternoon"), ("晚上", "in the evening"))
_IT = re.compile(r"它们?|\b(?:it|that one|this one|them)\b")
_WAYS = {1: "move_later", -1: "move_earlier"}
_MOST_PROPOSED = 2
"""Items that a grumble alone may be about."""


def leave_out_reasons(message: str, brief: Brief, *, goes_on: bool) -> str:
    """The message without them; as it is where it has none, or where nothing would be wanted without them. `goes_on`:
    it follows a request, so that it need not name what it is about."""
    if len(message) > _LONGEST or not brief.classes or find_quoted_texts(message) or "：" in message or ": " in message:
        return message
    if (plan := plan_what_is_told(message, brief)) != message and not goes_on:
        return plan
    names = tuple(row["name"] for row in (*brief.classes, *all_items(brief)))
    clauses = find_clauses(message, names, brief.term)
    told = [clause for clause in clauses if clause.kind]
    rest = [clause.text for clause in clauses if not clause.kind]
    if not told:
        return message
    if not rest:
        return message if goes_on else _propose(message, told, brief)
    kept = says("keep_free", fold_text(_join(rest))) and not _times_in(_join(rest), brief)
    if kept and any(clause.kind == "busy" and _times_in(clause.text, brief) for clause in told):
        return message  # the day on which one is busy is what is to stay free
    request = _fill_names(_join(rest), told, brief, goes_on=goes_on)
    avoided = _say_avoided(request, told, brief)
    if avoided and len(rest) == 1 and (way := way_in(request)):
        request = _say_way(request, way, brief)
    return request + avoided if request else message


def _say_way(request: str, way: int, brief: Brief) -> str:
    """That the items of a request are to be later or earlier, in plain words."""
    rows = items_in(request, brief)
    if not rows or _times_in(request, brief):
        return request
    return brief.say(*WORDINGS[_WAYS[way]], items=_join_names([row["name"] for row in rows], brief))


def _join(pieces: Sequence[str]) -> str:
    return ("，" if has_chinese("".join(pieces)) else ", ").join(pieces)


def _fill_names(request: str, told: Sequence[Clause], brief: Brief, *, goes_on: bool) -> str:
    """The request with what it is about; empty where that is known by its reasons in no way that is sure."""
    text = fold_text(request)
    changes = says("wants_change", text)
    follows = goes_on and any(one.search(fold_numbers(text)) for one in (_IT, COUNT))
    follows = follows or (goes_on and bool(read_times(text, brief.term)))
    if not (changes or follows) and not any(says("wonders_why", fold_text(one.text)) for one in told):
        return ""
    named = _find_named(request, brief)
    if changes and not (named or any(one.kind == "busy" for one in told)) and Features(request, brief).has("picks"):
        return request
    if named:
        unsure = not _is_named_in_full(request, brief) and any(_is_named_in_full(one.text, brief) for one in told)
        return "" if unsure or _narrows(request, told, brief) else request
    source = next((one.text for one in told if _find_named(one.text, brief)), "")
    given = _find_named(source, brief)
    rows = items_in(source, brief)
    if rows and not any(_stands_then(row, source, brief) for row in rows):
        return ""  # it is not there at all, which is told
    if given and changes:
        return _put_in(given, request, brief)
    # What every day is like needs no name: 早八起不来，以后别把任务放上午.
    daily = {one.kind for clause in told for one in _times_in(clause.text, brief)}
    timed = {one.kind for one in _times_in(request, brief)}
    daily_rule = changes and not given and daily and timed and daily | timed <= {*_HOURS}
    return request if follows or daily_rule else ""


def _narrows(request: str, told: Sequence[Clause], brief: Brief) -> bool:
    """Whether a grumble may tell when a limit of a class holds: 下周太忙了，线代每天最多一项."""
    if items_in(request, brief, among=all_items(brief)) or way_in(request):
        return False
    if _times_in(request, brief) and not Features(request, brief).plans_unplanned:
        return False
    return any(_times_in(one.text, brief) for one in told if one.kind in ("grumble", "busy"))


def _find_named(text: str, brief: Brief) -> str:
    """The items that a text names, else all of the class that it does; empty for none."""
    rows = items_in(text, brief, among=all_items(brief))
    if rows:
        return _join_names([row["name"] for row in rows], brief)
    owners = [row["name"] for row in brief.classes]
    if items := find_shortened(text, (), [row["name"] for row in all_items(brief)]):
        return _join_names(items, brief)
    names = [row["name"] for row in brief.classes if row["id"] in classes_in(text, brief.classes)]
    names = names or find_shortened(text, owners, ())
    return brief.say("{name}的都", "all of {name}", name=_join_names(names, brief)) if names else ""


def _is_named_in_full(text: str, brief: Brief) -> bool:
    names = [row["name"] for row in (*brief.classes, *all_items(brief))]
    return any(fold_text(name) in fold_text(text) for name in names)


def _join_names(names: Sequence[str], brief: Brief) -> str:
    return brief.say("和", " and ").join(names)


def _put_in(name: str, request: str, brief: Brief) -> str:
    """A request with a name in the place of what points to it, else in front; in plain words where it tells only
    whether something is to be later or earlier."""
    if (way := way_in(request)) and not _times_in(request, brief) and shift_in(request) is None:
        return brief.say(*WORDINGS[_WAYS[way]], items=name)
    if _IT.search(request):
        return _IT.sub(lambda _: name, spell_unit(request), count=1)
    return f"{name}{request}" if has_chinese(request) else f"{name}, {request}"


def _times_in(text: str, brief: Brief) -> list[Time]:
    return [one for one in read_times(fold_text(text), brief.term) if one.kind in (*_DAYS, *_HOURS)]


def _say_avoided(request: str, told: Sequence[Clause], brief: Brief) -> str:
    """That a moved item is not to be at the time that is bad for it; empty where the request tells its time."""
    text = fold_text(request)
    if not says("shifts", text) and not says("other_day", text) and not says("relocate", text):
        return ""
    if says("extract", text) or says("swap", text) or shift_in(request) is not None:
        return ""
    if not (items_in(request, brief) or _IT.search(text)):
        return ""
    said = {one.kind for one in _times_in(request, brief)}
    bad = next((found for one in told if (found := _find_bad(one, brief, alone=not said))), None)
    if bad is None or said & {*_HOURS} or (said and bad[1]):
        return ""
    if bad[1] and says("other_day", text) and any(_stands_then(row, bad[0], brief) for row in items_in(request, brief)):
        return ""  # that is another day than its own, and which is asked
    return brief.say("，但不要在{time}", ", but not {time}", time=bad[0])


def _find_bad(clause: Clause, brief: Brief, *, alone: bool = True) -> tuple[str, bool] | None:
    """The time that a clause complains of, and whether it tells a day. Of an hour that one is not up to, the day
    matters no more; an hour that is too early is one of the morning."""
    text = fold_text(clause.text)
    if clause.kind == "aim" or says("suits", text):
        return None
    times = [one for one in _times_in(text, brief) if one.kind != "week"]
    hours = [one for one in times if one.kind in _HOURS]
    days = [one for one in times if one.kind in _DAYS]
    if hours and days and says("wears_out", text):
        days = []
    if not times and alone and re.search(r"太早|起不|\b(?:too early|that early|get up|wake up|out of bed)\b", text):
        return brief.say("上午", "in the morning"), False
    if not times:
        return None
    zh = brief.language == "zh"
    pieces = [_say_time(one, text, zh=zh) for one in (*days, *hours)]
    said = "".join(pieces) if zh else " ".join(pieces)
    return said, bool(days)


def _say_time(one: Time, text: str, *, zh: bool) -> str:
    """A time as it is said behind "not"."""
    if one.kind == "part" and one.part is not None:
        return _PARTS[one.part][not zh]
    said = text[one.start : one.end].strip()
    return said if zh else f"{'at' if one.kind == 'clock' else 'on' if one.kind in _DAYS else 'in'} {said}"


def _propose(message: str, told: Sequence[Clause], brief: Brief) -> str:
    """Another time for the items whose place is complained of; the message where it is not about that."""
    rows = [row for row in items_in(message, brief) if row["slot"]]
    bad = next((found for one in told if (found := _find_bad(one, brief))), None)
    if (
        bad is None
        or (says("too_early", fold_text(message)) and not _times_in(message, brief))  # on which day is told by that
        or not 0 < len(rows) <= _MOST_PROPOSED
        or any(one.kind == "aim" or says("wonders_why", fold_text(one.text)) for one in told)
    ):
        return message
    if not any(_stands_then(row, message, brief) for row in rows) or asks_whether(brief.read_words(message)):
        return message
    names = _join_names([row["name"] for row in rows], brief)
    return brief.say("把{names}换个时间，但不要在{time}", "move {names} to another time, but not {time}",
                     names=names, time=bad[0])  # fmt: skip


def _stands_then(row: TaskView, message: str, brief: Brief) -> bool:
    """Whether an item stands at a time that a message tells, or it tells none."""
    times = _times_in(message, brief)
    times = [one for one in times if one.kind in _DAYS] or times
    return row["slot"] is not None and (not times or place_of(times, brief.term).meets(row["slot"]))
