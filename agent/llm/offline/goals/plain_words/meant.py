"""The student's requests in plain words, but for those that the readers know as they were said."""

from __future__ import annotations

from dataclasses import replace

from agent.llm.offline.goals.plain_words.known import KNOWN_BETTER, PUTS, is_read_already, leaves_out_limits
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.paraphrase.paraphrase import Paraphrase
from agent.llm.offline.language.plain.dialogue import read_plainly
from agent.loop.view_document import View


def read_as_meant(view: View) -> Brief:
    """The brief of a view with the student's requests in plain words, where these tell more than his own."""
    return read_plainly(view, is_read_already, _keep_known)


def _keep_known(said: Paraphrase, brief: Brief) -> Paraphrase:
    """Several requests, those in the student's own words that the readers know better as they were said."""
    if len(said.frames) < 2 or said.by_spans:
        return said
    told = tuple(
        own if _knows_better(own, Paraphrase((plain,), (own,), (frame,)), brief) else plain
        for plain, own, frame in zip(said.said, said.own, said.frames, strict=True)
    )
    return replace(said, said=told)


def _knows_better(own: str, said: Paraphrase, brief: Brief) -> bool:
    """Whether the readers know one of several requests better in the student's own words."""
    if said.frame.form in PUTS and leaves_out_limits(own, said, brief.part([own], [])):
        return True
    return said.frame.form in KNOWN_BETTER and is_read_already(own, said, brief)
