"""Import of courses: a JSON body, or an uploaded file. A dry run writes nothing and always answers its report."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.courses import deleted_json
from schedules.api.semester_query import SEMESTER, semester_of
from schedules.calendars.files import FORMATS, WHOLE, rows_of_file
from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.rows import FILE_MAX, NotCourses, Outcome, TooMany, collect_rows
from schedules.planner.grid import Calendar
from schedules.serializers import ImportBody
from schedules.services import courses_import, import_delete
from schedules.shapes import DeletedLessons, ImportReport
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import locale_of
from taskclasses.kernel.errors import CodedError, bad_request, too_large
from taskclasses.kernel.rest import ApiView, body_of, query_bool

UPLOAD = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "format": {"type": "string", "enum": list(FORMATS), "default": "json"},
        "file": {"contentMediaType": "application/octet-stream"},
    },
}


def _writes(request: HttpRequest) -> bool:
    return not query_bool(request, "dry_run", default=True)


class ImportsView(ApiView):
    @staticmethod
    def idempotency_required(request: HttpRequest) -> bool:  # type: ignore[override]
        """Only an import that writes needs a key."""
        return _writes(request)

    @extend_schema(
        operation_id="schedule_import",
        parameters=[OpenApiParameter("dry_run", bool), OpenApiParameter("skip_invalid", bool), SEMESTER],
    )
    @answers(ImportReport, 40019, 40026, 40041, body=ImportBody, form=UPLOAD)
    def post(self, request: Request) -> HttpResponse:
        http, user = request._request, self.user(request)
        dry_run, skip = not _writes(http), query_bool(http, "skip_invalid", default=False)
        locale = locale_of(http)
        semester = semester_of(request)
        form, rows = _rows(http, semester.calendar)

        def effect() -> ImportReport:
            return courses_import(
                user=user,
                rows=rows,
                semester_id=semester.pk,
                dry_run=dry_run,
                skip_invalid=skip,
                whole=form in WHOLE,
                locale=locale,
            )

        return self.commit(request, effect)


class ImportView(ApiView):
    @extend_schema(operation_id="schedule_import_delete", parameters=[OpenApiParameter("dry_run", bool)])
    @answers(DeletedLessons, 40043)
    def delete(self, request: Request, batch_id: int) -> HttpResponse:
        user, trial = self.user(request), query_bool(request._request, "dry_run", default=False)
        return self.commit(request, lambda: deleted_json(import_delete(user=user, batch_id=batch_id, dry_run=trial)))


def _rows(request: HttpRequest, calendar: Calendar) -> tuple[str, list[Outcome]]:
    """Format and rows of a JSON body or of the uploaded file."""
    try:
        if request.content_type != "multipart/form-data":
            body = body_of(request, ImportBody)
            _known_format(body.format, ("json",))
            return "json", collect_rows(rows_of_document({"courses": body.courses}, calendar.grid))
        upload, form = request.FILES.get("file"), request.POST.get("format", "json")
        _known_format(form, FORMATS)
        if upload is None:
            raise bad_request("file", "缺少该字段")
        if (upload.size or 0) > FILE_MAX:
            raise too_large("file", FILE_MAX)
        return form, rows_of_file(form, upload.read(), calendar)
    except TooMany as error:
        raise too_large(error.what, error.limit) from error
    except NotCourses as error:
        raise _refusal(error) from error


def _refusal(error: NotCourses) -> CodedError:
    """40005 with a row for each column at fault; `code` says what a client may want to tell apart."""
    fields = [f"file.{column}" for column in error.columns] or ["file"]
    more = {"code": error.code} if error.code else {}
    return CodedError(40005, {"errors": [{"field": name, "message": error.message, **more} for name in fields]})


def _known_format(name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise bad_request("format", "取值不在允许范围内")
