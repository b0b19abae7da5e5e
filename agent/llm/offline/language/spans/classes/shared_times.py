"""Times that stay free of several classes that a clause of their own tells: 周末都空出来，概率论线代都是."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.mentions import classes_in, find_pieces
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import NO_TERM
from agent.loop.view_document import ClassView

_CLAUSE = re.compile(r"\s*[,，。;；]\s*")
_FREES = re.compile(
    r"空出|空着|留空|[别不](?:要|想)?(?:再|给我)?(?:排|安排|学)|\b(?:free|clear|no|nothing|not|never|don't)\b"
)
_ONLY_THESE = re.compile(
    r"[\s和与跟及、这两门课]*(?:都|全|也)+(?:是|一样|这样|如此|要|算|的|吧|哦)+"
    r"|(?:(?:that|this|it|the same) (?:goes|holds|counts|is true) )?(?:for )?(?:both )?"
    r"[\s,]*and[\s,]*(?:both|alike|too)?"
)
"""What stands around the names of the classes."""
_LONGEST = 100
_WEEKLY = ("weekday", "part")


def name_each_class(text: str, classes: Sequence[ClassView]) -> str:
    """A message that leaves the same times of a week free of several classes, with each of them beside its times."""
    clauses = [clause for clause in _CLAUSE.split(text.strip(" .。!！")) if clause]
    if len(clauses) != 2 or classes_in(clauses[0], classes) or len(text) > _LONGEST:
        return text
    freed, told = fold_text(clauses[0]), fold_text(clauses[1])
    times = read_times(clauses[0], NO_TERM)
    names, rest = list[str](), told
    for row in classes:
        for piece in find_pieces(rest, (row["name"],)):
            names, rest = [*names, row["name"]], rest.replace(piece, " ")
    weekly = bool(times) and all(one.kind in _WEEKLY and one.first is None for one in times)
    frees = _FREES.search(freed) is not None or says("keep_free", freed)
    if not (weekly and frees and len(names) > 1 and _ONLY_THESE.fullmatch(rest.strip())):
        return text
    when = freed[times[0].start : times[-1].end]
    if text.isascii():
        return ", ".join(f"{name} not on {when}" for name in names)
    return "，".join(f"{name}{when}别排" for name in names)
