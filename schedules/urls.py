"""Paths of the timetable below `/api/v1/`."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
