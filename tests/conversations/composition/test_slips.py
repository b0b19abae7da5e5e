"""A message with letters that were typed the other way round ends like the message that was meant."""

from __future__ import annotations

import pytest

from tests.conversations.composition.generators.goals import play


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("plan labs, modnays if you can, otherwise fridays", "plan labs, mondays if you can, otherwise fridays"),
        ("move chapter 1 to saturday, keep snuday free", "move chapter 1 to saturday, keep sunday free"),
        ("keep only the first three chapetrs, drop the rest", "keep only the first three chapters, drop the rest"),
        ("i only have monadys free", "i only have mondays free"),
        ("remvoe lab 3 and get the rest done in two weeks", "remove lab 3 and get the rest done in two weeks"),
    ],
)  # fmt: skip
async def test_exchanged_letters_change_nothing(typed, meant):
    assert await play("en", typed) == await play("en", meant)


@pytest.mark.parametrize("said", ["push chapter 6 back three days", "call chapter 3 Trial and angle sums"])
async def test_words_that_differ_so_stay_what_they_are(said):
    end = await play("en", said)
    names = [name for row in end["classes"].values() for name, _ in row["items"]]
    assert ("Trial and angle sums" in "".join(names)) is ("Trial" in said)
    assert end != await play("en", "hello")
