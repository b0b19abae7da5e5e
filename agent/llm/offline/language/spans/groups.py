"""Items that a message selects without naming them one by one: by when they are, by their class, all but some."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.mentions import KINDS, classes_in, items_in, without_classes, without_refusals
from agent.llm.offline.language.spans.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.reading import DAYS, HOURS, mark_times
from agent.loop.view_document import TaskView

_NOUN = "任务|安排|内容|东西|复习|单元|章节|事情?"
_BY_TIME = re.compile(
    rf"(?P<zh>{DAYS})(?:之间|期间)?(?:的?那[个些项章课讲节](?:{_NOUN})?|的(?:{_NOUN}))"
    rf"|(?:^|(?<=[把将,，。;；]))(?P<part>{HOURS})的(?:那[些个])?(?:{_NOUN})?(?=都|全|[移挪换改调放往]|给)"
    rf"|(?:^|(?<=[把将,，。;；]))(?P<alone>{DAYS})(?:之间|期间)?的(?![\ue000-\uf8ff第\d])"
    r"|\b(?:whatever|what|anything|everything|all|the (?:task|item|one|thing)s?)(?: that)?(?:'s| is| are)?"
    r"(?: planned| scheduled)? (?:on|for|from|in|between|after) (?:an? |the |all )?"
    rf"(?P<en>{DAYS}|{HOURS}|[\w ]{{3,40}}?(?= to\b))"
    rf"|\b(?:everything|anything|all|whatever)(?: (?:on|in|for|from))? (?P<week>{DAYS})"
    rf"|(?P<own>{DAYS})'s"
    r"(?: (?:tasks?|items?|ones?|stuff|things?|chapters?|units?|labs?))?(?!\s+(?:an?|the|my|when)\b)"
)
_SIGN = re.compile(f"{DAYS}|{HOURS}")
_EVERY = re.compile(
    r"所有|全(?!天)|每[个一项章]|都|整[个门]|其他|其余|其它"
    r"|\b(?:all|every|everything|whole|the rest|anything|whatever|each|any of|none of)\b"
)
_ALL_OF_THEM = re.compile(
    r"(?:它们|这些|那些)?[都全](?=[挪移推放改调排搬换])"
    r"|\b(?:all of (?:that|them|those|it)|them all|all of these)\b"
)
"""What was spoken of last, all of it."""
EXCEPTION = re.compile(
    r"[^,，。;；\s]{1,12}除外|除了?[^,，。;；]+?(?:之外|以外|外)?(?=[,，。;；都]|$)"
    r"|(?<![a-z])(?:except(?: for)?|but not|apart from|aside from|besides|bar|other than)"
    r" [^,.;]+?(?= (?:can|should|could|to|a)\b|[,.;]|$)"
)


_PENDING = re.compile(
    r"(?:没|未)(?:有|能)?(?:排|放)(?:进去|进|上|好|下|完)?的?(?:那?[几些]?[个项]?(?:任务|内容)?)|(?:排|放)不(?:下|进去?)的(?:那?[几些]个?)?"
    r"|\b(?:the |all )?(?:missing|unplaced|unscheduled|left[- ]?over) (?:ones|items|tasks|things)\b|\bleftovers\b"
    r"|\bthe (?:rest|remaining ones|remaining)\b|剩下的?|剩余的?"
    r"|\b(?:the ones|what|everything|whatever) (?:that )?(?:is|are|isn't|aren't|didn't|doesn't|don't|has"
    r"|have)? ?(?:not |no )?"
    r"(?:left over|placed yet|fit|place yet)\b"
)
"""The items that have no place."""


OTHER_DAY = "换一天"
"""What is said of an item that is to leave its day, whichever it goes to."""


@dataclass(frozen=True)
class Group:
    """The items selected, the message without the words that select, and whether all of them are meant."""

    items: list[TaskView]
    rest: str
    every: bool
    timed: bool = False
    """Whether they are picked by when they are."""


def find_group(message: str, brief: Brief) -> Group | None:
    """What a message selects; None when it names its items, or selects none. Nothing may stand at the time it names."""
    said = fold_text(message)
    wanted = without_refusals(said)
    text = _clause_of(EXCEPTION.sub(" ", wanted))
    if (count := _find_count(text, brief)) is not None:
        return count
    kept = [row for match in EXCEPTION.finditer(said) for row in _kept(match.group(), brief)]
    if items_in(text, brief):
        return None
    classes, every = classes_in(EXCEPTION.sub(" ", wanted), brief.classes), _EVERY.search(text) is not None
    if _PENDING.search(text) and not classes:
        waiting = [row for row in brief.tasks if not row["slot"]]
        return Group(waiting, _PENDING.sub(" ", text), every=True) if waiting else None
    match, phrases = _select_by_time(text)
    if match is None and len(classes) == 1 and _takes_by_time(text, brief):
        found = [row for row in _at_time(text, brief, every=every, past=_is_past(text)) if row["class_id"] in classes]
        return Group(found, without_classes(text, brief), every=len(found) > 1)
    own = [row for row in brief.tasks if row["slot"] and row not in kept and row["class_id"] in classes]
    if match is None:
        left_out = {row["class_id"] for row in kept}
        named = classes if len(classes) < len(brief.classes) or not target_in(text, brief).said else []
        owners = named or sorted(left_out)
        if _keeps_classes(said, brief) and len(left_out) < len(brief.classes):
            owners = [row["id"] for row in brief.classes if row["id"] not in left_out]
        own = [row for row in brief.tasks if row["slot"] and row not in kept and row["class_id"] in owners]
        target = target_in(text, brief)
        told = every or bool(kept) or shift_in(text) is not None or (target.part and not target.days)
        selected = bool(owners) and told and len(own) > (0 if kept else 1)
        if not owners and not kept and _ALL_OF_THEM.search(text) and len(spoken := spoken_of(brief)) > 1:
            return Group(spoken, _ALL_OF_THEM.sub(" ", text), every=True)
        return Group(_in_turn(own, text), text, every=True) if selected else None
    past = _is_past(text)
    when = _said(next(filter(None, match.group("zh", "part", "alone", "en", "week", "own"))), phrases)
    selecting = _said(match.group(), phrases)
    every = every or match["part"] is not None or "那些" in match.group()
    found = _at_time(when, brief, every=every, past=past)
    found = [
        row for row in found if row not in kept and (row in own or not classes or len(classes) == len(brief.classes))
    ]
    found = _of_kind(selecting, found)
    rest = text.replace(selecting, " ")
    return Group(_in_turn(found, rest), rest, every, timed=True)


def _select_by_time(text: str) -> tuple[re.Match[str] | None, list[str]]:
    """The words that select by a time, in signs for the time phrases, and these phrases."""
    marked, phrases = mark_times(text)
    return _BY_TIME.search(marked), phrases


def _said(signs: str, phrases: list[str]) -> str:
    """What was said, with the phrases in the place of their signs."""
    return _SIGN.sub(lambda sign: phrases[ord(sign[0]) & 0xFFF if sign[0] < HOURS[1] else ord(sign[0]) & 0x7FF], signs)


_COUNTED = re.compile(
    r"(?P<end>最[前后]|[前后头末]|最后|\b(?:the )?(?:first|last|final))\s*(?P<n>\d{1,2})\s*个?"
    r"(?P<kind>章节?|单元|项|讲|节课|实验|次|课|任务|\s?(?:chapters|units|items|parts|lectures|lessons|labs|tasks))"
)


def _find_count(text: str, brief: Brief) -> Group | None:
    """前三章, the last two labs: so many items from an end of a class."""
    said = fold_numbers(text)
    match = _COUNTED.search(said)
    if match is None:
        return None
    kind = match["kind"].strip().removesuffix("s").removesuffix("节")
    kinds = next((kinds for kinds in KINDS if kind in kinds), (kind,))
    owners = classes_in(text, brief.classes) if len(brief.classes) > 1 else []
    own = [row for row in brief.tasks if any(one in fold_text(row["name"]) for one in kinds)]
    own = [row for row in own or brief.tasks if not owners or row["class_id"] in owners]
    if len({row["class_id"] for row in own}) != 1:
        return None
    own.sort(key=lambda row: row["order"])
    count, first = int(match["n"]), re.search("前|头|first", match["end"])
    return Group(own[:count] if first else own[-count:], said.replace(match.group(), " "), every=True)


def is_exception(turn: str) -> bool:
    """Whether a turn only leaves something out: except chapter 1."""
    return EXCEPTION.match(fold_text(turn).strip() + ".") is not None


def _is_past(text: str) -> bool:
    return any(says(word, text) for word in ("not_done", "missed", "finished", "past"))


def _takes_by_time(text: str, brief: Brief) -> bool:
    """Whether a time beside a class selects its items: 周六的六级取消掉, where nothing is to go to that time."""
    target = target_in(text, brief)
    taken = any(says(word, text) for word in ("extract", "not_done", "missed", "finished"))
    return bool(target.days) and taken and not any(says(word, text) for word in ("place", "keep_free", "create"))


def _of_kind(words: str, found: list[TaskView]) -> list[TaskView]:
    """Of the items at a time those of the kind that is said: 昨天那章, yesterday's lab."""
    for kinds in KINDS:
        if any(re.search(rf"(?<![a-z]){kind}", words) for kind in kinds):
            return [row for row in found if any(kind in fold_text(row["name"]) for kind in kinds)] or found
    return found


def _kept(words: str, brief: Brief) -> list[TaskView]:
    """The items that an exception names, one by one or by their classes."""
    named = named_items(words, brief) or items_in(words, brief)
    return named or [row for row in brief.tasks if row["class_id"] in classes_in(words, brief.classes)]


def _keeps_classes(said: str, brief: Brief) -> bool:
    """Whether what is excepted are whole classes: 除了六级其它的."""
    words = " ".join(match.group() for match in EXCEPTION.finditer(said))
    return bool(classes_in(words, brief.classes)) and not (named_items(words, brief) or items_in(words, brief))


def selects_by_time(message: str) -> bool:
    """Whether items are named by when they are: 周四下午的任务, whatever is on Friday."""
    return _select_by_time(_clause_of(fold_text(message)))[0] is not None


def _clause_of(text: str) -> str:
    """Of several clauses the last one that says what is to be done with what it selects, else all of them."""
    clauses = [clause for clause in re.split(r"[,，。;；]|\bbut\b", text) if clause.strip()]
    verbs = ("move", "place", "remove", "swap")
    telling = [clause for clause in clauses if _select_by_time(clause)[0] and any(says(verb, clause) for verb in verbs)]
    return telling[-1] if telling and len(clauses) > 1 else text


def _in_turn(items: list[TaskView], rest: str) -> list[TaskView]:
    """The items in the order in which they can go: the last one first where they all go later."""
    shift = shift_in(rest)
    return items[::-1] if shift is not None and shift.days > 0 else items


def _at_time(words: str, brief: Brief, *, every: bool, past: bool) -> list[TaskView]:
    """The items that stand at a time: of every week, or of the nearest one that has some, from today on or behind."""
    target = target_in(words, brief)
    found = [
        row for row in brief.tasks
        if (slot := row["slot"]) and target.covers(slot)
    ]  # fmt: skip
    if not target.said or every or target.week or target.run:
        return found if target.said else []
    today = (brief.now["week"], brief.now["day_of_week"])
    days = {(row["slot"]["week"], row["slot"]["day_of_week"]) for row in found if row["slot"]}
    meant = max((day for day in days if day <= today), default=(0, 0)) if past else None
    week = meant[0] if meant else min((day[0] for day in days if day >= today), default=0)
    return [row for row in found if row["slot"] and row["slot"]["week"] == week]


def stands_there(row: TaskView, group: Group, brief: Brief) -> bool:
    """Whether an item of a group stands already where the group is to go."""
    target, slot = target_in(group.rest, brief), row["slot"]
    if slot is None or not target.said or target.sections or shift_in(group.rest) is not None:
        return False
    return target.covers(slot)


def _part_text(part: tuple[int, int], said: str, brief: Brief) -> str:
    """A part of the day in words, or the hour as it was said."""
    if part in brief.term.day_parts:
        return ("上午", "下午", "晚上")[brief.term.day_parts.index(part)]
    hour = re.search(r"\S*(?:点|\d\s*[ap]m|:\d\d)\S*", said)
    return hour.group() if hour else ""


def find_place_for_one(row: TaskView, group: Group, brief: Brief) -> str:
    """Where one item of a group is to go, in words: in its own week, at its own time, unless another is said."""
    target, shift, slot = target_in(group.rest, brief), shift_in(group.rest), row["slot"]
    if slot is None:
        return group.rest
    week, day = slot["week"], slot["day_of_week"]
    if shift is not None and shift.days:
        day_number = 7 * (week - 1) + day - 1 + shift.days
        sections = f"{slot['slot_start']}-{slot['slot_end']}节"
        return f"第{day_number // 7 + 1}周周{'一二三四五六日'[day_number % 7]} {sections}"
    if target.run:
        return group.rest
    if not target.said:
        return OTHER_DAY if group.timed and says("sent_away", group.rest) else group.rest
    wanted = target.days[0] if target.days else day
    week = target.week or (week if wanted >= day else week + 1)
    if target.week and not target.days:
        wanted = day
    other = f"，放不下就第{week}周" if target.week and not target.days and not target.sections else ""
    part = _part_text(target.part, group.rest, brief) if target.part else ""
    sections = f"{target.sections[0]}-{target.sections[1] or target.sections[0] + 1}节" if target.sections else part
    return f"第{week}周周{'一二三四五六日'[wanted - 1]} {sections}{other}{part if other else ''}"
