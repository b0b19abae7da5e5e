"""Use cases that write the timetable. Each is one transaction under the student's TimetableVersion."""

from schedules.services.classes import (
    class_create,
    class_delete,
    class_remove,
    class_replace,
    class_upsert,
    classes_update,
    limits_of,
)
from schedules.services.courses import (
    course_create,
    course_delete,
    course_merge,
    course_replace,
    courses_copy,
    courses_import,
    import_delete,
)
from schedules.services.invariants import broken_invariants
from schedules.services.lock import timetable_lock
from schedules.services.placement.apply import schedule_apply_batch, schedule_persist_diff
from schedules.services.placement.pins import task_item_pin, task_item_unpin
from schedules.services.placement.release import event_delete, items_release, task_item_undo
from schedules.services.preferences import preferences_change
from schedules.services.progress import items_mark, progress_rule_set
from schedules.services.terms.exceptions import calendar_change
from schedules.services.terms.lesson_changes import lesson_change, lesson_change_revert
from schedules.services.terms.proposals import exceptions_propose
from schedules.services.terms.semesters import (
    semester_change,
    semester_choose,
    semester_create,
    semester_delete,
    semester_keep,
    semester_replace,
)
from schedules.services.undo import schedule_undo

__all__ = [
    "broken_invariants",
    "calendar_change",
    "class_create",
    "class_delete",
    "class_remove",
    "class_replace",
    "class_upsert",
    "classes_update",
    "course_create",
    "course_delete",
    "course_merge",
    "course_replace",
    "courses_copy",
    "courses_import",
    "event_delete",
    "exceptions_propose",
    "import_delete",
    "items_mark",
    "items_release",
    "lesson_change",
    "lesson_change_revert",
    "limits_of",
    "preferences_change",
    "progress_rule_set",
    "schedule_apply_batch",
    "schedule_persist_diff",
    "schedule_undo",
    "semester_change",
    "semester_choose",
    "semester_create",
    "semester_delete",
    "semester_keep",
    "semester_replace",
    "task_item_pin",
    "task_item_undo",
    "task_item_unpin",
    "timetable_lock",
]
