"""What students at work get from a site of several processes, and what gives way first when they are more.

    script/services run python -m bench.load [--students 5 10 20 40] [--seconds 40] [--webs 2] [--workers 2]

Each student goes round: asks something and reads the answer while it comes (100 pieces at 20 a second), has the demo
term planned, reads state, timeline, preview and week, moves an item in the draft to another legal place, applies the
draft and takes that back; between two rounds there is a pause of `--think` seconds. Students are spread over the web
processes. For each number of students: rounds and failures, the delays of each action, the CPU of each kind of
process, connections and memory. Needs DATABASE_URL and REDIS_URL. Nothing is asserted here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import uvloop

from bench.beside import ASKED, Planning
from bench.readers import ROOT, Site, database_connections, redis_connections
from bench.stream import Plan, cpu_s
from tests.kits.servers.crowd import memory

MAKE = """
import json, sys
from datetime import timedelta
from django.contrib.auth.models import User
from django.utils import timezone
from schedules.services.demo import demo_load, demo_semester
from smartmate.accounts.tokens import token_create
today = timezone.localdate()
semester = demo_semester(today=today, first_monday=today - timedelta(days=today.weekday() + 14))
tokens = []
for name in json.loads(sys.stdin.read()):
    user = User.objects.create_user(name)
    demo_load(user=user, today=today, semester=semester)
    tokens.append(token_create(user=user)[1])
print(json.dumps(tokens))
"""
PIECES, RATE = 100, 20
DONE = b"data: [DONE]"


class Figures:
    """Delays by action in seconds, failures by what was answered, whole rounds."""

    def __init__(self) -> None:
        self.delays: dict[str, list[float]] = defaultdict(list)
        self.failures: Counter[str] = Counter()
        self.rounds = 0

    def row(self, action: str) -> str:
        found = sorted(self.delays[action])
        at = [found[min(len(found) - 1, int(len(found) * share))] for share in (0.5, 0.95, 0.99)]
        return f"    {action:<22} {len(found):>6} " + " ".join(f"{1000 * one:>8.0f}" for one in at)


class Student:
    """One student with the demo term."""

    def __init__(self, http: httpx.AsyncClient, figures: Figures) -> None:
        self._http, self._figures = http, figures
        self._classes: list[int] = []

    async def work(self, think_s: float) -> None:
        """Rounds until it is cancelled; one that fails is counted and begun anew."""
        while True:
            try:
                await self._round()
                self._figures.rounds += 1
            except (httpx.HTTPError, AssertionError, StopIteration) as error:
                self._figures.failures[f"{type(error).__name__}: {error}"[:90]] += 1
            await asyncio.sleep(think_s)

    async def _round(self) -> None:
        if not self._classes:
            self._classes = [row["id"] for row in (await self._ask("task classes", "GET", "/task-class"))["list"]]
        await self._chat("answer", {"message": "说一段"})
        extra = {"always_execute": True, "task_class_ids": self._classes}
        conversation = {"conversation_id": await self._chat("plan", {"message": ASKED, "extra": extra})}
        base = f"/agent/conversations/{conversation['conversation_id']}"
        await self._ask("state", "GET", f"{base}/state")
        await self._ask("timeline", "GET", f"{base}/timeline")
        preview = await self._ask("preview", "GET", "/agent/schedule-preview", params=conversation)
        await self._ask("week", "GET", "/schedule/week", params={"week": 4})
        await self._move(conversation, preview)
        key = {"Idempotency-Key": secrets.token_hex(8)}
        applied = await self._ask("apply", "POST", "/agent/schedule-apply", json=conversation, headers=key)
        key = {"Idempotency-Key": secrets.token_hex(8)}
        await self._ask("undo", "POST", f"/schedule/batches/{applied['batch_id']}/undo", json={}, headers=key)

    async def _move(self, conversation: dict[str, str], preview: Any) -> None:
        item = next(row["task_item_id"] for row in preview["hybrid_entries"] if row["status"] == "suggested")
        asked = {**conversation, "task_item_id": item}
        found = await self._ask("legal places", "POST", "/agent/legal-places", json=asked)
        legal = next(n for n, verdict in enumerate(found["verdicts"]) if verdict["kind"] == "legal")
        week, day, first = next(
            (week["week"], day, first)
            for week in found["weeks"]
            for day, cells in enumerate(week["cells"], 1)
            for first, verdict in enumerate(cells, 1)
            if verdict == legal
        )
        place = {"week": week, "day_of_week": day, "start_section": first, "end_section": first + found["sections"] - 1}
        host = found["verdicts"][legal]["embed_course_event_id"]
        row = {"task_item_id": item, **place, **({"embed_course_event_id": host} if host else {})}
        await self._ask("save", "POST", "/agent/schedule-state", json={**conversation, "items": [row]})

    async def _ask(self, name: str, method: str, path: str, **request: Any) -> Any:
        begin = time.perf_counter()
        answer = await self._http.request(method, path, **request)
        self._figures.delays[name].append(time.perf_counter() - begin)
        assert answer.status_code == 200, f"{name} {answer.status_code} {answer.text[:60]}"
        return answer.json()["data"]

    async def _chat(self, name: str, body: Any) -> str:
        """Reads an answer to its end; its conversation."""
        begin, last = time.perf_counter(), b""
        async with self._http.stream("POST", "/agent/chat", json=body) as answer:
            assert answer.status_code == 200, f"{name} {answer.status_code}"
            first = True
            async for block in answer.aiter_bytes():
                if first and b'"assistant_text"' in block:
                    first = False
                    self._figures.delays[f"{name}: first words"].append(time.perf_counter() - begin)
                last = (last + block)[-200:]
        assert DONE in last, f"{name} broke off"
        self._figures.delays[f"{name}: whole"].append(time.perf_counter() - begin)
        return str(answer.headers["X-Conversation-ID"])


def make_students(site: Site, count: int) -> list[str]:
    names = json.dumps([f"student{number}" for number in range(count)])
    tokens: list[str] = json.loads(site.manage("shell", "-v0", "-c", MAKE, stdin=names).stdout)
    return tokens


def stores() -> dict[str, int]:
    folder = Path(os.environ["SERVICES_DIR"])
    return {name: int((folder / name / "pid").read_text()) for name in ("redis", "mariadb")}


def planners(site: Site) -> list[int]:
    """The processes that plan for those of the site."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) in site.pids:
                found.append(int(stat.parent.name))
    return found


async def run_step(site: Site, tokens: Sequence[str], options: argparse.Namespace) -> None:
    groups = {"webs": site.pids[: options.webs], "workers": site.pids[options.webs :]}
    groups |= {name: [pid] for name, pid in stores().items()} | {"planners": planners(site)}
    figures = Figures()
    clients = [
        httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{site.ports[number % options.webs]}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )
        for number, token in enumerate(tokens)
    ]
    before = {name: sum(map(cpu_s, pids)) for name, pids in groups.items()}
    planned = {pid: cpu_s(pid) for pid in groups["planners"]}
    work = [asyncio.create_task(Student(client, figures).work(options.think)) for client in clients]
    begin, database, redis = time.monotonic(), 0, 0
    while time.monotonic() < begin + options.seconds:
        await asyncio.sleep(1)
        database = max(database, int(await asyncio.to_thread(database_connections, site)))
        redis = max(redis, int(await asyncio.to_thread(redis_connections)))
    seconds = time.monotonic() - begin
    groups["planners"] = planners(site)
    before["planners"] = sum(spent for pid, spent in planned.items() if pid in groups["planners"])
    cpu = {name: sum(map(cpu_s, pids)) - before[name] for name, pids in groups.items()}
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    for client in clients:
        await client.aclose()
    print(
        f"{len(tokens)} students: {figures.rounds} rounds in {seconds:.0f} s, {sum(figures.failures.values())} failed"
    )
    for failure, count in figures.failures.most_common(5):
        print(f"    {count:>4} x {failure}")
    print("    CPU of a second: " + ", ".join(f"{name} {spent / seconds:.2f}" for name, spent in cpu.items()))
    resident = ", ".join(f"{name} {sum(map(memory, pids)) / 1e6:.0f}" for name, pids in groups.items())
    print(f"    connections: database {database}, Redis {redis}; MB: {resident}")
    print(f"    {'milliseconds':<22} {'':>6} {'p50':>8} {'p95':>8} {'p99':>8}")
    for action in figures.delays:
        print(figures.row(action), flush=True)


async def measure(options: argparse.Namespace) -> None:
    model = await Planning(Plan(PIECES, 1 / RATE)).start()
    site = await asyncio.to_thread(Site, ROOT, model, webs=options.webs, workers=options.workers)
    try:
        tokens = await asyncio.to_thread(make_students, site, max(options.students))
        for count in options.students:
            await run_step(site, tokens[:count], options)
    finally:
        site.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, nargs="+", default=[5, 10, 20, 40])
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--think", type=float, default=2.0)
    parser.add_argument("--webs", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    uvloop.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
