"""An account is deleted in the admin with everything that belongs to it, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agent.models import Conversation, Run
from agent.runs import Ask
from agent.runs.start import run_create
from agent.store import keys
from agent.store.connection import sync_client
from schedules.models import ScheduleEvent
from taskclasses.models import TaskClass, TaskItem
from tests.kits.agent.runs import pause
from tests.kits.timetable.admin_pages import grow
from tests.kits.timetable.fixtures import courses, task_class

__all__ = ["courses", "task_class"]


@pytest.fixture
def staff(db: None, django_user_model: Any) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    return client


def page_of(user: User) -> str:
    return reverse("admin:auth_user_delete", args=(user.pk,))


def test_an_account_goes_with_all_it_owns(
    staff: Client, user: Any, other_user: Any, task_class: Any, django_capture_on_commit_callbacks: Any
) -> None:
    run = run_create(user.pk, Ask(message="你好")).run
    pause(run)
    other = run_create(other_user.pk, Ask(message="你好")).run
    sync_client().set(keys.cancel(str(run.pk)), 1)
    shown = staff.get(page_of(user)).content.decode()
    assert 'name="post"' in shown
    assert f"{ScheduleEvent._meta.verbose_name_plural}: {ScheduleEvent.objects.count()}" in shown
    with django_capture_on_commit_callbacks(execute=True):
        assert staff.post(page_of(user), {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=user.pk).exists()
    assert not any(model.objects.exists() for model in (TaskClass, TaskItem, ScheduleEvent))
    assert not sync_client().exists(keys.cancel(str(run.pk)))
    assert list(Run.objects.all()) == [other]


def test_an_account_with_an_active_run_stays_and_the_page_says_why(staff: Client, user: Any, task_class: Any) -> None:
    pause(run_create(user.pk, Ask(message="你好")).run)
    run_create(user.pk, Ask(message="你好"))
    answer = staff.post(page_of(user), {"post": "yes"}, follow=True)
    assert "有一次运行还没有结束" in answer.content.decode()
    assert answer.request["PATH_INFO"] == reverse("admin:auth_user_change", args=(user.pk,))
    assert (Conversation.objects.count(), TaskClass.objects.count()) == (2, 1)


def test_the_page_asks_as_often_for_many_rows_as_for_few(staff: Client, user: Any, semester: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert staff.get(page_of(user)).status_code == 200
        return len(seen)

    grow(user, semester, 4)
    queries()
    few = queries()
    grow(user, semester, 70)
    assert queries() == few <= 15


def test_staff_need_the_permission_to_delete_accounts(user: Any, django_user_model: Any) -> None:
    clerk, client = django_user_model.objects.create_user("clerk", is_staff=True), Client()
    clerk.user_permissions.set(Permission.objects.filter(codename="view_user"))
    client.force_login(clerk)
    assert client.get(reverse("admin:auth_user_changelist")).status_code == 200
    assert client.post(page_of(user), {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=user.pk).exists()
