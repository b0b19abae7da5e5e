"""Values of the ports <-> JSON, for the journal. Dataclasses go through their own type annotations."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from agent.calls.kinds import Json
from agent.calls.ports import ChangedRows, Hit, RowChange, WebFailure, WebPage
from schedules.planner.facts import Facts
from schedules.planner.grid import Calendar
from schedules.planner.soft_limits import SoftLimit
from schedules.planner.solver.rough_build import Plan

_KINDS: dict[str, type] = {
    "Facts": Facts, "Plan": Plan, "Page": WebPage, "Hit": Hit, "Calendar": Calendar, "RowChange": RowChange,
    "ChangedRows": ChangedRows, "SoftLimit": SoftLimit,
}  # fmt: skip
"""What is stored outlives the names of classes: these names stand in journals."""
_NAMES = {kind: name for name, kind in _KINDS.items()}
_TYPES: dict[str, TypeAdapter[Any]] = {name: TypeAdapter(kind) for name, kind in _KINDS.items()}


def encode(value: Any) -> Any:
    """Returns a JSON value from which `decode` makes an equal one."""
    if isinstance(value, list | tuple):
        return [encode(part) for part in value]
    name = _NAMES.get(type(value))
    if name is not None:
        return {"$type": name, "value": _TYPES[name].dump_python(value, mode="json")}
    return value


def decode(value: Any) -> Any:
    if isinstance(value, list):
        return [decode(part) for part in value]
    if isinstance(value, dict) and "$type" in value:
        return _TYPES[value["$type"]].validate_python(value["value"])
    return value


def encode_error(error: Exception) -> Json:
    """Returns what the loop could see of a port's failure; the text of an unexpected one stays in the log."""
    if isinstance(error, WebFailure):
        return {"kind": "web", "code": error.code, "reason": error.reason, "http_status": error.http_status}
    return {"kind": "other"}


def decode_error(document: Json) -> Exception:
    if document["kind"] == "web":
        return WebFailure(document["code"], reason=document["reason"], http_status=document["http_status"])
    return RuntimeError("recorded failure of a port")
