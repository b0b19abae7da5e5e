"""Search providers over a local HTTP server, and what is left of them when nobody set one up."""

from __future__ import annotations

import asyncio
import json

import pytest

from agent.calls.ports import Ports, WebFailure
from agent.outbound import search as searching
from agent.outbound.search import Bocha, Searxng, span
from agent.outbound.setup import search_provider, web_ports
from tests.kits.tools.hostile import answer, serving
from tests.kits.tools.world import call, draft

JSON = "application/json"
SEARXNG = {
    "results": [
        {
            "title": "概率论提纲",
            "url": "https://a.example.org/x",
            "content": "摘要",
            "publishedDate": "2026-01-05T00:00",
        },
        {"title": "别处", "url": "https://elsewhere.test/y", "content": "s"},
        {"title": "冒充", "url": "https://notexample.org/z", "content": "s"},
        {"title": "again", "url": "https://a.example.org/x", "content": "s"},
        {"title": "bad", "url": "javascript:alert(1)", "content": "s"},
        "not a row",
    ]
}


def writes(document, status="200 OK"):
    async def handler(writer, path):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        writer.write(answer(body, status=status, content_type=JSON))

    return handler


async def searched(handler, make, **asked):
    async with serving(handler) as (port, seen):
        provider = make(f"http://127.0.0.1:{port}")
        asked = {"top_k": 5, "domains": (), "recency_days": None, **asked}
        try:
            return await provider.search("概率论", **asked), seen
        except WebFailure as failure:
            return failure, seen


async def test_it_reads_a_searxng_answer():
    hits, seen = await searched(writes(SEARXNG), Searxng, recency_days=5)
    assert [hit.url for hit in hits][:2] == ["https://a.example.org/x", "https://elsewhere.test/y"]
    assert hits[0].published_at == "2026-01-05"
    assert b"format=json" in seen[0]
    assert b"time_range=week" in seen[0]


async def test_it_reads_a_bocha_answer_and_sends_the_key_and_the_hosts():
    rows = [
        {"name": "概率论", "url": "https://b.example.org/", "snippet": "s", "datePublished": "2026-02-01T08:00:00Z"}
    ]
    document = {"code": 200, "data": {"webPages": {"value": rows}}}
    hits, seen = await searched(writes(document), lambda url: Bocha("secret", url), domains=("example.org",))
    assert [(hit.title, hit.host, hit.published_at) for hit in hits] == [("概率论", "b.example.org", "2026-02-01")]
    assert b"authorization: bearer secret" in seen[0].lower()


@pytest.mark.parametrize(
    ("document", "status", "code", "number"),
    [
        ({}, "500 Oops", "web_provider_error", 500),
        ({}, "401 No", "web_provider_error", 401),
        (b"<html>not json", "200 OK", "web_provider_error", 0),
        ({"results": "text"}, "200 OK", "web_provider_error", 0),
        (b"[" + b"0," * (2 << 20) + b"0]", "200 OK", "web_provider_error", 0),
        (b"[" * 100_000, "200 OK", "web_provider_error", 0),
        ({"error": "no engines"}, "200 OK", "web_provider_error", 0),
        ([], "200 OK", "web_provider_error", 0),
    ],
)
async def test_it_names_a_provider_that_does_not_answer_well(document, status, code, number):
    failure, _ = await searched(writes(document, status), Searxng)
    assert (failure.code, failure.http_status) == (code, number)


async def test_an_answer_without_hits_is_a_success():
    hits, _ = await searched(writes({"results": []}), Searxng)
    assert hits == []
    hits, _ = await searched(writes({"code": 200, "data": {"webPages": None}}), lambda url: Bocha("secret", url))
    assert hits == []


async def test_it_waits_ten_seconds_at_most(monkeypatch):
    monkeypatch.setattr(searching, "WHOLE_SECONDS", 0.2)

    async def silent(writer, path):
        await asyncio.sleep(5)

    failure, _ = await searched(silent, Searxng)
    assert failure.code == "web_timeout"


def test_it_takes_the_shortest_span_that_covers_the_days():
    names = ("day", "week", "month", "year")
    assert [span(days, names) for days in (1, 2, 7, 8, 31, 32, 365)] == [
        "day", "week", "week", "month", "month", "year", "year",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"WEB_SEARCH_PROVIDER": "none"},
        {"WEB_SEARCH_PROVIDER": "altavista", "WEB_SEARCH_URL": "http://x"},
        {"WEB_SEARCH_PROVIDER": "searxng"},
        {"WEB_SEARCH_PROVIDER": "bocha", "WEB_SEARCH_URL": "http://x"},
    ],
)
async def test_without_a_provider_the_tool_says_so_and_invents_nothing(given):
    assert search_provider(given) is None
    outcome, result = await call("web_search", {"query": "概率论"}, draft(), ports=web_ports(given))
    assert (result.status, result.error_code) == ("blocked", "web_not_enabled")
    assert "items" not in outcome.data
    assert json.loads(result.observation_text)["error"] == "网页搜索未启用"


def test_settings_choose_the_provider_and_can_turn_fetching_off():
    assert search_provider({"WEB_SEARCH_PROVIDER": "SearXNG", "WEB_SEARCH_URL": "http://s"}) == Searxng("http://s")
    assert isinstance(search_provider({"WEB_SEARCH_PROVIDER": "bocha", "WEB_SEARCH_API_KEY": "k"}), Bocha)
    assert web_ports({"WEB_FETCH_ENABLED": "false"}).web_fetch is None
    assert web_ports({"WEB_FETCH_ENABLED": False}).web_fetch is None
    assert web_ports({}).web_fetch is not None


async def test_it_filters_hosts_for_a_provider_that_does_not():
    async with serving(writes(SEARXNG)) as (port, _):
        provider = Searxng(f"http://127.0.0.1:{port}")
        asked = {"query": "概率论", "domain_allow": ["Example.org"]}
        outcome, result = await call("web_search", asked, draft(), ports=Ports(web_search=provider.search))
    assert [row["url"] for row in outcome.data["items"]] == ["https://a.example.org/x"]
    assert json.loads(result.observation_text)["untrusted"] is True


async def test_a_failing_provider_is_an_observation_not_an_error():
    async with serving(writes({}, "503 Busy")) as (port, _):
        provider = Searxng(f"http://127.0.0.1:{port}")
        _, result = await call("web_search", {"query": "x"}, draft(), ports=Ports(web_search=provider.search))
    told = json.loads(result.observation_text)
    assert (result.status, told["error_code"], told["status_class"]) == ("failed", "web_provider_error", "5xx")


async def test_the_caps_of_a_goal_hold():
    async def never(*args, **kwargs):
        raise AssertionError("asked beyond the cap")

    caps = {"searches_left": 0, "fetches_left": 0, "bytes_left": 1}
    outside = Ports(web_search=never, web_fetch=never)
    for name, arguments in (("web_search", {"query": "x"}), ("web_fetch", {"url": "https://x.test/"})):
        _, result = await call(name, arguments, draft(), ports=outside, caps=caps)
        assert (result.status, result.error_code) == ("blocked", "web_cap_reached")
