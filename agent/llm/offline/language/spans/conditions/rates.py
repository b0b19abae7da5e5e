"""How much a day or a week there is to be at most, whatever the words: one reader of it and one wording.

A text is a rate where nothing of it is left without its number, what it counts, its class and its period, the words
that limit, and those that say nothing: 从第4周开始，线代的话一天别超过两项; in week 4, no more than two a day.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.conditions.limit_forms import NO_HOUR
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, Signed, sign_phrases

_LONGEST = 120
_KINDS = frozenset({"day", "days", "week", "weekday"})
_PERIOD = (
    re.compile(
        rf"(?:从|自|打|在|到|截[止至]|一直)*{TIME}[日号]?(?:[、,，]?(?:到|至|和|与|跟)?{TIME}[日号]?)*"
        r"(?:之间|期间|[里内]|这?段?时间|的?时候|开始|起|为止|[之以]?[前后])*的?"
    ),
    re.compile(
        r"(?:\b(?:from|starting|beginning|as|of|in|on|at|during|for|over|until|till?|up|to|and including|the"
        r"|end|before|ahead"
        rf"|after|through(?:out)?|between|within|by|with|any time)\s+)*{TIME}"
        rf"(?:\s*(?:,|-|\b(?:and|to|till?|until|through)\b)?\s*(?:the )?{TIME})*(?:\s+on(?:wards?)?\b)?"
    ),
)
_NUMBER_EN = r"(?P<n>\d{1,2}|an?|one|once|twice)"
_UNIT_EN = (
    r"(?:(?:study|different|separate|single|extra|of (?:the|them|these|those|my)) )*"
    r"(?P<unit>items?|things?|tasks?|steps?|sessions?|blocks?|sections?|periods?|ones?|times?"
    r"|hours?|subjects?|courses?|class(?:es)?|modules?)?"
)
_PER_EN = (
    r"(?:(?:a|per|each|every|(?:in|on) (?:a|any|one|1|each|the same)) (?:single |given )?(?P<per>day|week)"
    r"|(?P<ly>dai|week)ly)"
)
_UNIT_ZH = (
    r"(?P<unit>个?(?:学习)?任务|个小时|小时|个钟头|门课?|科|节课?|课时|项|个(?!月|周|星期|礼拜|小时|钟|章|单元|实验|讲)|样|次|回|件|段)?"
    r"(?:学习|的)?(?:任务|内容|课)?"
)
_PER_ZH = (
    r"(?:(?:每|1|单|同1|任何1|任意1)个?(?:(?P<per>[天日])|(?P<week>周|星期|礼拜))(?:[里内]|之内)?"
    r"|(?P<all>天天))"
)
_COUNTS = (
    (
        re.compile(rf"{_PER_ZH}(?P<between>[^\d,，。;；]*[,，]?[^\d,，。;；]*?)(?P<n>\d{{1,2}})\s*{_UNIT_ZH}"),
        re.compile(rf"(?P<n>(?!)){_UNIT_ZH}{_PER_ZH}"),
    ),
    (
        re.compile(rf"\b(?:no |no more )(?P<per>day|week)s? with more than {_NUMBER_EN}(?: {_UNIT_EN})?(?P<ly>(?!))?"),
        re.compile(rf"\b{NO_HOUR}{_NUMBER_EN}\b(?: {_UNIT_EN})?,? {_PER_EN}\b"),
        re.compile(rf"\b{_PER_EN},? (?P<between>[a-z' ]*?)\b{_NUMBER_EN}\b(?: {_UNIT_EN})?"),
    ),
)
_BARE = (
    re.compile(rf"(?P<n>\d{{1,2}})\s*{_UNIT_ZH}"),
    re.compile(rf"\b{_NUMBER_EN}\b(?: {_UNIT_EN})?"),
)
"""A number of the rate before it."""
_MORE = (re.compile(r"超过|多于|大于|超出|[排学做]多了"), re.compile(r"\b(?:more than|over|exceed\w*)\b"))
_NO = (
    re.compile(r"不|别"),
    re.compile(r"\b(?:no|not|never|cannot|\w+n['’]?t)\b"),
)
_FILLS = (
    re.compile(
        r"最多|至多|顶多|撑死|不要?|别(?!的)|不能|不得|超过|多于|大于|超出|控制在?|限制?(?:在|为|到)?|上限(?:是|为)?|[以之]内|以下|封顶|为止"
        r"|就[行好够]了?|足够|够了?|只能?|就|仅|[排学做]多了|安?排|学|做|看|放|上|来|弄|搞|塞|我|让|给|希望|最好|尽量|想|要|请|麻烦|帮|都|也|吧|了|的话|的|呢|啊|哦|嗯"
        r"|好的?|行|那|在|里|内|任务|内容|复习|有|能|可以|一?下|对|还|就?是|这样"
    ),
    re.compile(
        r"\b(?:i'd|i'm|don't|can't|wouldn't|let's|it's|at|the|most|no|not|never|more|than|over|max(?:imum)?|tops|up|to|only|just|limit(?:ed)?|restrict|keep|cap(?:ped)?"
        r"|reduce|cut|stick|manage|enough|please|pls|me|it|them|a|i|i'd|i'm|can|cannot|can't|could|we|you|don't|dont|do|want|would"
        r"|wouldn't|rather|have|having|give|let's|lets|like|should|be|is|are|plan|schedule|put|study|learn|handle|take|get|and"
        r"|plenty|suffic\w+"
        r"|so|of|for|in|on|my|any|exceed|with|about|when|comes|it's|fine|ok|okay|thanks|also|will|there|through)\b"
    ),
)
_LIMITS = (
    re.compile(r"最多|至多|顶多|撑死|超过|多于|大于|超出|控制|限|以内|之内|以下|封顶|够|[只就仅]|多了"),
    re.compile(
        r"\b(?:at (?:the )?most|more than|over|max(?:imum)?|tops|up to|only|just|limit\w*|restrict|keep|cap\w*"
        r"|reduce|cut"
        r"|stick|manage|enough|plenty|suffic\w+|will do|exceed\w*)\b"
    ),
)
"""What makes a rate of a number: three a week alone is how many are wanted."""
_CORRECTS = re.compile(
    r"不对|不是|说错了?|[搞弄记打]错了?|错了|我?是说|说的是|我的意思是?|应该是|[改换]成|算了|还是|好了|只?针对|只是|等等|哦"
    r"|\b(?:no|nope|sorry|oops|wait|hm+|actually|i mean|i meant|make (?:it|that)|let's say|better|rather"
    r"|instead|only|just|that is"
    r"|that's|for|say|well|oh)\b"
)
"""What says that something is meant in the place of what was said."""
_ONE_DAY = re.compile(r"\b(?:in|on) (?:one|any|any one|a single|a given|the same) day\b")
_WITHIN = re.compile(
    r"\b(?:in|within) (?:[2-9]|1\d|two|three|four) (?:weeks|days|months)\b"
    r"|(?:[2-9]|1\d|[两二三四])个?(?:周|星期|天|月)[之以]?[内里]"
)
"""How long all of it may last."""
_ASKS = re.compile(r"[?？]|[吗么]\W*$")
_PLANS = re.compile(r"排(?:一下|[好上进])|[帮给]我安?排|^安?排|\b(?:plan|schedule|arrange|fit)\b")
_POLITE = re.compile(r"^(?:can|could|would|will) (?:you|we)\b|能不能|可以|行吗|好吗")


@dataclass(frozen=True)
class Rate:
    """At most so many of something a day or a week; what is not said is None or empty."""

    number: int | None = None
    unit: str = ""
    """`item`, `section`, `class`, or empty."""
    per: str = ""
    owner: str = ""
    period: str = ""

    @property
    def whole(self) -> bool:
        return bool(self.number and self.per)

    def say(self, *, zh: bool) -> str:
        """The rate in the words that its readers know."""
        sections, n = self.unit == "section", self.number
        if zh:
            every = "每周" if self.per == "week" else "每天"
            return f"{self.owner}{self.period}{every}最多{n}{'节' if sections else '项'}"
        unit = ("section" if sections else "item") + "s" * (n != 1)
        owner = f" of {self.owner}" if self.owner else ""
        return f"{self.period} at most {n} {unit} a {self.per}{owner}".strip()


@remember_of_plan
def read_rate(message: str, brief: Brief) -> Rate | None:
    """The rate that a text is; None for any other."""
    rate = read_parts(message, brief) if any(form.search(message.lower()) for form in _LIMITS) else None
    return rate if rate and rate.whole and rate.unit != "class" else None


def correct_rate(said: str, before: str, brief: Brief) -> str:
    """The rate before a turn with the number, the period or the class that this tells in their place; empty where it is
    none, or the turn tells more: no, three; 我是说线代; I meant in week 5."""
    old = read_rate(before, brief)
    new = read_parts(said, brief, _CORRECTS) if old else None
    if old is None or new is None or new.unit == "class" or not (new.number or new.period or new.owner):
        return ""
    if new.number and new.period and not old.period:
        return ""  # which holds then, beside the other
    told = {
        name: value
        for name in ("number", "unit", "per", "owner", "period")
        if (value := getattr(new, name)) not in (None, "")
    }
    return replace(old, **told).say(zh=has_chinese(before))


def read_parts(message: str, brief: Brief, fills: re.Pattern[str] | None = None) -> Rate | None:
    """What a text tells of a rate, where it tells nothing else; `fills`: what more may stand beside it."""
    text = _ONE_DAY.sub("a day", fold_text(message).strip(" .。!！"))
    if len(text) > _LONGEST or not text or _WITHIN.search(text) or (_ASKS.search(text) and not _POLITE.search(text)):
        return None
    zh = has_chinese(text)
    signed = sign_phrases(text, brief.selection_plan)
    plain = "".join(signed.restore(char) if _is_every(char, signed) else char for char in signed.text)
    if re.search(f"{ITEM}|{NUMBERED}", plain):
        return None
    owners, periods = re.findall(CLASS, plain), [one.group() for one in _PERIOD[not zh].finditer(plain)]
    times = [one for period in periods for one in signed.times_of(period)]
    if len(owners) > 1 or len(periods) > 1 or any(one.kind not in _KINDS or one.impossible for one in times):
        return None
    if owners and (_PLANS.search(text) or not any(row["slot"] for row in signed.items_of(owners[0], CLASS))):
        return None  # which are limits of a plan that is wanted
    owner = brief.name_of(signed.items_of(owners[0], CLASS)[0]["class_id"]) if owners else ""
    period = signed.restore(periods[0]).strip(" ,，") if periods else ""
    rest = _PERIOD[not zh].sub(" ", re.sub(rf"(?:\b(?:of|for|with)\s+)?{CLASS}\s*[:：]?", " ", plain))
    rest = fold_numbers(rest).replace("两", "2") if zh else fold_numbers(rest)
    rest = re.sub(r"\s+", "" if zh else " ", rest).strip(" ,，")
    number, unit, per, rest = _read_count(rest, zh=zh)
    if (
        unit is None
        or not (fills or _LIMITS[not zh].search(text))
        or bool(_NO[not zh].search(rest)) != bool(_MORE[not zh].search(rest))
    ):
        return None
    rest = _FILLS[not zh].sub(" ", fills.sub(" ", rest) if fills else rest)
    if re.sub(r"[\W_]", "", rest):
        return None
    return Rate(number, unit, per, owner, period)


def _is_every(char: str, signed: Signed) -> bool:
    """Whether a sign stands for each day or each week, or for so many sections, which is no period."""
    return any(one.kind == "every" or (one.kind == "sections" and one.loose) for one in signed.times_of(char))


def _read_count(text: str, *, zh: bool) -> tuple[int | None, str | None, str, str]:
    """The number, what it counts and of which stretch, and the text without them; no unit where it cannot be kept."""
    for form in _COUNTS[not zh]:
        found = form.search(text)
        if found is None:
            continue
        groups = found.groupdict()
        n = _number_of(found["n"])
        per = "week" if groups.get("week") or groups.get("per") == "week" or groups.get("ly") == "week" else "day"
        more = "more than" * ("more than" in found.group() and "with" in found.group())
        rest = f"{text[: found.start()]} {groups.get('between') or ''} {'no' * bool(more)} {more} {text[found.end() :]}"
        unit, n = _measure(groups.get("unit") or "", n)
        return n, unit, per, rest
    bare = _BARE[not zh].search(text)
    if bare is not None:
        n, rest = _number_of(bare["n"]), f"{text[: bare.start()]} {text[bare.end() :]}"
        return n, _measure(bare["unit"], n)[0] if bare["unit"] else "", "", rest
    return None, "", "", text


def _number_of(said: str) -> int:
    return int(said) if said.isdigit() else 1 + (said == "twice")


def _measure(said: str, number: int) -> tuple[str | None, int]:
    """What is counted and how many of it; hours as the sections that they hold."""
    if re.search(r"小时|钟头|hour", said):
        sections = 60 * number // SECTION_MINUTES
        return ("section" if sections > 1 else None), sections
    if re.search(r"[门科]|subject|course|class|module", said):
        return "class", number
    return ("section" if re.search(r"节|课时|section|period", said) else "item"), number
