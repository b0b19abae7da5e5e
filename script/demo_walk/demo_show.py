"""How the demo prints: the live timeline line by line, cards as panels, weeks and costs as tables."""

from __future__ import annotations

from datetime import date
from typing import Any

from rich.console import Console, Group
from rich.markup import escape
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

Json = dict[str, Any]
WEEKDAYS = {
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}
MARKS = {"done": "[green]✓[/]", "failed": "[red]✗[/]", "blocked": "[yellow]–[/]"}
LINES_MAX = 6


class Show:
    def __init__(self, console: Console, locale: str) -> None:
        self.console, self.locale = console, locale
        self.steps = 0
        self.open_text = False

    def words(self, zh: str, en: str) -> str:
        return en if self.locale == "en" else zh

    def step(self, name: str, zh: str, en: str) -> None:
        self.steps += 1
        self.console.print()
        self.console.print(Rule(f"[bold]{self.steps}. {self.words(zh, en)}[/]", align="left"))

    def line(self, text: str, style: str = "") -> None:
        if self.open_text:
            self.console.print()
            self.open_text = False
        self.console.print(text, style=style)

    def _table(self, zh: str, en: str) -> Table:
        """A plain table whose columns are the words of the text."""
        return Table(*self.words(zh, en).split(), show_edge=False, pad_edge=False)

    # --- the term ----------------------------------------------------------------------------------------------------

    def classes(self, semester: Json, classes: list[Json]) -> None:
        self.line(f"{semester['name']} · {semester['first_monday']} · {semester['weeks']} {self.words('周', 'weeks')}")
        table = self._table("任务类 日期 项 节 策略", "Class Dates Items Sections Strategy")
        for one in classes:
            sections = sum(item["sections"] for item in one["items"])
            dates = f"{one['start_date']} – {one['end_date']}"
            table.add_row(escape(one["name"]), dates, str(len(one["items"])), str(sections), one["strategy"])
        self.console.print(table)

    # --- the timeline ------------------------------------------------------------------------------------------------

    def said(self, message: str) -> None:
        self.line(f"[bold cyan]> {escape(message)}[/]")

    def answered(self, resume: Json, words: str) -> None:
        said = " ".join(part for part in (resume["action"], resume.get("option"), words) if part)
        self.line(f"[bold cyan]> {escape(said)}[/]")

    def chunk(self, chunk: Json) -> None:
        extra = chunk["extra"]
        delta = (chunk["choices"] or [{"delta": {}}])[0]["delta"]
        painter = getattr(self, f"on_{extra['kind']}", None)
        if painter:
            painter(extra, delta)

    def on_status(self, extra: Json, delta: Json) -> None:
        self.line(f"· {extra['status']['summary']}", "dim")

    def on_thinking_start(self, extra: Json, delta: Json) -> None:
        self.line(self.words("思考：", "thinking:"), "italic dim")

    def on_reasoning_text(self, extra: Json, delta: Json) -> None:
        self._piece(delta.get("reasoning_content", ""), "italic dim")

    def on_assistant_text(self, extra: Json, delta: Json) -> None:
        self._piece(delta.get("content", ""), "")

    def _piece(self, text: str, style: str) -> None:
        self.open_text = True
        self.console.print(Text(text, style=style), end="")

    def on_text_end(self, extra: Json, delta: Json) -> None:
        if self.open_text:
            self.console.print()
            self.open_text = False

    on_thinking_end = on_text_end

    def on_tool_call(self, extra: Json, delta: Json) -> None:
        tool = extra["tool"]
        self.line(f"[blue]→[/] {escape(tool['summary'])}  [dim]{escape(tool['arguments_preview'])}[/]")

    def on_tool_result(self, extra: Json, delta: Json) -> None:
        tool = extra["tool"]
        view = tool["result_view"]
        head = view["collapsed"]
        metrics = "  ".join(f"{one['label']} {one['value']}" for one in head["metrics"])
        parts = [Text(head["subtitle"])] if head["subtitle"] else []
        if metrics:
            parts.append(Text(metrics, style="cyan"))
        for section in view["expanded"]["sections"]:
            parts.append(Text(self._section(section), style="dim"))
        mark = MARKS.get(tool["status"], "")
        self.line("")
        self.console.print(Panel(Group(*parts), title=f"{mark} {escape(head['title'])}", title_align="left"))

    def _section(self, section: Json) -> str:
        lines = [section["title"]]
        for row in section.get("items", [])[:LINES_MAX]:
            lines.append("  " + "  ".join(part for part in (row["title"], row["subtitle"]) if part))
        if len(section.get("items", [])) > LINES_MAX:
            lines.append(f"  … +{len(section['items']) - LINES_MAX}")
        if section.get("fields"):
            lines.append("  " + "  ".join(f"{row['label']}: {row['value']}" for row in section["fields"]))
        lines += [f"  {line}" for line in [section.get("subtitle", ""), *section.get("detail_lines", [])] if line]
        return "\n".join(lines)

    def on_confirm_request(self, extra: Json, delta: Json) -> None:
        confirm = extra["confirm"]
        self.line("")
        self.console.print(
            Panel(Text(confirm["summary"]), title=f"? {escape(confirm['title'])}", title_align="left", style="yellow")
        )

    def on_interrupt(self, extra: Json, delta: Json) -> None:
        asked = extra["interrupt"]
        options = "  ".join(f"({one['id']}) {one['label']}" for one in asked["options"])
        self.line("")
        self.console.print(
            Panel(Text(f"{asked['question']}\n{options}"), title="?", title_align="left", style="yellow")
        )

    def on_schedule_completed(self, extra: Json, delta: Json) -> None:
        self.line(self.words("✓ 草稿已排好", "✓ the draft is ready"), "green")

    def on_system_message(self, extra: Json, delta: Json) -> None:
        self.line(extra["system"]["content"], "yellow")

    # --- draft and timetable -----------------------------------------------------------------------------------------

    def place(self, place: Json) -> str:
        day = WEEKDAYS[self.locale][place["day_of_week"] - 1]
        sections = f"{place['section_from']}-{place['section_to']}"
        return self.words(f"第{place['week']}周 {day} {sections}节", f"wk {place['week']} {day} {sections}")

    def preview(self, preview: Json) -> None:
        self.line("")
        self.line(f"[bold]{escape(preview['summary'])}[/]  revision {preview['revision']}")
        table = self._table("任务 位置 嵌入", "Task Place Inside")
        hosts = {e["event_id"]: e["name"] for e in preview["hybrid_entries"] if e["type"] == "course"}
        for entry in preview["hybrid_entries"]:
            if entry["status"] == "suggested":
                table.add_row(escape(entry["name"]), self.place(entry), escape(hosts.get(entry["event_id"], "")))
        self.console.print(table)

    def moved(self, entry: Json, place: Json, revision: str) -> None:
        self.line(f"{escape(entry['name'])}: {self.place(entry)} → {self.place(place)}   X-Draft-Revision: {revision}")

    def applied(self, done: Json, key: str, batches: int) -> None:
        counts = ", ".join(f"{name} {len(done[name])}" for name in ("applied", "moved", "removed"))
        self.line(f"batch {done['batch_id']}: {counts}   Idempotency-Key: {key}")
        self.line(
            self.words(
                f"同一个键再发一次：同样的字节，Idempotent-Replayed: true，仍是 {batches} 个批次",
                f"the same key again: the same bytes, Idempotent-Replayed: true, still {batches} batch",
            ),
            "green",
        )

    def week(self, semester: Json, week: Json) -> None:
        title = self.words(f"第 {week['week']} 周", f"Week {week['week']}") + f"  {week['first_date']}"
        table = Table(title=title, title_justify="left", show_lines=True, expand=True)
        table.add_column("", width=5, no_wrap=True)
        for day in WEEKDAYS[self.locale]:
            table.add_column(day, ratio=1, overflow="fold")
        for first in range(1, len(semester["section_times"]) + 1, 2):
            rows = [self._cell(week["events"], day, first) for day in range(1, 8)]
            if any(rows):
                table.add_row(f"{first}-{first + 1}", *rows)
        self.console.print(table)

    def _cell(self, events: list[Json], day: int, first: int) -> str:
        lines = []
        for one in events:
            if one["day_of_week"] == day and one["section_from"] <= first + 1 and one["section_to"] >= first:
                name = escape(one["name"])
                lines.append(f"[green]{name}[/]" if one["type"] == "task" else name)
                if one["embedded_task_info"]:
                    lines.append(f"[green]+ {escape(one['embedded_task_info']['name'])}[/]")
        return "\n".join(lines)

    def costs(self, costs: list[Json]) -> None:
        self.step("cost", "评分：优化前后", "the cost before and after optimisation")
        before, after = costs[0], costs[-1]
        table = self._table("部分 优化前 优化后", "Part Before After")
        for part in before["parts"]:
            table.add_row(part, str(before["parts"][part]), str(after["parts"][part]))
        table.add_row("[bold]total[/]", f"[bold]{before['total']}[/]", f"[bold]{after['total']}[/]")
        self.console.print(table)

    # --- life happens ------------------------------------------------------------------------------------------------

    def done(self, entry: Json) -> None:
        name, at = escape(entry["name"]), self.place(entry)
        self.line(self.words(f"✓ {name} 做完了，{at} 空出来了", f"✓ {name} is done; {at} is free again"), "green")

    def missed(self, entry: Json, place: Json, warnings: list[Json]) -> None:
        at = self.place({**place, "section_from": place["start_section"], "section_to": place["end_section"]})
        name = escape(entry["name"])
        self.line(self.words(f"✗ {name} 本来在 {at}，没做", f"✗ {name} was to be done {at} and was not"), "yellow")
        for row in warnings:
            self.line(f"  ! {escape(row['message'])}", "dim")

    def picked_up(self, sentences: list[str], applied: Json) -> None:
        for sentence in sentences:
            self.line(escape(sentence))
        self.line(f"batch {applied['batch_id']}: moved {len(applied['moved'])}", "green")

    def day_off(self, day: date, effects: Json) -> None:
        self.line(f"{day}  {WEEKDAYS[self.locale][day.weekday()]}")
        for row in effects["lessons"]:
            self.line(f"  {self.words('停课', 'falls out')}: {escape(row['name'])}  {self.place(row['from'])}")
        for row in effects["items"]:
            self.line(f"  {self.words('要重新安排', 'to plan anew')}: {escape(row['name'])}  {self.place(row)}")

    def day_off_undone(self, batch: int, lessons: int) -> None:
        self.line(
            self.words(
                f"批次 {batch} 写入后又撤销：{lessons} 节课都回来了",
                f"batch {batch} written and undone: all {lessons} lessons are back",
            ),
            "green",
        )

    def feed(self, address: str, events: int, text: str) -> None:
        shown = address[:-36] + "…" + address[-8:]
        self.line(f"{shown}  {self.words(f'{events} 个日程', f'{events} events')}; If-None-Match → 304")
        for line in text[text.index("BEGIN:VEVENT") :].splitlines()[:LINES_MAX]:
            self.line(f"  {escape(line)}", "dim")

    def difference(self, found: Json) -> None:
        for row in (*found["new"], *found["moved"]):
            before = self.place(row["before"]) if row["before"] else self.words("未安排", "unplaced")
            self.line(f"{escape(row['name'])}: {before} → {self.place(row['after'])}")
        self.line(self.words("草稿里又是建议，可以再写入", "suggestions again, ready to be applied"), "green")
