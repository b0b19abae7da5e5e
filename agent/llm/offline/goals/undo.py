"""Changes of the draft that are wished back: the last one, the last few, or all of them, as its log knows them."""

from __future__ import annotations

import re

from agent.llm.offline.goals.decisions import Decision, call, finish, give_up
from agent.llm.offline.goals.items.obstacles import refusal
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.classes.class_changes import find_written_class
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.revert import MOVES, find_changes
from agent.llm.offline.language.spans.targets import index_of, target_in
from agent.llm.offline.language.texts import find_written
from agent.loop.view_document import LogChangeView, PlaceView, TaskView

NOTHING = (
    "这次对话里草稿没有改动过，没有可以撤销的。课表里的改动，请在课表页点「撤销上次应用」。",
    "The draft has not been changed in this conversation, so there is nothing to undo. What is in the timetable "
    'already is taken back with "Undo last apply" on the timetable page.',
)
BUILT = (
    "排出计划之后草稿没有再改动过。要把整个计划撤掉，请说「把{name}全部移出」；课表里的改动，请在课表页点「撤销上次应用」。",
    'Nothing has been changed since the plan was made. To take all of it away, say "take all of {name} out"; what '
    'is in the timetable already is taken back with "Undo last apply" on the timetable page.',
)
APPLIED = (
    "应用到课表的，请在课表页点「撤销上次应用」，会回到应用之前；草稿我没有动。",
    'What was applied is taken back with "Undo last apply" on the timetable page: it is then as before. I left the '
    "draft as it is.",
)
DELETED = (
    "任务类已经删掉了，我不能恢复；要找回来，请在课表页点「撤销上次应用」。",
    'The task class is deleted, which I cannot take back; press "Undo last apply" on the timetable page to have it '
    "again.",
)
CLASS_WRITTEN = (
    "刚才改的是任务类，我不能直接撤销它，什么都没有改。要改回去请直接说：删掉的内容说「给{name}加回」和它的名字，"
    "改过的名字、日期或时间请再说一次原来的。",
    "The last change was one of a task class, which I cannot undo; nothing was changed. To have it back, "
    'say so: for an item that was removed "add … to {name}" with its name; for a name, a date or a time say the '
    "former one again.",
)
KEPT_FREE = (
    "好的，草稿没有改动。那天要是记过「空出时间」，请在课表的「调课、假期与考试」里删掉那一条，再说「从头排」就会用上它。",
    "All right; the draft is as it was. If that time was noted as kept free, delete the note on the timetable page "
    'under "Changes, days off and exams"; "rebuild" then uses it again.',
)
MOST = 10
"""Moves of one card."""
_APPLY = re.compile(r"应用|写[入进]|课表|\bappl(?:y|ied)\b|\btimetable\b")
_ALL = re.compile(
    r"(?:全部|所有|一切)(?!放|移|挪)|都(?:撤|恢复|还原)|最(?:初|开始|早)"
    r"|\b(?:all (?:of )?(?:the |my |your |these |those )?(?:changes|edits|moves|steps)|(?:undo|revert) (?:it )?all"
    r"|everything|original(?:ly)?|the start)\b"
)
_COUNT = re.compile(
    r"(\d{1,2})\s*(?:次|步|个(?:改动|修改|操作)|处)|\b(?:last|previous) (\d{1,2})\b"
    r"|\b(\d{1,2}) (?:changes|steps|moves)\b"
)


def undo_text(brief: Brief) -> str:
    """Why nothing is taken back here, and the way there; empty when something can be."""
    if _APPLY.search(fold_numbers(brief.request)):
        return brief.say(*APPLIED)
    if "delete_task_class" in find_written(brief):
        return brief.say(*DELETED)
    if {*find_written(brief)} == {"upsert_task_class"}:
        row = brief.class_of(next(iter(find_written_class(brief)), 0))
        return brief.say(*CLASS_WRITTEN, name=row["name"] if row else brief.say("任务类", "its class"))
    former, last = _find_former_places(brief), brief.view["last_change"]
    if _is_of_other_days(brief, former):
        return brief.say(*KEPT_FREE)
    built = last is not None and last["kind"] == "build" and any(place for _, place in former)
    built = built or not _find_former_places(brief, plans=False)
    if former and built and not _ALL.search(fold_numbers(brief.request)):
        row = brief.class_of(former[0][0]["class_id"])
        return brief.say(*BUILT, name=row["name"] if row else former[0][0]["name"])
    return "" if former else brief.say(*NOTHING)


def _is_of_other_days(brief: Brief, former: list[tuple[TaskView, PlaceView | None]]) -> bool:
    """Whether a day is to be as before, and no change that is to be taken back took anything from it."""
    target = target_in(brief.request, brief)
    days = [(place["week"], place["day_of_week"]) for _, place in former if place]
    there = [day for week, day in days if target.week in (None, week)]
    if not target.dated or says_it(brief.request):
        return False
    return not (set(there) & set(target.days) if target.days else there)


def undo_changes(brief: Brief) -> Decision | None:
    """The next step of a goal that takes changes back; None when the goal is another."""
    if intent_of(brief.request, brief) != "undo":
        return None
    refused = brief.last_answer("tool", "reject")
    if refused is not None:
        return give_up("kept", brief.say("好的，保持现在的样子。", "All right, it stays as it is."))
    last = brief.results[-1] if brief.results else None
    if last is not None and last["tool"] in MOVES and last["status"] != "done":
        timed = target_in(brief.request, brief).dated
        return give_up("refused", brief.say(*KEPT_FREE) if timed else refusal(brief, last))
    if brief.whole is not None and last is not None and last["tool"] in MOVES:
        return finish(brief, "undo: done")
    out, moved, placed = _steps(brief)
    if out:
        return (
            call(brief, "batch_unplace", {"task_ids": out})
            if len(out) > 1
            else call(brief, "unplace", {"task_id": out[0]})
        )
    if len(moved) > 1:
        return call(brief, "batch_move", {"moves": [_move(*one) for one in moved[:MOST]]})
    if moved:
        return call(brief, "move", _move(*moved[0]))
    if placed:
        task_id, day, first = placed[0]
        return call(brief, "place", {"task_id": task_id, "day": day, "slot_start": first})
    return finish(brief, "undo: done") if brief.changes else give_up("nothing_to_undo", brief.say(*NOTHING))


def _move(task_id: int, day: int, first: int) -> dict[str, int]:
    return {"task_id": task_id, "new_day": day, "new_slot_start": first}


def _steps(brief: Brief) -> tuple[list[int], list[tuple[int, int, int]], list[tuple[int, int, int]]]:
    """The items to take out, to move and to place, each with its former day and section."""
    out: list[int] = []
    moved: list[tuple[int, int, int]] = []
    placed: list[tuple[int, int, int]] = []
    for item, place in _find_former_places(brief, plans=False):
        if place is None:
            out += [item["state_id"]] if item["slot"] else []
            continue
        day = index_of(brief, place["week"], place["day_of_week"])
        if day is None or _is_at(item, place):
            continue
        (moved if item["slot"] else placed).append((item["state_id"], day, place["section_from"]))
    return out, moved, placed


def _is_at(item: TaskView, place: PlaceView) -> bool:
    slot = item["slot"]
    return slot is not None and (slot["week"], slot["day_of_week"], slot["slot_start"]) == (
        place["week"], place["day_of_week"], place["section_from"],
    )  # fmt: skip


def _is_whole_plan(entry: list[LogChangeView], brief: Brief) -> bool:
    """Whether a change of the draft is the plan that was made of all that has a place: it is taken away by name."""
    placed = {row["item_id"] for row in brief.tasks if row["slot"]}
    fresh = len(entry) > 1 and all(change["before"] is None for change in entry)
    return fresh and placed <= {change["item_id"] for change in entry}


def _find_former_places(brief: Brief, *, plans: bool = True) -> list[tuple[TaskView, PlaceView | None]]:
    """Where the items of the changes that are wished back stood before them; of a whole plan only with `plans`."""
    stack = find_changes(brief)
    text = fold_numbers(brief.request)
    count = _COUNT.search(text)
    many = len(stack) if _ALL.search(text) else int(next(filter(None, count.groups()))) if count else 1
    former: dict[int, PlaceView | None] = {}
    wished = stack[len(stack) - min(many, len(stack)) :]
    for entry in reversed([one for one in wished if plans or _ALL.search(text) or not _is_whole_plan(one, brief)]):
        former |= {change["item_id"]: change["before"] for change in entry}
    named = {row["item_id"] for row in items_in(brief.request, brief)} & set(former)
    rows = {row["item_id"]: row for row in brief.tasks if not named or row["item_id"] in named}
    return [(rows[item_id], place) for item_id, place in former.items() if item_id in rows]
