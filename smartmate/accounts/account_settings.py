"""USE CASES on what an account chose: read all of it, change some of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from typing_extensions import TypedDict

from schedules.presentation.shapes.progress import ProgressSettings
from schedules.progress.book import rule_of
from schedules.selectors import semester_current
from schedules.services import progress_rule_set, semester_choose
from smartmate.accounts.roles import Role, role_of
from smartmate.models import AccountSettings
from taskclasses.kernel.database.transactions import run_transaction

LANGUAGES: Mapping[Literal["zh", "en"], str] = {"zh": "zh-hans", "en": "en"}
"""Languages by their names on the wire."""
SWITCHES = ("course_colors", "less_motion", "letter_keys", "always_execute", "thinking", "evening_question")
"""What is either on or off."""
LINKS = {"tokens": "/api/v1/auth/tokens", "sessions": "/api/v1/account/sessions"}


class SettingsObject(TypedDict):
    username: str
    email: str | None
    email_verified: bool
    role: Role
    language: Literal["zh", "en"] | None
    appearance: Literal["system", "light", "dark"]
    course_colors: bool
    less_motion: bool
    letter_keys: bool
    always_execute: bool
    thinking: bool
    evening_question: bool
    semester_id: int
    progress: ProgressSettings
    links: dict[str, str]


def settings_get(*, user: User) -> SettingsObject:
    """Returns what the account chose, beside what identifies it. `language` None follows the browser."""
    chosen = AccountSettings.objects.filter(user=user).first() or AccountSettings(user=user)
    address = EmailAddress.objects.filter(user=user).order_by("-primary", "-verified", "pk").first()
    rule = rule_of(user.pk)
    names = {code: name for name, code in LANGUAGES.items()}
    return {
        "username": user.get_username(),
        "email": address.email if address else user.email or None,
        "email_verified": address.verified if address else False,
        "role": role_of(user),
        "language": names.get(chosen.language),
        "appearance": cast(Any, chosen.appearance),
        "course_colors": chosen.course_colors,
        "less_motion": chosen.less_motion,
        "letter_keys": chosen.letter_keys,
        "always_execute": chosen.always_execute,
        "thinking": chosen.thinking,
        "evening_question": chosen.evening_question,
        "semester_id": semester_current(user.pk).pk,
        "progress": {"mode": rule.mode, "grace_hours": int(rule.grace.total_seconds() // 3600)},
        "links": LINKS,
    }


def settings_change(*, user: User, changes: Mapping[str, Any]) -> SettingsObject:
    """Changes the settings that are named, the others stay; answers all of them. 40041 for a semester not there."""

    def effect() -> SettingsObject:
        own = {name: changes[name] for name in ("appearance", *SWITCHES) if name in changes}
        if "language" in changes:
            own["language"] = LANGUAGES[changes["language"]] if changes["language"] else ""
        if own:
            AccountSettings.objects.update_or_create(user=user, defaults=own)
        if "semester_id" in changes:
            semester_choose(user=user, semester_id=changes["semester_id"])
        if "progress" in changes:
            progress_rule_set(user=user, **changes["progress"])
        return settings_get(user=user)

    return run_transaction(effect)
