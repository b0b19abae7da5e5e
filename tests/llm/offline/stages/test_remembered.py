"""What was read of a conversation is kept for the calls that read the same, and only for those."""

from __future__ import annotations

import copy

import pytest

from agent.llm.offline.backend import OfflineModel, answer
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.remember import FINDINGS, Findings, GoesByMoreError, list_sources
from agent.llm.offline.language.spans.items.arrangements import read_arrangement
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.targets import target_in
from agent.loop.outside.model import Finish, Text
from tests.conversations.checker import play, read_cases
from tests.kits.budgets import KIND
from tests.kits.offline.views import ALL_TOOLS, dialogue, result, view

EVERY = 12 if KIND == "long" else 48
"""Of so many conversations of several turns one is played: each of its answers is read twice, once from nothing."""
RENAMED = {
    "goal": 1, "tool": "upsert_task_class", "owner": 5, "field": "name", "before": "概率", "after": "概率论复习",
    "stands": True,
}  # fmt: skip


class ForgetfulModel(OfflineModel):
    """Reads everything anew for each answer, and holds it against the answer with what is kept."""

    def __init__(self):
        self.answers = 0

    async def stream(self, request):
        kept = answer(request.view)
        FINDINGS.forget()
        assert answer(request.view) == kept
        self.answers += 1
        yield Text(kept)
        yield Finish()


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_is_kept_changes_no_answer(language):
    model = ForgetfulModel()
    cases = [case for case in read_cases(language) if len(case.turns) > 2][::EVERY]
    for case in cases:
        await play(case, model)
    assert model.answers > 4 * len(cases)


def test_the_stage_the_tools_and_what_was_looked_up_are_no_sources():
    before = view("把第2章移到周五")
    after = view("把第2章移到周五", stage="execute", tools=ALL_TOOLS[:3], last_results=[result("query_timetable")])
    assert list_sources(before) == list_sources(after)


@pytest.mark.parametrize(
    "changed",
    [
        {"last_results": [result("move", {"task_id": 7})]},
        {"dialogue": [{"role": "user", "text": "你好", "asks": None, "item_ids": [], "wrote": []}]},
        {"needs_rough_build": True},
        {"message": "好"},
        {"past_values": [RENAMED]},
    ],
)
def test_what_was_said_and_done_are_sources(changed):
    seen = view("把第2章移到周五")
    assert list_sources({**seen, **changed}) != list_sources(seen)


def test_another_name_or_place_of_an_item_is_another_source():
    seen = view("把第2章移到周五")
    renamed = copy.deepcopy(seen)
    renamed["draft"]["tasks"][0]["name"] = "第9章"
    moved = copy.deepcopy(seen)
    moved["draft"]["tasks"][0]["slot"]["slot_start"] += 1
    assert len({list_sources(seen), list_sources(renamed), list_sources(moved)}) == 3


def test_a_later_call_of_the_turn_reads_nothing_again():
    FINDINGS.forget()
    first, later = (Brief(view("把第2章移到周五", stage=stage)) for stage in ("chat", "execute"))
    assert intent_of(first.request, first) == "move"
    assert later.found is first.found
    assert later.part([later.request], []).found is first.part([first.request], []).found


def test_what_goes_by_classes_and_draft_alone_is_kept_when_more_is_said():
    FINDINGS.forget()
    first, later = (Brief(view("把第2章移到周五", dialogue=said)) for said in (dialogue(), dialogue("你好", "你好")))
    assert first.found is not later.found
    assert first.found_of_plan is later.part(["第2章"], []).found_of_plan


def test_what_goes_by_classes_and_draft_alone_is_kept_behind_a_write_of_something_else():
    first, later = (Brief(view("把第2章移到周五", last_results=done)) for done in ([], [result("mark_items")]))
    assert first.found is not later.found
    assert first.found_of_plan is later.found_of_plan


@pytest.mark.parametrize(
    ("read", "said"),
    [(target_in, "第2章移到周五"), (find_group, "把周三的都移到周五"), (read_arrangement, "把第2章移到周五")],
)
def test_times_and_items_are_not_read_again_when_more_is_said(read, said):
    FINDINGS.forget()
    first, later = (Brief(view(said, dialogue=before)) for before in (dialogue(), dialogue("你好", "你好")))
    assert read(first.request, first) is read(later.request, later) is not None


@pytest.mark.parametrize("part", ["request", "earlier", "results", "changes", "frames", "heard_not", "before", "found"])
def test_the_plan_alone_tells_nothing_of_what_was_said_and_done(part):
    plan = Brief(view("把第2章移到周五", dialogue=dialogue("你好", "你好"))).of_plan
    with pytest.raises(GoesByMoreError):
        getattr(plan, part)


def test_what_goes_by_more_than_the_plan_is_found_by_what_was_said():
    FINDINGS.forget()
    told = (dialogue(before, "它们都挪到周五") for before in ("第1章和第2章在哪天", "你好"))
    spoken, nothing = (find_group("它们都挪到周五", Brief(view("它们都挪到周五", dialogue=said))) for said in told)
    assert spoken is not None
    assert len(spoken.items) == 2
    assert nothing is None


def test_items_are_those_of_before_the_goal_where_reading_asks_for_them():
    seen = view("把第2章移到周五")
    moved = copy.deepcopy(seen)
    row = moved["draft"]["tasks"][0]
    moved["goal"]["changes"] = [{"task_item_id": row["item_id"], "before": None, "after": None}]
    assert Brief(seen).found_of_plan is not Brief(moved).found_of_plan


def test_the_oldest_sources_are_forgotten():
    findings = Findings()
    oldest = findings.find(b"0")
    kept = [findings.find(str(number).encode()) for number in range(1, 80)]
    assert findings.find(b"79") is kept[-1]
    assert findings.find(b"0") is not oldest
