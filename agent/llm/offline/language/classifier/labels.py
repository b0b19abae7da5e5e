"""What a student may want of the assistant: the labels of the sentences, and the intent of the grammar for each."""

from __future__ import annotations

from collections.abc import Mapping

from agent.llm.offline.language.meaning.grammar import Intent

INTENTS: Mapping[str, Intent] = {
    # items of the plan
    "move": "move",  # to another time or place, also of an item that has none
    "swap": "swap",
    "unplace": "remove",  # out of the plan, not out of the class
    "try": "try",  # whether or where an item could go
    # questions
    "show": "show",
    "free": "free",
    "load": "load",
    "fits": "fits",
    "next": "next",
    "past": "past",
    "due": "due",
    "end_asked": "end_asked",
    "class_facts": "class_facts",
    "classes": "classes",
    "changes": "changes",
    "explain": "explain",
    "reasons": "reasons",
    # the plan as a whole
    "build": "build",
    "optimise": "optimise",
    "plan_first": "plan_first",
    "wish": "wish",  # what every plan is to heed
    # the class itself
    "class_create": "class",
    "class_dates": "class",
    "class_items": "class",
    "class_times": "class",
    "class_rules": "class",
    "delete_class": "delete_class",
    # the term
    "mark_done": "mark",
    "mark_missed": "mark",
    "mark_partly": "mark",
    "unmark": "mark",
    "away": "replan",
    "catch_up": "replan",
    "lighter": "replan",
    # talk
    "undo": "undo",
    "keep": "keep",
    "agree": "other",
    "refuse": "other",
    "pick": "other",
    "amend": "other",  # a piece that completes or corrects what was said before
    "help": "other",
    "button": "other",  # what the page has a button for
    "chat": "other",
    "offtopic": "other",
}
CHANGES_CLASS = frozenset({"class_dates", "class_items", "class_times", "class_rules"})
FOLLOW_UPS = frozenset({"agree", "refuse", "pick", "amend"})
"""What only means something after what was said before."""
CARRIED_OUT_BY: Mapping[str, tuple[Intent, ...]] = {
    "move": ("place", "move", "class"),
    "try": ("try", "move", "place"),
    "fits": ("fits", "free", "build"),
    "build": ("build", "plan_first", "class"),
    "class_items": ("class", "build"),
    "undo": ("move", "remove", "undo", "keep"),
    "mark_missed": ("mark", "replan", "move"),
    "catch_up": ("mark", "replan", "move"),
    "lighter": ("replan", "optimise", "build", "wish"),
    "wish": ("wish", "class", "replan"),
    "class_times": ("wish", "class", "replan"),
    "away": ("wish", "class", "replan"),
    "chat": ("recovery",),
}
"""Intents by which the grammar carries a label out, as the context has it."""
