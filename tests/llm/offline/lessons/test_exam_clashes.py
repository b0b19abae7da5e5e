"""What an exam lies over, or what stands after its end, finds another time when the student asks for it."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of

SAID = [
    "把撞上考试的重新安排一下",
    "撞上考试的任务换个时间",
    "考试占了的任务挪到别的时间",
    "move whatever clashes with the exam",
    "reschedule what clashes with the exam",
    "please replan everything that conflicts with my exam",
    "把排在截止之后的重新安排一下",
    "排在截止日期之后的挪到前面",
    "reschedule what is after its end date",
    "move everything that stands past its deadline",
    "把和任务对不上的重新安排一下",
    "reschedule what no longer fits its task",
]


@pytest.mark.parametrize("said", SAID)
async def test_what_clashes_is_lined_up_anew_in_every_class(said: str) -> None:
    chat = await chat_of("en" if said.isascii() else "zh")
    await chat.says(said)
    (called,) = chat.of("tool.started")
    assert called.name == "replan"
    (done,) = chat.of("tool.finished")
    assert done.argument_view["expanded"]["args"] == {"kind": "mend"}
    assert chat.world.state().conversation.scope == [5, 6, 7, 8]


@pytest.mark.parametrize("said", ["有没有撞上考试的？", "does anything clash with the exam?"])
async def test_whether_something_clashes_is_only_asked(said: str) -> None:
    chat = await chat_of("en" if said.isascii() else "zh")
    await chat.says(said)
    assert [one.name for one in chat.of("tool.started") if one.name == "replan"] == []
