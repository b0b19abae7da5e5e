"""What support learns of a failed model call, and that nobody learns a key from it."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest

from tests.kits.provider.openai_server import Head, Raw, status
from tests.kits.transports.students import Student

LEAK = "sk-123"
REFUSED = {"error": {"message": f"Incorrect API key provided: {LEAK}.", "code": "invalid_api_key"}}
_STAFF = "from django.contrib.auth.models import User; User.objects.create_superuser('support', password='look')"


@pytest.fixture(scope="module")
def support(modelled: Any) -> Any:
    """A member of staff in the admin."""
    modelled.manage("shell", "-v0", "-c", _STAFF)
    with httpx.Client(base_url=modelled.base_url, follow_redirects=True, headers={"Accept-Language": "en"}) as browser:
        browser.get("/admin/login/")
        form = {"username": "support", "password": "look", "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        browser.post("/admin/login/", data=form)
        yield browser


def shown_causes(support: httpx.Client, run_id: str) -> str:
    page = support.get(f"/admin/agent/run/{run_id}/change/").text
    assert run_id in page
    return re.search(r"field-causes.*?readonly\">(.*?)</div>\s*</div>", page, re.DOTALL)[1]  # type: ignore[index]


def test_the_page_of_a_run_says_why_its_model_failed(ming: Student, script: Any, support: httpx.Client) -> None:
    head = Head(401, {"Content-Type": "application/json", "x-request-id": "req_77aa"})
    script.script([[head, Raw(json.dumps(REFUSED).encode())]])
    answer, _ = ming.chat("你好")
    run_id = answer.headers["X-Run-ID"]
    account = shown_causes(support, run_id)
    for fact in ("Not authenticated", "HTTP 401", "req_77aa", "invalid_api_key", "stage chat"):
        assert fact in account
    told = ming.http.get(f"/tasks/{run_id}").text + answer.text
    assert LEAK not in told + account + ming.server.log.read_text()
    assert f"run {run_id} ends with llm_unavailable: unauthorized status=401" in ming.server.log.read_text()


def test_an_error_of_the_provider_looks_unlike_a_refused_key(ming: Student, script: Any, support: httpx.Client) -> None:
    script.script([status(500)] * 3)
    answer, _ = ming.chat("你好")
    account = shown_causes(support, answer.headers["X-Run-ID"])
    assert "Internal error of the provider" in account
    assert "attempts 3" in account
