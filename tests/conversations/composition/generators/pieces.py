"""Requests told in pieces over turns: each with the same request said at once, after which all ends alike."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from tests.conversations.checker import MOST_CARDS
from tests.conversations.composition.generators.goals import state_of
from tests.conversations.world import chat_of
from tests.kits.loop.chat import Chat


class Told(NamedTuple):
    """A request in pieces, and whole."""

    pieces: tuple[str, ...]
    whole: str


class _Form(NamedTuple):
    """How a request begins, its parts in words of which one is chosen, orders of them that are natural, and the
    whole."""

    begins: tuple[str, ...]
    parts: dict[str, tuple[str, ...]]
    orders: tuple[str, ...]
    whole: str


_VALUES = {
    "en": {
        "class": ("linear algebra", "probability"),
        "item": ("chapter 1", "chapter 3", "matrices", "eigenvalues"),
        "date": ("april 3", "april 9", "march 30"),
        "day": ("tuesday", "friday", "sunday"),
        "hour": ("afternoon", "evening"),
        "name": ("Basics", "Warm up"),
        "number": ("2", "3"),
    },
    "zh": {
        "class": ("线性代数", "概率论"),
        "item": ("第一章", "第三章", "矩阵运算", "特征值"),
        "date": ("4月3号", "4月9日", "3月30号"),
        "day": ("周二", "周五", "周日"),
        "hour": ("下午", "晚上"),
        "name": ("基础", "热身"),
        "number": ("两", "三"),
    },
}
_FORMS = {
    "en": (
        _Form(
            ("i have an exam", "there's an exam coming up", "i've got a test coming"),
            {"c": ("{class}", "it's {class}", "in {class} please"), "d": ("{date}", "on {date}", "it's on {date}")},
            ("c d", "d c", "c,d"),
            "i have a {class} exam on {date}",
        ),
        _Form(
            ("move something", "can you move something for me?", "let me move a step"),
            {"i": ("{item}", "it's {item}"), "d": ("to {day} {hour}", "{day} {hour}, that suits me best")},
            ("i d", "d i", "i,d"),
            "move {item} to {day} {hour}",
        ),
        _Form(
            ("move {item}", "i want to move {item}"),
            {"d": ("to {day}", "{day} please"), "h": ("{hour}", "in the {hour}")},
            ("d h",),
            "move {item} to {day} {hour}",
        ),
        _Form(
            ("i want a day off", "can i have a day off?"),
            {"d": ("{day}", "on {day}"), "w": ("next week", "only next week")},
            ("d w", "w d"),
            "keep {day} next week free",
        ),
        _Form(
            ("limit it", "set a limit per day"),
            {"n": ("{number} a day", "at most {number} a day"), "c": ("only for {class}", "just {class}")},
            ("n c", "c n"),
            "at most {number} items of {class} a day",
        ),
        _Form(
            ("rename something", "i want to rename a step"),
            {"i": ("{item}", "{item} please"), "n": ("to {name}", "call it {name}")},
            ("i n",),
            "rename {item} to {name}",
        ),
        _Form(("mark something as done",), {"i": ("{item}", "it's {item}")}, ("i",), "i finished {item}"),
        _Form(("take something out",), {"i": ("{item}", "{item} please")}, ("i",), "take {item} out"),
        _Form(
            ("add a step", "one more step please"),
            {"c": ("to {class}", "{class}"), "n": ("it's called {name}", "{name}")},
            ("c n", "n c"),
            'add "{name}" to {class}',
        ),
        _Form(
            ("change a deadline", "a deadline moved"),
            {"c": ("{class}", "of {class}"), "d": ("{date}", "to {date}")},
            ("c d", "d c"),
            "change the deadline of {class} to {date}",
        ),
        _Form(
            ("create a task", "new task please"),
            {"n": ("{name}", "it's called {name}"), "s": ("three items: A, B, C",), "d": ("until {date}",)},
            ("n s d", "d n s", "n,s d"),
            "create a task {name} with the steps A, B, C, until {date}",
        ),
    ),
    "zh": (
        _Form(
            ("有个考试", "要考试了", "跟你说一下，有个考试"),
            {"c": ("{class}", "{class}的", "是{class}吧"), "d": ("{date}", "在{date}", "{date}那天")},
            ("c d", "d c", "c,d"),
            "{class}{date}考试",
        ),
        _Form(
            ("移一下", "帮我移一项", "我想挪个东西"),
            {"i": ("{item}", "是{item}"), "d": ("到{day}{hour}", "{day}{hour}，这样比较好")},
            ("i d", "d i", "i,d"),
            "把{item}移到{day}{hour}",
        ),
        _Form(
            ("把{item}移一下", "{item}换个时间"),
            {"d": ("{day}", "到{day}吧"), "h": ("{hour}", "{hour}吧")},
            ("d h",),
            "把{item}移到{day}{hour}",
        ),
        _Form(
            ("我想休息一天", "想空一天", "给我放一天假"),
            {"d": ("{day}", "{day}吧"), "w": ("下周", "就下周")},
            ("d w", "w d"),
            "下{day}别排",
        ),
        _Form(
            ("限制一下", "我想设个上限"),
            {"n": ("每天{number}项", "一天最多{number}项"), "c": ("只管{class}", "{class}的")},
            ("n c", "c n"),
            "{class}每天最多{number}项",
        ),
        _Form(
            ("改个名", "有一项要改名"),
            {"i": ("{item}", "{item}吧"), "n": ("改成{name}", "就叫{name}")},
            ("i n",),
            "把{item}改名为{name}",
        ),
        _Form(("有一项做完了",), {"i": ("{item}", "是{item}")}, ("i",), "{item}学完了"),
        _Form(("有一项先不排了", "拿掉一个"), {"i": ("{item}", "{item}那个")}, ("i",), "把{item}拿出来"),
        _Form(
            ("加一项", "我想加个内容"),
            {"c": ("{class}里", "加到{class}"), "n": ("叫{name}", "{name}")},
            ("c n", "n c"),
            "给{class}加一项「{name}」",
        ),
        _Form(
            ("改一下截止日期", "有个截止日期变了"),
            {"c": ("{class}", "{class}的"), "d": ("{date}", "改到{date}")},
            ("c d", "d c"),
            "{class}的截止日期改成{date}",
        ),
        _Form(
            ("新建一个任务类", "加个任务类"),
            {"n": ("{name}", "叫{name}"), "s": ("三个内容：A、B、C",), "d": ("{date}截止",)},
            ("n s d", "d n s", "n,s d"),
            "新建任务类{name}，内容：A、B、C，{date}截止",
        ),
    ),
}


def make_requests(language: str, number: int, seed: int) -> list[Told]:
    """Answers this many requests in pieces, of each form about as many."""
    chance, forms, made = random.Random(seed), _FORMS[language], list[Told]()
    comma = {"en": ", ", "zh": "，"}[language]
    for at in range(number):
        form = forms[at % len(forms)]
        values = {kind: chance.choice(options) for kind, options in _VALUES[language].items()}
        order = chance.choice(form.orders)
        told = {part: chance.choice(options).format(**values) for part, options in form.parts.items()}
        said = [comma.join(told[part] for part in piece.split(",")) for piece in order.split()]
        begins = chance.choice(form.begins).format(**values)
        made.append(Told((begins, *said), form.whole.format(**values)))
    return made


async def tell(language: str, *turns: str) -> Chat:
    """Says the turns one after the other, over whatever is asked, and answers the conversation."""
    chat = await chat_of(language)
    for turn in turns:
        if _pending(chat):
            await chat.answers("message", turn)
        else:
            await chat.says(turn)
    return chat


async def play(language: str, *turns: str) -> dict[str, Any]:
    """Answers what there is when the turns are said and the cards that are open then are approved."""
    chat = await tell(language, *turns)
    for _ in range(MOST_CARDS):
        if _pending(chat) != "confirm":
            break
        await chat.answers("approve")
    return {**state_of(chat), "wishes": chat.world.wishes, "kept free": chat.world.kept_free}


def _pending(chat: Chat) -> str:
    interaction = chat.end.interaction if chat.end else None
    return interaction.type if interaction else ""
