"""Where the accounts of the gallery stand in their term, each reached over the public API."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from tests.kits.gallery.student import Json, Student

TERM_WEEK = 7
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def build_fresh(student: Student) -> None:
    """Courses and task classes, nothing planned."""


def build_draft(student: Student) -> None:
    """Half of the classes on the timetable, some done and one missed; the others, a move and a removal in the draft."""
    _past_items(student)
    classes = [one["id"] for one in student.classes() if one["mode"] == "auto"]
    first = student.say(student.words("帮我把选中的任务排好", "Plan the selected tasks"), task_class_ids=classes[:2])
    student.apply(first)
    student.conversation = student.say(
        student.words("帮我把选中的任务排好", "Plan the selected tasks"), task_class_ids=classes
    )
    _pin_one(student)
    _change_by_hand(student)


def build_applying(student: Student) -> None:
    """A small draft, to be applied."""
    classes = [one["id"] for one in student.classes() if one["mode"] == "auto"]
    student.conversation = student.say(
        student.words("帮我把选中的任务排好", "Plan the selected tasks"), task_class_ids=classes[:2]
    )
    assert student.preview(student.conversation)["difference"]["changed"], "no draft to apply"


def build_applied(student: Student) -> None:
    """The whole plan on the timetable, an exam, a holiday, a moved and a cancelled lesson."""
    _past_items(student)
    classes = [one["id"] for one in student.classes() if one["mode"] == "auto"]
    student.conversation = student.say(
        student.words("帮我把选中的任务排好", "Plan the selected tasks"), task_class_ids=classes
    )
    student.apply(student.conversation)
    _change_the_term(student)


def build_unplaced(student: Student) -> None:
    """A class with more to do than its days can hold."""
    today = _today(student)
    body = {
        "name": student.words("算法竞赛集训", "Algorithm camp"),
        "mode": "auto",
        "start_date": (today + timedelta(days=1)).isoformat(),
        "end_date": (today + timedelta(days=3)).isoformat(),
        "items": [
            {"order": n, "content": student.words(f"专题 {n}", f"Topic {n}"), "duration": 2} for n in range(1, 16)
        ],
    }
    made = student.call("POST", "/task-class", body)
    student.conversation = student.say(
        student.words("帮我把选中的任务排好", "Plan the selected tasks"), task_class_ids=[made["id"]]
    )


def build_asking(student: Student) -> None:
    """Conversations that wait for consent and for an answer, one without a result, one that was checked."""
    classes = [one["id"] for one in student.classes() if one["mode"] == "auto"]
    plan = student.words("帮我把选中的任务排好", "Plan the selected tasks")
    student.conversation = student.say(plan, task_class_ids=classes[:3])
    student.found["finished"] = student.conversation
    confirm = student.say(plan, task_class_ids=classes[:2])
    student.say(_wish_to_move(student, confirm), confirm)
    student.found["confirm"] = confirm
    student.found["question"] = student.say(student.words("新建任务类「阅读」", 'New task class "Reading"'))
    nothing = student.say(student.words("这周五晚上有空吗", "Any free time on Friday evening?"))
    student.found["free"] = nothing
    student.found["nothing"] = student.say(student.words("查一下「微积分」排在哪里", 'Where is "Calculus"?'))
    student.say(student.words("检查一下安排", "Check the plan"), student.conversation)


def _wish_to_move(student: Student, conversation: str) -> str:
    """Words that move a suggestion to another free place."""
    entries = [one for one in student.preview(conversation)["hybrid_entries"] if one["status"] == "suggested"]
    for entry in entries:
        body = {"conversation_id": conversation, "task_item_id": entry["task_item_id"]}
        places = student.call("POST", "/agent/legal-places", body)
        for row in places["weeks"]:
            for day, cells in enumerate(row["cells"], 1):
                for first, index in enumerate(cells, 1):
                    verdict = places["verdicts"][index]
                    here = (row["week"], day) == (entry["week"], entry["day_of_week"])
                    if verdict["kind"] == "legal" and not verdict["embed_course_event_id"] and not here:
                        name, week, last = entry["name"], row["week"], first + places["sections"] - 1
                        return student.words(
                            f"把「{name}」移到第{week}周周{'一二三四五六日'[day - 1]}{first}-{last}节",
                            f'Move "{name}" to week {week} {DAYS[day - 1]} {first}-{last}',
                        )
    raise AssertionError("no suggestion can be moved")


STAGES = {
    "fresh": build_fresh,
    "draft": build_draft,
    "applied": build_applied,
    "applying": build_applying,
    "unplaced": build_unplaced,
    "asking": build_asking,
}


def _today(student: Student) -> date:
    return date.fromisoformat(student.call("GET", "/schedule/today")["date"])


def _past_items(student: Student) -> None:
    """A class that has run for a while: done on Monday, missed last night, the next ones to come."""
    today = _today(student)
    body = {
        "name": student.words("英语单词", "Vocabulary"),
        "mode": "auto",
        "start_date": (today - timedelta(days=10)).isoformat(),
        "end_date": (today + timedelta(days=24)).isoformat(),
        "items": [
            {"order": n, "content": student.words(f"第 {n} 组", f"List {n}"), "duration": 1} for n in range(1, 9)
        ],
    }
    made = student.call("POST", "/task-class", body)
    items = [one["id"] for one in student.call("GET", f"/task-class/{made['id']}")["items"]]
    week = student.call("GET", "/schedule/semester")["today"]["week"]
    cells = [(week - 1, 6, 9), (week, 1, 11), (week, 2, 11), (week, 3, 1), (week, 3, 12), (week, 5, 12), (week, 6, 3)]
    rows = [
        {"task_item_id": item, "week": at, "day_of_week": day, "start_section": section, "end_section": section}
        for item, (at, day, section) in zip(items, _free(student, cells), strict=False)
    ]
    student.call("PUT", "/task-class/apply-batch-into-schedule", {"task_class_id": made["id"], "items": rows})
    for item, mark in zip(items, ("done", "done", "missed", "done"), strict=False):
        student.call("POST", f"/schedule/task-items/{item}/progress", {"progress": mark})


def _free(student: Student, cells: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The cells in order, each moved to the latest free section of its day when something stands there."""
    found: list[tuple[int, int, int]] = []
    for week, day, section in cells:
        taken = _taken(student, week, day)
        free = [one for one in (section, *range(12, 0, -1)) if one not in taken and (week, day, one) not in found]
        found.append((week, day, free[0]))
    return sorted(found)


def _taken(student: Student, week: int, day: int) -> set[int]:
    events = [one for one in student.call("GET", f"/schedule/week?week={week}")["events"] if one["day_of_week"] == day]
    return {one for event in events for one in range(event["section_from"], event["section_to"] + 1)}


def _pin_one(student: Student) -> None:
    entries = student.preview(student.conversation)["hybrid_entries"]
    applied = [one for one in entries if one["item_id"] and one["status"] == "existing"]
    if applied:
        student.call("POST", f"/schedule/task-items/{applied[-1]['item_id']}/pin")


def _change_by_hand(student: Student) -> None:
    """One applied item is moved and another taken off, both in the draft only."""
    entries = [one for one in student.preview(student.conversation)["hybrid_entries"] if one["item_id"]]
    now = student.call("GET", "/schedule/semester")["today"]
    ahead = [one for one in entries if (one["week"], one["day_of_week"]) > (now["week"], now["day_of_week"])]
    for entry in ahead:
        if _move_within_week(student, entry):
            return


def _move_within_week(student: Student, entry: Json) -> bool:
    body = {"conversation_id": student.conversation, "task_item_id": entry["item_id"]}
    places = student.call("POST", "/agent/legal-places", body)
    row = next(one for one in places["weeks"] if one["week"] == entry["week"])
    for day, cells in enumerate(row["cells"], 1):
        for section, index in enumerate(cells, 1):
            verdict = places["verdicts"][index]
            if verdict["kind"] != "legal" or verdict["embed_course_event_id"] or day == entry["day_of_week"]:
                continue
            item = {
                "task_item_id": entry["item_id"], "from_timetable": True, "week": entry["week"], "day_of_week": day,
                "start_section": section, "end_section": section + places["sections"] - 1,
            }  # fmt: skip
            revision = student.preview(student.conversation)["revision"]
            body = {"conversation_id": student.conversation, "revision": revision, "items": [item]}
            student.call("POST", "/agent/schedule-state", body)
            return True
    return False


def _change_the_term(student: Student) -> None:
    """An exam, a holiday, a lesson that is moved and one that is cancelled, all within two weeks."""
    today = _today(student)
    exam = {
        "name": student.words("离散数学期中", "Discrete maths midterm"),
        "date": (today + timedelta(days=8)).isoformat(),
        "section_from": 7,
        "section_to": 8,
        "location": student.words("主楼 101", "Main 101"),
    }
    student.call("POST", "/schedule/exams", exam)
    off = {
        "kind": "holiday",
        "name": student.words("校庆", "Founders' day"),
        "first_date": (today + timedelta(days=9)).isoformat(),
    }
    student.call("POST", "/schedule/exceptions", {"exceptions": [off]})
    week = student.call("GET", "/schedule/semester")["today"]["week"]
    lessons = [
        one
        for one in student.call("GET", f"/schedule/week?week={week}")["events"]
        if one["type"] == "course" and one["day_of_week"] > 3
    ]
    cancelled, moved = lessons[0], lessons[-1]
    student.call("POST", "/schedule/lesson-changes", {"kind": "cancelled", "event_id": cancelled["id"]})
    day, first = next(
        (day, first)
        for day in (7, 6, 5)
        for first in (1, 3, 5, 7, 9, 11)
        if not {first, first + 1} & _taken(student, week, day)
    )
    place = {"week": week, "day_of_week": day, "section_from": first, "section_to": first + 1}
    note = student.words("老师出差", "Teacher travels")
    student.call("POST", "/schedule/lesson-changes", {"kind": "moved", "event_id": moved["id"], "note": note, **place})


def make_new(server: Any, username: str, password: str) -> None:
    """An account without anything in it."""
    code = f"from django.contrib.auth.models import User; User.objects.create_user({username!r}, password={password!r})"
    server.manage("shell", "-v0", "-c", code)
