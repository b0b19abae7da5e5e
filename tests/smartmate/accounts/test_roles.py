"""What each role may do, and that every migration completes the roles."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command

from smartmate.accounts.roles import ROLES, STAFF, STUDENT, SUPPORT, role_of, role_set


@pytest.fixture
def person(user: User) -> User:
    return user


def permissions(role: str) -> set[str]:
    return set(Group.objects.get(name=role).permissions.values_list("codename", flat=True))


def test_a_student_may_do_nothing_in_the_admin(db: None) -> None:
    assert permissions(STUDENT) == set()


def test_support_reads_and_undoes_and_touches_no_account(db: None) -> None:
    granted = permissions(SUPPORT)
    assert {name for name in granted if not name.startswith("view_")} == {"change_appliedbatch"}
    assert {"view_user", "view_conversation", "view_run", "view_scheduleevent", "view_taskclass"} <= granted
    assert not granted & {"view_accesstoken", "view_session", "view_group"}


def test_staff_does_what_support_does_and_keeps_semesters_and_classes(db: None) -> None:
    assert permissions(SUPPORT) < permissions(STAFF)
    assert not permissions(STAFF) & {"add_user", "delete_user", "change_group", "change_permission"}


def test_a_migration_gives_back_what_a_role_misses(db: None) -> None:
    before = permissions(SUPPORT)
    Group.objects.get(name=SUPPORT).permissions.clear()
    Group.objects.get(name=STUDENT).delete()
    call_command("migrate", verbosity=0)
    assert permissions(SUPPORT) == before
    assert set(Group.objects.filter(name__in=ROLES).values_list("name", flat=True)) == set(ROLES)


@pytest.mark.parametrize("role", ROLES)
def test_an_account_has_one_role(person: Any, role: Any) -> None:
    for given in (STAFF, role):
        role_set(user=person, role=given)
    assert role_of(person) == role
    assert list(person.groups.values_list("name", flat=True)) == [role]
    assert person.is_staff is (role != STUDENT)
