"""The classes that a request for a plan means: those it names, all but those it leaves out or holds, the smallest."""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_times import excludes, find_owners
from agent.llm.offline.language.spans.dates import parts_in, range_in, weekdays_in
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.mentions import (
    NEGATED,
    all_items,
    classes_in,
    items_in,
    said_names,
    without_refusals,
)
from agent.llm.offline.language.words.guarded import GuardedPattern
from agent.loop.view_document import ClassView

_AFTER_EXCEPT = re.compile(r".*\b(?:except|apart from|but not|leave out|skip|all but|everything but)\b(.*)")
_BOTH = 2
_TWO = re.compile(r"(?<![多过天])[两2二]个(?!章|单元|实验|讲|课时|项|节)|俩|\bboth\b")
_AT_MOST_TWO = re.compile(
    r"每(?:俩|[两2二]个)|(?:[最至]多|不超过|别超过|每个?[周天]|[1一]个?[周天])[^,，。;；]{0,6}(?:俩|[两2二]个)|[最至]多(?:俩|[两2二]个)"
)
"""Two that are so many a day or a week, and no classes."""
_SMALLEST = re.compile(r"(?:内容|项目?|东西)?最[少短小](?:的|那)|\b(?:smallest|shortest|fewest|least|quickest)\b")
_LARGEST = re.compile(r"(?:内容|项目?|东西)?最[多长大](?:的|那)|\b(?:biggest|largest|longest|most items)\b")
_FIRST_DUE = re.compile(r"最[急早先]|\b(?:most urgent|due (?:first|soonest)|soonest|(?:earliest|first) deadline)\b")
_CLAUSES = re.compile(r"[,，。;；\n]|\b(?:and|(?<!all )(?<!thing )but)\b")
_NOT = re.compile(
    r"\s*(?:but )?not (?:the |my )[a-z]|\s*(?:please |just )?leave (?:the |my )[a-z ]{2,30}$"
    r"|\s*(?:先)?(?:不排|不要排|别排)|\s*(?:please )?(?:don'?t|do not) (?:plan|schedule|do) [a-z' ]{2,30}$"
    r"|\s*(?:but )?(?:no|not) (?!only|just|more|less)[a-z' ]{2,30}$"
)
_OTHERS = re.compile(r"其[他余它]|别的|剩下|\b(?:others?|the rest)\b")


def find_planned_classes(message: str, brief: Brief) -> list[int]:
    """Classes that a message wants planned; the only class of a student who has one and named none."""
    said = fold_text(message)
    held = find_held_classes(message, brief) if says("reschedule", said) else []
    if held:
        return [
            row["id"]
            for row in brief.classes
            if row["id"] not in held and row["id"] in (brief.scope or brief.class_ids)
        ]
    said = _leave_out_all_then(without_refusals(said), brief)
    if wants_waiting_classes(said, brief):
        return find_waiting_classes(brief)
    ids = classes_in(said, brief.classes)
    left_out = find_left_out(said, brief)
    told = [*dict.fromkeys(one for clause in _CLAUSES.split(said) for one in find_owners(clause, brief))]
    wanted = [one for one in told if one not in left_out]
    several = told and {*told} <= {*find_waiting_classes(brief)} and not _EVERY.search(_THEM_ALL.sub(" ", said))
    if several and (len(told) > 1 or (wanted and not ids)):
        return wanted
    if ids and _names_all(said, brief):
        return [class_id for class_id in brief.class_ids if class_id not in left_out]
    if left_out:
        wanted = [class_id for class_id in ids if class_id not in left_out]
        wanted = wanted or [one for one in _find_waiting_owners(said, brief) if one not in left_out]
        return wanted or [class_id for class_id in brief.class_ids if class_id not in left_out]
    both = _TWO.search(_AT_MOST_TWO.sub(" ", fold_text(message))) is not None
    if both and len(ids) != 2 and not _are_items(ids, brief):
        return next((two for two in (find_waiting_classes(brief), [*brief.scope]) if len(two) == _BOTH), [])
    if not ids and (best := _by_quality(said, brief)) is not None:
        return [best["id"]]
    if not ids and not brief.scope and len(brief.classes) == 1:
        return brief.class_ids
    if not ids and all(says(concept, fold_text(message)) for concept in ("others_wanted", "also")):
        return [class_id for class_id in brief.class_ids if class_id not in brief.view["already_built"]]
    if waiting := ids and {*find_waiting_classes(brief)} - {*ids}:
        timed = [clause for clause in _CLAUSES.split(said) if weekdays_in(clause) or parts_in(clause, brief.term)]
        ids = [*ids, *dict.fromkeys(one for clause in timed for one in find_owners(clause, brief) if one in waiting)]
    return ids or (_find_spoken_waiting(brief) if _NO_OBJECT.match(said) else [])


_ALL_THEN = re.compile(
    r"(?<=[,，;；])(?P<lead>\s*(?:而且|并且|也?要)*)(?:[都全]|统统|一律)(?P<zh>[要得]?(?:安?排|放)?在?(?=[周星礼早上中下晚第\d]))"
    r"|(?<=[,;])\s*all(?: of them)?(?P<en> (?:on|in|at|before|by)\b)"
)


def _leave_out_all_then(said: str, brief: Brief) -> str:
    """A folded message without "all" where that is all of what the clause before names: three labs, all on friday."""

    def leave_out(found: re.Match[str]) -> str:
        before = _CLAUSES.split(said[: found.start()].rstrip(",，;； "))[-1]
        owners = find_owners(before, brief)
        named = 0 < len(owners) < len(brief.classes)
        return f"{found['lead'] or ''}{found['zh'] or found['en'] or ''}" if named else found.group()

    return _ALL_THEN.sub(leave_out, said)


_NO_OBJECT = re.compile(
    r"(?:那|就|帮我|给我|请|麻烦|先|你|也|[,，\s])*(?:安排|规划|排)(?:[一1]?下|好|上|进[去来]|[吧了呗])*(?:$|[,，。!！])"
)
"""A request for a plan that leaves out of what, as Chinese does for what was just spoken of."""


def _find_spoken_waiting(brief: Brief) -> list[int]:
    """The one class without a plan that the student's last words before these name; none where it is another one."""
    said = next((turn["text"] for turn in reversed(brief.earlier) if turn["role"] == "user"), "")
    ids = classes_in(said, brief.classes) or find_owners(said, brief)
    return ids if len(ids) == 1 and ids[0] in find_waiting_classes(brief) else []


WAITING = re.compile(
    r"(?:没有?|未|还没有?)(?:安?排|规划|计划)(?:的|过)|剩下的?(?=[^,，。;；]{0,4}(?:都|全)?[^,，。;；]{0,4}[安排塞])"
    r"|\b(?:not|n't|never|yet to be|isn't|aren't|haven't)\b[^,.;]{0,24}\b(?:planned|scheduled|slotted|placed)\b"
    r"|\bun(?:planned|scheduled)\b|\b(?:plan|schedule|arrange)\b[^,.;]{0,12}\bthe rest\b(?! of)"
    r"|\bleft to (?:plan|schedule)\b|\b(?:still|yet) (?:to be|needs?|has to be|have to be) (?:planned|scheduled)\b"
)
"""What has no plan yet, of which no class is named."""
WAITING_SAID = re.compile(
    r"(?:没有?|未|还没有?)(?:安?排|规划|计划|弄|动|搞)|\b(?:not|n't|never)\b[^,.;]{0,16}\b(?:planned|scheduled|in)\b|\bun(?:planned|scheduled)\b"
)
"""That something has no plan yet."""


def find_waiting_classes(brief: Brief) -> list[int]:
    """The classes of which nothing was planned when the goal began."""
    planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
    return [row["id"] for row in brief.classes if row["id"] not in planned]


def _find_waiting_owners(said: str, brief: Brief) -> list[int]:
    """The classes without a plan of which items are named."""
    named = {row["class_id"] for row in items_in(said, brief, among=all_items(brief))}
    return [one for one in find_waiting_classes(brief) if one in named]


def wants_waiting_classes(said: str, brief: Brief) -> bool:
    """Whether a folded message is about what has no plan yet, and there are such classes."""
    waiting, named = find_waiting_classes(brief), find_owners(said, brief)
    some = bool(named) and {*named} < {*waiting}
    return WAITING.search(said) is not None and not said_names(said, brief) and not some and bool(waiting)


def _are_items(ids: list[int], brief: Brief) -> bool:
    """Whether "both" counts the items of the one class that is named: 六级词汇那俩, the two vocab ones."""
    row = brief.class_of(ids[0]) if len(ids) == 1 else None
    return row is not None and row["item_count"] == _BOTH


def _names_all(said: str, brief: Brief) -> bool:
    """Whether a clause that asks for the plan wants all classes, whatever others tell of some: 三门都排，概率论优先."""
    clauses = [clause for clause in _CLAUSES.split(said) if says("build", clause) or says("arrange", clause)]
    alone = [clause for clause in clauses if not (said_names(clause, brief) or excludes(clause))]
    counts = (int(match.group("n")) for clause in alone for match in _COUNTED.finditer(fold_numbers(clause)))
    return any(_ALL.search(clause) for clause in alone) or len(brief.classes) in counts


_ALL = re.compile(r"全部|所有|都|\b(?:all|everything|every class|the (?:whole )?lot)\b")
_EVERY = re.compile(r"全部|所有|\b(?:all|everything|every class|the (?:whole )?lot)\b")
_THEM_ALL = re.compile(r"\ball of (?:it|them)\b|\b(?:them|it) all\b")
"""All of what is named."""
_COUNTED = re.compile(r"(?P<n>\d)\s*(?:门|个?科|个任务类|(?:classes|courses|subjects|of them))")


def find_left_out(said: str, brief: Brief) -> list[int]:
    """The classes of the clauses that leave some out: 实验先不管, leave CET for another time, all but the labs."""
    parts = [one for one in _CLAUSES.split(said) if one.strip()]
    clauses = [one for one in parts if (says("leave_out", one) and not _OTHERS.search(one)) or _NOT.match(one)]
    dated = [one for one in clauses if weekdays_in(one) or parts_in(one, brief.term) or says("deadline", one)]
    clauses = [one for one in clauses if one not in dated]  # that leaves times free, or tells another last day
    words = " ".join(_AFTER_EXCEPT.sub(r"\1", clause) for clause in clauses)
    found = classes_in(words, brief.classes) or (find_owners(words, brief) if words.strip() else [])
    return found if len(found) < len(brief.classes) else []


def _by_quality(said: str, brief: Brief) -> ClassView | None:
    """The class that is the smallest, the largest or due first, where only one is."""
    rows = list(brief.classes)
    if _SMALLEST.search(said) or _LARGEST.search(said):
        size = (min if _SMALLEST.search(said) else max)(row["item_count"] for row in rows)
        found = [row for row in rows if row["item_count"] == size]
    elif _FIRST_DUE.search(said):
        due = min(row["end_date"] or "9" for row in rows)
        found = [row for row in rows if row["end_date"] == due]
    else:
        return None
    return found[0] if len(found) == 1 else None


def read_plan_dates(message: str, ids: list[int], brief: Brief) -> dict[int, tuple[date | None, date | None]]:
    """The first and the last day that a request for a plan gives each class: of a clause that names classes to those,
    of another one to all; what its class keeps to already is left out."""
    left_out, found = (
        find_left_out(without_refusals(fold_text(message)), brief),
        dict[int, tuple[date | None, date | None]](),
    )
    clauses = _DATED_CLAUSES.split(message)
    every = [classes_in(clause, brief.classes) or find_owners(clause, brief) for clause in clauses]
    before, apart = list[int](), False
    for at, clause in enumerate(clauses):
        before = every[at] or before
        first, last = range_in(clause, brief.term)
        if _OTHER_BOUND.search(fold_text(clause)):
            continue
        free = (excludes(fold_text(clause)) and not _DONE.search(clause)) or says("busy_then", fold_text(clause))
        if free or not (first or last):
            continue
        if items_in(clause, brief, among=all_items(brief)) or not _BOUND.search(fold_numbers(clause)):
            continue
        begins = _BEGIN.search(fold_text(clause)) is not None
        if first and last and (begins or not _DONE_BY.search(fold_text(clause))):
            continue
        if first and last and _BEFORE_WEEK.search(fold_text(clause)):
            last = first - timedelta(days=1)
        first, last = (first, None) if begins else (None, last or first)
        # What names none is of the class before it, where another one follows or had a date of its own like that.
        apart = not every[at] and bool(before) and (apart or any({*one} - {*before} for one in every[at:]))
        owners = [one for one in (before if apart else every[at]) if one not in left_out]
        for one in owners or ids:
            known = found.get(one, (None, None))
            if one in ids:
                found[one] = (first or known[0], last or known[1])
    return found


_DATED_CLAUSES = re.compile(r"[,，。;；:：!！?？\n]+|\.(?:\s|$)|\s(?:and|but)\s|(?<=[一-鿿]) (?=[一-鿿])")
_OTHER_BOUND = re.compile(r"前[,，]?只|除外|例外|[移挪搬]到|\b(?:mov\w*|only (?:\w+ ){1,3}(?:before|until|till))\b")
"""A date that bounds something else than the plan of a class."""
_DONE = re.compile(r"完|结束|\b(?:done|finish\w*|complete\w*)\b")
_DONE_BY = re.compile(r"前|截止|最晚|最迟|为止|完|结束|\b(?:by|before|until|till|due|deadline|done|finish\w*|end\w*)\b")
_BEFORE_WEEK = re.compile(r"周[之以]?前|\bbefore week\b")
_BEGIN = re.compile(r"从|开始|起(?!来)|\b(?:from|start\w*|begin\w*|not before|after|since)\b")
_BOUND = re.compile(
    r"前|截止|最晚|最迟|不晚于|到|至|为止|结束|完成|[学做背看复习弄搞排]完|从|开始|起(?!来)|交|考|ddl"
    r"|\b(?:by|before|until|till|to|due|deadline|end\w*|finish\w*|done|no later than|latest|from|start\w*"
    r"|begin\w*|after|exam)\b"
)
"""What makes a date the first or the last day of a plan."""


def find_held_classes(message: str, brief: Brief) -> list[int]:
    """The classes that are to stay as they are: 不要动概率论，其他重排; redo it all but leave probability alone."""
    text = fold_text(message)
    if items_in(text, brief, among=all_items(brief)):
        return []
    said = [match.group() for pattern_ in (NEGATED, _HELD, EXCEPTION) for match in pattern_.finditer(text)]
    held = classes_in(" ".join(said), brief.classes) if said else []
    return held if len(held) < len(brief.classes) else []


_HELD = GuardedPattern(
    r"[^,，。;；]{1,12}(?:保持(?:不变|原样|现状)|维持|不(?:用|要|许)?[动变改]|别[动碰])|(?:保留|留着|锁[定住]|固定)[^,，。;；]{1,12}"
    r"|\b(?:keep|leave|lock|hold|fix)\b[^,.;]{1,40}|\b(?:don't|do not|without) (?:touch|chang|mov)\w*[^,.;]{1,30}",
    needed="[保维不别留锁固]|keep|leave|lock|hold|fix|don't|do not|without",
)


_OBJECT = re.compile(
    r"(?:把|将)(?P<zh>[^,，。;；]{2,12}?)(?:也|都|给我|帮我|先)*(?:排|安排|规划)|^(?:帮我|请|给我)?(?:安排|规划"
    r"|排)(?:一下|下)(?P<zh2>[^,，。;；的]{2,12}?)吧?$"
    r"|^(?:please |can you |could you )*(?:plan|schedule|arrange)\s+(?P<en>[\w' ]{3,40}?)\s*(?:please|[,.;!?]|$)"
)
_GENERAL = re.compile(
    r"^(?:please|pls|now|up|out|thanks)\b|"
    r"复习|学习|计划|课程|课表|任务|内容|日程|时间|它|这|那|剩|其余|所有|全|都|东西|学期|周|考试|期末|我|初稿|几|些"
    r"|排程|一切"
    r"|\b(?:my|it|them|this|that|all|everything|week|study|studies|revision|the rest|classes|class|plan"
    r"|draft|again|things|both|day|tasks|timetable|me|exams?|please|complete|now)\b"
)


def unknown_class(message: str) -> str:
    """The name in 把微积分排好 of a class that is not there; empty for general words."""
    match = _OBJECT.search(fold_text(message))
    name = (match["zh"] or match["zh2"] or match["en"] or "").strip() if match else ""
    return "" if _GENERAL.search(name) else name
