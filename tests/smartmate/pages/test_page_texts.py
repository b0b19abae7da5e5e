"""The words that the page shows by itself."""

from __future__ import annotations

from django.utils import translation

from smartmate.pages.texts import PAGE_TEXTS


def test_why_a_place_is_refused_begins_like_a_sentence_in_english() -> None:
    with translation.override("en"):
        reasons = {name: str(words) for name, words in PAGE_TEXTS.items() if name.startswith("rule.")}
    assert [name for name, words in reasons.items() if not words[:1].isupper()] == []
