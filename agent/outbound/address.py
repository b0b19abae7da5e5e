"""Which addresses and URLs the agent may open: only http and https, only public addresses.

The rule against server-side request forgery lives here and nowhere else: every URL, also every redirect target, becomes
a `CheckedUrl` first, and every address a name resolves to must be globally routable.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

import idna

from agent.calls.ports import URL_LIMIT, WebFailure

PORTS = {"http": 80, "https": 443}
NAT64 = ipaddress.ip_network("64:ff9b::/96")
INSIDE = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "168.63.129.16/32", "fec0::/10")))
"""Counted as global by `ipaddress`, yet answered by the machine's own surroundings: protocol assignments with a cloud's
metadata service among them, another cloud's host agent, the site-local addresses of old."""
NUMERIC = re.compile(r"^(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}$")
UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class CheckedUrl:
    """Holds a checked URL: scheme, ASCII host (an IP literal in its plain form), port and request target."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{self.path}"


def target_of(url: str) -> CheckedUrl:
    """Returns the parts of a URL; raises `WebFailure` web_blocked_url naming scheme, port or address."""
    if len(url) > URL_LIMIT or UNSAFE.search(url):
        raise build_blocked_failure("address")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise build_blocked_failure("address") from None
    scheme = parts.scheme.lower()
    if scheme not in PORTS:
        raise build_blocked_failure("scheme")
    if port is not None and port != PORTS[scheme]:
        raise build_blocked_failure("port")
    if parts.username is not None or parts.password is not None or not parts.hostname:
        raise build_blocked_failure("address")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = "?" + quote(parts.query, safe="/%:@!$&'()*+,;=~-._?") if parts.query else ""
    return CheckedUrl(scheme, plain_host(parts.hostname), PORTS[scheme], path + query)


def resolve_redirect(current: CheckedUrl, location: str) -> CheckedUrl:
    """Returns the target of a redirect, checked from the top; a step down from https is refused."""
    if not location:
        raise build_blocked_failure("redirect")
    try:
        following = target_of(urljoin(current.url, location))
    except ValueError:
        raise build_blocked_failure("redirect") from None
    if current.scheme == "https" and following.scheme == "http":
        raise build_blocked_failure("redirect")
    return following


def plain_host(host: str) -> str:
    """Returns the host in ASCII; an IP address in any spelling (decimal, octal, hexadecimal, short) in its plain
    form."""
    name = host.rstrip(".")
    if "%" in name:
        raise build_blocked_failure("address")
    if ":" in name:
        try:
            return str(ipaddress.IPv6Address(name))
        except ValueError:
            raise build_blocked_failure("address") from None
    try:
        name = idna.encode(name, uts46=True).decode().lower()
    except idna.IDNAError:
        name = name.lower()
        if not re.fullmatch(r"[a-z0-9_.-]{1,253}", name):
            raise build_blocked_failure("address") from None
    name = name.rstrip(".")  # other full stops have become dots by now
    if not name:
        raise build_blocked_failure("address")
    if NUMERIC.match(name):
        try:
            return str(ipaddress.IPv4Address(socket.inet_aton(name)))
        except OSError:
            raise build_blocked_failure("address") from None
    return name


def check_addresses(addresses: list[str]) -> list[str]:
    """Returns the addresses of a name when all of them are public; one that is not refuses them all."""
    if not addresses or not all(is_public(one) for one in addresses):
        raise build_blocked_failure("address")
    return addresses


def is_public(words: str) -> bool:
    """Tells whether an address is globally routable, also behind its IPv4-in-IPv6 disguises."""
    try:
        address = ipaddress.ip_address(words.partition("%")[0])
    except ValueError:
        return False
    return all(_global(one) for one in _unwrap_address(address))


def _unwrap_address(address: Address) -> list[Address]:
    """Returns the addresses that must be public: a mapped or NAT64 form is its IPv4 address, other forms count both
    ways."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in NAT64:
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    found: list[Address] = [address]
    if address.sixtofour is not None:
        found.append(address.sixtofour)
    if address.teredo is not None:
        found.extend(address.teredo)
    return found


def _global(address: Address) -> bool:
    refused = address.is_multicast or address.is_reserved or address.is_link_local or address.is_unspecified
    return address.is_global and not refused and not any(address in network for network in INSIDE)


def build_blocked_failure(reason: str) -> WebFailure:
    return WebFailure("web_blocked_url", reason=reason)
