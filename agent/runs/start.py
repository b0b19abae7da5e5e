"""Starting a run (wire.md 2.2, 5.2): every refusal, one transaction, then the first events and the wake-up."""

from __future__ import annotations

import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.db.models import Max
from django.utils import timezone

from agent.loop.events import Event, InteractionResolved, MessageStarted, Stamped
from agent.loop.interactions import ACTIONS, MESSAGE_ACTION, Accepted, AnswerRefusal, RepeatedAnswer, judge
from agent.models import Conversation, PendingInteraction, Run
from agent.runs import questions
from agent.runs.quota import quota_take
from agent.runs.requests import Ask, InteractionAnswer, Started
from agent.runs.timeline import rows as timeline
from agent.runs.wake import wake
from agent.selectors import conversation_lock, interaction_value, is_uuid, next_idx_of
from agent.store import keys, lease
from agent.store.connection import async_client
from agent.store.event_log import AppendRefused, EventLog
from agent.store.threads import in_thread
from taskclasses.kernel.database.transactions import run_transaction
from taskclasses.kernel.errors import CodedError, bad_request
from taskclasses.kernel.telemetry.metrics import IDEMPOTENCY
from taskclasses.kernel.telemetry.tracing import current_trace
from taskclasses.models import TaskClass
from taskclasses.spec import is_blank

TITLE_LENGTH = 24


async def run_start(*, user_id: int, ask: Ask) -> Started:
    """Starts the run that an accepted request asks for, or finds the one an equal request made.

    Raises `CodedError` in the order of wire.md 2.2: 40070, 40004, 40401, 40005, 40074, 40040, 40075, 40092.
    """
    # Without the log nobody could read the run: refuse it before it exists, where Redis is gone, full or read-only.
    await async_client().set(keys.PROBE, 1, ex=60)
    started = await in_thread(_counted_create)(user_id, ask)
    if not started.replayed:
        await append_opening(started.run)
        await wake(str(started.run.pk))
    return started


def _counted_create(user_id: int, ask: Ask) -> Started:
    """Calls `run_create`; what became of the key is counted."""
    try:
        started = run_create(user_id, ask)
    except CodedError as refusal:
        if refusal.code == 40070:
            IDEMPOTENCY.labels("reused").inc()
        raise
    if ask.key:
        IDEMPOTENCY.labels("replayed" if started.replayed else "claimed").inc()
    return started


def run_create(user_id: int, ask: Ask) -> Started:
    """Does the transaction of `run_start`. Losing a race repeats it, and the second reading sees the winner."""
    return run_transaction(lambda: _create(user_id, ask))


def build_opening(run: Run) -> list[Event]:
    """Builds idx 0, and idx 1 of a run that an answer made."""
    continues = str(run.continues_id) if run.continues_id else None
    events: list[Event] = [MessageStarted(stage="chat", block_id="chat.message", continues_run_id=continues)]
    resume = run.request.get("resume")
    if resume:
        fields = {key: resume[key] for key in ("interaction_id", "action", "message", "option")}
        events.append(
            InteractionResolved(stage="chat", block_id="chat.interaction", interaction_type=resume["type"], **fields)
        )
    return events


async def append_opening(run: Run) -> list[Stamped]:
    """Appends the opening events unless somebody did so already; answers them."""
    place = {"run_id": str(run.pk), "conversation_id": str(run.conversation_id)}
    stamped = [event.stamp(idx=idx, ts=time.time(), **place) for idx, event in enumerate(build_opening(run))]
    with suppress(AppendRefused):
        await EventLog(async_client()).append(stamped, fence=run.fence)
    return stamped


@dataclass(frozen=True)
class _Reply:
    """Tells how the request relates to an interaction: which row it closes, with what, and what the loop will see."""

    row: PendingInteraction
    status: str
    resume: dict[str, Any] | None


def _create(user_id: int, ask: Ask) -> Started:
    key = ask.request_key(user_id)
    known = Run.objects.filter(request_key=key).first() if key else None
    if known is not None:
        if known.request_digest != ask.digest:
            raise CodedError(40070)
        return Started(known, replayed=True)
    conversation = _conversation(user_id, ask)
    reply = _reply(conversation, ask)
    if isinstance(reply, Run):
        return Started(reply, replayed=True)
    if ask.answer is None and is_blank(ask.message):
        raise bad_request("message", "不能为空")
    _own_classes(user_id, ask.task_class_ids)
    if conversation is not None:
        not_active(conversation)
    if reply is None or reply.resume is None:
        quota_take(user_id=user_id, now=timezone.now())
    return Started(_write(user_id, ask, conversation, reply))


def _conversation(user_id: int, ask: Ask) -> Conversation | None:
    """Returns the named conversation, locked; None when a new one is to be made."""
    if not ask.conversation_id:
        if ask.answer is not None:
            raise CodedError(40004, {"field": "conversation_id"})
        return None
    return conversation_lock(user_id, ask.conversation_id)


def _reply(conversation: Conversation | None, ask: Ask) -> _Reply | Run | None:
    """Returns what is answered: a `Run` when the same answer was given before, None when nothing is pending."""
    if conversation is None:
        return None
    if ask.answer is not None:
        return _explicit(conversation, ask)
    row = questions.find_open(conversation, now=timezone.now())
    if row is None:
        return None
    action = MESSAGE_ACTION[row.type]  # type: ignore[index]
    if action is None:
        return _Reply(row, PendingInteraction.Status.SUPERSEDED, None)
    return _Reply(row, PendingInteraction.Status.ANSWERED, _resume(row, action, ask.message, None, typed=True))


def _explicit(conversation: Conversation, ask: Ask) -> _Reply | Run:
    answer = ask.answer
    assert answer is not None
    rows = PendingInteraction.objects.filter(conversation=conversation)
    _known_answer(answer)
    row = rows.filter(pk=answer.interaction_id).first() if is_uuid(answer.interaction_id) else None
    if row is None:
        raise CodedError(40074, {"reason": "unknown", "answer": None})
    verdict = judge(
        interaction_value(row),
        action=answer.action,
        message=ask.message,
        option=answer.option,
        type_=answer.type,
        expired=row.expires_at <= timezone.now(),
    )
    match verdict:
        case AnswerRefusal(code=40005):
            raise bad_request(verdict.field, "与待答交互不符")
        case AnswerRefusal():
            raise CodedError(40074, {"reason": verdict.reason, "answer": row.answer})
        case RepeatedAnswer():
            return Run.objects.select_related("conversation").get(pk=verdict.run_id)
        case Accepted():
            cancelled = verdict.action == "cancel"
            status = PendingInteraction.Status.CANCELLED if cancelled else PendingInteraction.Status.ANSWERED
            return _Reply(row, status, _resume(row, verdict.action, ask.message, answer.option, typed=False))


def _known_answer(answer: InteractionAnswer) -> None:
    """Refuses a type or an action that no interaction has before the interaction is looked for."""
    if answer.type and answer.type not in ACTIONS:
        raise bad_request("extra.resume.type", "取值不在允许范围内")
    kinds = [actions for name, actions in ACTIONS.items() if answer.type in ("", name)]
    if not any(answer.action in actions for actions in kinds):
        raise bad_request("extra.resume.action", "取值不在允许范围内")


def _resume(row: PendingInteraction, action: str, message: str, option: str | None, *, typed: bool) -> dict[str, Any]:
    answered = {"action": action, "message": message, "option": option, "typed": typed}
    return {"interaction_id": str(row.pk), "type": row.type, **answered}


def _own_classes(user_id: int, ids: tuple[int, ...]) -> None:
    known = set(TaskClass.objects.filter(user_id=user_id, pk__in=ids).values_list("pk", flat=True)) if ids else set()
    unknown = [pk for pk in dict.fromkeys(ids) if pk not in known]
    if unknown:
        raise CodedError(40040, {"task_class_ids": unknown})


def not_active(conversation: Conversation) -> None:
    active = Run.objects.filter(active_for=conversation).first()
    if active is not None:
        data = {"run_id": str(active.pk), "status": active.status, "next_idx": next_idx_of(active)}
        raise CodedError(40075, data)


def _write(user_id: int, ask: Ask, conversation: Conversation | None, reply: _Reply | None) -> Run:
    now = timezone.now()
    if conversation is None:
        title = ask.message.strip()[:TITLE_LENGTH]
        conversation = Conversation.objects.create(user_id=user_id, title=title, created_at=now, last_message_at=now)
    else:
        Conversation.objects.filter(pk=conversation.pk).update(last_message_at=now)
    resume = reply.resume if reply else None
    run = Run.objects.create(
        pk=current_trace() or uuid.uuid4(),
        conversation=conversation,
        active_for=conversation,
        continues_id=reply.row.run_id if reply and resume else None,
        number=(Run.objects.filter(conversation=conversation).aggregate(last=Max("number"))["last"] or 0) + 1,
        request=ask.to_request(resume),
        locale=ask.locale,
        request_key=ask.request_key(user_id),
        request_digest=ask.digest,
        lease_until=lease.queue_end(),
        created_at=now,
    )
    if reply is not None:
        _close(reply, run)
    if ask.message.strip():
        timeline.add_message(run, ask.message, now=now)
    return run


def _close(reply: _Reply, run: Run) -> None:
    answer = {}
    if reply.resume is not None:
        kept = {key: reply.resume[key] for key in ("action", "message", "option")}
        answer = {**kept, "run_id": str(run.pk)}
    if not questions.answer_question(reply.row, run, answer, status=reply.status):
        raise CodedError(40074, {"reason": "answered", "answer": None})
