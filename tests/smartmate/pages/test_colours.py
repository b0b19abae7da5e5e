"""The palette of the tasks: readable in both themes, its first hues told apart also by the colour-blind."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from tests.kits.page.colours import BLIND, contrast, difference, linear, seen_by, themes

pytestmark = pytest.mark.storeless
ROOT = Path(__file__).resolve().parents[3]
SHEET = ROOT / "agent/static/agent/css/tokens.css"
TOKENS = themes(SHEET)
HUES = range(8)


@pytest.mark.parametrize("theme", TOKENS)
@pytest.mark.parametrize("hue", HUES)
def test_a_task_is_readable_in_its_colour(theme: str, hue: int) -> None:
    colours = TOKENS[theme]
    fill, line, text, seal = (colours[f"k{hue}-{part}"] for part in ("fill", "line", "text", "seal"))
    assert contrast(text, fill) >= 7
    assert contrast(text, colours["surface"]) >= 4.5
    assert contrast(colours["seal-text"], seal) >= 4.5
    assert contrast(line, colours["surface"]) >= 3


@pytest.mark.parametrize("theme", TOKENS)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("ink", "bg"), ("ink", "surface"), ("ink-2", "bg"), ("ink-2", "sunken"), ("ink-3", "bg"), ("ink-3", "surface"),
        ("ink-3", "sunken"), ("on-act", "act"), ("on-now", "now"), ("ok", "ok-soft"), ("warn", "warn-soft"),
        ("bad", "bad-soft"), ("ok", "surface"), ("bad", "surface"), ("link", "surface"), ("course-text", "course"),
        ("course-2", "course"),
    ],
)  # fmt: skip
def test_text_stands_out_from_its_ground(theme: str, text: str, ground: str) -> None:
    assert contrast(TOKENS[theme][text], TOKENS[theme][ground]) >= 4.5


@pytest.mark.parametrize("theme", TOKENS)
@pytest.mark.parametrize("edge", ["edge", "now", "focus"])
def test_edges_that_mean_something_are_seen(theme: str, edge: str) -> None:
    assert contrast(TOKENS[theme][edge], TOKENS[theme]["surface"]) >= 3


@pytest.mark.parametrize("theme", TOKENS)
def test_all_hues_differ_for_those_who_see_them(theme: str) -> None:
    fills = [linear(TOKENS[theme][f"k{hue}-seal"]) for hue in HUES]
    assert min(difference(one, other) for one, other in combinations(fills, 2)) >= 10


@pytest.mark.parametrize("theme", TOKENS)
@pytest.mark.parametrize(("kind", "told_apart"), [("protanopia", 3), ("deuteranopia", 3), ("tritanopia", 2)])
def test_the_first_hues_differ_for_the_colour_blind(theme: str, kind: str, told_apart: int) -> None:
    """Two or three tasks are what most students plan at a time; the letter of the seal tells all the others apart."""
    assert kind in BLIND
    seals = [seen_by(TOKENS[theme][f"k{hue}-seal"], kind) for hue in range(told_apart)]
    assert min(difference(one, other) for one, other in combinations(seals, 2)) >= 10


def test_the_dark_of_the_system_and_the_dark_that_was_chosen_are_one() -> None:
    system, chosen = re.findall(r"color-scheme: dark;([^}]*)\}", SHEET.read_text(encoding="utf8"))
    assert system.split() == chosen.split()


def test_every_token_is_read() -> None:
    rooms = [ROOT / room for room in ("agent/static", "smartmate/static", "templates")]
    sheets = [path for room in rooms for path in room.rglob("*") if path.suffix in (".css", ".js", ".html")]
    said = "".join(path.read_text(encoding="utf8") for path in sheets)
    assert set(re.findall(r"(--[\w-]+):", said)) <= set(re.findall(r"var\((--[\w-]+)", said))
