"""What a plan made anew is to do: free days, lighten a week, finish a class first, or line up what was missed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

from agent.llm.offline.goals.decisions import ask, call, give_up, within
from agent.llm.offline.goals.happenings.marks import (
    MARK,
    find_stood_on,
    keep_begun,
)
from agent.llm.offline.goals.items.item_texts import ALL_BEHIND
from agent.llm.offline.goals.questions.query import day_of
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.pointing.pointed_times import spell_in_week
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.ellipsis import form_of
from agent.llm.offline.language.meaning.intents import label_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.happenings import (
    END_OF_DAYS,
    SPARED,
    Days,
    count_in,
    days_in,
    find_named_days,
    is_absence_ahead,
    progress_in,
)
from agent.llm.offline.language.spans.items.groups import of_kind_in
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.targets import place_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.spelling import spell_out_lists, spell_out_times
from agent.llm.offline.language.spans.times.words import number_of

_ALSO = re.compile(r"也|还有|加上|\b(?:too|also|as well|and)\b")
LIGHTER_BY = 2
"""Sections that leave a week when no number is said: one double section."""


def read_wish(brief: Brief, turn: str, done: list[Any]) -> dict[str, Any]:
    """The arguments of what is not done yet, or the question for what they lack; empty where all is done."""
    text = fold_text(turn)
    if says("mends_clashes", text):
        return {} if done else {"kind": "mend"}
    if says("finish_first", text):
        return _finish_first(brief)
    if find_named_days(turn, brief.term):
        return _keep_free(brief, done)
    label = label_of(turn, brief)
    if says("away", text) or is_absence_ahead(turn, brief.term):
        return _away(brief, done)
    if says("lighter", text) or (label == "lighter" and not says("keep_free", text)):
        week = next((found for one in brief.turns if (found := _week_to_lighten(one, brief))), None)
        if week is None:
            return _lighten_day(brief, turn)
        count = next((many for one in brief.turns if (many := count_in(one))), None)
        return {
            "kind": "lighten",
            "week": week,
            "sections": count or _sections_of_items(brief) or _half_of(brief, text, week) or LIGHTER_BY,
        }
    frees = any(says(concept, text) for concept in ("keep_free", "busy_then", "that_day"))
    left = SPARED.sub(" ", text)
    makes_up = left != text and progress_in(left) == "missed" and not days_in(left, brief.term)
    if not makes_up and (frees or label == "away" or form_of(turn, brief) == "time"):
        return _keep_free(brief, done)
    rows = items_in(turn, brief)
    stood = (
        find_stood_on(brief, turn)
        if aims_of(turn, brief)[0][0] in ("catch_up", "mark_missed") and not (rows or done)
        else []
    )
    behind = keep_begun(brief, of_kind_in(turn, stood, brief))
    if behind and all(row["mark"] in ("", "missed") for row in behind):
        return call(brief, MARK, {"task_ids": [row["state_id"] for row in behind], "progress": "missed"})
    return {} if done else {"kind": "missed", **({"task_ids": [rows[0]["state_id"]]} if len(rows) == 1 else {})}


_GOES_TO = re.compile(r"(?:[到往去给至]|\b(?:to|into|until|till))\s*(?:the )?$")
"""Before a time that is to take what another one has too much of."""
_ITEMS = re.compile(
    r"(\d{1,2})\s*(?:个(?![周月星礼小])|项)|\b(\d{1,2}|one|two|three|four)\s+(?:items?|things?|tasks?|of them)\b"
)


def _too_full(turn: str, brief: Brief) -> list[tuple[Time, str]]:
    """The times that have too much, each with its words: not those to which something is to go."""
    text = spell_out_lists(fold_text(turn))
    times = read_times(turn, brief.term)
    return [(one, text[one.start : one.end]) for one in times if not _GOES_TO.search(text[: one.start])]


def _week_to_lighten(turn: str, brief: Brief) -> int | None:
    """The week that is to have less; None where only a day of it is named."""
    less, _ = divide_by_amount(turn, brief)
    said = [one for one, _ in _too_full(less or turn, brief)]
    week = next((one for one in said if one.kind == "week" and one.week), None)
    if week is not None:
        return max(1, week.week or 1)
    runs = (one for one in said if one.kind == "days" and one.first and one.last)
    long = next((one.first for one in runs if one.first and one.last and (one.last - one.first).days > 1), None)
    return max(1, brief.term.week_day(long)[0]) if long else None


_MORE, _LESS = (
    re.compile(form)
    for form in (
        r"[多满](?:[排学做放安]|[一1]?[点些])|\b(?:more|busier|fuller|heavier|harder)\b",
        r"[少松轻](?:[排学做放安松]|[一1]?[点些])|\b(?:less|fewer|lighter|easier|calmer|quieter)\b",
    )
)
_SIDES = re.compile(r"[,，;；]|(?<=[一-鿿])\s+(?=[一-鿿])|而|\b(?:and|but|while)\b")


def divide_by_amount(turn: str, brief: Brief) -> tuple[str, str]:
    """The clauses of a turn that want less at a time, and those that want more at another one; both empty where not
    both are told."""
    clauses = [one.strip() for one in _SIDES.split(turn) if read_times(one, brief.term)]
    more = [one for one in clauses if _MORE.search(fold_text(one)) and not _LESS.search(fold_text(one))]
    less = [one for one in clauses if _LESS.search(fold_text(one)) and one not in more]
    return (brief.say("，", ", ").join(less), brief.say("，", ", ").join(more)) if more and less else ("", "")


def _sections_of_items(brief: Brief) -> int | None:
    """The sections of so many items as are to go, where a number of them is said."""
    found = next((one for turn in brief.turns if (one := _ITEMS.search(fold_numbers(fold_text(turn))))), None)
    if found is None:
        return None
    said = found[1] or found[2]
    return number_of(said) * LIGHTER_BY


def _lighten_day(brief: Brief, turn: str) -> dict[str, Any]:
    """The limit by which a day has an item less than now; of a weekday that is told alone the next one that has any."""
    times = [one for one, _ in _too_full(turn, brief)]
    held = Counter(day for row in brief.tasks if (day := day_of(brief, row)) and day >= brief.term.today)
    target = place_of(times, brief.term)
    meant = {day_of(brief, row) for row in brief.tasks if (slot := row["slot"]) and target.covers(slot)}
    named = [day for day in sorted(held) if day in meant]
    if not target.said:
        return ask(brief, "which_week", brief.say("哪一周要少一点？", "Which week should be lighter?"))
    if not named:
        none = ("那天没有任务，什么都没有改。", "Nothing of yours is on that day; nothing was changed.")
        return give_up("no_lighter_day", brief.say(*none))
    near = [day for day in named if (day - named[0]).days < len(target.days)]  # of a weekend both its days
    then = {"from_date": near[0].isoformat(), "to_date": near[-1].isoformat()}
    count = sum(held[day] for day in near)
    less = {"a_week": count - 1, "during": [then]} if count > 1 else {"without": [then]}
    return {"kind": "limits", "limits": [less]}


def _half_of(brief: Brief, text: str, week: int) -> int:
    """Half of the sections of a week where half of it is to go."""
    held = [row for row in brief.tasks if row["slot"] and row["slot"]["week"] == week]
    return sum(row["duration"] for row in held) // 2 if re.search(r"[一1减砍]半(?!天)|\b(?:half|halve)\b", text) else 0


def _finish_first(brief: Brief) -> dict[str, Any]:
    for turn in reversed(brief.turns):
        first = pattern("finish_first").search(fold_text(turn))
        ids = classes_in(first.group() if first else turn, brief.classes)
        if len(ids) == 1:
            return {"kind": "finish_first", "task_class_id": ids[0]}
    names = brief.names_of([row["id"] for row in brief.classes])
    told = brief.say("先做完哪一个？{names}", "Which one first? {names}", names=names)
    return ask(brief, "which_first", told)


_FEWER = re.compile(
    r"(?<![第前后头末上\d])(?P<zh>[1-6]|几)天(?![前后内里都也末])"
    r"|\b(?P<en>[1-6]|an?|one|few|some|several|couple(?: of)?)"
    r" (?:full |whole |more )?days?\b(?! (?:ago|later|earlier|of)\b)"
)
"""So many days, and not which ones."""
_FROM = re.compile(r"\b(?:from|start\w*|begin\w*)\b|起|开始")


def _read_days(brief: Brief) -> list[list[Days]]:
    """The days that each turn tells; of a week of which so many days are meant those that a later turn names."""
    week = _find_week_of_some(brief)
    if week is None:
        told = [days for turn in brief.turns if (days := days_in(turn, brief.term))]
        text = fold_numbers(brief.own_words)
        found = _FEWER.search(text) if _FROM.search(text) else None
        if found and [len(days) for days in told] == [1] and told[0][0].first == told[0][0].last:
            more = timedelta(days=number_of(found["zh"] or found["en"]) - 1)
            return [[replace(told[0][0], last=told[0][0].first + more)]]
        return told
    spelled = (spell_in_week(_of_week(turn, week, brief), week, brief) for turn in brief.turns[1:])
    return [days for turn in spelled if (days := days_in(turn, brief.term))]


def _find_week_of_some(brief: Brief) -> int | None:
    """The week of which the request means so many days without telling them: away three days next week."""
    text = fold_numbers(brief.own_words)
    dated = any(one.weekdays or one.kind == "day" for one in read_times(text, brief.term))
    if _FROM.search(text) and dated:
        return None
    for clause in re.split(r"[,，.。;；]", text):
        times, found = read_times(clause, brief.term), _FEWER.search(clause)
        week = next((one.week for one in times if one.kind == "week"), None)
        if found and week and not any(one.weekdays or one.kind in ("day", "days") for one in times):
            return week
    return None


def _of_week(turn: str, week: int, brief: Brief) -> str:
    """An answer with the week before the end of one that it tells: the first three."""
    text = fold_text(turn)
    if found := END_OF_DAYS.fullmatch(text):
        text = f"{found['en']} of week {week}" if found["en"] else f"第{week}周{found['zh']}"
    return spell_out_times(text, (), brief.term.today)


def _away(brief: Brief, done: list[Any]) -> dict[str, Any]:
    told = (_read_days(brief) or [[]])[-1]
    # An illness that runs moves what it meets; days ahead are known to be lost, and stay free in every plan.
    runs = [("ill" if run.sections is None and run.first <= brief.term.today else "keep_free", run) for run in told]
    return _next_days(brief, runs, done)


def _keep_free(brief: Brief, done: list[Any]) -> dict[str, Any]:
    told = _read_days(brief)
    days = told[-1] if told else []
    if len(told) > 1 and _ALSO.search(fold_text(brief.turns[-1])):
        runs = [run for one in told for run in one]
        days = [replace(days[0], first=min(run.first for run in runs), last=max(run.last for run in runs))]
    return _next_days(brief, [("keep_free", run) for run in days], done)


def _next_days(brief: Brief, told: list[tuple[str, Days]], done: list[Any]) -> dict[str, Any]:
    """The first of several runs of days that is not done yet."""
    today = brief.term.today
    ahead = [(kind, run) for kind, run in told if kind != "keep_free" or run.last >= today]
    if told and not ahead and not done:
        return ask(brief, "which_days", brief.say(*ALL_BEHIND))
    wishes = [
        {"kind": kind, **_dates(replace(run, first=max(run.first, today)) if kind == "keep_free" else run)}
        for kind, run in ahead
    ]
    if not wishes and any(says(one, fold_text(brief.turns[-1])) for one in ("never_mind", "unknown_yet")):
        return give_up("kept", brief.say("好的，什么都没有改。", "All right, nothing was changed."))
    if not wishes:
        week = _find_week_of_some(brief)
        of_week = brief.say(f"第{week}周的哪几天？", f"Which days of week {week}?")
        named = find_named_days(brief.own_words, brief.term) or find_named_days(brief.turns[-1], brief.term)
        of_name = brief.say(f"「{named}」是哪几天？", f'Which days are "{named}"?') if named else ""
        of_name = of_name or brief.say("是哪几天？", "Which days?")
        return {} if done else ask(brief, "which_days", of_week if week else of_name)
    return next((wish for wish in wishes if not any(within(wish, row) for row in done)), {})


def _dates(days: Days) -> dict[str, Any]:
    found: dict[str, Any] = {"from_date": days.first.isoformat()}
    if days.last != days.first:
        found["to_date"] = days.last.isoformat()
    if days.sections is not None:
        found |= {"section_from": days.sections[0], "section_to": days.sections[1]}
    return found
