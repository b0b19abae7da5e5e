"""The term: its weeks, section times and zone, and which one a student uses."""

from __future__ import annotations

from datetime import time

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Case, Max, Q, Value, When
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from schedules.planner.grid import Calendar
from schedules.terms.semester_values import WEEKS_MAX, SemesterValues, find_faults

DEFAULT_SECTION_TIMES = (
    ("08:00", "08:45"),
    ("08:55", "09:40"),
    ("10:15", "11:00"),
    ("11:10", "11:55"),
    ("14:00", "14:45"),
    ("14:55", "15:40"),
    ("16:15", "17:00"),
    ("17:10", "17:55"),
    ("19:00", "19:45"),
    ("19:55", "20:40"),
    ("20:50", "21:35"),
    ("21:45", "22:30"),
)


def default_section_times() -> list[list[str]]:
    return [list(pair) for pair in DEFAULT_SECTION_TIMES]


class Semester(models.Model):
    """Holds a semester, shared (published by staff: no owner) or a student's own."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="semesters",
        verbose_name=_("所属学生"),
    )
    name = models.CharField(_("名称"), max_length=60)
    first_monday = models.DateField(_("第一个周一"))
    weeks = models.PositiveSmallIntegerField(_("周数"), validators=[MinValueValidator(1), MaxValueValidator(WEEKS_MAX)])
    section_times = models.JSONField(_("节次时间"), default=default_section_times)
    time_zone = models.CharField(_("时区"), max_length=64, default="Asia/Shanghai")
    # The shared one for all who chose none.
    is_current = models.BooleanField(_("当前学期"), default=False)
    # 1 or null: a unique index over it lets one row at most be current, on databases without partial indexes too.
    current_mark = models.GeneratedField(
        expression=Case(When(is_current=True, then=Value(1)), default=None),
        output_field=models.PositiveSmallIntegerField(null=True),
        db_persist=True,
        unique=True,
        editable=False,
    )

    class Meta:
        verbose_name = _("学期")
        verbose_name_plural = _("学期")
        ordering = ("-first_monday",)
        constraints = (
            models.CheckConstraint(name="semester_weeks", condition=Q(weeks__gte=1, weeks__lte=30)),
            models.CheckConstraint(
                name="semester_current_is_shared", condition=Q(is_current=False) | Q(owner__isnull=True)
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def calendar(self) -> Calendar:
        """Returns the semester as a pure value: grid, dates, clock times."""
        times = tuple((time.fromisoformat(begin), time.fromisoformat(end)) for begin, end in self.section_times)
        return Calendar(self.first_monday, self.weeks, times, self.time_zone)

    def clean(self) -> None:
        self.clean_values()
        self._refuse_less_than_its_events()

    def clean_values(self) -> None:
        """Refuses what no semester may be, whatever stands in it."""
        columns = ("name", "first_monday", "weeks", "section_times", "time_zone")
        values = {name: getattr(self, name) for name in columns}
        # A field that its own check refused is None here.
        if all(value is not None for value in values.values()):
            faults = find_faults(SemesterValues(**values))
            if faults:
                raise ValidationError({field: gettext(message) for field, message in faults})
        if self.is_current and self.owner_id is not None:
            raise ValidationError({"is_current": _("只有公共学期可以设为当前学期")})

    def find_used(self) -> dict[str, int | None]:
        """Returns the latest week and the latest section that an event has."""
        return self.scheduleevent_set.aggregate(weeks=Max("week"), sections=Max("section_to"))

    def _refuse_less_than_its_events(self) -> None:
        if self.pk is None:
            return
        used = self.find_used()
        if self.weeks and (used["weeks"] or 0) > self.weeks:
            raise ValidationError({"weeks": _("已有日程在更晚的周次")})
        if (used["sections"] or 0) > len(self.section_times):
            raise ValidationError({"section_times": _("已有日程在更晚的节次")})


class CurrentSemester(models.Model):
    """Holds the semester that a student chose; who chose none follows the shared current one."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="current_semester", verbose_name=_("用户")
    )
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))

    class Meta:
        verbose_name = _("学生的当前学期")
        verbose_name_plural = _("学生的当前学期")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.semester_id}"
