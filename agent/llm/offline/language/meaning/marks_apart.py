"""Several marks in one message: what of several items was done, and that the others were not."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.items.groups import of_kind_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.language.spans.times.reading import read_times

_ONLY_DID = re.compile(
    r"只(?:做|学|完成|搞|看|背|写|弄)(?:完|好|定)?了?(?P<zh>[^,，。;；]{1,40})"
    r"|\b(?:only|just) (?:did|done|finished|managed|got through|completed|studied) (?P<en>[^,.;]{1,40}?)"
    r"(?=\W*$|[,.;]| (?:of|from|out of)\b)"
)


def tells_only_done(message: str, brief: Brief) -> list[str]:
    """昨天那三个我只做了第2章: what of several items was done, and that the others were not."""
    text = fold_text(message)
    found = _ONLY_DID.search(text)
    if found is None or intent_of(message, brief) not in ("mark", "other", "replan"):
        return []
    rest = f"{text[: found.start()]} , {text[found.end() :]}".replace("yesterdays", "yesterday's")
    days = {one.first for one in read_times(rest, brief.term) if one.kind == "day" and one.first}
    stood = [(row, row["slot"]) for row in brief.tasks_before]
    among = find_mentioned(rest, brief) or [
        row for row, slot in stood if slot and (day := brief.day_of(slot)) in days and day <= brief.term.today
    ]
    said = found["zh"] or found["en"]
    done = [row for row in find_mentioned(said, brief) or of_kind_in(said, among, brief) if row in among]
    missed = [row for row in among if row not in done]
    if not done or not missed:
        return []
    return _say_apart([row["name"] for row in done], [row["name"] for row in missed], brief)


_OUTCOME = re.compile(
    r"(?P<missed>(?:没有?|未)(?:能|去)?(?:做完?|学完?|看完?|背完?|写完?|完成|弄完?|动)?(?:呢|啊)?|漏了|错过了?"
    r"|\b(?:not done|(?:was |were |is |are )?(?:missed|skipped)|didn't|did not|haven't|nope|nah|not|no)\b)"
    r"|(?P<done>(?:都|已经?)*(?:做|学|看|背|写|弄)[完好]?了|完成了?|搞定了?"
    r"|\b(?:(?:is|are|was|were) )?(?:all )?(?:done|finished|completed|did)\b)"
)
_PARTLY = re.compile(r"半|部分|一点|\b(?:half|partly|part|some|almost)\b")


def tells_in_turn(message: str, brief: Brief) -> list[str]:
    """第1章做了 第2章没: items one after the other, each with what became of it behind it or before it."""
    told: dict[str, list[str]] = {"done": [], "missed": []}
    text = fold_text(message)
    if _PARTLY.search(text) or intent_of(message, brief) not in ("mark", "replan", "other"):
        return []
    for sentence in re.split(r"[.;。；!！]\s*", text):
        words = list(_OUTCOME.finditer(sentence))
        if not sentence.strip():
            continue
        if not words or (words[0].start() == 0 and len(words) > 1):
            return []
        ahead = words[0].start() == 0
        if not ahead and sentence[words[-1].end() :].strip(" ,，"):
            return []
        starts = [0, *(one.end() for one in words)]
        pieces = (
            [sentence[words[0].end() :]]
            if ahead
            else [sentence[a : one.start()] for a, one in zip(starts[:-1], words, strict=True)]
        )
        for piece, one in zip(pieces, words, strict=True):
            rows = find_mentioned(piece, brief) or items_in(piece, brief)
            if not rows:
                return []
            told["missed" if one["missed"] else "done"] += [row["name"] for row in rows]
    done, missed = told["done"], told["missed"]
    if not done or not missed or {*done} & {*missed}:
        return []
    return _say_apart(done, missed, brief)


def _say_apart(done: list[str], missed: list[str], brief: Brief) -> list[str]:
    first, others = "、".join(done), "、".join(missed)
    return [brief.say(f"{first}做完了", f"I finished {first}"), brief.say(f"{others}没做", f"I did not do {others}")]
