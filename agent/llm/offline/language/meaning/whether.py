"""Whether a message asks for yes or no."""

from __future__ import annotations

import re
from functools import lru_cache

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text

_DID = (
    r"(?!.*\b(?:move|change|go|get|fit|work|end|happen)\b)"
    r" (?:(?:(?:about |only )?half of )?[a-z]+ \d+(?:(?:,| and| to)(?: [a-z]+)? \d+)*(?: [a-z]*day)?"
    r"|(?:about |only |just )?(?:the (?:first|second|last) )?"
    r"(?:half|most|(?:a|one|two) (?:third|quarter)s?|some) (?:of )?"
    r"[^?]+|(?!(?:i|you|we|they|he|she|it|that|this|any\w*)\b)[^?]+"
    r"(?:yesterday|last night|this morning|today))[ .!]*$"
)
"""Items, a part of something, or what was done some day, behind a verb without its subject, and no other verb: did
chapters 1 and 2."""
_WHETHER = re.compile(
    r"是不是|有没有|会不会|对吧|(?![能要行好])([一-鿿])[没不]\1|(?<!干)[吗么嘛没][了啊呀]*\s*[?？。!~]*$"
    r"|了没有?\s*[?？]?$|(?:还没|已经)[^,，。;；]{1,6}吧\s*[?？]?$"
    r"|(?<!什)么\s*[?？]$|, right\s*\?*$|\btell me (?:first )?(?:if|whether)\b"
    r"|^(?:(?:so|and|hey|wait|ok|okay|um+|but|btw|well|then|oh|fine|cool),? )*"
    rf"(?:(?:is|are|was|were|am)(?:n't)?\b(?!n't)|(?:did(?!{_DID})|does|has(?! to\b)|will)\b(?!n't)"
    r"|(?:did|does|has|will)n't (?:i|you|we|they|it|that|this|the|my|all|any\w*|chapter|lab|unit)\b"
    r"|(?:do|have)(?:n't)? (?:i|you|we|they|my|the|all|any)\b"
    r"|do\b.*\b(?:overlap|clash|conflict|collide)\b)"
)
_ASKS_WHAT = re.compile(
    r"什么|啥|哪|多少|几[个项章节天点号周]|怎么|咋|为何|谁|\b(?:what|when|where|which|why|how|who)\b"
)


@lru_cache(maxsize=4096)
def asks_whether(message: str) -> bool:
    """Whether yes or no is asked for: 你在周日放东西了吗, wasn't chapter 2 on a weekend?"""
    text = fold_text(message).strip()
    return _WHETHER.search(text) is not None and not _ASKS_WHAT.search(text)


_CHANGED = re.compile(
    r"(?:改|弄|搞|移|挪|换|写|保存|排|调)(?:好|完|成功|过去|进去|上)?了(?:吗|没)"
    r"|\bdid you (?:do|change|move|make|save|get)\b|\b(?:is|are) (?:it|both|they) (?:changed|moved|saved)\b"
    r"|\b(?:did|have|has) (?:both|it|that|this|they|those|everything|all of (?:it|them))(?: of them)? "
    r"(?:work|been (?:done|changed|moved|saved)|go through|change|move)\b"
)


def asks_whether_done(message: str) -> bool:
    """Whether it is asked if what was wanted was done: did you do both, 两个都改好了吗."""
    return _CHANGED.search(fold_text(message)) is not None and asks_whether(message)


_FOLLOWS = re.compile(
    r"(?:[去挪移放排调跑改换弄][到去]?|在)了?(?:哪|什么时候)|(?:哪些?|什么)[天项个]?[^,，。]{0,4}[动挪移改变]"
    r"|[要得会被][动挪移改变]|(?<!进度)会?怎么?样|影响|碰到|耽误|(?<![那当]天)(?:原|本)来(?:有|排)|(?:原|本)来(?:有|排)(?!了?[些点]?(?:什么|啥|哪些))"
    r"|\b(?:happen(?:s|ed)?|change[sd]?|hits?|touch(?:es)?|los[et]|affect\w*|moved?s?|go(?:es)?|went|end up|become)\b"
)

_NOW = re.compile(r"(?:现在|目前|原本|本来)[^,，。去]{0,2}在|\b(?:is|are|stands?) [^,.]*\b(?:now|currently)\b")


def asks_what_follows(text: str) -> bool:
    """Whether words over a card ask what it leads to: what moves, and where it goes."""
    asks, when = (says("asking", text) or asks_whether(text)) and not _NOW.search(text), says("when_asked", text)
    return asks and (when or (_FOLLOWS.search(text) is not None and not says("polite_form", text)))
