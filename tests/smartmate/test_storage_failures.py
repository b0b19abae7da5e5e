"""What a failing database does to a write: all of it happens, or none, and the answer has a code."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError, connection
from django.test import Client

from smartmate.accounts.tokens import token_create
from smartmate.models import IdempotencyClaim
from taskclasses.kernel.database.transactions import ATTEMPTS, run_transaction
from taskclasses.models import TaskClass

pytestmark = pytest.mark.django_db(transaction=True)
CLASS = {"name": "杂事", "mode": "manual"}


class Failing:
    """A database that fails the statements that contain `words`, for the first `times` of them."""

    def __init__(self, words: str, error: Exception, times: int = 10**6) -> None:
        self.words, self.error, self.left = words, error, times

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.left and self.words in sql:
            self.left -= 1
            raise self.error
        return execute(sql, params, many, context)


@pytest.fixture
def client() -> Client:
    token = token_create(user=User.objects.create_user("li"))[1]
    return Client(headers={"Authorization": f"Bearer {token}"})


def create(client: Client) -> tuple[int, str, Any]:
    response = client.post(
        "/api/v1/task-class", json.dumps(CLASS), content_type="application/json", headers={"Idempotency-Key": "k"}
    )
    document = json.loads(response.content)
    return response.status_code, document["status"], response


def test_an_answer_that_cannot_be_stored_takes_its_effect_back(client: Client) -> None:
    table = IdempotencyClaim._meta.db_table
    with connection.execute_wrapper(Failing(f"UPDATE {connection.ops.quote_name(table)}", RuntimeError("lost"))):
        assert create(client)[:2] == (500, "50000")
    assert not TaskClass.objects.exists()
    assert not IdempotencyClaim.objects.exists()
    assert create(client)[:2] == (200, "10000")
    assert create(client)[2]["Idempotent-Replayed"] == "true"
    assert TaskClass.objects.count() == 1


@pytest.mark.parametrize("number", [1213, 1205])
def test_a_deadlock_is_tried_again_as_a_whole(client: Client, number: int) -> None:
    table = connection.ops.quote_name(TaskClass._meta.db_table)
    failing = Failing(f"INSERT INTO {table}", OperationalError(number, "lock"), times=ATTEMPTS - 1)
    with connection.execute_wrapper(failing):
        assert create(client)[:2] == (200, "10000")
    assert TaskClass.objects.count() == 1


def test_storage_that_stays_away_has_a_code(client: Client) -> None:
    with connection.execute_wrapper(Failing("SELECT", OperationalError(2006, "gone away"))):
        status, code, response = create(client)
    assert (status, code, response["Retry-After"]) == (503, "50004", "2")
    assert b"gone away" not in response.content


def test_a_collision_is_tried_again_and_then_reported() -> None:
    calls = []

    def collide() -> None:
        calls.append(1)
        raise IntegrityError("duplicate")

    with pytest.raises(IntegrityError):
        run_transaction(collide)
    assert len(calls) == ATTEMPTS


def test_an_inner_transaction_leaves_the_repeating_to_the_outer_one() -> None:
    calls = []

    def inner() -> str:
        calls.append(1)
        if len(calls) == 1:
            raise OperationalError(1213, "deadlock")
        return "done"

    assert run_transaction(lambda: run_transaction(inner)) == "done"
    assert len(calls) == 2
