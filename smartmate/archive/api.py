"""Everything of mine: out as one archive, back into an empty account, and away for good."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from typing_extensions import TypedDict

from smartmate.accounts.deletion import account_confirm, account_delete
from smartmate.archive.files import BODY_MAX, file_read
from smartmate.archive.restoring import archive_restore
from smartmate.archive.writing import archive_make, archive_schema
from taskclasses.kernel.answers import answers
from taskclasses.kernel.auth import identity_of
from taskclasses.kernel.envelope import CONTENT_TYPE, encode_json, ok
from taskclasses.kernel.rest import ApiView, Body, Text, read_json

JSON_MAX = 5 * 1024 * 1024
"""Bytes of an archive as a body of its own."""
UPLOAD = {
    "type": "object",
    "required": ["file"],
    "properties": {"file": {"contentMediaType": "application/json"}},
}


class ArchiveBody(Body):
    """Holds the document that GET answers; its schema is at `/api/v1/schema/archive.json`."""

    format: str
    version: int
    tables: dict[str, Any]


class Restored(TypedDict):
    rows: dict[str, int]


class PasswordBody(Body):
    password: Annotated[Text, Field(max_length=1000)]


class ArchiveView(ApiView):
    """Answers by method: GET answers the archive itself, as an attachment; POST takes one into an account that has
    nothing yet."""

    body_max = BODY_MAX

    @extend_schema(operation_id="account_archive_get")
    @answers(
        media={"application/json": {"type": "object", "required": ["format", "version", "tables"]}},
        headers=("Content-Disposition",),
    )
    def get(self, request: Request) -> HttpResponse:
        content = encode_json(archive_make(user=self.user(request)))
        headers = {
            "Content-Disposition": 'attachment; filename="smartmate-archive.json"',
            "Cache-Control": "private, no-store",
        }
        return HttpResponse(content, content_type=CONTENT_TYPE, headers=headers)

    @extend_schema(operation_id="account_archive_restore")
    @answers(Restored, 40087, body=ArchiveBody, form=UPLOAD)
    def post(self, request: Request) -> HttpResponse:
        user, document = self.user(request), _document(request._request)
        return self.commit(request, lambda: {"rows": archive_restore(user=user, document=document)})


def _document(request: HttpRequest) -> Any:
    if request.content_type != "multipart/form-data":
        return read_json(request, limit=JSON_MAX)
    return file_read(request.FILES.get("file"))


class AccountView(ApiView):
    """Answers DELETE: ends the account with everything in it, once its password has confirmed it."""

    keeps_no_answer = True

    @extend_schema(operation_id="account_delete")
    @answers(None, 40075, 40088, body=PasswordBody)
    def delete(self, request: Request) -> HttpResponse:
        identity, given = identity_of(request._request), self.body(request, PasswordBody)
        account_confirm(identity.user, given.password)
        account_delete(identity.user)
        if identity.via == "session":
            request._request.session.flush()
        return ok()


class ArchiveSchemaView(ApiView):
    """Answers the JSON Schema of an archive: public, outside the envelope."""

    authentication_classes = ()
    permission_classes = ()

    @extend_schema(operation_id="archive_schema_get")
    @answers(media={"application/json": {"type": "object"}}, public=True)
    def get(self, request: Request) -> HttpResponse:
        return HttpResponse(encode_json(archive_schema()), content_type=CONTENT_TYPE)
