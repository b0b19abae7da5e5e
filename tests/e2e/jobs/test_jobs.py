"""What a student does in a term, by every hand: in both languages, on a desk and on a phone, by mouse, finger and keys.

By default each job is done by two hands, together by all of them; `script/test --long` does every job by every hand.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Page, expect

from tests.kits.page.hands import Hands, by
from tests.kits.page.imports import course, document
from tests.kits.page.places import Places, apply_before, entry_now, place_of, plan_before
from tests.kits.page.planner import Planner
from tests.kits.page.yesterday import STEP, place_yesterday

HOSTILE = '"><img src=x onerror="document.title=\'taken\'">'
PLAN = {"zh-CN": "帮我把选中的任务排好", "en-US": "plan the selected tasks"}
STARTED = {"zh-CN": "什么时候有空", "en-US": "half a sentence"}


def start(open_planner: Any, hands: Hands, job: str) -> Planner:
    planner: Planner = open_planner(f"job-{job}-{hands.name}", **hands.options)
    return planner


def show(planner: Planner, hands: Hands, path: str) -> None:
    """By the rail or the tabs of the page."""
    hands.press(planner.page.locator(f".rail a[href='{path}']"))
    planner.page.wait_for_url(f"{planner.base_url}{path}**")
    planner.ready()


def say(planner: Planner, hands: Hands, message: str) -> None:
    planner.show("chat")
    with planner.running():
        planner.page.locator("#message").fill(message)
        hands.press(planner.page.locator("#send"))


def plan(planner: Planner, hands: Hands) -> None:
    page = planner.page
    planner.show("chat")
    for box in page.locator("#class-list input").all():
        if not box.is_checked():
            hands.press(box)
        expect(box).to_be_checked()
    say(planner, hands, PLAN[hands.locale])
    planner.show("week")
    expect(page.locator(".entry.suggested").first).to_be_visible()


def put(planner: Planner, hands: Hands, entry: dict[str, Any], place: dict[str, Any]) -> None:
    """Puts it down, and the draft has saved itself."""
    with planner.page.expect_response("**/agent/schedule-state") as answer:
        hands.put(planner, entry, place)
    assert answer.value.ok, answer.value.text()
    expect(planner.page.locator("#plan-summary")).to_contain_text(hands.words("草稿已保存"))
    assert place_of(entry_now(planner, entry)) == place


def told(page: Page, hands: Hands, chinese: str) -> None:
    """A passing message says it, with whatever number."""
    beginning = hands.words(chinese).split("{")[0]
    expect(page.locator(".toast.success", has_text=beginning).first).to_be_visible()


def try_and_do(page: Page, hands: Hands) -> None:
    """First what it would do, then that."""
    hands.press(hands.button(page, "看看会怎样"))
    expect(page.get_by_role("heading", name=hands.words("会发生这些"))).to_be_visible()
    hands.press(hands.button(page, "就这样做"))
    expect(page.get_by_text(hands.words("已保存")).first).to_be_visible()


def unharmed(page: Page) -> None:
    """No name became markup, and nothing stands outside the window."""
    assert page.title() != "taken"
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")


def shifted(planner: Planner) -> tuple[dict[str, Any], dict[str, Any]]:
    """A suggestion and a free place behind its follower, which can give way."""
    places = Places(planner)
    for first, second in places.neighbours():
        for moved, place in places.moves():
            behind = place["week"], place["day_of_week"], place["section_from"]
            if moved == second and behind > (second["week"], second["day_of_week"], second["section_from"]):
                return first, place
    raise AssertionError("no follower can give way")


@by("desk-en-keys", "phone-zh-touch")
def test_a_plan_is_made_looked_through_applied_undone_and_applied_again(open_planner: Any, hands: Hands) -> None:
    planner = start(open_planner, hands, "apply")
    page = planner.page
    plan(planner, hands)
    new = planner.preview()["difference"]["changed"]
    hands.press(page.locator("#review-open"))
    sheet = page.locator("#review")
    hands.press(sheet.locator("li[data-item] button").last)
    expect(sheet.locator("li[data-item]")).to_have_count(new - 1)
    hands.press(sheet.locator("[data-action=apply]"))
    told(page, hands, "已应用到课表：{count} 项")
    hands.press(hands.button(page, "撤销，回到草稿"))
    hands.press(hands.button(page, "重新应用"))
    told(page, hands, "已应用到课表：{count} 项")
    assert planner.preview()["difference"]["changed"] == 0
    page.reload()
    planner.ready()
    hands.press(page.locator("#undo"))
    expect(page.locator("#apply")).to_be_enabled()
    hands.press(page.locator("#review-open"))
    hands.press(sheet.locator("[data-action=discard]"))
    hands.press(page.locator(".ask-dialog [data-action=yes]"))
    expect(page.locator("#apply")).to_be_disabled()
    unharmed(page)


@by("desk-en-keys", "phone-zh-touch")
def test_suggestions_cross_weeks_change_places_and_take_their_followers_along(open_planned: Any, hands: Hands) -> None:
    planner = start(open_planned, hands, "moves")
    page = planner.page
    moves = list(Places(planner).moves())
    entry, place = max(moves, key=lambda move: abs(move[0]["week"] - move[1]["week"]))
    put(planner, hands, entry, place)
    one, other = next(Places(planner).swaps())
    put(planner, hands, one, place_of(other))
    assert place_of(entry_now(planner, other)) == place_of(one)
    first, behind = shifted(planner)
    with page.expect_response("**/agent/schedule-state"):
        hands.put(planner, first, behind)
    with page.expect_response("**/agent/schedule-state") as answer:
        along = hands.words("后面 {count} 项一起移").split("{")[0]
        hands.press(page.locator(".toast.warning button", has_text=along).first)
    assert answer.value.ok, answer.value.text()
    assert place_of(entry_now(planner, first)) == behind
    unharmed(page)


@by("desk-zh-keys", "phone-en-touch")
def test_a_class_is_made_by_form_with_a_name_that_is_no_markup_and_planned(open_planner: Any, hands: Hands) -> None:
    planner = start(open_planner, hands, "form")
    page = planner.page
    today = planner.today()
    hands.press(page.locator("#bare-task"))
    page.wait_for_url("**/tasks/new")
    planner.ready()
    page.locator("[name=name]").fill(HOSTILE)
    page.locator("[name=start_date]").fill(today.isoformat())
    page.locator("[name=end_date]").fill((today - timedelta(days=9)).isoformat())
    page.locator("[name=items]").fill(f"1. {HOSTILE}\n2. two\n3. three")
    hands.press(hands.button(page, "保存"))
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.locator("[name=items]")).to_have_value(f"1. {HOSTILE}\n2. two\n3. three")
    page.locator("[name=end_date]").fill((today + timedelta(days=24)).isoformat())
    expect(page.locator(".fits .ok")).to_contain_text("6")  # two periods each
    hands.press(page.locator("[name=excluded_days_of_week]").last)
    hands.press(hands.button(page, "保存"))
    expect(page.get_by_role("link", name=HOSTILE).first).to_be_visible()
    show(planner, hands, "/week")
    plan(planner, hands)
    made = [row for row in planner.preview()["hybrid_entries"] if row["name"] in (HOSTILE, "two", "three")]
    assert len(made) == 3
    assert 7 not in {row["day_of_week"] for row in made}
    first = next(row for row in made if row["name"] == HOSTILE)
    hands.turn_to(page, first["week"])
    hands.show_day(page, first["day_of_week"])
    expect(page.locator(f".entry[data-item='{first['task_item_id']}']")).to_contain_text(HOSTILE)
    unharmed(page)


@by("desk-en-mouse", "phone-zh-touch")
def test_a_class_is_made_by_words_after_a_card_that_outlives_a_reload(open_planner: Any, hands: Hands) -> None:
    planner = start(open_planner, hands, "words")
    page = planner.page
    today = planner.today()
    first, last = (today + timedelta(days=days) for days in (3, 31))
    if hands.locale == "zh-CN":
        words = (
            f"新建任务类「线代」，{first.month}月{first.day}日到{last.month}月{last.day}日，内容：行列式、矩阵、向量组"
        )
    else:
        span = f"{first:%B} {first.day} to {last:%B} {last.day}"
        words = f'Create a task class "Algebra" from {span} with the items: determinants, matrices, vectors'
    say(planner, hands, words)
    expect(page.locator(".ask.open")).to_have_count(1)
    page.reload()
    planner.ready()
    planner.show("chat")
    with planner.running():
        hands.press(page.locator(".ask.open [data-action=approve]"))
    expect(page.locator(".ask.open")).to_have_count(0)
    made = [one["name"] for one in planner.api("/task-class?page_size=100")["list"]]
    assert {"线代", "Algebra"} & set(made)
    unharmed(page)


@by("desk-zh-mouse", "phone-en-touch")
def test_a_file_is_imported_with_its_mends_and_undone(open_planner: Any, hands: Hands) -> None:
    planner = start(open_planner, hands, "import")
    page = planner.page
    show(planner, hands, "/courses")
    hands.press(page.locator("a[href='/courses/import']").first)
    page.wait_for_url("**/courses/import")
    planner.ready()
    content = document(course("数据库"), course("软件工程", start_week=19, end_week=22, day_of_week=7))
    file = {"name": "term.json", "mimeType": "application/json", "buffer": content}
    page.locator("[type=file]").set_input_files(file)
    only = page.locator("main").get_by_role("checkbox", name="20").first  # the week that the term still has
    hands.press(only)
    unharmed(page)
    hands.press(hands.button(page, "按现在勾选的再看一遍"))
    hands.press(page.get_by_role("button", name="6"))
    told_in_page = page.locator(".told")
    expect(told_in_page).to_contain_text("6")
    assert {"数据库", "软件工程"} <= courses(planner)
    hands.press(hands.button(told_in_page, "撤销", exact=False))
    expect(told_in_page).to_contain_text(hands.words("已撤销", "screen"))
    assert not {"数据库", "软件工程"} & courses(planner)


def courses(planner: Planner) -> set[str]:
    return {one["course_name"] for one in planner.api("/schedule/courses")["list"]}


@by("desk-en-mouse", "phone-zh-touch")
def test_yesterday_is_missed_picked_up_and_done_after_all(open_planner: Any, hands: Hands) -> None:
    planner = start(open_planner, hands, "missed")
    page = planner.page
    item = place_yesterday(planner)
    planner.send("POST", f"/schedule/task-items/{item}/progress", {"progress": "missed"})
    show(planner, hands, "/today")
    hands.press(page.get_by_role("link", name=hands.words("补上漏的")))
    shown = page.locator(".way:visible")
    expect(shown.locator(".diff > li")).to_contain_text(STEP)
    unharmed(page)
    hands.press(page.locator(".choice [value=set_aside]"))
    expect(shown.locator(".diff > li strong")).to_have_text(hands.words("待安排"))
    hands.press(page.locator(".choice [value=least_change]"))
    hands.press(hands.button(page, "直接应用"))
    expect(page.get_by_text(hands.words("已应用到课表")).first).to_be_visible()
    hands.press(hands.button(page, "撤销"))
    again = page.get_by_role("button", name=f"{hands.words('其实做完了')} {STEP}")
    hands.press(again)
    expect(page.get_by_text(hands.words("已记下：完成"))).to_be_visible()
    expect(again).to_have_count(0)
    unharmed(page)


def load_anew(planner: Planner) -> None:
    planner.page.reload()
    planner.ready()


def choose(planner: Planner, hands: Hands, item: str, action: str, context: str | None = None) -> None:
    """Opens the block and takes one of the ways that it offers."""
    page = planner.page
    hands.press(page.locator(f".entry[data-item='{item}']"))
    with page.expect_response(lambda answer: f"/task-items/{item}/" in answer.url) as written:
        hands.press(hands.button(page.locator("#block-sheet"), action, context))
    assert written.value.ok


def standing(planner: Planner, week: int, item: int) -> tuple[date, str]:
    """The day of an item on the timetable, and its name."""
    shown = planner.api(f"/schedule/week?week={week}")
    for event in shown["events"]:
        guest = event["embedded_task_info"] or {}
        if item in (event["task_item_id"], guest.get("id")):
            day = date.fromisoformat(shown["first_date"]) + timedelta(days=event["day_of_week"] - 1)
            return day, guest.get("name") or event["name"]
    raise AssertionError(item)


@by("desk-en-keys", "phone-zh-touch")
def test_an_applied_block_is_pinned_taken_off_and_ticked(enter: Any, hands: Hands) -> None:
    planner = start(enter, hands, "marks")
    page = planner.page
    apply_before(planner, plan_before(planner))
    week = planner.api("/schedule/semester")["today"]["week"] + 1
    planner.open(f"/week/{week}")
    item = page.locator(".entry.applied:visible").first.get_attribute("data-item")
    assert item is not None
    choose(planner, hands, item, "钉住", "action")
    load_anew(planner)
    choose(planner, hands, item, "取消钉住")
    load_anew(planner)
    choose(planner, hands, item, "移出课表")
    load_anew(planner)
    expect(page.locator(f".entry.applied[data-item='{item}']")).to_have_count(0)
    hands.press(page.locator("#undo"))
    expect(page.locator(f".entry.applied[data-item='{item}']")).to_be_visible()
    day, name = standing(planner, week, int(item))
    planner.open(f"/today/{day.isoformat()}")
    hands.press(page.get_by_role("link", name=f"{hands.words('移动')} {name}"))
    expect(page.locator("#in-hand")).to_contain_text(name)
    page.keyboard.press("Escape")
    planner.open(f"/week/{week}")
    choose(planner, hands, item, "完成")
    expect(page.locator(".toast.success").last).to_be_visible()
    unharmed(page)


@by("desk-en-keys", "phone-zh-touch")
def test_a_lesson_falls_a_holiday_comes_and_an_exam_moves(open_planner: Any, hands: Hands) -> None:
    planner = start(open_planner, hands, "term")
    page = planner.page
    today = planner.today()
    show(planner, hands, "/courses")
    number = planner.api("/schedule/courses")["list"][0]["id"]
    planner.open(f"/courses/{number}/lessons")
    row = page.locator(".lessons > li:not(.past)").nth(2)
    hands.press(row.get_by_role("link", name=hands.words("改这一次")))
    hands.press(page.locator("[name=kind][value=cancelled]"))
    page.locator("[name=note]").fill(HOSTILE)
    try_and_do(page, hands)
    expect(page.get_by_text(HOSTILE).first).to_be_visible()

    planner.open("/courses/days")
    hands.press(page.get_by_role("link", name=hands.words("加假期或补课日")))
    page.locator("[name=name]").fill(HOSTILE)
    page.locator("[name=first_date]").fill((today + timedelta(days=8 - today.weekday())).isoformat())
    try_and_do(page, hands)
    hands.press(page.get_by_role("link", name=hands.words("加考试")))
    page.locator("[name=name]").fill(HOSTILE)
    page.locator("[name=date]").fill((today + timedelta(days=30)).isoformat())
    page.locator("[name=start_time]").fill("14:00")
    page.locator("[name=end_time]").fill("16:00")
    try_and_do(page, hands)
    exam = planner.api("/schedule/exams")["list"][0]["id"]
    hands.press(page.locator(f"a[href='/courses/exams/{exam}']"))
    page.locator("[name=date]").fill((today + timedelta(days=20)).isoformat())
    try_and_do(page, hands)
    assert planner.api("/schedule/exams")["list"][0]["date"] == (today + timedelta(days=20)).isoformat()
    unharmed(page)


@by("desk-en-keys", "phone-zh-touch")
def test_what_was_typed_outlives_a_lost_connection_and_an_expired_session(
    open_planner: Any, hands: Hands, server: Any
) -> None:
    planner = start(open_planner, hands, "lost")
    page = planner.page
    say(planner, hands, PLAN[hands.locale])
    address = page.url
    planner.show("chat")
    page.fill("#message", STARTED[hands.locale])
    page.context.set_offline(True)
    hands.press(page.locator("#send"))
    expect(page.locator(".toast.error").first).to_be_visible()
    expect(page.locator("#message")).to_have_value(STARTED[hands.locale])
    page.context.clear_cookies(name="sessionid")
    page.context.set_offline(False)  # what is shown is asked for again, and the session found to be over
    expect(page).to_have_url(re.compile(r"/login\?next="))  # whatever else was asked for at the same time
    name = f"job-lost-{hands.name}"
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(server.account(name))
    hands.press(page.locator("main form button").first)
    planner.ready()
    assert page.url == address
    planner.show("chat")
    expect(page.locator("#message")).to_have_value(STARTED[hands.locale])
    other = page.context.new_page()
    other.goto(address)
    other.wait_for_selector("html[data-ready]")
    with planner.running():
        hands.press(page.locator("#send"))
    other.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(other.locator(".block.user").last).to_contain_text(STARTED[hands.locale])
    unharmed(page)
