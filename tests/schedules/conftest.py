"""A student with courses and classes in the semester of the documents' examples."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from smartmate.accounts.tokens import token_create
from tests.kits.timetable.fixtures import courses, task_class
from tests.kits.timetable.helpers import Api

__all__ = ["courses", "task_class"]


@pytest.fixture
def api(user: Any) -> Api:
    return Api(Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"}))


@pytest.fixture
def other_api(other_user: Any) -> Api:
    return Api(Client(headers={"Authorization": f"Bearer {token_create(user=other_user)[1]}"}))


@pytest.fixture
def dumps() -> Any:
    return json.dumps
