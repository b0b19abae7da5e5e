"""The frame of a request: its form and what fills its slots, told by the models, and said again in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.features import add_form, find_form_features, find_token_features
from agent.llm.offline.language.paraphrase.models import FIRST, INNER, OUTSIDE, Models
from agent.llm.offline.language.paraphrase.tokens import Token, tokenise
from agent.llm.offline.language.paraphrase.wordings import DIRECTED, EARLIER, LATER, MODIFIERS, SENTENCES

FORMS_LOOKED_AT, NEGLIGIBLE = 4, 0.002
"""How many forms a request may have, and the chance below which none but the likeliest is looked at."""
_MISSING = 0.1
"""What a slot that nothing fills leaves of a chance."""
_SLOT = re.compile(r"\{(\w+)\}")
_NARROWED_BY = ("but_not_on", "except", "most_a_day", "first", "unless", "if")
"""Modifiers whose words fill a slot."""
_LIKE = (("items", "item", "item2"), ("class", "class2"), ("time", "time2"))
"""Slots that take the same things."""
_SAME = (frozenset(["move_to", "put_in_on", "catch_up_items_on"]), frozenset(["deadline", "finish_by"]))
"""Forms that come to the same where the same words fill their slots."""
TIMES = ("time", "time2", "but_not_on")
"""Slots that times fill."""
_LISTS = ("items", "class", "except", "first", "text", "text2")
_DAYS, _HOURS = frozenset("ⒺⒹⓎⓌ"), frozenset("ⓅⓈⒽ")
OTHER = "other"
"""The form of what no form says."""
OF_WEEKS = {
    "fullest": "fullest_week",
    "fullest_on": "fullest_week_on",
    "emptiest": "emptiest_week",
    "emptiest_on": "emptiest_week_on",
}
"""The forms that compare weeks, by those that compare days."""
UNSAID = frozenset({"no_request", "agree", "refuse", "save", "help"})
"""What is left in the student's own words."""
DAYS_ADDED_TO = frozenset([
    "away", "nothing_on", "nothing_on_of", "never_on", "wish_nothing_on", "only_on", "only_on_of", "always_on",
    "wish_only_on", "move_all_away", "take_all_out",
])  # fmt: skip
"""Forms that hold for several days, so that a later one may come beside those told before."""
AND_MORE, FRESH = "and_more", "fresh"
"""What a later turn is told to be: something more of the same, a request of its own."""


QUESTIONS = frozenset([
    "where_can_go", "where_can_go_on", "which_wishes", "what_on", "what_plan", "when_item", "when_class",
    "which_classes", "what_in", "how_full", "is_free", "when_free", "when_free_on", "emptiest", "emptiest_on",
    "fullest", "fullest_on", "fullest_week", "fullest_week_on", "emptiest_week", "emptiest_week_on", "will_fit",
    "will_fit_until", "more_fit", "more_fit_until", "when_finish", "when_finish_of", "when_due", "when_exam", "next",
    "next_of", "done", "done_of", "what_missed", "what_missed_on", "left", "left_of", "how_many", "how_many_of",
    "how_many_on", "how_many_of_on", "waiting", "why_there", "why_no_place", "what_changed", "lessons_on",
    "when_lesson", "what_if_off", "what_if_goes", "check_plan",
])  # fmt: skip
"""Forms that change nothing."""


@dataclass(frozen=True)
class Frame:
    """A request: its form, the words in each slot, the modifiers without words of their own, and how sure that is."""

    form: str
    slots: Mapping[str, tuple[str, ...]] = field(hash=False)
    modifiers: tuple[str, ...] = ()
    chance: float = 1.0
    filled: frozenset[str] = field(default_factory=frozenset)
    """The slots that the request's own words fill; the others are taken over from the one before."""

    @property
    def changes(self) -> bool:
        """Whether the request is to change something, and no question."""
        return self.form not in QUESTIONS

    @property
    def is_whole(self) -> bool:
        """Whether its own words fill every slot."""
        return self.filled >= {*slots_of(self.form)}

    def say(self, language: str) -> str:
        """The request in the words that the readers know."""
        at = 0 if language == "zh" else 1
        way = next((one for one in (LATER, EARLIER) if one in self.modifiers), "")
        told = DIRECTED.get((self.form, way), SENTENCES[self.form])[at].format(
            **{name: _join(name, pieces, language, whole=self.form in _OF_ONE) for name, pieces in self.slots.items()}
        )
        parts = [told]
        for name in (*_NARROWED_BY, *self.modifiers):
            if name in MODIFIERS and (name in self.slots or name in self.modifiers):
                template = MODIFIERS[name][at]
                said = _join(name, self.slots.get(name, ()), language)
                parts.append(_SLOT.sub(lambda _, said=said: said, template))  # type: ignore[misc]
        return "，".join(parts) if language == "zh" else _ON_BOUND.sub("", _ONE_OF.sub(r"one \1", ", ".join(parts)))


def frame_of(form: str, slots: Mapping[str, tuple[str, ...]], chance: float = 1.0) -> Frame:
    """The frame of a form all of whose slots a request's own words fill."""
    return Frame(form, slots, chance=chance, filled=frozenset(slots))


_ONE_OF = re.compile(r"\b(?:1|one|an?) (item|day|section)s\b")
"""A number with what it counts, where that is one."""
_ON_BOUND = re.compile(r"\bon (?=(?:before|after|from|since|until)\b)")
"""What no bound has in front of it."""


_OF_ONE = frozenset({"rename_item"})
"""Forms about one item, of which several pieces tell the name: chapter 2 of Probability."""


_WEEKDAY, _WEEK_ALONE = re.compile(r"\w+day"), re.compile(r"week \d+|(?:next|this) week|the week after next")


def _join(name: str, pieces: Sequence[str], language: str, *, whole: bool = False) -> str:
    if name in TIMES and len(pieces) == 2 and _WEEKDAY.fullmatch(pieces[0]) and _WEEK_ALONE.fullmatch(pieces[1]):
        return " ".join(pieces)
    several_days = name in TIMES and all(_kinds_in(piece) & _DAYS for piece in pieces)
    if name not in (*_LISTS, *(() if whole else ("item",))) and not several_days:
        return ("" if language == "zh" else " ").join(pieces)
    if name.startswith("text"):
        return ("、" if language == "zh" else ", ").join(pieces)
    return ("和" if language == "zh" else " and ").join(pieces)


@lru_cache(maxsize=256)
def slots_of(form: str) -> tuple[str, ...]:
    """The slots of a form, in the order of its English wording."""
    return tuple(_SLOT.findall(SENTENCES[form][1])) if form in SENTENCES else ()


@lru_cache(maxsize=256)
def _labels_of(form: str) -> frozenset[str]:
    return frozenset(f"{part}{name}" for name in (*slots_of(form), *_NARROWED_BY) for part in (FIRST, INNER))


def read_frames(
    text: str, tokens: Sequence[Token], before: Sequence[str], previous: Frame | None, models: Models
) -> list[Frame]:
    """The likeliest frames of a request, the likeliest first; `previous`: what it may go on about."""
    words = [token.word for token in tokens]
    features = find_form_features(words, before)
    rows = find_token_features(words, before)
    own = models.slots.weigh(rows)
    modifiers = tuple(models.modifiers.find(features))
    read = models.read(words, before)
    found = []
    forms = models.weigh_forms(features, read)[:FORMS_LOOKED_AT]
    for form, likely in (one for one in forms if one[1] >= NEGLIGIBLE or one == forms[0]):
        scores = models.weigh_labels(own, models.slots.weigh(add_form(rows, form)), read, form)
        labels, sure = models.slots.decode(scores, _labels_of(form))
        slots = _collect(text, tokens, labels, opens=form in _FREES)
        missing = [name for name in slots_of(form) if name not in slots]
        taken = {name: held for name in missing if (held := _take_over(name, previous))}
        chance = likely * sure**0.5 * _MISSING ** (len(missing) - len(taken))
        found.append(Frame(form, {**slots, **taken}, modifiers, chance, frozenset(slots)))
    return sorted(_add_up_same(found), key=lambda frame: -frame.chance)


def _add_up_same(frames: Sequence[Frame]) -> list[Frame]:
    """The frames, each with the chance of the others that come to the same."""
    told = []
    for frame in frames:
        alike = [one.chance for one in frames if one.form != frame.form and comes_to_same(one, frame)]
        told.append(replace(frame, chance=min(1.0, frame.chance + sum(alike))))
    return told


def comes_to_same(one: Frame, other: Frame) -> bool:
    """Whether two frames say the same in two ways."""
    return one.slots == other.slots and any({one.form, other.form} <= kind for kind in _SAME)


def _collect(
    text: str, tokens: Sequence[Token], labels: Sequence[str], *, opens: bool = False
) -> dict[str, tuple[str, ...]]:
    """The words of each slot, in pieces that stand together; a time that `opens` keeps the words that say so."""
    found: dict[str, list[list[int]]] = {}
    last = timed = OUTSIDE
    for token, label in zip(tokens, labels, strict=True):
        name = label[len(FIRST) :]
        if label == OUTSIDE:
            last = OUTSIDE
            if token.word in _HOURS and timed in found and _BEHIND.fullmatch(text[found[timed][-1][1] : token.start]):
                found[timed][-1][1] = token.end
            continue
        known = found.get(name)
        between = text[known[-1][1] : token.start] if known else ""
        joined = (name in TIMES and _TO.fullmatch(between)) or (name in _TEXTS and _WITHIN.fullmatch(between))
        if known and ((label.startswith(INNER) and last == name) or joined):
            known[-1][1] = token.end
        else:
            found.setdefault(name, []).append([token.start, token.end])
        last = name
        timed = name if name in TIMES else timed
    told = {name: [_trim(name, text[start:end]) for start, end in pieces] for name, pieces in found.items()}
    for name in [name for name in TIMES if opens and name in found]:
        told[name] = [
            f"{'' if _OPENS.search(piece) else _onwards(text[:start], text[end:])}{piece}"
            for (start, end), piece in zip(found[name], told[name], strict=True)
        ]
    return {name: tuple(filter(None, pieces)) for name, pieces in told.items() if any(pieces)}


def _onwards(head: str, rest: str) -> str:
    """The word that opens a time which stands between these; empty where none does."""
    if not (_FROM.search(head) or _ON.match(rest)) or _TO.match(rest):
        return ""
    return "from " if head.isascii() and rest.isascii() else "从"


_FREES = frozenset(["away", "nothing_on", "wish_nothing_on", "move_all_away"])
"""Forms that leave times free: from a day on, not on that day alone."""
_FROM = re.compile(
    r"(?:\b(?:start(?:s|ing)?|beginning|effective)(?: from| on| in| with)?|\bas of|\bfrom|\bsince) (?:the )?$"
)
_OPENS = re.compile(r"\b(?:start(?:s|ing)?|beginning|as of|from|since)\b|[从自起]|开始|[以之往]后")
_ON = re.compile(r" on(?:wards?)?\b(?! \w+day)|\s*(?:以后|之后|往后|开始|起)")
_LEADING = re.compile(r"(?:on|at|in|to|by|until|till|from|for) (?=\S)|[到在从于](?=.)")
_VERBS_TOO = ("march", "may")
"""Months that are verbs too where nothing leads them."""
_TO = re.compile(r"\s*(?:to|till|til|until|through|thru|-|~|–|到|至)\s*")
"""What makes one run of days or hours of two."""
_BEHIND = re.compile(r"\s*[,，、]?\s*(?:(?:but|just|only|best) )?(?:(?:in|at|during|for) )?(?:the )?(?:就|在)?")
"""What stands between a day and the hours of it that are told behind it."""
_WITHIN = re.compile(r"(?:\s|\b(?:on|about|of|for|with|the)\b|[:：的-]|关于)+")
"""What stands between two pieces of one name: chapter 7 on regression."""
_TEXTS = ("text", "text2")
_BETWEEN = re.compile(r"^between (.+?) and (?=\S)(.+)$")
_LESSON = re.compile(r"(?<=..)课$|(?<=.) (?:class|lesson|lecture)(?:es|s)?$")
_NUMBERS = ("number", "most_a_day")
_NUMBER = re.compile(r"\d+|\ban?\b")


def _trim(name: str, piece: str) -> str:
    """A piece without the words around it that the wording has of its own: on friday, calculus lesson."""
    piece = piece.strip(" ,.;:!?，。；：！？、")
    if name in _NUMBERS and (number := _NUMBER.search(piece)):
        return number.group()
    if name == "lesson":
        return _LESSON.sub("", piece)
    if name not in TIMES:
        return piece
    led = _LEADING.match(piece)
    bare = piece[led.end() :] if led else piece
    return _BETWEEN.sub(r"\1 to \2", f"in {bare}" if bare in _VERBS_TOO else bare)


def _take_over(name: str, previous: Frame | None) -> tuple[str, ...]:
    """What filled this slot in the request before, or one of its kind."""
    if previous is None:
        return ()
    if name in previous.slots:
        return previous.slots[name]
    alike = next((kind for kind in _LIKE if name in kind), ())
    return next((previous.slots[one] for one in alike if one in previous.slots), ())


_ONE_DAY = (
    "create_", "plan_", "deadline", "finish_by", "exam", "begins", "swap_times", "will_fit_until", "more_fit_until",
)  # fmt: skip
"""What begins the names of forms that tell of one day: the last, the first, that of an exam."""


def is_complete(frame: Frame) -> bool:
    """Whether every slot of the form is filled, no end is on several days, and new names and numbers are one."""
    names = len(frame.slots.get("text", ())) if frame.form.startswith("rename_") else 1
    if names > 1 or len(frame.slots.get("number", ())) > 1:
        return False
    several = any(len(frame.slots.get(name, ())) > 1 for name in ("time", "time2"))
    filled = frame.form in SENTENCES and all(name in frame.slots for name in slots_of(frame.form))
    return filled and not (several and frame.form.startswith(_ONE_DAY))


def go_on(frame: Frame, previous: Frame, *, is_open: bool = False) -> Frame:
    """A later frame with what still holds of the one before: more items beside those, more days beside those of one
    that `is_open` yet, another day at the same hour, another hour of the same day, and its modifiers."""
    slots = dict(frame.slots)
    for name in frame.filled & set(previous.slots):
        if name in _LISTS and AND_MORE in frame.modifiers and not _tells_otherwise(frame, previous):
            slots[name] = (*previous.slots[name], *(one for one in slots[name] if one not in previous.slots[name]))
        elif name in ("time", "time2"):
            more = is_open and AND_MORE in frame.modifiers and frame.form in DAYS_ADDED_TO
            old, new = (set[str]().union(*map(_kinds_in, one.slots[name])) for one in (previous, frame))
            if more and not new & _DAYS and new & _HOURS:  # which days kept free as a whole have already
                slots[name] = (*previous.slots[name], *(slots[name] if old & _HOURS else ()))
                continue
            slots[name] = _merge_times(previous.slots[name], slots[name], hours=frame.changes or not previous.changes)
            slots[name] = (*previous.slots[name], *slots[name]) if more else slots[name]
    modifiers = [name for name in frame.modifiers if name not in (AND_MORE, FRESH)]
    if frame.form == previous.form:
        slots = {**{name: previous.slots[name] for name in _NARROWED_BY if name in previous.slots}, **slots}
        modifiers += [name for name in previous.modifiers if name not in modifiers]
    return replace(frame, slots=slots, modifiers=tuple(modifiers))


_PROGRESS = frozenset({"did", "did_half", "missed", "not_done"})


def _tells_otherwise(frame: Frame, previous: Frame) -> bool:
    """Whether two requests tell of different progress, so that what the one was about is none of the other."""
    return frame.form != previous.form and {frame.form, previous.form} <= _PROGRESS


_BOUND = re.compile(
    r"到|从|开始|为止|起|截至|\b(?:until|till?|through|thru|up to|from|since|starting|already|only|just|to)\b"
)


def needs_calendar(frame: Frame, words: str, previous: Frame) -> bool:
    """Whether which days are meant is told by a date of the request before: a weekday beside it, or another end or
    beginning of its days."""
    if frame.form not in DAYS_ADDED_TO or frame.form != previous.form or "time" not in frame.filled:
        return False
    new, old = (set().union(*map(_kinds_in, slots["time"])) for slots in (frame.slots, previous.slots))
    beside = AND_MORE in frame.modifiers and "Ⓓ" in new and "Ⓔ" not in new
    bounded = _BOUND.search(words) is not None and not any(map(_TO.search, frame.slots["time"]))
    return "Ⓔ" in old and (beside or bounded)


_OF_WEEK = re.compile(
    r"[下上]+个?(?=周|星期|礼拜)|(?:next|last) (?=\w+day\b|mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE
)
"""What tells the week of a weekday."""


def _merge_times(before: Sequence[str], said: tuple[str, ...], *, hours: bool) -> tuple[str, ...]:
    """A time said later with what it leaves of the one before: its week, its day, or its `hours`; a day that is asked
    about after a change is meant as a whole."""
    new = [(text, _kinds_in(text)) for text in said]
    week = next((found[0] for text in before if (found := _OF_WEEK.match(text))), "")
    if week and len(new) == 1 and new[0][1] - {"到", "至"} == {"Ⓓ"} and not _OF_WEEK.match(new[0][0]):
        return (week + new[0][0],)
    of_day, of_hours = (any(kinds & wanted for _, kinds in new) for wanted in (_DAYS, _HOURS))
    if of_day == of_hours or (of_day and not hours):
        return said
    wanted = _DAYS if of_hours else _HOURS
    kept = tuple(piece for text in before for piece in _pieces_of(text, wanted))
    return (*kept, *said) if of_hours else (*said, *kept)


def _pieces_of(text: str, kinds: frozenset[str]) -> list[str]:
    """The pieces of these kinds, as they are written where folding keeps every character in its place."""
    folded = fold_numbers(text)
    written = text if len(text) == len(folded) else folded
    return [written[one.start : one.end] for one in tokenise(folded, ()) if one.word in kinds]


def _kinds_in(text: str) -> frozenset[str]:
    return frozenset(token.word for token in tokenise(fold_numbers(text), ()))
