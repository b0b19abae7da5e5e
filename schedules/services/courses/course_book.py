"""Which course the rows of an import belong to."""

from __future__ import annotations

from collections.abc import Sequence

from schedules.calendars.rows import CourseRow
from schedules.models import COURSE_COLORS
from schedules.services.images.kind import Image, Pair
from taskclasses.seals import choose_color


class CourseBook:
    """Finds the course of each row: by name and teacher, where either side may not know the teacher."""

    def __init__(self, images: Sequence[Image]) -> None:
        self.images = list(images)
        self.new: list[Image] = []
        self.filled: list[Pair] = []
        self._of: dict[tuple[str, str], Image] = {}

    def course_of(self, row: CourseRow) -> Image:
        return self._of[row.course_name, row.teacher]

    def name(self, row: CourseRow) -> None:
        key = (row.course_name, row.teacher)
        if key not in self._of:
            self._of[key] = self._find_known(row) or self._make_course(row)

    def _find_known(self, row: CourseRow) -> Image | None:
        alike = [image for image in self.images if image["name"] == row.course_name]
        exact = next((image for image in alike if image["teacher"] == row.teacher), None)
        if exact is not None or not row.teacher:
            return exact or next(iter(alike), None)
        nameless = next((image for image in alike if not image["teacher"]), None)
        if nameless is None:
            return None
        known = {**nameless, "teacher": row.teacher}
        self.images[self.images.index(nameless)] = known
        if nameless in self.new:
            self.new[self.new.index(nameless)] = known
        else:
            self.filled.append((nameless, known))
        self._of = {key: known if image is nameless else image for key, image in self._of.items()}
        return known

    def _make_course(self, row: CourseRow) -> Image:
        image = {
            "name": row.course_name,
            "teacher": row.teacher,
            "location": row.location,
            "color_index": choose_color((image["color_index"] for image in self.images), COURSE_COLORS),
            "can_be_embedded": row.is_allow_tasks,
            "note": "",
        }
        self.images.append(image)
        self.new.append(image)
        return image
