"""Use cases that write the timetable. Each is one transaction under the student's TimetableVersion."""

from schedules.services.apply import schedule_apply_batch, schedule_persist_diff
from schedules.services.classes import class_create, class_delete, class_replace, class_upsert, limits_of
from schedules.services.courses import (
    course_create,
    course_delete,
    course_merge,
    course_replace,
    courses_import,
    import_delete,
)
from schedules.services.invariants import broken_invariants
from schedules.services.lock import timetable_lock
from schedules.services.release import event_delete, items_release, task_item_undo
from schedules.services.semesters import (
    semester_change,
    semester_choose,
    semester_create,
    semester_delete,
    semester_replace,
)
from schedules.services.undo import schedule_undo

__all__ = [
    "broken_invariants",
    "class_create",
    "class_delete",
    "class_replace",
    "class_upsert",
    "course_create",
    "course_delete",
    "course_merge",
    "course_replace",
    "courses_import",
    "event_delete",
    "import_delete",
    "items_release",
    "limits_of",
    "schedule_apply_batch",
    "schedule_persist_diff",
    "schedule_undo",
    "semester_change",
    "semester_choose",
    "semester_create",
    "semester_delete",
    "semester_replace",
    "task_item_undo",
    "timetable_lock",
]
