"""Turns that point back: to a day or a week that was spoken of, to a list that was told, to what was done before."""

from __future__ import annotations

import pytest

from tests.conversations.checker import Case, misses, play

SUBJECTS = [
    "rename lab 2 to Optics // !ok // plan them in the mornings please => says Physics Lab ; back Chapter 1",
    "reorder the labs, bridge circuit should come first // !ok // now plan them not on mondays // !ok => built 7"
    " ; back Chapter 1",
    "add Idioms to the vocab sprint // !ok // am i free on friday? // ok now plan it, evenings only // !ok => built 8",
    "how many items does linear algebra have? // keep them off sundays => says Excluded weekdays Sun",
    "list the items of physics lab // plan those three on fridays // !ok => built 7 ; class 5 excluded_days_of_week=[]",
    "六级词汇加一项 长难句 // !ok // 都安排在早上 // !ok => built 8 ; back 第一章",
    "物理实验先排好 // 都别放周一 // !ok => class 7 excluded_days_of_week=[1] ; class 5 excluded_days_of_week=[]",
    "六级词汇有几项 // 排一下吧 => built 8",
    "把六级词汇的截止改到4月12号 // !ok // 所有任务周末都别排 => says 概率论复习",
]
NARROWED = [
    "nothing on sundays from now on // i meant only linear algebra // !ok* => class 6 excluded_days_of_week=[7]"
    " ; class 5 excluded_days_of_week=[] ; back Chapter 2",
    "nothing on sundays from now on // !no // i meant the labs // !ok => class 7 excluded_days_of_week=[7]"
    " ; class 5 excluded_days_of_week=[]",
    "lab 1 only on wednesdays => card Lab 1 d3",
    "lab 1 only on wednesdays // !ok* => class 5 excluded_days_of_week=[] ; back Chapter 1",
    "都排到晚上，周一三五 // 我说的是六级词汇那几个 // !ok* => built 8 ; back 第一章 ; back 行列式",
    "i can't do tuesday and thursday evenings ever // !ok* // plan vocabulary in the evenings // !ok* => built 8"
    " ; says 2 items placed",
]
SAME = [
    "plan the vocab sprint, not on weekends // !ok // do the same for physics lab // !ok => built 7 ; built 8",
    "move chapter 3 to friday // !ok // and chapter 4? // !ok => at Chapter 3 w4 d5 ; at Chapter 4 w4 d5",
    "plan the labs in the afternoon // !ok // what about vocabulary // !ok => at Common verbs 5-8 ; at Lab 2 5-8",
    "第三章移到周六 // !ok // 第四章也是 // !ok => at 第四章 w4 d6",
    "线代都放到上午 // !ok // 那概率论呢 // !ok => at 第三章 1-4 ; at 矩阵 1-4",
]
PICKS = [
    "行列式可以放在哪几天 // 第二个 // !ok => at 行列式 w3 d2 3-4",
    "帮我看看第四章能换到哪几天 // 就第3个吧 // !ok => at 第四章 w4 d6",
    "这周哪天下午没课 // 那就周三下午吧，帮我占一下，5-6节打球 // 第一个 => says 留空",
]
WEEKS = [
    "what's on next tuesday? // and thursday? => says 19 Mar ; says Determinants",
    "what do i have on the 24th? // and the friday? => says 27 Mar",
    "what is planned for week 4? // ok and the sunday => says 29 Mar ; says Chapter 4",
    "what's on sunday week 3? // move it to saturday // !ok // what does that sunday look like now? => says 22 Mar",
    "could determinants go the week after? just asking => same ; says wk 4",
    "what if eigenvalues went to the following week, would it work? => same ; says wk 6",
    "下周都有啥 // 周四呢 => says 3月19 ; says 行列式",
    "24号有安排吗 // 那周五呢 => says 3月27",
    "要是特征值挪到后一周，行不行 => same ; says 第6周",
]
COUNTED = [
    "move the four linear algebra items one day later => card Determinants +1 ; card Eigenvalues +1",
    "嗯…线代的四个都往后延一周行不行 => card 行列式 +7 ; card 特征值 +7",
    "线性代数有哪几项没学 // 四个都往后挪一天 => card 行列式 +1 ; card 向量 +1",
]
SAID_DAYS = [
    "i can't do march 26 and march 27 // !ok // what could i do on one of those evenings? => says 26 Mar ; says 27 Mar",
    "move everything off friday 27 march // how about that saturday, is it free? => says 28 Mar",
    "which chapter comes on a sunday? // move the second one to monday => card Chapter 4 d1",
    "is there anything else on the day of chapter 3? => same ; says 26 Mar",
    "3月26和27号我不在 // !ok // 那两天还有什么 => says 3月26 ; says 3月27",
    "把第二章挪到周一 // !ok // 还有哪个在周末的 => says 第五章 ; says 特征值",
    "概率论里哪几项在周末 => says 3 项 ; says 4月4",
    "第一章那天还有别的吗 => same ; says 3月17",
]
TICKED = [
    "is chapter 3 ticked off yet? // mark it then // !ok => marked Chapter 3 done",
    "刚考完第三章小测，是不是可以划掉了？ // 对，划掉 // !ok => marked 第三章 done",
    "行列式和矩阵能标成做完吗 // 可以 // !ok => marked 行列式 done ; marked 矩阵 done",
]
DAYS = [
    "move chapter 3 to saturday morning // !ok // and chap 4 to the same day, but in the afternoon // !ok"
    " => at Chapter 3 w4 d6 1-4 ; at Chapter 4 w4 d6 5-8",
    "move vector spaces from the 31st to the evening of the day before // !ok // a bit later // !ok"
    " => at Vector w5 d1 10-12",
    "move the 24th's matrices to the evening before // !ok => at Matrices w4 d1 9-12",
    "把第三章挪到周六上午 // !ok // 第四章也放那天，不过下午 // !ok => at 第三章 w4 d6 1-4 ; at 第四章 w4 d6 5-8",
    "把31号的向量组挪到它前一天的晚上 // !ok // 再晚一点 // !ok => at 向量组 w5 d1 11-12",
    "把4月4号的第五章移到前一天下午 // !ok => at 第五章 w5 d5 5-8",
]
LISTS = [
    "which evenings next week are completely empty? // put chapter 1 in the wednesday one // !ok"
    " => at Chapter 1 w3 d3 9-12",
    "what's on in week 4 // move the tuesday one to wednesday // !ok => at Matrices w4 d3 ; back Chapter 1",
    "what's on thursday in week 4? // move the chapter that was there to saturday // !ok => at Chapter 3 w4 d6",
    "move the chapter that is on sunday of week 4 to saturday // !ok => at Chapter 4 w4 d6",
    "when are chapter 3 and chapter 4? // move the second one back a day // !ok => at Chapter 4 w5 d1 ; back Chapter 2",
    "what's next // and after that? => says After that ; says Matrices",
    "下周哪几个晚上有空 // 第一章放周三那个吧 // !ok => at 第一章 w3 d3 9-12",
    "第三章和第四章在哪天 // 第二个往后推一天 // !ok => at 第四章 w5 d1 ; back 第二章",
    "把第4周周四的那章挪到周五 // !ok => at 第三章 w4 d5 ; back 矩阵",
]
ONE_OF_THEM = [
    "what's on in week 3? // can you move one of them to week 4 => asks Determinants ; same",
    "how many hours of linear algebra are in week 5? // move one of them to week 4 => asks Vector ; same",
    "how many items in week 5? // drop one of them => asks Eigenvalues ; same",
    "what's on next week // move one of them to week 4 // determinants // !ok => at Determinants w4 ; back Chapter 1",
    "move vector spaces or chapter 5 to friday of week 5 // the first // !ok => at Vector w5 d5 ; back Chapter 5",
    "第5周线代有多少 // 太多了，挪一个到第4周 => asks 特征值 ; same",
    "把矩阵运算或者第三章挪到第4周周五 // 第二个 // !ok => at 第三章 w4 d5 ; back 矩阵",
]
CHECKED = [
    "would matrices fit on wednesday evening of week 4? // then move it there // !ok => at Matrices w4 d3 9-12",
    "what if chapter 2 was on saturday morning? // ok do that // !ok => at Chapter 2 d6 1-4",
    "假如第二章挪到周一晚上会不会撞上啥 // 那就挪吧 // !ok => at 第二章 w4 d1 9-10",
    "如果第三章改到周五下午会怎么样 // 好，改吧 // !ok => at 第三章 d5 5-8",
]
MADE = [
    "plan physics lab but nothing before april 1 // !ok // actually do vocab as well, same condition // !ok"
    " => built 7 ; built 8 ; back Chapter 1 ; back Matrices",
    "create a class Driving theory with signs, rules, hazards, until april 10 // !ok // plan it now, evenings only"
    " // !ok* => at signs 9-12 ; at rules 9-12 ; back Chapter 1 ; back Matrices",
    "add Chapter 7 Regression to probability // !ok // when could I do that? // put it there // !ok => in Chapter 7",
    "the linear algebra test is on 7 april // !ok* // what's the last thing before it? => says Eigenvalues",
    "新建书法：楷书、行书，3月23到4月12 // !ok // 顺便排上，上午 // !ok* => at 楷书 1-4 ; back 第一章 ; back 行列式",
    "排物理实验，只要晚上 // !ok* // 六级词汇也同样 // !ok* => at 高频动词 9-12 ; back 第一章",
]


def _case(line: str) -> Case:
    turns, wanted = line.split(" => ")
    language = "en" if turns.isascii() else "zh"
    parts = [tuple(one.strip() for one in side.split(cut)) for side, cut in ((turns, "//"), (wanted, " ; "))]
    return Case(language, 0, *parts)


async def _holds(line: str) -> None:
    case = _case(line)
    played = await play(case)
    assert not misses(case, played), played.said
    assert not played.false


@pytest.mark.parametrize("line", SUBJECTS)
async def test_a_plan_that_names_nothing_is_of_the_class_the_talk_is_about(line):
    await _holds(line)


@pytest.mark.parametrize("line", NARROWED)
async def test_a_rule_for_all_is_narrowed_to_those_that_are_named(line):
    await _holds(line)


@pytest.mark.parametrize("line", SAME)
async def test_the_same_is_done_to_others_that_are_named(line):
    await _holds(line)


@pytest.mark.parametrize("line", PICKS)
async def test_a_number_picks_from_the_list_that_was_offered_last(line):
    await _holds(line)


@pytest.mark.parametrize("line", WEEKS)
async def test_a_weekday_and_the_week_after_belong_to_the_week_spoken_of(line):
    await _holds(line)


@pytest.mark.parametrize("line", COUNTED)
async def test_all_items_of_a_class_are_meant_where_they_are_counted(line):
    await _holds(line)


@pytest.mark.parametrize("line", SAID_DAYS)
async def test_the_days_that_were_told_are_pointed_to(line):
    await _holds(line)


@pytest.mark.parametrize("line", TICKED)
async def test_what_was_asked_to_be_ticked_off_is_marked_by_consent(line):
    await _holds(line)


@pytest.mark.parametrize("line", DAYS)
async def test_a_day_is_told_by_that_of_what_was_moved(line):
    await _holds(line)


@pytest.mark.parametrize("line", LISTS)
async def test_an_answer_is_pointed_into(line):
    await _holds(line)


@pytest.mark.parametrize("line", ONE_OF_THEM)
async def test_which_one_is_asked_and_never_all_are_changed(line):
    await _holds(line)


@pytest.mark.parametrize("line", CHECKED)
async def test_what_was_checked_is_done(line):
    await _holds(line)


@pytest.mark.parametrize("line", MADE)
async def test_what_follows_a_class_or_a_plan_is_of_it_alone(line):
    await _holds(line)


@pytest.mark.parametrize(
    ("line", "day"),
    [
        (
            "my sister's wedding is on the 24th, can you clear that day // !ok // and the day after, to recover",
            24,
        ),
        ("i'm away on the 22nd, nothing then // !ok // also the day before", 20),
        ("31号的都挪走 // !ok // 第二天也是", 31),
        ("29号我有事，清空那天 // !ok // 前一天也一样", 27),
    ],
)
async def test_the_day_beside_stays_free_too(line, day):
    played = await play(_case(f"{line} // !ok => any"))
    assert (day, 5) in played.chat.world.kept_free


@pytest.mark.parametrize(
    ("line", "name", "free"),
    [
        ("i'm out on the 4th of april, is anything on then? // move it to the 6th // !ok*", "Chapter 5 w6 d1", 34),
        ("24号要体检，把那天空出来 // 挪到周五吧 // !ok*", "矩阵 w4 d5", 23),
    ],
)
async def test_what_stood_there_goes_elsewhere_and_the_day_is_kept_free(line, name, free):
    case = _case(f"{line} => at {name}")
    played = await play(case)
    assert not misses(case, played)
    assert {day for day, _ in played.chat.world.kept_free} == {free}
