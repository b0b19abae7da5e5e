"""Classes and items may have any name: brackets, plus signs and other signs of patterns are read as they stand."""

from __future__ import annotations

import pytest

from tests.kits.offline.views import BASE, chat, execute, task, task_class

NAMES = ["C++ (OOP)", "a*b [x", r"\d+ (?P<x>", "$100^2", "x{1,2}|y", "第一章 (一)", "(1)", "...", "+", "Estimation (1)"]
SAID = [
    "move {name} to friday", "when is {name}?", "take the last one of {name} out", "put the last {name} item on monday",
    "I finished {name}", "rename {name} to B", "split {name} into two parts, it's too long", "no evenings for {name}",
    "把{name}挪到周五", "{name}什么时候", "{name}最后一个挪到周六", "{name}学完了", "{name}改名叫乙",
    "把{name}拆成两次",
    "{name}不要晚上", "what is on tomorrow", "明天有什么",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("said", SAID)
def test_a_message_is_answered_whatever_signs_a_name_has(name, said):
    draft = {**BASE["draft"], "tasks": [task(7, name, 1, day=2), task(12, "第1章 行列式", 1, class_id=6, day=5)]}
    row = {"id": 107, "content": name, "order": 1}
    classes = [task_class(5, name, items=[row]), task_class(6, "线性代数")]
    message = said.format(name=name)
    for decide in (chat, execute):
        decision = decide(message, classes=classes, draft=draft)
        assert {"route", "action"} & decision.keys()
