"""The entry of a tool in the registry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from agent.calls.kinds import Kind
from agent.calls.tool import ToolTraits
from agent.calls.values import ToolOutcome
from agent.tools.argument_schema import Args

Run = Callable[..., ToolOutcome | Awaitable[ToolOutcome]]
"""(draft, args, ctx): each tool names its own schema of arguments."""


@dataclass(frozen=True, kw_only=True)
class Tool(ToolTraits):
    """Holds one entry of the registry. `run`, `observe` and `view` are one thing seen from three sides: the deed, the
    text the model reads, the card the student reads; the last two are made from the data of the first. `failure_view`
    adds what only this tool knows to the common card of a failure; `kind_of` tells the kind of a call that is another
    than the tool's."""

    label: str
    purpose: str
    args: type[Args]
    run: Run
    observe: Callable[[ToolOutcome], str]
    view: Callable[..., Any]
    view_type: str
    failure_view: Callable[..., Any] | None = None
    kind_of: Callable[[Any], Kind] | None = None
    aliases: tuple[str, ...] = ()
    needs_draft: bool = True
    returns: str = ""
    sample: str = ""
