"""Marks of what was done or missed: what was written of them, told, and when it is to be made up."""

from __future__ import annotations

import re

from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.happenings import (
    is_dated,
    progress_in,
)
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.targets import PlaceTarget, target_from, target_in
from agent.loop.view_document import ResultView

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
    return says("makes_up", fold_text(turn)) and (marks or not is_dated(turn, brief.term))


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
