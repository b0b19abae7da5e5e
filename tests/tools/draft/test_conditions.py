"""Conditions on places as a tool: who stays although it breaks one is told apart from who has no place."""

from __future__ import annotations

import pytest

from agent.tools.words.replan import LEFT
from schedules.planner.replan.limits import OUTSIDE
from taskclasses.kernel.i18n import text
from tests.kits.tools.world import call, draft

PAST = [{"to_date": "2026-02-01"}]
LIMITS = [{"task_ids": [5, 7], "within": PAST}, {"task_ids": [8], "without": [{"weekdays": [4]}]}]


@pytest.mark.parametrize("tool", ["replan", "preview_replan"])
@pytest.mark.parametrize("locale", ["zh", "en"])
async def test_who_stays_where_it_breaks_a_condition_is_not_without_a_place(tool, locale):
    arguments = {"kind": "limits", "limits": LIMITS, "task_ids": [7]}
    made, result = await call(tool, arguments, draft(), locale=locale)
    assert [one["task_id"] for one in made.data["changes"]] == [8]
    assert {one["task_id"]: one["stays"] for one in made.data["left"]} == {5: True, 7: False}
    told = result.observation_text
    stays, waits = told.index("留在原处："), told.index("放不下：")
    assert stays < told.index("概率论复习第1项", stays) < waits < told.index("概率论复习第3项", waits)
    sections = {one["title"]: one["items"] for one in result.result_view["expanded"]["sections"] if "items" in one}
    for title, task in (("留在原处的任务", 5), ("放不下的任务", 7)):
        (row,) = sections[text(title, locale)]
        assert row["meta"]["task_id"] == task
        assert row["subtitle"] == text(LEFT[OUTSIDE], locale)
