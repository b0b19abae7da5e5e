"""Messages of two requests that have nothing to do with each other, and the same two said one after the other."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from tests.conversations.checker import MOST_CARDS
from tests.conversations.world import chat_of
from tests.kits.loop.chat import Chat

REQUESTS: dict[str, tuple[tuple[str, str], ...]] = {
    "zh": (
        ("概率", "把第二章移到周六上午"), ("概率", "第一章已经做完了"),
        ("概率", "第三章改名叫矩"), ("概率", "把第五章往后推一天"),
        ("线代", "把特征值先拿出来"), ("线代", "线性代数最后加一项若尔当标准形"),
        ("线代", "行列式和矩阵运算换一下时间"), ("线代", "线性代数周三别排"),
        ("实验", "物理实验截止日期改到4月26号"), ("实验", "帮我排物理实验，周日不排"),
        ("实验", "删掉实验三"), ("词汇", "六级词汇只放晚上"),
        ("词汇", "把高频名词改成3节"), ("", "3月20号我不在，那天的挪开"),
    ),
    "en": (
        ("probability", "move chapter 2 to saturday morning"), ("probability", "I've already done chapter 1"),
        ("probability", "rename chapter 3 to Variance"), ("probability", "push chapter 5 back a day"),
        ("algebra", "take Eigenvalues out for now"), ("algebra", "add Jordan form at the end of linear algebra"),
        ("algebra", "swap Determinants and Matrices"), ("algebra", "linear algebra not on wednesdays"),
        ("lab", "the physics lab is due on april 26 now"), ("lab", "plan the physics lab, no sundays"),
        ("lab", "delete lab 3"), ("vocabulary", "vocab only in the evenings please"),
        ("vocabulary", "make Common nouns 3 periods long"), ("", "I'm away on march 20, move what's there"),
    ),
}  # fmt: skip
"""Whose each request is, and its words: of no class where it is about a day."""
JOINTS = {
    "zh": ("{one}。{two}", "{one}；{two}", "{one}，另外{two}", "{one}，然后{two}", "{one}\n{two}"),
    "en": ("{one}. {two}", "{one}; {two}", "{one}. Also, {two}", "{one}, and also {two}", "{one}\n{two}"),
}


@dataclass(frozen=True)
class TwoGoals:
    language: str
    one: str
    two: str
    text: str


def compose(seed: int) -> list[TwoGoals]:
    """Every two requests of different owners in both orders, in each language, joined by words that the seed chooses;
    mixed by the seed."""
    dice = random.Random(seed)
    found = []
    for language, requests in REQUESTS.items():
        for (whose, one), (other, two) in permutations(requests, 2):
            if whose != other:
                text = dice.choice(JOINTS[language]).format(one=one, two=two)
                found.append(TwoGoals(language, one, two, text))
    dice.shuffle(found)
    return found


async def play(language: str, *turns: str, forgets: bool = False) -> dict[str, Any]:
    """What there is when the turns are said one after the other and each card is approved; `forgets`: when each turn is
    the first that is said."""
    chat = await chat_of(language)
    for turn in turns:
        if forgets:
            _forget_words(chat)
        await chat.says(turn)
        for _ in range(MOST_CARDS):
            if chat.end is None or chat.end.interaction is None or chat.end.interaction.type != "confirm":
                break
            await chat.answers("approve")
    return state_of(chat)


def _forget_words(chat: Chat) -> None:
    document = chat.world.document
    assert document is not None
    chat.world.document = {**document, "conversation": {**document["conversation"], "dialogue": []}}


def state_of(chat: Chat) -> dict[str, Any]:
    """The places, the classes with their contents, and the marks."""
    schedule, classes = chat.schedule, chat.world.classes
    places = {entry.name: spot.place for entry in schedule.items() if (spot := schedule.spot_of(entry))}
    marks = {item_id: row.get("progress") for item_id, row in chat.world.marks.items()}
    return {
        "places": places,
        "classes": {row["id"]: {**row, "items": _contents(row)} for row in classes},
        "marks": marks,
    }


def _contents(row: dict[str, Any]) -> list[tuple[str, int | None]]:
    return [(item["content"], item.get("slot_count")) for item in row["items"]]
