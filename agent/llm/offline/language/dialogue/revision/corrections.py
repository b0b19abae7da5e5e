"""Corrections that no slot of the request takes: another deed with the same thing, or other limits of the same class.

Each gives the whole request again: what it is about comes from the request, what is to be done from the correction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import reduce

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import find_others, join_names, name_of, tells_others
from agent.llm.offline.language.dialogue.filling import CLAUSE, put_in
from agent.llm.offline.language.dialogue.pointing.pointed_times import spell_in_week
from agent.llm.offline.language.dialogue.revision.hours_anew import keep_wished_days, limit_some_days, tell_day_anew
from agent.llm.offline.language.dialogue.revision.open_after_all import close_more, open_after_all, retime
from agent.llm.offline.language.dialogue.revision.taken_back import ROUND, exchange_days, tell_instead
from agent.llm.offline.language.dialogue.rewriting import LONGEST, adds_more, find_items
from agent.llm.offline.language.dialogue.slots import COUNT, OF_DAY, find_spans
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import form_of, strip_fillers, strip_known
from agent.llm.offline.language.meaning.features import Features
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.paraphrase.names import find_shortened, list_names
from agent.llm.offline.language.spans.classes.class_changes import read_content_changes
from agent.llm.offline.language.spans.classes.content_reading import SIDES
from agent.llm.offline.language.spans.classes.item_lengths import read_length_of_new, read_lengths
from agent.llm.offline.language.spans.classes.rhythms import spell_minutes
from agent.llm.offline.language.spans.dates import weekdays_in
from agent.llm.offline.language.spans.happenings import progress_in
from agent.llm.offline.language.spans.items.counted import COUNTED, find_counted_items
from agent.llm.offline.language.spans.items.groups import selects_by_time
from agent.llm.offline.language.spans.items.mention_signs import find_mentioned
from agent.llm.offline.language.spans.items.spoken import spell_out_ordinals
from agent.llm.offline.language.spans.mentions import (
    all_items,
    classes_in,
    items_by_name,
    items_in,
    without_items,
    without_refusals,
)
from agent.llm.offline.language.spans.targets import shift_in, target_in
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import weekday_names
from agent.llm.offline.language.texts import date_text
from agent.loop.view_document import TaskView

LEAD = re.compile(
    r"^(?:就是(?=[周星上下早晚中礼])|(?:[那就所以好吧行啊不对是说错了我的意思其实而等]|还是|算了)+[,，\s]*(?=[^,，\s])"
    r"|(?:(?:ok(?:ay)?|then|so|well|fine|sorry|no(?! (?:\w+s|weekend)\b)|oh|oops|hm+|wait|actually|and|but|rather|just"
    r"|on second thoughts?)\b[,\s]*"
    r"|i (?:mean|meant)(?: to)?\b[,\s]*)+)",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[\s,，]*(?:\b(?:then|please|instead|i mean|i meant)\b|[吧呢啊了呀])*\W*$")


def correct_request(said: str, request: str, brief: Brief, *, refused: bool, done: bool = False) -> str:
    """The whole request that a correction of another makes; empty for one that only fills its slots otherwise. `done`:
    what the other one wanted is written, so that times are opened again by what is written of them."""
    if request and not done and (instead := tell_instead(said, request, brief)):
        return instead
    if not request or len(said) > LONGEST:
        return ""
    if named := _call_otherwise(said, request, brief):
        return named
    if marked := mark_fewer(said, request, brief, done=done) or mark_instead(said, request, brief, done=done):
        return marked
    if shared := share_day_of_named(said, request, brief):
        return shared
    if named := _name_which(said, request, brief) or ("" if done else add_to_class(said, request, brief)):
        return named
    if ordered := _order_anew(said, request, brief) or exchange_days(said, request, brief):
        return ordered
    if (other := change_other(said, request, brief)) or items_in(said, brief, among=all_items(brief)):
        return other
    if dated := _date_anew(said, request, brief):
        return dated
    return (
        ("" if done else limit_some_days(said, request, brief) or keep_wished_days(said, request, brief))
        or _mark_otherwise(said, request, brief, done=done)
        or retime(said, request, brief)
        or put_in(tell_day_anew(said, request, brief), request, brief)
        or _resize_instead(said, request, brief)
        or _resize_all(said, request, brief)
        or _remove_wholly(said, request, brief)
        or select_otherwise(said, request, brief)
        or _end_otherwise(said, request, brief)
        or (open_after_all(said, request, brief) or [""])[0] * (not done)
        or (close_more(said, request, brief) if not done else "")
        or _plan_at_hours(said, request, brief, done=done)
        or _limit_anew(said, request, brief, refused=refused)
        or _narrow_absence(said, request, brief)
    )


_DENIED = re.compile(r"[没未]|不是(?!吗)|\bnot\b|n't\b|\bstill\b|\bnever\b")
_PIECES = re.compile(r"[,，.。;；]\s*|\b(?:and|but)\b|(?<!is )(?<!was )(?=\bnot\b)|(?=不是)")


def mark_instead(said: str, request: str, brief: Brief, *, done: bool = False) -> str:
    """Answers the mark of the items that a correction names in the place of those that it says are not done, which lose
    the one that was written: I meant Matrices, Determinants isn't done; 是第一章，第二章还没做."""
    if intent_of(request, brief) != "mark" or progress_in(request) != "done" or not says("correction", fold_text(said)):
        return ""
    pieces = _PIECES.split(spell_out_ordinals(fold_text(said)))
    marked = items_by_name(spell_out_ordinals(request), all_items(brief), brief)
    wrong, right = (
        [
            row
            for one in pieces
            if bool(_DENIED.search(one)) is denied
            for row in items_by_name(one, all_items(brief), brief)
        ]
        for denied in (True, False)
    )
    if not wrong or not right or any(row not in marked for row in wrong) or any(row in wrong for row in right):
        return ""
    lost, won = (join_names(rows, brief) for rows in (wrong, right))
    whole = brief.say(f"{won}做完了", f"I did {won}")
    return APART.join((brief.say(*AS_MARKED["open"], names=lost), whole)) if done else whole


def _order_anew(said: str, request: str, brief: Brief) -> str:
    """Another order of the items of one class than the one that was told: no, the other way round; 放到实验一后面."""
    told, text = read_content_changes(brief.spoken.get(request, request), brief).told, fold_text(said)
    if [one.kind for one in told] != ["reorder"] or says("asking", text) or read_times(text, brief.term):
        return ""
    if adds_more(said):
        return ""
    (before,), rows = told, find_mentioned(said, brief)
    if before.side == "swap" and len(rows) == len(before.items) and len({row["class_id"] for row in rows}) == 1:
        own = [row["name"] for row in all_items(brief) if row["class_id"] == rows[0]["class_id"]]
        turned = dict(zip([row["name"] for row in rows], [row["name"] for row in rows[::-1]], strict=True))
        listed = brief.say("和", " and ").join(turned.get(name, name) for name in own)
        return brief.say(f"顺序改成：{listed}", f"the order is: {listed}")
    (moved, *more), beside = before.items, before.beside
    ahead = before.items if before.side == "order" else (moved, beside)[:: -1 if before.side == "after" else 1]
    if ROUND.search(text) and len(ahead) == 2 and all(ahead):
        first, then = (row["name"] for row in ahead if row)
        return brief.say("{one}要在{other}前面", "{one} should come before {other}", one=then, other=first)
    if more:
        return ""
    where = re.sub(r"^(?:(?:put|make|move) (?:it|that)|把?它)\s*", "", _strip(said))
    whole = brief.say(f"{moved['name']}{where}", f"put {moved['name']} {where}")
    now = read_content_changes(whole, brief).told
    same = [(one.kind, one.items, one.classes) for one in now] == [("reorder", before.items, before.classes)]
    return whole if same and moved not in rows and (now[0].side, now[0].beside) != (before.side, beside) else ""


_BY = re.compile(r"[再多宽晚延早提推后前]|\b(?:later|earlier|more|longer|sooner|extra|another)\b")
_EARLIER = re.compile(r"[早提前]|\b(?:earlier|sooner)\b")


def _date_anew(said: str, request: str, brief: Brief) -> str:
    """The request for dates of a class with its one day so much later or earlier: no, a week later than that."""
    text, base = re.sub(r"\b(?:more|extra) ", "", fold_numbers(said)), fold_text(request)
    count, days = COUNT.search(text), [one for one in read_times(base, brief.term) if one.kind == "day"]
    told = _BY.search(fold_text(said)) and not any(says("begins_reason", one.strip()) for one in CLAUSE.split(text))
    if count is None or len(days) != 1 or not told or says("asking", text):
        return ""
    bound, shift = days[0].last or days[0].first, shift_in(brief.say(f"推迟{count.group()}", f"{count.group()} later"))
    if not (bound and shift and shift.days) or intent_of(request, brief) != "class" or classes_in(said, brief.classes):
        return ""
    day = bound + timedelta(days=-shift.days if _EARLIER.search(text) else shift.days)
    return base[: days[0].start] + brief.say(f"{day.month}月{day.day}日", day.isoformat()) + base[days[0].end :]


_OWN_DAY = re.compile(r"的?(?:那|当|同)[1一]?天|\b(?:the )?(?:day of|same day as|day with)\b|'s day\b|\bday\b(?=\W*$)")
_ONE_DAY = re.compile(r"同1?天|\bsame day\b")
_GOES_THERE = re.compile(
    r"(?:[那就都把放排挪移到在去吧好了呢还是统一,，。.!\s])*"
    r"|(?:(?:on|to|let's|lets|make|it|put|them|both|go|with|then|please|the|use|take|do)\b|\W)*"
)


def share_day_of_named(said: str, request: str, brief: Brief) -> str:
    """The move of the other of two items that were to share a day, where words tell the day of one: 放第五章那天."""
    pair, rows, folded = find_mentioned(request, brief), find_mentioned(said, brief), fold_numbers(said)
    others = [row for row in pair if row not in rows]
    slot = rows[0]["slot"] if len(rows) == len(others) == 1 and len(pair) > 1 and rows[0] in pair else None
    rest = _OWN_DAY.sub(" ", without_items(folded, rows))
    shares = slot and rows[0] is not pair[-1] and _ONE_DAY.search(fold_numbers(request)) and _OWN_DAY.search(folded)
    if slot is None or not shares or not _GOES_THERE.fullmatch(rest):
        return ""  # the first goes to the other anyway
    name, day = name_of(others[0], brief), date_text(brief, brief.day_of(slot))
    return brief.say(f"把{name}移到{day}", f"move {name} to {day}")


def change_other(said: str, request: str, brief: Brief) -> str:
    """A change of one content of a class with another one in its place: delete estimation, no, I mean moments; no, the
    other one."""
    told, text = read_content_changes(request, brief).told, fold_text(said)
    sized = [some for some, _ in read_lengths(request, brief)] if not told else []
    things = [one.items for one in told] or sized
    denies = says("correction", text) or (len(things) == 1 == len(things[0]) and find_others(said, things[0][0], brief))
    if [len(some) for some in things] != [1] or intent_of(request, brief) != "class" or not denies:
        return ""
    (old,), every = things[0], all_items(brief)
    pieces = list_names(text, (), [row["name"] for row in every])
    short = find_shortened(text, (), [row["name"] for row in every])
    rows = items_in(said, brief, among=every) or [row for row in every if row["name"] in short]
    rows = rows or [row for row in every if tells_others(text) and row["class_id"] == old["class_id"] and row != old]
    rest = reduce(lambda left, piece: left.replace(piece, " "), (one.text for one in pieces), _OTHER_ONE.sub(" ", text))
    if len(rows) != 1 or rows[0] == old or strip_fillers(without_items(rest, rows)):
        rows = find_others(said, old, brief)
    return put_other(rows[0], old, request, brief) if len(rows) == 1 else ""


def put_other(other: TaskView, old: TaskView, request: str, brief: Brief) -> str:
    """A request with another item in the place of one of its own; empty where that is not named in it."""
    base, name = fold_text(request), fold_text(old["name"])
    spans = [(one.start, one.end) for one in find_spans(base, brief) if one.kind == "item"]
    counted = [row["item_id"] for row in find_counted_items(request, brief)]
    if name not in base and not spans and counted == [old["item_id"]]:
        return re.sub(rf"(?:\bthe )?(?:{COUNTED.pattern})", other["name"], fold_numbers(request), count=1)
    start, end = (base.find(name), base.find(name) + len(name)) if name in base else (spans or [(0, 0)])[-1]
    base = request if len(request) == len(base) else base  # a new name as it was written
    return f"{base[:start]}{other['name']}{base[end:]}" if end else ""


_OTHER_ONE = re.compile(r"另外?[一1]?[个项]|\bother one\b")


def _narrow_absence(said: str, request: str, brief: Brief) -> str:
    """The days of a week on which one is away, where the week was told as a whole before: thursday to sunday."""
    week = target_in(request, brief)
    if intent_of(request, brief) != "replan" or week.days or not week.week or form_of(said, brief) != "time":
        return ""
    days = spell_in_week(said, week.week, brief)
    return brief.say(f"我{days}没空", f"I am not available on {days}") if days != fold_text(said) else ""


def _name_which(said: str, request: str, brief: Brief) -> str:
    """Of what was to leave a day the items that words name and nothing else: Matrices."""
    rows = items_in(said, brief) if form_of(said, brief) == "item" else []
    target, leaves = target_in(request, brief), intent_of(request, brief) in ("move", "replan")
    there = target.dated and all(row["slot"] and target.covers(row["slot"]) for row in rows)
    if not (rows and leaves and there) or find_items(request, brief):
        return ""
    return brief.say("把{names}挪到别的日子", "move {names} to another day", names=join_names(rows, brief))


def add_to_class(said: str, request: str, brief: Brief) -> str:
    """Tells into which class what is to be added goes, where none was told."""
    meant, told = classes_in(said, brief.classes), read_content_changes(brief.spoken.get(request, request), brief).told
    owner, more = brief.class_of(meant[0]) if len(meant) == 1 else None, _INTO.sub(" ", _strip(said))
    text = fold_text(said)
    if owner is None or strip_known(more, brief).strip(" ,，。.") or says("asking", text) or says("build", text):
        return ""
    corrects = says("correction", text)
    adds = [one for one in told if one.kind == "add" and one.names and (corrects or {*one.classes} <= {*meant})]
    names = adds[0].names if len(adds) == len(told) == 1 else ()
    listed = brief.say("、", ", ").join(brief.say(f"「{one}」", f'"{one}"') for one in names)
    return brief.say(f"给{owner['name']}加上{listed}", f"add {listed} to {owner['name']}") if names else ""


_INTO = re.compile(r"[里内中的]面?|^(?:[放加排]?[到在进给]?)|\b(?:in|into|to|for|under|put|it)\b", re.IGNORECASE)


def tells_of_added(said: str, request: str, brief: Brief) -> bool:
    """Whether words tell where in its class stands what is to be added, or how long it is: 排在第6章后面; 4 节."""
    told, text = read_content_changes(request, brief).told, without_refusals(fold_text(said))
    alone = [(one.kind, len(one.names), len(one.classes)) for one in told] == [("add", 1, 1)]
    if not alone or says("asking", text) or read_times(text, brief.term):
        return False
    where = (*SIDES.values(), _BESIDE)
    return any(form.search(text) for form in where) or bool(read_length_of_new(text))


_BESIDE = re.compile(r"[前后]|\b(?:after|behind|before)\b")


def mark_fewer(said: str, request: str, brief: Brief, *, done: bool = False) -> str:
    """Marks the items of a mark without those that are not done after all, or those alone that are: wait, only
    chapter 2; chapter 2 isn't done. Where the mark is written, the others lose theirs."""
    marked, spared = (items_by_name(spell_out_ordinals(one), all_items(brief), brief) for one in (request, said))
    only = says("only", fold_text(said)) or (_THAT_ALONE.match(fold_text(said)) and form_of(said, brief) == "item")
    only = bool(only) and len(spared) < len(marked)
    left = [row for row in marked if (row in spared) is only]
    partly = progress_in(said) == "partial" and _HALF.search(fold_text(said)) is not None
    fewer = partly or (left and (only or _NOT_DONE.search(fold_text(said))))
    marks = intent_of(request, brief) == "mark" and progress_in(request) == "done"
    if not (marks and spared and fewer) or says("asking", fold_text(said)) or any(row not in marked for row in spared):
        return ""
    rows = [row for row in marked if row not in left] if done else left
    rest = [row for row in marked if row not in spared and not done]
    told = [("done", rest), ("partial", spared)] if partly else [("open" if done else "done", rows)]
    lines = (brief.say(*AS_MARKED[one], names=join_names(rows, brief)) for one, rows in told if rows)
    return (brief.say("；", "; ") + APART).join(lines)


_HALF = re.compile(r"半|部分|\b(?:half|part|partly|some)\b")
_THAT_ALONE = re.compile(r"那?就(?!是)")
_NOT_DONE = re.compile(r"没|未|不[是算]|\b(?:not|haven't|hasn't|didn't|isn't|wasn't|unmark)\b")


def _mark_otherwise(said: str, request: str, brief: Brief, *, done: bool) -> str:
    """Another mark of the same items: wait no, only about half."""
    before, whole = progress_in(request), says("all", fold_text(said))
    now = progress_in(said) or ("done" if whole and before == "partial" else "")
    rows = items_by_name(spell_out_ordinals(request), all_items(brief), brief)
    if intent_of(request, brief) != "mark" or not rows or now not in AS_MARKED or now == before:
        return ""
    if says("asking", fold_text(said)) or read_times(fold_text(said), brief.term) or shift_in(said) is not None:
        return ""
    now = "open" if done and (before, now) == ("done", "missed") else now
    return brief.say(*AS_MARKED[now], names=join_names(rows, brief))


AS_MARKED = {"partial": ("{names}只做了一半", "I did half of {names}"), "missed": ("{names}没做", "I missed {names}"),
              "done": ("{names}学完了", "I did {names}"), "open": ("{names}其实没做完", "unmark {names}")}  # fmt: skip


def _resize_instead(said: str, request: str, brief: Brief) -> str:
    """What was to be taken away is to be longer or shorter: no, just make it 1 section; 别删了，缩短一点吧."""
    dropped = [row for one in read_content_changes(request, brief).told if one.kind == "drop" for row in one.items]
    rows = dropped or (find_items(request, brief) if intent_of(request, brief) == "remove" else [])
    if not rows or says("asking", fold_text(said)) or classes_in(said, brief.classes):
        return ""
    names, ids = join_names(rows, brief), {row["item_id"] for row in rows}
    long = ("{names}改成{n}节", "make {names} {n} sections long")
    for clause in filter(None, map(_strip, CLAUSE.split(fold_text(said)))):
        number = read_length_of_new(clause)
        whole = brief.say(*long, names=names, n=number) if number else f"{names}{brief.say('', ' ')}{clause}"
        told = read_lengths(whole, brief)
        if {row["item_id"] for some, _ in told for row in some} == ids and len(told) == 1:
            return brief.say(*long, names=names, n=told[0][1])
    return ""


_EVERY = re.compile(r"[每各][1一]?[个项章门次]?|都|全部?|\b(?:each|every(?: one)?|per item|all|of them)\b")


def _resize_all(said: str, request: str, brief: Brief) -> str:
    """Another length for all that were to be longer or shorter: i mean three sections each."""
    pieces = (request, *CLAUSE.split(request))
    rows = next((rows for one in pieces if (rows := [row for some, _ in read_lengths(one, brief) for row in some])), [])
    text = spell_minutes(fold_numbers(_strip(said)))
    number, rest = read_length_of_new(_EVERY.sub(" ", text)), _LENGTH.sub(" ", _EVERY.sub(" ", text))
    if not rows or not number or strip_fillers(rest) or says("asking", fold_text(said)):
        return ""
    owner = brief.class_of(rows[0]["class_id"])
    if owner and {row["item_id"] for row in rows} == {item["id"] for item in owner["items"]}:
        return brief.say("{name}每项{n}节", "{name}: {n} sections per item", name=owner["name"], n=number)
    names = brief.say("、", " and ").join(row["name"] for row in rows)
    return brief.say("{names}改成{n}节", "make {names} {n} sections long", names=names, n=number)


_LENGTH = re.compile(r"\d+ ?个?(?:节课?|sections?)|\b(?:one|two|three|four) sections?\b")


def _remove_wholly(said: str, request: str, brief: Brief) -> str:
    """What was to be taken out of the plan is to leave its class: from the class completely, 我是说彻底删掉."""
    if intent_of(request, brief) != "remove" or not says("for_good", fold_text(said)):
        return ""
    rows = find_items(request, brief)
    owners = {row["class_id"] for row in rows}
    if len(owners) != 1 or {*classes_in(said, brief.classes)} - owners:
        return ""
    names, whole = join_names(rows, brief), brief.name_of(owners.pop())
    return brief.say(f"把{names}从{whole}里删掉", f"remove {names} from {whole}")


def _call_otherwise(said: str, request: str, brief: Brief) -> str:
    """What was to be taken away, added or renamed is to have a name: i meant rename it to Everyday nouns."""
    before = read_content_changes(request, brief).told
    name = _find_name(_strip(said)) or (
        _find_bare_name(said, request, brief) if says("rename", fold_text(request)) else ""
    )
    of_class = not any(one.items or one.kind == "add" for one in before)
    rest = said[: said.rindex(name)] if name and name in said else said
    other = {row["item_id"] for row in items_in(rest, brief, among=all_items(brief))}
    owners = classes_in(request, brief.classes)
    if says("rename", fold_text(request)) and (of_item := _call_item(said, owners, brief)):
        return of_item
    if other - {row["item_id"] for one in before for row in one.items}:
        return ""
    other_class = {*classes_in(said.replace(name, ""), brief.classes)} - {*owners}
    called = [row["name"] for row in all_items(brief) if fold_text(row["name"]) in fold_text(request)]
    if says("rename", fold_text(request)) and name and len(called) == 1 and not (before and before[0].items):
        return brief.say(f"把{called[0]}改名为「{name}」", f'rename {called[0]} to "{name}"')  # it has its name already
    if other_class or any(fold_text(row["name"]) in fold_text(name)[:-1] for row in all_items(brief)):
        return ""  # another thing gets the name
    whole = says("rename", fold_text(request)) or intent_of(request, brief) == "delete_class"
    if name and of_class and len(owners) == 1 and whole:
        owner = next(row["name"] for row in brief.classes if row["id"] == owners[0])
        return brief.say(f"把{owner}改名为「{name}」", f'rename {owner} to "{name}"')
    made = [row["name"] for row in all_items(brief) if name and fold_text(row["name"]) in fold_text(request)]
    if len(made) == 1 and "add" in {one.kind for one in before}:  # there is nothing left to add
        return brief.say(f"把{made[0]}改名为「{name}」", f'rename {made[0]} to "{name}"')
    out = not before and intent_of(request, brief) == "remove" and not read_times(name, brief.term)
    if not name or not (out or len(before) == 1):
        return ""
    if before and before[0].kind == "add" and len(before[0].names) == 1:
        return request.replace(before[0].names[0], name)
    items = items_in(request, brief) if out else before[0].items
    item = items[0]["name"] if len(items) == 1 else ""
    return item and brief.say(f"把{item}改名为「{name}」", f'rename {item} to "{name}"')


def _call_item(said: str, owners: Sequence[int], brief: Brief) -> str:
    """Another name for the content that is counted within the class spoken of: 第一个再改成行列式计算."""
    nth, owner = _NTH.search(fold_numbers(said)), brief.class_of(owners[0]) if len(owners) == 1 else None
    at = next((one for one in nth.groups() if one), "") if nth else ""
    number = -1 if at in ("last", "最后") else int(at) if at.isdigit() else 1 + _NTHS.index(at) if at else 0
    name = _find_name(_strip(_NTH_SAID.sub(brief.say("", "it"), said, count=1)))
    if not (owner and name and number and abs(number) <= len(owner["items"])):
        return ""
    item = owner["items"][number - (number > 0)]["content"]
    return brief.say(f"把{owner['name']}的{item}改名为「{name}」", f'rename {item} to "{name}"')


_NTHS = ("first", "second", "third", "fourth", "fifth")
_NTH = re.compile(r"第(\d)[个项]|(最后)1[个项]|\bthe (first|second|third|fourth|fifth|last)(?: one| item)?\b")
_NTH_SAID = re.compile(
    r"(?:第[一二三四五六\d]|最后一)[个项]|\bthe (?:first|second|third|fourth|fifth|last)(?: one| item)?(?: should be)?",
    re.IGNORECASE,
)


def _find_name(text: str) -> str:
    """The name that something is to have."""
    told = _NAMED.search(text)
    name = (_JUST.sub("", told["zh"] or "") or told["en"]).strip(" 「」“”\"'。.!！") if told else ""
    return "" if _OF_ITS_OWN.search(name) or COUNT.fullmatch(fold_numbers(name)) else name


def _find_bare_name(said: str, request: str, brief: Brief) -> str:
    """The name that words give which correct another one and tell nothing else: wait, RLC circuits."""
    name, text = re.sub(r"^(?:to |应该是|[改换写][成为])", "", _strip(said)), fold_text(said)
    known = read_times(text, brief.term) or form_of(said, brief) or says("asking", text) or _refuses(fold_text(name))
    spans = (fold_text(text[one.start : one.end]) for one in find_spans(text, brief) if one.kind == "item")
    known = bool(known or any(one not in fold_text(request) for one in spans)) or any(
        says(one, fold_text(name)) for one in ("never_mind", "keep", "unwanted", "taken_back")
    )
    return "" if known or not says("correction", text) or intent_of(name, brief) != "other" else name


_JUST = re.compile(r"(?:就(?:行|好|可以|成)|吧|呗)\W*$")
_OF_ITS_OWN = re.compile(r"改[名为成叫]|\bto\b")
"""What shows that a text tells itself what gets the name."""
_NAMED = re.compile(
    r"(?:改?叫做?|(?:改名|重命名|更名|名字?改)[为成叫作]*|改[为成])\s*(?P<zh>[^,，。]+)"
    r"|\b(?:rename|call(?:ed)?)\b(?: (?:it|that|this))?(?: to| as)?\s+(?P<en>[^,.;]+)",
    re.IGNORECASE,
)


def select_otherwise(said: str, request: str, brief: Brief) -> str:
    """Selects the items of another day than the one whose were to go, or of a part of it: 周四的都移走, then
    我说的是3月19号, or 只移下午的; 周末的都挪走, then 只动周日的."""
    named = intent_of(request, brief) in ("move", "remove") and selects_by_time(request, brief)
    days = [one for one in find_spans(fold_text(request), brief) if one.kind == "day"]
    text, kinds = fold_text(said), _find_kinds(said, brief)
    if named and says("only", text) and (fewer := _find_fewer_days(text, request, brief)):
        time, *more = read_times(fold_text(request), brief.term)
        whole = f"{fold_text(request)[: time.start]}{fewer}{fold_text(request)[time.end :]}"
        kept = {*weekdays_in(fewer)} | {one.first.isoweekday() for one in read_times(fewer, brief.term) if one.first}
        left = [day for day in time.weekdays if day not in kept] if not more else []
        others = brief.say("、", " or ").join(weekday_names(left, brief.language))
        return whole + (brief.say(f"，不要放到{others}", f", not on {others}") if others else "")
    narrows = says("only", text) and kinds == {"hour"} and "hour" not in _find_kinds(request, brief)
    if not named or not (narrows or (len(days) == 1 and says("correction", text) and kinds == {"day"})):
        return ""
    return put_in(said, request, brief)


def _find_fewer_days(text: str, request: str, brief: Brief) -> str:
    """The weekdays that words leave of those by which a request picks its items, and which the others of them stay."""
    clauses = [one for one in CLAUSE.split(text) if says("only", one) and not _STAYS.search(one)]
    told = [one for clause in clauses for one in read_times(clause, brief.term)]
    first = read_times(fold_text(request), brief.term)[:1]
    days = sorted({day for one in told for day in one.weekdays})
    bare = days and not any(one.first or one.week or one.kind != "weekday" for one in told)
    of_some = 0 < len(classes_in(text, brief.classes)) < len(brief.classes)
    if (
        told
        and not (bare or of_some)
        and len(first) == 1
        and first[0].weekdays
        and not (first[0].week or first[0].first)
    ):
        return _find_dates(" ".join(clauses), first[0].weekdays, brief)
    if not bare or of_some or not first or first[0].kind not in ("week", "weekday", "days"):
        return ""
    if not {*days} < {*(first[0].weekdays or range(1, 8))}:
        return ""
    week = first[0].week or (first[0].first and brief.term.week_day(first[0].first)[0])
    dated = [date_text(brief, brief.term.day(week, day)) for day in days] if week else []
    return brief.say("、", " and ").join(dated or weekday_names(days, brief.language))


def _find_dates(text: str, weekdays: Sequence[int], brief: Brief) -> str:
    """The dates that words tell of these weekdays: only next week's, 只移3月19号的; empty for others."""
    target = target_in(text, brief)
    known = (
        sorted({*(target.days or weekdays)} & {*weekdays})
        if target.week and not (target.part or target.sections)
        else []
    )
    if not target.week or (target.days and not {*target.days} <= {*weekdays}):
        return ""
    return brief.say("、", " and ").join(date_text(brief, brief.term.day(target.week, day)) for day in known)


_STAYS = re.compile(r"留|[不别][^,，]{0,2}[动挪移推变]|\b(?:keep|leave|stays?|don't)\b")


def _end_otherwise(said: str, request: str, brief: Brief) -> str:
    """Another last day of the class whose dates were to change: so everything has to be done by april 5."""
    text, owners = fold_text(said), classes_in(request, brief.classes)
    days = [one for one in read_times(text, brief.term) if one.kind == "day"]
    ends = says("wish_finish", text) or says("deadline", text)
    others = {*classes_in(said, brief.classes)} not in ({*owners}, set(), {row["id"] for row in brief.classes})
    if len(owners) != 1 or len(days) != 1 or not ends or others:
        return ""
    if intent_of(request, brief) != "class" or not says("deadline", fold_text(request)) or says("asking", text):
        return ""
    return brief.say("{name}{said}", "{name}: {said}", name=brief.name_of(owners[0]), said=_strip(said))


def _plan_at_hours(said: str, request: str, brief: Brief, *, done: bool) -> str:
    """The items of classes that are planned into a week at those hours of it which alone are told: 最好都下午."""
    week, owners, text = target_in(request, brief), classes_in(request, brief.classes), fold_text(said)
    rows = [row for row in brief.tasks if row["class_id"] in owners]
    times = read_times(text, brief.term)
    bare = {"hour"} == _find_kinds(said, brief) and not any(one.role == "avoided" for one in times)
    if done or not (week.week and not week.days and bare and rows) or intent_of(request, brief) != "build":
        return ""
    others = {*classes_in(said, brief.classes)} not in ({*owners}, set(), {row["id"] for row in brief.classes})
    others = others or says("asking", text) or _refuses(text) or says("wish_finish", text)
    if others or not all(row["slot"] for row in rows) or intent_of(said, brief) not in ("other", "wish", "limit"):
        return ""
    when = " ".join(text[one.start : one.end] for one in times)
    told = ("把{names}移到第{week}周{when}", "move {names} to week {week} in the {when}")
    return brief.say(*told, names=join_names(rows, brief), week=week.week, when=when)


def _limit_anew(said: str, request: str, brief: Brief, *, refused: bool) -> str:
    """The request for the times of a class with others: what is opened is left out of it, what is told stands in the
    place of its times of the same kind. Any weekday, but not before two; after a refusal 换成周二和周五."""
    owners = classes_in(request, brief.classes)
    limits = intent_of(request, brief) in ("class", "build", "wish", "limit")
    if not limits or len(owners) != 1 or classes_in(said, brief.classes) or says("never_mind", fold_text(said)):
        return ""
    clauses = [_strip(one) for one in CLAUSE.split(fold_text(said)) if _strip(one)]
    opens = [one for one in clauses if (says("open_up", one) or says("opens_times", one)) and not _refuses(one)]
    told = [_limit_text(one, request, brief, opens=one in opens) for one in clauses]
    wider = opens and len(clauses) > 1 and says("only", fold_text(request))
    if not (wider or refused) or None in told or asks_whether(said):
        return ""
    if not (opens or any(map(_refuses, clauses))):
        return put_in(", ".join(clauses), request, brief)
    kinds = _find_kinds(said, brief)
    kept = [one for one in map(str.strip, CLAUSE.split(fold_text(request))) if one]
    kept = [one for one in kept if not kinds & _find_kinds(one, brief) and not (opens and says("only", one))]
    name = brief.names_of(owners) if brief.language == "zh" else (brief.class_of(owners[0]) or {"name": ""})["name"]
    builds = Features(request, brief).builds or Features(request, brief).plans_with_limits
    head = brief.say(f"把{name}排好" if builds else name, f"plan {name}" if builds else f"{name}:")
    named = any(classes_in(one, brief.classes) for one in kept)
    return brief.say("，", ", ").join([*([] if named else [head]), *kept, *(one for one in told if one)])


def _refuses(clause: str) -> bool:
    return says("wish_nothing", clause) or says("keep_free", clause)


def _find_kinds(text: str, brief: Brief) -> set[str]:
    """Whether a text tells of dates, of weekdays, of hours."""
    times = read_times(fold_text(text), brief.term)
    return {"hour" if one.kind in OF_DAY else "weekday" if one.weekdays else "day" for one in times}


def _limit_text(clause: str, request: str, brief: Brief, *, opens: bool) -> str | None:
    """A clause as a limit of a plan: what it opens is all that is left open, unless it names no time; None for words
    that tell of no time."""
    times = read_times(clause, brief.term)
    if opens and not says("only", fold_text(request)):
        return ""
    if opens:
        kept = fold_text(request) if times and adds_more(clause) else ""
        before = [kept[one.start : one.end] for one in read_times(kept, brief.term)]
        when = brief.say("和", " and ").join([*before, *(clause[one.start : one.end] for one in times)])
        return brief.say(f"只排{when}", f"only {when}") if when else ""
    if not times:
        return None
    plain = not _refuses(clause) and not says("only", clause)
    return brief.say(f"只排{clause}", f"only {clause}") if plain and says("only", fold_text(request)) else clause


def _strip(said: str) -> str:
    """Words without what only says that they are a correction."""
    return _TAIL.sub("", LEAD.sub("", said.strip(), count=1))
