"""Includes only: every app names its own paths."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView

from smartmate.health import healthz, readyz

urlpatterns = [
    path("", include("smartmate.page_urls")),
    path("admin/", admin.site.urls),
    path("api/schema", SpectacularJSONAPIView.as_view(authentication_classes=(), permission_classes=())),
    path("api/v1/", include("smartmate.api_urls")),
    path("healthz", healthz),
    path("readyz", readyz),
]
