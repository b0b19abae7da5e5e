"""A lesson that is to be off on a day, or that one does not go to: a lesson has a name that is nobody else's."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.spans.mentions import all_items, find_pieces, items_in
from agent.llm.offline.language.spans.times.reading import read_times

_OFF_EN = re.compile(
    r"\b(?:cancel|drop|skip|ditch|bunk off|call off|get rid of|remove|delete|leave out|miss)\b (?:my |the "
    r"|that |this )?"
    r"(?P<name>[a-z]+(?: [a-z]+)?)(?P<noun> (?:lesson|lecture|class|course)(?:es|s)?)? (?=(?:on|for|this|next"
    r"|tomorrow|today|from|in)\b|$)"
    r"|\b(?:no|not have|\w+n't have) (?:an? |any )?"
    r"(?P<name2>(?!task)[a-z]+(?: [a-z]+)?) (?P<noun2>(?:lesson|lecture|class)(?:es|s)?)\b"
)
_OFF_ZH = re.compile(
    r"(?:取消|停掉|去掉|删掉?|翘掉?|逃掉?|砍掉)(?P<name>[一-鿿]{2,5}?)(?P<noun>课)?(?=[吧了呗,，。!]|$)"
    r"|(?:的|[一二三四五六日天]|[上下]午|晚上)(?P<name2>[一-鿿]{2,5}?)(?P<noun2>课)?(?:给我|帮我|能不能|可以|直接|都)*(?:取消|停掉|去掉|删掉?|翘掉?|不去|不上)"
    r"|(?:没有?(?P<name3>[一-鿿]{2,5}?)(?P<noun3>课)|[不没](?:用|去)?上(?!课|[午周个面])(?P<name4>[一-鿿]{2,5}?)(?P<noun4>课)?)(?=[吧了呗,，。!！]|$)"
)
_NO_LESSON = re.compile(
    r"任务|安排|计划|东西|内容|事情?|全部|所有|学习|复习|考试|提醒|一[项个章]|[它这那]|要求|都"
    r"|\b(?:everything|all|it|that|this|them|those|plan|plans|tasks?|items?|things?|stuff|stud\w+|session|sessions|revision"
    r"|exam|wish|reminder|one|both|work|anything|what|something|chapter|lab|unit|part|limit|rule)\b"
)


def read_lesson_off(text: str, brief: Brief) -> list[Frame]:
    """That a lesson is to be off at a time; empty where a class, an item or something general is meant."""
    found = _OFF_ZH.search(text) or _OFF_EN.search(text)
    if found is None:
        return []
    told = found.groupdict()
    name = next((said for key, said in told.items() if said and key.startswith("name")), "")
    known = find_pieces(name, tuple(row["name"] for row in brief.classes))
    times = [one for one in read_times(text, brief.term) if one.kind in ("weekday", "day", "days", "week")]
    if known or not times or _NO_LESSON.search(name) or items_in(text, brief, among=all_items(brief)):
        return []
    if read_times(name, brief.term):
        return []
    when = fold_text(text)[times[0].start : times[0].end]
    return [frame_of("lesson_cancelled", {"lesson": (name,), "time": (when,)})]
