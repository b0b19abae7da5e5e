"""System checks: settings with which no mail would leave are named at start."""

from __future__ import annotations

from typing import Any

from django.core import checks
from django.core.exceptions import ImproperlyConfigured


def mail_settings_check(**_: Any) -> list[checks.CheckMessage]:
    """Checks that there is a way for mails; nothing is connected."""
    from django.core.mail import get_connection

    try:
        get_connection()
    except (ImportError, ImproperlyConfigured, OSError, ValueError) as error:
        return [checks.Error(f"EMAIL_BACKEND: {error}", id="smartmate.E001")]
    return []
