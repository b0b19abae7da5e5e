"""Changes of a class put together from what changes, of which class and how it is said, each with what the class has
then; and what is no change: questions and remarks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

from tests.conversations.composition.generators.term import CONTENTS, LABS, NAMES, PROBABILITY, WORDS

CLASSES = (PROBABILITY, WORDS, LABS)
SAID = {
    "zh": {PROBABILITY: ("概率论", "概率论复习"), WORDS: ("六级", "英语六级"), LABS: ("物理实验", "实验")},
    "en": {PROBABILITY: ("probability", "my probability revision"), WORDS: ("CET-6", "CET-6 words"),
           LABS: ("physics labs", "the physics labs class")},
}  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """A request, the class it is about, and the fields that the class has then; `items` are contents in order."""

    key: str
    language: str
    text: str
    class_id: int
    wanted: dict[str, Any]


def _short(name: str) -> str:
    return re.sub(r"^词汇 ", "", name)


CHANGES: dict[str, dict[str, tuple[str, ...]]] = {
    "end": {"zh": ("{c}的截止日期改到5月15号", "{c}延期到5月15日", "{c}现在5月15号才交"),
            "en": ("the deadline of {c} is now 15 May", "move the end date of {c} to 15 May", "{c} is due on 15 "
                "May now")},
    "end_week": {"zh": ("{c}截止推迟一周", "{c}多给一周"),
                 "en": ("extend {c} by one week", "push the deadline of {c} back a week")},
    "add": {"zh": ("{c}加一项：模拟测试", "给{c}添加一项模拟测试", "{c}最后再加一个模拟测试"),
            "en": ("add an item called mock test to {c}", "add mock test to {c}", "append an item \"mock test\" "
                "to {c}")},
    "insert": {"zh": ("在{a}后面加一项模拟测试", "在{a}和{b}之间插入一项：模拟测试"),
               "en": ("insert an item called mock test after {a}", "insert mock test between {a} and {b}")},
    "remove": {"zh": ("把{a}从{c}里删掉", "{c}里的{a}不考了，删掉这一项"),
               "en": ("delete {a} from the {c} class", "remove item {a} from {c} for good")},
    "rename": {"zh": ("把{a}改名为总复习", "{a}改叫总复习"), "en": ("rename {a} to Overview", "{a} should be "
        "called Overview")},
    "reorder": {"zh": ("在{c}的内容里，把{b}排到{a}前面，改顺序", "{c}的顺序改一下，{b}放到{a}前面"),
                "en": ("in the order of {c}, put {b} before {a}", "reorder {c}: {b} comes before {a}")},
    "no_weekday": {"zh": ("{c}周三不要排", "{c}别排在周三"), "en": ("no {c} on Wednesdays", "keep {c} off Wednesdays")},
    "no_evening": {"zh": ("{c}晚上不排", "{c}别安排在晚上"), "en": ("no evenings for {c}", "don't plan {c} in "
        "the evening")},
    "filler": {"zh": ("{c}可以放在水课上做", "允许{c}嵌入水课"),
               "en": ("allow {c} in filler lectures", "let {c} use filler courses")},
    "name": {"zh": ("把{c}这门课改名为新名字",), "en": ("rename the class {c} to New name",)},
    "delete": {"zh": ("删除{c}这个任务类", "把{c}整个任务类删了"), "en": ("delete the class {c}", "delete the "
        "whole {c} class")},
    "question": {"zh": ("{c}现在有几项？", "{a}后面那项是什么？", "{c}什么时候截止", "{c}能不能晚上排？"),
                 "en": ("how many items does {c} have?", "what about the one after {a}, still ok?",
                        "when is {c} due?", "is the order of {c} fixed?")},
    "remark": {"zh": ("{c}好难啊", "老师说{c}很重要", "我昨天看了一点{a}"),
               "en": ("{c} is so hard", "the teacher says {c} matters a lot", "i looked at {a} a bit yesterday")},
}  # fmt: skip


def _wanted(key: str, items: list[str], language: str) -> dict[str, Any]:
    mock = "模拟测试" if language == "zh" else "mock test"
    title = "总复习" if language == "zh" else "Overview"
    a, b = items[2], items[3]
    return {
        "end": {"end_date": "2026-05-15"}, "end_week": {"end_date": "2026-05-17"},
        "add": {"items": [*items, mock]}, "insert": {"items": [*items[:3], mock, *items[3:]]},
        "remove": {"items": [one for one in items if one != a]},
        "rename": {"items": [title if one == a else one for one in items]},
        "reorder": {"items": [*items[:2], b, a, *items[4:]]},
        "no_weekday": {"excluded_days_of_week": [3]}, "no_evening": {"excluded_slots": [5, 6]},
        "filler": {"allow_filler_course": True},
        "name": {"name": "新名字" if language == "zh" else "New name"},
        "delete": {"gone": True}, "question": {}, "remark": {},
    }[key]  # fmt: skip


def edits(language: str) -> list[Edit]:
    """Every change of every class in each of its wordings."""
    found = []
    for key, class_id in product(CHANGES, CLASSES):
        items = CONTENTS[language][CLASSES.index(class_id)]
        for number, form in enumerate(CHANGES[key][language]):
            said = SAID[language][class_id][number % 2]
            text = form.format(c=said, a=_short(items[2]), b=_short(items[3]))
            found.append(Edit(f"{key} {class_id}", language, text, class_id, _wanted(key, items, language)))
    return found


def lack_of(edit: Edit, before: list[dict[str, Any]], after: list[dict[str, Any]]) -> str:
    """What of an edit is not there, or what else changed."""
    old = {row["id"]: row for row in before}
    new = {row["id"]: row for row in after}
    others = [
        NAMES[edit.language][CLASSES.index(key)] for key in old if key != edit.class_id and new.get(key) != old[key]
    ]
    if others or set(new) - set(old):
        return f"changed {others or 'a new class'}"
    if edit.wanted.get("gone") or edit.class_id not in new:
        return "" if edit.wanted.get("gone") and edit.class_id not in new else "deleted or not"
    row = {**new[edit.class_id], "items": [item["content"] for item in new[edit.class_id]["items"]]}
    last = {**old[edit.class_id], "items": [item["content"] for item in old[edit.class_id]["items"]]}
    total = {"total_slots": row["total_slots"]} if "items" in edit.wanted else {}
    wanted = {**last, **edit.wanted, **total}
    lacking = {key: row.get(key) for key in wanted if _flat(row.get(key)) != _flat(wanted[key])}
    return f"{lacking}" if lacking else ""


def _flat(value: Any) -> Any:
    """A value as it is compared: names in lower case, lists in order."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return [one.lower() for one in value]
    return value
