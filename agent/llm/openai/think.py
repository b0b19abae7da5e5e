"""A leading `<think>...</think>` block inside the answer, told apart while it streams."""

from __future__ import annotations

from agent.loop.model import Reasoning, Text

OPEN, CLOSE = "<think>", "</think>"


class ThinkSplitter:
    """Text deltas -> `Reasoning` up to the closing mark, `Text` after it; an answer without the block is all text."""

    def __init__(self) -> None:
        self._state = "start"
        self._held = ""

    def feed(self, text: str) -> list[Reasoning | Text]:
        """What can be told apart so far."""
        if self._state == "text":
            return [Text(text)] if text else []
        self._held += text
        if self._state == "start" and not self._opened():
            return []
        if self._state == "text":
            return self._flush(Text)
        return self._inside()

    def end(self) -> list[Reasoning | Text]:
        """What is left when nothing follows."""
        return self._flush(Reasoning if self._state == "think" else Text)

    def _opened(self) -> bool:
        head = self._held.lstrip()
        if head.startswith(OPEN):
            self._state, self._held = "think", head[len(OPEN) :]
        elif not OPEN.startswith(head):
            self._state = "text"
        return self._state != "start"

    def _inside(self) -> list[Reasoning | Text]:
        at = self._held.find(CLOSE)
        if at >= 0:
            reasoning, self._held, self._state = self._held[:at], self._held[at + len(CLOSE) :].lstrip(), "text"
            return [*([Reasoning(reasoning)] if reasoning else []), *self._flush(Text)]
        keep = next((n for n in range(len(CLOSE) - 1, 0, -1) if self._held.endswith(CLOSE[:n])), 0)
        ready, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return [Reasoning(ready)] if ready else []

    def _flush(self, kind: type[Reasoning] | type[Text]) -> list[Reasoning | Text]:
        held, self._held = self._held, ""
        return [kind(held)] if held else []
