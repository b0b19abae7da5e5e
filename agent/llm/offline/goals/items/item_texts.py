"""Sentences about task items: which one, where it is, what was changed."""

from __future__ import annotations

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.texts import place_text, slot_text
from agent.loop.view_document import ChangeView, PlaceView, TaskView

MOST_LINES = 20


def item_text(brief: Brief, row: TaskView) -> str:
    """[8]第2章（概率论复习，第3周 周四 3-4节)."""
    owner = brief.class_of(row["class_id"])
    where = slot_text(brief, row["slot"])
    inside = brief.say("，", ", ").join(part for part in (owner["name"] if owner else "", where) if part)
    return brief.say("{name}（{inside}）", "{name} ({inside})", name=row["name"], inside=inside)


def no_place_yet(brief: Brief, item: TaskView) -> str:
    return brief.say(
        "{name} 还没有排进草稿。要安排它，请说放到哪里，例如「{name}放到周三下午」。",
        '{name} has no place in the draft yet. Say where to put it, for example "put {name} on Wednesday".',
        name=item["name"],
    )


def already_at(brief: Brief, item: TaskView) -> str:
    where = slot_text(brief, item["slot"])
    return brief.say("它已经在{where}了。换个时间的话，", "It is already at {where}. Otherwise:", where=where)


def stays_there(brief: Brief, item: TaskView) -> str:
    named = {"name": item["name"], "where": slot_text(brief, item["slot"])}
    return brief.say("{name}已经在{where}，不用移动。", "{name} is at {where} already; it stays.", **named)


def for_which(brief: Brief, item: TaskView) -> str:
    """The head of a list of places, with the item they are for."""
    named = {"name": item["name"]}
    return brief.say("{name} 可以放在：\n", " Possible places for {name}:\n", **named)


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
