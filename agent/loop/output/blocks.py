"""Blocks of a run: numbered per goal and prefix, one open at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent.calls.kinds import WRITES
from agent.loop.events import (
    ReasoningDelta,
    ReasoningEnded,
    ReasoningStarted,
    TextDelta,
    TextEnded,
    TextStarted,
)
from agent.loop.interactions import NodeName
from agent.loop.outside.deps import Deps
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Asked, Turn
from schedules.planner.draft.state import TaskEntry

ITEM_ID = re.compile(r"[\[【]\s*(\d+)\s*[\]】]")
"""How an item is named in every language."""


def next_number(state: AgentState, prefix: str) -> int:
    """Returns the next N of a prefix such as `execute.tool`; counts from 1 in each goal."""
    number = state.run.counters.get(prefix, 0) + 1
    state.run.counters[prefix] = number
    return number


def next_block(state: AgentState, stage: str, kind: str) -> str:
    return f"{stage}.{kind}.{next_number(state, f'{stage}.{kind}')}"


def next_of_run(state: AgentState, block_id: str) -> str:
    """Returns the id of a block that a run has once for a goal; from the second on a number follows."""
    number = next_number(state, block_id)
    return block_id if number == 1 else f"{block_id}.{number}"


def skip_used(state: AgentState, used: Mapping[str, int]) -> None:
    """Counts on above numbers that a run which is gone has already shown."""
    counters = state.run.counters
    for prefix, number in used.items():
        counters[prefix] = max(number, counters.get(prefix, 0))


def add_turn(state: AgentState, words: str, *, asks: Asked | None = None) -> None:
    """Enters words for the student into the dialogue, with the items that they name, by [id] or by name."""
    ids = [int(number) for number in ITEM_ID.findall(words)]
    entries = [state.schedule.task(number) for number in ids] if state.schedule is not None else []
    items = [entry.source_id for entry in entries if entry is not None and entry.is_item]
    items += [entry.source_id for entry in find_named(state, words)]
    wrote = dict.fromkeys(call.tool for call in state.run.calls if call.status == "done" and call.kind in WRITES)
    turn = Turn(role="assistant", text=words, asks=asks, item_ids=list(dict.fromkeys(items)), wrote=list(wrote))
    state.conversation.dialogue.append(turn)


def is_said_again(state: AgentState, words: str) -> bool:
    """Tells whether words are the last that the student was told, with nothing said in between."""
    last = state.conversation.dialogue[-1] if state.conversation.dialogue else None
    return last is not None and last.role == "assistant" and bool(words) and last.text.strip() == words.strip()


def find_named(state: AgentState, words: str) -> list[TaskEntry]:
    """Finds the items whose name occurs in a text, in its order, none by a name that is part of a longer one that
    occurs."""
    named = [entry for entry in state.schedule.items() if entry.name in words] if state.schedule is not None else []
    whole = [one for one in named if not any(one.name != other.name and one.name in other.name for other in named)]
    return sorted(whole, key=lambda one: words.index(one.name))


class TextBlock:
    """Writes a speech block. It opens with its first piece; a block that says nothing leaves no trace."""

    def __init__(self, state: AgentState, deps: Deps, stage: NodeName, *, block_id: str = "") -> None:
        self._state, self._deps, self._stage = state, deps, stage
        self._block_id = block_id
        self._pieces: list[str] = []
        self._last = 0.0
        self.open = False

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    async def say(self, piece: str) -> None:
        if not piece:
            return
        if not self.open:
            await self._start()
        now = self._deps.timer()
        self._pieces.append(piece)
        await self._deps.emit(
            TextDelta(
                stage=self._stage,
                block_id=self._block_id,
                content=piece,
                index=len(self._pieces),
                elapsed=max(0.0, round(now - self._last, 3)),
            )
        )
        self._last = now

    async def _start(self) -> None:
        self._block_id = self._block_id or next_block(self._state, self._stage, "speak")
        self.open, self._last = True, self._deps.timer()
        await self._deps.emit(TextStarted(stage=self._stage, block_id=self._block_id))

    async def close(self, *, superseded: bool = False, asks: Asked | None = None) -> None:
        """Ends the block. What was said aloud becomes a turn of the dialogue, withdrawn text does not."""
        if not self.open:
            return
        self.open = False
        if not superseded and self.text.strip():
            add_turn(self._state, self.text, asks=asks)
        await self._deps.emit(
            TextEnded(stage=self._stage, block_id=self._block_id, full_content=self.text, superseded=superseded)
        )


class ReasoningBlock:
    """Shows the model's reasoning while it lasts. It enters neither dialogue nor prompts."""

    def __init__(self, state: AgentState, deps: Deps, stage: NodeName) -> None:
        self._state, self._deps, self._stage = state, deps, stage
        self._block_id = ""
        self._pieces: list[str] = []
        self._began = 0.0
        self.open = False

    async def add(self, piece: str) -> None:
        if not piece:
            return
        if not self.open:
            self._block_id = next_block(self._state, self._stage, "reasoning")
            self.open, self._began, self._pieces = True, self._deps.timer(), []
            await self._deps.emit(ReasoningStarted(stage=self._stage, block_id=self._block_id))
        self._pieces.append(piece)
        await self._deps.emit(
            ReasoningDelta(stage=self._stage, block_id=self._block_id, content=piece, index=len(self._pieces))
        )

    async def close(self) -> None:
        if not self.open:
            return
        self.open = False
        duration = max(0, round((self._deps.timer() - self._began) * 1000))
        await self._deps.emit(
            ReasoningEnded(
                stage=self._stage,
                block_id=self._block_id,
                full_content="".join(self._pieces),
                duration_ms=duration,
            )
        )


async def speak(state: AgentState, deps: Deps, stage: NodeName, message: str, *, block_id: str = "") -> None:
    """Speaks a whole speech block at once."""
    block = TextBlock(state, deps, stage, block_id=block_id)
    await block.say(message)
    await block.close()
