"""The two sides of a swap by their whole mentions: a name may have the word that joins two, as 特征值与特征向量 has."""

from __future__ import annotations

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.items.mention_signs import fold_mentions, sign_mentions
from agent.loop.view_document import TaskView

_SIDES = 2


def find_pair(turn: str, brief: Brief) -> list[list[TaskView]]:
    """The items of the only two mentions of a turn, each of them of one item; empty for others."""
    text, said = sign_mentions(fold_mentions(turn), brief)
    told = [said[char][2] for char in text if char in said and said[char][1] == "item"]
    sides = [rows for at, rows in enumerate(told) if not at or rows != told[at - 1]]  # 第一章随机事件 is one
    sure = len(sides) == _SIDES and all(len(rows) == 1 for rows in sides) and sides[0] != sides[1]
    return sides if sure else []
