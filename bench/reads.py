"""What a read costs, with a draft of many items: asked for the first time, again, and by who has the answer.

    [script/services run] python -m bench.reads [--items 225 500] [--rounds N]

A database of its own with the demo's term and as many items as named, in a draft that moves many. CPU milliseconds of
this process, from the request to the answer, the mean of the rounds; `first` after a write, `again` without one, `304`
with the tag of the answer. Garbage is collected as in a process that serves. Printed, never asserted.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from bench.term import NOW, Term  # sets the environment of the rest

from django.core.management import call_command  # isort: skip
from django.test.utils import override_settings  # isort: skip
from django.utils import timezone  # isort: skip

from schedules.selectors import semester_get  # isort: skip
from schedules.services.lock import timetable_lock  # isort: skip
from taskclasses.kernel.database.transactions import run_transaction  # isort: skip
from taskclasses.models import TaskClass  # isort: skip

CLASSES_OF = 12
"""Items of one class."""


class Reads:
    """One student with a draft of so many items, and what is read of it."""

    def __init__(self, items: int) -> None:
        self.term = term = Term()
        dates = {"start_date": "2026-04-13", "end_date": "2026-07-19"}
        names = [f"任务 {number}" for number in range(max(0, items - 45) // CLASSES_OF)]
        for name in names:
            rows = [{"order": order, "content": f"{name}.{order}"} for order in range(1, CLASSES_OF + 1)]
            term.ask("POST", "task-class", {"name": name, **dates, "items": rows})
        ids = list(TaskClass.objects.filter(user=term.user, name__in=names).values_list("pk", flat=True))
        for at in range(0, len(ids), 10):
            term.plan(ids[at : at + 10])
        draft = term.ask("POST", "agent/replan", {"kind": "ill", "from_date": "2026-03-26", "to_date": "2026-04-30"})
        conversation = draft["conversation_id"]
        self.paths = {
            "preview": f"agent/schedule-preview?conversation_id={conversation}",
            "state": f"agent/conversations/{conversation}/state",
            "week": "schedule/week?week=8",
            "batches": "schedule/batches",
        }

    def write(self) -> None:
        """A write of the timetable that changes nothing."""
        semester = semester_get(self.term.user.pk, self.term.semester.pk)
        assert semester is not None
        run_transaction(lambda: timetable_lock(user_id=self.term.user.pk, semester=semester))

    def get(self, path: str, tag: str = "") -> Any:
        headers = {"If-None-Match": tag} if tag else {}
        answer = self.term.client.get(f"/api/v1/{path}", headers=headers)
        assert answer.status_code == (304 if tag else 200), (path, answer.status_code)
        return answer


def mean_ms(call: Callable[[], Any], rounds: int, before: Callable[[], Any] = lambda: None) -> float:
    spent = 0.0
    for _ in range(rounds):
        before()
        begin = time.process_time()
        call()
        spent += time.process_time() - begin
    return 1000 * spent / rounds


def measure(items: int, rounds: int) -> None:
    reads = Reads(items)
    gc.collect()
    gc.freeze()
    shown = json.loads(reads.get(reads.paths["preview"]).content)["data"]["hybrid_entries"]
    print(f"{len([row for row in shown if row['type'] == 'task'])} items of {len(shown)} entries")
    print(f"  {'':<10} {'first':>7} {'again':>7} {'304':>7}")
    for name, path in reads.paths.items():
        tag = reads.get(path).get("ETag", "")
        first = mean_ms(lambda path=path: reads.get(path), rounds, reads.write)  # type: ignore[misc]
        again = mean_ms(lambda path=path: reads.get(path), rounds)  # type: ignore[misc]
        known = float("nan")
        if tag:
            tag = reads.get(path)["ETag"]
            known = mean_ms(lambda path=path, tag=tag: reads.get(path, tag), rounds)  # type: ignore[misc]
        print(f"  {name:<10} {first:>7.1f} {again:>7.1f} {known:>7.1f}", flush=True)
    reads.term.user.delete()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[45, 225, 500])
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    call_command("migrate", verbosity=0)
    timezone.now = lambda: NOW + timedelta(seconds=30)  # type: ignore[assignment]
    with override_settings(ALLOWED_HOSTS=["*"]):
        for items in options.items:
            measure(items, options.rounds)


if __name__ == "__main__":
    main()
