"""Wishes on the shape of what is planned: a class, or all of them, earlier or later as a whole, closer together, more
evenly, with less on a day.

Such a wish is compared with the places as they are: a week earlier than now, one item a day less than now.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.pointing.part_moves import move_part
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.names import find_shortened
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.conditions.limit_forms import CLAUSE_BREAK, EVENLY, MOST_OF
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import read_supposition
from agent.llm.offline.language.spans.items.groups import EXCEPTION, STAYS, takes_all, takes_everything
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import SHIFT, shift_in, stands_at, target_in, way_in
from agent.llm.offline.language.spans.times.bounds import run_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import WEEK_AFTER, number_of, say_date
from agent.loop.view_document import TaskView

_SPREADS_OVER = re.compile(
    r"[到进]$|\b(?:over|across|into|throughout|to|between|from)(?: the)?(?: $|(?= next| coming| following))"
)


def _read_spread(text: str, brief: Brief) -> list[Frame]:
    """That what is on in a week, or on a day, is to have more room, which is elsewhere; that all is to lie over some
    days."""
    told, times = read_conditions(text, brief).said, read_times(text, brief.term)
    keys = {key for one in told for key in one.values}
    if not {"even", "days_between"} & keys or keys - {"even", "days_between", "within"} or len(times) != 1:
        return []
    when, ids = times[0], classes_in(text, brief.classes)
    over = _SPREADS_OVER.search(text[: when.start]) or _SPREADS_OVER.search(text[when.start : when.end])
    one_day = when.kind == "day" or (when.kind == "weekday" and len(when.weekdays) == 1)
    if (one_day or when.kind == "week") and not (over or _SPREADS.search(text) or when.side or ids):
        return [frame_of("make_lighter", {"time": (text[when.start : when.end],)})]
    planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
    placed = [row["name"] for row in brief.classes if row["id"] in planned]
    when = next(iter(read_times(text[over.end() :], brief.term) if over else ()), when)
    if not over or not when.last or ids or not placed:
        return []
    first = say_date(when.first or brief.term.today, zh=has_chinese(text))
    last = say_date(when.last - timedelta(days=when.strict), zh=has_chinese(text))
    wording = ("这次{names}只安排在{first}到{last}，均匀", "just this once {names} only from {first} to {last}, evenly")
    names = ("和" if has_chinese(text) else " and ").join(placed)
    said = wording[not has_chinese(text)].format(names=names, first=first, last=last)
    return [frame_of(AS_SAID, {"text": (said,)})]


_ROOMIER = re.compile(
    r"\b(?:more|bigger|larger|longer|wider)(?: \w+)? (?:room|space|gaps?|time|days)\b[^,.;]{0,12}\bbetween\b"
)
"""That more lies between the items than does now, not so many days."""
_TOO_MANY = re.compile(
    r"[一1每]天[^,，。;；\d]{0,3}([2-4])[个项节门样章][^,，。;；]{0,6}(?:吃不消|受不了|[扛顶撑]不住|太[多累满]|够呛|累)"
    r"|\b([2-4]|two|three|four) (?:things|items|chapters|tasks|sessions)\b[^,.;]*\bday\b"
    r"[^,.;]*\b(?:too much|a lot|kills? me)\b"
)
"""So many a day that they are too much."""
_SOME, _WEEK = 3, 7
"""Days of "a bit earlier", and the most by which a plan is drawn together."""
_OTHERS = re.compile(
    r"其[他余它中]|剩|除|最[后前]|第|[两俩几]个|\b(?:others?|rest|except|but|remaining|last|first|both)\b"
    r"|\b(?:two|three)\b(?! (?:days?|weeks?)\b)"
)
_ONE = re.compile(r"第\s*\d|\b(?:chapter|lab|unit|topic|lecture|section|part|item|number)s? \d")
_EARLY, _EXTENDS = (
    re.compile(r"早|提前"),
    re.compile(r"(?<![后顺])延(?!后|迟)|\b(?:extend|prolong)\w*|\bmore (?:days?|weeks?|time)\b"),
)


_ASKS_HOW = re.compile(
    r"\bhow(?:'s| is| are| does| do)\b|\bwhat do you think\b|怎么样(?![能才可])|你(?:觉得|看)|看[着上起]"
)
"""That it is asked how days are, whatever one suspects of them: how's my week looking, too crowded?"""


def read_shape(text: str, brief: Brief) -> list[Frame]:
    """The frame of such a wish; none where items, other times or a question are told beside it."""
    text = _without_staying(text, brief)
    supposed = read_supposition(text, brief)
    asks = (asks_whether(text) and not says("polite_form", text)) or (supposed and supposed.kind != "deadline")
    named = find_mentioned(text, brief) or items_in(text, brief, among=all_items(brief))
    if not (asks or named) and (frames := _fill_week(text, brief)):
        return frames
    if not (asks or named or _ASKS_HOW.search(text)) and (frames := _read_spread(text, brief)):
        return frames
    many = None if asks or named or read_conditions(text, brief).said else _TOO_MANY.search(fold_numbers(text))
    if many and not find_classes(text, brief):
        return [frame_of("most_a_day", {"number": (str(number_of(many[1] or many[2]) - 1),)})]
    if not (asks or named) and (frames := _read_rate(text, brief)):
        return frames
    length = _WITHIN.search(fold_numbers(text))
    kinds = {one.kind for one in read_times(fold_numbers(text), brief.term)} - {"every"} if length is None else set()
    one = (
        _ONE.search(fold_numbers(text))
        or _OTHERS.search(text)
        or any(says(one, text) for one in ("deadline", "tells_done"))
    )
    if asks or named or one or kinds - {"part", "clock"} or STAYS.search(text):
        return []
    ids = find_classes(text, brief)
    ids = ids if len(ids) < len(brief.classes) else []  # everything: all that is planned
    rows = [row for row in brief.tasks_before if row["slot"] and (not ids or row["class_id"] in ids)]
    days = sorted(brief.day_of(slot) for row in rows if (slot := row["slot"]))
    if len(days) < 2 or len(ids) > 1 or {*ids} - {row["class_id"] for row in rows}:
        return []
    owners = [row for row in brief.classes if row["id"] in {one["class_id"] for one in rows}]
    slots = {"class": tuple(row["name"] for row in owners)}
    if kinds:
        return _put_in_part(text, slots if ids else {}, brief) if ids or takes_all(text) else []
    roomier = _ROOMIER.search(text) is not None
    if any({*one.values} != {"even"} for one in read_conditions(text, brief).said) and not roomier:
        return []
    if says("closer", text):
        return _end_by(days[-1] - timedelta(days=min(_WEEK, (days[-1] - days[0]).days // 2)), slots, text)
    if roomier or EVENLY.search(text):
        return [frame_of("even", slots) if ids else frame_of("spread_out", {})]
    if says("fewer_a_day", text):
        number = max(1, max(Counter(days).values()) - 1)
        return [
            frame_of("most_a_day_of" if ids else "most_a_day", {**(slots if ids else {}), "number": (str(number),)})
        ]
    if not (ids or takes_everything(text) or (length and _ALL.search(text))):
        return []
    told = max(str(brief.term.today + timedelta(days=1)), *(row["start_date"] or "" for row in owners))
    begins = date.fromisoformat(told)
    if length is not None:
        said = next(one for one in length.groups() if one)
        span = int(_NUMBERS.get(said, said)) * (_WEEK if _OF_WEEKS.search(length.group()) else 1)
        return _pack(begins, span, len(days), slots, text)
    if _AT_ONCE.search(text) and (says("wish_finish", text) or way_in(text) < 0) and not shift_in(text):
        return _pack(begins, min(len(days), _WEEK), len(days), slots, text)
    return _shift(text, days, begins, slots)


_STAYING = re.compile(
    r"(?:别|不要?|不用)再?[动改碰管挪]|不变|\b(?:don't|do not) (?:touch|move|change)\b|\balone\b|\bstays?\b"
)


def _without_staying(text: str, brief: Brief) -> str:
    """A text without the clauses that only tell of a class that it stays, where others tell of another one."""
    clauses = [one for one in CLAUSE_BREAK.split(text) if one.strip()]
    stays = [one for one in clauses if _STAYING.search(one) and find_classes(one, brief)]
    wanted = [one for one in clauses if one not in stays]
    named = {one for clause in wanted for one in find_classes(clause, brief)}
    kept = {one for clause in stays for one in find_classes(clause, brief)}
    return ", ".join(wanted) if stays and named and not named & kept and not find_mentioned(text, brief) else text


_LEFT_THERE = re.compile(r"\b(?:leave|keep)\b|\bstays?\b|不[动变改]|[别不]要?[动挪移]")
_ALL_OTHERS = re.compile(
    r"其[他它余]|别的|剩下|另外的|外的?(?=都|全|统统|一律)|\b(?:everything|all|the rest|(?:the )?others?|everyone)\b"
)


_ANY_CLAUSE = re.compile(rf"{CLAUSE_BREAK.pattern}|\band\b|\bbut\b")


def read_others_shifted(text: str, brief: Brief) -> list[Frame]:
    """That all planned classes but those that are named go later, or earlier, by as much: 除了线代，其他的都晚一周."""
    text = fold_numbers(text)
    clauses = [one for one in _ANY_CLAUSE.split(text) if one.strip()]
    kept = [one.group() for one in EXCEPTION.finditer(text)] or [one for one in clauses if _LEFT_THERE.search(one)]
    left = [one for piece in kept for one in find_classes(piece, brief)]
    rest = text
    for piece in kept:
        rest = rest.replace(piece, " , ")
    shift, planned = shift_in(rest), {row["class_id"] for row in brief.tasks_before if row["slot"]}
    others = [row["name"] for row in brief.classes if row["id"] in planned - {*left}]
    more = find_classes(rest, brief) or read_times(SHIFT.sub(" ", rest), brief.term) or says("deadline", text)
    extends = re.search(r"延(?!后|迟)", text)  # which gives the classes more time
    said = (EXCEPTION.search(text) or _ALL_OTHERS.search(text)) and not (more or extends)
    if not (left and others and said and shift and shift.days) or asks_whether(text) or find_mentioned(text, brief):
        return []
    length = f"{abs(shift.days)}天" if has_chinese(text) else f"{abs(shift.days)} days"
    form = "shift_all_later" if shift.days > 0 else "shift_all_earlier"
    return [frame_of(form, {"class": (name,), "length": (length,)}) for name in others]


def _read_rate(text: str, brief: Brief) -> list[Frame]:
    """That a class is to have more items a week than it has now, which draws it together: probability three a week."""
    told = read_conditions(text, brief).said
    number = told[0].values.get("a_week", 0) if len(told) == 1 else 0
    if not number or len(told[0].owners) != 1 or MOST_OF.search(text) or says("wish_most", text):
        return []
    rows = [row for row in brief.tasks_before if (row["slot"] and row["class_id"] == told[0].owners[0])]
    days = sorted(brief.day_of(slot) for row in rows if (slot := row["slot"]))
    if not days or number <= max(Counter(slot["week"] for row in rows if (slot := row["slot"])).values()):
        return []
    begins = days[0] - timedelta(days=days[0].weekday())
    last = begins + timedelta(days=_WEEK * -(-len(days) // number) - 1)
    name = next(row["name"] for row in brief.classes if row["id"] == told[0].owners[0])
    frames = _end_by(last, {"class": (name,), "most_a_week": (str(number),)}, text)
    return [replace(one, modifiers=("most_a_week",)) for one in frames]


_WITHIN = re.compile(
    r"(?:压缩?|挤|塞|集中|赶|浓缩|弄|搞|[排学做]完?)(?:(?!提前|推|[往延])[^,，。;；\d]){0,6}(\d{1,2})\s*个?(?:周|星期|礼拜|天)(?:之?内|以内|里)?"
    r"|(\d{1,2})\s*个?(?:周|星期|礼拜|天)(?:之?内|以内|里)[^,，。;；]{0,4}(?:搞定|[学做弄搞排复]完|完成|结束|解决)"
    r"|\b(?:cram|squeeze|squash|compress|pack|condense|fit|finish|get)\b[^,.;]{1,40}\b(?:in|into|to|within)"
    r" (?:just |only |about )?(an?|one|two|three|\d{1,2}) (?:weeks?|days)\b"
)
"""So many days or weeks in which all is to be done."""
_ALL = re.compile(r"全|都|所有|\b(?:all|everything|it all|the lot|the whole)\b")
_OF_WEEKS = re.compile(r"周|星期|礼拜|\bweek")
_NUMBERS = {"a": "1", "an": "1", "one": "1", "two": "2", "three": "3"}
_AT_ONCE = re.compile(
    r"尽[早快]|越[早快][^,，。;；]{0,4}越好|赶[紧快]|\basap\b"
    r"|尽量[^,，。;；]{0,6}[前早](?!一?[些点])"
    r"|\bas (?:early|soon|fast|quick(?:ly)?|far) as (?:possible|i can|you can)\b"
    r"|\b(?:right away|quickly|at once)\b"
)
_SLACK = 1.25
"""Days are never so full that each of them has an item."""


def _pack(begins: date, span: int, number: int, slots: dict[str, tuple[str, ...]], text: str) -> list[Frame]:
    """That so many items are done within so many days, as evenly as these are many."""
    a_day = max(1, round(number * _SLACK / span))
    return _end_by(begins + timedelta(days=span - 1), {**slots, "most_a_day": (str(a_day),)}, text)


_FULLER = re.compile(
    r"多(?:排|放|安排|塞|加|学|弄|做|来)(?![少久])|[排塞放]满|抓紧|紧一?点"
    r"|\b(?:more|fuller|load up|front-?load)\b|\bpack\b"
)
_NOT_SO = re.compile(
    r"不|别|少|太|什么|[几多]少|[项节门]|\b(?:not|no|less|fewer|too|any|how|what|than|free|time|lessons?)\b|n't\b"
)


def _fill_week(text: str, brief: Brief) -> list[Frame]:
    """That more is to be done in some week: what comes next after it, an item of each class."""
    clauses = [
        one for one in CLAUSE_BREAK.split(text) if _FULLER.search(one) and not _NOT_SO.search(one.replace("能不能", ""))
    ]
    times = read_times(clauses[0], brief.term) if clauses else []
    week = times[0].week if [one.kind for one in times] == ["week"] else None
    ids = find_classes(text, brief)
    behind = sorted(
        (row for row in brief.tasks_before if (slot := row["slot"]) and week and slot["week"] > week), key=stands_at
    )
    behind = [row for row in behind if not ids or row["class_id"] in ids]
    first = {row["class_id"]: row for row in reversed(behind)}
    rows = list(first.values()) if len(first) > 1 else behind[:_NEXT]
    said = clauses[0][times[0].start : times[0].end] if rows else ""
    return [frame_of("move_to", {"items": tuple(row["name"] for row in rows), "time": (said,)})] if rows else []


_NEXT = 2
"""Items of one class that a week takes besides its own."""


def find_classes(text: str, brief: Brief) -> list[int]:
    """The classes that a text names, shortened as well: 线代."""
    if (owned := _OF_WHAT.search(text)) is not None:
        of = [row["id"] for row in brief.classes if owned["of"] in row["name"]]
        if len(of) == 1:
            return of
    told = find_shortened(text, [row["name"] for row in brief.classes], ())
    short = [row["id"] for row in brief.classes if row["name"] in told]
    return sorted({*classes_in(text, brief.classes), *short}) or find_owners(text, brief)


_WHETHER = re.compile(r"好不好|能不能|可不可以|行不行")
_OF_WHAT = re.compile(
    r"(?:^|[,，\s])(?:那|把|我的?|所有)?(?P<of>[一-鿿]{2,4})的(?=能不能|可不可以|能|可以|都|全|统统|尽量|最好|[排放挪移])"
)
"""What all is meant of, by a word of the name of its class: 复习的都放下午."""

_PUT = re.compile(
    r"[排放挪移换改](?!除|名)|\b(?:put|go|move|place|schedule|be|have|do|please|prefer|works?|suits?|would like)\b"
)
_MOVES = re.compile(r"\b(?:move|push|shift|bring)\b")
"""What may be of the items that stand there: move everything after 2pm."""
_AFTER_HOUR = re.compile(r"(?<=[点午半钟])以后")
_BOUND = re.compile(
    r"[以之]外|除[了去开]|不(?!如|好)|别|没|只|永远|以后|什么|哪|[几多]|可以|尽量|最好|累|困|允许"
    r"|\b(?:no|not|never|\w+n't|only|always|what|which|when|why|how|too|also|fine|ok|if possible|ideally|stays?|from)\b"
)
"""What refuses, asks, allows or holds for good, beside a part of the day."""


def _put_in_part(text: str, slots: dict[str, tuple[str, ...]], brief: Brief) -> list[Frame]:
    """That all of a class is to be in a part of the day, or on one side of an hour: 概率论都放上午."""
    clauses = [one for one in CLAUSE_BREAK.split(_WHETHER.sub("", text)) if _PUT.search(one)]
    told = [clause for clause in clauses if read_times(clause, brief.term)]
    times = [(one, clause) for clause in told for one in read_times(clause, brief.term)]
    parts = {one.part for one, _ in times if one.part is not None}
    hours = [run for one, clause in times if (run := run_of(one, clause, brief.term))]
    if len(told) != 1 or _BOUND.search(_AFTER_HOUR.sub("", told[0])):
        return []
    zh = has_chinese(text)
    if hours:
        first, last = hours[0]
        time = f"第{first}到{last}节" if zh else f"sections {first}-{last}"
        picks = len(hours) > 1 or _MOVES.search(text) is not None
        return [] if picks else [frame_of("only_on_of" if slots else "only_on", {**slots, "time": (time,)})]
    if not 0 < len(parts) <= (1 if slots else 2):
        return []
    names = [_PARTS[one][not zh] for one in sorted(parts)]
    time = "和".join(names) if zh else f"the {' and '.join(names)}"
    return [frame_of("only_on_of" if slots else "only_on", {**slots, "time": (time,)})]


_PARTS = (("上午", "mornings"), ("下午", "afternoons"), ("晚上", "evenings"))


def _shift(text: str, days: list[date], begins: date, slots: dict[str, tuple[str, ...]]) -> list[Frame]:
    """That all is to be so many days later, or earlier; without a number as far as there is room, else by its end."""
    shift = shift_in(text)
    way = (1 if shift.days > 0 else -1) if shift and shift.days else way_in(text)
    way = way or (-1 if _EARLY.search(text) and says("wish_finish", text) else 0)
    if not way or says("starts", text) or _EXTENDS.search(text) or (shift and not shift.days):
        return []
    number = abs(shift.days) if shift else _SOME
    if way < 0 and not shift and (days[0] - begins).days > 0 and not says("wish_finish", text):
        number = min(_SOME, (days[0] - begins).days)
    if way < 0 and (says("wish_finish", text) or (not shift and days[0] - timedelta(days=number) < begins)):
        return _end_by(days[-1] - timedelta(days=number), slots, text)
    length = f"{number}天" if has_chinese(text) else f"{number} days"
    return [frame_of("shift_all_later" if way > 0 else "shift_all_earlier", {**slots, "length": (length,)})]


def _end_by(day: date, slots: dict[str, tuple[str, ...]], text: str) -> list[Frame]:
    return [frame_of("end_by", {**slots, "time": (say_date(day, zh=has_chinese(text)),)})]


def is_at_end(row: TaskView, brief: Brief, *, early: bool) -> bool:
    """Whether an item is the first of its day, or in the evening, so that its hour may be what is too early or late."""
    slot = row["slot"]
    return slot is not None and (
        slot["slot_start"] == 1 if early else slot["slot_start"] >= brief.term.day_parts[-1][0]
    )


_SOONEST = re.compile(
    r"尽[快早]|赶[紧快]|越[早快]越好|\basap\b|\bas (?:soon|early|quick(?:ly)?) as (?:possible|i can)\b"
)
_CAN = re.compile(r"能|可以|\b(?:can|could)\b")
_SOON = re.compile(r"早[点些日](?!起)|\bsooner\b")
_THROUGH = re.compile(
    r"[学做看背弄搞复]习?完(?!了)|完成(?!了)|搞定(?!了)|\b(?:get|have|be)\b[^,.;]*"
    r"\b(?:done|finished|over with|out of)\b"
)


def read_sooner(text: str, brief: Brief) -> list[Frame]:
    """That an item is to be done with soon, which it is not yet: 特征值早点学完算了."""
    short = find_shortened(text, (), [row["name"] for row in brief.tasks])
    named = find_mentioned(text, brief) or [row for row in brief.tasks if row["name"] in short]
    rows = [row for row in named if row["slot"]]
    wrong = next((one for one in ("too_early", "too_late") if says(one, text)), "")
    if (
        wrong
        and len(rows) == 1
        and not says("why_asked", text)
        and (says("polite_form", text) or not says("asking", text))
        and not read_times(text, brief.term)
        and not read_conditions(text, brief).said
    ):
        alone = not (is_at_end(rows[0], brief, early=wrong == "too_early") or way_in(text) or shift_in(text))
        form = "move_later" if wrong == "too_early" else "move_earlier"
        return [frame_of(form, {"items": (rows[0]["name"],)})] if alone else []
    soon = _THROUGH.search(text) and (_SOONEST.search(text) or _SOON.search(text))
    times = read_times(text, brief.term)
    if soon and len(rows) == len(times) == 1 and times[0].kind == "week" and not times[0].side:
        slots = {"items": (rows[0]["name"],), "time": (text[times[0].start : times[0].end],)}
        return [frame_of("move_to", slots)]
    if not soon or len(rows) != 1 or times or (asks_whether(text) and not _CAN.search(text)):
        return []
    return [frame_of("soonest" if _SOONEST.search(text) else "move_earlier", {"items": (rows[0]["name"],)})]


_SPREADS = re.compile(
    r"(?P<zh>[^,，。;；]{2,12}?)的(?:东西|任务|内容|安排|那些)?(?:都|全|给我|均匀地?|平均)*(?:分散?|摊开?|匀|铺开?)[到在进](?P<over>[^,，。;；]{2,10})"
    r"|\b(?:spread|distribute|scatter) (?:out )?(?:(?:what(?:'s| is)|everything|stuff|things) (?:on|from) )?"
    r"(?P<en>[^,;]{3,24}?)(?:'?s? (?:stuff|things|tasks?|items?))?(?: out)? (?:over|across|into|throughout) "
    r"(?P<en_over>[^,;]{3,24})"
)


def read_part_moved(text: str, brief: Brief) -> list[Frame]:
    """That what a class has in one week is to go to another one."""
    said = move_part(text, brief)
    return [frame_of(AS_SAID, {"text": (said,)})] if said else []


def read_spread_there(text: str, brief: Brief) -> list[Frame]:
    """That what is on at one time is to be spread over another: spread Saturday's stuff over next week."""
    found = _SPREADS.search(text)
    if found is None or asks_whether(text) or find_mentioned(text, brief) or classes_in(text, brief.classes):
        return []
    sides = [found["zh"] or found["en"], found["over"] or found["en_over"]]
    times = [read_times(side, brief.term) for side in sides]
    after = WEEK_AFTER.search(sides[1])
    if len(times[0]) != 1 or (len(times[1]) != 1 and not after):
        return []
    when, over = (side[one[0].start : one[0].end] if one else side for side, one in zip(sides, times, strict=True))
    if times[0][0].kind == "weekday" and after:
        target = target_in(when, brief)
        ahead = [row["slot"] for row in brief.tasks_before if row["slot"] and target.covers(row["slot"])]
        days = sorted(day for slot in ahead if (day := brief.day_of(slot)) >= brief.term.today)
        week = brief.term.week_day(days[0])[0] + 1 if days else 0
        when, over = (
            (say_date(days[0], zh=has_chinese(text)), brief.say(f"第{week}周", f"week {week}"))
            if days
            else (when, over)
        )
    return [frame_of("move_all_to", {"time": (when,), "time2": (over,)})]


_WHAT = r"(?:what(?:'s| is)|everything|all|stuff|things)(?: that's)?"
_SWAPPED = re.compile(
    r"(?P<zh>[^,，。;；]{2,10}?)(?:的(?:东西|任务|安排|内容)?)?[和跟与](?P<zh2>[^,，。;；]{2,10}?)的?(?:东西|任务|安排|内容)?"
    r"(?:都|一起|互相)*(?:换|对调|互换|交换|调换)(?:一?下|个?位置|过来)*[吧。!！]*$"
    rf"|\b(?:swap|switch|exchange) (?:{_WHAT} )?(?:on |from )?(?P<en>[^,;]{{3,20}}?)(?:'s (?:stuff|things|tasks?))?"
    rf" (?:and|with|for) (?:{_WHAT} )?(?:on |from )?(?P<en2>[^,;]{{3,20}}?)(?:'s (?:stuff|things|tasks?))?[.! ]*$"
)

_WEEK_BEHIND = re.compile(r"day (?:of |in )?(?:the )?(?:next |this )?week\b")
"""A week that is of both days: swap Tuesday and Thursday in week 4."""


def read_days_swapped(text: str, brief: Brief) -> list[Frame]:
    """What is on two days by its names, each to go to the other one: those of the first week in which there is any."""
    found = _SWAPPED.search(text)
    if found is None or asks_whether(text) or find_mentioned(text, brief) or classes_in(text, brief.classes):
        return []
    sides = [target_in(found[one] or found[other], brief) for one, other in (("zh", "en"), ("zh2", "en2"))]
    week = target_in(text[: found.start()], brief).week or sides[bool(_WEEK_BEHIND.search(found.group()))].week
    sides = [replace(side, week=side.week or week) for side in sides]
    if any(len(side.days) != 1 or side.sections or side.part or side.run for side in sides):
        return []
    today = brief.term.today
    there = [
        [
            row
            for row in brief.tasks_before
            if row["slot"] and brief.day_of(row["slot"]) >= today and side.covers(row["slot"])
        ]
        for side in sides
    ]
    weeks = [slot["week"] for rows in there for row in rows if (slot := row["slot"])]
    if not weeks:
        return []
    frames = list[Frame]()
    for rows, other in zip(there, reversed(sides), strict=True):
        names = tuple(row["name"] for row in rows if row["slot"] and row["slot"]["week"] == min(weeks))
        when = say_date(brief.term.day(other.week or min(weeks), other.days[0]), zh=has_chinese(text))
        frames += [frame_of("move_to", {"items": names, "time": (when,)})] if names else []
    return frames


_T = "\ue000"
"""What stands for a time."""
_PUT_OFF = re.compile(
    rf"(?:我|那|就)*{_T}(?:实在|真的?|我|就|先)*(?:不(?![能是])|懒得|没(?!有?课)|累)[^{_T},，。;；\d]{{0,6}}[\s,，。;；]*"
    rf"(?:就|那|都|我|改|挪|推|等|放)*[到成在至]?{_T}(?:再|吧|来|继续|开始|说|学|做|弄|补|看|背|搞|好了|了|呗|行吗)*[。!！~～\s]*"
    rf"|(?:i |i'm )?(?:really |just )?(?:can't|cannot|don't|do not|won't|not|no|nothing)"
    r"(?: (?:want to|wanna|feel like|in the mood for|going to))?(?: (?:do|work\w*|learn\w*|study\w*))?(?: anything)?"
    rf"(?: on| for)? {_T}[\s,.;-]*(?:but |then |let's |i'll |i will |make it |(?:do|study|move|shift|push) )*"
    rf"(?:(?:it|that|them|everything) )?(?:(?:to|on) )?(?:the )?{_T}(?: instead| then| please| is fine)*[.! ]*"
)


def read_put_off(text: str, brief: Brief) -> list[Frame]:
    """That what is on one day is to be done on a later one, where one only does not want to study on it."""
    times = read_times(text, brief.term)
    if len(times) != _PAIR or any(one.kind not in ("day", "weekday") or one.side for one in times):
        return []
    first, then = times
    blanked = f"{text[: first.start]}{_T}{text[first.end : then.start]}{_T}{text[then.end :]}"
    if not _PUT_OFF.fullmatch(blanked):
        return []
    today = brief.term.today
    day = first.first or today + timedelta(days=(first.weekdays[0] - today.isoweekday()) % _WEEK)
    zh = has_chinese(text)
    later = then.first or day + timedelta(days=(then.weekdays[0] - day.isoweekday() - 1) % _WEEK + 1)
    if later <= day:
        return []
    return [frame_of("move_all_to", {"time": (say_date(day, zh=zh),), "time2": (say_date(later, zh=zh),)})]


_PAIR = 2
