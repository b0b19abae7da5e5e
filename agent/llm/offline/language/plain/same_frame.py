"""A short turn that only names things, behind a request: the same is wanted of these too, of these alone, or of all but
these. The request is told again as a whole, its verb, times and limits with other things: 线代也别; no, just nouns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import name_picked_items
from agent.llm.offline.language.dialogue.memory import CLASS_WRITE, Exchange
from agent.llm.offline.language.dialogue.pointing.same_for_others import (
    REST_OF_SAME,
    classes_named,
    find_names_run,
    find_runs,
    fold_around_names,
)
from agent.llm.offline.language.dialogue.revision.open_after_all import WHOLE_DAY, close_more
from agent.llm.offline.language.dialogue.slots import COUNT, find_bare_count
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers, strip_known
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import OPERATIONS, Intent, intent_of
from agent.llm.offline.language.meaning.requests import APART, requests_in
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.plain.shapes import read_shape
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.item_lengths import measure_as
from agent.llm.offline.language.spans.classes.item_list import as_written, is_name
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.conditions.suppositions import untimed
from agent.llm.offline.language.spans.items.beside import SIGN
from agent.llm.offline.language.spans.items.mention_signs import (
    Mentions,
    fold_mentions,
    restore_mentions,
    rows_of,
    sign_mentions,
)
from agent.llm.offline.language.spans.mentions import all_items, items_in
from agent.llm.offline.language.spans.targets import THAT_WEEK, shift_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.words.over_cards import AS_IT_WAS
from agent.loop.view_document import TaskView

_ONLY = re.compile(r"[只仅光]|就(?![算不别留先])|\b(?:only|just)\b")
_ALSO = re.compile(
    r"也|还有|以及|加上|一样|同样|同理|^(?:再|还|和|跟|连)"
    r"|^(?:oh,? |ok,? |btw,? )*(?:and|plus|or|nor)\b|\b(?:too|also|as well|plus|either|neither)\b"
)
_LIKEWISE = re.compile(r"照|同样|一样|同理|\b(?:same|likewise|similarly|ditto)\b")
"""The same step again, which need not end where the one before did."""
_BUT = re.compile(r"除[了去]?|[除例]外|\b(?:except|excluding|without|(?:all|everything) but|apart from)\b|^but not\b")
_SPARES = re.compile(r"[不别](?:用|要|改|删|动|移|挪|拿)|保留|留[着下]|\b(?:keep|leave|not)\b")
"""What leaves some of a class out of what is wanted of all of it."""
_NOT_THAT = re.compile(r"(?:but |just |oh |no,? )*(?:not|without)\b")
_FILLERS = re.compile(
    r"不对|不是|等等|等一?下|算了|还是|我?是?说?错了?|我的意思是?|那个?|一下|就(?:行|好|可以)了?|好了|以及|还有|加上|同样|一样|同理"
    r"|[不别](?:用|要|改|删|动|移|挪|拿)|保留|留[着下]|[那这]?[项门]|\b(?:keep|though)\b"
    r"|例外|除[了去外]?|以?外|连同?"
    r"|(?:可以|好的?|行)(?=[,，])|但是?|不过|只是"
    r"|[是只仅光就也再还都把将和跟与及、的了吧呢啊呀嘛哦嗯不对给帮我要这做弄改动]"
    r"|\b(?:no|nope|yes|yeah|yep|sure|fine|leave|wait|actually|oh|ok(?:ay)?|well|sorry|hm+|um|hang on|hold on"
    r"|on second thoughts?|i (?:mean|meant)|only|just|and|or|nor|plus|too|also|as well|either|neither"
    r"|none|same|likewise|ditto|thing|goes|for|with|of|to"
    r"|the|my|please|pls|then|do|change|but|not|except|excluding|without|apart|from|all|everything|btw|should|will|be)\b"
)
_ANEW = re.compile(r"重|从头|again|anew|\bre")
"""What was planned already is to be planned once more."""
_JOINTS = re.compile(r"[,，、和跟与及都]|\b(?:and|the|plus|both)\b")
_DATING = re.compile(
    r"为止|开始|截止|之?[前内]|可以|[在到从至起行排]"
    r"|\b(?:in|on|until|till|by|from|between|start(?:ing|s)?|ends?|fine|good|until|during|it|them)\b"
)
"""What stands around the dates of a plan."""
_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_COUNTED = re.compile(r"\d\s*(?:[个项节章天周月号点门次]|sections?|days?|weeks?|items?|of)|第\s*\d+\s*[周天节]")
_WORDS = re.compile(r"[a-z']+|[\u4e00-\u9fff]|\d+")
_CARRIED: tuple[Intent, ...] = (*OPERATIONS, "class", "wish", "limit", "replan", "mark", "build", "delete_class")
_OF_ITEMS = {"each_takes": "takes", "take_class_out": "take_out", "delete_class": "remove"}
"""The forms that want of single items what another wants of a whole class."""
_OF_SEVERAL: tuple[Intent, ...] = ("class", "build")
"""What may be wanted of several classes at once."""
_ONE_BY_ONE = frozenset({"reorder", "rename", "add"})
"""Changes of contents that no list of things may fill."""
_EVERY = re.compile(r"(?:\b(?:all|every|each)(?: of)?(?: the| my)? |所有的?|全部的?)$")
_EVERY_BEHIND = re.compile(r"^(?:的?所有|全部|每[个项章])(?:内容|任务)?的?都?|^ (?:items?|tasks?|chapters?)\b")


@dataclass(frozen=True)
class _Named:
    """The things that a turn names, and whether they come beside those of the request, in their place, or out of it."""

    way: str
    items: tuple[str, ...]
    classes: tuple[str, ...]


def tell_again(text: str, last: Exchange, own: str, frames: Sequence[Frame], brief: Brief) -> tuple[str, Frame | None]:
    """The request before with the things that a turn names, and its frame where that is known; empty for other turns.
    `own`: the student's words for that request, `frames`: how it was read."""
    if changed := _change_others(text, last, brief):
        return changed, None
    if (last.wrote or last.listed) and not last.stopped and last.intent in OPERATIONS and _puts_back(text):
        return brief.say("撤销上一步", "undo that"), None
    for read in (_count_anew, _ask_elsewhere):
        if (anew := read(text, last, own, brief)) is not None:
            return anew.say(brief.language), anew
    changes = {one.kind for one in read_content_changes(last.said, brief).told}
    if last.asked or last.intent not in _CARRIED or changes & _ONE_BY_ONE:
        return "", None
    whole = WHOLE_DAY.search(fold_text(text)) is not None
    told = text if whole else brief.read_words(text)  # where that is no word any more
    if (whole or not last.wrote) and not last.listed and (free := close_more(told, last.meant or last.said, brief)):
        return free, None
    if _LIKEWISE.search(fold_text(text)) and last.intent in ("move", "place"):
        return "", None
    if dated := _tell_of_dates(text, last, brief):
        return dated, None
    rows = _list_items(last, brief)
    named = _read_named(_spell_numbers(name_picked_items(text, rows, brief), rows, brief), own, last, brief)
    frame = frames[0] if len(frames) == 1 and frames[0].changes else None
    done = bool(last.wrote or (last.listed and last.intent == "build"))
    if named is None or (done and named.way == "also"):
        return "", None
    if done:
        return _take_out_others(named, last, brief), None
    if named.items and not last.items:
        return _tell_of_items(named, last, frame, brief)
    return _put_names(named, last, frame, brief)


def _puts_back(text: str) -> bool:
    """Whether words want nothing but what was done right before to be as it was: 放回原来那天吧."""
    folded = fold_text(text)
    return bool(_RETURNS.search(folded) and AS_IT_WAS.fullmatch(folded)) and not says("asking", folded)


_RETURNS = re.compile(
    r"[放排挪移改换退调搬变][^,，]{0,3}回|恢复|还原|[跟和照按]原|\b(?:back|original|former|previous|restore|revert|before|was)\b"
)
_RENAMES = re.compile(r"\b(?:rename|call|name)\b|改个?名|改叫|更名|重命名|叫做?(?!上)")
_REMOVES = re.compile(
    r"删|去掉|去除|砍掉|移除|不要了|取消|\b(?:delete|remove|drop|scrap|ditch|get rid|cancel|kick out|take)\b"
)
_ADDS = re.compile(r"[加添增新]|\b(?:add|insert|new|append|create|set up|make a)\b")
_NEW_NAME = re.compile(
    rf"(?:and|then|also|plus|call|rename|name|the|same|for|now|整个|请|把|再|还有|那|然后|另外|[,，\s])*(?P<what>{SIGN})\s*"
    r"(?:\b(?:to|as|into|just|simply|becomes|(?:is|should be) called|called|now)\b"
    r"|itself|too|as well|,? (?:and )?(?:call|name) it\b|本身|同样"
    r"|改[一1]?下|就|也|则|改?名?[为成叫]做?|名字|[,，]|[:：→=]|->|\s)+"
    r"(?P<name>[^,，。;；?？]{1,40})"
)
"""Something else, and what it is to be called: and lab 2 just Optics."""
_WHOLE_CLASS = re.compile(
    r"任务类?(?!\w*里)|课程|这门课|\bthe (?:whole |entire )?(?:task|class|course|subject)\b(?: itself)?", re.IGNORECASE
)
"""The class of a content that was renamed, where it is to have another name as well."""
_COUNT = re.compile(
    r"(?:那|的)?[两2三3四4几]个?|\b(?:two|three|four|ones?|all)\b|[都全删掉去改加要不了]|\b(?:delete|remove|drop)\b"
)


def _change_others(text: str, last: Exchange, brief: Brief) -> str:
    """What was changed of contents, a name, a length, that they go, of others that a turn names: and lab 2 just Optics;
    向量组同样; chapter 5 too."""
    ids = [row["item_id"] for row in last.items]
    left = [row for row in brief.tasks if row["item_id"] in ids and not row["slot"]]
    written = CLASS_WRITE in last.wrote or bool(brief.done(CLASS_WRITE))
    if not (written or left) or says("asking", fold_text(text)):
        return ""
    if _ADDS.search(last.text):
        return _add_more(text, last, brief) if written else ""
    if _RENAMES.search(last.text) and len(owners := {row["class_id"] for row in last.items} or {*last.classes}) == 1:
        text = _WHOLE_CLASS.sub(brief.name_of(owners.pop()), text, count=1)
    folded = fold_mentions(text)
    signed, said = sign_mentions(folded, brief, all_items(brief))
    named = _NEW_NAME.fullmatch(signed.strip(" .!。！吧")) if _RENAMES.search(last.text) else None
    other = named is not None and not read_times(restore_mentions(named["name"], said), brief.term)
    if named is not None and other and not _ALSO.fullmatch(named["name"].strip()):
        what, kind, rows = said[named["what"]]
        own = what if kind != "class" else brief.name_of(rows[0]["class_id"])
        name = as_written(restore_mentions(named["name"], said), text).strip(" \"'“”「」")
        form, slot = ("rename_class", "class") if kind == "class" else ("rename_item", "item")
        return frame_of(form, {slot: (own,), "text": (name,)}).say(brief.language)
    rows = _find_others(signed, said, last, brief)
    if (
        not rows
        or not (_ALSO.search(folded) or _LIKEWISE.search(folded))
        or REST_OF_SAME.sub("", _COUNT.sub("", re.sub(SIGN, "", signed))).strip()
    ):
        return ""
    left = [row for row in left if row["class_id"] == rows[0]["class_id"]]
    told = [frame_of("takes", {"items": _names_of(same, left), "number": (str(number),)})
            for same, number in measure_as(last.said, rows, brief)]  # fmt: skip
    if not told and written and _REMOVES.search(last.text):
        told = [frame_of("remove_of", {"class": (brief.name_of(rows[0]["class_id"]),), "items": _names_of(rows)})]
    return APART.join(one.say(brief.language) for one in told)


def _count_anew(text: str, last: Exchange, own: str, brief: Brief) -> Frame | None:
    """A request by another distance, where it was read as the day to which its own leads: finish algebra 3 days
    earlier, then make it 5; None for others."""
    said, folded = find_bare_count(_ONLY.sub(" ", fold_text(text))), fold_text(own)
    if said is None or last.wrote or shift_in(own) is None or shift_in(last.meant or last.said) is not None:
        return None
    known = [one for one in COUNT.finditer(folded) if one["unit"]]
    if len(known) != 1 or (said["unit"] and not _OF_DAYS.match(said["unit"])):
        return None
    distance = f"{said['number']}{brief.say('', ' ')}{said['unit'] or known[0]['unit']}"
    whole = read_shape(folded[: known[0].start()] + distance + folded[known[0].end() :], brief)
    return whole[0] if len(whole) == 1 else None


_ELSEWHERE = re.compile(
    r"(?:别|其他|其它|另外?|另[1一]个?|不同|更多)的?(?:时间段?|时候|时段|位置|地方|空[位当档]?|日子|[1一]?天|选择|选项|方案|办法|可能)"
    r"|还[有能可以放排挪移到在]{1,5}(?:(?:哪[些个]|什么)(?:时间段?|时候|时段|位置|地方|选择)|哪(?:[里儿]|个?[1一]?天)?)"
    r"|\b(?:another|(?:any|some|the|what|which)? ?other|(?:an? )?different|somewhere|some time|any|what)[ -]?(?:else )?"
    r"(?:times?|slots?|days?|places?|spots?|dates?|options?|choices?|possibilit(?:y|ies)|else)\b|\balternatives?\b"
    r"|(?:有点|时间|我?觉得|都|也|还|嫌)*(?:太|过于?)[早晚赶]|\btoo (?:early|late|soon)\b"
)
_BESIDE_ELSEWHERE = re.compile(
    r"看看|找|换|不(?:太|大)?(?:确定|清楚|知道|喜欢)|没想好|能不能|可不可以|有没有|有|不行|帮"
    r"|\b(?:nope|nah|is|are|there|have|you|got|give|show|see|find|pick|me|an?|sure|unsure|know|options?|any|some|for"
    r"|that'?s|it'?s|bit|way|far|much|rather|kinda|think|though|or|oh|but|got)\b"
)
"""What only wants another place than that of an open card, or says that it is too early or too late, and what may stand
beside that."""

_SHORT = 40
"""Characters of such words."""
_TOO_SOON = re.compile(r"[太于]赶|\btoo soon\b")


def _ask_elsewhere(text: str, last: Exchange, _: str, brief: Brief) -> Frame | None:
    """The request for other places of the one item of an open card, where no more is wanted: 别的时间; another time."""
    heading = None if last.wrote or last.asked or last.stopped else last.heading
    rest = _BESIDE_ELSEWHERE.sub(" ", _ELSEWHERE.sub(" ", fold_text(text)))
    elsewhere = _ELSEWHERE.search(fold_text(text)) and not says("same_day", fold_text(text))
    if (
        heading is None
        or not elsewhere
        or len(text) > _SHORT
        or THAT_WEEK.search(fold_text(text))
        or read_times(rest, brief.term)
        or strip_fillers(strip_known(rest, brief))
    ):
        return None
    row, day = heading[:2]
    if _TOO_SOON.search(fold_text(text)):
        when = brief.say(f"{day.month}月{day.day}日之后", f"after {day.isoformat()}")
        return frame_of("move_to", {"items": (row["name"],), "time": (when,)})
    return frame_of("move_away", {"items": (row["name"],)})


_OF_DAYS = re.compile("天|周|星期|day|week")
_ONE_MORE = re.compile(
    r"(?:(?:and|also|plus|oh)[, ]+)+(?:also |then )?(?:an? )?(?P<en>[a-z][\w' -]{2,40})"
    r"|(?:还有|再[加来]|以及|另外)(?:上|[1一]?[个项章])?(?P<zh>[^,，。;；?？]{2,20})"
    r"|(?P<zh_too>[^,，。;；?？\s]{2,20}?)也(?:要?加[上进]?去?|算上|要学|放进去)",
    re.IGNORECASE,
)
"""A name alone behind an addition: and Phrasal verbs."""


def _add_more(text: str, last: Exchange, brief: Brief) -> str:
    """One more of the contents that were added to a class."""
    found, class_ids = _ONE_MORE.fullmatch(text.strip(" .!。！吧")), last.classes
    name = (found["en"] or found["zh"] or found["zh_too"]).strip() if found else ""
    wanted = (
        name and is_name(name) and not _RENAMES.match(name) and len(class_ids) == 1 and not read_times(text, brief.term)
    )
    begins = text.find(name)
    if (
        not wanted
        or any(start <= begins for start, _ in find_runs(fold_numbers(text), brief))
        or intent_of(text, brief) not in ("other", "class")
    ):
        return ""
    return frame_of("add_item", {"class": (brief.name_of(class_ids[0]),), "text": (name,)}).say(brief.language)


def _names_of(*groups: Sequence[TaskView]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row["name"] for rows in groups for row in rows))


def _find_others(signed: str, said: Mentions, last: Exchange, brief: Brief) -> list[TaskView]:
    """The items that a turn names, or all of their class but those spoken of where it says: the others."""
    signs = "".join(char for char in signed if char in said)
    spoken = [row["item_id"] for row in last.items]
    rows = [row for _, row in rows_of(signs, said) if row["item_id"] not in spoken]
    owners = {row["class_id"] for row in last.items} or {*last.classes}
    if not rows and len(owners) == 1 and any(said[sign][1] == "others" for sign in signs):
        rows = [row for row in all_items(brief) if row["class_id"] in owners and row["item_id"] not in spoken]
    return rows


def _tell_of_dates(text: str, last: Exchange, brief: Brief) -> str:
    """A plan of one class with the dates to which words narrow it, or that come to those it has: just in week 4; what
    is planned already goes there."""
    folded, ids = fold_text(brief.read_words(text)), classes_named(last.said, brief)
    times = [*read_times(folded, brief.term)]
    rest = untimed(folded, brief)
    dated = bool(times) and all((one.first or one.last) and not one.role for one in times)
    plans = Features(last.said, brief).plans_with_limits or last.intent == "build"
    if not dated or len(ids) != 1 or last.items or _WORDS.search(_DATING.sub(" ", _FILLERS.sub(" ", rest))):
        return ""
    if not plans:
        frees = [{*one.values} == {"without"} for one in read_conditions(last.said, brief).said]
        told = brief.say(
            "这次{when}{said}", "just this once {said} {when}", when=_ONLY.sub("", text).strip(), said=last.said
        )
        return told if frees == [True] and not last.wrote and _ONLY.search(folded) else ""
    if last.wrote or last.listed:
        names = brief.say("、", " and ").join(row["name"] for row in _list_items(last, brief))
        moves = last.listed and len(times) == 1 and _ONLY.search(folded)
        when = folded[times[0].start : times[0].end]
        return brief.say("把{names}移到{when}", "move {names} to {when}", names=names, when=when) if moves else ""
    known = [*read_times(last.text, brief.term)]
    limits = [one for one in known if not (one.first or one.last)]
    first, last_day = ([day for one in times if (day := getattr(one, end))] for end in ("first", "last"))
    before = [one for one in known if one not in limits and (_ALSO.search(folded) or not (first and last_day))]
    first += [one.first for one in before if one.first and (_ALSO.search(folded) or not first)]
    last_day += [one.last for one in before if one.last and (_ALSO.search(folded) or not last_day)]
    form = "plan_from_to" if first and last_day else "plan_from" if first else "plan_until"
    ends = [one.isoformat() for one in (min(first, default=None), max(last_day, default=None)) if one]
    slots = {name: (end,) for name, end in zip(("time", "time2"), ends, strict=False)}
    told = frame_of(form, {"class": (brief.name_of(ids[0]),), **slots}).say(brief.language)
    when = " ".join(last.text[one.start : one.end] for one in limits)
    refused = any(one.role for one in known)
    return "" if refused else told + (brief.say(f"，只排{when}", f", only {when}") if when else "")


def _list_items(last: Exchange, brief: Brief) -> list[TaskView]:
    """The items that a request is about, those of the classes that it names alone."""
    ids = classes_named(last.said, brief)
    return last.items or [row for row in all_items(brief) if row["class_id"] in ids]


def _spell_numbers(text: str, rows: Sequence[TaskView], brief: Brief) -> str:
    """A turn with the items by their names that it tells by their numbers alone: just 1 and 2, 只要6."""
    folded = fold_numbers(text)
    names = {number.group(): row["name"] for row in rows if (number := _NUMBER.search(fold_numbers(row["name"])))}
    told = _NUMBER.findall(folded)
    if not told or any(one not in names for one in told) or find_runs(folded, brief) or _COUNTED.search(folded):
        return text
    return _NUMBER.sub(lambda number: f" {names[number.group()]} ", folded)


def _take_out_others(named: _Named, last: Exchange, brief: Brief) -> str:
    """What was planned beside that alone which is wanted, taken out again."""
    planned = [row["name"] for row in last.listed]
    if named.way == "but" and named.items and {*named.items} < {*planned} and last.intent == "build":
        return frame_of("take_out", {"items": named.items}).say(brief.language)
    ids = classes_named(last.said, brief) or sorted({row["class_id"] for row in last.listed})
    before = [brief.name_of(one) for one in ids]
    kept = named.classes if named.way == "only" else [name for name in before if name not in named.classes]
    others = [name for name in before if name not in kept]
    new = last.intent == "build" and not _ANEW.search(last.text)
    if not (new and others and named.classes) or not {*named.classes} < {*before}:
        return ""
    return APART.join(frame_of("take_class_out", {"class": (one,)}).say(brief.language) for one in others)


def _tell_of_items(named: _Named, last: Exchange, frame: Frame | None, brief: Brief) -> tuple[str, Frame | None]:
    """What was wanted of a whole class, of some of its items; beside it, of one more."""
    rows = _list_items(last, brief)
    known = [row["name"] for row in rows]
    if frame is None or frame.form not in _OF_ITEMS or (named.way != "also" and not {*named.items} <= {*known}):
        return _put_names(named, last, frame, brief)
    items = [one for one in known if one not in named.items] if named.way == "but" else [*named.items]
    slots = {name: pieces for name, pieces in frame.slots.items() if name != "class"}
    anew = frame_of(_OF_ITEMS[frame.form], {**slots, "items": tuple(items)})
    said = anew.say(brief.language)
    if named.way == "also":
        return f"{last.meant or last.said}{APART}{said}", None
    return (said, anew) if items else ("", None)


def _put_names(named: _Named, last: Exchange, frame: Frame | None, brief: Brief) -> tuple[str, Frame | None]:
    """A request with other names in the place of its own."""
    slot, new = "items" if named.items else "class", named.items or named.classes
    ends = _cut_at_names(last, brief)
    known = [row["name"] for row in _list_items(last, brief)] if named.items else []
    known = known or [brief.name_of(one) for one in classes_named(last.said, brief)]
    mixed = bool(named.items) != bool(last.items) and (named.way == "also" or not named.items)
    if ends is None or mixed or (named.way != "also" and not {*new} < {*known}):
        return "", None
    names = {"only": [*new], "but": [one for one in known if one not in new]}.get(
        named.way, [*known, *(one for one in new if one not in known)]
    )
    beside = named.way == "also" and named.classes and last.intent not in _OF_SEVERAL
    merged = brief.say("、", " and ").join(names)
    beside = beside or (named.way == "also" and len(requests_in(ends[0] + merged + ends[1], brief)) > 1)
    if frame and slot in frame.slots and not beside and last.meant == frame.say(brief.language):
        anew = replace(frame, slots={**frame.slots, slot: tuple(names)})
        return anew.say(brief.language), anew
    head, rest = _EVERY.sub("", ends[0]), ends[1]
    rest = _EVERY_BEHIND.sub("", rest) if named.items and not last.items else rest
    rest = rest.removeprefix("都") if len(names) == 1 else rest
    told = head + (brief.say("、", " and ").join(new) if beside else merged) + rest
    return f"{last.said}{APART}{told}" if beside else told, None


def _cut_at_names(last: Exchange, brief: Brief) -> tuple[str, str] | None:
    """What stands in front of the names in a request, and behind them; None where they stand at several places."""
    signed, said = sign_mentions(fold_mentions(last.said), brief, all_items(brief))
    at = [place for place, char in enumerate(signed) if char in said and said[char][1] == "item"]
    if not last.items or not at:
        text = fold_around_names(last.said, brief)
        run = find_names_run(text, brief)
        return (text[: run[0]], text[run[1] :]) if run else None
    between = "".join(" " if char in said else char for char in signed[at[0] : at[-1] + 1])
    ends = (restore_mentions(signed[: at[0]], said), restore_mentions(signed[at[-1] + 1 :], said))
    return None if _JOINTS.sub("", between).strip() else ends


def _read_named(text: str, own: str, last: Exchange, brief: Brief) -> _Named | None:
    """What a turn names, where all else in it is how it goes on, or words of the request again."""
    folded = fold_numbers(text)
    forms = (("but", _BUT), ("only", _ONLY), ("also", _ALSO), ("but", _SPARES))
    plans = last.intent == "build" and _NOT_THAT.match(fold_text(text)) is not None
    ways = [
        way
        for way, form in forms
        if form.search(fold_text(text)) and not (form is _SPARES and (last.items or (last.listed and not plans)))
    ]
    if not ways or read_times(folded, brief.term) or says("asking", folded):
        return None
    signed, said = sign_mentions(fold_mentions(brief.read_words(text)), brief, all_items(brief))
    rows = [(sign, row) for sign, row in rows_of("".join(char for char in signed if char in said), said)]
    rest = "".join(" " if char in said else char for char in signed)
    ids = [] if any(said[sign][1] == "item" for sign, _ in rows) else classes_named(text, brief)
    for start, end in reversed(find_runs(rest, brief)):
        rest = f"{rest[:start]} {rest[end:]}"
    told = f"{fold_numbers(own)} {last.text}"
    if {*_WORDS.findall(_FILLERS.sub(" ", rest))} - {*_WORDS.findall(told)}:
        return None
    names = tuple(row["name"] for row in brief.classes if row["id"] in ids)
    short = [] if names or rows else items_in(text, brief, among=all_items(brief))
    items = () if names else tuple(dict.fromkeys(row["name"] for row in short or [row for _, row in rows]))
    return _Named(ways[0], items, names) if items or names else None
