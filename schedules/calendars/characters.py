"""The characters that files of courses are written in: their encodings, and their traditional forms."""

from __future__ import annotations

_SIMPLE = str.maketrans(
    "週節單雙數課稱師點間時開結終連續學樓館場廳線網絡機禮備註說實踐驗論選專業識講類區訖",
    "周节单双数课称师点间时开结终连续学楼馆场厅线网络机礼备注说实践验论选专业识讲类区讫",
)
"""Characters of times, rooms and heads of tables that are also written in their traditional form."""
USUAL = frozenset("课程星期周节学教师时间一二三四五六上下大第")
"""Characters that a timetable can hardly do without."""
USUAL_MIN = 3
"""So many more of them make sense of bytes: a few come by chance, 丁 of GB18030 is 間 of Big5."""


def simple(words: str) -> str:
    """Returns words as they are compared with what times and heads of tables are called: character by character, so
    that what is found stands at the same place of the words, whose names stay as they are written."""
    return words.translate(_SIMPLE)


def decode_text(data: bytes) -> str | None:
    """Returns text in UTF-8 (with or without a byte order mark), GB18030 or Big5; None for bytes that are none of them.

    Bytes of one of the latter two are often bytes of the other, too: then it is Big5 that must make clearly more sense.
    """
    read = _decode(data, "utf-8-sig")
    if read is not None:
        return read
    text, traditional = _decode(data, "gb18030"), _decode(data, "cp950")
    if text is None or traditional is None:
        return text or traditional
    return traditional if _count_usual(traditional) >= _count_usual(text) + USUAL_MIN else text


def _count_usual(text: str) -> int:
    return len(USUAL.intersection(simple(text)))


def _decode(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
