"""What became of items, told in a clause for each of them, or asked with what is to be done then."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.times.reading import read_times

_CLAUSE = re.compile(
    r"[,，;；。!！]+\s*|\.\s+|\s*\b(?:but|and|while)\b\s*(?=i\b|not\b|skip|miss|did|have|finish|chapter|lab)|但是?|不过"
)
_NOT_MISSED = re.compile(r"\b(?:did(?:n't| not)|haven't|have not) (?:miss|skip)|没(?:有)?(?:漏|错过|跳过|落下)")
_BARE_NOT = re.compile(r"^not\b|(?:还)?没有?$")
_FORMS = {"done": "did", "missed": "missed", "partial": "did_half"}


def read_progress(text: str, brief: Brief) -> list[Frame]:
    """The frames of such clauses where they differ, or one denies a miss; what is only left out of it is no miss."""
    told: dict[str, list[str]] = {}
    bare = False
    if asks_whether(text) or read_times(text, brief.term):
        return []
    for clause in filter(None, map(str.strip, _CLAUSE.split(text))):
        names = [row["name"] for row in find_mentioned(clause, brief)]
        progress = "done" if _NOT_MISSED.search(clause) else progress_in(clause)
        if told and _BARE_NOT.search(clause):
            bare = True
        elif names and progress not in _FORMS:
            return []
        elif names:
            told.setdefault(progress, []).extend(names)
    if not told or not (len(told) > 1 or bare or _NOT_MISSED.search(text)):
        return []
    return [frame_of(_FORMS[progress], {"items": tuple(names)}) for progress, names in told.items()]


_ASKS_DONE = re.compile(
    r"(?P<ask>[^,，?？]{2,24}?(?:做|学|看|背|写|弄)完了?(?:吗|没有?|么)?)[?？,，]\s*"
    r"(?:(?:如果|要是)?(?:(?P<no>没有?(?:做完?|学完?)?)|(?:是|有|(?:做|学|看|背|写|弄)完了?))(?:的话)?[,，]?就?)(?P<act>.{3,40})"
    r"|(?P<ask2>(?:have|did|is|are|has|was) [^?,;.]{3,60})[?,;.] *"
    r"(?:and )?if (?:(?P<no2>not|i haven't|i didn't|it isn't)|so|yes|i have|it is|i did),? (?:then )?(?P<act2>.{3,60})"
)
_DONE = re.compile(r"完|\b(?:done|finish\w*)\b")
_IT = re.compile(r"\b(?:it|that)\b|它")


def choose_by_progress(text: str, brief: Brief) -> str:
    """A question whether one item is done with what is to be done then, as that alone where it is so, else as the
    question alone: 单摆做完了吗，没有的话放到周五."""
    found = _ASKS_DONE.fullmatch(text.strip())
    asked = (found["ask"] or found["ask2"]) if found else ""
    rows = items_in(asked, brief) or items_in(asked, brief, among=all_items(brief)) if asked else []
    if found is None or len(rows) != 1 or not _DONE.search(asked):
        return text
    wanted, name = (found["act"] or found["act2"]).strip(" 把"), rows[0]["name"]
    if (rows[0]["mark"] == "done") is bool(found["no"] or found["no2"]):
        return f"{asked}?" if text.isascii() else f"{asked.rstrip('没有吗么')}吗？"
    if items_in(wanted, brief, among=all_items(brief)):
        return wanted
    return _IT.sub(name, wanted, count=1) if _IT.search(wanted) else f"{name}{wanted}"
