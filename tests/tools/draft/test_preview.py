"""What a re-planning would do is told, and nothing is done."""

from __future__ import annotations

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
