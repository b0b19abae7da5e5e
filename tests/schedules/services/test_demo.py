"""The demo's term, whatever the day it is loaded on."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest

from schedules.models import Course
from schedules.services.demo import demo_load, demo_semester
from taskclasses.models import TaskClass, TaskItem

pytestmark = pytest.mark.django_db
MONDAY = date(2026, 11, 23)


@pytest.mark.parametrize("weekday", range(7))
def test_yesterday_lies_in_the_dates_of_a_class_of_the_demo(user: Any, weekday: int) -> None:
    today = MONDAY + timedelta(days=weekday)
    demo_load(user=user, today=today, semester=demo_semester(today=today))
    yesterday = today - timedelta(days=1)
    assert TaskClass.objects.filter(user=user, start_date__lte=yesterday, end_date__gt=today).exists()


def test_the_demo_has_english_words_for_all_of_it_and_comes_once(user: Any) -> None:
    semester = demo_semester(today=MONDAY)
    made = demo_load(user=user, today=MONDAY, semester=semester, locale="en")
    courses = Course.objects.values_list("name", "location")
    told = [*(word for row in courses for word in row), *TaskItem.objects.values_list("content", flat=True)]
    told += TaskClass.objects.values_list("name", flat=True)
    assert (len(courses), len(made.class_ids), made.items) == (12, 4, 45)
    assert not [word for word in told if re.search(r"[\u3000-\u9fff\uff00-\uffef]", word)]
    assert not demo_load(user=user, today=MONDAY, semester=semester, locale="zh").class_ids
    assert not demo_load(user=user, today=MONDAY, semester=semester, locale="en").class_ids
