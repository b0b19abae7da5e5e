"""What became of items, told in a clause for each of them, or asked with what is to be done then."""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text, has_chinese
from agent.llm.offline.language.paraphrase.frames import Frame, frame_of
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned, fold_mentions, rows_of, sign_mentions
from agent.llm.offline.language.spans.mentions import KINDS, all_items, classes_in, items_in
from agent.llm.offline.language.spans.targets import target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.said_time import Time
from agent.loop.view_document import TaskView

_CLAUSE = re.compile(
    r"[,，;；。!！]+\s*|\.\s+|\s*\b(?:but|and|while)\b\s*(?=i\b|not\b|skip|miss|did|have|finish|chapter|lab)|但是?|不过"
)
_NOT_MISSED = re.compile(r"\b(?:did(?:n't| not)|haven't|have not) (?:miss|skip)|没(?:有)?(?:漏|错过|跳过|落下)")
_BARE_NOT = re.compile(r"^not\b|(?:还)?没有?$")
_PART = (
    r"(?:[约大概只刚才就]|about |around |only |just |like )*(?:the )?"
    r"(?:(?:first |second |last )?half|(?:a |\d )?(?:third|quarter)s?|\d+ ?%|\d+分之\d+"
    r"|most|some|(?:a |the )?(?:part|bit)|(?P<n>\d+|one|two|three) (?:sections?|periods?)"
    r"|1?半[个本门]?|(?P<m>\d)节)"
)
_LEARNT = r"(?:[做学看背写弄搞完成复习进行了到定过]|差不多|已经?)*"
_SHARE = re.compile(
    rf"(?P<front>(?:{_PART}(?: of (?:the )?|的? ?| (?:done|finished) (?:with )?)|half ?way (?:through|done with) )"
    r"(?:(?:the|my) )?(?:(?P<of>[\ue000-\ue0ff]) )?)?"
    r"(?P<sign>[\ue000-\ue0ff])(?:['’]?s)?(?: (?:chapters|steps|items|stuff)\b)?"
    rf"(?P<behind>(?:的?(?:任务|内容|章节))?的?我?{_LEARNT}(?:[约大概只才前后上下])*{_LEARNT}"
    r"(?:1?半(?:部分)?|1?部分|\d+分之\d+|\d+%|(?P<k>\d)节)(?!没)"
    r"|(?: is| are)? (?:about |only )*half ?(?:way )?(?=done|finished|through))?"
)
"""An item or a class with the part of it that is told: half of Matrices, 第二章的一半, 线代学了一半."""
_TELLS_DONE = re.compile(r"[完过]|搞定|[做学看背写弄习成][了的]|[做学看]到|\b(?:did|done|finished|completed|through)\b")
_DONE_ALONE = re.compile(
    r"(?:i[' ]?(?:m|ve)?|have|am|is|are|was|were|just|already|did|done|finish(?:ed)?"
    r"|completed?|got|through|with|all|both|whole|the|of|and|plus|as well as|now|so far"
    r"|[\s,.!，。！、;；和与跟及同我把将已经刚都也全部整个了的是就]|以及|还有|[做学看背写弄复习][完好]?|完成|搞定|[\ue000-\ue0ff])+"
)
"""What tells nothing but that items are done."""
_DAY_IN_FRONT = re.compile(r"(?:[,，;；]?\s*(?:而?不是|(?:and |but )?not|是|就|早|已经|在|on|at|in|this|just))*\s*$")
_COUNTS = {"one": 1, "two": 2, "three": 3}
_FORMS = {"done": "did", "missed": "missed", "partial": "did_half"}


_KIND_LIST = re.compile(
    r"\b(?P<kind>chapter|ch|unit|lab)s?\.? ?\d+(?:,? (?:(?:and|but|not|&|skipped|missed|forgot) )*\d+\b"
    r"(?! ?(?:[ap]m|:|days?|weeks?)))+"
)
_NAMES_ALONE = re.compile(r"(?:[\ue000-\ue0ff\s,&、和跟与及]|\b(?:and|also)\b)+")


def _spell_kinds(found: re.Match[str]) -> str:
    """A list of numbers with the kind in front of each: chapter 1, chapter 2 but not chapter 3."""
    return re.sub(r"(?<!\d)(?=\d)", f"{found['kind']} ", re.sub(r"^\D+", "", found[0]))


def read_progress(text: str, brief: Brief) -> list[Frame]:
    """The frames of such clauses where they differ, or one denies a miss; what is only left out of it is no miss."""
    told: dict[str, list[str]] = {}
    bare = False
    if asks_whether(text):
        return []
    if parts := _read_parts(text, brief):
        return parts
    if read_times(text, brief.term):
        return []
    progress, held = "", list[str]()
    for clause in filter(None, map(str.strip, _CLAUSE.split(_KIND_LIST.sub(_spell_kinds, text)))):
        names = [*held, *(row["name"] for row in find_mentioned(clause, brief))]
        alone = _NAMES_ALONE.fullmatch(sign_mentions(fold_mentions(clause), brief)[0])
        held = names if alone and not progress else []  # chapter 1 and chapter 3 are done
        if held:
            continue
        progress = progress if alone else "done" if _NOT_MISSED.search(clause) else progress_in(clause)
        if told and _BARE_NOT.search(clause):
            bare = True
        elif names and progress not in _FORMS:
            return []
        elif names:
            told.setdefault(progress, []).extend(names)
    if held or not told or not (len(told) > 1 or bare or _NOT_MISSED.search(text)):
        return []
    return [frame_of(_FORMS[progress], {"items": tuple(names)}) for progress, names in told.items()]


_STUDY = r"(?:[学做背看弄搞写]|复习|开始)"
_DOING = r"(?:do(?:ing)?|finish|start(?:ing)?|begin(?:ning)?|study(?:ing)?|go(?:ing)? on to|move on to)"
_FINISHED = r"(?:finish(?:ed|ing)?|complet(?:e|ed|ing)|(?:get(?:ting)? |be |been |am |i'm )?done with)"
_WANTS = r"(?:(?:i|i've|want|would like|'d like|need|have|will|'ll|only|first|please|can|could|let me|let's|to),?\s?)*"
_FIRST, _THEN = r"(?:the )?(?P<first>[\ue000-\ue0ff])", r"(?:the )?(?P<then>[\ue000-\ue0ff])"
_DONE_FIRST = tuple(
    re.compile(form)
    for form in (
        rf"(?:等|先|把|我|想|要|得|应该|能不能|可以|[\s,])*(?:{_STUDY}完成?了?{_FIRST}|(?P<done>[\ue000-\ue0ff]){_STUDY}完了?)"
        rf"(?:以后|之后|后)?,?(?:我|要|想)*[再才][去来能]?{_STUDY}{{1,2}}{_THEN}[可以行好能不吗么吧呢啊了?？。!！\s]*",
        rf"{_WANTS}{_FINISHED} {_FIRST}(?: first)?,?(?: and)? then {_WANTS}{_DOING} {_THEN}",
        rf"{_WANTS}{_DOING} {_THEN} (?:only )?(?:after|once|when) {_WANTS}{_FINISHED} {_FIRST}",
        rf"(?:after|once|when) {_WANTS}{_FINISHED} {_FIRST},? {_WANTS}{_DOING} {_THEN}",
    )
)
"""That one thing waits until another is done: 学完行列式再学第二章."""


def read_done_first(text: str, brief: Brief) -> list[Frame]:
    """The frame that puts what waits behind what is to be done first: nothing is told to be done already."""
    signed, said = sign_mentions(fold_mentions(text), brief, all_items(brief))
    found = next(filter(None, (form.fullmatch(signed.strip(" .!?")) for form in _DONE_FIRST)), None)
    if found is None:
        return []
    first, then = found["first"] or found.groupdict()["done"], found["then"]
    kinds, rows = {said[one][1] for one in (first, then)}, [said[one][2] for one in (first, then)]
    if kinds == {"item"} and all(len(one) == 1 for one in rows):
        return [frame_of("move_after", {"items": (rows[1][0]["name"],), "item": (rows[0][0]["name"],)})]
    if kinds == {"class"} and all(rows):
        names = [brief.name_of(one[0]["class_id"]) for one in rows]
        return [frame_of("class_before", {"class": (names[0],), "class2": (names[1],)})]
    return []


_REACHES = re.compile(
    r"(?:[学做背看弄搞排写]|复习)[到完]了?(?:第?几|哪|什么|啥|多少)|进度[^,，。;；]{0,6}(?:哪|什么|啥|多少)"
    r"|\b(?:how (?:far|much|many)|what|which|where)\b[^.;]*\b(?:will|would|can|could|should|do(?! i have)|am)\b[^.;]*"
    r"\b(?:(?:i|we) (?:be|get|finish|cover|complete|reach|manage)(?: (?:on|at|up to|to|through|done))?"
    r"|have (?:i )?(?:done|finished|covered|completed|learn(?:t|ed)|studied|got(?:ten)?|reached)"
    r"|(?:be|get) (?:done|finished|covered|completed))\b(?! (?:free|away|busy|home|back))"
)
_NOT_PLANNED = re.compile(r"如果|要是|假如|比较好|合适|来得及|够|\b(?:if|free|hours?|time|enough|away|busy)\b")
_BEFORE = re.compile(r"\bbefore (?:the )?$")


def read_reached(text: str, brief: Brief) -> list[Frame]:
    """The question how far one will have come by some day: what is planned until then, of a class or of a kind."""
    times = [one for one in read_times(text, brief.term) if one.last and one.last >= brief.term.today]
    asks = _REACHES.search(text) and not _NOT_PLANNED.search(text) and not find_mentioned(text, brief)
    if not asks or len(times) != 1 or not any(row["slot"] for row in brief.tasks):
        return []
    strict = times[0].kind in ("day", "weekday") and _BEFORE.search(text[: times[0].start]) is not None
    day, zh = (times[0].last or brief.term.today) - timedelta(days=strict), has_chinese(text)
    when = f"到{day.month}月{day.day}日" if zh else f"until {day.day} {day:%B}"
    owners = classes_in(text, brief.classes)
    names = brief.names_of(owners) if 0 < len(owners) < len(brief.classes) else ""
    known = (kind for kind in KINDS if any(one in fold_text(row["name"]) for row in brief.tasks for one in kind))
    kind = next((kind[not zh] for kind in known if re.search(_FORM_OF_KIND.format("|".join(kind)), text)), "")
    what = (f"{names}的{kind or '任务'}" if names else kind or "任务") if zh else f"{kind or 'item'}s"
    return [frame_of("planned_until", {"time": (when,), "text": (f"{what} of {names}" if names and not zh else what,)})]


_FORM_OF_KIND = r"(?<![a-z])(?:{})s?(?![a-z])"


def _drop_days_behind(text: str, brief: Brief) -> str:
    """A text without the days behind on which a clause tells something to be done, or not: 昨天做的，不是今天."""
    for one in reversed(read_times(text, brief.term)):
        clause = _CLAUSE.split(text[: one.end])[-1] + _CLAUSE.split(text[one.end :])[0]
        ahead = one.first > brief.term.today if one.first else find_mentioned(clause, brief)
        if one.every or (ahead and (one.first or not _TELLS_DONE.search(clause))):
            return text
        text = _DAY_IN_FRONT.sub(" ", text[: one.start]) + text[one.end :]
    return text


_HALF_OF_ONE = re.compile(r"(?<=[^一1每])半个?(?:章|讲|单元|专题|实验)(?![一二三四五六七八九十\d])")
"""Half of the one that is named, and no half of all of its kind: 第二章看了半章."""


def _read_parts(text: str, brief: Brief) -> list[Frame]:
    """The frames of a text that tells items to be done on some day behind, or of which some are only done in part:
    第一章和第二章的一半做完了; empty for other texts."""
    text = _HALF_OF_ONE.sub("一半", text)
    rest = _drop_days_behind(text, brief)
    signed, said = sign_mentions(fold_mentions(rest), brief, all_items(brief))
    told: dict[str, list[str]] = {"did": [], "did_half": []}
    if not _TELLS_DONE.search(signed) or not _DONE_ALONE.fullmatch(_SHARE.sub(lambda share: share["sign"], signed)):
        return []
    lengths = {row["item_id"]: row["duration"] for row in (*brief.tasks, *brief.tasks_before)}
    signs = "".join(char for char in signed if char in said)
    rows = dict[str, list[TaskView]]()
    for sign, row in rows_of(signs, said):
        rows.setdefault(sign, []).append(row)
    parts = int(rest != text)
    for share in _SHARE.finditer(signed):
        counted = share["n"] or share["m"] or share["k"] or ""
        count = _COUNTS.get(counted) or int(counted or 0)
        own, whole = rows.get(share["sign"], []), not (share["front"] or share["behind"])
        done, half = (own, []) if whole else ([], own)
        if said[share["sign"]][1] != "item" and not whole:
            done, half = _divide_class(own, share.group(), lengths)
        of_item = share["of"] and said[share["of"]][1] != "class"
        if whole and not own:
            continue  # the class of an item beside it
        if of_item or not done + half or any(count and count * 2 != lengths.get(row["item_id"]) for row in half):
            return []
        parts += not whole
        told["did"] += [row["name"] for row in done]
        told["did_half"] += [row["name"] for row in half]
    return [frame_of(form, {"items": tuple(names)}) for form, names in told.items() if names] if parts else []


_FRACTION = re.compile(
    r"半|\bhalf|(?P<n>\d )?(?:(?P<third>third)|quarter)|(?P<of>\d+)分之(?P<m>\d+)|(?P<hundredths>\d+) ?%"
)
_FROM_END = re.compile(r"后1?半|\b(?:last|second|latter) half\b")


def _read_fraction(share: str) -> float:
    """The fraction that a share tells; 0 where it tells none, as most of it."""
    found = _FRACTION.search(share)
    if found is None or found[0] in ("半", "half"):
        return 0.5 if found else 0
    if found["of"]:
        return int(found["m"]) / max(int(found["of"]), 1)
    return (
        int(found["hundredths"]) / 100 if found["hundredths"] else int(found["n"] or 1) / (3 if found["third"] else 4)
    )


def _divide_class(rows: list[TaskView], share: str, lengths: dict[int, int]) -> tuple[list[TaskView], list[TaskView]]:
    """The items that make up so much of a class in their order, those that are wholly done then and the one that is
    half done; none where it is not said how much, or no item and no half of one ends there."""
    rows = rows[::-1] if _FROM_END.search(share) else rows
    sizes = [lengths.get(row["item_id"]) or 2 for row in rows]
    left, at = sum(sizes) * min(_read_fraction(share), 1), 0
    while at < len(rows) and left > sizes[at] - 0.1:
        left, at = left - sizes[at], at + 1
    if left > 0.1 and abs(2 * left - sizes[at]) > 0.1:
        return [], []
    done = sorted(rows[:at], key=lambda row: row["order"])
    return done, rows[at : at + 1] if left > 0.1 else []


def tells_part_of_class(text: str, brief: Brief) -> bool:
    """Whether a text tells of a class that a part of it is done, which may be any of its items."""
    signed, said = sign_mentions(fold_mentions(text), brief, all_items(brief))
    shares = (one for one in _SHARE.finditer(signed) if one["front"] or one["behind"])
    return any(said[one["sign"]][1] != "item" for one in shares)


_SOMETHING = r"(?:些?(?:任务|事情?|安排|内容|东西|什么))?"
_ASKS_FIRST = re.compile(
    r"(?P<ask>[^,，?？]{2,24}?(?:[做学看背写弄]完了?(?:吗|没有?|么)?|有[^,，?？]*|[吗么]|没有?|什么|[啥哪][^,，?？]{0,4}))[?？,，]\s*"
    r"(?:(?:如果|要是)?(?:(?P<no>没有?(?:[做学]完?)?)"
    rf"|(?:真?的?(?:是|有){_SOMETHING}|[做学看背写弄]完了?))(?:的话)?[,，]?就?)(?:请|麻烦|[帮给]我)*(?P<act>.{{2,40}})"
    r"|(?P<ask2>(?:have|did|is|are|has|was|do|any\w*|what(?:'?s)?|(?:check|see) (?:if|whether)) [^?,;.]{3,60}?)"
    r"(?:[?,;.] *(?:and )?| and )if (?:(?P<no2>not|i haven't"
    r"|i didn't|it isn't)|so|yes|any(?:thing)?|there(?:'?s| is| are)(?: any(?:thing)?| something| (?:an?|one)\b(?: task"
    r"| item| step)?)?|i (?:have|do)|it is|i did),? (?:then )?(?P<act2>.{3,60})"
)
_DONE, _ON = (
    re.compile(r"完|\b(?:done|finish\w*)\b"),
    re.compile(r"有|排|学|做|\b(?:any\w*|something|what(?:'?s)?|tasks?|items?|steps?|sessions?)\b"),
)
_IT = re.compile(r"\b(?:it|that)\b|它")
_ALL_OF_IT = re.compile(
    r"\b(?:(?:all|any) of )?(?:it|them|that|those|these)(?: all)?\b|^(?:把?(?:它们?|那些)|都|全部?|就|把)+"
)
_MOVES = re.compile(r"[挪移换调放改推提拿]|\b(?:move|shift|put|push|take|bring|clear)\b")
_ELSE = re.compile(r"课|空|别的|其他|\b(?:free|lessons?|classes|lectures?|else|room|space)\b")


def choose_by_answer(text: str, brief: Brief) -> str:
    """A question with what is to be done then, as that alone where it is so, else as the question alone: whether one
    item is done, 单摆做完了吗，没有的话放到周五, or whether anything is on: 周末有安排吗，有的话挪到周五."""
    found = _ASKS_FIRST.fullmatch(text.strip())
    asked = (found["ask"] or found["ask2"]) if found else ""
    rows = items_in(asked, brief) or items_in(asked, brief, among=all_items(brief)) if asked else []
    if found is None:
        return text
    wanted, no = (found["act"] or found["act2"]).strip(" 把"), bool(found["no"] or found["no2"])
    alone = f"{asked}?" if text.isascii() else f"{re.sub('(?:没有?|[吗么])$', '', asked)}吗？"
    if not rows and not no:
        moves = _MOVES.search(wanted) and not items_in(wanted, brief, among=all_items(brief))
        return _move_what_is_on(asked, wanted, brief) if moves and asks_what_is_on(asked, brief) else text
    if len(rows) != 1 or not _DONE.search(asked):
        return text
    if (rows[0]["mark"] == "done") is no:
        return alone
    if items_in(wanted, brief, among=all_items(brief)):
        return wanted
    name = rows[0]["name"]
    return _IT.sub(name, wanted, count=1) if _IT.search(wanted) else f"{name}{wanted}"


def asks_what_is_on(asked: str, brief: Brief) -> bool:
    """Whether it is asked if anything to study is on at a time."""
    other = classes_in(asked, brief.classes) or _ELSE.search(asked)
    return bool(_ON.search(asked) and target_in(asked, brief).said and not other)


def _move_what_is_on(asked: str, wanted: str, brief: Brief) -> str:
    """The request for all that is on at the time which is asked about; the question where nothing is."""
    there, times = target_in(asked, brief), read_times(asked, brief.term)
    bounds = [one for one in times if one.side]
    each = _EVERY.search(f"{asked}，{wanted}") or any(one.every or one.first for one in times)
    if there.days and not (there.week or each):
        bounds.append(Time("days", first=brief.term.today, last=brief.term.today + _TO_NEXT))
    placed = [(row["name"], slot) for row in brief.tasks if (slot := row["slot"]) and there.meets(slot)]
    days = {name: brief.term.day(slot["week"], slot["day_of_week"]) for name, slot in placed}
    meant = [name for name, day in days.items() if all(_is_within(day, one) for one in bounds)]
    act = _ALL_OF_IT.sub("", wanted, count=1).strip()
    if not meant:
        return asked
    if not asked.isascii():
        return f"{'、'.join(meant)}都{act}"
    verb, _, rest = act.partition(" ")
    return f"{verb} {' and '.join(meant)} {rest.strip()}"


_TO_NEXT = timedelta(days=6)
_EVERY = re.compile(r"每|都|\w+days\b")


def _is_within(day: date, bound: Time) -> bool:
    return (bound.first or day) <= day <= (bound.last or day)
