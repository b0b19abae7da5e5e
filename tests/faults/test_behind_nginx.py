"""The site of `deploy/nginx` on a real nginx before two web processes: streams, sockets, uploads, a rolling restart."""

from __future__ import annotations

import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.kits.faults.daemons import Daemon, Worker
from tests.kits.faults.nginx import Nginx, trust
from tests.kits.faults.talks import FIRST, SECOND, model_settings
from tests.kits.provider.openai_server import OpenAIServer, Wait, chunk, decision, deltas
from tests.kits.transports.students import parse_frames, passwords_of, without_pings
from tests.kits.waiting import until


@dataclass
class Site:
    nginx: Nginx
    webs: list[Any]
    http: httpx.Client
    """A signed-in student of the site."""

    @property
    def api(self) -> str:
        return f"{self.nginx.base_url}/api/v1"


@pytest.fixture(scope="module")
def site(server_factory: Any, redis: Daemon, endpoint: Any, tmp_path_factory: Any) -> Iterator[Site]:
    first = server_factory(
        REDIS_URL=f"redis://127.0.0.1:{redis.port}/0",
        AGENT_RUN_IN_WEB="false",
        HTTPS="on",
        TRUSTED_PROXIES="127.0.0.1",
        **model_settings(endpoint),
    )
    webs = [first, server_factory(**{name: value for name, value in first.environment.items() if name.isupper()})]
    worker = Worker(first).start()
    nginx = Nginx(tmp_path_factory.mktemp("nginx"), webs)
    http = httpx.Client(verify=trust(), timeout=120)
    asked = {"username": "li", "password": passwords_of(first)["li"]}
    answer = http.post(f"{nginx.base_url}/api/v1/auth/token", json=asked)
    http.headers["Authorization"] = f"Bearer {answer.json()['data']['token']}"
    yield Site(nginx, webs, http)
    nginx.stop()
    worker.kill()
    for web in webs:
        web.stop(signal.SIGKILL)


def half_said(model: OpenAIServer) -> threading.Event:
    """The model says half a sentence and waits with the rest for the event."""
    go = threading.Event()
    model.script([[chunk(content='{"route":"direct_reply","speak":"' + FIRST), Wait(go), *deltas([SECOND + '"}'])]])
    return go


def text_of(body: bytes) -> str:
    ends = [frame for frame in parse_frames(body) if frame.kind == "text_end"]
    return "".join(frame.data["extra"]["text"]["full_content"] for frame in ends)


def test_a_stream_is_neither_held_back_nor_compressed(site: Site, model: OpenAIServer) -> None:
    go, body = half_said(model), b""
    asked = {"message": "说一句"}
    with site.http.stream("POST", f"{site.api}/agent/chat", json=asked, headers={"Accept-Encoding": "gzip"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream"), answer.read()
        assert "content-encoding" not in answer.headers
        for part in answer.iter_bytes():
            body += part
            if FIRST in body.decode(errors="ignore"):
                go.set()
    assert text_of(body) == FIRST + SECOND
    assert parse_frames(body)[-1].data is None
    again = site.http.get(f"{site.api}/agent/runs/{answer.headers['x-run-id']}/stream?from=0")
    assert without_pings(again.content).endswith(without_pings(body)[-200:])


def test_a_socket_opens_and_carries_a_run(site: Site, model: OpenAIServer) -> None:
    model.script([decision({"route": "direct_reply", "speak": "好"})])
    address = site.nginx.base_url.replace("https", "wss") + "/ws/v1/agent"
    headers = {"Authorization": site.http.headers["Authorization"]}
    with connect(address, additional_headers=headers, ssl=trust()) as opened:
        opened.send(json.dumps({"type": "chat", "req": "1", "data": {"message": "你好"}}))
        kinds = []
        while "task_complete" not in kinds:
            kinds.append(json.loads(opened.recv(60))["type"])
    assert kinds[0] == "ack"
    assert "text_chunk" in kinds


def test_everything_else_is_compressed_and_comes_over_http_2(site: Site) -> None:
    for path in ("/static/agent/css/tokens.css", "/api/v1/schema/events.json"):
        answer = site.http.get(site.nginx.base_url + path, headers={"Accept-Encoding": "gzip"})
        assert (answer.status_code, answer.headers.get("content-encoding")) == (200, "gzip"), path
    offered = trust()
    offered.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(("127.0.0.1", site.nginx.port)) as raw, offered.wrap_socket(raw) as wrapped:
        assert wrapped.selected_alpn_protocol() == "h2"


def test_plain_http_is_sent_on_and_figures_stay_inside(site: Site) -> None:
    answer = httpx.get(f"{site.nginx.plain_url}/week?a=b")
    assert (answer.status_code, answer.headers["location"]) == (301, "https://plan.example.edu/week?a=b")
    for path in ("/metrics", "/readyz"):
        assert site.http.get(site.nginx.base_url + path).status_code == 404
    assert site.http.get(f"{site.nginx.base_url}/healthz").status_code == 200


def test_the_log_shows_nothing_that_opens_something_and_no_words(site: Site) -> None:
    for path in (
        "/chat?message=hidden",
        "/feeds/hidden.ics",
        "/account/email/confirm/hidden/",
        "/account/password/reset/7-hidden/",
    ):
        site.http.get(f"{site.nginx.base_url}{path}", follow_redirects=False)
        site.http.get(f"{site.nginx.plain_url}{path}", follow_redirects=False)
    said = until(lambda: "reset/..." in (text := site.nginx.log.read_text()) and text)
    for shown in ("GET /chat", "GET /feeds/...", "GET /account/email/confirm/...", "GET /account/password/reset/..."):
        assert f'"{shown}"' in said
    assert "hidden" not in said
    answer = site.http.get(f"{site.nginx.base_url}/healthz")
    until(lambda: answer.headers["x-request-id"] in site.nginx.log.read_text())


def test_uploads_pass_and_one_that_is_too_large_is_refused_in_our_own_words(site: Site) -> None:
    def upload(content: bytes) -> httpx.Response:
        files = {"file": ("courses.json", content, "application/json")}
        address = f"{site.api}/schedule/imports?dry_run=true"
        return site.http.post(address, files=files, headers={"Idempotency-Key": f"u-{len(content)}"})

    small, large = upload(b'{"courses": []}'), upload(b" " * 8_000_000)
    for answer in (small, large):
        assert answer.headers["content-type"].startswith("application/json"), answer.text[:200]
        assert set(answer.json()) >= {"status", "info"}
    assert large.status_code in (400, 413)
    archive = site.http.get(f"{site.api}/account/archive").json()
    archive["conversations"] = [{"title": "x" * 20_000_000}]
    answer = site.http.post(f"{site.api}/account/archive", files={"file": ("a.json", json.dumps(archive))})
    assert answer.json()["status"] in ("10000", "40087"), answer.text[:200]


def test_a_rolling_restart_is_noticed_by_nobody(site: Site, model: OpenAIServer) -> None:
    go = half_said(model)
    run_id = site.http.post(f"{site.api}/tasks", json={"message": "说一句"}).json()["data"]["task_id"]
    asked, over = [], threading.Event()

    def poll() -> None:
        with httpx.Client(verify=trust(), headers=site.http.headers, timeout=60) as other:
            while not over.is_set():
                asked.append(other.get(f"{site.api}/tasks/{run_id}").status_code)
                time.sleep(0.02)

    reader = threading.Thread(target=poll)
    reader.start()
    try:
        for web in site.webs:
            before = len(asked)
            web.stop(signal.SIGTERM)
            until(lambda before=before: len(asked) > before + 5)
            web.start()
    finally:
        over.set()
        reader.join()
    go.set()
    body = site.http.get(f"{site.api}/agent/runs/{run_id}/stream?from=0").content
    assert set(asked) == {200}
    assert text_of(body) == FIRST + SECOND, body.decode()
