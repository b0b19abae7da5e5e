"""The text of a body: charset of the header, then byte order mark, then `<meta>`, then a guess."""

from __future__ import annotations

import codecs
import re

META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]{1,40})", re.IGNORECASE)
NAME = re.compile(r"[a-z0-9_.:-]{1,40}")
NOT_FOR_PAGES = frozenset(
    {"idna", "punycode", "undefined", "unicode_escape", "unicode-escape", "raw_unicode_escape", "raw-unicode-escape"}
)
"""Python's own codecs, which no page is written in and which do not replace what they cannot read."""
HEAD = 4096
WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030", "x-gbk": "gb18030", "cp936": "gb18030"}
"""Names that pages use for less than they contain."""
MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode_body(body: bytes, header: str, *, html: bool) -> str:
    """Decodes a body and never fails: bytes that do not fit the charset are replaced."""
    name = (
        find_codec(header)
        or read_byte_order_mark(body)
        or (read_declared_charset(body) if html else "")
        or guess_charset(body)
    )
    return body.decode(name, errors="replace").lstrip("\ufeff")


def find_codec(name: str) -> str:
    """Finds the codec of a charset name, empty when Python has no text codec of that name."""
    name = WIDER.get(name.lower(), name.lower())
    if not NAME.fullmatch(name) or name in NOT_FOR_PAGES:
        return ""
    try:
        return name if codecs.lookup(name)._is_text_encoding else ""
    except LookupError:
        return ""


def read_byte_order_mark(body: bytes) -> str:
    return next((name for mark, name in MARKS if body.startswith(mark)), "")


def read_declared_charset(body: bytes) -> str:
    found = META.search(body[:HEAD])
    return find_codec(found[1].decode("ascii")) if found else ""


def guess_charset(body: bytes) -> str:
    for name in ("utf-8", "gb18030"):
        try:
            body.decode(name)
        except UnicodeDecodeError:
            continue
        return name
    return "utf-8"
