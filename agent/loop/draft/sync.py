"""The draft between the student and the loop: loaded, rebased, adopted, published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from typing import Literal

from agent.calls.kinds import Json
from agent.loop.errors import DraftConflict, LeaseLost, RunFailure
from agent.loop.events import DraftUpdated, SystemMessage
from agent.loop.interactions import NodeName
from agent.loop.output.blocks import next_block
from agent.loop.output.statuses import announce
from agent.loop.outside.deps import Deps
from agent.loop.phrases import join_names
from agent.loop.state.agent_state import AgentState, HealthPart
from agent.loop.state.draft import Author, DraftPart, LogEntry
from schedules.planner.draft.adapter import cost_of as price
from schedules.planner.draft.diff import changes_between
from schedules.planner.draft.load import load_state
from schedules.planner.draft.rebase import Dropped, rebase
from schedules.planner.draft.state import ScheduleState
from schedules.planner.shapes import CostTable
from taskclasses.kernel.canonical_json import digest_of
from taskclasses.kernel.i18n import text
from taskclasses.kernel.times import rfc3339
from taskclasses.shapes import ClassObject

Source = Literal["rough_build", "tool", "rebase", "student"]
OTHERS: Mapping[Author, str] = {
    "student": "学生修改了草稿",
    "apply": "学生把草稿写入了课表",
    "rebase": "课表或任务类有变化，草稿已重新载入",
}
"""Who writes a draft beside the loop, in words for the model."""
SAVE_ATTEMPTS = 5


async def refresh(state: AgentState, deps: Deps, *, stage: NodeName, scope_changed: bool = False) -> bool:
    """Reloads the rows and rebases the draft onto them; loads a fresh one where there is none, or only
    that of another semester.

    Returns whether the draft's content changed. Without a semester there is no draft.
    """
    if deps.calendar is None:
        return False
    before, now = state.schedule, deps.calendar.now_cell(deps.clock())
    shown = await shown_classes(state, deps)
    facts = await deps.load_facts(sorted({*shown, *needed_classes(state)}))
    existing = {row.id for row in facts.task_classes}
    state.conversation.scope = [class_id for class_id in state.conversation.scope if class_id in existing]
    scope = tuple(class_id for class_id in shown if class_id in existing)
    if before is None or before.semester.id != facts.semester_id:
        state.draft = DraftPart(schedule=load_state(facts, scope=scope, now=now))
        remember_classes(state)
        await _look_for_missed(state, deps)
        return False
    moved = before.base_version != facts.base_version and not scope_changed
    rebased = rebase(before, facts, now=now, scope=scope)
    state.draft.schedule = rebased.state
    await _look_for_missed(state, deps)
    _look_at_classes(state)
    if rebased.changed:
        await _announce_rebase(state, deps, before, rebased.dropped, stage=stage, moved=moved)
    return rebased.changed


async def shown_classes(state: AgentState, deps: Deps) -> list[int]:
    """Returns the classes that the draft is made of: those of the conversation, and while it has none all that stand on
    the timetable, so that a question about the plan is answered by the whole of it."""
    standing = deps.tool_ports.standing_classes
    if state.conversation.scope or standing is None:
        return state.conversation.scope
    return await standing()


async def _look_for_missed(state: AgentState, deps: Deps) -> None:
    find, schedule = deps.tool_ports.missed_items, state.schedule
    if find is not None and schedule is not None:
        deps.tally.missed = frozenset(await find([entry.source_id for entry in schedule.items() if entry.base]))


def _look_at_classes(state: AgentState) -> None:
    """Counts a class of the scope that was changed elsewhere as one that was written here: diagnosis and accepted risk
    were about another plan, and what it has without a place has not been built."""
    seen = state.conversation.seen_classes
    now = remember_classes(state)
    changed = [class_id for class_id, digest in now.items() if seen.get(class_id, digest) != digest]
    if not changed:
        return
    schedule = state.schedule
    assert schedule is not None
    waiting = {str(entry.task_class_id) for entry in schedule.items() if not entry.slots}
    state.health, state.draft.accepted_risk = HealthPart(), None
    state.draft.built = [known for known in state.draft.built if str(known) not in waiting.intersection(changed)]
    names = [meta.name for class_id in changed if (meta := schedule.task_class(int(class_id))) is not None]
    state.run.news.append(f"任务类已被修改：{'、'.join(f'「{name}」' for name in names)}，之前的体检结论不再适用。")


def remember_classes(state: AgentState) -> dict[str, str]:
    """Notes how the classes of the scope are now: a digest of rules and items by class id."""
    schedule, found = state.schedule, {}
    if schedule is not None:
        for meta in filter(None, map(schedule.task_class, state.conversation.scope)):
            items = sorted(entry.source_id for entry in schedule.items() if entry.task_class_id == meta.id)
            found[str(meta.id)] = digest_of([astuple(replace(meta, name="")), items])
    state.conversation.seen_classes = found
    return found


def needed_classes(state: AgentState) -> set[int]:
    """Returns the classes of the conversation and those whose rows its draft is made of."""
    return {*state.conversation.scope, *(state.schedule.needed_classes if state.schedule else ())}


async def _announce_rebase(
    state: AgentState, deps: Deps, before: ScheduleState, dropped: Sequence[Dropped], *, stage: NodeName, moved: bool
) -> None:
    after = state.schedule
    assert after is not None
    note_change(state, deps, before, who="rebase")
    if before.window != after.window:
        _fold(state)
    lost, kept = _names_of(after, dropped, stays=False), _names_of(after, dropped, stays=True)
    state.run.news.append(
        "课表或任务类有变化，草稿已重新载入。"
        + (f"失去位置：{'、'.join(lost)}。" if lost else "")
        + (f"新位置不再可用，仍在课表上原来的位置：{'、'.join(kept)}。" if kept else "")
    )
    await store(state, deps)
    if moved:
        await announce(state, deps, stage, "draft_rebased")
    await announce_draft(state, deps, before, source="rebase", stage=stage)
    locale = state.locale
    if lost:
        told = text("课表有变化，这些任务失去了位置：{names}", locale, names=join_names(lost, locale))
        await _warn_of_drops(state, deps, stage, told)
    if kept:
        told = text(
            "课表有变化，这些任务的新位置不再可用，仍在课表上原来的位置：{names}",
            locale,
            names=join_names(kept, locale),
        )
        await _warn_of_drops(state, deps, stage, told)


async def _warn_of_drops(state: AgentState, deps: Deps, stage: NodeName, told: str) -> None:
    block = next_block(state, stage, "system")
    await deps.emit(
        SystemMessage(stage=stage, block_id=block, code="draft_items_dropped", level="warning", content=told)
    )


def _names_of(after: ScheduleState, dropped: Sequence[Dropped], *, stays: bool) -> list[str]:
    return [entry.name for row in dropped if row.stays == stays and (entry := after.task(row.state_id)) is not None]


def _fold(state: AgentState) -> None:
    """Folds older calls after days were renumbered:  older observations would name the wrong ones."""
    state.run.news.append("时间窗已变化，天序号重新编号，请以最新结果为准。")
    state.run.calls = [call.model_copy(update={"folded": True}) for call in state.run.calls]


def note_change(state: AgentState, deps: Deps, before: ScheduleState | None, *, who: Author) -> None:
    """Enters a change of this run into the draft's log; the model knows of it."""
    goal = state.conversation.goals if who == "agent" else 0
    state.draft.note_change(before, who=who, at=rfc3339(deps.clock()), goal=goal)
    state.draft.written_by = deps.run_id
    state.conversation.seen_revision = state.draft.log[-1].revision


def tell_log(state: AgentState) -> None:
    """Turns what others did to the draft since the model last looked into news for it."""
    if state.schedule is None:
        return
    state.run.news += _untold(state)
    state.conversation.seen_revision = state.schedule.revision


def _untold(state: AgentState) -> list[str]:
    seen = state.conversation.seen_revision
    if seen is None:
        return []
    return [_news_of(entry) for entry in state.draft.log if entry.revision > seen and entry.who in OTHERS]


def _news_of(entry: LogEntry) -> str:
    """Returns a change in words for the model; of a rebase only what lost its place is named."""
    lost = entry.who == "rebase"
    names = "、".join(row["name"] for row in entry.changes if not lost or row["after"] is None)
    return f"{OTHERS[entry.who]}{'，失去位置' if lost and names else ''}{f'：{names}' if names else ''}。"


async def announce_draft(
    state: AgentState, deps: Deps, before: ScheduleState | None, *, source: Source, stage: NodeName
) -> None:
    """Tells readers that the draft is a new one; it has been saved before."""
    await deps.emit(draft_event(state, before, source=source, stage=stage))


def draft_event(state: AgentState, before: ScheduleState | None, *, source: Source, stage: NodeName) -> DraftUpdated:
    after = state.schedule
    assert after is not None
    items = [] if before is None else [change.item_id for change in changes_between(before, after)]
    return DraftUpdated(
        stage=stage, block_id=f"{stage}.draft", revision=after.revision, source=source, task_item_ids=sorted(items)
    )


async def store(state: AgentState, deps: Deps) -> None:
    """Saves the document. A newer draft of the student is taken over first; any other failure fails the run."""
    for _ in range(SAVE_ATTEMPTS):
        if await save_or_adopt(state, deps):
            return
    raise RunFailure("state_save_failed", "the draft kept moving")


async def save_or_adopt(state: AgentState, deps: Deps) -> bool:
    """Saves the document; False when the student's draft is newer: that one is adopted, and nothing is saved."""
    try:
        await deps.save(state)
    except DraftConflict as conflict:
        await adopt(state, deps, conflict.document, conflict.revision)
        return False
    except LeaseLost:
        raise
    except Exception as error:
        raise RunFailure("state_save_failed", repr(error)) from error
    deps.tally.saved = state.checkpoint()
    return True


async def adopt(state: AgentState, deps: Deps, document: Json, revision: int) -> bool:
    """Takes over the stored draft, which the student saved while we were working, and says so; whether it differs."""
    before = state.schedule
    state.draft = DraftPart.from_document(document)
    state.revision = revision
    after = state.schedule
    if after is None or (before is not None and before.revision == after.revision):
        return False
    if not _untold(state):  # else `tell_log` says it, before the next round or to the next goal
        moved = [] if before is None else [change.name for change in changes_between(before, after)]
        state.run.news.append(OTHERS["student"] + (f"：{'、'.join(moved)}。" if moved else "。"))
    await announce_draft(state, deps, before, source="student", stage=state.run.node)
    return True


async def adopt_newer(state: AgentState, deps: Deps) -> bool:
    """Adopts the stored draft when it is newer than ours."""
    found = await deps.read_draft(state)
    return found is not None and await adopt(state, deps, *found)


def cost_of(state: AgentState, deps: Deps) -> CostTable | None:
    """Computes the cost of the draft once per revision."""
    schedule = state.schedule
    if schedule is None:
        return None
    if deps.tally.cost is None or deps.tally.cost[0] is not schedule:
        cost = price(schedule)
        deps.tally.cost = (schedule, {"total": cost.total, "parts": dict(cost.parts)})
    return deps.tally.cost[1]


def places_of(schedule: ScheduleState | None) -> dict[str, list[int]]:
    """Returns item id -> [day number, first section, host event id or 0] of every placed item."""
    if schedule is None:
        return {}
    found = {}
    for entry in schedule.items():
        spot = schedule.spot_of(entry)
        if spot is not None:
            found[str(entry.source_id)] = [spot.place.day, spot.place.first, spot.host_event_id or 0]
    return found


def remember_start(state: AgentState, deps: Deps) -> None:
    """Remembers what the goal's changes are measured against."""
    schedule = state.schedule
    if schedule is None:
        return
    state.run.start_revision = schedule.revision
    state.run.start_places = places_of(schedule)
    state.run.start_lengths = {str(one.source_id): one.duration for one in schedule.items()}
    state.run.start_cost = cost_of(state, deps)
    state.run.seen_places = sorted(f"{item}@{place}" for item, place in state.run.start_places.items())


async def classes_of(deps: Deps) -> list[ClassObject]:
    """Returns the student's classes, fetched once per run and after each class write."""
    if deps.tally.classes is None:
        deps.tally.classes = await deps.list_task_classes()
    return deps.tally.classes
