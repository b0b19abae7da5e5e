"""Says to operators how a run ended."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from agent.models import Run

OUTCOMES: Mapping[str, str | Promise] = {
    "completed": _("完成"),
    "paused": _("停下来提问"),
    "aborted": _("没有做成"),
    "exhausted": _("用尽了额度"),
    "interrupted": _("中断"),
    "failed": _("失败"),
}
CODES: Mapping[str, str | Promise] = {
    "run_cancelled": _("学生停止了运行"),
    "user_cancelled": _("学生放弃了请求"),
    "run_deadline": _("超过了总时限"),
    "round_exhausted": _("轮数用完"),
    "no_progress": _("连续几轮没有进展"),
    "correction_exhausted": _("模型的回答多次无法使用"),
    "rough_build_window_missing": _("任务没有日期范围"),
    "rough_build_pending_remaining": _("有任务排不下"),
}
"""The codes of ours; a model may give up with one of its own, which is shown as it is."""


def outcome_in_words(run: Run) -> str:
    """Returns the outcome of a run with its reason; "-" while it goes on."""
    if not run.outcome:
        return "-"
    outcome = str(OUTCOMES.get(run.outcome, run.outcome))
    return f"{outcome} ({CODES.get(run.outcome_code, run.outcome_code)})" if run.outcome_code else outcome


def duration_in_words(run: Run) -> str:
    """Tells the time from the request to its end; "-" while it goes on."""
    if run.finished_at is None:
        return "-"
    seconds = (run.finished_at - run.created_at).total_seconds()
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds // 60)} min {int(seconds % 60)} s"
