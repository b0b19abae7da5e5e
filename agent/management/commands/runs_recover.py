"""`manage.py runs_recover`: one sweep by hand. Runs whose worker died become `interrupted`, to be taken up again."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from django.core.management.base import BaseCommand

from agent.runs import run_recover
from agent.runs.executor import owner_name
from agent.store.connection import close_async_client


class Command(BaseCommand):
    help = "Closes runs whose worker died, offers to continue them and wakes their readers. Idempotent."

    def handle(self, *args: Any, **options: Any) -> None:
        swept = async_to_sync(_sweep)()
        rows = {
            "interrupted": swept.interrupted,
            "cancelled": swept.cancelled,
            "abandoned": swept.abandoned,
            "sealed": swept.sealed,
            "woken": swept.woken,
            "failed": swept.failed,
        }
        for name, runs in rows.items():
            for run_id in runs:
                self.stdout.write(f"{name} {run_id}")
        self.stdout.write(f"expired questions: {len(swept.expired)}")
        self.stdout.write("nothing to recover" if swept.empty else "recovered")


async def _sweep() -> Any:
    try:
        return await run_recover(owner=owner_name())
    finally:
        await close_async_client()
