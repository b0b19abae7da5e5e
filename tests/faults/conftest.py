"""Servers whose stores, workers and readers fail. The stores are private: other tests never meet the faults."""

from __future__ import annotations

import os
import secrets
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.kits.faults.daemons import Daemon
from tests.kits.faults.databases import connected
from tests.kits.provider.openai_server import OpenAIServer
from tests.kits.servers.server import free_port
from tests.kits.servers.warm import ROOT
from tests.kits.suite.stores import fill_schema
from tests.kits.waiting import until


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A Redis of one module's own. It keeps nothing on disk: started again it is empty."""
    port, folder = free_port(), tmp_path_factory.mktemp("redis")
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", ""]
    daemon = Daemon(command, port=port).start()
    yield daemon
    daemon.kill()


@pytest.fixture(scope="module")
def mariadb(mariadb_server: tuple[Daemon, str]) -> tuple[Daemon, str]:
    """A MariaDB of these tests' own and the address of a migrated, empty database of one module."""
    daemon, address = mariadb_server
    name = f"faults_{secrets.token_hex(6)}"
    watcher = connected(address)
    watcher.cursor().execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
    watcher.close()
    own = urlunsplit(urlsplit(address)._replace(path=f"/{name}"))
    fill_schema(own)
    return daemon, own


@pytest.fixture(scope="session")
def mariadb_server() -> Iterator[tuple[Daemon, str]]:
    """The MariaDB of the tests of faults, and the address of its first database."""
    service = str(ROOT / "script" / "services")
    printed = subprocess.run([service, "start"], check=True, stdout=subprocess.PIPE, text=True).stdout
    exported = dict(part.split("=", 1) for part in shlex.split(printed)[1:])
    pid = int((Path(exported["SERVICES_DIR"]) / "database" / "pid").read_text())
    command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
    port = urlsplit(exported["DATABASE_URL"]).port or 0
    # The throwaway server may forget the last second when it is killed; this one keeps what it committed.
    daemon = Daemon([*command, "--innodb-flush-log-at-trx-commit=1", "--innodb-doublewrite=1"], port=port, pid=pid)
    daemon.signal(signal.SIGTERM)
    until(lambda: not Path(f"/proc/{pid}").exists())
    daemon.start()
    yield daemon, exported["DATABASE_URL"]
    daemon.kill()
    subprocess.run([service, "stop"], check=True, env={**os.environ, **exported})


@pytest.fixture(scope="module")
def endpoint() -> Iterator[OpenAIServer]:
    with OpenAIServer() as endpoint:
        yield endpoint


@pytest.fixture
def model(endpoint: OpenAIServer) -> OpenAIServer:
    """A scripted model endpoint, empty at the start of each test."""
    endpoint.reset()
    return endpoint
