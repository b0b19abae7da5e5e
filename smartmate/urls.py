"""Includes only: every app names its own paths."""

from django.contrib import admin
from django.urls import include, path

from smartmate.monitoring.health import healthz, readyz
from smartmate.monitoring.metrics import metrics
from smartmate.openapi.view import SchemaView
from smartmate.pages.assets.views import show_bundle
from smartmate.pages.feed import feed

handler429 = "smartmate.pages.views.show_limit"
"""What django-allauth answers when a limit is used up."""
urlpatterns = [
    path("", include("smartmate.pages.urls")),
    path("admin/", admin.site.urls),
    path("api/schema", SchemaView.as_view()),
    path("api/v1/", include("smartmate.api_urls")),
    path("feeds/<str:secret>.ics", feed),
    path("assets/<slug:tag>/<str:name>", show_bundle, name="bundle"),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
]
