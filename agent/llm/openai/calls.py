"""Native tool calls of a streamed answer, put together and written as the decision that they mean."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from agent.llm.openai.protocols import DECIDE


@dataclass
class _CallInPieces:
    id: str = ""
    name: str = ""
    arguments: str = ""


class CallJoiner:
    """Joins pieces of `tool_calls`, and of the older `function_call`, to calls, each whole."""

    def __init__(self) -> None:
        self._calls: dict[object, _CallInPieces] = {}
        self._last: object = None

    def __bool__(self) -> bool:
        return any(call.name for call in self._calls.values())

    def feed(self, delta: dict[str, Any]) -> bool:
        """Takes the calls of one delta; whether there were any."""
        pieces = delta.get("tool_calls")
        pieces = [piece for piece in pieces if isinstance(piece, dict)] if isinstance(pieces, list) else []
        if isinstance(delta.get("function_call"), dict):
            pieces.append({"index": 0, "function": delta["function_call"]})
        for piece in pieces:
            self._take(piece)
        return bool(pieces)

    def _take(self, piece: dict[str, Any]) -> None:
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        call = self._calls.setdefault(self._key(piece, function), _CallInPieces())
        call.id = call.id or _id_of(piece)
        name, arguments = function.get("name"), function.get("arguments")
        if isinstance(name, str) and name not in (call.name, ""):
            call.name += name
        if isinstance(arguments, dict):
            call.arguments = json.dumps(arguments, ensure_ascii=False)
        elif isinstance(arguments, str):
            # Some servers send everything so far again with each piece.
            again = call.arguments.startswith("{") and arguments.startswith(call.arguments)
            call.arguments = arguments if again else call.arguments + arguments

    def _key(self, piece: dict[str, Any], function: dict[str, Any]) -> object:
        """Calls are told apart by index; where none is given a new id or name begins a new call, and where all calls
        have the same index another id with a name does."""
        index: object = piece.get("index")
        if not isinstance(index, int):
            begins = piece.get("id") or function.get("name") or self._last is None
            index = len(self._calls) if begins else self._last
        elif function.get("name") and index in self._calls and _id_of(piece) not in ("", self._calls[index].id):
            index = (index, _id_of(piece))
        elif not _id_of(piece) and isinstance(self._last, tuple) and self._last[0] == index:
            index = self._last
        self._last = index
        return index

    @property
    def size(self) -> int:
        """Returns how many characters of arguments there are so far."""
        return sum(len(call.arguments) for call in self._calls.values())

    @property
    def whole(self) -> bool:
        """Tells whether every call's arguments are complete."""
        return bool(self) and all(_loads(call.arguments or "{}") is not None for call in self._calls.values())

    def write_as_text(self, speech: str) -> str:
        """Returns the calls as text: that of the one decision, or tags around each call behind what was said."""
        calls = [call for call in self._calls.values() if call.name]
        if len(calls) == 1 and calls[0].name == DECIDE:
            return _with_speech(calls[0].arguments, speech)
        tags = [{"name": call.name, "arguments": _close_arguments(call.arguments)} for call in calls]
        return speech + "".join(f"\n<tool_call>{json.dumps(tag, ensure_ascii=False)}</tool_call>" for tag in tags)


def _id_of(piece: dict[str, Any]) -> str:
    given = piece.get("id")
    return given if isinstance(given, str) else ""


def _with_speech(arguments: str, speech: str) -> str:
    decision = _loads(arguments)
    if not isinstance(decision, dict) or decision.get("speak") or not speech.strip():
        return arguments
    return json.dumps({**decision, "speak": speech.strip()}, ensure_ascii=False)


def _close_arguments(arguments: str) -> Any:
    """Returns the arguments of a call that has ended: one closing bracket that was forgotten is put there, what was
    sent twice is there once."""
    half = arguments[: len(arguments) // 2]
    for written in (arguments or "{}", arguments + "}", half if half * 2 == arguments else "-"):
        if (found := _loads(written)) is not None:
            return found
    return arguments


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
