"""`/api/v1/account/`."""

from django.urls import path

from smartmate.accounts.api import account as api

urlpatterns = [
    path("signup", api.SignUpView.as_view()),
    path("password", api.PasswordView.as_view()),
    path("password/reset", api.PasswordResetView.as_view()),
    path("sessions", api.SessionsView.as_view()),
    path("sessions/<id:session_id>", api.SessionOfAccountView.as_view()),
    path("settings", api.SettingsView.as_view()),
]
