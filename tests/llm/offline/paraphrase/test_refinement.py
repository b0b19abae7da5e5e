"""Times that are taken every week: a reason makes them a wish for all plans."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.paraphrase.paraphrase import paraphrase

LASTING = [
    "keep my tuesday evenings and afternoons free, i've got football",
    "I've got football on tuesday evenings so keep those free",
    "I've got work every friday afternoon",
    "on thursdays I have choir practice",
    "tuesday evenings are football, keep them free",
    "can't do saturdays anymore, I've got a job",
    "每周四晚上有合唱团排练",
    "周五下午我固定要去家教",
    "每个星期天要回家，别安排学习",
    "以后周一晚上都有社团活动",
]
ONCE = ["this saturday I have a wedding", "keep this tuesday evening free, I've got football", "keep sundays free",
        "这周六我要参加婚礼", "周日别排"]  # fmt: skip


@pytest.mark.parametrize("said", LASTING)
def test_a_time_of_every_week_with_its_reason_is_a_wish(said):
    found = paraphrase(said, (), ())
    assert found is not None
    assert [frame.form for frame in found.frames] == ["wish_nothing_on"]


@pytest.mark.parametrize("said", ONCE)
def test_one_day_and_a_time_without_a_reason_are_none(said):
    found = paraphrase(said, (), ())
    assert found is None or "wish_nothing_on" not in [frame.form for frame in found.frames]
