"""`/api/v1/account/`."""

from django.urls import path

from smartmate.accounts.api import account

urlpatterns = [
    path("signup", account.SignUpView.as_view()),
    path("password", account.PasswordView.as_view()),
    path("password/reset", account.PasswordResetView.as_view()),
    path("sessions", account.SessionsView.as_view()),
    path("sessions/<id:session_id>", account.SessionOfAccountView.as_view()),
    path("settings", account.SettingsView.as_view()),
]
