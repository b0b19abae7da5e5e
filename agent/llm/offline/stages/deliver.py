"""The summary at the end of a goal, and the summary of an old conversation: computed facts only."""

from __future__ import annotations

import re

from agent.llm.offline.goals.classes.class_deletion import deletion_text
from agent.llm.offline.goals.decisions import WRITES
from agent.llm.offline.goals.happenings.marks import exam_text, marked_text
from agent.llm.offline.goals.in_turn import tell_looked_up, tell_of_each, tool_requests
from agent.llm.offline.goals.items.item_texts import change_lines, tell_stayers
from agent.llm.offline.goals.items.many_items import not_done
from agent.llm.offline.goals.limits import limits_text, tell_not_kept
from agent.llm.offline.goals.new_plan import is_as_good_as_new
from agent.llm.offline.goals.questions.answers import tell_how_it_holds
from agent.llm.offline.goals.questions.distances import tell_misfits, tell_under_exams
from agent.llm.offline.goals.questions.timetable import MEND_LATE
from agent.llm.offline.goals.unsettled.unused import tell_unused
from agent.llm.offline.goals.wishes import wish_text
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.clauses import find_stayers
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of
from agent.llm.offline.language.meaning.planned_classes import find_left_out
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import classes_in
from agent.llm.offline.language.spans.targets import day_at
from agent.llm.offline.language.texts import PROBLEMS, SAVE, tell_kept
from agent.llm.offline.stages.execute import answer_asked_after, decide
from agent.loop.phrases import DRAFT_ONLY, says
from agent.loop.view_document import ChangeView
from schedules.planner.diagnosis.trade_offs import effect_words
from schedules.planner.shapes import CostTable

PLAN_IT = ("要排进课表，请说「把{name}排好」。", ' To plan it, say "plan my {name}".')
AGAIN = (
    "已排好的内容不会自己重排；要按新的设置重新排，请说「从头排」。",
    ' What is planned stays where it is; say "rebuild" to plan it again with the new settings.',
)

AGAIN_REST = (
    "其余已排好的内容不会自己重排；要按新的设置重新排，请说「从头排」。",
    ' The rest of the plan stays where it is; say "rebuild" to plan it again with the new settings.',
)


def deliver(brief: Brief) -> str:
    """What changed, what it did to the cost, what is left, how to go on."""
    changes, kept = brief.changes, limits_text(brief)
    parts = [
        _build(brief, changes) if brief.done("smart_planning") else _describe_changes(brief, changes),
        _class(brief),
        wish_text(brief),
        kept,
        deletion_text(brief),
    ]
    written = exam_text(brief)
    parts[:0] = [marked_text(brief), written]
    looked_up = tell_of_each(brief, decide, _tell_of_part)
    if looked_up:
        parts += [one for one in looked_up if one not in kept.split("\n")]
    elif not changes and not written and not tool_requests(brief):
        parts += [tell_looked_up(brief), _describe_check_up(brief)]
    if changes:
        parts += [
            "" if looked_up or tool_requests(brief) else not_done(brief),
            _cost(brief),
            _describe_remaining_problem(brief),
            _describe_stayers(brief),
            *_describe_misplaced(brief),
            *(tell_kept(brief, (row["data"] or {}).get("left") or []) for row in brief.done("replan")),
            "" if brief.view["rest"] else brief.say(*SAVE),
        ]
    told = [part for part in [*parts, tell_unused(brief), *answer_asked_after(brief)] if part]
    return "\n".join(told) if told else brief.say("没有改动。", "Nothing was changed.")


def _describe_misplaced(brief: Brief) -> list[str]:
    """What a plan that was checked and changed leaves under exams, or against its class."""
    checked = any(row["tool"] == "analyze_health" for row in brief.results)
    return [tell_under_exams(brief), tell_misfits(brief)] if checked else []


def _describe_stayers(brief: Brief) -> str:
    """Which items a plan that was improved left where they are, as the request wants it."""
    stayers = find_stayers(brief) if intent_of(brief.request, brief) == "optimise" else []
    return tell_stayers(brief, stayers) if stayers else ""


def _tell_of_part(part: Brief) -> str:
    """What one of several requests has found, or of which of its items nothing came."""
    changes = bool(part.done(*WRITES))
    if not changes:
        return tell_not_kept(part) or tell_looked_up(part)
    return not_done(part) if intent_of(part.request, part) in OPERATIONS else ""


def _build(brief: Brief, changes: list[ChangeView]) -> str:
    placed = [change for change in changes if change["after"] and not change["before"]]
    others = [change for change in changes if change not in placed]
    if not changes:
        same = brief.say("排程结果和之前一样，没有改动", "The plan stays as it was")
        return same + _describe_leftovers(brief) + brief.say("。", ".")
    if not placed and others:
        return "\n".join(
            [brief.say("已重新安排：", "Planned again:") + _describe_leftovers(brief), *change_lines(brief, others)]
        )
    also = [brief.say("同时调整：", "Also changed:"), *change_lines(brief, others)] if others else []
    also += _tell_left_out(brief)
    if brief.language == "en":
        return "\n".join([_build_en(brief, placed), *also])
    head = f"已排 {len(placed)} 项{_describe_leftovers(brief)}" + ("：" if placed else "。")
    optimised = [_not_optimised(brief)] if _not_optimised(brief) else []
    return "\n".join([head, *change_lines(brief, placed), *also, *optimised])


_IN_ORDER = re.compile(
    r"优先|先(?:排|弄|搞|学|把|背|做)|再(?:排|弄|搞|学|背|做)|\bpriority\b|\b(?:first|before|then|after that)\b"
)


def _tell_left_out(brief: Brief) -> list[str]:
    """The classes that the request leaves out, and that no order of classes was heeded."""
    said = fold_text(brief.request)
    left = [
        one
        for one in find_left_out(said, brief)
        if not any(row["class_id"] == one for row in brief.tasks if row["slot"])
    ]
    told = (
        [brief.say("按你说的，这次没有排{names}。", "Left out, as you said: {names}.", names=brief.names_of(left))]
        if left
        else []
    )
    if len(classes_in(said, brief.classes)) > 1 and _IN_ORDER.search(said):
        order = (
            "任务类之间分不出先后：各按自己的日期一起排，谁先谁后我没法保证。",
            "Classes have no order among themselves: they are planned side by side, each within its own dates.",
        )
        told.append(brief.say(*order))
    return told


def _build_en(brief: Brief, placed: list[ChangeView]) -> str:
    head = brief.say("", "{n} items placed", n=len(placed))
    if placed:
        places = [change["after"] for change in placed if change["after"]]
        days = sorted((place["week"], place["day_of_week"]) for place in places)
        first, last = (f"wk {week} {_day(day)}" for week, day in (days[0], days[-1]))
        head += f" on {first}" if first == last else f" between {first} and {last}"
    head += _describe_leftovers(brief) + _not_optimised(brief) + "."
    return "\n".join([head, *change_lines(brief, placed)])


def _day(day_of_week: int) -> str:
    return ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[day_of_week - 1]


def _not_optimised(brief: Brief) -> str:
    if not any(says(turn, DRAFT_ONLY) for turn in brief.turns):
        return ""
    return brief.say("这是初稿，还没有优化。", "; a first draft, not optimised yet")


def _describe_leftovers(brief: Brief) -> str:
    """Items without a place, with the gap the student accepted: what was agreed to be left out is named in full."""
    left = brief.view["goal"]["left"]
    if not left:
        return ""
    risk = brief.view["accepted_risk"]
    shown = left if risk else left[:10]
    names = brief.say("、", ", ").join(shown) + ("…" if len(left) > len(shown) else "")
    accepted = (
        brief.say(
            "（缺 {gap} 节，你已接受）", " ({gap} sections missing, which you accepted)", gap=risk["gap_sections"]
        )
        if risk
        else ""
    )
    return brief.say("；未排：{names}{accepted}", "; not placed: {names}{accepted}", names=names, accepted=accepted)


def _describe_changes(brief: Brief, changes: list[ChangeView]) -> str:
    return "\n".join(change_lines(brief, changes))


def _class(brief: Brief) -> str:
    """The task classes written in this goal, and how to go on where nothing has been planned anew for them."""
    written = brief.done("upsert_task_class")
    if not written:
        return ""
    data = written[0]["data"] or {}
    ids = [(row["data"] or {}).get("task_class_id") for row in written]
    row = brief.class_of(data.get("task_class_id"))
    name = row["name"] if row else str((written[0]["arguments"].get("task_class") or {}).get("name") or "")
    created = bool(data.get("created"))
    if len(written) > 1:
        names = brief.names_of([class_id for class_id in ids if class_id])
        made = all((row["data"] or {}).get("created") for row in written)
        told = ("任务类{names}已创建。", "These task classes are created: {names}.") if made else (
            "任务类{names}已更新。", "These task classes are updated: {names}.")  # fmt: skip
        head = brief.say(*told, names=names)
    elif created:
        head = brief.say("任务类「{name}」已创建。", 'Task class "{name}" is created.', name=name)
    else:
        head = brief.say("任务类「{name}」已更新。", 'Task class "{name}" is updated.', name=name)
    if brief.done("smart_planning") or brief.done("replan"):
        return head
    again = not created and row is not None and _has_places(brief, row["id"])
    rest = brief.changes or any("items" in row["arguments"] for row in written)
    return head + (brief.say(*(AGAIN_REST if rest else AGAIN)) if again else brief.say(*PLAN_IT, name=name))


def _has_places(brief: Brief, class_id: int) -> bool:
    """Whether something of the class has been planned."""
    return any(row["class_id"] == class_id and row["slot"] for row in brief.tasks)


def _cost(brief: Brief) -> str:
    """How much better or worse the plan has become; of a plan that was built, by its improvement.

    The price of items without a place is left out: it is no comparison when their number changed, nor when a class
    or what is done did.
    """
    goal = brief.view["goal"]
    after, open_after = _soft(goal["cost_after"])
    before, open_before = _soft(goal["cost_before"])
    writes = brief.done("move", "swap")
    if brief.done("smart_planning"):
        before, open_before = (writes[0]["data"] or {}).get("cost_before") if writes else None, open_after
    written = bool(brief.done("upsert_task_class", "mark_items"))
    if after is None or not before or before == after or open_before != open_after or written:
        return ""
    checked = any(row["tool"] == "analyze_health" for row in brief.results)
    why = brief.say("，微调 {n} 次", ", changes made: {n}", n=len(writes)) if checked and writes else ""
    much = brief.say("不少", "a good deal") if abs(before - after) > before / 4 else brief.say("一些", "a little")
    told = (
        ("整体安排比之前好了{much}{why}。", "The plan as a whole is {much} better than before{why}.")
        if after < before
        else ("整体安排比之前差了{much}{why}。", "The plan as a whole is {much} worse than before{why}.")
    )
    return brief.say(*told, much=much, why=why)


def _soft(cost: CostTable | None) -> tuple[int | None, int]:
    """Total without the price of unplaced items, and that price."""
    if not cost:
        return None, 0
    unplaced = cost["parts"].get("unplaced", 0)
    return cost["total"] - unplaced, unplaced


def _describe_check_up(brief: Brief) -> str:
    """The result of a check-up that led to no change."""
    verdict = brief.verdict
    checked = any(row["tool"] == "analyze_health" for row in brief.results)
    if verdict is None or not checked or intent_of(brief.request, brief) == "load":
        return ""
    fine = not (verdict.get("decision") or {}).get("is_forced_imperfection")
    told = brief.say(
        "体检完成：没有一步就能变好的改动。要整个重新排，请说「重新粗排」。",
        'The plan was checked: no single change makes it better. To plan it all anew, say "rebuild".',
    )
    if is_as_good_as_new(brief):
        told = brief.say(
            "体检完成：没有一步就能变好的改动，整个重新排也好不了一成。还是想重排，请说「重新粗排」。",
            "The plan was checked: no single change makes it better, and planning it all anew would gain less than a "
            'tenth. To do so all the same, say "rebuild".',
        )
    late = brief.say(*MEND_LATE) if brief.late else ""
    clashes = "\n".join(filter(None, (tell_under_exams(brief), late, tell_misfits(brief))))
    settled = fine and verdict["verdict"] == "close" and not clashes
    head = told if settled else brief.say("体检完成。", "The plan was checked.")
    return "\n".join(
        filter(None, (tell_how_it_holds(brief), head, clashes, _describe_remaining_problem(brief), _cost(brief)))
    )


def _describe_remaining_problem(brief: Brief) -> str:
    """The problem that is left although nothing better was found."""
    decision = (brief.verdict or {}).get("decision") or {}
    if not decision.get("is_forced_imperfection"):
        return ""
    issue = str(decision.get("primary_issue_id") or "")
    words_of = next((words for part, words in PROBLEMS.items() if part in issue), PROBLEMS[""])
    days = (decision.get("problem_scope") or {}).get("day_range") or []
    where = ", ".join(_when(brief, int(day)) for day in days[:3])
    left = brief.say(
        "还有一处没有找到更好的安排：{what}{at}。",
        "One thing could not be improved: {what}{at}.",
        what=brief.say(*words_of),
        at=brief.say("（{where}）", " ({where})", where=where) if where else "",
    )
    return "\n".join([left, *_describe_trade_off(brief)])


def _describe_trade_off(brief: Brief) -> list[str]:
    """What could be given up for the problem that is left; the student says whether it is worth it."""
    rows = ((brief.verdict or {}).get("decision") or {}).get("trade_offs") or []
    task = next((task for task in brief.tasks if rows and task["state_id"] == rows[0]["arguments"]["task_id"]), None)
    if task is None:
        return []
    first = int(rows[0]["arguments"]["new_slot_start"])
    told = brief.say(
        "可以取舍：把「{name}」移到{day} 第{first}-{last}节，{effects}。要这样请告诉我。",
        'A trade-off: move "{name}" to {day} sections {first}-{last}: {effects}. Tell me if you want that.',
        name=task["name"],
        day=_when(brief, int(rows[0]["arguments"]["new_day"])),
        first=first,
        last=first + (task["duration"] or 1) - 1,
        effects=effect_words(rows[0], brief.language),
    )
    return [told]


def _when(brief: Brief, index: int) -> str:
    week, day = day_at(brief, index)
    return brief.say(f"第{week}周 周{'一二三四五六日'[day - 1]}", f"wk {week} {_day(day)}")


def compact(brief: Brief) -> str:
    """First and last request, and how much was said between them."""
    said = [str(turn["text"]) for turn in brief.view["dialogue"] if turn["role"] == "user"]
    if not said:
        return brief.say("（没有更早的对话）", "(nothing earlier)")
    return brief.say(
        "最早的要求：{first}\n最近的要求：{last}\n共 {n} 次发言。",
        "First request: {first}\nLast request: {last}\n{n} messages.",
        first=said[0][:120],
        last=said[-1][:120],
        n=len(said),
    )
