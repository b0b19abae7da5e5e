"""Checks what no other tool does: the message catalogue, links, named files, names and cited sections, the list of
decisions, the lock files."""

from __future__ import annotations

import ast
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
IDENTIFIER = re.compile(r"`(?:\w+\.)?(\w*(?:_|[a-z][A-Z]|[A-Z]{3})\w*)(?:\(\))?`")
LEADING = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/glossary.md")
"""Documents that lead into the code: what they name must be there."""
SAYING = (".py", ".html", ".js", ".txt")
WHOLE = [re.compile(form) for form in (r'"([^"\n]*)"', r"'([^'\n]*)'", r"(?<=%\})([^{]*)(?=\{%)")]
"""How a template or a script says a text: between quotes, between two tags."""
SOURCES = (".py", ".js", ".toml", ".sql", ".env", ".po")
STARTED = re.compile(r"python -m ((?:agent|bench)\.[\w.]*\w)|manage\.py (\w+)")
OF_DJANGO = {"check", "createsuperuser", "migrate"}
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


def text_errors() -> list[str]:
    """Chinese texts of the catalogue that no source and no template says as a whole any more."""
    rows = [ROOT / row for row in _listed() if row.endswith(SAYING) and not row.startswith("tests/")]
    texts = {path: path.read_text(encoding="utf8") for path in rows if path.exists()}
    nodes = [node for path, text in texts.items() if path.suffix == ".py" for node in ast.walk(ast.parse(text))]
    said = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    markup = "\n".join(text for path, text in texts.items() if path.suffix != ".py")
    markup = re.sub(r"\{\{ *(\w+) *\}\}", r"%(\1)s", markup)
    said |= {text for whole in WHOLE for text in whole.findall(markup)}
    errors = []
    for path in sorted((ROOT / "smartmate/locale").glob("*/LC_MESSAGES/django.po")):
        with path.open("rb") as file:
            ids = [one.id if isinstance(one.id, str) else one.id[0] for one in read_po(file) if one.id]
        errors += [
            f"{path.name}: nothing says any more: {name}"
            for name in ids
            if re.search("[\u4e00-\u9fff]", name) and not {name, name.replace("%%", "%")} & said
        ]
    return errors


def link_errors() -> list[str]:
    errors = []
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in LINK.findall(path.read_text(encoding="utf8")):
            if not (path.parent / target).exists():
                errors.append(f"{path.relative_to(ROOT)}: link to a missing file: {target}")
    return errors


def _listed() -> list[str]:
    done = subprocess.run(["git", "ls-files", "--cached"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def name_errors() -> list[str]:
    """Functions, classes and settings that the leading documents name and that no source holds."""
    texts = [
        (ROOT / row).read_text(encoding="utf8") for row in _listed() if row.endswith(SOURCES) and (ROOT / row).exists()
    ]
    known = {word for text in texts for word in re.findall(r"\w+", text)}
    named = [(row, name) for row in LEADING for name in IDENTIFIER.findall((ROOT / row).read_text(encoding="utf8"))]
    return [f"{row}: nothing is called {name}" for row, name in named if name not in known]


def command_errors() -> list[str]:
    """Commands that documents start and that are not there."""
    files = set(_listed())
    commands = {Path(row).stem for row in files if "/management/commands/" in row} | OF_DJANGO
    errors = []
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for module, command in STARTED.findall(path.read_text(encoding="utf8")):
            name = module.replace(".", "/")
            if (module and not {f"{name}.py", f"{name}/__main__.py"} & files) or (command and command not in commands):
                errors.append(f"{path.relative_to(ROOT)}: no such command: {module or command}")
    return errors


def decision_errors() -> list[str]:
    """Decisions whose heading lacks their number, or that the list of decisions lacks by that heading."""
    index = (ROOT / "docs/decisions/README.md").read_text(encoding="utf8")
    errors = []
    for path in sorted((ROOT / "docs/decisions").glob("[0-9]*.md")):
        number, _, title = path.read_text(encoding="utf8").splitlines()[0].removeprefix("# ").partition(" ")
        if number != path.name[:3]:
            errors.append(f"{path.name}: its heading does not begin with its number")
        if f"- [{number}]({path.name}) {title}\n" not in index:
            errors.append(f"docs/decisions/README.md: lacks {path.name} as {title}")
    return errors


def path_errors() -> list[str]:
    """Files and folders that documents name and that are not there, whether from the root or by their last parts."""
    files = {f"/{row}" for row in _listed()}
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
    problems = (
        catalogue_errors()
        + text_errors()
        + link_errors()
        + path_errors()
        + name_errors()
        + command_errors()
        + citation_errors()
        + lock_errors()
        + decision_errors()
    )
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
