"""Every way in which a call to a provider fails -> one code and whether a second attempt makes sense."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import openai

from agent.llm.openai.sse_lines import EventTooLarge
from agent.loop.model import ModelErrorCode

RETRY_PAUSE_S = 0.25
LONGEST_RETRY_AFTER_S = 5.0
BAD_REQUEST = frozenset({400, 404, 405, 413, 415, 422})
_SECRETS = re.compile(r"(?i)(bearer\s+|sk-|key[\"'=: ]+)[\w.\-*]{6,}")


@dataclass(eq=False)
class Failure(Exception):
    """A failed attempt, turned into a ModelError by the backend.

    `pause` is the time to wait before the second attempt, None when there is none to make. `detail` is for the log.
    """

    code: ModelErrorCode
    detail: str
    pause: float | None = None
    status: int = 0


def failure_of(error: BaseException) -> Failure:
    """The failure that an exception of the client or of the transport below it means."""
    if isinstance(error, Failure):
        return error
    detail = redacted(f"{type(error).__name__}: {error}")
    if isinstance(error, openai.APITimeoutError | TimeoutError) or "Timeout" in type(error).__name__:
        return Failure("llm_timeout", detail)
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, detail)
    if isinstance(error, json.JSONDecodeError | EventTooLarge | UnicodeError):
        return Failure("llm_unavailable", f"malformed stream: {type(error).__name__}", pause=RETRY_PAUSE_S)
    return Failure("llm_unavailable", detail, pause=RETRY_PAUSE_S)


def _of_status(error: openai.APIStatusError, detail: str) -> Failure:
    status = error.status_code
    if status == 429:
        return Failure("llm_rate_limited", detail, pause=_retry_after(error.response.headers), status=status)
    if status in BAD_REQUEST:
        filtered = "content_filter" in str(error.body) or "content_policy" in str(error.body)
        return Failure("llm_filtered" if filtered else "llm_bad_request", detail, status=status)
    if status in (408, 504):
        return Failure("llm_timeout", detail, status=status)
    return Failure("llm_unavailable", detail, pause=RETRY_PAUSE_S if status >= 500 else None, status=status)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds <= LONGEST_RETRY_AFTER_S else None


def failure_in_stream(error: Any) -> Failure:
    """The failure that an `error` member inside a chunk means."""
    said = str(error).lower()
    if "rate_limit" in said or "429" in said:
        return Failure("llm_rate_limited", redacted(f"in stream: {said}"))
    if "content_filter" in said or "content_policy" in said:
        return Failure("llm_filtered", redacted(f"in stream: {said}"))
    return Failure("llm_unavailable", redacted(f"in stream: {said}"), pause=RETRY_PAUSE_S)


def redacted(detail: str) -> str:
    """`detail` without anything that looks like a credential, at most 500 characters."""
    return _SECRETS.sub(r"\1[redacted]", detail)[:500]
