"""Hours that stand behind what one does on a day, beside that day, and the weeks in which it is, in plain words: each
wednesday i work, keep sections 5-8 free -> always nothing on wednesday sections 5-8; 每周二有合唱，从第4周到第8周 ->
以后第4周到第8周每周二都不要安排; 这周三下午打工，5到8节别排 -> 这周三5到8节打工，别排."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.slips import spell_contractions
from agent.llm.offline.language.spans.conditions.limit_forms import EVENT, EVERY, FREES, HABIT, PASTIME
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.spans.lesson_moves import says_lesson
from agent.llm.offline.language.spans.times.said_time import Time
from agent.llm.offline.language.spans.times.stretches import read_hours
from agent.llm.offline.language.spans.times.words import MONTH
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, Signed, sign_phrases

_NONE = f"[^{TIME[1:-1]}]"
_DAY = rf"(?P<day>{TIME}(?:\s*(?:的|in the )?{TIME})*)"
_LED = r"(?:\b(?:from|in|at|for|during|on|the|间|是|在|第)\s*)*"
_BESIDE_DAY = re.compile(
    rf"^(?P<lead>{_NONE}*?)(?:\bon )?{_DAY}(?P<deed>{_NONE}*?)(?:{_LED}(?P<hours>{TIME})(?P<tail>{_NONE}*))?$"
)
_TO, _FROM = r"(?:[一1]?直)?[到至]|\b(?:up )?(?:until|till?|through) ", r"从|\b(?:from|starting(?: in)?|as of) "
_BOUND = re.compile(rf"[,，\s]*(?P<to>{_TO})?(?P<from>{_FROM})?(?P<when>{TIME})(?P<since>开始|起|为止)?")
_ANOTHER = re.compile(rf"\ban? (?:\w+ )?(?:{CLASS}|{ITEM})")
"""What only has a word of a name: a chem lab."""
_WEEKLY = re.compile(r"都|固定|\b(?:always|usually|regularly)\b")
_OTHER = re.compile(
    r"移|挪|推|提前|取消|删|加(?!班)|换|改|标|只|仅|除|如果|要是|可以|最多|超过|[才再]|不用去|[?？吗]|学完|考"
    r"|\b(?:mov\w+|shift|push|cancel\w*|delet\w+|remov\w+|add|swap|mark|only|just|if|unless|except|but|instead|can|fine"
    r"|most|more|less|max\w*|until|till?|before|after|so far|was|were|had|did|exam|midterm|test|quiz|deadline)\b"
)
_PLANS = re.compile(r"复习|排(?!练)|放(?!学)|学(?!生|院|校)|\b(?:plan|schedul\w+|put|use|place|study\w*|revis\w+)\b")
_LONGEST = 140


_MORE = re.compile(r"占|新建|创建|任务|[建加]一?[个门]|\b(?:create|add|class|course|task|plan)\b")
"""What wants more than that hours stay free."""


def spell_hours_of_day(message: str, plan: SelectionPlan) -> str:
    """The message with hours beside the day whose they are, where it tells what keeps them free; any other as it is."""
    text = fold_text(message).strip(" .。!！")
    if len(text) > _LONGEST or _MORE.search(text) or read_hours(text).length is not None:
        return message
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    rest, bound = _cut_bound(signed, zh=zh)
    rest = _ANOTHER.sub("a", rest) if bound else rest
    found = None if re.search(f"{CLASS}|{ITEM}|{NUMBERED}", rest) else _BESIDE_DAY.search(rest)
    if found is None or not re.search(r"\w", found["lead"] + found["deed"]):
        return message
    days, hours = signed.times_of(found["day"]), signed.times_of(found["hours"] or "")
    inner = [one for one in days if one.kind in _HOURS]
    if bool(hours) + bool(inner) > 1 or not (hours or bound) or not _is_day(days) or not all(map(_is_hours, hours)):
        return message
    told = f"{found['lead']} {found['deed']} {found['tail'] or ''}"
    planned = _PLANS.search(found["lead"]) and not _stays_free(found["lead"])
    if planned or _OTHER.search(told) or asks_whether(text) or not _stays_free(told):
        return message
    kept = [
        char for char in found["day"] if char not in signed.said or _stays(signed.times_of(char)[0], hours or inner)
    ]
    when = " ".join(f"{signed.restore(''.join(kept))} {signed.restore(found['hours'] or '')}".split())
    when = when.replace(" ", "") if zh else _HOUR_ALONE.sub(r"at \g<0>", when)
    if bound or EVERY.search(signed.restore(found["day"])) or _WEEKLY.search(told):
        return f"以后{bound}{when}都不要安排" if zh else f"always nothing on {when}{bound}"
    return f"{when}{found['deed']}{found['tail']}" if zh else f"keep {when} free"


_HOUR_ALONE = re.compile(r"(?<=[a-z] )\d{1,2}$")
_HOURS = ("sections", "clock")


def _cut_bound(signed: Signed, *, zh: bool) -> tuple[str, str]:
    """A signed text without the weeks or days in which what it tells comes again, and these in plain words."""
    for found in _BOUND.finditer(signed.text):
        one, led = signed.times_of(found["when"])[0], found["to"] or found["from"] or found["since"]
        several = bool(one.first and one.last and (one.last - one.first).days >= _WEEK)
        open_ended = led and (one.first or one.last) and one.number is None
        if one.weekdays or one.kind not in ("week", "day", "days") or not (several or open_ended):
            continue
        until = found["to"] or found["since"] == "为止"
        said = signed.restore(found["when"])
        if zh:
            told = said if several else f"{said}为止" if until else f"从{said}开始"
        else:
            led_by = ("in " if _MONTH.fullmatch(said) else "") if several else "until " if until else "from "
            told = f" {led_by}{said}"
        return f"{signed.text[: found.start()].rstrip()},{signed.text[found.end() :]}".strip(", "), told
    return signed.text, ""


_WEEK = 7
_MONTH = re.compile(MONTH)


def _is_hours(one: Time) -> bool:
    return one.kind in _HOURS and not (one.side or one.impossible)


def _is_day(times: Sequence[Time]) -> bool:
    """Whether times tell one weekday, of every week or of one, and at most a part of it."""
    named = [one for one in times if one.kind in ("weekday", "day")]
    plain = all(one.kind in ("weekday", "day", "part", "every", *_HOURS) and not one.side for one in times)
    odd = any(one.impossible or one.role == "origin" or one.every not in ("", "1") for one in times)
    return plain and len(named) == 1 and not odd


def _stays(one: Time, hours: Sequence[Time]) -> bool:
    """Whether a word of a day is told beside its hours: the part of the day tells which hour a clock shows."""
    return one.kind != "part" or all(other.kind == "clock" for other in hours)


def _stays_free(told: str) -> bool:
    """Whether words refuse a time, or tell of what one does then without a word of planning."""
    refused = FREES.search(told) or says("keep_free", spell_contractions(told))
    busy = any(form.search(told) for form in (EVENT, HABIT, PASTIME)) or says("busy_then", told)
    return bool(refused) or (busy and not _PLANS.search(told) and not says_lesson(told))
