"""Questions whose form tells the answer: how far apart, which first, which most, how many of each, in time or not.

The answer to the form stands first (a number, a name, yes or no), then the items with their dates that it follows from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from agent.llm.offline.goals.explain import NOTHING_SINCE, explanation, last_changes, moves_nothing, size_text
from agent.llm.offline.goals.questions.checks import answer_check
from agent.llm.offline.goals.questions.distances import days_text, find_pair
from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.goals.questions.nothing_there import answer_next, not_begun_text, tell_unknown_item
from agent.llm.offline.goals.questions.one_item import answer_of_one
from agent.llm.offline.goals.questions.query import ASKS, day_of, find_owners
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.goals.questions.reads import hours_text, item_lines, rows_in_time, tell_classes_left
from agent.llm.offline.goals.questions.suppositions.supposed import find_unplanned, tell_unplanned
from agent.llm.offline.goals.questions.term_weeks import answer_term
from agent.llm.offline.goals.questions.timetable import length_of
from agent.llm.offline.language.brief import Brief, slot_of
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import Intent, intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.conditions.suppositions import ACTS, read_supposition
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.spans.revert import find_changes
from agent.llm.offline.language.spans.targets import PlaceTarget, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text, dated_slot_text, day_and_date, place_text
from agent.loop.view_document import ClassView, TaskView

ASKING: tuple[Intent, ...] = (
    "show", "free", "load", "fits", "reasons", "explain", "changes", "class_facts", "classes", "end_asked", "next",
    "past", "due", "try", "optimise", "other",
)  # fmt: skip
"""What may be a question whose form tells the answer."""
_DEADLINE = re.compile(r"截止|ddl|死线|期限|\b(?:deadline|due|end date|cut-?off)\b")
_LEFT = re.compile(r"剩|没[做学完背上]|还有|还要|\b(?:left|remain\w*|to go|still|undone|outstanding)\b")
_WHICH_CLASS = re.compile(
    r"哪一?(?:门|个|科)(?:课|科|任务类|学科)?|谁(?=[先早晚后最])|\bwhich (?:of (?:my|the) )?"
    r"(?:class(?:es)?|courses?|subjects?|one|has|ends|finishes|is (?:done|over|finished))\b"
)
_TOP = re.compile(
    r"(?P<most>最多|最重|内容多|\b(?:most(?! (?:urgent|pressing|important))|biggest|longest|heaviest)\b)"
    r"|(?P<least>最少|最轻|\b(?:fewest|least|shortest"
    r"|lightest|smallest)\b)"
    r"|(?P<first>最近|最[早先快](?:学完|结束|完成|弄完|搞定|背完|做完)?|(?:先|早)(?:[学做弄搞背看排]?完|结束)|\b(?:first|earliest|soonest|closest|nearest)\b)"
    r"|(?P<last>最[晚迟后慢](?:学完|结束|完成|弄完|搞定|背完|做完)?|\b(?:last|latest)\b)"
)
_ENDS = re.compile(r"完|结束|收尾|搞定|\b(?:finish\w*|end\w*|done|complete\w*|over)\b")
_TOUCHED = re.compile(
    r"受?(?:到)?影响(?!力)|跟着(?:变|动|改)|有没有(?:变|动)|(?:别的|其[他它余])[^,，。]{0,4}[动变挪移]了"
    r"|\b(?:did|has|have) (?:anything|something) else (?:move|change)d?\b"
    r"|\b(?:affect(?:ed|s)?|touched|impacted|disturbed|also (?:change|move)d?"
    r"|still the same)\b"
)
_ANY = re.compile(r"\banything\b(?! else)")
_IN_TIME = re.compile(
    r"来得及|赶得[上及]|来不来得及|按时|\b(?:in time|on time|(?:make|meet) the deadline)\b|\bmake it\b"
    r"(?=\s*(?:$|[?,.;!]|(?:by|before|until|with|through)\b))"
)
_SHARE = re.compile(
    r"百分之|进度(?:是?多少|是?怎么?样|如何|咋样|到哪)|完成了多少|\b(?:percent(?:age)?|how (?:much|far) .*\bdone"
    r"|how far (?:along )?(?:am i|have i (?:got(?:ten)?|come))(?: so far| now| along)?(?=\W*$))"
    r"|学到哪里?了?\W*$"
)
_WHAT = re.compile(r"什么|啥|哪[个一项些几]|谁|\b(?:what|which)\b")

_OTHERS = re.compile(r"别的|其[他它余]|\b(?:others?|else|rest)\b")


def answer_by_form(brief: Brief) -> str:
    """The answer to a question of one of these forms; empty where the message is none."""
    return answer_term(brief, _answer_form) or _answer_form(brief)


def _answer_form(brief: Brief) -> str:
    text = fold_text(brief.message)
    told = opinion_text(brief) or answer_of_one(brief) or size_text(brief) or answer_next(brief)
    told = told or tell_unknown_item(brief)
    told = told or answer_check(brief) or answer_query(brief)
    told = told or _facts_text(brief, text) or _settings_text(brief, text) or _doable_text(brief, text)
    if told := told or not_begun_text(brief):
        return told
    if intent_of(brief.message, brief) not in ASKING and not _SHARE.search(text) and not _BECAME.search(text):
        return ""
    return next((told for form in _FORMS if (told := form(brief, text))), "")


def _line(brief: Brief, row: TaskView) -> str:
    where = dated_slot_text(brief, row["slot"]) if row["slot"] else brief.say("没有位置", "without a place")
    return brief.say("{name}：{where}", "{name}: {where}", name=row["name"], where=where)


def _count(brief: Brief, text: str, owner: ClassView) -> int:
    """How many items a class has, or has left: still to come or without a place, and not marked as done."""
    own = [row for row in brief.tasks if row["class_id"] == owner["id"]]
    if not _LEFT.search(text) or not own:
        return owner["item_count"]
    return sum(row["mark"] != "done" and (not row["slot"] or brief.is_ahead(row)) for row in own)


def _class_text(brief: Brief, text: str) -> str:
    """The class with most or fewest items, or that ends or is due first or last, and what it is of the others."""
    top, due = _TOP.search(text), _DEADLINE.search(text) is not None
    if not (_WHICH_CLASS.search(text) and top) or len(brief.classes) < 2 or items_in(brief.message, brief):
        return ""
    if asked_in(brief.message, brief).timed or ((top["first"] or top["last"]) and not (due or _ENDS.search(text))):
        return ""
    measures: dict[int, tuple[Any, str]] = {}
    named = classes_in(text, brief.classes)
    compared = [row for row in brief.classes if row["id"] in named] if len(named) > 1 else brief.classes
    for row in compared:
        own = [task for task in brief.tasks if task["class_id"] == row["id"]]
        count = _count(brief, text, row)
        if due and row["end_date"]:
            measures[row["id"]] = row["end_date"], day_and_date(brief, row["end_date"])
        elif top["most"] or top["least"]:
            measures[row["id"]] = count, brief.say("{n} 项", "{n} items", n=count)
        elif last := next(iter(rows_in_time([task for task in own if task["slot"]])[::-1]), None):
            measures[row["id"]] = day_of(brief, last), _line(brief, last)
    if not measures:
        return ""
    best = (max if top["most"] or top["last"] else min)(value for value, _ in measures.values())
    which = brief.names_of([one for one, (value, _) in measures.items() if value == best])
    names = {row["id"]: row["name"] for row in brief.classes}
    lines = [f"{names[one]}{brief.say('：', ': ')}{told}" for one, (_, told) in measures.items()]
    lines += [
        brief.say("{name}：还没有排，{end}截止", "{name}: not planned yet, due {end}",
                  name=row["name"], end=date_text(brief, date.fromisoformat(row["end_date"])))
        for row in compared if row["id"] not in measures and row["end_date"]
    ]  # fmt: skip
    return "\n".join([brief.say("是{which}。", "{which}.", which=which), *lines])


def _touched_text(brief: Brief, text: str) -> str:
    """Whether the last change of the draft touched the classes that are asked about."""
    log = brief.view["draft_log"]
    if not _TOUCHED.search(text) or not says("asking", text) or not log:
        return ""
    moved = {change["item_id"] for change in log[-1]}
    if len(moved) >= len(brief.tasks):
        return brief.say(*NOTHING_SINCE)
    if moves_nothing(brief):
        return last_changes(brief)
    rows = [row for row in brief.tasks if row["item_id"] in moved]
    named = classes_in(brief.message, brief.classes)
    others = _OTHERS.search(text) is not None and not named
    if rows and not named and not (others or says("others_asked", _ANY.sub("", text))):
        return "\n".join(
            [brief.say("有，上一次改动里动了：", "Yes, the last change touched:"), *item_lines(brief, rows)]
        )
    ids = named or [
        row["id"] for row in brief.classes if not others or row["id"] not in {one["class_id"] for one in rows}
    ]
    touched = [row for row in rows if row["class_id"] in ids]
    names = brief.names_of(ids)
    if touched:
        return "\n".join(
            [brief.say("有，上一次改动里动了：", "Yes, the last change touched:"), *item_lines(brief, touched)]
        )
    only = brief.say("、", ", ").join(row["name"] for row in rows[:6])
    return brief.say(
        "没有：上一次改动只动了{only}，{names}没有变。",
        "No: the last change touched {only} only; {names} did not change.",
        only=only or brief.say("别的", "others"), names=names or brief.say("其他内容", "the rest"),
    )  # fmt: skip


_BECAME = re.compile(
    r"(?:怎么样|怎么|咋|咋样)了[?？。!\s]*$|(?:去|跑|挪|弄|移|放|调|改)(?:到)?(?:什么时候|哪[天儿里]?)(?:去)?了|什么情况[?？]*$|去向"
    r"|(?:原来|本来|原先)(?:都|是|还)*(?:[有排放是]了?)[^,，。]{0,3}(?:什么|啥|哪些|几项)"
    r"|\bwhat (?:was|were|stood|had i|did i have)\b.{0,24}\b(?:there|those days|that day|on|planned)\b"
    r"|\bwh(?:at|atever)(?:'s| has| did| have| is)? (?:happened|happen|become|became|come|going on|up)"
    r"(?: to| of| with)\b"
    r"|\bwhere (?:did|has|have|do|does|will) .{2,40} (?:go|gone|end(?:ed)? up|moved?)\b"
)


def _became_text(brief: Brief, text: str) -> str:
    """Where an item was before it was changed last, and where it is now; of a time those that stood then."""
    if not _BECAME.search(text):
        return ""
    rows = items_in(brief.message, brief, among=[*brief.tasks, *brief.tasks_done])
    if len(rows) != 1 or asked_in(brief.message, brief).timed:
        return _tell_moved_from(brief, rows)
    row = rows[0]
    if row["mark"] == "done" and not row["slot"]:
        told = ("{name}标为做完了，不再占时间。", "{name} is marked done and takes no time any more.")
        return brief.say(*told, name=row["name"])
    log = [change for entry in brief.view["draft_log"] for change in entry if change["item_id"] == row["item_id"]]
    before = log[-1]["before"] if log else None
    now = item_lines(brief, [row])[0]
    if before is None:
        return now + brief.say("。最近的对话里没有动过它。", ". It was not moved in what we said lately.")
    first, last = before["section_from"], before["section_to"]
    was = place_text(brief, before["week"], before["day_of_week"], first, last)
    told = (
        "{now}。之前在{was}，是上次改动时移走的。",
        "{now}. It was at {was} before; its last change took it from there.",
    )
    return brief.say(*told, now=now, was=was)


def _tell_moved_from(brief: Brief, named: Sequence[TaskView]) -> str:
    """Where the items are now that stood at the time which is told before they were changed, or those of several that
    are named; empty where none did."""
    target, lines = target_in(brief.view["request"], brief), list[str]()
    target, named = (target, ()) if target.dated else (PlaceTarget(), named)
    places = [(one["item_id"], slot_of(one["before"])) for entry in find_changes(brief) for one in entry]
    for row in rows_in_time(named or (brief.tasks if target.dated else ())):
        was = [slot for item_id, slot in places if item_id == row["item_id"] and slot and target.covers(slot)]
        if was and (named or not (row["slot"] and target.covers(row["slot"]))):
            now = _line(brief, row).removeprefix(row["name"]).lstrip("： :")
            lines.append(f"{_line(brief, {**row, 'slot': was[0]})} → {now}")
    asks_where = target.dated and not named and _WHERE.search(fold_text(brief.message))
    return "\n".join(lines) or (_tell_unmoved(brief, target) if asks_where else "")


_WHERE = re.compile(r"[去跑挪弄移放调改]到?(?:了)?(?:哪|什么时候)|\bwhere\b")


def _tell_unmoved(brief: Brief, target: PlaceTarget) -> str:
    """That nothing went elsewhere from a time: what stands then still does, or nothing does."""
    here = [row for row in rows_in_time(brief.tasks) if row["slot"] and target.covers(row["slot"])]
    if not here:
        return brief.say("那段时间没有任务，没有要挪的。", "No item is planned then, so nothing has to move.")
    return "\n".join(
        [brief.say("还没有挪，现在还在那里：", "Not moved so far, still there:"), *item_lines(brief, here)]
    )


def _in_time_text(brief: Brief, text: str) -> str:
    """Whether what is planned of a class ends before its last day, and by how much."""
    if not _IN_TIME.search(text) or items_in(brief.message, brief) or asked_in(brief.message, brief).timed:
        return ""
    ids = find_classes(text, brief)
    if ids and [*find_unplanned(brief, ids)] == [*ids]:
        return ""  # whether there is room for them
    rows = [row for row in brief.classes if not ids or row["id"] in ids]
    told = []
    for row in rows:
        own = [task for task in brief.tasks if task["class_id"] == row["id"]]
        placed = [task for task in rows_in_time(own) if task["slot"]]
        day = day_of(brief, placed[-1]) if placed else None
        if day is None or not row["end_date"]:
            told += [] if placed else [tell_unplanned(brief, [row["id"]])]
            continue
        end, waiting = date.fromisoformat(row["end_date"]), [task["name"] for task in own if not task["slot"]]
        if waiting:
            told.append(brief.say(
                "还不行：「{name}」有 {n} 项没有位置（{names}），{end}截止。",
                'Not yet: "{name}" has {n} items without a place ({names}); it is due on {end}.',
                name=row["name"], n=len(waiting), names=brief.say("、", ", ").join(waiting), end=date_text(brief, end),
            ))  # fmt: skip
            continue
        yes = brief.say("来得及", "Yes") if day <= end else brief.say("来不及", "No")
        told.append(brief.say(
            "{yes}：「{name}」{end}截止，最后一项是{line}，提前 {days}。",
            '{yes}: "{name}" is due on {end}; its last item is {line}, {days} before that.',
            yes=yes, name=row["name"], end=date_text(brief, end), line=_line(brief, placed[-1]),
            days=days_text(brief, (end - day).days),
        ))  # fmt: skip
    return "\n".join(told)


def _share_text(brief: Brief, text: str) -> str:
    """How much of the plan is marked as done, and how much has had its time."""
    if not _SHARE.search(text) or not brief.tasks or classes_in(brief.message, brief.classes):
        return ""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    done = sum(row["mark"] == "done" for row in (*brief.tasks, *brief.tasks_done))
    over = sum((s["week"], s["day_of_week"], s["slot_end"]) < now for row in brief.tasks if (s := row["slot"]))
    total = len(brief.tasks) + len(brief.tasks_done)
    return brief.say(
        "标为做完的 {done} 项，占 {share}%；时间已经过去的 {over} 项，一共 {total} 项。",
        "{share}%: {done} items are marked as done, {over} have had their time, of {total} in all.",
        done=done, share=round(100 * done / total), over=over, total=total,
    )  # fmt: skip


_SIDES = (
    (re.compile(r"前[面一边]|之前|上一[个项章]|\b(?:before|precedes)\b"), -1, ("前面是", "before it: ")),
    (re.compile(r"后[面一边]|之后|下一[个项章]|接着|[学做背看]完|\b(?:after|follows)\b"), 1, ("后面是", "after it: ")),
)


_SEVERAL = re.compile(
    r"哪些|[哪有]几[个章项]"
    r"|\b(?:which|what|all(?: the)?) (?:other |more )?(?:chapters|items|labs|units|topics|ones|tasks)\b"
)


_OF_CLASS = re.compile(r"(?:这|那|同1?|本|它那?)门课?|\b(?:its|that|the same|this) (?:class|course|subject)\b")
"""That of what stands beside an item the next one of its own class is meant."""


def _beside_text(brief: Brief, text: str) -> str:
    """What comes right before and right after an item in the plan, on the sides that are asked about."""
    rows = items_in(brief.message, brief)
    if len(rows) != 1 or not rows[0]["slot"] or not _WHAT.search(text) or asked_in(brief.message, brief).timed:
        return ""
    if says("why_asked", text):
        return ""
    every = [row for row in rows_in_time(brief.tasks) if row["slot"]]
    own = [row for row in every if row["class_id"] == rows[0]["class_id"]]
    of_class = rows[0]["class_id"] in classes_in(text, brief.classes) or _OF_CLASS.search(text)
    placed, reach = (own, len(own)) if _SEVERAL.search(text) else (own if of_class else every, 1)
    at, none = placed.index(rows[0]), brief.say("没有别的了", "nothing else")
    sides = {-1: placed[max(0, at - reach) : at], 1: placed[at + 1 : at + 1 + reach]}
    asked = [(sides[step], side) for form, step, side in _SIDES if form.search(text)]
    beside = [brief.say(*side) + ("\n".join(item_lines(brief, others)) or none) for others, side in asked]
    return "\n".join([*item_lines(brief, rows), *beside]) if beside else ""


_WHY = re.compile(r"凭[啥什]|为毛|非得|非要|\bhow come\b|\bwhy (?:is|on earth|the hell)\b")


def _why_text(brief: Brief, text: str) -> str:
    """Why an item stands where it does."""
    placed = any(row["slot"] for row in items_in(brief.message, brief))
    return explanation(brief) if placed and _WHY.search(text) else ""


_SETTINGS = re.compile(
    r"哪[些几]?[门个]?(?:课|科|任务类)?[^,，。]{0,8}(?:水课|嵌入)|(?:水课|嵌入)[^,，。]{0,10}哪[些几]?[门个]?(?:课|科|任务类)?"
    r"|\b(?:which|what|are any|do any)\b.{0,40}\b(?:filler|embed\w*)\b"
)
_DOABLE = re.compile(
    r"\bis (?:this|it|that|all (?:of )?this|(?:my|the) plan)(?: even| still| really)? (?:doable|possible"
    r"|realistic|feasible|manageable|any good|achievable|alright)\b"
    r"|\bhow (?:bad|screwed|doomed|realistic|doable)\b|\b(?:am i|are we) (?:\w+ ){0,3}?(?:screwed|doomed|on track"
    r"|ahead(?= of|\W*$)"
    r"|behind|in trouble)\b"
    r"|\b(?:will|can) i (?:\w+ )?(?:survive|pull (?:this|it) off|manage (?:this|it|all))\b"
    r"|[跟赶]得?[上不][^,，。]{0,4}进度|进度[^,，。]{0,8}(?:落后|超前|正常)|(?:超前|落后)(?:还是|了?没|了?[吗么]|多少)"
    r"|(?:这|计划|我|还)[^,，。]{0,8}(?:靠谱|可行|做得完|学得完|完得成|现实吗|有救|有戏|稳不稳|行得通|能行)|有多(?:糟|惨|严重)|是不是(?:完蛋|没救|凉)了?|还有救"
)


_CALLED = re.compile(
    r"叫(?:做|作)?(?:什么|啥)|(?:名字|名称|全名)(?:是|叫)?(?:什么|啥)"
    r"|\bwhat\b.{0,40}\b(?:called|named)\b|\bwhat\b.{0,16}\bname of\b|\bwhat (?:do|did) (?:i|we) (?:call|name)\b"
)
_HOW_LONG = re.compile(
    r"(?:几|多少)个?(?:小?节|课时|小时|钟头|分钟)|(?<!还有)多(?:久|长)(?!没|之?前|以?后)"
    r"|\bhow long (?:is|are|does|do|will|would)\b|\bhow (?:many|much) (?:sections|periods|hours|time)\b"
)


def _facts_text(brief: Brief, text: str) -> str:
    """What items that are named are called in full, or how long they are."""
    called, length = _CALLED.search(text), _HOW_LONG.search(text)
    rows = items_in(text, brief, among=all_items(brief)) if called or length else []
    if not rows or asked_in(text, brief).timed:
        return ""
    if called:
        placed = {row["item_id"]: row for row in brief.tasks}
        return "\n".join(item_lines(brief, [placed.get(row["item_id"], row) for row in rows]))
    told = ("{name}：{n} 节", "{name}: {n} sections")
    lengths = [(row["name"], length_of(brief, row)) for row in rows]
    return "\n".join(brief.say(*told, name=name, n=n) + hours_text(brief, n) for name, n in lengths)


def _settings_text(brief: Brief, text: str) -> str:
    """Which classes may be placed inside lectures."""
    if not _SETTINGS.search(text) or not brief.classes:
        return ""
    yes, no = ([row["id"] for row in brief.classes if row["filler"] is allowed] for allowed in (True, False))
    told = brief.say(
        "允许用水课的：{yes}。", "May use filler lectures: {yes}.", yes=brief.names_of(yes) or brief.say("没有", "none")
    )
    rest = brief.say("不允许的：{no}。", " May not: {no}.", no=brief.names_of(no)) if no else ""
    return told + rest


def _doable_text(brief: Brief, text: str) -> str:
    """Whether the plan holds as it stands, its greatest fault first."""
    if not _DOABLE.search(text) or not brief.tasks or items_in(brief.message, brief) or asked_in(text, brief).timed:
        return ""
    return _behind_text(brief) if _BEHIND.search(text) else tell_how_it_holds(brief)


def tell_how_it_holds(brief: Brief) -> str:
    """Whether everything has a place in time and is not missed, and what is not planned at all."""
    waiting = [row for row in brief.tasks if not row["slot"]]
    missed = [row for row in brief.tasks if row["mark"] == "missed"]
    late = brief.late
    faults = [
        ([row for row, _ in brief.under_exams], "撞上考试", "clashing with an exam"),
        (waiting, "没有位置", "without a place"),
        (late, "排在截止之后", "after their end date"),
        ([row for row, _ in brief.misfits], "和任务对不上", "not as their task is now"),
        (missed, "标为没做", "marked missed"),
    ]
    joint = brief.say("、", ", ")
    told = [
        brief.say(f"{len(rows)} 项{zh}（{joint.join(row['name'] for row in rows[:6])}）",
                  f"{len(rows)} {en} ({joint.join(row['name'] for row in rows[:6])})")
        for rows, zh, en in faults if rows
    ]  # fmt: skip
    placed = rows_in_time([row for row in brief.tasks if row["slot"]])
    most = max(Counter(day_of(brief, row) for row in placed).values(), default=0)
    left: str = tell_classes_left(brief)
    values: dict[str, Any] = {"n": len(brief.tasks), "most": most}
    end = brief.say("最后一项是{line}。", " The last item is {line}.", line=_line(brief, placed[-1])) if placed else ""
    if told:
        lead = ("还差一些，一共 {n} 项里：{faults}。", "Not yet. Of {n} items: {faults}.")
        return brief.say(*lead, faults=brief.say("；", "; ").join(told), **values) + end + left
    head = brief.say(*(("排了的", "What is planned fits: ") if left else ("做得完：", "Yes: ")))
    fine = (" {n} 项都有位置，都在截止之前，一天最多 {most} 项。",
            "all {n} items have a place before their end dates, at most {most} on a day.")  # fmt: skip
    return head + brief.say(*fine, **values) + end + left


_BEHIND = re.compile(r"落后|超前|进度|跟得?[上不]|赶得?[上不]|\b(?:ahead|behind|on track)\b")


def _behind_text(brief: Brief) -> str:
    """What lies behind without a mark, what was missed and what is ahead: nobody knows more."""
    placed = [row for row in rows_in_time(brief.tasks) if row["slot"]]
    ahead = [row for row in placed if brief.is_ahead(row)]
    over = [row for row in placed if row not in ahead and not row["mark"]]
    missed = [row for row in brief.tasks if row["mark"] == "missed"]
    joint = brief.say("、", ", ")
    told = []
    if missed:
        told.append(brief.say("落下了 {n} 项：{names}。", "{n} marked missed: {names}.", n=len(missed),
                              names=joint.join(row["name"] for row in missed)))  # fmt: skip
    if over:
        told.append(brief.say(
            "{n} 项时间已经过去，没有标做没做，做了就不算落后：{names}。",
            "{n} lie behind without a mark; whether you are behind depends on them: {names}.",
            n=len(over), names=joint.join(row["name"] for row in over),
        ))  # fmt: skip
    if not told:
        told = [
            brief.say(
                "没有落后：没有漏掉的，也没有过去了还没标的。",
                "You are not behind: nothing is missed or left unmarked.",
            )
        ]
    if ahead:
        told.append(brief.say("后面还有 {n} 项，下一项是 {line}", "{n} lie ahead; the next is {line}", n=len(ahead),
                              line=item_lines(brief, ahead[:1])[0]))  # fmt: skip
    return "\n".join(told)


_FORMS: tuple[Callable[[Brief, str], str], ...] = (
    _became_text, _why_text, _touched_text, _class_text, _in_time_text, _share_text,
    _beside_text,
)  # fmt: skip


_ADVICE = re.compile(
    r"先(?:学|复习|做|背|看|搞|弄)(?:哪|谁)(?![^,，。]{0,3}后(?:学|做))|(?:哪|谁)[^,，。]{0,6}(?<!最)先(?:学|复习|做|背|看|搞|弄)(?!完)|哪[个门科][^,，。]{0,4}(?:难|重要|好学|简单|容易)"
    r"|(?:几|多少)[^,，。]{0,8}(?:合适|合理|够)[吗呢?？]*$"
    r"|先[^,，。]{1,12}还是先|\b(?:should i|(?:smarter|better|wiser|best) to) (?:start|begin)\b(?! on)"
    r"|\bshould i (?:do|learn|study|revise|tackle)\b.{2,60}\b(?:first|or)\b"
    r"|\b(?:which|what)\b.{0,30}\b(?:should i .{2,30} first|harder|easier|more (?:important|difficult))\b"
)

_FIRST = re.compile(r"先(?!后)|\b(?:start|begin|first)\b")


def opinion_text(brief: Brief) -> str:
    """That the student is to judge, and by which figures; empty where no opinion is asked for."""
    own = dict(brief.written).get(brief.last_said, brief.view["message"])  # before anything was read into it
    text = fold_text(brief.message if brief.whole else own)
    asks = ASKS.search(text) or asks_whether(text) or "还是" in text
    if not asks or not brief.tasks or ACTS.search(text) or read_supposition(brief.message, brief) is not None:
        return ""
    dated = any(one.first or one.week or one.weekdays for one in read_times(text, brief.term))
    if dated:
        return ""
    if _ADVICE.search(text):
        return _advice_text(brief, text)
    full = says("too_much", text) and asks_whether(text) and not items_in(text, brief)
    return tell_how_it_holds(brief) if full else ""


_HELP = re.compile(
    r"办法|怎么办|咋办|建议|主意|\b(?:ideas?|tips?|advice|help|suggest\w*|what (?:should|can|do) i|how (?:do|can) i)\b"
)
_PUTS_OFF = re.compile(
    r"(?P<habit>[老总]是?[^,，。]{0,4}拖|拖到(?:最后|ddl|截止)|拖延症|\bprocrastinat\w+|\blast[- ](?:minute|moment)\b)"
    r"|拖(?:着|延)|一直拖|懒得|\b(?:putting (?:\w+ ){0,3}off|put off|keep (?:avoiding|skipping))\b"
)


def put_off_text(brief: Brief) -> str:
    """What comes next of what is put off, and what may be said to make it smaller or regular, where help is asked or it
    is told to be a habit."""
    text = fold_text(brief.view["message"])
    off = _PUTS_OFF.search(text)
    ahead = [row for row in rows_in_time(brief.tasks) if row["slot"] and brief.is_ahead(row)]
    named = find_owners(text, brief)[0]
    rows = [row for row in ahead if not named or row["class_id"] in named]
    if not (off and (off["habit"] or _HELP.search(text)) and rows) or read_times(text, brief.term):
        return ""
    return brief.say(
        "先只看最近的一项：{line}。想更容易开始，可以说「每天最多一项」「{name}只排周二和周四」，或者说这一项挪到哪天。",
        'Look at the next item alone: {line}. To make it easier to begin you can say "at most one item a day" or '
        '"{name} only on Tuesdays and Thursdays", or to which day that item should move.',
        line=item_lines(brief, rows[:1])[0], name=brief.names_of([rows[0]["class_id"]]).strip('「」"'),
    )  # fmt: skip


def _advice_text(brief: Brief, text: str) -> str:
    """What each class that is named has to do and when, and what of it comes first."""
    items = find_pair(brief, text) or items_in(text, brief)
    named = find_owners(text, brief)[0]
    lines = item_lines(brief, items)
    ahead = rows_in_time([row for row in brief.tasks if row["slot"] and brief.is_ahead(row)])
    if ahead and not (items or named) and _FIRST.search(text):
        told = ("按现在的计划，最先的是{first}。", "By the plan as it is, the first is {first}.")
        return brief.say(*told, first=item_lines(brief, ahead[:1])[0])
    for row in () if items else brief.classes:
        own = [one for one in rows_in_time(brief.tasks) if one["class_id"] == row["id"] and one["slot"]]
        first = brief.say("，最先的是", "; first ") + item_lines(brief, own[:1])[0] if own else ""
        ends = [date_text(brief, date.fromisoformat(day)) for day in (row["start_date"], row["end_date"]) if day]
        when = brief.say("到", " to ").join(ends)
        told = ("{name}：{n} 项，{when}{first}", "{name}: {n} items, {when}{first}")
        line = brief.say(*told, name=row["name"], n=row["item_count"], when=when, first=first)
        lines += [line] if not named or row["id"] in named else []
    head = (
        "难易和先后要你自己判断，我只知道项数、日期和计划里的顺序：",
        "That is yours to judge; I only know how many items there are, the dates and the order of the plan:",
    )
    return "\n".join([brief.say(*head), *lines])
