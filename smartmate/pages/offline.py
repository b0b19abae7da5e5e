"""What a browser keeps for times without a connection: the worker that does it, the page for what was not kept."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.generic import TemplateView


class ServiceWorker(TemplateView):
    """Stands at the root, for it sees only what lies below its own address; a new one is noticed at once."""

    template_name = "offline/service-worker.js"
    content_type = "text/javascript"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)  # type: ignore[assignment]
        answer["Cache-Control"] = "no-cache"
        return answer


class OfflinePage(TemplateView):
    """Shows the page of no account that is shown in place of one that was not kept."""

    template_name = "offline/page.html"
