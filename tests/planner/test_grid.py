"""The time model: dates, sections, day parts, now."""

from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.grid import Calendar, Outside, Place, block_of, day_number, day_parts_of, week_and_weekday

DEFAULT = "08:00-08:45 08:55-09:40 10:15-11:00 11:10-11:55 14:00-14:45 14:55-15:40 16:15-17:00 17:10-17:55 " + (
    "19:00-19:45 19:55-20:40 20:50-21:35 21:45-22:30"
)
ELEVEN = (
    "08:00-08:40 08:45-09:25 09:40-10:20 10:25-11:05 11:10-11:50 14:00-14:40 14:45-15:25 15:40-16:20 16:25-17:05 "
    + ("19:00-19:40 19:45-20:25")
)


def table(text: str) -> tuple[tuple[time, time], ...]:
    pairs = [pair.split("-") for pair in text.split()]
    return tuple((time.fromisoformat(a), time.fromisoformat(b)) for a, b in pairs)


def calendar(times: str = DEFAULT, zone: str = "Asia/Shanghai") -> Calendar:
    return Calendar(date(2026, 3, 2), 20, table(times), zone)


@pytest.mark.parametrize(
    ("day", "week", "weekday"),
    [
        (date(2026, 3, 2), 1, 1),
        (date(2026, 3, 8), 1, 7),
        (date(2026, 4, 1), 5, 3),
        (date(2026, 5, 1), 9, 5),
        (date(2026, 6, 30), 18, 2),
        (date(2026, 7, 19), 20, 7),
        (date(2026, 6, 19), 16, 5),
    ],
)
def test_it_finds_week_and_weekday_of_a_date(day: date, week: int, weekday: int) -> None:
    found = calendar().day_of(day)
    assert found == day_number(week, weekday)
    assert week_and_weekday(found) == (week, weekday)
    assert calendar().date_of(found) == day


@pytest.mark.parametrize(("day", "before"), [(date(2026, 3, 1), True), (date(2026, 7, 20), False)])
def test_it_says_that_a_date_lies_outside_the_semester(day: date, before: bool) -> None:
    assert calendar().day_of(day) == Outside(day, before)


def test_it_derives_the_day_parts_from_the_pauses() -> None:
    assert day_parts_of(table(DEFAULT)) == ((1, 4), (5, 8), (9, 12))
    assert day_parts_of(table(ELEVEN)) == ((1, 5), (6, 9), (10, 11))
    assert calendar(ELEVEN).grid.blocks == 6
    assert [calendar().grid.is_evening(s) for s in (8, 9)] == [False, True]


def test_it_gives_the_wall_times_of_sections_in_utc() -> None:
    begin, end = calendar().interval(Place(1, 1, 2))
    assert (begin, end) == (datetime(2026, 3, 2, 0, 0, tzinfo=UTC), datetime(2026, 3, 2, 1, 40, tzinfo=UTC))


@given(
    day=st.integers(1, 140),
    first=st.integers(1, 12),
    length=st.integers(1, 4),
    zone=st.sampled_from(["Asia/Shanghai", "Europe/Berlin", "America/New_York"]),
)
def test_it_finds_the_place_of_every_interval_again(day: int, first: int, length: int, zone: str) -> None:
    place = Place(day, first, min(length, 13 - first))
    made = calendar(zone=zone)
    assert made.place_of(*made.interval(place)) == place


@pytest.mark.parametrize(
    ("local", "cell"),
    [
        ("2026-02-20T10:00", (1, 1)),
        ("2026-03-02T07:59", (1, 1)),
        ("2026-03-02T08:00", (1, 2)),
        ("2026-03-02T12:30", (1, 5)),
        ("2026-03-02T21:45", (1, 13)),
        ("2026-07-20T08:00", (140, 13)),
    ],
)
def test_now_is_the_first_cell_that_has_not_begun(local: str, cell: tuple[int, int]) -> None:
    made = calendar()
    assert made.now_cell(datetime.fromisoformat(local).replace(tzinfo=made.zone)) == cell


def test_blocks_are_double_sections() -> None:
    assert [block_of(s) for s in (1, 2, 3, 11, 12)] == [1, 1, 2, 6, 6]
