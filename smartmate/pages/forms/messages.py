"""What a page says after a form was sent, with the way back of what was written."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from smartmate.pages.forms.refusals import refusal_words
from taskclasses.kernel.errors import CodedError


def tell_done(request: HttpRequest, words: str, batch_id: int | None = None) -> None:
    """Says that something was written; with its batch the message offers to undo it."""
    messages.success(request, words, extra_tags="" if batch_id is None else str(batch_id))


def tell_refused(request: HttpRequest, refusal: CodedError, why: str = "") -> None:
    """Says that something was not written, and why where more is known than the refusal itself says."""
    messages.error(request, refusal_words(refusal, why))


def go_back(request: HttpRequest, otherwise: str) -> HttpResponse:
    """Leads back to where the form says that it was, if that is on this site, else to the page of this name."""
    address = came_from(request)
    return HttpResponseRedirect(address) if address else redirect(otherwise)


def came_from(request: HttpRequest) -> str:
    """Returns the page that a form or the address of one names to come back to; "" for none of this site."""
    address = request.POST.get("next", request.GET.get("next", ""))
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()}) else ""
