"""Reads the figures of a server as Prometheus does."""

from __future__ import annotations

from typing import Any

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.kits.servers.server import METRICS_TOKEN

Sample = tuple[str, frozenset[tuple[str, str]]]


def scrape(server: Any) -> dict[Sample, float]:
    """Value by (name, labels) of our own figures, without what the scrapes themselves add."""
    answer = httpx.get(f"{server.base_url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}, timeout=30)
    assert answer.status_code == 200, answer.text[:300]
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    samples = (sample for family in text_string_to_metric_families(answer.text) for sample in family.samples)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for sample in samples
        if sample.name.startswith("smartmate_") and sample.labels.get("route") != "/metrics"
    }
