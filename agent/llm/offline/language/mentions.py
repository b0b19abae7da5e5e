"""Which task classes and items a message mentions: by full name, label, ordinal, nickname, or a telling part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.normalize import fold_numbers, fold_text, words
from agent.loop.view_document import ClassView, TaskView

_QUOTED = re.compile(r"[《「『“\"]([^》」』”\"]{1,60})[》」』”\"]")
_ALL = ("全部", "所有", "都排", "都要", "everything", "all")
_SUFFIX = re.compile(
    r"(?:期末|期中)?(?:复习|学习|备考|作业|练习|冲刺|阅读|课程设计|设计|导论|概论|基础|任务类|计划|revision|review|study|plan|course)+\s*$"
)
_FOLLOWING = (
    "也的排和与跟都再先重还给安放移换复学课第改延设修更调挪推提删去拿全里中所往什怎哪呢吧吗是这那周晚早"
    "上下有还要加剩一几考截期延能可允必不没来"
)
_WORD_ENDS = rf"(?=$|[^a-z一-鿿]|[{_FOLLOWING}])"
_SIDE_BY_SIDE = re.compile(r"[和与跟及、&+,，]|还有|以及|\b(?:and|plus)\b")
STATE_ID = re.compile(
    r"[\[【]\s*(\d+)\s*[\]】]|(?:任务|task)\s*#?\s*(\d+)(?!\s*[节项])"
    r"|(?:移动?|挪动?|把|将|\b(?:move|put))\s*(\d{2,4})(?![\d\s]*(?:[节月日号项次个周章/.:-]|\d))"
)
ORDINAL = re.compile(
    r"第\s*(\d{1,3})\s*(章|项|个|讲|部分|单元|次|课|篇)|\b(chapter|ch|item|part|unit|lecture|lesson)\.?\s*(\d{1,3})"
)
NEGATED = re.compile(
    r"(?:(?!但|不过)[^,，。;；])*(?:不要|请勿|别再?|不许|不准|不用|不想|不能|千万别|勿)(?:再)?(?:去)?(?:移动?|动|挪动?|调整?|改动?|换|碰)[^,，。;；]*"
    r"|(?:(?!\bbut\b|\band\b)[^,，。;；])*\b(?:don't|do not|never|without|not to|no)\s+(?:ever\s+|please\s+)?"
    r"(?:mov(?:e|ing)|touch(?:ing)?|shift(?:ing)?|chang(?:e|ing)|reschedul(?:e|ing))\b[^,.;]*"
    r"|\b(?:keep|leave)\s+.{1,40}\s+(?:where|as)\s+(?:it|they)\s+(?:is|are)"
)
"""What is to stay where it is."""
_LAST = re.compile(
    r"最后[1一]?(?:章|项|个任务|讲|次|课|部分|单元)|\b(?:last|final) (?:chapter|item|unit|lecture|lesson"
    r"|part|lab|topic)\b"
)
_LABEL = re.compile(r"^(\D{1,14}?)\s*(\d{1,3})(?!\d)")
_FRAGMENT_CHARS = 400
_CHOICE = re.compile(r"\s*(?:选|第|option|no\.?|#)?\s*(\d{1,2})\s*(?:个|项|号|st|nd|rd|th)?\s*[.。!、吧]*\s*")
_PLAIN = frozenset("复习学排好课计划大中小")


def find_quoted_texts(message: str) -> list[str]:
    """The texts in quotation marks."""
    return [name.strip() for name in _QUOTED.findall(message) if name.strip()]


def blank_names(text: str, names: Iterable[str]) -> str:
    """A folded text without these names, the longest first."""
    for name in sorted(map(fold_text, names), key=lambda name: -len(name)):
        text = text.replace(name, " ") if len(name) > 2 else text
    return text


def classes_in(message: str, classes: Sequence[ClassView]) -> list[int]:
    """Ids of the classes that a message names, in their given order.

    Names that occur, a longer name before one that it contains; else those whose distinctive part occurs (概率论 for
    概率论复习), whose beginning does, or a nickname (线代); side by side (六级和概率论) each may. All of them for "all"
    without a name.
    """
    text = said = fold_text(message)
    found: list[ClassView] = []
    side_by_side = _SIDE_BY_SIDE.search(text) is not None
    for name_of in (_full, _core, _find_beginning, _find_nickname):
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
    return next(
        (name[:size] for size in sizes if re.search(r"(?<![a-z])" + re.escape(name[:size]) + _WORD_ENDS, text)), ""
    )


def _find_nickname(name: str, text: str) -> str:
    """线代 for 线性代数, algebra or la for Linear Algebra: the first character and a later one of a longer name, a
    whole word of it, or its initials."""
    core = _core(name) or fold_text(name)
    if core.isascii():
        parts = [part for part in re.findall(r"[a-z]+", core) if len(part) >= 4]
        initials = "".join(part[0] for part in core.split()) if len(core.split()) >= 2 else ""
        return next((part for part in [*parts, initials] if part and re.search(rf"\b{part}s?\b", text)), "")
    if len(core) < 4 or not "一" <= core[0] <= "鿿":
        return ""
    pairs = [core[0] + later for later in core[2:] if later not in _PLAIN and "一" <= later <= "鿿"]
    pair = next((pair for pair in pairs if re.search(re.escape(pair) + _WORD_ENDS, text)), "")
    return _find_part(core, text) or pair


def _find_part(core: str, text: str) -> str:
    """The longest piece of the text, of three characters or more, that is the name with some left out: 物理实验."""
    for size in range(len(core) - 1, 2, -1):
        for at in range(len(text) - size + 1):
            piece, rest = text[at : at + size], iter(core)
            if piece in core or (piece[0] == core[0] and all(char in rest for char in piece)):
                return piece
    return ""


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


def all_items(brief: Brief) -> list[TaskView]:
    """The items of all classes in the form of draft entries; a negative state id is none that [id] can mean."""
    return [
        {"state_id": -item["id"], "item_id": item["id"], "name": item["content"], "class_id": row["id"],
         "order": item["order"], "status": "pending", "slot": None, "duration": 0}
        for row in brief.classes
        for item in row["items"]
    ]  # fmt: skip


def items_in(message: str, brief: Brief, *, among: Sequence[TaskView] | None = None) -> list[TaskView]:
    """The draft's task items that fit a message: by [id], by longest content, by label or ordinal, by a telling part.
    Several = ambiguous."""
    text = fold_numbers(message)
    text = without_refusals(text)
    tasks = list(brief.tasks if among is None else among)
    by_id = [row for match in STATE_ID.finditer(text) for row in tasks if str(row["state_id"]) in match.groups()]
    if by_id:
        return by_id
    named = set(classes_in(message, brief.classes)) if among is None else set()
    pool = [row for row in tasks if row["class_id"] in named] if named else tasks
    classes = {fold_numbers(row["name"]) for row in brief.classes}
    titled = [row for row in pool if _strip_ordinal(row["name"]) not in classes]
    found = _by_name(text, pool, fold_numbers) or _by_label(text, pool) or _by_ordinal(text, pool)
    found = found or _by_name(text, titled, _strip_ordinal) or _by_last(text, pool)
    return found or _by_fragment(without_classes(text, brief), pool)


def without_refusals(text: str) -> str:
    """A text without the clauses that say what is to stay, unless it says nothing else."""
    rest = NEGATED.sub(" ", text)
    return rest if rest.strip(" ,，。.!;；") else text


def without_classes(text: str, brief: Brief) -> str:
    """A message as `fold_numbers` leaves it, without the names of task classes, as far as they were said."""
    for row in brief.classes:
        name = row["name"]
        for said in (fold_numbers(name), _core(name), _find_beginning(name, text), _find_nickname(name, text)):
            text = text.replace(said, " ") if said else text
    return text


def _by_label(text: str, tasks: Sequence[TaskView]) -> list[TaskView]:
    """实验5 for 实验五 栈与队列, unit 6 for Unit 6: Heat: a word and a number at the head of a name."""
    found = []
    for row in tasks:
        label = _LABEL.match(fold_numbers(row["name"]))
        if (
            label
            and label[1] not in ("第", "第 ")
            and re.search(rf"(?<![a-z]){re.escape(label[1].strip())}\s*#?{label[2]}(?!\d)", text)
        ):
            found.append(row)
    return found


def _by_last(text: str, tasks: Sequence[TaskView]) -> list[TaskView]:
    """The last item of each class, for 最后一章, the last chapter."""
    if not _LAST.search(text):
        return []
    last = {row["class_id"]: max(r["order"] for r in tasks if r["class_id"] == row["class_id"]) for row in tasks}
    return [row for row in tasks if row["order"] == last[row["class_id"]]]


def _by_fragment(text: str, tasks: Sequence[TaskView]) -> list[TaskView]:
    """The items that share the longest piece of their name with the message: 贝叶斯公式 for 贝叶斯公式与独立性."""
    matcher = SequenceMatcher(None, "", text[:_FRAGMENT_CHARS], autojunk=False)
    sizes = {row["state_id"]: _measure_overlap(matcher, _strip_ordinal(row["name"])) for row in tasks}
    longest = max(sizes.values(), default=0)
    return [row for row in tasks if longest and sizes[row["state_id"]] == longest]


def _measure_overlap(matcher: SequenceMatcher[str], name: str) -> int:
    """Length of the longest piece of `name` in the text that says enough: three Chinese or six other characters."""
    matcher.set_seq1(name)
    best = matcher.find_longest_match()
    piece = name[best.a : best.a + best.size].strip()
    letters = sum(char.isalpha() for char in piece)
    whole = len(piece) >= 4 and piece.isascii() and piece in name.split()
    return len(piece) if whole or letters >= (3 if not piece.isascii() else 6) else 0


def without_items(text: str, rows: Sequence[TaskView]) -> str:
    """A message as `fold_numbers` leaves it, without the words for these items: id, name, ordinal or shared piece."""
    text = STATE_ID.sub(" ", text)
    matcher = SequenceMatcher(None, "", "", autojunk=False)
    for row in rows:
        label = _LABEL.match(fold_numbers(row["name"]))
        said = label.group() if label and label[1].strip() != "第" else ""
        for name in (fold_numbers(row["name"]), _strip_ordinal(row["name"]), said):
            text = text.replace(name, " ") if len(name) > 1 else text
        matcher.set_seq2(text[:_FRAGMENT_CHARS])
        if _measure_overlap(matcher, _strip_ordinal(row["name"])):
            best = matcher.find_longest_match()
            text = text[: best.b] + " " + text[best.b + best.size :]
    return _LAST.sub(" ", ORDINAL.sub(" ", text)) if rows else text


def _strip_ordinal(name: str) -> str:
    """The item's name without its ordinal: 随机变量 for 第2章 随机变量."""
    return ORDINAL.sub("", fold_numbers(name)).strip(" :：.、-")


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
    match = ORDINAL.search(text)
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
