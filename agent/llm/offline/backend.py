"""The offline backend: the same decisions on the same wire, from fixed rules instead of a language model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import Any

from agent.llm.offline.goals.classes.class_dates import tell_class_begins_later
from agent.llm.offline.goals.happenings.lessons_off import tell_lesson_off
from agent.llm.offline.goals.items.extreme_day import with_extreme_day, with_said_day
from agent.llm.offline.goals.items.lesson_days import with_lesson_days
from agent.llm.offline.goals.plain_words.known import read_as_meant
from agent.llm.offline.goals.turns.alone import leave_out_before
from agent.llm.offline.goals.turns.asked_over_card import find_answer
from agent.llm.offline.goals.turns.no_orders import tell_act
from agent.llm.offline.goals.turns.own_goals import find_rest, tell_rest
from agent.llm.offline.goals.turns.resumption import read_in_context
from agent.llm.offline.goals.turns.wanted_parts import ask_for_parts, find_wanted, join_pieces
from agent.llm.offline.goals.unsettled.between_lessons import tell_between_lessons, without_empty_hours
from agent.llm.offline.goals.unsettled.beyond import tell_beyond
from agent.llm.offline.goals.unsettled.unused import mention_unused
from agent.llm.offline.language.brief import Brief, read_again
from agent.llm.offline.language.class_batches import divide_class_batches
from agent.llm.offline.language.dialogue.offers import spell_options
from agent.llm.offline.language.meaning.requests import requests_in
from agent.llm.offline.language.normalize import (
    cut_words,
    find_own_words,
    leave_out_courtesies,
    refuse_length,
    with_said,
)
from agent.llm.offline.language.paraphrase.punctuation import punctuate
from agent.llm.offline.language.plain.classes.new_classes import wishes_class
from agent.llm.offline.language.plain.comments import leave_out_comments
from agent.llm.offline.language.slips import correct_spelling
from agent.llm.offline.language.texts import limits
from agent.llm.offline.language.utterance.changed_contents import spell_changed_contents
from agent.llm.offline.language.utterance.described import spell_described
from agent.llm.offline.language.utterance.item_lists import spell_item_lists
from agent.llm.offline.language.utterance.left_out_deeds import spell_left_out_deed
from agent.llm.offline.language.utterance.new_contents import spell_new_contents
from agent.llm.offline.language.utterance.page_words import read_answer_back, write_page_words
from agent.llm.offline.language.utterance.second_thoughts import settle
from agent.llm.offline.language.utterance.speech_acts import settle_act
from agent.llm.offline.language.utterance.times.dates_beside_times import spell_dates_beside_times
from agent.llm.offline.language.utterance.times.days_ahead import spell_days_ahead
from agent.llm.offline.language.utterance.times.free_days import spell_free_days
from agent.llm.offline.language.utterance.times.hours_of_day import spell_hours_of_day
from agent.llm.offline.language.utterance.times.old_hours import spell_old_hours
from agent.llm.offline.language.utterance.told_places import spell_told_places
from agent.llm.offline.language.utterance.whole_forms import spell_whole_form
from agent.llm.offline.stages.chat import chat
from agent.llm.offline.stages.deliver import compact, deliver
from agent.llm.offline.stages.execute import execute
from agent.llm.offline.stages.plan import plan
from agent.loop.outside.model import Delta, Finish, ModelRequest, Text
from agent.loop.view_document import DialogueTurnView, View

CHUNK = 12
_READER = ThreadPoolExecutor(1, thread_name_prefix="offline")
"""Reads one message at a time, for what was read is kept for the next, while streams and leases go on."""
DECIDING = {"chat": chat, "plan": plan, "execute": execute}
WRITING = {"deep_answer": limits, "deliver": deliver, "compact": compact}


def answer(view: View) -> str:
    """The answer to a view: a JSON object for chat, plan and execute, else text. Pure; its clock is `view.now`."""
    stage, wanted = view["stage"], find_wanted(view)
    asked = ask_for_parts(view, wanted)
    view = divide_class_batches(leave_out_before(_read_answers_back(join_pieces(view, wanted))))
    if stage in DECIDING:
        decision = asked or _decide(view, stage)
        if speak := decision.get("speak"):
            decision = {**decision, "speak": _write(speak, view)}
        if abort := decision.get("abort"):
            decision = {**decision, "abort": {**abort, "user_message": _write(abort["user_message"], view)}}
        return json.dumps(decision, ensure_ascii=False)
    brief = _read_whole(without_empty_hours(_read_words(view)))
    told = WRITING[stage](brief)
    return told if stage == "compact" else _write(told, view)


def _read_answers_back(view: View) -> View:
    """The view with its English answers in the words that reading goes on with."""
    brief = Brief(view)
    if brief.language != "en":
        return view
    said = view["dialogue"]
    read: list[DialogueTurnView] = [
        turn if turn["role"] == "user" else {**turn, "text": read_answer_back(turn["text"], brief.names)}
        for turn in said
    ]
    return {**view, "dialogue": read}


def _write(told: str, view: View) -> str:
    """What the student is told, in the words of the page."""
    brief = Brief(view)
    if brief.language != "en":
        return told
    said = (turn["text"] for turn in view["dialogue"] if turn["role"] == "user")
    return write_page_words(told, brief.names, [*said, view["message"], view["request"]])


def _decide(view: View, stage: str) -> dict[str, Any]:
    too_long = refuse_length(view) if stage == "chat" else ""
    if too_long:
        return {"route": "direct_reply", "speak": too_long, "reason": "too_long"}
    begins = stage == "chat" and not view["correction"] and not find_answer(view["message"], view["dialogue"])
    if begins and (told := tell_act(Brief(leave_out_courtesies(view)))):
        return {"route": "direct_reply", "speak": told, "reason": "no_order"}
    own, view = view["message"], _read_words(view)
    request, rest = find_rest(view) if stage == "chat" and not view["correction"] else ("", "")
    first, last = find_own_words(own, view["message"], request, rest) if rest else ("", "")
    if last:
        return {"route": "execute", "speak": "", "request": first, "rest": last, "reason": "several"}
    told, alone = _tell_apart(Brief(view)) if stage == "chat" and not view["correction"] else ("", False)
    view = without_empty_hours(view)
    if alone:
        return {"route": "direct_reply", "speak": told, "reason": "beyond"}
    brief = _read_whole(view)
    decision = tell_rest(brief, mention_unused(brief, stage, DECIDING[stage](brief)))
    if told:
        decision = {**decision, "speak": "\n".join(filter(None, (told, str(decision.get("speak", "")))))}
    return decision


def _read_words(view: View) -> View:
    """The view with what the student says without courtesies and comments, options by their words, English words
    spelled right and clauses divided, for all that reads them. A Chinese character in the place of another one is more
    often meant: it is mended where it is read as a name."""
    view = spell_options(leave_out_courtesies(cut_words(view)))
    brief = Brief(view)
    names, classes = brief.names, [row["name"] for row in brief.classes]
    items = [item["content"] for row in brief.classes for item in row["items"]]
    view = with_said(view, lambda said: _settle_said(said, names, brief))
    view = _spell_described(view)

    def divide(said: str) -> str:
        told = leave_out_comments(said, tuple(names))
        return told if wishes_class(told, brief) else leave_out_comments(punctuate(said, classes, items), tuple(names))

    return with_said(view, divide)


def _settle_said(said: str, names: list[str], brief: Brief) -> str:
    """A message with its slips corrected, as what it wants in the end."""
    spelled = correct_spelling(said, names) if said.isascii() else said
    return settle_act(settle(spelled, brief), brief)


def _spell_described(view: View) -> View:
    """The view with the items that the goal's own turns describe by their names, from the plan as the goal found it."""
    before = Brief(view).before_goal
    plan, unwritten = before.selection_plan, before.before_added.selection_plan
    own = {view["request"], view["message"], *(turn["text"] for turn in view["turns"])}
    forms = (
        *(spell_old_hours, spell_told_places, spell_days_ahead, spell_free_days, spell_hours_of_day, spell_whole_form),
        *(spell_dates_beside_times, spell_described),
    )

    def write(said: str) -> str:
        said = spell_item_lists(spell_left_out_deed(said), plan)
        told = spell_new_contents(spell_changed_contents(said, unwritten), unwritten)
        return reduce(lambda text, spell: spell(text, plan), forms, said) if told == said else told

    spelled = {said: write(said) for said in own}
    changed = {said: written for said, written in spelled.items() if said != written}
    return with_said(view, lambda said: changed.get(said, said)) if changed else view


def _read_whole(view: View) -> Brief:
    return with_lesson_days(with_extreme_day(with_said_day(_read_request(view))))


def _tell_apart(brief: Brief) -> tuple[str, bool]:
    """What is told by the student's own words, whatever they want of the plan; whether that is all."""
    if told := tell_lesson_off(brief):
        return told, True
    found = tell_beyond(brief)
    if found[0]:
        return found
    told = tell_class_begins_later(brief)
    alone = told != "" and len(requests_in(brief.message, brief)) == 1
    return (told, True) if alone else tell_between_lessons(brief)


def _read_request(view: View) -> Brief:
    """The brief of a view with the goal's request as it is meant; what was read for an earlier call of the turn holds
    for this one, where nothing has changed that reading goes by."""
    found = Brief(view).found
    if "request" not in found:
        found["request"] = read_in_context(read_as_meant(view))
    return read_again(found["request"], view)


def _answer_in_thread(view: View) -> str:
    """The answer, or an error that reaches who waits for it: the end of an iteration would be waited for in vain."""
    try:
        return answer(view)
    except StopIteration as ended:
        raise RuntimeError("nothing was found where one must be") from ended


class OfflineModel:
    """Streams `answer` in chunks of 12 characters."""

    name = "offline"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        assert request.view is not None
        text = await asyncio.get_running_loop().run_in_executor(_READER, _answer_in_thread, request.view)
        for at in range(0, len(text), CHUNK):
            await asyncio.sleep(0)
            yield Text(text[at : at + CHUNK])
        yield Finish()
