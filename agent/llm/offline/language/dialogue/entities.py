"""Items of the last list that a turn points to: the last two of those, the Saturday one, 那三个, the other two.

A list are the items that an answer named, in its order. What points into it is replaced by the names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.planned_classes import wants_waiting_classes
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import digits, fold_numbers, fold_text
from agent.llm.offline.language.spans.items.counted import find_counted_items
from agent.llm.offline.language.spans.items.groups import EXCEPTION, STAYS
from agent.llm.offline.language.spans.items.mention_signs import sign_mentions
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.mentions import KINDS, all_items, classes_in, items_in, said_names
from agent.llm.offline.language.spans.targets import PlaceTarget, stands_at, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import TaskView

_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_N = r"(?P<n>[0-9]|one|two|three|four|five|six)"
_ZH = "[0-9一两二俩三四五六七八九]"
_NOUN = r"(?:ones?|items?|things?|tasks?)"
_OF = r"(?: of (?:those|them|these|that))"
_UNIT = r"(?:[个项条件门样](?!星期|礼拜|周|月|小时|钟))(?:任务|内容|东西)?"
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LAST = re.compile("后|晚|末|last|final|lat")
_KIND = "|".join(kind for kinds in KINDS for kind in kinds if len(kind) > 1 or not kind.isascii())
_DAYS = r"(?! (?:days|weeks)\b)"
_NOT_SO = r"(?<! of )(?<!not )\b"
_DOES = "|".join(
    rf"(?<=\b{verb} )" for verb in ("move", "put", "push", "shift", "swap", "switch", "delete", "remove", "take")
)
_NUMBERS = r"[1-9](?: ?(?:,|&|and|with) ?[1-9])*"
_MOST, _PAIR = 10, 2
"""Items of the longest list that is pointed into by number."""
_Select = Callable[[re.Match[str], Sequence[TaskView], Brief], Sequence[TaskView]]


def _end(match: re.Match[str], listed: Sequence[TaskView], _: Brief) -> Sequence[TaskView]:
    count = _number(match["n"] or "") or 1
    rows = listed[-count:] if _LAST.search(match["end"]) else listed[:count]
    return rows if len(rows) == count else ()


def _nth(match: re.Match[str], listed: Sequence[TaskView], brief: Brief) -> Sequence[TaskView]:
    if classes_in(match.string, brief.classes):
        return ()
    number = NTH.get(match["k"]) or _number(match["k"]) or 0
    return listed[number - 1 : number] if number else ()


def _by_number(match: re.Match[str], listed: Sequence[TaskView], brief: Brief) -> Sequence[TaskView]:
    """Those of the list with the numbers that are told bare, by their names or else in its order: swap 2 and 4."""
    told = [int(one) for one in re.findall(r"\d", match.group())]
    own = [int(one[0]) if (one := re.findall(r"\d+", fold_numbers(row["name"]))) else None for row in listed]
    numbers = own if all(own) else [*range(1, len(listed) + 1)]
    rows = [row for wanted in told for number, row in zip(numbers, listed, strict=True) if number == wanted]
    return rows if len(rows) == len(told) and len({row["class_id"] for row in listed}) == 1 else ()


def _of_told_two(match: re.Match[str], listed: Sequence[TaskView], _: Brief) -> Sequence[TaskView]:
    """The former or the latter of two, as they were told."""
    return () if len(listed) != _PAIR else listed[1:] if _LAST.search(match.group()) else listed[:1]


def _of_two(match: re.Match[str], listed: Sequence[TaskView], _: Brief) -> Sequence[TaskView]:
    """Of two the one that comes later, or earlier."""
    rows = sorted((row for row in listed if row["slot"]), key=stands_at)
    if not len(rows) == len(listed) == 2:
        return ()
    return rows[1:] if _LAST.search(match["end"] or match["end2"]) else rows[:1]


def _then(match: re.Match[str], listed: Sequence[TaskView], brief: Brief) -> Sequence[TaskView]:
    said = match["day"]
    day = "一二三四五六日".find("日" if said == "天" else said) if len(said) == 1 else _WEEKDAYS.index(said[:3])
    part = target_in(match.group(), brief).part
    there = PlaceTarget(days=(day + 1,), part=part)
    rows = [row for row in listed if row["slot"] and there.covers(row["slot"])]
    nearest = min((row["slot"]["week"] for row in rows if row["slot"]), default=0)
    rows = [row for row in rows if row["slot"] and row["slot"]["week"] == nearest]
    named = classes_in(match.string, brief.classes)
    return rows if not 0 < len(named) < len(brief.classes) else ()


def _all(match: re.Match[str], listed: Sequence[TaskView], _: Brief) -> Sequence[TaskView]:
    several = match.groupdict().get("n")
    return listed if len(listed) > 1 and (not several or _number(several) == len(listed)) else ()


def _of_kind(match: re.Match[str], listed: Sequence[TaskView], brief: Brief) -> Sequence[TaskView]:
    named = classes_in(match["kind"], brief.classes)
    kinds = next((kinds for kinds in KINDS if match["kind"] in kinds), ())
    own = [row for row in listed if any(kind in fold_text(row["name"]) for kind in kinds)]
    own = own or [row for row in listed if row["class_id"] in named]
    return own if len(own) == (_number(match["n"]) if match.groupdict().get("n") else 1) else ()


def _of_class(match: re.Match[str], listed: Sequence[TaskView], brief: Brief) -> Sequence[TaskView]:
    """Those of the list that are of the class which is named: the algebra ones."""
    named = classes_in(match["kind"], brief.classes)
    own = [row for row in listed if row["class_id"] in named] if len(named) == 1 else []
    return own if len(own) == 1 or (own and match["many"]) else ()


def _every_of_kind(match: re.Match[str], listed: Sequence[TaskView], brief: Brief) -> Sequence[TaskView]:
    kinds = next((kinds for kinds in KINDS if match["kind"] in kinds), ())
    own = [row for row in listed if any(kind in fold_text(row["name"]) for kind in kinds)]
    count = _number(match.groupdict().get("n") or "")
    return own if len(own) < len(listed) and count in (None, len(own)) else ()


_SELECTORS: tuple[tuple[re.Pattern[str], _Select], ...] = (
    (re.compile(rf"(?P<end>最?[前后]面?|头|最后|最末)的?那?(?P<n>{_ZH}){_UNIT}(?!{_KIND})"), _end),
    (re.compile(rf"(?P<end>最[后前早晚末]面?|开头|末尾)那?的?一?{_UNIT}(?P<n>)"), _end),
    (re.compile(rf"\bthe (?P<end>first|last|final) {_N}{_OF}?(?! (?:days?|weeks?|hours?|sections?|\w+s)\b)"), _end),
    (re.compile(rf"\bthe (?P<end>last|final|latest|earliest)(?: {_NOUN}|{_OF})(?P<n>)"), _end),
    (re.compile(rf"\b(?:the )?(?P<end>later|earlier|sooner)(?: one| of the two)\b(?! than)"
                rf"|(?P<end2>[靠在排]?[前后]面?|[晚早])的?那1?一?{_UNIT}(?!{_KIND})"), _of_two),
    (re.compile(r"^(?:[那就请把,，\s]|麻烦|[帮给]我|能不能|可不可以|可以|能)*(?:全都|全部|统统|通通|都)(?=[往推提延挪移改晚早])"
                r"|(?:(?<=move )|(?<=put )|(?<=push )|(?<=shift )|(?<=bring )|(?<=take ))"
                r"(?:it all|all (?:of )?(?:it|that))\b"), lambda _, listed, __: listed),
    (re.compile(r"\bthe (?:former|latter)(?: one)?\b|[前后]者"), _of_told_two),
    (re.compile(rf"第(?P<k>{_ZH}){_UNIT}"), _nth),
    (re.compile(rf"\bthe (?P<k>first|second|third|fourth|fifth|sixth)(?: {_NOUN}\b|{_OF}|(?=\W*$)"
                r"|(?= (?:an?|one|two|on|to|by|at|in|out|later|earlier|back)\b))"), _nth),
    (re.compile(rf"(?:(?:{_DOES}){_NUMBERS}(?= (?:to|on|out)\b|\W*$)|^{_NUMBERS}(?= (?:to|on|out)\b))"
                r"|(?:(?<=[把将])|^)[1-9](?:[和跟与、][1-9])*(?=[挪移推调换改放提拿删]|互?换|对调)"
                r"|(?<=[换掉])[1-9](?:[和跟与、][1-9])*$"), _by_number),
    (re.compile(rf"(?:周|星期|礼拜)(?P<day>[一二三四五六日天])\s*(?:[上下]午|晚上|早上)?的?那1?{_UNIT}"), _then),
    (re.compile(rf"\bthe (?P<day>(?:{'|'.join(_WEEKDAYS)})[a-z]*)(?:'s)? {_NOUN}\b"), _then),
    (re.compile(rf"(?P<kind>[^\W\d]{{2,6}}?)的?那(?P<n>{_ZH})?{_UNIT}"), _of_kind),
    (re.compile(rf"那(?P<n>{_ZH})?[个项](?P<kind>{_KIND})(?!\s*[0-9])"), _of_kind),
    (re.compile(rf"\bthe (?P<kind>{_KIND})(?: one)?\b(?!\s*#?[0-9]| (?:one|two|three|four|five|six)\b)"), _of_kind),
    (re.compile(rf"\b(?:those|these|the) {_N} (?P<kind>{_KIND})s\b(?!\s*[0-9])"), _of_kind),
    (re.compile(r"\bthe (?P<kind>[a-z]{2,20}(?: [a-z]{2,20})?) one(?P<many>s)?\b"), _of_class),
    (re.compile(rf"(?:里面?|其中|[那这](?:[几些]|(?P<n>[2-9两二三四五六]))[个项]?)的?(?P<kind>{_KIND})"),
     _every_of_kind),
    (re.compile(rf"\bthe (?:(?P<n>{_N[6:-1]}) )?(?P<kind>{_KIND})s\b(?!\s*[0-9])"), _every_of_kind),
    (re.compile(rf"[那这](?P<n>{_ZH}){_UNIT}|[它他]们|(?<!排的)[那这]些(?:任务|内容|东西)?"
                rf"|[那这]几{_UNIT}(?!{_KIND})"), _all),
    (re.compile(rf"(?<!第)(?P<n>{_ZH})[个项门](?=[都全])|\b(?:those|these) (?:items|tasks|things)\b"), _all),
    (re.compile(rf"{_NOT_SO}(?:all(?: of (?:the|those|these))?|both|those|these) {_N}{_OF}?\b{_DAYS}"), _all),
    (re.compile(rf"{_NOT_SO}(?:both(?:{_OF}| of them)?(?! [\w' ]{{2,40}}? and\b)|(?:them|those|these) all"
                rf"|all(?:{_OF}| of them)|them|those"
                r"|these)(?P<n>)"
                r"\b(?! (?:one(?! (?:more|day|week)\b)|two|three|four|five|six|[0-9]|\w+day|[a-z]+s|days?|weeks?)\b)"),
     _all),
)  # fmt: skip
_PICKING = tuple(one for one in _SELECTORS if one[1] in (_end, _nth, _by_number, _then, _of_two, _of_told_two))
_OTHERS = re.compile(
    r"别的(?=[都全])|(?:另外?|其[他它余]|剩下)的?那?(?P<n>[0-9一两二三四五六])?(?:[个项门]|的)(?!周|星期|时间|地方)|(?:另外?|剩下)的?那?(?P<both>俩)"
    r"|\b(?:everything|all) else\b|\bthe (?:rest|others)\b(?! of)|\bthe other (?P<m>one|two|three|four|[2-4]|ones)\b"
)


def name_listed_items(message: str, listed: Sequence[TaskView], before: Sequence[TaskView], brief: Brief) -> str:
    """A message with the items that it points to by name; as it is where it points to none.

    `listed` are the items that were listed last, `before` those that were named last, which "the other two" leaves out.
    """
    text = fold_text(message)
    if then := name_others_then(text, before, brief):
        return then
    if _asks_beyond(text, listed, brief) or wants_waiting_classes(text, brief):
        return message
    if (but := _ALL_BUT.search(text)) and leaves_rest(text, listed, brief):
        named = named_items(text, brief) or items_in(text, brief)
        own = classes_in(text, brief.classes)
        left = [row for row in listed if row not in named and (row["class_id"] in own or not own)]
        signed, said = sign_mentions(text[but.end() :], brief)
        behind = re.split(f"[{''.join(said)}]", signed)[-1] if said else ""
        return f"{text[: but.start()]}{' and '.join(name_of(row, brief) for row in left)}{behind}"
    for match, rows in _find_pointers(text, listed, before, brief):
        if _points_to_times(match, text, brief) or _is_told_by_time(match, text, brief):
            continue
        rest = text[: match.start()] + " " + text[match.end() :] if match.re is not _OTHERS else text[match.end() :]
        owners = classes_in(rest, brief.classes) if said_names(rest, brief) else []
        if owners and not {row["class_id"] for row in rows} <= {*owners}:
            continue  # of the class that is named, not of the list
        if rows and not items_in(rest, brief) and not items_in(rest, brief, among=all_items(brief)):
            names, head = "、".join(name_of(row, brief) for row in rows), text[: match.start()]
            kept = items_in(head, brief) if match.re is _OTHERS else []
            return head + names + _name_it(text[match.end() :], kept, brief)
    return message


_IT = re.compile(r"它(?=的?[之以]?[前后])|(?<=[着在])它|(?:(?<=after )|(?<=behind )|(?<=before )|(?<=next to ))it\b")


def _name_it(text: str, rows: Sequence[TaskView], brief: Brief) -> str:
    """What is wanted of others, with the one item by its name beside which they are to stand."""
    return _IT.sub(lambda _: name_of(rows[0], brief), text) if len(rows) == 1 else text


_OTHERS_THEN = re.compile(
    r"(?:那|当|同[1一]?)天的?(?:剩下|还有)?的?(?:其[他它余]|别的|另外|剩下)的?[1一]?(?:任务|内容|东西|安排|[项个])?"
    r"|\b(?:the (?:others?|rest)|(?:the |any |all )?other (?:ones|things|tasks|items|stuff)|(?:every|any)thing else)"
    r" (?:on|of|from|that is on|that's on) (?:that|the same) day\b"
    r"|\bthat day's (?:other (?:tasks|items|things)|others)\b"
)


def name_others_then(text: str, before: Sequence[TaskView], brief: Brief) -> str:
    """A message about what else stands on the day of the items that it tells first, or that were named last, by name;
    where nothing does, the question for it. Empty for other messages."""
    found = _OTHERS_THEN.search(text)
    if found and (read_times(text[: found.start()], brief.term) or asks_whether(text)):
        return ""  # the day is told there, or what is on it is only asked
    own = (items_in(text[: found.start()], brief) or before) if found else ()
    days = {brief.day_of(slot) for row in own if (slot := row["slot"])}
    if found is None or len(days) != 1:
        return ""
    then = [row for row in brief.tasks if (slot := row["slot"]) and brief.day_of(slot) in days]
    rows, day = [row for row in then if row not in own], days.pop()
    if not rows:
        return brief.say(f"{day.month}月{day.day}号还有别的任务吗", f"is anything else planned on {day.isoformat()}?")
    return text[: found.start()] + "、".join(name_of(row, brief) for row in rows) + text[found.end() :]


def tells_others(text: str) -> bool:
    """Whether a text is about the others of what was spoken of, not of all that there is: the other one, 另外两个."""
    found = _OTHERS.search(fold_text(text))
    return found is not None and found.group().startswith(("另", "the other "))


_DENIES_IT = re.compile(
    r"不是?[这那]1?[个项章节门次]?|(?:[记说打删选搞弄]?错了?|不[对是行])|\bnot? (?:that|this)(?: one)?\b"
    r"|\b(?:wrong|no|nope|oops|sorry|wait|actually|i mean(?:t)?)\b(?: one\b)?"
)
_POINTS = re.compile(r"不是[这那]1?[个项章节门次]|\b(?:not? (?:that|this)|wrong) one\b")
_PLACED = re.compile(
    r"(?P<other>另外?的?[1那]?|别的|其[他它]|\b(?:(?:the|an) ?other|another)\b(?: one\b)?)"
    r"|(?P<behind>[后下]面?的?[1那]?(?=[个项章节])|\b(?:the )?(?:next(?: one)?|one (?:after|behind|below))\b)"
    r"|(?P<before>[前上]面?的?[1那]?(?=[个项章节])|\b(?:the )?(?:previous(?: one)?|one (?:before|above))\b)"
    r"|第(?P<zh>\d)|\b(?:the )?(?P<en>first|second|third|fourth|fifth|sixth)(?: one)?\b"
    r"|(?P<last>最后1?|\b(?:the )?last(?: one)?\b)"
)


def find_others(said: str, old: TaskView, brief: Brief) -> list[TaskView]:
    """The items of a class that words may mean which deny one of them and name no other: not that one, the other lab;
    不对，后面那章. Empty for words that tell more."""
    own = [row for row in all_items(brief) if row["class_id"] == old["class_id"]]
    text, at = fold_numbers(said), [row["item_id"] for row in own].index(old["item_id"])
    words = [{*re.findall(r"[a-z]{2,}|[^\W\da-z]", fold_text(row["name"]))} for row in own]
    kind = "|".join(sorted(set.intersection(*words)))
    left = _DENIES_IT.sub(" ", text)
    placed, rest = _PLACED.search(left), _PLACED.sub(" ", left, count=1)
    rest = re.sub(rf"\b(?:{kind})s?\b|[{kind}个项章节门课次它]" if kind else r"[个项章节门课次它]", " ", rest)
    if not (placed or _POINTS.search(text)) or strip_fillers(re.sub(r"\b(?:it|that|this|one)\b", " ", rest)):
        return []
    told = placed.groupdict() if placed else {"other": "1"}
    nth = int(told.get("zh") or 0) or NTH.get(told.get("en") or "", 0) or (len(own) if told.get("last") else 0)
    nth = nth or (at + 2 if told.get("behind") else at if told.get("before") else 0)
    if not told.get("other"):
        own = own[nth - 1 : nth] if nth else []
    return [row for row in own if row["item_id"] != old["item_id"]]


_OF_PLAN = re.compile(
    r"\b(?:last|first|final) (?:thing|item|one|task|session)\b[^,.;?]{0,20}\b(?:on|in|of) (?:my|the) "
    r"(?:whole |entire )?(?:plan|schedule|calendar|timetable|term|list|agenda)\b"
    r"|\b(?:last|first|final) (?:thing|item|one|task|session) (?:in|of|for) (?:the |this |next )?week\b"
    r"|\b(?:last|first) (?:thing|item|task)\b[^,.;?]*\bi (?:have to|need to|will|do|study|learn)\b"
    r"|(?:最后|第)(?:1|一)?[个项]?要[学做背看]|(?:计划|课表)[里中]?的?(?:最后|第[1一])"
)
"""An end of the whole plan, not of a list that was told."""


_ASKS = re.compile(r"什么|哪|呢\W*$|\?\W*$|^(?:what|when|which)\b")


_ASKS_WHICH = re.compile(r"什么|啥|哪|\b(?:what|which|when)(?:'?s)?\b")
_COUNTS_FROM_END = tuple(form for form, select in _SELECTORS if select in (_end, _nth))


def _asks_beyond(text: str, listed: Sequence[TaskView], brief: Brief) -> bool:
    """Whether a text is about an end of the whole plan or of a time, or asks for one of several where a single one was
    told."""
    if _OF_PLAN.search(text) or (len(listed) == 1 and _ASKS.search(text)):
        return True
    counted = next((match for form in _COUNTS_FROM_END if (match := form.search(text))), None)
    rest = text[: counted.start()] + " " + text[counted.end() :] if counted else ""
    return _ASKS_WHICH.search(text) is not None and bool(read_times(rest, brief.term))


def name_picked_items(message: str, listed: Sequence[TaskView], brief: Brief) -> str:
    """A message with the items by name that it picks out of a list by their number or their day."""
    text = fold_text(message)
    if not 0 < len(listed) <= _MOST or _asks_beyond(text, listed, brief) or find_counted_items(text, brief):
        return message
    for form, pick in _PICKING:
        match = form.search(text)
        rest = text[: match.start()] + " " + text[match.end() :] if match else text
        if match and not items_in(rest, brief) and (rows := pick(match, listed, brief)):
            return text[: match.start()] + "、".join(name_of(row, brief) for row in rows) + text[match.end() :]
    return message


_KEEPS = re.compile(r"\b(?:keep|leave|clear|block|don't|do not|never|no|not)\b[^,.;]*$")


def _points_to_times(match: re.Match[str], text: str, brief: Brief) -> bool:
    """Whether "them" are the times that were named in front and are to stay free: Sundays, don't plan them."""
    head = text[: match.start()]
    weekly = any(one.kind in ("weekday", "part") and not one.first for one in read_times(head, brief.term))
    return match.group() in ("them", "those", "these") and weekly and _KEEPS.search(head) is not None


def _is_told_by_time(match: re.Match[str], text: str, brief: Brief) -> bool:
    """Whether those that are pointed to are told by the time right in front of it, whatever was listed: 第5周那几个."""
    head = text[: match.start()].rstrip("的里中 ")
    points = match.group().startswith(("那", "这"))
    return points and any(one.end == len(head) for one in read_times(head, brief.term))


_ALL_BUT = re.compile(r"\ball (?:of (?:them|those) )?(?:but|except)\b")


def leaves_rest(message: str, listed: Sequence[TaskView], brief: Brief) -> bool:
    """Whether a message is about what is left of the list that was told last beside items of it that it names."""
    text = fold_text(message)
    named, ids = named_items(text, brief) or items_in(text, brief), {row["state_id"] for row in listed}
    points = _OTHERS.search(text) or _ALL_BUT.search(text)
    return points is not None and bool(named) and {row["state_id"] for row in named} < ids


_SEVERAL = re.compile(r"[它他]们|[那这][些几][个项]?|\b(?:them|those|these)\b(?! \w+s\b)")


_ONE = re.compile(
    r"^(?:那就?|帮我|能|可以|把|请)*(?:它|[那这][1一]?个)?(?:能|可以)?[挪移换改调推]"
    r"|\b(?:it|that|this)\b(?! \w*day)"
)


_BARE_NUMBER = re.compile(r"第[一二三四五六七八九\d]{1,2}个")


def points_nowhere(message: str, listed: Sequence[TaskView], brief: Brief, *, of_day: bool = False) -> bool:
    """Whether a message points to one of a list by its number or its day, and none of the list is meant; where all that
    stands on a day was told, to what stands there."""
    text = fold_text(message)
    named = items_in(text, brief) if said_names(text, brief) or not _BARE_NUMBER.search(text) else []
    if len(listed) > _MOST or named or classes_in(message, brief.classes):
        return False
    of_day = of_day and not items_in(text, brief, among=all_items(brief))
    if not listed and (_SEVERAL.search(text) or (of_day and _ONE.search(text))):
        return True
    found = [(match, select(match, listed, brief)) for form, select in _PICKING if (match := form.search(text))]
    return bool(found) and not any(rows for _, rows in found)


def _find_staying(head: str, brief: Brief) -> list[TaskView]:
    """The items at the time that is to stay as it is: 第四周的别动，其他的…"""
    clause = next((one for one in reversed(_CLAUSE.split(head)) if STAYS.search(one) or EXCEPTION.search(one)), "")
    target = target_in(clause, brief) if clause else None
    if target is None or not target.said:
        return []
    return [row for row in brief.tasks if row["slot"] and target.covers(row["slot"])]


_OF_CLASS = re.compile(r"\s*(?:in|of|from|for) ([^,.;]+)")
"""Behind the others the class that they are of."""
_HALF = re.compile(r"一半|\bhalf\b|\bhalfway\b")
_CLAUSE = re.compile(r"[,，。;；]")


def _find_pointers(
    text: str, listed: Sequence[TaskView], before: Sequence[TaskView], brief: Brief
) -> Iterator[tuple[re.Match[str], Sequence[TaskView]]]:
    """What points into a list, with the items that it selects."""
    others = _OTHERS.search(text)
    head = text[: others.start()] if others else ""
    if _HALF.search(head):
        others = None  # the rest of a thing that is half done is a part of it
    named = classes_in(_CLAUSE.split(head)[-1], brief.classes) if head else []
    behind = _OF_CLASS.match(text[others.end() :]) if others else None
    named = named or (classes_in(behind[1], brief.classes) if behind else [])
    listed = [row for row in listed if row["class_id"] in named] if others and named else listed
    picked = (list(select(match, listed, brief)) for form, select in _PICKING if (match := form.search(head)))
    said = next((rows for rows in picked if rows), []) or items_in(head, brief) or _find_staying(head, brief)
    before = said if said and all(row["state_id"] in [one["state_id"] for one in listed] for row in said) else before
    if others and before:
        yield (
            others,
            _rest_of(listed, before, _number("2" if others["both"] else others["n"] or others["m"] or "ones"), brief),
        )
    counted = bool(find_counted_items(text, brief))  # of a class that is named, not of the list
    for pattern, select in _SELECTORS if 0 < len(listed) <= _MOST else ():
        match = pattern.search(text)
        if match and not (counted and select is _end):
            yield match, select(match, listed, brief)


def _rest_of(
    listed: Sequence[TaskView], before: Sequence[TaskView], count: int | None, brief: Brief
) -> Sequence[TaskView]:
    """What is left beside what was spoken of last: of its list, of the items without a place, else of its class."""
    own = [row["state_id"] for row in before]
    today = (brief.now["week"], brief.now["day_of_week"])
    owners = {row["class_id"] for row in before}
    ahead = [row for row in brief.tasks if (slot := row["slot"]) and (slot["week"], slot["day_of_week"]) >= today]
    among: list[Sequence[TaskView]] = [listed] if len(before) < len(listed) <= _MOST else []
    among += [[row for row in brief.tasks if not row["slot"]]] if count else []
    among += [[row for row in ahead if row["class_id"] in owners]] if len(owners) == 1 else [listed]
    left = [[row for row in rows if row["state_id"] not in own] for rows in among]
    return next((rows for rows in left if rows and count in (None, len(rows))), ())


def _number(said: str) -> int | None:
    return int(digits(said)) if digits(said).isdigit() else _WORDS.get(said)


def join_names(rows: Sequence[TaskView], brief: Brief) -> str:
    return brief.say("、", ", ").join(name_of(row, brief) for row in rows)


def name_of(row: TaskView, brief: Brief) -> str:
    """The name of an item where it means no other one, else its id."""
    if row["state_id"] < 0:
        return row["name"]
    alone = [one["state_id"] for one in items_in(row["name"], brief)] == [row["state_id"]]
    return row["name"] if alone else f"[{row['state_id']}]"
