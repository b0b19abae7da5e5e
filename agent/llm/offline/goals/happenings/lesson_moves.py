"""A lesson that is held at another time once: looked up in the timetable, then written with what the plan loses by it.

What is not said is asked for: which lesson, which day, which sections. A whole course is never moved.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from agent.llm.offline.goals.decisions import Decision, ask, ask_readings, call, finish, give_up
from agent.llm.offline.goals.questions.lessons.lesson_questions import is_named
from agent.llm.offline.goals.questions.timetable import NAME as TIMETABLE
from agent.llm.offline.goals.turns.asked_over_card import keep_card
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import read_supposition
from agent.llm.offline.language.spans.lesson_moves import (
    LessonMove,
    is_for_ever,
    read_lesson_move,
    says_lesson,
    says_subject,
    tells_which_lesson,
)
from agent.llm.offline.language.spans.mentions import all_items, core_of, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.texts import dated_text, place_text

REPLAN, KIND = "replan", "lesson_moved"
WHICH, WHEN = "which_lesson", "lesson_time"
KEPT = ("好的，什么都没有改。", "All right, nothing was changed.")
_WEEKS_AHEAD = 3
_MOST_CHOICES = 5
Run = tuple[int, int]


@dataclass(frozen=True)
class Lesson:
    """A lesson of the timetable."""

    name: str
    day: date
    sections: Run


def find_lesson_move(brief: Brief) -> LessonMove | None:
    """What the request tells of one lesson that moves once; None where it asks something, is about the plan, or wants
    a whole course elsewhere."""
    written = dict((brief.whole or brief).written)
    own = [*written.values()] if len(written) == 1 else []  # said again twice, it is none of the plain ones any more
    words = brief.read_words(written.get(brief.request, own[0] if own else brief.request))
    said = read_lesson_move(words) or read_lesson_move(brief.request)
    asks = asks_whether(words) or Features(words, brief).asks
    if said is None or asks or read_supposition(brief.request, brief) is not None:
        return None
    text = fold_text(brief.request)
    cores = [core for row in brief.classes if (core := fold_text(core_of(row["name"])))]
    if items_in(brief.request, brief, among=all_items(brief)) or any(core in text for core in cores):
        return None
    when, goes = read_times(said.lesson, brief.term), read_times(said.target, brief.term)
    sure = (said.named or said.by_others) and bool(when or goes or said.told)
    dated = any(one.first and one.last in (None, one.first) for one in when)
    lasting = (said.lasting or is_for_ever(words)) and not dated
    if lasting or (said.target and not goes) or not (sure or (when and goes)):
        return None
    return said if said.told or when else None


def move_lesson(brief: Brief) -> Decision | None:
    """The next step of a goal that moves a lesson once; None when the goal is another, or nothing of the timetable is
    meant."""
    said = find_lesson_move(brief)
    if said is None:
        return None
    if len(brief.turns) > 1 and says("never_mind", fold_text(brief.turns[-1])):
        return give_up("kept", brief.say(*KEPT))
    if _goes_elsewhere(brief):
        return None
    tried = [row for row in brief.results if row["tool"] == REPLAN]
    if tried:
        return finish(brief, f"{REPLAN}: done") if tried[-1]["status"] == "done" else _tell_refused(brief)
    refused = brief.last_answer("tool", "reject")
    if refused is not None and not read_times(refused["message"], brief.term):
        return (keep_card(brief) if refused["message"] else None) or give_up("kept", brief.say(*KEPT))
    weeks = _weeks(brief, said)
    looked = next((row for row in brief.results if row["tool"] == TIMETABLE and row["arguments"] == weeks), None)
    if looked is None:
        return call(brief, TIMETABLE, weeks)
    lessons = _lessons(brief, looked["data"] or {"days": []})
    rest = _without_times(said.lesson, brief)
    named = [one for one in lessons if is_named(fold_text(one.name), rest)]
    of_items = not said.named or any(says_lesson(row["name"]) for row in brief.tasks)
    named = named or ([] if of_items or tells_which_lesson(rest) else lessons)
    if not named:
        return _tell_unknown(brief, lessons) if said.named or says_subject(rest) else None
    meant = _choose(brief, said, named)
    return meant if isinstance(meant, dict) else _move(brief, said, meant, lessons)


def _goes_elsewhere(brief: Brief) -> bool:
    """Whether the last turn is no answer: it names no time and chooses nothing."""
    turns = brief.turns
    if len(turns) < 2 or brief.last_answer("tool", "reject") is not None:
        return False
    answered = read_times(turns[-1], brief.term) or choice_in(turns[-1], _MOST_CHOICES)
    return not answered or asks_whether(turns[-1])


def _weeks(brief: Brief, said: LessonMove) -> dict[str, int]:
    """The weeks that are looked at: those ahead, and up to the last day that is named."""
    turns = [said.lesson, said.target, *brief.turns[1:]]
    days = [one.last or one.first for turn in turns for one in read_times(turn, brief.term)]
    last = max([brief.term.week + _WEEKS_AHEAD, *(brief.term.week_day(day)[0] for day in days if day)])
    return {"week_from": max(1, brief.term.week), "week_to": min(brief.term.weeks, last)}


def _lessons(brief: Brief, data: Any) -> list[Lesson]:
    """The lessons from today on, in the order of time."""
    rows = [(brief.day_of(row), one) for row in data["days"] for one in row["entries"] if one["status"] == "fixed"]
    found = [Lesson(one["name"], day, (one["slot_start"], one["slot_end"])) for day, one in rows]
    return sorted((one for one in found if one.day >= brief.term.today), key=lambda one: (one.day, one.sections))


def _without_times(text: str, brief: Brief) -> str:
    for one in reversed(read_times(text, brief.term)):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def _choose(brief: Brief, said: LessonMove, named: list[Lesson]) -> Lesson | Decision:
    """The lesson that is meant, or the question which one."""
    answer = _answer(brief, WHICH)
    times = read_times(answer, brief.term) if answer else []
    times = times or read_times(said.lesson, brief.term)
    found = [one for one in named if _is_at(one, times, brief)]
    if not found:
        then = brief.say("、", ", ").join(_lesson_text(brief, one) for one in named[:_MOST_CHOICES])
        told = (
            "那时候没有这节课，什么都没有改。最近的有：{then}。",
            "There is no such lesson then; nothing was changed. The next ones: {then}.",
        )
        return give_up("no_lesson", brief.say(*told, then=then))
    dated = any(one.first or one.weekdays for one in times)
    found = [one for one in found if not dated or one.day == found[0].day][:_MOST_CHOICES]
    number = choice_in(answer, len(found)) if answer else None
    if number is not None or len(found) == 1:
        return found[(number or 1) - 1]
    listed = "\n".join(f"{n}. {_lesson_text(brief, one)}" for n, one in enumerate(found, 1))
    question = brief.say("改的是哪一节？\n{listed}", "Which one moves?\n{listed}", listed=listed)
    return ask_readings(brief, WHICH, question, [_say_whole(brief, one, said.target) for one in found])


def _is_at(lesson: Lesson, times: Iterable[Time], brief: Brief) -> bool:
    """Whether a lesson is on one of the days and in the part of the day that are said; nothing said bounds nothing."""
    times = list(times)
    days = [one for one in times if one.first] or [one for one in times if one.weekdays]  # Monday the 30th
    runs = [run for one in times if (run := _run(one, brief)) is not None]
    on = any(
        (one.first or date.min) <= lesson.day <= (one.last or one.first or date.max)
        and (not one.weekdays or lesson.day.isoweekday() in one.weekdays)
        for one in days
    )
    return (on or not days) and (
        not runs or any(run[0] <= lesson.sections[1] and lesson.sections[0] <= run[1] for run in runs)
    )


def _run(one: Time, brief: Brief) -> Run | None:
    """The sections that a time names."""
    if one.sections is not None:
        return one.sections[0], one.sections[1] or one.sections[0]
    return brief.term.day_parts[one.part] if one.part is not None else None


def _answer(brief: Brief, topic: str) -> str:
    """What was answered last to a question of this topic."""
    said = [turn for asked, turn in zip(brief.asked, brief.turns[1:], strict=False) if asked["topic"] == topic]
    return said[-1] if said else ""


def _move(brief: Brief, said: LessonMove, lesson: Lesson, lessons: list[Lesson]) -> Decision:
    """The card for a lesson, or the question for the day or the sections that are missing."""
    refused = brief.last_answer("tool", "reject")
    answer = (refused["message"] if refused is not None else "") or _answer(brief, WHEN)
    times = [*read_times(answer, brief.term), *read_times(said.target, brief.term)]
    day = next((found for one in times if (found := _day(one, lesson, brief)) is not None), None)
    if day is None and not any(_run(one, brief) for one in times):
        told = ("「{what}」改到哪天、几点？", "To which day and time does it move ({what})?")
        return ask(brief, WHEN, brief.say(*told, what=_lesson_text(brief, lesson)))
    day = day or lesson.day
    taken = [one for one in lessons if one.day == day and one != lesson]
    asked = read_times(answer, brief.term) if _runs(answer, brief) else times
    asked = [one for one in asked if day != lesson.day or _run(one, brief) != lesson.sections]  # where it is now
    places = _places(
        lesson,
        [run for one in asked if (run := _run(one, brief))],
        any(one.kind in ("sections", "clock") for one in asked),
        brief,
    )
    free = [run for run in places if not any(run[0] <= one.sections[1] and one.sections[0] <= run[1] for one in taken)]
    number = choice_in(answer, len(free)) if answer else None
    if number is not None or len(free) == len(places) == 1:
        return _write(brief, lesson, day, free[(number or 1) - 1])
    return _ask_when(brief, lesson, day, free or _free(lesson, taken, brief), taken if not free else [])


def _runs(text: str, brief: Brief) -> list[Run]:
    return [run for one in read_times(text, brief.term) if (run := _run(one, brief))]


def _day(one: Time, lesson: Lesson, brief: Brief) -> date | None:
    """The day to which a lesson moves: a weekday alone is that of the lesson's week, or of the next where it is
    behind."""
    if one.first is not None:
        return one.first if one.last in (None, one.first) else None
    if not one.weekdays:
        return None
    near = lesson.day + timedelta(days=one.weekdays[0] - lesson.day.isoweekday())
    return near + timedelta(days=7 * (near <= brief.term.today))


def _places(lesson: Lesson, runs: list[Run], exact: bool, brief: Brief) -> list[Run]:
    """Where a lesson can be within what is said of the sections; anywhere where nothing is."""
    length = lesson.sections[1] - lesson.sections[0] + 1
    if exact and runs:
        first, last = min(runs, key=lambda run: run[1] - run[0])
        return [(first, first + length - 1 if first == last else last)]
    inside = runs or brief.term.day_parts
    starts = [first for run in inside for first in range(run[0], run[1] - length + 2, 2)]
    return [(first, first + length - 1) for first in starts]


def _free(lesson: Lesson, taken: list[Lesson], brief: Brief) -> list[Run]:
    places = _places(lesson, [], False, brief)
    return [run for run in places if not any(run[0] <= one.sections[1] and one.sections[0] <= run[1] for one in taken)]


def _write(brief: Brief, lesson: Lesson, day: date, run: Run) -> Decision:
    arguments = {"kind": KIND, "name": lesson.name, "from_date": lesson.day.isoformat(), "date": day.isoformat()}
    speak = brief.say(
        "{what} 改到 {where}，只改这一次。", "{what} moves to {where}, this once.",
        what=_lesson_text(brief, lesson), where=_place(brief, day, run),
    )  # fmt: skip
    return call(brief, REPLAN, {**arguments, "section_from": run[0], "section_to": run[1]}, speak=speak)


def _ask_when(brief: Brief, lesson: Lesson, day: date, free: list[Run], taken: list[Lesson]) -> Decision:
    """The question for the sections, with those that are free of lessons."""
    shown = sorted(free, key=lambda run: run != lesson.sections)[:_MOST_CHOICES]
    question = ("{what} 改到{day}的哪几节？", "{what} moves to {day}: at which sections?")
    then = dated_text(brief, *brief.term.week_day(day))
    head = brief.say(*question, what=_lesson_text(brief, lesson), day=then)
    if taken:
        there = brief.say("、", ", ").join(_lesson_text(brief, one) for one in taken)
        head = brief.say("那时候已经有课：{there}。", "There are lessons then: {there}. ", there=there) + head
    listed = [f"{n}. {_sections(brief, run)}" for n, run in enumerate(shown, 1)]
    whole = [_say_whole(brief, lesson, _place_words(brief, day, run)) for run in shown]
    return ask_readings(brief, WHEN, "\n".join([head, *listed]), whole)


def _say_whole(brief: Brief, lesson: Lesson, target: str) -> str:
    """The request with the date of its lesson."""
    day, first, last = lesson.day, *lesson.sections
    if not target:
        return brief.say(
            f"{day.month}月{day.day}日第{first}-{last}节的{lesson.name}课调课了",
            f"the {lesson.name} lecture of {day:%B} {day.day} sections {first}-{last} was moved",
        )
    return brief.say(
        f"{lesson.name}课从{day.month}月{day.day}日第{first}-{last}节调到{target}",
        f"the {lesson.name} lecture moves from {day:%B} {day.day} sections {first}-{last} to {target}",
    )


def _place_words(brief: Brief, day: date, run: Run) -> str:
    first, last = run
    return brief.say(f"{day.month}月{day.day}日第{first}-{last}节", f"{day:%B} {day.day} sections {first}-{last}")


def _sections(brief: Brief, run: Run) -> str:
    clock = f" ({brief.term.starts[run[0] - 1]})" if len(brief.term.starts) >= run[0] else ""
    return brief.say("{first}-{last} 节", "sections {first}-{last}", first=run[0], last=run[1]) + clock


def _place(brief: Brief, day: date, run: Run) -> str:
    return place_text(brief, *brief.term.week_day(day), *run) + f" ({day.month}/{day.day})"


def _lesson_text(brief: Brief, lesson: Lesson) -> str:
    return f"{lesson.name} {_place(brief, lesson.day, lesson.sections)}"


def _tell_unknown(brief: Brief, lessons: list[Lesson]) -> Decision:
    names = brief.say("、", ", ").join(sorted({one.name for one in lessons}))
    told = (
        "课表里没有找到这门课，什么都没有改。课表里有：{names}。",
        "I found no such lesson in the timetable; nothing was changed. It has: {names}.",
    )
    return give_up("no_lesson", brief.say(*told, names=names or "-"))


def _tell_refused(brief: Brief) -> Decision:
    told = (
        "这节课没有改成：那个时间放不下，或课表里的记录对不上。什么都没有改；也可以在课表页面的「调课、假期与考试」里改。",
        "The lesson was not moved: that time cannot take it, or the timetable differs. Nothing was changed; you can "
        "also change it on the timetable page.",
    )
    return give_up("not_written", brief.say(*told))
