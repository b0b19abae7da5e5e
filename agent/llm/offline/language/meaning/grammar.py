"""The grammar: which words and spans of a message speak for which intent, and how strongly.

A line is one way of saying something: its weight, the features that must all be there, and those that must not.
Features are the concepts of `lexicon.py`, and the findings of `features.py`: the kinds of spans a message has (`item`,
`class`, `time`, `shift`, ...) and what they say together (`describes_class`, `negates_move`, ...). The heaviest line
that holds gives the message its intent; what is told in no line is `other`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Intent = Literal[
    "explain", "class", "plan_first", "build", "optimise", "remove", "swap", "place", "move", "show", "free", "changes",
    "class_facts", "classes", "end_asked", "next", "past", "due", "try", "load", "fits",
    "delete_class", "mark", "replan", "rules", "reasons", "keep", "wish", "limit", "undo", "recovery", "other",
]  # fmt: skip
OPERATIONS: tuple[Intent, ...] = ("remove", "swap", "place", "move", "try")
"""What is said of items; `try` asks where one can go and writes only what is chosen then."""
WRITES: tuple[Intent, ...] = ("remove", "swap", "place", "move", "class", "build", "delete_class", "wish")


@dataclass(frozen=True)
class Line:
    """One way of saying an intent."""

    intent: Intent
    weight: int
    all_of: tuple[str, ...]
    none_of: tuple[str, ...] = ()


def _line(intent: Intent, weight: int, features: str) -> Line:
    """`"verb item -question"`: a minus before what must not be there."""
    words = features.split()
    wanted = tuple(word for word in words if word[0] != "-")
    return Line(intent, weight, wanted, tuple(word[1:] for word in words if word[0] == "-"))


GRAMMAR: tuple[Line, ...] = (
    # what the page has buttons for, what is not wanted
    _line("other", 100, "button -describes_class"),
    _line("other", 99, "declines"),
    # the plan anew, and what of it stays
    _line("build", 99, "held_class reschedule -question -asking -any_item"),
    _line("explain", 97, "why_asked nothing_there time -any_item -describes_class"),
    _line("keep", 98, "negates_move -wanted_after -describes_class"),
    _line("move", 94, "related -question -class_noun -describes_class"),
    # back to where it was
    _line("undo", 99, "item just_moved spared -time -shift -question"),
    _line("undo", 95, "back item just_moved -time -shift -question"),
    _line("move", 93, "goes_back"),
    _line("undo", 94, "back steps_said -any_item -class"),
    _line("undo", 92, "back -any_item -class -time"),
    _line("remove", 93, "out_again"),
    _line("try", 99, "hypothetical item -class_noun"),
    _line("optimise", 93, "fill -item -class -time"),
    _line("show", 93, "going_out time -item -describes_class"),
    # what happened
    _line("replan", 92, "away -inquires -weekly_off -item -question -describes_class -class_noun -create"),
    _line("recovery", 60, "recovers time -any_item -class"),
    _line("replan", 100, "mends_clashes -question -item"),
    _line("replan", 94, "finish_first class planned -item -question -describes_class"),
    _line("replan", 92, "lighter week_said -item -named_class -question -describes_class"),
    _line(
        "replan", 92, "keep_free dated -item -named_class -question -asking -describes_class -class_noun -create -build"
    ),
    _line(
        "replan",
        92,
        "busy_then dated -inquires -item -named_class -question -describes_class -class_noun -create -build",
    ),
    # what holds for every plan
    _line("wish", 93, "unwishes"),
    _line(
        "wish",
        92,
        "plan_wishes -describes_class -class_noun -build -plans_new -plans_too -whole_plan -asks_when -starts_all",
    ),
    _line("build", 92, "starts_all plan_wishes -question"),
    _line("build", 93, "starts_daily -plans_with_limits -question"),
    _line("rules", 96, "rules_asked -unwishes -describes_class -weekly_off"),
    _line("class", 95, "lifts_times -question"),
    # classes
    _line("classes", 92, "classes_asked"),
    _line(
        "delete_class", 91, "delete class -any_item -content_word -contents -from_timetable -describes_class -excludes"
    ),
    _line("mark", 91, "not_done group -question -describes_class -move -place -class_noun"),
    _line("mark", 91, "not_done item -question -describes_class -time_ahead -shift -class_noun"),
    _line("mark", 87, "partly item -question -describes_class -shift -move -place -pick_up"),
    _line("mark", 91, "not_done past time -item -question -asking -class_noun -describes_class"),
    _line("show", 95, "left_to_do inquires -describes_class -fits -pending_group"),
    _line("class", 90, "class_noun create -whole"),
    _line("class", 90, "class_noun edit"),
    _line("class", 90, "describes_class"),
    _line("class", 90, "edits_named"),
    _line("class", 90, "wishes"),
    _line("class", 90, "weekly_off -question -describes_class -asking"),
    _line("class", 90, "changes_end"),
    _line("class", 90, "starts_later -item -question"),
    _line("class", 95, "sets_length -question -describes_class"),
    _line("class", 90, "changes_items"),
    _line("class", 90, "filler one_class"),
    _line("fits", 89, "fits"),
    _line("mark", 87, "finished item -question -asking -describes_class -pick_up"),
    _line("load", 87, "fullness time -item"),
    _line("replan", 86, "missed -item -describes_class -question -get_in -plans_class"),
    _line("plan_first", 85, "plan_first"),
    _line("class", 93, "plans_with_limits -question"),
    # one item or several
    _line("place", 82, "place_bare time item -unwanted"),
    _line("place", 81, "build_weakly time any_item -unwanted"),
    _line("place", 81, "waiting build -question -asking -class_noun -describes_class"),
    _line("place", 81, "waiting build_weakly -question -asking -class_noun -describes_class"),
    _line("place", 81, "waiting build_timed -question -asking -class_noun -describes_class"),
    # the whole plan
    _line("build", 80, "build"),
    _line("build", 79, "build_timed time class"),
    _line("class", 78, "earlier_end one_class"),
    _line("optimise", 77, "optimise -other_day"),
    _line("optimise", 76, "lighter -item"),
    _line("remove", 101, "picks cancels -lasting -question -asking -class_noun -create -describes_class"),
    _line("remove", 92, "picks remove -lasting -question -build -class_noun -create -describes_class"),
    _line("move", 93, "picks sent_away -question -class_noun -describes_class"),
    _line("swap", 91, "picked swap -question -class_noun -describes_class -item"),
    _line("move", 72, "picked place_bare -asking -question -class_noun -describes_class"),
    _line("remove", 75, "remove"),
    _line("swap", 73, "swap"),
    _line("place", 71, "place"),
    _line("move", 70, "move"),
    # looking, and looking for something better
    _line("class_facts", 62, "size_asked class -time -describes_class -item"),
    _line(
        "move",
        62,
        "group_goes -asking -class_noun -describes_class -keep_free -not_done -finished -remove -build",
    ),
    _line("end_asked", 62, "last_day_asked -item"),
    _line("free", 60, "free -spacing -keep_free"),
    _line("show", 59, "show"),
    _line("show", 58, "what_is_on time"),
    _line("show", 57, "begin_asked -item -time -describes_class"),
    # the weaker verbs
    _line("move", 71, "item avoids -question -class_noun -describes_class -plan_wishes"),
    _line("move", 71, "item other_day -class_noun -describes_class"),
    _line("move", 55, "shift -question -class"),
    _line("move", 56, "leaves_its_time -asking -class_noun -describes_class -remove"),
    _line("move", 54, "nudge item -question -class_noun -time"),
    _line("move", 54, "nudge spoken_item -question -class -time"),
    _line("move", 55, "nudge group -question -class_noun -describes_class -deadline"),
    _line("build", 91, "also class -any_item -question -time -excludes -content_word -describes_class -move -missed"),
    _line("build", 66, "start_with class -planned -item -question -describes_class -create"),
    _line("build", 49, "build_loosely"),
    _line("build", 48, "build_weakly"),
    _line("build", 46, "build_timed class -item -question"),
    _line(
        "move", 47, "item time_ahead -class_noun -finished -missed -keep_free -busy_then -deadline -question -unwanted"
    ),
    _line("build", 47, "wants_known"),
    _line("class", 46, "wants_new"),
)
