"""A change of every class whose request names items is one of their classes alone, and of those as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, items_in, said_names
from agent.loop.view_document import TaskView


def keep_named(ids: Sequence[int], brief: Brief) -> list[int]:
    """Those of the classes whose items the request names; all where it names none."""
    owners = _find_owners(brief)
    return [one for one in ids if one in owners] or [*ids]


def _find_owners(brief: Brief) -> list[int]:
    """The classes of the items that the request names, where it names no class."""
    text = fold_text(brief.request)
    named = said_names(text, brief) or says("all", text)
    return [] if named else sorted({row["class_id"] for row in _find_items(brief)})


def _find_items(brief: Brief) -> list[TaskView]:
    named = named_items(brief.request, brief) or items_in(brief.request, brief, among=all_items(brief))
    return named or find_mentioned(brief.request, brief)


def tell_whole_class(class_id: int, brief: Brief) -> str:
    """That times kept free are those of all items of a class, where the request only names some of them."""
    row = brief.class_of(class_id)
    if row is None or class_id not in _find_owners(brief) or len(_find_items(brief)) >= row["item_count"]:
        return ""
    return brief.say(
        "这样的时间限制只能给整个任务类设，「{name}」的每一项都会照它排。",
        ' Such times can only be set for a whole class: they hold for every item of "{name}".',
        name=row["name"],
    )
