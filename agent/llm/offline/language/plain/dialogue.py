"""What the student said in a conversation, in canonical requests: every turn by what was said and done before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.memory import Memory
from agent.llm.offline.language.dialogue.pointers import Pointed, spell_pointers
from agent.llm.offline.language.dialogue.slots import COUNT
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import clauses_of
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.frames import Frame
from agent.llm.offline.language.paraphrase.paraphrase import (
    ADDS,
    AS_SAID,
    CARD,
    CERTAIN,
    DONE,
    NAMED,
    Heard,
    Paraphrase,
)
from agent.llm.offline.language.plain.message import find_readings_of, say_message, say_plainly
from agent.llm.offline.language.plain.new_classes import find_made
from agent.llm.offline.language.spans.items.one_of import find_alternatives
from agent.loop.view_document import DialogueTurnView, View

NAMES = frozenset(slot for slots in NAMED for slot in slots)
"""Slots that names fill."""


def read_plainly(
    view: View,
    is_read_already: Callable[[str, Paraphrase, Brief], bool],
    keep_known: Callable[[Paraphrase, Brief], Paraphrase],
) -> Brief:
    """The brief of a view with the student's requests in plain words, where it is sure what they mean.
    `is_read_already` tells of a first request whether the readers know it as it was said, `keep_known` gives those of
    several back in the student's own words that they know."""
    reader = Brief(view)
    made = find_made(view)
    rows = [row for row in view["classes"] if row["name"] not in made]
    classes = tuple(row["name"] for row in rows)
    items = tuple(item["content"] for row in rows for item in row["items"])
    heard: Heard | None = None
    meant: dict[str, Paraphrase] = {}
    unsure: set[str] = set()
    unknown: dict[str, str] = {}
    heard_not: dict[str, tuple[str, ...]] = {}
    dialogue: list[DialogueTurnView] = []
    spelled: dict[str, str] = {}
    memory = Memory(view)
    asked = is_open = False
    frames: dict[str, tuple[Frame, ...]] = {}
    spoken: dict[str, str] = {}
    for turn in view["dialogue"]:
        if turn["role"] != "user":
            # What was planned is told with its items, what was written by its tool.
            asked, is_open = turn["asks"] is not None, is_open and not (turn["wrote"] or turn["item_ids"])
            heard = heard and Heard(DONE if turn["wrote"] else heard.state, heard.frame)
            memory.look(turn)
            dialogue.append(turn)
            continue
        own = turn["text"]
        asked = asked and own != view["request"]  # what begins a goal answers no question of another
        pointed = Pointed(own) if asked else spell_pointers(own, memory)
        heard = None if pointed.alone else heard
        text = spelled[own] = pointed.text
        turn = {**turn, "text": text}
        memory.hear(text)
        corrects = heard is not None and heard.state == DONE and says("correction", fold_text(text))
        as_told = pointed.plain or bool(find_alternatives(text, memory.brief)[0])
        said = None if asked or corrects or as_told else say_message(text, reader, classes, items, heard)
        counts = is_open and _only_counts(text)
        denies = heard is not None and _DENIED.search(fold_text(text)) is not None
        if counts or denies or (said and is_open and _belongs_to_last(text, said)):
            said = None
        meant.pop(own, None)
        if whole := said or (None if corrects or counts else _read_alone(text, reader, classes, items)):
            frames |= {own: whole.frames, text: whole.frames, whole.text: whole.frames}
        heard_not[own] = _find_refused(said, text)
        unknown[own] = said.unknown if said and heard is None else ""
        begins = heard is None and not (asked or as_told)
        unsure = {own} if said is None and begins else set()
        doubtful = said is not None and said.frames != () and not said.by_spans
        if said is not None and doubtful and is_read_already(text, said, reader):
            heard = None
        elif said and said.frames:
            said = keep_known(said, reader)
            last = said.frames[-1]
            memory.read(last.form)
            heard = None if last.form == AS_SAID else Heard(CARD if last.changes else DONE, last)
            meant[own], spoken[said.text] = said, own
            turn = {**turn, "text": said.text}
        elif said is None:
            heard = None
        is_open = heard is None
        dialogue.append(turn)
    request = view["request"]
    if (first := meant.get(request)) is not None:
        plain = _begin_with(first.text, {**view, "dialogue": dialogue})
        return Brief(plain, written=tuple(zip(first.said, first.own, strict=True)), frames=frames, spoken=spoken)
    full = spelled.get(request, request)
    return Brief(
        _begin_with(full, {**view, "dialogue": dialogue}),
        likely=find_readings_of(full, classes, items) if request in unsure else (),
        unknown_class=unknown.get(request, "") if len(view["turns"]) <= 1 else "",
        heard_not=heard_not.get(request, ()),
        frames=frames,
        spoken=spoken,
    )


_DENIED = re.compile(
    r"不是[^,，]{1,12}[,，]\s*是|(?:^|,)\s*(?:no,? )?not (?!on|in|at|before|after|until)[^,]{2,24}(?:,|$)"
)
"""What says that one thing is not meant, beside another that is."""


def _belongs_to_last(text: str, said: Paraphrase) -> bool:
    """Whether a message only adds something, or a time that is not wanted, to what was left as it was said before."""
    if any({*one.slots} & NAMES for one in said.frames):
        return False
    return ADDS.search(text) is not None or {one.form for one in said.frames} == {"nothing_on"}


def _only_counts(text: str) -> bool:
    """Whether a message tells a number and nothing else: that is the number of what was said before."""
    folded = fold_text(text)
    return COUNT.search(folded) is not None and not strip_fillers(COUNT.sub(" ", folded))


def _read_alone(text: str, reader: Brief, classes: Sequence[str], items: Sequence[str]) -> Paraphrase | None:
    """How a message is read that goes on about nothing, where the models are certain that it is whole so."""
    if says("correction", fold_text(text)):
        return None
    said = say_plainly(text, reader, classes, items, None)
    return said if said and all(one.is_whole and one.chance >= CERTAIN for one in said.frames) else None


def _find_refused(said: Paraphrase | None, text: str) -> tuple[str, ...]:
    """The times that the frames of a message leave free; one that is a clause by itself is wanted."""
    pieces = [piece for frame in (said.frames if said else ()) for piece in frame.slots.get("but_not_on", ())]
    alone = [strip_fillers(clause) for clause in clauses_of(fold_text(text))]
    return tuple(piece for piece in pieces if strip_fillers(fold_text(piece)) not in alone)


def _begin_with(request: str, view: View) -> View:
    """The view with other words for the goal's request."""
    begun = [{**turn, "text": request} for turn in view["turns"][:1] if turn["option"] is None]
    turns = [*(begun or view["turns"][:1]), *view["turns"][1:]]
    message = request if len(turns) <= 1 else view["message"]
    return {**view, "request": request, "message": message, "turns": turns}
