"""Whether items stand as it is supposed: at an end of the plan, within their dates, on such days, by what was wanted.

Yes or no stands first, then the items with their dates that it follows from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta

from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.goals.questions.query import find_owners
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time, tell_verdict
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.frames import frame_of
from agent.llm.offline.language.plain.days.dates_off import find_first_possible
from agent.llm.offline.language.spans.conditions.limits import read_conditions, rows_of
from agent.llm.offline.language.spans.conditions.said import find_breaking
from agent.llm.offline.language.spans.items.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text
from agent.loop.view_document import ClassView, TaskView

_EDGE = re.compile(
    r"(?P<last>最后(?![1一]?[章次节课])|最末|\b(?:the )?last\b(?! (?:week|chapter|day|time|lesson))|\bcomes? last\b)"
    r"|(?P<first>最前|最先|排第[一1]|第[一1]个|\b(?:the )?(?:very )?first\b(?! (?:week|chapter|day|time|lesson)))"
)
_WITHIN = re.compile(
    r"范围|期限|起止|超(?:没|出|期|过|了)|截止[^,，。;；]{0,6}[前内里]|赶得[上及]"
    r"|\bstill (?:work|fit|ok|okay|fine|valid|in time|within|before)|\bin range\b"
    r"|\b(?:within|before|after|past|outside|beyond|by|in|with) (?:the |its |their |that )?(?:new )?(?:deadline"
    r"|end date|dates?|range)\b"
)
_MAKES_IT = re.compile(
    r"[来赶]得[及上]|[来赶]不[来得][及上]|太晚|\b(?:in time|too late|(?:makes?|meets?) (?:the|its|my) deadline)\b"
)
"""The same of the one item that was spoken of."""
_ON = re.compile(r"[在是排]|\b(?:on|at|in|still|left|anything|something|any)\b")
_ALL = re.compile(r"都|全|\b(?:all|every\w*|both|only)\b")
_ANY = re.compile(
    r"还有|有没有|有(?!课|空)|没有?|哪|\b(?:any|anything|something|what|else|still|left|no|nothing|which)\b"
)
_IS = re.compile(r"[在是]|^(?:\W*(?:so|and|ok),? )*(?:is|are)\b")
_KEEPS = re.compile(
    r"违反|(?:符合|满足|遵守)(?:的?[吗么没不]|了|我|这|那|\s*[?？]?$)|\b(?:breaks?|violates?"
    r"|against)\b[^.;]{0,12}\b(?:that|this|it|rules?)\b"
    r"|\b(?:keeps? to|stick(?:s|ing)? to|follows?|respects?|obeys?|match(?:es)?) (?:that|this|it|those|them"
    r"|my (?:rules?|limits?))\b"
)
_THEY = re.compile(r"它们?|他们|这[些几]|那[些几]|\b(?:they|them|these|those|it)\b|^(?:那)?都")
_BLOCK = 2
"""Sections of a block."""


def stands_text(brief: Brief, text: str) -> str:
    """The answer to a question of one of these forms; empty where the message is none."""
    return next((told for form in _FORMS if (told := form(brief, text))), "")


def _meant(brief: Brief, text: str) -> list[TaskView]:
    """The items that are named, or that a pronoun stands for."""
    found = named_items(text, brief) or items_in(text, brief)
    return found or (spoken_of(brief) if _THEY.search(text) else [])


def _edge_text(brief: Brief, text: str) -> str:
    """Whether an item is the first or the last of the plan, or of its class."""
    edge = _EDGE.search(text)
    rows = _meant(brief, _EDGE.sub(" ", text)) if edge else []
    if edge is None or len(rows) != 1 or not rows[0]["slot"] or not asks_whether(text) or read_times(text, brief.term):
        return ""
    row, placed = rows[0], [one for one in rows_in_time(brief.tasks) if one["slot"]]
    own = [one for one in placed if one["class_id"] == row["class_id"]]
    at = -1 if edge["last"] else 0
    ids = (placed[at]["state_id"], own[at]["state_id"])
    which = brief.say("最后" if at else "最前", "last" if at else "first")
    whose = brief.names_of([row["class_id"]])
    if row["state_id"] == ids[0]:
        told = ("是的，它排在整个计划的{which}：", "Yes, it is the {which} of the whole plan:")
        return "\n".join([brief.say(*told, which=which), *item_lines(brief, [row])])
    if row["state_id"] == ids[1]:
        told = (
            "在{whose}里是{which}的，但整个计划{which}的是{other}：",
            "Of {whose} it is the {which}, but the {which} of the whole plan is {other}:",
        )
    else:
        told = ("不是，整个计划{which}的是{other}：", "No, the {which} of the whole plan is {other}:")
    lead = brief.say(*told, whose=whose, which=which, other=placed[at]["name"])
    return "\n".join([lead, *item_lines(brief, [row, placed[at]])])


def _within_text(brief: Brief, text: str) -> str:
    """Whether items lie within the dates of their classes, those told beside the question too."""
    rows = [row for row in _meant(brief, text) if row["slot"]] if _WITHIN.search(text) else []
    waiting = list[TaskView]()
    if not rows and _WITHIN.search(text) and _EVERYTHING.search(text):
        named = find_owners(text, brief)[0]
        asked = [row for row in brief.tasks if not named or row["class_id"] in named]
        rows, waiting = [row for row in asked if row["slot"]], [row for row in asked if not row["slot"]]
    elif not rows and (_WITHIN.search(text) or _MAKES_IT.search(text)) and not find_owners(text, brief)[0]:
        spoken = items_in(text, brief) or spoken_of(brief)
        rows = [row for row in spoken if row["slot"]] if len(spoken) == 1 else []
    if not rows or not asks_whether(text) or read_times(text, brief.term):
        return ""
    owners = {
        row["class_id"]: _with_new_end(brief, owner) for row in rows if (owner := brief.class_of(row["class_id"]))
    }
    out = [row for row in rows if not _is_within(brief, row, owners[row["class_id"]])]
    dates = brief.say("、", ", ").join(
        brief.say("「{name}」{first}到{last}", '"{name}" {first} to {last}', name=owner["name"],
                  first=date_text(brief, date.fromisoformat(owner["start_date"])),
                  last=date_text(brief, date.fromisoformat(owner["end_date"])))
        for owner in owners.values() if owner["start_date"] and owner["end_date"]
    )  # fmt: skip
    if waiting and not out:
        names = brief.say("、", ", ").join(row["name"] for row in waiting)
        none_yet = ("还没有位置：{names}；其余的都在范围里（{dates}）。",
                    "Without a place yet: {names}; the others are within the dates ({dates}).")  # fmt: skip
        return brief.say(*none_yet, names=names, dates=dates)
    if not out and len(rows) == sum(row["slot"] is not None for row in brief.tasks):
        every = ("排好的 {n} 项都在范围里（{dates}）。", "Yes, all {n} planned items are within the dates ({dates}).")
        return brief.say(*every, n=len(rows), dates=dates)
    told = ("在范围里（{dates}）：", "Yes, within the dates ({dates}):")
    told = ("不在范围里（{dates}）：", "No, not within the dates ({dates}):") if out else told
    return "\n".join([brief.say(*told, dates=dates), *item_lines(brief, out or rows)])


_EVERYTHING = re.compile(r"都|全部?|所有|\b(?:everything|all|every)\b")


def _with_new_end(brief: Brief, owner: ClassView) -> ClassView:
    """A class with the last day that the rest of the message gives it, while its card is open."""
    whole = (brief.whole or brief).request
    for part in whole.split(APART):
        changed = part != brief.request and owner["id"] in classes_in(part, brief.classes)
        times = [one.last or one.first for one in read_times(part, brief.term)] if changed else []
        if changed and Features(part, brief).changes_end and times and (last := times[-1]):
            return {**owner, "end_date": last.isoformat()}
    return owner


def _is_within(brief: Brief, row: TaskView, owner: ClassView) -> bool:
    slot = row["slot"]
    if slot is None:
        return False
    day = brief.day_of(slot).isoformat()
    return (not owner["start_date"] or owner["start_date"] <= day) and (
        not owner["end_date"] or day <= owner["end_date"]
    )


def _days_text(brief: Brief, text: str) -> str:
    """Whether any of the items, or all of them, are on such days of the week; which."""
    times = read_times(text, brief.term)
    days = {day for one in times for day in one.weekdays}
    dated = any(one.week or one.first or one.side or one.role == "avoided" for one in times)
    every, some = _ALL.search(text), _ANY.search(text)
    if not days or dated or not _ON.search(text) or not (asks_whether(text) or some) or not (every or some):
        return ""
    hours = asked_in(text, brief).hours
    owners = find_owners(text, brief)[0]
    rows = _meant(brief, text) or [row for row in brief.tasks if not owners or row["class_id"] in owners]
    rows = [row for row in rows if row["slot"] and brief.day_of(row["slot"])
            >= brief.term.today]  # fmt: skip
    then = [row for row in rows if row["slot"] and row["slot"]["day_of_week"] in days and _meets(row, hours)]
    if not rows:
        return ""
    if every and asks_whether(text):
        others = [row for row in rows if row not in then]
        lead = brief.say("不是，这些不在：", "No, these are not:") if others else tell_verdict(brief, yes=True)
        return "\n".join([lead, *item_lines(brief, others or then)])
    if not then:
        return _tell_none(brief, rows)
    return "\n".join([brief.say("有 {n} 项：", "{n}:", n=len(then)), *item_lines(brief, then)])


def _tell_none(brief: Brief, rows: Sequence[TaskView]) -> str:
    """That none of the items is then, and which have no place at all."""
    told = ("没有：排好的 {n} 项都不在那些日子。", "None: of the {n} planned items none is then.")
    names = brief.say("、", ", ").join(row["name"] for row in brief.tasks if not row["slot"] and row["mark"] != "done")
    waiting = ("没有位置的还有：{names}。", " Without a place: {names}.")
    return brief.say(*told, n=len(rows)) + (brief.say(*waiting, names=names) if names else "")


def _meets(row: TaskView, hours: Sequence[tuple[int, int]]) -> bool:
    """Whether an item lies in these hours, in part at least; anywhere where none are told."""
    slot = row["slot"]
    return slot is not None and (
        not hours or any(slot["slot_start"] <= end and first <= slot["slot_end"] for first, end in hours)
    )


_RECURS = re.compile(
    r"(?<![这下上本个])(?:周末|周[一二三四五六日天]|工作日)[^,，。;；]{0,4}的|工作日|周末了?[吗么没]"
    r"|\b(?:an?|any) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:weekends?|weekdays)\b(?<!the weekend)"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
)
"""Such days, not the next one of the kind."""
_NOT_HERE = re.compile(
    r"空(?!.*了)|课|这周|下周|本周|这个|今|明|\b(?:free|lessons?|lectures?|this|next|the weekend|busy|full)\b"
)


def _recurring_text(brief: Brief, text: str) -> str:
    return _days_text(brief, text) if _RECURS.search(text) and not _NOT_HERE.search(text) else ""


def _keeps_text(brief: Brief, text: str) -> str:
    """Whether the plan keeps to what was wanted: the times that the classes leave free, and what was told of places."""
    placed = [row for row in brief.tasks if row["slot"]]
    if not _KEEPS.search(text) or not placed or items_in(text, brief) or read_times(text, brief.term):
        return ""
    broken = [row for row in placed if _breaks_class(brief, row)]
    said = [turn["text"] for turn in brief.earlier if turn["role"] == "user"][-_TURNS:]
    for turn in said:
        if intent_of(turn, brief) in ("limit", "wish", "class", "build"):
            found = read_conditions(turn, brief)
            broken += [row for one in found.said for row in find_breaking(one, rows_of(one, found, brief), brief)]
    rows = [row for row in placed if row in broken]
    if not rows:
        told = (
            "没有违反的：排好的 {n} 项都符合任务类的设置和说过的条件。",
            "Nothing breaks it: all {n} planned items keep to the settings of the classes and to what you asked for.",
        )
        return brief.say(*told, n=len(placed))
    head = brief.say("有 {n} 项不符合：", "{n} of the planned items break it:", n=len(rows))
    return "\n".join([head, *item_lines(brief, rows)])


_EITHER = re.compile(r"还是|\bor\b")


def _hours_text(brief: Brief, text: str) -> str:
    """Whether items that are named lie at such an hour or part of the day."""
    times, rows = read_times(text, brief.term), [row for row in _meant(brief, text) if row["slot"]]
    of_day = times and all(one.kind in ("part", "sections", "clock") and not one.role for one in times)
    polite = Features(brief.message, brief).has("polite_form")
    if not of_day or not rows or len(rows) == len(brief.tasks) or not _IS.search(text) or polite:
        return ""
    if not asks_whether(text):
        return ""
    if _EITHER.search(text):
        return "\n".join(item_lines(brief, rows))
    out = [row for row in rows if not _meets(row, asked_in(text, brief).hours)]
    return "\n".join([tell_verdict(brief, yes=not out), *item_lines(brief, out or rows)])


_TURNS = 5


def _breaks_class(brief: Brief, row: TaskView) -> bool:
    """Whether an item stands where its class leaves the time free."""
    owner, slot = brief.class_of(row["class_id"]), row["slot"]
    if owner is None or slot is None:
        return False
    blocks = {(section + 1) // _BLOCK for section in range(slot["slot_start"], slot["slot_end"] + 1)}
    cells = {(day, block) for day, block in owner["excluded_cells"]}
    free = slot["day_of_week"] in owner["excluded_days"] or bool(blocks & {*owner["excluded_blocks"]})
    return free or any((slot["day_of_week"], block) in cells for block in blocks) or not _is_within(brief, row, owner)


_BESIDE = re.compile(r"[?？]|[,，。.;；]\s*因为|\b(?:cos|cuz|because|since|as)\b")
"""Where a question ends, with the reason why it is asked behind it."""


def must_text(brief: Brief) -> str:
    """Whether items have to be at a time, to which only the dates of their class bind them; where a reason tells
    a day before which they cannot be, how to keep to it."""
    asked, *beside = _BESIDE.split(fold_text(brief.own_words), maxsplit=1)
    rows = (
        (named_items(asked, brief) or items_in(asked, brief, among=all_items(brief)))
        if says("must_asked", asked)
        else []
    )
    ids = {row["class_id"] for row in rows} or {*classes_in(asked, brief.classes)}
    owner, times = brief.class_of(min(ids)) if len(ids) == 1 else None, read_times(asked, brief.term)
    if not says("must_asked", asked) or owner is None or not times:
        return ""
    first, last = (
        date.fromisoformat(owner[end]) if owner[end] else brief.term.today for end in ("start_date", "end_date")
    )
    told = ("不必：「{name}」从{first}到{last}都可以，只要按顺序。",
            'No: anywhere from {first} to {last}, the dates of "{name}", in the order of its items.')  # fmt: skip
    if times[0].last and times[0].last >= last:
        told = ("是的：「{name}」{last}截止。", 'Yes: "{name}" ends on {last}.')
    placed = [row for row in brief.tasks if row["slot"] and row["item_id"] in [one["item_id"] for one in rows]]
    head = brief.say(*told, name=owner["name"], first=date_text(brief, first), last=date_text(brief, last))
    since = find_first_possible(
        " ".join(beside).replace("until then", f"until {date_text(brief, times[0].last or last)}"), brief
    )
    offer = _offer_since(brief, owner, placed, since) if since and first < since <= last else ""
    return "\n".join([head, *item_lines(brief, placed), *filter(None, [offer])])


def _offer_since(brief: Brief, owner: ClassView, placed: Sequence[TaskView], since: date) -> str:
    """What to say for a class to be planned from a day on, or for an item that stands before it to go behind it."""
    day = date_text(brief, since)
    after = brief.say("{day}之后", "after {day}", day=date_text(brief, since - timedelta(days=1)))
    frame = frame_of("move_to", {"items": tuple(row["name"] for row in placed), "time": (after,)})
    frame = frame if placed else frame_of("plan_from", {"class": (owner["name"],), "time": (day,)})
    told = ("要排在{day}或以后，请说「{words}」。", 'To have it on {day} or later, say "{words}".')
    return brief.say(*told, day=day, words=frame.say(brief.language))


_FORMS: tuple[Callable[[Brief, str], str], ...] = (
    _edge_text, _within_text, _recurring_text, _keeps_text, _hours_text,
)  # fmt: skip
