"""A class to be deleted: one card for each, and only the student's consent deletes it."""

from __future__ import annotations

import re

from agent.llm.offline.goals.decisions import Decision, ask_class, call, finish, give_up
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import all_items, classes_in, find_pieces, is_meant_by_subject, items_in
from agent.loop.view_document import ResultView

NAME = "delete_task_class"
FAILED = {
    "class_not_found": ("找不到这个任务类，什么都没有删。", "That task class is not there; nothing was deleted."),
    "": ("删除没有成功，什么都没有改，请稍后再试。", "It could not be deleted and nothing changed; please try again."),
}


def delete_classes(brief: Brief) -> Decision | None:
    """The next step of a goal that deletes classes; None when the goal is another."""
    if intent_of(brief.request, brief) != "delete_class":
        return None
    tried = [row for row in brief.results if row["tool"] == NAME]
    refused = [row["arguments"].get("task_class_id") for row in brief.view["rejected"] if row["name"] == NAME]
    known = [*refused, *(row["arguments"].get("task_class_id") for row in tried)]
    left = [class_id for class_id in _named(brief) if class_id not in known]
    if tried and tried[-1]["status"] != "done":
        return give_up("not_deleted", brief.say(*FAILED.get(tried[-1]["error_code"], FAILED[""])))
    loose = not known and is_meant_by_subject(brief.turns[-1], brief.classes)
    if left and not loose:
        each = ("之后依次是{names}，各有一张卡片。", " Then, each with a card of its own: {names}.")
        told = "" if known or not left[1:] else brief.say(*each, names=brief.names_of(left[1:]))
        return call(brief, NAME, {"task_class_id": left[0]}, speak=told.strip())
    if tried:
        return finish(brief, f"{NAME}: done")
    if refused:
        return give_up("kept", brief.say("好的，没有删，什么都没有改。", "All right, nothing was deleted or changed."))
    names = brief.names_of([row["id"] for row in brief.classes])
    told = brief.say(
        "要删除哪个任务类？现有：{names}", "Which task class should be deleted? There is: {names}", names=names
    )
    return ask_class(brief, "class_to_delete", told)


_GONE = re.compile(
    r"\b(?:got|gets|was|were|been|is|are|being) (?:just |all |\w+ly )?(?:dropped|cancell?ed|removed|deleted"
    r"|scrapped|axed"
    r"|called off|discontinued)\W*$|(?:被|给)(?:学校|老师)?(?:取消|停|删|砍|撤)[掉开课]?了?\W*$|(?<!课)(?:取消"
    r"|停开|停)了\W*$"
)
"""That something was taken away by others: it is told, and no deed is asked for."""


def tell_of_cancelled(brief: Brief) -> str:
    """What is told where a message only tells that what has the name of a class was taken away; empty for others."""
    text = fold_text(brief.spoken.get(brief.last_said, brief.last_said))
    ids = classes_in(text, brief.classes) if _GONE.search(text) and not re.search(r"[,，;；]", text) else []
    if len(ids) != 1 or items_in(text, brief, among=all_items(brief)):
        return ""
    return brief.say(
        "这是在说一件已经发生的事，我什么都没有改。课表里的课停了，请在课表页面的「调课、假期与考试」里记下；要删除任务类，请说"
        "「删除{name}」。",
        "That tells me what happened; nothing was changed. If a lesson of the timetable is cancelled, please note it "
        'on the timetable page; if the task class should go, say "delete {name}".',
        name=brief.name_of(ids[0]),
    )


def _named(brief: Brief) -> list[int]:
    """The classes that the last turn names which names any: the class together with everything in it is one class."""
    deleted = [str((row["data"] or {}).get("name", "")) for row in brief.results if row["tool"] == NAME]
    for turn in reversed(brief.turns):
        if ids := classes_in(turn, brief.classes):
            text = fold_text(turn)
            apart = any(name and find_pieces(text, (name,)) for name in deleted)
            named = [row["id"] for row in brief.classes if row["id"] in ids and find_pieces(text, (row["name"],))]
            return named if apart else ids
    return []


def deletion_text(brief: Brief) -> str:
    """What was deleted in this goal, and the way back."""
    done = brief.done(NAME)
    if not done:
        return ""
    back = brief.say(
        "后悔的话，可以在课表页点「撤销上次应用」恢复。",
        ' To have it back, press "Undo last apply" on the timetable page.',
    )
    return brief.say("", " ").join(_told(brief, row) for row in done) + back


def _told(brief: Brief, row: ResultView) -> str:
    data = row["data"] or {}
    applied = int(data.get("applied") or 0)
    also = brief.say("，课表里的 {n} 项也移出了", ", {n} of them from the timetable", n=applied) if applied else ""
    return brief.say(
        "已删除「{name}」和它的 {items} 项内容{also}。",
        '"{name}" is deleted with its {items} items{also}.',
        name=data.get("name", ""),
        items=data.get("items", 0),
        also=also,
    )
