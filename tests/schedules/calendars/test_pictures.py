"""A picture of a timetable: read by a model that sees, through the same trial and write as every other form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from schedules.calendars.files import FORMATS
from schedules.calendars.readers.picture_courses import read_picture
from schedules.calendars.rows import CourseRow
from schedules.models import ScheduleEvent
from smartmate.middleware import access
from smartmate.middleware.rate_limit import Buckets
from tests.kits.provider.openai_server import decision, status, text
from tests.kits.timetable.helpers import Api
from tests.kits.timetable.terms import calendar

PNG = b"\x89PNG\r\n\x1a\n" + b"picture"
ROW = {
    "course_name": "高等数学", "teacher": "张三", "location": "教1-101", "day_of_week": "1", "sections": "1-2",
    "weeks": "1-16单", "text": "高等数学 1-16单 张三", "confidence": 0.95, "warnings": [],
}  # fmt: skip
BLURRED = {**ROW, "course_name": "体育", "day_of_week": 5, "confidence": 0.4, "warnings": ["周次模糊"]}


@pytest.fixture
def sees(settings: Any, openai_server: Any) -> Any:
    settings.AGENT_BACKEND, settings.OPENAI_MODEL = "openai", "gpt-4o-mini"
    settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = openai_server.base_url, "test"
    return openai_server


def ask(api: Api, data: bytes, query: str = "") -> tuple[int, dict[str, Any]]:
    files = {"file": SimpleUploadedFile("term.png", data), "format": "image"}
    headers = {"Idempotency-Key": f"k{query}"}
    answer = api.client.post(f"/api/v1/schedule/imports?{query}", files, headers=headers)
    return answer.status_code, json.loads(answer.content)


def test_a_whole_picture_is_read_once_and_written_as_it_was_shown(api: Api, semester: Any, sees: Any) -> None:
    sees.script([decision({"outcome": "whole", "warnings": [], "rows": [ROW]})])
    dry = ask(api, PNG + b"whole")[1]["data"]
    assert dry["picture"] == {"outcome": "whole", "warnings": []}
    (row,) = dry["rows"]
    assert (row["status"], row["events"], row["confidence"], row["text"]) == ("ok", 8, 0.95, ROW["text"])
    assert row["pattern"] == "1-15周 单周 周一 1-2节"
    written = ask(api, PNG + b"whole", "dry_run=false")[1]["data"]
    assert (written["events"], ScheduleEvent.objects.count()) == (8, 8)
    (request,) = sees.requests
    parts = request["messages"][0]["content"]
    assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,")


def test_a_row_that_is_hard_to_read_asks_to_be_looked_at(api: Api, semester: Any, sees: Any) -> None:
    sees.script([decision({"outcome": "partly", "warnings": ["右下角被挡住"], "rows": [ROW, BLURRED]})])
    data = PNG + b"partly"
    dry = ask(api, data)[1]["data"]
    assert dry["picture"] == {"outcome": "partly", "warnings": ["右下角被挡住"]}
    assert [(row["status"], row["code"], row["confidence"]) for row in dry["rows"]] == [
        ("ok", "", 0.95), ("invalid", "low_confidence", 0.4),
    ]  # fmt: skip
    assert {mend["id"] for mend in dry["mends"]} == {"confirm:2", "leave:2"}
    assert ask(api, data, "dry_run=false")[1]["status"] == "40019"
    taken = ask(api, data, "dry_run=false&mends=confirm:2")[1]["data"]
    assert [row["status"] for row in taken["rows"]] == ["ok", "ok"]
    assert "周次模糊" in taken["rows"][1]["message"]


def test_a_picture_of_something_else_is_no_timetable(api: Api, semester: Any, sees: Any) -> None:
    sees.script([decision({"outcome": "not_a_timetable", "rows": []})])
    status_code, answer = ask(api, PNG + b"cat")
    assert (status_code, answer["data"]["picture"]["outcome"], answer["data"]["rows"]) == (200, "not_a_timetable", [])


def test_an_account_has_so_many_pictures_read_within_an_hour(
    api: Api, other_api: Api, semester: Any, sees: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS = True
    monkeypatch.setattr(access, "buckets", lambda: Buckets())
    nothing = decision({"outcome": "not_a_timetable", "rows": []})
    sees.script([nothing] * 21)
    assert [ask(api, PNG + bytes([number]), f"n={number}")[0] for number in range(20)] == [200] * 20
    assert ask(api, PNG + bytes([0]))[0] == 200, "what was read is read again without the model"
    status_code, answer = ask(api, PNG + b"one too many", "n=20")
    assert (status_code, answer["status"], 3_500 < answer["data"]["retry_after"] <= 3_600) == (429, "40033", True)
    assert ask(other_api, PNG + b"of another")[0] == 200
    assert len(sees.requests) == 21


@pytest.mark.parametrize(("backend", "model"), [("offline", "gpt-4o"), ("openai", "deepseek-chat")])
def test_without_a_model_that_sees_the_forms_that_can_be_read_are_named(
    api: Api, semester: Any, settings: Any, openai_server: Any, backend: str, model: str
) -> None:
    settings.AGENT_BACKEND, settings.OPENAI_MODEL, settings.OPENAI_BASE_URL = backend, model, openai_server.base_url
    status_code, answer = ask(api, PNG)
    assert (status_code, answer["status"], answer["data"]["forms"]) == (422, "40085", list(FORMATS))
    assert openai_server.requests == []


@pytest.mark.parametrize(
    ("script", "code"), [([text("I cannot help")], "50007"), ([status(401)], "50001"), ([status(400)] * 4, "50005")]
)
def test_a_model_that_fails_is_a_coded_refusal(api: Api, semester: Any, sees: Any, script: Any, code: str) -> None:
    sees.script(script)
    assert ask(api, PNG + code.encode())[1]["status"] == code


def test_what_is_no_picture_never_reaches_the_model(api: Api, semester: Any, sees: Any) -> None:
    assert ask(api, b"hello")[1]["data"]["errors"][0]["code"] == "unknown_form"
    assert sees.requests == []


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"rows": {}}, {"rows": [None, 5, {}]}, {"outcome": "whole", "rows": [{**ROW, "confidence": "high"}]},
     {"rows": [{**ROW, "weeks": ["1"], "confidence": float("nan")}]}, {"rows": [{**ROW, "course_name": "x" * 999}]},
     {"rows": [{**ROW, "day_of_week": 10**30}]}, {"warnings": [5, "x" * 9_999], "rows": [{**ROW, "text": 7}]}],
    ids=range(10),
)  # fmt: skip
def test_any_document_of_a_model_is_judged_like_a_file(document: Any) -> None:
    reading = read_picture(document, calendar().grid)
    assert reading.outcome in ("whole", "partly", "not_a_timetable")
    assert all(len(words) <= 200 for words in reading.warnings)
    sure = [row for row in reading.rows if isinstance(row, CourseRow)]
    assert reading.outcome != "whole" or len(sure) == len(reading.rows)
