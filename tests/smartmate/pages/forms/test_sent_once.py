"""A form under a key: done once, and what was said of it is said again to whoever did not hear it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from smartmate.middleware.claim_keeper import lease_end
from smartmate.models import IdempotencyClaim
from taskclasses.models import TaskClass

FORM = {"name": "概率论复习", "items": "随机变量\n大数定律", "strategy": "steady"}


@pytest.fixture
def sent(li: Client) -> Any:
    def send(key: str, **fields: str) -> Any:
        return li.post("/tasks/new", {**FORM, **fields}, headers={"Idempotency-Key": key})

    return send


def test_the_same_form_again_leads_where_it_led_and_says_what_it_said(sent: Any, li: Client) -> None:
    first = sent("k")
    li.cookies.pop("messages")  # they came with the answer that was lost
    again = sent("k")
    assert (first.status_code, first["Location"]) == (again.status_code, again["Location"]) == (302, "/tasks")
    assert TaskClass.objects.count() == 1
    assert "已保存" in li.get("/tasks").content.decode()


def test_another_key_other_fields_and_no_key_are_other_forms(sent: Any, li: Client) -> None:
    sent("k")
    sent("other")
    sent("k", name="英语")
    li.post("/tasks/new", FORM)
    assert TaskClass.objects.count() == 4


def test_a_refused_form_keeps_its_key_free(sent: Any) -> None:
    assert sent("k", name="").status_code == 422
    assert not IdempotencyClaim.objects.exists()
    assert sent("k", name="").status_code == 422


def test_a_key_is_of_its_account(sent: Any, wang: Client) -> None:
    sent("k")
    wang.post("/tasks/new", FORM, headers={"Idempotency-Key": "k"})
    assert TaskClass.objects.count() == 2


def test_a_form_that_is_still_being_done_is_told_to_be(sent: Any) -> None:
    sent("k")
    now = timezone.now()
    IdempotencyClaim.objects.update(response_status=None, lease_until=lease_end(), created_at=now)
    again = sent("k")
    assert again.status_code == 409
    assert "不会做两遍" in again.content.decode()
    assert TaskClass.objects.count() == 1


def test_who_is_signed_out_claims_nothing(client: Client, db: None) -> None:
    assert client.post("/tasks/new", FORM, headers={"Idempotency-Key": "k"}).status_code == 302
    assert not IdempotencyClaim.objects.exists()
