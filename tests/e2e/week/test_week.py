"""The week under the hands: keys, fingers, what has no place, what the sheet of a block says and does."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.kits.page.audit import find_faults
from tests.kits.page.places import PLAN, apply_before, plan_before, say_before
from tests.kits.page.planner import Planner
from tests.kits.page.yesterday import place_yesterday

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.dataset.item || document.activeElement.id")
    return found


def fullest_week(planner: Planner) -> int:
    weeks = [one["week"] for one in planner.preview()["hybrid_entries"] if one["status"] == "suggested"]
    return max(weeks, key=weeks.count)


def test_an_address_of_a_week_opens_it_wherever_the_draft_begins_and_is_that_of_the_shown_week(
    open_planned: Any,
) -> None:
    planner = open_planned(path="/chat")
    page = planner.page
    taken = {row["week"] for row in planner.preview()["hybrid_entries"] if row["status"] == "suggested"}
    empty = next(week for week in range(1, 20) if week not in taken)
    talk = f"conversation={planner.conversation}"
    planner.open(f"/week/{empty}?{talk}")
    expect(page.locator(f"[data-week='{empty}']")).to_have_attribute("aria-current", "true")
    planner.open(f"/week?{talk}")
    expect(page.locator("#week-grid .entry.suggested").first).to_be_visible()
    planner.show_week(7)
    expect(page).to_have_url(f"{planner.base_url}/week/7?{talk}")
    page.reload()
    planner.ready()
    expect(page.locator("[data-week='7']")).to_have_attribute("aria-current", "true")


def test_the_last_week_is_shown_where_the_semester_became_shorter(enter: Any) -> None:
    planner = enter("page-shorter")
    page = planner.page
    running = planner.api("/schedule/semester")
    term = {"name": "小学期", "first_monday": running["first_monday"], "weeks": 8}
    made = planner.send("POST", "/schedule/semesters", term | {"section_times": running["section_times"]})
    planner.open(f"/week/{running['weeks']}")
    expect(page.locator(f"[data-week='{running['weeks']}']")).to_have_attribute("aria-current", "true")
    planner.send("PATCH", "/account/settings", {"semester_id": made["id"]})
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("[data-week='8']")).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-week='9']")).to_have_count(0)


def test_a_draft_of_another_semester_is_shown_in_its_own_weeks(open_planned: Any) -> None:
    planner = open_planned("page-semesters", path="/chat")
    page, talk = planner.page, f"conversation={planner.conversation}"
    first = planner.preview()["difference"]["new"][0]
    running = planner.api("/schedule/semester")
    monday = date.fromisoformat(running["first_monday"]) + timedelta(days=7 * (running["weeks"] + 4))
    coming = {"name": "下学期", "first_monday": monday.isoformat(), "weeks": 18}
    made = planner.send("POST", "/schedule/semesters", coming | {"section_times": running["section_times"]})
    planner.send("PATCH", "/account/settings", {"semester_id": made["id"]})
    day = date.fromisoformat(first["after"]["date"])
    when = f"{day.month} 月 {day.day} 日"

    planner.open(f"/week?{talk}")
    expect(page.locator("#week-dates")).to_contain_text(running["name"])
    expect(page.locator(f".entry[data-item='{first['task_item_id']}']")).to_have_accessible_name(re.compile(when))
    expect(page.locator("#timeline")).to_contain_text(when)
    expect(page.locator(".entry.course").first).to_be_visible()
    expect(page.locator("#print-week")).to_have_attribute("href", re.compile(f"semester_id={running['id']}"))
    page.click("#new-conversation")
    expect(page.locator("#week-dates")).to_contain_text(f"{monday.month} 月 {monday.day} 日")
    expect(page.locator("#week-dates")).not_to_contain_text(coming["name"])
    expect(page.locator(".entry.course")).to_have_count(0)
    expect(page.locator("#week-today")).to_be_hidden()
    page.context.add_cookies([{"name": "django_language", "value": "en", "url": planner.base_url}])
    planner.open(f"/week?{talk}")
    expect(page.locator("#week-dates")).to_contain_text(re.compile(r"(Spring|Autumn) \d{4} · "))


def test_the_first_block_is_at_most_ten_tabs_away(open_planned: Any) -> None:
    planner = open_planned()
    page = planner.page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    for _ in range(9):
        page.keyboard.press("Tab")
        if page.locator(".entry:focus").count():
            break
    assert page.locator(".entry:focus").count() == 1, focused(page)


def test_the_week_is_one_stop_and_arrows_reach_the_other_blocks(open_planned: Any) -> None:
    planner = open_planned()
    page = planner.page
    planner.show_week(fullest_week(planner))
    expect(page.locator(".entry[data-item][tabindex='0']")).to_have_count(1)
    first = page.locator(".entry[data-item][tabindex='0']")
    first.focus()
    seen = {focused(page)}
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End", "Home"):
        page.keyboard.press(key)
        seen.add(focused(page))
    assert len(seen) > 2
    assert all(one.isdigit() for one in seen)
    expect(page.locator(".entry[data-item][tabindex='0']")).to_have_count(1)


def test_what_leaves_the_shown_week_leaves_the_focus_in_it(enter: Any) -> None:
    planner = enter("page-keys-stay")
    page = planner.page
    planned = [row for row in apply_before(planner, plan_before(planner)) if row["item_id"]]
    weeks = [row["week"] for row in planned]
    week = max(set(weeks) - {min(weeks)}, key=weeks.count)
    planner.open(f"/week/{week}")
    blocks = page.locator("#week-grid .entry[data-item]")
    names = [one.get_attribute("data-item") for one in blocks.all()]
    assert len(names) > 3
    blocks.nth(1).focus()
    page.keyboard.press("d")  # ahead of its time: its place is free again
    expect(blocks).to_have_count(len(names) - 1)
    assert focused(page) == names[2]
    page.keyboard.press("Delete")
    expect(blocks).to_have_count(len(names) - 2)
    assert focused(page) == names[3]
    for key, turned in (("PageUp", week - 1), ("PageDown", week)):
        page.keyboard.press(key)
        expect(page.locator(f"[data-week='{turned}']")).to_have_attribute("aria-current", "true")
    page.keyboard.press("1")
    expect(page.locator(".day-head")).to_have_count(1)
    page.keyboard.press("7")
    expect(page.locator(".day-head")).to_have_count(7)
    expect(page.locator("#week-grid :focus, #week-grid:focus")).to_have_count(1)


def test_keys_of_the_week_are_listed_and_work_in_it_only(open_planned: Any) -> None:
    planner = open_planned()
    page = planner.page
    block = page.locator(".entry[data-item][tabindex='0']")
    block.press("?")
    expect(page.locator("#help")).to_contain_text("Ctrl")
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    week = int(page.locator("[data-week][aria-current]").get_attribute("data-week"))
    page.locator(".entry[data-item][tabindex='0']").press("PageDown")
    expect(page.locator(f"[data-week='{week + 1}']")).to_have_attribute("aria-current", "true")
    page.locator("#week-grid").press("PageUp")
    expect(page.locator(f"[data-week='{week}']")).to_have_attribute("aria-current", "true")
    page.locator("#week-grid").press("3")
    expect(page.locator(".day-head")).to_have_count(3)
    page.locator("#week-grid").press("7")
    expect(page.locator(".day-head")).to_have_count(7)
    page.locator("#week-grid").press("a")
    expect(page.locator("#review")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#week-grid").press("/")
    expect(page.locator("#message")).to_be_focused()
    page.keyboard.type("a3?")
    assert page.input_value("#message") == "a3?"
    expect(page.locator("#review")).to_be_hidden()


def test_the_sheet_of_a_draft_block_says_why_and_leaves_it_out(open_planned: Any) -> None:
    planner = open_planned("week-sheet")
    page = planner.page
    changed = planner.preview()["difference"]["changed"]
    planner.show_week(fullest_week(planner))
    page.locator(".entry.suggested").last.click()
    sheet = page.locator("#block-sheet")
    expect(sheet.locator(".reason")).not_to_be_empty()
    sheet.get_by_role("button", name="钉住").click()
    expect(page.locator(".entry.suggested .i")).to_have_count(1)
    expect(sheet).to_be_hidden()
    page.locator(".entry.suggested").first.click()
    sheet.get_by_role("button", name="不要这一处").click()
    expect(page.locator("#plan-summary")).to_contain_text(f"新增 {changed - 1}")
    expect(page.locator("#review")).to_be_hidden()
    assert planner.preview()["difference"]["changed"] == changed - 1


@pytest.mark.parametrize("way", ["sheet", "key"])
def test_a_block_of_the_draft_is_done_before_it_is_applied(open_planned: Any, way: str) -> None:
    planner = open_planned(f"week-done-{way}")
    page = planner.page
    changed = planner.preview()["difference"]["changed"]
    planner.show_week(fullest_week(planner))
    block = page.locator(".entry.suggested").last
    item = block.get_attribute("data-item")
    if way == "sheet":
        block.click()
        page.locator("#block-sheet").get_by_role("button", name="完成").click()
    else:
        block.focus()
        page.keyboard.press("d")
    expect(page.locator(f".entry.suggested[data-item='{item}']")).to_have_count(0)
    expect(page.locator("#plan-summary")).to_contain_text(f"新增 {changed - 1}")
    expect(page.locator("#undo")).to_be_visible()
    page.click("#undo")
    expect(page.locator("#plan-summary")).to_contain_text("1 项待安排")


def test_a_double_click_opens_a_block_and_does_not_close_it_again(open_planned: Any) -> None:
    page = open_planned().page
    page.locator(".entry.suggested").first.dblclick()
    sheet = page.locator("#block-sheet")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(sheet).to_be_visible()
    box = sheet.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] + 40, box["y"] + box["height"] + 40)
    expect(sheet).to_be_hidden()


def test_a_button_of_the_sheet_stays_under_the_pointer_that_presses_it(open_planned: Any) -> None:
    """The reason comes while the button is down, and only then lets the sheet grow."""
    planner = open_planned()
    page = planner.page
    planner.show_week(fullest_week(planner))
    asked: list[Route] = []
    page.route("**/agent/why", lambda route: asked.append(route))
    with page.expect_request("**/agent/why"):
        page.locator(".entry.suggested").last.click()
    move = page.locator("#block-sheet").get_by_role("button", name="移动")
    box = move.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    with page.expect_response("**/agent/why"):
        asked.pop().continue_()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert move.bounding_box() == box
    page.mouse.up()
    expect(page.locator("#in-hand")).not_to_be_empty()


def overfull(planner: Planner, sections: int = 2) -> int:
    """A class of steps of so many sections with more to do than its days can hold; its id."""
    today = planner.today()
    body = {
        "name": "集训", "mode": "auto",
        "start_date": (today + timedelta(days=1)).isoformat(), "end_date": (today + timedelta(days=2)).isoformat(),
        "items": [{"order": n, "content": f"专题 {n}", "duration": sections} for n in range(1, 16 * 2 // sections)],
    }  # fmt: skip
    made: int = planner.send("POST", "/task-class", body)["id"]
    return made


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_what_has_no_place_stands_in_a_list_and_is_put_into_the_week(enter: Any, options: Any) -> None:
    planner = enter(f"week-unplaced-{len(options)}", **options)
    page = planner.page
    talk = say_before(planner, PLAN, overfull(planner))
    say_before(planner, "接受风险", conversation=talk)
    planner.open(f"/week?conversation={talk}")
    if not options:
        page.click("#unplaced-tab")
    else:
        page.click("#unplaced summary")
    row = page.locator("#unplaced-list li").first
    expect(row).to_be_visible()
    expect(page.locator("#unplaced-list .why").first).not_to_be_empty()
    row.get_by_role("button", name="放到…").click()
    expect(page.locator("#in-hand")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator("#in-hand")).to_be_empty()


def test_a_waiting_step_of_one_period_is_told_as_one(enter: Any) -> None:
    planner = enter("week-one-period", locale="en-US")
    talk = say_before(planner, PLAN, overfull(planner, sections=1))
    say_before(planner, "接受风险", conversation=talk)
    planner.open(f"/week?conversation={talk}")
    planner.page.click("#unplaced-tab")
    expect(planner.page.locator("#unplaced-list .chip small").first).to_have_text(re.compile(r"of 31 · 1 period$"))


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_what_waits_beside_the_draft_is_told_and_planned_with_it(enter: Any, options: Any) -> None:
    planner = enter(f"week-beside-{len(options)}", **options)
    page = planner.page
    drafted, other = [one["id"] for one in planner.api("/task-class")["list"] if one["waiting_count"]][:2]
    planner.open(f"/week?conversation={say_before(planner, PLAN, drafted)}")
    suggested = {one["task_item_id"] for one in planner.preview()["hybrid_entries"] if one["status"] == "suggested"}
    page.click("#unplaced summary" if options else "#unplaced-tab")
    row = page.locator(f"#unplaced-list [data-class='{other}']")
    expect(row).to_contain_text("不在这份草稿里")
    expect(page.locator(f"#unplaced-list [data-class='{drafted}']")).to_have_count(0)
    row.get_by_role("button", name="安排剩下的").click()
    expect(page.locator("#message")).to_be_focused()
    with planner.running():
        page.click("#send")
    planner.show("week")
    expect(row).to_have_count(0)
    kept = {one["task_item_id"] for one in planner.preview()["hybrid_entries"] if one["status"] == "suggested"}
    assert suggested < kept, "what was planned before stays"
    rows = page.locator("#unplaced-list li[data-class]")
    expect(rows).to_have_count(len([one for one in planner.api("/task-class")["list"] if one["waiting_count"]]) - 2)


def test_what_a_holiday_took_off_waits_beside_a_new_draft(enter: Any) -> None:
    planner = enter("week-beside-holiday")
    page, talk = planner.page, plan_before(planner)
    apply_before(planner, talk)
    planner.open(f"/week?conversation={talk}")
    page.click("#new-conversation")
    before = sum(one["waiting_count"] for one in planner.api("/task-class")["list"])
    semester = planner.api("/schedule/semester")
    entry = next(one for one in planner.api("/schedule/week?week=5")["events"] if one["type"] == "task")
    day = date.fromisoformat(semester["first_monday"]) + timedelta(days=28 + entry["day_of_week"] - 1)
    holiday = {"kind": "holiday", "name": "校运会", "first_date": day.isoformat(), "last_date": day.isoformat()}
    planner.send("POST", "/schedule/exceptions", {"exceptions": [holiday]})
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    count = sum(one["waiting_count"] for one in planner.api("/task-class")["list"])
    assert count > before
    page.click("#unplaced-tab")
    expect(page.locator("#unplaced-tab b")).to_have_text(f" {count}")
    expect(page.locator("#unplaced-list li")).to_contain_text(["项待安排"])
    expect(page.locator("#unplaced .how")).to_be_hidden()


@pytest.mark.parametrize("drafted", [False, True], ids=["timetable", "draft"])
def test_what_was_done_in_part_stays_in_the_week_where_it_stood(enter: Any, drafted: bool) -> None:
    planner = enter(f"week-part-{drafted}")
    page = planner.page
    item = place_yesterday(planner)
    planner.open(f"/week?conversation={plan_before(planner)}" if drafted else "/week")
    today = planner.api("/schedule/semester")["today"]
    planner.show_week(today["week"] if today["day_of_week"] > 1 else today["week"] - 1)
    stood = page.locator(f".entry[data-item='{item}']").bounding_box()
    page.locator(f".entry[data-item='{item}']").click()
    page.locator("#block-sheet").get_by_role("button", name="做了一部分").click()
    part = page.locator(".entry.part")
    expect(part).to_contain_text("做了一部分")
    assert part.bounding_box() == stood
    expect(part).to_have_attribute("aria-label", re.compile("晚上的任务.*做了一部分"))
    assert not page.locator(f".entry.applied[data-item='{item}']").count(), "its rest waits"
    assert find_faults(page) == []


def test_time_kept_free_is_marked_in_the_week(enter: Any) -> None:
    planner = enter("week-kept-free")
    page = planner.page
    day = date.fromisoformat(planner.api("/schedule/week?week=4")["first_date"]) + timedelta(days=2)
    evening = {"kind": "kept_free", "name": "社团", "first_date": day.isoformat(), "last_date": day.isoformat()}
    planner.send("POST", "/schedule/exceptions", {"exceptions": [{**evening, "section_from": 9, "section_to": 10}]})
    planner.open("/week/4")
    expect(page.locator(".day-head .kept-free")).to_contain_text("社团")
    expect(page.locator(".cell.kept-free")).to_have_count(2)
    expect(page.locator(".cell.kept-free[data-day='3'][data-section='9']")).to_be_visible()
    assert find_faults(page) == []


@pytest.mark.parametrize("drafted", [False, True], ids=["timetable", "draft"])
def test_a_moved_lesson_keeps_its_mark(enter: Any, drafted: bool) -> None:
    planner = enter(f"week-moved-lesson-{drafted}")
    lesson = next(one for one in planner.api("/schedule/week?week=4")["events"] if one["type"] == "course")
    move = {
        "kind": "moved", "event_id": lesson["id"], "week": 4, "day_of_week": 7, "section_from": 11, "section_to": 12,
    }  # fmt: skip
    planner.send("POST", "/schedule/lesson-changes", move)
    planner.open(f"/week/4?conversation={plan_before(planner)}" if drafted else "/week/4")
    planner.show_week(4)
    moved = planner.page.locator(f".entry.course[data-event='{lesson['id']}']")
    expect(moved).to_contain_text("调课")


def test_what_lost_its_place_to_a_lesson_says_so_and_not_that_nothing_is_free(enter: Any) -> None:
    planner = enter("week-lost-place")
    page, talk = planner.page, plan_before(planner)
    entries = planner.preview(talk)["hybrid_entries"]
    held = {(one["week"], one["day_of_week"], one["section_from"]) for one in entries if one["status"] != "suggested"}
    free = [one for one in entries if (one["week"], one["day_of_week"], one["section_from"]) not in held]
    taken = next(one for one in free if one["status"] == "suggested")
    lesson = {
        "weeks": [taken["week"]], "day_of_week": taken["day_of_week"],
        "start_section": taken["section_from"], "end_section": taken["section_to"],
    }  # fmt: skip
    planner.send("POST", "/schedule/courses", {"course_name": "书法", "arrangements": [lesson]})
    planner.open(f"/week?conversation={talk}")
    page.click("#unplaced-tab")
    expect(page.locator("#unplaced-list .why").first).to_have_text("这个时间已经有安排")


def test_a_finger_drawn_across_the_grid_turns_to_the_next_days(open_planner: Any) -> None:
    planner = open_planner("week-swipe", **PHONE)
    page = planner.page
    planner.show("week")
    page.locator(".strip-day").first.click()
    first = page.locator(".day-head").first
    shown = first.text_content() or ""
    swipe(page, -160)
    expect(first).not_to_have_text(shown)
    swipe(page, 160)
    expect(first).to_have_text(shown)
    page.locator(".strip-day").nth(4).click()
    expect(page.locator(".strip-day").nth(4)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".day-head")).to_have_count(3)


def swipe(page: Page, by: int) -> None:
    box = page.locator("#grid-scroller").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2 - by / 2, box["y"] + box["height"] / 2
    devtools = page.context.new_cdp_session(page)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 6):
        point = {"x": x + by * step / 5, "y": y}
        devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_step_shorter_than_its_lecture_stands_in_its_own_periods_without_a_draft(enter: Any) -> None:
    planner = enter("week-short-guest")
    meeting = {"weeks": [16], "day_of_week": 7, "start_section": 5, "end_section": 6}
    course = {"course_name": "军事理论", "is_allow_tasks": True, "arrangements": [meeting]}
    planner.send("POST", "/schedule/courses", course)
    row = {"name": "背单词", "mode": "manual", "items": [{"order": 1, "content": "第一组", "duration": 1}]}
    made = planner.send("POST", "/task-class", row | {"config": {"allow_filler_course": True}})
    item = made["items"][0]["id"]
    (lesson,) = [one for one in planner.api("/schedule/week?week=16")["events"] if one["name"] == "军事理论"]
    place = {"task_item_id": item, "week": 16, "day_of_week": 7, "start_section": 5, "end_section": 5}
    body = {"task_class_id": made["id"], "items": [place | {"embed_course_event_id": lesson["id"]}]}
    planner.send("PUT", "/task-class/apply-batch-into-schedule", body)
    planner.open("/week/16")
    block = planner.page.locator(f".entry[data-item='{item}']")
    block.click()
    expect(planner.page.locator("#block-sheet")).to_contain_text("14:00–14:45")
    expect(planner.page.locator("#block-sheet")).not_to_contain_text("14:00–15:40")


def test_a_week_without_a_plan_tells_how_much_of_it_can_still_be_used(enter: Any) -> None:
    planner = enter("week-bare")
    today = planner.today()
    friday = today + timedelta(days=5 - today.isoweekday())
    day_off = {"kind": "holiday", "name": "校庆", "first_date": friday.isoformat(), "last_date": friday.isoformat()}
    planner.send("POST", "/schedule/exceptions", {"exceptions": [day_off]})
    lesson = next(one for one in planner.api("/schedule/week")["events"] if one["day_of_week"] == 4)
    planner.send("POST", "/schedule/lesson-changes", {"event_id": lesson["id"], "kind": "cancelled"})
    planner.open("/week")
    shown, term = planner.api("/schedule/week"), planner.api("/schedule/semester")
    begins = [begin for begin, _end in term["section_times"]]
    now = planner.page.evaluate(
        "new Date().toLocaleTimeString('en-GB', {timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit'})"
    )
    first = dict.fromkeys((4, 6, 7), 1) | {3: 1 + sum(begin <= now for begin in begins)}
    free = {(day, section) for day, begin in first.items() for section in range(begin, len(begins) + 1)}
    for event in shown["events"]:
        free -= {(event["day_of_week"], at) for at in range(event["section_from"], event["section_to"] + 1)}
    assert today.isoweekday() == 3
    expect(planner.page.locator("#bare-words")).to_contain_text(f"还有 {len(free)} 节空档")


def test_the_strip_of_a_phone_shows_its_week_however_it_was_come_back_to(open_planner: Any) -> None:
    planner = open_planner(viewport={"width": 390, "height": 844}, has_touch=True)
    page = planner.page
    planner.show_week(14)
    for address in ("/tasks", "/chat"):
        page.click(f".rail a[href='{address}']")
        expect(page.locator("#week-tabs")).not_to_be_in_viewport()
        planner.ready()
        page.click(".rail a[href='/week']")
        expect(page.locator("[data-week='14']")).to_be_in_viewport(ratio=1)
