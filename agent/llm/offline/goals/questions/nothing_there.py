"""What there is not, or not yet: why nothing is planned at a time, no item of a name that is asked for, what has not
begun; and which item comes next."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from agent.llm.offline.goals.questions.inquiry import WEEK_DAYS, asked_in
from agent.llm.offline.goals.questions.query import ASKS, find_owners
from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time
from agent.llm.offline.goals.questions.suppositions.supposed import find_unplanned, tell_unplanned
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_known
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import ACTS
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, said_names
from agent.llm.offline.language.spans.targets import PlaceTarget, shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.texts import date_text, run_text
from agent.loop.view_document import ClassView, TaskView

_SUGGESTS = re.compile(r"\bwhy (?:not|don't|doesn't|can't) (?:we|you|i)\b(?! have)")


def why_nothing_text(brief: Brief) -> str:
    """The answer to why nothing is at a time; empty where that is not asked."""
    text = fold_text(brief.message)
    asks = says("why_asked", text) and says("nothing_there", text) and not _SUGGESTS.search(text)
    target = target_in(brief.message, brief) if asks and brief.tasks else PlaceTarget()
    if not target.dated or items_in(brief.message, brief):
        return ""
    there = [row for row in brief.tasks if row["slot"] and target.covers(row["slot"])]
    runs = asked_in(brief.message, brief).runs
    near = runs and not (target.week or target.run) and (runs[-1][1] - runs[0][0]).days < WEEK_DAYS
    if (
        near
        and there
        and not any(first <= brief.day_of(s) <= last for r in there if (s := r["slot"]) for first, last in runs)
    ):
        target = replace(target, week=brief.term.week_day(runs[0][0])[0])  # the next one, which has nothing
    elif there:
        some = brief.say("那时候是有内容的：", "Something is planned then:")
        return "\n".join([some, *item_lines(brief, there)])
    head = brief.say("{when}没有排任务。", "Nothing to study is planned on {when}. ", when=_name_time(brief, target))
    planned = {row["class_id"] for row in brief.tasks}
    kept = {row["name"]: _why_not(brief, row, target) for row in brief.classes if row["id"] in planned}
    told = [why for why in kept.values() if why] + _wished(brief, target)
    free = [row["id"] for row in brief.classes if row["id"] in planned and not kept[row["name"]]]
    if free:
        told.append(
            brief.say(
                "没有规则不让{names}排在那时：固定规则按顺序放、避开课程，让整体最均衡，正好没有用到。想用的话，请说把哪一项移过去。",
                "No rule keeps {names} from it: the fixed rules go by the order of the items, avoid lessons and keep "
                "the whole most balanced, and did not need it. To use it, say which item to move there.",
                names=brief.names_of(free),
            )
        )
    return head + brief.say("", " ").join(told)


def _name_time(brief: Brief, target: PlaceTarget) -> str:
    """The weekdays that are meant, or the days."""
    if not (target.week or target.run):
        return brief.say("、", ", ").join(weekday_names(target.days, brief.language))
    runs = asked_in(brief.message, brief).runs
    return brief.say("、", ", ").join(run_text(brief, *run) for run in runs)


def _why_not(brief: Brief, row: ClassView, target: PlaceTarget) -> str:
    """What keeps a class from a time; empty where nothing does."""
    days = [day for day in _days_of(brief, row) if _covers(brief, target, day)]
    if not days and row["start_date"] and row["end_date"]:
        first, last = (date_text(brief, date.fromisoformat(row[key])) for key in ("start_date", "end_date"))
        told = ("「{name}」只在{first}到{last}之间。", '"{name}" only runs from {first} to {last}.')
        return brief.say(*told, name=row["name"], first=first, last=last)
    if days and all(day.isoweekday() in row["excluded_days"] for day in days):
        return brief.say("「{name}」要空出那天。", '"{name}" is to leave it free.', name=row["name"])
    return ""


def _days_of(brief: Brief, row: ClassView) -> list[date]:
    """The days on which a class may be planned."""
    first = date.fromisoformat(row["start_date"]) if row["start_date"] else brief.term.today
    last = date.fromisoformat(row["end_date"]) if row["end_date"] else brief.term.last_day
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def _covers(brief: Brief, target: PlaceTarget, day: date) -> bool:
    at = brief.term.week_day(day)
    if target.run and not target.run[0] <= at <= target.run[1]:
        return False
    return target.week in (None, at[0]) and (not target.days or at[1] in target.days)


def _wished(brief: Brief, target: PlaceTarget) -> list[str]:
    light = any(wish["kind"] == "light_weekday" and wish["value"] in target.days for wish in brief.wishes)
    return [brief.say("你也记过愿望：那天少排。", "There is also your wish to plan little on it.")] if light else []


_UNIT = r"章节?|节(?!课)|项|讲|单元|部分|专题|内容|任务"
_NAME_ASKED = re.compile(
    rf"(?:那|请问|所以|现在|我的?|[,，\s])*(?P<zh>[^,，。?？的]{{2,12}}?)的?(?:[那这]?[一1]?(?:{_UNIT}|个)|的)?[呢啊,，]*"
    r"(?:现在|会|要|被|是|安?排|放|定)*在?(?:了|到)?(?:哪[里儿]?|哪[一1]?[天周]|第?几[周号]|什么时候|啥时候|何时|什么位置)"
    r"(?:有|[学做背复上看习排]+)?[了呢啊的?？\s]*"
    r"|(?:(?:and|so|ok(?:ay)?|hey|but),? )*(?:when|where)(?:'s| is| are| do i (?:do|study|have|learn)"
    r"| (?:did|have) you (?:put|planned?|placed?))"
    r" (?:(?:the|my) )?(?P<en>[a-z0-9' ]{3,40}?)(?: (?:chapter|unit|bit|part|topic|item|task|lab|stuff|session)s?)?"
    r"(?: (?:now|planned|scheduled|placed|at|in the plan|again))*[?.! ]*"
)
_NO_NAME = re.compile(
    r"最|下|上|前|后|第[1一]|几|剩|其|别|所有|全|都|没|不|还|有|最近|什么|啥|谁|哪|考试|截止|按钮|设置|保存|应用|页|草稿|结果|假|期|课|计划|空|学期|今|明|周|起点|完|开始|结束"
    r"|[一二三四五六七八九十两\d]个|\b(?:next|last|first|final|other|others|rest|remaining|one|ones|any\w*|every\w*|some\w*|all|free|i|we"
    r"|buttons?|settings?|page|save|apply|draft|results?|you|it|they|them|that|this|these|those|there|exam|exams|deadlines?|due|plan|class|classes|lessons?|lectures?|break"
    r"|week|day|days|time|busy|start\w*|end\w*|finish\w*|done|not|more|most|supposed|going|holidays?|semester|term)\b"
)
"""What stands for other things than an item by its name."""


def tell_unknown_item(brief: Brief) -> str:
    """That there is no item of the name whose place is asked for, and which there are; empty for any other message."""
    text = fold_text(brief.own_words)
    found = _NAME_ASKED.fullmatch(text) if brief.classes else None
    name = (found["zh"] or found["en"] or "").strip() if found else ""
    numbered = _NUMBERED.search(text) if found else None
    known = items_in(brief.message, brief, among=all_items(brief)) or said_names(text, brief)
    if not name or known or (numbered is None and (_NO_NAME.search(name) or target_in(name, brief).said)):
        return ""
    if numbered is None and sum(char.isalnum() for char in strip_known(name, brief)) < _SHORTEST:
        return ""
    name = numbered.group() if numbered else name
    told = ("没有叫「{name}」的任务。现有的：", 'There is no item called "{name}". There is:')
    lines = (
        row["name"] + brief.say("：", ": ") + brief.say("、", ", ").join(item["content"] for item in row["items"])
        for row in brief.classes
    )
    return "\n".join([brief.say(*told, name=name), *lines])


_NUMBERED = re.compile(r"第[一二三四五六七八九十\d]{1,3}(?:[章讲课]|单元)")
_SHORTEST = 2
"""Letters of the shortest name."""


_WANTED = ("move", "place", "place_bare", "build", "build_weakly", "build_loosely", "arrange", "swap", "remove",
           "reschedule", "delete", "pick_up", "finished", "partly", "unmark", "lighter", "whole_plan")  # fmt: skip
"""What is wanted or told besides, which is carried out."""
_STATES = re.compile(r"呢[。!！~～\s]*$")
"""At the end of 还没开始呢 no question."""

_NOT_YET = re.compile(r"还没有?[做学看背写弄](?![完到好])|\b(?:haven't|have not) (?:done|studied|touched)\b")


def not_begun_text(brief: Brief) -> str:
    """Where the items stand that a message only tells to be not begun; empty for any other message."""
    text, said = fold_text(brief.message), Features(brief.message, brief)
    asks = said.asks or says("asking", _STATES.sub("", text))
    if not (says("not_begun", text) or _NOT_YET.search(fold_text(brief.own_words))) or asks or said.timed:
        return ""
    if any(says(one, text) for one in _WANTED) or shift_in(text):
        return ""
    rows = find_mentioned(brief.message, brief) or items_in(brief.message, brief)
    owners = classes_in(brief.message, brief.classes) if not rows else []
    rows = rows or [row for row in brief.tasks if row["class_id"] in owners]
    if not rows or any(row["mark"] for row in rows):
        return ""
    if not says("not_begun", text) and not all(map(brief.is_ahead, rows)):
        return ""  # what has passed and is not done was missed
    head = brief.say("还没开始，就不用标记，什么都没有改：", "Not begun is no mark, so nothing was changed:")
    return "\n".join([head, *item_lines(brief, rows), _ways_on(brief, rows)])


def _ways_on(brief: Brief, rows: list[TaskView]) -> str:
    """What can be done now: another time for what lies ahead, a new one for what has passed, one for what has none."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    name = rows[0]["name"]
    if not all(row["slot"] for row in rows):
        told = ("要给它找时间，请说「把{name}随便放个位置」。", 'To give it a time, say "put {name} anywhere".')
        return brief.say(*told, name=name)
    past = [row for row in rows if (s := row["slot"]) and (s["week"], s["day_of_week"], s["slot_end"]) <= now]
    if past:
        return brief.say(
            "时间已经过了的，请说「{name}没做」，我另排时间。",
            'For what has passed, say "I missed {name}" and I find another time.',
            name=past[0]["name"],
        )
    return brief.say("想换个时间，请说移到哪里。", "To have it at another time, say where to move it.")


_NEXT_ONE = re.compile(
    r"(?:下|接下来的?|最近的?)\s*[一1]?\s*[次回个项节门](?!周|月|星期|礼拜|学期)(?:什么|哪)?|下回|接下来最近"
    r"|\b(?:chapter|unit|lab|item|task|session|one|topic) (?:is|comes) next\b"
    r"|\bnext (?!up\b|few\b|couple\b|several\b|\d|two\b|three\b|four\b|five\b|term\b|semester\b)"
    r"(?!(?:\w+ ){0,2}(?:items|tasks|things|chapters|units|labs|sessions|days|weeks|topics)\b)(?=[a-z])"
)
"""That one item is asked for, not those of some time or so many of them."""
_SUBJECT = re.compile(
    r"任务|内容|学|复习|背|\b(?:session|chapter|unit|lab|item|task|thing|study(?:ing)?|topic|revision|stuff)\b"
)
_BEHIND = re.compile(r"之后|以后|后面|接着|\b(?:after|following|behind)\b")
"""What comes behind something that is named, not from now on."""


def answer_next(brief: Brief) -> str:
    """The first item still to come of the classes that are named, of all where none is; empty where the message asks
    anything else."""
    text = fold_text(brief.plain(brief.message))
    if not brief.classes or not _NEXT_ONE.search(text) or ACTS.search(text) or _BEHIND.search(text) or len(text) > 80:
        return ""
    asks = ASKS.search(text) or re.search(r"\bwhen\b|什么时候|几号", text) or text.startswith("next ")
    owners = find_owners(text, brief)[0]
    if not asks or not (owners or _SUBJECT.search(text)) or read_times(text, brief.term) or items_in(text, brief):
        return ""
    if owners and (unplanned := find_unplanned(brief, owners)):
        first = [row["items"][0]["content"] for row in brief.classes if row["id"] in unplanned[:1] and row["items"]]
        begins = brief.say("它从{item}开始。", " It begins with {item}.", item=first[0]) if first else ""
        return tell_unplanned(brief, unplanned) + begins
    ahead = [
        row for row in rows_in_time(brief.tasks)
        if brief.is_ahead(row) and row["mark"] != "done" and (not owners or row["class_id"] in owners)
    ]  # fmt: skip
    if not ahead:
        return brief.say("后面没有排好的内容。", "Nothing is planned from then on.")
    return "\n".join([brief.say("下一项是：", "The next one:"), *item_lines(brief, ahead[:1])])
