"""Settings that no run could work with are named at start, and a run under them ends with the model's code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from agent.checks import agent_settings_check
from agent.models import Run
from agent.runs import run_execute
from agent.runs.execution.deps import shared_model
from agent.runs.executor import Executor
from agent.runs.start import append_opening
from agent.store.threads import in_thread

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def unknown_backend(settings: Any) -> Any:
    settings.AGENT_BACKEND = "magic"
    shared_model.cache_clear()
    yield
    shared_model.cache_clear()


def test_the_settings_of_the_suite_pass() -> None:
    assert agent_settings_check() == []


def test_an_unknown_backend_stops_every_command(unknown_backend: None) -> None:
    with pytest.raises(SystemCheckError, match="AGENT_BACKEND is none of auto, openai, offline"):
        call_command("check")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("AGENT_LIMIT_ROUNDS", "many", "AGENT_LIMIT_ROUNDS is not a number"),
        ("AGENT_LIMIT_ROUNDS", "-1", "AGENT_LIMIT_ROUNDS is not a number from 0 on"),
        ("AGENT_LIMIT_RUN_S", "nan", "AGENT_LIMIT_RUN_S is not a number from 0 on"),
        ("WEB_SEARCH_PROVIDER", "altavista", "WEB_SEARCH_PROVIDER is none of none, searxng, bocha"),
        ("WEB_SEARCH_PROVIDER", "SearXNG", "WEB_SEARCH_PROVIDER is searxng, and WEB_SEARCH_URL is not set"),
        ("WEB_SEARCH_PROVIDER", "bocha", "WEB_SEARCH_PROVIDER is bocha, and WEB_SEARCH_API_KEY is not set"),
        ("WEB_FETCH_ENABLED", "flase", "WEB_FETCH_ENABLED is neither on nor off"),
        ("AGENT_CHAT_TEMPERATURE", "warm", "AGENT_CHAT_TEMPERATURE is not a number"),
        ("AGENT_CHAT_MAX_TOKENS", "inf", "AGENT_CHAT_MAX_TOKENS is not a number from 0 on"),
        ("AGENT_PLAN_DEADLINE", "-5", "AGENT_PLAN_DEADLINE is not a number from 0 on"),
        ("AGENT_MODEL_PROFILES", "{", "AGENT_MODEL_PROFILES is not JSON"),
        ("AGENT_MODEL_PROFILES", "[]", "AGENT_MODEL_PROFILES is not an object"),
    ],
)
def test_a_value_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    assert [(error.id, error.msg) for error in agent_settings_check()] == [("agent.E001", said)]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("AGENT_LIMIT_ROUND", "AGENT_LIMIT_ROUND is no setting and is ignored; is AGENT_LIMIT_ROUNDS meant?"),
        ("AGENT_LIMIT_STAGES", "AGENT_LIMIT_STAGES is no setting and is ignored"),
        ("AGENT_PLAN_TEMP", "AGENT_PLAN_TEMP is no setting and is ignored"),
        ("AGENT_LEASES_S", "AGENT_LEASES_S is no setting and is ignored; is AGENT_LEASE_S meant?"),
    ],
)
def test_a_name_that_is_mistyped_is_told(monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    monkeypatch.setenv(name, "7")
    monkeypatch.setenv("AGENT_BUILDDIRECTORY", "/somebody/elses")
    monkeypatch.setenv("AGENT_LIMIT_WEB_BYTES", "1000")
    assert [(warning.id, warning.msg) for warning in agent_settings_check()] == [("agent.W001", said)]


async def test_a_run_under_an_unknown_backend_ends_with_the_models_code(
    unknown_backend: None, ask: Callable[..., Any]
) -> None:
    run = (await in_thread(ask)("你好")).run
    await append_opening(run)
    executor = Executor()
    executor.start()
    await run_execute(run.pk, owner=executor.owner)
    await executor.stop()
    ended = await in_thread(Run.objects.get)(pk=run.pk)
    assert (ended.status, ended.outcome_code, ended.error_code) == ("failed", "llm_unavailable", "50001")
