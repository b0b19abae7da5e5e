"""The fetcher against a hostile server: refused or bounded, with the documented code; nothing private is reached."""

from __future__ import annotations

import asyncio
import gzip
import zlib

import pytest

from agent.calls.ports import WebFailure
from agent.outbound import fetch as fetching
from agent.outbound.address import is_public, resolve_redirect, target_of
from agent.outbound.extract import extract
from agent.outbound.fetch import Fetcher
from tests.kits.tools.hostile import PUBLIC, FakeEdge, answer, page, serving, trusting

HTML = "text/html; charset=utf-8"


async def fetched(handler, url="http://site.test/", names=None, max_chars=4000):
    async with serving(handler) as (port, seen):
        edge = FakeEdge(port, names)
        fetcher = Fetcher(edge=edge)
        try:
            return await fetcher.fetch(url, max_chars=max_chars), edge, seen
        except WebFailure as failure:
            return failure, edge, seen


def writes(raw: bytes):
    async def handler(writer, path):
        writer.write(raw)

    return handler


async def test_it_reads_a_page_over_one_connection_to_the_checked_address():
    got, edge, seen = await fetched(writes(answer(page("贝叶斯公式"), content_type=HTML)))
    assert (got.title, got.text, got.truncated) == ("页面", "贝叶斯公式", False)
    assert edge.connected == [PUBLIC]
    assert edge.lookups == ["site.test"]
    head = seen[0].decode().lower()
    assert "host: site.test\r\n" in head
    assert "cookie" not in head
    assert "referer" not in head


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("file:///etc/passwd", "scheme"),
        ("ftp://site.test/", "scheme"),
        ("gopher://site.test/", "scheme"),
        ("http://site.test:8080/", "port"),
        ("https://site.test:80/", "port"),
        ("http://user:secret@site.test/", "address"),
        ("http:///nohost", "address"),
        ("http://site.test\\@127.0.0.1/", "address"),
        ("http://site.test/\r\nX: y", "address"),
        ("http://[fe80::1%25eth0]/", "address"),
        ("http://site.test:99999/", "address"),
        ("http://127.0.0.1/", "address"),
        ("http://127.1/", "address"),
        ("http://2130706433/", "address"),
        ("http://0177.0.0.1/", "address"),
        ("http://0x7f.0.0.1/", "address"),
        ("http://0x7f000001/", "address"),
        ("http://１２７.0.0.1/", "address"),
        ("http://localhost./", "address"),
        ("http://0.0.0.0/", "address"),
        ("http://10.0.0.8/", "address"),
        ("http://192.168.1.1/", "address"),
        ("http://172.16.0.1/", "address"),
        ("http://100.64.0.1/", "address"),
        ("http://169.254.169.254/latest/meta-data/", "address"),
        ("http://224.0.0.1/", "address"),
        ("http://255.255.255.255/", "address"),
        ("http://[::1]/", "address"),
        ("http://[::]/", "address"),
        ("http://[fe80::1]/", "address"),
        ("http://[fc00::1]/", "address"),
        ("http://[ff02::1]/", "address"),
        ("http://[::ffff:127.0.0.1]/", "address"),
        ("http://[::ffff:a00:1]/", "address"),
        ("http://[::127.0.0.1]/", "address"),
        ("http://[2002:7f00:1::]/", "address"),
        ("http://[64:ff9b::7f00:1]/", "address"),
        ("http://[64:ff9b::a9fe:a9fe]/", "address"),
        ("http://[2001:0:7f00:1::]/", "address"),
    ],
)
async def test_it_refuses_an_address_before_any_connection(url, reason):
    names = {"localhost": [["127.0.0.1", "::1"]]}
    got, edge, seen = await fetched(writes(answer(page("x"), content_type=HTML)), url, names)
    assert isinstance(got, WebFailure)
    assert (got.code, got.reason) == ("web_blocked_url", reason)
    assert not edge.connected
    assert not seen


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::", True),
        ("64:ff9b::5db8:d822", True),
        ("::ffff:93.184.216.34", True),
        ("2002:c0a8:101::1", False),
        ("192.0.2.1", False),
        ("198.18.0.1", False),
        ("192.0.0.192", False),
        ("168.63.129.16", False),
        ("fec0::1", False),
        ("::ffff:192.0.0.192", False),
        ("240.0.0.1", False),
        ("nonsense", False),
    ],
)
def test_it_judges_an_address_behind_its_disguise(address, public):
    assert is_public(address) is public


@pytest.mark.parametrize("answers", [["127.0.0.1"], [PUBLIC, "10.0.0.1"], ["::1", PUBLIC], []])
async def test_it_refuses_a_name_when_one_of_its_addresses_is_not_public(answers):
    got, edge, _ = await fetched(writes(answer(page("x"), content_type=HTML)), names={"site.test": [answers]})
    assert (got.code, got.reason) == ("web_blocked_url", "address")
    assert not edge.connected


async def test_it_looks_a_name_up_once_and_connects_to_what_it_judged():
    names = {"site.test": [[PUBLIC], ["127.0.0.1"]]}
    got, edge, _ = await fetched(writes(answer(page("第一次"), content_type=HTML)), names=names)
    assert got.text == "第一次"
    assert edge.lookups == ["site.test"]
    assert edge.connected == [PUBLIC]


async def test_it_judges_a_name_again_after_a_redirect():
    """The name is public when first asked and private afterwards."""

    async def handler(writer, path):
        writer.write(answer(status="302 Found", location="/again") if path == "/" else answer(page("x")))

    got, edge, _ = await fetched(handler, names={"site.test": [[PUBLIC], ["127.0.0.1"]]})
    assert (got.code, got.reason) == ("web_blocked_url", "address")
    assert edge.connected == [PUBLIC]


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://127.0.0.1/admin", "address"),
        ("http://169.254.169.254/", "address"),
        ("http://site.test:8080/", "port"),
        ("file:///etc/passwd", "scheme"),
        ("//[::1]/", "address"),
        ("", "redirect"),
    ],
)
async def test_it_checks_a_redirect_target_from_the_top(location, reason):
    got, edge, seen = await fetched(writes(answer(status="302 Found", location=location)))
    assert (got.code, got.reason) == ("web_blocked_url", reason)
    assert edge.connected == [PUBLIC]
    assert len(seen) == 1


async def test_it_follows_a_location_in_raw_utf8():
    async def handler(writer, path):
        if path == "/":
            writer.write(answer(status="302 Found", location="/概率"))
        else:
            writer.write(answer(page("贝叶斯"), content_type=HTML))

    got, _, seen = await fetched(handler)
    assert got.final_url == "http://site.test/%E6%A6%82%E7%8E%87"
    assert seen[1].startswith(b"GET /%E6%A6%82%E7%8E%87 ")


async def test_it_follows_three_redirects_and_no_more():
    async def loop(writer, path):
        writer.write(answer(status="301 Moved", location=f"{path}a"))

    got, _, seen = await fetched(loop)
    assert (got.code, got.reason) == ("web_blocked_url", "redirect")
    assert len(seen) == 4

    async def three(writer, path):
        writer.write(
            answer(page("到了"), content_type=HTML) if path == "/aaa" else answer(status="302 F", location=f"{path}a")
        )

    got, _, _ = await fetched(three)
    assert (got.text, got.final_url) == ("到了", "http://site.test/aaa")


def test_it_never_steps_down_from_https():
    with pytest.raises(WebFailure) as refused:
        resolve_redirect(target_of("https://site.test/"), "http://site.test/")
    assert refused.value.reason == "redirect"
    assert resolve_redirect(target_of("http://site.test/a"), "https://other.test/b").url == "https://other.test/b"


async def test_it_stops_a_gzip_bomb_at_the_limit():
    bomb = gzip.compress(b"0" * (64 << 20))
    got, _, _ = await fetched(writes(answer(bomb, content_type=HTML, content_encoding="gzip")))
    assert got.code == "web_too_large"


async def test_it_stops_an_endless_body():
    async def endless(writer, path):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    got, _, _ = await fetched(endless)
    assert got.code == "web_too_large"


async def test_it_bounds_the_whole_time_of_a_slow_drip(monkeypatch):
    monkeypatch.setattr(fetching, "WHOLE_SECONDS", 0.4)

    async def drip(writer, path):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)

    got, _, _ = await fetched(drip)
    assert got.code == "web_timeout"


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "application/json", "application/octet-stream", ""])
async def test_it_reads_no_body_of_another_type(kind):
    got, _, _ = await fetched(writes(answer(b"%PDF-1.7", content_type=kind)))
    assert got.code == "web_unsupported_type"


async def test_it_needs_a_content_type_and_a_known_encoding():
    got, _, _ = await fetched(writes(answer(page("x"))))
    assert got.code == "web_unsupported_type"
    got, _, _ = await fetched(writes(answer(b"\x1b\x00", content_type=HTML, content_encoding="br")))
    assert got.code == "web_unsupported_type"
    got, _, _ = await fetched(writes(answer(b"not gzip", content_type=HTML, content_encoding="gzip")))
    assert got.code == "web_unsupported_type"


@pytest.mark.parametrize("status", ["404 Not Found", "500 Oops", "403 Forbidden"])
async def test_it_tells_the_status_of_a_page_that_is_not_there(status):
    got, _, _ = await fetched(writes(answer(b"", status=status)))
    assert (got.code, got.http_status) == ("web_http_status", int(status[:3]))


async def test_it_reports_a_server_that_breaks_off():
    got, _, _ = await fetched(writes(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: text/html\r\n\r\nabc"))
    assert got.code == "web_timeout"
    got, _, _ = await fetched(writes(b"garbage\r\n\r\n"))
    assert got.code == "web_timeout"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (page("条件概率").decode().encode("gb18030"), "text/html; charset=gbk"),
        (page("条件概率").decode().encode("gbk"), "text/html; charset=GB2312"),
        (b'<meta charset="gb2312">' + page("条件概率").decode().encode("gb18030"), "text/html"),
        (page("条件概率").decode().encode("gb18030"), "text/html"),
        (page("条件概率").decode().encode("utf-8-sig"), "text/html"),
        (page("条件概率").decode().encode("utf-16"), "text/html"),
        (page("条件概率"), "text/html; charset=no-such-charset"),
    ],
)
async def test_it_reads_chinese_pages_in_their_charset(body, kind):
    got, _, _ = await fetched(writes(answer(body, content_type=kind)))
    assert got.text.endswith("条件概率")


async def test_it_reads_compressed_and_plain_text():
    for encoding, body in (("gzip", gzip.compress(page("压缩"))), ("deflate", zlib.compress(page("压缩")))):
        got, _, _ = await fetched(writes(answer(body, content_type=HTML, content_encoding=encoding)))
        assert got.text == "压缩"
    got, _, _ = await fetched(writes(answer("第一行\n第二行".encode(), content_type="text/plain; charset=utf-8")))
    assert got.text == "第一行\n第二行"


async def test_it_leaves_out_scripts_and_navigation():
    html = (
        b"<title> T </title><nav>menu</nav><script>alert(1)</script><style>x{}</style><p>one</p><footer>f</footer>two"
    )
    got, _, _ = await fetched(writes(answer(html, content_type=HTML)))
    assert got.text == "one\ntwo"
    assert got.title == "T"


async def test_it_cuts_at_the_asked_length_and_remembers_pages():
    async with serving(writes(answer(page("字" * 900), content_type=HTML))) as (port, seen):
        fetcher = Fetcher(edge=FakeEdge(port))
        short = await fetcher.fetch("http://site.test/", max_chars=500)
        whole = await fetcher.fetch("http://site.test/", max_chars=4000)
    assert (len(short.text), short.truncated) == (500, True)
    assert (len(whole.text), whole.truncated, whole.size) == (900, False, 0)
    assert len(seen) == 1


async def test_it_ignores_proxy_settings(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    got, edge, _ = await fetched(writes(answer(page("直连"), content_type=HTML)))
    assert got.text == "直连"
    assert edge.connected == [PUBLIC]


async def test_cancelling_the_caller_cancels_the_request():
    started = asyncio.Event()

    async def hang(writer, path):
        started.set()
        await asyncio.sleep(30)

    async with serving(hang) as (port, _):
        task = asyncio.create_task(Fetcher(edge=FakeEdge(port)).fetch("http://site.test/", max_chars=500))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def secured(handler, url):
    async with serving(handler, secure=True) as (port, _):
        edge = FakeEdge(port)
        try:
            return await Fetcher(edge=edge, ssl_context=trusting()).fetch(url, max_chars=500), edge
        except WebFailure as failure:
            return failure, edge


async def test_the_certificate_must_be_that_of_the_name_not_of_the_address():
    got, edge = await secured(writes(answer(page("安全"), content_type=HTML)), "https://site.test/")
    assert got.text == "安全"
    assert edge.connected == [PUBLIC]
    got, _ = await secured(writes(answer(page("x"), content_type=HTML)), "https://other.test/")
    assert (got.code, got.reason) == ("web_timeout", "unreachable")


async def test_a_secure_page_may_not_send_us_to_an_open_one():
    got, edge = await secured(writes(answer(status="302 Found", location="http://site.test/")), "https://site.test/")
    assert (got.code, got.reason) == ("web_blocked_url", "redirect")
    assert edge.connected == [PUBLIC]


@pytest.mark.parametrize("piece", ["<", "<a ", "<!--", "<![", "</", "<a b='", "<svg></p>", "&", "<script>", "<title>"])
def test_a_page_of_broken_tags_is_read_in_one_pass(piece):
    """A parser that tries each broken tag to the end of the page would need hours for this."""
    title, text = extract("<p>before</p>" + piece * ((1 << 19) // len(piece)))
    assert text.startswith("before")
    assert isinstance(title, str)
