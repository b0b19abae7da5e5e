"""Runs that are still going: cancel, reattach, one at a time, questions and answers (wire.md 5, 6)."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import pytest
from openai import OpenAI, Stream
from openai.types.chat import ChatCompletionChunk as Chunk

from tests.kits.provider.openai_server import chunk, decision, silence
from tests.kits.transports.runs import HALF, asks
from tests.kits.transports.students import Student, parse_frames, without_pings
from tests.kits.waiting import until


@pytest.fixture
def thinking(ming: Student, script: Any) -> Any:
    """A run whose model has said half a sentence and then nothing."""
    script.script([silence(chunk(content=HALF))])
    data = ming.http.post("/tasks", json={"message": "慢慢想"}).json()["data"]
    until(lambda: any(e["type"] == "text_chunk" for e in ming.data(f"/tasks/{data['task_id']}")["events"]))
    yield data
    ming.http.post(f"/tasks/{data['task_id']}/cancel")
    until(lambda: ming.data(f"/tasks/{data['task_id']}")["status"] != "running")


def test_it_shows_speech_while_the_model_is_still_talking(ming: Student, thinking: Any) -> None:
    page = ming.data(f"/tasks/{thinking['task_id']}")
    said = "".join(event["data"]["content"] for event in page["events"] if event["type"] == "text_chunk")
    assert said == "我想一想"
    assert (page["status"], page["run_status"], page["finished_at"]) == ("running", "running", None)


def test_a_second_message_is_refused_and_names_the_run_to_follow(ming: Student, thinking: Any) -> None:
    answer, _ = ming.chat("再来一个", conversation_id=thinking["conversation_id"])
    body = answer.json()
    assert (answer.status_code, body["status"]) == (409, "40075")
    assert body["data"]["run_id"] == thinking["task_id"]
    assert body["data"]["status"] == "running"
    assert body["data"]["next_idx"] >= 2
    assert ming.code("DELETE", f"/agent/conversations/{thinking['conversation_id']}") == (409, "40075")


def test_cancel_ends_a_run_whose_model_says_nothing_more(ming: Student, thinking: Any) -> None:
    run_id = thinking["task_id"]
    answer = ming.http.post(f"/tasks/{run_id}/cancel").json()["data"]
    assert answer["task_id"] == run_id
    page = until(lambda: (p := ming.data(f"/tasks/{run_id}"))["status"] != "running" and p)
    assert (page["status"], page["events"][-1]["type"]) == ("cancelled", "task_complete")
    last = page["events"][-1]["data"]
    assert (last["run_status"], last["outcome"], last["outcome_code"]) == ("cancelled", "aborted", "run_cancelled")
    assert ming.http.post(f"/tasks/{run_id}/cancel").json()["data"]["run_status"] == "cancelled"
    assert len(ming.data(f"/tasks/{run_id}")["events"]) == len(page["events"])


def test_a_cut_reader_loses_nothing(ming: Student, thinking: Any) -> None:
    run_id = thinking["task_id"]
    with ming.http.stream("GET", f"/agent/runs/{run_id}/stream") as stream:
        body = b""
        for piece in stream.iter_raw():
            body += piece
            if b"assistant_text" in body and body.endswith(b"\n\n"):
                break
    seen = parse_frames(body)
    ming.http.post(f"/tasks/{run_id}/cancel")
    rest = ming.http.get(f"/agent/runs/{run_id}/stream", headers={"Last-Event-ID": str(seen[-1].id)})
    whole = ming.http.get(f"/agent/runs/{run_id}/stream")
    assert [f.raw for f in seen + parse_frames(rest.content)] == [f.raw for f in parse_frames(whole.content)]


def test_the_timeline_tells_a_fresh_page_where_to_follow(ming: Student, thinking: Any) -> None:
    page = ming.data(f"/agent/conversations/{thinking['conversation_id']}/timeline")
    assert page["follow"] == {"run_id": thinking["task_id"], "from": 0}
    state = ming.data(f"/agent/conversations/{thinking['conversation_id']}/state")
    assert state["last_run"]["status"] == "running"
    assert state["last_run"]["next_idx"] >= 2


def test_a_ping_comes_while_nothing_happens(ming: Student, thinking: Any) -> None:
    with ming.http.stream("GET", f"/agent/runs/{thinking['task_id']}/stream") as stream:
        pings = 0
        for piece in stream.iter_raw():
            pings += piece.count(b": ping\n\n")
            if pings:
                break
    assert pings


def resume(interaction_id: str, action: str = "reply", **fields: Any) -> dict[str, Any]:
    return {"resume": {"interaction_id": interaction_id, "type": "ask_user", "action": action, **fields}}


def test_a_question_is_open_after_a_reload_and_answered_once(ming: Student, script: Any) -> None:
    conversation_id, interaction = asks(ming, script)
    assert (interaction["type"], interaction["status"], interaction["question"]) == ("ask_user", "open", "哪一门？")
    assert interaction["run_id"] == ming.data(f"/agent/conversations/{conversation_id}/state")["last_run"]["run_id"]
    script.script([decision({"action": "abort", "abort": {"code": "stop", "user_message": "好。"}, "speak": ""})])
    extra = resume(interaction["interaction_id"])
    first, frames = ming.chat("概率论", conversation_id=conversation_id, extra=extra)
    assert frames[1].data["extra"]["interaction"] == {
        "interaction_id": interaction["interaction_id"],
        "type": "ask_user",
        "action": "reply",
        "message": "概率论",
        "option": None,
    }
    again, _ = ming.chat("概率论", conversation_id=conversation_id, extra=extra)
    assert without_pings(again.content) == without_pings(first.content)
    assert again.headers["idempotent-replayed"] == "true"
    other, _ = ming.chat("线代", conversation_id=conversation_id, extra=extra)
    body = other.json()
    assert (other.status_code, body["status"], body["data"]["reason"]) == (409, "40074", "answered")
    assert body["data"]["answer"]["run_id"] == first.headers["x-run-id"]
    cards = [
        i for i in ming.data(f"/agent/conversations/{conversation_id}/timeline")["items"] if i["kind"] == "interrupt"
    ]
    assert (cards[0]["payload"]["status"], cards[0]["payload"]["answer"]["message"]) == ("answered", "概率论")


def test_fifty_equal_answers_make_one_run(ming: Student, script: Any) -> None:
    conversation_id, interaction = asks(ming, script)
    script.script([decision({"action": "abort", "abort": {"code": "stop", "user_message": "好。"}, "speak": ""})])
    body = {"message": "概率论", "conversation_id": conversation_id, "extra": resume(interaction["interaction_id"])}
    answers: list[str] = []

    def send() -> None:
        answers.append(ming.http.post("/tasks", json=body).json()["data"]["task_id"])

    threads = [threading.Thread(target=send) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 50
    assert len(set(answers)) == 1
    assert ming.poll_all(answers[0])[-1]["data"]["outcome_code"] == "stop"


def test_an_answer_sent_on_seeing_the_question_is_never_refused(ming: Student, script: Any) -> None:
    conversation_id, interaction = asks(ming, script)
    script.script([decision({"speak": "真的？", "action": "ask_user", "reason": "r"})])
    body = {"message": "概率论", "conversation_id": conversation_id, "extra": resume(interaction["interaction_id"])}
    with ming.http.stream("POST", "/agent/chat", json=body) as stream:
        seen = b""
        for piece in stream.iter_raw():
            seen += piece
            if b'"kind":"interrupt"' in seen:
                break
    second = ming.data(f"/agent/conversations/{conversation_id}/state")["interaction"]["interaction_id"]
    script.script([decision({"action": "abort", "abort": {"code": "stop", "user_message": "好。"}, "speak": ""})])
    answer, _ = ming.chat("真的", conversation_id=conversation_id, extra=resume(second))
    assert answer.status_code == 200


def test_cancelling_the_conversation_closes_its_question(ming: Student, script: Any) -> None:
    conversation_id, interaction = asks(ming, script)
    done = ming.http.post(f"/agent/conversations/{conversation_id}/cancel").json()["data"]
    assert done == {"run_id": interaction["run_id"], "run_status": "cancelled"}
    state = ming.data(f"/agent/conversations/{conversation_id}/state")
    assert (state["interaction"], state["phase"]) == (None, "done")
    assert (state["last_run"]["status"], state["last_run"]["outcome"]) == ("cancelled", "aborted")
    nothing = ming.http.post(f"/agent/conversations/{conversation_id}/cancel").json()["data"]
    assert nothing == {"run_id": None, "run_status": None}
    late, _ = ming.chat("x", conversation_id=conversation_id, extra=resume(interaction["interaction_id"]))
    assert late.json()["status"] == "40074"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"action": "reply"}, "40005"),
        ({"action": "approve"}, "40005"),
        ({"action": "reply", "type": "confirm"}, "40005"),
        ({"action": "reply", "interaction_id": str(uuid.uuid4())}, "40074"),
    ],
)
def test_a_refused_answer_leaves_the_question_open(
    ming: Student, script: Any, fields: dict[str, Any], expected: str
) -> None:
    conversation_id, interaction = asks(ming, script)
    extra = {"resume": {"interaction_id": interaction["interaction_id"], **fields}}
    answer, _ = ming.chat("", conversation_id=conversation_id, extra=extra)
    assert answer.json()["status"] == expected
    assert ming.data(f"/agent/conversations/{conversation_id}/state")["interaction"]["status"] == "open"


def test_of_two_posts_at_once_one_starts_and_one_is_told_whom_to_follow(ming: Student, script: Any) -> None:
    conversation_id, _ = asks(ming, script)
    script.script([decision({"action": "abort", "abort": {"code": "stop", "user_message": "好。"}, "speak": ""})] * 2)
    together = threading.Barrier(2)
    answers: list[Any] = []

    def send(message: str) -> None:
        together.wait()
        body = {"message": message, "conversation_id": conversation_id}
        answers.append(ming.http.post("/tasks", json=body).json())

    threads = [threading.Thread(target=send, args=(message,)) for message in ("概率论", "线代")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    started = [answer["data"]["task_id"] for answer in answers if answer["status"] == "10000"]
    refused = [answer["data"]["run_id"] for answer in answers if answer["status"] == "40075"]
    assert started
    assert set(refused) <= set(started)
    for run_id in started:
        assert ming.poll_all(run_id)[-1]["type"] == "task_complete"


def test_the_first_event_is_sent_while_the_model_is_silent(ming: Student, script: Any) -> None:
    script.script([silence()])
    body = {"message": "慢慢想", "model": "gpt-9", "unknown": {"field": 1}}
    with ming.http.stream("POST", "/agent/chat", json=body, headers={"Accept-Encoding": "gzip"}) as stream:
        first = next(stream.iter_raw())
        page = ming.data(f"/tasks/{stream.headers['x-run-id']}")
        assert "content-encoding" not in stream.headers
    (frame, *_) = parse_frames(first)
    assert (frame.id, frame.kind, frame.data["model"]) == (0, "ai_message_start", "worker")
    assert page["status"] == "running"
    ming.http.post(f"/tasks/{page['task_id']}/cancel")
    assert ming.poll_all(page["task_id"], limit=1)[-1]["data"]["run_status"] == "cancelled"


def test_the_stock_client_rebuilds_the_text(ming: Student, script: Any) -> None:
    script.script([decision({"route": "direct_reply", "speak": "你好，我来帮你排课表。"})])
    with OpenAI(base_url=f"{ming.server.base_url}/api/v1/agent", api_key=ming.token) as client:
        stream = client.post("/chat", cast_to=object, body={"message": "你好"}, stream=True, stream_cls=Stream[Chunk])
        said = "".join(part.choices[0].delta.content or "" for part in stream if part.choices)
    assert said == "你好，我来帮你排课表。"


def test_a_message_sent_on_seeing_the_finish_is_never_refused(ming: Student, script: Any) -> None:
    script.script([decision({"route": "direct_reply", "speak": "好。"})] * 4)
    place: dict[str, str] = {}
    for _ in range(4):
        with ming.http.stream("POST", "/agent/chat", json={"message": "你好", **place}) as stream:
            assert stream.status_code == 200
            place = {"conversation_id": stream.headers["x-conversation-id"]}
            seen = b""
            for piece in stream.iter_raw():
                seen += piece
                if b'"kind":"finish"' in seen:
                    break
