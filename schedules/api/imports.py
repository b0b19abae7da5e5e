"""Import of courses: a JSON body, or an uploaded file. A dry run writes nothing and always answers its report."""

from __future__ import annotations

import json
from itertools import islice

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from schedules.calendars.csv_courses import NotCourses, rows_of_csv
from schedules.calendars.json_courses import Outcome, rows_of_document
from schedules.calendars.rows import FILE_MAX, OCCURRENCES_MAX, ROWS_MAX, CourseRow
from schedules.planner.grid import Grid
from schedules.selectors import semester_current
from schedules.serializers import ImportBody
from schedules.services import courses_import
from schedules.shapes import ImportReport
from taskclasses.answers import answers
from taskclasses.envelope import locale_of
from taskclasses.errors import CodedError, bad_request, too_large
from taskclasses.rest import ApiView, body_of, parse, query_bool

FORMATS = ("json", "csv")
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
        parameters=[OpenApiParameter("dry_run", bool), OpenApiParameter("skip_invalid", bool)],
    )
    @answers(ImportReport, 40019, 40026, body=ImportBody, form=UPLOAD)
    def post(self, request: Request) -> HttpResponse:
        http, user = request._request, self.user(request)
        dry_run, skip = not _writes(http), query_bool(http, "skip_invalid", default=False)
        locale = locale_of(http)
        rows = _bounded(_rows(http, semester_current().calendar.grid))
        return self.commit(
            request, lambda: courses_import(user=user, rows=rows, dry_run=dry_run, skip_invalid=skip, locale=locale)
        )


def _rows(request: HttpRequest, grid: Grid) -> list[Outcome]:
    """The rows of a JSON body or of the uploaded file."""
    if request.content_type != "multipart/form-data":
        body = body_of(request, ImportBody)
        _known_format(body.format, ("json",))
        return rows_of_document({"courses": body.courses}, grid)
    upload, form = request.FILES.get("file"), request.POST.get("format", "json")
    _known_format(form, FORMATS)
    if upload is None:
        raise bad_request("file", "缺少该字段")
    if (upload.size or 0) > FILE_MAX:
        raise too_large("file", FILE_MAX)
    data = upload.read()
    return _rows_of_csv(data, grid) if form == "csv" else _rows_of_json(data, grid)


def _rows_of_json(data: bytes, grid: Grid) -> list[Outcome]:
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise bad_request("file", "请求体不是有效的 JSON") from error
    return rows_of_document({"courses": parse(ImportBody, document).courses}, grid)


def _rows_of_csv(data: bytes, grid: Grid) -> list[Outcome]:
    try:
        return list(islice(rows_of_csv(data, grid), ROWS_MAX + 1))
    except NotCourses as error:
        if not error.missing:
            raise bad_request("file", "不是有效的 CSV 文件") from error
        faults = [{"field": f"file.{name}", "message": "应恰好有一列"} for name in error.missing]
        raise CodedError(40005, {"errors": faults}) from error


def _known_format(name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise bad_request("format", "取值不在允许范围内")


def _bounded(rows: list[Outcome]) -> list[Outcome]:
    if len(rows) > ROWS_MAX:
        raise too_large("rows", ROWS_MAX)
    if sum(len(row.weeks) for row in rows if isinstance(row, CourseRow)) > OCCURRENCES_MAX:
        raise too_large("occurrences", OCCURRENCES_MAX)
    return rows
