"""The customer's main job through the public HTTP API, with a client that knows the wire documents only."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletionChunk

from tests.conformance.client import Chat, Client, Json

ENTRY_FIELDS = (
    "week day_of_week section_from section_to name type status task_item_id task_class_id event_id can_be_embedded "
    "block_for_suggested context_tag"
)
PREVIEW_FIELDS = {
    *["conversation_id", "trace_id", "summary", "candidate_plans", "hybrid_entries", "task_class_ids", "generated_at"],
    *["revision", "window", "now", "unplaced_items"],
}


def items_of(entries: list[Json]) -> list[Json]:
    """`buildItemsFromEntries` of the customer's front end."""
    rows = []
    for entry in entries:
        if entry["status"] == "suggested" and entry["task_item_id"]:
            row = {
                "task_item_id": entry["task_item_id"],
                "week": entry["week"],
                "day_of_week": entry["day_of_week"],
                "start_section": entry["section_from"],
                "end_section": entry["section_to"],
            }
            if entry["event_id"]:
                row["embed_course_event_id"] = entry["event_id"]
            rows.append(row)
    return rows


def batches_of(preview: Json) -> list[Json]:
    owner = {e["task_item_id"]: e["task_class_id"] for e in preview["hybrid_entries"] if e["task_item_id"]}
    grouped: dict[int, list[Json]] = {}
    for row in items_of(preview["hybrid_entries"]):
        grouped.setdefault(owner[row["task_item_id"]], []).append(row)
    return [{"task_class_id": class_id, "items": rows} for class_id, rows in sorted(grouped.items())]


def timetable(client: Client, weeks: range) -> list[Json]:
    found = []
    for week in weeks:
        for event in client.data("GET", f"/schedule/week?week={week}")["events"]:
            found.append({"week": week, **event})
    return found


class Job:
    """A conversation that has planned all task classes of a fresh account."""

    def __init__(self, server: Any, username: str) -> None:
        self.client = Client(server.base_url, username, server.account(username))
        listed = self.client.data("GET", "/task-class?page_size=100")["list"]
        self.class_ids = sorted(row["id"] for row in listed)
        self.weeks = range(1, self.client.data("GET", "/schedule/semester")["weeks"] + 1)
        self.chat = self.client.chat(
            {"message": "帮我把这些任务类排进课表", "extra": {"task_class_ids": self.class_ids}}
        )
        self.conversation_id = self.chat.conversation_id

    def preview(self) -> Json:
        data = self.client.data("GET", f"/agent/schedule-preview?conversation_id={self.conversation_id}")
        assert isinstance(data, dict)
        return data

    def save(self, items: list[Json]) -> Any:
        return self.client.call(
            "POST", "/agent/schedule-state", json={"conversation_id": self.conversation_id, "items": items}
        )

    def apply(self, body: Json, key: str) -> Any:
        headers = {"Idempotency-Key": key}
        return self.client.call("PUT", "/task-class/apply-batch-into-schedule", json=body, headers=headers)


@pytest.fixture(scope="module")
def job(server: Any) -> Job:
    return Job(server, "mainjob")


def test_the_stream_reads_as_openai_chunks_and_ends_with_finish_and_done(job: Job) -> None:
    chat = job.chat
    assert chat.status == 200
    assert chat.done
    assert chat.ids == list(range(len(chat.ids)))
    for chunk in chat.chunks:
        ChatCompletionChunk.model_validate(chunk)
    assert chat.kinds[0] == "ai_message_start"
    assert chat.kinds[-1] == "finish"
    assert chat.extra("finish")[0]["finish"]["outcome"] == "completed"
    assert chat.kinds.index("schedule_completed") > max(i for i, k in enumerate(chat.kinds) if k == "assistant_text")
    assert chat.statuses[0] == "accepted"
    assert chat.statuses[-1] == "done"
    assert {"rough_building", "rough_build_done", "diagnosing"} <= set(chat.statuses)


def test_every_started_tool_has_one_result_and_blocks_do_not_interleave(job: Job) -> None:
    started = [e["tool"]["call_id"] for e in job.chat.extra("tool_call")]
    finished = [e["tool"]["call_id"] for e in job.chat.extra("tool_result")]
    assert started == finished
    assert len(set(started)) == len(started) > 1
    open_block = None
    for chunk in job.chat.chunks:
        extra = chunk["extra"]
        if extra["kind"] == "text_start":
            assert open_block is None
            open_block, text = extra["block_id"], ""
        elif extra["kind"] == "assistant_text":
            assert extra["block_id"] == open_block
            text += chunk["choices"][0]["delta"]["content"]
        elif extra["kind"] == "text_end":
            assert extra["text"]["full_content"] == text
            open_block = None
        else:
            assert open_block is None, extra


def test_polling_and_reattaching_give_the_same_events(job: Job) -> None:
    again = job.client.follow(job.chat.run_id)
    assert again.frames == job.chat.frames
    assert again.done
    events = job.client.poll(job.chat.run_id)
    assert [e["idx"] for e in events] == job.chat.ids
    assert events == job.client.poll(job.chat.run_id, limit=1)
    assert {tuple(e) for e in events} == {("idx", "type", "data", "ts")}
    assert events[-1]["type"] == "task_complete"
    middle = len(job.chat.ids) // 2
    assert job.client.follow(job.chat.run_id, after=middle).frames == job.chat.frames[middle + 1 :]
    assert job.client.follow(job.chat.run_id, after=job.chat.ids[-1]).status == 204


def test_the_timeline_tells_the_stream_again(job: Job) -> None:
    page = job.client.data("GET", f"/agent/conversations/{job.conversation_id}/timeline?after_seq=0&limit=500")
    assert [item["seq"] for item in page["items"]] == list(range(1, len(page["items"]) + 1))
    assert page["items"][0]["kind"] == "user_text"
    texts = [item["content"] for item in page["items"] if item["kind"] == "assistant_text"]
    assert texts == [e["text"]["full_content"] for e in job.chat.extra("text_end") if not e["text"]["superseded"]]
    results = [item["payload"]["call_id"] for item in page["items"] if item["kind"] == "tool_result"]
    assert results == [e["tool"]["call_id"] for e in job.chat.extra("tool_result")]
    state = job.client.data("GET", f"/agent/conversations/{job.conversation_id}/state")
    assert state["interaction"] is None
    assert state["draft"]["exists"]
    assert state["timeline_seq"] == page["next_after_seq"]


def test_the_preview_shows_courses_and_suggestions_and_reads_the_same_twice(job: Job) -> None:
    preview = job.preview()
    assert set(preview) == PREVIEW_FIELDS | {"difference", "semester_id"}
    assert preview == job.preview()
    assert preview["task_class_ids"] == job.class_ids
    assert all(set(entry) >= set(ENTRY_FIELDS.split()) for entry in preview["hybrid_entries"])
    suggested = [e for e in preview["hybrid_entries"] if e["status"] == "suggested"]
    assert preview["summary"].startswith(f"已为你安排了 {len(suggested)} 个任务")
    shown = {
        (plan["week"], event["day_of_week"], event["section_from"], event["section_to"], event["name"])
        for plan in preview["candidate_plans"]
        for event in plan["events"]
    }
    free = {
        (e["week"], e["day_of_week"], e["section_from"], e["section_to"], e["name"])
        for e in preview["hybrid_entries"]
        if e["type"] == "course" or not e["event_id"]
    }
    assert shown == free


def test_saving_what_the_preview_shows_changes_nothing(job: Job) -> None:
    preview = job.preview()
    answer = job.save(items_of(preview["hybrid_entries"]))
    assert answer.json() == {"status": "10000", "info": "success", "data": None}
    assert int(answer.headers["x-draft-revision"]) == preview["revision"]
    assert job.preview() == preview


def test_each_bad_save_has_its_code_and_changes_nothing(job: Job) -> None:
    preview = job.preview()
    rows = items_of(preview["hybrid_entries"])
    first = rows[0]
    early = next(row for row in rows if row["end_section"] < 12)  # one section more is still in the day
    course = next(e for e in preview["hybrid_entries"] if e["type"] == "course" and not e["can_be_embedded"])
    on_course = {**first, "week": course["week"], "day_of_week": course["day_of_week"]}
    on_course |= {"start_section": course["section_from"], "end_section": course["section_to"]}
    on_course.pop("embed_course_event_id", None)
    expected: list[tuple[str, list[Json]]] = [
        ("40005", [{**first, "week": "1"}]),
        ("40005", [{**first, "end_section": first["start_section"] - 1}]),
        ("40059", [{**first, "week": 99}]),
        ("40060", [{**first, "task_item_id": 987654}]),
        ("40061", [{**first, "embed_course_event_id": 987654}]),
        ("40062", [first, first]),
        ("40073", [{**early, "end_section": early["end_section"] + 1}]),
    ]
    for code, items in expected:
        assert job.save(items).json()["status"] == code, (code, items)
    if course["section_to"] - course["section_from"] == first["end_section"] - first["start_section"]:
        assert job.save([on_course]).json()["status"] in ("40026", "40072", "40073")
    without = job.client.call("POST", "/agent/schedule-state", json={"items": []}).json()
    assert without["status"] == "40004"
    unknown = "00000000-0000-0000-0000-000000000007"
    absent = job.client.call("POST", "/agent/schedule-state", json={"conversation_id": unknown, "items": []}).json()
    assert absent["status"] == "40058"
    assert job.preview() == preview


def test_applying_writes_the_preview_once_and_undo_takes_it_back(job: Job) -> None:
    before = timetable(job.client, job.weeks)
    preview = job.preview()
    body = {"batches": batches_of(preview)}
    assert job.client.call("PUT", "/task-class/apply-batch-into-schedule", json=body).json()["status"] == "40037"
    first = job.apply(body, "key-1")
    assert first.status_code == 200, first.text
    again = job.apply(body, "key-1")
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    applied = first.json()["data"]["applied"]
    assert len(applied) == len(items_of(preview["hybrid_entries"]))
    assert job.apply({"batches": body["batches"][:1]}, "key-1").json()["status"] == "40070"
    assert job.apply(body, "key-2").json()["status"] == "40034"
    after = timetable(job.client, job.weeks)
    tasks = {(e["week"], e["day_of_week"], e["section_from"], e["name"]) for e in after if e["type"] == "task"}
    guests = {(e["week"], e["day_of_week"], e["embedded_task_info"]["name"]) for e in after if e["embedded_task_info"]}
    for entry in preview["hybrid_entries"]:
        if entry["status"] == "suggested" and entry["event_id"]:
            assert (entry["week"], entry["day_of_week"], entry["name"]) in guests
        elif entry["status"] == "suggested":
            assert (entry["week"], entry["day_of_week"], entry["section_from"], entry["name"]) in tasks
    rebased = job.preview()
    assert items_of(rebased["hybrid_entries"]) == []
    batch = first.json()["data"]["batch_id"]
    undone = job.client.data("POST", f"/schedule/batches/{batch}/undo")
    assert sorted(undone["task_item_ids"]) == sorted(a["task_item_id"] for a in applied)
    assert timetable(job.client, job.weeks) == before
    assert job.client.call("POST", f"/schedule/batches/{batch}/undo").json()["data"]["reason"] == "already_undone"
    assert items_of(job.preview()["hybrid_entries"]) == []


def test_another_account_sees_nothing_of_it(job: Job, server: Any) -> None:
    stranger = Client(server.base_url, "stranger", server.account("stranger"))
    unknown = "00000000-0000-0000-0000-000000000007"
    paths = [
        "/agent/conversations/{c}",
        "/agent/conversations/{c}/state",
        "/agent/conversations/{c}/timeline",
        "/agent/schedule-preview?conversation_id={c}",
        "/tasks/{r}",
        "/agent/runs/{r}/stream",
    ]
    for path in paths:
        theirs = stranger.call("GET", path.format(c=job.conversation_id, r=job.chat.run_id))
        nobody = stranger.call("GET", path.format(c=unknown, r=unknown))
        assert (theirs.status_code, theirs.content) == (nobody.status_code, nobody.content)
    for body in (
        {"message": "hi", "conversation_id": job.conversation_id},
        {"message": "hi", "conversation_id": unknown},
    ):
        assert stranger.call("POST", "/agent/chat", json=body).json()["status"] == "40401"
    scope = {"message": "排一下", "extra": {"task_class_ids": job.class_ids}}
    assert stranger.call("POST", "/agent/chat", json=scope).json()["status"] == "40040"
    assert stranger.call("GET", f"/task-class/{job.class_ids[0]}").json()["status"] == "40040"


def test_a_local_move_asks_and_writes_exactly_what_the_card_shows(server: Any) -> None:
    job = Job(server, "mover")
    client, entries = job.client, job.preview()["hybrid_entries"]
    item = [e for e in entries if e["status"] == "suggested"][-1]
    ask: Json = {"conversation_id": job.conversation_id, "message": f"把「{item['name']}」挪到别的时间"}
    chat = client.chat(ask)
    for _ in range(3):  # a question for the target may come first: take what it offers
        if chat.extra("confirm_request"):
            break
        question = chat.extra("interrupt")[0]["interrupt"]
        assert question["type"] == "ask_user"
        resume = {"interaction_id": question["interaction_id"], "type": "ask_user", "action": "reply"}
        chat = client.chat({"conversation_id": job.conversation_id, "message": "1", "extra": {"resume": resume}})
    card = chat.extra("confirm_request")[0]["confirm"]
    assert job.preview()["hybrid_entries"] == entries
    state = client.data("GET", f"/agent/conversations/{job.conversation_id}/state")
    assert state["interaction"]["interaction_id"] == card["interaction_id"]
    resume = {"interaction_id": card["interaction_id"], "type": "confirm", "action": "approve"}
    body = {"conversation_id": job.conversation_id, "message": "", "extra": {"resume": resume}}
    approved = client.chat(body)
    assert approved.kinds[:2] == ["ai_message_start", "interaction_resolved"]
    assert approved.extra("tool_result")[0]["tool"]["changes"] == card["changes"]
    twice = client.chat(body)
    assert twice.frames == approved.frames
    assert twice.headers["idempotent-replayed"] == "true"
    refused = {"interaction_id": card["interaction_id"], "type": "confirm", "action": "reject"}
    late = client.call(
        "POST",
        "/agent/chat",
        json={"conversation_id": job.conversation_id, "message": "", "extra": {"resume": refused}},
    )
    assert (late.status_code, late.json()["status"]) == (409, "40074")
    assert late.json()["data"]["reason"] == "answered"
    _only_changed(entries, job.preview()["hybrid_entries"], {c["task_item_id"] for c in card["changes"]})


def _only_changed(before: list[Json], after: list[Json], moved: set[int]) -> None:
    def others(entries: list[Json]) -> list[str]:
        rows = [e for e in entries if e["type"] == "task" and e["task_item_id"] not in moved]
        return sorted(json.dumps(row, sort_keys=True) for row in rows)

    assert others(before) == others(after)
    assert before != after


def test_the_same_idempotency_key_names_the_same_run(server: Any) -> None:
    client = Client(server.base_url, "keys", server.account("keys"))
    first: Chat = client.chat({"message": "你好"}, **{"Idempotency-Key": "chat-1"})
    again: Chat = client.chat({"message": "你好"}, **{"Idempotency-Key": "chat-1"})
    assert again.frames == first.frames
    assert again.run_id == first.run_id
    assert client.data("GET", "/agent/conversations")["total"] == 1
