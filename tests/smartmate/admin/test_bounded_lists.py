"""No list of the admin reads a table: what it costs does not grow with the rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import filters
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from agent.models import Conversation, PendingInteraction, Run, TimelineItem
from schedules.models import AppliedBatch, Course, Schedule, ScheduleEvent
from taskclasses.kernel import bounded_admin
from taskclasses.kernel.bounded_admin import BoundedAdmin
from taskclasses.models import TaskClass, TaskItem
from tests.kits.servers.crowded_tables import crowd

APPS = ("taskclasses", "schedules", "agent", "smartmate", "auth")
OURS = [one for one in admin.site._registry.items() if one[0]._meta.app_label in APPS and one[0].__name__ != "Group"]
CROWDED = [
    Conversation, Run, TimelineItem, PendingInteraction, AppliedBatch, Course, Schedule, ScheduleEvent, TaskClass,
    TaskItem, User,
]  # fmt: skip
FEW, MANY, WINDOW = 500, 5_000, 300
STEPS = 100


@pytest.mark.parametrize(("model", "page"), OURS, ids=lambda one: getattr(one, "__name__", ""))
def test_every_list_is_bounded(model: Any, page: Any) -> None:
    assert isinstance(page, BoundedAdmin)
    assert page.date_hierarchy is None
    assert not page.show_full_result_count
    for chosen in page.list_filter:
        field, kind = chosen if isinstance(chosen, tuple) else (chosen, None)
        if kind is not None:
            assert issubclass(kind, filters.EmptyFieldListFilter)
            continue
        column = model
        for part in field.split("__"):
            column = column._meta.get_field(part)
            column = column.related_model if column.is_relation else column
        few = column.flatchoices or column.get_internal_type() in ("BooleanField", "DateField", "DateTimeField")
        assert few, f"{field}: its choices would be read from the whole table"


@pytest.mark.parametrize(("model", "page"), OURS, ids=lambda one: getattr(one, "__name__", ""))
def test_rows_of_students_are_found_by_their_student(model: Any, page: Any) -> None:
    owned = [name for name in ("user", "owner", "conversation", "task_class") if name in _columns(model)]
    assert not owned or page.owner.startswith(owned[0])
    assert not page.owner or f"{page.owner}__id__exact" in page.scopes


def _columns(model: Any) -> set[str]:
    return {field.name for field in model._meta.concrete_fields}


@pytest.fixture
def staff(db: None, django_user_model: Any) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    return client


def steps_of(act: Callable[[], Any]) -> int:
    """What statements read, sort and count in it: hundreds of steps of SQLite's machine, or rows that MariaDB read."""
    if connection.vendor == "mysql":
        before = _rows_read()
        act()
        return (_rows_read() - before) // STEPS
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    held: sqlite3.Connection = connection.connection
    held.set_progress_handler(count, STEPS)
    try:
        act()
    finally:
        held.set_progress_handler(None, STEPS)
    return taken


def _rows_read() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SHOW SESSION STATUS LIKE 'Handler_read%'")
        return sum(int(value) for _name, value in cursor.fetchall())


def refresh_statistics() -> None:
    """Tells MariaDB at once what it notices by itself some seconds after many rows came."""
    if connection.vendor == "mysql":
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE TABLE {', '.join(model._meta.db_table for model in CROWDED)}")


def warm_up(staff: Client) -> None:
    """Opens each list once: what is read at the first time only is no step of a list."""
    for model in CROWDED:
        listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        assert staff.get(listing).status_code == 200


def views(staff: Client) -> dict[str, int]:
    """The steps of each list as it opens, filtered, searched by student and by a word, sorted by address."""
    found = {}
    for model in CROWDED:
        listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        asked: list[dict[str, str]] = [{}, {"q": "crowd7"}, {"q": "nowhere to be found"}, {"o": "3.-2"}, {"p": "2"}]
        scope = next((name for name in admin.site._registry[model].scopes if "user" in name), "")
        asked += [{scope: str(User.objects.get(username="crowd7").pk)}] if scope else []
        asked += {Run: [{"status__exact": "failed"}, {"q": str(Run.objects.first().pk)}]}.get(model, [])
        for number, query in enumerate(asked):

            def act(query: Any = query, listing: str = listing) -> None:
                assert staff.get(listing, query).status_code in (200, 302)

            found[f"{model.__name__} {number}"] = steps_of(act)
    return found


@pytest.mark.django_db(transaction=True)
def test_ten_times_the_rows_cost_no_more(staff: Client, semester: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_admin, "ROWS", WINDOW)
    for model in CROWDED:  # drawing many rows of a page takes long and tells nothing
        monkeypatch.setattr(admin.site._registry[model], "list_per_page", 20)
    crowd(semester, FEW, students=10)
    refresh_statistics()
    warm_up(staff)
    before = views(staff)
    crowd(semester, MANY, students=100)
    refresh_statistics()
    after = views(staff)
    grown = {name: (before[name], steps) for name, steps in after.items() if steps > 1.5 * before[name] + 50}
    assert grown == {}


def test_older_rows_are_found_by_student_by_word_and_by_id(
    staff: Client, semester: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_admin, "ROWS", 100)
    crowd(semester, 300, students=3)
    oldest = Run.objects.select_related("conversation__user").order_by("created_at").first()
    owner = oldest.conversation.user.username

    def listed(model: str, **query: str) -> set[Any]:
        page = staff.get(reverse(f"admin:agent_{model}_changelist"), query)
        return {row.pk for row in page.context["cl"].result_list}

    assert oldest.pk not in listed("run", p="1")
    assert oldest.pk in listed("run", q=str(oldest.pk)) == {oldest.pk}
    assert listed("timelineitem", q=f"{owner} c0") == {TimelineItem.objects.get(run=oldest).pk}
    assert listed("run", conversation__user__id__exact=str(oldest.conversation.user_id))
    assert listed("conversation", q="nobody at all") == set()
