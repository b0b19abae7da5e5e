"""Questions that one item answers: the first, the last or the longest there is, of which class one is, and whether it
is planned."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.goals.questions.reads import item_lines, rows_in_time, tell_items_unplanned
from agent.llm.offline.goals.questions.timetable import length_of
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.mentions import (
    all_items,
    classes_in,
    items_in,
    said_names,
    without_classes,
    without_items,
)
from agent.loop.view_document import TaskView

_END = re.compile(
    r"(?P<last>最后|最末|最晚|末尾|\b(?:last|final|latest)\b)|(?P<first>最先|最早|最前|第1(?=[个项章])|头1|\b(?:first|earliest)\b)"
    r"|(?P<long>最[长久]|节数最多|\b(?:longest|most (?:sections|periods|time))\b)"
    r"|(?P<short>最短|节数最少|\b(?:shortest|fewest (?:sections|periods)|least time)\b)"
)
_ASKS = re.compile(r"什么|啥|哪|\b(?:which|what)(?:'?s)?\b")
_LITTLE = re.compile(
    r"什么|啥|我的?|整个|计划|课表|草稿|安排|日程|里面?|中|所有|全部|任务|内容|用时|花|时间|哪|[个项章节1是的排在学做要面呢啊门课]"
    r"|\b(?:which|what(?:'?s)?|is|are|the|one|item|task|thing|chapter|comes?|in|of|my|plan|schedule|whole|entire|do|i|study"
    r"|have|to|do|does|takes?|needs?|all|on|up)\b|\W"
)
"""Words of a question for an end of the plan, which tell nothing more."""
_OWNER = re.compile(
    r"(?=.*(?:属于|归|门|课|科|类))(?:属于|是|归|在|算|[,的])*(?:哪|什么|啥)1?[个门]?(?:课程?|科目?|任务类|类)?"
    r"(?:里面?|中|下面?|的|呢|[?？\s])*"
    r"|(?:so |and )?(?:which|what) (?:class|subject|course|task class)(?: does| is| was)?\s+"
    r"(?:belong to|in|part of|from|of)?[?\s]*"
    r"|\W*(?:which|what) (?:class|subject|course) is (?:that|it)(?: (?:in|of|from))?[?\s]*"
    r"|whose (?:item|task|chapter) is\s*[?\s]*|what does\s+(?:belong to|go with)[?\s]*"
)
_PLANNED = re.compile(
    r"(?:(?:so|and|is|are|has|have|did|you|been|got|planned|scheduled|placed|plan|place|schedule|a|in|the|yet|already|now)\b|\W)+"
)
_SAYS_PLANNED = re.compile(
    r"\b(?:planned|scheduled|placed)\b|\b(?:did|have)\b.*\b(?:plan|schedule|place)\b|\bin (?:a|the) (?:plan|schedule)\b"
)
"""That something is planned, not that it is to be."""
_MOST_ALIKE = 4


def answer_of_one(brief: Brief) -> str:
    """The answer to a question for one item by its place in a row, for its class, or whether it is planned; empty for
    any other message."""
    text = fold_numbers(brief.plain(brief.message)).strip()
    if not brief.tasks or not text or len(text) > _LONGEST:
        return ""
    rows = items_in(text, brief, among=all_items(brief))
    return _tell_of_item(text, rows[0], brief) if len(rows) == 1 and not _END.search(text) else _tell_end(text, brief)


_LONGEST = 80


def _tell_of_item(text: str, row: TaskView, brief: Brief) -> str:
    rest = without_items(text, [row]).strip()
    owner = brief.class_of(row["class_id"])
    if owner and _OWNER.fullmatch(rest) and (rest.isascii() or _ASKS.search(rest)):
        values = {"name": row["name"], "owner": owner["name"]}
        return brief.say("{name}属于「{owner}」。", '{name} belongs to "{owner}".', **values)
    if not (text.isascii() and _PLANNED.fullmatch(rest) and _SAYS_PLANNED.search(rest)):
        return ""
    placed = [one for one in brief.tasks if one["item_id"] == row["item_id"] and one["slot"]]
    if not placed:
        return tell_items_unplanned(brief, [row])
    return "\n".join([brief.say("排了：", "Yes:"), *item_lines(brief, placed)])


def _tell_end(text: str, brief: Brief) -> str:
    """The first, the last, the longest or the shortest item of the plan, or of the class that is named."""
    found = _END.search(text)
    owners = classes_in(text, brief.classes) if said_names(text, brief) else []
    rest = without_classes(text, brief) if owners else text
    if found is None or not _ASKS.search(text) or _LITTLE.sub("", _END.sub("", rest, count=1)):
        return ""
    rows = [row for row in rows_in_time(brief.tasks) if row["slot"] and (not owners or row["class_id"] in owners)]
    if not rows:
        return ""
    if found["first"] or found["last"]:
        chosen = rows[0] if found["first"] else rows[-1]
        which = ("第一项是", "The first is ") if found["first"] else ("最后一项是", "The last is ")
        return "\n".join([f"{brief.say(*which)}{chosen['name']}{brief.say('：', ':')}", *item_lines(brief, [chosen])])
    return _tell_length(rows, brief, longest=bool(found["long"]))


def _tell_length(rows: Sequence[TaskView], brief: Brief, *, longest: bool) -> str:
    """The items with most or fewest sections; that all have as many, where they do."""
    lengths = {row["item_id"]: length_of(brief, row) for row in rows}
    edge = (max if longest else min)(lengths.values())
    best = [row for row in rows if lengths[row["item_id"]] == edge]
    if len(best) == len(rows) > 1:
        return brief.say("一样长，都是 {n} 节。", "They are all alike, {n} sections each.", n=edge)
    which = ("最长的是 {n} 节", "The longest takes {n} sections") if longest else (
        "最短的是 {n} 节", "The shortest takes {n} sections")  # fmt: skip
    lines = [f"{brief.say(*which, n=edge)}{brief.say('：', ':')}", *item_lines(brief, best[:_MOST_ALIKE])]
    more = brief.say("…另有 {n} 项", "... and {n} more", n=len(best) - _MOST_ALIKE)
    return "\n".join([*lines, *([more] if len(best) > _MOST_ALIKE else [])])
