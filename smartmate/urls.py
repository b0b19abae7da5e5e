"""Includes only: every app names its own paths."""

from django.contrib import admin
from django.urls import include, path

from smartmate.health import healthz, readyz
from smartmate.metrics import metrics
from smartmate.openapi.view import SchemaView

urlpatterns = [
    path("", include("smartmate.pages.urls")),
    path("admin/", admin.site.urls),
    path("api/schema", SchemaView.as_view()),
    path("api/v1/", include("smartmate.api_urls")),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
]
