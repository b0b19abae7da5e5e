"""Fixtures that every part of the suite shares: accounts, the semester, a real server over a real socket."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kits.budgets import load_profile
from tests.kits.provider.openai_server import OpenAIServer
from tests.kits.servers.authorities import read_authorities_once
from tests.kits.servers.server import BARE, COMMANDS, SERVERS, Server
from tests.kits.servers.warm import ROOT
from tests.kits.suite.catalogues import compile_catalogues
from tests.kits.suite.scheduling import schedule_files
from tests.kits.suite.stores import copy_sqlite, drop_kept, drop_schema, fresh_schema, on_mysql, put_back
from tests.kits.suite.workers import order_files, part_stores

load_profile()
read_authorities_once()


def pytest_configure(config: pytest.Config) -> None:
    # Async tests talk to the ORM through sync_to_async; Playwright runs its own loop in the test's thread.
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    if not hasattr(config, "workerinput"):  # workers start when everything is compiled
        for made in compile_catalogues(ROOT):
            sys.stderr.write(f"compiled {made.relative_to(ROOT)}\n")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        order_files(items)


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    gc.disable()  # imports throw nothing away


def pytest_collection_finish() -> None:
    # Modules and items stay to the end: no collection need look at them again.
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 50)  # tests make much and keep little; the memory is there


def pytest_unconfigure() -> None:
    for stock in (SERVERS, COMMANDS, BARE):
        stock.close()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> Any:
    return schedule_files(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(specs: list[Any]) -> None:
    part_stores(specs)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: Any
) -> Iterator[None]:
    """The database of the tests themselves is a copy of a migrated one as well; what a test commits is put back."""
    from django.conf import settings
    from django.db import connection
    from django.test import TransactionTestCase

    TransactionTestCase._fixture_teardown = lambda case: put_back()  # type: ignore[method-assign]
    name = connection.creation._get_test_db_name()
    if on_mysql():
        fresh_schema(name)
    else:
        copy_sqlite(Path(name))
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    yield
    if on_mysql():
        with django_db_blocker.unblock():
            connection.close()
        drop_schema(name)
        drop_kept()


@pytest.fixture(scope="module")
def lasting_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Runs what writes the rows that every test of a module begins with, and answers what that answers.

    Each test takes back what it adds; a test that commits would take these rows back as well.
    """

    def write(make: Callable[[], Any]) -> Any:
        with django_db_blocker.unblock():
            return make()

    yield write
    write(put_back)


@pytest.fixture(scope="session", autouse=True)
def quick_settings(django_test_environment: None) -> Iterator[None]:
    """Tests ask faster than people (the limits have tests of their own) and need no slow password hashes.

    Nor does each client of theirs list all static files: a file is looked for when it is asked for.
    """
    from django.test import override_settings

    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(RATE_LIMITS=False, WHITENOISE_AUTOREFRESH=True, PASSWORD_HASHERS=hashers):
        yield


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """What the test before was answered is not kept: its rows are gone, and their numbers may come again."""
    from taskclasses.kernel import entity_tags

    entity_tags.kept_answers = entity_tags.KeptAnswers()


@pytest.fixture(autouse=True)
def first_language(django_test_environment: None) -> None:
    """Each test begins in the language of the site: a request in English leaves its thread in English."""
    from django.utils import translation

    translation.deactivate()


@pytest.fixture(scope="session")
def _openai_server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as scripted:
        yield scripted


@pytest.fixture
def openai_server(_openai_server: OpenAIServer) -> OpenAIServer:
    """A scripted OpenAI-compatible endpoint on loopback, empty at the start of each test."""
    _openai_server.reset()
    return _openai_server


@pytest.fixture
def user(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("li", password="correct horse")


@pytest.fixture
def other_user(db: None, django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("wang", password="battery staple")


@pytest.fixture
def semester(db: None) -> Any:
    """The semester of the documents' examples: 20 weeks from 2026-03-02, the default section table."""
    from tests.kits.timetable.fixtures import example_semester

    return example_semester()


@pytest.fixture(scope="session")
def lasting_server_factory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Makes migrated, started servers with extra environment; all of them end with the session.

    Every run that one of them has recorded is then played again (agent.md 10): `prove` does it for a server whose
    database ends earlier.
    """
    servers: list[Server] = []
    proven: list[Server] = []

    def prove(server: Server) -> None:
        if server not in proven:
            proven.append(server)
            server.prove_replays()

    def make(**environment: Any) -> Server:
        server = Server(tmp_path_factory.mktemp("server"), **environment)
        servers.append(server)
        return server.start()

    make.prove = prove  # type: ignore[attr-defined]
    yield make
    for server in servers:
        server.tell(signal.SIGTERM)  # all of them end at the same time
    for server in servers:
        server.stop()
    for server in servers:
        prove(server)


@pytest.fixture(scope="module")
def server_factory(lasting_server_factory: Any) -> Iterator[Any]:
    """The same for the servers of one module: they are told to end with it, and waited for with the session.

    A server that nobody asks anything looks for lost runs, and for stores that have gone, until it ends.
    """
    servers: list[Server] = []

    def make(**environment: Any) -> Server:
        servers.append(lasting_server_factory(**environment))
        return servers[-1]

    make.prove = lasting_server_factory.prove  # type: ignore[attr-defined]
    yield make
    for server in servers:
        server.tell(signal.SIGTERM)


@pytest.fixture(scope="session")
def server(lasting_server_factory: Any) -> Any:
    """One shared server on the offline backend. Tests keep apart by using accounts of their own."""
    return lasting_server_factory(AGENT_BACKEND="offline")
