"""What is written and read faster is written and read the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from taskclasses.kernel.envelope import encode_json, encode_plain
from taskclasses.models import TaskClass, TaskItem
from tests.kits.budgets import tried

texts = st.text(st.characters(exclude_categories=["Cs"]))
plain = st.none() | st.booleans() | st.integers() | texts
documents = st.recursive(plain, lambda part: st.lists(part) | st.dictionaries(texts, part), max_leaves=20)


@given(documents)
@tried(200)
def test_a_document_without_fractions_has_the_same_bytes(document: Any) -> None:
    assert encode_plain(document) == encode_json(document)


@pytest.mark.django_db
@pytest.mark.parametrize("stored", [{}, [], None, [{}], {"week": 3}, "", 0])
def test_a_column_that_is_often_empty_gives_back_what_was_stored(stored: Any) -> None:
    user = User.objects.create_user("student")
    owner = TaskClass.objects.create(user=user, name="c", mode=TaskClass.Mode.AUTO)
    item = TaskItem.objects.create(task_class=owner, order=1, content="i", records=stored)
    assert TaskItem.objects.get(pk=item.pk).records == stored
    assert list(TaskItem.objects.values_list("records", flat=True)) == [stored]
