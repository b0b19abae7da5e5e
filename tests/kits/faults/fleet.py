"""A deployment that can be killed piece by piece: two web processes and two workers on one MariaDB and one Redis."""

from __future__ import annotations

import random
import signal
from typing import Any

from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.servers.server import Server


class Fleet:
    """Each piece ends in one of two ways: killed and started again, or told to end while its successor comes."""

    def __init__(self, webs: list[Server], *, mariadb: Daemon, redis: Daemon) -> None:
        self.webs, self.mariadb, self.redis = webs, mariadb, redis
        self.workers = [self._worker(), self._worker()]

    def _worker(self) -> Worker:
        worker = Worker(self.webs[0])
        worker.start()
        return worker

    PIECES = ("web", "worker", "mariadb", "redis", "deployment")

    def replace(self, piece: str, choice: random.Random) -> None:
        """Ends one piece and brings it back."""
        getattr(self, f"_replace_{piece}")(choice)

    def _replace_web(self, choice: random.Random) -> None:
        web = choice.choice(self.webs)
        web.stop(signal.SIGKILL)
        web.start()

    def _replace_worker(self, choice: random.Random) -> None:
        self.workers.pop(choice.randrange(len(self.workers))).kill()
        self.workers.append(self._worker())

    def _replace_mariadb(self, choice: random.Random) -> None:
        self.mariadb.kill()
        self.mariadb.start()

    def _replace_redis(self, choice: random.Random) -> None:
        self.redis.kill()
        self.redis.start()

    def _replace_deployment(self, choice: random.Random) -> None:
        """A release: every worker and every web process is replaced, one after the other."""
        for _ in range(len(self.workers)):
            self.workers.append(self._worker())
            old = self.workers.pop(0)
            old.signal(signal.SIGTERM)
            status = old.ended()
            # Who had not begun to work when it was told ends at once.
            assert status in (0, -signal.SIGTERM), f"a worker ended with {status}"
        for web in self.webs:
            web.stop(signal.SIGTERM)
            web.start()

    def stop(self) -> None:
        for worker in self.workers:
            worker.kill()

    def manage(self, *arguments: str) -> Any:
        return self.webs[0].manage(*arguments)
