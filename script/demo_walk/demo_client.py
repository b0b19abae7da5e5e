"""A client of SmartMate's public HTTP API that does the whole job once and shows each step (see script/demo)."""

from __future__ import annotations

import argparse
import os
import sys
import uuid
from typing import Any

import httpx
from demo_http import Client, Failed
from demo_life import Life
from demo_places import FreePlaces
from demo_show import Show
from rich.console import Console

Json = dict[str, Any]
TURNS_MAX = 12


class Demo:
    """The steps in order; each raises `Failed` when the answer is not what it must be."""

    def __init__(self, client: Client, show: Show) -> None:
        self.client, self.show = client, show
        self.conversation = ""
        self.costs: list[Json] = []

    def run(self) -> None:
        self.show.step("term", "学期、课程与任务类", "the term, its courses and task classes")
        semester = self.client.call("GET", "/schedule/semester")
        classes = [self.client.call("GET", f"/task-class/{one['id']}") for one in self._classes()]
        self.show.classes(semester, classes)
        self.converse(classes)
        self.move_by_words(semester, classes)
        self.optimise()
        self.move_by_hand(semester, classes)
        self.apply()
        self.weeks(semester)
        self.show.costs(self.costs)
        Life(self.client, self.show, semester, self.conversation).run()

    def _classes(self) -> list[Json]:
        page = self.client.call("GET", "/task-class?page=1&page_size=100")
        found = [one for one in page["list"] if one["mode"] == "auto"]
        if not found:
            raise Failed("no task class to plan")
        return sorted(found, key=lambda one: one["id"])

    def converse(self, classes: list[Json]) -> None:
        self.show.step("chat", "对话：实时时间线", "a conversation, live")
        message = self.show.words("帮我把这些任务类排进课表", "Plan my task classes, please")
        self.talk(message, {"task_class_ids": [one["id"] for one in classes]})
        self.show.preview(self.preview())

    def talk(self, message: str, extra: Json) -> None:
        """One goal: send, print what comes, answer whatever is asked, until nothing is open."""
        self.show.said(message)
        body: Json = {"conversation_id": self.conversation, "message": message, "thinking": "auto", "extra": extra}
        for _ in range(TURNS_MAX):
            question = self.listen(body)
            if question is None:
                return
            resume, words = self.answer_to(question)
            self.show.answered(resume, words)
            body = {"conversation_id": self.conversation, "message": words, "extra": {"resume": resume}}
        raise Failed("the conversation did not come to an end")

    def listen(self, body: Json) -> Json | None:
        """Prints one run; answers the question it paused with, or None."""
        question, finish = None, None
        for chunk in self.client.stream(body):
            self.conversation = chunk["conversation"]
            if "error" in chunk:
                raise Failed(f"the run failed: {chunk['error']['code']} {chunk['error']['message']}")
            self.show.chunk(chunk)
            extra = chunk["extra"]
            question = extra.get("confirm") or extra.get("interrupt") or question
            finish = extra.get("finish") or finish
            self._note_cost(extra)
        if finish is None or finish["run_status"] not in ("succeeded", "waiting"):
            raise Failed(f"the run did not succeed: {finish}")
        return question if finish["run_status"] == "waiting" else None

    def _note_cost(self, extra: Json) -> None:
        tool = extra.get("tool") or {}
        if extra["kind"] == "tool_result" and tool.get("name") == "analyze_health" and tool.get("success"):
            payload = tool["result_view"]["expanded"]["machine_payload"]
            if "metrics" in payload:
                self.costs.append(payload["metrics"]["cost"])

    def answer_to(self, question: Json) -> tuple[Json, str]:
        """The `resume` of a request and its message: yes to what is proposed, the widest option, else free words."""
        known = {"interaction_id": question["interaction_id"]}
        if "subject" in question:
            return {**known, "type": "confirm", "action": "approve"}, ""
        if question["type"] == "connection_recover":
            return {**known, "type": "connection_recover", "action": "resume"}, ""
        options = [one["id"] for one in question["options"]]
        reply = {**known, "type": "ask_user", "action": "reply"}
        if not options:
            return reply, self.show.words("按你认为最好的方式来", "Do what you think is best")
        return {**reply, "option": "all" if "all" in options else options[0]}, ""

    def preview(self) -> Json:
        preview: Json = self.client.call("GET", f"/agent/schedule-preview?conversation_id={self.conversation}")
        if not any(entry["status"] == "suggested" for entry in preview["hybrid_entries"]):
            raise Failed("the draft holds no suggestion")
        return preview

    def move_by_words(self, semester: Json, classes: list[Json]) -> None:
        """A local change said in words: the agent asks for consent before it moves anything."""
        self.show.step("confirm", "换一个位置：先确认再改", "a change in words: consent first")
        preview = self.preview()
        for entry, place in FreePlaces(semester, classes, preview).moves():
            message = self.show.words(
                f"把「{entry['name']}」移到第{place['week']}周周{'一二三四五六日'[place['day_of_week'] - 1]}"
                f"{place['section_from']}-{place['section_to']}节",
                f'Move "{entry["name"]}" to week {place["week"]} '
                f"{['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][place['day_of_week'] - 1]} "
                f"{place['section_from']}-{place['section_to']}",
            )
            self.talk(message, {})
            return
        raise Failed("no suggestion can be moved")

    def optimise(self) -> None:
        """The backend diagnoses, offers improving candidates and takes them one by one; the cost falls."""
        self.show.step("optimise", "整体优化：体检、候选、复诊", "optimise: diagnosis, candidates, check again")
        self.costs.clear()
        self.talk(self.show.words("整体优化一下", "Optimise the whole plan"), {})
        if not self.costs or self.costs[-1]["total"] > self.costs[0]["total"]:
            raise Failed("optimising did not lower the cost")

    def move_by_hand(self, semester: Json, classes: list[Json]) -> None:
        """What dragging in the page does: one item at another legal place, saved into the draft."""
        self.show.step("save", "拖动一项并暂存草稿", "drag one item and save the draft")
        preview = self.preview()
        for entry, place in FreePlaces(semester, classes, preview).moves(skip=1):
            item = {
                "task_item_id": entry["task_item_id"],
                "week": place["week"],
                "day_of_week": place["day_of_week"],
                "start_section": place["section_from"],
                "end_section": place["section_to"],
            }
            body = {"conversation_id": self.conversation, "revision": preview["revision"], "items": [item]}
            response = self.client.send("POST", "/agent/schedule-state", body)
            self.client.data_of(response)
            self.show.moved(entry, place, response.headers["X-Draft-Revision"])
            return
        raise Failed("no suggestion can be moved")

    def apply(self) -> None:
        self.show.step("apply", "写入课表（幂等键）", "apply with an Idempotency-Key")
        key, preview = uuid.uuid4().hex, self.preview()
        body = {"conversation_id": self.conversation, "revision": preview["revision"]}
        first = self.client.send("POST", "/agent/schedule-apply", body, key)
        done = self.client.data_of(first)
        again = self.client.send("POST", "/agent/schedule-apply", body, key)
        rows = self.client.call("GET", "/schedule/batches?page=1")["list"]
        batches = sum(row["source"] == "schedule-apply" for row in rows)
        if again.content != first.content or again.headers.get("Idempotent-Replayed") != "true" or batches != 1:
            raise Failed("the second call with the same key was not a replay")
        self.show.applied(done, key, batches)

    def weeks(self, semester: Json) -> None:
        self.show.step("weeks", "写入后的课表", "the weeks as they are now")
        shown = 0
        for week in range(1, semester["weeks"] + 1):
            events = self.client.call("GET", f"/schedule/week?week={week}")
            if any(one["type"] == "task" or one["embedded_task_info"] for one in events["events"]):
                self.show.week(semester, events)
                shown += 1
        if not shown:
            raise Failed("the timetable holds no task after applying")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True)
    parser.add_argument("--username", required=True)
    parser.add_argument("--lang", choices=("zh", "en"), default="zh")
    options = parser.parse_args()
    # A file or a pipe has no width of its own; the week tables need room.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 132)
    client, show = Client(options.base, options.lang), Show(console, options.lang)
    try:
        client.wait_until_up()
        client.log_in(options.username, os.environ["DEMO_PASSWORD"])
        Demo(client, show).run()
    except (Failed, httpx.HTTPError) as error:
        console.print(f"[bold red]{show.words('失败', 'failed')}:[/] {error}", markup=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
