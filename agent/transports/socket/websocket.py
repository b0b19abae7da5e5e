"""The WebSocket of a student: a Channels consumer that takes requests and sends the events of one followed run."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from agent.calls.kinds import Json
from agent.models import Run
from agent.runs import run_cancel, run_follow_batches, run_start
from agent.runs.readers import Reader
from agent.selectors import run_get
from agent.store.threads import in_thread
from agent.transports.socket.handshake import HandshakeRefused, Visitor, identify, is_origin_allowed, locale_of_scope
from agent.transports.wire.bodies import FollowBody, Frame, RunBody, ask_of, resume_document, resume_refusal
from agent.transports.wire.frames import dumps, socket_frame
from taskclasses.kernel.envelope import error_document
from taskclasses.kernel.errors import CodedError, bad_request
from taskclasses.kernel.rest import is_text, json_of, parse
from taskclasses.kernel.telemetry.metrics import READER_CUTS, READERS

logger = logging.getLogger("agent.socket")
FRAME_LIMIT = 64 * 1024
MALFORMED_LIMIT = 3
REQ_MAX = 64
CARRY_LIMIT = 16 * 1024 * 1024
TEND_S = 5.0
IDENTITY_EVERY = 12
NOT_SIGNED_IN, MALFORMED, SLOW, TOO_LARGE, TOO_MANY = 4401, 4400, 4408, 4413, 4429
RESTART = 1012
"""The client connects again and follows from where it was."""


class ClientGone(Exception):
    """Tells that a frame has nobody to go to any more: the `disconnect` on its way ends the rest."""


class ConversationConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Serves `/ws/v1/agent` (wire.md 6.5): requests with acks or rejects, and the events of one followed run.

    Nobody sends to it by the channel layer, so it has none: a socket that waits needs no store.
    """

    channel_layer_alias = "none of its own"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._visitor: Visitor | None = None
        self._reader: Reader | None = None
        self._pump: asyncio.Task[None] | None = None
        self._tending: asyncio.Task[None] | None = None
        self._malformed = 0
        self._closed = False
        self._actions: dict[str, Callable[[str, Json], Awaitable[None]]] = {
            "chat": self._chat,
            "resume": self._resume,
            "cancel": self._cancel,
            "follow": self._follow,
            "unfollow": self._unfollow,
            "ping": self._ping,
        }

    async def connect(self) -> None:
        try:
            await self._open()
        except Exception as error:
            if self._visitor is None:
                await self.accept()
            await self._restart(error)

    async def _open(self) -> None:
        try:
            self._visitor = await in_thread(identify)(self.scope)
        except HandshakeRefused:
            self._visitor = None
        if self._visitor is not None and not is_origin_allowed(self.scope, self._visitor):
            await self.close()
            return
        await self.accept(subprotocol=self._visitor.subprotocol if self._visitor else None)
        if self._visitor is None:
            await self.close(NOT_SIGNED_IN)
            return
        try:
            self._reader = await Reader.open(self._visitor.user_id)
            READERS.labels("websocket").inc()
        except CodedError:
            await self.close(TOO_MANY)
            return
        self._tending = asyncio.create_task(self._tend())

    async def disconnect(self, code: int) -> None:
        """Ends the reader; the run stays."""
        if self._tending is not None:
            self._tending.cancel()
        await self._stop_pump()
        await self._release()

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        """Closes the socket; one that is closed, or that the client has left, stays as it is."""
        if self._closed:
            return
        self._closed = True
        with suppress(OSError):
            await super().close(code, reason)

    async def _release(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            try:
                await reader.close()
            finally:
                READERS.labels("websocket").dec()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if len((text_data or "").encode()) > FRAME_LIMIT or len(bytes_data or b"") > FRAME_LIMIT:
            await self.close(TOO_LARGE)
            return
        req = ""
        try:
            if not await self.scope["in_time"](self._still_known()):
                return
            document = self._document(text_data)
            req = _req_of(document)
            frame = self._frame(document)
            await self.scope["in_time"](self._actions[frame.type](frame.req, frame.data))
        except ClientGone:
            return
        except Exception as error:
            with suppress(ClientGone):
                await self._reject(req, error)

    def _document(self, text: str | None) -> Any:
        try:
            return json_of((text or "").encode())
        except CodedError:
            self._malformed += 1
            raise

    def _frame(self, document: Any) -> Frame:
        """Returns the parsed frame; 40005 for one that is not a known request."""
        try:
            frame = parse(Frame, document)
        except CodedError:
            self._malformed += 1
            raise
        if frame.type not in self._actions:
            self._malformed += 1
            raise bad_request("type", "取值不在允许范围内")
        return frame

    async def _reject(self, req: str, error: Exception) -> None:
        coded = self._log_unexpected(error)
        document = error_document(coded, locale_of_scope(self.scope, self._visitor))
        await self._write({"type": "reject", "req": req, "data": document})
        if self._malformed >= MALFORMED_LIMIT:
            await self.close(MALFORMED)

    async def _ack(self, req: str, data: Json) -> None:
        await self._write({"type": "ack", "req": req, "data": data})

    # --- requests ---------------------------------------------------------------------------------------------------

    async def _chat(self, req: str, data: Json) -> None:
        await self._start(req, {key: value for key, value in data.items() if key != "idempotency_key"}, data)

    async def _resume(self, req: str, data: Json) -> None:
        try:
            await self._start(req, resume_document(data), data)
        except CodedError as error:
            raise resume_refusal(error) from error

    async def _start(self, req: str, document: Json, data: Json) -> None:
        user_id = await self._take("run")
        key = data.get("idempotency_key")
        if key is not None and not isinstance(key, str):
            raise bad_request("idempotency_key", "应为字符串")
        ask = ask_of(document, locale=locale_of_scope(self.scope, self._visitor), route="socket", key=key)
        started = await run_start(user_id=user_id, ask=ask)
        run = started.run
        ids = {"conversation_id": str(run.conversation_id), "run_id": str(run.pk)}
        await self._switch(req, run, 0, {**ids, "from": 0, "replayed": started.replayed})

    async def _cancel(self, req: str, data: Json) -> None:
        user_id = await self._take("write")
        run = await run_cancel(user_id=user_id, run_id=parse(RunBody, data).run_id)
        await self._ack(req, {"run_id": str(run.pk), "run_status": run.status})

    async def _follow(self, req: str, data: Json) -> None:
        user_id = await self._take("read")
        body = parse(FollowBody, data)
        run = await in_thread(run_get)(user_id, body.run_id)
        start = body.from_ or 0
        await self._switch(req, run, start, {"run_id": str(run.pk), "from": start, "run_status": run.status})

    async def _unfollow(self, req: str, data: Json) -> None:
        await self._stop_pump()
        await self._ack(req, {})

    async def _ping(self, req: str, data: Json) -> None:
        await self._ack(req, {})

    async def _take(self, kind: str) -> int:
        """Returns the visitor's id, after a token of the bucket was taken; 40033."""
        assert self._visitor is not None
        wait = await in_thread(self.scope["take"])(kind, f"user:{self._visitor.user_id}")
        if wait:
            raise CodedError(40033, {"retry_after": wait})
        return self._visitor.user_id

    # --- the followed run -------------------------------------------------------------------------------------------

    async def _switch(self, req: str, run: Run, start: int, data: Json) -> None:
        """Follows `run`: frames behind the ack belong to it."""
        await self._stop_pump()
        await self._ack(req, data)
        self._pump = asyncio.create_task(self._send_events(run, start))

    async def _send_events(self, run: Run, start: int) -> None:
        carried = 0
        try:
            async with aclosing(run_follow_batches(run, start=start)) as batches:
                async for batch in batches:
                    for stamped in batch:
                        carried += await self._send(socket_frame(stamped))
                    if carried > CARRY_LIMIT:
                        READER_CUTS.labels("share").inc()
                        await self.close(SLOW)
                        return
        except ClientGone:
            return
        except TimeoutError:
            # Released before closing: the closing frame waits until the client takes what is queued before it.
            READER_CUTS.labels("slow").inc()
            await self._release()
            await self.close(SLOW)
        except Exception as error:
            await self._restart(error)

    async def _stop_pump(self) -> None:
        if self._pump is not None:
            self._pump.cancel()
            with suppress(asyncio.CancelledError):
                await self._pump
            self._pump = None

    async def _write(self, document: Mapping[str, Any]) -> int:
        return await self._send(dumps(document))

    async def _send(self, text: str) -> int:
        """Sends one frame; `TimeoutError` when the client does not take it in time, `ClientGone` when it left or was
        closed."""
        if self._closed:
            raise ClientGone
        try:
            async with asyncio.timeout(settings.AGENT_WRITE_LIMIT_S):
                await self.send(text_data=text)
        except TimeoutError:
            raise
        except OSError as error:  # so servers of ASGI say that nobody is there
            raise ClientGone from error
        return len(text)

    async def _restart(self, error: Exception) -> None:
        """Lets the client come again: the stores went away, or nobody knows what happened."""
        self._log_unexpected(error)
        await self._release()
        await self.close(RESTART)

    def _log_unexpected(self, error: Exception) -> CodedError:
        """Returns the code of an error; one that nobody foresaw is told to the operator."""
        coded: CodedError = self.scope["coded"](error)
        if coded.code == 50000:
            logger.exception("unexpected error on a socket", exc_info=error)
        return coded

    # --- the visitor ------------------------------------------------------------------------------------------------

    async def _tend(self) -> None:
        """Keeps the reader counted, and looks every minute whether the visitor may still be here."""
        beats = 0
        while True:
            await asyncio.sleep(TEND_S)
            beats += 1
            if self._reader is not None:
                await self._reader.renew()
            try:
                if beats % IDENTITY_EVERY == 0 and not await self._still_known():
                    return
            except Exception as error:  # asked again at the next time
                self._log_unexpected(error)

    async def _still_known(self) -> bool:
        """Tells whether the visitor is still known: False, and the socket closed, when the token was revoked or the
        session ended."""
        try:
            found = await in_thread(identify)(self.scope)
        except HandshakeRefused:
            found = None
        if found is None or self._visitor is None or found.user_id != self._visitor.user_id:
            await self.close(NOT_SIGNED_IN)
            return False
        self._visitor = found
        return True


def _req_of(document: Any) -> str:
    """Returns the client's mark of a frame, echoed even when the rest of the frame is not understood."""
    req = document.get("req") if isinstance(document, dict) else None
    return req if isinstance(req, str) and len(req) <= REQ_MAX and is_text(req) else ""
