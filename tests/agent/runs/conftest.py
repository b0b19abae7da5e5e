"""A student with classes to plan, and the offline policy that plans them."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from agent.runs.execution.deps import shared_model
from schedules.services.demo import demo_load, demo_semester


@pytest.fixture
def planner(user: Any, settings: Any) -> Any:
    settings.AGENT_BACKEND = "offline"
    shared_model.cache_clear()
    demo_load(user=user, today=timezone.localdate(), semester=demo_semester(today=timezone.localdate()))
    yield user
    shared_model.cache_clear()
