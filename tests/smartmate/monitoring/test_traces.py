"""Traces of a real server, as a collector gets them: one for a request and its run, and none without being asked."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider

from smartmate.middleware.request_id import JsonFormatter, RequestIdFilter
from smartmate.monitoring.traces import SpanTracer, _Ids
from taskclasses.kernel.telemetry import tracing
from tests.kits.servers.server import Server
from tests.kits.transports.students import Student
from tests.kits.waiting import until


class Collector:
    """Takes spans as an OpenTelemetry collector does: protobuf over HTTP."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    for scope in resource.scope_spans:
                        outer.spans += scope.spans
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def of(self, run_id: str) -> list[Any]:
        return [span for span in self.spans if UUID(bytes=span.trace_id) == UUID(run_id)]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, collector: Collector) -> Iterator[Server]:
    settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.address, "OTEL_BSP_SCHEDULE_DELAY": "100"}
    folder: Path = tmp_path_factory.mktemp("traced")
    server = Server(folder, TRACES="on", LOG_FORMAT="json", AGENT_BACKEND="offline", **settings).start()
    yield server
    server.stop()


def values(span: Any) -> dict[str, Any]:
    return {row.key: row.value.string_value or row.value.int_value for row in span.attributes}


def test_a_request_and_its_run_are_one_trace_with_the_id_of_the_run(server: Server, collector: Collector) -> None:
    student = Student(server, "li", server.account("li"))
    classes = [row["id"] for row in student.data("/task-class")["list"]]
    answer, _ = student.chat("帮我把任务排进课表", extra={"always_execute": True, "task_class_ids": classes})
    assert answer.status_code == 200, answer.text
    run_id = answer.headers["X-Run-ID"]
    spans = until(lambda: any(span.name == "run" for span in collector.of(run_id)) and collector.of(run_id))
    by_id = {span.span_id: span for span in spans}
    names = [span.name for span in spans]
    assert {"POST /api/v1/agent/chat", "run", "node chat", "node rough_build", "model call", "plan"} <= set(names)
    assert {"SQL SELECT", "SQL INSERT", "SQL UPDATE"} <= set(names)
    roots = [span for span in spans if not span.parent_span_id]
    assert sorted(span.name for span in roots) == ["POST /api/v1/agent/chat", "run"]
    assert all(span.parent_span_id in by_id for span in spans if span not in roots)
    calls = [span for span in spans if span.name == "model call"]
    assert {by_id[span.parent_span_id].name for span in calls} <= {name for name in names if name.startswith("node ")}
    assert all(values(span)["stage"] for span in calls)
    statements = [values(span)["db.statement"] for span in spans if span.name.startswith("SQL")]
    assert not any("帮我" in statement or run_id in statement for statement in statements)


def test_a_line_of_the_log_names_its_trace() -> None:
    record = logging.LogRecord("agent", logging.WARNING, "f.py", 1, "a message", (), None)
    run_id = uuid4()
    tracing.set_tracer(SpanTracer(TracerProvider(id_generator=_Ids())))
    try:
        with tracing.begin("run", trace=run_id), tracing.span("node chat"):
            RequestIdFilter().filter(record)
    finally:
        tracing.set_tracer(None)
    assert json.loads(JsonFormatter().format(record))["trace_id"] == run_id.hex


def test_a_log_of_objects_has_the_server_s_own_lines_too(tmp_path: Path) -> None:
    server = Server(tmp_path, cold=True, LOG_FORMAT="json").start()
    try:
        assert httpx.get(f"{server.base_url}/healthz", timeout=30).status_code == 200
        lines = until(lambda: [line for line in server.log.read_text().splitlines() if "/healthz" in line])
    finally:
        server.stop()
    assert {json.loads(line)["logger"] for line in lines} == {"uvicorn.access"}
    assert not any(line.startswith("INFO") for line in server.log.read_text().splitlines())


def test_nobody_who_does_not_ask_is_traced() -> None:
    with tracing.begin("run", trace=uuid4()), tracing.span("node chat"):
        assert tracing.current_trace() is None
        tracing.rename("other")


def test_an_ordinary_read_is_a_trace_of_its_own(server: Server, collector: Collector) -> None:
    student = Student(server, "zhao", server.account("zhao"))
    student.data("/schedule/week")
    (span,) = until(lambda: [span for span in collector.spans if span.name == "GET /api/v1/schedule/week"])
    assert values(span)["http.response.status_code"] == 200
    parts = [one for one in collector.spans if one.trace_id == span.trace_id and one is not span]
    assert parts
    assert all(one.name.startswith("SQL") and one.parent_span_id == span.span_id for one in parts)
