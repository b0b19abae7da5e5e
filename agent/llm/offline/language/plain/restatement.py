"""A turn behind something that was just set or made, as over the card of it.

Of a rule it changes how far that goes: in which weeks, until when, on which days, for whom. The rule is taken back, and
what the turn makes of it is done in its place: except week 5; only until april 1; 不是周四，是周六. Of a class that was
just made it tells some of what that is otherwise: start a week later; without chapter 3; 还是叫数理统计.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.class_batches import WRITE, WRITE_ALL
from agent.llm.offline.language.dialogue.memory import Exchange
from agent.llm.offline.language.dialogue.revision.open_after_all import (
    give_hours_of,
    open_after_all,
    opens_days,
    spell_cells,
    spell_once,
)
from agent.llm.offline.language.dialogue.revision.taken_back import tell_correction
from agent.llm.offline.language.dialogue.rewriting import adds_more
from agent.llm.offline.language.dialogue.slots import OF_DAY
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.meaning.standing_rules import excluded_of, read_closed, read_weekly
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.plain.classes.corrected_class import correct_class, number_anew, usual_length
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.class_times import as_exclusions
from agent.llm.offline.language.spans.classes.new_class import opens_class, read_new_class
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.rates import correct_rate, read_rate
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, find_quoted_texts, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import ClassView

_WRITES = frozenset([WRITE, WRITE_ALL, "set_preferences", "replan"])
"""Tools by which a rule is set, or kept to."""
_LIMITING = ("limit", "wish", "class")
_BACK = ("撤销上一步", "undo that")
_LONGEST = 60
_INSTEAD = re.compile(
    r"[改换](?:成|为|到)?|而是|应该是?|还是|我是说|算了"
    r"|\b(?:instead(?: of)?|rather(?: than)?|make (?:that|it)|let's say|change (?:that|it) to|should be"
    r"|(?:(?:would be|is|are|suits?(?: me)?) )?better)\b"
)
"""That other times are meant in the place of those before."""
_AROUND = re.compile(
    r"[的都也吧呢啊了那就是和跟与、把]|\b(?:on|and|the|of|it|that|this|please|then|i|mean|meant|in|be|no|not)\b"
)


def restate(text: str, last: Exchange, brief: Brief) -> str:
    """The rule that was set, taken back, and what a turn makes of it; empty for other turns."""
    base = last.said.removeprefix(brief.say(*_BACK) + APART)
    if not _WRITES & {*last.wrote} or len(text) > _LONGEST or intent_of(base, brief) not in _LIMITING:
        return ""
    if says("asking", fold_text(text)) or items_in(text, brief, among=all_items(brief)):
        return ""
    before, opened = _leave_out_rule(base, brief), open_after_all(text, base, brief)
    if classes_in(text, brief.classes) and opened and read_closed(base, brief):
        return opened.whole  # for some classes alone
    rate = "" if adds_more(text) else correct_rate(text, base, before)
    told = rate or _close_instead(text, base, before) or _narrow(text, base, before)
    if told in ("", base):
        return ""
    return told if rate and _takes_its_place(rate, base, before) else f"{brief.say(*_BACK)}{APART}{told}"


def _takes_its_place(rate: str, base: str, brief: Brief) -> bool:
    """Whether a limit is noted where the one before it was, so that this is gone."""
    new, old = (read_rate(one, brief) for one in (rate, base))
    return new is not None and old is not None and replace(new, number=old.number, unit=old.unit) == old


def _leave_out_rule(base: str, brief: Brief) -> Brief:
    """The brief of the time when no class kept to a rule yet."""
    closed, rows = read_closed(base, brief), list[ClassView]()
    for row in brief.classes:
        left = as_exclusions(excluded_of(row, brief.term) - closed, brief.term)
        rows.append(cast(ClassView, {**row, **{name: [*(cells or ())] for name, cells in left.items()}}))
    return replace(brief, view={**brief.view, "classes": rows})


def _close_instead(text: str, base: str, brief: Brief) -> str:
    """The rule with other times of every week in the place of its own: i meant sundays; 改成周日."""
    closed, folded = read_closed(base, brief), fold_text(tell_correction(text, base, brief))
    times = read_times(folded, brief.term)
    weekly = all(one.kind in ("weekday", *OF_DAY) and not (one.first or one.side) for one in times)
    rest = folded
    for one in reversed(times):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    told = says("correction", folded) or _INSTEAD.search(rest)
    left = strip_fillers(_AROUND.sub(" ", _INSTEAD.sub(" ", pattern("correction").sub(" ", rest))))
    if not (closed and times and weekly and told) or left or classes_in(text, brief.classes) or opens_days(rest):
        return ""
    more = give_hours_of(closed, read_weekly(folded, brief.term), folded, brief)
    return spell_cells(more, classes_in(base, brief.classes), brief) if more else ""


def _narrow(text: str, base: str, brief: Brief) -> str:
    """The rule in some weeks, or a limit of numbers for some classes."""
    found = open_after_all(text, base, brief)
    if found and found.whole and (found.dated or read_conditions(base, brief).counted):
        return found.whole
    return spell_once(text, base, brief)


def change_made(text: str, last: Exchange, brief: Brief) -> str:
    """The class that was just made with what a turn tells of it otherwise, as over the card that made it: start a week
    later; without chapter 3; 还是叫数理统计. Empty for other turns."""
    told, folded = _list_told(last), fold_text(text)
    slots = read_new_class(told[0], brief.term).completed() if told and len(text) <= _LONGEST else ClassSlots()
    others = [one for row in brief.classes if row["name"] != slots.name for one in (row, *row["items"])]
    named = any(fold_text(str(one.get("name") or one.get("content"))) in folded for one in others)
    intent = "class" if number_anew(slots.items, text) else intent_of(text, brief)
    moves = intent in ("move", "place") and find_mentioned(text, brief)
    if not (slots.name and slots.items and slots.start) or named or moves or intent in _OTHER_DEEDS:
        return ""
    alone = replace(brief, view={**brief.view, "classes": [], "draft": None})
    for one in told[1:]:
        called = find_quoted_texts(one) if says("rename", fold_text(one)) else []
        changed = replace(slots, name=called[-1]) if called else correct_class(slots, one, alone)
        if changed is None:
            return ""
        slots = changed
    made = correct_class(slots, text, alone)
    return APART.join(one.say(brief.language) for one in _list_changes(slots, made)) if made else ""


_OTHER_DEEDS = ("swap", "mark", "replan", "undo", "build")


def _list_told(last: Exchange) -> list[str]:
    """The wish for the class that was just made, and what was told of it since; none where another one was changed."""
    told, one = list[str](), last
    while WRITE in one.wrote:
        told = [one.meant or one.said, *told]
        if says("create", one.text) or opens_class(told[0]):
            return told
        if one.before is None:
            break
        one = one.before
    return []


def _list_changes(slots: ClassSlots, made: ClassSlots) -> list[Frame]:
    """What is to be changed of a class for it to be as another one."""
    name, told = slots.name, list[Frame]()
    gone = [one for one in slots.items if one not in made.items]
    more = [one for one in made.items if one not in slots.items]
    if gone:
        told.append(frame_of("remove_of", {"class": (name,), "items": tuple(gone)}))
    told += [frame_of("add_item", {"class": (name,), "text": (f'"{one}"',)}) for one in more]
    if made.start and made.start != slots.start:
        told.append(frame_of("begins", {"class": (name,), "time": (made.start.isoformat(),)}))
    if made.end and made.end != slots.end:
        told.append(frame_of("deadline", {"class": (name,), "time": (made.end.isoformat(),)}))
    each = [usual_length(one) for one in (slots, made)]
    if each[0] != each[1] and not (gone or more):
        told.append(frame_of("each_takes", {"class": (name,), "number": (str(each[1]),)}))
    if made.name != name:
        told.append(frame_of("rename_class", {"class": (name,), "text": (made.name,)}))
    return told
