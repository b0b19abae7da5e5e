"""The pages: sign in, and the planner that puts chat and week grid side by side."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import LoginView
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.generic import TemplateView

from smartmate.pages.texts import PAGE_TEXTS


class PageLogin(LoginView):
    template_name = "login.html"
    redirect_authenticated_user = True


@method_decorator(ensure_csrf_cookie, name="dispatch")
class Planner(LoginRequiredMixin, TemplateView):
    """Chat and week grid; all data comes from the public API, the page carries texts only."""

    template_name = "planner.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        config = {
            "locale": "en" if (get_language() or "").startswith("en") else "zh",
            "user": self.request.user.get_username(),
            "strings": {key: str(text) for key, text in PAGE_TEXTS.items()},
        }
        return super().get_context_data(page_config=config, **kwargs)
