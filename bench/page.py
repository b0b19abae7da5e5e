"""What the page costs a student: bytes, requests, time to paint and to use, drawing, picking up, a streaming run.

    python -m bench.page [--times 3]

A seeded term on a server of its own, Debian's Chromium, each figure beside its limit. Nothing is asserted here.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smartmate.settings")

from playwright.sync_api import Browser, sync_playwright

from tests.e2e.conftest import CHROMIUM, FLAGS
from tests.kits.page.planner import Planner
from tests.kits.servers.server import Server

SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}  # 400 kbit/s
SLOW_CPU = 4
SETTLED_MS = 500
ITEMS, CLASSES = 35, 3
OTHERS = (
    "/today",
    "/tasks",
    "/tasks/new",
    "/courses",
    "/courses/new",
    "/courses/days",
    "/courses/import",
    "/settings",
    "/settings/wishes",
    "/account/email/",
    "/account/sessions/",
)
WATCH = """
window.longest = 0;
new PerformanceObserver(list => {
  for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
}).observe({ type: "longtask", buffered: true });
new MutationObserver((changes, watcher) => {
  if (!document.documentElement?.dataset.ready) return;
  window.usableAt = performance.now();
  watcher.disconnect();
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
"""
DRAW = """async () => {
  const { WeekGrid } = await import("/static/agent/week/grid/grid.js");
  const { TaskLook } = await import("/static/agent/week/task-look.js");
  const semester = (await (await fetch("/api/v1/schedule/semester")).json()).data;
  const root = document.createElement("div");
  root.className = "week-grid";
  document.getElementById("grid-scroller").append(root);
  const grid = new WeekGrid(root);
  const blocks = name => Array.from({ length: 60 }, (_, index) => ({
    type: index % 2 ? "task" : "course", status: index % 4 === 1 ? "suggested" : "existing", week: 1,
    day_of_week: index % 7 + 1, section_from: Math.floor(index / 7) + 1, section_to: Math.floor(index / 7) + 1,
    name: `${name} ${index}`, location: "A 101", event_id: index + 1, task_item_id: index + 1, task_class_id: 0,
    color_index: index % 12,
  }));
  const days = [1, 2, 3, 4, 5, 6, 7];
  const weeks = [blocks("Block"), blocks("Other")]; // what was drawn before would be left as it is
  const shown = { semester, week: 1, days, look: new TaskLook([]), keptFree: [], outside: () => false };
  const times = [];
  for (let turn = 0; turn < 25; turn += 1) {
    const begun = performance.now();
    grid.render({ ...shown, entries: weeks[turn % 2] });
    root.offsetHeight;
    times.push(performance.now() - begun);
    await new Promise(requestAnimationFrame);
  }
  root.remove();
  return times.sort((a, b) => a - b)[12];
}"""
PICK_UP = """() => {
  const block = document.querySelector(".entry.suggested");
  block.focus();
  const begun = performance.now();
  block.dispatchEvent(new KeyboardEvent("keydown", { key: "m", bubbles: true, cancelable: true }));
  document.body.offsetHeight;
  return performance.now() - begun;
}"""


@dataclass
class Load:
    """One opening of the week."""

    requests: int
    kilobytes: float
    paint_ms: float
    usable_ms: float


class Bench:
    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server
        self.rows: list[tuple[str, str, str, bool]] = []

    def told(self, what: str, figure: float, unit: str, limit: float | None) -> None:
        fits = limit is None or figure <= limit
        shown = f"{figure:.0f} {unit}" if figure >= 10 else f"{figure:.1f} {unit}"
        self.rows.append((what, shown, "" if limit is None else f"{limit:g} {unit}", fits))

    def open(self, planner: Planner, *, cold: bool, slow: bool, path: str = "/week") -> Load:
        page = planner.page
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        if cold:
            line.send("Network.clearBrowserCache")
        if slow:
            line.send("Network.emulateNetworkConditions", SLOW)
            line.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
        asked: set[str] = set()
        bytes_of: dict[str, float] = {}
        line.on("Network.requestWillBeSent", lambda event: asked.add(event["requestId"]))
        line.on("Network.requestServedFromCache", lambda event: asked.discard(event["requestId"]))
        line.on(
            "Network.loadingFinished",
            lambda event: bytes_of.__setitem__(event["requestId"], event["encodedDataLength"]),
        )
        page.goto(planner.base_url + path)
        if path == "/week":
            page.wait_for_selector("html[data-ready]", timeout=60_000)
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
        usable = page.evaluate("window.usableAt ?? 0")
        page.wait_for_timeout(300)
        found = Load(len([one for one in asked if bytes_of.get(one)]), sum(bytes_of.values()) / 1000, paint, usable)
        line.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        line.detach()
        return found

    def planner(self, name: str) -> Planner:
        options: Any = {"locale": "zh-CN", "viewport": {"width": 1360, "height": 900}}
        context = self.browser.new_context(**options, service_workers="block")  # its own requests are not the page's
        context.add_init_script(WATCH)
        planner = Planner(context.new_page(), self.server.base_url)
        planner.log_in(name, self.server.account(name))
        planner.ready()
        return planner

    def loads(self, times: int) -> None:
        planner = self.planner("bench-loads")
        for slow, limits in ((False, (None, None)), (True, (2000, 5000))):
            for cold in (True, False):
                seen = [self.open(planner, cold=cold, slow=slow) for _ in range(times)]
                name = f"{'cold' if cold else 'warm'}{', 400 kbit/s, 400 ms, CPU x4' if slow else ''}"
                if not slow:
                    self.told(f"requests, {name}", median([one.requests for one in seen]), "", 12)
                    self.told(f"bytes, {name}", median([one.kilobytes for one in seen]), "kB", 120)
                self.told(f"first paint, {name}", median([one.paint_ms for one in seen]), "ms", limits[0])
                self.told(f"usable, {name}", median([one.usable_ms for one in seen]), "ms", limits[1])
        others = {path: self.open(planner, cold=True, slow=False, path=path) for path in OTHERS}
        most = max(others, key=lambda path: others[path].requests)
        self.told(f"most requests of another screen, cold: {most}", others[most].requests, "", 12)
        most = max(others, key=lambda path: others[path].kilobytes)
        self.told(f"most bytes of another screen, cold: {most}", others[most].kilobytes, "kB", 120)
        planner.page.context.close()

    def hands(self, times: int) -> None:
        planner = self.planner("bench-hands")
        page = planner.page
        # The best of some medians: what else the machine does meanwhile is not the page's.
        self.told("60 blocks drawn", min(page.evaluate(DRAW) for _ in range(times)), "ms", 20)
        self.make_items(planner)
        planner.open("/chat")
        for box in page.locator("#class-list input").all():
            box.check()
        page.evaluate("window.longest = 0")
        planner.say("帮我把选中的任务排好")
        page.wait_for_selector(".entry.suggested")
        page.wait_for_timeout(SETTLED_MS)  # the observer is told of a task after it
        self.told("longest task while a run streams", page.evaluate("window.longest"), "ms", 100)
        line = page.context.new_cdp_session(page)
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
        held = []
        for _ in range(times):
            held.append(page.evaluate(PICK_UP))
            page.wait_for_selector(".holding .cell.legal, .holding .week-tab.legal", state="attached")
            page.keyboard.press("Escape")
            page.wait_for_timeout(200)
        self.told(f"pick-up of one of {ITEMS * CLASSES}, CPU x4, first", held[0], "ms", 50)
        self.told(f"pick-up of one of {ITEMS * CLASSES}, CPU x4, median", median(held), "ms", 50)
        page.context.close()

    def make_items(self, planner: Planner) -> None:
        """Classes of the bench only: the seeded ones go."""
        for one in planner.api("/task-class?page_size=100")["list"]:
            planner.ask("DELETE", f"/task-class/{one['id']}", None)
        today = date.fromisoformat(planner.api("/schedule/today")["date"])
        for number in range(CLASSES):
            body = {
                "name": f"Class {number}",
                "mode": "auto",
                "start_date": (today + timedelta(days=1)).isoformat(),
                "end_date": (today + timedelta(days=60)).isoformat(),
                "items": [{"order": n, "content": f"Step {n}", "duration": 1} for n in range(1, ITEMS + 1)],
            }
            planner.send("POST", "/task-class", body)


def median(values: list[Any]) -> float:
    return float(statistics.median(values))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-page-") as folder, sync_playwright() as playwright:
        server = Server(Path(folder), AGENT_BACKEND="offline", cold=True).start()
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            bench = Bench(browser, server)
            bench.loads(options.times)
            bench.hands(options.times)
            browser.close()
        finally:
            server.stop()
    for what, figure, limit, fits in bench.rows:
        sys.stdout.write(f"{what:52} {figure:>10}  {'limit ' + limit if limit else '':16} {'' if fits else 'MISSED'}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
