"""Where something would fit: query_available_slots, find_first_free.

Legal places come from the planner's placement rule; without a task only the window, now and occupation count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent.calls.kinds import Json
from agent.calls.values import ToolContext, ToolError, ToolOutcome
from agent.tools.arguments.tools import AvailableSlotsArgs, FirstFreeArgs
from agent.tools.draft.facts import DraftDays, day_ref, identify_entry
from agent.tools.draft.refusals import refuse_fixed, task_not_found
from agent.tools.words import observations
from schedules.planner.class_rules import ClassRules
from schedules.planner.draft.legal import Found, FreeCells
from schedules.planner.draft.state import ClassMeta, ScheduleState, TaskEntry
from schedules.planner.grid import Place
from schedules.planner.rules.board import Board
from schedules.planner.rules.placement import Subject, first_broken
from schedules.planner.rules.violations import Rule

DEFAULT_SPAN = 2


@dataclass(frozen=True)
class Question:
    """Tells who wants room, on which board, and which of the places the filters let through."""

    draft: ScheduleState
    args: AvailableSlotsArgs | FirstFreeArgs
    board: Board
    subject: Subject
    days: tuple[int, ...]
    own: Place | None = None
    """Where a suggested task stands: moving it there would change nothing, so it is no offer."""

    def found(self) -> Iterator[Found]:
        """Yields legal places that pass the filters, in time order."""
        window = self.draft.window
        numbers = [window.day_of(index) for index in self.days]
        for place, host in FreeCells(self.board, self.draft.situation()).places(self.subject, numbers):
            wanted = self.args.takes_sections(place) and place != self.own
            if wanted and (host is None or self.args.allow_embed):
                yield place, host

    def count_refusals(self) -> dict[str, int]:
        """Tells how many starts the filters let through each rule refuses, most frequent first."""
        counts: Counter[str] = Counter()
        for index in self.days:
            for first in range(1, self.draft.grid.sections - self.subject.length + 2):
                place = Place(self.draft.window.day_of(index), first, self.subject.length)
                asked = self.args.takes_sections(place) and place != self.own
                if asked and (rule := self.refuse_start(place)):
                    counts[rule] += 1
        return dict(counts.most_common())

    def refuse_start(self, place: Place) -> str:
        broken = first_broken(self.board, self.subject, place, situation=self.draft.situation())
        if broken is not None:
            return broken.rule.value
        embedded = not self.args.allow_embed and self.board.host_at(place) is not None
        return Rule.FILLER_NOT_ALLOWED.value if embedded else ""


def read_question(
    draft: ScheduleState, args: AvailableSlotsArgs | FirstFreeArgs, span: int | None
) -> Question | ToolError:
    """Returns the question a call puts; an error for an id that is unknown or never moves."""
    board = draft.board()
    days = tuple(args.days(draft))
    if args.for_task_id is None:
        any_class = ClassMeta(0, "", None, ClassRules(allow_filler_course=args.allow_embed))
        anyone = Subject(0, 0, "", span or DEFAULT_SPAN, any_class)
        return Question(draft, args, board, anyone, days)
    entry = draft.task(args.for_task_id)
    if entry is None:
        return task_not_found(draft, args.for_task_id)
    if not entry.is_item or (entry.status == "existing" and entry.task_class_id not in draft.scope):
        return refuse_fixed(entry)
    board.lift(entry.source_id)
    own = draft.place_of(entry) if entry.status == "suggested" else None
    return Question(draft, args, board, draft.subject(entry), days, own)


def query_available_slots(draft: ScheduleState, args: AvailableSlotsArgs, ctx: ToolContext) -> ToolOutcome:
    question = read_question(draft, args, args.span)
    if isinstance(question, ToolError):
        return ToolOutcome(draft, {}, error=question)
    found = list(question.found())
    embedded = sum(host is not None for _, host in found)
    per_day = Counter(draft.window.index_of(place.day) for place, _ in found)
    offered = spread(found, args.limit)
    slots = [slot_json(draft, place, host) for place, host in offered]
    hosts = {str(entry.state_id): entry.name for _, host in offered if (entry := host_entry(draft, host))}
    data: Json = {
        "for_task_id": args.for_task_id,
        "span": question.subject.length,
        "total": len(found),
        "count": len(slots),
        "strict_total": len(found) - embedded,
        "embedded_total": embedded,
        "per_day": [{"day": day, "count": count} for day, count in sorted(per_day.items())],
        "slots": slots,
        "hosts": hosts,
    }
    if args.for_task_id is not None:
        data["blocked_by"] = question.count_refusals()
    return ToolOutcome(draft, data)


def spread(found: list[Found], limit: int) -> list[Found]:
    """Returns at most `limit` places: the best of each day, then the second best of each …; in time order.

    Within a day pure places come before embedded ones, odd starts before even ones, early before late.
    """
    by_day: dict[int, list[Found]] = {}
    for one in sorted(found, key=lambda f: (f[0].day, f[1] is not None, f[0].first % 2 == 0, f[0].first)):
        by_day.setdefault(one[0].day, []).append(one)
    rounds = max((len(places) for places in by_day.values()), default=0)
    turns = [places[turn] for turn in range(rounds) for places in by_day.values() if turn < len(places)]
    return sorted(turns[:limit], key=lambda one: (one[0].day, one[0].first))


def slot_json(draft: ScheduleState, place: Place, host: int | None) -> Json:
    row: Json = {
        **day_ref(draft, draft.window.index_of(place.day)),
        "slot_start": place.first,
        "slot_end": place.last,
        "slot_type": "empty" if host is None else "embedded_candidate",
    }
    entry = host_entry(draft, host)
    return row if entry is None else {**row, "host_task_id": entry.state_id}


def host_entry(draft: ScheduleState, host: int | None) -> TaskEntry | None:
    return draft.by_event(host) if host is not None else None


def observe_slots(outcome: ToolOutcome) -> str:
    data = {key: value for key, value in outcome.data.items() if key != "hosts"}
    return observations.json_text("query_available_slots", replace(outcome, data=data))


def find_first_free(draft: ScheduleState, args: FirstFreeArgs, ctx: ToolContext) -> ToolOutcome:
    question = read_question(draft, args, args.duration)
    if isinstance(question, ToolError):
        return ToolOutcome(draft, {}, error=question)
    span = question.subject.length
    first = next(question.found(), None)
    if first is None:
        return ToolOutcome(draft, {"found": False, "span": span, "blocked_by": question.count_refusals()})
    place, host = first
    days, index = DraftDays(draft), draft.window.index_of(place.day)
    data: Json = {
        "found": True,
        "span": span,
        "place": slot_json(draft, place, host),
        "host": identify_entry(host_entry(draft, host)),
        "load": days.load(index),
        "free_ranges": days.free_ranges(index),
        "embeddable": days.embeddable(index),
    }
    return ToolOutcome(draft, data)


def observe_first(outcome: ToolOutcome) -> str:
    data = outcome.data
    if outcome.error is not None:
        return observations.failure_text(outcome.error)
    if not data["found"]:
        counts = "、".join(f"{rule} {count}" for rule, count in data["blocked_by"].items()) or "没有可用的日期"
        return f"未找到可用位置：连续{data['span']}节。按规则：{counts}。"
    slot, load = data["place"], data["load"]
    kind = f"嵌入{observations.task(data['host'])}" if data["host"] else "空位"
    place = f"{observations.day(slot)}{observations.sections(slot['slot_start'], slot['slot_end'])}"
    hosts = "、".join(
        f"{observations.task(h)} {observations.sections(h['slot_start'], h['slot_end'])}" for h in data["embeddable"]
    )
    free = observations.ranges(data["free_ranges"])
    day = observations.day_load(load)
    return f"首个可用位置：{place}（{kind}）。当日：{day}；空闲段：{free}；可嵌入：{hosts or '无'}。"
