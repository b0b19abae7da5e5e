"""A message that is a list, one want a line or a number: each is a request of its own, and headings are none."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.ellipsis import form_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.remember import remember_found
from agent.llm.offline.language.spans.classes.class_times import find_owners
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in

_BULLET = re.compile(r"^\s*(?:[-*•·–—]|\[[ x]?\])\s*")
_NUMBER = re.compile(
    r"(?:^|(?<=[\s:：;；,，。.!！?？]))(?:[(（]?(?P<n>\d{1,2}|[a-h])[)）]|(?P<n2>\d{1,2}|[一二三四五六七八九])[.、．](?!\d))\s*"
    r"|[(（](?P<n3>\d{1,2}|[一二三四五六七八九])[)）]\s*|(?P<n4>[①-⑨])\s*"
)
_ORDERS = ("123456789", "一二三四五六七八九", "①②③④⑤⑥⑦⑧⑨", "abcdefgh")
_LEAST = 2
_NOTHING = ("other", "next")
_REQUESTS = ("", "both")
"""What a line is that is no name or time alone."""
_THANKS = re.compile(r"(?:多?谢谢?|感谢|辛苦|thx|thanks?|thank you|cheers)[^,，]{0,12}", re.IGNORECASE)


@remember_found
def divide_list(message: str, brief: Brief) -> list[str]:
    """The wants of a list without their marks and headings, those of a plan of several classes as one; empty where a
    message is none, or where one of its lines wants nothing by itself, as the contents of a class do."""
    head, listed = _read_list(message, brief)
    if (
        len(listed) < _LEAST
        or intent_of(head, brief) not in (*_NOTHING, "changes")
        or Features(message, brief).opens_class
    ):
        return []
    plan = "\n".join(listed)
    together = any(Features(one, brief).builds and not find_owners(one, brief) for one in listed)
    if together and Features(plan, brief).plans_each:
        return [plan]
    wants = all(intent_of(one, brief) not in _NOTHING and form_of(one, brief) in _REQUESTS for one in listed)
    return listed if wants else []


def _read_list(message: str, brief: Brief) -> tuple[str, list[str]]:
    """What stands in front of a list, and its lines without their marks; no lines where there is none."""
    marks = _find_marks(message)
    lines = [line for line in message.split("\n") if line.strip()]
    if len(marks) >= _LEAST:
        ends = [*(one.start() for one in marks[1:]), len(message)]
        found = [line for one, end in zip(marks, ends, strict=True) for line in message[one.end() : end].split("\n")]
        return _strip(message[: marks[0].start()]), _keep_wants(found)
    own = [line for line in lines if _BULLET.match(line) or _is_labelled(line, brief)]
    if len(own) < _LEAST:
        return "", []
    at = lines.index(own[0])
    return _strip(" ".join(lines[:at])), _keep_wants([_BULLET.sub("", line) for line in lines[at:]])


def _find_marks(message: str) -> list[re.Match[str]]:
    """The numbers of a list, one after the other from its first."""
    found = [*_NUMBER.finditer(message)]
    for order in _ORDERS:
        marks: list[re.Match[str]] = []
        for one in found:
            number = next(filter(None, one.groups()))
            marks += [one] if len(marks) < len(order) and number == order[len(marks)] else []
        if len(marks) >= _LEAST and all(one.end() < other.start() for one, other in pairwise(marks)):
            return marks
    return []


def _is_labelled(line: str, brief: Brief) -> bool:
    """Whether a line tells something of the class or item in front of its colon: 线代：晚上不排."""
    name, colon, said = re.sub("：", ":", line).partition(":")
    named = classes_in(name, brief.classes) or items_in(fold_numbers(name), brief, among=all_items(brief))
    return bool(colon and said.strip() and named)


def _strip(text: str) -> str:
    return text.strip(" \t\n,，;；。.:：")


def _keep_wants(lines: list[str]) -> list[str]:
    """The lines without headings, and without thanks at their end."""
    told = [_strip(line) for line in lines if _strip(line) and not line.rstrip().endswith((":", "："))]
    return told[:-1] if told and _THANKS.match(told[-1]) else told
