"""Whether a message asks for yes or no."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text

_WHETHER = re.compile(
    r"是不是|有没有|会不会|对吧|(?![能要行好])([一-鿿])[没不]\1|(?<!干)[吗么嘛没][了啊呀]*\s*[?？。!~]*$"
    r"|了没有?\s*[?？]?$|(?<!什)么\s*[?？]$|, right\s*\?*$"
    r"|^(?:(?:so|and|hey|wait|ok|okay|um+|but|btw),? )*"
    r"(?:(?:is|are|was|were|did|does|has|am|will)(?:n't)?\b(?!n't)|(?:do|have)(?:n't)? (?:i|you|we|they|my|all|any)\b)"
)
_ASKS_WHAT = re.compile(
    r"什么|啥|哪|多少|几[个项章节天点号周]|怎么|咋|为何|谁|\b(?:what|when|where|which|why|how|who)\b"
)


def asks_whether(message: str) -> bool:
    """Whether yes or no is asked for: 你在周日放东西了吗, wasn't chapter 2 on a weekend?"""
    text = fold_text(message).strip()
    return _WHETHER.search(text) is not None and not _ASKS_WHAT.search(text)
