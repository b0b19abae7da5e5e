"""What calls have taught about a model behind an endpoint: parameters it refuses, its window, how it thinks.

Kept per endpoint and model, in the process and in a store that processes share, for a limited time: servers change.
A refusal that names no parameter makes all that went suspicious. Later calls put half of the suspects back at a time:
each answer clears that half, each refusal lays the blame in it.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

log = logging.getLogger("agent.llm")
KEPT_S = 24 * 3600.0
READ_AGAIN_S = 60.0
"""How old a process lets its copy of what the others learned become."""


class FactStore(Protocol):
    """Keeps small documents that expire in a shared place. It may fail: then a process knows what it learned itself."""

    async def read(self, key: str) -> dict[str, Any] | None: ...
    async def write(self, key: str, document: Mapping[str, Any], seconds: float) -> None: ...


@dataclass(frozen=True)
class Learned:
    """Holds what calls have taught: `refused` parameters are left out; so are `suspects`, one of which was refused.
    `context` is the window in tokens, 0 unknown. `thinks`: it reasons although nobody asked. `protocol` is what a check
    found to work best."""

    refused: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    context: int = 0
    thinks: bool = False
    protocol: str = ""

    def refuse(self, name: str) -> Learned:
        """Returns the same with one more parameter known to be refused."""
        left = tuple(one for one in self.suspects if one != name)
        return replace(self, refused=tuple(dict.fromkeys((*self.refused, name))), suspects=left)

    def trial(self) -> tuple[str, ...]:
        """Returns the suspects that the next call puts back."""
        return self.suspects[: (len(self.suspects) + 1) // 2]

    def clear(self, names: Sequence[str]) -> Learned:
        return replace(self, suspects=tuple(name for name in self.suspects if name not in names))

    def blame(self, names: Sequence[str]) -> Learned:
        """Notes that a call that put these back was refused: the one to blame is among them."""
        return self.refuse(names[0]).clear(self.suspects) if len(names) == 1 else replace(self, suspects=tuple(names))


NOTHING = Learned()


@dataclass
class _Entry:
    learned: Learned
    learned_at: float
    read_at: float


@dataclass
class Knowledge:
    """Keeps what is known of each model; keys name endpoint and model."""

    store: FactStore | None = None
    kept_s: float = KEPT_S
    clock: Any = time.time
    _known: dict[str, _Entry] = field(default_factory=dict)

    async def of(self, key: str) -> Learned:
        entry, now = self._known.get(key), self.clock()
        if entry is None or now - entry.read_at > READ_AGAIN_S:
            shared = await self._read(key)
            if shared is not None:
                entry = self._known[key] = _Entry(*shared, read_at=now)
            elif entry is not None:
                entry.read_at = now
        if entry is not None and now - entry.learned_at > self.kept_s:
            del self._known[key]
            return NOTHING
        return entry.learned if entry is not None else NOTHING

    async def put(self, key: str, learned: Learned) -> None:
        now = self.clock()
        self._known[key] = _Entry(learned, now, now)
        if self.store is None:
            return
        try:
            await self.store.write(key, {**asdict(learned), "learned_at": now}, self.kept_s)
        except Exception as error:
            log.warning("what a model taught is not shared: %s", type(error).__name__)

    async def _read(self, key: str) -> tuple[Learned, float] | None:
        if self.store is None:
            return None
        try:
            found = await self.store.read(key)
        except Exception as error:
            log.warning("what models taught cannot be read: %s", type(error).__name__)
            return None
        return None if found is None else (_learned_of(found), float(found.get("learned_at", 0.0)))


def _learned_of(document: Mapping[str, Any]) -> Learned:
    return Learned(
        refused=tuple(document.get("refused") or ()),
        suspects=tuple(document.get("suspects") or ()),
        context=int(document.get("context") or 0),
        thinks=bool(document.get("thinks")),
        protocol=str(document.get("protocol") or ""),
    )


def key_of(base_url: str, model: str) -> str:
    """Names an endpoint and a model without telling the address."""
    return hashlib.sha256(f"{base_url.rstrip('/')}\n{model}".encode()).hexdigest()[:32]
