"""The same problem for FET (Lalescu & Dirr's timetabler, `fet-cl`): its best translation, read back as a plan.

FET satisfies constraints, it does not minimise our objective. An item becomes an activity of the one student; its legal
starts are hard, those near its target (within one ideal distance, or in the first days of a rapid class) are wanted
with weight 95; order is hard. FET knows at most 35 days, so several days lie behind one another in a FET day.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from schedules.planner.problem import Problem
from schedules.planner.solver.class_tables import ItemTable
from schedules.planner.solver.day_spots import DaySpot
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.tables import Tables

MAX_FET_DAYS = 35
NEAR = 100
"""Target cost up to which a start is wanted: one ideal distance."""


class FetAbsent(RuntimeError):
    """`fet-cl` is not installed."""


def plan_with_fet(problem: Problem, *, seconds: int) -> int:
    """Total cost of FET's plan after at most so many seconds; what it leaves out counts as unplaced."""
    program = shutil.which("fet-cl")
    if program is None:
        raise FetAbsent("fet-cl is not installed (apt-get install fet)")
    tables = Tables(problem)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "term.fet"
        ElementTree.ElementTree(Translation(tables).document()).write(source, encoding="UTF-8", xml_declaration=True)
        command = [program, f"--inputfile={source}", f"--outputdir={folder}", f"--timelimitseconds={seconds}"]
        with suppress(subprocess.TimeoutExpired):  # FET does not always keep its limit; what it has written counts
            subprocess.run(command, capture_output=True, timeout=seconds + 5, check=False)
        return _seat(tables, _read(Path(folder)))


class Translation:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.empty = Layout(tables)
        grid = tables.grid
        self.packed = -(-grid.days // MAX_FET_DAYS)
        self.fet_days = -(-grid.days // self.packed)

    def document(self) -> Element:
        root = Element("fet", version="6.8.5")
        SubElement(root, "Institution_Name").text = "term"
        _named(root, "Days_List", "Number_of_Days", "Day", [f"d{day}" for day in range(self.fet_days)])
        hours = [f"h{hour}" for hour in range(self.packed * self.tables.sections)]
        _named(root, "Hours_List", "Number_of_Hours", "Hour", hours)
        _named(root, "Subjects_List", None, "Subject", [f"c{owner.index}" for owner in self.tables.classes])
        for empty in ("Activity_Tags_List", "Teachers_List"):
            SubElement(root, empty)
        year = SubElement(SubElement(root, "Students_List"), "Year")
        _fill(year, Name="me", Number_of_Students="0")
        activities = SubElement(root, "Activities_List")
        for item in self.tables.items:
            _fill(SubElement(activities, "Activity"), **self._activity(item))
        for empty in ("Buildings_List", "Rooms_List"):
            SubElement(root, empty)
        times = SubElement(root, "Time_Constraints_List")
        _fill(SubElement(times, "ConstraintBasicCompulsoryTime"), Weight_Percentage="100", Active="true")
        self._constraints(times)
        space = SubElement(SubElement(root, "Space_Constraints_List"), "ConstraintBasicCompulsorySpace")
        _fill(space, Weight_Percentage="100", Active="true")
        return root

    def _activity(self, item: ItemTable) -> dict[str, str]:
        length = str(item.length)
        return {
            "Subject": f"c{item.owner.index}",
            "Students": "me",
            "Duration": length,
            "Total_Duration": length,
            "Id": str(item.number + 1),
            "Activity_Group_Id": "0",
            "Active": "true",
        }

    def _constraints(self, times: Element) -> None:
        for item in self.tables.items:
            starts = list(self._starts(item))
            if starts:
                self._prefer(times, item, starts, "100")
                near = [start for start in starts if item.own_cost(start[0], start[1].first) <= NEAR]
                if near and len(near) < len(starts):
                    self._prefer(times, item, near, "95")
        for owner in self.tables.classes:
            for one, other in zip(owner.items, owner.items[1:], strict=False):
                _fill(
                    SubElement(times, "ConstraintTwoActivitiesOrdered"),
                    Weight_Percentage="100",
                    First_Activity_Id=str(one.number + 1),
                    Second_Activity_Id=str(other.number + 1),
                    Active="true",
                )

    def _starts(self, item: ItemTable) -> Iterator[tuple[int, DaySpot]]:
        for day in item.segment.masks:
            spots = item.owner.spots(item.segment, item.length, day)
            for spot in spots.spots if spots else ():
                if self.empty.is_open(day, spot):
                    yield day, spot

    def _prefer(self, times: Element, item: ItemTable, starts: list[tuple[int, DaySpot]], weight: str) -> None:
        constraint = SubElement(times, "ConstraintActivityPreferredStartingTimes")
        number = str(len(starts))
        _fill(constraint, Weight_Percentage=weight, Activity_Id=str(item.number + 1))
        _fill(constraint, Number_of_Preferred_Starting_Times=number)
        for day, spot in starts:
            fet_day, offset = divmod(day - 1, self.packed)
            hour = offset * self.tables.sections + spot.first - 1
            start = SubElement(constraint, "Preferred_Starting_Time")
            _fill(start, Preferred_Starting_Day=f"d{fet_day}", Preferred_Starting_Hour=f"h{hour}")
        _fill(constraint, Active="true")


def _fill(parent: Element, **values: str) -> None:
    for name, value in values.items():
        SubElement(parent, name).text = value


def _named(root: Element, name: str, count: str | None, tag: str, names: list[str]) -> None:
    parent = SubElement(root, name)
    if count:
        SubElement(parent, count).text = str(len(names))
    for one in names:
        SubElement(SubElement(parent, tag), "Name").text = one


def _read(folder: Path) -> dict[int, tuple[int, int]]:
    """Item number -> (FET day, FET hour) of the best timetable FET left behind."""
    files = sorted(folder.rglob("*activities.xml"), key=lambda path: ("highest" not in str(path), str(path)))
    found: dict[int, tuple[int, int]] = {}
    for activity in ElementTree.parse(files[-1]).getroot().iter("Activity") if files else ():
        day, hour = activity.findtext("Day") or "", activity.findtext("Hour") or ""
        if re.fullmatch(r"d\d+", day) and re.fullmatch(r"h\d+", hour):
            found[int(activity.findtext("Id") or 0) - 1] = (int(day[1:]), int(hour[1:]))
    return found


def _seat(tables: Tables, found: dict[int, tuple[int, int]]) -> int:
    layout = Layout(tables)
    packed = -(-tables.grid.days // MAX_FET_DAYS)
    for number, (fet_day, hour) in sorted(found.items()):
        item = tables.items[number]
        offset, section = divmod(hour, tables.sections)
        day = fet_day * packed + offset + 1
        spots = item.owner.spots(item.segment, item.length, day)
        spot = spots.by_first.get(section + 1) if spots else None
        if spot is not None and layout.is_open(day, spot):
            layout.put(item, day, spot)
    return layout.total
