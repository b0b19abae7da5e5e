"""Throw-away accounts: a student with a term of their own, lessons, and classes to plan; gone when the job is over."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import transaction

from agent.models import Conversation
from agent.runs.conversation import conversation_delete
from schedules.calendars.rows import CourseRow
from schedules.models.semesters import default_section_times
from schedules.services import class_create, courses_import, semester_choose, semester_create
from schedules.terms.semester_values import SemesterValues
from taskclasses.fields import ClassValues, ItemValues

WEEKS, WEEKS_BEFORE = 20, 2
LESSON_WEEKS = tuple(range(1, 17))
CLASSES: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "zh": [
        ("概率论复习", ("第一章 随机事件", "第二章 随机变量", "第三章 数字特征", "第四章 大数定律", "第五章 参数估计",
                   "第六章 假设检验")),
        ("线性代数", ("行列式", "矩阵运算", "向量组", "特征值")),
        ("大学物理实验", ("单摆", "透镜", "电桥")),
        ("考前突击", tuple(f"真题{number}" for number in range(1, 13))),
    ],
    "en": [
        ("Probability", ("Chapter 1 Events", "Chapter 2 Variables", "Chapter 3 Moments", "Chapter 4 Limits",
                         "Chapter 5 Estimation", "Chapter 6 Tests")),
        ("Linear Algebra", ("Determinants", "Matrices", "Vector spaces", "Eigenvalues")),
        ("Physics Lab", ("Pendulum", "Lenses", "Bridge")),
        ("Last minute", tuple(f"Paper {number}" for number in range(1, 13))),
    ],
}  # fmt: skip
LESSONS = {"zh": ("高等数学", "大学英语"), "en": ("Calculus", "English")}


@dataclass(frozen=True)
class Account:
    user: User
    dates: dict[str, str]


def account_open(language: str, today: date) -> Account:
    """Opens an account: a student in the third week of a term of their own; the last class has one day for far too
    much."""
    user = User.objects.create_user(f"evaluation-{uuid.uuid4().hex[:20]}")
    monday = today - timedelta(days=today.weekday() + 7 * WEEKS_BEFORE)
    values = SemesterValues(
        name="evaluation",
        first_monday=monday,
        weeks=WEEKS,
        section_times=default_section_times(),
        time_zone="Asia/Shanghai",
    )
    semester = semester_create(user=user, values=values)
    semester_choose(user=user, semester_id=semester.pk)
    first, second = LESSONS[language]
    rows = [CourseRow(day, first, "", False, LESSON_WEEKS, day, 1, 2) for day in range(1, 6)]
    rows += [CourseRow(10 + day, second, "", False, LESSON_WEEKS, day, 5, 6) for day in (1, 3)]
    courses_import(user=user, rows=rows, semester_id=semester.pk, dry_run=False)
    start = today + timedelta(days=7 - today.weekday())
    for name, contents in CLASSES[language]:
        crowded = len(contents) > 10
        items = [ItemValues(order, content, 2) for order, content in enumerate(contents, 1)]
        end = start if crowded else start + timedelta(days=27)
        made = ClassValues(name=name, start_date=start, end_date=end, total_slots=2 * len(items), items=items)
        class_create(user=user, values=made, semester_id=semester.pk)
    late = start + timedelta(days=27)
    return Account(user, {"start": start.isoformat(), "end": late.isoformat(), "late": late.isoformat()})


def account_close(account: Account) -> None:
    """Deletes the account with all it had, drafts outside the database too."""
    with transaction.atomic():
        for pk in Conversation.objects.filter(user=account.user).values_list("pk", flat=True):
            conversation_delete(user_id=account.user.pk, conversation_id=str(pk))
        account.user.delete()
