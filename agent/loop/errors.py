"""What can end a run from inside, and the numbers the outside knows it by."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FAILURES: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "llm_unavailable": (50001, "暂时联系不上模型，请稍后再试"),
        "llm_timeout": (50002, "模型响应超时，请稍后再试"),
        "llm_rate_limited": (50003, "模型请求过于频繁，请稍后再试"),
        "llm_bad_request": (50005, "模型没有接受这次请求"),
        "llm_filtered": (50006, "模型拒绝回答这部分内容"),
        "llm_truncated": (50007, "模型的回答不完整，请再试一次"),
        "state_save_failed": (50008, "进度没有保存成功，请稍后再试"),
        "internal_error": (50000, "服务器内部错误"),
    }
)
"""Failure code -> (number on the wire, sentence for the student)."""


class RunFailed(Exception):
    """The run cannot go on. `code` is a key of `FAILURES`; `detail` is for the log only."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code if code in FAILURES else "internal_error"
        self.detail = detail


class RunCancelled(Exception):
    """The student asked to stop while a model was answering."""


class LeaseLost(Exception):
    """Another worker owns the run now: stop without another word. Raised by the injected `save` and `emit`."""


class DraftConflict(Exception):
    """The stored draft moved since the last load or save. Nothing was written.

    `document` is the stored draft part (`DraftPart.to_document`), `revision` the stored document's revision.
    """

    def __init__(self, document: dict[str, object], revision: int) -> None:
        super().__init__("the stored draft is newer")
        self.document = document
        self.revision = revision


class UnknownVersion(Exception):
    """A stored document is newer than this code; it is left untouched."""
