"""What happens in a term: marks as the student says them, and plans made anew by least change.

A mark of a miss or of a part done is followed by a plan for what it leaves, a class with other dates by one that
follows them; the student agrees to each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from agent.llm.offline.goals.classes.class_request import has_more_classes
from agent.llm.offline.goals.decisions import Decision, ask, call, finish, give_up, within
from agent.llm.offline.goals.items.ahead import move_ahead
from agent.llm.offline.goals.items.item_request import ItemRequest
from agent.llm.offline.goals.items.item_texts import ALL_BEHIND, item_text, nothing_then
from agent.llm.offline.goals.items.many_items import amends_request
from agent.llm.offline.goals.items.together import move_together
from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.clauses import find_stayers, without_stayers
from agent.llm.offline.language.meaning.ellipsis import form_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import SURER, intent_of, label_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.happenings import (
    SPARED,
    Days,
    count_in,
    counts_as_missed,
    days_in,
    is_absence_ahead,
    is_dated,
    progress_in,
    wants_another_time,
)
from agent.llm.offline.language.spans.items.arrangements import read_spared
from agent.llm.offline.language.spans.items.groups import find_group, of_kind_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.references import meant_items
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, choice_in, classes_in, items_by_name, items_in
from agent.llm.offline.language.spans.targets import PlaceTarget, place_of, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.llm.offline.language.spans.times.words import number_of
from agent.loop.view_document import ResultView, TaskView

MARK, REPLAN, WRITE_CLASS = "mark_items", "replan", "upsert_task_class"
_ALSO = re.compile(r"也|还有|加上|\b(?:too|also|as well|and)\b")
FOLLOWS = {"missed": "missed", "partial": "rest"}
"""What is planned after a mark."""
LIGHTER_BY = 2
"""Sections that leave a week when no number is said: one double section."""
MOST_CHOICES = 5
NOTHING_BEHIND = (
    "那天没有已经过去的任务，什么都没有改。",
    "None of your tasks was on then, so none was missed; nothing was changed.",
)
PROGRESS = {
    "done": ("做完了", "done"),
    "partial": ("做了一部分", "partly done"),
    "missed": ("没做", "missed"),
    "open": ("还没做", "open"),
}
REFUSED = {
    "mark_not_begun": (
        "还没到它的时间，不能算没做。不想在那时做，请说移到哪里。",
        "Its time has not come yet, so it cannot be missed. To do it at another time, say where to move it.",
    ),
    "mark_not_placed": ("它没有安排时间，谈不上没做。", "It has no time yet, so it cannot be missed."),
    "mark_bad_rest": (
        "剩下的节数要比它原来的少，而且至少一节。请说还剩几节，做完了就说「做完了」。",
        "Fewer sections must be left than it had, and at least one. Say how many are left, or that it is done.",
    ),
    "no_place": ("没有空的位置了，草稿没有变。", "There is no free place left; the draft stays as it was."),
}


def carry_out_happening(brief: Brief) -> Decision | None:
    """The next step of a goal that marks or re-plans; None when the goal is another."""
    begun = intent_of(brief.request, brief)
    turns = brief.turns if begun not in ("class", "delete_class") else []
    turn = next((one for one in turns if intent_of(one, brief) in ("mark", "replan")), None)
    if turn is None or (turn != brief.request and amends_request(brief)):
        return _follow_dates(brief) if turn is None else None
    refused = brief.last_answer("tool", "reject")
    if refused is not None and (not refused["message"] or _declines(brief, refused["message"])):
        if _done(brief, MARK):
            return finish(brief, f"{MARK}: done")
        return give_up("kept", brief.say("好的，保持不变，什么都没有改。", "All right, nothing was changed."))
    last = brief.results[-1] if brief.results else None
    if last is not None and last["tool"] in (MARK, REPLAN) and last["status"] != "done":
        if last["tool"] == MARK and last["error_code"] == "no_change" and last["arguments"]["progress"] in FOLLOWS:
            return _plan_what_is_left(brief, last)
        empty = last["error_code"] == "no_change" and _is_of_days(last["arguments"])
        further = _replan(brief, turn) if empty else {}
        return further if "tool_call" in further else _tell_failure(brief, last)
    if intent_of(turn, brief) == "mark":
        return (move_ahead(brief, turn) if wants_another_time(turn) else None) or _mark(brief, turn)
    return _clear_but_stayers(brief, turn) or move_ahead(brief, turn) or _replan(brief, turn)


def _declines(brief: Brief, said: str) -> bool:
    """Whether words over a card only refuse it: 不同意, 取消，还是先不排."""
    text = fold_text(said)
    return any(says(word, text) for word in ("keep", "never_mind")) and not is_dated(said, brief.term)


def _done(brief: Brief, tool: str) -> ResultView | None:
    rows = [row for row in brief.results if row["tool"] == tool and row["status"] == "done"]
    return rows[-1] if rows else None


def _tell_failure(brief: Brief, failed: ResultView) -> Decision:
    if failed["error_code"] == "no_change":
        if any(_done(brief, tool) for tool in (MARK, REPLAN, WRITE_CLASS)):
            return finish(brief, f"{failed['tool']}: no change")
        return give_up("no_change", brief.say(*_nothing_to_do(brief, failed)))
    if failed["error_code"] == "no_place" and brief.changes:
        return finish(brief, f"{failed['tool']}: no place")
    told = REFUSED.get(failed["error_code"])
    if told is None:
        told = ("这次没有写成，可以再说一次。", "It was not written; please say it again.")
    return give_up(failed["error_code"] or "not_written", brief.say(*told))


def _nothing_to_do(brief: Brief, failed: ResultView) -> tuple[str, str]:
    if failed["tool"] == MARK:
        return "已经这样标过了，没有改动。", "It is marked like this already; nothing was changed."
    if failed["arguments"].get("kind") == "missed":
        days = _days_missed(brief, brief.request)
        if days and days[-1].last <= brief.term.today:
            return NOTHING_BEHIND
        past = _past_items(brief)
        if past:
            listed = (brief.say("；", "; ").join(past)).replace("{", "{{").replace("}", "}}")
            return (
                f"我不知道哪些没做完。已经过去的有：{listed}。哪几项没做？请直接说，例如「{past[0].split('（')[0]}没做」。",
                f"I cannot know what you did. What has passed: {listed}. Which of these did you miss?",
            )
        return (
            "没有算作没做的任务，现在不用改。哪一项没做，请直接说，例如「第2章没做」。",
            'Nothing counts as missed, so nothing has to change. Say which item you missed, for example "I missed '
            'chapter 2".',
        )
    if failed["arguments"].get("kind") in ("ill", "keep_free"):
        return "那段时间本来就没有排任务，不用改。", "Nothing of yours is planned then, so nothing has to change."
    if failed["arguments"].get("kind") == "lighten":
        return (
            "那一周后面没有可以移走的任务了，草稿没有变。",
            "There is nothing left in that week that could move; the draft stays as it was.",
        )
    return "现在不用改，草稿没有变。", "Nothing has to change now; the draft stays as it was."


def _past_items(brief: Brief) -> list[str]:
    """The items whose time has passed, the last ones first."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    slots = [(row["slot"], row) for row in brief.tasks if row["slot"]]
    past = [((s["week"], s["day_of_week"], s["slot_end"]), row) for s, row in slots]
    rows = [row for when, row in sorted(past, key=lambda pair: pair[0], reverse=True) if when <= now]
    return [item_text(brief, row) for row in rows[:6]]


MARKS = {"mark_done": "done", "mark_partly": "partial", "mark_missed": "missed", "unmark": "open"}


def _progress_of(brief: Brief, turn: str) -> str:
    """What a turn says of items: what it is surely meant for, else its words, else what it may be meant for."""
    if says("not_begun", fold_text(turn)):
        return "open"
    label, chance = aims_of(turn, brief)[0]
    sure = MARKS.get(label, "") if chance >= SURER and not counts_as_missed(turn) else ""
    return sure or progress_in(turn) or MARKS.get(label_of(turn, brief), "")


def _mark(brief: Brief, turn: str) -> Decision:
    progress = _progress_of(brief, turn)
    marked = _done(brief, MARK)
    if marked is not None:
        return _plan_what_is_left(brief, marked)
    items = _items(brief, turn)
    if isinstance(items, dict):
        return items
    drafted = {row["item_id"] for row in brief.tasks}
    there, gone = ([row for row in items if (row["item_id"] in drafted) is wanted] for wanted in (True, False))
    arguments: dict[str, Any] = {"progress": progress}
    if there:
        arguments["task_ids"] = [row["state_id"] for row in there]
    if gone:
        arguments["task_item_ids"] = [row["item_id"] for row in gone]
    left = count_in(turn) if progress == "partial" else None
    if left is not None:
        arguments["sections_left"] = min(4, max(1, left))
    return call(brief, MARK, arguments)


_SO_FAR = re.compile(
    r"(?:到目前|到现在|目前为止|迄今|之前|以前|前[1-9两几]个?(?:周|星期)|过去|已经过去)[^,，。;；]{0,8}(?:都|全部?|所有)"
    r"|\b(?:everything|all|whatever)\b[^,.;]{0,24}\b(?:so far|(?:up to|until|till) (?:now|today|yesterday)"
    r"|before today|in the past"
    r"|(?:has|have) passed|(?:is|are|was) over)\b"
)
"""All that lies behind."""


def _items(brief: Brief, first: str) -> list[TaskView] | Decision:
    """The items that are marked, or the question which ones."""
    for turn in reversed(brief.turns):
        if gone := _find_gone(brief, turn):
            return gone
        spared = read_spared(turn, brief)
        behind = [row for row in _begun(brief, brief.tasks) if row not in spared]
        owners = [] if spared else find_owners(turn, brief)
        behind = [row for row in behind if not owners or row["class_id"] in owners]
        if behind and _SO_FAR.search(fold_numbers(turn)):
            return behind
        group = find_group(turn, brief)
        if group is not None and group.timed and (owners := find_owners(turn, brief)):
            group = replace(group, items=[row for row in group.items if row["class_id"] in owners])
        if group is not None and not group.items:
            return give_up("nothing_then", nothing_then(brief, group.there))
        if group is not None and _progress_of(brief, turn) == "missed":
            group = replace(group, items=_begun(brief, _of_last_days(brief, turn, group.items)))
            if not group.items:
                return give_up("nothing_then", brief.say(*NOTHING_BEHIND))
        every = group is not None and (group.every or (group.timed and _progress_of(brief, turn) == "missed"))
        named = named_items(turn, brief) or find_mentioned(turn, brief)
        several = (group.items if group and every else []) or (named if len(named) > 1 else [])
        if several:
            return several
        found = [] if says("did_nothing", fold_text(turn)) else meant_items(turn, brief)
        then = [] if found else _stood_then(turn, brief)
        found = found or then
        chosen = choice_in(turn, MOST_CHOICES)
        options = items_in(first, brief)
        if chosen is not None and turn != first and chosen <= len(options):
            return [options[chosen - 1]]
        if len(found) == 1 or then:
            return found
        if len(found) > 1:
            lines = [f"{n}. {item_text(brief, row)}" for n, row in enumerate(found[:MOST_CHOICES], 1)]
            head = brief.say("是哪一项？\n", "Which one?\n")
            return ask(
                brief, "which_marked", head + "\n".join(lines), items=[row["item_id"] for row in found[:MOST_CHOICES]]
            )
    return ask(brief, "which_marked", brief.say("是哪一项？请说它的名字。", "Which item? Please say its name."))


def _find_gone(brief: Brief, turn: str) -> list[TaskView]:
    """The items that a turn names and that are done already and gave their place back."""
    held = {row["item_id"] for row in brief.tasks}
    planned = {row["class_id"] for row in brief.tasks}
    done = [row for row in all_items(brief) if row["item_id"] not in held and row["class_id"] in planned]
    named = items_by_name(turn, [*brief.tasks, *done], brief)
    return named if all(row["item_id"] not in held for row in named) else []


def _begun(brief: Brief, rows: list[TaskView]) -> list[TaskView]:
    """Of items those whose time has begun: nothing ahead can have been missed."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    return [row for row in rows if (s := row["slot"]) and (s["week"], s["day_of_week"], s["slot_start"]) <= now]


def _days_missed(brief: Brief, turn: str) -> list[Days]:
    """The days that the clause about what was missed names, not those to which it is to go."""
    turn = SPARED.sub(" ", fold_text(turn))
    told = (clause for clause in re.split(r"[,，。;；]", turn) if progress_in(clause) == "missed")
    return days_in(next(told, turn), brief.term)


def _of_last_days(brief: Brief, turn: str, rows: list[TaskView]) -> list[TaskView]:
    """Of items those of the last such days: Monday's in the past tense are those of the last Monday."""
    days = _days_missed(brief, turn)
    if not days or days[0].first > brief.term.today:
        return rows
    return [row for row in rows if _stands_in(row, days, brief)]


def _stands_in(row: TaskView, days: list[Days], brief: Brief) -> bool:
    """Whether an item stands on one of these days."""
    day = brief.term.day(slot["week"], slot["day_of_week"]) if (slot := row["slot"]) else None
    return day is not None and any(run.first <= day <= run.last for run in days)


def _stood_then(turn: str, brief: Brief) -> list[TaskView]:
    """The items of the days behind that a turn names: 昨天啥都没干."""
    today = brief.term.today
    days = [replace(run, last=min(run.last, today)) for run in days_in(turn, brief.term) if run.first <= today]
    owners = find_owners(turn, brief)
    rows = [row for row in brief.tasks if _stands_in(row, days, brief)] if says("past", fold_text(turn)) else []
    return [row for row in rows if not owners or row["class_id"] in owners]


def _stood_on(brief: Brief, turn: str) -> list[TaskView]:
    """The items of the days behind on which something was missed."""
    days = [replace(run, last=min(run.last, brief.term.today)) for run in _days_missed(brief, turn)]
    return [row for row in brief.tasks if _stands_in(row, [run for run in days if run.first <= run.last], brief)]


def _plan_what_is_left(brief: Brief, marked: ResultView) -> Decision:
    follows = FOLLOWS.get(marked["arguments"]["progress"])
    moved = any(row["tool"] in ("move", "batch_move") and row["status"] == "done" for row in brief.results)
    if follows is None or moved or _done(brief, REPLAN):
        return finish(brief, f"{MARK}: done")
    if (target := read_made_up(brief)) is not None:
        rows = [row for one in marked["arguments"].get("task_ids", ()) if (row := brief.task(one)) is not None]
        wanted = [(row, ItemRequest("move", item=row, target=target)) for row in rows]
        if (decision := move_together(brief, wanted, whole=True)) is not None:
            return decision
    return call(brief, REPLAN, {"kind": follows, "task_ids": marked["arguments"].get("task_ids", ())})


def read_made_up(brief: Brief) -> PlaceTarget | None:
    """When the items that were just marked are to be made up, in words over the card with another time for them."""
    refused = brief.last_answer("tool", "reject")
    turn = refused["message"] if refused is not None else ""
    marked = _done(brief, MARK)
    if not turn or marked is None or marked["arguments"]["progress"] not in FOLLOWS or says("asking", fold_text(turn)):
        return None
    named = {row["state_id"] for row in items_in(turn, brief)} - set(marked["arguments"].get("task_ids", ()))
    target = target_in(turn, brief)
    return target if target.said and not named and progress_in(turn) not in ("done", "missed") else None


def find_marked(brief: Brief) -> list[str]:
    """What the goal has marked: the names with their marks."""
    marked = _done(brief, MARK)
    if marked is None:
        return []
    word = brief.say(*PROGRESS[marked["arguments"]["progress"]])
    rows = [row for one in marked["arguments"].get("task_ids", ()) if (row := brief.task(one)) is not None]
    return [brief.say("{name}（{word}）", "{name} ({word})", name=row["name"], word=word) for row in rows]


def wants_it_made_up(brief: Brief) -> bool:
    """Whether words over the card with the new time only ask for one, which is consent to it: so catch me up."""
    refused = brief.last_answer("tool", "reject")
    turn = refused["message"] if refused is not None else ""
    call_shown = (refused["call"] if refused is not None else None) or {"name": "", "arguments": {}}
    marks = call_shown["name"] == MARK and call_shown["arguments"].get("progress") == "missed"
    if not turn or not (marks or _done(brief, MARK)) or read_made_up(brief) is not None or items_in(turn, brief):
        return False
    return says("makes_up", fold_text(turn)) and not is_dated(turn, brief.term)


def _replan(brief: Brief, turn: str) -> Decision:
    marked = _done(brief, MARK)
    if marked is not None:
        return _plan_what_is_left(brief, marked)
    rows = [row for row in brief.results if row["tool"] == REPLAN]
    done = [row["arguments"] for row in rows if row["status"] == "done" or row["error_code"] == "no_change"]
    wish = {} if done and not _is_of_days(done[-1]) else _wish(brief, turn, done)
    return wish if "action" in wish else call(brief, REPLAN, wish) if wish else finish(brief, f"{REPLAN}: done")


def _is_of_days(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("kind") in ("ill", "keep_free")


def _clear_but_stayers(brief: Brief, turn: str) -> Decision | None:
    """The items of the days one is away moved elsewhere, where others that stand there are to stay; None where no
    other is."""
    days = days_in(without_stayers(turn, brief), brief.term)
    text = fold_text(turn)
    if not days or any(says(one, text) for one in ("lighter", "finish_first", "missed", "not_done")):
        return None
    stayers = find_stayers(brief)
    if not stayers:
        return None
    moved = next(
        (row for row in brief.results if row["tool"] in ("move", "batch_move") and row["status"] == "done"), None
    )
    if moved is not None:
        return finish(brief, f"{moved['tool']}: done")
    spots = [
        PlaceTarget(run=(brief.term.week_day(run.first), brief.term.week_day(run.last)), part=run.sections)
        for run in days
    ]
    rows = [row for row in brief.tasks if (slot := row["slot"]) and any(spot.covers(slot) for spot in spots)]
    goes = [row for row in rows if row not in stayers]
    if not goes:
        stays = [item_text(brief, row) for row in rows]
        told = ("那段时间要动的都没有。留下的：{stays}。", "Nothing then has to move. What stays: {stays}.")
        none = ("那段时间本来就没有排任务，不用改。", "Nothing of yours is planned then, so nothing has to change.")
        listed = brief.say("；", "; ").join(stays)
        return give_up("no_change", brief.say(*told, stays=listed) if stays else brief.say(*none))
    requests = [(row, ItemRequest("move", item=row, avoided=[*spots], other_day=True)) for row in goes]
    return move_together(brief, requests, whole=False)


def _wish(brief: Brief, turn: str, done: list[Any]) -> dict[str, Any]:
    """The arguments of what is not done yet, or the question for what they lack; empty where all is done."""
    text = fold_text(turn)
    if says("finish_first", text):
        return _finish_first(brief)
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
        _stood_on(brief, turn)
        if aims_of(turn, brief)[0][0] in ("catch_up", "mark_missed") and not (rows or done)
        else []
    )
    behind = _begun(brief, of_kind_in(turn, stood, brief))
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
    said = [one for one, _ in _too_full(turn, brief)]
    week = next((one for one in said if one.kind == "week" and one.week), None)
    if week is not None:
        return max(1, week.week or 1)
    runs = (one for one in said if one.kind == "days" and one.first and one.last)
    long = next((one.first for one in runs if one.first and one.last and (one.last - one.first).days > 1), None)
    return max(1, brief.term.week_day(long)[0]) if long else None


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
    held = Counter(day for row in brief.tasks if (day := _day_of(row, brief)) and day >= brief.term.today)
    target = place_of(times, brief.term)
    meant = {_day_of(row, brief) for row in brief.tasks if (slot := row["slot"]) and target.covers(slot)}
    named = [day for day in sorted(held) if day in meant]
    if not target.said:
        return ask(brief, "which_week", brief.say("哪一周要少一点？", "Which week should be lighter?"))
    if not named:
        none = ("那天没有任务，什么都没有改。", "Nothing of yours is on that day; nothing was changed.")
        return give_up("no_lighter_day", brief.say(*none))
    then = {"from_date": named[0].isoformat(), "to_date": named[0].isoformat()}
    less = {"a_day": held[named[0]] - 1, "during": [then]} if held[named[0]] > 1 else {"without": [then]}
    return {"kind": "limits", "limits": [less]}


def _day_of(row: TaskView, brief: Brief) -> date | None:
    slot = row["slot"]
    return brief.term.day(slot["week"], slot["day_of_week"]) if slot else None


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


def _away(brief: Brief, done: list[Any]) -> dict[str, Any]:
    told = next((days for turn in reversed(brief.turns) if (days := days_in(turn, brief.term))), [])
    # An illness that runs moves what it meets; days ahead are known to be lost, and stay free in every plan.
    runs = [("ill" if run.sections is None and run.first <= brief.term.today else "keep_free", run) for run in told]
    return _next_days(brief, runs, done)


def _keep_free(brief: Brief, done: list[Any]) -> dict[str, Any]:
    told = [days for turn in brief.turns if (days := days_in(turn, brief.term))]
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
    if not wishes:
        return {} if done else ask(brief, "which_days", brief.say("是哪几天？", "Which days?"))
    return next((wish for wish in wishes if not any(within(wish, row) for row in done)), {})


def _dates(days: Days) -> dict[str, Any]:
    found: dict[str, Any] = {"from_date": days.first.isoformat()}
    if days.last != days.first:
        found["to_date"] = days.last.isoformat()
    if days.sections is not None:
        found |= {"section_from": days.sections[0], "section_to": days.sections[1]}
    return found


def _follow_dates(brief: Brief) -> Decision | None:
    """After classes were given other dates or times, their items that stand or wait are lined up with them."""
    planned_next = brief.view["needs_rough_build"] and (brief.whole is None or Features(brief.request, brief).builds)
    if intent_of(brief.request, brief) != "class" or planned_next or brief.view["plan"]:
        return None
    if has_more_classes(brief) or brief.last_answer("tool", "reject") is not None:
        return None
    mended = [row for row in brief.results if row["tool"] == REPLAN and row["arguments"].get("kind") == "mend"]
    tried = [row["arguments"].get("task_class_id") for row in mended]
    left = next((class_id for class_id in _find_changed_classes(brief) if class_id not in tried), None)
    last = brief.results[-1] if brief.results else None
    if left is None and last in mended and last["status"] != "done":
        return _tell_failure(brief, last)
    if left is None:
        return finish(brief, f"{WRITE_CLASS}: done") if tried else None
    return call(brief, REPLAN, {"kind": "mend", "task_class_id": left})


def _find_changed_classes(brief: Brief) -> list[int]:
    """The planned classes whose dates, times or order were changed in this goal; of several those with items that
    wait, of those in another order the ones in which an item lost its place."""
    written = [row for row in brief.results if row["tool"] == WRITE_CLASS and row["status"] == "done"]
    changed: list[int] = []
    for row in written:
        values, class_id = row["arguments"].get("task_class") or {}, int(row["data"].get("task_class_id") or 0)
        own = [task for task in brief.tasks if task["class_id"] == class_id]
        built = any(one["tool"] == "smart_planning" for one in brief.results)
        if brief.whole is not None and any(one is row for one in _find_written_before_plan(brief.whole)):
            continue
        lost = [one for one in brief.changes if one["task_class_id"] == class_id and one["before"] and not one["after"]]
        planned = built or any(task["slot"] for task in own) or bool(lost)
        waits = any(not task["slot"] for task in own)
        if {"start_date", "end_date", "config"} & set(values) and not row["data"].get("created") and planned:
            changed += [class_id] if waits or len(written) == 1 else []
        if class_id not in changed and row["arguments"].get("items") and waits and lost:
            changed.append(class_id)
    return changed


def _find_written_before_plan(brief: Brief) -> list[ResultView]:
    """The results before the last plan of several requests, which keeps to what was written there."""
    at = max((n for n, one in enumerate(brief.results) if one["tool"] == "smart_planning"), default=0)
    return list(brief.results[:at])


def scope_of_happening(brief: Brief) -> list[int]:
    """The classes that are needed besides those of the scope: named, or owning an item that is meant."""
    ids = set(classes_in(brief.message, brief.classes))
    if not items_in(brief.message, brief):
        ids |= {row["class_id"] for row in items_in(brief.message, brief, among=all_items(brief))}
    return sorted({*brief.scope, *ids}) if ids - set(brief.scope) else []


def exam_text(brief: Brief) -> str:
    """What was written of an exam that moved, and of the classes that end with it."""
    rows = [row for row in brief.results if row["tool"] == REPLAN and row["status"] == "done"]
    told = [line for row in rows for line in ((row["data"] or {}).get("written") or {}).get(brief.language, ())]
    return brief.say("", " ").join(dict.fromkeys(told))


def marked_text(brief: Brief) -> str:
    """What was marked in this goal."""
    marks = [row for row in brief.results if row["tool"] == MARK and row["status"] == "done"]
    return "\n".join(_tell_marked(brief, one) for one in marks)


def _tell_marked(brief: Brief, marked: ResultView) -> str:
    rows = (marked["data"] or {}).get("marks") or []
    names = brief.say("、", ", ").join(str(row["name"]) for row in rows)
    word = brief.say(*PROGRESS[str(marked["arguments"]["progress"])])
    told = brief.say("已记下：{names}，{word}。", "Noted: {names}, {word}.", names=names, word=word)
    left = {row["sections_left"] for row in rows} - {None}
    if len(left) == 1:
        told += brief.say("还剩 {n} 节。", " Sections left: {n}.", n=left.pop())
    return told + _elsewhere_text(brief, marked["arguments"].get("task_ids", ()))


_MADE_UP = re.compile(
    r"(?:补|放|排|挪|移|改)[到在](?P<zh>[^,，。;；]+)|\b(?:put|move|do|rest|reschedule|catch)\b(?P<en>[^.;]+)"
)
"""When what was missed is to be done."""


def _moved_since(brief: Brief) -> set[int]:
    """The items that were moved in this goal by a request of their own, which tells itself where they are."""
    done = [row["arguments"] for row in (brief.whole or brief).results if row["status"] == "done"]
    return {given["task_id"] for row in done for given in (row, *row.get("moves", ())) if "new_day" in given}


def _elsewhere_text(brief: Brief, ids: list[int]) -> str:
    """What was missed and did not come to the days that were said for it."""
    match = _MADE_UP.search(fold_text(brief.request))
    asked = asked_in(match["zh"] or match["en"], brief) if match else None
    rows = [row for row in brief.tasks if row["state_id"] in ids and (slot := row["slot"]) and asked
            and not asked.covers(slot, brief) and row["state_id"] not in _moved_since(brief)]  # fmt: skip
    if asked is None or not asked.timed or not rows:
        return ""
    return brief.say(
        "没有放到你说的时间的：{names}。要改请说「把{first}移到…」。",
        ' Not at the time you said: {names}. To change that, say "move {first} to ...".',
        names=brief.say("、", ", ").join(row["name"] for row in rows), first=rows[0]["name"],
    )  # fmt: skip
