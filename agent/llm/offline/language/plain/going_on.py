"""A turn behind what was done or answered that tells only what is otherwise: other things, the rest, another time,
number or name, or that it is wanted once more. All it leaves out is in the record of the exchange before: 周五也别;
and 3 for the labs; the others too; again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.filling import put_in
from agent.llm.offline.language.dialogue.memory import CLASS_WRITE, Exchange
from agent.llm.offline.language.dialogue.pointing.same_for_others import (
    classes_named,
    find_names_run,
    find_runs,
    fold_around_names,
)
from agent.llm.offline.language.dialogue.revision.open_after_all import opens_days
from agent.llm.offline.language.dialogue.slots import COUNT, find_bare_count
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.ellipsis import affirms, strip_fillers, wants_it_done
from agent.llm.offline.language.meaning.intents import OPERATIONS, intent_of
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.item_list import is_name
from agent.llm.offline.language.spans.items.mention_signs import fold_mentions, rows_of, sign_mentions
from agent.llm.offline.language.spans.mentions import all_items
from agent.llm.offline.language.spans.targets import leave_out_shift, shift_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.loop.view_document import TaskView

_ALSO = re.compile(
    r"[也又再呢]|怎么样|如何|还有|以及|加上|一样|同样|同理|照|同[一1]?[天时个]|[和跟连]|然后|接着|另外|顺便"
    r"|\b(?:and|plus|also|too|as well|n?either|nor|likewise|similarly|ditto|same|now|then|next|so (?:is|are|was)"
    r"|(?:what|how) about|goes for)\b"
)
"""What says that the same is wanted of something else."""
BESIDE = re.compile(r"也|再|同样|一样|又|\b(?:too|as well|also|n?either|again|more|same|another)\b")
"""What comes beside something that was done."""
_DISTANT = re.compile(r"[过隔]\s*[\d一两几]|\b(?:later|earlier)\b")
"""What tells a time by its distance from the one before."""
_EITHER = re.compile(r"也|\b(?:n?either|nor)\b")
"""What says that something else is not wanted, as that before."""
_AROUND = re.compile(
    r"那[个天里儿边]?|要是|怎么样|如何|同样|一样|同理|照[样此]?|同[一1]?[天时个](?:时间)?|还有"
    r"|以及|加上|另外|顺便|接着|然后|剩下|这[么样个]*|按|来"
    r"|[也又再呢吧呗啊哦嗯呀嘛好行把将给跟和与的了是就都弄做搞到在去放成个连排到改]|一下|可以|可能|帮我|请|的话|时间|哪怕"
    r"|\bafter all\b|\b(?:and|plus|also|too|as|well|either|neither|nor|or|likewise|similarly|ditto|same|now|then|next"
    r"|so|what|how|about|goes|go|for|ok|okay|oh|yes|yeah|please|pls|do|does|did|is|are|was|be|should|can|could|would|will|it|its|that"
    r"|this|those|them|there|day|time|the|my|a|an|of|with|on|in|at|to|by|i|you|put|thing|things|one|ones|item|items"
    r"|step|steps|all|btw|just|each|every)\b"
)
"""What stands around the things, the times and the numbers of such a turn."""
_AGAIN = re.compile(
    r"(?:(?:and|ok(?:ay)?|yes|please|then|now|do|move|push|shift|make|put|the|same|it|that|this|them|just|a|one|thing)\W+)*"
    r"(?:again|once more|one more time|another time|a second time|repeat(?: (?:it|that|this))?|same again)"
    r"(?:\W+(?:please|then|the same|by the same|as much))*\W*"
    r"|(?:那|就|请|把|它|也|同样|照样|照着|继续|重复|再|又|[来做挪移推弄搞改提往后前调]|同样的|一样的|这么多|那么多)*"
    r"(?:[1一](?:次|遍|回|下)|重复|同样的?天数|一样多)(?:吧|呗|啊|好了|[\s.。!！])*"
)
"""That a step is wanted once more, and nothing else."""
_WORDS = re.compile(r"[a-z']+|[一-鿿]|\d+")
_ALIKE = (
    ("keep_free", "wish_nothing", "remove", "unwanted", "free"),
    ("move", "place"),
    ("finished",),
    ("rename",),
)
"""Concepts by whose words the same may be told in another way."""
_LENGTHS = frozenset(["each_takes", "takes"])


@dataclass(frozen=True)
class _Otherwise:
    """What a turn tells in the place of what the request before it told."""

    items: Sequence[TaskView]
    classes: Sequence[str]
    when: str
    number: str
    same: bool
    """Whether it says that the same is wanted."""

    @property
    def names(self) -> tuple[str, ...]:
        return _names_of(self.items) or (*self.classes,)


def _names_of(rows: Sequence[TaskView]) -> tuple[str, ...]:
    return tuple(row["name"] for row in rows)


def go_on(text: str, last: Exchange, frames: Sequence[Frame], brief: Brief) -> tuple[str, Frame | None]:
    """The request that was done, or the question that was answered, with what a turn tells otherwise, and its frame
    where it is known; empty for other turns."""
    if not (last.wrote or last.asked) or last.stopped:
        return "", None
    base = last.meant or last.said
    for read in (_call_anew, _step_again, _ask_of_done, _end_made) if last.wrote else ():
        if anew := read(text, last, frames, brief):
            return anew.say(brief.language), anew
    spelled = _spell_week_behind(text, last, brief)
    told = None if _is_another(text, spelled, last) else _read_otherwise(spelled, last, brief)
    if told is None:
        return "", None
    if says("swap", last.text):  # which by now may be read as another order
        pair = len(told.items) == _PAIR and not (told.when or told.number)
        return (_tell(told, last.said, last, brief) if pair else ""), None
    if any(one.kind == "reorder" for one in read_content_changes(base, brief).told):
        return "", None
    frame = frames[0] if len(frames) == 1 and not (told.when or told.number) else None
    slot = "items" if told.items else "class"
    if frame and frame.form in _LENGTHS:
        return "", None  # which the items before have by now
    if told.same and frame and frame.changes and slot in frame.slots:
        anew = replace(frame, slots={**frame.slots, slot: told.names})
        whole = anew.say(brief.language)
        return (whole, anew) if intent_of(whole, brief) == last.intent else ("", None)
    return _tell(told, base, last, brief), None


def _is_another(text: str, spelled: str, last: Exchange) -> bool:
    """Whether a turn is another request: it opens times, names something anew, or tells a whole day or a week behind
    one that is not known."""
    folded = fold_text(text)
    behind = spelled == text and _WEEK_BEHIND.search(folded) is not None
    renames = _RENAMES.search(last.text) is not None
    return behind or renames or opens_days(text) or _WHOLE_DAY.search(folded) is not None


_WHOLE_DAY = re.compile(r"全天|整天|[一1]天都|\ball (?:of|day)\b|\bwhole\b")
_PAIR = 2
_WEEK_BEHIND = re.compile(
    r"(?<![上下这本第])(?:再?下|[之以]?后面?)(?:的?那)?[1一]个?(?:周|星期|礼拜)(?![一二三四五六日天末\d])"
    r"|\b(?:(?:in|on|for) )?the (?:week (?:after|following)|(?:following|next) week)(?: that| it| too)?\b"
)


def _spell_week_behind(text: str, last: Exchange, brief: Brief) -> str:
    """A turn with the week behind the one that was told before."""
    folded, week = fold_text(text), last.target.week
    found = _WEEK_BEHIND.search(folded) if week and last.target.days and week < brief.term.weeks else None
    told = brief.say(f"第{(week or 0) + 1}周", f"week {(week or 0) + 1}")
    return f"{folded[: found.start()]}{told}{folded[found.end() :]}" if found else text


def _read_otherwise(text: str, last: Exchange, brief: Brief) -> _Otherwise | None:
    """What a turn tells, where all around it only goes on with the request before, or is in its words."""
    folded = fold_text(text)
    if says("correction", folded) or wants_it_done(text) or affirms(text) or _DISTANT.search(folded):
        return None
    signed, said = sign_mentions(fold_mentions(text if last.asked else brief.read_words(text)), brief, all_items(brief))
    signs = [char for char in signed if char in said]
    rest = "".join(" " if char in said else char for char in signed)
    asks = says("asking", rest)  # the others, however they are counted, are not asked for
    if asks and not last.asked:
        return None
    rows = [row for sign, row in rows_of("".join(signs), said) if said[sign][1] == "item"]
    if any(said[sign][1] == "others" for sign in signs):
        if last.asked:
            return None  # what else there is
        rows += _list_rest(last, brief)
    ids = [] if rows else classes_named(text, brief)
    for start, end in reversed(find_runs(rest, brief)):
        rest = f"{rest[:start]} {rest[end:]}"
    times = read_times(rest, brief.term)
    when = " ".join(rest[one.start : one.end] for one in times)
    for one in reversed(times):
        rest = f"{rest[: one.start]} {rest[one.end :]}"
    counts = [*COUNT.finditer(rest)] if not times else []
    rest = COUNT.sub(" ", rest) if len(counts) == 1 else rest
    told = {*_WORDS.findall(f"{fold_numbers(last.said)} {last.text}")}
    alike = [one for concepts in _ALIKE if any(says(one, last.text) for one in concepts) for one in concepts]
    alike = [one for one in alike if one != "unwanted" or _EITHER.search(folded)]
    rest = reduce(lambda left, one: pattern(one).sub(" ", left), alike, rest)
    if {*_WORDS.findall(_AROUND.sub(" ", rest))} - told or any(one.role for one in times if one.role != "avoided"):
        return None
    names = [row["name"] for row in brief.classes if row["id"] in ids]
    number = counts[0].group().strip() if len(counts) == 1 else ""
    found = _Otherwise(rows, names, when, number, _ALSO.search(folded) is not None or asks)
    return found if rows or names or when else None


def _step_again(text: str, last: Exchange, frames: Sequence[Frame], brief: Brief) -> Frame | None:
    """The step that was done, once more: as far as before, or as a turn tells; back where that was too much."""
    folded, step = fold_text(text), shift_in(last.meant or last.said)
    again = _AGAIN.fullmatch(folded) is not None
    if step is None or not step.days:
        return _step_moved(folded, last, brief)
    if says("asking", folded) and not again:
        return None
    forward = step.days > 0
    frame = frames[0] if len(frames) == 1 and frames[0].form.endswith(("_later", "_earlier")) else None
    if frame is None or "length" not in frame.slots:
        known = [one for one in COUNT.finditer(last.text) if _OF_DAYS.match(one["unit"] or "")]
        length = f"{known[-1]['number']}{brief.say('', ' ')}{known[-1]['unit']}" if known else ""
        slots = {"items": _names_of(last.items), "length": (length,)}
        frame = frame_of(f"move_length_{'later' if forward else 'earlier'}", slots) if length and last.items else None
    if frame is None or again:
        return frame
    back = _BACK.search(folded) is not None
    rest = _BACK.sub(" ", _FURTHER.sub(lambda one: " 1 " if _ONE.search(one.group()) else " ", folded))
    said, unit = find_bare_count(rest), _UNIT.search(frame.slots["length"][0])
    if said is None or unit is None or len(COUNT.findall(rest)) > 1 or not (back or _FURTHER.search(folded)):
        return None
    if not _OF_DAYS.match(said["unit"] or unit.group()):
        return None
    length = f"{said['number']}{brief.say('', ' ')}{said['unit'] or unit.group()}"
    head, way = frame.form.rsplit("_", 1)
    way = {"later": "earlier", "earlier": "later"}[way] if back else way
    return replace(frame, form=f"{head}_{way}", slots={**frame.slots, "length": (length,)})


def _step_moved(folded: str, last: Exchange, brief: Brief) -> Frame | None:
    """So much later or earlier of the one item that was just moved: 晚两节; no, a day earlier."""
    shift = shift_in(folded) if len(last.items) == 1 and last.intent in ("move", "place") else None
    count = shift and (shift.days or shift.sections)
    rest = leave_out_shift(folded)
    if not count or says("asking", folded) or strip_fillers(_OF_STEP.sub(" ", pattern("correction").sub(" ", rest))):
        return None
    unit = brief.say("天", " days") if shift and shift.days else brief.say("节", " sections")
    form = f"move_length_{'later' if count > 0 else 'earlier'}"
    return frame_of(form, {"items": _names_of(last.items), "length": (f"{abs(count)}{unit}",)})


_OF_STEP = re.compile(r"[再还是改成]|\b(?:make|it|rather|better|one|then)\b")
_FURTHER = re.compile(
    r"^(?:那|请|就)*再(?:多|往[后前])?[挪推移延拖搬调]?|又|还要|继续|多(?!了)"
    r"|\b(?:another|an? (?:further|extra)|more|further)\b(?: on top)?"
)
_ONE = re.compile(r"\ban")
_BACK = re.compile(r"少|多了|\b(?:less|fewer|too (?:much|many))\b")
_OF_DAYS = re.compile("天|周|星期|day|week")
_UNIT = re.compile(r"[天周]|星期|days?|weeks?")


def _list_rest(last: Exchange, brief: Brief) -> list[TaskView]:
    """The items of the classes of what was spoken of, but that."""
    spoken = last.items or [*last.listed]
    ids, owners = [row["item_id"] for row in spoken], {row["class_id"] for row in spoken}
    return [row for row in all_items(brief) if row["class_id"] in owners and row["item_id"] not in ids]


def _tell(told: _Otherwise, base: str, last: Exchange, brief: Brief) -> str:
    """The request before with what is told in the place of its own; empty where it has no such place."""
    whole, named = base, bool(told.items or told.classes)
    if named:
        text = fold_around_names(base, brief)
        run = find_names_run(text, brief)
        if run is None or not (told.same or told.when or told.number) or bool(told.items) != bool(last.items):
            return ""
        whole = text[: run[0]] + brief.say("、", " and ").join(told.names) + text[run[1] :]
    if told.when and not read_times(fold_numbers(base), brief.term):
        if last.intent != "remove" or named or not last.items:
            return ""
        return frame_of("move_to", {"items": _names_of(last.items), "time": (told.when,)}).say(brief.language)
    for piece in filter(None, (told.when, told.number)):
        whole = put_in(piece, whole, brief) if whole else ""
    return "" if told.when and intent_of(whole, brief) != last.intent else whole


_LEADS = (
    r"(?:(?:no|nope|nah|oh|ok(?:ay)?|hm+|well|wait|sorry|actually|and|then|or|rather|maybe|let's|lets|please|also|plus"
    r"|now|i'd (?:rather|prefer)|i (?:mean|meant)|on second thoughts?)\b|还是|[那就再也]|不对|不是?|算了"
    r"|或者|要不|等等|顺便|干脆|[,，.\s])*"
)
_CALLS = (
    r"(?P<verb>(?:call|name|rename|make|change) (?:it|that|this)(?: (?:to|as|into))?"
    r"|(?:it |that |the name )?should (?:really |rather )?be(?: called)?|to"
    r"|(?:名字|它)?(?:[改换][成为]|改?叫(?![我你他])[做它]?|改名(?:[为成叫]做?)?|起名(?:[为叫])?|名字[是为]?))"
)
_BETTER = (
    r"(?P<better>(?: (?:is|sounds|fits|suits|works|would be|might be) (?:an? )?(?:better|nicer|fine|best)(?: name)?"
    r"| instead| rather| then| please| after all)+"
    r"|(?:的话|会|更|比较|还是)*(?:[好行]一?[点些]?|合适一?[点些]?|不错|好听一?[点些]?)(?:吧|呢)?"
    r"|[吧呗](?=\W*$)|好了|就[好行]了?)"
)
_RATHER = re.compile(r"还是|要不|那就|算了|\b(?:rather|actually|maybe|let's|lets|prefer|no|nah|nope)\b", re.IGNORECASE)
"""What comes in front of what is meant in the place of something."""
_CALLED = re.compile(
    rf"{_LEADS}(?:{_CALLS}\s*)?(?P<name>\S[^,，。;；?？!！]{{0,39}}?)\s*{_BETTER}?[\s.。!！]*", re.IGNORECASE
)


def _call_anew(text: str, last: Exchange, _: Sequence[Frame], brief: Brief) -> Frame | None:
    """A name for the one thing that was just changed or made, another one where it was renamed: call it Beta instead;
    Beta is better; 还是叫贝塔吧."""
    found, renamed = _CALLED.fullmatch(text.strip()), _RENAMES.search(last.text) is not None
    if (
        found is None
        or says("asking", fold_text(text))
        or not (renamed or (found["verb"] and _RENAMES.search(found["verb"].lower())))
    ):
        return None
    name, corrects = found["name"].strip(" \"'“”「」"), says("correction", fold_text(text))
    corrects = corrects or _RATHER.search(text[: found.start("name")]) is not None
    if not (found["verb"] or found["better"] or corrects) or not is_name(name) or read_times(name, brief.term):
        return None
    old, of_item = _find_called(last, brief, renamed=renamed)
    known = sign_mentions(fold_mentions(name), brief, all_items(brief))[1] or classes_named(name, brief)
    if not old or known or intent_of(name, brief) != "other":
        return None
    form, slot = ("rename_item", "item") if of_item else ("rename_class", "class")
    return frame_of(form, {slot: (old,), "text": (name,)})


def _find_called(last: Exchange, brief: Brief, *, renamed: bool) -> tuple[str, bool]:
    """The name of the one thing that was just changed or made, which it was given where it was renamed; whether it is
    an item."""
    if made := [] if renamed or _adds(last, brief) else _find_made(last):
        return brief.name_of(made[0]), False
    said, groups = fold_text(last.said), (all_items(brief), brief.classes)
    items, classes = ([row["name"] for row in rows if fold_text(row["name"]) in said] for rows in groups)
    items = items if renamed or (_adds(last, brief) and not last.items) else [row["name"] for row in last.items]
    named = items or classes
    old = max(named, key=lambda one: said.rfind(fold_text(one)), default="")
    return (old if renamed or len(named) == 1 else ""), bool(items)


def _adds(last: Exchange, brief: Brief) -> bool:
    """Whether an exchange added to what a class has which there was before."""
    one: Exchange | None = last
    while one and any(told.kind == "add" for told in read_content_changes(one.said, brief).told):
        one = one.before
    return one is not last and not (one and CLASS_WRITE in one.wrote and says("create", one.text))


_RENAMES = re.compile(r"\b(?:rename|call(?:ed)?|name)\b|改个?名|改叫|更名|重命名|叫做?(?!上)|名字")


def _find_made(last: Exchange) -> list[int]:
    """The class that was just made, and maybe added to since; none where another one was changed."""
    one: Exchange | None = last
    while one and CLASS_WRITE in one.wrote:
        if says("create", one.text) and len(one.classes) == 1:
            return one.classes
        one = one.before
    return []


def _end_made(text: str, last: Exchange, _: Sequence[Frame], brief: Brief) -> Frame | None:
    """Another last day of the class that was just made, told by the day alone: make it april 22."""
    folded, owners = fold_text(text), _find_made(last)
    times = [*read_times(folded, brief.term)]
    day = times[0] if len(times) == 1 and times[0].kind == "day" and times[0].first else None
    rest = f"{folded[: day.start]} {folded[day.end :]}" if day else ""
    if day is None or len(owners) != 1 or says("asking", folded) or strip_fillers(_END.sub(" ", rest)):
        return None
    return frame_of("deadline", {"class": (brief.name_of(owners[0]),), "time": (folded[day.start : day.end],)})


_END = re.compile(r"截止日?期?|为止|之前|\b(?:deadline|due|until|by|end(?:s|ing)?|last day|should|change|set)\b")
_BEFORE = re.compile(
    r"(?:它|那项?|这项?|你|是|那)*(?:原[来先本]|之前|本来|以前|先前|移之?前|动之?前|改之?前)(?:它|那项?|是|排|放|定|安排|又|都|的|,)*"
    r"(?:在|到)?(?:哪[1一]?[天里儿周]?|什么时候|啥时候|几[号点]|(?:周|星期|礼拜)几|第几[周节]|时间)(?:的|来着|了|呢|啊|呀|[?？\s])*"
    r"|(?:(?:and|so|oh|ok|but|wait)\W+)*(?:(?:which|what) (?:days?|dates?|times?|weeks?)|where|when)\b[^,.;]{0,30}?"
    r"\b(?:before(?: that| the move)?|originally|previously|at first|earlier|to begin with)\W*"
)
"""Where something was before it was moved."""
_WHICH = re.compile(r"还是|\bor\b")
_POINTS = re.compile(
    r"它|那|这|是|在|到底|啊|呀|呢|的|哪个?|还是|[?？]"
    r"|\b(?:is|was|are|that|it|this|the|on|in|at|or|so|and|you|mean|do|did|put)\b"
)


def _ask_of_done(text: str, last: Exchange, _: Sequence[Frame], brief: Brief) -> Frame | None:
    """The question where what was just moved was before, or which of two times it has now: 这周六还是下周六啊."""
    rows, folded = last.items or [*last.listed], fold_text(text)
    if not rows or last.intent not in OPERATIONS:
        return None
    if _BEFORE.fullmatch(folded):
        return frame_of("what_changed", {})
    times = read_times(folded, brief.term)
    rest = reduce(lambda left, one: left[: one.start] + " " + left[one.end :], reversed(times), folded)
    asks = len(times) > 1 and _WHICH.search(rest) and (not folded.isascii() or folded.endswith("?"))
    if not asks or any(map(str.isalnum, _POINTS.sub(" ", rest))) or len(rows) != 1:
        return None
    return frame_of("when_item", {"item": (rows[0]["name"],)})
