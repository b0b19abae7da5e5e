"""Where time goes, for an operator who asks: spans of requests, runs, nodes, model calls, tools and SQL.

A span is nothing until somebody sets a tracer up (`smartmate.monitoring.traces`). Whoever works marks what it does with
`span`; who begins something of its own does it with `begin`. The trace of a run has the id of the run.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol
from uuid import UUID

Value = str | int | float | bool
_NOTHING: AbstractContextManager[None] = nullcontext()


class Tracer(Protocol):
    def span(self, name: str, values: dict[str, Value]) -> AbstractContextManager[None]: ...
    def begin(self, name: str, trace: UUID | None, values: dict[str, Value]) -> AbstractContextManager[None]: ...
    def name(self, name: str, values: dict[str, Value]) -> None: ...
    def trace(self) -> UUID | None: ...


_tracers: list[Tracer] = []


def set_tracer(tracer: Tracer | None) -> None:
    """Tells spans to `tracer` from now on, to nobody with None."""
    _tracers[:] = [] if tracer is None else [tracer]


def span(name: str, **values: Value) -> AbstractContextManager[None]:
    """Tells what is done inside as a part of what is under way; nothing where nothing is."""
    return _tracers[0].span(name, values) if _tracers else _NOTHING


def begin(name: str, *, trace: UUID | None = None, **values: Value) -> AbstractContextManager[None]:
    """Tells what is done inside as the root of a trace: a new one, or that with the id `trace`."""
    return _tracers[0].begin(name, trace, values) if _tracers else _NOTHING


def rename(name: str, **values: Value) -> None:
    """Gives the span that is under way another name, and these values too."""
    if _tracers:
        _tracers[0].name(name, values)


def current_trace() -> UUID | None:
    """Returns the id of the trace that is under way."""
    return _tracers[0].trace() if _tracers else None
