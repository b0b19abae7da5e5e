"""The findings about a message that the grammar speaks of, each computed when a line asks for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cached_property

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import LEXICON, pattern, says
from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.clauses import aim_of, clauses_of
from agent.llm.offline.language.meaning.ellipsis import form_of
from agent.llm.offline.language.meaning.feature_kinds.content_features import ContentFeatures
from agent.llm.offline.language.meaning.feature_kinds.end_features import PROBABLE, EndFeatures
from agent.llm.offline.language.meaning.planned_classes import (
    find_held_classes,
    find_planned_classes,
    read_plan_dates,
    wants_waiting_classes,
)
from agent.llm.offline.language.meaning.standing_rules import excluded_of, read_opened, read_standing
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.alternatives import relation_in
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes, tells_contents
from agent.llm.offline.language.spans.classes.class_sentence import (
    ClassSlots,
    wished_name,
)
from agent.llm.offline.language.spans.classes.class_times import excluding_clauses, find_owners, read_limits
from agent.llm.offline.language.spans.classes.item_lengths import read_lengths
from agent.llm.offline.language.spans.conditions.wishes import taken_back_in, takes_back_rule, tells_rate, wishes_in
from agent.llm.offline.language.spans.dates import part_in, week_in, weekdays_in
from agent.llm.offline.language.spans.happenings import is_dated, name_this_week
from agent.llm.offline.language.spans.items.groups import EXCEPTION, find_group
from agent.llm.offline.language.spans.items.spoken import named_items, spoken_of
from agent.llm.offline.language.spans.mentions import (
    NEGATED,
    all_items,
    blank_names,
    classes_in,
    items_in,
    said_names,
)
from agent.llm.offline.language.spans.revert import find_former_place
from agent.llm.offline.language.spans.targets import avoided_in, shift_in, target_in, way_in
from agent.loop.view_document import TaskView

WISH = re.compile(
    r"\bno (?:more )?(?:weekends?|evenings?|mornings?|afternoons?|nights?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
)
_BUILDS = frozenset(concept for concept in LEXICON if concept.startswith("build") or concept == "arrange")
_LEFT_OUT = dict.fromkeys(_BUILDS, "not_build") | dict.fromkeys(("asking", "question", "show"), "anywhere")
"""Concepts whose words are none of another one: 哪天你定 asks nothing."""
_WANTED = (
    "move", "place", "swap", "build", "remove", "optimise", "optimise_weakly", "build_weakly", "lighter", "back",
    "finish_first", "show", "what_is_on", "free", "sent_away", "build_timed",
)  # fmt: skip
_CONTENT = re.compile(
    r"内容|章节?|任务项|知识点|条目|第\s*\d+\s*(?:章|项|个|讲|单元|次|课|篇)|\b(?:items?|chapters?|topics?"
    r"|units?|lessons?|lectures?|parts?|labs?)\b"
)
_MOVED_DATES = re.compile(r"改到|移到|调到|推迟|提前|延期|延后|顺延|\b(?:move|reschedule|postpone|extend)\b")
_DAY_OFF = re.compile(
    r"每[个]?(?:周|星期|礼拜)[^,，。]{0,8}(?:留|空|休)[^,，。]{0,6}(?:[1一]整?天|半天)"
    r"|每[个]?(?:周|星期|礼拜)[^,，。]{0,6}[1一]整?天[^,，。]{0,8}(?:不|别|空|休|歇)"
    r"|\b(?:one|a) (?:\w+ )?(?:free |empty )?day (?:off )?(?:each|every|a|per) week\b|\bday off (?:each|every"
    r"|a|per) week\b"
)
"""A day of every week that is to stay free, whichever it is."""
_RECURS = re.compile(
    r"每个?(?:周|星期|礼拜)|(?<![这下上])(?:周|星期|礼拜)[一二三四五六日天末](?:早上|上午|下午|晚上)?都"
    r"|\b(?:every|each) (?:week|\w+day)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b(?:(?<=s)| (?:mornings|afternoons|evenings|nights)\b)"
)
_EVERY_WEEK = re.compile(
    r"别(?:再|给我|往)*(?:塞|安排|放|排)\S{0,4}(?:东西|任务|学习|内容)|不(?:要|想)\S{0,3}(?:安排|排"
    r"|放)\S{0,3}(?:东西|任务|学习|内容)"
    r"|满课|\bstop \w+ing\b|每[个]?(?:周|星期|礼拜)|每天|每日|以后|一律|都[不别]|工作日|早八|起不来|一直|平时"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:mornings|afternoons|evenings|nights|weekends|weekdays)\b"
    r"|\b(?:every|each) (?:week|day|morning|afternoon|evening|\w+day)"
    r"|\bweekdays only\b|\b(?:always|from now on)\b|\b8 ?am\b"
)
"""What holds again and again."""
_LASTING_WISH = re.compile(
    r"以后(?!的)|每个?(?:周|星期|天)|一直|平时|一律"
    r"|\b(?:always|every|each|never|from now on)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
    r"|\b(?:weekends|mornings|evenings|afternoons|nights)\b"
)
_STRATEGY = re.compile(r"突击|集中|均匀|平均分|\b(?:cram|rapid|evenly|steady)\w*")
_FROM_NOW_ON = re.compile(r"\bfrom now on\b|从(?:现在|今天|今)(?:开始|起|往后)?以?后?")
_EVERY_CLASS = re.compile(
    r"(?:全部|所有|每门|每个|[三3几]门)的?(?:课|任务类|科)|\b(?:all|every)\b(?: my| the| of my)? (?:class|course)"
)
_PLANS = ("build", "build_weakly", "build_loosely", "lighter")
_TIMETABLE = re.compile(r"课表|草稿|日程|\b(?:timetable|draft|schedule|plan)\b")


def owners_of_exclusion(message: str, brief: Brief) -> list[int]:
    """The classes that the clauses name in which times are excluded: 别晚上学概率，单词晚上可以."""
    return classes_in(" ".join(excluding_clauses(message)), brief.classes) if len(brief.classes) > 1 else []


class Features(ContentFeatures, EndFeatures):
    """What a message has of the features a line of the grammar names."""

    def find(self, feature: str) -> bool:
        rule = RULES.get(feature)
        if rule is not None:
            return rule(self)
        other = _LEFT_OUT.get(feature)
        return says(feature, self._leave_out(other) if other else self.text)

    def _leave_out(self, concept: str) -> str:
        """The message without the words of a concept."""
        known: dict[str, str] = self.__dict__.setdefault("_left_out", {})
        if concept not in known:
            known[concept] = pattern(concept).sub(" ", self.text)
        return known[concept]

    @property
    def edits_named(self) -> bool:
        """修改六级词汇冲刺，周末不排: a known class, a verb of change, something about the class, not about an item."""
        if len(self.classes) != 1 or self.items:
            return False
        if self.slots.start and self.slots.end and _MOVED_DATES.search(self.folded):
            return True
        return (says("edit_class", self.text) or self.has("rename")) and (
            self.slots.said_anything or self.has("rename")
        )

    @property
    def wishes(self) -> bool:
        """晚上别排: times to keep free, of the class that is named or spoken of."""
        told = self.slots.excludes and not self.slots.name and not self.items
        if told and len(owners_of_exclusion(self.message, self.brief)) == 1:
            return True
        return (
            told
            and self.of_one_class
            and (WISH.search(self.folded) is not None or form_of(self.message, self.brief) in ("", "class"))
        )

    @property
    def weekly_off(self) -> bool:
        """每周三都不排, no afternoons please: times that the plans of all classes leave free."""
        if _DAY_OFF.search(self.folded):
            return True
        told = self.slots.excludes and not self.slots.name and not self.items and self._names_no_class
        if not told or self.has("dated"):
            return False
        once = self.has("busy_then") and says("keep_free", self.folded) and not _RECURS.search(self.folded)
        label, chance = aims_of(self.message, self.brief)[0]
        every = _EVERY_WEEK.search(self.folded) is not None or (label == "wish" and chance >= PROBABLE)
        return not once and every

    @property
    def fresh(self) -> bool:
        """Whether nothing is planned of what is meant, apart from what this goal built."""
        built = any(row["tool"] == "smart_planning" for row in self.brief.results)
        return built or not self.has("planned") or wants_waiting_classes(self.folded, self.brief)

    @property
    def starts_daily(self) -> bool:
        """六级每天晚上背一个单元: so much of a class each day, of which nothing is planned yet."""
        return (
            self.fresh
            and len(self.classes) == 1
            and not self.has("asking")
            and tells_rate(self.message, self.brief)
            and any(wish["kind"] == "blocks_a_day" for wish in wishes_in(self.message, self.brief))
        )

    @cached_property
    def builds(self) -> bool:
        """Whether a plan is asked for: in words of planning, or of placing classes of which nothing is planned."""
        fresh = self.fresh
        label, chance = aims_of(self.message, self.brief)[0]
        clauses = clauses_of(self.folded)
        if len(clauses) > 1 and any(aim_of(clause, self.brief) == "build" for clause in clauses):
            return True
        if label == "wish" and chance >= PROBABLE and not self.classes and not self.has("whole_plan"):
            return False
        if self.starts_daily:
            return True
        weakly = self.has("build_weakly") and not self.has("wish_noun")
        if self.has("build") or weakly or (fresh and self.has("whole_plan")):
            return True
        likely = label == "build" and chance >= PROBABLE and not self.has("not_build")
        return fresh and (
            self.has("arrange") or self.has("starts_all") or likely or (bool(self.classes) and self.has("place"))
        )

    @cached_property
    def plans_unplanned(self) -> bool:
        """Whether a plan is asked for of classes of which nothing was planned when the goal began."""
        told = self.any_items and not self.orders_only
        if not self.builds or self.opens_class or self.slots.described or told:
            return False
        ids, planned = find_planned_classes(self.message, self.brief), self.brief.placed_before
        held = {row["class_id"] for row in self.brief.tasks_before if row["state_id"] in planned}
        return bool(ids) and not held & {*ids}

    @property
    def orders_only(self) -> bool:
        """Whether all that is told of contents is which of them comes first: plan vocab, common nouns first."""
        told = read_content_changes(self.message, self.brief).told
        return bool(told) and all(one.kind == "reorder" for one in told) and bool(self.classes)

    @cached_property
    def plan_dates(self) -> dict[int, tuple[date | None, date | None]]:
        """The first and the last day that a request for a plan gives its classes."""
        every = [row["id"] for row in self.brief.classes]
        ids = find_planned_classes(self.message, self.brief) or (every if self.has("whole") else [])
        new = self.opens_class or self.has("class_noun")
        return read_plan_dates(self.message, ids, self.brief) if ids and self.builds and not new else {}

    @cached_property
    def limits(self) -> dict[int, ClassSlots]:
        """What the plan of each class is to keep to: its first and last day, the times it leaves free."""
        ids = find_planned_classes(self.message, self.brief) if self.builds else []
        ids = ids or [row["id"] for row in self.brief.classes]
        rows = {row["id"]: row for row in self.brief.classes}
        found = {one: ClassSlots(**read_limits(self.message, one, self.brief)) for one in ids}
        for one, (start, end) in self.plan_dates.items():
            inside = start and str(start) > (rows[one]["start_date"] or "")
            ends = rows[one]["end_date"] or "9"
            written = str(end) == ends and bool(self.brief.done("upsert_task_class"))  # by this goal
            written = written or self.has("deadline")
            first, last = start if inside else None, end if end and (written or str(end) < ends) else None
            found[one] = replace(found.get(one, ClassSlots()), start=first, end=last)
        return {one: slots for one, slots in found.items() if slots != ClassSlots()}

    @property
    def plans_with_limits(self) -> bool:
        """把概率论排好，晚上别排: what a plan is to keep to belongs to the classes and comes first."""
        if not self.builds or self.slots.described or (self.items and not self.orders_only):
            return False
        return bool(self.limits)

    @property
    def plans_each(self) -> bool:
        """Labs in the mornings, vocab in the evenings, plan both: what each class of a plan keeps to is its own."""
        ids = find_planned_classes(self.message, self.brief) if self.plans_with_limits else []
        return len({self.limits.get(one, ClassSlots()) for one in ids}) > 1

    @property
    def limits_each(self) -> bool:
        """实验别排周一，概率论不要晚上: several classes, each with times of its own."""
        label, chance = aims_of(self.message, self.brief)[0]
        if label != "class_times" or chance < PROBABLE or self.items:
            return False
        owners = {one for clause in clauses_of(self.folded) for one in find_owners(clause, self.brief)}
        return len(owners & set(self.limits)) > 1

    @cached_property
    def standing(self) -> dict[int, ClassSlots]:
        """What each class is to leave free every week, where that alone is said: of no plan, and nothing new."""
        if self.builds or self.slots.described or self.opens_class or self.any_items or self.lifted_from:
            return {}
        return {} if tells_contents(self.message, self.brief) else read_standing(self.message, self.brief)

    @cached_property
    def lifted_from(self) -> list[int]:
        """The classes that leave free what a message takes back, or allows again: 晚上那条不要了, you can use Mondays
        again."""
        if (opened := read_opened(self.message, self.brief)) and not self.any_items:
            out = [
                one for said in EXCEPTION.finditer(self.folded) for one in classes_in(said.group(), self.brief.classes)
            ]
            named = [one for one in self.classes if one not in out] or [row["id"] for row in self.brief.classes]
            rows = [row for row in self.brief.classes if row["id"] in named and row["id"] not in out]
            return [row["id"] for row in rows if opened.cells & excluded_of(row, self.brief.term)]
        days, part = weekdays_in(self.folded), part_in(self.folded, self.brief.term)
        if not takes_back_rule(self.folded, self.brief) or not (days or part) or self.items:
            return []
        blocks = {*range((part[0] + 1) // 2, (part[1] + 1) // 2 + 1)} if part else set()
        found = []
        for row in self.brief.classes:
            whole = (not part and {*days} & {*row["excluded_days"]}) or (
                not days and blocks & {*row["excluded_blocks"]}
            )
            cells = [(day, block) for day, block in row["excluded_cells"] if not days or day in days]
            if whole or any(not blocks or block in blocks for _, block in cells):
                found += [row["id"]] if not self.classes or row["id"] in self.classes else []
        return found

    @property
    def wants_known(self) -> bool:
        return wished_name(self.message) != "" and bool(self.classes) and not self.items

    @property
    def wants_new(self) -> bool:
        """我想复习线性代数: a class that is not there yet."""
        return wished_name(self.message) != "" and not self.classes and not self.brief.tasks

    @property
    def lifts_times(self) -> bool:
        return bool(self.lifted_from)

    @property
    def asks(self) -> bool:
        """Whether the message is a question that no write may answer: 怎么移动第2章, should I move it?"""
        rest = _REPORT.sub(" ", self.folded)
        asked = self.has("question") if rest == self.folded else Features(rest, self.brief).has("question")
        asked = asked or (asks_whether(rest) and not self.has("polite_form"))
        return asked and not self.has("polite")


_REPORT = re.compile(
    r"[,，;；。]\s*(?:并且?|再|顺便|然后|最后)?(?:请|麻烦)?也?(?:说明|告诉我|说说|说一下|讲一下|列出|指出|告知)[^,，;；。]*"
    r"|(?:[,;.]| and) (?:and |also |then |please )*(?:tell me|let me know|list|say|show me|name) (?:which"
    r"|what|how|where|if|whether)\b[^,.;]*"
)
"""What is to be told after a change: 并说明哪些要换位置, and tell me which ones moved."""


def _goes_back(found: Features) -> bool:
    before = find_former_place(found.brief, found.folded) if found.has("back") else None
    return before is not None and before.target is not None and not found.timed


def _is_just_moved(found: Features) -> bool:
    """Whether the items that are named were in the last change of the draft."""
    log = found.brief.view["draft_log"]
    moved = {change["item_id"] for change in log[-1]} if log else set()
    rows = items_in(found.message, found.brief)
    return len(log) > 0 and len(log[-1]) < len(found.brief.tasks) and all(row["item_id"] in moved for row in rows)


def _takes_out_again(found: Features) -> bool:
    before = find_former_place(found.brief, found.folded) if found.has("back") else None
    return before is not None and before.target is None


def _negates_move(found: Features) -> bool:
    return NEGATED.search(found.folded) is not None


def _is_wanted_after(found: Features) -> bool:
    """Whether something else is wanted beside what is not: 不要移动第2章，移动第3章."""
    rest = NEGATED.sub(" ", found.folded)
    return any(says(concept, rest) for concept in _WANTED)


def _plans(clause: str) -> bool:
    """Whether a clause asks for a plan, and not for how much a day it may have."""
    limits = says("wish_daily", clause) or says("wish_most", clause) or says("wish_soft", clause)
    rest = pattern("not_build").sub(" ", clause)
    return not limits and (says("build", rest) or says("build_weakly", rest))


def _goes_elsewhere(found: Features) -> bool:
    """Whether items that are picked without their names are to be at another time: all of Monday to Friday."""
    group = find_group(found.message, found.brief)
    if group is None or not (group.every and group.items):
        return False
    return target_in(group.rest, found.brief).said


def _waits(found: Features) -> bool:
    """Whether what is named has no place, or had none when the goal began."""
    rows = named_items(found.message, found.brief) or items_in(found.message, found.brief)
    rows = rows or _find_some_unplanned(found)
    placed = {change["task_item_id"] for change in found.brief.changes if not change["before"]}
    return bool(rows) and all(not row["slot"] or row["item_id"] in placed for row in rows)


def _find_some_unplanned(found: Features) -> list[TaskView]:
    """The items named of classes that no plan has; none where they are all of a class, which is planned as a whole."""
    every = all_items(found.brief)
    rows = items_in(found.message, found.brief, among=every)
    owners = {row["class_id"] for row in rows}
    return rows if len(rows) < sum(row["class_id"] in owners for row in every) else []


def _leaves_its_time(found: Features) -> bool:
    group = find_group(found.message, found.brief)
    return group is not None and group.timed and says("sent_away", group.rest)


def _asks_for_nothing(found: Features) -> bool:
    """Whether a question is asked that is no polite way of asking for something."""
    rest = pattern("polite_form").sub(" ", found.text)
    return says("asking", rest if rest == found.text else rest.rstrip(" ?？吗么"))


RULES: dict[str, Callable[[Features], bool]] = {
    "asking": _asks_for_nothing,
    "avoids": lambda found: avoided_in(found.message, found.brief.term).said,
    "related": lambda found: relation_in(found.message, found.brief) is not None,
    "group_goes": lambda found: _goes_elsewhere(found),
    "starts_all": lambda found: _EVERY_CLASS.search(found.folded) is not None and not found.has("planned"),
    "plans_new": lambda found: found.has("arrange") and bool(found.classes) and not found.has("planned"),
    "plans_too": lambda found: bool(found.classes) and any(map(_plans, re.split(r"[,，。;；]", found.folded))),
    "asks_when": lambda found: found.has("asking") and (found.has("free") or found.has("show")),
    "item": lambda found: found.items,
    "any_item": lambda found: found.any_items,
    "class": lambda found: bool(found.classes),
    "pending_group": lambda found: any(not row["slot"] for row in found.group_items),
    "day_part": lambda found: part_in(found.message, found.brief.term) is not None,
    "named_class": lambda found: bool(said_names(found.folded, found.brief)),
    "things": lambda found: (
        found.items or bool(found.group_items) or (found.has("pronoun") and found.has("spoken_item"))
    ),
    "inquires": lambda found: found.has("asking") and not found.has("polite"),
    "contents": lambda found: bool(found.contents),
    "waiting": lambda found: _waits(found),
    "one_class": lambda found: found.of_one_class,
    "plans_class": lambda found: bool(found.classes) and any(map(found.has, _PLANS)),
    "length": lambda found: says("length", fold_numbers(found.text)),
    "sets_length": lambda found: bool(read_lengths(found.message, found.brief)),
    "planned": lambda found: any(
        row["slot"] and (not found.classes or row["class_id"] in found.classes) for row in found.brief.tasks
    ),
    "sections_said": lambda found: found.slots.total is not None,
    "strategy_said": lambda found: found.slots.strategy != "" and _STRATEGY.search(found.folded) is not None,
    "creates_listed": lambda found: (
        found.has("create") and found.slots.name not in ("", *found.class_names) and len(found.slots.items) > 1
    ),
    "picks": lambda found: bool((group := find_group(found.message, found.brief)) and group.timed and group.items),
    "picked": lambda found: bool((group := find_group(found.message, found.brief)) and group.timed),
    "lasting": lambda found: _LASTING_WISH.search(found.folded) is not None,
    "group": lambda found: find_group(found.message, found.brief) is not None,
    "spoken_item": lambda found: len(spoken_of(found.brief)) == 1,
    "time": lambda found: found.timed,
    "time_ahead": lambda found: found.timed and not found.has("past"),
    "nudge": lambda found: way_in(found.folded) != 0,
    "shift": lambda found: shift_in(found.message) is not None,
    "excludes": lambda found: found.slots.excludes,
    "describes_class": lambda found: found.slots.described or found.opens_class,
    "edits_named": lambda found: found.edits_named,
    "wishes": lambda found: found.wishes,
    "weekly_off": lambda found: found.weekly_off,
    "plan_wishes": lambda found: bool(wishes_in(found.message, found.brief)),
    "unwishes": lambda found: bool(taken_back_in(found.message, found.brief)),
    "lifts_times": lambda found: bool(found.lifted_from),
    "standing": lambda found: bool(found.standing),
    "leaves_its_time": lambda found: _leaves_its_time(found),
    "starts_daily": lambda found: found.starts_daily,
    "plans_with_limits": lambda found: found.plans_with_limits,
    "changes_end": lambda found: found.changes_end,
    "changes_items": lambda found: found.changes_items,
    "content_word": lambda found: (
        _CONTENT.search(blank_names(found.folded, [*found.class_names, *said_names(found.folded, found.brief)]))
        is not None
    ),
    "from_timetable": lambda found: _TIMETABLE.search(found.folded) is not None,
    "just_moved": lambda found: _is_just_moved(found),
    "goes_back": _goes_back,
    "out_again": _takes_out_again,
    "negates_move": _negates_move,
    "dated": lambda found: is_dated(name_this_week(_FROM_NOW_ON.sub(" ", found.folded)), found.brief.term),
    "week_said": lambda found: week_in(found.message, found.brief.term) is not None,
    "starts_later": lambda found: found.starts_later,
    "wanted_after": _is_wanted_after,
    "held_class": lambda found: bool(find_held_classes(found.message, found.brief)),
    "ends_all": lambda found: found.ends_all,
    "wants_known": lambda found: found.wants_known,
    "wants_new": lambda found: found.wants_new,
}
