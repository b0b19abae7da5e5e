"""Earlier changes in the settings: those that can be undone have a button, the others say what stands in the way."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from schedules.models import AppliedBatch
from schedules.services import schedule_apply_batch, schedule_undo, task_item_undo
from schedules.services.placement.apply import ApplyClass, ApplyItem
from taskclasses.models import TaskItem
from tests.kits.timetable.fixtures import courses, task_class
from tests.kits.timetable.helpers import placed

__all__ = ["courses", "task_class"]
pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en"}


def listed(client: Client, headers: dict[str, str] | None = None) -> list[tuple[str, int | None]]:
    """Returns the rows of the list, newest first, each with the batch that its button undoes."""
    page = client.get("/settings", headers=headers).content.decode()
    part = page[page.index("Earlier changes" if headers else "以前的改动") :].partition("</ul>")[0]
    rows = re.findall(r"<li.*?</li>", part, re.DOTALL)
    named = [re.search(r"batches/(\d+)/undo", row) for row in rows]
    return [(row, int(found[1]) if found else None) for row, found in zip(rows, named, strict=True)]


def undo(client: Client, batch: int) -> str:
    """Returns what the page says after an undo."""
    page: str = client.post(f"/settings/batches/{batch}/undo", follow=True).content.decode()
    return page.partition('class="sets"')[0]


@pytest.fixture
def items(task_class: Any) -> list[int]:
    return [item.pk for item in task_class.items.order_by("order")]


def apply(user: Any, task_class: Any, *rows: dict[str, Any]) -> int:
    batch = ApplyClass(task_class.pk, [ApplyItem(**row) for row in rows])
    return int(schedule_apply_batch(user=user, batches=[batch])["batch_id"])


def test_a_change_that_a_later_one_stands_on_names_it(li: Client, user: Any, task_class: Any, items: list[int]) -> None:
    first = apply(user, task_class, placed(items[0], 7, 2, 3, 4))
    assert next(batch for _, batch in listed(li)) == first
    task_item_undo(user=user, task_item_id=items[0])
    later = AppliedBatch.objects.first()
    assert later is not None
    (_, undone), (told, none), *_ = listed(li)
    assert (undone, none) == (later.pk, None)
    assert "之后的「撤销任务项」" in told
    assert "先撤销它" in told
    assert "stands on it: undo that one first" in listed(li, ENGLISH)[1][0]
    said = undo(li, first)
    assert "无法撤销 " in said
    assert "之后的「撤销任务项」" in said
    assert said.index("之后的「撤销任务项」") < said.index("编号 40077"), "the number stands last"
    assert "已撤销" in undo(li, later.pk)
    assert [batch for _, batch in listed(li)][1] == first
    undo(li, first)
    assert "这个改动已经撤销过了" in undo(li, first)


def test_what_took_the_sections_that_an_undo_needs_is_named(
    li: Client, user: Any, task_class: Any, items: list[int]
) -> None:
    apply(user, task_class, placed(items[0], 7, 2, 3, 4))
    task_item_undo(user=user, task_item_id=items[0])
    taken_off = AppliedBatch.objects.first()
    assert taken_off is not None
    later = apply(user, task_class, placed(items[1], 7, 2, 3, 4))
    rows = listed(li)
    assert [batch for _, batch in rows][:3] == [later, None, None]
    assert "之后的「写库」" in rows[1][0]
    schedule_undo(user=user, batch_id=later)
    assert [batch for _, batch in listed(li)][1] == taken_off.pk


def test_what_was_changed_otherwise_is_named_itself(li: Client, user: Any, task_class: Any, items: list[int]) -> None:
    first = apply(user, task_class, placed(items[0], 7, 2, 3, 4))
    name = TaskItem.objects.get(pk=items[0]).content
    TaskItem.objects.filter(pk=items[0]).update(content="换了一个名字")
    told, none = listed(li)[0]
    assert none is None
    assert f"「{name}」之后又改过，撤不回来了" in told
    assert f"「{name}」之后又改过" in undo(li, first)
