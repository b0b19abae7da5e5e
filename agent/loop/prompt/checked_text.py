"""A summary as the student may read it: sentence by sentence held against the draft, closed by a line of facts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence

from agent.loop.draft.goal_changes import all_changes, goal_changes
from agent.loop.output.blocks import find_named
from agent.loop.output.claims import (
    AllowedClaims,
    ClaimedPlace,
    asks_place,
    claims_change,
    is_false,
    says_applied,
    sentences,
    wishes_applied,
    wishes_change,
)
from agent.loop.output.plain_words import PlainWords
from agent.loop.outside.deps import Deps, by_rules
from agent.loop.phrases import join_names
from agent.loop.prompt.summary import change_line, place_line
from agent.loop.state.agent_state import AgentState
from agent.loop.view_document import ChangeView
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar, week_and_weekday
from taskclasses.kernel.i18n import text
from taskclasses.shapes import ClassObject

LISTED = 3
LEFT_OUT = "（与草稿不符的说法已略去。）"
NOTHING = "核对：草稿没有改动。"
YOURS_TO_APPLY = "改动只在草稿里，要由你自己点「写入课表」。"


def has_written(state: AgentState) -> bool:
    """Tells whether this goal wrote something: a receipt of a write that succeeded, the rough build among them."""
    return any(row.success and row.source == "write_receipt" for row in state.run.receipts)


def _by_kind(changes: Sequence[ChangeView]) -> tuple[int, int, int]:
    """Tells how many items got a place, changed it, lost it."""
    kinds = [(row["before"] is not None, row["after"] is not None) for row in changes]
    return kinds.count((False, True)), kinds.count((True, True)), kinds.count((True, False))


def _date_of(calendar: Calendar | None, week: int, weekday: int) -> tuple[int, int]:
    if calendar is None:
        return 0, 0
    date = calendar.date_of((week - 1) * 7 + weekday)
    return date.month, date.day


def facts_of(state: AgentState, calendar: Calendar | None = None, classes: Iterable[ClassObject] = ()) -> AllowedClaims:
    """Returns what words about this goal may claim. With a calendar dates are places too; of `classes` those count that
    the draft does not hold."""
    changes, schedule = all_changes(state), state.schedule
    known = {entry.task_class_id for entry in schedule.items()} if schedule is not None else set()
    places: dict[str, list[ClaimedPlace]] = {}
    made = frozenset({len(changes), *_by_kind(changes)})
    counts: set[int] = set(made)
    for entry in schedule.items() if schedule is not None else ():
        rows = places.setdefault(entry.name, [])
        if schedule is not None and entry.slot is not None:
            week, day = week_and_weekday(schedule.window.day_of(entry.slot.day))
            date = _date_of(calendar, week, day)
            rows.append(ClaimedPlace(week, day, entry.slot.slot_start, entry.slot.slot_end, date))
    for row in changes:
        for place in (row["before"], row["after"]):
            if place is not None:
                rows = places.setdefault(row["name"], [])
                date = _date_of(calendar, place["week"], place["day_of_week"])
                rows.append(
                    ClaimedPlace(place["week"], place["day_of_week"], place["section_from"], place["section_to"], date)
                )
    if schedule is not None:
        items = list(schedule.items())
        counts |= {len(items), *(sum(entry.status == kind for entry in items) for kind in ("suggested", "pending"))}
        counts |= {sum(entry.status == "existing" for entry in items), *(len(items) - n for n in made)}
        by_class = {entry.task_class_id for entry in items}
        counts |= {sum(entry.task_class_id == one for entry in items) for one in by_class} | {len(by_class)}
    counts |= {len(state.plan.steps), state.plan.current, state.plan.current + 1}
    changed = bool(changes) or has_written(state)
    return AllowedClaims(
        changed=changed,
        touched=frozenset(row["name"] for row in changes) if changes else None,
        applied=not changed and any(entry.status == "existing" for entry in (schedule.items() if schedule else ())),
        counts=frozenset(counts),
        held=_held_at_once(schedule),
        others=frozenset(row["name"] for row in classes if row["id"] not in known),
        made=made if changes else frozenset(counts),
        places=places,
        parts=() if schedule is None else tuple((first, last) for first, last in schedule.grid.day_parts[:3]),
    )


def _held_at_once(schedule: ScheduleState | None) -> frozenset[int]:
    """Returns how many items days and weeks have, of all and of each class."""
    found: Counter[tuple[str, int, int | None]] = Counter()
    for entry in schedule.items() if schedule is not None else ():
        if schedule is not None and entry.slot is not None:
            day = schedule.window.day_of(entry.slot.day)
            week, _ = week_and_weekday(day)
            for whose in (None, entry.task_class_id):
                found.update((("day", day, whose), ("week", week, whose)))
    return frozenset(found.values())


def told_truly(state: AgentState, deps: Deps, words: str, *, asks: bool = False) -> str:
    """Returns the words without sentences that claim what the draft does not bear; those of the fixed rules whole."""
    if by_rules(deps):
        return words
    checked = CheckedText(state, deps, asks=asks)
    kept = checked.feed(words) + checked.end()
    return kept.strip() if checked.withheld or kept != words else words


class _Checked(ABC):
    """Takes a text in pieces and gives the sentences that may be told, each as soon as it is complete."""

    def __init__(self) -> None:
        self._held = ""
        self.withheld: list[str] = []

    def reset(self) -> None:
        """Drops what came so far: it is no part of the text."""
        self._held, self.withheld = "", []

    def feed(self, piece: str) -> str:
        cut = sentences(self._held + piece)
        # The last one may go on, and a full stop may turn out to be a decimal point.
        ready, self._held = cut[:-1], cut[-1] if cut else ""
        return self._passed(ready)

    def end(self) -> str:
        rest, self._held = self._held, ""
        return self._passed([rest] if rest else [])

    @abstractmethod
    def _passed(self, ready: list[str]) -> str: ...


class CheckedAnswer(_Checked):
    """Takes an answer of a goal that did nothing in pieces, and leaves out the sentences that say that the draft was
    applied where it was not, and where the student asks for a place those that tell a wrong one. Where a change is
    `wished` for, they may not say either that something was changed. Those of the fixed rules pass whole."""

    def __init__(self, state: AgentState, deps: Deps, *, wished: bool = False) -> None:
        super().__init__()
        self._as_is = by_rules(deps)
        self._wished = wished
        self._looks = asks_place(state.run.request)
        self._facts = facts_of(state, deps.calendar, deps.tally.classes or ())

    def _passed(self, ready: list[str]) -> str:
        kept = [one for one in ready if self._as_is or not self._is_false(one)]
        self.withheld += [one for one in ready if one not in kept]
        return "".join(kept)

    def _is_false(self, sentence: str) -> bool:
        claims = claims_change(sentence)
        applied = says_applied(sentence) and not self._facts.applied
        return applied or (self._wished and claims) or (self._looks and not claims and is_false(sentence, self._facts))

    def line(self, state: AgentState, deps: Deps, told: str) -> str:
        """Returns what stands in the place of what was left out, in the code's words."""
        misplaced = [one for one in self.withheld if not claims_change(one)]
        line = closing_line(state, deps, told, withheld=misplaced) if misplaced else ""
        yours = text(YOURS_TO_APPLY, state.locale) if any(map(says_applied, self.withheld)) else ""
        return "\n".join(part for part in (line, yours) if part)


class CheckedText(_Checked):
    """Leaves out of a text what the draft does not bear. Of one that asks, the places that are not told as done are
    what it asks about."""

    def __init__(self, state: AgentState, deps: Deps, *, asks: bool = False) -> None:
        super().__init__()
        self._asks = asks
        self._facts, self._plain = facts_of(state, deps.calendar, deps.tally.classes or ()), PlainWords(state, deps)

    def _passed(self, ready: list[str]) -> str:
        kept = []
        for said in ready:
            sentence = self._plain.of(said)
            if not sentence:
                kept.append(said[len(said.rstrip()) :])
            elif (claims_change(sentence) or not self._asks) and is_false(sentence, self._facts):
                self.withheld.append(sentence)
                kept.append(sentence[len(sentence.rstrip()) :])
            else:
                kept.append(sentence)
        return "".join(kept)


def closing_line(state: AgentState, deps: Deps, told: str, *, withheld: Sequence[str]) -> str:
    """Returns what changed, in the code's words; "" when the text says it in these words already, or when nobody asked
    for a change and nothing was changed. Where a question was answered wrongly, it is where the items stand that the
    sentences left out are about. Who was to put the draft into the timetable says whose step that is."""
    line = _facts_line(state, told, withheld)
    note = text(LEFT_OUT, state.locale) if withheld else ""
    applies = wishes_applied(state.run.request) or any(says_applied(one) for one in withheld)
    yours = text(YOURS_TO_APPLY, state.locale) if applies else ""
    return "\n".join(part for part in (note, line, yours) if part and part not in told)


def _facts_line(state: AgentState, told: str, withheld: Sequence[str]) -> str:
    locale, changes = state.locale, goal_changes(state)
    lines = [change_line(change, locale) for change in changes]
    if not changes:
        wished = wishes_change(state.run.request)
        standing = [] if wished else [place_line(state, one) for one in find_named(state, "".join(withheld))[:LISTED]]
        if standing:
            return text("核对：{changes}。", locale, changes=join_names(standing, locale))
        asked = withheld or wished or state.run.rejected
        return "" if has_written(state) or not asked else text(NOTHING, locale)
    if all(line in told for line in lines[:12]):
        return ""
    named = lines if len(lines) <= LISTED else _counted(changes, locale)
    return text("核对：{changes}。", locale, changes=join_names(named, locale))


def _counted(changes: Sequence[ChangeView], locale: str) -> list[str]:
    """Returns how many items got a place, changed it, lost it, each where there are any."""
    kinds = ("排入 {count} 项", "移动 {count} 项", "移出 {count} 项")
    counts = zip(kinds, _by_kind(changes), strict=True)
    return [text(kind, locale, count=count) for kind, count in counts if count]
