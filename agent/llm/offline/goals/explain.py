"""Why the plan looks as it does: facts of the draft and of its cost, nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from agent.llm.offline.goals.items.item_texts import item_text
from agent.llm.offline.goals.items.reasons import tell_refusal
from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.goals.questions.query import day_of
from agent.llm.offline.goals.questions.reads import (
    hours_text,
    item_lines,
    items_text,
    rows_in_time,
    rows_text,
    tell_classes_left,
)
from agent.llm.offline.goals.questions.suppositions.supposed import find_unplanned, tell_unplanned
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.meaning.facts import find_spoken_classes
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text, words
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.items.spoken import spoken_of
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.revert import MOVES
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import PARTS, date_text, dated_slot_text, day_and_date, day_text, run_text
from agent.loop.view_document import ClassView, TaskView
from schedules.planner.shapes import CostTable

NEXT = 3
"""So many items are told as the next ones."""
_FURTHER = re.compile(r"再|之?后(?!天)|然后|\b(?:after|then|following)\b")


def explanation(brief: Brief) -> str:
    """An answer to "why": the item that was named, the numbers of the draft, what its cost is made of."""
    if told := tell_refusal(brief):
        return told
    draft = brief.draft
    if not draft or not brief.tasks:
        return brief.say(
            "现在还没有可解释的草稿。先让我排一次，例如「把某个任务类排好」。",
            "There is no draft to explain yet. Let me plan something first.",
        )
    meant = items_in(brief.message, brief) or _pointed_to(brief)
    if meant:
        return "\n".join([*_asked_for(brief, meant), *(_item(brief, row) for row in meant[:3])])
    named = classes_in(brief.message, brief.classes)
    named = named if len(named) < len(brief.classes) else []
    if named and [*named] == [*find_unplanned(brief, named)]:
        return tell_unplanned(brief, named)
    lines = item_lines(brief, [row for row in brief.tasks if row["class_id"] in named])
    parts = [tell_spread(brief, one) for one in named]
    parts.append(
        brief.say(
            "草稿里已预排 {suggested} 项，已写入课表 {placed} 项，待安排 {pending} 项。",
            "The draft has {suggested} suggested, {placed} applied and {pending} unplaced.",
            suggested=draft["suggested"],
            placed=draft["placed"],
            pending=draft["pending"],
        )
    )
    parts.append(cost_text(brief, draft["cost"]))
    parts.append(
        brief.say(
            "位置由固定规则选出：不占用课程、遵守任务类的日期和不排时段、内容按顺序，再让整体最均衡。",
            "Places follow fixed rules: no clash with courses, the dates and exclusions of the class, items in order, "
            "and then the best balance.",
        )
    )
    return "\n".join([*lines, brief.say("", " ").join(filter(None, parts))])


_THERE = re.compile(r"[那这](?:一?天|里|儿|边|个时[间候段])|[放排]那|\b(?:there|that day|then|at that time)\b")
"""Where the item is that was spoken of."""


def _pointed_to(brief: Brief) -> list[TaskView]:
    """The items that were spoken of, where the message points to them or tells the day on which they are."""
    spoken = spoken_of(brief)
    if says_it(brief.message) or _THERE.search(fold_text(brief.message)):
        return spoken
    runs = asked_in(brief.message, brief).runs
    days = {one for one, last in runs if one == last}
    return [row for row in spoken if (s := row["slot"]) and brief.day_of(s) in days]


def _asked_for(brief: Brief, rows: list[TaskView]) -> list[str]:
    """What the student said when these items were changed last, where that was this very conversation's last change."""
    log = brief.view["draft_log"]
    changed = {change["item_id"] for change in log[-1]} if log else set()
    said = [turn["text"] for turn in brief.earlier if turn["role"] == "user"]
    moved = [text for text in said if intent_of(text, brief) in ("move", "place", "try", "replan", "limit", "class")]
    if not moved or len(changed) >= len(brief.tasks) or not any(row["item_id"] in changed for row in rows):
        return []
    told = (
        "它是按你说的「{said}」移过去的，只在你说的范围里找了位置。",
        'It was put there because you said "{said}"; only places within that were looked at.',
    )
    return [brief.say(*told, said=moved[-1].strip(" 。.!"))]


def tell_spread(brief: Brief, class_id: int) -> str:
    """On how many days the items of a class are, and how close together."""
    slots = [slot for row in brief.tasks if row["class_id"] == class_id and (slot := row["slot"])]
    days = sorted({brief.day_of(slot) for slot in slots})
    if len(days) < 2:
        return ""
    gaps = [(later - earlier).days for earlier, later in pairwise(days)]
    owner = brief.class_of(class_id)
    end = date.fromisoformat(owner["end_date"]) if owner and owner["end_date"] else days[-1]
    return brief.say(
        "{name}的 {n} 项在 {days} 天里，从{first}到{last}，相隔 {least} 到 {most} 天；要在{end}前按顺序学完。",
        "{name}: {n} items on {days} days from {first} to {last}, {least} to {most} days apart; they keep their "
            "order and "
        "end by {end}.",
        name=brief.names_of([class_id]), n=len(slots), days=len(days), first=date_text(brief, days[0]),
        last=date_text(brief, days[-1]), least=min(gaps), most=max(gaps), end=date_text(brief, end),
    )  # fmt: skip


def last_changes(brief: Brief) -> str:
    """What was told at the end of the last goal that changed the draft; of one behind it, that it moved nothing."""
    if moves_nothing(brief):
        told = ("没有移动任务：任务都还在原来的位置。", "No item was moved: all items stand where they stood.")
        return brief.say(*told)
    change, log = brief.view["last_change"], brief.view["draft_log"]
    if change is None:
        return brief.say("最近的对话里我没有改动过草稿。", "I have not changed the draft in what we said lately.")
    made = bool(log) and len({row["item_id"] for row in log[-1]}) >= len(brief.tasks)
    if made and _HAS_MOVED.search(fold_text(brief.own_words)):
        return brief.say(*NOTHING_SINCE)
    head = ("我上一次改动草稿（你的拖动不在内）：", "My last change of the draft, your own drags aside:")
    return brief.say(*head) + "\n" + change["told"]


NOTHING_SINCE = (
    "没有：排出计划之后还没有改动过什么。", "No: nothing has been changed since the plan was made."
)  # fmt: skip
_HAS_MOVED = re.compile(
    r"(?<!自)动[了过]|[挪移][动了过]|变[了动化]|\b(?:moved?|shifted)\b|\b(?:did|has) anything change"
)


def moves_nothing(brief: Brief) -> bool:
    """Whether what was written last left every item where it was."""
    change = brief.view["last_change"]
    told = change["told"] if change else ""  # a plan that was made is no write of its own
    wrote, log = brief.view["past_values"], brief.view["draft_log"]
    if wrote and log and log[-1] and wrote[-1]["goal"] == log[-1][-1]["goal"]:
        return False  # what was written took some out, or moved them
    ends = (turn for turn in reversed(brief.view["dialogue"]) if turn["wrote"] or (told and told in turn["text"]))
    last = next(ends, None)
    return last is not None and bool(last["wrote"]) and not last["item_ids"] and not {*MOVES} & {*last["wrote"]}


_NO_EXAMS = (
    "我没有考试日期的记录，只知道任务类的截止日期：",
    "I have no exam dates, only the end dates of your classes:",
)
_KNOWN_EXAMS = re.compile(r"考试.*(?:有|记|知道)|(?:有|记|知道).*考试|\b(?:have|know|record\w*|got)\b.*\bexams?\b")
"""That it is asked whether exams are known."""


def class_facts(brief: Brief) -> str:
    """What is known of the classes that are named, or of all of them."""
    asked, text = asked_in(brief.message, brief), fold_text(brief.message)
    if len(asked.items) == 1 and not says("classes_asked", text):
        return "\n".join(item_lines(brief, asked.items))
    if asked.timed and brief.tasks and says("classes_asked", text):
        return rows_text(brief, asked, brief.tasks, text)
    ids = [] if says("classes_asked", fold_text(brief.message)) else classes_in(brief.message, brief.classes)
    named = [row for row in brief.classes if row["id"] in ids] or brief.classes
    if not named:
        return brief.say(
            "还没有任务类。说「新建任务类」就可以建一个。", "There is no task class yet; I can create one."
        )
    if words(fold_text(brief.message), "考试", "exam", "exams") and says("classes_asked", fold_text(brief.message)):
        told = brief.say(*_NO_EXAMS)
        lines = (f"{row['name']}{brief.say('：', ': ')}{day_and_date(brief, row['end_date'])}" for row in named)
        return "\n".join([told, *lines])
    if len(named) > 1 and says("progress_asked", fold_text(brief.message)):
        return "\n".join(f"{row['name']}{brief.say('：', ': ')}{_progress(brief, row)}" for row in named)
    if len(named) > 1:
        head = brief.say("共 {n} 个任务类：", "{n} task classes:", n=len(named))
        return "\n".join([head, *(_facts(brief, row) + brief.say("。", ".") for row in named)])
    planned = any(task["class_id"] == named[0]["id"] for task in brief.tasks)
    contents = brief.say("、", ", ").join(item["content"] for item in named[0]["items"])
    listed = brief.say("内容：{names}。", "Items: {names}.", names=contents)
    return _class(brief, named[0]) + ("" if planned or not contents else f"\n{listed}")


def end_text(brief: Brief) -> str:
    """When the classes that are named, or all that are planned, come to their end."""
    asked = asked_in(brief.message, brief)
    named = asked.classes or _find_owner(brief)
    told = [] if named else _span(brief)
    for row in brief.classes:
        items = [task for task in brief.tasks if task["class_id"] == row["id"]]
        slots = [(task["slot"]["week"], task["slot"]["day_of_week"], task) for task in items if task["slot"]]
        if (named and row["id"] not in named) or (not named and not slots):
            continue
        if not slots:
            end = day_and_date(brief, row["end_date"])
            yet = ("「{name}」还没有排；截止日期 {end}。", '"{name}" is not planned yet; its end date is {end}.')
            told.append(brief.say(*yet, name=row["name"], end=end))
            continue
        last = max(slots, key=lambda slot: slot[:2])[2]
        open_ = len(items) - len(slots)
        told.append(
            brief.say(
                "「{name}」最后一项是{item}：{where}{open}；截止日期 {end}。",
                'The last item of "{name}" is {item}: {where}{open}; its end date is {end}.',
                name=row["name"],
                item=last["name"],
                where=dated_slot_text(brief, last["slot"]) if last["slot"] else "",
                open=brief.say("，另有 {n} 项没排", ", {n} items have no place", n=open_) if open_ else "",
                end=day_and_date(brief, row["end_date"]),
            )
            + _in_time(brief, row, last, asked.last)
        )
    told += [left.strip()] if told and not named and (left := tell_classes_left(brief)) else []
    return "\n".join(told) or brief.say("还没有排任何内容。", "Nothing is planned yet.")


def _in_time(brief: Brief, row: ClassView, last: TaskView, day: date | None) -> str:
    """Whether the last item is in time for the day that is asked about, else for the end of its class."""
    end = day or (date.fromisoformat(row["end_date"]) if row["end_date"] else None)
    if end is None or (slot := last["slot"]) is None:
        return ""
    values = {"end": date_text(brief, end)}
    if brief.day_of(slot) <= end:
        return brief.say("{end}前能完成。", " It is done by {end}.", **values)
    return brief.say("{end}前完不成。", " It is not done by {end}.", **values)


def _span(brief: Brief) -> list[str]:
    """The first and the last day of the plan, and on how many days something is."""
    days = sorted({(slot["week"], slot["day_of_week"]) for row in brief.tasks if (slot := row["slot"])})
    if len(days) < 2:
        return []
    first, last = days[0], days[-1]
    told = brief.say(
        "整个计划从{first}到{last}，共 {count} 天，其中 {used} 天有内容。",
        "The whole plan runs from {first} to {last}: {count} days, {used} of them with something on.",
        first=day_text(brief, *first), last=day_text(brief, *last),
        count=7 * (last[0] - first[0]) + last[1] - first[1] + 1, used=len(days),
    )  # fmt: skip
    return [told]


def next_text(brief: Brief) -> str:
    """The items that come next from now on, or after those that were told before."""
    asked = asked_in(brief.message, brief)
    every = [
        row for row in rows_in_time(brief.tasks)
        if brief.is_ahead(row) and row["slot"] and (not asked.classes or row["class_id"] in asked.classes)
    ]  # fmt: skip
    ahead = [row for row in every if (slot := row["slot"]) and asked.covers(slot, brief)]
    told, shown = 0, 0
    for turn in reversed(brief.earlier if _FURTHER.search(fold_text(brief.message)) else []):
        if turn["role"] == "user" and intent_of(turn["text"], brief) != "next":
            break
        told, shown = (told + shown, 0) if turn["role"] == "user" else (told, shown + len(turn["item_ids"]))
    rows = ahead[told : told + NEXT]
    if not rows and asked.first and asked.last and not told:
        span = run_text(brief, asked.first, asked.last)
        none = brief.say("{span}没有排好的内容。", "Nothing is planned: {span}.", span=span)
        then = [row for row in every if (day := day_of(brief, row)) and day > asked.last][:1]
        after = brief.say("之后第一项是：", "The first one after that:")
        return "\n".join([none, *([after, *item_lines(brief, then)] if then else [])])
    if not rows and asked.classes and (unplanned := find_unplanned(brief, asked.classes)):
        firsts = [row["items"][0]["content"] for row in brief.classes if row["id"] in unplanned and row["items"]]
        first = brief.say("第一项是{name}。", " The first is {name}.", name=brief.say("、", ", ").join(firsts))
        return tell_unplanned(brief, unplanned) + (first if firsts else "")
    if not rows:
        return brief.say("后面没有排好的内容。", "Nothing is planned from then on.")
    head = brief.say("再往后是：" if told else "接下来是：", "After that:" if told else "Next:")
    return "\n".join([head, *item_lines(brief, rows)])


def past_text(brief: Brief) -> str:
    """The items whose time is over, in their order; whether they were studied nobody knows unless they are marked."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    asked = asked_in(brief.message, brief)
    rows = [
        row for row in rows_in_time(brief.tasks)
        if (s := row["slot"]) and (s["week"], s["day_of_week"], s["slot_end"]) < now and asked.covers(s, brief)
        and (not asked.classes or row["class_id"] in asked.classes)
    ]  # fmt: skip
    if asked.items:
        return items_text(brief, asked, fold_text(brief.message))
    span = run_text(brief, asked.first, asked.last) + brief.say("：", ": ") if asked.first and asked.last else ""
    if not rows:
        return span + brief.say("还没有已经过去的内容。", "no item has had its time yet.").capitalize()
    head = span + brief.say("已经过去 {n} 项：", "{n} items have had their time:", n=len(rows))
    unknown = brief.say(
        "有没有真的学我不知道；没做的请说一声。", "Whether you studied them I cannot know; tell me what you missed."
    )
    return "\n".join([head, *item_lines(brief, rows), "" if all(row["mark"] for row in rows) else unknown]).rstrip()


_DUE_LAST = re.compile(r"最[晚后迟]|\b(?:last|latest)\b")


def due_text(brief: Brief) -> str:
    """The last days of the classes that are named, or of all, the next one first."""
    named = classes_in(brief.message, brief.classes) or _find_owner(brief)
    rows = [row for row in brief.classes if not named or row["id"] in named]
    if not rows:
        return brief.say("还没有任务类，也就没有截止日期。", "There is no task class yet, so nothing is due.")
    rows = sorted(rows, key=lambda row: row["end_date"] or "9999")
    ends = {row["end_date"] for row in rows if row["end_date"]}
    lead = ""
    if len(rows) > 1 and len(ends) == 1:
        lead = brief.say("这几门同一天截止。", "They are all due on the same day.")
    elif len(rows) > 1 and ends:
        is_last = _DUE_LAST.search(fold_text(brief.message)) is not None
        edge = (max if is_last else min)(ends)
        which = ("最晚截止的是{names}。", "The last deadline: {names}.") if is_last else (
            "最先截止的是{names}。", "The next deadline: {names}.")  # fmt: skip
        lead = brief.say(*which, names=brief.names_of([row["id"] for row in rows if row["end_date"] == edge]))
    head = brief.say("截止日期：", "Due dates:")
    if _KNOWN_EXAMS.search(fold_text(brief.message)):
        lead, head = "", brief.say(*_NO_EXAMS)
    lines = (f"{row['name']}{brief.say('：', ': ')}{_due_day(brief, row['end_date'])}" for row in rows)
    return "\n".join(filter(None, [lead, head, *lines]))


def _find_owner(brief: Brief) -> Sequence[int]:
    """The one class that was spoken of right before, where a question points to it: its deadline."""
    text, spoken = fold_text(brief.message if brief.whole else brief.own_words), find_spoken_classes(brief)
    named = items_in(brief.message, brief, among=all_items(brief))
    rows = named or ([] if spoken else spoken_of(brief))
    owners = [*{row["class_id"] for row in rows}] or spoken
    points = bool(named) or says_it(text) or _ITS.search(text) or (_NOW.search(text) and not _EVERY_CLASS.search(text))
    return owners if len(owners) == 1 and points else []


_ITS = re.compile(r"它|\bits\b|\bthat (?:class|subject|course|deadline)\b")
_NOW = re.compile(r"现在|目前|\bnow\b|\bthen\b")
_EVERY_CLASS = re.compile(r"都|各|每|哪|全部?|所有|计划|\b(?:all|every\w*|each|plan|classes|deadlines|which)\b")


def _due_day(brief: Brief, end: str | None) -> str:
    """5月10日（周日），还有 32 天."""
    if not end:
        return brief.say("没有设", "none set")
    day = date.fromisoformat(end)
    left = (day - brief.term.today).days
    ahead = brief.say("还有 {n} 天", "{n} days left", n=left) if left >= 0 else brief.say("已过", "over")
    return f"{day_and_date(brief, day)}{brief.say('，', ', ')}{ahead}"


def keep_text(brief: Brief) -> str:
    """What stays where it is, as the student wants it."""
    rows = items_in(brief.message, brief)
    where = brief.say("；", "; ").join(item_text(brief, row) for row in rows[:3])
    told = brief.say("好的，不移动，什么都没有改。", "All right, nothing is moved and nothing was changed.")
    return told + (brief.say("现在：", " Now: ") + where + brief.say("。", ".") if where else "")


def size_text(brief: Brief) -> str:
    """How long a class takes, or how far one has got with it; empty where neither is asked of a single class."""
    text = fold_text(brief.message)
    if not (says("progress_asked", text) or says("takes_asked", text)) or read_times(text, brief.term):
        return ""
    ids = find_owners(text, brief)
    if (
        len(ids) != 1
        or items_in(text, brief, among=all_items(brief))
        or any(says(one, text) for one in ("wish_finish", "starts"))
    ):
        return ""
    return next(_class(brief, row) for row in brief.classes if row["id"] in ids)


def _class(brief: Brief, row: ClassView) -> str:
    if says("progress_asked", fold_text(brief.message)):
        return _facts(brief, row) + brief.say("。", ".") + "\n" + _progress(brief, row)
    if says("takes_asked", fold_text(brief.message)):
        placed = [one for one in rows_in_time(brief.tasks) if one["class_id"] == row["id"] and one["slot"]]
        ends = [placed[0], *placed[1:][-1:]] if placed else []
        told = _facts(brief, row) + hours_text(brief, row["sections"]) + brief.say("。", ".")
        return "\n".join([told, *item_lines(brief, ends)])
    if all(task["slot"] for task in brief.tasks if task["class_id"] == row["id"]) and brief.tasks:
        return _facts(brief, row) + brief.say("。", ".")
    return _facts(brief, row) + brief.say(
        "。要排它，请说「把{name}排好」；要看它的安排，请说「看看课表」。",
        '. Say "plan my {name}" to plan it, or "show my overview" to see where it is.',
        name=row["name"],
    )


def _progress(brief: Brief, row: ClassView) -> str:
    """How many items of a class have had their time, and the next one; what was learnt nobody knows."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    own = [(slot, task) for task in brief.tasks if task["class_id"] == row["id"] and (slot := task["slot"])]
    ends = sorted(((s["week"], s["day_of_week"], s["slot_end"]), t["state_id"]) for s, t in own)
    past, ahead = [one for one in ends if one[0] <= now], [one for one in ends if one[0] > now]
    last, following = (brief.task(rows[at][1]) if rows else None for rows, at in ((past, -1), (ahead, 0)))
    marked = [task for task in (*brief.tasks, *brief.tasks_done) if task["class_id"] == row["id"]]
    done = sum(task["mark"] == "done" for task in marked)
    told = brief.say("标为做完 {n} 项，", "{n} are marked done, ", n=done)
    told += brief.say("按安排已经过去 {n} 项", "{n} have had their time", n=len(past))
    told += brief.say("，最近的是{a}", ", the last was {a}", a=item_text(brief, last)) if last else ""
    told += brief.say("；下一项是{a}", "; next is {a}", a=item_text(brief, following)) if following else ""
    return told + brief.say("。学到什么程度我不知道。", ". How far you really got I cannot know.")


def _facts(brief: Brief, row: ClassView) -> str:
    items = [task for task in brief.tasks if task["class_id"] == row["id"]]
    placed = sum(1 for task in items if task["slot"])
    ends = [day_and_date(brief, row["start_date"]), day_and_date(brief, row["end_date"])]
    dated = brief.say("到", " to ").join(ends) if row["start_date"] and row["end_date"] else ""
    return brief.say(
        "「{name}」：{count} 项，{sections} 节{dated}，{placed}",
        '"{name}": {count} items, {sections} sections{dated}, {placed}',
        name=row["name"],
        count=row["item_count"],
        sections=row["sections"],
        dated=brief.say("，", ", ") + dated if dated else "",
        placed=brief.say("已排 {n} 项", "{n} of them placed", n=placed),
    )


def _item(brief: Brief, row: TaskView) -> str:
    if not row["slot"]:
        return brief.say("{name} 还没有位置。", "{name} has no place yet.", name=row["name"])
    owner, placed = brief.class_of(row["class_id"]), [one for one in brief.tasks if one["slot"]]
    beside = [one for one in placed if one["class_id"] == row["class_id"] and one is not row]
    before = max((one for one in beside if one["order"] < row["order"]), key=lambda one: one["order"], default=None)
    after = min((one for one in beside if one["order"] > row["order"]), key=lambda one: one["order"], default=None)
    bounds = []
    if before and before["slot"]:
        bounds.append(brief.say("要排在{name}（{where}）之后", "it has to come after {name} ({where})",
                                name=before["name"], where=dated_slot_text(brief, before["slot"])))  # fmt: skip
    if after and after["slot"]:
        bounds.append(brief.say("要排在{name}（{where}）之前", "it has to come before {name} ({where})",
                                name=after["name"], where=dated_slot_text(brief, after["slot"])))  # fmt: skip
    if owner and owner["start_date"] and owner["end_date"]:
        first, last = (date_text(brief, date.fromisoformat(owner[key])) for key in ("start_date", "end_date"))
        bounds.append(brief.say("要在「{name}」的{first}到{last}之内",
                                'it has to lie within the dates of "{name}", {first} to {last}',
                                name=owner["name"], first=first, last=last))  # fmt: skip
    return brief.say(
        "{name} 在{where}：{bounds}，不能占用课程。"
        "在这些位置里，固定规则选让整体最均衡的一个，没有更强的理由。想换，请说要放到哪里。",
        "{name} is at {where}: {bounds}, and never on a lesson. Of the places that leaves "
        "the fixed rules take the one that keeps the whole most balanced; there is no stronger reason. "
        "Say where to put it if you want it elsewhere.",
        name=row["name"], where=dated_slot_text(brief, row["slot"]), bounds=brief.say("，", ", ").join(bounds),
    )  # fmt: skip


def cost_text(brief: Brief, cost: CostTable | None) -> str:
    """The three largest shortcomings in words; empty without one or without a placed item.

    Items without a place have been counted in words: their price is no measure of the plan.
    """
    draft = brief.draft
    if not cost or not draft or not draft["suggested"] + draft["placed"]:
        return ""
    most = max(Counter(day_of(brief, row) for row in brief.tasks if row["slot"]).values(), default=0)
    none = {"unplaced", *(("load",) if most < 2 else ())}  # no day is too full of one item
    soft = {key: value for key, value in cost["parts"].items() if value and key not in none}
    largest = sorted(((value, key) for key, value in soft.items()), key=lambda row: (-row[0], row[1]))
    shown = [brief.say(*PARTS.get(key, (key, key))) for _, key in largest[:3]]
    if not shown:
        return ""
    return brief.say(
        "现在主要的不足：{shown}。", "What is least ideal now: {shown}.", shown=brief.say("、", ", ").join(shown)
    )
