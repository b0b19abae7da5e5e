"""Hands out the bundles."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from smartmate.middleware.compression import takes_gzip
from smartmate.pages.assets.bundles import bundle_named

FOR_GOOD = "public, max-age=31536000, immutable"


@require_safe
def show_bundle(request: HttpRequest, tag: str, name: str) -> HttpResponse:
    """Answers the bundle of that name. Another version that is asked for during a roll-out gets this one, to keep by
    nobody."""
    bundle = bundle_named(name)
    if bundle is None:
        raise Http404
    packs = takes_gzip(request)
    response = HttpResponse(bundle.packed if packs else bundle.plain, content_type=bundle.content_type)
    if packs:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    response["Cache-Control"] = FOR_GOOD if tag == bundle.tag else "no-store"
    return response
