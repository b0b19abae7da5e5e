"""What a turn points to in the turns before it, told in full before the models read it.

The models know what a turn changes of the request before; they do not see what was answered. So whatever points to an
answer, to a day by its distance from another, or to a week by the one that was asked about, is spelled out here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import (
    join_names,
    name_listed_items,
    name_of,
    name_others_then,
    name_picked_items,
    tells_others,
)
from agent.llm.offline.language.dialogue.memory import CLASS_WRITE, Exchange, Memory
from agent.llm.offline.language.dialogue.offers import TAKES, find_offered
from agent.llm.offline.language.dialogue.pointing.carried_over import (
    THERE,
    ask_free_after_lessons,
    ask_over_limit,
    ask_wish_of_class,
    bring_to_length,
    consent_to_mark,
    improve_as_asked,
    keep_free_beside,
    keep_free_weeks_on,
    leave_out_own_day,
    lighten_asked_time,
    move_what_is_then,
    move_what_stood_there,
    name_added_item,
    place_in_told_slot,
    plan_as_asked,
)
from agent.llm.offline.language.dialogue.pointing.distances import (
    finish_class_earlier,
    place_added,
    place_at_distance,
    share_day,
    spell_as_far,
    spell_day_behind,
    spell_hours_of_clause_before,
)
from agent.llm.offline.language.dialogue.pointing.follow_ups import (
    ask_how_far_apart,
    ask_lighter_day,
    ask_neighbour_of_told,
    ask_of_other_kind,
    ask_order_of_told,
    ask_other_end,
    ask_same_of_item,
    ask_what_would_follow,
    move_asked_deadline,
    spell_day_of_told,
    spell_rest_of_week,
    spell_week_later,
)
from agent.llm.offline.language.dialogue.pointing.pairs import name_pair, place_beside_moved
from agent.llm.offline.language.dialogue.pointing.part_moves import move_part_spoken
from agent.llm.offline.language.dialogue.pointing.planned_weeks import (
    change_planned,
    plan_at_weekdays,
    plan_class_in_weeks,
    put_on_days_apart,
    spell_same_span,
    spread_over_weeks,
)
from agent.llm.offline.language.dialogue.pointing.pointed_times import (
    name_day,
    spell_date_before,
    spell_day_beside_spoken,
    spell_day_of_clause_before,
    spell_day_of_hours,
    spell_day_of_moved,
    spell_day_of_named,
    spell_days_said,
    spell_in_week,
    spell_own_day_beside,
    spell_time_spoken,
    spell_week_asked,
    spell_week_beside,
    spell_weekdays,
    spell_weekend_spoken,
)
from agent.llm.offline.language.dialogue.pointing.same_for_others import (
    ask_same_of_class,
    classes_named,
    take_same_for_others,
)
from agent.llm.offline.language.dialogue.pointing.subjects import (
    REST_OF_IT,
    keep_subject,
    name_all_counted,
    name_class_of_question,
    name_class_of_talk,
    narrow_to_class,
)
from agent.llm.offline.language.dialogue.pointing.told_before import (
    add_removed_again,
    ask_until_other_day,
    drop_told_rule,
    go_on_with_told,
    name_compared,
)
from agent.llm.offline.language.dialogue.revision.corrections import AS_MARKED
from agent.llm.offline.language.dialogue.rewriting import makes_write_of_question
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.plain.days.rest_of_half import drop_rest_of_item, name_what_is_left
from agent.llm.offline.language.spans.conditions.suppositions import read_supposition
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.items.counted import name_alternatives
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.revert import find_changes
from agent.llm.offline.language.spans.targets import join_times, place_of, stands_at, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.texts import say_sections
from agent.loop.view_document import TaskView


def _ask_what_follows(text: str, last: Exchange, brief: Brief) -> str:
    """The question what comes behind what was told, where the turn only says: and after that?"""
    if not _AND_THEN.fullmatch(fold_text(text)) or not last.asked:
        return ""
    if last.intent == "next":
        return brief.say("再接下来学什么", "what comes next after that")
    days = [brief.day_of(slot) for row in last.listed if (slot := row["slot"])]
    day = name_day(max(days), brief) if days else ""
    return brief.say(f"{day}之后接下来学什么", f"what comes next after {day}") if days else ""


def _take_offered(text: str, last: Exchange) -> str:
    """What the answer offered to do in words of its own, where the turn only takes it."""
    return find_offered(last.answer) if TAKES.fullmatch(fold_text(text)) else ""


_WHICH_IS_FIRST = re.compile(
    r"(?:and |so |then |ok(?:ay)?,? )*which (?:one |item |of (?:them|those|these) )?"
    r"(?:is|comes|goes|do i do|should i do) (?:the |up )?"
    r"(?:(?P<last>last|latest|final)|first|earliest|soonest|next)(?: one)?(?: now)?[?.! ]*"
    r"|(?:那|其中|这里面|里面|现在)*(?:哪[1一]?[个项章](?:是|在|要)?最?(?:早|先|前)(?:学|做|的)?|最[早先前](?:要?[学做])?的?是?哪[1一]?[个项章]"
    r"|(?P<zh_last>哪[1一]?[个项章](?:是|在)?最?[后晚](?:学|做|的)?|最[后晚](?:要?[学做])?的?是?哪[1一]?[个项章]))[呢啊?？。\s]*"
)
"""Which of several is the first or the last, and nothing else."""


def _ask_of_first(text: str, last: Exchange, brief: Brief) -> str:
    """The question when the first or the last item of the list is that the answer told."""
    found = _WHICH_IS_FIRST.fullmatch(fold_text(text))
    ids = {row["item_id"] for row in (last.listed if last.asked else last.items)}
    rows = sorted((row for row in brief.tasks if row["item_id"] in ids and row["slot"]), key=stands_at)
    if found is None or len(rows) < _SEVERAL:
        return ""
    latest = bool(found["last"] or found["zh_last"])
    if len(rows) == _SEVERAL and not latest:
        one, other = (name_of(row, brief) for row in rows)
        return brief.say(f"{one}和{other}哪个在前", f"which comes first, {one} or {other}?")
    name = name_of(rows[-1 if latest else 0], brief)
    return brief.say(f"{name}在什么时候", f"when is {name}")


_WHERE_PUT = re.compile(
    r"(?:(?:and|so|ok(?:ay)?|then|on)\b[, ]*)*(?:(?:which|what) (?:days?|dates?|times?|weeks?)|where|when)(?: exactly)?"
    r" (?:did|do|are|is|have|has|were|was|will|does) (?:(?:they|it|that|those|these)\b"
    r"(?!(?: all)? (?:end(?! up)|finish|stop|start|begin))[a-z ]{0,28}"
    r"|you (?:put|place|schedule|plan) (?:them|it|those|these)(?: all)?(?: on| in| to)?)[?.! ]*"
    r"|(?:那|都|它们?|这些|那些|这几项|分别|各自|最后|具体|被|你|给|是|,)*(?:安?排|放|落|定|挪|移|弄)?(?:到|在)?了?"
    r"(?:哪[几1一]?天|哪些天|什么时候|几号|哪[里儿]|周几|星期几)(?:了|呢|啊|的)*[?？\s]*"
)


def _ask_where_put(text: str, last: Exchange, brief: Brief) -> str:
    """The question when the items are that were planned or moved just before, or the one that was told: which days did
    they end up on, when is it?"""
    ids = {row["item_id"] for row in last.listed}
    rows = sorted((row for row in brief.tasks if row["item_id"] in ids and row["slot"]), key=stands_at)
    if (last.asked and len(ids) != 1) or not rows or not _WHERE_PUT.fullmatch(fold_text(text)):
        return ""
    return brief.say("{names}在什么时候", "when is {names}", names=join_names(rows, brief))


_COUNTS_AGAIN = re.compile(
    r"(?=.*(?:now|then|left|现在|这下|还|了))(?:(?:so|and|ok(?:ay)?|then|well)\b[, ]*)*how (?:many|much)\b"
    r"(?: (?:is|are|do i have|of them|there|it))*(?: (?:left|remaining|still|now|then|open))*[?.! ]*"
    r"|(?:那|所以|现在|这下|这样|还|,)*(?:剩|有|是)*(?:下)?(?:几|多少)[个项章节]?(?:没[学做])?(?:了|呢|啊)*[?？\s]*"
)


def _ask_count_again(text: str, memory: Memory) -> str:
    """The question how many there are that was asked before something was changed, once more: so how many now?"""
    last = memory.last
    if last is None or not _COUNTS_AGAIN.fullmatch(fold_text(text)) or last.asked:
        return ""
    asked = (one.said for one in reversed(memory.exchanges[-_REACH:]) if one.asked and _HOW_MANY.search(one.text))
    return next(asked, "")


_HOW_MANY = re.compile(r"多少|几[个项章节]|\bhow (?:many|much)\b")
_REACH = 3
_THAT_PLACE = re.compile(
    r"(?:在|到)?(?:那里|那儿|那个?(?:空[出档位]?来?的?)?(?:位置|时间段?|时段|地方|空档?))(?:里|上)?"
    r"|\b(?:(?:at|in|into|on) )?(?:that (?:slot|time|place|gap|spot)|there)\b(?! (?:is|are|was)\b)"
)


def _spell_place_left(text: str, memory: Memory) -> str:
    """A turn with the place that the item taken out just before has left: what's free in that slot, put nouns there."""
    brief, folded = memory.brief, fold_text(text)
    found = _THAT_PLACE.search(folded)
    taken = next((one for one in reversed(memory.exchanges[-_SEVERAL:]) if one.wrote), None) if found else None
    rows = [row for row in brief.tasks if taken and row["item_id"] in {one["item_id"] for one in taken.listed}]
    changes = [one for entry in find_changes(brief)[-1:] for one in entry]
    if found is None or len(rows) != 1 or rows[0]["slot"] or len(changes) != 1 or changes[0]["before"] is None:
        return ""
    rest, place = f"{folded[: found.start()]}{folded[found.end() :]}", changes[0]["before"]
    if changes[0]["item_id"] != rows[0]["item_id"] or target_in(rest, brief).said:
        return ""
    when = brief.say("", "on ") + name_day(brief.day_of(place), brief)
    when += say_sections(brief, place["section_from"], place["section_to"])
    if says("free", folded):
        return brief.say(f"{when}有空吗", f"am i free {when}?")
    item = items_in(rest, brief) or items_in(rest, brief, among=all_items(brief))
    moves = intent_of(text, brief) in ("place", "move") and len(item) == 1
    return brief.say(f"把{join_names(item, brief)}放到{when}", f"put {join_names(item, brief)} {when}") if moves else ""


_SEVERAL = 2
LONGEST = 120
"""Characters of a turn that may point to something; longer ones tell all themselves."""
_PLAIN = (
    _ask_of_first,
    ask_other_end,
    ask_same_of_item,
    ask_neighbour_of_told,
    ask_order_of_told,
    ask_of_other_kind,
    _ask_where_put,
    ask_free_after_lessons,
    ask_what_would_follow,
    move_asked_deadline,
    ask_until_other_day,
    ask_wish_of_class,
    place_in_told_slot,
    ask_same_of_class,
    spread_over_weeks,
    change_planned,
    place_at_distance,
    place_added,
    place_beside_moved,
    finish_class_earlier,
    consent_to_mark,
    lighten_asked_time,
    improve_as_asked,
    plan_as_asked,
    move_part_spoken,
    move_what_is_then,
    move_what_stood_there,
    ask_over_limit,
    bring_to_length,
)
_TIMES = (
    spell_day_of_told,
    spell_rest_of_week,
    spell_week_later,
    spell_as_far,
    spell_same_span,
    spell_day_behind,
    spell_week_beside,
    spell_day_of_clause_before,
    spell_hours_of_clause_before,
    spell_own_day_beside,
    spell_day_of_hours,
    spell_day_of_moved,
    spell_day_of_named,
    spell_days_said,
    spell_weekend_spoken,
    spell_day_beside_spoken,
    spell_date_before,
    spell_time_spoken,
    spell_week_asked,
    spell_weekdays,
)


_AND_THEN = re.compile(
    r"(?:(?:and|so|ok(?:ay)?|then|what|what's|whats|what about|how about|comes|is|next|after|afterwards|that|thereafter"
    r"|it|those|them)\W*)+|(?:那|再|然后|接着|之后|后面|下一?个|往后|是|什么|啥|呢|[?？,，\s])+"
)


@dataclass(frozen=True)
class Pointed:
    """A turn with what it points to told in full."""

    text: str
    alone: bool = False
    """Whether it is a whole request by itself then."""
    plain: bool = False
    """Whether it is in words that the readers know, so that no model needs to read it."""
    offered: bool = False
    """Whether it was offered as it stands: nothing that was said before it fills or narrows it."""


def spell_pointers(text: str, memory: Memory) -> Pointed:
    """A turn with what it points to told in full."""
    if len(text) > LONGEST:
        return Pointed(text)
    pointed = _spell(text, memory)
    asks = pointed.plain and read_supposition(pointed.text, memory.brief) is not None
    asks = asks or (pointed.plain and APART in pointed.text)
    return Pointed(text) if not asks and makes_write_of_question(text, pointed.text, memory.brief) else pointed


def _spell(text: str, memory: Memory) -> Pointed:
    last, brief = memory.last, memory.brief
    if last and (whole := _take_offered(text, last)):
        return Pointed(whole, alone=True, plain=True, offered=True)
    if (
        whole := add_removed_again(text, memory)
        or name_pair(text, memory)
        or _ask_count_again(text, memory)
        or ask_how_far_apart(text, memory)
        or ask_lighter_day(text, memory)
        or _spell_place_left(text, memory)
    ):
        return Pointed(whole, alone=True, plain=True)
    if last and (whole := drop_told_rule(text, last, brief) or keep_free_weeks_on(text, last, brief)):
        return Pointed(whole, alone=True, plain=True)
    text = _name_asked_beside(_name_others(text, memory), last, brief)
    text = name_added_item(name_compared(text, last, brief), last, brief) if last else text
    settled = last is None or last.wrote or last.listed or last.asked or last.stopped  # else a card is open
    alone = [
        put_on_days_apart,
        plan_class_in_weeks,
        *([plan_at_weekdays] if settled else []),
        share_day,
    ]
    if whole := go_on_with_told(text, memory) or next(filter(None, (tell(text, brief) for tell in alone)), ""):
        return Pointed(whole, alone=True, plain=True)
    if last and (whole := _ask_what_follows(text, last, brief) or keep_free_beside(text, memory)):
        return Pointed(whole, alone=True, plain=True)
    for take in _PLAIN if last else ():
        if last and (whole := take(text, last, brief)):
            return Pointed(whole, alone=True, plain=True)
    if (subject := memory.subject) and (whole := take_same_for_others(text, subject, brief)):
        return Pointed(whole, alone=True)
    text = leave_out_own_day(drop_rest_of_item(text, brief), brief)
    half = f"{last.said}, {text}" if last and not name_what_is_left(text, brief)[0] else ""
    if half and (whole := name_what_is_left(half, brief)[1]):
        return Pointed(whole, alone=True)
    if (
        whole := name_class_of_talk(text, memory)
        or name_class_of_question(text, memory)
        or (narrow_to_class(text, last.said, brief) or keep_subject(text, last, brief) if last else "")
    ):
        return Pointed(whole, alone=True)
    told = _name_where_it_stands(name_all_counted(_name_asked_over_card(text, memory), memory), brief)
    told = _name_listed(told, memory)
    for spell in _TIMES:
        told = spell(told, memory)
    return Pointed(told)


def _join_overlapping(text: str, brief: Brief) -> list[tuple[int, int, list[Time]]]:
    """Where the times of a text are, those told by the same words as one: week and day of 第4周周四."""
    found: list[tuple[int, int, list[Time]]] = []
    for start, end, times in join_times(text, brief):
        if found and start < found[-1][1]:
            first, last, before = found.pop()
            start, end, times = first, max(last, end), [*before, *times]
        found.append((start, end, times))
    return found


_ONE_OF = re.compile(
    r"\b(?:any |just )?one of (?:them|those|these|the (?:two|three|four|five|items|tasks|things))\b"
    r"|\bsome of (?:them|those|these)\b"
    r"|(?<=[挪移拿去调撤搬分匀])(?:一些|1些|一部分|几[个项])(?=[到去出走掉至往吧]|\W*$)"
    r"|其中(?:随便|任意)?的?[一1]?[个项章门]|(?:它们|这些|那些|这[几两]个|那[几两]个)(?:里|中"
    r"|当中)?的?(?:随便)?[一1][个项章门]"
    r"|(?<=[挪移拿去调撤搬推提删])[一1][个项章门](?=[到去出走掉至往吧]|\W*$)|(?<=把)[一1][个项章门](?=[挪移调推提])"
)
"""One of several that were told, and not which."""


def _name_listed(text: str, memory: Memory) -> str:
    """A turn with the items by their names that were told last and it points to."""
    brief, folded, about = memory.brief, fold_text(text), memory.about
    rows = about.told if about else []
    if about and CLASS_WRITE in about.wrote and (rest := REST_OF_IT.search(folded)):
        rows = [row for row in brief.tasks if row["class_id"] in about.classes]
        named = not rows or items_in(text, brief) or classes_named(text, brief)
        return text if named else folded[: rest.start()] + join_names(rows, brief) + folded[rest.end() :]
    if about and (whole := _name_what_was_complained_of(folded, about, brief)):
        return whole
    if about is None or not rows or about.stopped:
        return text
    one_of = _ONE_OF.search(folded) if not (about.wrote or items_in(text, brief)) else None
    if one_of and len(rows) > 1:
        return folded[: one_of.start()] + name_alternatives(rows, brief) + folded[one_of.end() :]
    if not about.asked:
        return text
    if whole := _tell_of_all_listed(folded, rows, brief):
        return whole
    if len(rows) == 1 and _HOW_LONG.search(folded):
        return _HOW_LONG.sub(rows[0]["name"], folded)
    told = name_picked_items(text, rows, brief)
    if items_in(told, brief, among=all_items(brief)):
        return told
    folded = fold_text(told)
    found = THERE.search(folded)
    found = None if found and found.group() == folded.rstrip(" ?") else found  # asks what is there
    if found:
        return folded[: found.start()] + join_names(rows, brief) + folded[found.end() :]
    return name_listed_items(told, rows, about.items, brief)


_ALL_LISTED = re.compile(r"[全都]|统统|清[空掉]|\b(?:all|everything|clear)\b")
_CLEARS = re.compile(r"(?:那天|[把将]|它们?|的|全部?|都|给我|帮我|就|那)*清[空掉](?:[吧了掉呗。!\s])*")


def _tell_of_all_listed(text: str, rows: Sequence[TaskView], brief: Brief) -> str:
    """That all of a list is done, or to be taken out, where a turn says so of all and names nothing: all done."""
    intent = "remove" if _CLEARS.fullmatch(text) else intent_of(text, brief)
    named = items_in(text, brief, among=all_items(brief)) or classes_named(text, brief) or read_times(text, brief.term)
    if intent not in ("mark", "remove") or named or not _ALL_LISTED.search(text) or says("asking", text):
        return ""
    told = AS_MARKED.get(progress_in(text) or "") if intent == "mark" else ("把{names}移出计划", "take {names} out")
    return brief.say(*told, names=join_names(rows, brief)) if told else ""


_IT_ALL = re.compile(r"(?:它们?|这些|那些)|\b(?:they|them|those|these|it|that)(?: all| both)?\b(?! \w*day)")
_OF_ALL = ("when_finish", "spread_out")
"""Forms of what is asked of the whole plan."""


def _means_all(found: re.Match[str], brief: Brief) -> bool:
    """Whether words of a plan that was just made point to all of it: they, or it where only a time is told."""
    timed = read_times(found.string, brief.term)
    goes = bool(timed) or intent_of(found.string, brief) == "remove"
    return found.group().startswith("they") or (goes and found.group() in ("it", "它", "它们"))


def _name_what_was_complained_of(text: str, about: Exchange, brief: Brief) -> str:
    """A change of what was told last as a whole: of all that stands at a time of which there is too much, of all that
    was just planned, or of the whole plan where its end was asked for. Empty for other turns."""
    found = _IT_ALL.search(text)
    changes = intent_of(text, brief) in ("move", "place", "remove", "optimise", "other", "wish", "limit")
    if found is None or not changes or items_in(text, brief) or classes_named(text, brief) or about.items:
        return ""
    if about.form in _OF_ALL and len(about.classes) in (0, len(brief.classes)) and intent_of(text, brief) == "move":
        told = brief.say("全部任务", "everything")
    elif about.stopped and about.target.said and len(about.listed) > 1:
        told = join_names(about.listed, brief)
    elif about.intent == "build" and len(about.listed) > 1 and len(about.classes) == 1 and _means_all(found, brief):
        told = brief.say("", "all of ") + brief.names_of(about.classes)
    else:
        return ""
    return f"{text[: found.start()]}{told}{text[found.end() :]}"


_HOW_LONG = re.compile(
    r"它(?=[^,，]{0,3}(?:多[久长]|几个?[节课小]))|(?:(?<=how long is )|(?<=how long does ))(?:it|that)\b"
)
"""What points to the one item whose length is asked for."""
_ASKED_ONE = re.compile(
    r"\b(?:the other|that) one\b(?! of\b)|\bthe other(?= to\b)"
    r"|(?:另外?|(?:[前后]面)?那)[1一]?个(?![月周星礼])"
)


def _name_asked_over_card(text: str, memory: Memory) -> str:
    """A turn over a card with the item by its name that was asked about over it, and that it points to."""
    brief, folded = memory.brief, fold_text(text)
    asked, card = memory.exchanges[-_SEVERAL:] if len(memory.exchanges) >= _SEVERAL else (None, None)
    if asked is None or card is None or not asked.asked or items_in(folded, brief, among=all_items(brief)):
        return text
    rows = [*asked.listed] or asked.items
    others = [row for row in rows if row["item_id"] not in {one["item_id"] for one in card.items}]
    over = asked.before and asked.before.said == card.said
    if not over and (card.wrote or card.asked or len(rows) != _SEVERAL or len(others) != 1):
        return text
    if len(others) == 1 and (found := _ASKED_ONE.search(folded)):
        return folded[: found.start()] + join_names(others, brief) + folded[found.end() :]
    return name_picked_items(text, rows, brief)


def _name_others(text: str, memory: Memory) -> str:
    """A turn with the other items of a class by their names, or the second one, where those spoken of last are some
    of it."""
    brief, rows = memory.brief, memory.spoken
    if then := name_others_then(fold_text(text), (), brief):
        return then
    same = [row for row in all_items(brief) if rows and row["class_id"] == rows[-1]["class_id"]]
    open_or_made = memory.last is not None and not memory.last.asked
    if open_or_made and tells_others(text):
        return name_listed_items(text, same, rows, brief)
    return name_picked_items(text, same, brief) if memory.last and memory.last.heading else text


def _name_asked_beside(text: str, last: Exchange | None, brief: Brief) -> str:
    """A turn with the name of the one item that was asked about for what points to it in front of another item: move it
    to Wednesday, and Eigenvalues to Saturday."""
    folded, rows = fold_text(text), (last.items or [*last.listed]) if last and last.asked else []
    found, others = pattern("pronoun").search(folded), items_in(text, brief, among=all_items(brief))
    if len(rows) != 1 or found is None or not others or rows[0] in others or items_in(folded[: found.end()], brief):
        return text
    verb, _, it = found.group().rpartition(" ")
    name = name_of(rows[0], brief) if it not in ("one", "item", "task") else found.group()
    return f"{folded[: found.start()]}{f'{verb} {name}'.strip()}{folded[found.end() :]}"


_THAT_STANDS = re.compile(
    r"\bthe (?:one|thing|item|chapter|lab|task|unit)(?:(?:'s| that's| (?:that |which )?(?:is|was|stands|sits))"
    r"(?: there| planned| scheduled)?)? (?=(?:on|at|in) )(?:on|at|in) (?:the )?"
)
_OF_WEEK = re.compile(r"\s+(?:of|in) week \d{1,2}\b")
_WHERE_TO = re.compile(r"\s(?:to|into|onto)\s")
_THAT_ONE = re.compile(r"的?那?(?:[一1]?天)?的?(?:那)?[一1]?[个章项](?![月周星礼])")


def _name_where_it_stands(text: str, brief: Brief) -> str:
    """A message with the one item that it tells by where it stands: the chapter that is on sunday of week 4."""
    folded = fold_text(text)
    front = _THAT_STANDS.search(folded)
    cut = _WHERE_TO.search(folded, front.end()) if front else None
    for start, end, times in _join_overlapping(folded[: cut.start()] if cut else folded, brief):
        target = place_of(times, brief.term)
        of_week = _OF_WEEK.match(folded, end)
        end = of_week.end() if of_week else end
        rows = [row for row in brief.tasks if row["slot"] and target.covers(row["slot"])]
        if not target.week or not target.days or len(rows) != 1 or items_in(folded, brief):
            continue
        behind = _THAT_ONE.match(folded, end)
        week, name = target.week, join_names(rows, brief)
        if front and front.end() >= start > front.start():
            return folded[: front.start()] + name + spell_in_week(folded[end:], week, brief)
        if behind and not folded.isascii():
            return folded[:start] + name + spell_in_week(folded[behind.end() :], week, brief)
    return text
