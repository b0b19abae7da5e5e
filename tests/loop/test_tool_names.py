"""The loop knows tools by their traits, never by their names."""

from __future__ import annotations

import ast
from pathlib import Path

import agent.loop
from agent.tools.cards.planning import NAME as PLANNING
from agent.tools.default import default_registry

FOLDER = Path(agent.loop.__file__).parent
NAMES = {name for tool in default_registry().tools for name in (tool.name, *tool.aliases)} | {PLANNING}
WORDS = {"place", "move", "unplace"}
OPERATIONS = {
    "draft/goal_changes.py": WORDS,
    "state/conversation.py": WORDS,
    "state/migrations.py": WORDS,
    "phrases.py": {"replan"},
}
"""What happened to an item, in the words of a change, and what a student says."""


def named_in(path: Path) -> set[str]:
    """The names of tools in the strings a module is built of, documentation left out."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    said = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    told = {
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    return {word for text in said - told for word in NAMES if word == text or ("_" in word and word in text)}


def test_no_module_of_the_loop_names_a_tool() -> None:
    found = {
        str(place): named
        for path in sorted(FOLDER.rglob("*.py"))
        if (named := named_in(path) - OPERATIONS.get(str(place := path.relative_to(FOLDER)), set()))
    }
    assert found == {}
