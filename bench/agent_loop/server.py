"""The model server of `bench.agent_loop`: answers request n of a run with its n-th planned call, without latency."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from agent.loop.prompt.tokens import PER_MESSAGE, tokens_of
from tests.kits.provider.openai_server import DONE, Head, OpenAIServer, Raw, Step, chunk, usage

REQUEST = "看看概率论复习和线性代数的安排，逐天核对。"
FINAL = "已逐天核对。"
PIECE = 12
Call = tuple[str, dict[str, Any]]


def planned(steps: int, first_task: int) -> list[Call]:
    """The tool calls of a run: reads of many kinds, no two alike, so that nobody's guard against repeats stops them."""
    made: list[Call] = []
    for n in range(steps - 1):
        kind, turn = n % 4, n // 4
        made.append(
            (
                ("query_available_slots", {"for_task_id": first_task + turn % 6, "limit": 20 + turn}),
                (
                    "query_range",
                    {"day": turn % 14 + 1} if turn < 14 else {"day": turn % 14 + 1, "slot_start": 1, "slot_end": 8},
                ),
                ("list_tasks", {"status": "all", "limit": 40 + turn}),
                ("query_target_tasks", {"status": "all", "limit": 30 + turn}),
            )[kind]
        )
    return made


def prompt_tokens(body: dict[str, Any]) -> int:
    """Messages with their tool calls, and the tool schemas."""
    total = tokens_of(json.dumps(body["tools"], ensure_ascii=False)) if body.get("tools") else 0
    for message in body["messages"]:
        content = message.get("content") or ""
        total += PER_MESSAGE + tokens_of(
            content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        )
        if message.get("tool_calls"):
            total += tokens_of(json.dumps(message["tool_calls"], ensure_ascii=False))
    return total


class Script:
    """The answers of the run that was reset last, and what each of its prompts weighed."""

    def __init__(self) -> None:
        self.answers: list[Callable[[], list[Step]]] = []
        self.tokens: list[int] = []

    def __call__(self, body: dict[str, Any]) -> list[Step]:
        if "bench" in body:
            return self._control(body)
        self.tokens.append(prompt_tokens(body))
        return [*self.answers[len(self.tokens) - 1](), usage(), DONE]

    def _control(self, body: dict[str, Any]) -> list[Step]:
        told = json.dumps(self.tokens).encode()
        if body["bench"] == "reset":
            calls = planned(body["steps"], body["first_task"])
            self.answers, self.tokens = (_ours if body["style"] == "ours" else _native)(calls), []
        return [Head(200, {"Content-Type": "application/json"}), Raw(told)]


def _ours(calls: list[Call]) -> list[Callable[[], list[Step]]]:
    hook = {"domain": "schedule", "packs": ["mutation", "detail_read"]}
    decisions: list[dict[str, Any]] = [{"route": "execute", "speak": "", "context_hook": hook}]
    decisions += [
        {"speak": "", "action": "continue", "tool_call": {"name": name, "arguments": arguments}}
        for name, arguments in calls
    ]
    decisions.append({"speak": "", "action": "done", "goal_check": FINAL})
    texts = [*(json.dumps(decision, ensure_ascii=False) for decision in decisions), FINAL]
    return [lambda text=text: _text(text) for text in texts]  # type: ignore[misc]


def _native(calls: list[Call]) -> list[Callable[[], list[Step]]]:
    steps = [lambda n=n, call=call: _called(n, *call) for n, call in enumerate(calls)]  # type: ignore[misc]
    return [*steps, lambda: _text(FINAL)]


def _text(text: str) -> list[Step]:
    pieces = [chunk(content=text[at : at + PIECE]) for at in range(0, len(text), PIECE)]
    return [chunk(role="assistant", content=""), *pieces, chunk(finish="stop")]


def _called(number: int, name: str, arguments: dict[str, Any]) -> list[Step]:
    written = json.dumps(arguments)
    head = {"index": 0, "id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": ""}}
    steps: list[Step] = [chunk(role="assistant", content=None), chunk(tool_calls=[head])]
    for at in range(0, len(written), PIECE):
        steps.append(chunk(tool_calls=[{"index": 0, "function": {"arguments": written[at : at + PIECE]}}]))
    return [*steps, chunk(finish="tool_calls")]


def serve(told: Any) -> None:
    """Runs until the process is ended; sends the base URL through the pipe `told`."""
    with OpenAIServer() as server:
        server.fallback = Script()
        told.send(server.base_url)
        while True:
            time.sleep(3600)
