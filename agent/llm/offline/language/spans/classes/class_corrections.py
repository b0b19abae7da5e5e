"""What words tell otherwise of a class that is not written yet: its name, what comes to its contents, goes, is called
otherwise, stands elsewhere or takes longer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.item_list import split_names, tells_fact
from agent.llm.offline.language.spans.classes.rhythms import read_minutes, sections_of, take_lengths
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import NO_TERM
from taskclasses.spec import DURATION_MAX

_NAMED = re.compile(
    r"(?:(?:名字|名称)[^,，]{0,4}[,，]?\s*)?(?:应该|还是|就)*"
    r"(?:改?叫(?:做|成)?|改名(?:叫|为|成)?|(?:名字|名称)?(?:改|换)[成为]|应该是|(?:名字|名称)还?是)\s*"
    r"(?P<zh>[^,，。;；!！]{1,30}?)(?:吧|好了|就行)?\s*(?=[,，。;；!！]|$)"
    r"|(?:\b(?:call (?:it|this|that|the (?:class|course|whole thing))|(?P<make>make (?:it|that))"
    r"|rename (?:it|this|the class)(?: to| as)?|(?:change|set) (?:the |its )?name to"
    r"|name it|(?:the |its )?name (?:should be|is|to)|keep (?:the |its )?(?:old )?name"
    r"|(?:it should|to) be called|it'?s called)"
    r"|\bname\b[^,]{0,10}, (?:it'?s|it is|it should be))\s+(?P<en>[^,.;!]{1,40}?)\s*(?=[,.;!]|$)",
    re.IGNORECASE,
)
_OUT = re.compile(
    r"去掉|删[掉除]|拿掉|不要|\b(?:drop|remove|delete|without|leave out|take out|skip|take)\b", re.IGNORECASE
)
_ADDED = re.compile(
    r"^(?:对了|哦|那个?)?(?:再|还要?|顺便|另外|也|把)*(?:加上?|添加|增加|补上?|(?<=还)有)(?:[一1两2-9]?[个项章])?[:：]?"
    r"|^(?:(?:and|oh|please|also|then|wait|plus)[, ]+)*(?:add|include)\b(?: (?:an? |one more |another )?(?:item"
    r"|part|topic))?"
    r"(?: called)?[: ]"
    r"|^(?:(?:and|oh|also)[, ]+)*plus[: ]",
    re.IGNORECASE,
)
_RENAMES = re.compile(
    r"^\s*(?:应该)?(?:改名?[成为叫]|换成|叫|->|→|\bto|\bshould be(?: called)?|\bis called)\s*", re.IGNORECASE
)
_NO_CONTENT = re.compile(
    r"^[快急紧密大多入进到]|[点些天周]$|[课计]表|计划|\b(?:it|them|this|that|more|days?|weeks?|time|breaks?|plan)\b",
    re.IGNORECASE,
)
"""What is added that is none of the contents."""
_MOVES = re.compile(r"[移挪放排]|\b(?:mov|put|shift|push|bring|swap|schedul)\w*\b", re.IGNORECASE)
"""In front of a thing: what is behind it is where it goes, no name."""
_CALLS = re.compile(r"(?:please )?(?:call|rename|name)\b", re.IGNORECASE)
_NTH = re.compile(
    r"(?P<last>最后[一1]?[个项章节步]|\b(?:the )?last (?:one|item|part|step|topic)\b)"
    r"|第\s*(?P<zh>\d{1,2})\s*[个项步]"
    r"|\b(?:the )?(?P<en>first|second|third|fourth|fifth) (?:one|item|part|step|topic)\b"
    r"|\b(?:item|part|step|topic) (?P<n>\d{1,2})\b"
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_LENGTH = re.compile(r"(?<![第\d])(?P<n>\d)\s*个?(?:小?节课?|课时|sections?\b|periods?\b)")
_SOMEWHAT = re.compile(
    r"(?P<less>[短少][1一]?[点些]|\bshorter\b)|长[1一]?[点些]|多[1一]?[点些]时间|\blonger\b|\bmore time\b"
)
_FRONT = re.compile(r"最前|开头|第[1一]个?位?$|\bfirst\b|\b(?:at|to) the (?:start|beginning|front|top)\b")
_AS_ONE = re.compile(
    r"(?:and |please )*(?:make|put|have) (?:it|that|this)\b[^,]{0,12}\b(?:first|last)\b", re.IGNORECASE
)
"""The first and the last one are places then, and no contents."""
_END = re.compile(r"最后|末尾|\blast\b|\b(?:at|to) the end\b")
_BEFORE = re.compile(r"前面?|\bbefore\b|\bahead of\b")
_AFTER = re.compile(r"后面?|\bafter\b|\bbehind\b")
_SWAPS = re.compile(r"换|对调|调.{0,3}顺序|\b(?:swap|switch|exchange)\b")
_PLACES = re.compile(
    r"[,，]?\s*(?:放|排|插|加)?[在到](?=最|开头|末尾)|(?:最前面?|开头|最后面?|末尾)"
    r"|\b(?:at|to) the (?:start|beginning|front|top|end)\b"
)
_USUAL = 2
_SIGN = "\ue000"
_ADDS = re.compile(
    r"(?:再|还要?|也)*(?:加上?|添加|增加|插入?|补上?|有)(?:[一1两]?[个项章])?"
    r"|\b(?:add|include|insert|put|there(?:'s| is| should be))\b(?: (?:an?|one more|another)\b)?"
    r"(?: (?:item|part|topic|step)\b)?",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    rf"在?{_SIGN}(?:[和与跟]{_SIGN})?(?:之间|中间|的?(?:之?后面?|(?P<zh>之?前面?)))"
    rf"|\b(?:in |right |straight )*(?:between|after|behind|(?P<en>before|ahead of)) (?:the )?{_SIGN}"
    rf"(?: and (?:the )?{_SIGN})?",
    re.IGNORECASE,
)
"""A place beside one of the contents, or between two."""
_ONLY_SO_MANY = re.compile(
    r"(\b(?:just|only|keep)|只[要留]?|就)\s*(?:\d|two|three|four|[两二三四])(?:个|项| of them)?\s*[,，:：]\s*",
    re.IGNORECASE,
)
_ONLY = re.compile(
    rf"(?:就|只|保?留|要|剩|\b(?:just|only|keep|please)\b|\s)+{_SIGN}(?:[和与跟、\s]|\band\b|{_SIGN})*(?:就[行好]|吧|了|\W)*",
    re.IGNORECASE,
)
"""That nothing else is among the contents."""


def take_name(text: str, slots: ClassSlots) -> tuple[str, str]:
    """The name that words give the class, and the words without it; no name for a time, a number or a manner."""
    for found in _NAMED.finditer(text):
        name = (found["zh"] or found["en"]).strip(" '\"“”「」")
        head = re.split(r"[,，。;；]", text[: found.start()])[-1]
        item = any(fold_text(one) in fold_text(head + found.group()) for one in slots.items)
        item = item or _NTH.search(fold_numbers(head)) is not None
        manner = re.search(r"[点些]$|均匀|集中|难度|强度|排", name)
        fact = tells_fact(name) or read_times(name, NO_TERM) or re.search(r"\d", name)
        known = found["make"] and not name[:1].isupper()
        if name and not (item or manner or fact or known):
            return name, text[: found.start()] + text[found.end() :]
    return "", text


@dataclass
class _Contents:
    """The contents on the way through the clauses: the one spoken of last is the one a bare length is of."""

    items: list[str]
    lengths: dict[str, int]
    each: int
    last: str = ""
    stored: bool = False

    def meant(self, clause: str) -> list[str]:
        """The contents that a clause names or counts, in its order."""
        folded, found = fold_numbers(clause), list[tuple[int, str]]()
        for item in sorted(self.items, key=len, reverse=True):
            at = folded.find(fold_numbers(item))
            if at >= 0:
                found.append((at, item))
                folded = folded.replace(fold_numbers(item), "\ue000" * len(fold_numbers(item)))
        for nth in _NTH.finditer(folded):
            said = nth["zh"] or nth["n"] or (str(_ORDINALS.index(nth["en"]) + 1) if nth["en"] else "")
            number = len(self.items) if nth["last"] else int(said)
            found += [(nth.start(), self.items[number - 1])] if 0 < number <= len(self.items) else []
        return [item for _, item in sorted(found)]

    def put(self, item: str, at: int) -> None:
        rest = [one for one in self.items if one != item]
        self.items = [*rest[:at], item, *rest[at:]]


def change_contents(slots: ClassSlots, text: str, last: str = "", *, stored: bool = False) -> tuple[ClassSlots, str]:
    """The class with its contents as words tell them otherwise, and what else the words tell; `last`: the one that was
    spoken of before. Of a `stored` class "only these" is about what changes, not about what stays."""
    made = _Contents(list(slots.items), dict(slots.lengths), slots.each or _USUAL, last, stored)
    rest, text = list[str](), _ONLY_SO_MANY.sub(r"\1 ", text)
    for clause in re.split(r"[,，。;；]", text) if made.items else [text]:
        if not made.items or not _change(made, clause.strip()):
            rest.append(clause)
    own = {item: n for item, n in made.lengths.items() if item in made.items}
    lengths = tuple((item, own.get(item, made.each)) for item in made.items) if own else ()
    return replace(slots, items=tuple(made.items), lengths=lengths), ",".join(rest)


def _change(made: _Contents, clause: str) -> bool:
    """Whether a clause told something of the contents, which is so then."""
    meant, added = [] if _AS_ONE.match(clause) else made.meant(clause), _ADDED.match(clause)
    if _insert(made, meant, clause) or _keep_only(made, meant, clause):
        return True
    if added and (new := _added(clause[added.end() :])):
        return _add(made, new, clause)
    if meant and (to := _new_name(clause, meant[0])):
        made.items = [to if one == meant[0] else one for one in made.items]
        made.lengths |= {to: made.lengths[meant[0]]} if meant[0] in made.lengths else {}
        made.last = to
    elif meant and _OUT.search(clause):
        made.items = [one for one in made.items if one not in meant]
    elif not _measure(made, meant, clause) and not _reorder(made, meant, clause):
        made.last = meant[0] if len(meant) == 1 else ""
        return False
    return True


def _sign_contents(meant: list[str], clause: str) -> str:
    """A clause with a sign for each of the contents that it names."""
    named = "|".join(re.escape(one) for one in sorted(meant, key=len, reverse=True))
    return re.sub(named, _SIGN, clause, flags=re.IGNORECASE) if meant else clause


def _insert(made: _Contents, meant: list[str], clause: str) -> bool:
    """Whether a clause adds something beside one of the contents, or between two."""
    text = _sign_contents(meant, clause)
    place, adds = _BESIDE.search(text), _ADDS.search(text)
    rest = _ADDS.sub(" ", text[: place.start()] + text[place.end() :], count=1) if place and adds else _SIGN
    if place is None or _SIGN in rest or not (new := _added(rest)):
        return False
    at = min(made.items.index(one) for one in meant) + (0 if place["zh"] or place["en"] else 1)
    made.items, made.last = [*made.items[:at], *new, *made.items[at:]], new[-1]
    return True


def _keep_only(made: _Contents, meant: list[str], clause: str) -> bool:
    """Whether a clause tells which of the contents are the only ones."""
    only = bool(meant) and not made.stored and _ONLY.fullmatch(_sign_contents(meant, clause)) is not None
    made.items = [one for one in made.items if one in meant] if only else made.items
    return only


def _add(made: _Contents, new: list[str], clause: str) -> bool:
    """New contents at the end, or in front where they are said to stand there."""
    folded = [fold_text(one) for one in made.items]
    new = [one for one in new if fold_text(one) not in folded]
    made.items = [*new, *made.items] if _FRONT.search(fold_text(clause)) else [*made.items, *new]
    made.last = new[-1] if new else ""
    return True


def _added(text: str) -> list[str]:
    plain, _ = take_lengths(_PLACES.sub("", text))
    new = re.sub(r"\s+(?:too|as well|to it)$|^[一1]?[个项]|^(?:an?|one|the) (?=\w)", "", plain.strip(" .!吧"))
    new = new.strip(" 「」“”\"'")
    return [] if not new or _NO_CONTENT.search(new) or tells_fact(new) else split_names(new)


def _new_name(clause: str, item: str) -> str:
    """What one of the contents is called from now on; empty where a clause tells no other name."""
    where = re.search(re.escape(item), clause, re.IGNORECASE) or _NTH.search(fold_numbers(clause))
    behind = clause[where.end() :] if where and len(clause) >= where.end() else ""
    to = None if where and _MOVES.search(clause[: where.start()]) else _RENAMES.match(behind)
    called = to or (behind.strip() and _CALLS.match(clause))
    return behind[to.end() if to else 0 :].strip(" 「」“”\"'吧") if called else ""


def _measure(made: _Contents, meant: list[str], clause: str) -> bool:
    """Whether a clause tells how long one of the contents is, or is the length of the one before it."""
    text = fold_numbers(re.sub(r"\bone(?= (?:section|period)\b)", "1", clause))
    for item in meant:
        text = text.replace(fold_numbers(item), " ")
    found, minutes = _LENGTH.search(text), read_minutes(text)
    item = meant[0] if len(meant) == 1 else made.last if not meant else ""
    if (
        not item
        or _BEFORE.search(text)  # where it stands is told too
        or _AFTER.search(text)
        or re.search(r"一?共|\b(?:total|in all)\b", text)
        or (not meant and re.search(r"每|各|共|\b(?:each|total|every|all)\b", text))
    ):
        return False
    somewhat = _SOMEWHAT.search(text)
    if not (found or minutes or somewhat):
        return False
    by = -1 if somewhat and somewhat["less"] else 1
    length = int(found["n"]) if found else sections_of(minutes) if minutes else made.lengths.get(item, made.each) + by
    made.lengths[item], made.last = max(1, min(DURATION_MAX, length)), item
    return True


def _reorder(made: _Contents, meant: list[str], clause: str) -> bool:
    """Whether a clause tells where one of the contents is to stand."""
    text = fold_numbers(clause)
    pair = [made.last, *meant] if len(meant) == 1 and made.last not in ("", *meant) else meant
    if len(meant) == 2 and _SWAPS.search(text):
        one, other = (made.items.index(item) for item in meant)
        made.items[one], made.items[other] = meant[1], meant[0]
    elif len(pair) == 2 and (_BEFORE.search(text) or _AFTER.search(text)):
        at = [item for item in made.items if item != pair[0]].index(pair[1])
        made.put(pair[0], at + (0 if _BEFORE.search(text) else 1))
    elif (item := meant[0] if len(meant) == 1 else "" if meant else made.last) and _FRONT.search(fold_text(clause)):
        made.put(item, 0)
    elif item and _END.search(text):
        made.put(item, len(made.items))
    else:
        return False
    return True
