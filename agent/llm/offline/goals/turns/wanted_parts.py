"""A request that is told bit by bit: its pieces are one request, and what is missing is asked for.

What is wanted, with its parts told so far, is read from the conversation alone: from the message that begins it, all
that follow and only tell parts of it are joined with it, until something is written or something else is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from agent.llm.offline.goals.classes.new_lessons import ADDED_ELSEWHERE
from agent.llm.offline.goals.decisions import Decision, ask, give_up
from agent.llm.offline.goals.turns.alone import is_whole, read_alone
from agent.llm.offline.goals.unsettled.unclear import TOPIC as UNCLEAR
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.rewriting import CHANGING
from agent.llm.offline.language.dialogue.slots import find_spans
from agent.llm.offline.language.dialogue.wanted import LONGEST, Wanted, is_asked_by_goal, read_begun, tells_only_time
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text, without_courtesies
from agent.llm.offline.language.words.deeds import ASKED_OF, INDEFINITE
from agent.loop.nodes.enter import NEW_REQUEST
from agent.loop.view_document import AskedView, DialogueTurnView, GoalTurnView, View

TOPIC = "wanted_part"
_REMEMBERED = 12
"""Turns of the conversation in which the pieces of one request are looked for."""
_ANSWERED = 2
"""Turns of a goal that was begun, and of which one thing more was told."""
_REFUSES = ("never_mind", "unwanted", "taken_back", "keep")


_OF_ALL = ("class", "wish", "limit", "build")
"""What may be wanted of everything, so that nothing has to be named."""


@dataclass(frozen=True)
class Unfinished:
    """Words that want nothing by themselves, with the pieces that go on with them: i can only work, on weekends."""

    text: str
    kind = ""
    is_enough = True

    def spell(self, brief: Brief) -> str:
        """The words as they were said, one piece after the other."""
        return self.text

    def take(self, message: str, brief: Brief) -> Unfinished | None:
        """The words with a time behind them, where they want something together."""
        if len(self.text) > LONGEST or not tells_only_time(message, brief) or intent_of(self.text, brief) != "other":
            return None
        whole = f"{self.text}{'' if brief.language == 'zh' else ' '}{message}"
        alone = read_alone(whole, brief.view)
        intent = intent_of(alone.request, alone)
        wants = intent in _OF_ALL or (intent in CHANGING and is_whole(alone))
        return Unfinished(whole) if wants else None


class Told(NamedTuple):
    """What is wanted, where its first piece stands in the dialogue and its last, and how many there are."""

    wanted: Wanted | Unfinished
    first: int
    last: int
    pieces: int


def find_wanted(view: View) -> Told | None:
    """What the goal's request is a piece of, or may be the first one of; None where it is not known any more."""
    known: dict[str, Told | None] = Brief(view).found
    if "wanted" not in known:
        known["wanted"] = _read_wanted(view)
    return known["wanted"]


def _read_wanted(view: View) -> Told | None:
    brief, dialogue, request = Brief(view).before_goal, view["dialogue"], ("user", view["request"])
    last = max((at for at, turn in enumerate(dialogue) if (turn["role"], turn["text"]) == request), default=-1)
    found: Told | None = None
    for at in range(max(0, last - _REMEMBERED), last + 1):
        turn = dialogue[at]
        if turn["role"] != "user":
            answered = found and isinstance(found.wanted, Unfinished) and _asks_else(turn["asks"])
            found = None if turn["wrote"] or answered else found
            continue
        said = without_courtesies(turn["text"])
        if found and (more := found.wanted.take(said, brief)):
            found = found._replace(wanted=more, last=at, pieces=found.pieces + 1)
        else:
            begun = read_begun(said, brief)
            begun = None if begun and _is_about_told(begun, said, dialogue[:at], brief) else begun
            found = None if is_asked_by_goal(said) else Told(begun or Unfinished(said), at, at, 1)
    return found


def _asks_else(asked: AskedView | None) -> bool:
    """Whether a question is for something certain, which the next words answer."""
    return asked is not None and asked["topic"] != UNCLEAR


def _is_about_told(wanted: Wanted, said: str, before: Sequence[DialogueTurnView], brief: Brief) -> bool:
    """Whether a deed may be meant of what was spoken of before it: it names nothing, not even that it is something."""
    if wanted.is_enough or INDEFINITE.search(fold_text(said)) or wanted.parts.keys() & {"item", "class"}:
        return False
    spans = (find_spans(fold_text(one["text"]), brief) for one in before if one["role"] == "user")
    return any(span.kind in ("item", "class", "day") for found in spans for span in found)


def join_pieces(view: View, told: Told | None) -> View:
    """The view of a goal whose request is the last piece of what is `told`, with the whole request in its place."""
    if told is None or not told.wanted.is_enough or view["resumes"] or view["stage"] == "compact":
        return view
    if told.pieces == 1 and not (isinstance(told.wanted, Wanted) and _is_misread(told.wanted, view)):
        return view
    whole, dialogue = told.wanted.spell(Brief(view)), view["dialogue"]
    piece: DialogueTurnView = {**dialogue[told.last], "text": whole}
    first: GoalTurnView = {**view["turns"][0], "text": whole, "option": None}
    turns = [first, *view["turns"][1:]]
    joined: dict[str, Any] = {
        "dialogue": [*dialogue[: told.first], piece, *dialogue[told.last + 1 :]],
        "request": whole,
        "turns": turns,
        "message": whole if len(turns) == 1 else view["message"],
    }
    return cast(View, {**view, **joined})


def _is_misread(wanted: Wanted, view: View) -> bool:
    """Whether an item that is to be moved, nobody says when, would be taken for one that is to go: 把第二章移一下."""
    timed = wanted.parts.keys() & {"day", "hour", "week"}
    return wanted.kind == "move" and not timed and intent_of(view["request"], Brief(view)) == "remove"


def ask_for_parts(view: View, told: Told | None) -> Decision | None:
    """The question for what is missing of a request, and what becomes of the answer; None for all others."""
    if told is None or view["stage"] not in ("chat", "execute") or view["resumes"] or view["correction"]:
        return None
    brief, turns = Brief(view), view["turns"]
    if len(turns) == 1:
        if isinstance(told.wanted, Unfinished):
            return None
        if told.wanted.kind == "lesson" and view["stage"] == "chat":
            name = told.wanted.parts.get("name", "…")
            return {"route": "direct_reply", "speak": brief.say(*ADDED_ELSEWHERE, name=name), "reason": "lesson"}
        if told.wanted.is_enough:
            return None
        return _ask(told.wanted, brief) if view["stage"] == "execute" else dict(_ROAD)
    return _settle_answer(view, told.wanted, brief) if view["stage"] == "execute" else None


def _settle_answer(view: View, wanted: Wanted | Unfinished, brief: Brief) -> Decision | None:
    """The end of a goal whose question, or card, is answered by more parts, by another request, or by what drops it."""
    turns, last = view["turns"], view["turns"][-1]
    if last["via"] not in ("reply", "reject") or last["option"] is not None:
        return None
    if brief.last_answer("tool", "approve") or len(turns) > _ANSWERED:
        return None  # what was said between is no piece of it
    if isinstance(wanted, Unfinished) and (
        last["via"] == "reject" or _asks_else(brief.asked[-1] if brief.asked else None)
    ):
        return None
    if wanted.take(without_courtesies(last["text"]), brief.before_goal) is not None:
        return give_up(NEW_REQUEST, brief.say("好的。", "All right."))
    text, asked = fold_text(last["text"]), bool(brief.asked) and brief.asked[-1]["topic"] == TOPIC
    if asked and any(says(one, text) for one in _REFUSES) and not find_spans(text, brief):
        return give_up("kept", brief.say("好的，什么都没有改。", "All right, nothing was changed."))
    other = asked and _is_another(last["text"], view)
    return give_up(NEW_REQUEST, brief.say("好的。", "All right.")) if other else None


def _is_another(said: str, view: View) -> bool:
    """Whether an answer is a request of its own."""
    said = without_courtesies(said)
    alone = read_alone(said, {**view, "dialogue": view["dialogue"][-1:]})
    return is_whole(alone) or read_begun(said, alone) is not None


_ROAD = {
    "route": "execute",
    "speak": "",
    "reason": TOPIC,
    "context_hook": {"domain": "schedule", "packs": [], "reason": ""},
}


def _ask(wanted: Wanted, brief: Brief) -> Decision:
    """The question for the missing parts, with the classes where one of them is meant."""
    asked = brief.say("，", ", and ").join(brief.say(*ASKED_OF[part]) for part in wanted.missing)
    told = brief.say("好的，还要知道：{asked}？", "All right; please tell me {asked}.", asked=asked)
    if "class" in wanted.missing:
        names = brief.names_of(brief.class_ids)
        told += brief.say("\n现有：{names}", "\nThere is: {names}", names=names)
    return ask(brief, TOPIC, told, kind=wanted.kind, missing=wanted.missing)
