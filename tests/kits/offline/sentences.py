"""Sentences and what they mean."""

from __future__ import annotations

INTENTS = {
    "explain": ["为什么第2章在周四", "解释一下", "why is chapter 2 there?"],
    "class": [
        "交换[7]和[8]",
        "swap [7] and [8]",
        "新建一个任务类",
        "帮我建个复习计划",
        "修改任务类线性代数，共16节",
        "create a task class",
        "add a study plan for Physics",
        "《英语》，3月16日到4月12日，共12节，内容：听力、阅读",
        "Plan for Physics: week 3 to 5, 8 sections, items: waves; heat",
    ],
    "plan_first": ["先列步骤再动手", "分步来", "plan first please", "do it step by step"],
    "build": [
        "帮我把概率论复习排好",
        "把大学物理复习排进课表",
        "能排多少排多少",
        "只要初稿",
        "安排一下线性代数",
        "Plan my revision please, draft only",
        "fit in Algebra",
        "rebuild",
        "schedule Algebra",
        "重新粗排",
    ],
    "optimise": ["体检一下", "全局优化", "太碎了", "optimise it", "check my plan", "能不能帮我优化一下"],
    "remove": ["移出[8]", "第3章先不排", "unplace chapter 2", "remove chapter 2", "取消第2章", "Take chapter 2 out"],
    "swap": ["第1章和第2章对调"],
    "place": ["把第3章放到周五下午", "把第3章安排到周五下午", "put chapter 3 on Friday"],
    "move": [
        "第2章移到周三下午",
        "把[8]挪到第4周",
        "Move chapter 2 to Wednesday afternoon",
        "shift [8]",
        "[8]往后挪一天",
        "第二章不想排在周四",
    ],
    "show": ["看看周四", "总览", "明天有什么课", "show my week", "overview"],
    "free": ["周五有空吗", "哪里有空闲", "when am I free?", "When do I have time on Monday?"],
    "other": [
        "帮我查一下高数期末考试时间，再写篇复习心得",
        "你好",
        "What is the capital of France?",
        "给我一个建议",
        "取消",
    ],
}
