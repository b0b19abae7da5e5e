"""Requests as they hold for items that no plan has."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from functools import reduce

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.planned_classes import find_waiting_classes
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.names import find_shortened, list_names
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID, Paraphrase
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes, tells_only_contents
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned, fold_mentions, sign_mentions
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, said_names
from agent.llm.offline.language.spans.revert import find_steps, is_plan
from agent.llm.offline.language.spans.targets import place_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.spelling import names_holiday
from agent.loop.view_document import TaskView

_FROM_CLASS = re.compile(
    r"从(?:任务类|课程?(?!表)|类|清单|列表)[里中]?"
    r"|\b(?:from|off|out of) (?:the|my|its) (?:class|course|list|syllabus)\b"
)
_ONLY_PLAN = re.compile(
    r"移出|草稿|计划|课表|\b(?:from|out of|off) (?:the |my )?(?:plan|draft|schedule|timetable|calendar|week)\b"
    r"|\bfor now\b"
)


_CLAUSES = re.compile(
    r"[,，;；。.]+|\bbut\b|\band (?=(?:just|only|leave|don't|not|then)\b)|(?=\bnot yet\b)|(?=\bnot the\b)"
)
_WAITS = re.compile(r"[别不]|放着|放放|再说|以后|之后|晚点|等等|\b(?:don't|not|yet|later|leave|skip|hold|wait)\b")
_PLANS = re.compile(r"[排只就]|安排|\b(?:plan|schedule|only|just)\b")
_ONLY = re.compile(r"只|就|\b(?:only|just)\b")
_OF_PLANNING = re.compile(
    r"其[他它余]|别的|安排|进[来去]?|放[着放]|[再以之]?[说后]|晚点|等等|暂时|帮我|给我|1下|计划"
    r"|[别不先就只排上把和跟与、都了吧再着急管用下也还的这那个]"
    r"|\b(?:don't|do|not|plan|schedule|just|only|for|now|yet|leave|later|on|hold|skip|wait|with|first|the|and|in|let's|start"
    r"|please|then|to|them|it|labs?|actually|hmm+|ok|rest|others?|me|can|you|want|i|until|at|moment)\b"
)


def read_planned_items(text: str, brief: Brief) -> list[Frame]:
    """That some items of a class are to be planned, and others to wait: 透镜先别排，就排单摆; after the whole class was
    planned the others leave the plan again."""
    every, wanted, waiting = all_items(brief), list[TaskView](), list[TaskView]()
    names = [row["name"] for row in every]
    text, said = sign_mentions(fold_mentions(brief.read_words(text)), brief, every)
    for clause in filter(None, map(str.strip, _CLAUSES.split(text))):
        signs = [said[char] for char in clause if char in said]
        clause = "".join(" " if char in said else char for char in clause)
        named = {row["name"] for row in items_in(clause, brief, among=every)} | {*find_shortened(clause, (), names)}
        named |= {row["name"] for _, _, rows in signs for row in rows}
        pieces = sorted((one.text for one in list_names(clause, (), names)), key=len, reverse=True)
        words = reduce(lambda left, piece: left.replace(piece, " "), pieces, clause)
        several = said_names(words, brief) or any(kind != "item" for _, kind, _ in signs)
        if several or any(map(str.isalnum, _OF_PLANNING.sub(" ", words))):
            return []
        (waiting if _WAITS.search(words) else wanted).extend(row for row in every if row["name"] in named)
    placed = {row["item_id"] for row in brief.tasks if row["slot"]}
    apart = waiting or _ONLY.search(text)
    if not (wanted and apart and _PLANS.search(text)) or {row["item_id"] for row in waiting} & placed:
        return []
    own, last = tuple(dict.fromkeys(row["name"] for row in wanted)), brief.view["last_change"]
    if not {row["item_id"] for row in wanted} & placed:
        return [frame_of("put_in", {"items": own})]
    owners = {row["class_id"] for row in wanted}
    others = [
        row["name"] for row in brief.tasks if row["class_id"] in owners and row["slot"] and row["name"] not in own
    ]
    again = _ONLY.search(text) and last is not None and last["kind"] == "build" and others
    return [frame_of("take_out", {"items": tuple(others)})] if again else []


_MADE_ZH = (
    r"(?:你?(?:刚刚?才?|上次|这次)(?:给我)?[安排]*排的(?:(?:那些|这些|东西|计划|任务|安排)*)"
    r"|(?:这个?|那个?|整个|新的?|现在的?|全部)*(?:计划|初稿|方案))"
)
_OFF_ZH = r"(?:作废|不(?:想)?要|扔掉|丢掉|删掉|删了|推翻|取消|撤[掉了销]|废[掉了]|清[掉空])"
_MADE_EN = (
    r"(?:(?:(?:all|any|none)(?: of)? )?(?:that|this|the|my|your|it)? ?(?:whole |entire |new |first |last )*"
    r"(?:plan|schedule|draft)(?: (?:that )?(?:you )?(?:just )?(?:made|planned))?"
    r"|(?:(?:all|any|everything|none)(?: of)? )?(?:what(?:ever)?|that|the stuff)? ?you(?: just)? "
    r"(?:planned|scheduled|made|put in))"
)
_DISCARDS = re.compile(
    rf"(?:[那算了就把将请麻烦帮我想全部,，]|不好)*(?:{_OFF_ZH}{_MADE_ZH}"
    rf"|{_MADE_ZH}[,，]?(?:我|太\w{{1,3}}了[,，]?|[都全]部?|也|就|给我)*{_OFF_ZH})[了吧啊掉！!。]*"
    r"|(?:(?:no|nah|ok|okay|actually|please|ugh|can you|could you|just|let's|i)[, ]+)*"
    r"(?:scrap|drop|discard|bin|trash|ditch|dump|wipe|delete|remove|cancel|undo|clear|throw|get rid of|want none of"
    rf"|(?:do not|don't|dont) (?:want|need)) {_MADE_EN}"
    r"(?: (?:away|out|again|please|anymore|now|for [^,.;]+))*[.! ]*"
)
"""That what was planned is not wanted any more, and nothing in its place."""


def tell_discarded(message: str, brief: Brief) -> str:
    """The request that takes a plan out which is not wanted any more: all that the last turn planned, else all that is
    planned, of the classes that are named; empty for other messages."""
    text = fold_text(message).strip()
    if not _DISCARDS.fullmatch(text) or (asks_whether(text) and not text.startswith(("can ", "could "))):
        return ""
    steps, named = find_steps(brief), classes_in(text, brief.classes)
    made = {*steps[-1].places} if steps and is_plan(steps[-1]) else set[int]()
    named = named if len(named) < len(brief.classes) else []
    owners = named or [row["class_id"] for row in brief.tasks if row["slot"] and (row["item_id"] in made or not made)]
    if not any(row["slot"] for row in brief.tasks if row["class_id"] in owners):
        return ""
    names = brief.names_of(list(dict.fromkeys(owners)))
    return brief.say("把{names}全部移出计划", "take all of {names} out", names=names)


_ONE = re.compile(r"^(?:[1一]\s*)?[次个项场节篇份]\s*(?=\S)")


def read_added_on_day(text: str, brief: Brief) -> list[Frame]:
    """One more item of a class and the day it is for: add a mock exam to probability on 11 april."""
    times = [one for one in read_times(text, brief.term) if one.first and one.first == one.last]
    if len(times) != 1 or times[0].side or times[0].role or asks_whether(text) or len(text) > _LONGEST_ADDED:
        return []
    when, rest = text[times[0].start : times[0].end], f"{text[: times[0].start]} {text[times[0].end :]}"
    rest, brief = _BEFORE_DAY.sub(" ", rest).strip(" ,，"), brief.before_added
    if find_mentioned(rest, brief) or items_in(rest, brief, among=all_items(brief)):
        return []
    told = read_content_changes(rest, brief)
    change = told.told[0] if len(told.told) == 1 and not told.left else None
    if change is None or change.kind != "add" or len(change.names) != 1 or len(change.classes) != 1 or change.back:
        return []
    name = _ONE.sub("", change.names[0])
    added = frame_of("add_item", {"class": (brief.name_of(change.classes[0]),), "text": (name,)})
    when = f"把{name}放在{when}" if has_chinese(text) else f"put {name} on {when}"
    return [added, frame_of(AS_SAID, {"text": (when,)})]


_BEFORE_DAY = re.compile(r"[在放到]+(?=\s*$)|\b(?:on|for)(?=\s*$)|(?<=^)\s*在(?=\s)")
_LONGEST_ADDED = 80


def settle_unplanned(said: Paraphrase, message: str, brief: Brief) -> Paraphrase:
    """Requests as they hold for items that no plan has: to be taken out they are removed from their class, which is all
    that they stand in; beside a planned item they are put on its day or the one next to it; what has no place are the
    classes without a plan where all that is planned has one. Contents that are changed in several ways stay as told."""
    if tells_only_contents(message, brief):
        return said
    frees = _FREES.search(message) is not None
    ordered = (_plan_asked(frame, fold_text(message), brief) for frame in said.frames)
    settled = (_of_classes(_keep_free(frame, brief) if frees else frame, brief) for frame in ordered)
    frames = tuple(_beside_planned(_gone(frame, fold_text(message), brief), brief) for frame in settled)
    if frames == said.frames:
        return said
    language = "zh" if has_chinese(message) else "en"
    told = tuple(
        new.say(language) if new != frame else plain
        for new, frame, plain in zip(frames, said.frames, said.said, strict=True)
    )
    return Paraphrase(told, said.own, frames, by_spans=True)


_ASKED_TO_FIT = re.compile(
    r"(?:能不能|能否|可不可以|可以|能)(?:帮我|给我|请你?|把|再)*[^,，。;；]{0,12}?(?:塞|挤|[安]?排|放|插)(?!得|不)(?:进去?|到|在|上)"
    r"|\b(?:can|could|would|will) (?:you|u) (?:please |maybe |still |also )*(?:fit|squeeze|get|cram|slot|put|pack)\b"
)


def _plan_asked(frame: Frame, text: str, brief: Brief) -> Frame:
    """The plan of a class without any that somebody is asked to fit in before a day, no question whether it fits."""
    ids = find_classes(", ".join(frame.slots.get("class", ())), brief) if frame.form == "will_fit_until" else []
    waiting = {*find_waiting_classes(brief)}
    if not ids or not {*ids} <= waiting or not _ASKED_TO_FIT.search(text):
        return frame
    when = frame.slots["time"][0]
    zh = has_chinese(text)
    when = when if zh or re.match(r"(?:before|by|until|till)\b", when) else f"by {when}"
    names = ("和" if zh else " and ").join(map(brief.name_of, ids))
    return frame_of(AS_SAID, {"text": (f"把{names}排在{when}之前" if zh else f"plan {names} {when}",)})


_FREES = re.compile(r"[空腾]出|清空|\b(?:clear|free|empty)\b", re.IGNORECASE)


def _keep_free(frame: Frame, brief: Brief) -> Frame:
    """What is to be cleared and has nothing on it: it is to stay free."""
    times = read_times(" ".join(frame.slots.get("time", ())), brief.term) if frame.form == "move_all_away" else []
    target = place_of([*times], brief.term)
    taken = any(row["slot"] and target.covers(row["slot"]) for row in brief.tasks_before)
    return replace(frame, form="nothing_on") if target.dated and not taken else frame


_NOT_YET = re.compile(
    r"[没未](?:有|给我)*(?:安?排|影|着落|动(?!静)|弄|搞|放|加)|[没未]有?(?:在|进)?(?:计划|课表|日程)"
    r"|(?:\bnot\b|n'?t\b)[^,.;]*\b(?:plan(?:ned)?|schedul\w*|placed|in there|got|on there|calendar|timetable)\b"
    r"|\b(?:still |is |are )*(?:missing|unplanned|unscheduled)\b"
)
"""That something has no place yet."""
_PUTS = re.compile(
    r"^(?:(?:那|就|都|直接|帮我|给我)*(?:塞|放|排|安排|弄)(?:(?:进|上)[去来]?[,，\s]*|到|在)?(?=[上下早晚周星礼这月第\d]))"
    r"|^(?:(?:so|just|please|pls|maybe|can (?:you|u|we)|could (?:you|u|we)) )*"
    r"(?:stick|put|place|shove|chuck|squeeze|pop|slot|throw|get|fit|plan|schedule)"
    r" (?:it|them|that|those|these)(?: in)? ",
    re.IGNORECASE,
)
"""That it is to be put somewhere, in front of the time."""


def plan_what_is_told(message: str, brief: Brief) -> str:
    """A message that tells first that classes are not planned, and then when they are to be: as the plan of them."""
    told, *others = [one for one in re.split(r"[,，。;；!！?？]+\s*", message) if one.strip()] or [""]
    ids = find_classes(told, brief) if others and _NOT_YET.search(fold_text(told)) else []
    rest = message[message.find(others[0], len(told)) :] if others else ""
    planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
    if not ids or planned & {*ids} or len(ids) == len(brief.classes) or find_mentioned(message, brief):
        return message
    timed = read_times(rest, brief.term) or names_holiday(rest)
    if not timed or classes_in(rest, brief.classes) or asks_whether(rest):
        return message
    zh = has_chinese(message)
    names = ("和" if zh else " and ").join(row["name"] for row in brief.classes if row["id"] in ids)
    when = _PUTS.sub("放" if zh else "", rest)
    return f"排{names}，{when}" if zh else f"plan {names}, {when}"


_DAYS_ON = {"move_day_after": 1, "move_day_before": -1, "move_same_day": 0}
"""How many days behind another item an item is to stand, by the forms that tell it."""


def _beside_planned(frame: Frame, brief: Brief) -> Frame:
    if frame.form not in _DAYS_ON or not frame.slots.get("items") or not frame.slots.get("item"):
        return frame
    movers = items_in(", ".join(frame.slots["items"]), brief, among=all_items(brief))
    anchors = [slot for row in items_in(frame.slots["item"][0], brief) if (slot := row["slot"])]
    drafted = {row["item_id"] for row in brief.tasks}
    if len(movers) != 1 or movers[0]["item_id"] in drafted or len(anchors) != 1:
        return frame
    day = brief.term.day(anchors[0]["week"], anchors[0]["day_of_week"]) + timedelta(days=_DAYS_ON[frame.form])
    return frame_of("put_in_on", {"items": (movers[0]["name"],), "time": (day.isoformat(),)})


def _of_classes(frame: Frame, brief: Brief) -> Frame:
    if frame.form in ("move_to", "put_in_on"):
        return _of_whole_class(frame, brief)
    waiting = [row["name"] for row in brief.classes if row["id"] in find_waiting_classes(brief)]
    if frame.form != "put_in_waiting" or frame.slots or not waiting or not all(row["slot"] for row in brief.tasks):
        return frame
    return frame_of("plan", {"class": tuple(waiting)})


def _of_whole_class(frame: Frame, brief: Brief) -> Frame:
    """The times of the week that a class is to keep to, where it is named by the kind of all its items: the labs."""
    said, times = frame.slots.get("items", ()), read_times(", ".join(frame.slots.get("time", ())), brief.term)
    ids = find_classes(said[0], brief) if len(said) == 1 else []
    owner = brief.class_of(ids[0]) if len(ids) == 1 else None
    if owner and items_in(said[0], brief, among=list(all_items(brief))):
        return frame
    placed = owner is None or any(row["class_id"] == owner["id"] and row["slot"] for row in brief.tasks_before)
    if owner is None or placed or find_mentioned(said[0], brief) or {one.kind for one in times} - {"weekday", "part"}:
        return frame
    return frame_of("only_on_of", {"class": (owner["name"],), "time": frame.slots["time"]}) if times else frame


def _gone(frame: Frame, text: str, brief: Brief) -> Frame:
    if frame.form != "take_out" or "items" not in frame.filled:
        return frame
    of_class = _FROM_CLASS.search(text) is not None
    planned = {row["class_id"] for row in brief.tasks_before}
    rows = items_in(", ".join(frame.slots["items"]), brief, among=all_items(brief))
    unplanned = bool(rows) and all(row["class_id"] not in planned for row in rows)
    if not of_class and (not unplanned or _ONLY_PLAN.search(text)):
        return frame
    return frame_of("remove", {"items": frame.slots["items"]})
