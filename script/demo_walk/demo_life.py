"""What the demo does after the plan is on the timetable: life happens, and the plan follows."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import httpx
from demo_http import Client, Failed
from demo_show import Show

Json = dict[str, Any]


class Life:
    """An item done, one missed and picked up, a holiday, the calendar feed, an undo that gives the draft back."""

    def __init__(self, client: Client, show: Show, semester: Json, conversation: str) -> None:
        self.client, self.show, self.semester = client, show, semester
        self.conversation = conversation

    def run(self) -> None:
        early, late = self._two_items()
        self.do(early)
        self.miss(late)
        batch = self.pick_up(late)
        self.take_a_day_off()
        self.read_feed()
        self.undo(batch)

    def _two_items(self) -> tuple[Json, Json]:
        """The next item of the timetable from tomorrow on, and the first one of another class."""
        preview = self.client.call("GET", f"/agent/schedule-preview?conversation_id={self.conversation}")
        ahead = [one for one in preview["hybrid_entries"] if one["item_id"] and self._day(one) > self._today()]
        ahead.sort(key=lambda one: (*self._day(one), one["section_from"]))
        for other in ahead:
            if other["task_order"] == 1 and other["class_id"] != ahead[0]["class_id"]:
                return ahead[0], other
        raise Failed("no other class has all its items ahead")

    def _today(self) -> tuple[int, int]:
        now = self.semester["today"] or {"week": 0, "day_of_week": 0}
        return now["week"], now["day_of_week"]

    @staticmethod
    def _day(place: Json) -> tuple[int, int]:
        return place["week"], place["day_of_week"]

    def _mark(self, entry: Json, progress: str) -> Json:
        path = f"/schedule/task-items/{entry['item_id']}/progress"
        told: Json = self.client.call("POST", path, {"progress": progress}, uuid.uuid4().hex)["items"][0]
        if told["mark"] != progress:
            raise Failed(f"the item was not marked: {told}")
        return told

    def do(self, entry: Json) -> None:
        """Done ahead of its time: the cells that were planned are free again."""
        self.show.step("done", "提前做完一项", "one item done ahead of its time")
        if self._mark(entry, "done")["embedded_time"] is not None:
            raise Failed("an item done early kept the place that was planned")
        self.show.done(entry)

    def miss(self, entry: Json) -> None:
        """Puts an item in the past by hand, as if it had been planned there, and says that it was missed."""
        self.show.step("missed", "有一项没做，补上", "one item missed, and picked up")
        body: Json = {"conversation_id": self.conversation}
        places = self.client.call("POST", "/agent/legal-places", {**body, "task_item_id": entry["item_id"]})
        place = next(self._past(places), None)
        if place is None:
            raise Failed("no free place lies in the past")
        body["revision"] = places["revision"]
        put = {"task_item_id": entry["item_id"], "from_timetable": True, **place}
        response = self.client.send("POST", "/agent/schedule-state", {**body, "items": [put]})
        warnings = self.client.data_of(response)["warnings"]
        body["revision"] = int(response.headers["X-Draft-Revision"])
        self.client.call("POST", "/agent/schedule-apply", body, uuid.uuid4().hex)
        self._mark(entry, "missed")
        self.show.missed(entry, place, warnings)

    def _past(self, places: Json) -> Iterator[Json]:
        """The free places of an item that have begun, the latest first."""
        for row in reversed(places["weeks"]):
            for day in range(7, 0, -1):
                for number, index in enumerate(row["cells"][day - 1], 1):
                    verdict = places["verdicts"][index]
                    free = verdict["kind"] == "warned" and not verdict["embed_course_event_id"]
                    if free and (row["week"], day) < self._today():
                        end = number + places["sections"] - 1
                        at = {"week": row["week"], "day_of_week": day}
                        yield {**at, "start_section": number, "end_section": end}

    def pick_up(self, entry: Json) -> int:
        """Plans anew what was missed, by least change, and applies it; answers the batch."""
        body = {"kind": "missed", "conversation_id": self.conversation}
        found = self.client.call("POST", "/agent/replan", body, uuid.uuid4().hex)
        if entry["item_id"] not in [move["task_item_id"] for move in found["moves"]]:
            raise Failed("what was missed was not picked up")
        body = {"conversation_id": found["conversation_id"], "revision": found["revision"]}
        applied = self.client.call("POST", "/agent/schedule-apply", body, uuid.uuid4().hex)
        self.show.picked_up(found["sentences"], applied)
        batch: int = applied["batch_id"]
        return batch

    def take_a_day_off(self) -> None:
        """A holiday: first what it would do, then it is there, then it is taken back as a batch."""
        self.show.step("holiday", "加一天假：先看后果", "a day off: first what it would do")
        day = self._busy_day()
        off = {"kind": "holiday", "name": self.show.words("校庆", "Founders' day"), "first_date": day.isoformat()}
        body = {"exceptions": [off]}
        before = self._lessons_on(day)
        trial = self.client.call("POST", "/schedule/exceptions?dry_run=true", body)
        if trial["batch_id"] is not None or not trial["lessons"] or self._lessons_on(day) != before:
            raise Failed("a trial told nothing, or changed something")
        self.show.day_off(day, trial)
        made = self.client.call("POST", "/schedule/exceptions", body, uuid.uuid4().hex)
        if self._lessons_on(day):
            raise Failed("the lessons did not fall out")
        self.client.call("POST", f"/schedule/batches/{made['batch_id']}/undo", {}, uuid.uuid4().hex)
        if self._lessons_on(day) != before:
            raise Failed("the undo of the day off did not bring back every lesson")
        self.show.day_off_undone(made["batch_id"], len(before))

    def _week_of(self, day: date) -> list[Json]:
        number = (day - date.fromisoformat(self.semester["first_monday"])).days // 7 + 1
        events: list[Json] = self.client.call("GET", f"/schedule/week?week={number}")["events"]
        return [one for one in events if one["day_of_week"] == day.isoweekday()]

    def _lessons_on(self, day: date) -> list[int]:
        return sorted(one["id"] for one in self._week_of(day) if one["type"] == "course")

    def _busy_day(self) -> date:
        """The first day after today that has lessons and study."""
        week, weekday = self._today()
        for number in range(max(0, 7 * (week - 1) + weekday), 7 * self.semester["weeks"]):
            day = date.fromisoformat(self.semester["first_monday"]) + timedelta(days=number)
            events = self._week_of(day)
            studied = any(one["type"] == "task" or one["embedded_task_info"] for one in events)
            if studied and any(one["type"] == "course" for one in events):
                return day
        raise Failed("no day has lessons and study")

    def read_feed(self) -> None:
        """What a calendar program does: it reads the secret address, and again with the tag it got."""
        self.show.step("feed", "日历订阅", "the calendar feed")
        address = self.client.call("POST", "/schedule/feed")["address"]
        first = httpx.get(address)
        again = httpx.get(address, headers={"If-None-Match": first.headers["ETag"]})
        events = first.text.count("BEGIN:VEVENT")
        if (first.status_code, again.status_code) != (200, 304) or not events:
            raise Failed(f"the feed answered {first.status_code}, then {again.status_code}")
        self.show.feed(address, events, first.text)

    def undo(self, batch: int) -> None:
        """Takes the last apply back; what it had placed is a suggestion of the draft again."""
        self.show.step("undo", "撤销：草稿回来了", "undo: the draft comes back")
        self.client.call("POST", f"/schedule/batches/{batch}/undo", {}, uuid.uuid4().hex)
        found = self.client.call("GET", f"/agent/draft-diff?conversation_id={self.conversation}")
        if not found["changed"]:
            raise Failed("the draft did not come back after the undo")
        self.show.difference(found)
