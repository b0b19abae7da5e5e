"""Creating and editing a task class from what was said in the goal."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from agent.llm.offline.goals.classes.announced_class import announce_class
from agent.llm.offline.goals.classes.class_dates import own_words
from agent.llm.offline.goals.classes.class_edit import (
    changes_nothing,
    not_made_text,
)
from agent.llm.offline.goals.classes.described_class import resumes_class, unwritten
from agent.llm.offline.goals.classes.meant_classes import (
    WHAT_TO_CHANGE,
    all_classes,
    changed_classes,
    changes_dates,
    find_class_meant,
    is_for_all,
    tell_whole_class,
)
from agent.llm.offline.goals.classes.told_changes import NEW_ONE, collect_slots, find_changes
from agent.llm.offline.goals.decisions import Decision, ask, ask_class, ask_whether, call, finish, give_up, within
from agent.llm.offline.goals.items.offers import was_rejected
from agent.llm.offline.goals.negotiation import find_chosen_way
from agent.llm.offline.goals.new_plan import tell_plan_follows
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.class_batches import WRITE, WRITE_ALL
from agent.llm.offline.language.dialogue.revision.open_after_all import spell_around
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, edits, intent_of
from agent.llm.offline.language.meaning.standing_rules import cells_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.class_times import (
    read_limits,
)
from agent.llm.offline.language.spans.classes.exam_days import ends_before_exam
from agent.llm.offline.language.spans.classes.rhythms import read_minutes, sections_of
from agent.llm.offline.language.spans.conditions.limit_forms import EXCEPT
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.mentions import core_of
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import EXAMPLE_CLASS, date_text, slot_text
from agent.loop.view_document import ClassView, ResultView, TaskView
from agent.tools.arguments.task_class import CLASSES_MAX

MISSING = {
    "name": ("还缺名称：它叫什么？", "Still missing: its name. What is it called?"),
    "items": (
        "还缺内容：{name}有哪些？可以逐项列出，或只说有几项（例如「12个专题」）。",
        'Still missing: the items{name}. List them, or say how many there are ("12 topics").',
    ),
    "end": (
        "还缺结束日期：{name}什么时候考试或截止？",
        "Still missing: the end date{name}. When is the exam, or when is it due?",
    ),
}
"""What is asked of a new class, one thing at a time."""
ROUGHLY = {
    "items": (
        "还不知道也可以先建：说个大概的次数，例如「先来4次」，或多久一次，例如「每周两次，一次一节」，之后随时能改。",
        'It can be set up before you know: say roughly how many ("4 sessions for now") or how often ("twice a '
        "week, one "
        'section each"); that can change at any time.',
    ),
    "end": (
        "还没定也可以：先说一个大概的日子，例如「到5月底」或「为期四周」，之后随时能改。",
        'It need not be sure yet: give a rough last day ("until the end of May") or how long it lasts ("for '
        'four weeks"); '
        "that can change at any time.",
    ),
}
"""How to go on with a new class of which the student does not know what was asked."""
_EXAM = re.compile(r"考试|期末|期中|测验|\b(?:exam|final|finals|midterm|test)\b")
NOT_SAVED = {
    "item_applied": (
        "要去掉的内容里有已经写入课表的，请先把它移出课表。",
        "Some of the items to remove are already in the timetable; take them out first.",
    ),
    "no_change": ("它本来就是这样设置的，没有改动。", "It is set like that already, nothing was changed."),
    "class_not_found": ("找不到这个任务类。", "That task class is not there."),
    "": ("保存没有成功，请稍后再试。", "It could not be saved, please try again later."),
}
NOT_UNDERSTOOD = (
    "我没看出要改什么。可以说「改成10节」「周末不排」或「内容：第1章、第2章」；就按刚才那样，请说「确认」；不要了，请说「算了」。",
    'I do not see what should change. Say for example "10 sections", "no weekends" or "items: chapter 1, chapter 2"; '
    'say "confirm" to take it as it was, or "never mind".',
)
NOT_UNDERSTOOD_TOPIC = "not_understood"
ENDS_EARLIER = "ends_earlier"
"""The question when a class is to end whose new first day lies behind its last one."""


def is_class_goal(brief: Brief) -> bool:
    """Whether the goal, as it stands now, is about a task class."""
    intents = [intent_of(turn, brief) for turn in brief.turns]
    if intents[0] in OPERATIONS:
        return False
    if "class" in intents or find_chosen_way(brief) in WHAT_TO_CHANGE or any(turn in NEW_ONE for turn in brief.turns):
        return True
    return resumes_class(brief) or (intents[0] == "build" and (not brief.classes or bool(unwritten(brief))))


def class_request(brief: Brief) -> Decision:
    """Asks for what is missing, then writes the class."""
    refuses = brief.last_answer("tool", "reject") is not None and says("keep", fold_text(brief.message))
    if (refuses or says("never_mind", fold_text(brief.message))) and len(brief.turns) > 1:
        return finish(brief, brief.say("按你的决定不保存", "not saved, as decided"))
    refused = _just_refused(brief)
    if refused is not None:
        return _answer_refusal(brief, refused)
    if not resumes_class(brief) and (
        edits(brief.request, brief)
        or says("edit_dates", fold_text(brief.request))
        or find_chosen_way(brief) in WHAT_TO_CHANGE
    ):
        return _tell_of_filler(brief) or _edit(brief)
    return _create(brief)


def _tell_of_filler(brief: Brief) -> Decision | None:
    """The answer to a question whether lectures may be used, which no write may give: 水课可以背单词吗."""
    said = Features(brief.request, brief)
    row = brief.class_of(find_class_meant(brief))
    if not (said.has("filler") and says("asking", said.text)) or said.has("grants") or row is None:
        return None
    if row["filler"]:
        told = (
            "可以：「{name}」已经允许排进可嵌入的课里。",
            'Yes: "{name}" may already be placed inside filler courses.',
        )
        return give_up("filler_allowed", brief.say(*told, name=row["name"]))
    if len(brief.turns) > 1:
        return None
    told = (
        "可以，不过「{name}」现在不允许排进课里。允许之后，它会用到课表里标为可嵌入的课。要允许吗？",
        'It can, but "{name}" may not be placed inside courses yet. Once allowed, it uses the courses marked as filler '
        "in your timetable. Allow it?",
    )
    return ask_whether(brief, "filler_wanted", brief.say(*told, name=row["name"]))


def _write(brief: Brief, arguments: dict[str, Any], *, speak: str) -> Decision:
    """Writes the class; what was refused in exactly this form is asked about again instead."""
    for row in brief.results:
        if row["tool"] == WRITE and row["status"] != "done" and within(arguments, row["arguments"]):
            return _answer_refusal(brief, row)
    if was_rejected(brief, WRITE, arguments) and not (is_for_all(brief) and len(brief.turns) > 1):
        return ask(brief, NOT_UNDERSTOOD_TOPIC, brief.say(*NOT_UNDERSTOOD))
    return call(brief, WRITE, arguments, speak=speak)


def _create(brief: Brief) -> Decision:
    slots = collect_slots(brief, new=True)
    slots = replace(slots, start=slots.start or brief.term.today)
    if brief.view["needs_rough_build"] and not slots.excludes:
        slots = replace(slots, **read_limits(brief.request, 0, brief))
    missing = [key for key in MISSING if key in slots.completed(unnamed=True).missing]
    if missing:
        return _ask_missing(brief, slots, missing)
    made = slots.completed()
    return _write(brief, made.arguments(), speak=announce_class(brief, made))


def _ask_missing(brief: Brief, slots: ClassSlots, missing: list[str]) -> Decision:
    """Asks for the next thing that is missing, with what is known by now; how to begin where the student cannot say."""
    if len(missing) == len(MISSING):
        told = brief.say("", " ").join([brief.say(*MISSING[missing[0]], name=""), brief.say(*EXAMPLE_CLASS)])
        return ask(brief, "missing", told, facts=missing[:1], nothing=True)
    named = brief.say("新的任务类「{name}」", ' of the new class "{name}"', name=slots.name) if slots.name else ""
    known = _tell_known(brief, slots)
    told = brief.say("", " ").join(filter(None, (known, brief.say(*MISSING[missing[0]], name=named))))
    open_yet = len(brief.turns) > 1 and says("unknown_yet", fold_text(brief.last_said))
    told = brief.say(*ROUGHLY[missing[0]]) if open_yet and missing[0] in ROUGHLY else told
    return ask(brief, "missing", told, facts=missing[:1], nothing=False, known=known, open=open_yet)


def _tell_known(brief: Brief, slots: ClassSlots) -> str:
    """The days, the rhythm or the contents that are noted of a class of which something else is asked."""
    made, told = slots.completed(unnamed=True), list[str]()
    if slots.end or slots.start not in (None, brief.term.today):
        first, last = (date_text(brief, day) if day else "" for day in (slots.start, made.end))
        bare = (
            brief.say("{first}开始", "from {first}") if not last else brief.say("{first}到{last}", "{first} to {last}")
        )
        told += [bare.format(first=first, last=last)]
    if slots.items:
        told += [brief.say("{count} 项（{items}）", "{count} items ({items})", count=len(slots.items),
                           items=brief.say("、", ", ").join(slots.items))]  # fmt: skip
    elif made.items:
        told += [brief.say("{count} 项", "{count} items", count=len(made.items))]
    elif slots.rhythm:
        times, days = slots.rhythm
        often = {1: ("每天 {n} 次", "{n} a day"), 7: ("每周 {n} 次", "{n} a week")}
        told += [brief.say(*often.get(days, ("每 {days} 天 {n} 次", "{n} every {days} days")), n=times, days=days)]
    noted = brief.say("记下了：{told}。", "Noted: {told}.", told=brief.say("；", "; ").join(told))
    return noted if told else ""


def _just_refused(brief: Brief) -> ResultView | None:
    """The last attempt if it failed and the student has not spoken since."""
    heard_at = brief.interaction["results_at"] if brief.interaction else 0
    for row in reversed(brief.results[heard_at:]):
        if row["tool"] == WRITE and row["status"] != "done":
            return row
    return None


def _answer_refusal(brief: Brief, row: ResultView) -> Decision:
    """Asks about what the check found; any other failure ends the goal."""
    data = row["data"] or {}
    issues = data.get("shown_issues") or (data.get("validation") or {}).get("issues") or []
    errors = [issue for issue in issues if issue["severity"] == "error"]
    if not errors:
        return give_up("not_saved", brief.say(*NOT_SAVED.get(row["error_code"], NOT_SAVED[""])))
    problems = brief.say("；", "; ").join(str(issue["message"]) for issue in errors)
    known = brief.class_of(row["arguments"].get("id") or 0)
    if known is not None and [issue["code"] for issue in errors] == ["bad_range"] and known["end_date"]:
        ends = (
            "「{name}」现在到 {end} 结束，比新的开始日期还早。要改到哪一天结束？",
            '"{name}" ends on {end} now, before its new first day. On which day is it to end?',
        )
        end = date_text(brief, date.fromisoformat(known["end_date"]))
        start = known["start_date"] or ""
        if str(row["arguments"].get("task_class", {}).get("end_date") or start) < start:
            ends = (
                "「{name}」{end} 才开始，新的结束日期比这还早。要改到哪一天结束？",
                '"{name}" begins on {end}, after its new last day. On which day is it to end?',
            )
            end = date_text(brief, date.fromisoformat(start))
        return ask(brief, ENDS_EARLIER, brief.say(*ends, name=known["name"], end=end))
    told = brief.say("还需要修正：{problems}", "Please correct: {problems}", problems=problems)
    return ask(brief, "not_valid", told, issues=[[issue["field"], issue["code"]] for issue in errors])


def _edit(brief: Brief) -> Decision:
    if (
        is_for_all(brief)
        and not changed_classes(brief)
        and not Features(brief.request, brief).ends_all
        and not Features(brief.request, brief).lifted_from
        and not Features(brief.request, brief).standing
        and not Features(brief.request, brief).plans_with_limits
        and not Features(brief.request, brief).limits_each
        and not changes_dates(brief)
        and not any(one.kind in _OF_WEEK for turn in brief.turns for one in read_times(fold_text(turn), brief.term))
    ):
        return ask(brief, "which_weekday", brief.say("每周哪一天不排？", "Which day of the week should stay free?"))
    class_id = _next_of_all(brief) if is_for_all(brief) else find_class_meant(brief)
    if class_id is None and is_for_all(brief):
        return finish(brief, brief.say("能做的都做了", "everything possible is done"))
    if class_id is None:
        ids = [row["id"] for row in brief.classes]
        told = brief.say(
            "要修改哪个任务类？现有：{names}",
            "Which task class should change? There is: {names}",
            names=brief.names_of(ids),
        )
        return ask_class(brief, "class_to_change", told, classes=ids)
    arguments = _with_end(brief, find_changes(brief, class_id))
    moved = move_exam(brief, class_id, arguments)
    if moved is not None:
        return moved
    if isinstance(arguments, str):
        return ask(brief, "no_such_item", arguments)
    if arguments is None:
        way = find_chosen_way(brief)
        what = WHAT_TO_CHANGE.get(way or "", _WHICH_CHANGE)
        name = brief.names_of([class_id])
        return ask(brief, "change_of_class", brief.say(*what).format(name=name), way=way)
    together = _find_together(brief, class_id, arguments)
    if len(together) > 1:
        return call(brief, WRITE_ALL, {"classes": together}, speak=_announce_changes(brief, together))
    return _write(brief, arguments, speak=_announce_change(brief, class_id, arguments))


def _find_together(brief: Brief, class_id: int, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    """The changes that one card can ask for, beginning with this one: those of all classes that are left, where no
    contents change and none was refused for what it says."""
    if not is_for_all(brief) or any(row["tool"] == WRITE and row["status"] != "done" for row in brief.results):
        return []
    known = {class_id, *_find_tried(brief)}
    left = [one for one in all_classes(brief) if one not in known and _is_changed(brief, one)]
    found = [arguments, *(_with_end(brief, find_changes(brief, one)) for one in left)]
    alike = [one for one in found if isinstance(one, dict) and one.keys() == {"id", "task_class"}]
    return alike[:CLASSES_MAX] if len(alike) == len(found) else []


_WHICH_CHANGE = (
    "{name}要改什么？例如「每项3节」「截止推迟一周」「周日不排」。",
    'What should change for {name}? For example "3 sections per item", "move its deadline a week later", "no Sundays".',
)
_OF_WEEK = ("weekday", "part", "sections", "clock")
"""Times that may stay free every week."""
_MOST_NAMED = 5
_FREES = frozenset(["excluded_days_of_week", "excluded_slots", "excluded_cells"])
"""What a class keeps free."""


def _with_end(brief: Brief, arguments: dict[str, Any] | str | None) -> dict[str, Any] | str | None:
    """A change with the last day that was told when it was asked for."""
    asked = any(row["topic"] == ENDS_EARLIER for row in brief.asked)
    days = dates_in(brief.turns[-1], brief.term) if asked else []
    if not days or not isinstance(arguments, dict):
        return arguments
    return {**arguments, "task_class": {**arguments.get("task_class", {}), "end_date": days[-1].isoformat()}}


def tell_new_orders(brief: Brief, listed: list[dict[str, Any]]) -> str:
    """Tells where new items stand that are not the last ones."""
    there = ("{name}排在第 {n} 项。", " {name} becomes item {n}.")
    return "".join(
        brief.say(*there, name=one["content"], n=number)
        for number, one in enumerate(listed, start=1)
        if "id" not in one and any("id" in later for later in listed[number:])
    )


def _announce_change(brief: Brief, class_id: int, arguments: dict[str, Any]) -> str:
    """What a change of a class is to be approved with: which of its items lie where they may not be any more, and that
    the other classes follow; nothing where the class is so already."""
    row = brief.class_of(class_id)
    if row is not None and changes_nothing(brief, row, arguments):
        return ""
    return _announce_changes(brief, [arguments])


def _announce_changes(brief: Brief, changes: list[dict[str, Any]]) -> str:
    """What changes of one card are to be approved with."""
    arguments, class_id = changes[0], int(changes[0]["id"])
    row = brief.class_of(class_id)
    told = brief.say("修改如下，请确认。", "Please approve this change.")
    sole = len(changed_classes(brief)) < 2
    problems = [text for turn in brief.turns if row and (text := not_made_text(brief, row, turn, sole=sole))]
    told = brief.say("", " ").join([told, *problems[:1]])
    listed = arguments.get("items") or []
    told += tell_new_orders(brief, listed) + _tell_swap(brief, row, listed)
    frees = (one["id"] for one in changes if _FREES & {*((one.get("task_class") or {}).get("config") or {})})
    told += "".join(tell_whole_class(one, brief) for one in frees)
    minutes = read_minutes(brief.own_words)
    if minutes and any(one.get("duration") == sections_of(minutes) for one in listed):
        told += brief.say(
            "{minutes} 分钟按 {n} 节（每节 {each} 分钟）算。",
            " {minutes} minutes count as {n} sections of {each} minutes.",
            minutes=minutes, n=sections_of(minutes), each=SECTION_MINUTES,
        )  # fmt: skip
    outside = [one for given in changes for one in find_outside(brief, given["id"], given.get("task_class") or {})]
    if outside:
        named = [
            brief.say("{name}（{at}）", "{name} ({at})", name=row["name"], at=slot_text(brief, row["slot"]))
            for row in outside[:_MOST_NAMED]
        ]
        told += brief.say(
            "现在排在这之外的有 {count} 项：{names}；确认后要另找位置。",
            " Now outside of that ({count}): {names}; they need another place once you approve.",
            count=len(outside),
            names=brief.say("、", ", ").join(named) + (brief.say("等", ", ...") if len(outside) > _MOST_NAMED else ""),
        )
    told += _tell_no_exception(brief, arguments)
    asked = {one["id"] for one in changes}
    every = all_classes(brief) if is_for_all(brief) else []
    later = [one for one in every if one not in asked and _is_changed(brief, one)]
    written = {row["arguments"].get("id") for row in brief.results if row["tool"] == WRITE}
    if len(later) > 0 and not written and not brief.view["rejected"]:
        each = ("之后依次是{names}，各有一张卡片。", " Then, each with a card of its own: {names}.")
        told += brief.say(*each, names=brief.names_of(later))
    return told + tell_plan_follows(brief)


def _tell_swap(brief: Brief, row: ClassView | None, listed: list[dict[str, Any]]) -> str:
    """That two planned items of one class trade their places by another order of it."""
    ids, now = [item["id"] for item in row["items"]] if row else [], [one.get("id") for one in listed]
    moved = [one for one, other in zip(ids, now, strict=False) if one != other]
    placed = [task["duration"] for task in brief.tasks if task["slot"] and task["item_id"] in moved]
    swaps = any(one.side == "swap" for one in read_content_changes(brief.own_words, brief).told)
    swaps = swaps or says("swap", fold_text(brief.own_words))
    if not swaps or len(placed) != _PAIR or len({*placed}) > 1 or {*ids} != {*now} or len(moved) != _PAIR:
        return ""
    told = ("同一个任务类里的内容按次序排，所以先换次序，再对调两项的位置，别的不动。",
            " Items of a class keep their order in the plan, so that changes first; then the two trade places and "
            "the rest stays.")  # fmt: skip
    return brief.say(*told)


_PAIR = 2


def _tell_no_exception(brief: Brief, arguments: dict[str, Any]) -> str:
    """That weekdays are kept free as a whole, where a single date of them is told not to be."""
    config = (arguments.get("task_class") or {}).get("config") or {}
    parts = EXCEPT.split(fold_text(brief.request), maxsplit=1)
    days = dates_in(parts[-1], brief.term) if len(parts) > 1 else []
    out = config.get("excluded_days_of_week") or ()
    spared = [day for day in days if day.isoweekday() in out]
    if not spared:
        return ""
    told = (
        "星期只能整个不排，{day} 这一天我没法单独留出来；只要现在的计划这样，可以说「{once}」。",
        " A weekday is kept free as a whole: {day} alone cannot be left out of that. For the plan as it is alone say "
        '"{once}".',
    )
    cells = cells_of([spared[0].isoweekday()], (), (), brief.term)
    return brief.say(*told, day=date_text(brief, spared[0]), once=spell_around(cells, spared[0], spared[0], brief))


def _is_changed(brief: Brief, class_id: int) -> bool:
    """Whether the request gives a class something that it has not, or something has to be asked of it."""
    row, arguments = brief.class_of(class_id), find_changes(brief, class_id)
    return row is None or not isinstance(arguments, dict) or not changes_nothing(brief, row, arguments)


def find_outside(brief: Brief, class_id: int, changed: dict[str, Any]) -> list[TaskView]:
    """The items of a class whose places its new dates or the times it is to keep free rule out."""
    first, last = changed.get("start_date"), changed.get("end_date")
    free = changed.get("config") or {}
    days, blocks = free.get("excluded_days_of_week") or [], free.get("excluded_slots") or []
    cells = {(one["day_of_week"], one["block"]) for one in free.get("excluded_cells") or []}
    found = list[TaskView]()
    for row in brief.tasks:
        if row["class_id"] != class_id or (slot := row["slot"]) is None:
            continue
        day = brief.day_of(slot)
        taken = range((slot["slot_start"] + 1) // 2, (slot["slot_end"] + 1) // 2 + 1)
        ruled_out = (first and day.isoformat() < str(first)) or (last and day.isoformat() > str(last))
        ruled_out = ruled_out or slot["day_of_week"] in days or any(block in blocks for block in taken)
        if (ruled_out or any((slot["day_of_week"], block) in cells for block in taken)) and day >= brief.term.today:
            found.append(row)
    return sorted(found, key=lambda row: (row["slot"]["week"], row["slot"]["day_of_week"]) if row["slot"] else (0, 0))


def move_exam(brief: Brief, class_id: int, arguments: Any) -> Decision | None:
    """The exam itself moves first, and the classes that end with it follow; None where none is meant or known."""
    day = (arguments.get("task_class") or {}).get("end_date") if isinstance(arguments, dict) else None
    row = brief.class_of(class_id)
    if row is None or day is None or brief.draft is None or not _EXAM.search(fold_text(brief.request)):
        return None
    tried = [one for one in brief.results if one["tool"] == "replan" and one["arguments"].get("kind") == "exam_moved"]
    if tried:
        return finish(brief, "replan: done") if tried[-1]["status"] == "done" else None
    name = core_of(row["name"]) or row["name"]
    day = (date.fromisoformat(day) + timedelta(days=ends_before_exam(own_words(brief, brief.request)))).isoformat()
    return call(brief, "replan", {"kind": "exam_moved", "name": name, "date": day})


def _next_of_all(brief: Brief) -> int | None:
    """The next class of the scope that has not been changed, or tried, and is not as it is wanted already; the first
    where all are."""
    tried = _find_tried(brief)
    left = [class_id for class_id in all_classes(brief) if class_id not in tried]
    return next((one for one in left if _is_changed(brief, one)), left[0] if left and not tried else None)


def _find_tried(brief: Brief) -> list[int | None]:
    """The classes that were written, tried or refused; None for one that was made."""
    tried = [row["arguments"].get("id") for row in brief.results if row["tool"] == WRITE]
    typed = brief.view["turns"][-1]["via"] == "reject"  # words over a card do not leave its class out
    return tried + [row["arguments"].get("id") for row in brief.view["rejected"]][: -1 if typed else None]


def has_more_classes(brief: Brief) -> bool:
    """Whether a change of every class is not yet made in all of them."""
    return intent_of(brief.request, brief) not in OPERATIONS and is_for_all(brief) and _next_of_all(brief) is not None
