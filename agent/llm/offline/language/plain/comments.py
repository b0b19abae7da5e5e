"""Comments beside what is wanted: that one forgot to say it, thinks so, leaves the rest open. They want nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import blank_names
from agent.llm.offline.language.words.comments import ANSWERS, COMMENT, NAMES, PUT_OFF, SECOND_THOUGHTS, TOLD_IN

_JOINT = re.compile(r"([,，;；。!！~…\n]+\s*|(?<=\w): +|\.+(?=\s|$)\s*|(?<=[一-鿿])\s+(?=[一-鿿])|\s+-+\s+)")
_QUOTED = re.compile(r"[「」『』“”\"《》：]")
_NAMED = (
    r"叫|名|加|新建|新增|添|拆|分成|合并|改[成为]|内容"
    r"|\b(?:call|name|title|add|creat|new|split|divide|contents?|items?|steps?)"
)
_LISTED = re.compile(rf"(?:{_NAMED})[^,，;；。]*:(?=\s*\w)", re.IGNORECASE)
_GIVES_NAMES = re.compile(_NAMED, re.IGNORECASE)
"""What gives something a name, and a list of names behind a colon."""
_REFUSED = re.compile(r"不|别|拿|去掉|移出|撤|删|取消|其[他余它]|剩下")
_MORE_THAN_A_NAME = re.compile(r"[^\W\da-z](?:.*[^\W\da-z]){3}|[a-z]\w*\W+(?:\w+\W+)+\w")
_PROGRESS = ("finished", "partly", "missed", "not_done", "unmark")


@lru_cache(maxsize=512)
def leave_out_comments(text: str, names: Sequence[str]) -> str:
    """The text without its comments; as it is where it lists, quotes, or would have nothing left but a name."""
    if _QUOTED.search(text) or _LISTED.search(text):
        return text
    pieces = _JOINT.split(text)
    clauses, joints = pieces[::2], ["", *pieces[1::2]]
    comments = [_is_comment(one) and not _belongs(at, clauses) for at, one in enumerate(clauses)]
    others = fold_text("".join(one for one, beside in zip(clauses, comments, strict=True) if not beside))
    if not _MORE_THAN_A_NAME.search(blank_names(others, list(names))):
        return text
    told = [
        "" if beside and len(clauses) > 1 and _leaves(clause, others) else _tell(clause)
        for clause, beside in zip(clauses, comments, strict=True)
    ]
    kept = "".join(joint + clause for joint, clause in zip(joints, told, strict=True) if clause)
    return re.sub(r"^[,，;；:。.\s]+", "", kept)


def _tell(clause: str) -> str:
    """A clause without what only tells that it is told."""
    lead = TOLD_IN.match(clause)
    return clause[lead.end() :] if lead else clause


def _is_comment(clause: str) -> bool:
    if clause.rstrip().endswith(("?", "？")):  # would that work?
        return False
    said = fold_text(clause).strip().replace("’", "'")
    return PUT_OFF.fullmatch(said) is not None or (COMMENT.fullmatch(said) is not None and not ANSWERS.fullmatch(said))


def _belongs(at: int, clauses: Sequence[str]) -> bool:
    """Whether what looks like a comment is one of the names that are given in front of it, or takes back what was said
    there: 加两项，提问，补充; 挪到周五，想了想，还是周六."""
    said, before = fold_text(clauses[at]).strip(), fold_text(",".join(clauses[:at]))
    named = NAMES.fullmatch(said) is not None and _GIVES_NAMES.search(before) is not None
    return named or (0 < at < len(clauses) - 1 and SECOND_THOUGHTS.search(said) is not None)


def _leaves(clause: str, others: str) -> bool:
    """Whether a comment is one beside the others: what is put off is refused there, and what has not begun is none of
    their progress."""
    said = fold_text(clause).strip()
    if later := PUT_OFF.fullmatch(said):
        return later["rest"] is not None or _REFUSED.search(others) is not None
    begun = re.search(r"开始|\b(?:started|begun)\b", said)
    return begun is None or not any(says(one, others) for one in _PROGRESS)
