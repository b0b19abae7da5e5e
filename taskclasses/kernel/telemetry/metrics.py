"""What is counted, under the names that `GET /metrics` gives (wire.md 2.7).

Every app may count here, the pure cores excepted: who drives them counts for them. Labels are words of the code, never
ids or what a client sent, so their number is bounded.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]
_LONG = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900)

HTTP_REQUESTS = Counter("smartmate_http_requests", "Answers by route", ("route", "method", "status"))
HTTP_SECONDS = Histogram("smartmate_http_seconds", "Seconds until the headers of an answer", ("route", "method"))
RUNS = Counter("smartmate_runs", "Runs that paused or ended", ("status",))
RUN_SECONDS = Histogram("smartmate_run_seconds", "Seconds from taking a run to its pause or end", buckets=_LONG)
EVENTS = Counter("smartmate_events", "Events appended to logs", ("type",))
READERS = Gauge("smartmate_readers", "Open readers of runs", ("transport",), multiprocess_mode="livesum")
READER_CUTS = Counter("smartmate_reader_cuts", "Readers cut by the server", ("reason",))
STREAM_RESETS = Counter("smartmate_stream_resets", "Readers whose place was no longer in the log")
LLM_CALLS = Counter("smartmate_llm_calls", "Calls of the model", ("stage", "outcome"))
IDEMPOTENCY = Counter("smartmate_idempotency", "Requests with an idempotency key", ("outcome",))
PLANNER_SECONDS = Histogram("smartmate_planner_seconds", "Seconds of one plan")
SWEEP_FAILURES = Counter("smartmate_sweep_failures", "Rows that a sweep could do nothing for", ("step",))
