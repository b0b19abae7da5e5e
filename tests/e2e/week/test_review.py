"""What the draft changes is looked through before it is applied."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Route, expect

from tests.kits.page.places import PLAN, apply_before, free_starts, place_of, plan_before, say_before
from tests.kits.page.planner import Planner

COVERED = """toast => {
    const box = toast.getBoundingClientRect();
    const beside = one => one.left < box.right && one.right > box.left;
    const meets = one => one.width && beside(one) && one.top < box.bottom && one.bottom > box.top;
    return [...document.querySelectorAll("button, a, input, textarea, select, summary")]
        .filter(node => !node.closest(".toasts, .week-grid") && node.checkVisibility())
        .filter(node => meets(node.getBoundingClientRect()))
        .map(node => node.id || node.textContent.trim());
}"""
"""The controls that a message lies over; what stands in the week can be scrolled from under it."""


def test_the_draft_is_reviewed_thinned_out_applied_undone_and_thrown_away(open_planned: Any) -> None:
    planner = open_planned("page-review")
    the_days_of_the_loads_stand_in_one_row_on_a_phone(planner)
    the_focus_stays_on_the_button_that_opened_the_review(planner)
    one_change_is_taken_out(planner)
    left, loads = planner.preview()["difference"]["changed"], planner.page.locator("#week-tabs").inner_text()
    assert any(character.isdigit() for character in loads)
    the_rest_is_applied(planner)
    the_apply_is_undone_and_made_again_from_its_message(planner, left, loads)
    the_undo_beside_the_draft_leaves_the_focus_in_the_week(planner)
    the_thrown_away_draft_leaves_the_timetable(planner)


def the_days_of_the_loads_stand_in_one_row_on_a_phone(planner: Planner) -> None:
    page = planner.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.click("#review-open")
    days = page.locator("#review .load-days").first.locator("li")
    expect(days).to_have_count(7)
    boxes = [one.bounding_box() for one in days.all()]
    assert {round(box["y"] + box["height"]) for box in boxes if box} == {round(boxes[0]["y"] + boxes[0]["height"])}  # type: ignore[index]
    assert all(box and box["x"] + box["width"] <= 390 for box in boxes)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1360, "height": 900})


def the_focus_stays_on_the_button_that_opened_the_review(planner: Planner) -> None:
    page = planner.page
    page.locator("#review-open").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#review")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#review")).to_be_hidden()
    expect(page.locator("#review-open")).to_be_focused()


def one_change_is_taken_out(planner: Planner) -> None:
    page, before = planner.page, planner.preview()["difference"]
    page.click("#review-open")
    sheet = page.locator("#review")
    expect(sheet.locator("li[data-item]")).to_have_count(before["changed"])
    assert not any(str(row["task_item_id"]) + "]" in sheet.inner_text() for row in before["new"])
    expect(sheet.locator(".load-days li").first).to_be_visible()
    last = before["new"][-1]
    sheet.locator(f"li[data-item='{last['task_item_id']}'] button").click()
    expect(sheet.locator("li[data-item]")).to_have_count(before["changed"] - 1)
    assert planner.preview()["difference"]["changed"] == before["changed"] - 1
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def the_rest_is_applied(planner: Planner) -> None:
    page = planner.page
    page.click("#review-open")
    page.locator("#review [data-action=apply]").click()
    expect(page.locator(".toast.success", has_text="已应用到课表")).to_be_visible()
    expect(page.locator("#review")).to_be_hidden()
    expect(page.locator("#review-open")).to_be_hidden()
    assert planner.preview()["difference"]["changed"] == 0


def the_apply_is_undone_and_made_again_from_its_message(planner: Planner, changed: int, loads: str) -> None:
    """The loads of the weeks follow what is applied and undone: nothing counts twice."""
    page, tabs = planner.page, planner.page.locator("#week-tabs")
    assert tabs.inner_text() == loads
    page.get_by_role("button", name="撤销，回到草稿").click()
    again = page.get_by_role("button", name="重新应用")
    expect(again).to_be_visible()
    assert planner.preview()["difference"]["changed"] == changed
    expect(page.locator("#undo")).to_be_hidden()
    assert tabs.inner_text() == loads
    again.click()
    expect(page.locator(".toast.success", has_text="已应用到课表")).to_be_visible()
    expect(page.locator("#undo")).to_be_enabled()
    assert planner.preview()["difference"]["changed"] == 0
    assert tabs.inner_text() == loads


def the_undo_beside_the_draft_leaves_the_focus_in_the_week(planner: Planner) -> None:
    page = planner.page
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_hidden()
    expect(page.locator("#week-grid :focus, #week-grid:focus")).to_have_count(1)


def the_thrown_away_draft_leaves_the_timetable(planner: Planner) -> None:
    page = planner.page
    expect(page.get_by_role("button", name="重新应用")).to_be_visible()
    page.click("#review-open")
    page.locator("#review [data-action=discard]").click()
    page.get_by_role("button", name="先不").click()
    expect(page.locator(".ask-dialog")).to_have_count(0)
    expect(page.locator("#review")).to_be_visible()
    page.locator("#review [data-action=discard]").click()
    expect(page.locator(".ask-dialog")).to_contain_text("课表保持现在的样子")
    page.locator(".ask-dialog [data-action=yes]").click()
    expect(page.locator(".toast.success")).to_contain_text("草稿已放弃")
    expect(page.get_by_role("button", name="重新应用")).to_have_count(0)
    expect(page.locator(".entry.suggested")).to_have_count(0)
    expect(page.locator("#apply")).to_be_disabled()


def test_an_apply_from_the_review_leaves_the_focus_in_the_week(open_planned: Any) -> None:
    planner = open_planned("page-review-keys")
    page = planner.page
    page.locator("#week-grid .entry.suggested").first.focus()
    page.keyboard.press("a")
    page.locator("#review .primary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".toast.success", has_text="已应用到课表")).to_be_visible()
    expect(page.locator("#review")).to_be_hidden()
    page.evaluate("() => new Promise(requestAnimationFrame)")  # a dialog gives its focus up with the next picture
    expect(page.locator("#week-grid :focus, #week-grid:focus")).to_have_count(1)


def test_what_is_left_out_of_a_long_review_leaves_the_eyes_and_the_focus_where_they_were(open_planned: Any) -> None:
    planner = open_planned("page-review-long")
    page, before = planner.page, planner.preview()["difference"]["changed"]
    page.click("#review-open")
    rows, body = page.locator("#review li[data-item]"), page.locator("#review .sheet-body")
    middle = rows.nth(before // 2)
    following = rows.nth(before // 2 + 1).locator("b").first.inner_text()
    middle.locator("button").focus()
    top = body.evaluate("node => node.scrollTop")
    assert top > 0
    page.keyboard.press("Enter")
    expect(rows).to_have_count(before - 1)
    button = rows.nth(before // 2).locator("button")
    expect(button).to_be_focused()
    expect(button).to_be_in_viewport()
    expect(button).to_have_accessible_name(f"不要这一处: {following}")
    assert body.evaluate("node => node.scrollTop") == top


def test_a_question_over_a_review_that_is_drawn_anew_gives_the_focus_back_to_it(open_planned: Any) -> None:
    planner = open_planned("page-review-asked")
    page, before = planner.page, planner.preview()["difference"]["changed"]
    page.click("#review-open")
    rows = page.locator("#review li[data-item]")
    held: list[Route] = []
    page.route("**/agent/draft-drop", lambda route: held.append(route))
    rows.first.locator("button").click()
    page.click("#review [data-action=discard]")
    expect(page.locator(".ask-dialog")).to_be_visible()
    held[0].continue_()
    expect(rows).to_have_count(before - 1)
    page.keyboard.press("Enter")  # no, as it is offered first
    expect(page.locator(".ask-dialog")).to_have_count(0)
    expect(page.locator("#review .sheet-body")).to_be_focused()


def test_an_apply_that_is_refused_in_the_review_is_told_where_it_can_be_read(open_planned: Any) -> None:
    planner = open_planned("page-review-refused")
    page = planner.page
    page.set_viewport_size({"width": 390, "height": 844})
    row = next(row for row in planner.preview()["hybrid_entries"] if row["status"] == "suggested")
    first = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    day = (first + timedelta(days=7 * (row["week"] - 1) + row["day_of_week"] - 1)).isoformat()
    page.click("#review-open")
    holiday = {"kind": "holiday", "name": "出游", "first_date": day, "last_date": day, "study_allowed": False}
    planner.send("POST", "/schedule/exceptions", {"exceptions": [holiday]})
    page.click("#review [data-action=apply]")
    told = page.locator(".toast.error")
    expect(told).to_contain_text("那天放假，不安排学习")
    expect(page.locator("#review")).to_be_hidden()
    expect(page.locator("#review-open")).to_be_focused()
    told.get_by_role("button", name="关闭").click()
    expect(told).to_have_count(0)


def test_an_apply_that_is_pressed_twice_keeps_the_undo_shut_until_it_is_there(enter: Any) -> None:
    planner = enter("page-apply-twice")
    page = planner.page
    first = planner.api("/task-class?page_size=100")["list"][0]["id"]
    apply_before(planner, say_before(planner, PLAN, first))
    planner.open(f"/week?conversation={plan_before(planner)}")
    expect(page.locator("#undo")).to_be_enabled()
    held: list[Route] = []
    page.route("**/agent/schedule-apply", lambda route: held.append(route))
    with page.expect_request("**/agent/schedule-apply"):
        page.locator("#apply").dblclick()
    expect(page.locator("#undo")).to_be_disabled()
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator("#undo")).to_have_text("撤销上次应用")


def test_a_message_that_asks_something_lies_over_no_control(open_planned: Any) -> None:
    page = open_planned("page-asking").page
    page.click("#apply")
    asking = page.locator(".toast.asking")
    for width in (1360, 1200, 1000):
        page.set_viewport_size({"width": width, "height": 860})
        expect(asking).to_be_visible()
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert asking.evaluate(COVERED) == [], width
        for days in ("3", "7"):
            page.click(f"[data-days='{days}']")
            expect(page.locator(f"[data-days='{days}']")).to_have_attribute("aria-pressed", "true")
            expect(asking).to_be_visible()


def test_a_message_that_is_carried_to_another_screen_leaves_its_head_free(open_planned: Any) -> None:
    page = open_planned("page-asking-on").page
    page.click("#apply")
    asking = page.locator(".toast.asking")
    expect(asking).to_be_visible()
    for screen in ("tasks", "courses"):
        page.click(f".rail a[href='/{screen}']")
        page.wait_for_url(f"**/{screen}")
        head = page.locator("#screen header a.button, #screen .hero a.button")
        expect(head.first).to_be_visible()
        names = head.evaluate_all("nodes => nodes.map(node => node.textContent.trim())")
        assert not set(asking.evaluate(COVERED)) & set(names), screen


def test_a_message_to_the_assistant_ends_what_was_offered_before(open_planned: Any) -> None:
    planner = open_planned("page-asking-talk")
    page = planner.page
    page.click("#apply")
    expect(page.locator(".toast.asking")).to_be_visible()
    planner.say("看看这周有哪些空闲")
    expect(page.locator(".toast.asking")).to_have_count(0)
    expect(page.locator("#undo")).to_have_text("撤销上次应用")


def test_on_a_phone_the_last_button_of_a_screen_comes_out_from_under_a_message(open_planned: Any) -> None:
    page = open_planned("page-asking-phone", viewport={"width": 390, "height": 844}, has_touch=True).page
    page.click("#apply")
    asking = page.locator(".toast.asking")
    expect(asking).to_be_visible()
    page.click(".rail a[href='/tasks']")
    page.get_by_role("link", name="新任务").click()
    page.wait_for_url("**/tasks/new")
    page.locator("main").evaluate("node => node.scrollTo(0, node.scrollHeight)")
    expect(asking).to_be_visible()
    assert not {"保存", "取消"} & set(asking.evaluate(COVERED))


def test_days_that_do_not_differ_show_what_the_saved_draft_has_there(open_planned: Any) -> None:
    planner = open_planned("page-loads")
    page = planner.page
    entry, place = next(leavings(planner))
    planner.show_week(entry["week"])
    item = {
        "task_item_id": entry["task_item_id"], "week": place["week"], "day_of_week": place["day_of_week"],
        "start_section": place["section_from"], "end_section": place["section_to"],
    }  # fmt: skip
    # The draft changes behind the page, as it does while a move of its own is being answered.
    planner.send("POST", "/agent/schedule-state", {"conversation_id": planner.conversation, "items": [item]})
    page.click("#review-open")
    shown = page.locator("#review .load-week").first.locator(".load-days li > b")
    planned = [
        row for row in planner.preview()["hybrid_entries"] if row["type"] == "task" and row["week"] == entry["week"]
    ]
    days = [sum(length_of(row) for row in planned if row["day_of_week"] == day) for day in range(1, 8)]
    expect(shown).to_have_text([str(sections) for sections in days])
    assert days[entry["day_of_week"] - 1] == 0


def leavings(planner: Planner) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Suggestions that are alone on their day, and free places on other days of their week."""
    planned = [row for row in planner.preview()["hybrid_entries"] if row["status"] == "suggested"]
    days = Counter((row["week"], row["day_of_week"]) for row in planned)
    for row in planned:
        if days[row["week"], row["day_of_week"]] == 1:
            body = {"task_item_id": row["task_item_id"], "conversation_id": planner.conversation}
            answer = planner.ask("POST", "/agent/legal-places", body)["data"]
            for place in free_starts(answer, row["week"]):
                if place["day_of_week"] != row["day_of_week"]:
                    yield row, place


def test_a_deleted_class_is_brought_back_by_the_undo_beside_the_draft(enter: Any) -> None:
    planner = enter("page-class-back")
    page = planner.page
    gone = planner.api("/task-class?page_size=100")["list"][0]
    planner.send("DELETE", f"/task-class/{gone['id']}?release=true", None)
    planner.open("/week")
    page.click("#undo")
    expect(page.locator(".toast.success")).to_contain_text("已撤销：删除任务")
    assert gone["id"] in {one["id"] for one in planner.api("/task-class?page_size=100")["list"]}


def test_undoing_an_apply_of_another_conversation_leads_to_its_draft(open_planned: Any) -> None:
    planner = open_planned("page-undo-elsewhere")
    page = planner.page
    made = planner.conversation
    page.click("#apply")
    expect(page.locator(".toast.success")).to_be_visible()
    page.click("#new-conversation")
    page.click("#undo")
    told = page.locator(".toast.success").last
    expect(told).to_contain_text("这些安排在另一个对话的草稿里")
    told.get_by_role("button", name="打开那份草稿").click()
    page.wait_for_url(f"**/week?conversation={made}")
    expect(page.locator(".entry.suggested").first).to_be_visible()
    expect(page.locator("#apply")).to_be_enabled()


def test_a_deleted_task_is_brought_back_from_its_message(enter: Any) -> None:
    planner = enter("page-task-back")
    page = planner.page
    gone = planner.api("/task-class?page_size=100")["list"][0]
    planner.open(f"/tasks/{gone['id']}/delete")
    page.locator("main form button.danger, main form button.primary").first.click()
    expect(page.get_by_text("已删除")).to_be_visible()
    page.get_by_role("button", name="撤销").click()
    expect(page.get_by_text("已撤销")).to_be_visible()
    assert gone["id"] in {one["id"] for one in planner.api("/task-class?page_size=100")["list"]}


def test_what_is_applied_is_dragged_into_a_new_draft(enter: Any) -> None:
    planner = enter("page-lift")
    entry, place = lift_what_is_applied(planner)
    moved = planner.preview()["difference"]["moved"]
    assert [row["task_item_id"] for row in moved] == [entry["task_item_id"]]
    assert place_of(moved[0]["after"]) == place


def test_before_its_draft_has_come_the_week_does_not_say_that_there_is_none(open_planned: Any) -> None:
    planner = open_planned()
    page = planner.page
    held: list[Route] = []
    page.route("**/agent/schedule-preview*", lambda route: held.append(route))
    page.reload()
    expect(page.locator(".entry.course").first).to_be_visible()
    while not held:
        page.wait_for_timeout(20)
    expect(page.locator("#plan-summary")).to_have_text("")
    for route in held:
        route.continue_()
    page.unroute("**/agent/schedule-preview*")
    expect(page.locator("#plan-summary")).to_contain_text("草稿：新增")


def test_what_was_applied_last_is_undone_however_late_the_list_of_batches_comes(enter: Any) -> None:
    planner = enter("page-late")
    page = planner.page
    entry, _ = lift_what_is_applied(planner)
    held: list[Route] = []
    page.route("**/schedule/batches?*", lambda route: held.append(route))
    with page.expect_response("**/schedule-apply"):
        page.click("#apply")
    expect(page.locator("#undo")).to_be_disabled()
    while not held:
        page.wait_for_timeout(20)
    held.pop().continue_()
    page.unroute("**/schedule/batches?*")
    with page.expect_response("**/undo") as undone:
        page.click("#undo")
    assert undone.value.json()["data"]["task_item_ids"] == [entry["task_item_id"]]


def test_what_the_assistant_takes_off_is_applied_and_comes_back(enter: Any) -> None:
    planner = enter("page-off")
    page, talk = planner.page, plan_before(planner)
    planned = [row for row in apply_before(planner, talk) if row["item_id"]]
    planner.open(f"/week?conversation={talk}")
    last = max(planned, key=lambda row: (row["week"], row["day_of_week"], row["section_from"]))
    block = page.locator(f".entry.applied[data-item='{last['item_id']}']")
    planner.say(f"把「{last['name']}」从课表里移出")
    expect(page.locator(".ask.open .changes")).to_contain_text(re.compile(r"\d+ 月 \d+ 日 周. \d\d:\d\d–"))
    with planner.running():
        page.locator(".ask.open [data-action=approve]").click()
    expect(page.locator("#timeline")).not_to_contain_text(re.compile(r"第 ?\d+ ?周 ?周"))
    planner.show_week(last["week"])
    expect(page.locator("#plan-summary")).to_contain_text("移出 1")
    expect(page.locator(".entry.removed")).to_contain_text(last["name"])
    page.click("#apply")
    expect(page.locator("#dock")).not_to_contain_text("移出 1")
    expect(page.locator(".entry.removed")).to_have_count(0)
    expect(block).to_have_count(0)
    page.click("#undo")
    expect(page.locator(".entry.removed")).to_contain_text(last["name"])
    page.click("#review-open")
    page.locator("#review li[data-item] button").click()
    expect(page.locator("#review")).to_be_hidden()
    expect(block).to_be_visible()


def test_what_is_applied_goes_to_a_place_that_a_refusal_offers(enter: Any) -> None:
    planner = enter("page-offers")
    talk = plan_before(planner)
    entry, _ = next(lifts(planner, apply_before(planner, talk)))
    opened = planner.send("POST", "/agent/replan", {"kind": "hand", "conversation_id": talk})
    lesson = next(row for row in planner.preview(talk)["hybrid_entries"] if is_closed_lesson(row, entry))
    item = {
        "task_item_id": entry["task_item_id"], "week": lesson["week"], "day_of_week": lesson["day_of_week"],
        "start_section": lesson["section_from"], "end_section": lesson["section_from"] + length_of(entry) - 1,
    }  # fmt: skip
    body = {"conversation_id": opened["conversation_id"], "items": [{**item, "from_timetable": True}]}
    refused = planner.ask("POST", "/agent/schedule-state", body)
    nearest = next(one for one in refused["data"]["offers"] if one["kind"] == "nearest")
    planner.send("POST", "/agent/schedule-state", {**body, "items": nearest["items"]})
    moved = planner.preview(talk)["difference"]["moved"]
    assert [row["task_item_id"] for row in moved] == [entry["task_item_id"]]


def is_closed_lesson(row: dict[str, Any], entry: dict[str, Any]) -> bool:
    """A lesson of the item's week in which nothing can be learnt, no shorter than the item."""
    return (
        row["type"] == "course" and row["week"] == entry["week"] and not row["can_be_embedded"]
        and length_of(row) >= length_of(entry)
    )  # fmt: skip


def length_of(row: dict[str, Any]) -> int:
    return int(row["section_to"]) - int(row["section_from"]) + 1


def test_the_undo_beside_the_draft_says_what_it_takes_back(open_planned: Any) -> None:
    planner = open_planned("page-holiday")
    page = planner.page
    page.click("#apply")
    expect(page.locator("#undo")).to_have_text("撤销上次应用")
    applied = [row for row in planner.preview()["hybrid_entries"] if row["item_id"]]
    taken = min(applied, key=lambda row: (row["week"], row["day_of_week"]))
    first = date.fromisoformat(planner.api("/schedule/semester")["first_monday"])
    day = (first + timedelta(days=7 * (taken["week"] - 1) + taken["day_of_week"] - 1)).isoformat()
    holiday = {"kind": "holiday", "name": "放假", "first_date": day, "last_date": day, "study_allowed": False}
    planner.send("POST", "/schedule/exceptions", {"exceptions": [holiday]})
    entry, place = next(lifts(planner, planner.preview()["hybrid_entries"]))
    item = {key: place[key] for key in ("week", "day_of_week")} | {"from_timetable": True}
    item |= {
        "task_item_id": entry["task_item_id"],
        "start_section": place["section_from"],
        "end_section": place["section_to"],
    }
    planner.send("POST", "/agent/schedule-state", {"conversation_id": planner.conversation, "items": [item]})
    page.reload()
    planner.ready()
    expect(page.locator("#undo")).to_have_text("撤销：校历改动")
    expect(page.locator("#throw-away")).to_be_visible()  # the draft differs from the timetable
    page.click("#undo")
    expect(page.locator(".toast.success")).to_contain_text("已撤销：校历改动")
    expect(page.get_by_role("button", name="重新应用")).to_have_count(0)


def lift_what_is_applied(planner: Planner) -> tuple[dict[str, Any], dict[str, Any]]:
    """Plans, applies, and drags one applied item into a new draft; the item and its new place."""
    entry, place = next(lifts(planner, apply_before(planner, plan_before(planner))))
    planner.open("/week")
    planner.drag(entry, place)
    planner.saved()
    return entry, place


def lifts(planner: Planner, entries: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Applied items and other free places of the same week for them."""
    for row in entries:
        if row["item_id"]:
            answer = planner.ask("POST", "/agent/legal-places", {"task_item_id": row["item_id"]})["data"]
            for place in free_starts(answer, row["week"]):
                if place != place_of(row):
                    yield {**row, "task_item_id": row["item_id"]}, place
