"""Days that are to stay free: of a class, for one class alone, or for what comes between; none is a date of a class."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.pointing.planned_weeks import plan_class_in_weeks
from agent.llm.offline.language.dialogue.revision.other_values import EXTENDED
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID
from agent.llm.offline.language.spans.classes.class_times import excludes, find_owners
from agent.llm.offline.language.spans.classes.exam_days import EXAM
from agent.llm.offline.language.spans.conditions.limit_forms import FREES, SPAN
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import SOME_WEEK
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned, fold_mentions, rows_of, sign_mentions
from agent.llm.offline.language.spans.mentions import classes_in, find_pieces
from agent.llm.offline.language.spans.targets import list_standing, place_of, shift_in, stands_at, target_in
from agent.llm.offline.language.spans.times.bounds import days_of_span
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.words import number_of
from agent.loop.view_document import ClassView

_OFF_THEN = re.compile(
    r"(?:别|不要?|不能|不想)(?:再|给我)?(?:安?排|学|复习|放|看)"
    r"|\b(?:no|nothing|don't|do not|without)\b[^,.;]{0,40}?\b(?:between|from|on|in|during|for)\b"
)
"""That nothing is to be then."""


def read_class_off(text: str, brief: Brief) -> list[Frame]:
    """That a class is not to be studied on certain dates, which are none of its own: 25号到28号别排概率论."""
    ids, times = classes_in(text, brief.classes), read_times(text, brief.term)
    days = [(one.first, one.last) for one in times if one.first and one.last and not one.side]
    if len(ids) != 1 or not len(days) == len(times) == 1 or find_mentioned(text, brief) or asks_whether(text):
        return []
    if not _OFF_THEN.search(text) or plan_class_in_weeks(text, brief):
        return []
    name = next(row["name"] for row in brief.classes if row["id"] == ids[0])
    said = _say_days(*days[0], zh=has_chinese(text))
    return [frame_of("nothing_on_of", {"class": (name,), "time": (said,)})]


_NEVER = r"(?:n't|\b(?:no|nothing|not|cannot|cant|dont|without|closed|shut|away|unavailable))\b"
_GOES_ON = r"\b(?:finish|done|complet|over|later|end|go on|run|last|continue|due|exam|hand|submi|mov)"
_NOT_UNTIL = re.compile(rf"{_NEVER}(?![^.;?]*{_GOES_ON})[^.;?]*\b(?:until|till|before) (?:the )?$")
_NOT_UNTIL_ZH = re.compile(
    r"(?:之?前|以前)(?![^,，。;；]*[完成考交动移挪])[^,，。;；?？]{0,10}(?:不(?!可|得不)|没|别|关)|[^,，。;；?？]{0,4}才(?:能|可以|开|有|回|行)"
)
"""Around a day before which something is not to be, or cannot."""


_BEGINS = re.compile(r"\b(?:start|begin|open|commence)\w*(?: \w+){0,4} $")
_ONLY_AHEAD, _ONLY_BEHIND = re.compile(r"\bonly\b[^,.;?]*$"), re.compile(r"\W*only\b")


def find_first_possible(text: str, brief: Brief) -> date | None:
    """The day before which nothing can be, as a text tells it: no lab access until the 30th, 30号之前进不了实验室, labs
    can only begin on the 30th."""
    for one in read_times(text, brief.term):
        head, behind = text[: one.start], text[one.end - 2 * text[: one.end].endswith("前") :]
        only = _BEGINS.search(head) and (_ONLY_AHEAD.search(head) or _ONLY_BEHIND.match(behind))
        if one.first and (only or (one.side == "from" and _NOT_UNTIL_ZH.match(behind))):
            return one.first
        if one.last and (_NOT_UNTIL.search(head) or _NOT_UNTIL_ZH.match(behind)):
            return one.first or one.last + timedelta(days=one.kind == "days")  # before a month: until its eve
    return None


def read_begins_later(text: str, brief: Brief) -> list[Frame]:
    """That nothing of a class can be before a day: it begins then, and is planned so where that is asked for."""
    day, ids = find_first_possible(text, brief), find_owners(text, brief)
    if day is None or len(ids) != 1 or find_mentioned(text, brief) or asks_whether(text):
        return []
    owner = next(row for row in brief.classes if row["id"] == ids[0])
    if not (owner["start_date"] or "") < day.isoformat() <= (owner["end_date"] or ""):
        return []
    zh, name = has_chinese(text), owner["name"]
    form = "plan_from" if says("arrange", text) else "begins"
    return [frame_of(form, {"class": (name,), "time": (_say_days(day, day, zh=zh),)})]


_OFF_BEFORE = re.compile(
    r"\b(?:nothing|no (?:more )?(?:study\w*|work|tasks?|sessions?|time|anything)|(?:can't|cannot|can not|unable to)"
    r"(?: (?:do|study|work|learn|revise|start|make))?)\b[^,.;?]{0,24}\b(?:(?P<open>until|till?)|before) (?:the )?$"
    r"|(?:n't|\bnot)(?: be| get| come)? (?:free|available|around|back|home|here|there|able to|have time"
    r"|want to|plan|put|schedule|study|work)\b[^,.;?]{0,24}\b(?:(?P<open2>until|till?)|before) (?:the )?$"
)
_OFF_BEFORE_ZH = re.compile(
    r"(?:之?前|以前|为止)(?:的?这段时间|[我都全也就先还,，]|完全|根本|一直)*"
    r"(?:不行|不[想能要]再?[排安放学看动做]|没空|没时间|没法|学不了|不学|休息|不在|[回来]不[来去了]|别(?:再|给我)?[排安放学])"
)
_FREE_FROM = re.compile(
    r"才(?:有空|有时间|回[来去]|方便|行|(?:能|可以)(?:开始)?[学看])"
    r"|\bonly (?:have time|(?:be )?(?:free|available|back)|start|study|work|begin)\b"
    r"|\b(?:(?:be|am|'m|are|'re|come|coming|get|getting|fly|flying|arrive|arriving) (?:back|home)|return)\b(?! from)"
    r"|\bback\b[^.;]*\b(?:until|till?|before) then\b|\b(?:until|till?|before) then\b[^.;]*\bback\b"
)
"""That nothing is to be before a day, or can be on it first: of the student, not of a class."""
_ABSENT = re.compile(
    r"病|发烧|感冒|不舒服|难受|卧床|住院|养伤|请假|出差|在外地|不在(?:家|学校|这)?(?=$|[,，。到至])|休息"
    r"|\b(?:ill|sick|flu|cold|fever|unwell|covid|in bed|hospital|rest|away|off|gone|abroad|out of town|travel\w*"
    r"|not here)\b"
)
"""Why one does nothing for days."""
_BACK_THEN = re.compile(r"回[来去校]|(?:才|就)(?:能|会)?好|\bback (?:again |home )?(?:on )?(?:the )?$|\bwell again\b")


_BEFORE_THEN = re.compile(r"在?那(?:天|时候?)?[之以]前")


def read_off_until(text: str, brief: Brief) -> list[Frame]:
    """That one is away from today on until a day, which is free again where it is the first one that is possible."""
    times = read_times(text, brief.term)
    points = says("pronoun", _BEFORE_THEN.sub(" ", text))
    named = classes_in(text, brief.classes) or find_mentioned(text, brief) or points
    if len(times) != 1 or times[0].kind not in ("day", "weekday") or named or asks_whether(text):
        return []
    one, runs = times[0], days_in(text, brief.term)
    head = _OFF_BEFORE.search(text[: one.start])
    if says("arrange", f"{text[: head.start()]} {text[one.end :]}" if head else text) and not FREES.search(text):
        return []
    absent = _ABSENT.search(f"{text[: one.start]} {text[one.end :]}")
    off = head or absent or _OFF_BEFORE_ZH.match(text[one.end :])
    free = _FREE_FROM.search(text) or (absent and _BACK_THEN.search(text[: one.start] if text.isascii() else text))
    if len(runs) != 1 or not (off if one.side == "until" else free):
        return []
    open_ = one.side != "until" or (head is not None and (head["open"] or head["open2"]))
    last = (runs[0].last if one.side == "until" else runs[0].first) - timedelta(days=bool(open_))
    said = _say_days(brief.term.today, last, zh=has_chinese(text))
    return [frame_of("nothing_on", {"time": (said,)})] if last >= brief.term.today else []


_PIECE = re.compile(r"[,，;；。]|\.(?:\s|$)|\b(?:but|and)\b|(?=\bwithout\b)|但是?|不过|而且|并且")
_BY = re.compile(r"\bby\b")


def read_done_by(text: str, brief: Brief) -> list[Frame]:
    """The last day of what is planned with what holds until then, weekdays that stay free or so many items a day: all
    done by 5 April, no Sundays, one a day."""
    pieces = [one for one in _PIECE.split(text) if one.strip()]
    counts = {one: number for one in pieces if (number := _count_a_day(one, brief))}
    others = [one for one in pieces if one not in counts]
    timed = [(one, times) for one in others if (times := read_times(one, brief.term))]
    ends = [(one, times[0]) for one, times in timed if [time.side for time in times] == ["until"]]
    ends = [(one, time) for one, time in ends if says("due_by", one) or _BY.search(one)]
    free = [(one, times) for one, times in timed if FREES.search(one) and all(time.kind == "weekday" for time in times)]
    placed, ids = {row["class_id"] for row in brief.tasks_before if row["slot"]}, {*classes_in(text, brief.classes)}
    ids = ids if 0 < len(ids) < len(brief.classes) else placed
    limited = (free or counts) and len(free) < 2 and len(counts) < 2
    dated = len(ends) == 1 and len(timed) == 1 + len(free)
    dated = dated or (len(others) == 1 and not ends and _changes_end(others[0]) and len(ids) == 1)
    if not dated or not limited or not ids or asks_whether(text):
        return []
    plans = says("arrange", pattern("due_by").sub(" ", ", ".join(one for one in others if one not in dict(free))))
    if plans or any(one.side for _, times in free for one in times) or find_mentioned(text, brief):
        return []
    rows, limit = [row for row in brief.classes if row["id"] in ids], tuple(counts.values())
    slots = {"class": tuple(row["name"] for row in rows)} | ({"most_a_day": limit} if limit else {})
    said, end = ends[0] if ends else (others[0], None)
    last = _last_day(end, rows) if end else None
    if last is None and (end is None or end.kind == "weekday") and limit and not free and ids <= placed:
        each = [frame_of("most_a_day_of", {"class": (row["name"],), "number": limit}) for row in rows]
        own = frame_of(AS_SAID, {"text": (said.strip(),)})
        by = end and frame_of("finish_by", {"class": slots["class"], "time": (said[end.start : end.end],)})
        return [by or own, *each]
    if last is None or end is None or end.kind not in ("day", "weekday") or (ids - placed and (free or ids & placed)):
        return []
    slots["time"] = (_say_days(last, last, zh=has_chinese(text)),)
    if not free:
        return [frame_of("end_by" if ids <= placed else "plan_until", slots)]
    piece, days = free[0]
    return [frame_of("end_by_without", {**slots, "time2": (piece[days[0].start : days[-1].end],)})]


def _changes_end(piece: str) -> bool:
    """Whether a piece tells another last day by its name, or by how much later it is."""
    extends = EXTENDED.search(piece) and (shift := shift_in(piece)) is not None and shift.days
    return says("deadline", piece) or bool(extends)


def _last_day(end: Time, rows: Sequence[ClassView]) -> date | None:
    """The day of an end; a weekday of no certain week is the last day that all of these classes have, where that is one
    of them."""
    if end.last is not None:
        return end.last - timedelta(days=end.strict)
    ends = {date.fromisoformat(row["end_date"]) for row in rows if row["end_date"]}
    return next((day for day in ends if len(ends) == 1 and (day.isoweekday(),) == end.weekdays), None)


def _count_a_day(piece: str, brief: Brief) -> str:
    """How many items a day a piece allows at most, where it tells nothing else."""
    told, lengths = read_conditions(piece, brief), {row["duration"] for row in brief.tasks}
    if len(told.said) != 1 or told.lasting:
        return ""
    (name, number), *others = told.said[0].values.items()
    whole = name == "sections_a_day" and len(lengths) == 1 and number % min(lengths) == 0
    return "" if others else str(number) if name == "a_day" else str(number // min(lengths)) if whole else ""


_KEPT_FOR = re.compile(
    r"[留空](?:出来|下来)?给|专门?(?:用来)?(?:给|复习|学|看)|[只就](?:学|复习|看|做|弄|排|背)(?!完|了)"
    r"|\b(?:keep|kept|reserved?|save|leave|block|set aside)\b.*\bfor\b|\b(?:are|is) (?:only |just |all )?for\b"
)
_NOTHING_ELSE = re.compile(
    r"\b(?:only|nothing but|just)\b(?! (?:this once|on|in|at|for|from|until|before|after|between)\b)"
)
_DAYS_BEFORE = re.compile(r"前(?:的)?(?P<zh>[1-9两])天|\b(?P<en>two|three|four|\d|few) days before\b")


def read_kept_for(text: str, brief: Brief) -> list[Frame]:
    """That certain days are for one class alone: the others leave them free; nothing of the class changes."""
    plain = fold_numbers(text)
    if frames := _read_weekly_kept_for(text, brief):
        return frames
    ids, times = classes_in(text, brief.classes), read_times(plain, brief.term)
    planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
    ends = [(one.first or one.last, one.last) for one in times if one.kind in ("day", "days") and one.last]
    other = EXAM.search(text) or find_first_possible(text, brief)  # which is on that day, or begins then
    kept = _KEPT_FOR.search(text) or (_NOTHING_ELSE.search(text) and not other)
    if not kept or len(ids) != 1 or len(ends) != len(times) or not ends or asks_whether(text):
        return []
    days = [(first, last) for first, last in ends if first and last]
    single = days[-1:] and days[-1][0] == days[-1][1]
    if single and (before := _DAYS_BEFORE.search(plain)):
        told = before["zh"] or before["en"]
        last = days[-1][1] - timedelta(days=1)
        days = [(last - timedelta(days=number_of(told.replace("两", "2").replace("few", "2")) - 1), last)]
    elif any(one.side for one in times) or find_mentioned(text, brief):
        return []
    zh = has_chinese(text)
    said = [_say_days(*run, zh=zh) for run in days]
    time = ("和" if zh else " and ").join(said)
    others = [row["name"] for row in brief.classes if row["id"] in planned and row["id"] not in ids]
    return [frame_of("nothing_on_of", {"class": (name,), "time": (time,)}) for name in others]


_ENOUGH = re.compile(r"就(?:[行好成]|可以|够)|够了|即可|\b(?:fine|ok(?:ay)?|enough|will do|would do|works|suffices?)\b")
_ONLY_THEN = re.compile(r"只|\b(?:only|just)\b")
_HANDS_OFF = re.compile(r"别(?:动|碰)|不要(?:动|碰)|\b(?:leave\b.*\balone|(?:don't|dont|do not|never) touch)\b")
_PARTS = (("上午", "mornings"), ("下午", "afternoons"), ("晚上", "evenings"))


def read_part_beside_days(text: str, brief: Brief) -> list[Frame]:
    """The part of the day that does for a class, and the weekdays that it is to leave free, as a request each: 单词每晚
    来一点就行，别占周末."""
    first, *rest = [one for one in _CLAUSE_END.split(text) if one.strip()] or [""]
    head, ids = (
        f"{first}, {rest.pop(0)}" if rest and text[len(first) :][:1] in ":：" else first,
        find_owners(text, brief),
    )
    times, later = read_times(head, brief.term), read_times(" ".join(rest), brief.term)
    parts = {one.part for one in times if one.part is not None}
    only, zh = _ONLY_THEN.search(head), has_chinese(text)
    if len(ids) != 1 or find_owners(head, brief) != ids or len(parts) != 1 or not (only or _ENOUGH.search(head)):
        return []
    if {one.kind for one in times} - {"part", "every"} or not rest or not later or asks_whether(text):
        return []
    frees = all(_HANDS_OFF.search(one) or excludes(one) or FREES.search(one) for one in rest)
    bare = all(one.kind == "weekday" and not (one.first or one.side) for one in later)
    if not (frees and bare) or find_mentioned(text, brief):
        return []
    name = next(row["name"] for row in brief.classes if row["id"] in ids)
    part, days = _PARTS[min(parts)][not zh], _name_weekdays({day for one in later for day in one.weekdays}, zh=zh)
    if zh:
        told = f"以后{name}只安排在{part}" if only else f"{name}尽量放在{part}"
        return _as_said(f"以后{name}{days}都不要安排", told)
    told = f"from now on {name} only in the {part}" if only else f"{name} in the {part} if possible"
    return _as_said(f"from now on nothing of {name} on {days}", told)


def _as_said(*texts: str) -> list[Frame]:
    return [frame_of(AS_SAID, {"text": (text,)}) for text in texts]


def _name_weekdays(days: set[int], *, zh: bool) -> str:
    joint = "和" if zh else " and "
    return joint.join(f"周{'一二三四五六日'[day - 1]}" if zh else f"{_WEEKDAYS[day - 1]}s" for day in sorted(days))


_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _read_weekly_kept_for(text: str, brief: Brief) -> list[Frame]:
    """A weekday of every week that is for the class that is named behind it alone, 周二只学概率论, or the only one for
    it: only weekends for algebra."""
    said, times, ids = (
        _KEPT_FOR.search(text) or _NOTHING_ELSE.search(text),
        read_times(text, brief.term),
        classes_in(text, brief.classes),
    )
    if said is None or len(ids) != 1 or {one.kind for one in times} != {"weekday"} or asks_whether(text):
        return []
    names = find_pieces(text, tuple(row["name"] for row in brief.classes if row["id"] in ids))
    behind = any(text.find(name) >= said.start() for name in names)
    if not behind or any(one.side or one.first for one in times) or find_mentioned(text, brief):
        return []
    if any(set(one.values) - {"within"} for one in read_conditions(text, brief).said):
        return []
    zh = has_chinese(text)
    when = _name_weekdays({day for one in times for day in one.weekdays}, zh=zh)
    if (bound := _ONLY_THEN.search(text)) and bound.end() <= times[0].start < min(map(text.find, names)):
        name = next(row["name"] for row in brief.classes if row["id"] in ids)  # only then, and not only this class
        return _as_said(f"以后{name}只安排在{when}" if zh else f"from now on {name} only on {when}")
    others = ("和" if zh else " and ").join(row["name"] for row in brief.classes if row["id"] not in ids)
    return _as_said(f"以后{others}{when}都不要安排" if zh else f"from now on nothing of {others} on {when}")


def _say_days(first: date, last: date, *, zh: bool) -> str:
    """A day, or the first and the last of a run of them."""
    told = [f"{day.month}月{day.day}日" if zh else f"{day.day} {day.strftime('%B')}" for day in (first, last)]
    return told[0] if first == last else ("到" if zh else " to ").join(told)


_PUTS_IN = re.compile(
    r"[排安弄搞做学放挤塞]完?|集中|\b(?:plan|schedule|fit|squeeze|cram|get|do|finish|done|put)\b(?!.*\b(?:move|exam|due)\b)"
)
"""That a class is to be planned, in so many days."""


def read_within(text: str, brief: Brief) -> list[Frame]:
    """That all of a class is to lie within so many days, from its first one or today on: 物理实验一周内排完."""
    found, ids = SPAN.search(text), classes_in(text, brief.classes)
    rest = f"{text[: found.start()]} {text[found.end() :]}" if found else ""
    if found is None or len(ids) != 1 or not _PUTS_IN.search(rest) or asks_whether(text) or find_mentioned(text, brief):
        return []
    beside = [one.words for one in read_conditions(rest, brief).said]
    owner = next(row for row in brief.classes if row["id"] == ids[0])
    placed = any(row["slot"] and row["class_id"] == ids[0] for row in brief.tasks_before)
    if read_times(rest, brief.term) or placed or not owner["start_date"]:
        return []
    first, zh = max(brief.term.today, date.fromisoformat(owner["start_date"])), has_chinese(text)
    when = _say_days(first, first + timedelta(days=days_of_span(found) - 1), zh=zh)
    name, more = owner["name"], "".join(f"{'，' if zh else ', '}{one}" for one in beside)
    plan = f"排{name}，只排在{when}" if zh else f"plan {name}, only from {when}"
    return [frame_of(AS_SAID, {"text": (plan + more,)})]


_CLEARS = re.compile(
    r"(?:都|全部?|东西|所有)[^,，。;；]{0,4}(?:拿[掉走开]|清[掉空]|[挪移]走|[挪移]开|撤)|清[空掉]|空出来"
    r"|\b(?:take|move|get|push|shift|clear) (?:everything|it all|all|whatever)\b.*\b(?:off|from|out of|away)\b"
    r"|\b(?:clear|empty) (?!up\b)"
)
_EVENT = re.compile(
    r"(?:因为|那天|当天|到时候)*(?:我|家里|有|要)|(?:(?:because|cause|cos|coz|since|as) )?(?:i|my|we|our|there)\b"
)
"""How what is on then begins: my cousin visits, 那天要看牙."""
_CLAUSE_END = re.compile(r"[,，。.;；?？!！]+\s*|\s(?=(?:because|cos|coz|since|as) (?:i|my|we|there)\b)")


def read_clearing(text: str, brief: Brief) -> list[Frame]:
    """That a time is to be cleared for what is on then, and stays free so: clear friday for me, my cousin visits."""
    clears, *told = [one for one in _CLAUSE_END.split(text) if one.strip()] or [""]
    times = read_times(clears, brief.term)
    named = 0 < len(classes_in(text, brief.classes)) < len(brief.classes) or find_mentioned(text, brief)
    if len(told) != 1 or not times or named or not _CLEARS.search(clears):
        return []
    if not _EVENT.match(told[0]) or read_times(told[0], brief.term):
        return []
    return [frame_of("away", {"time": (clears[times[0].start : times[-1].end],)})]


_FREED_EN = r"\b(?:clear|empty|free(?: up)?|keep [^,.;]+ (?:free|clear|empty))\b"
_FREED = re.compile(rf"清[掉空]|空出来|腾出来|留空|{_FREED_EN}")
_STOOD_THERE = re.compile(
    r"(?:上面|里面|原来|原有|原本|那天|当天|本来)的?(?:安?排)?的?(?:那些)?(?:任务|东西|内容)?"
    r"|\b(?:what(?:ever)?(?:'?s| is| was)?|the (?:stuff|things|tasks)|everything|anything)(?: that(?:'s| is| was))?"
    r" (?:there|then|planned|on (?:it|that day|there|then))\b"
)
_PUT_IT = re.compile(r"[放挪移搬排改换]|\b(?:put|move|shift|push|bring|goes?)\b")


def read_cleared_to(text: str, brief: Brief) -> list[Frame]:
    """That a day is to be cleared, and where what stands there goes: clear friday, put what's there on the weekend."""
    clauses = [one for one in _CLEARED_TO.split(text) if one.strip()]
    times = [read_times(one, brief.term) for one in clauses]
    if len(clauses) != 2 or not times[0] or not _FREED.search(clauses[0]) or not _STOOD_THERE.search(clauses[1]):
        return []
    if not _PUT_IT.search(clauses[1]) or asks_whether(text) or find_mentioned(text, brief):
        return []
    day, *there = (side[one[0].start : one[-1].end] for side, one in zip(clauses, times, strict=True) if one)
    away = frame_of("away", {"time": (day,)})
    if not there:
        return [away] if says("anywhere", clauses[1]) else []
    moved = frame_of("move_all_to", {"time": (day,), "time2": (there[0],)})
    stands = list_standing(place_of([*times[0]], brief.term), brief.tasks_before)
    return ([moved] if stands else []) + ([away] if _KEEPS.search(clauses[0]) or not stands else [])


_CLEARED_TO = re.compile(r"[,，;；。]\s*(?:and |then )?|\s(?:and|then)\s")
_KEEPS = re.compile(r"留|\bkeep\b")
_CARRIED = re.compile(
    r"(?:[把将请帮我给]*)Ⓒ(?:这?门?课|整[体个门]|全部|都|的)*[挪搬移]到了?Ⓣ[去里中吧]*"
    r"|(?:please |can you |could you )*(?:move|shift|push|put) (?:all (?:of )?|the (?:whole|entire) |my |the )*Ⓒ"
    r" (?:in)?to Ⓣ"
)


def read_class_carried(text: str, brief: Brief) -> list[Frame]:
    """That all of a planned class goes to a week, with the times that are left free there: no date of it changes."""
    head, *rest = _CLAUSE_END.split(text.strip(" .。!！"), maxsplit=1)
    ids, times = classes_in(head, brief.classes), read_times(head, brief.term)
    rows = [row for row in brief.tasks_before if [row["class_id"]] == ids]
    if len(ids) != 1 or len(times) != 1 or times[0].kind != "week" or times[0].side or find_mentioned(text, brief):
        return []
    sign = head[: times[0].start] + "Ⓣ" + head[times[0].end :]
    for piece in find_pieces(head, tuple(row["name"] for row in brief.classes)):
        sign = sign.replace(piece, "Ⓒ")
    if not _CARRIED.fullmatch(sign.strip()):
        return []
    if not rows or not all(row["slot"] for row in rows) or asks_whether(text):
        return []
    name = next(row["name"] for row in brief.classes if [row["id"]] == ids)
    all_of = f"{name}的都" if has_chinese(text) else f"all of {name}"
    slots = {"items": (all_of,), "time": (head[times[0].start : times[0].end],)}
    free = [one for clause in rest for one in read_times(clause, brief.term)]
    if not rest:
        return [frame_of("move_to", slots)]
    if (
        not free
        or not all(one.kind in ("weekday", "part", "sections", "clock") for one in free)
        or not excludes(rest[0])
    ):
        return []
    said = rest[0][free[0].start : free[-1].end]
    return [replace(frame_of("move_to", {**slots, "but_not_on": (said,)}), modifiers=("but_not_on",))]


_ASKS_HOLIDAY = re.compile(
    r"(?:放(?:不放)?(?:几天)?假|放几天|有(?:没有|几天)?(?:什么)?(?:假期?|节假日))(?:吗|么|嘛|没有?|不|呢|[?？。!\s])*$"
    r"|^(?:(?:so|and|hey|ok),? )*(?:is|are|do|does|will|have|any)\b.*\b(?:holidays?|days? off|vacations?|off school)\b"
)


def read_holiday(text: str, brief: Brief) -> list[Frame]:
    """The question whether a time is free of lessons: of holidays nothing is known but what the timetable has then."""
    text = fold_text(brief.read_words(text))
    times = read_times(text, brief.term) if _ASKS_HOLIDAY.search(text) else []
    if len(times) != 1 or find_mentioned(text, brief):
        return []
    when = text[times[0].start : times[0].end]
    return [frame_of("lessons_on", {"time": (when,)})]


_ASKED_LEAVE = re.compile(
    r"(?:我|能不能|能否|可不可以|可以|能|想|(?:so|and|hey|ok),? |(?:can|could|may) (?:i|we) "
    rf"|(?:is|would) it (?:be )?(?:ok(?:ay)?|fine) (?:to|if i) )*(?P<week>{SOME_WEEK.pattern})"
    r"(?:行不行|可不可以|可以[吗么不]?|[行好成]?[吗么]|好不好|怎么样|会怎样|没问题吧|[?？!.\s])*"
)


_DAY_ASKED_ZH = re.compile(
    r"(?:那|请问|我)*\ue000(?:我|这[一1]?天|[一1]天|整天)*(?:能不能|可不可以|能否|能|可以|行不行)(?:给我|帮我|完全|不学习?|不排|休息|歇着?|放假|空[着出]来?"
    r"|留[着出空]来?|[一1]整?天|一下)+(?:行不行|可以|行|好|吗|么|[?？。\s])*"
)
_DAY_ASKED_EN = re.compile(
    r"(?:(?:so|and|hey|ok),? )*(?:(?:can|could|may) (?:i|we) (?:please |maybe )?(?:have|take|get|keep)"
    r"|(?:is it|would it be) (?:ok(?:ay)?|fine|possible|alright) (?:for me )?(?:to|if i) (?:have|take|get|keep|took)"
    r"|any (?:chance|way) (?:i (?:can|could)|to) (?:have|take|get|keep)) (?:all of |the whole )?\ue000"
    r"(?: (?:completely |totally )?(?:off|free|empty|to rest))[?.! ]*"
)


def read_asked_leave(text: str, brief: Brief) -> list[Frame]:
    """What would follow from a week that is left out, where it is asked whether one may; that a day is to stay free,
    which its card tells."""
    found = _ASKED_LEAVE.fullmatch(text)
    told = "如果下周不学呢" if has_chinese(text) else "what if i take next week off"
    if found and found["week"] != text:
        return [frame_of(AS_SAID, {"text": (told,)})]
    times = read_times(text, brief.term)
    one = times[0] if len(times) == 1 else None
    if one is None or one.kind not in ("day", "days", "weekday") or one.side or one.impossible:
        return []
    blanked = f"{text[: one.start]}\ue000{text[one.end :]}"
    asks = _DAY_ASKED_ZH.fullmatch(blanked) or _DAY_ASKED_EN.fullmatch(blanked)
    return [frame_of("away", {"time": (text[one.start : one.end],)})] if asks else []


_IF_THERE = re.compile(
    r"(?P<if>如果|要是|假如|若|万一)?(?P<zh>[^,，。;；]{2,14}?)(?:那天|当天)?(?P<if2>如果|要是|假如|若|万一)?(?:已经|还)?(?<!没)有(?:什么|别的)?"
    r"(?:事|东西|安排|任务|内容)情?了?(?P<if3>的话)?[,，]?\s*(?:那?就|则|先|[把将])+(?:(?:那天|当天)的?|它们?|这些|那些)*"
    r"(?:东西|任务|安排)?(?:先|都|给)*(?P<zh_deed>[^,，。;；]{2,16})[。!！]*$"
    r"|^(?:so |and |then |ok )*if (?:there(?:'s| is| are) |i(?:'ve| have)(?: got)? )?(?:anything|something|sth|stuff"
    r"|things)(?:'s| is| are)?(?: already)?(?: (?:planned|scheduled))?(?: on| for)? (?P<en>[^,;]{3,24}?)\s*,? "
    r"(?:then |please |just )*(?P<verb>move|push|shift|put|take|bring|pull) (?:it|them|that|those|everything)(?: all)? "
    r"(?P<deed>[^,;]{2,24})$"
)


def read_if_there(text: str, brief: Brief) -> list[Frame]:
    """That what is on at some time is to go elsewhere, told as a condition: if there is anything on April 1, move it to
    the day after."""
    found = _IF_THERE.search(text)
    if found is None or not any(found[one] for one in ("if", "if2", "if3", "en")) or asks_whether(text):
        return []
    when, deed = (found["zh"] or found["en"]).strip(), found["zh_deed"] or found["deed"]
    times = read_times(when, brief.term)
    if len(times) != 1 or find_mentioned(text, brief) or classes_in(text, brief.classes):
        return []
    when = when[times[0].start : times[0].end]
    told = f"把{when}的{deed}" if found["zh"] else f"{found['verb']} what is on {when} {deed}"
    return [frame_of(AS_SAID, {"text": (told,)})]


_VERB = r"(?:学|做|看|背|弄|写|复习)"
_UNWANTED = re.compile(
    r"(?:我|那|就|把|将)*(?P<signs>[\ue000-\ue0ff](?:[、和跟与]?[\ue000-\ue0ff])*)(?:我|都|也|就|全|给我|帮我)*"
    rf"(?:不(?:想|打算|愿意)再?{_VERB}|清(?:[空掉]|干净)?(?=了))了?[吧呗。!\s]*"
    rf"|(?:我|那|就)*不(?:想|打算|愿意)再?{_VERB}(?P<behind>[\ue000-\ue0ff](?:[、和跟与]?[\ue000-\ue0ff])*)了?[吧呗。!\s]*"
)
_CLEARED = re.compile(r"[把将]?\ue000的?(?:任务|安排|东西)?(?:都|全部?|给我|帮我)*清(?:了|空|掉|干净)了?[吧呗。!\s]*")
_ONE_OFF = re.compile(
    r"(?:帮我|给我|请)*取消(?:掉)?\ue000的?那[1一]?[节项次个](?:任务|课程)?[吧呗。!\s]*"
    r"|[把将]?\ue000的?那[1一]?[节项次个](?:任务)?(?:给我|帮我)*取消[掉了吧呗。!\s]*"
    r"|(?:please )?(?:cancel|drop|skip) the (?:one|session) (?:on )?\ue000[.! ]*"
)


def read_called_off(text: str, brief: Brief) -> list[Frame]:
    """The frame that takes out what is not wanted any more, all that is on at a time which is to be cleared, or the
    next item on a day where one is called off."""
    signed, said = sign_mentions(fold_mentions(text), brief)
    if unwanted := _UNWANTED.fullmatch(signed):
        rows = rows_of("".join(one for one in unwanted["signs"] or unwanted["behind"] if one in said), said)
        names = tuple(row["name"] for sign, row in rows if said[sign][1] == "item")
        return [frame_of("take_out", {"items": names})] if names and len(names) == len(rows) else []
    times = read_times(text, brief.term)
    if len(times) != 1:
        return []
    blanked = f"{text[: times[0].start]}\ue000{text[times[0].end :]}"
    if _CLEARED.fullmatch(blanked):
        return [frame_of("take_all_out", {"time": (text[times[0].start : times[0].end],)})]
    there = target_in(text, brief)
    rows_there = [row for row in brief.tasks if (slot := row["slot"]) and there.meets(slot) and brief.is_ahead(row)]
    if not _ONE_OFF.fullmatch(blanked) or not rows_there:
        return []
    return [frame_of("take_out", {"items": (min(rows_there, key=stands_at)["name"],)})]
