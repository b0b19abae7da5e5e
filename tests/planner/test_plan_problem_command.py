"""`manage.py plan_problem`: documents in, documents out, equal bytes in every process."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.kits.planner.examples import example
from tests.kits.planner.strategies import random_document

ROOT = Path(__file__).resolve().parents[2]
PLAN_ONCE = """
import json, sys
from schedules.planner.codec import plan_to_json, problem_from_json
from schedules.planner.solver.rough_build import plan_with_bound
print(json.dumps(plan_to_json(plan_with_bound(problem_from_json(json.load(sys.stdin))))))
print(sorted(name for name in sys.modules if name.split(".")[0] in ("django", "random", "time_machine")))
"""


def run(command: list[str], *, stdin: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | variables
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True, check=False
    )


@pytest.fixture
def problem_file(tmp_path: Path) -> Path:
    path = tmp_path / "problem.json"
    path.write_text(json.dumps(example()), encoding="utf-8")
    return path


@pytest.mark.parametrize("options", [{}, {"exact": 10.0}])
def test_it_writes_the_plan_and_its_time(
    problem_file: Path, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    output = problem_file.with_name("plan.json")
    call_command("plan_problem", str(problem_file), output=str(output), **options)
    assert re.fullmatch(r"planner_ms=\d+\n", capsys.readouterr().err)
    assert json.loads(output.read_text())["cost"]["total"] == 65


def test_moves_are_counted_of_a_repair_only(problem_file: Path) -> None:
    with pytest.raises(CommandError, match="--max-moves takes a number from 0, and --keep"):
        call_command("plan_problem", str(problem_file), "--max-moves=3")


def test_it_tightens_the_bound_on_demand_and_leaves_the_plan_alone(problem_file: Path) -> None:
    output = problem_file.with_name("plan.json")
    call_command("plan_problem", str(problem_file), output=str(output))
    quick = json.loads(output.read_text())
    call_command("plan_problem", str(problem_file), output=str(output), bound=100)
    tight = json.loads(output.read_text())
    assert quick["bound"] < tight["bound"] <= 65
    assert tight["gap"] < quick["gap"]
    assert {**tight, "bound": 0, "gap": 0} == {**quick, "bound": 0, "gap": 0}


def test_it_repairs_a_plan_that_a_new_course_broke(problem_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = problem_file.with_name("plan.json")
    call_command("plan_problem", str(problem_file), output=str(output))
    before = {row["task_item_id"]: row for row in json.loads(output.read_text())["placements"]}
    hit = next(row for row in before.values() if row["embed_course_event_id"] is None)
    problem = json.loads(problem_file.read_text())
    course = {key: hit[key] for key in ("week", "day_of_week", "section_from", "section_to")}
    course |= {"event_id": 999, "name": "补课", "type": "course", "can_be_embedded": False, "guest_task_item_id": None}
    problem["occupied"].append(course)
    problem_file.write_text(json.dumps(problem))
    call_command("plan_problem", str(problem_file), keep=str(output), max_moves=1)
    repaired = json.loads(capsys.readouterr().out)
    after = {row["task_item_id"]: row for row in repaired["placements"]}
    assert [(move["task_item_id"], move["reason"]) for move in repaired["moves"]] == [(hit["task_item_id"], "occupied")]
    assert {item for item in before if before[item] != after.get(item)} == {hit["task_item_id"]}


def test_the_constructive_pass_can_be_had_alone(problem_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("plan_problem", str(problem_file), constructive=True)
    assert json.loads(capsys.readouterr().out)["cost"]["total"] >= 65


def test_without_the_exact_solver_it_says_how_to_get_it(problem_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(CommandError, match="needs OR-tools: pip install"):
        call_command("plan_problem", str(problem_file), exact=1.0)


def test_it_gives_equal_bytes_under_other_hash_seeds_and_needs_no_framework() -> None:
    text = json.dumps(random_document(11))
    outputs = {run(["-c", PLAN_ONCE], stdin=text, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")}
    assert len(outputs) == 1
    plan_line, modules_line = outputs.pop().splitlines()
    assert json.loads(plan_line)["version"] == 1
    assert json.loads(modules_line.replace("'", '"')) == []


def test_leftovers_are_no_error(problem_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document: dict[str, Any] = example()
    document["task_classes"][0]["excluded_slots"] = [1, 2, 3, 4, 5, 6]
    problem_file.write_text(json.dumps(document))
    call_command("plan_problem", str(problem_file))
    assert [left["rule"] for left in json.loads(capsys.readouterr().out)["unplaced"]] == ["excluded_block"] * 2


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 1}', ""])
def test_an_invalid_problem_is_refused_with_code_2(
    text: str, problem_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem_file.write_text(text)
    with pytest.raises(CommandError, match="invalid problem") as caught:
        call_command("plan_problem", str(problem_file))
    assert caught.value.returncode == 2
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    with pytest.raises(CommandError, match="invalid problem"):
        call_command("plan_problem", "-")


def damaged(change: str) -> bytes:
    good = json.dumps(example())
    return {
        "nan": good.replace('"weeks": 20', '"weeks": NaN').encode(),
        "infinite": (good[:-1] + ', "note": -Infinity}').encode(),
        "repeated key": (good[:-1] + ', "task_classes": []}').encode(),
        "deep": b"[" * 100_000,
        "long number": good.replace('"weeks": 20', '"weeks": ' + "2" * 5000).encode(),
        "other encoding": good.encode("utf-16"),
        "half a character": good.replace('"item 101"', '"\\ud800"').encode(),
        "negative sections": good.replace('"duration": 2', '"duration": -2').encode(),
        "huge": good.encode() + b" " * 2**24,
    }[change]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("nan", "NaN is not JSON"),
        ("infinite", "-Infinity is not JSON"),
        ("repeated key", "key 'task_classes' occurs twice in an object"),
        ("deep", "nested too deeply"),
        ("long number", "a number of 5000 digits"),
        ("other encoding", "codec can't decode"),
        ("half a character", r"task_classes\[0\]\.items\[0\]\.name: holds half of a character"),
        ("negative sections", r"task_classes\[0\]\.items\[0\]\.duration: must be between 1 and 4"),
        ("huge", "larger than 16 MiB"),
    ],
)
@pytest.mark.parametrize("command", ["plan_problem", "diagnose_plan"])
def test_a_damaged_document_is_refused_with_code_2_and_its_reason(
    command: str, change: str, said: str, problem_file: Path
) -> None:
    plan_file = problem_file.with_name("plan.json")
    plan_file.write_text('{"placements": []}')
    problem_file.write_bytes(damaged(change))
    arguments = [str(problem_file), *([str(plan_file)] if command == "diagnose_plan" else [])]
    with pytest.raises(CommandError, match=said) as caught:
        call_command(command, *arguments)
    assert caught.value.returncode == 2


@pytest.mark.parametrize(
    "options",
    [
        {"max_moves": -1},
        {"exact": 0.0},
        {"exact": float("nan")},
        {"bound": 0},
        {"bound": 9, "keep": "plan.json"},
        {"linear_bound": 0.0},
        {"linear_bound": 9.0, "keep": "plan.json"},
    ],
)
def test_an_option_outside_its_range_is_refused_with_code_2(problem_file: Path, options: dict[str, Any]) -> None:
    with pytest.raises(CommandError, match="--") as caught:
        call_command("plan_problem", str(problem_file), **options)
    assert caught.value.returncode == 2


def test_an_output_that_cannot_be_written_is_an_error_without_a_trace(problem_file: Path) -> None:
    with pytest.raises(CommandError, match=r"cannot write .*: Is a directory") as caught:
        call_command("plan_problem", str(problem_file), output=str(problem_file.parent))
    assert caught.value.returncode == 1


def test_the_process_exits_2_naming_the_field_without_any_database() -> None:
    done = run(["manage.py", "plan_problem", "-"], stdin='{"version": 1}', DATABASE_URL="sqlite:////nonexistent/no.db")
    assert (done.returncode, done.stdout) == (2, "")
    assert "semester" in done.stderr


@pytest.mark.parametrize("command", ["plan_problem", "diagnose_plan"])
def test_the_planner_starts_without_settings_and_apps(command: str, problem_file: Path) -> None:
    """Neither settings that cannot be read keep it from working, nor does it load what takes long."""
    plan_file = problem_file.with_name("plan.json")
    plan_file.write_text('{"placements": []}')
    documents = [str(problem_file), *([str(plan_file)] if command == "diagnose_plan" else [])]
    done = run(["-X", "importtime", "manage.py", command, *documents], stdin="", SMARTMATE_VAR="/dev/null/no")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "schedules.planner.codec" in loaded
    assert not loaded & {"smartmate.settings", "agent", "rest_framework", "pydantic", "openai", "django.db.models.base"}
