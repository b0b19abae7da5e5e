"""Whether what was wanted was done, asked when no card is open."""

from __future__ import annotations

from agent.llm.offline.goals.turns.asked_over_card import find_step_left
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether_done
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times


def tell_whether_done(brief: Brief) -> str:
    """What was written last; empty where something else is asked, or a card was asked about."""
    typed = brief.last_said
    said = brief.spoken.get(typed, typed)
    named = items_in(said, brief, among=all_items(brief)) or classes_in(said, brief.classes)
    if not asks_whether_done(said) or named or read_times(said, brief.term):
        return ""
    dialogue = brief.view["dialogue"][-2:]
    if any(find_step_left(text, dialogue) is not None for text in (said, typed)):
        return ""
    wrote = [turn["text"] for turn in brief.earlier if turn["wrote"]]
    if not wrote:
        return brief.say("还没有：最近的对话里什么都没有写下。", "No: nothing was written in what we said lately.")
    return "\n".join([brief.say("最近写下的是：", "This was written last:"), wrote[-1]])
