"""What is found in a message whatever it is about: classes, items and times that it names."""

from __future__ import annotations

from functools import cached_property
from typing import Self

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_changes import tells_only_contents
from agent.llm.offline.language.spans.classes.class_sentence import (
    ClassSlots,
    read_class,
)
from agent.llm.offline.language.spans.classes.new_class import find_opened_name, opens_class
from agent.llm.offline.language.spans.items.counted import find_counted_items
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals, split_list
from agent.llm.offline.language.spans.mentions import (
    all_items,
    blank_names,
    classes_in,
    items_in,
)
from agent.llm.offline.language.spans.targets import target_in
from agent.loop.view_document import TaskView


def find_spoken_classes(brief: Brief) -> list[int]:
    """The classes of the student's last words before this goal."""
    said = [turn["text"] for turn in brief.earlier if turn["role"] == "user"]
    return classes_in(said[-1], brief.classes) if said else []


class Facts:
    """What a message tells, each found when it is asked for, and whether it has the features that `find` knows."""

    _known: dict[str, bool]
    """The features that were asked for."""

    def __new__(cls, message: str, brief: Brief) -> Self:
        """Answers the one object for a message of a brief: what it has found is found for everyone who asks."""
        known: dict[str, Self] = brief.found.setdefault("features", {})
        if message not in known:
            made = known[message] = super().__new__(cls)
            made._known = {}
        return known[message]

    def __init__(self, message: str, brief: Brief) -> None:
        self.message, self.brief = message, brief
        self.folded = fold_text(message)

    def has(self, feature: str) -> bool:
        if feature not in self._known:
            self._known[feature] = self.find(feature)
        return self._known[feature]

    @cached_property
    def text(self) -> str:
        """The message without the names of items: 词根词缀总览 is no wish for an overview."""
        return blank_names(self.folded, [row["name"] for row in self.brief.tasks])

    @property
    def class_names(self) -> list[str]:
        return [row["name"] for row in self.brief.classes]

    @cached_property
    def slots(self) -> ClassSlots:
        return read_class(self.message, self.brief.term)

    @cached_property
    def opens_class(self) -> bool:
        """Whether the message wishes for a class that is not there."""
        if not opens_class(self.message) or tells_only_contents(self.message, self.brief):
            return False
        name = fold_text(find_opened_name(self.message, self.brief.term))
        known = [fold_text(row["name"]) for row in self.brief.classes]
        return not any(name in one or one in name for one in known) if name else not self.classes

    @cached_property
    def classes(self) -> list[int]:
        return classes_in(self.message, self.brief.classes)

    @cached_property
    def spoken(self) -> list[int]:
        """The classes that the student's last words named: what a sentence without a name goes on about."""
        return find_spoken_classes(self.brief)

    @cached_property
    def items(self) -> bool:
        return bool(items_in(self.message, self.brief))

    @cached_property
    def any_items(self) -> bool:
        """Whether an item is named, also one of a class that is not planned."""
        return self.items or bool(items_in(self.message, self.brief, among=all_items(self.brief)))

    @cached_property
    def group_items(self) -> list[TaskView]:
        group = find_group(self.message, self.brief)
        return group.items if group else []

    @cached_property
    def timed(self) -> bool:
        return target_in(self.message, self.brief).said

    @property
    def of_one_class(self) -> bool:
        """Whether one class is named, or none while only one can be meant."""
        brief = self.brief
        if not self.classes and len(self.spoken) == 1:
            return True
        return len(self.classes) == 1 or (not self.classes and (len(brief.scope) == 1 or len(brief.classes) == 1))

    @property
    def _names_no_class(self) -> bool:
        return not classes_in(self.message, self.brief.classes) or (
            set(self.classes) == {row["id"] for row in self.brief.classes} and len(self.classes) > 1
        )

    @cached_property
    def contents(self) -> list[TaskView]:
        """The items of classes, planned or not, that are named or counted."""
        text = spell_out_ordinals(self.message)
        found = [row for piece in split_list(text) for row in items_in(piece, self.brief, among=all_items(self.brief))]
        return find_counted_items(self.message, self.brief) or found

    def find(self, feature: str) -> bool:
        """Whether a message has a feature; the findings that stand on these facts say how."""
        raise NotImplementedError
