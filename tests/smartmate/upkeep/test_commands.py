"""Commands refuse what they cannot do, in a sentence, and their documents name all that they do."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db.models import UniqueConstraint

from schedules.models import Semester
from smartmate.upkeep.backup import FORMAT, VERSION
from smartmate.upkeep.pruning import KINDS
from tests.kits.servers.server import COMMANDS
from tests.kits.servers.warm import ROOT


@pytest.mark.storeless
def test_each_kind_that_is_pruned_is_documented() -> None:
    section = (ROOT / "docs/deployment.md").read_text(encoding="utf-8").partition("## Pruning")[2].partition("\n## ")[0]
    named = {
        name for row in section.splitlines() if row.startswith("| ") for name in row.split("|")[1].strip().split(", ")
    }
    assert {kind.name for kind in KINDS} <= named


@pytest.mark.parametrize("username", ["", "a b", "<b>", "x" * 151])
def test_a_demo_account_has_a_name_that_can_sign_in(db: Any, username: str) -> None:
    with pytest.raises(CommandError, match="--username: "):
        call_command("seed_demo", username=username)
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("first", "told"),
    [("0001-01-01", "1970 to 2100"), ("9999-12-27", "1970 to 2100"), ("2026-11-29", "not a Monday")],
)
def test_a_demo_term_that_cannot_be_leaves_nothing_behind(db: Any, first: str, told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("seed_demo", first_monday=date.fromisoformat(first))
    assert not User.objects.exists()
    assert not Semester.objects.exists()


@pytest.mark.storeless
@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", r"no such table: \w+; `manage.py migrate` makes its tables"),
        ("mysql://smartmate:hidden@127.0.0.1:1/smartmate", "Can't connect to .*"),
    ],
)
def test_a_database_that_is_away_or_has_no_tables_is_told_in_a_line(tmp_path: Path, url: str, told: str) -> None:
    environment = {**os.environ, "SMARTMATE_VAR": str(tmp_path), "DATABASE_URL": url}
    done = subprocess.run(
        [sys.executable, "manage.py", "prune"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert re.fullmatch(rf"CommandError: the database: {told}\n", done.stderr), done.stderr


@pytest.mark.storeless
def test_jobs_that_are_none_are_told_with_those_there_are() -> None:
    with pytest.raises(CommandError, match="the kinds are: change, class_from_a_sentence, "):
        call_command("evaluate_model", jobs="nothing")


@pytest.mark.storeless
def test_the_check_of_a_database_tells_of_its_collation_only() -> None:
    """Django's word about constraints that MariaDB does not make is silenced: none of ours may be one."""
    ours = [
        model
        for app in ("smartmate", "agent", "schedules", "taskclasses")
        for model in apps.get_app_config(app).get_models()
    ]
    constraints = [one for model in ours for one in model._meta.constraints if isinstance(one, UniqueConstraint)]
    assert constraints
    assert [one.name for one in constraints if one.condition] == []


def test_a_backup_waits_for_the_tables(tmp_path: Path) -> None:
    head = {"format": FORMAT, "version": VERSION, "migrations": [["agent", "0001_initial"]]}
    (tmp_path / "one.gz").write_bytes(gzip.compress(json.dumps(head).encode() + b"\n"))
    bare = {**os.environ, "SMARTMATE_VAR": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""}
    done = COMMANDS.run(["manage.py", "restore", str(tmp_path / "one.gz")], env=bare)
    assert done.returncode == 1
    assert "there are no tables yet: run migrate first" in done.stderr


@pytest.mark.storeless
def test_a_terminal_without_chinese_characters_breaks_no_command() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", "print('课程', 3)"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "?? 3\n"), done.stderr


@pytest.mark.storeless
def test_a_command_that_is_interrupted_says_so_in_a_line(tmp_path: Path) -> None:
    with begun(tmp_path, "import time; print('begun', flush=True); time.sleep(60)") as command:
        assert command.stdout.readline() == "begun\n"
        command.send_signal(signal.SIGINT)
        assert command.communicate(timeout=60) == ("", "interrupted\n")
    assert command.returncode == 130


@pytest.mark.storeless
def test_a_command_whose_reader_left_ends_in_silence(tmp_path: Path) -> None:
    with begun(tmp_path, "while True: print('a line')") as command:
        assert command.stdout.readline() == "a line\n"
        command.stdout.close()
        assert command.stderr.read() == ""
    assert command.returncode == 141


def begun(folder: Path, script: str) -> Any:
    """A command that is at work."""
    pipe = subprocess.PIPE
    words = [sys.executable, "manage.py", "shell", "--no-imports", "-c", script]
    environment = {**os.environ, "SMARTMATE_VAR": str(folder), "DATABASE_URL": ""}
    return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)
