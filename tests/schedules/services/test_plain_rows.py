"""A table whose rows stand for themselves, as a kind of row of a batch."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from schedules.models import AppliedBatch, Course, CurrentSemester, Semester
from schedules.services.images.kind import Pair, Timetable
from schedules.services.images.plain import PlainRows

pytestmark = pytest.mark.django_db
COURSES = PlainRows("plain", Course, ("name", "note"), label="name")
TERMS = PlainRows("terms", CurrentSemester, ("semester_id",), "semester_id", False, {"semester_id": Semester})


def batch_of(user: Any, semester: Any, pairs: list[Pair], kind: str = "plain") -> AppliedBatch:
    return AppliedBatch(user=user, semester=semester, row_changes={kind: pairs})


def test_rows_come_change_and_go_as_their_images_say(user: Any, semester: Any, django_assert_num_queries: Any) -> None:
    at = Timetable(user.pk, semester)
    wanted: list[Pair] = [(None, {"name": name, "note": ""}) for name in ("高数", "英语", "体育")]
    with django_assert_num_queries(3):
        made = COURSES.put(at, wanted)
    maths, english, sport = (after for _, after in made)
    assert [COURSES.image(row) for row in Course.objects.order_by("pk")] == [maths, english, sport]
    assert maths is not None
    assert english is not None
    new = {**english, "note": "带字典"}
    pairs: list[Pair] = [(maths, None), (english, new), (sport, sport)]
    with django_assert_num_queries(2):
        COURSES.lift(at, pairs)
        assert COURSES.put(at, pairs) == pairs
    assert [COURSES.image(row) for row in Course.objects.order_by("pk")] == [new, sport]
    back: list[Pair] = [(after, before) for before, after in pairs]
    COURSES.lift(at, back)
    COURSES.put(at, back)
    assert [COURSES.image(row) for row in Course.objects.order_by("pk")] == [maths, english, sport]


def test_a_row_keeps_its_id_beside_one_that_gets_a_new_one(user: Any, semester: Any) -> None:
    old = Course.objects.create(user=user, semester=semester, name="高数")
    image = COURSES.image(old)
    old.delete()
    pairs: list[Pair] = [(None, {"name": "英语", "note": ""}), (None, image), (None, {"name": "体育", "note": ""})]
    made = [after for _, after in COURSES.put(Timetable(user.pk, semester), pairs)]
    assert made[1] == image
    assert {row.pk: row.name for row in Course.objects.all()} == {row["id"]: row["name"] for row in made if row}


def test_a_row_that_changed_or_went_since_is_named(user: Any, semester: Any) -> None:
    row = Course.objects.create(user=user, semester=semester, name="高数")
    batch = batch_of(user, semester, [(None, COURSES.image(row))])
    assert list(COURSES.now([batch], {}).obstacles(batch)) == []
    Course.objects.update(note="换了教室")
    changed = list(COURSES.now([batch], {}).obstacles(batch))
    Course.objects.all().delete()
    gone = list(COURSES.now([batch], {}).obstacles(batch))
    assert [[(row["rule"], row["with"]["name"]) for row in found if row["with"]] for found in (changed, gone)] == [
        [("changed_since", "高数")],
        [("changed_since", "高数")],
    ]


def test_a_row_whose_parent_is_gone_cannot_come_back(user: Any, semester: Any) -> None:
    other = Semester.objects.create(name="暑期", first_monday=date(2026, 7, 6), weeks=4)
    batch = batch_of(user, semester, [({"id": 1, "semester_id": other.pk}, None)], "terms")
    assert list(TERMS.now([batch], {}).obstacles(batch)) == []
    other.delete()
    assert len(list(TERMS.now([batch], {}).obstacles(batch))) == 1


def test_dates_travel_as_text(user: Any) -> None:
    terms = PlainRows("terms", Semester, ("name", "first_monday", "weeks"), label="name")
    row = Semester.objects.create(owner=user, name="秋", first_monday=date(2026, 9, 7), weeks=20)
    image = terms.image(row)
    assert image == {"id": row.pk, "name": "秋", "first_monday": "2026-09-07", "weeks": 20}
    moved = {**image, "first_monday": "2026-09-14"}
    terms.put(Timetable(user.pk, row), [(image, moved)])
    row.refresh_from_db()
    assert row.first_monday == date(2026, 9, 14)
