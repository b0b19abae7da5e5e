"""Staff without superuser rights see and do what their permissions say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from schedules.models import AppliedBatch, ScheduleEvent
from schedules.services import broken_invariants
from taskclasses.models import TaskClass, TaskItem
from tests.kits.timetable.admin_pages import class_page, form_of
from tests.kits.timetable.helpers import Api, event_at, placed

Clerk = Callable[..., Client]


@pytest.fixture
def clerk(django_user_model: Any) -> Clerk:
    """`clerk("view_taskclass", ...)`: signed in staff with these permissions only."""

    def make(*codenames: str) -> Client:
        person = django_user_model.objects.create_user("clerk", is_staff=True)
        person.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        client = Client()
        client.force_login(person)
        return client

    return make


@pytest.fixture
def applied(api: Api, task_class: Any) -> Any:
    """The class with one item on the timetable and one inside a course."""
    items, host = list(task_class.items.order_by("order")), event_at("思想政治", 7)
    rows = [placed(items[0].pk, 7, 2, 3, 4), placed(items[1].pk, 7, 3, 5, 6, host.pk)]
    assert api.apply({"task_class_id": task_class.pk, "items": rows})[0] == 200
    return task_class


def act(client: Client, model: str, action: str, row: Any) -> int:
    address = reverse(f"admin:schedules_{model}_changelist")
    return client.post(address, {"action": action, "_selected_action": [row.pk]}).status_code


def test_the_index_names_what_may_be_seen(clerk: Clerk, applied: Any) -> None:
    client = clerk("view_scheduleevent")
    index = client.get(reverse("admin:index")).content.decode()
    assert reverse("admin:schedules_scheduleevent_changelist") in index
    assert reverse("admin:taskclasses_taskclass_changelist") not in index
    assert client.get(class_page(applied)).status_code == 403


def test_who_may_only_look_at_events_deletes_none(clerk: Clerk, applied: Any) -> None:
    client, event = clerk("view_scheduleevent"), ScheduleEvent.objects.get(type="task")
    listing = client.get(reverse("admin:schedules_scheduleevent_changelist"))
    assert 'value="remove"' not in listing.content.decode()
    act(client, "scheduleevent", "remove", event)
    assert ScheduleEvent.objects.filter(pk=event.pk).exists()


def test_who_may_delete_events_does(clerk: Clerk, applied: Any) -> None:
    event = ScheduleEvent.objects.get(type="task")
    act(clerk("view_scheduleevent", "delete_scheduleevent"), "scheduleevent", "remove", event)
    assert not ScheduleEvent.objects.filter(pk=event.pk).exists()


@pytest.mark.parametrize(("permissions", "undone"), [((), False), (("change_appliedbatch",), True)])
def test_undoing_a_batch_is_a_change_of_it(
    clerk: Clerk, applied: Any, permissions: tuple[str, ...], undone: bool
) -> None:
    batch = AppliedBatch.objects.get(source="apply-batch")
    act(clerk("view_appliedbatch", *permissions), "appliedbatch", "undo", batch)
    batch.refresh_from_db()
    assert (batch.undone_at is not None) is undone


def test_items_belong_to_their_class_on_its_page(clerk: Clerk, applied: Any) -> None:
    client = clerk("view_taskclass", "change_taskclass")
    names = list(applied.items.order_by("order").values_list("content", flat=True))
    shown = client.get(class_page(applied)).content.decode()
    assert all(name in shown for name in names)
    assert client.post(class_page(applied), form_of(applied, name="概率")).status_code == 302
    assert TaskClass.objects.get(pk=applied.pk).name == "概率"
    assert list(applied.items.order_by("order").values_list("content", flat=True)) == names


def test_who_may_only_look_at_classes_changes_none(clerk: Clerk, applied: Any) -> None:
    client = clerk("view_taskclass")
    shown = client.get(class_page(applied)).content.decode()
    assert "随机变量" in shown
    assert client.post(class_page(applied), form_of(applied, name="概率")).status_code == 403


def test_a_class_on_the_timetable_needs_the_permission_to_clear_it(clerk: Clerk, applied: Any) -> None:
    client = clerk("view_taskclass", "delete_taskclass")
    address = reverse("admin:taskclasses_taskclass_delete", args=(applied.pk,))
    page = client.get(address).content.decode()
    assert str(ScheduleEvent._meta.verbose_name) in page
    assert 'name="post"' not in page
    assert client.post(address, {"post": "yes"}).status_code == 403
    assert TaskItem.objects.filter(status=TaskItem.Status.APPLIED).count() == 2


def test_a_class_on_the_timetable_is_taken_off_it_and_deleted(clerk: Clerk, applied: Any) -> None:
    client = clerk("view_taskclass", "delete_taskclass", "delete_scheduleevent")
    address = reverse("admin:taskclasses_taskclass_delete", args=(applied.pk,))
    assert "随机变量" in client.get(address).content.decode()
    assert client.post(address, {"post": "yes"}).status_code == 302
    assert not TaskClass.objects.filter(pk=applied.pk).exists()
    assert not ScheduleEvent.objects.filter(type="task").exists()
    assert event_at("思想政治", 7).rows.filter(embedded_task_item=None).count() == 2
    assert AppliedBatch.objects.filter(source="class-release").count() == 1
    assert broken_invariants() == []


def test_a_batch_that_cannot_be_undone_says_why(clerk: Clerk, applied: Any) -> None:
    client, batch = clerk("view_appliedbatch", "change_appliedbatch"), AppliedBatch.objects.get(source="apply-batch")
    listing = reverse("admin:schedules_appliedbatch_changelist")
    form = {"action": "undo", "_selected_action": [batch.pk]}
    assert "已撤销" in client.post(listing, form, follow=True).content.decode()
    assert "已经撤销过" in client.post(listing, form, follow=True).content.decode()
