"""Texts of pure code: English ones count one thing as one."""

from __future__ import annotations

import pytest

from taskclasses.kernel.i18n import agree, text


@pytest.mark.parametrize(
    ("sentence", "one", "more"),
    [
        ("{n} steps placed", "1 step placed", "2 steps placed"),
        ("{n} items are marked", "1 item is marked", "2 items are marked"),
        ("{n} task classes have no items", "1 task class has no items", "2 task classes have no items"),
        ("{n} unplaced items do not fit", "1 unplaced item does not fit", "2 unplaced items do not fit"),
        ("{n} switches, {n} days off", "1 switch, 1 day off", "2 switches, 2 days off"),
        ("{n} periods no longer fit", "1 period no longer fits", "2 periods no longer fit"),
    ],
)
def test_a_noun_behind_its_number_agrees_with_it(sentence, one, more):
    assert agree(sentence, {"n": 1}).format(n=1) == one
    assert agree(sentence, {"n": 2}).format(n=2) == more


def test_names_and_other_numbers_keep_their_words():
    values = {"name": "1 steps", "day": "1", "a": 1, "b": 2}
    assert agree("{name}: {day} steps {a}-{b}", values) == "{name}: {day} steps {a}-{b}"
    assert text("需 {n} 节", "en", n=1) == "needs 1 period"
    assert text("需 {n} 节", "zh", n=1) == "需 1 节"
