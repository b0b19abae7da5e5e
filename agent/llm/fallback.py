"""Models that stand in for one another: when the first is down, the next one takes the goal over where it stands."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from agent.loop.outside.model import Delta, Model, ModelError, ModelRequest, Switched

DOWN = frozenset({"llm_unavailable", "llm_timeout", "llm_rate_limited", "llm_truncated"})
"""Failures that another endpoint may not have."""
REST_S = 60.0
"""How long a model that failed is not asked again."""


class FallbackModel:
    """Asks the first model that is not known to be down; `Switched` comes before the answer of any but the first, and
    means that what was heard before it counts no more."""

    def __init__(
        self, models: Sequence[Model], *, rest_s: float = REST_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        assert models, "there is a first model"
        self._models = tuple(models)
        self._rest_s, self._clock = rest_s, clock
        self._down_until = [0.0] * len(self._models)

    @property
    def name(self) -> str:
        return self._models[0].name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        last = len(self._models) - 1
        for place, model in enumerate(self._models):
            if place < last and self._clock() < self._down_until[place]:
                continue
            if place:
                yield Switched(model.name, offline=model.name == "offline")
            try:
                async with aclosing(model.stream(request)) as answer:
                    async for delta in answer:
                        yield delta
                return
            except ModelError as error:
                if error.code not in DOWN or place == last:
                    raise
                if error.code != "llm_truncated":
                    self._down_until[place] = self._clock() + self._rest_s
