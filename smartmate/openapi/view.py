"""GET /api/schema: the OpenAPI document, for everybody and in one form."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.request import Request

from taskclasses.kernel.answers import answers
from taskclasses.kernel.rest import AnyAccept


class SchemaView(SpectacularJSONAPIView):
    authentication_classes = ()
    permission_classes = ()
    content_negotiation_class = AnyAccept
    http_method_names = ("get", "head")

    @answers(
        media={"application/vnd.oai.openapi+json": {"type": "object", "required": ["openapi"]}},
        headers=("Content-Disposition",),
        public=True,
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answers this document."""
        response: HttpResponse = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        return response
