"""What the student said in a conversation, in canonical requests: every turn by what was said and done before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.memory import Exchange, Memory
from agent.llm.offline.language.dialogue.pointing.carried_over import keep_free_weeks_on
from agent.llm.offline.language.dialogue.pointing.distances import SAME_TIME
from agent.llm.offline.language.dialogue.pointing.follow_ups import name_other_of_class, spell_picked_time
from agent.llm.offline.language.dialogue.pointing.pointed_times import name_day, spell_in_week
from agent.llm.offline.language.dialogue.pointing.pointers import Pointed, spell_pointers
from agent.llm.offline.language.dialogue.pointing.to_answers import point_to_answer
from agent.llm.offline.language.dialogue.revision.corrections import (
    correct_request,
    mark_fewer,
    mark_instead,
    select_otherwise,
    share_day_of_named,
    tells_of_added,
)
from agent.llm.offline.language.dialogue.revision.hours_anew import limit_some_days, tell_day_anew
from agent.llm.offline.language.dialogue.revision.open_after_all import is_written, open_after_all
from agent.llm.offline.language.dialogue.revision.other_values import find_beside_items, spell_choice
from agent.llm.offline.language.dialogue.revision.taken_back import tell_correction, tell_instead
from agent.llm.offline.language.dialogue.rewriting import adds_more
from agent.llm.offline.language.dialogue.slots import OF_DAY, find_bare_count
from agent.llm.offline.language.dialogue.tracking import REFUSED_TOPICS, TAKES_MARK_BACK
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import clauses_of, divide_questions
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART, divide_surely
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.lists import divide_list
from agent.llm.offline.language.paraphrase.names import drop_apposition
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
from agent.llm.offline.language.paraphrase.refinement import REFUSES
from agent.llm.offline.language.plain.by_spans import tell_by_spans
from agent.llm.offline.language.plain.classes.new_classes import spell_out_class, wishes_class
from agent.llm.offline.language.plain.classes.new_names import find_made
from agent.llm.offline.language.plain.going_on import BESIDE, go_on
from agent.llm.offline.language.plain.message import find_readings_of, say_message, say_plainly
from agent.llm.offline.language.plain.progress import choose_by_answer
from agent.llm.offline.language.plain.remarks import keep_pinned
from agent.llm.offline.language.plain.restatement import change_made, restate
from agent.llm.offline.language.plain.same_frame import tell_again
from agent.llm.offline.language.plain.unplanned import tell_discarded
from agent.llm.offline.language.plain.without_reasons import leave_out_reasons
from agent.llm.offline.language.slips import drop_asides
from agent.llm.offline.language.spans.alternatives import find_unless, is_chain
from agent.llm.offline.language.spans.conditions.rates import correct_rate, read_rate
from agent.llm.offline.language.spans.conditions.wishes import drops_said_limit
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.if_free import spell_if_free
from agent.llm.offline.language.spans.items.counted import find_alternatives, name_counted_anew
from agent.llm.offline.language.spans.items.wished_back import read_wished_back
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import comes_back
from agent.llm.offline.language.utterance.one_each import spell_one_each
from agent.loop.phrases import language_of_message
from agent.loop.view_document import DialogueTurnView, GoalTurnView, View

_FREES = frozenset(["nothing_on", "wish_nothing_on", "never_on", "away"])
"""Forms by which times stay free, of one week or of all."""
NAMES = frozenset(slot for slots in NAMED for slot in slots)
"""Slots that names fill."""


IsReadAlready = Callable[[str, Paraphrase, Brief], bool]
KeepKnown = Callable[[Paraphrase, Brief], Paraphrase]


def read_plainly(view: View, is_read_already: IsReadAlready, keep_known: KeepKnown) -> Brief:
    """The brief of a view with the student's requests in plain words, where it is sure what they mean.
    `is_read_already` tells of a first request whether the readers know it as it was said, `keep_known` gives those of
    several back in the student's own words that they know."""
    return _Listener(spell_choice(view), is_read_already, keep_known).listen()


@dataclass(frozen=True)
class _Words:
    """What a student says in a turn: his `own` words, and the `text` with what they point to spelled out."""

    own: str
    text: str
    answers: bool
    """Whether they answer a question."""
    as_told: bool
    """Whether they are to be taken as they are."""
    corrects: bool
    counts: bool
    """Whether they only tell the number of what is open."""
    denies: bool
    made: str
    """The wish for the new class that they tell of."""


class _Listener:
    """A conversation as it is heard turn by turn: what was said and done before, and what each turn was read as."""

    def __init__(self, view: View, is_read_already: IsReadAlready, keep_known: KeepKnown) -> None:
        self._reader = Brief(view).before_goal
        view = _leave_out_of_turns(view, self._reader)
        self._view, self._is_read_already, self._keep_known = view, is_read_already, keep_known
        self._memory = Memory(view)
        made = find_made(view)
        rows = [row for row in self._reader.classes if row["name"] not in made]
        self._classes = tuple(row["name"] for row in rows)
        self._items = tuple(item["content"] for row in rows for item in row["items"])
        self._heard: Heard | None = None
        self._asked = self._is_open = False
        self._over: tuple[Heard | None, bool] = None, False
        self._dialogue: list[DialogueTurnView] = []
        self._spelled: dict[str, str] = {}
        self._meant: dict[str, Paraphrase] = {}
        self._frames: dict[str, tuple[Frame, ...]] = {}
        self._spoken: dict[str, str] = {}
        self._unsure: set[str] = set()
        self._unknown: dict[str, str] = {}
        self._heard_not: dict[str, tuple[str, ...]] = {}
        self._anew: dict[str, Frame | None] = {}
        self._readings: dict[str, tuple[str, ...]] = {}

    def listen(self) -> Brief:
        """Answers the brief of the view, when the whole conversation is taken in."""
        for turn in self._view["dialogue"]:
            self.take_in(turn)
        return self.brief()

    def take_in(self, turn: DialogueTurnView) -> None:
        """Takes in the next turn of the conversation."""
        if turn["role"] == "user":
            self._hear(turn)
        else:
            self._look(turn)

    def _look(self, turn: DialogueTurnView) -> None:
        """Takes in a text that the student was told."""
        # What was planned is told with its items, what was written by its tool.
        self._asked = turn["asks"] is not None
        self._is_open = self._is_open and not (turn["wrote"] or turn["item_ids"])
        if comes_back(turn["text"]):
            self._heard, self._is_open = self._over
        self._heard = self._heard and Heard(DONE if turn["wrote"] else self._heard.state, self._heard.frame)
        self._memory.look(turn)
        self._heard = self._heard and self._date_asked(self._heard)
        self._dialogue.append(turn)

    def _date_asked(self, heard: Heard) -> Heard:
        """A question about a weekday as one about the one day of which its answer told: what goes there goes to it."""
        last, when = self._memory.last, heard.frame.slots.get("time", ())
        days = last.told_days if last is not None and last.asked and len(when) == 1 else []
        if len(days) != 1:
            return heard
        dated = spell_in_week(when[0], self._reader.term.week_day(days[0])[0], self._reader)
        if [one.first for one in read_times(dated, self._reader.term) if one.first] != days:
            return heard
        return replace(heard, frame=replace(heard.frame, slots={**heard.frame.slots, "time": (dated,)}))

    def _hear(self, turn: DialogueTurnView) -> None:
        """Takes in a turn of the student."""
        self._over = self._heard, self._is_open
        words = self._spell(turn["text"])
        said = self._say(words)
        self._note(words, said)
        text = self._settle(words, said)
        self._is_open = self._heard is None
        self._dialogue.append({**turn, "text": text})

    def _spell(self, own: str) -> _Words:
        """The words of a turn with what they point to, held against what they come after."""
        # What begins a goal answers no question of another, but the one what should change of what was refused.
        self._asked = self._asked and (own != self._view["request"] or self._limits_anew(own))
        anew = "" if self._asked else self._restate(own)
        listed = [] if self._asked or anew else divide_list(own, self._reader)
        readings = () if self._asked or anew or listed else self._point_to_answer(own)
        again, frame = (anew, None) if anew or self._asked or listed or readings else self._tell_again(own)
        goes_on = self._asked or self._is_open or self._heard is not None
        made = "" if goes_on or listed or again or readings else spell_out_class(own, self._reader)
        known = not self._asked and own == self._view["request"] and not made and self._is_told_wholly(own)
        pointed = (
            Pointed(APART.join(listed), alone=True)
            if listed
            else Pointed(readings[0], alone=True)
            if readings
            else Pointed(own, alone=True, plain=known)
            if known or made
            else Pointed(again, alone=True, plain=APART in again)
            if again
            else Pointed(own)
            if self._asked or self._opens_written(own) or self._picks_fewer(own)
            else spell_pointers(choose_by_answer(self._drop_asides(own), self._reader), self._memory)
        )
        self._heard = None if pointed.alone else self._heard
        goes_on = self._asked or self._is_open or self._heard is not None
        made = made or ("" if goes_on else spell_out_class(pointed.text, self._reader))
        whole = made or divide_surely(pointed.text, self._reader)
        text = (
            pointed.text if whole or known or listed else leave_out_reasons(pointed.text, self._reader, goes_on=goes_on)
        )
        self._spelled[own] = text
        self._readings[own] = readings[1:] and readings
        self._anew |= {text: frame} if again or pointed.offered else {}
        opens = self._opens(text)
        self._memory.hear(text)
        heard, folded = self._heard, fold_text(text)
        return _Words(
            own,
            text,
            answers=self._asked,
            as_told=pointed.plain
            or SAME_TIME.search(folded) is not None
            or drops_said_limit(folded)
            or says("as_before", folded)
            or says("mends_clashes", folded)
            or bool(find_alternatives(text, self._memory.brief)[0])
            or (APART in own and self._is_offered(own))
            or opens,
            corrects=heard is not None
            and heard.state == DONE
            and (says("correction", folded) or (heard.frame.form == "did" and bool(TAKES_MARK_BACK.search(folded)))),
            counts=(self._is_open or (heard is not None and heard.state == CARD)) and bool(find_bare_count(folded)),
            denies=heard is not None and _DENIED.search(folded) is not None,
            made=made,
        )

    def _point_to_answer(self, own: str) -> tuple[str, ...]:
        """A turn with what it points to in the answer before it, in full. A deed without an item that a reader of its
        own knows tells more than the item."""
        told = point_to_answer(own, self._memory)
        known = bool(told) and not items_in(own, self._reader) and spell_pointers(own, self._memory).plain
        return () if known else told

    def _is_told_wholly(self, own: str) -> bool:
        """Whether words choose which of the changes before are to be taken back, tell what is tried one after the
        other, plan classes each within times of its own, or make a move depend on what is on then: nothing in them is
        beside it."""
        if self._spell_times(own) != own:
            return False
        if read_wished_back(own, self._reader) is not None or is_chain(own, self._reader):
            return True
        if intent_of(own, self._reader) == "class" and Features(own, self._reader).plans_each:
            return leave_out_reasons(own, self._reader, goes_on=False) == own
        return find_unless(own) != "" and bool(items_in(own, self._reader))

    def _spell_times(self, own: str) -> str:
        """The words of a turn with the time of each thing behind its name."""
        if read_rate(own, self._reader):
            return own
        return spell_if_free(spell_one_each(own, self._reader), self._reader)

    def _drop_asides(self, own: str) -> str:
        """The words of a turn without what is told beside them, and what only stands for a name in front of it; what
        they count in a class is named, and what gets a time stands beside it."""
        counted = name_other_of_class(self._spell_times(own), self._memory)
        text = drop_apposition(drop_asides(keep_pinned(counted)), self._classes, self._items)
        return name_counted_anew(self._reader.name_nth(text), self._reader)

    def _find_records(self, own: str) -> list[Exchange]:
        """The exchanges from which a turn may take what it leaves out."""
        beside, asks = BESIDE.search(fold_text(own)) is not None, says("asking", fold_text(own))
        return self._memory.find_records(beside=beside, asks=asks)

    def _restate(self, own: str) -> str:
        """What was set or made right before, as a turn changes how far it goes or what it is; empty for other turns."""
        records = self._find_records(own)
        told = (read(own, one, self._reader) for one in records for read in (restate, change_made))
        return next(filter(None, told), "")

    def _tell_again(self, own: str) -> tuple[str, Frame | None]:
        """The request before with the things that a turn names, where it names nothing else; without what it made,
        where this is not wanted."""
        if not self._is_open and (dropped := tell_discarded(own, self._reader)):
            return dropped, None
        last = self._memory.last
        if last is None or keep_free_weeks_on(own, last, self._memory.brief):
            return "", None  # what points weeks ahead of days kept free is told by its pointer
        before = last.meant or last.said
        if not last.wrote and (rate := correct_rate(own, before, self._reader)):
            return f"{before}{APART}{rate}" if adds_more(own) else rate, None
        open_one = "" if last.wrote or last.listed else last.meant or last.said
        if open_one and (instead := tell_instead(own, open_one, self._reader)):
            return instead, None
        for one in self._find_records(own):
            gone_on = go_on(own, one, self._frames.get(one.said, ()), self._memory.brief)
            if gone_on[0]:
                return gone_on
        frames = self._frames.get(last.said, ())
        return tell_again(own, last, self._spoken.get(last.said, last.said), frames, self._memory.brief)

    def _is_offered(self, own: str) -> bool:
        """Whether a turn is one of the requests that were offered right before it."""
        asks = self._dialogue[-1]["asks"] if self._dialogue else None
        return asks is not None and own in asks["about"].get("readings", ())

    def _opens(self, text: str) -> bool:
        """Whether words open times of those that the request before them leaves free: no other time is meant; or tell
        more of what its card adds, or which of its items are done."""
        last = self._memory.last
        if last is None:
            return False
        meant = next((turn["text"] for turn in reversed(self._dialogue) if turn["role"] == "user"), "")
        if any(open_after_all(text, one, self._reader) for one in (last.said, meant) if one):
            return True
        over_card = self._is_open or (self._heard is not None and self._heard.state == CARD)
        before = dict.fromkeys((last.said, meant))
        told = _OVER_CARD if over_card else (mark_fewer,)
        return any(tell(text, one, self._reader) for tell in told for one in before if one)

    def _opens_written(self, text: str) -> bool:
        """Whether words open times that classes keep free by the request before them, of this goal as well."""
        last = self._memory.last
        return self._opens(text) and last is not None and is_written(last.said, Brief(self._view))

    def _picks_fewer(self, text: str) -> bool:
        """Whether words over a card only tell which of the days it is for whose items it moves, or the day on which is
        what it leaves time for."""
        last = self._memory.last
        if last is None or last.wrote:
            return False
        meant = last.meant or last.said
        return bool(select_otherwise(text, last.said, self._reader) or tell_day_anew(text, meant, self._reader))

    def _limits_anew(self, own: str) -> bool:
        """Whether words after a refusal tell other times of what was refused."""
        asks, last = self._dialogue[-1]["asks"], self._memory.last
        if asks is None or asks["topic"] not in REFUSED_TOPICS or last is None:
            return False
        return correct_request(own, last.said, self._reader, refused=True) != ""

    def _say(self, words: _Words) -> Paraphrase | None:
        """The words in canonical requests, by what they come after; None where they are left as they are."""
        if (anew := self._anew.get(words.text)) is not None:
            return Paraphrase((words.text,), (words.text,), (anew,), by_spans=True)
        if words.answers or words.corrects or words.as_told or words.counts or words.denies:
            return None
        if words.made and (wishes_class(words.own, self._reader) or tell_by_spans(words.text, self._reader) is None):
            return Paraphrase((words.made,), (words.own,), (frame_of(AS_SAID, {"text": (words.made,)}),), by_spans=True)
        pieces = words.text.split(APART) if APART in words.text else divide_surely(words.text, self._reader)
        pieces = pieces if len(pieces) > 1 else divide_questions(words.text, self._reader)
        if len(pieces) > 1 and not self._asked:
            told = [self._say_alone(piece) for piece in pieces]
            own = tuple(words for one in told for words in one.own)
            frames = tuple(frame for one in told for frame in one.frames)
            return Paraphrase(tuple(words for one in told for words in one.said), own, frames, by_spans=True)
        if self._heard is None and not find_beside_items(words.text, self._reader)[1]:
            return None  # names alone want nothing
        said = say_message(words.text, self._reader, self._classes, self._items, self._heard)
        if said is None and self._heard is not None and self._heard.state == DONE:
            alone = say_message(words.text, self._reader, self._classes, self._items, None)
            said = alone if alone is not None and len(alone.frames) > 1 else None  # several go on about nothing
        said = said and self._keep_week(self._date_days_away(said, words.text), words.text)
        before = self._memory.exchanges[-1].before if words.text in self._anew else None
        if said and before and intent_of(said.text, self._reader) != before.intent:
            return None  # the readers know it as it was
        return None if said and self._is_open and _belongs_to_last(words.text, said) else said

    def _date_days_away(self, said: Paraphrase, text: str) -> Paraphrase:
        """A change of what is on then, with the date of the one day that the card before it keeps free."""
        heard = self._heard.frame if self._heard is not None else None
        when = heard.slots.get("time", ()) if heard is not None and heard.form == "away" else ()
        days = days_in(heard.say(language_of_message(text, "zh")), self._reader.term) if heard and when else []
        if len(days) != 1 or days[0].first != days[0].last or len(said.frames) != 1:
            return said
        frame = said.frame
        if not frame.form.startswith("move_all") or frame.slots.get("time") != when or when[0] in fold_text(text):
            return said
        frame = replace(frame, slots={**frame.slots, "time": (name_day(days[0].first, self._reader),)})
        return replace(said, said=(frame.say(language_of_message(text, "zh")),), frames=(frame,), by_spans=True)

    def _keep_week(self, said: Paraphrase, text: str) -> Paraphrase:
        """A change told again for another weekday, which is one of the week that the request before names; what is to
        stay free then has the hours of that as well."""
        before, brief = self._heard.frame if self._heard is not None else None, self._reader
        told = read_times(text, brief.term)
        bare = any(one.kind == "weekday" for one in told) and not any(one.first or one.every for one in told)
        if before is None or not (said.frames and bare):
            return said
        when = " ".join(before.slots.get("time", ()))
        known = read_times(when, brief.term)
        weeks = {brief.term.week_day(one.first)[0] for one in known if one.first}
        frees = before.form in _FREES and all(one.form in _FREES for one in said.frames)
        if len(weeks) != 1 or not (frees or all(one.form == before.form for one in said.frames)):
            return said
        frames = tuple(_put_in_week(frame, min(weeks), brief) for frame in said.frames)
        hours = tuple(when[one.start : one.end] for one in known if one.kind in OF_DAY) if len(told) == 1 else ()
        frames = tuple(_tell_hours(frame, before if frees else frame, hours, brief) for frame in frames)
        spoken = tuple(frame.say(language_of_message(text, "zh")) for frame in frames)
        return said if frames == said.frames else replace(said, said=spoken, frames=frames, by_spans=True)

    def _say_alone(self, piece: str) -> Paraphrase:
        """One of several requests as if nothing else had been said: in plain words, or as it is where it is known."""
        said = say_message(piece, self._reader, self._classes, self._items, None)
        if said is None or not said.frames or (not said.by_spans and self._knows(piece, said)):
            return Paraphrase((piece,), (piece,), (frame_of(AS_SAID, {"text": (piece,)}),))
        return self._keep_known(said, self._reader)

    def _note(self, words: _Words, said: Paraphrase | None) -> None:
        """Keeps of a turn what its frames are, which of its names are not known, and whether it is understood."""
        own, text = words.own, words.text
        self._meant.pop(own, None)
        if whole := said or (None if words.corrects or words.counts else self._read_alone(text)):
            self._frames |= {own: whole.frames, text: whole.frames, whole.text: whole.frames}
        self._heard_not[own] = _find_refused(said, text)
        self._unknown[own] = said.unknown if said and self._heard is None else ""
        begins = self._heard is None and not (words.answers or words.as_told)
        self._unsure = {own} if said is None and begins else set()

    def _settle(self, words: _Words, said: Paraphrase | None) -> str:
        """The text that a turn stands for, after which the conversation goes on."""
        if said is None or (said.frames and not said.by_spans and self._knows(words.text, said)):
            self._heard = None
        elif said.frames:
            said = self._keep_known(said, self._reader)
            last = said.frames[-1]
            self._memory.read(last.form, said.text)
            self._heard = None if last.form == AS_SAID else Heard(CARD if last.changes else DONE, last)
            self._meant[words.own], self._spoken[said.text] = said, words.own
            self._anew |= {said.text: self._anew[words.text]} if words.text in self._anew else {}
            return said.text
        over_card = self._over[0] is not None and self._over[0].state == CARD
        if over_card and words.text != words.own and not self._memory.exchanges[-1].asked:
            self._spoken[words.text] = words.own
        return words.text

    def _knows(self, text: str, said: Paraphrase) -> bool:
        return self._is_read_already(text, said, self._reader)

    def _read_alone(self, text: str) -> Paraphrase | None:
        """How a message is read that goes on about nothing, where the models are certain that it is whole so."""
        if says("correction", fold_text(text)):
            return None
        said = say_plainly(text, self._reader, self._classes, self._items, None)
        return said if said and all(one.is_whole and one.chance >= CERTAIN for one in said.frames) else None

    def brief(self) -> Brief:
        """The brief of the view with the turns as they are meant."""
        request = self._view["request"]
        if (first := self._meant.get(request)) is not None:
            return Brief(
                self._begin_with(first.text),
                readings=self._readings.get(request, ()) if len(self._view["turns"]) <= 1 else (),
                written=tuple(zip(first.said, first.own, strict=True)),
                frames=self._frames,
                spoken=self._spoken,
                anew=frozenset(self._anew),
            )
        full = self._spelled.get(request, request)
        return Brief(
            self._begin_with(full),
            likely=find_readings_of(full, self._classes, self._items) if request in self._unsure else (),
            readings=self._readings.get(request, ()) if len(self._view["turns"]) <= 1 else (),
            unknown_class=self._unknown.get(request, "") if len(self._view["turns"]) <= 1 else "",
            heard_not=self._heard_not.get(request, ()),
            frames=self._frames,
            spoken=self._spoken,
            anew=frozenset(self._anew),
        )

    def _begin_with(self, request: str) -> View:
        """The view with the turns as they are meant, and other words for the goal's request."""
        view = self._view
        begun = [{**turn, "text": request} for turn in view["turns"][:1] if turn["option"] is None]
        turns = [*(begun or view["turns"][:1]), *view["turns"][1:]]
        message = request if len(turns) <= 1 else view["message"]
        return {**view, "dialogue": self._dialogue, "request": request, "message": message, "turns": turns}


def _put_in_week(frame: Frame, week: int, brief: Brief) -> Frame:
    """A frame with the weekdays of no certain week in this one."""
    pieces = tuple(spell_in_week(one, week, brief) for one in frame.slots.get("time", ()))
    return replace(frame, slots={**frame.slots, "time": pieces}) if pieces else frame


def _tell_hours(frame: Frame, as_in: Frame, hours: tuple[str, ...], brief: Brief) -> Frame:
    """The times of a frame as another one has them, in these hours where they tell none."""
    when = frame.slots.get("time", ())
    told = any(one.kind in OF_DAY for one in read_times(" ".join(when), brief.term))
    return replace(as_in, slots={**as_in.slots, "time": when if told else (*when, *hours)}) if when else frame


def _leave_out_of_turns(view: View, reader: Brief) -> View:
    """The view in which what the student says on a goal that has begun wants something without its reasons."""
    told = [turn["text"] for turn in view["turns"][1:] if turn["option"] is None]
    before = [turn["text"] for turn in view["dialogue"] if turn["role"] == "user"] if view["resumes"] else []
    moves = bool(told) and intent_of(view["request"], reader) in ("move", "place")
    plain = {one: leave_out_reasons(one, reader, goes_on=True) for one in told}
    plain |= {one: _NO_BUT.sub("no, ", one) for one in told if moves and _NO_BUT.match(one)}
    plain |= _spell_picked_times(dict.fromkeys((*before, view["request"], *told)), reader)
    plain |= _tell_corrections([turn["text"] for turn in view["dialogue"] if turn["role"] == "user"], reader)
    if all(one == said for one, said in plain.items()):
        return view
    turns: list[GoalTurnView] = [{**turn, "text": plain.get(turn["text"], turn["text"])} for turn in view["turns"]]
    dialogue: list[DialogueTurnView] = [
        {**turn, "text": plain.get(turn["text"], turn["text"])} for turn in view["dialogue"]
    ]
    request, message = (plain.get(view[key], view[key]) for key in ("request", "message"))
    return {**view, "request": request, "turns": turns, "dialogue": dialogue, "message": message}


def _tell_corrections(said: Sequence[str], reader: Brief) -> dict[str, str]:
    """In few words the turns that only say what is meant in the place of something in the turns before."""
    plain = dict[str, str]()
    before = ""
    for text in said:
        told = tell_correction(text, before, reader)
        plain |= {text: told} if told != text else {}
        before = f"{before}; {told}" if told != text else text
    return plain


def _spell_picked_times(said: Iterable[str], reader: Brief) -> dict[str, str]:
    """The words of a student that pick a time of the move before them, with that time alone."""
    moves, plain = "", dict[str, str]()
    for text in said:
        time = spell_picked_time(text, moves, reader) if moves else text
        plain |= {text: time} if time != text else {}
        moves = text if time == text and intent_of(text, reader) in ("move", "place") else moves
    return plain


_NO_BUT = re.compile(r"(?:no|nope) (?=(?:the )?(?:morning|afternoon|evening)\W*$)", re.IGNORECASE)
"""A no to a place in front of another part of the day, which is no rule against it: no evening."""
_OVER_CARD = (
    *(tells_of_added, mark_fewer, mark_instead, select_otherwise, share_day_of_named, tell_day_anew),
    limit_some_days,
)
"""What tells more of what a card is for."""
_DENIED = re.compile(
    r"不是[^,，]{1,12}[,，]\s*是|(?:^|,)\s*(?:no,? )?not (?!on|in|at|before|after|until)[^,]{2,24}(?:,|$)"
)
"""What says that one thing is not meant, beside another that is."""


def _belongs_to_last(text: str, said: Paraphrase) -> bool:
    """Whether a message only adds something, or a time that is not wanted, to what was left as it was said before."""
    if any({*one.slots} & NAMES for one in said.frames):
        return False
    alone = {one.form for one in said.frames} == {"nothing_on"} and not said.by_spans
    return ADDS.search(text) is not None or alone


def _find_refused(said: Paraphrase | None, text: str) -> tuple[str, ...]:
    """The times that the frames of a message leave free; one that is a clause by itself is wanted."""
    refuses = REFUSES.search(fold_numbers(text)) is not None
    pieces = [
        piece for frame in (said.frames if said and refuses else ()) for piece in frame.slots.get("but_not_on", ())
    ]
    alone = [strip_fillers(clause) for clause in clauses_of(fold_text(text))]
    return tuple(piece for piece in pieces if strip_fillers(fold_text(piece)) not in alone)
