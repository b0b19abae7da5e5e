"""Requests that names and a few words beside them tell beyond doubt, and that the models take for others.

A class to be learnt while a lesson runs, all classes but some to be taken out, another strategy of a class, what is to
be gone from its class and not only from the plan. Each comes as the frame of its canonical request.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID, Paraphrase
from agent.llm.offline.language.plain.contents import (
    find_items,
    names_of,
    read_divided,
    read_gone,
    read_items_by,
    read_once_more,
    read_only_left,
    read_order,
    read_reordered,
    set_lengths,
)
from agent.llm.offline.language.plain.days.appointments import read_appointment, read_free_then, read_only_free
from agent.llm.offline.language.plain.days.dates_off import (
    read_asked_leave,
    read_begins_later,
    read_called_off,
    read_class_carried,
    read_class_off,
    read_cleared_to,
    read_clearing,
    read_done_by,
    read_holiday,
    read_if_there,
    read_kept_for,
    read_off_until,
    read_part_beside_days,
    read_within,
)
from agent.llm.offline.language.plain.days.habits import read_habits
from agent.llm.offline.language.plain.days.same_week import read_other_day_then, read_same_week, read_weekday_after
from agent.llm.offline.language.plain.days.some_moved import read_some_moved
from agent.llm.offline.language.plain.progress import read_done_first, read_progress, read_reached
from agent.llm.offline.language.plain.remarks import read_denied
from agent.llm.offline.language.plain.shapes import (
    find_classes,
    read_days_swapped,
    read_others_shifted,
    read_part_moved,
    read_put_off,
    read_shape,
    read_sooner,
    read_spread_there,
)
from agent.llm.offline.language.plain.unplanned import read_added_on_day, read_planned_items
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.classes.exam_days import without_exam_day
from agent.llm.offline.language.spans.classes.item_list import as_written
from agent.llm.offline.language.spans.conditions.rates import read_rate
from agent.llm.offline.language.spans.conditions.suppositions import only_supposes
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, classes_in, find_pieces, items_in
from agent.llm.offline.language.spans.targets import place_of, shift_in
from agent.llm.offline.language.spans.times.reading import read_times

_DURING = re.compile(
    r"(?:上|在)?(?P<zh>[一-鿿]{2,6}?)课(?:堂)?(?:上(?!课)|里|的?时候|的?时间|期间)"
    r"|(?P<zh2>[一-鿿]{2,6}?)课?[^,，。;；]{0,12}[,，]\s*(?:上课的?时候|课上|课堂上)"
    r"|(?P<zh3>[一-鿿]{2,6}?)课[^,，。;；]{0,8}[,，]\s*(?=可以|拿来|用来|正好)"
    r"|(?P<zh4>[一-鿿]{2,6}?)课(?:能不能|可不可以|可以|正好|都|就)*(?=拿来|用来)"
    r"|\buse (?:the |my )?(?P<en4>[a-z]+(?: [a-z]+)?) (?:lecture|lesson|class)(?:es|s)? (?=for\b|to\b)"
    r"|\b(?:during|in|into|inside|while|throughout)(?: i'm| sitting| in)* (?:the |my |our |those |these )?"
    r"(?P<en>[a-z]+(?: [a-z]+)?) (?:lecture|lesson|class)(?:es|s)?\b"
    r"|\b(?:while|during) (?:the )?(?P<en2>[a-z]+)(?: is| are)? (?:on|runs?|running|going on)\b"
    r"|\b(?P<en3>[a-z]+) (?:lecture|lesson|class)(?:es|s)?\b[^.;]*\b(?:in them|during (?:them|it|that)|meanwhile)\b"
)
"""The time in which a lesson runs, with what stands for its name."""
_LEARNS = re.compile(
    r"[背学看做练刷写搞弄复]|可以|拿来|用来"
    r"|\b(?:do|doing|study|studying|learn\w*|work\w*|revis\w*|practi[cs]\w*|put|fit|squeeze|use)\b"
)
_NO_USE = re.compile(
    r"别|不|没法|[几多少]节|取消|停课|调[到课]|什么|[几哪]"
    r"|\b(?:not|don't|never|no longer|can't|cannot|which|what|when|how|move[sd]?|cancel\w*)\b"
)
_FINE = re.compile(
    r"不点名|不用听|不[错介]意?|能不能|行不行|可不可以|好不好|\b(?:wouldn't|don't|not) mind\b|\b(?:isn't|not"
    r"|nobody|no one|never) (?:\w+ )?check\w*\b"
)
"""What is denied of the lesson, or of one's doubts."""
_ANY_FILLER = re.compile(r"水课|嵌入|\bfillers?\b")
"""Lessons of which the readers know already."""
_PLANS = re.compile(r"排[好一下]|规划|\b(?:plan|schedule)\b")
_OUT = re.compile(
    r"移出|移走|移除|拿[掉出走]|[取撤]出|撤掉|清[掉出空]|去掉|(?:先|都|就)*不(?:用|要)?(?:排|安排)了?"
    r"|\b(?:take|throw|pull|kick|leave)\b.{0,24}\bout\b|\b(?:remove|clear|drop|unplan|get rid of)\b"
)
_OTHERS = re.compile(
    r"其[他它余]|别的|剩下的?|剩余的?|除[^,，]{2,9}?[都全]|\b(?:the )?(?:others?|rest)\b|\b(?:everything|all"
    r"|anything) (?:else|(?:but|except))\b"
)
_KEEPS = re.compile(r"除[了去]?|[保只]?留|不动|别动|\b(?:except|but|apart from|keep|leave|only)\b")
_CHANGES_TO = re.compile(
    r"(?:的?(?:策略|节奏|方式|安排方式|学法))?(?:改|换|设|调|变)(?:[成为到用]|一下)*(?P<zh>突击|集中|均匀|平均)(?:模式|策略|方式|型|式|学习?|复习)?吧?"
    r"|(?:的)?(?:策略|方式)[,，:：是用]*(?P<zh2>突击|集中|均匀|平均)"
    r"|\b(?:to|use|as|make it) (?:an? |the )?(?P<en>cram(?:ming)?|rapid|steady|even)(?: (?:mode|strategy|pace))?\b"
)
_STRATEGIES = {"平均": "均匀", "集中": "突击", "cramming": "rapid", "cram": "rapid", "even": "steady"}
_LONGEST = 160


def tell_by_spans(message: str, brief: Brief) -> Paraphrase | None:
    """The requests that the spans of a message tell; None for most."""
    text = fold_text(message)
    if len(message) > _LONGEST or not brief.classes or only_supposes(message, brief):
        return None
    for read in _READERS:
        if frames := [_as_written(frame, message) for frame in read(text, brief)]:
            said = tuple(frame.say("zh" if has_chinese(message) else "en") for frame in frames)
            own = said if any(frame.form in _HOLD_LESS for frame in frames) else (message,) * len(frames)
            return Paraphrase(said, own, tuple(frames), by_spans=True)
    return None


_HOLD_LESS = frozenset(["classes_apart"])
"""Forms that hold less than the words which are read by them: days in turn are at least no same ones."""


def _as_written(frame: Frame, message: str) -> Frame:
    """A frame with its new names as the student wrote them."""
    names = tuple(as_written(one, message) for one in frame.slots.get("text", ()))
    return replace(frame, slots={**frame.slots, "text": names}) if names else frame


def _read_during(text: str, brief: Brief) -> list[Frame]:
    """That a class may be learnt while a lesson runs, which is no class itself."""
    found = _DURING.search(text)
    name = next(filter(None, found.groups()), "") if found else ""
    known = tuple(row["name"] for row in brief.classes)
    if found is None or not name or find_pieces(name, known) or _PLANS.search(text) or _ANY_FILLER.search(text):
        return []
    rest = text[: found.start()] + " , " + found.group().partition(name)[2] + text[found.end() :]
    plain = _FINE.sub(" ", rest)
    ids = classes_in(plain, brief.classes) or _owners(plain, brief)
    times = read_times(name, brief.term)
    if len(ids) != 1 or times or _NO_USE.search(plain) or not _LEARNS.search(text):
        return []
    return [frame_of("use_fillers", {"class": tuple(names_of(ids, brief))})]


def _owners(text: str, brief: Brief) -> list[int]:
    """The class of the items that are named, or the one with items of the kind that is said: lab stuff."""
    rows = find_mentioned(text, brief) or items_in(text, brief, among=all_items(brief))
    return sorted({row["class_id"] for row in rows})


def _read_others_out(text: str, brief: Brief) -> list[Frame]:
    """That all planned classes but those that are named are to be taken out."""
    if not (_OUT.search(text) and _OTHERS.search(text) and _KEEPS.search(text)) or asks_whether(text):
        return []
    kept = classes_in(text, brief.classes)
    planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
    named = find_mentioned(text, brief)
    if not kept or len(kept) == len(brief.classes) or named or read_times(text, brief.term):
        return []
    others = [one for one in sorted(planned) if one not in kept]
    return [frame_of("take_class_out", {"class": (name,)}) for name in names_of(others, brief)]


_EMPTIED = re.compile(
    r"(?:清空|清掉|清除)(?:一下|掉|整个|全部|所有的?|我的)*(?:草稿|计划|排程|安排|日程)|(?:草稿|计划|排程)(?:里的?)?(?:内容|任务|东西)?(?:全部?|都)*(?:清空|清掉|清了)"
    r"|\b(?:clear|empty|wipe)(?: out)? (?:the|my)(?: whole| entire)? (?:draft|plan|schedule)\b"
)


_BEGUN_ANEW = re.compile(
    r"(?:(?:全部?|都|所有的?|整个|计划|安排)+[^,，。;；]{0,4}(?:删|清|推翻|推倒|作废|不要)|推倒)[^。;；]{0,8}(?:重来|重新(?:来|做|弄|安?排|规划)|从头)"
    r"|\b(?:delete|scrap|clear|wipe|erase) (?:everything|it all|all(?: of it)?|(?:the|my) (?:whole )?plan)\b[^.;]{0,24}"
    r"\b(?:again|over|from scratch|anew|afresh)\b"
)
"""That what is planned is to be planned anew from the start; nothing else is to be."""


def _read_emptied(text: str, brief: Brief) -> list[Frame]:
    """That all planned classes are to be taken out of the draft, or to be planned anew."""
    anew = _BEGUN_ANEW.search(text) is not None
    if (
        not (anew or _EMPTIED.search(text))
        or read_times(text, brief.term)
        or 0 < len(classes_in(text, brief.classes)) < len(brief.classes)
        or asks_whether(text)
    ):
        return []
    planned = names_of(sorted({row["class_id"] for row in brief.tasks_before if row["slot"]}), brief)
    if anew and planned:
        return [frame_of("plan_anew", {"class": tuple(planned)})]
    return [frame_of("take_class_out", {"class": (name,)}) for name in planned]


_DIFFICULTY = re.compile(
    r"难度(?:系数|等级)?(?:要|应该)?(?:调|改|设|降|升|提|换)?[成为到得]?(?:是|[:：])?(?P<zh>[高中低])"
    r"|\bdifficulty\b[^,.;]{0,40}?\b(?P<en>high|medium|low)\b|\b(?P<en2>high|medium|low) difficulty\b"
)


def _read_setting(text: str, brief: Brief) -> list[Frame]:
    """How difficult a class is, or that it is to be planned in another way, which is no new name of it."""
    level = _DIFFICULTY.search(text)
    found = level or _CHANGES_TO.search(text)
    ids = classes_in(text if level else text[: found.start()], brief.classes) if found else []
    if found is None or len(ids) != 1 or find_mentioned(text, brief) or (level and _OPENS.search(text)):
        return []
    told = next(filter(None, found.groups()))
    slots = {"class": tuple(names_of(ids, brief)), "text": (_STRATEGIES.get(told, told),)}
    return [frame_of("difficulty" if level else "strategy", slots)]


_OPENS = re.compile(r"新建|创建|新增|\b(?:create|new|add)\b")


_AT_THE_END = re.compile(
    r"(?:放|排|挪|移|留|拖)(?:到|在|去)?(?:了)?(?:整个?)?(?:计划|所有|全部)?的?(?:最后|末尾|最末)(?:面|边|头)?(?![一1两几的\d])(?:再?[学做看弄搞])?"
    r"|(?:最后|末尾)再?[学做看弄搞排](?![一1两几])|(?:其[他它余]|别的)[^,，]{0,4}(?:之后|以后|后面|完)再?[学做看弄搞排]?"
    r"|\b(?:at|for|until|to|till) the (?:very )?end\b|\b(?:very )?last\b(?! (?:chapter|item|lab|unit|part|one"
    r"|two|three|week|day))|\bafter (?:everything|all) (?:else|the others?|the rest)\b"
)
_WANTED = re.compile(
    r"[放排挪移留学做看弄搞]|\b(?:put|want|should|leave|schedule|do|move|place|keep|save|come|go|have|plan|study|push)\b"
)
_OF_TIME = re.compile(
    r"\bend of (?!the plan|everything)|[加添增]|\badd\b|最后[一1几两]|什么时候|到最后能|\b(?:when|does"
    r"|did|what|which)\b|每[天周]|\b(?:day|week|month)'?s? end\b"
)


_ASKED = re.compile(r"[?？吗]|^(?:so |and )?(?:is|are|was|will|does|do)\b")
_POLITE = re.compile(r"能不?能?|可以|帮|请|麻烦|把|\b(?:can|could|would|please)\b")


def _read_last(text: str, brief: Brief) -> list[Frame]:
    """That a class that is planned is to come after all others that are."""
    found = _AT_THE_END.search(text)
    head = re.split(r"[,，。;；]", text[: found.start()])[-1] if found else ""
    ids = classes_in(head, brief.classes)
    planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
    if found is None or len(ids) != 1 or ids[0] not in planned or _OF_TIME.search(text) or not _WANTED.search(text):
        return []
    if (
        find_mentioned(text, brief)
        or read_times(text, brief.term)
        or (_ASKED.search(text) and not _POLITE.search(text))
    ):
        return []
    others = names_of(sorted(planned - {ids[0]}), brief)
    last = tuple(names_of(ids, brief))
    return [frame_of("class_before", {"class": (name,), "class2": last}) for name in others]


_IN_SEQUENCE = re.compile(
    r"(?P<then_late>[^,，。.;；]*(?:[放缓搁等][一1]?[放缓搁等]|不急|\b(?:can (?:wait|chill)|hold off)\b)"
    r"[^,，。.;；]*)[,，](?P<first_late>[^.。;；]*(?:先|\bfirst\b)[^.。;；]*)|"
    r"(?P<first>[^,，。;；]*(?:先|完)[^,，。;；]*?)[,，]?(?:然后再?|接着再?|之后再?|再|才|后(?![面来]))(?P<then>[^,，。;；]+)"
    r"|(?P<first_en>[^.;]*\b(?:first|finish(?:ed|ing)?|done|through)\b[^.;]*?)[,\s]+(?:and )?then\b(?P<then_en>[^.;]+)"
)
"""One thing after the other."""
_IN_TURN = (("first_late", "first", "first_en"), ("then_late", "then", "then_en"))
_ALL_OF_ONE = re.compile(r"全部|所有|都|\ball (?:of )?(?:the )?")


def _read_sequence(text: str, brief: Brief) -> list[Frame]:
    """That a class that is planned is to come as a whole before another one: 先复习线代再复习概率论."""
    text = _ALL_OF_ONE.sub(" ", text)
    found = _IN_SEQUENCE.search(text)
    parts = [next(filter(None, map(found.group, names))) for names in _IN_TURN] if found else []
    ids = [find_classes(part, brief) for part in parts]
    planned = {row["class_id"] for row in brief.tasks_before if row["slot"]}
    if [len(one) for one in ids] != [1, 1] or ids[0] == ids[1]:
        return []
    asked = _ASKED.search(text) and not _POLITE.search(text)
    if not {ids[0][0], ids[1][0]} <= planned or find_mentioned(text, brief) or read_times(text, brief.term) or asked:
        return []
    return [
        frame_of("class_before", {"class": tuple(names_of(ids[0], brief)), "class2": tuple(names_of(ids[1], brief))})
    ]


_IMPOSSIBLE = re.compile(
    r"不|别|没[法空时]|无法|\b(?:not|no|neither|never|impossible|unable|cannot|hate|out of the question|\w+n't)\b"
)
_REFUSES = re.compile(r"别|不[要能想许行可]|\b(?:do not|neither|never|cannot|(?:do|ca|wo)n't)\b")
_NO_REFUSAL = re.compile(
    r"[移挪动换]|提前|推迟|如果|要是|为什么|什么|哪|完|[?？吗呢]|不早于|不晚于"
    r"|\b(?:move|touch|shift|put back|leave|if|why|what|when|which|where|before|after|until|only|didn't|haven't|hasn't"
    r"|wasn't|isn't|undo|instead|rather|already|done|finished)\b"
)


def _read_refused_time(text: str, brief: Brief) -> list[Frame]:
    """That an item cannot be on the day on which it stands, and nothing of another one."""
    rows = find_items(text, brief)
    times = [one for one in read_times(text, brief.term) if one.kind in ("weekday", "day")]
    placed = [row for row in rows if row["slot"]]
    if not placed or len(placed) != len(rows) or (len(placed) > 1 and not _REFUSES.search(text)):
        return []
    if len(times) != 1 or times[0].side or len(read_times(text, brief.term)) > 1:
        return []
    spared = EXCEPTION.search(text) is not None and not items_in(EXCEPTION.sub(" ", text), brief)
    if spared or not _IMPOSSIBLE.search(text) or _NO_REFUSAL.search(text) or len(classes_in(text, brief.classes)) > 1:
        return []
    if asks_whether(brief.read_words(text)) or shift_in(text) is not None:
        return []
    place, said = place_of(times, brief.term), text[times[0].start : times[0].end]
    there = [row for row in placed if (slot := row["slot"]) and place.covers(slot)]
    there = there or (placed[:1] if len(placed) > 1 else [])
    return [frame_of("refuse_time", {"items": (row["name"],), "time": (said,)}) for row in there]


_LEFT_TO_PLAN = re.compile(
    r"(?:还有?|剩下?)(?:有|什么|哪[些几]|啥|多少|几)[^,，。;；]{0,4}(?:要|需要|得|没)(?:安排|规划|排)的?(?:[吗呢?？]|$)"
    r"|(?:漏|忘)(?:了|记)?(?:安?排|规划)|\bforg[eo]t\w* to (?:plan|schedule)\b"
    r"|\b(?:left|remains|remaining|still|else|need) (?:is |are |there |we |i |have )*to (?:be )?(?:plan|schedule)"
    r"(?:ned|d)?\b(?=\W*$)"
)


_BOTH_END = re.compile(
    r"(?:[两2二]门课?|[两2二]个(?:任务类|课)|都).{0,8}(?:结束|截止)|\bboth\b.*\b(?:end|ends|deadlines?)\b"
)


def _read_both_ends(text: str, brief: Brief) -> list[Frame]:
    """That two classes end so much later or earlier, the two that are planned where none is named."""
    planned = sorted({row["class_id"] for row in brief.tasks_before if row["slot"]})
    ids, shift = find_classes(text, brief) or planned, shift_in(text)
    ids = planned if len(ids) == len(brief.classes) else ids
    if not _BOTH_END.search(text) or shift is None or not shift.days or len(ids) != _PAIR or asks_whether(text):
        return []
    length = f"{abs(shift.days)}天" if has_chinese(text) else f"{abs(shift.days)} days"
    form = "deadline_later" if shift.days > 0 else "deadline_earlier"
    return [frame_of(form, {"class": tuple(names_of(ids, brief)), "length": (length,)})]


_PAIR = 2

WHERE_TO_START = re.compile(
    r"从(?:哪|何|什么)[^,，。]{0,4}(?:开始|入手|下手|[学做看]起)|先(?:学|做|看|复习|搞|弄)(?:什么|哪|啥)"
    r"|\b(?:where|what) (?:do|should|shall|can|to|would) ?(?:i|we|you|it)? ?(?:even |best |suggest i )?"
    r"(?:start|begin|(?:do|tackle|study) first)\b"
)


def _read_where_to_start(text: str, brief: Brief) -> list[Frame]:
    """The question what comes first of all, or of a class."""
    ids = find_classes(text, brief)
    if not WHERE_TO_START.search(text) or len(ids) > 1 or read_times(text, brief.term) or find_mentioned(text, brief):
        return []
    return [frame_of("next_of" if ids else "next", {"class": tuple(names_of(ids, brief))} if ids else {})]


def _read_left_to_plan(text: str, brief: Brief) -> list[Frame]:
    """The question what has no place in the plan yet: what's left to plan?"""
    bare = not (classes_in(text, brief.classes) or read_times(text, brief.term) or find_mentioned(text, brief))
    return [frame_of("waiting", {})] if bare and _LEFT_TO_PLAN.search(text) else []


_LASTS = re.compile(
    r"\b(?:can|may|could|will|should|is going to|is allowed to|now|still)\s+(?:still |also |now )?"
    r"(?:run|go on|last|continue|carry on|stretch|take)(?: on)? (?:until|till|to|through|up to)\b"
    r"|^(?:please |can you |so )*give .{2,40} (?:until|till)\b"
    r"|(?:可以|能|允许|一直)(?:再)?(?:延|拖|做|学|排|背|持续|进行|弄|搞)到(?!第?\d*节)"
)
"""How long something may go on."""


def _read_lasting(text: str, brief: Brief) -> list[Frame]:
    """That a class may go on until some day."""
    told = without_exam_day(text, brief.term)
    found, ids = _LASTS.search(told), classes_in(told, brief.classes) or find_owners(told, brief)
    times = [one for one in read_times(told, brief.term) if one.kind in ("day", "days", "week") and one.last]
    if found is None or len(ids) != 1 or len(times) != 1 or find_mentioned(told, brief) or asks_whether(text):
        return []
    last = times[0].last or brief.term.today
    when = f"{last.month}月{last.day}日" if has_chinese(text) else f"{last.day} {last.strftime('%B')}"
    return [frame_of("deadline", {"class": tuple(names_of(ids, brief)), "time": (when,)})]


_ASKS_HELP = re.compile(
    r"(?:(?:你好|您好|hi|hello|hey|嗨|哈喽|在吗|请问|那|所以)[呀啊\s,，。.!！?？~]*)*你(?:到底|究竟|都|还|现在)*"
    r"(?:(?:能|会|可以)(?:帮我|给我|帮忙)?[干做帮]?[些点]*(?:什么|啥|嘛)(?:事情?|忙)?|有(?:什么|啥|哪些)(?:用|功能|本事|能力))"
    r"[呀啊呢的吗?？。!！\s]*"
)


def _read_help(text: str, brief: Brief) -> list[Frame]:
    """The question what can be done here at all, behind a greeting too."""
    return [frame_of("help", {})] if _ASKS_HELP.fullmatch(text) else []


def _read_rate(text: str, brief: Brief) -> list[Frame]:
    """How much a day or a week there is to be at most, in the words of which its readers are sure."""
    rate = read_rate(text, brief)
    return [frame_of(AS_SAID, {"text": (rate.say(zh=has_chinese(text)),)})] if rate else []


_READERS: tuple[Callable[[str, Brief], list[Frame]], ...] = (
    _read_rate,
    read_others_shifted,
    read_denied,
    read_reached,
    read_done_first,
    read_called_off,
    read_put_off,
    _read_help,
    read_asked_leave,
    _read_during,
    _read_others_out,
    _read_emptied,
    _read_setting,
    read_order,
    read_reordered,
    set_lengths,
    _read_last,
    _read_sequence,
    _read_refused_time,
    read_part_moved,
    read_some_moved,
    read_class_carried,
    read_class_off,
    read_begins_later,
    read_only_free,
    read_free_then,
    read_appointment,
    read_off_until,
    read_within,
    read_done_by,
    read_planned_items,
    read_added_on_day,
    read_gone,
    read_once_more,
    read_kept_for,
    read_part_beside_days,
    read_cleared_to,
    read_clearing,
    read_if_there,
    read_divided,
    read_only_left,
    _read_lasting,
    _read_both_ends,
    read_spread_there,
    read_days_swapped,
    read_shape,
    read_same_week,
    read_other_day_then,
    read_weekday_after,
    read_items_by,
    read_sooner,
    _read_where_to_start,
    _read_left_to_plan,
    read_holiday,
    read_habits,
    read_progress,
)
