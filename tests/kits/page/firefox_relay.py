"""Stands between Playwright and the Firefox that Debian ships, as the program that Playwright starts.

Playwright's own protocol needs a Firefox of its own making; over WebDriver BiDi it drives the real one. A long-term
release lacks some commands that Playwright sends to every new browser (they set what a test here does not use): they
are answered as done.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

FIREFOX = "/usr/bin/firefox-esr"
LISTENING = "WebDriver BiDi listening on ws://127.0.0.1:"
SETTINGS = ("network.addDataCollector", "browser.setDownloadBehavior", "emulation.")


class Relay:
    def __init__(self, port: int) -> None:
        self._port = port
        self._sent: dict[int, str] = {}

    async def carry(self, playwright: ServerConnection) -> None:
        assert playwright.request is not None
        address = f"ws://127.0.0.1:{self._port}{playwright.request.path}"
        async with connect(address, max_size=None, ping_interval=None) as firefox:
            ways = {
                asyncio.create_task(self._up(playwright, firefox)),
                asyncio.create_task(self._down(firefox, playwright)),
            }
            _done, open_ways = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in open_ways:
                way.cancel()

    async def _up(self, playwright: ServerConnection, firefox: ClientConnection) -> None:
        async for message in playwright:
            command = json.loads(message)
            self._sent[command["id"]] = command["method"]
            await firefox.send(message)

    async def _down(self, firefox: ClientConnection, playwright: ServerConnection) -> None:
        async for message in firefox:
            await playwright.send(self._answer(json.loads(message), message))

    def _answer(self, told: dict[str, Any], message: str | bytes) -> str | bytes:
        command = self._sent.pop(told.get("id", -1), "")
        if told.get("error") == "unknown command" and command.startswith(SETTINGS):
            return json.dumps({"type": "success", "id": told["id"], "result": {}})
        return message


async def relay(arguments: list[str]) -> None:
    """Starts Firefox and tells where to reach it, as Firefox would; ends with it."""
    quiet = asyncio.subprocess.DEVNULL
    firefox = await asyncio.create_subprocess_exec(FIREFOX, *arguments, stdout=quiet, stderr=asyncio.subprocess.PIPE)
    assert firefox.stderr is not None
    found = None
    while found is None:
        line = await firefox.stderr.readline()
        if not line:
            raise SystemExit("Firefox ended before it listened")
        found = re.search(rf"{LISTENING}(\d+)", line.decode(errors="replace"))
    async with serve(Relay(int(found[1])).carry, "127.0.0.1", 0, max_size=None, ping_interval=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        sys.stderr.write(f"{LISTENING}{port}\n")
        sys.stderr.flush()
        drained = asyncio.create_task(_drain(firefox.stderr))
        await firefox.wait()
        drained.cancel()


async def _drain(output: asyncio.StreamReader) -> None:
    while await output.read(65536):
        pass


if __name__ == "__main__":
    asyncio.run(relay(sys.argv[1:]))
