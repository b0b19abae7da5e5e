"""改回去, undo: the item that was moved last goes back to where it was, as far as our own words tell where that is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dates import Term
from agent.llm.offline.language.slots import Target, target_in
from agent.llm.offline.language.texts import DONE_SO_FAR, SAVE
from agent.loop.view_document import TaskView

_BACK = re.compile(
    r"[改换移挪调放]回(?:去|来|原)|恢复(?:原|之前|刚才|到)|还原|撤[销回](?!.*(?:任务类|应用|写入))|回到(?:原来|之前|刚才)的?(?:位置|时间|地方)"
    r"|\bundo\b|\brevert\b|\b(?:move|put|change|switch|take) (?:it|that|them) back\b|\bback to where\b"
)
_LINE = re.compile(r"^\[(\d+)\]\s*(.+)$", re.MULTILINE)
_BUILT = re.compile(r"^已排 \d|^已重新安排|^\d+ items placed|^Planned again")


@dataclass(frozen=True)
class Undone:
    """An item and where it was before the last change; no place at all when `target` is None."""

    item: TaskView
    target: Target | None


def says_back(text: str) -> bool:
    """Whether a folded message wants a change taken back."""
    return _BACK.search(text) is not None


def last_change(brief: Brief) -> str:
    """What was told at the end of the last goal that changed the draft; empty when there was none."""
    for turn in reversed(brief.earlier):
        told = str(turn["text"])
        if turn["role"] == "assistant" and (told.endswith(SAVE) or told.startswith(DONE_SO_FAR)):
            return told
    return ""


def undone(brief: Brief) -> Undone | None:
    """What would take the last change back, when that was one item moved, placed or taken out."""
    told = last_change(brief)
    lines = _LINE.findall(told)
    item = brief.task(int(lines[0][0])) if len(lines) == 1 and not _BUILT.search(told) else None
    if item is None:
        return None
    where = lines[0][1].removeprefix(str(item["name"]))
    before, moved, _ = where.partition(" → ")
    return Undone(item, target_in(before, Term.of(brief.view)) if moved else None)
