"""What happens in a term: marks as the student says them, and plans made anew by least change.

A mark of a miss or of a part done is followed by a plan for what it leaves, a class with other dates by one that
follows them; the student agrees to each.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from agent.llm.offline.goals.classes.class_request import has_more_classes
from agent.llm.offline.goals.decisions import Decision, call, finish, give_up, say_after_that
from agent.llm.offline.goals.happenings.marks import (
    FOLLOWS,
    MARK,
    NOTHING_BEHIND,
    REPLAN,
    WRITE_CLASS,
    find_days_missed,
    find_done,
    find_items_to_mark,
    progress_of,
    read_made_up,
)
from agent.llm.offline.goals.happenings.replan_wish import read_wish
from agent.llm.offline.goals.items.item_request import ItemRequest
from agent.llm.offline.goals.items.item_texts import item_text
from agent.llm.offline.goals.items.many_items import amends_request
from agent.llm.offline.goals.items.offers import was_rejected
from agent.llm.offline.goals.items.together import move_together
from agent.llm.offline.language.brief import Brief, slot_of
from agent.llm.offline.language.dialogue.entities import join_names
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.clauses import find_stayers, without_stayers
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.classes.item_lengths import read_lengths
from agent.llm.offline.language.spans.happenings import (
    count_in,
    days_in,
    progress_in,
    wants_another_time,
)
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.revert import find_last_place
from agent.llm.offline.language.spans.targets import PlaceTarget, index_of
from agent.llm.offline.language.texts import date_text, tell_kept
from agent.loop.view_document import ResultView, TaskView

SCOPE_MAX = 20
"""Classes that a conversation plans at most."""
_FIND = "find_first_free"
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
    if refused is not None and not refused["message"]:
        if find_done(brief, MARK):
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
    return _clear_but_stayers(brief, turn) or move_ahead(brief, _name_missed(brief, turn)) or _replan(brief, turn)


def _name_missed(brief: Brief, turn: str) -> str:
    """A wish to catch up that names nothing, with the items that were told as missed right before."""
    said = [one["text"] for one in brief.earlier if one["role"] == "user"][-1:]
    told = [row for one in said if progress_in(one) == "missed" for row in items_in(one, brief)]
    if not told or items_in(turn, brief) or not says("makes_up", fold_text(turn)):
        return turn
    return brief.say("补上{names}", "catch up on {names}", names=join_names(told, brief))


def _tell_failure(brief: Brief, failed: ResultView) -> Decision:
    if failed["error_code"] == "no_change":
        if any(find_done(brief, tool) for tool in (MARK, REPLAN, WRITE_CLASS)):
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
        days = find_days_missed(brief, brief.request)
        if days and days[-1].last <= brief.term.today:
            return NOTHING_BEHIND
        past = _past_items(brief)
        if past:
            listed = (brief.say("；", "; ").join(past)).replace("{", "{{").replace("}", "}}")
            return (
                f"我不知道哪些没做完。已经过去的有：{listed}。哪几项没做？请直接说，例如「{past[0].split('（')[0]}没做」。",
                f"I cannot know what you did. What has passed: {listed}. Which of these did you miss?",
            )
        named = find_classes(fold_text(brief.message), brief) or [row["class_id"] for row in brief.tasks]
        ahead = [row for row in brief.tasks if row["class_id"] in named and brief.is_ahead(row)]
        return (
            f"没有算作没做的任务，还有 {len(ahead)} 项在后面，现在不用改。哪一项没做，请直接说，例如「第2章没做」。",
            f"Nothing counts as missed, items still ahead: {len(ahead)}; so nothing has to change. Say which item you "
            'missed, for example "I missed chapter 2".',
        )
    if failed["arguments"].get("kind") in ("ill", "keep_free"):
        if told := tell_kept(brief, (failed["data"] or {}).get("left") or []):
            return told.replace("{", "{{").replace("}", "}}"), told.replace("{", "{{").replace("}", "}}")
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


def _mark(brief: Brief, turn: str) -> Decision:
    progress = progress_of(brief, turn)
    marked = find_done(brief, MARK)
    if marked is not None:
        return _plan_what_is_left(brief, marked)
    items = find_items_to_mark(brief, turn)
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


def _put_back(brief: Brief, marked: ResultView) -> Decision | None:
    """The place that an item had before it was marked as done, for the next one that is open again and stands
    nowhere."""
    given, tried = marked["arguments"], {row["arguments"].get("task_id") for row in brief.results}
    if given["progress"] != "open":
        return None
    for row in brief.tasks:
        meant = row["item_id"] in given.get("task_item_ids", ()) or row["state_id"] in given.get("task_ids", ())
        place = find_last_place(brief, row["item_id"])
        if meant and not row["slot"] and place and row["state_id"] not in tried:
            place_of_item = {"day": place["day"], "slot_start": place["section_from"]}
            return call(brief, "place", {"task_id": row["state_id"], **place_of_item})
    return None


def _plan_what_is_left(brief: Brief, marked: ResultView) -> Decision:
    if (back := _put_back(brief, marked)) is not None:
        return back
    follows = FOLLOWS.get(marked["arguments"]["progress"])
    moved = bool(brief.done("move", "batch_move"))
    if follows is None or moved or find_done(brief, REPLAN):
        return finish(brief, f"{MARK}: done")
    if (target := read_made_up(brief)) is not None:
        wanted = [(row, _ask_another_day(row, target)) for row in _rows_of(brief, marked)]
        if (decision := move_together(brief, wanted, whole=True)) is not None:
            return decision
    rows = [row for row in _rows_of(brief, marked) if follows == "missed" or not brief.is_ahead(row)]
    if not rows:
        return finish(brief, f"{MARK}: done")  # what is left of it has its time ahead
    return call(brief, REPLAN, {"kind": follows, "task_ids": [row["state_id"] for row in rows]})


def _ask_another_day(row: TaskView, target: PlaceTarget) -> ItemRequest:
    """The move of an item to days that were said; of those that hold it already to one behind its own."""
    slot = row["slot"]
    gone = slot and ((slot["week"], 1), (slot["week"], slot["day_of_week"]))
    own = [PlaceTarget(run=gone)] if slot and target.covers(slot) else []
    return ItemRequest("move", item=row, target=target, avoided=[] if target.days else own)


def _rows_of(brief: Brief, marked: ResultView) -> list[TaskView]:
    """The items of a mark, those too that had left the draft as done before it."""
    given = marked["arguments"]
    ids, gone = given.get("task_ids", ()), given.get("task_item_ids", ())
    return [row for row in brief.tasks if row["state_id"] in ids or row["item_id"] in gone]


def _replan(brief: Brief, turn: str) -> Decision:
    marked = find_done(brief, MARK)
    if marked is not None:
        return _plan_what_is_left(brief, marked)
    rows = [row for row in brief.results if row["tool"] == REPLAN]
    done = [row["arguments"] for row in rows if row["status"] == "done" or row["error_code"] == "no_change"]
    wish = {} if done and not _is_of_days(done[-1]) else read_wish(brief, turn, done)
    if not wish or "action" in wish:
        return wish or finish(brief, f"{REPLAN}: done")
    then = read_wish(brief, turn, [*done, wish]) if _is_of_days(wish) else {}
    said = dict.fromkeys(str(then[key]) for key in ("from_date", "to_date") if key in then)
    days = [date.fromisoformat(day) for day in said]
    there = [
        slot for row in brief.tasks if (slot := row["slot"]) and days and days[0] <= brief.day_of(slot) <= days[-1]
    ]
    ahead = there or (days and days[-1] > brief.term.today)  # of days behind without items there is nothing to tell
    named = brief.say("到", " to ").join(date_text(brief, day) for day in days) if ahead else ""
    return call(brief, REPLAN, wish, speak=say_after_that(brief, [named]) if named else "")


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
    alone = brief.whole is None  # a place beside others would be theirs
    kept = (_keep_place(brief, left) or _exchange_places(brief, left)) if alone else None
    return kept or call(brief, REPLAN, {"kind": "mend", "task_class_id": left})


def _keep_place(brief: Brief, class_id: int) -> Decision | None:
    """Items that only lost their places by their new lengths stay there, one after the other, where it is free for all
    of their time."""
    now = {row["item_id"] for told, _ in read_lengths(brief.request, brief) for row in told}
    wrote = {value["goal"] for value in brief.view["past_values"] if value["tool"] == WRITE_CLASS}
    log = [one for entry in brief.view["draft_log"] for one in entry if one["goal"] in wrote]
    before = {one["item_id"] for one in log if one["goal"] != brief.view["goal"]["number"]}  # by what was done before
    waiting = [row for row in brief.tasks if row["class_id"] == class_id and not row["slot"]]
    for row in [one for one in waiting if now and one["item_id"] in now | before]:
        last = find_last_place(brief, row["item_id"])
        day = index_of(brief, last["week"], last["day_of_week"]) if last else None
        if last is None or day is None:
            continue
        first, end = last["section_from"], last["section_from"] + row["duration"] - 1
        if not any(part[0] <= first and end <= part[1] for part in brief.term.day_parts):
            continue  # over lunch, or over supper
        wanted = {"for_task_id": row["state_id"], "day": day, "section_from": first, "section_to": end}
        tried = next((one for one in brief.results if one["tool"] == _FIND and one["arguments"] == wanted), None)
        if tried is None:
            return call(brief, _FIND, wanted)
        if tried["status"] == "done" and (tried["data"] or {}).get("place"):
            place = {"task_id": row["state_id"], "day": day, "slot_start": first}
            return None if was_rejected(brief, "place", place) else call(brief, "place", place)
    return None


def _exchange_places(brief: Brief, class_id: int) -> Decision | None:
    """Two items that change places in the order of their class change them in the plan as well: the one that still
    stands goes where the other one was, and that one takes the place left."""
    own = [row for row in brief.tasks if row["class_id"] == class_id]
    before = {one["task_id"]: one["before"] for one in brief.changes}
    was = {row["state_id"]: slot_of(before.get(row["state_id"])) or row["slot"] for row in own}
    failed = any(row["tool"] in ("move", "place") and row["status"] != "done" for row in brief.results)
    at = {state_id: (slot["day"], slot["slot_start"]) for state_id, slot in was.items() if slot}
    if failed or len(at) < len(own):
        return None
    then, now = sorted(own, key=lambda row: at[row["state_id"]]), sorted(own, key=lambda row: row["order"])
    pairs = [(one, other) for one, other in zip(then, now, strict=True) if one is not other]
    if len(pairs) != 2 or pairs[0][0]["duration"] != pairs[0][1]["duration"]:
        return None
    lost, kept = sorted(pairs[0], key=lambda row: row["slot"] is not None)
    if lost["slot"] is not None or kept["slot"] is None:
        return None
    (day, first), own_place = at[lost["state_id"]], at[kept["state_id"]]
    if (kept["slot"]["day"], kept["slot"]["slot_start"]) == own_place:
        return call(brief, "move", {"task_id": kept["state_id"], "new_day": day, "new_slot_start": first})
    return call(brief, "place", {"task_id": lost["state_id"], "day": own_place[0], "slot_start": own_place[1]})


def _find_changed_classes(brief: Brief) -> list[int]:
    """The planned classes whose dates, times or order were changed in this goal; of several those with items that
    wait, of those in another order the ones in which an item lost its place."""
    written = brief.done(WRITE_CLASS)
    changed: list[int] = []
    for row in written:
        values, class_id = row["arguments"].get("task_class") or {}, int(row["data"].get("task_class_id") or 0)
        own = [task for task in brief.tasks if task["class_id"] == class_id]
        built = any(one["tool"] == "smart_planning" for one in (brief.whole or brief).results)
        if brief.whole is not None and any(one is row for one in _find_written_before_plan(brief.whole)):
            continue
        lost = [one for one in brief.changes if one["task_class_id"] == class_id and one["before"] and not one["after"]]
        planned = built or any(task["state_id"] in brief.placed_before for task in own) or bool(lost)
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
    """The classes that are needed besides those of the scope: named, owning an item that is meant, or all of them where
    whatever clashes is."""
    if says("mends_clashes", fold_text(brief.message)):
        return sorted({*brief.scope, *(row["id"] for row in brief.classes)})[:SCOPE_MAX]
    ids = set(classes_in(brief.message, brief.classes))
    if not items_in(brief.message, brief):
        ids |= {row["class_id"] for row in items_in(brief.message, brief, among=all_items(brief))}
    return sorted({*brief.scope, *ids}) if ids - set(brief.scope) else []


_CAUGHT_UP = ("catch_up", "mark_missed")


def move_ahead(brief: Brief, turn: str) -> Decision | None:
    """One card with other days for the items that are to be caught up, later ones where there are any; None where the
    time of one of them has begun, or a day is told."""
    rows = find_mentioned(turn, brief)
    if not rows or aims_of(turn, brief)[0][0] not in _CAUGHT_UP or days_in(turn, brief.term):
        return None
    if brief.done("move", "batch_move"):
        return finish(brief, "move: done")
    if not all(brief.is_ahead(row) for row in rows):
        return None
    for way in (1, 0):
        requests = [
            (row, ItemRequest("move", item=row, avoided=_own_day(row), other_day=True, way=way)) for row in rows
        ]
        if (moved := move_together(brief, requests, whole=False)) is not None:
            return moved
    return None


def _own_day(row: TaskView) -> list[PlaceTarget]:
    slot = row["slot"]
    return [PlaceTarget(week=slot["week"], days=(slot["day_of_week"],))] if slot else []
