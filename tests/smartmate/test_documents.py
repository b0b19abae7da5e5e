"""The documents keep their word: every setting is listed, the planner commands of the README run as written."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.rows import CourseRow
from taskclasses.kernel.errors import CODES
from tests.kits.servers.server import COMMANDS
from tests.kits.servers.warm import ROOT

SETTINGS = (ROOT / "smartmate/settings.py").read_text(encoding="utf-8")
WEB = (ROOT / "agent/outbound/setup.py").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.storeless
def test_every_setting_is_documented() -> None:
    read = {*re.findall(r'env\.\w+\(\s*"(\w+)"', SETTINGS), *re.findall(r'settings\.get\("(\w+)"', WEB)}
    listed = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs/deployment.md").read_text(encoding="utf-8")))
    assert len(read) > 15
    assert read <= listed


@pytest.mark.storeless
def test_every_code_is_documented_with_its_status_and_name() -> None:
    listed: dict[int, tuple[int, str]] = {}
    for line in (ROOT / "docs/reference/wire.md").read_text(encoding="utf-8").splitlines():
        if row := re.match(r"\| ([\d, ]+) \| (\d{3}) \| ([\w, ]+) \|", line):
            codes, names = row[1].split(", "), row[3].split(", ")
            listed |= {int(code): (int(row[2]), name) for code, name in zip(codes, names, strict=True)}
    del listed[10000]
    assert listed == {code: (known.http, known.name) for code, known in CODES.items()}


def test_an_empty_value_in_the_environment_means_the_default(tmp_path: Path) -> None:
    empty = dict.fromkeys(("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"), "")
    show = "from django.conf import settings; print(settings.DATABASES['default']['NAME'], bool(settings.REDIS_URL))"
    environment = {**os.environ, **empty, "SMARTMATE_VAR": str(tmp_path)}
    done = COMMANDS.run(["manage.py", "shell", "-v", "0", "-c", show], env=environment)
    assert done.stdout.split() == [str(tmp_path / "smartmate.sqlite3"), "False"]


@pytest.mark.storeless
def test_what_is_deployed_serves_as_what_is_tested() -> None:
    """One way to start a server, in which uvicorn chooses how it speaks over sockets, as it does for the tests."""
    files = [
        "docs/deployment.md",
        "script/serve",
        "deploy/systemd/smartmate-web@.service",
        "deploy/container/Containerfile",
    ]
    texts = [(ROOT / name).read_text(encoding="utf-8").replace("\\\n", "").replace('", "', " ") for name in files]
    started = [line for text in texts for line in text.splitlines() if "smartmate.asgi:application" in line]
    options = {tuple(re.findall(r"--(?!host|port)[\w-]+(?: \w+)?", line)) for line in started}
    assert len(started) == 5
    assert options == {
        (
            "--loop uvloop",
            "--http httptools",
            "--timeout-graceful-shutdown 20",
            "--no-server-header",
            "--no-proxy-headers",
        )
    }


@pytest.mark.storeless
def test_a_unit_keeps_to_the_release_it_began_with() -> None:
    """What a process names by `current` would be that of the next release once it is rolled out."""
    for unit in (ROOT / "deploy/systemd").glob("*.service"):
        rows = unit.read_text(encoding="utf-8").splitlines()
        assert "WorkingDirectory=/srv/smartmate/current" in rows, unit.name
        (started,) = (row for row in rows if row.startswith("ExecStart="))
        assert started.startswith("ExecStart=/bin/sh -c 'exec .venv/bin/"), unit.name


@pytest.mark.storeless
def test_containers_get_every_setting_from_a_file_that_stays_outside() -> None:
    folder = ROOT / "deploy/container"
    services = yaml.safe_load((folder / "compose.yaml").read_text(encoding="utf-8"))["services"]
    ours = {name: service for name, service in services.items() if service["image"] == "smartmate"}
    assert set(ours) == {"migrate", "web", "worker"}
    assert {(folder / service["env_file"]).resolve() for service in ours.values()} == {ROOT / "smartmate.env"}
    assert "smartmate.env" in (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert "/smartmate.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


def planner_commands() -> list[str]:
    section = README.partition("## The planner by itself")[2].partition("\n## ")[0]
    return re.findall(r"^    \.venv/bin/python manage\.py (.+?)(?:  +#.*)?$", section, re.MULTILINE)


@pytest.mark.storeless
def test_the_planner_commands_of_the_readme_run(tmp_path: Path) -> None:
    commands = planner_commands()
    assert len(commands) == 4
    for command in commands:
        arguments = [one.replace("docs/", f"{ROOT}/docs/") for one in shlex.split(command)]
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, command + done.stderr
    assert (tmp_path / "plan.json").exists()


@pytest.mark.django_db
def test_the_sample_courses_are_understood(semester: Any) -> None:
    document = json.loads((ROOT / "docs/examples/courses.json").read_text(encoding="utf-8"))
    rows = list(rows_of_document(document, semester.calendar.grid))
    assert [len(row.weeks) for row in rows if isinstance(row, CourseRow)] == [8, 16, 3]
    assert len(rows) == 3
