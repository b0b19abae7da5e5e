"""Which statements of a package are passed by what runs.

The modules are compiled with a note in front of each statement: that is quicker than a tracer, and holds in every
thread.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

NOTE = "__pass_statement__"


class Passed:
    """Notes what has been passed of a package, each statement by a number that is the same in every process."""

    def __init__(self, package: str) -> None:
        loaded = [name for name in sys.modules if name == package or name.startswith(f"{package}.")]
        assert not loaded, loaded
        self._now: set[int] = set()
        self._last = 0
        setattr(builtins, NOTE, self._now.add)
        sys.meta_path.insert(0, _Finder(package, self))
        found = importlib.import_module(package)
        for name in sorted(one.name for one in pkgutil.walk_packages(found.__path__, f"{package}.")):
            importlib.import_module(name)
        self.take()

    def take(self) -> int:
        """Answers what was passed since it was asked last, as the bits of one number."""
        bits = bytearray(self._last // 8 + 1)
        for number in self._now:
            bits[number // 8] |= 1 << number % 8
        self._now.clear()
        return int.from_bytes(bits, "little")

    def number(self) -> int:
        """Gives out the next number."""
        self._last += 1
        return self._last


class _Finder(MetaPathFinder):
    def __init__(self, package: str, passed: Passed) -> None:
        self._package, self._passed = package, passed

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._package and not fullname.startswith(f"{self._package}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin, self._passed)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, passed: Passed) -> None:
        super().__init__(fullname, path)
        self._passed = passed

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = _Notes(self._passed).visit(ast.parse(self.get_data(path), path))
        code: CodeType = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        return code


class _Notes(ast.NodeTransformer):
    """Puts a note in front of each statement of a module."""

    def __init__(self, passed: Passed) -> None:
        self._passed = passed

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, self._note_all(block))
        return node

    def _note_all(self, block: list[ast.stmt]) -> list[ast.stmt]:
        noted: list[ast.stmt] = []
        for statement in block:
            if not _comes_first(statement):
                note = ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(self._passed.number())], [])
                noted.append(ast.copy_location(ast.Expr(note), statement))
            noted.append(statement)
        return noted


def _comes_first(statement: ast.stmt) -> bool:
    """Tells whether nothing may stand in front of a statement: a docstring, an import from the future."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
