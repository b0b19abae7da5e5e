"""The worked sequences of the protocol, byte for byte, and the fold of events to timeline items."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.loop import events as e
from agent.runs.timeline.close_out import close_out
from agent.runs.timeline.fold import Folder
from agent.tools.default import default_registry
from agent.transports.wire.frames import FRAMES, envelope, sse_frame
from tests.kits.agent.folding import fold

pytestmark = pytest.mark.storeless

RUN = "7b0e4c0a-52f1-4a0e-9d53-0a6a8f4c1e11"
CONVERSATION = "1655dd9b-2c4c-4b56-a712-f34c11b2634d"
HEAD = f'"id":"{RUN}","object":"chat.completion.chunk","created":1775988000,"model":"worker"'


def at(idx: int, event: e.Event, ts: float = 1.0) -> e.Stamped:
    return event.stamp(idx=idx, ts=ts, run_id=RUN, conversation_id=CONVERSATION)


def run_of(*events: e.Event) -> list[e.Stamped]:
    return [at(idx, event, ts=100.0 + idx) for idx, event in enumerate(events)]


def started(n: int = 1, **fields: Any) -> e.ToolStarted:
    block = f"execute.tool.{n}"
    base = {
        "call_id": block,
        "name": "move",
        "arguments": {"task_id": 6},
        "summary": "移动任务",
        "arguments_preview": "…",
    }
    return e.ToolStarted(stage="execute", block_id=block, **{**base, **fields})


def announce(name: str, n: int) -> e.ToolPreparing:
    block = f"execute.tool.{n}"
    return e.ToolPreparing(
        stage="execute", block_id=block, preparing_id=f"{name}:{n - 1}", name=name, message="", intent=""
    )


def finished(n: int = 1) -> e.ToolFinished:
    block = f"execute.tool.{n}"
    return e.ToolFinished(
        stage="execute",
        block_id=block,
        call_id=block,
        name="move",
        status="done",
        success=True,
        summary="移动任务成功",
        arguments_preview="…",
    )


def test_every_event_type_has_exactly_one_frame() -> None:
    union = e.EVENT.json_schema()["discriminator"]["mapping"]
    assert set(union) == set(FRAMES)


def test_chunks_equal_the_worked_sequence() -> None:
    cases = [
        (
            at(0, e.MessageStarted(stage="chat", block_id="chat.message")),
            f'{{{HEAD},"choices":[],"extra":{{"kind":"ai_message_start","block_id":"chat.message","stage":"chat",'
            f'"display_mode":"append","message":{{"run_id":"{RUN}","continues_run_id":null}}}}}}',
        ),
        (
            at(1, e.StatusChanged(stage="chat", block_id="chat.status", code="accepted", summary="收到，开始处理")),
            f'{{{HEAD},"choices":[],"extra":{{"kind":"status","block_id":"chat.status","stage":"chat",'
            f'"display_mode":"card","status":{{"code":"accepted","summary":"收到，开始处理"}}}}}}',
        ),
        (
            at(13, e.TextDelta(stage="deliver", block_id="deliver.speak.1", content="三", index=1, elapsed=0.04)),
            f'{{{HEAD},"choices":[{{"index":0,"delta":{{"role":"assistant","content":"三"}},"finish_reason":null}}],'
            f'"extra":{{"kind":"assistant_text","block_id":"deliver.speak.1","stage":"deliver","display_mode":"append"}}}}',
        ),
        (
            at(14, e.TextDelta(stage="deliver", block_id="deliver.speak.1", content="次", index=2, elapsed=0.04)),
            f'{{{HEAD},"choices":[{{"index":0,"delta":{{"content":"次"}},"finish_reason":null}}],'
            f'"extra":{{"kind":"assistant_text","block_id":"deliver.speak.1","stage":"deliver","display_mode":"append"}}}}',
        ),
        (
            at(
                18,
                e.RunFinished(stage="deliver", block_id="deliver.finish", run_status="succeeded", outcome="completed"),
            ),
            f'{{{HEAD},"choices":[{{"index":0,"delta":{{}},"finish_reason":"stop"}}],"extra":{{"kind":"finish",'
            f'"block_id":"deliver.finish","stage":"deliver","display_mode":"replace","finish":{{"run_status":"succeeded",'
            f'"outcome":"completed","outcome_code":"","total_iterations":0,"total_tool_calls":0,"auto_fix_attempts":0}}}}}}',
        ),
        (
            at(4, e.RunFailed(stage="execute", block_id="execute.error", code="50002", message="模型响应超时")),
            '{"error":{"message":"模型响应超时","type":"server_error","code":"50002"}}',
        ),
    ]
    for stamped, document in cases:
        assert sse_frame(stamped, created=1775988000).decode() == f"id: {stamped.idx}\ndata: {document}\n\n"


def test_tool_frames_carry_the_status_behind_the_name() -> None:
    tool = json.loads(sse_frame(at(3, started()), created=1).decode().split("data: ")[1])["extra"]["tool"]
    assert list(tool)[:5] == ["call_id", "preparing_id", "name", "status", "arguments"]
    assert tool["status"] == "start"
    progress = e.ToolProgressed(
        stage="execute", block_id="execute.tool.1", call_id="execute.tool.1", name="move", message="…", done=1, total=2
    )
    tool = json.loads(sse_frame(at(4, progress), created=1).decode().split("data: ")[1])["extra"]["tool"]
    assert tool["status"] == "running"


def test_envelopes_equal_the_worked_sequence() -> None:
    assert envelope(at(3, started(preparing_id="move:0")))["data"] == {
        "id": "execute.tool.1",
        "name": "move",
        "arguments": {"task_id": 6},
        "preparing_id": "move:0",
        "monitor_snapshot": None,
        "conversation_id": CONVERSATION,
        "summary": "移动任务",
        "arguments_preview": "…",
        "argument_view": None,
        "block_id": "execute.tool.1",
        "stage": "execute",
    }
    done = envelope(at(4, finished()))
    assert (done["type"], done["data"]["status"], done["data"]["message"]) == (
        "update_action",
        "completed",
        "移动任务成功",
    )
    assert list(done["data"])[:6] == ["id", "name", "status", "message", "success", "summary"]
    assert done["data"]["result"] is None
    dropped = e.ToolDropped(stage="execute", block_id="execute.tool.1", preparing_id="move:0", name="move")
    assert envelope(at(8, dropped)) == {
        "idx": 8,
        "type": "update_action",
        "data": {
            "id": "move:0",
            "name": "move",
            "status": "cancelled",
            "block_id": "execute.tool.1",
            "stage": "execute",
        },
        "ts": 1.0,
    }


def test_a_question_is_text_unless_the_model_spoke_it() -> None:
    for streamed in (False, True):
        question = e.InterruptRaised(
            stage="interrupt",
            block_id="interrupt.ask.1",
            interaction_id="i",
            interaction_type="ask_user",
            question="哪一门？",
            streamed=streamed,
            expires_at="2026-04-19T10:20:00Z",
        )
        chunk = json.loads(sse_frame(at(2, question), created=1).decode().split("data: ")[1])
        assert bool(chunk["choices"]) is not streamed
        assert chunk["extra"]["interrupt"]["type"] == "ask_user"


def test_a_stored_event_reads_back_equal_without_the_fields_of_another_version() -> None:
    stamped = at(3, started())
    assert e.Stamped.from_document(json.loads(json.dumps(stamped.to_document()))) == stamped
    assert e.Stamped.from_document({**stamped.to_document(), "more": 1}) == stamped
    newer = e.Stamped.from_document({**stamped.to_document(), "type": "tool.advised"})
    assert newer.to_document() == {**stamped.to_document(), "type": "tool.advised"}
    with pytest.raises(ValueError, match="version"):
        e.Stamped.from_document({**stamped.to_document(), "v": 2})


def test_superseded_text_and_announcements_leave_nothing() -> None:
    speak = {"stage": "execute", "block_id": "execute.speak.1"}
    events = run_of(
        e.TextStarted(**speak),
        e.TextDelta(**speak, content="啊", index=1, elapsed=0.0),
        e.TextEnded(**speak, full_content="啊", superseded=True),
        e.ToolPreparing(
            stage="execute", block_id="execute.tool.1", preparing_id="move:0", name="move", message="", intent=""
        ),
        e.ToolDropped(stage="execute", block_id="execute.tool.1", preparing_id="move:0", name="move"),
    )
    assert fold(events) == []


def test_items_stand_for_the_events_of_their_block() -> None:
    speak = {"stage": "chat", "block_id": "chat.speak.1"}
    events = run_of(
        e.MessageStarted(stage="chat", block_id="chat.message"),
        e.TextStarted(**speak),
        e.TextDelta(**speak, content="好", index=1, elapsed=0.0),
        e.TextEnded(**speak, full_content="好"),
        started(),
        finished(),
        e.ScheduleCompleted(stage="deliver", block_id="deliver.schedule", revision=2),
    )
    assert [(i.kind, i.content, i.idx_from, i.idx_to) for i in fold(events)] == [
        ("assistant_text", "好", 1, 3),
        ("tool_result", "移动任务成功", 4, 5),
        ("schedule_completed", "", 6, 6),
    ]


def test_closing_leaves_nothing_open() -> None:
    speak = {"stage": "chat", "block_id": "chat.speak.1"}
    preparing = e.ToolPreparing(
        stage="execute", block_id="execute.tool.2", preparing_id="swap:1", name="swap", message="", intent=""
    )
    events = run_of(
        started(), preparing, e.TextStarted(**speak), e.TextDelta(**speak, content="半", index=1, elapsed=0.0)
    )
    closing = close_out(events, default_registry(), reason="worker_lost", locale="zh", now=110.0)
    assert [type(event).__name__ for event in closing] == ["TextEnded", "ToolDropped", "ToolFinished"]
    text, _, tool = closing
    assert text.full_content == "半"
    assert (tool.status, tool.error_code, tool.summary, tool.duration_ms) == (
        "failed",
        "worker_lost",
        "移动任务失败",
        10_000,
    )
    folder = Folder()
    for event in [*events, *[at(10 + i, event) for i, event in enumerate(closing)]]:
        folder.feed(event)
    assert (folder.open, folder.tools, folder.announced) == (None, {}, {})
