"""A pasted timetable or a file: what it would bring is told, mends are taken one by one, then it is written."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from schedules.models import AppliedBatch, Course, ScheduleEvent

pytestmark = pytest.mark.django_db

PATH = "/courses/import"
HEAD = "课程名称\t星期\t节次\t周次\t地点"
GOOD = "高等数学\t周一\t1-2\t1-16\t理学楼 204"
LATE = "大学英语\t周二\t3-4\t17-22\t外语楼 305"
TEXT = f"{HEAD}\n{GOOD}\n{LATE}"


def words_of(answer: Any) -> str:
    return answer.content.decode()


def seen_of(answer: Any) -> str:
    found = re.search(r'name="seen" value="(\w+)"', words_of(answer))
    assert found is not None, words_of(answer)
    return found[1]


def write(client: Client, text: str, **more: Any) -> Any:
    """Looks at what the text would bring, then writes just that."""
    told = client.post(PATH, {"text": text, "way": "look", **more})
    return client.post(PATH, {"text": text, "way": "write", "seen": seen_of(told), **more})


def test_what_would_come_is_told_and_then_written_and_undone(li: Client) -> None:
    told = li.post(PATH, {"text": f"{HEAD}\n{GOOD}", "way": "look"})
    assert told.status_code == 200
    for words in ("可导入 16 节课", "高等数学", "1-16周 周一 1-2节", "理学楼 204"):
        assert words in words_of(told)
    assert not ScheduleEvent.objects.exists()
    assert write(li, f"{HEAD}\n{GOOD}").url == "/courses"
    assert ScheduleEvent.objects.filter(course__name="高等数学").count() == 16
    again = li.post(PATH, {"text": f"{HEAD}\n{GOOD}", "way": "look"})
    assert "已有 16 节" in words_of(again)
    li.post(f"/settings/batches/{AppliedBatch.objects.get().pk}/undo")
    assert not ScheduleEvent.objects.exists()


def test_mends_are_taken_one_by_one(li: Client) -> None:
    told = li.post(PATH, {"text": TEXT, "way": "look"})
    offered = set(re.findall(r'name="mends" value="([\w:]+)"', words_of(told)))
    assert offered == {"weeks:2", "leave:2"}
    weeks, leave = sorted(offered, reverse=True)
    refused = write(li, TEXT)
    assert refused.status_code == 422
    assert not Course.objects.exists()
    taken = li.post(PATH, {"text": TEXT, "way": "look", "mends": [leave]})
    assert f'name="mends" value="{leave}" checked' in words_of(taken)
    # What is ticked after the look is looked at before it is written.
    changed = li.post(PATH, {"text": TEXT, "way": "write", "seen": seen_of(taken), "mends": [weeks]})
    assert changed.status_code == 422
    assert "勾选变了" in words_of(changed)
    assert not Course.objects.exists()
    assert write(li, TEXT, mends=[weeks]).status_code == 302
    lessons = ScheduleEvent.objects.filter(course__name="大学英语").order_by("week")
    assert list(lessons.values_list("week", flat=True)) == [17, 18, 19, 20]


def test_a_row_that_is_not_understood_shows_what_the_file_says(li: Client) -> None:
    late = f"{HEAD}\n大学英语\t周二\t3-4\t1-30\t外语楼 305"
    told = words_of(li.post(PATH, {"text": late, "way": "look"}))
    assert "周次应在 1 到 20 之间" in told
    assert "1-30" in told.partition("<table")[2]
    assert "1-20周" not in told
    taken = words_of(li.post(PATH, {"text": late, "way": "look", "mends": ["weeks:1"]}))
    assert "1-20周 周二 3-4节" in taken


def test_rows_with_a_problem_are_left_out_when_that_is_ticked(li: Client) -> None:
    assert write(li, TEXT, skip="on").status_code == 302
    assert list(Course.objects.values_list("name", flat=True)) == ["高等数学"]


def test_a_row_without_a_value_says_which_is_missing(li: Client) -> None:
    for line, fault in (
        ("\t周一\t1-2\t1-16\t", "课程名称：缺少该字段"),
        ("高数\t\t1-2\t1-16\t", "星期：缺少该字段"),
        ("高数\t周一\t\t1-16\t", "节次：缺少该字段"),
        ("高数\t周一\t1-2\t\t", "周数：缺少该字段"),
        ("高数\t周一\t2026年\t1-16\t", "节次：应为整数"),
        (LATE, "周次应在 1 到 20 之间"),
    ):
        told = words_of(li.post(PATH, {"text": f"{HEAD}\n{GOOD}\n{line}", "way": "look"}))
        assert f"<span>{fault}</span>" in told
    school = {"kbList": [{"xqj": "1", "jcs": "1-2", "zcd": "1-16周"}, {"kcmc": "高数", "jcs": "1-2", "zcd": "1-16周"}]}
    told = words_of(li.post(PATH, {"text": json.dumps(school), "way": "look"}))
    assert "<span>课程名称：缺少该字段</span>" in told
    assert "<span>星期：缺少该字段</span>" in told


def test_a_write_with_bad_rows_says_which_they_are_and_how_to_leave_them_out(li: Client) -> None:
    nameless = "\t周三\t1-2\t1-16\t"
    answer = write(li, "\n".join([HEAD, GOOD, LATE, nameless]))
    assert answer.status_code == 422
    alert = words_of(answer).partition('role="alert"')[2].partition("</div>")[0]
    assert "第 2 行：周次应在 1 到 20 之间" in alert
    assert "第 3 行：课程名称：缺少该字段" in alert
    assert "勾选「跳过有问题的行」" in alert
    many = words_of(write(li, "\n".join([HEAD, GOOD, *[nameless] * 7])))
    assert "还有 2 行有问题。" in many
    clash = words_of(write(li, "\n".join([HEAD, GOOD, "体育\t周一\t2-3\t1-16\t操场"])))
    assert "勾选「跳过有问题的行」" in clash.partition('role="alert"')[2].partition("</div>")[0]


def test_what_is_no_timetable_is_told_with_what_can_be_read(li: Client) -> None:
    answer = li.post(PATH, {"text": "今天下午有课", "way": "look"})
    assert answer.status_code == 422
    assert "读不了这种课表" in words_of(answer)
    assert "今天下午有课" in words_of(answer)


def test_a_file_of_an_unknown_kind_is_told_with_what_can_be_read(li: Client) -> None:
    for name, form in (("课表.docx", ".docx"), ("课表", "没有后缀的文件")):
        answer = words_of(li.post(PATH, {"upload": file("PK\x03\x04", name), "way": "look"}))
        assert f"读不了这种课表：{form}。能读的有：" in answer
        assert "JSON 文件" not in answer
    courses = json.dumps({"courses": []})
    assert li.post(PATH, {"upload": file(courses, "课表.bak"), "way": "look"}).status_code == 200


def test_names_from_a_paste_are_words_and_no_markup(li: Client) -> None:
    hostile = '<script>alert("x")</script>'
    told = words_of(li.post(PATH, {"text": f"{HEAD}\n{hostile}\t周一\t1-2\t1-16\t", "way": "look"}))
    assert hostile not in told
    assert "&lt;script&gt;" in told


def file(text: str, name: str = "课表.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.replace("\t", ",").encode())


def held_of(answer: Any) -> str:
    found = re.search(r'name="held" value="(\w+)"', words_of(answer))
    assert found is not None, words_of(answer)
    return found[1]


def test_a_file_is_held_from_the_look_to_the_import(li: Client, wang: Client) -> None:
    told = li.post(PATH, {"upload": file(TEXT), "way": "look"})
    assert "课表.csv" in words_of(told)
    assert "可导入 16 节课" in words_of(told)
    mend = re.search(r'name="mends" value="(weeks:\d+)"', words_of(told))
    assert mend is not None
    held = {"held": held_of(told), "mends": [mend[1]]}
    looked = li.post(PATH, {**held, "way": "look"})
    assert "课表.csv" in words_of(looked)
    assert wang.post(PATH, {**held, "way": "write", "seen": seen_of(looked)}).status_code == 422
    assert li.post(PATH, {**held, "way": "write", "seen": seen_of(looked), "next": "/courses/days"}).url == (
        "/courses/days"
    )
    assert ScheduleEvent.objects.count() == 20
    forgotten = li.post(PATH, {**held, "way": "write", "seen": seen_of(looked)})
    assert forgotten.status_code == 422
    assert "这个文件已经不在了" in words_of(forgotten)


def test_the_form_says_what_is_wrong_with_a_file(li: Client) -> None:
    for sent, words in (
        ({}, "选一个文件，或者粘贴课表"),
        ({"upload": file("no calendar", "x.ics")}, "不是有效的日历文件"),
        ({"upload": file("x" * (5 * 1024 * 1024 + 1))}, "文件太大"),
        ({"upload": SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n")}, "40085"),
    ):
        answer = li.post(PATH, {**sent, "way": "look"})
        assert answer.status_code == 422
        assert words in words_of(answer)
        assert 'name="upload"' in words_of(answer)


@pytest.mark.parametrize("table", ["", "\n\n", " ,,\n,,\n"])
def test_a_table_without_a_line_is_called_empty(li: Client, table: str) -> None:
    told = words_of(li.post(PATH, {"upload": file(table), "way": "look"}))
    assert told.count("文件是空的") == 1
    assert "没有这些列" not in told


def test_columns_that_a_table_lacks_are_named_as_they_are_read(li: Client) -> None:
    none = words_of(li.post(PATH, {"upload": file("内容,老师\n高数,王"), "way": "look"}))
    assert none.count("没有这些列：课程名称、星期、节次、周数。") == 1
    one = words_of(li.post(PATH, {"upload": file("课程名称,星期,开始节数,周数\n高数,一,1,1-16"), "way": "look"}))
    assert "没有这些列：结束节数。" in one
    head = "课程名称,星期,节次,周数"
    assert "可导入 16 节课" in words_of(li.post(PATH, {"upload": file(f"{head}\n高数,一,1-2,1-16"), "way": "look"}))
    twice = words_of(li.post(PATH, {"upload": file("课程,课程,星期,节次,周次\n"), "way": "look"}))
    assert "不止一列：课程名称。" in twice


def test_columns_that_a_table_lacks_are_named_in_english(li: Client) -> None:
    headers = {"Accept-Language": "en"}
    told = words_of(li.post(PATH, {"upload": file("title,teacher\nMaths,Wang"), "way": "look"}, headers=headers))
    assert "There is no column for: course_name, day_of_week, sections, weeks." in told
    head = "course_name,day_of_week,sections,weeks"
    told = words_of(li.post(PATH, {"upload": file(f"{head}\nMaths,1,1-2,1-16"), "way": "look"}, headers=headers))
    assert "Maths" in told
    assert "There is no column" not in told


def test_a_file_over_a_limit_is_told_the_limit(li: Client) -> None:
    lessons = [HEAD, *[f"课{n}\t周{'一二三四五'[n % 5]}\t{n % 12 + 1}\t1-16\t" for n in range(626)]]
    told = words_of(li.post(PATH, {"upload": file("\n".join(lessons)), "way": "look"}))
    assert "一次最多导入 10,000 节课" in told
    assert "内容超出长度限制" not in told
    rows = [HEAD, *["课\t周一\t1\t1\t"] * 2001]
    assert "一次最多读 2,000 行" in words_of(li.post(PATH, {"upload": file("\n".join(rows)), "way": "look"}))
    week = "节次,周一,周二,周三,周四,周五\n" + "1,课,课,课,课,课\n" * 4_000
    assert "一次最多读 20,000 格" in words_of(li.post(PATH, {"upload": file(week), "way": "look"}))
    page = SimpleUploadedFile("x.html", b"<table><tr><td>" + b" " * (5 * 1024 * 1024 - 15))
    assert "文件太大，最多 3 MB" in words_of(li.post(PATH, {"upload": page, "way": "look"}))


def test_english_tells_of_periods(li: Client) -> None:
    rows = [HEAD, GOOD, "PE\tMonday\t12-13\t1-16\t", "Art\tMonday\t4-3\t1-16\t"]
    told = words_of(li.post(PATH, {"text": "\n".join(rows), "way": "look"}, headers={"Accept-Language": "en"}))
    for words in ("Meeting time", "weeks 1-16, Mon, periods 1-2", "periods run from 1 to 12", "up to period 12"):
        assert words in told
    assert "the last period is before the first" in told
    assert "section" not in re.sub(r"<[^>]*>", "", told.partition("<table")[2])


def test_what_a_whole_timetable_lacks_stays_and_is_told(li: Client) -> None:
    write(li, f"{HEAD}\n{GOOD}")
    nothing = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
    told = words_of(li.post(PATH, {"upload": file(nothing, "x.ics"), "way": "look"}))
    assert "高等数学" in told
    assert 'value="write"' not in told


def test_a_newer_table_replaces_what_was_imported_unless_only_added(li: Client) -> None:
    write(li, f"{HEAD}\n{GOOD}\n体育\t周四\t7-8\t1-16\t体育馆")
    newer = f"{HEAD}\n高等数学\t周五\t1-2\t1-16\t理学楼 204"
    told = words_of(li.post(PATH, {"text": newer, "way": "look"}))
    for words in (
        "<s>1-16周 周一 1-2节</s> → 1-16周 周五 1-2节",
        "1-16周 周四 7-8节：文件里没有了",
        "改 16 节",
        "去掉 16 节",
    ):
        assert words in told
    assert re.search(r'name="earlier" value="replace"[^>]*checked', told)
    added = words_of(li.post(PATH, {"text": newer, "way": "look", "earlier": "add"}))
    assert "导入 16 节课" in added
    assert "去掉 16 节" not in added
    changed = {"text": newer, "way": "write", "seen": seen_of(li.post(PATH, {"text": newer})), "earlier": "add"}
    assert "先看看现在会导入什么" in words_of(li.post(PATH, changed))
    write(li, newer)
    assert set(ScheduleEvent.objects.values_list("name", "day_of_week")) == {("高等数学", 5)}
    li.post(f"/settings/batches/{AppliedBatch.objects.first().pk}/undo")  # type: ignore[union-attr]
    assert set(ScheduleEvent.objects.values_list("name", "day_of_week")) == {("高等数学", 1), ("体育", 4)}
    write(li, newer, earlier="add")
    assert ScheduleEvent.objects.filter(name="高等数学").count() == 32


def test_teachers_are_told_and_a_newer_table_brings_others(li: Client) -> None:
    old, newer = (f"{HEAD}\t教师\n{GOOD}\t{teacher}" for teacher in ("王宁", "李静"))
    assert "王宁 · 理学楼 204" in words_of(li.post(PATH, {"text": old, "way": "look"}))
    write(li, old)
    told = words_of(li.post(PATH, {"text": newer, "way": "look"}))
    assert "<b>高等数学</b> 教师：<s>王宁</s> → 李静" in told
    assert "按这个文件更新课表" in told
    write(li, newer)
    assert "已按文件更新课表" in words_of(li.get("/courses"))
    assert Course.objects.get().teacher == "李静"
