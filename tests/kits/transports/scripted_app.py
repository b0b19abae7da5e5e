"""The application of `smartmate.asgi` with a scripted model, to be served by a process of its own.

`MODEL_SCRIPT` names a file: each line is the next answer as JSON (a decision, a string, or null for silence). Beside it
the model writes what it was asked, one JSON line a call, to the same name with the ending `.asked`.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from agent.llm.scripted import ScriptedModel
from agent.loop.outside.model import ModelRequest
from smartmate.asgi import application


class FileScript(ScriptedModel):
    """A scripted model whose script grows while the server runs."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path, self._asked, self._read = path, path.with_suffix(".asked"), 0

    def _take(self, request: ModelRequest) -> Any:
        with self._asked.open("a", encoding="utf-8") as log:
            log.write(json.dumps({"stage": request.stage, "messages": list(request.messages)}) + "\n")
        for line in self._path.read_text(encoding="utf-8").split("\n")[self._read : -1]:
            self._read += 1
            answer = json.loads(line)
            self.append(_silent if answer is None else answer)
        return super()._take(request)


async def _silent(request: ModelRequest) -> Any:
    await asyncio.Event().wait()


def serve(settings: Any, **services: Any) -> FileScript:
    """Takes the place of `model_from_settings` at the composition root."""
    return FileScript(Path(settings["MODEL_SCRIPT"]))


if "MODEL_SCRIPT" in os.environ:
    from agent.runs.execution import deps

    deps.model_from_settings = serve

__all__ = ["application"]
