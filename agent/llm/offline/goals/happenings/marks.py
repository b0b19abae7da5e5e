"""Marks of what was done or missed: what was written of them, told, and when it is to be made up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.llm.offline.goals.decisions import Decision, ask, give_up
from agent.llm.offline.goals.items.item_texts import MOST_CHOICES, ask_which_item, nothing_then
from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.aims import SURER, aims_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import OPERATIONS, Intent
from agent.llm.offline.language.meaning.intents import intent_of, label_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.plain.progress import tells_part_of_class
from agent.llm.offline.language.spans.classes.class_times import excludes, find_owners
from agent.llm.offline.language.spans.happenings import (
    SPARED,
    Days,
    counts_as_missed,
    days_in,
    is_dated,
    progress_in,
)
from agent.llm.offline.language.spans.items.arrangements import read_spared, tell_left_over, without_spared
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.references import meant_items
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_by_name, items_in
from agent.llm.offline.language.spans.targets import PlaceTarget, target_from, target_in, tells_time
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import ResultView, TaskView

MARK, REPLAN, WRITE_CLASS = "mark_items", "replan", "upsert_task_class"
FOLLOWS = {"missed": "missed", "partial": "rest"}
"""What is planned after a mark."""
PROGRESS = {
    "done": ("做完了", "done"),
    "partial": ("做了一部分", "partly done"),
    "missed": ("没做", "missed"),
    "open": ("还没做", "open"),
}


def find_done(brief: Brief, tool: str) -> ResultView | None:
    rows = brief.done(tool)
    return rows[-1] if rows else None


def read_made_up(brief: Brief) -> PlaceTarget | None:
    """When the items that were just marked are to be made up, in words over the card with another time for them."""
    refused, told = brief.last_answer("tool", "reject"), brief.turns[1:]
    turn = refused["message"] if refused is not None else told[-1] if told else ""  # or over the card of the mark
    marked = find_done(brief, MARK)
    text, given = fold_text(turn), marked["arguments"] if marked else {"progress": ""}
    asks = says("asking", text) and not (says("polite_form", text) or says("makes_up", text))
    if not turn or given["progress"] not in FOLLOWS or asks:
        return None
    named = {row["state_id"] for row in items_in(turn, brief)} - set(given.get("task_ids", ()))
    slots = [row["slot"] for row in brief.tasks if row["state_id"] in given.get("task_ids", ())]
    target = target_from(turn, slots[0], brief) if slots and slots[0] else target_in(turn, brief)
    again = progress_in(turn) not in ("done", "missed") or says("makes_up", fold_text(turn))
    return target if target.said and not named and again else None


def find_marked(brief: Brief) -> list[str]:
    """What the goal has marked: the names with their marks."""
    marked = find_done(brief, MARK)
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
    if not turn or not (marks or find_done(brief, MARK)) or read_made_up(brief) is not None or items_in(turn, brief):
        return False
    if says("asking", fold_text(turn)) and (says("when_asked", fold_text(turn)) or says("question", fold_text(turn))):
        return False
    if marks and tells_new_time(
        turn, [row for row in map(brief.task, call_shown["arguments"]["task_ids"]) if row], brief
    ):
        return True
    return says("makes_up", fold_text(turn)) and (marks or not is_dated(turn, brief.term))


def tells_new_time(text: str, rows: Sequence[TaskView], brief: Brief) -> bool:
    """Whether words behind what was missed only tell a time ahead at which it can be: thursday evening would work."""
    target, folded = target_in(text, brief), fold_text(text)
    if not target.dated or not rows or Features(text, brief).asks or says("asking", folded) or excludes(folded):
        return False
    if any(one.role for one in read_times(folded, brief.term)) or progress_in(text) in ("done", "missed", "partial"):
        return False
    if items_in(text, brief) or classes_in(text, brief.classes) or intent_of(text, brief) not in _PUTS_IT:
        return False
    now = (brief.now["week"], brief.now["day_of_week"])
    ahead = all(((target.week or now[0]), day) >= now for day in target.days) if target.week else True
    return ahead and not any(row["slot"] and target.covers(row["slot"]) for row in rows)


_PUTS_IT: tuple[Intent, ...] = (*OPERATIONS, "other", "free", "wish", "build", "mark")
"""What words with a time may look like that only tell where something can be."""


def exam_text(brief: Brief) -> str:
    """What was written of an exam that moved, and of the classes that end with it."""
    rows = brief.done(REPLAN)
    told = [line for row in rows for line in ((row["data"] or {}).get("written") or {}).get(brief.language, ())]
    return brief.say("", " ").join(dict.fromkeys(told))


def marked_text(brief: Brief) -> str:
    """What was marked in this goal."""
    marks = brief.done(MARK)
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


NOTHING_BEHIND = (
    "那天没有已经过去的任务，什么都没有改。",
    "None of your items was on then, so none was missed; nothing was changed.",
)


MARKS = {"mark_done": "done", "mark_partly": "partial", "mark_missed": "missed", "unmark": "open"}


def progress_of(brief: Brief, turn: str) -> str:
    """What a turn says of items: what it is surely meant for, else its words, else what it may be meant for."""
    if says("not_begun", fold_text(turn)):
        return "open"
    label, chance = aims_of(turn, brief)[0]
    sure = MARKS.get(label, "") if chance >= SURER and not counts_as_missed(turn) else ""
    told = progress_in(turn)
    return (told if told == "partial" else sure) or told or MARKS.get(label_of(turn, brief), "")


_SO_FAR = re.compile(
    r"(?:到目前|到现在|目前为止|迄今|之前|以前|前[1-9两几]个?(?:周|星期)|过去|已经过去)[^,，。;；]{0,8}(?:都|全部?|所有)"
    r"|\b(?:everything|all|whatever)\b[^,.;]{0,24}\b(?:so far|(?:up to|until|till) (?:now|today|yesterday)"
    r"|before today|in the past"
    r"|(?:has|have) passed|(?:is|are|was) over)\b"
)
"""All that lies behind."""


def _moves_it(turn: str, brief: Brief) -> bool:
    """Whether a later turn tells when something is to be, not what was done: make that one tomorrow."""
    goes = tells_time(turn, brief) and _MAKE_IT.search(fold_text(turn)) is not None and not progress_in(turn)
    return goes or says("makes_up", fold_text(turn))


_MAKE_IT = re.compile(r"\b(?:make|do|have|put) .+\b(?:today|tomorrow|tonight|on|next|this)\b|(?:放|排|挪|改)[到在成]?")


def find_items_to_mark(brief: Brief, first: str) -> list[TaskView] | Decision:
    """The items that are marked, or the question which ones."""
    for turn in reversed([one for one in brief.turns if one == first or not _moves_it(one, brief)]):
        if gone := _find_gone(brief, turn):
            return gone
        if tells_part_of_class(turn, brief) and (whole := _find_class_whole(brief, turn)):
            return ask_which_item(brief, "which_marked", whole)
        over, turn = tell_left_over(turn, brief)
        spared = [*over, *read_spared(turn, brief)]
        left = {row["item_id"] for row in spared}
        behind = [row for row in keep_begun(brief, brief.tasks) if row not in spared]
        owners = [] if spared else find_owners(turn, brief)
        behind = [row for row in behind if not owners or row["class_id"] in owners]
        if behind and _SO_FAR.search(fold_numbers(turn)):
            return behind
        group = find_group(turn, brief) or (find_group(without_spared(turn, brief) or turn, brief) if spared else None)
        if group is not None and spared:
            group = replace(group, items=[row for row in group.items if row not in spared])
        if group is not None and group.timed and (owners := find_owners(turn, brief)):
            group = replace(group, items=[row for row in group.items if row["class_id"] in owners])
        if group is not None and not group.items:
            return give_up("nothing_then", nothing_then(brief, group.there))
        if group is not None and progress_of(brief, turn) == "missed":
            group = replace(group, items=keep_begun(brief, _of_last_days(brief, turn, group.items)))
            if not group.items:
                return give_up("nothing_then", brief.say(*NOTHING_BEHIND))
        every = group is not None and (group.every or (group.timed and progress_of(brief, turn) == "missed"))
        named = [row for row in named_items(turn, brief) or find_mentioned(turn, brief) if row not in spared]
        if spared and len(named) == 1:
            return named
        several = (group.items if group and every else []) or (named if len(named) > 1 else [])
        if several:
            return several
        found = [] if says("did_nothing", fold_text(turn)) else meant_items(turn, brief)
        found = [row for row in found if row not in spared]
        then = [] if found else _stood_then(turn, brief)
        found = found or then
        chosen = choice_in(turn, MOST_CHOICES)
        options = items_in(first, brief)
        if chosen is not None and turn != first and chosen <= len(options):
            return [options[chosen - 1]]
        if len(found) == 1 or then:
            return found
        if not found and (whole := [row for row in _find_class_whole(brief, turn) if row["item_id"] not in left]):
            return whole
        if len(found) > 1:
            return ask_which_item(brief, "which_marked", found)
        if turn == first and progress_of(brief, turn) == "missed" and asked_in(turn, brief).timed:
            return give_up("nothing_then", brief.say(*NOTHING_BEHIND))
    return ask(brief, "which_marked", brief.say("是哪一项？请说它的名字。", "Which item? Please say its name."))


def _find_class_whole(brief: Brief, turn: str) -> list[TaskView]:
    """The items of the one class that a turn names, planned or not: vocab is done."""
    named = classes_in(turn, brief.classes)
    if len(named) != 1 or days_in(turn, brief.term):
        return []
    drafted = {row["item_id"]: row for row in brief.tasks}
    return [drafted.get(row["item_id"], row) for row in all_items(brief) if [row["class_id"]] == named]


def _find_gone(brief: Brief, turn: str) -> list[TaskView]:
    """The items that a turn names and that are done already and gave their place back."""
    held = {row["item_id"] for row in brief.tasks}
    planned = {row["class_id"] for row in brief.tasks}
    done = [row for row in all_items(brief) if row["item_id"] not in held and row["class_id"] in planned]
    named = items_by_name(turn, [*brief.tasks, *done], brief)
    return named if all(row["item_id"] not in held for row in named) else []


def keep_begun(brief: Brief, rows: list[TaskView]) -> list[TaskView]:
    """Of items those whose time has begun: nothing ahead can have been missed."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    return [row for row in rows if (s := row["slot"]) and (s["week"], s["day_of_week"], s["slot_start"]) <= now]


def find_days_missed(brief: Brief, turn: str) -> list[Days]:
    """The days that the clause about what was missed names, not those to which it is to go."""
    turn = SPARED.sub(" ", fold_text(turn))
    told = (clause for clause in re.split(r"[,，。;；]", turn) if progress_in(clause) == "missed")
    return days_in(next(told, turn), brief.term)


def _of_last_days(brief: Brief, turn: str, rows: list[TaskView]) -> list[TaskView]:
    """Of items those of the last such days: Monday's in the past tense are those of the last Monday."""
    days = find_days_missed(brief, turn)
    if not days or days[0].first > brief.term.today:
        return rows
    return [row for row in rows if _stands_in(row, days, brief)]


def _stands_in(row: TaskView, days: list[Days], brief: Brief) -> bool:
    """Whether an item stands on one of these days."""
    day = brief.day_of(slot) if (slot := row["slot"]) else None
    return day is not None and any(run.first <= day <= run.last for run in days)


def _stood_then(turn: str, brief: Brief) -> list[TaskView]:
    """The items of the days behind that a turn names: 昨天啥都没干."""
    today = brief.term.today
    days = [replace(run, last=min(run.last, today)) for run in days_in(turn, brief.term) if run.first <= today]
    owners = find_owners(turn, brief)
    rows = [row for row in brief.tasks if _stands_in(row, days, brief)] if says("past", fold_text(turn)) else []
    return [row for row in rows if not owners or row["class_id"] in owners]


def find_stood_on(brief: Brief, turn: str) -> list[TaskView]:
    """The items of the days behind on which something was missed."""
    days = [replace(run, last=min(run.last, brief.term.today)) for run in find_days_missed(brief, turn)]
    return [row for row in brief.tasks if _stands_in(row, [run for run in days if run.first <= run.last], brief)]
