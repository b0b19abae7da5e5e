"""Pages of an account: those of django-allauth that are in use. Its door and its way out are ours."""

from allauth.account import views
from allauth.usersessions.views import list_usersessions
from django.contrib.auth.views import LogoutView
from django.urls import path, re_path
from django.views.generic import RedirectView

urlpatterns = [
    # Names that django-allauth leads to. A guess of a password knocks at `/login` alone, where guesses are counted.
    path("login/", RedirectView.as_view(url="/login", query_string=True), name="account_login"),
    path("logout/", LogoutView.as_view(), name="account_logout"),
    path("signup/", views.signup, name="account_signup"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("email/", views.email, name="account_email"),
    path("email/sent/", views.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^email/confirm/(?P<key>[-:\w]+)/$", views.confirm_email, name="account_confirm_email"),
    path("password/", views.password_change, name="account_change_password"),
    path("password/set/", views.password_set, name="account_set_password"),
    path("password/reset/", views.password_reset, name="account_reset_password"),
    path("password/reset/sent/", views.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/done/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("sessions/", list_usersessions, name="usersessions_list"),
]
