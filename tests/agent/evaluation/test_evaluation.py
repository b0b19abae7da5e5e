"""The evaluation: jobs as data, ends checked by rules, played by the offline policy and by a scripted model."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from agent.evaluation.checks import CHECKS, Ended, misses
from agent.evaluation.jobs import chosen_jobs, read_jobs
from agent.evaluation.play import play_job
from agent.evaluation.report import report_of, to_html
from agent.loop.events import ToolFinished, ToolStarted
from agent.runs.execution.deps import shared_model
from agent.runs.recording.choices import choices_of
from tests.kits.provider.openai_server import OpenAIServer, decision

KINDS = {
    "first_plan",
    "change",
    "class_from_a_sentence",
    "question",
    "refusal",
    "unplaced",
    "wish",
    "injection",
    "long_run",
}


@pytest.fixture
def backend(settings: Any) -> Iterator[Any]:
    shared_model.cache_clear()
    yield settings
    shared_model.cache_clear()


def test_there_are_sixty_jobs_of_every_kind_in_both_languages() -> None:
    jobs = read_jobs()
    assert len(jobs) >= 60
    assert len({job.name for job in jobs}) == len(jobs)
    for language in ("zh", "en"):
        assert {job.kind for job in jobs if job.language == language} == KINDS
    assert {check.split()[0] for job in jobs for check in job.checks} <= CHECKS.keys()
    assert min(Counter(job.kind for job in jobs).values()) >= 3


def test_a_check_that_does_not_hold_is_named() -> None:
    nothing = Ended(0, None, None, "", ("move",))
    wanted = ["placed x", "better", "at x d1", "in x", "moved x", "kept x", "unwritten", "answered", "says x"]
    assert misses(wanted, nothing) == wanted


JOBS = "zh:first_plan:1,en:change:1,zh:class_from_a_sentence:4,en:question:3,zh:wish:1,en:injection:1"
JOBS += ",zh:long_run:3,en:long_run:2"


@pytest.mark.django_db(transaction=True)
def test_the_offline_policy_passes_its_jobs_and_leaves_no_account_behind(backend: Any, tmp_path: Path) -> None:
    told = io.StringIO()
    backend.AGENT_BACKEND = "offline"
    call_command("evaluate_model", backend=None, jobs=JOBS, parallel=2, out=str(tmp_path / "found"), stdout=told)
    report = json.loads((tmp_path / "found.json").read_text(encoding="utf8"))
    assert report["figures"]["passed"] == report["figures"]["jobs"] == 8
    assert (report["figures"]["choices"], report["figures"]["mean_regret"]) == (2, 0.0)
    assert report["figures"]["unconfirmed_writes"] == 0
    assert "success: 1.0" in told.getvalue()
    assert "Failures: 0" in (tmp_path / "found.html").read_text(encoding="utf8")
    assert not User.objects.filter(username__startswith="evaluation-").exists()


@pytest.mark.django_db(transaction=True)
async def test_a_model_that_fails_a_job_is_shown_with_its_conversation(backend: Any) -> None:
    backend.AGENT_BACKEND, backend.OPENAI_MODEL, backend.OPENAI_API_KEY = "openai", "scripted", "k"
    with OpenAIServer() as server:
        backend.OPENAI_BASE_URL = server.base_url
        server.fallback = lambda body: decision({"route": "direct_reply", "speak": "<b>周三上午</b>没有安排。"})
        asked, wished = chosen_jobs("zh:question:1,zh:wish:1")
        played = [await play_job(job, today=timezone.localdate()) for job in (asked, wished)]
    report = report_of("scripted", played)
    assert [one.passed for one in played] == [True, False]
    assert played[1].missed == ["wish blocks_a_day 2"]
    assert (report["figures"]["unconfirmed_writes"], report["figures"]["prompt_tokens"]) == (0, 200)
    page = to_html(report)
    assert "&lt;b&gt;周三上午" in page
    assert "zh:wish:1: wish blocks_a_day 2" in page


PLACE = {"stage": "execute", "block_id": "execute.tool.1", "call_id": "c", "summary": "", "arguments_preview": ""}


def step(**arguments: int) -> ToolStarted:
    return ToolStarted(**PLACE, name="move", arguments=arguments)


def test_the_regret_of_a_choice_is_what_the_best_would_have_saved_more() -> None:
    rows = [
        {"candidate_id": f"move_{task}", "tool": "move", "arguments": {"task_id": task}, "score": score}
        for task, score in ((1, 90), (2, 40))
    ]
    view = {"expanded": {"machine_payload": {"decision": {"candidates": [*rows, {"tool": "", "score": 0}]}}}}
    checked = ToolFinished(**PLACE, name="analyze_health", status="done", success=True, result_view=view)
    found = choices_of([checked, step(task_id=2), checked, step(task_id=1), step(task_id=1), checked, step(task_id=9)])
    assert [(row["chosen"], row["regret"]) for row in found] == [("move_2", 50), ("move_1", 0), ("", None)]
    assert [row["score"] for row in found[0]["offered"]] == [90, 40]
    assert [row["regret"] for row in choices_of([step(task_id=2)], {"decision": {"candidates": rows}})] == [50]
    assert choices_of([step(task_id=2)], {"stale": True, "decision": {"candidates": rows}}) == []
