"""Hours that stand behind what one does on a day, beside that day, in plain words: each wednesday i work, keep sections
5-8 free -> always nothing on wednesday sections 5-8; 这周三下午打工，5到8节别排 -> 这周三5到8节打工，别排."""

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
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, sign_phrases

_DAY = rf"(?P<day>{TIME}(?:\s*(?:的|in the )?{TIME})*)"
_BESIDE_DAY = re.compile(
    rf"^(?P<lead>[^{TIME[1:-1]}]*?)(?:\bon )?{_DAY}(?P<deed>[^{TIME[1:-1]}]*?)"
    rf"(?:\b(?:from|in|at|for|during|on|the|间|是|在|第)\s*)*(?P<hours>{TIME})(?P<tail>[^{TIME[1:-1]}]*)$"
)
_WEEKLY = re.compile(r"都|固定|\b(?:always|usually|regularly)\b")
_OTHER = re.compile(
    r"移|挪|推|提前|取消|删|加(?!班)|换|改|标|只|仅|除|如果|要是|可以|最多|超过|[才再]|不用去|[?？吗]|学完|考"
    r"|\b(?:mov\w+|shift|push|cancel\w*|delet\w+|remov\w+|add|swap|mark|only|just|if|unless|except|but|instead|can|fine"
    r"|most|more|less|max\w*|until|till?|before|after|so far|was|were|had|did|exam|midterm|test|quiz|deadline)\b"
)
_PLANS = re.compile(r"排(?!练)|放(?!学)|学(?!生|院|校)|\b(?:plan|schedul\w+|put|use|place|study\w*|revis\w+)\b")
_LONGEST = 140


def spell_hours_of_day(message: str, plan: SelectionPlan) -> str:
    """The message with hours beside the day whose they are, where it tells what keeps them free; any other as it is."""
    text = fold_text(message).strip(" .。!！")
    if len(text) > _LONGEST:
        return message
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    found = None if re.search(f"{CLASS}|{ITEM}|{NUMBERED}", signed.text) else _BESIDE_DAY.search(signed.text)
    if found is None:
        return message
    days, hours = signed.times_of(found["day"]), signed.times_of(found["hours"])[0]
    if (
        not re.search(r"\w", found["lead"] + found["deed"])
        or not _is_day(days)
        or hours.kind not in ("sections", "clock")
        or hours.side
        or hours.impossible
    ):
        return message
    told = f"{found['lead']} {found['deed']} {found['tail']}"
    if _OTHER.search(told) or asks_whether(text) or not _stays_free(told):
        return message
    kept = [one for one in found["day"] if one not in signed.said or _stays(signed.times_of(one)[0], hours)]
    when = f"{signed.restore(''.join(kept)).strip()}{'' if zh else ' '}{signed.restore(found['hours'])}"
    if EVERY.search(signed.restore(found["day"])) or _WEEKLY.search(told):
        return f"以后{when}都不要安排" if zh else f"always nothing on {when}"
    return f"{when}{found['deed']}{found['tail']}" if zh else f"keep {when} free"


def _is_day(times: Sequence[Time]) -> bool:
    """Whether times tell one weekday, of every week or of one, and at most a part of it."""
    named = [one for one in times if one.kind in ("weekday", "day")]
    plain = all(one.kind in ("weekday", "day", "part", "every") and not one.side for one in times)
    odd = any(one.impossible or one.role == "origin" or one.every not in ("", "1") for one in times)
    return plain and len(named) == 1 and not odd


def _stays(one: Time, hours: Time) -> bool:
    """Whether a word of a day is told beside its hours: the part of the day tells which hour a clock shows."""
    return one.kind != "part" or hours.kind == "clock"


def _stays_free(told: str) -> bool:
    """Whether words refuse a time, or tell of what one does then without a word of planning."""
    refused = FREES.search(told) or says("keep_free", spell_contractions(told))
    busy = any(form.search(told) for form in (EVENT, HABIT, PASTIME)) or says("busy_then", told)
    return bool(refused) or (busy and not _PLANS.search(told) and not says_lesson(told))
