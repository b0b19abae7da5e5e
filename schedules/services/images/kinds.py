"""Every kind of row that a batch may hold, in the order in which rows come back: who is referred to comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import F
from django.utils import timezone

from schedules.models import AppliedBatch, Exam
from schedules.services.images.classes import WholeClassRows
from schedules.services.images.courses import CourseRows
from schedules.services.images.exceptions import EXCEPTIONS
from schedules.services.images.kind import Pair, RowKind, Timetable, find_kept, pairs_of
from schedules.services.images.lessons import LessonRows
from schedules.services.images.plain import PlainRows
from taskclasses.models import TaskClass


class ExamRows(PlainRows):
    """Writes exams; the revision of a changed one rises, so that calendar programs notice."""

    def put(self, at: Timetable, pairs: Sequence[Pair]) -> list[Pair]:
        done = super().put(at, pairs)
        changed = [after["id"] for before, after in find_kept(pairs) if before != after]
        if changed:
            rows = Exam.objects.filter(pk__in=changed)
            rows.update(revision=F("revision") + 1, updated_at=timezone.now())
        return done


EXAM_ROWS = ExamRows(
    "exams",
    Exam,
    (
        "name", "location", "course_id", "date", "start_time", "end_time", "section_from", "section_to", "note",
    ),
    label="name",
)  # fmt: skip
CLASS_ROWS = PlainRows("classes", TaskClass, ("name", "end_date", "exam_id"), label="name", with_semester=False)
"""What a class has of an exam."""
KINDS: tuple[RowKind, ...] = (CourseRows(), EXCEPTIONS, LessonRows(), EXAM_ROWS, WholeClassRows(), CLASS_ROWS)


def is_known(batch: AppliedBatch) -> bool:
    """Tells whether every kind of row in a batch is one of ours: a newer version may write others, and what it wrote
    would be undone in part."""
    return set(batch.row_changes or ()) <= {kind.name for kind in KINDS}


def change_rows(at: Timetable, changes: Mapping[str, Sequence[Pair]]) -> dict[str, list[Pair]]:
    """Takes rows of every kind from one side of their pairs to the other; answers the pairs with the ids of new rows.

    No judgement: the caller holds the lock and knows that sections are free and parents exist.
    """
    for kind in reversed(KINDS):
        kind.lift(at, changes.get(kind.name, ()))
    done = {kind.name: kind.put(at, changes.get(kind.name, ())) for kind in KINDS}
    for kind in reversed(KINDS):
        kind.drop(at, changes.get(kind.name, ()))
    return {name: pairs for name, pairs in done.items() if pairs}


def restore_rows(batch: AppliedBatch) -> None:
    """Takes rows of every kind from after a batch back to before it, deleted ones with the ids they had."""
    turned = {kind.name: [(after, before) for before, after in pairs_of(batch, kind.name)] for kind in KINDS}
    change_rows(Timetable(batch.user_id, batch.semester), turned)
