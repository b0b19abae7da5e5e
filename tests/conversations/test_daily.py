"""The cases that only a long run plays are listed, and those of every run pass what all of them pass."""

from __future__ import annotations

import importlib
import sys

import pytest

from tests.conversations.checker import CHECKS, read_cases
from tests.conversations.daily import LANGUAGES, daily_cases, digest, other_cases, read_listed
from tests.conversations.thin import Passes, cover
from tests.kits.suite.passed import Passed


def test_the_list_names_cases_that_there_are():
    said = {digest(case) for language in LANGUAGES for case in read_cases(language)}
    gone = read_listed() - said
    assert not gone, "python -m tests.conversations.thin --strike"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cases_of_every_run_are_broad(language):
    daily, every = daily_cases(language), read_cases(language)
    assert len(daily) >= 150
    assert sum(len(case.turns) > 1 for case in daily) >= len(daily) // 3
    assert len(daily) + len(other_cases(language)) == len(every)
    for kind in CHECKS:
        expecting = [
            sum(f"{kind} " in f"{want} " for case in cases for want in case.wanted) for cases in (daily, every)
        ]
        assert expecting[0] >= min(expecting[1], 2), kind


@pytest.mark.parametrize(
    ("passes", "of_two", "names"),
    [
        ({"a": Passes(0b011, 1), "b": Passes(0b001, 1), "c": Passes(0b100, 1)}, 0, ["a", "c"]),
        ({"long": Passes(0b11, 3), "one": Passes(0b01, 1), "other": Passes(0b10, 1)}, 0, ["one", "other"]),
        ({"a": Passes(0b1, 1), "b": Passes(0b1, 1), "c": Passes(0b1, 1)}, 0b1, ["a", "b"]),
        ({"a": Passes(0b11, 1), "b": Passes(0b01, 1)}, 0b11, ["a", "b"]),
        ({"first": Passes(0b0011, 1), "needless": Passes(0b0111, 2), "last": Passes(0b1100, 1)}, 0, ["first", "last"]),
        ({"nothing": Passes(0, 1)}, 0, []),
    ],
)
def test_few_cases_pass_what_all_pass(passes, of_two, names):
    assert cover(passes, of_two) == names


MODULE = '''
"""Reads numbers."""

from __future__ import annotations


def read(numbers):
    """Reads them."""
    if not numbers:
        return "none"
    for one in numbers:
        if one > 9:
            return "many"
    else:
        return "few"
'''


def test_every_statement_that_is_passed_is_noted(tmp_path, monkeypatch):
    package = tmp_path / "watched_package"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf8")
    (package / "reader.py").write_text(MODULE, encoding="utf8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    passed = Passed("watched_package")
    reader = importlib.import_module("watched_package.reader")
    assert reader.__doc__ == "Reads numbers."
    assert reader.read.__doc__ == "Reads them."
    assert passed.take() == 0  # what is passed when a module is read belongs to nobody

    def passes(*numbers):
        return reader.read(numbers), passed.take().bit_count()

    # The tests of `if` and the loop are statements as well.
    assert [passes(), passes(3), passes(12), passes(1, 2, 3)] == [("none", 2), ("few", 4), ("many", 4), ("few", 4)]
