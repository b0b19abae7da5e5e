"""A model whose calls are counted by stage and outcome."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from agent.loop.outside.model import Delta, Model, ModelError, ModelRequest
from taskclasses.kernel.telemetry.metrics import LLM_CALLS


class CountedModel:
    """Counts the calls of a model: `ok` for a call heard to its end, `left` for one that the loop broke off, else the
    code of the failure."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        outcome = "left"
        try:
            async with aclosing(self._model.stream(request)) as answer:
                async for delta in answer:
                    yield delta
            outcome = "ok"
        except ModelError as error:
            outcome = error.code
            raise
        except Exception:
            outcome = "error"
            raise
        finally:
            LLM_CALLS.labels(request.stage, outcome).inc()
