"""A picture of a timetable is dropped into the page, read by a model that sees, mended and written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.imports import drop
from tests.kits.page.planner import Planner
from tests.kits.provider.openai_server import OpenAIServer, decision

ROW = {
    "course_name": "书法 <b>A</b>", "teacher": "张三", "location": "教1-101", "day_of_week": "6", "sections": "11-12",
    "weeks": "1-16单", "text": "书法 1-16单 张三", "confidence": 0.95, "warnings": [],
}  # fmt: skip
BLURRED = {**ROW, "course_name": "篆刻", "day_of_week": 7, "confidence": 0.4, "warnings": ["周次模糊"]}
PNG = b"\x89PNG\r\n\x1a\n" + b"picture"


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIServer]:
    with OpenAIServer() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def server(server_factory: Any, model: OpenAIServer) -> Any:
    return server_factory(
        AGENT_BACKEND="openai", OPENAI_BASE_URL=model.base_url, OPENAI_MODEL="gpt-4o-mini", OPENAI_API_KEY="x"
    )


def test_a_picture_is_read_once_mended_and_written(enter: Any, model: OpenAIServer) -> None:
    planner: Planner = enter("page-picture")
    page = planner.page
    model.script([decision({"outcome": "partly", "warnings": ["右下角被挡住"], "rows": [ROW, BLURRED]})])
    drop(planner, "paste", "term.png", "image/png", PNG)
    found = page.get_by_role("region", name="会导入的")
    expect(found).to_contain_text("可导入 8 节课")
    expect(found).to_contain_text("右下角被挡住")
    expect(found.locator("tr", has_text="篆刻")).to_contain_text("有问题")
    found.locator("tr", has_text="篆刻").locator("[value='confirm:2']").check()
    page.get_by_role("button", name="按现在勾选的再看一遍").click()
    expect(found.locator("tr", has_text="篆刻")).to_contain_text("8 节课")
    page.get_by_role("button", name="导入 16 节课").click()
    expect(page.get_by_text("已导入 16 节课")).to_be_visible()
    assert "书法 <b>A</b>" in str(planner.api("/schedule/week?week=3"))
    assert len(model.requests) == 1


def test_a_picture_of_something_else_is_told(enter: Any, model: OpenAIServer) -> None:
    planner: Planner = enter("page-picture-other")
    model.script([decision({"outcome": "not_a_timetable", "rows": []})])
    drop(planner, "drop", "cat.png", "image/png", PNG + b"cat")
    expect(planner.page.locator("main")).to_contain_text("没有看到课程表")
