"""Public holidays offered beside the student's calendar, one by one; nothing is taken over by itself."""

from __future__ import annotations

from django.contrib.auth.models import User

from schedules.models import Semester
from schedules.presentation.terms import exception_json, fields_of
from schedules.selectors import exceptions_of
from schedules.services.images.exceptions import EXCEPTIONS
from schedules.services.images.kind import Image
from schedules.services.terms.exceptions import image_of
from schedules.terms.exceptions import ExceptionValues, overlaps
from schedules.terms.public_holidays import countries, country_of, propose_exceptions
from schedules.terms.shapes import Proposal, Proposals
from taskclasses.kernel.errors import bad_request

_DATES = ("kind", "first_date", "last_date", "follows_date")


def exceptions_propose(*, user: User, semester: Semester, country: str | None, locale: str) -> Proposals:
    """Returns the holidays and make-up days of a country as a diff to the calendar; the semester's country when none is
    named.

    40005 for an unknown country, or when the time zone of the semester names none.
    """
    chosen = country or country_of(semester.time_zone)
    if chosen is None or chosen not in countries():
        raise bad_request("country", "没有这个国家的节假日资料")
    present = [EXCEPTIONS.image(row) for row in exceptions_of(user_id=user.pk, semester=semester)]
    found = propose_exceptions(chosen, semester.calendar, locale)
    return {"country": chosen, "proposals": [_proposal(values, present) for values in found]}


def _proposal(values: ExceptionValues, present: list[Image]) -> Proposal:
    wanted = image_of(values)
    same = [image for image in present if all(image[name] == wanted[name] for name in _DATES)]
    clashing = [image for image in present if overlaps([image, wanted])]
    return {
        "status": "known" if same else "clash" if clashing else "new",
        "exception": fields_of(values),
        "present": [exception_json(image) for image in same or clashing],
    }
