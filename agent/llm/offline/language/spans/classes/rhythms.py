"""How often something of a class is done and how long it takes: twice a week, every other day, 20 minutes each."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_numbers, widths
from agent.llm.offline.language.spans.times.hours import SECTION_MINUTES
from agent.llm.offline.language.words.guarded import GuardedPattern
from taskclasses.spec import DURATION_MAX

_DONE_ZH = r"(?:\s|大概|大约|都|要|上|学|练|做|跑|去|排|看|背|读|写|打卡|来)*"
RHYTHM = re.compile(
    rf"(?:每|一|1)个?(?:周|星期|礼拜){_DONE_ZH}(?P<week>\d{{1,2}})\s*(?:次|回|遍|天)(?!以[上内下])"
    rf"|(?P<other>隔[一1]?[天日]|每(?:隔[一1]|2)[天日]){_DONE_ZH}(?:[一1](?:次|回|遍))?"
    rf"|每(?P<gap>[3-9])[天日]{_DONE_ZH}[一1](?:次|回|遍)"
    rf"|(?P<day>每[天日]|[一1]天){_DONE_ZH}(?P<daily>\d)\s*(?:次|回|遍|节)"
    r"|(?P<often>\d|\bonce|\btwice|\bone) ?(?:x|times|sessions?|lessons?|runs?|workouts?|meetings?)? "
    r"?(?:(?:a|per|each|every) (?P<per>week|day)|(?P<ly>week|dai)ly)\b"
    r"|(?P<second>\bevery (?:other|second|2) days?\b|\b(?:once )?every (?P<nth>\d) days\b)"
    r"|(?P<always>\b(?:once )?(?:every day|daily|each day)\b)|(?P<weekly>\b(?:every|each) week\b|\bweekly\b)"
)
_ONE = {"once": 1, "one": 1, "twice": 2}
_LIMIT = re.compile(r"最多|至多|不超过|最少|至少|\b(?:at (?:most|least)|no more|max\w*|min(?:imum)?|up to)\b")
_MINUTES = re.compile(
    r"(?P<zh>\d{1,3}(?:\.\d)?|半)\s*个?(?P<half>半)?(?P<unit>小时|钟头|分钟)(?P<half2>半)?"
    r"|(?P<en>\b\d{1,3}(?:\.\d)?|\ba|\ban|\bone|\bhalf an?)[ -]?(?P<en_half>and a half )?"
    r"(?P<en_unit>hours?|hrs?|h|minutes?|mins?)\b(?P<en_half2> and a half)?"
)
_EACH = re.compile(r"每|各|[一1](?:次|回|遍|项|章|节课)|\b(?:each|every|per|an? (?:time|day|session|go))\b")
_LONG_ZH = r"(?:小?节课?|课时)"
_PIECE = GuardedPattern(
    r"(?:\band\b|(?<=节)[和与])?\s*(?P<name>[^,，、;；\n:：]*?"
    r"[^\s,，、;；\n:：\d(（第])\s*[(（]?\s*(?:要|需要|用|for|takes?|[–-](?= ))?\s*"
    r"(?<![\d~到至-])(?P<n>\d)\s*个?"
    rf"(?:{_LONG_ZH}|sections?\b|periods?\b)\s*[)）]?\s*(?=$|[,，、;；。\n]|\band\b|[和与])",
    needed=r"\d\s*(?:个\s*)?(?:节|小节|课时|section|period)",
)
_NO_NAME = re.compile(
    r"每|不|别|只|第|[一1]?共|总|各|[一1](?:次|个|项|章|天|周)|最|改|\b(?:each|total|every|all|at|about|with|only)\b|^\W*$"
)
_MOST = 100
_LASTS = re.compile(
    r"(?:^|[,，。;；\s]|为期|持续|一?共|总共|花|用|学|练|读|做|连续|计划|安排|开始|起)\s*(?P<zh>[1-9]\d?)\s*个?(?P<unit>天|周|星期|礼拜|月)"
    r"(?!后|前|之|以|内|\s*\d|[末一二三四五六日天])"
    r"|(?:\bfor |\bover |\blasts? |\btakes? |^|, ?)(?:the )?(?:next |about |around )?(?P<en>[1-9]\d?|an?"
    r"|one) (?P<en_unit>days?|weeks?|months?)\b"
    r"(?! (?:later|before|ahead|ago|earlier|off|each))"
)


_FROM_THEN = re.compile(
    r"(?:\bfor )?\b(?<!once )(?<!twice )(?<!one )(?<!two )(?<!times )(?<!\d )"
    r"(?P<long>(?:\d{1,2}|an?|one|two|three|four|five|six) (?:days?|weeks?|months?)),? (?P<then>(?:from"
    r"|starting|beginning)\b[^,.;]*)",
    re.IGNORECASE,
)


def spell_duration(text: str) -> str:
    """A text with how long something lasts behind its first day: two weeks from Monday."""
    return _FROM_THEN.sub(r"\g<then> for \g<long>", text)


def read_duration(text: str) -> int | None:
    """For how many days something lasts: 为期两周, for two weeks."""
    found = _LASTS.search(fold_numbers(text))
    if found is None:
        return None
    said, unit = found["zh"] or found["en"], found["unit"] or found["en_unit"]
    return (int(said) if said.isdigit() else 1) * {"天": 1, "d": 1, "月": 30, "m": 30}.get(unit[0], 7)


def read_rhythm(text: str) -> tuple[int, int] | None:
    """How many times in how many days something is done; None where a text tells none, or only a limit."""
    folded = fold_numbers(text)
    found = None if _LIMIT.search(folded) else RHYTHM.search(folded)
    if found is None:
        return None
    times, within = _count_in(found)
    return (times, within) if times and within else None


def _count_in(found: re.Match[str]) -> tuple[int, int]:
    """How many times in how many days a rhythm tells; a number may be nought."""
    if found["week"] or "week" in (found["per"], found["ly"]) or found["weekly"]:
        return _count(found["week"] or found["often"] or "1"), 7
    if found["other"] or found["second"] or found["gap"]:
        return 1, int(found["gap"] or found["nth"] or 2)
    return _count(found["daily"] or found["often"] or "1"), 1


def without_rhythm(text: str) -> str:
    """A folded text without how often something is done."""
    return RHYTHM.sub(" ", text)


def _count(said: str) -> int:
    return _ONE.get(said) or int(said)


def count_times(rhythm: tuple[int, int], days: int) -> int:
    """How many times there are in so many days; of a last week that is cut its share."""
    times, within = rhythm
    return max(1, min(_MOST, (2 * times * days + within) // (2 * within)))


def read_minutes(text: str) -> int | None:
    """How many minutes a text tells: 一个半小时, half an hour, 20 minutes."""
    found = _MINUTES.search(fold_numbers(text))
    if found is None:
        return None
    said, unit = found["zh"] or found["en"].strip(), found["unit"] or found["en_unit"]
    number = 0.5 if said.startswith(("半", "half")) else float(said) if said[0].isdigit() else 1.0
    number += 0.5 if found["half"] or found["half2"] or found["en_half"] or found["en_half2"] else 0.0
    return round(number * (1 if unit[0] in "分m" else 60)) or None


_TAKES = re.compile(
    r"要|需|用|占|花|得|给|够|就[行好]|[改算设变]成|\b(?:takes?|needs?|gets?|lasts?|is|be|make|give|should|long)\b"
)
_SHIFTED = re.compile(
    r"推|移|挪|[早晚]|延|提前|[之以]?[前后]|内|\b(?:later|earlier|before|after|ago|move|shift|push|by|in|within|from|until"
    r"|free|a (?:day|week))\b"
)


def spell_minutes(text: str, *, alone: bool = False) -> str:
    """A folded text with how long something takes in sections: 向量组要三个小时, it takes 3 hours. `alone`: also where
    no word tells that it takes so long."""
    clauses = re.split(r"([,，。;；\n])", text)
    alone = alone or any(_TAKES.search(one) and read_minutes(one) for one in clauses)
    told = [one for one in clauses if (alone or _TAKES.search(one)) and not _SHIFTED.search(one) and read_minutes(one)]
    for clause in told:
        number = sections_of(read_minutes(clause) or 0)
        said = f"{number} section{'s' * (number > 1)}" if clause.isascii() else f"{number}节"
        text = text.replace(clause, _MINUTES.sub(said, clause))
    return text


def minutes_each(text: str) -> int | None:
    """How many minutes one time takes: 20 minutes each, 每次半小时."""
    clauses = re.split(r"[,，。;；\n]", fold_numbers(text))
    often = read_rhythm(text) is not None
    return next((told for one in clauses if (often or _EACH.search(one)) and (told := read_minutes(one))), None)


def sections_of(minutes: int) -> int:
    """The number of sections that comes nearest to so many minutes."""
    return max(1, min(DURATION_MAX, round(minutes / SECTION_MINUTES)))


def take_lengths(text: str) -> tuple[str, tuple[tuple[str, int], ...]]:
    """A text without the lengths behind the names of a list, and these: 刑法两节、民法四节."""
    flat = widths(text)
    found = [one for one in _PIECE.finditer(_with_digits(flat)) if not _NO_NAME.search(one["name"])]
    if len(found) < (1 if "、" in flat else 2):
        return text, ()
    spelled, begin, told = _with_digits(flat), 0, list[str]()
    for one in found:
        joint = "," if spelled[one.start() : one.start("name")].strip() else ""
        told += [spelled[begin : one.start()], joint, one["name"]]
        begin = one.end()
    names = tuple((one["name"].strip(), int(one["n"])) for one in found)
    return "".join([*told, spelled[begin:]]), names


def _with_digits(text: str) -> str:
    """A text with its lengths alone in digits: a name keeps its own numerals."""
    text = re.sub(rf"[一两二三四五六七八九](?={_LONG_ZH})", lambda one: fold_numbers(one.group()), text)
    return re.sub(r"\b(?:one|two|three|four)(?= (?:sections?|periods?)\b)", _spell_number, text)


def _spell_number(one: re.Match[str]) -> str:
    return "1" if one.group() == "one" else fold_numbers(one.group())
