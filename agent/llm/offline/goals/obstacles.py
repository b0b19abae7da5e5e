"""What stands in the way of a place: the rule in words, and of several rules the one that decides."""

from __future__ import annotations

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.texts import RULE_WORDS, slot_text
from agent.loop.view_document import ResultView, TaskView

OTHERWISE_FREE = ("order_before", "order_after", "host_taken", "filler_not_allowed")
"""Rules that are asked last: a place that only they refuse is empty, and the student sees that it is."""
NO_TIME = ("outside_window", "outside_semester", "outside_class_window", "in_the_past")
"""Rules about time that was never to be used: they tell something only where nothing else was refused."""


def refusal(brief: Brief, row: ResultView) -> str:
    """Why a write was refused."""
    rule, item = row["rule"] or row["error_code"], brief.task(row["arguments"].get("task_id"))
    told = (
        _explain_rule(brief, item, rule) if rule in RULE_WORDS else brief.say("位置不合规则", "the place breaks a rule")
    )
    return brief.say("不能这样改：{told}。", "That is not possible: {told}.", told=told)


def obstacles(brief: Brief, item: TaskView, row: ResultView, *, most: int, known: str = "") -> str:
    """The rules that decide why a look-up found no place, as the end of a sentence; none that is `known` already."""
    counts: dict[str, int] = (row["data"] or {}).get("blocked_by") or {}
    told = [_explain_rule(brief, item, rule) for rule in rank_rules(counts)[:most]]
    told = [rule for rule in told if rule not in known]
    return (brief.say("：", ": ") + brief.say("；", "; ").join(told) if told else "") + brief.say("。", ".")


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
    named = {"name": other["name"], "where": slot_text(brief, other["slot"])}
    if step == -1:
        return brief.say("它必须排在{name}（{where}）之后", "it has to come after {name} ({where})", **named)
    return brief.say("它必须排在{name}（{where}）之前", "it has to come before {name} ({where})", **named)


def _neighbour(brief: Brief, item: TaskView, step: int) -> TaskView | None:
    """The nearest item of the class with a place, before (-1) or after (1) this one."""
    placed = [row for row in brief.tasks if row["class_id"] == item["class_id"] and row["slot"]]
    beyond = [row for row in placed if step * (row["order"] - item["order"]) > 0]
    return min(beyond, key=lambda row: abs(row["order"] - item["order"]), default=None)
