"""One request about items as a whole: which, but which not, where to, within which limits, what of it was not read.

The words of a request go to one slot each. Mentions of items become single signs first, so that what stands around
them can be told in short forms: what is left out, what alone is meant, how much a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.remember import remember_of_plan
from agent.llm.offline.language.spans.conditions.limit_forms import AT_LEAST
from agent.llm.offline.language.spans.items.beside import BESIDE, CLOSE_BY, SIGN, SIGNS, Side, close_side, wants_close
from agent.llm.offline.language.spans.items.groups import Group, select_by_time, takes_everything, takes_waiting
from agent.llm.offline.language.spans.items.mention_signs import (
    Mentions,
    find_mentioned,
    fold_mentions,
    restore_mentions,
    rows_of,
    sign_mentions,
)
from agent.llm.offline.language.spans.items.spoken import spoken_of
from agent.llm.offline.language.spans.mentions import classes_in
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
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import NO_TERM
from agent.llm.offline.language.words.guarded import AnyPattern, GuardedPattern
from agent.loop.view_document import TaskView

_LIST = (
    rf"(?:(?:the|my|those|these|all) |所有的?|全部)*{SIGN}"
    rf"(?:(?:\s|[、,，&]|[和与跟及的]|以及|还有|\band\b|\bor\b|\bof\b|\bthe\b|\bplus\b|\bas well as\b)*{SIGN})*"
)
"""Signs side by side."""
_NEAR = _LIST.replace("[、,，&]", "[、&]")
"""Signs that no comma divides."""
_STAYS_ZH = (
    r"(?:先|就|都|还是|请|继续|可以|能)*(?:(?:别|不要?|不用|不必)再?(?:[动改碰管]|[挪移换调](?![到去在成给]))|除外|例外|不算|[之以]?外"
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
    GuardedPattern(form, needed)
    for form, needed in (
        (rf"[(]?\s*(?:但是?|不过|只有|把|就)*\s*(?P<what>{_NEAR})\s*的?{_STAYS_ZH}\s*[)]?", "[别不外保留照]"),
        (rf"(?:除(?!非)[了去]?|不包括|不含|排除|撇开)\s*(?P<what>{_NEAR})(?:之外|以外|除外|外)?", "[除不撇]"),
        (
            rf"[(]?(?:但是?|不过)?(?:请|千万)*(?:别|不要|不许|不用|不想)再?(?:去)?(?:移动|改动|变动|影响|动|碰|挪"
            rf"|改)到?\s*(?P<what>{_NEAR})[)]?",
            "[别不]",
        ),
        (rf"[(]?(?:但是?|不过)?(?:留着|保留|留下)\s*(?P<what>{_NEAR})(?:不动|别动)?[)]?", "留"),
        (
            rf"[(]?\s*(?:(?:and|but|just|please) )*(?:leave|keep|leaving|keeping) (?P<what>{_NEAR})"
            rf"(?: (?:{_STAYS_EN})| ?(?=[,.;)]|$| and (?:move|put|shift|push|place|bring)\b))\s*[)]?",
            "leav|keep",
        ),
        (
            rf"[(]?{_BUT_EN} (?P<what>{_NEAR})\s*[)]?",
            "except|exclud|but|apart|aside|besides|bar |other than|not |minus",
        ),
        (
            rf"[(]?\s*(?:(?:and|but) )*(?:without|don't|do not|please don't)(?: (?:touch|mov|chang|shift)(?:e"
            rf"|ing)?)+ (?P<what>{_NEAR})\s*[)]?",
            "without|don't|do not",
        ),
        (
            rf"[(]?\s*(?:(?:and|but|while) )*(?P<what>{_NEAR}) (?:(?:can|should|must|may|has to|have to|shall|is to"
            rf"|are to) )?"
            r"(?:stays?|remains?)(?: put| there| (?:where|as) (?:it|they) (?:is|are)| the same| in place| out)*\s*[)]?",
            "stay|remain",
        ),
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
    r"(?P<per>day|week|evening|night)\b(?! (?:earlier|later|sooner|forward|back|ahead|up)\b)"
    r"(?: (?:at most|max(?:imum)?))?"
)
"""How much a day or a week."""
_IN_TURN = re.compile(
    r"[,，]?(?:仍然|还是|要|请)?(?:按照?|保持|依照)(?:原来|原有|这个|上面|现在)?的?(?:先后)?(?:顺序"
    r"|次序)(?:不变|排|来)?"
    r"|[,，]?\s*\b(?:and )?(?:(?:still )?in (?:this|that|the same|order|their) ?(?:order|turn)?|keeping (?:the"
    r"|their) order|one after the other)\b"
)
_EMPTY_CLAUSE = GuardedPattern(r"\s*[,，]\s*(?=[,，])[,，]\s*", needed=r"[,，]\s*[,，]")
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
    def close(self) -> bool:
        """Whether its items are of one class and go to one day of one week in turn, or one right beside another."""
        of_one = len(self.items) > 1 and len({row["class_id"] for row in self.items}) == 1
        return (of_one and len(self.target.days) == 1 and self.target.week is not None) or (
            self.beside is not None and self.beside[0] in ("next", "ahead")
        )

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


@remember_of_plan
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
    text = _name_other(text, wanted)
    found = _read_slots(text, brief, out_of=(*_LEFT_OUT, *_TAKEN_BACK))
    said = found.wanted
    beside = said.beside[1] if said.beside else None
    given = [row for row in find_mentioned(text, brief) if row != beside and not (beside and [row] == wanted.items)]
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
    if wanted.beside and wanted.beside[0] == "day" and said.target.dated:  # it is the day of both
        items = sorted([*items, wanted.beside[1]], key=lambda row: (row["class_id"], row["order"]))
        stays = [row for row in items if row["slot"] and said.target.covers(row["slot"])]
        if len(stays) == 1 and len(items) == 2 and wants_close(text):
            items = [row for row in items if row not in stays]
            said = replace(said, beside=(close_side("day", items[0], stays[0]), stays[0], 1), target=PlaceTarget())
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
        leaves=wanted.leaves and not said.target.said,
        a_day=said.a_day or wanted.a_day,
        a_week=said.a_week or wanted.a_week,
        narrowed=True,
        left=f"{wanted.left}, {said.left}",
    )


_BESIDE_IT = re.compile(
    r"\b(after|behind|before|next to) (?:it|that(?: one)?)\b(?! \w+day)|它(?=\s*的?[之以]?[前后])|(?<=着)它"
)


def _name_other(text: str, wanted: Arrangement) -> str:
    """Words that want the one item of a request right beside "it", with both items named: it is the one beside which
    the request wants that."""
    if wanted.beside is None or len(wanted.items) != 1 or not (wants_close(text) and _BESIDE_IT.search(text)):
        return text
    item, other = (f"[{row['state_id']}]" for row in (wanted.items[0], wanted.beside[1]))
    return f"{item} " + _BESIDE_IT.sub(lambda found: f"{found[1] or ''} {other}".lstrip(), text)


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
    earlier = min(shift.days, shift.sections, shift.minutes) < 0
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


def _read_slots(message: str, brief: Brief, *, out_of: tuple[AnyPattern, ...] = _LEFT_OUT) -> _Slots:
    text, said = sign_mentions(fold_mentions(message), brief)
    text, out = _take(text, out_of, said)
    text, beside = _take_beside(text, said)
    text, only = _take(text, (_ONLY,), said)
    daily = [one for one in _DAILY.finditer(text) if not AT_LEAST.search(text[: one.start()]) and _size(one)]
    text = _cut(text, daily)
    ordered = _IN_TURN.search(text) is not None
    text = _IN_TURN.sub(" ", text)
    spared = [row for _, row in rows_of(out, said)]
    narrow = [row for _, row in rows_of(only, said)]
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
        a_day=_count(daily, "day"),
        a_week=_count(daily, "week"),
    )
    each = _tells_each(text, brief, group)
    found = _with_time(found, rest, brief)
    days, week = found.target.days, next((row["slot"]["week"] for row in items if row["slot"]), None)
    if len(items) > 1 and len(days) == 1 and not (found.target.week or found.target.run) and wants_close(text):
        found = replace(found, target=replace(found.target, week=week))  # on one day of one week
    return _Slots(found, bool(named), each, narrow)


def read_spared(message: str, brief: Brief) -> list[TaskView]:
    """The items that a message names to be left as they are."""
    text, said = sign_mentions(fold_mentions(message), brief)
    return [row for _, row in rows_of(_take(text, _LEFT_OUT, said)[1], said)] if brief.tasks else []


_LEFT_OVER = (
    re.compile(
        rf"[,;]?\s*\b(?:(?:and|but|so|now) )*(?:only|just) (?P<what>{_NEAR})(?: is| are|'s)?"
        r" (?:still |now )?(?:left|missing|to go|to do|remaining|open|not done)\b"
    ),
)


def tell_left_over(message: str, brief: Brief) -> tuple[list[TaskView], str]:
    """The items that a message tells to be all that is left of a class, and the message without them; none for other
    messages."""
    text, said = sign_mentions(fold_mentions(message), brief)
    rest, out = _take(text, _LEFT_OVER, said)
    left = restore_mentions(rest, said).strip()
    return ([row for _, row in rows_of(out, said)], left) if out and classes_in(left, brief.classes) else ([], message)


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


def _take(text: str, forms: Iterable[AnyPattern], said: Mentions) -> tuple[str, str]:
    """The text without what stands in one of these forms, and the signs in it."""
    taken = ""
    for form in forms:
        found = [*form.finditer(text)]
        for one in found:
            what = next(filter(None, one.groupdict().values()), "")
            taken += "".join(char for char in what if char in said)
        text = _EMPTY_CLAUSE.sub(" ", form.sub(" ", text) if found else text)
    return text, taken


def _take_beside(text: str, said: Mentions) -> tuple[str, tuple[Side, TaskView, int] | None]:
    """The text without how something is to stand to an item, where another one is named that is to stand so."""
    close = wants_close(text)
    for side, form in BESIDE:
        one = form.search(text)
        if one is None:
            continue
        sign = next((char for char in one.group() if char in said), "")
        if not sign:
            continue
        number = one.groupdict().get("n") or "1"
        rest = f"{text[: one.start()]} {text[one.end() :]}"
        movers = [said[char][2][0] for char in rest if char in said and said[char][2]]
        if said[sign][1] == "item" and len(said[sign][2]) == 1 and movers:
            side = close_side(side, movers[0], said[sign][2][0]) if close else side
            rest = CLOSE_BY.sub(" ", rest) if close else rest
            return rest, (side, said[sign][2][0], int(number) if number.isdigit() else 1)
    return _take_joined(text, said) if close else (text, None)


def _take_joined(text: str, said: Mentions) -> tuple[str, tuple[Side, TaskView, int] | None]:
    """The text without the first of two items of one class that are to stand with nothing between them."""
    found = [(char, said[char][2][0]) for char in text if char in said and said[char][1] == "item"]
    if len(found) != 2:
        return text, None
    of_one = found[0][1]["class_id"] == found[1][1]["class_id"]
    if read_times(text, NO_TERM):
        return text, None  # both go to that day
    sign, first = min(found, key=lambda one: one[1]["order"]) if of_one else found[0]
    return CLOSE_BY.sub(" ", text.replace(sign, " ", 1)), ("next", first, 1)


def _cut(text: str, found: list[re.Match[str]]) -> str:
    for one in reversed(found):
        text = f"{text[: one.start()]} {text[one.end() :]}"
    return text


_EVERY = re.compile(
    r"所有|全部|全都|[都全](?=[移挪换改调推往提延拖搬放晚早])|每[个一1]|整[个体]|统统|通通|\b(?:all|every|everything|each|whole"
    r"|any|entire|both)\b"
)


_AS_MANY = re.compile(rf"{SIGN}的?[这那]?(?P<n>[2-9]|1\d)\s*[个项章门](?!月|星期|周|天)")
"""A class with the number of its items: 线代的四个."""
_SOME_OF = re.compile(rf"\b(?P<n>[1-9]|one|two|three|four|five|some|a few) of (?:the |my |those )?{SIGN}")
"""So many of a class, and not said which."""
_THEM = re.compile(r"它们|[这那](?:[两几23456]|些)[个项章](?!月|星期|周)|\b(?:them|(?:these|those) (?:two|three|\d))\b")
_ALL_BUT = re.compile(r"所有|全部|全都|\b(?:all|everything)\b")


def _items(
    text: str, plain: str, said: Mentions, brief: Brief, *, others: list[TaskView], out: str
) -> tuple[list[TaskView], Group | None]:
    """What is meant: items by name, by when they are, without a place, by class or kind, all but some."""
    signs = "".join(char for char in text if char in said)
    rows = rows_of(signs, said)
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
    counted = _AS_MANY.search(text)
    placed = [row for row in owners if row["state_id"] in brief.placed_before]
    if (some := _SOME_OF.search(text)) is not None and fold_numbers(some["n"]) != str(len(placed)):
        return [], None
    if owners and (
        _EVERY.search(text) or others or several or leaves or (counted and int(counted["n"]) == len(placed))
    ):
        return placed, None
    if not owners and shift_in(plain) and takes_everything(plain):
        return [row for row in brief.tasks if row["state_id"] in brief.placed_before], None
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


def _count(daily: list[re.Match[str]], per: str) -> int:
    """The most of a day or a week in items: a section is half of one."""
    for one in daily:
        unit = one["zh_per"] or one["per"] or "天"
        weekly = unit in ("周", "week") or unit.endswith("星期")
        if weekly == (per == "week"):
            return _size(one)
    return 0
