"""Web processes, workers, MariaDB and Redis are killed and rolled over at random points under students at work.

Every run ends, a reader with Last-Event-ID sees each event once, what was accepted has one effect, every question can
be answered. The seed is logged: the same one ends the same pieces in the same order.
"""

from __future__ import annotations

import json
import logging
import random
import secrets
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tests.kits.budgets import KIND
from tests.kits.faults.daemons import QUICK, Daemon
from tests.kits.faults.fleet import Fleet
from tests.kits.faults.tireless import Tireless
from tests.kits.servers.server import Server, free_port
from tests.kits.waiting import until

STUDENTS, BREAKS = (20, 60) if KIND == "long" else (4, 5)
SEED = random.randrange(10**6) if KIND == "long" else 20
CLASS = "新建任务类「{}」，第3周到第5周，共2节，内容：集合、图"
PAUSE_S = 0.5
UNDER_WAY = "from agent.models import Run; print(Run.objects.filter(status__in=('queued', 'running')).count())"
OPEN = """
import json
from agent.models import PendingInteraction
rows = PendingInteraction.objects.filter(open_for__isnull=False).select_related("conversation__user")
print(json.dumps([[row.conversation.user.username, str(row.conversation_id)] for row in rows]))
"""
EFFECTS = """
import json
from django.contrib.auth.models import User
from schedules.models import AppliedBatch
from taskclasses.models import TaskClass
found = {}
for user in User.objects.all():
    names = list(TaskClass.objects.filter(user=user, name__startswith="练习").values_list("name", flat=True))
    batches = AppliedBatch.objects.filter(user=user, source="schedule-apply")
    found[user.username] = {"classes": sorted(names), "batches": sorted(batches.values_list("id", flat=True))}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def lasting_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A Redis that has on disk whatever it has acknowledged."""
    port, folder = free_port(), tmp_path_factory.mktemp("redis")
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
    daemon = Daemon([*command, "--appendonly", "yes", "--appendfsync", "always"], port=port).start()
    yield daemon
    daemon.kill()


@pytest.fixture(scope="module")
def fleet(
    mariadb: tuple[Daemon, str], lasting_redis: Daemon, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    redis_url = f"redis://127.0.0.1:{lasting_redis.port}/0"
    stores = {"DATABASE_URL": mariadb[1], "REDIS_URL": redis_url, "SECRET_KEY": secrets.token_hex(32)}
    settings = {**stores, "AGENT_BACKEND": "offline", "AGENT_RUN_IN_WEB": "false", **QUICK}
    webs = [Server(tmp_path_factory.mktemp("web"), **settings).start() for _ in range(2)]
    fleet = Fleet(webs, mariadb=mariadb[0], redis=lasting_redis)
    yield fleet
    fleet.stop()
    for web in webs:
        web.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def students(fleet: Fleet) -> list[Tireless]:
    names = [f"student{number}" for number in range(STUDENTS)]
    return [Tireless(fleet.webs, name, fleet.webs[0].account(name)) for name in names]


class Work:
    """What one student does over and over, and what was accepted of it. A run that failed is followed by another."""

    def __init__(self, student: Tireless) -> None:
        self.student = student
        self.wanted: list[str] = []
        self.batches: list[int] = []
        listed = student.data("GET", "/task-class")["list"]
        self.task_class = min(row["id"] for row in listed)

    def until_told(self, enough: threading.Event) -> Work:
        while not enough.is_set() or not self.batches or not self.made_one():
            self.make_a_class()
            self.plan_apply_and_undo()
        return self

    def make_a_class(self) -> None:
        """By words, with a card that the student approves."""
        self.wanted.append(f"练习{len(self.wanted)}")
        self.student.settle(self.student.talk(CLASS.format(self.wanted[-1])))

    def made_one(self) -> bool:
        """Whether a class by words got through: on a slow machine every run may have been cut short so far."""
        listed = self.student.data("GET", "/task-class?page=1&page_size=100")["list"]
        return any(row["name"] in self.wanted for row in listed)

    def plan_apply_and_undo(self) -> None:
        student = self.student
        conversation_id = student.talk("帮我排一下", task_class_ids=[self.task_class], always_execute=True)
        student.settle(conversation_id)
        answer = student.ask("POST", "/agent/schedule-apply", json={"conversation_id": conversation_id})
        if answer.status_code == 200 and answer.json()["data"]["batch_id"]:
            self.batches.append(answer.json()["data"]["batch_id"])
            student.data("POST", f"/schedule/batches/{self.batches[-1]}/undo")
        else:
            assert answer.status_code == 200 or answer.json()["status"] == "40058", answer.text


@pytest.fixture(scope="module")
def done(fleet: Fleet, students: list[Tireless]) -> dict[str, Work]:
    """The work of all students while the pieces of their deployment were broken one after the other."""
    logging.getLogger(__name__).warning("seed %d", SEED)
    choice, enough = random.Random(SEED), threading.Event()
    with ThreadPoolExecutor(STUDENTS) as pool:
        working = [pool.submit(Work(student).until_told, enough) for student in students]
        try:
            for piece in _pieces(choice):
                _wait_a_little(choice, working)
                fleet.replace(piece, choice)
        finally:
            enough.set()
        return {work.student.username: work for work in (future.result() for future in working)}


def _pieces(choice: random.Random) -> list[str]:
    """What is ended, in random order; every piece as often as the others."""
    rounds = [choice.sample(Fleet.PIECES, len(Fleet.PIECES)) for _ in range(BREAKS // len(Fleet.PIECES))]
    return [piece for pieces in rounds for piece in pieces]


def _wait_a_little(choice: random.Random, working: list[Future[Work]]) -> None:
    time.sleep(choice.uniform(0, 2 * PAUSE_S))
    for future in working:
        if future.done():
            future.result()  # raises what ended a student's work too early


def test_every_run_ends(fleet: Fleet, done: dict[str, Work]) -> None:
    until(lambda: fleet.manage("shell", "-v0", "-c", UNDER_WAY).stdout.strip() == "0")


def test_what_was_accepted_has_one_effect(fleet: Fleet, done: dict[str, Work]) -> None:
    found = json.loads(fleet.manage("shell", "-v0", "-c", EFFECTS).stdout.splitlines()[-1])
    for name, work in done.items():
        assert found[name]["batches"] == sorted(work.batches)
        classes = found[name]["classes"]
        assert len(set(classes)) == len(classes), f"{name}: {classes}"
        assert set(classes) <= set(work.wanted)
        assert classes, f"{name} did not get through once"


def test_no_question_is_left_that_cannot_be_answered(
    fleet: Fleet, students: list[Tireless], done: dict[str, Work]
) -> None:
    by_name = {student.username: student for student in students}
    for username, conversation_id in json.loads(fleet.manage("shell", "-v0", "-c", OPEN).stdout.splitlines()[-1]):
        by_name[username].settle(conversation_id, agree=False)
    assert json.loads(fleet.manage("shell", "-v0", "-c", OPEN).stdout.splitlines()[-1]) == []


def test_the_timetable_is_sound(fleet: Fleet, done: dict[str, Work]) -> None:
    assert fleet.manage("check_timetable").stdout.splitlines()[-1] == "sound"


def test_every_recording_plays_again(fleet: Fleet, done: dict[str, Work]) -> None:
    assert fleet.webs[0].prove_replays()
