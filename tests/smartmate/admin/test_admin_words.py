"""The admin speaks the language of its reader."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from schedules.models import Semester

APPS = ("taskclasses", "schedules", "agent", "smartmate")
OURS = [model for model in admin.site._registry if model._meta.app_label in APPS]
NAMELESS = {"id", "current_mark"}  # a number of the database, and a column nobody sees
HAN = re.compile("[\u4e00-\u9fff]")


def words(model: type[Model], language: str) -> dict[str, str]:
    with translation.override(language):
        shown = {field.name: str(field.verbose_name) for field in model._meta.fields if field.name not in NAMELESS}
        return {**shown, "": str(model._meta.verbose_name), "s": str(model._meta.verbose_name_plural)}


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_row_and_field_has_a_name_in_both_languages(model: type[Model]) -> None:
    assert [name for name, word in words(model, "zh-hans").items() if not HAN.search(word)] == []
    assert [name for name, word in words(model, "en").items() if HAN.search(word)] == []


@pytest.mark.parametrize(("language", "title"), [("zh-hans", "SmartMate 管理"), ("en", "SmartMate administration")])
def test_every_page_is_headed_by_its_own_name(client: Client, db: None, language: str, title: str) -> None:
    page = client.get(reverse("admin:login"), headers={"Accept-Language": language})
    assert title in page.content.decode()


def test_moments_are_told_by_the_clock_of_the_shared_semester(client: Client, db: None) -> None:
    staff = User.objects.create_superuser("root")
    at = datetime(2026, 4, 20, 8, 15, tzinfo=UTC)
    User.objects.create_user("li", date_joined=at)
    client.force_login(staff)
    listing = reverse("admin:auth_user_changelist")
    assert "08:15" in client.get(listing).content.decode()
    Semester.objects.create(
        name="2026 春", first_monday=date(2026, 3, 2), weeks=20, time_zone="Asia/Shanghai", is_current=True
    )
    page = client.get(listing, headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "16:15" in page
    assert "08:15" not in page
    assert "时间按 Asia/Shanghai 显示" in page
    assert timezone.get_current_timezone_name() == "UTC"
