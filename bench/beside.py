"""What a planner does to the streams of the same process: the delay of a model's pieces alone, and beside planners.

    [script/services run] python -m bench.beside [--tree FOLDER...] [--planners 2] [--rounds 3]

Some conversations get `--rate` pieces a second each; beside them so many students ask for plans of the demo term (45
items), one after the other: `web` asks the web process (smart-planning), `run` sends messages whose runs build a plan
in the worker, in the web process where there is none. All trees take turns, and rounds alone and beside planners too.
Nothing is asserted here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
from pathlib import Path
from typing import Any

import httpx
import uvloop

from bench.readers import ROOT
from bench.stream import Model, Plan, Product, _chunk, _event, percentile, run_round

ASKED = "PLANIT"
BUILD = {"route": "execute", "needs_rough_build": True, "needs_refine_after_rough_build": False, "speak": "好。"}
KINDS = ("web", "run")


class Planning(Model):
    """Tells those who ask for a plan to build one."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                body = await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
                await (self._build(writer) if ASKED.encode() in body else self._answer(writer))
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    async def _build(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        writer.write(_chunk(json.dumps(BUILD)) + _chunk(None, "stop") + _event(b"[DONE]") + b"0\r\n\r\n")
        await writer.drain()


class Planner:
    """A student of a product with the demo term, who asks for one plan after the other."""

    def __init__(self, target: Product) -> None:
        name, password = f"planner{secrets.token_hex(3)}", secrets.token_urlsafe(12)
        target._site.manage("seed_demo", f"--username={name}", f"--password={password}")
        address = f"http://127.0.0.1:{target.port}/api/v1"
        answer = httpx.post(f"{address}/auth/token", json={"username": name, "password": password}, timeout=60)
        headers = {"Authorization": f"Bearer {answer.json()['data']['token']}"}
        self._address, self._headers = address, headers
        listed = httpx.get(f"{address}/task-class", headers=headers, timeout=60).json()["data"]["list"]
        self._classes = [row["id"] for row in listed]
        self.plans = 0

    async def work(self, kind: str) -> None:
        async with httpx.AsyncClient(base_url=self._address, headers=self._headers, timeout=120) as client:
            while True:
                path, body = self._request(kind)
                answer = await client.post(path, json=body)
                assert answer.status_code == 200, answer.text
                self.plans += 1

    def _request(self, kind: str) -> tuple[str, Any]:
        if kind == "web":
            return "/schedule/smart-planning", {"task_class_ids": self._classes}
        extra = {"always_execute": True, "task_class_ids": self._classes}
        return "/agent/chat", {"message": ASKED, "extra": extra}


async def measure(options: argparse.Namespace) -> None:
    plan = Plan(options.pieces, 1 / options.rate)
    model = await Planning(plan).start()
    targets = [await asyncio.to_thread(Product, tree.resolve(), tree.resolve().name, model) for tree in options.tree]
    try:
        tokens, planners = {}, {}
        for target in targets:
            tokens[target] = await asyncio.to_thread(target.tokens, options.conversations)
            planners[target] = [await asyncio.to_thread(Planner, target) for _ in range(options.planners)]
            await run_round(target, tokens[target], plan)
        delays: dict[tuple[Any, str], list[int]] = {(target, kind): [] for target in targets for kind in ("", *KINDS)}
        plans = dict.fromkeys(delays, 0)
        for _ in range(options.rounds):
            for target, kind in delays:
                before = sum(one.plans for one in planners[target])
                work = [asyncio.create_task(one.work(kind)) for one in planners[target] if kind]
                delays[target, kind] += (await run_round(target, tokens[target], plan)).delays
                for task in work:
                    task.cancel()
                for error in await asyncio.gather(*work, return_exceptions=True):
                    assert isinstance(error, asyncio.CancelledError), error
                plans[target, kind] += sum(one.plans for one in planners[target]) - before
        print(f"{'delay of a piece, ms':<24} {'p50':>7} {'p90':>7} {'p99':>7} {'plans':>6}")
        for (target, kind), found in delays.items():
            figures = " ".join(f"{percentile(found, share):>7.1f}" for share in (0.5, 0.9, 0.99))
            print(f"{target.name:<12} {kind or 'alone':<11} {figures} {plans[target, kind]:>6}", flush=True)
    finally:
        for target in targets:
            target.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, nargs="+", default=[ROOT])
    parser.add_argument("--conversations", type=int, default=5)
    parser.add_argument("--planners", type=int, default=2)
    parser.add_argument("--pieces", type=int, default=120)
    parser.add_argument("--rate", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    uvloop.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
