"""A check of the plan tells what an exam has fallen upon, and offers to line it up anew."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.places import plan_all
from tests.kits.page.planner import Planner

EXAM = "物理期中"


def with_an_exam_over_a_step(planner: Planner) -> str:
    """Applies a plan and puts an exam over a step of next week; its name."""
    plan_all(planner)
    planner.page.click("#apply")
    expect(planner.page.locator(".toast.success")).to_be_visible()
    week = planner.api(f"/schedule/week?week={planner.api('/schedule/semester')['today']['week'] + 1}")
    step = next(event for event in week["events"] if event["type"] == "task")
    day = date.fromisoformat(week["first_date"]) + timedelta(days=step["day_of_week"] - 1)
    exam = {"name": EXAM, "date": day.isoformat(), "start_time": step["start_time"], "end_time": step["end_time"]}
    planner.send("POST", "/schedule/exams", exam)
    return str(step["name"])


@pytest.mark.parametrize("fresh", [False, True], ids=["same talk", "new talk"])
def test_what_an_exam_lies_over_is_told_and_lined_up_anew(open_planner: Any, fresh: bool) -> None:
    planner = open_planner(f"check-exam-{fresh}")
    name = with_an_exam_over_a_step(planner)
    if fresh:
        planner.page.click("#new-conversation")
    planner.say("检查一下安排")
    told = planner.page.locator(".block.text").last
    expect(told).to_contain_text(f"1 项撞上考试（{name}）")
    expect(told).to_contain_text(f"撞上考试「{EXAM}」")
    expect(told).not_to_contain_text("没有一步就能变好的改动")
    planner.say("有没有撞上考试的？")
    expect(planner.page.locator(".block.text").last).to_contain_text(f"撞上考试「{EXAM}」")
    planner.say("把撞上考试的重新安排一下")
    with planner.running():
        planner.page.locator(".ask.open [data-action=approve]").click()
    planner.say("有没有撞上考试的？")
    expect(planner.page.locator(".block.text").last).to_contain_text("没有冲突")
