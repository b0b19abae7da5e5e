"""Hears a decision while it is spoken: speech out, tools announced, nothing believed before it is checked.

One block is open at a time and only an accepted answer's speech stays. While a speech block is open the announcement
of a tool therefore waits until the answer is accepted; without speech it is made as soon as the name is complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from agent.loop.errors import RunCancelled
from agent.loop.events import ToolDropped, ToolIntent, ToolPreparing
from agent.loop.interactions import NodeName
from agent.loop.model_call.call import MORE_ROOM, Reply, ask
from agent.loop.model_call.incremental_json import AnswerReader
from agent.loop.model_call.invented_turns import drop_invented_turns
from agent.loop.model_call.lenient_json import DecisionError, is_whole, read_object
from agent.loop.model_call.prepare import prepare, shorten
from agent.loop.model_call.recital import Recital
from agent.loop.output.blocks import TextBlock, next_number
from agent.loop.output.plain_words import PlainWords
from agent.loop.outside.deps import Deps
from agent.loop.outside.model import ModelError
from agent.loop.prompt.files import Prompt
from agent.loop.prompt.messages import FRAGMENT_LINE, REQUEST_LINE
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Asked
from taskclasses.kernel.i18n import text

_FORMED = re.compile(
    r"[{}]|</?\w*(?:tool|function|invoke|action|parameter)|[｜▁]|\w_\w"
    r"|^\W{0,3}(?:route|action|speak|reason|options|steps|arguments)\W{0,3}[:：]",
    re.M | re.I,
)
"""What words for a student do not hold: marks of a form, names of tools, keys of a decision. Of Markdown's they may."""


@dataclass
class Announced:
    """Holds a call the student has been told about: its number in the goal gives both ids."""

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
    """Holds an answer that has arrived but is not accepted yet."""

    state: AgentState
    deps: Deps
    stage: NodeName
    block: TextBlock
    reader: AnswerReader = field(default_factory=AnswerReader)
    reply: Reply = field(default_factory=Reply)
    prompt: Prompt | None = None
    announced: Announced | None = None

    def decision(self) -> dict[str, Any]:
        """Returns the answer's object, what it recites of the prompt left out of its speech. Raises `DecisionError`."""
        try:
            found = read_object(
                self.reply.text,
                truncated=self.reply.truncated,
                told=self.state.run.reminders,
                wanted="route" if self.stage == "chat" else "action",
                given=self._given(),
            )
        except DecisionError as error:
            found = self._said_in_words(error)
        speak = found.get("speak")
        if not isinstance(speak, str):
            return found
        return {**found, "speak": self.recital().strip(drop_invented_turns(speak))}

    def _given(self) -> str:
        """Returns the data of this call's prompt, without what the model wrote itself."""
        if self.prompt is None:
            return ""
        *given, last = [message["content"] for message in self.prompt.messages[1:]]
        facts, *words = last.partition(REQUEST_LINE)  # what it wrote is shown among the facts alone
        own = "\n".join(line for line in facts.split("\n") if not line.startswith(FRAGMENT_LINE))
        return "\n".join([*given, own, *words])

    def _said_in_words(self, error: DecisionError) -> dict[str, Any]:
        """Reads words without a form as the reply in chat, in a round as the end of the goal or as a question: once the
        model was told, and as far as the checks let it."""
        words = drop_invented_turns(self.reply.text.strip())
        formless = error.code == "no_json" and words and not _FORMED.search(words)
        if self.stage == "plan" or not formless or "no_json" not in self.state.run.reminders:
            raise error
        if self.stage == "chat":
            return {"route": "direct_reply", "speak": words}
        action = "ask_user" if words.endswith(("?", "？")) else "done"
        return {"action": action, "speak": words, "goal_check": words}

    def recital(self) -> Recital:
        """Returns what of a speech this call's prompt has said itself."""
        return Recital(self.prompt.messages[0]["content"] if self.prompt is not None else "")

    def plain(self) -> PlainWords:
        return PlainWords(self.state, self.deps, days=self.stage != "chat")

    async def accept(self, speak: str, *, asks: Asked | None = None) -> None:
        """Takes the answer up: what was let out while it arrived becomes exactly what it says."""
        told = self.block.text
        if told.strip() != speak:
            if told and not (speak.startswith(told) and told == told.strip()):
                await self.block.close(superseded=True)
                self.block, told = TextBlock(self.state, self.deps, self.stage), ""
            await self.block.say(speak[len(told) :])
        await self.block.close(asks=asks)

    async def forget(self) -> None:
        """Forgets what came so far: it was a thought of the model."""
        await self.withdraw()
        self.block, self.reader = TextBlock(self.state, self.deps, self.stage), AnswerReader()

    async def withdraw(self) -> None:
        """Drops an answer that is not taken up: its speech is withdrawn, its call is not run."""
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
        """Says what is about to happen: the arguments are complete and fit."""
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
        """Drops an announced call that does not run now."""
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


MOST_SHORTENED = 2
DecisionStage = Literal["chat", "plan", "execute"]
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
    recital: Recital = field(init=False)
    plain: PlainWords = field(init=False)

    def __post_init__(self) -> None:
        self.recital, self.plain = self.heard.recital(), self.heard.plain()

    async def __call__(self, piece: str | None) -> bool:
        heard = self.heard
        if piece is None:
            self.held, self.recital, self.plain = "", heard.recital(), heard.plain()
            await heard.forget()
            return True
        self.held += heard.reader.feed(piece)
        if heard.reader.talked:
            return True
        if self.stop(heard.reader):
            return False
        if self.gate(heard.reader):
            if self.on_known is not None and not self.told:
                self.told = True
                await self.on_known(heard.reader)
            speech, self.held = self.held, ""
            await heard.block.say(self.plain.feed(self.recital.feed(speech)))
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
    *,
    stage: DecisionStage,
    gate: Gate = _always,
    stop: Gate = _never,
    on_known: Callable[[AnswerReader], Any] | None = None,
) -> Heard:
    """Hears one decision. An answer cut at its limit before it was whole is asked for again with more room, a prompt
    that was too long is shortened. Speech that ends in a failure is withdrawn, speech cut by a cancel stays as it
    is."""
    shortened = 0
    room = 1.0
    while True:
        prompt = await prepare(state, deps, stage, events=stage)
        heard = Heard(state, deps, stage, TextBlock(state, deps, stage), prompt=prompt)
        visible = frozenset(prompt.tools) if stage == "execute" else frozenset()
        ear = _Ear(heard, visible, gate, stop, on_known)
        try:
            heard.reply = await ask(state, deps, prompt, events=stage, listener=ear, room=room)
        except RunCancelled:
            await heard.block.close()
            await heard.drop()
            raise
        except ModelError as error:
            await heard.withdraw()
            if shortened >= MOST_SHORTENED or not shorten(deps, prompt, error):
                raise
            shortened += 1
            continue
        except BaseException:
            await heard.withdraw()
            raise
        if room > 1 or not heard.reply.truncated or is_whole(heard.reply.text):
            return heard
        await heard.withdraw()
        room = MORE_ROOM
