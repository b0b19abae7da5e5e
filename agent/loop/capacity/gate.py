"""When not everything fits: the health gate, its question and what each option does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from agent.calls.twins import owners_of_twins
from agent.calls.values import BuildReport, Forecast
from agent.loop.draft.commit import commit_write
from agent.loop.draft.sync import draft_event, note_change, refresh
from agent.loop.events import Event
from agent.loop.interactions import OpenInteraction
from agent.loop.output.questions import question
from agent.loop.outside.deps import Deps
from agent.loop.phrases import ACCEPT_PARTIAL, chosen_option, join_names, says
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Asked
from agent.loop.state.draft import AcceptedRisk
from schedules.planner.diagnosis.capacity import ClassForecast, capacity_forecast
from schedules.planner.draft.adapter import whole_problem
from schedules.planner.draft.state import TaskEntry, with_spots
from schedules.planner.problem import Problem
from schedules.planner.rules.violations import Rule
from taskclasses.kernel.i18n import text
from taskclasses.kernel.times import rfc3339

OPTIONS = (
    ("expand_window", "扩大时间窗"),
    ("relax_constraints", "放宽限制"),
    ("reduce_scope", "缩小范围"),
)
SHORTAGE = "shortage"
"""The topic of a question that offers the options."""
NAMES_SHOWN = 12
"""Items with one reason that are told by name; of more, how many there are."""
DROP_ATTEMPTS = 3
"""A draft that the student saves meanwhile is dropped from anew."""
NEWS = {
    "expand_window": "学生选择扩大时间窗：需要新的起止日期，没有就问，然后修改任务类。",
    "relax_constraints": "学生选择放宽限制：禁排时段、禁排星期或可嵌入课程，没说清就问，然后修改任务类。",
    "reduce_scope": "学生选择缩小范围：减少任务项或总节数，没说清就问，然后修改任务类。",
}


def gap_of(state: AgentState) -> int:
    """Returns sections that do not fit: the verdict's gap, or that of the last rough build that failed."""
    verdict = state.health.verdict
    if verdict is not None and verdict.get("verdict") == "infeasible":
        return int(verdict.get("metrics", {}).get("feasibility", {}).get("capacity_gap", 0))
    return int((state.draft.report or {}).get("missing", 0))


def is_gate_closed(state: AgentState) -> bool:
    """Tells whether the last diagnosis forbids draft writes: infeasible, and no risk accepted that covers the gap."""
    verdict = state.health.verdict
    if verdict is None or verdict.get("verdict") != "infeasible":
        return False
    risk = state.draft.accepted_risk
    return risk is None or gap_of(state) > risk.gap_sections


def options_of(state: AgentState) -> list[tuple[str, str]]:
    """Returns the options in the order they are numbered."""
    locale = state.locale
    options = [(key, text(label, locale)) for key, label in OPTIONS]
    schedule = state.schedule
    if schedule is not None and len(state.conversation.scope) > 1:
        for class_id in state.conversation.scope:
            meta = schedule.task_class(class_id)
            if meta is not None:
                options.append((f"drop:{class_id}", text("先不排「{name}」", locale, name=meta.name)))
    return [*options, ("accept_risk", text("接受风险", locale))]


def shown_options(state: AgentState) -> list[tuple[str, str]]:
    """Returns the options as the last build that did not fit has told them: what came after it in its run may have
    changed the scope, and with it their numbers. None where a later write has made that build void."""
    report = state.draft.report
    if report is None:
        return []
    return [(key, label) for key, label in report["options"]] if "options" in report else options_of(state)


def match_option(
    state: AgentState, message: str, option: str | None, *, shown: Sequence[tuple[str, str]] | None = None
) -> str | None:
    """Returns the option an answer names: by id, label, number or an accept-partial phrase. None where none is
    shown."""
    options = options_of(state) if shown is None else shown
    if not options:
        return None
    if option is not None:
        return option if option in dict(options) else None
    found = chosen_option(message, options)
    if found is None and says(message, ACCEPT_PARTIAL):
        return "accept_risk"
    return found


def topic_of(state: AgentState, asked: str, asks: Asked | None) -> str:
    """Tells what a question of the model is about: `health` when it offers the options while the plan does not fit.

    A language model does not say what it asks; its question offers them when it lists all their labels.
    """
    given = asks.topic if asks else ""
    if not is_gate_closed(state) or given not in ("", SHORTAGE):
        return given
    offers = given == SHORTAGE or all(label in asked for _, label in options_of(state))
    return "health" if offers else ""


def gate_question(state: AgentState, deps: Deps) -> OpenInteraction:
    """Returns the backend's question before a write on a plan that cannot work: how much is missing, where and why."""
    asked = text("还差 {gap} 节放不下，要怎么处理？", state.locale, gap=gap_of(state))
    asked = "\n".join([*why_it_does_not_fit(state, deps), asked])
    return question(state, deps, asked, resume_node="execute", options=options_of(state), topic="health")


def why_it_does_not_fit(state: AgentState, deps: Deps) -> list[str]:
    """Returns the week and the rule of the draft as it is now, for what is to be placed and has no place."""
    schedule, risk = state.schedule, state.draft.accepted_risk
    agreed = set(risk.unplaced_item_ids) if risk else set()
    left = [] if schedule is None else [e for e in schedule.items() if not e.slots and e.source_id not in agreed]
    if schedule is None or not left:
        return []
    rows = [(entry.task_class_id or 0, entry.duration) for entry in left]
    return _forecast_lines(state.locale, shortage_forecast(state, deps, whole_problem(schedule), rows))


async def apply_option(state: AgentState, deps: Deps, option: str, *, by: str) -> None:
    """Applies what choosing an option changes; the caller goes on with the goal."""
    if option == "accept_risk":
        accept_risk(state, deps, by=by)
        state.run.accept_partial = True
        state.run.news.append("学生接受放不下的部分不排。")
    elif option.startswith("drop:"):
        await _drop_class(state, deps, int(option.removeprefix("drop:")))
    else:
        state.run.active_optimize_only = False
        mode = state.run.optimization_mode
        state.tools.active = deps.registry.open(state.tools.active, "taskclass", (), True, mode)
        state.run.news.append(NEWS[option])


def accept_risk(state: AgentState, deps: Deps, *, by: str) -> None:
    schedule = state.schedule
    scope = state.conversation.scope
    left = [] if schedule is None else [e for e in schedule.items() if not e.slots and e.task_class_id in scope]
    state.draft.accepted_risk = AcceptedRisk(
        gap_sections=gap_of(state),
        unplaced_item_ids=[entry.source_id for entry in left],
        at=rfc3339(deps.clock()),
        by=by,
    )


async def _drop_class(state: AgentState, deps: Deps, class_id: int) -> None:
    """Takes the class out of the scope, its suggestions become pending; the verdict is stale by the new revision."""
    state.conversation.scope = [known for known in state.conversation.scope if known != class_id]
    for _ in range(DROP_ATTEMPTS):
        state.draft.built = [known for known in state.draft.built if known != class_id]
        own = [] if state.schedule is None else [e for e in state.schedule.items() if _is_suggested(e, class_id)]
        if not own or await commit_write(state, deps, partial(_free_places, state, deps, own)):
            break
    await refresh(state, deps, stage="chat", scope_changed=True)
    state.health.verdict = None
    state.run.news.append("学生选择先不排其中一个任务类。")


def _free_places(state: AgentState, deps: Deps, entries: Sequence[TaskEntry]) -> list[Event]:
    """Takes the places of `entries` back. Answers what tells of it."""
    before = state.schedule
    assert before is not None
    state.draft.schedule = with_spots(before, {entry.source_id: None for entry in entries})
    note_change(state, deps, before, who="agent")
    return [draft_event(state, before, source="tool", stage="chat")]


def _is_suggested(entry: TaskEntry, class_id: int) -> bool:
    return entry.task_class_id == class_id and entry.status == "suggested"


BETWEEN = "「{name}」的日期内有空档，但放不下的要排在它的前一项之后、后一项之前，那里没有空；前后的项挪一挪就放得下。"
"""Why a class has no place although it has room."""


def shortage_forecast(state: AgentState, deps: Deps, problem: Problem, left: Sequence[tuple[int, int]]) -> Forecast:
    """Tells where it gets too narrow and what takes the room: of the class with most sections left out.

    `left` are class id and sections of each item without a place.
    """
    sections: Counter[int] = Counter()
    for class_id, length in left:
        sections[class_id] += length
    worst = min(sections, key=lambda class_id: (-sections[class_id], class_id))
    forecast = capacity_forecast(problem)
    of_worst = next(one for one in forecast.classes if one.task_class_id == worst)
    rule, lost = what_takes_room(of_worst, sum(one.needed_sections for one in forecast.classes))
    meta = state.schedule.task_class(worst) if state.schedule else None
    return {
        "week": forecast.first_infeasible_week,
        "class_id": worst,
        "class_name": meta.name if meta else "",
        "rule": rule,
        "reason": deps.registry.rule_label(rule, state.locale) if rule else "",
        "lost_sections": lost,
    }


def what_takes_room(forecast: ClassForecast, wanted: int) -> tuple[str | None, int]:
    """Returns the rule that leaves a class too little room, and the sections that it takes.

    `wanted` are the sections that all classes together still need.
    """
    if not forecast.missing_sections or forecast.free_sections > wanted:
        # There is room for all that competes for it: what is left must come between its neighbours.
        return Rule.ORDER_BEFORE.value, 0
    # What is over takes no room from what lies ahead, unless nothing else does.
    ahead = {rule: lost for rule, lost in forecast.lost_sections.items() if rule != Rule.IN_THE_PAST}
    if forecast.costliest_rule is None or not ahead:
        rule = forecast.costliest_rule
        return rule, forecast.lost_sections[rule] if rule else 0
    rule = max(ahead, key=lambda one: ahead[one])
    return rule, ahead[rule]


def _forecast_lines(locale: str, forecast: Forecast) -> list[str]:
    lines = []
    if forecast["week"]:
        lines.append(text("到第{week}周结束仍排不完。", locale, week=forecast["week"]))
    if forecast["rule"] == Rule.ORDER_BEFORE:
        lines.append(text(BETWEEN, locale, name=forecast["class_name"]))
    elif forecast["rule"]:
        lines.append(
            text(
                "「{name}」的日期内占去最多的是：{reason}（{n} 节）。",
                locale,
                name=forecast["class_name"],
                reason=forecast["reason"],
                n=forecast["lost_sections"],
            )
        )
    return lines


def _left_by_reason(state: AgentState, report: BuildReport) -> list[str]:
    """Returns the items that do not fit, those with one reason together; of many the first and how many."""
    locale, owners = state.locale, {} if state.schedule is None else owners_of_twins(state.schedule)
    names: dict[str, list[str]] = {}
    for row in report["left"]:
        owner = owners.get(row["task_id"])
        name = text("{name}（{owner}）", locale, name=row["name"], owner=owner) if owner else row["name"]
        names.setdefault(row["reason"], []).append(name)
    return [
        text("{name}（{reason}）", locale, name=_join_first(together, locale), reason=reason)
        for reason, together in names.items()
    ]


def _join_first(names: list[str], locale: str) -> str:
    shown = join_names(names[:NAMES_SHOWN], locale)
    return shown if len(names) <= NAMES_SHOWN else text("{shown} 等 {n} 项", locale, shown=shown, n=len(names))


def shortage_text(state: AgentState, report: BuildReport) -> str:
    """Tells why the rough build stopped, and what can be done, for the student."""
    locale = state.locale
    lines = [
        text(
            "需要 {needed} 节，时间窗内最多 {available} 节，缺 {missing} 节。",
            locale,
            needed=report["needed"],
            available=report["available"],
            missing=report["missing"],
        )
    ]
    lines.append(text("放不下的有：{names}。", locale, names=join_names(_left_by_reason(state, report), locale)))
    lines += _forecast_lines(locale, report["forecast"])
    numbered = " ".join(f"{number} {label}" for number, (_, label) in enumerate(options_of(state), 1))
    lines.append(text("可以：{options}", locale, options=numbered))
    return "\n".join(lines)
