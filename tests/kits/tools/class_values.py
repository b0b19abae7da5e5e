"""A task class as a model writes it, whole and broken."""

from __future__ import annotations

import copy

from tests.kits.tools.cases import NEW_CLASS

NAME = "upsert_task_class"


def new_class(**changes):
    """The valid class of the cases with changes at `a__b__c` paths; None removes a field."""
    values = copy.deepcopy(NEW_CLASS)
    for path, value in changes.items():
        *owners, key = path.split("__")
        owner = values
        for name in owners:
            owner = owner[name]
        if value is None:
            owner.pop(key, None)
        else:
            owner[key] = value
    return values


BROKEN = [
    ({"task_class__name": None}, "task_class.name", "missing"),
    ({"task_class__name": "长" * 61}, "task_class.name", "too_long"),
    ({"task_class__mode": "someday"}, "task_class.mode", "bad_value"),
    ({"task_class__start_date": None}, "task_class.start_date", "missing"),
    ({"task_class__end_date": None}, "task_class.end_date", "missing"),
    ({"task_class__start_date": "16.3.2026"}, "task_class.start_date", "bad_value"),
    ({"task_class__end_date": "2026-03-01"}, "task_class.end_date", "bad_range"),
    ({"task_class__end_date": "2027-01-01"}, "task_class.end_date", "outside_semester"),
    ({"task_class__start_date": "2026-03-02", "task_class__end_date": "2026-03-09"},
     "task_class.end_date", "in_the_past"),
    ({"task_class__subject_type": "music"}, "task_class.subject_type", "bad_value"),
    ({"task_class__difficulty_level": "extreme"}, "task_class.difficulty_level", "bad_value"),
    ({"task_class__cognitive_intensity": "extreme"}, "task_class.cognitive_intensity", "bad_value"),
    ({"task_class__config__total_slots": None}, "task_class.config.total_slots", "missing"),
    ({"task_class__config__total_slots": 1}, "task_class.config.total_slots", "bad_value"),
    ({"task_class__config__total_slots": 9}, "task_class.config.total_slots", "bad_value"),
    ({"task_class__config__total_slots": 401}, "task_class.config.total_slots", "bad_value"),
    ({"task_class__config__strategy": "lazy"}, "task_class.config.strategy", "bad_value"),
    ({"task_class__config__excluded_slots": [7]}, "task_class.config.excluded_slots", "bad_value"),
    ({"task_class__config__excluded_slots": [1, 2, 3, 4, 5, 6]}, "task_class.config.excluded_slots", "excludes_all"),
    ({"task_class__config__excluded_days_of_week": [8]}, "task_class.config.excluded_days_of_week", "bad_value"),
    ({"task_class__config__excluded_days_of_week": [1, 2, 3, 4, 5, 6, 7]},
     "task_class.config.excluded_days_of_week", "excludes_all"),
    ({"items": None}, "items", "missing"),
    ({"items": []}, "items", "missing"),
    ({"items": [{"content": "x"}] * 101, "task_class__config__total_slots": 200}, "items", "too_long"),
    ({"items": [{"content": ""}, {"content": "b"}]}, "items.0.content", "missing"),
    ({"items": [{"content": "x" * 201}, {"content": "b"}]}, "items.0.content", "too_long"),
    ({"items": [{"content": "a", "duration": 5}, {"content": "b"}]}, "items.0.duration", "bad_value"),
    ({"items": [{"content": "a", "order": 1}, {"content": "b", "order": 1}]}, "items", "bad_order"),
]  # fmt: skip
