"""The card under which the rough build reports itself, and what a card says of the term that it writes."""

from __future__ import annotations

import jsonschema
import pytest

from agent.calls.phrase import say
from agent.calls.size import EVENT_LIMIT, size_of
from agent.calls.values import Change, ToolError, ToolOutcome
from agent.loop.output.tool_events import tool_finished
from agent.tools.cards.confirm import written_sentence
from agent.tools.cards.parts.kit import Lang
from agent.tools.cards.schemas import view_schemas
from agent.tools.default import default_registry
from tests.kits.tools.world import call, draft

REGISTRY = default_registry()
SCHEMA = jsonschema.Draft202012Validator(view_schemas()["schedule.operation_result"])
BASE = {"task_class_ids": [5, 6], "class_names": ["概率论复习", "六级词汇"], "placed": 1, "left": []}
LEFT = [{"item_id": 602, "task_id": 9, "name": "六级词汇第2项", "rule": "occupied", "class_id": 6}]


async def built():
    before = draft()
    return before, (await call("place", {"task_id": 7, "day": 9, "slot_start": 1}, before))[0].draft


def test_it_announces_the_classes_by_name():
    started = REGISTRY.announce_planning({5: "概率论复习"}, locale="zh")
    assert started.summary == "正在为任务类智能排程"
    assert started.arguments_preview == "任务类：[概率论复习]"
    assert started.argument_view["expanded"]["fields"] == [
        {"key": "task_class_ids", "label": "任务类", "value": [5], "display": "[概率论复习]"}
    ]


async def test_a_finished_build_lists_what_it_placed():
    before, after = await built()
    result = REGISTRY.compose_planning("rough_build.tool.1", BASE, None, locale="zh", before=before, after=after)
    SCHEMA.validate(result.result_view)
    assert (result.summary, result.status) == ("已排 1 项", "done")
    assert result.result_view["collapsed"]["subtitle"] == "概率论复习、六级词汇：1 项全部排入"
    assert result.arguments_preview == "概率论复习、六级词汇：1 项全部排入"
    assert [one["task_id"] for one in result.changes] == [7]
    assert result.draft_revision == after.revision
    assert result.observation_text == "已排1项；待安排0项。"
    assert result.tool == "smart_planning"


async def test_leftovers_are_named_with_their_rule():
    before, after = await built()
    result = REGISTRY.compose_planning(
        "rough_build.tool.1", {**BASE, "left": LEFT}, None, locale="en", before=before, after=after
    )
    SCHEMA.validate(result.result_view)
    left = result.result_view["expanded"]["sections"][-1]
    assert left["title"] == "Left out"
    assert left["items"][0]["subtitle"] == "the time is taken"
    assert result.summary == "Placed 1 step"


def test_a_card_of_very_many_items_fits_into_one_event():
    left = [{**LEFT[0], "task_id": 9 + n, "name": f"六级词汇第{n}项"} for n in range(2_000)]
    error = ToolError("rough_build_pending_remaining", say("可用时间不够"))
    data = {**BASE, "placed": 0, "left": left, "needed": 20, "available": 14, "missing": 6}
    result = REGISTRY.compose_planning("rough_build.tool.1", data, error, locale="en", before=draft())
    SCHEMA.validate(result.result_view)
    event = tool_finished("rough_build", result, duration_ms=1)
    assert 16 * 1024 < len(event.model_dump_json().encode()) <= EVENT_LIMIT
    shown = result.result_view["expanded"]
    section = next(one for one in shown["sections"] if one["title"] == "Left out")
    assert shown["truncated"] is True
    assert section["summary"] == f"… and {2_000 - len(section['items'])} more"
    assert section["items"][0]["title"] == "六级词汇第0项"
    assert "2000" in result.result_view["collapsed"]["title"]
    assert result.observation_text.count("六级词汇第") == 2_000


def test_a_consent_to_very_many_changes_fits_into_one_event():
    changes = tuple(
        Change("unplace", task_id=n, task_item_id=n, task_class_id=5, name=f"第{n}项", before=None, after=None)
        for n in range(1, 2_001)
    )
    wanted = REGISTRY.validate("unplace", {"task_id": 7})
    card = REGISTRY.card("execute.tool.1", wanted, ToolOutcome(None, {}, changes=changes), draft(), locale="zh")
    assert size_of({"changes": card.changes, "tool": card.tool}) <= EVENT_LIMIT
    assert card.fields[-1] == {"label": "变更", "value": f"…另有 {2_000 - len(card.changes)} 项"}


def test_a_build_that_does_not_fit_leaves_no_change():
    data = {**BASE, "placed": 0, "left": LEFT, "needed": 20, "available": 14, "missing": 6}
    error = ToolError("rough_build_pending_remaining", say("可用时间不够"))
    result = REGISTRY.compose_planning("rough_build.tool.1", data, error, locale="zh", before=draft())
    SCHEMA.validate(result.result_view)
    assert (result.status, result.summary) == ("failed", "缺 6 节，1 项放不下")
    assert (result.changes, result.draft_revision) == ((), None)
    assert "需要20节，可用14节，缺少6节" in result.observation_text
    assert result.observation_text.endswith("草稿未改动。")
    assert REGISTRY.rule_label("occupied", "zh") == "时段已被占用"
    assert REGISTRY.rule_label("", "zh") == ""


@pytest.mark.parametrize(
    ("locale", "moved", "said"),
    [
        ("zh", 0, "周三晚上留空。不用移动任何项，写入吗？"),
        ("zh", 2, "周三晚上留空。随之移动 2 项，写入吗？"),
        ("en", 0, "Wed evening is kept free. No step has to move. Write it?"),
    ],
)
def test_what_is_written_of_the_term_says_how_many_items_follow(locale, moved, said):
    told = {"written": {"zh": ["周三晚上留空。"], "en": ["Wed evening is kept free."]}}
    assert written_sentence(Lang(locale), [{}] * moved, told) == said
