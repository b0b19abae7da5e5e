"""A browser without scripts: cookies, forms with their CSRF token, and the mails that a server wrote into a folder."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import httpx

MAIL = {"EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend"}


class Browser:
    """One device: it keeps cookies and sends a form as its page offers it."""

    def __init__(self, server: Any, agent: str = "Firefox", **headers: str) -> None:
        self.http = httpx.Client(
            base_url=server.base_url, headers={"User-Agent": agent, "Accept-Language": "zh", **headers}, timeout=60
        )

    def open(self, path: str) -> httpx.Response:
        return self.http.get(path, follow_redirects=True)

    def submit(self, path: str, **fields: str) -> httpx.Response:
        """Opens the page and sends its form back with these fields; answers where that leads to."""
        page = self.open(path)
        form = re.search(r'<form method="post" (?:action="([^"]*)" )?class="stack".*?</form>', page.text, re.DOTALL)
        hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0] if form else page.text)
        target = (form[1] if form else None) or str(page.url)
        return self.http.post(target, data={**dict(hidden), **fields}, follow_redirects=True)

    def sign_in(self, username: str, password: str) -> httpx.Response:
        return self.submit("/login", username=username, password=password)

    def api(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """A call of the API as the page makes it."""
        token = self.http.cookies.get("csrftoken") or ""
        return self.http.request(method, f"/api/v1{path}", json=body, headers={"X-CSRFToken": token})

    def signed_in(self) -> bool:
        return self.api("GET", "/auth/session").status_code == 200


class Post:
    """The mails of a server that keeps them in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mails(self, address: str) -> list[Any]:
        """What was sent to an address, in order."""
        found = []
        # The names of the files tell the second only.
        for path in sorted(self.folder.glob("*.log"), key=lambda path: path.stat().st_mtime_ns):
            parts = path.read_bytes().split(b"-" * 79 + b"\n")
            found += [message_from_bytes(part, policy=policy.default) for part in parts if part.strip()]
        return [mail for mail in found if mail["To"] == address]

    def link(self, address: str) -> str:
        """The path of the link in the newest mail."""
        text = self.mails(address)[-1].get_content()
        found = re.search(r"https?://[^/\s]+(/\S+)", text)
        assert found, text
        return found[1]
