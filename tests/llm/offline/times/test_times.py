"""Times in a sentence, row by row: what is said, and the days, parts and sections that are meant, read on one day.

`4-22` a day, `4-20..4-22` all days of a run, `..4-22` until, `4-22..` from; `Wed` a weekday of no certain week; `am`,
`pm`, `eve`; `s5-6` sections; `+2d`, `+1s` by how much; `every` what comes again; `not:` what is not wanted;
`impossible` what no calendar has; `-` no time.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.spans.dates import dates_in, hours_in, range_in, sections_in, week_in, weekdays_in
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.targets import avoided_in, read_target, shift_in
from agent.llm.offline.language.spans.times.reading import read_times
from tests.kits.offline.views import BASE, task_class, view

ROWS = Path(__file__).parent
STARTS = "08:00 08:55 10:15 11:10 14:00 14:55 16:15 17:10 19:00 19:55 20:50 21:45"
SEMESTER = {**BASE["semester"], "first_monday": "2026-03-02", "weeks": 20, "starts": STARTS.split()}
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def rows(language):
    today, found = "", []
    for line in (ROWS / f"{language}.txt").read_text().splitlines():
        if line.startswith("# 2026"):
            today = line[2:]
        elif "=>" in line:
            said, meant = line.split(" => ")
            found.append(pytest.param(said, today, meant, id=f"{language} {today[5:]} {said}"))
    return found


def write_day(day):
    return f"{day.month}-{day.day}"


def write_days(time):
    if time.weekdays and not (time.first or time.last):
        names = [DAYS[day - 1] for day in time.weekdays]
        return [f"..{names[-1]}"] if time.side == "until" else [f"{names[0]}.."] if time.side == "from" else names
    first, last = (write_day(day) if day else "" for day in (time.first, time.last))
    return [first if first == last else f"{first}..{last}"]


def write_time(time, term):
    if time.impossible:
        return ["impossible"]
    if time.role == "origin":
        return []
    if time.every:
        return ["every" if time.every == "1" else f"every{time.every}"]
    if time.part is not None:
        found = [("am", "pm", "eve")[time.part]]
    elif time.sections:
        first, last = time.sections
        found = [f"s{first}" if last in (None, first) else f"s{first}-{last}"]
    else:
        found = write_days(time)
    return [f"not:{one}" for one in found] if time.role == "avoided" else found


def written(text, today):
    now = {**BASE["now"], "date": today}
    brief = Brief(view(text, now=now, semester=SEMESTER))
    found = [one for time in read_times(brief.request, brief.term) for one in write_time(time, brief.term)]
    shift = shift_in(brief.request)
    if shift is not None:
        found += [f"{shift.days:+}d" if shift.days else f"{shift.sections:+}s"]
    return " ".join(dict.fromkeys(found)) or "-"


@pytest.mark.parametrize(("text", "today", "meant"), [*rows("zh"), *rows("en")])
def test_a_time_is_read_as_it_is_meant(text, today, meant):
    assert sorted(written(text, today).split()) == sorted(meant.split())


APART = re.compile(r"(?<=[年月日号第])(?=\d)|(?<=\d)(?=[年月日号节点]|周(?!\s?\d))")


@pytest.mark.parametrize(("text", "today", "meant"), rows("zh"))
def test_blanks_around_numbers_as_the_page_writes_them_change_no_time(text, today, meant):
    assert sorted(written(APART.sub(" ", text), today).split()) == sorted(meant.split())


def test_a_name_that_looks_like_a_date_keeps_its_blanks():
    classes = [task_class(5, "12 月 11 日 的作业")]
    said = "把12 月 11 日 的作业排到4 月 22 日"
    assert Brief(view(said, classes=classes, semester=SEMESTER)).request == "把12 月 11 日 的作业排到4月22日"
    assert Brief(view("内容：30 日语单词", semester=SEMESTER)).request == "内容：30 日语单词"


JOINTS = (
    "",
    " ",
    "，",
    "到",
    "、",
    " to ",
    " and ",
    "和",
    "之前",
    " before ",
    "不要",
    " not ",
    "从",
    "每",
    " of ",
    "前后",
    "号",
    "月",
)


@pytest.mark.parametrize("seed", range(60))
def test_any_times_side_by_side_are_read_in_order(seed):
    dice = random.Random(seed)
    said = [row.values[0] for row in (*rows("zh"), *rows("en"))]
    for _ in range(12):
        text = "".join(dice.choice(JOINTS) + dice.choice(said) for _ in range(dice.randint(2, 4)))
        brief = Brief(view(text, now={**BASE["now"], "date": "2026-04-08"}, semester=SEMESTER))
        found = read_times(brief.request, brief.term)
        assert [one.start for one in found] == sorted(one.start for one in found), text
        assert all(one.first <= one.last for one in found if one.first and one.last), text
        for reader in (dates_in, hours_in, range_in, sections_in, week_in, days_in, read_target, avoided_in):
            reader(brief.request, brief.term)
        assert set(weekdays_in(brief.request)) <= set(range(1, 8)), text
