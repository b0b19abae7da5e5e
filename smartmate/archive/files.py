"""An archive as an uploaded file: of a large one only its beginning is held in memory."""

from __future__ import annotations

import json
import re
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from taskclasses.kernel.errors import bad_request, too_large

ARCHIVE_MAX = 256 * 1024 * 1024
"""Bytes of a file."""
BODY_MAX = ARCHIVE_MAX + 1024 * 1024
"""Bytes of a form that holds one."""
TABLES_END = 16 * 1024 * 1024
"""Within so many bytes its tables end: what was said in years stands behind them and is not taken in."""
DECODER = json.JSONDecoder()


def file_read(upload: UploadedFile | None) -> Any:
    """Returns the document of a file, or of a large one what it has up to its tables. 40005, 40006."""
    if upload is None:
        raise bad_request("file", "缺少该字段")
    size = upload.size or 0
    if size > ARCHIVE_MAX:
        raise too_large("file", ARCHIVE_MAX)
    head = upload.read(TABLES_END)
    try:
        return json.loads(head) if size <= TABLES_END else _read_head(head.decode(errors="ignore"))
    except (ValueError, RecursionError) as error:
        raise bad_request("file", "不是有效的 JSON 文件") from error


def _read_head(text: str) -> dict[str, Any]:
    """Returns the members of a JSON object up to its tables, of which a text holds the beginning; raises ValueError."""
    found: dict[str, Any] = {}
    place = _expect("{", text, 0)
    while "tables" not in found:
        name, place = DECODER.raw_decode(text, place)
        found[str(name)], place = DECODER.raw_decode(text, _expect(":", text, place))
        if "tables" not in found:
            place = _expect(",", text, place)
    return found


def _expect(mark: str, text: str, place: int) -> int:
    """Returns where what follows a mark begins; blanks may stand on both sides of it."""
    found = re.compile(rf"\s*{re.escape(mark)}\s*").match(text, place)
    if found is None:
        raise ValueError(place)
    return found.end()
