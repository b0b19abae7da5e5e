"""Import of courses: a JSON body, or an uploaded file. A dry run writes nothing and always answers its report."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.api.courses import deleted_json
from schedules.api.semester_query import SEMESTER, semester_of
from schedules.calendars.files import FORMATS, IMAGE, WHOLE, rows_of_file
from schedules.calendars.json_courses import rows_of_document
from schedules.calendars.mends import ID
from schedules.calendars.readers.pasted_courses import rows_of_paste
from schedules.calendars.readers.zhengfang_json import rows_of_zhengfang
from schedules.calendars.rows import FILE_MAX, Outcome, collect_rows
from schedules.planner.grid import Calendar
from schedules.presentation.shapes.courses import DeletedLessons
from schedules.presentation.shapes.imports import ImportReport, PictureObject
from schedules.serializers import ImportBody
from schedules.services import courses_import, import_delete
from schedules.services.courses.reading import file_read, refuse_unread
from taskclasses.kernel.answers import answers
from taskclasses.kernel.envelope import locale_of
from taskclasses.kernel.errors import bad_request, too_large
from taskclasses.kernel.rest import ApiView, body_of, query_bool

UPLOAD = {
    "type": "object",
    "properties": {
        "format": {"type": "string", "enum": [*FORMATS, IMAGE], "description": "default: by the name of the file"},
        "file": {"contentMediaType": "application/octet-stream"},
        "text": {"type": "string", "description": "with format paste, in place of a file"},
        "mends": {"type": "string"},
    },
}


def _writes(request: HttpRequest) -> bool:
    return not query_bool(request, "dry_run", default=True)


class ImportsView(ApiView):
    @staticmethod
    def idempotency_required(request: HttpRequest) -> bool:  # type: ignore[override]
        """Tells whether a key is needed: only an import that writes needs one."""
        return _writes(request)

    @extend_schema(
        operation_id="schedule_import",
        parameters=[
            OpenApiParameter("dry_run", bool),
            OpenApiParameter("skip_invalid", bool),
            OpenApiParameter("mends", str, description="ids of the offered mends to take, separated by a comma"),
            OpenApiParameter("replace", bool, description="true lets what earlier imports brought follow the file"),
            OpenApiParameter(
                "keep_changes", bool, description="false puts changed lessons back where the file has them"
            ),
            SEMESTER,
        ],
    )
    @answers(
        ImportReport, 40019, 40026, 40041, 40085, 50001, 50002, 50003, 50005, 50006, 50007, body=ImportBody, form=UPLOAD
    )
    def post(self, request: Request) -> HttpResponse:
        http, user = request._request, self.user(request)
        dry_run, skip = not _writes(http), query_bool(http, "skip_invalid", default=False)
        locale = locale_of(http)
        semester = semester_of(request)
        form, rows, mends, picture = _read(http, user.pk, semester.calendar, locale)

        def effect() -> ImportReport:
            report = courses_import(
                user=user,
                rows=rows,
                semester_id=semester.pk,
                dry_run=dry_run,
                skip_invalid=skip,
                whole=form in WHOLE,
                mends=mends,
                replace=query_bool(http, "replace", default=False),
                keep_changes=query_bool(http, "keep_changes", default=True),
                locale=locale,
            )
            return {**report, "picture": picture}

        return self.commit(request, effect)


class ImportView(ApiView):
    @extend_schema(operation_id="schedule_import_delete", parameters=[OpenApiParameter("dry_run", bool)])
    @answers(DeletedLessons, 40043)
    def delete(self, request: Request, batch_id: int) -> HttpResponse:
        user, trial = self.user(request), query_bool(request._request, "dry_run", default=False)
        return self.commit(request, lambda: deleted_json(import_delete(user=user, batch_id=batch_id, dry_run=trial)))


Read = tuple[str, list[Outcome], frozenset[str], PictureObject | None]
"""Format, rows, ids of the mends to take, what is said of a picture."""


def _read(request: HttpRequest, user_id: int, calendar: Calendar, locale: str) -> Read:
    """Reads what a JSON body or an uploaded file holds; 40005, 40006."""
    with refuse_unread(locale):
        if request.content_type == "multipart/form-data":
            return _read_form(request, user_id, calendar)
        return _read_body(body_of(request, ImportBody), calendar, _mends(request))


def _read_body(body: ImportBody, calendar: Calendar, named: frozenset[str]) -> Read:
    grid, taken = calendar.grid, named | _known_mends(body.mends)
    if body.text is not None:
        _known_format(body.format, ("json", "paste"))
        return "paste", collect_rows(rows_of_paste(body.text, calendar)), taken, None
    if body.kb_list is not None:
        _known_format(body.format, ("json", "zhengfang"))
        document = {"kbList": body.kb_list, "sjkList": body.sjk_list}
        return "zhengfang", collect_rows(rows_of_zhengfang(document, grid)), taken, None
    _known_format(body.format, ("json", "paste", "zhengfang"))
    if body.courses is None or body.format != "json":
        raise bad_request({"paste": "text", "zhengfang": "kbList"}.get(body.format, "courses"), "缺少该字段")
    return "json", collect_rows(rows_of_document({"courses": body.courses}, grid)), taken, None


def _read_form(request: HttpRequest, user_id: int, calendar: Calendar) -> Read:
    upload, form = request.FILES.get("file"), request.POST.get("format")
    taken = _mends(request) | _known_mends(_parts(request.POST.get("mends", "")))
    _known_format("json" if form is None else form, (*FORMATS, IMAGE))
    if upload is None:
        text = request.POST.get("text")
        if form != "paste" or text is None:
            raise bad_request("file", "缺少该字段")
        return "paste", rows_of_file("paste", text.encode(), calendar), taken, None
    if (upload.size or 0) > FILE_MAX:
        raise too_large("file", FILE_MAX)
    found = file_read(
        user_id=user_id, name=upload.name or "", data=upload.read(), calendar=calendar, locale=locale_of(request),
        form=form,
    )  # fmt: skip
    return found.form, found.rows, taken, found.picture


def _mends(request: HttpRequest) -> frozenset[str]:
    return _known_mends(_parts(request.GET.get("mends", "")))


def _parts(words: str) -> list[str]:
    return [part.strip() for part in words.split(",") if part.strip()]


def _known_mends(ids: Sequence[str]) -> frozenset[str]:
    if any(ID.fullmatch(name) is None for name in ids):
        raise bad_request("mends", "取值不在允许范围内")
    return frozenset(ids)


def _known_format(name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise bad_request("format", "取值不在允许范围内")
