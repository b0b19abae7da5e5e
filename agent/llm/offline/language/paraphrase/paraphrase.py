"""A message said again in canonical requests, where the models are sure of what it means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agent.llm.offline.language.classifier.features import find_features
from agent.llm.offline.language.classifier.kinds import CLASS, ITEM
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.division import EACH, Reader, Request, divide_by_time
from agent.llm.offline.language.paraphrase.frames import (
    AND_MORE,
    FRESH,
    OF_WEEKS,
    OTHER,
    TIMES,
    UNSAID,
    Frame,
    comes_to_same,
    frame_of,
    go_on,
    is_complete,
    needs_calendar,
)
from agent.llm.offline.language.paraphrase.models import Models, load_models
from agent.llm.offline.language.paraphrase.names import find_each_name, find_whole_name, list_names, may_name
from agent.llm.offline.language.paraphrase.operators import holds_operators, is_contrary
from agent.llm.offline.language.paraphrase.refinement import (
    PICKED_BY_TIME,
    add_up_standing,
    find_standing,
    is_contradicted,
    refine_frame,
    settle_frame,
    want_hours,
)
from agent.llm.offline.language.paraphrase.tokens import Name, Token, is_sign, tokenise
from agent.llm.offline.language.spans.happenings import find_exception
from agent.llm.offline.language.spans.lesson_moves import owns_lesson
from agent.llm.offline.language.spans.mentions import NEGATED, find_named, find_pieces, find_quoted_texts
from agent.llm.offline.language.words.refused_deeds import NOT_DONE

SURE = 0.5
"""The chance of a frame that holds."""
LIKELY, LIKELY_CHANGE, RIVAL, FEW = 0.3, 0.45, 0.5, 3
"""The chances that are enough, of a question and of a change, where the next frame has less than this share of it."""
CERTAIN = 0.8
"""The chance of a frame that leaves a time or a name out, as part of a reason."""
_COUNTS = frozenset("ⓃⓁ")
"""Signs of numbers and lengths, which a reason may have as well."""
SURE_BESIDE = 0.7
"""The chance of one of several requests, and of one that goes on about another."""
MOST_DOUBTFUL = 4
"""Words that may be names or not of which each is tried alone."""
LONGEST = 300
"""Characters of a message that is read like this; longer ones are lists and texts."""
LEFT = frozenset({OTHER, "make_lighter"})
"""What the readers know better as it was said."""
DONE, CARD = "done", "card"
"""What became of the request before: carried out or answered, or its card is open."""
AS_SAID = "as_said"
"""The form of what stays in the student's words beside requests that are understood."""
NAMED = (("items", "item", "item2", "except", "first"), ("class", "class2"))
"""Slots that names of items fill, and of classes."""
TEXTS = frozenset({"text", "text2"})
"""Slots that words fill that name nothing yet; where some of them are in quotation marks, these alone."""
POSSIBLE = 0.04
"""The chance of a reading that is worth asking about."""
ASKED_BESIDE = 0.25
"""The share of the likeliest reading's chance that another has which is worth asking about."""
TOGETHER = frozenset([
    "move_to", "move_length_later", "move_length_earlier", "put_in_on", "catch_up_items_on", "move_away",
    "rename_item", "takes",
])  # fmt: skip
"""Forms that are told in one sentence, so that one card shows them all."""
_JOINT = re.compile(
    r"^(?:(?:and|then|also|plus|but|oh)\b,?\s*)+|^(?:另外|然后|还有|并且|同时|以及|顺便|[,，;；。\s])+", re.IGNORECASE
)
ADDS = re.compile(
    r"^(?:and|plus)\b|\b(?:too|also|as well|either|including|(?:all|whole|entire) day)\b|也|还有|包括|[全整]天"
)
"""That something is wanted beside what was wanted before."""
ASKS_DAY = frozenset(OF_WEEKS)
"""Forms that ask for a day, so that a later turn may point to the answer."""
_THAT_DAY = re.compile(r"[那当]一?天|那里|那儿|过去|那时候?|\b(?:there|that day|then(?=\W*$))")
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
    shortens: bool = False
    """Whether a name is shortened in it to what is no part of it: 线代, lin alg."""
    leaves_out: bool = False
    """Whether a time or a name in it is none of the requests: part of a reason, or what is not wanted."""
    unknown: str = ""
    """What stands for a class and is none: nothing is said again then."""
    by_spans: bool = False
    """Whether spans tell it beyond doubt, so that its own words tell no more."""

    @property
    def text(self) -> str:
        """The requests with the sign between them that divides them; what goes to several places in one sentence."""
        zh = _HAN.search("".join(self.own)) is not None
        told = self.said[0] if self.said else ""
        for first, then, said in zip(self.frames, self.frames[1:], self.said[1:], strict=False):
            both = {first.form, then.form} <= TOGETHER and _goes_one_way(first, then)
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
    language = "zh" if _HAN.search(message) else "en"
    models = load_models(language)
    before = (heard.state, f"{heard.state} {heard.frame.form}") if heard else ("begin",)
    previous = heard.frame if heard else None
    requests = _read_likeliest(text, list_names(text, classes, items), before, previous, models)
    if not requests:
        return None
    frames: list[Frame] = []
    own: list[str] = []
    shortens = leaves_out = False
    excepts = _excepts_times(requests, text)
    for part, likely in requests:
        words = text[part[0].start : part[-1].end]
        likely = add_up_standing(likely, words)
        alone = len(requests) == 1 and heard is None
        standing = find_standing(likely, words) if alone else None
        frame = standing or likely[0]
        sure = standing is not None or (_is_sure(likely, len(part)) if alone else frame.chance >= SURE_BESIDE)
        beside = _leaves_out(frame, part, text)
        sure = sure and (frame.chance >= CERTAIN or heard is not None or standing is not None or not beside)
        sure = sure and not (beside and frame.form in BY_WAY)
        sure = sure and not (frame.form == "delete_class" and frame.chance < CERTAIN and not says("delete", words))
        sure = sure and not (frame.form in _OF_CONTENTS and NOT_DONE.search(words))
        sure = sure and (frame.chance >= CERTAIN or is_spoken_of(frame.form, [token.word for token in part]))
        sure = sure and not (frame.form in _OFF and excepts)
        sure = sure and not (_takes_class_for_lesson(frame, classes) or _picks_of_no_class(frame, part, text, classes))
        if sure and (unknown := _find_unknown_class(frame, message, [*classes, *items])):
            if frame.chance >= CERTAIN:
                return Paraphrase((), (), (), unknown=unknown)
            if len(requests) == 1 and frame.filled & {*TIMES}:
                return None  # a day of what is no class is of no other one
        if sure and frame.form in UNSAID:
            continue
        meant = _understand(frame, words, heard if not frames else None) if sure else []
        meant = meant or _go_on(frames, likely[0], part)
        if not meant and (len(requests) == 1 or heard or frame.form in LEFT):
            return None
        written = [_divide_lists(_as_written(one, message), classes, items) for one in meant]
        whole = [_name_wholly(one, classes, items) for one in written]
        shortens = shortens or any(map(_is_shortened, written, whole))
        leaves_out = leaves_out or beside
        meant = whole or [_leave_as_said(words, message)]
        frames += meant
        own += [_JOINT.sub("", _find_written(words, message)).strip(_MARKS)] * len(meant)
    if any(frame.form == AS_SAID for frame in frames) and not any(map(_stands_alone, frames, range(len(frames)))):
        return None
    if any(map(_stays, frames, own)) and not all(map(_stays, frames, own)):
        return None  # what stays narrows the change beside it
    frames, own = _join_marks(frames, own)
    said = tuple(frame.say(language) for frame in frames)
    return Paraphrase(said, tuple(own), tuple(frames), shortens, leaves_out)


def _read_likeliest(
    text: str, names: Sequence[Name], before: Sequence[str], previous: Frame | None, models: Models
) -> list[Request]:
    """The requests of a folded text by the tokens that make them surest: a word that is a part of a name may be one of
    the language as well, as space is of vector spaces."""
    parts = dict.fromkeys(name.text for name in names if not name.whole)
    alone = [part for part in parts if _stands_alone_in(text, part, parts)]
    doubted = [part for part in alone if not any(other in part for other in parts if other != part)]
    sure = [name for name in names if name.whole or (name.text in alone and name.text not in doubted)]
    ways = [tokenise(text, names), tokenise(text, sure)]
    if 1 < len(doubted) <= MOST_DOUBTFUL and ways[0] != ways[1]:
        ways += [tokenise(text, [name for name in names if name.text != left_out]) for left_out in doubted]
        ways += [tokenise(text, [*sure, *(name for name in names if name.text == kept)]) for kept in doubted]
    distinct: list[list[Token]] = []
    for way in ways:
        distinct += [way] if way and way not in distinct else []
    reader = Reader(text, models)
    read = (reader.divide(way, before, previous) for way in distinct)
    return max(read, key=_rate, default=[])


def _stands_alone_in(text: str, part: str, parts: Iterable[str]) -> bool:
    """Whether a part of a name is said outside of the longer ones: 特征 is not where 特征值 is all that is said."""
    for longer in (one for one in parts if part in one and one != part):
        text = text.replace(longer, " ")
    return part in text


def _rate(requests: Sequence[Request]) -> tuple[float, int, float]:
    """How good a reading is: sure of each request, then with more of them, as fewer words are left out."""
    chance = min(request.chance for request in requests)
    return min(chance, CERTAIN), len(requests), chance


def _join_marks(frames: list[Frame], own: list[str]) -> tuple[list[Frame], list[str]]:
    """The requests with items side by side of which the same is told as one: I finished this and that already."""
    joined, words = frames[:1], own[:1]
    for frame, said in zip(frames[1:], own[1:], strict=True):
        last = joined[-1]
        if frame.form == last.form in _TELLS_PROGRESS and {*frame.slots} == {*last.slots} == {"items"}:
            items = (*last.slots["items"], *(one for one in frame.slots["items"] if one not in last.slots["items"]))
            joined[-1] = replace(last, slots={"items": items}, chance=min(last.chance, frame.chance))
            words[-1] = f"{words[-1]}, {said}" if said.isascii() else f"{words[-1]}，{said}"
        else:
            joined.append(frame)
            words.append(said)
    return joined, words


_TELLS_PROGRESS = ("did", "missed")
"""Forms of what became of items, which one mark can hold for all of them."""


def _go_on(frames: Sequence[Frame], likely: Frame, part: Sequence[Token]) -> list[Frame]:
    """What is told of further items that have no verb of their own: that of the items before them."""
    tags = {name for name in find_features([token.word for token in part]) if name.startswith("@")}
    items, words = likely.slots.get("items"), [token.word for token in part if token.word not in ("and", "和")]
    if (
        not words
        or words[0] != ITEM
        or not frames
        or frames[-1].form not in _TELLS_PROGRESS
        or not items
        or {*frames[-1].slots} != {"items"}
    ):
        return []
    return [] if tags & _OF_VERBS else [replace(frames[-1], slots={"items": items})]


_OF_VERBS = frozenset({"@relocate", "@place_put", "@later_back", "@earlier_forward", "@plan_verb", "@study_verb",
    "@skip_missed", "@done_negated", "@half_partly", "@keep_lock", "@remove_delete", "@trade_places"})  # fmt: skip


def _goes_one_way(first: Frame, then: Frame) -> bool:
    """Whether one sentence can say both: the readers hold one length for all its items, and one time for a list."""
    listed = any(len(frame.slots.get("items", ())) > 1 for frame in (first, then))
    if listed and first.slots.get("time") != then.slots.get("time"):
        return False
    by_length = {"length"} & {*first.slots, *then.slots}
    return not by_length or (first.form == then.form and first.slots["length"] == then.slots["length"])


def _is_sure(likely: Sequence[Frame], length: int) -> bool:
    """Whether the likeliest frame of a request of so many tokens holds; a word or two may mean anything."""
    first = likely[0]
    rival = next((one.chance for one in likely[1:] if not comes_to_same(first, one)), 0.0)
    least = LIKELY_CHANGE if first.changes else LIKELY
    return first.chance >= SURE or (length >= FEW and first.chance >= least and rival < RIVAL * first.chance)


_WEEKDAY_RUN = re.compile(r"(?:from )?\w+day (?:to|till|until|through) \w+day")
"""Days from one to another, and no word of a move."""
_OF_CONTENTS = frozenset(["take_out", "remove", "remove_of", "delete_class", "rename_item", "rename_class"])
"""Forms that are the same with a not in front of their verb."""
BY_WAY = frozenset(["move_earlier", "move_later"])
"""Forms without a time, so that one which is told beside them is where to."""
_OF_ONE_CLASS = (
    "deadline", "exam", "finish_by", "begins", "add_item", "take_class_out", "use_fillers", "no_fillers", "never_on",
    "always_on", "delete_class", "each_takes", "rename_class",
)  # fmt: skip
"""What begins the names of forms that change one class."""
_NO_NAME = re.compile(
    r"class|course|subject|exam|test|plan|everything|all|任务|课|计划|考试|全部|所有|复习|\d", re.IGNORECASE
)
"""Words of what is no name of a class of its own."""


def _find_unknown_class(frame: Frame, message: str, names: Sequence[str]) -> str:
    """What a change of one class calls it, where that is the name of nothing known and points to nothing."""
    if not frame.form.startswith(_OF_ONE_CLASS) or "class" not in frame.filled:
        return ""
    said = [piece for piece in frame.slots["class"] if not may_name(piece, names) and not _NO_NAME.search(piece)]
    folded = [fold_numbers(name) for name in names]
    known = [
        name for name in folded if set(name.split()) & set(" ".join(said).split()) or any(one in name for one in said)
    ]
    if not (len(said) == len(frame.slots["class"]) == 1) or known:
        return ""
    return re.sub(r"^(?:an?|my|the|our) ", "", _find_written(said[0], message), flags=re.IGNORECASE)


_OFF = frozenset(["away", "nothing_on"])
_AGAIN = re.compile(r"又|\bagain\b")


def _excepts_times(requests: Sequence[tuple[Sequence[Token], Sequence[Frame]]], text: str) -> bool:
    """Whether a time of a message is said to be possible all the same, or left out: 但26号晚上可以; what is possible
    again was away before, and is told of another time."""
    start, end = find_exception(text) or (0, 0)
    return _AGAIN.search(text[start:end]) is None and any(
        is_sign(one.word) and start <= one.start < end for part, _ in requests for one in part
    )


def _takes_class_for_lesson(frame: Frame, classes: Sequence[str]) -> bool:
    """Whether what would happen to a lesson has the name of a class that is learnt: no probability on Wednesdays."""
    return frame.changes and any(find_whole_name(piece, classes) for piece in frame.slots.get("lesson", ()))


def _picks_of_no_class(frame: Frame, part: Sequence[Token], text: str, classes: Sequence[str]) -> bool:
    """Whether all that is on at a time would be meant, where a class or an item is named as well: 周六的概率论."""
    if frame.form not in PICKED_BY_TIME:
        return False
    words = text[part[0].start : part[-1].end]
    names = [token for token in part if token.word in (CLASS, ITEM)]
    return owns_lesson(words) or _leaves_out(frame, names, text) or 0 < len(find_named(words, classes)) < len(classes)


def _leaves_out(frame: Frame, part: Sequence[Token], text: str) -> bool:
    """Whether a name or a time of a request is in none of its slots."""
    held = " ".join(piece for pieces in frame.slots.values() for piece in pieces)
    signs = (text[one.start : one.end] for one in part if is_sign(one.word) and one.word not in _COUNTS)
    return any(said.split()[-1] not in held for said in signs)


def _understand(frame: Frame, words: str, heard: Heard | None) -> list[Frame]:
    """The frames of a request as it is meant; none where they do not hold all its words."""
    if frame.form in LEFT:
        return []
    frame = want_hours(frame, words)
    if frame.form == "move_all_to" and _WEEKDAY_RUN.fullmatch(words):
        if heard is None or heard.frame.form != "away":
            return []
        frame = frame_of("away", {"time": (words,)}, frame.chance)
    if heard and heard.frame.form in ASKS_DAY and (pointer := _THAT_DAY.search(words)):
        if not any(pointer.group() in piece for name in frame.filled for piece in frame.slots[name]):
            return []  # what the answer told is none of the days of the question
    elif heard and FRESH not in frame.modifiers:
        if frame.form == heard.frame.form and not frame.filled and not frame.modifiers:
            return []  # what changes nothing of the request before has another one in it
        frame = _tell_more(frame, words, heard)
        is_open = heard.state == CARD
        if is_open and needs_calendar(frame, words, heard.frame):
            return []
        frame = go_on(frame, heard.frame, is_open=is_open)
    refined = refine_frame(frame, words)
    if refined is None:
        return []
    frame = refined
    pairs = divide_by_time(frame)
    whole = replace(frame, modifiers=(*frame.modifiers, EACH)) if pairs else frame
    return (pairs or [frame]) if is_complete(frame) and holds_operators(whole, words) else []


def _tell_more(frame: Frame, words: str, heard: Heard) -> Frame:
    """The frame marked as more of the request before where its words say so; what goes to another time of its own, or
    to one after that was done, is a request beside it."""
    other = heard.state == DONE or frame.slots.get("time") != heard.frame.slots.get("time")
    if other and {"items", "time"} <= frame.filled:
        return replace(frame, modifiers=tuple(one for one in frame.modifiers if one != AND_MORE))
    adds = frame.form == heard.frame.form and ADDS.search(words) and AND_MORE not in frame.modifiers
    return replace(frame, modifiers=(*frame.modifiers, AND_MORE)) if adds else frame


def _stands_alone(frame: Frame, at: int) -> bool:
    """Whether a request is a change that has nothing to do with those beside it, as places of items have; what is to be
    deleted behind words that are not understood may be told by them."""
    return frame.changes and frame.form not in (AS_SAID, *TOGETHER) and (frame.form != "delete_class" or at == 0)


def _stays(frame: Frame, own: str) -> bool:
    """Whether a request is that something stays where it is."""
    return frame.form.startswith("leave_") or (frame.form == AS_SAID and NEGATED.search(fold_numbers(own)) is not None)


def _leave_as_said(words: str, message: str) -> Frame:
    """One of several requests that is left as the student said it."""
    text = _JOINT.sub("", _find_written(words, message)).strip(_MARKS)
    return Frame(AS_SAID, {"text": (text,)}, filled=frozenset({"text"}))


def find_likely(message: str, classes: Sequence[str], items: Sequence[str], most: int, least: float = 0.0) -> list[str]:
    """What a message that is one request may mean, in canonical requests, the likeliest first; none where the first
    of them has less than the chance `least`. One that the models are sure of is asked about although words of the
    message turn it around: they may be those of a remark."""
    if len(message) > LONGEST or _CODE.search(message):
        return []
    text = fold_numbers(message)
    language = "zh" if _HAN.search(message) else "en"
    models = load_models(language)
    requests = _read_likeliest(text, list_names(text, classes, items), ("begin",), None, models)
    if len(requests) != 1 or (least and not _is_likely(requests[0], least)):
        return []
    possible = [one for one in requests[0].frames if one.chance >= POSSIBLE and not is_contradicted(one, text)]
    likely = [settle_frame(frame, text) for frame in possible]
    sure = [frame for frame in likely[:1] if frame.chance >= SURE and not is_contrary(frame, text)]
    beside = [frame for frame in likely if frame.chance >= ASKED_BESIDE * requests[0].frames[0].chance]
    held = [frame for frame in beside if is_complete(frame) and (frame in sure or holds_operators(frame, text))]
    written = (_divide_lists(_as_written(frame, message), classes, items) for frame in held)
    named = (frame for frame in written if _fills_slots(frame, classes, items))
    whole = (_name_wholly(frame, classes, items) for frame in named)
    told = [frame.say(language) for frame in whole if frame.slots.get("class") != frame.slots.get("class2", ())]
    return list(dict.fromkeys(told))[:most]


def _is_likely(request: Request, least: float) -> bool:
    return request.frames[0].form != OTHER and request.chance >= least


def _fills_slots(frame: Frame, classes: Sequence[str], items: Sequence[str]) -> bool:
    """Whether what fills the slots of names may be names, and no time is the name of an item."""
    known = {name: names for kind, names in zip(NAMED, (items, classes), strict=True) for name in kind}
    pieces = ((slot, piece) for slot, told in frame.slots.items() for piece in told)
    return all(
        may_name(piece, known[slot]) if slot in known else slot not in TIMES or not find_whole_name(piece, items)
        for slot, piece in pieces
    )


def _as_written(frame: Frame, message: str) -> Frame:
    """The frame with its words as the student wrote them, capitals, numerals and all."""
    kept = {name: tuple(_find_written(piece, message) for piece in pieces) for name, pieces in frame.slots.items()}
    quoted = find_quoted_texts(message)
    for name in TEXTS & kept.keys():
        kept[name] = tuple(piece for piece in kept[name] if piece in quoted) or kept[name]
    return replace(frame, slots=kept)


def _name_wholly(frame: Frame, classes: Sequence[str], items: Sequence[str]) -> Frame:
    """The frame with the whole names of what its words shorten."""
    known = {name: names for kind, names in zip(NAMED, (items, classes), strict=True) for name in kind}
    slots = {
        slot: tuple(dict.fromkeys(find_whole_name(piece, known[slot]) or piece for piece in pieces))
        if slot in known
        else pieces
        for slot, pieces in frame.slots.items()
    }
    own = tuple(_name_of_class(piece, classes, items) for piece in slots.get("items", ()))
    return replace(frame, slots={**slots, "items": own} if own else slots)


def _name_of_class(piece: str, classes: Sequence[str], items: Sequence[str]) -> str:
    """The whole name of an item that is told with its class in front of it: 概率论第二章; else the piece as it is."""
    folded = fold_numbers(piece)
    ahead = next((one for one in find_pieces(folded, tuple(classes), fold_numbers) if folded.startswith(one)), "")
    rest = folded[len(ahead) :].strip(" 的's")
    return (ahead and rest and find_whole_name(rest, items)) or piece


def _divide_lists(frame: Frame, classes: Sequence[str], items: Sequence[str]) -> Frame:
    """The frame with the names of a list apart that one piece of a slot for several holds."""
    known = {"items": items, "class": classes, "except": items}
    slots = {
        slot: tuple(name for piece in pieces for name in find_each_name(piece, known[slot]) or (piece,))
        if slot in known
        else pieces
        for slot, pieces in frame.slots.items()
    }
    return replace(frame, slots=slots)


def _is_shortened(written: Frame, whole: Frame) -> bool:
    """Whether a name was written that is no part of the whole one, as 线代 and lin alg are none."""
    return any(
        all(fold_numbers(piece) not in fold_numbers(name) for name in whole.slots[slot])
        for slot, pieces in written.slots.items()
        for piece in pieces
    )


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


_PLANS = frozenset({
    "plan_verb", "timetable_plan_make", "study_verb", "place_put", "fit_room", "unplaced_homeless", "begin_start",
    "same_also", "from_scratch", "next_up", "plan_calendar", "add_content",
})  # fmt: skip
_PLAN_WORDS = ("build", "build_weakly", "build_timed", "arrange", "get_in", "whole_plan", "start_with")
_OUT = frozenset({"take_out_of_plan", "remove_delete", "waiting_pause", "forbid", "no"})
_SPEAK: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {
    **dict.fromkeys(
        ("plan", "plan_all", "plan_anew", "plan_from", "plan_from_to", "plan_until"), (_PLANS, _PLAN_WORDS)
    ),
    **dict.fromkeys(("take_class_out", "take_all_out"), (_OUT, ("remove", "delete", "leave_out"))),
    "finish_earlier": (
        frozenset({"earlier_forward", "hurry", "end_finish_when", "in_time_by", "shorten_time"}),
        (),
    ),
    "classes_together": (frozenset({"same_day_together", "same_also"}), ()),
}
"""The kinds of the thesaurus and the concepts of the lexicon whose words speak of a form."""
_OTHERS = frozenset({"merge_join", "allow_open"})
"""Kinds of words that speak of another change, which no form holds."""


def is_spoken_of(form: str, words: Sequence[str]) -> bool:
    """Whether the tokens of a request have a word that speaks of its form; forms that need none always are. The models
    name the likeliest form, and of a verb that they do not know that is often a plan: a word has to speak of it."""
    if form not in _SPEAK:
        return True
    kinds, concepts = _SPEAK[form]
    said = {name[1:] for name in find_features(words) if name.startswith("@")}
    text = ("" if any(ord(char) > 0x2E80 for char in "".join(words)) else " ").join(words)
    return any(says(concept, text) for concept in concepts) or bool(said & kinds and not said & _OTHERS)
