"""GET /api/schema: the OpenAPI document, for everybody and in one form."""

from __future__ import annotations

from drf_spectacular.views import SpectacularJSONAPIView

from taskclasses.rest import AnyAccept


class SchemaView(SpectacularJSONAPIView):
    authentication_classes = ()
    permission_classes = ()
    content_negotiation_class = AnyAccept
