"""What would be changed is held against the student's own words: what they deny is asked about before its card.

However a request was read, its words name items and classes, a way and weekdays. A change of what none of them names,
to the other side of where something stands, or of all days but the ones that are told, was misread somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

from agent.llm.offline.goals.decisions import WRITES, Decision, ask_readings, ask_whether, give_up
from agent.llm.offline.language.brief import PLACES, Brief, Json
from agent.llm.offline.language.class_batches import WRITE, divide_call
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.dialogue.revision.open_after_all import BACK, opens_days
from agent.llm.offline.language.dialogue.rewriting import adds_more
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import clauses_of
from agent.llm.offline.language.meaning.ellipsis import affirms
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART, requests_in
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.plain.classes.new_classes import say_class, spell_day
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.class_times import ANY_OF, ONLY_TIMES, excludes, find_owners
from agent.llm.offline.language.spans.classes.new_class import find_count
from agent.llm.offline.language.spans.conditions.limit_forms import EXCEPT
from agent.llm.offline.language.spans.dates import dates_in, parts_in, weekdays_in
from agent.llm.offline.language.spans.happenings import days_in, leaves_days_out
from agent.llm.offline.language.spans.items.arrangements import read_spared
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, core_of, items_in, said_names
from agent.llm.offline.language.spans.targets import day_at, shift_in, way_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import WEEKDAYS
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.llm.offline.language.texts import day_and_date
from agent.loop.nodes.enter import NEW_REQUEST
from agent.loop.view_document import CallView, ClassView

TOPIC = "contradiction"
_OTHERS = re.compile(
    r"其[他余它]|别的|剩下|全部|所有|都|整个|一切|除了|顺便|另外|互换|对调|腾|让|那[一1]?天"
    r"|\b(?:all|every|everything|anything|others?|rest|both|whole|except|but not|instead|swap|switch|trade|room|too"
    r"|also|as well|plan|day of|'s day)\b"
)
"""Words by which more is meant than what is named."""
_WHOLE_PLAN = re.compile(
    r"其[他余它]|别的|剩下|全部|所有|整个|一切|每[门个]|除了|\b(?:all|every|everything|others?|rest|whole|except)\b"
)
"""Words by which a rule is for more than the classes that are named."""
_ONE_OF_SEVERAL = re.compile(r"(?:其中|里面?)(?:的?)[一1][个项]|\b(?:just |only )?one of (?:them|those|these)\b")
_ONE_MOVES = re.compile(
    r"[挪移换调搬推拿][一1][个项章](?!星期|礼拜|周|月|位置|时间)"
    r"|\b(?:move|shift|push|put) (?:just |only )?"
    r"(?:one of (?:the|my)|(?:an?|one) (?!(?:extra|more|second|third|additional|new) )"
    r"(?:\w+ ){0,3}(?:thing|item|task|session))\b"
)
"""That one of several is to go, whichever it is."""
_MOST_CHOICES = 9
_MOST_DAYS = 4
"""Weekdays that are kept free without a word of "only"."""
_PLACED_ON = re.compile(
    r"(?:\b(?:on|for|in|every|each|to|all)\s+(?:the )?|[排放在到学每])"
    r"(?:个?(?:周|星期|礼拜)|mon|tue|wed|thu|fri|sat|sun|weekend)"
)
"""A weekday to which something is put: on Mondays, 排周五."""
_OPENS_CLASS = re.compile(
    r"^(?:帮我|请|给我|我想|我要|麻烦)*(?:新建|新增|创建|新开|建立?[一1]?个)"
    r"|\b(?:create|set up|start) (?:a|an|my|another)\b(?! (?:\w+ )?(?:days?|weeks?|fortnight|months?|bit|little)\b)"
    r"|\bnew (?:task |study )?class\b"
)
_LATER_END = re.compile(
    r"推迟|延[长后期迟]|宽限|晚[一1两2几]|\b(?:extend|extension|postpone\w*|push\w* back|more time|later)\b"
)


def ask_about_contradiction(brief: Brief, decision: Decision) -> Decision:
    """The decision; the question whether it is meant, before a change that the student's words deny. Asked once."""
    call = decision.get("tool_call") or {}
    offers = (decision.get("asks") or {}).get("topic") == PLACES and len(brief.view["turns"]) < _ANSWERED
    if offers and _is_no_wish(brief, "", {}):
        return give_up("not_meant", brief.say(*NOT_MEANT))
    if call.get("name") not in WRITES or brief.view["active_optimize_only"] or brief.view["plan"]:
        return decision
    if any(row["topic"] == TOPIC for row in brief.asked):
        return decision
    if any(intent_of(one, brief) == "undo" for one in (brief.request, *clauses_of(brief.completed)[:1])):
        return decision
    if brief.done(WRITE):
        return decision  # what follows a change that was approved is no other one
    if (asked := _ask_whose_sessions(brief, call["arguments"])) is not None:
        return asked
    each = divide_call(CallView(name=call["name"], arguments=call["arguments"]))
    told = next((told for check in CHECKS for one in each if (told := check(brief, one["name"], one["arguments"]))), "")
    if not told:
        return decision
    if any(
        turn["asks"] is not None and turn["asks"]["topic"] == TOPIC and turn["text"].startswith(told)
        for turn in brief.earlier[-2:]
    ):
        return give_up("not_meant", brief.say(*NOT_MEANT))  # asked just now, and answered by what is read the same
    return ask_whether(brief, TOPIC, brief.say("{told}是这样吗？", "{told} Is that what you want?", told=told))


_EXAM_WORD = re.compile(r"(?:期[中末])?考试|期[中末]|测验|小测|\b(?:exam|test|quiz|midterm|final)\b")
_SESSIONS = re.compile(r"次|\bsessions?\b")
WHOSE_SESSIONS = "whose_sessions"


def _ask_whose_sessions(brief: Brief, arguments: Json) -> Decision | None:
    """Asks whether an exam with so many sessions is one of a class that has other contents, or a new class."""
    said = fold_text(brief.own_words)
    found, count, days = _EXAM_WORD.search(said), find_count(said), dates_in(said, brief.term)
    owners = find_owners(said, brief)
    row = brief.class_of(arguments.get("id") or (owners[0] if len(owners) == 1 else 0))
    if row is None or found is None or not _SESSIONS.search(count) or len(days) != 1 or "items" in arguments:
        return None
    if excludes(said):
        return None
    if any(one["topic"] == WHOSE_SESSIONS for one in brief.asked):
        return give_up(NEW_REQUEST, brief.say("好的。", "All right."))
    zh = brief.language == "zh"
    slots = ClassSlots(name=row["name"] + brief.say("", " ") + found.group(), end=days[0])
    new = say_class(slots, count, [""], wished=False, zh=zh, brief=brief)
    exam = brief.say(
        "{name}的考试在{day}", "the exam of {name} is on {day}", name=row["name"], day=spell_day(days[0], zh=zh)
    )
    told = (
        "「{name}」里已经有 {n} 项。「{count}」是为考试另建一个任务类，还是只把「{name}」改到那天结束？",
        '"{name}" has {n} items already. Are the {count} a new class for the {exam}, or is "{name}" only to end on '
        "that day?",
    )
    question = brief.say(*told, name=row["name"], n=len(row["items"]), count=count, exam=found.group())
    return ask_readings(brief, WHOSE_SESSIONS, question, [new, exam])


NOT_MEANT = (
    "好的，什么都没有改。请换个说法告诉我要什么。",
    "All right, nothing was changed. Please tell me in other words what you want.",
)
DENIES = re.compile(
    r"(?:不+|不是的?|不对|不要|不用|别|错了?|没有|算了|[,，。.!！\s吧啊呀了的])+"
    r"|(?:(?:no+|nope|nah|not (?:that|really)|never ?mind|wrong|don't|stop|thanks?|thank you|please|sorry|it isn't"
    r"|that's (?:wrong|not it))[\s,.!]*)+"
)


def settle_contradiction(brief: Brief) -> Decision | None:
    """What the answer to the question makes of the request: agreed to it goes on, else it is left, and what was said
    instead is a request of its own."""
    if brief.interaction is None or brief.interaction["topic"] != TOPIC or not brief.view["turns"]:
        return None
    answer = brief.view["turns"][-1]["text"]
    if affirms(answer):
        return None
    denied = DENIES.fullmatch(fold_text(answer).strip()) is not None
    return (
        give_up("not_meant", brief.say(*NOT_MEANT))
        if denied
        else give_up(NEW_REQUEST, brief.say("好的。", "All right."))
    )


def _find_last(brief: Brief, tells: Callable[[str], object]) -> str:
    """The student's last words of which this is true, as they were written; the last of all where none are. A number
    of a list names nothing by itself."""
    said = [turn["text"] for turn in brief.view["turns"]]
    turns = [one for one in said if choice_in(one, _MOST_CHOICES) is None] or [brief.view["request"]]
    return next((turn for turn in reversed(turns) if tells(turn)), turns[-1])


def _said(brief: Brief) -> str:
    """The student's last words that name something; of several requests one that names nothing may be for all."""

    def names(text: str) -> bool:
        return bool(_named_items(text, brief) or find_owners(text, brief))

    said = _find_last(brief, names)
    return next((piece for piece in said.split(APART) if not names(piece)), said)


def _named_items(said: str, brief: Brief) -> set[int]:
    every = all_items(brief)
    rows = [row for piece in (said, *_PIECES.split(said)) for row in items_in(piece, brief, among=every)]
    return {row["item_id"] for row in (*rows, *find_mentioned(said, brief))}


_PIECES = re.compile(
    r"[,，、;；。.!！?？\s]*(?:[,，、;；。!！?？]|和|与|跟|到|在|\b(?:and|with|to|before|after|as|from)\b)\s*"
)
"""Between the names of a message, of which only the longest is found at once."""


def _changed_items(brief: Brief, name: str, arguments: Json) -> list[Json]:
    """The rows of the draft that a call is about by name: not what only follows."""
    ids: list[Any] = [arguments[key] for key in ("task_id", "task_a", "task_b") if key in arguments]
    ids += [row.get("task_id") for row in arguments.get("moves", ())] + list(arguments.get("task_ids", ()))
    if name == "replan" and arguments.get("kind") == "limits":
        ids += [one for row in arguments.get("limits", ()) if not row.get("held") for one in row.get("task_ids", ())]
    return [dict(row) for row in brief.tasks if row["state_id"] in ids]


def _changes_other_items(brief: Brief, name: str, arguments: Json) -> str:
    """That none of the items that are named would be changed, or none of a class that is named."""
    said = _said(brief)
    rows = _changed_items(brief, name, arguments)
    spared = {row["item_id"] for row in read_spared(said, brief)}
    stay = (
        {row["item_id"] for row in read_spared(brief.own_words, brief)} if len(brief.view["turns"]) < _ANSWERED else {}
    )
    if len(rows) > 1 and any(row["item_id"] in stay for row in rows):
        return _tell_changed(brief, rows)
    named, owners = _named_items(said, brief) - spared, [] if spared else find_owners(said, brief)
    if named and says("correction", fold_text(said)):  # what was done before it may be taken back
        named |= {one for turn in brief.earlier if turn["role"] == "user" for one in _named_items(turn["text"], brief)}
    if not rows or not (named or owners) or _OTHERS.search(fold_text(said)):
        return ""
    if any(row["item_id"] in named or row["class_id"] in owners for row in rows):
        return ""
    return _tell_changed(brief, rows)


def _is_no_wish(brief: Brief, name: str, arguments: Json) -> str:
    """That something would be done of which the words only tell what somebody else said, what was wanted or done
    before, or what may happen."""
    said = fold_text(brief.own_words if len(brief.view["turns"]) < _ANSWERED else brief.last_said)
    clauses = [one for clause in clauses_of(said) for one in _SO.split(clause)]
    told = [clause for clause in clauses if says("told_only", clause) and not says("exam_ahead", clause)]
    others = [clause for clause in clauses if clause not in told]
    wants = [one for one in others if says("shifts", one) or says("delete", one) or read_times(one, brief.term)]
    is_news = "from_date" in arguments and _STUDIES.search(said) is None  # of days off anybody may tell
    is_news = is_news or (name == WRITE and not ("items" in arguments and arguments.get("id")))
    alone = len(brief.view["turns"]) < _ANSWERED and not (brief.completed or brief.view["resumes"])
    begins = alone and _I_SAID.match(said)  # and it goes on with nothing
    if is_news or not (says("no_wish", said) or (told and not wants) or begins):
        return ""
    rows, row = _changed_items(brief, name, arguments), brief.class_of(arguments.get("id"))
    of_class = row and brief.say(*OF_CLASS, name=row["name"])
    return (
        _tell_changed(brief, rows) if rows else of_class or brief.say("这会改动计划。", "That would change the plan.")
    )


_I_SAID = re.compile(r"(?:no,? )?i (?:said|meant)\b.*\bnot\b|(?:不,)?我(?:说|指)的是.*不是")
_SO = re.compile(r"\bso\b|所以|就(?=[把删挪移])")
_STUDIES = re.compile(r"学习|复习|\b(?:study|revise)")
OF_CLASS = ("这会改任务类「{name}」。", 'That would change the class "{name}".')


def _changes_several(brief: Brief, name: str, arguments: Json) -> str:
    """That several items would be changed where one of them is told."""
    rows = _changed_items(brief, name, arguments)
    one = _ONE_OF_SEVERAL.search(fold_text(brief.view["turns"][-1]["text"] if brief.view["turns"] else ""))
    one = one or _ONE_MOVES.search(fold_text(brief.own_words))
    return _tell_changed(brief, rows) if one and len(rows) > 1 else ""


def _limits_other_classes(brief: Brief, name: str, arguments: Json) -> str:
    """That a rule would move items of classes which the student does not name."""
    said = _said(brief)
    before = [turn["text"] for turn in brief.earlier if turn["role"] == "user"][-1:]
    owners = find_owners(said, brief) and [one for text in (said, *before) for one in find_owners(text, brief)]
    if name != "replan" or arguments.get("kind") != "limits" or not owners or _WHOLE_PLAN.search(fold_text(said)):
        return ""
    if _named_items(said, brief) or _rules_beside(brief):
        return ""
    loose = any(not (row.get("task_ids") or row.get("held")) for row in arguments.get("limits", ()))
    rows = [*brief.tasks] if loose else _changed_items(brief, name, arguments)
    others = [dict(row) for row in rows if row["class_id"] not in owners and row["slot"]]
    return _tell_changed(brief, others) if others else ""


def _rules_beside(brief: Brief) -> bool:
    """Whether one of several requests keeps times free and names no class, so that it is about all of them."""
    said = requests_in(brief.view["request"], brief)
    rules = [one for one in said if excludes(fold_text(one)) and not find_owners(one, brief)]
    return len(said) > 1 and any(not _named_items(one, brief) for one in rules)


_NUMBERED = re.compile(r"\D{1,12}?\d+")


def _is_of_series(row: ClassView, items: Sequence[Json]) -> bool:
    """Whether what comes to a class goes on with the numbers of what it has: Lab 4 after Lab 3."""
    names = [fold_numbers(str(one["content"])) for one in (*row["items"], *(one for one in items if not one.get("id")))]
    heads = [re.sub(r"\d+", "#", found.group()) for name in names if (found := _NUMBERED.match(name))]
    return len(names) > len(row["items"]) and len(heads) == len(names) and len({*heads}) == 1


def _edits_other_class(brief: Brief, name: str, arguments: Json) -> str:
    """That a class would be changed which is not the one that is named, or while a new one is wanted."""
    row = brief.class_of(arguments["id"]) if name == WRITE and arguments.get("id") else None
    if row is None or ("items" not in arguments and _rules_beside(brief)):
        return ""
    said = " ".join(turn["text"] for turn in brief.view["turns"]) or brief.view["request"]
    said = f"{said}{brief.say('，', ', ')}{brief.completed}"  # which may be about others than the last words name
    owners = {one for piece in (said, *_PIECES.split(said)) for one in find_owners(piece, brief)}
    items = _named_items(said, brief)
    named = {item["class_id"] for item in all_items(brief) if item["item_id"] in items}
    other = (owners or named) and row["id"] not in {*owners, *named} and not _OTHERS.search(fold_text(said))
    raw = fold_text(brief.view["request"])
    new = _OPENS_CLASS.search(raw) is not None and (core_of(row["name"]) or fold_text(row["name"])) not in raw
    told = said_names(fold_text(said), brief)
    guessed = "items" in arguments and row["id"] in owners - named and not told  # which class it is, is a guess
    by_subject = guessed and not _is_of_series(row, arguments["items"])
    if not (other or new or by_subject or _ONE_MOVES.search(fold_text(brief.own_words))):
        return ""
    return brief.say(*OF_CLASS, name=row["name"])


def _keeps_other_days_free(brief: Brief, name: str, arguments: Json) -> str:
    """That all weekdays but the ones which are named would be kept free, where nobody says "only"."""
    config = (arguments.get("task_class") or {}).get("config") or {} if name == WRITE else {}
    free = [*config.get("excluded_days_of_week", ())]
    text = fold_text(brief.view["request"])
    days = weekdays_in(text)
    if (
        len(free) <= _MOST_DAYS
        or not days
        or {*days} & {*free}
        or ONLY_TIMES.search(f"{text} {brief.completed}")
        or len(days) > 1
    ):
        return ""
    if _PLACED_ON.search(text) or ANY_OF.search(text):
        return ""
    name = brief.say("一二三四五六日"[days[0] - 1], WEEKDAYS[days[0] - 1])
    return brief.say("这样只会排在周{name}。", "That would plan it on {name} alone.", name=name)


def _ends_otherwise(brief: Brief, name: str, arguments: Json) -> str:
    """That a class would end earlier where it is to have more time, later where it only is to be done by a day, or
    begin on another day where nothing tells that."""
    dates = arguments.get("task_class") or {} if name == WRITE else {}
    row, text = brief.class_of(arguments.get("id", 0)), fold_text(brief.own_words)
    if row is None or not row["end_date"] or not row["start_date"] or affirms(text):
        return ""  # what was offered is taken
    end, more = str(dates.get("end_date") or row["end_date"]), _LATER_END.search(text)
    whole = classes_in(text, brief.classes) == [row["id"]] and not _named_items(text, brief)
    if "start_date" in dates and "end_date" not in dates and not _BEGINS.search(text):
        told = ("这样「{name}」会从别的日子开始。", '"{name}" would begin on another day.')
    elif end < row["end_date"] and more and not brief.completed:
        told = ("这样「{name}」会比现在更早结束。", '"{name}" would end earlier than it does now.')
    elif end > row["end_date"] and not more and _DONE_BY.search(text) and not whole:
        told = ("这样「{name}」会比现在更晚结束。", '"{name}" would end later than it does now.')
    else:
        return ""
    return brief.say(*told, name=row["name"])


_BEGINS = re.compile(
    r"开始|开学|[起从自才]|以?后|[提推延]|\d|\b(?:begin|start|open|from|first|since|after|earl\w+|later|not before)"
)
_DONE_BY = re.compile(
    r"前[^,，。;；]{0,8}(?:[做学看背写弄考]完|搞定|结束)|\b(?:done|finish\w*|through|over) (?:before|by)\b"
)


def _chose_place(brief: Brief) -> bool:
    """Whether places were offered in this goal, so that the one that was chosen counts, not the first words."""
    return any(row["topic"] == PLACES for row in brief.asked)


def _goes_other_way(brief: Brief, name: str, arguments: Json) -> str:
    """That an item would go later where earlier is told, or the other way round."""
    said = _said(brief)
    bounded = any(one.side for one in read_times(said, brief.term))
    shifts = _find_last(brief, shift_in)  # the way may be told anew
    told = way_in(shifts if shift_in(shifts) else said)
    way = told if name == "move" and not bounded and len(_named_items(said, brief)) < 2 else 0
    row = next(iter(_changed_items(brief, name, arguments)), None)
    if not way or row is None or not row["slot"] or "new_day" not in arguments:
        return ""
    here = (row["slot"]["week"], row["slot"]["day_of_week"], row["slot"]["slot_start"])
    there = (*day_at(brief, arguments["new_day"]), arguments.get("new_slot_start", 0))
    if (there > here) is (way > 0) or _chose_place(brief):
        return ""
    return _tell_changed(brief, [row])


def _piece_of(row: Json | None, said: str, brief: Brief) -> str:
    """The one of several requests that names an item; all of them where none does."""
    return next((one for one in said.split(APART) if row and row["item_id"] in _named_items(one, brief)), said)


def _leaves_part_of_day(brief: Brief, name: str, arguments: Json) -> str:
    """That an item would stand at another part of the day than the one that is told, as it does now."""
    said = brief.view["turns"][-1]["text"] if brief.view["turns"] else brief.view["request"]
    row = next(iter(_changed_items(brief, name, arguments)), None)
    said = _piece_of(row, said, brief)
    parts = parts_in(said, brief.term) if name in ("move", "place") and not excludes(fold_text(said)) else []
    start = arguments.get("new_slot_start", arguments.get("slot_start"))
    if len(parts) != 1 or row is None or not start or _chose_place(brief):
        return ""
    first, last = parts[0]
    here = row["slot"]["slot_start"] if row["slot"] else start
    return "" if first <= start <= last or first <= here <= last else _tell_changed(brief, [row])


def _leaves_weekday(brief: Brief, name: str, arguments: Json) -> str:
    """That an item would stand on another weekday than the one that is told, as it does now."""
    row = next(iter(_changed_items(brief, name, arguments)), None)
    said = _piece_of(row, brief.view["request"], brief) if len(brief.view["turns"]) < _ANSWERED else ""
    times = read_times(said, brief.term)
    dated = {one.first.isoweekday() for one in times if one.kind == "day" and one.first and one.first == one.last}
    days = {day for one in times for day in one.weekdays} or {*weekdays_in(said)}
    days = days | dated if days else days
    index = arguments.get("new_day", arguments.get("day"))
    bounded = any(one.side or one.role == "avoided" for one in times) or _BESIDE.search(fold_text(said))
    if name not in ("move", "place") or len(days) != 1 or row is None or not index or bounded:
        return ""
    if excludes(fold_text(said)) or _chose_place(brief):
        return ""
    here = row["slot"]["day_of_week"] if row["slot"] else 0
    return "" if {here, day_at(brief, index)[1]} & days else _tell_changed(brief, [row])


_ANSWERED = 2
"""Turns of a goal in which the student has answered something already."""
_BESIDE = re.compile(
    r"[前后][一1两2几]?天|之?[前后]|那天|次日|第二天|\b(?:after|before|by|until|from|since|days?|next to|around|near)\b"
)
"""Words by which a weekday only tells where to count from."""


def _keeps_other_dates(brief: Brief, name: str, arguments: Json) -> str:
    """That other days would be kept free, or cleared, than the dates that are told."""
    if name != "replan" or "date" in arguments or "from_date" not in arguments:
        return ""
    said = _find_last(brief, lambda turn: dates_in(turn, brief.term))
    pieces = [one for one in re.split(rf"[,，;；。{APART}]", said) if not items_in(one, brief)]
    named = [found for piece in pieces for found in _numbered_dates(piece, brief)]
    first = date.fromisoformat(arguments["from_date"])
    last = date.fromisoformat(arguments.get("to_date") or arguments["from_date"])
    if (
        not named
        or leaves_days_out(said, said, brief.term)
        or EXCEPT.search(fold_text(said))
        or opens_days(fold_text(said))
        or BACK.search(fold_text(said)) is not None
        or adds_more(said)
        or any(run.first <= last and first <= run.last for run in days_in(said, brief.term))
        or any((begin or first) <= last and first <= (end or last) for begin, end in named)
    ):
        return ""
    listed = " – ".join(day_and_date(brief, day) for day in dict.fromkeys((first, last)))
    return brief.say("这会空出{days}。", "That would keep {days} free.", days=listed)


def _numbered_dates(said: str, brief: Brief) -> Iterator[tuple[date | None, date | None]]:
    """The days and ranges that a text tells by numbers, each with its first and its last day."""
    text = spell_out_lists(fold_text(said))
    for one in read_times(said, brief.term):
        if one.kind in ("day", "days") and not one.impossible and re.search(r"\d", text[one.start : one.end]):
            yield one.first, one.last


def _drops_contents(brief: Brief, name: str, arguments: Json) -> str:
    """That contents would go from a class of which no word of the goal says so."""
    row = brief.class_of(arguments["id"]) if name == WRITE and arguments.get("id") and "items" in arguments else None
    kept = {one.get(key) for one in arguments.get("items", ()) for key in ("id", "content")}
    gone = [one["content"] for one in row["items"] if not kept & {one["id"], one["content"]}] if row else []
    said = APART.join(turn["text"] for turn in brief.view["turns"]) or brief.view["request"]
    if not gone or _DROPS.search(fold_text(f"{said} {brief.completed}")):
        return ""
    told = read_content_changes(brief.request, brief).told
    if any(one.kind in ("drop", "split", "merge") or one.closed or one.gone for one in told):
        return ""
    listed = brief.say("、", ", ").join(brief.say(f"「{one}」", f'"{one}"') for one in gone)
    return brief.say("这会移除{listed}。", "That would remove {listed}.", listed=listed)


_DROPS = re.compile(
    r"删|去掉|移[除出走]|拿[掉走]|不[要学考用做]|取消|只[有要留剩学考]|[换改变]成(?!\s*[\d一两二三四五六七八九十])|内容|分别?是|重新|合并|撤|恢复|还原|缩[小减短]|减少|精简"
    r"|\b(?:delet|remov|drop|cut|only|just|replac|instead|cancel|scrap|skip|without|contents?|no longer|not|merg|combin"
    r"|undo|take|get rid|chop|trim|chuck|bin|lose|consist|become|split|restor|back|small|few|reduc|shrink)"
)
"""Words by which contents may go."""


CHECKS: tuple[Callable[[Brief, str, Json], str], ...] = (
    _is_no_wish,
    _changes_several,
    _changes_other_items,
    _limits_other_classes,
    _edits_other_class,
    _drops_contents,
    _keeps_other_days_free,
    _ends_otherwise,
    _goes_other_way,
    _leaves_part_of_day,
    _leaves_weekday,
    _keeps_other_dates,
)
_MOST_NAMED = 3


def _tell_changed(brief: Brief, rows: Sequence[Json]) -> str:
    names = list(dict.fromkeys(str(row["name"]) for row in rows))
    more = brief.say("等", " and more") if len(names) > _MOST_NAMED else ""
    listed = brief.say("、", ", ").join(names[:_MOST_NAMED]) + more
    return brief.say("这会改动{listed}。", "That would change {listed}.", listed=listed)
