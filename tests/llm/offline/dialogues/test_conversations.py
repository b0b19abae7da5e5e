"""Whole conversations with the offline backend: the loop, the tools and the planner are the real ones."""

from __future__ import annotations

from schedules.planner.draft.operations import MoveOp
from schedules.planner.grid import day_number
from tests.kits.loop.chat import told
from tests.kits.loop.world import World, course, task_class
from tests.kits.offline.whole import HIGH, chat_in, lessons

BUILT = ["S rough_build/rough_building", "C smart_planning", "R smart_planning done"]
CHECKED = ["S execute/diagnosing", "C analyze_health", "R analyze_health done"]
DELIVERED = ["S deliver/summarizing", "T deliver.speak.1", "schedule.completed", "S deliver/done", "finish"]
CARD = ["confirm", "S confirm/tool_confirm", "S interrupt/confirm", "finish"]


def english_world():
    classes = [
        task_class(5, "Probability", "2026-03-16", "2026-03-29"),
        task_class(6, "Algebra", "2026-03-16", "2026-03-29"),
    ]
    return World(classes=classes, events=lessons())


def story(chat):
    """The last run in short, without the withdrawn announcement of a call that became a card."""
    return [line for line in told(chat) if line != "tool.dropped"]


def spoken(chat, block):
    return next(event.full_content for event in chat.of("text.ended") if event.block_id == block)


async def test_9_1_a_first_schedule_is_built_checked_and_improved():
    classes = [
        task_class(5, "概率论复习", "2026-03-16", "2026-03-29", lengths=(2,) * 6, **HIGH),
        task_class(6, "线性代数", "2026-03-16", "2026-03-29", lengths=(2, 2, 2), **HIGH),
    ]
    chat = chat_in(World(classes=classes, events=lessons()))
    await chat.says("线性代数，只要初稿", task_class_ids=(6,))
    chat.world.drag(crowd_into_one_day)

    await chat.says("帮我把概率论复习排好", task_class_ids=(5,))

    told_ = story(chat)
    assert told_[: len(BUILT) + 6] == [
        "S chat/accepted",
        "T chat.speak.1",
        *BUILT,
        "S rough_build/rough_build_done",
        *CHECKED,
    ]
    improving = told_[len(BUILT) + 6 : -len(DELIVERED) - 1]
    assert improving
    for at in range(0, len(improving), 7):
        executing, speech, called, result, *check = improving[at : at + 7]
        assert (executing, called.split()[0], check) == ("S execute/executing", "C", CHECKED)
        assert speech.startswith("T execute.speak.")
        assert result == f"R {called.split()[1]} done"
    assert told_[-len(DELIVERED) - 1 :] == ["S execute/executing", *DELIVERED]
    assert spoken(chat, "chat.speak.1") == "好的，先为「概率论复习」生成初稿，再体检一遍。"
    assert spoken(chat, "execute.speak.1").startswith("采用候选 1：")
    summary = spoken(chat, "deliver.speak.1")
    assert "已排 6 项" in summary
    assert summary.splitlines()[-2].startswith("整体安排比之前好了")
    assert "满意了就点「应用到课表」" in summary


def crowd_into_one_day(part):
    """The student drags all items of 线性代数 into the afternoon of one day, the last one first."""
    items = sorted(part.schedule.items(), key=lambda entry: -entry.task_order)
    for first, entry in zip((9, 7, 5), items, strict=True):
        part.schedule = MoveOp(entry.state_id, 13, first).apply(part.schedule)


async def test_9_2_a_missing_class_is_asked_for_and_a_draft_is_all_that_is_made():
    chat = chat_in(english_world())
    await chat.says("Plan my revision please, draft only")
    assert story(chat) == ["S chat/accepted", "interrupt", "S interrupt/ask_user", "finish"]
    (question,) = chat.of("interrupt.raised")
    assert [option.id for option in question.options] == ["class:5", "class:6", "all", "new"]
    assert question.question == "Which task?"

    await chat.answers("reply", option="all")
    done = "S rough_build/rough_build_done_no_refine"
    assert story(chat) == ["S chat/resumed", *BUILT, done, *DELIVERED]
    first = spoken(chat, "deliver.speak.1").splitlines()[0]
    assert first.startswith("6 steps placed between wk 3 ")
    assert first.endswith("; a first draft, not optimised yet.")


async def test_9_3_a_class_is_created_from_a_sentence_and_scheduled_in_the_same_goal():
    chat = chat_in(World(classes=[], events=lessons()))
    await chat.says(
        "新建任务类「线性代数复习」，3月16日到4月12日，共12节，均匀分布，周日不排，"
        "内容：行列式、矩阵、向量组、线性方程组、特征值、二次型，建好后排进课表"
    )
    assert story(chat) == ["S chat/accepted", "S execute/executing", "T execute.speak.1", *CARD]
    assert (
        spoken(chat, "execute.speak.1")
        == "我先建好任务类，确认后马上排。内容：行列式、矩阵、向量组、线性方程组、特征值、二次型。"
    )
    (card,) = chat.of("confirm.requested")
    assert card.title == "操作确认"
    assert (
        card.summary
        == "新建任务类「线性代数复习」：6 项 / 12 节，第3周周一–第6周周日，周日不排；没填学科类型、难度、费脑程度"
    )
    assert chat.world.classes == []

    await chat.answers("approve")
    begin = ["S chat/confirmed", "C upsert_task_class", "R upsert_task_class done", *BUILT]
    assert story(chat)[: len(begin) + 4] == [*begin, "S rough_build/rough_build_done", *CHECKED]
    assert story(chat)[-len(DELIVERED) :] == DELIVERED
    assert [row["name"] for row in chat.world.classes] == ["线性代数复习"]
    assert len([entry for entry in chat.schedule.items() if entry.status == "suggested"]) == 6


async def test_9_4_an_objection_over_the_card_changes_the_target():
    chat = chat_in(english_world())
    await chat.says("Plan Probability, draft only", task_class_ids=(5,))
    before = chat.schedule

    await chat.says("Move chapter 2 of Probability to Wednesday afternoon")
    looked = ["S execute/executing", "C find_first_free", "R find_first_free done", *CARD]
    assert story(chat) == ["S chat/accepted", *looked]
    item = next(entry for entry in before.items() if entry.task_order == 2)
    (searched,) = chat.of("tool.started")
    wanted = {"for_task_id": item.state_id, "day": 3, "section_from": 5, "section_to": 8}
    assert searched.arguments == wanted

    await chat.answers("message", "Thursday afternoon instead")
    assert story(chat) == ["S chat/rejected", *looked]
    assert chat.of("tool.started")[0].arguments == wanted | {"day": 4}
    assert chat.schedule.revision == before.revision

    await chat.answers("approve")
    assert story(chat) == ["S chat/confirmed", "C move", "R move done", "S execute/executing", *DELIVERED]
    after = {entry.state_id: entry.slots for entry in chat.schedule.items()}
    moved = [entry.state_id for entry in before.items() if after[entry.state_id] != entry.slots]
    assert moved == [item.state_id]


async def test_9_5_what_does_not_fit_is_told_and_accepted_in_part():
    physics = task_class(5, "大学物理复习", "2026-03-16", "2026-03-22", lengths=(2,) * 10)
    full = [course(100 + 10 * d + f, "实习", day_number(3, d), f, f + 3) for d in range(1, 8) for f in (1, 5)]
    full += [course(200 + d, "实习", day_number(3, d), 9, 10) for d in range(1, 8)]
    chat = chat_in(World(classes=[physics], events=full))

    await chat.says("把大学物理复习排进课表")
    assert story(chat) == [
        "S chat/accepted",
        "S rough_build/rough_building",
        "C smart_planning",
        "R smart_planning failed",
        "S rough_build/rough_build_failed",
        "T deliver.speak.1",
        "S deliver/done",
        "finish",
    ]
    refusal = spoken(chat, "deliver.speak.1")
    assert "需要 20 节，时间窗内最多 14 节" in refusal
    assert all(way in refusal for way in ("扩大时间窗", "放宽限制", "缩小范围", "接受风险"))
    assert chat.end.code == "rough_build_pending_remaining"
    assert all(entry.status == "pending" for entry in chat.schedule.items())

    await chat.says("能排多少排多少")
    begin = ["S chat/accepted", *BUILT, "S rough_build/rough_build_partial", *CHECKED]
    assert story(chat)[: len(begin)] == begin
    assert story(chat)[-len(DELIVERED) :] == DELIVERED
    summary = spoken(chat, "deliver.speak.1")
    assert summary.startswith("已排 7 项；未排：")
    assert "（缺 6 节，你已接受）" in summary


async def test_what_does_not_fit_may_get_a_wider_range_of_dates_instead():
    physics = task_class(5, "大学物理复习", "2026-03-16", "2026-03-22", lengths=(2,) * 10)
    full = [course(100 + 10 * d + f, "实习", day_number(3, d), f, f + 3) for d in range(1, 8) for f in (1, 5)]
    full += [course(200 + d, "实习", day_number(3, d), 9, 10) for d in range(1, 8)]
    chat = chat_in(World(classes=[physics], events=full))
    await chat.says("把大学物理复习排进课表")
    await chat.says("扩大时间窗")
    assert spoken(chat, "execute.speak.1") == "新的起止日期是哪天到哪天？"
    await chat.answers("message", "到4月12日")
    await chat.answers("approve")
    assert chat.world.classes[0]["end_date"] == "2026-04-12"
    assert all(entry.status == "suggested" for entry in chat.schedule.items())


async def test_9_6_what_it_cannot_do_is_said_plainly():
    chat = chat_in(World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29")], events=lessons()))
    await chat.says("帮我查一下高数期末考试时间，再写篇复习心得")
    assert story(chat) == ["T chat.speak.1", "finish"]
    assert spoken(chat, "chat.speak.1") == (
        "现在没有配置大模型，我按固定规则工作：可以建任务类、排程、体检、移动或交换任务、查空闲。"
        "考试时间请告诉我具体日期；写文章我做不到。"
    )
    assert chat.end.outcome == "completed"


async def test_an_item_outside_the_scope_brings_its_class_along():
    chat = chat_in(english_world())
    await chat.says("Put chapter 2 of Algebra on Wednesday afternoon")
    assert chat.end.outcome == "paused"
    await chat.answers("approve")
    assert [entry.name for entry in chat.schedule.items() if entry.slots] == ["Algebra第2章"]


async def test_a_sentence_without_contents_makes_a_class_that_the_next_message_schedules():
    chat = chat_in(World(classes=[], events=lessons()))
    await chat.says("帮我建一个概率论复习任务类，12节，从第3周到第6周，每周末不排")
    assert chat.end.outcome == "paused"
    await chat.answers("approve")
    assert chat.end.outcome == "completed"
    (made,) = chat.world.classes
    assert (made["start_date"], made["end_date"], made["total_slots"]) == ("2026-03-16", "2026-04-12", 12)
    assert made["excluded_days_of_week"] == [6, 7]

    await chat.says("把它排进课表")
    assert chat.end.outcome == "completed"
    placed = [chat.schedule.place_of(entry) for entry in chat.schedule.items()]
    assert len(placed) == 6
    assert all((place.day - 1) % 7 < 5 for place in placed)


async def test_a_plan_is_drawn_up_approved_and_carried_out_step_by_step():
    chat = chat_in(World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29")], events=lessons()))
    await chat.says("先列步骤，再把概率论复习排好")
    assert chat.end.outcome == "paused"
    await chat.answers("approve")
    assert chat.end.outcome == "completed"
    assert [line for line in story(chat) if line.startswith("C ")] == [
        "C smart_planning",
        "C analyze_health",
        "C analyze_health",
        "C get_overview",
    ]


async def test_a_look_at_the_plan_ends_with_its_facts():
    chat = chat_in(english_world())
    await chat.says("Plan Probability, draft only", task_class_ids=(5,))
    await chat.says("Show my overview")
    assert "3 suggested" in spoken(chat, "deliver.speak.1")
    await chat.says("When am I free on Friday?")
    assert "wk 2 Fri (13 Mar) 1-12" in spoken(chat, "deliver.speak.1")


async def test_the_same_conversation_tells_the_same_events():
    async def once():
        chat = chat_in(english_world())
        await chat.says("Plan Probability and Algebra")
        return [event.model_dump_json() for event in chat.world.emitted]

    assert await once() == await once()
