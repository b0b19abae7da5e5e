"""A decision that is written as fields instead of as JSON: lines of `key: value`, plain, as YAML or as a Markdown list,
or an element for each field.

No YAML in full: a decision is made of words, numbers, texts of several lines, lists and mappings. What is no such
decision as a whole is left to other readers.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

Load = Callable[[str], object]
"""Reads JSON within a value, None when it is none."""
FIELDS = frozenset(
    {"speak", "action", "reason", "goal_check", "tool_call", "abort", "options", "steps", "route", "thinking",
     "needs_rough_build", "needs_refine", "needs_refine_after_rough_build", "task_class_ids", "context_hook"}
)  # fmt: skip
TEXTS = frozenset({"speak", "reason", "goal_check"})
"""Fields whose words may go on in the next line."""
TELLING = ("action", "route", "tool_call")
"""Fields one of which every decision has."""
CHOICES = ("action", "route")
LONGEST = 32_000
MOST_MARKS = 400
_FENCE = re.compile(r"^```[A-Za-z0-9_-]*[ \t]*\n(.*?)\n?\s*```", re.DOTALL | re.MULTILINE)
_KEY = r"""[*_`"']{0,3}([A-Za-z_][\w -]{0,30}?)[*_`"']{0,3}\s*"""
_FIELD = re.compile(rf"^(\s*)((?:[-*+]|\d{{1,2}}[.)])\s+)?{_KEY}[:：][*_`]{{0,3}}(.*)$")
"""A line that begins with a field of the decision, also as a row of a Markdown list."""
_LINE = re.compile(rf"^\s*{_KEY}(?::[*_`]{{0,3}}(?:\s+|$)|：)(.*)$")
"""A line of a mapping within a field: no clock time is one."""
_ROW = re.compile(r"^(\s*)(?:[-*+]|\d{1,2}[.)])(?:\s+(.*)|)$")
_ELEMENT = re.compile(r"<([A-Za-z_]\w*)>\s*(.*?)\s*</\1>", re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,12}")
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None, "~": None}


def read_fields(text: str, load: Load, is_quoted: Callable[[str], bool]) -> dict[str, object] | None:
    """Returns the decision that a text is, but for words before it; None for any other text, and for one whose lines
    are quoted."""
    if len(text) > LONGEST:
        return None
    fenced = _FENCE.findall(text)
    text = fenced[0] if len(fenced) == 1 else text
    found = _without_braces(text) or _read_elements(text, load) or _Lines(text, load, is_quoted).read()
    return found if found and any(found.get(key) for key in TELLING) else None


def _name(key: str) -> str:
    """Returns a key as the contracts write it: `Tool Call` and `toolCall` are `tool_call`."""
    return re.sub(r"[\s-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key.strip())).lower()


def _without_braces(text: str) -> dict[str, object] | None:
    """Reads an object whose braces are missing."""
    try:
        found: dict[str, object] = json.loads("{" + text + "}") if text.lstrip()[:1] == '"' else {}
    except ValueError:
        return None
    return found


def _read_elements(text: str, load: Load) -> dict[str, object] | None:
    """Reads `<action>done</action>…`, also within one element around all of them; none within an object of JSON."""
    if not re.search(r"<(?:action|route)>", text) or text.count("<") > MOST_MARKS or "{" in text[: text.index("<")]:
        return None
    found = _ELEMENT.findall(text)
    if len(found) == 1 and found[0][0] not in FIELDS:
        found = _ELEMENT.findall(found[0][1])
    if not {name for name, _ in found} & {"action", "route"} or not {name for name, _ in found} <= FIELDS:
        return None
    return {name: _element_value(inner, load) for name, inner in found}


def _element_value(inner: str, load: Load) -> object:
    if inner[:1] in ("{", "["):
        return load(inner)
    within = _ELEMENT.findall(inner)
    if not within:
        return inner
    names = [name for name, _ in within]
    values = [_element_value(one, load) for _, one in within]
    return values if len(names) > 1 and len({*names}) == 1 else dict(zip(names, values, strict=True))


class _NoFields(Exception):
    """Tells that the text is no decision in lines."""


@dataclass
class _Lines:
    """Reads lines by their indentation, from the top on."""

    text: str
    load: Load
    is_quoted: Callable[[str], bool]

    def read(self) -> dict[str, object] | None:
        """Returns the fields; None where a line belongs to none of them, or an object stands before them."""
        self._lines = textwrap.dedent(self.text.expandtabs(2)).strip("\n").split("\n")
        self._at = next((at for at, line in enumerate(self._lines) if self._field(line)), len(self._lines))
        if any("{" in line for line in self._lines[: self._at]) or self.is_quoted("\n".join(self._lines[self._at :])):
            return None
        try:
            return self._fields()
        except _NoFields:
            return None

    @staticmethod
    def _field(line: str) -> str:
        """Returns the field that a line begins, "" for none."""
        match = _FIELD.match(line)
        return name if match is not None and (name := _name(match.group(3))) in FIELDS else ""

    def _fields(self) -> dict[str, object]:
        found: dict[str, object] = {}
        key = ""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            match = _FIELD.match(line) if self._field(line) else None
            if match is not None:
                key = self._field(line)
                self._at += 1
                value = self._value(match.group(4), len(match.group(1)), text_of=key)
                if key in found or (key in CHOICES and not _is_choice(value)):
                    raise _NoFields
                found[key] = value
            elif line.strip() in ("---", "...") or (not line.strip() and key not in TEXTS):
                self._at += 1
            elif isinstance(found.get(key), str) and key in TEXTS:
                found[key] = f"{found[key]}\n{line.strip()}".strip()
                self._at += 1
            else:
                raise _NoFields
        return found

    def _value(self, rest: str, indent: int, *, text_of: str = "") -> object:
        """Returns the value behind a key: in its line, or in the lines below that stand further right. `text_of` is the
        field whose own value it is."""
        rest = rest.strip()
        if re.fullmatch(r"[|>][-+]?", rest):
            return "\n".join(self._below(indent)).strip()
        if rest[:1] in ("{", "[") and text_of not in TEXTS:
            return self._flow(rest)
        if rest:
            return _text(rest) if text_of else _scalar(rest)
        return "" if text_of in TEXTS else self._block(indent)

    def _below(self, indent: int) -> list[str]:
        """Takes the lines that stand further right than `indent`."""
        taken = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            taken.append(line)
            self._at += 1
        return textwrap.dedent("\n".join(taken)).split("\n")

    def _flow(self, rest: str) -> object:
        """Reads JSON, which may go on in the lines below."""
        found = self.load(rest)
        while found is None and self._at < len(self._lines):
            rest += "\n" + self._lines[self._at]
            self._at += 1
            found = self.load(rest) if rest.count("{") + rest.count("[") <= rest.count("}") + rest.count("]") else None
        if found is None:
            raise _NoFields
        return found

    def _next(self) -> str | None:
        """Returns the next line with something in it."""
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1
        return self._lines[self._at] if self._at < len(self._lines) else None

    def _block(self, indent: int) -> object:
        """Reads the mapping or the list below a key; a list may stand as far left as its key."""
        line = self._next()
        if line is None:
            return None
        row, deep = _ROW.match(line), len(line) - len(line.lstrip())
        if row is not None and deep >= indent and not self._field(line):
            return self._rows(deep)
        return self._mapping(deep) if deep > indent else None

    def _rows(self, deep: int) -> object:
        rows: list[object] = []
        while (line := self._next()) is not None:
            row = _ROW.match(line)
            if row is None or len(row.group(1)) != deep or (deep == 0 and self._field(line)):
                break
            inner = row.group(2) or ""
            if _LINE.match(inner) and inner[:1] not in ("{", "["):
                # The first key of a mapping stands in the line of its row.
                at = line.index(inner)
                self._lines[self._at] = " " * at + inner
                rows.append(self._mapping(at))
                continue
            self._at += 1
            rows.append(self._value(inner, deep))
        return _merge(rows)

    def _mapping(self, deep: int) -> dict[str, object]:
        found: dict[str, object] = {}
        while (line := self._next()) is not None and len(line) - len(line.lstrip()) == deep:
            match = _LINE.match(line)
            if match is None or _ROW.match(line):
                break
            self._at += 1
            found[match.group(1).strip()] = self._value(match.group(2), deep)
        if not found:
            raise _NoFields
        return found


def _merge(rows: list[object]) -> object:
    """Returns the mapping whose keys stand in a row each, else the list."""
    pairs = [pair for row in rows if isinstance(row, dict) and len(row) == 1 for pair in row.items()]
    return dict(pairs) if 1 < len(pairs) == len(rows) == len(dict(pairs)) else rows


def _is_choice(value: object) -> bool:
    """Tells whether a value can be a word of a closed set, perhaps with what explains it."""
    return isinstance(value, str) and re.fullmatch(r"[^\"{}:：]{1,80}", value) is not None


def _text(written: str) -> str:
    """Returns words without quotes around all of them."""
    for mark in "\"'`":
        inner = written[1:-1].replace(f"\\{mark}", "\0")
        if len(written) > 1 and written[0] == written[-1] == mark and mark not in inner:
            return inner.replace("\0", mark).replace("\\n", "\n")
    return written


def _scalar(written: str) -> object:
    """Returns a number, a truth, or the words; a remark behind a word is none of it."""
    plain = re.sub(r"^([\w.:-]+)\s+#\s.*$", r"\1", written)
    if plain.lower() in _WORDS:
        return _WORDS[plain.lower()]
    return int(plain) if _NUMBER.fullmatch(plain) else _text(plain)
