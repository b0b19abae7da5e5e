"""A model's word is held against the draft: a false done, a false number, a false place, a false "moved"."""

from __future__ import annotations

from typing import Any

import pytest

from agent.loop.output.claims import claims_change, says_unchanged, wishes_change
from schedules.planner.grid import week_and_weekday
from tests.kits.loop.chat import DONE, LEFT, Chat, call, execute, route, two_classes
from tests.kits.loop.goals import MOVE, built, carded, drag, last_item, moved
from tests.kits.loop.world import task_class


def summary_of(chat: Chat) -> str:
    return str(chat.of("text.ended")[-1].full_content)


@pytest.mark.parametrize(
    "done",
    [
        {"action": "done", "goal_check": "已移动", "speak": "已经把最后一次挪到周三晚上了。"},
        {"action": "done", "goal_check": "I have moved it to Wednesday"},
        {"action": "next_plan", "goal_check": "已经挪好了"},
    ],
)
async def test_a_false_done_is_refused_however_often(done: dict[str, Any]) -> None:
    chat = await built()
    before = chat.schedule
    chat.plays(route("execute"), call("get_overview"), *[done] * 4)
    end = await chat.says("把最后一次挪到周三晚上")
    assert (end.outcome, end.code) == ("aborted", "correction_exhausted")
    assert "草稿保持原样" in summary_of(chat)
    assert all(event.superseded for event in chat.of("text.ended")[:-1])
    assert chat.schedule == before


async def test_a_look_that_ends_with_a_claim_is_told_once_and_its_claim_left_out() -> None:
    chat = await built()
    done = {**DONE, "speak": "All done! 一共三项。"}
    chat.plays(route("execute"), call("get_overview"), done, done, "你有三项。")
    end = await chat.says("看看我的安排")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert [event.full_content for event in chat.of("text.ended") if not event.superseded] == [
        "一共三项。",
        "你有三项。",
    ]


async def test_a_done_that_owes_a_change_is_told_once_and_the_student_reads_that_nothing_was_changed() -> None:
    chat = await built()
    chat.plays(route("execute"), call("get_overview"), DONE, DONE, "都弄好了。")
    end = await chat.says("把最后一次挪到晚上")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert summary_of(chat).endswith("核对：草稿没有改动。")


async def test_words_that_say_nothing_was_changed_owe_nothing() -> None:
    chat = await built()
    chat.plays(route("execute"), call("get_overview"), LEFT, "那天没有空位，没有改动。")
    end = await chat.says("把最后一次挪到晚上")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)
    assert summary_of(chat) == "那天没有空位，没有改动。\n核对：草稿没有改动。"


async def test_an_answer_in_chat_may_not_say_that_it_moved_something() -> None:
    chat = await built()
    chat.plays(route("direct_reply", speak="好的，已经帮你挪到周三了。"), route("direct_reply", speak="要挪到哪一天？"))
    end = await chat.says("把最后一次挪一下")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert [event.superseded for event in chat.of("text.ended")] == [True, False]


@pytest.mark.parametrize(
    "promise", ["好的，马上帮你排！", "没问题，概率论复习现在在周三晚上。", "Sure, I will do that."]
)
async def test_a_wish_answered_in_words_alone_is_asked_about_once_and_told_to_be_undone(promise: str) -> None:
    chat = await built()
    chat.plays(*[route("direct_reply", speak=promise)] * 2)
    end = await chat.says("帮我排一下概率论复习，用英文回答也行")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    told = [event.full_content for event in chat.of("text.ended") if not event.superseded]
    assert told == [promise, "核对：草稿没有改动。"]


@pytest.mark.parametrize("claim", ["概率论复习已经排好了，快去看看吧！", "都处理好啦。还要改别的吗？", "All done!"])
async def test_a_claim_in_words_alone_is_never_taken(claim: str) -> None:
    chat = await built()
    chat.plays(*[route("direct_reply", speak=claim)] * 4)
    end = await chat.says("帮我排一下概率论复习")
    assert end.code == "correction_exhausted"
    assert "草稿保持原样" in summary_of(chat)


FALSE = {
    "a number": "已经把3项都挪到了晚上。",
    "a place": "已经挪到第4周周五1-2节。",
    "a place of another item": "已经挪到第3周周六9-10节。",
    "a date": "已经挪到3月24日（周三）9-10节。",
    "a date in English": "It was moved to Mar 24th.",
    "an item that stayed": "概率论复习第1章已经移到第4周周三9-10节。",
    "moved in English": "I have moved 3 items to Friday.",
    "one of two": "概率论复习第1章和概率论复习第3章都移好了。",
}


@pytest.mark.parametrize("claim", FALSE)
async def test_a_false_claim_of_a_summary_is_left_out_and_the_facts_are_told(claim: str) -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), DONE, f"改好了。{FALSE[claim]}记得保存。")
    await chat.says("把最后一次挪到晚上", always_execute=True)
    text = summary_of(chat)
    assert FALSE[claim] not in text
    assert text.startswith("改好了。记得保存。")
    assert "与草稿不符" in text
    assert f"核对：移动：{last_item(chat).name} → 第4周 周三 9-10节。" in text


async def test_a_true_summary_stays_and_ends_with_the_facts() -> None:
    chat = await built()
    said = "已经把概率论复习第3章移到第4周周三9-10节，1项。"
    chat.plays(route("execute"), moved(chat), DONE, said)
    await chat.says("把最后一次挪到晚上", always_execute=True)
    assert summary_of(chat) == f"{said}\n核对：移动：{last_item(chat).name} → 第4周 周三 9-10节。"


@pytest.mark.parametrize(
    "said",
    [
        "已经把概率论复习第3章移到3月25日（周三）9-10节。",
        "移好了，赶在4月3日的考试之前。",
        "It was moved to Mar 25, 9-10.",
    ],
)
async def test_a_date_that_is_true_or_not_told_of_the_change_stays(said: str) -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), DONE, said)
    await chat.says("把最后一次挪到晚上", always_execute=True)
    assert said in summary_of(chat) or said.startswith("It")
    assert "与草稿不符" not in summary_of(chat)


async def test_a_false_moved_in_the_words_of_an_abort_is_left_out() -> None:
    chat = await built()
    abort = {"code": "stop", "user_message": "已经移到周三。剩下的做不到。"}
    chat.plays(route("execute"), {"action": "abort", "abort": abort})
    await chat.says("把最后一次挪到周三")
    assert summary_of(chat) == "剩下的做不到。\n（与草稿不符的说法已略去。）\n核对：草稿没有改动。"


BROKEN = {"action": "sing"}


async def test_a_goal_that_gives_up_behind_a_change_does_not_say_that_the_draft_is_as_it_was() -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), *[BROKEN] * 4)
    end = await chat.says("把最后一次挪到晚上，再想想别的", always_execute=True)
    assert end.code == "correction_exhausted"
    assert "原样" not in summary_of(chat)
    assert "已经完成的都保留着" in summary_of(chat)
    assert summary_of(chat).endswith(f"核对：移动：{last_item(chat).name} → 第4周 周三 9-10节。")


async def test_a_build_that_was_made_is_counted_when_the_goal_gives_up() -> None:
    chat = Chat(two_classes()).plays(route("execute", needs_rough_build=True), *[BROKEN] * 4)
    await chat.says("排好两门", task_class_ids=(5, 6))
    assert summary_of(chat).endswith("\n核对：排入 6 项。")


async def test_words_of_an_abort_that_are_none_for_a_student_leave_no_silence() -> None:
    chat = await built()
    abort = {"code": "no_free_slot", "user_message": "new_slot_start 不在 1..8 内。"}
    chat.plays(route("execute"), call("get_overview"), {"action": "abort", "abort": abort})
    await chat.says("把最后一次挪到周三")
    assert summary_of(chat) == "这次没能做完，先停在这里，可以换个说法再试。\n核对：草稿没有改动。"


async def test_words_beside_a_call_do_not_say_that_it_was_made_before_the_student_agreed() -> None:
    chat = await built()
    chat.plays(route("execute", speak="好的，已经帮你挪好了。"), moved(chat, speak="已经挪到周三晚上了。这样更均匀。"))
    await chat.says("把最后一次挪到周三晚上")
    assert chat.of("confirm.requested")
    told = [event.full_content.strip() for event in chat.of("text.ended") if not event.superseded]
    assert told == ["这样更均匀。"]


async def test_a_question_keeps_what_it_asks() -> None:
    chat = await built()
    chat.plays(route("execute"), execute("ask_user", speak="已经挪到周三了。还要挪别的吗？"))
    await chat.says("把最后一次挪到周三晚上")
    assert summary_of(chat).strip() == "还要挪别的吗？"
    assert chat.of("interrupt.raised")[0].question.strip() == "还要挪别的吗？"


async def test_a_long_answer_does_not_say_that_it_made_the_change_that_is_wished_for() -> None:
    chat = await built()
    chat.plays(route("deep_answer"), "好的，已经把它挪到周日了！周日更空。")
    await chat.says("把最后一次挪到周日")
    told = [event.full_content for event in chat.of("text.ended") if not event.superseded]
    assert told == ["周日更空。", "核对：草稿没有改动。"]
    chat.plays(route("deep_answer"), "刚才已经把第3章移到周三。第1天看第一章。")
    await chat.says("怎么复习好？")
    assert summary_of(chat) == "刚才已经把第3章移到周三。第1天看第一章。"


YOURS = "改动只在草稿里，要由你自己点「写入课表」。"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("我已经把草稿应用到你的课表了，10 项都已写入。", [YOURS]),
        ("已为你写入课表，现在可以在今天页看到。还要改别的吗？", ["还要改别的吗？", YOURS]),
        ("I have applied it to your timetable.", [YOURS]),
        ("满意后点应用，就会写入课表。", ["满意后点应用，就会写入课表。"]),
    ],
)
async def test_no_answer_says_that_the_draft_was_applied(said: str, told: list[str]) -> None:
    chat = await built()
    chat.plays(route("direct_reply", speak=said))
    await chat.says("应用到课表吧，用英文回答也行")
    assert [event.full_content for event in chat.of("text.ended") if not event.superseded] == told


async def test_who_asks_for_the_draft_to_be_applied_reads_whose_step_that_is_however_the_goal_ends() -> None:
    chat = await built()
    applied = {**DONE, "speak": "已经写入课表，3 项都生效了。"}
    chat.plays(route("execute"), call("apply_draft"), *[applied] * 4)
    end = await chat.says("把草稿应用到课表")
    assert end.code == "correction_exhausted"
    assert summary_of(chat).endswith(YOURS)
    chat.plays(route("execute"), call("get_overview"), LEFT, "都在草稿里。")
    await chat.says("应用吧")
    assert summary_of(chat) == f"都在草稿里。\n{YOURS}"


async def test_a_long_answer_does_not_say_that_the_draft_was_applied() -> None:
    chat = await built()
    chat.plays(route("deep_answer"), "草稿已经写入课表。周日更空。")
    await chat.says("接下来做什么？")
    assert [event.full_content for event in chat.of("text.ended")] == ["周日更空。", YOURS]


async def test_a_summary_of_a_change_does_not_say_that_it_was_applied() -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), DONE, "移好了。已同步到你的课表，可以在今天页看到。")
    await chat.says("把最后一次挪到晚上", always_execute=True)
    assert summary_of(chat).startswith("移好了。\n（与草稿不符的说法已略去。）\n核对：")
    assert summary_of(chat).endswith(YOURS)


async def test_a_summary_behind_a_refused_card_ends_with_what_is_true() -> None:
    chat = await built()
    chat.plays(route("execute"), call("get_overview"), call("unplace", {"task_id": last_item(chat).state_id}))
    await chat.says("看看安排")
    chat.plays(DONE, "全部清空了。都不见了。")
    await chat.answers("reject")
    assert summary_of(chat) == "都不见了。\n（与草稿不符的说法已略去。）\n核对：草稿没有改动。"


async def test_a_question_that_is_answered_wrongly_is_answered_by_the_draft() -> None:
    chat = await built()
    item = last_item(chat)
    week, weekday = week_and_weekday(chat.schedule.window.day_of(item.slot.day))
    stands = f"第{week}周 周{'一二三四五六日'[weekday - 1]} {item.slot.slot_start}-{item.slot.slot_end}节"
    chat.plays(route("execute"), call("get_task_info", {"task_id": item.state_id}), DONE, f"{item.name}在第9周周五。")
    await chat.says("最后一次排在哪天？")
    assert summary_of(chat) == f"（与草稿不符的说法已略去。）\n核对：{item.name} 在 {stands}。"


SHOWN = {
    '{"summary": "看过了。"}': "看过了。",
    '```json\n{"speak": "看过了。"}\n```': "看过了。",
    "看过了。<|im_end|>": "看过了。",
    "先想想\n</think>\n\n看过了。": "看过了。",
    "<thinking>想</thinking>看过了。": "看过了。",
    "看过了。\n只说已经发生的事；没有做的不要说成做了。": "看过了。",
}


@pytest.mark.parametrize("answer", SHOWN)
async def test_what_is_no_text_for_a_student_reaches_no_summary(answer: str) -> None:
    chat = await built()
    chat.plays(route("execute"), call("get_overview"), DONE, answer)
    end = await chat.says("看看课表")
    assert end.outcome == "completed"
    assert summary_of(chat).strip() == SHOWN[answer]


async def test_a_summary_that_only_announces_what_is_no_text_is_replaced_by_the_facts() -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), DONE, '总结如下：\n```json\n{"task_id": 11, "status": "suggested"}\n```')
    await chat.says("把最后一次挪到晚上", always_execute=True)
    assert [event.superseded for event in chat.of("text.ended")] == [True, False]
    assert summary_of(chat).startswith(f"移动：{last_item(chat).name} → 第4周 周三 9-10节")


@pytest.mark.parametrize("always", [False, True])
async def test_no_candidate_moves_what_the_student_placed_by_hand_without_a_card(always: bool) -> None:
    from tests.kits.loop.chat import improvable

    chat = await improvable()
    state = chat.world.state()
    state.draft.by_hand = [entry.source_id for entry in state.schedule.items()]
    await chat.world.save(state)

    def top(request: Any) -> Any:
        verdict = request.view["verdict"]
        best = verdict["decision"]["candidates"][0]
        return call(best["tool"], best["arguments"])

    chat.plays(route("execute"), top, LEFT, "好。")
    end = await chat.says("全局优化", always_execute=always)
    assert end.outcome == ("paused" if not always else end.outcome)
    assert bool(chat.of("confirm.requested")) is not always


async def test_the_students_own_moves_are_remembered_until_the_agent_moves_the_item() -> None:
    chat = await built()
    item = last_item(chat)

    def by_hand(part: Any) -> None:
        before = part.schedule
        drag(item, MOVE["new_day"], 11)(part)
        part.note_change(before, who="student", at="2026-03-09T00:00:00Z")

    chat.world.drag(by_hand)
    assert chat.world.state().draft.by_hand == [item.source_id]
    chat.plays(route("execute"), moved(chat), DONE, "好。")
    await chat.says("挪到晚上", always_execute=True)
    assert chat.world.state().draft.by_hand == []


@pytest.mark.parametrize(
    ("said", "claims"),
    [
        ("已经把第2章移到周三。", True), ("移动好了。", True), ("帮你排好了。", True), ("I've moved it.", True),
        ("It was placed on Friday.", True), ("可以移到周三。", False), ("还没有移动。", False),
        ("要移到周三吗？", False),
        ("已经移到周三了，你可以看看。", True), ("清空了。", True), ("I cleared it, you can check.", True),
        ("如果你愿意，我把它移到周三。", False), ("都没有清空。", False),
        ("I could move it.", False), ("Nothing was moved.", False), ("周三有空位。", False), ("看过课表了。", False),
    ],
)  # fmt: skip
def test_a_claim_is_told_from_an_offer(said: str, claims: bool) -> None:
    assert claims_change(said) is claims


@pytest.mark.parametrize(
    ("said", "wishes"),
    [
        ("把第2章挪到周三", True), ("Move chapter 2 to Friday", True), ("帮我新建一个任务类", True),
        ("交换第1章和第2章", True), ("看看概率论复习的安排", False), ("为什么挪到周三了", False),
        ("体检一下", False), ("Show my week", False), ("逐天核对", False), ("帮我排一下六级", True),
        ("给我安排复习", True), ("Plan my classes, please", True), ("排好了吗", False), ("检查一下安排", False),
        ("这周还排得下吗", False), ("Show my plan", False), ("大数定律排在哪天", False),
        ("请问今天有什么安排", False), ("给我看看这周的安排", False), ("请先排六级", True),
        ("挪到周日会太累吗", False), ("帮我把六级安排到下周", True),
    ],
)  # fmt: skip
def test_a_wish_for_a_change_is_told_from_a_question(said: str, wishes: bool) -> None:
    assert wishes_change(said) is wishes


def test_words_for_nothing_changed_are_known() -> None:
    for said in ("没有改动", "本来就在周三", "nothing was changed", "It is already on Friday", "that is impossible"):
        assert says_unchanged(said), said


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("已经移动了 7 项任务。", ""),
        ("第3章现在在周一第1-2节。", ""),
        ("移动好了。", "移动好了。"),
        ("已把第3章移到上午。", ""),
        ("已把第3章移到晚上。", "已把第3章移到晚上。"),
        ("I called move with task_id 8. 移动好了。", "移动好了。"),
        ("移动好了。score 提升 12.5。", "移动好了。"),
        ("移动好了。cost 12 → 11，slot 9。", "移动好了。"),
    ],
)
async def test_the_last_words_of_a_round_are_held_against_the_draft_too(said: str, told: str) -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat), {**DONE, "speak": said}, "好。")
    await chat.says("挪到晚上", always_execute=True)
    spoken = [event.full_content for event in chat.of("text.ended") if not event.superseded]
    assert spoken[0].strip() == (told or spoken[0].strip())
    assert all(said not in words for words in spoken) or told == said


@pytest.mark.parametrize(
    "said",
    [
        "搞定啦！",
        "已经按你说的处理好了。",
        "都弄好啦！",
        "I've taken care of it.",
        "Moved as requested.",
        "All set, chapter 3 is now on Tuesday.",
        "已为你重新安排。",
    ],
)
def test_short_claims_are_claims(said: str) -> None:
    assert claims_change(said)


@pytest.mark.parametrize("words", ["先不挪了。", "那就不移动了。", "好，这一项不改了。", "先不排了。"])
def test_what_is_not_done_any_more_is_no_claim(words: str) -> None:
    assert not claims_change(words)
    assert claims_change(f"已经挪好了，{words}")


async def test_a_summary_tells_how_many_stay() -> None:
    chat = await built()
    told = f"「{last_item(chat).name}」已经移到晚上，其余 2 项保持不变。"
    chat.plays(route("execute"), moved(chat), DONE, told)
    await chat.says("把最后一次挪到晚上", always_execute=True)
    assert summary_of(chat).startswith(told)


QUESTIONS = (
    "要把「{name}」移到第3周周二晚上 9-10 节，还是周五晚上？",
    "Should “{name}” go to week 3 Tuesday evening?",
    "可以选：\n1. 「{name}」第3周周二 9-10 节\n2. 「{name}」第3周周五 9-10 节\n你要哪个？",
    "把「{name}」放到周五 9-10 节好吗",
)


@pytest.mark.parametrize("asked", QUESTIONS)
async def test_a_question_about_other_places_is_asked_as_it_is(asked: str) -> None:
    chat = await built()
    words = asked.format(name=last_item(chat).name)
    chat.plays(route("execute"), call("get_overview"), execute("ask_user", speak=words))
    language = "en" if words.isascii() or words.startswith("Should") else "zh"
    await chat.says("Move the last one, please" if language == "en" else "把最后一次挪一下")
    raised = chat.of("interrupt.raised")
    assert [event.question for event in raised] == [words]
    other = await built()
    other.plays(route("plan"), {"action": "ask_user", "speak": words})
    await other.says("Plan first: move the last one" if language == "en" else "先给计划，把最后一次挪一下")
    assert [event.question for event in other.of("interrupt.raised")] == [words]


async def test_what_a_question_says_to_be_done_is_held_against_the_draft() -> None:
    chat = await built()
    words = f"已经把「{last_item(chat).name}」移到第3周周二了。还要移别的吗？"
    chat.plays(route("execute"), call("get_overview"), execute("ask_user", speak=words))
    await chat.says("把最后一次挪一下")
    assert [event.question for event in chat.of("interrupt.raised")] == ["还要移别的吗？"]


async def test_words_that_hand_over_to_another_request_are_held_against_the_draft() -> None:
    for words, told in (
        ("已经把它挪到第10天了，并写入课表。", "这件事先放下。"),
        ("已经挪好了。这一项先不动。", "这一项先不动。"),
        ("先不挪了。", "先不挪了。"),
    ):
        chat = await carded()
        handed = {"action": "abort", "abort": {"code": "new_request", "user_message": words}}
        chat.plays(handed, route("direct_reply", speak="七门。"))
        await chat.answers("message", "这周有几门课？")
        assert [event.full_content for event in chat.of("text.ended")] == [told, "七门。"]


@pytest.mark.parametrize("stage", ["chat", "deep_answer"])
async def test_an_answer_without_a_look_tells_no_wrong_place(stage: str) -> None:
    chat = await built()
    item = last_item(chat)
    week, day = week_and_weekday(chat.schedule.window.day_of(item.slot.day))
    wrong = f"「{item.name}」在第{week}周周{'一二三四五六日'[day % 7]} 9-10 节。记得带笔。"
    if stage == "chat":
        chat.plays(route("direct_reply", speak=wrong))
    else:
        chat.plays(route("deep_answer"), wrong)
    await chat.says("最后一次在哪天？")
    told = [event.full_content for event in chat.of("text.ended") if not event.superseded]
    assert told[0] == "记得带笔。"
    assert told[1].startswith(f"（与草稿不符的说法已略去。）\n核对：{item.name} 在 第{week}周")


@pytest.mark.parametrize(
    "asked", ["你觉得怎么复习好？", "复习有什么建议？", "什么时候复习最好？", "这章该在哪天复习？"]
)
async def test_advice_about_places_is_left_as_it_is(asked: str) -> None:
    chat = await built()
    advice = f"周一做「{last_item(chat).name}」，周二错题整理。"
    chat.plays(route("direct_reply", speak=advice))
    await chat.says(asked)
    assert [event.full_content for event in chat.of("text.ended")] == [advice]


async def test_a_chapter_of_a_class_beside_the_draft_is_not_taken_for_one_with_its_number() -> None:
    chat = await built()
    chat.world.classes.append(task_class(6, "英语复习", "2026-03-16", "2026-04-19"))
    told = "英语第3章在第5周周五 1-2 节。"
    chat.plays(route("execute"), call("query_timetable", {"week_from": 5, "week_to": 5}), DONE, told)
    await chat.says("英语第3章在哪天？")
    assert summary_of(chat) == told
    chat.plays(route("deep_answer"), "概率论第3章在第5周周五 1-2 节。")
    await chat.says("概率论第3章在哪天？")
    assert summary_of(chat).startswith("（与草稿不符的说法已略去。）")
