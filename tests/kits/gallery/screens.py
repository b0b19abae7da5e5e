"""Every screen and state of the page: whose it is, its address, what is done there before it is looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from tests.kits.gallery.student import Student
from tests.kits.provider.openai_server import Wait, chunk, status

Address = str | Callable[[Student], str]
Act = Callable[[Page], None]


@dataclass(frozen=True)
class Screen:
    """`stage` "" is a visitor; `design` names the picture of the design that shows the same."""

    name: str
    stage: str
    address: Address
    act: Act | None = None
    design: str = ""
    kind: str = "offline"


def planned(path: str) -> Address:
    return lambda student: f"{path}?conversation={student.conversation}"


def talked(which: str) -> Address:
    return lambda student: f"/chat?conversation={student.found[which]}"


def first_class(path: str) -> Address:
    return lambda student: path.format(student.classes()[0]["id"])


def first_course(path: str) -> Address:
    return lambda student: path.format(student.call("GET", "/schedule/courses?page=1")["list"][0]["id"])


def away(path: str) -> Address:
    def address(student: Student) -> str:
        today = student.call("GET", "/schedule/today")["date"]
        return f"{path}?from_date={today}&to_date={today}"

    return address


# --- what is done ---------------------------------------------------------------------------------------------------


def show_day(page: Page) -> None:
    page.locator("[data-days='1']").click()


def show_week(page: Page) -> None:
    page.locator("[data-days='7']").click()


def open_block(page: Page) -> None:
    page.locator(".entry.task:visible").last.click()
    expect(page.locator("#block-sheet .reason")).to_be_visible()


def hold(page: Page) -> None:
    page.locator(".entry.suggested:visible").first.press("m")
    page.wait_for_selector(".cell.legal, .week-tab.legal")
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)


def review(page: Page) -> None:
    page.click("#review-open")
    expect(page.locator("#review")).to_be_visible()
    page.wait_for_selector("#review li[data-item]")


def apply_draft(page: Page) -> None:
    """The account may have been here before, in another frame: the page tells once it has read the draft."""
    page.locator("#apply:visible, #undo:visible").first.wait_for()
    if page.locator("#apply").is_hidden():
        page.click("#undo")
        page.locator("#apply").wait_for()
        page.locator(".toast .close").last.click()
    page.click("#apply")
    page.locator(".toast.success button").first.wait_for()


def unfold_steps(page: Page) -> None:
    page.locator(".steps-line").first.wait_for()
    for line in page.locator(".steps-line").all():
        line.click()
    for card in page.locator("details.card.tool > summary").all()[:2]:
        card.click()


def say(page: Page, message: str) -> None:
    page.fill("#message", message)
    page.click("#send")


def run_on(page: Page) -> None:
    say(page, "怎样安排复习记得最牢？")
    page.wait_for_selector("#cancel-run:visible")
    page.wait_for_timeout(700)


def fail(page: Page) -> None:
    """Twice, since a conversation that has failed before is opened again, and its cards must be told apart."""
    errors = page.locator(".block.error")
    for _ in range(2):
        before = errors.count()
        say(page, "怎样安排复习记得最牢？")
        expect(errors).to_have_count(before + 1, timeout=60_000)
        expect(page.locator("#cancel-run")).to_be_hidden()


PASTED = (
    "课程名称,星期,节次,周次,地点",
    "数据结构,周一,3-4,1-16周,东教 301",
    "大学英语,周八,1-2,1-16周,外语楼 305",
    "体育,周二,7-8,1-15周单周,操场",
)


def paste_courses(page: Page) -> None:
    paste(page, PASTED)


def paste_newer(page: Page) -> None:
    """A table in which a course that was imported before stands at another time."""
    courses = page.evaluate("() => fetch('/api/v1/schedule/courses').then((answer) => answer.json())")
    name = courses["data"]["list"][0]["course_name"]
    paste(page, (PASTED[0], f"{name},周日,9-10,1-16周,东教 301"))


def paste(page: Page, lines: Sequence[str]) -> None:
    text = "\n".join(lines)
    area = page.locator("main textarea").first
    if area.count():
        area.fill(text)
        page.locator("main form button.primary").first.click()
        page.wait_for_selector("html[data-ready]")


def push_on(page: Page) -> None:
    page.locator(".choice [value=push_on]").check()


def look_ahead(page: Page) -> None:
    page.locator(".weeks-room").scroll_into_view_if_needed()


def look_at_choices(page: Page) -> None:
    page.locator("#reminders-title").scroll_into_view_if_needed()


def ask_for_help(page: Page) -> None:
    page.locator("#week-grid").press("?")
    page.wait_for_selector("#help[open]")


def go_offline(page: Page) -> None:
    page.context.set_offline(True)
    expect(page.locator("#no-network")).to_be_visible()


def open_without_network(page: Page) -> None:
    wanted = page.locator("#conversations").input_value()
    page.locator("#new-conversation").click()
    page.context.set_offline(True)
    page.locator("#conversations").select_option(wanted)
    expect(page.locator("#open-failed")).to_be_visible()


def look_around(page: Page) -> None:
    page.locator("form[action='/guest'] button").click()
    page.wait_for_selector("html[data-ready]", timeout=30_000)


def make_feed(page: Page) -> None:
    page.locator("form[action='/settings/feed'] [value=make]").click()
    page.locator("#secret").wait_for()


def set_reminders(page: Page) -> None:
    make_feed(page)
    page.get_by_role("link", name=re.compile("好了|Done")).click()
    page.locator("#reminder").select_option("10")
    look_at_choices(page)


def make_token(page: Page) -> None:
    form = page.locator("form[action='/settings/tokens']").last
    form.locator("[name=name]").fill("backup")
    form.locator("button").click()
    page.locator("#secret").wait_for()


SCREENS = (
    Screen("week", "draft", planned("/week"), design="week"),
    Screen("week-7", "draft", planned("/week/7"), show_week, design="week-phone7"),
    Screen("week-day", "draft", planned("/week"), show_day, design="week-day"),
    Screen("week-fresh", "fresh", "/week", design="state-empty"),
    Screen("week-empty", "new", "/week", design="state-empty"),
    Screen("week-applied", "applied", "/week", design="week-applied"),
    Screen("week-undo", "applying", planned("/week"), apply_draft, design="week-applied"),
    Screen("week-offline", "draft", planned("/week"), go_offline, design="state-offline"),
    Screen("week-changes", "applied", "/week/8"),
    Screen("week-block", "draft", planned("/week"), open_block, design="week-block"),
    Screen("week-holding", "draft", planned("/week"), hold, design="week-drag"),
    Screen("week-unplaced", "unplaced", planned("/week")),
    Screen("review", "draft", planned("/week"), review, design="review"),
    Screen("help", "draft", planned("/week"), ask_for_help),
    Screen("today", "draft", "/today", design="today"),
    Screen("today-applied", "applied", "/today"),
    Screen("today-empty", "new", "/today", design="state-day-empty"),
    Screen("today-catch-up", "draft", "/today/catch-up", design="today-replan"),
    Screen("today-push-on", "draft", "/today/catch-up", push_on, design="today-replan"),
    Screen("today-away", "applied", away("/today/catch-up")),
    Screen("tasks", "draft", "/tasks", design="tasks"),
    Screen("tasks-weeks", "applied", "/tasks", look_ahead, design="tasks"),
    Screen("tasks-empty", "new", "/tasks"),
    Screen("task", "draft", first_class("/tasks/{}"), design="task-edit"),
    Screen("task-new", "draft", "/tasks/new"),
    Screen("task-delete", "draft", first_class("/tasks/{}/delete")),
    Screen("courses", "applied", "/courses", design="courses"),
    Screen("courses-empty", "new", "/courses"),
    Screen("course-new", "applied", "/courses/new"),
    Screen("course", "applied", first_course("/courses/{}")),
    Screen("lessons", "applied", first_course("/courses/{}/lessons")),
    Screen("days", "applied", "/courses/days", design="courses-days"),
    Screen("day-new", "applied", "/courses/days/new"),
    Screen("exam-new", "applied", "/courses/exams/new"),
    Screen("import", "fresh", "/courses/import", design="courses-import"),
    Screen("import-mends", "fresh", "/courses/import", paste_courses, design="courses-import"),
    Screen("import-newer", "fresh", "/courses/import", paste_newer, design="courses-import"),
    Screen("chat", "fresh", "/chat", design="assistant"),
    Screen("chat-new", "new", "/chat", design="assistant"),
    Screen("chat-finished", "asking", talked("finished"), design="assistant"),
    Screen("chat-unopened", "asking", talked("finished"), open_without_network, design="assistant-states"),
    Screen("chat-steps", "asking", talked("finished"), unfold_steps, design="assistant-states"),
    Screen("chat-confirm", "asking", talked("confirm"), design="assistant-states"),
    Screen("chat-question", "asking", talked("question"), design="assistant-states"),
    Screen("chat-nothing", "asking", talked("nothing"), unfold_steps, design="assistant-states"),
    Screen("chat-running", "modelled", "/chat", run_on, kind="openai", design="assistant"),
    Screen("chat-error", "modelled", "/chat", fail, kind="openai", design="assistant-states"),
    Screen("settings", "draft", "/settings", design="settings"),
    Screen("settings-choices", "draft", "/settings", look_at_choices, design="settings"),
    Screen("settings-wishes", "draft", "/settings/wishes"),
    Screen("semester-new", "draft", "/settings/semesters/new"),
    Screen("account-delete", "draft", "/settings/account/delete"),
    Screen("account-email", "draft", "/account/email/"),
    Screen("account-password", "draft", "/account/password/"),
    Screen("account-devices", "draft", "/account/sessions/"),
    Screen("feed", "draft", "/settings", make_feed, design="courses-share"),
    Screen("settings-reminders", "draft", "/settings", set_reminders, design="settings"),
    Screen("token", "draft", "/settings", make_token),
    Screen("welcome-courses", "new", "/welcome/courses", design="welcome-1"),
    Screen("welcome-tasks", "new", "/welcome/tasks", design="welcome-2"),
    Screen("welcome-plan", "fresh", "/welcome/plan", design="welcome-3"),
    Screen("guest", "", "/login", look_around),
    Screen("login", "", "/login", design="login"),
    Screen("signup", "", "/account/signup/", design="signup"),
    Screen("reset", "", "/account/password/reset/"),
    Screen("missing", "fresh", "/nowhere"),
    Screen("print", "applied", "/print/week?week=7"),
)


def script_of(screen: Screen, model: Any, gate: Any) -> None:
    """What the model of a screen answers; the gate stays closed while the picture is taken."""
    model.reset()
    if screen.name == "chat-running":
        half = chunk(content='{"route":"direct_reply","speak":"分散学习，间隔复习：')
        model.fallback = [half, Wait(gate)]
    elif screen.name == "chat-error":
        model.fallback = status(401)
