"""Passwords of the stores are changed while two web processes serve, by the lines of the documentation: nobody is
signed out, and no draft is lost."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import MySQLdb
import pytest

from tests.kits.faults.daemons import Daemon
from tests.kits.servers.server import Server
from tests.kits.servers.warm import ROOT
from tests.kits.transports.students import Student

SECTION = (ROOT / "docs/deployment.md").read_text(encoding="utf-8").partition("## Keys and passwords")[2]
LINES = re.findall(r"^    (.+)$", SECTION.partition("\n## ")[0], re.MULTILINE)


PASSWORD = "lantern-twelve"


def lines(beginning: str) -> list[str]:
    found = [line for line in LINES if line.startswith(beginning)]
    assert found
    return found


def with_password(address: str, password: str, user: str = "") -> str:
    parts = urlsplit(address)
    host = f"{user or parts.username or ''}:{password}@{parts.hostname}:{parts.port}"
    return urlunsplit(parts._replace(netloc=host))


def root_of(daemon: Daemon) -> Any:
    socket = next(word.removeprefix("--socket=") for word in daemon.command if word.startswith("--socket="))
    return MySQLdb.connect(unix_socket=socket, user="root")


def of_accounts(line: str, *, made: str = "", dropped: str = "") -> str:
    """A line of the documentation for accounts of this test: others share the server."""
    line = line.replace("'...'", f"'{PASSWORD}'").replace(" smartmate.*", " *.*")
    return line.replace("'smartmate2'", f"'{made}'").replace("'smartmate'", f"'{dropped}'")


def redis_cli(redis: Daemon, line: str, password: str) -> None:
    words = shlex.split(line.replace("NEW", "new-one").replace("FORMER", "former-one"))
    command = [words[0], "-p", str(redis.port), "--no-auth-warning", "-a", password, *words[1:]]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "OK"


def restart(web: Server, **environment: str) -> None:
    web.stop(signal.SIGTERM)
    web.environment |= environment
    web.start()


def draft_of(student: Student, web: Server, conversation_id: str) -> httpx.Response:
    address = f"{web.base_url}/api/v1/agent/schedule-preview"
    return httpx.get(address, params={"conversation_id": conversation_id}, headers=student.http.headers, timeout=60)


def test_nobody_notices_other_passwords(
    tmp_path_factory: pytest.TempPathFactory, redis: Daemon, mariadb: tuple[Daemon, str]
) -> None:
    daemon, address = mariadb
    root = root_of(daemon)
    for line in lines("CREATE USER") + lines("GRANT"):
        root.cursor().execute(of_accounts(line, made="former"))
    database = with_password(address, PASSWORD, "former")
    subprocess.run(["redis-cli", "-p", str(redis.port), "CONFIG", "SET", "requirepass", "former-one"], check=True)
    stores = {"DATABASE_URL": database, "REDIS_URL": with_password(f"redis://127.0.0.1:{redis.port}/0", "former-one")}
    settings = {**stores, "AGENT_BACKEND": "offline", "AGENT_RUN_IN_WEB": "true"}
    webs = [Server(tmp_path_factory.mktemp("web"), **settings).start() for _ in range(2)]
    try:
        student = Student(webs[0], "li")
        talk = student.chat("把所有任务都排一下")[0].headers["x-conversation-id"]
        assert draft_of(student, webs[0], talk).status_code == 200
        before = [draft_of(student, web, talk).json()["data"] for web in webs]
        redis_cli(redis, lines("redis-cli")[0], "former-one")
        for line in lines("CREATE USER") + lines("GRANT"):
            root.cursor().execute(of_accounts(line, made="smartmate2"))
        moved = {
            "DATABASE_URL": with_password(database, PASSWORD, "smartmate2"),
            "REDIS_URL": with_password(stores["REDIS_URL"], "new-one"),
        }
        for web in webs:
            restart(web, **moved)
            assert [draft_of(student, one, talk).json()["data"] for one in webs] == before
        for line in lines("DROP USER"):
            root.cursor().execute(of_accounts(line, dropped="former"))
        redis_cli(redis, lines("redis-cli")[1], "new-one")
        restart(webs[0])
        assert [draft_of(student, one, talk).json()["data"] for one in webs] == before
    finally:
        for web in webs:
            web.stop(signal.SIGKILL)
        for name in ("former", "smartmate2"):
            root.cursor().execute(f"DROP USER IF EXISTS '{name}'@'127.0.0.1'")
        root.close()
