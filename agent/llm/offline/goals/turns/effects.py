"""A card that words were typed over: what it would change, how the items would stand, and what would follow from one
that leaves the places to the planner, as the supposition that works it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, cast

from agent.llm.offline.goals.classes.corrected_class import is_new
from agent.llm.offline.goals.classes.meant_classes import all_classes, is_for_all
from agent.llm.offline.goals.explain import due_text, end_text, next_text
from agent.llm.offline.goals.happenings.marks import FOLLOWS, MARK
from agent.llm.offline.goals.questions.answers import answer_by_form
from agent.llm.offline.goals.questions.checks import answer_check
from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.goals.questions.reads import rows_in_time, rows_text
from agent.llm.offline.goals.turns.over_card import asks_beside
from agent.llm.offline.language.brief import Brief, Json
from agent.llm.offline.language.dialogue.rewriting import find_items
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.meaning.whether import asks_what_follows, asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.happenings import days_in, progress_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import day_at, shift_in, target_in, way_in
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.texts import date_text, say_sections
from agent.loop.view_document import CallView, ClassView, SlotView, TaskView, View


def spell_effect(call: CallView, said: str, brief: Brief, left: str = "") -> str:
    """What is supposed, or asked, by words over a card of free times or a last day that ask where something goes, as
    words above the answer; empty for other words and other cards. `left` is what stands behind the card."""
    text = fold_text(said)
    along = call["name"] == "replan" and _MOVES_ALONG.search(text) and not items_in(said, brief)
    clash = call["name"] == "replan" and says("clash", text) and bool(asks_whether(text) or says("asking", text))
    if not (clash or asks_what_follows(text) or (along and way_in(text) >= 0 and shift_in(said) is None)):
        return ""
    rows = _find_missed(call, left, brief) if call["name"] == MARK else []
    if rows and all(row in rows for row in items_in(said, brief)):
        return _spell_marked(rows, text, brief)
    given, changed = call["arguments"], call["arguments"].get("task_class") or {}
    free = (changed.get("config") or {}).get("excluded_days_of_week")
    owners = [] if is_for_all(brief) and len(all_classes(brief)) > 1 else [int(given.get("id") or 0)]
    name = next((row["name"] for row in brief.classes if row["id"] in owners), "")
    if call["name"] == "replan" and given.get("kind") in ("keep_free", "ill") and "from_date" in given:
        points = along and _THESE_DAYS.search(text)
        if clash and items_in(said, brief, among=all_items(brief)):
            return ""
        return _spell_days(given, brief) if points or _is_within(text, given, brief) else ""
    if call["name"] != "upsert_task_class" or target_in(said, brief).said:
        return ""
    if free and not changed.get("end_date"):
        days = brief.say("、", " and ").join(weekday_names(free, brief.language))
        of_class = name and brief.say("", f" of {name}")
        return brief.say(f"如果{name}每周{days}都不排：", f"If nothing{of_class} is on {days}:")
    if changed.get("end_date") and name and not free:
        day = date_text(brief, date.fromisoformat(str(changed["end_date"])))
        return brief.say(f"如果{name}要在{day}之前学完：", f"If {name} has to be done by {day}:")
    return ""


_MOVES_ALONG = re.compile(
    r"(?:[这那][几1一些]?[天些时]|任务|安排|受影响|的(?!话)|[号日])[^,，。]{0,6}[,，]?[^,，。]{0,4}(?:[往向]后|顺延|延后|推[迟后到]?|挪|移)"
    r"|\b(?:push|move|shift|postpone|delay|reschedule)\b[^,.;]{0,20}\b(?:tasks?|items?|steps?|them|everything|those|things?"
    r"|what'?s (?:there|on|planned))\b"
)
"""What wants the items that stand on the days of a card to go elsewhere, as it makes them."""
_THESE_DAYS = re.compile(r"[这那][几1一些]?天|\b(?:those|these) days\b")


def read_effect(told: str, brief: Brief) -> str:
    """Answers what was told to be answered as the question that it is."""
    return re.sub("[：:]$", brief.say("，会怎样？", ", what happens?"), told)


def _find_missed(call: CallView, left: str, brief: Brief) -> list[TaskView]:
    """The items that a card would mark as missed, else those of the last mark behind it."""
    if call["arguments"].get("progress") in FOLLOWS:
        return [row for row in brief.tasks if row["state_id"] in call["arguments"].get("task_ids", ())]
    last = left.split(APART)[-1]
    return find_items(last, brief) if progress_in(last) == "missed" else []


def spell_card_time(call: CallView, moved: Sequence[TaskView], said: str, brief: Brief) -> str:
    """A question over a card with the day or the time of the card for what points to it: that day, then, 那时候; empty
    for other words."""
    folded, given = fold_text(said), call["arguments"]
    found, slots = _THEN.search(folded), [slot for row in moved if (slot := row["slot"])]
    days = {(slot["week"], slot["day_of_week"]) for slot in slots}
    if found and found["week"]:
        weeks = {week for week, _ in days}
        told = brief.say(f"第{min(weeks)}周", f"in week {min(weeks)}") if len(weeks) == 1 else ""
        return folded.replace(found.group(), told) if told else ""
    if found and found["time_en"] and (_ASKS_TIME.search(folded) or target_in(folded, brief).said):
        return ""  # once that is so
    if found is None or (not slots and not (call["name"] == "replan" and "from_date" in given)) or len(days) > 1:
        return ""
    if slots:
        when, slot = date_text(brief, brief.term.day(*days.pop())), slots[0]
        exact = (found["time"] or found["time_en"]) and len(slots) == 1
        when += say_sections(brief, slot["slot_start"], slot["slot_end"]) if exact else ""
    else:
        when = _spell_free(given, brief)
    rest = _PAST.sub("", f"{folded[: found.start()]}{brief.say(when, f'on {when}')}{folded[found.end() :]}")
    return rest if slots else re.sub(r"\bwas\b", "is", rest)


_ASKS_TIME = re.compile(r"\b(?:which|when|where|how)\b")
_THEN = re.compile(
    r"(?P<week>那[一1]?个?(?:周|星期|礼拜)(?![一二三四五六日天末])|\b(?:in |on )?that week\b)"
    r"|那[一1]?天|当天|(?P<time>那个?(?:时候|时间段?|会儿?))|\b(?:on |of )?(?:that|the same) day\b"
    r"|\bthere\b(?! (?:is|are|be)\b)|(?P<time_en>\b(?:then|at that time)\b(?=\W*$))"
)
_PAST = re.compile(r"本来|原来|原本")


def _spell_marked(rows: list[TaskView], text: str, brief: Brief) -> str:
    """The question where what was missed could go, for words that ask when it may be made up."""
    if not says("when_asked", text) or target_in(text, brief).said:
        return ""
    name = rows[0]["name"]
    return brief.say(f"{name}最早和最晚能放到什么时候？", f"How early and how late could {name} go?")


def _spell_days(given: Json, brief: Brief) -> str:
    when = _spell_free(given, brief)
    return brief.say(f"如果{when}空出来：", f"If {when} is kept free:")


def _spell_free(given: Json, brief: Brief) -> str:
    """The days, and the hours, that a card is to keep free."""
    ends = dict.fromkeys((str(given["from_date"]), str(given.get("to_date") or given["from_date"])))
    when = brief.say("到", " to ").join(date_text(brief, date.fromisoformat(day)) for day in ends)
    first, last = given.get("section_from"), given.get("section_to")
    return when + say_sections(brief, first, last) if first and last else when


def _is_within(text: str, given: Json, brief: Brief) -> bool:
    """Whether a text names no day but those that are to stay free."""
    first, last = date.fromisoformat(str(given["from_date"])), str(given.get("to_date") or given["from_date"])
    runs = days_in(text, brief.term)
    told = all(first <= run.first and run.last.isoformat() <= last for run in runs)
    return told and bool(runs or not target_in(text, brief).said)


@dataclass(frozen=True)
class OpenCard:
    """A card that was typed over: what it would change, and the items as they would stand."""

    brief: Brief
    call: CallView
    said: str
    rows: tuple[TaskView, ...]

    @property
    def moved(self) -> list[TaskView]:
        """The items that would stand elsewhere."""
        now = {row["state_id"]: row["slot"] for row in self.brief.tasks}
        return [row for row in self.rows if row["slot"] != now[row["state_id"]]]

    @property
    def about(self) -> list[TaskView]:
        """The items that the card is about, as they would stand."""
        ids = self.call["arguments"].get("task_ids", ())
        return self.moved or [row for row in self.rows if row["state_id"] in ids]

    @property
    def named(self) -> list[TaskView]:
        """The items that the words name, as they would stand."""
        ids = {row["state_id"] for row in named_items(self.said, self.brief) or items_in(self.said, self.brief)}
        return [row for row in self.rows if row["state_id"] in ids]


def suppose_card(brief: Brief, call: CallView, shown: str) -> list[TaskView]:
    """The items of the draft as a call would place them; of what the planner finds, as the card shows it."""
    given, places = call["arguments"], dict[int, SlotView | None]()
    if not given:
        return [*brief.tasks]
    if call["name"] in ("move", "place"):
        places[given["task_id"]] = _slot(brief, given["task_id"], *_where(given))
    elif call["name"] == "batch_move":
        places = {one["task_id"]: _slot(brief, one["task_id"], *_where(one)) for one in given["moves"]}
    elif call["name"] == "swap":
        first, second = brief.task(given["task_a"]), brief.task(given["task_b"])
        if first and second:
            places = {first["state_id"]: second["slot"], second["state_id"]: first["slot"]}
    elif call["name"] == "upsert_task_class" and given.get("id") and "items" in given:
        kept = {one.get("id") for one in given["items"]}
        return [row for row in brief.tasks if row["class_id"] != given["id"] or row["item_id"] in kept]
    elif given.get("progress") == "done":
        return [row for row in brief.tasks if row["state_id"] not in given.get("task_ids", ())]
    elif call["name"] in ("unplace", "batch_unplace"):
        places = dict.fromkeys(given.get("task_ids") or [given.get("task_id")])
    elif call["name"] == "replan":
        places = _read_shown(brief, shown)
    return [cast("TaskView", {**row, "slot": places.get(row["state_id"], row["slot"])}) for row in brief.tasks]


def _read_shown(brief: Brief, shown: str) -> dict[int, SlotView | None]:
    """The places that a card shows, which its call leaves to the planner; none where one of them is not read."""
    places, first = dict[int, SlotView | None](), brief.draft["window"]["first"] if brief.draft else None
    for piece in re.split("[；;]", shown):
        rows, target = items_in(piece, brief), target_in(re.split("→|移到|安排到", piece)[-1], brief)
        if first is None or len(rows) != 1 or not target.week or len(target.days) != 1 or not target.sections:
            return {}
        day = 7 * (target.week - first["week"]) + target.days[0] - first["day_of_week"] + 1
        places[rows[0]["state_id"]] = _slot(brief, rows[0]["state_id"], day, target.sections[0])
    return places


def _where(given: Any) -> tuple[int, int]:
    return given.get("new_day", given.get("day")), given.get("new_slot_start", given.get("slot_start"))


def _slot(brief: Brief, task_id: int, day: int, first: int) -> SlotView:
    row, (week, weekday) = brief.task(task_id), day_at(brief, day)
    return {
        "day": day, "week": week, "day_of_week": weekday, "slot_start": first,
        "slot_end": first + (row["duration"] if row else 1) - 1, "host_event_id": None,
    }  # fmt: skip


def list_things(card: OpenCard) -> list[TaskView]:
    """The items that words over a card may count, in the order of their places: those that its request is for, else
    those that it moves."""
    brief, owners = card.brief, classes_in(card.brief.request, card.brief.classes)
    ids = {row["state_id"] for row in find_mentioned(brief.request, brief)}
    whole = intent_of(brief.request, brief) == "build" or card.call["name"] == "upsert_task_class"
    rows = [row for row in card.rows if row["state_id"] in ids or (whole and row["class_id"] in owners)]
    return rows_in_time([row for row in rows if row["slot"]] if len(rows) > 1 else card.moved)


def swap_on_card(card: OpenCard) -> str:
    """The request for the places of a card with those of two of its items exchanged; of one class they exchange their
    order once they are there. Empty for other words."""
    brief, pair = card.brief, card.named or list_things(card)
    swaps = [one.side for one in read_content_changes(card.said, brief).told] == ["swap"]
    swaps = (swaps or intent_of(card.said, brief) == "swap") and intent_of(brief.request, brief) != "swap"
    if len(pair) != 2 or not swaps or asks_whether(card.said) or not any(row in card.moved for row in pair):
        return ""
    one, other = pair
    between = brief.say("，", " and ")
    if one["class_id"] == other["class_id"]:
        swap = brief.say("{one}和{other}换一下", "swap {one} and {other}", one=one["name"], other=other["name"])
        return (brief.say("；", "; ") + APART).join((spell_places(card.moved, brief, between), swap))
    there = {one["state_id"]: other["slot"], other["state_id"]: one["slot"]}
    rows = [cast("TaskView", {**row, "slot": there.get(row["state_id"], row["slot"])}) for row in card.rows]
    return spell_places([row for row in rows if row["state_id"] in there or row in card.moved], brief, between)


def spell_places(rows: Sequence[TaskView], brief: Brief, between: str) -> str:
    """The places of items as a request; empty where one has none."""
    told = list[str]()
    for row in rows:
        if (slot := row["slot"]) is None:
            return ""
        when = date_text(brief, brief.day_of(slot)) + say_sections(brief, slot["slot_start"], slot["slot_end"])
        told.append(brief.say("把{name}放到{when}", "put {name} on {when}", name=row["name"], when=when))
    return between.join(told)


def tell_contents(card: OpenCard) -> str:
    """How long the items would be of a class whose contents change, and when new ones get a place."""
    text, brief, given = fold_text(card.said), card.brief, card.call["arguments"]
    owner = None if is_new(card.call) or "items" not in given or card.named else brief.class_of(given.get("id"))
    if owner is None or target_in(card.said, brief).said:
        return ""
    if _LENGTH.search(text) and not says("correction", text):
        told = (f"{one['content']}{brief.say('：', ': ')}{one['duration']}" for one in given["items"])
        head = brief.say("按卡片改，各项的节数：", "With this card, in sections: ")
        return head + brief.say("、", ", ").join(told)
    known = {item["content"] for item in owner["items"]}
    ids = {item["id"] for item in owner["items"]}  # what only gets another name is not new
    new = [one["content"] for one in given["items"] if one["content"] not in known and one.get("id") not in ids]
    placed = any(row["slot"] for row in brief.tasks if row["class_id"] == owner["id"])
    if not new or not says("when_asked", text) or not says("asking", text):
        return ""
    names = brief.say("、", ", ").join(new)
    then = ("{names}：确认后给它找位置，再出一张卡片。",
            "{names}: once you approve a place is found for it, with a card of its own.")  # fmt: skip
    waits = ("{names}：这一类还没有排，这张卡片也不排它。",
             "{names}: its class is not planned yet, and this card does not plan it.")  # fmt: skip
    return brief.say(*(then if placed else waits), names=names)


_LENGTH = re.compile(r"多长|几节|多少节|\bhow (?:long|many (?:sections|periods))\b")


def tell_count(card: OpenCard) -> str:
    """How many items the class would have whose contents change."""
    text, brief, given = fold_text(card.said), card.brief, card.call["arguments"]
    if not says("count_asked", text) or "items" not in given or is_new(card.call) or target_in(card.said, brief).said:
        return ""
    told = ("按卡片改，「{name}」共 {n} 项。", "With this card {name} has {n} items.")
    return brief.say(*told, name=brief.name_of(given.get("id")), n=len(given["items"]))


_TOLD = {"next": next_text, "end_asked": end_text, "due": due_text}


def tell_as_it_would_be(card: OpenCard) -> str:
    """What is asked of the plan and its classes, as the card would make them."""
    brief, given = card.brief, card.call["arguments"]
    spelled = spell_card_time(card.call, card.moved, card.said, brief) or fold_text(card.said)
    said = re.sub(r"\s*\bthen\b", "", re.sub(r"\bwould\b", "does", spelled))
    if len(card.about) == 1 and not card.named:
        said = pattern("pronoun").sub(card.about[0]["name"], said)
    fewer, changed = len(card.rows) < len(brief.tasks), {*(given.get("task_class") or {})} & {"start_date", "end_date"}
    if brief.draft is None or not (card.moved or fewer or changed) or says("correction", said):
        return ""
    part = brief.part([said], [], before=brief.request)
    view: View = {**part.view, "draft": {**brief.draft, "tasks": [*card.rows]}, "classes": _suppose_classes(card)}
    part = replace(part, view=view)
    told, intent = answer_check(part), intent_of(said, part)
    if not told and asks_beside(brief.last_said, brief.turns[0], brief):
        tell = _TOLD.get(intent)
        told = answer_query(part) or answer_by_form(part) or (tell(part) if tell else "")
        told = told or (_tell_days(card, part) if intent == "show" and not says("lesson_asked", said) else "")
    head = ("按卡片改（确认才算）：\n", "With this card, once you confirm it:\n")
    return brief.say(*head) + told if told else ""


def _tell_days(card: OpenCard, part: Brief) -> str:
    """The items of several days that are asked about, where the card moves some of them to or from these."""
    asked, now = asked_in(part.message, part), {row["state_id"]: row["slot"] for row in card.brief.tasks}
    slots = [slot for row in card.moved for slot in (row["slot"], now[row["state_id"]]) if slot]
    long = any(first != last for first, last in asked.runs)  # the lessons of a day are wanted as well
    touched = long and any(asked.covers(slot, part) for slot in slots)
    without = part.say("（课没有列出）", "(lessons are not listed)")
    return f"{rows_text(part, asked, rows_in_time(card.rows), part.message)}\n{without}" if touched else ""


def _suppose_classes(card: OpenCard) -> list[ClassView]:
    """The classes as a card would write them: their dates, and their items but for new ones."""
    given, classes = card.call["arguments"], card.brief.classes
    if card.call["name"] != "upsert_task_class" or is_new(card.call):
        return classes
    changed = {key: end for key, end in (given.get("task_class") or {}).items() if key in ("start_date", "end_date")}
    kept = {one.get("id") for one in given["items"]} if "items" in given else None
    return [
        row if row["id"] != given["id"] else
        cast("ClassView", {**row, **changed, "items": [one for one in row["items"] if not kept or one["id"] in kept]})
        for row in classes
    ]  # fmt: skip
