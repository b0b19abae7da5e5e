"""One message in canonical requests: by its spans where these tell it, else by the models."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import chain

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.paraphrase import (
    AS_SAID,
    BY_WAY,
    CARD,
    CERTAIN,
    Heard,
    Paraphrase,
    find_likely,
    paraphrase,
)
from agent.llm.offline.language.plain.by_spans import tell_by_spans
from agent.llm.offline.language.plain.classes.new_classes import spell_out_class
from agent.llm.offline.language.plain.days.rest_of_half import name_what_is_left
from agent.llm.offline.language.plain.remarks import without_remarks
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.plain.unplanned import settle_unplanned
from agent.llm.offline.language.slips import spell_contractions
from agent.llm.offline.language.spans.classes.added_contents import ADD
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.classes.new_class import read_new_class
from agent.llm.offline.language.spans.conditions.limit_forms import BUSY_THEN, FREES, HABIT, PASTIME, THOSE_DAYS
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.happenings import drop_open_end, wants_another_time
from agent.llm.offline.language.spans.items.beside import SIGN
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.items.mention_signs import (
    find_mentioned,
    fold_mentions,
    rows_of,
    sign_mentions,
)
from agent.llm.offline.language.spans.targets import is_farthest
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import say_date
from agent.loop.phrases import language_of_message

MOST = 3
"""Readings of a request that nobody is sure of."""
LEAST = 0.2
"""The chance of the likeliest of them."""
_ANYWHERE = frozenset({"move_away", "put_in", "catch_up", "catch_up_items"})
"""Forms that leave open where something goes."""
_ONE_ALONE = re.compile(r"[那这][一1]?[个项章课讲节]|\bone\b", re.IGNORECASE)


def say_message(
    text: str, reader: Brief, classes: Sequence[str], items: Sequence[str], heard: Heard | None
) -> Paraphrase | None:
    """A message in canonical requests, by its spans where these tell it, else by the models."""
    if (beside := _say_beside_habit(text, reader, classes, items)) is not None:
        return beside
    over_card, spelled = heard is not None and heard.state == CARD, spell_contractions(text)
    if (told := tell_by_spans(spelled, reader)) is not None and not (over_card and told.frame.form == "move_all_to"):
        return told
    if (half := _say_half(text, reader, classes, items)) is not None:
        return half
    if (made := spell_out_class(spelled, reader)) != "":
        return _leave(made, text)
    rest = without_remarks(text, reader)
    said = say_plainly(rest, reader, classes, items, heard)
    said = said and _as_told(said, rest, reader)
    said = said and _with_ends(_as_known(_as_picked(_with_all_named(said, rest, reader), reader), reader), reader)
    said = said and _with_times(_call_it(_half_of_it(_catch_up(said)), rest), rest, reader)
    if rest != text:
        said = replace(said, by_spans=True) if said and said.frames else _leave(rest, text)
    return said and settle_unplanned(said, text, reader)


_BESIDE = re.compile(
    r"(?:[,;] ?(?:and )?(?:also )?|\band (?:also )?)(?=(?:i )?(?:no|nothing|don'?t|never|max|at most)\b)"
    r"|[,，;；。](?:另外|还有|而且|然后|并且|也|我|,|，)*(?=[^,，。;；]+$)"
)
_HABITS = (HABIT, PASTIME, BUSY_THEN)
"""Between what one does every week and what is wanted besides."""


def _say_beside_habit(text: str, reader: Brief, classes: Sequence[str], items: Sequence[str]) -> Paraphrase | None:
    """What one does at a time of every week, and a rule of other times behind it, each for itself: tuesday afternoons i
    have volleyball, and no studying after 8pm."""
    folded = fold_text(text)
    joints = [*_BESIDE.finditer(folded)] if any(form.search(folded) for form in _HABITS) else []
    if len(joints) != 1 or len(folded) != len(text) or asks_whether(text):
        return None
    cuts = (slice(0, joints[0].start()), slice(joints[0].end(), None))
    first, then = (folded[cut] for cut in cuts)
    times, others, rule = read_times(first, reader.term), read_times(then, reader.term), read_conditions(then, reader)
    own = any(form.search(first) for form in _HABITS) and not FREES.search(first)
    weekly = any(one.kind == "weekday" for one in times) and not any(one.last for one in times)
    counts = any("a_day" in one.values for one in rule.said)
    points = THOSE_DAYS.search(then) or {one.kind for one in others} <= {"part"}
    if not (own and weekly) or not (rule.said or excludes(then)) or (points and not counts):
        return None
    moves = intent_of(first, reader) in OPERATIONS  # shift Friday's stuff is no shift that one has
    if moves or find_classes(text, reader) or find_mentioned(text, reader):
        return None
    halves = [say_message(text[cut], reader, classes, items, None) or _leave(text[cut], text[cut]) for cut in cuts]
    said, own_words, frames = (
        tuple(chain.from_iterable(getattr(one, name) for one in halves)) for name in ("said", "own", "frames")
    )
    return Paraphrase(said, own_words, frames, by_spans=True) if all(one.frames for one in halves) else None


def _catch_up(said: Paraphrase) -> Paraphrase:
    """What was missed and is to get another time, where that is told by a clause of its own."""
    if len(said.frames) != 2 or [frame.form for frame in said.frames] != ["missed", AS_SAID]:
        return said
    if not wants_another_time(said.said[1]) or "items" not in said.frames[0].filled:
        return said
    frame = replace(said.frames[0], form="catch_up_items")
    words = frame.say(language_of_message(said.own[0], "zh"))
    return Paraphrase((words,), ("，".join(said.own),), (frame,), by_spans=True)


def _as_picked(said: Paraphrase, reader: Brief) -> Paraphrase:
    """What is wanted of the one thing of a day in the student's own words, where the form says that all of such days
    goes there, or only later what is to go as late as it can; what is taken off a day another time, where it says that
    it leaves the plan."""
    kept = [_pick(frame, own, reader) for frame, own in zip(said.frames, said.own, strict=True)]
    texts = tuple(frame.say(language_of_message(own, "zh")) for frame, own in zip(kept, said.own, strict=True))
    return said if kept == [*said.frames] else replace(said, said=texts, frames=tuple(kept), by_spans=True)


_DAY_ASKED = ("when_exam", "when_due", "when_finish_of")


def _as_told(said: Paraphrase, text: str, reader: Brief) -> Paraphrase:
    """The day of an exam as it is told, where the models heard it asked for: a question has no day of its own."""
    frame, told = said.frames[0] if len(said.frames) == 1 else None, fold_text(text)
    if frame is None or frame.form not in _DAY_ASKED or _ASKS_DAY.search(told) or not frame.slots.get("class"):
        return said
    days = [one for one in read_times(told, reader.term) if one.kind == "day" and one.first and one.first == one.last]
    if len(days) != 1:
        return said
    slots = {"class": frame.slots["class"], "time": (told[days[0].start : days[0].end],)}
    exam = frame_of("exam", slots)
    return replace(said, said=(exam.say(language_of_message(text, "zh")),), frames=(exam,), by_spans=True)


_ASKS_DAY = re.compile(
    r"[?？吗]|是不是|还是|(?:什么时候|哪[一1]?天|几号)(?!考?定|出来)|\b(?:is|when|does|do|are|was|what|which)\b"
)


def _pick(frame: Frame, own: str, reader: Brief) -> Frame:
    if frame.form == "take_all_out" and says("sent_away", own) and not says("remove", own):
        return replace(frame, form="move_all_away")
    if frame.form in BY_WAY and is_farthest(own):
        late, names = frame.form == "move_later", frame.slots.get("items", ())
        told = f"把{'、'.join(names)}尽量往{'后' if late else '前'}挪" if has_chinese(own) else own
        return frame_of(AS_SAID, {"text": (told,)})
    group = find_group(own, reader) if frame.form.startswith("move_all_") and _ONE_ALONE.search(own) else None
    return frame_of(AS_SAID, {"text": (own,)}) if group and group.timed and not group.every else frame


def _half_of_it(said: Paraphrase) -> Paraphrase:
    """What is told to be done and corrected at once: I did chapter 1, but only half of it."""
    if [frame.form for frame in said.frames] != ["did", "did_half"]:
        return said
    done, half = said.frames
    items, own = done.slots.get("items", ()), half.slots.get("items", ())
    if len(items) != 1 or not (own == items or "items" not in half.filled or says("pronoun", " ".join(own))):
        return said
    frame = replace(half, slots=done.slots, filled=done.filled)
    words = frame.say(language_of_message(said.own[0], "zh"))
    return Paraphrase((words,), ("，".join(said.own),), (frame,), by_spans=True)


def _with_times(said: Paraphrase, text: str, reader: Brief) -> Paraphrase:
    """A new class in the student's own words where these tell its times beside all that its request does: new class
    Guitar, 4 sessions, in the evenings."""
    if len(said.frames) != 1 or not said.frames[0].form.startswith("create_"):
        return said
    own, made = (read_new_class(one, reader.term) for one in (text, said.text))
    same = (own.name, own.items, own.parts, own.end) == (made.name, made.items, made.parts, made.end)
    return _leave(text, text) if same and own.excludes and not made.excludes else said


_LISTED = re.compile(rf"{SIGN}(?:(?:\s*[,，、]\s*(?:and )?| and |和){SIGN}){{2,}}")


def _with_all_named(said: Paraphrase, text: str, reader: Brief) -> Paraphrase:
    """One change of items that are named side by side, with all of them where the models heard only some."""
    told = said.frames[0].slots.get("items", ()) if len(said.frames) == 1 and said.frames[0].changes else ()
    signed, known = sign_mentions(fold_mentions(text), reader) if told else ("", {})
    runs = [one.group() for one in _LISTED.finditer(signed)]
    signs = "".join(char for char in runs[0] if char in known and known[char][1] == "item") if len(runs) == 1 else ""
    names = tuple(row["name"] for _, row in rows_of(signs, known))
    if not {*told} < {*names} or len(names) != len(signs):
        return said
    frame = replace(said.frames[0], slots={**said.frames[0].slots, "items": names})
    return replace(said, said=(frame.say(language_of_message(text, "zh")),), frames=(frame,), by_spans=True)


_ADDED = {"add_item_after": "move_after", "add_item_before": "move_before"}


def _as_known(said: Paraphrase, reader: Brief) -> Paraphrase:
    """What stands behind another content by now as one that goes there, where nothing says that it is new."""
    kept = [_go_there(frame, own, reader) for frame, own in zip(said.frames, said.own, strict=True)]
    texts = tuple(frame.say(language_of_message(own, "zh")) for frame, own in zip(kept, said.own, strict=True))
    return said if kept == [*said.frames] else replace(said, said=texts, frames=tuple(kept), by_spans=True)


def _go_there(frame: Frame, own: str, reader: Brief) -> Frame:
    rows = find_mentioned(" ".join(frame.slots.get("text", ())), reader) if frame.form in _ADDED else []
    if len(rows) != 1 or ADD.search(own):
        return frame
    return frame_of(_ADDED[frame.form], {"items": (rows[0]["name"],), "item": frame.slots["item"]})


def _with_ends(said: Paraphrase, reader: Brief) -> Paraphrase:
    """The last day of what is to be done by then, where its time alone would mean another: 第四周结束前."""
    kept = tuple(_end_as_told(frame, own, reader) for frame, own in zip(said.frames, said.own, strict=True))
    texts = tuple(frame.say(language_of_message(own, "zh")) for frame, own in zip(kept, said.own, strict=True))
    return said if kept == said.frames else replace(said, said=texts, frames=kept)


def _end_as_told(frame: Frame, own: str, reader: Brief) -> Frame:
    if frame.form != "finish_by" or "time" not in frame.slots:
        return frame
    zh = language_of_message(own, "zh") == "zh"
    told, held = (_last_day_in(text, reader) for text in (own, frame.say("zh" if zh else "en")))
    if told is None or held is None or told == held:
        return frame
    day = date.fromisoformat(told)
    when = say_date(day, zh=zh)
    return replace(frame, slots={**frame.slots, "time": (when,)})


def _last_day_in(text: str, reader: Brief) -> str | None:
    """The last day that is all that a text limits."""
    told = [one.values for one in read_conditions(text, reader).said]
    rows = [row for one in told for row in one.get("within", ({}, {}))]
    return rows[0].get("to_date") if len(rows) == 1 and {*rows[0]} == {"to_date"} else None


_CALLS_IT = re.compile(r"\b(?:call|name) (?:it|that|this) [\"'“]?(?P<name>[^,.;\"”]+)[\"'”.]*$", re.IGNORECASE)
_CALLED_SO = re.compile(r"\b(?:call|name) (?:it|that|this)\b", re.IGNORECASE)


def _call_it(said: Paraphrase, text: str) -> Paraphrase:
    """What is added by the name that a clause of its own tells, behind its number: add chapter 7, call it Bayes."""
    first, *others = said.frames or (None,)
    if first is None or first.form != "add_item" or not _CALLED_SO.search(text):
        return said
    called = _CALLS_IT.search(text)
    if called is None or any(frame.form != AS_SAID for frame in others):
        return _leave(text, text)
    label = first.slots["text"][0] if first.slots["text"][0][-1:].isdigit() else ""
    name = f"{label} {called['name']}".strip()
    frame = replace(first, slots={**first.slots, "text": (name[:1].upper() + name[1:],)})
    return Paraphrase((frame.say("en"),), (text,), (frame,), by_spans=True)


def _leave(rest: str, text: str) -> Paraphrase:
    """What is left of a message, in the student's own words."""
    return Paraphrase((rest,), (text,), (frame_of(AS_SAID, {"text": (rest,)}),), by_spans=True)


def _say_half(text: str, reader: Brief, classes: Sequence[str], items: Sequence[str]) -> Paraphrase | None:
    """That an item is half done, and what is wanted of its rest: without a time for it another one than it has."""
    name, wanted = name_what_is_left(text, reader)
    if not name:
        return None
    half, elsewhere = (frame_of(form, {"items": (name,)}) for form in ("did_half", "catch_up_rest"))
    told = _paraphrase(wanted, classes, items, None)
    then = told.frames if told and all(frame.changes for frame in told.frames) else ()
    then = () if {frame.form for frame in then} <= _ANYWHERE else then
    then = tuple(replace(one, form="catch_up_rest") if one.form == "catch_up_items" else one for one in then)
    frames = (half, *(then or (elsewhere,)))
    if not then and read_times(wanted, reader.term):
        return None
    said = tuple(frame.say(language_of_message(text, "zh")) for frame in frames)
    return Paraphrase(said, (text,) * len(frames), frames, by_spans=True)


def say_plainly(
    text: str, reader: Brief, classes: Sequence[str], items: Sequence[str], heard: Heard | None
) -> Paraphrase | None:
    """A message in canonical requests; a change with the names of what it describes, the last two chapters."""
    if heard is None and (rest := drop_open_end(text)) != text:
        told = say_plainly(rest, reader, classes, items, heard)
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
def find_readings_of(text: str, classes: Sequence[str], items: Sequence[str]) -> tuple[str, ...]:
    return tuple(find_likely(text, classes, items, MOST, LEAST))
