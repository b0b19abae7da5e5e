"""A page of the timeline and where to follow are of one moment, though each query sees a newer one (wire.md 7.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from agent.models import Run
from agent.runs.timeline.fold import Item
from agent.runs.timeline.rows import add_item
from agent.selectors import timeline_page

pytestmark = pytest.mark.django_db
BLOCK = {"kind": "assistant_text", "role": "assistant", "stage": "chat", "block_id": "chat.speak.1"}


def between_the_queries(change: Callable[[], Any]) -> Callable[..., Any]:
    """Makes `change` once, behind the reading of the items: another process may, at READ COMMITTED."""
    done: list[bool] = []

    def wrapper(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not done and f"FROM {connection.ops.quote_name('agent_run')}" in sql:
            done.append(True)
            change()
        return execute(sql, *rest)

    return wrapper


def test_an_item_written_meanwhile_is_given_or_followed(ask: Callable[..., Any]) -> None:
    run = ask().run

    def speak() -> None:
        add_item(run, Item(**BLOCK, content="好。", payload={}, idx_from=1, idx_to=3, at=0.0))

    with connection.execute_wrapper(between_the_queries(speak)):
        page = timeline_page(run.conversation, after_seq=0, limit=200)
    given = [item["idx_to"] for item in page["items"] if item["idx_to"] is not None]
    assert (given, page["follow"]) == ([3], {"run_id": str(run.pk), "from": 4})


def test_a_run_that_ended_meanwhile_is_not_missed(ask: Callable[..., Any]) -> None:
    run = ask().run

    def end() -> None:
        add_item(run, Item(**BLOCK, content="好。", payload={}, idx_from=1, idx_to=3, at=0.0))
        Run.objects.filter(pk=run.pk).update(active_for=None, status="succeeded")

    with connection.execute_wrapper(between_the_queries(end)):
        page = timeline_page(run.conversation, after_seq=0, limit=200)
    assert [item["kind"] for item in page["items"]] == ["user_text", "assistant_text"]
    assert page["follow"] is None
