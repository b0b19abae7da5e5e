"""A clause that comments on a request, or leaves it open, changes nothing of what it wants; what no word asks for is
asked about, never done at once."""

from __future__ import annotations

import random

import pytest

from tests.conversations.composition.generators.goals import REQUESTS, play, state_of
from tests.conversations.world import chat_of

AROUND = {
    "zh": (
        "{said}，具体你看着办",
        "忘了说，{said}",
        "{said}，不着急，慢慢来",
        "我又想了想，{said}",
        "{said}，我也没别的要求",
        "说真的，{said}",
        "我刚发现一个问题，{said}",
        "{said}，还没开始看",
        "{said}，这样应该会好一些",
    ),
    "en": (
        "honestly, {said}",
        "{said}, no rush",
        "{said}, if that's ok with you",
        "i forgot to mention that, {said}",
        "{said}, you decide the details",
        "i just found out about this, so {said}",
        "{said}, i'd feel better that way",
        "{said}. No pressure though",
        "{said}, the rest we can figure out later",
    ),
}
CASES = [
    (language, said, around.format(said=said))
    for language, requests in REQUESTS.items()
    for _, said in requests
    for around in AROUND[language]
    if not ("开始" in around and "完" in said)  # which tells of progress too
]


@pytest.mark.parametrize(("language", "said", "whole"), random.Random(5).sample(CASES, 20))
async def test_a_commented_request_ends_like_the_request(language, said, whole):
    assert await play(language, whole) == await play(language, said)


@pytest.mark.long
@pytest.mark.parametrize(("language", "said", "whole"), CASES)
async def test_every_commented_request_ends_like_the_request(language, said, whole):
    assert await play(language, whole) == await play(language, said)


@pytest.mark.parametrize(
    ("language", "whole", "said"),
    [
        ("zh", "线代先不排了 从计划里拿掉 以后再说", "线代先不排了 从计划里拿掉"),
        ("zh", "参数估计挪到第6周吧，具体哪天你看着办", "参数估计挪到第6周吧"),
        ("zh", "加一门毛概，月底考试，一共8章，还没开始看", "加一门毛概，月底考试，一共8章"),
        ("zh", "第三章拆成两次，一次讲期望方差，一次讲协方差", "第三章拆成期望方差和协方差"),
        ("zh", "六级词汇冲刺加一项听力 漏掉了", "六级词汇冲刺加一项听力"),
        ("en", "I finished the first two chapters of probability last weekend", "I finished chapters 1 and 2"),
        ("en", "I just found out that I'm away on march 20", "I'm away on march 20"),
        ("en", "spring break is april 1 to april 6, no work then please", "keep april 1 to april 6 free"),
    ],
)  # fmt: skip
async def test_what_is_told_beside_it_is_no_part_of_a_request(language, whole, said):
    assert await play(language, whole) == await play(language, said)


@pytest.mark.parametrize(
    ("language", "said", "names"),
    [
        ("zh", "线代加一项，提问", ["提问"]),
        ("zh", "给线代加两项 慢慢来 和 补充", ["慢慢来", "补充"]),
        ("en", "add three steps to vocab: Question, Notice, Works", ["Question", "Notice", "Works"]),
        ("en", "create a task Psychology with thinking, feeling, hope from 16 March to 5 April",
         ["thinking", "feeling", "hope"]),
    ],
)  # fmt: skip
async def test_what_is_given_as_a_name_is_no_comment(language, said, names):
    items = [name for row in (await play(language, said))["classes"].values() for name, _ in row["items"]]
    assert [name for name in items if name in names] == names


@pytest.mark.parametrize(
    ("language", "said", "names"),
    [
        ("zh", "把行列式拆成两次，一次讲解，一次提问", ["一次讲解", "一次提问"]),
        ("zh", "把行列式拆成两半，上半讲定义，下半讲计算", ["定义", "计算"]),
        ("en", "add a step called One for the Road to vocab", ["One for the Road"]),
    ],
)
async def test_only_which_part_of_something_split_it_is_goes_from_a_name(language, said, names):
    items = [name for row in (await play(language, said))["classes"].values() for name, _ in row["items"]]
    assert [name for name in items if name in names] == names


async def test_second_thoughts_between_two_wishes_are_no_comment():
    chat = await chat_of("zh")
    await chat.says("第五章挪到周五，想了想，还是周六")
    assert chat.end.interaction.type == "ask_user"  # it is on Saturday already


@pytest.mark.parametrize(
    ("language", "whole", "said"),
    [("zh", "忘了说，不要周末", "不要周末"), ("zh", "我想了想，周五不行", "周五不行")],
)
async def test_a_comment_is_left_out_beside_few_words_too(language, whole, said):
    assert await play(language, whole) == await play(language, said)


@pytest.mark.parametrize(
    ("language", "said"),
    [("zh", "取消前两个实验"), ("zh", "物理实验砍掉后两个"), ("en", "cut the first two labs"),
     ("en", "get rid of the last two labs")],
)  # fmt: skip
async def test_items_that_words_take_away_are_on_a_card_at_once(language, said):
    chat = await chat_of(language)
    await chat.says(said)
    assert chat.end.interaction.type == "confirm"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh", "把六级词汇和概率论合并成一个"),
        ("zh", "合并六级和物理实验"),
        ("zh", "概率论对我来说很难，给它多一点权重"),
        ("en", "merge vocab and the physics lab"),
    ],
)
async def test_what_no_word_asks_for_is_asked_about(language, said):
    chat = await chat_of(language)
    before = state_of(chat)
    await chat.says(said)
    assert chat.end.interaction is not None
    assert chat.end.interaction.type == "ask_user"
    assert state_of(chat) == before


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("never have two maths topics on consecutive days, and put lab 2 on april 1", "consecutive days"),
        ("i'd like to do more next week and less in week 5", "more next week"),
    ],
)
async def test_a_wish_that_was_not_read_is_told(said, told):
    chat = await chat_of("en")
    await chat.says(said)
    heard = "\n".join(event.full_content for event in chat.of("text.ended") if not event.superseded)
    assert told in heard


@pytest.mark.parametrize(
    ("language", "said"),
    [
        *(("zh", said) for said in ("别删实验三，我可能要用", "实验三不要删，可能会用到", "别拆实验三")),
        *(("en", said) for said in ("don't drop lab 3", "do not delete lab 3, it is fun", "don't split lab 3")),
    ],
)
async def test_what_is_not_to_be_done_to_contents_is_not_done(language, said):
    chat = await chat_of(language)
    before = state_of(chat)
    await chat.says(said)
    assert chat.end.interaction is None
    assert state_of(chat) == before


@pytest.mark.parametrize(
    ("language", "whole", "said"),
    [("zh", "别删实验三，删实验二", "删掉实验二"), ("en", "don't delete lab 3, delete lab 2", "delete lab 2")],
)
async def test_what_is_done_beside_what_is_not_is_done(language, whole, said):
    assert await play(language, whole) == await play(language, said)
