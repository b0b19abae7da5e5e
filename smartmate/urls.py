"""Includes, and the paths of accounts: every other app names its own."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from smartmate.accounts.api.session import SessionView, TokenOfAccountView, TokensView, TokenView
from smartmate.archive.api import AccountView, ArchiveSchemaView, ArchiveView
from smartmate.monitoring.health import healthz, readyz
from smartmate.monitoring.metrics import metrics
from smartmate.openapi.view import SchemaView
from smartmate.pages.assets.views import show_bundle
from smartmate.pages.feed import feed

handler404 = "smartmate.pages.views.show_missing"
handler500 = "smartmate.pages.views.show_failure"
handler429 = "smartmate.pages.views.show_limit"
"""What django-allauth answers when a limit is used up."""
api: list[URLPattern | URLResolver] = [
    path("auth/token", TokenView.as_view()),
    path("auth/tokens", TokensView.as_view()),
    path("auth/tokens/<str:token_id>", TokenOfAccountView.as_view()),
    path("auth/session", SessionView.as_view()),
    path("", include("schedules.api.urls")),
    path("", include("agent.transports.http.urls")),
    path("account/", include("smartmate.accounts.api.urls")),
    path("account", AccountView.as_view()),
    path("account/archive", ArchiveView.as_view()),
    path("schema/archive.json", ArchiveSchemaView.as_view()),
]
urlpatterns = [
    path("", include("smartmate.pages.urls")),
    path("admin/", admin.site.urls),
    path("api/schema", SchemaView.as_view()),
    path("api/v1/", include(api)),
    path("feeds/<str:secret>.ics", feed),
    path("assets/<slug:tag>/<str:name>", show_bundle, name="bundle"),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
]
