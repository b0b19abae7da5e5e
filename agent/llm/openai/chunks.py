"""One answer of a chat-completions stream: chunk documents in, deltas out, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from agent.llm.openai.calls import CallJoiner
from agent.llm.openai.failures import RETRY_PAUSE_S, Failure, failure_in_stream
from agent.llm.openai.profiles import Profile
from agent.llm.openai.sse_lines import TextJoiner
from agent.loop.model_call.lenient_json import is_whole
from agent.loop.model_call.marks import ThoughtSplitter
from agent.loop.outside.model import DECISION_STAGES, Cause, Delta, Finish, Reasoning, Stage, Text, Usage

DONE = b"[DONE]"
LEAST_REPEATED = 8
"""Characters that a piece must begin with again to be known for everything so far."""
THOUGHT_KEPT = 20_000
MAX_ANSWER_CHARS = 4_000_000
MAX_TEXT_CHARS = 1_500_000
"""Characters of an answer without its thoughts, the arguments of its calls among them: a model that says more has lost
its thread, whatever its limit of tokens."""
CUT = ("length", "max_tokens", "MAX_TOKENS")
FILTERED = ("content_filter", "sensitive", "safety", "prohibited", "blocklist", "recitation", "spii", "refusal")
"""How finish reasons begin by which a provider withholds the answer."""
BROKEN = ("insufficient_system_resource", "network_error", "error", "malformed_function_call", "abort")
"""Finish reasons of an answer that the provider could not finish."""
BEGINNINGS = ("{", "[", "`", "<", "\ufeff")
"""How a decision begins that is written out; other words may be what is said before a call."""


class ChunkReader:
    """Keeps what the next chunk needs: half characters, an open think block, the finish reason."""

    def __init__(self, profile: Profile, *, stage: Stage = "execute", calls_wanted: bool = False) -> None:
        self._profile, self._stage, self._calls_wanted = profile, stage, calls_wanted
        self._calls, self._said, self._held = CallJoiner(), "", ""
        self._text, self._reasoning = TextJoiner(), TextJoiner()
        self._think = ThoughtSplitter(headless=False)
        self._room, self._text_room = MAX_ANSWER_CHARS, MAX_TEXT_CHARS
        self._refused = False
        self._whole: str | None = ""
        self._thought = ""
        self.finish_reason = ""
        self.done = False
        self.spoke = False

    def read(self, event: bytes) -> list[Delta]:
        """Returns the deltas of one event. Raises Failure, or JSONDecodeError for an event that is no chunk."""
        if event.startswith(DONE):
            self.done = True
            return []
        if not event.strip():
            return []
        try:
            chunk, raw = json.loads(event.decode()), False
        except UnicodeDecodeError:
            chunk, raw = json.loads(event.decode("utf-8", "surrogateescape")), True
        if not isinstance(chunk, dict):
            raise json.JSONDecodeError("not an object", "", 0)
        if chunk.get("error"):
            raise failure_in_stream(chunk["error"])
        if not chunk.get("choices") and _is_error(chunk):
            raise failure_in_stream(chunk)
        deltas = self._choice(chunk.get("choices"), raw)
        usage = chunk.get("usage")
        if isinstance(usage, dict):
            deltas.append(_usage(usage))
        return deltas

    def end(self) -> list[Delta]:
        """Returns what is left of the text, and `Finish`. Raises Failure when the answer was cut or filtered."""
        rest = [*self._split(self._text.end()), *self._pick_shown(self._think.end())]
        if not self.finish_reason and not self._is_whole():
            raise Failure("llm_truncated", Cause("truncated"))
        ended = self.finish_reason.lower()
        if ended.startswith(FILTERED) or (self._refused and not self.spoke):
            raise Failure("llm_filtered", Cause("filtered"))
        if ended in BROKEN and self.spoke:
            raise Failure("llm_truncated", Cause("truncated"))
        if ended in BROKEN:
            raise Failure("llm_unavailable", Cause("error_in_stream"), pause=RETRY_PAUSE_S)
        rest += self._settle_held()
        return [*rest, Finish("length" if self.finish_reason in CUT else "stop")]

    def _is_whole(self) -> bool:
        """Tells whether the answer is complete although nobody says so: a decision that ends with its stream's last
        word."""
        if not self.done or self._stage not in DECISION_STAGES:
            return False
        return self._calls.whole if self._calls else is_whole(self._said + self._held)

    def _settle_held(self) -> list[Delta]:
        """Returns what was held back until it was known whether calls follow, and the calls."""
        speech, self._held = self._held, ""
        if self._calls and self._stage in DECISION_STAGES:
            return [Text(self._calls.write_as_text(speech))]
        if not (speech.strip() or self._said.strip()) and self._stage in DECISION_STAGES:
            return [Text(_decided_in_thought(self._thought))]
        if speech.strip() and self._stage == "chat" and self._calls_wanted and not is_whole(speech):
            return [Text(json.dumps({"route": "direct_reply", "speak": speech.strip()}, ensure_ascii=False))]
        return [Text(speech)] if speech else []

    def _pick_shown(self, deltas: Iterable[object]) -> list[Delta]:
        """Returns the wanted deltas. Words of a decision that do not begin like one are held: calls may follow them.

        An empty text says in their place that the model speaks.
        """
        shown: list[Delta] = []
        for delta in self._pick_wanted(deltas):
            if not isinstance(delta, Text) or self._stage not in DECISION_STAGES:
                shown.append(delta)
                continue
            holds = not self._said and not (self._held + delta.text).lstrip().startswith(BEGINNINGS)
            text, self._held = ("", self._held + delta.text) if holds else (self._held + delta.text, "")
            self._said += text
            shown.append(Text(text))
        return shown

    def _choice(self, choices: Any, raw: bool) -> list[Delta]:
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return []
        deltas: list[Delta] = []
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            deltas += self._read_reasoning(delta.get("reasoning_content") or delta.get("reasoning"), raw)
            deltas += self._split(self._text.feed(self._fresh(_content(delta.get("content"))), raw=raw))
            self._refused = self._refused or bool(delta.get("refusal"))
            self.spoke = self._calls.feed(delta) or self.spoke
        elif isinstance(choice.get("text"), str):
            deltas += self._split(self._text.feed(choice["text"], raw=raw))
        if choice.get("finish_reason"):
            self.finish_reason = str(choice["finish_reason"])
        self._count(deltas)
        return deltas

    def _fresh(self, content: str) -> str:
        """Returns what a piece adds: some servers send everything so far again with each.

        A piece that says no more than what was there already is a word said twice, and stays.
        """
        if self._whole is None or not content:
            return content
        more = len(content) > len(self._whole) >= LEAST_REPEATED
        if more and content.startswith(self._whole):
            content, self._whole = content[len(self._whole) :], content
            return content
        # A piece that does not begin with the first ones shows that the server sends pieces.
        self._whole = None if len(self._whole) >= LEAST_REPEATED else self._whole + content
        return content

    def _read_reasoning(self, text: Any, raw: bool) -> list[Delta]:
        if self._profile.reasoning == "none" or not isinstance(text, str):
            return []
        joined = self._reasoning.feed(text, raw=raw)
        self._thought = (self._thought + joined)[-THOUGHT_KEPT:]
        return [Reasoning(joined)] if joined else []

    def _split(self, text: str) -> list[Delta]:
        """Returns text, and the think block before it, which is reasoning whatever a model is known for."""
        self.spoke = self.spoke or bool(text)
        return self._pick_shown(self._think.feed(text))

    def _pick_wanted(self, deltas: Iterable[object]) -> list[Delta]:
        kinds = Text if self._profile.reasoning == "none" else (Text, Reasoning)
        deltas = list(deltas)
        for delta in deltas:
            if isinstance(delta, Reasoning):
                self._thought = (self._thought + delta.text)[-THOUGHT_KEPT:]
        return [delta for delta in deltas if isinstance(delta, kinds)]

    def _count(self, deltas: Iterable[Delta]) -> None:
        for delta in deltas:
            if isinstance(delta, Text | Reasoning):
                self.spoke = True
                self._room -= len(delta.text)
                self._text_room -= len(delta.text) if isinstance(delta, Text) else 0
        if self._room < 0 or self._text_room < self._calls.size + len(self._held):
            raise Failure("llm_truncated", Cause("truncated"))


def _is_error(chunk: dict[str, Any]) -> bool:
    """Tells whether a document without an answer is an error that some servers send under other names."""
    base = chunk.get("base_resp")
    refused = isinstance(base, dict) and bool(base.get("status_code"))
    named = chunk.get("object") == "error" or str(chunk.get("type", "")).endswith("error")
    return named or isinstance(chunk.get("detail"), str) or refused


def _decided_in_thought(thought: str) -> str:
    """Returns the decision that a thought ends with whose closing mark is missing, or that the server took for
    thought."""
    for at in range(len(thought) - 1, -1, -1):
        if thought[at] == "{" and (at == 0 or thought[at - 1] in "\n`>"):
            tail = thought[at:].strip().rstrip("`").strip()
            return tail if tail.endswith("}") and is_whole(tail) else ""
    return ""


def _content(content: Any) -> str:
    """Returns the text of a delta; some providers send a list of typed parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


def _usage(usage: dict[str, Any]) -> Usage:
    def number(owner: Any, name: str) -> int:
        value = owner.get(name) if isinstance(owner, dict) else None
        return value if isinstance(value, int) and value >= 0 else 0

    return Usage(
        prompt=number(usage, "prompt_tokens"),
        cached=number(usage.get("prompt_tokens_details"), "cached_tokens") or number(usage, "prompt_cache_hit_tokens"),
        completion=number(usage, "completion_tokens"),
        reasoning=number(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )
