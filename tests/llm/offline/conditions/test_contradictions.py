"""A change that the student's own words deny is asked about before its card, however the request was read."""

from __future__ import annotations

import pytest

from agent.llm.offline.goals.decisions import call
from agent.llm.offline.goals.unsettled.contradictions import TOPIC, ask_about_contradiction, settle_contradiction
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.stages.execute import execute
from tests.kits.offline.views import BASE, task_class, view

CLASSES = [task_class(5, "概率论复习", end_date="2026-04-12"), task_class(6, "线性代数", end_date="2026-04-12")]


def brief(words, *replies, **more):
    return Brief(view(words, *replies, stage="execute", classes=CLASSES, **{"locale": "zh", **more}))


def move(task_id, day, first=5):
    return "move", {"task_id": task_id, "new_day": day, "new_slot_start": first}


def edit(class_id, **config):
    end = {"end_date": config.pop("end_date")} if "end_date" in config else {}
    return "upsert_task_class", {"id": class_id, "task_class": {**end, **({"config": config} if config else {})}}


DENIED = [
    ("第2章挪到周六下午", *move(7, 6), "第1章 随机事件"),
    ("把行列式挪到周六", *move(8, 6), "第2章 随机变量"),
    ("move chapter 2 to Saturday afternoon", *move(7, 6), "第1章 随机事件"),
    ("第2章挪到晚上", *move(8, 4, 5), "第2章 随机变量"),
    ("第2章挪到周六", *move(8, 7), "第2章 随机变量"),
    ("第2章往后推一推", *move(8, 1), "第2章 随机变量"),
    ("bring chapter 2 forward a bit", *move(8, 6), "第2章 随机变量"),
    ("把其中一项移走", "batch_unplace", {"task_ids": [7, 8]}, "第1章 随机事件、第2章 随机变量"),
    ("概率论每天最多一项", "replan", {"kind": "limits", "limits": [{"a_day": 1}]}, "第1章 行列式"),
    ("线代周一不方便", *edit(6, excluded_days_of_week=[2, 3, 4, 5, 6, 7]), "周一"),
    ("线代推迟一周考", *edit(6, end_date="2026-03-25"), "线性代数"),
    ("线代周末不排", *edit(5, excluded_days_of_week=[6, 7]), "概率论复习"),
    ("新建一个日语课：单词、语法", *edit(5, end_date="2026-04-20"), "概率论复习"),
    ("4月3号我不在", "replan", {"kind": "away", "from_date": "2026-03-13"}, "3月13日"),
]  # fmt: skip
MEANT = [
    ("第2章挪到周六下午", *move(8, 6)),
    ("第2章从周四下午挪到周六早上", *move(8, 6, 1)),
    ("第1章要在第2章前面", *move(8, 6)),
    ("除了第2章其他都往后推", *move(7, 6)),
    ("把第2章和第1章互换", "swap", {"task_a": 7, "task_b": 8}),
    ("第2章挪到周六的后一天", *move(8, 7)),
    ("第2章往后推一推", *move(8, 6)),
    ("概率论每天最多一项", "replan", {"kind": "limits", "limits": [{"a_day": 1, "task_ids": [7, 8]}]}),
    ("所有课每天最多一项", "replan", {"kind": "limits", "limits": [{"a_day": 1}]}),
    ("线代只排周一", *edit(6, excluded_days_of_week=[2, 3, 4, 5, 6, 7])),
    ("线代推迟一周考", *edit(6, end_date="2026-04-19")),
    ("给概率论新建一章复习课", *edit(5, end_date="2026-04-20")),
    ("4月3号我不在", "replan", {"kind": "away", "from_date": "2026-04-03"}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "name", "arguments", "told"), DENIED)
def test_a_change_that_the_words_deny_is_asked_about(words, name, arguments, told):
    one = brief(words, locale="zh")
    asked = ask_about_contradiction(one, call(one, name, arguments))
    assert asked["action"] == "ask_user"
    assert told in asked["speak"]


@pytest.mark.parametrize(("words", "name", "arguments"), MEANT)
def test_a_change_that_the_words_tell_gets_its_card(words, name, arguments):
    one = brief(words)
    decision = call(one, name, arguments)
    assert ask_about_contradiction(one, decision) == decision


def after_question(answer, **more):
    asks = {"topic": TOPIC, "about": {}}
    dialogue = [
        {"role": "user", "text": "第2章挪到周六", "asks": None, "item_ids": [], "wrote": []},
        {"role": "assistant", "text": "这会改动第1章。是这样吗？", "asks": asks, "item_ids": [], "wrote": []},
        {"role": "user", "text": answer, "asks": None, "item_ids": [], "wrote": []},
    ]
    heard = {"type": "ask_user", "subject": "question", "action": "reply", "message": answer, "option": None}
    heard |= {"question": "是这样吗？", "topic": TOPIC, "call": None, "steps": [], "seen": True, "results_at": 0}
    return brief("第2章挪到周六", answer, dialogue=dialogue, interaction=heard, **more)


def test_agreed_to_it_is_carried_out_and_not_asked_again():
    one = after_question("对")
    decision = call(one, *move(7, 6))
    assert settle_contradiction(one) is None
    assert ask_about_contradiction(one, decision) == decision


@pytest.mark.parametrize(("answer", "code"), [("不是", "not_meant"), ("不，我要的是第1章挪到周日", "new_request")])
def test_denied_it_is_left_and_what_is_said_instead_is_a_request(answer, code):
    settled = settle_contradiction(after_question(answer))
    assert settled["abort"]["code"] == code


def test_denied_after_something_was_planned_it_does_not_claim_that_nothing_was_changed():
    place = {"day": 5, "week": 3, "day_of_week": 5, "section_from": 3, "section_to": 4, "embed_course_event_id": None}
    change = {"op": "place", "task_id": 12, "task_item_id": 112, "task_class_id": 6, "name": "第1章 行列式"}
    goal = BASE["goal"] | {"changes": [change | {"before": None, "after": place}]}
    told = execute(after_question("不是", goal=goal))["abort"]["user_message"]
    assert "行列式" in told
    assert "没有改" not in told
