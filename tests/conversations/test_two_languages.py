"""What is said in either language ends in the same state: the two students of the corpora have the same plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from schedules.planner.grid import week_and_weekday
from tests.conversations.checker import HERE, Case, Played, play
from tests.conversations.world import CLASSES
from tests.kits.budgets import KIND

EVERY = 1 if KIND == "long" else 6
"""Each which pair a run plays."""
PARTS = 4


def read_pairs() -> Iterator[tuple[Case, Case]]:
    """Reads the requests and their translations: `turn // turn ||| turn // turn`."""
    for number, line in enumerate((HERE / "pairs.txt").read_text(encoding="utf8").splitlines(), 1):
        if line and not line.startswith("#"):
            said = [tuple(part.strip() for part in side.split(" // ")) for side in line.split("|||")]
            english, chinese = (
                Case(language, number, (*turns, "!ok*"), ()) for language, turns in zip(("en", "zh"), said, strict=True)
            )
            yield english, chinese


def state_of(played: Played) -> dict[str, Any]:
    """Returns what a conversation left: places, classes, wishes and times kept free. Items and classes that the student
    had before stand by their numbers, new ones by how many there are: each language has names of its own."""
    world, schedule = played.chat.world, played.chat.schedule
    known = {row[0] for row in CLASSES[played.language]}
    spots = {entry.source_id: schedule.spot_of(entry) for entry in schedule.items()}
    return {
        "places": {
            item: (*week_and_weekday(spot.place.day), spot.place.first, spot.place.last)
            for item, spot in spots.items()
            if spot
        },
        "classes": {row["id"]: _told_of(row) for row in world.classes if row["id"] in known},
        "new": [
            (row["start_date"], row["end_date"], len(row["items"])) for row in world.classes if row["id"] not in known
        ],
        "wishes": sorted(map(str, world.wishes)),
        "free": sorted(world.kept_free),
        "lessons": sorted((one.place.day, one.place.first, one.place.last) for one in world.events),
    }  # fmt: skip


def _told_of(row: dict[str, Any]) -> dict[str, Any]:
    items = [(one["id"], one.get("sections"), one.get("status")) for one in row["items"]]
    return {**{key: value for key, value in row.items() if key not in ("items", "name")}, "items": items}


@pytest.mark.parametrize("part", range(PARTS))
async def test_a_request_and_its_translation_end_in_the_same_state(part):
    apart = []
    for english, chinese in list(read_pairs())[::EVERY][part::PARTS]:
        ends = [state_of(await play(case)) for case in (english, chinese)]
        different = [key for key in ends[0] if ends[0][key] != ends[1][key]]
        apart += [(english.line, english.turns, different)] if different else []
    assert apart == []


def test_most_of_the_pairs_change_something():
    pairs = list(read_pairs())
    assert len(pairs) >= 150
    assert sum(len(english.turns) > 2 for english, _ in pairs) >= len(pairs) // 4


async def test_a_change_that_one_language_makes_alone_is_seen():
    moved, asked = (
        Case("en", 1, ("move chapter 2 to friday", "!ok*"), ()),
        Case("zh", 1, ("第二章什么时候", "!ok*"), ()),
    )
    assert state_of(await play(moved))["places"] != state_of(await play(asked))["places"]
