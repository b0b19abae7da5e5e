"""Opening and closing tool packs: context_tools_add, context_tools_remove."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from agent.calls.kinds import Json
from agent.calls.values import ToolContext, ToolOutcome
from agent.loop.outside.deps import Active
from agent.tools import packs
from agent.tools.arguments.tools import CloseToolsArgs, OpenToolsArgs
from agent.tools.types import Tool
from agent.tools.words import observations

LATER = "改进方案期间只能使用体检、移动和交换，新工具在该模式结束后生效"
Tools = Callable[[], Iterable[Tool]]


def opener(tools: Tools) -> Callable[..., ToolOutcome]:
    """Makes the tool that opens packs; `tools` gives the registry's tools, so that the answer can name what is now
    visible."""

    def run(draft: Any, args: OpenToolsArgs, ctx: ToolContext) -> ToolOutcome:
        merge = args.mode == "merge"
        active = packs.open_packs(ctx.active, args.domain, args.packs, merge=merge, mode=ctx.mode)
        return build_outcome(draft, ctx, active, action="activate", tools=tools())

    return run


def closer(tools: Tools) -> Callable[..., ToolOutcome]:
    def run(draft: Any, args: CloseToolsArgs, ctx: ToolContext) -> ToolOutcome:
        if args.all or args.domain in (None, "all"):
            return build_outcome(draft, ctx, {}, action="clear_all", tools=tools())
        active = packs.close_packs(ctx.active, args.domain or "", args.packs)
        action = "deactivate_packs" if args.packs else "deactivate"
        return build_outcome(draft, ctx, active, action=action, tools=tools())

    return run


def build_outcome(draft: Any, ctx: ToolContext, active: Active, *, action: str, tools: Iterable[Tool]) -> ToolOutcome:
    before = packs.sort_packs(ctx.active)
    seen = packs.visible(tools, active, ctx.active_optimize_only)
    data: Json = {
        "action": action,
        "changed": active != before,
        "active": active,
        "tools": sorted(tool.name for tool in seen if tool.domain is not None),
        "note": LATER if ctx.active_optimize_only and action == "activate" else "",
        "opened": named_packs(active, before),
        "closed": named_packs(before, active),
    }
    return ToolOutcome(draft, data, active=active)


def named_packs(these: Active, those: Active) -> list[list[str]]:
    """Returns [domain, pack] of every pack that is in `these` and not in `those`; an open domain has its core."""

    def all_of(active: Active) -> set[tuple[str, str]]:
        return {(domain, pack) for domain, names in active.items() for pack in (packs.CORE, *names)}

    return [[domain, pack] for domain, pack in sorted(all_of(these) - all_of(those))]


CARD_ONLY = frozenset({"opened", "closed"})


def observer(tool: str) -> observations.Observer:
    def observe(outcome: ToolOutcome) -> str:
        data = {key: value for key, value in outcome.data.items() if key not in CARD_ONLY}
        return observations.json_text(tool, replace(outcome, data=data))

    return observe
