"""One run in the hands of one worker: its place in the log, its rows, its lease, its stored state."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.db import Error as StorageError
from redis import RedisError

from agent.loop import interactions
from agent.loop.errors import DraftConflict, LeaseLost, RunFailure
from agent.loop.events import Event, ReasoningDelta, Stamped, TextDelta
from agent.loop.output.endings import NO_COUNTS, Counts
from agent.loop.outside.deps import Tally
from agent.loop.outside.model import FailedCall
from agent.loop.state.agent_state import AgentState
from agent.loop.state.migrations import migrate_draft
from agent.models import PendingInteraction, Run
from agent.runs.ending.seal import Ending, commit_ending, fold_closing, seal
from agent.runs.ending.untold_events import class_claim
from agent.runs.execution.whole import run_whole
from agent.runs.start import append_opening
from agent.runs.timeline import rows as timeline
from agent.runs.timeline.fold import Folder
from agent.runs.wake import wake
from agent.store import lease
from agent.store.cancel_flags import cancel_flags
from agent.store.connection import async_client, patient_client
from agent.store.event_log import CAP, AppendRefused, EventLog
from agent.store.log_writer import LogWriter
from agent.store.snapshots import SnapshotConflict, SnapshotStore, StaleWriter
from agent.store.threads import in_lease_thread, in_thread

logger = logging.getLogger("agent.runs")
FLUSH_LIMIT_S = 3.0
OF_THE_STORE = ("revision", "saved_at")
"""What a save itself puts into the document."""


def _present_draft(document: dict[str, Any]) -> dict[str, Any]:
    """Returns the draft part of a stored document, whatever version the process that wrote it was of."""
    return migrate_draft(document["draft"], found=document["version"])


@contextmanager
def storage_as_failure() -> Iterator[None]:
    """Lets a run fail for a store that takes nothing as for a save that was not taken, not for what nobody foresaw."""
    try:
        yield
    except (StorageError, RedisError, OSError) as error:
        raise RunFailure("state_save_failed", repr(error)) from error


class RunSession:
    """Does the worker's side of a run. Every write carries the fencing number; a refusal is `LeaseLost`."""

    def __init__(self, run: Run, *, taken_up: bool = False, leaving: Callable[[], bool] | None = None) -> None:
        self.run = run
        self.taken_up = taken_up
        self.leaving = leaving
        self.tally = Tally()
        self.events: list[Stamped] = []
        self.cancelled = run.cancel_requested_at is not None
        self.outbox: list[dict[str, Any]] = []
        self._ending = False
        self._folder = Folder()
        self._writer = LogWriter(EventLog(async_client()), fence=run.fence)
        self._store = SnapshotStore(patient_client())
        self._order = asyncio.Lock()
        self._draft: Any = None
        self._saved: dict[str, Any] | None = None
        self._state: AgentState | None = None
        self.owner = (run.conversation.user_id, str(run.conversation_id))

    @property
    def locale(self) -> str:
        """Returns the conversation's language once it is known, before that the request's."""
        return self._state.conversation.locale if self._state else self.run.locale

    def claim(self, effect: str) -> str:
        """Returns the claim of a class write of the goal the loop is at."""
        assert self._state is not None
        return class_claim(self._state, effect)

    @property
    def next_idx(self) -> int:
        return self.events[-1].idx + 1 if self.events else 0

    @property
    def logged_idx(self) -> int:
        """Returns the idx behind the last event that is known to be in the log."""
        return self.next_idx - len(self._writer.unsent)

    async def begin(self) -> None:
        """Shuts out older writers and reads (or repairs) the opening events."""
        log = self._writer.log
        await log.raise_fence(str(self.run.pk), self.run.fence)
        if not self.taken_up:
            await append_opening(self.run)
        for stamped in await log.read(str(self.run.pk), 0, CAP):
            self._take(stamped)

    def _take(self, stamped: Stamped) -> Any:
        self.events.append(stamped)
        return self._folder.feed(stamped)

    def stamp(self, events: Sequence[Event]) -> list[Stamped]:
        """Gives the next places of the log to events; time never runs backwards in a log."""
        now = max(time.time(), self.events[-1].ts if self.events else 0.0)
        place = {"run_id": str(self.run.pk), "conversation_id": str(self.run.conversation_id)}
        return [event.stamp(idx=self.next_idx + i, ts=now, **place) for i, event in enumerate(events)]

    async def emit(self, event: Event) -> None:
        """Commits the timeline row of what the event completes, then appends the event.

        A piece of text is on its way when this returns, any other event is in the log, with all before it. What became
        of a piece is told to the next event, to `flush`, `save` or the end.
        """
        with storage_as_failure():
            if isinstance(event, TextDelta | ReasoningDelta) and not (self._order.locked() or self._writer.full):
                self._add(event)
            else:
                await run_whole(self._emit(event))

    async def _emit(self, event: Event) -> None:
        async with self._order:
            (stamped,) = self.stamp([event])
            item = self._take(stamped)
            if item is not None:
                await in_thread(timeline.add_item)(self.run, item)
            self._send(stamped)
            await self.flush()

    def _add(self, event: Event) -> None:
        (stamped,) = self.stamp([event])
        self._take(stamped)
        self._send(stamped)

    def _send(self, stamped: Stamped) -> None:
        opened = self._folder.open
        try:
            self._writer.add(stamped, open_block=opened.to_json() if opened else None)
        except AppendRefused as refusal:
            raise LeaseLost from refusal

    async def flush(self) -> None:
        """Waits until every event so far is in the log."""
        try:
            await self._writer.flush()
        except AppendRefused as refusal:
            raise LeaseLost from refusal

    async def _flush_in_time(self) -> None:
        """Flushes the log before a run is let go. What the log did not take is in the archive, or said again by the
        next worker."""
        with suppress(RedisError, OSError, TimeoutError, LeaseLost):
            async with asyncio.timeout(FLUSH_LIMIT_S):
                await self.flush()

    async def load(self) -> AgentState:
        """Loads the stored state, or a fresh one; a draft that outlived its time is dropped."""
        with storage_as_failure():
            self._state = await self._load()
        return self._state

    async def _load(self) -> AgentState:
        user_id, conversation_id = self.owner
        snapshot = await in_thread(self._store.load)(user_id, conversation_id)
        if snapshot is None:
            return AgentState.fresh(conversation_id=conversation_id, user_id=user_id, locale=self.run.locale)
        document = snapshot.document
        if snapshot.expired:
            document = {key: value for key, value in document.items() if key != "draft"}
        state = AgentState.from_document(document)
        state.revision = snapshot.revision
        self._draft = document.get("draft")
        return state

    async def save(self, state: AgentState) -> None:
        """Saves the state document by compare-and-set. `DraftConflict` when the student's save came first.

        One that says what was saved last is only compared.
        """
        await run_whole(self._save(state))

    async def _save(self, state: AgentState) -> None:
        await self.flush()
        document = state.to_document()
        contents = {key: value for key, value in document.items() if key not in OF_THE_STORE}
        user_id, conversation_id = self.owner
        fence = (str(self.run.pk), self.run.fence)
        while True:
            try:
                if contents == self._saved and await in_thread(self._store.confirm)(
                    user_id, conversation_id, expected=state.revision, fence=fence
                ):
                    return
                state.revision = await in_thread(self._store.save)(
                    user_id, conversation_id, document, expected=state.revision, fence=fence
                )
            except StaleWriter as stale:
                raise LeaseLost from stale
            except SnapshotConflict:
                await self._accept_newer(state)
            else:
                self._draft, self._saved = document["draft"], contents
                self.outbox = document["run"]["outbox"] or self.outbox
                return

    async def _accept_newer(self, state: AgentState) -> None:
        """Goes on after a lost race when only the counter moved, else hands the stored draft to the loop."""
        user_id, conversation_id = self.owner
        snapshot = await in_thread(self._store.load)(user_id, conversation_id)
        stored = snapshot.document if snapshot else {}
        if snapshot is None or stored.get("draft") == self._draft:
            state.revision = snapshot.revision if snapshot else 0
            return
        self._draft = stored["draft"]
        raise DraftConflict(_present_draft(stored), snapshot.revision)

    async def read_draft(self, state: AgentState) -> tuple[dict[str, Any], int] | None:
        """Returns (stored draft part, stored revision) when somebody saved after this run did."""
        user_id, conversation_id = self.owner
        snapshot = await in_thread(self._store.load)(user_id, conversation_id)
        if snapshot is None or snapshot.revision <= state.revision or snapshot.document.get("draft") == self._draft:
            return None
        self._draft = snapshot.document["draft"]
        return _present_draft(snapshot.document), snapshot.revision

    async def close_interaction(self, interaction_id: str, status: str) -> None:
        """Closes a question that the loop itself gave up: the plan moved under an approved call, for example."""
        rows = PendingInteraction.objects.filter(pk=interaction_id, conversation_id=self.run.conversation_id)
        await in_thread(rows.update)(status=status, open_for=None)

    def _cancel(self) -> None:
        self.cancelled = True

    async def watch(self) -> None:
        """Sees a request to stop and renews the lease until it is cancelled. `LeaseLost` when another has the run.

        Storage that is away takes the run from nobody: it goes on as long as its lease can still be proved.
        """
        renewed = time.monotonic()
        with cancel_flags().watch(str(self.run.pk), self._cancel):
            while True:
                await asyncio.sleep(settings.AGENT_LEASE_S / 4)
                asked = time.monotonic()
                try:
                    held = await in_lease_thread(lease.renew)(self.run, next_idx=self.logged_idx)
                except StorageError:
                    held = asked - renewed < settings.AGENT_LEASE_S
                    logger.warning("the lease of run %s could not be renewed", self.run.pk)
                else:
                    renewed = asked
                if not (held or self._ending):
                    raise LeaseLost

    async def end(
        self,
        closing: Sequence[Event],
        *,
        interaction: interactions.OpenInteraction | None = None,
        counts: Counts = NO_COUNTS,
        failed_calls: Sequence[FailedCall] = (),
        record: Callable[[Sequence[Stamped]], Awaitable[None]] | None = None,
    ) -> None:
        """Commits the ending, then appends `closing` (terminal event last) and archives. `LeaseLost` if not ours.

        `record` gets all events before the last ones are told: who has heard the end finds the record of the run.
        """
        async with self._order:
            await self._flush_in_time()
            stamped = self.stamp(closing)
            ending = Ending(
                events=stamped,
                untold=self._writer.unsent,
                items=fold_closing(self._folder, stamped),
                interaction=interaction,
                counts=counts,
                failed_calls=failed_calls,
            )
            self._ending = True  # a row that has ended is renewed no more: that is no lost lease
            if not await in_thread(commit_ending)(self.run, ending, only_if=Run.Status.RUNNING):
                raise LeaseLost
            if record is not None:
                await self._store_record(record, [*self.events, *stamped])
            await seal(self.run, self.events)
            self.events += stamped

    async def _store_record(
        self, record: Callable[[Sequence[Stamped]], Awaitable[None]], events: Sequence[Stamped]
    ) -> None:
        try:
            await record(events)
        except Exception:  # whatever is wrong with a record, the run ends
            logger.exception("run %s ends without a journal", self.run.pk)

    async def give_up(self) -> None:
        """Lets the run go on an orderly shutdown: another worker goes on, or the lease ends now, so that the sweep need
        not wait."""
        await self._flush_in_time()
        if self.leaving is None:
            await in_thread(lease.release)(self.run)
        elif await in_thread(lease.hand_over)(self.run, next_idx=self.next_idx, used=self._count_used()):
            await wake(str(self.run.pk))

    def _count_used(self) -> dict[str, Any]:
        counts = Counts(self.tally.iterations, self.tally.tool_calls, self.tally.corrections)
        return {**vars(counts), "failed_calls": [call.to_document() for call in self.tally.failed_calls] or None}
