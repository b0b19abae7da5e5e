"""Replays every recorded run of a database in a process of its own: `manage.py shell -c` runs this file's text.

Prints one JSON line: how many runs were replayed, and by run what was not as recorded.
"""

import asyncio
import json
import sys

from agent.models import RunJournal
from agent.runs.recording.journal import load_journal
from agent.runs.recording.replay import Diverged, first_difference, opening_of, parted_state, replay


async def ignored(event):
    """Nobody looks at the events while they are played."""


def difference(document):
    """What a replay does otherwise than the recording; "" when nothing."""
    try:
        again = asyncio.run(asyncio.wait_for(replay(document, seen=ignored), 60))
    except (Diverged, TimeoutError) as failure:
        return f"{type(failure).__name__} {failure}"
    found = first_difference(document["events"][opening_of(document) :], again.events) or "; ".join(again.notes)
    return found or parted_state(document, again)


ids = list(RunJournal.objects.order_by("created_at").values_list("pk", flat=True))
parted = {}
for pk in ids:
    recorded = load_journal(RunJournal.objects.get(pk=pk))
    if why := difference(recorded):
        parted[recorded["run_id"]] = why
sys.stdout.write(json.dumps({"replayed": len(ids), "parted": parted}) + "\n")
