"""Files of courses and how they come into the page."""

from __future__ import annotations

import base64
import json
from typing import Any

from tests.kits.page.planner import Planner

DROP = """([selector, name, type, content]) => {
  const data = new DataTransfer();
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  data.items.add(new File([bytes], name, { type }));
  const given = { bubbles: true, cancelable: true };
  const event = selector === "paste"
    ? new ClipboardEvent("paste", { ...given, clipboardData: data })
    : new DragEvent("drop", { ...given, dataTransfer: data });
  document.querySelector("main").dispatchEvent(event);
}"""

COPY = "() => { getSelection().selectAllChildren(document.body); document.execCommand('copy'); }"


def course(name: str, **arrangement: Any) -> dict[str, Any]:
    place = {
        "start_week": 1,
        "end_week": 4,
        "day_of_week": 6,
        "start_section": 11,
        "end_section": 12,
        "week_type": "all",
    }
    return {
        "course_name": name,
        "location": "教学楼A",
        "is_allow_tasks": False,
        "arrangements": [{**place, **arrangement}],
    }


def document(*courses: dict[str, Any]) -> bytes:
    return json.dumps({"courses": list(courses)}).encode()


def choose(planner: Planner, name: str, content: bytes) -> None:
    planner.open("/courses/import")
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    with planner.page.expect_navigation():
        planner.page.locator("[type=file]").set_input_files(file)


def drop(planner: Planner, how: str, name: str, kind: str, content: bytes) -> None:
    planner.open("/courses/import")
    with planner.page.expect_navigation():
        planner.page.evaluate(DROP, [how, name, kind, base64.b64encode(content).decode()])


def copy_page(planner: Planner, markup: str) -> None:
    """Copies all of a page, as a student does in the page of the school system."""
    other = planner.page.context.new_page()
    other.set_content(markup)
    other.evaluate(COPY)
    other.close()


def paste_copied(planner: Planner) -> None:
    field = planner.page.get_by_label("或者粘贴课表")
    field.click()
    field.press("ControlOrMeta+A")
    field.press("ControlOrMeta+V")
