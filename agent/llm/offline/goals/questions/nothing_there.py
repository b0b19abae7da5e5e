"""What there is not: why nothing is planned at a time, and no item of a name that is asked for."""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.goals.questions.reads import item_lines
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_known
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import all_items, items_in, said_names
from agent.llm.offline.language.spans.targets import PlaceTarget, target_in
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.texts import date_text, run_text
from agent.loop.view_document import ClassView

_SUGGESTS = re.compile(r"\bwhy (?:not|don't|doesn't|can't) (?:we|you|i)\b(?! have)")


def why_nothing_text(brief: Brief) -> str:
    """The answer to why nothing is at a time; empty where that is not asked."""
    text = fold_text(brief.message)
    asks = says("why_asked", text) and says("nothing_there", text) and not _SUGGESTS.search(text)
    target = target_in(brief.message, brief) if asks and brief.tasks else PlaceTarget()
    if not target.dated or items_in(brief.message, brief):
        return ""
    there = [row for row in brief.tasks if row["slot"] and target.covers(row["slot"])]
    if there:
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
    r"|buttons?|settings?|page|save|apply|draft|results?|you|it|they|them|that|this|these|those|there|exam|exams|deadline|due|plan|class|classes|lessons?|lectures?|break"
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
