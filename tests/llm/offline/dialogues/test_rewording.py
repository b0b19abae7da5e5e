"""The policy remembers what was done from the state: other words to the student lead to the same conversation.

Each conversation is played twice with the same student. The second time every sentence that the policy or the loop
speaks is replaced by another one, at once and in the stored document; only the names and the [id] of items stay in it,
for a student may point to what was shown. The words of the buttons are others too: they are known by their ids.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
import random
import re

import pytest

from agent.llm.offline.backend import OfflineModel
from agent.llm.scripted import chunks
from agent.loop.outside.model import Text
from agent.loop.state.agent_state import AgentState
from schedules.planner.draft.codec import state_to_json
from schedules.planner.grid import day_number
from tests.kits.budgets import KIND
from tests.kits.loop.chat import Chat
from tests.kits.loop.goals import tight_world
from tests.kits.loop.world import World, course, task_class
from tests.kits.offline.wandering import step, world_of
from tests.kits.offline.whole import lessons


class OtherWords:
    """Makes another sentence of each sentence, never the same one twice."""

    def __init__(self, names):
        self._numbers = itertools.count(1)
        self._named = re.compile("|".join([r"\[\d+\]", *map(re.escape, sorted(names, key=len, reverse=True))]))

    def __call__(self, text):
        named = " ".join(self._named.findall(text))
        return f"Rephrased {next(self._numbers)}. {named}" if text else text

    def put(self, rows, *keys):
        """Rewords these keys of each row that there is."""
        for row in rows:
            for key in keys if row else ():
                row[key] = self(row[key])


class RewordedModel(OfflineModel):
    """The offline backend, its decisions as they are, its sentences in other words."""

    def __init__(self, other):
        self._other = other

    async def stream(self, request):
        said = "".join([delta.text async for delta in super().stream(request) if isinstance(delta, Text)])
        for delta in chunks(self._decision(said) if request.decides else self._other(said)):
            yield delta

    def _decision(self, said):
        decision = json.loads(said)
        self._other.put([decision], "speak")
        self._other.put([decision.get("abort")], "user_message")
        self._other.put(decision.get("steps", []), "content", "done_when")
        self._other.put(decision.get("options", []), "label")
        return json.dumps(decision, ensure_ascii=False)


def reword_document(document, other):
    """The stored conversation with other words for everything that was said to the student."""
    document = copy.deepcopy(document)
    conversation, run, plan = document["conversation"], document["run"], document["plan"]
    other.put([turn for turn in conversation["dialogue"] if turn["role"] == "assistant"], "text")
    other.put([turn for turn in run["turns"] if turn["question"]], "text", "question")
    other.put([conversation.get("last_change"), run.get("change")], "told")
    other.put([run["interaction"], run["pending"]], "question")
    other.put(run["pending"]["options"] if run["pending"] else [], "label")
    other.put([*plan["steps"], *(run["interaction"] or {}).get("steps", [])], "content", "done_when")
    other.put(run["receipts"], "summary")
    other.put(run["calls"], "summary", "observation", "thought")
    other.put([run["outcome"]], "user_message")
    run["questions"] = [other(question) for question in run["questions"]]
    AgentState.from_document(document)
    return document


class RewordedChat(Chat):
    """A conversation in which nothing that was said to the student is worded as the code words it."""

    def __init__(self, world):
        self.other = OtherWords([item["content"] for row in world.classes for item in row["items"]])
        super().__init__(world, model=RewordedModel(self.other))

    async def run(self, request):
        end = await super().run(request)
        self.world.document = reword_document(self.world.document, self.other)
        pending = end.interaction
        if pending is not None:
            options = [row.model_copy(update={"label": self.other(row.label)}) for row in pending.options]
            pending.question, pending.options = self.other(pending.question), options
        return end


def story(chat):
    """What the last run did: calls and their results, status, cards and questions, how it ended, the draft."""
    lines = []
    for event in chat.events:
        if event.type == "tool.started":
            lines.append(["call", event.name, event.arguments])
        elif event.type == "tool.finished":
            lines.append(["result", event.name, event.status])
        elif event.type == "status.changed":
            lines.append(["status", event.stage, event.code])
        elif event.type == "confirm.requested":
            lines.append(["card", event.subject, event.tool, event.changes])
        elif event.type == "interrupt.raised":
            lines.append(["question", [option.id for option in event.options]])
        elif event.type == "text.ended":
            lines.append(["text", event.block_id, event.superseded])
    schedule = state_to_json(chat.schedule) if chat.schedule is not None else None
    return [*lines, ["end", chat.end.outcome, chat.end.code], ["draft", schedule], ["classes", chat.world.classes]]


class Student:
    """Plays the moves of a conversation: a message, a button, words typed as an answer (`= `), an option (`# `), or
    something that happens elsewhere."""

    def __init__(self, chat):
        self.chat = chat

    async def plays(self, move):
        if callable(move):
            move(self.chat.world)
        elif move in ("approve", "reject", "cancel"):
            await self.chat.answers(move)
        elif move.startswith("= "):
            await self.chat.answers("message", move[2:])
        elif move.startswith("# "):
            await self.chat.answers("reply", option=move[2:])
        else:
            await self.chat.says(move)
        return story(self.chat)


def term():
    names = ("概率论复习", "线性代数")
    return World(
        classes=[task_class(5 + n, name, "2026-03-16", "2026-03-29") for n, name in enumerate(names)], events=lessons()
    )


PLANNED = ("把概率论复习排好，只要初稿",)
MOVED = (*PLANNED, "第2章移到周日上午", "approve")
CONVERSATIONS = {
    "a move is taken back": (*MOVED, "改回去", "approve", "刚才改了什么"),
    "a removal is taken back": (*PLANNED, "第2章移出", "approve", "撤销", "approve"),
    "a placement is taken back": (
        *PLANNED, "第3章移出", "approve", "第3章放到第4周周六上午", "approve", "还原", "approve",
    ),
    "a build is not taken back": (*PLANNED, "改回去", "刚才改了什么"),
    "what was done before another request": (
        *PLANNED, "第3章移到第4周周日上午，第1章移出", "approve", "= 周五有空吗", "刚才改了什么", "改回去", "approve",
    ),
    "what was left unfinished is taken back": (
        *PLANNED, "第3章移到第4周周日上午，第1章移出", "approve", "cancel", "改回去", "approve",
    ),
    "places are picked by number": (*PLANNED, "第2章挪一下", "= 别的时间", "= 2", "approve"),
    "places are picked by a button": (*PLANNED, "第2章挪一下", "# choice_2", "approve", "改到后一天"),
    "an item is picked by a button": (*PLANNED, "看看课表", "把它移到周五", "# choice_3", "approve"),
    "a class is picked by a button": (*PLANNED, "删掉一个任务类", "# class_6", "approve"),
    "items without a place are placed by a button": (*PLANNED, "第2章移出", "approve", "体检", "# choice_1", "approve"),
    "the same places are not offered twice": (*PLANNED, "第2章挪一下", "= 别的时间", "= 还有吗", "= 还有吗"),
    "a number over a card picks nothing": (*PLANNED, "第2章挪一下", "= 1", "= 2", "= 3"),
    "consent over a card": (*PLANNED, "第2章移到周日上午", "= 好的", "approve"),
    "consent to what is not understood": (
        "新建任务类「离散数学」，3月16日到3月29日，共4节，内容：集合、图", "reject", "= 这个嘛", "= 好的", "approve",
    ),
    "a plan that was refused": ("先列步骤再排概率论复习", "= 我不想这样", "= 只要初稿", "approve"),
    "consent typed over a plan": ("先列步骤再排概率论复习", "= 好的", "approve"),
    "the steps of a plan": ("先列步骤再排课", "# class_5", "approve"),
    "the class of a plan is asked three times": ("先列步骤再排课", "= 嗯", "= 嗯", "= 嗯"),
    "a class of the list": ("帮我排课，只要初稿", "# class:6", "为什么这样排", "体检"),
    "all classes of the list": ("帮我排课，只要初稿", "# all"),
    "a new class of the list": ("帮我排课", "# new", "= 离散数学，3月16日到3月29日", "= 集合、图、树", "approve"),
    "a pronoun for what was shown": (*PLANNED, "第2章在哪", "把它移到周日上午", "approve", "它在哪"),
    "a pronoun for several": (*PLANNED, "看看还有哪些没排", "看看课表", "把它移到周五"),
    "items without a place": (*PLANNED, "第2章移出", "approve", "体检", "= 放进空位", "approve"),
    "items that are left out": (*PLANNED, "第2章移出", "approve", "体检", "= 2"),
    "a question three times": ("新建任务类「英语」", "= 什么", "= 什么"),
    "a card refused in silence": (*PLANNED, "第2章移到周日上午", "reject", "= 周六下午", "reject", "= 保持不变"),
}  # fmt: skip


async def play(world, moves):
    plain, reworded = Student(Chat(world(), model=OfflineModel())), Student(RewordedChat(world()))
    for move in moves:
        assert await reworded.plays(move) == await plain.plays(move), move
    return plain.chat


@pytest.mark.parametrize("moves", CONVERSATIONS.values(), ids=CONVERSATIONS)
async def test_other_words_lead_to_the_same_conversation(moves):
    await play(term, moves)


@pytest.mark.parametrize("moves", [("= 4",), ("= 1", "= 到4月12日", "approve"), ("= 接受风险",)])
async def test_a_way_out_of_what_does_not_fit_is_taken_under_other_words(moves):
    chat = await play(tight_world, ("排好，只要初稿", lesson_on_saturday, "体检", *moves))
    assert chat.end.outcome == "completed"


def lesson_on_saturday(world):
    world.events.append(course(99, "补课", day_number(3, 6), 11, 12))
    world.base_version += 1


@pytest.mark.parametrize("seed", range(12 if KIND == "long" else 6))
async def test_other_words_lead_a_wandering_student_the_same_way(seed):
    plain, reworded = (
        Chat(world_of(random.Random(seed)), model=OfflineModel()),
        RewordedChat(world_of(random.Random(seed))),
    )
    dice, other_dice = random.Random(-seed), random.Random(-seed)
    for _ in range(6):
        await asyncio.wait_for(step(plain, dice), 30)
        await asyncio.wait_for(step(reworded, other_dice), 30)
        assert story(reworded) == story(plain)
