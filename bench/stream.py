"""What a model's stream costs on its way to the student: CPU and delay of each piece, pieces a second.

    [script/services run] python -m bench.stream [--tree FOLDER...] [--conversations 1 20 50] [--rounds 3] [--no-peers]

A fast round sends all pieces at once and shows CPU and throughput, a paced one sends `--rate` pieces a second to each
conversation and shows the delay from the model's byte to the student's. CPU is that of all processes behind the address
(web, worker, Redis, MariaDB) divided by the pieces, with what a run costs besides; `busy` is the share of the round
that each process had a core for, which tells what bounds the pieces a second. All targets take turns in each round, and
the median is printed; each `--tree` is another checkout with the same dependencies. Nothing is asserted here.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import uvloop

from bench.readers import ROOT, Site, free_port
from tests.kits.servers.crowd import make_tokens, request

TICK = os.sysconf("SC_CLK_TCK")
STAMP = re.compile(rb"@(\d+);")
PATIENCE_S = 300.0
PIECE = "这是模型说的一小段话，二十来个字，"
PEERS = ("bare", "typed", "langgraph")
OPENING, CLOSING = '{"route":"direct_reply","speak":"', '。"}'


@dataclass
class Plan:
    """How the model answers now: pieces in an answer, and seconds between two of them."""

    pieces: int = 300
    pause_s: float = 0.0


def now_us() -> int:
    return time.monotonic_ns() // 1000


def _event(document: Any) -> bytes:
    data = b"data: " + (document if isinstance(document, bytes) else json.dumps(document).encode()) + b"\n\n"
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _chunk(content: str | None, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": {} if content is None else {"content": content}, "finish_reason": finish}
    return _event({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})


class Model:
    """An OpenAI-compatible server on this event loop; each piece carries the time at which it was written."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
                await self._answer(writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        plan, loop = Plan(**vars(self.plan)), asyncio.get_running_loop()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        writer.write(_chunk(OPENING))
        begin = loop.time()
        for number in range(plan.pieces):
            await asyncio.sleep(max(0.0, begin + number * plan.pause_s - loop.time()))
            writer.write(_chunk(f"@{now_us()};{PIECE}"))
            await writer.drain()
        writer.write(_chunk(CLOSING) + _chunk(None, "stop") + _event(b"[DONE]") + b"0\r\n\r\n")
        await writer.drain()


class Peer:
    """A server of `bench.stream_peers`."""

    def __init__(self, name: str, model: str) -> None:
        self.name, self.port, self.path = name, free_port(), "/chat"
        command = [sys.executable, "-m", "uvicorn", f"bench.stream_peers:{name}", "--port", str(self.port)]
        fast = ["--loop", "uvloop", "--http", "httptools", "--log-level", "warning", "--no-access-log"]
        self._process = subprocess.Popen([*command, *fast], cwd=ROOT, env={**os.environ, "MODEL": model})

    def wait_until_ready(self) -> None:
        for _ in range(300):
            try:
                httpx.get(f"http://127.0.0.1:{self.port}/", timeout=5)
                return
            except httpx.HTTPError:
                time.sleep(0.1)

    def tokens(self, count: int) -> list[str]:
        return [""] * count

    def processes(self) -> dict[str, int]:
        return {"web": self._process.pid}

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


class Product:
    """A web process of a checkout, and a worker when there is a Redis to share."""

    def __init__(self, tree: Path, name: str, model: str) -> None:
        self.name, self.path = name, "/agent/chat"
        self._site = Site(tree, model)
        self.port = self._site.port

    def wait_until_ready(self) -> None:
        pass

    def tokens(self, count: int) -> list[str]:
        return make_tokens(self._site, [f"student{number}" for number in range(count)])

    def processes(self) -> dict[str, int]:
        found = dict(zip(("web", "worker"), self._site.pids, strict=False))
        services = Path(os.environ.get("SERVICES_DIR", "/nowhere"))
        stores = {name: services / name / "pid" for name in ("redis", "mariadb")} if self._site.database else {}
        return found | {name: int(file.read_text()) for name, file in stores.items() if file.exists()}

    def stop(self) -> None:
        self._site.stop()


Target = Peer | Product


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


@dataclass
class Round:
    """What one round of a target gave."""

    seconds: float
    cpu: dict[str, float]
    pieces: int
    delays: list[int] = field(default_factory=list)
    broken: int = 0
    own: float = 0.0
    """CPU seconds of this process: the model's and the students' side."""


async def converse(target: Target, token: str, pieces: int) -> tuple[list[int], bool]:
    """The delays of one conversation's pieces in microseconds, and whether all of them came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port, limit=1 << 24)
    delays: list[int] = []
    try:
        writer.write(request(token, target.path, {"message": "说一段"}))
        left = b""
        while data := await reader.read(1 << 16):
            came = now_us()
            left += data
            body, cut, rest = left.rpartition(b"\n\n")
            if cut:
                delays += [came - int(stamp) for stamp in STAMP.findall(body)[: pieces - len(delays)]]
                left = rest
    finally:
        writer.close()
    return delays, len(delays) == pieces


async def run_round(target: Target, tokens: Sequence[str], plan: Plan) -> Round:
    pids = target.processes()
    before = {name: cpu_s(pid) for name, pid in pids.items()}
    begin, own = time.monotonic(), time.process_time()
    work = [converse(target, token, plan.pieces) for token in tokens]
    async with asyncio.timeout(PATIENCE_S):
        found = await asyncio.gather(*work)
    seconds, own = time.monotonic() - begin, time.process_time() - own
    await asyncio.sleep(0.5)  # what is written behind the last byte belongs to the run
    cpu = {name: cpu_s(pid) - before[name] for name, pid in pids.items()}
    delays = [delay for one, _ in found for delay in one]
    return Round(seconds, cpu, len(delays), delays, sum(not whole for _, whole in found), own)


def percentile(values: Iterable[int], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1000 if ordered else 0.0


def row(name: str, count: int, fast: Sequence[Round], paced: Sequence[Round]) -> str:
    def each(rounds: Sequence[Round], of: str = "") -> float:
        spent = [sum(one.cpu.values()) if not of else one.cpu[of] for one in rounds]
        return 1e6 * median(cpu / max(1, one.pieces) for cpu, one in zip(spent, rounds, strict=True))

    parts = " ".join(f"{part} {each(fast, part):.0f}" for part in fast[0].cpu)
    busy = {name: median(one.cpu[name] / one.seconds for one in fast) for name in fast[0].cpu}
    busy["bench"] = median(one.own / one.seconds for one in fast)
    parts += " | busy " + " ".join(f"{name} {share:.0%}" for name, share in busy.items())
    delays = [delay for one in paced for delay in one.delays]
    broken = sum(one.broken for one in (*fast, *paced))
    figures = (
        f"{each(fast):>7.0f} {each(paced):>7.0f} {median(one.pieces / one.seconds for one in fast):>8.0f} "
        f"{percentile(delays, 0.5):>6.1f} {percentile(delays, 0.99):>7.1f}"
    )
    return f"{name:<12} {count:>5} {figures}  {parts}" + (f"  BROKEN {broken}" if broken else "")


async def measure(options: argparse.Namespace) -> None:
    plan = Plan()
    model = await Model(plan).start()
    targets: list[Target] = []
    if options.peers:
        missing = [name for name in PEERS if name == "langgraph" and not importlib.util.find_spec("langgraph")]
        targets += [Peer(name, model) for name in PEERS if name not in missing]
        print(*(f"not installed: {name}" for name in missing), sep="\n")
    targets += [await asyncio.to_thread(Product, tree.resolve(), tree.resolve().name, model) for tree in options.tree]
    try:
        tokens = {}
        for target in targets:
            await asyncio.to_thread(target.wait_until_ready)
            tokens[target] = await asyncio.to_thread(target.tokens, max(options.conversations))
            await run_round(target, tokens[target][:3], plan)
        print(f"{'':<12} {'':>5} {'us CPU a piece':^15} {'pieces':>8} {'delay ms':^14}")
        head = f"{'':<12} {'conv.':>5} {'fast':>7} {'paced':>7} {'a second':>8} {'p50':>6} {'p99':>7}"
        print(f"{head}  CPU of the fast rounds")
        for count in options.conversations:
            rounds: dict[Target, tuple[list[Round], list[Round]]] = {target: ([], []) for target in targets}
            for _ in range(options.rounds):
                for target, (fast, paced) in rounds.items():
                    plan.pieces, plan.pause_s = options.pieces, 0.0
                    fast.append(await run_round(target, tokens[target][:count], plan))
                    plan.pieces, plan.pause_s = options.paced, 1 / options.rate
                    paced.append(await run_round(target, tokens[target][:count], plan))
            for target, (fast, paced) in rounds.items():
                print(row(target.name, count, fast, paced), flush=True)
    finally:
        for target in targets:
            target.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, nargs="+", default=[ROOT])
    parser.add_argument("--conversations", type=int, nargs="+", default=[1, 20, 50])
    parser.add_argument("--pieces", type=int, default=300)
    parser.add_argument("--paced", type=int, default=200)
    parser.add_argument("--rate", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-peers", dest="peers", action="store_false")
    uvloop.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
