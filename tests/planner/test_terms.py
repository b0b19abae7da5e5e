"""Whoever tells of the terms of the objective tells of each: the metrics, the sentences, the weights."""

from __future__ import annotations

from schedules.planner.cost.objective import TERMS
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.diagnosis.health_text import SENTENCES
from schedules.planner.diagnosis.metric_schema import HEALTH_SCHEMA

HEADS = {"target": ("target", "rapid"), "load": ("load", "overload")}
"""What the weights of a term begin with, where that is not its name."""


def test_every_term_is_a_metric_and_has_a_weight_and_every_weight_belongs_to_one_term() -> None:
    assert all(HEALTH_SCHEMA[term.name]["description"] == term.meaning for term in TERMS)
    owners = [
        [term.name for term in TERMS if weight.startswith(HEADS.get(term.name, (term.name,)))] for weight in WEIGHTS
    ]
    assert [len(names) for names in owners] == [1] * len(WEIGHTS)
    assert {name for names in owners for name in names} == {term.name for term in TERMS}


def test_every_issue_of_a_term_has_a_sentence() -> None:
    assert {term.metric for term in TERMS if term.metric} <= SENTENCES.keys()
    assert len({term.metric for term in TERMS if term.metric}) == len([term for term in TERMS if term.metric])
