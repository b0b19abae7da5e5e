"""What a person sees when a page cannot be shown: words and a way back, in the language of the page."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.handlers.exception import response_for_exception
from django.test import Client, RequestFactory
from django.utils import translation

WORDS = [("zh-hans", "没有这个页面"), ("en", "There is no such page")]


@pytest.mark.parametrize(("language", "words"), WORDS)
def test_an_unknown_address_is_told_with_a_way_back(client: Client, language: str, words: str) -> None:
    answer = client.get("/nothing", headers={"accept-language": language})
    assert answer.status_code == 404
    assert words in answer.content.decode()
    assert '<a href="/">' in answer.content.decode()


def test_an_unknown_address_is_told_in_the_language_of_the_account(li: Client) -> None:
    li.post("/i18n/setlang/", {"language": "en"})
    for path in ("/nothing", "/tasks/999"):
        answer = li.get(
            path, headers={"accept-language": "zh-CN", "cookie": f"sessionid={li.cookies['sessionid'].value}"}
        )
        assert answer.status_code == 404
        assert "There is no such page" in answer.content.decode(), path


def test_a_stale_form_is_told_to_be_stale(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/login", {"username": "a", "password": "b"})
    assert answer.status_code == 403
    assert "页面已过期" in answer.content.decode()


def test_a_failing_page_says_so_without_its_reason(settings: Any, rf: RequestFactory) -> None:
    settings.DEBUG_PROPAGATE_EXCEPTIONS = False
    with translation.override("zh-hans"):
        answer = response_for_exception(rf.get("/"), RuntimeError("secret reason"))
    assert answer.status_code == 500
    assert "服务器出错了" in answer.content.decode()
    assert "secret" not in answer.content.decode()
