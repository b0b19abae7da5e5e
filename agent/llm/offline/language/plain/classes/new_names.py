"""Whether a name is that of something new: of no class, no item and no time there is."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.names import find_whole_name, list_names
from agent.llm.offline.language.spans.mentions import core_of, find_pieces
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import View


def is_free(name: str, brief: Brief) -> bool:
    """Whether a name is that of no class and no item, and no time."""
    said = fold_text(name).strip()
    return not (is_known(name, brief) or read_times(name, brief.term) or NO_NAME.fullmatch(said))


def is_known(text: str, brief: Brief) -> bool:
    """Whether a text names a class or an item; a class that this goal has made is none yet."""
    made = find_made(brief.view)
    rows = [row for row in brief.classes if row["name"] not in made]
    said, names = fold_text(text).lstrip("给往在为排号日"), tuple(row["name"] for row in rows)
    items = tuple(item["content"] for row in rows for item in row["items"])
    told = [one.text for one in list_names(fold_numbers(text), names, items)]
    # A word of a known name behind others is a kind of thing: 操作系统实验 is another one than 大学物理实验.
    cores = {core_of(one) for one in names}
    of = r"\b(?:to|in|into|of|from|on) (?:the |my )?"
    pieces = (*find_pieces(said, names), *told)
    if any(said.startswith(piece) or piece in cores or re.search(of + re.escape(piece), said) for piece in pieces):
        return True
    return any(find_whole_name(one, items) for one in told if not says("exam_ahead", one))


NO_NAME = re.compile(
    r"[\d一二两三四五六几]?[个门]?新?的?(?:任务类?|课?程|课|科目|(?:学习|复习)?计划|东西|内容[有是为]?|项目?)|包[括含]|复习|学习"
    r"|(?:new )?(?:class|course|subject|plan"
    r"|revision|stud(?:y|ies|ying)|item|part|topic|content|task|thing|it|that|this)s?|to(?: [a-z]+){1,3}|"
)
"""What says that it is a class, and not which."""


def find_made(view: View) -> set[str]:
    """The names of classes that this goal has made: its request is read as it was before there were any."""
    made = (
        row["arguments"]
        for row in view["last_results"]
        if row["tool"] == "upsert_task_class" and row["status"] == "done"
    )
    return {(told.get("task_class") or {}).get("name", "") for told in made if not told.get("id")}
