"""The scripted model plays answers in order and says plainly when the script does not fit the run."""

from __future__ import annotations

import json

import pytest

from agent.llm.scripted import ScriptedModel, ScriptEntry, ScriptError
from agent.loop.outside.model import Finish, ModelError, ModelRequest, Reasoning, Text


def ask(stage="chat"):
    return ModelRequest(stage=stage, messages=[{"role": "user", "content": "hi"}])


async def read(model, request=None):
    return [delta async for delta in model.stream(request or ask())]


def text_of(deltas):
    return "".join(delta.text for delta in deltas if isinstance(delta, Text))


async def test_it_streams_a_text_in_chunks_of_twelve_characters_and_finishes():
    deltas = await read(ScriptedModel(["a" * 30]))
    assert [len(delta.text) for delta in deltas[:-1]] == [12, 12, 6]
    assert deltas[-1] == Finish("stop")


async def test_it_writes_a_decision_as_json():
    decision = {"route": "direct_reply", "speak": "你好"}
    assert json.loads(text_of(await read(ScriptedModel([decision])))) == decision


async def test_it_plays_deltas_as_they_are():
    deltas = [Reasoning("hm"), Text("ok"), Finish("length")]
    assert await read(ScriptedModel([deltas])) == deltas


async def test_it_raises_an_exception_of_the_script():
    with pytest.raises(ModelError) as caught:
        await read(ScriptedModel([ModelError("llm_timeout")]))
    assert caught.value.code == "llm_timeout"


async def test_it_calls_a_callable_with_the_request():
    model = ScriptedModel([lambda request: request.stage])
    assert text_of(await read(model, ask("deliver"))) == "deliver"


async def test_it_awaits_an_asynchronous_callable():
    async def answer(request):
        return {"stage": request.stage}

    assert text_of(await read(ScriptedModel([answer]))) == '{"stage": "chat"}'


async def test_it_records_every_request():
    model = ScriptedModel(["a", "b"])
    await read(model, ask("chat"))
    await read(model, ask("execute"))
    assert [request.stage for request in model.requests] == ["chat", "execute"]
    assert model.left == 0


async def test_it_refuses_one_call_too_many():
    model = ScriptedModel(["a"])
    await read(model)
    with pytest.raises(ScriptError) as caught:
        await read(model)
    assert caught.value.code == "script_exhausted"


async def test_it_refuses_an_answer_meant_for_another_stage():
    with pytest.raises(ScriptError) as caught:
        await read(ScriptedModel([ScriptEntry("a", stage="plan")]))
    assert caught.value.code == "script_stage_mismatch"
