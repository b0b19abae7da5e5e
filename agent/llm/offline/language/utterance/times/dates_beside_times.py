"""Other dates of one class, or how much there may be, beside the times of every week that stay free or are kept to.

Whichever is said first and by what words, each is told in plain words: dates and times are of the class that is named
(概率论都放下午，3月23号开始 -> 概率论3月23号开始，只放下午), a number is of its own times (at most one a day on
weekends, fridays off -> at most one a day on weekends and nothing on fridays).
"""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, sign_phrases

_ALSO = r"(?:(?:and|but|also|plus) )*"
_BREAKS = (
    (re.compile(r"[,，。;；]\s*(?:而且|并且|另外|还有|然后|同时|也|再)*"),),
    (re.compile(rf"\s*[,;.]\s+{_ALSO}"), re.compile(rf"\s*[,;.]\s+{_ALSO}|\s+and (?:also )?")),
)
"""Between clauses; an "and" may stand between two days as well."""
_ZH_TIMES, _EN_TIMES = rf"{TIME}(?:[、和]?{TIME})*", rf"{TIME}(?:(?:,| or| and|, or|, and) (?:on )?{TIME})*"
_ONLY = (
    re.compile(
        rf"(?=.*(?:[都全只仅]|统统|一律|排|放))(?:[都全只仅就也要想能]|部|统统|一律)*(?:安?排|放|学)?[在到]?(?P<when>{_ZH_TIMES})[学排上]?"
    ),
    re.compile(
        r"(?=.*\b(?:all|only|just)\b)"
        r"(?:(?:all|everything|(?:keep )?it|only|just)(?: of it)?(?: should be| is| goes)? ?)*"
        rf"(?:(?:in|on|at) )?(?:the )?(?P<when>{_EN_TIMES})(?: only)?"
    ),
)
_NONE = (
    re.compile(rf"(?P<when>{_ZH_TIMES})[都也就]?(?:不要?|别|不能)再?(?:安?排|学|放|上)了?"),
    re.compile(
        rf"(?:nothing|not|never|none|no)(?: study(?:ing)?)? (?:(?:on|in) )?(?:the )?(?P<when>{_EN_TIMES})"
        rf"|(?:keep )?(?P<when2>{_EN_TIMES}) (?:are |is )?(?:off|free)"
    ),
)
_DATED = (
    re.compile(r"开始|起|结束|截止|考|学"),
    re.compile(r"\b(?:start|begin|end|due|exam|run|finish|deadline|final|from)(?:s|ning)?\b"),
)
_OF_WEEK = ("weekday", "part")
_LONGEST = 120


def spell_dates_beside_times(message: str, plan: SelectionPlan) -> str:
    """The message with the dates first and the times behind them in plain words; any other as it is."""
    text = fold_text(message).strip(" .。!！")
    if not plan.classes or len(text) > _LONGEST:
        return message
    signed, zh = sign_phrases(text, plan), has_chinese(text)
    named = re.findall(CLASS, signed.text)
    if len(named) > 1 or re.search(f"{ITEM}|{NUMBERED}", signed.text):
        return message
    owner = signed.restore(named[0]) if named else ""
    for form in _BREAKS[not zh]:
        clauses = [one for one in form.split(text) if one]
        if len(clauses) < _BOTH:
            continue
        told = _spell_dates(owner, clauses, plan, zh=zh) if owner else _spell_limits(clauses, plan, zh=zh)
        if told:
            return told
    return message


def _spell_dates(owner: str, clauses: list[str], plan: SelectionPlan, *, zh: bool) -> str:
    """Other dates of a class and its times, in plain words; empty for anything else."""
    lead = re.compile(rf"(?:把|the |my )?{re.escape(owner)}(?:的|这门课)?[ :：]?\s*")
    dates, limits = list[str](), list[str]()
    for clause in clauses:
        own = lead.sub("", clause, count=1) if lead.match(clause) else clause
        limit = _read_limit(own, plan, zh=zh)
        if not limit and (owner in own or not _is_dated(own, plan, zh=zh)):
            return ""
        (limits if limit else dates).append(limit or own)
    if len(dates) != 1 or not limits:
        return ""
    return owner + " " * (not zh) + ("，", " and ")[not zh].join([*dates, *limits])


_BOTH = 2
_COUNTS = (
    re.compile("最多|至多|顶多|不(?:能|要)?(?:超过|多于)|上限"),
    re.compile(r"\b(?:at most|max\w*|(?:no|not) more than|up to)\b"),
)


_SCOPE = re.compile(r"(?:就|只)?这[一1]?次|以后|(?:just )?this (?:once|time)\b|from now on\b")
"""What tells in front how long all that follows holds."""


def _spell_limits(clauses: list[str], plan: SelectionPlan, *, zh: bool) -> str:
    """How much there may be at some times, and other times that stay free, each in plain words; empty for anything
    else."""
    free = [_read_limit(clause, plan, zh=zh, free=True) for clause in clauses]
    if _SCOPE.match(clauses[0]):
        return ""  # which is one of them all
    counted = [_COUNTS[not zh].search(clause) is not None for clause in clauses]
    if not any(free) or not any(counted) or any(bool(one) == count for one, count in zip(free, counted, strict=True)):
        return ""
    kept = [clause for one, clause in zip(free, clauses, strict=True) if not one]
    return ("，", " and ")[not zh].join([*filter(None, free), *kept])


def _read_limit(clause: str, plan: SelectionPlan, *, zh: bool, free: bool = False) -> str:
    """What a clause tells of the times of every week, in plain words; empty for any other; `free`: only those that
    stay free."""
    signed = sign_phrases(clause, plan)
    none = _NONE[not zh].fullmatch(signed.text)
    found = none or (None if free else _ONLY[not zh].fullmatch(signed.text))
    said = (found["when"] or found.groupdict().get("when2") or "") if found else ""
    times = signed.times_of(said)
    if found is None or any(one.kind not in _OF_WEEK or one.first or one.side for one in times):
        return ""
    when = signed.restore(said)
    if zh:
        return f"{when}别排" if none else f"只放{when}"
    if none:
        return f"{'nothing' if free else 'not'} on {when}"
    part = all(one.kind == "part" for one in times)
    return f"only in the {when.removesuffix('s')}" if part else f"only on {when}"


def _is_dated(clause: str, plan: SelectionPlan, *, zh: bool) -> bool:
    """Whether a clause tells the first or the last day of a class."""
    signed = sign_phrases(clause, plan)
    times = signed.times_of(signed.text)
    return (
        _DATED[not zh].search(signed.text) is not None and bool(times) and all(one.first or one.last for one in times)
    )
