"""What the student keeps where it is moves only with a card of its own, and never by the planner."""

from __future__ import annotations

from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.draft.state import with_keeping
from schedules.planner.solver.rough_build import plan
from taskclasses.kernel.i18n import text
from tests.kits.loop.chat import Chat, route
from tests.kits.loop.goals import built, last_item, moved


async def kept(*, pinned: bool) -> Chat:
    chat = await built()

    def change(part: object) -> None:
        part.schedule = with_keeping(part.schedule, {last_item(chat).source_id: (pinned, not pinned)})  # type: ignore[attr-defined]

    chat.world.drag(change)
    return chat


async def test_a_pinned_item_is_asked_for_even_when_everything_is_agreed_to() -> None:
    for pinned, words in ((True, "是你钉住的"), (False, "是你自己放的")):
        chat = await kept(pinned=pinned)
        before = last_item(chat).slots
        chat.plays(route("execute"), moved(chat, speak="可以挪。"))
        await chat.says("把最后一次挪到晚上", always_execute=True)
        assert last_item(chat).slots == before
        asked = [event for event in chat.world.emitted if event.type == "confirm.requested"]
        assert words in asked[-1].summary


def test_names_that_are_kept_stand_between_the_same_marks() -> None:
    for label in ("「{names}」是你钉住的", "「{names}」是你自己放的"):
        assert text(label, "en", names="A”, “B").count("“") == text(label, "en", names="A”, “B").count("”") == 2


async def test_a_second_build_leaves_what_is_kept() -> None:
    chat = await kept(pinned=True)
    state, item = chat.schedule, last_item(chat)
    again = apply_plan(state, plan(problem_of(state, free="pending_and_suggested")))
    found = again.by_item(item.source_id)
    assert found is not None
    assert (found.slots, found.pinned) == (item.slots, True)
