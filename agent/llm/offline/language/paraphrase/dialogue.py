"""What the student said in a conversation, in canonical requests: every turn by what was said and done before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.memory import Memory
from agent.llm.offline.language.dialogue.pointers import Pointed, spell_pointers
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.by_spans import remove_from_class, tell_by_spans
from agent.llm.offline.language.paraphrase.frames import Frame
from agent.llm.offline.language.paraphrase.new_classes import find_made, spell_out_class
from agent.llm.offline.language.paraphrase.paraphrase import (
    AS_SAID,
    CARD,
    CERTAIN,
    DONE,
    Heard,
    Paraphrase,
    find_likely,
    paraphrase,
)
from agent.llm.offline.language.paraphrase.remarks import without_remarks
from agent.llm.offline.language.paraphrase.rest_of_half import name_what_is_left
from agent.llm.offline.language.spans.happenings import drop_open_end, wants_another_time
from agent.llm.offline.language.spans.items.one_of import find_alternatives
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.phrases import language_of_message
from agent.loop.view_document import DialogueTurnView, View

MOST = 3
"""Readings of a request that nobody is sure of."""
LEAST = 0.2
"""The chance of the likeliest of them."""
_ANYWHERE = frozenset({"move_away", "put_in", "catch_up", "catch_up_items"})
"""Forms that leave open where something goes."""


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
    asked = False
    for turn in view["dialogue"]:
        if turn["role"] != "user":
            asked = turn["asks"] is not None
            heard = heard and Heard(DONE if turn["wrote"] else heard.state, heard.frame)
            memory.look(turn)
            dialogue.append(turn)
            continue
        own = turn["text"]
        asked = asked and own != view["request"]  # what begins a goal answers no question of another
        pointed = Pointed(own) if asked else spell_pointers(own, memory)
        heard = None if pointed.alone else heard
        spelled[own], turn = pointed.text, {**turn, "text": pointed.text}
        memory.hear(turn["text"])
        corrects = heard is not None and heard.state == DONE and says("correction", fold_text(turn["text"]))
        as_told = pointed.plain or bool(find_alternatives(turn["text"], memory.brief)[0])
        as_said = asked or corrects or as_told
        said = None if as_said else _say_wholly(turn["text"], reader, classes, items, heard)
        meant.pop(own, None)
        heard_not[own] = _find_refused(said)
        unknown[own] = said.unknown if said and heard is None else ""
        begins = heard is None and not (asked or as_told)
        unsure = {own} if said is None and begins else set()
        doubtful = said is not None and said.frames != () and not said.by_spans
        known = said is not None and doubtful and is_read_already(turn["text"], said, reader)
        if known:
            heard = None
        elif said and said.frames:
            said = keep_known(said, reader)
            last = said.frames[-1]
            memory.read(last.form)
            heard = None if last.form == AS_SAID else Heard(CARD if last.changes else DONE, last)
            meant[own] = said
            turn = {**turn, "text": said.text}
        elif said is None:
            heard = None
        dialogue.append(turn)
    first = meant.get(view["request"])
    if first is None:
        request = spelled.get(view["request"], view["request"])
        likely = _find_likely(request, classes, items) if view["request"] in unsure else ()
        nobody = unknown.get(view["request"], "") if len(view["turns"]) <= 1 else ""
        refused = heard_not.get(view["request"], ())
        return Brief(
            _begin_with(request, {**view, "dialogue": dialogue}), likely=likely, unknown_class=nobody, heard_not=refused
        )
    plain = _begin_with(first.text, {**view, "dialogue": dialogue})
    return Brief(plain, written=tuple(zip(first.said, first.own, strict=True)))


def _find_refused(said: Paraphrase | None) -> tuple[str, ...]:
    """The times that the frames of a message leave free."""
    return tuple(piece for frame in (said.frames if said else ()) for piece in frame.slots.get("but_not_on", ()))


def _begin_with(request: str, view: View) -> View:
    """The view with other words for the goal's request."""
    begun = [{**turn, "text": request} for turn in view["turns"][:1] if turn["option"] is None]
    turns = [*(begun or view["turns"][:1]), *view["turns"][1:]]
    message = request if len(turns) <= 1 else view["message"]
    return {**view, "request": request, "message": message, "turns": turns}


def _say_wholly(
    text: str, reader: Brief, classes: Sequence[str], items: Sequence[str], heard: Heard | None
) -> Paraphrase | None:
    """A message in canonical requests, by its spans where these tell it, else by the models."""
    if (told := tell_by_spans(text, reader)) is not None:
        return told
    if (half := _say_half(text, reader, classes, items)) is not None:
        return half
    if (made := spell_out_class(text, reader)) != "":
        return _leave(made, text)
    rest = without_remarks(text, reader)
    said = _say_plainly(rest, reader, classes, items, heard)
    said = said and _catch_up(said)
    if rest != text:
        said = replace(said, by_spans=True) if said and said.frames else _leave(rest, text)
    return said and remove_from_class(said, text, reader)


def _catch_up(said: Paraphrase) -> Paraphrase:
    """What was missed and is to get another time, where that is told by a clause of its own."""
    if len(said.frames) != 2 or [frame.form for frame in said.frames] != ["missed", AS_SAID]:
        return said
    if not wants_another_time(said.said[1]) or "items" not in said.frames[0].filled:
        return said
    frame = replace(said.frames[0], form="catch_up_items")
    words = frame.say(language_of_message(said.own[0], "zh"))
    return Paraphrase((words,), ("，".join(said.own),), (frame,), by_spans=True)


def _leave(rest: str, text: str) -> Paraphrase:
    """What is left of a message, in the student's own words."""
    return Paraphrase((rest,), (text,), (Frame(AS_SAID, {"text": (rest,)}, filled=frozenset({"text"})),), by_spans=True)


def _say_half(text: str, reader: Brief, classes: Sequence[str], items: Sequence[str]) -> Paraphrase | None:
    """That an item is half done, and what is wanted of its rest: without a time for it another one than it has."""
    name, wanted = name_what_is_left(text, reader)
    if not name:
        return None
    half = Frame("did_half", {"items": (name,)}, filled=frozenset({"items"}))
    elsewhere = Frame("catch_up_items", {"items": (name,)}, filled=frozenset({"items"}))
    told = _paraphrase(wanted, classes, items, None)
    then = told.frames if told and all(frame.changes for frame in told.frames) else ()
    then = () if {frame.form for frame in then} <= _ANYWHERE else then
    frames = (half, *(then or (elsewhere,)))
    if not then and read_times(wanted, reader.term):
        return None
    said = tuple(frame.say(language_of_message(text, "zh")) for frame in frames)
    return Paraphrase(said, (text,) * len(frames), frames, by_spans=True)


def _say_plainly(
    text: str, reader: Brief, classes: Sequence[str], items: Sequence[str], heard: Heard | None
) -> Paraphrase | None:
    """A message in canonical requests; a change with the names of what it describes, the last two chapters."""
    if heard is None and (rest := drop_open_end(text)) != text:
        told = _say_plainly(rest, reader, classes, items, heard)
        if told is not None and [frame.form for frame in told.frames] == ["away"]:
            return told
    words = reader.read_words(text)
    said = _paraphrase(reader.plain(words), classes, items, heard)
    asks = said is not None and said.frames and not any(one.changes or one.chance < CERTAIN for one in said.frames)
    return said if asks or words == reader.plain(words) else _paraphrase(words, classes, items, heard)


@lru_cache(maxsize=512)
def _paraphrase(text: str, classes: Sequence[str], items: Sequence[str], heard: Heard | None) -> Paraphrase | None:
    return paraphrase(text, classes, items, heard)


@lru_cache(maxsize=512)
def _find_likely(text: str, classes: Sequence[str], items: Sequence[str]) -> tuple[str, ...]:
    return tuple(find_likely(text, classes, items, MOST, LEAST))
