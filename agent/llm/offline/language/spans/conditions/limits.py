"""Conditions on places as a student says them, each one slot: how much a day or a week, how far apart, which times.

What counts or spaces is taken out of the text first; of the clauses that are left, those that name times take them away
or keep to them. A condition belongs to the classes or items of its clause, else to those of the message, else to all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.classes.class_times import (
    AVAILABLE_THEN,
    ONLY_TIMES,
    bounds_hours,
    excludes,
    find_owners,
)
from agent.llm.offline.language.spans.classes.exam_days import ends_before_exam
from agent.llm.offline.language.spans.conditions.limit_forms import (
    ADJUST,
    AFTER_LESSONS,
    ALL_ELSE,
    ALL_ITEMS,
    ALL_OF,
    ALWAYS_THEN,
    AND,
    APART,
    AS_WELL,
    AT_LEAST,
    AT_MOST_APART,
    AT_ONCE,
    BARE_COUNTS,
    BETWEEN_LESSONS,
    BOUND,
    BUSY_THEN,
    CATCHES_UP,
    CLAUSE_BREAK,
    COUNTS,
    DATES_CHANGED,
    DAY_LIST,
    DAYS_BETWEEN,
    DAYS_NAMED,
    DONE,
    EACH_CLASS,
    END_OF,
    EVENLY,
    EVERY,
    EXAM_BEFORE,
    EXCEPT,
    FEELS,
    FREES,
    FROM_NOW_ON,
    HABIT,
    IF_NEEDED,
    IN_ORDER,
    JOINED,
    LASTING,
    LIMITS,
    MOST_OF,
    NO_MORE,
    NOT_SO_MANY,
    ONCE,
    ONE_DAY,
    ONLY_PART_OF_DAYS,
    ONWARDS,
    OPEN,
    OTHER_DAYS,
    PLANS_THEN,
    POINTS,
    PUT_ON,
    SAME_DAYS,
    SECTIONS_BETWEEN,
    SPAN,
    STAYS,
    THAT_VERY_DAY,
    THEM,
    THOSE_DAYS,
    TOGETHER,
    WHOLE_BEFORE,
    WISHED,
)
from agent.llm.offline.language.spans.conditions.said import Conditions, Json, Said, find_other_hours
from agent.llm.offline.language.spans.items.arrangements import read_spared
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import blank_names, classes_in, find_pieces
from agent.llm.offline.language.spans.targets import PlaceTarget, join_times, place_of
from agent.llm.offline.language.spans.times.bounds import BOUNDS, days_of_span, run_of, side_of
from agent.llm.offline.language.spans.times.hours import section_from
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import NO_TERM
from agent.loop.view_document import ClassView

MOST = 20
"""The largest number that a condition counts to, and the most times of one."""
_COUNTED = re.compile(
    r"(?<!同)\d\s*(?:[项个章节门]|items?|sections?|chapters?|tasks?|things?)|\b(?:one|an?) (?:item|task)\b"
)


@remember_of_plan
def read_conditions(message: str, brief: Brief) -> Conditions:
    """All conditions on places of a message; none where something comes again but not each time, or was missed."""
    if CATCHES_UP.search(fold_text(message)):
        return Conditions()
    if any(one.every not in ("", "1") and not one.every.endswith("d") for one in read_times(message, brief.term)):
        return Conditions()
    text = fold_numbers(END_OF.sub("底为止", _spell_out_numbers(message))).replace("两", "2")
    text = ADJUST.sub(" ", re.sub(r"这1(?=周|个?星期)", "这", text))
    once = ONCE.search(text) is not None
    text = PUT_ON.sub(r"\1在", ONCE.sub(" ", text))
    lasting = LASTING.search(text) is not None and not once
    text = DAY_LIST.sub(lambda comma: " and".ljust(len(comma.group())) + " ", FROM_NOW_ON.sub(" ", text))
    found: list[Said] = []
    whole = text
    for reader in (_read_pairs, _read_spaces, _read_counts, _read_forms):
        text, more = reader(text, brief)
        found += more
    if any(one.values.get("days_between") or one.values.get("a_day") for one in found):
        found = [one for one in found if set(one.values) != {"even"}]
    text, times = _read_all_times(text, whole, brief)
    text, spans = _read_spans(text, whole, brief) if found or times else (text, [])
    times += spans
    spared = frozenset(row["state_id"] for row in (*read_spared(message, brief), *_before_stay(message, brief)))
    left = [clause for clause in CLAUSE_BREAK.split(text) if not OTHER_DAYS.search(clause)
            and not (OPEN.search(clause) and (read_times(clause, brief.term) or IF_NEEDED.search(clause)))]  # fmt: skip
    left = [clause for clause in left if not (STAYS.search(clause) and (spared or ALL_ELSE.search(clause)))]
    return Conditions((*found, *times), lasting, once, ", ".join(left), OTHER_DAYS.search(text) is not None, spared)


_DURING_WEEK = re.compile(
    r"(?<![一二两三四五六七八九十几\d本这])(?:周内|平时)(?=[^,，。;；]{0,8}[一二两三四1-9]\s*[个项章门样])"
    r"|\bduring the week\b(?! of)",
    re.IGNORECASE,
)
_ONE_THING = re.compile(r"(?<=[学做排放看背弄多])一(?=样(?![的地大多长难快好重子]))")


def _spell_out_numbers(message: str) -> str:
    """A message with the numbers that are words of their own as a number and what it counts: 俩, 仨, 最多学一样; what
    counts during the week as what counts on weekdays."""
    text = re.sub("俩(?=[天周节项章个])", "两", message).replace("俩", "两个")
    text = _DURING_WEEK.sub(lambda week: "工作日" if has_chinese(week.group()) else "on weekdays", text)
    return _ONE_THING.sub("1", text.replace("仨", "三个"))


def _clause_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the clause around a piece begins and ends."""
    before = [one.end() for one in CLAUSE_BREAK.finditer(text) if one.end() <= start]
    behind = CLAUSE_BREAK.search(text, end)
    return (before[-1] if before else 0), (behind.start() if behind else len(text))


def _said(text: str, start: int, end: int, values: Json, brief: Brief, before: str = "") -> Said:
    """A condition with those that its clause names, else those of the clause before where it points there."""
    first, last = _clause_at(text, start, end)
    clause = text[first:last]
    items = tuple(row["state_id"] for row in find_mentioned(EXCEPTION.sub(" ", clause), brief))
    owners = tuple(() if items else _owners(clause, brief))
    before = before or text[:first]
    of_class = DATES_CHANGED.search(before) and not ALL_ITEMS.search(clause)
    if not (items or owners) and before.strip() and (POINTS.search(clause) or of_class or not ALL_OF.search(clause)):
        items, owners = _goes_on_about(clause, before, brief)
    return Said(clause.strip(), values, owners, items)


def _goes_on_about(clause: str, before: str, brief: Brief) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The items and the classes of the clauses before, the last that names any, as long as each of them tells a limit
    or another day of a class."""
    points, pieces = POINTS.search(clause) is not None, [one for one in CLAUSE_BREAK.split(before) if one.strip()]
    last = _owners(pieces[-1], brief) if pieces else []
    if last and not read_times(pieces[-1], brief.term) and any({*_owners(one, brief)} - {*last} for one in pieces):
        return (), tuple(last)  # of several classes, each with its own behind it
    for ahead in reversed(pieces):
        goes_on = LIMITS.search(ahead) or ONLY_TIMES.search(ahead) or excludes(ahead) or DATES_CHANGED.search(ahead)
        if not (points or goes_on) or STAYS.search(ahead):
            break
        items = tuple(row["state_id"] for row in find_mentioned(ahead, brief))
        owners = tuple(() if items else _owners(ahead, brief))
        if items or owners or points:
            return items, owners
    return (), ()


def _owners(clause: str, brief: Brief) -> list[int]:
    clause = EXCEPTION.sub(" ", clause)
    folded: list[ClassView] = [{**row, "name": fold_numbers(row["name"])} for row in brief.classes]
    found = classes_in(clause, brief.classes) or classes_in(clause, folded) or find_owners(clause, brief)
    return [] if len(found) == len(brief.classes) else found


def _cut(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _read_pairs(text: str, brief: Brief) -> tuple[str, list[Said]]:
    """What is said of two classes: the first on no day of the other, on its days alone, or before all of it."""
    found: list[Said] = []
    for clause in CLAUSE_BREAK.split(text):
        pair = _pair_in(clause, brief)
        plain = blank_names(clause, [row["name"] for row in brief.classes], least=1)
        if AS_WELL.search(plain):
            continue
        if not pair or read_times(plain, brief.term) or _COUNTED.search(plain) or find_mentioned(clause, brief):
            continue
        first, other = ([row for row in brief.tasks if row["class_id"] == one] for one in pair)
        days = [{"from_date": day, "to_date": day} for day in _days_of(other, brief)][:MOST]
        if APART.search(plain):
            values: Json = {"without": days}
        elif SAME_DAYS.search(plain):
            values = {"within": days}
        elif WHOLE_BEFORE.search(plain):
            ahead = (row for row in (*first, *other) if not row["slot"] or brief.is_ahead(row))
            found.append(Said(clause.strip(), {"in_order": True}, (), tuple(row["state_id"] for row in ahead), True))
            text = text.replace(clause, " " * len(clause))
            continue
        else:
            continue
        owner = pair[0] if days or not any(row["slot"] for row in first) else pair[1]
        found.append(Said(clause.strip(), values if days else {"a_day": MOST}, (owner,), pair=True))
        text = text.replace(clause, " " * len(clause))
    return text, found


def _pair_in(clause: str, brief: Brief) -> tuple[int, int] | None:
    """The two classes that a clause names, in the order of its words; None for one or more."""
    rows = [row for row in brief.classes if row["id"] in classes_in(clause, brief.classes)]
    said = [find_pieces(clause, (row["name"],), fold_numbers) for row in rows]
    if len(rows) != 2 or not all(said):
        return None
    first, other = (min(clause.find(piece) for piece in pieces) for pieces in said)
    ids = (rows[0]["id"], rows[1]["id"])
    return ids if first <= other else (ids[1], ids[0])


def _days_of(rows: Sequence[Any], brief: Brief) -> list[str]:
    slots = [slot for row in rows if (slot := row["slot"])]
    return sorted({brief.day_of(slot).isoformat() for slot in slots})


def _read_counts(text: str, brief: Brief) -> tuple[str, list[Said]]:
    whole = text
    pieces = [one for one in CLAUSE_BREAK.split(text) if _tells_days(one)]
    in_days = sum(any(form.search(one) for form in (*COUNTS, *BARE_COUNTS)) for one in pieces) > 1
    text, found = _read_together(text, brief)
    for form in (*COUNTS, *BARE_COUNTS):
        for one in list(form.finditer(text)):
            if (
                AT_LEAST.search(text[: one.start()])
                or AT_ONCE.search(text[: one.start()])
                or not text[one.start() : one.end()].strip()
            ):
                continue
            begin = _begin_of_count(one, text)
            refused = begin < one.start()
            values = _count_of(one, text, whole, refused=refused)
            bare = form in BARE_COUNTS and not (refused or (in_days and _tells_days(_clause_of(one, text))))
            if values is None or bare:
                continue
            text = _cut(text, begin, one.start())
            first, last = _clause_at(text, one.start(), one.end())
            clause = _cut(text, one.start(), one.end())[first:last]
            clause = f"{one['per']} {clause}" if _tells_days(one["per"]) else clause
            limited = MOST_OF.search(one.group()) is not None
            during = _during(text[first:last] if limited else clause, brief, parts=limited)
            beside = bool(during) and _is_planned_then(one, clause, during)
            values |= {"during": during} if during and not beside else {}
            found.append(_said(text, one.start(), one.end(), _in_items(values, brief), brief))
            found += [replace(found[-1], values={"within": during})] if beside else []
            text = _cut(text, first, last) if during else _cut(text, one.start(), one.end())
    return text, _each_once(found)


def _clause_of(one: re.Match[str], text: str) -> str:
    return text[slice(*_clause_at(text, one.start(), one.end()))]


def _tells_days(clause: str) -> bool:
    """Whether a clause names several weekdays: weekends, Monday to Friday."""
    return any(time.kind == "weekday" and len(time.weekdays) > 1 for time in read_times(clause, NO_TERM))


def _in_items(values: Json, brief: Brief) -> Json:
    """So many sections a day, fewer than any item has, as that many items: 每天最多一节; sections a week as the items
    that they hold."""
    sizes = [row["duration"] for row in brief.tasks] or [1]
    if weekly := values.get("sections_a_week"):
        rest = {key: value for key, value in values.items() if key != "sections_a_week"}
        return {**rest, "a_week": weekly // max(sizes) if weekly >= max(sizes) else weekly}
    least, number = min(sizes), values.get("sections_a_day")
    rest = {key: value for key, value in values.items() if key != "sections_a_day"}
    return {**rest, "a_day": number} if number and number < least else values


def _is_planned_then(one: re.Match[str], clause: str, during: list[Json]) -> bool:
    """Whether a part of the day beside so many a day is when it is planned: plan it, one a day in the evenings."""
    parts = all({*row} <= {"section_from", "section_to"} for row in during)
    return parts and bool(one["per"]) and not read_times(one["per"], NO_TERM) and PLANS_THEN.search(clause) is not None


def _each_once(found: list[Said]) -> list[Said]:
    """Limits without those that say what another one says in other words: one a day, never two on one day."""
    told = [(one.values, one.owners, one.items) for one in found]
    return [one for at, one in enumerate(found) if told[at] not in told[:at]]


def _begin_of_count(one: re.Match[str], text: str) -> int:
    """Where a count begins with what refuses it in front: never two a day, 不要一天排两个."""
    first, _ = _clause_at(text, one.start(), one.end())
    refused = None if MOST_OF.search(one.group()) else NOT_SO_MANY.search(text[first : one.start()])
    return one.start() if refused is None else first + refused.start()


def _read_together(text: str, brief: Brief) -> tuple[str, list[Said]]:
    found: list[Said] = []
    for form in TOGETHER:
        for one in list(form.finditer(text)):
            values: Json = {
                "a_week" if (one["unit"] or "").endswith(("周", "week")) else "a_day": int(one["n"] or 2) - 1
            }
            values |= (
                {"each_class": True}
                if EACH_CLASS.search(text[slice(*_clause_at(text, one.start(), one.end()))])
                else {}
            )
            found.append(_said(text, one.start(), one.end(), values, brief))
            text = _cut(text, one.start(), one.end())
    return text, found


def _count_of(one: re.Match[str], text: str, whole: str, *, refused: bool) -> Json | None:
    groups = one.groupdict()
    per, unit = groups["per"] or "", groups.get("zu") or groups.get("unit") or ""
    number = (int(groups["n"]) if groups["n"].isdigit() else 1) - refused
    if not 1 <= number <= MOST:
        return None
    clause = text[slice(*_clause_at(text, one.start(), one.end()))]
    if not per and {time.kind for time in read_times(clause, NO_TERM)} == {"week"}:
        per = "week"  # of the one that is told
    if not per and not (re.search(r"天(?!前|后)|\bdays?\b|daily", whole) or DAYS_NAMED.search(clause)):
        return None
    if says("too_much", clause) or says("worn_out", clause):  # which tells how it is, not how it is to be
        return None
    each = {"each_class": True} if EACH_CLASS.search(clause) else {}
    if re.search(r"周(?![末一二三四五六日天])|星期|礼拜|week(?!day|end)", per):
        per = "week"
    if "节" in unit or "课时" in unit or unit.startswith(("section", "period")):
        return {f"sections_a_{'week' if per == 'week' else 'day'}": number, **each}
    if per == "week":
        return {"a_week": number, **each}
    return {"a_day": number, **each}


def _during(clause: str, brief: Brief, *, parts: bool = False) -> list[Json]:
    """The times in which a limit counts: weekdays, dates, parts of the day."""
    times = read_times(SPAN.sub(" ", clause) if DONE.search(clause) else clause, brief.term)
    times = tuple(one for one in times if (one.part is None or parts) and one.role != "avoided")
    dated = [one for one in times if one.kind in ("weekday", "day", "days", "week", *(("part",) if parts else ()))]
    rows = _times_of(dated, clause, brief) if dated else []
    return (
        [{key: value for key, value in row.items() if key != "to_date"} for row in rows]
        if ONWARDS.search(clause)
        else rows
    )


def _read_spaces(text: str, brief: Brief) -> tuple[str, list[Said]]:
    found: list[Said] = []
    for name, forms in (("days_between", DAYS_BETWEEN), ("sections_between", SECTIONS_BETWEEN)):
        for form in forms:
            for one in list(form.finditer(text)):
                if AT_MOST_APART.search(text[: one.start()]):
                    continue  # how far apart at most is no space between them
                number = _space_of(one.groupdict())
                clause = text[slice(*_clause_at(text, one.start(), one.end()))]
                each = {"each_class": True} if EACH_CLASS.search(text) else {}
                during = _during(
                    _cut(text, one.start(), one.end())[slice(*_clause_at(text, one.start(), one.end()))], brief
                )
                span = {"during": during} if during and BOUND.search(clause) else {}
                found.append(_said(text, one.start(), one.end(), {name: number, **each, **span}, brief))
                around = _clause_at(text, one.start(), one.end())
                text = _cut(text, *around) if span else _cut(text, one.start(), one.end())
    spaces = [one for one in found if "days_between" in one.values]
    most = max((one.values["days_between"] for one in spaces), default=0)
    closest = [one for one in found if one not in spaces or one.values["days_between"] == most]
    most = max((one.values.get("sections_between", 0) for one in closest), default=0)
    closest = [one for one in closest if one.values.get("sections_between", most) == most]
    return text, [one for at, one in enumerate(closest) if one.values not in [other.values for other in closest[:at]]]


def _space_of(groups: dict[str, str | None]) -> int:
    if groups.get("n1"):
        return 1
    if groups.get("n2"):
        return 2
    if apart := groups.get("apart"):
        return max(1, (int(apart) if apart.isdigit() else 1) - 1)
    number = groups.get("n") or "1"
    return int(number) if number.isdigit() else 1


def _read_forms(text: str, brief: Brief) -> tuple[str, list[Said]]:
    found: list[Said] = []
    for values, form in (
        ({"after_lessons": 1}, AFTER_LESSONS), ({"between_lessons": True}, BETWEEN_LESSONS),
        ({"one_day": True}, ONE_DAY), ({"even": True}, EVENLY), ({"in_order": True}, IN_ORDER),
    ):  # fmt: skip
        one = form.search(text)
        if one is not None:
            found.append(_said(text, one.start(), one.end(), dict(values), brief))
            around = _clause_at(text, one.start(), one.end())
            if "even" in values and (rows := _during(text[slice(*around)], brief)):
                found.append(replace(found[-1], values={"within": rows}))  # the days over which it is spread
                text = _cut(text, *around)
            text = _cut(text, one.start(), one.end())
    return text, found


def _read_all_times(text: str, whole: str, brief: Brief) -> tuple[str, list[Said]]:
    """The clauses that take times away or keep to them, those of one owner that keep to times together."""
    found: list[Said] = []
    left = list(text)
    start = 0
    for stop in [*(one.start() for one in CLAUSE_BREAK.finditer(text)), len(text)]:
        clause = text[start:stop]
        if clause.strip() and (said := _clause_times(clause, text, whole[:start], brief)) is not None:
            found.append(said)
            left[start:stop] = " " * (stop - start)
        start = stop
    return "".join(left), _join(found)


def _read_spans(text: str, whole: str, brief: Brief) -> tuple[str, list[Said]]:
    """The last day of what is to be done in so many days or weeks, counted from the first day of its classes on."""
    found: list[Said] = []
    for one in [*SPAN.finditer(text)]:
        first, last = _clause_at(text, one.start(), one.end())
        rest = text[first : one.start()] + text[one.end() : last]
        if (
            STAYS.search(rest)
            or OPEN.search(rest)
            or not (DONE.search(rest) or PLANS_THEN.search(rest) or _is_bare(rest))
        ):
            continue
        said = _said(whole, first, last, {}, brief)
        planned = {row["class_id"] for row in brief.tasks if row["slot"]}
        starts = [
            row["start_date"] for row in brief.classes if row["id"] in (said.owners or planned) and row["start_date"]
        ]
        begin = max(brief.term.today, date.fromisoformat(min(starts, default=brief.term.today.isoformat())))
        end = begin + timedelta(days=days_of_span(one) - 1)
        found.append(replace(said, values={"within": [{"to_date": end.isoformat()}]}))
        text = _cut(text, first, last)
    return text, found


def _is_bare(text: str) -> bool:
    return not re.sub(r"\W|\b(?:all|it|that|please|and|only)\b|全部?|都|就|要|请", "", text)


def _join(found: list[Said]) -> list[Said]:
    joined: list[Said] = []
    for one in found:
        same = next((at for at, other in enumerate(joined) if (other.owners, other.items) == (one.owners, one.items)
                     and _weekly(one) and _weekly(other)), None)  # fmt: skip
        if same is None or "within" not in one.values or "within" not in joined[same].values:
            joined.append(one)
        else:
            within = [*joined[same].values["within"], *one.values["within"]]
            joined[same] = replace(joined[same], words=f"{joined[same].words}, {one.words}", values={"within": within})
    return joined


def _weekly(one: Said) -> bool:
    return not any("to_date" in row or "from_date" in row for row in one.values.get("within", ()))


def _clause_times(clause: str, text: str, before: str, brief: Brief) -> Said | None:
    names = [row["name"] for row in (*brief.classes, *brief.tasks)]
    plain = blank_names(clause, names, least=1)
    outside = re.sub(r"[(][^)]*[)]", " ", plain)
    plain = outside if read_times(outside, brief.term) else plain
    if (bound := _before_exam(plain, text, brief)) is not None:
        said = _said(clause, 0, len(clause), {"within": [bound]}, brief, before)
        return said if said.owners or said.items else replace(said, owners=tuple(_owners(text, brief)))
    parts = EXCEPT.split(plain, maxsplit=1)
    times = [one for one in read_times(parts[0], brief.term) if not one.impossible]
    if not times or STAYS.search(plain) or OPEN.search(plain) or (SPAN.search(plain) and DONE.search(plain)):
        return None
    side = _side(plain, times, text)
    times = [one.taken for one in times] if side == "without" else times
    rows = [_from_then_on(row, plain) for row in _times_of(times, plain, brief)]
    if side == "" or not rows:
        return None
    if len(parts) > 1 and (spared := _times_of([*read_times(parts[1], brief.term)], parts[1], brief)):
        rows = [_without_days(row, spared) for row in rows]
    hours = any(one.kind in ("weekday", "day", "week") for one in times) and bounds_hours(plain, brief.term)
    until = not DONE.search(plain) and any("section_from" in row and {"from_date", "to_date"} & {*row} for row in rows)
    others = _other_days(times, plain, brief) if side == "within" else []
    if side == "within" and (hours or until or ONLY_PART_OF_DAYS.search(plain)):
        side, rows = "without", find_other_hours(rows, brief.term.sections)
    if others:
        side, rows = "without", [*others, *(rows if side == "without" else ())]
    if side == "without" and not any({"weekdays", "from_date", "to_date"} & set(row) for row in rows):
        days = _days_before(before, brief)
        rows = [{**row, "weekdays": days} for row in rows] if days else rows
    return _said(clause, 0, len(clause), {side: rows}, brief, before)


_ONLY_DAYS_OF_WEEK = re.compile(
    r"(?:第\d+|[这本下])个?(?:周|星期)(?![1-7末日天])[^,，。;；\d]{0,4}[只仅]|\bonly\b.*\bweek\b|\bweek\b.*\bonly\b"
)
"""That some days of a week are all that is used of it; what lies in other weeks stays."""


def _other_days(times: list[Time], clause: str, brief: Brief) -> list[Json]:
    """The days of a week that are left where only some of it are used."""
    weeks, days = {one.week for one in times} - {None}, {day for one in times for day in one.weekdays}
    if len(weeks) != 1 or not days or DONE.search(clause) or not _ONLY_DAYS_OF_WEEK.search(clause):
        return []
    week = max(one or 0 for one in weeks)
    left = [brief.term.day(week, day).isoformat() for day in range(1, 8) if day not in days]
    return [{"from_date": day, "to_date": day} for day in left]


def _days_before(before: str, brief: Brief) -> list[int]:
    """The weekdays of the clause in front that tells what is done then: 周一到周五要打工，6点到9点别排."""
    ahead = [piece for piece in CLAUSE_BREAK.split(before) if piece.strip()][-1:]
    told = [piece for piece in ahead if (HABIT.search(piece) or BUSY_THEN.search(piece)) and not FREES.search(piece)]
    times = [one for piece in told for one in read_times(piece, brief.term)]
    dated = any(one.first for one in times)
    return sorted({day for one in times if one.kind == "weekday" for day in one.weekdays}) if not dated else []


def _from_then_on(row: Json, clause: str) -> Json:
    """A weekday from some week on: keep Wednesdays free from next week on."""
    plural = re.search(r"每个?(?:周|星期|礼拜)|\b\w+days\b", clause) is not None
    if not plural or not ONWARDS.search(clause) or "from_date" not in row or row["from_date"] != row.get("to_date"):
        return row
    day = date.fromisoformat(row["from_date"])
    begin = day - timedelta(days=day.isoweekday() - 1)
    hours: Json = {key: row[key] for key in ("section_from", "section_to") if key in row}
    return {**hours, "weekdays": [day.isoweekday()], "from_date": begin.isoformat()}


def _side(clause: str, times: list[Time], text: str) -> str:
    """Whether a clause takes its times away, keeps to them, or neither."""
    clause, text = NO_MORE.sub(" ", clause), NO_MORE.sub(" ", text)
    if OTHER_DAYS.search(text) and any(one.kind == "weekday" for one in times):
        return "within"
    bound = any(side_of(one, clause) for one in times)
    if FEELS.search(clause) and not PLANS_THEN.search(text):
        return ""
    if bound and BOUNDS.search(clause) and not excludes(clause):
        return "within"
    if AVAILABLE_THEN.search(clause) and ONLY_TIMES.search(clause):
        return "within"
    if any(one.role == "avoided" for one in times) or excludes(clause) or FREES.search(clause):
        return "without"
    pieces = [piece for piece in CLAUSE_BREAK.split(text) if FREES.search(piece) or excludes(piece)]
    alone = any(not read_times(piece, NO_TERM) for piece in pieces)
    if BUSY_THEN.search(clause) and any(THOSE_DAYS.search(piece) for piece in pieces):
        return "without"
    if (HABIT.search(clause) or EVERY.search(clause)) and alone and not any(one.first for one in times):
        return "without"
    if any(THEM.search(piece) and not read_times(piece, NO_TERM) for piece in pieces):
        return "without"
    if ALWAYS_THEN.search(clause) and not bound:
        return "within"
    if ONLY_TIMES.search(clause) or WISHED.search(clause):
        return "within"
    return "within" if bound and DONE.search(clause) else ""


def _times_of(times: list[Time], clause: str, brief: Brief) -> list[Json]:
    """The times of a clause side by side; a bound by date holds for all of them."""
    if not times:
        return []
    each = [group for _, _, group in join_times(clause, brief) if any(one.kind == "day" for one in group)]
    if len(each) > 1 and any(one.part is not None for group in each for one in group):
        return [row for group in each for row in _json(place_of(group, brief.term), clause, brief, times=group)]
    dated = [one for one in times if (one.first or one.last) and one.kind in ("day", "days", "week")]
    weekly = [one for one in times if one not in dated]
    stretches = [[one] for one in dated] if _lie_apart(dated) else [dated]
    base = [row for some in stretches for row in _json(place_of(some, brief.term), clause, brief, times=some)] or [{}]
    if not weekly:
        return base
    groups: list[list[Time]] = []
    for one in weekly:
        timed = bool(groups) and _timed(groups[-1])
        between = clause[groups[-1][-1].end : one.start] if groups else ""
        apart = timed and one.kind == "weekday" and not (JOINED.fullmatch(between) or _ON_DAYS.fullmatch(between))
        beside = (one.part is not None or one.kind == "sections") and AND.fullmatch(between) is not None
        if beside and timed:  # Saturday mornings and evenings, sections 1-2 and 5-6
            groups.append([*(day for day in groups[-1] if day.kind == "weekday"), one])
        elif not groups or apart or beside:  # weekends and mornings
            groups.append([one])
        else:
            groups[-1].append(one)
    for group in [*groups[1:]]:
        ahead = groups[groups.index(group) - 1]
        if not _timed(group) and _timed(ahead) and AND.fullmatch(clause[ahead[-1].end : group[0].start]):
            ahead += group
            groups.remove(group)
    rows = [row for group in groups for row in _json(place_of(group, brief.term), clause, brief, times=group)]
    return [{**row, **{key: value for key, value in at.items() if key not in row}} for at in base for row in rows]


_ON_DAYS = re.compile(r" (?:(?!(?:and|n?or|not?|nothing|never)\b)[a-z']+ ){0,5}on (?:the )?")
"""Between hours and the days on which they are told to be so: my evenings are taken on mondays."""


def _lie_apart(dated: list[Time]) -> bool:
    """Whether dates are several stretches, not the two ends of one or days of one week."""
    weeks = {day - timedelta(days=day.weekday()) for one in dated for day in (one.first, one.last) if day}
    return len(dated) > 1 < len(weeks) and all(one.first and one.last for one in dated)


def _timed(group: list[Time]) -> bool:
    return any(one.part is not None or one.sections for one in group)


def _json(target: PlaceTarget, clause: str, brief: Brief, *, times: list[Time]) -> list[Json]:
    """A target as a stretch of time with dates."""
    row: Json = {}
    run = target.run
    if run is not None:
        row = {"from_date": brief.term.day(*run[0]).isoformat(), "to_date": brief.term.day(*run[1]).isoformat()}
        if not any(one.first for one in times):
            row.pop("from_date")
        if not any(one.last for one in times) and not any(one.week for one in times):
            row.pop("to_date")
    elif target.week is not None:
        days = target.days or range(1, 8)
        row = {"from_date": brief.term.day(target.week, min(days)).isoformat(),
               "to_date": brief.term.day(target.week, max(days)).isoformat()}  # fmt: skip
        if target.days and len(target.days) < max(days) - min(days) + 1:
            row["weekdays"] = list(target.days)
        if not any(one.first for one in times):  # up to that day of the week
            row.pop("from_date")
    if target.days and target.week is None:
        row["weekdays"] = list(target.days)
    part = target.part or ((target.sections[0], target.sections[1] or target.sections[0]) if target.sections else None)
    part = next((narrow for one in times if (narrow := run_of(one, clause, brief.term))), part)
    clocks = [one for one in times if one.kind == "clock" and not one.side and not (one.sections and one.sections[1])]
    hours = [one.sections[0] if one.sections else section_from(one.clock, brief.term) for one in clocks]
    part = next(((at, at) for at in hours if at), part)  # where none begins then, the next one is meant
    if part:
        row |= {"section_from": part[0], "section_to": min(part[1], brief.term.sections)}
    return [row] if row else []


def _without_days(row: Json, spared: list[Json]) -> Json:
    days = {day for one in spared for day in one.get("weekdays", ())}
    left = [day for day in row.get("weekdays", range(1, 8)) if day not in days]
    return {**row, "weekdays": left} if left and days else row


def _before_exam(clause: str, text: str, brief: Brief) -> Json | None:
    """So many days before the exam or the date that the message names, else before the class ends; the day before the
    exam where all is to be done before it."""
    days = [day for time in read_times(text, brief.term) if time.kind == "day" and (day := time.first or time.last)]
    if days and EXAM_BEFORE.search(clause) is None and ends_before_exam(text, clause) and DONE.search(clause):
        return {"to_date": (days[0] - timedelta(days=1)).isoformat()}
    one = EXAM_BEFORE.search(clause)
    if one is None:
        return None
    number = next(filter(None, one.groups()))
    owners = _owners(text, brief) or [row["id"] for row in brief.classes]
    ends = [row["end_date"] for row in brief.classes if row["id"] in owners and row["end_date"]]
    exam = days[0] if days else date.fromisoformat(min(ends)) if len(owners) == 1 and ends else None
    if exam is None:
        return None
    last = (exam - timedelta(days=int(number) if number.isdigit() else 1)).isoformat()
    return {"to_date": last, **({"from_date": last} if THAT_VERY_DAY.search(clause) else {})}


def _before_stay(message: str, brief: Brief) -> Iterator[Any]:
    """The items in the time that is not to be touched: do not touch anything before the 16th."""
    for clause in CLAUSE_BREAK.split(fold_text(message)):
        times = read_times(clause, brief.term) if STAYS.search(clause) else []
        if times and (target := place_of([*times], brief.term)).said:
            yield from (row for row in brief.tasks if (slot := row["slot"]) and target.covers(slot))


def rows_of(one: Said, conditions: Conditions, brief: Brief) -> list[Any]:
    """The items of a condition: those it names, those of its classes, else all; never what is to stay."""
    ids, owners = set(one.items), set(one.owners)
    rows = [row for row in brief.tasks if not ids or row["state_id"] in ids]
    rows = [row for row in rows if ids or not owners or row["class_id"] in owners]
    return [row for row in rows if row["state_id"] not in conditions.spared]
