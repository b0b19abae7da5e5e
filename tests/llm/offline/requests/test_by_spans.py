"""Requests that names and a few words beside them tell: the card that each comes to."""

from __future__ import annotations

import pytest

from tests.conversations.checker import places
from tests.conversations.world import chat_of


async def played(message: str, *answers: str):
    chat = await chat_of("en" if message.isascii() else "zh")
    await chat.says(message)
    for answer in answers:
        await (chat.answers(answer) if answer in ("approve", "reject") else chat.says(answer))
    return chat


def spoken(chat) -> str:
    return "\n".join(event.full_content for event in chat.of("text.ended"))


FILLERS = [
    ("高数课上可以背单词", "六级词汇冲刺"),
    ("上英语课的时候能不能顺便复习线代", "线性代数"),
    ("高数课能不能拿来做实验", "大学物理实验"),
    ("is it ok if i do my lab prep during english lectures", "Physics Lab"),
    ("let me study vocab while calculus is on", "Vocabulary sprint"),
    ("I'd like to use the English class for linear algebra", "Linear Algebra"),
]


@pytest.mark.parametrize(("message", "name"), FILLERS)
async def test_a_class_may_be_learnt_while_a_lesson_runs(message, name):
    chat = await played(message, "approve")
    assert [row["name"] for row in chat.world.classes if row["allow_filler_course"]] == [name]


OTHERS = [
    ("除了线代，其它的统统移出去", "线性代数"),
    ("只保留概率论，别的全拿掉", "概率论复习"),
    ("keep only probability and take everything else out", "Probability"),
    ("除了线性代数都移出去", "线性代数"),
]


@pytest.mark.parametrize(("message", "kept"), OTHERS)
async def test_all_classes_but_the_one_that_is_named_are_taken_out(message, kept):
    chat = await played(message, "approve")
    owned = {item["content"]: row["name"] for row in chat.world.classes for item in row["items"]}
    assert {owned[name] for name, place in places(chat).items() if place} == {kept}


@pytest.mark.parametrize(
    "message", ["线性代数改成突击", "把线代的策略换成突击模式", "switch Linear Algebra to cramming"]
)
async def test_another_strategy_is_no_new_name(message):
    chat = await played(message, "approve")
    row = next(row for row in chat.world.classes if row["id"] == 6)
    assert row["name"] in ("线性代数", "Linear Algebra")
    assert row["strategy"] == "rapid"


REFUSED = [
    ("第二章不要在周日", "第二章 随机变量", 7),
    ("我周四没法学行列式", "行列式", 4),
    ("Thursdays don't work for determinants", "Determinants", 4),
    ("not eigenvalues on sunday please", "Eigenvalues", 7),
    ("eigenvalues on a sunday is a no go, any weekday that week works", "Eigenvalues", 7),
]


@pytest.mark.parametrize(("message", "name", "day"), REFUSED)
async def test_an_item_leaves_the_day_that_is_refused_for_it(message, name, day):
    chat = await played(message, "approve")
    assert places(chat)[name][1] != day


async def test_any_weekday_of_that_week_is_a_day_of_the_week_of_the_item():
    chat = await played("eigenvalues on a sunday is a no go, any weekday that week works", "approve")
    week, day, *_ = places(chat)["Eigenvalues"]
    assert week == 5
    assert day < 6


ORDERS = [
    ("In Physics Lab I want to do the bridge circuit first, then pendulum, then lenses", "312"),
    ("change the order of Physics Lab to lab 2, lab 1, lab 3", "213"),
    ("实验顺序换成透镜、单摆、电桥", "213"),
    ("大学物理实验先做透镜，然后电桥，最后单摆", "231"),
]


@pytest.mark.parametrize(("message", "order"), ORDERS)
async def test_the_items_of_a_class_are_put_in_the_order_that_is_told(message, order):
    chat = await played(message, "approve")
    before = await chat_of("en" if message.isascii() else "zh")
    names = [item["content"] for item in next(row for row in before.world.classes if row["id"] == 7)["items"]]
    now = [item["content"] for item in next(row for row in chat.world.classes if row["id"] == 7)["items"]]
    assert now == [names[int(number) - 1] for number in order]


GONE = [
    "lab 2 isn't part of the course any more",
    "there's no lab 3 anymore, remove it",
    "lab 2 got scrapped, take it off",
    "remove lab 1",
]


@pytest.mark.parametrize("message", GONE)
async def test_what_no_plan_has_is_removed_from_its_class(message):
    chat = await played(message, "approve")
    assert len(next(row for row in chat.world.classes if row["id"] == 7)["items"]) == 2


HALVES = [
    ("i'm halfway through matrices, put the other half on friday", "Matrices", 5),
    ("half of eigenvalues is done, put what's left on monday", "Eigenvalues", 1),
    ("特征值只弄了一半，另一半排到周三晚上", "特征值与特征向量", 3),
    ("第二章学了一半，剩下的放周五", "第二章 随机变量", 5),
]


@pytest.mark.parametrize(("message", "name", "day"), HALVES)
async def test_a_half_is_marked_and_its_rest_goes_where_it_is_wanted(message, name, day):
    chat = await played(message, "approve", "approve")
    assert [mark["progress"] for mark in chat.world.marks.values()] == ["partial"]
    assert places(chat)[name][1] == day


@pytest.mark.parametrize(
    "message",
    ["随机事件没看完，只看了一半，剩下的再找个时间", "got through half of chapter 1, find a time for the rest"],
)
async def test_the_rest_of_a_half_gets_a_later_day_where_none_is_told(message):
    before = places(await chat_of("en" if message.isascii() else "zh"))
    chat = await played(message, "approve", "approve")
    moved = [name for name, place in places(chat).items() if place != before[name]]
    assert len(moved) == 1
    assert places(chat)[moved[0]][:2] > before[moved[0]][:2]


LATER = [
    "I never got round to chapter 1 and determinants, find new times",
    "第一章和行列式没来得及学，重新找个时间",
]


@pytest.mark.parametrize("message", LATER)
async def test_what_was_not_done_although_it_lies_ahead_gets_another_day(message):
    before = places(await chat_of("en" if message.isascii() else "zh"))
    chat = await played(message, "approve")
    moved = [name for name, place in places(chat).items() if place != before[name]]
    assert len(moved) == 2
    assert not chat.world.marks


MADE = [
    ("i need to prep for my driving theory test, 4 sessions, between 16 march and 5 april. can you add it",
     "driving theory test", 4),
    ("I want to learn Swedish twice a week from week 4 to week 7, add it please", "Swedish", 8),
    ("新建日语N3：单词 语法 听力，4月20号之前，不要排在周末", "日语N3", 3),
    ("新建任务类：考研英语，第4周到第7周，每周3次，每次2节", "考研英语", 12),
    ("帮我新建一个任务：口语每天 1 节，一共 6 节，4 月 9 日前完成", "口语", 3),
    ("新建一个任务：口语，共6节，4月9日前完成", "口语", 3),
    ("got a zoology poster to make, due 9 april. need to do the sketch, the text and the print", "zoology poster", 3),
    ("There's a geology quiz on 27 March: minerals, rocks and fossils", "geology quiz", 3),
    ("班主任让我们写一份职业规划报告，4月7号交，分为自我分析、行业调研、总结", "职业规划报告", 3),
    ("近代史期末4月9号，要背三章，一起安排上", "近代史期末", 3),
]  # fmt: skip


@pytest.mark.parametrize(("message", "name", "count"), MADE)
async def test_a_class_that_is_told_in_passing_is_a_new_one(message, name, count):
    chat = await played(message, "approve")
    assert [(row["name"], len(row["items"])) for row in chat.world.classes[4:]] == [(name, count)]


NOT_MADE = [
    "I have a group project meeting on friday afternoon",
    "i've got loads of homework this week, make tuesday lighter",
    "4月8号有个篮球比赛，那天别排",
    "我今天要学点什么",
]


@pytest.mark.parametrize("message", NOT_MADE)
async def test_what_only_takes_time_is_no_new_class(message):
    chat = await played(message)
    assert "新的任务类" not in spoken(chat)
    assert "new class" not in spoken(chat)
    assert len(chat.world.classes) == 4


LESSONS = [
    "can you cancel calculus on friday, i wanna sleep in",
    "can you drop the english lesson on wednesday, i'm tired",
    "把周三的英语课去掉吧",
    "周五的高数能取消吗，我想睡懒觉",
]


@pytest.mark.parametrize("message", LESSONS)
async def test_a_lesson_is_no_class_and_stays(message):
    chat = await played(message)
    assert ("Courses are fixed" if message.isascii() else "课程是固定的") in spoken(chat)


async def test_a_question_whether_a_class_is_last_changes_nothing():
    chat = await played("计划里线代排在最后吗")
    assert chat.end.interaction is None


LAST = ["put all of linear algebra at the end", "linear algebra should come last, after probability", "线代留到最后"]


@pytest.mark.parametrize("message", LAST)
async def test_a_class_at_the_end_comes_after_all_others(message):
    chat = await played(message, "approve")
    owner = {item["content"]: row["id"] for row in chat.world.classes for item in row["items"]}
    placed = {name: place for name, place in places(chat).items() if place}
    others = max(place for name, place in placed.items() if owner[name] != 6)
    assert min(place for name, place in placed.items() if owner[name] == 6) > others


FIRST = [
    ("概率论的后三章都取消掉，先学前三章", 3),
    ("线代后两个先不学了，先搞前两个", 2),
    ("概率论先看前两章，后四章移出去", 4),
]


@pytest.mark.parametrize(("message", "count"), FIRST)
async def test_what_comes_first_until_then_is_none_of_what_is_taken_out(message, count):
    chat = await played(message, "approve")
    assert sum(place is None for place in places(chat).values()) == count


@pytest.mark.parametrize("message", ["我想线代从23号再开始，先搞概率论", "先学概率论，线代3月23号再开始"])
async def test_a_class_begins_later_while_another_one_comes_first(message):
    chat = await played(message, "approve")
    assert [row["start_date"] for row in chat.world.classes[:2]] == ["2026-03-16", "2026-03-23"]


DATES = [
    ("change the dates of Linear Algebra to week 4 to 7", "2026-03-23", "2026-04-19"),
    ("线代从第4周学到第8周，日期改一下", "2026-03-23", "2026-04-26"),
]


@pytest.mark.parametrize(("message", "first", "last"), DATES)
async def test_other_dates_of_a_class_have_both_ends(message, first, last):
    chat = await played(message, "approve")
    row = next(row for row in chat.world.classes if row["id"] == 6)
    assert (row["start_date"], row["end_date"]) == (first, last)


async def test_a_remark_that_nothing_was_on_is_no_request():
    chat = await played("昨天没啥任务吧，行列式我提前学完了嘿嘿", "approve")
    assert chat.world.marks[601]["progress"] == "done"


async def test_an_item_whose_name_ends_in_a_number_in_brackets_can_be_spoken_of():
    chat = await played("特征值分两次学吧", "approve", "approve", "特征值与特征向量 (2)是什么时候")
    assert "(2)" in spoken(chat)


STANDS = [
    ("周日1-2节谁会起来学啊，挪到下午吧", "第二章 随机变量"),
    ("周二5-6节的换到晚上吧，那会儿要开会", "矩阵运算"),
    ("sunday 1-2 is way too early, make it the afternoon", "Chapter 2 Random variables"),
]


@pytest.mark.parametrize(("message", "name"), STANDS)
async def test_what_stands_at_the_sections_that_are_told_goes_elsewhere(message, name):
    before = places(await chat_of("en" if message.isascii() else "zh"))
    chat = await played(message, "approve")
    assert [one for one, place in places(chat).items() if place != before[one]] == [name]
