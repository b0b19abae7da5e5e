"""Checks that the docstring of a function or a class begins with a verb in the third person: Returns, Tells, Holds."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("smartmate", "agent", "schedules", "taskclasses")
VERB = re.compile(r"[A-Z][a-z]*(?:-[a-z]+)?s")
NO_VERBS = """
Always Arguments As Batches Blocks Bytes Cells Characters Classes Codes Contents Courses Dates Days Domains
Events Exams Facts Figures Guests Has Holidays Hosts Ids Images Is Items Its Jobs Lessons Less Letters Lines
Members Minus Numbers Occurrences Options Pairs Parameters Perhaps Pieces Plus Preferences Profiles Prompts Rows
Rules Schemas Seconds Sections Semesters Sentences Settings Spots Tasks Themselves These This Thus Tokens Types
Values Variables Violations Was Weekdays Weeks Whose Words
"""
"""Words on an s that no docstring begins with; a noun that is also a verb (Plans, Names) is for the reader to judge."""
QUOTING = "agent/llm/offline/"
"""Its rules begin with the sentence of a student that they read."""
TOLD = ("agent/tools/arguments/", "agent/tools/argument_schema.py")
"""What the classes there say is told to a model as the description of an argument."""


def first_word(text: str) -> str:
    return text.split(maxsplit=1)[0].rstrip(".,:;") if text.strip() else ""


def is_verb(word: str) -> bool:
    return VERB.fullmatch(word) is not None and word not in NO_VERBS.split()


def docstring_errors() -> list[str]:
    errors = []
    for path in sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        if "/migrations/" in where or where.startswith(QUOTING):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            judged = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
            if isinstance(node, judged) and not (isinstance(node, ast.ClassDef) and where.startswith(TOLD)):
                text = ast.get_docstring(node)
                if text is not None and not is_verb(first_word(text)):
                    errors.append(
                        f"{where}:{node.lineno}: {node.name} does not begin with a verb: {first_word(text)!r}"
                    )
    return errors


if __name__ == "__main__":
    problems = docstring_errors()
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
