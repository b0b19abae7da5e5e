"""Several changes of classes in one message, of one class or of different ones, beside words that name nothing: each
change with what it makes of the contents and the last days."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.conversations.composition.generators.student import CLASSES

Contents = dict[int, list[str]]


@dataclass(frozen=True)
class Change:
    """A way of saying a change, and what the contents and last days are then."""

    text: str
    make: Callable[[Contents, dict[int, str]], None]
    about: str


@dataclass(frozen=True)
class Several:
    """A message, and what the classes have after it."""

    language: str
    text: str
    contents: Contents
    ends: dict[int, str]


def _drop(name: str) -> Callable[[Contents, dict[int, str]], None]:
    def make(contents: Contents, _: dict[int, str]) -> None:
        for class_id, names in contents.items():
            contents[class_id] = [one for one in names if not one.endswith(name)]

    return make


def _rename(name: str, new: str) -> Callable[[Contents, dict[int, str]], None]:
    def make(contents: Contents, _: dict[int, str]) -> None:
        for class_id, names in contents.items():
            contents[class_id] = [new if one.endswith(name) else one for one in names]

    return make


def _add(class_id: int, *new: str) -> Callable[[Contents, dict[int, str]], None]:
    return lambda contents, _: contents[class_id].extend(new)


def _split(name: str, *new: str) -> Callable[[Contents, dict[int, str]], None]:
    def make(contents: Contents, _: dict[int, str]) -> None:
        for names in contents.values():
            if name in names:
                at = names.index(name)
                names[at : at + 1] = new

    return make


def _end(class_id: int, day: str) -> Callable[[Contents, dict[int, str]], None]:
    return lambda _, ends: ends.update({class_id: day})


CHANGES = {
    "zh": (
        Change("第8章不考了，删掉", _drop("第8章"), "第8章"), Change("实验六取消了", _drop("实验六"), "实验六"),
        Change("把Unit 6从英语六级里去掉", _drop("Unit 6"), "Unit 6"),
        Change("第3章改名叫随机变量", _rename("第3章", "随机变量"), "第3章"),
        Change("实验二的名字应该叫光的干涉", _rename("实验二", "光的干涉"), "实验二"),
        Change("给概率论加两项：习题课、模拟考", _add(5, "习题课", "模拟考"), "加5"),
        Change("英语六级再加上听力和写作", _add(6, "听力", "写作"), "加6"),
        Change("物理实验加一项“预习报告”，放在最后", _add(7, "预习报告"), "加7"),
        Change("第4章其实是两部分：期望、方差", _split("第4章", "期望", "方差"), "第4章"),
        Change("概率论考试改到5月8日", _end(5, "2026-05-08"), "止5"),
        Change("物理实验的截止日期推迟到5月15日", _end(7, "2026-05-15"), "止7"),
    ),
    "en": (
        Change("chapter 8 is not examined, drop it", _drop("Chapter 8"), "Chapter 8"),
        Change("lab 6 is cancelled", _drop("Lab 6"), "Lab 6"),
        Change("remove unit 6 from CET-6 words", _drop("Unit 6"), "Unit 6"),
        Change("rename chapter 3 to Random variables", _rename("Chapter 3", "Random variables"), "Chapter 3"),
        Change("lab 2 should be called Interference", _rename("Lab 2", "Interference"), "Lab 2"),
        Change("add two items to probability: exercises and mock exam", _add(5, "exercises", "mock exam"), "add 5"),
        Change("add listening, reading and writing to CET-6", _add(6, "listening", "reading", "writing"), "add 6"),
        Change("add lab 7 to the physics labs", _add(7, "Lab 7"), "add 7"),
        Change("chapter 4 is really two things: expectation and variance", _split("Chapter 4", "expectation",
               "variance"), "Chapter 4"),
        Change("the probability exam is now on 8 May", _end(5, "2026-05-08"), "end 5"),
        Change("the deadline of the physics labs moved to 15 May", _end(7, "2026-05-15"), "end 7"),
    ),
}  # fmt: skip
JOINTS = {"zh": ("，另外", "；", "。"), "en": (", and ", "; ", ". Also, ")}
REMARKS = {"zh": ("", "，老师刚说的", "，其他不变"), "en": ("", ", the prof just said so", ", the rest stays")}


def compose(seed: int, count: int) -> list[Several]:
    """So many messages of two changes that are not about the same, and now and then of three."""
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        language = dice.choice(("zh", "en"))
        chosen = dice.sample(CHANGES[language], dice.choice((2, 2, 3)))
        if len({one.about for one in chosen}) < len(chosen):
            continue
        contents = {class_id: list(items) for class_id, _, items in CLASSES[language]}
        ends = dict.fromkeys(contents, "2026-05-10")
        for one in chosen:
            one.make(contents, ends)
        text = dice.choice(JOINTS[language]).join(one.text for one in chosen) + dice.choice(REMARKS[language])
        found.append(Several(language, text, contents, ends))
    return found
