"""The editor of a task: its look, what it belongs to, the grid of times, how far it is, pins."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from agent.tools.words.labels import WORDS
from schedules.models import AppliedBatch, Course, Exam
from smartmate.pages.tasks.task_form import TaskForm, read_items
from taskclasses.fields import CLASS_FIELDS
from taskclasses.models import TaskClass, TaskItem
from tests.kits.page.meetings import meetings

pytestmark = pytest.mark.django_db

TASK = {
    "name": "线代复习",
    "start_date": "2026-03-02",
    "end_date": "2026-03-29",
    "items": "行列式\n矩阵 | 2\n向量",
}
PLACE = {"week": 2, "day_of_week": 2, "start_section": 3, "end_section": 4}


def made(client: Client, **changes: Any) -> TaskClass:
    assert client.post("/tasks/new", TASK | changes).status_code == 302
    return TaskClass.objects.latest("pk")


def test_the_form_and_the_cards_of_the_assistant_call_a_rule_by_the_same_words() -> None:
    labels = {name: str(field.label) for name, field in TaskForm.base_fields.items()}
    rules = {field.name: field.label for field in CLASS_FIELDS if field.config or field.missing}
    assert {name: labels[name] for name in rules} == rules
    told = dict(TaskForm.base_fields["strategy"].choices)  # type: ignore[attr-defined]
    assert {value: str(words) for value, words in told.items()} == {value: WORDS[value] for value in told}


def page_of(client: Client, row: TaskClass) -> str:
    return client.get(f"/tasks/{row.pk}").content.decode()


def placed(client: Client, row: TaskClass) -> TaskItem:
    item = row.items.get(content="矩阵")
    answer = client.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": row.pk, "items": [{"task_item_id": item.pk, **PLACE}]},
        content_type="application/json",
        headers={"Idempotency-Key": "place-one"},
    )
    assert answer.status_code == 200, answer.content
    item.refresh_from_db()
    return item


def test_colour_and_seal_are_chosen_and_stay(li: Client) -> None:
    row = made(li, color_index="4", seal="代")
    assert (row.color_index, row.seal) == (4, "代")
    page = page_of(li, row)
    assert 'name="color_index" value="4" id="id_color_index_4" checked' in page
    li.post(f"/tasks/{row.pk}", TASK)
    row.refresh_from_db()
    assert (row.color_index, row.seal) == (4, "代")
    assert li.post(f"/tasks/{row.pk}", TASK | {"color_index": "8"}).status_code == 422


def test_the_form_says_while_it_is_written_whether_a_task_fits(
    li: Client, wang: Client, at: Callable[..., None]
) -> None:
    at(3, 2)
    told = TASK | {"name": "", "excluded_days_of_week": [str(day) for day in range(2, 8)], "total_slots": "6"}

    def fits(path: str, **changes: Any) -> str:
        answer = li.post(path, told | changes)
        assert answer.status_code == 200
        return answer.content.decode()

    assert "放得下：还要 6 节" in fits("/tasks/new/room")
    assert "放不下，还差 4 节：要 6 节，截止前能用的空档 2 节" in fits(
        "/tasks/new/room", end_date="2026-03-02", excluded_slots=["1", "2", "3", "4", "5"]
    )
    assert "写下起止日期和内容" in fits("/tasks/new/room", end_date="")
    assert TaskClass.objects.count() == 0
    row = made(li, total_slots="6")
    item = placed(li, row)
    assert f"/tasks/{row.pk}/room" in page_of(li, row)
    assert "放得下：还要 6 节" in li.get("/tasks").content.decode()
    li.post(f"/today/items/{item.pk}", {"progress": "done"})
    assert "放得下：还要 4 节" in fits(f"/tasks/{row.pk}/room", total_slots="6")
    assert wang.post(f"/tasks/{row.pk}/room", told).status_code == 404


def test_single_cells_whole_days_and_whole_blocks_are_left_out(li: Client) -> None:
    row = made(li, excluded_cells=["1:2", "5:6"], excluded_days_of_week=["7"], excluded_slots=["1"])
    assert row.excluded_cells == [{"day_of_week": 1, "block": 2}, {"day_of_week": 5, "block": 6}]
    page = page_of(li, row)
    assert page.count(" checked") == 1 + 1 + 2 + 1, "the colour that was given, the day, two cells, the block"
    assert 'value="5:6" aria-label="周五 20:50–22:30" checked' in page
    assert li.post(f"/tasks/{row.pk}", TASK | {"excluded_cells": ["8:1"]}).status_code == 422
    li.post(f"/tasks/{row.pk}", TASK)
    row.refresh_from_db()
    assert (row.excluded_cells, row.excluded_days_of_week, row.excluded_slots) == ([], [], [])


def test_a_task_belongs_to_a_course_and_works_for_an_exam(li: Client, wang: Client) -> None:
    li.post("/courses/new", {"name": "线性代数", **meetings((1, 1, 2, range(1, 17), ""))})
    course = Course.objects.get()
    exam = Exam.objects.create(
        user=course.user, semester=course.semester, name="线代期末", date="2026-04-20", section_from=1, section_to=2
    )
    row = made(li, course_id=str(course.pk), exam_id=str(exam.pk), end_date="")
    assert (row.course_id, row.exam_id, row.mode, str(row.end_date)) == (course.pk, exam.pk, "auto", "2026-04-19")
    page = page_of(li, row)
    assert f'<option value="{course.pk}" selected>线性代数</option>' in page
    assert "线代期末 · 4 月 20 日 周一" in page
    assert wang.post("/tasks/new", TASK | {"course_id": str(course.pk)}).status_code == 422
    assert wang.post("/tasks/new", TASK | {"exam_id": str(exam.pk)}).status_code == 422


def test_what_is_placed_is_pinned_and_let_go(li: Client, wang: Client, at: Callable[..., None]) -> None:
    at(3, 3)
    row = made(li)
    item = placed(li, row)
    assert "3 月 10 日 周二 10:15–11:55" in page_of(li, row)
    path = f"/tasks/items/{item.pk}/pin"
    assert wang.post(path, {"pin": "on"}).status_code == 404
    assert li.post(path, {"pin": "on", "next": f"/tasks/{row.pk}"}).url == f"/tasks/{row.pk}"  # type: ignore[attr-defined]
    item.refresh_from_db()
    assert item.pinned
    assert "取消钉住" in page_of(li, row)
    li.post(path, {"pin": "off"})
    item.refresh_from_db()
    assert not item.pinned
    batch = AppliedBatch.objects.latest("pk")
    assert batch.source == AppliedBatch.Source.ITEM_UNPIN
    unplaced = row.items.get(content="向量")
    li.post(f"/tasks/items/{unplaced.pk}/pin", {"pin": "on"})
    assert '<small class="quiet">编号 40077</small>' in page_of(li, row)


def errors_of(answer: Any, field: str = "") -> str:
    """Returns what a page tells as wrong: beside a field, or above the form."""
    page = answer.content.decode()
    assert answer.status_code == 422, page
    if not field:
        return "".join(re.findall(r'<div class="problem" role="alert">(.*?)</div>', page, re.DOTALL))
    return re.split(f'class="field of-{field}"', page)[1].split('class="field', 1)[0].partition('class="error"')[2]


def test_what_is_wrong_with_the_items_is_told_in_the_language_of_the_page(li: Client) -> None:
    many, long = "\n".join("x" * 101), "行列式\n" + "x" * 300
    for items, chinese, english in (
        (many, "最多100项", "100 steps at most"),
        (long, "第 2 项：内容最多200个字", "Step 2: The content may have 200 characters at most"),
    ):
        told = TASK | {"items": items}
        assert chinese in errors_of(li.post("/tasks/new", told), "items")
        assert english in errors_of(li.post("/tasks/new", told, headers={"Accept-Language": "en"}), "items")
    row = made(li)
    answer = li.post(f"/tasks/{row.pk}", TASK | {"items": many}, headers={"Accept-Language": "en"})
    assert "100 steps at most" in errors_of(answer, "items")
    first = {"name": "x", "end_date": "2026-03-29", "sections": "2", "items": many}
    answer = li.post("/welcome/tasks", first, headers={"Accept-Language": "en"})
    assert "100 steps at most" in errors_of(answer, "items")


def test_dates_that_do_not_fit_are_told_beside_the_date(li: Client, at: Callable[..., None]) -> None:
    at(3, 4)
    english = {"Accept-Language": "en"}
    early = TASK | {"end_date": "2026-03-01"}
    answer = li.post("/tasks/new", early)
    assert "结束日期早于开始日期" in errors_of(answer, "end_date")
    assert errors_of(answer) == ""
    assert "The last day is before the first" in errors_of(li.post("/tasks/new", early, headers=english), "end_date")
    beyond = TASK | {"start_date": "2027-03-01", "end_date": "2027-03-02"}
    assert "日期不在学期内" in errors_of(li.post("/tasks/new", beyond), "start_date")
    first = {"name": "x", "end_date": "2026-03-01", "sections": "2", "items": "行列式"}
    answer = li.post("/welcome/tasks", first)
    assert "结束日期已过" in errors_of(answer, "end_date")
    assert errors_of(answer) == ""


def test_a_placed_item_whose_line_goes_is_named_with_the_way_to_it(li: Client, at: Callable[..., None]) -> None:
    at(3, 3)
    row = made(li)
    placed(li, row)
    told = errors_of(li.post(f"/tasks/{row.pk}", TASK | {"items": "行列式\n向量"}), "items")
    assert '还在课表里：<a href="/week/2">「矩阵」</a>。先在课表里移出，再来这里去掉。' in told
    answer = li.post(f"/tasks/{row.pk}", TASK | {"items": "行列式\n向量"}, headers={"Accept-Language": "en"})
    assert 'Still on the timetable: <a href="/week/2">矩阵</a>. Take this off there first' in errors_of(answer, "items")
    assert row.items.count() == 3


def test_names_of_placed_items_are_words_and_no_markup(li: Client, at: Callable[..., None]) -> None:
    at(3, 3)
    row = made(li)
    placed(li, row)
    TaskItem.objects.filter(content="矩阵").update(content="<b>矩阵</b>")
    assert "「&lt;b&gt;矩阵&lt;/b&gt;」" in errors_of(li.post(f"/tasks/{row.pk}", TASK | {"items": "行列式"}), "items")


def test_planning_all_takes_as_many_tasks_as_a_message_may_choose(li: Client, at: Callable[..., None]) -> None:
    at(3, 3)
    late = [made(li, name=f"晚{n}", end_date="2026-05-31").pk for n in range(3)]
    never = made(li, name="不急", end_date="")
    done = made(li, name="已排")
    TaskItem.objects.filter(task_class=done).update(
        status=TaskItem.Status.APPLIED, embedded_time={"week": 2, "day_of_week": 2, "section_from": 3, "section_to": 4}
    )
    soon = [made(li, name=f"早{n}", end_date="2026-03-29").pk for n in range(18)]
    chosen = re.search(r"classes=([\d,]+)", li.get("/tasks").content.decode())
    assert chosen is not None
    assert [int(pk) for pk in chosen[1].split(",")] == sorted([*late[:2], *soon])
    assert not {late[2], never.pk, done.pk} & {*map(int, chosen[1].split(","))}


def test_what_stands_after_an_earlier_end_fits_only_once_it_is_planned_again(
    li: Client, at: Callable[..., None]
) -> None:
    at(3, 3)
    row = made(li)
    item = placed(li, row)
    assert "放得下：还要" in li.get("/tasks").content.decode()
    earlier = TASK | {"end_date": "2026-03-09"}
    telling = li.post(f"/tasks/{row.pk}/room", earlier).content.decode()
    assert '<p class="note warn">有 1 项排在起止日期之外。 重新安排就放得下：要' in telling
    li.post(f"/tasks/{row.pk}", earlier)
    card = li.get("/tasks").content.decode()
    assert "放得下：还要" not in card
    assert "重新安排就放得下：要" in card
    assert re.search(r'<a class="button primary" href="/today/catch-up\?mend=1">重新安排', card)
    assert "还有 1 项排在起止日期之外，是钉住的或你亲手放的" in li.get("/today/catch-up?mend=1").content.decode()
    TaskItem.objects.filter(pk=item.pk).update(by_hand=False)
    page = li.get("/today/catch-up?mend=1").content.decode()
    seen = re.search(r'name="seen_least_change" value="(\w+)"', page)
    assert seen is not None
    li.post("/today/catch-up", {"mend": "1", "way": "least_change", "seen_least_change": seen[1], "do": "apply"})
    item.refresh_from_db()
    assert item.embedded_time["week"] == 1 or item.embedded_time["day_of_week"] == 1
    assert "放得下：还要" in li.get("/tasks").content.decode()


def test_items_outside_the_dates_are_told_on_saving_and_on_the_page(li: Client, at: Callable[..., None]) -> None:
    at(3, 3)
    row = made(li)
    item = placed(li, row)
    assert "起止日期之外" not in page_of(li, row)
    told = '有 1 项排在起止日期之外。 <a href="/week/2">在课表里移动</a>'
    li.post(f"/tasks/{row.pk}", TASK | {"end_date": "2026-03-09"})
    assert told in li.get("/tasks").content.decode()
    assert told in page_of(li, row)
    english = li.get(f"/tasks/{row.pk}", headers={"Accept-Language": "en"}).content.decode()
    assert '1 step stands outside the dates. <a href="/week/2">Move on the timetable</a>' in english
    at(3, 11)
    li.post(f"/today/items/{item.pk}", {"progress": "done"})
    assert "起止日期之外" not in page_of(li, row), "what is done need not move"
    li.post(f"/tasks/{row.pk}", TASK)
    assert "起止日期之外" not in li.get("/tasks").content.decode()


@pytest.mark.parametrize(
    ("line", "content", "sections"),
    [
        ("二次型 3节", "二次型", 3),
        ("特徵值與特徵向量 3 節", "特徵值與特徵向量", 3),
        ("特徵值（2節課）", "特徵值", 2),
        ("1. 二次型（2 节）", "二次型", 2),
        ("二次型，4节课", "二次型", 4),
        ("第三章 矩阵 1 节", "第三章 矩阵", 1),
        ("Unit 1 2 periods", "Unit 1", 2),
        ("Unit 1 (1 period)", "Unit 1", 1),
        ("第 3 节", "第 3 节", None),
        ("第三章 第2节", "第三章 第2节", None),
        ("第 1 - 2 节", "第 1 - 2 节", None),
        ("第1、 2 节", "第1、 2 节", None),
        ("1.2节", "1.2节", None),
        ("3 节", "3 节", None),
        ("复习（第一章 3节）", "复习（第一章 3节）", None),
        ("二次型 3节课后题", "二次型 3节课后题", None),
    ],
)
def test_a_length_in_words_is_the_length_of_its_line(line: str, content: str, sections: int | None) -> None:
    (item,) = read_items(line, [])
    assert (item.content, item.duration) == (content, sections)


def test_a_step_whose_name_ends_like_a_length_keeps_it(li: Client) -> None:
    row = made(li)
    row.items.filter(order=1).update(content="矩阵 12 节")
    answer = li.post(f"/tasks/{row.pk}", TASK | {"items": "矩阵 12 节\n向量"})
    assert answer.status_code == 302, answer.content.decode()
    assert list(row.items.order_by("order").values_list("content", flat=True)) == ["矩阵 12 节", "向量"]


@pytest.mark.parametrize("line", ["矩阵 | 9", "矩阵｜0", "- 矩阵 |12 ", "矩阵 9节", "矩阵（12 节）"])
def test_a_length_that_no_item_may_have_is_refused_with_its_line(li: Client, line: str) -> None:
    told = {"items": f"行列式 | 4\n\n{line}\n向量"}
    shown = errors_of(li.post("/tasks/new", TASK | told), "items")
    assert f"第 3 行「{line.strip()}」：一项只能是 1 到 4 节。" in shown
    first = {"name": "x", "end_date": "2026-03-29", "sections": "2"} | told
    answer = li.post("/welcome/tasks", first, headers={"Accept-Language": "en"})
    assert "a step takes 1 to 4 periods." in errors_of(answer, "items")
    assert not TaskClass.objects.exists()
    assert [item.content for item in made(li, items="C | C++\n2024 | 真题").items.all()] == ["C | C++", "2024 | 真题"]


def test_a_pasted_table_of_contents_keeps_its_names_and_loses_its_dots(li: Client) -> None:
    lines = [
        "第一章 行列式 ........ 1",
        "  1.1 二阶与三阶行列式……3",
        "1.2 逆序数 ··· 12 | 2",
        "2、矩阵",
        "3) 3.14 的来历",
        "- 小结……",
        "例题 1...3",
        "4、2019年真题",
        "5.2020 年真题",
        "1...3 章复习",
    ]
    row = made(li, items="\n".join(lines))
    told = ["第一章 行列式", "1.1 二阶与三阶行列式", "1.2 逆序数", "矩阵", "3.14 的来历", "小结……", "例题 1...3"]
    told += ["2019年真题", "2020 年真题", "1...3 章复习"]
    assert list(row.items.order_by("order").values_list("content", flat=True)) == told
    assert row.items.get(content="1.2 逆序数").duration == 2


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("- [ ] 第1章 行列式", "第1章 行列式"),
        ("* [] 第1章", "第1章"),
        ("- [x] 第1章", "[x] 第1章"),
        ("**重点** 第1章", "**重点** 第1章"),
        ("--- 第1章", "--- 第1章"),
        ("（4）矩阵的秩", "矩阵的秩"),
        ("(12) 矩阵的秩", "矩阵的秩"),
        ("③ 矩阵的秩", "矩阵的秩"),
        ("一、行列式", "行列式"),
        ("一、二章复习", "一、二章复习"),
        ("☐ 行列式", "行列式"),
        ("\uf06c\t行列式", "行列式"),
        ("\u200b● 行列式", "行列式"),
    ],
)
def test_what_a_list_begins_its_lines_with_is_no_part_of_a_step(line: str, content: str) -> None:
    assert [item.content for item in read_items(line, [])] == [content]


@pytest.mark.parametrize("within", [".", " ", "… "])
def test_a_line_that_is_too_long_for_a_step_is_not_taken_apart(li: Client, within: str) -> None:
    line = f"- a{within * 200_000}b"
    assert [one.content for one in read_items(line, [])] == [line]
    assert "内容最多200个字" in errors_of(li.post("/tasks/new", TASK | {"items": line}), "items")


def test_a_step_that_nobody_touched_keeps_its_words(li: Client) -> None:
    row = made(li)
    words = ["1. 绪论\n与记号", "- 5 到 5 的区间", "A | 2"]
    for item, content in zip(row.items.order_by("order"), words, strict=True):
        item.content = content
        item.save()
    shown = re.search(r'<textarea name="items"[^>]*>\s*(.*?)</textarea>', page_of(li, row), re.DOTALL)
    assert shown is not None
    assert li.post(f"/tasks/{row.pk}", TASK | {"name": "改了名", "items": shown[1]}).status_code == 302
    assert list(row.items.order_by("order").values_list("content", flat=True)) == words


def test_pace_and_forecast_are_told_with_weekdays(li: Client, at: Callable[..., None]) -> None:
    at(3, 3)
    row = made(li)
    item = placed(li, row)
    at(3, 11)
    li.post(f"/today/items/{item.pk}", {"progress": "done"})
    page = page_of(li, row)
    for words in ("完成的节数", "现在每周", "赶上截止要每周", "照现在的速度", "完成"):
        assert words in page
    assert "月 29 日 周日 截止" in li.get("/tasks").content.decode()


@pytest.mark.parametrize(
    ("change", "by_hand"),
    [
        ({"items": "行列式\n矩阵 | 3\n向量"}, True),
        ({"excluded_cells": ["2:2"]}, False),
        ({"excluded_days_of_week": ["2"]}, False),
    ],
)
def test_items_that_fit_their_changed_task_no_more_are_told(
    li: Client, at: Callable[..., None], change: dict[str, Any], by_hand: bool
) -> None:
    at(3, 3)
    row = made(li)
    TaskItem.objects.filter(pk=placed(li, row).pk).update(by_hand=by_hand)
    li.post(f"/tasks/{row.pk}", TASK)
    assert "对不上" not in li.get("/tasks").content.decode()
    li.post(f"/tasks/{row.pk}", TASK | change)
    way = '<a href="/today/catch-up?mend=1">重新安排这些</a> <a href="/week/2">在课表里移动</a>'
    told = f"有 1 项和任务现在的长度、顺序或不排的时间对不上。 {way}"
    assert told in li.get("/tasks").content.decode()
    assert told in page_of(li, row)
    english = li.get(f"/tasks/{row.pk}", headers={"Accept-Language": "en"}).content.decode()
    assert "1 step no longer fits the length" in english
    at(3, 11)
    assert "对不上" not in page_of(li, row), "what is over need not move"


def test_items_that_stand_in_another_order_than_the_task_are_told(li: Client, at: Callable[..., None]) -> None:
    at(3, 3)
    row = made(li)
    items = {item.content: item.pk for item in row.items.all()}
    later = {"week": 3, "day_of_week": 2, "start_section": 3, "end_section": 4}
    places = [{"task_item_id": items["矩阵"], **PLACE}, {"task_item_id": items["向量"], **later}]
    answer = li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": row.pk, "items": places},
        content_type="application/json",
        headers={"Idempotency-Key": "two"},
    )
    assert answer.status_code == 200, answer.content
    li.post(f"/tasks/{row.pk}", TASK | {"items": "行列式\n向量\n矩阵 | 2"})
    assert "有 2 项和任务现在的长度、顺序" in li.get("/tasks").content.decode()
