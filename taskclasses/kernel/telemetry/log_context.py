"""What a process is at, for the lines of its log."""

from __future__ import annotations

from contextvars import ContextVar

run_id: ContextVar[str] = ContextVar("run_id", default="-")
