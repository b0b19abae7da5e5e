"""The page judges places as the planner does: by the table of places, and everywhere else in its window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

from schedules.planner.draft.operations import SwapOp, judge
from schedules.planner.draft.preview import preview
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import Place
from schedules.planner.rules.placement import DERIVE, PREFERENCES
from tests.kits.planner.places import TABLE, draft, place_of, row_of
from tests.kits.tools.world import CALENDAR

STATIC = Path(__file__).parents[2] / "agent" / "static" / "agent"
STATE = draft()
SCENE = {
    "preview": preview(STATE, calendar=CALENDAR),
    "semester": {"first_monday": CALENDAR.first_monday.isoformat(), "closed_days": TABLE["closed_days"]},
    "classes": TABLE["task_classes"],
    "sections": STATE.grid.sections,
}
JUDGE = """async ([scene, places]) => {
  const [{ Draft }, { ClassRules }] = await Promise.all([import("/week/draft.js"), import("/week/class-rules.js")]);
  const draft = new Draft();
  draft.load(scene.preview);
  draft.rules = new ClassRules(scene.semester, scene.classes);
  for (const one of scene.classes) draft.order.set(one);
  return places.map(({ item, place }) => {
    const { ok, reason, host, swap, warning } = draft.judge(draft.handle(item), place, scene.sections);
    return { ok: ok && !swap, reason, host, swaps_with: swap ? swap.entry.task_item_id : 0, warning: warning || "" };
  });
}"""


def serve(route: Route) -> None:
    name = urlsplit(route.request.url).path.lstrip("/")
    if name:
        route.fulfill(path=STATIC / name, content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html>", content_type="text/html")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that holds nothing but the modules under test."""
    opened = browser.new_page()
    opened.route("**/*", serve)
    opened.goto("http://places.test/")
    yield opened
    opened.close()


def test_the_page_agrees_with_every_row_of_the_table(page: Page) -> None:
    cases = TABLE["cases"]
    verdicts = page.evaluate(JUDGE, [SCENE, [{"item": one["item"], "place": row_of(place_of(one))} for one in cases]])
    for case, verdict in zip(cases, verdicts, strict=True):
        says = case["says"]
        assert verdict["swaps_with"] == case.get("swaps_with", 0), says
        binding = [rule for rule in case["broken"] if rule not in PREFERENCES]
        assert verdict["ok"] == (not binding), says
        assert verdict["host"] == case.get("host", 0) or verdict["swaps_with"] or verdict["warning"], says
        if binding and not verdict["swaps_with"]:
            assert verdict["reason"] in [case.get("page"), *case["broken"]], says
        if not binding:
            assert verdict["warning"] == (case["broken"] or [""])[0], says


def movable() -> list[TaskEntry]:
    return [entry for entry in STATE.items() if entry.status != "existing"]


def every_place(entry: TaskEntry) -> list[Place]:
    days = range(STATE.window.first_day - 1, STATE.window.last_day + 2)
    return [Place(day, first, entry.duration) for day in days for first in range(STATE.grid.sections + 1)]


def partner_at(state: ScheduleState, place: Place) -> TaskEntry | None:
    found = (entry for entry in state.items() if entry.status == "suggested" and state.place_of(entry) == place)
    return next(found, None)


def judged(entry: TaskEntry, place: Place) -> dict[str, Any]:
    """What the planner says: legal or not, the host, and the suggestion it would change places with."""
    spots, broken = judge(STATE, {entry.source_id: (place, DERIVE)})
    binding = [one for one in broken.get(entry.source_id, ()) if not one.is_preference]
    legal, partner = not binding, partner_at(STATE, place)
    swap = partner is not None and partner is not entry and not legal and entry.status == "suggested"
    if swap and partner is not None and SwapOp(entry.state_id, partner.state_id).check(STATE) is None:
        return {"ok": False, "swaps_with": partner.source_id}
    return {"ok": legal, "swaps_with": 0, "host": (spots[entry.source_id].host_event_id or 0) if legal else 0}


def test_the_page_agrees_with_the_planner_on_every_place_of_every_item(page: Page) -> None:
    asked = [(entry, place) for entry in movable() for place in every_place(entry)]
    places = [{"item": entry.source_id, "place": row_of(place)} for entry, place in asked]
    verdicts = page.evaluate(JUDGE, [SCENE, places])
    wrong = []
    for (entry, place), verdict in zip(asked, verdicts, strict=True):
        wanted = judged(entry, place)
        if {name: verdict[name] for name in wanted} != wanted:
            wrong.append((entry.source_id, row_of(place), wanted, verdict))
    assert wrong == []
    assert len(asked) > 1500
