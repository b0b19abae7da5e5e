"""Which items a message means that does not name them one by one: pronouns, and several items in one sentence."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.ellipsis import names_something, says_it
from agent.llm.offline.language.intents import intent_of
from agent.llm.offline.language.mentions import STATE_ID, classes_in, items_in, without_refusals
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.targets import shift_in, target_in
from agent.loop.view_document import TaskView

_AND = re.compile(r"[、和与跟及&]|\b(?:and|plus)\b|[,，]")
_CLAUSE = re.compile(r"[,，;；。\n]|然后|接着|再把|\b(?:and then|then)\b|\.(?:\s|$)")
_AND_ALSO = re.compile(r"和|与|跟|以及|\band\b")
_BY_TIME = re.compile(
    r"(?P<zh>(?:第\s*[\d一二三四五六七八九十]+周|[本这下]周)?(?:的)?(?:周|星期)?[一二三四五六日天](?:上午|下午|晚上)?)的(?:那个|那项)?(?:任务|安排|内容|东西|复习)"
    r"|\b(?:whatever|what|anything|everything|the (?:task|item|one)s?)(?:'s| is| are)?(?: planned| scheduled)? "
    r"(?:on|for) "
    r"(?P<en>[\w ]{3,40}?)(?= to\b)",
    re.IGNORECASE,
)
_UNIT = "章|项|讲|部分|单元|次|课|篇"
_LISTED = re.compile(rf"第\s*(\d{{1,3}})((?:\s*[、和与,，]\s*第?\s*\d{{1,3}})+)\s*({_UNIT})")
_LISTED_EN = re.compile(
    r"\b(chapter|item|part|unit|lecture|lesson)s?\s*(\d{1,3})((?:\s*(?:,|and|&)\s*(?:and\s+)?\d{1,3}(?![-\d:]))+)"
)
EXCEPTION = re.compile(
    r"除了?[^,，。;；]+?(?:之外|以外|外)?(?=[,，。;；都]|$)|(?<![a-z])(?:except(?: for)?|but not|apart from) [^,.;]+"
)
_MOST_PARTS, _MOST_OF_A_CLASS = 8, 20
"""Each of them has its own card."""
_REMOVED = {"zh": "移出", "en": "unplace"}


def spoken_of(brief: Brief) -> list[TaskView]:
    """The items named last before this goal: by the student in any way, to the student by their [id] only."""
    for turn in reversed(brief.earlier):
        if turn["role"] == "user":
            found = named_items(turn["text"], brief) or items_in(turn["text"], brief)
        else:
            found = [row for row in brief.tasks if row["item_id"] in turn["item_ids"]]
        if found:
            return found
    return []


def meant_items(message: str, brief: Brief) -> list[TaskView]:
    """The items a message names, or those its pronoun stands for. Several = ambiguous."""
    found = items_in(message, brief)
    if found or classes_in(message, brief.classes):
        return found
    there, _ = _at_a_time(message, brief)
    if there:
        return there
    spoken = spoken_of(brief)
    return spoken if says_it(message) or (len(spoken) == 1 and not names_something(message, brief)) else []


def _at_a_time(message: str, brief: Brief) -> tuple[list[TaskView], str]:
    """The items of the first week that stand at a time by which they are named, and the words: 周四下午的任务."""
    match = _BY_TIME.search(message)
    target = target_in(match["zh"] or match["en"], brief) if match else None
    if match is None or target is None or not target.days:
        return [], ""
    found = [
        row for row in brief.tasks
        if (slot := row["slot"]) and slot["day_of_week"] in target.days and target.week in (None, slot["week"])
        and (not target.part or target.part[0] <= slot["slot_start"] <= target.part[1])
    ]  # fmt: skip
    week = min((row["slot"]["week"] for row in found if row["slot"]), default=0)
    return [row for row in found if row["slot"] and row["slot"]["week"] == week], match.group()


def without_origin(message: str, brief: Brief) -> str:
    """A message without the time by which it names its item."""
    return message.replace(_at_a_time(message, brief)[1] or "\0", " ")


def named_items(message: str, brief: Brief) -> list[TaskView]:
    """Two or more items named side by side, each beyond doubt; nothing otherwise."""
    found: list[TaskView] = []
    for piece in _AND.split(spell_out_ordinals(message)):
        rows = items_in(piece, brief)
        if len(rows) > 1:
            return []
        found += [row for row in rows if row not in found]
    return found if len(found) > 1 else []


def spell_out_ordinals(message: str) -> str:
    """第2、3章 -> 第2章、第3章; chapters 2 and 3 -> chapter 2, chapter 3."""
    text = fold_numbers(message)
    text = _LISTED.sub(
        lambda match: "、".join(f"第{n}{match[3]}" for n in re.findall(r"\d+", match[1] + match[2])), text
    )
    return _LISTED_EN.sub(
        lambda match: ", ".join(f"{match[1]} {n}" for n in [match[2], *re.findall(r"\d+", match[3])]), text
    )


def _without_exception(request: str, brief: Brief) -> tuple[str, list[TaskView]]:
    """A request about a whole class without what it leaves out, and the items that stay: 都撤下来，除了第1章."""
    said = [match.group() for match in EXCEPTION.finditer(request)]
    return EXCEPTION.sub(" ", request), [row for text in said for row in items_in(text, brief)]


def leaves_some_out(brief: Brief) -> bool:
    """Whether a removal names what it leaves out."""
    return intent_of(brief.request, brief) == "remove" and bool(_without_exception(brief.request, brief)[1])


def parts_of(request: str, brief: Brief) -> list[tuple[TaskView, str]]:
    """A request about several items as one request for each: the item, and what is to be done with it."""
    intent, request = intent_of(request, brief), without_refusals(fold_numbers(request))
    request, kept = _without_exception(request, brief) if intent == "remove" else (request, [])
    if intent == "remove" and not items_in(spell_out_ordinals(request), brief) and not says_it(request):
        return [
            (row, f"[{row['state_id']}] {_REMOVED[brief.language]}")
            for row in _whole_class(request, brief)
            if row not in kept
        ]
    if intent == "swap" or not _several(request, brief):
        return []
    groups: list[tuple[list[TaskView], str]] = []
    for clause in _clauses(request, brief):
        found = named_items(clause, brief) or items_in(clause, brief)
        if groups and (not found or not _tells(groups[-1][1], brief)):
            items, text = groups[-1]
            groups[-1] = ([*items, *(row for row in found if row not in items)], f"{text} {_bare(clause, found)}")
        elif found:
            groups.append((found, _bare(clause, found)))
    parts = [(row, f"[{row['state_id']}] {text}") for items, text in groups for row in items]
    return parts if 1 < len(parts) <= _MOST_PARTS else []


def _clauses(request: str, brief: Brief) -> list[str]:
    """The sentence divided; also at "and" where each side has an item and a time of its own."""
    divided: list[str] = []
    for clause in _CLAUSE.split(spell_out_ordinals(request)):
        sides = _AND_ALSO.split(clause)
        whole = all(items_in(side, brief) and target_in(side, brief).said for side in sides)
        divided += sides if len(sides) > 1 and whole else [clause]
    return divided


def _whole_class(request: str, brief: Brief) -> list[TaskView]:
    """The placed items of the one class that a removal names."""
    named = classes_in(request, brief.classes)
    done = [row["arguments"] for row in brief.results if row["tool"] in ("unplace", "batch_unplace")]
    gone = {number for given in done for number in (given.get("task_id"), *given.get("task_ids", ()))}
    own = [row for row in brief.tasks if named == [row["class_id"]]]
    rows = [row for row in own if row["slot"] or row["state_id"] in gone]
    return rows if 1 < len(rows) <= _MOST_OF_A_CLASS else []


def _several(request: str, brief: Brief) -> bool:
    return bool(named_items(request, brief)) or (says_it(request) and "它们" in request)


def _tells(text: str, brief: Brief) -> bool:
    """Whether these words say what is to be done or where."""
    told = target_in(text, brief).said or shift_in(text) is not None
    return told or intent_of(text, brief) in ("remove", "swap")


def _bare(clause: str, items: list[TaskView]) -> str:
    """The clause without the names of its items."""
    text = STATE_ID.sub(" ", clause)
    for row in items:
        text = text.replace(fold_numbers(row["name"]), " ")
    return re.sub(rf"第\s*\d{{1,3}}\s*(?:{_UNIT})|\b(?:chapter|item|part|unit|lecture|lesson)\s*\d{{1,3}}", " ", text)
