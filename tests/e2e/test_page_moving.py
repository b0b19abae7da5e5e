"""Suggestions are moved by every means, and the page knows what the server would refuse."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.kits.page.places import Places, moves_apart, other_places, place_of, plan_all
from tests.kits.page.planner import Planner


@pytest.fixture(scope="module")
def drafts() -> dict[str, str]:
    """Address of the planned conversation, so that the draft is made once."""
    return {}


@pytest.fixture
def planned(open_planner: Any, drafts: dict[str, str]) -> Any:
    """`planned()`: the page on a finished draft, not changed by the test before."""

    def opened(**options: Any) -> Planner:
        planner: Planner = open_planner("page-moving", **options)
        if not drafts:
            plan_all(planner)
            drafts["url"] = planner.page.url
        planner.page.goto(drafts["url"])
        planner.ready()
        expect(planner.page.locator("#week-tabs .has-plan").first).to_be_visible()
        return planner

    return opened


def cell(page: Page, place: dict[str, Any]) -> Any:
    return page.locator(f".cell[data-day='{place['day_of_week']}'][data-section='{place['section_from']}']")


def block(page: Page, entry: dict[str, Any]) -> Any:
    return page.locator(f".entry[data-item='{entry['task_item_id']}']")


def pick_up(page: Page, item_id: int) -> None:
    """By the sheet of its block."""
    page.locator(f".entry[data-item='{item_id}']").click()
    page.get_by_role("button", name="移动", exact=True).click()


def entry_now(planner: Planner, entry: dict[str, Any]) -> dict[str, Any]:
    rows = planner.preview()["hybrid_entries"]
    found: dict[str, Any] = next(row for row in rows if row["task_item_id"] == entry["task_item_id"])
    return found


def test_two_suggestions_change_places_and_the_server_agrees(planned: Any) -> None:
    planner = planned()
    one, other = next(Places(planner).swaps())
    planner.drag(one, place_of(other))
    planner.saved()
    assert place_of(entry_now(planner, one)) == place_of(other)
    assert place_of(entry_now(planner, other)) == place_of(one)


def test_a_suggestion_is_dropped_into_a_course(planned: Any) -> None:
    planner = planned()
    entry, host = next(Places(planner).embeddings())
    planner.drag(entry, place_of(host))
    planner.saved()
    assert entry_now(planner, entry)["event_id"] == host["event_id"]


def test_the_order_of_a_class_is_refused_while_dragging(planned: Any) -> None:
    planner = planned()
    page = planner.page
    first, second = next(Places(planner).neighbours())
    planner.show_week(first["week"])
    pick_up(page, first["task_item_id"])
    planner.show_week(second["week"])
    cell(page, second).hover(force=True)
    expect(page.locator(".ghost.bad small")).to_contain_text("须在后一项之前")
    cell(page, second).click(force=True)
    expect(page.locator(".toast.warning")).to_contain_text("须在后一项之前")
    expect(page.locator("#save")).to_be_disabled()


def test_what_has_begun_when_the_draft_was_made_is_past(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, place = other_places(planner)[0]
    now = {key: place[key] for key in ("week", "day_of_week")} | {"section": place["section_from"]}

    def with_now(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        body["data"]["now"] = now
        route.fulfill(response=answer, json=body)

    page.route("**/schedule-preview?*", with_now)
    for later, ghost in [(0, ".ghost.ok"), (1, ".ghost.warned")]:
        now["section"] += later
        page.reload()
        planner.ready()
        planner.show_week(entry["week"])
        pick_up(page, entry["task_item_id"])
        planner.show_week(place["week"])
        expect(page.locator(f"[data-week='{place['week']}']")).to_have_attribute("aria-current", "true")
        cell(page, place).hover(force=True)
        expect(page.locator(ghost)).to_be_visible()
    expect(page.locator(".ghost.warned small")).to_contain_text("该时间已过")


def test_a_click_picks_up_and_a_click_puts_down(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, place = other_places(planner)[0]
    planner.show_week(entry["week"])
    pick_up(page, entry["task_item_id"])
    expect(page.locator("#in-hand")).to_contain_text(entry["name"])
    planner.show_week(place["week"])
    cell(page, place).click()
    expect(page.locator("#in-hand")).to_be_empty()
    planner.saved()
    assert place_of(entry_now(planner, entry)) == place
    expect(block(page, entry)).to_be_focused()


def test_leaving_the_plan_gives_back_what_is_in_hand(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, place = other_places(planner)[0]
    planner.show_week(entry["week"])
    pick_up(page, entry["task_item_id"])
    planner.show_week(place["week"])
    page.locator("#message").click()
    expect(page.locator("#in-hand")).to_be_empty()
    expect(page.locator(f"[data-week='{entry['week']}']")).to_have_attribute("aria-current", "true")
    expect(page.locator("#save")).to_be_disabled()


def test_a_move_made_while_saving_is_saved_after_it(planned: Any) -> None:
    planner = planned()
    page = planner.page
    (first, first_place), (second, second_place) = moves_apart(planner)
    held: list[Route] = []
    page.route("**/agent/schedule-state", lambda route: held.append(route), times=1)
    with page.expect_request("**/agent/schedule-state"):
        planner.drag(first, first_place)
    expect(page.locator("#plan-summary")).to_contain_text("正在保存")
    planner.show_week(second["week"])
    pick_up(page, second["task_item_id"])
    planner.show_week(second_place["week"])
    expect(page.locator(f"[data-week='{second_place['week']}']")).to_have_attribute("aria-current", "true")
    cell(page, second_place).click()
    held[0].continue_()
    planner.saved()
    assert place_of(entry_now(planner, first)) == first_place
    assert place_of(entry_now(planner, second)) == second_place


def test_what_could_not_be_saved_survives_a_reload(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, place = other_places(planner)[0]
    page.route("**/agent/schedule-state", lambda route: route.abort())
    planner.drag(entry, place)
    expect(page.locator("#save")).to_be_enabled()
    expect(page.locator("#plan-summary")).to_contain_text("1 处改动还没保存")
    page.fill("#message", "写了一半的话")
    page.reload()
    planner.ready()
    expect(page.locator("#save")).to_be_enabled()
    expect(page.locator("#plan-summary")).to_contain_text("1 处改动还没保存")
    expect(page.locator("#message")).to_have_value("写了一半的话")
    page.unroute("**/agent/schedule-state")
    page.click("#save")
    planner.saved()
    assert place_of(entry_now(planner, entry)) == place


def test_what_could_not_be_saved_can_be_given_back(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, place = other_places(planner)[0]
    page.route("**/agent/schedule-state", lambda route: route.abort())
    planner.drag(entry, place)
    page.click("#discard")
    planner.saved()
    page.reload()
    planner.ready()
    expect(page.locator("#save")).to_be_disabled()
    assert place_of(entry_now(planner, entry)) == place_of(entry)


def test_a_finger_scrolls_at_once_and_lifts_after_resting(planned: Any) -> None:
    planner = planned(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True)
    page = planner.page
    entry, _ = other_places(planner)[0]
    planner.show_week(entry["week"])
    page.click("[data-days='7']")
    touch = page.context.new_cdp_session(page)

    def finger(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": px, "y": py} for px, py in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    def middle() -> tuple[float, float]:
        block(page, entry).scroll_into_view_if_needed()
        box = block(page, entry).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    x, y = middle()
    finger("touchStart", (x, y))
    finger("touchMove", (x, y - 30))
    finger("touchEnd")
    expect(page.locator(".holding")).to_have_count(0)
    x, y = middle()
    finger("touchStart", (x, y))
    expect(page.locator(".holding .ghost")).to_be_visible()
    finger("touchMove", (x, y + 4))
    finger("touchEnd")
    expect(page.locator(".holding")).to_have_count(0)


def test_the_week_buttons_keep_the_focus_and_name_the_planned_weeks(planned: Any) -> None:
    planner = planned()
    page = planner.page
    week = other_places(planner)[0][0]["week"]
    tab = page.locator(f"[data-week='{week}']")
    tab.focus()
    page.keyboard.press("Enter")
    expect(tab).to_be_focused()
    expect(tab).to_have_attribute("aria-label", re.compile(f"第 {week} 周.*草稿"))


def test_suggestions_are_reached_in_the_order_of_the_week(planned: Any) -> None:
    planner = planned()
    page = planner.page
    planner.show_week(other_places(planner)[0][0]["week"])
    cells = page.locator(".entry").evaluate_all(
        "nodes => nodes.map(node => [node.style.gridColumnStart, node.style.gridRowStart].map(Number))"
    )
    assert cells == sorted(cells)
    assert page.locator(".entry:not([aria-label])").count() == 0
