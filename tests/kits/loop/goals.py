"""Goals in the states that many tests start from: a first plan, an open card, a plan that waits for consent."""

from __future__ import annotations

from typing import Any

from agent.loop.state.draft import DraftPart
from schedules.planner.draft.operations import MoveOp
from schedules.planner.grid import day_number
from tests.kits.loop.chat import DONE, Chat, build, call, route, world
from tests.kits.loop.world import World, course, task_class

MOVE = {"new_day": 10, "new_slot_start": 9}


async def built(**more: Any) -> Chat:
    """A conversation with a first plan; the last item can be moved on its day."""
    chat = Chat(world(**more)).plays({"route": "execute", "needs_rough_build": True}, "排好了。")
    await chat.says("帮我把概率论复习排好，只要初稿", task_class_ids=(5,))
    assert chat.end is not None
    assert chat.end.outcome == "completed"
    return chat


def last_item(chat: Chat) -> Any:
    return list(chat.schedule.items())[-1]


def moved(chat: Chat, **more: Any) -> dict[str, Any]:
    return call("move", {"task_id": last_item(chat).state_id, **MOVE}, **more)


async def carded(**more: Any) -> Chat:
    chat = await built(**more)
    chat.plays(route("execute"), moved(chat, speak="可以挪。"))
    await chat.says("把最后一次挪到晚上")
    return chat


def drag(item: Any, day: int, first: int) -> Any:
    def change(part: DraftPart) -> None:
        assert part.schedule is not None
        part.schedule = MoveOp(item.state_id, day, first).apply(part.schedule)

    return change


PLAN = {
    "action": "plan_done",
    "speak": "我拟了两步。",
    "steps": [
        {"content": "排出初稿", "done_when": "初稿写入草稿"},
        {"content": "核对结果", "done_when": "总览列出全部任务"},
    ],
    "needs_rough_build": True,
    "needs_refine": False,
    "task_class_ids": [5],
}


async def planned(**more: Any) -> Chat:
    chat = Chat(world()).plays(route("plan"), PLAN)
    await chat.says("先给计划，再把概率论复习排好，只要初稿", **more)
    return chat


def candidate_or_done(request: Any) -> dict[str, Any]:
    """A model that takes the top candidate as long as there is one."""
    verdict = request.view["verdict"]
    if verdict is None or verdict["verdict"] != "continue":
        return DONE
    best = verdict["decision"]["candidates"][0]
    return call(best["tool"], best["arguments"], reason="top candidate")


def either(request: Any) -> Any:
    return "排好了，可以保存。" if request.stage == "deliver" else candidate_or_done(request)


def narrow_world() -> World:
    """Ten items of two sections, seven double sections in the dates of the class."""
    lessons = [course(10 + d, "高等数学", day_number(3, d), 1, 10) for d in range(1, 8)]
    row = task_class(7, "大学物理复习", "2026-03-16", "2026-03-22", lengths=(2,) * 10)
    return World(classes=[row], events=lessons)


CLASS = {
    "task_class": {
        "name": "线性代数复习",
        "mode": "auto",
        "start_date": "2026-03-16",
        "end_date": "2026-04-12",
        "config": {"total_slots": 12, "strategy": "steady", "excluded_days_of_week": [7]},
    },
    "items": [{"content": name} for name in ("行列式", "矩阵", "向量组", "线性方程组", "特征值", "二次型")],
}


def tight_world() -> World:
    """A class that fits when built; a lesson that appears later makes the plan infeasible."""
    lessons = [course(10 + d, "高等数学", day_number(3, d), 1, 10) for d in range(1, 8)]
    return World(classes=[task_class(7, "大学物理复习", "2026-03-16", "2026-03-22", lengths=(2,) * 7)], events=lessons)


async def infeasible() -> Chat:
    chat = Chat(tight_world()).plays(build(), "好了。")
    end = await chat.says("排好，只要初稿", task_class_ids=(7,))
    assert end.outcome == "completed"
    chat.world.events.append(course(99, "补课", day_number(3, 6), 11, 12))
    chat.world.base_version += 1
    first = next(iter(chat.schedule.items()))
    unplace = call("unplace", {"task_id": first.state_id})
    chat.plays(route("execute", context_hook={"domain": "schedule", "packs": ["mutation", "analyze"]}))
    chat.plays(call("analyze_health"), unplace)
    await chat.says("先看看再取下第一章")
    return chat


HIGH = {"difficulty_level": "high", "cognitive_intensity": "high"}


def heavy_world() -> World:
    """Two demanding classes in one narrow week: the first plan leaves something to improve."""
    classes = [
        task_class(5, "概率论复习", "2026-03-16", "2026-03-20", lengths=(2, 2, 2, 2), **HIGH),
        task_class(6, "线性代数", "2026-03-16", "2026-03-20", lengths=(2, 2, 2, 2), strategy="rapid", **HIGH),
    ]
    lessons = [course(10 + d, "高等数学", day_number(3, d), 1, 4) for d in range(1, 6)]
    lessons += [course(20 + d, "大学英语", day_number(3, d), 9, 12) for d in range(1, 6)]
    return World(classes=classes, events=lessons)
