"""Server-sent events as bytes, and text that was cut in the middle of a character. Standard library only.

Own code because the client's typed stream builds an object tree per chunk: about 80 us where reading the few fields we
use takes about 10.
"""

from __future__ import annotations

import codecs

MAX_EVENT_BYTES = 1 << 20


class EventTooLarge(ValueError):
    """Tells that one event exceeded MAX_EVENT_BYTES."""


class EventReader:
    """Turns bytes in any pieces into the `data` of each event, following the WHATWG event-stream rules.

    Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation, with one
    leniency: an event that the end of the stream leaves without its blank line is delivered.
    """

    def __init__(self) -> None:
        self._tail = b""
        self._data: list[bytes] = []

    def feed(self, block: bytes) -> list[bytes]:
        """Returns the events completed by `block`."""
        block = self._tail + block
        held = block.endswith(b"\r")  # the line feed of a split CR LF may follow
        lines = (block[:-1] if held else block).splitlines(keepends=True)
        self._tail = b"\r" if held else b""
        if lines and not lines[-1].endswith((b"\n", b"\r")):
            self._tail = lines.pop() + self._tail
        if len(self._tail) > MAX_EVENT_BYTES:
            raise EventTooLarge
        events = []
        for line in lines:
            event = self._line(line.rstrip(b"\r\n"))
            if event is not None:
                events.append(event)
        return events

    def end(self) -> list[bytes]:
        """Returns the event that the end of the stream completes."""
        events = self.feed(b"\n\n") if self._tail else self.feed(b"\n")
        self._tail, self._data = b"", []
        return events

    def _line(self, line: bytes) -> bytes | None:
        if not line:
            if not self._data:
                return None
            event, self._data = b"\n".join(self._data), []
            return event
        if line.startswith(b"data:"):
            self._data.append(line[6:] if line.startswith(b"data: ") else line[5:])
        elif line == b"data":
            self._data.append(b"")
        elif line.startswith(b"{") and not self._data:
            return line  # a chunk without its field name: no field of an event begins like this
        return None


class WholeBody:
    """Takes a body that is one document, in any number of lines, for one event; one that is events all the same is
    read as these."""

    def __init__(self) -> None:
        self._body = b""

    def feed(self, block: bytes) -> list[bytes]:
        """Keeps the block. Raises `EventTooLarge`."""
        self._body += block
        if len(self._body) > MAX_EVENT_BYTES:
            raise EventTooLarge
        return []

    def end(self) -> list[bytes]:
        """Returns the events of the body."""
        body, self._body = self._body.strip(), b""
        if body.startswith(b"{") and b"\ndata:" not in body:
            return [body]
        reader = EventReader()
        return [*reader.feed(body), *reader.end()]


class TextJoiner:
    """Puts characters together again that the provider cut between two deltas.

    Two ways of cutting exist: raw UTF-8 bytes (they arrive as surrogate escapes U+DC80..U+DCFF) and the halves of a
    UTF-16 pair written as two JSON escapes. What never becomes a character is U+FFFD.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting = False
        self._high = ""

    def feed(self, text: str, *, raw: bool = False) -> str:
        """Returns the text that is complete now. `raw`: the delta came from bytes that are no valid UTF-8."""
        if not (raw or self._waiting or self._high) and (text.isascii() or _clean(text)):
            return text
        if raw or self._waiting:
            decoded = self._decoder.decode(text.encode("utf-8", "surrogateescape" if raw else "replace"))
            self._waiting = bool(self._decoder.getstate()[0])
            return decoded
        text = self._high + text
        self._high = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        whole = text[: len(text) - len(self._high)]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def end(self) -> str:
        """Returns what is left when nothing follows."""
        rest = self._decoder.decode(b"", final=True) + ("�" if self._high else "")
        self._waiting, self._high = False, ""
        return rest


def _clean(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
