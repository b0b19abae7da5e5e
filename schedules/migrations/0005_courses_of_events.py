"""Makes a course for every student, semester and name among the lessons; backwards the courses go, every lesson stays."""

from collections import Counter, defaultdict

from django.db import migrations

from schedules.calendars.patterns import weeks_in_words

COLORS = 12


def make_courses(apps, schema_editor):
    event = apps.get_model("schedules", "ScheduleEvent")
    lessons = event.objects.filter(type="course", course=None)
    for user_id, semester_id in lessons.order_by().values_list("user_id", "semester_id").distinct():
        _make(apps, list(lessons.filter(user_id=user_id, semester_id=semester_id).order_by("week", "pk")))


def _make(apps, lessons):
    course, event = (apps.get_model("schedules", name) for name in ("Course", "ScheduleEvent"))
    by_name = defaultdict(list)
    for lesson in lessons:
        by_name[lesson.name].append(lesson)
    for number, (name, mine) in enumerate(by_name.items()):
        made = course.objects.create(
            user_id=mine[0].user_id,
            semester_id=mine[0].semester_id,
            name=name,
            location=Counter(lesson.location for lesson in mine).most_common(1)[0][0],
            color_index=number % COLORS,
            can_be_embedded=any(lesson.can_be_embedded for lesson in mine),
        )
        meetings = defaultdict(list)
        for lesson in mine:
            at = (lesson.day_of_week, lesson.section_from, lesson.section_to, lesson.location)
            meetings[at].append(lesson)
        for meeting in meetings.values():
            pattern = weeks_in_words(sorted({lesson.week for lesson in meeting}))
            # `update` leaves the time of the last change and the revision as they are: nothing of the lesson changed.
            event.objects.filter(pk__in=[lesson.pk for lesson in meeting]).update(course=made, pattern=pattern)


def unmake_courses(apps, schema_editor):
    apps.get_model("schedules", "ScheduleEvent").objects.update(course=None, pattern="")
    apps.get_model("schedules", "Course").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("schedules", "0004_courses")]
    operations = [migrations.RunPython(make_courses, unmake_courses)]
