"""Every way in which a call to a provider fails -> one code, its cause and whether a second attempt makes sense.

What a provider writes may repeat a key or a prompt, so of all its words only identifiers are kept.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any

import openai

from agent.llm.openai.sse_lines import EventTooLarge
from agent.loop.outside.model import Cause, CauseKind, ModelErrorCode

RETRY_PAUSE_S = 0.5
"""The first pause of a backoff; the next are twice as long, each up to half longer or shorter."""
NO_MONEY = ("insufficient_quota", "billing", "credit", "balance", "arrear")
UNPAID = ("insufficient_quota", "insufficient balance", "exceeded your current quota")
"""What tells of an empty account where no status does."""
REFUSED_KEY = ("invalid_api_key", "invalid api key", "authentication_error", "incorrect api key")
FILTERED = (
    "content_filter", "contentfilter", "content_policy", "data_inspection", "content exists risk", "敏感内容",
)  # fmt: skip
OVERFLOW = (
    "context_length", "context length", "context window", "maximum context", "too many tokens", "prompt is too long",
    "input is too long", "exceeds the context", "exceed_context_size", "reduce the length", "max_seq_len", "上下文长度",
    "request too large for model",
)  # fmt: skip
PASSING = frozenset({409, 425})
"""Refusals of a moment."""
BAD_REQUEST = frozenset({400, 404, 405, 413, 415, 422})
KINDS: Mapping[int, CauseKind] = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    408: "no_answer",
    429: "rate_limited",
    504: "no_answer",
}
NETWORK: tuple[tuple[type[BaseException], CauseKind], ...] = (
    (ConnectionRefusedError, "refused"),
    (socket.gaierror, "unresolved"),
    (ssl.SSLError, "tls"),
)
_WORDS = re.compile(r"[a-z]+(_[a-z]+)*")
_REQUEST_ID = re.compile(r"(req|chatcmpl|cmpl|gen)[-_][A-Za-z0-9]{1,64}|[0-9a-fA-F-]{8,64}|[0-9]{8}[0-9A-Za-z]{8,48}")


@dataclass(eq=False)
class Failure(Exception):
    """Tells of a failed attempt, turned into a ModelError by the backend.

    `pause` is the time to wait before the next attempt, None when there is none to make; `asked` when the provider
    named that time. `said` and `parameter` are words of the provider: they are looked into and kept nowhere.
    """

    code: ModelErrorCode
    cause: Cause = field(default_factory=Cause)
    pause: float | None = None
    asked: bool = False
    said: str = field(default="", repr=False)
    parameter: str = field(default="", repr=False)


def failure_of(error: BaseException) -> Failure:
    """Returns the failure that an exception of the client or of the transport below it means."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, openai.APITimeoutError | TimeoutError) or "Timeout" in type(error).__name__:
        return Failure("llm_timeout", Cause("no_answer"))
    if isinstance(error, openai.APIStatusError):
        return _of_status(error)
    if any(type(one).__name__ == "TooManyRedirects" for one in _chain(error)):
        return Failure("llm_unavailable", Cause("wrong_address"))
    if isinstance(error, json.JSONDecodeError | EventTooLarge | UnicodeError):
        return Failure("llm_unavailable", Cause("malformed"), pause=RETRY_PAUSE_S)
    return Failure("llm_unavailable", Cause(_network_kind(error)), pause=RETRY_PAUSE_S)


def _network_kind(error: BaseException) -> CauseKind:
    """Returns what went wrong below HTTP, as the exceptions behind the client's own tell it."""
    behind = list(_chain(error))
    for kind_of_error, kind in NETWORK:
        if any(isinstance(one, kind_of_error) for one in behind):
            return kind
    lost = any(isinstance(one, OSError) or "Protocol" in type(one).__name__ for one in behind)
    return "disconnected" if lost or isinstance(error, openai.APIConnectionError) else "unknown"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for one in error.exceptions:
                yield from _chain(one)
        error = error.__cause__ or error.__context__


def _of_status(error: openai.APIStatusError) -> Failure:
    status, headers = error.status_code, error.response.headers
    cause = Cause(
        _kind_of_status(status),
        status=status,
        provider_code=_provider_code(error.body),
        request_id=_request_id(headers),
    )
    said = str(error.body) if error.body is not None else str(error.message)
    wait = _retry_after(headers)
    pause = RETRY_PAUSE_S if wait is None else wait
    if status == 402 or (status == 429 and any(word in said.lower() for word in NO_MONEY)):
        return Failure("llm_rate_limited", replace(cause, kind="unpaid"))
    if status == 429:
        return Failure("llm_rate_limited", cause, pause=pause, asked=wait is not None)
    if status in BAD_REQUEST:
        return _of_refusal(error, cause, said)
    if status in (408, 504):
        return Failure("llm_timeout", cause, pause=pause, asked=wait is not None)
    return Failure(
        "llm_unavailable", cause, pause=pause if status >= 500 or status in PASSING else None, asked=wait is not None
    )


def _of_refusal(error: openai.APIStatusError, cause: Cause, said: str) -> Failure:
    """Returns the failure of a request that was not accepted: its content, its length, or something in its form."""
    if any(words in said.lower() for words in FILTERED):
        return Failure("llm_filtered", replace(cause, kind="filtered"))
    if any(words in said.lower() for words in OVERFLOW):
        return Failure("llm_bad_request", replace(cause, kind="context_overflow", context=_window_of(said)))
    inner = error.body.get("error", error.body) if isinstance(error.body, dict) else None
    parameter = inner.get("param") if isinstance(inner, dict) else None
    return Failure("llm_bad_request", cause, said=said, parameter=parameter if isinstance(parameter, str) else "")


def _window_of(said: str) -> int:
    """Returns the window in tokens that an overflow names, 0 when it names none."""
    found = re.search(r"(?:maximum|max|limit|window|size|up to)\D{0,40}?(\d{3,8})", said.lower())
    return int(found.group(1)) if found else 0


def _kind_of_status(status: int) -> CauseKind:
    if status >= 500:
        return KINDS.get(status, "server_error")
    return KINDS.get(status, "bad_request" if status in BAD_REQUEST else "other_status")


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds that the provider asks to wait: in milliseconds, in seconds, or until a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        return seconds if 0 <= seconds < 86_400 else None
    try:
        due = parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError):
        return None
    return max(0.0, due.timestamp() - time.time())


def failure_in_stream(error: Any) -> Failure:
    """Returns the failure that an `error` member inside a chunk means, or a document that came in place of a stream."""
    said, code = str(error).lower(), _provider_code(error)
    if any(words in said for words in OVERFLOW):
        return Failure("llm_bad_request", Cause("context_overflow", provider_code=code, context=_window_of(said)))
    if any(words in said for words in UNPAID):
        return Failure("llm_rate_limited", Cause("unpaid", provider_code=code))
    if "rate_limit" in said or "429" in said:
        return Failure("llm_rate_limited", Cause("rate_limited", provider_code=code), pause=RETRY_PAUSE_S)
    if any(words in said for words in FILTERED):
        return Failure("llm_filtered", Cause("filtered", provider_code=code))
    if any(words in said for words in REFUSED_KEY):
        return Failure("llm_unavailable", Cause("unauthorized", provider_code=code))
    return Failure("llm_unavailable", Cause("error_in_stream", provider_code=code), pause=RETRY_PAUSE_S)


def _provider_code(body: Any) -> str:
    """Returns the provider's own name of the error: a few lower-case words, which no key and no prompt is."""
    inner = body.get("error", body) if isinstance(body, dict) else None
    named = (inner.get("code"), inner.get("type")) if isinstance(inner, dict) else ()
    return next((word for word in named if isinstance(word, str) and len(word) <= 40 and _WORDS.fullmatch(word)), "")


def _request_id(headers: Mapping[str, str]) -> str:
    """Returns the id that the provider's support asks for; what looks like anything else is left out."""
    given = headers.get("x-request-id", "") or headers.get("request-id", "")
    return given if _REQUEST_ID.fullmatch(given) else ""
