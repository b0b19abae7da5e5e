"""What a student does in the page, in words."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from playwright.sync_api import APIResponse, Locator, Page, expect

from tests.kits.page.browser import Browser

RUN_MS = 60_000


class Planner:
    """What a student does in the page, in words."""

    def __init__(self, page: Page, base_url: str) -> None:
        self.page, self.base_url = page, base_url

    def log_in(self, username: str, password: str) -> None:
        self.page.goto(self.base_url)
        self.write(self.page.get_by_label("用户名"), username)
        self.write(self.page.get_by_label("密码"), password)
        self.page.locator("main button").click()

    def write(self, field: Locator, text: str) -> None:
        field.fill(text)

    def sign_in(self, server: Any, username: str) -> None:
        """Takes the cookies that the login form gives; the form itself has tests of its own."""
        device = Browser(server)
        device.submit("/login?next=/healthz", username=username, password=server.account(username))
        cookies = [(one.name, one.value or "") for one in device.http.cookies.jar]
        self.page.context.add_cookies([{"name": name, "value": value, "url": self.base_url} for name, value in cookies])

    def ready(self) -> None:
        self.page.wait_for_selector("html[data-ready]")

    def open(self, path: str) -> None:
        self.page.goto(self.base_url + path)
        self.ready()

    def show(self, screen: str) -> None:
        """The week or the assistant, where there is room for one of them."""
        if not self.page.locator("#chat" if screen == "chat" else "#plan").is_visible():
            self.page.click(f".rail a[href='/{screen}']")

    def say(self, message: str) -> None:
        self.show("chat")
        with self.running():
            self.write(self.page.locator("#message"), message)
            self.page.click("#send")

    @contextmanager
    def running(self) -> Iterator[None]:
        """The run that is started inside has ended and is drawn, however quick it was."""
        with self.page.expect_request("**/api/v1/agent/chat"):
            yield
        expect(self.page.locator("#timeline")).to_have_attribute("aria-busy", "false", timeout=RUN_MS)
        self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def blocks(self) -> list[str]:
        """Kinds and texts of the timeline in order, without the passing status lines."""
        rows = self.page.locator("#timeline > li:not(.status):not(.run-steps)").all()
        return [f"{row.get_attribute('data-kind')}: {re.sub(r'[0-9.]+ ?秒', '', row.inner_text())}" for row in rows]

    def unfold(self) -> None:
        """Opens the lines that the steps of the runs stand behind."""
        for line in self.page.locator(".steps-line").all():
            if line.get_attribute("aria-expanded") == "false":
                line.click()

    def kinds(self) -> list[str]:
        return [block.split(":")[0] for block in self.blocks()]

    def api(self, path: str) -> Any:
        return self.page.request.get(f"{self.base_url}/api/v1{path}").json()["data"]

    def today(self) -> date:
        """Today where the term is taught."""
        return date.fromisoformat(self.api("/schedule/today")["date"])

    def send(self, method: str, path: str, body: Any) -> Any:
        """A write over the API, as the page would make it."""
        answer = self.ask(method, path, body)
        assert answer["status"] == "10000", answer
        return answer["data"]

    def ask(self, method: str, path: str, body: Any) -> Any:
        """The whole envelope of a call, refused or not."""
        return self.request(method, path, body).json()

    def request(self, method: str, path: str, body: Any) -> APIResponse:
        cookies = {one["name"]: one["value"] for one in self.page.context.cookies()}
        headers = {"X-CSRFToken": cookies["csrftoken"], "Idempotency-Key": secrets.token_hex(8)}
        return self.page.request.fetch(f"{self.base_url}/api/v1{path}", method=method, data=body, headers=headers)

    @property
    def conversation(self) -> str:
        return self.page.url.split("conversation=")[1]

    def preview(self, conversation: str = "") -> Any:
        """The draft of the shown conversation, or of another one."""
        return self.api(f"/agent/schedule-preview?conversation_id={conversation or self.conversation}")

    def show_week(self, week: int) -> None:
        self.show("week")
        self.page.locator(f"[data-week='{week}']").click()
        expect(self.page.locator(f"[data-week='{week}']")).to_have_attribute("aria-current", "true")

    def saved(self) -> None:
        """The draft has saved itself."""
        expect(self.page.locator("#plan-summary")).to_contain_text("草稿已保存")
        expect(self.page.locator("#save")).to_be_hidden()

    def drag(self, entry: dict[str, Any], place: dict[str, Any]) -> None:
        """With the pointer; another week is reached by resting on its button."""
        self.show_week(entry["week"])
        block = self.page.locator(f".entry[data-item='{entry['task_item_id']}']")
        block.scroll_into_view_if_needed()
        box = block.bounding_box()
        assert box is not None
        mouse = self.page.mouse
        mouse.move(box["x"] + 20, box["y"] + 8)
        mouse.down()
        mouse.move(box["x"] + 24, box["y"] + 16, steps=3)
        if place["week"] != entry["week"]:
            self._move_over(f"[data-week='{place['week']}']")
            expect(self.page.locator(f"[data-week='{place['week']}']")).to_have_attribute("aria-current", "true")
        self._aim_at(f".cell[data-day='{place['day_of_week']}'][data-section='{place['section_from']}']")
        mouse.up()

    def _aim_at(self, selector: str) -> None:
        """As a hand does: the week may scroll under the pointer near its edges, so what it is over is looked at."""
        ghost = self.page.locator(".ghost.ok")
        for _ in range(10):
            self._move_over(selector)
            self.page.wait_for_timeout(100)
            if ghost.is_visible():
                return
        expect(ghost).to_be_visible()

    def _move_over(self, selector: str) -> None:
        self.page.locator(selector).scroll_into_view_if_needed()
        box = self.page.locator(selector).bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 6, steps=4)
