"""The offline policy has words for what a plan costs."""

from __future__ import annotations

from agent.llm.offline.language.texts import PARTS
from schedules.planner.cost.objective import TERMS


def test_every_term_of_the_objective_has_words() -> None:
    assert PARTS.keys() == {term.name for term in TERMS}
