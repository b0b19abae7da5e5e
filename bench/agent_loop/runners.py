"""The contestants of `bench.agent_loop`: each drives the same tools over the same draft against the same server."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Awaitable, Callable
from typing import Any

from agent.calls.values import ToolContext
from agent.loop.interactions import Request
from agent.loop.outside.limits import RunLimits
from agent.loop.prompt.files import prompt_text
from agent.loop.run import run_loop
from agent.tools.default import default_registry
from bench.agent_loop.server import FINAL, REQUEST
from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.draft.load import load_state
from schedules.planner.grid import day_number
from schedules.planner.solver.rough_build import plan
from tests.kits.loop.world import World, course, task_class

MODEL = "scripted"
OPEN = {"schedule": ["detail_read", "mutation"]}
INSTRUCTIONS = "\n\n".join(prompt_text(name) for name in ("base", "execute"))
"""What a peer is told: our base rules and stage rules; its tools come as native schemas."""


class Bench:
    """Two weeks with 28 lessons, two classes of twelve items, all of them placed."""

    def __init__(self, base_url: str, steps: int) -> None:
        self.base_url, self.steps = base_url, steps
        self.registry = default_registry()
        events = [
            course(100 * week + 10 * day + first, name, day_number(week, day), first, first + 1)
            for week in (3, 4)
            for day in range(1, 8)
            for first, name in ((1, "高等数学"), (7, "大学英语"))
        ]
        classes = [
            task_class(5, "概率论复习", "2026-03-16", "2026-03-29", lengths=(2,) * 12),
            task_class(6, "线性代数", "2026-03-16", "2026-03-29", lengths=(2,) * 12),
        ]
        self.world = World(classes=classes, events=events)
        self.draft: Any = None

    async def reset(self, *, style: str) -> None:
        """A fresh run on the server and a fresh conversation here."""
        self.world = World(classes=self.world.classes, events=self.world.events)
        if self.draft is None:
            self.draft = await self._placed()
        first = min(entry.state_id for entry in self.draft.items())
        self._control({"bench": "reset", "style": style, "steps": self.steps, "first_task": first})

    async def _placed(self) -> Any:
        assert self.world.calendar is not None
        facts = await self.world.load_facts([5, 6])
        state = load_state(facts, scope=(5, 6), now=self.world.calendar.now_cell(self.world.now))
        return apply_plan(state, plan(problem_of(state, free="pending")))

    def tokens(self) -> list[int]:
        """Tokens of each prompt since the last reset."""
        told: list[int] = self._control({"bench": "tokens"})
        return told

    def _control(self, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            f"{self.base_url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    @property
    def tools(self) -> list[Any]:
        return list(self.registry.visible(OPEN, False))

    def schemas(self) -> list[dict[str, Any]]:
        return list(self.registry.schemas(tool.name for tool in self.tools))

    async def call(self, name: str, arguments: dict[str, Any]) -> str:
        """What a peer's tool returns: the very observation of ours."""
        call = self.registry.validate(name, arguments, self.draft)
        context = ToolContext(now=self.world.now, calendar=self.world.calendar, active=OPEN, scope=(5, 6))
        outcome = await self.registry.run(call, self.draft, context)
        return str(self.registry.result("call", call, outcome, locale="zh").observation_text)


async def bare(bench: Bench) -> None:
    """The openai client in a loop with the whole history."""
    import openai

    schemas = [{"type": "function", "function": schema} for schema in bench.schemas()]
    messages: list[Any] = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": REQUEST}]
    async with openai.AsyncOpenAI(base_url=bench.base_url, api_key="none") as client:
        while True:
            stream = await client.chat.completions.create(model=MODEL, messages=messages, tools=schemas, stream=True)  # type: ignore[call-overload]
            name = identity = arguments = said = ""
            async for chunk in stream:
                delta = chunk.choices[0].delta if chunk.choices else None
                for part in (delta.tool_calls or ()) if delta else ():
                    name, identity = name or part.function.name or "", identity or part.id or ""
                    arguments += part.function.arguments or ""
                said += (delta.content or "") if delta else ""
            if not name:
                assert said == FINAL
                return
            called = {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}
            messages.append({"role": "assistant", "content": None, "tool_calls": [called]})
            observation = await bench.call(name, json.loads(arguments))
            messages.append({"role": "tool", "tool_call_id": identity, "content": observation})


async def ours(bench: Bench) -> None:
    """Our loop over our openai backend, with the ports in memory."""
    from agent.llm.openai.backend import Endpoint, OpenAIModel
    from agent.loop.state.agent_state import AgentState

    model = OpenAIModel(Endpoint(MODEL, bench.base_url, "none"))
    state = AgentState.fresh(conversation_id="bench", user_id=1)
    state.draft.schedule = bench.draft
    state.conversation.scope = [5, 6]
    deps = bench.world.deps(model, bench.registry, limits=RunLimits(rounds=bench.steps + 1))
    end = await run_loop(state, Request(message=REQUEST), deps)
    await model.aclose()
    assert end.outcome == "completed", (end.outcome, end.code)
    assert end.counts.total_iterations == bench.steps, end.counts.total_iterations


async def openai_agents(bench: Bench) -> None:
    from agents import Agent, FunctionTool, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)

    def tool(schema: dict[str, Any]) -> FunctionTool:
        async def invoke(context: Any, arguments: str) -> str:
            return await bench.call(schema["name"], json.loads(arguments))

        return FunctionTool(
            schema["name"], schema["description"], schema["parameters"], invoke, strict_json_schema=False
        )

    async with AsyncOpenAI(base_url=bench.base_url, api_key="none") as client:
        agent = Agent(
            name="bench",
            instructions=INSTRUCTIONS,
            tools=[tool(schema) for schema in bench.schemas()],
            model=OpenAIChatCompletionsModel(MODEL, client),
        )
        result = Runner.run_streamed(agent, REQUEST, max_turns=bench.steps + 5)
        async for _ in result.stream_events():
            pass
        assert result.final_output == FINAL


async def pydantic_ai(bench: Bench) -> None:
    from pydantic_ai import Agent, Tool
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.usage import UsageLimits

    def tool(schema: dict[str, Any]) -> Any:
        async def invoke(**arguments: Any) -> str:
            return await bench.call(schema["name"], arguments)

        return Tool.from_schema(invoke, schema["name"], schema["description"], schema["parameters"])

    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=bench.base_url, api_key="none"))
    agent = Agent(model, instructions=INSTRUCTIONS, tools=[tool(schema) for schema in bench.schemas()])
    said = ""
    async with agent.run_stream_events(REQUEST, usage_limits=UsageLimits(request_limit=bench.steps + 5)) as events:
        async for event in events:
            if event.event_kind == "agent_run_result":
                said = event.result.output
    assert said == FINAL


async def langgraph(bench: Bench) -> None:
    import warnings

    warnings.filterwarnings("ignore")
    from langchain_core.tools import StructuredTool
    from langchain_openai import ChatOpenAI
    from langgraph.prebuilt import create_react_agent

    def tool(schema: dict[str, Any]) -> Any:
        async def invoke(**arguments: Any) -> str:
            return await bench.call(schema["name"], arguments)

        return StructuredTool.from_function(
            coroutine=invoke,
            name=schema["name"],
            description=schema["description"],
            args_schema=schema["parameters"],
            infer_schema=False,
        )

    model = ChatOpenAI(model=MODEL, base_url=bench.base_url, api_key="none", streaming=True)  # type: ignore[arg-type]
    graph = create_react_agent(model, [tool(schema) for schema in bench.schemas()], prompt=INSTRUCTIONS)
    last: Any = None
    config = {"recursion_limit": 2 * bench.steps + 10}
    async for mode, value in graph.astream(
        {"messages": [("user", REQUEST)]}, config, stream_mode=["messages", "values"]
    ):
        last = value["messages"][-1].content if mode == "values" else last
    assert last == FINAL


RUNNERS: dict[str, Callable[[Bench], Awaitable[None]]] = {
    "bare": bare,
    "ours": ours,
    "openai-agents": openai_agents,
    "pydantic-ai": pydantic_ai,
    "langgraph": langgraph,
}
