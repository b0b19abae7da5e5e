"""What the next message is about and says: links of other screens, a reload, a new sign-in."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.places import PLAN, say_before
from tests.kits.page.planner import Planner


def sent_scope(planner: Planner) -> list[int]:
    with planner.page.expect_request("**/api/v1/agent/chat") as sent, planner.running():
        planner.page.click("#send")
    ids: list[int] = sent.value.post_data_json["extra"]["task_class_ids"]
    return ids


@pytest.mark.parametrize("way", ["from the week", "from a document of its own"])
def test_a_link_of_a_task_brings_its_words_and_what_they_are_about(enter: Any, way: str) -> None:
    planner = enter(f"composer-{len(way)}")
    page = planner.page
    wanted = planner.api("/task-class?page_size=100")["list"]
    if way == "from the week":
        planner.open("/week")
        page.click(".rail a[href='/tasks']")
    else:
        page.goto(f"{planner.base_url}/tasks")
    page.get_by_role("link", name="一起安排").click()
    planner.ready()
    expect(page.locator("#message")).to_have_value("帮我把选中的任务排好")
    expect(page.locator("#class-list input:checked")).to_have_count(len(wanted))
    assert sent_scope(planner) == sorted(one["id"] for one in wanted)
    assert sorted(planner.preview()["task_class_ids"]) == sorted(one["id"] for one in wanted)
    page.reload()
    planner.ready()
    expect(page.locator("#message")).to_have_value("")


@pytest.mark.parametrize("begun", [False, True], ids=["first", "come back to"])
def test_on_a_phone_the_link_leads_to_where_its_words_stand(enter: Any, begun: bool) -> None:
    planner = enter(viewport={"width": 390, "height": 844})
    page = planner.page
    if begun:
        planner.open("/week")
        page.click(".rail a[href='/tasks']")
    else:
        page.goto(f"{planner.base_url}/tasks")
    page.get_by_role("link", name="一起安排").click()
    expect(page.locator("#message")).to_be_visible()
    expect(page.locator("#message")).to_have_value("帮我把选中的任务排好")
    expect(page.locator(".rail [aria-current=page]")).to_have_text("助手")
    assert page.url.split("?")[0].endswith("/chat")
    page.go_back()
    page.wait_for_url("**/tasks")


def test_what_is_chosen_while_a_run_goes_on_stays_chosen(open_planned: Any) -> None:
    planner = open_planned("composer-choice")
    page = planner.page
    planner.show("chat")
    first = page.locator("#class-list input").first
    with planner.running():
        page.fill("#message", "看看这周有哪些空闲")
        page.click("#send")
        first.evaluate("box => box.click()")
    expect(first).not_to_be_checked()


def test_a_saved_draft_is_there_again_in_another_tab_and_after_a_sign_in(
    open_planner: Any, open_planned: Any, server: Any
) -> None:
    planner = open_planned("composer-again")
    draft = planner.page.locator("#plan-summary").inner_text()
    other = planner.page.context.new_page()
    again = Planner(other, planner.base_url)
    again.open("/week")
    expect(other.locator("#plan-summary")).to_have_text(draft)
    other.close()
    elsewhere = open_planner("composer-again")
    expect(elsewhere.page.locator("#plan-summary")).to_have_text(draft)
    elsewhere.page.click("#new-conversation")
    expect(elsewhere.page.locator("#timeline > li")).to_have_count(0)
    elsewhere.open("/week")
    expect(elsewhere.page.locator("#timeline > li")).to_have_count(0)


def test_the_rest_of_a_task_is_planned_where_its_draft_waits(enter: Any) -> None:
    planner = enter("composer-goes-on")
    page = planner.page
    for name in ("高数复习", "线代复习"):
        body = {"name": name, "mode": "auto", "start_date": "2026-03-19", "end_date": "2026-04-19"}
        body["items"] = [{"order": n, "content": f"第 {n} 章", "duration": 2} for n in (1, 2, 3)]
        planner.send("POST", "/task-class", body)
    planner.open("/tasks")
    page.locator(".card-task", has_text="高数复习").get_by_role("link", name="安排剩下的").click()
    planner.ready()
    sent_scope(planner)
    begun, before = planner.conversation, planner.preview()["difference"]["changed"]
    page.click(".rail a[href='/tasks']")
    planner.ready()
    expect(page.locator(".card-task", has_text="高数复习").locator(".segs .drafted")).to_have_count(3)
    page.locator(".card-task", has_text="线代复习").get_by_role("link", name="安排剩下的").click()
    planner.ready()
    sent_scope(planner)
    assert planner.conversation == begun
    assert planner.preview()["difference"]["changed"] == before + 3, "what was planned first is there still"
    planner.say("把第 2 章移到周五晚上")
    options = page.locator(".card.ask.open .option")
    expect(options).to_have_text(["1. 第 2 章", "2. 第 2 章"])


def test_where_a_question_waits_no_other_wish_is_taken_for_its_answer(enter: Any) -> None:
    planner = enter("composer-asked")
    page = planner.page
    first, second = [one["id"] for one in planner.api("/task-class?page_size=100")["list"]][:2]
    talk = say_before(planner, PLAN, first)
    say_before(planner, "新建任务「阅读」", conversation=talk)
    planner.open("/tasks")
    page.locator(f".card-task:has(a[href='/tasks/{second}'])").get_by_role("link", name="安排剩下的").click()
    planner.ready()
    assert sent_scope(planner) == [second]
    assert planner.conversation != talk
    assert planner.preview()["difference"]["changed"]
