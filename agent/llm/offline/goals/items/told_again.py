"""Words over a card of places that tell once more what it does."""

from __future__ import annotations

from typing import Any

from agent.llm.offline.goals.decisions import NOT_USED
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.dialogue.slots import find_bare_count
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.targets import avoided_in, shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import AS_IT_WAS, CARD_AGAIN, SO_ON_CARD
from agent.loop.view_document import SlotView

_SEVERAL, _MOST_LISTED = 2, 9


def tell_again(brief: Brief, slots: list[SlotView], *, so: bool) -> str:
    """What is told over a card of several places that comes again; `so`: the words want what it has, if anything."""
    if not _is_so(brief, slots):
        unread = brief.say(*NOT_USED, said=brief.spoken.get(brief.last_said, brief.last_said))
        return f"{unread}\n{brief.say(*CARD_AGAIN)}"
    return f"{brief.say(*SO_ON_CARD)}\n{brief.say(*CARD_AGAIN)}" if so else brief.say(*AS_IT_WAS)


def _is_so(brief: Brief, slots: list[SlotView]) -> bool:
    """Whether every time that words over a card tell is one of its items', and every item is at one of them."""
    text = fold_text(brief.turns[-1])
    times = [text[one.start : one.end] for one in read_times(text, brief.term) if one.role != "avoided"]
    told = [where for one in times if (where := target_in(one, brief)).said]
    if len(told) < _SEVERAL:
        return True
    return all(any(one.covers(slot) for slot in slots) for one in told) and all(
        any(one.covers(slot) for one in told) for slot in slots
    )


def shifts_as_on_card(brief: Brief, wanted: tuple[str, dict[str, Any]]) -> bool:
    """Whether words over a card tell by how much it is to shift its item, which is what it does."""
    last, text = brief.view["rejected"][-1], fold_text(brief.turns[-1])
    over = brief.last_answer("tool", "reject")
    if over is None or not over["message"] or (last["name"], last["arguments"]) != wanted:
        return False
    told = shift_in(text) is not None or (find_bare_count(text) and choice_in(text, _MOST_LISTED) is None)
    return bool(told) and not any(says(one, text) for one in ("correction", "counts_on", "unwanted", "asking"))


def names_it_again(brief: Brief, place: Json) -> bool:
    """Whether words over a card name the very sections that it shows, which is consent to them."""
    refused = brief.last_answer("tool", "reject")
    said = target_in(refused["message"], brief).sections if refused is not None and refused["message"] else None
    avoided = refused is not None and avoided_in(refused["message"], brief.term)
    return bool(said and said[0] == place["slot_start"] and not (avoided and avoided.said))
