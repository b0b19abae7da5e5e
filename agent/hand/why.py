"""USE CASE: why an item stands where it stands, in one sentence and its parts."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from agent.hand.places import Scene, scene_load
from agent.shapes import WhyHere, WhyPart
from schedules.planner.date_words import begin_words, date_words, end_words, place_words
from schedules.planner.why import Why, why
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import text


def why_get(
    *,
    user: User,
    task_item_id: int,
    conversation_id: str = "",
    semester_id: int | None = None,
    now: datetime,
    locale: str = "zh",
) -> WhyHere:
    """Why a placed item stands there; 40077 `not_placed` for one without a place, else the refusals of its places."""
    scene = scene_load(
        user=user, task_item_id=task_item_id, conversation_id=conversation_id, semester_id=semester_id, now=now
    )
    found = why(scene.state, scene.entry)
    if found is None:
        raise CodedError(40077, {"reason": "not_placed", "conflicts": []})
    return _Told(scene, found, locale).answer()


class _Told:
    def __init__(self, scene: Scene, found: Why, locale: str) -> None:
        self.scene, self.found, self.locale = scene, found, locale
        self.calendar = scene.semester.calendar

    def answer(self) -> WhyHere:
        parts = [part for part in (self._hand(), self._order(), self._window(), self._free(), self._spread(),
                                   self._load()) if part is not None]  # fmt: skip
        speaking = [part["message"] for part in parts if part["decides"]] or [parts[0]["message"]]
        place = place_words(self.calendar, self.found.place, self.locale)
        reasons = text("，", self.locale).join(speaking)
        message = text("放在 {place}：{reasons}", self.locale, place=place, reasons=reasons)
        return {"task_item_id": self.scene.entry.source_id, "message": message, "parts": parts}

    def _part(self, part: str, decides: bool, message: str, **values: object) -> WhyPart:
        return {"part": part, "message": text(message, self.locale, **values), "decides": decides}

    def _hand(self) -> WhyPart | None:
        if self.scene.entry.pinned:
            return self._part("hand", True, "你钉住了它")
        return self._part("hand", True, "你自己放在这里的") if self.scene.entry.by_hand else None

    def _order(self) -> WhyPart | None:
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

    def _window(self) -> WhyPart | None:
        rules = self.scene.state.class_of(self.scene.entry).rules
        if rules.start_day is None or rules.end_day is None:
            return None
        start, end = (date_words(self.calendar.date_of(day), self.locale) for day in (rules.start_day, rules.end_day))
        return self._part("window", False, "这个任务从 {start} 到 {end}", start=start, end=end)

    def _free(self) -> WhyPart:
        if not self.found.others:
            return self._part("free", True, "现在没有别的空档合适")
        return self._part("free", False, "另外还有 {n} 个空档也能放", n=self.found.others)

    def _spread(self) -> WhyPart:
        steady = self.scene.state.class_of(self.scene.entry).rules.steady
        if not self.found.on_target:
            return self._part("spread", False, "有的空档更合节奏，但别的原因更要紧")
        return self._part("spread", True, "这样各项隔得最匀" if steady else "这样做完得最早")

    def _load(self) -> WhyPart:
        values = {"lessons": self.found.lessons, "own": self.found.own}
        if self.found.light:
            return self._part("load", True, "这天最轻松：{lessons} 节课，自己安排 {own} 节", **values)
        return self._part("load", False, "这天有 {lessons} 节课，自己安排 {own} 节", **values)
