"""One request about items as a whole: which, but which not, where to, within which limits, what of it was not read.

The words of a request go to one slot each. Mentions of items become single signs first, so that what stands around
them can be told in short forms: what is left out, what alone is meant, how much a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.remember import remember_found
from agent.llm.offline.language.spans.items.beside import BESIDE, CLOSE, CLOSE_BY, SIGN, SIGNS, Side, wants_close
from agent.llm.offline.language.spans.items.groups import Group, select_by_time, takes_waiting
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals, spoken_of
from agent.llm.offline.language.spans.mentions import KINDS, LABEL, STATE_ID, find_pieces, without_mistakes
from agent.llm.offline.language.spans.targets import (
    SHIFT,
    PlaceTarget,
    Shift,
    join_times,
    place_of,
    shift_in,
    way_in,
    way_to,
)
from agent.loop.view_document import TaskView

_FIRST_SIGN, _MOST_SIGNS = 0xE000, 0x100
_LIST = (
    rf"(?:(?:the|my|those|these|all) |所有的?|全部)*{SIGN}"
    rf"(?:(?:\s|[、,，&]|[和与跟及的]|以及|还有|\band\b|\bor\b|\bof\b|\bthe\b|\bplus\b|\bas well as\b)*{SIGN})*"
)
"""Signs side by side."""
_NEAR = _LIST.replace("[、,，&]", "[、&]")
"""Signs that no comma divides."""
_STAYS_ZH = (
    r"(?:先|就|都|还是|请|继续)*(?:别动|不要?动|别改|不要?改|别碰|不用动|不用管|别管|除外|例外|不算|[之以]?外"
    r"|保持(?:不变|原样|现状|原来)?"
    r"|留着|留在原[处地位]|照旧|不变|不参与)(?:不动|不变)?"
)
_STAYS_EN = (
    r"(?:where|as) (?:it|they) (?:is|are|'s)|alone|in place|there|put|out(?: of (?:it|this|that))?"
    r"|untouched|unchanged|be"
)
_BUT_EN = (
    r"(?:except(?: for)?|excluding|but not|but(?= (?:the |my )*["
    + SIGNS
    + r"])|apart from|aside from|besides|bar|other than"
    r"|not counting|not including|minus|(?<!why )(?<!if )not)"
)
_LEFT_OUT = tuple(
    re.compile(form)
    for form in (
        rf"[(]?\s*(?:但是?|不过|只有|把|就)*\s*(?P<what>{_NEAR})\s*的?{_STAYS_ZH}\s*[)]?",
        rf"(?:除(?!非)[了去]?|不包括|不含|排除|撇开)\s*(?P<what>{_NEAR})(?:之外|以外|除外|外)?",
        rf"[(]?(?:但是?|不过)?(?:请|千万)*(?:别|不要|不许|不用|不想)再?(?:去)?(?:移动|改动|变动|影响|动|碰|挪"
        rf"|改)到?\s*(?P<what>{_NEAR})[)]?",
        rf"[(]?(?:但是?|不过)?(?:留着|保留|留下)\s*(?P<what>{_NEAR})(?:不动|别动)?[)]?",
        rf"[(]?\s*(?:(?:and|but|just|please) )*(?:leave|keep|leaving|keeping) (?P<what>{_NEAR})"
        rf"(?: (?:{_STAYS_EN})| ?(?=[,.;)]|$| and (?:move|put|shift|push|place|bring)\b))\s*[)]?",
        rf"[(]?{_BUT_EN} (?P<what>{_NEAR})\s*[)]?",
        rf"[(]?\s*(?:(?:and|but) )*(?:without|don't|do not|please don't)(?: (?:touch|mov|chang|shift)(?:e"
        rf"|ing)?)+ (?P<what>{_NEAR})\s*[)]?",
        rf"[(]?\s*(?:(?:and|but|while) )*(?P<what>{_NEAR}) (?:(?:can|should|must|may|has to|have to|shall|is to"
        rf"|are to) )?"
        r"(?:stays?|remains?)(?: put| there| (?:where|as) (?:it|they) (?:is|are)| the same| in place| out)*\s*[)]?",
    )
)
"""What is left as it is, or out of it."""
_TAKEN_BACK = tuple(
    re.compile(form)
    for form in (
        rf"(?P<what>{_NEAR})的?(?:就|那[个项])?(?:不用|取消|撤销|撤回|算了|不要|不[挪移推改]|别[推挪移])(?:了|吧|动)*",
        rf"\b(?:cancel|undo|forget|skip|never mind|drop|not) (?P<what>{_NEAR})",
    )
)
"""What of a change that is open is not to be made."""
_ONLY = re.compile(
    rf"[(]?只(?:动|移动|移|挪|要|限|包括|针对)?\s*(?P<what>{_NEAR})(?:就行|就好|的?部分)?[)]?"
    rf"|[(]?\b(?:only|just) (?:(?:the|my) )?(?P<what2>{_NEAR})(?: (?:though|please))?[)]?"
)
_OTHERS = re.compile(
    r"(?:其[他余它]|别的|另外的|剩下)的?(?:任务|内容|东西|安排|项目|章节)?|\b(?:(?:every|any|no)thing else"
    r"|the others?|the rest"
    r"|(?:the )?other (?:chapters|units|labs|items|tasks|things|stuff|ones)|all (?:the )?others?)\b"
)
_DAILY = re.compile(
    r"[,，]?\s*(?:但|并且|而且)?(?:每|1)(?P<zh_per>天|日|晚上?|周|个?星期)(?:都|就|也|里)*"
    r"(?:最多|至多|顶多|不(?:要|能)?超过|别超过|不多于|控制在|只|仅)?(?:能|可以|要|许)?(?:放|排|安排|学|做|看"
    r"|背|搞|弄)?"
    rf"(?:不(?:要)?超过|最多)?\s*(?P<zh_n>\d)\s*(?P<zh_unit>个(?!周|月|小时)|项|样|次|章|节|{SIGN})(?:任务"
    rf"|内容|{SIGN})?(?:以内|以下|就[行好够])?"
    r"|[,，]?\s*(?:最多|不超过)(?:每|1)天\s*(?P<zh_n2>\d)\s*(?:个|项)"
    r"|[,，]?\s*\b(?:(?:and|but|with|so) )*(?:(?:at most|(?:no|not|never) more than|max(?:imum)?(?: of)?|up to"
    r"|only|just) )?"
    rf"(?P<n>\d|an?|one)(?: (?P<unit>items?|things?|tasks?|sections?|sessions?|of (?:them|these)|{SIGN}))?"
    r" ?(?:a|per|each|every|on (?:any|each|one|a)(?: one)?|in (?:a|one)|for each) (?:single |given )?"
    r"(?P<per>day|week|evening|night)\b(?: (?:at most|max(?:imum)?))?"
)
"""How much a day or a week."""
_AT_LEAST = re.compile(r"(?:至少|起码|最少|不少于|\bat least|\bminimum(?: of)?)\s*$")
_IN_TURN = re.compile(
    r"[,，]?(?:仍然|还是|要|请)?(?:按照?|保持|依照)(?:原来|原有|这个|上面|现在)?的?(?:先后)?(?:顺序"
    r"|次序)(?:不变|排|来)?"
    r"|[,，]?\s*\b(?:and )?(?:(?:still )?in (?:this|that|the same|order|their) ?(?:order|turn)?|keeping (?:the"
    r"|their) order|one after the other)\b"
)
_EMPTY_CLAUSE = re.compile(r"\s*[,，]\s*(?=[,，])[,，]\s*")
_WEEKDAY = re.compile(r"(?<=[周期拜])([1-6]) (?!节)")
_BEHIND_TIME = re.compile(
    r"^\s*(?:(?:之|以)?[前后]|起|开始|为止|那[天日周]|的?(?:日子|时候|时间)|on(?:wards?)?\b|or (?:later|earlier)\b)*"
)
_BEFORE_TIME = re.compile(
    r"(?:从|自|在|到|至|\b(?:before|after|by|until|till|from|since|between|and|no later than|not before|the|on|in"
    r"|some day)\s)*\s*$"
)
"""The words that belong to a time."""
_SAME_DAY = re.compile(
    r"(?:仍然?|还是|都)?(?:在|留在)?(?:各自的?|原来的?)?(?:同[1一]?天|当[天日]|原来那天|那[天日]|当(?=晚))的?"
    r"|\b(?:(?:of|on|for) )?(?:the "
    r"|that )?(?:same|that) days?(?:'s)?\b"
)
_WEEK_BESIDE = re.compile(
    r"[到至进](?:(?:之|紧接着)?后(?:面|边)?的?|紧接着的?|(?P<before>(?:之)?前(?:面|边)?的?))(?:那)?[1一]个?(?:周|星期|礼拜)"
    r"(?![一二三四五六日天末])|\b(?:in|on)?to the (?:week (?:after|(?P<en_before>before))(?: that| it)?|following week)"
    r"(?! next)(?=\W*$|[,.;]| (?:and|but|instead)\b)"
)
"""The week beside that of an item: into the week after."""
_SEVERAL_EACH = re.compile(r"分别|各自放|依次放|\brespectively\b")


@dataclass(frozen=True)
class Arrangement:
    """What a request wants of its items, a slot each."""

    items: list[TaskView]
    spared: list[TaskView] = field(default_factory=list)
    """What the request names to be left as it is."""
    target: PlaceTarget = field(default_factory=PlaceTarget)
    then: PlaceTarget = field(default_factory=PlaceTarget)
    """Where it goes where the target has no room."""
    shift: Shift | None = None
    way: int = 0
    way_to: int = 0
    """Whether the target is later (1) or earlier (-1) than the place."""
    avoided: tuple[PlaceTarget, ...] = ()
    own_day: bool = False
    weeks_on: int = 0
    """By how many weeks another week than its own is meant for each item."""
    leaves: bool = False
    """Whether the items are to leave the time at which they are, whichever they go to."""
    beside: tuple[Side, TaskView, int] | None = None
    """How the items are to stand to another one, and by how many days."""
    a_day: int = 0
    a_week: int = 0
    group: Group | None = None
    """What a time picks, where the items are picked by one."""
    named: bool = False
    """Whether the items are named one by one."""
    narrowed: bool = False
    """Whether something is left out, or limited."""
    left: str = ""
    """The words that no slot took."""

    @property
    def goes(self) -> bool:
        """Whether it says where or which way."""
        return (
            self.target.said
            or self.shift is not None
            or self.way != 0
            or self.own_day
            or self.leaves
            or self.weeks_on != 0
            or self.beside is not None
        )


@remember_found
def read_arrangement(message: str, brief: Brief) -> Arrangement | None:
    """The slots of a request about items; None where it tells of each item for itself, or of none that is known."""
    if not brief.tasks:
        return None
    found = _read_slots(message, brief)
    return found.wanted if found.known and not found.each else None


def amend_arrangement(wanted: Arrangement, turn: str, brief: Brief) -> Arrangement | None:
    """A request as a later turn changes it, which says otherwise where to, how many or which not; None where the turn
    does not change it."""
    text, on_days = _take_days_back(_WRONG.sub("", fold_text(turn)), wanted, brief)
    found = _read_slots(text, brief, out_of=(*_LEFT_OUT, *_TAKEN_BACK))
    said = found.wanted
    beside = said.beside[1] if said.beside else None
    given = [row for row in find_mentioned(text, brief) if row != beside]
    if found.each or said.group or any(row not in wanted.items for row in given):
        return None
    spared = [row for row in wanted.items if row in said.spared or row in on_days]
    chosen = [row for row in found.only or given if row in wanted.items and row not in spared]
    if (found.only and not chosen) or (chosen and not (found.only or says("correction", fold_text(turn)))):
        return None
    span = _span_alone(turn) if wanted.shift and not said.shift else ""
    shift = _as_before(wanted.shift, span) if span and wanted.shift else said.shift
    if not (spared or chosen or shift or said.goes or said.avoided or said.a_day or said.a_week):
        return None
    items = [row for row in chosen or wanted.items if row not in spared]
    moves = shift is not None or said.goes
    return replace(
        wanted,
        items=items,
        spared=[*wanted.spared, *spared],
        target=wanted.target.then(said.target) if said.target.said else PlaceTarget() if moves else wanted.target,
        shift=shift if moves else wanted.shift,
        way=said.way if moves else wanted.way,
        weeks_on=said.weeks_on if moves else wanted.weeks_on,
        beside=said.beside if moves else wanted.beside,
        avoided=(*wanted.avoided, *said.avoided),
        own_day=said.own_day or wanted.own_day,
        a_day=said.a_day or wanted.a_day,
        a_week=said.a_week or wanted.a_week,
        narrowed=True,
        left=f"{wanted.left} {said.left}",
    )


_GIVEN_BACK = re.compile(
    r"不用|不要|撤[销回]|取消|算了|别动|留着|\b(?:undo|revert|cancel|never mind|forget|leave|skip)\b"
)


def _take_days_back(turn: str, wanted: Arrangement, brief: Brief) -> tuple[str, list[TaskView]]:
    """A turn without the clauses that leave the items of a day out after all, and these items: 26号的不用了."""
    before = {row["state_id"]: row["slot"] for row in brief.tasks_before}
    rows: list[TaskView] = []
    for clause in re.split(r"[,，。;；]|但是?|\bbut\b", turn) if wanted.group else ():
        times = [one for _, _, found in join_times(clause, brief) for one in found]
        there = place_of(times, brief.term) if times and _GIVEN_BACK.search(clause) else PlaceTarget()
        own = [row for row in wanted.items if (slot := before[row["state_id"]]) and there.dated and there.covers(slot)]
        turn = turn.replace(clause, " ") if own else turn
        rows += own
    return turn, rows


_WRONG = re.compile(r"^(?:(?:不对|不是|不|错了|[记说打]错了|其实|no|nope|sorry|actually|wait|oh|hmm)[,，.\s]+)+")
_SPAN = re.compile(r"(\d{1,2}|\b(?:an?|one|two|three|four)\b)\s*个?(?:天|周|星期|节|days?\b|weeks?\b|sections?\b)")
_ENOUGH = re.compile(r"够|就行|就好|\b(?:enough|rather|only|will do|is fine)\b")


def _span_alone(turn: str) -> str:
    """By how much, where a turn says nothing else: no, two days; one day is enough."""
    text = fold_numbers(turn)
    found = _SPAN.search(text)
    return found.group() if found and not strip_fillers(_ENOUGH.sub(" ", text.replace(found.group(), " "))) else ""


def _as_before(shift: Shift, span: str) -> Shift | None:
    """A shift by another span in the direction of the one before."""
    earlier = shift.days < 0 or shift.sections < 0
    if span[-1:].isascii():
        return shift_in(f"{span} {'earlier' if earlier else 'later'}")
    return shift_in(f"{'提前' if earlier else '推迟'}{span}")


@dataclass(frozen=True)
class _Slots:
    """What was read: whether items are `known`, whether it tells of `each` for itself, and what `only` is meant."""

    wanted: Arrangement
    known: bool
    each: bool
    only: list[TaskView]


def _read_slots(message: str, brief: Brief, *, out_of: tuple[re.Pattern[str], ...] = _LEFT_OUT) -> _Slots:
    text, said = sign_mentions(fold_mentions(message), brief)
    text, out = _take(text, out_of, said)
    text, beside = _take_beside(text, said)
    text, only = _take(text, (_ONLY,), said)
    daily = [one for one in _DAILY.finditer(text) if not _AT_LEAST.search(text[: one.start()]) and _size(one)]
    text = _cut(text, daily)
    ordered = _IN_TURN.search(text) is not None
    text = _IN_TURN.sub(" ", text)
    spared = [row for _, row in _rows_of(out, said)]
    narrow = [row for _, row in _rows_of(only, said)]
    plain = re.sub(r"\s+", " ", restore_mentions(text, said))
    named, group = _items(text, plain, said, brief, others=spared, out=out)
    items = [row for row in named if row not in spared and (not narrow or row in narrow)]
    rest = group.rest if group else "".join(" " if char in said else char for char in text)
    found = Arrangement(
        items,
        spared,
        group=group,
        named=group is None and any(said[char][1] == "item" for char in text if char in said),
        narrowed=bool(out or only or daily or ordered or beside),
        beside=beside,
        a_day=_count(daily, "day", text),
        a_week=_count(daily, "week", text),
    )
    each = _tells_each(text, brief, group)
    return _Slots(_with_time(found, rest, brief), bool(named), each, narrow)


def fold_mentions(message: str) -> str:
    """A message with digits, except for those of weekdays."""
    text = spell_out_ordinals(without_mistakes(fold_numbers(message)))
    return _WEEKDAY.sub(lambda day: "一二三四五六"[int(day[1]) - 1], text)


def read_spared(message: str, brief: Brief) -> list[TaskView]:
    """The items that a message names to be left as they are."""
    text, said = sign_mentions(fold_mentions(message), brief)
    return [row for _, row in _rows_of(_take(text, _LEFT_OUT, said)[1], said)] if brief.tasks else []


def find_mentioned(message: str, brief: Brief) -> list[TaskView]:
    """The items that a message names one by one, whatever it says of them."""
    text, said = sign_mentions(fold_mentions(message), brief)
    rows = _rows_of("".join(char for char in text if char in said), said)
    return [row for sign, row in rows if said[sign][1] == "item"]


def joins_items(before: str, behind: str, brief: Brief) -> bool:
    """Whether two pieces of a text are divided inside a list of items."""
    first, _ = sign_mentions(fold_mentions(before), brief)
    then, said = sign_mentions(fold_mentions(behind), brief)
    listed = re.search(rf"{SIGN}\s*(?:and|和|与|,|，|、)?\s*$", first) and re.match(SIGN, then.strip())
    return listed is not None and said[then.strip()[0]][1] == "item"


def without_spared(message: str, brief: Brief) -> str:
    """A message without what it names to be left as it is; empty where it names nothing."""
    text, said = sign_mentions(fold_mentions(message), brief)
    text, out = _take(text, _LEFT_OUT, said)
    return restore_mentions(text, said).strip() if out else ""


def _with_time(found: Arrangement, rest: str, brief: Brief) -> Arrangement:
    """An arrangement with where the rest of the words wants it."""
    weeks = _WEEK_BESIDE.search(rest)
    weeks_on = (-1 if weeks["before"] or weeks["en_before"] else 1) if weeks else 0
    rest = _WEEK_BESIDE.sub(" ", rest)
    own_day = _SAME_DAY.search(rest) is not None
    shift, way = shift_in(rest), way_in(rest)
    rest = _SAME_DAY.sub(" ", rest)
    left = SHIFT.sub(" ", rest) if shift else rest
    for first, last, _ in reversed(join_times(left, brief)):
        left = f"{_BEFORE_TIME.sub(' ', left[:first])} {_BEHIND_TIME.sub(' ', left[last:])}"
    times = [times for _, _, times in join_times(rest, brief)]
    refused = [[time for time in one if time.role == "avoided"] for one in times]
    avoided = tuple(place_of(one, brief.term) for one in refused if one)
    target = place_of([time for one in times for time in one if not time.role], brief.term)
    group = found.group
    if group is not None and group.there.week and not group.there.days and target.days and not target.week:
        target = replace(target, week=group.there.week)  # weekdays are those of the week that is picked
    leaves = group is not None and says("sent_away", rest) and (not target.said or target == group.there)
    leaves = leaves or (says("other_day", rest) and not target.said)
    if leaves and group is not None:
        avoided, target = (*avoided, group.there), PlaceTarget()
    return replace(
        found, target=target, weeks_on=weeks_on, shift=shift,
        way=0 if shift else way, way_to=way_to(rest), avoided=avoided, own_day=own_day, leaves=leaves,
        narrowed=found.narrowed or own_day or bool(avoided), left=left,
    )  # fmt: skip


def sign_mentions(
    text: str, brief: Brief, tasks: Sequence[TaskView] | None = None
) -> tuple[str, dict[str, tuple[str, str, list[TaskView]]]]:
    """The text with a sign for each mention of the draft's items, or of these `tasks`, and for each sign its words, its
    kind and the items."""
    spans: list[tuple[int, int, str, list[TaskView]]] = []
    tasks = brief.tasks if tasks is None else tasks
    for row in tasks:
        for form in _forms_of(row["name"]):
            spans += [(one.start(), one.end(), "item", [row]) for one in form.finditer(text)]
    by_id = {row["state_id"]: row for row in brief.tasks}
    for one in STATE_ID.finditer(text):
        number = next((int(group) for group in one.groups() if group), 0)
        spans += [(one.start(), one.end(), "item", [by_id[number]])] if number in by_id else []
    for owner in brief.classes:
        rows = [row for row in tasks if row["class_id"] == owner["id"]]
        for piece in find_pieces(text, (owner["name"],), fold_numbers):
            spans += [(one.start(), one.end(), "class", rows) for one in re.finditer(re.escape(piece), text)]
    for at, form in enumerate(_KIND_FORMS):
        said_kinds = [one.span() for one in form.finditer(text)]
        rows = [row for row in tasks if at in _kinds_of(row["name"])] if said_kinds else []
        if rows and len({row["class_id"] for row in rows}) == 1:
            spans += [(start, end, "kind", rows) for start, end in said_kinds]
    spans += [(one.start(), one.end(), "others", []) for one in _OTHERS.finditer(text)]
    signed, said, end = "", dict[str, tuple[str, str, list[TaskView]]](), 0
    chosen = _longest(spans)
    for at, (start, stop, kind, rows) in enumerate(chosen):
        sign = chr(_FIRST_SIGN + at)
        signed += text[end:start] + sign
        said[sign] = (text[start:stop], kind, rows)
        end = stop
    return signed + text[end:], said


def _longest(spans: Iterable[tuple[int, int, str, list[TaskView]]]) -> list[tuple[int, int, str, list[TaskView]]]:
    """Of spans that overlap the longest; several items of one span together."""
    found: list[tuple[int, int, str, list[TaskView]]] = []
    for start, stop, kind, rows in sorted(spans, key=lambda one: (one[0] - one[1], one[0])):
        same = next((at for at, one in enumerate(found) if one[:3] == (start, stop, kind)), None)
        if same is not None:
            known = found[same][3]
            found[same] = (start, stop, kind, [*known, *(row for row in rows if row not in known)])
        elif not any(start < one[1] and one[0] < stop for one in found):
            found.append((start, stop, kind, rows))
    return sorted(found, key=lambda one: one[0])[:_MOST_SIGNS]


def _form_of_kind(kinds: Sequence[str]) -> re.Pattern[str]:
    latin = "|".join(f"{kind}s?" for kind in kinds if kind.isascii() and len(kind) > 2)
    return re.compile(rf"(?<![a-z])(?:{latin})(?![a-z]|\s*\d)|(?<![\d个]){kinds[0]}节?(?!\s*\d|[课室])")


_KIND_FORMS = tuple(map(_form_of_kind, KINDS))
"""The words for all items of a kind: labs, 实验."""


@lru_cache(maxsize=4096)
def _kinds_of(name: str) -> frozenset[int]:
    """Where in `KINDS` the kinds stand of which a name tells."""
    folded = fold_numbers(name)
    return frozenset(at for at, kinds in enumerate(KINDS) if any(kind in folded for kind in kinds))


@lru_cache(maxsize=4096)
def _forms_of(item: str) -> tuple[re.Pattern[str], ...]:
    """The words for an item: its name, its label in both languages, what its name says besides the label."""
    return tuple(map(re.compile, _write_forms(fold_numbers(item).strip())))


def _write_forms(name: str) -> list[str]:
    numbered = re.search(r"第\s*(\d{1,3})\s*(章|讲|课|单元|项|部分|次|篇)", name)
    label = LABEL.match(name)
    head, number = (
        (numbered[2], numbered[1])
        if numbered
        else (label[1].split()[-1], label[2])
        if label and label[1].split() and label[1].split()[-1].isalpha()
        else ("", "")
    )
    forms = [rf"(?<![\da-z]){re.escape(name)}(?!\d(?![次遍下]))"] if len(name) > 1 else []
    if not head:
        return [*forms, *_first_of_pair(name)]
    kinds = next((kinds for kinds in KINDS if head in kinds), (head,))
    latin = "|".join(f"{kind}s?" for kind in kinds if kind.isascii())
    han = "|".join(kind for kind in kinds if not kind.isascii())
    forms += [rf"(?<![a-z])(?:{latin})\.?\s*#?{number}(?!\d)"] if latin else []
    forms += [rf"第\s*{number}\s*个?(?:{han})|(?<!\d)(?:{han})\s*{number}(?!\d|[次元阶维])"] if han else []
    rest = re.sub(r"^(?:第\s*\d+\s*\S|\D{1,14}?\s*\d{1,3})[\s:：.、-]*", "", name)
    return [*forms, *([re.escape(rest)] if len(rest) > 2 and rest != name else []), *_first_of_pair(rest)]


_PAIR = re.compile(r"(?P<first>[\u4e00-\u9fff]{3,8}?)[与和及](?=[\u4e00-\u9fff]{2})")


def _first_of_pair(name: str) -> list[str]:
    """The first of the two things that a Chinese name joins: 特征值与特征向量 is called 特征值 for short."""
    pair = _PAIR.match(name)
    return [re.escape(pair["first"])] if pair else []


_Said = dict[str, tuple[str, str, list[TaskView]]]


def _take(text: str, forms: Iterable[re.Pattern[str]], said: _Said) -> tuple[str, str]:
    """The text without what stands in one of these forms, and the signs in it."""
    taken = ""
    for form in forms:
        for one in form.finditer(text):
            what = next(filter(None, one.groupdict().values()), "")
            taken += "".join(char for char in what if char in said)
        text = _EMPTY_CLAUSE.sub(" ", form.sub(" ", text))
    return text, taken


def _take_beside(text: str, said: _Said) -> tuple[str, tuple[Side, TaskView, int] | None]:
    """The text without how something is to stand to an item, where another one is named that is to stand so."""
    close = wants_close(text)
    for side, form in BESIDE:
        one = form.search(text)
        if one is None:
            continue
        sign = next(char for char in one.group() if char in said)
        number = one.groupdict().get("n") or "1"
        rest = f"{text[: one.start()]} {text[one.end() :]}"
        if said[sign][1] == "item" and len(said[sign][2]) == 1 and re.search(SIGN, rest):
            side = CLOSE.get(side, side) if close else side
            rest = CLOSE_BY.sub(" ", rest) if close else rest
            return rest, (side, said[sign][2][0], int(number) if number.isdigit() else 1)
    return _take_joined(text, said) if close else (text, None)


def _take_joined(text: str, said: _Said) -> tuple[str, tuple[Side, TaskView, int] | None]:
    """The text without the first of two items of one class that are to stand with nothing between them."""
    found = [(char, said[char][2][0]) for char in text if char in said and said[char][1] == "item"]
    if len(found) != 2 or len({row["class_id"] for _, row in found}) != 1:
        return text, None
    (sign, first), _ = sorted(found, key=lambda one: one[1]["order"])
    return CLOSE_BY.sub(" ", text.replace(sign, " ", 1)), ("next", first, 1)


def _cut(text: str, found: list[re.Match[str]]) -> str:
    for one in reversed(found):
        text = f"{text[: one.start()]} {text[one.end() :]}"
    return text


def _rows_of(signs: str, said: _Said) -> list[tuple[str, TaskView]]:
    """The items of signs side by side, a class before its own items only narrowing them."""
    found: list[tuple[str, TaskView]] = []
    for at, sign in enumerate(signs):
        _, kind, rows = said[sign]
        beside = [said[one] for one in (*signs[max(0, at - 1) : at], *signs[at + 1 : at + 2])]
        if kind == "class" and any(one[1] in ("item", "kind") and one[2][0] in rows for one in beside if one[2]):
            continue
        owners = next((said[one][2] for one in reversed(signs[:at]) if said[one][1] == "class"), None)
        meant = [row for row in rows if owners and row in owners] if len(rows) > 1 and kind == "item" else rows
        found += [(sign, row) for row in meant or rows if row not in [one for _, one in found]]
    return found


_EVERY = re.compile(
    r"所有|全部|全都|[都全](?=[移挪换改调推往提延拖搬放])|每[个一1]|整个|\b(?:all|every|everything|each|whole"
    r"|any|entire|both)\b"
)


_THEM = re.compile(r"它们|[这那](?:[两几23456]|些)[个项章](?!月|星期|周)|\b(?:them|(?:these|those) (?:two|three|\d))\b")
_ALL_BUT = re.compile(r"所有|全部|全都|\b(?:all|everything)\b")


def _items(
    text: str, plain: str, said: _Said, brief: Brief, *, others: list[TaskView], out: str
) -> tuple[list[TaskView], Group | None]:
    """What is meant: items by name, by when they are, without a place, by class or kind, all but some."""
    signs = "".join(char for char in text if char in said)
    rows = _rows_of(signs, said)
    items = [row for sign, row in rows if said[sign][1] == "item"]
    ambiguous = any(said[sign][1] == "item" and len([one for one, _ in rows if one == sign]) > 1 for sign in signs)
    owners = [row for sign, row in rows if said[sign][1] in ("class", "kind")]
    if ambiguous:
        return [], None
    group = select_by_time(plain, brief, others)
    if items or group:
        found = items or [row for row in (group.items if group else []) if not owners or row in owners]
        return found, group
    if waiting := takes_waiting(plain, brief):
        return [row for row in waiting if not owners or row in owners], None
    if others and not owners and _ALL_BUT.search(text):
        named = [row for sign in out if said[sign][1] == "class" for row in said[sign][2]]
        owners = named if any(row not in others for row in named) else brief.tasks
    if any(said[sign][1] == "others" for sign in signs) and others:
        mine = owners or [row for row in brief.tasks if len({one["class_id"] for one in others}) > 1
                          or row["class_id"] == others[0]["class_id"]]  # fmt: skip
        return [row for row in mine if row["state_id"] in brief.placed_before and row not in others], None
    spoken = spoken_of(brief) if not owners and _THEM.search(plain) else []
    if len(spoken) > 1:
        return spoken, None
    several = any(said[sign][1] == "kind" and said[sign][0].endswith("s") for sign in signs)
    leaves = says("extract", plain) or says("remove", plain)
    if owners and (_EVERY.search(text) or others or several or leaves):
        return [row for row in owners if row["state_id"] in brief.placed_before], None
    return [], None


def _tells_each(text: str, brief: Brief, group: Group | None) -> bool:
    """Whether items and times alternate, so that each has its own."""
    if _SEVERAL_EACH.search(text):
        return True
    times = [(first, "t") for first, _, found in join_times(text, brief) if not all(one.role for one in found)]
    marks = [(one.start(), "i") for one in re.finditer(SIGN, text)]
    order = re.sub(r"(.)\1+", r"\1", "".join(kind for _, kind in sorted([*times, *marks])))
    return group is None and ("iti" in order or "tit" in order)


def _size(one: re.Match[str]) -> int:
    """How many items a limit means: two sections are one, and one section is none."""
    said = one["zh_n"] or one["zh_n2"] or one["n"]
    number = int(said) if said.isdigit() else 1
    return number // 2 if one["zh_unit"] == "节" or (one["unit"] or "").startswith("section") else number


def _count(daily: list[re.Match[str]], per: str, text: str) -> int:
    """The most of a day or a week in items: a section is half of one."""
    for one in daily:
        unit = one["zh_per"] or one["per"] or "天"
        weekly = unit in ("周", "week") or unit.endswith("星期")
        if weekly == (per == "week"):
            return _size(one)
    return 0


def restore_mentions(text: str, said: _Said) -> str:
    return "".join(said[char][0] if char in said else char for char in text)
