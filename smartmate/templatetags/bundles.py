"""`{% bundle "week.css" %}`: the address of a bundle."""

from __future__ import annotations

from django import template
from django.urls import reverse

from smartmate.pages.assets.bundles import bundle_named

register = template.Library()


@register.simple_tag
def bundle(name: str) -> str:
    found = bundle_named(name)
    assert found is not None, name
    return reverse("bundle", kwargs={"tag": found.tag, "name": name})
