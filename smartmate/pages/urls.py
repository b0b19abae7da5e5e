"""Paths of the pages, and of the language switch their header uses."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from smartmate.pages.views import PageLogin, Planner

urlpatterns = [
    path("", Planner.as_view(), name="planner"),
    path("login", PageLogin.as_view(), name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("i18n/", include("django.conf.urls.i18n")),
]
