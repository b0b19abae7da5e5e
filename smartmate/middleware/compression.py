"""Pages and answers travel compressed; a stream is passed on piece by piece as it comes."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

REFUSED = re.compile(r"\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)", re.IGNORECASE)
"""The weight 0: named so as not to be taken (RFC 9110, 12.5.3), which Django does not read."""
PACKED = ("text/html", "application/json", "text/css", "text/javascript")


def takes_gzip(request: HttpRequest) -> bool:
    accepted = request.headers.get("Accept-Encoding", "")
    return "gzip" in accepted and not REFUSED.search(accepted)


class CompressionMiddleware(GZipMiddleware):
    """Compresses as Django does, with random padding against guesses by length, for whole answers that carry no tag of
    their bytes."""

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        kind = response.get("Content-Type", "").partition(";")[0]
        if response.streaming or kind not in PACKED or response.get("ETag", "").startswith('"'):
            return response
        if not takes_gzip(request):
            patch_vary_headers(response, ("Accept-Encoding",))
            return response
        return super().process_response(request, response)
