"""`manage.py replay_conversation`: plays recorded runs again and says where they part."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import Progress

from agent.llm.factory import model_from_settings
from agent.loop.errors import UnknownVersion
from agent.loop.outside.model import Model
from agent.management.terminal import show_event
from agent.runs.execution.deps import environment
from agent.runs.recording.journal import load_journal
from agent.runs.recording.replay import (
    Diverged,
    Replayed,
    first_difference,
    opening_of,
    parted_state,
    ports_apart,
    replay,
)
from agent.selectors import cut_archives_of, journals_of
from taskclasses.kernel.errors import GARBAGE


class Command(BaseCommand):
    help = "Replays the recorded runs of a conversation with the recorded, the offline or a real model."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("conversation_id")
        parser.add_argument("--run", type=int, help="ordinal of one run (default: all)")
        parser.add_argument("--model", choices=("recorded", "offline", "openai"), default="recorded")
        parser.add_argument("--diff", action="store_true", help="print only the first difference; exit 1 on one")
        parser.add_argument("--speed", type=float, default=0.0, help="scales the recorded pauses (0 = none)")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = journals_of(options["conversation_id"], number=options["run"])
        cut = cut_archives_of(options["conversation_id"], number=options["run"])
        if not rows and not cut:
            raise CommandError("no recorded run: unknown conversation, or the journal was deleted")
        console = Console(highlight=False, soft_wrap=True)
        for number, first, count in cut:
            console.print(f"run {number}: the events before {first} were lost, {count} are archived", markup=False)
        parted = False
        with Progress(console=Console(stderr=True), disable=not options["diff"]) as progress:
            for number, row in progress.track(rows, description="replay"):
                try:
                    document = load_journal(row)
                    result = asyncio.run(_play(document, options, console))
                    parted |= self._judge(console, number, document, result, options)
                except (UnknownVersion, *GARBAGE) as error:
                    # The others are played all the same.
                    why = f"the recording cannot be played: {type(error).__name__}: {error}"
                    console.print(f"run {number}: {why}", markup=False)
                    parted = True
        if parted:
            raise SystemExit(1)

    def _judge(self, console: Console, number: int, document: Any, result: Replayed, options: Any) -> bool:
        """Prints what differs; True when that is a failure."""
        for note in result.notes:
            console.print(f"run {number}: {note}", markup=False)
        if options["model"] != "recorded":
            self._compare_facts(console, number, document["facts"], result.facts)
            return bool(result.failure)
        found = result.failure or first_difference(document["events"][opening_of(document) :], result.events)
        if not found and (parts := parted_state(document, result)):
            found = f"the final state is not the recorded one: {parts}"
        console.print(f"run {number}: {found or 'equal'}", markup=False)
        if found and (apart := ports_apart(document)):
            console.print(f"run {number}: {apart}", markup=False)
        return bool(found or result.notes) and options["diff"]

    def _compare_facts(self, console: Console, number: int, recorded: Any, again: Any) -> None:
        for name in ("calls", "outcome", "placements", "cost"):
            same = recorded.get(name) == again.get(name)
            shown = "equal" if same else f"recorded {recorded.get(name)}, replayed {again.get(name)}"
            console.print(f"run {number}: {name}: {shown}", markup=False)


async def _play(document: Any, options: Any, console: Console) -> Replayed:
    times = iter([event["ts"] for event in document["events"][opening_of(document) :]])
    before = document["events"][0]["ts"]

    async def seen(event: Any) -> None:
        nonlocal before
        at = next(times, before)
        if options["speed"] and at > before:
            await asyncio.sleep((at - before) * options["speed"])
        before = at
        if not options["diff"]:
            show_event(console, event)

    try:
        return await replay(document, model=_model(options["model"]), seen=seen)
    except Diverged as diverged:
        return Replayed(failure=str(diverged))


def _model(name: str) -> Model | None:
    return None if name == "recorded" else model_from_settings({**environment(), "AGENT_BACKEND": name})
