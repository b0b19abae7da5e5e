"""Marks that models leave around an answer, told apart while it streams: blocks of thought, channels, control tokens.

A block of thought before the answer is reasoning. One whose opening mark the server swallowed is known by its closing
mark alone: what stood before it was thought as well, which `Restart` tells. Control tokens are nobody's words and are
dropped wherever they stand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.loop.outside.model import Reasoning, Text

NAMES = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection")
OPENINGS = {f"<{name}>": f"</{name}>" for name in NAMES} | {"◁think▷": "◁/think▷", "[THINK]": "[/THINK]"}
CHANNEL = re.compile(r"<\|channel\|>\s*(analysis|commentary(?!\s*to=)|final)[^<]{0,80}<\|message\|>")
TURN = re.compile(r"<\|start\|>[^<]{0,40}(?=<\|channel\|>)")
CLOSINGS = tuple(OPENINGS.values())
_OPENING = re.compile("|".join(map(re.escape, OPENINGS)), re.IGNORECASE)
_BARE = r"</?s>|\[/?INST\]|<(?:end|start)_of_turn>|<eos>|<bos>|</?(?:answer|final|response)>"
CONTROL = re.compile(rf"<\|[^<>|\n]{{1,48}}\|>|<｜[^｜<>]{{1,48}}｜>|{_BARE}")
"""Tokens of chat templates (Llama, Qwen, DeepSeek, Mistral, Gemma, gpt-oss) and tags that frame an answer."""
TEMPLATE = re.compile(
    rf"<\|(?!tool|python_tag|channel|constrain|message|call\|)[^<>|\n]{{1,48}}\|>|<｜(?!tool)[^｜<>]{{1,48}}｜>|{_BARE}"
)
"""The same without those that mark a tool call, which has to be read first."""
_LONGEST = 64
"""Characters that a mark may need before it is known for one."""
_STARTS = "<[◁"


@dataclass(frozen=True, slots=True)
class Restart:
    """Tells that what went out as text before this was thought: its opening mark was missing."""


def strip_control(text: str) -> str:
    """Returns the text without control tokens."""
    return CONTROL.sub("", text) if any(mark in text for mark in _STARTS) else text


def split_thought(text: str) -> tuple[str, str]:
    """Returns (thought, answer) of a whole text."""
    splitter = ThoughtSplitter()
    thought, answer = "", ""
    for delta in [*splitter.feed(text), *splitter.end()]:
        if isinstance(delta, Restart):
            thought, answer = thought + answer, ""
        elif isinstance(delta, Reasoning):
            thought += delta.text
        else:
            answer += delta.text
    return thought, answer.lstrip()


def _opening_of(text: str) -> str | None:
    folded = text[:16].lower()
    return next((mark for mark in OPENINGS if folded.startswith(mark.lower())), None)


class ThoughtSplitter:
    """Splits text deltas into `Reasoning` and `Text`, the same texts for any pieces; `Restart` at a closing mark whose
    opening is missing. The answer begins behind the blocks of thought that open it. With `headless` false such marks
    stay."""

    def __init__(self, *, headless: bool = True) -> None:
        self._closing = ""
        self._held = ""
        self._begun = False
        self._behind_mark = False
        self._headless = headless

    def feed(self, text: str) -> list[Reasoning | Text | Restart]:
        """Returns what can be told apart so far."""
        if self._behind_mark:
            text = text.lstrip()
            self._behind_mark = not text
        if self._begun and not self._held and not any(mark in text for mark in _STARTS):
            return [Text(text)] if text else []
        self._held += text
        return self._advance(final=False)

    def end(self) -> list[Reasoning | Text | Restart]:
        """Returns what is left when nothing follows."""
        return self._advance(final=True)

    def _advance(self, *, final: bool) -> list[Reasoning | Text | Restart]:
        out: list[Reasoning | Text | Restart] = []
        while self._held:
            before = (self._held, self._closing, self._begun)
            found = self._in_thought(final) if self._closing else self._in_answer(final)
            out += [delta for delta in found if isinstance(delta, Restart) or delta.text]
            if (self._held, self._closing, self._begun) == before:
                break
        return out

    def _in_thought(self, final: bool) -> list[Reasoning | Text | Restart]:
        at = self._held.find(self._closing)
        if at >= 0:
            thought, self._held = self._held[:at], self._held[at + len(self._closing) :]
            self._closing = ""
            self._held = self._held if self._begun else self._held.lstrip()
            self._behind_mark = not (self._begun or self._held)
            return [Reasoning(strip_control(thought))]
        return [Reasoning(strip_control(self._ready(0 if final else _half_mark(self._held, (self._closing,)))))]

    def _in_answer(self, final: bool) -> list[Reasoning | Text | Restart]:
        if not self._begun and (self._is_opening() or not self._has_begun(final)):
            return []
        found = [(self._held.find(mark), mark) for mark in CLOSINGS if self._headless and mark in self._held]
        opened = _OPENING.search(self._held) if self._headless else None
        if opened is not None and not any(at < opened.start() for at, _ in found):
            return [Text(TEMPLATE.sub("", self._before(opened, final)))]
        if found:
            at, mark = min(found)
            before, self._held = self._held[:at], self._held[at + len(mark) :].lstrip()
            self._behind_mark = not self._held
            return [Text(TEMPLATE.sub("", before)), Restart()]
        return [Text(TEMPLATE.sub("", self._ready(0 if final else _half_control(self._held))))]

    def _before(self, opened: re.Match[str], final: bool) -> str:
        """Takes what stands before a block of thought within the answer, and the block once it is closed; a mark that
        nothing closes is text."""
        closing = next(close for mark, close in OPENINGS.items() if mark.lower() == opened.group().lower())
        closed = self._held.lower().find(closing.lower(), opened.end())
        if closed < 0:
            return self._ready(0 if final else len(self._held) - opened.start())
        before, self._held = self._held[: opened.start()], self._held[closed + len(closing) :]
        return before

    def _ready(self, keep: int) -> str:
        """Takes all but the last characters."""
        size = len(self._held) - keep
        ready, self._held = self._held[:size], self._held[size:]
        return ready

    def _is_opening(self) -> bool:
        """Tells whether the text begins with a mark that is none of the answer; takes it away."""
        head = self._held.lstrip("\ufeff \t\r\n")
        mark, channel, turn = _opening_of(head), CHANNEL.match(head), TURN.match(head)
        if mark is not None:
            self._closing, self._held = OPENINGS[mark], head[len(mark) :]
        elif channel is not None:
            self._closing, self._held = "<|end|>" if channel.group(1) == "analysis" else "", head[channel.end() :]
        elif turn is not None:
            self._held = head[turn.end() :]
        return bool(mark or channel or turn)

    def _has_begun(self, final: bool) -> bool:
        head = self._held.lstrip("\ufeff \t\r\n")
        self._begun = bool(head) and (final or not _may_open(head))
        return self._begun


def _may_open(head: str) -> bool:
    """Tells whether more text could still make the beginning a mark."""
    if len(head) >= 2 * _LONGEST:
        return False
    folded = head.lower()
    if any(mark.lower().startswith(folded) for mark in OPENINGS):
        return True
    return folded.startswith(("<|channel|>", "<|start|>")) or any(
        mark.startswith(folded) for mark in ("<|channel|>", "<|start|>")
    )


def _half_mark(text: str, marks: tuple[str, ...]) -> int:
    """Tells how many characters at the end may be the beginning of one of the marks."""
    longest = max(map(len, marks))
    for size in range(min(longest - 1, len(text)), 0, -1):
        if any(mark.startswith(text[-size:]) for mark in marks):
            return size
    return 0


def _half_control(text: str) -> int:
    """Tells how many characters at the end may be the beginning of a control token or of a closing mark."""
    tail = text[-_LONGEST:]
    for at in range(len(tail) - 1, -1, -1):
        if tail[at] in _STARTS and _may_be_control(tail[at:]):
            return len(tail) - at
    return 0


def _may_be_control(piece: str) -> bool:
    if re.fullmatch(r"<\|[A-Za-z0-9_▁ :./-]{0,48}\|?|<｜[^｜<>]{0,48}｜?", piece):
        return True
    named = ("<s>", "</s>", "[INST]", "[/INST]", "<end_of_turn>", "<start_of_turn>", "<eos>", "<bos>")
    framed = tuple(f"<{slash}{name}>" for name in ("answer", "final", "response") for slash in ("", "/"))
    marks = (*CLOSINGS, *OPENINGS, *named, *framed)
    return any(mark.lower().startswith(piece.lower()) for mark in marks)
