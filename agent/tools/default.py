"""The registry of all tools: one entry each, in the order of the catalogue. PURE."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from agent.tools import context, mutation
from agent.tools import tool_args as args
from agent.tools.cards.context import context_view
from agent.tools.cards.operation import operation_failure, operation_view
from agent.tools.registry import Registry
from agent.tools.types import Tool

OPERATION = "schedule.operation_result"


@lru_cache(maxsize=1)
def default_registry() -> Registry:
    """All tools. Built on first use, then shared: tools hold no state."""
    tools: list[Tool] = []
    tools += context_tools(lambda: tools)
    tools += mutation_tools()
    return Registry(tools)


def context_tools(tools: Callable[[], list[Tool]]) -> list[Tool]:
    shared: dict[str, Any] = {
        "kind": "control",
        "needs_draft": False,
        "view_type": "tool.context_result",
        "returns": "JSON",
    }
    return [
        Tool(
            name="context_tools_add",
            label="激活工具域",
            purpose="打开一个工具域和它的可选工具包；不写 packs 时打开该域的默认包",
            args=args.OpenToolsArgs,
            run=context.opener(tools),
            observe=context.observe_open,
            view=partial(context_view, closing=False),
            sample='{"domain":"schedule","packs":["detail_read"],"mode":"merge"}',
            **shared,
        ),
        Tool(
            name="context_tools_remove",
            label="移除工具域",
            purpose="关闭一个工具域、其中的可选工具包，或全部",
            args=args.CloseToolsArgs,
            run=context.closer(tools),
            observe=context.observe_close,
            view=partial(context_view, closing=True),
            sample='{"domain":"schedule","packs":["analyze"]}',
            **shared,
        ),
    ]


def mutation_tools() -> list[Tool]:
    def entry(name: str, label: str, purpose: str, schema: Any, run: Any, sample: str) -> Tool:
        return Tool(
            name=name,
            label=label,
            purpose=purpose,
            args=schema,
            run=run,
            sample=sample,
            kind="draft_write",
            domain="schedule",
            pack="mutation",
            observe=mutation.observe,
            view=partial(operation_view, label=label),
            failure_view=operation_failure,
            view_type=OPERATION,
            returns="文本：变化、当日占用、剩余待安排",
        )

    return [
        entry("place", "预排任务", "把一个待安排的任务放到某天某节，时长用它自己的", args.PlaceArgs, mutation.place,
              '{"task_id":9,"day":6,"slot_start":1}'),
        entry("move", "移动任务", "把一个已预排的任务移到别处，时长不变", args.MoveArgs, mutation.move,
              '{"task_id":8,"new_day":6,"new_slot_start":5}'),
        entry("swap", "交换任务", "两个等长的已预排任务互换位置", args.SwapArgs, mutation.swap,
              '{"task_a":8,"task_b":15}'),
        entry("batch_move", "批量移动", "一次移动多个已预排任务，全部合法才生效，可以互换位置", args.BatchMoveArgs,
              mutation.batch_move, '{"moves":[{"task_id":8,"new_day":5,"new_slot_start":3}]}'),
        entry("unplace", "移出任务", "把一个任务移回待安排，保留时长", args.TaskArgs, mutation.unplace,
              '{"task_id":8}'),
    ]  # fmt: skip
