"""Times that are taken every week by what the student does then: a wish that holds for all plans, not for this one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.frames import OTHER, Frame

EVERY_WEEK = "wish_nothing_on"
LEAST = 0.2
"""The chance of such a wish that is enough where its words tell of every week and of what one does then."""
_BUSY = ("away", "nothing_on", EVERY_WEEK)
_RECURS = re.compile(
    r"每个?(?:周|星期|礼拜)|以后|今后|从此|固定|一直都?要|长期|平时都"
    r"|\b(?:every|each) (?:\w+day|week|weekend)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bweekends\b"
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
