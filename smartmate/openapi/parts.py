"""Pieces of the OpenAPI document: schemas of types, the envelope around an answer, refusals by HTTP status."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import groupby
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from agent.calls.kinds import Json
from taskclasses.kernel.answers import Contract
from taskclasses.kernel.errors import CODES, SUCCESS
from taskclasses.shapes import REFUSALS

NULL: Json = {"type": "null"}
RETRY = {40033, 40038, 50004}
REQUEST_ID = {"X-Request-ID": {"required": True, "schema": {"type": "string"}}}
RETRY_AFTER = {"Retry-After": {"schema": {"type": "integer", "minimum": 1}}}
TAG = {"ETag": {"schema": {"type": "string"}}}
AUTHENTICATE = {"WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}}}
REPLAYED = {
    "Idempotent-Replayed": {
        "schema": {"const": "true"},
        "description": "the answer of an earlier request with this key, or the run of an earlier answer",
    }
}
HEADERS: dict[str, Json] = {
    "X-Conversation-ID": {"type": "string", "description": "the conversation of the run, a new one too"},
    "X-Run-ID": {"type": "string"},
    "X-Event-Version": {"const": "1"},
    "X-Draft-Revision": {"type": "string", "pattern": "^[0-9]+$", "description": "the draft as it stands now"},
    "Content-Disposition": {"type": "string", "description": "an attachment with its file name"},
}
"""What the headers say that only some answers carry."""


class _Untitled(GenerateJsonSchema):
    """Leaves out titles: one that only repeats the name of its field says nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


@cache
def _schema_of(kind: Any, sent: bool) -> Json:
    """Returns the schema of a type with all that it refers to: many answers are made of the same types."""
    return TypeAdapter(kind).json_schema(
        mode="validation" if sent else "serialization",
        ref_template="#/components/schemas/{model}",
        schema_generator=_Untitled,
    )


class Parts:
    """Writes schemas that refer to components; `put` names a component and refuses two schemas of one name."""

    def __init__(self, put: Callable[[str, Json], None]) -> None:
        self._put = put

    def of(self, kind: Any, *, sent: bool = False) -> Json:
        """Returns the schema of a type as it is answered, or as it is to be sent."""
        if kind is None:
            return NULL
        schema = dict(_schema_of(kind, sent))
        for name, part in schema.pop("$defs", {}).items():
            self._put(name, part)
        title = schema.get("title")
        return self._put_named(title, schema) if title and isinstance(kind, type) else schema

    def _put_named(self, name: str, schema: Json) -> Json:
        self._put(name, schema)
        return {"$ref": f"#/components/schemas/{name}"}

    def responses(self, contract: Contract, codes: Iterable[int], *, keyed: bool) -> Json:
        """Returns the `responses` of an operation with these refusals; `keyed` = it takes an Idempotency-Key."""
        own = {name: {"required": True, "schema": HEADERS[name]} for name in contract.headers}
        headers = REQUEST_ID | own | (TAG if contract.tagged else {}) | (REPLAYED if keyed else {})
        success: Json = {"description": "success", "headers": headers, "content": self._content(contract)}
        found = {str(status): success for status in contract.statuses}
        if contract.tagged:
            found["304"] = {"description": "the client has it already", "headers": REQUEST_ID | TAG}
        if contract.nothing:
            found["204"] = {"description": contract.nothing, "headers": REQUEST_ID}
        numbers = sorted({*contract.codes, *codes}, key=lambda number: (CODES[number].http, number))
        for http, same in groupby(numbers, key=lambda number: CODES[number].http):
            found[str(http)] = self._describe_refusals(list(same))
        return found

    def _content(self, contract: Contract) -> Json:
        if not contract.media:
            data = self.of(contract.data)
            whole = envelope({"const": SUCCESS}, data)
            return {"application/json": {"schema": {"oneOf": [whole, data]} if contract.bare else whole}}
        kinds = contract.media.items()
        return {media: {"schema": kind if isinstance(kind, dict) else self.of(kind)} for media, kind in kinds}

    def _describe_refusals(self, numbers: list[int]) -> Json:
        schemas = [self._refusal(number) for number in numbers]
        headers = REQUEST_ID | (RETRY_AFTER if RETRY & {*numbers} else {}) | (AUTHENTICATE if 40014 in numbers else {})
        return {
            "description": ", ".join(f"{number} {CODES[number].name}" for number in numbers),
            "headers": headers,
            "content": {"application/json": {"schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas}}},
        }

    def _refusal(self, number: int) -> Json:
        schema = envelope({"const": str(number)}, self.of(REFUSALS.get(number)))
        name = "".join(word.title() for word in CODES[number].name.split("_"))
        return self._put_named(f"{name}{number}", {"description": CODES[number].message, **schema})


def envelope(status: Json, data: Json) -> Json:
    """Returns the one form of every JSON answer."""
    return {
        "type": "object",
        "required": ["status", "info", "data"],
        "properties": {"status": status, "info": {"type": "string"}, "data": data},
        "additionalProperties": False,
    }
