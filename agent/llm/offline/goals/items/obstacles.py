"""What stands in the way of a place: the rule in words, and of several rules the one that decides."""

from __future__ import annotations

from dataclasses import replace

from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.spans.targets import PlaceTarget, day_at
from agent.llm.offline.language.texts import RULE_WORDS, slot_text
from agent.loop.view_document import ResultView, SlotView, TaskView

OTHERWISE_FREE = ("order_before", "order_after", "host_taken", "filler_not_allowed")
"""Rules that are asked last: a place that only they refuse is empty, and the student sees that it is."""
NO_TIME = ("outside_window", "outside_semester", "outside_class_window", "in_the_past")
"""Rules about time that was never to be used: they tell something only where nothing else was refused."""


def refusal(brief: Brief, row: ResultView) -> str:
    """Why a write was refused."""
    rule, given = row["rule"] or row["error_code"], row["arguments"]
    item = _out_of_order(brief, given, rule) if row["tool"] == "swap" else brief.task(given.get("task_id"))
    told = _taken_by(brief, item, given) if rule == "occupied" else ""
    told = told or (
        _explain_rule(brief, item, rule) if rule in RULE_WORDS else brief.say("位置不合规则", "the place breaks a rule")
    )
    return brief.say("不能这样改：{told}。", "That is not possible: {told}.", told=told)


def why_not(brief: Brief, item: TaskView) -> str:
    """Why an item did not go where it was asked for, from what was tried last; empty when nothing was."""
    for row in reversed(brief.results):
        given, failed = row["arguments"], row["status"] != "done" or not (row["data"] or {}).get("place")
        if row["tool"] == "find_first_free" and given.get("for_task_id") == item["state_id"] and failed:
            return brief.say("那个时间放不下", "Nothing fits there") + obstacles(brief, item, row, most=1)
        if row["tool"] in ("move", "place") and given.get("task_id") == item["state_id"] and row["status"] != "done":
            return refusal(brief, row)
    return ""


def _taken_by(brief: Brief, item: TaskView | None, given: Json) -> str:
    """Which item stands at the place of a write; empty when it is a course."""
    day, first = given.get("day", given.get("new_day")), given.get("slot_start", given.get("new_slot_start"))
    if item is None or not day or not first:
        return ""
    where, last = day_at(brief, day), first + item["duration"] - 1
    there = next(
        (row for row in brief.tasks if row is not item and (slot := row["slot"])
         and (slot["week"], slot["day_of_week"]) == where and slot["slot_start"] <= last and first <= slot["slot_end"]),
        None,
    )  # fmt: skip
    if there is None:
        return ""
    named = {"name": there["name"], "where": slot_text(brief, there["slot"])}
    return brief.say("那个位置已被{name}占用（{where}）", "{name} is there already ({where})", **named)


def find_holder(brief: Brief, item: TaskView, target: PlaceTarget) -> str:
    """What stands on the next day of that name at the time that was asked for; a rule may tell of a later one."""
    if target.week or len(target.days) != 1 or not (target.part or target.sections):
        return ""
    week = brief.now["week"] + (target.days[0] < brief.now["day_of_week"])
    asked = replace(target, week=week)
    held = (row for row in brief.tasks if row is not item and row["slot"] and asked.covers(row["slot"]))
    there = next(held, None)
    if there is None:
        return ""
    named = {"name": there["name"], "where": slot_text(brief, there["slot"])}
    return brief.say("{name}已经在{where}；", "{name} is at {where} already; ", **named)


def _out_of_order(brief: Brief, given: Json, rule: str) -> TaskView | None:
    """The item that a swap would bring past its neighbour."""
    step = {"order_before": -1, "order_after": 1}.get(rule, 0)
    pair = [row for row in (brief.task(given.get(key)) for key in ("task_a", "task_b")) if row and row["slot"]]
    for item, other in (pair, pair[::-1]) if len(pair) == 2 else ():
        near = _neighbour(brief, item, step) if step else None
        if near and near["slot"] and other["slot"] and step * (_when(near["slot"]) - _when(other["slot"])) <= 0:
            return item
    return None


def _when(slot: SlotView) -> int:
    return 100 * (7 * slot["week"] + slot["day_of_week"]) + slot["slot_start"]


def obstacles(brief: Brief, item: TaskView, row: ResultView, *, most: int, known: str = "", held: str = "") -> str:
    """The rules that decide why a look-up found no place, as the end of a sentence; none that is `known` already."""
    counts: dict[str, int] = (row["data"] or {}).get("blocked_by") or {}
    told = [_explain_rule(brief, item, rule) for rule in rank_rules(counts)[:most]]
    told = [rule for rule in told if rule not in known]
    return (brief.say("：", ": ") + held + brief.say("；", "; ").join(told) if told else "") + brief.say("。", ".")


def rank_rules(counts: dict[str, int]) -> list[str]:
    """Rules by what they take away: first those that alone refuse an empty place, then those that refuse most."""
    known = [rule for rule in counts if rule in RULE_WORDS]
    ranks = {rule: 0 if rule in OTHERWISE_FREE else 2 if rule in NO_TIME else 1 for rule in known}
    return sorted(known, key=lambda rule: (ranks[rule], -counts[rule], rule))


def _explain_rule(brief: Brief, item: TaskView | None, rule: str) -> str:
    """The rule; of the order of a class also the item it is about and where that is."""
    step = {"order_before": -1, "order_after": 1}.get(rule)
    other = _neighbour(brief, item, step) if item and step else None
    if other is None:
        return brief.say(*RULE_WORDS[rule]).rstrip("。.")
    assert item is not None
    named = {"item": item["name"], "name": other["name"], "where": slot_text(brief, other["slot"])}
    if step == -1:
        return brief.say("{item}必须排在{name}（{where}）之后", "{item} has to come after {name} ({where})", **named)
    return brief.say("{item}必须排在{name}（{where}）之前", "{item} has to come before {name} ({where})", **named)


def _neighbour(brief: Brief, item: TaskView, step: int) -> TaskView | None:
    """The nearest item of the class with a place, before (-1) or after (1) this one."""
    placed = [row for row in brief.tasks if row["class_id"] == item["class_id"] and row["slot"]]
    beyond = [row for row in placed if step * (row["order"] - item["order"]) > 0]
    return min(beyond, key=lambda row: abs(row["order"] - item["order"]), default=None)
