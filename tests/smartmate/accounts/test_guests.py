"""A look without an account: only where the site allows it, as an account of nobody that goes after a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from schedules.models import Course
from taskclasses.models import TaskClass

pytestmark = pytest.mark.django_db


def test_nobody_looks_unless_the_site_allows_it(semester: Any) -> None:
    stranger = Client()
    assert "/guest" not in stranger.get("/login").content.decode()
    assert stranger.post("/guest").status_code == 404
    assert not User.objects.exists()


def test_a_guest_sees_a_sample_term_and_goes_after_a_day(semester: Any, settings: Any, user: Any) -> None:
    settings.GUEST_LOOK = True
    stranger = Client()
    assert 'action="/guest"' in stranger.get("/login").content.decode()
    assert stranger.post("/guest").url == "/week"  # type: ignore[attr-defined]
    guest = User.objects.get(username__startswith="guest-")
    assert not guest.has_usable_password()
    assert stranger.get("/").url == "/week"  # type: ignore[attr-defined]
    assert (Course.objects.filter(user=guest).count(), TaskClass.objects.filter(user=guest).count()) == (12, 4)
    call_command("prune", "--only", "guests", verbosity=0)
    assert User.objects.filter(pk=guest.pk).exists()
    User.objects.update(date_joined=guest.date_joined - timedelta(days=2))
    call_command("prune", "--only", "guests", verbosity=0)
    assert list(User.objects.values_list("username", flat=True)) == [user.username]
