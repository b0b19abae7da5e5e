"""A message as it is meant at its end: what is taken back within it, or put right, is no part of it any more.

Before anything else reads a message. 把第二章挪到周五，算了 wants nothing; "move lab 3 to friday, no wait, saturday"
says the same as "move lab 3 to saturday".
"""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.filling import put_in
from agent.llm.offline.language.dialogue.revision.corrections import correct_request
from agent.llm.offline.language.dialogue.rewriting import adds_more
from agent.llm.offline.language.dialogue.slots import Span, find_spans
from agent.llm.offline.language.lexicon import pattern
from agent.llm.offline.language.meaning.ellipsis import form_of, strip_fillers
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import requests_in
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.words.second_thoughts import (
    APART,
    DENIES,
    DENIES_ONLY,
    INSTEAD,
    PLURAL,
    REFUSED,
    SLIP,
    SUPPOSED,
    SURELY,
    TAKES_BACK,
    WEAK,
)

_GLUE = re.compile(r"[\s,，、;；]*(?:(?:to|on|at|in|of|the|for|and|or|的|和|跟|到|在|是)\b[\s,，]*)*", re.IGNORECASE)
"""What stands between two things that are told together."""
_TAIL = re.compile(
    r"[\s,，.。!！]*(?:\b(?:instead|please|then|rather|i mean|i meant)\b|才对|[吧呢啊呀了])*[\s.。!！]*", re.IGNORECASE
)
_QUOTED = re.compile(r"[「『“\"《][^」』”\"》]*[」』”\"》]")
_BROKEN_OFF = re.compile(
    r"(?P<begun>[^,，。;；!！?？\n]{1,40}?)(?:\.{2,}|…+|—+)\s*(?:[哦啊呃额嗯噢]|oh |uh |um )*"
    r"(?:不对|不是|不|等等|说错了?|(?:no|wait|sorry|actually|i mean)\b)[\s,，]+(?=\S)",
    re.IGNORECASE,
)
"""A sentence that is not ended, because something else is meant."""
_MOST = 4
"""Slips of one message."""


def settle(text: str, brief: Brief) -> str:
    """The message without what is taken back or put right in it; the words that take back all of it where nothing else
    is wanted, and the message as it is where it has no such words."""
    broken = _BROKEN_OFF.match(text)
    if broken and not (_wants(broken["begun"], brief) and _says_more(_MOVES.sub(" ", broken["begun"]), brief)):
        text = text[broken.end() :]
    for _ in range(_MOST):
        if (right := _put_right(text, brief)) == text:
            break
        text = right
    folded = fold_text(text)
    if (denied := DENIES_ONLY.search(folded)) and form_of(old := denied["old"].strip(), brief) == "item":
        return brief.say("算了", "never mind") if old in folded[: denied.start()] else text
    return _leave_out_taken_back(text, brief)


def _leave_out_taken_back(text: str, brief: Brief) -> str:
    """The message without the requests that it takes back: with what it wants instead alone, if there is something."""
    for found in reversed(_find_outside([TAKES_BACK, INSTEAD], text)):
        before, after = text[: found.start()].strip(" ,，;；"), text[found.end() :].strip(" ,，.。;；!！…—–-")
        if not before or not _takes_back(found, text, before, brief):
            continue
        if found.re is INSTEAD and adds_more(after):
            continue
        if after and (_wants(after, brief) or find_spans(fold_text(after), brief)):
            return _read_after(before, after, brief)
        if found.re is TAKES_BACK:
            return brief.say("算了", "never mind")
    return text


def _find_outside(forms: list[re.Pattern[str]], text: str) -> list[re.Match[str]]:
    """Where words of these forms stand in a text, outside of what it quotes."""
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    every = [found for form in forms for found in form.finditer(text)]
    return [found for found in every if not any(start < found.start() < stop for start, stop in quoted)]


def _takes_back(found: re.Match[str], text: str, before: str, brief: Brief) -> bool:
    """Whether words take back what is said in front of them, and are no part of it, or of what is said of a thing."""
    wanted, led = _wants(before, brief), found.group()
    if found.re is INSTEAD:
        return wanted and len(requests_in(before, brief)) == 1
    surely = SURELY.search(text[: found.start()]) or SURELY.search(led)
    of_a_deed = found["deed"] is not None and not (wanted or SURELY.search(led))
    if SUPPOSED.search(text[: found.start()]):
        return False
    named = form_of(before, brief) in ("item", "class") and not _says_more(before, brief)
    return bool(surely) and not named and (wanted or _says_more(before, brief)) and not of_a_deed


def _read_after(before: str, after: str, brief: Brief) -> str:
    """What is wanted in the place of what was taken back: of the same thing, where it names none itself."""
    kinds = {one.kind for one in find_spans(fold_text(after), brief)}
    points = pattern("pronoun").search(fold_text(after)) is not None
    if not points and kinds == {"item"} and not _says_more(_MOVES.sub(" ", after), brief):
        return put_in(after, before, brief) or after
    if not points and (kinds & {"item", "class"} or intent_of(after, brief) not in ("move", "place", "other")):
        return after
    said = brief.say("算了，", "scratch that, ") + after
    return correct_request(said, before, brief, refused=False) or put_in(after, before, brief) or after


_MOVES = re.compile(r"[把将挪移换改动排放]|\b(?:move|put|shift|take|do|let's|instead)\b", re.IGNORECASE)


def _wants(text: str, brief: Brief) -> bool:
    """Whether a text wants something of its own."""
    return intent_of(text, brief) != "other"


def _says_more(text: str, brief: Brief) -> bool:
    """Whether a text has more than names and times: these alone are what something else is said of."""
    folded, rest = fold_text(text), []
    at = 0
    for one in find_spans(folded, brief, names=True):
        rest.append(folded[at : one.start])
        at = max(at, one.end)
    return strip_fillers(" ".join([*rest, folded[at:]])).strip(" ,，.。?？") != ""


def _put_right(text: str, brief: Brief) -> str:
    """The message with the first slip put right in it."""
    folded = fold_text(text)
    said = text if len(text) == len(folded) else folded
    denied = DENIES.search(folded)
    if denied and (right := _replace_denied(said, folded, denied, brief)):
        return right
    for found in _find_outside([SLIP], folded):
        if right := _replace(said, folded, found, brief):
            return right
    return text


def _replace_denied(said: str, folded: str, denied: re.Match[str], brief: Brief) -> str:
    """The message with what is meant in the place of what is not; empty where it does not tell that in front."""
    old, new = denied["old"].strip(), denied["new"].strip()
    at = folded.rfind(old, 0, denied.start())
    kinds = [{one.kind for one in find_spans(each, brief)} for each in (old, new)]
    if at < 0 or not kinds[0] or kinds[0] != kinds[1]:
        return ""
    return said[:at] + said[denied.start("new") : denied.end("new")] + said[at + len(old) : denied.start()]


def _replace(said: str, folded: str, slip: re.Match[str], brief: Brief) -> str:
    """The message with what comes behind a slip in the place of what is of its kind in front of it; empty where one of
    the two is missing."""
    end = slip.end()
    before = find_spans(folded[: slip.start()], brief, joins=False)
    places, rest = list[tuple[int, int, str]](), end
    for group in _group_head(folded[end:], find_spans(folded[end:], brief, joins=False)):
        new = said[end + group[0].start : end + group[-1].end]
        own = [one for one in before if one.kind == group[0].kind][-len(group) :]
        place = _find_piece(new, folded[: slip.start()]) or (
            (own[0].start, own[-1].end, _bound(said[own[0].start : own[-1].end], new)) if own else None
        )
        if place is None:
            break
        places.append(place)
        rest = end + group[-1].end
    if (
        not places
        or _JOINS.search(folded[: slip.start()])
        or adds_more(re.split(r"[,，.。;；]", folded[end:])[0])
        or (WEAK.match(slip["slip"]) and not _is_no_refusal(slip, folded, *min(places)[:2]))
    ):
        return ""
    alone, last = _TAIL.fullmatch(folded[rest:]) is not None, max(stop for _, stop, _ in places)
    if not alone and _between(folded[last : slip.start()], before, last):
        return ""
    front = said[: slip.start()]
    for start, stop, new in sorted(places, reverse=True):
        front = front[:start] + new + front[stop:]
    return front + ("" if alone else said[rest:])


_NUMBER = r"(?:\d{1,2}|[一两二三四五六七八九十]{1,3}|\b(?:an?|one|two|three|four|five|six|seven)(?= ))"
_PIECES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?:周|星期|礼拜)[一二三四五六日天末]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:mon|tue|wed|thu|fri|sat|sun)\b",
        r"早上|上午|中午|下午|傍晚|晚上|\b(?:morning|afternoon|evening|night)s?\b",
        r"(?:\d{1,2}|[一两二三四五六七八九十]{1,3})(?:[:：]\d\d|点半?)",
        *(rf"{_NUMBER} ?{unit}" for unit in ("天", "个?(?:周|星期)", "节", "days?", "weeks?", "(?:section|period)s?")),
    )
)
"""Pieces of a time of which one may be put right alone: the weekday in a week, the part of a day, the hour in it."""
_UNTIL = re.compile(r"^(?:until|till?|by|before|after|from|since)\s+", re.IGNORECASE)
_BEHIND = re.compile(r"(?:之前|以前|之后|以后|前|后|起|开始)$")


_JOINS = re.compile(r"(?:\band|[和跟与也]|还有|另外)[\s,，]*$", re.IGNORECASE)
"""What makes of what follows something more."""


def _is_no_refusal(slip: re.Match[str], folded: str, start: int, stop: int) -> bool:
    """Whether a bare "no" puts something right, and does not refuse what follows it: friday no saturday, no mondays."""
    apart = APART.search(slip.group()) is not None
    of_time = any(form.fullmatch(folded[start:stop]) for form in _PIECES) and not PLURAL.match(folded, slip.end())
    return (apart or of_time) and not REFUSED.search(folded[:start])


def _find_piece(new: str, before: str) -> tuple[int, int, str] | None:
    """Where a piece of a time stands whose like is all that is new: 第4周周三, with 周五."""
    for form in _PIECES:
        if form.fullmatch(new.strip()) and (pieces := [*form.finditer(before)]):
            return (*pieces[-1].span(), new)
    return None


def _bound(old: str, new: str) -> str:
    """What is new, with what bounds the old in front of it or behind it: until friday, 周五之前."""
    first, last = (None if form.search(new) else form.search(old) for form in (_UNTIL, _BEHIND))
    return (first.group() if first else "") + new + (last.group() if last else "")


def _group_head(text: str, spans: list[Span]) -> list[list[Span]]:
    """The spans with which a text begins, side by side, those of one kind together."""
    groups, at = list[list[Span]](), 0
    for one in spans:
        if not _GLUE.fullmatch(text[at : one.start]):
            break
        if groups and groups[-1][-1].kind == one.kind:
            groups[-1].append(one)
        else:
            groups.append([one])
        at = one.end
    return groups


def _between(text: str, before: list[Span], at: int) -> str:
    """What a text has between a span and its end beside other spans and what joins them."""
    for one in before:
        if one.start >= at:
            text = text[: one.start - at] + " " * (one.end - one.start) + text[one.end - at :]
    return strip_fillers(_GLUE.sub(" ", text)).strip(" ,，.。…")
