"""The first run: semester and courses, a first task, a first plan. Each step has its address; any may be resumed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views import View

from agent.drafts.plan import draft_plan
from agent.drafts.waiting import WaitingDraft, draft_waiting_get
from agent.pictures import sees_pictures
from schedules.models import Course, ScheduleEvent, Semester
from schedules.planner.grid import Outside, week_and_weekday
from schedules.progress.room import rooms_of, wanted_room
from schedules.selectors import semester_current, semesters_of, today_of
from schedules.services import class_create, semester_choose, semester_create
from schedules.terms.semester_values import SemesterValues
from smartmate.accounts.sample import sample_clear, sample_load
from smartmate.models import AccountSettings
from smartmate.pages.courses.importing import ImportForm
from smartmate.pages.courses.words import day_words, semester_words
from smartmate.pages.forms.messages import go_back, tell_done, tell_refused
from smartmate.pages.forms.refusals import attempt, locale
from smartmate.pages.tasks.task_facts import blocks_of
from smartmate.pages.welcome.forms import FirstTaskForm, TermForm
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass, TaskItem


def _end(user: Any) -> None:
    AccountSettings.objects.update_or_create(user=user, defaults={"welcomed_at": timezone.now()})


def _tasks(user: Any) -> list[TaskClass]:
    """Returns the classes that can be planned and have an item without a place."""
    waiting = TaskItem.objects.filter(task_class__user=user, embedded_time__isnull=True)
    return list(
        TaskClass.objects.filter(user=user, mode=TaskClass.Mode.AUTO, pk__in=waiting.values("task_class"))
        .order_by("pk")
        .prefetch_related("items")
    )


class HomePage(View):
    """Shows the week; the first run for an account that has nothing yet and did not put it off."""

    def get(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and not self._began(user):
            return redirect("welcome")
        query = request.META.get("QUERY_STRING", "")
        return redirect("/week" + (f"?{query}" if query else ""))

    def _began(self, user: Any) -> bool:
        chosen = AccountSettings.objects.filter(user=user).first()
        if chosen is not None and chosen.welcomed_at is not None:
            return True
        return TaskClass.objects.filter(user=user).exists() or Course.objects.filter(user=user).exists()


class WelcomePage(LoginRequiredMixin, View):
    """Leads to the first step that is open."""

    def get(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        if TaskClass.objects.filter(user=user).exists():
            return redirect("welcome_plan")
        return redirect("welcome_tasks" if Course.objects.filter(user=user).exists() else "welcome_courses")


class WelcomeCoursesPage(LoginRequiredMixin, View):
    """Shows step 1. POST settles the semester and goes on by `way`: a file is sent to be looked at, courses typed."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(self._form())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = self._form(request.POST)
        if not form.is_valid() or attempt(form, lambda: self._settle(form)) is None:
            return self._show(form)
        match request.POST.get("way"):
            case "look":
                return redirect("course_import", preserve_request=True)
            case "paste":
                return redirect(_with_next("course_import", "welcome_tasks"))
            case "new":
                return redirect(_with_next("course_new", "welcome_courses"))
        return redirect("welcome_tasks")

    def _form(self, *data: Any) -> TermForm:
        user: Any = self.request.user
        named = [(str(row.pk), semester_words(row)) for row in semesters_of(user.pk)]
        return TermForm(*data, semesters=named, current=semester_current(user.pk))

    def _settle(self, form: TermForm) -> int:
        user: Any = self.request.user
        chosen = form.choose_semester() or self._own(form.values())
        if chosen != semester_current(user.pk).pk:
            semester_choose(user=user, semester_id=chosen)
        return chosen

    def _own(self, values: SemesterValues) -> int:
        """Returns the semester of these dates: whoever comes back to the step does not make it once more."""
        user: Any = self.request.user
        dates = (values.first_monday, values.weeks)
        alike = [row.pk for row in semesters_of(user.pk) if (row.first_monday, row.weeks) == dates]
        return alike[0] if alike else semester_create(user=user, values=values).pk

    def _show(self, form: TermForm) -> HttpResponse:
        user: Any = self.request.user
        semester = semester_current(user.pk)
        lessons = ScheduleEvent.objects.filter(user=user, semester=semester, type=ScheduleEvent.Type.COURSE).count()
        shown = {
            "bare": True,
            "step": 1,
            "form": form,
            "drop": ImportForm(user_id=user.pk)["upload"],
            "pictures": sees_pictures(),
            "today": today_words(semester),
            "lessons": lessons,
        }
        return render(self.request, "welcome/courses.html", shown, status=422 if form.errors else 200)


def _with_next(name: str, after: str) -> str:
    return f"{reverse(name)}?{urlencode({'next': reverse(after)})}"


def today_words(semester: Semester) -> str:
    """Tells which week of the semester today is in, for the student to see whether its dates are right."""
    today, number = today_of(semester.calendar, timezone.now())
    if isinstance(number, Outside):
        return gettext("今天 %(day)s，不在这个学期里。") % {"day": day_words(today)}
    return gettext("今天 %(day)s，是第 %(week)s 周。") % {"day": day_words(today), "week": week_and_weekday(number)[0]}


class WelcomeTasksPage(LoginRequiredMixin, View):
    """Shows step 2. POST makes the first task and goes on."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return self._show(self._form())

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        form = self._form(request.POST)
        today = timezone.now().astimezone(semester_current(user.pk).calendar.zone).date()
        if form.is_valid() and attempt(form, lambda: self._make(form, today)) is not None:
            return redirect("welcome_plan")
        return self._show(form)

    def _make(self, form: FirstTaskForm, today: date) -> TaskClass:
        user: Any = self.request.user
        return class_create(user=user, values=form.values(today), locale=locale())

    def _form(self, *data: Any) -> FirstTaskForm:
        user: Any = self.request.user
        return FirstTaskForm(*data, blocks=blocks_of(semester_current(user.pk)))

    def _show(self, form: FirstTaskForm) -> HttpResponse:
        user: Any = self.request.user
        words = urlencode({"message": gettext("新建任务「英语四级单词」，下周一到四周后，共 8 节，内容：")})
        shown = {"bare": True, "step": 2, "form": form, "words": words, "tasks": _tasks(user)}
        return render(self.request, "welcome/tasks.html", shown, status=422 if form.errors else 200)


class WelcomeRoomPart(WelcomeTasksPage):
    """Tells while the first task is being written whether it fits; nothing is stored."""

    http_method_names = ("post",)

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        told = request.POST.copy()
        told["name"] = told.get("name") or gettext("新任务")  # a name is not needed to be told
        form, semester, now = self._form(told), semester_current(user.pk), timezone.now()
        room = None
        if form.is_valid():
            values = form.values(now.astimezone(semester.calendar.zone).date())
            with suppress(CodedError):  # an end before today, for instance: going on says so
                room = wanted_room(user_id=user.pk, values=values, row=None, now=now)
        return render(request, "tasks/room.html", {"room": room})


class WelcomePlanPage(LoginRequiredMixin, View):
    """Shows step 3. POST plans, and opens the week with the draft.

    A draft that waits is opened instead of being planned a second time; what it lacks is planned in its conversation.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        draft = self._draft()
        rooms = rooms_of(user_id=user.pk, semester=semester_current(user.pk), now=timezone.now()).classes
        waiting = _tasks(user)
        tasks = [{"row": row, "room": rooms.get(row.pk)} for row in waiting]
        shown = {"bare": True, "step": 3, "tasks": tasks, "sample": _has_sample(user)}
        shown |= {"draft": draft, "lacks": not draft or _lacks(draft, [row.pk for row in waiting])}
        return render(request, "welcome/plan.html", shown)

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        ids = [row.pk for row in _tasks(user)]
        if not ids:
            return redirect("welcome_tasks")
        draft = self._draft()
        if draft is not None:
            _end(user)
            return redirect(_go_on_in(draft, ids))
        try:
            conversation = draft_plan(user=user, class_ids=ids, now=timezone.now(), locale=locale())
        except CodedError as refusal:
            tell_refused(request, refusal)
            return redirect("welcome_plan")
        _end(user)
        return redirect(f"/week?{urlencode({'conversation': conversation})}")

    def _draft(self) -> WaitingDraft | None:
        """Returns the draft that waits in the current semester, where it changes anything."""
        user: Any = self.request.user
        draft = draft_waiting_get(user=user, locale=locale())
        return draft if draft and draft.changed and draft.semester_id == semester_current(user.pk).pk else None


def _lacks(draft: WaitingDraft, class_ids: Sequence[int]) -> list[int]:
    return [class_id for class_id in class_ids if class_id not in draft.class_ids]


def _go_on_in(draft: WaitingDraft, class_ids: Sequence[int]) -> str:
    """Returns the address of a draft; with classes that it is not about, that of its conversation with the wish."""
    lacking = _lacks(draft, class_ids)
    conversation = {"conversation": draft.conversation_id}
    if not lacking or draft.asks:
        return f"/week?{urlencode(conversation)}"
    wish = {"classes": ",".join(map(str, lacking)), "message": gettext("帮我把选中的任务排好")}
    return f"/chat?{urlencode(conversation | wish)}"


def _has_sample(user: Any) -> bool:
    return AccountSettings.objects.filter(user=user, sample__isnull=False).exists()


class SamplePage(LoginRequiredMixin, View):
    """Answers POST: loads the sample term, or with `way` "clear" takes it out again."""

    def post(self, request: HttpRequest) -> HttpResponse:
        user: Any = request.user
        clear = request.POST.get("way") == "clear"
        try:
            if clear:
                sample_clear(user=user)
            else:
                sample_load(user=user, now=timezone.now(), name=gettext("示例学期"), locale=locale())
        except CodedError as refusal:
            tell_refused(request, refusal)
            return go_back(request, "welcome_courses")
        tell_done(request, gettext("示例已清掉") if clear else gettext("示例已放进来，随时可以在设置里清掉"))
        return go_back(request, "settings" if clear else "welcome_plan")


class WelcomeEndPage(LoginRequiredMixin, View):
    """Answers POST: puts the first run off; it stays at its address."""

    def post(self, request: HttpRequest) -> HttpResponse:
        _end(request.user)
        return redirect("planner")
