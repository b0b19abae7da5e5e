"""Figures of the runs that are read from SQL when they are asked for: equal in every process."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from django.db import Error as StorageError
from django.db.models import QuerySet
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from agent.models import PendingInteraction, Run

logger = logging.getLogger("smartmate.metrics")


def open_rows() -> dict[str, tuple[str, QuerySet[Any]]]:
    """Returns name -> (meaning, rows). Each is a search in a unique column that is null nearly everywhere."""
    return {
        "smartmate_runs_active": ("Runs queued or running", Run.objects.filter(active_for__isnull=False)),
        "smartmate_interactions_open": (
            "Questions that wait for an answer",
            PendingInteraction.objects.filter(open_for__isnull=False),
        ),
    }


class RunsCollector(Collector):
    """Counts the open rows. A database that is away leaves its figures out."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for name, (meaning, rows) in open_rows().items():
            try:
                count = rows.count()
            except StorageError:
                logger.warning("%s could not be counted", name)
                continue
            yield GaugeMetricFamily(name, meaning, value=count)
