"""What a message wants: the intent that the grammar tells, unless the classifier is surer of another one."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.classifier.labels import CARRIED_OUT_BY, CHANGES_CLASS, FOLLOW_UPS, INTENTS
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.aims import LIKELY, SURE, SURER, THINKABLE, aims_of, is_text
from agent.llm.offline.language.meaning.clauses import aim_of, clauses_of, tells_stayers, without_stayers
from agent.llm.offline.language.meaning.condition_intents import of_conditions
from agent.llm.offline.language.meaning.ellipsis import form_of, says_it
from agent.llm.offline.language.meaning.features import Features, owners_of_exclusion
from agent.llm.offline.language.meaning.grammar import GRAMMAR, OPERATIONS, WRITES, Intent, Line
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text, words
from agent.llm.offline.language.remember import is_write, remember_found
from agent.llm.offline.language.spans.alternatives import is_chain
from agent.llm.offline.language.spans.classes.class_changes import (
    read_content_changes,
    tells_contents,
    tells_only_contents,
)
from agent.llm.offline.language.spans.classes.class_times import excluding_clauses
from agent.llm.offline.language.spans.conditions.limit_forms import FEELS
from agent.llm.offline.language.spans.conditions.rates import read_rate
from agent.llm.offline.language.spans.conditions.suppositions import OPINION
from agent.llm.offline.language.spans.conditions.wishes import drops_said_limit, holds_rules, tells_rate, wishes_beside
from agent.llm.offline.language.spans.dates import weekdays_in
from agent.llm.offline.language.spans.happenings import days_in, find_named_days
from agent.llm.offline.language.spans.items.arrangements import read_arrangement, read_spared
from agent.llm.offline.language.spans.items.beside import wants_close
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.items.wished_back import read_wished_back
from agent.llm.offline.language.spans.mentions import classes_in, items_in, without_refusals
from agent.llm.offline.language.spans.revert import find_limit, find_named_step, find_steps
from agent.llm.offline.language.words.refused_deeds import NOT_DONE
from agent.loop.view_document import TaskView

__all__ = ["OPERATIONS", "Intent", "edits", "intent_of", "label_of", "line_of", "told_intent", "wants_build"]
_BEGUN: dict[str, Intent] = {
    "upsert_task_class": "class", "delete_task_class": "delete_class", "mark_items": "mark", "smart_planning": "build",
}  # fmt: skip
_ONLY_ANSWER = re.compile(
    r"只(?:要|需要?)?先?(?:回答|告诉我)|先(?:别|不要)[改动]|\bonly (?:answer|tell me)\b|(?:先|暂时)?(?:不要"
    r"|别)(?:改动?|动)(?:任何东西|草稿|计划"
    r"|它)?\s*[。!]?$"
    r"|\bjust (?:answer|tell me)\b|\bdon't (?:change|move|touch) (?:anything|it)(?: yet)?\b"
)
"""Nothing is to be changed, only answered."""
_ANSWERS = re.compile(r"回答|告诉我|\b(?:answer|tell me)\b")
_GOES = re.compile(
    r"[移挪搬拖](?!除)|[调改换放推](?=[到去在至后迟])|推迟|延后|提前|想[放排调改]|从[^,，。;；]{1,12}(?:开始"
    r"|起)[排学放]|\b(?:mov|shift|push|put"
    r"|bring|postpon|reschedul)\w*"
)
_QUESTION = re.compile(r"[?？吗呢]|\b(?:can|could|does|do|is|will|would)\b")
_WHETHER_IT_FITS = re.compile(
    r"^(?:so )?(?:if|what if|suppose)\b.*\b(?:when|how|what)\b"
    r"|(?:如果|要是|假如|我要)[^。]{0,80}(?:会咋样|会怎样|会怎么样|什么时候|几号)|"
    r"(?:排|做|学|放|背|看|弄)得(?:完|下)[吗么?？]|来得及[吗么?？]|够(?:不够|[吗么])|\bwould (?:it|everything) fit\b"
)
_CHECKS = re.compile(r"不是|应该|说好|\b(?:supposed|(?:was|is|were|are|did|does)n't)\b")
"""Whether something is as it was thought to be is asked, not for another place."""
_WHERE = re.compile(r"哪|什么时候|\b(?:where|when|which)\b")
"""Where what has no place could go is asked."""
_BARE = 12
_BY_WEIGHT = sorted(GRAMMAR, key=lambda line: -line.weight)


def _settle(told: Intent, message: str, brief: Brief) -> Intent:
    """The intent that the grammar told, unless the classifier is surer of another one."""
    found = Features(message, brief)
    if found.has("button") or found.has("declines") or is_text(message) or told == "rules":
        return told
    aims = aims_of(message, brief)
    thinkable = {INTENTS[label] for label, chance in aims if chance > THINKABLE}
    if settled := _settle_by_spans(told, found, aims[0], thinkable):
        return settled
    for label, chance in aims:
        meant = INTENTS[label]
        if label == "undo" and found.has("time_ahead") and found.has("things"):
            meant = "move"
        if label in FOLLOW_UPS or told in CARRIED_OUT_BY.get(label, ()):
            return told
        if label == "class_dates" and told == "move" and found.items and not found.classes:
            return told  # an item has no last day of its own
        if meant == "mark" and form_of(message, brief):
            return told  # a bare name or time says nothing of what was done
        if meant == "mark" and asks_whether(message) and not found.has("polite_form"):
            meant = "show"
        if found.asks and meant in WRITES:
            if meant != "move":
                continue
            meant = "try"
        if told != "other" and chance < SURE and told in thinkable:
            return told
        if chance < (LIKELY if told == "other" else SURER):
            return told
        return meant if _is_told(label, found) else told
    return told


_LAST_DAYS: tuple[Intent, ...] = ("build", "move", "place", "mark", "other")
"""What a last day of everything may be taken for: 4月5号前全部搞定, everything done before April 6."""


_WHICH_IS_LIGHTER = re.compile(
    r"哪[一1]?个?(?:周|星期|礼拜|天)|^(?![^,，]*(?:让|把|能|想|帮))[^,，]*比[^,，]*(?:[吗么]|[?？])"
    r"|\bwhich (?:week|day|is|one)\b|^(?:so |and |but )*(?:is|are|was|will) [^,;]*\bthan\b"
)
"""That days or weeks are compared by how much is on; none is to have less."""


def _settle_by_spans(
    told: Intent, found: Features, likeliest: tuple[str, float], thinkable: set[Intent]
) -> Intent | None:
    """The intent that the spans of a message settle, whatever its words are likeliest meant for; None for most."""
    if told == "replan" and found.has("mends_clashes"):
        return told
    rate = told == "class" and found.has("plan_wishes") and tells_rate(found.message, found.brief)
    if rate and not (found.classes or found.slots.described or found.plans_with_limits or found.opens_class):
        return "wish"
    if told in (*_BESIDE_PLAN, *OPERATIONS) and not found.asks and tells_only_contents(found.message, found.brief):
        return "class"
    if told == "class" and ((found.opens_class and not found.asks) or found.gets_more_time):
        return told
    if _wants_neighbours(found):
        return "move"
    looks = told in ("fits", "show") and found.has("asking") and not found.has("polite_form")
    plans = told != "wish" or any(map(found.has, ("build", "build_weakly", "arrange", "get_in")))
    if told in _BESIDE_PLAN and plans and not looks and found.plans_unplanned and not found.asks:
        return "class" if found.plans_with_limits or found.orders_only else "build"
    if told in ("class", "build") and found.plans_unplanned and found.orders_only:
        return "class"
    if told == "class" and found.plans_unplanned and found.plan_dates and not found.plans_with_limits:
        return "build"  # by a last day behind its own, which it keeps to anyway
    soft = told == "class" and found.plans_unplanned and wishes_beside(found.message, found.brief)
    if soft and not found.plans_with_limits:
        return "build"
    if told == "class" and (
        (found.lifts_times and found.has("open_up"))
        or (
            _tells_change_of_class(found)
            and (thinkable & {"class", "build", "wish"} or tells_contents(found.message, found.brief))
        )
    ):
        return told
    if told in (*OPERATIONS, "keep", "other", "undo") and tells_contents(found.message, found.brief) and not found.asks:
        return "class"
    if told == "remove" and found.items and _FROM_CLASS.search(found.folded):
        return "class"
    if told == "undo" and found.has("back") and found.has("just_moved") and found.items:
        return told
    if told in _LAST_DAYS and found.ends_all and not found.asks:
        return "class"
    return _settle_likeliest(told, found, *likeliest)


def _settle_likeliest(told: Intent, found: Features, label: str, chance: float) -> Intent | None:
    """The intent of a message where its spans and what its words are likeliest meant for settle it together."""
    if told == "wish" and label == "move" and not (found.any_items or found.classes or found.has("group")):
        return told  # nothing is named that could move
    if told == "wish" and _LESS_THEN.search(found.folded) and not found.has("lasting"):
        return "replan"
    lighter = label == "lighter" and chance >= SURE
    if told in ("optimise", "replan") and lighter and _WHICH_IS_LIGHTER.search(found.folded):
        return "load"
    if told == "optimise" and lighter and (weekdays_in(found.folded) or found.timed):
        return "replan"
    if (told == "build" and found.has("starts_all")) or (told == "replan" and found.has("finish_first")):
        return told
    if told in ("wish", "build") and found.limits_each and not found.builds:
        return "class"
    if told == "wish" and found.weekly_off and found.standing and len(excluding_clauses(found.message)) > 1:
        return "class"  # hours that are left free beside whole days, or evenings, are left free as these are
    if told == "other" and label == "load" and found.any_items:
        return "show"  # which week an item is in is no question of how full that is
    if told == "class" and label == "away" and found.weekly_off:
        return told
    allows = label in ("wish", "class_times") and chance >= SURER and found.has("open_up")
    limited = told in ("build", "move", "place", "wish", "other") and found.classes and not found.any_items
    return "class" if allows and limited else None


_LESS_THEN = re.compile(
    r"\b(?:make|get|could|can|please|bit)\b[^,.;]{0,30}\b(?:lighter|easier|less (?:full|busy|packed)|quieter)\b"
    r"|太[满多挤累][^。;；]{0,8}(?:轻|少|松)|(?:减|挪|移|匀)(?:走|掉|出)?[一1]?(?:点|些)"
)
"""A day that is to have less than it has now: this plan changes, no wish is noted."""
_BESIDE_PLAN: tuple[Intent, ...] = ("wish", "limit", "place", "move", "other", "show", "fits", "replan")
"""What the words of a plan with limits may seem to want."""


def _wants_neighbours(found: Features) -> bool:
    """Whether an item is to stand right behind or in front of another one."""
    if found.asks or not wants_close(found.folded):
        return False
    wanted = read_arrangement(found.message, found.brief)
    return wanted is not None and wanted.beside is not None and wanted.beside[0] in ("next", "ahead")


def _tells_change_of_class(found: Features) -> bool:
    """Whether the spans alone say what of a class changes: its last day, the order of its items, limits of its plan."""
    ends = found.changes_end and found.classes and not found.any_items
    ends = (
        ends
        or found.slots.described
        or tells_contents(found.message, found.brief)
        or found.limits_each
        or found.lifts_times
    )
    return bool(ends or found.orders_contents or found.plans_with_limits)


def label_of(message: str, brief: Brief) -> str:
    """What of the settled intent a message is meant for: the likeliest of its labels; empty when none is thought of."""
    intent = intent_of(message, brief)
    whole = (label for label, chance in aims_of(message, brief) if INTENTS[label] == intent and chance > THINKABLE)
    clauses = (label for clause in clauses_of(message) if INTENTS.get(label := aim_of(clause, brief)) == intent)
    return next(whole, next(clauses, ""))


def _is_told(label: str, found: Features) -> bool:
    """Whether a message says what a goal of this label needs."""
    if label == "class_create":
        return bool(found.slots.name or found.slots.described or found.has("class_noun") or found.has("create"))
    if label == "keep":
        return not (found.has("waiting") and found.has("wanted_after"))
    if label == "reasons":
        return found.has("asking") or found.has("why_asked") or not found.has("waiting")
    if label == "delete_class":
        return not (found.has("picks") or found.has("contents") or found.any_items)
    if INTENTS[label] == "show":
        return found.has("asking") or not (found.has("waiting") and (found.has("build") or found.has("build_weakly")))
    if label == "build":
        return not pattern("not_build").search(found.folded)
    if label == "unplace":
        return found.has("extract") or found.has("remove") or not (found.has("place") or found.has("move"))
    if label == "plan_first":
        return found.has("plan_first") or _NOT_YET.search(found.folded) is None
    if label == "swap":
        return not (found.has("other_day") or found.has("waiting"))
    if label == "undo":
        return not found.timed
    if label == "wish":
        return found.has("plan_wishes") or found.has("unwishes")
    return True


_NOT_YET = re.compile(r"先(?:都|就)?(?:别|不)|\b(?:don't|do not|not)\b[^,.;]*\b(?:yet|for now)\b")
"""That something is not to be done at first; no plan of the steps is asked for."""
_DONE_FIRST = re.compile(
    r"(?:那|就|我们?|想|要)*先[弄搞做学来][^,，。;；]{2,10}"
    r"|(?:(?:let's|please|ok|i'll) )*(?:do|take) [a-z ]{2,24} first(?: please)?"
)
"""That one class comes first, and not its steps."""


@remember_found
def intent_of(message: str, brief: Brief) -> Intent:
    """The intent of a message: what the grammar tells, or what the classifier is surer of."""
    rate = read_rate(message, brief) if any(row["slot"] for row in brief.tasks) else None
    if rate is not None:
        return "limit" if rate.period or rate.per == "week" else "wish"
    meant = _settle(told_intent(message, brief), message, brief)
    meant = _of_arrangement(_of_clauses(_read_question(meant, message, brief), message, brief), message, brief)
    meant = of_conditions(meant, message, brief)
    if meant in ("other", "class") and find_named_days(message, brief.term) and not asks_whether(message):
        found = Features(message, brief)
        meant = meant if found.classes or found.weekly_off else "replan"
    if meant in ("class", "remove", "other") and _refuses_deed(message, brief):
        meant = "keep"
    if meant == "plan_first" and _DONE_FIRST.fullmatch(fold_text(message)) and Features(message, brief).classes:
        meant = "build"
    if meant == "keep" and FEELS.search(fold_text(message)) and not Features(message, brief).any_items:
        meant = "other"
    if meant in _KEEPS_FREE and not Features(message, brief).asks and Features(message, brief).standing:
        meant = "class"
    if says("as_before", fold_text(message)) and not Features(message, brief).asks and _was_otherwise(message, brief):
        meant = "undo"
    if meant in _DROPS and drops_said_limit(fold_text(message)) and (find_limit(brief) or not holds_rules(brief)):
        meant = "undo"
    if meant not in ("move", "place", "try") and is_chain(message, brief) and Features(message, brief).items:
        meant = "move"  # what is done where no time does is no wish of its own
    if message == brief.request and read_wished_back(message, brief) is not None:
        meant = "undo"
    changes = meant in (*WRITES, "limit", "mark", "replan") or (
        meant == "optimise" and not says(meant, message.lower())
    )
    if changes and OPINION.search(fold_text(message)):
        meant = "other"
    if meant in (*WRITES, "mark", "replan") and _wants_answer_only(message, brief):
        wanted = read_arrangement(message, brief)
        one = len(items_in(message, brief)) == 1 and not named_items(message, brief)
        meant = "try" if one or (wanted and wanted.items and wanted.goes) else "fits"
    begun = _begun(brief) if message == brief.request and meant not in _ITSELF else None
    return begun or meant


def _refuses_deed(message: str, brief: Brief) -> bool:
    """Whether a message only tells what is not to be done to the contents of a class."""
    refused = NOT_DONE.search(fold_text(message)) is not None
    return refused and not Features(message, brief).asks and not read_content_changes(message, brief).told


def _was_otherwise(message: str, brief: Brief) -> bool:
    """Whether the last turn changed more than places, or an earlier one what a message names."""
    steps = find_steps(brief)
    return bool(steps and steps[-1].values) or find_named_step(fold_text(message), steps) is not None


_DROPS: tuple[Intent, ...] = ("wish", "limit", "other", "rules", "remove", "class", "replan", "keep")
"""What the last limit may be told to be dropped by."""
_ITSELF: tuple[Intent, ...] = ("optimise", "build", "plan_first", "undo")
"""What stays what it is, whatever it writes."""


def _wants_answer_only(message: str, brief: Brief) -> bool:
    """Whether a question comes with the words that nothing is to be changed."""
    whole = (brief.whole or brief).view["request"] if message == brief.request else message
    asks = _QUESTION.search(fold_text(message)) or _ANSWERS.search(fold_text(whole))
    return asks is not None and _ONLY_ANSWER.search(fold_text(whole)) is not None


_CALLED_OFF = re.compile(
    r"^(?:请|麻烦|帮我)?(?:[把将][^,，。;；]{1,24}取消(?:掉|吧|一下)*|取消[^,，。;；]{1,24})[。!！\s]*$"
    r"|^(?:please )?cancel\b"
)
"""An item is to be called off, not to be gone from its class."""


def _of_arrangement(meant: Intent, message: str, brief: Brief) -> Intent:
    """What a request about items surely wants whose slots are full, whatever its words are likeliest meant for."""
    wanted, text = read_arrangement(message, brief), fold_text(message)
    if meant == "class" and tells_contents(message, brief):
        return meant
    if (
        wanted is None
        and meant in (*OPERATIONS, "other", "keep", "class", "wish")
        and read_spared(message, brief)
        and days_in(message, brief.term)
    ):
        return "replan" if any(says(one, text) for one in ("keep_free", "wish_nothing", "away")) else meant
    if wanted is None and meant == "class" and _GOES.search(text) and _THINGS.search(text):
        group = find_group(message, brief)
        return "move" if group is not None and group.timed and not group.items else meant
    if wanted is None and meant == "class" and _SOME_MOVE.search(text):
        return "move"
    if meant == "class" and Features(message, brief).adds_class:
        return meant if Features(message, brief).plans_with_limits else "build"
    placed_all = wanted is not None and wanted.named and all(row["slot"] for row in wanted.items)
    if meant == "class" and placed_all and _CALLED_OFF.search(text) and not _FROM_CLASS.search(text):
        return "remove"
    picked = wanted is not None and wanted.group is not None and wanted.group.timed and wanted.items
    if meant == "class" and wanted and picked and wanted.target.dated and _GOES.search(text):
        return "move"
    label, chance = aims_of(message, brief)[0]
    sure = chance >= SURE and INTENTS[label] == meant
    if meant not in _UNSURE or wanted is None or not wanted.items or sure or _LASTING.search(text):
        return meant
    found = Features(message, brief)
    if (found.slots.described and label != "move") or found.asks or is_text(message):
        return meant
    other = wanted.beside[1]["class_id"] if wanted.beside else None
    placed = wanted.target.dated or wanted.shift or wanted.own_day or (other and wanted.items[0]["class_id"] != other)
    placed = placed or ((wanted.named or wanted.group is not None) and wanted.target.said)
    if placed and _GOES.search(text) and not (says("finished", text) or says("not_done", text) or says("missed", text)):
        return "move"
    meant_ids = {row["state_id"] for row in wanted.items}
    waiting = not any(row["slot"] for row in brief.tasks_before if row["state_id"] in meant_ids)
    if (
        meant in ("mark", "replan")
        and wanted.way > 0
        and wanted.named
        and _tells_missed_ahead(wanted.items, text, brief)
    ):
        return "move"
    if placed and meant == "reasons" and says("place", text) and waiting:
        return "place"
    leaves = says("extract", wanted.left) and wanted.group is not None and meant == "replan"
    leaves = leaves or (_FROM_PLAN.search(text) is not None and not _FROM_CLASS.search(text))
    return "remove" if not wanted.goes and leaves else meant


def _tells_missed_ahead(rows: list[TaskView], text: str, brief: Brief) -> bool:
    """Whether items are told not to be done whose time is still to come, so that nothing was missed."""
    now = (brief.now["week"], brief.now["day_of_week"], brief.now["section"])
    slots = [row["slot"] for row in rows]
    ahead = all(slot and (slot["week"], slot["day_of_week"], slot["slot_start"]) > now for slot in slots)
    return ahead and any(says(one, text) for one in ("missed", "not_done")) and not says("finished", text)


_KEEPS_FREE: tuple[Intent, ...] = ("limit", "replan", "other", "keep", "show", "free", "load")
"""What a time that stays free every week may be taken for."""


_THINGS = re.compile(r"任务|内容|那些|东西|\b(?:tasks?|items?|stuff|things?|everything|anything)\b")
_SOME_MOVE = re.compile(
    r"\b(?:move|shift|push|bring) (?:\d|one|two|three|four|some|a few) of\b|[挪移][一两几二三四\d][项章个]到"
)
"""Some items move, not said which."""
_FROM_PLAN = re.compile(r"移出(?:计划|草稿)|\b(?:from|out of|off) (?:the |my )?(?:plan|draft|schedule|timetable)\b")
_FROM_CLASS = re.compile(r"从(?:任务类|课程?|类)[里中]|\b(?:from|out of) (?:the |my )?(?:class|course)\b")
_UNSURE: tuple[Intent, ...] = (
    "class", "delete_class", "build", "mark", "replan", "wish", "optimise", "other", "keep", "fits", "reasons",
)  # fmt: skip
_LASTING = re.compile(r"以后都|今后|从今|一直|总是|\b(?:from now on|always|every (?:single )?(?:time|week))\b")


def _read_question(meant: Intent, message: str, brief: Brief) -> Intent:
    """What a question asks that is not understood as such: more of the reasons just told, or a fact of the plan."""
    found = Features(message, brief)
    said = [str(turn["text"]) for turn in brief.earlier if turn["role"] == "user"]
    if meant == "reasons" and found.items and all(row["slot"] for row in items_in(message, brief)):
        return "explain"  # nothing keeps what has a place from getting one
    unclear = meant in ("other", "changes", "explain")
    if unclear and message == brief.request and said and found.has("asking") and line_of(said[-1], brief) == "reasons":
        return "reasons"
    if meant in ("try", "move", "other") and says("side_asked", found.folded):
        return "show"
    if meant == "wish" and _WHETHER_IT_FITS.search(found.folded):
        return "fits"
    where = meant in ("try", "place", "move") and found.has("waiting") and len(named_items(message, brief)) > 1
    if where and _WHERE.search(found.folded):
        return "reasons"
    if meant == "other" or (meant in ("try", "move") and _CHECKS.search(found.folded)):
        known = found.timed or found.classes or found.items
        if asks_whether(message) and known and not found.has("polite_form"):
            return "show"
    return meant


_CHANGING: tuple[Intent, ...] = (*OPERATIONS, "replan", "optimise", "class", "build", "mark", "wish", "undo")


def _of_clauses(meant: Intent, message: str, brief: Brief) -> Intent:
    """What the clauses of a message that are sure want where they agree, and the message as a whole is not sure; beside
    what is to stay, what is wanted at all: 第1章不动，其他的再优化一下."""
    every = clauses_of(message)
    clauses = [clause for clause in every if not tells_stayers(clause, brief)]
    looks = (
        meant in ("free", "show", "load") and asks_whether(message) and not Features(message, brief).has("polite_form")
    )
    if len(every) < 2 or not clauses or looks:
        return meant
    told: list[Intent] = [INTENTS[label] for clause in clauses if (label := aim_of(clause, brief))]
    stay = len(clauses) < len(every) and not any(classes_in(clause, brief.classes) for clause in clauses)
    if stay and meant == "class" and "class" not in told and any(_sends_away(clause, brief) for clause in clauses):
        return "move"
    if len(clauses) < len(every) and meant in ("build", "move") and {*told} == {"optimise"}:
        return "optimise"
    if meant == "wish" and "build" in told and Features(message, brief).fresh:
        return "build"
    if meant == "keep":
        told += ["move" for clause in clauses if form_of(clause, brief) == "both" or _sends_away(clause, brief)]
        rest = without_stayers(message, brief)
        told = [intent_of(rest, brief) if rest not in ("", message) else "other", *told]
        return next((intent for intent in reversed(told) if intent in _CHANGING), meant)
    if meant == "class" and Features(message, brief).plans_with_limits:
        return meant  # when one is away is what the plan keeps free
    told_of = [clause for clause in clauses if aim_of(clause, brief) == "away" and form_of(clause, brief) != "time"]
    away = any(days_in(clause, brief.term) for clause in told_of)
    unsure = (
        aims_of(message, brief)[0][1] < SURE
        and away
        and not (meant == "class" and (Features(message, brief).weekly_off or owners_of_exclusion(message, brief)))
        and set(told) <= {"replan", "free", "load", "show", "remove", "other"}
    )
    return "replan" if unsure else meant


def _sends_away(clause: str, brief: Brief) -> bool:
    """Whether what is on at a time is to leave it: get the weekend stuff off."""
    group = find_group(clause, brief)
    return group is not None and group.timed and says("sent_away", group.rest)


def _begun(brief: Brief) -> Intent | None:
    """What the goal has begun to do: its first write names it, whatever the words would mean after it."""
    writes = [row for row in brief.results if row["status"] == "done" and is_write(row["tool"])]
    if writes and writes[0]["tool"] == "replan" and writes[0]["arguments"].get("kind") == "limits":
        return "limit"
    done = (row["tool"] for row in writes)
    return next((_BEGUN[tool] for tool in done if tool in _BEGUN), None)


@remember_found
def told_intent(message: str, brief: Brief) -> Intent:
    """The intent that a line of the grammar or a bare span gives. A question, code and an essay open no write."""
    return line_of(message, brief) or _short(message, brief)


def line_of(message: str, brief: Brief) -> Intent | None:
    """The intent of the heaviest line of the grammar that holds; None when a bare span is all there may be."""
    found = Features(message, brief)
    if found.has("negates_move") and found.has("wanted_after") and not found.has("held_class"):
        found = Features(without_refusals(found.folded), brief)
    unsafe = found.asks or (is_text(message) and not found.slots.described)
    whether = asks_whether(message) and not found.has("polite_form")
    reads = unsafe or (whether and not found.has("polite"))
    barred: tuple[Intent, ...] = (*(WRITES if reads else ()), *(("mark",) if whether else ()))
    line = next((line for line in _BY_WEIGHT if line.intent not in barred and _holds(line, found)), None)
    known = found.timed or found.classes or found.items
    if line is None:
        return "other" if unsafe else None
    waiting = line.intent == "explain" and len(message) <= _BARE and any(not row["slot"] for row in brief.tasks)
    return "reasons" if waiting and not known else line.intent


def _holds(line: Line, found: Features) -> bool:
    return all(map(found.has, line.all_of)) and not any(map(found.has, line.none_of))


def _short(message: str, brief: Brief) -> Intent:
    """A sentence without a verb that completes nothing: an item with a time is to go there, a thing is asked about."""
    form = form_of(message, brief)
    if form == "both":
        return "move"
    if message != brief.request:
        return "other"
    if form == "class":
        return "class_facts"
    return "show" if form == "item" or (form and says_it(message)) else "other"


def wants_build(message: str) -> bool:
    """Whether the message also asks for a timetable (or only for the task class)."""
    text = pattern("not_build").sub(" ", fold_text(message))
    return says("build", text) or words(text, "安排", "schedule", "arrange", "fit", "plan it")


def edits(message: str, brief: Brief) -> bool:
    """Whether a task class is to be changed rather than created."""
    found = Features(message, brief)
    sure = aims_of(message, brief)[0]
    if found.opens_class:
        return False
    if tells_only_contents(message, brief):
        return True
    if brief.classes and sure[0] in CHANGES_CLASS and sure[1] > SURE and not found.slots.described:
        return True
    if found.has("creates_listed"):
        return False
    wanted = (
        "edits_named",
        "plans_with_limits",
        "edit",
        "wishes",
        "weekly_off",
        "changes_end",
        "changes_items",
        "filler",
        "length",
        "strategy_said",
        "earlier_end",
        "starts_later",
        "open_up",
        "lifts_times",
        "standing",
        "ends_all",
    )
    total = all(map(found.has, ("total_said", "class", "sections_said"))) and not found.slots.described
    told = bool(brief.classes) and not found.slots.described and label_of(message, brief) in CHANGES_CLASS
    return told or total or found.orders_only or any(map(found.has, wanted))
