"""What a student would like of every plan: set_preferences. Stored beside the draft, which takes it over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agent.calls.kinds import Json
from agent.calls.phrase import say
from agent.calls.values import ToolContext, ToolError, ToolOutcome, WrittenValue
from agent.tools.arguments.wishes import SetPreferencesArgs
from agent.tools.saving import not_saved, save
from agent.tools.words import observations
from agent.tools.words.wishes import wish_words
from schedules.planner.advice.wish_report import wish_standings
from schedules.planner.diagnosis.plan_facts import picture_of
from schedules.planner.diagnosis.trade_offs import TradeOff, WishCosts, wish_costs
from schedules.planner.draft.state import ScheduleState
from schedules.planner.soft_limits import SoftLimit, in_order, limit_to_json

NAME = "set_preferences"


async def set_preferences(draft: ScheduleState | None, args: SetPreferencesArgs, ctx: ToolContext) -> ToolOutcome:
    """Checks, asks, writes once, and gives the wishes to the draft. With `ctx.dry_run` nothing is saved."""
    ports = ctx.ports
    if ports.preferences is None or ports.change_preferences is None or ports.task_class_book is None:
        return ToolOutcome(draft, {}, error=not_saved())
    book = await ports.task_class_book(None)
    names = {row["id"]: row["name"] for row in book["classes"]}
    unknown = sorted({one.task_class_id for one in args.wishes if one.task_class_id is not None} - names.keys())
    if unknown:
        missing = ToolError("class_not_found", say("没有编号为 {id} 的任务类", id=unknown[0]))
        return ToolOutcome(draft, {}, error=missing)
    held = list(await ports.preferences())
    gone = [wish for wish in held if any(one.takes_back(wish) for one in args.wishes)]
    wanted = in_order(limit for one in args.wishes if (limit := one.limit) is not None)
    added = [wish for wish in wanted if wish not in held]
    removed = [wish for wish in gone if wish not in wanted]
    data = _data(added, removed, names)
    if not added and not removed:
        return ToolOutcome(draft, data, error=ToolError("no_change", say("这样的愿望已经记下了，没有变化")))
    written: tuple[WrittenValue, ...] = ()
    if not ctx.dry_run:
        before = held
        answer = await save(ports.change_preferences(added, removed), f"preferences {ctx.call_id}")
        if isinstance(answer, ToolError):
            return ToolOutcome(draft, data, error=answer)
        held = list(answer)
        draft, written = _with_wishes(draft, held), _written_values(before, held)
    costs = {} if draft is None else await ctx.compute(wish_costs, draft)
    return ToolOutcome(draft, {**data, "standings": standings_json(draft, names, costs)}, written=written)


def wishes_by_kind(wishes: Iterable[SoftLimit]) -> dict[tuple[int, str], list[Json]]:
    """Returns what holds of each kind, for a class or for all (0)."""
    found: dict[tuple[int, str], list[Json]] = {}
    for wish in in_order(wishes):
        row = {"value": wish.value, "hard_only": wish.hard_only}
        found.setdefault((wish.class_id or 0, wish.kind), []).append(row)
    return found


def _written_values(before: list[SoftLimit], after: list[SoftLimit]) -> tuple[WrittenValue, ...]:
    was, now = wishes_by_kind(before), wishes_by_kind(after)
    keys = [key for key in {**was, **now} if was.get(key) != now.get(key)]
    return tuple(WrittenValue(*key, was.get(key, []), now.get(key, [])) for key in keys)


def _with_wishes(draft: ScheduleState | None, held: list[SoftLimit]) -> ScheduleState | None:
    if draft is None or draft.wishes == in_order(held):
        return draft
    return replace(draft, wishes=in_order(held), revision=draft.revision + 1)


def _data(added: list[SoftLimit], removed: list[SoftLimit], names: dict[int, str]) -> Json:
    rows = [{**limit_to_json(wish), "change": "added"} for wish in added]
    rows += [{**limit_to_json(wish), "change": "removed"} for wish in removed]
    return {"operation": NAME, "wishes": rows, "class_names": names}


def standings_json(draft: ScheduleState | None, names: dict[int, str], costs: WishCosts) -> list[Json]:
    """Tells how the draft stands to each wish that it is about, and what makes way for it; `costs` are
    those of the draft."""
    standings = [] if draft is None else [one for one in wish_standings(draft) if one.concerned]
    if draft is None or not standings:
        return []
    return [
        {**limit_to_json(one.wish), "sections": one.sections, "met": one.met,
         "days": draft_days(draft, one.days), "class_name": names.get(one.wish.class_id or 0, ""),
         "cost": _cost_json(draft, costs[one.wish])}
        for one in standings
    ]  # fmt: skip


def _cost_json(draft: ScheduleState, trade: TradeOff | None) -> Json | None:
    """Returns the move that would be worth most without a wish, with the names that a card needs."""
    if trade is None:
        return None
    (block,), (spot,) = trade.step.blocks, trade.step.spots
    entry = draft.task(block.state_id)
    return {
        **trade.to_json(picture_of(draft), "zh"),
        "task": {"name": entry.name if entry is not None else ""},
        "day": next(iter(draft_days(draft, (spot.place.day,))), None),
        "section_from": spot.place.first,
        "section_to": spot.place.last,
    }


def draft_days(draft: ScheduleState, days: tuple[int, ...]) -> list[Json]:
    rows = {row["day_index"]: row for row in draft.window.mapping}
    return [
        {"day": index, "week": rows[index]["week"], "day_of_week": rows[index]["day_of_week"]}
        for day in days
        if (index := draft.window.index_of(day)) in rows
    ]


def observe(outcome: ToolOutcome) -> str:
    """Returns what holds now and what the draft has against it."""
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    data = outcome.data
    words = {"added": "已记下", "removed": "已取消"}
    told = [f"{words[row['change']]}：{wish_words(row, data['class_names'], 'zh')}" for row in data["wishes"]]
    for row in data["standings"]:
        if not row["met"]:
            told.append(f"草稿里有{row['sections']}节不合「{wish_words(row, data['class_names'], 'zh')}」")
    return "。".join(told) + "。愿望是软的：重新排一遍或体检时会尽量照办，不会违反硬性规则。"
