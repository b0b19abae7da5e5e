"""Which tests go to a worker together: those of a file, which share what is made once, or each alone."""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadFileScheduling

APART = frozenset({"tests/conversations/test_corpus.py"})
"""Files whose tests share nothing and last long: in one worker they would be waited for alone. They come last."""


class Scheduling(LoadFileScheduling):
    """Hands out whole files, and the tests of some files one by one."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return nodeid if file in APART else file


def schedule_files(config: Any, log: Any) -> Scheduling | None:
    """Answers the scheduling of a run that hands out files, None for any other."""
    return Scheduling(config, log) if config.getoption("dist") == "loadfile" else None
