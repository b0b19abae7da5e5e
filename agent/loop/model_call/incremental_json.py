"""Reads an answer while it arrives: the characters of `speak`, the discriminator, the name of the tool.

A reader follows the first JSON object of the answer at depth 1 and passes over what stands before it; nothing broken is
repaired. It only hurries ahead: whether an answer is acceptable and what it says is decided by `lenient_json` and
`decisions` once it is complete, and what was let out too early is withdrawn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

REPLACEMENT = "\ufffd"
_LONE = re.compile("[\ud800-\udfff]")
_PLAIN = re.compile(r'[^"\\]+')
_IDLE = re.compile(r"[^{]+")
_BEFORE = re.compile(r"\ufeff?\s*(?:```[A-Za-z0-9_-]*\s*)?")
"""What may stand before an object that is the whole answer: a byte order mark, a fence."""
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\\b", "f": "\\f", "n": "\n", "r": "\r", "t": "\t"}
"""What they stand for. No model means a backspace or a form feed: it wrote LaTeX (`\\frac`, `\\beta`)."""
_FEEDS = str.maketrans(
    {chr(code): "" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n\r"} | {"\b": "\\b", "\f": "\\f"}
)
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)


def clean(text: str) -> str:
    """Returns text without lone surrogates, which no encoding can carry, and without characters that control a
    terminal."""
    return _LONE.sub(REPLACEMENT, text).translate(_FEEDS)


def kept_escape(char: str) -> str:
    """Returns what a backslash before a character means that no escape of JSON has: itself before letters and brackets,
    as in LaTeX, else nothing."""
    return f"\\{char}" if char.isalpha() or char in "()[]{}" else char


@dataclass
class _String:
    """Decodes one JSON string, character by character; a surrogate pair may be split anywhere."""

    high: int | None = None
    escape: str | None = None
    closed: bool = False

    @property
    def plain(self) -> bool:
        """Tells whether nothing is half read, so that ordinary characters stand for themselves."""
        return self.escape is None and self.high is None

    def feed(self, char: str) -> str:
        """Returns the decoded characters that `char` completes, often none."""
        if self.escape is not None:
            return self._decode_escape(char)
        if char == "\\":
            self.escape = ""
            return ""
        lone = self._flush()
        if char == '"':
            self.closed = True
            return lone
        return lone + char

    def _flush(self) -> str:
        lone, self.high = ("" if self.high is None else REPLACEMENT), None
        return lone

    def _decode_escape(self, char: str) -> str:
        sequence = (self.escape or "") + char
        if sequence[0] != "u":
            self.escape = None
            return self._flush() + (_ESCAPES.get(char) or kept_escape(char))
        if len(sequence) < 5:
            self.escape = sequence
            return ""
        self.escape = None
        try:
            return self._unit(int(sequence[1:], 16))
        except ValueError:
            return self._flush()

    def _unit(self, code: int) -> str:
        if code in _LOW and self.high is not None:
            pair = 0x10000 + ((self.high - 0xD800) << 10) + (code - 0xDC00)
            self.high = None
            return chr(pair)
        lone = self._flush()
        if code in _HIGH:
            self.high = code
            return lone
        return lone + clean(chr(code))


@dataclass
class AnswerReader:
    """Reads an answer fed in pieces; `feed` returns the newly decoded characters of `speak`.

    `tool_name` is set when the name inside `tool_call` is complete, `route` and `action` when that value is. `talked`
    is true when words stand before the object: it may then be an example, or part of a thought.
    """

    route: str | None = None
    action: str | None = None
    tool_name: str | None = None
    done: bool = False
    _speech: list[str] = field(default_factory=list)
    talked: bool = False
    _before: str = ""
    _stack: list[str] = field(default_factory=list)
    _string: _String | None = None
    _text: list[str] = field(default_factory=list)
    _keys: list[str | None] = field(default_factory=list)
    _expect: str = "key"

    @property
    def spoken(self) -> str:
        """Returns all characters of `speak` so far."""
        return "".join(self._speech)

    def feed(self, piece: str) -> str:
        text, at, before = clean(piece), 0, len(self._speech)
        while at < len(text) and not self.done:
            run = self._run(text, at)
            if run:
                at += len(run)
            else:
                self._step(text[at])
                at += 1
        return "".join(self._speech[before:])

    def _run(self, text: str, at: int) -> str:
        """Returns characters from there on that change nothing but the string or the talk they are part of, taken at
        once."""
        if not self._stack:
            found = _IDLE.match(text, at)
            if found:
                self._pass_over(found.group())
        else:
            found = _PLAIN.match(text, at) if self._string is not None and self._string.plain else None
            if found:
                self._take_decoded(found.group())
        return found.group() if found else ""

    def _step(self, char: str) -> None:
        if not self._stack:
            self._seek(char)
        elif self._string is not None:
            self._in_string(char)
        else:
            self._structure(char)

    def _seek(self, char: str) -> None:
        if char == "{":
            self._open("{")
        else:
            self._pass_over(char)

    def _pass_over(self, text: str) -> None:
        self._before = (self._before + text)[:40]
        self.talked = self.talked or not _BEFORE.fullmatch(self._before)

    def _open(self, char: str) -> None:
        self._stack.append(char)
        self._keys.append(None)
        self._expect = "key" if char == "{" else "value"

    def _structure(self, char: str) -> None:
        if char.isspace():
            return
        if char == '"':
            self._string, self._text = _String(), []
        elif char in "{[" and self._expect == "value":
            self._open(char)
        elif char in "}]":
            self._close()
        elif char == ",":
            self._expect = "key" if self._stack[-1] == "{" else "value"
        elif char == ":":
            self._expect = "value"
        elif self._expect == "key":
            self._abandon()

    def _close(self) -> None:
        self._stack.pop()
        self._keys.pop()
        self._expect = "after"
        if not self._stack:
            self.done = True

    def _abandon(self) -> None:
        """Gives up what is no JSON object after all, and looks for the next one."""
        self._stack, self._keys, self.talked = [], [], True

    def _in_string(self, char: str) -> None:
        string = self._string
        assert string is not None
        decoded = string.feed(char)
        if decoded:
            self._take_decoded(decoded)
        if string.closed:
            self._string = None
            self._end_string("".join(self._text))

    def _take_decoded(self, text: str) -> None:
        speaks = self._expect == "value" and self._path() == "speak"
        (self._speech if speaks else self._text).append(text)

    def _end_string(self, text: str) -> None:
        if self._expect == "key":
            self._keys[-1] = text
        elif self._expect == "value":
            self._value(text)
        self._expect = "after" if self._expect == "value" else "colon"

    def _value(self, text: str) -> None:
        path = self._path()
        if path == "route":
            self.route = text.strip()
        elif path == "action":
            self.action = text.strip()
        elif path == "tool_call.name":
            self.tool_name = text.strip()

    def _path(self) -> str:
        return ".".join(key or "" for key in self._keys)
