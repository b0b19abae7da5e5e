"""What a new class is to be approved with: its contents by name, what is nothing of it, and what follows."""

from __future__ import annotations

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.plain.classes.new_classes import find_untold
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES

_MOST_LISTED = 8
"""Contents that a card lists before it counts the rest."""
SAME_NAME = (
    "已经有一个同名的任务类，这会是另一个；要改原来那个，请说「算了」，再说「修改…」。",
    'There is a task class of that name already and this will be another one; to change the old one say "never mind", '
    'then "edit ...". ',
)


def announce_class(brief: Brief, slots: ClassSlots) -> str:
    """Tells what a new class holds, and what becomes of it once it is approved."""
    later = (
        brief.say("我先建好任务类，确认后马上排。", "I set up the task class first and plan it once you approve.")
        if brief.view["needs_rough_build"]
        else brief.say("我先建好任务类，请确认。", "I set up the task class; please approve it.")
    )
    if any(row["name"] == slots.name for row in brief.classes):
        later = brief.say(*SAME_NAME) + later
    if slots.minutes and slots.each and slots.minutes != slots.each * SECTION_MINUTES:
        later += brief.say(
            "{minutes} 分钟按 {n} 节（{whole} 分钟）算。", " {minutes} minutes count as {n} x 45 minutes.",
            minutes=slots.minutes, n=slots.each, whole=slots.each * SECTION_MINUTES,
        )  # fmt: skip
    later += _tell_untold(brief)
    if not slots.placeholders:
        return later + _list_items(brief, slots.items)
    return later + brief.say(
        "没有列出内容，先用占位名称「{first}」…「{last}」。",
        ' No items were listed, so they get placeholder names "{first}" ... "{last}".',
        first=slots.items[0],
        last=slots.items[-1],
    )


def _list_items(brief: Brief, items: tuple[str, ...]) -> str:
    """What a new class has, by its names, or by the first of them and how many there are."""
    more = len(items) > _MOST_LISTED
    told = (
        ("内容（{n}项）：{names}……", " Items ({n}): {names}, ...") if more else ("内容：{names}。", " Items: {names}.")
    )
    names = brief.say("、", ", ").join(items[: _MOST_LISTED - 2 if more else None])
    return brief.say(*told, n=len(items), names=names)


def _tell_untold(brief: Brief) -> str:
    """The pieces of the request that are nothing of the class, where no other goal is made of them."""
    said = brief.spoken.get(brief.request, brief.request)
    rest = () if brief.view["rest"] else find_untold(said, brief.before_goal)
    if not rest:
        return ""
    quoted = brief.say("、", ", ").join(brief.say(f"「{one}」", f'"{one}"') for one in rest)
    return brief.say("没用上：{quoted}。", " Not used for it: {quoted}.", quoted=quoted)
