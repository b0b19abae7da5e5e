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
from smartmate.stores.probes import Probe, database_answers

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


DATABASE = Probe("the database for figures", database_answers)
WAIT_S = 1.0
"""How long the figures wait to hear of the database: less than a request may take before it is refused."""


def _is_silent() -> bool:
    try:
        return not DATABASE.begin().result(WAIT_S)
    except TimeoutError:
        return True


class RunsCollector(Collector):
    """Counts the open rows. A database that is away or silent leaves its figures out, and holds up no others."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        if _is_silent():
            logger.warning("the open rows could not be counted: the database does not answer")
            return
        for name, (meaning, rows) in open_rows().items():
            try:
                count = rows.count()
            except StorageError:
                logger.warning("%s could not be counted", name)
                continue
            yield GaugeMetricFamily(name, meaning, value=count)
