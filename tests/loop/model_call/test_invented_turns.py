"""A model that goes on with the student's turn is heard up to there."""

from __future__ import annotations

import pytest

from agent.loop.model_call.invented_turns import drop_invented_turns
from agent.loop.outside.model import Finish, Text
from tests.kits.loop.chat import DONE, call, execute, route
from tests.kits.loop.goals import built
from tests.kits.loop.streams import check_stream

LATER = "\n学生：好的，可以。\n助手：那我挪了。"


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("要挪到晚上吗？" + LATER, "要挪到晚上吗？"),
        ("Shall I move it?\n\n**User:** yes\nAssistant: done", "Shall I move it?"),
        ("好。\n### Human: 谢谢", "好。"),
        ("用户：一号", "用户：一号"),
        ("学生会：周三。\n学生会在周三开会。", "学生会：周三。\n学生会在周三开会。"),
    ],
)
def test_what_follows_in_the_students_name_is_left_out(said: str, own: str) -> None:
    assert drop_invented_turns(said) == own


async def test_a_question_that_answers_itself_is_still_asked() -> None:
    chat = await built()
    chat.plays(route("execute"), execute("ask_user", speak="要挪到晚上吗？" + LATER))
    end = await chat.says("把最后一次挪一下")
    assert end.interaction is not None
    assert (end.outcome, end.interaction.question) == ("paused", "要挪到晚上吗？")
    assert [event.full_content for event in chat.of("text.ended") if not event.superseded] == ["要挪到晚上吗？"]


@pytest.mark.parametrize("size", [1, 3, 200])
async def test_an_answer_in_plain_text_ends_where_the_student_is_made_to_speak(size: int) -> None:
    said = "先做难的。\n再做容易的。" + LATER
    pieces = [Text(said[at : at + size]) for at in range(0, len(said), size)]
    chat = await built()
    chat.plays(route("deep_answer"), [*pieces, Finish("stop")])
    await chat.says("先做哪个好？")
    check_stream(chat.events)
    assert chat.of("text.ended")[-1].full_content.strip() == "先做难的。\n再做容易的。"


async def test_a_tool_that_is_called_again_although_its_pack_is_closed_is_opened() -> None:
    chat = await built()
    item = next(iter(chat.schedule.items()))
    hidden = call("get_task_info", {"task_id": item.state_id})
    chat.plays(
        route("execute", context_hook={"domain": "schedule", "packs": ["analyze"]}), hidden, hidden, DONE, "好。"
    )
    end = await chat.says("看看第一章")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert [event.status for event in chat.of("tool.finished")] == ["done"]
    assert "detail_read" in chat.world.state().tools.active["schedule"]
