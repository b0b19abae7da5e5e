"""The roles of accounts: groups whose permissions every `migrate` completes, for the models that it finds.

A student has no permission in the admin. Support reads the tables of the term and of the conversations and undoes
batches; staff also keeps semesters, classes and accounts. Neither sees or sets a password.
"""

from __future__ import annotations

from typing import Any, Literal

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.db.models import Q

Role = Literal["student", "support", "staff"]
STUDENT: Role = "student"
SUPPORT: Role = "support"
STAFF: Role = "staff"
ROLES: tuple[Role, ...] = (STUDENT, SUPPORT, STAFF)
READ = ("taskclasses", "schedules", "agent")
"""Apps whose rows support and staff may look at."""
UNDO = ("change_appliedbatch",)
KEEP = (
    "add_semester", "change_semester", "add_taskclass", "change_taskclass", "delete_taskclass", "delete_scheduleevent",
    "change_user", "view_accesstoken", "delete_accesstoken", "view_idempotencyclaim", "view_usersession",
)  # fmt: skip


def grant_roles(*, using: str, **_sent: Any) -> None:
    """Makes the groups and gives each what it misses; sent after the permissions of an app were made."""
    kept = Permission.objects.using(using)
    read = Q(content_type__app_label__in=READ, codename__startswith="view_") | Q(codename="view_user")
    granted = {
        STUDENT: kept.none(),
        SUPPORT: kept.filter(read | Q(codename__in=UNDO)),
        STAFF: kept.filter(read | Q(codename__in=(*UNDO, *KEEP))),
    }
    for name, permissions in granted.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        group.permissions.add(*permissions)


def role_of(user: User) -> Role:
    """Returns the strongest role of an account; who is in no group is a student."""
    if user.is_superuser:
        return STAFF
    names = set(user.groups.values_list("name", flat=True))
    return next((role for role in (STAFF, SUPPORT) if role in names), STUDENT)


def add_to_role(user: User, role: Role) -> None:
    """Puts an account into the group of a role."""
    user.groups.add(Group.objects.get_or_create(name=role)[0])


@transaction.atomic
def role_set(*, user: User, role: Role) -> None:
    """Gives an account one role and takes the others; support and staff may enter the admin."""
    user.groups.remove(*Group.objects.filter(name__in=ROLES))
    add_to_role(user, role)
    user.is_staff = role != STUDENT
    user.save(update_fields=["is_staff"])
