"""Items that a message selects without naming them one by one: by when they are, by their class, all but some."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.items.described_forms import when_of
from agent.llm.offline.language.spans.items.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.lesson_moves import owns_lesson, says_lesson, says_subject
from agent.llm.offline.language.spans.mentions import (
    KINDS,
    NEGATED,
    classes_in,
    items_in,
    said_names,
    without_classes,
    without_refusals,
)
from agent.llm.offline.language.spans.targets import (
    PlaceTarget,
    avoided_in,
    blank_calendar_names,
    join_times,
    place_of,
    shift_in,
    target_in,
    way_in,
)
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.llm.offline.language.spans.times.words import EN_DAY, MONTH
from agent.llm.offline.language.words.guarded import GuardedPattern
from agent.loop.view_document import TaskView

_NOUN = "任务|安排|内容|东西|复习|单元|章节?|实验|学习|计划|事情?|活儿?"
_EN_NOUN = (
    r"(?:(?:study )?(?:stuff|things?|tasks?|items?|ones|one(?! (?:day|week|section|period|hour))|sessions?|work"
    r"|chapters?|units?|labs?|topics?|lectures?))"
)
_PICKED_BEHIND = re.compile(
    rf"(?:[这那]?(?:几?天|段时间|期间))?(?:之间|之内|以内|里面?|内|期间)?(?:我|要|有|排|放|安排|写|学)*"
    rf"(?P<bound>之前|以前|之后|以后|前|后)?"
    rf"(?:的?(?:[那这](?:(?:(?P<some>[几些])|(?P<n>[俩两三四五六2-6]))[个项]?|[一1]?[个项章课讲节])|(?P<left>剩下"
    rf"|剩余|余下"
    rf"|没[做学]完?)的?[那这]?[几些]?[个项]?)(?:{_NOUN})?"
    rf"|的(?P<counted>[俩两三四五六2-6])[个项](?:{_NOUN})?"
    rf"|的?(?P<end>(?:第\s*[1一]|最[早前]面?那?[1一]?|最[后晚]那?[1一]?|头[1一])\s*[个项件])(?:{_NOUN})?"
    rf"|的?(?P<all>所有|全部|一切|整[天周])的?(?:{_NOUN})?|的(?:其[他它余]的?|别的)?(?:{_NOUN})"
    r"|的(?P<bare>(?=$|[\s,，。;；都全一先给移挪换改调推往提延拖搬清腾放不取删撤能可尽随]))"
    r"|(?P<both>[都全](?=[移挪换改调推往提延拖搬])))"
)
"""Behind a time by which items are picked: 周五的任务, 下周三那个, 4月20号到24号之间的."""
_PUT_THERE = re.compile(r"(?:[移挪换改调推拖搬放排塞提延]?[到在至去成回给往]|[移挪换调推拖搬放排塞])\s*$")
"""Before a time to which something goes."""
_STANDS_THERE = re.compile(r"(?:所有|全部|那些|这些|已经?|目前|现在|原来|原本|[把将])的?(?:安?排|放|定)[在到]了?\s*$")
"""Before a time at which something stands: 把排在周六的任务移到周日."""
_PICKED_BEFORE = re.compile(
    rf"\b(?:(?P<all>everything|anything|whatevers?|(?<!at )all(?: of)?|what|(?:the )?rest|both)(?: of)?"
    rf"(?: (?:my|the|those|these))?"
    rf"(?: (?:(?:[a-z]+ ){{0,3}}{_EN_NOUN}|left|remaining))?(?:(?<=whatever)'s left)?"
    rf"|(?:the|those|these) (?P<n>two|three|four|five|[2-5])(?:(?: [a-z]+){{0,3}} {_EN_NOUN})?"
    rf"|(?P<end>(?:the )?(?:first|last) {_EN_NOUN})"
    rf"|(?P<each>(?:every|each|any)(?: \w+){{0,2}} {_EN_NOUN})|(?:the |my |that )(?:\w+ )?(?P<noun>{_EN_NOUN}))"
    r"(?: that)?(?:'s|'ve| is| are| have| i have| i've| i'm| i got| got| sits?| falls?| doing"
    r"| planned| scheduled| due| there)*"
    r"(?: (?P<end2>first|last) thing)?"
    r"(?P<at> (?:off|on|for|from|in|after|before|between|during|over|of|until|at|since|past"
    r"|till|through|as of|up to(?: and including)?|starting(?: in)?))?"
    r"(?: (?:an?|the|all|my))*\s*$"
)
_MOVED_WHOLE = re.compile(
    r"(?:[把将]|\b(?:move|shift|push|drag|bump|postpone|delay|pull|bring)\w*\s+(?:(?:my|the|all(?: of)?)\s+)*)$"
)
"""Before a time all of which moves: 把周三挪到周五, move the rest of this week to next week."""
_WAY_ON = re.compile(
    r"\s*(?:[移挪换改调推往提延拖搬]|(?:to|back|by|forward|later|earlier|ahead)\b|\S{1,12} (?:later|earlier)\b)"
)
_EACH_TIME = re.compile(
    r"每|所有(?:安?排在|在|放在)?的?(?:周|星期|礼拜)|工作日|(?:周|星期)[一二三四五六日天末1-6]\s*都|\b(?:every|each|all"
    r"|any) (?:of )?(?:the |my )?(?:\w+day"
    r"|weekend)s?\b"
    r"|(?<!wednes)(?<!tues)\b\w+days\b(?!')|\bweekends\b"
)
"""All days of that name are meant, not the nearest one alone."""
_HALF = re.compile(
    rf"[一1]半(?![天个小夜])|\bhalf\b(?! (?:past|an hour|a day|of (?:(?:the|this|next) month\b|{MONTH})))"
)
"""The later half of what is picked."""
_STILL = re.compile(r"剩|余下|没[做学]|\b(?:rest|left|remaining)\b")
"""Only what is still to come."""
_AWAY = re.compile(r"\b(?:off|away from|out of) (?:my |the |any )?(?:weekends?|weekdays?|[a-z]+days?)\b")
"""Where what is picked is not to be any more."""
_LEFT = re.compile(
    r"[^,，。;；]{1,16}(?:留着|保留|留下|先不管|不用管)|(?:留着|保留|留下)[^,，。;；]{1,16}"
    r"|\b(?:leave|keep)\b [^,.;]{1,40}?(?= and\b| but\b|[,.;])"
)
"""What is left as it is, where others are spoken of."""
_PICKED_OWN = re.compile(rf"(?:'s(?: {_EN_NOUN})?(?!\s+(?:an?|the|my|when)\b)|\s+{_EN_NOUN}(?! \d)(?=\s|$|[,.]))")
_EVERY = re.compile(
    r"所有|全(?!天)|每[个一项章]|都|整[个门体]|统统|通通|其他|其余|其它"
    r"|\b(?:(?<!at )all|every|everything|whole|the rest|anything|whatever|each|any of|none of)\b"
)
_EVERYTHING = re.compile(
    r"(?:所有|全部|一切)的?(?:任务|安排|内容|东西|项|计划)|整个(?:计划|安排|日程)|(?<![的这那们])(?:全部|所有的?)[都移挪往推]"
    r"|能[^,，。;；]{1,6}的?都"
    r"|\b(?:whole|entire) (?:plan|schedule|thing|lot)\b"
    r"|\beverything\b|\ball (?:the |my )?(?:tasks|items|things|stuff|(?:study )?(?:sessions|sections))\b"
    r"|\bwhat(?:ever)? you can\b"
)
_ALL_OF_THEM = re.compile(
    r"(?:^|[,，。;；\s]|它们|这些|那些|[给帮]我|[就那])[都全]部?(?=[挪移推放改调排搬换])"
    r"|\b(?:all of (?:that|them|those|it)|them all|all of these)\b"
)
"""What was spoken of last, all of it."""
EXCEPTION = GuardedPattern(
    r"[^,，。;；\s把将]{1,12}(?:除外|[以之]外的?)|除(?!非)了?[^,，。;；]+?(?:之外|以外|外)?(?=[,，。;；都]|$)"
    r"|(?<![a-z])(?:(?:(?<=\ball )|(?<=\ball labs )|(?<=\ball units )|(?<=\ball chapters )|(?<=\ball the labs )"
    r"|(?<=\ball the units )|(?<=\ball the chapters )|(?<=\bevery lab )|(?<=\bevery unit )|(?<=\bevery chapter )"
    r"|(?<=everything )|(?<=anything ))but|except(?: for)?"
    r"|but not(?! (?:on|in|at|before|after)\b)|apart from|aside from|besides|bar|other than)"
    r" [^,.;]+?(?= (?:can|should|could|to|a)\b| (?:\d+|one|two|three) (?:day|week)|[,.;]|$)",
    needed="[外除]|but|except|apart|aside|besides|bar |other than",
)


_PENDING = re.compile(
    r"剩下的?|剩余的?|(?:没|未|待)(?:有|能)?(?:安?排)的?|\b(?:the )?(?:rest|remaining ones|remaining)\b"
)
"""The items that have no place."""


_DAY_SAID = (
    rf"(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)?(?: {MONTH})?|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?|{EN_DAY})"
)
_FROM_TO = re.compile(
    rf"\b(everything|anything|stuff|things|tasks|items|all)(?: that's| i have)? from ({_DAY_SAID})"
    rf" (?:to|till|until|through) ({_DAY_SAID})(?= (?:to|onto|into|over to)\b)"
)
"""The days of what is picked, before another "to" that tells where it goes."""
_OTHERS = re.compile(r"其[他余它]|剩下|另外的|别的|\bothers?\b|\b(?:the )?(?:rest|remaining)\b")
"""What is not among those that stay."""


@dataclass(frozen=True)
class Group:
    """The items selected, the message without the words that select, and whether all of them are meant."""

    items: list[TaskView]
    rest: str
    every: bool
    timed: bool = False
    """Whether they are picked by when they are."""
    there: PlaceTarget = field(default_factory=PlaceTarget)
    """When they are."""
    others: list[TaskView] = field(default_factory=list)
    """What is there where it is not as many as was said; none of it is selected."""


@remember_of_plan
def find_group(message: str, brief: Brief) -> Group | None:
    """What a message selects; None when it names its items, or selects none. Nothing may stand at the time it names."""
    said = _FROM_TO.sub(r"\1 between \2 and \3", fold_text(message))
    wanted = without_refusals(said)
    staying = (EXCEPTION, NEGATED, _LEFT) if _OTHERS.search(wanted) else (EXCEPTION,)
    text = EXCEPTION.sub(" ", wanted)
    text = _clause_of(spell_out_lists(_LEFT.sub(" ", text) if _LEFT in staying else text), brief)
    kept = [
        row
        for form in {EXCEPTION, NEGATED, *staying}
        for match in form.finditer(said)
        for row in _kept(match.group(), brief)
    ]
    if items_in(text, brief):
        return None
    classes, every = classes_in(EXCEPTION.sub(" ", wanted), brief.classes), _EVERY.search(text) is not None
    picked = _find_picked(text, brief) or _find_complaint(text, brief, every=every)
    if picked is None and _PENDING.search(text) and (not classes or len(classes) == len(brief.classes)):
        waiting = [row for row in brief.tasks if not row["slot"]]
        return Group(waiting, _PENDING.sub(" ", text), every=True) if waiting else None
    if picked is None and (group := _take_of_class(text, brief)) is not None:
        return group
    if picked is None:
        return _select_by_class(said, text, classes, kept, brief)
    return _select_by_time(picked, text, classes or _find_refused(picked, said, brief), kept, brief)


def select_by_time(text: str, brief: Brief, kept: Iterable[TaskView] = ()) -> Group | None:
    """The items that a text without exceptions picks by when they are, but for those that stay; None where it picks
    none so."""
    whole = spell_out_lists(_FROM_TO.sub(r"\1 between \2 and \3", text))
    text = _clause_of(whole, brief)
    picked = _find_picked(text, brief) or _find_complaint(text, brief, every=_EVERY.search(text) is not None)
    if picked is None:
        return _take_of_class(text, brief, kept)
    classes = classes_in(text, brief.classes) or _find_refused(picked, whole, brief)
    group = _select_by_time(picked, text, classes, [*kept], brief)
    return replace(group, rest=_AWAY.sub(" ", whole.replace(picked.said, " ", 1))) if picked.said in whole else group


def _find_refused(picked: _Picked, said: str, brief: Brief) -> list[int]:
    """The classes that are not wanted on the days that are picked: 线代别放周末，周末的挪走."""
    before = said.rpartition(picked.said)[0]
    return classes_in(before, brief.classes) if {*avoided_in(before, brief.term).days} == {*picked.there.days} else []


def takes_everything(text: str) -> bool:
    """Whether a text means all that is planned."""
    return _EVERYTHING.search(text) is not None


def takes_all(text: str) -> bool:
    """Whether a text means all that is planned, or all of what was spoken of, which is that where nothing was."""
    return takes_everything(text) or _ALL_OF_THEM.search(text) is not None


def takes_waiting(text: str, brief: Brief) -> list[TaskView]:
    """The items without a place where a text means them."""
    return [row for row in brief.tasks if row["state_id"] not in brief.placed_before] if _PENDING.search(text) else []


def _select_by_class(said: str, text: str, classes: list[int], kept: list[TaskView], brief: Brief) -> Group | None:
    """The items of the classes that a text names, of all of them where everything is meant; `kept` stays."""
    every = _EVERY.search(text) is not None
    target = target_in(text, brief)
    shifted = shift_in(text) is not None or way_in(text) != 0
    left_out = {row["class_id"] for row in kept}
    some = len(classes) < len(brief.classes) or not (kept or target.said)
    owners = (classes if some else []) or sorted(left_out)
    if not owners and (target.said or shifted) and _EVERYTHING.search(text):
        owners = [row["id"] for row in brief.classes]
    if _keeps_classes(said, brief) and len(left_out) < len(brief.classes):
        owners = [row["id"] for row in brief.classes if row["id"] not in left_out]
    own = [row for row in brief.tasks if row["slot"] and row not in kept and row["class_id"] in owners]
    own = _of_every_kind(text, own)
    told = every or bool(kept) or shifted or (target.part and not target.days)
    if not owners and not kept and _ALL_OF_THEM.search(text) and len(spoken := spoken_of(brief)) > 1:
        return Group(spoken, _ALL_OF_THEM.sub(" ", text), every=True)
    selected = bool(owners) and told and len(own) > (0 if kept else 1)
    return Group(_in_turn(own, text), text, every=True) if selected else None


def _select_by_time(picked: _Picked, text: str, classes: list[int], kept: list[TaskView], brief: Brief) -> Group:
    """The items that stand at the time by which a text picks them, those of the named classes where some are named."""
    every = _EVERY.search(text) is not None or picked.every
    loose = not (picked.there.week or picked.there.run) and picked.there.days
    one = len(picked.there.days) == 1 or set(picked.there.days) == {6, 7}
    near = loose and (picked.count or (one and not _EACH_TIME.search(text))) and not says("sent_away", text)
    many = every and not (picked.there.sections or _is_past(text) or _WHATEVER.search(text))
    near = near and not (many and _is_alone_there(picked.there, brief))
    some = 0 < len(classes) < len(brief.classes)
    others = [row for row in brief.tasks if some and row["class_id"] not in classes]
    out = [*kept, *others]
    found = _at_time(picked.there, brief, every=(every and not near) or picked.end != 0, past=_is_past(text), kept=out)
    found = [row for row in found if row not in kept and (row["slot"] or not some)]
    found = of_kind_in(picked.said, found, brief)
    if _STILL.search(picked.said):
        now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
        found = [row for row in found if when_of(row) > now]
    if _HALF.search(text):
        found = sorted(found, key=when_of)[(len(found) + 1) // 2 :]
    if found and picked.count not in (0, len(found)):
        return Group([], text, every=False, timed=True, there=picked.there, others=found)
    rest = _AWAY.sub(" ", text.replace(picked.said, " "))
    if says("sent_away", text) and set(picked.there.days) == {6, 7} and not target_in(rest, brief).said:
        rest += " 移到工作日"
    if picked.end and found:
        found = [sorted(found, key=when_of)[0 if picked.end > 0 else -1]]
    return Group(_in_turn(found, rest), rest, every and not picked.end, timed=True, there=picked.there)


_WHATEVER = re.compile(r"\b(?:everything|anything|whatever|any of|none of|the rest)\b")
"""All of a day, be it one item alone."""


def _is_alone_there(there: PlaceTarget, brief: Brief) -> bool:
    """Whether the nearest such day has one item alone and later ones have more: of one there is no all."""
    near, whole = (_at_time(there, brief, every=every, past=False) for every in (False, True))
    return len(near) == 1 < len(whole)


@dataclass(frozen=True)
class _Picked:
    """The words that pick items by when they are, and the time. `end`: only the first (1) or the last (-1)."""

    said: str
    there: PlaceTarget
    every: bool
    end: int
    count: int = 0
    """So many of the nearest day: 周五那两个."""


STAYS = re.compile(r"(?:别|不要?|不用)[动挪移]|\bleave\b.*\balone\b|\b(?:don't|do not) (?:touch|move)\b")
"""What is told to stay."""


def _find_picked(text: str, brief: Brief) -> _Picked | None:
    """The time by which a text picks items: 周五的任务, everything between April 20 and April 24, Monday's labs."""
    for first, last, times in join_times(text, brief, listed=True):
        head, rest = re.split(r"[,，。;；]", text[:first])[-1], text[last:]
        clause = head + text[first:last] + re.split(r"[,，。;；]", rest)[0]
        if STAYS.search(clause) and _OTHERS.search(text):
            continue  # what stays is not what the others are moved from
        behind, before, own = _PICKED_BEHIND.match(rest), _PICKED_BEFORE.search(head), _PICKED_OWN.match(rest)
        if before and not (
            before["at"]
            or before["end2"]
            or not head.strip()
            or re.match(r"(?:next|this|today|tom|from|since)", text[first:])
        ):
            before = None
        if before and " there" in before.group() and re.search(r"\bput\b", head):
            before = None  # put whatever is there on the weekend
        owned = _find_owned(rest, text, brief)
        put_there = _PUT_THERE.search(head) and not _STANDS_THERE.search(head)
        if behind and (put_there or (behind["bound"] and not times[0].side)):
            behind = None
        led = re.search(r"\b(?:to|on|by|for|in|at|every|each)\s+(?:the )?$", head)
        owned = "" if put_there or led or (behind and len(behind.group()) >= len(owned)) else owned
        whole = _MOVED_WHOLE.search(head) if _WAY_ON.match(rest) else None
        if own and (re.search(r"\b(?:to|on|by|for|in)\s+(?:the )?$", head) and own.group()[0] != "'"):
            own = None
        if not (behind or before or own or whole or owned) or _is_of_lesson(rest, brief):
            continue
        start = first - len(before.group()) if before and not behind else first
        stop = last + (behind or own).end() if behind or own else last  # type: ignore[union-attr]
        stop = max(stop, last + len(owned))
        end = (behind["end"] if behind else (before["end"] or before["end2"]) if before else "") or ""
        told = re.search(r"\bfirst|第|早|前|头", end)
        some = behind and (
            behind["some"]
            or behind["all"]
            or behind["left"]
            or behind["both"]
            or (behind["bare"] is not None and not times[0].week and times[0].kind == "part")
        )
        long = len({one for time in times for one in time.weekdays}) > 1 or any(
            one.kind in ("days", "week") for one in times
        )
        noun = own.group() if own and not behind else (before["noun"] or "") if before else ""
        some = (
            some
            or whole
            or long
            or (noun.strip().endswith(("s", "stuff", "work")) and not noun.startswith("'"))
            or (before and (before["all"] or before["each"]))
        )
        counted = (behind["n"] or behind["counted"] if behind else before["n"] if before else "") or ""
        count = 2 if counted == "俩" else int(fold_numbers(counted) or 0)
        every = bool(some or count)
        return _Picked(text[start:stop], place_of(times, brief.term), every, (1 if told else -1) if end else 0, count)
    return None


def _is_of_lesson(rest: str, brief: Brief) -> bool:
    """Whether what a time has behind it is of the timetable, not of the plan."""
    items = any(says_lesson(row["name"]) or says_subject(row["name"]) for row in brief.tasks)
    return not items and owns_lesson(rest, 0)


_OWNED = re.compile(r"(?:'s)? (?=[a-z])|的?(?:那[一1]?[个项章节门些]?)?")
_ONES = re.compile(rf"(?:'s)?(?: {_EN_NOUN})?")
_NO_ITEM = re.compile(
    r"(?:这门|那门)?课|考|测验|截止|期[中末]|ddl|任务类|\s*\b(?:class|exam|test|quiz|final|deadline|lecture|lesson)"
)
"""Behind the name of a class: what is none of its items."""


def _find_owned(rest: str, text: str, brief: Brief) -> str:
    """What stands behind a time by which items of a class are picked, to the end of its name: 周二的概率论."""
    lead = _OWNED.match(rest)
    if lead is None or not lead.group():
        return ""
    name = next((one for one in said_names(text, brief) if rest.startswith(one, lead.end())), "")
    end = lead.end() + len(name)
    ones = _ONES.match(rest, end) if name.isascii() else None
    return rest[: ones.end() if ones else end] if name and not _NO_ITEM.match(rest, end) else ""


def _find_complaint(text: str, brief: Brief, *, every: bool) -> _Picked | None:
    """The time that a clause tells to be wrong, before one that tells where all of it goes: 晚上学不进，都挪到下午."""
    *before, last = re.split(r"[,，。;；.!]", text.rstrip(" .!。"))
    wrong = avoided_in(" , ".join(before), brief.term)
    there, told = wrong if wrong.said else target_in(" , ".join(before), brief), target_in(last, brief)
    verbs = ("move", "place", "remove", "swap", *(() if wrong.sections else ("keep_free",)))
    moves = any(says(verb, " ".join(before)) for verb in verbs)
    exact = bool(there.days and (there.sections or there.part) and not told.dated and _GOES.search(last))
    whole = (every or _ALL_OF_THEM.search(last)) and not there.sections
    if not (before and there.said and told.said) or moves or not (exact or whole):
        return None
    return _Picked(", ".join(before), there, every=bool(whole), end=0)


_GOES = re.compile(r"[移挪换调改搬放]|\b(?:move|shift|push|put|rather|make|do)\b")


def without_exceptions(message: str) -> str:
    """A message without what it leaves out: of all but one that one is never meant."""
    folded = fold_text(message)
    return EXCEPTION.sub(" ", folded) if _EVERY.search(folded) else message


def is_exception(turn: str) -> bool:
    """Whether a turn only leaves something out: except chapter 1."""
    found = EXCEPTION.search(fold_text(turn).strip() + ".")
    return found is not None and found.start() == 0


def _is_past(text: str) -> bool:
    return any(says(word, text) for word in ("not_done", "missed", "finished", "past"))


def _take_of_class(text: str, brief: Brief, kept: Iterable[TaskView] = ()) -> Group | None:
    """The items of a class at a time beside it that selects them: 周六的六级取消掉, take algebra out of week 5; None
    where something is to go to that time."""
    classes = classes_in(text, brief.classes)
    taken = any(says(word, text) for word in ("extract", "remove", "not_done", "missed", "finished"))
    if len(classes) != 1 or not taken or any(says(word, text) for word in ("place", "keep_free", "create")):
        return None
    times = read_times(blank_calendar_names(text, brief), brief.term)
    there = place_of([replace(one, role="") for one in times], brief.term)
    if not there.dated:
        return None
    every = _EVERY.search(text) is not None
    found = [
        row for row in _at_time(there, brief, every=every, past=_is_past(text), kept=kept) if row["class_id"] in classes
    ]
    rest = "".join(" " if any(one.start <= at < one.end for one in times) else char for at, char in enumerate(text))
    return Group(found, without_classes(rest, brief), every=len(found) > 1, there=there)


def of_kind_in(words: str, found: list[TaskView], brief: Brief) -> list[TaskView]:
    """Of the items at a time those of the kind that is said: 昨天那章, yesterday's lab."""
    for kinds in KINDS:
        known = any(kind in fold_text(row["name"]) for row in brief.tasks for kind in kinds)
        if known and any(re.search(rf"(?<![a-z]){kind}", words) for kind in kinds):
            return [row for row in found if any(kind in fold_text(row["name"]) for kind in kinds)]
    return found


def _of_every_kind(text: str, found: list[TaskView]) -> list[TaskView]:
    """Of the items those of the one kind all of which are meant: 所有单元, every lab."""
    meant: list[str] = []
    for kinds in KINDS:
        said = "|".join(kinds)
        every = r"(?:所有|全部|每[1一个]*|\b(?:all|every|each)(?: of)?(?: the| my)?)的?\s*"
        every += rf"(?:[a-z一-鿿]{{2,8}}(?:、|和|与|\s*,\s*|\s+and\s+)(?:the |my )?)?(?:{said})"
        meant += kinds if re.search(every + r"(?:s|节)?(?![a-z]|\s*\d)", text) else ()
    return [row for row in found if any(kind in fold_text(row["name"]) for kind in meant)] or found


def _kept(words: str, brief: Brief) -> list[TaskView]:
    """The items that an exception names, one by one or by their classes."""
    named = of_kind_in(words, named_items(words, brief) or items_in(words, brief), brief)
    owners = classes_in(words, brief.classes)
    whole = named or [row for row in brief.tasks if row["class_id"] in owners]
    kinds = next(
        (kinds for kinds in KINDS if any(re.search(rf"(?<![a-z]){kind}s?(?![a-z])", words) for kind in kinds)), ()
    )
    return whole or [row for row in brief.tasks if kinds and any(kind in fold_text(row["name"]) for kind in kinds)]


def _keeps_classes(said: str, brief: Brief) -> bool:
    """Whether what is excepted are whole classes: 除了六级其它的."""
    words = " ".join(match.group() for match in EXCEPTION.finditer(said))
    return bool(classes_in(words, brief.classes)) and not (named_items(words, brief) or items_in(words, brief))


def selects_by_time(message: str, brief: Brief) -> bool:
    """Whether items are named by when they are: 周四下午的任务, whatever is on Friday."""
    return _find_picked(_clause_of(spell_out_lists(fold_text(message)), brief), brief) is not None


def _clause_of(text: str, brief: Brief) -> str:
    """Of several clauses the last one that says what is to be done with what it selects, else all of them."""
    clauses = [clause for clause in re.split(r"[,，。;；]|\bbut\b", text) if clause.strip()]
    verbs = ("move", "place", "remove", "swap")
    telling = [
        clause for clause in clauses if any(says(verb, clause) for verb in verbs) and _find_picked(clause, brief)
    ]
    return telling[-1] if telling and len(clauses) > 1 else text


def _in_turn(items: list[TaskView], rest: str) -> list[TaskView]:
    """The items in the order in which they can go: the last one first where they all go later."""
    shift = shift_in(rest)
    return items[::-1] if shift is not None and shift.days > 0 else items


def _at_time(
    target: PlaceTarget, brief: Brief, *, every: bool, past: bool, kept: Iterable[TaskView] = ()
) -> list[TaskView]:
    """The items but those that stay that stand at a time: of every week, or of the nearest one that has some, from
    today on or behind."""
    ids = [row["state_id"] for row in kept]
    rows = (row for row in brief.tasks_before if row["state_id"] not in ids)
    there = {row["state_id"]: slot for row in rows if (slot := row["slot"]) and target.meets(slot)}
    found = [row for row in brief.tasks if row["state_id"] in there]
    if not target.said or every or target.week or target.run:
        return found if target.said else []
    today = (brief.now["week"], brief.now["day_of_week"])
    days = {(slot["week"], slot["day_of_week"]) for slot in there.values()}
    meant = max((day for day in days if day <= today), default=None) if past else None
    week = meant[0] if meant else min((day[0] for day in days if day >= today), default=0)
    return [row for row in found if there[row["state_id"]]["week"] == week]
