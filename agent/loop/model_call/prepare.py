"""Prepares a call that fits the context budget: shrink, summarise, drop."""

from __future__ import annotations

from dataclasses import replace

from agent.calls.tool import ToolTraits
from agent.loop.draft.sync import classes_of
from agent.loop.interactions import NodeName
from agent.loop.model_call.call import ask
from agent.loop.output.statuses import announce
from agent.loop.outside.deps import Deps
from agent.loop.outside.model import ModelError, Stage
from agent.loop.prompt.files import Prompt, prompt_text
from agent.loop.prompt.messages import PromptScene, render, system_text, turn_line
from agent.loop.prompt.react_log import WINDOW
from agent.loop.prompt.tokens import sizes_of, tokens_of
from agent.loop.prompt.view import build_view
from agent.loop.state.agent_state import AgentState
from agent.loop.state.conversation import Turn
from agent.loop.view_document import View

WINDOWS = (WINDOW, 8, 4)
KEPT_TURNS = 6
EDGE = 120
LEAST_BUDGET = 1_000
SUMMARY, LEAST_SUMMARY = 4_000, 20
"""Characters of a summary; a shorter one than the least sums up nothing, and stands behind the one before."""


async def prepare(state: AgentState, deps: Deps, stage: Stage, *, events: NodeName) -> Prompt:
    """Prepares the prompt of the next call of `stage`; never over the budget."""
    classes = await classes_of(deps)
    tools = visible_tools(state, deps, stage)
    names = tuple(tool.name for tool in tools)
    view = build_view(state, deps, stage, classes=classes, tools=names)
    attempt = 1 + sum(state.run.corrections.values()) if state.run.correction else 1
    scene, compacted = PromptScene(stage, classes, _catalogue(deps, stage, tools), tools), False
    for window in WINDOWS:
        scene = replace(scene, window=window)
        if _fits(state, deps, scene):
            break
    else:
        compacted = await _compact(state, deps, view, events=events)
        scene = _trim_scene(state, deps, scene)
    messages = render(state, deps, scene)
    described = tuple(tool.name for tool in scene.catalogue)
    return Prompt(stage, messages, view, sizes_of(messages), names, described, compacted, attempt)


SHARE_OF_RULES = 0.5
"""How much of a budget the rules with all tools may take; a small window is told those that are open alone."""


def _catalogue(deps: Deps, stage: Stage, tools: tuple[ToolTraits, ...]) -> tuple[ToolTraits, ...]:
    """Returns the tools that the first message describes: all of them, so that it is the same in every call."""
    if stage not in ("plan", "execute"):
        return ()
    everything = all_tools(deps)
    whole = system_text(deps, PromptScene(stage, (), everything))
    return everything if tokens_of(whole) <= budget_of(deps) * SHARE_OF_RULES else tools


def all_tools(deps: Deps) -> tuple[ToolTraits, ...]:
    return deps.registry.visible({domain: list(packs) for domain, packs in deps.registry.packs().items()})


def visible_tools(state: AgentState, deps: Deps, stage: Stage) -> tuple[ToolTraits, ...]:
    """Returns the tools a prompt may name: the visible ones for a round, a summary of all domains for a plan."""
    if stage == "plan":
        return all_tools(deps)
    if stage == "execute":
        return deps.registry.visible(state.tools.active, state.run.active_optimize_only)
    return ()


def budget_of(deps: Deps) -> int:
    budget = deps.limits.context_tokens - deps.limits.output_reserve
    return budget if deps.tally.context_tokens is None else min(budget, deps.tally.context_tokens)


def shorten(deps: Deps, prompt: Prompt, error: ModelError) -> bool:
    """Lowers the budget of the run's prompts when the model found one too long; False for any other failure."""
    if error.cause.kind != "context_overflow":
        return False
    size, window = sum(prompt.sizes), error.cause.context
    fitting = min(size * 2 // 3, window * 2 // 3 if window else size)
    deps.tally.context_tokens = max(LEAST_BUDGET, fitting)
    return True


def _fits(state: AgentState, deps: Deps, scene: PromptScene) -> bool:
    return sum(sizes_of(render(state, deps, scene))) <= budget_of(deps)


async def _compact(state: AgentState, deps: Deps, view: View, *, events: NodeName) -> bool:
    """Summarises the turns before the last six together with the stored summary, each turn once."""
    conversation = state.conversation
    old, kept = conversation.dialogue[:-KEPT_TURNS], conversation.dialogue[-KEPT_TURNS:]
    if not old:
        return False
    await announce(state, deps, events, "context_compact_start")
    summary = await _summary(state, deps, old, view, events=events)
    conversation.summary = summary or _mechanical(conversation.summary, old, conversation.watermark)
    conversation.dialogue = list(kept)
    conversation.watermark += len(old)
    await announce(state, deps, events, "context_compact_done")
    return True


async def _summary(state: AgentState, deps: Deps, old: list[Turn], view: View, *, events: NodeName) -> str:
    """Returns the model's summary; "" when the call failed or said nothing."""
    former = state.conversation.summary
    system = prompt_text("base") + "\n\n" + prompt_text("compact")
    room = budget_of(deps) - tokens_of(system) - 200
    # What was summed up before stands nowhere else any more: what gives way is the oldest of the turns.
    known = f"已有摘要：{_keep_head(former, room // 2)}\n" if former else ""
    turns = _keep_tail("\n".join(turn_line(turn) for turn in old), room - tokens_of(known))
    messages = (
        {"role": "system", "content": system},
        {"role": "user", "content": f"{known}{turns}"},
        {"role": "assistant", "content": "（无）"},
        {"role": "user", "content": "请写出摘要。"},
    )
    prompt = Prompt("compact", messages, {**view, "stage": "compact"}, sizes_of(messages))
    try:
        reply = await ask(state, deps, prompt, events=events)
    except ModelError:
        return ""
    said = reply.text.strip()
    return (said if len(said) >= LEAST_SUMMARY else f"{former}\n{said}".strip())[:SUMMARY] if said else ""


def _keep_head(text: str, room: int) -> str:
    """Returns the oldest part of `text` that fits into `room` tokens."""
    while text and tokens_of(text) > room:
        text = text[: -max(1, len(text) // 10)]
    return text


def _keep_tail(text: str, room: int) -> str:
    """Returns the newest part of `text` that fits into `room` tokens."""
    while text and tokens_of(text) > room:
        text = text[max(1, len(text) // 10) :]
    return text


def _mechanical(summary: str, old: list[Turn], watermark: int) -> str:
    """Sums up without a model: the first and the last request and how much was said."""
    requests = [turn.text for turn in old if turn.role == "user"]
    first = "" if summary or not requests else f"最早的请求：{requests[0][:EDGE]}。"
    last = f"最近的请求：{requests[-1][:EDGE]}。" if requests else ""
    return f"{summary[:2000]}{first}{last}（共 {watermark + len(old)} 条消息）"


def _trim_scene(state: AgentState, deps: Deps, scene: PromptScene) -> PromptScene:
    """Drops the oldest turns, then entries of the react log, then classes, at last the tail of what was said."""
    while not _fits(state, deps, scene) and scene.turns_dropped < len(state.conversation.dialogue):
        scene = replace(scene, turns_dropped=scene.turns_dropped + 1)
    while not _fits(state, deps, scene) and scene.window > 0:
        scene = replace(scene, window=scene.window - 1)
    while not _fits(state, deps, scene) and scene.classes:
        scene = replace(scene, classes=scene.classes[: len(scene.classes) // 2])
    cut = max((len(turn.text) for turn in state.run.turns), default=0)
    while not _fits(state, deps, scene) and cut > 0:
        cut //= 2
        scene = replace(scene, request_cut=cut)
    return scene
