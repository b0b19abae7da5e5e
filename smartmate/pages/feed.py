"""GET /feeds/SECRET.ics: a student's timetable for calendar programs, which know the address and nothing else."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.utils.translation import get_language_from_request
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from schedules.feeds.reading import digest_of, feed_find, feed_read
from smartmate.middleware.access import buckets
from smartmate.middleware.client_address import address_of
from smartmate.models import AccountSettings
from taskclasses.kernel.i18n import language_of

HEADERS = {
    # The address is the key: only the program that knows it may keep the answer, and asks each time whether it holds.
    "Cache-Control": "private, no-cache",
    "CDN-Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "no-referrer",
    "Content-Disposition": 'inline; filename="smartmate.ics"',
}


@csrf_exempt
@require_safe
def feed(request: HttpRequest, secret: str) -> HttpResponseBase:
    """Answers the calendar of the student who has this address; 304 for who has it already, 404 for every other
    secret."""
    found = feed_find(secret=secret)
    bucket = ("feed", digest_of(secret)) if found else ("feed_guess", address_of(request))
    wait = buckets().take(*bucket) if settings.RATE_LIMITS else 0
    if wait:
        return _plain("too many requests", 429, {"Retry-After": str(wait)})
    if found is None:
        return _plain("not found", 404)
    chosen = AccountSettings.objects.filter(user=found.user_id).values_list("language", flat=True).first()
    # Many calendar programs name no language, and then the student's page speaks for them.
    named = "" if request.headers.get("Accept-Language", "*") == "*" else get_language_from_request(request)
    locale = language_of(chosen or named or found.language)
    reading = feed_read(feed=found, now=timezone.now(), locale=locale)
    etag, changed = f'"{reading.mark}"', int(reading.changed_at.timestamp())
    answer = get_conditional_response(request, etag=etag, last_modified=changed)
    if answer is None:
        answer = HttpResponse(reading.to_ics(locale), content_type="text/calendar; charset=utf-8")
    for name, value in {**HEADERS, "ETag": etag, "Last-Modified": http_date(changed)}.items():
        answer.headers[name] = value
    return answer


def _plain(words: str, status: int, headers: dict[str, str] | None = None) -> HttpResponse:
    named = {"Cache-Control": "no-store", **(headers or {})}
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8", headers=named)
