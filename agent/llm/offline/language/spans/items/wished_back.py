"""Which of the changes before are wished back, where a request tells more than that the last one is: the first two,
both, all but the last, the swap, only matrices, everything as it was this morning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.spans.items.groups import EXCEPTION
from agent.llm.offline.language.spans.items.mention_signs import Mentions, fold_mentions, rows_of, sign_mentions
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.revert import Places, Step, find_steps, is_plan
from agent.llm.offline.language.spans.targets import shift_in, target_in

_LONGEST = 80
_AS_BEFORE = re.compile(
    r"(?:还是|保持|回到|像|跟|和)?(?:原来|原先|以前|之前)(?:那样|的?样子?|的?时间)|原样"
    r"|\b(?:as|where|how|the way) (?:it|they) (?:was|were|used to be)\b"
)
_BACK = re.compile(
    rf"撤(?:[销回了掉]|(?=[吧呗。!]*$))|恢复|还原|[放换挪退调搬]回(?:去|来|原|最)|{_AS_BEFORE.pattern}"
    r"|\b(?:undo|revert|reverse|roll back|take back|(?:go|went) back|back to (?:how|where|the way"
    r"|its? (?:old|original))|(?:put|take) (?:\S+ ){1,6}?back)\b"
)
_PAST = re.compile(
    r"(?:成|到|像|跟|和|回)*(?:今天|今早|早上|上午|昨天|之前|刚才|刚刚|[最1一]?开始|最初|原来|原先|以前)(?:那样|的?样子?|一样"
    r"|[改动挪弄]过?的(?:东西)?|那|的?(?:位置|时间|地方|状态))*"
    r"|\b(?:to |like )?(?:the way|how|as|where|what|like)\b(?: (?:it|they|things|that|everything|all))?"
    r" (?:was|were|used)\b.*$|\b(?:that )?(?:i|we|you)(?:'ve| have)? (?:did|done|changed|moved|made)\b.*$"
)
"""When that was which is wished back: no time where anything is to go."""
_START = re.compile(r"最[初开早]|[1一]开始|\b(?:original(?:ly)?|(?:the|at) (?:start|first|beginning))\b")
_ITS_PLACE = re.compile(r"地方|位置|时间|\b(?:its?|place|time|slot|spot)\b")
_EVERY = re.compile(r"全部|所有|一切|都|\b(?:everything|all)\b")
_UNIT = r"(?:个|次|步|处|条|回)(?:改动|修改|操作|变动)?"
_BOTH = re.compile(rf"[两2]{_UNIT}|\bboth\b")
_LAST_ONE = re.compile(rf"最后(?:那|1|一)*{_UNIT}|\b(?:last|latest)(?: (?:one|change|move|edit|1))?(?! \d)\b")
_NTH = re.compile(
    rf"第(\d+){_UNIT}|\b(1st|first|2nd|second(?! thought)|3rd|third)(?: (?:one|change|move|edit))?\b(?! \d| two| three)"
)
_RUN = re.compile(
    rf"(?P<zh_side>前|最后|后|头|最?近|刚才那?|上)(?P<zh>\d){_UNIT}|\b(?P<side>first|last|previous) (?P<en>\d)\b"
)
COUNTS = re.compile("|".join(re.sub(r"\?P<\w+>", "", one.pattern) for one in (_RUN, _NTH, _LAST_ONE, _BOTH)))
_NTHS = {"1st": 1, "first": 1, "2nd": 2, "second": 2, "3rd": 3, "third": 3}


def read_wished_back(message: str, brief: Brief) -> list[Step] | None:
    """The changes that a request chooses to take back, oldest first, each with the items that are meant; none where it
    names what was not changed, and None where it chooses nothing."""
    text = fold_mentions(brief.read_words(message))
    if len(message) > _LONGEST or not _BACK.search(text) or asks_whether(message) or not brief.tasks:
        return None
    steps = find_steps(brief)
    steps = steps[1:] if steps and is_plan(steps[0]) else steps
    signed, known = sign_mentions(text, brief, all_items(brief))
    rest = fold_numbers(_PAST.sub(" ", signed))
    if any(sign in signed for sign, (_, kind, _) in known.items() if kind != "item") or _goes_elsewhere(rest, brief):
        return None
    spared = " ".join(match.group() for match in EXCEPTION.finditer(rest))
    named = _find_named(signed, known)
    if not named and not COUNTS.search(rest):
        part = items_in(spared or rest, brief)
        named = [row["item_id"] for row in part] if len(part) == 1 else []
    if named and any(step.values for step in steps):
        return None  # what else was changed goes back with the places
    if spared:
        return _choose_but(spared, named, steps, brief)
    if named:
        return _choose_of(named, text, steps, brief)
    if steps and _START.search(text) and _ITS_PLACE.search(text) and not _EVERY.search(rest):
        return _of_items(steps, lambda item: item in steps[-1].places)
    return _choose_steps(rest, text, steps, brief)


def _goes_elsewhere(rest: str, brief: Brief) -> bool:
    return target_in(rest, brief).dated or bool(shift_in(rest))


def _find_named(signed: str, known: Mentions) -> list[int]:
    text = "".join(char for char in signed if char in known and known[char][1] == "item")
    return [row["item_id"] for _, row in rows_of(text, known)]


def _choose_but(spared: str, named: Sequence[int], steps: list[Step], brief: Brief) -> list[Step] | None:
    """All changes but those of the items named, or but the first or the last one."""
    if named:
        return _of_items(steps, lambda item: item not in named)
    return _drop_chosen(_choose_one(spared, steps, brief), steps)


def _drop_chosen(chosen: list[Step] | None, steps: list[Step]) -> list[Step] | None:
    return None if chosen is None else [one for one in steps if one not in chosen]


def _choose_of(named: Sequence[int], text: str, steps: list[Step], brief: Brief) -> list[Step] | None:
    """The last change of each of the items named; all of them where the start is meant. An item without a place that
    was not taken out goes anywhere."""
    own = _of_items(steps, lambda item: item in named)
    if _START.search(text):
        return own
    last = {item: step for step in own for item in step.places}
    if own and any(item not in last for item in named):
        return None  # something else is wanted of the others
    waits = any(not row["slot"] for row in brief.tasks if row["item_id"] in named)
    if not own and (waits or not steps):
        return None
    return [one for one in own if one in last.values()]


def _of_items(steps: list[Step], is_meant: Callable[[int], bool]) -> list[Step]:
    found = list[Step]()
    for step in steps:
        places: Places = {item: sides for item, sides in step.places.items() if is_meant(item)}
        found += [Step({}, places)] if places else []
    return found


def _choose_steps(rest: str, text: str, steps: list[Step], brief: Brief) -> list[Step] | None:
    """The changes that are counted, or told by what they did."""
    if not steps:
        return None
    if run := _RUN.search(rest):
        many = int(run["zh"] or run["en"])
        return steps[:many] if (run["zh_side"] or run["side"]) in ("前", "头", "first") else steps[-many:]
    if (one := _choose_one(rest, steps, brief)) is not None:
        return one
    if (kind := _find_kind(rest)) is not None:
        return [one for one in steps if kind(one)][-1:]
    if _BOTH.search(rest):
        return steps[-2:]
    if _EVERY.search(rest) and _PAST.search(text):
        return steps
    return None


def _choose_one(text: str, steps: list[Step], brief: Brief) -> list[Step] | None:
    """The change that an ordinal counts; none where there are not so many."""
    if _LAST_ONE.search(text):
        return steps[-1:]
    if nth := _NTH.search(text):
        number = int(nth[1]) if nth[1] else _NTHS[nth[2]]
        return _of_nth_item(number, steps, brief) or steps[number - 1 : number]
    return None


def _of_nth_item(number: int, steps: list[Step], brief: Brief) -> list[Step]:
    """The place of the item that an ordinal counts, where the one change there is moved several and told them."""
    places = steps[0].places if len(steps) == 1 and not steps[0].values else {}
    told = str(brief.earlier[-1]["text"]) if brief.earlier else ""
    rows = sorted((told.find(row["name"]), row["item_id"]) for row in brief.tasks if row["item_id"] in places)
    if not 1 < len(rows) >= number or rows[0][0] < 0:
        return []
    return _of_items(steps, lambda item: item == rows[number - 1][1])


def _find_kind(text: str) -> Callable[[Step], bool] | None:
    """What a change did that is told by a noun: the swap, the move, what was taken out."""
    return next((does for words, does in _KINDS if words.search(text)), None)


def _swaps(step: Step) -> bool:
    sides = [(one and (one["week"], one["day_of_week"]), two and (two["week"], two["day_of_week"]))
             for one, two in step.places.values()]  # fmt: skip
    return len(sides) == 2 and sides[0] == sides[1][::-1]


def _takes_out(step: Step) -> bool:
    return bool(step.places) and all(after is None for _, after in step.places.values())


def _moves(step: Step) -> bool:
    return bool(step.places) and all(before and after for before, after in step.places.values())


_KINDS = (
    (re.compile(r"(?:换|对调|交换)(?:的|了)?那?[个次步]|\b(?:the|that) swap\b"), _swaps),
    (re.compile(r"(?:移出|拿[掉走出]|取出|撤出)(?:的|了)?那?[个次步]|\b(?:the|that) removal\b"), _takes_out),
    (re.compile(r"(?:移动?|挪动?|改)(?:的|了)?那?[个次步]|\b(?:the|that) (?:move|shift)\b"), _moves),
)  # fmt: skip
