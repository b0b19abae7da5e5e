"""How many sections what is added to a class is to take, as its name or a clause behind it tells."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.classes.rhythms import spell_minutes

_HEAD = re.compile(
    r"(?:[\s,，:：(（–-]|每(?:[个项章次篇]|[1一]节)?|各|都|(?<![概摘纪重主])要|需要?|得|花|用|占|给|算|[安排](?=$)|就|约"
    r"|大概|大约|差不多|估计|应该|可能|时长|长度"
    r"|\bw/|\b(?:it|they|that|this|which|each|both|all|of them|should|will|would|can|might|takes?|taking|needs?|lasting"
    r"|lasts?|runs?|is|are|be|of|with|for|about|around|roughly|approx|maybe|probably|say|only|just|make|give|worth|length"
    r"|at)\b)+$"
)
_TAIL = re.compile(
    r"(?:[\s)）.。!！~吧了呢哦]|左右|差不多|就?够了?|就[行好]|可以|长|的?时间|每[个项]"
    r"|\b(?:each|apiece|long|please|pls|plz|thanks|or so|is enough|enough|will do|is fine|should do|roughly|maybe"
    r"|i think|per (?:lab|item|step|chapter|unit|topic|one))\b)*"
)
_LENGTH = re.compile(
    r"(?<![-第后\d])(?P<zh>\d)\s*个?(?:小?节课?|课时)"
    r"|(?<![-\d.])\b(?P<en>\d|an?|one)[ -](?:sections?|periods?|slots?)\b"
)
_BEFORE = re.compile(r"^(?:an? )?(?P<long>\d节课?(?=的)|(?:\d|one)-(?:section|period)s?)[的 ](?P<name>.+)$")
"""A length in front of what has it: 3节的模拟考, a 2-period mock exam."""
_EACH = re.compile(r"每|各|都|\b(?:each|apiece|both|all|per)\b")


def take_length(piece: str) -> tuple[str, int, bool]:
    """A name without the length that stands behind it, that length, and whether it is that of each one that is added;
    the piece as it is and nought where it tells none, no name where it tells nothing else."""
    text = _BEFORE.sub(r"\g<name> \g<long>", spell_minutes(fold_numbers(piece), alone=True))
    found = next((one for one in _LENGTH.finditer(text) if _TAIL.fullmatch(text[one.end() :])), None)
    if found is None:
        return piece, 0, False
    head = text[: found.start()]
    name = _HEAD.sub("", head)
    said, around = found["zh"] or found["en"], head[len(name) :] + text[found.end() :]
    if name and name[-1].isascii() and head[len(name) : len(name) + 1].isalnum():
        return piece, 0, False
    return name.strip(), int(said) if said.isdigit() else 1, _EACH.search(around) is not None
