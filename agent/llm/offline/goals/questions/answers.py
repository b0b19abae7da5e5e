"""Questions whose form tells the answer: how far apart, which first, which most, how many of each, in time or not.

The answer to the form stands first (a number, a name, yes or no), then the items with their dates that it follows from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise

from agent.llm.offline.goals.explain import explanation, last_changes, moves_nothing
from agent.llm.offline.goals.questions.checks import answer_check
from agent.llm.offline.goals.questions.inquiry import asked_in, is_of_kind
from agent.llm.offline.goals.questions.next_item import answer_next
from agent.llm.offline.goals.questions.not_begun import not_begun_text
from agent.llm.offline.goals.questions.query import find_owners
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time
from agent.llm.offline.goals.questions.suppositions.supposed import tell_unplanned
from agent.llm.offline.goals.questions.term_weeks import answer_term
from agent.llm.offline.language.brief import Brief, slot_of
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import Intent, intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.revert import find_changes
from agent.llm.offline.language.spans.targets import PlaceTarget, target_in
from agent.llm.offline.language.texts import date_text, dated_slot_text, place_text
from agent.loop.view_document import TaskView

ASKING: tuple[Intent, ...] = (
    "show", "free", "load", "fits", "reasons", "explain", "changes", "class_facts", "classes", "end_asked", "next",
    "past", "due", "try", "optimise", "other",
)  # fmt: skip
"""What may be a question whose form tells the answer."""
_GAP = re.compile(
    r"(?:相?隔|相?差|间隔|距离?|离|空)(?:了|着|开|出)*(?:[^,，。;；]{0,14}?)(?:多久|几天|多少天|几周|多少个?星期)|(?:还有|还剩|剩下?)(?:几|多少)天"
    r"|之间(?:有|是)?(?:多久|几天|多少天)|最[长久大][^,，。]{0,6}(?:间隔|空档)|间隔[^,，。]{0,6}最[长大]|(?:相?隔|间隔|差)得?最[久长]"
    r"|\bhow (?:many (?:days|weeks)|long|far|much time|big)\b.*\b(?:between|apart|before|after|until|till|from"
    r"|gap|ahead of)\b"
    r"|\b(?:longest|biggest|largest) (?:gap|break|pause|stretch|rest)\b|\bhow (?:many days|long) (?:until|till"
    r"|before|to|is it (?:to|until"
    r"|before))\b"
)
_LONGEST = re.compile(r"最[长久大]|\b(?:longest|biggest|largest)\b")
_DEADLINE = re.compile(r"截止|ddl|死线|期限|考试|到期|\b(?:deadline|due|exam|end date|cut-?off)\b")
_FIRST = re.compile(
    r"(?:哪|谁)[一个项]*(?:更|比较|在|是|排在)?(?:先|前|早|晚|后)|谁先谁后|先后"
    r"|\bwhich (?:one )?(?:is|comes|goes|of \w+ (?:is|comes)"
    r"|do i do)"
    r" (?:first|earlier|later|before)|\bbefore or after\b|\bearlier or later\b|\b(?:comes|is) first\b"
)
_MANY = re.compile(r"几[项个章次节讲]|多少|\bhow (?:many|much)\b|\bnumbers?\b")
_LEFT = re.compile(r"剩|没[做学完背上]|还有|还要|\b(?:left|remain\w*|to go|still|undone|outstanding)\b")
_WHICH_CLASS = re.compile(r"哪一?(?:门|个|科)(?:课|科|任务类|学科)?|\bwhich (?:class|course|subject|one)\b")
_TOP = re.compile(
    r"(?P<most>最多|最重|内容多|\b(?:most|biggest|longest|heaviest)\b)|(?P<least>最少|最轻|\b(?:fewest|least|shortest"
    r"|lightest|smallest)\b)"
    r"|(?P<first>最[早先快](?:学完|结束|完成|弄完|搞定|背完|做完)?|(?:先|早)(?:学完|结束|完成)|\b(?:first|earliest|soonest)\b)"
    r"|(?P<last>最[晚迟后慢](?:学完|结束|完成|弄完|搞定|背完|做完)?|\b(?:last|latest)\b)"
)
_ENDS = re.compile(r"完|结束|收尾|搞定|\b(?:finish\w*|end\w*|done|complete\w*|over)\b")
_TOUCHED = re.compile(
    r"受?(?:到)?影响(?!力)|跟着(?:变|动|改)|有没有(?:变|动)"
    r"|\b(?:affect(?:ed|s)?|touched|impacted|disturbed|also (?:change|move)d?"
    r"|still the same)\b"
)
_ANY = re.compile(r"\banything\b(?! else)")
_IN_TIME = re.compile(
    r"来得及|赶得[上及]|来不来得及|按时|\b(?:in time|on time)\b|\bmake it\b(?=\s*(?:$|[?,.;!]|by\b|before\b|until\b))"
)
_SHARE = re.compile(
    r"百分之|进度(?:是?多少|是?怎么?样|如何|咋样|到哪)|完成了多少|\b(?:percent(?:age)?|how (?:much|far) .*\bdone)\b"
)
_WHAT = re.compile(r"什么|啥|哪[个一项些]|谁|\b(?:what|which)\b")
_CLASHES = re.compile(r"冲突|撞[车上]?|重叠|打架|\b(?:clash\w*|conflict\w*|overlap\w*|collide\w*)\b")


def answer_by_form(brief: Brief) -> str:
    """The answer to a question of one of these forms; empty where the message is none."""
    return answer_term(brief, _answer_form) or _answer_form(brief)


def _answer_form(brief: Brief) -> str:
    text = fold_text(brief.message)
    told = answer_next(brief) or answer_check(brief) or answer_query(brief)
    told = told or _settings_text(brief, text) or _doable_text(brief, text)
    if told := told or not_begun_text(brief):
        return told
    if intent_of(brief.message, brief) not in ASKING and not _SHARE.search(text) and not _BECAME.search(text):
        return ""
    return next((told for form in _FORMS if (told := form(brief, text))), "")


def _day(brief: Brief, row: TaskView) -> date | None:
    slot = row["slot"]
    return brief.term.day(slot["week"], slot["day_of_week"]) if slot else None


def _meant(brief: Brief) -> list[TaskView]:
    return named_items(brief.message, brief) or items_in(brief.message, brief) or spoken_of(brief)


def _days(brief: Brief, number: int) -> str:
    return brief.say(f"{number} 天", f"{number} day{'' if number == 1 else 's'}")


def _line(brief: Brief, row: TaskView) -> str:
    where = dated_slot_text(brief, row["slot"]) if row["slot"] else brief.say("没有位置", "without a place")
    return brief.say("{name}：{where}", "{name}: {where}", name=row["name"], where=where)


def _gap_text(brief: Brief, text: str) -> str:
    """How many days lie between two items, an item and the end of its class, today and either."""
    if not _GAP.search(text):
        return ""
    if _LONGEST.search(text):
        return _longest_gap(brief)
    rows = [row for row in _meant(brief) if row["slot"]]
    if _DEADLINE.search(text) and (told := _until_due(brief, text)):
        return told
    if _DEADLINE.search(text):
        return _before_deadline(brief, rows)
    if len(rows) == 2:
        first, last = rows_in_time(rows)
        days = (_day(brief, last) - _day(brief, first)).days  # type: ignore[operator]
        told = brief.say("相差 {days}", "{days} apart", days=_days(brief, days))
        if days > 1:
            told += brief.say("（中间空 {n} 天）", " ({n} full days in between)", n=days - 1)
        return "\n".join([told + brief.say("：", ":"), *item_lines(brief, rows)])
    day = _day(brief, rows[0]) if len(rows) == 1 and items_in(brief.message, brief) else None
    if day is None:
        return ""
    days = (day - brief.term.today).days
    told = brief.say("还有 {days}", "{days} from today", days=_days(brief, days)) if days > 0 else brief.say(
        "就是今天" if days == 0 else "已经过去 {days}", "today" if days == 0 else "{days} ago", days=_days(brief, -days)
    )  # fmt: skip
    return f"{told}{brief.say('：', ': ')}{_line(brief, rows[0])}"


def _until_due(brief: Brief, text: str) -> str:
    """How long it is to the end of the classes that are named; empty where items are, or none is."""
    named = [row for row in brief.classes if row["id"] in find_owners(text, brief)[0] and row["end_date"]]
    if items_in(text, brief) or len(named) == len(brief.classes):
        return ""
    ends = [(row["name"], date.fromisoformat(row["end_date"])) for row in named]
    return "\n".join(
        brief.say(
            "「{name}」{end}截止，还有 {days}。", '"{name}" is due on {end}, in {days}.',
            name=name, end=date_text(brief, end), days=_days(brief, (end - brief.term.today).days),
        ) for name, end in ends if end >= brief.term.today
    )  # fmt: skip


def _before_deadline(brief: Brief, rows: Sequence[TaskView]) -> str:
    """From the last of the items to the end of its class; from today where none is meant."""
    if not rows:
        return ""
    row = rows_in_time(rows)[-1]
    owner, day = brief.class_of(row["class_id"]), _day(brief, row)
    if owner is None or not owner["end_date"] or day is None:
        return ""
    end = date.fromisoformat(owner["end_date"])
    return brief.say(
        "离截止 {days}：{line}，「{name}」{end}截止。", '{days} before the deadline: {line}; "{name}" is due on {end}.',
        days=_days(brief, (end - day).days), line=_line(brief, row), name=owner["name"], end=date_text(brief, end),
    )  # fmt: skip


def _longest_gap(brief: Brief) -> str:
    asked = asked_in(brief.message, brief)
    rows = [row for row in rows_in_time(brief.tasks) if row["slot"]]
    rows = [row for row in rows if not asked.classes or row["class_id"] in asked.classes]
    rows = [row for row in rows if not asked.kind or is_of_kind(row, asked.kind)]
    gaps = [((_day(brief, b) - _day(brief, a)).days, a, b) for a, b in pairwise(rows)]  # type: ignore[operator]
    if not gaps:
        return ""
    days, first, last = max(gaps, key=lambda gap: gap[0])
    told = brief.say("最长相隔 {days}", "The longest is {days}", days=_days(brief, days))
    if days > 1:
        told += brief.say("（中间空 {n} 天）", ", {between} in between", n=days - 1, between=_days(brief, days - 1))
    told += brief.say("：", ":")
    return "\n".join([told, *item_lines(brief, [first, last])])


def _first_text(brief: Brief, text: str) -> str:
    """Which of two items comes first."""
    if not _FIRST.search(text):
        return ""
    rows = named_items(brief.message, brief) or [
        row for piece in re.split(r"\bor\b|还是|before|after|和|与|跟|比", text) for row in items_in(piece, brief)
    ]
    rows = [row for row in {row["state_id"]: row for row in rows}.values() if row["slot"]]
    if len(rows) != 2:
        return ""
    first, last = rows_in_time(rows)
    days = (_day(brief, last) - _day(brief, first)).days  # type: ignore[operator]
    apart = (
        brief.say("相差 {days}", "{days} apart", days=_days(brief, days))
        if days
        else brief.say("同一天", "the same day")
    )
    told = brief.say(
        "{first}在前，{last}在后，{apart}：", "{first} comes first, {last} after it, {apart}:",
        first=first["name"], last=last["name"], apart=apart,
    )  # fmt: skip
    return "\n".join([told, *item_lines(brief, rows)])


_SIDE = re.compile(r"(?P<before>前[面边]?|之前|\bbefore\b)|(?P<after>后[面边]?|之后|\bafter\b)")


def _whether_first(brief: Brief, text: str) -> str:
    """Whether one item comes before or after another, in the order in which they are named."""
    side = _SIDE.search(text)
    rows = [row for piece in re.split(r"\bbefore\b|\bafter\b|在|比|和|与|跟", text) for row in items_in(piece, brief)]
    rows = [row for row in {row["state_id"]: row for row in rows}.values() if row["slot"]]
    both = len({one.lastgroup for one in _SIDE.finditer(text)}) > 1
    if side is None or both or len(rows) != 2 or not asks_whether(text):
        return ""
    yes = (rows_in_time(rows)[0] is rows[0]) is bool(side["before"])
    return "\n".join([brief.say("是的：", "Yes:") if yes else brief.say("不是：", "No:"), *item_lines(brief, rows)])


def _counts(brief: Brief, text: str, class_id: int) -> tuple[int, bool]:
    """How many items a class has, or has left: still to come or without a place, and not marked as done."""
    own = [row for row in brief.tasks if row["class_id"] == class_id]
    owner = brief.class_of(class_id)
    left = _LEFT.search(text) is not None and bool(own)
    if not left:
        return owner["item_count"] if owner else len(own), False
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    ahead = [
        row for row in own if row["mark"] != "done"
        and (not (s := row["slot"]) or (s["week"], s["day_of_week"], s["slot_start"]) > now)
    ]  # fmt: skip
    return len(ahead), True


def _class_text(brief: Brief, text: str) -> str:
    """The class with most or fewest items, or that ends first or last."""
    top = _TOP.search(text)
    if not (_WHICH_CLASS.search(text) and top) or len(brief.classes) < 2 or items_in(brief.message, brief):
        return ""
    if _DEADLINE.search(text) or asked_in(brief.message, brief).timed:
        return ""
    if (top["first"] or top["last"]) and not _ENDS.search(text):
        return ""
    if top["most"] or top["least"]:
        counts = {row["name"]: _counts(brief, text, row["id"])[0] for row in brief.classes}
        best = (max if top["most"] else min)(counts.values())
        names = [name for name, count in counts.items() if count == best]
        lines = [brief.say("{name}：{n} 项", "{name}: {n} items", name=name, n=n) for name, n in counts.items()]
    else:
        ends = {
            row["name"]: rows_in_time(own)[-1]
            for row in brief.classes
            if (own := [task for task in brief.tasks if task["class_id"] == row["id"] and task["slot"]])
        }
        if not ends:
            return ""
        days = {name: _day(brief, row) for name, row in ends.items()}
        edge = (min if top["first"] else max)(day for day in days.values() if day)
        names = [name for name, day in days.items() if day == edge]
        lines = [f"{name}{brief.say('：', ': ')}{_line(brief, row)}" for name, row in ends.items()]
    which = brief.say("、", ", ").join(brief.say(f"「{name}」", f'"{name}"') for name in names)
    return "\n".join([brief.say("是{which}。", "{which}.", which=which), *lines])


def _touched_text(brief: Brief, text: str) -> str:
    """Whether the last change of the draft touched the classes that are asked about."""
    log = brief.view["draft_log"]
    if not _TOUCHED.search(text) or not says("asking", text) or not log:
        return ""
    moved = {change["item_id"] for change in log[-1]}
    if len(moved) >= len(brief.tasks):
        return brief.say(
            "没有：排出计划之后还没有改动过什么。", "No: nothing has been changed since the plan was made."
        )
    if moves_nothing(brief):
        return last_changes(brief)
    rows = [row for row in brief.tasks if row["item_id"] in moved]
    named = classes_in(brief.message, brief.classes)
    if rows and not named and not says("others_asked", _ANY.sub("", text)):
        return "\n".join(
            [brief.say("有，上一次改动里动了：", "Yes, the last change touched:"), *item_lines(brief, rows)]
        )
    ids = named or [row["id"] for row in brief.classes if row["id"] not in {one["class_id"] for one in rows}]
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
    r"(?:怎么样|怎么|咋|咋样)了[?？。!\s]*$|(?:去|跑|挪|弄|移|放)(?:到)?哪(?:儿|里)?(?:去)?了|什么情况[?？]*$|去向"
    r"|\bwh(?:at|atever)(?:'s| has| did| have| is)? (?:happened|happen|become|became|come|going on|up)"
    r"(?: to| of| with)\b"
    r"|\bwhere (?:did|has|have) .{2,40} (?:go|gone|end(?:ed)? up|moved?)\b"
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
    return "\n".join(lines)


def _in_time_text(brief: Brief, text: str) -> str:
    """Whether what is planned of a class ends before its last day, and by how much."""
    if not _IN_TIME.search(text) or items_in(brief.message, brief) or asked_in(brief.message, brief).timed:
        return ""
    ids = classes_in(brief.message, brief.classes)
    rows = [row for row in brief.classes if not ids or row["id"] in ids]
    told = []
    for row in rows:
        own = [task for task in brief.tasks if task["class_id"] == row["id"]]
        placed = [task for task in rows_in_time(own) if task["slot"]]
        day = _day(brief, placed[-1]) if placed else None
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
            days=_days(brief, (end - day).days),
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
    (re.compile(r"前[面一边]|之前|上一[个项章]|\bbefore\b"), -1, ("之前是", "Before it: ")),
    (re.compile(r"后[面一边]|之后|下一[个项章]|接着|\bafter\b"), 1, ("之后是", "After it: ")),
)


def _beside_text(brief: Brief, text: str) -> str:
    """What comes right before and right after an item in the plan, on the sides that are asked about."""
    rows = items_in(brief.message, brief)
    if len(rows) != 1 or not rows[0]["slot"] or not _WHAT.search(text) or asked_in(brief.message, brief).timed:
        return ""
    placed = [row for row in rows_in_time(brief.tasks) if row["slot"]]
    at, none = placed.index(rows[0]), brief.say("没有别的了", "nothing else")
    asked = [(placed[max(0, at + step) : at + step + 1], side) for form, step, side in _SIDES if form.search(text)]
    beside = [brief.say(*side) + (_line(brief, other[0]) if other else none) for other, side in asked]
    return "\n".join([*item_lines(brief, rows), *beside]) if beside else ""


def _clash_text(brief: Brief, text: str) -> str:
    """Whether items of the plan lie on each other; on a lesson none is ever put."""
    if not (_CLASHES.search(text) and asks_whether(text) and brief.tasks):
        return ""
    rows = [row for row in rows_in_time(brief.tasks) if row["slot"]]
    same = [
        (a, b) for a, b in pairwise(rows) if (s := a["slot"]) and (t := b["slot"])
        and (s["week"], s["day_of_week"]) == (t["week"], t["day_of_week"]) and t["slot_start"] <= s["slot_end"]
    ]  # fmt: skip
    if same:
        return "\n".join([brief.say("有：", "Yes:"), *item_lines(brief, [row for pair in same for row in pair])])
    return brief.say(
        "没有冲突：排好的 {n} 项互不重叠，也不会排在课程上面。",
        "No: none of the {n} planned items overlap, and none is ever put on a lesson.", n=len(rows),
    )  # fmt: skip


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
    r"\bis (?:this|it|that|all (?:of )?this|(?:my|the) plan)(?: even| still| really)? (?:doable|realistic"
    r"|feasible|manageable|any good|achievable|alright)\b"
    r"|\bhow (?:bad|screwed|doomed|realistic|doable)\b|\b(?:am i|are we) (?:\w+ ){0,3}?(?:screwed|doomed|on track"
    r"|behind|in trouble)\b"
    r"|\b(?:will|can) i (?:\w+ )?(?:survive|pull (?:this|it) off|manage (?:this|it|all))\b"
    r"|进度[^,，。]{0,8}(?:落后|超前|正常)|(?:超前|落后)(?:还是|了?没|了?[吗么]|多少)"
    r"|(?:这|计划|我|还)[^,，。]{0,8}(?:靠谱|可行|做得完|学得完|完得成|现实吗|有救|有戏|稳不稳|行得通|能行)|有多(?:糟|惨|严重)|是不是(?:完蛋|没救|凉)了?|还有救"
)


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
    waiting = [row for row in brief.tasks if not row["slot"]]
    missed = [row for row in brief.tasks if row["mark"] == "missed"]
    late = [
        row for row in brief.tasks
        if (day := _day(brief, row)) and (owner := brief.class_of(row["class_id"])) and owner["end_date"]
        and day > date.fromisoformat(owner["end_date"])
    ]  # fmt: skip
    faults = [
        (waiting, "没有位置", "without a place"),
        (late, "排在截止之后", "after their end date"),
        (missed, "标为没做", "marked missed"),
    ]
    joint = brief.say("、", ", ")
    if _BEHIND.search(text):
        return _behind_text(brief)
    told = [
        brief.say(f"{len(rows)} 项{zh}（{joint.join(row['name'] for row in rows[:6])}）",
                  f"{len(rows)} {en} ({joint.join(row['name'] for row in rows[:6])})")
        for rows, zh, en in faults if rows
    ]  # fmt: skip
    last = next(iter(rows_in_time([row for row in brief.tasks if row["slot"]])[::-1]), None)
    end = brief.say("最后一项是{line}。", " The last item is {line}.", line=_line(brief, last)) if last else ""
    if not told:
        return brief.say("做得完：{n} 项都有位置，都在截止之前。", "Yes: all {n} items have a place before their "
            "end dates.",
                         n=len(brief.tasks)) + end  # fmt: skip
    lead = brief.say("还差一些，一共 {n} 项里：{faults}。", "Not yet. Of {n} items: {faults}.", n=len(brief.tasks),
                     faults=brief.say("；", "; ").join(told))  # fmt: skip
    return lead + end


_BEHIND = re.compile(r"落后|超前|进度|跟得?上|赶得?上|\b(?:behind|on track)\b")


def _behind_text(brief: Brief) -> str:
    """What lies behind without a mark, what was missed and what is ahead: nobody knows more."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    placed = [(s, row) for row in rows_in_time(brief.tasks) if (s := row["slot"])]
    over = [row for s, row in placed if (s["week"], s["day_of_week"], s["slot_start"]) <= now and not row["mark"]]
    missed = [row for row in brief.tasks if row["mark"] == "missed"]
    ahead = [row for s, row in placed if (s["week"], s["day_of_week"], s["slot_start"]) > now]
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
    _became_text, _why_text, _whether_first, _touched_text, _gap_text,
    _first_text, _class_text, _in_time_text, _share_text, _beside_text,
    _clash_text,
)  # fmt: skip
