"""The card of a call whose worker died keeps to the schema of the tool's own cards, whatever the tool."""

from __future__ import annotations

from typing import Any

import pytest

from agent.calls.tool import ToolAnnouncement
from agent.loop.events import Stamped, ToolFinished
from agent.loop.interactions import NodeName
from agent.loop.output.tool_events import tool_started
from agent.runs.timeline.close_out import Reason, close_out
from agent.tools.cards.planning import NAME as PLANNING
from agent.tools.default import default_registry
from tests.kits.agent.cards import check_cards
from tests.kits.tools.cases import CASES
from tests.kits.tools.world import draft

pytestmark = pytest.mark.storeless

REGISTRY = default_registry()
WORKS = {case.tool: case.works for case in CASES}
NAMES = [*(tool.name for tool in REGISTRY.tools), PLANNING]
FAMILIES = {**{tool.name: tool.view_type for tool in REGISTRY.tools}, PLANNING: "schedule.operation_result"}


def announcement_of(name: str, locale: str) -> ToolAnnouncement:
    if name == PLANNING:
        return REGISTRY.announce_planning({5: "概率论复习"}, locale=locale)
    call: Any = REGISTRY.validate(name, WORKS[name], draft())
    return REGISTRY.announce(call, draft(), locale=locale)


def lost(shown: ToolAnnouncement, locale: str, reason: Reason = "worker_lost") -> tuple[ToolFinished, ToolAnnouncement]:
    """What closes a call that was begun and never ended."""
    stage: NodeName = "rough_build" if shown.name == PLANNING else "execute"
    begun = tool_started(stage, f"{stage}.tool.1", {}, shown)
    log: list[Stamped] = [begun.stamp(idx=1, ts=100.0, run_id="r", conversation_id="c")]
    (event,) = close_out(log, REGISTRY, reason=reason, locale=locale, now=102.5)
    assert isinstance(event, ToolFinished)
    return event, shown


@pytest.mark.parametrize("reason", ["worker_lost", "run_cancelled"])
@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("name", NAMES)
def test_a_call_that_was_lost_has_a_card_of_its_own_family(name: str, locale: str, reason: Reason) -> None:
    event, shown = lost(announcement_of(name, locale), locale, reason)
    assert check_cards(event.own()) == 2
    assert event.result_view is not None
    assert event.result_view["view_type"] == FAMILIES[name]
    assert event.result_view["collapsed"]["status"] == event.status == "failed"
    assert (event.error_code, event.success, event.duration_ms) == (reason, False, 2_500)
    assert event.error_message in event.result_view["expanded"]["sections"][0]["subtitle"]
    assert (event.argument_view, event.arguments_preview) == (shown.argument_view, event.error_message)
    assert (event.changes, event.draft_revision) == ([], None)


def test_the_words_of_a_lost_card() -> None:
    english, _ = lost(announcement_of("move", "en"), "en")
    assert (english.summary, english.error_message) == ("Move failed", "The work was interrupted")
    chinese, _ = lost(announcement_of(PLANNING, "zh"), "zh")
    assert (chinese.summary, chinese.error_message) == ("智能排程失败", "处理被中断")


def test_a_lost_call_of_another_version_has_the_plain_card() -> None:
    known = announcement_of("move", "zh")
    event, _ = lost(ToolAnnouncement("time_travel", "旧工具", "", known.argument_view, ""), "zh")
    assert check_cards(event.own()) == 2
    assert event.result_view is not None
    assert event.result_view["view_type"] == "legacy_text"
    assert event.name == "time_travel"


@pytest.mark.parametrize("created", [True, False])
def test_a_class_that_was_committed_untold_has_a_card_of_its_family(created: bool) -> None:
    tool = next(tool for tool in REGISTRY.tools if tool.name == "upsert_task_class")
    shown = announcement_of(tool.name, "zh")
    result = REGISTRY.compose_committed(
        "execute.tool.1", tool, created=created, arguments=shown.argument_view, locale="zh"
    )
    assert check_cards(result.result_view) == 1
    assert result.result_view["view_type"] == tool.view_type
    assert (result.status, result.summary) == ("done", "任务类已创建" if created else "任务类已更新")


def test_marks_that_were_committed_untold_have_a_card_of_their_family() -> None:
    tool = next(tool for tool in REGISTRY.tools if tool.name == "mark_items")
    shown = announcement_of(tool.name, "zh")
    result = REGISTRY.compose_committed(
        "execute.tool.1", tool, created=None, arguments=shown.argument_view, locale="zh"
    )
    assert check_cards(result.result_view) == 1
    assert (result.status, result.summary) == ("done", "进度已标记")
