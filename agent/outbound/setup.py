"""The web ports of one run, from settings. A port that is not set up is absent, and its tool says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.calls.ports import Ports
from agent.outbound.fetch import Fetcher
from agent.outbound.search import BOCHA_URL, Bocha, SearchProvider, Searxng

NAMES = ("WEB_SEARCH_PROVIDER", "WEB_SEARCH_URL", "WEB_SEARCH_API_KEY", "WEB_FETCH_ENABLED")
NEEDED = {"searxng": "WEB_SEARCH_URL", "bocha": "WEB_SEARCH_API_KEY"}
"""The setting that each provider cannot do without."""
ON, OFF = frozenset({"true", "1", "yes", "on"}), frozenset({"false", "0", "no", "off", ""})


def check_web(settings: Mapping[str, Any]) -> None:
    """Raises `ValueError` for a provider that could not search, and for a switch that is neither on nor off."""
    name = str(settings.get("WEB_SEARCH_PROVIDER") or "none").strip().lower()
    if name != "none" and name not in NEEDED:
        raise ValueError(f"WEB_SEARCH_PROVIDER is none of none, {', '.join(NEEDED)}")
    if name != "none" and search_provider(settings) is None:
        raise ValueError(f"WEB_SEARCH_PROVIDER is {name}, and {NEEDED[name]} is not set")
    url = str(settings.get("WEB_SEARCH_URL") or "").strip()
    if url and not url.startswith(("https://", "http://")):
        raise ValueError("WEB_SEARCH_URL is no address of the form https://... or http://...")
    if _fetch_switch(settings) not in ON | OFF:
        raise ValueError("WEB_FETCH_ENABLED is neither on nor off")


def search_provider(settings: Mapping[str, Any]) -> SearchProvider | None:
    """Returns the provider of `WEB_SEARCH_PROVIDER`; None for `none`, an unknown name, or one without its key or
    URL."""
    name = str(settings.get("WEB_SEARCH_PROVIDER") or "none").strip().lower()
    url = str(settings.get("WEB_SEARCH_URL") or "").strip()
    key = str(settings.get("WEB_SEARCH_API_KEY") or "").strip()
    if name == "searxng" and url:
        return Searxng(url, key)
    if name == "bocha" and key:
        return Bocha(key, url or BOCHA_URL)
    return None


def web_ports(settings: Mapping[str, Any]) -> Ports:
    """Returns the ports of the web that the settings allow; a fresh fetcher, so that pages are remembered for one
    run."""
    provider = search_provider(settings)
    enabled = _fetch_switch(settings) not in OFF
    return Ports(
        web_search=provider.search if provider else None,
        web_fetch=Fetcher().fetch if enabled else None,
    )


def _fetch_switch(settings: Mapping[str, Any]) -> str:
    return str(settings.get("WEB_FETCH_ENABLED", "true")).strip().lower()
