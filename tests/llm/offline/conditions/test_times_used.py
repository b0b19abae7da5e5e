"""What becomes of times: impossible ones are asked about, runs are searched, each of several days is kept free."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of
from tests.kits.offline.conversations import card, planned, said


@pytest.mark.parametrize(
    ("message", "asked", "answer", "meant"),
    [
        ("第2章移到4月31日", "4月31日", "3月22日", "移到周日"),
        ("第2章移到第25周", "这学期有 20 周", "第4周", "移到第4周"),
        ("第2章移到周三第15节", "每天有 12 节", "第5节", "移到周三 5-6 节"),
        ("move chapter 2 to 31 April", '"31 april"', "22 March", "wk 3 Sun"),
        ("move chapter 2 to Wednesday section 14", "12 periods", "period 5", "wk 3 Wed 5-6"),
        ("概率论复习延长到4月31日", "没有「4月31日」", "4月30日", "更新任务类「概率论复习」"),
    ],
)
async def test_an_impossible_time_is_asked_about_and_the_answer_stands_in_its_place(message, asked, answer, meant):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    assert asked in chat.of("interrupt.raised")[0].question
    assert not chat.of("confirm.requested")
    await chat.answers("message", answer)
    assert meant in card(chat).summary


async def test_a_question_about_an_impossible_day_is_answered_for_the_day_that_was_meant():
    chat = await planned()
    await chat.says("3月32号有空吗")
    assert "没有「3月32" in chat.of("interrupt.raised")[0].question
    await chat.answers("message", "3月20号")
    assert [event.name for event in chat.of("tool.started")] == ["query_timetable"]


@pytest.mark.parametrize(
    ("message", "filters"),
    [
        ("把第1章移到3月20日到3月25日之间", {"day_start": 5, "day_end": 10}),
        ("move chapter 1 to after 24 March", {"day_start": 10, "day_end": 14}),
        ("第1章放到周四到周六", {"day_of_week": [4, 5, 6]}),
        ("第2章移到周末之前", {"day_of_week": [1, 2, 3, 4, 5]}),
    ],
)
async def test_every_day_of_a_run_is_searched(message, filters):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    looked = [event.arguments for event in chat.of("tool.started") if event.name == "find_first_free"]
    assert [{key: row[key] for key in filters} for row in looked] == [filters]


async def test_each_of_several_days_is_kept_free_and_none_between_them():
    chat = await planned()
    await chat.says("3月18号下午和3月20号晚上我有事，空出来")
    wishes = []
    for _ in range(2):
        await chat.answers("approve")
        wishes += [event.arguments for event in chat.of("tool.started") if event.name == "replan"]
    assert wishes == [
        {"kind": "keep_free", "from_date": "2026-03-18", "section_from": 5, "section_to": 8},
        {"kind": "keep_free", "from_date": "2026-03-20", "section_from": 9, "section_to": 12},
    ]


async def test_days_without_a_task_do_not_hide_those_with_one():
    chat = await planned()
    await chat.says("3月18到20号，还有25号我不在")
    assert "3 月 20 日" in card(chat).summary
    await chat.answers("approve")
    assert "3 月 25 日" in card(chat).summary


@pytest.mark.parametrize(
    "message", ["3月16号到3月21号之间的都移出", "take everything from 16 to 21 March out", "周二和周六的都移出"]
)
async def test_items_are_picked_by_any_time_they_stand_in(message):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    assert "第1章" in card(chat).summary
    assert "第2章" in card(chat).summary
    assert "第3章" not in card(chat).summary


@pytest.mark.parametrize(
    ("message", "told"), [("every other Tuesday is blocked", "every other tuesday"), ("隔周的周三别排", "隔周的周三")]
)
async def test_what_comes_again_but_not_each_time_is_told(message, told):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    assert told in said(chat)


@pytest.mark.parametrize(
    ("message", "last_day"),
    [("概率论复习再延两周", "2026-04-12"), ("Extend Probability for two more weeks", "2026-04-12")],
)
async def test_a_class_gets_more_time(message, last_day):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    await chat.answers("approve")
    assert next(row for row in chat.world.classes if row["id"] == 5)["end_date"] == last_day


async def test_a_date_alone_right_after_a_last_day_is_the_last_day_again():
    chat = await planned()
    await chat.says("概率论复习截止改到3月31号")
    await chat.says("改成30日")
    await chat.answers("approve")
    row = next(row for row in chat.world.classes if row["id"] == 5)
    assert (row["start_date"], row["end_date"]) == ("2026-03-16", "2026-03-30")


@pytest.mark.parametrize(
    ("message", "kept_out", "kept_free"),
    [
        ("除了周三以外下周都没空", "3 月 18 日", "3 月 16 日 周一 – 3 月 17 日 周二 留空"),
        ("下周都没空，18号例外", "3 月 18 日", "3 月 16 日 周一 – 3 月 17 日 周二"),
        *(
            (f"{away}，{but}", "3 月 18 日", "3 月 16 日 周一 – 3 月 17 日 周二")
            for away in ("下周我都没空", "16号到22号我不在", "16到22号去实习，没法学习")
            for but in ("不过周三可以学", "但是18号可以", "18号除外")
        ),
        *(
            (f"{away} {but}", "18 Mar", "Mon, Mar 16 – Tue, Mar 17 is kept free")
            for away in ("I'm away from the 16th to the 22nd,", "no time next week")
            for but in ("but wednesday works", "but the 18th is fine")
        ),
    ],
)
async def test_a_day_that_is_left_out_of_what_is_kept_free_is_not_emptied(message, kept_out, kept_free):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    told = ""
    while cards := chat.of("confirm.requested"):
        told += cards[0].summary
        await chat.answers("approve")
    assert kept_free in told
    assert kept_out not in told


@pytest.mark.parametrize(
    "message", ["3月24到27号我不在，但是26号晚上可以", "3月24到27号去实习，没法学习，不过26号晚上能学"]
)
async def test_hours_that_are_left_out_of_what_is_kept_free_are_not_emptied(message):
    chat = await planned()
    await chat.says(message)
    told = ""
    while cards := chat.of("confirm.requested"):
        told += cards[0].summary
        await chat.answers("approve")
    assert "3 月 24 日 周二 – 3 月 25 日 周三 留空" in told
    assert "19:00" not in told


async def test_what_is_possible_again_is_no_exception_of_what_is_kept_free():
    chat = await chat_of("zh")
    await chat.says("4月3号要体检，空出来")
    await chat.answers("approve")
    await chat.says("体检提前到4月1号，3号又可以学习了")
    assert "4 月 1 日 周三 留空" in chat.of("confirm.requested")[0].summary
