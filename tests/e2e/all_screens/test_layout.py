"""Long names, narrow screens, English: everything stays readable and in its place."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.kits.page.audit import pixels_too_wide
from tests.kits.page.places import plan_all, say_before

WORD = "Supercalifragilisticexpialidocious"


def overflowing(page: Page, selector: str) -> list[str]:
    script = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.textContent)"
    found: list[str] = page.locator(selector).evaluate_all(script)
    return found


def make_class(planner: Any, name: str, content: str) -> None:
    page = planner.page
    days = planner.api("/schedule/today")["date"], planner.api("/schedule/week?week=20")["first_date"]
    body = {
        "name": name, "mode": "auto", "strategy": "steady", "start_date": days[0], "end_date": days[1],
        "items": [{"order": 1, "content": content}],
    }  # fmt: skip
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    answer = page.request.post(f"{planner.base_url}/api/v1/task-class", data=body, headers={"X-CSRFToken": token})
    assert answer.json()["status"] == "10000", answer.text()
    planner.open("/")


def test_long_names_stay_inside(enter: Any) -> None:
    planner = enter("page-long")
    page = planner.page
    make_class(planner, (WORD * 2)[:60], (WORD * 6)[:200])
    assert overflowing(page, ".class-option") == []
    plan_all(planner)
    planner.show("chat")
    planner.unfold()
    for card in page.locator("details.card.tool > summary").all():
        card.click()
    for width in (1360, 375):
        page.set_viewport_size({"width": width, "height": 812})
        planner.show("chat")
        assert overflowing(page, "#timeline > li, .class-option, .bubble, .card") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        planner.show("week")
        assert overflowing(page, ".dock") == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_picking_up_moves_nothing_on_the_screen(open_planned: Any) -> None:
    planner = open_planned()
    page = planner.page
    expect(page.locator(".entry.suggested").first).to_be_visible()
    cell = page.locator(".cell[data-day='3'][data-section='9']")
    before = cell.bounding_box()
    page.locator(".entry.suggested").first.press("m")
    expect(page.locator("#in-hand")).not_to_be_empty()
    assert cell.bounding_box() == before


def test_a_phone_keeps_the_section_numbers_beside_the_last_day(open_planned: Any) -> None:
    planner = open_planned(viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True)
    page = planner.page
    page.locator(".section-head").nth(4).scroll_into_view_if_needed()
    page.locator(".grid-scroller").evaluate("node => { node.scrollLeft = node.scrollWidth; }")
    expect(page.locator(".section-head").nth(4)).to_be_in_viewport(ratio=0.5)
    edges = page.locator(".grid-scroller, .section-head").evaluate_all(
        "nodes => nodes.map(node => Math.round(node.getBoundingClientRect().left))"
    )
    assert set(edges) == {edges[0]}  # nothing that was scrolled away shows left of the numbers


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_the_dates_of_the_week_whole(open_planner: Any, width: int) -> None:
    page = open_planner(path="/week/5", locale="en-US", viewport={"width": width, "height": 844}).page
    dates = page.locator("#week-dates")
    expect(dates).to_contain_text("odd week")
    assert dates.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert page.locator("#plan > .head").evaluate("node => node.offsetHeight") < (60 if width > 360 else 78)


def test_a_question_is_shown_once(open_planner: Any) -> None:
    planner = open_planner("page-question")
    page = planner.page
    planner.say("新建任务类「阅读」")
    question = page.locator(".ask.open")
    expect(question).to_contain_text("等待回答")
    words = page.locator(".block.text .bubble").last.inner_text()
    assert question.locator(".ask-text", has_text=words).count() == 0
    expect(question.locator(".hidden-text")).to_have_text(words)


# Everything a person can read or hear, without the student's own data.
TEXTS = """roots => roots.flatMap(root => {
  root.querySelectorAll(".entry, .class-name, .seal, pre, [lang]").forEach(node => node.remove());
  return [root.textContent, ...[...root.querySelectorAll("*")].flatMap(node => [node.ariaLabel, node.placeholder])];
}).filter(text => /[\\u3000-\\u303f\\u4e00-\\u9fff\\uff00-\\uffef]/.test(text))"""


def test_an_english_page_holds_no_chinese_but_the_data(open_planner: Any) -> None:
    planner = open_planner("page-english")
    page = planner.page
    page.click("#language button")
    planner.ready()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.locator("main, dialog, header").evaluate_all(TEXTS) == []


def test_what_is_in_hand_is_told_in_the_language_of_the_page(open_planned: Any) -> None:
    planner = open_planned("page-hand")
    page = planner.page
    page.click("#language button")
    planner.ready()
    page.locator(".entry.suggested").first.press("m")
    expect(page.locator("#in-hand")).to_contain_text(re.compile(r" → \w+, \w+ \d+, [\d:–]+: [a-z ]+"))


LOW = {"viewport": {"width": 680, "height": 430}}  # a window of 1360 x 860 at 200 %
BARE = """node => {
  const box = node.getBoundingClientRect();
  const foot = document.querySelector("#plan .foot").getBoundingClientRect();
  return [...document.querySelectorAll(".section-head")].map(one => one.getBoundingClientRect())
    .filter(one => one.top >= box.bottom - 1 && one.bottom <= foot.top + 1).length;
}"""


def test_a_low_window_scrolls_as_a_whole_so_that_several_periods_are_seen(open_planned: Any) -> None:
    planner = open_planned(**LOW)
    page = planner.page
    page.mouse.move(300, 200)
    page.mouse.wheel(0, 2000)
    expect(page.locator(".section-head").last).to_be_in_viewport()
    assert page.locator(".day-head").first.evaluate(BARE) >= 4
    expect(page.locator("#apply")).to_be_in_viewport(ratio=1)
    page.mouse.wheel(0, -4000)
    expect(page.locator("#week-title")).to_be_in_viewport(ratio=1)
    page.locator(".entry.suggested").first.focus()
    expect(page.locator(".entry.suggested:focus")).to_be_in_viewport()


def test_the_talk_has_the_whole_of_a_low_window(open_planner: Any) -> None:
    planner = open_planner("layout-low-chat", **LOW)
    page = planner.page
    planner.say("看看这周有哪些空闲")
    planner.say("你好")
    expect(page.locator(".block.text").last).to_be_in_viewport()
    planner.show("week")
    planner.show("chat")
    expect(page.locator("#send")).to_be_in_viewport(ratio=1)
    page.mouse.move(300, 150)
    page.mouse.wheel(0, -4000)
    expect(page.locator("#new-conversation")).to_be_in_viewport(ratio=1)
    expect(page.locator(".block.user").first).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight") <= LOW["viewport"]["height"]


NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 760}, "has_touch": True, "is_mobile": True}


def test_a_hundred_steps_of_one_task_stay_readable_on_the_narrowest_phone(enter: Any) -> None:
    planner = enter("page-hundred", locale="en-US", **NARROW)
    page, today = planner.page, planner.today()
    for one in planner.api("/task-class?page_size=100")["list"]:
        planner.send("DELETE", f"/task-class/{one['id']}", None)
    body = {
        "name": "Hundred words", "mode": "auto", "strategy": "steady", "start_date": today.isoformat(),
        "end_date": (today + timedelta(days=7)).isoformat(),
        "items": [{"order": n, "content": f"Word list {n}", "duration": 2} for n in range(1, 101)],
    }  # fmt: skip
    planner.send("POST", "/task-class", body)
    planner.open("/tasks")
    assert overflowing(page, ".card-task") == []
    task = planner.api("/task-class")["list"][0]["id"]
    talk = say_before(planner, "Plan the selected tasks, as many as fit", task)
    planner.open(f"/week?conversation={talk}")
    left = len(planner.preview(talk)["unplaced_items"])
    assert left > 6
    page.click("#review-open")
    away = page.locator("#review .callout")
    expect(away.locator("li:visible")).to_have_count(5)
    away.locator("summary").click()
    expect(away.locator("li:visible")).to_have_count(left)
    page.keyboard.press("Escape")
    for width in (320, 360, 390, 1280):
        page.set_viewport_size({"width": width, "height": 760})
        planner.show("chat")
        head = page.locator("#unplaced-tab, #conversations").evaluate_all(BOXES)
        tab, talks = head
        assert tab["right"] <= talks["left"] or tab["bottom"] <= talks["top"], width


BOXES = "nodes => nodes.map(node => node.getBoundingClientRect().toJSON())"


def test_a_name_without_a_blank_widens_no_screen_of_a_phone(enter: Any) -> None:
    planner = enter("page-wide", **NARROW)
    page, today = planner.page, planner.today()
    days = {"start_date": today.isoformat(), "end_date": (today + timedelta(days=7)).isoformat()}
    items = [{"order": 1, "content": (WORD * 6)[:200]}]
    body = {"name": (WORD * 2)[:60], "mode": "auto", "strategy": "steady", **days, "items": items}
    task = planner.send("POST", "/task-class", body)["id"]
    exam = {"name": WORD * 2, "date": days["end_date"], "start_time": "09:00", "end_time": "11:00", "location": WORD}
    planner.send("POST", "/schedule/exams", exam)
    meeting = {"weeks": [4, 5], "day_of_week": 7, "start_section": 1, "end_section": 2, "location": WORD}
    planner.send("POST", "/schedule/courses", {"course_name": WORD * 2, "teacher": WORD, "arrangements": [meeting]})
    planner.open("/courses/days")
    links = page.locator("main a").evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))")
    exams = [link for link in links if re.match(r"/courses/exams/\d", link)]
    planner.open("/courses")
    links = page.locator("main a").evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))")
    courses = [link for link in links if re.match(r"/courses/\d", link)]
    assert exams
    assert courses
    for path in (f"/tasks/{task}", f"/tasks/{task}/delete", "/today", "/courses", *exams, *courses[-3:]):
        planner.open(path)
        assert pixels_too_wide(page) <= 0, path


def test_the_heading_of_a_day_is_written_as_dates_are_elsewhere(open_planner: Any) -> None:
    page = open_planner(path="/today", locale="en-US").page
    expect(page.get_by_role("heading", level=1)).to_have_text("Wed, Mar 18")


def test_the_words_of_a_title_are_whole_beside_its_buttons_on_a_phone(enter: Any) -> None:
    planner = enter("page-title", **NARROW, locale="en-US")
    meeting = {"weeks": [4, 5], "day_of_week": 7, "start_section": 1, "end_section": 2}
    course = {"course_name": "Undergraduate Mathematics", "arrangements": [meeting]}
    planner.send("POST", "/schedule/courses", course)
    names = {one["course_name"]: one["id"] for one in planner.api("/schedule/courses")["list"]}
    planner.open(f"/courses/{names[course['course_name']]}/lessons")
    lines = planner.page.get_by_role("heading", level=1).evaluate(
        """node => [...node.firstChild.data.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
            const range = document.createRange();
            range.setStart(node.firstChild, index);
            range.setEnd(node.firstChild, index + word.length);
            return range.getClientRects().length;
        })"""
    )
    assert lines == [1, 1]


EDGES = """nodes => nodes.map(node => {
  const style = getComputedStyle(node);
  return [style.borderTopStyle, parseFloat(style.borderTopWidth) > 0, style.backgroundColor];
})"""


def test_what_stands_in_the_week_and_how_far_tasks_are_is_seen_in_colours_of_the_system(open_planned: Any) -> None:
    planner = open_planned("page-forced")
    page = planner.page
    page.emulate_media(forced_colors="active")
    try:
        blocks = page.locator(".entry").evaluate_all(EDGES)
        assert blocks
        assert {(style != "none", wide) for style, wide, _ground in blocks} == {(True, True)}
        planner.open("/tasks")
        steps = page.locator(".segs i").evaluate_all(EDGES)
        assert steps
        assert {(style != "none", wide) for style, wide, _ground in steps} == {(True, True)}
    finally:
        page.emulate_media(forced_colors="none")


GUEST = """<li><i></i><i></i><div class="event lesson"><div class="spring"><a class="whole" href="/courses">课</a></div>
<div class="event task inside"><div class="spring">项</div><div class="marks"><details class="partly">
<summary>部分</summary><div><button>还剩 1 节</button><button>还剩 2 节</button><button>还剩 3 节</button></div>
</details></div></div></div></li>"""


def test_the_menu_of_a_mark_lies_over_the_guest_of_the_next_lesson(open_planner: Any) -> None:
    page = open_planner(path="/today").page
    page.locator("ol.line").evaluate("(list, rows) => { list.innerHTML = rows; }", GUEST * 2)
    page.locator(".partly summary").first.click()
    for rest in page.locator(".partly[open] button").all():
        rest.click(trial=True, timeout=2_000)
