"""New classes put together from a name, contents, dates and times, told at once or bit by bit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Told:
    """One way of saying a slot, and what the class has then."""

    text: str
    value: object = None


@dataclass(frozen=True)
class NewClass:
    """The turns in which a class is told, and what is to be saved."""

    language: str
    turns: tuple[str, ...]
    name: str
    items: object
    start: object
    end: object
    times: dict[str, list[int]]

    @property
    def key(self) -> str:
        return " // ".join(self.turns)


LIST_ZH, LIST_EN = ("选题", "数据", "分析", "报告"), ("proposal", "data", "analysis", "report")
NAMES = {"zh": ("马原", "西班牙语", "微观经济学"), "en": ("Spanish", "Microeconomics", "Marketing")}
OPENINGS = {
    "zh": ("帮我加门课，{name}", "新建一个任务类：{name}", "我想加一门{name}", "添加一个新课程叫{name}"),
    "en": ("add a class for {name}", "create a new class called {name}", "I'd like to add a {name} class",
           "can you set up a new class, {name}"),
}  # fmt: skip
NAMELESS = {"zh": ("帮我加门课", "新建一个任务类"), "en": ("add a new class", "i want to create a class")}
NAMING = {"zh": ("叫{name}吧", "就叫{name}", "{name}"), "en": ("call it {name}", "{name}", "it's called {name}")}
CONTENTS = {
    "zh": (
        Told("12个专题", 12), Told("一共五章", 5), Told("有8个单元", 8), Told("分6次学完", 6),
        Told("内容：选题、数据、分析、报告", LIST_ZH), Told("有四部分：选题、数据、分析和报告", LIST_ZH),
    ),
    "en": (
        Told("12 topics", 12), Told("five chapters", 5), Told("it has 8 units", 8), Told("10 lessons", 10),
        Told("items: proposal, data, analysis, report", LIST_EN),
        Told("with four items: proposal, data, analysis and report", LIST_EN),
    ),
}  # fmt: skip
DATES = {
    "zh": (
        Told("5月8号考试", (None, "2026-05-08")), Told("5月6日截止", (None, "2026-05-06")),
        Told("4月20号到5月10号", ("2026-04-20", "2026-05-10")), Told("5月10号之前学完", (None, "2026-05-10")),
    ),
    "en": (
        Told("the exam is on 8 May", (None, "2026-05-08")), Told("due on May 6", (None, "2026-05-06")),
        Told("from 20 April to 10 May", ("2026-04-20", "2026-05-10")),
        Told("by the end of April", (None, "2026-04-30")),
    ),
}  # fmt: skip
TIMES = {
    "zh": (Told("", {}), Told("周末不排", {"days": [6, 7]}), Told("只排晚上", {"blocks": [1, 2, 3, 4]})),
    "en": (Told("", {}), Told("no weekends", {"days": [6, 7]}), Told("evenings only", {"blocks": [1, 2, 3, 4]})),
}


def new_classes(language: str) -> list[NewClass]:
    """Every combination of contents, dates, times and ways of telling, with the wordings in turn."""
    found = []
    comma = "，" if language == "zh" else ", "
    ways = ("once", "bits", "late_name", "two", "sentences")
    cases = product(CONTENTS[language], DATES[language], TIMES[language], ways)
    for number, (contents, dates, times, way) in enumerate(cases):
        name = NAMES[language][number % 3]
        opening = OPENINGS[language][number % 4].format(name=name)
        facts = [one.text for one in (contents, dates, times) if one.text]
        match way:
            case "once":
                turns = [comma.join([opening, *facts])]
            case "bits":
                turns = [opening, *facts[:2]]
                turns[-1] = comma.join([turns[-1], *facts[2:]])
            case "late_name":
                naming = NAMING[language][number % 3].format(name=name)
                turns = [comma.join([NAMELESS[language][number % 2], *facts]), naming]
            case "two":
                turns = [opening, comma.join(facts)]
            case _:
                stop = "。" if language == "zh" else ". "
                turns = [stop.join([opening, *(fact[:1].upper() + fact[1:] for fact in facts)]) + stop.strip()]
        start, end = dates.value  # type: ignore[misc]
        found.append(NewClass(language, tuple(turns), name, contents.value, start, end, times.value))
    return found
