"""Questions about the items of the plan: what is asked, of which items, when, and by which groups.

Any of these goes with any other: the last of the labs next week, on how many evenings there is vocab until Sunday,
which class has most left. What is answered is told in `query_answers`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

from agent.llm.offline.goals.questions.inquiry import Inquiry, asked_in, is_of_kind, looks_back
from agent.llm.offline.goals.questions.reads import ELSE, rows_in_time
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.labels import INTENTS
from agent.llm.offline.language.dialogue.entities import NTH
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.grammar import WRITES
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.items.spoken import split_list
from agent.llm.offline.language.spans.mentions import KINDS, classes_in, items_in, said_names, without_classes
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.words import COUNT, NUM, number_of
from agent.loop.view_document import TaskView

Measure = Literal[
    "list",
    "count",
    "sections",
    "whether",
    "all",
    "first",
    "last",
    "range",
    "days",
    "day_count",
    "most",
    "least",
    "over",
]
Group = Literal["", "day", "week", "class", "run"]
Day = tuple[int, int, int]

ASKS = re.compile(
    r"[?？]|什么|啥|哪|多少|多久|多长|(?<![这那])几[项个章次讲节天号门件]|(?<![这那前后头近面])几个?(?:周|星期)|谁|有没有|是不是|[吗呢嘛没]\s*$|怎么样\s*$"
    r"|^(?:(?:so|and|hey|ok(?:ay)?|um+|but|btw|also|please|then|uh|like|well),? )*(?:(?:on|in|for|of|from|by|at"
    r"|until) )?(?:(?:week|wk) \d+,? )?(?:what|which|when|where|how (?:many|much)"
    r"|any\b|are\b|is\b|do i\b|did i\b|have i\b|has\b|list\b|show\b|tell me\b|number of\b|count\b|name\b|give me\b)"
    r"|^(?:列|看|数|说|告诉我|查|(?:请|麻烦)?(?:给出|列出))"
)
_WANTS = re.compile(
    r"把|将|帮我(?!看|查|数|列|算)|[塞补]|[移挪放换改调推延提](?:到|去|成|在|至|前(?!\s*[几多]))|删|取消|推迟|腾|能[不]?能|可不可以|可以|如果|要是|假如|应该|该(?!门|课)"
    r"|为什么|为啥|怎么(?!样)|凭|干嘛|干吗|建议|想要?|取代|够|来得及|会不会|需要(?!几|多少)|才能|比较好|合适|适合|撤|恢复|改动|变"
    r"|(?:^|[,.;!?]\s*|\b(?:please|you|and|then|to|me|let's|i'll) )(?:move|put|swap|take|drop|remove|delete|plan"
    r"|schedule|shift|push|place|add|make|change|keep|clear|mark|fit|squeeze|spread|cancel|skip|free|reschedule|undo)\b"
    r"|\bmake it\b"
    r"|\b(?:why|how come|if|could|can|should|would|may|might|will|won't|want|need|enough|better|instead|suggest"
    r"|recommend|changed?|moved?|undone|possible|suits?|too)\b"
)
"""Something else than a fact of the plan as it stands: a change, a reason, advice."""
_ELSE = re.compile(
    r"忙|最近的|[最更太]重|[空闲](?!的)|[排塞占]?满|挤|累|轻松|截止|ddl|期限|到期|考试|冲突|重叠|相隔|间隔|相差|隔|之间|课和|和课|加上课|连课|下[一1](?!个?(?:周|星期|礼拜"
    r"|月)|天)|接下来|时间窗|起止|日期|设置|规则|水课|嵌入|百分|进度|课表|上课|听课|[有么几节]课(?!程)"
    r"|先后|前面是|后面是|挨着|连着|一起|同一天|撞|刚才|上次|顺序|愿望|偏好|课程|高数|来着|时长|空档|占了?百分"
    r"|\b(?:windows?|free|busy|busier|busiest|full|packed|light|lighter|heavy|heavier|deadlines?|due|exams?|clash\w*"
    r"|overlap\w*|between (?=[a-z])(?!now|today)|apart|gap|next up"
    r"|what's next|next thing|settings?|rules?|filler|percent\w*|progress|lessons?|lectures?|timetable|before or"
    r"|after the|before the|together|same day|just now|order|wish\w*"
    r"|next (?:one|item|task|thing|chapter|unit|lab|lecture|session)(?!s)"
    r"|back to back|in a row|consecutive|calculus|help|work\b|deep|hours?)\b"
)
"""What is asked of more than the items: free time, lessons, ends, neighbours, changes."""
_STATUS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(form))
    for name, form in (
        (
            "unplaced",
            r"(?:(?<!有)[没未]有|[没未](?!有))(?:能)?(?:被)?(?:排[上进好完]?|安排|位置|地方)(?:去|进去|上|好)?的?|待安排的?|[排放塞]不[进下上]去?的?|没着落的?"
            r"|\b(?:unplaced|unscheduled|unplanned|homeless)\b"
            r"|\b(?:have|has|did|do|does)(?:n'?t| (?:i |we )?not)(?: (?:i|we|you))?(?: yet)?(?: been)?"
            r" (?:plan(?:ned)?|schedul\w+|plac(?:ed|e)|(?:have|got|has|get) an? (?:plan|place|slot))\b(?: yet| so far)*"
            r"|\bmissing (?:from|in) (?:the|my) (?:plan|calendar|schedule|timetable)\b"
            r"|\b(?:(?:that|which) )?(?:(?:still )?(?:without|ha(?:ve|s) no|with no|lacks?)"
            r" (?:an? )?(?:place|slot|spot|time)|(?:is|are|was|were)?(?:n'?t| not) (?:yet )?(?:placed|scheduled|planned"
            r"|(?:in|on) (?:the|my) (?:plan|calendar|schedule|timetable|draft|week)))\b(?: yet| any ?more| now)*"
            r"|(?:不在|没(?:有)?(?:进|上|写进|放进))(?:课表|计划|日程|日历|草稿)[里上中]?的?",
        ),
        (
            "missed",
            r"(?:漏[掉了]?|错过了?|落下了?|没赶上)的?|\b(?:missed|skipped|fell behind (?:on|with))\b"
            r"|\bdid i miss\b|\bmiss\b",
        ),
        (
            "left",
            r"(?:还)?剩下?(?:了)?的?|剩余的?|余下的?|(?:还没|尚未|(?<!有)没有|(?<!有)没(?!有)|未)(?:[学做背看弄搞]完?|完成|结束)的?|还(?:有"
            r"|要(?:[学做背看]的?)?)(?=[几多哪什])"
            r"|\b(?:left|remaining|upcoming|outstanding|undone|unfinished|(?:still )?to go|still (?:to (?:do"
            r"|come)|ahead|open))\b"
            r"|\b(?:not|have ?n't|have not) (?:yet )?(?:done|finished|completed)\b(?: yet)?|\bstill\b",
        ),
        (
            "done",
            r"(?:已经|已|标(?:记|了|为)*)*(?:[做学背弄]完|搞定|完成)(?![^,，。了]{0,2}(?:共|要|需|得))了?的?"
            r"|\b(?:already |marked (?:as )?)*(?:done|finished|completed|ticked off)\b",
        ),
        ("placed", r"(?:已经)?(?:排[好上完进](?:去)?|有位置|排了)(?:了)?的?|\b(?:placed|planned|scheduled)\b"),
        ("over", r"(?:已经)?(?:过去|过)了的?|\b(?:have had their time|already over|in the past)\b"),
    )
)
_BUT = re.compile(
    r"除(?:了|去|掉)?(?P<a>.+?)(?:之外|以外|外)的?|(?:不算|不包括|不含|除去|不是)(?P<b>[^,，。?？]+?)(?:的(?!章)|[,，。?？]|$)"
    r"|(?P<c>[^,，。\s]{1,12})(?:除外|不算(?=[,，。?？]|$))"
    r"|\b(?:except(?: for)?|apart from|other than|besides|not counting|excluding|but not|aside from|leaving out"
    r"|(?:that )?(?:are|is)(?:n't| not))"
    r" (?P<d>.+?)(?= (?:this|next|today|tomorrow|yesterday|\w+day|on|in|do|did|are|is|have|has|per|each|between"
    r"|from|until|by|at|come|comes|take|run|start|were|was|there|planned)\b|[?,.;]|$)"
)
_SPELLED: tuple[tuple[Measure, str], ...] = (
    ("last", r"[学做背看弄排]到了?(?:第几|哪|什么)[1一]?[章项个节讲里儿]?"),
    (
        "over",
        rf"(?:超过|多于|不止|大于|多过)\s*(?P<n>{NUM})|(?:至少|不少于|起码)\s*(?P<m>{NUM})"
        rf"|\b(?:more than|over|above) (?P<n2>{COUNT})\b|\bat least (?P<m2>{COUNT})\b",
    ),
    ("most", r"最多|\b(?:the )?most\b(?! (?:urgent|pressing|important))"),
    ("least", r"最少|\b(?:the )?(?:fewest|least)\b"),
    (
        "range",
        r"从(?:哪|什么|几)[^,，。;；]{0,8}到(?:哪一?|什么|几)(?:天|号|日|周|时候|节)?|(?:哪天|几号"
        r"|什么时候)[^,，。]{0,6}开始[^,，。]{0,10}(?:结束|完)"
        r"|\bfrom when (?:to|until|till) when\b|\b(?:start|begin)\w*,? (?:and|to) (?:end|finish"
        r"|stop)\w*\b|\bfirst and last day\b",
    ),
    ("day_count", r"(?:几|多少)天|\b(?:how many|number of) (?:different |separate |study )?days\b"),
    (
        "sections",
        r"(?:几|多少)\s*(?:个)?(?:小?节|课时)|\b(?:how many|number of) (?:sections|periods)\b"
        r"|(?P<hours>(?:几|多少)\s*个?(?:小时|钟头|时间)|\b(?:how many|number of) (?:study )?hours\b"
        r"(?: (?:will|do|would|must) i (?:spend|need|have|study))?(?: on)?)"
        r"|\bhow much (?:do|will|should|must) i (?:have to |need to )?(?:study|learn|work)\b"
        r"|\bhow much time\b|多长时间|多久",
    ),
    ("count", r"几\s*[项个章次讲件]|多少|数目|数量|\bhow (?:many|much)\b|\b(?:number|count) of\b"),
    (
        "first",
        rf"最[早先](?!要)的?|最前|第\s*(?P<nth>{NUM})\s*[项个件次]|\b(?:first|earliest|soonest"
        r"|(?P<nth2>second|third|fourth|fifth)(?= (?:thing|item|task|one|step)s?\b))\b",
    ),
    ("last", r"最[后晚迟]的?(?:[1一]\s*[项个件次])?|末尾|\b(?:last|latest|final)\b"),
    (
        "days",
        r"哪[几些一1]?(?:天|日)|周几|星期几|\b(?:which|what) (?:week)?days?\b|\bon which dates?\b|\bwhich dates\b",
    ),
    (
        "all",
        r"是不是(?:都|全)|(?:都|全部?|每一?项)(?=[^,，。什么哪几多]*(?:吗|没|了没有?)\s*[?？]?\s*$)"
        r"|\b(?:are|is|have|were) (?:all|every|everything|each)\b",
    ),
    (
        "whether",
        r"有没有|有(?=[^,，。什么哪几多]*[吗么])|[吗么]\s*[?？]?\s*$|^(?:\W*(?:so|and|hey|ok|but|also),? )*any\b"
        r"|\b(?:are|is|were|was) there (?:any|a|an|still)?\b|\b(?:do|did|have) i (?:still )?(?:got "
        r"|get )?(?:have )?(?:any|a|an)\b|\b(?:have|has) any\b",
    ),
)
_FORMS = tuple((name, re.compile(form)) for name, form in _SPELLED)
_PER = {
    "day": re.compile(
        r"(?:每|各)(?:一)?(?:天|日)(?!的?(?:早|上午|中午|下午|晚|夜|凌晨))|按天|分天|\b(?:per|each|every|a"
        r"|by) day\b|\bday by day\b|\bdaily\b"
    ),
    "week": re.compile(
        r"(?:每|各)(?:一)?个?(?:周|星期|礼拜)(?![一二三四五六日末])|按周|\b(?:per|each|every|a|by) week\b|\bweekly\b"
    ),
    "class": re.compile(
        r"(?:每|各)(?:一)?(?:门|个科|科|个任务类)(?:课)?|各(?:自|有|剩)|分别(?!哪)|三门|按(?:课|科)|\b(?:in|of|for|per|each"
        r"|every|by|from) (?:each |every )?(?:class|course|subject)\b|\beach(?: one| of them)?\b"
    ),
}
_TOP_OF: Mapping[Group, re.Pattern[str]] = {
    "class": re.compile(
        r"哪[一1]?(?:门|科)|谁|\b(?:which|what) (?:class|course|subject|(?:one )?has|of (?:my|the) "
        r"(?:class|course|subject)e?s)\b"
    ),
    "week": re.compile(r"哪[一1]?个?(?:周|星期|礼拜)(?!末)|(?:一|1)周|\b(?:which|what|any|a) week\b"),
    "day": re.compile(r"哪[一1]?(?:天|日)|什么时候|几号|(?:有|一|1)天|\bdays?\b|\bwhen\b"),
}
_ONE_OR_OTHER = re.compile(r"比|还是|哪[一1个]*(?:周|星期|礼拜|天)|\b(?:than|or|versus|vs|compared)\b")
_THAN = re.compile(
    r"比|还是|哪[1一]?[个门科边][^,，。;；]{0,4}(?:[多少长短久]|[费花耗]时)|\b(?:than|versus|vs|compared)\b"
    r"|\b(?:more|fewer|less|longer|bigger|worse|shorter)\b.*\bor\b"
    r"|\bor\b.*\b(?:more|longer|less|fewer|bigger|shorter)\b"
)
_COUNTS = re.compile(r"统计(?!学|课|复习)")
"""To count, not the subject."""
_HAVE = re.compile(r"\b(?:have|has|got)\b")
_NOUN = re.compile(
    r"总共|一共|\ball (?:of )?(?:this|it)\b|\bin total\b"
    r"|任务|内容|东西|要?[学做背复](?:习|的|些|点)?(?!期|校|英|期)|[几哪]项|章|单元|实验|讲|\b(?:items?|tasks?|things?|stud(?:y|ies|ying)"
    r"|sessions?|stuff|chapters?|units?|labs?|topics?)\b"
)
"""That the items of the plan are meant, not the lessons of the timetable beside them."""
_ONE = re.compile(
    rf"第\s*{NUM}\s*[项个件]|最[后先][1一][项个件]|\b(?:first|second|third|fourth|fifth|last|final) one\b"
)
"""One item of those at a time, by its number."""
_ENDS = re.compile(
    r"[哪谁][^,，。;；]{0,4}[先早晚后][^,，。;；]?完|(?:[啥什]么?时候|几号|哪一?天|何时|多久|几时|最[早晚先快慢迟后]|[先早晚])[^,，。;；]{0,8}(?:[学做背弄搞看]完|完成|结束|搞定|收尾)(?!的)|(?:[学做背弄搞看]完|完成"
    r"|结束|搞定)(?!的)[^,，。;；]{0,6}(?:[啥什]么?时候|几号|哪一?天)"
    r"|\bwhich\b.{0,24}\b(?:finish|end)(?:es|s)? (?:first|last|earlier|later)\b"
    r"|\bwhen (?:will|do|am|are|is|would|does)\b.{0,40}(?<!my )(?<!the )\b(?:finish(?:ed)?|done|completed?"
    r"|over)\b|\bby when\b|\b(?:done|finished|over) (?:first|last)\b"
)
"""When classes come to their end, which is told with their last days."""
_COUNTED = re.compile(r"(?:前|后)\s*(?:[2-9]|\d\d)\s*[个章项讲]|\b(?:first|last|next) \d+\b")
"""Items that are counted from an end are single items."""
_OTHER_LABELS = frozenset(
    {"free", "changes", "explain", "reasons", "fits", "help", "try", "chat", "offtopic", "optimise"}
)
_SURE = 0.8


@dataclass(frozen=True)
class Query:
    """What a question asks of the items: `rows` are those that meet all it says of them, `whole` those of
    the classes."""

    measure: Measure
    group: Group
    asked: Inquiry
    status: str
    owners: tuple[int, ...]
    rows: Sequence[TaskView]
    whole: Sequence[TaskView]
    bound: int = 0
    """So many at least in a group that is asked for; of the first the number from there, where one is told."""
    pair: bool = False
    """Whether two classes are compared."""
    groups: Mapping[object, list[TaskView]] = field(default_factory=dict)
    in_hours: bool = False
    """Whether the time is asked for in hours."""


_HAVE_PLACES = re.compile(r"[学做背看弄排]到了?(?:第几|哪|什么)|都有了?位置|哪[些个门项][^,，。]{0,4}[没未]有?被?安?排")


_STILL_WHAT = re.compile(r"还有(?:些|点)?(?:什么|啥|哪些)(?!没)")
"""What else there is, not what is still to be done."""
_THAT_DAY = re.compile(r"[那当]天")


def query_in(message: str, brief: Brief) -> Query | None:
    """What a message asks of the items of the plan; None where it asks something else, or of single items."""
    text = fold_text(brief.plain(message))
    if not brief.tasks or not ASKS.search(text) or len(text) > 120:
        return None
    label, chance = aims_of(message, brief)[0]
    if (label in _OTHER_LABELS or INTENTS[label] in WRITES) and chance > _SURE and not _HAVE_PLACES.search(text):
        return None
    whole_text = text
    if _ENDS.search(text):
        return None
    status, text = _take_status(text)
    if status == "done" and _is_due_ahead(text, brief):
        if not _TO_DO.search(text):
            return None  # whether it will be done by then
        status = ""
    left_out, text = _take_exception(text, brief)
    each = next((group for group, form in _PER.items() if form.search(text)), "")
    named, (measure, match, text) = text, _take_measure(text)
    rest = fold_numbers(without_classes(without_times(text, brief), brief))
    if (
        _WANTS.search(rest)
        or _ELSE.search(rest)
        or _COUNTED.search(fold_numbers(whole_text))
        or items_in(without_times(text, brief), brief)
    ):
        return None
    rest = whole_text
    asked_of = (find_owners(without_times(one, brief), brief) for one in (text, named))
    owners, kinds = next((found for found in asked_of if found[0]), ([], {}))
    if any(not [row for row in brief.tasks if row["class_id"] == one] for one in owners):
        return None
    whole = [
        row for row in (*brief.tasks, *(brief.tasks_done if status == "done" else ()))
        if (not owners or row["class_id"] in owners) and row["class_id"] not in left_out
        and (not kinds or row["class_id"] not in kinds or is_of_kind(row, kinds[row["class_id"]], brief))
    ]  # fmt: skip
    asked = asked_in(_mask_names(text, brief), brief, whole=whole_text)
    asked = Inquiry(asked.runs, asked.hours)
    if asked.timed and ELSE.search(whole_text) and not left_out:
        return None  # what was spoken of is not meant
    a_day = len({day for run in asked.runs for day in run}) == 1
    if (a_day or _THAT_DAY.search(whole_text)) and status == "left" and not owners and _STILL_WHAT.search(whole_text):
        return None  # the day is told with its lessons
    group, bound = _group_of(measure, match, rest, asked, each)
    if len(owners) == 2 and measure in ("count", "sections", "most", "least", "list") and _THAN.search(rest):
        measure, group = "most", "class"
    tops = group == "class" and measure in ("most", "least") and status in ("", "left")
    if tops and not (asked.timed or owners or left_out):
        return None  # of all classes, those too that are not planned
    measure = "most" if group == "run" else "count" if group and measure in ("sections", "list", "days") else measure
    one = measure in ("first", "last") and asked.timed and _ONE.search(whole_text) is not None
    meant = status or owners or left_out or one or (_NOUN.search(rest) and (measure != "list" or asked.timed))
    if not meant or not whole:
        return None
    keeps = _status_of(status, brief)
    rows = [row for row in whole if keeps(row) and _is_then(row, asked, status, text, brief)]
    if not rows and measure in ("list", "whether") and not (status or owners or left_out):
        return None  # the day is told with its lessons
    groups = _groups(brief, group, rows, asked, whole)
    return Query(measure, group, asked, status, tuple(owners), rows_in_time(rows), whole, bound,
                 len(owners) == 2 and group == "class", groups,
                 measure == "sections" and bool(match and match["hours"]))  # fmt: skip


def _take_status(text: str) -> tuple[str, str]:
    for name, form in _STATUS:
        if form.search(text):
            return name, form.sub(" ", text)
    return "", text


def _take_exception(text: str, brief: Brief) -> tuple[list[int], str]:
    """The classes that are left out, and the text without the words for that."""
    match = _BUT.search(text)
    ids = find_owners(next(filter(None, match.groups())), brief)[0] if match else []
    return (ids, text.replace(match.group(), " ")) if match and ids else ([], text)


def _mask_names(text: str, brief: Brief) -> str:
    """A text of the same length in which no name can be read as a date, nor make one out of what stands beside it."""
    for name in said_names(text, brief):
        text = text.replace(name, "□" * len(name))
    return _HAVE.sub(lambda found: "□" * len(found.group()), text)


def without_times(text: str, brief: Brief) -> str:
    for one in reversed(read_times(_mask_names(text, brief), brief.term)):
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


_TO_DO = re.compile(r"要|得(?!完)|必须|该|\b(?:have to|need to|must|should)\b")


def _is_due_ahead(text: str, brief: Brief) -> bool:
    """Whether a last day is told that is still to come."""
    ends = (one.last for one in read_times(text, brief.term) if one.side == "until")
    return any(end > brief.term.today for end in ends if end)


def find_owners(text: str, brief: Brief) -> tuple[list[int], dict[int, tuple[str, ...]]]:
    """The classes that a text names, by themselves or by a kind of item that they have."""
    text = _COUNTS.sub(" ", text)
    owners: list[int] = []
    kinds: dict[int, tuple[str, ...]] = {}
    for piece in (part for one in _ONE_OR_OTHER.split(text) for part in split_list(one)):
        found = classes_in(piece, brief.classes)
        named = found if len(found) < len(brief.classes) or len(brief.classes) == 1 else []
        kind = next((kind for kind in KINDS[:-1] if any(_says_kind(one, piece) for one in kind)), ())
        own = {row["class_id"] for row in brief.tasks if kind and is_of_kind(row, kind, brief)} or {
            row["id"] for row in brief.classes for item in row["items"] if any(one in item["content"] for one in kind)
        }
        owners += [one for one in (named or sorted(own)) if one not in owners]
        kinds |= {one: kind for one in own if one in (named or own)}
    return owners, kinds


def _says_kind(kind: str, text: str) -> bool:
    return re.search(rf"\b{kind}s?\b" if kind.isascii() else kind, text) is not None


def _take_measure(text: str) -> tuple[Measure, re.Match[str] | None, str]:
    """What is asked for, and the text without the words for it where days could be read in them."""
    found = ((name, form.search(text)) for name, form in _FORMS)
    measure: Measure
    measure, match = next(((name, match) for name, match in found if match), ("list", None))
    blank = " " if text.isascii() else "什么"
    return measure, match, text.replace(match.group(), blank, 1) if match else text


def _group_of(measure: Measure, match: re.Match[str] | None, rest: str, asked: Inquiry, each: str) -> tuple[Group, int]:
    """By which groups it is asked, and how many at least one is to have; or which one from the beginning."""
    if len(asked.runs) == 2 and _ONE_OR_OTHER.search(rest) and not each:
        return "run", 0
    if measure in ("most", "least", "over"):
        group = next((group for group, form in _TOP_OF.items() if form.search(rest)), each)
        numbers = {name: value for name, value in (match.groupdict() if match else {}).items() if value}
        bound = next((number_of(n) + (name[0] == "n") for name, n in numbers.items()), 0)
        return group or ("day" if measure != "over" else ""), bound  # type: ignore[return-value]
    said = match.groupdict() if match else {}
    if nth := said.get("nth") or said.get("nth2"):
        return "", NTH.get(nth) or number_of(nth)
    return (each if measure in ("count", "sections", "list", "days", "day_count") else ""), 0  # type: ignore[return-value]


def _status_of(status: str, brief: Brief) -> Callable[[TaskView], bool]:
    return {
        "": lambda row: True,
        "unplaced": lambda row: not row["slot"],
        "missed": lambda row: row["mark"] == "missed",
        "done": lambda row: row["mark"] == "done",
        "left": lambda row: row["mark"] != "done" and (
            not row["slot"] or row["mark"] == "missed" or brief.is_ahead(row)),
        "placed": lambda row: row["slot"] is not None,
        "over": lambda row: row["slot"] is not None and not brief.is_ahead(row),
    }[status]  # fmt: skip


def _is_then(row: TaskView, asked: Inquiry, status: str, text: str, brief: Brief) -> bool:
    """Whether an item is at the time that is asked about; hours of no certain day are those still to come."""
    if not asked.timed:
        return True
    if row["slot"] is None or not asked.covers(row["slot"], brief):
        return False
    return bool(asked.runs) or status in ("done", "missed", "over") or looks_back(text) or brief.is_ahead(row)


def day_of(brief: Brief, row: TaskView) -> date | None:
    slot = row["slot"]
    return brief.day_of(slot) if slot else None


def _groups(
    brief: Brief, group: Group, rows: Sequence[TaskView], asked: Inquiry, whole: Sequence[TaskView]
) -> dict[object, list[TaskView]]:
    """The items by day, week, class or by the stretches of days that are compared; classes and stretches without one
    too."""
    found: dict[object, list[TaskView]] = {}
    if group == "class":
        found = {row["id"]: [] for row in brief.classes if any(one["class_id"] == row["id"] for one in whole)}
    if group == "run":
        found = {run: [] for run in asked.runs}
    for row in rows_in_time(rows):
        day = day_of(brief, row)
        if group == "class":
            found.setdefault(row["class_id"], []).append(row)
        elif day and group == "run":
            for run in asked.runs:
                if run[0] <= day <= run[1]:
                    found[run].append(row)
        elif day and group:
            found.setdefault(day if group == "day" else day - timedelta(days=day.weekday()), []).append(row)
    return found
