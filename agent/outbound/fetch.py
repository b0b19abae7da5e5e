"""Fetching one page for the agent, bounded in every direction (see `address` for what may be opened at all)."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import httpcore

from agent.calls.ports import WebFailure, WebPage
from agent.outbound.address import CheckedUrl, build_blocked_failure, resolve_redirect, target_of
from agent.outbound.charset import decode_body
from agent.outbound.extract import extract
from agent.outbound.network import CONNECT_SECONDS, Edge, PinnedBackend

WHOLE_SECONDS = 15.0
BODY_LIMIT = 1 << 20
REDIRECTS = 3
REDIRECT_CODES = frozenset({301, 302, 303, 307, 308})
TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
USER_AGENT = "SmartMate/1.0 (study planner; reads single pages on request)"
REMEMBERED = 16


@dataclass(frozen=True)
class PageAnswer:
    """Holds one response that is not a redirect: its URL, media type, charset of the header, body after
    decompression."""

    target: CheckedUrl
    media_type: str
    charset: str
    body: bytes


class Fetcher:
    """Fetches pages for one run and remembers them, so that a repeated URL costs nothing.

    `edge` and `ssl_context` are the network's edge; everything between them is the same in tests.
    """

    def __init__(self, *, edge: Edge | None = None, ssl_context: ssl.SSLContext | None = None) -> None:
        self._edge = edge or Edge()
        self._ssl = ssl_context
        self._pages: dict[str, WebPage] = {}

    async def fetch(self, url: str, *, max_chars: int) -> WebPage:
        """Fetches the readable text of a page, at most `max_chars` characters; raises `WebFailure`."""
        page = self._pages.get(url)
        if page is None:
            page = await self._fetch_page(url)
            if len(self._pages) < REMEMBERED:
                self._pages[url] = replace(page, size=0)
        return replace(page, text=page.text[:max_chars], truncated=len(page.text) > max_chars)

    async def _fetch_page(self, url: str) -> WebPage:
        try:
            async with asyncio.timeout(WHOLE_SECONDS):
                answer = await self._answer(target_of(url))
                return await asyncio.to_thread(page_of, url, answer)
        except (TimeoutError, httpcore.TimeoutException):
            raise WebFailure("web_timeout") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, ssl.SSLError, OSError):
            raise WebFailure("web_timeout", reason="unreachable") from None

    async def _answer(self, target: CheckedUrl) -> PageAnswer:
        backend = PinnedBackend(self._edge)
        context = self._ssl or ssl.create_default_context()
        async with httpcore.AsyncConnectionPool(ssl_context=context, network_backend=backend, retries=0) as pool:
            for _ in range(REDIRECTS + 1):
                found = await self._one(pool, target)
                if isinstance(found, PageAnswer):
                    return found
                target = found
        raise build_blocked_failure("redirect")

    async def _one(self, pool: httpcore.AsyncConnectionPool, target: CheckedUrl) -> PageAnswer | CheckedUrl:
        """Makes one request: the answer, or where it sends us."""
        times = {"connect": CONNECT_SECONDS, "read": WHOLE_SECONDS, "write": CONNECT_SECONDS, "pool": CONNECT_SECONDS}
        async with pool.stream(
            "GET", request_url(target), headers=request_headers(target), extensions={"timeout": times}
        ) as response:
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            if response.status in REDIRECT_CODES:
                return resolve_redirect(target, location_text(headers.get("location", "")))
            if not 200 <= response.status < 300:
                raise WebFailure("web_http_status", http_status=response.status)
            media_type, charset = content_type(headers.get("content-type", ""))
            if media_type not in TYPES:
                raise WebFailure("web_unsupported_type")
            body = await read_body(response.aiter_stream(), headers.get("content-encoding", ""))
            return PageAnswer(target, media_type, charset, body)


def request_url(target: CheckedUrl) -> httpcore.URL:
    return httpcore.URL(
        scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.path.encode()
    )


def request_headers(target: CheckedUrl) -> list[tuple[str, str]]:
    """Returns a fixed set of headers: no cookies, no referrer, no credentials."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    return [
        ("Host", host),
        ("User-Agent", USER_AGENT),
        ("Accept", "text/html,application/xhtml+xml,text/plain;q=0.9"),
        ("Accept-Encoding", "gzip, deflate"),
        ("Connection", "close"),
    ]


def content_type(header: str) -> tuple[str, str]:
    """Returns media type and charset of a Content-Type header, both lower case."""
    media_type, *parameters = (part.strip() for part in header.split(";"))
    charset = ""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip().strip("\"'").lower()
    return media_type.lower(), charset


def location_text(header: str) -> str:
    """Returns a Location that was sent as raw UTF-8, as many Chinese sites do, in its characters."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeDecodeError:
        return header


async def read_body(chunks: AsyncIterator[bytes], encoding: str) -> bytes:
    """Reads the body after decompression; never more than the limit is held, whatever the sender claims."""
    inflate = decompressor(encoding.strip().lower())
    body = bytearray()
    taken = 0
    async for chunk in chunks:
        taken += len(chunk)
        body += inflate_chunk(inflate, chunk, BODY_LIMIT + 1 - len(body)) if inflate else chunk
        if len(body) > BODY_LIMIT or taken > BODY_LIMIT:
            raise WebFailure("web_too_large")
    return bytes(body)


def decompressor(encoding: str) -> zlib._Decompress | None:
    if encoding in {"", "identity"}:
        return None
    if encoding in {"gzip", "x-gzip", "deflate"}:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    raise WebFailure("web_unsupported_type")


def inflate_chunk(inflate: zlib._Decompress, chunk: bytes, room: int) -> bytes:
    """Returns at most `room` bytes of the next piece; one byte too many is enough to know."""
    try:
        return inflate.decompress(chunk, max(1, room))
    except zlib.error:
        raise WebFailure("web_unsupported_type") from None


def page_of(url: str, answer: PageAnswer) -> WebPage:
    """Returns title and readable text of an answer."""
    words = decode_body(answer.body, answer.charset, html=answer.media_type != "text/plain")
    title, text = ("", words) if answer.media_type == "text/plain" else extract(words)
    return WebPage(url, answer.target.url, title, text.strip(), truncated=False, size=len(answer.body))
