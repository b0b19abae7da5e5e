"""A message said again in canonical requests, where the models are sure of what it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.frames import (
    FRESH,
    Frame,
    go_on,
    is_complete,
    read_frame,
    read_frames,
    split_requests,
)
from agent.llm.offline.language.paraphrase.models import load_models
from agent.llm.offline.language.paraphrase.operators import holds_operators
from agent.llm.offline.language.paraphrase.pairs import EACH, divide_by_time
from agent.llm.offline.language.paraphrase.tokens import find_names, tokenise
from agent.llm.offline.language.paraphrase.wordings import MODIFIERS

SURE = 0.7
LONGEST = 300
"""Characters of a message that is read like this; longer ones are lists and texts."""
ONLY_ASKED = "question_only"
LEFT = frozenset({"other", "make_lighter"})
"""What the readers know better as it was said."""
UNSAID = frozenset({"no_request", "agree", "refuse", "save", "help"})
"""What is left in the student's own words."""
AS_SAID = "as_said"
"""The form of what stays in the student's words beside requests that are understood."""
POSSIBLE = 0.04
"""The chance of a reading that is worth asking about."""
TOGETHER = frozenset(
    ["move_to", "move_length_later", "move_length_earlier", "put_in_on", "catch_up_items_on", "move_away"]
)
"""Forms that are told in one sentence, so that one card shows them all."""
_JOINT = re.compile(
    r"^(?:(?:and|then|also|plus|but|oh)\b,?\s*)+|^(?:另外|然后|还有|并且|同时|以及|顺便|[,，;；。\s])+", re.IGNORECASE
)
_MARKS = " ,;.，；。"
_HAN = re.compile(r"[㐀-鿿]")
_CODE = re.compile(r"[{}<>]|\n.*\n")


@dataclass(frozen=True)
class Paraphrase:
    """A message in canonical requests: their words, the student's own for each, and the frames. Of a message that
    only agrees, refuses or thanks the words are none."""

    said: tuple[str, ...]
    own: tuple[str, ...]
    frames: tuple[Frame, ...]

    @property
    def text(self) -> str:
        """The requests with the sign between them that divides them; what goes to several places in one sentence."""
        zh = _HAN.search("".join(self.own)) is not None
        told = self.said[0] if self.said else ""
        for first, then, said in zip(self.frames, self.frames[1:], self.said[1:], strict=False):
            both = {first.form, then.form} <= TOGETHER
            told += (("，" if zh else " and ") if both else APART) + said
        return told

    @property
    def frame(self) -> Frame:
        """The frame of the last request."""
        return self.frames[-1]


@dataclass(frozen=True)
class Heard:
    """What a message comes after: the state of the conversation and the frame it is about."""

    state: str
    frame: Frame


def paraphrase(
    message: str, classes: Sequence[str], items: Sequence[str], heard: Heard | None = None
) -> Paraphrase | None:
    """Say a message in canonical requests; None where the models are not sure of one of them."""
    if len(message) > LONGEST or _CODE.search(message):
        return None
    text = fold_numbers(message)
    tokens = tokenise(text, find_names(text, classes, items))
    if not tokens:
        return None
    language = "zh" if _HAN.search(message) else "en"
    models = load_models(language)
    before = (heard.state, f"{heard.state} {heard.frame.form}") if heard else ("begin",)
    previous = heard.frame if heard else None
    frames: list[Frame] = []
    own: list[str] = []
    parts = split_requests(tokens, models)
    for part in parts:
        words = text[part[0].start : part[-1].end]
        frame = read_frame(text, part, before, previous, models)
        if frame and frame.chance >= SURE and frame.form in UNSAID:
            continue
        meant = _understand(frame, words, heard if not frames else None) if frame else []
        if not meant and (len(parts) == 1 or heard or (frame and frame.form in LEFT)):
            return None
        said = [_as_written(one, message) for one in meant] or [_leave_as_said(words, message)]
        frames += said
        own += [_JOINT.sub("", _find_written(words, message)).strip(_MARKS)] * len(said)
        before, previous = (f"same {frame.form}",) if frame else ("begin",), frame
    if any(frame.form == AS_SAID for frame in frames) and not any(map(_stands_alone, frames)):
        return None
    return Paraphrase(tuple(frame.say(language) for frame in frames), tuple(own), tuple(frames))


def _understand(frame: Frame, words: str, heard: Heard | None) -> list[Frame]:
    """The frames of a request as it is meant; none where the models are not sure or it does not hold all its words."""
    if frame.chance < SURE or frame.form in LEFT:
        return []
    if heard and FRESH not in frame.modifiers:
        frame = go_on(frame, heard.frame)
    frame = _settle(replace(frame, modifiers=tuple(one for one in frame.modifiers if one in MODIFIERS)))
    pairs = divide_by_time(frame)
    whole = replace(frame, modifiers=(*frame.modifiers, EACH)) if pairs else frame
    return (pairs or [frame]) if is_complete(frame) and holds_operators(whole, words) else []


def _stands_alone(frame: Frame) -> bool:
    """Whether a request is a change that has nothing to do with those beside it, as places of items have."""
    return frame.changes and frame.form not in (AS_SAID, *TOGETHER)


def _leave_as_said(words: str, message: str) -> Frame:
    """One of several requests that is left as the student said it."""
    return Frame(AS_SAID, {"text": (_find_written(words, message),)}, filled=frozenset({"text"}))


def _settle(frame: Frame) -> Frame:
    """The frame without modifiers that mean nothing beside the rest; where a place is only asked for, that question."""
    if ONLY_ASKED in frame.modifiers and frame.form in ("move_to", "put_in_on"):
        slots = {"item": frame.slots.get("items", ()), "time": frame.slots.get("time", ())}
        return replace(frame, form="where_can_go_on", slots=slots, modifiers=())
    return frame if frame.changes else replace(frame, modifiers=())


def find_likely(message: str, classes: Sequence[str], items: Sequence[str], most: int) -> list[str]:
    """What a message that is one request may mean, in canonical requests, the likeliest first."""
    text = fold_numbers(message)
    tokens = tokenise(text, find_names(text, classes, items))
    language = "zh" if _HAN.search(message) else "en"
    models = load_models(language)
    if not tokens or len(message) > LONGEST or len(split_requests(tokens, models)) > 1:
        return []
    likely = (frame for frame in read_frames(text, tokens, ("begin",), None, models) if frame.chance >= POSSIBLE)
    told = [_as_written(frame, message).say(language) for frame in likely if is_complete(frame)]
    return list(dict.fromkeys(told))[:most]


def _as_written(frame: Frame, message: str) -> Frame:
    """The frame with its words as the student wrote them, capitals, numerals and all."""
    kept = {name: tuple(_find_written(piece, message) for piece in pieces) for name, pieces in frame.slots.items()}
    return replace(frame, slots=kept)


def _find_written(piece: str, message: str) -> str:
    """A piece of the folded message as it stands in the message."""
    lowered = message.lower()
    at = lowered.find(piece)
    if at >= 0 and len(lowered) == len(message):
        return message[at : at + len(piece)]
    wanted = piece.replace(" ", "")
    for start, char in enumerate(message):
        if fold_numbers(char)[:1] != wanted[:1]:
            continue
        for end in range(start + 1, min(len(message), start + len(piece) + 8) + 1):
            if fold_numbers(message[start:end]).replace(" ", "") == wanted:
                return message[start:end].strip()
    return piece
