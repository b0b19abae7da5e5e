"""The react log as the model reads it: the newest observations in full, the rest folded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent.calls.kinds import LOOKS
from agent.loop.state.run import Call
from taskclasses.kernel.canonical_json import canonical_json

WINDOW = 16
THOUGHT, ARGUMENTS = 140, 160
FOLDED = "（同一工具已有更新结果，已折叠）"


def react_text(calls: Sequence[Call], *, window: int = WINDOW) -> str:
    """Returns the last `window` entries, one per line, after one line that counts the earlier ones."""
    recent = calls[-window:] if window else []
    earlier = calls[: len(calls) - len(recent)]
    newest = {call.tool: call.n for call in calls if call.kind in LOOKS}
    lines = [_summarise_calls(earlier)] if earlier else []
    lines += [_entry(call, newest=newest.get(call.tool) == call.n) for call in recent]
    return "\n".join(lines)


def _summarise_calls(calls: Sequence[Call]) -> str:
    counts = Counter(call.tool for call in calls)
    tools = ", ".join(f"{tool}×{count}" for tool, count in sorted(counts.items()))
    return f"更早 {len(calls)} 步：{tools}"


def _entry(call: Call, *, newest: bool) -> str:
    thought = " ".join(call.thought.split())[:THOUGHT] or ("（系统）" if call.system else "—")
    arguments = canonical_json(call.arguments)[:ARGUMENTS]
    status = f"{call.status}（重复，结果同前）" if call.repeated else call.status
    return f"#{call.n} {thought} | {call.tool}({arguments}) | {status} | {_observation(call, newest=newest)}"


def _observation(call: Call, *, newest: bool) -> str:
    if call.kind in LOOKS and (call.folded or not newest):
        return f"{call.summary}{FOLDED}"
    return call.observation if not call.folded else call.summary
