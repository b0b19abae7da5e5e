"""What is wrong with a course file, in the words of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import get_language, gettext, gettext_noop

from schedules.calendars.readers.course_table import COLUMNS, DOUBLED, EMPTY, LACKING

TABLE_FAULTS = {
    EMPTY: gettext_noop("文件是空的"),
    LACKING: gettext_noop("表头里没有这些列：{columns}。表头照这样写就能读。"),
    DOUBLED: gettext_noop("表头里不止一列：{columns}。"),
}
"""What is said of a table that is not read, once for all columns that are meant."""
Fault = Mapping[str, str]


def is_of_table(fault: Fault) -> bool:
    """Tells whether a fault of a refusal is one of the table as a whole."""
    return fault["message"] in TABLE_FAULTS and fault["field"].startswith("file.")


def table_sentences(faults: Sequence[Fault]) -> list[str]:
    """Returns a sentence for all faults of a table that are of the same kind, with the headings that are read."""
    columns: dict[str, list[str]] = {}
    for fault in filter(is_of_table, faults):
        columns.setdefault(fault["message"], []).append(fault["field"].removeprefix("file."))
    return [
        gettext(TABLE_FAULTS[message]).format(columns=gettext("、").join(map(_heading, _joined(names))))
        for message, names in columns.items()
    ]


def _joined(names: Sequence[str]) -> list[str]:
    """Returns the names with one column for the sections, where neither of the two that could stand for it is there."""
    if not {"start_section", "end_section"} <= {*names}:
        return [*names]
    return ["sections" if name == "start_section" else name for name in names if name != "end_section"]


def _heading(name: str) -> str:
    """Returns how a column may be headed, in the language of the page."""
    return name if (get_language() or "").startswith("en") else COLUMNS[name][0]
