"""Holds what a text claims against what happened: changes, numbers and places.

A sentence that says more than the facts bear is false. Deterministic and wide: a true sentence in an unusual form may
be taken for false and is then left out; the line that code writes stands in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.loop.phrases import fold_text

CHANGE_ZH = (
    r"(?:移动|移到|移至|移出|挪|调整|调到|调至|调换|换到|换至|改到|改至|改成|改为|放到|放进|放在|排到|排进|排入|排好|安排到"
    r"|安排在|安排好|取下|取消|删除|删掉|交换|对调|推迟|提前|新建|创建|修改|更新|添加|加入|保存|写入|写进|同步|应用"
    r"|清空|清除|清掉|移走|挪走|拿掉|拿走|撤掉|撤下|撤销|重置|替换|换成|插入|腾出|恢复|还原|改名|重命名|合并|拆分|延长|缩短|锁定)"
)
DONE_ZH = re.compile(
    rf"(?:已经?|都已|刚刚?|成功|帮你|为你|替你|我把|我将)[^，。；！？]{{0,24}}?{CHANGE_ZH}|{CHANGE_ZH}[^，。；！？]{{0,16}}?(?:了|好了|完成|成功)"
    r"|(?:改|移|挪|排|调|换|处理|弄|办)(?:好|完)[了啦咯]|(?:已经?|都|全部?)[^，。；！？]{0,12}?(?:处理|弄|办)(?:好|完|妥)"
    r"|(?:已经?|都|全部?)(?:为你|帮你|给你)?重新安排|搞定|办妥|现已(?:在|安排)"
)
_EN = (
    r"(?:moved|shifted|swapped|placed|unplaced|put|removed|deleted|rescheduled|postponed|created|added|updated|changed"
    r"|renamed|scheduled|saved|applied|arranged|took out|cleared|emptied|wiped|reset|dropped|pushed|bumped|extended"
    r"|shortened|merged|locked|freed|rearranged|reorgani[sz]ed|restored|reverted|undone|undid|replaced|swapped out)"
)
DONE_EN = re.compile(
    rf"^\W*{_EN} (?:as|it|them|your|to|chapter)\b|\ball (?:set|done)\b|\btaken care of\b|\bis now (?:on|at|in)\b"
    rf"|\b(?:i(?:'ve| have)?|have|has|was|were|is now|are now|successfully|been)\b[^.;!?]{{0,30}}?\b{_EN}\b"
)
SUPPOSED = re.compile(r"如果|要是|假如|是否|要不要|需要你|等你|\b(?:would|could|if|should)\b|[?？]")
"""What makes a sentence no report."""
QUESTION = re.compile(r"(?:[?？]|吗[。！!]?)[\s\"'”’」』）)]*$")
"""How a sentence ends that asks: the places that it names are those it asks about."""
NOT_DONE = re.compile(
    r"没有|没能|没法|未能|尚未|还没|并未|不会|不能|不用|无法|无需|不需|可以|建议|之后|稍后|将会|打算|准备|保持不变|原样"
    r"|先不|不再|别再|不(?:去)?(?:移|挪|改|动|排|调|换|删|放|取|写|新建|安排)"
    r"|\b(?:not|no|nothing|never|cannot|can't|couldn't|didn't|haven't|hasn't|wasn't|weren't|can|will|may|might|unchanged"
    r"|yet)\b"
)
"""What makes its clause no report of something done."""
_TABLE = r"(?:正式)?的?(?:课表|日历)|(?:your|the) (?:real |official )?(?:timetable|calendar)"
APPLIED = re.compile(
    rf"(?:应用|写入|写进|同步|更新|保存|导入|放进|加入|加|添加)(?:到|进|入|至|在)?了?(?:你|您)?(?:{_TABLE})"
    rf"|(?:{_TABLE})[^，。；]{{0,6}}(?:更新|改好|应用|同步)"
    rf"|\b(?:applied|saved|written|synced|added|put|imported|updated)\b[^.;!?]{{0,40}}?\b(?:{_TABLE})"
    rf"|\b(?:{_TABLE})(?: has been| is| was)(?: now| already)? updated"
)
"""The draft made part of the timetable, which only the student does."""
UNCHANGED = re.compile(
    r"没有(?:任何)?(?:改动|变化|变动|移动|改变|修改|调整|写入|动)|未(?:作|做)?(?:改动|移动|修改|调整)|没动|没改|没有改|保持(?:不变|原样|现在|原来)"
    r"|无需(?:改|移|调)|不用(?:改|移|调)|不需要(?:改|移|调)|本来就|已经在|没有空位|放不下|做不到|无法|不能|没法|不合适|没有可"
    r"|\b(?:nothing (?:was |has been )?(?:changed|moved)|no changes?|not (?:been )?(?:changed|moved)|unchanged)\b"
    r"|\balready (?:there|at|on|in)\b"
    r"|\b(?:did(?:n't| not) (?:change|move)|cannot|can't|could ?n[o']t|impossible|no room|no free|left (?:it )?as)\b"
)
FRUITLESS = re.compile(
    r"没有|没能|没法|没查|没找|没搜|未能|未找|未查|无法|无结果|不能|查不|搜不|找不|读不|打不开|上不了"
    r"|\b(?:no|not|nothing|none|never|cannot|can't|could ?n[o']t|couldn't|unable|failed|blocked|unavailable)\b"
)
"""What tells that a search came to nothing."""
APPLY_WISH = re.compile(
    rf"(?:应用|写入|写进|同步|保存)(?:到|进|入|至|在)?(?:我的?)?(?:{_TABLE})|应用(?:草稿|吧|一下|它)|^应用$"
    r"|\bapply\b.{0,30}\b(?:draft|plan|it|timetable|calendar|changes)\b"
)
WISH = re.compile(
    r"移到|移出|移动|挪|调到|调整|调换|换到|改到|改成|改为|改名|放到|放进|放在|排到|取下|先不排|交换|对调|删掉|删除|去掉|推迟|延后|提前到"
    r"|(?:新建|创建|添加|修改).{0,12}(?:任务|计划|类|项)"
    r"|\b(?:move|shift|swap|put|place|unplace|remove|delete|reschedule|postpone|rename|exchange|take out)\b"
    r"|\b(?:create|add|edit|change)\b.{0,40}\b(?:class|plan|task|item|chapter)"
    r"|排(?:一下|一排|好|进|上|入|完|个)|安排(?:一下|好|上|进)|重排|重新(?:安排|规划)"
    r"|(?:[帮给替]我|请(?:你|帮忙)?)(?:先|再|都|把[^，。]{1,20}?)?(?:排|安排)"
    r"|(?:^|\b(?:please|you|to|and|then) )(?:plan|schedule|arrange)\b"
)
ASKS_ONLY = re.compile(
    r"为什么|为何|怎么会|是怎么|有没有|哪些|哪里|什么时候|了吗|了没|得下|会不会|会[^，。]{0,8}吗"
    r"|\b(?:why|what if|when|where|which|how)\b"
)
LOOKUP = re.compile(
    r"哪[一个]?[天周节]|什么时候|何时|几[点号]|第几[周节]|在哪[里儿]?|(?:有|是)(?:什么|哪些|几[项个])(?:安排|任务|要做|课)?|排在|有没有安排"
    r"|\b(?:when|where|which (?:day|week)|what time|what(?:'s| is| do i have)\b.{0,30}\bon)\b"
)
"""What asks for places."""
ADVICE_WISH = re.compile(
    r"建议|推荐|觉得|应该|该(?:怎么|先|在|什么|哪)|合适|适合|[最更]好|好处|办法|方法"
    r"|\b(?:should|would|could|best|better|advice|advise|suggest|recommend|tips?)\b"
)
"""What asks for places where something might be."""
ASKED = re.compile(r"\?|请(?:告诉|说|给|补充|先)|(?:哪|几)|抱歉|\b(?:sorry|tell me|let me know|which|what)\b")
DROPPED = re.compile(
    r"算了|不用了|不必了|先不|不要了|别动|保持|\b(?:never ?mind|forget it|leave it|don't|no thanks|keep it)\b"
)
_CLAUSE = re.compile(r"[，,；;]")
MIGHT_BE = re.compile(
    r"如果|要是|假如|合适|适合|最好|更好|推荐|不妨|考虑|想(?:要|把|放|排|移|挪|换|改)"
    r"|\b(?:if|should|would|could|suggest|recommend|try|consider)\b|\b(?:i|you|we|it)['’]d\b"
)
"""What makes a sentence advice or a condition: the places that it names are those where something might be."""
_PART = re.compile(r"[,;、]|: | and (?=on )")
"""What parts the places of several items from each other, in a folded text."""
_OF_NO_ITEM = re.compile(
    r"空|没有|没排|满|课|今天|明天|昨天|现在是|学期|时间窗|计划"
    r"|\b(?:free|empty|full|nothing|no|none|lessons?|lectures?|today|tomorrow|yesterday|term|semester|window|plan)\b"
)
"""What tells of a time at which no item need be."""
_WIDER = re.compile(r"课|上午|早上|下午|晚上|傍晚|\b(?:lessons?|lectures?|morning|afternoon|evening)\b")
"""What names a time that is longer than the item in it."""
_OF_DATES = re.compile(r"考试|测验|期[中末]|截止|期限|\b(?:exams?|tests?|midterms?|finals?|deadlines?|due)\b")
"""What tells of a day that was set by others, from which places are told too."""
_END = re.compile(r"[^。！？!?\n；;]*?(?:[。！？!?\n；;]+|\.(?=\s|$|[\u4e00-\u9fff])\s*|$)")
_NUMBER = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_EN_NUMBER = {name: at for at, name in enumerate(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))}  # fmt: skip
_COUNT = re.compile(
    r"(\d{1,3}|[一两二三四五六七八九十])\s*(?:个|项|条)(?!(?:半|多)?(?:小时|星期|月|候选|选项|方案|选择|办法|空))"
    r"|\b(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:more\s+|study\s+)?(?:items?|steps?|tasks?|chapters?|blocks?)\b"
)
_BESIDE = re.compile(
    r"之?前|之?后|之间|隔|[距离]|旁|不变|没动|没有动"
    r"|\b(?:before|after|between|apart|next to|behind|beside|stay|stays|unchanged)\b"
)
"""What names an item that another one's place is told by, or one that stays."""
_CALLED = re.compile(r"第\s*(\d{1,2})\s*[章讲课]|\bchapter\s*(\d{1,2})\b")
_PURPOSE = re.compile(r"(?:期[中末])?(?:总?复习|学习|练习|备考)(?:计划)?$|\b(?:revision|review|exam prep|plan)$")
_WEEK = re.compile(r"第\s*(\d{1,2})\s*周|\b(?:week|wk)\s*(\d{1,2})\b")
_DAY_ZH = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天末])")
_DAY_EN = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday|s|rs|r)?\b")
_SPAN = re.compile(
    r"(?<!\d)(\d{1,2})\s*(?:-|–|—|~|～|到|至)\s*(\d{1,2})\s*节|第\s*(\d{1,2})\s*节|\b(?:sections?|periods?)\s+(\d{1,2})(?:\s*(?:-|–|to)\s*(\d{1,2}))?"
)
_PARTS = tuple(
    re.compile(words) for words in (r"上午|早上|\bmorning\b", r"下午|\bafternoon\b", r"晚上|傍晚|\bevening\b")
)
_DATE = re.compile(r"(?<!\d)(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]|\b\d{4}[-/](\d{1,2})[-/](\d{1,2})\b")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_EN_DATE = re.compile(rf"\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?\b|\b(\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH}(?![a-z])")
_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


@dataclass(frozen=True)
class ClaimedPlace:
    """Holds a place of an item: week, day of week, first and last section, and its month and day, where known."""

    week: int
    day: int
    first: int
    last: int
    date: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class AllowedClaims:
    """Tells what a text may claim. `changed`: something was written in this goal. `counts`: numbers of items that are
    true in some sense, `made` those of the changes. `places`: by item name every place it had or has."""

    changed: bool = False
    counts: frozenset[int] = frozenset()
    made: frozenset[int] = frozenset()
    places: dict[str, list[ClaimedPlace]] = field(default_factory=dict)
    touched: frozenset[str] | None = None
    """Names of the items that were changed; None where every item may be meant."""
    applied: bool = False
    """Something of the plan stands in the timetable, and this goal changed nothing that could be meant."""
    parts: tuple[tuple[int, int], ...] = ()
    """First and last section of morning, afternoon and evening, where that is known."""
    held: frozenset[int] = frozenset()
    """How many items some day or week has, of all or of one class."""
    others: frozenset[str] = frozenset()
    """Names of classes of which no item is known: their chapters have the same numbers."""


def sentences(text: str) -> list[str]:
    """Returns the text cut behind each sentence; joined they are the text."""
    return [match.group() for match in _END.finditer(text) if match.group()]


def claims_change(text: str) -> bool:
    """Tells whether some sentence says that something was changed."""
    return any(_claims(sentence) for sentence in sentences(text))


def _claims(sentence: str) -> bool:
    return bool(_reports(sentence))


def _reports(sentence: str) -> list[str]:
    """Returns the clauses of a sentence that tell of something done."""
    said = fold_text(sentence)
    if SUPPOSED.search(said):
        return []
    clauses = [clause for clause in _CLAUSE.split(said) if not NOT_DONE.search(clause)]
    return [clause for clause in clauses if DONE_ZH.search(clause) or DONE_EN.search(clause)]


def says_applied(sentence: str) -> bool:
    """Tells whether a sentence says that the draft was made part of the timetable."""
    return any(APPLIED.search(clause) for clause in _reports(sentence))


def says_unchanged(text: str) -> bool:
    """Tells whether the words tell that nothing was changed."""
    return bool(UNCHANGED.search(fold_text(text)))


def says_fruitless(text: str) -> bool:
    """Tells whether the words tell that nothing was found or could be looked up."""
    return bool(FRUITLESS.search(fold_text(text)))


def wishes_change(words: str) -> bool:
    """Tells whether the student's words ask for a change, not only about one."""
    said = fold_text(words)
    return bool(WISH.search(said)) and not ASKS_ONLY.search(said)


def wishes_applied(words: str) -> bool:
    """Tells whether the student's words ask for the draft to be made part of the timetable."""
    said = fold_text(words)
    return bool(APPLY_WISH.search(said)) and not ASKS_ONLY.search(said)


def asks_place(words: str) -> bool:
    """Tells whether the student's words ask where something stands, or what stands at a time: not where it might."""
    said = fold_text(words)
    return bool(LOOKUP.search(said)) and not ADVICE_WISH.search(said)


def answers_wish(words: str) -> bool:
    """Tells whether words can answer a wish for a change without one: they ask, or say that it is not done."""
    return bool(ASKED.search(fold_text(words))) or says_unchanged(words)


def drops_wish(words: str) -> bool:
    return bool(DROPPED.search(fold_text(words)))


def is_false(sentence: str, facts: AllowedClaims) -> bool:
    """Tells whether a sentence claims what the facts do not bear. A question claims nothing."""
    if QUESTION.search(sentence):
        return False
    claims = _claims(sentence)
    if (claims and not facts.changed) or (says_applied(sentence) and not facts.applied):
        return True
    whole = said = fold_text(sentence)
    numbers = not _names_class(said, facts.others)
    named = [
        name for name in facts.places if name and (fold_text(name) in said or (numbers and _is_numbered(name, said)))
    ]
    for name in named:
        said = said.replace(fold_text(name), " ")
    if not claims and (not named or MIGHT_BE.search(said)):
        return False
    counts = _counts(said)
    beside = {count - 1 for count in facts.held}  # how many there are with the one that is named
    known = facts.counts if claims else facts.counts | facts.held | beside
    if any(count not in known for count in counts):
        return True
    if not claims:
        return not NOT_DONE.search(said) and _is_elsewhere(whole, named, facts)
    done = [count for clause in _CLAUSE.split(said) if not _BESIDE.search(clause) for count in _counts(clause)]
    if done and not facts.made & {*done}:
        return True
    if facts.touched is not None and _names_another(sentence, named, facts.touched):
        return True
    meant = named or (sorted(facts.touched) if facts.touched else facts.places)
    standing = [place for name in meant for place in facts.places.get(name, ())]
    reported = _reports(said)
    # Of the other clauses those alone that need be of items: why it was moved, and what became free, is told too.
    clauses = [clause for clause in _CLAUSE.split(said) if clause in reported or not _is_of_others(clause)]
    told = "，".join(clauses)
    dated = _is_misdated("，".join(_reports(sentence)), standing)
    return dated or _is_misplaced(told, standing) or _at_another_time(told, standing, facts.parts)


def _is_of_others(clause: str) -> bool:
    return any(pattern.search(clause) for pattern in (_OF_NO_ITEM, _OF_DATES, _BESIDE))


def _is_elsewhere(said: str, named: Sequence[str], facts: AllowedClaims) -> bool:
    """Tells whether a sentence that reports no change has an item at a place where it does not stand. Each part of it
    is about the items that it names, or about those of the parts beside it; it may tell of free times, of lessons, of
    exams and of how many others there are, too."""
    marks = {f"\0{at}\0": name for at, name in enumerate(sorted(named, key=len, reverse=True))}
    for mark, name in marks.items():
        said = said.replace(fold_text(name), mark)
    parts = _PART.split(said)
    numbers = not _names_class(said, facts.others)
    own = [
        [name for mark, name in marks.items() if mark in part or (numbers and _is_numbered(name, part))]
        for part in parts
    ]
    for at, part in enumerate(parts):
        if _BESIDE.search(part) or _OF_DATES.search(part):
            continue
        if not own[at] and (_OF_NO_ITEM.search(part) or _counts(part)):
            continue
        before = next((names for names in reversed(own[:at]) if names), [])
        behind = next((names for names in own[at:] if names), [])
        for mark in marks:
            part = part.replace(mark, " ")
        standing = [place for name in own[at] or [*before, *behind] for place in facts.places.get(name, ())]
        wider = bool(_WIDER.search(part))
        if _is_misplaced(part, standing, wider=wider) or _at_another_time(part, standing, facts.parts):
            return True
    return False


def _names_another(sentence: str, named: Sequence[str], touched: frozenset[str]) -> bool:
    """Tells whether a sentence that tells of a change names an item in full that was not changed."""
    said = fold_text(sentence)
    for name in sorted(touched, key=len, reverse=True):
        said = said.replace(fold_text(name), " ")
    return not _BESIDE.search(said) and any(fold_text(name) in said for name in named if name not in touched)


def _at_another_time(said: str, standing: Sequence[ClaimedPlace], parts: Sequence[tuple[int, int]]) -> bool:
    """Tells whether the sentence names one part of the day and nothing stands in it; of several it may name the old
    one."""
    named = [part for words, part in zip(_PARTS, parts, strict=False) if words.search(said)]
    if len(named) != 1 or not standing:
        return False
    first, last = named[0]
    return not any(place.first <= last and first <= place.last for place in standing)


def _groups(pattern: re.Pattern[str], said: str) -> list[tuple[str, ...]]:
    """Returns the groups of each match, "" for one that took no part."""
    return [match.groups("") for match in pattern.finditer(said)]


def _is_numbered(name: str, said: str) -> bool:
    """Tells whether an item is called by its chapter alone."""
    called = {one or other for one, other in _CALLED.findall(said)}
    return any((one or other) in called for one, other in _CALLED.findall(fold_text(name)))


def _names_class(said: str, names: Iterable[str]) -> bool:
    """Tells whether one of these classes is named, as a student calls it: without what it is for."""
    called = (_PURPOSE.sub("", fold_text(name)).strip() for name in names)
    return any(name and name in said for name in called)


def _counts(said: str) -> list[int]:
    found = [one or other for one, other in _groups(_COUNT, said)]
    return [int(word) if word.isdigit() else _NUMBER.get(word) or _EN_NUMBER.get(word, 0) for word in found]


def _is_misplaced(said: str, standing: Sequence[ClaimedPlace], *, wider: bool = False) -> bool:
    """Tells whether a place in the sentence is none of those; `wider`: nor a longer time around one."""
    weeks = {int(one or other) for one, other in _groups(_WEEK, said)}
    days = {"一二三四五六日".find(day) + 1 for (day,) in _groups(_DAY_ZH, said) if day in "一二三四五六日"}
    days |= {7 for (day,) in _groups(_DAY_ZH, said) if day == "天"} | {
        _DAYS.index(day) + 1 for (day,) in _groups(_DAY_EN, said)
    }
    spans = [[int(part) for part in found if part] for found in _groups(_SPAN, said)]
    if not weeks <= {place.week for place in standing} or not days <= {place.day for place in standing}:
        return True
    return any(not _stands(span, standing, wider=wider) for span in spans)


def _is_misdated(reported: str, standing: Sequence[ClaimedPlace]) -> bool:
    """Tells whether what is told of something done names a date at which none of those is."""
    dates = {place.date for place in standing}
    return (0, 0) not in dates and not _dates(reported) <= dates


def _dates(said: str) -> set[tuple[int, int]]:
    """Returns month and day of each date of the calendar."""
    written = {(int(month or other), int(day or number)) for month, day, other, number in _groups(_DATE, said)}
    named = {
        (_MONTHS.index((one or other)[:3]) + 1, int(day or number))
        for one, day, number, other in _groups(_EN_DATE, said)
    }
    return written | named


def _stands(span: Sequence[int], standing: Iterable[ClaimedPlace], *, wider: bool) -> bool:
    """Tells whether sections are those of a place or some of them; `wider`: or some around it."""
    first, last = span[0], span[-1]
    return any(
        (place.first <= first and last <= place.last) or (wider and first <= place.first and place.last <= last)
        for place in standing
    )
