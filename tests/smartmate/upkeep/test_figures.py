"""Dashboard and alert rules ask for figures that exist, by labels that they have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client import REGISTRY

from smartmate.monitoring.open_rows import open_rows
from taskclasses.kernel.telemetry import metrics

pytestmark = pytest.mark.storeless

FOLDER = Path(__file__).resolve().parents[3] / "deploy" / "monitoring"
ENDINGS = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}


def known() -> dict[str, set[str]]:
    """Every name that `GET /metrics` may give, with its labels."""
    found: dict[str, set[str]] = {name: set() for name in open_rows()}
    collectors = {getattr(one, "_name", ""): one for one in vars(metrics).values() if hasattr(one, "_labelnames")}
    for family in REGISTRY.collect():
        if family.name in collectors:
            labels = {*collectors[family.name]._labelnames, *(["le"] if family.type == "histogram" else [])}
            found |= {family.name + ending: labels for ending in ENDINGS[family.type]}
    return found


def expressions() -> Iterator[str]:
    dashboard = json.loads((FOLDER / "dashboard.json").read_text())
    yield from (target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    rules = yaml.safe_load((FOLDER / "alerts.yaml").read_text())
    yield from (rule["expr"] for group in rules["groups"] for rule in group["rules"])


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_every_figure_that_is_asked_for_exists(expression: str) -> None:
    names = set(re.findall(r"\b(smartmate_\w+)", expression))
    assert names <= set(known())
    asked = {label.strip() for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(",")}
    for name, matchers in re.findall(r"\b(smartmate_\w+)\{([^}]*)\}", expression):
        assert set(re.findall(r"(\w+)[!=]", matchers)) <= known()[name]
    assert all(asked <= known()[name] for name in names)


def test_every_figure_is_drawn_or_watched() -> None:
    asked = {name for expression in expressions() for name in re.findall(r"\b(smartmate_\w+)", expression)}
    families = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in known()}
    assert families - {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in asked} == set()
