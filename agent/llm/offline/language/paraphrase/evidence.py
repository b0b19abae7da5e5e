"""Whether words of a request speak of what its form would do to whole classes or to the whole plan.

The models name the form that is likeliest, and of a verb that they do not know that is often a plan: where they are not
certain, a word of the thesaurus has to speak of it."""

from __future__ import annotations

from collections.abc import Sequence

from agent.llm.offline.language.classifier.features import find_features
from agent.llm.offline.language.lexicon import says

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
    """Whether the tokens of a request have a word that speaks of its form; forms that need none always are."""
    if form not in _SPEAK:
        return True
    kinds, concepts = _SPEAK[form]
    said = {name[1:] for name in find_features(words) if name.startswith("@")}
    text = ("" if any(ord(char) > 0x2E80 for char in "".join(words)) else " ").join(words)
    return any(says(concept, text) for concept in concepts) or bool(said & kinds and not said & _OTHERS)
