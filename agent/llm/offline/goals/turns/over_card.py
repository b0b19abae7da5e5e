"""Words typed over a card: nothing of it is wanted, the same with another item, or something of their own beside it.

A sentence over a card refuses what it offers, whatever it says. So what was not taken back is taken up again: behind an
answer or another request comes what the card was for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from agent.llm.offline.goals.in_turn import PLANNED
from agent.llm.offline.goals.questions.answers import answer_by_form
from agent.llm.offline.goals.questions.lessons.lesson_questions import asks_about_lessons
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.answers import LONGEST, consents
from agent.llm.offline.language.dialogue.pointing.distances import counts_from_other, says_place, tells_by_other
from agent.llm.offline.language.dialogue.pointing.same_for_others import WHAT_ABOUT
from agent.llm.offline.language.dialogue.references import points_back
from agent.llm.offline.language.dialogue.rewriting import LOOKING, adds_more, corrects_request, find_items
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import leaves_it_open
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.grammar import OPERATIONS, Intent
from agent.llm.offline.language.meaning.intents import intent_of, line_of, told_intent
from agent.llm.offline.language.meaning.requests import APART, place_added, requests_in
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.paraphrase.frames import Frame, slots_of
from agent.llm.offline.language.paraphrase.paraphrase import CERTAIN
from agent.llm.offline.language.slips import gives_up
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.item_lengths import read_length_of_new
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import asks_opinion
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.mentions import all_items, classes_in, find_quoted_texts, items_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import TaskView

ITEMS = frozenset({"items", "item", "item2"})
"""Slots that items fill."""
_CHANGES: tuple[Intent, ...] = (*OPERATIONS, "class", "wish", "limit", "replan", "mark", "delete_class", "undo")
"""What may be done in turn with another change."""
_ANSWERED: tuple[Intent, ...] = (*LOOKING, "changes", "rules")
"""What is only asked."""
_ONLY_THAT = re.compile(r"只|改成|换成|\b(?:only|just|instead|rather)\b")
"""What tells a limit in the place of another."""
_OF_TIMES = frozenset({"replan", "limit", "wish", "class"})
"""What is told of times: a day more is one of the same."""
_OF_PARTS = frozenset({"add_item", "add_item_after", "add_item_before", "remove_of", "remove", "rename_item"})
"""Changes of single contents of a class, which may stand beside others of the same class."""


def replaces_item(brief: Brief) -> bool:
    """Whether the words over a card only name another item for it: 说错了，是矩阵."""
    frames = brief.frames.get(brief.last_said, ())
    if len(frames) != 1 or not frames[0].changes:
        return False
    frame = frames[0]
    taken_over = {*slots_of(frame.form)} - frame.filled & frame.slots.keys()
    corrects = says("correction", fold_text(brief.spoken.get(brief.last_said, brief.last_said)))
    return bool(frame.filled) and not frame.filled - ITEMS and bool(taken_over or corrects)


def asks_otherwise(brief: Brief) -> bool:
    """Whether the words after a refusal are a whole request to do something else than what was refused: after a swap
    put chapter 3 on friday then."""
    frames, turn = brief.frames.get(brief.last_said, ()), brief.turns[-1]
    intent, first = intent_of(turn, brief), intent_of(brief.request, brief)
    whole = len(frames) == 1 and frames[0].changes and frames[0].is_whole and bool(frames[0].filled)
    operates = {intent, first} <= {*OPERATIONS} and line_of(turn, brief) == intent
    return intent != first and (whole or operates)


def plans_another(brief: Brief) -> bool:
    """Whether words over a card are a whole request to plan a class that the card is not about, or to have what it
    would take back otherwise."""
    frames = brief.frames.get(brief.last_said, ())
    if intent_of(brief.request, brief) == "undo" and _ONLY_THAT.search(fold_text(brief.last_said)):
        return bool(read_times(brief.turns[-1], brief.term))
    turn, classes = brief.turns[-1], {*classes_in(brief.turns[-1], brief.classes)}
    whole = len(frames) == 1 and frames[0].is_whole and intent_of(turn, brief) in PLANNED
    return whole and bool(classes) and not classes & {*classes_in(brief.request, brief.classes)}


def goes_by_card(text: str, request: str, brief: Brief) -> bool:
    """Whether words over a card tell where another item goes by the place that the card gives to its own: where that is
    is known when the card is approved."""
    typed, own = fold_text(brief.spoken.get(text, text)), find_items(request, brief)
    plain = [text, *(one for one, said in brief.spoken.items() if said == text)]
    told = [typed, *(plain if re.search(r"同|\bsame\b", typed) else ())]
    others = [row for one in told for row in _rows_of(one, brief) if row not in own]
    moves = intent_of(request, brief) in ("move", "place", "swap", "try")
    if not (moves and others) or says("correction", typed) or says("asking", typed) or asks_whether(typed):
        return False
    return (points_back(typed) or tells_by_other(typed)) and not counts_from_other(typed)


def spell_added(row: TaskView, text: str, brief: Brief) -> str:
    """Spells the length of an item that words tell, or by the item behind it the place that they want it to have in its
    class; empty for other words."""
    if length := read_length_of_new(re.sub("节课(?!时)", "节", fold_text(text))):
        return brief.say("{name}改成{n}节", "make {name} {n} sections long", name=row["name"], n=length)
    told = read_content_changes(f"{row['name']} {text}", brief).told
    same = (one["name"] for one in all_items(brief) if one["class_id"] == row["class_id"])
    names = [name for name in same if name != row["name"]]
    if [one.kind for one in told] != ["reorder"] or told[0].side not in ("first", "last", "before", "after"):
        return ""
    side, beside = told[0].side, told[0].beside["name"] if told[0].beside else ""
    at = len(names) if side == "last" else (names.index(beside) if beside in names else 0) + (side == "after")
    last = brief.say(f"{row['name']}放到最后", f"{row['name']} should come last")
    before = ("{name}放到{other}前面", "{name} should come before {other}")
    return brief.say(*before, name=row["name"], other=names[at]) if at < len(names) else last


def stands_beside(text: str, before: Sequence[str], brief: Brief) -> bool:
    """Whether words over a card are a whole request or a question that leaves what the card is for as it was: both are
    carried out, these words first. `before`: what the card is for."""
    if len(before) == 1 and (limits_more(text, before[0], brief) or adds_content(text, before[0], brief)):
        return True
    typed, whole = brief.spoken.get(text, text), [*before, *(brief.whole.turns[:1] if brief.whole else ())]
    if len(before) != 1 or _REFUSES.match(typed) or _is_answer(text, before[0], brief) or gives_up(typed):
        return False
    added = place_added(text, before[0], brief) or _orders_added(text, before[0], brief)
    if added or any(_refines_last(text, one, brief) for one in whole):
        return True
    request, frames, text = before[0], brief.frames.get(text, ()), spell_marked(brief.read_words(text), brief)
    intent, first = intent_of(text, brief), intent_of(request, brief)
    if first not in _CHANGES or Features(text, brief).opens_class:
        return False
    if _is_question(text, frames, brief) or _uses_new_name(text, request):
        return True
    if intent in PLANNED and (first not in ("wish", "limit") or classes_in(request, brief.classes)):
        return False
    if intent not in (*_CHANGES, *PLANNED) or not _is_whole(text, frames, brief):
        return False
    if first == "mark" and intent in ("move", "place") and not read_times(text, brief.term):
        return True  # so much later than it was, whatever became of it
    if intent == first == "swap" and not adds_more(text):
        return False  # another pair is one instead
    if first == "undo" and _ONLY_THAT.search(fold_text(f"{text} {typed}")):
        return False  # what was to be taken back is to be otherwise
    return not _touches(text, request, frames, brief)


_REFUSES = re.compile(r"(?:不|no)[,，.。!！]", re.IGNORECASE)
"""What is wanted instead of what the card is for."""
_AS_MARKED = re.compile(
    r"(?:[没未][^,，。的]{0,5}|[做学看背弄复习完成]+了?)的那?[1一]?[个项章节门]?"
    r"|\bthe (?:one|item|chapter|part) (?:that |which )?(?:i |was |is |i've |i have )*"
    r"(?:missed|skipped|done|did|finished|not (?:done|finished)|(?:didn't|did not|haven't|have not) \w+)\b"
)


def spell_marked(text: str, brief: Brief) -> str:
    """Words with the items that they tell by what became of them, as it was told right before: the one I missed."""
    found, said = _AS_MARKED.search(fold_text(text)), [turn["text"] for turn in brief.earlier if turn["role"] == "user"]
    parts = requests_in(said[-1], brief) if found and said and len(brief.view["turns"]) < _SECOND else []
    parts = requests_in((brief.whole or brief).request, brief) if found and not parts else parts
    wanted = found and progress_in(found.group())
    rows = [row for one in parts if progress_in(one) == wanted for row in _rows_of(one, brief)]
    names = brief.say("、", " and ").join(row["name"] for row in rows)
    return fold_text(text).replace(found.group(), names, 1) if found and wanted and rows else text


_SECOND = 2


def _rows_of(text: str, brief: Brief) -> list[TaskView]:
    return find_items(text, brief) or items_in(text, brief, among=all_items(brief))


def limits_more(text: str, request: str, brief: Brief) -> bool:
    """Whether two texts limit the times of everything by conditions of which none takes the place of another."""
    told, before = (read_conditions(brief.read_words(one), brief).said for one in (text, request))
    typed = fold_text(brief.spoken.get(text, text))
    anew = _ONLY_THAT.search(typed) or says("correction", typed) or says("asking", typed)
    lasting = intent_of(brief.read_words(request), brief) in ("wish", "limit", "class")
    if not (told and before and lasting) or anew or any(one.items or one.owners for one in (*told, *before)):
        return False
    numbers = [{key for one in found for key in one.values} - {"within", "without"} for found in (told, before)]
    return not numbers[0] & numbers[1]


def adds_content(text: str, request: str, brief: Brief) -> bool:
    """Whether words over a card of what a class has tell one more change of the same kind: and Lab 3 to Bridges."""
    if not adds_more(brief.spoken.get(text, text)):
        return False
    before, both = (read_content_changes(one, brief).told for one in (request, _put_behind(text, request, brief)))
    things = [
        {(one.kind, *thing) for one in told for thing in zip_longest((row["item_id"] for row in one.items), one.names)}
        for told in (before, both)
    ]
    return bool(before) and things[0] < things[1] and len({one.kind for one in both}) == 1


def _put_behind(text: str, request: str, brief: Brief) -> str:
    return f"{request}{brief.say('，', ', ')}{brief.spoken.get(text, text)}"


def _orders_added(text: str, request: str, brief: Brief) -> bool:
    """Whether words tell the place that the one thing which a request adds is to have among the others of its class."""
    said = [read_content_changes(one, brief).told for one in (request, _put_behind(text, request, brief))]
    kinds = [[(one.kind, len(one.names)) for one in told] for told in said]
    return kinds[0] == kinds[1] == [("add", 1)] and said[0][0].side != said[1][0].side


def _refines_last(text: str, request: str, brief: Brief) -> bool:
    """Whether words over a card behind which another item is to go elsewhere tell another place of that, or only times
    that are not wanted."""
    said, times = requests_in(request, brief), read_times(text, brief.term)
    moves, rows = len(said) > 1 and intent_of(said[-1], brief) in OPERATIONS, _rows_of(text, brief)
    if moves and rows:
        return rows == _rows_of(said[-1], brief) and intent_of(text, brief) in ("move", "place")
    return moves and bool(times) and all(one.role == "avoided" for one in times)


def asks_beside(text: str, request: str, brief: Brief) -> bool:
    """Whether words over a card only ask something, whatever the card is for."""
    answers, frames, text = _is_answer(text, request, brief), brief.frames.get(text, ()), brief.read_words(text)
    own = find_items(request, brief)
    of_other = asks_whether(text) and any(row not in own for row in _rows_of(text, brief))
    corrects = corrects_request(text, brief) and not of_other
    of_card = answers or says("why_asked", fold_text(text)) or corrects
    return not of_card and _is_question(text, frames, brief)


def _is_answer(text: str, request: str, brief: Brief) -> bool:
    """Whether words over a card agree to it, leave it open or correct it; longer ones tell of much else."""
    corrects = len(text) > 2 * LONGEST or says("correction", fold_text(brief.spoken.get(text, text)))
    leaves = leaves_it_open(text) and not _asks(brief.frames.get(text, ()))
    return corrects or leaves or consents(brief.read_words(text), request, brief)


def _is_question(text: str, frames: Sequence[Frame], brief: Brief) -> bool:
    intent, told = intent_of(text, brief), read_times(text, brief.term) or _rows_of(text, brief)
    asks = Features(text, brief).has("asking") or asks_whether(text) or (intent == "show" and not told)
    asked = intent in _ANSWERED and asks
    return asked or _asks_fact(text, brief) or _asks(frames)


def _asks_fact(text: str, brief: Brief) -> bool:
    """Whether words ask of the lessons, of how things stand, or what is thought of what was offered."""
    own = brief.part([text], [], before=brief.request)
    changes = intent_of(text, brief) in _CHANGES and not Features(text, brief).asks
    return asks_about_lessons(own) or (not changes and bool(answer_by_form(own) or asks_opinion(text)))


def _asks(frames: Sequence[Frame]) -> bool:
    """Whether the models are sure that words are questions alone."""
    return bool(frames) and all(not one.changes and one.chance >= CERTAIN and one.is_whole for one in frames)


def _is_whole(text: str, frames: Sequence[Frame], brief: Brief) -> bool:
    """Whether words tell with what to do what they want."""
    if frames:
        return all(one.changes and one.is_whole for one in frames) and any(one.filled for one in frames)
    return bool(items_in(text, brief, among=all_items(brief)) or classes_in(text, brief.classes))


def _touches(text: str, request: str, frames: Sequence[Frame], brief: Brief) -> bool:
    """Whether two requests are about the same item or the same class, or of one kind and about everything."""
    items, others = (_items_of(one, brief) for one in (text, request))
    if items & others:
        return True
    classes, of_others = ({*classes_in(one, brief.classes)} for one in (text, request))
    if "delete_class" in (intent_of(text, brief), intent_of(request, brief)):
        owners, of_owners = (_owners_of(one, brief) for one in (items, others))
        return bool((classes | owners) & (of_others | of_owners))
    if of_others and not (items or classes) and intent_of(text, brief) in ("limit", "wish", "class"):
        return True  # a time that is told of nothing is of the class at hand
    if classes & of_others:
        return not (frames and {one.form for one in frames} <= _OF_PARTS)
    kinds = {intent_of(text, brief), intent_of(request, brief)}
    if kinds == {"class", "replan"} and Features(request, brief).opens_class:
        return False  # what happens to the plan is nothing of a class that is not in it
    return not (items or others or classes or of_others) and (len(kinds) == 1 or kinds <= _OF_TIMES)


def _items_of(text: str, brief: Brief) -> set[int]:
    return {row["item_id"] for row in _rows_of(text, brief)}


def _owners_of(item_ids: set[int], brief: Brief) -> set[int]:
    return {row["id"] for row in brief.classes for item in row["items"] if item["id"] in item_ids}


def join_requests(text: str, request: str, brief: Brief, *, asks: bool) -> str:
    """Two requests as one message: what is wished beside a plan is one with it, others stay apart, as what only `asks`.
    What is asked comes first, what is wanted too stands behind what the card is for."""
    if APART in text:
        return text  # it says again what the card is for
    if goes_by_card(text, request, brief):
        typed = brief.spoken.get(text, text)
        known = typed == text or says_place(text) or WHAT_ABOUT.search(fold_text(typed))
        return APART.join([*requests_in(request, brief), text if known or not points_back(typed) else typed])
    if _refines_last(text, request, brief) and _rows_of(text, brief):
        return APART.join([*requests_in(request, brief)[:-1], text])
    if _refines_last(text, request, brief) or _orders_added(text, request, brief):
        return _put_behind(text, request, brief)
    if placed := place_added(text, request, brief):
        return APART.join([*requests_in(request, brief), placed])
    if _uses_new_name(text, request):
        return APART.join([*requests_in(request, brief), text])
    more = adds_more(brief.spoken.get(text, text)) and intent_of(request, brief) == "class" and not asks
    classes = [{*classes_in(one, brief.classes)} | _owners_of(_items_of(one, brief), brief) for one in (text, request)]
    more = more and (classes[0] <= classes[1] or not all(classes))  # what is removed is of no class any more
    if limits_more(text, request, brief) or (more and told_intent(text, brief) in ("class", "other", "show")):
        return _put_behind(text, request, brief)
    wish = intent_of(text, brief) in PLANNED and intent_of(request, brief) in ("wish", "limit")
    both = "class" == intent_of(text, brief) == intent_of(request, brief)
    both = both and (classes[0] == classes[1] or not all(classes))
    typed = brief.spoken.get(text, text)
    named = [{row["item_id"] for row in items_in(one, brief, among=all_items(brief))} for one in (typed, text)]
    goes = intent_of(request, brief) == "mark" and bool((named[0] - named[1]) & _items_of(request, brief))
    if wish or both or asks or goes or _is_question(text, brief.frames.get(text, ()), brief):  # once done it is gone
        between = brief.say("，", ", ") if (wish or both) and not asks else APART
        return f"{text.rstrip(' 。.!！')}{between}{request}"
    return APART.join([*requests_in(request, brief), text])


def _uses_new_name(text: str, request: str) -> bool:
    """Whether words over a card use a name that only comes with it: 改名叫背单词, then 背单词帮我排周末."""
    return any(fold_text(name) in fold_text(text) for name in find_quoted_texts(request) if len(name) > 1)
