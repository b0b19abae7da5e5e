"""The stored document: byte-equal round trips, migrations, parts by lifetime, rebase."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.loop.errors import LeaseLost, UnknownVersion
from agent.loop.events import Stamped
from agent.loop.interactions import Request, Resume
from agent.loop.state.agent_state import AgentState
from agent.loop.state.draft import LOG_LENGTH, DraftPart
from agent.loop.state.migrations import VERSION, migrate_document, migrate_draft
from schedules.planner.grid import day_number
from taskclasses.kernel.canonical_json import canonical_json
from tests.kits.loop.chat import Chat, build, execute, improvable, route, told, two_classes, world
from tests.kits.loop.deaths import dying_at, recovery, whole
from tests.kits.loop.goals import built, carded
from tests.kits.loop.world import course, task_class

SAMPLES = Path(__file__).parent / "samples"


async def test_saving_loading_and_saving_is_byte_equal() -> None:
    for chat in (await carded(), await improvable()):
        document = chat.world.document
        assert document is not None
        again = AgentState.from_document(json.loads(canonical_json(document)))
        assert canonical_json(again.to_document()) == canonical_json(document)


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("state_v*.json")), ids=lambda path: path.stem)
def test_every_stored_sample_is_read(sample: Path) -> None:
    document = json.loads(sample.read_text(encoding="utf-8"))
    state = AgentState.from_document(document)
    assert state.to_document()["version"] == VERSION
    assert state.conversation.id


def test_a_draft_part_alone_is_read_from_every_version() -> None:
    """Another process may have saved the draft under a run; it need not be of our version."""
    for sample in SAMPLES.glob("state_v*.json"):
        document = json.loads(sample.read_text(encoding="utf-8"))
        part = DraftPart.from_document(migrate_draft(document["draft"], found=document["version"]))
        stored = document["draft"]["log"]
        assert [(entry.who, entry.revision) for entry in part.log] == [(row["who"], row["revision"]) for row in stored]
        assert {entry.who for entry in part.log if entry.changes} >= {"agent"}


async def test_the_log_of_the_draft_keeps_its_newest_changes() -> None:
    chat = await built()
    part = chat.world.state().draft
    for revision in range(2, LOG_LENGTH + 10):
        before = part.schedule
        part.schedule = replace(before, revision=revision)
        part.note_change(before, who="student", at="2026-03-09T00:00:00Z")
    assert [entry.revision for entry in part.log] == list(range(10, LOG_LENGTH + 10))


def test_there_is_a_sample_of_every_version() -> None:
    assert {path.stem for path in SAMPLES.glob("*.json")} == {f"state_v{n}" for n in range(1, VERSION + 1)}


@pytest.mark.parametrize("version", [VERSION + 1, 0, -1, None, "1", True])
def test_a_version_it_does_not_know_is_refused_and_left_alone(version: Any) -> None:
    document = {"version": version, "conversation": {}}
    with pytest.raises(UnknownVersion):
        AgentState.from_document(document)
    assert document == {"version": version, "conversation": {}}


def test_steps_lift_a_document_version_by_version() -> None:
    steps = {1: lambda d: {**d, "b": d["a"] + 1}, 2: lambda d: {**d, "c": d["b"] + 1}}
    assert migrate_document({"version": 1, "a": 1}, version=3, steps=steps) == {"version": 3, "a": 1, "b": 2, "c": 3}


async def test_what_was_said_last_of_version_4_tells_what_its_goal_had_written() -> None:
    document = (await built()).world.state().to_document()
    turns = [
        {key: value for key, value in turn.items() if key != "wrote"} for turn in document["conversation"]["dialogue"]
    ]
    turns += [{**turns[-1], "role": "assistant", "text": "好了"}, {**turns[-1], "role": "user"}]
    calls = [{**call, "kind": "draft_write", "status": "done", "tool": "move"} for call in document["run"]["calls"]]
    old = {**document, "version": 4, "conversation": {**document["conversation"], "dialogue": turns}}
    old["run"] = {**document["run"], "calls": calls}
    lifted = AgentState.from_document(old).conversation.dialogue
    assert [turn.wrote for turn in lifted] == [*([[]] * (len(turns) - 2)), ["move"], []]


async def test_a_draft_that_was_stored_with_what_returned_is_read() -> None:
    document = (await built()).world.state().to_document()
    for stored in ([], [7]):
        draft = {**document["draft"], "returned": stored}
        assert AgentState.from_document({**document, "draft": draft}).draft.undone_batch_ids == stored
        assert DraftPart.from_document(migrate_draft(draft, found=VERSION)).undone_batch_ids == stored


async def test_a_process_reads_what_the_next_version_added() -> None:
    chat = await carded()
    document = chat.world.state().to_document()
    stamped = Stamped(0, 1.5, "run", "talk", chat.events[-1])
    assert document["conversation"]["dialogue"]
    assert document["draft"]["log"]
    younger = {**_younger(document), "version": document["version"]}
    assert AgentState.from_document(younger).to_document() == document
    assert Stamped.from_document({**stamped.to_document(), "younger": 1}) == stamped


def _younger(value: Any) -> Any:
    """Adds a field to every part of a stored document, whatever is no part left alone."""
    parts = {"conversation", "run", "plan", "draft", "health", "tools", "interaction", "dialogue", "log", "steps"}
    if isinstance(value, list):
        return [_younger(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {**{key: _younger(one) if key in parts else one for key, one in value.items()}, "younger": {"a": [1]}}


async def test_a_new_goal_has_fresh_counters_and_keeps_draft_and_dialogue() -> None:
    chat = await carded()
    before = chat.world.state()
    chat.plays(execute("ask_user", speak="换到哪天？"))
    await chat.answers("reject")
    chat.plays(route("direct_reply", speak="好"))
    chat.end = None
    await chat.says("先不动了")
    after = chat.world.state()
    assert after.run.rounds == 0
    assert after.run.counters == {"chat.speak": 1}
    assert after.run.receipts == after.run.rejected == []
    assert after.plan.steps == []
    assert after.tools.active == {}
    assert after.schedule == before.schedule
    assert [turn.text for turn in after.conversation.dialogue[:2]] == [
        turn.text for turn in before.conversation.dialogue[:2]
    ]
    assert after.conversation.goals == before.conversation.goals + 1


async def test_block_ids_are_unique_in_a_goal_over_its_runs() -> None:
    chat = await carded()
    start = chat.marks[-1]
    chat.plays(execute("ask_user", speak="换到哪天？"))
    await chat.answers("reject")
    chat.plays(execute("ask_user", speak="那一节呢？"))
    await chat.answers("reply", "周四")
    opened = [event.block_id for event in chat.world.emitted[start:] if event.type == "text.started"]
    assert len(opened) == len(set(opened)) == 3
    asked = [event.block_id for event in chat.world.emitted[start:] if event.type == "interrupt.raised"]
    assert asked == ["interrupt.ask.1", "interrupt.ask.2"]


async def test_a_timetable_edited_elsewhere_rebases_the_draft_and_keeps_its_ids() -> None:
    chat = await built()
    first = next(iter(chat.schedule.items()))
    ids = {entry.source_id: entry.state_id for entry in chat.schedule.items()}
    place = chat.schedule.place_of(first)
    chat.world.events.append(course(99, "补课", place.day, place.first, place.last))
    chat.world.base_version += 1
    chat.plays(route("direct_reply", speak="好"))
    await chat.says("在吗")
    assert told(chat)[:2] == ["S chat/draft_rebased", "system.message"]
    assert first.name in chat.of("system.message")[0].content
    after = chat.schedule
    assert {entry.source_id: entry.state_id for entry in after.items()} == ids
    assert after.by_item(first.source_id).status == "pending"
    updated = chat.of("draft.updated")[0]
    assert (updated.source, updated.revision) == ("rebase", after.revision)
    assert "失去位置" in chat.messages[3]


async def test_ids_in_a_message_replace_the_scope_and_absent_ones_keep_it() -> None:
    start = world()
    start.classes.append(task_class(6, "英语阅读", "2026-03-23", "2026-04-05"))
    chat = Chat(start).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    chat.plays(route("direct_reply", speak="好"), route("direct_reply", speak="好"))
    await chat.says("在吗")
    assert chat.world.state().conversation.scope == [5]
    await chat.says("换一门", task_class_ids=(6,))
    state = chat.world.state()
    assert state.conversation.scope == [6]
    assert state.schedule is not None
    assert state.schedule.window.last_day == day_number(5, 7)
    assert [entry.status for entry in state.schedule.items()].count("suggested") == 3


async def test_the_language_of_the_conversation_follows_the_message() -> None:
    chat = Chat(world()).plays(build(), "Done.")
    await chat.says("Plan probability please, draft only", task_class_ids=(5,))
    summaries = [event.summary for event in chat.of("status.changed")]
    assert summaries[0] == "Got it, starting"
    assert all(text.isascii() for text in summaries)


async def test_a_checkpoint_is_not_touched_by_later_changes() -> None:
    chat = await built()
    state = chat.world.state()
    saved = state.checkpoint()
    state.run.rounds = 99
    state.conversation.dialogue.clear()
    state.draft.built.append(77)
    assert saved.run.rounds != 99
    assert saved.conversation.dialogue
    assert 77 not in saved.draft.built
    state.run.counters["execute.tool"] = 9
    state.restore(saved)
    assert state.run.counters["execute.tool"] == 9
    assert state.run.rounds != 99


async def test_killing_the_worker_at_any_save_and_resuming_reaches_the_same_draft() -> None:
    chat = (await improvable()).plays(*[whole] * 60)
    before, revision, saves = json.dumps(chat.world.document), chat.world.revision, chat.world.saves
    await chat.says("全局优化一下")
    expected = chat.schedule
    for number in range(1, chat.world.saves - saves + 1):
        again = Chat(two_classes()).plays(*[whole] * 60)
        again.world.document, again.world.revision = json.loads(before), revision
        again.world.fail_save = dying_at(number)
        with pytest.raises(LeaseLost):
            await again.says("全局优化一下")
        again.world.fail_save = lambda state: False
        lost_run = again.world.state().run.run_id if again.world.revision > revision else "never saved"
        resume = Resume(interaction=recovery(), action="resume")
        request = Request(resume=resume, lost=Request(message="全局优化一下"), lost_run_id=lost_run)
        end = await again.run(request)
        assert (number, end.outcome) == (number, "completed")
        assert again.schedule == expected


async def test_a_direct_answer_shows_nothing_but_the_answer() -> None:
    chat = Chat(world()).plays(route("direct_reply", speak="你好，我能帮你排程。"))
    end = await chat.says("你好")
    assert (end.outcome, told(chat)) == ("completed", ["T chat.speak.1", "finish"])


async def test_a_draft_of_another_semester_is_not_carried_over() -> None:
    chat = await built()
    load = chat.world.load_facts

    async def next_semester(class_ids: Any) -> Any:
        return replace(await load(class_ids), semester_id=2)

    chat.world.load_facts = next_semester  # type: ignore[method-assign]
    chat.plays(route("direct_reply", speak="好"))
    await chat.says("新学期了")
    state = chat.world.state()
    assert state.schedule is not None
    assert state.schedule.semester.id == 2
    assert all(entry.status == "pending" for entry in state.schedule.items())
    assert state.draft.built == []
