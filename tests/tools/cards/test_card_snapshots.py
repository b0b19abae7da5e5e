"""Every card, success and failure, in both languages, exactly as stored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kits.tools.cases import CASES
from tests.kits.tools.snapshots import cards_of, stored


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
async def test_a_card_is_as_stored(case):
    assert await cards_of(case) == stored()[case.tool]


INTERNAL = re.compile(r"\[\d+\]|第\d+天|\b[Dd]ay \d+\b|评分|\b[Cc]ost\b|lower is better|编号为")
"""Ids of the draft, days of its window and scores of the plan: words between the tools and the model."""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (found for part in value.values() for found in _texts(part))
    elif isinstance(value, list):
        yield from (found for part in value for found in _texts(part))
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
def test_a_card_tells_no_ids_days_of_the_window_or_scores(case):
    assert [words for words in _texts(stored()[case.tool]) if INTERNAL.search(words)] == []
