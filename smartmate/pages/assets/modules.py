"""One script made of ES modules: each keeps a scope of its own, in the order in which they need each other."""

from __future__ import annotations

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
COMMENT = re.compile(r"^\s*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/\s*)\n", re.MULTILINE)


class NotBundled(Exception):
    """Tells that a module uses what the bundle does not know, or modules need each other in a circle."""


def bundle_modules(entry: Path) -> str:
    """Returns the text of one module that does what `entry` and all it imports do."""
    order: list[Path] = []
    _visit(entry.resolve(), order, ())
    names = {path: f"$m{number}" for number, path in enumerate(order)}
    return "".join(_wrap_module(path, names) for path in order)


def _visit(path: Path, order: list[Path], above: tuple[Path, ...]) -> None:
    if path in above:
        raise NotBundled(f"{path.name} needs itself through {' > '.join(one.name for one in above)}")
    if path in order:
        return
    for _, source in IMPORT.findall(path.read_text(encoding="utf-8")):
        _visit((path.parent / source).resolve(), order, (*above, path))
    order.append(path)


def _wrap_module(path: Path, names: dict[Path, str]) -> str:
    text = path.read_text(encoding="utf-8")

    def bound(found: re.Match[str]) -> str:
        wanted = ", ".join(part.strip().replace(" as ", ": ") for part in found[1].split(",") if part.strip())
        return f"const {{ {wanted} }} = {names[(path.parent / found[2]).resolve()]};\n"

    exported = [name for _, name in EXPORT.findall(text)]
    body = COMMENT.sub("", EXPORT.sub(r"\1", IMPORT.sub(bound, text)))
    if left := LEFT.search(body):
        raise NotBundled(f"{path.name}: {left[0]}")
    return f"const {names[path]} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();\n"
