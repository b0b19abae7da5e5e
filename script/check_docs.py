"""Checks what no other tool does: the message catalogue, links, named files and cited sections, the lock files."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from babel.messages.pofile import read_po
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("smartmate", "agent", "schedules", "taskclasses", "tests", "bench")
CITED = re.compile(r"\b((?:domain|agent|tools|wire)\.md) (\d+(?:\.\d+)*)")
NAMED = re.compile(
    r"`([\w/.-]*\w\.(?:py|js|css|html|toml|txt|sql))`|`((?:agent|bench|schedules|script|smartmate|taskclasses|tests)/[\w/.-]*)`"
)
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def catalogue_errors() -> list[str]:
    errors = []
    for path in sorted((ROOT / "smartmate/locale").glob("*/LC_MESSAGES/django.po")):
        ids = re.findall(r'^(?:msgctxt "(.+)"\n)?msgid "(.+)"$', path.read_text(encoding="utf8"), re.MULTILINE)
        errors += [f"{path.name}: msgid twice: {name}" for _, name in sorted({i for i in ids if ids.count(i) > 1})]
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


def path_errors() -> list[str]:
    """Files and folders that documents name and that are not there, whether from the root or by their last parts."""
    listed = subprocess.run(["git", "ls-files", "--cached"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = {f"/{row}" for row in listed.stdout.splitlines()}
    folders = {f"/{folder}" for row in files for folder in Path(row[1:]).parents}
    errors = []
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for match in NAMED.finditer(path.read_text(encoding="utf8")):
            wanted = f"/{(match[1] or match[2]).removesuffix('/')}"
            if not any(row.endswith(wanted) for row in files) and wanted not in folders | {
                row.removesuffix(".py") for row in files
            }:
                errors.append(f"{path.relative_to(ROOT)}: no such file: {wanted[1:]}")
    return errors


def citation_errors() -> list[str]:
    """Sections of the reference that code or documents name and that are not there."""
    errors = []
    sections = {
        path.name: set(re.findall(r"^#+ (\d+(?:\.\d+)*)", path.read_text(encoding="utf8"), re.MULTILINE))
        for path in (ROOT / "docs/reference").glob("*.md")
    }
    rows = [path for name in PACKAGES for path in (ROOT / name).rglob("*.py")] + [*ROOT.glob("docs/**/*.md")]
    for path in rows:
        for name, cited in CITED.findall(path.read_text(encoding="utf8")):
            if cited not in sections[name]:
                errors.append(f"{path.relative_to(ROOT)}: {name} has no section {cited}")
    return errors


def lock_errors() -> list[str]:
    """Rows of requirements*.txt that the lock file beside them does not satisfy."""
    errors = []
    for name in ("requirements", "requirements-dev"):
        lock = (ROOT / f"{name}.lock").read_text(encoding="utf8")
        pins = dict(re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", lock, re.MULTILINE))
        for line in (ROOT / f"{name}.txt").read_text(encoding="utf8").splitlines():
            row = line.partition("#")[0].strip()
            if not row or row.startswith("-r"):
                continue
            wanted = Requirement(row)
            pin = pins.get(canonicalize_name(wanted.name))
            if pin is None or pin not in wanted.specifier:
                errors.append(f"{name}.lock: {row} is locked at {pin}: run script/lock")
    return errors


if __name__ == "__main__":
    problems = catalogue_errors() + link_errors() + path_errors() + citation_errors() + lock_errors()
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
