"""The web ports of one run, from settings. A port that is not set up is absent, and its tool says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.calls.ports import Ports
from agent.outbound.fetch import Fetcher
from agent.outbound.search import BOCHA_URL, Bocha, SearchProvider, Searxng


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
    enabled = str(settings.get("WEB_FETCH_ENABLED", "true")).strip().lower() not in {"false", "0", "no", "off", ""}
    return Ports(
        web_search=provider.search if provider else None,
        web_fetch=Fetcher().fetch if enabled else None,
    )
