"""What a goal did, in sentences: the facts a summary is written from, and the summary when no model writes it."""

from __future__ import annotations

from agent.calls.phrase import one_line
from agent.loop.draft.goal_changes import goal_changes, remember_words
from agent.loop.draft.sync import cost_of
from agent.loop.outside.deps import Deps, by_rules
from agent.loop.phrases import join_names
from agent.loop.state.agent_state import AgentState
from agent.loop.view_document import ChangeView, PlaceView
from schedules.planner.draft.state import TaskEntry
from schedules.planner.grid import week_and_weekday
from taskclasses.kernel.i18n import text, weekday_words

SHOWN = 12


def summary_text(state: AgentState, deps: Deps) -> str:
    """Tells what happened, and what comes next."""
    locale, run = state.locale, state.run
    lines = [run.outcome.user_message] if run.outcome and run.outcome.user_message else []
    lines += goal_lines(state, deps, locale, shown=SHOWN)
    explained = by_rules(deps) or bool(run.outcome and run.outcome.user_message)
    if goal_changes(state):
        lines.append(text("以上只在草稿里，满意后保存并应用到课表。", locale))
    elif not explained:
        # A model sums up what it found: without it who asked something has heard nothing of that.
        lines.append(text("草稿没有变化。结果没能说完，要听可以再问一次。", locale))
    return "\n".join(lines) or text("已经处理完，草稿没有变化。", locale)


def goal_lines(state: AgentState, deps: Deps, locale: str, *, shown: int) -> list[str]:
    """Returns steps done and open, at most `shown` changes of the draft, its cost before and after, and what is
    left."""
    changes = goal_changes(state)
    lines = _steps(state, locale) + [change_line(change, locale) for change in changes[:shown]]
    if len(changes) > shown:
        lines.append(text("另有 {n} 项变动。", locale, n=len(changes) - shown))
    lines += _cost(state, deps, locale, changed=bool(changes))
    left = [one_line(entry.name) for entry in state.schedule.items() if not entry.slots] if state.schedule else []
    if left:
        lines.append(text("还没有排的：{names}。", locale, names=join_names(left, locale)))
    return lines


def remember_lines(state: AgentState, deps: Deps) -> None:
    """Notes the facts of the goal's change where the student was told nothing of it."""
    if state.run.change is not None and not state.run.change.told:
        remember_words(state, "\n".join(goal_lines(state, deps, state.locale, shown=SHOWN)))


def _steps(state: AgentState, locale: str) -> list[str]:
    steps, current, outcome = state.plan.steps, state.plan.current, state.run.outcome
    completed = outcome is not None and outcome.status == "completed"
    lines = []
    for index, step in enumerate(steps):
        done = index < current or (index == current and completed)
        message = "步骤 {n}：{step}（已完成）" if done else "步骤 {n}：{step}（未执行）"
        lines.append(text(message, locale, n=index + 1, step=step.content))
    return lines


def change_line(change: ChangeView, locale: str) -> str:
    name = one_line(change["name"])
    if change["after"] is None:
        return text("移出：{name}", locale, name=name)
    message = "排入：{name} → {place}" if change["before"] is None else "移动：{name} → {place}"
    return text(message, locale, name=name, place=_place(change["after"], locale))


def place_line(state: AgentState, entry: TaskEntry) -> str:
    """Returns where an item stands now."""
    schedule, slot, locale = state.schedule, entry.slot, state.locale
    if schedule is None or slot is None:
        return text("{task} 还没有位置", locale, task=entry.name)
    week, weekday = week_and_weekday(schedule.window.day_of(slot.day))
    place = _place_words(week, weekday, (slot.slot_start, slot.slot_end), locale)
    return text("{name} 在 {place}", locale, name=entry.name, place=place)


def _place(place: PlaceView, locale: str) -> str:
    sections = place["section_from"], place["section_to"]
    return _place_words(place["week"], place["day_of_week"], sections, locale)


def _place_words(week: int, weekday: int, sections: tuple[int, int], locale: str) -> str:
    first, last = sections
    named = weekday_words(weekday, locale)
    return text("第{week}周 {weekday} {first}-{last}节", locale, week=week, weekday=named, first=first, last=last)


def _cost(state: AgentState, deps: Deps, locale: str, *, changed: bool) -> list[str]:
    """Returns the cost before and after; not where the number of unplaced items changed, whose price says nothing to a
    person."""
    before, after = state.run.start_cost, cost_of(state, deps)
    if not changed or before is None or after is None or before["total"] == after["total"]:
        return []
    if before["parts"].get("unplaced") != after["parts"].get("unplaced"):
        return []
    share = max(1, round(100 * abs(before["total"] - after["total"]) / before["total"])) if before["total"] else 100
    better = after["total"] < before["total"]
    message = "整体安排比之前好了约 {share}%。" if better else "整体安排比之前差了约 {share}%。"
    return [text(message, locale, share=share)]
