"""The view that a backend without a language model reads is the document it is declared to be."""

from __future__ import annotations

import json

import pytest

from agent.llm.offline.backend import OfflineModel
from agent.loop.view_document import View
from tests.kits.loop.chat import Chat, route
from tests.kits.loop.world import World, task_class
from tests.kits.offline.views import BASE, misfits

SOMETIMES = ("draft", "rough_build", "verdict", "plan", "interaction", "accepted_risk", "correction", "semester")


class Reader(OfflineModel):
    """The offline backend, with what it was given to read."""

    def __init__(self):
        self.views = []

    async def stream(self, request):
        self.views.append(request.view)
        async for delta in super().stream(request):
            yield delta


async def views_of_a_term():
    """Views of a student who plans, moves, objects and has too much to do, and of a model that has to be corrected."""
    reader = Reader()
    chat = Chat(World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29")]), model=reader)
    await chat.says("先列步骤再排课")
    await chat.answers("message", "只要初稿")
    await chat.answers("approve")
    await chat.says("第2章移到第3周周六下午")
    await chat.answers("message", "周日下午吧")
    await chat.answers("approve")
    await chat.says("体检")
    crowded = task_class(6, "大学物理", "2026-03-16", "2026-03-17", lengths=(4,) * 9)
    chat = Chat(World(classes=[crowded]), model=reader)
    await chat.says("把大学物理排好")
    await chat.says("能排多少排多少")
    corrected = Chat(World()).plays({"route": "somewhere"}, route("direct_reply", speak="好"))
    await corrected.says("你好")
    return [*reader.views, *(request.view for request in corrected.model.requests)]


async def test_every_view_of_the_loop_is_the_declared_document():
    views = await views_of_a_term()
    assert [found for view in views for found in misfits(view, View)] == []
    assert all(json.loads(json.dumps(view)) == view for view in views)
    assert {view["stage"] for view in views} == {"chat", "plan", "execute", "deliver"}
    assert [key for key in SOMETIMES if all(view[key] is None for view in views)] == []


def test_the_sample_of_the_suite_is_the_declared_document():
    assert misfits(BASE, View) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("shortage", None), ("scope", ["5"]), ("now", {"week": 3}), ("draft", BASE["draft"] | {"tasks": [{}]})],
)
def test_a_view_of_another_shape_is_found_out(key, value):
    assert len(misfits(BASE | {key: value}, View)) == 1
    assert misfits({name: row for name, row in BASE.items() if name != key}, View)
