"""The cards of all cases as data. `python -m tests.kits.tools.snapshots` writes them anew after a wanted change."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.kits.tools.cases import CASES, Case, all_ports
from tests.kits.tools.world import call, draft

FILE = Path(__file__).parent / "data" / "cards.json"
DEBUG = ("raw_text", "machine_payload")


async def card(case: Case, arguments: dict[str, Any], locale: str) -> dict[str, Any]:
    """What a student sees of one call: the view without its debug folds, and both summaries."""
    _, result = await call(case.tool, arguments, draft(), locale=locale, ports=all_ports(), **case.context)
    view = result.result_view
    expanded = {key: value for key, value in view["expanded"].items() if key not in DEBUG}
    summary = result.argument_view["collapsed"]["summary"]
    return {"arguments": summary, "preview": result.arguments_preview, "view": {**view, "expanded": expanded}}


async def cards_of(case: Case) -> dict[str, Any]:
    return {
        locale: {"works": await card(case, case.works, locale), "fails": await card(case, case.fails, locale)}
        for locale in ("zh", "en")
    }


def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf8"))
    return found


async def write() -> None:
    cards = {case.tool: await cards_of(case) for case in CASES}
    FILE.write_text(json.dumps(cards, ensure_ascii=False, indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    asyncio.run(write())
