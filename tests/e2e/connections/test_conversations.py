"""A conversation that was deleted elsewhere, and one that does not open at once."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.kits.page.planner import Planner

GONE = "这个对话已经在别处删掉了"


def delete_elsewhere(planner: Planner) -> None:
    planner.send("DELETE", f"/agent/conversations/{planner.conversation}", None)


def expect_a_new_one(page: Page, typed: str) -> None:
    expect(page.locator(".toast")).to_have_count(1)
    expect(page.locator(".toast")).to_contain_text(GONE)
    expect(page.locator("#timeline > li")).to_have_count(0)
    expect(page.locator("#conversations")).to_have_value("")
    expect(page.locator("#message")).to_have_value(typed)
    assert "conversation=" not in page.url


def test_a_message_to_a_deleted_conversation_goes_on_in_a_new_one(open_planner: Any) -> None:
    planner = open_planner("gone-message")
    page = planner.page
    planner.say("你好")
    delete_elsewhere(planner)
    page.locator("#class-list input").first.evaluate("box => box.click()")
    page.fill("#message", "看看这周有哪些空闲")
    page.click("#send")
    expect_a_new_one(page, "看看这周有哪些空闲")
    expect(page.locator("#class-list input:checked")).to_have_count(1)
    with planner.running():
        page.click("#send")
    expect(page.locator(".block.user")).to_have_count(1)
    expect(page.locator("#message")).to_have_value("")
    assert planner.api("/agent/conversations")["total"] == 1


def test_a_tab_that_comes_back_leaves_a_deleted_conversation(open_planned: Any) -> None:
    planner = open_planned("gone-focus")
    page = planner.page
    page.fill("#message", "这周轻一点")
    delete_elsewhere(planner)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect_a_new_one(page, "这周轻一点")
    expect(page.locator(".entry.suggested")).to_have_count(0)


def test_words_to_a_card_of_a_deleted_conversation_stay(open_planner: Any) -> None:
    planner = open_planner("gone-card")
    page = planner.page
    planner.say("新建任务类「阅读」，下周一到下周日，共4节，内容：第一章、第二章")
    delete_elsewhere(planner)
    page.locator(".ask.open .comment").fill("改成共6节")
    page.keyboard.press("Enter")
    expect_a_new_one(page, "改成共6节")


def test_a_change_of_a_draft_that_is_gone_finds_out(open_planned: Any) -> None:
    planner = open_planned("gone-draft")
    delete_elsewhere(planner)
    planner.page.click("#apply")
    expect(planner.page.locator(".toast", has_text=GONE)).to_be_visible()
    expect(planner.page.locator("#apply")).to_be_hidden()


def test_a_conversation_that_does_not_open_is_kept_and_offered_again(open_planned: Any) -> None:
    planner = open_planned()
    page = planner.page
    wanted = planner.conversation
    shown = page.locator("#timeline > li").count()
    note = page.locator("#open-failed")
    for fault in (lambda route: route.fulfill(status=503, body=""), lambda route: route.abort()):
        page.route("**/agent/conversations/*/state", fault)
        page.reload()
        planner.ready()
        expect(note).to_contain_text("这个对话没有完全打开")
        assert planner.conversation == wanted
        expect(page.locator("#conversations")).to_have_value(wanted)
        note.get_by_role("button").click()
        expect(note).to_be_visible()
        page.unroute("**/agent/conversations/*/state")
        note.get_by_role("button").click()
        expect(note).to_be_hidden()
        expect(page.locator("#timeline > li")).to_have_count(shown)
        expect(page.locator(".entry.suggested").first).to_be_visible()


def test_a_conversation_that_was_not_opened_is_asked_again_when_the_network_is_back(open_planner: Any) -> None:
    planner = open_planner("unopened-online")
    page = planner.page
    planner.say("你好")
    wanted = planner.conversation
    planner.page.click("#new-conversation")
    page.context.set_offline(True)
    page.locator("#conversations").select_option(wanted)
    expect(page.locator("#open-failed")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#open-failed")).to_be_hidden()
    expect(page.locator(".block.user")).to_have_count(1)
    assert planner.conversation == wanted


def test_a_new_conversation_is_begun_before_the_term_is_known(enter: Any) -> None:
    planner = enter()
    page = planner.page
    held: list[Route] = []
    page.route("**/api/v1/schedule/semester", lambda route: held.append(route))
    with page.expect_request("**/api/v1/schedule/semester"):
        page.goto(f"{planner.base_url}/week", wait_until="commit")
    page.wait_for_load_state("load")
    page.wait_for_selector("#message", state="attached")
    page.click("#new-conversation")
    expect(page.locator("#message")).to_be_focused()
    expect(page.locator(".toast")).to_have_count(0)
    held[0].continue_()
    planner.ready()
    expect(page.locator(".entry.course").first).to_be_visible()
