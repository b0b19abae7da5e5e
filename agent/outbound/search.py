"""Search providers. Which one is used is the administrator's choice; without one there is no search and no result."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx

from agent.calls.ports import Hit, WebFailure

WHOLE_SECONDS = 10.0
BODY_LIMIT = 2 << 20
BOCHA_URL = "https://api.bochaai.com/v1/web-search"


class SearchProvider(Protocol):
    async def search(
        self, query: str, *, top_k: int, domains: tuple[str, ...], recency_days: int | None
    ) -> list[Hit]: ...


async def ask(request: httpx.Request) -> Any:
    """Returns the JSON of a provider's answer, within ten seconds and two MiB; raises `WebFailure` without its
    words."""
    try:
        async with asyncio.timeout(WHOLE_SECONDS), httpx.AsyncClient(trust_env=False, timeout=WHOLE_SECONDS) as client:
            response = await client.send(request, stream=True)
            try:
                return json.loads(await read_limited_body(response))
            finally:
                await response.aclose()
    except (TimeoutError, httpx.TimeoutException):
        raise WebFailure("web_timeout") from None
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError):
        raise WebFailure("web_provider_error") from None


async def read_limited_body(response: httpx.Response) -> bytes:
    if response.status_code != httpx.codes.OK:
        raise WebFailure("web_provider_error", http_status=response.status_code)
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > BODY_LIMIT:
            raise WebFailure("web_provider_error", reason="size")
    return bytes(body)


def rows_of(document: Any, *path: str) -> list[dict[str, Any]]:
    """Returns the result rows at a path of the answer; another shape is the provider's error, not an answer without
    hits."""
    if not isinstance(document, dict) or not isinstance(document.get(path[0]), list | dict):
        raise WebFailure("web_provider_error")
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    if document is None:
        return []
    if not isinstance(document, list):
        raise WebFailure("web_provider_error")
    return [row for row in document if isinstance(row, dict)]


def hit(title: object, url: object, snippet: object, published_at: object) -> Hit | None:
    words = [value if isinstance(value, str) else "" for value in (title, url, snippet, published_at)]
    if not words[1].startswith(("http://", "https://")):
        return None
    try:
        host = urlsplit(words[1]).hostname or ""
    except ValueError:
        return None
    return Hit(words[0], words[1], words[2], host, words[3][:10])


@dataclass(frozen=True)
class Searxng:
    """Searches by a SearXNG instance with the JSON format switched on. It cannot filter by host; the tool does."""

    url: str
    key: str = ""

    async def search(self, query: str, *, top_k: int, domains: tuple[str, ...], recency_days: int | None) -> list[Hit]:
        parameters = {"q": query, "format": "json", "safesearch": "1"}
        if recency_days is not None:
            parameters["time_range"] = span(recency_days, ("day", "week", "month", "year"))
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        address = f"{self.url.rstrip('/')}/search"
        document = await ask(httpx.Request("GET", address, params=parameters, headers=headers))
        rows = rows_of(document, "results")
        found = [hit(r.get("title"), r.get("url"), r.get("content"), r.get("publishedDate")) for r in rows]
        return [one for one in found if one is not None]


@dataclass(frozen=True)
class Bocha:
    """Searches by the Bocha web search API."""

    key: str
    url: str = BOCHA_URL

    async def search(self, query: str, *, top_k: int, domains: tuple[str, ...], recency_days: int | None) -> list[Hit]:
        body: dict[str, Any] = {"query": query, "count": top_k, "summary": False}
        if recency_days is not None:
            body["freshness"] = span(recency_days, ("oneDay", "oneWeek", "oneMonth", "oneYear"))
        if domains:
            body["include"] = "|".join(domains)
        headers = {"Authorization": f"Bearer {self.key}"}
        document = await ask(httpx.Request("POST", self.url, json=body, headers=headers))
        rows = rows_of(document, "data", "webPages", "value")
        found = [hit(r.get("name"), r.get("url"), r.get("snippet"), r.get("datePublished")) for r in rows]
        return [one for one in found if one is not None]


def span(days: int, names: tuple[str, str, str, str]) -> str:
    """Returns the provider's shortest span that covers so many days."""
    return next((name for limit, name in zip((1, 7, 31), names, strict=False) if days <= limit), names[3])
