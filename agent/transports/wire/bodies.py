"""The bodies of the agent's endpoints: JSON -> `Ask` (wire.md 2.2)."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Literal

from annotated_types import MaxLen, MinLen
from django.http import HttpRequest
from pydantic import AfterValidator, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from pydantic_core import PydanticCustomError

from agent.runs import Ask, InteractionAnswer
from taskclasses.kernel.canonical_json import canonical_json
from taskclasses.kernel.envelope import locale_of
from taskclasses.kernel.errors import CodedError, bad_request
from taskclasses.kernel.rest import Body, Id, Text, parse, read_json
from taskclasses.spec import is_blank

MESSAGE_MAX, CLASSES_MAX, TITLE_MAX, KEY_MAX = 8_000, 20, 64, 128
STARTING = (40004, 40040, 40070, 40074, 40075, 40092, 40401)
"""Refusals of a request that would start a run."""
RUN_HEADERS = ("X-Conversation-ID", "X-Run-ID")
STREAM_HEADERS = (*RUN_HEADERS, "X-Event-Version")
DRAFT_HEADERS = ("X-Draft-Revision",)
"""Headers of an answer about a run, of a stream of one, of an answer about a draft."""
RESUME_NAMES = {"interaction_id": "interaction_id", "interaction_type": "type", "action": "action", "option": "option"}
"""What a `resume` frame calls the fields of `extra.resume`."""


def _as_one(value: Any, choose: ValidatorFunctionWrapHandler) -> Any:
    try:
        return choose(value)
    except ValidationError as error:
        # One fault of the field, not one of each alternative under a name of its own.
        raise PydanticCustomError("literal_error", "None of the values") from error


Thinking = Annotated[Literal["true", "false", "auto"] | bool | None, WrapValidator(_as_one)]


class ResumeBody(Body):
    interaction_id: Text
    action: Text
    type: Text | None = None
    option: Text | None = None


class ExtraBody(Body):
    task_class_ids: Annotated[list[Id], Field(max_length=CLASSES_MAX)] | None = None
    always_execute: bool | None = None
    thinking: Thinking = None
    resume: ResumeBody | None = None


class ChatBody(Body):
    conversation_id: Text | None = None
    message: Annotated[Text, Field(max_length=MESSAGE_MAX)] | None = None
    thinking: Thinking = None
    extra: ExtraBody | None = None


class Frame(Body):
    """Holds one frame of a WebSocket client."""

    type: Text
    req: Annotated[Text, Field(max_length=64)] = ""
    data: dict[str, Any] = Field(default_factory=dict)


class RunBody(Body):
    run_id: Text


class FollowBody(RunBody):
    from_: Annotated[int | None, Field(alias="from", ge=0, le=2**31)] = None


def _seen(value: str) -> str:
    return "" if is_blank(value) else value.strip()


class TitleBody(Body):
    title: Annotated[Text, AfterValidator(_seen), MinLen(1), MaxLen(TITLE_MAX)]


def read_ask(request: HttpRequest, *, route: str) -> Ask:
    """Reads the request of a POST that starts a run. Raises 40005 or 40006."""
    return ask_of(
        read_json(request), locale=locale_of(request), route=route, key=request.headers.get("Idempotency-Key")
    )


def ask_of(document: Any, *, locale: str, route: str, key: str | None) -> Ask:
    """Returns a parsed body as an `Ask`."""
    body = parse(ChatBody, document)
    extra = body.extra or ExtraBody()
    return Ask(
        message=body.message or "",
        conversation_id=(body.conversation_id or "").strip(),
        task_class_ids=tuple(dict.fromkeys(extra.task_class_ids or ())),
        always_execute=bool(extra.always_execute),
        thinking=_read_thinking(extra.thinking if extra.thinking is not None else body.thinking),
        answer=_answer(extra.resume),
        locale=locale,
        route=route,
        key=_key(key),
        # A field that nobody reads may hold text that UTF-8 cannot.
        digest=hashlib.sha256(canonical_json(document).encode("utf-8", "surrogatepass")).hexdigest(),
    )


def resume_document(data: Any) -> dict[str, Any]:
    """Returns the body of /agent/chat that a WebSocket `resume` stands for."""
    resume = {name: data[key] for key, name in RESUME_NAMES.items() if key in data}
    head = {key: data[key] for key in ("conversation_id", "message") if key in data}
    return {**head, "extra": {"resume": resume}}


def resume_refusal(error: CodedError) -> CodedError:
    """Returns a refusal of that body with the fields called as in the frame."""
    if error.code != 40005 or not isinstance(error.data, dict):
        return error
    called = {f"extra.resume.{name}": key for key, name in RESUME_NAMES.items()}
    rows = [{**row, "field": called.get(row["field"], row["field"])} for row in error.data["errors"]]
    return CodedError(40005, {**error.data, "errors": rows})


def _read_thinking(value: Thinking) -> Literal["auto", "true", "false"]:
    if value is None or value == "auto":
        return "auto"
    return "true" if value in (True, "true") else "false"


def _answer(resume: ResumeBody | None) -> InteractionAnswer | None:
    if resume is None:
        return None
    option = resume.option or None
    return InteractionAnswer(resume.interaction_id, action=resume.action, type=resume.type or "", option=option)


def _key(value: str | None) -> str:
    key = (value or "").strip()
    if len(key) > KEY_MAX or not all("!" <= char <= "~" for char in key):
        raise bad_request("Idempotency-Key", "应为 1 到 128 个可见 ASCII 字符")
    return key
