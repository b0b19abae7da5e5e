"""Instants and JSON values have one written form each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from taskclasses.kernel.canonical_json import canonical_json, digest_of
from taskclasses.kernel.times import rfc3339

pytestmark = pytest.mark.storeless


def test_an_instant_is_written_in_utc_with_whole_seconds() -> None:
    shanghai = timezone(timedelta(hours=8))
    assert rfc3339(datetime(2026, 3, 9, 8, 0, 5, 999_999, tzinfo=shanghai)) == "2026-03-09T00:00:05Z"
    assert rfc3339(datetime(2026, 3, 9, tzinfo=UTC)) == "2026-03-09T00:00:00Z"
    assert rfc3339(None) is None


def test_equal_values_have_one_text_and_one_digest() -> None:
    one, other = {"b": [1, "排"], "a": None}, {"a": None, "b": [1, "排"]}
    assert canonical_json(one) == canonical_json(other) == '{"a":null,"b":[1,"排"]}'
    assert digest_of(one) == digest_of(other) == "f93c533f0c2bf152"
    assert digest_of({"a": 0}) != digest_of({"a": 1})


def test_what_is_no_json_number_is_refused_where_it_would_be_stored() -> None:
    with pytest.raises(ValueError):
        canonical_json({"n": float("inf")}, allow_nan=False)
