"""The wordings of the canonical requests."""

from __future__ import annotations

import re

import pytest

from agent.llm.offline.language.paraphrase.wordings import MODIFIERS, WORDINGS


@pytest.mark.parametrize("name", [*WORDINGS, *MODIFIERS])
def test_both_languages_have_the_same_slots(name):
    zh, en = WORDINGS.get(name) or MODIFIERS[name]
    assert sorted(re.findall(r"\{(\w+)\}", zh)) == sorted(re.findall(r"\{(\w+)\}", en))
