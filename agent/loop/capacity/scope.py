"""Which classes a rough build is about, whether it may run and how it goes on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from agent.loop.draft.sync import classes_of, needed_classes, places_of, refresh, remember_start
from agent.loop.interactions import NodeName, OpenInteraction
from agent.loop.output.questions import question
from agent.loop.outside.deps import Deps
from agent.loop.phrases import (
    ACCEPT_PARTIAL,
    DRAFT_ONLY,
    GLOBAL,
    SECOND_BUILD,
    chosen_option,
    classes_named,
    means_all,
    says,
)
from agent.loop.state.agent_state import AgentState
from schedules.planner.draft.load import load_state
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import ScheduleState
from taskclasses.kernel.i18n import date_words, text
from taskclasses.shapes import ClassObject

MAX_CLASSES = 8
OTHER_DAYS = "预演算上了课表上的全部任务类，它的天序号按自己的日期范围数，与草稿的不同，请以周次和星期为准。"
"""What the model is told where a copy of the draft begins or ends on another day than the draft."""


def has_said(state: AgentState, phrases: tuple[str, ...]) -> bool:
    """Tells whether the student used one of the phrases in this goal. The label of an option is not the student's
    word."""
    return any(says(turn.text, phrases) for turn in state.run.turns if turn.option is None)


def wants_partial(state: AgentState) -> bool:
    return state.run.accept_partial or has_said(state, ACCEPT_PARTIAL)


def wants_global(state: AgentState) -> bool:
    return has_said(state, GLOBAL)


def classes_to_build(state: AgentState) -> tuple[list[int], bool]:
    """Returns the classes of the scope a build is for, and whether it is a second one: only a phrase allows that."""
    scope, built = state.conversation.scope, set(state.built_classes)
    if has_said(state, SECOND_BUILD):
        return list(scope), True
    return [class_id for class_id in scope if class_id not in built], False


def wants_refine(state: AgentState, building: Iterable[int]) -> bool:
    """Tells whether the build is refined: draft only beats all; a first build is; later ones as the model says."""
    if has_said(state, DRAFT_ONLY):
        return False
    first = not set(building) <= set(state.built_classes)
    return first or bool(state.run.refine)


async def set_scope(state: AgentState, deps: Deps, ids: Iterable[int], *, stage: NodeName) -> None:
    """Replaces the scope and loads the draft for it."""
    wanted = sorted(set(ids))
    if wanted == state.conversation.scope and state.schedule is not None:
        return
    state.conversation.scope = wanted
    await refresh(state, deps, stage=stage, scope_changed=True)
    if not state.run.calls:
        remember_start(state, deps)


async def name_classes(state: AgentState, deps: Deps, ids: Iterable[int], *, stage: NodeName) -> None:
    """Takes the classes that the model found in the student's words into the scope: beside those that the request
    gives, else in place of the scope of before."""
    named = set(ids)
    if not named:
        return
    given = state.conversation.scope if state.run.scope_given else ()
    await set_scope(state, deps, named.union(given), stage=stage)
    state.run.scope_given = True


async def widen_scope(state: AgentState, deps: Deps) -> None:
    """Takes every class that stands on the timetable into the scope: what happens in a term concerns all of them.

    The goal counts from where the newcomers stand now.
    """
    standing = deps.tool_ports.standing_classes
    found = set() if standing is None else set(await standing())
    if found <= set(state.conversation.scope):
        return
    known = set() if state.schedule is None else {str(entry.source_id) for entry in state.schedule.items()}
    state.conversation.scope = sorted(found.union(state.conversation.scope))
    await refresh(state, deps, stage="execute", scope_changed=True)
    newcomers = {item: place for item, place in places_of(state.schedule).items() if item not in known}
    state.run.start_places = {**newcomers, **state.run.start_places}


async def widened_draft(state: AgentState, deps: Deps) -> ScheduleState | None:
    """Returns the draft as it would be with every class that stands on the timetable in its scope: a read may be
    about the whole term, and what the conversation plans stays what the student named."""
    standing, before = deps.tool_ports.standing_classes, state.schedule
    found = set() if standing is None else set(await standing())
    if deps.calendar is None or found <= set(state.conversation.scope):
        return before
    wide = found.union(state.conversation.scope)
    facts = await deps.load_facts(sorted(wide.union(needed_classes(state))))
    scope, now = (
        tuple(sorted(wide.intersection(row.id for row in facts.task_classes))),
        deps.calendar.now_cell(deps.clock()),
    )
    if before is None or before.semester.id != facts.semester_id:
        return load_state(facts, scope=scope, now=now)
    wide_draft = rebase(before, facts, now=now, scope=scope).state
    if wide_draft.window != before.window:
        state.run.news.append(OTHER_DAYS)
    return wide_draft


async def scope_question(state: AgentState, deps: Deps) -> OpenInteraction | None:
    """Returns the backend's question which class to plan; None when it is not to be asked or the request names the
    classes."""
    classes = await classes_of(deps)
    if not classes:
        if "no_classes" not in state.run.notes:
            state.run.notes.append("no_classes")
        return None
    if state.run.scope_asked:
        return None
    state.run.scope_asked = True
    options = scope_options(state, classes)
    return question(
        state, deps, text("要排哪个任务类？", state.locale), resume_node="execute", options=options, topic="scope"
    )


def scope_options(state: AgentState, classes: list[ClassObject]) -> list[tuple[str, str]]:
    rows = [(f"class:{row['id']}", _label(state, row)) for row in classes[-MAX_CLASSES:]]
    return [*rows, ("all", text("全部", state.locale)), ("new", text("新建一个", state.locale))]


def _label(state: AgentState, row: ClassObject) -> str:
    parts = [row["name"]]
    if row.get("total_slots"):
        parts.append(text("{n} 节", state.locale, n=row["total_slots"]))
    if (start := row.get("start_date")) and (end := row.get("end_date")):
        parts.append(" ~ ".join(date_words(date.fromisoformat(day), state.locale) for day in (start, end)))
    return " · ".join(parts)


def scope_answer(
    pending: OpenInteraction, message: str, option: str | None, classes: list[ClassObject]
) -> list[int] | None:
    """Returns the classes an answer to the scope question names, as far as they still exist; None hands it to the
    model."""
    options = [(row.id, row.label) for row in pending.options]
    chosen = option or chosen_option(message, options)
    if chosen is None and means_all(message):
        chosen = "all"
    if chosen == "all":
        return [row["id"] for row in classes] or None
    if chosen is not None:
        return [row["id"] for row in classes if chosen == f"class:{row['id']}"] or None
    return classes_named(message, classes) or None
