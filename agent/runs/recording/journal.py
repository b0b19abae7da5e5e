"""Everything a run takes in, recorded so that the run can be played again (agent.md 10).

Clock, ids and timers are tapes; ports and model calls are lists of answers by name. Secrets never pass through here.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import zlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.utils import timezone

from agent.calls.kinds import Json
from agent.calls.ports import Ports
from agent.loop.errors import DraftConflict, RunFailure
from agent.loop.events import Event, RunFinished, Stamped, ToolStarted
from agent.loop.interactions import Request
from agent.loop.outside.deps import Deps, Tally
from agent.loop.outside.model import Delta, Model, ModelError, ModelRequest
from agent.loop.prompt.files import prompts_digest
from agent.loop.state.agent_state import AgentState
from agent.models import Run, RunJournal
from agent.runs.recording.choices import choices_of
from agent.runs.recording.codec import encode, encode_error
from agent.store.threads import in_thread
from schedules.planner.draft.adapter import cost_of
from taskclasses.kernel.canonical_json import digest_of

VERSION = 1
TIMES = frozenset({"ts", "elapsed", "duration_ms", "latency_ms", "first_delta_ms"})
TALLIED = ("iterations", "tool_calls", "corrections", "last_status")


def retention() -> timedelta:
    return timedelta(days=settings.AGENT_JOURNAL_DAYS)


@dataclass
class Inputs:
    """Holds the number of values that have come in: the clock of a run that has no time in it."""

    count: int = 0


class Recorder:
    """Wraps a run's `Deps` so that every value that comes in is kept."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._tapes: dict[str, list[Any]] = defaultdict(list)
        self._calls: dict[str, list[Json]] = defaultdict(list)
        self._model: list[Json] = []
        self._records: list[Json] = []
        self._head: Json = {}
        self._inputs = Inputs()
        self._end: dict[str, str] = {}
        self._final: AgentState | None = None
        self._verdict_before_card: Json | None = None

    def begin(self, state: AgentState, request: Request, earlier: Sequence[Stamped], tally: Tally) -> None:
        """Begins the record; `earlier` are the events before those of the loop, `tally` what the run has used by
        then."""
        self._head = {
            "request": request.model_dump(mode="json"),
            "state": state.to_document(),
            "opening": len(earlier),
            "tally": {name: getattr(tally, name) for name in TALLIED},
        }
        self._verdict_before_card = state.verdict if request.resume else None

    def finish(self, state: AgentState) -> None:
        self._end = digest_state(state)
        self._final = state

    def wrap(self, deps: Deps) -> Deps:
        """Returns the same surroundings, recorded. Of `emit` only failures are: the events themselves are kept."""
        journal = deps.journal
        names = ("load_facts", "list_task_classes", "rough_build", "read_draft", "close_interaction")
        ports: dict[str, Any] = {name: self._record_port(name, getattr(deps, name)) for name in names}
        present = {name: port for name, port in vars(deps.tool_ports).items() if port is not None}
        tool_ports = Ports(**{name: self._record_port(f"tool.{name}", port) for name, port in present.items()})
        self._head["settings"] = {
            "limits": _plain_limits(deps),
            "model": deps.model.name,
            "prompts": prompts_digest(),
            "calendar": encode(deps.calendar),
            "ports": sorted(present),
        }

        def keep(record: Json) -> None:
            self._records.append(record)
            journal(record)

        return replace(
            deps,
            **ports,
            model=RecordedModel(deps.model, self._model, self._inputs),
            emit=self._recorded_emit(deps.emit),
            save=self._recorded_save(deps.save),
            clock=self._tape("clock", deps.clock, datetime.isoformat),
            ids=self._tape("ids", deps.ids, str),
            timer=self._tape("timer", deps.timer, lambda value: round(value, 4)),
            cancelled=self._recorded_cancel(deps.cancelled),
            tool_ports=tool_ports,
            journal=keep,
        )

    async def store(self, events: Sequence[Stamped]) -> None:
        """Writes the journal row: one per run."""
        await in_thread(self._write)(events)

    def _write(self, events: Sequence[Stamped]) -> None:
        looped = events[self._head.get("opening", 0) :]
        document = {
            "version": VERSION,
            "run_id": str(self._run.pk),
            "locale": self._run.locale,
            **self._head,
            "tapes": self._tapes,
            "calls": self._calls,
            "model_calls": self._model,
            "records": self._records,
            "state_digests": self._end,
            "choices": choices_of((stamped.event for stamped in looped), self._verdict_before_card),
            "facts": outcome_facts(self._final, [event.event for event in looped]) if self._final else {},
            "events": [event.to_document() for event in events],
        }
        stats = [record for record in self._records if record.get("kind") == "context_stats"]
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        values = {"document": zlib.compress(text.encode()), "context_stats": stats[-1] if stats else None}
        RunJournal.objects.update_or_create(run=self._run, defaults={**values, "created_at": timezone.now()})

    def _tape(self, name: str, source: Callable[[], Any], written: Callable[[Any], Any]) -> Callable[[], Any]:
        def read() -> Any:
            value = source()
            self._inputs.count += 1
            self._tapes[name].append(written(value))
            return value

        return read

    def _recorded_cancel(self, cancelled: Callable[[], bool]) -> Callable[[], bool]:
        """Records a cancel as the number of inputs before it: how often a waiting loop looks depends on the speed of
        things."""

        def read() -> bool:
            value = cancelled()
            if value and not self._tapes["cancelled_after"]:
                self._tapes["cancelled_after"].append(self._inputs.count)
            return value

        return read

    def _record_port(self, name: str, port: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def call(*arguments: Any, **named: Any) -> Any:
            self._inputs.count += 1
            try:
                value = await port(*arguments, **named)
            except asyncio.CancelledError:
                self._calls[name].append({"left": True})
                raise
            except Exception as error:
                self._calls[name].append({"error": encode_error(error)})
                raise
            self._calls[name].append({"result": encode(value)})
            return value

        return call

    def _recorded_emit(self, emit: Callable[[Event], Awaitable[None]]) -> Callable[[Event], Awaitable[None]]:
        """Keeps the places of the events that storage did not take: what the loop does then depends on them."""
        place = 0

        async def call(event: Event) -> None:
            nonlocal place
            place += 1
            try:
                await emit(event)
            except Exception as error:
                self._tapes["emit_unkept" if isinstance(error, RunFailure) else "emit_failed"].append(place)
                raise

        return call

    def _recorded_save(self, save: Callable[[AgentState], Awaitable[None]]) -> Callable[[AgentState], Awaitable[None]]:
        async def call(state: AgentState) -> None:
            self._inputs.count += 1
            try:
                await save(state)
            except DraftConflict as conflict:
                self._calls["save"].append({"conflict": conflict.document, "revision": conflict.revision})
                raise
            except Exception as error:
                self._calls["save"].append({"error": encode_error(error)})
                raise
            self._calls["save"].append({"revision": state.revision})

        return call


class RecordedModel:
    """Keeps the answers of a model delta by delta; `left` marks a call that the loop did not hear to its end."""

    def __init__(self, model: Model, calls: list[Json], inputs: Inputs) -> None:
        self._model = model
        self._calls = calls
        self._inputs = inputs

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        deltas: list[Json] = []
        record: Json = {"stage": request.stage, "messages": prompt_digests(request), "deltas": deltas}
        self._calls.append(record)
        try:
            async with aclosing(self._model.stream(request)) as answer:
                async for delta in answer:
                    deltas.append({"kind": type(delta).__name__, **asdict(delta)})
                    self._inputs.count += 1
                    yield delta
        except Exception as error:
            record["error"] = {"code": ""}
            if isinstance(error, ModelError):
                record["error"] = {"code": error.code, "kind": error.cause.kind}
            raise
        except BaseException:
            record["left"] = True
            raise


def prompt_digests(request: ModelRequest) -> list[str]:
    """Returns first 16 hex of the SHA-256 of each message: a changed prompt shows, its text is not kept twice."""
    return [hashlib.sha256(message["content"].encode()).hexdigest()[:16] for message in request.messages]


def without_times(value: Any) -> Any:
    """Returns a JSON value without what depends on the speed of the machine."""
    if isinstance(value, dict):
        return {key: without_times(part) for key, part in value.items() if key not in TIMES}
    return [without_times(part) for part in value] if isinstance(value, list) else value


def digest_state(state: AgentState) -> dict[str, str]:
    """Returns one digest for each part of the state, as `run.goal`, without what depends on when and how fast it was
    saved."""
    digests: dict[str, str] = {}
    for name, part in state.to_document().items():
        if name in ("saved_at", "revision"):
            continue
        rows = part if isinstance(part, dict) else {"": part}
        digests |= {f"{name}.{key}".rstrip("."): digest_of(without_times(value)) for key, value in rows.items()}
    return digests


def outcome_facts(state: AgentState, events: Sequence[Event]) -> Json:
    """Returns what two replays with different models are compared by: calls, outcome, final places and cost."""
    schedule = state.schedule
    finish = next((event for event in reversed(events) if isinstance(event, RunFinished)), None)
    return {
        "calls": [[e.name, e.arguments] for e in events if isinstance(e, ToolStarted)],
        "outcome": [finish.outcome, finish.outcome_code] if finish else ["failed", ""],
        "placements": [
            [entry.source_id, [slot.day, slot.slot_start, slot.slot_end]]
            for entry in (schedule.tasks if schedule else ())
            for slot in entry.slots
            if entry.is_item
        ],
        "cost": cost_of(schedule).total if schedule else None,
    }


def _plain_limits(deps: Deps) -> Json:
    return {name: value for name, value in vars(deps.limits).items() if isinstance(value, int | float)}


def load_journal(row: RunJournal) -> Json:
    """Loads the recorded document of a run."""
    return cast(Json, json.loads(zlib.decompress(row.document)))
