"""What somebody says who is tired, worried or leaves it open: how the plan stands, and what could be done.

Nothing is changed by such words: each thing that could be done is a whole request to choose.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.goals.decisions import Decision, ask_readings, give_up
from agent.llm.offline.goals.explain import next_text
from agent.llm.offline.goals.questions.answers import tell_how_it_holds
from agent.llm.offline.goals.questions.reads import count_text, item_lines, rows_in_time
from agent.llm.offline.goals.questions.suppositions.supposed import find_unplanned, tell_unplanned
from agent.llm.offline.goals.unsettled.complaints import Ways, say_form, tell_complaint
from agent.llm.offline.goals.unsettled.contradictions import DENIES
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.revision.other_values import LOOSE
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.plain.by_spans import WHERE_TO_START
from agent.llm.offline.language.plain.days.habits import IN_A_ROW, PARTS, REFUSED, is_nameless
from agent.llm.offline.language.plain.shapes import find_classes, is_at_end
from agent.llm.offline.language.spans.classes.item_lengths import read_lengths
from agent.llm.offline.language.spans.complaints import read_complaint
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.targets import shift_in, way_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.spans.times.words import number_of, say_date
from agent.llm.offline.language.texts import date_text
from agent.loop.nodes.enter import NEW_REQUEST
from taskclasses.spec import DURATION_DEFAULT, DURATION_MAX

TOPIC = LOOSE
_LONGEST = 90
_PANICS = re.compile(
    r"压力[^,，]{0,2}大|慌|焦虑|完蛋|救命|要疯|心态|状态[^,，]{0,3}(?:差|不[好行对])"
    r"|\b(?:panic\w*|stress\w*|anxious|freak\w* out|losing it|so tired)\b"
)
_HELP = re.compile(r"怎么办|咋办|帮帮?我|救|求|\b(?:help|what (?:do|should|can) i do|what now)\b(?! first)")
_OPEN = re.compile(
    r"(?:随便|随意|都行|都可以|无所谓|你?看着[办来排弄]|(?:你|听你的?)(?:来|帮我)?(?:决定|定|安排)|听你的|交给你|[吧了就啦]"
    r"|[,，。!！\s])+"
    r"|(?:(?:just |ok |well |eh |meh |idk |honestly |hm+ )*(?:whatever|anything|you (?:decide|choose|pick)|up to you"
    r"|your (?:call|choice)"
    r"|surprise me|do (?:whatever|what) you (?:like|want|think(?: is)? best)"
    r"|i (?:don't|dont) (?:mind|care)|no idea)[\s,.!]*)+"
)
_DECIDES = re.compile(r"看着|定|安排|听你|交给|\b(?:decide|choose|pick|up to|your|surprise|do what)")
_SORTS = re.compile(
    r"(?:整理|收拾|弄|搞|处理|理|捋|顺|规整|规划|安排)(?:一?下|一?理|一?捋|好|顺)"
    r"|\b(?:sort|tidy|clean|fix|straighten)(?: (?:out|up))?\b"
)
_ASKS_ELSE = re.compile(
    r"先(?:学|做|复习)|哪|几|什么(?!都|也)|多少|怎么(?!办)|[来赶]得[及上]"
    r"|\b(?:first|which|when|where|how|why|make it|in time)\b"
)
_CHOOSES = re.compile(
    r"你?觉得|哪个好|怎么选|建议"
    r"|\b(?:what do you (?:think|suggest|reckon|recommend)|any (?:thoughts|advice)"
    r"|which is better)\b"
)


def find_loose_words(brief: Brief) -> Ways | None:
    """How the plan stands, and the requests that such words may come to; None where something definite is wanted."""
    text = fold_text(brief.own_words)
    if brief.readings:
        return brief.say("刚才说到的不止一个。", "There was more than one."), [*brief.readings]
    if brief.whole is not None or len(text) > _LONGEST or not brief.tasks or len(brief.view["turns"]) > 1:
        return None
    if told := _of_gap(text, brief):
        return told
    if find_mentioned(text, brief) or items_in(text, brief, among=all_items(brief)):
        return _of_hour(text, brief)
    return next((found for find in _FINDERS if (found := find(text, brief))), None)


def ask_loosely(brief: Brief) -> Decision | None:
    """The question what is to be done of what such words may come to; an answer to it is a request of its own."""
    if brief.asked and brief.asked[-1]["topic"] == TOPIC:
        refused = DENIES.fullmatch(fold_text(brief.view["turns"][-1]["text"]).strip()) is not None
        none = brief.say("好的，什么都没有改。", "All right, nothing was changed.")
        return give_up("kept", none) if refused else give_up(NEW_REQUEST, brief.say("好的。", "All right."))
    if (found := find_loose_words(brief)) is None:
        return None
    told, readings = found
    listed = brief.say("、", ", ").join(brief.say(f"「{one}」", f'"{one}"') for one in readings)
    wants = brief.say(
        "可以：{listed}。要哪一个？也可以换个说法。",
        "What could be done: {listed}. Which one? You can also put it differently.",
        listed=listed,
    )
    return ask_readings(brief, TOPIC, f"{told}\n{wants}", readings)


def _of_complaint(text: str, brief: Brief) -> Ways | None:
    """What would make a class, a time or all of the plan less full, or fuller; what comes first, where it is asked."""
    told = read_complaint(WHERE_TO_START.sub(" ", text), brief)
    ways = tell_complaint(told, brief) if told is not None else None
    return (f"{next_text(brief)}\n{ways[0]}", ways[1]) if ways and WHERE_TO_START.search(text) else ways


def _of_hour(text: str, brief: Brief) -> Ways | None:
    """What would put an item later or earlier that is too early or too late: on its day, or on another one."""
    rows = [row for row in find_mentioned(text, brief) if row["slot"]]
    wrong = next((one for one in ("too_early", "too_late") if says(one, text)), "")
    early = wrong == "too_early"
    if len(rows) != 1 or not wrong or not is_at_end(rows[0], brief, early=early):
        return None
    if read_times(text, brief.term) or read_conditions(text, brief).said or way_in(text) or shift_in(text):
        return None
    slots = {"items": rows[0]["name"]}
    day = date_text(brief, brief.day_of(rows[0]["slot"])) if rows[0]["slot"] else ""
    then = f"{day} {brief.say(*(('下午', 'afternoon') if early else ('上午', 'morning')))}"
    forms = [say_form(brief, "move_to", **slots, time=then)]
    forms.append(say_form(brief, "move_later" if early else "move_earlier", **slots))
    return "\n".join(item_lines(brief, rows)), forms


def _of_more_time(text: str, brief: Brief) -> Ways | None:
    """What gives a class more time, for one who finds it hard or asks for more without saying how."""
    ids = find_classes(text, brief)
    owner = brief.class_of(ids[0]) if len(ids) == 1 else None
    hard = _HARD.search(text) and intent_of(brief.own_words, brief) in ("other", "delete_class", "class_facts")
    if owner is None or not owner["items"] or not (hard or _MORE_TIME.search(text)) or _ASKS_ELSE.search(text):
        return None
    if read_times(text, brief.term) or read_conditions(text, brief).said or read_lengths(text, brief):
        return None
    rows = rows_in_time([row for row in brief.tasks if row["slot"] and row["class_id"] == owner["id"]])
    told = "\n".join(item_lines(brief, rows)) if rows else tell_unplanned(brief, ids)
    name, each = {"class": owner["name"]}, (owner["sections"] or 0) // len(owner["items"]) or DURATION_DEFAULT
    longer = [say_form(brief, "each_takes", **name, number=str(each + 1))] if each < DURATION_MAX else []
    later = say_form(brief, "deadline_later", **name, length=brief.say("7天", "7 days"))
    return told, [*longer, say_form(brief, "add_item", **name, text=brief.say("总复习", "Review")), later]


def _of_no_hurry(text: str, brief: Brief) -> Ways | None:
    """That a class which can wait is not planned yet, and how it is planned late."""
    ids = find_classes(text, brief)
    owner = brief.class_of(ids[0]) if len(ids) == 1 and find_unplanned(brief, ids) else None
    if owner is None or not _NO_HURRY.search(text) or _ASKS_ELSE.search(text) or says("build", text):
        return None
    if read_times(text, brief.term) or shift_in(text) or not (owner["start_date"] and owner["end_date"]):
        return None
    first, last = (date.fromisoformat(owner[one] or "") for one in ("start_date", "end_date"))
    middle = first + (last - first) / 2
    day = say_date(middle, zh=brief.language == "zh")
    forms = [say_form(brief, form, **{"class": owner["name"], "time": day}) for form in ("plan_from", "begins")]
    return tell_unplanned(brief, ids), forms


_MORE_TIME = re.compile(
    r"(?<!要)(?<!花)(?<!需)多(?![长少久])(?:花|给|留|排|安排|分|要)?[^,，]{0,3}(?:时间|功夫|精力)|多[学练做看背复]习?[^,，]{0,2}[会点些]|时间不[太]?够"
    r"|\b(?:more|extra|not enough) time\b|\b(?:spend|work) (?:\w+ )?(?:longer|more)\b|\blonger on\b"
)
_HARD = re.compile(
    r"[学看听搞弄读]?不[太大]?(?:懂|会(?!有)|明白)|不理解|太难|好难|很难"
    r"|\b(?:don't|do not|never)(?: \w+)? (?:get|understand|follow)\b|\bstruggl\w+"
    r"|\b(?:so|too|really|very) (?:hard|difficult)\b|\b(?:bad|weak|terrible) (?:at|in)\b"
)
_NO_HURRY = re.compile(
    r"不(?:着|太)?急|往后|晚[1一]?[点些]|缓[1一]?缓|以后再|稍后|拖[1一]?拖"
    r"|\b(?:not|isn't|no) (?:that |so |very )?(?:urgent|hurry|rush)\b|\blater\b"
    r"|\bcan wait\b|\b(?:put|push) \w* ?(?:off|back)\b"
)


def _of_worry(text: str, brief: Brief) -> Ways | None:
    """How the plan holds and what has none yet, for one who is worried or leaves all open."""
    leaves = _OPEN.fullmatch(text) is not None and _DECIDES.search(text) is not None
    leaves = leaves or (_ADVISES.search(text) is not None and not find_classes(text, brief))
    short = len(text) <= _SHORT * (1 + text.isascii())
    worried = (says("worn_out", text) or _PANICS.search(text)) and (
        _HELP.search(text) or (short and not says("wants_change", text))
    )
    if not leaves and (not worried or _ASKS_ELSE.search(text) or read_conditions(text, brief).said):
        return None
    planned = {row["class_id"] for row in brief.tasks}
    left = [row["name"] for row in brief.classes if row["id"] not in planned and row["items"]]
    ways = [say_form(brief, "plan", **{"class": left})] if left else []
    told = tell_how_it_holds(brief)
    return (
        None
        if read_times(text, brief.term)
        else (told, [*ways, say_form(brief, "check_plan"), say_form(brief, "next")])
    )


_SHORT = 24
"""Characters of a remark; twice as many in English."""
_ADVISES = re.compile(
    r"怎么(?:安排|规划|计划|排|学|弄)(?:一下)?(?:会|才|比较|更|最|效率)+[^,，。]{0,2}[好高行理适](?:[点些吗呢呀啊?？]|$)"
    r"|(?:什么|啥|[点些])建议|哪里[^,，。]{0,8}(?:轻松|优化|改进)"
    r"|\bhow (?:should|do|can|would) (?:i|you) (?:best )?(?:organi[sz]e|plan|arrange|structure|manage|approach)\b"
    r"(?=.*\b(?:semester|term|studies|studying|everything|all (?:of )?this|my (?:time|plan|work))\b)"
    r"|\bany (?:suggestions?|advice|ideas|tips)\b|\bwhere\b[^,.;]{0,20}\b(?:easier|lighter|improved?)\b"
    r"|\bwhat (?:would|should|do|could) (?:you|i) (?:change|suggest|recommend|improve)\W*$"
)
"""That advice is asked for about the plan as a whole."""


def _of_week(text: str, brief: Brief) -> Ways | None:
    """What is on in a week, or in some days, that are to be sorted out."""
    times = [one for one in read_times(text, brief.term) if one.kind in ("week", "days")]
    first, last = (times[0].first, times[0].last) if len(times) == 1 else (None, None)
    if first is None or last is None or not _SORTS.search(text) or find_classes(text, brief) or says("lighter", text):
        return None
    rows = [row for row in rows_in_time(brief.tasks) if (s := row["slot"]) and first <= brief.day_of(s) <= last]
    week = brief.say(f"第{times[0].week}周", f"week {times[0].week}")
    time = week if times[0].week else brief.say("到", " to ").join(date_text(brief, day) for day in (first, last))
    forms = ["make_lighter", "take_all_out"] if rows and times[0].week else []
    waiting = [] if forms else [row["name"] for row in brief.classes if find_unplanned(brief, [row["id"]])]
    head = brief.say("{time}：{count}。", "{time}: {count}.", time=time, count=count_text(brief, rows))
    ways = [say_form(brief, "plan", **{"class": waiting})] if waiting else []
    ways += [say_form(brief, one, time=time) for one in (*forms, "what_on")]
    return "\n".join([head, *item_lines(brief, rows)]), ways


def _of_choice(text: str, brief: Brief) -> Ways | None:
    """Which of two parts of the day is better for a class is the student's choice."""
    parts = list(dict.fromkeys(one.part for one in read_times(text, brief.term) if one.part is not None))
    ids = find_classes(text, brief)
    owner = brief.class_of(ids[0]) if len(ids) == 1 else None
    if owner is None or len(parts) != 2 or not _CHOOSES.search(text):
        return None
    planned = any(row["slot"] for row in brief.tasks if row["class_id"] == owner["id"])
    told = brief.say(
        "哪个时段更合适由你决定，我不知道你什么时候状态好。",
        "Which is better is yours to judge; I do not know when you study best.",
    )
    form = ("{name}，尽量{part}", "{name}, preferably in the {part}")
    lead = "" if planned else brief.say("排", "plan ")
    return told, [lead + brief.say(*form, name=owner["name"], part=brief.say(*PARTS[one])) for one in parts]


def _of_days_in_a_row(text: str, brief: Brief) -> Ways | None:
    """What is never to be on two days side by side, where the name of it is none that is known."""
    if not IN_A_ROW.search(text) or not REFUSED.search(text) or is_nameless(text) or find_classes(text, brief):
        return None
    planned = {row["class_id"] for row in brief.tasks}
    names = [row["name"] for row in brief.classes if row["id"] in planned][:2]
    each = [say_form(brief, "days_between_of", **{"class": name, "number": "1"}) for name in names]
    told = brief.say("哪一门不要连着两天？", "Which class is not to be on two days in a row?")
    return told, [*each, say_form(brief, "days_between", number="1")]


_DAILY = re.compile(
    r"[每1一]天[^,，。;；]{0,8}?[\d一两三半]个?半?(?:小时|钟头)|[\d一两三半]个?半?(?:小时|钟头)[^,，。;；]{0,4}[每1一]天"
    r"|\b(?:an|\d|one|two|three|couple of) hours?\b[^,.;]{0,30}\b(?:every|each|a|per) day\b|\bhours? daily\b"
)


def _of_hours_a_day(text: str, brief: Brief) -> Ways | None:
    """How a class may be spread over the days, for one who wants so many hours of it on each of them."""
    other = not _DAILY.search(text) or says("asking", text) or says("wish_most", text)
    ids = [] if other else find_classes(text, brief)
    owner = brief.class_of(ids[0]) if len(ids) == 1 else None
    if owner is None:
        return None
    told = (
        "「{name}」有 {n} 项，共 {m} 节，每项整块排一次，不能每天固定排几个小时。",
        '"{name}" has {n} items, {m} sections in all; each is placed once and whole, not so many hours every day.',
    )
    slots = {"class": owner["name"]}
    planned = any(row["slot"] for row in brief.tasks if row["class_id"] == owner["id"])
    ways = [
        say_form(brief, "even" if planned else "plan", **slots),
        say_form(brief, "most_a_day_of", **slots, number="1"),
    ]
    return brief.say(*told, name=owner["name"], n=owner["item_count"], m=owner["sections"]), ways


_GAP = re.compile(
    r"\b(?:breath\w+|gap|buffer|break|space|rest|days? off|free days?|room)\b[^,.;]{0,30}\b(?:before|ahead of)\b"
    r"|前[^,，。;；]{0,8}(?:喘|缓|间隔|空档|[留空][^,，。;；]{0,6}[空天点]|休息)|(?:喘|缓|间隔|空)[^,，。;；]{0,10}之?前"
)
_DAYS = re.compile(r"([1-7两])个?整?天|\b(two|three|\d) (?:\w+ )?days?\b")


def _of_gap(text: str, brief: Brief) -> Ways | None:
    """How to keep days free in front of items, or of the first day of a class that has no place yet."""
    items = find_mentioned(text, brief)
    ids = [] if items else find_classes(text, brief)
    owner = brief.class_of(ids[0] if ids else items[0]["class_id"]) if items or len(ids) == 1 else None
    if owner is None or not _GAP.search(text) or says("asking", text) or read_times(text, brief.term):
        return None
    placed = rows_in_time([row for row in brief.tasks if row["slot"]])
    at = next((at for at, row in enumerate(placed) if row in items or row["class_id"] in ids), None)
    start = date.fromisoformat(owner["start_date"]) if owner["start_date"] else brief.term.today
    first = brief.day_of(slot) if at is not None and (slot := placed[at]["slot"]) else start
    found = _DAYS.search(fold_numbers(text))
    number = number_of((found[1] or found[2]).replace("两", "2")) if found else 1
    days = [date_text(brief, first - timedelta(days=n)) for n in dict.fromkeys((number, 1))]
    ways, slots = [say_form(brief, "nothing_on", time=brief.say("到", " to ").join(days))], {"class": owner["name"]}
    if at is None:
        return tell_unplanned(brief, [owner["id"]]), [say_form(brief, "plan", **slots), *ways]
    each = [say_form(brief, "days_between_of", **slots, number=str(number))] if ids else []
    return "\n".join(item_lines(brief, placed[max(0, at - 1) : at + 1])), [*ways, *each]


_SAME_WEEKDAY = re.compile(
    r"(?:固定|同[1一]?(?:个|样的)?)(?:在|放|排)*(?:每周|哪|某)?[1一]?个?的?(?:天|(?:周|星期|礼拜)几)"
    r"|\bsame (?:week ?)?day (?:of (?:the|each|every) week|(?:each|every|a|per) week)\b"
    r"|\bsame weekday\b|\b(?:fixed|regular) (?:week ?)?day\b"
)
"""A weekday that is the same in each week, whichever."""
_WEEKLY = re.compile(r"每[1一]?个?(?:周|星期|礼拜)|[周期拜]几|\bweek")


def _of_same_weekday(text: str, brief: Brief) -> Ways | None:
    """The weekdays of which one is to be that of a class in every week."""
    if not (_SAME_WEEKDAY.search(text) and _WEEKLY.search(text)) or text.rstrip().endswith(("?", "吗")):
        return None
    ids = find_classes(text, brief)
    owner = brief.class_of(ids[0]) if len(ids) == 1 else None
    if owner is None or any(one.weekdays for one in read_times(_SAME_WEEKDAY.sub(" ", text), brief.term)):
        return None
    days = [day for day in range(1, 8) if day not in owner["excluded_days"]]
    only = ("{name}只排在{day}", "{name} only on {day}")
    told = brief.say("每周放在同一天，先选是哪一天。", "The same day every week: which one is yours to choose.")
    names = weekday_names(days, brief.language)
    planned = any(row["class_id"] == owner["id"] for row in brief.tasks)
    lead = "" if planned else brief.say("排", "plan ")
    return told, [lead + brief.say(*only, name=owner["name"], day=day) for day in names]


_FINDERS = (
    _of_same_weekday,
    _of_hours_a_day,
    _of_days_in_a_row,
    _of_choice,
    _of_week,
    _of_more_time,
    _of_no_hurry,
    _of_complaint,
    _of_worry,
)
