"""USE CASES of a run: start, follow, cancel, execute, recover. The only thing a transport may call."""

from agent.runs.cancel import conversation_cancel, run_cancel
from agent.runs.conversation import conversation_delete, conversation_rename
from agent.runs.execution.execute import run_execute
from agent.runs.follow import anything_left, run_follow, run_follow_batches, run_page
from agent.runs.recovery.sweep import run_recover
from agent.runs.requests import Ask, InteractionAnswer, Started
from agent.runs.start import run_start

__all__ = [
    "Ask",
    "InteractionAnswer",
    "Started",
    "anything_left",
    "conversation_cancel",
    "conversation_delete",
    "conversation_rename",
    "run_cancel",
    "run_execute",
    "run_follow",
    "run_follow_batches",
    "run_page",
    "run_recover",
    "run_start",
]
