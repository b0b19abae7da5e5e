"""Hears a decision while it is spoken: speech out, tools announced, nothing believed before it is checked.

One block is open at a time and only an accepted answer's speech stays. While a speech block is open the announcement
of a tool therefore waits until the answer is accepted; without speech it is made as soon as the name is complete.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agent.loop.deps import Deps
from agent.loop.errors import RunCancelled
from agent.loop.events import Stage, ToolDropped, ToolIntent, ToolPreparing
from agent.loop.model_call.call import Reply, ask
from agent.loop.model_call.incremental_json import AnswerReader
from agent.loop.model_call.lenient_json import read_object
from agent.loop.output.blocks import TextBlock, next_number
from agent.loop.prompt.files import Prompt
from agent.loop.state import AgentState, Asked
from taskclasses.kernel.i18n import text


@dataclass
class Announced:
    """A call the student has been told about: its number in the goal gives both ids."""

    name: str
    number: int

    @property
    def preparing_id(self) -> str:
        return f"{self.name}:{self.number - 1}"

    @property
    def call_id(self) -> str:
        return f"execute.tool.{self.number}"


@dataclass
class Heard:
    """An answer that has arrived but is not accepted yet."""

    state: AgentState
    deps: Deps
    stage: Stage
    block: TextBlock
    reader: AnswerReader = field(default_factory=AnswerReader)
    reply: Reply = field(default_factory=Reply)
    announced: Announced | None = None

    def decision(self) -> dict[str, Any]:
        """The answer's object. Raises `DecisionError`."""
        return read_object(self.reply.text, truncated=self.reply.truncated)

    async def accept(self, *, asks: Asked | None = None) -> None:
        await self.block.close(asks=asks)

    async def withdraw(self) -> None:
        """The answer is not taken up: its speech is withdrawn, its call is not run."""
        await self.block.close(superseded=True)
        await self.drop()

    async def announce(self, name: str) -> Announced:
        """Tells that a tool is being prepared, once."""
        if self.announced is None:
            self.announced = Announced(name, next_number(self.state, "execute.tool"))
            label = self.deps.registry.label(name, self.state.locale)
            await self.deps.emit(
                ToolPreparing(
                    stage="execute",
                    block_id=self.announced.call_id,
                    preparing_id=self.announced.preparing_id,
                    name=name,
                    message=text("准备调用 {name}...", self.state.locale, name=name),
                    intent=label,
                )
            )
        return self.announced

    async def intend(self, name: str, intent: str) -> Announced:
        """The arguments are complete and fit: says what is about to happen."""
        announced = await self.announce(name)
        await self.deps.emit(
            ToolIntent(
                stage="execute",
                block_id=announced.call_id,
                preparing_id=announced.preparing_id,
                name=announced.name,
                intent=intent,
            )
        )
        return announced

    async def drop(self) -> None:
        """An announced call that does not run now."""
        if self.announced is None:
            return
        announced, self.announced = self.announced, None
        await self.deps.emit(
            ToolDropped(
                stage="execute",
                block_id=announced.call_id,
                preparing_id=announced.preparing_id,
                name=announced.name,
            )
        )


Gate = Callable[[AnswerReader], bool]
"""Whether speech may be let out yet (chat: once the route is known)."""


@dataclass
class _Ear:
    heard: Heard
    visible: frozenset[str]
    gate: Gate
    stop: Gate
    on_known: Callable[[AnswerReader], Any] | None
    told: bool = False
    held: str = ""

    async def __call__(self, piece: str) -> bool:
        heard = self.heard
        self.held += heard.reader.feed(piece)
        if self.stop(heard.reader):
            return False
        if self.gate(heard.reader):
            if self.on_known is not None and not self.told:
                self.told = True
                await self.on_known(heard.reader)
            speech, self.held = self.held, ""
            await heard.block.say(speech)
        if heard.reader.tool_name in self.visible and not heard.block.open and heard.announced is None:
            await heard.announce(str(heard.reader.tool_name))
        return True


def _always(reader: AnswerReader) -> bool:
    return True


def _never(reader: AnswerReader) -> bool:
    return False


async def hear(
    state: AgentState,
    deps: Deps,
    prompt: Prompt,
    *,
    stage: Stage,
    gate: Gate = _always,
    stop: Gate = _never,
    on_known: Callable[[AnswerReader], Any] | None = None,
) -> Heard:
    """One decision call. Speech that ends in a failure is withdrawn, speech cut by a cancel stays as it is."""
    heard = Heard(state, deps, stage, TextBlock(state, deps, stage))
    ear = _Ear(heard, frozenset(prompt.tools) if stage == "execute" else frozenset(), gate, stop, on_known)
    try:
        heard.reply = await ask(state, deps, prompt, events=stage, listener=ear)
    except RunCancelled:
        await heard.block.close()
        await heard.drop()
        raise
    except BaseException:
        await heard.withdraw()
        raise
    return heard
