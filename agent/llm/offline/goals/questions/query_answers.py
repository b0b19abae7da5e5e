"""Answers to questions about the items of the plan.

A number, a name, yes or no stands first, then the items it follows from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.goals.questions.query import Query, day_of, query_in, without_times
from agent.llm.offline.goals.questions.reads import count_text, hours_text, item_lines, span_text, tell_classes_left
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.dates import weekdays_in
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text, dated_text, run_text
from agent.loop.view_document import TaskView

_LABEL = {
    "unplaced": ("没有位置的", "without a place"),
    "missed": ("标为没做的", "marked missed"),
    "left": ("剩下的（还没到时间、没有位置或没做的）", "left (still to come, without a place or missed)"),
    "done": ("标为做完的", "marked done"),
    "over": ("时间已经过去的", "had their time"),
    "placed": ("有位置的", "with a place"),
}
_WEEK = timedelta(days=6)


def answer_query(brief: Brief) -> str:
    """The answer to a question about the items of the plan; empty where the message asks anything else."""
    query = query_in(brief.plain(brief.message), brief)
    return _answer_allowed(brief) or (_tell(brief, query) if query else "")


_ALLOWED = re.compile(
    r"^[^把将帮请,，]{0,14}(?:能不能|可不可以|可以不可以|允不允许|是否可以|能|可以)(?:在|放|排|学|背|做|安排)*[^,，。]{0,8}(?:排|放|学|背|做|上)?[吗么]?\s*[?？]$"
    r"|^(?:so |and |hey )?(?:is|are) .{2,30} allowed\b[^,]*\?*$|^(?:so |and )?(?:can|could|may) (?!i |you "
    r"|we )[^,]{2,40} (?:be|go|run|happen|take place)"
    r" (?:on|in|at)\b[^,]*\?$"
)
"""Whether a class may lie at a time; nothing is asked for."""


def _answer_allowed(brief: Brief) -> str:
    """Whether the settings of the one class that is named leave a time of the week to it."""
    text = fold_text(brief.plain(brief.message))
    ids = classes_in(text, brief.classes)
    row = brief.class_of(ids[0]) if len(ids) == 1 else None
    if row is None or not _ALLOWED.search(text) or says("only", text) or items_in(without_times(text, brief), brief):
        return ""
    days, asked = weekdays_in(text), asked_in(text, brief)
    blocks = {(section + 1) // 2 for first, last in asked.hours for section in range(first, last + 1)}
    if not (days or blocks) or any(one.first and one.kind != "weekday" for one in read_times(text, brief.term)):
        return ""
    closed = bool(days and set(days) <= {*row["excluded_days"]}) or bool(blocks and blocks <= {*row["excluded_blocks"]})
    if closed:
        told = ("现在不行：「{name}」的设置里排除了那个时间。要开放，请说「{name}那时候可以排」。",
                'Not now: the settings of "{name}" exclude that time. Say that it may be used to open it.')  # fmt: skip
    else:
        told = ("可以：「{name}」的设置没有排除那个时间。什么都没有改。",
                'Yes: the settings of "{name}" do not exclude that time. Nothing was changed.')  # fmt: skip
    return brief.say(*told, name=row["name"])


def _tell(brief: Brief, query: Query) -> str:
    if query.status == "unplaced" and not query.rows:
        return _tell_nothing_waits(brief, query)
    lead, rows = _lead(brief, query)
    scope = _scope(brief, query)
    colon = brief.say("：", ":")
    head = f"{lead}{brief.say('，', ', ') if scope else ''}{scope}"
    if scope and not query.rows and lead == brief.say("没有", "None"):
        head = brief.say(f"没有：{scope}", f"None: {scope}")
    lines = item_lines(brief, rows) if rows else []
    if query.group:
        lines = [_group_line(brief, query, key, own) for key, own in _groups_shown(query)]
    whole = scope == (brief.say(*_LABEL["left"]) if query.status else "")
    counts_all = query.measure in ("count", "list", "sections", "whether") and whole
    counts_all = counts_all and (query.status == "left" or query.measure == "count")
    counts_all = counts_all or query.status == "unplaced" or query.status == "placed"
    left = tell_classes_left(brief, query.owners).strip() if counts_all else ""
    waits = _tell_unwritten(brief, rows) if query.status == "left" else ""
    return "\n".join([head + (colon if lines else brief.say("。", ".")), *lines, *filter(None, [left, waits])])


def _tell_unwritten(brief: Brief, rows: Sequence[TaskView]) -> str:
    """Which of the items that are left the message marks beside its question, which holds from the card on."""
    others = [part for part in brief.whole.request.split(APART) if part != brief.request] if brief.whole else []
    marks = [part for part in others if intent_of(part, brief) == "mark"]
    named = [row["name"] for row in rows if any(row in items_in(part, brief.whole or brief) for part in marks)]
    if not named:
        return ""
    told = ("{names}的标记要等你在卡片上确认才算。", "The marks of {names} count once you confirm their cards.")
    return brief.say(*told, names=brief.say("、", ", ").join(named))


def _tell_nothing_waits(brief: Brief, query: Query) -> str:
    """That everything in the plan has a place, and which classes are not in it at all."""
    told = brief.say(
        "没有待安排的内容，计划里的都有位置了。", "Every item of the plan has a place, nothing is waiting."
    )
    return told + tell_classes_left(brief, query.owners)


def _groups_shown(query: Query) -> list[tuple[object, list[TaskView]]]:
    if query.measure == "over":
        return [(key, own) for key, own in query.groups.items() if len(own) >= query.bound]
    if query.measure in ("most", "least") and query.group == "day":
        best = _best(query)
        return [(key, own) for key, own in query.groups.items() if key in best]
    return [*query.groups.items()]


def _best(query: Query) -> list[object]:
    sizes = {key: len(own) for key, own in query.groups.items()}
    fewest = query.measure == "least"
    edge = (min if fewest else max)(sizes.values(), default=0)
    return [key for key, size in sizes.items() if size == edge]


def _lead(brief: Brief, query: Query) -> tuple[str, Sequence[TaskView]]:
    """The answer itself, and the items that are told under it."""
    rows, placed = query.rows, [row for row in query.rows if row["slot"]]
    none = brief.say("没有", "None")
    days = sorted({day for row in placed if (day := day_of(brief, row))})
    match query.measure:
        case "whether":
            return (
                brief.say("有：{n}", "Yes: {n}", n=count_text(brief, rows)) if rows else brief.say("没有", "No")
            ), rows
        case "all":
            others = [row for row in query.whole if row not in rows]
            return (
                (brief.say("不是，这些不是", "No, these are not"), others)
                if others
                else (brief.say(*_all_of(brief, query)), rows)
            )
        case "first" if query.bound > 1:
            if not (chosen := placed[query.bound - 1 : query.bound]):
                return brief.say("只有 {n} 项", "Not that many: {n}", n=len(placed)), placed
            nth = ("第 {k} 项是{name}", "Number {k} is {name}")
            return brief.say(*nth, k=query.bound, name=chosen[0]["name"]), chosen
        case "first" | "last" if placed:
            row = placed[0] if query.measure == "first" else placed[-1]
            which = ("第一项是", "The first is ") if query.measure == "first" else ("最后一项是", "The last is ")
            return f"{brief.say(*which)}{row['name']}", [row]
        case "range" if days:
            told = brief.say(
                "从{first}到{last}",
                "From {first} to {last}",
                first=date_text(brief, days[0]),
                last=date_text(brief, days[-1]),
            )
            return told, [placed[0], placed[-1]][: len(placed)]
        case "days" | "day_count" if days:
            return brief.say("{n} 天", "{n} days", n=len(days)), placed
        case "sections":
            m = sum(row["duration"] for row in rows)
            told = brief.say("{m} 节（{n} 项）", "{m} sections ({n} items)", m=m, n=len(rows))
            return told + (hours_text(brief, m) if query.in_hours else ""), rows
        case "over":
            return _lead_over(brief, query), ()
        case "most" | "least" if any(query.groups.values()):
            return _lead_best(brief, query), ()
        case "count":
            return brief.say(f"{len(rows)} 项", f"{len(rows)} item{'' if len(rows) == 1 else 's'}"), rows
    return (count_text(brief, rows) if rows else none), rows


def _all_of(brief: Brief, query: Query) -> tuple[str, str]:
    """Yes; of what is planned alone, where a place is asked after and classes have none."""
    some = query.status == "placed" and tell_classes_left(brief, query.owners) != ""
    return ("计划里的全部都是", "All that is planned") if some else ("是的，全部都是", "Yes, all of them")


def _lead_over(brief: Brief, query: Query) -> str:
    most = max((len(own) for own in query.groups.values()), default=0) if query.group else len(query.rows)
    if most < query.bound:
        return brief.say(f"没有，最多 {most} 项", f"No, {most} at most")
    return brief.say(f"有，最多 {most} 项", f"Yes, up to {most}")


def _lead_best(brief: Brief, query: Query) -> str:
    best = _best(query)
    names = brief.say("、", ", ").join(_name(brief, query, key) for key in best)
    size = len(query.groups[best[0]])
    others = [len(own) for key, own in query.groups.items() if key not in best]
    if len(others) == 1 and len(query.groups) == 2 and (query.group == "run" or query.pair):
        more = brief.say("少" if others[0] > size else "多", "fewer" if others[0] > size else "more")
        return brief.say(f"{names}{more} {abs(size - others[0])} 项", f"{names} has {abs(size - others[0])} {more}")
    if len(best) == len(query.groups) > 1:
        return brief.say("一样多，都是 {n} 项（{names}）", "The same, {n} items each ({names})", n=size, names=names)
    return brief.say("{names}，{n} 项", "{names}: {n} items", names=names, n=size)


def _name(brief: Brief, query: Query, key: object) -> str:
    if isinstance(key, int):
        return brief.names_of([key])
    if isinstance(key, tuple):
        return run_text(brief, *key)
    assert isinstance(key, date)
    return run_text(brief, key, key + _WEEK) if query.group == "week" else dated_text(brief, *brief.term.week_day(key))


def _group_line(brief: Brief, query: Query, key: object, rows: Sequence[TaskView]) -> str:
    names = brief.say("、", ", ").join(row["name"] for row in rows)
    number = brief.say(f"{len(rows)} 项", f"{len(rows)} item{'' if len(rows) == 1 else 's'}")
    told = count_text(brief, rows) if query.pair else number
    told += brief.say(f"（{names}）", f" ({names})") if names else ""
    return f"{_name(brief, query, key)}{brief.say('：', ': ')}{told}"


def _scope(brief: Brief, query: Query) -> str:
    """Of which items, and when, in words."""
    ids = {row["class_id"] for row in query.whole}
    every = ids == {row["class_id"] for row in brief.tasks} and not query.owners
    whose = brief.names_of(sorted(ids)) if not (every or query.pair) else ""
    status = brief.say(*_LABEL[query.status]) if query.status else ""
    when = span_text(brief, query.asked) if query.group != "run" else ""
    return brief.say("，", ", ").join(filter(None, (whose, status, when)))
