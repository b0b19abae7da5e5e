"""Answers a message that names a deed and does not ask for it: told of others, advised, or only thought about."""

from __future__ import annotations

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.slips import correct_spelling
from agent.llm.offline.language.utterance.speech_acts import find_act

_TOLD = {
    "told": (
        "这句话没有要改你的计划，所以没有改动。",
        "That is not asked for here, so your plan stays as it is.",
    ),
    "advised": (
        "这是别人的建议，要不要照做由你定，现在什么都没有改。",
        "That is what others want; whether you do is up to you, and nothing was changed.",
    ),
    "weighed": (
        "好不好要你自己判断，现在什么都没有改。",
        "Whether it is a good idea is yours to judge; nothing was changed.",
    ),
    "supposed": (
        "你问的是「如果」，这个我算不出来，什么都没有改。",
        "You ask what would be; that I cannot work out, and nothing was changed.",
    ),
}
_TO_DO_IT = ("要这样做，请说「{deed}」。", ' To have it done, say "{deed}".')


def tell_act(brief: Brief) -> str:
    """What is told of a deed that is named and not asked for; empty for other messages."""
    said = brief.view["message"]
    spelled = correct_spelling(said, brief.names) if said.isascii() else said
    act = find_act(spelled, brief)
    if act is None or act.kind == "refused":
        return ""
    return brief.say(*_TOLD[act.kind]) + (brief.say(*_TO_DO_IT, deed=act.deed) if act.deed else "")
