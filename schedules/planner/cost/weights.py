"""The weights of the objective: the only place where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

WEIGHTS: Mapping[str, int] = MappingProxyType(
    {
        "target_gap": 100,
        "target_knee": 20,
        "target_cap": 2000,
        "rapid_span": 60,
        "rapid_day_min": 2,
        "cluster": 40,
        "cluster_adjacent": 15,
        "load": 1,
        "overload": 3,
        "overload_halves": 16,
        "buffer": 30,
        "buffer_free": 2,
        "switch": 6,
        "heavy_adjacent": 60,
        "long_run": 40,
        "long_run_sections": 4,
        "fit_evening_high": 10,
        "fit_filler_high": 25,
        "fit_late": 5,
        "slack": 10,
        "slack_days_max": 3,
        "wish_section": 60,
        "wish_day": 400,
        "wish_crowd": 20,
        "unplaced_section": 10_000_000,
        "unplaced_before_sibling": 1000,
    }
)
