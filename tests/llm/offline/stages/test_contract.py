"""Whatever the view: the same bytes twice, and always a decision the loop accepts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm.offline.backend import CHUNK, OfflineModel, answer
from agent.loop.model_call.decisions import ChatDecision, ExecuteDecision, PlanDecision
from agent.loop.outside.model import Finish, ModelRequest
from agent.tools.default import default_registry
from tests.kits.budgets import tried
from tests.kits.offline.sentences import INTENTS
from tests.kits.offline.views import ALL_TOOLS, view

PACKS = default_registry().packs()
SENTENCES = [text for texts in INTENTS.values() for text in texts]
PIECES = [
    "新建任务类", "「英语」", "3月16日到4月12日", "共12节", "周日不排", "内容：听力、阅读", "排好", "移到", "第2章",
    "[8]", "周三下午", "为什么", "5-6节", "全部", "move", "chapter 2", "to Wednesday", "create a task class",
    "items: a, b", "{}", '"', "\\", "\n", "😀", "第99周", "13月45日",
]  # fmt: skip
MESSAGES = st.one_of(
    st.sampled_from(SENTENCES), st.lists(st.sampled_from(PIECES), max_size=6).map("，".join), st.text(max_size=40)
)
READERS = {
    "chat": lambda found: ChatDecision.read(found, PACKS),
    "plan": lambda found: PlanDecision.read(found, PACKS),
    "execute": ExecuteDecision.read,
}


@tried(250)
@given(
    st.sampled_from(sorted(READERS)),
    MESSAGES,
    st.lists(MESSAGES, max_size=2),
    st.booleans(),
    st.sampled_from([[], ["context_tools_add"], ALL_TOOLS]),
)
def test_every_decision_keeps_the_contract(stage, message, replies, with_draft, tools):
    made = view(message, *replies, stage=stage, tools=tools, **({} if with_draft else {"draft": None, "classes": []}))
    assert READERS[stage](json.loads(answer(made))) is not None


@given(st.sampled_from(["deep_answer", "deliver", "compact"]), MESSAGES)
def test_every_text_says_something(stage, message):
    assert answer(view(message, stage=stage)).strip()


@given(st.sampled_from(["chat", "plan", "execute", "deliver"]), MESSAGES)
def test_the_same_view_gives_the_same_bytes(stage, message):
    made = view(message, stage=stage)
    assert answer(made).encode() == answer(json.loads(json.dumps(made))).encode()


@pytest.mark.parametrize("language", [("帮我查资料", "现在没有配置大模型"), ("find me a book", "No language model")])
def test_it_answers_in_the_language_it_is_spoken_to(language):
    message, begins = language
    assert json.loads(answer(view(message, locale="zh")))["speak"].startswith(begins)


async def test_it_streams_chunks_of_twelve_characters():
    made = view("你好")
    deltas = [delta async for delta in OfflineModel().stream(ModelRequest("chat", [], made))]
    assert "".join(delta.text for delta in deltas[:-1]) == answer(made)
    assert {len(delta.text) for delta in deltas[:-2]} == {CHUNK}
    assert deltas[-1] == Finish()


@pytest.mark.parametrize(("gap", "one"), [(" " * 1500, " "), ("\n" * 1500, "\n"), (" \n" * 700, "\n")])
def test_runs_of_space_say_nothing(gap, one):
    """A pattern with two of them beside each other would take their length squared, and the process with it."""
    for message in ("把第2章移到{}周五下午", "新建两个任务类：甲{}乙", "move chapter 2{}to friday"):
        assert answer(view(message.format(gap), stage="chat")) == answer(view(message.format(one), stage="chat"))
