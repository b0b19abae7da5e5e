"""`/api/v1/`: accounts here, everything else in the app that owns it."""

from django.urls import include, path

from smartmate.accounts.session_api import SessionView, TokenOfAccountView, TokensView, TokenView
from smartmate.archive.api import AccountView, ArchiveSchemaView, ArchiveView

urlpatterns = [
    path("auth/token", TokenView.as_view()),
    path("auth/tokens", TokensView.as_view()),
    path("auth/tokens/<str:token_id>", TokenOfAccountView.as_view()),
    path("auth/session", SessionView.as_view()),
    path("", include("schedules.urls")),
    path("", include("agent.transports.http.urls")),
    path("account/", include("smartmate.accounts.api_urls")),
    path("account", AccountView.as_view()),
    path("account/archive", ArchiveView.as_view()),
    path("schema/archive.json", ArchiveSchemaView.as_view()),
]
