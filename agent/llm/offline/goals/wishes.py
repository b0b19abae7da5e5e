"""The goal of a wish about every plan: set_preferences, once."""

from __future__ import annotations

import re
from typing import Any

from agent.llm.offline.goals.decisions import NOT_USED, Decision, call, find_words_beside, finish, give_up
from agent.llm.offline.goals.items.offers import was_rejected
from agent.llm.offline.goals.new_plan import tell_plan_follows
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.revision.open_after_all import EXCEPTS
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import only_tells_time
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.planned_classes import find_planned_classes
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.wishes import taken_back_in, wishes_beside, wishes_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import WEEKDAYS, weekday_names
from agent.llm.offline.language.texts import CARD_AGAIN, slot_text
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import ClassView, SlotView, WishView

NAME = "set_preferences"


def set_wishes(brief: Brief) -> Decision | None:
    intent = intent_of(brief.request, brief)
    planned = intent in ("build", "class") and bool(wishes_of_plan(brief))
    if intent != "wish" and not planned:
        return None
    tried = [row for row in brief.results if row["tool"] == NAME]
    wishes = (
        wishes_of_plan(brief) if planned else taken_back_in(brief.request, brief) or wishes_in(brief.request, brief)
    )
    arguments = {"wishes": wishes}
    if planned and tried:
        return None
    if was_rejected(brief, NAME, arguments):
        unread = "" if planned else find_words_beside(brief)
        if unread:
            return give_up(SAME_REQUEST, "\n".join((brief.say(*NOT_USED, said=unread), brief.say(*CARD_AGAIN))))
        return finish(brief, brief.say("按你的决定不记下", "not kept, as decided"))
    if not tried:
        beside = tell_plan_follows(brief).strip() if planned else tell_same_every_day(arguments, brief.request, brief)
        told = "\n".join(filter(None, (beside, _tell_whole_blocks(arguments, brief))))
        return call(brief, NAME, arguments, speak=told)
    if tried[-1]["status"] == "done":
        return finish(brief, f"{NAME}: done")
    return give_up("wish_not_kept", wish_text(brief) or brief.say("没有记下。", "It was not kept."))


def wishes_of_plan(brief: Brief) -> list[dict[str, Any]]:
    """What a request for a plan, or for other contents, wishes of it besides what its classes are to keep to."""
    said = Features(brief.request, brief)
    changed = [one for change in read_content_changes(brief.request, brief).told for one in change.classes]
    if said.slots.described or said.opens_class or not (said.builds or changed):
        return []
    ids = list(dict.fromkeys(changed)) or find_planned_classes(brief.request, brief)
    ids = ids or [row["id"] for row in brief.classes]
    found = wishes_beside(brief.request, brief)
    found = [wish for wish in found if wish.get("task_class_id") in (None, *ids)]
    if not 0 < len(ids) < len(brief.classes):
        return found
    # So many a day of several classes together is a limit of their plan; a wish would be one of each, or of all.
    told = [wish for wish in found if len(ids) == 1 or wish["kind"] != "blocks_a_day" or "task_class_id" in wish]
    return [{"task_class_id": one, **wish} for wish in told for one in ids if wish.get("task_class_id") in (None, one)]


NO_LIMIT = (
    "没有记下这样的限制，没有可以取消的。",
    "No such limit is noted, so there is nothing to drop.",
)
_KINDS = {
    "earliest_section": ("{who}不早于第{n}节", "{who}: not before section {n}"),
    "latest_section": ("{who}不晚于第{n}节", "{who}: not after section {n}"),
    "day_part": ("{who}放在{part}", "{who}: in the {part}"),
    "light_weekday": ("{day}少排{who}", "{who}: little on {day}"),
    "blocks_a_day": ("{who}每天最多 {m} 节", "{who}: at most {m} sections a day"),
    "finish_early": ("{who}提前 {n} 天完成", "{who}: done {n} days early"),
}
_PARTS = (("上午", "morning"), ("下午", "afternoon"), ("晚上", "evening"), ("深夜", "night"))


def rules_text(brief: Brief) -> str:
    """The wishes that hold, and the times that the classes leave free."""
    told = [_name_wish(brief, wish) for wish in brief.wishes]
    told += [line for row in brief.classes if (line := _name_times(brief, row))]
    way = brief.say(
        "愿望在「设置」的「排程愿望」里都能看到和取消。", 'All wishes stand in the settings under "Wishes for plans".'
    )
    if not told and not brief.draft:
        return brief.say("还没有计划，这里看不到已记下的愿望。", "Without a plan I do not see the wishes here. ") + way
    head = (
        brief.say("现在的规矩：", "What holds now:")
        if told
        else brief.say("还没有记下什么规矩。", "No rules are noted.")
    )
    return "\n".join([head, *told, way])


def _name_wish(brief: Brief, wish: WishView) -> str:
    row, n = brief.class_of(wish["class_id"]), wish["value"]
    all_ = brief.say("高强度内容", "Demanding items") if wish["hard_only"] else brief.say("学习任务", "All items")
    who = brief.say("「{name}」", '"{name}"', name=row["name"]) if row else all_
    part = brief.say(*_PARTS[min(n, len(_PARTS)) - 1])
    (day,) = weekday_names([min(n, len(WEEKDAYS))], brief.language)
    return brief.say(*_KINDS[wish["kind"]], who=who, n=n, m=2 * n, part=part, day=day)


def _name_times(brief: Brief, row: ClassView) -> str:
    """「物理实验」不排：周一、第9-10节."""
    days = weekday_names(row["excluded_days"], brief.language)
    blocks = [
        brief.say(f"第{2 * block - 1}-{2 * block}节", f"sections {2 * block - 1}-{2 * block}")
        for block in row["excluded_blocks"]
    ]
    cells = [
        weekday_names([day], brief.language)[0]
        + brief.say(f"第{2 * block - 1}-{2 * block}节", f" {2 * block - 1}-{2 * block}")
        for day, block in row["excluded_cells"]
    ]
    told = brief.say("、", ", ").join([*days, *blocks, *cells])
    return (
        brief.say("「{name}」不排：{told}", '"{name}" keeps free: {told}', name=row["name"], told=told) if told else ""
    )


def _find_against(brief: Brief, wishes: list[dict[str, Any]]) -> list[str]:
    """The items that stand where a wish does not want them, with their places."""
    found = []
    for row in brief.tasks:
        own = [one for one in wishes if one.get("task_class_id") in (None, row["class_id"])]
        if (slot := row["slot"]) and any(_is_against(one["kind"], one["value"], slot, brief) for one in own):
            found.append(
                brief.say("{name}（{place}）", "{name} ({place})", name=row["name"], place=slot_text(brief, slot))
            )
    return found


def _is_against(kind: str, value: int, slot: SlotView, brief: Brief) -> bool:
    begin, end = brief.term.day_parts[value - 1] if kind == "day_part" else (1, brief.term.sections)
    begin, end = (value if kind == "earliest_section" else begin), (value if kind == "latest_section" else end)
    outside = slot["slot_start"] < begin or slot["slot_end"] > end
    return outside or (kind == "light_weekday" and slot["day_of_week"] == value)


def wish_text(brief: Brief) -> str:
    """What became of the wish."""
    tried = [row for row in brief.results if row["tool"] == NAME]
    if not tried:
        return ""
    if tried[-1]["status"] != "done":
        if (tried[-1].get("error_code") or "") == "no_change":
            told = ("这和已经记下的一样，没有变化。", "That holds already; nothing changed.")
            dropped = all(wish.get("value") is None for wish in tried[-1]["arguments"]["wishes"])
            return brief.say(*(NO_LIMIT if dropped else told))
        return brief.say("没有保存成功，请稍后再试。", "It could not be saved, please try again later.")
    if brief.done("smart_planning"):
        told = ("愿望已记下，这次就是按它排的{but}。", "The wish is noted, and this plan was made by it{but}.")
        against = brief.say("、", ", ").join(_find_against(brief, tried[-1]["arguments"]["wishes"]))
        but = brief.say("；没能照办：{items}", "; it could not be heeded for {items}", items=against) if against else ""
        return brief.say(*told, but=but)
    if any(row["tool"] == "replan" for row in brief.results):
        return brief.say("已记下，以后排程也会尽量照办。", "Noted; later plans will heed it where they can.")
    if all(wish.get("value") is None for wish in tried[-1]["arguments"]["wishes"]):
        return brief.say("好的，以后不再按它排。", "All right, plans no longer heed it.")
    return brief.say(
        "已记下。以后排程和体检会尽量照办；已经排好的要按它重排，请说「重新粗排」。",
        'Noted. Plans and check-ups will heed it where they can; to plan again by it, say "rebuild".',
    )


_ONE_SECTION = re.compile(r"(?<![\d第])1\s*小?节|\b(?:1|one|a) (?:section|period)\b")


def _tell_whole_blocks(arguments: dict[str, Any], brief: Brief) -> str:
    """That so many sections a day are counted in blocks of two, where another number was said."""
    noted = [one["value"] for one in arguments["wishes"] if one["kind"] == "blocks_a_day" and one["value"] is not None]
    said = [
        n for one in read_conditions(brief.request, brief).said if (n := one.values.get("sections_a_day")) is not None
    ]
    if not said and _ONE_SECTION.search(fold_numbers(brief.request)):
        said = [1]  # which is less than any item has
    if not (noted and said) or said[0] == 2 * noted[0]:
        return ""
    return brief.say(
        "这种愿望按两节一段记：你说的 {n} 节记成 {m} 节。",
        "Such a wish counts blocks of two sections: the {n} that you said are noted as {m}.",
        n=said[0],
        m=2 * noted[0],
    )


_ALLOWS = re.compile(r"[也都]行|可以|\b(?:ok(?:ay)?|fine|all ?right|allowed|can)\b")
_THOUGH = re.compile(r"\b(?:though|tho|instead|please)\b|的话|[就还]是")


def tell_same_every_day(arguments: dict[str, Any], said: str, brief: Brief) -> str:
    """That what is wished of every day cannot be otherwise on some days: 周末可以多点，四节; except weekends; fridays
    the evening though."""
    text, times = fold_text(said), read_times(fold_text(said), brief.term)
    kinds = {one["kind"] for one in arguments.get("wishes", ()) if one.get("value") is not None}
    days = kinds and any(one.kind in ("weekday", "day") for one in times)
    allows = "blocks_a_day" in kinds and (says("more_of_it", text) or _ALLOWS.search(text))
    other = (
        kinds == {"day_part"}
        and any(one.kind == "part" for one in times)
        and only_tells_time(_THOUGH.sub("", text), brief)
    )
    if not (days and (EXCEPTS.search(text) or allows or other)):
        return ""
    told = "That is the same on every day; I cannot set it otherwise for some days."
    return brief.say("这一条每一天都一样，我不能给某几天另定。", told)
