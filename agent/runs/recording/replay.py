"""Playing a recorded run again (agent.md 10): the real loop, recorded surroundings, no row written, nothing sent.

With the recorded model every event must be equal but for times; with another model the decisions are compared.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from agent.calls.kinds import Json
from agent.calls.ports import Ports
from agent.loop.errors import DraftConflict, RunFailure
from agent.loop.events import Event, Stamped
from agent.loop.interactions import Request
from agent.loop.outside import model as models
from agent.loop.outside.deps import Deps, Tally
from agent.loop.outside.limits import RunLimits
from agent.loop.outside.model import Delta, Model, ModelError, ModelRequest
from agent.loop.run import run_loop
from agent.loop.state.agent_state import AgentState
from agent.loop.state.migrations import migrate_draft
from agent.runs.recording.codec import decode, decode_error
from agent.runs.recording.journal import Inputs, digest_state, outcome_facts, prompt_digests, without_times
from agent.runs.timeline.close_out import close_out, read_outbox
from agent.tools.default import default_registry

_KINDS: tuple[type[Any], ...] = (
    models.Reasoning,
    models.Text,
    models.Usage,
    models.Finish,
    models.Waiting,
    models.Switched,
)
_DELTAS = {kind.__name__: kind for kind in _KINDS}


class Diverged(Exception):
    """Tells that the replay asked for something the recording does not hold."""


@dataclass
class Replayed:
    """Holds what a replay gave: `events` without those the run's creation made; `notes` are prompts that changed since
    the recording."""

    events: list[Json] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    state_digests: dict[str, str] = field(default_factory=dict)
    facts: Json = field(default_factory=dict)
    failure: str = ""


async def replay(document: Json, *, model: Model | None = None, seen: Callable[[Json], Awaitable[None]]) -> Replayed:
    """Runs the loop on a recorded run; `model` None plays the recorded one. `seen` gets each event's document."""
    result = Replayed()
    strict = model is None
    state = AgentState.from_document(document["state"])
    stage = _Stage(document, result, seen, strict=strict)
    name = str(document.get("settings", {}).get("model", "recorded"))
    deps = stage.deps(model or _RecordedModel(name, document["model_calls"], result.notes, stage))
    try:
        end = await run_loop(state, Request.model_validate(document["request"]), deps)
    finally:
        # The loop takes what is missing for a failure of its own, and its way to end asks for more that is missing.
        if strict and stage.parted:
            raise Diverged(stage.parted)
    for event in [*stage.still_open(state.conversation.locale), *end.after_commit]:
        await stage.tell(event)
    result.state_digests = digest_state(state)
    result.facts = outcome_facts(state, [Stamped.from_document(event).event for event in result.events])
    return result


def ports_apart(document: Json) -> str:
    """Tells which ports of the tools only this code has, and which only the recording: an older release had others."""
    settings = document.get("settings", {})
    here, there = _names_of(Ports), set(settings.get("ports", _names_of(Ports)))
    told = {"has no answers of": here - there, "has answers of ports that are gone": there - here}
    return "; ".join(f"the recording {what}: {', '.join(sorted(names))}" for what, names in told.items() if names)


def _names_of(kind: type[Any]) -> set[str]:
    return {one.name for one in fields(kind)}


def _known(kind: type[Any], values: Json) -> Json:
    """Returns the values that this code has a field for."""
    return {name: value for name, value in values.items() if name in _names_of(kind)}


def opening_of(document: Json) -> int:
    """Tells how many of the recorded events came before those of the loop."""
    made_at_creation = 2 if document["request"].get("resume") else 1
    return int(document.get("opening", made_at_creation))


def _tally(document: Json) -> Tally:
    return Tally(**{**document, "last_status": tuple(document.get("last_status", ("", "")))})


def comparable(event: Json) -> Json:
    """Returns an event without what depends on the speed of the machine."""
    cleaned: Json = without_times(event)
    return cleaned


def first_difference(recorded: list[Json], again: list[Json]) -> str:
    """Tells where two lists of events part, "" when they are equal."""
    for one, other in zip(recorded, again, strict=False):
        parted = _find_difference(comparable(one), comparable(other))
        if parted:
            path, before, after = parted
            return f"event {one['idx']} ({one['type']}) at {path}: recorded {_brief(before)}, replayed {_brief(after)}"
    if len(recorded) != len(again):
        return f"{len(recorded)} events recorded, {len(again)} replayed"
    return ""


def parted_state(recorded: Json, again: Replayed) -> str:
    """Returns the parts of the final state that are not as recorded, "" when all are, or an old recording does not
    tell."""
    before, after = recorded.get("state_digests", again.state_digests), again.state_digests
    return ", ".join(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))


def _find_difference(one: Any, other: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Returns (path, value, other value) of the first place where two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(f"{path}.{key}", one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{path}[{place}]", *pair) for place, pair in enumerate(zip(one, other, strict=True))]
    else:
        return None if one == other else (path, one, other)
    return next((found for where, a, b in pairs if (found := _find_difference(a, b, where))), None)


def _brief(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)[:300]


class _RecordedModel:
    """Plays answers as they were recorded; a changed prompt is noted."""

    def __init__(self, name: str, calls: list[Json], notes: list[str], stage: _Stage) -> None:
        self.name = name
        self._calls = deque(calls)
        self._notes = notes
        self._stage = stage
        self._count = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        if not self._calls:
            raise self._stage.part("one model call more than recorded")
        call = self._calls.popleft()
        self._count += 1
        if call["messages"] != prompt_digests(request):
            self._notes.append(f"model call {self._count} ({request.stage}): the prompt is not the recorded one")
        for delta in call["deltas"]:
            fields = {key: value for key, value in delta.items() if key != "kind"}
            self._stage.inputs.count += 1
            yield _DELTAS[delta["kind"]](**fields)
        if "error" in call:
            code = call["error"]["code"]
            cause = models.Cause(call["error"].get("kind", "unknown"))
            raise ModelError(code, cause) if code else RuntimeError("recorded failure of the model")
        if call.get("left"):
            await asyncio.Event().wait()  # until the loop leaves, as it did


class _Stage:
    """Plays the recorded surroundings of one run. Not `strict`: a tape that runs out repeats its last value."""

    def __init__(
        self, document: Json, result: Replayed, seen: Callable[[Json], Awaitable[None]], *, strict: bool
    ) -> None:
        self._document = document
        self._result = result
        self._seen = seen
        self._strict = strict
        self._tapes = {name: deque(values) for name, values in document["tapes"].items()}
        self._calls = {name: deque(values) for name, values in document["calls"].items()}
        self._last: dict[str, Any] = {}
        self._fresh_ids = 0
        self._emitted = 0
        self._outbox: list[Json] = []
        self.inputs = Inputs()
        self.parted = ""
        first = document["events"][0]
        self._place = {"run_id": first["run_id"], "conversation_id": first["conversation_id"]}
        self._idx = first["idx"] + opening_of(document)
        self._ts = first["ts"]

    def deps(self, model: Model) -> Deps:
        names = ("load_facts", "list_task_classes", "rough_build")
        ports: dict[str, Any] = {name: self._port(name) for name in names}
        called = [name.removeprefix("tool.") for name in self._calls if name.startswith("tool.")]
        tools = self._document["settings"].get("ports", called)  # a tool says at once that it lacks a port
        return Deps(
            model=model,
            registry=default_registry(),
            emit=self.emit,
            save=self._save,
            read_draft=self._read_draft,
            clock=lambda: datetime.fromisoformat(self._tape("clock")),
            ids=self._id,
            timer=lambda: float(self._tape("timer")),
            cancelled=self._was_cancelled,
            calendar=decode(self._document["settings"]["calendar"]),
            close_interaction=self._port("close_interaction") if "close_interaction" in self._calls else self._nothing,
            run_id=self._document["run_id"],
            tally=_tally(self._document.get("tally", {})),
            limits=RunLimits(**{**vars(RunLimits()), **_known(RunLimits, self._document["settings"]["limits"])}),
            tool_ports=Ports(**_known(Ports, {name: self._port(f"tool.{name}") for name in tools})),
            **ports,
        )

    async def emit(self, event: Event) -> None:
        await self.tell(event)
        self._emitted += 1
        if self._emitted in self._tapes.get("emit_unkept", ()):
            raise RunFailure("state_save_failed")
        if self._emitted in self._tapes.get("emit_failed", ()):
            raise decode_error({"kind": "other"})

    async def tell(self, event: Event) -> None:
        stamped = event.stamp(idx=self._idx, ts=self._ts, **self._place)
        self._idx += 1
        document = stamped.to_document()
        self._result.events.append(document)
        await self._seen(document)

    def still_open(self, locale: str) -> list[Event]:
        """Returns what closes the blocks and tools that the loop left open, as the end of the recorded run did."""
        told = [*self._document["events"][: opening_of(self._document)], *self._result.events]
        events = [Stamped.from_document(event) for event in told]
        rest = {"outbox": read_outbox(self._outbox), "locale": locale, "now": self._ts}
        return close_out(events, default_registry(), reason="worker_lost", **rest)

    def part(self, reason: str) -> Diverged:
        """Returns the error of what the recording does not hold; the first reason is the one that counts."""
        self.parted = self.parted or reason
        return Diverged(reason)

    def _tape(self, name: str) -> Any:
        self.inputs.count += 1
        tape = self._tapes.get(name)
        if tape:
            self._last[name] = tape.popleft()
        elif self._strict:
            raise self.part(f"the recording holds no more readings of {name}")
        return self._last[name]

    def _id(self) -> str:
        if self._strict or self._tapes.get("ids"):
            return str(self._tape("ids"))
        self._fresh_ids += 1
        return f"00000000-0000-4000-8000-{self._fresh_ids:012d}"

    def _was_cancelled(self) -> bool:
        after = self._tapes.get("cancelled_after")
        return after is not None and len(after) > 0 and self.inputs.count >= int(after[0])

    def _next(self, name: str) -> Json:
        self.inputs.count += 1
        calls = self._calls.get(name)
        if calls:
            self._last[name] = calls.popleft()
        elif self._strict or name not in self._last:
            raise self.part(f"the recording holds no more answers of {name}")
        answer: Json = self._last[name]
        return answer

    def _port(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*arguments: Any, **named: Any) -> Any:
            return decode(await self._result_of(name))

        return call

    async def _result_of(self, name: str) -> Any:
        answer = self._next(name)
        if "error" in answer:
            raise decode_error(answer["error"])
        if answer.get("left"):
            await asyncio.Event().wait()  # until the loop leaves, as it did
        return answer["result"]

    async def _save(self, state: AgentState) -> None:
        if not self._strict and not self._calls.get("save"):
            state.revision += 1
            return
        answer = self._next("save")
        if "conflict" in answer:
            raise DraftConflict(self._present_draft(answer["conflict"]), answer["revision"])
        if "error" in answer:
            raise decode_error(answer["error"])
        state.revision = answer["revision"]
        self._outbox = state.to_document()["run"]["outbox"] or self._outbox

    async def _read_draft(self, state: AgentState) -> tuple[Json, int] | None:
        if not self._strict and not self._calls.get("read_draft"):
            return None
        result = await self._result_of("read_draft")
        return (self._present_draft(result[0]), result[1]) if result else None

    def _present_draft(self, draft: Json) -> Json:
        return migrate_draft(draft, found=self._document["state"]["version"])

    async def _nothing(self, *arguments: Any) -> None:
        """Writes nothing: a replay writes no row."""
