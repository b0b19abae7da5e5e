"""An item that stood in the timetable yesterday."""

from __future__ import annotations

from datetime import date, timedelta

from tests.kits.page.planner import Planner

STEP = '昨晚"><img src=x onerror="document.title=\'taken\'">' + "长" * 20 + "W" * 60


def place_yesterday(planner: Planner) -> int:
    """An item of a class of its own that stands in yesterday's last sections; its id."""
    semester = planner.api("/schedule/semester")
    yesterday = planner.today() - timedelta(days=1)
    day = (yesterday - date.fromisoformat(semester["first_monday"])).days
    body = {
        "name": "晚上的任务",
        "start_date": (yesterday - timedelta(days=3)).isoformat(),
        "end_date": (yesterday + timedelta(days=21)).isoformat(),
        "items": [{"order": 1, "content": STEP}, {"order": 2, "content": "后面的一项"}],
    }
    made = planner.send("POST", "/task-class", body)
    item: int = planner.api(f"/task-class/{made['id']}")["items"][0]["id"]
    place = {"task_item_id": item, "week": day // 7 + 1, "day_of_week": day % 7 + 1, "start_section": 11}
    batch = {"task_class_id": made["id"], "items": [{**place, "end_section": 12}]}
    planner.send("PUT", "/task-class/apply-batch-into-schedule", batch)
    return item
