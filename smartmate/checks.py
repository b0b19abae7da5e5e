"""System checks: settings with which no mail would leave, and names that are mistyped, are named at start."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured

OURS = ("SMARTMATE_", "DJANGO_")
"""What is often put before the name of a setting, and does not belong there."""
SHORT = 8
"""Names with fewer letters are like too many others."""


def mail_settings_check(**_: Any) -> list[checks.CheckMessage]:
    """Checks that there is a way for mails; nothing is connected."""
    from django.core.mail import get_connection

    if settings.EMAIL_BACKEND.endswith(".filebased.EmailBackend") and not settings.EMAIL_FILE_PATH:
        return [checks.Error("EMAIL_BACKEND writes into EMAIL_FILE_PATH, which is not set", id="smartmate.E001")]
    try:
        get_connection()
    except (ImportError, ImproperlyConfigured, OSError, ValueError) as error:
        return [checks.Error(f"EMAIL_BACKEND: {error}", id="smartmate.E001")]
    return []


def setting_names_check(**_: Any) -> list[checks.CheckMessage]:
    """Checks that no variable looks like a setting that is not set; those of the agent are looked at there."""
    from agent.outbound.setup import NAMES
    from smartmate.settings import env

    found = _mistyped({name for name in os.environ if not name.startswith("AGENT_")}, env.names | {*NAMES})
    return [checks.Warning(told, id="smartmate.W001") for told in found]


def _mistyped(names: Collection[str], known: Collection[str]) -> Iterator[str]:
    missing = [name for name in known if name not in names and len(name) >= SHORT]
    for name in sorted({*names} - {*known}):
        bare = next((name.removeprefix(prefix) for prefix in OURS if name.startswith(prefix)), name)
        for near in get_close_matches(bare, missing, n=1, cutoff=0.85):
            yield f"{name} is no setting and is ignored; is {near} meant?"
