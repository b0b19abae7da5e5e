"""A student's wishes: set, replaced and taken back."""

from __future__ import annotations

from collections.abc import Sequence

from schedules.models import Preference
from schedules.planner.soft_limits import SoftLimit
from schedules.selectors import preferences_of, semester_current
from schedules.services.lock import timetable_lock
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError, too_large
from taskclasses.models import TaskClass

PREFERENCES_MAX = 40
"""Wishes of one student."""


def preferences_change(
    *, user_id: int, wishes: Sequence[SoftLimit] = (), remove: Sequence[int] = (), drop: Sequence[SoftLimit] = ()
) -> list[Preference]:
    """Takes wishes back, by id or by what they are, then sets others, each in place of its like; all that then hold.

    The same change again has the same end. 40006, 40040 for a class and 40091 for a wish that is not the student's.
    """

    def effect() -> list[Preference]:
        timetable_lock(user_id=user_id, semester=semester_current(user_id))
        mine = {row.pk: row for row in preferences_of(user_id)}
        if set(remove) - mine.keys():
            raise CodedError(40091)
        named = {wish.class_id for wish in wishes if wish.class_id is not None}
        if unknown := named.difference(
            TaskClass.objects.filter(user_id=user_id, pk__in=named).values_list("pk", flat=True)
        ):
            raise CodedError(40040, {"task_class_ids": sorted(unknown)})
        wanted = {wish.identity: wish for wish in wishes}
        gone = {pk for pk, row in mine.items() if pk in remove or row.limit in drop}
        old = [pk for pk, row in mine.items() if pk in gone or row.limit.identity in wanted]
        if len(mine) - len(old) + len(wanted) > PREFERENCES_MAX:
            raise too_large("set", PREFERENCES_MAX)
        kept = {mine[pk].limit for pk in old if pk not in gone and mine[pk].limit in wanted.values()}
        Preference.objects.filter(pk__in=[pk for pk in old if mine[pk].limit not in kept]).delete()
        Preference.objects.bulk_create(_row(user_id, wish) for wish in wanted.values() if wish not in kept)
        return list(preferences_of(user_id))

    return run_transaction(effect)


def _row(user_id: int, wish: SoftLimit) -> Preference:
    return Preference(
        user_id=user_id,
        task_class_id=wish.class_id,
        kind=wish.kind,
        value=wish.value,
        hard_only=wish.hard_only,
    )
