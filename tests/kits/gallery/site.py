"""The server of the gallery on a coming Wednesday afternoon, and its accounts, each made when it is first asked for."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.kits.gallery.stages import STAGES, TERM_WEEK, make_new
from tests.kits.gallery.student import Student
from tests.kits.provider.openai_server import OpenAIServer
from tests.kits.servers.server import Server

UTC_OF_AFTERNOON = timedelta(hours=7, minutes=20)  # 15:20 in Shanghai
WEDNESDAY = 2


class Site:
    """`now` is what the clock of server and browsers says."""

    def __init__(self, folder: Path) -> None:
        really = datetime.now(UTC)
        midnight = really.replace(hour=0, minute=0, second=0, microsecond=0)
        days = (WEDNESDAY - really.weekday()) % 7
        self.now = midnight + timedelta(days=days) + UTC_OF_AFTERNOON
        if self.now < really:
            self.now += timedelta(days=7)
        self.shift = (self.now - really).total_seconds()
        self.first_monday = self.now.date() - timedelta(days=WEDNESDAY + 7 * (TERM_WEEK - 1))
        self.folder = folder
        self.model = OpenAIServer()
        self.servers: dict[str, Server] = {}
        self.students: dict[tuple[str, str], Student] = {}

    def server(self, kind: str = "offline") -> Server:
        """The server with the planner of its own, or the one that asks a model."""
        if kind not in self.servers:
            folder = self.folder / kind
            folder.mkdir(parents=True)
            environment = {
                "DJANGO_SETTINGS_MODULE": "tests.kits.gallery.settings",
                "CLOCK_SHIFT_S": str(self.shift),
                "AGENT_BACKEND": kind,
                "GUEST_LOOK": "on",
            }
            if kind == "openai":
                self.model.start()
                environment |= {"OPENAI_BASE_URL": self.model.base_url, "OPENAI_API_KEY": "x"}
            self.servers[kind] = Server(folder, **environment).start()
        return self.servers[kind]

    def student(self, stage: str, lang: str, kind: str = "offline") -> Student:
        """The account of a stage in a language."""
        if (stage, lang) not in self.students:
            server, name = self.server(kind), f"{stage}-{lang}"
            password = secrets.token_urlsafe(12)
            if stage == "new":
                self.student("fresh", lang)  # the term is there
                make_new(server, name, password)
                self.students[stage, lang] = Student(server, name, password, lang)
            else:
                monday = self.first_monday.isoformat()
                made = ("--skip-checks", f"--username={name}", f"--password={password}", f"--first-monday={monday}")
                server.manage("seed_demo", *made)
                student = Student(server, name, password, lang)
                STAGES.get(stage, STAGES["fresh"])(student)
                self.students[stage, lang] = student
        return self.students[stage, lang]

    def stop(self) -> None:
        for server in self.servers.values():
            server.stop()
        if "openai" in self.servers:
            self.model.stop()


@contextmanager
def open_site(folder: Path) -> Iterator[Site]:
    site = Site(folder)
    try:
        yield site
    finally:
        site.stop()
