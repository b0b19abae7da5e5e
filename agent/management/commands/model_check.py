"""`manage.py model_check`: what the configured model can do, asked of it. Keeps the protocol that works best."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync
from django.core.management.base import BaseCommand, CommandError

from agent.llm.factory import backend_of
from agent.llm.openai.backend import Endpoint
from agent.llm.openai.check import Finding, check_model
from agent.llm.openai.knowledge import Knowledge
from agent.llm.openai.profiles import profile_for, read_profiles
from agent.runs.execution.deps import environment
from agent.store.connection import close_async_client
from agent.store.model_facts import RedisFacts


class Command(BaseCommand):
    help = (
        "Asks the configured model a few small things: key, streaming, usage, JSON, schemas, tools, thinking, latency."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        settings = environment()
        if backend_of(settings) == "offline":
            self.stdout.write("no model is configured: the fixed rules answer (AGENT_BACKEND, OPENAI_API_KEY)")
            return
        endpoint = Endpoint(
            model=str(settings.get("OPENAI_MODEL") or "gpt-4o-mini"),
            base_url=str(settings.get("OPENAI_BASE_URL") or ""),
            api_key=str(settings.get("OPENAI_API_KEY") or ""),
        )
        found = async_to_sync(_check)(endpoint, str(settings.get("AGENT_MODEL_PROFILES") or ""))
        self.stdout.write(f"model {endpoint.model}")
        for row in found:
            self.stdout.write(f"{'yes' if row.works else 'no ':3} {row.name:12} {row.detail}".rstrip())
        if not found[0].works:
            raise CommandError("the model does not answer")


async def _check(endpoint: Endpoint, profiles: str) -> list[Finding]:
    try:
        profile = profile_for(endpoint.model, read_profiles(profiles))
        return await check_model(endpoint, Knowledge(RedisFacts()), profile)
    finally:
        await close_async_client()
