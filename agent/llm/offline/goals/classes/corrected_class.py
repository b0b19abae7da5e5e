"""The card of a new class that is not approved: what it holds is the request with its corrections in order, said whole
in one request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from agent.llm.offline.goals.classes.class_request import NOT_UNDERSTOOD_TOPIC, tell_new_orders
from agent.llm.offline.goals.decisions import Decision, call, give_up
from agent.llm.offline.goals.in_turn import tool_requests
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.revision.taken_back import tell_instead
from agent.llm.offline.language.dialogue.tracking import NOT_SAVED_TOPIC
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of, wants_build
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_text, has_chinese, widths
from agent.llm.offline.language.plain.classes.corrected_class import JOINED_CORRECTIONS, correct_class, usual_length
from agent.llm.offline.language.plain.classes.new_classes import say_class
from agent.llm.offline.language.spans.classes.class_corrections import change_contents
from agent.llm.offline.language.spans.classes.class_sentence import ClassSlots
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.classes.new_class import opens_class, read_new_class
from agent.llm.offline.language.spans.items.mention_signs import fold_mentions, sign_mentions
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in
from agent.llm.offline.language.texts import CARD_BECOMES
from agent.loop.nodes.enter import SAME_REQUEST
from agent.loop.view_document import CallView

WRITES_CLASS = "upsert_task_class"
_USUAL = 2
"""Sections of an item of which no length is told."""


def answer_correction(brief: Brief) -> Decision | None:
    """Makes the card of a new class anew with what was corrected; None for words that correct nothing of it."""
    if (changed := _correct_change(brief)) is not None:
        return changed
    card, answer = _find_refused(brief), brief.interaction
    if card is None or answer is None or not answer["message"]:
        return None
    before = read_card(card)
    only_made = _NOT_PLANNED.fullmatch(fold_text(answer["message"]).strip())
    if whole := _say_whole(before, brief, wished=False) if only_made else "":
        return give_up(SAME_REQUEST, f"{brief.say(*ONLY_MADE)}\n{brief.say(*CARD_BECOMES, request=whole)}")
    made, plans = correct_class(before, answer["message"], brief), _plans_it(answer["message"], before, brief)
    made = before if made is None and plans else made
    left = made and spell_left(made, brief, plans=plans)
    return give_up(SAME_REQUEST, brief.say(*CARD_BECOMES, request=left)) if left else None


_NOT_PLANNED = re.compile(
    r"(?:[那就先好嗯只但]|的|建[好着]?(?:[就了]?[行好])?|[,，\s])*(?:暂时|现在|目前)?(?:不|别|不用|不要|不必|不需要|不急着?)"
    r"(?:急着)?安?排(?:它|进去|进计划|课|了|上|进来)*[吧了啊呢。!！\s]*"
    r"|(?:(?:but|just|ok(?:ay)?|please|only|create it|make it|and)\b[,\s]*)*"
    r"(?:(?:don't|do not|no need to|not to|needn't) (?:plan|schedule|place)(?: (?:it|them|anything))?"
    r"|(?:no|without) planning)(?: (?:yet|for now|now|right now|please))*[.!\s]*"
)
"""That a class is to be made and not to be planned."""
ONLY_MADE = ("好的，只建任务类，不排。", "All right: the class is only made, not planned.")
_FILLS = re.compile(
    r"(?:不对?|等等|哦|那个?|好的?|对了|还有|[,，\s]|\b(?:no|wait|oh|ok(?:ay)?|and|but|sorry|actually|please|then)\b)*",
    re.IGNORECASE,
)


def _correct_change(brief: Brief) -> Decision | None:
    """The card of changed contents anew, as words over it tell them otherwise: how long the new one is, where it
    stands; None for words that tell more than that."""
    over = brief.last_answer("tool", "reject")
    card = over["call"]["arguments"] if over and over["call"] and over["call"]["name"] == WRITES_CLASS else {}
    row, listed = brief.class_of(card.get("id") or 0), card.get("items") or []
    if over is None or row is None or not listed or says("asking", fold_text(over["message"])):
        return None
    if tell_instead(brief.turns[-1], brief.request, brief):
        return None
    usual = (row["sections"] or 0) // max(1, len(row["items"])) or _USUAL
    before = {item["content"]: task["duration"] for item in row["items"] for task in brief.tasks
              if task["item_id"] == item["id"]}  # fmt: skip
    before = {item["content"]: before.get(item["content"], usual) for item in row["items"]}
    touched = [one["content"] for one in listed if before.get(one["content"]) != one.get("duration", usual)]
    slots = ClassSlots(
        name=row["name"], items=tuple(one["content"] for one in listed), each=usual,
        lengths=tuple((one["content"], one["duration"]) for one in listed if one.get("duration")),
    )  # fmt: skip
    said = JOINED_CORRECTIONS.sub(", ", _FILLS.sub("", widths(over["message"]), count=1))
    last = touched[0] if len(touched) == 1 else ""
    named = _name_items(said, brief)
    read = (change_contents(slots, text, last, stored=True) for text in (said, named, _name_pieces(named, slots.items)))
    made = next((made for made, rest in read if made != slots and _FILLS.fullmatch(rest)), None)
    if made is None:
        return None
    ids, own = {one["content"]: one.get("id") for one in listed}, dict(made.lengths)
    if len(made.items) == len(slots.items):  # what is called otherwise stays the item that it was
        ids |= {new: ids[old] for old, new in zip(slots.items, made.items, strict=True) if new not in ids}
    items = [{"content": item} | ({"id": ids[item]} if ids.get(item) else {})
             | ({"duration": own[item]} if item in own else {}) for item in made.items]  # fmt: skip
    task_class = {**(card.get("task_class") or {})}
    task_class["config"] = {**(task_class.get("config") or {}), "total_slots": made.completed().total}
    anew = {"id": row["id"], "task_class": task_class, "items": items}
    told = brief.say("卡片改成这样，请确认。", "The card is changed; please approve it.")
    return call(brief, WRITES_CLASS, anew, speak=told + tell_new_orders(brief, items))


def _name_items(said: str, brief: Brief) -> str:
    """Words with the items that each clause mentions by their whole names: after chapter 6, 3 sections."""
    clauses = list[str]()
    for clause in re.split(r"[,，]", said):
        _, mentions = sign_mentions(fold_mentions(clause), brief, all_items(brief))
        found = [(words, rows[0]["name"]) for words, kind, rows in mentions.values() if kind == "item"]
        text = clause if all(words in fold_text(clause) for words, _ in found) else fold_mentions(clause)
        for words, name in found:  # what else stands there stays as it is written
            text = re.sub(re.escape(words), name.replace("\\", r"\\"), text, flags=re.IGNORECASE)
        clauses.append(text)
    return ",".join(clauses)


_WORD = re.compile(r"[A-Za-z]{4,}")


def _name_pieces(said: str, items: Sequence[str]) -> str:
    """Words with the contents by name of which they tell a part that no other one has: before the verbs; 动词前面."""
    for item in (one for one in items if fold_text(one) not in fold_text(said)):
        sizes = range(len(item) - 1, 1, -1) if has_chinese(item) else ()
        pieces = [item[at : at + size] for size in sizes for at in range(len(item) - size + 1)] or _WORD.findall(item)
        own = (one for one in pieces if sum(fold_text(one) in fold_text(other) for other in items) == 1)
        if piece := next((one for one in own if fold_text(one) in fold_text(said)), ""):
            at = fold_text(said).index(fold_text(piece))
            said = f"{said[:at]}{item}{said[at + len(piece) :]}"
    return said


def _find_refused(brief: Brief) -> CallView | None:
    """The call of a new class that the last words are about: typed over its card, or as the answer to what was asked
    after its refusal."""
    answer = brief.interaction
    over, rows = brief.last_answer("tool", "reject"), [row for row in brief.view["rejected"] if is_new(row)]
    if over is not None:
        return over["call"] if over["call"] and is_new(over["call"]) else None
    asked = answer is not None and answer["topic"] in (NOT_UNDERSTOOD_TOPIC, NOT_SAVED_TOPIC)
    return rows[-1] if rows and asked else None


def is_new(call: CallView) -> bool:
    """Whether a call makes a class that was not there."""
    return call["name"] == WRITES_CLASS and not call["arguments"].get("id")


def _plans_it(message: str, slots: ClassSlots, brief: Brief) -> bool:
    """Whether words over the card of a new class want it planned as well: 顺便排一下, and plan it right away."""
    rest = fold_text(message).replace(fold_text(slots.name), " ")
    named = items_in(rest, brief) or classes_in(rest, brief.classes) or Features(rest, brief).has("asking")
    clauses = [one for one in re.split(r"[,，;；。]", rest) if one.strip() and not excludes(one)]
    clauses = [one for one in clauses if not any(fold_text(item) in one for item in slots.items)]
    told = any(wants_build(one) or intent_of(one, brief) in ("build", "place") for one in clauses)
    return told and not named and not brief.view["needs_rough_build"]


def spell_left(slots: ClassSlots, brief: Brief, *, plans: bool = False) -> str:
    """A new class with all that its card holds as one request, and what else was asked for behind it; empty where the
    request would not be read so."""
    said = tool_requests(brief)
    own = next((at for at, text in enumerate(said) if opens_class(text)), -1)
    text = _say_whole(slots, brief, wished=plans or brief.view["needs_rough_build"])
    return (brief.say("；", "; ") + APART).join([text, *(said[own + 1 :] if own >= 0 else [])]) if text else ""


def _say_whole(slots: ClassSlots, brief: Brief, *, wished: bool) -> str:
    unit = slots.unit.replace("第", "").replace("{}", "").strip()
    numbered = brief.say(f"{slots.parts}{unit or '项'}", f"{slots.parts} {unit or 'item'}s") if slots.parts else ""
    length = usual_length(slots)
    each = replace(slots, total=None, each=None if length == _USUAL else length)
    listed = replace(slots, items=slots.completed().items, parts=None)
    wanted = slots.completed().arguments()
    ways = ((each, numbered), (slots, ""), (listed, ""))
    for one, count in ways if slots.unit or not slots.parts else ways[1:]:
        told = ["", *_say_settings(one, brief)]
        text = say_class(one, count, told, wished=wished, zh=brief.language == "zh", brief=brief)
        if read_new_class(text, brief.term).completed().arguments() == wanted:
            return text
    return ""


def _say_settings(slots: ClassSlots, brief: Brief) -> list[str]:
    """What a class keeps to, each in a clause of its own."""
    days = [
        brief.say(f"周{'一二三四五六日'[day - 1]}", f"{date(2024, 1, day):%A}s") for day in slots.excluded_days or ()
    ]
    blocks = [(2 * block - 1, 2 * block) for block in slots.excluded_blocks or ()]
    hours = [brief.say(f"{first}-{last}节", f"sections {first}-{last}") for first, last in blocks]
    no = [brief.say(f"{'、'.join(one)}不排", f"no {' or '.join(one)}") for one in (days, hours) if one]
    told: tuple[str | bool | int | None, ...] = (
        brief.say("每项{n}节", "{n} sections each", n=slots.each) if slots.each else "",
        slots.total and brief.say("共{n}节", "{n} sections", n=slots.total),
        slots.strategy == "rapid" and brief.say("集中排", "cram it"),
        slots.filler and brief.say("可以嵌入水课", "filler courses may be used"),
    )
    return [*no, *(one for one in told if isinstance(one, str) and one)]


def read_card(call: CallView) -> ClassSlots:
    """What the card of a new class holds; contents that are only numbered are so many parts."""
    row, listed = call["arguments"]["task_class"], call["arguments"].get("items") or ()
    items, own = tuple(one["content"] for one in listed), tuple((one["content"], one.get("duration")) for one in listed)
    told, name = row.get("config") or {}, row.get("name", "")
    slots = ClassSlots(
        name=name, items=items, total=told.get("total_slots"), strategy=told.get("strategy", ""),
        start=date.fromisoformat(row["start_date"]), end=date.fromisoformat(row["end_date"]),
        lengths=tuple((item, length) for item, length in own if length),
        filler=told.get("allow_filler_course"), subject_type=row.get("subject_type", ""),
        difficulty=row.get("difficulty_level", ""), intensity=row.get("cognitive_intensity", ""),
        excluded_days=_tuple(told.get("excluded_days_of_week")), excluded_blocks=_tuple(told.get("excluded_slots")),
        excluded_cells=_tuple((one["day_of_week"], one["block"]) for one in told["excluded_cells"])
        if told.get("excluded_cells") is not None else None,
    )  # fmt: skip
    unit = items[0][len(name) + 1 :].replace("1", "{}", 1) if items and items[0].startswith(f"{name} ") else ""
    numbered = replace(slots, items=(), parts=len(items), unit="" if unit == "{}" else unit)
    return numbered if unit and numbered.completed().items == items else slots


def _tuple(values: Any) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values)
