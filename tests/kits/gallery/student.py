"""One account of the gallery over the public API: what it plans, applies, marks, and the cookies of its browser."""

from __future__ import annotations

import secrets
from typing import Any

from tests.kits.page.browser import Browser

Json = dict[str, Any]


class Student:
    """Signed in; `words(zh, en)` picks the language of the account."""

    def __init__(self, server: Any, username: str, password: str, lang: str) -> None:
        self.lang, self.username = lang, username
        self.browser = Browser(server, **{"Accept-Language": "zh-CN" if lang == "zh" else "en"})
        self.browser.sign_in(username, password)
        assert self.browser.signed_in(), username
        self.conversation = ""
        self.found: dict[str, str] = {}

    def words(self, zh: str, en: str) -> str:
        return zh if self.lang == "zh" else en

    def call(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Idempotency-Key": secrets.token_hex(8), "X-CSRFToken": self.browser.http.cookies["csrftoken"]}
        answer = self.browser.http.request(method, f"/api/v1{path}", json=body, headers=headers).json()
        assert answer["status"] == "10000", (path, answer)
        return answer["data"]

    def say(self, message: str, conversation: str = "", **extra: Any) -> str:
        """One run to its end, in a new conversation when none is named; answers the conversation."""
        body = {"conversation_id": conversation, "message": message, "thinking": "auto", "extra": extra}
        headers = {"X-CSRFToken": self.browser.http.cookies["csrftoken"], "Idempotency-Key": secrets.token_hex(8)}
        answer = self.browser.http.post("/api/v1/agent/chat", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        return str(answer.headers["X-Conversation-ID"])

    def classes(self) -> list[Json]:
        listed = self.call("GET", "/task-class?page=1&page_size=100")["list"]
        return sorted(listed, key=lambda one: int(one["id"]))

    def preview(self, conversation: str) -> Json:
        shown: Json = self.call("GET", f"/agent/schedule-preview?conversation_id={conversation}")
        return shown

    def apply(self, conversation: str) -> None:
        revision = self.preview(conversation)["revision"]
        self.call("POST", "/agent/schedule-apply", {"conversation_id": conversation, "revision": revision})

    def cookies(self, base_url: str) -> list[Json]:
        jar = self.browser.http.cookies.jar
        return [{"name": one.name, "value": str(one.value), "url": base_url} for one in jar]
