"""The WebSocket: the same events, acks and rejects, and who may open it (wire.md 6.5, 8)."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from pathlib import Path
from socket import SHUT_RDWR
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from agent.transports.socket.handshake import Visitor, is_origin_allowed
from agent.transports.socket.websocket import ConversationConsumer
from taskclasses.kernel.errors import CodedError
from tests.kits.provider.openai_server import Wait, chunk, decision, deltas, silence
from tests.kits.transports.runs import HALF, asks
from tests.kits.transports.sockets import close_code, events_until_end, send, socket, url_of
from tests.kits.transports.students import Student
from tests.kits.waiting import until


def test_it_acks_and_sends_the_poll_envelopes_byte_for_byte(li: Student) -> None:
    with socket(li) as opened:
        ack = send(opened, "chat", "7", message="你好")
        assert (ack["type"], ack["req"], ack["data"]["from"], ack["data"]["replayed"]) == ("ack", "7", 0, False)
        frames = events_until_end(opened)
        polled = li.http.get(f"/tasks/{ack['data']['run_id']}").text
        assert ",".join(frames) in polled
        again = send(opened, "follow", "8", run_id=ack["data"]["run_id"], **{"from": 2})
        assert again["data"] == {"run_id": ack["data"]["run_id"], "from": 2, "run_status": "succeeded"}
        assert events_until_end(opened) == frames[2:]
        assert send(opened, "ping", "9") == {"type": "ack", "req": "9", "data": {}}


def test_a_key_attaches_and_another_conversation_switches(li: Student) -> None:
    with socket(li) as opened:
        first = send(opened, "chat", message="你好", idempotency_key="ws-1")["data"]
        events_until_end(opened)
        again = send(opened, "chat", message="你好", idempotency_key="ws-1")["data"]
        assert (again["run_id"], again["replayed"]) == (first["run_id"], True)
        assert json.loads(events_until_end(opened)[0])["data"]["run_id"] == first["run_id"]


def test_refusals_have_the_codes_of_rest_and_leave_the_socket_open(li: Student, wang: Student) -> None:
    theirs, _ = wang.chat("你好")
    with socket(li) as opened:
        cases = [
            ("follow", {"run_id": theirs.headers["x-run-id"]}, "40076"),
            ("cancel", {"run_id": "nope"}, "40076"),
            ("cancel", {}, "40005"),
            ("chat", {"message": " "}, "40005"),
            ("chat", {"message": "hi", "conversation_id": theirs.headers["x-conversation-id"]}, "40401"),
            ("resume", {"conversation_id": "", "interaction_id": "x", "action": "approve"}, "40004"),
            ("resume", {"conversation_id": "x"}, "40005"),
        ]
        for kind, data, code in cases:
            answer = send(opened, kind, "5", **data)
            assert (answer["type"], answer["req"], answer["data"]["status"]) == ("reject", "5", code), kind
        assert send(opened, "ping")["type"] == "ack"


def test_a_refused_answer_names_the_fields_of_its_frame(ming: Student, script: Any) -> None:
    conversation_id, interaction = asks(ming, script)
    asked = {"conversation_id": conversation_id, "interaction_id": interaction["interaction_id"], "message": "x"}
    with socket(ming) as opened:
        for fields, wrong in (
            ({"action": "reply", "interaction_type": "nope"}, ["interaction_type"]),
            ({"action": "nope"}, ["action"]),
            ({"action": "reply", "interaction_type": "confirm"}, ["action"]),
            ({"action": "reply", "option": "none of these"}, ["option"]),
            ({"interaction_id": 5, "interaction_type": 5}, ["interaction_id", "action", "interaction_type"]),
        ):
            answer = send(opened, "resume", **{**asked, **fields})["data"]
            assert (answer["status"], [row["field"] for row in answer["data"]["errors"]]) == ("40005", wrong)


def test_a_question_is_answered_over_the_socket(ming: Student, script: Any) -> None:
    conversation_id, interaction = asks(ming, script)
    script.script([decision({"action": "abort", "abort": {"code": "stop", "user_message": "好。"}, "speak": ""})])
    with socket(ming) as opened:
        fields = {"interaction_id": interaction["interaction_id"], "interaction_type": "ask_user", "action": "reply"}
        ack = send(opened, "resume", conversation_id=conversation_id, message="概率论", **fields)
        assert ack["type"] == "ack", ack
        resolved = json.loads(events_until_end(opened)[1])
        assert (resolved["type"], resolved["data"]["message"]) == ("interaction_resolved", "概率论")


def test_closing_the_socket_cancels_nothing_and_cancel_does(ming: Student, script: Any) -> None:
    script.script([silence(chunk(content=HALF))])
    with socket(ming) as opened:
        run_id = send(opened, "chat", message="慢慢想")["data"]["run_id"]
    assert ming.data(f"/tasks/{run_id}")["run_status"] in ("queued", "running")
    with socket(ming) as opened:
        send(opened, "follow", run_id=run_id)
        opened.send(json.dumps({"type": "cancel", "req": "c", "data": {"run_id": run_id}}))
        last = json.loads(events_until_end(opened)[-1])
        assert last["data"]["run_status"] == "cancelled"


def test_a_client_that_leaves_in_the_middle_of_an_answer_is_no_error(ming: Student, script: Any) -> None:
    """Telephones fall asleep all the time: nothing stays behind, and an operator reads of it nowhere."""
    log: Path = ming.server.log
    told, go = len(log.read_bytes()), threading.Event()
    pieces = [chunk(content="一段，") for _ in range(600)]
    script.script([[chunk(content=HALF), Wait(go), *pieces, *deltas(['"}'])]])
    with ExitStack() as stack:
        opened = [stack.enter_context(socket(ming)) for _ in range(10)]
        run_id = send(opened[0], "chat", message="慢慢想")["data"]["run_id"]
        for other in opened[1:]:
            assert send(other, "follow", run_id=run_id)["type"] == "ack"
        go.set()
        for number, one in enumerate(opened):
            while json.loads(one.recv(120))["idx"] < 30 * number:
                pass
            one.socket.shutdown(SHUT_RDWR)
    until(lambda: ming.data(f"/tasks/{run_id}")["run_status"] == "succeeded")
    assert b"unexpected error" not in log.read_bytes()[told:]


async def test_a_request_that_is_refused_when_its_client_has_left_is_no_error() -> None:
    async def gone(message: Any) -> None:
        raise OSError

    consumer = ConversationConsumer()
    consumer.scope = {"in_time": fail_with(CodedError(40005)), "coded": lambda error: error, "headers": []}
    consumer.base_send = gone
    await consumer.receive("{}")


def fail_with(error: Exception) -> Any:
    async def fail(work: Any) -> None:
        work.close()
        raise error

    return fail


def test_who_is_not_signed_in_is_told_so(li: Student) -> None:
    for headers in ({}, {"Authorization": "Bearer nope"}):
        with socket(li, headers=headers) as opened:
            assert close_code(opened) == 4401
    with connect(f"{url_of(li)}?token={li.token}") as opened:
        assert close_code(opened) == 4401


def test_a_token_may_come_as_a_subprotocol(li: Student) -> None:
    with connect(url_of(li), subprotocols=["smartmate.v1", f"bearer.{li.token}"]) as opened:
        assert opened.subprotocol == "smartmate.v1"
        assert send(opened, "ping")["type"] == "ack"


def test_a_cookie_needs_an_allowed_origin(li: Student) -> None:
    base = li.server.base_url
    with httpx.Client(base_url=base) as browser:
        browser.get("/login")
        form = {
            "username": li.username,
            "password": li.password,
            "csrfmiddlewaretoken": browser.cookies["csrftoken"],
        }
        browser.post("/login", data=form, headers={"Referer": f"{base}/login"})
        cookie = f"sessionid={browser.cookies['sessionid']}"
    for origin in (None, "https://evil.example", "null"):
        headers = {"Cookie": cookie, **({"Origin": origin} if origin else {})}
        with pytest.raises(InvalidStatus) as refused, connect(url_of(li), additional_headers=headers):
            pass
        assert refused.value.response.status_code == 403
    with connect(url_of(li), additional_headers={"Cookie": cookie}, origin=base) as opened:
        assert send(opened, "ping")["type"] == "ack"


@pytest.mark.parametrize(
    ("https", "origin", "allowed"),
    [
        (False, "http://plan.example.edu", True),
        (False, "https://plan.example.edu", True),
        (False, "ftp://plan.example.edu", False),
        (True, "https://plan.example.edu", True),
        (True, "http://plan.example.edu", False),
        (True, "https://app.example.org", True),
        (True, "http://app.example.org", False),
        (True, "https://a.below.example.org", True),
        (True, "https://nobelow.example.org", False),
        (True, "https://plan.example.edu.evil.example", False),
    ],
)
def test_a_page_opens_a_socket_as_it_may_send_a_form(settings: Any, https: bool, origin: str, allowed: bool) -> None:
    settings.HTTPS, settings.ALLOWED_HOSTS = https, ["plan.example.edu"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://app.example.org", "https://*.below.example.org"]
    scope = {"headers": [(b"host", b"plan.example.edu"), (b"origin", origin.encode())]}
    assert is_origin_allowed(scope, Visitor(1, "session", None)) is allowed


def test_a_frame_that_is_not_understood_is_rejected_by_its_mark(li: Student) -> None:
    with socket(li) as opened:
        answer = send(opened, "dance", "x7")
        assert (answer["type"], answer["req"], answer["data"]["status"]) == ("reject", "x7", "40005")
        opened.send(json.dumps({"type": "follow", "req": "x8", "data": []}))
        answer = json.loads(opened.recv(120))
        assert (answer["type"], answer["req"], answer["data"]["status"]) == ("reject", "x8", "40005")
        assert send(opened, "ping", "x9")["req"] == "x9"


@pytest.mark.parametrize("text", [r'{"type":"ping","req":"\ud800"}', '{"type":"ping","data":{"x":NaN}}'])
def test_a_frame_with_what_json_cannot_carry_is_rejected_and_leaves_the_socket_open(li: Student, text: str) -> None:
    with socket(li) as opened:
        opened.send(text)
        answer = json.loads(opened.recv(120))
        assert (answer["type"], answer["req"], answer["data"]["status"]) == ("reject", "", "40005")
        assert send(opened, "ping", "x9")["req"] == "x9"


def test_malformed_and_large_frames_close_the_socket(li: Student) -> None:
    with socket(li) as opened:
        for text in ("{", "[]", '{"type":"dance"}'):
            opened.send(text)
        assert close_code(opened) == 4400
    with socket(li) as opened:
        opened.send(json.dumps({"type": "ping", "data": {"x": "a" * 70_000}}))
        assert close_code(opened) == 4413


def test_other_paths_are_refused(li: Student) -> None:
    with pytest.raises(InvalidStatus), connect(li.server.base_url.replace("http", "ws") + "/ws/v2"):
        pass


def test_a_revoked_token_closes_the_socket(server: Any) -> None:
    leaver = Student(server, "leaver")
    with socket(leaver) as opened:
        assert send(opened, "ping")["type"] == "ack"
        leaver.http.delete("/auth/token")
        opened.send(json.dumps({"type": "ping", "req": "2", "data": {}}))
        assert close_code(opened) == 4401


def test_it_speaks_the_language_that_the_account_chose(li: Student) -> None:
    with socket(li) as opened:
        before = send(opened, "chat", message=5)["data"]["info"]
        li.http.patch("/account/settings", json={"language": "en"})
        chosen = send(opened, "chat", message=5)["data"]["info"]
        li.http.patch("/account/settings", json={"language": None})
    assert (before.isascii(), chosen.isascii()) == (False, True)
