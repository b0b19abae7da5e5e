"""What holds of every stream of events."""

from __future__ import annotations

from typing import Any

SECRET = "INTERNAL-SECRET-7f3a"


def check_stream(events: list[Any]) -> None:
    """Pairs, one open block, one terminal event at the end, no text of ours or the provider's leaks."""
    open_tools: set[str] = set()
    open_block = ""
    announced: set[str] = set()
    for event in events:
        kind = event.type
        if kind in ("text.started", "reasoning.started"):
            assert open_block == ""
            open_block = event.block_id
        elif kind in ("text.ended", "reasoning.ended"):
            assert open_block == event.block_id
            open_block = ""
        elif kind.startswith(("tool.", "confirm", "interrupt", "run.")) and kind != "tool.preparing":
            assert open_block == ""
        if kind == "tool.preparing":
            announced.add(event.preparing_id)
        elif kind == "tool.dropped":
            announced.remove(event.preparing_id)
        elif kind == "tool.started":
            assert event.call_id not in open_tools
            open_tools.add(event.call_id)
            announced.discard(event.preparing_id or "")
        elif kind == "tool.finished":
            open_tools.remove(event.call_id)
    assert open_tools == announced == set()
    assert open_block == ""
    terminal = [event.type in ("run.finished", "run.failed") for event in events]
    assert terminal.count(True) == 1
    assert terminal[-1]
    text = "".join(event.model_dump_json() for event in events)
    assert SECRET not in text
    assert "Traceback" not in text
    text.encode()
