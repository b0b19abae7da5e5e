"""Task classes. The endpoints live above the timetable, because replacing or deleting a class may change it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.semester_query import SEMESTER, semester_id_of
from schedules.presentation.timetable import class_object
from schedules.progress.book import ProgressBook
from schedules.serializers import class_values
from schedules.services import class_create, class_delete, class_replace
from taskclasses.kernel.answers import answers
from taskclasses.kernel.entity_tags import answer_digested, refuse_changed
from taskclasses.kernel.envelope import locale_of
from taskclasses.kernel.rest import PAGES, ApiView, query_bool
from taskclasses.models import TaskClass
from taskclasses.presentation import class_brief, class_json
from taskclasses.selectors import task_class_get, task_classes
from taskclasses.serializers import ClassBody
from taskclasses.shapes import ClassBrief, ClassObject, Page

IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="the ETag of the class as it was read; 40079 once it changed"
)


def _show_class(user: User, row: TaskClass) -> ClassObject:
    """Returns a class with how far its items are now."""
    ids = [item.pk for item in row.items.all()]
    return class_object(row, ProgressBook.load(user_id=user.pk, item_ids=ids, now=timezone.now()))


def _refusal(request: Request, user: User) -> Callable[[TaskClass], None]:
    """Returns what refuses a write with 40079 when the class is not the one that the client has read."""
    return lambda row: refuse_changed(request._request, _show_class(user, row))


class TaskClassesView(ApiView):
    @extend_schema(operation_id="task_class_list", parameters=PAGES)
    @answers(Page[ClassBrief])
    def get(self, request: Request) -> HttpResponse:
        return self.page(request, task_classes(user=self.user(request)), class_brief)

    @extend_schema(operation_id="task_class_create", parameters=[SEMESTER])
    @answers(ClassObject, 40041, 40042, 40044, 40045, 40047, body=ClassBody)
    def post(self, request: Request) -> HttpResponse:
        user, values = self.user(request), class_values(self.body(request, ClassBody))
        named, locale = semester_id_of(request._request), locale_of(request._request)

        def effect() -> ClassObject:
            return class_json(class_create(user=user, values=values, semester_id=named, locale=locale))

        return self.commit(request, effect)


class TaskClassView(ApiView):
    @extend_schema(operation_id="task_class_get")
    @answers(ClassObject, 40040, tagged=True)
    def get(self, request: Request, class_id: int) -> HttpResponse:
        user = self.user(request)
        return answer_digested(request._request, _show_class(user, task_class_get(user=user, class_id=class_id)))

    @extend_schema(operation_id="task_class_replace", parameters=[SEMESTER, IF_MATCH])
    @answers(ClassObject, 40034, 40040, 40041, 40042, 40044, 40045, 40047, 40048, 40062, 40079, body=ClassBody)
    def put(self, request: Request, class_id: int) -> HttpResponse:
        user, values = self.user(request), class_values(self.body(request, ClassBody))
        named, locale = semester_id_of(request._request), locale_of(request._request)

        def effect() -> ClassObject:
            check = _refusal(request, user)
            done = class_replace(
                user=user, class_id=class_id, values=values, semester_id=named, locale=locale, check=check
            )
            return _show_class(user, done)

        return self.commit(request, effect)

    @extend_schema(operation_id="task_class_delete", parameters=[OpenApiParameter("release", bool), IF_MATCH])
    @answers(None, 40034, 40040, 40079)
    def delete(self, request: Request, class_id: int) -> HttpResponse:
        user, release = self.user(request), query_bool(request._request, "release", default=False)

        def effect() -> None:
            class_delete(user=user, class_id=class_id, release=release, check=_refusal(request, user))

        return self.commit(request, effect)
