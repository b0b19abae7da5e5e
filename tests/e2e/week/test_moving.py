"""Suggestions are moved by every means, and the page knows what the server would refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.kits.page.places import Places, entry_now, moves_apart, other_places, place_of
from tests.kits.page.planner import Planner


@pytest.fixture
def planned(open_planned: Any) -> Any:
    """`planned()`: the page on one draft, which a test finds as the one before has saved it."""

    def opened(**options: Any) -> Planner:
        planner: Planner = open_planned("page-moving", **options)
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


def test_two_suggestions_change_places_and_the_server_agrees(planned: Any) -> None:
    planner = planned()
    one, other = next(Places(planner).swaps())
    planner.drag(one, place_of(other))
    planner.saved()
    assert place_of(entry_now(planner, one)) == place_of(other)
    assert place_of(entry_now(planner, other)) == place_of(one)


def test_a_suggestion_is_dropped_into_a_course(planned: Any) -> None:
    planner = planned()
    entry, place = next(lessons(planner))
    planner.drag(entry, place)
    planner.saved()
    assert place_of(entry_now(planner, entry)) == place
    assert entry_now(planner, entry)["event_id"]


def lessons(planner: Planner) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Free-standing suggestions and lessons that may take them in."""
    for entry in Places(planner).suggested:
        answer = legal_places(planner, entry)
        for place in starts(answer, "legal") if not entry["event_id"] else ():
            cells = answer["weeks"][place["week"] - 1]["cells"][place["day_of_week"] - 1]
            if answer["verdicts"][cells[place["section_from"] - 1]]["embed_course_event_id"]:
                yield entry, place


def test_the_order_of_a_class_is_refused_while_dragging(planned: Any) -> None:
    planner = planned()
    page = planner.page
    first, second = next(Places(planner).neighbours())
    planner.show_week(first["week"])
    pick_up(page, first["task_item_id"])
    planner.show_week(second["week"])
    cell(page, second).hover(force=True)
    expect(page.locator(".ghost.bad small")).not_to_be_empty()
    cell(page, second).click(force=True)
    expect(page.locator(".toast.warning")).to_contain_text("要在后一项之前")
    expect(page.locator("#save")).to_be_disabled()


def legal_places(planner: Planner, entry: dict[str, Any]) -> Any:
    body = {"task_item_id": entry["task_item_id"], "conversation_id": planner.conversation}
    return planner.ask("POST", "/agent/legal-places", body)["data"]


def starts(answer: Any, kind: str, rules: set[str] | None = None) -> Iterator[dict[str, Any]]:
    """The places of a kind, with what they break."""
    for week in answer["weeks"]:
        for day, cells in enumerate(week["cells"], 1):
            for first, number in enumerate(cells, 1):
                verdict = answer["verdicts"][number]
                broken = {answer["reasons"][one]["rule"] for one in verdict["reasons"]}
                if verdict["kind"] == kind and rules in (None, broken):
                    last = first + answer["sections"] - 1
                    yield {"week": week["week"], "day_of_week": day, "section_from": first, "section_to": last}


def hold(planner: Planner, entry: dict[str, Any], week: int) -> None:
    planner.show_week(entry["week"])
    pick_up(planner.page, entry["task_item_id"])
    expect(planner.page.locator(".cell.legal").first).to_be_attached()
    planner.show_week(week)
    expect(planner.page.locator(f"[data-week='{week}']")).to_have_attribute("aria-current", "true")


def test_what_is_marked_is_what_the_server_allows(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, place = other_places(planner)[0]
    answer = legal_places(planner, entry)
    hold(planner, entry, place["week"])
    wanted = {
        f"{one['day_of_week']}:{section}"
        for one in starts(answer, "legal")
        if one["week"] == place["week"]
        for section in range(one["section_from"], one["section_to"] + 1)
    }
    script = "nodes => nodes.map(node => `${node.dataset.day}:${node.dataset.section}`)"
    assert wanted <= set(page.locator(".cell.legal").evaluate_all(script))
    weeks = {one["week"] for one in answer["weeks"] if one["legal"]} | {one["week"] for one in answer["swaps"]}
    marked = page.locator(".week-tab.legal").evaluate_all("nodes => nodes.map(node => Number(node.dataset.week))")
    assert set(marked) == weeks
    page.keyboard.press("Escape")


def test_a_place_against_a_wish_is_warned_of_and_taken(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, _ = other_places(planner)[0]
    place = next(starts(legal_places(planner, entry), "warned"))
    hold(planner, entry, place["week"])
    cell(page, place).hover(force=True)
    expect(page.locator(".ghost.warned small")).to_contain_text("：")
    cell(page, place).click(force=True)
    planner.saved()
    assert place_of(entry_now(planner, entry)) == place


def test_the_followers_are_offered_to_move_along(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, place = next(shifts(planner))
    hold(planner, entry, place["week"])
    cell(page, place).click(force=True)
    offer = page.locator(".toast.warning button", has_text="一起移")
    expect(offer).to_be_visible()
    with page.expect_response("**/agent/schedule-state") as answer:
        offer.click()
    assert answer.value.ok, answer.value.text()
    assert place_of(entry_now(planner, entry)) == place


def shifts(planner: Planner) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Suggestions and free places that only their followers stand in the way of, when these can give way."""
    for entry in Places(planner).suggested:
        for place in starts(legal_places(planner, entry), "refused", {"order_after"}):
            ends = {"start_section": place["section_from"], "end_section": place["section_to"]}
            item = {key: place[key] for key in ("week", "day_of_week")} | ends
            body = {"conversation_id": planner.conversation, "items": [item | {"task_item_id": entry["task_item_id"]}]}
            offers = (planner.ask("POST", "/agent/schedule-state", body)["data"] or {}).get("offers", [])
            if any(one["kind"] == "shift_followers" for one in offers):
                yield entry, place


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


def test_what_is_put_down_on_a_lesson_is_refused_in_the_week(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, _place = other_places(planner)[0]
    planner.show_week(entry["week"])
    pick_up(page, entry["task_item_id"])
    page.locator("a.entry.course:not(.embeddable, .takes, .hosting)").last.click()
    expect(page.locator("#in-hand")).to_be_empty()
    expect(page.locator("#toasts")).to_contain_text(re.compile("已经有安排|排不下|已有"))
    expect(page.locator("#week-grid")).to_be_visible()
    assert place_of(entry_now(planner, entry)) == place_of(entry)


def test_a_lesson_is_opened_by_keys_after_a_drag(planned: Any) -> None:
    planner = planned()
    page = planner.page
    entry, place = other_places(planner)[0]
    planner.drag(entry, place)
    expect(page.locator("#in-hand")).to_be_empty()
    lesson = page.locator("a.entry.course").last
    address = lesson.get_attribute("href")
    lesson.press("Enter")
    expect(page).to_have_url(re.compile(re.escape(str(address))))


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


def test_what_could_not_be_saved_is_told_and_given_back_on_a_phone(planned: Any) -> None:
    planner = planned(viewport={"width": 390, "height": 844})
    page = planner.page
    page.get_by_role("button", name="周", exact=True).click()
    entry, place = other_places(planner)[0]
    page.route("**/agent/schedule-state", lambda route: route.abort())
    planner.drag(entry, place)
    expect(page.locator("#plan-summary")).to_contain_text("1 处改动还没保存")
    expect(page.locator("#save")).to_be_enabled()
    ends = page.locator("#dock button:visible").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
    assert len(ends) == 2
    assert max(ends) <= 390
    assert page.locator("#dock").evaluate("node => node.getBoundingClientRect().height") < 100
    page.click("#discard")
    expect(page.locator("#apply")).to_be_visible()


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
