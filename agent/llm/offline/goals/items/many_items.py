"""Several items in one request: one card for all of them where they can go together, else one after the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from agent.llm.offline.goals.decisions import WRITES, Decision, call, finish, give_up, say_after_that
from agent.llm.offline.goals.items.item_request import ItemRequest, operation_of, understand_request
from agent.llm.offline.goals.items.obstacles import why_not
from agent.llm.offline.goals.items.offers import was_rejected
from agent.llm.offline.goals.items.one_item import carry_out_request
from agent.llm.offline.goals.items.together import MOST_MOVES, arrange, move_together, tell_left
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import name_listed_items
from agent.llm.offline.language.dialogue.memory import Memory
from agent.llm.offline.language.dialogue.pointing.distances import place_at_distance, tells_by_other
from agent.llm.offline.language.meaning.clauses import find_stayers, without_stayers
from agent.llm.offline.language.meaning.ellipsis import affirms
from agent.llm.offline.language.spans.alternatives import alternatives_in, condition_in, relation_in
from agent.llm.offline.language.spans.items.arrangements import Arrangement, amend_arrangement, read_arrangement
from agent.llm.offline.language.spans.items.groups import find_group, is_exception
from agent.llm.offline.language.spans.items.references import parts_of
from agent.llm.offline.language.spans.targets import PlaceTarget
from agent.llm.offline.language.texts import AS_IT_WAS
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import ResultView, TaskView

OTHER_PLACES = "query_available_slots"
ONE_ITEM = ("place", "move", "unplace")
TOGETHER = {"move": "batch_move", "unplace": "batch_unplace"}


def several(brief: Brief) -> Decision | None:
    """The next step for the first item that can go on as asked; a question only when none can.

    The order of a class may let its second item move only after its third. None when one item is meant.
    """
    wanted = find_arrangement(brief)
    if wanted is not None:
        operation = operation_of(brief)
        done = {row["state_id"] for row in wanted.items if _is_done(brief, row)}
        return arrange(brief, wanted, remove=operation == "remove", asks=operation == "try", done=done)
    requests = _requests(brief)
    if not requests:
        return _make_room(brief)
    if not _was_refused(brief) and not any(map(_writes, brief.results)) and len(requests) > 1:
        each = [(row, request) for row, _, request in requests]
        in_one = move_together(brief, each, whole=operation_of(brief) == "swap")
        if in_one is not None:
            return in_one
    waiting = _open(brief)
    decisions = [decision for _, decision in waiting]
    together = _go_together(brief, decisions)
    if together is not None:
        return together
    chosen = next((decision for decision in decisions if _goes_on(decision)), None)
    if chosen is not None and (chosen.get("tool_call") or {"name": ""})["name"] in WRITES:
        rest = [row["name"] for row, decision in waiting if decision is not chosen and decision["action"] != "abort"]
        rest += [
            row["name"]
            for row, _ in _parts(brief)
            if row not in [one for one, _ in waiting] and not _is_done(brief, row)
        ]
        told = say_after_that(brief, rest) if rest else ""
        return {**chosen, "speak": f"{chosen['speak']}\n{told}".strip()}
    if chosen is None and any(map(_writes, brief.results)) and _takes_every(brief):
        return _none_possible(brief, decisions)
    chosen = chosen or next((decision for decision in decisions if decision["action"] != "abort"), None)
    return chosen or _none_possible(brief, decisions)


def find_arrangement(brief: Brief) -> Arrangement | None:
    """What a request wants of its items as a whole, as later turns change it; None where it is about one alone, or
    depends on something."""
    wanted = _read_first(brief)
    for turn in brief.turns[1:]:
        if wanted is not None and not affirms(turn):
            wanted = amend_arrangement(wanted, name_listed_items(turn, _in_time(brief, wanted.items), [], brief), brief)
    return wanted


def _in_time(brief: Brief, rows: list[TaskView]) -> list[TaskView]:
    """Items as they stood one after the other when the goal began: what the first of them is."""
    before = {row["state_id"]: _day_of(row) for row in brief.tasks_before}
    return sorted(rows, key=lambda row: before.get(row["state_id"], (0, 0)))


def amends_request(brief: Brief) -> bool:
    """Whether the last turn only says otherwise what a request about items as a whole wants."""
    return find_arrangement(brief) is not None and not affirms(brief.turns[-1])


def _read_first(brief: Brief) -> Arrangement | None:
    operation, request = operation_of(brief), brief.turns[0]
    if operation not in ("move", "place", "remove", "try") or condition_in(request, brief):
        return None
    wanted = read_arrangement(request, brief)
    if wanted and not (wanted.target.said or wanted.group or wanted.beside) and relation_in(request, brief):
        return None
    if wanted is None or not (len(wanted.items) > 1 or wanted.narrowed or wanted.group):
        return None
    choice = alternatives_in(request, brief)
    if choice is not None and len(wanted.items) < 2:
        return None
    if choice is not None:
        wanted = replace(wanted, target=choice.first, then=choice.then)
    ahead = wanted.items if wanted.named else [row for row in wanted.items if not _is_behind(brief, row)]
    if ahead or operation != "remove" or wanted.group is None:
        wanted = replace(wanted, items=ahead)
    return wanted if operation == "remove" or wanted.goes else None


def _is_behind(brief: Brief, row: TaskView) -> bool:
    """Whether the day of an item has passed."""
    before = next((one["slot"] for one in brief.tasks_before if one["state_id"] == row["state_id"]), None)
    today = (brief.now["week"], brief.now["day_of_week"])
    return before is not None and (before["week"], before["day_of_week"]) < today


def _make_room(brief: Brief) -> Decision | None:
    """One card for an item and those of its class that stand in its way, where others may move for it."""
    request = understand_request(brief, operation) if (operation := operation_of(brief)) in ("move", "place") else None
    item, target = (request.item, request.target) if request else (None, PlaceTarget())
    if request is None or item is None or not (request.room and item["slot"] and target.days):
        return None
    here, now = _day_of(item), brief.term.week_day(brief.term.today)
    weeks = [target.week] if target.week else [now[0], now[0] + 1]
    there = next(((week, day) for week in weeks for day in target.days if (week, day) >= now), None)
    own = [row for row in brief.tasks if row["class_id"] == item["class_id"] and row["slot"]]
    behind = [row for row in own if there and row["order"] > item["order"] and _day_of(row) <= there]
    ahead = [row for row in own if there and row["order"] < item["order"] and _day_of(row) >= there]
    if (
        there is None
        or here == there
        or not (behind or ahead)
        or any(map(_writes, brief.results))
        or _was_refused(brief)
    ):
        return None
    day, term = brief.term.day(*there), brief.term
    after, before = (term.week_day(day + timedelta(days=n)) for n in (1, -1))
    runs = [*((row, (after, term.week_day(term.last_day))) for row in behind), *((row, (now, before)) for row in ahead)]
    moved = [(row, ItemRequest("move", item=row, target=PlaceTarget(run=run))) for row, run in runs]
    return move_together(brief, [(item, request), *moved], whole=True)


def _day_of(row: TaskView) -> tuple[int, int]:
    slot = row["slot"]
    return (slot["week"], slot["day_of_week"]) if slot else (0, 0)


def _takes_every(brief: Brief) -> bool:
    """Whether items were picked as a whole: what cannot go is told at the end."""
    group = find_group(brief.request, brief)
    return (group is not None and group.every) or brief.describes_items


def _request(brief: Brief) -> str:
    """The first turn with what later ones leave out of it: take all out, then "except units 1 and 2"."""
    later = [turn for turn in brief.turns[1:] if is_exception(turn)]
    return ", ".join([brief.turns[0], *later])


def _parts(brief: Brief) -> list[tuple[TaskView, str]]:
    """What is said of each item that the request means, but of those that are to stay."""
    stayers = {row["state_id"] for row in find_stayers(brief)}
    parts = parts_of(_wanted(brief), brief) or parts_of(_request(brief), brief)
    return [(row, text) for row, text in parts if row["state_id"] not in stayers]


def _wanted(brief: Brief) -> str:
    """The request without what only tells of items that are to stay."""
    request = _request(brief)
    return without_stayers(request, brief) or request if find_stayers(brief) else request


def _requests(brief: Brief) -> list[tuple[TaskView, Brief, ItemRequest]]:
    """The items that are not done yet, each with what is said of it."""
    operation = operation_of(brief)
    parts = _parts(brief) if operation else []
    if operation is None:
        return []
    made = [at for at, row in enumerate(brief.results, start=1) if _writes(row)]
    results, later = brief.results[made[-1] if made else 0 :], _later(brief, parts)
    found = []
    for (before, said), (row, text) in zip([(None, ""), *parts], parts, strict=False):
        if before and tells_by_other(text):
            if not _is_done(brief, before):
                break  # where it goes is known when the one before it stands
            text = place_at_distance(text, Memory.after(said, brief.results, brief).exchanges[-1], brief) or text
        if not _is_done(brief, row):
            part = brief.part([text, *later], results)
            request = understand_request(part, operation_of(part) or operation)
            found.append((row, part, request))
    return found


def _open(brief: Brief) -> list[tuple[TaskView, Decision]]:
    """The items that are not done yet, each with the step that would be next for it alone."""
    return [(row, carry_out_request(part, request)) for row, part, request in _requests(brief)]


def _go_together(brief: Brief, decisions: list[Decision]) -> Decision | None:
    """One write for all items that can go, or the look-up that it still needs; None where they cannot go in one."""
    calls = [(decision, decision.get("tool_call") or {"name": ""}) for decision in decisions]
    if not 1 < len(calls) <= MOST_MOVES * 2 or _was_refused(brief) or any(one["name"] == "place" for _, one in calls):
        return None
    looking = next((decision for decision, one in calls if one["name"] not in ("", "swap", *TOGETHER)), None)
    if looking is not None:
        return looking
    given = [one["arguments"] for _, one in calls if one["name"] in TOGETHER]
    names = {one["name"] for _, one in calls if one["name"] in TOGETHER}
    if len(given) < 2 or len(names) > 1:
        return None
    write: tuple[str, dict[str, Any]] = (
        ("batch_move", {"moves": given[:MOST_MOVES]})
        if names == {"move"}
        else ("batch_unplace", {"task_ids": [row["task_id"] for row in given]})
    )
    if was_rejected(brief, *write):
        return give_up(SAME_REQUEST, brief.say(*AS_IT_WAS))
    return call(brief, *write)


def _was_refused(brief: Brief) -> bool:
    """Whether one write for several was refused, by a rule or by the student."""
    failed = any(row["tool"] in TOGETHER.values() and row["status"] != "done" for row in brief.results)
    return failed or (
        not is_exception(brief.turns[-1]) and any(row["name"] in TOGETHER.values() for row in brief.view["rejected"])
    )


def _goes_on(decision: Decision) -> bool:
    """Whether a step does not fall back on other places than those asked for."""
    return bool((decision.get("tool_call") or {"name": OTHER_PLACES})["name"] != OTHER_PLACES)


def _none_possible(brief: Brief, decisions: list[Decision]) -> Decision:
    """Nothing more can be done: what was done is told at the end, else every item has its reason told."""
    if any(map(_writes, brief.results)):
        return finish(brief, brief.say("能做的都做了", "everything possible is done"))
    reasons = dict.fromkeys(str(decision["abort"]["user_message"]) for decision in decisions)
    return give_up(str(decisions[0]["abort"]["code"]), "\n".join(reasons))


def not_done(brief: Brief) -> str:
    """The items of a request about several that stay as they are, with the reason where there is one."""
    wanted = find_arrangement(brief)
    if wanted is not None and operation_of(brief) == "remove":
        return ""
    if wanted is not None:
        done = {row["state_id"] for row in wanted.items if _is_done(brief, row)}
        return "\n".join(text.strip() for text in tell_left(brief, wanted, done))
    told = []
    for row, decision in _open(brief):
        abort = decision.get("abort") or {"code": "fixed_rules"}
        reason = why_not(brief, row) if abort["code"] == "fixed_rules" else abort["user_message"]
        named = brief.say("没有动：{name}。", "Not changed: {name}.", name=row["name"])
        told.append(named + brief.say("", " ") + str(reason or ""))
    return "\n".join(text.strip() for text in told)


def has_more_left(brief: Brief) -> bool:
    """Whether a request about several items is not yet done for all of them."""
    if (wanted := find_arrangement(brief)) is not None:
        return not all(_is_done(brief, row) for row in wanted.items)
    parts = _parts(brief) if operation_of(brief) else []
    return any(not _is_done(brief, row) for row, _ in parts)


def _is_done(brief: Brief, item: TaskView) -> bool:
    """Whether it was written, not only taken out of the timetable to go elsewhere."""
    out = {"unplace", "batch_unplace"} if operation_of(brief) != "remove" else set()
    return any(_writes(row) and row["tool"] not in out and item["state_id"] in _written(row) for row in brief.results)


def _written(row: ResultView) -> list[int]:
    """The items that a write is about."""
    given = row["arguments"]
    return [*(one["task_id"] for one in given.get("moves", ())), *given.get("task_ids", ()), given.get("task_id", 0)]


def _writes(row: ResultView) -> bool:
    return row["tool"] in (*ONE_ITEM, *TOGETHER.values()) and row["status"] == "done"


def _later(brief: Brief, parts: list[tuple[TaskView, str]]) -> list[str]:
    """What was said about the item at hand: every later turn for the first one, then the last turn if it came after
    the last item was done."""
    if not any(_is_done(brief, row) for row, _ in parts):
        return [turn for turn in brief.turns[1:] if not is_exception(turn)]
    last = brief.interaction
    if not last or last["action"] not in ("reply", "reject") or len(brief.turns) < 2:
        return []
    return [] if any(map(_writes, brief.results[last["results_at"] :])) else brief.turns[-1:]
