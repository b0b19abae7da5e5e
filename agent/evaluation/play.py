"""Playing one job on an account of its own: turns, answers to cards, and what came of each run."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from agent.calls.kinds import Json
from agent.evaluation.accounts import Account, account_close, account_open
from agent.evaluation.checks import Ended, misses
from agent.evaluation.jobs import Job
from agent.loop.events import ConfirmRequested, Event, InterruptRaised, TextEnded, ToolFinished, ToolStarted
from agent.models import Conversation, Run, RunJournal
from agent.runs import Ask, InteractionAnswer, run_execute, run_start
from agent.runs.executor import owner_name
from agent.runs.recording.choices import offered_by
from agent.runs.recording.journal import load_journal
from agent.selectors import draft_of, open_interaction_json
from agent.store import archive
from agent.store.threads import in_thread
from agent.tools.default import default_registry
from schedules.planner.draft.state import ScheduleState

MOST_CARDS = 8
"""So many cards of one turn are agreed to."""
OK, NO = "!ok", "!no"


@dataclass
class Played:
    """Tells what a job ended in. `missed` are checks that do not hold, `unconfirmed` writes that nobody agreed to."""

    job: Job
    missed: list[str] = field(default_factory=list)
    unconfirmed: list[str] = field(default_factory=list)
    error: str = ""
    runs: int = 0
    corrections: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    model_calls: int = 0
    seconds: float = 0.0
    choices: list[Json] = field(default_factory=list)
    timeline: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not (self.missed or self.unconfirmed or self.error)


async def play_job(job: Job, *, today: date) -> Played:
    """Opens an account, plays the turns, checks the end, and takes the account away again, whatever happens."""
    played, began = Played(job), time.monotonic()
    account = await in_thread(account_open)(job.language, today)
    try:
        student = _Student(job, account, played)
        for turn in job.name_dates(account.dates):
            await student.says(turn)
        played.missed = await in_thread(lambda: misses(job.checks, student.tell_end()))()
    except Exception as error:  # one job that breaks is one failure, not the end of the evaluation
        played.error = f"{type(error).__name__}: {error}"
    finally:
        await in_thread(account_close)(account)
        played.seconds = time.monotonic() - began
    return played


class _Student:
    """Plays the other side of the conversation."""

    def __init__(self, job: Job, account: Account, played: Played) -> None:
        self.job, self.account, self.played = job, account, played
        self.conversation_id = ""
        self.before: ScheduleState | None = None
        self.said: list[str] = []
        self.writes: list[str] = []
        self.offered: list[tuple[str, Json]] = []

    async def says(self, turn: str) -> None:
        if turn not in (OK, NO):
            self.before, self.said, self.writes = await in_thread(self._draft)(), [], []
            await self._run(turn, None)
            return
        for _ in range(MOST_CARDS if turn == OK else 1):
            card = await in_thread(open_interaction_json)(UUID(self.conversation_id))
            if card is None or card["type"] != "confirm":
                return
            action = "approve" if turn == OK else "reject"
            await self._run("", InteractionAnswer(card["interaction_id"], action))

    def tell_end(self) -> Ended:
        """Returns what the checks are asked of."""
        return Ended(self.account.user.pk, self.before, self._draft(), "\n".join(self.said), tuple(self.writes))

    async def _run(self, message: str, answer: InteractionAnswer | None) -> None:
        ask = Ask(
            message=message,
            conversation_id=self.conversation_id,
            answer=answer,
            locale=self.job.language,
            route="evaluation",
        )
        run = (await run_start(user_id=self.account.user.pk, ask=ask)).run
        self.conversation_id = str(run.conversation_id)
        await run_execute(run.pk, owner=owner_name())
        await in_thread(self._note)(run, message or (answer.action if answer else ""))

    def _note(self, run: Run, said: str) -> None:
        """Counts and writes of a run, from its row, its journal and its events."""
        run.refresh_from_db()
        events = [stamped.event for stamped in archive.get(run.pk) or ()]
        self.played.runs += 1
        self.played.corrections += run.auto_fix_attempts
        self._count(run)
        self.played.timeline.append(f"student: {said}")
        self._follow(events, agreed=(run.request.get("resume") or {}).get("action") == "approve")
        if run.error_code:
            self.played.timeline.append(f"run failed: {run.error_code} {run.error_message}")

    def _count(self, run: Run) -> None:
        journal = RunJournal.objects.filter(run=run).first()
        kept = load_journal(journal) if journal is not None else {"records": [], "choices": []}
        self.played.choices += kept["choices"]
        for row in kept["records"]:
            if row.get("kind") == "context_stats":
                self.played.model_calls += 1
                self.played.prompt_tokens += row["prompt_tokens"]
                self.played.cached_tokens += row["cached_tokens"]
                self.played.completion_tokens += row["completion_tokens"]

    def _follow(self, events: list[Event], *, agreed: bool) -> None:
        """Follows the run and tells it in lines. A write is confirmed by the card that opened the run, once, or is an
        offered candidate."""
        registry, started = default_registry(), {}
        for event in events:
            line = ""
            if isinstance(event, ToolStarted):
                started[event.call_id] = event.arguments
            elif isinstance(event, ToolFinished):
                line = f"{event.name} {event.status}: {event.summary}"
                self.offered = [(row["tool"], row["arguments"]) for row in offered_by(event)] or self.offered
                entry = registry.resolve(event.name)
                if entry is not None and entry.writes and event.status == "done":
                    self.writes.append(event.name)
                    if not agreed and (event.name, started.get(event.call_id)) not in self.offered:
                        self.played.unconfirmed.append(event.name)
                    agreed = False
            elif isinstance(event, TextEnded) and not event.superseded:
                line = f"assistant: {event.full_content}"
                self.said.append(event.full_content)
            elif isinstance(event, InterruptRaised):
                line = f"question: {event.question}"
                self.said.append(event.question)
            elif isinstance(event, ConfirmRequested):
                line = f"card: {event.summary}"
                self.said.append(event.summary)
            self.played.timeline += [line] if line else []

    def _draft(self) -> ScheduleState | None:
        if not self.conversation_id:
            return None
        return draft_of(Conversation.objects.get(pk=self.conversation_id))
