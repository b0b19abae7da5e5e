"""Pages and answers travel compressed; a stream is passed on piece by piece as it comes."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.middleware.gzip import GZipMiddleware

PACKED = ("text/html", "application/json", "text/css", "text/javascript")


class CompressionMiddleware(GZipMiddleware):
    """Compresses as Django does, with random padding against guesses by length, for whole answers that carry no tag of
    their bytes."""

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        kind = response.get("Content-Type", "").partition(";")[0]
        if response.streaming or kind not in PACKED or response.get("ETag", "").startswith('"'):
            return response
        return super().process_response(request, response)
