"""A turn that says what is to be planned, or when, and not of what: that is of the class which the turns before it were
about, plan it on fridays right after a class was made."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import join_names
from agent.llm.offline.language.dialogue.memory import CLASS_WRITE, Exchange, Memory
from agent.llm.offline.language.dialogue.rewriting import LOOKING
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import Intent, intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.conditions.limit_forms import EVENT, HABIT
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import FINISHES
from agent.llm.offline.language.spans.happenings import is_dated
from agent.llm.offline.language.spans.lesson_moves import says_lesson
from agent.llm.offline.language.spans.mentions import (
    all_items,
    classes_in,
    items_in,
    said_names,
    without_classes,
)
from agent.llm.offline.language.spans.targets import shift_in
from agent.llm.offline.language.spans.times.reading import read_times

_LONGEST = 80
"""Characters of a turn that leaves out what it is about."""
LEADS = re.compile(
    r"^(?:(?:and|ok(?:ay)?|then|so|now|please|great|good|thanks|cool|alright|right|also)\b[,.!]*\s*)+"
    r"|^(?:那就|那|然后|好的?|现在|可以了?|行|谢谢|接着|[,，。!！\s])+"
)
_PLANS = re.compile(
    r"排(?!除|序|名|练|队|球)|安排|规划|(?<=[都全])放|\b(?:plan|schedule|arrange|fit|slot|put|place|do|keep|get|have)\b"
)
_IT = re.compile(
    r"\b(?:both of (?:them|those|these)|(?:all|any|each) of (?:it|them|those|these)|(?:them|those|these) (?:both|all)"
    r"|(?:those|these|the) (?:two|three|four|five|six)\b(?! [a-z]+s\b)|both|they|them|those|these|it|this|that)\b"
    r"(?! (?:morning|afternoon|evening|night|day|week|month|time|\w+day|\w+days)s?\b)"
    r"|它们?|这[几些][个项门]?|那[几些][个项门]?|[这那][两二三四五六]?[个项门](?!星期|礼拜|月|周|时)"
)
_EVERYTHING = re.compile(
    r"全部|所有|一律|整个|每[个门项]|任务|计划|课表"
    r"|\b(?:everything|every (?:class|item|task)|always|whole|all my|my (?:\w+ )?(?:plan|week|schedule|timetable|days?)"
    r"|week \w+'s)\b"
)
_ASKS = re.compile(
    r"[?？吗么]\W*$|什么|啥|哪|几[点号天项个章节次]|多少|\b(?:what|when|where|which|why|how|who|did|does|is|are|was)\b"
)
_OF_STUDENT = re.compile(
    r"(?<![给帮替])我(?!想|要|希望|觉得)|没空|有事|不在|空出|留空|腾出"
    r"|\bi(?:'m| am| have|'ve| can't| cannot| don't| won't| work)\b|\b(?:free|busy|off|clear)\b"
)
"""What tells of the student's own time, and of no class."""


_ONE_OF_THEM = re.compile(r"第[一二三1-3]个|\b(?:first|second|third|last) (?:one|class|of)\b")
_WANTED: tuple[Intent, ...] = ("build", "class", "limit", "wish", "place", "move", "other")
"""What is wanted of the class of the talk by a verb of planning."""


def name_class_of_talk(text: str, memory: Memory) -> str:
    """A request for a plan, or for the times of one, that names nothing, with the name of the class that the talk is
    about, or of those that were asked about; empty where it is about none, or about all."""
    last, brief, folded = memory.subject, memory.brief, fold_text(text)
    if last and (last.intent == "class" or CLASS_WRITE in last.wrote) and len(last.classes) == 1:
        text = folded = _ALL_OF_IT.sub("", folded)
    # A class that was to be deleted, and is to be planned now, is kept.
    if last is None or len(folded) > _LONGEST or (_is_open(last) and last.intent != "delete_class"):
        return ""
    if (_ASKS.search(folded) or FINISHES.search(folded)) and not last.items:
        return ""  # a question wants no plan
    if len(last.listed) == 1 and read_times(folded, brief.term):
        return ""  # what was told is one item
    names = [row["name"] for row in brief.classes if row["id"] in last.classes]
    if (
        not names
        or len(names) > (len(brief.classes) - 1 if last.asked else 1)
        or _THERE.search(folded)
        or (len(names) > 1 and _ONE_OF_THEM.search(folded))
        or _names_its_own(text, brief)
        or not _wants_plan(text, brief)
    ):
        return ""
    return _put_name(LEADS.sub("", folded), brief.say("、", " and ").join(names))


REST_OF_IT = re.compile(
    r"(?:剩下|剩余|留下|其余)的?(?:那?[1一几2-9两]?[个项])?(?:都|全)?"
    r"|\bthe (?:rest(?: of (?:it|them))?|(?:remaining|other) (?:ones?|items?)|one (?:that's )?left)\b"
    r"|\bwhat(?:'s| is) left(?: of it)?\b"
)
_ALL_OF_IT = re.compile(
    r"(?:全部|所有的?|统统|通通|一起|全|整个?)都?(?=给我|帮我|[安规排放])|都(?=[安规排])|[进入到]课表[里中]?"
    rf"|把?{REST_OF_IT.pattern}|\bthe whole (?:thing|lot)\b"
)
"""All that a class has, right after it was changed."""
_OF_CLASS = re.compile(
    r"[这那](?:一?门|个?课程?)(?:课程?)?|(?<!其)它们?|[这那]些|^(?=都[在是排])"
    r"|\b(?:(?:this|that) (?:class|course|subject)|it|they|them|those)\b"
)
"""What points to a class, or to all that one has."""
_BEHIND = re.compile(r"\s*\b(?:after|before|by|until|besides) (?:that|this|it|then)\b")
_COUNT_ASKED = re.compile(
    r"(?:多少|几)(?!个?[天周月号点门]|个?星期)|\bhow (?:many|much)\b(?! (?:days?|weeks?|hours?|time)\b)"
)
_NOUNS = re.compile(r"\b(?:items?|tasks?|things?|chapters?|sections?)\b|任务|内容")
_WANTS: tuple[Intent, ...] = (
    "free", "build", "mark", "replan", "class", "wish", "limit", "remove", "swap", "place", "delete_class", "undo"
)  # fmt: skip
"""What is no question about items, unless yes or no is asked for."""


def _ask_of_class(text: str, ids: Sequence[int], brief: Brief) -> str:
    """A question for what is left of a class, how much it is, whether it fits, when it ends, asked of these classes
    where it names none: how many are left after that, 它还剩几项. Empty for any other."""
    folded = LEADS.sub("", _BEHIND.sub("", fold_text(text))).strip(" ?？")
    found, names = _OF_CLASS.search(folded), [row["name"] for row in brief.classes if row["id"] in ids]
    bare = _NOUNS.sub(" ", _OF_CLASS.sub(" ", folded))
    asks = asks_whether(text) or (says("asking", fold_text(text)) and intent_of(text, brief) not in _WANTS)
    if not names or not asks or len(folded) > _LONGEST or _names_its_own(bare, brief):
        return ""
    if _LESSONS.search(bare) or (found is None and _MORE.search(bare)):
        return ""
    if not _asks_what_it_has(folded, brief, pointed=found is not None):
        return ""
    if not text.isascii():
        rest = folded if found is None else f"{folded[: found.start()]}{folded[found.end() :]}"
        return f"{'、'.join(names)}{rest}"
    name = " and ".join(names)
    return f"{folded[: found.start()]}{name}{folded[found.end() :]}" if found else f"{folded} in {name}"


_MORE = re.compile(r"一共|总共|总计|\b(?:in total|in all|altogether|overall)\b")
_LESSONS = re.compile(r"课|\b(?:class(?:es)?|courses?|lessons?|lectures?)\b")


def _asks_what_it_has(folded: str, brief: Brief, *, pointed: bool) -> bool:
    """Whether a question is about all that a class has: how much it is, whether it fits, until when it is learnt."""
    dated = any(one.first or one.last or one.week or one.weekdays for one in read_times(folded, brief.term))
    if dated and (not pointed or says("wish_finish", folded)):
        return says("wish_finish", folded)
    asks = _COUNT_ASKED.search(folded) or says("fits", folded) or says("left_to_do", folded)
    return bool(asks) or (pointed and any(says(one, folded) for one in ("when_asked", "within_asked", "placed_asked")))


def name_class_of_question(text: str, memory: Memory) -> str:
    """A question that names nothing, right after an exchange about classes: of those."""
    last, brief = memory.last, memory.brief
    if last is None or _is_open(last) or says_lesson(last.said):
        return ""
    owners = {row["class_id"] for row in last.items} if _ONE_CLASS.search(fold_text(text)) else {*last.classes}
    return _ask_of_class(text, sorted(owners), brief) if len(owners) < len(brief.classes) else ""


_ONE_CLASS = re.compile(r"[这那](?:一?门|个?课)|\b(?:this|that) (?:class|course|subject)\b")


_THERE = re.compile(r"那里|那儿|\bthere\b")
"""What points to a place that was told: only an item goes to one."""
_ONLY_THAT = re.compile(
    r"[那这][几些]?[个项门些]|只有?|就|光|课|我?是?[说指]的?|\b(?:only|just|for|of|those|these|ones?|class|talking|was|were|thinking)\b"
)


def narrow_to_class(text: str, before: str, brief: Brief) -> str:
    """The request before for the one class alone that a turn says is meant: 我说的是六级那几个; i meant only the labs.
    Empty where the turn says more, or the request was about something else that it named itself."""
    folded, first = fold_text(text), fold_text(before)
    meant = classes_in(text, brief.classes) if said_names(folded, brief) else []
    row = brief.class_of(meant[0]) if len(meant) == 1 else None
    if row is None or not (says("correction", folded) or says("only", folded)):
        return ""
    more = strip_fillers(_ONLY_THAT.sub(" ", without_classes(fold_numbers(text), brief)))
    if more or intent_of(before, brief) not in ("class", "limit", "wish", "build", "move", "optimise"):
        return ""
    if said_names(first, brief) or items_in(first, brief, among=all_items(brief)):
        return before if classes_in(before, brief.classes) == meant else ""
    return _put_name(_EVERYTHING.sub("", LEADS.sub("", first)).strip(), row["name"])


_MEANS = re.compile(
    r"^(?:不+[是对]?的?[,，\s]*)*我(?:的意思)?是(?:说|指)(?:的是)?[,，:：\s]*"
    r"|^(?:(?:no|nope|sorry|oh)\b[,.\s]*)*i (?:just |only )?meant?\b(?! to\b)[,:\s]*(?:that )?"
)
_IS_NOT = re.compile(r"[,，\s]*(?:并?不是(?:要|说)?|,? (?:and )?not)\s*[^,，。]{1,8}$")


def keep_subject(text: str, last: Exchange, brief: Brief) -> str:
    """What a student says to have meant, with the class of what he said before, where he names another time or deed and
    no other thing: 不想学概率论了, then 我是说下周先不学. Empty for other turns."""
    folded = fold_text(text)
    lead = _MEANS.match(folded)
    names = [brief.name_of(one) for one in classes_in(last.said, brief.classes)]
    rest = _IS_NOT.sub("", folded[lead.end() :]) if lead else ""
    if len(names) != 1 or last.wrote or _names_its_own(rest, brief) or not read_times(rest, brief.term):
        return ""
    deed = intent_of(rest, brief) in ("replan", "limit", "wish") and last.intent == "other"
    return brief.say(f"{names[0]}{rest}", f"{names[0]}: {rest}") if deed else ""


def _names_its_own(text: str, brief: Brief) -> bool:
    """Whether a turn tells what it is about: by names, as everything, as the others, as a new class."""
    folded, found = fold_text(text), Features(text, brief)
    named = said_names(folded, brief) or len(found.classes) not in (0, len(brief.classes)) or found.any_items
    others = says("others_wanted", re.sub(r"\ball\b", " ", folded))
    return bool(named) or found.opens_class or others or _EVERYTHING.search(folded) is not None


def _wants_plan(text: str, brief: Brief) -> bool:
    """Whether a turn wants a plan, or tells the times of one, and not only of the student."""
    folded = fold_text(text)
    if _ASKS.search(folded) or says("busy_then", folded) or shift_in(folded) is not None:
        return False
    if _PLANS.search(folded) and (_IT.search(folded) or not _OF_STUDENT.search(folded)):
        return intent_of(text, brief) in _WANTED
    limits = Features(text, brief).slots.excludes or intent_of(text, brief) in ("limit", "wish")
    own = _OF_STUDENT.search(folded) or HABIT.search(folded) or EVENT.search(folded)
    finishes = read_conditions(text, brief).finishes_ahead(
        brief.term.today
    )  # which is no day that the student tells of
    return bool(limits) and not own and (finishes or not is_dated(folded, brief.term))


def _is_open(last: Exchange) -> bool:
    """Whether the subject is a change that nothing was made of yet: what is said then is about its card."""
    changes = last.intent not in (*LOOKING, "other", "delete_class") and not last.asked  # kept, a class is talked about
    return changes and not (last.wrote or last.listed)


def _put_name(text: str, name: str) -> str:
    """A turn with the name in the place of what points to it, else behind its verb, or in front of it."""
    found = _IT.search(text)
    if not text.isascii():
        rest = text if found is None else f"{text[: found.start()]}{text[found.end() :]}"
        return (
            f"{name}{rest.removeprefix('把').removeprefix('将')}"
            if _LIMITS.search(rest)
            else f"把{name}{rest.removeprefix('把')}"
        )
    if found:
        return f"{text[: found.start()]}{name}{text[found.end() :]}"
    verb = _PLANS.match(text)
    return f"{verb.group()} {name}{text[verb.end() :]}" if verb else f"{name}: {text}"


_LIMITS = re.compile(r"别|不|只|最[多少]|每[天周]")


_ALL_COUNTED = re.compile(
    r"的?(?P<zh>[2-9])\s*[个项章门](?:任务|内容)?(?=都|全)"
    r"|\b(?:all(?: the| of the)?|the) (?P<en>[2-9]|two|three|four|five|six|seven|eight)"
    r"(?: of (?:them|those|these|the))?(?=[ ,.?!]|$)"
)
_ITEMS_BEHIND = re.compile(r"\s*(?:items|tasks|chapters|units|labs|ones)\b")
_NUMBERS = ("", "", "two", "three", "four", "five", "six", "seven", "eight")


def name_all_counted(text: str, memory: Memory) -> str:
    """A turn with the items of a class by their names, where it counts all of them: 线代的四个都往后延一周."""
    brief, folded = memory.brief, fold_numbers(text)
    found, subject = _ALL_COUNTED.search(folded), memory.subject
    said = said_names(folded, brief, form=fold_numbers)
    ids = classes_in(" ".join(said), brief.classes) if said else subject.classes if subject else []
    rows = [row for row in brief.tasks if row["class_id"] in ids]
    if found is None or len(ids) != 1 or _read_number(found) != len(rows) or items_in(text, brief):
        return text
    head, rest = folded[: found.start()], folded[found.end() :]
    name = next((one for one in said if head.endswith(one) or rest.lstrip().startswith(one)), "")
    bare = not strip_fillers(re.sub(r"[都全]|\ball\b", " ", f"{head.removesuffix(name)} {rest}"))
    if bare or (said and not name):
        return text  # consent and nothing else, or a count of something else
    rest = rest.lstrip().removeprefix(name) if name and not head.endswith(name) else rest
    behind = _ITEMS_BEHIND.match(rest)
    return f"{head.removesuffix(name)}{join_names(rows, brief)}{rest[behind.end() :] if behind else rest}"


def _read_number(found: re.Match[str]) -> int:
    said = found["zh"] or found["en"]
    return int(said) if said.isdigit() else _NUMBERS.index(said)
