"""Checks what no other tool does: the message catalogue compiles without doubles, documents name files that exist."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def catalogue_errors() -> list[str]:
    errors = []
    for path in sorted((ROOT / "smartmate/locale").glob("*/LC_MESSAGES/django.po")):
        ids = re.findall(r'^msgid "(.+)"$', path.read_text(encoding="utf8"), re.MULTILINE)
        errors += [f"{path.name}: msgid twice: {name}" for name in sorted({i for i in ids if ids.count(i) > 1})]
        with path.open("rb") as file:
            messages = [m for m in read_po(file) if m.id]
        fields = re.compile(r"%\(\w+\)\w|\{\w*\}")
        for message in messages:
            if isinstance(message.id, str) and sorted(fields.findall(message.id)) != sorted(
                fields.findall(message.string)
            ):
                errors.append(f"{path.name}: fields differ: {message.id}")
            if not message.string:
                errors.append(f"{path.name}: no text for: {message.id}")
    return errors


def link_errors() -> list[str]:
    errors = []
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in LINK.findall(path.read_text(encoding="utf8")):
            if not (path.parent / target).exists():
                errors.append(f"{path.relative_to(ROOT)}: link to a missing file: {target}")
    return errors


if __name__ == "__main__":
    problems = catalogue_errors() + link_errors()
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
