"""A recorded run plays again, event by event; a changed recording is found."""

from __future__ import annotations

import itertools
import json
import zlib
from dataclasses import fields, replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from redis import RedisError

from agent.calls.ports import Ports
from agent.loop.events import Stamped
from agent.loop.outside.deps import Deps
from agent.loop.prompt.files import prompts_digest
from agent.models import Run, RunJournal, TimelineItem
from agent.runs import Ask, run_execute, run_recover, run_start
from agent.runs.execution.deps import build_deps, shared_model
from agent.runs.execution.session import RunSession
from agent.runs.recording.journal import load_journal
from agent.runs.recording.replay import (
    Diverged,
    first_difference,
    opening_of,
    parted_state,
    ports_apart,
    replay,
)
from agent.store.threads import in_thread
from tests.kits.agent.folding import fold
from tests.kits.agent.plans import MESSAGE, run_to_end
from tests.kits.budgets import KIND
from tests.kits.suite.stores import on_mysql

pytestmark = pytest.mark.django_db(transaction=True)
EVERY = 1 if KIND == "long" and not on_mysql() else 4 if on_mysql() else 2
"""How many places apart a run is stopped: what a store does is the same at neighbouring places."""


@pytest.fixture
async def journal(user: Any, semester: Any, settings: Any) -> Any:
    settings.AGENT_BACKEND = "offline"
    shared_model.cache_clear()
    run = (await run_start(user_id=user.pk, ask=Ask(message="你好"))).run
    await run_execute(run.pk, owner="test")
    shared_model.cache_clear()
    return load_journal(await in_thread(RunJournal.objects.get)(run=run))


async def nothing(event: Any) -> None:
    """A reader that looks away."""


async def test_it_gives_the_same_events_and_state(journal: Any) -> None:
    again = await replay(journal, seen=nothing)
    assert first_difference(journal["events"][1:], again.events) == ""
    assert parted_state(journal, again) == ""
    assert again.notes == []
    assert again.facts == journal["facts"]


async def test_who_has_heard_the_end_finds_the_recording(journal: Any) -> None:
    run = await in_thread(Run.objects.select_related("journal").get)(pk=journal["run_id"])
    assert run.journal.created_at <= run.closed_at
    assert journal["events"][-1]["idx"] == run.next_idx - 1


async def test_a_recording_of_an_older_release_is_played_and_its_ports_are_told(journal: Any) -> None:
    """Ports and limits that are gone stop nothing; those that are new are named where the replay parts."""
    settings = journal["settings"]
    assert ports_apart({"settings": {**settings, "ports": [one.name for one in fields(Ports)]}}) == ""
    older = {**settings, "ports": ["web_search", "old_port"], "limits": {**settings["limits"], "old_limit": 1}}
    again = await replay({**journal, "settings": older}, seen=nothing)
    assert first_difference(journal["events"][1:], again.events) == ""
    told = ports_apart({"settings": older})
    assert "has no answers of: change_preferences" in told
    assert told.endswith("has answers of ports that are gone: old_port")


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (None, "error: "),
        ({"events": []}, "IndexError: "),
        ({"facts": None}, "AttributeError: "),
    ],
    ids=["bytes", "no_events", "no_facts"],
)
async def test_a_recording_that_cannot_be_read_holds_up_no_other(
    journal: Any, capsys: Any, damage: Any, told: str
) -> None:
    run = await in_thread(Run.objects.get)(pk=journal["run_id"])
    second = (
        await run_start(
            user_id=(await in_thread(lambda: run.conversation.user_id)()),
            ask=Ask(message="你好", conversation_id=str(run.conversation_id)),
        )
    ).run
    await run_execute(second.pk, owner="test")
    left = b"damaged" if damage is None else zlib.compress(json.dumps({**journal, **damage}).encode())
    await in_thread(RunJournal.objects.filter(run=run).update)(document=left)
    with pytest.raises(SystemExit):
        await in_thread(call_command)("replay_conversation", str(run.conversation_id), "--diff", "--model", "offline")
    lines = capsys.readouterr().out.split("\n")
    assert any(line.startswith(f"run 1: the recording cannot be played: {told}") for line in lines)
    assert "run 2: outcome: equal" in lines


async def test_it_names_the_prompts_and_the_model_of_the_run(journal: Any) -> None:
    assert journal["settings"]["prompts"] == prompts_digest()
    assert journal["settings"]["model"] == "offline"
    assert journal["settings"]["limits"]["rounds"] == 60


async def test_the_rows_of_the_timeline_are_the_fold_of_the_events(journal: Any) -> None:
    folded = fold([Stamped.from_document(event) for event in journal["events"]])
    rows = await in_thread(list)(TimelineItem.objects.exclude(kind="user_text").order_by("seq"))
    fields = ("kind", "role", "stage", "block_id", "content", "payload", "idx_from", "idx_to", "created_at")
    assert [[getattr(row, name) for name in fields] for row in rows] == [
        [getattr(item, name) for name in fields] for item in folded
    ]
    assert rows


async def test_an_altered_delta_is_reported_at_its_place(journal: Any) -> None:
    deltas = journal["model_calls"][0]["deltas"]
    spoken = next(d for d in deltas if d["kind"] == "Text" and "我" in d["text"])
    spoken["text"] = spoken["text"].replace("我", "你", 1)
    again = await replay(journal, seen=nothing)
    found = first_difference(journal["events"][1:], again.events)
    assert "(text.delta) at .content" in found


async def test_a_changed_prompt_is_noted(journal: Any) -> None:
    journal["model_calls"][0]["messages"][0] = "0" * 16
    assert len((await replay(journal, seen=nothing)).notes) == 1


async def test_a_missing_answer_ends_the_replay(journal: Any) -> None:
    journal["tapes"]["timer"] = []
    again = await replay_or_failure(journal)
    assert again


async def replay_or_failure(journal: Any) -> str:
    try:
        again = await replay(journal, seen=nothing)
    except Diverged as diverged:
        return str(diverged)
    return first_difference(journal["events"][1:], again.events)


async def test_another_model_makes_the_same_decisions(journal: Any) -> None:
    from agent.llm.offline.backend import OfflineModel

    again = await replay(journal, model=OfflineModel(), seen=nothing)
    assert again.facts == journal["facts"]


async def test_a_recording_is_kept_for_its_time(journal: Any, settings: Any) -> None:
    await run_recover(owner="sweeper")
    assert await in_thread(RunJournal.objects.count)() == 1
    settings.AGENT_JOURNAL_DAYS = 0
    await run_recover(owner="sweeper")
    assert await in_thread(RunJournal.objects.count)() == 0
    assert await in_thread(Run.objects.count)() == 1


async def test_a_replay_writes_no_row(journal: Any) -> None:
    before = await in_thread(Run.objects.count)()
    await replay(journal, seen=nothing)
    assert await in_thread(Run.objects.count)() == before


def test_the_commands_refuse_what_they_do_not_know(db: None) -> None:
    for command in (["replay_conversation", "nope"], ["chat", "--user", "nobody"]):
        with pytest.raises(CommandError):
            call_command(*command)


async def broken_at(user: Any, method: str, place: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The recording of a run whose worker met a dead store at the `place`-th call of `method`; None if it met none."""
    whole, count = getattr(RunSession, method), 0

    async def breaking(session: RunSession, *arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count == place and method == "emit":  # the event is known here, and storage has not taken it
            session._take(session.stamp(arguments)[0])
        if count == place:
            raise RedisError("gone")
        return await whole(session, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(RunSession, method, breaking)
        run = (await run_start(user_id=user.pk, ask=Ask(message=MESSAGE))).run
        await run_execute(run.pk, owner="test")
    row = await in_thread(RunJournal.objects.get)(run=run)
    return load_journal(row) if count >= place else None


@pytest.mark.parametrize(("method", "every"), [("emit", 4), ("save", 1), ("read_draft", 1)])
async def test_a_run_that_met_a_dead_store_plays_again(
    method: str, every: int, planner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever that was: the recording holds the failure, and what the end of the run closed."""
    place = 1
    while journal := await broken_at(planner, method, place, monkeypatch):
        again = await replay(journal, seen=nothing)
        found = first_difference(journal["events"][opening_of(journal) :], again.events)
        assert (found, parted_state(journal, again)) == ("", ""), place
        place += every
    assert place > 1


class Cancelling:
    """A student who stops the run just before its loop looks for the `place`-th time."""

    def __init__(self, place: int) -> None:
        self.place, self.looked = place, 0

    def __call__(self) -> bool:
        self.looked += 1
        return self.looked >= self.place


async def test_a_run_that_was_stopped_anywhere_plays_again(planner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever its loop was when it looked and saw the cancel."""
    for place in itertools.count(1, EVERY):
        cancelling = Cancelling(place)

        async def building(session: RunSession, cancelling: Cancelling = cancelling) -> Deps:
            return replace(await build_deps(session), cancelled=cancelling)

        with monkeypatch.context() as patched:
            patched.setattr("agent.runs.execution.execute.build_deps", building)
            run = (await run_start(user_id=planner.pk, ask=Ask(message=MESSAGE))).run
            await run_execute(run.pk, owner="test")
        if cancelling.looked < place:
            break
        journal = load_journal(await in_thread(RunJournal.objects.get)(run=run))
        again = await replay(journal, seen=nothing)
        found = first_difference(journal["events"][opening_of(journal) :], again.events)
        assert (found, parted_state(journal, again)) == ("", ""), place
    assert place > 3


async def test_the_part_of_the_state_that_is_not_as_recorded_is_named(journal: Any) -> None:
    journal["state_digests"]["run.news"] = "0123456789abcdef"
    assert parted_state(journal, await replay(journal, seen=nothing)) == "run.news"


async def test_the_first_thing_that_is_missing_is_named(journal: Any) -> None:
    """The loop takes it for a failure of its own, asks how to recover, and misses more on that way."""
    journal["calls"]["save"] = []
    with pytest.raises(Diverged, match="no more answers of save"):
        await replay(journal, seen=nothing)


async def test_a_run_about_a_wish_plays_again(planner: Any) -> None:
    await run_to_end(planner, Ask(message=MESSAGE))
    run = await run_to_end(planner, Ask(message="周日轻松一点"))
    recorded = load_journal(await in_thread(RunJournal.objects.get)(run=run))
    assert recorded["calls"]["tool.preferences"]
    again = await replay(recorded, seen=nothing)
    assert first_difference(recorded["events"][opening_of(recorded) :], again.events) == ""
