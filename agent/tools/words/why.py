"""Why an item stands where it stands, in one sentence and its parts."""

from __future__ import annotations

from typing import Literal, TypedDict

from schedules.planner.advice.why import Why
from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import Calendar
from schedules.planner.words.dates import begin_words, end_words, place_words
from taskclasses.kernel.i18n import date_words, text

Part = Literal["hand", "order", "window", "free", "spread", "load"]


class WhyPartWords(TypedDict):
    """Holds one reason in words; `decides`: it speaks for this place and stands in the sentence."""

    part: Part
    message: str
    decides: bool


class WhyWords:
    """Tells what a `Why` says of an entry of a draft, in one language."""

    def __init__(self, state: ScheduleState, entry: TaskEntry, found: Why, *, calendar: Calendar, locale: str) -> None:
        self.state, self.entry, self.found = state, entry, found
        self.calendar, self.locale = calendar, locale

    def parts(self) -> list[WhyPartWords]:
        told = (self._hand(), self._order(), self._window(), self._free(), self._spread(), self._load())
        return [part for part in told if part is not None]

    def sentence(self) -> str:
        parts = self.parts()
        speaking = [part["message"] for part in parts if part["decides"]] or [parts[0]["message"]]
        place = place_words(self.calendar, self.found.place, self.locale)
        reasons = text("，", self.locale).join(speaking)
        return text("放在 {place}：{reasons}", self.locale, place=place, reasons=reasons)

    def _part(self, part: Part, decides: bool, message: str, **values: object) -> WhyPartWords:
        return {"part": part, "message": text(message, self.locale, **values), "decides": decides}

    def _hand(self) -> WhyPartWords | None:
        if self.entry.pinned:
            return self._part("hand", True, "你钉住了它")
        return self._part("hand", True, "你自己放在这里的") if self.entry.by_hand else None

    def _order(self) -> WhyPartWords | None:
        before, after = self.found.before, self.found.after
        if before is None and after is None:
            return None
        values: dict[str, object] = {}
        if before is not None:
            values |= {"earlier": before.name, "end": end_words(self.calendar, before.place.end_cell, self.locale)}
        if after is not None:
            values |= {"later": after.name, "begin": begin_words(self.calendar, after.place.cell, self.locale)}
        if after is None:
            return self._part("order", True, "要在「{earlier}」之后（{end} 结束）", **values)
        if before is None:
            return self._part("order", True, "要在「{later}」之前（{begin} 开始）", **values)
        return self._part("order", True, "要在「{earlier}」（{end} 结束）和「{later}」（{begin} 开始）之间", **values)

    def _window(self) -> WhyPartWords | None:
        rules = self.state.class_of(self.entry).rules
        if rules.start_day is None or rules.end_day is None:
            return None
        start, end = (date_words(self.calendar.date_of(day), self.locale) for day in (rules.start_day, rules.end_day))
        return self._part("window", False, "这个任务从 {start} 到 {end}", start=start, end=end)

    def _free(self) -> WhyPartWords:
        if not self.found.others:
            return self._part("free", True, "现在没有别的空档合适")
        return self._part("free", False, "另外还有 {n} 个空档也能放", n=self.found.others)

    def _spread(self) -> WhyPartWords:
        steady = self.state.class_of(self.entry).rules.steady
        if not self.found.on_target:
            return self._part("spread", False, "有的空档更合节奏，但别的原因更要紧")
        return self._part("spread", True, "这样各项隔得最匀" if steady else "这样做完得最早")

    def _load(self) -> WhyPartWords:
        values = {"lessons": self.found.lessons, "own": self.found.own}
        if self.found.light:
            return self._part("load", True, "这天最轻松：{lessons} 节课，自己安排 {own} 节", **values)
        return self._part("load", False, "这天有 {lessons} 节课，自己安排 {own} 节", **values)
