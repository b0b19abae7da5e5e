"""What new contents are called, as the answer to the question for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import leaves_it_open
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import INTERJECTIONS, fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.words.comments import COMMENT, NAMES, PUT_OFF

_CALLED = re.compile(
    r"^(?:那|就|它|名字|是)*叫做?"
    r"|^(?:just |please )*(?:call|name) (?:it|them) |^(?:it'?s |they'?re )?(?:called|named) ",
    re.IGNORECASE,
)
_END = re.compile(r"(?:[吧呗哈了]|,? please)?[\s.。!！]*$", re.IGNORECASE)


def name_added(turns: Sequence[str], brief: Brief) -> list[str]:
    """The turns of a goal with the names that answer what is to be added behind the words that add it; an answer that
    adds them itself stands for both."""
    told = list[str]()
    for turn in turns:
        before = told[-1] if told else ""
        if not (before and _is_unnamed(before, brief)):
            told.append(turn)
        elif any(one.kind == "add" and one.names for one in read_content_changes(turn, brief.before_goal).told):
            told[-1] = turn
        elif name := _find_name(turn, brief):
            told[-1] = f"{before.rstrip(' 。.!！')}{brief.say('：', ': ')}{name}"
        else:
            told.append(turn)
    return told


def _is_unnamed(turn: str, brief: Brief) -> bool:
    told = read_content_changes(turn, brief.before_goal).told
    return len(told) == 1 and told[0].kind == "add" and not told[0].names


def leave_out_heard(answer: str) -> str:
    """A name that is told without the interjections in front of it; what is nothing else stays."""
    return _find_unheard(answer) or answer


def _find_unheard(answer: str) -> str:
    said = f"{answer.strip()} "
    heard = INTERJECTIONS.match(said)
    return said[heard.end() if heard else 0 :].strip()


def _find_name(turn: str, brief: Brief) -> str:
    said = _END.sub("", _find_unheard(turn)).strip()
    name, text = _CALLED.sub("", said).strip(), fold_text(said)
    if name != said:
        return name
    comment = (COMMENT.fullmatch(text) and not NAMES.fullmatch(text)) or PUT_OFF.fullmatch(text)
    asks = says("asking", text) or says("never_mind", text) or leaves_it_open(name) or leaves_it_open(turn)
    known = read_times(text, brief.term) or intent_of(name, brief) != "other"
    return "" if comment or asks or known else name
