"""The name of a tool as models write it, brought to the registry's own spelling."""

from __future__ import annotations

import re

_TAIL = re.compile(r"(?:\(\s*\)|:\d+)$")
_SPACE = re.compile(r"^.*(?:[./]|::|__)(?=\w)")


def plain_name(name: str) -> str:
    """Returns the plain name of a tool: `functions.getTaskInfo:0`, `tools/get-task-info` and
    `mcp__smartmate__get_task_info()` are `get_task_info`."""
    name = _SPACE.sub("", _TAIL.sub("", name.strip().strip("\"'`*")))
    if not name.isupper():
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\s-]+", "_", name).lower()
