"""What only the student moves is told wherever it stays on days that are to be free."""

from __future__ import annotations

import pytest

from agent.tools.cards.confirm import left_words, written_sentence
from agent.tools.cards.parts.kit import Lang
from schedules.planner.draft.state import ScheduleState, with_keeping
from tests.kits.tools.world import call, draft

DAYS = {"from_date": "2026-03-16", "to_date": "2026-03-17"}


def kept_draft() -> ScheduleState:
    state = draft()
    return with_keeping(state, {entry.source_id: (False, True) for entry in state.items()})


async def test_an_illness_leaves_what_was_set_by_hand_and_tells_it():
    state = kept_draft()
    standing = {e.name for e in state.items() if (place := state.place_of(e)) and place.day in (15, 16)}
    made, result = await call("replan", {"kind": "ill", **DAYS}, state)
    assert standing
    assert {row["name"] for row in made.data["left"] if row["rule"] == "kept"} == standing
    assert result.status == "failed"
    assert "是钉住的或你亲手放的" in result.observation_text


async def test_a_preview_of_free_days_tells_it_too():
    seen, _ = await call("preview_replan", {"kind": "keep_free", "dates": ["2026-03-16", "2026-03-17"]}, kept_draft())
    assert {row["rule"] for row in seen.data["left"]} == {"kept"}


@pytest.mark.parametrize(
    ("locale", "asked", "told"),
    [
        ("zh", "周三留空。写入吗？", "（「向量」是钉住的或你亲手放的，要自己挪）"),
        ("en", "Wed is kept free. Write it?",
         " (pinned or placed by you and staying there until you move it: “向量”)"),
    ],
)  # fmt: skip
def test_a_card_does_not_say_that_nothing_has_to_move(locale, asked, told):
    data = {
        "written": {"zh": ["周三留空。"], "en": ["Wed is kept free."]},
        "left": [{"name": "向量", "rule": "kept", "stays": True}],
    }
    assert written_sentence(Lang(locale), [], data) == asked
    assert left_words(Lang(locale), data) == told
