"""Traces by OpenTelemetry, with the extra `traces` and `TRACES=on`. Where they go is said by OTEL_* variables.

A request and the run that it starts share one trace, whose id is the run's: whoever has a line of the log, a row of the
admin or a student's complaint finds it. No value of a student is in it: statements are told without their parameters,
routes without what is put into them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import ImproperlyConfigured
from django.db.backends.signals import connection_created

from taskclasses.kernel.telemetry import tracing
from taskclasses.kernel.telemetry.tracing import Value

try:
    from opentelemetry import context as contexts
    from opentelemetry import trace as api
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
except ImportError as missing:
    raise ImproperlyConfigured("TRACES is on, but the extra is missing: pip install 'smartmate[traces]'") from missing

_wanted: ContextVar[UUID | None] = ContextVar("wanted", default=None)


class _Ids(RandomIdGenerator):
    """Makes the id of a new trace a UUID, for it becomes the id of a run; or takes that of the run it is about."""

    def generate_trace_id(self) -> int:
        return (_wanted.get() or uuid4()).int


class SpanTracer:
    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("smartmate")

    @contextmanager
    def span(self, name: str, values: dict[str, Value]) -> Iterator[None]:
        if not api.get_current_span().get_span_context().is_valid:
            yield
            return
        with self._tracer.start_as_current_span(name, attributes=values):
            yield

    @contextmanager
    def begin(self, name: str, trace: UUID | None, values: dict[str, Value]) -> Iterator[None]:
        known = _wanted.set(trace)
        try:
            span = self._tracer.start_span(name, context=contexts.Context(), attributes=values)
        finally:
            _wanted.reset(known)
        with api.use_span(span, end_on_exit=True):
            yield

    def name(self, name: str, values: dict[str, Value]) -> None:
        span = api.get_current_span()
        span.update_name(name)
        span.set_attributes(values)

    def trace(self) -> UUID | None:
        found = api.get_current_span().get_span_context()
        return UUID(int=found.trace_id) if found.is_valid else None


def start_traces() -> None:
    """Sends the spans of this process from now on, in batches and from a thread of their own."""
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: "smartmate"}), id_generator=_Ids())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    tracing.set_tracer(SpanTracer(provider))
    connection_created.connect(_watch_statements, dispatch_uid="smartmate.traces")


def _watch_statements(connection: Any, **_: Any) -> None:
    if _tell_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_tell_statement)


def _tell_statement(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    words = sql.split(None, 1)
    system = context["connection"].vendor
    with tracing.span(f"SQL {words[0].upper()}" if words else "SQL", **{"db.system": system, "db.statement": sql}):
        return execute(sql, params, many, context)
