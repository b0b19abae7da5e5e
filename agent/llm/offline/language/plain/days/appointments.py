"""What a student has on at certain hours besides learning, as times to keep free: once, or every week where it comes
again; and weeks of which only some days are left.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID
from agent.llm.offline.language.plain.days.habits import PARTS
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.classes.class_times import bounds_hours
from agent.llm.offline.language.spans.conditions.limit_forms import EVENT, EVERY, FREES, HABIT, PASTIME
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.lesson_moves import says_lesson, says_subject
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.times.hours import noon_pause
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.llm.offline.language.spans.times.stretches import Hours, read_hours, say_hours, settle
from agent.llm.offline.language.texts import date_text

_OWN_LESSON = re.compile(
    r"\b(?:driving|piano|guitar|violin|music|singing|swimming|danc(?:e|ing)|riding|tennis|drum|cooking|art|yoga|fitness"
    r"|pottery|language|ski(?:ing)?) (?:lessons?|class(?:es)?|course)\b"
    r"|(?:钢琴|吉他|舞蹈|瑜伽|健身|游泳|驾校|声乐|书法)课|讲座"
)
"""Lessons that are none of the timetable."""
_THINGS = re.compile(
    r"\b(?:haircut|hairdresser|barber|physio\w*|therap\w+|check-?up|call|dentist|doctor\w*|gp|vet|optician|clinic"
    r"|hospital|work|lunch|brunch|dinner|visit|date|flight|train|mass|service|society|lesson)\b"
    r"|理发|剪头|练车|驾校|看牙|牙医|看病|医院|理疗|推拿|[开个组例班][会课]|电话|面试|面谈|导师|社$|社团|[棋诗剧舞书]社|家教|兼职|值班|上班"
    r"|出[门去差]|的[班会]|游泳|聚|约|比赛|演出|电影|搬家|银行|签证|健身|球|火?车(?!间)|航班|机场|飞机|高铁"
)
_HAS = re.compile(
    r"\b(?:i|we)(?:'ve| have|'ll have| will have)(?: also)?(?: got)? (?:an?|my|the|to|our|[a-z]+ (?!time|off)\w+)\b"
    r"|\b(?:i|we)(?:'ve| have) got\b|\bi(?:'m| am) (?:at|in|out|working|seeing|meeting)\b"
    r"|\bi (?:work|meet|see|go|play)\b"
    r"|\bthere(?:'s| is)\b|\bmy [a-z]+(?: [a-z]+)? is\b|我?[要得][去参跟和陪见]|有[个一场次]"
)
_BACK = re.compile(
    r"\b(?:get|got|am|'m|be|come|arrive|finish|free|available|home|back|out|off)\b[^,.;]*\b(?:at|until|till?|by|after|from"
    r"|around)\b|才|[到回]家|回来|下班"
)
"""That one is not there before an hour."""
_ONLY_THEN = re.compile(r"才(?:有空|有时间|能|可以|行)|\bonly (?:free|available|have time|there|around|home|back)\b")
_FREE_LATER = re.compile(r"[之以]?后(?:我|都)*才(?:有空|有时间)")
_AT_BEST = re.compile(
    r"效率|状态|精神|精力|适合|清醒|专注|有空|有时间|\b(?:best|better|well|productive\w*|focus\w*|sharp\w*|concentrat\w*"
    r"|efficient\w*|free|available|(?:have|got|'ve) (?:some |more |lots of )?time)\b"
)
"""What tells of a time that it is good for learning, or free."""
_OTHER_TRADE = re.compile(
    r"移|挪|推迟|提前|学(?![校生期院])|复习|背|考|[帮给把将]|第[\d一二三四五六]+[章项个节]|实验|截止|什么|几|吗|呢|[?？]|排(?!练)|放(?!学)"
    r"|删|取消|撤|标|完成|新建|加|改|换|如果|要是|可以|能不能|昨|上[周个]|节|任务|计划|了$"
    r"|\b(?:mov|(?<!my )(?<!a )(?<!the )(?<!night )(?<!work )shift(?!s)|push"
    r"|stud|revis|learn|exam|midterm|test|quiz|deadline"
    r"|due|chapter|lab|item|task|section|lecture|when|what|how|which|why|plan|schedul|put|swap|remov|delet|cancel|undo"
    r"|mark|done|miss|add|creat|renam|prefer|rather|instead|if|unless|except|yesterday|was|had|last|could|would|should"
    r"|can|it|that|this(?! \w+day| week)|one|them|these)"
    r"(?:\w*)\b"
)


def read_appointment(text: str, brief: Brief) -> list[Frame]:
    """The hours of what one has on, as those at which one is away, or every week where that is told."""
    told = spell_out_lists(fold_text(brief.read_words(text)))
    hours, times = read_hours(told), read_times(told, brief.term)
    days = [one for one in times if one.kind in ("weekday", "day") and not one.side and one.role != "origin"]
    ends = [one for one in times if one.kind in ("day", "days", "week") and one.side == "until"]
    every = [one.every for one in times if one.kind == "every"]
    noon = [told[one.start : one.end] for one in hours.told] == ["中午"]
    begins = any(one.kind in ("day", "days", "week") and one.side == "from" for one in times)
    odd = noon or begins or len(ends) > 1 or any(one != "1" for one in every) or any(one.impossible for one in times)
    weekly = bool(every) or EVERY.search(told) is not None or _STANDING.search(told) is not None
    parts = [PARTS[one.part][brief.language == "en"] for one in times if one.part is not None and one.part < len(PARTS)]
    once = EVENT.search(told) is not None and not (HABIT.search(told) or PASTIME.search(told))
    part = parts[0] if (weekly or once) and not hours.told and len(parts) == 1 else ""
    if odd or not (days or every) or not (part or 0 < len(hours.told) <= _BOTH):
        return []
    if len(hours.told) == 1 and bounds_hours(told, brief.term) and not _FREE_LATER.search(told):
        return []
    if not _is_own(told, brief) or {one.kind for one in times} - _KNOWN:
        return []
    said = part or _say_hours(hours, told, brief)
    if not said or (weekly and any(one.first for one in days)):
        return []
    named = dict.fromkeys(_say_day(one, brief, weekly=weekly) for one in days)
    if not weekly:
        return [frame_of("away", {"time": (f"{day}{brief.say('', ' ')}{said}",)}) for day in named]
    named = named or {brief.say("天", "every day"): None}
    when = f"{brief.say('每', '')}{brief.say('、', ' and ').join(named)}{brief.say('', ' ')}{said}"
    if ends and ends[0].last:
        until = date_text(brief, ends[0].last)
        return [frame_of("nothing_on", {"time": (brief.say(f"{until}为止{when}", f"{when} until {until}"),)})]
    return [frame_of("wish_nothing_on", {"time": (when,)})]


_BOTH = 2
_STANDING = re.compile(r"固定|一直|长期|(?<![点分半刻钟\d])以后|都[要得会有去]|\b(?:always|from now on|regularly)\b")
"""That something comes again every week."""
_KNOWN = {"weekday", "day", "days", "week", "part", "clock", "every"}


def _is_own(told: str, brief: Brief) -> bool:
    """Whether a text tells of something of one's own, not of what is planned or taught."""
    plain, comes_back = _OWN_LESSON.sub(" ", told), _ONLY_THEN.search(told)
    bare = _ONLY_THEN.sub(" ", plain)
    if _AT_BEST.search(bare) or _OTHER_TRADE.search(bare) or asks_whether(told) or FREES.search(bare):
        return False
    subject = says_subject(plain) and not PASTIME.search(plain)
    if says_lesson(plain) or subject or find_classes(told, brief) or find_mentioned(told, brief):
        return False
    if items_in(told, brief, among=all_items(brief)):
        return False
    signs = (EVENT, HABIT, PASTIME, _THINGS, _HAS, _OWN_LESSON)
    away = read_hours(told).of("end", "before", "from") is not None and _BACK.search(told) is not None
    return bool(comes_back) or away or any(form.search(told) for form in signs) or says("busy_then", told)


def _say_hours(hours: Hours, told: str, brief: Brief) -> str:
    """The hours in full: of what ends at one and begins at none those of the part of the day before it."""
    leaves = hours.of("from") if len(hours.told) > 1 and not hours.of("end", "before") else None
    hours = replace(hours, told=(leaves,)) if leaves else hours
    begin, end = settle(hours)
    if _ONLY_THEN.search(told) and begin is not None and end is None:
        begin, end = None, begin
    if begin is None and end is not None and _ENDS.search(told):
        pause = noon_pause(brief.term)
        begin = next((at for at in (_EVENING, pause[1] if pause else _EVENING) if at < end), None)
    parts = [one.part for one in read_times(told, brief.term) if one.part is not None]
    if begin is None and end is not None and parts and brief.term.starts and not _FREE_LATER.search(told):
        hour, minute = map(int, brief.term.starts[brief.term.day_parts[parts[0]][0] - 1].split(":"))
        begin = 60 * hour + minute if 60 * hour + minute < end else None
    if begin is not None and end is not None and begin >= end:
        return ""
    single = hours.of("at", "start") is not None
    return say_hours(begin, end, zh=brief.language == "zh", single=single)


_EVENING = 18 * 60
_ENDS = re.compile(r"结束|散[场会]|\b(?:ends?|ending|finish(?:es|ing)?|over)\b(?! work)")


def _say_day(one: Time, brief: Brief, *, weekly: bool) -> str:
    if one.first and one.last:
        ends = dict.fromkeys((one.first, one.last))
        return brief.say("到", " to ").join(date_text(brief, day) for day in ends)
    names = weekday_names(one.weekdays, brief.language)
    if weekly:
        return brief.say("、", " and ").join(names)
    ahead = (one.weekdays[0] - brief.term.today.isoweekday()) % 7
    return date_text(brief, brief.term.today + timedelta(days=ahead))


_ONLY = re.compile(r"只有?|仅|\bonly\b|\bjust\b")
_ONLY_EACH = re.compile(r"[周拜].*[周拜末].*才(?:能|有)")
_FREE = re.compile(
    r"有空|有时间|空着|空的|能|在(?=$|[,，。!！])|\b(?:free|available|around"
    r"|(?:have|got) (?:the )?(?:time|mornings|afternoons|evenings|nights)"
    r"|(?:can|could) (?:\w+ )?(?:study|work|learn|do (?:things|stuff|it|anything)|do|make)"
    r"|time (?:to|for) \w+|for (?:studying|learning|revising|uni|work))\b"
)
_EACH = re.compile(r"每|[周拜]末|\b(?:every|each|\w+(?:day|end|morning|afternoon|evening|night)s)\b")


def read_only_free(text: str, brief: Brief) -> list[Frame]:
    """The only times of every week that one has; the days of one week on which there is no time, where only the others
    are told: next week only the weekend."""
    told = spell_out_lists(fold_text(text))
    every = read_times(told, brief.term)
    times = [one for one in every if one.kind != "week"]
    weeks = {brief.term.week_day(one.first)[0] for one in times if one.first}
    only = _ONLY.search(told) or (not weeks and _ONLY_EACH.search(told))
    bare = _ONLY_PART.search(told) and not _CLAUSES.search(told)
    if not (only and (_FREE.search(told) or bare)) or asks_whether(told) or says("asking", told):
        return []
    if find_classes(told, brief) or find_mentioned(told, brief) or FREES.search(_FREE.sub(" ", told)):
        return []
    if once := _read_only_part_once(times, brief):
        return once
    if not weeks:
        return _read_only_parts(told, times, [one for one in every if one.kind == "week"], brief)
    dated = all(one.kind in ("weekday", "day", "days") and one.weekdays and not one.side for one in times)
    if not dated or len(weeks) != 1:
        return []
    week, free = weeks.pop(), {day for one in times for day in one.weekdays}
    left = [brief.term.day(week, day) for day in range(1, 8) if day not in free]
    runs = _join([day for day in left if day >= brief.term.today])
    joint = brief.say("到", " to ")
    told_runs = (joint.join(date_text(brief, day) for day in dict.fromkeys(run)) for run in runs)
    return [frame_of("away", {"time": (when,)}) for when in told_runs]


def _read_only_part_once(times: list[Time], brief: Brief) -> list[Frame]:
    """That a part of the day is the only one that one has on certain dates, which hold for this plan."""
    dated = [one for one in times if one.first and one.last]
    rest = [one for one in times if one not in dated]
    if len(dated) != 1 or [one.kind for one in rest] != ["part"] or dated[0].side or rest[0].part is None:
        return []
    days = dict.fromkeys(date_text(brief, day) for day in (dated[0].first, dated[0].last) if day)
    said = ("这次{days}只安排在{part}", "just this once only in the {part} {on} {days}")
    on = "from" if len(days) > 1 else "on"
    when, part = brief.say("到", " to ").join(days), PARTS[rest[0].part][brief.language == "en"]
    return [frame_of(AS_SAID, {"text": (brief.say(*said, days=when, part=part, on=on),)})]


def _read_only_parts(told: str, times: list[Time], weeks: list[Time], brief: Brief) -> list[Frame]:
    """That the weekdays or the part of the day which a text names are the only times of every week, or of one."""
    days = sorted({day for one in times for day in one.weekdays})
    parts = {one.part for one in times if one.part is not None}
    plain = all(one.kind in ("weekday", "part", "every") and not one.side and not one.week for one in times)
    if plain and days and len(parts) == 1 and not weeks and _ONLY_PART.search(told):
        return _read_only_part_then(days, parts.pop(), brief)
    beside = len(days) > 1 and len(parts) == 1 and not weeks
    if not plain or (len(parts) + bool(days) != 1 and not beside) or (len(days) == 1 and not _EACH.search(told)):
        return []
    part = PARTS[parts.pop()][brief.language == "en"] if parts else ""
    if weeks:
        if not part or len(weeks) > 1 or weeks[0].side or not (week := weeks[0].week) or " fit" in told:
            return []
        said = ("这次第{week}周只安排在{part}", "just this once only in the {part} in week {week}")
        return [frame_of(AS_SAID, {"text": (brief.say(*said, week=week, part=part),)})]
    named = brief.say("、", " and ").join(weekday_names(days, brief.language))
    return [frame_of("wish_only_on", {"time": (brief.say("", " ").join(filter(None, (named, part))),)})]


_CLAUSES = re.compile(r"[,，。;；]")
_ONLY_PART = re.compile(
    r"(?:[周拜][末一二三四五六日天]|工作日)(?:我|们|都|就|一般|平时)*(?:只|仅).*(?:[上下]午|早上|晚上)"
    r"|\bdays?\b.*\b(?:only|just)\b.*\b(?:morning|afternoon|evening|night)s?\b"
    r"|\b(?:only|just)\b.*\b(?:morning|afternoon|evening|night)s?\b.*\bon (?:\w+days?|weekends)\b"
)
"""Days, and the only part of these that one has; of other days nothing is said."""


def _read_only_part_then(days: list[int], part: int, brief: Brief) -> list[Frame]:
    """That the other parts of certain weekdays stay free, every week."""
    others = [zh for at, (zh, _) in enumerate(PARTS) if at != part]
    named = brief.say("、", " and ").join(weekday_names(days, brief.language))
    told = ("以后{days}{parts}都不要安排", "on {days} i only have time in the {part}")
    said = brief.say(*told, days=named, parts="和".join(others), part=PARTS[part][1].rstrip("s"))
    return [frame_of(AS_SAID, {"text": (said,)})]


def _join(days: list[date]) -> list[tuple[date, date]]:
    """Days in order as runs of them, each by its two ends."""
    runs = list[tuple[date, date]]()
    for day in days:
        goes_on = bool(runs) and runs[-1][1] + timedelta(days=1) == day
        runs = [*runs[:-1], (runs[-1][0], day)] if goes_on else [*runs, (day, day)]
    return runs


_IS_FREE = re.compile(
    r"\b(?:i|we)(?:'m|'re| am| are|'ll be| will be) (?:\w+ ){0,2}?(?:free|available)\b"
    r"|\b(?:i|we)(?:'ve| have)(?: got)? (?:some |more |lots of |a bit of |plenty of )?time\b"
)
_IS_NOT = re.compile(r"\b(?:not|no|never|only|until|till|before|after|want\w*|keep|put|use)\b|n't\b")


_ALL_DAY = re.compile(r"\ball day(?: long)?\b")


def read_free_then(text: str, brief: Brief) -> list[Frame]:
    """That one has a time: which of it is free in the plan is told, nothing is kept free by it."""
    found = _IS_FREE.search(text)
    if found is None or _IS_NOT.search(text) or not read_times(text, brief.term) or asks_whether(text):
        return []
    plain = _ALL_DAY.sub(" ", text)
    if find_mentioned(plain, brief) or find_classes(plain, brief):
        return []
    return [frame_of(AS_SAID, {"text": (f"when am i free {text[found.end() :].strip()}",)})]
