"""What a re-planning would do is told, and nothing is done."""

from __future__ import annotations

import pytest

from tests.kits.tools.world import call, draft


async def test_a_preview_moves_what_the_writing_moves_and_keeps_the_draft():
    state = draft()
    days = {"from_date": "2026-03-16", "to_date": "2026-03-17"}
    seen, result = await call("preview_replan", {"kind": "ill", **days}, state)
    made, _ = await call("replan", {"kind": "ill", **days}, state)
    assert seen.draft is state
    assert made.draft is not state
    assert seen.data["changes"] == made.data["changes"] != []
    assert result.changes == ()
    assert result.observation_text.startswith("只是预演")


async def test_days_that_lie_apart_are_kept_free_in_one_preview():
    state = draft()
    dates = ["2026-03-16", "2026-03-18", "2026-03-20"]
    seen, _ = await call("preview_replan", {"kind": "keep_free", "dates": dates}, state)
    standing = {
        entry.state_id for entry in state.items() if (place := state.place_of(entry)) and place.day in (15, 17, 19)
    }
    told = {one["task_id"] for one in seen.data["changes"]} | {one["task_id"] for one in seen.data["left"]}
    assert seen.draft is state
    assert standing
    assert standing <= told


async def test_one_class_alone_leaves_days():
    state = draft()
    dates = [f"2026-03-{day}" for day in range(16, 21)]
    seen, _ = await call("preview_replan", {"kind": "keep_free", "dates": dates, "task_class_id": 6}, state)
    moved = [state.task(one["task_id"]) for one in [*seen.data["changes"], *seen.data["left"]]]
    assert moved
    assert {entry.task_class_id for entry in moved} == {6}


async def test_that_nothing_has_to_move_is_an_answer():
    seen, result = await call("preview_replan", {"kind": "missed"}, draft())
    assert seen.error is None
    assert "不用改" in result.observation_text


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "keep_free", "dates": ["2026-03-16", "2027-01-01"]},
        {"kind": "keep_free", "dates": ["2026-03-01"]},
        {"kind": "ill", "from_date": "2026-08-01", "to_date": "2026-08-09"},
    ],
)
async def test_days_outside_the_semester_are_refused_as_the_writing_refuses_them(asked):
    seen, result = await call("preview_replan", asked, draft())
    assert seen.error is not None
    assert (seen.error.code, result.status) == ("outside_semester", "failed")


async def test_an_illness_that_lasts_beyond_the_semester_is_worked_out():
    seen, _ = await call("preview_replan", {"kind": "ill", "from_date": "2026-03-16", "to_date": "2026-08-09"}, draft())
    assert seen.error is None or seen.error.code != "outside_semester"


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"from_date": "2026-03-16", "task_class_id": 6}, "task_class_id"),
        ({"dates": ["2026-03-16"], "from_date": "2026-03-18"}, "from_date"),
        ({"dates": ["2026-03-16"], "to_date": "2026-03-18"}, "to_date"),
    ],
)
async def test_what_a_preview_would_not_heed_is_refused(asked, field):
    seen, _ = await call("preview_replan", {"kind": "keep_free", **asked}, draft())
    assert seen.error is not None
    assert (field, "conflict") in [(one["field"], one["problem"]) for one in seen.error.listed]
