"""What became of items, told in a clause for each of them: one is done, another is not."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
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
