"""The pages: sign in, and the planner that puts chat and week grid side by side; language and limits of all pages."""

from __future__ import annotations

import sys
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import get_language, gettext
from django.views import View, i18n
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.defaults import page_not_found
from django.views.generic import TemplateView

from smartmate.accounts.account_settings import LANGUAGES, settings_change
from smartmate.accounts.forms import LIMIT_S, take
from smartmate.accounts.guests import guest_create
from smartmate.middleware.account import speak_language_of
from smartmate.middleware.errors import error_of
from smartmate.pages.forms.refusals import locale
from smartmate.pages.texts import PAGE_TEXTS
from taskclasses.kernel.errors import CodedError


class PageLogin(LoginView):
    template_name = "account/login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        more = {"signup_open": settings.SIGNUP_OPEN, "guest_look": settings.GUEST_LOOK, "ended": self._has_ended()}
        return super().get_context_data(**more, **kwargs)

    def _has_ended(self) -> bool:
        """Tells whether a session led here that is over: the page says so, or its cookie names none that is known."""
        known = self.request.session.session_key is not None
        lost = bool(self.request.COOKIES.get(settings.SESSION_COOKIE_NAME)) and not known
        return self.request.method == "GET" and (lost or "ended" in self.request.GET)


class GuestPage(View):
    """Answers POST: opens a throw-away account with the sample term, where the site allows it."""

    def post(self, request: HttpRequest) -> HttpResponse:
        if not settings.GUEST_LOOK:
            raise Http404
        try:
            take(request, "signup")
        except CodedError:
            return show_limit(request)
        guest = guest_create(now=timezone.now(), name=gettext("示例学期"), locale=locale())
        login(request, guest, backend="smartmate.accounts.backend.AccountBackend")
        return redirect("planner")


def page_config(request: HttpRequest) -> dict[str, Any]:
    """Returns what the scripts of a page know before they ask: language, account, texts."""
    return {
        "locale": "en" if (get_language() or "").startswith("en") else "zh",
        "user": request.user.get_username(),
        "strings": {key: str(text) for key, text in PAGE_TEXTS.items()},
    }


@method_decorator(ensure_csrf_cookie, name="dispatch")
class Planner(LoginRequiredMixin, TemplateView):
    """Shows chat and week grid; all data comes from the public API, the page carries texts only."""

    template_name = "planner/page.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        typed = self.request.GET.get("message", "")
        return super().get_context_data(page_config=page_config(self.request), typed=typed, **kwargs)


def set_language(request: HttpRequest) -> HttpResponseBase:
    """Switches the language of the browser, and of the account that is signed in on all its devices."""
    user: Any = request.user
    chosen = next((name for name, code in LANGUAGES.items() if code == request.POST.get("language")), None)
    if request.method == "POST" and user.is_authenticated and chosen is not None:
        settings_change(user=user, changes={"language": chosen})
    return i18n.set_language(request)


def show_missing(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says that there is no such page, in the language of the account, which no view has put yet."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        speak_language_of(request, request.user)
    return page_not_found(request, exception)


def show_failure(request: HttpRequest) -> HttpResponse:
    """Says that a page failed; 503 where a store is away, as the endpoints answer, and another moment may do."""
    error = sys.exc_info()[1]
    away = error is not None and error_of(error).code == 50004
    page = HttpResponse(render_to_string("500.html"), status=503 if away else 500)
    if away:
        page["Retry-After"] = "2"
    return page


def show_limit(request: HttpRequest) -> HttpResponse:
    """Says at a page that it was asked for too often."""
    page = render(request, "429.html", {"minutes": LIMIT_S // 60}, status=429)
    page["Retry-After"] = str(LIMIT_S)
    return page
