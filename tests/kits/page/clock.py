"""The hour at which the page tests begin, for servers and browsers: a Wednesday morning in a term.

A term looks the same then on every day and at every hour, and a server that is started again goes on from where it was.
"""

from __future__ import annotations

import time
from datetime import datetime

from playwright.sync_api import BrowserContext

BEGIN = datetime.fromisoformat("2026-03-18T10:00:00+08:00")
TODAY = BEGIN.date()
SHIFT_S = BEGIN.timestamp() - time.time()
SHIFTED_DATE = f"""
Date = class extends Date {{
  constructor(...parts) {{ super(...(parts.length ? parts : [Date.now()])); }}
  static now() {{ return super.now() + {1000 * SHIFT_S:.0f}; }}
}};
"""


def shift_clock(context: BrowserContext) -> None:
    """Sets the clock of every page of a browser profile; timers go on as they do."""
    context.add_init_script(SHIFTED_DATE)
