"""A term goes its way in the page: lessons change, holidays and exams come, classes are made by form."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Page, expect

from tests.kits.page.places import apply_before, plan_before
from tests.kits.page.planner import Planner

HOSTILE = "\"><script>document.title='taken'</script>"


def send(page: Page) -> None:
    """First what it would do, then that."""
    page.get_by_role("button", name="看看会怎样").click()
    expect(page.get_by_role("heading", name="会发生这些")).to_be_focused()
    page.get_by_role("button", name="就这样做").click()
    expect(page.get_by_text("已保存")).to_be_visible()


def undo(page: Page) -> None:
    page.locator(".told").get_by_role("button", name="撤销").click()
    expect(page.get_by_text("已撤销")).to_be_visible()


def week_of(planner: Planner, day: date) -> int:
    first = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    return (day - first).days // 7 + 1


def add_exam(planner: Planner, day: date) -> int:
    planner.open("/courses/days")
    page = planner.page
    page.get_by_role("link", name="加考试").click()
    page.get_by_label("名称").fill("线代期末")
    page.get_by_label("日期").fill(day.isoformat())
    page.get_by_label("开始").fill("14:00")
    page.get_by_label("结束").fill("16:00")
    send(page)
    return int(planner.api("/schedule/exams")["list"][0]["id"])


def test_a_lesson_moves_and_comes_back(enter: Any) -> None:
    planner = enter("page-term-lesson")
    page, today = planner.page, planner.today()
    course = planner.api("/schedule/courses")["list"][0]
    page.goto(f"{planner.base_url}/courses/{course['id']}/lessons")
    row = page.locator(".lessons > li:not(.past)").nth(2)
    before = row.locator("div").first.inner_text().split("\n")[0]
    row.get_by_role("link", name="改这一次").click()
    page.get_by_label("停课").check()
    page.get_by_role("button", name="看看会怎样").click()
    expect(page.locator("#effect + ul")).to_contain_text("停课")
    page.get_by_label("换时间").check()
    page.get_by_label("日期").fill((today + timedelta(days=13 - today.weekday())).isoformat())
    page.get_by_label("从第几节").select_option("11")
    page.get_by_label("到第几节").select_option("12")
    page.get_by_label("备注").fill(HOSTILE)
    # What was tried is not what would be written now: it is tried again.
    page.get_by_role("button", name="就这样做").click()
    expect(page.locator("#effect + ul")).to_contain_text("移到")
    page.get_by_role("button", name="就这样做").click()
    changes = page.get_by_role("region", name="一次性的改变")
    expect(changes).to_contain_text(before)
    expect(changes).to_contain_text(HOSTILE)
    undo(page)
    expect(changes).not_to_contain_text(HOSTILE)
    assert page.title() != "taken"


def test_a_lesson_of_the_week_leads_to_what_can_be_done_about_it_and_back(enter: Any) -> None:
    planner = enter("page-term-week")
    page = planner.page
    lesson = planner.api("/schedule/week?week=3")["events"][0]
    planner.open("/week/3")
    page.locator(f".entry.course[data-event='{lesson['id']}']").click()
    expect(page.get_by_role("heading", name=lesson["name"])).to_be_visible()
    page.get_by_label("停课").check()
    send(page)
    expect(page).to_have_url(re.compile(r"/week/3$"))
    fallen = page.locator(f".entry.fallen[aria-label*='{lesson['name']}']")
    expect(fallen).to_have_count(1)
    undo(page)
    expect(fallen).to_have_count(0)
    planner.send("POST", "/schedule/lesson-changes", {"kind": "cancelled", "event_id": lesson["id"]})
    planner.open("/week/3")
    fallen.click()
    page.get_by_role("link", name="取消调课").click()
    page.get_by_role("button", name="就这样做").click()
    expect(page).to_have_url(re.compile(r"/week/3$"))
    expect(page.locator(f".entry.course[data-event='{lesson['id']}']")).to_be_visible()
    expect(fallen).to_have_count(0)


def test_a_holiday_takes_the_lessons_of_its_day(enter: Any) -> None:
    planner = enter("page-term-holiday")
    page, today = planner.page, planner.today()
    holiday = today + timedelta(days=8 - today.weekday())  # the next Tuesday
    planner.open("/courses/days")
    page.get_by_role("link", name="加假期或补课日").click()
    page.get_by_label("名称").fill(HOSTILE)
    page.get_by_label("第一天").fill(holiday.isoformat())
    send(page)
    expect(page.get_by_role("region", name="假期和补课")).to_contain_text(HOSTILE)
    assert page.title() != "taken"
    planner.open("/week")
    planner.show_week(week_of(planner, holiday))
    expect(page.locator(".entry.course[aria-label*='周三']").first).to_be_visible()
    expect(page.locator(".entry.course[aria-label*='周二']:not(.cancelled)")).to_have_count(0)
    assert page.title() != "taken"


def test_a_class_ends_before_its_exam_wherever_the_exam_moves(enter: Any) -> None:
    planner = enter("page-term-exam")
    page, today = planner.page, planner.today()
    exam = add_exam(planner, today + timedelta(days=30))
    planner.open("/tasks/new")
    page.get_by_label("名称").fill(HOSTILE)
    page.get_by_label("开始").fill(today.isoformat())
    page.get_by_label("考试", exact=True).select_option(str(exam))
    page.get_by_label("内容，一行一项").fill("行列式\n矩阵\n向量")
    page.get_by_role("button", name="保存").click()
    expect(page.get_by_role("link", name=HOSTILE).first).to_be_visible()

    planner.open(f"/courses/exams/{exam}")
    page.get_by_label("日期").fill((today + timedelta(days=20)).isoformat())
    page.get_by_role("button", name="看看会怎样").click()
    expect(page.locator("#effect + ul")).to_contain_text(f"「{HOSTILE}」的截止日期改为")
    page.get_by_role("button", name="就这样做").click()
    expect(page.get_by_text("已保存")).to_be_visible()
    made = next(one for one in planner.api("/task-class?page_size=100")["list"] if one["name"] == HOSTILE)
    assert made["end_date"] == (today + timedelta(days=19)).isoformat()
    undo(page)
    assert planner.api(f"/task-class/{made['id']}")["end_date"] == (today + timedelta(days=29)).isoformat()
    assert page.title() != "taken"


def test_an_exam_stands_in_sight_over_what_is_at_its_time(enter: Any) -> None:
    planner = enter("page-term-over")
    page = planner.page
    lesson = planner.api("/schedule/week?week=3")["events"][0]
    first = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    body = {
        "name": "期中", "date": (first + timedelta(days=14 + lesson["day_of_week"] - 1)).isoformat(),
        "start_time": "08:10", "end_time": "11:10",
    }  # fmt: skip
    planner.send("POST", "/schedule/exams", body)
    planner.open("/week/3")
    exam = page.locator(".entry.exam")
    expect(exam).to_have_attribute("aria-label", re.compile("08:10–11:10"))
    box = exam.bounding_box()
    assert box is not None
    on_top = "([x, y]) => document.elementFromPoint(x, y).closest('.entry').classList.contains('exam')"
    assert page.evaluate(on_top, [box["x"] + box["width"] / 2, box["y"] + 20])


def test_what_an_exam_falls_upon_says_so(enter: Any) -> None:
    planner = enter("page-term-clash")
    page, talk = planner.page, plan_before(planner)
    row = next(row for row in apply_before(planner, talk) if row["item_id"])
    first = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    day = first + timedelta(days=7 * (row["week"] - 1) + row["day_of_week"] - 1)
    body = {"name": "期中", "date": day.isoformat(), "start_time": "00:10", "end_time": "23:50"}
    planner.send("POST", "/schedule/exams", body)
    planner.open(f"/week/{row['week']}?conversation={talk}")
    block = page.locator(f".entry[data-item='{row['item_id']}']")
    expect(block).to_have_attribute("aria-label", re.compile("和「期中」撞在一起"))
    expect(block).to_have_class(re.compile(r"\bclash\b"))


def test_a_long_screen_scrolls_inside_itself(enter: Any) -> None:
    planner = enter(viewport={"width": 390, "height": 500})
    page = planner.page
    for path in ("/tasks", "/courses", "/courses/days", "/today/catch-up"):
        page.goto(planner.base_url + path)
        assert page.evaluate("document.documentElement.scrollHeight") <= 500, path
