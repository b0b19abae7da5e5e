"""Words that take back what was wanted and want something else in its place: no wait, keep it, delete lab 1 instead;
别删，改成放到最后一周. What they want may be whole by itself, or another deed with the same things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.divided_answers import BARE, divide_answer
from agent.llm.offline.language.dialogue.entities import join_names
from agent.llm.offline.language.dialogue.filling import CLAUSE, put_in
from agent.llm.offline.language.dialogue.rewriting import adds_more
from agent.llm.offline.language.dialogue.slots import COUNT, Span, find_spans
from agent.llm.offline.language.lexicon import pattern, says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers
from agent.llm.offline.language.meaning.grammar import OPERATIONS, Intent
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.class_times import excludes
from agent.llm.offline.language.spans.classes.item_lengths import read_length_of_new
from agent.llm.offline.language.spans.items.arrangements import read_spared
from agent.llm.offline.language.spans.items.beside import SIGNS
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned, fold_said, rows_of, sign_mentions
from agent.llm.offline.language.spans.items.references import parts_of
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_by_name, items_in
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.loop.view_document import TaskView

_LONGEST = 120
"""Characters of the longest words that are read."""
_DEEDS: tuple[Intent, ...] = (*OPERATIONS, "class", "mark", "delete_class")
_CHANGES: tuple[Intent, ...] = (*_DEEDS, "wish", "limit", "replan", "build")
_VERBS = (
    r"(?:move|shift|push|put|place|delete|remove|drop|take|rename|call|mark|keep|leave|make|plan|schedule|swap|add|have"
    r"|give|set|limit|do|cancel|free)"
)
_ONSET = re.compile(
    r"^(?:(?:oh|ok(?:ay)?|yes|yeah|yep|sure|fine|no|nope|hm+|well|sorry|so|and|but|then|just|rather|instead|please|actually|wait|oops"
    r"|h[ao]ng on|hold on|on second thoughts?|you know what|i (?:mean|meant)|let's|can you|could you)\b[\s,.!]*"
    r"|(?:等等|等一?下|哦|噢|啊|嗯|哎|呃|不对|(?:不是|不行|不|好的?|行|可以)(?=[\s,，。!！]|$)|说错了?|[我刚]?[记搞弄]错了?|其实|还是"
    r"|那就?|就|而是|直接|干脆|请|帮我)[\s,，。!！]*)+",
    re.IGNORECASE,
)
"""What begins words that put something right."""
_IT = "(?:it|that|this|them|those)"
_REVOKES = re.compile(
    rf"(?:(?:please )?(?:don't|dont|do not|not|never)(?: (?:to )?{_VERBS})? {_IT}(?: one)?"
    rf"|(?:scratch|forget(?: about)?|cancel|skip|drop|undo|ignore|scrap) (?:{_IT}|what i (?:just )?said)"
    rf"|{_IT} (?:stays?|can stay|should stay|remains?)(?: put| there| where it is| as it is)?"
    rf"|(?:keep|leave) {_IT}(?: (?:in|there|alone|be|as it is|as they are|where it is))?"
    r"|never ?mind(?: about)?(?: (?:that|it))?"
    r")(?: (?:after all|at all|then|please|yet|actually|though))?"
    rf"(?=[\s,.;!—-]*(?:$|(?:(?:and|but|just|instead|rather|please)\b[\s,]*)*{_VERBS}\b))"
    rf"|(?:please )?(?:don't|dont|do not|not)(?: (?:to )?{_VERBS})?(?=[\s,.;!—-]*$)"
    r"|(?:它们?)?(?:先|还是|就|也|暂时)*(?:[别不](?:要|用)?(?:删除?|移|挪|动|改|排|取消|去|拿|标记?|放|推|提前|换|加)|(?:留|保留)着?)"
    r"(?:它们?|这个|那个|掉|了|吧|名|走|出|早|长)*(?=[\s,，。;；!！]|$)"
    r"|(?:刚才|前面)?(?:它|那个|这个|那条|这条)?(?:就)?(?:算了|作废|不要了|不算|取消)吧?(?=[\s,，。;；!！别不]|$)",
    re.IGNORECASE,
)
"""What takes back what was wanted; what is wanted instead may follow at once."""
_OF_IT = re.compile(rf"它|[这那]个|\b{_IT}\b", re.IGNORECASE)
"""What a clause behind others has, that takes back what was wanted before them."""
_HEAD = re.compile(rf"^(?P<verb>{_VERBS})\b(?! (?:it|that|this|them)\b)\s*", re.IGNORECASE)
_CHANGED_TO = re.compile(r"^(?:[改换变][成为到]?(?!名|叫)|把(?!\S*[放移挪改换]))+")
_NAMES = re.compile(r"是|(?:it|that)(?:'s| is| was)\b", re.IGNORECASE)
"""What begins words that name the thing meant, and are no deed."""
_CALLED = re.compile(r"^(?:call|name) (?:it|that|this)\b\s*", re.IGNORECASE)
_END = re.compile(r"[\s,，]*(?:\b(?:instead|then|please|rather)\b|就(?:好|行|可以)|[吧呢啊了呀])*[\s.。!！]*$")


def tell_instead(said: str, request: str, brief: Brief) -> str:
    """The whole request that words make which take back another one and want something in its place; empty for other
    words."""
    if len(told := find_numbered(said, request, brief) or [divide_answer(said, request, brief)]) == 1 and told[0]:
        return told[0]
    rest, taken, spared = _find_rest(said, request, brief) if len(said) <= _LONGEST else ("", False, [])
    before, intent = intent_of(request, brief), intent_of(rest, brief)
    if not (rest or spared) or before not in _CHANGES or asks_whether(rest) or says("asking", fold_text(rest)):
        return ""
    own, named = (_rows_of(one, brief) for one in (request, rest))
    stays = spared if not rest else [] if read_times(fold_text(said), brief.term) else read_spared(said, brief)
    if fewer := _leave_out(stays, request, brief) if before in ("move", "place") else "":
        return fewer
    if left := [row["name"] for row in own if row not in spared] if spared and before in _DEEDS else []:
        instead = [row["name"] for row in named] if len(named) == len(own) - len(left) and intent == "other" else []
        if len(left) == len(own) or (rest and not instead):
            return ""
        return put_in(brief.say("、", " and ").join([*instead, *left]), request, brief)
    classes, of_request = ({*classes_in(one, brief.classes)} for one in (rest, request))
    others, points = [row for row in named if row not in own], pattern("pronoun").search(rest) is not None
    if not taken:  # the same of another, put right
        kinds = [[one.kind for one in read_content_changes(text, brief).told] for text in (request, rest)]
        same = (
            intent == before in _DEEDS
            and kinds[0] == kinds[1] != ["reorder"]
            and others
            and not points
            and not adds_more(said)
        )
        return rest if same and says("correction", fold_text(said)) and not _NAMES.match(rest) else ""
    if others and intent not in _CHANGES:
        return put_in(rest, request, brief) if len(own) == 1 else ""
    if not points and (others or classes - of_request or intent not in _DEEDS):
        return rest if intent in _CHANGES and (named or intent not in OPERATIONS) else ""
    names = brief.say("、", " and ").join(row["name"] for row in own)
    names = names or brief.say("、", " and ").join(row["name"] for row in brief.classes if row["id"] in of_request)
    return _give_to(names, rest, brief) if names and not others else ""


def _leave_out(spared: Sequence[TaskView], request: str, brief: Brief) -> str:
    """A request by which each of several items goes to a place of its own, without some of them; empty for others."""
    parts, ids = parts_of(request, brief) if spared else [], {row["item_id"] for row in spared}
    told = [(row["item_id"], row["name"], " ".join(BARE.sub(" ", text).split())) for row, text in parts]
    kept = [brief.say(f"把{name}{text}", f"move {name} {text}") for one, name, text in told if one not in ids]
    apart = len({text for _, _, text in told}) > 1 and len(kept) < len(parts)
    return brief.say("，", " and ").join(kept) if apart else ""


_NUMBERED = re.compile(
    r"(?:(?P<no>(?:no|nope|wait|sorry|oops|actually|i mean|i meant)\b|不对|[记说弄搞]?错了?|不(?=[,，\s]))[\s,.!]*)*"
    r"(?:(?:\bnot|不是|不要?)\s*(?:number |no\.? ?|#|第|(?P<kind>chapter|ch|lab|unit) ?)?"
    r"(?P<old>\d{1,2})(?P<unit>[章讲项节])?[\s,，]*(?:(?:but|it'?s|it is|i meant?|rather)\b\s*)*)?"
    r"(?:number |#|我?(?:说的?|而)?是说?|要|第)*(?P<new>\d{1,2})(?: one| instead)?[\s.!。吧]*"
)
_NUMBERED_BEFORE = re.compile(
    r"(?P<no>(?:no|wait|sorry|oops|actually|i meant?|it'?s|it is|不对|[记说弄搞]?错了?)[\s,.!]*)*"
    r"(?:number |#|而?是|要|第)*(?P<new>\d{1,2})[章项个]?[\s,，]*(?:and )?(?:\bnot|不是|不要?)\s*"
    r"(?:number |#|第|(?P<kind>chapter|ch|lab|unit) ?)?(?P<old>\d{1,2})(?P<unit>[章讲项节])?[\s.!。吧]*"
)
_MEASURE = re.compile(r"[天周节]|星期|小时|分钟|(?:day|week|section|period|hour|minute)s?$")
_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_ANY_NUMBER = re.compile(rf"{_NUMBER.pattern}|[一二三四五六七八九]")


def find_numbered(said: str, request: str, brief: Brief) -> list[str]:
    """A request with another item of the same class, or another day, that is told by its number alone: not 1, 3;
    不是一，是三. As many as that number may be one of."""
    text = fold_numbers(said).strip()
    found, own = _NUMBERED.fullmatch(text) or _NUMBERED_BEFORE.fullmatch(text), _rows_of(request, brief)
    if found is None or len(own) != 1 or not (found["old"] or found["no"]) or intent_of(request, brief) not in _DEEDS:
        return []
    same = [row for row in all_items(brief) if row["class_id"] == own[0]["class_id"]]
    numbers = {row["name"]: number.group() for row in same if (number := _NUMBER.search(fold_numbers(row["name"])))}
    old, new = numbers.get(own[0]["name"]), found["new"]
    names = [name for name, number in numbers.items() if number == new != old and found["old"] in (None, old)]
    if found["old"] is None and any(_MEASURE.match(one["unit"] or "") for one in COUNT.finditer(fold_text(request))):
        names = []  # how many it is, was said last
    return [*(put_in(name, request, brief) for name in names[:1]), *_put_day(found, request, brief)]


def _put_day(found: re.Match[str], request: str, brief: Brief) -> list[str]:
    """A request with the number of its day, or its weekday, replaced; of one that tells another number none."""
    text = fold_text(request)
    days = [one for one in read_times(text, brief.term) if one.kind in ("day", "weekday") and not one.side]
    numbers = [*_ANY_NUMBER.finditer(text, days[0].start, days[0].end)] if len(days) == 1 else []
    of_item = found["kind"] or found["unit"]
    if not numbers or of_item or found["old"] not in (None, fold_numbers(numbers[-1].group()).strip()):
        return []
    start, end = numbers[-1].span()
    number = found["new"] if text[start].isdigit() else "〇一二三四五六七八九"[int(found["new"]) % 10]
    told = f"{text[:start]}{number}{text[end:]}"
    kinds = ([one.kind for one in read_times(one, brief.term)] for one in (told, text))
    return [told] if next(kinds) == next(kinds) else []


def _rows_of(text: str, brief: Brief) -> list[TaskView]:
    every = all_items(brief)
    return items_by_name(spell_out_ordinals(text), every, brief) or items_in(text, brief, among=every)


def _find_rest(said: str, request: str, brief: Brief) -> tuple[str, bool, list[TaskView]]:
    """What words want beside that they take back a request, whether they do, and of which of its items they say so."""
    own, folded = _rows_of(request, brief), fold_text(said)
    text = said if len(said) == len(folded) else folded  # new names as they were written
    spared = list[TaskView]()
    for one in reversed([one for one in find_spans(folded, brief) if one.kind == "item"]):
        rows = items_in(folded[one.start : one.end], brief, among=all_items(brief))
        if rows and all(row in own for row in rows):
            spared = rows
            text = text[: one.start] + brief.say("它", "it") + text[one.end :]
    kept, taken = list[str](), False
    for clause in filter(None, map(str.strip, CLAUSE.split(text))):
        left = _ONSET.sub("", clause)
        while (found := _REVOKES.match(left)) and (not kept or _OF_IT.search(found.group())):
            taken, left = True, _ONSET.sub("", left[found.end() :].strip(" ,，"))
        kept += [left] if strip_fillers(fold_text(left)) else []
    return _END.sub("", brief.say("，", ", ").join(kept)), taken, spared if taken else []


def _give_to(names: str, rest: str, brief: Brief) -> str:
    """A deed with these things: what points to them in it is their names, or they are named in front of it."""
    rest = _CHANGED_TO.sub("", rest)
    if (number := read_length_of_new(fold_text(rest))) and not target_in(rest, brief).said:
        return brief.say(f"{names}改成{number}节", f"make {names} {number} sections long")
    if found := _CALLED.search(rest):
        whole = f"rename {names} to {rest[found.end() :]}"
    elif found := pattern("pronoun").search(rest):
        verb, _, _ = found.group().rpartition(" ")
        whole = f"{rest[: found.start()]}{f'{verb} {names}'.strip()}{rest[found.end() :]}"
    else:
        whole = brief.say(f"把{names}{rest}", _HEAD.sub(rf"\g<verb> {names} ", rest, count=1))
    if intent_of(whole, brief) in ("move", "place") and not (target_in(whole, brief).said or shift_in(whole)):
        return brief.say(f"把{names}挪到别的日子", f"move {names} to another day")
    return whole if intent_of(whole, brief) in _DEEDS else ""


ROUND = re.compile(r"[反倒]过来|反了|\b(?:the )?(?:other way|opposite|vice versa|revers\w+)\b")


_FIRST_TIME = "\ue100"
_MEANT = rf"[{SIGNS}{_FIRST_TIME}-\ue1ff]"
_RUN = rf"{_MEANT}(?:[\s的]*(?:(?:of|in|on|at|the|and)\b\s*)*{_MEANT})*"
_WRONG = re.compile(
    r"(?:不是|不要|而?不|别|\b(?:not?|isn't|instead of|rather than))\s*(?:(?:在|放|去|(?:on|in|at|to|the)\b)\s*)*"
    rf"(?P<before>{_RUN})"
    rf"|(?P<behind>{_RUN})\s*(?:可能|真的|我)*(?:不[行好]|不可以|不方便|没空|有事|(?:is|are) (?:bad|out|no good)"
    r"|(?:does|do|will|is|are)(?:n't| not) (?:work|good|possible|ok(?:ay)?|fine)|won't (?:work|do)|no good)(?: for me)?"
)
"""What is not meant, or does not suit."""
_RIGHT = re.compile(
    r"[改换](?:成|到|为|在)|应该|可能|我(?:是说|说的是?|要的?是?|想)?|而是|就?是|还是|可以|等等?|更"
    r"|[更比]?较?好[一1]?点?|[和跟与]|换|合适|打错了?|算了|[哎哦噢啊嗯呃那就吧呢的了]"
    r"|\b(?:let's|lets|say|would|could|can|it|that|this|be|is|was|works?|suits?|me|for|better|good|best|instead|please"
    r"|pls|then|but|or|and|on|in|at|to|of|the|i|mean|meant|rather|make|oh|hm+|nah|no|nope|sorry|wait|oops"
    r"|actually|my bad|with|wrong 1|one|wrong|day|time|i'd|prefer)\b"
)
"""What stands around what is meant."""
_CUES = re.compile(
    r"错|不是|哦不|应该是|[改换]成|还是|等等|好[一1]?点|更好|合适"
    r"|\b(?:nah|nope|not|instead|rather|better|let's say|wrong)\b"
)
"""What tells of one that something else was said, beside the words of a correction."""


_DENIES = re.compile(rf"(?<!哦)不(?![对是])|别|没|\b(?:not|never|don't|without|avoid|except)\b|\bno {_MEANT}")
"""What leaves something out of what is meant."""


def tell_correction(said: str, before: str, brief: Brief) -> str:
    """A message that says only what is meant in the place of something that was said `before`, as the shortest words
    for it: not Thursday, Tuesday; 周三不行，周日吧; I meant chapter 2, not chapter 1. Any other as it is."""
    folded = fold_text(said)
    if len(said) > _LONGEST_CORRECTION or says("asking", folded) or not before:
        return said
    frees, opens = excludes(fold_text(before)), says("open_up", folded) or _IS_FREE.search(folded)
    if _NARROWS.search(folded) or (opens and not _find_named(before, brief)):
        return said  # less of the same, or what is free after all
    if frees and _GOES_THERE.search(folded):
        return said  # where something goes
    if not (frees or intent_of(before, brief) in (*OPERATIONS, "mark", "class")):
        return said  # it may come to what was asked or planned
    text, items = sign_mentions(fold_said(brief.read_words(said)), brief, all_items(brief))
    signed, words, times = _sign_times(text, brief)
    if any(time.side for one in times.values() for time in one.times):
        return said  # another end of the same days
    if not (items or times) or any(kind != "item" for _, kind, _ in items.values()):
        return said
    wrong = "".join(found["before"] or found["behind"] for found in _WRONG.finditer(signed))
    rest = _WRONG.sub(" ", signed)
    right = re.findall(_RUN, rest)
    around = pattern("correction").sub(" ", _RIGHT.sub(" ", re.sub(_RUN, " ", rest)))
    if (
        len(right) != 1
        or _DENIES.search(rest)
        or strip_fillers(around)
        or not (wrong or says("correction", text) or _CUES.search(text))
    ):
        return said
    rows = [row for _, row in rows_of(re.sub(f"[^{SIGNS}]", "", wrong), items)]
    denied = [time for char in wrong if char in times for time in times[char].times]
    kinds = [{char in items for char in signs if char in items or char in times} for signs in (wrong, right[0])]
    if not kinds[0] <= kinds[1] or not _were_said(rows, denied, before, brief):
        return said
    names = {sign: join_names([row for _, row in rows_of(sign, items)], brief) for sign in items}
    if len(names) <= 1 + len(rows) and not times and _TRADES.search(fold_text(before)):
        return _exchange_with(names[right[0][0]], rows, before, brief) or said
    if not times and intent_of(before, brief) == "mark":
        marked = rows or _find_named(before, brief)
        mine, other = names[right[0][0]], join_names(marked, brief)
        return brief.say(f"不对，是{mine}，不是{other}", f"sorry, {mine}, not {other}") if len(marked) == 1 else said
    whole = words | names
    return brief.say("不对，", "sorry, ") + "".join(whole.get(char, char) for char in right[0])


_TRADES = re.compile(r"[互交]换|对调|换(?:[一1]?下|个?位置)|\b(?:swap|switch|exchange|trade)\b")


def _exchange_with(name: str, wrong: Sequence[TaskView], before: str, brief: Brief) -> str:
    """A request for two things to change places with another name in the place of the one that is not meant, which is
    the last one where that is not told."""
    signed, items = sign_mentions(fold_said(before), brief, all_items(brief))
    signs = [char for char in signed if char in items]
    other = next((one for one in signs if wrong and wrong[0] in items[one][2]), signs[-1] if signs else "")
    return "".join(name if char == other else items[char][0] if char in items else char for char in signed)


def _sign_times(text: str, brief: Brief) -> tuple[str, dict[str, str], dict[str, Span]]:
    """A text with a sign for each day and each hour that it tells, what is denied apart from what is meant; the words
    and the span of each sign."""
    words, signs = dict[str, str](), dict[str, Span]()
    for _ in range(2):  # a week that stands apart from its day is found beside it
        found = [
            replace(one, start=one.start + piece.start(), end=one.end + piece.start())
            for piece in _PIECE.finditer(text)
            for one in find_spans(piece.group(), brief)
            if one.times
        ]
        for one in reversed(found):
            sign = chr(ord(_FIRST_TIME) + len(signs))
            words[sign], signs[sign] = text[one.start : one.end], one
            text = f"{text[: one.start]}{sign}{text[one.end :]}"
    return text, words, signs


_LONGEST_CORRECTION = 60
_GOES_THERE = re.compile(r"[改换]到")
_IS_FREE = re.compile(r"可以|[能行好]|有空|\b(?:works?|suits?|fine|ok(?:ay)?|good|better|free|possible)\b")
_NARROWS = re.compile(r"[只仅光]|就(?![算不别留先])|\b(?:only|just)\b")
_PIECE = re.compile(r"[^,，;；]+?(?=[,，;；]|\s+not\b|(?<=.)不是|$)|[^,，;；]+")


def _find_named(text: str, brief: Brief) -> list[TaskView]:
    """The items of all classes that a text names."""
    _, items = sign_mentions(fold_said(text), brief, all_items(brief))
    return [row for _, row in rows_of("".join(items), items)]


def _were_said(rows: Sequence[TaskView], times: Sequence[Time], before: str, brief: Brief) -> bool:
    """Whether these items and times were all named before."""
    known, named = read_times(fold_text(before), brief.term), _find_named(before, brief)
    return all(row in named for row in rows) and all(any(_is_same(one, other) for other in known) for one in times)


def _is_same(one: Time, other: Time) -> bool:
    """Whether a time is the other one as far as it tells."""
    days = not one.weekdays or {*one.weekdays} <= {*other.weekdays}
    dated = one.first is None or one.first == other.first or (one.kind == "week" and one.week == other.week)
    return days and dated and (one.part, one.sections) in ((None, None), (other.part, other.sections))


def exchange_days(said: str, request: str, brief: Brief) -> str:
    """A request for two items with the days of them exchanged, where words only say that it is the other way round."""
    text, base = fold_text(said), fold_text(request)
    if not ROUND.search(text) or strip_fillers(_SAID.sub(" ", ROUND.sub(" ", text))):
        return ""
    days, rows = [one for one in find_spans(base, brief) if one.kind == "day"], find_mentioned(request, brief)
    if len(days) != len(rows) or len(days) != 2 or intent_of(request, brief) not in ("move", "place"):
        return ""
    one, other = (base[at.start : at.end] for at in days)
    return base[: days[0].start] + other + base[days[0].end : days[1].start] + one + base[days[1].end :]


_SAID = re.compile(r"[说搞弄记写]|两个|\b(?:i|said|got|had|them|it|round|around|way)\b")
