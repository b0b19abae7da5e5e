"""The findings about the first and the last day of classes: told anew, moved, given more time."""

from __future__ import annotations

import re

from agent.llm.offline.language.meaning.aims import aims_of
from agent.llm.offline.language.meaning.facts import Facts
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.conditions.limit_forms import SPAN
from agent.llm.offline.language.spans.items.groups import find_group
from agent.llm.offline.language.spans.targets import shift_in
from agent.llm.offline.language.spans.times.reading import read_times

PROBABLE = 0.5
_END_MOVED = re.compile(
    r"[才就要]考|考(?=试?$|试?[,，。!])|提前|推迟|往[前后]|挪|拖|前学|前复习|前完|前做|前搞|延|延后|延期|延长"
    r"|延迟|顺延|改到|改成|改为|变成|定在|挪到|是|为|在|截至|截止到|到"
    r"|\b(?:is|was|moved?|extend(?:ed)?|postponed?|changed?|now|on|to|by|before|brought|bumped|got|push(?:ed)?"
    r"|delayed?|shift(?:ed)?|earlier|later)\b"
)
_EXTENDED = re.compile(r"(?<![顺推拖])延(?:长|了|上|个)?[一1两2二三3四4]")
_MORE_TIME = re.compile(
    r"(?:多|再|宽限|[增追]?加)(?:[给加宽限要来]|上)*\s*(?:\d+|半)\s*个?(?:天|周|星期|礼拜)(?![前内里后]|[^,，。;；]{0,3}够)"
    r"|\b(?:give|need|have|get|allow|grant|use|want|add|take|spare|with)\b[^,.;?]{0,40}"
    r"\b(?:(?:(?:an?|one|two|three|\d+) )?(?:extra|more|additional)|another) (?:days?|weeks?)\b"
)
"""So much more time for something, asked for or granted."""
_BEGINS = re.compile(r"开始|\b(?:start|begin)")
_COUNTS_TIME = re.compile(r"\b(?:how|will|would|do i|is there|are there|enough)\b|够|多少|几天|来得及")
_EACH = re.compile(r"每(?:一?[门个科]|项)|\beach\b")
_LASTING = re.compile(r"\d+\s*个?(?:天|周|星期|礼拜)|\b(?:days?|weeks?)\b")


class EndFeatures(Facts):
    """What a message says of the days with which classes begin and end."""

    @property
    def changes_end(self) -> bool:
        """考试提前到12月9号, the deadline is a week later: the last day of a class."""
        due = self.has("deadline") or (len(self.classes) == 1 and self.has("due_by") and not self.items)
        due = due or (len(self.classes) == 1 and self._shifts_unplanned)
        due = due or (_EXTENDED.search(self.folded) is not None and not self.any_items) or self.gets_more_time
        group = find_group(self.message, self.brief)
        if (
            not due
            or (group is not None and group.timed)
            or self.has("that_day")
            or self.has("question")
            or self.slots.described
            or self.has("build")
        ):
            return False
        dated = self.slots.start or self.slots.end or shift_in(self.message) or self.timed
        dated = dated or _LASTING.search(fold_numbers(self.message)) is not None
        moved = shift_in(self.message) is not None or _END_MOVED.search(self.folded) is not None
        return bool(dated) and bool(self.brief.classes) and (moved or self.gets_more_time)

    @property
    def gets_more_time(self) -> bool:
        """线代多给我一周, an extra week for linear algebra: one class is to end so much later."""
        told = _MORE_TIME.search(fold_numbers(self.message)) is not None and not _COUNTS_TIME.search(self.folded)
        return told and len(self.classes) == 1 and not self.any_items

    @property
    def _shifts_unplanned(self) -> bool:
        """六级早考一周, CET is a week earlier: said of a class of which nothing is planned."""
        planned = {row["class_id"] for row in self.brief.tasks if row["slot"]}
        return not planned & set(self.classes) and not self.any_items and shift_in(self.message) is not None

    @property
    def ends_all(self) -> bool:
        """整个计划5月3号之前结束: a last day for every class."""
        due = self.has("deadline") or self.has("due_by") or self.has("wish_finish")
        asked = self.has("asking") or self.slots.described or self.has("class_noun") or self.has("wishes")
        label, chance = aims_of(self.message, self.brief)[0]
        asked = asked or (label == "class_create" and chance >= PROBABLE)
        shift = shift_in(self.message) if self.has("deadline") else None
        dated = self.slots.end or self.slots.start or self.has("week_said") or (shift is not None and shift.days)
        over = self.has("finished") and not self._is_due_ahead
        whole = (
            (self.has("whole") or self.has("plan_noun") or _EACH.search(self.folded) is not None)
            and not self.has("that_day")
            and not over
        )
        plain = not asked and not self.has("keep_free") and not self.items and not SPAN.search(self.folded)
        return bool(dated) and due and whole and plain and self._names_no_class

    @property
    def _is_due_ahead(self) -> bool:
        """Whether a message tells by which day, that is still to come, something is to be done."""
        today = self.brief.term.today
        bounds = [one.last for one in read_times(self.message, self.brief.term) if one.side == "until" and one.last]
        return self.has("due_by") and any(day > today for day in bounds)

    @property
    def starts_later(self) -> bool:
        """概率论从第8周开始, the lab starts a week later: the first day of a known class."""
        moved = (shift := shift_in(self.message)) is not None and shift.days != 0
        begins = (moved or self.slots.start is not None) and self.slots.end is None and not self.slots.described
        said = self.has("starts_then") or (moved and _BEGINS.search(self.folded) is not None)
        return begins and len(self.classes) == 1 and said
