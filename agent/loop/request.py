"""What opens a run. PURE."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.loop.interactions import Resume


class Request(BaseModel):
    """What opened the run: a message (a new goal), or an accepted answer to an interaction (`resume`).

    `task_class_ids` not empty replaces the scope; `thinking` "auto" keeps the stage settings; `locale` "" is
    read from the
    message. `lost`, for a recovery: the request of the run that was lost or failed. It is taken up again when that run
    never reached its first save (`state.run.run_id` is not its id, `lost_run_id`). `used_blocks`: the highest block
    number that the lost run has shown, by prefix such as `execute.tool`; the recovery goes on above them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    message: str = ""
    task_class_ids: tuple[int, ...] = ()
    always_execute: bool = False
    thinking: Literal["auto", "true", "false"] = "auto"
    resume: Resume | None = None
    locale: str = ""
    lost: Request | None = None
    lost_run_id: str = ""
    used_blocks: Mapping[str, int] = Field(default_factory=dict)
