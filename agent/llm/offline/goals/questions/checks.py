"""Whether something holds of the plan: so many a day, days apart, in order; days without study; how many of each state.

Yes or no stands first, then the exceptions with their dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import pairwise

from agent.llm.offline.goals.questions.distances import distance_text, tightest_text
from agent.llm.offline.goals.questions.inquiry import Inquiry, asked_in
from agent.llm.offline.goals.questions.place_checks import must_text, stands_text
from agent.llm.offline.goals.questions.query import ASKS, day_of, find_owners
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time, span_text
from agent.llm.offline.goals.questions.suppositions.supposed import dated_day, find_unplanned, tell_unplanned
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.names import find_whole_name
from agent.llm.offline.language.spans.conditions.suppositions import ACTS, OPINION, read_supposition
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.spoken import named_items, split_list, spoken_of
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import COUNT, number_of
from agent.loop.view_document import TaskView

_EN_UNIT = r"(?:study )?(?:items?|sessions?|tasks?|things?|sections?|periods?|units?|chapters?|labs?|times|of them)"
_AT_MOST = re.compile(
    rf"(?:每一?天|一天|每日)[^,，。;；\d]{{0,8}}(?:最多|至多|不超过|没超过"
    rf"|不多于)[^,，。;；\d]{{0,4}}(?P<n>\d+)\s*(?P<u>[项个节件样])"
    rf"|(?:最多|至多|不超过)[^,，。;；\d]{{0,4}}(?P<n2>\d+)\s*(?P<u2>[项个节件样])"
    rf"|\b(?:at most|no more than|not more than|up to|a maximum of"
    rf"|max) (?P<k>{COUNT})(?: (?P<v>{_EN_UNIT}))?(?: (?:a|per|each|every|on any) day)?\b"
)
_MORE = re.compile(
    rf"(?:超过|多于|不止|大于)\s*(?P<n>\d+)\s*(?P<u>[项个节件样])|(?P<n2>\d+)\s*(?P<u2>[项个节件样])\s*(?:及|或)?以上"
    rf"|\b(?:more than|over|above) (?P<k>{COUNT})(?: (?P<v>{_EN_UNIT}))?\b"
    rf"|\b(?P<k2>{COUNT}) (?:or more(?: (?P<v2>{_EN_UNIT}))?\b|(?P<v3>{_EN_UNIT})(?= on (?:it|one|an?|the same)\b))"
    r"|[哪有同][一1]?天(?:(?!超过|多于|不止|大于|[最至]多|[最至]少)[^,，。;；\d]){0,6}(?P<n3>\d+)\s*(?P<u3>[项个节件样章次门])"
    rf"|\bdays? (?:when|where|that|with|has|have|i)\b(?:(?!\b(?:more than|over|above|at))[^,.;?]){{0,16}}?"
    rf"\b(?P<k3>{COUNT}) (?P<v4>{_EN_UNIT})\b"
)
_A_DAY = re.compile(r"天|日|\bdays?\b")
_LESSONS = re.compile(r"课(?!程?任务类)|一共|加起来|\b(?:lessons?|lectures?|classes|together|total)\b")
_APART = re.compile(
    rf"(?:至少|最少|都|是不是|有没有)?[^,，。;；\d]{{0,4}}(?:相?隔|间隔|隔开|空开?)[^,，。;；\d]{{0,6}}(?P<n>\d+)\s*天"
    rf"|\b(?:at least |always )?(?P<k>{COUNT}) (?:full |free )?days? (?:apart|between|in between)\b"
)
_ORDER = re.compile(
    r"[按照](?:照)?(?:着|章节)?顺序|顺序(?:都|还|是|也)*(?:对|正确|乱|没乱|没问题|行不)"
    r"|\b(?:in (?:the )?(?:right |correct |their )?order"
    r"|out of order|order (?:still )?(?:right|correct|ok(?:ay)?|fine|good)|(?:right|correct) order)\b"
)
_NO_ITEMS = re.compile(
    r"(?:哪|(?<![这那])几|有)[一几些]?天[^,，。;；还]{0,8}(?:没有?(?:任何|一项|什么|安排|排)*(?:任务|内容|东西"
    r"|要学)|都?不用学|不学习?|没有?安排)"
    r"|(?:任务|内容)都?没有的?(?:日子|天)|一项(?:任务|内容)?都?没有|没(?:有)?任务的(?:日子|天|有哪)"
    r"|\b(?:which|what|any|how many|a) (?:single )?(?:week)?days?\b[^.;?]{0,40}"
    r"\b(?:no|nothing|without|not any|empty|free (?:of|from))\b"
    r"|\bdays? (?:are )?(?:without|with no|with nothing)\b|整天(?:的|都)?(?:休息|空|没)"
    r"|\b(?:whole|full|entire|complete|any) days? (?:off|free)\b"
)
_SAME_DAY = re.compile(r"同一天|都有(?=.*[和与跟])|\bboth\b.*\band\b|\bsame day\b")
_SAME = re.compile(
    r"同[1一]?个?(?:周|星期|礼拜)(?![一二三四五六日天末])|(?P<day>同[1一]?天)"
    r"|\b(?:the )?same (?:week|(?P<day_en>day))\b"
)
_NO_WEEKS = re.compile(
    r"哪[几些]?[1一]?个?(?:周|星期|礼拜)(?![一二三四五六日天末])[^,，。;；]{0,4}(?:没有?|不用学|不学)"
    r"|\b(?:which|what|any|how many) weeks?\b[^.;?]{0,30}\b(?:no|nothing|without|not any|free of)\b"
)
_WHICH_DAYS = re.compile(
    r"哪[几些]?[一]?天|(?<![这那])几天|\b(?:which|what|how many|any) days?\b|\bis there (?:any|a) day\b|有没有"
)
_STATES = (
    re.compile(r"(?<![要需得没未])(?:(?:做|学|背|弄)完|完成)|(?<!be )\b(?:done|finished|completed)\b"),
    re.compile(r"过去|过了|没标|未标|\b(?:past|over|behind me|gone|unmarked|without a mark|had their time)\b"),
    re.compile(r"还没|剩|没做|未完成|没到|还有|\b(?:left|open|to go|to come|remaining|still|ahead|undone)\b"),
)
_OTHER_STATES = re.compile(r"漏|错过|没有?排|没有?位置|\b(?:missed|unplaced|unscheduled|upcoming)\b")
_MANY = re.compile(r"几|多少|各|\b(?:how many|how much|number)\b")
_AVERAGE = re.compile(r"平均|\b(?:on average|average)\b")
_PACE = re.compile(
    r"(?P<week>[每一]个?(?:周|星期|礼拜)(?![一二三四五六日天末]))|(?<![前后那])[每一]天"
    r"|\b(?:per|an?|each|every) (?:(?P<week_en>week)|day)\b"
)
_NEEDS = re.compile(
    r"[学做背看弄搞复习]完|完成|搞定|需要|[要得]学|那|\b(?:need|would (?:that|it|this)|finish\w*|done"
    r"|get through|have to)\b"
)
_THAT = re.compile(r"那|这样|\b(?:that|it|this|then)\b")
_DAYS_EACH = re.compile(
    r"几天一?[个]?(?:章|项|次|个|单元)|(?:隔|每)几天|\bhow many days (?:per|for each|between)\b"
    r"|\bevery how many days\b"
)


def answer_check(brief: Brief) -> str:
    """The answer to a question of one of these forms; empty where the message is none."""
    text = fold_text(brief.plain(brief.message))
    if told := _tell_order(brief, text if brief.whole else fold_text(brief.own_words)):
        return told
    if told := must_text(brief) or ("" if brief.whole else tightest_text(brief, fold_text(brief.own_words))):
        return told
    asks = ASKS.search(text) or asks_whether(text) or says("side_asked", text)
    if not brief.tasks or not asks or ACTS.search(text) or len(text) > 160:
        return ""
    if read_supposition(brief.message, brief) is not None:
        return ""
    if (told := distance_text(brief, text)) or OPINION.search(text):
        return told
    told = next((told for form in _FORMS if (told := form(brief, text))), "")
    unplanned = find_unplanned(brief, find_owners(text, brief)[0]) if told else []
    return tell_unplanned(brief, unplanned) if unplanned else told


def _meant(brief: Brief, text: str) -> list[TaskView]:
    """The items of the classes or of the kind that is named, all where none is, in the order of their times."""
    owners, _ = find_owners(text, brief)
    return rows_in_time([row for row in brief.tasks if not owners or row["class_id"] in owners])


def _by_day(brief: Brief, rows: Sequence[TaskView], asked: Inquiry) -> dict[date, list[TaskView]]:
    found: dict[date, list[TaskView]] = {}
    for row in rows:
        if (day := day_of(brief, row)) and asked.has_day(day):
            found.setdefault(day, []).append(row)
    return found


def _day_line(brief: Brief, day: date, rows: Sequence[TaskView]) -> str:
    names = brief.say("、", ", ").join(row["name"] for row in rows)
    told = ("{day}：{n} 项，{m} 节（{names}）", "{day}: {n} items, {m} sections ({names})")
    return brief.say(*told, day=dated_day(brief, day), n=len(rows), m=sum(row["duration"] for row in rows), names=names)


def _bound_text(brief: Brief, text: str) -> str:
    """Whether no day has more items, or sections of them, than so many; the days that have."""
    counted = fold_numbers(text).replace("twice", "2 times")
    most, more = _AT_MOST.search(counted), _MORE.search(counted)
    match = most or more
    if more and not most and any(form.search(text) for form in (*_STATES, _OTHER_STATES)):
        return ""  # a query of items in that state
    if match is None or not _A_DAY.search(text) or _LESSONS.search(text) or not (asks_whether(text) or more):
        return ""
    values = {name: value for name, value in match.groupdict().items() if value}
    number = next(number_of(value) for name, value in values.items() if name[0] in "nk")
    limit = number - 1 if more and not most and {"n2", "k2", "n3", "k3"} & {*values} else number
    unit = next((value for name, value in values.items() if name[0] in "uv"), "")
    in_sections = "节" in unit or "section" in unit or "period" in unit
    asked = asked_in(text, brief)
    days = _by_day(brief, _meant(brief, text), asked)
    sizes = {day: sum(row["duration"] for row in rows) if in_sections else len(rows) for day, rows in days.items()}
    over = [day for day, size in sizes.items() if size > limit]
    largest = max(sizes.values(), default=0)
    name = brief.say("节" if in_sections else "项", "sections" if in_sections else "items")
    if not over:
        lead = brief.say("是的" if most else "没有", "Yes" if most else "No")
        unit = name if largest != 1 else brief.say(name, name[:-1])
        told = ("{lead}，最多的一天是 {n} {unit}。", "{lead}: the fullest day has {n} {unit}.")
        return brief.say(*told, lead=lead, n=largest, unit=unit)
    told = ("{lead}，这些天超过 {n} {unit}：", "{lead}, these days have more than {n}:")
    lead = brief.say("不是" if most else "有", "No" if most else "Yes")
    lead = brief.say(*told, lead=lead, n=limit, unit=name)
    return "\n".join([lead, *(_day_line(brief, day, days[day]) for day in over)])


def _apart_text(brief: Brief, text: str) -> str:
    """Whether the items of a class, one behind the other, are at least so many days apart."""
    match = _APART.search(fold_numbers(text))
    rows = [row for row in _meant(brief, text) if row["slot"]]
    if match is None or not asks_whether(text) or len(rows) < 2 or len(items_in(text, brief)) > 1:
        return ""
    number = number_of(match["n"] or match["k"])
    dated = [(day, row) for row in rows if (day := day_of(brief, row))]
    pairs = [
        ((y - x).days, f"{a['name']}（{dated_day(brief, x)}）", f"{b['name']}（{dated_day(brief, y)}）")
        for (x, a), (y, b) in pairwise(sorted(dated, key=lambda one: (one[1]["class_id"], one[0])))
        if a["class_id"] == b["class_id"]
    ]  # fmt: skip
    close = [pair for pair in pairs if pair[0] < number]
    if not close:
        told = ("是的，最近的两项相差 {n} 天。", "Yes: the closest two are {n} days apart.")
        return brief.say(*told, n=min(pairs)[0]) if pairs else ""
    head = brief.say("不是，这些隔得不够 {n} 天：", "No, these are fewer than {n} days apart:", n=number)
    told = ("{a}和{b}相差 {d} 天", "{a} and {b}: {d}")
    return "\n".join([head, *(brief.say(*told, a=a, b=b, d=days) for days, a, b in close)])


_ORDER_ASKED = re.compile(
    r"顺序(?:现在|目前|到底|[是呢的]|变成|成了|排)*(?:什么|啥|怎么?样?|如何)|(?:什么|啥|怎样的?|怎么个)(?:样的?)?(?:先后)?顺序|(?:看|列|告诉我|说)[^,，。把]{0,10}顺序"
    r"|先后(?:顺序)?[^,，。]{0,3}(?:怎么|什么|啥|如何)|先学?哪[1一]?[个项章]?[^,，。]{0,4}后学?哪"
    r"|\b(?:show|tell|list|see|give|what(?:'s| is)?|which|in what|how)\b[^.;?]{0,16}\border\b"
)
"""What asks for the order of items as it is."""
_MUST = re.compile(r"必须|一定|非得|[要得]|\b(?:need|have to|has to|must|should|supposed to|required)\b")
_KEPT_IN_ORDER = (
    "是的，一个任务类的内容按顺序排；要换顺序，请说把哪一项放到哪一项前面。",
    "Yes, the items of a class keep their order; to change it, say which item comes before which.",
)
_PUTS = re.compile(r"[把将改换调]|\b(?:change|swap|put|move|should|could|better)\b")
_THEY = re.compile(r"它们|这[几两些]|那[几两些]|\b(?:they|them|their|those|these)\b")


def _order_text(brief: Brief, text: str) -> str:
    """Whether the items that are named, or those of each class, stand in their order."""
    named = named_items(text, brief) or items_in(text, brief) or items_in(text, brief, among=all_items(brief))
    named = named or (spoken_of(brief) if _THEY.search(text) else [])
    if not _ORDER.search(text) or not asks_whether(text) or len(named) == 1:
        return ""
    rows = [row for row in (rows_in_time(named) or _meant(brief, text)) if row["slot"]]
    wrong = [
        (a, b) for owner in dict.fromkeys(row["class_id"] for row in rows)
        for a, b in pairwise([row for row in rows if row["class_id"] == owner]) if a["order"] > b["order"]
    ]  # fmt: skip
    lines = item_lines(brief, named) if named else []
    if not rows:
        return "\n".join([brief.say("还没有位置，说不上顺序：", "Without a place so far:"), *lines])
    if not wrong:
        right = brief.say("是的，{n} 项都按顺序排。", "Yes, all {n} items stand in their order.", n=len(rows))
        return "\n".join([right, *lines])
    told = [brief.say("{b}排在{a}后面", "{b} stands after {a}", a=a["name"], b=b["name"]) for a, b in wrong]
    return "\n".join([brief.say("不是：", "No:"), *told, *lines])


def _tell_order(brief: Brief, text: str) -> str:
    """The items of the classes that are named, else spoken of, in the order of their classes, with their places; empty
    where the order is not asked for."""
    must = _MUST.search(text) is not None and _ORDER.search(text) is not None and asks_whether(text)
    told_order = _ORDER_ASKED.search(text) and not _PUTS.search(text)
    if not (must or told_order) or asked_in(text, brief).timed:
        return ""
    owners = (
        find_owners(text, brief)[0]
        or find_owners(brief.message, brief)[0]
        or list(dict.fromkeys(row["class_id"] for row in spoken_of(brief)))
    )
    slots = {row["item_id"]: row for row in brief.tasks}
    told = [brief.say(*_KEPT_IN_ORDER)] if must else []
    for row in (one for one in brief.classes if not owners or one["id"] in owners):
        names = [
            item_lines(brief, [slots[item["id"]]])[0] if item["id"] in slots else item["content"]
            for item in sorted(row["items"], key=lambda item: item["order"])
        ]
        lines = (f"{number}. {name}" for number, name in enumerate(names, start=1))
        told.append("\n".join([brief.say("「{name}」的顺序：", 'The order of "{name}":', name=row["name"]), *lines]))
    return "\n".join(told)


def _free_days_text(brief: Brief, text: str) -> str:
    """The days ahead on which nothing of what is meant stands."""
    if not _NO_ITEMS.search(text) or items_in(text, brief):
        return ""
    asked, today = asked_in(text, brief), brief.term.today
    rows = [row for row in _meant(brief, text) if (s := row["slot"]) and asked.meets(s["slot_start"], s["slot_end"])]
    busy = {day for row in rows if (day := day_of(brief, row))}
    last = max((day for row in brief.tasks if (day := day_of(brief, row))), default=today)
    runs = asked.runs or ((today, last),)
    days = [first + timedelta(days=n) for first, end in runs for n in range((end - first).days + 1)]
    free = sorted({day for day in days if day >= today and day not in busy})
    when = span_text(brief, Inquiry(runs, asked.hours))
    if not free:
        return brief.say("没有，{when}每天都有任务。", "None: every day has something to study ({when}).", when=when)
    told = ("{when}有 {n} 天没有任务（只看任务，不算课）：", "{n} days have nothing to study, lessons aside ({when}):")
    named = brief.say("、", ", ").join(dated_day(brief, day) for day in free)
    return brief.say(*told, when=when, n=len(free)) + "\n" + named


def _free_weeks_text(brief: Brief, text: str) -> str:
    """The weeks, until the last item or that of the classes that are named, on which nothing of these stands."""
    if not _NO_WEEKS.search(text) or items_in(text, brief):
        return ""
    rows = [row for row in _meant(brief, text) if row["slot"]]
    ends = [date.fromisoformat(row["end_date"]) for row in brief.classes if row["end_date"]
            and row["id"] in {one["class_id"] for one in rows}]  # fmt: skip
    if not ends:
        return ""
    last = min(brief.term.weeks, max(brief.term.week_day(day)[0] for day in ends))
    busy = {slot["week"] for row in rows if (slot := row["slot"])}
    free = [week for week in range(brief.term.week, last + 1) if week not in busy]
    whose = brief.names_of(find_owners(text, brief)[0]) or brief.say("任务", "anything to study")
    if not free:
        return brief.say("没有，每周都有{whose}。", "None: every week has {whose}.", whose=whose)
    weeks = brief.say("、", ", ").join(brief.say(f"第{week}周", f"week {week}") for week in free)
    told = ("到第{last}周为止，没有{whose}的是：{weeks}。", "Until week {last}, these have no {whose}: {weeks}.")
    return brief.say(*told, last=last, whose=whose, weeks=weeks)


def _shared_text(brief: Brief, text: str) -> str:
    """Whether items that are named stand in one week or on one day."""
    same = _SAME.search(text)
    if same is None or not (asks_whether(text) or _WHETHER.search(text)):
        return ""
    named = f"{text[: same.start()]}, {_AS.sub('', text[same.end() :])}"
    rows = [row for row in _find_named(brief, named) if row["slot"]]
    if len(rows) < _FEWEST:
        return ""
    daily = same["day"] or same["day_en"]
    keys = {(slot["week"], slot["day_of_week"] if daily else 0) for row in rows if (slot := row["slot"])}
    lead = brief.say("是的：", "Yes:") if len(keys) == 1 else brief.say("不是：", "No:")
    return "\n".join([lead, *item_lines(brief, rows)])


_FEWEST = 2
_AS = re.compile(r"^\s*(?:as|with|like)\b|^\s*的?")
_WHETHER = re.compile(r"^(?:so |and )?(?:do|does|are|is)\b")
_BESIDE_NAMES = re.compile(
    r"是不是|是否|在不在|(?:都|是|排)?在|都|[吗呢]"
    r"|\b(?:do|does|are|is|fall|fell|lie|stand|both|in|on|planned|so|and (?=both))\b"
)


def _find_named(brief: Brief, text: str) -> list[TaskView]:
    """The items that a text lists, by their names or parts of these."""
    if len(rows := find_mentioned(text, brief)) >= _FEWEST:
        return rows
    names = [row["name"] for row in brief.tasks]
    found = list[TaskView]()
    for piece in split_list(_BESIDE_NAMES.sub(" ", text)):
        own = find_mentioned(piece, brief) or items_in(piece, brief)
        whole = find_whole_name(piece.strip(), names) if not own else None
        found += own or [row for row in brief.tasks if row["name"] == whole]
    return found


def _same_day_text(brief: Brief, text: str) -> str:
    """The days on which items of two classes stand."""
    owners, _ = find_owners(text, brief)
    if len(owners) != 2 or not _SAME_DAY.search(text) or not _WHICH_DAYS.search(text):
        return ""
    days = _by_day(brief, _meant(brief, text), asked_in(text, brief))
    both = {day: rows for day, rows in days.items() if {row["class_id"] for row in rows} == set(owners)}
    names = brief.names_of(owners)
    if not both:
        return brief.say("没有，{names}没有排在同一天。", "None: {names} never share a day.", names=names)
    head = brief.say("{n} 天：", "{n} days:", n=len(both))
    return "\n".join([head, *(_day_line(brief, day, rows) for day, rows in both.items())])


def _states_text(brief: Brief, text: str) -> str:
    """How many items are done, over without a mark and still open, of each class where that is asked."""
    if sum(form.search(text) is not None for form in _STATES) < 2 or not _MANY.search(text) or items_in(text, brief):
        return ""
    owners, _ = find_owners(text, brief)
    classes = [row for row in brief.classes if not owners or row["id"] in owners]
    lines, sums = [], [0, 0, 0, 0]
    for owner in classes:
        own = [row for row in (*brief.tasks, *brief.tasks_done) if row["class_id"] == owner["id"]]
        done = [row for row in own if row["mark"] == "done"]
        missed = [row for row in own if row["mark"] == "missed"]
        over = [row for row in own if row not in (*done, *missed) and row["slot"] and not brief.is_ahead(row)]
        counts = [len(done), len(over), len(missed), len(own) - len(done) - len(over) - len(missed)]
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        lines.append(_states_line(brief, brief.say("「{name}」", "{name}", name=owner["name"]), counts))
    return "\n".join([*lines, *([_states_line(brief, brief.say("一共", "In all"), sums)] if len(lines) > 1 else [])])


def _states_line(brief: Brief, name: str, counts: Sequence[int]) -> str:
    done, over, missed, ahead = counts
    return brief.say(
        "{name}：标为做完 {done} 项，时间已过但没有标 {over} 项，标为没做 {missed} 项，还没到或没有位置 {ahead} 项",
        "{name}: marked done {done}, over without a mark {over}, marked missed {missed}, still to come or without a "
        "place {ahead}",
        name=name, done=done, over=over, missed=missed, ahead=ahead,
    )  # fmt: skip


def _rate_text(brief: Brief, text: str) -> str:
    """How much of what is left falls on a day or a week, until a day that is told or the last item, or how many days
    lie between items."""
    pace, due = _PACE.search(text), _until(brief, text)
    if not (_AVERAGE.search(text) or (pace and due and _NEEDS.search(text))):
        return ""
    rows = [row for row in _meant(brief, due[1] if due else text) if row["mark"] != "done"]
    days = [day for row in rows if (day := day_of(brief, row)) and day >= brief.term.today]
    end = due[0] if due else max(days, default=None)
    if len(rows) < 2 or end is None:
        return ""
    if _DAYS_EACH.search(text) and len(days) > 1:
        told = ("平均 {x} 天一项：{n} 项从{a}到{b}。", "One every {x} days on average: {n} items from {a} to {b}.")
        return brief.say(*told, x=f"{(days[-1] - days[0]).days / (len(days) - 1):.1f}", n=len(days),
                         a=dated_day(brief, days[0]), b=dated_day(brief, days[-1]))  # fmt: skip
    length = (end - brief.term.today).days + 1
    sections = sum(row["duration"] for row in rows)
    weekly = pace is not None and pace.lastgroup in ("week", "week_en")
    ids = {row["class_id"] for row in rows}
    whose = brief.names_of([*ids]) if len(ids) < len({row["class_id"] for row in brief.tasks}) else ""
    return brief.say(
        "{whose}还有 {n} 项，{m} 节，到{b}为止 {d} 天，平均{each} {x} 节。",
        "{whose}{n} items, {m} sections are left; over the {d} days until {b} that is {x} sections a {each}.",
        whose=whose + brief.say("", ": " if whose else ""), n=len(rows), m=sections, b=dated_day(brief, end), d=length,
        x=f"{sections / length * (7 if weekly else 1):.1f}",
        each=brief.say("每周" if weekly else "每天", "week" if weekly else "day"),
    )  # fmt: skip


def _until(brief: Brief, text: str) -> tuple[date, str] | None:
    """The day until which something is to be done, with the words that tell it: these, or those before them."""
    said = [turn["text"] for turn in brief.earlier if turn["role"] == "user"][-1:]
    for one in (text, *(fold_text(before) for before in said if _THAT.search(text))):
        ends = [time.last for time in read_times(one, brief.term) if time.side == "until" and time.last]
        if ends and ends[-1] >= brief.term.today:
            return ends[-1], one
    return None


_FORMS: tuple[Callable[[Brief, str], str], ...] = (
    _states_text, _order_text, _apart_text, _bound_text, _free_days_text, _free_weeks_text, _shared_text,
    _same_day_text, _rate_text, stands_text,
)  # fmt: skip
