"""What the student said in a conversation, in canonical requests: every turn by what was said and done before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID, CERTAIN, Heard, Paraphrase, paraphrase
from agent.loop.view_document import DialogueTurnView, View

DONE, CARD = "done", "card"


def read_plainly(view: View, is_read_already: Callable[[str, Paraphrase, Brief], bool]) -> Brief:
    """The brief of a view with the student's requests in plain words, where it is sure what they mean.
    `is_read_already` tells of a first request whether the readers know it as it was said."""
    reader = Brief(view)
    classes = tuple(row["name"] for row in view["classes"])
    items = tuple(item["content"] for row in view["classes"] for item in row["items"])
    heard: Heard | None = None
    meant: dict[str, Paraphrase] = {}
    dialogue: list[DialogueTurnView] = []
    asked = False
    for turn in view["dialogue"]:
        if turn["role"] != "user":
            asked = turn["asks"] is not None
            heard = heard and Heard(DONE if turn["wrote"] else heard.state, heard.frame)
            dialogue.append(turn)
            continue
        corrects = heard is not None and heard.state == DONE and says("correction", fold_text(turn["text"]))
        said = None if asked or corrects else _say_plainly(turn["text"], reader, classes, items, heard)
        meant.pop(turn["text"], None)
        known = said is not None and said.frames != () and is_read_already(turn["text"], said, reader)
        if known:
            heard = None
        elif said and said.frames:
            last = said.frames[-1]
            heard = None if last.form == AS_SAID else Heard(CARD if last.changes else DONE, last)
            meant[turn["text"]] = said
            turn = {**turn, "text": said.text}
        elif said is None:
            heard = None
        dialogue.append(turn)
    first = meant.get(view["request"])
    if first is None:
        return Brief({**view, "dialogue": dialogue})
    begun = [{**turn, "text": first.text} for turn in view["turns"][:1] if turn["option"] is None]
    turns = [*(begun or view["turns"][:1]), *view["turns"][1:]]
    message = first.text if len(turns) <= 1 else view["message"]
    plain: View = {**view, "dialogue": dialogue, "request": first.text, "message": message, "turns": turns}
    return Brief(plain, written=tuple(zip(first.said, first.own, strict=True)))


def _say_plainly(
    text: str, reader: Brief, classes: Sequence[str], items: Sequence[str], heard: Heard | None
) -> Paraphrase | None:
    """A message in canonical requests; a change with the names of what it describes, the last two chapters."""
    words = reader.read_words(text)
    said = _paraphrase(reader.plain(words), classes, items, heard)
    asks = said is not None and said.frames and not any(one.changes or one.chance < CERTAIN for one in said.frames)
    return said if asks or words == reader.plain(words) else _paraphrase(words, classes, items, heard)


@lru_cache(maxsize=512)
def _paraphrase(text: str, classes: Sequence[str], items: Sequence[str], heard: Heard | None) -> Paraphrase | None:
    return paraphrase(text, classes, items, heard)
