"""`{{ row.message|without_fields }}`: a sentence for a student without the names of fields before it."""

from __future__ import annotations

import re

from django import template

register = template.Library()
FIELDS = re.compile(r"^[a-z_]+(?:, [a-z_]+)*[:：] ?")


@register.filter
def without_fields(sentence: str) -> str:
    return FIELDS.sub("", sentence)
