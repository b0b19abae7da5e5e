"""Comments beside what is wanted: that one forgot to say it, thinks so, leaves the rest open. They want nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import blank_names
from agent.llm.offline.language.words.comments import ANSWERS, COMMENT, PUT_OFF, TOLD_IN

_JOINT = re.compile(r"([,，;；。!！~…\n]+\s*|(?<=\w): +|\.+(?=\s|$)\s*|(?<=[一-鿿])\s+(?=[一-鿿])|\s+-+\s+)")
_QUOTED = re.compile(r"[「」『』“”\"《》：]")
_REFUSED = re.compile(r"不|别|拿|去掉|移出|撤|删|取消|其[他余它]|剩下")
_MORE_THAN_A_NAME = re.compile(r"[^\W\da-z](?:.*[^\W\da-z]){4}|[a-z]\w*\W+(?:\w+\W+)+\w")
_PROGRESS = ("finished", "partly", "missed", "not_done", "unmark")


@lru_cache(maxsize=512)
def leave_out_comments(text: str, names: Sequence[str]) -> str:
    """The text without its comments; as it is where it lists, quotes, or would have nothing left but a name."""
    if _QUOTED.search(text):
        return text
    pieces = _JOINT.split(text)
    clauses, joints = pieces[::2], ["", *pieces[1::2]]
    others = fold_text("".join(one for one in clauses if not _is_comment(one)))
    if not _MORE_THAN_A_NAME.search(blank_names(others, list(names))):
        return text
    told = [_tell(clause) if len(clauses) == 1 or not _leaves(clause, others) else "" for clause in clauses]
    kept = "".join(joint + clause for joint, clause in zip(joints, told, strict=True) if clause)
    return re.sub(r"^[,，;；:。.\s]+", "", kept)


def _tell(clause: str) -> str:
    """A clause without what only tells that it is told."""
    lead = TOLD_IN.match(clause)
    return clause[lead.end() :] if lead else clause


def _is_comment(clause: str) -> bool:
    said = fold_text(clause).strip(" ?？").replace("’", "'")
    return PUT_OFF.fullmatch(said) is not None or (COMMENT.fullmatch(said) is not None and not ANSWERS.fullmatch(said))


def _leaves(clause: str, others: str) -> bool:
    """Whether a clause is a comment beside the others: what is put off is refused there, and what has not begun is
    none of their progress."""
    said = fold_text(clause).strip()
    if not _is_comment(clause):
        return False
    if later := PUT_OFF.fullmatch(said):
        return later["rest"] is not None or _REFUSED.search(others) is not None
    begun = re.search(r"开始|\b(?:started|begun)\b", said)
    return begun is None or not any(says(one, others) for one in _PROGRESS)
