"""Every card, success and failure, in both languages, exactly as stored."""

from __future__ import annotations

import pytest

from tests.kits.tools.cases import CASES
from tests.kits.tools.snapshots import cards_of, stored


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.tool)
async def test_a_card_is_as_stored(case):
    assert await cards_of(case) == stored()[case.tool]
