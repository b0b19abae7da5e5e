"""The composition root: one run's `Deps` from settings, stores, the planner and the rows of the student."""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from agent.calls.ports import ChangedRows, Ports, RowChange
from agent.drafts.rows import rows_change
from agent.llm.call_counts import CountedModel
from agent.llm.factory import NoModel, model_from_settings
from agent.loop.events import Stamped, StatusChanged
from agent.loop.interactions import Request, Resume
from agent.loop.outside.deps import Deps, Tally, never
from agent.loop.outside.limits import RunLimits
from agent.loop.outside.model import FailedCall, Model
from agent.models import PendingInteraction, Run
from agent.outbound.setup import web_ports
from agent.runs.execution.limits import limits_from
from agent.runs.execution.session import RunSession
from agent.selectors import interaction_value
from agent.store import archive
from agent.store.model_facts import RedisFacts
from agent.store.threads import in_thread
from agent.tools.default import default_registry
from schedules.models import Semester
from schedules.planner.facts import Facts
from schedules.planner.soft_limits import SoftLimit
from schedules.progress.standing_items import missed_items, standing_classes
from schedules.selectors import facts_load, preferences_of, semester_current, task_class_book
from schedules.services import class_remove, class_upsert, classes_update, preferences_change
from schedules.services.planning import planners, timed_plan_async
from schedules.services.progress import MarkWish, items_mark, marks_check
from taskclasses.selectors import task_classes_json
from taskclasses.shapes import ClassObject

logger = logging.getLogger("agent.runs")


def environment() -> dict[str, Any]:
    """Returns environment variables with the settings' values on top: what the factories read."""
    parts = ("BASE_URL", "API_KEY", "MODEL")
    names = ("AGENT_BACKEND", *(prefix + part for prefix in ("OPENAI_", "OPENAI_FALLBACK_") for part in parts))
    return {**os.environ, **{name: getattr(settings, name) for name in names}}


@lru_cache(maxsize=1)
def shared_model() -> Model:
    """Returns the process's model; it keeps one client per event loop. Settings that name none leave every run
    without."""
    try:
        return CountedModel(model_from_settings(environment(), facts=RedisFacts()))
    except ValueError as error:
        logger.error("no model: %s", error)
        return CountedModel(NoModel())


@lru_cache(maxsize=1)
def shared_limits() -> RunLimits:
    return limits_from(environment())


def build_tally(run: Run, events: Sequence[Stamped]) -> Tally:
    """Returns what a run that was handed over has used so far, and the status it told last."""
    statuses = [stamped.event for stamped in events if isinstance(stamped.event, StatusChanged)]
    return Tally(
        iterations=run.total_iterations,
        tool_calls=run.total_tool_calls,
        corrections=run.auto_fix_attempts,
        failed_calls=[FailedCall(**document) for document in run.failed_calls or ()],
        last_status=(statuses[-1].code, statuses[-1].summary) if statuses else ("", ""),
    )


def build_request(run: Run) -> Request:
    """Returns the loop's request from the stored one; the answered interaction is read with its answer."""
    document = run.request
    fields = {
        "message": document["message"],
        "task_class_ids": tuple(document["task_class_ids"]),
        "always_execute": document["always_execute"],
        "thinking": document["thinking"],
    }
    resume = document.get("resume")
    if not resume:
        return Request(**fields)
    row = PendingInteraction.objects.select_related("run").get(pk=resume["interaction_id"])
    answer = {key: resume[key] for key in ("action", "message", "option", "typed")}
    if row.type == PendingInteraction.Kind.CONNECTION_RECOVER:
        lost, shown = build_request(row.run), archive.get(row.run_id) or ()
        used = _used_blocks(row.run, lost, shown)
        fields |= {"lost": lost, "lost_run_id": str(row.run_id), "used_blocks": used}
    return Request(**fields, resume=Resume(interaction=interaction_value(row), **answer))


def take_up(run: Run, events: Sequence[Stamped]) -> Request:
    """Returns the request of a run that was handed over, whose log is `events`."""
    request = build_request(run)
    return request.model_copy(update={"taken_up": True, "used_blocks": _used_blocks(run, request, events)})


def _used_blocks(run: Run, request: Request, events: Sequence[Stamped]) -> dict[str, int]:
    """Returns the highest block number by prefix that a run, or the one it tried to recover, has shown."""
    used = dict(request.used_blocks)
    shown = {stamped.event.block_id for stamped in events}
    for block_id in shown | set(run.timeline.values_list("block_id", flat=True)):
        prefix, _, number = block_id.rpartition(".")
        if number.isdigit():
            used[prefix] = max(int(number), used.get(prefix, 0))
    return used


def _check_marks(user_id: int, marks: Sequence[dict[str, Any]]) -> int:
    return marks_check(user=User.objects.get(pk=user_id), marks=_wishes(marks), now=timezone.now())


def _mark(user_id: int, marks: Sequence[dict[str, Any]], claim: str) -> dict[str, Any]:
    user = User.objects.get(pk=user_id)
    return {**items_mark(user=user, marks=_wishes(marks), now=timezone.now(), claim=claim)}


def _wishes(marks: Sequence[dict[str, Any]]) -> list[MarkWish]:
    return [MarkWish(mark["task_item_id"], mark["progress"], mark["sections_left"]) for mark in marks]


def _preferences(user_id: int) -> list[SoftLimit]:
    return [row.limit for row in preferences_of(user_id)]


def _change_preferences(user_id: int, added: Sequence[SoftLimit], removed: Sequence[SoftLimit]) -> list[SoftLimit]:
    return [row.limit for row in preferences_change(user_id=user_id, wishes=added, drop=removed)]


async def build_deps(session: RunSession) -> Deps:
    """Builds everything the loop may touch, bound to one run."""
    user_id, _ = session.owner
    semester = await in_thread(semester_current)(user_id)

    async def load_facts(class_ids: Sequence[int]) -> Facts:
        return await in_thread(facts_load)(user_id=user_id, class_ids=list(class_ids), semester=semester)

    async def list_task_classes() -> list[ClassObject]:
        return await in_thread(task_classes_json)(user_id)

    return Deps(
        model=shared_model(),
        registry=default_registry(),
        emit=session.emit,
        save=session.save,
        read_draft=session.read_draft,
        clock=timezone.now,
        ids=lambda: str(uuid.uuid4()),
        cancelled=lambda: session.cancelled,
        calendar=semester.calendar,
        load_facts=load_facts,
        list_task_classes=list_task_classes,
        rough_build=timed_plan_async,
        close_interaction=session.close_interaction,
        run_id=str(session.run.pk),
        limits=shared_limits(),
        tally=session.tally,
        leaving=session.leaving or never,
        tool_ports=replace(_store_ports(session, semester), load_facts=load_facts),
        compute=planners().acall,
    )


def _store_ports(session: RunSession, semester: Semester) -> Ports:
    """Returns the ports of the tools to the rows of the run's student, beside those to the web."""
    user_id, _ = session.owner

    async def upsert(values: dict[str, Any], *, call_id: str) -> dict[str, Any]:
        return await in_thread(class_upsert)(user_id=user_id, values=values, claim=session.claim(call_id))

    async def update(rows: Sequence[dict[str, Any]], *, call_id: str) -> dict[str, Any]:
        return await in_thread(classes_update)(user_id=user_id, rows=rows, claim=session.claim(call_id))

    async def remove(class_id: int, *, call_id: str) -> dict[str, Any]:
        claim = session.claim(call_id)
        return await in_thread(class_remove)(user_id=user_id, class_id=class_id, claim=claim)

    async def book(class_id: int | None) -> dict[str, Any]:
        return await in_thread(task_class_book)(user_id, class_id)

    async def check_marks(marks: Sequence[dict[str, Any]]) -> int:
        return await in_thread(_check_marks)(user_id, marks)

    async def mark(marks: Sequence[dict[str, Any]], *, call_id: str) -> dict[str, Any]:
        return await in_thread(_mark)(user_id, marks, session.claim(call_id))

    async def standing() -> list[int]:
        return await in_thread(standing_classes)(user_id)

    async def missed(item_ids: Sequence[int]) -> list[int]:
        return await in_thread(missed_items)(user_id, item_ids, timezone.now())

    async def change_rows(change: RowChange, class_ids: Sequence[int], *, call_id: str, dry_run: bool) -> ChangedRows:
        claim = session.claim(call_id)
        given: dict[str, Any] = {"change": change, "class_ids": class_ids, "claim": claim, "dry_run": dry_run}
        return await in_thread(rows_change)(user_id=user_id, semester=semester, **given)

    async def preferences() -> list[SoftLimit]:
        return await in_thread(_preferences)(user_id)

    async def change_preferences(added: Sequence[SoftLimit], removed: Sequence[SoftLimit]) -> list[SoftLimit]:
        return await in_thread(_change_preferences)(user_id, added, removed)

    return replace(
        web_ports(environment()),
        upsert_task_class=upsert,
        update_task_classes=update,
        delete_task_class=remove,
        task_class_book=book,
        standing_classes=standing,
        missed_items=missed,
        check_marks=check_marks,
        mark_items=mark,
        change_rows=change_rows,
        preferences=preferences,
        change_preferences=change_preferences,
    )
