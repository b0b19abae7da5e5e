"""Whose request it is by address: the peer, or what trusted proxies say of it."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

IPV6_PREFIX = 64
"""One customer of a provider holds that many addresses and more."""
NOWHERE = "0.0.0.0"  # noqa: S104 (said of whoever comes by a socket without addresses)


def address_of(request: HttpRequest) -> str:
    """Returns the address a request is counted under: its sender's, of IPv6 the network."""
    found = _sender(request)
    address = _parse_address(found)
    if isinstance(address, IPv6Address):
        return str(ip_network(f"{address}/{IPV6_PREFIX}", strict=False))
    return found


def client_of(request: HttpRequest) -> str:
    """Returns the whole address of the sender of a request; `NOWHERE` when it has none."""
    address = _parse_address(_sender(request))
    return NOWHERE if address is None else str(address)


def _sender(request: HttpRequest) -> str:
    """Tells who sent a request, as far as trusted proxies say.

    `X-Forwarded-For` is read from its end, one entry for each hop that `TRUSTED_PROXIES` names; what stands before the
    first other address was written by the client and is not looked at.
    """
    hops: list[str] = [request.META.get("REMOTE_ADDR", "")]
    hops += reversed([part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()])
    trusted = _networks(tuple(settings.TRUSTED_PROXIES))
    found = hops[0]
    for earlier in hops[1:]:
        if not _within(found, trusted) or _parse_address(earlier) is None:
            break
        found = earlier
    return found


def _within(address: str, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    parsed = _parse_address(address)
    return parsed is not None and any(parsed in network for network in networks)


def _parse_address(address: str) -> IPv4Address | IPv6Address | None:
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed


@lru_cache(maxsize=8)
def _networks(names: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(name, strict=False) for name in names)
