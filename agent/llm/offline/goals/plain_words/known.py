"""Which messages the readers know as they were said, beside the frames that say them plainly."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from agent.llm.offline.goals.negotiation import find_chosen_way
from agent.llm.offline.goals.questions.answers import answer_by_form
from agent.llm.offline.goals.questions.checks import answer_check
from agent.llm.offline.goals.questions.lessons.lesson_questions import asks_about_lessons
from agent.llm.offline.goals.questions.nothing_there import answer_next
from agent.llm.offline.goals.questions.query import query_in
from agent.llm.offline.goals.questions.query_answers import answer_query
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.slots import OF_DAY
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.clauses import clauses_of
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of
from agent.llm.offline.language.meaning.requests import divide_added
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import Frame
from agent.llm.offline.language.paraphrase.paraphrase import AS_SAID, CERTAIN, Paraphrase
from agent.llm.offline.language.paraphrase.refinement import EVERY_WEEK, asks_to_extend, recurs_for_reason
from agent.llm.offline.language.plain.dialogue import read_plainly
from agent.llm.offline.language.spans.alternatives import alternatives_in
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes, tells_only_contents
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.classes.exam_days import ends_before_exam, read_exam_ahead
from agent.llm.offline.language.spans.classes.item_lengths import tells_length
from agent.llm.offline.language.spans.classes.new_class import read_new_class
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import only_supposes, read_supposition
from agent.llm.offline.language.spans.dates import dates_in
from agent.llm.offline.language.spans.happenings import ROUND_TRIP, days_in, is_absence_ahead
from agent.llm.offline.language.spans.mentions import all_items, classes_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import View

KNOWN_BETTER = frozenset([
    "most_a_day", "most_a_day_of", "most_a_week", "most_a_week_of", "nothing_on_of", "only_on", "only_on_of",
    "days_between", "days_between_of", "never_on", "always_on", "wish_nothing_on", "wish_only_on", "wish_most_a_day",
    "use_fillers", "no_fillers",
])  # fmt: skip
"""Forms of which the readers know more than a frame holds: for which class, once or for good, whether it is asked."""
_PLANS = frozenset(["plan", "plan_from", "plan_from_to", "plan_until"])
PUTS = _PLANS | {"plan_all", "plan_anew", "put_in", "put_in_on", "put_in_waiting", "move_to", "spread_out"}
"""Forms of what gets a place, which hold few of the limits that are told beside it."""
_ONCE_AS_FRAMES = frozenset(["nothing_on", "most_a_day", "not_two_a_day"])
"""Forms that are said again as conditions of this plan alone."""
_FREES = frozenset(["nothing_on", "away", EVERY_WEEK, "leave_time", "move_all_away", "take_all_out"])
_OF_CLASSES = frozenset([
    "deadline", "deadline_later", "deadline_earlier", "exam", "exam_later", "exam_earlier", "finish_by", "begins",
    "create", "create_from", "create_from_to", "create_until", "add_item", "add_item_after", "add_item_before",
    "rename_item", "rename_class", "remove", "remove_of", "order", "order_in", "each_takes",
])  # fmt: skip
"""Changes of classes, of which the readers carry out several at once."""
_DATES = frozenset(["deadline", "deadline_later", "deadline_earlier", "exam", "exam_later", "exam_earlier"])
_CREATES = frozenset(["create", "create_from", "create_from_to", "create_until"])
_ADDS = frozenset(["add_item", "add_item_after", "add_item_before"])
"""New contents, of whose list a frame holds one name where there are several."""
_OTHER_DAYS = re.compile(r"病|发烧|感冒|还有|以及|\b(?:ill|sick|fever|flu|and also)\b", re.IGNORECASE)
"""Of somebody who is away: that days behind may count too, as with an illness, or that there are further days."""
_READ_AS: tuple[Intent, ...] = ("build", "class", "wish", "limit", "replan", "plan_first", "optimise")


def leaves_out_limits(message: str, said: Paraphrase, own: Brief) -> bool:
    """Whether a plan is to keep to more than its frame holds."""
    told, held = read_conditions(message, own).said, read_conditions(said.text, own).said
    if len(told) > len(held):
        return True
    mine, theirs = Features(message, own), Features(said.text, own)
    return mine.builds and not mine.any_items and bool(mine.limits) and not theirs.limits


def _is_of_nothing(said: Paraphrase) -> bool:
    """Whether requests name neither a class nor an item."""
    return not any({"class", "item", "items"} & frame.slots.keys() for frame in said.frames)


def _is_of_some(message: str, brief: Brief) -> bool:
    """Whether a condition that the readers find is one of some class or item."""
    return any(one.owners or one.items for one in read_conditions(message, brief).said)


def _knows_days_better(message: str, said: Paraphrase, own: Brief) -> bool:
    """Whether the readers know the days somebody is away where a frame leaves one out: some of those that it holds, or
    from the day of leaving to that of coming back."""
    days, held = days_in(message, own.term), days_in(said.text, own.term)
    if not days or not held or days == held:
        return False
    narrower = all(any(run.first <= day.first and day.last <= run.last for run in held) for day in days)
    return (narrower and said.leaves_out) or ROUND_TRIP.search(fold_text(message)) is not None


def _tells_class_wholly(frame: Frame, own: Brief) -> bool:
    """Whether a new class has its name, its contents and its last day for the readers too: they know of more than a
    frame holds, as of the length of its items and of days that it leaves free."""
    slots, name, listed = read_new_class(own.request, own.term), frame.slots["text"], frame.slots.get("text2", ())
    known = all(fold_numbers(item) in fold_numbers("、".join(listed)) for item in slots.items)
    same = [fold_numbers(slots.name)] == [fold_numbers(one) for one in name]
    return same and known and slots.end is not None and bool(slots.items or slots.parts)


def _adds_names(message: str, own: Brief, *, beside: bool) -> bool:
    """Whether the readers know of a message which new contents a class is to have, or how many, and beside what."""
    told = read_content_changes(message, own).told
    if len(told) != 1 or told[0].kind != "add" or not (told[0].names or told[0].more) or not told[0].classes:
        return False
    return told[0].beside is not None or not beside


@dataclass(frozen=True)
class Reading:
    """A message as it was said, beside the frames that say it plainly; each finding is made when it is asked for."""

    told: str
    said: Paraphrase
    own: Brief
    """The brief of the message alone."""

    @property
    def message(self) -> str:
        return self.own.request

    @cached_property
    def intent(self) -> Intent:
        return intent_of(self.message, self.own)

    @property
    def features(self) -> Features:
        return Features(self.message, self.own)

    @cached_property
    def changes(self) -> bool:
        return any(frame.changes for frame in self.said.frames)

    @cached_property
    def forms(self) -> frozenset[str]:
        return frozenset(frame.form for frame in self.said.frames) - {AS_SAID}

    @property
    def is_single(self) -> bool:
        return len(self.said.frames) == 1


def _chooses_way(read: Reading) -> bool:
    return find_chosen_way(read.own) is not None


def _tells_exam_ahead(read: Reading) -> bool:
    return read_exam_ahead(read.told, read.own) is not None


def _asks_of_lessons(read: Reading) -> bool:
    return asks_about_lessons(read.own)


def _ends_before_exam(read: Reading) -> bool:
    return ends_before_exam(read.message) and read.intent == "class"


def _plans_first(read: Reading) -> bool:
    return read.intent == "plan_first"


def _is_unsure_in_frames(read: Reading) -> bool:
    chance = min(frame.chance for frame in read.said.frames)
    return not read.changes and chance < CERTAIN and read.intent != "other"


def _lists_contents(read: Reading) -> bool:
    told = read_content_changes(read.message, read.own).told
    orders = len(told) == 1 and told[0].side == "order"
    long = read.forms <= {"takes", "each_takes"} and any(any(one.lengths) for one in told)
    return read.intent == "class" and (orders or long or tells_only_contents(read.message, read.own, tells_length))


def _asks_about_change(read: Reading) -> bool:
    if not (read.changes and read.is_single):
        return False
    return read.features.asks or (asks_whether(read.message) and not read.features.has("polite_form"))


def _plans_as_told(read: Reading) -> bool:
    narrowed = any("but_not_on" in frame.slots for frame in read.said.frames)
    told = read.forms <= _PLANS and (read.intent == "build" or narrowed) and not read.said.shortens
    return told and not _plans_more(read.said, read.own)


def _plans_given(read: Reading) -> bool:
    """Whether a frame takes for all classes what the student wants of those that the request gives."""
    given = read.own.view["scope_given"] and not says("whole", fold_text(read.message))
    return given and read.forms == {"plan_all"} and read.intent == "build"


def _plans_more(said: Paraphrase, own: Brief) -> bool:
    """Whether a plan is for a class that was told before alone, or by dates that the readers do not see."""
    known = {row["name"] for row in own.classes} & {*said.frame.slots.get("class", ())}
    carried = bool(known) and not classes_in(own.request, own.classes)
    begins = said.frame.form == "plan_from" and said.frame.chance >= CERTAIN
    dated = begins and Features(said.text, own).plan_dates and not Features(own.request, own).plan_dates
    return carried or bool(dated)


def _tries_another_time(read: Reading) -> bool:
    """Whether what is to be tried when the first time does not do is none of the frames."""
    depends = alternatives_in(read.message, read.own) if read.intent in OPERATIONS else None
    held = alternatives_in(read.said.text, read.own)
    return depends is not None and (held is None or (depends.then.said and held.then != depends.then))


def _plans_each(read: Reading) -> bool:
    """Whether several classes are to be planned, each within times or dates of its own."""
    return read.intent == "class" and read.features.plans_each


def _plans_by_limit(read: Reading) -> bool:
    limited = read.intent == "class" and read.features.plans_with_limits
    known = read.forms <= KNOWN_BETTER and (limited or read.intent == "build")
    return known or (limited and bool(read.forms & _PLANS))


def _limits_items(read: Reading) -> bool:
    """Whether what a limit of a class would be is told of some of its items, not of all of them."""
    if not (read.forms <= {"move_to", "put_in_on"} and read.intent == "class"):
        return False
    named = {name for frame in read.said.frames for name in frame.slots.get("items", ())}
    rows = [row for row in all_items(read.own) if row["name"] in named]
    owners = {row["class_id"] for row in rows}
    whole = [row for row in all_items(read.own) if row["class_id"] in owners]
    return len(rows) == len(named) > 0 and len(rows) < len(whole)


def _plans_unplanned(read: Reading) -> bool:
    plans = read.forms == {"put_in_waiting"} and read.intent in ("build", "class")
    return plans and read.features.plans_unplanned


def _puts_within_limits(read: Reading) -> bool:
    plans = read.intent in ("build", "class", "limit", "wish") or "move_to" not in read.forms
    return read.forms <= PUTS and plans and leaves_out_limits(read.message, read.said, read.own)


def _tells_absence_ahead(read: Reading) -> bool:
    replans = read.forms <= {"catch_up", "catch_up_on", "away"} and read.intent == "replan"
    return replans and is_absence_ahead(read.message, read.own.term)


def _describes_new(read: Reading) -> bool:
    """Whether a new class is described by more than a frame holds, or a frame takes something of it for its name."""
    if not (read.intent == "class" and read.features.opens_class):
        return False
    own = read_new_class(read.message, read.own.term)
    return not read.forms <= _CREATES or bool(own.rhythm or own.lengths) or (bool(own.items) and not own.name)


def _creates_wholly(read: Reading) -> bool:
    return read.forms <= _CREATES and read.intent == "class" and _tells_class_wholly(read.said.frame, read.own)


def _changes_contents_too(read: Reading) -> bool:
    """Whether contents are changed beside the dates that are all a frame holds, or of a class that there is beside what
    a frame takes for a new one."""
    if read.intent != "class" or not read.forms <= _DATES | _CREATES:
        return False
    told = read_content_changes(read.message, read.own).told
    listed = read.forms <= _DATES and len(read_new_class(read.message, read.own.term).items) > 1
    return listed or any(one.items or (one.names and read.forms <= _DATES) for one in told)


def _adds_contents(read: Reading) -> bool:
    adds = read.is_single and read.forms <= _ADDS
    return (adds and _adds_names(read.message, read.own, beside=read.forms != {"add_item"})) or bool(
        divide_added(read.message, read.own)
    )


def _lifts_times(read: Reading) -> bool:
    return read.intent == "class" and bool(read.features.lifted_from)


def _holds_every_week(read: Reading) -> bool:
    return read.forms <= _ONCE_AS_FRAMES | {"away"} and read.intent in ("class", "wish")


def _frees_every_week(read: Reading) -> bool:
    """Whether times are kept free for good, or every week up to a day, of which a frame takes the two side by side."""
    until = read.intent == "limit" and read_conditions(read.message, read.own).recurs
    return read.forms <= _FREES and (until or bool(read.features.standing))


def _frees_days_told_apart(read: Reading) -> bool:
    """Whether hours stay free on weekdays that a clause of their own tells, which the readers take for every day's:
    下午别排，我周一三五要打工."""
    if not (read.is_single and read.forms <= _FREES):
        return False
    timed = [one for one in clauses_of(fold_text(read.message)) if read_times(one, read.own.term)]
    kinds = [{one.kind for one in read_times(clause, read.own.term)} - {"every"} for clause in timed]
    apart = len(timed) == len(_APART) and sum(excludes(one) for one in timed) == 1
    said = {one.kind for one in read_times(read.said.text, read.own.term)}
    days_and_hours = {"weekday"} in kinds and any(one and one <= {*OF_DAY} for one in kinds)
    return apart and days_and_hours and said >= set.union(*kinds)


_APART = ("hours", "days")


def _limits_more(read: Reading) -> bool:
    """Whether more is limited than the frame of a time that stays free holds: Sundays off, nothing before 9."""
    told, held = (read_conditions(text, read.own).said for text in (read.message, read.said.text))
    return read.forms <= _FREES | KNOWN_BETTER and read.intent in _READ_AS and len(told) > len(held) > 0


def _optimises(read: Reading) -> bool:
    return read.intent == "optimise" and read.forms <= {"leave_items", "leave_time", "what_plan"}


def _tells_days_away(read: Reading) -> bool:
    return read.forms == {"away"} and _knows_days_better(read.message, read.said, read.own)


def _tells_other_days(read: Reading) -> bool:
    return read.forms == {"away"} and _OTHER_DAYS.search(read.message) is not None


def _limits_beside_dates(read: Reading) -> bool:
    """Whether a limit stands beside the date that is all a frame holds."""
    return read.intent == "limit" and read.forms <= _DATES and leaves_out_limits(read.message, read.said, read.own)


def _limits_some(read: Reading) -> bool:
    limits = read.intent in ("limit", "class", "wish")
    return limits and _is_of_nothing(read.said) and _is_of_some(read.message, read.own)


def _is_said_in_part(read: Reading) -> bool:
    said = read.said
    shortens = said.shortens and not (_is_known_better(read) and read.intent == "class")
    return not said.frames[0].is_whole or shortens or (read.changes and said.leaves_out)


def _supposes(read: Reading) -> bool:
    return read_supposition(read.message, read.own) is not None or only_supposes(read.message, read.own)


def _extends_dates(read: Reading) -> bool:
    return read.forms == {"deadline"} and asks_to_extend(fold_text(read.message))


def _is_answered(read: Reading) -> bool:
    answers = (answer_next, answer_query, answer_check, answer_by_form)
    return not read.changes and any(answer(read.own) for answer in answers)


def _counts_sections(read: Reading) -> bool:
    """Whether it is asked how many sections there are where a frame asks how many items."""
    own, plain = (None if read.changes else query_in(one, read.own) for one in (read.message, read.said.text))
    return own is not None and plain is not None and (own.measure, plain.measure) == ("sections", "count")


def _changes_nothing(read: Reading) -> bool:
    return not read.changes


def _limits_finish(read: Reading) -> bool:
    return read.intent == "limit" and read.forms == {"finish_by"}


def _recurs_for_reason(read: Reading) -> bool:
    """Whether a time of every week is told that the readers may take for one of this week."""
    once = read.intent == "replan" and recurs_for_reason(read.message)
    return read.forms == {EVERY_WEEK} and (once or recurs_for_reason(read.message, EVERY_WEEK))


def _is_known_better(read: Reading) -> bool:
    known = KNOWN_BETTER if read.is_single else KNOWN_BETTER | _PLANS | _OF_CLASSES
    return read.forms <= known and read.intent in _READ_AS


def _begins_otherwise(read: Reading) -> bool:
    return read.features.starts_later and not read.features.any_items


def _leaves_choice(read: Reading) -> bool:
    return says("anywhere", fold_text(read.message)) and read.intent in OPERATIONS


_LIKELY = 0.55
"""The chance of a question for a place from which it is one."""


def _asks_plainly(read: Reading) -> bool:
    """Whether a question for a place or for the end is one beyond doubt."""
    sure = all(frame.chance >= CERTAIN for frame in read.said.frames)
    ends = read.forms <= {"when_finish", "when_finish_of"} and read.is_single and sure
    places = read.forms == {"where_can_go"} and read.said.frames[0].chance >= _LIKELY
    return ends or (places and read.intent not in OPERATIONS)


_KNOWN, _PLAINER = True, False
_VERDICTS: tuple[tuple[Callable[[Reading], bool], bool], ...] = (
    (_chooses_way, _KNOWN),
    (_extends_dates, _PLAINER),
    (_supposes, _KNOWN),
    (_asks_plainly, _PLAINER),
    (_tells_exam_ahead, _KNOWN),
    (_asks_of_lessons, _KNOWN),
    (_ends_before_exam, _KNOWN),
    (_begins_otherwise, _KNOWN),
    (_leaves_choice, _KNOWN),
    (_plans_first, _KNOWN),
    (_is_unsure_in_frames, _KNOWN),
    (_lists_contents, _KNOWN),
    (_tries_another_time, _KNOWN),
    (_asks_about_change, _KNOWN),  # what asks something is no change, whatever it is likeliest meant for
    (_plans_as_told, _KNOWN),
    (_plans_given, _KNOWN),
    (_plans_each, _KNOWN),
    (_plans_by_limit, _KNOWN),  # a plan is wanted, and the limit is one of it
    (_limits_items, _PLAINER),
    (_plans_unplanned, _KNOWN),
    (_puts_within_limits, _KNOWN),
    (_tells_absence_ahead, _KNOWN),
    (_describes_new, _KNOWN),
    (_creates_wholly, _KNOWN),
    (_changes_contents_too, _KNOWN),
    (_adds_contents, _KNOWN),
    (_lifts_times, _KNOWN),
    (_frees_days_told_apart, _PLAINER),
    (_holds_every_week, _KNOWN),  # what holds every week is no matter of this plan alone
    (_frees_every_week, _KNOWN),
    (_limits_more, _KNOWN),
    (_optimises, _KNOWN),
    (_tells_days_away, _KNOWN),
    (_tells_other_days, _KNOWN),
    (_limits_beside_dates, _KNOWN),
    (_limits_some, _KNOWN),  # whose a condition is belongs to it, and is no part of a reason
    (_counts_sections, _KNOWN),
    (_is_said_in_part, _PLAINER),
    (_is_answered, _KNOWN),
    (_changes_nothing, _PLAINER),
    (_limits_finish, _KNOWN),
    (_recurs_for_reason, _PLAINER),
    (_is_known_better, _KNOWN),
)
"""Whether what a message is makes it one that the readers know, or one that is plainer in frames: the first that fits
decides, so that a line stands before those that it overrules."""


def is_read_already(message: str, said: Paraphrase, brief: Brief) -> bool:
    """Whether the readers understand a message as it was said: a question or a supposition that they can answer, a
    condition, a plan or a change of a class."""
    read = Reading(message, said, brief.part([message], []))
    return next((verdict for fits, verdict in _VERDICTS if fits(read)), _PLAINER)


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
    undated = bool(dates_in(own, brief.term)) and not dates_in(said.text, brief.term)
    return (undated or said.frame.form in KNOWN_BETTER) and is_read_already(own, said, brief)
