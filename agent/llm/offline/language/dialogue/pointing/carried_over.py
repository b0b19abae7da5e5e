"""Turns that only make a whole request with what was said before: another place for
what stood on the day of a card, the day beside one that is to stay free."""

from __future__ import annotations

import re
from datetime import date

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import join_names
from agent.llm.offline.language.dialogue.memory import CLASS_WRITE, Exchange, Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import (
    OWN_DAY,
    days_of,
    name_day,
    spell_day_beside_spoken,
    spell_in_week,
)
from agent.llm.offline.language.dialogue.pointing.same_for_others import classes_named
from agent.llm.offline.language.dialogue.pointing.subjects import LEADS
from agent.llm.offline.language.dialogue.tracking import ASKS_DAY
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.ellipsis import affirms, form_of, wants_it_done
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.items.counted import name_alternatives
from agent.llm.offline.language.spans.lesson_moves import says_lesson, says_subject
from agent.llm.offline.language.spans.mentions import all_items, items_in, without_items
from agent.llm.offline.language.spans.targets import place_of, shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import say_sections
from agent.loop.view_document import TaskView

_TICKS = re.compile(
    r"划掉|划了|打[个上]?勾|勾[掉上选]|标(?:记|注|上|成|为|一下)|记(?:上|下|为|成)|算(?:它)?(?:学|做)?完"
    r"|\b(?:tick|cross|check|mark)(?:ed|ing)?\b"
)
_TAKES_IT = re.compile(
    r"(?:对的?|是的?|嗯+|能|好的?|可以|行|没错|那就?|请|麻烦|帮?我|把|给|它|了|吧|呗|啊|掉|[,，。.!！~\s])*"
    r"|(?:(?:yes|yeah|yep|yup|sure|ok(?:ay)?|right|please|pls|then|do|it|that|them|off|out|go|ahead|as|done|finished)\b|\W)*"
)


def consent_to_mark(text: str, last: Exchange, brief: Brief) -> str:
    """That an item is done, where the student asked whether it may be ticked off and now wants it so: 对，划掉."""
    folded = fold_text(text)
    ticks = _TICKS.search(folded) or (affirms(text) and last.listed and _TICKS.search(last.text))
    if not (last.asked and last.items and ticks) or not _TAKES_IT.fullmatch(_TICKS.sub(" ", folded)):
        return ""
    names = join_names(last.items, brief)
    return brief.say(f"{names}做完了", f"I finished {names}")


def improve_as_asked(text: str, last: Exchange, brief: Brief) -> str:
    """A check of the plan where the student only wants done what a check was asked for: 那你帮我改改."""
    nothing_told = last.intent == "optimise" and not (last.listed or last.wrote)
    return brief.say("优化一下我的计划", "improve my plan") if nothing_told and wants_it_done(text) else ""


_PLANS = re.compile(r"排|\b(?:plan|schedul|plac)\w*\b")


def plan_as_asked(text: str, last: Exchange, brief: Brief) -> str:
    """The plan of the one class of which it was asked whether it is planned, and that is not, where the student only
    wants it done: well do it."""
    asked = last.asked and _PLANS.search(last.text)
    if not asked or last.items or len(last.classes) != 1 or not wants_it_done(text):
        return ""
    planned = any(row["slot"] for row in brief.tasks if row["class_id"] in last.classes)
    return "" if planned else brief.say("排{name}", "plan {name}", name=brief.name_of(last.classes[0]))


_OVER = re.compile(
    r"[哪有几][1一几些]?天[^,，。;；\d]{0,4}超(?![^,，。;；]{0,2}\d)|有没?有超[过标额了]"
    r"|\b(?:which|what|any) days?\b[^,.;\d]{0,16}\b(?:over|above|exceed\w*|too (?:full|much|many))\b(?! \d)"
)


def ask_over_limit(text: str, last: Exchange, brief: Brief) -> str:
    """The question which days have more than the limit that was just set, where no number is told."""
    limits = read_conditions(last.said, last.brief).said if _OVER.search(fold_text(text)) else ()
    for name, unit in (("sections_a_day", ("节", "sections")), ("a_day", ("项", "items"))):
        for n in (one.values[name] for one in limits if one.values.get(name)):
            return brief.say(f"有哪天超过{n}{unit[0]}吗", f"are there days with more than {n} {unit[1]}?")
    return ""


_BARE_VERB = re.compile(
    r"^(?P<lead>(?:还是|那就?|就|再|然后|名字|[,，\s])*)"
    r"(?=[放排移挪改换删去加减增延缩]|调到|叫)(?![放排移挪改换删去加]出?[一1两几][个项](?!时|地方|位置|天|日))"
)
"""A verb without its object; 挪一个 has one, which may be any."""
_SEVERAL = re.compile(r"m$|[^i]se$|们")


_LENGTH_ASKED = re.compile(r"[几多]少?(?:节|课时|长|久)|\bhow (?:long|much time|many (?:sections|periods))\b")
_NUMBER_ALONE = re.compile(
    r"\D{0,30}?(?:(?<=[成到为给要])|\b(?<=(?:to|it|be) )|(?<=that ))(?P<n>\d{1,2}|one|two|three|four)"
    r"(?: ?(?:节|个?课时|sections?|periods?))?(?: instead| then| please|吧|好了?|就行)*[.。!！ ]*"
)


def bring_to_length(text: str, last: Exchange, brief: Brief) -> str:
    """Another length of the one item whose length was asked, told by its number alone: cut it to one; 改成3."""
    found = _NUMBER_ALONE.fullmatch(fold_numbers(text)) if last.asked and _LENGTH_ASKED.search(last.text) else None
    if found is None or len(last.items) != 1 or items_in(text, brief) or classes_named(text, brief):
        return ""
    n = _COUNTS.get(found["n"]) or int(found["n"])
    return brief.say("{name}改成{n}节", "make {name} {n} sections long", name=join_names(last.items, brief), n=n)


_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4}


def _find_told_alone(text: str, last: Exchange, brief: Brief) -> TaskView | None:
    """The one item that a change of a class has just added, or that was spoken of alone where a turn tells a length or
    the day beside it."""
    if len(last.items) == 1 and says("length", fold_numbers(text)):
        return last.items[0]
    if last.intent == "replan" and not (last.wrote or last.items):  # its card named them, and is told to be left
        left = "".join(turn["text"] for turn in brief.view["dialogue"][-1:] if turn["role"] != "user")
        shown = [row for row in brief.tasks if row["name"] in left]
        return shown[0] if len(shown) == 1 else None
    if last.asked and OWN_DAY.search(text) and not says("pronoun", text):
        rows = last.listed or last.items
        return rows[0] if len(rows) == 1 else None
    added = [row for row in all_items(brief) if fold_text(row["name"]) in last.text]
    row = added[0] if len(added) == 1 and last.intent == "class" and CLASS_WRITE in last.wrote else None
    return row if row and row["class_id"] in last.classes else None


def name_added_item(text: str, last: Exchange, brief: Brief) -> str:
    """A turn about the one item that was just added with its name for what points to it."""
    folded, row = fold_text(text), _find_told_alone(fold_text(text), last, brief)
    if (
        row is None
        or intent_of(text, brief) == "build"
        or row in items_in(folded, brief, among=all_items(brief))
        or classes_named(text, brief)
    ):
        return text
    found, bare = pattern("pronoun").search(folded), _BARE_VERB.match(folded)
    if found and not _SEVERAL.search(found.group()):
        verb, _, it = found.group().rpartition(" ")
        name = f"{verb} {row['name']}" if verb and it not in ("one", "item", "task") else row["name"]
        rest = re.sub(r"^ (?:one|item|task)\b", "", folded[found.end() :])
        return f"{folded[: found.start()]}{name}{rest}"
    return f"把{row['name']}{folded[bare.end('lead') :]}" if bare else text


_REASON = re.compile(r"[,，;；].*|\s(?:for|because|cos|coz|cause|since|in case|just|as)\b.*")
_EMPTIES = re.compile(
    r"空出来?|留空|别排|不[行排能要在]|没空|清空|挪走|移走|也?一样|也是|同样|别安排|也别"
    r"|\b(?:clear|keep|free|empty|off|away|same|nothing|there|as well|n?or|n?either)\b"
)


def keep_free_beside(text: str, memory: Memory) -> str:
    """The day beside one that was to stay free, which is to stay free too: and the day after; 第二天也是.
    Days that were only cleared, or are on the open card, are kept free with it."""
    last, brief = memory.last, memory.brief
    told = spell_day_beside_spoken(text, memory)
    if last is None or told == text or last.asked or not last.frees:
        return ""
    days = days_of(place_of([*read_times(told, brief.term)], brief.term), brief)
    bare = _EMPTIES.sub(" ", _REASON.sub("", told))
    if not days or form_of(bare, brief) != "time":
        return ""
    hours = last.target.part or last.target.sections
    stands = "replan" not in last.wrote and (last.wrote or not (last.answer or hours))  # of an open card too
    before = days_of(last.target, brief) if stands else []
    named = [name_day(day, brief) for day in sorted({*before, days[0]})]
    return brief.say(f"我{'和'.join(named)}没空", f"I am not available on {' and '.join(named)}")


_WEEKS_ON = re.compile(
    r"(?:再(?:下|往?后)|(?:之|以|往)?后面?(?:那|的?下)?|接下来的?|隔)(?P<zh>[1一两2三3])?个?(?:周|星期|礼拜)(?:[日天一二三四五六])?(?P<by>之?[以]?后)?"
    r"|\b(?:the )?(?:week|one) (?:right )?after(?: (?:that|it|this))?\b|\bthe (?:following|next) (?:week|one)\b"
    r"|\b(?P<en>a|one|two|three|2|3) weeks? (?:later|after(?: (?:that|it))?|on)\b"
)
"""How many weeks behind a time that was told one like it is."""
_NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "一": 1, "两": 2, "三": 3}
_TOO = re.compile(r"(?:\b(?:and|also|too|please|same|for|in|on|ok|well|then)\b|还有|的|也|那|请|一样|[\s,，.。!！])+")


def keep_free_weeks_on(text: str, last: Exchange, brief: Brief) -> str:
    """The time some weeks behind one that was to stay free, which is to stay free too: and the one after; 再下一周也是.
    Its hours and weekdays are the same."""
    folded, target = fold_text(text), last.target
    found = _WEEKS_ON.search(folded) if last.frees and target.week and not last.asked else None
    if found is None or _TOO.sub("", _EMPTIES.sub(" ", folded[: found.start()] + " " + folded[found.end() :])).strip():
        return ""
    told = found["zh"] or found["en"] or "1"
    week = (target.week or 0) + (_NUMBERS.get(told) or int(told))
    days = [brief.term.day(week, day) for day in sorted(target.days)]
    if not days or last.whole_week:
        return brief.say(f"我第{week}周没空", f"I am not available in week {week}")
    run = target.part or target.sections
    hours = f"{run[0]}-{run[1] or brief.term.sections}" if run else ""
    named = brief.say("和", " and ").join(name_day(day, brief) for day in days)
    return brief.say(
        f"我{named}{hours and hours + '节'}没空", f"I am not available on {named}{hours and ' sections ' + hours}"
    )


_THAT_TIME = re.compile(
    r"那[1一]?[天段个]?(?:早上|[上下]午|晚上|时间段?|时候|周|星期)?|(?:有|可以|空)的话"
    r"|\b(?:that|the) (?:whole )?(?:day|week|time|slot|morning|afternoon|evening|night)\b"
    r"|\b(?:for me|on|if so|if it is)\b"
)


_LIGHTENS = re.compile(
    r"轻松|宽松|松(?:一?[点些快松]|一松)|减[轻少负]|少[排放]?一?[点些]|空一?[点些]|太[多满挤重累]|[挪移拿去][走掉出][1一]"
    r"|\b(?:light\w*|easier|eas(?:e|y)|thin|less|fewer|relax\w*|emptier|(?:move|take) (?:one|something))\b"
)


_WEEK, _NEXT_GROUP = re.compile(r"周|星期|\bweek\b"), re.compile(r"(?<=\n)[^\n]*[:：](?=\n)")


def lighten_asked_time(text: str, last: Exchange, brief: Brief) -> str:
    """The week or the day that was asked about just before, which is to hold less: can you make it lighter?"""
    folded, target = fold_text(text), last.target
    bare = not (read_times(folded, brief.term) or items_in(folded, brief) or classes_named(text, brief))
    asked = last.asked and last.intent in ("load", "show", "free") and not (last.items or last.classes)
    if not (bare and asked and _LIGHTENS.search(folded)):
        return ""
    days = days_of(target, brief)
    of_day = (ASKS_DAY.search(last.text) and not _WEEK.search(folded)) or _THAT_TIME.search(folded)
    first = {one.first for one in read_times(_NEXT_GROUP.split(last.answer)[0], brief.term) if one.kind == "day"}
    every = {one.first for one in read_times(last.answer, brief.term) if one.kind == "day"}
    for told in (first if len(first) == 1 or target.week else every, every) if of_day and len(days) != 1 else ():
        rows = [row for row in brief.tasks if (at := row["slot"]) and brief.day_of(at) in told]
        if rows:  # of the day asked for, or of those alike
            return brief.say("把{names}移走", "move {names} away", names=name_alternatives(rows, brief))
    if len(days) != 1 and not target.week:
        return ""
    when = name_day(days[0], brief) if len(days) == 1 else brief.say(f"第{target.week}周", f"week {target.week}")
    return brief.say(f"{when}太满了挪走一些", f"lighten {when}")


def _list_slots(answer: str, brief: Brief) -> list[tuple[date, int, int]]:
    """The stretches of days that an answer told, in its order: each day with its sections behind it."""
    found, day = dict[tuple[date, int, int], None](), None
    for one in read_times(answer, brief.term):
        if one.kind == "sections" and one.sections and day:
            found[day, one.sections[0], one.sections[1] or one.sections[0]] = None
        elif one.kind != "sections":
            day = one.first if one.first == one.last else None
    return [*found]


_NTH_SLOT = re.compile(
    r"[到在用]?那?(?:第(?P<zh>[一二三四1-4])|(?P<zh_last>最后的?那?[一1]?)|最[早前先]的?[一1]?)(?:个|段|天)(?:空档?|空位|空闲|时间段?|时段|位置)?"
    r"|(?:\b(?:in|on|at|to|into|for|use|take)\s)?\b(?:the )?(?:(?P<last>last|latest)"
    r"|(?P<en>first|second|third|fourth|earliest))"
    r"(?: (?:free |empty )?(?:one|slot|gap|time|window)\b)?(?: of (?:those|them|these)(?: (?:slots|gaps|times))?\b)?"
)
_NTH = {"first": 1, "earliest": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}
_TAKES_TIME = re.compile(r"[放排挪移调换改安用塞给]|\b(?:put|move|place|use|take|plan|schedule|shift|fit|do)\b")


def place_in_told_slot(text: str, last: Exchange, brief: Brief) -> str:
    """The move of an item to one of the free stretches that an answer told, by its number: put it in the first of
    those; a long stretch is told by where it begins."""
    folded = fold_text(text)
    found = _NTH_SLOT.search(folded) if last.asked_free else None
    rest = f"{folded[: found.start()]} {folded[found.end() :]}" if found else ""
    rows = items_in(rest, brief) or items_in(rest, brief, among=all_items(brief))
    if found is None or len(rows) != 1 or not _TAKES_TIME.search(folded) or target_in(rest, brief).said:
        return ""
    slots = _list_slots(last.answer, brief)
    said = found["zh"] or found["en"] or "first"
    at = len(slots) if found["last"] or found["zh_last"] else _NTH.get(said) or int(said)
    if not 0 < at <= len(slots):
        return ""
    day, first, end = slots[at - 1]
    when = name_day(day, brief) + say_sections(brief, first, min(end, first + rows[0]["duration"] - 1))
    return brief.say("把{name}移到{when}", "move {name} to {when}", name=join_names(rows, brief), when=when)


_AFTER_LESSONS = re.compile(
    r"(?:[几多][点少]?)?[下上放]完?[课学]?(?:之|以)?后|上完课|下了课|那?之后"
    r"|\b(?:and )?(?:after|from) (?:that|then|it|them|those|class(?:es)?"
    r"|lessons?|lectures?)\b|\bafterwards?\b"
)


def ask_free_after_lessons(text: str, last: Exchange, brief: Brief) -> str:
    """The question for the free time of a day after the lessons that the answer before told of it, or for what is on
    then."""
    folded = fold_text(text)
    asks = last.asked and (says_lesson(last.said) or says_subject(last.said)) and _AFTER_LESSONS.search(folded)
    free = says("free", folded)
    if (
        not asks
        or not (free or _ASKS_ON.search(folded))
        or items_in(text, brief)
        or read_times(_AFTER_LESSONS.sub(" ", folded), brief.term)
    ):
        return ""
    slots = _list_slots(last.answer, brief)
    end = max((last for _, _, last in slots), default=brief.term.sections)
    if len({day for day, _, _ in slots}) != 1 or end >= brief.term.sections:
        return ""
    day, hours = name_day(slots[0][0], brief), f"{end + 1}-{brief.term.sections}"
    if not free:
        return brief.say(f"{day}{hours}节有安排吗", f"what's on {day} sections {hours}")
    return brief.say(f"{day}{hours}节什么时候有空", f"when am I free on {day} sections {hours}")


_ASKS_ON = re.compile(r"有没有|什么|啥|别的|安排|有[事课]|\b(?:anything|something|what|what's|planned|more|else)\b")


_HOLDS = re.compile(
    r"\b(?:does|do|is|will|would) (?:that|this|it|the same|they)\b.*"
    r"\b(?:hold|apply|go|count|true|valid|cover|include|the same)\b"
    r"|[也对].*(?:算|适用|一样|有效|这样|如此|包括|管用|生效)|包括|包含"
)


def ask_wish_of_class(text: str, last: Exchange, brief: Brief) -> str:
    """The question which wishes there are, where a turn asks whether the one that was just noted goes for a class too:
    each is told with what it goes for."""
    if "set_preferences" not in last.wrote or not (asks_whether(text) and _HOLDS.search(fold_text(text))):
        return ""
    return brief.say("现在记下了哪些愿望", "what wishes do you know?") if classes_named(text, brief) else ""


THERE = re.compile(
    r"\b(?:whatever|what|everything|all|anything|the (?:one|thing|item|chapter|lab|task|unit|stuff))"
    r"(?:(?:'s| (?:is|was|stands|stood|sits|sat))|(?: (?:that|which))(?:'s| (?:is|was|stands|stood))?)?"
    r" (?:there|then|(?:on )?that day)\b"
    r"|(?:那[一1]?天|那里|那儿|那时候?)的?(?:那?[一1]?[个章项节]|任务|内容|东西)"
)
"""What stands at a time that was told."""
_MOVES_THERE = re.compile(r"[挪移调换改搬放](?!课)|\b(?:move|put|shift|push|bring|place|reschedule)\b")


def move_what_stood_there(text: str, last: Exchange, brief: Brief) -> str:
    """Another place for the one item of a day that was to stay free, over its card: the item goes there, and the day is
    kept free all the same."""
    folded, target = fold_text(text), last.target
    looked = last.wrote or last.intent in ("load", "free")
    if looked or items_in(last.said, brief) or not target.dated or not last.frees:
        return ""
    rows = [row for row in brief.tasks if row["slot"] and target.covers(row["slot"])]
    folded = fold_text(spell_in_week(text, rows[0]["slot"]["week"], brief)) if rows and rows[0]["slot"] else folded
    wanted = _MOVES_THERE.search(folded) and (target_in(folded, brief).said or shift_in(folded) is not None)
    bare = not items_in(folded, brief) and not classes_named(text, brief) and not says("all", folded)
    if len(rows) != 1 or not wanted or not bare or not read_times(last.text, brief.term):
        return ""
    moved = _tell_move(folded, rows, brief)
    return moved + APART + brief.say(f"我{_when(last)}没空", f"I am not available {_when(last)}")


_LESSON = re.compile(r"[:：]\s*\d+(?:-\d+)?节? \S")
"""Something that was told to be on a day: 1-2节 高等数学."""


_ALL_OF_IT = re.compile(r"^[把将]|它们?|那个|全部?|都|统统|[给帮]我")
_ALL = re.compile(r"[全都]|统统|\ball\b|\beverything\b")


def move_what_is_then(text: str, last: Exchange, brief: Brief) -> str:
    """Another place for what was asked for on a day that has nothing: that this is of that day, and no other one like
    it."""
    folded, target, (week, today) = fold_text(text), last.target, brief.term.week_day(brief.term.today)
    if not last.asked or last.listed or len(target.days) != 1 or target.run or items_in(last.said, brief):
        return ""
    there = THERE.search(folded) or re.search(r"\b(?:it|that(?: one)?|this|them|those)\b", folded)
    plain = _ALL_OF_IT.sub("", folded)
    moves = _MOVES_THERE.match(plain) and intent_of(text, brief) in ("move", "place")
    if (
        not moves
        or (_LESSON.search(last.answer) and not _ALL.search(folded))
        or items_in(folded, brief)
        or classes_named(text, brief)
        or (folded.isascii() and not there)
    ):
        return ""
    day = name_day(brief.term.day(target.week or week + (target.days[0] < today), target.days[0]), brief)
    if not folded.isascii():
        return f"把{day}的都{plain}"
    return f"{folded[: there.start()]}what is on {day}{folded[there.end() :]}" if there else ""


def _tell_move(folded: str, rows: list[TaskView], brief: Brief) -> str:
    """What goes elsewhere by its name, in front of where to or in the place of what points to it."""
    name = join_names(rows, brief)
    if not folded.isascii():
        return f"把{name}{LEADS.sub('', re.sub('把|它|那天的?|那个|这个', '', THERE.sub('', folded))).strip(' 吧。')}"
    found = THERE.search(folded) or re.search(r"\b(?:it|that(?: one)?|this|them|those)\b", folded)
    plain = LEADS.sub("", folded if found is None else f"{folded[: found.start()]}{name}{folded[found.end() :]}")
    return plain.rstrip(" .!") if found else re.sub(_MOVES_THERE, lambda verb: f"{verb.group()} {name}", plain, count=1)


_STANDS = re.compile(
    r"(?:\b(?:is|are|was|stands?|sits?|currently|now|planned|on|at|in|the|my|so|but)\b|[的在排放是了呢]|本来|原来|现在|安排|\s)*"
)
_SENTENCE = re.compile(r"[,，;；。]\s*|\.\s+|\s+(?:so|but)\s+")


def leave_out_own_day(text: str, brief: Brief) -> str:
    """A move whose clause before only tells where the item stands, without that one: matrices is on tuesday, put it on
    the day after."""
    folded = fold_text(text)
    joint = _SENTENCE.search(folded)
    head, rest = (folded[: joint.start()], folded[joint.end() :]) if joint else (folded, "")
    rows, times = items_in(head, brief), read_times(head, brief.term)
    slot = rows[0]["slot"] if len(rows) == 1 else None
    if slot is None or not times or not place_of([*times], brief.term).covers(slot) or items_in(rest, brief):
        return text
    for one in reversed(times):
        head = head[: one.start] + " " + head[one.end :]
    bare = without_items(head, rows)
    moves = _MOVES_THERE.search(rest) and (target_in(rest, brief).said or shift_in(rest) is not None)
    return _tell_move(rest, rows, brief) if moves and _STANDS.fullmatch(bare) else text


def _when(last: Exchange) -> str:
    """The words of the days that are to stay free."""
    times = read_times(last.text, last.brief.term)
    days = [one for one in times if one.kind in ("day", "days", "weekday", "week")]
    lead = "on " if last.text.isascii() and days[:1] and days[0].kind in ("day", "weekday") else ""
    told = last.text[days[0].start : days[-1].end] if days else ""
    return told if told.startswith(("on ", "from ")) else f"{lead}{told}"
