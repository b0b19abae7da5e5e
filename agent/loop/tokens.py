"""How long a text is for a model: an estimate that never needs a tokenizer. PURE."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

PER_MESSAGE = 6
_RUNS = re.compile(
    r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\x00-\x7f]+|[^\x00-\x7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+"
)


def tokens_of(text: str) -> int:
    """A CJK character counts 1, a run of n ASCII characters ceil(n/4), any other run ceil(n/2)."""
    total = 0
    for match in _RUNS.finditer(text):
        run = match.group()
        if run.isascii():
            total += -(-len(run) // 4)
        elif len(run) == 1 and "\u2e80" <= run <= "\uffef":
            total += 1
        else:
            total += -(-len(run) // 2)
    return total


def sizes_of(messages: Sequence[Mapping[str, str]]) -> tuple[int, ...]:
    return tuple(tokens_of(message["content"]) + PER_MESSAGE for message in messages)
