"""Idempotency-Key: a claim is committed before the effect, the answer is stored in the effect's own transaction.

A claim has a lease, by the clock of the database, which its process renews while the request runs.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import chain
from typing import Any

from django.db import Error as StorageError
from django.db import IntegrityError, transaction
from django.db.models import BooleanField, ExpressionWrapper, Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from smartmate.middleware.claim_keeper import claim_keeper, lease_end
from smartmate.middleware.errors import answer
from smartmate.models import IdempotencyClaim
from taskclasses.kernel.auth import SAFE_METHODS
from taskclasses.kernel.database.clock import DatabaseNow
from taskclasses.kernel.errors import CodedError, bad_request, too_large
from taskclasses.kernel.telemetry.metrics import IDEMPOTENCY

log = logging.getLogger("smartmate.middleware.idempotency")
KEPT = timedelta(hours=24)
KEY_MAX = 128
SWEEP_EVERY = 100
"""Every so many claims the expired ones are deleted."""
STORED_HEADERS = ("X-Draft-Revision",)


class Claim:
    """Holds one claim: `store` puts the answer beside the effect, `release` gives the key back."""

    def __init__(self, row: IdempotencyClaim) -> None:
        self._id, self._fence = row.pk, row.fence
        self.stored = False
        claim_keeper().keep(self)

    def store(self, response: HttpResponse, headers: dict[str, str] | None = None) -> None:
        """Stores the answer, inside the effect's transaction; 40038 (and so a rollback) when the lease was taken
        over. `headers` are those to say again, where they are others than an endpoint's."""
        told = {name: response[name] for name in STORED_HEADERS if name in response}
        changed = self._mine().update(
            response_status=response.status_code,
            response_body=response.content.decode(),
            response_headers=told if headers is None else headers,
        )
        if not changed:
            raise CodedError(40038, {"retry_after": 1})
        self.stored = True

    def release(self) -> None:
        self.find_unanswered().delete()

    def find_unanswered(self) -> Any:
        return self._mine().filter(response_status=None)

    def _mine(self) -> Any:
        return IdempotencyClaim.objects.filter(pk=self._id, fence=self._fence)


class IdempotencyMiddleware(MiddlewareMixin):
    """Claims keys for every unsafe API request that carries one.

    Views with `idempotency_own` do it themselves, those with `keeps_no_answer` not at all.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        identity = getattr(request, "identity", None)
        owner = getattr(view, "cls", view)
        left_alone = getattr(owner, "idempotency_own", False) or getattr(owner, "keeps_no_answer", False)
        if identity is None or request.method in SAFE_METHODS or left_alone:
            return None
        try:
            key = _key(request, owner)
            if key is None:
                return None
            return self._answer_claimed(request, key)
        except Exception as error:
            return answer(error, request)

    def _answer_claimed(self, request: HttpRequest, key: str) -> HttpResponse | None:
        try:
            claim = claim_key(request, key)
        except CodedError as refusal:
            IDEMPOTENCY.labels("reused" if refusal.code == 40070 else "running").inc()
            raise
        if isinstance(claim, HttpResponse):
            IDEMPOTENCY.labels("replayed").inc()
            return claim
        IDEMPOTENCY.labels("claimed").inc()
        request.idempotency = claim  # type: ignore[attr-defined]
        return None

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Settles the claim. Storage that has gone away leaves it to its lease, and the answer as it is."""
        claim: Claim | None = getattr(request, "idempotency", None)
        if claim is not None:
            try:
                _settle(claim, response)
            except StorageError:
                log.warning("a claim is left to its lease", exc_info=True)
            finally:
                claim_keeper().drop(claim)
        return response


def _settle(claim: Claim, response: HttpResponseBase) -> None:
    if not 200 <= response.status_code < 300 or not isinstance(response, HttpResponse):
        claim.release()
    elif not claim.stored:
        # An endpoint without an effect in SQL has not stored its answer inside a transaction.
        with suppress(CodedError):
            claim.store(response)


def _key(request: HttpRequest, owner: Any) -> str | None:
    """Returns the key of a request, None when it has none and needs none; 40037 when it is required and missing or
    blank."""
    key: str = request.META.get("HTTP_IDEMPOTENCY_KEY", "").strip()
    if key:
        if not key.isascii() or not key.isprintable() or " " in key:
            raise bad_request("Idempotency-Key", "应为可见的 ASCII 字符")
        if len(key) > KEY_MAX:
            raise too_large("Idempotency-Key", KEY_MAX)
        return key
    required = getattr(owner, "idempotency_required", ())
    needed = required(request) if callable(required) else request.method in required
    if needed:
        IDEMPOTENCY.labels("missing").inc()
        raise CodedError(40037)
    return None


def claim_key(request: HttpRequest, key: str) -> Claim | HttpResponse:
    """Returns a fresh or taken-over claim, or the stored answer; 40070 for another body, 40038 while the first still
    runs."""
    now, body_hash = timezone.now(), hash_of_body(request)
    identity = getattr(request, "identity", None)
    user: Any = identity.user if identity else request.user
    route = request.resolver_match.route if request.resolver_match else request.path
    scope = _digest(f"{user.pk}\n{request.method}\n{route}\n{key}".encode())
    row = IdempotencyClaim(
        scope=scope, user=user, method=request.method or "", route=route[:200], key=key, body_hash=body_hash,
        lease_until=lease_end(), created_at=now,
    )  # fmt: skip
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return _answer_existing(row)
    if row.pk % SWEEP_EVERY == 0:
        IdempotencyClaim.objects.filter(created_at__lte=now - KEPT).delete()
    return Claim(row)


def _answer_existing(wanted: IdempotencyClaim) -> Claim | HttpResponse:
    leased = ExpressionWrapper(Q(lease_until__gt=DatabaseNow()), output_field=BooleanField())
    found = IdempotencyClaim.objects.annotate(leased=leased).filter(scope=wanted.scope).first()
    if found is None:
        # Released between our insert and our look: the client may simply ask again.
        raise CodedError(40038, {"retry_after": 1})
    now = wanted.created_at
    expired = found.created_at <= now - KEPT
    if not expired and found.body_hash != wanted.body_hash:
        raise CodedError(40070)
    if not expired and found.response_status is not None:
        return _replay(found)
    if not expired and found.leased:
        raise CodedError(40038, {"retry_after": 1})
    return _take_over(found, wanted)


def _take_over(found: IdempotencyClaim, wanted: IdempotencyClaim) -> Claim:
    """Moves the fence on for one of several rivals only; the former holder can then store nothing."""
    changed = IdempotencyClaim.objects.filter(
        pk=found.pk, fence=found.fence, response_status=found.response_status
    ).update(
        fence=found.fence + 1, body_hash=wanted.body_hash, lease_until=lease_end(),
        created_at=wanted.created_at, response_status=None, response_body="", response_headers={},
    )  # fmt: skip
    if not changed:
        raise CodedError(40038, {"retry_after": 1})
    found.fence += 1
    return Claim(found)


def _replay(row: IdempotencyClaim) -> HttpResponse:
    headers = {**row.response_headers, "Idempotent-Replayed": "true"}
    return HttpResponse(
        row.response_body.encode(),
        status=row.response_status,
        content_type="application/json; charset=utf-8",
        headers=headers,
    )


def hash_of_body(request: HttpRequest) -> str:
    """Returns SHA-256 of path arguments, query and canonical body: sorted JSON without spaces, or the raw parts of a
    form."""
    address = json.dumps([_path_arguments(request), sorted(request.GET.lists())]).encode()
    hashed = hashlib.sha256(address + b"\n")
    if request.content_type == "multipart/form-data":
        # Its files may be larger than a body that is held in memory.
        for number, part in enumerate(_parts_of(request)):
            hashed.update(b"\n" if number else b"")
            for chunk in part:
                hashed.update(chunk)
        return hashed.hexdigest()
    raw = request.body
    try:
        document = json.loads(raw)
        raw = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        pass
    hashed.update(raw)
    return hashed.hexdigest()


def _parts_of(request: HttpRequest) -> Iterator[Iterable[bytes]]:
    """Yields each field and each file of a form, piece by piece; the files are read from their beginning again."""
    for name, values in sorted(request.POST.lists()):
        yield [f"{name}={values}".encode()]
    for name, files in sorted(request.FILES.lists()):
        for part in files:
            yield chain([f"{name}:{part.name}:".encode()], part.chunks())
            part.seek(0)


def _path_arguments(request: HttpRequest) -> dict[str, str]:
    """Returns what the path names: the route is a template, so that belongs to the request as the body does."""
    match = request.resolver_match
    return {name: str(value) for name, value in sorted(match.kwargs.items())} if match else {}


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
