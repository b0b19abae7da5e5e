"""USE CASE on an account: it goes with everything that belongs to it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from agent.models import Conversation
from agent.runs import conversation_delete


@transaction.atomic
def account_delete(user: User) -> None:
    """Deletes an account, its timetable, classes and conversations, drafts and event logs included.

    Raises 40075 while one of its runs is active; then everything stays.
    """
    for conversation_id in list(Conversation.objects.filter(user=user).values_list("pk", flat=True)):
        conversation_delete(user_id=user.pk, conversation_id=str(conversation_id))
    user.delete()
