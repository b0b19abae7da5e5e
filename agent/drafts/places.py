"""USE CASE: where one item may go, all over the semester, in one answer."""

from __future__ import annotations

from agent.drafts.scene import ChosenItem, Scene, scene_load
from agent.shapes import LegalPlaces, PlaceReason, PlacesOfWeek, PlaceVerdict, SwapPlace
from schedules.planner.draft.operations import SwapOp
from schedules.planner.draft.verdicts import VerdictTable, verdicts_of
from schedules.planner.grid import day_json
from schedules.planner.rules.plain_sentences import plain_sentence
from schedules.planner.rules.violations import Violation


def legal_places_get(*, item: ChosenItem, locale: str) -> LegalPlaces:
    """Returns every place of the semester for one item: legal, to be had with a warning, or what forbids it."""
    scene = scene_load(item)
    entry = scene.entry
    table = verdicts_of(scene.state, entry)
    told = _Told(scene, locale)
    verdicts = [told.verdict(one.kind, one.host_event_id, one.violations) for one in table.verdicts]
    return {
        "task_item_id": entry.source_id,
        "task_class_id": entry.task_class_id or 0,
        "sections": entry.duration,
        "revision": scene.revision,
        "weeks": _weeks(table),
        "verdicts": verdicts,
        "reasons": told.reasons,
        "swaps": _swaps(scene),
    }


def _swaps(scene: Scene) -> list[SwapPlace]:
    """Returns the suggestions of its length that the item may change places with."""
    state, entry = scene.state, scene.entry
    if entry.status != "suggested" or entry.pinned:
        return []
    found: list[SwapPlace] = []
    for other in state.items():
        place = state.place_of(other)
        if place is None or other.status != "suggested" or other.pinned or other.duration != entry.duration:
            continue
        if SwapOp(entry.state_id, other.state_id).check(state) is None:
            row: SwapPlace = {**day_json(place.day), "section": place.first, "task_item_id": other.source_id}
            found.append(row)
    return found


def _weeks(table: VerdictTable) -> list[PlacesOfWeek]:
    weeks: list[PlacesOfWeek] = []
    every = [one.kind for one in table.verdicts]
    for number, days in enumerate((table.cells[at : at + 7] for at in range(0, len(table.cells), 7)), 1):
        kinds = [every[index] for day in days for index in day]
        weeks.append(
            {
                "week": number,
                "legal": kinds.count("legal"),
                "warned": kinds.count("warned"),
                "cells": [list(day) for day in days],
            }
        )
    return weeks


class _Told:
    """Collects sentences of broken rules, each once."""

    def __init__(self, scene: Scene, locale: str) -> None:
        self.calendar, self.locale = scene.semester.calendar, locale
        self.reasons: list[PlaceReason] = []
        self._numbers: dict[tuple[str, str], int] = {}
        self._known: dict[tuple[str, str], int] = {}

    def verdict(self, kind: str, host: int | None, violations: tuple[Violation, ...]) -> PlaceVerdict:
        return {"kind": kind, "embed_course_event_id": host or 0, "reasons": [self._number(one) for one in violations]}

    def _number(self, violation: Violation) -> int:
        known = violation.rule.value, repr(violation.params)
        if known not in self._known:
            self._known[known] = self._told_number(violation)
        return self._known[known]

    def _told_number(self, violation: Violation) -> int:
        message = plain_sentence(violation, self.calendar, self.locale)
        key = violation.rule.value, message
        if key not in self._numbers:
            self._numbers[key] = len(self.reasons)
            row: PlaceReason = {"code": str(violation.rest_code), "rule": violation.rule.value, "message": message}
            self.reasons.append(row)
        return self._numbers[key]
