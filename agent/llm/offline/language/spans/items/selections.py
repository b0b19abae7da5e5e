"""Items told by description, written out by their names before anything else is read, so that every goal knows them.

后面三个单元 -> Unit 4、Unit 5、Unit 6; my next unit -> Unit 3; unit 5 and up -> Unit 5 and Unit 6; U5 -> Unit 5. What
picks items by when they are stays for `groups.py`, and a description that fits nothing stays as it is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from agent.llm.offline.language.normalize import fold_numbers, fold_text, has_chinese
from agent.llm.offline.language.spans.items.described_forms import (
    EN_ANY,
    EN_NUM,
    FORMS,
    NUM,
    Described,
    number_of_item,
    pick_from,
    pick_unplaced,
    read_count,
    short_name,
    when_of,
)
from agent.llm.offline.language.spans.mentions import KINDS, LABEL, classes_in, find_pieces
from agent.llm.offline.language.spans.times.reading import read_times
from agent.llm.offline.language.spans.times.semester import SemesterDates
from agent.llm.offline.language.spans.times.words import say_date
from agent.loop.view_document import ClassView, TaskView

_COUNTED_BEHIND = re.compile(
    rf"\s*(?:上午|下午|晚上)?的?那?(?P<n>{NUM})(?:个|项|门)?(?:学习?任务|任务|内容|东西)?(?![章单讲月周天点\d])"
)
_COUNTED_BEFORE = re.compile(
    rf"\b(?:the|those|these|my|both) ?(?P<n>{EN_NUM})?(?: (?:study )?(?:items|tasks|things|ones"
    rf"|sessions))?(?: that are)?"
    r" (?:on|for|from|in) (?:the )?$",
    re.IGNORECASE,
)
"""So many at a time: 周五那两个, the two on friday."""
_WHICH_AND = re.compile(
    r"(?<=.)(\S)(?:是哪[一1]?[个项章]?|是什么)[呢啊呀]?[,，](?=把?[它他]?(?:帮我|给我)?[挪移换改提推放调往排])"
)
"""Behind a description that is asked for and used at once: 下一个单元是哪个，挪到今晚."""
_ONLY_KEPT = re.compile(
    r"[^,，。;；]{0,12}只(?:保?留|要)(?:下|着)?(?P<kept>[^,，。;；]{1,80})[,，]\s*(?:后面|其[他余它]|剩下|剩余"
    r"|别|另外)的|\b(?:only keep|keep only|just keep) (?P<kept2>[^.;]{1,120}?)(?:,| and)(?: then)?"
    r" (?:take|drop|remove|pull)(?: out)? (?:the rest|everything else|the others)\b(?: out)?",
    re.IGNORECASE,
)
_LAST_WEEK = re.compile(
    r"(?<!学期)(?<!月)(?<!月的)最后(?:那|这)?(?:[一1]?个?(?:周|星期|礼拜)(?!的?[一二三四五六日天末])"
    r"|(?P<days>[几两2三3])天)"
    r"|\bthe (?:very )?(?:last|final) (?:week|(?P<days2>few|couple of|two|three) days)"
    r"(?: of (?:the|my) (?:plan|draft))?\b(?! (?:of|in)\b)",
    re.IGNORECASE,
)
"""An end of the plan, where the semester goes on after it."""


_LAST_DAY = re.compile(
    r"(?:这个?|那个?|该)?(?:任务类|课|类|它)的?(?:最后[一1]天|截止(?:的?那[一1]?天|当天|日期?))"
    r"|\b(?:the )?(?:very )?(?:last|final) (?:possible )?day (?:of|for) (?:the|that|its|my) class\b"
    r"|\b(?:its|the class's) (?:last|final) day\b|\bthe day (?:the|that|its) class ends\b",
    re.IGNORECASE,
)
"""The day on which a class ends."""


def _find_end(text: str, plan: SelectionPlan, spoken: Sequence[int] = ()) -> date | None:
    """The day on which the one class ends that a text names, or an item of which it does; else that of the one that
    was spoken of."""
    said = fold_numbers(text)
    named = [*classes_in(text, plan.classes)] or [
        row["id"]
        for row in plan.classes
        if any(head in said for one in row.get("items", ()) for head in fold_numbers(one["content"]).split()[:1])
    ]
    ends = [row["end_date"] for row in plan.classes if (named or [*spoken]) == [row["id"]] and row.get("end_date")]
    return date.fromisoformat(ends[0]) if ends else None


def _spell_last(found: re.Match[str], plan: SelectionPlan) -> str:
    """The last week of the one class that a text is about, else of the plan; its last days, where these are told."""
    term, zh = plan.term, has_chinese(found.string)
    last = _find_end(found.string, plan) or term.day(plan.last_week, 7)
    week = term.week_day(last)[0]
    if told := found["days"] or found["days2"]:
        first = last - timedelta(days=1 if told in ("两", "2", "two", "couple of") else 2)
        return "到".join(say_date(day, zh=True) for day in (first, last)) if zh else f"{first} to {last}"
    return found.group() if week >= term.weeks else f"第{week}周" if zh else f"week {week}"


def _spell_last_day(text: str, plan: SelectionPlan) -> str:
    """A text that puts something on the last day of a class with that day by its date."""
    found = _LAST_DAY.search(text) if _PUTS.search(text) else None
    if found is None or (end := _find_end(text, plan, plan.spoken())) is None:
        return text
    return _LAST_DAY.sub(say_date(end, zh=has_chinese(text)), text)


_PUTS = re.compile(r"[放挪移排塞推搬]|\b(?:put|moved?|place|stick|shift|push|squeeze|fit)\b", re.IGNORECASE)
_SHORT = re.compile(r"(?<![a-z\d])([a-z])\s?(\d{1,2})(?![\d:点号日月周天节/.-]|[a-z])", re.IGNORECASE)
"""U5, c3: the first letter of a kind and a number."""
_OTHER_CLASSES = re.compile(
    rf"(?:另外|其[他余它]|剩下|别)的?(?P<n>{NUM})[门个]课?(?:程)?"
    rf"|\b(?:the|my) other (?P<n2>{EN_NUM})? ?(?:class|course"
    rf"|subject)(?:es|s)?\b|\b(?P<one>the other (?P<n3>one|two|three))\b(?! of)|(?P<one2>另)(?P<n4>[1一])个",
    re.IGNORECASE,
)
MAKES = re.compile(
    r"新建|创建|新增|加(?:一|1)[门个节章]|\b(?:create|new class|add (?:an?|another)|set up)\b", re.IGNORECASE
)
_ASKS_WHICH = re.compile(
    r"哪些|哪几|什么(?!时候)|多少|(?<![那这好])几[个项](?!没)|有没有|还有|列"
    r"|\b(?:which|how many|list|what(?:'s| is| are|s)(?! already| in\b| there\b| placed)|are there|is there)\b",
    re.IGNORECASE,
)
"""What has no place is asked for, not picked."""
_LONGEST = 240


@dataclass(frozen=True)
class SelectionPlan:
    """What descriptions are about: the items as they stand, their classes, the time, the classes spoken of last."""

    tasks: Sequence[TaskView]
    classes: Sequence[ClassView]
    now: tuple[int, int, int]
    spoken: Callable[[], list[int]]
    term: SemesterDates
    last_week: int


_ON_WHICH = re.compile(r"\b(?:which|what) (?:day|date|week)\b.* on\W*$", re.IGNORECASE)
"""Which day is chapter 5 on: no chapter behind it is meant."""


def spell_out_selections(message: str, plan: SelectionPlan) -> str:
    """The message with the items that it describes by their names."""
    if not plan.tasks or len(message) > _LONGEST or MAKES.search(message):
        return message
    text = _put_class_behind(_spell_last_day(message, plan), plan)
    text = _SHORT.sub(lambda found: _spell_label(found, plan), text)
    for form, choose in FORMS if _describes(text) else ():
        if (choose is pick_unplaced and _ASKS_WHICH.search(text)) or (choose is pick_from and _ON_WHICH.search(text)):
            continue
        for match in reversed([*form.finditer(text)]):
            rows = choose(_told(match, text, plan))
            if rows and len(rows) < len(plan.tasks):
                named = join_names(rows, plan.tasks, zh=has_chinese(message))
                text = text[: match.start()] + named + _without_class(text, match, plan)
    text = _LAST_WEEK.sub(lambda found: _spell_last(found, plan), text) if _PUTS.search(text) else text
    text = _ONLY_KEPT.sub(lambda found: _spell_others(found, plan), text)
    text = _spell_counted(text, plan)
    text = _WHICH_AND.sub(r"\1，", text) if text != message else text
    return _OTHER_CLASSES.sub(lambda found: _spell_classes(found, plan), text)


@lru_cache(maxsize=4096)
def _describes(text: str) -> bool:
    """Whether a text has any form that describes items: most have none, and are read with each view again."""
    return any(form.search(text) for form, _ in FORMS)


_OF_CLASS = r"\b((?:first|last|final|next)(?: {number})?) {name} (ones?|{kind})\b"


def _say_of(found: re.Match[str], name: str) -> str:
    kind = found[2] if found[2].lower().rstrip("s") != "one" else f"item{'s' * found[2].lower().endswith('s')}"
    return f"{found[1]} {kind} of {name}"


def _put_class_behind(message: str, plan: SelectionPlan) -> str:
    """A message with the class behind the kind of its items: the last chapter of maths for the last maths chapter."""
    names = tuple(row["name"] for row in plan.classes)
    for name in find_pieces(fold_text(message), names) if message.isascii() else ():
        form = _OF_CLASS.format(number=EN_NUM, name=re.escape(name), kind=EN_ANY)
        message = re.sub(form, lambda found, of=name: _say_of(found, of), message, flags=re.IGNORECASE)  # type: ignore[misc]
    return message


def _spell_others(found: re.Match[str], plan: SelectionPlan) -> str:
    """The items of the same class that are not among those to be kept: 实验只留前三个，后面的都拿出来."""
    said = fold_numbers(found["kept"] or found["kept2"])
    kept = [row for row in plan.tasks if re.search(rf"{re.escape(fold_numbers(short_name(row)))}(?!\d)", said)]
    owners = {row["class_id"] for row in kept}
    others = [row for row in plan.tasks if row["class_id"] in owners and row not in kept and row["slot"]]
    if len(owners) != 1 or not others:
        return found.group()
    names = join_names(others, plan.tasks, zh=has_chinese(found.string))
    return names if found["kept"] else f"take {names} out"


def _spell_counted(text: str, plan: SelectionPlan) -> str:
    """The items at a day where they are as many as is said; else the words stay, and the goal tells what is there."""
    folded = fold_text(text)
    for time in reversed(read_times(text, plan.term)) if len(folded) == len(text) else ():
        head, rest = folded[: time.start], folded[time.end :]
        behind, before = _COUNTED_BEHIND.match(rest), _COUNTED_BEFORE.search(head)
        first, day = time.first, time.weekdays[0] if len(time.weekdays) == 1 else 0
        if not (behind or before) or (not day and first != time.last) or time.side:
            continue
        found = sorted((row for row in plan.tasks if (slot := row["slot"]) and (
            plan.term.day(slot["week"], slot["day_of_week"]) == first if first else slot["day_of_week"] == day
        )), key=when_of)  # fmt: skip
        ahead = [row for row in found if first or when_of(row)[:2] >= plan.now[:2]]
        rows = [row for row in ahead if when_of(row)[:2] == when_of(ahead[0])[:2]]
        said = behind["n"] if behind else (before["n"] if before else "") or "two"
        if len(rows) == read_count(said) > 1:
            named = join_names(rows, plan.tasks, zh=has_chinese(text))
            start, stop = (
                (time.start, time.end + behind.end()) if behind else (before.start() if before else 0, time.end)
            )
            apart = " " if re.match(r"[一二三四五六七八九十\d]", text[stop:]) else ""
            text = text[:start] + named + apart + text[stop:]
            folded = fold_text(text)
    return text


def _told(match: re.Match[str], text: str, plan: SelectionPlan) -> Described:
    groups = match.groupdict()
    kind = (
        fold_text(groups.get("kind") or groups.get("kind2") or "")
        .removesuffix("s")
        .removesuffix("节")
        .removesuffix("课")
    )
    kinds: tuple[str, ...] = next(
        (kinds for kinds in KINDS if kind and kind in kinds), (kind,) if re.fullmatch(_LISTED_KIND, kind) else ()
    )
    if not kinds and match.groupdict().get("kind") == "":
        kinds = (
            _only_kind(text) if "n" in match.groupdict() or re.search(r"剩|余下|半|rest|half", match.group()) else ()
        )
    rows = [row for row in plan.tasks if not kinds or any(one in fold_text(row["name"]) for one in kinds)]
    head = re.split(r"[。;；.!?？]", text[: match.start()])[-1]
    clause = f"{head} {re.split(r'[,，。;；.!?？]', text[match.end() :])[0]}"
    named = [] if kinds and len({row["class_id"] for row in rows}) == 1 else classes_in(clause, plan.classes)
    rows = [row for row in rows if not named or len(named) == len(plan.classes) or row["class_id"] in named]
    rows.sort(key=lambda row: (row["class_id"], row["order"]))
    return Described(rows, plan.now, match, text[: match.start()])


def _only_kind(text: str) -> tuple[str, ...]:
    """The one kind of items that a message speaks of; empty for none or several."""
    said = [kinds for kinds in KINDS[:4] if re.search(rf"(?<![a-z])(?:{'|'.join(kinds)})s?(?![a-z])", fold_text(text))]
    return said[0] if len(said) == 1 else ()


def _without_class(text: str, match: re.Match[str], plan: SelectionPlan) -> str:
    """What stands behind a description, without the class whose items it is about: half of [the maths one]. What is
    deleted is deleted of its class."""
    rest = text[match.end() :]
    of = re.match(r"\s+of (?:the |my )?", rest, re.IGNORECASE) if match.groupdict().get("kind") else None
    if match.groupdict().get("kind") and (of is None or DELETES.search(text)):
        return rest
    if of is None and not re.search(r"\bof (?:the |my )?$", match.group(), re.IGNORECASE):
        return rest
    rest = rest[of.end() :] if of else rest
    names = tuple(row["name"] for row in plan.classes)
    said = next((one for one in find_pieces(fold_text(rest), names) if fold_text(rest).startswith(one)), "")
    if of is not None:
        return rest[len(said) :] if said else text[match.end() :]
    other = re.match(r"(?:[\w-]+ )?(?:one|class|course|stuff)\b|\w+", rest)
    return rest[len(said) :] if said else rest[other.end() :] if other else rest


DELETES = re.compile(r"\b(?:delete|remove|drop|scrap|cut)", re.IGNORECASE)
_LISTED_KIND = r"专题|list|topic|experiment"


def name_alone(row: TaskView, rows: Sequence[TaskView]) -> str:
    """How an item is named beyond doubt among others: by its label, its name, else its id."""
    same = [other for other in rows if short_name(other) == short_name(row)]
    if len(same) == 1 and not re.search(r"[、&,，]", short_name(row)):
        return short_name(row)
    return f"[{row['state_id']}]"


def join_names(chosen: Sequence[TaskView], rows: Sequence[TaskView], *, zh: bool) -> str:
    """How chosen items are named among others, side by side."""
    *names, last = (name_alone(row, rows) for row in chosen)
    return "、".join((*names, last)) if zh else " and ".join(filter(None, (", ".join(names), last)))


def _spell_label(found: re.Match[str], plan: SelectionPlan) -> str:
    letter, number = found[1].lower(), int(found[2])
    rows = []
    for row in plan.tasks:
        label = LABEL.match(fold_numbers(row["name"]))
        words = [*re.findall(r"[a-z]+", label[1]), *_kind_words(label[1])] if label else []
        if label and int(label[2]) == number and any(word.startswith(letter) for word in words[-2:]):
            rows.append(row)
    chapters = (
        []
        if rows or letter != "c"
        else [row for row in plan.tasks if "章" in row["name"] and number_of_item(row) == number]
    )
    rows = rows or chapters
    return name_alone(rows[0], plan.tasks) if len(rows) == 1 else found.group()


def _kind_words(label: str) -> list[str]:
    head = label.strip()
    return [word for kinds in KINDS if head in kinds for word in kinds if word.isascii()]


_PLANS_THEM = re.compile(r"排|规划|\b(?:plan|schedule)\b", re.IGNORECASE)


def _head_of(name: str) -> str:
    """The label of a name, or the whole of it: Lab 3 of Lab 3 Bridge circuit."""
    found = LABEL.match(fold_numbers(name))
    return found.group().strip() if found else fold_numbers(name)


def _spell_classes(found: re.Match[str], plan: SelectionPlan) -> str:
    """The classes besides those that are named or were spoken of, where they are as many as is said."""
    text = found.string[: found.start()] + " " + found.string[found.end() :]
    if found.group().endswith("个") and re.search("[放挪移推]", text):
        return found.group()
    alone = (found["one"] or found["one2"]) is not None
    heads = {item["content"]: _head_of(item["content"]) for row in plan.classes for item in row.get("items", ())}
    named = [name for name, head in heads.items() if head in fold_numbers(text)]
    owners = [row["id"] for row in plan.classes if any(item["content"] in named for item in row.get("items", ()))]
    known = classes_in(text, plan.classes) or owners or ([] if alone else plan.spoken())
    others = [row["name"] for row in plan.classes if row["id"] not in known]
    told = next((one for name in ("n", "n2", "n3", "n4") if (one := found[name])), "")
    number = read_count(told) if told else len(others)
    if len(others) != number:  # of those that have no plan yet
        placed = {row["class_id"] for row in plan.tasks if row["slot"]}
        others = [row["name"] for row in plan.classes if row["id"] not in {*known, *placed}]
    rows = [item["content"] for row in plan.classes if row["id"] in known for item in row.get("items", ())]
    if named and {*named} < {*rows} and len(rows) - len(named) == number:
        others = [name for name in rows if name not in named]
    if not known or len(others) != number or (alone and not _PLANS_THEM.search(text)):
        return found.group()
    return ("和" if has_chinese(found.string) else " & ").join(others)
