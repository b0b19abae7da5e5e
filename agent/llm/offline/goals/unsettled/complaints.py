"""What is found too much or too little: how that class, time or plan stands, and what would make it less or more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from agent.llm.offline.goals.explain import tell_spread
from agent.llm.offline.goals.questions.answers import tell_how_it_holds
from agent.llm.offline.goals.questions.reads import count_text, item_lines, rows_in_time
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.paraphrase.frames import frame_of
from agent.llm.offline.language.spans.complaints import Complaint
from agent.llm.offline.language.spans.targets import place_of
from agent.llm.offline.language.spans.times.words import say_date
from agent.loop.view_document import TaskView

Ways = tuple[str, list[str]]
"""How the plan stands, and the requests to choose from."""
_WEEK, _MOST = 7, 3


def say_form(brief: Brief, form: str, **slots: str | Sequence[str]) -> str:
    """A request of a form in the words that the readers know."""
    given = {name: (told,) if isinstance(told, str) else tuple(told) for name, told in slots.items()}
    return frame_of(form, given).say(brief.language)


def tell_complaint(told: Complaint, brief: Brief) -> Ways | None:
    """How what is complained of stands, and the requests that would mend it; None where nothing of it is planned."""
    owners = {row["class_id"] for row in brief.tasks if row["slot"]}
    ids = [one for one in owners if one in told.classes or not told.classes]
    rows = rows_in_time([row for row in brief.tasks if row["slot"] and row["class_id"] in ids])
    if not rows:
        return None
    load = _Load(brief, tuple(rows), bool(told.classes) and len(ids) == 1)
    if told.time is not None:
        return load.tell_time(told)
    return load.tell_less() if told.way == "less" else load.tell_more()


@dataclass(frozen=True)
class _Load:
    """The placed items of one class, or of all that is planned, in the order of their times."""

    brief: Brief
    rows: tuple[TaskView, ...]
    is_of_class: bool

    @property
    def _days(self) -> list[date]:
        return [self.brief.day_of(slot) for row in self.rows if (slot := row["slot"])]

    @property
    def _names(self) -> list[str]:
        ids = {row["class_id"] for row in self.rows}
        return [row["name"] for row in self.brief.classes if row["id"] in ids]

    @property
    def _weeks(self) -> Counter[int]:
        return Counter(slot["week"] for row in self.rows if (slot := row["slot"]))

    def _tell(self) -> str:
        if self.is_of_class:
            return "\n".join(item_lines(self.brief, self.rows))
        ids = dict.fromkeys(row["class_id"] for row in self.rows)
        return "\n".join([tell_how_it_holds(self.brief), *(tell_spread(self.brief, one) for one in ids)])

    def tell_less(self) -> Ways:
        """What would spread the items wider: evenly, over more days, with less in the fullest week."""
        brief = self.brief
        week = self._weeks.most_common(1)[0][0]
        lighten = say_form(brief, "make_lighter", time=brief.say(f"第{week}周", f"week {week}"))
        later = say_form(brief, "deadline_later", **{"class": self._names, "length": brief.say("7天", "7 days")})
        if self.is_of_class:
            return self._tell(), [say_form(brief, "even", **{"class": self._names}), later, lighten]
        gap = min(((then - one).days for one, then in pairwise(self._days)), default=1)
        apart = say_form(brief, "days_between", number=str(max(1, gap)))
        free = say_form(brief, "wish_nothing_on", time=brief.say("周日", "Sundays"))
        return self._tell(), [apart, lighten, free, later]

    def tell_more(self) -> Ways:
        """What would draw the items together: more of them a week, an earlier end, classes that are not planned yet."""
        brief, days = self.brief, self._days
        number = max(self._weeks.values()) + 1
        begins = max(days[0], brief.term.today)
        ends = [days[-1] - timedelta(days=back) for back in (_WEEK, _WEEK // 2)]
        ends = [day for day in ends if (day - begins).days >= len(days) // 2]
        ways = [say_form(brief, "rate_of", **{"class": self._names, "number": str(number)})] if self.is_of_class else []
        ways += [say_form(brief, "end_by", **{"class": self._names, "time": _day(brief, day)}) for day in ends]
        planned = {row["class_id"] for row in brief.tasks}
        left = [row["name"] for row in brief.classes if row["id"] not in planned and row["items"]]
        if left and not self.is_of_class:
            ways.append(say_form(brief, "plan", **{"class": left}))
        return self._tell(), ways[:_MOST]

    def tell_time(self, told: Complaint) -> Ways | None:
        """What is on at the time, beside the other weeks where it is one, and what could leave it or come to it."""
        brief, time = self.brief, told.time
        if time is None or time.kind not in ("week", "weekday", "part", "clock", "sections"):
            return None
        target = place_of([time], brief.term)
        name = brief.say(f"第{time.week}周", f"week {time.week}") if time.week else told.said
        name = name.capitalize() if time.weekdays and "day" in name else name
        if time.kind == "clock" and time.sections:
            first = time.sections[0]
            target = replace(target, sections=(first, first + 1))
            name = brief.say(f"第{first}-{first + 1}节", f"sections {first}-{first + 1}")
        there = [row for row in self.rows if (slot := row["slot"]) and target.meets(slot) and brief.is_ahead(row)]
        none = ("{name}没有任务；课这里动不了。", "{name}: none of your tasks; lessons cannot be moved here.")
        head = ("{name}：{count}。", "{name}: {count}.") if there else none
        told_there = brief.say(*head, name=name[:1].upper() + name[1:], count=count_text(brief, there))
        lines = [told_there, *item_lines(brief, there)]
        if time.week:
            weeks = (brief.say(f"第{week}周 {n} 项", f"week {week}: {n}") for week, n in sorted(self._weeks.items()))
            lines.append(brief.say("各周任务数：", "Items in each week: ") + brief.say("、", ", ").join(weeks))
        if told.way == "more":
            lighten = brief.say(f"第{told.full}周", f"week {told.full}")
            ways = [say_form(brief, "make_lighter", time=lighten)] if told.full else []
            ways += self._bring_to(name, there)
        elif time.week:
            ways = [say_form(brief, one, time=name) for one in ("make_lighter", "nothing_on") if there]
        else:
            ways = [say_form(brief, "nothing_on", time=name)] if there else []
            ways += [say_form(brief, "wish_nothing_on", time=name)]
            ways += [brief.say(f"以后{name}少排学习任务", f"from now on less on {name}")] if time.weekdays else []
        return ("\n".join(lines), ways) if ways else None

    def _bring_to(self, name: str, there: Sequence[TaskView]) -> list[str]:
        """The next item of each class that could come to a time, and the classes that could be planned for it."""
        brief = self.brief
        ahead = [row for row in self.rows if row not in there and brief.is_ahead(row)]
        behind = [row for row in ahead if not there or self.rows.index(row) > self.rows.index(there[-1])]
        nearest = {row["class_id"]: row["name"] for row in (behind[::-1] or ahead)}
        ways = [say_form(brief, "move_to", items=item, time=name) for item in nearest.values()]
        planned = {row["class_id"] for row in brief.tasks}
        left = [row["name"] for row in brief.classes if row["id"] not in planned and row["items"]]
        plan = ("排{left}，只排{name}", "plan {left} only on {name}")
        return [*ways, *(brief.say(*plan, left=one, name=name) for one in left[:1] if self.is_of_class is False)][
            :_MOST
        ]


def _day(brief: Brief, day: date) -> str:
    return say_date(day, zh=brief.language == "zh")
