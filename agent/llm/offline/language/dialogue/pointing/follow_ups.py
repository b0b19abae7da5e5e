"""Questions that go on with the one before: when that is, whether it is still before another, what moves for it."""

from __future__ import annotations

import re
from datetime import timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import find_others, name_of
from agent.llm.offline.language.dialogue.filling import put_in
from agent.llm.offline.language.dialogue.memory import Exchange, Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import SAME_DAY, days_of, name_day
from agent.llm.offline.language.dialogue.revision.corrections import AS_MARKED
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_known
from agent.llm.offline.language.meaning.whether import asks_what_follows, asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import read_supposition
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.lesson_moves import says_lesson
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, said_names
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.texts import date_text, say_hours, say_sections
from agent.loop.view_document import TaskView

_SHORT = 40
BEHIND = re.compile(r"后|\b(?:after|behind|later)\b")
_STILL = re.compile(r"还|仍|^那?[是会]?在|\b(?:it|that|this|still)\b")
_KINDS = re.compile(
    r"(?:那|有|还有|的?(?P<task>任务|学习任务|要学的)|的?(?P<course>课|上课)|呢|吗|没有|[,，])+[?？\s]*"
    r"|(?:(?:and|any|a|an|what about|how about|do i have|is there|are there|or|ok(?:ay)?|then|also|but|some)\b[, ]*)*"
    r"(?:(?P<items>tasks?|items?|stud(?:y|ying)|study tasks?)|(?P<lessons>lessons?|lectures?|class(?:es)?))"
    r"(?: (?:too|as well))?[?. ]*"
)
_REST = re.compile(
    r"\b(?:the )?(?:rest|remainder) of (?:the|that) week\b|\b(?:the|that) week's rest\b"
    r"|(?:那[1一]?个?(?:周|星期|礼拜)|这[1一]?个?(?:周|星期|礼拜))?的?(?:剩下|余下|其余|剩余)的?(?:那?几天|日子|时间|天)"
)


def _names_any(text: str, brief: Brief) -> bool:
    named = items_in(text, brief, among=all_items(brief)) or said_names(text, brief)
    return bool(named or classes_in(text, brief.classes))


def _only_one(last: Exchange) -> TaskView | None:
    """The one item that an answer told, or that was asked for or changed."""
    rows = [*last.listed] or last.items
    return rows[0] if len(rows) == 1 else None


_OTHER_ONE = re.compile(
    r"(?:(?:and|what about|how about|or|then)\b[, ]*)+(?P<en>[^?]{2,40}?)(?: then)?[?. ]*"
    r"|那?(?P<zh>[^?？]{1,20}?)呢[?？\s]*"
)


def ask_same_of_item(text: str, last: Exchange, brief: Brief) -> str:
    """The question about one item that was just asked once more, of another: how long is chapter 3, and chapter 4?"""
    found = _OTHER_ONE.fullmatch(fold_text(text)) if last.asked and len(last.items) == 1 and not last.wrote else None
    rest = (found["en"] or found["zh"]) if found else ""
    rows = items_in(rest, brief) if rest and not target_in(rest, brief).said else []
    if len(rows) != 1 or not _LENGTH.search(last.text):
        return put_in(rest, last.said, brief) if [one["name"] for one in rows] == [rest] else ""
    return brief.say("{name}几节", "how long is {name}?", name=name_of(rows[0], brief))


def name_other_of_class(text: str, memory: Memory) -> str:
    """A turn with the item by its name that it counts in the class of the one that was told or changed right before,
    where that was picked out of no list: and the last one; 第二个也做完了."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    if last is None or len(last.items) != 1 or len(last.listed) >= _PAIR:
        return text
    row, known = last.items[0], {item["id"] for owner in brief.classes for item in owner["items"]}
    picked = any(one.asked and len(one.listed) >= _PAIR and row in one.listed for one in memory.exchanges)
    nth = _NTH_ONE.search(folded)
    if picked or nth is None or row["item_id"] not in known or not _LIKE_IT.search(folded):
        return text
    if any(fold_text(item["content"]).startswith(nth.group()) for owner in brief.classes for item in owner["items"]):
        return text  # another class has an item of that name
    others = find_others(_LIKE_IT.sub(" ", folded), row, brief)
    if len(others) != 1:
        return text
    if last.intent == "mark" and last.wrote and (told := AS_MARKED.get(progress_in(folded) or progress_in(last.said))):
        return brief.say(*told, names=name_of(others[0], brief))  # what was counted before counts otherwise now
    return f"{folded[: nth.start()]}{name_of(others[0], brief)}{folded[nth.end() :]}"


_NTH_ONE = re.compile(
    r"(?:第[一二三四五六七八九\d]|最后一?)[个项章节门]?"
    r"|\b(?:the )?(?:first|second|third|fourth|fifth|sixth|last)\b(?: one\b)?"
)
_LIKE_IT = re.compile(
    r"也|都|还有|再|同样|[做学看背写弄]完|完成|搞定|呢"
    r"|\b(?:and|too|also|as well|plus|i|did|done|finished|what about|how about)\b"
)


def spell_picked_time(text: str, request: str, brief: Brief) -> str:
    """Words over the card of a move to a weekday that pick one of the times which it may mean, as that time alone:
    the week 4 one; 3月29那个. The item that stands there is not meant."""
    picked, (day, *more) = _PICKED.fullmatch(fold_text(text)), target_in(request, brief).days or (0, 0)
    if picked is None or more or not (picked["one"] or picked["that"]):
        return text
    said = picked["time"].strip()
    if bare := _DAY_ALONE.fullmatch(said):
        ahead = (brief.term.today + timedelta(days=by) for by in range(_AHEAD))
        found = [one for one in ahead if (one.day, one.isoweekday()) == (int(bare["number"]), day)]
        return date_text(brief, found[0]) if found else text
    times, where = read_times(said, brief.term), target_in(said, brief)
    alone = len(times) == 1 and not times[0].role and not strip_known(said, brief).strip(" ,，.。")
    return said if alone and (not where.days or where.days == (day,)) else text


_AHEAD = 62
"""Days among which that of a number is looked for."""
_PICKED = re.compile(
    r"(?:(?:no|nope|oh|ok(?:ay)?|hm+|well|i (?:mean|meant|want)|rather|actually|just|make it|take|pick|the|in|on|at"
    r"|from|of|(?P<one>(?:that |the )?one))\b[\s,]*|我?[要选说指]的?是?|不是?[,，\s]|那就|就|还是|用|放)*"
    r"(?P<time>.+?)(?P<that>\s+one\b|的?那[1一]?[个天次]?|的)?"
    r"(?:[,\s]*\b(?:please|pls|then|instead|i mean|i meant)\b|[吧呀啊呗]|就行|好了)*[\s.。!！]*"
)
_DAY_ALONE = re.compile(r"(?P<number>\d{1,2})(?:st|nd|rd|th|[号日])")


def ask_other_end(text: str, last: Exchange, brief: Brief) -> str:
    """The question for the last, the first or the next item that was just asked, for another of them: and the first?"""
    found, told = _END.search(fold_text(text)), _END.search(fold_text(last.text))
    if found is None or told is None or found.group() == told.group() or last.wrote:
        return ""
    rest = _END.sub(" ", fold_text(text), count=1)
    if not _ASKS_END.fullmatch(rest):
        return ""
    whole = fold_text(last.text)
    if not (last.asked or whole.endswith(("?", "什么", "什么时候", "哪天"))):
        return ""
    return whole[: told.start()] + found.group() + whole[told.end() :]


_END = re.compile(r"第[1一](?=[项个])|最后[1一]?(?=[项个])|下[1一](?=[项个])|\b(?:first|last|next)\b")
_ASKS_END = re.compile(
    r"(?:那|[项个]|呢|[?？\s])+|(?:(?:and|so|then|(?:what|how) about|the|one|thing|item)\b|[?.,\s])+"
)


_LENGTH = re.compile(r"几节|多长|\bhow (?:long|many (?:sections|periods))\b")
_IT = re.compile(r"它(?!们)|\b(?:it|that one|this one)\b(?!'s? (?:is|possible|ok))")
_NEIGHBOUR = re.compile(r"[前后]面|之[前后]|[上下]一?[个项章]|\b(?:before|after|follows?|precedes|next to|behind)\b")


def ask_neighbour_of_told(text: str, last: Exchange, brief: Brief) -> str:
    """The question what comes before or after the one item that was just told, by its name."""
    folded, row = fold_text(text), _only_one(last) if last.asked else None
    found = _IT.search(folded) if row and _NEIGHBOUR.search(folded) and says("asking", folded) else None
    if row is None or found is None or _names_any(folded, brief) or says("move", folded) or says("place", folded):
        return ""
    return f"{folded[: found.start()]}{name_of(row, brief)}{folded[found.end() :]}"


def ask_how_far_apart(text: str, memory: Memory) -> str:
    """The question how many days lie between the two items that were spoken of last."""
    brief, rows = memory.brief, memory.spoken[-_PAIR:]
    if len(rows) != _PAIR or not _APART.fullmatch(fold_text(text)):
        return ""
    one, other = (name_of(row, brief) for row in rows)
    return brief.say(f"{one}和{other}隔几天", f"how many days are between {one} and {other}?")


_APART = re.compile(
    r"(?:那|它们|这两个|两个|中间|之间)*(?:相)?(?:隔|差|间隔)(?:了)?(?:几|多少)天[呢啊?？\s]*"
    r"|(?:(?:and|so)\b ?)*how (?:many days|far|long) "
    r"(?:apart are (?:they|those|these)|(?:are|is|lies?) between them)[?. ]*"
)


BESIDE_IT = re.compile(r"[在比][它那这][^,，。]{0,3}[前后]|\b(?:before|after) (?:it|that|this)\b")
"""What is asked of the item that is named, beside the one that was told."""


def ask_order_of_told(text: str, last: Exchange, brief: Brief) -> str:
    """The question whether the one item that was told or changed comes before another that a turn names."""
    folded, row = fold_text(text), _only_one(last)
    asks = says("compares_order", folded) and (asks_whether(text) or text.rstrip().endswith(("?", "？")))
    asks = asks and _STILL.search(folded) is not None
    asks = asks and bool(last.asked or last.wrote) and not says("side_asked", folded)
    named = items_in(folded, brief) if asks and row else []
    if row is None or len(named) != 1 or named[0]["item_id"] == row["item_id"] or target_in(text, brief).said:
        return ""
    one, other, behind = name_of(row, brief), name_of(named[0], brief), BEHIND.search(folded)
    side = brief.say("后" if behind else "前", "after" if behind else "before")
    one, other = (other, one) if BESIDE_IT.search(folded) else (one, other)
    return brief.say(f"{one}还在{other}{side}面吗", f"is {one} still {side} {other}?")


def ask_what_would_follow(text: str, last: Exchange, brief: Brief) -> str:
    """What was supposed just before once more, where it is asked what moves for it: the answer tells that."""
    folded = fold_text(text)
    bare = len(folded) <= _SHORT and not (_names_any(folded, brief) or target_in(text, brief).said)
    asks = bare and last.asked and not last.wrote and asks_what_follows(folded)
    told = (last.meant, brief.read_words(last.said)) if asks else ()
    return next((one for one in told if one and read_supposition(one, last.brief)), "")


def ask_lighter_day(text: str, memory: Memory) -> str:
    """The question which of the days that were asked about just before has less on, or more."""
    brief, found = memory.brief, _WHICH_DAY.fullmatch(fold_text(text))
    asked = [one for one in memory.exchanges[-_PAIR:] if one.asked] if found else []
    days = days_of(asked[-1].target, brief) if asked else []
    if len(days) == 1:
        days = sorted({day for one in asked for day in days_of(one.target, brief)})
    if found is None or len(days) < _PAIR or (days[-1] - days[0]).days >= _WEEK_DAYS:
        return ""
    when = brief.say("到", " to ").join(name_day(day, brief) for day in (days[0], days[-1]))
    most = found["most"] or found["most_en"]
    if most:
        return brief.say(f"{when}哪天最忙", f"which day is the busiest from {when}?")
    return brief.say(f"{when}哪天最空", f"which day is the emptiest from {when}?")


_PAIR, _WEEK_DAYS = 2, 7
_WHICH_DAY = re.compile(
    r"(?:那|其中|[这那][几两2二]天|里)*哪[1一]?天(?:比较|会|更|要)?(?:(?:少|空|轻松|闲)|(?P<most>多|忙|满))(?:一?[点些]|的)?(?:呢|啊)?[?？\s]*"
    r"|(?:(?:and|so|then)\b[, ]*)*which (?:day |one )?(?:of (?:them|those|the two) )?(?:has|is|was)(?: the)? "
    r"(?:(?:less|fewer|lighter|lightest|emptier|freer|quieter|least)|(?P<most_en>more|busier|busiest|fuller|most))"
    r"(?: on| tasks| to do)?[?. ]*"
)


def ask_of_other_kind(text: str, last: Exchange, brief: Brief) -> str:
    """The question for the tasks, or the lessons, of the time that was asked about just before: and a task?"""
    found = _KINDS.fullmatch(fold_text(text)) if last.asked else None
    days, week = days_of(last.target, brief) if found else [], last.target.week
    tasks, lessons = found and (found["task"] or found["items"]), found and (found["course"] or found["lessons"])
    if not (tasks or lessons) or last.items or not (len(days) == 1 or (week and not days)):
        return ""
    when = name_day(days[0], brief) if days else brief.say(f"第{week}周", f"week {week}")
    when += say_hours(read_times(last.text, brief.term), brief)
    kind = brief.say("任务" if tasks else "课", "any tasks" if tasks else "any lessons")
    return brief.say(f"{when}有{kind}吗", f"do I have {kind} {'on' if days else 'in'} {when}?")


def spell_week_later(text: str, memory: Memory) -> str:
    """A turn with the same weekday a week later than the one that was asked about just before: the friday after."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    found = _LATER.search(folded)
    days = days_of(last.target, brief) if last and found else []
    if found is None or len(days) != 1:
        return text
    times = [one for one in read_times(found.group(), brief.term) if one.weekdays]
    if not times or times[0].weekdays != (days[0].isoweekday(),):
        return text
    day = name_day(days[0] + timedelta(days=7), brief)
    return f"{folded[: found.start()]}{day}{folded[found.end() :]}"


_LATER = re.compile(
    r"\bthe (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:after|following)(?: that)?\b(?! [\w])"
    r"|再(?:下|后)[一1]?个?(?:的)?(?:周|星期|礼拜)[一二三四五六日天1-7]"
)


def spell_day_of_told(text: str, memory: Memory) -> str:
    """A question about lessons with the day of the one item that was just told for that day."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    found = SAME_DAY.search(folded) if last and last.asked and says_lesson(folded) else None
    row = _only_one(last) if last and found else None
    if found is None or row is None or not (slot := row["slot"]) or _names_any(folded, brief):
        return text
    day = name_day(brief.day_of(slot), brief)
    if BEHIND.search(folded) and slot["slot_end"] < brief.term.sections:
        day += say_sections(brief, slot["slot_end"] + 1, brief.term.sections)
    told = f"{folded[: found.start()]}{brief.say(day, f'on {day}')}{folded[found.end() :]}"
    return _BEHIND_IT.sub("", told)


_BEHIND_IT = re.compile(r"的?[之以]?后面?|\bafter (?:it|that)\b ?")


def spell_rest_of_week(text: str, memory: Memory) -> str:
    """A turn with the days of the rest of the week in which those lie that were spoken of just before."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    found = _REST.search(folded)
    days = days_of(last.target, brief) if last and found else []
    if found is None or not days or brief.term.week_day(days[0])[0] != brief.term.week_day(days[-1])[0]:
        return text
    week, weekday = brief.term.week_day(days[-1])
    if weekday == _SUNDAY:
        return text
    first, end = (name_day(brief.term.day(week, day), brief) for day in (weekday + 1, _SUNDAY))
    told = brief.say(f"{first}到{end}", f"from {first} to {end}")
    return f"{folded[: found.start()]}{told}{folded[found.end() :]}"


_SUNDAY = 7


_SUPPOSES = re.compile(r"如果|要是|呢\W*$|\bwhat if\b")


def move_asked_deadline(text: str, last: Exchange, brief: Brief) -> str:
    """The last day that was just asked about, moved as the turn tells, or supposed so: can it be a week later? Of
    several classes none is named."""
    folded = fold_text(text)
    shift = shift_in(folded)
    if not last.asked or last.intent != "due" or shift is None or not shift.days or _names_any(text, brief):
        return ""
    names = [row["name"] for row in brief.classes if row["id"] in last.classes and len(last.classes) == 1]
    later, number = shift.days > 0, abs(shift.days)
    told = brief.say(
        f"{''.join(names)}的截止日期{'推迟' if later else '提前'}{number}天".removeprefix("的"),
        f"the deadline{f' of {names[0]}' if names else ''} is {number} days {'later' if later else 'earlier'}",
    )
    if not names or not _SUPPOSES.search(folded):
        return told
    return brief.say(f"如果{told}会怎样", f"what if {told.replace(' is ', ' was ', 1)}")
