"""`manage.py evaluate_model`: the configured model plays jobs on throw-away accounts; rules check their ends."""

from __future__ import annotations

import asyncio
import os
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress

from agent.evaluation.jobs import Job, chosen_jobs
from agent.evaluation.play import Played, play_job
from agent.evaluation.report import report_of, to_html, to_json
from agent.runs.execution.deps import shared_model
from agent.store.connection import close_async_client


class Command(BaseCommand):
    help = "Judges the configured model: success, writes nobody confirmed, corrections, tokens, regret of its choices."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--backend", choices=("auto", "openai", "offline"))
        parser.add_argument("--jobs", default="", help="names or kinds, parted by commas (default: all)")
        parser.add_argument("--parallel", type=int, default=4, help="jobs at the same time")
        parser.add_argument("--out", default="evaluation", help="writes OUT.json and OUT.html")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["backend"]:
            settings.AGENT_BACKEND = os.environ["AGENT_BACKEND"] = options["backend"]
            shared_model.cache_clear()
        jobs = chosen_jobs(options["jobs"])
        if not jobs:
            kinds = sorted({job.kind for job in chosen_jobs("")})
            raise CommandError(f"no job begins like that, and the kinds are: {', '.join(kinds)}")
        console = Console(stderr=True, highlight=False)
        results = asyncio.run(_play_all(jobs, max(1, options["parallel"]), timezone.localdate(), console))
        report = report_of(shared_model().name, results)
        out = Path(options["out"])
        out.with_suffix(".json").write_text(to_json(report), encoding="utf8")
        out.with_suffix(".html").write_text(to_html(report), encoding="utf8")
        self.stdout.write(f"model: {report['model']}")
        for name, value in report["figures"].items():
            self.stdout.write(f"{name.replace('_', ' ')}: {value}")
        for one in results:
            if not one.passed:
                why = "; ".join([*one.missed, *(f"unconfirmed {name}" for name in one.unconfirmed), one.error])
                self.stdout.write(f"failed {one.job.name}: {why.strip('; ')}")


async def _play_all(jobs: list[Job], parallel: int, today: date, console: Console) -> list[Played]:
    """Returns the results in the sequence of the jobs."""
    places = asyncio.Semaphore(parallel)
    try:
        with Progress(console=console) as progress:
            bar = progress.add_task("jobs", total=len(jobs))

            async def play(job: Job) -> Played:
                async with places:
                    played = await play_job(job, today=today)
                progress.advance(bar)
                return played

            return list(await asyncio.gather(*map(play, jobs)))
    finally:
        await close_async_client()
