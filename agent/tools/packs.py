"""Tool domains and packs: pure functions on `active = {domain: sorted optional packs}`.

`core` is implied by an open domain; it is never named, added or removed. The context tools belong to no domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent.calls.kinds import Json
from agent.calls.tool import ToolTraits
from agent.loop.outside.deps import Active
from agent.tools.argument_schema import violation
from agent.tools.types import Tool

OPTIONAL_PACKS: dict[str, tuple[str, ...]] = {
    "schedule": ("mutation", "analyze", "deep_analyze", "detail_read", "progress", "queue", "web"),
    "taskclass": (),
}
CORE = "core"
DEFAULT_PACKS = {"schedule": ("mutation", "analyze"), "taskclass": ()}
LOCAL_ADJUST_PACKS = ("mutation", "detail_read")


def default_packs(domain: str, mode: str) -> tuple[str, ...]:
    """Returns what a domain opens with when no packs are named."""
    if domain == "schedule" and mode == "local_adjust":
        return LOCAL_ADJUST_PACKS
    return DEFAULT_PACKS[domain]


def default_active(mode: str, domain: str = "schedule") -> Active:
    return {domain: sorted(default_packs(domain, mode))}


def pack_problems(domain: object, packs: Iterable[object]) -> list[Json]:
    """Returns violations of a domain and its packs: both known, `core` never named."""
    if not isinstance(domain, str) or domain not in OPTIONAL_PACKS:
        return [violation("domain", "enum", list(OPTIONAL_PACKS), domain)]
    known = OPTIONAL_PACKS[domain]
    return [
        violation(f"packs[{i}]", "enum" if isinstance(pack, str) else "type", list(known), pack)
        for i, pack in enumerate(packs)
        if pack not in known
    ]


def sort_packs(active: Mapping[str, Iterable[str]]) -> Active:
    return {domain: sorted(set(packs)) for domain, packs in sorted(active.items())}


def open_packs(
    active: Mapping[str, Iterable[str]], domain: str, packs: Iterable[str], *, merge: bool, mode: str
) -> Active:
    """Returns the packs after opening a domain: the only one (replace) or next to the others (merge)."""
    wanted = list(packs) or default_packs(domain, mode)
    if not merge:
        return {domain: sorted(set(wanted))}
    return sort_packs({**active, domain: {*active.get(domain, ()), *wanted}})


def close_packs(active: Mapping[str, Iterable[str]], domain: str, packs: Iterable[str] = ()) -> Active:
    """Returns the packs after closing a domain, or only some of its optional packs; the last one leaves `core` open."""
    result, gone = sort_packs(active), set(packs)
    if domain not in result:
        return result
    if gone:
        result[domain] = [pack for pack in result[domain] if pack not in gone]
    else:
        del result[domain]
    return result


def is_active(tool: ToolTraits, active: Mapping[str, Iterable[str]]) -> bool:
    if tool.domain is None:
        return True
    return tool.domain in active and (tool.pack == CORE or tool.pack in tuple(active[tool.domain]))


def visible(
    tools: Iterable[Tool], active: Mapping[str, Iterable[str]], active_optimize_only: bool = False
) -> tuple[Tool, ...]:
    """Returns the tools a model may call now, in the registry's order."""
    return tuple(tool for tool in tools if is_active(tool, active) and (tool.improves or not active_optimize_only))
