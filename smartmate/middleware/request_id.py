"""The ids of the running request and run, on every log line; lines as text or as JSON."""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from taskclasses.kernel.telemetry.log_context import run_id
from taskclasses.kernel.telemetry.tracing import current_trace

# What ends a line somewhere, or moves the cursor of a terminal.
CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160), 0x2028, 0x2029) if chr(code) != "\t"}
request_id: ContextVar[str] = ContextVar("request_id", default="-")


class RequestIdFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        record.run_id = run_id.get()
        trace = current_trace()
        record.trace_id = "-" if trace is None else trace.hex
        return True


class LineFormatter(logging.Formatter):
    """Writes a record as one line, whatever an address or an answer that it names is made of: nobody writes a line of
    his own into the log. The trace of an error stands below it, moved in."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return super().formatMessage(record).translate(CONTROLS)

    def formatException(self, ei: Any) -> str:
        return "\n".join(f"  {line.translate(CONTROLS)}" for line in super().formatException(ei).split("\n"))


class JsonFormatter(logging.Formatter):
    """Writes one JSON object a line: time in UTC, level, logger, message, the ids that there are, the trace of an
    error."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        ids = {name: getattr(record, name, "-") for name in ("request_id", "run_id", "trace_id")}
        line |= {name: value for name, value in ids.items() if value != "-"}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
