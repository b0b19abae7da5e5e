"""A conversation with the loop in memory: real tools, real planner, a scripted model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agent.llm.scripted import ScriptedModel
from agent.loop.interactions import Request, Resume
from agent.loop.outside.limits import RunLimits
from agent.loop.run import LoopEnd, run_loop
from agent.loop.state.agent_state import AgentState
from agent.loop.state.draft import DraftPart
from agent.tools.default import default_registry
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.operations import MoveOp
from schedules.planner.grid import day_number
from tests.kits.loop.world import World, course, task_class
from tests.kits.planner.legal_places import legal_places

REGISTRY = default_registry()


def world(**more: Any) -> World:
    """Week 3 has lessons every morning; class 5 has three items, weeks 3 and 4."""
    events = [course(10 + d, "高等数学", day_number(3, d), 1, 2) for d in range(1, 6)]
    events += [course(30 + d, "大学英语", day_number(4, d), 3, 4) for d in range(1, 6)]
    return World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29")], events=events, **more)


new_model: Callable[[], Any] = ScriptedModel


@dataclass
class Chat:
    """One conversation: each call is one run; `script` is played in order over all runs."""

    world: World
    model: Any = field(default_factory=lambda: new_model())
    limits: RunLimits | None = None
    end: LoopEnd | None = None
    state: AgentState | None = None
    marks: list[int] = field(default_factory=list)

    def plays(self, *answers: Any) -> Chat:
        for answer in answers:
            self.model.append(answer)
        return self

    async def run(self, request: Request) -> LoopEnd:
        self.state = self.world.state()
        self.marks.append(len(self.world.emitted))
        deps = self.world.deps(self.model, REGISTRY, limits=self.limits)
        self.end = await run_loop(self.state, request, deps)
        self.world.emitted += self.end.after_commit
        return self.end

    async def says(self, message: str, **more: Any) -> LoopEnd:
        return await self.run(Request(message=message, **more))

    async def answers(self, action: str, message: str = "", *, option: str | None = None, **more: Any) -> LoopEnd:
        assert self.end is not None
        assert self.end.interaction is not None
        typed = action == "message"
        pending = self.end.interaction
        action = {"confirm": "reject", "ask_user": "reply"}.get(pending.type, "resume") if typed else action
        resume = Resume(interaction=pending, action=action, message=message, option=option, typed=typed)
        return await self.run(Request(message=message, resume=resume, **more))

    @property
    def events(self) -> list[Any]:
        """What the last run told, closing events included."""
        return self.world.emitted[self.marks[-1] :]

    def kinds(self) -> list[str]:
        return [short(event) for event in self.events]

    def of(self, kind: str) -> list[Any]:
        return [event for event in self.events if event.type == kind]

    @property
    def messages(self) -> tuple[str, ...]:
        """The four messages of the last model call."""
        return tuple(message["content"] for message in self.model.requests[-1].messages)

    @property
    def schedule(self) -> Any:
        """The draft's schedule as it was saved last."""
        document = self.world.document
        return None if document is None else DraftPart.from_document(document["draft"]).schedule


def short(event: Any) -> str:
    """An event in one word: `S chat/accepted`, `C move`, `R move done`, `T execute.speak.1`, `confirm`, `finish`."""
    kind = event.type
    if kind == "status.changed":
        return f"S {event.stage}/{event.code}"
    if kind == "tool.started":
        return f"C {event.name}"
    if kind == "tool.finished":
        return f"R {event.name} {event.status}"
    if kind == "text.ended":
        return f"T {event.block_id}" + (" superseded" if event.superseded else "")
    return {"confirm.requested": "confirm", "interrupt.raised": "interrupt", "run.finished": "finish"}.get(kind, kind)


def told(chat: Chat) -> list[str]:
    """The story of the last run without starts and pieces."""
    hidden = ("text.started", "text.delta", "tool.preparing", "tool.intent", "draft.updated")
    return [short(event) for event in chat.events if event.type not in hidden]


def execute(action: str = "continue", **fields: Any) -> dict[str, Any]:
    return {"action": action, **fields}


def call(name: str, arguments: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return {"action": "continue", "tool_call": {"name": name, "arguments": arguments or {}}, **fields}


def route(name: str, **fields: Any) -> dict[str, Any]:
    return {"route": name, **fields}


def build(**fields: Any) -> dict[str, Any]:
    return {"route": "execute", "needs_rough_build": True, **fields}


DONE = {"action": "done", "goal_check": "完成"}
LEFT = {"action": "done", "goal_check": "按学生的话没有改动"}
"""The end of a goal that changed nothing although the student asked for a change."""


def two_classes() -> World:
    """Two demanding classes with room to spare in weeks 3 and 4."""
    high = {"difficulty_level": "high", "cognitive_intensity": "high"}
    classes = [
        task_class(5, "概率论复习", "2026-03-16", "2026-03-29", lengths=(2, 2, 2), **high),
        task_class(6, "线性代数", "2026-03-16", "2026-03-29", lengths=(2, 2, 2), **high),
    ]
    return World(classes=classes, events=[course(10 + d, "高等数学", day_number(3, d), 1, 2) for d in range(1, 6)])


def spoil(part: DraftPart) -> None:
    """The student drags two items to the worst places there are, which leaves something to improve."""
    for position in (0, 4):
        schedule = part.schedule
        assert schedule is not None
        item = list(schedule.items())[position]
        places = [place for place, host in legal_places(schedule, item.state_id, planner=True) if host is None]
        options = [MoveOp(item.state_id, schedule.window.index_of(place.day), place.first) for place in places]
        drafts = [option.apply(schedule) for option in options if option.check(schedule) is None]
        part.schedule = max(drafts, key=lambda draft: cost_of(draft).total)


async def improvable() -> Chat:
    """A conversation whose draft a diagnosis wants to improve."""
    chat = Chat(two_classes()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5, 6))
    chat.world.drag(spoil)
    return chat
