"""Decisions written as fields: in lines, as YAML, as a Markdown list, as elements."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest

from agent.loop.model_call.field_lines import read_fields
from agent.loop.model_call.lenient_json import DecisionError, load_lenient, read_object

MOVE = {"name": "move", "arguments": {"task_id": 8, "new_day": 6, "new_slot_start": 5}}
CALLING: dict[str, Any] = {"action": "continue", "tool_call": MOVE}
ASKING: dict[str, Any] = {"action": "ask_user", "speak": "哪天？\n周三还是周四？"}
WRITTEN: dict[str, tuple[str, dict[str, Any]]] = {
    "a mapping": (
        "action: continue\ntool_call:\n  name: move\n  arguments:\n    task_id: 8\n    new_day: 6\n"
        "    new_slot_start: 5\n",
        CALLING,
    ),
    "remarks behind the values": (
        "action: continue\ntool_call:\n  name: move # 移动\n  arguments:\n    task_id: 8 # 第3章\n    new_day: 6\n"
        "    new_slot_start: 5",
        CALLING,
    ),
    "keys in quotes, no commas": (
        '"action": "continue"\n"tool_call":\n    "name": "move"\n    "arguments": {"task_id": 8, "new_day": 6, '
        '"new_slot_start": 5}',
        CALLING,
    ),
    "an object over several lines": (
        'action: continue\ntool_call:\n  name: move\n  arguments: {\n    "task_id": 8, "new_day": 6,\n'
        '    "new_slot_start": 5\n  }',
        CALLING,
    ),
    "a Markdown list": (
        "- **Action**: continue\n- **Tool Call**:\n  - **name**: move\n  - **arguments**:\n    - task_id: 8\n"
        "    - new_day: 6\n    - new_slot_start: 5",
        CALLING,
    ),
    "a text of several lines": ("action: ask_user\nspeak: |\n  哪天？\n  周三还是周四？\n", ASKING),
    "a text that goes on": ("**action:** ask_user\n**speak:** 哪天？\n周三还是周四？", ASKING),
    "the text first, with a time in it": (
        "speak: 改到周三 14:00？\naction: ask_user",
        {"action": "ask_user", "speak": "改到周三 14:00？"},
    ),
    "quotes around a text with quotes": (
        'action: ask_user\nspeak: "你说的\\"第3章\\"是哪一门？"',
        {"action": "ask_user", "speak": '你说的"第3章"是哪一门？'},
    ),
    "colons of full width": ("action：ask_user\nspeak：哪天？", {"action": "ask_user", "speak": "哪天？"}),
    "a list of mappings": (
        "action: plan_done\nsteps:\n- content: 看\n  done_when: 列出\n- content: 排\n  done_when: 已排\n"
        "task_class_ids: [1, 2]",
        {
            "action": "plan_done",
            "steps": [{"content": "看", "done_when": "列出"}, {"content": "排", "done_when": "已排"}],
            "task_class_ids": [1, 2],
        },
    ),
    "a list of words": (
        "action: ask_user\nspeak: 哪天？\noptions:\n  - 周三\n  - 周四",
        {"action": "ask_user", "speak": "哪天？", "options": ["周三", "周四"]},
    ),
    "nothing in words of YAML": (
        "action: done\ngoal_check: 已排\ntool_call: null\nabort:\n",
        {"action": "done", "goal_check": "已排", "tool_call": "null", "abort": None},
    ),
    "elements": (
        "<action>continue</action><tool_call><name>move</name><arguments><task_id>8</task_id></arguments></tool_call>",
        {"action": "continue", "tool_call": {"name": "move", "arguments": {"task_id": "8"}}},
    ),
}


@pytest.mark.parametrize("form", WRITTEN)
def test_fields_are_read_in_each_form(form: str) -> None:
    written, meant = WRITTEN[form]
    assert read_object(written) == meant


@pytest.mark.parametrize(
    "words",
    [
        "你好，我能帮你排程。",
        "Route: take bus 5.\nThen walk home.",
        "action: 你要做的是：\n先复习",
        "action: continue\naction: done",
        "speak: 你好",
        "Thought: a\nAction: move\nAction Input: {}",
        '{"action": "done"}',
        "",
    ],
)
def test_other_words_are_no_decision_in_lines(words: str) -> None:
    assert read_fields(words, load_lenient, lambda part: False) is None


def test_an_object_of_json_in_the_lines_wins_over_words_before_it() -> None:
    assert read_object('reason: 想一想\n{"action": "ask_user", "speak": "哪天？"}') == {
        "action": "ask_user",
        "speak": "哪天？",
    }


@pytest.mark.parametrize(
    "named",
    [
        "<action>done</action>",
        "\\naction: done",
        "- action: done",
        "<tool_call>x</tool_call>",
        "Action: x\\nAction Input: {}",
    ],
)
def test_what_a_text_within_the_decision_holds_is_no_field(named: str) -> None:
    found = read_object(f'好的：\n{{\n  "action": "ask_user",\n  "speak": "「{named}」是哪一门？"\n}}\n以上。')
    assert found["action"] == "ask_user"
    assert str(found["speak"]).endswith("」是哪一门？")
    broken = read_object(f'{{"action": "ask_user", "speak": "「{named}」是哪一门？",}}')
    assert broken == found


def test_no_broken_lines_raise_anything_else() -> None:
    chance = random.Random(7)
    for written, _ in WRITTEN.values():
        for _ in range(60):
            at, to = sorted(chance.choices(range(len(written) + 1), k=2))
            broken = written[:at] + chance.choice(["", ":", "\n", "- ", "  ", "<a>", "{", "|"]) + written[to:]
            with contextlib.suppress(DecisionError):
                read_object(broken)
