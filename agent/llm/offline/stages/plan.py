"""The plan stage: fixed steps, each with the proof that ends it."""

from __future__ import annotations

from typing import Any

from agent.llm.offline.goals.decisions import MOST_ASKED
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.ellipsis import affirms
from agent.llm.offline.language.meaning.intents import wants_build
from agent.llm.offline.language.spans.mentions import classes_in
from agent.llm.offline.language.texts import CONSENT_TYPED
from agent.loop.phrases import DRAFT_ONLY, SECOND_BUILD, says
from agent.loop.view_document import AskedView, PlanStepView

STEPS = {
    "build": ("生成初稿", "智能排程显示已排入的项数", "Build a first plan", "the planner shows the items placed"),
    "check": ("体检并微调", "综合体检给出结论", "Check and improve it", "the check-up gives a verdict"),
    "sum_up": ("核对结果", "总览显示最终安排", "Look over the result", "the overview shows the final plan"),
}  # fmt: skip


def plan(brief: Brief) -> dict[str, Any]:
    """A PlanDecision."""
    refused = brief.last_answer("plan", "reject")
    if refused and not refused["message"]:
        told = brief.say("计划哪里要改？可以说要排的任务类，或者「只要初稿」。", "What should change in the plan?")
        return _ask("change_of_plan", told)
    ids = [class_id for turn in brief.turns for class_id in classes_in(turn, brief.classes)]
    ids = list(dict.fromkeys(ids))
    if not ids and not brief.scope and len(brief.classes) == 1:
        ids = [int(brief.classes[0]["id"])]
    if not ids and not brief.scope and brief.classes:
        question = _which_class(brief)
        if brief.asked.count(question["asks"]) < MOST_ASKED:
            return question
        ids = [row["id"] for row in brief.classes]
    decision = _steps(brief, ids)
    if _was_refused(brief, decision["steps"]):
        return {**decision, "speak": brief.say(*CONSENT_TYPED)} if affirms(brief.turns[-1]) else _what_else(brief)
    return decision


def _was_refused(brief: Brief, steps: list[PlanStepView]) -> bool:
    """Whether the student has just refused these very steps."""
    refused = brief.last_answer("plan", "reject")
    known = [(step["kind"], step["class_ids"]) for step in refused["steps"]] if refused else []
    return known == [(step["kind"], step["class_ids"]) for step in steps]


def _what_else(brief: Brief) -> dict[str, Any]:
    return _ask(
        "other_plan",
        brief.say(
            "按固定规则我只能给出刚才那份计划。要改成哪样？可以说要排的任务类、「只要初稿」或「重新粗排」；"
            "要建任务类请停止这次任务，直接说「新建任务类…」。",
            'My fixed rules lead to the same plan. What should change? You can name task classes, "draft only" or '
            '"rebuild"; for a new task class stop this and say "create a task class ...".',
        ),
    )


def _steps(brief: Brief, ids: list[int]) -> dict[str, Any]:
    draft_only = any(says(turn, DRAFT_ONLY) for turn in brief.turns)
    keys = ["build", "sum_up"] if draft_only else ["build", "check", "sum_up"]
    wanted = wants_build(" ".join(brief.turns)) or not (brief.draft and brief.draft["suggested"])
    build = bool(brief.classes) and wanted and not _built_already(brief, brief.meant(ids))
    if not build:
        keys.remove("build")
    decision: dict[str, Any] = {
        "speak": "",
        "action": "plan_done",
        "steps": [_step(brief, key, brief.meant(ids)) for key in keys],
        "needs_rough_build": build,
        "context_hook": {"domain": "schedule", "packs": ["mutation", "analyze", "detail_read"], "reason": "plan"},
    }
    if ids:
        decision["task_class_ids"] = ids
    if build:
        decision["needs_refine"] = not draft_only
    return decision


def _built_already(brief: Brief, ids: list[int]) -> bool:
    """Only a phrase allows a second build; without it the step could not be carried out."""
    again = any(says(turn, SECOND_BUILD) for turn in brief.turns)
    return bool(ids) and not again and set(ids) <= set(brief.view["already_built"])


def _step(brief: Brief, key: str, ids: list[int]) -> PlanStepView:
    """The step that builds names its classes, so that the card shows what is agreed to."""
    zh, zh_done, en, en_done = STEPS[key]
    built = [row["id"] for row in brief.classes if row["id"] in ids] if key == "build" else []
    what = brief.say("：", ": ") + brief.names_of(built) if built else ""
    return {
        "content": brief.say(zh, en) + what,
        "done_when": brief.say(zh_done, en_done),
        "kind": key,
        "class_ids": built,
    }


def _which_class(brief: Brief) -> dict[str, Any]:
    options = [{"id": f"class_{row['id']}", "label": row["name"]} for row in brief.classes[:5]]
    options.append({"id": "all", "label": brief.say("全部", "all")})
    return _ask("class", brief.say("要排哪个任务类？", "Which task class?"), options)


def _ask(topic: str, question: str, options: list[dict[str, str]] | None = None) -> dict[str, Any]:
    decision: dict[str, Any] = {"speak": question, "action": "ask_user"}
    return {**decision, **({"options": options} if options else {}), "asks": AskedView(topic=topic, about={})}
