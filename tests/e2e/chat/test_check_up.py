"""A check of the plan tells what an exam has fallen upon, and offers to line it up anew."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.places import apply_before, plan_before
from tests.kits.page.planner import Planner

EXAM = "物理期中"


def apply_plan(planner: Planner) -> str:
    """Plans all tasks and applies the plan; the address of the conversation."""
    talk = plan_before(planner)
    apply_before(planner, talk)
    return f"/chat?conversation={talk}"


def with_an_exam_over_a_step(planner: Planner) -> str:
    """Puts an exam over a step of next week; its name."""
    week = planner.api(f"/schedule/week?week={planner.api('/schedule/semester')['today']['week'] + 1}")
    step = next(event for event in week["events"] if event["type"] == "task")
    day = date.fromisoformat(week["first_date"]) + timedelta(days=step["day_of_week"] - 1)
    exam = {"name": EXAM, "date": day.isoformat(), "start_time": step["start_time"], "end_time": step["end_time"]}
    planner.send("POST", "/schedule/exams", exam)
    return str(step["name"])


def end_earlier(planner: Planner) -> dict[str, Any]:
    """Ends a class before its last steps; the class."""
    rows = planner.api("/task-class")["list"]
    row: dict[str, Any] = planner.api(f"/task-class/{rows[0]['id']}")
    first = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    days = sorted(
        first + timedelta(days=7 * (at["week"] - 1) + at["day_of_week"] - 1)
        for item in row["items"]
        if (at := item["embedded_time"])
    )
    items = [{key: item[key] for key in ("id", "order", "content", "duration")} for item in row["items"]]
    body = {**row, "items": items, "end_date": (days[-1] - timedelta(days=1)).isoformat()}
    planner.send("PUT", f"/task-class/{row['id']}", {key: value for key, value in body.items() if key != "id"})
    return row


def test_what_stands_after_an_earlier_end_does_not_fit_as_it_is_and_is_moved_in(enter: Any) -> None:
    planner = enter("check-late")
    talk = apply_plan(planner)
    row = end_earlier(planner)
    planner.open(talk)
    told = planner.page.locator(".block.text").last
    planner.say("检查一下安排")
    expect(told).to_contain_text("排在截止之后")
    expect(told).to_contain_text("请说「把排在截止之后的重新安排一下」")
    planner.say(f"{row['name']}放得下吗？")
    expect(told).to_contain_text("还没有全放进去")
    planner.say("把排在截止之后的重新安排一下")
    with planner.running():
        planner.page.locator(".ask.open [data-action=approve]").click()
    planner.say(f"{row['name']}放得下吗？")
    expect(told).to_contain_text("的内容都已经有位置")


def leave_out_a_weekday(planner: Planner) -> str:
    """Leaves the weekday of a step of next week out of its class; the step's name."""
    row: dict[str, Any] = planner.api(f"/task-class/{planner.api('/task-class')['list'][0]['id']}")
    step = max((item for item in row["items"] if item["embedded_time"]), key=lambda one: one["embedded_time"]["week"])
    items = [{key: item[key] for key in ("id", "order", "content", "duration")} for item in row["items"]]
    body = {**row, "items": items, "excluded_days_of_week": [step["embedded_time"]["day_of_week"]]}
    planner.send("PUT", f"/task-class/{row['id']}", {key: value for key, value in body.items() if key != "id"})
    return str(step["content"])


def test_what_a_changed_task_leaves_out_by_now_is_told_and_lined_up_anew(enter: Any) -> None:
    planner = enter("check-misfits")
    talk = apply_plan(planner)
    name = leave_out_a_weekday(planner)
    planner.open(talk)
    told = planner.page.locator(".block.text").last
    planner.say("检查一下安排")
    expect(told).to_contain_text("项和任务对不上")
    expect(told).to_contain_text(name)
    expect(told).to_contain_text("和任务现在的不排的时间对不上")
    expect(told).to_contain_text("请说「把和任务对不上的重新安排一下」")
    planner.say("把和任务对不上的重新安排一下")
    with planner.running():
        planner.page.locator(".ask.open [data-action=approve]").click()
    planner.say("检查一下安排")
    expect(told).not_to_contain_text("对不上")


@pytest.mark.parametrize("fresh", [False, True], ids=["same talk", "new talk"])
def test_what_an_exam_lies_over_is_told_and_lined_up_anew(enter: Any, fresh: bool) -> None:
    planner = enter(f"check-exam-{fresh}")
    talk = apply_plan(planner)
    name = with_an_exam_over_a_step(planner)
    planner.open(talk)
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
