"""The view of a model call, read through names. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agent.llm.offline.language.spelling import spelled
from agent.loop.phrases import language_of_message

Json = Mapping[str, Any]
READ_CHARS = 4_000
"""What is read of one message: room for a long list of contents, and a bound on the time spent on it."""


@dataclass(frozen=True)
class Brief:
    """What the offline policy knows. `say(zh, en)` speaks the language of the goal's request."""

    view: Json
    whole: Brief | None = None
    """The brief of the whole goal when this one is about a part of its request."""

    @cached_property
    def turns(self) -> list[str]:
        """What the student said in this goal, oldest first; never empty."""
        said = [self._read(turn.get("text", "")) for turn in self.view.get("turns") or ()]
        return said or [self.request]

    @cached_property
    def request(self) -> str:
        return self._read(self.view.get("request"))

    @cached_property
    def message(self) -> str:
        return self._read(self.view.get("message")) or self.turns[-1]

    def _read(self, said: Any) -> str:
        return spelled(str(said or "")[:READ_CHARS], [str(row["name"]) for row in self.classes])

    @cached_property
    def language(self) -> str:
        if self.whole is not None:
            return self.whole.language
        default = "en" if str(self.view.get("locale")).startswith("en") else "zh"
        return language_of_message(self.turns[0], default)

    @cached_property
    def asked(self) -> list[str]:
        """What was said to the student in this goal."""
        if self.whole is not None:
            return self.whole.asked
        dialogue = self._dialogue
        return [str(turn["text"]) for turn in dialogue[self._begin + 1 :] if turn["role"] == "assistant"]

    @cached_property
    def earlier(self) -> list[Json]:
        """What was said before this goal, oldest first."""
        if self.whole is not None:
            return self.whole.earlier
        said = self._dialogue[: max(0, self._begin)]
        return [{**turn, "text": self._read(turn["text"])} if turn["role"] == "user" else turn for turn in said]

    @property
    def _dialogue(self) -> list[Json]:
        return list(self.view.get("dialogue") or ())

    @cached_property
    def _begin(self) -> int:
        """Where the goal's request stands in the dialogue, -1 when it is not there any more."""
        asked = str(self.view.get("request") or "")
        return max((at for at, turn in enumerate(self._dialogue) if turn["text"] == asked), default=-1)

    def part(self, turns: list[str], results: list[Json]) -> Brief:
        """The same goal with these turns and results alone."""
        said = {"request": turns[0], "message": turns[-1], "turns": [{"text": turn} for turn in turns]}
        view = {**self.view, **said, "last_results": results}
        return Brief(view, self.whole or self)

    def say(self, zh: str, en: str, **values: Any) -> str:
        sentence = en if self.language == "en" else zh
        return sentence.format(**values) if values else sentence

    @property
    def now(self) -> Json:
        return self.view.get("now") or {}

    @property
    def semester(self) -> Json:
        return self.view.get("semester") or {}

    @property
    def classes(self) -> list[Json]:
        return list(self.view.get("classes") or ())

    @property
    def scope(self) -> list[int]:
        return list(self.view.get("scope") or ())

    def class_of(self, class_id: int | None) -> Json | None:
        return next((row for row in self.classes if row["id"] == class_id), None)

    def names_of(self, class_ids: list[int]) -> str:
        names = [str(row["name"]) for row in self.classes if row["id"] in class_ids]
        return "、".join(f"「{name}」" for name in names) if self.language == "zh" else ", ".join(names)

    @property
    def draft(self) -> Json | None:
        return self.view.get("draft")

    @property
    def tasks(self) -> list[Json]:
        return list((self.draft or {}).get("tasks") or ())

    def task(self, state_id: int | None) -> Json | None:
        return next((row for row in self.tasks if row["state_id"] == state_id), None)

    @property
    def verdict(self) -> Json | None:
        """The diagnosis of the draft as it is now, None when there is none or it is stale."""
        verdict = self.view.get("verdict")
        return verdict if verdict and not verdict.get("stale") else None

    @property
    def tools(self) -> list[str]:
        return list(self.view.get("tools") or ())

    @property
    def results(self) -> list[Json]:
        return list(self.view.get("last_results") or ())

    @property
    def interaction(self) -> Json | None:
        return self.view.get("interaction")

    @property
    def rough_build(self) -> Json | None:
        return self.view.get("rough_build")

    @property
    def steps_left(self) -> int:
        """Plan steps after the current one."""
        plan = self.view.get("plan") or {}
        return max(0, len(plan.get("steps") or ()) - 1 - int(plan.get("current") or 0))

    @property
    def proofs(self) -> list[Json]:
        """Successful receipts of the current step: without one the loop accepts no end of it."""
        current = int((self.view.get("plan") or {}).get("current") or 0)
        receipts = self.view.get("receipts") or ()
        return [row for row in receipts if row["step_index"] == current and row["success"]]

    @property
    def correction(self) -> Json | None:
        return self.view.get("correction")

    def noted(self, code: str) -> bool:
        return code in (self.view.get("notes") or ())
