"""Words of the server as a student reads them: sentences without names of fields, names of semesters."""

from __future__ import annotations

import re

from django import template
from django.utils.translation import gettext

register = template.Library()
TERM = re.compile(r"(\d{4}) ([春秋])")
FIELDS = re.compile(r"^([a-z][A-Za-z_]*(?:, [a-z][A-Za-z_]*)*|[A-Z]{5,})[:：] ?")
"""What stands before a sentence about a row: columns of ours and of other programs, properties of calendars."""


@register.filter
def term_words(name: str) -> str:
    """Returns the name of a semester; one that nobody chose in the language of the page."""
    found = TERM.fullmatch(name)
    return gettext(f"{{year}} {found[2]}").format(year=found[1]) if found else name


@register.filter
def without_fields(sentence: str) -> str:
    return FIELDS.sub("", sentence)
