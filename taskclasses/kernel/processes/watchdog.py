"""Tells the service manager that the event loop of this process goes round; one that is stuck is ended and begins anew.

Nobody else notices: the port takes connections as long as the process is there. A process asks for the watch itself, so
that a unit works with releases that know nothing of it.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress

SILENT_S = 60
"""Seconds after which a process that says nothing is ended; no step of a loop takes that long."""
SAY_S = SILENT_S / 4


async def keep_saying_alive() -> None:
    """Says so for ever, where systemd or another manager named a socket for it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    said = f"WATCHDOG_USEC={SILENT_S * 1_000_000}\nWATCHDOG=1".encode()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.setblocking(False)
        while True:
            with suppress(OSError):  # a manager that is busy hears the next one
                manager.sendto(said, f"\0{address[1:]}" if address[0] == "@" else address)
            await asyncio.sleep(SAY_S)
