"""How much of the student's words is read: every rule looks at all of them, and a page of words would take minutes."""

from __future__ import annotations

import re
from typing import cast

from agent.loop.view_document import View

READ_MAX = 800
TOO_LONG = (
    "这条消息有 {count} 个字，没有配置大模型时一次最多读 {limit} 个字。请分成几条说；什么都没有改。",
    "This message has {count} characters; without a language model at most {limit} are read at once. "
    "Please say it in several messages. Nothing was changed.",
)


def refuse_length(view: View) -> str:
    """Returns what is told of a message that is too long to be read; empty for all others."""
    count = len(_close_gaps(view["message"]))
    told = TOO_LONG[view["locale"].startswith("en")]
    return told.format(count=count, limit=READ_MAX) if count > READ_MAX else ""


def cut_words(view: View) -> View:
    """Returns the view with no more of anybody's words than is read: those said before come with every message."""
    cut = {name: _cut(view[name]) for name in ("request", "message")}
    said = {name: [{**row, "text": _cut(row["text"])} for row in view[name]] for name in ("dialogue", "turns")}
    return cast(View, {**view, **cut, **said})


def _cut(text: str) -> str:
    return text if len(text) <= READ_MAX else _close_gaps(text)[:READ_MAX]


def _close_gaps(text: str) -> str:
    """Returns the text without runs of space, which say nothing: one space or one line feed for each."""
    return re.sub(r"\s+", lambda run: "\n" if "\n" in run[0] else " ", text.strip())
