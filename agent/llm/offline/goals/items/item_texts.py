"""Sentences about task items: which one, also of several that a request leaves open, where it is, what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.llm.offline.goals.decisions import Decision, ask, ask_which, give_up
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import name_of
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.meaning.ellipsis import leaves_it_open
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.counted import find_alternatives
from agent.llm.offline.language.spans.items.groups import Group
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.targets import PlaceTarget, target_in
from agent.llm.offline.language.texts import dated_text, day_text, place_text, run_text, slot_text
from agent.loop.view_document import ChangeView, GoalTurnView, PlaceView, TaskView

MOST_LINES = 20
MOST_CHOICES = 5


def item_text(brief: Brief, row: TaskView) -> str:
    """[8]第2章（概率论复习，第3周 周四 3-4节)."""
    owner = brief.class_of(row["class_id"])
    where = slot_text(brief, row["slot"])
    inside = brief.say("，", ", ").join(part for part in (owner["name"] if owner else "", where) if part)
    return brief.say("{name}（{inside}）", "{name} ({inside})", name=row["name"], inside=inside)


def ask_which_item(brief: Brief, topic: str, rows: Sequence[TaskView]) -> Decision:
    """The question which of several items is meant: the first ones numbered, with their buttons, and how many more."""
    shown, left = rows[:MOST_CHOICES], len(rows) - MOST_CHOICES
    lines = [brief.say("是哪一项？", "Which one?")]
    lines += [f"{number}. {item_text(brief, row)}" for number, row in enumerate(shown, start=1)]
    more = ("…另有 {n} 项，也可以说名字", "... and {n} more; a name will do as well")
    lines += [brief.say(*more, n=left)] if left > 0 else []
    names, ids = [row["name"] for row in shown], [row["item_id"] for row in rows]
    return ask_which(brief, topic, "\n".join(lines), names, items=ids)


def no_place_yet(brief: Brief, item: TaskView) -> str:
    return brief.say(
        "{name} 还没有排进草稿。要安排它，请说放到哪里，例如「{name}放到周三下午」。",
        '{name} has no place in the draft yet. Say where to put it, for example "put {name} on Wednesday".',
        name=item["name"],
    )


def already_at(brief: Brief, item: TaskView) -> str:
    where = slot_text(brief, item["slot"])
    return brief.say("它已经在{where}了。换个时间的话，", "It is already at {where}. Otherwise:", where=where)


def not_so_many(brief: Brief, rows: list[TaskView]) -> str:
    """What is at a time where another number of items was said."""
    lines = (f"{row['name']} {slot_text(brief, row['slot'])}" for row in rows)
    return brief.say(
        "那时候有 {n} 项，不是你说的那么多：{rows}。要动哪一项，请说它的名字。",
        "Not as many as you said are there then, but {n}: {rows}. Please say by name what should change.",
        n=len(rows), rows=brief.say("、", ", ").join(lines),
    )  # fmt: skip


ALL_BEHIND = (
    "那几天已经过去，空不出来了。要空出以后的哪几天？",
    "Those days have passed, they cannot be kept free. Which days ahead?",
)


def is_behind(brief: Brief, there: PlaceTarget) -> bool:
    """Whether all days of a time lie in the past."""
    last = there.run[1] if there.run else (there.week, max(there.days)) if there.week and there.days else None
    return last is not None and brief.term.day(*last) < brief.term.today


def tell_nothing_then(brief: Brief, group: Group) -> Decision:
    """That nothing of what was picked is at its time; of days that have passed, which ones ahead are meant."""
    if group.others:
        return give_up("nothing_then", not_so_many(brief, group.others))
    if is_behind(brief, group.there):
        return ask(brief, "which_days", brief.say(*ALL_BEHIND))
    return give_up("nothing_then", nothing_then(brief, group.there))


def nothing_then(brief: Brief, there: PlaceTarget) -> str:
    """That nothing of what was picked is at a time, and what is nearest to it where the days are known."""
    when = target_text(brief, there) or brief.say("那个时间", "then")
    told = brief.say(
        "{when}没有这样的任务，什么都没有改。", "No such item is on: {when}. Nothing was changed.", when=when
    )
    day = there.run[0] if there.run else (there.week, there.days[0]) if there.week and there.days else None
    rows = sorted((row for row in brief.tasks if row["slot"]), key=lambda row: _day_of(row))
    if day is None or not rows:
        return told
    near = [*[row for row in rows if _day_of(row) < day][-1:], *[row for row in rows if _day_of(row) > day][:1]]
    near = [row for row in rows if _day_of(row) == day] or near
    lines = (f"{row['name']} {slot_text(brief, row['slot'])}" for row in near)
    return (
        told
        + brief.say("离得最近的是：", " Nearest to it: ")
        + brief.say("、", ", ").join(lines)
        + brief.say("。", ".")
    )


def _day_of(row: TaskView) -> tuple[int, int]:
    slot = row["slot"]
    return (slot["week"], slot["day_of_week"]) if slot else (99, 0)


def target_text(brief: Brief, target: PlaceTarget) -> str:
    """A time in words: its days with their dates, the part of the day, the sections."""
    days = ""
    if target.run:
        days = run_text(brief, brief.term.day(*target.run[0]), brief.term.day(*target.run[1]))
    elif target.week and len(target.days) > 2 and target.days[-1] - target.days[0] == len(target.days) - 1:
        days = run_text(
            brief, brief.term.day(target.week, target.days[0]), brief.term.day(target.week, target.days[-1])
        )
    elif target.week and target.days:
        days = brief.say("、", ", ").join(dated_text(brief, target.week, day) for day in target.days)
    elif target.week:
        days = run_text(brief, brief.term.day(target.week, 1), brief.term.day(target.week, 7))
    else:
        days = brief.say("、", ", ").join(day_text(brief, 1, day).split(" ")[-1] for day in target.days)
    first, last = target.sections or target.part or (0, None)
    hours = f"{first}-{last}" if last and last != first else str(first)
    return brief.say("", " ").join(filter(None, [days, brief.say(" {h}节", "{h}", h=hours) if first else ""]))


def stays_there(brief: Brief, item: TaskView) -> str:
    named = {"name": item["name"], "where": slot_text(brief, item["slot"])}
    return brief.say("{name}已经在{where}，不用移动。", "{name} is at {where} already; it stays.", **named)


def for_which(brief: Brief, item: TaskView) -> str:
    """The head of a list of places, with the item they are for."""
    named = {"name": item["name"]}
    return brief.say("{name} 可以放在：\n", " Possible places for {name}:\n", **named)


def tell_stayers(brief: Brief, rows: Sequence[TaskView]) -> str:
    """That items stay where they are, as the student wants it."""
    listed = brief.say("；", "; ").join(item_text(brief, row) for row in rows)
    return brief.say("按你说的没有动：{items}。", "Left where it is, as you asked: {items}.", items=listed)


def change_lines(brief: Brief, changes: list[ChangeView]) -> list[str]:
    """Changes of the draft, a line each: from where to where."""
    lines = [_line(brief, change) for change in changes[:MOST_LINES]]
    left = len(changes) - MOST_LINES
    return [*lines, brief.say("…另有 {n} 项", "... and {n} more", n=left)] if left > 0 else lines


def _line(brief: Brief, change: ChangeView) -> str:
    before, after = _place(brief, change["before"]), _place(brief, change["after"])
    unplaced = brief.say("待安排", "unplaced")
    what = after if not before and after else f"{before} → {after or unplaced}"
    return brief.say("{name}：{what}", "{name}: {what}", name=change["name"], what=what)


def _place(brief: Brief, place: PlaceView | None) -> str:
    if not place:
        return ""
    return place_text(brief, place["week"], place["day_of_week"], place["section_from"], place["section_to"])


TOPIC = "item_of_several"
_OF_ONE = (*(one for one in OPERATIONS if one != "swap"), "class", "mark")
"""What may be wanted of one item."""


def ask_which_of(brief: Brief) -> Decision | None:
    """The question which of the items that a request leaves open is meant."""
    rows, _ = find_alternatives(brief.request, brief)
    if not rows or intent_of(brief.request, brief) not in _OF_ONE:
        return None
    return ask_which_item(brief, TOPIC, rows)


def choose_one_of(brief: Brief) -> Brief:
    """The brief with the item that the student chose when asked, in the place of those that the request left open."""
    turns = brief.view["turns"]
    asked = any(row["topic"] == TOPIC for row in brief.asked)
    rows, said = find_alternatives(brief.request, brief) if asked and len(turns) > 1 else ((), "")
    chosen = _find_chosen(turns[1]["text"], rows, brief) if rows else None
    if chosen is None:
        return brief
    request = fold_text(brief.request).replace("或者", "或").replace(said, name_of(chosen, brief), 1)
    begun: GoalTurnView = {**turns[0], "text": request}
    left = [begun, *turns[2:]]
    message = left[-1]["text"] if len(left) > 1 else request
    return replace(brief, view={**brief.view, "request": request, "turns": left, "message": message})


def _find_chosen(answer: str, rows: tuple[TaskView, ...], brief: Brief) -> TaskView | None:
    """The one of these items that an answer names, by its number, its name or its day."""
    number = choice_in(answer, len(rows)) or (1 if leaves_it_open(answer) else None)
    if number:
        return rows[number - 1]
    named = items_in(answer, brief, among=rows)
    target = target_in(answer, brief)
    then = [row for row in rows if target.dated and row["slot"] and target.covers(row["slot"])]
    return next((found[0] for found in (named, then) if len(found) == 1), None)
