"""An answer in plain text: asked for, made clean and said while it arrives.

What is no text for a student never reaches an event: thoughts, control tokens, objects of JSON (their text is taken),
sentences recited from the prompt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.loop.errors import RunCancelled
from agent.loop.interactions import NodeName
from agent.loop.model_call.call import MORE_ROOM, ask
from agent.loop.model_call.invented_turns import drop_invented_turns
from agent.loop.model_call.lenient_json import load_lenient
from agent.loop.model_call.marks import strip_control
from agent.loop.model_call.prepare import prepare, shorten
from agent.loop.model_call.recital import Recital
from agent.loop.model_call.text_calls import CALL_BEGINS
from agent.loop.output.blocks import TextBlock
from agent.loop.outside.deps import Deps
from agent.loop.outside.model import ModelError
from agent.loop.state.agent_state import AgentState

CUT_NOTE = "（内容到此为止）"
"""What is said behind a text that ended at its limit."""
TEXT_KEYS = ("speak", "summary", "answer", "text", "content", "message", "reply", "总结", "回答")
_WRAPPED = re.compile(r"\{|\[\s*[{\"]|```")
"""How an object begins that was written instead of a text; a list of items begins with an id in brackets."""
_STOP = re.compile(r"[。！？!?\n]|\.\s")


class Check(Protocol):
    """Passes on what may be told of a text that comes in pieces."""

    def feed(self, piece: str) -> str: ...
    def end(self) -> str: ...
    def reset(self) -> None: ...


@dataclass
class SpokenAnswer:
    """Writes the block that holds what was said, open when it said anything."""

    block: TextBlock
    truncated: bool = False
    cancelled: bool = False


class _Speaker:
    """Says sentences as they become whole."""

    def __init__(self, block: TextBlock, system: str, checked: Check | None) -> None:
        self._block, self._checked = block, checked
        self._recital = Recital(system)
        self._held, self._wrapped = "", False
        self._before, self._ended = "", False

    async def take(self, piece: str) -> None:
        if self._ended:
            return
        self._held += piece
        start = self._held.lstrip()
        self._wrapped = self._wrapped or (not self._block.open and _WRAPPED.match(start) is not None)
        if self._wrapped or start in ("", "[", "`", "``"):
            return
        ready = max((match.end() for match in _STOP.finditer(self._held)), default=0)
        whole, self._held = self._held[:ready], self._held[ready:]
        await self._say(whole)

    async def end(self) -> None:
        held, self._held = self._held, ""
        await self._say(_unwrap_speech(held) if self._wrapped else held)
        if self._checked is not None:
            await self._block.say(self._checked.end())

    async def _say(self, text: str) -> None:
        """Says whole sentences; a call, which nobody asked for here, and what the model goes on with in the student's
        name end the answer."""
        said = "" if self._ended else strip_control(CALL_BEGINS.split(text, maxsplit=1)[0])
        own = drop_invented_turns(said, before=self._before)
        self._ended = self._ended or own != said or CALL_BEGINS.search(text) is not None
        self._before = (self._before + said)[-1:]
        kept = self._recital.strip(own)
        kept = self._checked.feed(kept) if self._checked is not None else kept
        await self._block.say(kept if self._block.open else kept.lstrip())


def _unwrap_speech(text: str) -> str:
    """Returns the text for the student out of an object that was written instead of it; "" when it holds none."""
    inner = re.sub(r"^\s*```[a-z]*\s*\n?|\n?\s*```\s*$", "", text)
    if inner.lstrip()[:1] not in ("{", "["):
        return inner
    found = load_lenient(inner)
    found = found[0] if isinstance(found, list) and found else found
    if not isinstance(found, dict):
        return ""
    return next((value for key in TEXT_KEYS if isinstance(value := found.get(key), str) and value.strip()), "")


async def tell(
    state: AgentState,
    deps: Deps,
    stage: Literal["deliver", "deep_answer"],
    *,
    events: NodeName,
    checked: Check | None = None,
) -> SpokenAnswer:
    """Asks for a text and says it. Raises `ModelError`, after what was said is withdrawn. A prompt that was too long is
    shortened, an answer of nothing but thought is asked for again with more room."""
    shortened, room = 0, 1.0
    while True:
        prompt = await prepare(state, deps, stage, events=events)
        answer = SpokenAnswer(TextBlock(state, deps, events))
        speaker = _Speaker(answer.block, prompt.messages[0]["content"], checked)

        async def say(piece: str | None) -> bool:
            nonlocal speaker, answer
            if piece is None:
                await answer.block.close(superseded=True)
                if checked is not None:
                    checked.reset()
                answer = SpokenAnswer(TextBlock(state, deps, events))
                speaker = _Speaker(answer.block, prompt.messages[0]["content"], checked)  # noqa: B023  of this round
                return True
            await speaker.take(piece)
            return True

        try:
            reply = await ask(state, deps, prompt, events=events, listener=say, room=room)
        except RunCancelled:
            answer.cancelled = True
            return answer
        except ModelError as error:
            await answer.block.close(superseded=True)
            if shortened >= 2 or not shorten(deps, prompt, error):
                raise
            shortened += 1
            continue
        if reply.truncated and not reply.text.strip() and room == 1.0:
            room = MORE_ROOM
            continue
        await speaker.end()
        answer.truncated = reply.truncated
        return answer
