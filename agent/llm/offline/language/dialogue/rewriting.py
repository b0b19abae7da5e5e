"""A fragment completed by the request before it: each of its spans takes the place of the last one of its kind.

打错了，是周三 after 周二晚上别排 means 周三晚上别排. A span of a kind that the request has not is added to it. What
points to a day, a week or an item that was just talked about ("that day", "the one after it") is spelled out first.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import timedelta
from itertools import takewhile

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.labels import INTENTS
from agent.llm.offline.language.dialogue.slots import COUNT, ORDINAL, Kind, Span, find_spans
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.aims import SURER, aims_of
from agent.llm.offline.language.meaning.ellipsis import form_of, strip_fillers
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of, line_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.conditions.wishes import takes_back_rule
from agent.llm.offline.language.spans.items.groups import find_group, is_exception
from agent.llm.offline.language.spans.items.spoken import named_items, spell_out_ordinals
from agent.llm.offline.language.spans.mentions import (
    all_items,
    classes_in,
    items_in,
    without_refusals,
)
from agent.llm.offline.language.spans.revert import find_changes
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.spelling import spell_out_lists
from agent.loop.view_document import PlaceView, SlotView, TaskView

_SPARES = re.compile(
    r"别|不[要动移挪改换变算用]|留[着下在]|保持|除[了外]|算了|例外"
    r"|\b(?:not|don't|leave|keep|except|without|stays?|skip|forget|never mind|spare)\b"
)
"""What says that something is left as it is."""
_ONLY = re.compile(r"只|就(?!算)|\b(?:just|only)\b")
_ALL_OF = re.compile(r"(?:所有的?|全部的?|每[个章项]|\ball(?: of)?(?: the| my)? |\bevery |\bthe )\s*$")
_ALSO = re.compile(r"[呢也]|\b(?:and|also|too|either|what about|how about|as well)\b")
_ADDS = re.compile(
    r"也|还有|以及|加上|顺便|另外|同样|^再(?!晚|早|往|推|提|挪)|^(?:然后|接着)|^then\b"
    r"|^(?:oh |ok |btw )*and\b|\b(?:same for|also|too|as well|plus|or)\b"
)
_MEANT = re.compile(r"[,\s]*\bi (?:mean|meant)\W*$")
_ASKS = re.compile(r"啥|什么|哪|多少|\b(?:what|how)(?! about)\b|\b(?:when|where|which|why)\b")
"""A question of its own."""
LIKELY = 0.3
"""The probability from which a message that is no fragment by its form is one by the classifier."""
UNSURE = 0.4
"""The probability below which the classifier knows of no intent of its own."""
LOOKING: tuple[Intent, ...] = (
    "explain", "class_facts", "classes", "end_asked", "next", "past", "due", "load", "fits", "show", "free", "reasons",
)  # fmt: skip
CLAUSE = re.compile(r"[,，。;；!！]\s*|\.(?:\s+|$)|但是?|不过|\bbut\b")
LONGEST = 60
"""Characters of the longest fragment."""
_DAY = timedelta(days=1)


def corrects_request(message: str, brief: Brief) -> bool:
    """Whether a later message of a goal only says otherwise what its request says of a time, a thing or a number."""
    kinds = [{one.kind for one in find_spans(fold_text(text), brief)} for text in (message, brief.request)]
    return bool(kinds[0]) and kinds[0] <= kinds[1] and is_fragment(message, brief.request, brief)


def adds_more(message: str) -> bool:
    """Whether a message wants something beside what was said before."""
    return _ADDS.search(fold_text(message)) is not None


def find_items(request: str, brief: Brief) -> list[TaskView]:
    """The items that a request is about, or that a piece of it names."""
    group = find_group(request, brief) if not is_exception(request) else None
    return (group.items if group else []) or named_items(request, brief) or items_in(request, brief)


def select_items(message: str, request: str, brief: Brief) -> str:
    """The request about several items without those that a message spares, or only with those it wants: yes, but leave
    lab 1; 实验一不要动; just the last two. Empty where it chooses none of them; what was moved already goes back."""
    text = fold_text(message)
    if undone := _find_undone(text, request, brief):
        names = "、".join(row["name"] for row in undone)
        return brief.say(f"{names}不用了", f"never mind {names}")
    told = request and len(text) <= LONGEST and not (target_in(text, brief).said or shift_in(text))
    if not told or intent_of(request, brief) not in OPERATIONS:
        return ""
    meant = find_items(request, brief)
    clauses = CLAUSE.split(text)
    spared = [row for one in clauses if _SPARES.search(one) for row in find_items(one, brief)]
    chosen = [row for one in clauses if _ONLY.search(one) for row in find_items(one, brief)]
    if chosen:
        spared = [row for row in meant if row not in chosen] if all(row in meant for row in chosen) else []
    rest = [row for row in meant if row not in spared]
    if not (spared and rest and all(row in meant for row in spared)):
        return ""
    names, left = ("、".join(row["name"] for row in rows) for rows in (spared, rest))
    if count_changes(meant, brief):
        return brief.say(f"{names}不用了", f"never mind {names}")
    if intent_of(request, brief) == "remove":
        return brief.say(f"把{left}移出", f"take {left} out")
    if chosen or len(named_items(request, brief)) > 1:
        return put_in(left, request, brief)
    return brief.say(f"{request.rstrip('。！')}，除了{names}", f"{request.rstrip(' .!')} except {names}")


_UNDOES = re.compile(
    r"除外|例外|不算|不用|不要|撤[销回]|取消|算了|恢复|放回"
    r"|\b(?:undo|revert|back|cancel|never mind|forget|except)\b"
)


def _find_undone(text: str, request: str, brief: Brief) -> list[TaskView]:
    """The items of the last change that a clause wants back by the day on which they stood: 26号的不用了."""
    last = brief.view["last_change"]
    if not request or len(text) > LONGEST or last is None or last["kind"] == "build":
        return []
    before = {one["item_id"]: one["before"] for entry in find_changes(brief)[-1:] for one in entry}
    found: list[TaskView] = []
    for clause in CLAUSE.split(text):
        target = target_in(clause, brief) if _UNDOES.search(clause) and not items_in(clause, brief) else None
        if target and target.dated and not shift_in(clause):
            found += [
                row
                for row in brief.tasks
                if (place := before.get(row["item_id"])) and target.covers(_slot_before(place))
            ]
    return found if 0 < len(found) < len(before) else []


def _slot_before(place: PlaceView) -> SlotView:
    first, last = place["section_from"], place["section_to"]
    return SlotView(
        day=0,
        week=place["week"],
        day_of_week=place["day_of_week"],
        slot_start=first,
        slot_end=last,
        host_event_id=None,
    )


def count_changes(items: list[TaskView], brief: Brief) -> int:
    """How many of the last changes of the draft were of these items alone; a plan that was made counts as none."""
    last, ids = brief.view["last_change"], {row["item_id"] for row in items}
    if last is None or last["kind"] == "build":
        return 0
    own = takewhile(lambda entry: {one["item_id"] for one in entry} <= ids, reversed(find_changes(brief)))
    return len(list(own))


def is_fragment(message: str, base: str, brief: Brief, said: str = "") -> bool:
    """Whether a message only makes sense by the request before it; `said` are its own words, where it was resolved."""
    if len(message) > LONGEST or Features(message, brief).has("declines") or takes_back_rule(fold_text(message), brief):
        return False
    form, (label, chance) = form_of(message, brief), aims_of(said or message, brief, later=True)[0]
    folded = fold_text(message)
    counted = COUNT.search(folded) and not strip_fillers(pattern("pronoun").sub(" ", COUNT.sub(" ", folded)))
    if form == "both" and items_in(message, brief) and not (_ALSO.search(folded) or says("correction", folded)):
        return False
    if (label == "amend" and chance > LIKELY and not _ASKS.search(folded)) or counted:
        return True
    corrects = says("correction", folded) or _NO_COMMA.match(folded) is not None
    if corrects and intent_of(base, brief) in ("move", "place") and _only_tells_where(message, brief):
        return True
    if form == "both" or line_of(message, brief) or (INTENTS[label] in LOOKING and chance > SURER):
        return False
    if not form:
        return corrects or _says_no_more(folded, base, brief, sure=chance >= UNSURE)
    return form == "time" or corrects or _ALSO.search(folded) is not None or intent_of(base, brief) in LOOKING


_NO_COMMA = re.compile(r"\s*(?:不|no|nope)[,，]\s*")


def _only_tells_where(message: str, brief: Brief) -> bool:
    """Whether a message names nothing and tells with the verb of a move where it is to go: 不，移到第8周."""
    moves = line_of(message, brief) in ("move", "place") and find_group(message, brief) is None
    named = items_in(message, brief) or classes_in(message, brief.classes)
    return moves and not named and (target_in(message, brief).said or shift_in(message) is not None)


def _says_no_more(text: str, base: str, brief: Brief, *, sure: bool) -> bool:
    """Whether a text has only slots that the request has too, at least two of them; a name and its item alone where the
    classifier is `sure` of something else."""
    kinds = {one.kind for one in find_spans(text, brief)}
    known = {one.kind for one in find_spans(fold_text(base), brief, names="name" in kinds)}
    return len(kinds) > 1 and kinds <= known and (not sure or "name" in kinds)


def put_in(fragment: str, base: str, brief: Brief, *, adds: bool = False) -> str:
    """The request with the spans of the fragment in the place of its own, or beside them where it `adds`; empty where
    the fragment has none."""
    fragment = _MEANT.sub("", without_refusals(fold_text(fragment)))
    fragment, base = (spell_out_lists(_spell_out(one)) for one in (fragment, fold_text(base).rstrip(" .。!！")))
    if excludes(base) and (opened := [one for one in CLAUSE.split(fragment) if says("open_up", one)]):
        rest = ", ".join(one for one in CLAUSE.split(fragment) if one not in opened)
        whole = put_in(rest, base, brief) if rest.strip(" ,") else ""
        return ", ".join([whole, *opened]) if whole else ""
    new = {
        one.kind: one for one in find_spans(fragment, brief) if not any(time.role == "avoided" for time in one.times)
    }
    if "count" in new and len(new) > 1:
        del new["count"]
    if not new:
        return ""
    spans = find_spans(base, brief, pronouns=True, names="name" in new)
    old = {one.kind: one for one in spans}
    if numbers := [one for one in spans if one.kind == "count" and not _is_period(base[one.start : one.end])]:
        old["count"] = numbers[-1]
    if intent_of(base, brief) in ("build", "wish") and not new.keys() <= old.keys():
        return ""
    texts = {kind: fragment[one.start : one.end] for kind, one in new.items()}
    changes: list[tuple[int, int, str]] = []
    if "item" in new and "class" in old and "class" not in new and not _belongs(texts["item"], base, brief):
        old.setdefault("item", old["class"])
        if old["item"] != old["class"]:
            changes.append((old["class"].start, old["class"].end, ""))
    if "class" in new and "class" not in old and "item" in old and "item" not in new:
        numbered = ORDINAL.fullmatch(base[old["item"].start : old["item"].end].strip()) is not None
        texts["item"] = texts.pop("class") + (base[old["item"].start : old["item"].end] if numbered else "")
    if "count" in new and (known := _find_ordinal(texts["count"], base, old)):
        return base[: known.start] + texts["count"] + base[known.end :]
    if "count" in new and "day" in old and (days := _in_month(texts["count"], old["day"], brief)):
        texts["day"] = days
        del texts["count"]
    elif "day" in new and "day" in old:
        texts["day"] = (
            _bound_anew(new["day"], old["day"], fragment, brief)
            or _in_month(texts["day"], old["day"], brief)
            or _in_week(new["day"], old["day"], texts["day"], brief)
        )
    if "count" in texts:
        known = _find_number(texts["count"], base, old.get("count"))
        if known is None:
            return ""
        old["count"] = known
    for kind, text in texts.items():
        at = old.get(kind)
        if at is not None:
            text = f"{base[at.start : at.end]}、{text}" if adds and kind != "count" else text
            every = _ALL_OF.search(base[: at.start]) if kind == "item" else None
            changes.append((every.start() if every else at.start, at.end, text))
        elif kind == "hour" and "day" in old:
            changes.append((old["day"].end, old["day"].end, f" {text}"))
        elif kind == "class" and "item" in (*old, *new):
            start = old["item"].start if "item" in old else len(base)
            changes.append((start, start, f"{text} "))
        else:
            changes.append((len(base), len(base), f" {text}"))
    for start, end, text in sorted(changes, key=lambda change: change[:2], reverse=True):
        base = base[:start] + text + base[end:]
    return base


def _spell_out(text: str) -> str:
    """A folded text with each item of a list named in full: chapters 2, 3 and 4."""
    spelled = spell_out_ordinals(text)
    return text if spelled == fold_numbers(text) else spelled


def _belongs(item: str, base: str, brief: Brief) -> bool:
    """Whether an item may be one of the classes that the request names."""
    owners = {row["class_id"] for row in items_in(item, brief, among=all_items(brief))}
    return not owners or bool(owners & set(classes_in(base, brief.classes)))


def _is_period(said: str) -> bool:
    """Whether a number only tells in what time there are so many: a day, 一天."""
    return re.fullmatch(r"(?:an?|one|[1一每]) ?(?:day|week|天|周|星期)", said.strip()) is not None


def _find_number(said: str, base: str, old: Span | None) -> Span | None:
    """Where a number stands that another may take the place of: it has the same unit, or the other one has none."""
    new, known = COUNT.match(said), [*COUNT.finditer(base, old.start, old.end)] if old else []
    if old is None or new is None or not known:
        return None
    there = next((one for one in reversed(known) if not _is_period(one.group())), known[0])
    unit = (new["unit"] or "").rstrip("s")
    if unit:
        return old if unit == (there["unit"] or "").rstrip("s") else None
    return Span("count", *there.span("number"))


def _find_ordinal(said: str, base: str, old: dict[Kind, Span]) -> Span | None:
    """Where the number of an item stands that a number alone takes the place of: chapter 5, then "and 6?"."""
    alone = said.strip().isdigit() and "count" not in old and "item" in old
    match = re.search(r"\d{1,2}(?=\D*$)", base[old["item"].start : old["item"].end]) if alone else None
    return Span("item", old["item"].start + match.start(), old["item"].start + match.end()) if match else None


_DAY_NUMBERS = re.compile(
    r"\D{0,5}?(?P<first>\d{1,2})(?:[号日]|st|nd|rd|th)?"
    r"(?:\s*(?:-|–|~|到|至|to|until|through)\s*(?:the )?(?P<last>\d{1,2})(?:[号日]|st|nd|rd|th)?)?\s*"
)


def _in_month(text: str, old: Span, brief: Brief) -> str:
    """Days that are told by their numbers alone, in the month of the request's: May 8, then "the 9th"; 21 to 23."""
    said = None if re.search("周|week", text) else _DAY_NUMBERS.fullmatch(text)
    days_said = (one for one in old.times if not one.weekdays and one.kind in ("day", "days"))
    dated = next((one.first or one.last for one in days_said), None)
    if said is None or dated is None:
        return ""
    days = [int(number) for number in said.groups() if number]
    last = monthrange(dated.year, dated.month)[1]
    named = [dated.replace(day=day) for day in days if 1 <= day <= last]
    if len(named) < len(days):
        return ""
    return brief.say("到", " to ").join(brief.say(f"{day.month}月{day.day}号", day.isoformat()) for day in named)


_UNTIL = re.compile(r"(?:到|至|\b(?:until|till?|through))\s*(?:the )?$")


def _bound_anew(new: Span, old: Span, fragment: str, brief: Brief) -> str:
    """The days of the request with the end that a fragment gives them, or the beginning: 22 to 25 March, then "until
    the 26th"; empty where the fragment tells no bound alone."""
    if len(new.times) != 1 or len(old.times) != 1:
        return ""
    said, run = new.times[0], old.times[0]
    ends = run.kind == "days" and said.kind == "day" and _UNTIL.search(fragment[: new.start]) is not None
    if run.first is None or ((said.first is None) == (said.last is None) and not ends):
        return ""
    first, last = (None if ends else said.first) or run.first, said.last or run.last
    if last is None or last < first:
        return ""
    return brief.say(
        "到".join(f"{day.month}月{day.day}号" for day in (first, last)),
        " to ".join(day.isoformat() for day in (first, last)),
    )


def _in_week(new: Span, old: Span, text: str, brief: Brief) -> str:
    """The days of a fragment; weekdays alone are of the week of the request, a week alone is of its weekdays."""
    monday = next((one.first for one in new.times if one.kind == "week" and one.first), None)
    named = sorted({day for one in old.times for day in one.weekdays})
    if monday is not None and named and len(new.times) == 1:
        return "、".join((monday + (day - 1) * _DAY).isoformat() for day in named)
    bare = all(one.kind == "weekday" and one.week is None for one in new.times)
    dated = next((one.first for one in old.times if one.first and one.kind != "days"), None)
    if not bare or dated is None:
        return text
    monday = dated - (dated.isoweekday() - 1) * _DAY
    days = sorted({day for one in new.times for day in one.weekdays})
    return "、".join((monday + (day - 1) * _DAY).isoformat() for day in days)
