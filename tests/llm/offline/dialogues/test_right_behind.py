"""What is said right behind a change or a refusal: a mark is taken back, another request is none that was refused."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of
from tests.kits.offline.conversations import card, said


def names(chat):
    return {item["id"]: item["content"] for row in chat.world.classes for item in row["items"]}


@pytest.mark.parametrize(
    ("language", "done", "denied", "item"),
    [
        ("en", "I finished Matrices", "wait no that's wrong, I haven't", "Matrices"),
        ("en", "just got through chapter 2", "oh hang on, actually I didn't", "Chapter 2 Random variables"),
        ("en", "done with determinants!", "sorry that was a mistake, not done yet", "Determinants"),
        ("zh", "矩阵学完了", "等等不对，还没学", "矩阵运算"),
        ("zh", "第二章搞定", "啊说错了，我还没做完", "第二章 随机变量"),
        ("zh", "行列式做完啦", "不是，我记错了，没做完", "行列式"),
    ],
)
async def test_a_mark_that_was_wrong_is_taken_back_though_its_item_left_the_draft(language, done, denied, item):
    chat = await chat_of(language)
    await chat.says(done)
    await chat.answers("approve")
    await chat.says(denied)
    assert item in card(chat).summary
    await chat.answers("approve")
    assert {names(chat)[one]: mark["progress"] for one, mark in chat.world.marks.items()} == {item: "open"}


@pytest.mark.parametrize(
    ("language", "away", "back"),
    [
        ("en", "i'm away from 26 to 30 march", "I'm back on the 29th already so the 30th is fine"),
        ("en", "i'm away from 26 to 30 march", "flight got changed, back on the 29th already so the 30th is fine"),
        ("en", "I can't study from 24 to 27 march", "turns out I get home on the 26th, so the 27th works after all"),
        ("zh", "26号到30号我不在", "我29号就回来了，30号可以学"),
        ("zh", "24号到27号出差", "26号就回来，27号可以安排了"),
    ],
)
async def test_days_that_are_free_after_all_are_no_further_absence(language, away, back):
    chat = await chat_of(language)
    await chat.says(away)
    await chat.answers("approve")
    kept = chat.world.kept_free
    chat.end = None
    await chat.says(back)
    assert not chat.of("confirm.requested")
    assert ("调课、假期与考试" if language == "zh" else "timetable page") in said(chat)
    assert chat.world.kept_free == kept


@pytest.mark.parametrize(
    ("language", "refused", "wanted", "shown"),
    [
        ("en", "swap chapter 3 and matrices please", "just put chapter 3 on friday then", "Move Chapter 3"),
        ("en", "swap chapter 5 and eigenvalues", "then move eigenvalues to friday", "Move Eigenvalues"),
        ("en", "take vector spaces out", "move it to thursday instead", "Move Vector spaces"),
        ("en", "move matrices to friday evening", "take it out instead", "Take out Matrices"),
        ("zh", "第三章和矩阵换一下", "那就把第三章放到周五", "将 第三章"),
        ("zh", "把向量组移出去", "挪到周四吧", "将 向量组"),
    ],
)
async def test_something_else_with_the_same_item_is_not_what_was_refused(language, refused, wanted, shown):
    chat = await chat_of(language)
    await chat.says(refused)
    await chat.answers("reject")
    await chat.answers("message", wanted)
    assert card(chat).summary.startswith(shown)


@pytest.mark.parametrize(
    ("language", "moved", "corrected", "place"),
    [
        (
            "en",
            "put chapter 5 on friday 3 april in the evening",
            "actually saturday, but in the morning",
            "wk 5 Sat 1-2",
        ),
        ("zh", "参数估计改到4月3号晚上", "算了还是周六吧，不过下午", "周六 5-6"),
    ],
)
async def test_a_part_of_the_day_behind_but_is_wanted_where_nothing_is_refused(language, moved, corrected, place):
    chat = await chat_of(language)
    await chat.says(moved)
    await chat.answers("approve")
    chat.end = None
    await chat.says(corrected)
    assert place in card(chat).summary


@pytest.mark.parametrize(
    ("language", "planned", "words"),
    [
        ("en", "plan physics lab in the evenings", "plan it in the afternoons then"),
        ("zh", "物理实验排晚上", "那排下午"),
    ],
)
async def test_a_plan_of_which_the_limits_were_refused_is_not_made_without_any(language, planned, words):
    chat = await chat_of(language)
    await chat.says(planned)
    await chat.answers("reject")
    await chat.answers("message", words)
    assert not [done for done in chat.of("tool.finished") if done.name == "smart_planning"]


@pytest.mark.parametrize(
    ("language", "limit", "number"),
    [("en", "at most one item a day please", "hm make it two"), ("zh", "每天最多排两节", "改成四节")],
)
async def test_a_number_alone_is_the_one_of_the_wish_before(language, limit, number):
    chat = await chat_of(language)
    await chat.says(limit)
    await chat.answers("approve")
    chat.end = None
    await chat.says(number)
    await chat.answers("approve")
    assert [(wish.kind, wish.value) for wish in chat.world.wishes] == [("blocks_a_day", 2)]
