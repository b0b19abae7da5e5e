"""Which hosts are served: what `ALLOWED_HOSTS` names, and whoever looks after a process by its own address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware

PAST_THE_PROXY = frozenset({"/healthz", "/readyz", "/metrics"})
"""Probes and scrapers ask each process itself; their answers build no link from the host."""


class HostMiddleware(CommonMiddleware):
    """Refuses requests for hosts that nobody named, but for those that come past the proxy."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path in PAST_THE_PROXY else super().process_request(request)
