"""What is done by a message: a deed may be wanted, or refused, weighed, supposed or told of others; then nothing is
done. It is told by the words around the deed: by those of its clause in front of it, and by how it ends.

Of all words in front of a deed those count first that take it back: "I don't think you should move chapter 2 to friday"
names a deed, and wants none. Before anything else reads a message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.grammar import Intent
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import requests_in
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import read_supposition
from agent.llm.offline.language.spans.mentions import all_items, blank_names, classes_in, core_of, items_in
from agent.llm.offline.language.spans.targets import shift_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.words import told_deeds as words
from agent.llm.offline.language.words.speech_acts import (
    AGAINST,
    ANY,
    ASKS_AWAY,
    BASES,
    DEED_ZH,
    PLACES,
    STATE_AGAINST,
    STRONGLY,
    WRONG_SIDE,
)

_KEPT: tuple[Intent, ...] = ("keep", "undo", "wish", "limit")


Kind = Literal["told", "advised", "weighed", "supposed", "refused"]
OTHERS = ("听说的事", "what others do")
WEIGHED = ("这是个好主意吗", "is that a good idea?")
"""What a message is read as that asks for no deed: it names nothing, so that nothing later points to it."""


@dataclass(frozen=True)
class Act:
    """What is done by a message that names a deed and does not ask for it; `deed`: as it would be asked for."""

    kind: Kind
    deed: str


def find_act(text: str, brief: Brief) -> Act | None:
    """What is done by a message which names a deed; None where it is wanted, or read for what it asks."""
    said = _TAIL.sub("", text.replace("’", "'").strip())
    if len(said) > _LONGEST or _QUOTED.search(said) or _SENTENCES.search(said):
        return None
    if (words.ABSENT.match(said) or words.ABSENT_ZH.match(said)) and not _names(said, brief):
        return Act("told", "")
    for at in _find_deeds(said, brief):
        clause, deed = words.APART.split(said[:at])[-1].lstrip(), said[at:]
        before = said[:at].removesuffix(clause).strip(" ,，;；")
        if _MORE.search(deed):
            return None
        if (before and intent_of(before, brief) != "other") or words.WANTED_TOO.search(deed):
            return None  # more than that
        kind, plain = (_find_kind if said.isascii() else _find_kind_zh)(clause, deed), _spell_deed(deed)
        if kind == "refused" or _names(plain, brief) or intent_of(plain, brief) not in ("other", *_KEPT):
            return Act(kind, plain) if kind and _tells(kind, said, plain, brief) else None
    return None


_DICTATED = re.compile(r"(?<=[一-鿿]) +(?=[把将请帮不别])")
"""Between two clauses that no comma parts."""
_MORE = re.compile(r"[\s,，;；][把将请帮][^,，]{2}")
"""Another deed behind one."""
_SENTENCES = re.compile(r"[.!?。！？；;]\s+\S|[。！？；]\S")
"""What tells more than one thing is read by its parts."""
_LONGEST = 160
_QUOTED = re.compile(r"[「『“\"《]")
_TAIL = re.compile(
    r"[,，]?\s*(?:哈+|呵+|嘻+|笑死|好羡慕|你知道吗|(?:ha)+|lol|imagine that|isn't (?:that"
    r"|it) \w+)?[\s.。!！?？~～]*$",
    re.IGNORECASE,
)
_OFTEN = 3
"""Deeds of a message of which one may be none: what changes if I move it."""


def _find_deeds(said: str, brief: Brief) -> list[int]:
    """Where deeds begin in a message; in Chinese one may begin with the thing that it is done to."""
    if said.isascii():
        return [found.start() for found in words.DEED_OR_PROGRESS.finditer(said)][:_OFTEN]
    things = {core for row in (*all_items(brief), *brief.classes) if (core := core_of(row["name"]))}
    begins = "|".join([words.DEED_ZH.pattern, r"第[\d一二三四五六七八九十]+[章讲单]", *map(re.escape, things)])
    first = re.search(begins, said)
    return [first.start()] if first and words.DEED_ZH.search(said, first.start()) else []


_OWN = re.compile(r"\b(?:i|we|i've|we've)\b", re.IGNORECASE)


def _find_kind(clause: str, deed: str) -> Kind | None:
    """What is done by the words in front of a deed, and by those behind it; None where they ask for it."""
    if words.ASKS_FOR_PLACE.search(clause):
        return None
    if words.WEIGHS.search(clause) or ((not clause or words.IS_IT.search(clause)) and words.WEIGHED.search(deed)):
        return "weighed"
    if words.MAD.search(clause):
        return "refused"
    if words.SUPPOSES.search(clause) and not words.PERMITS.search(clause):
        return "supposed"
    if words.GIVES_UP.search(clause) or (_OWN.search(clause) and words.GIVEN_UP.search(deed)):
        return "told"
    if words.NOT_REFUSED.search(clause):
        return None
    first = deed.split()[0].lower()
    if words.REFUSES.search(clause):
        plain = words.DEED.match(deed) is not None and (BASES.get(first, first) == first or first.endswith("ing"))
        return "refused" if plain else None  # not planned yet, or not done
    if words.ADVISES.search(clause):
        return "advised"
    named = words.NAMED.match(clause) and (BASES.get(first) != first or " " in clause.strip())
    return "told" if named or words.OTHERS.match(clause) else None


def _find_kind_zh(clause: str, deed: str) -> Kind | None:
    """The same of Chinese."""
    whole = f"{clause}{deed}"

    def begins(form: re.Pattern[str]) -> bool:
        return (found := form.search(whole)) is not None and found.start() < len(clause)

    if begins(words.WEIGHS_ZH) or words.WEIGHED_ZH.search(deed):
        return "weighed"
    if words.SUPPOSES_ZH.search(clause) or words.SUPPOSED_ZH.search(deed):
        return "supposed"
    if begins(words.GIVES_UP_ZH):
        return "told"
    clause = words.NOT_REFUSED_ZH.sub("", clause)
    if words.REFUSES_ZH.search(clause) or words.MAD_ZH.search(clause):
        return "refused"
    if words.ADVISES_ZH.search(clause):
        return "advised"
    return "told" if words.OTHERS_ZH.search(clause) else None


def _spell_deed(told: str) -> str:
    """A deed that is told of as it would be asked for."""
    if not told.isascii():
        return re.sub(r"(?<=[^好])[了啦吗呢]+$", "", words.WEIGHED_ZH.sub("", told))
    first, _, rest = words.GIVEN_UP.sub("", told).strip(" ,").partition(" ")
    return f"{BASES.get(first.lower(), first)} {re.sub(r',? or (?:not|to leave it)$', '', rest)}"


def _names(text: str, brief: Brief) -> bool:
    return bool(items_in(text, brief, among=all_items(brief)) or classes_in(text, brief.classes))


def _tells(kind: Kind, said: str, deed: str, brief: Brief) -> bool:
    """Whether no reader knows better what a message asks: what would be is worked out by those that know how, and of
    what others want it is asked whether it is wanted."""
    if kind == "advised":
        return intent_of(deed, brief) in _MAKES_PLANS
    if kind == "supposed" and not (words.ASKS.search(said) and _names(deed, brief)):
        return False
    if kind in ("weighed", "supposed"):
        placed = any(row["slot"] for row in items_in(said, brief))
        timed = read_times(said, brief.term) or shift_in(said) is not None
        looks = placed and timed and intent_of(said, brief) in _LOOKS
        return not looks and read_supposition(said, brief) is None
    return True


_MAKES_PLANS: tuple[Intent, ...] = ("build", "plan_first", "optimise")
_LOOKS: tuple[Intent, ...] = ("try", "fits", "load", "free", "show", "due", "end_asked", "reasons")


_TAG = re.compile(
    r"(?<=.{6})[,，\s]\s*(?:is that |that'?s )?(?:ok(?:ay)?|al(?:l )?right|行|好|可以)(?:[吗么嘛]|(?=\s*[?？]))\W*$",
    re.I,
)


def _leave_out_tag(text: str, brief: Brief) -> str:
    """A limit without the question behind it whether it is granted: max 2 a day, ok?"""
    told = _TAG.sub("", text)
    if told == text or asks_whether(told):
        return text
    if told.isascii() and text[len(told)] == ",":
        return told  # whatever it is, it is told
    return told if intent_of(told, brief) in _KEPT or read_conditions(told, brief).said else text


def settle_act(text: str, brief: Brief) -> str:
    """The message, or that nothing is wanted where it only names a deed or speaks against it."""
    text = _leave_out_tag(text, brief)
    said = fold_text(text).replace("’", "'").rstrip(" .。!！?？")
    if (asked := ASKS_AWAY.match(said)) and read_times(said, brief.term):
        return f"what is on{asked['when']}?" if asked["when"] else f"{asked['when_zh']}有什么安排"
    if state := _say_state(said, brief):
        return state
    if (time := _TIME_ASKED.fullmatch(said)) and _begins(brief) and _is_time(time["when"], brief):
        return f"{time['when']}有什么安排"
    if _DICTATED.search(said):
        return text
    if AGAINST.match(said) is None and (act := find_act(text, brief)) is not None and act.kind != "refused":
        return brief.say(*(OTHERS if act.kind in ("told", "advised") else WEIGHED))
    return _settle_refused(text, said, brief)


_TIME_ASKED = re.compile(r"(?:那|请问)?(?P<when>[^,，。;；吗么]{2,12})呢")


def _begins(brief: Brief) -> bool:
    """Whether nothing was said before that a short question could go on from."""
    said = [turn["text"] for turn in brief.view["dialogue"] if turn["role"] == "user"][:-1]
    return not said or (intent_of(said[-1], brief) in _MAKES_PLANS and not read_times(said[-1], brief.term))


def _is_time(text: str, brief: Brief) -> bool:
    """Whether a text is a time, and nothing else."""
    left = text
    for one in reversed(read_times(text, brief.term)):
        left = left[: one.start] + left[one.end :]
    return left != text and not left.strip()


def _settle_refused(text: str, said: str, brief: Brief) -> str:
    """The message, or that nothing is wanted, or a rule, where it refuses a deed."""
    found, act = AGAINST.match(said), None
    if found is None and not _REMINDS.match(said):
        act = find_act(text, brief)
    if (found is None and act is None) or _REMINDS.match(said):
        return _REMINDS.sub("", text, count=1)
    groups = (found["deed"], found["ing"], found["zh"], found["bad"]) if found else ()
    deed = next((one for one in groups if one is not None), act.deed if act else "").strip()
    mad = words.MAD.search(said) or words.MAD_ZH.search(said[: said.find(deed)] if deed in said else said)
    rule = read_times(said, brief.term) or _tells_manner(deed, brief) or not _names(deed, brief)
    if act is not None and PLACES.search(deed) and rule and not mad:
        return text  # when nothing is to be placed
    whole = found is None or found["ing"] is not None or found["bad"] is not None or STRONGLY.match(said) is not None
    if len(requests_in(text, brief)) > 1 or not _is_deed(deed, brief):
        return text
    if not whole and _BARELY.match(said) and intent_of(text, brief) in _RULES and not _TRADES.search(deed):
        return text
    if not whole and PLACES.search(deed) and _tells_manner(deed, brief):
        if read_times(deed, brief.term):
            return _say_rule(deed, brief)
        if intent_of(text, brief) not in _DEEDS:
            return text
    return brief.say("算了", "never mind")


def _tells_manner(deed: str, brief: Brief) -> bool:
    """Whether it is told when or how things are not to be placed, beside that they are not."""
    names = sorted((row["name"] for row in (*all_items(brief), *brief.classes)), key=len, reverse=True)
    bare = blank_names(fold_text(deed), [*names, *(core for name in names if (core := core_of(name)))])
    left = _PLACING.sub(" ", bare).split()
    return any(len(word) > 1 for word in left) and not (len(left) == 1 and classes_in(left[0], brief.classes))


_PLACING = re.compile(
    r"重新|安排|排|放|把|将|都|全部?|好|上|完|一遍|一下|的|了|计划|\b(?:putting|put|plan(?:ning)?|schedul\w+|plac\w+"
    r"|make|making|give|the|my|all|of|in|up|a|any|whole|everything)\b"
)


def _say_rule(deed: str, brief: Brief) -> str:
    """A refused deed as the rule that its things are not to be at its time."""
    moved = re.fullmatch(r"[把将](?P<x>.+?)(?:都|全部?)?(?:安排|排|放)[到在进](?P<when>.+)", deed)
    return brief.say(f"{moved['x']}不要排在{moved['when']}" if moved else f"不要{deed}", f"don't {deed}")


_BARELY = re.compile(r"(?:please )?(?:don't|do not|never)\b|(?:千万|先)*(?:不要|别)")
"""A refused deed in its plainest words, which may be the rule that something is not to be at a time."""
_REMINDS = re.compile(
    r"^(?:please |and |also )*(?:don't|don’t|do not|never) forget to |^(?:千万|可)?(?:别|不要)忘[了记]?", re.IGNORECASE
)
"""What wants a deed all the more."""
_RULES: tuple[Intent, ...] = (*_KEPT, "try")
_DEEDS: tuple[Intent, ...] = ("remove", "mark")
_TRADES = re.compile(r"[互交]换|对调|\b(?:swap|switch|exchange)\b")
"""Deeds that are no rule in any words."""


def _say_state(said: str, brief: Brief) -> str:
    """That something is not to be somewhere, for what only thinks so, and on which side of another thing it is to be
    where it should not be on the other one; empty for other words."""
    told = ""
    if re.search(r"[,，;；。]", said):
        return ""  # more than that
    if found := STATE_AGAINST.match(said):
        told = f"{found['x']} should not {found['rest']}" if found["x"] else f"{found['zh']}不要{found['rest_zh']}"
    if side := WRONG_SIDE.match(told or said):
        one, other = (side[name] or side[f"{name}_zh"] for name in ("x", "y"))
        ahead = side["side"] == "before" or (side["side_zh"] or "")[-2:] in ("前面", "之前", "前")
        if all(items_in(text, brief, among=all_items(brief)) for text in (one, other)):
            ends = ("后面", "after") if ahead else ("前面", "before")
            return f"{one}应该在{other}{ends[0]}" if side["x_zh"] else f"{one} should come {ends[1]} {other}"
    return told


def _is_deed(deed: str, brief: Brief) -> bool:
    """Whether what is spoken against is a deed, and no rule about whatever there may be."""
    named = items_in(deed, brief, among=all_items(brief)) or classes_in(deed, brief.classes)
    if (ANY.search(deed) and not named) or re.search(r"[,，;；]", deed):
        return False
    if not deed.isascii() and not DEED_ZH.search(deed):
        return False
    return bool(named) or intent_of(deed, brief) not in ("other", *_KEPT)
