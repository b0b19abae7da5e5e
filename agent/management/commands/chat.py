"""`manage.py chat`: the agent on a terminal, over the same use cases as every other client."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from agent.management.terminal import show_event
from agent.models import Run
from agent.runs import Ask, InteractionAnswer, run_execute, run_follow, run_start
from agent.runs.executor import owner_name
from agent.selectors import is_uuid, open_interaction_json
from agent.store.connection import close_async_client
from agent.store.threads import in_thread
from taskclasses.kernel.errors import CodedError

YES = ("y", "yes", "ok", "是", "好", "好的", "行", "可以", "确认")
NO = ("n", "no", "否", "不", "不要")


class Command(BaseCommand):
    help = "Talks to the agent. Confirmations take y, n or words; an empty line or end of input leaves."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", help="account (default: the first one)")
        parser.add_argument("--conversation", default="", help="id of a conversation to go on with")
        parser.add_argument("--backend", choices=("auto", "openai", "offline"))

    def handle(self, *args: Any, **options: Any) -> None:
        if options["backend"]:
            settings.AGENT_BACKEND = os.environ["AGENT_BACKEND"] = options["backend"]
        accounts = get_user_model().objects.order_by("pk")
        name = options["user"]
        user = accounts.filter(username=name).first() if name else accounts.first()
        if user is None:
            raise CommandError("no such account; `manage.py seed_demo` makes one")
        if options["conversation"] and not is_uuid(options["conversation"]):
            raise CommandError("a conversation id is a UUID")
        console = Console(highlight=False, soft_wrap=True)
        asyncio.run(_talk(console, user.pk, options["conversation"]))


async def _talk(console: Console, user_id: int, conversation_id: str) -> None:
    try:
        while True:
            interaction = await in_thread(open_interaction_json)(UUID(conversation_id)) if conversation_id else None
            line = await asyncio.to_thread(_read_line, _prompt(interaction))
            if not line:
                return
            ask = ask_for(line, conversation_id, interaction)
            try:
                run = (await run_start(user_id=user_id, ask=ask)).run
            except CodedError as refusal:
                console.print(f"{refusal.code} {refusal.info('zh')}", style="red", markup=False)
                if not conversation_id or refusal.code == 40401:
                    return
                continue
            conversation_id = str(run.conversation_id)
            await _follow(console, run)
            console.print(f"[{conversation_id}]", style="dim", markup=False)
    finally:
        await close_async_client()


def _read_line(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def _prompt(interaction: dict[str, Any] | None) -> str:
    if interaction is None:
        return "> "
    return {"confirm": "[y/n/…] ", "ask_user": "? "}.get(interaction["type"], "[y = 继续 / …] ")


def ask_for(line: str, conversation_id: str, interaction: dict[str, Any] | None) -> Ask:
    """Tells what a typed line means: y and n answer a card, an option's id chooses it, everything else is a message."""
    answer = _answer(line, interaction) if interaction else None
    message = "" if answer else line
    return Ask(message=message, conversation_id=conversation_id, answer=answer, route="terminal")


def _answer(line: str, interaction: dict[str, Any]) -> InteractionAnswer | None:
    word, identity = line.lower(), interaction["interaction_id"]
    if interaction["type"] == "ask_user":
        chosen = next((row["id"] for row in interaction.get("options", []) if row["id"] == line), None)
        return InteractionAnswer(identity, "reply", option=chosen) if chosen else None
    yes = {"confirm": "approve", "connection_recover": "resume"}[interaction["type"]]
    no = {"confirm": "reject", "connection_recover": "cancel"}[interaction["type"]]
    if word in YES:
        return InteractionAnswer(identity, yes)
    return InteractionAnswer(identity, no) if word in NO else None


async def _follow(console: Console, run: Run) -> None:
    """Executes the run beside its reader: this process may be the only one."""
    working = asyncio.create_task(run_execute(run.pk, owner=owner_name()))
    async for stamped in run_follow(run):
        show_event(console, stamped.to_document())
    await working
