"""One run, three framings: what POST streams, what GET repeats, what polling gives (wire.md 6)."""

from __future__ import annotations

import json
import uuid
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from openai.types.chat import ChatCompletionChunk

from agent.loop.events import Stamped
from agent.transports.wire.frames import envelope, sse_frame
from tests.kits.transports.students import Student, parse_frames, without_pings

GREETING, BUILD = "你好", "把概率论期中复习排进课表"
TWO = f"{BUILD}，另外明天有什么课？"


@pytest.fixture(scope="module", params=[GREETING, BUILD, TWO], ids=["greeting", "scheduling", "two requests"])
def greeted(li: Student, server: Any, request: pytest.FixtureRequest) -> Any:
    """A finished run: a few words, a whole rough build with its diagnosis, and one with a question behind it."""
    if request.param == GREETING:
        return (*li.chat(GREETING), li)
    name = "planner" if request.param == BUILD else "asker"
    planner = Student(server, name, server.account(name))
    return (*planner.chat(request.param), planner)


def test_what_a_message_wants_besides_is_answered_in_the_same_run(li: Student, server: Any) -> None:
    student = Student(server, "asker", server.account("asker"))
    _, frames = student.chat(TWO)
    told = [frame.data["extra"]["text"]["full_content"] for frame in frames[:-1] if frame.kind == "text_end"]
    _, alone = student.chat("明天有什么课？")
    answer = [frame.data["extra"]["text"]["full_content"] for frame in alone[:-1] if frame.kind == "text_end"]
    assert told[-1:] == answer
    assert [frame.kind for frame in frames].count("finish") == 1


def test_it_streams_chunks_that_the_openai_client_understands(greeted: Any) -> None:
    answer, frames, _ = greeted
    assert answer.status_code == 200
    assert frames[-1].data is None
    chunks = [ChatCompletionChunk.model_validate(frame.data) for frame in frames[:-1]]
    assert [frame.id for frame in frames[:-1]] == list(range(len(frames) - 1))
    assert frames[0].kind == "ai_message_start"
    assert frames[-2].kind == "finish"
    assert chunks[-1].choices[0].finish_reason == "stop"
    said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    ended = [frame.data["extra"]["text"]["full_content"] for frame in frames[:-1] if frame.kind == "text_end"]
    assert said == "".join(ended) != ""


def test_it_names_conversation_and_run_and_is_never_buffered(greeted: Any) -> None:
    answer, frames, _ = greeted
    headers = answer.headers
    assert headers["content-type"] == "text/event-stream; charset=utf-8"
    assert headers["cache-control"] == "no-cache, no-transform"
    assert headers["x-accel-buffering"] == "no"
    assert headers["x-event-version"] == "1"
    assert headers["x-run-id"] == frames[0].data["id"]
    assert uuid.UUID(headers["x-conversation-id"])
    assert "content-encoding" not in headers


def test_a_seed_client_that_reads_data_lines_gets_the_whole_text(greeted: Any) -> None:
    answer, _, _ = greeted
    said = ""
    for line in answer.text.splitlines():
        if not line.startswith("data:") or line == "data: [DONE]":
            continue
        chunk = json.loads(line.removeprefix("data:"))
        if chunk["extra"]["kind"] == "assistant_text":
            said += chunk["choices"][0]["delta"]["content"]
    assert said


def test_attaching_repeats_the_same_bytes(greeted: Any) -> None:
    answer, frames, li = greeted
    run_id = answer.headers["x-run-id"]
    again = li.http.get(f"/agent/runs/{run_id}/stream")
    assert without_pings(again.content) == b"retry: 2000\n\n" + without_pings(answer.content)
    tail = li.http.get(f"/agent/runs/{run_id}/stream", headers={"Last-Event-ID": "1"}, params={"from": 0})
    assert [frame.raw for frame in parse_frames(tail.content)] == [frame.raw for frame in frames[2:]]
    part = li.http.get(f"/agent/runs/{run_id}/stream", params={"from": 3})
    assert [frame.raw for frame in parse_frames(part.content)] == [frame.raw for frame in frames[3:]]
    last = frames[-2].id
    nothing = li.http.get(f"/agent/runs/{run_id}/stream", headers={"Last-Event-ID": str(last)})
    assert nothing.status_code == 204
    assert "content-length" not in nothing.headers


def test_the_headers_of_a_stream_are_told_alone(greeted: Any) -> None:
    answer, frames, li = greeted
    run_id = answer.headers["x-run-id"]
    stream, head = (li.http.request(method, f"/agent/runs/{run_id}/stream") for method in ("GET", "HEAD"))
    assert (head.status_code, head.content) == (200, b"")
    told = [{**one.headers, "date": "", "x-request-id": "", "transfer-encoding": ""} for one in (stream, head)]
    assert told[0] == told[1]
    assert li.http.head(f"/agent/runs/{run_id}/stream", params={"from": frames[-2].id + 1}).status_code == 204
    refused = li.http.post(f"/agent/runs/{run_id}/stream")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_polling_gives_the_same_events_by_idx(greeted: Any) -> None:
    answer, frames, li = greeted
    run_id = answer.headers["x-run-id"]
    polled = li.poll_all(run_id)
    one_by_one = li.poll_all(run_id, limit=1)
    assert polled == one_by_one
    assert [event["idx"] for event in polled] == [frame.id for frame in frames[:-1]]
    assert polled[-1]["type"] == "task_complete"
    page = li.data(f"/tasks/{run_id}", **{"from": 10_000})
    assert (page["events"], page["next_offset"], page["status"]) == ([], len(polled), "succeeded")


def test_poll_status_is_running_until_the_terminal_event_was_given(greeted: Any) -> None:
    answer, _, li = greeted
    run_id = answer.headers["x-run-id"]
    page = li.data(f"/tasks/{run_id}", limit=2)
    assert (page["status"], page["run_status"], page["has_more"], page["next_offset"]) == (
        "running",
        "succeeded",
        True,
        2,
    )
    assert set(page) == {
        "task_id", "conversation_id", "status", "run_status", "events", "next_offset", "has_more", "interaction",
        "error", "continues_task_id", "created_at", "started_at", "finished_at",
    }  # fmt: skip


def test_everything_sent_validates_against_the_served_schema(greeted: Any) -> None:
    answer, frames, li = greeted
    document = httpx.get(f"{li.server.base_url}/api/v1/schema/events.json").json()
    assert document["version"] == 1
    validator = Draft202012Validator(document)
    sent = [frame.data for frame in frames[:-1]] + li.poll_all(answer.headers["x-run-id"])
    assert [error.message for item in sent for error in validator.iter_errors(item)] == []


def test_it_answers_over_polling_alone(li: Student) -> None:
    started = li.http.post("/tasks", json={"message": GREETING})
    data = started.json()["data"]
    assert (data["status"], data["next_offset"]) == ("running", 0)
    assert started.headers["x-run-id"] == data["task_id"]
    assert li.poll_all(data["task_id"])[-1]["data"]["outcome"] == "completed"


def test_a_client_that_reads_the_fields_of_the_documents_at_top_level_polls_bare(li: Student) -> None:
    task_id = li.http.post("/tasks", json={"message": "你好"}).json()["data"]["task_id"]
    offset, kinds, status = 0, [], "running"
    while status == "running":
        page = li.http.get(f"/tasks/{task_id}", params={"from": offset, "bare": "true"}).json()
        kinds += [event["type"] for event in page["events"]]
        status, offset = page["status"], page["next_offset"]
    assert (status, kinds[0], kinds[-1]) == ("succeeded", "ai_message_start", "task_complete")
    assert page == {**li.data(f"/tasks/{task_id}", **{"from": offset}), "events": page["events"]}
    assert li.code("GET", f"/tasks/{task_id}?bare=perhaps") == (400, "40005")
    assert li.code("GET", "/tasks/nobody?bare=true") == (404, "40076")


def test_a_repeated_key_attaches_to_the_first_run(li: Student) -> None:
    key = {"Idempotency-Key": f"k-{uuid.uuid4()}"}
    first, _ = li.chat(GREETING, headers=key)
    again, _ = li.chat(GREETING, headers=key)
    assert without_pings(again.content) == without_pings(first.content)
    assert again.headers["idempotent-replayed"] == "true"
    refused, _ = li.chat("别的事", headers=key)
    assert (refused.status_code, refused.json()["status"]) == (422, "40070")


def test_a_conversation_goes_on_and_is_listed(li: Student) -> None:
    first, _ = li.chat(GREETING)
    conversation_id = first.headers["x-conversation-id"]
    second, _ = li.chat("你能做什么？", conversation_id=conversation_id)
    assert second.headers["x-conversation-id"] == conversation_id
    state = li.data(f"/agent/conversations/{conversation_id}/state")
    assert state["last_run"]["run_id"] == second.headers["x-run-id"]
    assert (state["interaction"], state["draft"]["exists"]) == (None, False)
    assert li.data("/agent/conversations")["list"][0]["conversation_id"] == conversation_id
    renamed = li.http.patch(f"/agent/conversations/{conversation_id}", json={"title": " 概率论 "}).json()["data"]
    assert renamed["title"] == "概率论"
    for blank in ("", "   ", "\u3000"):
        assert li.code("PATCH", f"/agent/conversations/{conversation_id}", json={"title": blank}) == (400, "40005")
    assert li.data(f"/agent/conversations/{conversation_id}")["title"] == "概率论"
    assert li.http.delete(f"/agent/conversations/{conversation_id}").json()["status"] == "10000"
    assert li.code("DELETE", f"/agent/conversations/{conversation_id}") == (404, "40401")
    assert li.code("GET", f"/tasks/{second.headers['x-run-id']}") == (404, "40076")


def test_the_timeline_is_the_fold_of_the_events(li: Student) -> None:
    answer, frames = li.chat(GREETING)
    page = li.data(f"/agent/conversations/{answer.headers['x-conversation-id']}/timeline")
    assert [item["seq"] for item in page["items"]] == list(range(1, len(page["items"]) + 1))
    assert (page["items"][0]["kind"], page["items"][0]["content"]) == ("user_text", GREETING)
    texts = [frame.data["extra"]["text"]["full_content"] for frame in frames[:-1] if frame.kind == "text_end"]
    assert [item["content"] for item in page["items"] if item["kind"] == "assistant_text"] == texts
    assert page["follow"] is None
    later = li.data(f"/agent/conversations/{answer.headers['x-conversation-id']}/timeline", after_seq=1, limit=1)
    assert [item["seq"] for item in later["items"]] == [2]


def test_framings_are_functions_of_the_stored_event(greeted: Any) -> None:
    """Computed from one typed event, both framings equal what was sent."""
    answer, frames, li = greeted
    polled = li.poll_all(answer.headers["x-run-id"])
    text = next(index for index, frame in enumerate(frames) if frame.kind == "assistant_text")
    data = polled[text]["data"]
    document = {
        "v": 1,
        "idx": polled[text]["idx"],
        "ts": polled[text]["ts"],
        "type": "text.delta",
        "run_id": answer.headers["x-run-id"],
        "conversation_id": answer.headers["x-conversation-id"],
        **data,
    }
    stamped = Stamped.from_document(document)
    assert envelope(stamped) == polled[text]
    created = frames[0].data["created"]
    assert sse_frame(stamped, created=created) == frames[text].raw + b"\n\n"


def test_every_tool_card_is_opened_and_closed_once(greeted: Any) -> None:
    answer, frames, li = greeted
    polled = li.poll_all(answer.headers["x-run-id"])
    started = [event["data"]["id"] for event in polled if event["type"] == "tool_start"]
    ended = [e["data"]["id"] for e in polled if e["type"] == "update_action" and e["data"]["status"] == "completed"]
    assert started == ended
    assert len(set(started)) == len(started)
    for block in {frame.data["extra"]["block_id"] for frame in frames[:-1] if frame.kind == "text_start"}:
        kinds = [f.kind for f in frames[:-1] if f.data["extra"]["block_id"] == block]
        assert kinds == ["text_start", *["assistant_text"] * (len(kinds) - 2), "text_end"]


def test_a_draft_can_be_previewed_when_it_is_announced(greeted: Any) -> None:
    answer, frames, li = greeted
    revisions = [f.data["extra"]["draft"]["revision"] for f in frames[:-1] if f.kind == "draft_updated"]
    if revisions:
        preview = li.data("/agent/schedule-preview", conversation_id=answer.headers["x-conversation-id"])
        assert preview["revision"] == revisions[-1]
        assert preview["trace_id"] == f"trace-{answer.headers['x-run-id']}"


def test_a_stream_cut_anywhere_is_completed_by_its_rest(greeted: Any) -> None:
    answer, frames, li = greeted
    path = f"/agent/runs/{answer.headers['x-run-id']}/stream"
    for cut in range(0, len(answer.content), max(1, len(answer.content) // 12)):
        seen = parse_frames(answer.content[:cut].rpartition(b"\n\n")[0] + b"\n\n")
        last = {"Last-Event-ID": str(seen[-1].id)} if seen else {}
        rest = parse_frames(li.http.get(path, headers=last).content)
        assert [f.raw for f in seen + rest if f.data] == [f.raw for f in frames if f.data]
