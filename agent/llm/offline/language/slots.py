"""What a message talks about: task classes, task items, a target in the calendar, a choice from a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dates import SemesterDates, dates_in, part_in, sections_in, week_in, weekdays_in
from agent.llm.offline.language.normalize import fold_numbers, words
from agent.loop.phrases import fold_text
from agent.loop.view_document import ClassView, TaskView

_QUOTED = re.compile(r"[《「『“\"]([^》」』”\"]{1,60})[》」』”\"]")
_ALL = ("全部", "所有", "都排", "都要", "everything", "all")
_SUFFIX = re.compile(
    r"(?:期末|期中)?(?:复习|学习|备考|作业|练习|冲刺|阅读|课程设计|设计|导论|概论|基础|任务类|计划|revision|review|study|plan|course)+\s*$"
)
_FOLLOWING = "也的排和与跟都再先重还给安放移换复学课第改延设修更调挪推提删去拿全里中所往什怎哪呢吧吗是这那周晚早上下"
_WORD_ENDS = rf"(?=$|[^a-z一-鿿]|[{_FOLLOWING}])"
_SIDE_BY_SIDE = re.compile(r"[和与跟及、&+,，]|还有|以及|\b(?:and|plus)\b")
STATE_ID = re.compile(
    r"[\[【]\s*(\d+)\s*[\]】]|(?:任务|task)\s*#?\s*(\d+)(?!\s*[节项])"
    r"|(?:移动?|挪动?|把|将|\b(?:move|put))\s*(\d{2,4})(?![\d\s]*(?:[节月日号项次个周章/.:-]|\d))"
)
_ORDINAL = re.compile(
    r"第\s*(\d{1,3})\s*(章|项|个|讲|部分|单元|次|课|篇)|\b(chapter|ch|item|part|unit|lecture|lesson)\.?\s*(\d{1,3})"
)
_SHIFTED = "挪|移|推|调|放|动|排|延|改"
_SHIFT = re.compile(
    rf"(?P<zh_way>往后|往前|推迟|推后|延后|延迟|提前|后移|前移|向后|向前|晚|早)\s*(?:{_SHIFTED}|到)*\s*"
    r"(?P<zh_n>\d{1,2})\s*个?(?P<zh_unit>天|日(?!期)|周|星期|节)"
    rf"|(?:{_SHIFTED})\s*(?:到)?\s*(?P<zh_n2>\d{{1,2}})\s*个?(?P<zh_unit2>天|周|星期|节)\s*(?P<zh_way2>之?后|之?前)"
    rf"|(?P<next>(?:第二|第2|(?<!最)后一|(?<!最)后1|下一|下1|次)[天日]|next day|following day|day after(?! tomorrow))"
    r"|(?P<previous>(?:前一|前1|上一|上1)[天日]|previous day|day before(?! yesterday))"
    r"|\b(?P<en_n>\d{1,2})\s+(?P<en_unit>day|week|section|period)s?\s+(?P<en_way>later|earlier|forward|back|after|before|sooner)"
    r"|\b(?:back|forward|by|up)\s+(?:by\s+)?(?P<en_n2>\d{1,2})\s+(?P<en_unit2>day|week|section|period)s?"
)
_EARLIER = ("提前", "往前", "前移", "向前", "早", "前", "之前", "earlier", "before", "sooner", "up")
_COUNTS = {"a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_NOT_THEN = re.compile(
    r"(?:不要|不是|不想要?|别放?(?:在|到)?|除了)(?:第?[\d一二三四五六七八九十]+周的?)?(?:周|星期|礼拜)[一二三四五六日天末\d]"
    r"|(?:周|星期|礼拜)[一二三四五六日天末\d](?:上午|下午|晚上|早上)?(?:不行|没空|没时间|有事|不可以|上不了)"
    r"|\b(?:not|except|but not|other than|anything but)\s+(?:on\s+)?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b",
    re.IGNORECASE,
)
"""A day that is named because it is not wanted."""
FRAGMENT_CHARS = 400
_CHOICE = re.compile(r"\s*(?:选|第|option|no\.?|#)?\s*(\d{1,2})\s*(?:个|项|号|st|nd|rd|th)?\s*[.。!、吧]*\s*")


def find_quoted_texts(message: str) -> list[str]:
    """The texts in quotation marks."""
    return [name.strip() for name in _QUOTED.findall(message) if name.strip()]


def classes_in(message: str, classes: Sequence[ClassView]) -> list[int]:
    """Ids of the classes that a message names, in their given order.

    Names that occur, a longer name before one that it contains; else those whose distinctive part occurs (概率论 for
    概率论复习), or whose beginning does; side by side (六级和概率论) each may. All of them for "all" without a name.
    """
    text = said = fold_text(message)
    found: list[ClassView] = []
    side_by_side = _SIDE_BY_SIDE.search(text) is not None
    for name_of in (_full, _core, _find_beginning):
        if not found or side_by_side:
            more, text = _longest(text, [row for row in classes if row not in found], name_of)
            found += more
    return [row["id"] for row in classes if row in found or (not found and words(said, *_ALL))]


def _full(name: str, text: str) -> str:
    return fold_text(name)


def _find_beginning(name: str, text: str) -> str:
    """The longest beginning of the name that occurs as a word: 六级 for 六级词汇冲刺, but 概率 not in 概率统计."""
    name = fold_text(name)
    shortest = 4 if name[:4].isascii() else 2
    sizes = range(len(name), shortest - 1, -1)
    return next((name[:size] for size in sizes if re.search(re.escape(name[:size]) + _WORD_ENDS, text)), "")


def _core(name: str, text: str = "") -> str:
    core = _SUFFIX.sub("", fold_text(name)).strip()
    return core if len(core) >= (4 if core.isascii() else 2) else ""


def _longest(text: str, rows: Sequence[ClassView], name_of: Callable[[str, str], str]) -> tuple[list[ClassView], str]:
    """The rows whose name occurs, a longer one first, and the text without these names."""
    found: list[ClassView] = []
    names = {row["id"]: name_of(row["name"], text) for row in rows}
    for row in sorted(rows, key=lambda row: -len(names[row["id"]])):
        name = names[row["id"]]
        if name and name in text:
            found.append(row)
            text = text.replace(name, " ")
    return found, text


def items_in(message: str, brief: Brief, *, among: Sequence[TaskView] | None = None) -> list[TaskView]:
    """The draft's task items that fit a message: by [id], by longest content, by ordinal. Several = ambiguous."""
    text = fold_numbers(message)
    tasks = list(brief.tasks if among is None else among)
    by_id = [row for match in STATE_ID.finditer(text) for row in tasks if str(row["state_id"]) in match.groups()]
    if by_id:
        return by_id
    named = set(classes_in(message, brief.classes)) if among is None else set()
    pool = [row for row in tasks if row["class_id"] in named] if named else tasks
    classes = {fold_numbers(row["name"]) for row in brief.classes}
    titled = [row for row in pool if _strip_ordinal(row["name"]) not in classes]
    found = _by_name(text, pool, fold_numbers) or _by_ordinal(text, pool) or _by_name(text, titled, _strip_ordinal)
    return found or _by_fragment(without_classes(text, brief), pool)


def without_classes(text: str, brief: Brief) -> str:
    """A message as `fold_numbers` leaves it, without the names of task classes, as far as they were said."""
    for row in brief.classes:
        name = row["name"]
        for said in (fold_numbers(name), _core(name), _find_beginning(name, text)):
            text = text.replace(said, " ") if said else text
    return text


def _by_fragment(text: str, tasks: Sequence[TaskView]) -> list[TaskView]:
    """The items that share the longest piece of their name with the message: 贝叶斯公式 for 贝叶斯公式与独立性."""
    matcher = SequenceMatcher(None, "", text[:FRAGMENT_CHARS], autojunk=False)
    sizes = {row["state_id"]: _measure_overlap(matcher, _strip_ordinal(row["name"])) for row in tasks}
    longest = max(sizes.values(), default=0)
    return [row for row in tasks if longest and sizes[row["state_id"]] == longest]


def _measure_overlap(matcher: SequenceMatcher[str], name: str) -> int:
    """Length of the longest piece of `name` in the text that says enough: three Chinese or six other characters."""
    matcher.set_seq1(name)
    best = matcher.find_longest_match()
    piece = name[best.a : best.a + best.size].strip()
    letters = sum(char.isalpha() for char in piece)
    return len(piece) if letters >= (3 if not piece.isascii() else 6) else 0


def without_items(text: str, rows: Sequence[TaskView]) -> str:
    """A message as `fold_numbers` leaves it, without the words for these items: id, name, ordinal or shared piece."""
    text = STATE_ID.sub(" ", text)
    matcher = SequenceMatcher(None, "", "", autojunk=False)
    for row in rows:
        for name in (fold_numbers(row["name"]), _strip_ordinal(row["name"])):
            text = text.replace(name, " ") if len(name) > 1 else text
        matcher.set_seq2(text[:FRAGMENT_CHARS])
        if _measure_overlap(matcher, _strip_ordinal(row["name"])):
            best = matcher.find_longest_match()
            text = text[: best.b] + " " + text[best.b + best.size :]
    return _ORDINAL.sub(" ", text) if rows else text


def _strip_ordinal(name: str) -> str:
    """The item's name without its ordinal: 随机变量 for 第2章 随机变量."""
    return _ORDINAL.sub("", fold_numbers(name)).strip(" :：.、-")


def _by_name(text: str, tasks: Sequence[TaskView], form: Callable[[str], str]) -> list[TaskView]:
    names = {row["state_id"]: form(row["name"]) for row in tasks}
    fitting = [row for row in tasks if len(names[row["state_id"]]) > 1 and _whole(names[row["state_id"]], text)]
    longest = max((len(names[row["state_id"]]) for row in fitting), default=0)
    return [row for row in fitting if len(names[row["state_id"]]) == longest]


def _whole(name: str, text: str) -> bool:
    """`chapter 1` does not occur in `chapter 12`, nor 第1章 in 第11章."""
    pattern = re.escape(name)
    if name[-1].isdigit():
        pattern += r"(?!\d)"
    if name[0].isdigit():
        pattern = r"(?<!\d)" + pattern
    return re.search(pattern, text) is not None


def _by_ordinal(text: str, tasks: Sequence[TaskView]) -> list[TaskView]:
    match = _ORDINAL.search(text)
    if not match:
        return []
    number = int(match[1] or match[4])
    kind = "chapter" if match[3] == "ch" else match[3]
    said = re.compile(rf"第\s*{number}\s*{match[2]}" if match[1] else rf"\b{kind}\s*{number}(?!\d)")
    in_name = [row for row in tasks if said.search(fold_numbers(row["name"]))]
    return in_name or [row for row in tasks if row["order"] == number]


def choice_in(message: str, size: int) -> int | None:
    """The number of a list entry (from 1) when the whole message is one."""
    match = _CHOICE.fullmatch(fold_numbers(message))
    return int(match[1]) if match and 1 <= int(match[1]) <= size else None


@dataclass(frozen=True)
class PlaceTarget:
    """Where something should go; whatever was not said is None or empty."""

    week: int | None = None
    days: tuple[int, ...] = ()
    sections: tuple[int, int | None] | None = None
    part: tuple[int, int] | None = None

    @property
    def said(self) -> bool:
        return bool(self.week or self.days or self.sections or self.part)

    def then(self, later: PlaceTarget) -> PlaceTarget:
        """This target changed by what was said later: a new day keeps the time, a new time keeps the day."""
        merged = self
        if later.week or later.days:
            merged = replace(merged, week=later.week, days=later.days or self.days)
        if later.sections or later.part:
            merged = replace(merged, sections=later.sections, part=later.part)
        return merged


def target_in(message: str, term: SemesterDates) -> PlaceTarget:
    """The target that a message names."""
    message = _NOT_THEN.sub(" ", message)
    days = dates_in(message, term)
    if days:
        week, day = term.week_day(days[-1])
        where = PlaceTarget(week=week, days=(day,))
    else:
        where = PlaceTarget(week=week_in(message, term), days=tuple(weekdays_in(message)))
    return replace(where, sections=sections_in(message, term), part=part_in(message, term))


@dataclass(frozen=True)
class Shift:
    """A place relative to the present one: days and sections, negative for earlier."""

    days: int = 0
    sections: int = 0


def shift_in(message: str) -> Shift | None:
    """By how much something is to be moved from where it is; None when nothing of that kind is said."""
    text = re.sub(r"\b(?:an?|one|two|three|four|five)\b", lambda match: _COUNTS[match.group()], fold_numbers(message))
    match = _SHIFT.search(text)
    if not match:
        return None
    if match["next"] or match["previous"]:
        return Shift(days=1 if match["next"] else -1)
    number, unit, way = (match[f"zh_{key}"] or match[f"zh_{key}2"] for key in ("n", "unit", "way"))
    if number is None:
        number, unit = match["en_n"] or match["en_n2"], match["en_unit"] or match["en_unit2"]
        way = match["en_way"] or ("up" if words(match.group(), "up", "forward") else "later")
        way = "later" if way == "forward" and match["en_way"] else way
    count = -int(number) if way in _EARLIER else int(number)
    if unit in ("节", "section", "period"):
        return Shift(sections=count)
    return Shift(days=count * (7 if unit in ("周", "星期", "week") else 1))


def index_of(brief: Brief, week: int, day_of_week: int) -> int | None:
    """Day index of the draft's window, None outside it."""
    if not brief.draft:
        return None
    window = brief.draft["window"]
    first = window["first"]
    index = 7 * (week - first["week"]) + day_of_week - first["day_of_week"] + 1
    return index if 1 <= index <= window["total_days"] else None


def day_at(brief: Brief, index: int) -> tuple[int, int]:
    """Week and weekday of a day of the draft's window."""
    first = brief.draft["window"]["first"] if brief.draft else {"week": 1, "day_of_week": 1}
    offset = 7 * first["week"] + first["day_of_week"] - 1 + index - 1
    return offset // 7, offset % 7 + 1
