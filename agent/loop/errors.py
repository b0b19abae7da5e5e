"""What can end a run from inside, by the names the outside knows it by."""

from __future__ import annotations

from typing import Final

FAILURES: Final = (
    "llm_unavailable",
    "llm_timeout",
    "llm_rate_limited",
    "llm_bad_request",
    "llm_filtered",
    "llm_truncated",
    "state_save_failed",
    "internal_error",
)
"""Names of codes (`taskclasses.kernel.errors`), which hold the number and the sentence of each."""
RUN_CANCELLED: Final = "run_cancelled"
"""The student stopped a run while it was working."""
USER_CANCELLED: Final = "user_cancelled"
"""The student gave up on the question a run had paused for."""
RUN_DEADLINE: Final = "run_deadline"
"""The time of the run is over, and with it that of whatever would follow."""


class RunFailure(Exception):
    """Tells that the run cannot go on. `code` is one of `FAILURES`; `detail` is for the log only."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code if code in FAILURES else "internal_error"
        self.detail = detail


class RunCancelled(Exception):
    """Tells that the student asked to stop while a model was answering."""


class LeaseLost(Exception):
    """Tells that another worker owns the run now: stop without another word. Raised by the injected `save` and
    `emit`."""


class HandedOver(Exception):
    """Tells that the run was left at a saved step, on request: another worker goes on from there."""


class DraftConflict(Exception):
    """Tells that the stored draft moved since the last load or save. Nothing was written.

    `document` is the stored draft part (`DraftPart.to_document`), `revision` the stored document's revision.
    """

    def __init__(self, document: dict[str, object], revision: int) -> None:
        super().__init__("the stored draft is newer")
        self.document = document
        self.revision = revision


class UnknownVersion(Exception):
    """Tells that a stored document is newer than this code; it is left untouched."""
