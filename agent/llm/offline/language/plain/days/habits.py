"""What somebody likes or cannot stand, as the request that it comes to: more in the evenings, one class for the weekend
and another for weekdays, never two days in a row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from itertools import combinations

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.standing_rules import read_weekly, stands_in
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.names import list_names
from agent.llm.offline.language.paraphrase.paraphrase import ADDS, AS_SAID
from agent.llm.offline.language.plain.shapes import find_classes
from agent.llm.offline.language.spans.classes.class_times import bounds_hours, divide_softly
from agent.llm.offline.language.spans.classes.rhythms import read_rhythm, without_rhythm
from agent.llm.offline.language.spans.conditions import limit_forms as forms
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.dates import TIMES
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.lesson_moves import says_lesson
from agent.llm.offline.language.spans.mentions import all_items, classes_of_subject, items_in, without_classes
from agent.llm.offline.language.spans.times.bounds import run_of, side_of
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.semester import weekday_names

_MORE = re.compile(
    r"多(?:排|放|安排|学|弄|做)(?!久|少)|(?:效率|状态|精力|精神|注意力|记性|脑子|头脑)[^,，。;；]{0,4}[高好旺佳足清]"
    r"|\b(?:rather|prefer(?: to)?) (?:study|learn|revise|work|do (?:things|stuff|my \w+))\b"
    r"|\bmore\b[^,.;]{0,24}\b(?:in|at|during)\b|\b(?:come|feel) (?:most )?alive\b"
    r"|(?:最|比较|更|很)[^,，。;；]{0,2}(?:适合|合适)"
    r"|\b(?:works?|suits?|are|is)\b[^,.;]{0,16}\b(?:best|better|ideal|most productive|(?:prime|peak) time)\b"
    r"|\b(?:i(?:'?m| am)?|my brain|my head) (?:\w+ ){0,3}(?:best|better|sharp\w*|(?:more |most )?(?:productive|focus\w*"
    r"|awake|alert|efficient\w*|energetic)|fresh\w*)\b"
)
_LESS = re.compile(
    r"少(?:排|放|安排|学|弄|做)|少一?点|别(?:排|放|安排)?得?[太那这]么?多"
    r"|\b(?:less|fewer|not (?:so|too|that|as) (?:much|many)|go easy|ease (?:off|up))\b"
)
REFUSED = re.compile(r"不|别|没|\b(?:not|never|hate|worst|bad)\b|n't\b|\bno\b")
_DISLIKED = re.compile(
    r"讨厌|(?<!麻)烦(?!请|琐)|受不了|不喜欢|\b(?:hate|loathe|despise|dislike|suck|(?:don't|dont|do not|not really) like"
    r"|not an? (?:early )?(?:morning|evening|night) person|awful|terrible|horrible|the worst)\b"
)
_DAILY = re.compile(r"每天|天天|总是|老是|起床?|\b(?:every ?day|always|days|study\w*|get(?:ting)? up)\b")
_ANY_CHANCE = re.compile(r"\bany (?:chance|way|possibility)\b")
_LEISURE = re.compile(r"自由|空|休息|玩|\b(?:free|off|clear|time (?:for|to)|rest|sleep)\b")
PARTS = (("上午", "mornings"), ("下午", "afternoons"), ("晚上", "evenings"))


def read_habits(text: str, brief: Brief) -> list[Frame]:
    """The frames of such a request; none where items or questions are told beside it."""
    bare = forms.EVERYTHING.sub(" ", text)
    if find_mentioned(bare, brief) or items_in(text, brief, among=all_items(brief)):
        return []
    wishes = says("polite_form", text) or (says("worn_out", text) and _ANY_CHANCE.search(text))
    if (asks_whether(text) or says("asking", text)) and not wishes:
        return []
    return next((frames for read in _READERS if (frames := read(text, brief))), [])


def _read_part(text: str, brief: Brief) -> list[Frame]:
    """The part of the day that is to have more, or less."""
    times, less = read_times(text, brief.term), _LESS.search(text)
    part = times[0].part if [one.kind for one in times] == ["part"] else None
    if {one.kind for one in times} <= {"every"} and says("too_early", text) and _DAILY.search(text):
        early = [frame_of("wish_nothing_on", {"time": (PARTS[0][not has_chinese(text)],)})]
        return [] if find_classes(text, brief) else early
    denied = REFUSED.search(_LESS.sub(" ", text)) or _LEISURE.search(text) or says("wish_hard", text)
    worn = says("worn_out", text) or _DISLIKED.search(text)
    if part is not None and part < len(PARTS) and worn and not find_classes(text, brief):
        return [frame_of("wish_nothing_on", {"time": (PARTS[part][not has_chinese(text)],)})]
    if part is None or part >= len(PARTS) or denied or find_classes(text, brief) or not (less or _MORE.search(text)):
        return []
    if less and part == 1:
        return []  # no wish is of less in the middle of the day
    return [frame_of("wish_not_in" if less else "wish_in", {"time": (PARTS[part][not has_chinese(text)],)})]


def _read_bound(text: str, brief: Brief) -> list[Frame]:
    """The hour up to which, or from which on, days are for learning, every day, on some weekdays or on a date, as the
    sections beyond it that stay free: done by 9pm, 每天十点以后再学."""
    clauses = [one for one in forms.CLAUSE_BREAK.split(fold_numbers(text)) if one.strip()]
    told = [one for one in clauses if bounds_hours(one, brief.term)]
    times = read_times(told[0], brief.term) if told else ()
    runs = [run for one in times if side_of(one, told[0]) and (run := run_of(one, told[0], brief.term))]
    others = [one for one in clauses if one not in told]
    rest = any(read_times(one, brief.term) or find_classes(one, brief) or says("build", one) for one in others)
    owners, zh = find_classes(forms.EVERYTHING.sub(" ", text), brief), has_chinese(text)
    if len(told) != 1 or len(runs) != 1 or rest or any(one.impossible or one.part == 1 for one in times):
        return []
    (first, last), days = runs[0], weekday_names([day for one in times for day in one.weekdays], "zh" if zh else "en")
    dates = [one for one in times if one.first or one.last or one.week]
    if dates:
        days = [f"{one.first.month}月{one.first.day}日" if zh else f"{one.first:%-d %B}" for one in dates
                if one.kind == "day" and one.first and one.first == one.last]  # fmt: skip
    due = dates and (len(days) < len(dates) or forms.DONE.search(text))
    if due or forms.ONCE.search(text) or (first, last) == (1, brief.term.sections):
        return []
    names = [brief.name_of(one) for one in owners] if len(owners) < len(brief.classes) else []
    if zh:
        beyond = f"{'和'.join(days)}第{first}节之前" if first > 1 else f"{'和'.join(days)}第{last}节之后"
        said = [f"{name}{beyond}不排" for name in names or [""]]
    else:
        beyond = f"before section {first}" if first > 1 else f"after section {last}"
        beyond += f"{' on ' * bool(days)}{' and '.join(days)}"
        said = [f"{f'no {name}' if name else 'nothing'} {beyond}" for name in names or [""]]
    return [frame_of(AS_SAID, {"text": (one,)}) for one in said]


_LIKES = re.compile(
    r"习惯|一般|通常|平时|喜欢|爱|都?有(?:空|时间)|\b(?:i'm|i am|am|are|is) (?:\w+ly |always )?free\b"
    r"|\b(?:usually|normally|mostly|always|like|love|prefer|tend) (?:to |doing )?"
)
"""When somebody likes to learn, or could."""
_PUT_THERE = re.compile(r"排|放|安排|用|\b(?:put|use|plan|schedule|place)\b")
_LIES_IN = re.compile(
    r"起不(?:来|了床|早)|早不起来|\bnot an? early (?:bird|riser)\b"
    r"|\b(?:can't|cannot|can not|never|don't|not) (?:\w+ )?(?:get|wake|up|be) (?:\w+ )?early\b"
)
_LEARNING = re.compile(
    r"[以之]?[前后]|起|开始|[学看做复习背刷任务安排放用的在我都就是课点把里那这时候从第]|\b(?:i|do|doing|study\w*|learn\w*|my|in|on|at|the|from|and|things?"
    r"|stuff|it|to|there|revis\w*|work\w*|on|after|before|onwards|so)\b|[^\w一-鿿]"
)


def _read_liked(text: str, brief: Brief) -> list[Frame]:
    """When somebody likes to learn, all or a subject, or is free to be given things, beside mornings that he sleeps in:
    我习惯晚上学数学，早上起不来."""
    frames: list[Frame] = []
    clauses = [one for one in forms.CLAUSE_BREAK.split(text) if one.strip()]
    zh, free = has_chinese(text), re.search(r"有(?:空|时间)|\bfree\b", text)
    for clause in clauses:
        times = read_times(clause, brief.term)
        owners = find_classes(clause, brief) or classes_of_subject(clause, brief.classes)
        if _LIES_IN.search(clause) and not owners:
            frames.append(frame_of("wish_nothing_on", {"time": (PARTS[0][not zh],)}))
        elif times and _LIKES.search(clause) and not REFUSED.search(clause):
            bare = reduce(lambda left, one: left.replace(clause[one.start : one.end], " "), times, clause)
            left = _LEARNING.sub("", _LIKES.sub("", without_classes(bare, brief)))
            when = _say_when(times, clause, brief, zh=zh)
            if not when or (left and not owners):
                return []
            frames += [_prefer(when, brief.name_of(one) if owners else "", zh=zh) for one in owners or [0]]
        elif frames and REFUSED.search(clause) and not owners and (when := _say_when(times, clause, brief, zh=zh)):
            frames.append(frame_of("wish_nothing_on", {"time": (when,)}))
        elif times or owners or not (_PUT_THERE.search(clause) and free):
            return []
    return frames if not free or any(_PUT_THERE.search(one) for one in clauses) else []


def _say_when(times: Sequence[Time], clause: str, brief: Brief, *, zh: bool) -> str:
    """The part of the day, or the section from which on, that times of a clause tell; empty for others."""
    part = next((one.part for one in times if one.part is not None), None)
    run = next((run for one in times if side_of(one, clause) and (run := run_of(one, clause, brief.term))), None)
    if any(one.first or one.last or one.week or one.weekdays or one.impossible for one in times):
        return ""
    if run in brief.term.day_parts:
        part, run = brief.term.day_parts.index(run), None
    if run is not None:
        return str(run[0]) if run[1] == brief.term.sections else ""
    return PARTS[part][not zh] if part is not None and part < len(PARTS) else ""


def _prefer(when: str, name: str, *, zh: bool) -> Frame:
    """That one class, or all, is rather to be at a part of the day, or from a section on."""
    if when.isdigit():
        text = f"{name}第{when}节之前不排" if zh else f"{f'no {name}' if name else 'nothing'} before section {when}"
        return frame_of(AS_SAID, {"text": (text,)})
    return (
        frame_of("wish_in_of", {"class": (name,), "time": (when,)}) if name else frame_of("wish_in", {"time": (when,)})
    )


_WEEKEND, _WORKING = (
    re.compile(r"(?<![这本下上])(?:每个?)?周末|(?<!this )(?<!next )\bweekends?\b"),
    re.compile(r"工作日|平时|平日|周[1一]到周[5五]|\bweekdays?\b|\bduring the week\b"),
)
_LEARNS = re.compile(r"[学排放看弄搞背做]|复习|安排|[,，]|\b(?:on|at|for|during|to|do|study)\b")
_NARROWED = re.compile(
    r"[几多]少?|什么|开始|之?[前后]|移|挪|考|截止|停|最多|节|项|\d|[帮把]|规划|排[一好]|\b(?:plan|schedule|fit|put|when|what|how|start\w*|exam|before|after|move|most"
    r"|max\w*|until|by|from)\b"
)


_ANY_BUT = re.compile(
    r"除[了去开]?(?P<when>[^,，。;；]{1,8}?)(?:以外|之外)?[,，]?(?:[都全]|什么时候都|哪天都)(?:行|可以|能[排学]?|好|没问题)"
    r"|(?:[排放安]*[在到]?)(?P<but>(?:每?周[一二三四五六日天末]|[早上中下午晚]+)[^,，。;；]{0,4}?)(?:以外|之外)(?:的?(?:时间|时候|时段|日子|任何时间))?(?:(?:哪天|什么时候)?都(?:行|可以|能排?|好))?"
    r"|\boutside(?: of)? (?:the )?(?P<en>[a-z ]+)"
)
"""Any time but some, which is a time to keep free and none to keep to."""


def _read_any_time_but(text: str, brief: Brief) -> list[Frame]:
    """That a class is for any time but some: Linear Algebra, anything but evenings; 线代除了晚上都行."""
    found, owners = _ANY_BUT.search(text), find_classes(text, brief)
    when = next(filter(None, found.groups()), "") if found else ""
    times = read_times(when, brief.term) if when else ()
    if found is None or len(owners) != 1 or not times:
        return []
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    left = without_classes(fold_numbers(rest), brief)
    if read_times(rest, brief.term) or re.sub(r"[排放学请把在吧了\s]|\b(?:please|pls|plan|put|do)\b", "", left):
        return []
    name, placed = brief.name_of(owners[0]), any(row["slot"] and row["class_id"] == owners[0] for row in brief.tasks)
    if any(one.first for one in times):
        return [frame_of("nothing_on_of", {"class": (name,), "time": (when,)})] if placed else []
    zh = f"{name}{when}别排" if placed else f"排{name}，{when}别排"
    en = f"{name} any time except {when}"
    return [frame_of(AS_SAID, {"text": (zh if has_chinese(text) else en if placed else f"plan {en}",)})]


def _read_dated_hours_of_class(text: str, brief: Brief) -> list[Frame]:
    """That a class keeps some hours free on certain dates: no change of its own dates, nor one for every week."""
    told = read_conditions(text, brief) if find_classes(text, brief) and not says("build", text) else None
    if told is None or told.lasting or told.once or len(told.said) != 1 or not told.said[0].owners:
        return []
    values = told.said[0].values
    rows = values.get("without") or ()
    if set(values) != {"without"} or not all({"from_date", "section_from"} <= set(row) for row in rows):
        return []
    return [frame_of(AS_SAID, {"text": (f"这次{text}" if has_chinese(text) else f"just this once {text}",)})]


def _read_times_of_classes(text: str, brief: Brief) -> list[Frame]:
    """That each of the classes is for some weekdays or for some part of them; weekends or weekdays where it is one."""
    clauses = [(clause.strip(), soft) for clause, soft in divide_softly(text, brief)]
    if REFUSED.search(text) or _NARROWED.search(text) or says("keep_free", text) or not _LEARNS.search(text):
        return []
    told, zh = list[tuple[str, str]](), has_chinese(text)
    for clause, _ in clauses:
        owners, times = find_classes(clause, brief), read_times(clause, brief.term)
        weekly = all(one.kind in ("weekday", "part") and not (one.first or one.week or one.side) for one in times)
        working = not times and _WORKING.search(clause) is not None
        if len(owners) != 1 or not (weekly and (times or working)):
            return []
        when = clause[times[0].start : times[-1].end] if times else ("工作日" if zh else "weekdays")
        told.append((brief.name_of(owners[0]), when))
    alone = len(clauses) == 1 and sum(bool(one.search(clauses[0][0])) for one in (_WEEKEND, _WORKING)) != 1
    if alone or len({name for name, _ in told}) < len(told):
        return []
    if says("softly", text):
        return [frame_of("wish_in_of", {"class": (name,), "time": (when,)}) for name, when in told]
    if len(told) == 1:
        return [frame_of("always_on", {"class": told[0][:1], "time": told[0][1:]})]
    keeps = [f"{name}只排{when}" if zh else f"{name} only on {when}" for name, when in told]
    return [frame_of(AS_SAID, {"text": (("，" if zh else ", ").join(keeps),)})]


def _read_rhythm_of_class(text: str, brief: Brief) -> list[Frame]:
    """That a class is learnt so often a week, on as many weekdays where these are told: Probability twice a week,
    tuesdays and saturdays."""
    rhythm, owners = read_rhythm(text), find_classes(text, brief)
    if rhythm is None or rhythm[1] != 7 or len(owners) != 1 or _SOFTLY.search(text) or REFUSED.search(text):
        return []
    rest = _WANTED.sub(" ", without_rhythm(fold_numbers(text))).strip(" ,，.。")
    if days := {day for one in read_times(rest, brief.term) for day in one.weekdays}:
        return _read_weekdays_of_class(rest, brief) if len(days) == rhythm[0] else []
    bare = not read_times(rest, brief.term) and not strip_fillers(without_classes(rest, brief))
    slots = {"class": (brief.name_of(owners[0]),), "number": (str(rhythm[0]),)}
    return [frame_of("most_a_week_of", slots)] if bare else []


_WANTED = re.compile(r"应该|^我?[想要]|固定|\b(?:should be|should|i want|i'?d like|to (?:do|study))\b")
_SOFTLY = re.compile(r"尽量|最好|尽可能|\b(?:prefer\w*|rather|if possible|ideally|mostly)\b")
_EACH_WEEK = re.compile(r"[一-鿿]|\b\w+(?:day|end)s\b")
_EVERY = re.compile(r"每个?(?=(?:周|星期|礼拜)[1-7日天末])|\b(?:every|each) (?P<en>\w+(?:day|end))\b")


def _read_weekdays_of_class(text: str, brief: Brief) -> list[Frame]:
    """That a class is for some days of each week, where it is named with these and nothing else: labs on fridays."""
    folded = _EVERY.sub(lambda one: f"{one['en']}s" if one["en"] else "", fold_numbers(text))
    owners = find_classes(text, brief)
    times = read_times(folded, brief.term)
    weekly = all(one.kind == "weekday" and not (one.first or one.week or one.role or one.side) for one in times)
    if len(owners) != 1 or not (times and weekly and _EACH_WEEK.search(folded)) or REFUSED.search(text):
        return []
    if any(says(one, folded) for one in ("asking", "correction")) or ADDS.search(folded) or find_mentioned(text, brief):
        return []
    name = next(row["name"] for row in brief.classes if row["id"] == owners[0])
    pieces = [one.text for one in list_names(folded, (name,), ())]
    rest = reduce(lambda left, piece: left.replace(piece, " "), pieces, without_classes(folded, brief))
    when = folded[times[0].start : times[-1].end]
    told = strip_fillers(re.sub("[排放]", " ", TIMES.sub(" ", rest)))
    return [] if told else [frame_of("only_on_of", {"class": (name,), "time": (when,)})]


def _read_days_in_turn(text: str, brief: Brief) -> list[Frame]:
    """That two classes are to be on different days, or one never on two days side by side."""
    clause = next((one for one in re.split(r"[,，;；。]", text) if IN_A_ROW.search(one)), "")
    owners, own = _names_in(text, brief), _names_in(clause, brief) or _names_in(text, brief)
    mixed = not owners and _MIXED.search(text) and (REFUSED.search(text) or says("complains", text))
    if mixed or (not owners and _ONE_SUBJECT.search(text)):
        planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
        owners = [row["name"] for row in brief.classes if row["id"] in planned]
        return [frame_of("classes_apart", {"class": (one,), "class2": (two,)}) for one, two in combinations(owners, 2)]
    taken = [frame_of("classes_apart", {"class": (owners[0],), "class2": (owners[1],)})] if len(owners) == 2 else []
    frames = taken if IN_TURN.search(text) else []
    if clause and is_nameless(text):
        return [frame_of("days_between", {"number": ("1",)})]
    if clause and (REFUSED.search(text) or says("complains", text)):
        frames = [*frames, *(frame_of("days_between_of", {"class": (name,), "number": ("1",)}) for name in own)]
    return frames


def is_nameless(text: str) -> bool:
    """Whether days in a row are refused for whatever there is to learn."""
    return bool(REFUSED.search(text)) and not _NAMELESS.sub("", IN_A_ROW.sub("", text))


def _names_in(text: str, brief: Brief) -> list[str]:
    ids = find_classes(text, brief)
    return [row["name"] for row in brief.classes if row["id"] in ids]


_MIXED = re.compile(
    r"(?:同|当|[1一])[1一]?天[^,，。;；]{0,8}(?:[两几2多]门|不同的?[科课])"
    r"|(?:[两几2多]门|不同的?科目)[^,，。;；]{0,8}(?:同|[1一])[1一]?天"
    r"|\b(?:two|2|several|different|multiple|both|mix\w*)\b[^,.;]{0,16}\b(?:subject|class|course)(?:e?s)?\b"
    r"[^,.;]{0,24}\b(?:same|one|a|single|per|each) day\b"
)
_ONE_SUBJECT = re.compile(
    r"[1一]天(?:只|就)?(?:[学看排复习弄搞放]*)[1一]门"
    r"|\b(?:one|a single) (?:subject|class|course) (?:a|per|each|every) day\b"
)
"""All that is planned on days of its own."""
IN_TURN = re.compile(
    r"轮流|交替|轮着|单双日|隔天轮"
    r"|\balternat\w+\b|\btake turns\b|\bin turns?\b|\bone day\b.{3,40}\bthe (?:next|other)(?: day)?\b"
)
IN_A_ROW = re.compile(
    r"连[着续][两2几]天|[两2几]天连[着续]|天天都?(?:学|是|排)"
    r"|\b(?:two|2|three|consecutive|several) days (?:in a row|running|straight)\b"
    r"|\b(?:consecutive|successive|back[- ]to[- ]back) days\b|\bday after day\b"
)
_NAMELESS = re.compile(
    r"[不别没要想会能请我你让把有都再也的地做学排习任务项两一]|希望|安排|复习"
    r"|\b(?:please|i|you|we|me|my|want|wanna|like|to|do|does|don't|dont|not|never|no|any|a|the|on|of|for|with|it|them"
    r"|is|are|be|should|would|can|have|put|plan|schedule|study|studying|work|working|learn|tasks?|items?|things?|stuff)\b"
    r"|[\s,，。.!！]"
)
"""What a refusal of days in a row has beside a name and the days."""

_RESTS = re.compile(
    r"\b(?:give me|i (?:need|want)|take|have)\b[^,.;]{0,12}\b(?:break|rest|time off|days? off)\b"
    r"|[让给]我[^,，。;；]{0,4}(?:[歇休]|放[^,，。;；]{0,2}假)"
)
_TAKEN = re.compile(
    r"^我?(?:都|就)?不(?:想|愿意?)(?:学|看书|复习|排)[^,，。;；]{0,2}$|"
    r"^\s*(?:is|are|will be) (?:\w+ )?(?:out|off(?:[- ]limits)?|a no[- ]go|blocked(?: out)?)(?: for me)?\b(?! of)"
    r"|\b(?:(?:don't|do not) (?:put|plan|schedule|place) (?:anything|stuff)(?: \w+)?|nothing) (?:there|then|that day)\b"
)


def _read_days_off(text: str, brief: Brief) -> list[Frame]:
    """The days of a certain date that a student takes off: wednesday in week 5 is out."""
    times = read_times(text, brief.term)
    start, end = min((one.start for one in times), default=0), max((one.end for one in times), default=0)
    dated = all(one.kind in _DATED for one in times) and any(one.last for one in times)
    if not dated or end - start > _LONGEST or find_classes(text, brief) or says_lesson(text):
        return []
    off = _RESTS.search(text) or _TAKEN.search(text[end:])
    return [frame_of("away", {"time": (text[start:end],)})] if off else []


def _read_occasion(text: str, brief: Brief) -> list[Frame]:
    """The next such day, for something that is held once on a weekday: going out on friday, don't plan anything."""
    times = read_times(text, brief.term)
    end = max((one.end for one in times), default=0)
    side = _SIDE.match(text, end)
    said = text[min((one.start for one in times), default=0) : side.end() if side else end]
    alone = all(not (one.last or one.week or one.every or (one.side and one.weekdays)) for one in times)
    if not any(one.weekdays for one in times) or not alone or forms.CLAUSE_BREAK.search(said) or says_lesson(text):
        return []
    clauses = [one for one in forms.CLAUSE_BREAK.split(text) if one.strip()]
    frees = [forms.FREES.search(one) is not None or says("keep_free", one) for one in clauses]
    told = [forms.EVENT.search(one) is not None or says("busy_then", one) for one in clauses]
    # What is added to a day told before goes with that.
    again = any(
        form.search(text) for form in (ADDS, forms.HABIT, forms.EVERY, forms.LASTING, forms.FROM_NOW_ON, _WEEKLY)
    )
    if again or not (any(frees) and any(told) and all(map(bool.__or__, frees, told))) or find_classes(text, brief):
        return []
    return [frame_of("away", {"time": (said,)})]


def _read_pastime(text: str, brief: Brief) -> list[Frame]:
    """The times at which something besides learning is from now on, to be kept free: coach moved training to tuesday
    and thursday evenings; once where one weekday is told."""
    moved = _IS_NOW.search(text) if forms.PASTIME.search(text) else None
    times = [one for one in read_times(text, brief.term) if moved and one.start >= moved.end()]
    held = bool(times) and all(
        one.kind in (*_DATED, "clock", "every") and one.kind != "week" and not one.side for one in times
    )
    if not held or not any(one.weekdays or one.first for one in times) or find_classes(text, brief):
        return []
    said = text[times[0].start : times[-1].end]
    several = (
        len({day for one in times for day in one.weekdays}) > 1 or _WEEKLY.search(said) or forms.EVERY.search(text)
    )
    weekly = not any(one.first for one in times) and (several or _NOW.search(text))
    return [frame_of("wish_nothing_on" if weekly else "away", {"time": (said,)})]


_IS_NOW = re.compile(
    r"(?:改|调|换|挪|移)[到成在]了?|现在(?:是|在|改)"
    r"|\b(?:moved|changed|switched|shifted|rescheduled) (?:\w+ ){0,3}?to\b"
    r"|\b(?:is|are|'s|'re) (?:now|always)(?: on| at)?\b|\b(?:now|will be) on\b"
)
_NOW = re.compile(r"现在|以后|固定|\b(?:now|from now on|always)\b")
_SIDE = re.compile(r"[之以]?[前后]")
"""Behind an hour, that it is the last or the first of what is told."""


def _read_every_week(text: str, brief: Brief) -> list[Frame]:
    """That a time of every week is to stay free, as one never likes it or all of them are meant: 周末都空出来."""
    times = read_times(text, brief.term)
    weekly = bool(times) and all(one.kind in ("weekday", "part") and not one.side for one in times)
    days = any(one.weekdays for one in times)
    course = _COURSE.search(text) and (forms.FREES.search(text) or says("keep_free", text))
    course = course and not any(one.first for one in times)
    course = course or (_NOT_PLANNED.search(text) and not stands_in(read_weekly(text, brief.term), brief))
    told = _DISLIKES.search(text) or (days and (_EVERY_WEEK.search(text) or course))
    if not weekly or not told or _NEAR.search(text) or find_classes(text, brief) or _TAILED.search(text):
        return []
    said = text[min(one.start for one in times) : max(one.end for one in times)]
    part = times[0].part
    if not days and part is not None and part < len(PARTS):
        said = PARTS[part][not has_chinese(text)]
    return [frame_of("wish_nothing_on", {"time": (said,)})]


_WHEN = r"(?:(?:每个?)?(?:周|星期|礼拜)[^,，。;；不]{1,8}|早上|上午|中午|下午|晚上|夜里)"
_DISLIKES = re.compile(
    rf"不(?:想|愿意?|喜欢|爱)(?:再|要)?在?{_WHEN}(?:学|看书|排|复习|做)"
    rf"|{_WHEN}[我都就也]*不(?:太|大)?(?:想|愿意?|喜欢|爱)(?:再|要)?(?:学习?|看书|复习|做事)了?(?=\W*$|[,，])"
    r"|\b(?:don't|do not|dont|never|hate to|rather not|prefer not to) (?:really |even )?(?:want to |wanna |like to "
    r"|like |feel like )?(?:study|work|learn|revis)\w* (?:(?:in|on|at|during) )?(?:the )?"
    r"(?:(?:\w+day )?(?:mornings?|afternoons?|evenings?|nights?)|weekends|\w+days\b)"
)
"""That one never learns gladly at a time; a single weekday in English is the next one."""
_NOT_PLANNED = re.compile(r"^[^,，。;；]{2,16}(?:别|不要?)(?:再|给我)?安?排(?:任务|东西|了)?\W*$")
"""What keeps no item from a time where none is: only a rule of every week holds it free."""
_TAILED = re.compile(r"\b(?:this|today|tonight|tomorrow|anymore|now)\b|今|明天")
_EVERY_WEEK = re.compile(
    r"(?:周|星期|礼拜)[1-7一二三四五六日天末][^,，。;；]{0,4}都[^,，。;；]{0,4}[空腾留](?:出来|着)"
)
_COURSE = re.compile(
    r"有(?:门|节|一[门节])?(?:选修|公选|辅修|体育|通识|网|晚|双学位)课"
    r"|\b(?:have|'ve|got|have got) (?:an? |my )(?:elective|minor)\b",
    re.IGNORECASE,
)
"""A course that is held every week."""
_NEAR = re.compile(r"[这本那次除但只]")
_WEEKLY = re.compile(
    r"\b(?:mornings|afternoons|evenings|nights|weekends)\b|[只除]|[周期拜][1-7一二三四五六日天末][^,，]{0,4}都"
    r"|\b(?:only|except)\b"
)
_DATED, _LONGEST = ("day", "days", "week", "weekday", "part", "sections"), 30
"""Characters between the first and the last word of one time."""

_READERS = (
    _read_pastime,
    _read_every_week,
    _read_days_off,
    _read_occasion,
    _read_bound,
    _read_liked,
    _read_part,
    _read_any_time_but,
    _read_dated_hours_of_class,
    _read_times_of_classes,
    _read_rhythm_of_class,
    _read_weekdays_of_class,
    _read_days_in_turn,
)
