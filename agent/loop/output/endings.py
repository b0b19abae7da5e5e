"""Composes how a run ends: its terminal event, and what that event says for the run's row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agent.loop.errors import RUN_CANCELLED, USER_CANCELLED
from agent.loop.events import Event, RunFailed, RunFinished, RunStatus, ToolStarted
from agent.loop.interactions import NodeName
from agent.loop.state.run import Outcome
from taskclasses.kernel.errors import CODES, NAMED
from taskclasses.kernel.i18n import text

FinishedAs = Literal["completed", "paused", "aborted", "exhausted", "interrupted"]


@dataclass(frozen=True)
class Counts:
    """Tells what a run has used, for its row and for `run.finished`."""

    total_iterations: int = 0
    total_tool_calls: int = 0
    auto_fix_attempts: int = 0


NO_COUNTS = Counts()


@dataclass(frozen=True)
class RunEnd:
    """Holds a terminal event in the words of a run's row; `error` is (number, sentence) of a failure."""

    status: RunStatus
    outcome: FinishedAs | Literal["failed"]
    code: str
    error: tuple[str, str] = ("", "")


def run_finished(status: RunStatus, outcome: FinishedAs, code: str = "", *, counts: Counts = NO_COUNTS) -> RunFinished:
    """Composes the terminal event of every run that did not fail."""
    return RunFinished(
        stage="deliver",
        block_id="deliver.finish",
        run_status=status,
        outcome=outcome,
        outcome_code=code,
        **vars(counts),
    )


def run_cancelled(counts: Counts = NO_COUNTS) -> RunFinished:
    """Composes the terminal event of a run that was stopped before it came to an end of its own."""
    return run_finished("cancelled", "aborted", RUN_CANCELLED, counts=counts)


def run_failed(stage: NodeName, name: str, locale: str, *, message: str = "") -> RunFailed:
    """Composes the terminal event of a failure; `name` is that of a 5xxxx code, `message` says it more closely."""
    code = NAMED[name]
    told = message or code.info(locale)
    return RunFailed(stage=stage, block_id=f"{stage}.error", code=str(code.number), message=told)


def read_end(events: Iterable[Event]) -> RunEnd:
    """Reads how a run ended from its closing events. Raises `ValueError` where none of them is terminal."""
    for event in events:
        if isinstance(event, RunFinished):
            return RunEnd(event.run_status, event.outcome, event.outcome_code)
        if isinstance(event, RunFailed):
            return RunEnd("failed", "failed", CODES[int(event.code)].name, (event.code, event.message))
    raise ValueError("no terminal event")


def count_tool_calls(events: Iterable[Event]) -> int:
    """Counts the tool cards a run has shown."""
    return sum(isinstance(event, ToolStarted) for event in events)


def end_status(outcome: Outcome) -> RunStatus:
    """Returns the status of a run whose goal ended like this."""
    return "cancelled" if outcome.code in (RUN_CANCELLED, USER_CANCELLED) else "succeeded"


def cancelled_goal(stage: str, code: str, locale: str) -> Outcome:
    """Returns the outcome of a goal that the student gave up."""
    message = text("已停止这次任务，草稿保持现在的样子。", locale)
    return Outcome(status="aborted", stage=stage, code=code, user_message=message)
