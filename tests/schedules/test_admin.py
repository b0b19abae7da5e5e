"""Every admin list and page opens; what it changes goes through the services."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from schedules.models import AppliedBatch, ScheduleEvent
from schedules.services import broken_invariants
from tests.schedules.helpers import Api, event_at, placed

OURS = [model for model in admin.site._registry if model._meta.app_label in ("schedules", "taskclasses", "smartmate")]


@pytest.fixture
def staff(django_user_model: Any, api: Api, task_class: Any) -> Client:
    items, host = list(task_class.items.order_by("order")), event_at("思想政治", 7)
    rows = [placed(items[0].pk, 7, 2, 3, 4), placed(items[1].pk, 7, 3, 5, 6, host.pk)]
    assert api.apply({"task_class_id": task_class.pk, "items": rows})[0] == 200
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    return client


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_lists_and_pages_open(staff: Client, model: Any) -> None:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    listing = staff.get(reverse(f"{name}_changelist"), {"q": "x"})
    assert listing.status_code == 200
    assert staff.get(reverse(f"{name}_changelist")).status_code == 200
    row = model.objects.first()
    if row is not None:
        assert staff.get(reverse(f"{name}_change", args=(row.pk,))).status_code == 200


def test_actions_go_through_the_services(staff: Client) -> None:
    event = ScheduleEvent.objects.get(type="task")
    address = reverse("admin:schedules_scheduleevent_changelist")
    staff.post(address, {"action": "remove", "_selected_action": [event.pk]})
    assert not ScheduleEvent.objects.filter(pk=event.pk).exists()
    assert broken_invariants() == []
    batch = AppliedBatch.objects.get(source="event-delete")
    address = reverse("admin:schedules_appliedbatch_changelist")
    staff.post(address, {"action": "undo", "_selected_action": [batch.pk]})
    assert ScheduleEvent.objects.filter(pk=event.pk).exists()
    assert broken_invariants() == []


def test_a_class_form_speaks_of_what_is_wrong(staff: Client, task_class: Any) -> None:
    address = reverse("admin:taskclasses_taskclass_change", args=(task_class.pk,))
    page = staff.post(address, {"name": "x", "mode": "auto", "strategy": "steady", "user": task_class.user_id})
    assert page.status_code == 200
    assert "缺少开始日期" in page.content.decode()
