"""How long a text is for a model: an estimate that never needs a tokenizer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

PER_MESSAGE = 6
_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_RUNS = re.compile(f"([{_CJK}]+)|([\x00-\x7f]+)|([^\x00-\x7f{_CJK}]+)")
PER_TOKEN = (1, 1, 4, 2)
"""Characters of a token, by the group of `_RUNS` that matched."""


@lru_cache(maxsize=128)
def tokens_of(text: str) -> int:
    """Counts tokens: a CJK character counts 1, a run of n ASCII characters ceil(n/4), any other run ceil(n/2)."""
    return sum(-(-(run.end() - run.start()) // PER_TOKEN[run.lastindex or 0]) for run in _RUNS.finditer(text))


def sizes_of(messages: Sequence[Mapping[str, str]]) -> tuple[int, ...]:
    return tuple(tokens_of(message["content"]) + PER_MESSAGE for message in messages)
