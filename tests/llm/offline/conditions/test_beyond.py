"""What nothing here can do is told as such, and the plan stays as it is."""

from __future__ import annotations

import pytest

from agent.llm.offline.goals.unsettled.beyond import tell_beyond
from agent.llm.offline.language.brief import Brief
from tests.conversations.world import chat_of
from tests.kits.offline.views import view

BEYOND = {
    "zh": (
        "请给高数老师发一封请假邮件。", "帮我打印一下课表", "帮我订个自习室", "六级啥时候报名啊,帮我上网查下",
        "给我放首歌",
    ),
    "en": (
        "text my roommate that i'm studying on sunday", "Send my plan to the printer in the library.",
        "Book the laboratory room for Friday.", "google when the exam is", "play some music",
        "can you email my professor that I am ill",
    ),
}  # fmt: skip
WITHIN = {
    "zh": ("把第2章移到周三", "第2章为什么排在那里", "第2章是什么时候", "新建任务类「打印课件」，内容：甲、乙"),
    "en": (
        "move chapter 2 to Friday",
        "why is chapter 2 there",
        "call the class Statistics",
        "add 'print the slides' to it",
    ),
}


@pytest.mark.parametrize(("language", "words"), [(key, one) for key, rows in BEYOND.items() for one in rows])
def test_what_nobody_here_does_is_told(language, words):
    told, alone = tell_beyond(Brief(view(words, stage="chat", locale=language)))
    assert told
    assert alone


@pytest.mark.parametrize(("language", "words"), [(key, one) for key, rows in WITHIN.items() for one in rows])
def test_a_request_about_the_plan_is_none_of_it(language, words):
    assert tell_beyond(Brief(view(words, stage="chat", locale=language))) == ("", False)


@pytest.mark.parametrize(
    ("language", "words", "told"),
    [
        ("zh", "大数定律到底讲的啥,给我讲讲呗", "我只管计划，不讲内容"),
        ("en", "can you explain what eigenvalues even are?", "I do not teach the contents"),
    ],
)
async def test_contents_are_not_taught(language, words, told):
    chat = await chat_of(language)
    await chat.says(words)
    assert told in chat.of("text.ended")[-1].full_content
    assert chat.end.outcome != "paused"


async def test_the_rest_of_the_message_is_done():
    chat = await chat_of("en")
    await chat.says("move matrices to friday and text my roommate")
    assert "I cannot send e-mail" in chat.of("text.ended")[-1].full_content
    assert chat.of("confirm.requested")
