"""Answers to what would happen if: worked out on a copy of the plan, told with its figures, then offered."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any, cast

from agent.llm.offline.goals.decisions import Decision, give_up
from agent.llm.offline.goals.questions.inquiry import Inquiry, asked_in
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time, span_text, tell_classes_left
from agent.llm.offline.goals.questions.suppositions.room import (
    MOST_PLACES,
    WEEKENDS,
    add_items,
    drop_items,
    keep_pace,
    lengthen_items,
    reach_places,
    room_until,
    skip_item,
)
from agent.llm.offline.goals.questions.suppositions.supposed import (
    PLACES,
    Answer,
    bound_in,
    dated_day,
    find_unplanned,
    items_ahead,
    items_text,
    last_day_of,
    look_up,
    named_classes,
)
from agent.llm.offline.goals.questions.timetable import tell_late_start
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.conditions.suppositions import (
    FINISHES,
    FITS,
    WEEK_BESIDE,
    Supposition,
    read_supposition,
    untimed,
)
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.spans.times.words import COUNT, number_of
from agent.llm.offline.language.texts import date_text, dated_slot_text, say_sections, tell_kept
from agent.loop.view_document import ClassView, SlotView, TaskView
from schedules.planner.replan.asks import KEPT

PREVIEW = "preview_replan"
WHAT_IF = "what_if"
MOST_DATES = 150
_EVERY = re.compile(r"每|都|\b(?:every|each)\b|\b\w+days\b")
_ONE_WEEKEND = re.compile(r"[这下上本]个?周末|\b(?:this|next|the) weekend\b")
_THOSE_DAYS = re.compile(r"那([2-9二三四五六七])天")
_PAST_FORM = re.compile(r"\b(?:was|were|did|had|took|kept|left)\b|\boff$")
"""What is supposed is told in the past, and as what is taken off."""
_SO_MANY_DAYS = re.compile(rf"(?<![第月\d])(\d{{1,2}})\s*天|\b({COUNT}) days\b")
_WAITING = re.compile(r"没(?:有)?(?:地方|位置|排)|\b(?:no place|unplaced|without a place|unscheduled)\b")
_WITHIN = re.compile(rf"\d{{1,2}}个?(?:周|星期|礼拜|天)[之以]?内|\b(?:in|within) {COUNT} (?:single )?(?:week|day)s?\b")
MADE = ("什么都没有改。", "Nothing was changed.")


def answer_supposition(brief: Brief) -> Decision | None:
    """The next look-up that the answer needs, or the answer; None where nothing is supposed."""
    supposed = read_supposition(brief.request, brief)
    waits = items_in(brief.request, brief, among=all_items(brief)) if not items_in(brief.request, brief) else []
    if supposed is not None and supposed.kind in ("skipped", "dropped") and len(waits) == 1:
        told = ("{name} 还没有排，不做它，计划不会变。", "{name} is not planned yet; the plan stays as it is.")
        return give_up(WHAT_IF, brief.say(*told, name=waits[0]["name"]))
    if supposed is None or waits or not (brief.tasks or brief.classes):
        return None
    found = {
        "free": _keep_free, "deadline": end_earlier, "pace": keep_pace, "added": add_items, "dropped": drop_items,
        "longer": lengthen_items, "skipped": skip_item, "range": reach_places, "moved": try_place, "only": _keep_only,
    }[supposed.kind](brief, supposed)  # fmt: skip
    made = "" if brief.whole else f"\n{brief.say(*MADE)}"
    return found if isinstance(found, dict) else give_up(WHAT_IF, f"{found}{made}")


def _when(brief: Brief, supposed: Supposition) -> Inquiry:
    """The days and hours that are meant; hours alone are those of every day that is left."""
    asked, today = asked_in(_PAST_FORM.sub("are", supposed.said), brief), brief.term.today
    told = tuple((one.first, one.last) for one in read_times(supposed.said, brief.term) if one.first and one.last)
    runs = asked.runs or told
    if (match := _THOSE_DAYS.search(supposed.said)) and runs:
        count = "一二三四五六七".find(match[1]) + 1 or int(match[1])
        runs = tuple((first, min(last, first + timedelta(days=count - 1))) for first, last in runs)
    if (match := _SO_MANY_DAYS.search(fold_numbers(supposed.said))) and len(runs) == 1 and len(supposed.said) < 60:
        runs = ((runs[0][0], runs[0][0] + timedelta(days=number_of(match[1] or match[2]) - 1)),)
    if not runs and asked.hours:
        runs = ((today, last_day_of(brief)),)
    runs = runs or _refused_days(brief, supposed.said)
    dated = bool(runs) and re.search(r"\d", supposed.said) is not None
    if not dated and WEEKENDS.search(supposed.said) and not _ONE_WEEKEND.search(supposed.said):
        days = [today + timedelta(days=n) for n in range((last_day_of(brief) - today).days + 1)]
        runs = tuple((day, day) for day in days if day.isoweekday() > 5)
    return Inquiry(tuple(run for run in runs if run[1] >= today), asked.hours)


def _refused_days(brief: Brief, said: str) -> tuple[tuple[date, date], ...]:
    """The weekdays that are told as taken: of every week where that is said, else the next ones."""
    times = [one for one in read_times(said, brief.term) if one.kind == "weekday" and one.role == "avoided"]
    weekdays, today = {day for one in times for day in one.weekdays}, brief.term.today
    every = _EVERY.search(said) is not None
    ahead = range(((last_day_of(brief) - today).days if every else 6) + 1)
    days = (today + timedelta(days=n) for n in ahead)
    return tuple((day, day) for day in days if day.isoweekday() in weekdays)


def _days_in(brief: Brief, asked: Inquiry) -> list[date]:
    today, last = brief.term.today, brief.term.last_day
    days = (first + timedelta(days=n) for first, end in asked.runs for n in range((end - first).days + 1))
    return sorted({day for day in days if today <= day <= last})[:MOST_DATES]


def _keep_free(brief: Brief, supposed: Supposition) -> Answer:
    """Which items lie then, where they would go, and what would find no place."""
    asked = _when(brief, supposed)
    if not asked.runs:
        return brief.say("那段时间已经过去了。", "That time has passed.")
    owners = [row["id"] for row in named_classes(brief, supposed.said, supposed.question)]
    whose = brief.names_of(owners)
    when = _when_text(brief, asked)
    last = bound_in(brief, supposed.question)
    if last and (FINISHES.search(supposed.question) or FITS.search(supposed.question)):
        return end_earlier(brief, supposed, asked, last)
    if not brief.tasks or find_unplanned(brief, owners):
        return room_until(brief, owners, last_day_of(brief, owners), asked)
    rows = [row for row in items_ahead(brief, owners) if (s := row["slot"]) and asked.covers(s, brief)]
    if not rows:
        told = ("没有影响：{when}没有排{what}，计划不用动。", "It changes nothing: no {what} is planned then ({when}).")
        none = brief.say(*told, when=when, what=brief.say(whose or "任务", f"item of {whose}" if whose else "item"))
        return none if owners else f"{none}\n{_offer_free(brief, asked)}"
    told = ("{when}有 {n} 项会受影响：", "{items} would be affected ({when}):")
    head = brief.say(*told, when=when, n=len(rows), items=items_text(len(rows)))
    lines = [head, *item_lines(brief, rows)]
    return _tell_preview(brief, {"kind": "keep_free", "dates": [day.isoformat() for day in _days_in(brief, asked)],
                                 **_of_class(owners), **_hours(asked)}, lines, _offer_free(brief, asked))  # fmt: skip


def _when_text(brief: Brief, asked: Inquiry) -> str:
    """The days that are meant: 每个周五, 4月15日–4月17日."""
    if len(asked.runs) < 3 or any(first != last for first, last in asked.runs):
        return span_text(brief, Inquiry(asked.runs)) + _part_text(brief, asked)
    weekdays = sorted({first.isoweekday() for first, _ in asked.runs})
    told = weekday_names(weekdays, brief.language)
    return brief.say("每个", "") + brief.say("、", " and ").join(told) + _part_text(brief, asked)


def _part_text(brief: Brief, asked: Inquiry) -> str:
    """上午, 9-12节."""
    parts = {tuple(part): at for at, part in enumerate(brief.term.day_parts)}
    names = (("上午", " mornings"), ("下午", " afternoons"), ("晚上", " evenings"))
    told = [brief.say(*names[parts[one]]) if one in parts else say_sections(brief, *one) for one in asked.hours]
    return brief.say("、", " and").join(told)


def _of_class(ids: Sequence[int]) -> dict[str, int]:
    return {"task_class_id": ids[0]} if len(ids) == 1 else {}


def _keep_only(brief: Brief, supposed: Supposition) -> Answer:
    """Whether all fits in some days of the week or some hours alone: everything else stays free."""
    asked, last = asked_in(_PAST_FORM.sub("are", supposed.said), brief), last_day_of(brief)
    today = brief.term.today
    every = [today + timedelta(days=n) for n in range((last - today).days + 1)]
    times = read_times(supposed.said, brief.term)
    weekdays = {day for one in times for day in one.weekdays}
    closed = [(day, day) for day in every if weekdays and day.isoweekday() not in weekdays]
    owners = [row["id"] for row in named_classes(brief, supposed.said, supposed.question)]
    if asked.hours and not weekdays:
        first, end = asked.hours[0]
        shut = [one for one in ((1, first - 1), (end + 1, brief.term.sections)) if one[0] <= one[1]]
        away = Inquiry(((today, last),), tuple(shut))
    else:
        away = Inquiry(tuple(closed))
    if not away.runs:
        return brief.say("这个我算不出来。", "I cannot work that out.")
    if not brief.tasks or len(away.hours) > 1 or find_unplanned(brief, owners):
        return room_until(brief, owners, last_day_of(brief, owners) if owners else last, away)
    rows = [row for row in items_ahead(brief, owners) if (s := row["slot"]) and away.covers(s, brief)]
    if not rows:
        return brief.say("是的，现在就是这样排的，不用改。", "Yes: it is planned like that already.")
    head = brief.say("{n} 项不在那些时间里：", "{items} not at those times:", n=len(rows), items=items_text(len(rows)))
    days = [day.isoformat() for day in _days_in(brief, away)]
    asks = {"kind": "keep_free", "dates": days, **_of_class(owners), **_hours(away)}
    return _tell_preview(brief, asks, [head, *item_lines(brief, rows)], "")


def _hours(asked: Inquiry) -> dict[str, int]:
    if not asked.hours:
        return {}
    return {"section_from": min(first for first, _ in asked.hours), "section_to": max(last for _, last in asked.hours)}


def _offer_free(brief: Brief, asked: Inquiry) -> str:
    when = _when_text(brief, asked)
    if len(asked.runs) > 2 or (asked.hours and len(_days_in(brief, asked)) > 7):
        wish = _part_text(brief, asked).strip() if asked.hours else when.removeprefix("每个")
        return brief.say(
            "要一直这样，请说「{when}不排任务」。", 'To keep to it always, say "no study on {when}".', when=wish
        )
    told = (
        "要照这样做，请说「把{when}空出来」，会先出确认卡片。",
        'To do it, say "keep {when} free"; a card comes first.',
    )
    days = [date_text(brief, one) for run in asked.runs for one in dict.fromkeys(run)]
    return brief.say(*told, when=brief.say("到", " to ").join(days) + _part_text(brief, asked))


def _tell_preview(brief: Brief, arguments: dict[str, Any], lines: Sequence[str], offer: str) -> Answer:
    """What re-planning would move, after the lines that are told already."""
    found, decision = look_up(brief, PREVIEW, arguments)
    if decision is not None:
        return decision
    if found is None:
        return "\n".join([*lines, _tell_no_preview(brief)])
    kept = tell_kept(brief, found["left"])
    moves, left = found["changes"], [row["name"] for row in found["left"] if row["rule"] != KEPT]
    lost = [one["name"] for one in moves if not one["after"]]
    left += [name for name in lost if name not in left]
    parts = [*lines]
    if left:
        told = ("时间不够：{names} 放不下。", "Not enough time: no place is left for {names}.")
        parts.append(brief.say(*told, names=brief.say("、", ", ").join(left)))
    elif moves or not kept:
        fits = ("时间够，挪动之后都放得下。", "There is time enough: with some moves everything fits.")
        parts.append(brief.say(*fits))
    moved = [one for one in moves if one["after"]]
    if moved:
        told = ("会动 {n} 项，其余 {m} 项不动：", "{n} would move, {m} stay:")
        parts.append(brief.say(*told, n=len(moved), m=found["stays"]))
        parts += [_move_line(brief, one) for one in moved]
    return "\n".join(filter(None, [*parts, kept, "" if brief.whole else offer]))


def _tell_no_preview(brief: Brief) -> str:
    """Why a preview found nothing: no room for all of it, or that it could not be worked out."""
    last = next((row for row in reversed(brief.results) if row["tool"] == PREVIEW), None)
    if last is not None and last["error_code"] == "no_place":
        return brief.say("不够：有内容放不下。", "There is no room for all of it.")
    told = ("要挪哪些我没能算出来。", "What would have to move could not be worked out.")
    return brief.say(*told)


def _move_line(brief: Brief, one: Json) -> str:
    before = dated_slot_text(brief, _slot(one["before"])) if one["before"] else brief.say("待安排", "unplaced")
    told = ("{name} 可以从{before}移到{after}", "{name} could go from {before} to {after}")
    return brief.say(*told, name=one["name"], before=before, after=dated_slot_text(brief, _slot(one["after"])))


def _slot(place: Json) -> SlotView:
    return {"day": place["day"], "week": place["week"], "day_of_week": place["day_of_week"], "host_event_id": None,
            "slot_start": place["section_from"], "slot_end": place["section_to"]}  # fmt: skip


def end_earlier(brief: Brief, supposed: Supposition, closed: Inquiry | None = None, last: date | None = None) -> Answer:
    """What lies after a last day, or at times that are to stay free, and whether it would fit before it."""
    rows = named_classes(brief, supposed.said, supposed.question)
    ids = [row["id"] for row in rows]
    last = last or _supposed_end(brief, supposed, rows)
    if last is None:
        return brief.say(
            "要改到哪一天？请说出日期，我再算。", "Which day do you mean? Give me the date and I work it out."
        )
    starts = [row["start_date"] for row in rows or brief.classes if row["start_date"]]
    begin = date.fromisoformat(min(starts)) if starts else brief.term.today
    if begin > brief.term.today and _WITHIN.search(fold_numbers(f"{supposed.said} {supposed.question}")):
        last += begin - brief.term.today  # so long from the day on which it may begin
    if late_start := tell_late_start(brief, rows, last):
        return late_start
    items = items_in(untimed(supposed.question, brief), brief)
    meant = items or [row for row in brief.tasks if not ids or row["class_id"] in ids]
    if not meant:
        return room_until(brief, ids, last, closed)
    if _WAITING.search(supposed.question) and any(not row["slot"] for row in meant):
        meant = [row for row in meant if not row["slot"]]
    late = [
        row for row in rows_in_time(meant) if (s := row["slot"])
        and (brief.day_of(s) > last or (closed is not None and closed.covers(s, brief)))
    ]  # fmt: skip
    waiting = [row for row in meant if not row["slot"]]
    until = dated_day(brief, last)
    left = [one.strip() for one in [tell_classes_left(brief)] if one and not (ids or items)]
    if not late and not waiting:
        final = item_lines(brief, rows_in_time(meant)[-1:])[0]
        who = brief.say(*(("排了的", "What is planned") if left else ("可以", "Yes, all of it")))
        told = ("{who}，{until}之前都能完成，最后一项是 {line}", "{who} is done by {until}; the last item is {line}")
        return "\n".join([brief.say(*told, who=who, until=until, line=final), *left])
    lines = [*left, brief.say("照现在的安排不行：", "Not as it stands:")]
    if late:
        after = ("{n} 项排在{until}之后：", "After {until}: {items}.")
        told = ("这些不合：", "These do not keep to it:") if closed else after
        lines += [brief.say(*told, n=len(late), items=items_text(len(late)), until=until), *item_lines(brief, late)]
    if waiting:
        names = brief.say("、", ", ").join(row["name"] for row in waiting)
        lines.append(brief.say("没有位置的：{names}。", "Without a place: {names}.", names=names))
    if waiting and not late and not items:
        room = room_until(brief, ids, last, closed, len(waiting))
        return room if isinstance(room, dict) else "\n".join([*lines[1:], room])
    if items:
        found = reach_places(brief, supposed) if len(items) == 1 else ""
        return found if isinstance(found, dict) else "\n".join([*lines, *filter(None, [found])])
    return _preview_end(brief, rows, last, closed, lines) if late else "\n".join(lines)


def _preview_end(
    brief: Brief, rows: Sequence[ClassView], last: date, closed: Inquiry | None, lines: Sequence[str]
) -> Answer:
    """What would move for a last day to hold, of one class or of the whole plan."""
    values = {"name": rows[0]["name"] if rows else "", "day": date_text(brief, last)}
    if len(rows) == 1:
        told = ("要改，请说「把{name}的截止日期改到{day}」，会先出确认卡片。",
                'To do it, say "move the deadline of {name} to {day}"; a card comes first.')  # fmt: skip
    else:
        told = ("要照这样做，请说「整个计划{day}之前结束」，会先出确认卡片。",
                'To do it, say "the whole plan ends by {day}"; a card comes first.')  # fmt: skip
    if len(rows) == 1 and not closed:
        asked = {"kind": "deadline", "task_class_id": rows[0]["id"], "date": last.isoformat()}
        return _tell_preview(brief, asked, lines, brief.say(*told, **values))
    places = [brief.day_of(slot) for row in brief.tasks if (slot := row["slot"])]
    end = max(*places, last_day_of(brief), last)
    days = {last + timedelta(days=n) for n in range(1, (end - last).days + 1)}
    dates = sorted(day.isoformat() for day in days.union(_days_in(brief, closed) if closed else ()))[:MOST_DATES]
    asked = {"kind": "keep_free", "dates": dates, **_of_class([row["id"] for row in rows])}
    return _tell_preview(brief, asked, lines, "" if closed else brief.say(*told, **values))


def _supposed_end(brief: Brief, supposed: Supposition, rows: Sequence[ClassView]) -> date | None:
    """The last day that is supposed: a date, or that of the class moved by so many days."""
    text = supposed.said
    times = [one for one in read_times(text, brief.term) if (one.first or one.last) and not one.impossible]
    shift = shift_in(text)
    bound = bound_in(brief, text)
    if times and times[-1].number and bound is not None:
        return bound
    if times:
        day = times[-1].last or times[-1].first
        return day - timedelta(days=1) if day and times[-1].strict and brief.language == "en" else day
    if shift is None:
        return bound_in(brief, text, supposed.question)
    return last_day_of(brief, [row["id"] for row in rows]) + timedelta(days=shift.days)


MOST_OTHERS = 3
TAKE_IT = ("要这样改，请说「就这样改」，会先出确认卡片。", 'To do it, say "do that"; a card comes first.')


def try_place(brief: Brief, supposed: Supposition) -> Answer:
    """Whether an item could stand at a time with everything else as it is, and where the others in question are."""
    row = items_in(untimed(supposed.said, brief), brief)[0]
    found, decision = look_up(brief, PLACES, {"for_task_id": row["state_id"], "limit": MOST_PLACES})
    if decision is not None:
        return decision
    places = [cast("SlotView", one) for one in (found or {}).get("slots", ())]
    fitting = _nearest_hours(_find_fitting(brief, supposed, row, places), row)
    if fitting:
        lines = [
            brief.say(
                "可以：{name} 可以放在{where}，别的都不用动。",
                "Yes: {name} could go to {where}; nothing else would move.",
                name=row["name"],
                where=dated_slot_text(brief, fitting[0]),
            ),
            brief.say(*TAKE_IT),
        ]
    else:
        lines = _tell_others(brief, row, places)
    others = [one for one in items_in(untimed(supposed.question, brief), brief) if one is not row]
    return "\n".join([*lines, *item_lines(brief, others)])


def _find_fitting(brief: Brief, supposed: Supposition, row: TaskView, places: Sequence[SlotView]) -> Sequence[SlotView]:
    """The places that are supposed: on a weekday alone those in the item's own week, else those of the next week with
    any."""
    wanted, slot = _wanted(brief, supposed, row), row["slot"]
    found = [one for one in places if wanted(one)]
    target = target_in(supposed.said, brief)
    if not slot or not target.days or target.week or target.run:
        return found
    weeks = sorted({one["week"] for one in found}, key=lambda week: (abs(week - slot["week"]), -week))
    return [one for one in found if weeks and one["week"] == weeks[0]]


def _wanted(brief: Brief, supposed: Supposition, row: TaskView) -> Callable[[SlotView], bool]:
    """What tells whether a place is one of those that are supposed: a time, or one beside that of the item."""
    slot, beside, shift = row["slot"], WEEK_BESIDE.search(supposed.said), shift_in(supposed.said)
    if slot and beside:
        week = slot["week"] + (-1 if beside["before"] else 1)
        return lambda one: one["week"] == week
    if slot and shift is not None and shift.days:
        day = brief.term.week_day(brief.day_of(slot))
        week, weekday = divmod(7 * (day[0] - 1) + day[1] - 1 + shift.days, 7)
        return lambda one: (one["week"], one["day_of_week"]) == (week + 1, weekday + 1)
    return target_in(supposed.said, brief).covers


def _nearest_hours(places: Sequence[SlotView], row: TaskView) -> list[SlotView]:
    """The places, those at the hour of the item first."""
    slot = row["slot"]
    if slot is None:
        return [*places]
    return sorted(places, key=lambda one: (abs(one["slot_start"] - slot["slot_start"]), abs(
        one["day_of_week"] - slot["day_of_week"])))  # fmt: skip


def _tell_others(brief: Brief, row: TaskView, places: Sequence[SlotView]) -> list[str]:
    """That there is no such place, and the next ones that there are."""
    told = brief.say(
        "别的都不动的话不行：那时候没有 {name} 可以用的位置。",
        "Not with all else as it is: {name} could have no place then.",
        name=row["name"],
    )
    near = brief.say("；", "; ").join(dated_slot_text(brief, one) for one in _near(row, places))
    return [told, *([brief.say("可以的有：{near}。", "It could go to: {near}.", near=near)] if near else [])]


def _near(row: TaskView, places: Sequence[SlotView]) -> list[SlotView]:
    """The places nearest to the item, one of each day."""
    days = {(one["week"], one["day_of_week"]): one for one in reversed(places)}
    slot = row["slot"]
    here = 7 * slot["week"] + slot["day_of_week"] if slot else 0
    near = sorted(days.values(), key=lambda one: abs(7 * one["week"] + one["day_of_week"] - here))[:MOST_OTHERS]
    return sorted(near, key=lambda one: (one["week"], one["day_of_week"]))
