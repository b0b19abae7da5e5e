"""Paths of the pages, and of the language switch their header uses."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from smartmate.pages.courses.courses import CourseDeletePage, CoursePage, CoursesPage
from smartmate.pages.courses.exams import ExamDeletePage, ExamPage
from smartmate.pages.courses.importing import ImportPage
from smartmate.pages.courses.imports import ImportDeletePage
from smartmate.pages.courses.lessons import AddedLessonPage, LessonPage, LessonRevertPage, LessonsPage
from smartmate.pages.courses.term_days import CourseDaysPage, ExceptionDeletePage, ExceptionPage
from smartmate.pages.offline import OfflinePage, ServiceWorker
from smartmate.pages.print_week import PrintWeek
from smartmate.pages.settings.archive import ArchiveRestorePage
from smartmate.pages.settings.choices import ChoicesPage, SettingsPage, UndoPage
from smartmate.pages.settings.deletion import AccountDeletePage
from smartmate.pages.settings.keys import FeedPage, TokensPage
from smartmate.pages.settings.semesters import SemesterDeletePage, SemesterPage
from smartmate.pages.settings.wishes import WishesPage
from smartmate.pages.tasks.tasks import PinPage, TaskDeletePage, TaskPage, TaskRoomPart, TasksPage
from smartmate.pages.today.catching_up import CatchUpPage
from smartmate.pages.today.day import MarkPage, TodayPage
from smartmate.pages.views import GuestPage, PageLogin, Planner, set_language
from smartmate.pages.welcome.steps import (
    HomePage,
    SamplePage,
    WelcomeCoursesPage,
    WelcomeEndPage,
    WelcomePage,
    WelcomePlanPage,
    WelcomeRoomPart,
    WelcomeTasksPage,
)

urlpatterns = [
    path("", HomePage.as_view(), name="home"),
    path("welcome", WelcomePage.as_view(), name="welcome"),
    path("welcome/courses", WelcomeCoursesPage.as_view(), name="welcome_courses"),
    path("welcome/tasks", WelcomeTasksPage.as_view(), name="welcome_tasks"),
    path("welcome/tasks/room", WelcomeRoomPart.as_view(), name="welcome_room"),
    path("welcome/plan", WelcomePlanPage.as_view(), name="welcome_plan"),
    path("welcome/end", WelcomeEndPage.as_view(), name="welcome_end"),
    path("welcome/sample", SamplePage.as_view(), name="sample"),
    path("week", Planner.as_view(), name="planner"),
    path("week/<int:week>", Planner.as_view()),
    path("chat", Planner.as_view(), name="chat"),
    path("today", TodayPage.as_view(), name="today"),
    path("today/items/<int:item_id>", MarkPage.as_view(), name="mark"),
    path("today/catch-up", CatchUpPage.as_view(), name="catch_up"),
    path("today/<str:day>", TodayPage.as_view(), name="day"),
    path("tasks", TasksPage.as_view(), name="tasks"),
    path("tasks/new", TaskPage.as_view(), name="task_new"),
    path("tasks/<int:class_id>", TaskPage.as_view(), name="task"),
    path("tasks/new/room", TaskRoomPart.as_view(), name="task_new_room"),
    path("tasks/<int:class_id>/room", TaskRoomPart.as_view(), name="task_room"),
    path("tasks/<int:class_id>/delete", TaskDeletePage.as_view(), name="task_delete"),
    path("tasks/items/<int:item_id>/pin", PinPage.as_view(), name="pin"),
    path("courses", CoursesPage.as_view(), name="courses"),
    path("courses/new", CoursePage.as_view(), name="course_new"),
    path("courses/<int:course_id>", CoursePage.as_view(), name="course"),
    path("courses/<int:course_id>/delete", CourseDeletePage.as_view(), name="course_delete"),
    path("courses/<int:course_id>/lessons", LessonsPage.as_view(), name="lessons"),
    path("courses/<int:course_id>/lessons/new", AddedLessonPage.as_view(), name="lesson_new"),
    path("courses/lessons/<int:event_id>", LessonPage.as_view(), name="lesson"),
    path("courses/lessons/<int:event_id>/revert", LessonRevertPage.as_view(), name="lesson_revert"),
    path("courses/days", CourseDaysPage.as_view(), name="course_days"),
    path("courses/days/new", ExceptionPage.as_view(), name="exception_new"),
    path("courses/days/<int:exception_id>", ExceptionPage.as_view(), name="exception"),
    path("courses/days/<int:exception_id>/delete", ExceptionDeletePage.as_view(), name="exception_delete"),
    path("courses/exams/new", ExamPage.as_view(), name="exam_new"),
    path("courses/exams/<int:exam_id>", ExamPage.as_view(), name="exam"),
    path("courses/exams/<int:exam_id>/delete", ExamDeletePage.as_view(), name="exam_delete"),
    path("courses/import", ImportPage.as_view(), name="course_import"),
    path("courses/imports/<int:batch_id>/delete", ImportDeletePage.as_view(), name="import_delete"),
    path("settings", SettingsPage.as_view(), name="settings"),
    path("settings/choices", ChoicesPage.as_view(), name="choices"),
    path("settings/feed", FeedPage.as_view(), name="feed_settings"),
    path("settings/tokens", TokensPage.as_view(), name="tokens"),
    path("settings/semesters/new", SemesterPage.as_view(), name="semester_new"),
    path("settings/semesters/<int:semester_id>", SemesterPage.as_view(), name="semester"),
    path("settings/semesters/<int:semester_id>/delete", SemesterDeletePage.as_view(), name="semester_delete"),
    path("settings/wishes", WishesPage.as_view(), name="wishes"),
    path("settings/archive", ArchiveRestorePage.as_view(), name="archive_restore"),
    path("settings/account/delete", AccountDeletePage.as_view(), name="account_delete"),
    path("settings/batches/<int:batch_id>/undo", UndoPage.as_view(), name="undo"),
    path("login", PageLogin.as_view(), name="login"),
    path("guest", GuestPage.as_view(), name="guest"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("account/", include("smartmate.accounts.urls")),
    path("offline", OfflinePage.as_view(), name="offline"),
    path("service-worker.js", ServiceWorker.as_view()),
    path("print/week", PrintWeek.as_view(), name="print_week"),
    path("i18n/setlang/", set_language, name="set_language"),
]
