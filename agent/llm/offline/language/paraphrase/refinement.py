"""What a frame takes from the words of its request beyond its slots: the period of a limit, the week that is pointed
to, the way an item is moved, that it is right beside another; and that a time is taken every week.

A time that is taken every week by what the student does then is a wish for all plans, not for this one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.frames import OF_WEEKS, OTHER, TIMES, Frame, frame_of
from agent.llm.offline.language.paraphrase.wordings import DIRECTED, EARLIER, LATER, MODIFIERS
from agent.llm.offline.language.spans.classes.class_sentence import without_kind
from agent.llm.offline.language.spans.items.beside import wants_close
from agent.llm.offline.language.spans.targets import THAT_WEEK, way_to

ONLY_ASKED, CLOSE_BY = "question_only", "close_by"
PICKED_BY_TIME = frozenset([
    "move_all_to", "move_all_away", "move_all_later", "move_all_earlier", "take_all_out", "did_all_on",
    "missed_all_on",
])  # fmt: skip
"""Forms that mean all that is on at a time, of whichever class."""
_BESIDE_ITEM = ("move_after", "move_before", "move_same_day")
EVERY_WEEK = "wish_nothing_on"
LEAST = 0.2
"""The chance of such a wish that is enough where its words tell of every week and of what one does then."""
_BUSY = ("away", "nothing_on", EVERY_WEEK)
_RECURS = re.compile(
    r"兼职|打工|家教|每个?(?:周|星期|礼拜)|以后|今后|从此|固定|一直都?要|长期|平时都|工作日"
    r"|\b(?:every|each) (?:\w+day|week|weekend)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
    r"|\b(?:weekends|weekdays)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|afternoons|evenings|nights)\b"
    r"|\bfrom now on\b|\balways\b"
)
_ONCE = re.compile(
    r"这一?次|这回|暂时|本周|这一?周(?![一二三四五六日天末\d])"
    r"|\b(?:this (?:once|time|week)|for now|just once|this plan)\b"
)
_REASON = re.compile(
    r"(?:因为|我|得|要|有(?!空|时间|没|什么|哪|几))(?!希望|想|的)[^,，。;；]*"
    r"|\b(?:i|we)(?:'ve|'m|'ll)? (?!want|need|would|prefer|wish|hope|like|don't want)[a-z]+"
    r"|\b(?:mornings|afternoons|evenings|nights|days?) (?:is|are) (?!free|off|out|not|no\b)[a-z]+"
    r"|\b(?:because|cause|cos|since)\b"
)
_PLAN_WORDS = re.compile(
    r"排(?!练|球|队)|留空|空出|空着|安排|学习|\b(?:free|nothing|plan|study|schedule|put|keep|leave)\b"
)


def refine_frame(frame: Frame, words: str) -> Frame | None:
    """The frame as its words mean it; None where they point to a week that it cannot hold, or tell by when something is
    to be done that the frame takes for done."""
    if is_contradicted(frame, words):
        return None
    frame = _end_name(_hold_way(settle_frame(frame, words), words))
    if frame.form in _BESIDE_ITEM and wants_close(words):
        frame = replace(frame, modifiers=(*frame.modifiers, CLOSE_BY))
    return _hold_week(frame, words)


_OF_DATES = ("plan_from_to", "plan_from", "plan_until", "dates_from_to", "begins")
_MOVES_ITEMS = re.compile(
    r"[两几二三四\d]项[^,，。;；]{0,4}[挪移]"
    r"|\b(?:items?|sessions?|chapters?|both|tasks?)\b[^,.;]*\b(?:go|goes|moved?|shift(?:ed)?) to\b"
    r"|\b(?:move|shift|push|bring|put)\b[^,.;]*\b(?:items?|sessions?|chapters?|both|tasks?)\b[^,.;]*\bto\b"
)
"""Some items go from one time to another: no dates of a class are told."""
_KINDS = r"(?:小?章节?|专题|单元|部分|主题|模块|讲|topics?|chapters?|units?|parts?|modules?)"
_COUNT = r"(?:\d+|[一两二三四五六七八九十]|two|three|four|five|six)"
_COUNT_BEHIND = re.compile(
    rf"(?:\s*[,，、]\s*(?:with )?{_COUNT}?\s*个?{_KINDS}?|\s+(?:with )?{_COUNT}\s*个?{_KINDS})\s*$"
)
_KIND_ALONE = re.compile(rf"\d*个?{_KINDS}")
_STUDY = re.compile(r"^(?:我?还?(?:要|得|想)?)?(?:复习|学习?|备考)(?=[一-鿿]{2,}$)(?!学|期)")


def _end_name(frame: Frame) -> Frame:
    """The frame of a new class with its name alone, without the number of its contents behind it: Chemistry, 4."""
    if not frame.form.startswith("create") or "text" not in frame.slots:
        return frame
    pieces = [one for one in frame.slots["text"] if not _KIND_ALONE.fullmatch(one)] or [*frame.slots["text"]]
    named = [without_kind(_STUDY.sub("", _COUNT_BEHIND.sub("", one)) or one) for one in pieces]
    slots = {**frame.slots, "text": tuple(name for name, _ in named)}
    listed = [piece for _, told in named for piece in told]
    return replace(frame, slots={**slots, "text2": (*listed, *frame.slots.get("text2", ()))} if listed else slots)


_BEFORE = re.compile(r"\s*[日号]?(?:之前|以前|前)(?![天面后])")
_BEFORE_EN = re.compile(r"\b(?:before|by|until|till)\s+(?:the )?$")


_NONE_THEN = re.compile(
    r"(?:别|不要?)(?:再)?(?:安?排|学|复习)|^no \w|\b(?:no|not any|without any) \w+(?: \w+)? (?:between|from|on|in)\b"
)
"""Nothing of a class is to be then."""
_ONLY_THEN = re.compile(r"^只[要在能排]*(?:工作日|周)|^only (?:on )?(?:work ?days|weekdays|\w+days)\b")
"""The only times that are wanted."""


_LIKED = re.compile(
    r"(?:喜欢|习惯|更想|宁愿|偏好)(?:在|于)?[^,，。;；]{0,8}(?:[学看背做]|复习)|又(?:有|能)?[空学排]"
    r"|\b(?:rather|prefer|like|love)(?: to)? (?:study|work|revis|plan)\w*\b|\b(?:free|available|open) again\b"
)


def _is_liked(words: str) -> re.Match[str] | None:
    """That one studies then by choice, or can again."""
    return None if REFUSES.search(words) else _LIKED.search(words)


def is_contradicted(frame: Frame, words: str) -> bool:
    """Whether words tell otherwise than a frame: by when instead of done, that items move instead of the dates of a
    class, a question for a side instead of a change."""
    moves = frame.form in _OF_DATES and (_MOVES_ITEMS.search(words) or _NONE_THEN.search(words)) is not None
    turned = frame.form == EVERY_WEEK and (_ONLY_THEN.search(words) or _is_liked(words)) is not None
    asked = frame.changes and (says("side_asked", words) or says("must_asked", words))
    return moves or turned or _is_due_later(frame, words) or asked


_MARKED = ("did", "missed")
_NOT_TO_DO = re.compile(
    r"(?:可以|能|就|都|先|打算|准备)不用?(?:再)?(?:学|看|做|背|复习)|(?:不用|不必|不需要|用不着)(?:再)?(?:学|看|做|背|复习)"
    r"|\b(?:skipping|(?:will|can|could|going to|'ll|gonna|let's) skip"
    r"|(?:don't|do not|won't|needn't) (?:need|have) to)\b"
)


def _leave_out(frame: Frame, words: str) -> Frame:
    """Items that are not to be done at all, taken out: they are neither done nor missed."""
    if frame.form not in _MARKED or not _NOT_TO_DO.search(words) or "items" not in frame.slots:
        return frame
    return frame_of("take_out", {"items": frame.slots["items"]}, frame.chance)


_PUTS = re.compile(r"[移挪放改调换推]到|\b(?:mov|put|shift|push|reschedul)\w*\b")


def _take_out_all(frame: Frame, words: str) -> Frame:
    """What is on from one time to another, taken out, where words take out and put nowhere: out from 1 to 5 April."""
    ends = [*frame.slots.get("time", ()), *frame.slots.get("time2", ())]
    if frame.form != "move_all_to" or len(ends) != _PAIR or not says("remove", words) or _PUTS.search(words):
        return frame
    return frame_of("take_all_out", {"time": ((" to " if words.isascii() else "到").join(ends),)}, frame.chance)


def _is_due_later(frame: Frame, words: str) -> bool:
    """Whether a frame takes for done what its words tell to be done by a time: 4月5号前全部搞定."""
    if not frame.form.startswith("did_"):
        return False
    found = [(at, one) for one in frame.slots.get("time", ()) if (at := words.find(one)) >= 0]
    return any(_BEFORE.match(words[at + len(one) :]) or _BEFORE_EN.search(words[:at]) for at, one in found)


_MONTH = re.compile(r"(?:\d{1,2}|[一二三四五六七八九十]{1,2})月")
"""A month within which something is to fit, not before it."""


_UNTIL = re.compile(r"前|内|截止|为止|到|\b(?:until|till?|by|before|within|end)\b")
_ONE_MORE = re.compile(r"再[^,，。;；]{0,4}[1一]|\b(?:another|one more|1 more)\b(?! (?:class|course|subject))")


_FREED = re.compile(
    r"(?:空|腾|让|清)(?:出来|出|空)[了吗吧么?？]|\b(?:be|get|stay) (?:kept |left |made )?(?:free|clear|empty)\b"
)
_STAYS_FREE = re.compile(
    r"[空留腾]出来|空[出着]|留空|\b(?:keep|leave|have|want|need)\b[^,.;]{0,24}\b(?:free|clear|empty|off)\b"
)
_CAN = re.compile(r"能|可以|可不可以|行不行|^(?:can|could)\b")


def _free_day(frame: Frame, words: str) -> Frame:
    """The days that are to be free in place of the question whether they are, or of a move of what is on then alone."""
    stays = frame.form == "move_all_away" and _STAYS_FREE.search(words)
    if not stays and (frame.form != "is_free" or not (_FREED.search(words) and _CAN.search(words))):
        return frame
    if "time" not in frame.slots:
        return frame
    return frame_of("away", {"time": frame.slots["time"]}, frame.chance)


def _look_at_day(frame: Frame, words: str) -> Frame:
    """The question when there is time on a day in place of the one whether one more item fits until then, where no end
    is told: can I fit another lab on friday?"""
    one = frame.slots.get("number", ("1",)) == ("1",) and _ONE_MORE.search(words) is not None
    if frame.form not in ("more_fit_until", "will_fit_until") or not one or _UNTIL.search(words):
        return frame
    return frame_of("when_free_on", {"time": frame.slots["time"]}, frame.chance)


_TOO_SHORT = re.compile(
    r"来不及|赶不上|[做学排弄]不[完了]|不够"
    r"|\b(?:won't|can't|cannot|not|never)\b[^,.;]*\b(?:make|finish|manage|done|in time)\b"
    r"|\b(?:more|too little|not enough) time\b|\bbehind\b|\binstead\b"
)
_RUNS_ON = re.compile(
    r"(?:能|可以|行)[^,，。;；]{0,6}(?:[排拖学延放]到)|\b(?:can|could|may)\b[^,.;?]*\b(?:run|go|last|continue|stretch|end)\b"
)


def asks_to_extend(words: str) -> bool:
    """Whether a question wants a class to go on until a time, since what it has is too short or another is wanted."""
    return _TOO_SHORT.search(words) is not None and _RUNS_ON.search(words) is not None


def _extend_dates(frame: Frame, words: str) -> Frame:
    """Another last day of a class in place of the question whether it fits until then, where that is wanted."""
    asks = frame.form == "will_fit_until" and {*frame.slots} == {"class", "time"}
    return replace(frame, form="deadline") if asks and asks_to_extend(words) else frame


def _hold_before(frame: Frame, words: str) -> Frame:
    """The frame of a last day with the word that leaves that day, week or month out: fit before April."""
    times = frame.slots.get("time", ())
    if frame.form.endswith("_until") and len(times) == 1 and _MONTH.fullmatch(times[0]):
        inside = re.search(rf"{times[0]}份?(?:之|以)?前", words) is None
        return replace(frame, slots={**frame.slots, "time": (f"{times[0]}底",)}) if inside else frame
    bounded = frame.form.endswith(("_until", "_by")) or frame.form in ("what_on", *_BUSY)
    if frame.form in (*_BUSY, *PICKED_BY_TIME) and len(times) == 1:
        side = re.search(
            rf"{re.escape(times[0])}(?P<zh>[之以]?[前后])|\b(?P<en>before|after) (?:the )?{re.escape(times[0])}", words
        )
        told = side and (f"{times[0]}{side['zh']}" if side["zh"] else f"{side['en']} {times[0]}")
        return replace(frame, slots={**frame.slots, "time": (told,)}) if told else frame
    if not bounded or len(times) != 1 or not times[0].isascii():
        return frame
    before = re.search(rf"\bbefore (?:the )?{re.escape(times[0])}", words) is not None
    return replace(frame, slots={**frame.slots, "time": (f"before {times[0]}",)}) if before else frame


_MOST_SO = re.compile(r"最|\b(?:most|least|\w{3,}est)\b")
_DAY_PART = re.compile(r"早上|上午|中午|下午|傍晚|晚上|\b(?:morning|afternoon|evening|night)\b")


_LOOKS_AT = ("emptiest", "emptiest_on", "is_free", "when_free_on", "what_on")
_CLAUSE = re.compile(r"[,，;；。.!！?？]")
_HOURS = re.compile(r"\d\s*[点:节-]|\b(?:section|noon|midday)|\d ?[ap]m\b")


def _ask_when_free(frame: Frame, words: str) -> Frame:
    """The question when there is time in place of that for the emptiest day, where no most is asked for; of a look at
    times with the part of the day that is told."""
    if frame.form not in _LOOKS_AT or (frame.form.startswith("emptiest") and _MOST_SO.search(words)):
        return frame
    times = frame.slots.get("time", ())
    clause = next((one for one in _CLAUSE.split(words) if times and times[0] in one), "")
    part = _DAY_PART.search(clause)
    if part is None or any(part.group() in one or _HOURS.search(one) for one in times):
        return frame
    joint = " " if part.group().isascii() else ""
    form = "when_free_on" if frame.form.startswith("emptiest") else frame.form
    return replace(frame, form=form, slots={**frame.slots, "time": (f"{times[0]}{joint}{part.group()}",)})


_ALL = re.compile(r"全部|所有|一切|都|\b(?:all|everything|every)\b")
_POINTER = re.compile(r"(?:it|this|that|everything|all(?: of it)?|them|全部|所有的?|一切|这些|它们?)(?:东西|任务)?")


def _name_all(frame: Frame, words: str) -> Frame:
    """The frame of a last day of everything, where the words tell all and no class is named."""
    pointed = frame.form == "finish_by" and all(_POINTER.fullmatch(one) for one in frame.slots.get("class", ()))
    if not pointed or not _ALL.search(words):
        return frame
    return replace(frame, slots={**frame.slots, "class": ("everything" if words.isascii() else "全部",)})


REFUSES = re.compile(
    r"不(?!过)|别|除|免|非|勿|没|n't\b"
    r"|\b(?:not|no|never|except|avoid\w*|without|other than|rather than|anything but|skip\w*|dont|cant)\b"
)
"""Words that refuse a time."""


def want_hours(frame: Frame, words: str) -> Frame:
    """The frame with the hours as wanted that it takes for refused where no word refuses anything: friday, but late."""
    hours = frame.slots.get("but_not_on")
    if hours is None or "time" not in frame.slots or "but_not_on" not in frame.filled or REFUSES.search(words):
        return frame
    slots = {name: pieces for name, pieces in frame.slots.items() if name != "but_not_on"}
    day = frame.slots["time"] if "time" in frame.filled else ()
    return replace(frame, slots={**slots, "time": (*(day or frame.slots["time"]), *hours)})


def settle_frame(frame: Frame, words: str) -> Frame:
    """The frame in the form that its words tell, without modifiers that its wording cannot have or that say nothing."""
    for step in _STEPS:
        frame = step(frame, words)
    return frame


_BEHIND = re.compile(r"之后|以后|后面|学完[^,，]{0,8}(?:再|才)|\b(?:after|behind|following|once)\b")
_AHEAD = re.compile(r"之前|以前|前面|先|\b(?:before|ahead|first|prior)\b")


def _turn_round(frame: Frame, words: str) -> Frame:
    """The frame of one class before another where its words tell the first of them to come behind."""
    both = frame.form == "class_before" and {"class", "class2"} <= frame.slots.keys()
    if not both or not _BEHIND.search(words) or _AHEAD.search(words):
        return frame
    first, then = (words.find(fold_numbers(frame.slots[name][0])) for name in ("class", "class2"))
    if not -1 < first < then:
        return frame
    return replace(frame, slots={**frame.slots, "class": frame.slots["class2"], "class2": frame.slots["class"]})


_NO_LESSON = re.compile(
    r"(?:没有?|无)[^,，。;；有没]{2,10}?课?的(?:那?[一1]?天|日子|那?几天)"
    r"|\bdays? (?:without|with no|(?:when |that |on which )?(?:i )?(?:have no|don't have|do not have))\b"
)
"""Days on which a lesson is not."""


def _leave_lesson_days(frame: Frame, words: str) -> Frame:
    """The frame of the days of a lesson where its words tell those without it: what is to be on these is to be on none
    of the lesson's, and the other way round."""
    if frame.form.removeprefix("not_") not in ("lesson_days", "lesson_days_of") or not _NO_LESSON.search(words):
        return frame
    refused = REFUSES.search(_NO_LESSON.sub(" ", words)) is not None
    form = frame.form.removeprefix("not_")
    return replace(frame, form=form if refused else f"not_{form}")


_OF_WEEK_ALONE = re.compile(r"(?:第?[\d一二两三四五六七八九十]+|[下这本]个?)(?:周|星期|礼拜)")


def _end_with_week(frame: Frame, words: str) -> Frame:
    """The frame of a last day that is the end of a week where no word tells that all is done before it: 第5周学完."""
    week = frame.form == "finish_by" and all(map(_OF_WEEK_ALONE.fullmatch, frame.slots.get("time", ("",))))
    return replace(frame, form="deadline") if week and "前" not in words else frame


_PAIR = 2


def _keep_order(frame: Frame, words: str) -> Frame:
    """The frame of a whole order where more than two items are told one after the other."""
    told = (*frame.slots.get("items", ()), *frame.slots.get("item", ()))
    if frame.form not in ("order", "order_in") or len(told) <= _PAIR:
        return frame
    return replace(frame, form="order_all", slots={"items": told}, filled=frozenset({"items"}))


_SETS_DATES = re.compile(
    r"日期|起止|时间(?:改|调|换|变)|(?:改|调|换)[成到为至]"
    r"|\b(?:dates?|runs?|running|goes|going|lasts?|change[sd]?|window|set|instead|now)\b"
)
_ASKS_FOR_PLAN = re.compile(r"排(?!除)|规划|\b(?:plan|schedul\w*|arrang\w*|fit|spread|distribut\w*)\b")


def _keep_dates(frame: Frame, words: str) -> Frame:
    """The frame of other dates of a class where its words tell these and ask for no plan."""
    tells = frame.form == "plan_from_to" and _SETS_DATES.search(words) and not _ASKS_FOR_PLAN.search(words)
    return replace(frame, form="dates_from_to") if tells else frame


_COUNT_AHEAD = re.compile(r"\b(\d{1,2} (?:more |extra |additional |new |other )?)(?:the )?$")

_LISTS = re.compile("[,，、]")
_REST_OF_LIST = re.compile(r"((?:\s*(?:[,，、]|\band\b|和)\s*[^\W\d]+(?: [^\W\d]+)?)+)[.。!！]?$")


def _hold_count(frame: Frame, words: str) -> Frame:
    """The frame of new items with how many there are to be, and with all of their list: add 3 more chapters."""
    text = frame.slots.get("text", ("",))[0]
    ahead, found, behind = words.partition(text) if frame.form.startswith("add_item") and text else (words, "", "")
    count, rest = _COUNT_AHEAD.search(ahead), _REST_OF_LIST.match(behind) if _LISTS.search(text) else None
    whole = (count[1] if count else "") + text + (rest[1] if rest else "")
    return replace(frame, slots={**frame.slots, "text": (whole,)}) if found else frame


_EXTENDS = re.compile(r"延长|延期|延到|拉长|\b(?:extend|prolong|lengthen|stretch)\w*(?: out)?\b")


def _hold_extension(frame: Frame, words: str) -> Frame:
    """The frame of a later last day in place of a plan until that day, where the words tell that something is to last
    longer."""
    if frame.form != "plan_until" or not _EXTENDS.search(words):
        return frame
    named = tuple(_EXTENDS.sub("", piece).strip() for piece in frame.slots.get("class", ()))
    return replace(frame, form="deadline", slots={**frame.slots, "class": named})


def _narrow(frame: Frame, words: str) -> Frame:
    """The frame with those modifiers alone that its wording can have."""
    return replace(frame, modifiers=tuple(one for one in frame.modifiers if one in MODIFIERS))


_PERIODS = (
    ("day", re.compile(r"[每一1][天日]|\b(?:(?:a|per|each|every|one|same|any) (?:single )?day|daily)\b")),
    (
        "week",
        re.compile(
            r"[每一1]个?(?:周|星期|礼拜)(?![一二三四五六日天末])"
            r"|\b(?:(?:a|per|each|every|one|same|any) (?:single )?week|weekly)\b"
        ),
    ),
)
"""The words for the time in which there are so many at most."""


def _keep_period(frame: Frame, words: str) -> Frame:
    """The frame of a limit with the period that its words tell, where these tell one."""
    said = [name for name, form in _PERIODS if form.search(words)]
    if said == ["week"] and "most_a_day" in frame.slots:
        weekly = {"most_a_day": "most_a_week"}
        slots = {weekly.get(name, name): one for name, one in frame.slots.items()}
        return replace(frame, slots=slots, filled=frozenset(weekly.get(name, name) for name in frame.filled))
    if not frame.form.startswith(("most_a_day", "most_a_week")) or len(said) != 1:
        return frame
    form = re.sub(r"^most_a_[a-z]+", f"most_a_{said[0]}", frame.form)
    return replace(frame, form=form)


_DID = re.compile(r"\b(?:i|i've|have|just) (?:finished|did|done|completed)\b|[做学看背写]完了")
_DENIES = re.compile(r"不|没|\b(?:not|never)\b|n't\b|after all|wasn")


def _tell_done(frame: Frame, words: str) -> Frame:
    """The frame of what was done in place of a mark that is taken back, where the words tell just that it was done."""
    done = frame.form == "not_done" and _DID.search(words) is not None and _DENIES.search(words) is None
    return replace(frame, form="did") if done else frame


_SKIPS = re.compile(r"(?:^|[,，。;；]\s*)(?:please |just |let's |can (?:i|we|you) )?skip\b|跳过(?!了)")


def _take_out_skipped(frame: Frame, words: str) -> Frame:
    """The frame of items that are taken out in place of a mark of what was missed, where they are to be skipped."""
    skips = frame.form == "missed" and "items" in frame.filled and _SKIPS.search(words) is not None
    return replace(frame, form="take_out") if skips else frame


_QUOTES = "'\"‘’“”「」『』"
_KIND = re.compile(r"^(?:任务类|学习计划|计划|课程?)\s*[:：]\s*")
"""What a name is the name of, in front of it."""


def _unquote(frame: Frame, words: str) -> Frame:
    """The frame with its new names alone: without the marks that they are quoted by, and what they name."""
    names = {name: one for name, one in frame.slots.items() if name.startswith("text")}
    bare = {name: tuple(_KIND.sub("", piece.strip(_QUOTES)) or piece for piece in one) for name, one in names.items()}
    return replace(frame, slots={**frame.slots, **bare}) if bare != names else frame


def _hold_way(frame: Frame, words: str) -> Frame:
    """The frame with whether its words tell its time to be later or earlier than the one it has: push it to friday."""
    way = {1: LATER, -1: EARLIER}.get(way_to(words), "")
    return replace(frame, modifiers=(*frame.modifiers, way)) if (frame.form, way) in DIRECTED else frame


def _hold_week(frame: Frame, words: str) -> Frame | None:
    """The frame with the week that its words point to beside its time, friday that week; None where it has none."""
    pointer = THAT_WEEK.search(words) or (None if frame.changes else _WEEK_APART.search(words))
    if pointer is None or any(pointer.group() in piece for told in frame.slots.values() for piece in told):
        return frame
    times = [name for name in TIMES if name in frame.filled]
    if times != ["time"] or len(frame.slots["time"]) != 1:
        return None
    day = frame.slots["time"][0]
    whole = f"{day} {pointer.group()}" if pointer.group().isascii() else f"{pointer.group()}{day}"
    return replace(frame, slots={**frame.slots, "time": (whole,)})


_WEEK_APART = re.compile(r"\b(?:(?:next|this) week|the week after next|week \d{1,2})\b")
"""The week of a day that is asked about, told behind it: is thursday free next week?"""
_ASKS_WEEK = re.compile(
    r"哪[1一]?个?(?:周|星期|礼拜)(?![1-6一二三四五六日天末])|最[^,，。;；]{1,3}的?[1一]?个?(?:周|星期|礼拜)(?![1-6一二三四五六日天末])"
    r"|\b(?:which|what) (?:of my |of the )?weeks?\b|\b(?:\w{3,}est|worst|(?:most|least) \w+) weeks?\b"
)
"""What asks for a week, not for a day."""


_ANYTHING = re.compile(
    r"有(?:什么|没有|啥)?(?:安排|任务|事)|\b(?:any|some)thing (?:else )?(?:planned |scheduled )?(?:on|for)\b"
    r"|\b(?:is there|are there|have i(?: got)?|do i have) (?:any|some)thing\b"
)
_FREE = re.compile(r"空|\b(?:free|room|time|fit)\b")
_BEST = re.compile(r"好|合适|\b(?:best|good|better|i (?:put|place))\b")
_ASKS_WHERE = re.compile(
    r"哪[1一]?[天里儿]|什么时候|何时|几号|(?<!day )(?<!week )(?<!time )\b(?:where|when|(?:which|what) day)\b"
)


def _ask_or_change(frame: Frame, words: str) -> Frame:
    """The frame without modifiers that mean nothing beside the rest; where a place is only asked for, that question;
    of weeks where the words compare these."""
    if frame.form in OF_WEEKS and _ASKS_WEEK.search(words):
        return replace(frame, form=OF_WEEKS[frame.form], modifiers=())
    if frame.form == "is_free" and _ANYTHING.search(words) and not _FREE.search(words):
        return replace(frame, form="what_on")
    named = frame.slots.get("items") or frame.slots.get("item", ())
    wanted = frame.form in ("catch_up_items", "put_in") or (frame.form == "when_item" and _BEST.search(words))
    if wanted and len(named) == 1 and _ASKS_WHERE.search(words):
        return frame_of("where_can_go", {"item": named}, frame.chance)
    if ONLY_ASKED in frame.modifiers and frame.form in ("move_to", "put_in_on"):
        slots = {"item": frame.slots.get("items", ()), "time": frame.slots.get("time", ())}
        filled = frozenset("item" if name == "items" else name for name in frame.filled)
        return replace(frame, form="where_can_go_on", slots=slots, modifiers=(), filled=filled)
    return frame if frame.changes else replace(frame, modifiers=())


def recurs_for_reason(words: str, form: str = "away") -> bool:
    """Whether words tell a time of every week, and what the student does then; being away is such a thing."""
    text = fold_numbers(words)
    if not _RECURS.search(text) or _ONCE.search(text):
        return False
    clauses = re.split(r"[,，。;；.]|\b(?=because|cause|cos|since|so\b)", text)
    told = [one for one in clauses if _REASON.search(one) and not _PLAN_WORDS.search(one)]
    return form == "away" or bool(told)


def hold_every_week(frame: Frame, words: str) -> Frame:
    """The wish for every week in place of a frame that keeps such a time free in this plan or once."""
    lasting = frame.form in _BUSY and recurs_for_reason(words, frame.form)
    return replace(frame, form=EVERY_WEEK) if lasting else frame


def find_standing(likely: Sequence[Frame], words: str) -> Frame | None:
    """The wish for every week where it is the likeliest of what the forms say, and the words tell such a time."""
    known = next((frame for frame in likely if frame.form != OTHER), None)
    stands = known is not None and known.form == EVERY_WEEK and known.chance >= LEAST
    return known if stands and recurs_for_reason(words, EVERY_WEEK) else None


def add_up_standing(likely: Sequence[Frame], words: str) -> list[Frame]:
    """The frames with those that come to one wish for every week as one."""
    told = [hold_every_week(frame, words) for frame in likely]
    first = next((frame for frame in told if frame.form == EVERY_WEEK), None)
    if first is None or told == list(likely):
        return told
    alike = [one for one in told if one.form == EVERY_WEEK and one.slots == first.slots]
    whole = replace(first, chance=min(1.0, sum(one.chance for one in alike)))
    return sorted([whole, *(one for one in told if one not in alike)], key=lambda frame: -frame.chance)


_STEPS: tuple[Callable[[Frame, str], Frame], ...] = (
    _turn_round,
    _leave_lesson_days,
    _keep_order,
    _end_with_week,
    _hold_count,
    _narrow,
    _hold_extension,
    _name_all,
    _look_at_day,
    _extend_dates,
    _free_day,
    _leave_out,
    _take_out_all,
    _hold_before,
    _ask_or_change,
    _keep_period,
    _ask_when_free,
    _keep_dates,
    _tell_done,
    _take_out_skipped,
    _unquote,
)
"""What settles a frame, in turn."""
