"""That something goes to a time unless something is on there: 除非那天已经有东西了."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text

_UNLESS = re.compile(
    r"[,;]?\s*\bunless (?:there(?:'s| is| are)|i(?:'ve| have)(?: got)?|something(?:'s| is)|it(?:'s| is)|that(?:'s| is)"
    r"|(?:that|the) day(?:'s| is)) (?:already )?(?:something|anything|stuff|things|sth|lessons?|lectures?|(?:a )?class"
    r"(?:es)?|on|there|taken|occupied|booked)\b[^,.;]*"
    r"|[,，;；]?\s*除非[^,，。;；]{0,10}(?:有[^,，。;；]{0,6}(?:东西|安排|课|事|任务|内容)|排了|占了?)[^,，。;；]*"
    r"|[,，;；]?\s*(?:如果|要是|若)[^,，。;；]{0,8}有(?:东西|安排|课|事|别的)[^,，。;；]{0,4}[,，]?(?:就|那就)"
    r"(?:算了|不[动移挪]|别[动移挪])[^,，。;；]*"
)


def find_unless(message: str) -> str:
    """The words that make a move depend on nothing being on yet where it goes; empty for none."""
    found = _UNLESS.search(fold_text(message))
    return found.group() if found else ""
