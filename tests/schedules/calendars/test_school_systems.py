"""Timetables of school systems: the same seven meetings in each of their forms, and forms that are no timetable."""

from __future__ import annotations

import itertools
import json
import re
import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given, settings
from hypothesis import strategies as st

from schedules.calendars.files import FORMATS, rows_of_file, rows_of_named
from schedules.calendars.readers.meeting_text import read_meeting, split_days
from schedules.calendars.readers.number_lists import sections_of, weeks_of
from schedules.calendars.rows import BadRow, CourseRow, NotCourses, Outcome, RowError, RowNote, TooMany
from schedules.models import Course, ScheduleEvent
from tests.kits.timetable.helpers import Api
from tests.kits.timetable.terms import FILES, calendar

TERM = [
    ("高等数学", "张三", "教1-101", 1, 1, 2, tuple(range(1, 17))),
    ("大学英语", "李四", "外语楼305", 2, 3, 4, tuple(range(1, 17, 2))),
    ("大学物理", "王五", "理科楼202", 3, 5, 6, (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16)),
    ("线性代数", "钱七", "教2-203", 4, 1, 2, tuple(range(1, 9))),
    ("概率论", "孙八", "教2-204", 4, 1, 2, tuple(range(9, 17))),
    ("体育", "赵六", "操场", 5, 7, 8, tuple(range(2, 17))),
    ("形势与政策", "周九", "报告厅", 1, 9, 11, (7,)),
]
FORMS = [
    ("zhengfang.json", "json"),
    ("zhengfang.json", "zhengfang"),
    ("zhengfang.json", "paste"),
    ("zhengfang_old.html", "html"),
    ("zhengfang_old.html", "xlsx"),
    ("zhengfang_new.html", "html"),
    ("zhengfang_new.html", "paste"),
    ("zhengfang_print.html", "html"),
    ("wisedu.html", "html"),
    ("qiangzhi.xls", "xlsx"),
    ("qiangzhi.html", "html"),
    ("kingosoft_grid.html", "html"),
    ("kingosoft_list.html", "html"),
    ("kingosoft_columns.html", "paste"),
    ("pasted.tsv", "paste"),
    ("pasted.tsv", "csv"),
]


def told(rows: list[Outcome]) -> list[tuple[Any, ...]]:
    """The understood rows in any sequence, with everything that they say."""
    found = [
        (row.course_name, row.teacher, row.location, row.day_of_week, row.section_from, row.section_to, row.weeks)
        for row in rows
        if isinstance(row, CourseRow)
    ]
    return sorted(found)


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_each_form_gives_the_same_meetings(name: str, form: str) -> None:
    rows = rows_of_file(form, (FILES / name).read_bytes(), calendar())
    assert told(rows) == sorted(TERM)
    assert not [row for row in rows if isinstance(row, RowError)]
    for row in rows:
        assert row.course_name in row.source or isinstance(row, RowNote)
        assert not isinstance(row, RowNote) or row.sentence("zh") == "没有固定的上课时间，已跳过" or row.column


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_a_page_is_read_in_the_encodings_that_pages_have(encoding: str) -> None:
    data = (FILES / "zhengfang_old.html").read_text().encode(encoding)
    assert told(rows_of_file("html", data, calendar())) == sorted(TERM)


def test_a_web_archive_is_read_as_its_page() -> None:
    import base64

    body = base64.encodebytes((FILES / "qiangzhi.html").read_bytes()).decode()
    archive = (
        "From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/related; boundary="--B"\r\n\r\n----B\r\nContent-Type: text/html\r\n'
        f"Content-Transfer-Encoding: base64\r\n\r\n{body}\r\n----B--\r\n"
    )
    assert told(rows_of_file("html", archive.encode(), calendar())) == sorted(TERM)


def test_courses_without_a_fixed_time_are_noted_and_stop_nothing() -> None:
    for name, form in (("zhengfang.json", "json"), ("qiangzhi.html", "html"), ("zhengfang_old.html", "html")):
        (note,) = [
            row for row in rows_of_file(form, (FILES / name).read_bytes(), calendar()) if isinstance(row, RowNote)
        ]
        assert note.code == "no_fixed_time"
        assert "金工实习" in note.source


@pytest.mark.parametrize(
    ("words", "weekday", "weeks", "sections"),
    [
        ("周一第1,2节{第1-16周|单周}", 1, list(range(1, 17, 2)), [(1, 2)]),
        ("(1-2节)1-8周,10-16周(双)", None, [*range(1, 9), 10, 12, 14, 16], [(1, 2)]),
        ("1-16(周)[01-02节]", None, list(range(1, 17)), [(1, 2)]),
        ("[1-16周]星期日[5-6节]", 7, list(range(1, 17)), [(5, 6)]),
        ("一[5-6节]", 1, None, [(5, 6)]),
        ("星期三 第３－４节 １、３，5；7周", 3, [1, 3, 5, 7], [(3, 4)]),
        ("周五第1,2,5,6节{第2周}", 5, [2], [(1, 2), (5, 6)]),
    ],
)
def test_a_time_is_read_however_it_is_printed(words: str, weekday: Any, weeks: Any, sections: Any) -> None:
    said = read_meeting(words)
    assert (said.weekday, said.weeks, said.sections) == (weekday, weeks, sections)


@pytest.mark.parametrize("separator", [",", "，", "、", ";", "；", " ", "|"])
def test_weeks_and_sections_share_their_grammar(separator: str) -> None:
    assert weeks_of(separator.join(("1", "3-4", "６"))) == [1, 3, 4, 6]
    assert sections_of(separator.join(("1", "3-4", "６"))) == [(1, 1), (3, 4), (6, 6)]
    assert weeks_of(separator.join(("第1-4周", "5-8周(双)"))) == [1, 2, 3, 4, 6, 8]


@pytest.mark.parametrize(
    ("words", "sections"),
    [
        ("一二节", [(1, 2)]),
        ("第三四节", [(3, 4)]),
        ("五六七节", [(5, 7)]),
        ("九十节", [(9, 10)]),
        ("十一十二节", [(11, 12)]),
        ("十二节", [(12, 12)]),
        ("一、二、九十节", [(1, 2), (9, 10)]),
        ("第一、二大节", [(1, 4)]),
        ("第1,2大节", [(1, 4)]),
        ("第1节,第2大节", [(1, 1), (3, 4)]),
    ],
)
def test_sections_in_chinese_numbers_side_by_side_are_each_one(words: str, sections: Any) -> None:
    assert sections_of(words) == sections


@given(st.text(alphabet="0123456789-~,、;第节大小一二十[]{}() ", max_size=24))
def test_any_sections_are_runs_or_a_named_refusal(words: str) -> None:
    try:
        runs = sections_of(words)
    except BadRow as refused:
        column, runs = refused.column, []
    assert runs or column in ("sections", "end_section")
    assert all(first <= last for first, last in runs)
    assert all(later[0] > earlier[1] + 1 for earlier, later in itertools.pairwise(runs))


@given(st.text(alphabet="周一第1,2节{-16单双}[]()星期三 、张教A", max_size=40))
@settings(max_examples=200)
def test_any_text_of_a_time_is_read_or_not_without_breaking(words: str) -> None:
    said = read_meeting(words)
    assert said.weekday is None or 1 <= said.weekday <= 7


def grid_page(cell: str, *, head: str = "", attributes: str = "") -> bytes:
    days = "".join(f"<th>星期{day}</th>" for day in "一二三四五")
    cells = f"<td {attributes}>{cell}</td>" + "<td></td>" * 4
    return f"<table>{head}<tr><th></th>{days}</tr><tr><th>第1-2节</th>{cells}</tr></table>".encode()


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("高数<br>1-16周<br>张三<br>A101", ("高数", "张三", "A101")),
        ("高数<br>张三<br>1-16周<br>A101", ("高数", "张三", "A101")),
        ("<p>高数★</p><p>(1-2节)1-16周</p><p>东校区 教3-303</p><p>张三</p>", ("高数", "张三", "东校区 教3-303")),
        ("高数<br>1-16周<br>A101", ("高数", "", "A101")),
        ("高数<br>1-16周<br>张三", ("高数", "张三", "")),
        ("<p>高数</p><p>教师：张三</p><p>周次：1-16周</p><p>地点：A101</p>", ("高数", "张三", "A101")),
        ("[07001]高数◇<br>必修<br>1-16周<br>张三[教授]<br>A101", ("高数", "张三", "A101")),
        ("高数 1-16周", ("高数", "", "")),
        ("高数 1-16周 A101 张三", ("高数", "张三", "A101")),
        ("高数 张三 1-16周 东校区 教3-303", ("高数", "张三", "东校区 教3-303")),
        ("大学物理（上）(1-16周,A101)", ("大学物理（上）", "", "A101")),
        ("高数/张三/(1-2节)1-16周/A101", ("高数", "张三", "A101")),
        ("Data Structures 1-16周@A101", ("Data Structures", "", "A101")),
        ("高数 1-16周<br>张三<br>A101", ("高数", "张三", "A101")),
        ("生产实习(4周)<br>1-16周<br>张三", ("生产实习(4周)", "张三", "")),
        ("Calculus (Weeks 1-16) A101", ("Calculus", "", "A101")),
        ("Calculus Wks 1-8, 9 – 15 & 16", ("Calculus", "", "")),
        ("Calculus<br>weeks: 1-16<br>Dr Smith<br>Room A101", ("Calculus", "Dr Smith", "Room A101")),
    ],
)
def test_lines_of_a_cell_are_told_apart(cell: str, expected: tuple[str, str, str]) -> None:
    (row,) = rows_of_file("html", grid_page(cell), calendar())
    assert isinstance(row, CourseRow)
    assert (row.course_name, row.teacher, row.location) == expected
    assert (row.weeks, row.day_of_week, row.section_from, row.section_to) == (tuple(range(1, 17)), 1, 1, 2)


def test_every_line_of_a_cell_may_be_an_entry() -> None:
    rows = rows_of_file("html", grid_page("高数 1-8周 A101<br>英语 10-16周双周 李四"), calendar())
    assert told(rows) == [
        ("英语", "李四", "", 1, 1, 2, (10, 12, 14, 16)), ("高数", "", "A101", 1, 1, 2, tuple(range(1, 9)))
    ]  # fmt: skip


def test_a_typed_table_with_one_line_in_each_cell_is_read() -> None:
    table = "节次\t周一\t周二\t周三\n1-2\t高等数学 1-16周 教1-101\t\t大学英语(1-8周)\n3-4\t\t体育 2-16周双周\t"
    assert told(rows_of_file("paste", table.encode(), calendar())) == [
        ("体育", "", "", 2, 3, 4, tuple(range(2, 17, 2))), ("大学英语", "", "", 3, 1, 2, tuple(range(1, 9))),
        ("高等数学", "", "教1-101", 1, 1, 2, tuple(range(1, 17))),
    ]  # fmt: skip


def test_the_same_words_in_rows_below_are_one_meeting() -> None:
    days = "".join(f"<td>周{day}</td>" for day in "一二三")
    lines = "".join(f"<tr><td>{n}</td><td>高数<br>1-8周</td><td></td><td></td></tr>" for n in (3, 4))
    page = f"<table><tr><td></td>{days}</tr>{lines}</table>".encode()
    (row,) = rows_of_file("html", page, calendar())
    assert isinstance(row, CourseRow)
    assert (row.section_from, row.section_to) == (3, 4)


@pytest.mark.parametrize(
    ("form", "data", "named"),
    [
        ("html", b"<html><body><p>hello</p></body></html>", "网页"),
        ("html", b"<table><tr><td>a</td><td>b</td></tr></table>", "网页"),
        ("paste", "今天下午有课".encode(), "表格"),
        ("paste", b'{"kb": []}', "JSON"),
        ("html", b"%PDF-1.7 ...", "PDF"),
        ("xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "Excel"),
        ("json", b"\x89PNG\r\n\x1a\nrest", "图片"),
    ],
)
def test_a_form_that_is_not_read_is_named_with_those_that_are(
    api: Api, semester: Any, form: str, data: bytes, named: str
) -> None:
    upload = SimpleUploadedFile("x", data)
    answer = api.client.post("/api/v1/schedule/imports", {"file": upload, "format": form})
    document = json.loads(answer.content)
    (fault,) = document["data"]["errors"]
    assert (answer.status_code, document["status"], fault["code"]) == (400, "40005", "unknown_form")
    assert named in fault["message"]
    assert fault["forms"] == list(FORMATS)


def test_json_of_a_school_system_and_pasted_text_come_as_a_body_too(api: Api, user: Any, semester: Any) -> None:
    document = json.loads((FILES / "zhengfang.json").read_text())
    dry = api("POST", "schedule/imports", document)[1]["data"]
    assert [row["course_name"] for row in dry["rows"]][:2] == ["高等数学", "大学英语"]
    assert dry["rows"][1]["pattern"] == "1-15周 单周 周二 3-4节"
    assert '"zcd": "1-16周(单)"' in dry["rows"][1]["text"]
    pasted = {"format": "paste", "text": (FILES / "pasted.tsv").read_text()}
    written = api("POST", "schedule/imports?dry_run=false", pasted, Idempotency_Key="p")[1]["data"]
    assert written["events"] == dry["events"] == ScheduleEvent.objects.filter(user=user).count()
    assert Course.objects.get(user=user, name="大学物理").teacher == "王五"
    again = api("POST", "schedule/imports", document)[1]["data"]
    assert (again["events"], again["duplicates"]) == (0, written["events"])


def test_the_name_of_a_file_tells_its_format(api: Api, semester: Any) -> None:
    for name, form in (("a.html", "zhengfang_old.html"), ("b.htm", "qiangzhi.html"), ("c.txt", "pasted.tsv")):
        upload = SimpleUploadedFile(name, (FILES / form).read_bytes())
        answer = api.client.post("/api/v1/schedule/imports", {"file": upload})
        assert len(json.loads(answer.content)["data"]["rows"]) >= 7, name


SPANS = "rowspan=999999999999999999 colspan=999999999"
HOSTILE = {
    "endless spans": grid_page("高数<br>1-2周", attributes=SPANS),
    "many spans": b"<table>" + f"<tr>{f'<td {SPANS}>x</td>' * 200}</tr>".encode() * 200 + b"</table>",
    "deep tables": b"<table><tr><td>" * 30_000,
    "deep elements": grid_page("<b>" * 50_000 + "x"),
    "many tables": b"<table><tr><td>x</td></tr></table>" * 20_000,
    "many lines": grid_page("1-2[1-2]<br>" * 60_000),
    "many cells": b"<table><tr><td>" + b"</td><td>".join([b"1-2[1-2]"] * 90_000),
    "one long word": grid_page("9" * 2_000_000),
    "one line": grid_page("高数 " + "1-2周," * 60_000),
    "short lines": grid_page(("高数 " + "1-2、" * 45 + "<br>") * 3_000),
    "dashes": grid_page("1-" * 800_000),
    "unclosed": b"<table" * 100_000,
    "entities": grid_page("&#49;" * 300_000),
    "nul": grid_page("\x00高数\x00<br>1-2周"),
    "hanzi": grid_page("第一" * 500_000),
    "open brackets": grid_page("</td></tr><tr><td></td><td>".join([("(" + "1周" * 98 + "<br>") * 300] * 20)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_costs_little_and_breaks_nothing(name: str) -> None:
    begun = time.process_time()
    try:
        rows = rows_of_file("html", HOSTILE[name], calendar())
        assert all(isinstance(row, CourseRow | RowError | RowNote) for row in rows)
    except (NotCourses, TooMany):
        pass
    assert time.process_time() - begun < 10


@given(st.binary(max_size=300))
def test_any_bytes_are_rows_or_a_named_refusal(data: bytes) -> None:
    for form in ("html", "paste", "zhengfang"):
        try:
            rows_of_file(form, data, calendar())
        except (NotCourses, TooMany):
            continue


HOSTILE_MEETINGS = [
    None, 5, [], {}, {"kcmc": 5}, {"kcmc": "x", "xqj": True, "jcs": "1-2", "zcd": "1周"},
    {"kcmc": "x", "xqj": 10**40, "jcs": "1-2", "zcd": "1周"}, {"kcmc": "x", "xqj": "1", "jcs": {}, "zcd": []},
    {"kcmc": "x", "xqj": "1", "jcs": "0-99999999999", "zcd": "1周"}, {"kcmc": "\ud800", "xqj": "1"},
]  # fmt: skip


def test_hostile_meetings_are_invalid_rows() -> None:
    data = json.dumps({"kbList": HOSTILE_MEETINGS, "sjkList": [None, 7, {"kcmc": []}, {"kcmc": "\ud800"}]}).encode()
    rows = rows_of_file("zhengfang", data, calendar())
    assert [type(row) for row in rows] == [RowError] * len(HOSTILE_MEETINGS) + [RowNote] * 4
    assert not any(re.search("Traceback|[\ud800-\udfff]", row.course_name + row.source) for row in rows)


@pytest.mark.parametrize(
    "table",
    [
        "序号,课程,任课教师,上课时间,上课地点\n1,[01]毕业设计,张三,,\n2,体育,李四,周五7-8节 1-16周,操场",
        "课程,上课时间\n毕业设计,10周\n体育,周五7-8节 1-16周",
        "课程,教师,周次,星期,节次\n毕业设计,张三,,,\n体育,李四,1-16,五,7-8",
    ],
)
def test_a_course_of_a_list_that_has_no_time_is_noted_by_its_name(table: str) -> None:
    for form in ("csv", "html"):
        lines = "".join(f"<tr><td>{line.replace(',', '</td><td>')}</td></tr>" for line in table.split("\n"))
        note, row = rows_of_file(form, (table if form == "csv" else f"<table>{lines}</table>").encode(), calendar())
        assert isinstance(note, RowNote)
        assert (note.row, note.code, note.course_name) == (1, "no_fixed_time", "毕业设计")
        assert isinstance(row, CourseRow)
        assert (row.course_name, row.day_of_week, row.section_from, row.section_to) == ("体育", 5, 7, 8)


@pytest.mark.parametrize("aside", ["午休", "备注：毕业设计", "打印时间:2026-09-01", "★: 理论", "12:00-14:00 午休"])
def test_a_line_beside_the_lessons_of_a_pasted_week_breaks_no_cell(aside: str) -> None:
    text = f"节次\t周一\t周二\t周三\n1-2\t英语 1-16周\t\t\n{aside}\n3-4\t物理 1-8周\t\t\n"
    rows = rows_of_file("paste", text.encode(), calendar())
    assert [row.course_name for row in rows if isinstance(row, CourseRow)] == ["英语", "物理"]


@pytest.mark.parametrize(
    "text",
    [
        "节次\t周一\t周二\t周三\n1\t\n高数★\n\n(1-2节)1-16周\n\n教1-101\n\t\t\n2\t\t\t\n",
        "时间\t周一\t周二\t周三\n上午\t1\t高数 1-8周\t\t\n2\t\t\t\n",
        "节次\t周一\t周二\t周三\n1\t高数 1-8周\t英语 1-8周\t\n2\t体育 1-8周\t\n",
        "\xa0\t周一\t周二\t周三\n第一大节\xa0\t\n高数\n1-16(周)[01-02节]\n\xa0\n\xa0\n",
    ],
)
def test_a_copied_text_whose_cells_came_apart_is_refused_and_not_guessed(text: str) -> None:
    with pytest.raises(NotCourses) as refused:
        list(rows_of_file("paste", text.encode(), calendar()))
    assert "格子断开了" in refused.value.message


@pytest.mark.parametrize("form", ["paste", "csv"])
def test_a_week_without_a_course_is_told(form: str) -> None:
    with pytest.raises(NotCourses) as refused:
        list(rows_of_file(form, "节次\t周一\t周二\t周三\n1\t\t\t".encode(), calendar()))
    assert refused.value.message == "课表里没有课"


@pytest.mark.parametrize("shown", ["kbcontent", "kbcontent1"])
def test_the_form_of_an_entry_that_a_page_shows_is_enough(shown: str) -> None:
    (row,) = rows_of_file(
        "html", grid_page(f'<div class="{shown}">高数<br>1-16(周)[01-02节]<br>A101</div>'), calendar()
    )
    assert isinstance(row, CourseRow)
    assert (row.course_name, row.location, row.weeks) == ("高数", "A101", tuple(range(1, 17)))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
@pytest.mark.parametrize(
    ("name", "source"),
    [("a.csv", "pasted.tsv"), ("a.txt", "pasted.tsv"), ("a.xls", "pasted.tsv"), ("a.xls", "zhengfang_old.html")],
)
def test_text_files_are_read_in_all_encodings_also_where_they_are_called_workbooks(
    encoding: str, name: str, source: str
) -> None:
    rows = rows_of_named(name, (FILES / source).read_text().encode(encoding), calendar())
    assert told(rows) == sorted(TERM)


def test_a_calendar_and_a_backup_are_read_in_utf_16_too() -> None:
    for name in ("term.ics", "term.wakeup_schedule"):
        data = (FILES / name).read_bytes()
        known = rows_of_named(name, data, calendar())
        assert known
        assert rows_of_named(name, data.decode().encode("utf-16"), calendar()) == known


def test_half_a_file_in_utf_16_is_refused() -> None:
    with pytest.raises(NotCourses):
        rows_of_named("a.csv", "课程".encode("utf-16")[:-1], calendar())


def notes_of(page: bytes) -> list[tuple[int, str, str, str]]:
    rows = rows_of_file("html", page, calendar())
    return [(row.row, row.code, row.course_name, row.source) for row in rows if isinstance(row, RowNote)]


def test_what_stands_below_and_beside_a_week_is_told() -> None:
    below = "".join(
        f"<tr><td colspan=6>{words}</td></tr>"
        for words in (
            "实践课程：金工实习(共2周)/3-4周",
            "其它课程：心理健康/1-16周",
            "午  休 12:00-14:00",
            "★: 理论 ☆: 实验",
        )
    )
    page = grid_page("高数<br>1-16周<br>2027年01月11日(14:00-16:00)<br>体育馆").replace(b"</table>", below.encode())
    changes = (
        "<table><tr><td>编号</td><td>课程名称</td><td>原上课时间地点教师</td><td>现上课时间地点教师</td></tr>"
        "<tr><td>调0123</td><td>高数</td><td>周一第1节{第5周}</td><td>周六第1节{第5周}</td></tr></table>"
    )
    listed = (
        "<table><tr><td>序号</td><td>课程名称</td><td>学分</td></tr>"
        "<tr><td>1</td><td>高数</td><td>4</td></tr><tr><td>2</td><td>毕业设计</td><td>8</td></tr></table>"
    )
    timed = (
        "<table><tr><td>课程</td><td>上课时间</td></tr>"
        "<tr><td>高数</td><td>1-16周 周一1-2节</td></tr><tr><td>体育</td><td>周五7-8节</td></tr></table>"
    )
    assert notes_of(page + (changes + listed).encode()) == [
        (1, "exam", "高数", "高数 / 1-16周 / 2027年01月11日(14:00-16:00) / 体育馆"),
        (2, "no_fixed_time", "", "实践课程：金工实习(共2周)/3-4周"),
        (3, "no_fixed_time", "", "其它课程：心理健康/1-16周"),
        (4, "lesson_change", "高数", "调0123 | 高数 | 周一第1节{第5周} | 周六第1节{第5周}"),
        (5, "no_fixed_time", "毕业设计", "2 | 毕业设计 | 8"),
    ]
    *_, sport = rows_of_file("html", page + timed.encode(), calendar())
    assert isinstance(sport, RowError)
    assert (sport.row, sport.course_name, sport.code, sport.offers[0].row.row) == (5, "体育", "missing_field", 5)


def test_cells_of_eams_tell_weeks_and_room_in_brackets_of_their_own() -> None:
    cells = (
        "张三 高等数学(MATH1001.01)<br>(1-16,教1-101)<br>李四,王五 大学英语(EN.02)<br>(单1-15 17,2201)",
        "线性代数(LA.03)<br>(赵六)<br>(2-8 10-12 5号楼(东)301)<br>体育(PE.1)<br>(1-8)",
        "形势与政策(POL.01)<br>(1-16,5)",
    )
    days = "".join(f"<th>星期{day}</th>" for day in "一二三")
    page = f"<table><tr><th></th>{days}</tr><tr><th>1</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr></table>"
    rows = rows_of_file("html", page.encode(), calendar())
    assert told(rows) == sorted([
        ("高等数学", "张三", "教1-101", 1, 1, 1, tuple(range(1, 17))),
        ("大学英语", "李四,王五", "2201", 1, 1, 1, (1, 3, 5, 7, 9, 11, 13, 15, 17)),
        ("线性代数", "赵六", "5号楼(东)301", 2, 1, 1, (2, 3, 4, 5, 6, 7, 8, 10, 11, 12)),
        ("体育", "", "", 2, 1, 1, tuple(range(1, 9))),
    ])  # fmt: skip
    assert [row.course_name for row in rows if isinstance(row, RowError)] == ["形势与政策"]


def test_a_version_behind_a_name_is_no_number_of_a_class() -> None:
    (row,) = rows_of_file("html", grid_page("Python 编程(v3.11)<br>1-16周<br>张三"), calendar())
    assert (row.course_name, isinstance(row, CourseRow)) == ("Python 编程(v3.11)", True)


def test_a_list_of_urp_tells_first_section_and_how_many_and_the_room_in_three_columns() -> None:
    page = (
        "<table><tr><th>课程号</th><th>课程名</th><th>教师</th><th>周次</th><th>星期</th><th>节次</th><th>节数</th>"
        "<th>校区</th><th>教学楼</th><th>教室</th></tr><tr><td rowspan=2>01</td><td rowspan=2>高数</td>"
        "<td rowspan=2>张三* </td>"
        "<td>1-16周上</td><td>1</td><td>1</td><td>2</td><td>本部</td><td>一教</td>"
        "<td>101</td></tr>"
        "<tr><td>1-15周单周</td><td>3</td><td>3</td><td>3</td><td>本部</td><td>一教</td><td>一教202</td></tr>"
        "<tr><td>02</td><td>毕业实习</td><td>李四*</td>" + "<td></td>" * 7 + "</tr></table>"
    )
    *rows, note = rows_of_file("html", page.encode(), calendar())
    assert told(rows) == [
        ("高数", "张三", "本部 一教 101", 1, 1, 2, tuple(range(1, 17))),
        ("高数", "张三", "本部 一教202", 3, 3, 5, tuple(range(1, 16, 2))),
    ]
    assert (note.course_name, isinstance(note, RowNote)) == ("毕业实习", True)


@pytest.mark.parametrize(
    ("when", "meetings"),
    [
        ("1-16周 一[1-2] 三[3-4]", [(1, 1, 2, 1, 16), (3, 3, 4, 1, 16)]),
        ("周一1-2节,周三3-4节 1-16周", [(1, 1, 2, 1, 16), (3, 3, 4, 1, 16)]),
        ("周一第1,2节{第1-8周}周三第3,4节{第9-16周}", [(1, 1, 2, 1, 8), (3, 3, 4, 9, 16)]),
        ("1-8周星期六6-9节/9-16周星期日6-9节", [(6, 6, 9, 1, 8), (7, 6, 9, 9, 16)]),
        ("周一第1节连续2节{第1-16周}", [(1, 1, 2, 1, 16)]),
    ],
)
def test_every_weekday_of_a_cell_is_a_meeting(when: str, meetings: list[tuple[int, ...]]) -> None:
    rows = rows_of_file("csv", f'课程,上课时间\n高数,"{when}"\n'.encode(), calendar())
    assert [
        (row.day_of_week, row.section_from, row.section_to, row.weeks[0], row.weeks[-1])
        for row in rows
        if isinstance(row, CourseRow)
    ] == meetings
    assert len(rows) == len(meetings)


def test_a_text_that_is_too_long_for_a_time_is_not_split_at_its_weekdays() -> None:
    told = "x" * 20_000 + "周一]" * 10_000  # each part would have the words in front of all
    assert split_days(told) == [told]
    assert len(split_days("1-16周 " + "周一[1-2节] 周三[3-4节] " * 20)) == 40


def test_weeks_that_one_of_several_weekdays_has_are_not_given_to_the_other() -> None:
    first, second = rows_of_file("csv", "课程,上课时间\n高数,周一1-2节1-8周 周三3-4节\n".encode(), calendar())
    assert isinstance(first, CourseRow)
    assert isinstance(second, RowError)
    assert second.code == "missing_field"


@pytest.mark.parametrize(
    ("day", "number"),
    [("Tues", 2), ("Weds.", 3), ("Thur", 4), ("Thursday", 4), ("Sa", 6), ("週一", 1), ("星期天", 7), ("礼拜二", 2)],
)
def test_weekdays_are_known_by_all_their_names(day: str, number: int) -> None:
    (row,) = rows_of_file("csv", f"科目,周几,第几节,周次\n高数,{day},1-2,1-8\n".encode(), calendar())
    assert isinstance(row, CourseRow)
    assert row.day_of_week == number


@pytest.mark.parametrize(
    ("line", "entries"),
    [
        ("英语(1-8周)/物理(9-16周)", [("英语", "", ""), ("物理", "", "")]),
        ("高数 1-8周 张三/A101;线代 9-16周 李四/B202", [("高数", "张三", "A101"), ("线代", "李四", "B202")]),
        ("英语 1-8周 | 物理 9-15周，化学 16周", [("英语", "", ""), ("物理", "", ""), ("化学", "", "")]),
        ("高数 1-4周、6-8周 张三", [("高数", "张三", "")]),
        ("高数(1-8周)/张三/教1，英语(9-16周)/李四/教2", [("高数", "张三", "教1"), ("英语", "李四", "教2")]),
    ],
)
def test_a_line_may_hold_several_entries(line: str, entries: list[tuple[str, str, str]]) -> None:
    rows = rows_of_file("html", grid_page(line), calendar())
    known = [(row.course_name, row.teacher, row.location) for row in rows if isinstance(row, CourseRow)]
    assert (known, len(rows)) == (entries, len(entries))


@pytest.mark.parametrize(
    "line", ["大学英语（1-8周）听说（9-16周）", "形策 (3-4周)A1,(7-8周)B2", "英语(1-8周)/教1-101(9-16周)"]
)
def test_times_that_cannot_be_told_apart_are_asked_about(line: str) -> None:
    (row,) = rows_of_file("html", grid_page(line), calendar())
    assert isinstance(row, RowError)
    assert (row.code, row.source) == ("missing_field", line)


def week_of_heads(*heads: str) -> list[tuple[str, int | str]]:
    """Returns each course of a week whose columns have these heads: its weekday, or the code of what is wrong."""
    lines = [("节次", *heads), ("1", *(f"课{at} 1-8周" for at in range(len(heads))))]
    rows = rows_of_file("csv", "\n".join(map("\t".join, lines)).encode(), calendar())
    return [(row.course_name, row.day_of_week if isinstance(row, CourseRow) else row.code) for row in rows]


def test_weekdays_above_columns_may_have_dates_and_names_beside_them() -> None:
    heads = ("周一（9月7日）", "9/8 周二", "Wed 9 Sep", "星期四 Thursday", "2026-09-11 星期五", "Sat.", "礼拜天")
    assert week_of_heads(*heads) == [(f"课{at}", at + 1) for at in range(7)]


@pytest.mark.parametrize("head", ["第1-2节", "1", "1-2", "上午", "8:00-9:40", "第一大节"])
def test_heads_of_rows_that_stand_on_both_sides_are_no_courses(head: str) -> None:
    table = f"节次,周一,周二,周三,节次\n1-2,高数 1-8周,,,{head}\n"
    (row,) = rows_of_file("csv", table.encode(), calendar())
    assert (row.course_name, isinstance(row, CourseRow)) == ("高数", True)


def test_a_course_below_a_head_that_names_no_weekday_is_told() -> None:
    assert week_of_heads("周一", "周二", "周三", "周四、周五", "机动", "备注") == [
        ("课0", 1), ("课1", 2), ("课2", 3), ("课3", "missing_field"), ("课4", "missing_field"), ("", "no_fixed_time")
    ]  # fmt: skip


def test_json_tells_courses_without_a_time_wherever_they_stand() -> None:
    data = {
        "kbList": [{"kcmc": "网课", "xqj": "", "jcs": "", "zcd": "1-16周"}],
        "sjkList": [{"kcmc": "金工实习"}],
        "jxhjkcList": [{"kcmc": "毕业设计"}],
    }
    rows = rows_of_file("json", json.dumps(data).encode(), calendar())
    assert [(row.row, row.course_name, row.code) for row in rows if isinstance(row, RowNote)] == [
        (1, "网课", "no_fixed_time"), (2, "金工实习", "no_fixed_time"), (3, "毕业设计", "no_fixed_time")
    ]  # fmt: skip
