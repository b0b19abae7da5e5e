"""The page about the tools says what the registry does."""

from __future__ import annotations

from pathlib import Path

from agent.tools.default import default_registry
from agent.tools.handbook import handbook

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tools.md"


def test_the_page_is_written_from_the_registry():
    assert PAGE.read_text(encoding="utf8") == handbook(default_registry())
