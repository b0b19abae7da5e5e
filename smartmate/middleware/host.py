"""Which hosts are served: what `ALLOWED_HOSTS` names, and whoever looks after a process by its own address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware

PAST_THE_PROXY = frozenset({"/healthz", "/readyz", "/metrics"})
"""Probes and scrapers ask each process itself; their answers build no link from the host."""
NO_BODY = frozenset({204, 304})


class HostMiddleware(CommonMiddleware):
    """Refuses requests for hosts that nobody named, but for those that come past the proxy."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path in PAST_THE_PROXY else super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Adds the length of the body, but not where no body may be: there it would be of another answer (RFC 9110,
        8.6)."""
        return response if response.status_code in NO_BODY else super().process_response(request, response)
