"""A backup of one installation goes on in another one, on whatever database: nothing is lost, questions stay open."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.db import connection

from agent.store import keys
from agent.store.connection import sync_client
from smartmate.upkeep import backup as upkeep
from smartmate.upkeep.backup import backup
from tests.kits.servers.server import Server
from tests.kits.servers.warm import ROOT
from tests.kits.suite.stores import SQLITE, copy_sqlite
from tests.kits.transports.students import Student
from tests.kits.waiting import until

WORDS = "有一条命令：备份。🙂 'quoted' \\ \u2028 end"
MORE = (
    f"WORDS = {WORDS!r}"
    + """
from django.contrib.auth.models import User
from agent.models import Conversation
from smartmate.accounts.roles import add_to_role
from taskclasses.models import TaskClass
user = User.objects.get(username="li")
TaskClass.objects.create(user=user, name="gone").delete()
for number in range(250):
    Conversation.objects.create(user=user, title=f"{number} " + WORDS)
TaskClass.objects.filter(user=user).update(created_at="2025-01-02T03:04:05.678901Z")
add_to_role(User.objects.create_user("helper", password="helper helps"), "support")
"""
)

NEXT = """
from taskclasses.models import TaskClass
print(TaskClass.objects.create(user_id=1, name="next").pk)
"""


def open_card(student: Student) -> tuple[str, dict[str, Any]]:
    """A conversation that waits for consent to a move, and its state."""
    answer, _ = student.chat("把概率论期中复习排进课表")
    conversation_id = answer.headers["x-conversation-id"]
    entries = student.data("/agent/schedule-preview", conversation_id=conversation_id)["hybrid_entries"]
    item = [entry for entry in entries if entry["status"] == "suggested"][-1]
    student.chat(f"把「{item['name']}」挪到别的时间", conversation_id=conversation_id)
    state = student.data(f"/agent/conversations/{conversation_id}/state")
    if state["interaction"]["type"] == "ask_user":
        resume = {"interaction_id": state["interaction"]["interaction_id"], "type": "ask_user", "action": "reply"}
        student.chat("1", conversation_id=conversation_id, extra={"resume": resume})
        state = student.data(f"/agent/conversations/{conversation_id}/state")
    assert state["interaction"]["type"] == "confirm"
    return conversation_id, state


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An installation on SQLite, whatever the tests run on."""
    folder = tmp_path_factory.mktemp("old")
    server = Server(folder, AGENT_BACKEND="offline", DATABASE_URL="")
    if not (folder / SQLITE).exists():
        copy_sqlite(folder / SQLITE)
    yield server.start()
    server.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An empty installation, on MariaDB where there is one. It has not been started."""
    server = Server(tmp_path_factory.mktemp("fresh"), AGENT_BACKEND="offline")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def left(old: Server) -> tuple[Student, str, dict[str, Any], Path]:
    """A student with an open card, what was seen last, and the backup that was made while the server ran."""
    student = Student(old, "li", old.account("li"))
    conversation_id, state = open_card(student)
    old.manage("shell", "-v0", "-c", MORE)
    path = old.folder / "backup.gz"
    assert f"{path}: " in old.manage("backup", str(path)).stdout
    return student, conversation_id, state, path


def rows(path: Path) -> list[str]:
    """What a backup holds, without the time at which it was made: databases differ in the order of their keys."""
    head, *lines = (json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines())
    found, table = [json.dumps(head["migrations"])], ""
    for line in lines:
        table = line.get("table", "") if isinstance(line, dict) else table
        found.append(f"{table} {json.dumps(line, sort_keys=True)}")
    return sorted(found)


@pytest.fixture
def empty(transactional_db: None) -> None:
    """The tests' own database is an empty installation, once Redis holds nothing of other tests."""
    for pattern in ("smartmate:run:*", keys.state("*", "*")):
        for key in sync_client().scan_iter(match=pattern):
            sync_client().delete(key)


def refused(path: Path) -> str:
    with pytest.raises(CommandError) as refusal:
        call_command("restore", str(path))
    return str(refusal.value)


def test_files_that_are_not_whole_or_of_another_version_are_refused(left: Any, empty: None, tmp_path: Path) -> None:
    path = left[3]
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    head = json.loads(lines[0])
    later = {**head, "migrations": [*head["migrations"], ["agent", "9999_new"]]}
    files = {
        "damaged or not whole": (lines[:-1], [*lines[:-20], *lines[-19:]], [*lines[:900], *lines[901:]]),
        "no backup of SmartMate": ([b"{}\n"], [], [b"[]\n"]),
        "has version 2": ([json.dumps({**head, "version": 2}).encode() + b"\n", *lines[1:]],),
        "is applied there alone": ([json.dumps(later).encode() + b"\n"],),
    }
    for words, contents in files.items():
        for content in contents:
            (tmp_path / "one.gz").write_bytes(gzip.compress(b"".join(content)))
            assert words in refused(tmp_path / "one.gz")
    (tmp_path / "cut.gz").write_bytes(path.read_bytes()[:-2000])
    (tmp_path / "plain.gz").write_bytes(b"no gzip")
    sound = path.read_bytes()
    (tmp_path / "sum.gz").write_bytes(sound[:-8] + bytes([sound[-8] ^ 1]) + sound[-7:])
    (tmp_path / "more.gz").write_bytes(sound + gzip.compress(b"[]\n"))
    for name in ("cut.gz", "plain.gz", "sum.gz", "more.gz"):
        assert "damaged or not whole" in refused(tmp_path / name)
    assert "No such file" in refused(tmp_path / "none.gz")
    assert not get_user_model().objects.exists()
    assert Group.objects.exists()


def test_an_installation_that_has_something_is_left_alone(left: Any, empty: None, user: Any) -> None:
    assert "not empty: auth.User has rows" in refused(left[3])
    get_user_model().objects.all().delete()
    sync_client().set(keys.meta("r"), "1", ex=60)
    assert "Redis holds the logs of runs" in refused(left[3])
    sync_client().delete(keys.meta("r"))
    sync_client().set(keys.state(1, "c"), "1", ex=60)
    assert "Redis holds states of conversations" in refused(left[3])
    sync_client().delete(keys.state(1, "c"))


def test_a_student_goes_on_with_an_open_card_in_another_installation(left: Any, fresh: Server, tmp_path: Path) -> None:
    there, conversation_id, before, path = left
    preview = there.data("/agent/schedule-preview", conversation_id=conversation_id)
    assert "rows restored" in fresh.manage("restore", str(path)).stdout
    again = tmp_path / "again.gz"
    fresh.manage("backup", str(again))
    assert rows(again) == rows(path)
    fresh.start()
    student = Student(fresh, "li", there.password)
    after = student.data(f"/agent/conversations/{conversation_id}/state")
    assert (after["interaction"], after["revision"]) == (before["interaction"], before["revision"])
    held = student.data("/agent/schedule-preview", conversation_id=conversation_id)
    assert held["hybrid_entries"] == preview["hybrid_entries"]
    card = after["interaction"]
    resume = {"interaction_id": card["interaction_id"], "type": "confirm", "action": "approve"}
    answer, frames = student.chat("", conversation_id=conversation_id, extra={"resume": resume})
    assert (answer.status_code, frames[-1].data) == (200, None)
    assert fresh.manage("shell", "-v0", "-c", NEXT).stdout == there.server.manage("shell", "-v0", "-c", NEXT).stdout
    ended = [
        event["data"] for event in student.poll_all(answer.headers["x-run-id"]) if event["type"] == "update_action"
    ]
    assert [tool["changes"] for tool in ended if tool["changes"]] == [card["changes"]]
    assert student.data(f"/agent/conversations/{conversation_id}/state")["revision"] == before["revision"] + 1
    timeline = [item["content"] for item in there.data(f"/agent/conversations/{conversation_id}/timeline")["items"]]
    told = [item["content"] for item in student.data(f"/agent/conversations/{conversation_id}/timeline")["items"]]
    assert told[: len(timeline)] == timeline


def test_a_backup_overwrites_nothing_and_is_nobody_elses(left: Any, empty: None, tmp_path: Path) -> None:
    path = left[3]
    assert path.stat().st_mode & 0o777 == 0o600
    before = path.read_bytes()
    for taken in (path, tmp_path / "none" / "b.gz"):
        with pytest.raises(CommandError, match=r"exists|No such"):
            call_command("backup", str(taken))
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.part"))


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_of_one_moment_and_holds_up_no_writer(user: Any, tmp_path: Path) -> None:
    made = backup(tmp_path / "b.gz")
    next(made)
    thread = threading.Thread(target=_rename_user)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
    assert dict(made)["auth.User"] == 1
    assert get_user_model().objects.get().username == "late"
    assert not [row for row in rows(tmp_path / "b.gz") if '"late"' in row]


@pytest.mark.django_db(transaction=True)
def test_of_two_backups_into_one_file_the_first_is_whole(user: Any, tmp_path: Path) -> None:
    """As when cron begins a second one before the first has ended."""
    path = tmp_path / "b.gz"
    first = backup(path)
    next(first)
    with pytest.raises(CommandError, match="another process is writing it"):
        call_command("backup", str(path))
    assert not path.exists()
    list(first)
    assert gzip.decompress(path.read_bytes()).splitlines()[-1].startswith(b'{"end":')
    assert [file.name for file in tmp_path.iterdir()] == ["b.gz"]


@pytest.mark.django_db(transaction=True)
def test_what_a_dead_backup_left_is_overwritten_and_read_by_nobody_else(user: Any, tmp_path: Path) -> None:
    left = tmp_path / "b.gz.part"
    left.write_bytes(b"x" * 10_000_000)
    left.chmod(0o644)
    call_command("backup", str(tmp_path / "b.gz"))
    assert (tmp_path / "b.gz").stat().st_mode & 0o777 == 0o600
    assert gzip.decompress((tmp_path / "b.gz").read_bytes()).splitlines()[-1].startswith(b'{"end":')
    assert not left.exists()


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_written_into_no_file_of_somebody_else(
    user: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where others may write too, and have put a file or a link where it begins."""
    part, other = tmp_path / "b.gz.part", tmp_path / "other"
    other.write_text("as it was")
    part.symlink_to(other)
    with pytest.raises(CommandError, match=r"b\.gz"):
        call_command("backup", str(tmp_path / "b.gz"))
    assert other.read_text() == "as it was"
    part.unlink()
    part.write_text("as it was")
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    with pytest.raises(CommandError, match="is somebody else's"):
        call_command("backup", str(tmp_path / "b.gz"))
    assert part.read_text() == "as it was"


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_ended_since_another_began_is_not_overwritten(
    user: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.gz"

    def opened_late(part: Path) -> Any:
        path.write_bytes(b"whole")
        return own(part)

    own = upkeep._own
    monkeypatch.setattr(upkeep, "_own", opened_late)
    with pytest.raises(CommandError, match="exists"):
        call_command("backup", str(path))
    assert path.read_bytes() == b"whole"
    assert not path.with_name("b.gz.part").exists()


MANY = """
from django.contrib.auth.models import User
from agent.models import Conversation
user = User.objects.create_user("li")
Conversation.objects.bulk_create(Conversation(user=user, title=str(number)) for number in range(60_000))
"""


@pytest.mark.storeless  # the command has stores of its own
def test_a_backup_that_is_told_to_end_leaves_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.manage("shell", "-v0", "-c", MANY)
    command = [sys.executable, "manage.py", "backup", str(tmp_path / "b.gz")]
    with subprocess.Popen(command, cwd=ROOT, env=server.environment) as process:
        until(lambda: (tmp_path / "b.gz.part").exists())
        process.terminate()
    assert process.returncode == 143
    assert not list(tmp_path.glob("b.gz*"))


def _rename_user() -> None:
    get_user_model().objects.update(username="late")
    connection.close()
