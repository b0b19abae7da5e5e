"""The pages about the tools say what the registry does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent.tools.default import OPERATION, READ, default_registry
from agent.tools.handbook import handbook

DOCS = Path(__file__).resolve().parents[2] / "docs"
REFERENCE = (DOCS / "reference" / "tools.md").read_text(encoding="utf8")
TOOLS = default_registry().tools


def section(title: str) -> str:
    """The text of the reference below a heading, up to the next one of its depth."""
    depth = title.split()[0]
    return re.split(rf"^{depth} ", REFERENCE.split(f"\n{title}\n")[1], flags=re.M)[0]


def named(text: str) -> list[str]:
    return re.findall(r"(?:`|\*\*)(\w+)(?:`|\*\*)", text)


def test_the_page_is_written_from_the_registry():
    assert (DOCS / "tools.md").read_text(encoding="utf8") == handbook(default_registry())


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_reference_tells_what_a_tool_does(tool):
    told = "".join(title + section(title) for title in ("## 2 Catalogue", "## 5 Web tools", "## 6 upsert_task_class"))
    assert re.search(rf"\b{tool.name}\b", told), f"docs/reference/tools.md, 2: {tool.name}"


def test_the_reference_lists_the_packs_of_the_registry():
    rows = re.findall(r"^\| (\w+)/(\w+)[^|]*\| (.+) \|$", section("## 3 Domains, packs, hooks, whitelist"), flags=re.M)
    packs = {(domain, pack): set(named(tools)) for domain, pack, tools in rows[1:]}
    registered: dict[tuple[str, str], set[str]] = {}
    for tool in TOOLS:
        if tool.domain:
            registered.setdefault((tool.domain, tool.pack or ""), set()).add(tool.name)
    assert packs == registered


@pytest.mark.parametrize(
    ("view", "title"), [(READ, "### 4.3 schedule.read_result"), (OPERATION, "### 4.4 schedule.operation_result")]
)
def test_the_reference_describes_the_card_of_a_tool(view, title):
    missing = {tool.name for tool in TOOLS if tool.view_type == view} - set(named(section(title)))
    assert not missing, f"docs/reference/tools.md, {title}"
