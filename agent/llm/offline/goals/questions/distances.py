"""How far points of time lie from each other: items, dates, the last days of classes, today; which of two comes first,
and whether items lie on each other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from itertools import pairwise

from agent.llm.offline.goals.questions.inquiry import asked_in, is_of_kind
from agent.llm.offline.goals.questions.query import ASKS, day_of, find_owners
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time
from agent.llm.offline.goals.questions.suppositions.supposed import tell_unplanned
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.pointing.follow_ups import BESIDE_IT
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import says_it
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.items.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text, day_and_date
from agent.loop.view_document import TaskView

_GAP = re.compile(
    r"(?:相?隔|相?差|间隔|距离?|离|空)(?:了|着|开|出)*(?:[^,，。;；]{0,14}?)(?:多久|几天|多少天|几个?(?:周|星期)|多少个?(?:周|星期))"
    r"|(?:还有|还剩|剩下?)(?:几|多少)(?:天|个?(?:周|星期))"
    r"|(?:间隔|相隔|隔得?)[^,，。]{0,4}(?:够|多大|怎么?样|合理|太短|太长)"
    r"|之间(?:有|是)?(?:多久|几天|多少天)|最[长久大][^,，。]{0,6}(?:间隔|空档)|间隔[^,，。]{0,6}最[长大]|(?:相?隔|间隔|差)得?最[久长]"
    r"|\bhow (?:many (?:more )?(?:days|weeks)|long|far|much time|big)\b.*\b(?:between|apart(?! from)|before|after"
    r"|until|till|from|gap|ahead of)\b"
    r"|\benough (?:time|days|space|room|gap)\b[^,.]*\b(?:between|apart)\b|\b(?:far|spaced) (?:enough )?apart\b"
    r"|\b(?:longest|biggest|largest) (?:gap|break|pause|stretch|rest)\b"
    r"|\bhow (?:many (?:days|weeks)|long) (?:until|till|before|to|is it (?:to|until|before))\b"
)
_CLOSE = re.compile(
    r"[挨隔离靠]得?(?:太|很|有点|比较)?[近紧]|挨着|太[近紧]|紧挨|[离跟和与][^,，。]{1,12}近[吗么不]|连着(?!排|两|几)"
    r"|\b(?:close (?:together|to)|too close|back to back|next to each other|right after each other)\b"
)
"""Whether things are near each other, which is told by how far they are apart."""
_LONGEST = re.compile(r"最[长久大]|\b(?:longest|biggest|largest)\b")
_BETWEEN = re.compile(r"间|隔|差|\b(?:between|apart(?! from))\b")
_WEEKS = re.compile(r"[几少]个?(?:周|星期|礼拜)|\bweeks\b")
_DEADLINE = re.compile(r"截止|ddl|死线|期限|考试|到期|\b(?:deadline|due|exam|end date|cut-?off)\b")
_OF_PLAN = re.compile(
    r"学|任务|课|空|内容|\b(?:stud\w+|items?|lessons?|classes|free|busy|off|tasks?|sessions?|labs?|chapters?|units?)\b"
)
"""What is counted in the days up to a date, which is no distance."""
_FIRST = re.compile(
    r"(?:哪|谁)[一个项]*(?:更|比较|在|是|排在)?(?:先|前|早|晚|后)|谁先谁后|先后"
    r"|\bwhich (?:one)? ?(?:'s|is|comes|goes|of \w+ (?:is|comes)"
    r"|do i do)"
    r" (?:first|earlier|later|before)|\bbefore or after\b|\bearlier or later\b|\b(?:comes|is) first\b"
)
_SIDE = re.compile(r"(?P<before>前[面边]?|之前|\bbefore\b)|(?P<after>后[面边]?|之后|\bafter\b)")
_BESIDE = r"\bbefore\b|\bafter\b|在|比|和|与|跟"
"""What stands between two items of which the sides are asked."""
_CLASHES = re.compile(r"冲突|撞[车上]?|重叠|打架|\b(?:clash\w*|conflict\w*|overlap\w*|collide\w*)\b")
_PAIR = 2


def distance_text(brief: Brief, text: str) -> str:
    """The answer to a question of one of these forms; empty where the message is none."""
    return next((told for form in _FORMS if (told := form(brief, text))), "")


def days_text(brief: Brief, number: int, *, weeks: bool = False) -> str:
    """So many days, told in weeks too where these are asked for."""
    days = brief.say(f"{number} 天", f"{number} day{'' if number == 1 else 's'}")
    whole, rest = divmod(number, 7)
    if not weeks or not whole:
        return days
    told = brief.say(f"{whole} 周", f"{whole} week{'' if whole == 1 else 's'}")
    more = brief.say(f"零 {rest} 天", f" and {days_text(brief, rest)}") if rest else ""
    return brief.say(f"{told}{more}（{days}）", f"{told}{more} ({days})")


def _gap_text(brief: Brief, text: str) -> str:
    """How long it is between two points that are named, or to one of them from today."""
    if not (_GAP.search(text) or (_CLOSE.search(text) and ASKS.search(text))):
        return ""
    if _LONGEST.search(text):
        return _longest_gap(brief)
    named = [row for row in named_items(brief.message, brief) or items_in(brief.message, brief) if row["slot"]]
    named = find_pair(brief, text, r"到|离|距|和|与|跟|\b(?:to|and|from)\b") or named
    ends = _ends_asked(brief, text) if _DEADLINE.search(text) and not named else []
    dates = [] if _OF_PLAN.search(text) else _dates_said(brief, text)
    spoken = [row for row in spoken_of(brief) if row["slot"] and row not in named]
    owners = classes_in(text, brief.classes) if _BETWEEN.search(text) and not (named or ends or dates) else []
    if len(owners) == 1:
        spoken = [row for row in brief.tasks if row["slot"] and row["class_id"] in owners]
    beside = len(named) == len(spoken) == 1 and (_CLOSE.search(text) or says_it(text))
    rows = [*named, *spoken] if beside else named or ([] if ends or dates else spoken)
    if _DEADLINE.search(text) and rows:
        ends = _ends_asked(brief, text, rows_in_time(rows)[-1]["class_id"])
        rows = rows_in_time(rows)[-1:]
    points = sorted([(day, line) for row, line in zip(rows_in_time(rows), item_lines(brief, rows), strict=False)
                     if (day := day_of(brief, row))] + ends + dates)  # fmt: skip
    if not named and len(points) == 1 and not (ends or dates):
        return ""
    weeks = _WEEKS.search(text) is not None
    if len(points) == _PAIR and rows:
        return _tell_apart(brief, points, weeks=weeks, due=bool(ends))
    of_one = len({row["class_id"] for row in rows}) == 1 and _BETWEEN.search(text)
    if len(points) == len(rows) > _PAIR and of_one:
        return "\n".join(_tell_apart(brief, pair, weeks=weeks, due=False) for pair in pairwise(points))
    return "\n".join(_tell_ahead(brief, *point, weeks=weeks) for point in points) if not rows or len(rows) == 1 else ""


def _ends_asked(brief: Brief, text: str, owner: int = 0) -> list[tuple[date, str]]:
    """The last days of the classes that are named, or of the one that owns an item."""
    ids = [owner] if owner else find_owners(text, brief)[0]
    told = ("「{name}」{end}截止", '"{name}" is due on {end}')
    return [
        (end, brief.say(*told, name=row["name"], end=date_text(brief, end))) for row in brief.classes
        if row["id"] in ids and len(ids) < len(brief.classes) and row["end_date"]
        and (end := date.fromisoformat(row["end_date"])) >= brief.term.today
    ]  # fmt: skip


def _dates_said(brief: Brief, text: str) -> list[tuple[date, str]]:
    today, found = brief.term.today, read_times(text, brief.term)
    ahead = (one for one in found if one.kind == "day" or (one.kind == "days" and one.first == today))
    days = {one.last for one in ahead if one.last and one.last > today and not one.impossible}
    return [(day, day_and_date(brief, day)) for day in sorted(days)]


def _tell_apart(brief: Brief, points: Sequence[tuple[date, str]], *, weeks: bool, due: bool) -> str:
    days = (points[1][0] - points[0][0]).days
    lead = ("离截止 {days}", "{days} before the deadline") if due else ("相差 {days}", "{days} apart")
    told = brief.say(*lead, days=days_text(brief, days, weeks=weeks))
    told += brief.say("（中间空 {n} 天）", " ({n} full days in between)", n=days - 1) if days > 1 else ""
    return "\n".join([told + brief.say("：", ":"), *(line for _, line in points)])


def _tell_ahead(brief: Brief, day: date, line: str, *, weeks: bool) -> str:
    days = (day - brief.term.today).days
    length = days_text(brief, abs(days), weeks=weeks)
    told = ("还有 {n}", "{n} from today") if days > 0 else ("就是今天", "today") if days == 0 else (
        "已经过去 {n}", "{n} ago")  # fmt: skip
    return f"{brief.say(*told, n=length)}{brief.say('：', ': ')}{line}"


def _longest_gap(brief: Brief) -> str:
    asked = asked_in(brief.message, brief)
    rows = [row for row in rows_in_time(brief.tasks) if row["slot"]]
    rows = [row for row in rows if not asked.classes or row["class_id"] in asked.classes]
    rows = [row for row in rows if not asked.kind or is_of_kind(row, asked.kind, brief)]
    gaps = [((day_of(brief, b) - day_of(brief, a)).days, a, b) for a, b in pairwise(rows)]  # type: ignore[operator]
    if not gaps:
        return ""
    days, first, last = max(gaps, key=lambda gap: gap[0])
    told = brief.say("最长相隔 {days}", "The longest is {days}", days=days_text(brief, days))
    if days > 1:
        told += brief.say("（中间空 {n} 天）", ", {between} in between", n=days - 1, between=days_text(brief, days - 1))
    return "\n".join([told + brief.say("：", ":"), *item_lines(brief, [first, last])])


def find_pair(brief: Brief, text: str, cut: str = r"\bor\b|\band\b|还是|before|after|和|与|跟|比") -> list[TaskView]:
    """The two items with a place that stand on both sides of these words, in the order in which they are named."""
    rows = {row["state_id"]: row for piece in re.split(cut, text) for row in items_in(piece, brief)}
    placed = [row for row in rows.values() if row["slot"]]
    return placed if len(placed) == _PAIR else []


_WHICH_FIRST = re.compile(
    r"(?:so |and |then )*(?:which|what) (?:one |of (?:them|the two|those) )?(?:comes|is|goes)"
    r"(?: now)? first(?: now| then)?\W*"
    r"|(?:那|所以)?(?:现在|它们)?(?:谁|哪[个项一]+)(?:排|会|要)?在?[先前](?:面|头)?[了呢?？。]*"
)


def _first_text(brief: Brief, text: str) -> str:
    """Which of two items comes first."""
    rows = find_pair(brief, text) if _FIRST.search(text) else []
    rows = rows or (find_pair(brief, text, _BESIDE) if says("side_asked", text) else [])
    if not rows and _WHICH_FIRST.fullmatch(text) and not items_in(text, brief):
        said = [brief.spoken.get(turn["text"], turn["text"]) for turn in brief.earlier if turn["role"] == "user"]
        rows = find_pair(brief, fold_text(said[-1])) if said else []  # those that were spoken of last
    if not rows:
        return ""
    first, last = rows_in_time(rows)
    days = (day_of(brief, last) - day_of(brief, first)).days  # type: ignore[operator]
    apart = (
        brief.say("相差 {n}", "{n} apart", n=days_text(brief, days)) if days else brief.say("同一天", "the same day")
    )
    told = ("{first}在前，{last}在后，{apart}：", "{first} comes first, {last} after it, {apart}:")
    head = brief.say(*told, first=first["name"], last=last["name"], apart=apart)
    return "\n".join([head, *item_lines(brief, rows)])


def _whether_first(brief: Brief, text: str) -> str:
    """Whether one item comes before or after another, in the order in which they are named."""
    side = _SIDE.search(text)
    rows = find_pair(brief, text, _BESIDE) if side and asks_whether(text) else []
    named = items_in(text, brief)
    spoken = [row for row in spoken_of(brief) if row not in named]
    if side and not rows and asks_whether(text) and len(named) == len(spoken) == 1:
        rows = [*named, *spoken] if BESIDE_IT.search(text) else [*spoken, *named]  # that is what is asked of
        rows = rows if all(row["slot"] for row in rows) else []
    if side is None or not rows or len({one.lastgroup for one in _SIDE.finditer(text)}) > 1:
        return ""
    yes = (rows_in_time(rows)[0] is rows[0]) is bool(side["before"])
    return "\n".join([brief.say("是的：", "Yes:") if yes else brief.say("不是：", "No:"), *item_lines(brief, rows)])


CLASHES_SHOWN = 10
MEND_IT = (
    "要给撞上考试的换时间，请说「把撞上考试的重新安排一下」。",
    'To give what clashes with an exam another time, say "reschedule what clashes with the exam".',
)


def tell_under_exams(brief: Brief, among: Collection[int] | None = None) -> str:
    """Which items an exam lies over, by number `among` those, and how they get another time; empty for none."""
    exams = {row["item_id"]: exam for row, exam in brief.under_exams if among is None or row["item_id"] in among}
    rows = rows_in_time([row for row, _ in brief.under_exams if row["item_id"] in exams])
    told = ("{line}，撞上考试「{exam}」", '{line}, clashes with the exam "{exam}"')
    named = [
        brief.say(*told, line=line, exam=exams[row["item_id"]])
        for row in rows[:CLASHES_SHOWN]
        for line in item_lines(brief, [row])
    ]
    return "\n".join([*named, brief.say(*MEND_IT)]) if named else ""


MISFITS = {
    "wrong_length": ("长度", "the length"),
    "order_before": ("顺序", "the order"),
    "order_after": ("顺序", "the order"),
    "outside_class_window": ("起止日期", "the dates"),
    "filler_not_allowed": ("不在课上做", "no lessons shared"),
}
"""What of its class an item stands against; whatever else is an excluded time."""
EXCLUDED_TIMES = ("不排的时间", "the excluded times")
MEND_MISFITS = (
    "要给和任务对不上的换时间，请说「把和任务对不上的重新安排一下」。",
    'To give what no longer fits its task another time, say "reschedule what no longer fits its task".',
)


def tell_misfits(brief: Brief) -> str:
    """Which items stand against what their class says by now, and how they get another time; empty for none."""
    rules_of = {row["item_id"]: rules for row, rules in brief.misfits}
    told = ("{line}，和任务现在的{what}对不上", "{line}, does not fit {what} of its task")
    named = []
    for row in rows_in_time([row for row, _ in brief.misfits])[:CLASHES_SHOWN]:
        words = dict.fromkeys(brief.say(*MISFITS.get(one, EXCLUDED_TIMES)) for one in rules_of[row["item_id"]])
        what = brief.say("、", " and ").join(words)
        named += [brief.say(*told, line=line, what=what) for line in item_lines(brief, [row])]
    return "\n".join([*named, brief.say(*MEND_MISFITS)]) if named else ""


def _clash_text(brief: Brief, text: str) -> str:
    """Whether items of the plan, or those that are named, lie on each other; on a lesson none is ever put."""
    if not (_CLASHES.search(text) and (asks_whether(text) or ASKS.search(text))) or read_times(text, brief.term):
        return ""
    named = [row for row in named_items(text, brief) or items_in(text, brief) if row["slot"]]
    rows = named if len(named) > 1 else [row for row in rows_in_time(brief.tasks) if row["slot"]]
    same = [
        (a, b) for a, b in pairwise(rows_in_time(rows)) if (s := a["slot"]) and (t := b["slot"])
        and (s["week"], s["day_of_week"]) == (t["week"], t["day_of_week"]) and t["slot_start"] <= s["slot_end"]
    ]  # fmt: skip
    if clashes := tell_under_exams(brief, {row["item_id"] for row in rows}):
        return "\n".join([brief.say("有：", "Yes:"), clashes])
    if same:
        return "\n".join([brief.say("有：", "Yes:"), *item_lines(brief, [row for pair in same for row in pair])])
    told = brief.say(
        "没有冲突：排好的 {n} 项互不重叠，也不会排在课程上面。",
        "No: none of the {n} planned items overlap, and none is ever put on a lesson.",
        n=sum(row["slot"] is not None for row in brief.tasks),
    )
    return "\n".join([told, *(item_lines(brief, named) if len(named) > 1 else ())])


_TIGHTEST = re.compile(
    r"(?:哪1?[个门一些]*(?:任务类?|课程?|科目?)?|谁)(?:的?时间|安排|排得)?(?:最|更|比较)(?:为|是)?(?:紧|赶|吃紧|不(?:够|宽裕)|没时间)"
    r"|\b(?:which|what)(?: (?:one|task|class|course|subject|of (?:them|these|my \w+)))*"
    r"(?: is|'s| has| feels| looks| are) (?:the )?(?:tighte(?:st|r)"
    r"|most (?:packed|rushed|pressed|crammed)|least (?:time|room|slack|space))\b"
)


def tightest_text(brief: Brief, text: str) -> str:
    """Which class, of those that are named or of all, has the fewest days between its last item and its end; empty for
    other messages."""
    if not _TIGHTEST.search(fold_numbers(text)) or read_times(text, brief.term):
        return ""
    named, spare, lines = classes_in(text, brief.classes), dict[int, int](), dict[int, str]()
    for row in brief.classes:
        days = [day for one in brief.tasks if one["class_id"] == row["id"] and (day := day_of(brief, one))]
        if days and row["end_date"] and (row["id"] in named or len(named) < _PAIR):
            end, last = date.fromisoformat(row["end_date"]), max(days)
            told = (
                "「{name}」（{n} 项）：最后一项在{last}，截止日期是{end}，中间还有 {days}。",
                '"{name}" (items: {n}): the last item is on {last}, the end date is {end}, {days} later.',
            )
            spare[row["id"]] = (end - last).days
            lines[row["id"]] = brief.say(
                *told, name=row["name"], n=len(days), last=date_text(brief, last), end=date_text(brief, end),
                days=days_text(brief, (end - last).days),
            )  # fmt: skip
    least = [one for one, days in spare.items() if days == min(spare.values())]
    head = brief.say("最紧的是{names}。", "The tightest: {names}.", names=brief.names_of(least))
    waiting = [row["id"] for row in brief.classes if row["id"] not in {one["class_id"] for one in brief.tasks}]
    waiting = [one for one in waiting if one in named or len(named) < _PAIR]
    left = [tell_unplanned(brief, waiting)] if waiting else []
    return "\n".join([head, *(lines[one] for one in sorted(spare, key=lambda one: spare[one])), *left]) if spare else ""


_FORMS = (_clash_text, _whether_first, _first_text, _gap_text)
