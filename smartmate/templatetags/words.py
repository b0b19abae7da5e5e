"""Names of semesters as a student reads them."""

from __future__ import annotations

import re

from django import template
from django.utils.translation import gettext

register = template.Library()
TERM = re.compile(r"(\d{4}) ([春秋])")


@register.filter
def term_words(name: str) -> str:
    """Returns the name of a semester; one that nobody chose in the language of the page."""
    found = TERM.fullmatch(name)
    return gettext(f"{{year}} {found[2]}").format(year=found[1]) if found else name
