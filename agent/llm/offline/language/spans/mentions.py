"""Which task classes and items a message mentions: by full name, label, ordinal, nickname, or a telling part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from agent.llm.offline.language.normalize import fold_numbers, fold_text, words
from agent.llm.offline.language.words.guarded import GuardedPattern
from agent.loop.view_document import ClassView, TaskView

if TYPE_CHECKING:
    from agent.llm.offline.language.brief import Brief

_QUOTED = re.compile(r"[《「『“\"]([^》」』”\"]{1,60})[》」』”\"]")
_QUOTED_SINGLE = re.compile(r"(?<![^\s,:(（])['‘]([^'‘’]{2,60})['’](?![a-z])", re.IGNORECASE)
_ALL = ("全部", "所有", "都排", "都要", "三门", "3门", "几门课", "每门", "统统", "通通", "everything", "all")
_SUFFIX = re.compile(
    r"(?:期末|期中)?(?:复习|学习|备考|作业|练习|冲刺|阅读|课程设计|设计|导论|概论|基础|任务类|计划|revision|review|study|plan|course)+\s*$"
)
_FOLLOWING = (
    "也的以排和与跟都了啦呗嘛啊再先重还给安放移换复学课第改延设修更调挪推提删去拿全里中所往什怎哪呢吧吗是这那周晚早"
    "上下有还要加剩一几第头后考截期延能可允必不没来其另就带背总在比分开结每留保最只仅从到该应想需停多少太很好做刚已才被让得除例随照无别前倒"
    "隔穿插塞挤弄搞看读练刷拖按均摊匀散拆赶我你占避又而打并跳"
)
_WORD_ENDS = rf"(?=$|[^a-z一-鿿]|[{_FOLLOWING}]|[漏缺差补]|少[了个]|难|对[我于]|时间|内容|进度)"
_SIDE_BY_SIDE = re.compile(r"[和与跟及、&+,，]|还有|以及|\b(?:and|plus)\b")
_NEIGHBOURS = re.compile(
    r"[一-鿿]{2}(?=[和与跟及、])|(?<=[和与跟及、])[一-鿿]{2}(?!\s*[一二三四五六七八九十\d])|[a-z]+(?= (?:and|plus|&) )"
    r"|(?:(?<=\band )|(?<=\bplus )|(?<=& ))(?:(?:the|my) )?[a-z]+\b(?! ?#?\d)"
)
STATE_ID = re.compile(
    r"[\[【]\s*(\d+)\s*[\]】]|(?:任务|task)\s*#?\s*(\d+)(?!\s*[节项])"
    r"|(?:移动?|挪动?|把|将|\b(?:move|put))\s*(\d{2,4})(?![\d\s]*(?:[节月日号项次个周章/.:-]|\d))"
)
ORDINAL = re.compile(
    r"第\s*(\d{1,3})\s*(章|项|个|讲|部分|单元|次|课|篇)|\b(chapter|ch|item|part|unit|lecture|lesson|lab)s?\.?\s*(\d{1,3})(?!\d|\s+(?:days?|weeks?|sections?|periods?)\b)"
)
NEGATED = GuardedPattern(
    r"(?:(?!但|不过|[.!?]\s)[^,，。;；])*(?:不要|请勿|(?<![分特区级])别再?|不许|不准|不用|不想|(?<!如果)(?<!要是)(?<!能)不能|千万别|勿)(?:再|去|给我|把[^,，。;；]{1,16}?)*"
    r"(?:移动?|动|挪动?|调整?|改动?|换|碰)[^,，。;；:：]*"
    r"|(?:(?!\bbut\b|\band\b|[.!?]\s)[^,，。;；])*\b(?:don't|do not|never|without|not to|no)\s+"
    r"(?:(?:ever|please|you|dare|just|go|start)\s+)*"
    r"(?:mov(?:e|ing)|touch(?:ing)?|shift(?:ing)?|chang(?:e|ing)|reschedul(?:e|ing))\b[^,.;:]*"
    r"|[^,，。;；]{1,24}?(?:(?<![转学看走跑读背做写推搬得])不[动变]"
    r"|保持原样|原地不动|留在原处)(?![了过的])"
    r"|[^,.;，。]{1,40}\b(?:stays?|remains?)\b(?: put| there| (?:where|as) (?:it|they) (?:is|are))?"
    r"(?=$|[,.;!，。]| and\b| but\b)"
    r"|\b(?:keep|leave)\s+.{1,40}\s+(?:where|as)\s+(?:it|they)\s+(?:is|are)|\bhands off\b[^,.;:!]*",
    needed=r"[不别勿]|保持原样|留在原处|don't|not?\s|never|without|stay|remain|keep|leave|hands off",
)
"""What is to stay where it is."""
_LAST = re.compile(
    r"最后[1一]?(?:章|项|个任务|讲|次|课|部分|单元)|\b(?:last|final) (?:chapter|item|unit|lecture|lesson"
    r"|part|lab|topic)\b"
)
LABEL = re.compile(r"^(\D{1,14}?)\s*(\d{1,3})(?!\d)")
_FRAGMENT_CHARS = 400
_PLAIN = frozenset("复习学排好课计划大中小")
_SUBJECTS = (
    (("数学", "maths?"), ("概率", "统计", "代数", "微积分", "高数", "probability", "stat", "algebra", "calculus")),
    (("stats?", "statistics", "概统", "统计"), ("概率", "统计", "probability", "statistics")),
    (("单词", "词汇", "背词", "英语", "vocab", "vocabulary", "words?", "english"),
     ("英语", "四级", "六级", "词汇", "单词", "雅思", "托福", "cet", "words", "vocab", "english", "ielts", "toefl")),
    (("物理", "实验", "physics", "labs?"), ("物理", "实验", "physics", "lab")),
)  # fmt: skip
"""Words for a subject, and what names its class when it is the only one of that kind."""
KINDS = (("章", "chapter", "ch"), ("单元", "unit"), ("实验", "lab", "experiment"), ("讲", "lecture"), ("课", "lesson"))
"""Words for one kind of item, Chinese and English."""
_KNOWN = 4096
"""Of how many messages it is remembered what they mention: each is read several times on the way to an answer."""


class _Named(NamedTuple):
    """A class as far as messages mention it."""

    id: int
    name: str


_Names = tuple[tuple[int, str], ...]
"""Classes by id and name."""


class _Listed(NamedTuple):
    """An item as far as messages mention it."""

    state_id: int
    name: str
    class_id: int
    order: int


def find_quoted_texts(message: str) -> list[str]:
    """The texts in quotation marks."""
    found = _QUOTED.findall(message) or _QUOTED_SINGLE.findall(message)
    return [name.strip() for name in found if name.strip()]


def blank_names(text: str, names: Iterable[str], *, least: int = 2) -> str:
    """A folded text without these names of more than `least` characters, the longest first."""
    for name in sorted(map(fold_text, names), key=lambda name: -len(name)):
        text = text.replace(name, " ") if len(name) > least else text
    return text


def classes_in(message: str, classes: Sequence[ClassView]) -> list[int]:
    """Ids of the classes that a message names, in their given order.

    Names that occur, a longer name before one that it contains; else those whose distinctive part occurs (概率论 for
    概率论复习), whose beginning does, or a nickname (线代); side by side (六级和概率论) each may. All of them for "all"
    without a name.
    """
    return list(_find_classes(message, _named(classes)))


def is_meant_by_subject(message: str, classes: Sequence[ClassView]) -> bool:
    """Whether a message names no class, in short or in full, and only the subject that one of them is of."""
    named = [_Named(*one) for one in _named(classes)]
    text = fold_text(message)
    names = (_full, core_of, _find_beginning, _find_nickname)
    return bool(_by_subject(text, named)) and not any(_longest(text, named, name_of)[0] for name_of in names)


def find_named(message: str, names: Sequence[str]) -> tuple[int, ...]:
    """The places, in their list, of the names of classes that a message has, in short or in full."""
    return _find_classes(message, tuple(enumerate(names)))


def _named(classes: Iterable[ClassView]) -> _Names:
    return tuple([(row["id"], row["name"]) for row in classes])


@lru_cache(maxsize=_KNOWN)
def _find_classes(message: str, named: _Names) -> tuple[int, ...]:
    classes = [_Named(*one) for one in named]
    text = fold_text(message)
    text = said = _blank(text, find_elsewhere(text, [row.name for row in classes]))
    found: list[_Named] = []
    side_by_side = _SIDE_BY_SIDE.search(text) is not None
    for name_of in (_full, core_of, _find_beginning, _find_nickname):
        if not found or side_by_side:
            more, text = _longest(text, [row for row in classes if row not in found], name_of)
            found += more
    found = found or _by_subject(text, classes)
    found += [row for row in _by_subject(_beside_names(said), classes) if row not in found] if side_by_side else []
    every = not found and words(re.sub(r"\b(?:after|at) all\b", " ", said), *_ALL)
    return tuple(row.id for row in classes if row in found or every)


_SUBJECT = (
    r"(?:化学|生物|历史|地理|政治|法语|德语|日语|韩语|俄语|西班牙语|会计|电路|电子|力学|材料|机械|计算机|编程|心理学"
    r"|chem(?:istry)?|bio(?:logy)?|history|geography|french|german|spanish|japanese|italian|latin|electronics|circuits"
    r"|computer(?: science)?|programming|psychology)"
)
_ELSEWHERE = re.compile(
    rf"(?:大学)?(?P<zh>{_SUBJECT})[课学]?的?(?:实验|词汇|单词)(?:报告)?|\b(?P<en>{_SUBJECT}) (?:labs?|vocab\w*|words)\b"
    rf"|\b(?:labs?|vocab\w*|words)(?: [a-z]+)? (?:for|in|of|from) (?:my |the )?(?P<of>{_SUBJECT})\b"
)
"""What is of a subject by its kind alone: a chemistry lab is no part of Physics Lab."""


def find_elsewhere(text: str, names: Iterable[str]) -> list[str]:
    """The pieces of a folded text that are of a subject of which no class has the name."""
    known = fold_text(" ".join(names))
    return [of.group() for of in _ELSEWHERE.finditer(text) if next(filter(None, of.groups())) not in known]


def _full(name: str, text: str) -> str:
    return fold_text(name)


def _find_beginning(name: str, text: str) -> str:
    """The longest beginning of the name that occurs as a word: 六级 for 六级词汇冲刺, but 概率 not in 概率统计."""
    name = fold_text(name)
    shortest = 4 if name[:4].isascii() else 2
    if name[:shortest] not in text:
        return ""
    beginnings = (name[:size] for size in range(len(name), shortest - 1, -1))
    return next((said for said in beginnings if _occurs_as(r"(?<![a-z])", said, _WORD_ENDS, text)), "")


def _occurs_as(before: str, words_said: str, after: str, text: str) -> bool:
    """Whether the text has these words between what two expressions ask for."""
    return words_said in text and _compile(before + re.escape(words_said) + after).search(text) is not None


@lru_cache(maxsize=_KNOWN)
def _compile(form: str) -> re.Pattern[str]:
    """An expression of a name; there are more of them than `re` keeps."""
    return re.compile(form)


def _find_nickname(name: str, text: str) -> str:
    """线代 for 线性代数, algebra or la for Linear Algebra: the first character and a later one of a longer name, a
    whole word of it, its initials, or how its words begin: lin alg."""
    core = core_of(name) or fold_text(name)
    if core.isascii():
        forms = (form for head, form in _nicknames_of(core) if head in text)
        return next((said for form in forms if (said := _said_alone(form, text))), "")
    tails = (core[at:] for at in range(1, len(core) - 1) if "一" <= core[at] <= "鿿" or core[at].isdigit())
    tail = next((tail for tail in tails if tail in text and _said_alone(re.escape(tail), text)), "")
    if tail:
        return tail
    if len(core) < 4 or not "一" <= core[0] <= "鿿":
        return ""
    if squeezed := next((one for one in _leave_out_middle(fold_text(name)) if one in text), ""):
        return squeezed
    pairs = [core[0] + later for later in core[2:] if later not in _PLAIN and "一" <= later <= "鿿"]
    pair = next((pair for pair in pairs if _occurs_as("", pair, _WORD_ENDS, text)), "")
    return _find_part(core, text) or pair


@lru_cache(maxsize=_KNOWN)
def _leave_out_middle(name: str) -> tuple[str, ...]:
    """A name without some of its middle: 六级冲刺 for 六级词汇冲刺."""
    return tuple(name[:2] + name[at:] for at in range(3, len(name) - 1))


@lru_cache(maxsize=_KNOWN)
def _nicknames_of(core: str) -> tuple[tuple[str, str], ...]:
    """The forms of the short names of a Latin one, each with how it begins."""
    parts = [part for part in re.findall(r"[a-z]+", core) if len(part) >= 3 and part not in ("the", "and", "for")]
    words_of = re.findall(r"[a-z\d]+", core)
    initials = "".join(part[0] for part in words_of) if len(words_of) > 1 else ""
    short = [(parts[0][:3], r"\.? ?".join(map(_form_beginning, parts)))] if len(parts) > 1 else []
    single = [(head := part.removesuffix("s"), f"{head}s?") for part in parts]
    return (*short, *single, *([(initials, initials)] if initials else ()))


def _form_beginning(word: str) -> str:
    """The form of the beginnings of a word, three letters at least: alg and algeb of algebra."""
    return word[:3] + "".join(f"(?:{one}" for one in word[3:]) + ")?" * len(word[3:])


_SO_LONG = r"[天周](?![1-7一二三四五六日天末](?!次))"
"""Behind a number that counts and labels nothing: 单词一周两次; 实验一周三 is that of lab 1."""


def _said_alone(form: str, text: str) -> str:
    """The piece of the text that has this form and is no label of an item: labs, but not lab 3."""
    edge = r"(?<![a-z])" if form[0].isascii() else ""
    alone = (
        rf"{edge}{form}(?![a-z])(?!\s*#?(?:\d+(?![\d月号日点./:-]|{_SO_LONG})|[一二三四五六七八九十](?!{_SO_LONG})))"
    )
    match = _compile(alone).search(text)
    return match.group() if match else ""


def _by_subject(text: str, classes: Sequence[_Named]) -> list[_Named]:
    """The only class of a subject that is said: 单词 or vocab for 英语六级."""
    text = _QUOTED.sub(" ", text)
    return next((own for own in _of_subjects(text, classes) if len(own) == 1), [])


def _of_subjects(text: str, classes: Sequence[_Named]) -> Iterator[list[_Named]]:
    for said, names in _SUBJECTS:
        own = [row for row in classes if any(name in fold_text(row.name) for name in names)]
        if own and any(_said_alone(word, text) for word in said):
            yield own


def classes_of_subject(message: str, classes: Sequence[ClassView]) -> list[int]:
    """All classes of the first subject that is said: 概率论 and 线性代数 for 数学."""
    named = tuple(_Named(row["id"], row["name"]) for row in classes)
    return next(([row.id for row in own] for own in _of_subjects(fold_text(message), named)), [])


def _beside_names(text: str) -> str:
    """The words that stand right beside an "and": the labs and vocab."""
    return " ; ".join(match.group() for match in _NEIGHBOURS.finditer(text))


def _find_part(core: str, text: str) -> str:
    """The longest piece of the text, of three characters or more, that is the name with some left out: 物理实验."""
    begins = [at for at, char in enumerate(text) if char in core]
    for size in range(len(core) - 1, 2, -1):
        for at in begins:
            piece, rest = text[at : at + size], iter(core)
            if len(piece) == size and (piece in core or (piece[0] == core[0] and all(char in rest for char in piece))):
                return piece
    return ""


@lru_cache(maxsize=_KNOWN)
def _core(name: str) -> str:
    core = _SUFFIX.sub("", fold_text(name)).strip()
    return core if len(core) >= (4 if core.isascii() else 2) else ""


def core_of(name: str, text: str = "") -> str:
    """The telling part of a class's name: 概率论 of 概率论复习; empty where none is left."""
    return _core(name)


def _longest(text: str, rows: Sequence[_Named], name_of: Callable[[str, str], str]) -> tuple[list[_Named], str]:
    """The rows whose name occurs, a longer one first, and the text without these names."""
    found: list[_Named] = []
    names = {row.id: name_of(row.name, text) for row in rows}
    for row in sorted(rows, key=lambda row: -len(names[row.id])):
        name = names[row.id]
        if name and name in text:
            found.append(row)
            text = text.replace(name, " ")
    return found, text


def all_items(brief: Brief) -> list[TaskView]:
    """The items of all classes in the form of draft entries; a negative state id is none that [id] can mean. The same
    list each time: nobody may change it."""
    known: list[TaskView] | None = brief.__dict__.get("_all_items")
    if known is None:
        known = brief.__dict__["_all_items"] = [
            {"state_id": -item["id"], "item_id": item["id"], "name": item["content"], "class_id": row["id"],
             "order": item["order"], "status": "pending", "slot": None, "duration": 0, "mark": ""}
            for row in brief.classes
            for item in row["items"]
        ]  # fmt: skip
    return known


def items_in(message: str, brief: Brief, *, among: Sequence[TaskView] | None = None) -> list[TaskView]:
    """The draft's task items that fit a message: by [id], by longest content, by label or ordinal, by a telling part.
    Several = ambiguous."""
    tasks, rows, classes, known = _list_items(brief, among)
    if message not in known:  # to look for it among all that is kept would compare every row
        known[message] = _find_items(message, rows, classes, among is None)
    return [tasks[found.state_id] for found in known[message]]


_Items = tuple[dict[int, TaskView], tuple[_Listed, ...], _Names, dict[str, tuple[_Listed, ...]]]


def _list_items(brief: Brief, among: Sequence[TaskView] | None) -> _Items:
    """Items by their ids and as far as messages mention them, with the classes and what messages were found to name;
    those of the draft and those of all classes are asked for again and again."""
    kept = "_own_listed" if among is None else "_all_listed" if among is brief.__dict__.get("_all_items") else ""
    if kept and kept in brief.__dict__:
        found: _Items = brief.__dict__[kept]
        return found
    tasks = {row["state_id"]: row for row in (brief.tasks if among is None else among)}
    rows = tuple(_Listed(row["state_id"], row["name"], row["class_id"], row["order"]) for row in tasks.values())
    made: _Items = (tasks, rows, _named(brief.classes), {})
    if kept:
        brief.__dict__[kept] = made
    return made


def items_by_name(message: str, rows: Sequence[TaskView], brief: Brief) -> list[TaskView]:
    """Of these items all that a message names in full, else those that fit it."""
    text = fold_numbers(message)
    return [row for row in rows if fold_numbers(row["name"]) in text] or items_in(message, brief, among=rows)


@lru_cache(maxsize=_KNOWN)
def _find_items(message: str, rows: tuple[_Listed, ...], classes: _Names, of_classes: bool) -> tuple[_Listed, ...]:
    """The rows that fit, those of a class alone that is named beside them where `of_classes` says so."""
    text = without_refusals(fold_numbers(message))
    by_id = [row for match in STATE_ID.finditer(text) for row in rows if str(row.state_id) in match.groups()]
    if by_id:
        return tuple(by_id)
    named = set(_find_classes(message, classes)) if of_classes else set()
    pool = [row for row in rows if row.class_id in named] if named else rows
    names = {fold_numbers(name) for _id, name in classes}
    titled = [row for row in pool if _strip_ordinal(row.name) not in names]
    found = _by_name(text, pool, fold_numbers) or _by_label(text, pool) or _by_ordinal(text, pool)
    found = found or _by_name(text, titled, _strip_ordinal) or _by_last(text, pool)
    if found:
        return tuple(found)
    rest = _blank(text, find_pieces(text, tuple(name for _id, name in classes), fold_numbers))
    return tuple(_by_fragment(rest, pool) or _by_beginning(rest, pool))


_CORRECTED = re.compile(
    r"(?:我说的)?不是(?P<zh>[^,，。;；]{1,14}?)[,，\s]*(?:而?是|我?(?:说|指)的?是|要|换|改)(?=[^,，。]*[第\d周a-z一-龥])"
    r"|\b(?:not|isn't|wasn't) (?:the |on )?(?P<en>(?:[a-z]+ )?\d{1,3}|[a-z]+day(?: \w+)?)\s*[,.;]?\s*"
    r"(?:but|it's|it was|i (?:meant|mean|said|want(?:ed)?)|rather)(?=\b)"
    r"|^(?:no\W+)?not (?:the |on )?(?:[a-z]+ \d{1,3}|[a-z]+day), (?=(?:[a-z]+ \d{1,3}|[a-z]+day)\W*$)"
    r"|\b(?P<instead>instead of|rather than) (?:the |on )?(?:[a-z]+ )?(?:\d{1,3}|[a-z]+day(?: \w+)?)"
)
"""What was meant by mistake, before what is meant: 不是第3章，是第4章; not chapter 3 but chapter 4."""


@lru_cache(maxsize=_KNOWN)
def without_mistakes(text: str) -> str:
    """A text without what it says was meant by mistake."""
    return _CORRECTED.sub(" ", text)


@lru_cache(maxsize=_KNOWN)
def without_refusals(text: str) -> str:
    """A text without what was meant by mistake and what is to stay, unless it says nothing else."""
    rest = NEGATED.sub(" ", without_mistakes(text))
    return rest if rest.strip(" ,，。.!;；") else text


def without_classes(text: str, brief: Brief) -> str:
    """A message as `fold_numbers` leaves it, without the names of task classes, as far as they were said."""
    return _blank(text, said_names(text, brief, form=fold_numbers))


def _blank(text: str, said: Iterable[str]) -> str:
    for piece in said:
        text = text.replace(piece, " ")
    return text


def said_names(text: str, brief: Brief, *, form: Callable[[str], str] = fold_text) -> list[str]:
    """The pieces of a folded text that name a class, in whole or in part."""
    return list(find_pieces(text, tuple(row["name"] for row in brief.classes), form))


@lru_cache(maxsize=_KNOWN)
def find_pieces(text: str, names: tuple[str, ...], form: Callable[[str], str] = fold_text) -> tuple[str, ...]:
    """The pieces of a folded text that are one of the names, in whole or in part."""
    found: list[str] = []
    for name in map(form, names):
        for form_of in (_full, core_of, _find_beginning, _find_nickname):
            said = form_of(name, text)
            found += [said] if said and said in text else []
            text = text.replace(said, " ") if said else text
    return tuple(found)


def _by_label(text: str, tasks: Sequence[_Listed]) -> list[_Listed]:
    """实验5 for 实验五 栈与队列, unit 6 for Unit 6: Heat: a word and a number at the head of a name."""
    found = []
    for row in tasks:
        label = _label_of(row.name)
        if label is not None and label.search(text):
            found.append(row)
    return found


@lru_cache(maxsize=_KNOWN)
def _label_of(name: str) -> re.Pattern[str] | None:
    """The word and the number at the head of a name, in both languages."""
    label = LABEL.match(fold_numbers(name))
    if label is None or label[1].strip() == "第":
        return None
    return re.compile(rf"(?<![a-z]){_forms_of(label[1])}\s*#?{label[2]}(?!\d|{_SO_LONG}|\s+(?:days?|weeks?|hours?)\b)")


def _forms_of(label: str) -> str:
    """A label with its words in the other language: lab for 实验."""
    head = label.strip()
    kinds = next((kinds for kinds in KINDS if head in kinds), (head,))
    return rf"(?:{'|'.join(map(re.escape, kinds))})"


def _by_last(text: str, tasks: Sequence[_Listed]) -> list[_Listed]:
    """The last item of each class, for 最后一章, the last chapter."""
    if not _LAST.search(text):
        return []
    last = {row.class_id: max(r.order for r in tasks if r.class_id == row.class_id) for row in tasks}
    return [row for row in tasks if row.order == last[row.class_id]]


def _by_fragment(text: str, tasks: Sequence[_Listed]) -> list[_Listed]:
    """The items that share the longest piece of their name with the message: 贝叶斯公式 for 贝叶斯公式与独立性."""
    text = text[:_FRAGMENT_CHARS]
    matcher = SequenceMatcher(None, "", text, autojunk=False)
    sizes = {row.state_id: _measure_overlap(matcher, _strip_ordinal(row.name), text) for row in tasks}
    longest = max(sizes.values(), default=0)
    return [row for row in tasks if longest and sizes[row.state_id] == longest]


_GENERAL = re.compile(
    "假设|如果|任务|学习|复习|时间|安排|计划|考试|课程|作业|实验|单元|专题|内容|基础|总结|练习|完成|开始|结束|今天|明天"
    "|早上|上午|中午|下午|晚上|周末|每天|每周|最后|其他|剩下|所有|全部|数学|英语"
)
"""Two characters that begin names of items and tell none of them."""


_BEGINNING = 2


def _by_beginning(text: str, tasks: Sequence[_Listed]) -> list[_Listed]:
    """The one item whose title begins with two characters that occur as a word: 矩阵 for 矩阵运算."""
    found = [row for row, head in zip(tasks, list_heads(row.name for row in tasks), strict=True)
             if head and _occurs_as("", head, _WORD_ENDS, text)]  # fmt: skip
    return found if len(found) == 1 else []


def list_heads(names: Iterable[str]) -> list[str]:
    """For each name the two characters that its title begins with and no other one does; empty where there are none."""
    heads = [_strip_ordinal(name)[:_BEGINNING] for name in names]
    return [
        head if len(head) == _BEGINNING and "一" <= head[0] <= "鿿" and not _GENERAL.match(head)
        and heads.count(head) == 1 else ""
        for head in heads
    ]  # fmt: skip


def find_words(head: str, text: str) -> list[tuple[int, int]]:
    """Where these characters occur as a word, which no new name begins with."""
    form = f"{_NOT_NAMED}{re.escape(head)}{_WORD_ENDS}(?!应用|分[解析布类])"
    return [one.span() for one in _compile(form).finditer(text)] if head in text else []


_NOT_NAMED = "(?<!叫)(?<!叫做)(?<!名为)(?<!加个)(?<!加[1一][个章节项])"


def _measure_overlap(matcher: SequenceMatcher[str], name: str, text: str) -> int:
    """Length of the longest piece of `name` in the text of the matcher that says enough: three Chinese or six other
    characters, or a whole word."""
    least = 4 if name.isascii() else 3
    if not any(name[at : at + least] in text for at in range(len(name) - least + 1)):
        return 0
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
        before = text
        label = LABEL.match(fold_numbers(row["name"]))
        said = label.group() if label and label[1].strip() != "第" else ""
        for name in (fold_numbers(row["name"]), _strip_ordinal(row["name"]), said):
            text = text.replace(name, " ") if len(name) > 1 else text
        begin = text[:_FRAGMENT_CHARS]
        matcher.set_seq2(begin)
        if _measure_overlap(matcher, _strip_ordinal(row["name"]), begin):
            best = matcher.find_longest_match()
            text = text[: best.b] + " " + text[best.b + best.size :]
        head = _strip_ordinal(row["name"])[:_BEGINNING]
        text = text.replace(head, " ") if text == before and "一" <= head[:1] <= "鿿" else text
    return _LAST.sub(" ", ORDINAL.sub(" ", text)) if rows else text


@lru_cache(maxsize=_KNOWN)
def _strip_ordinal(name: str) -> str:
    """The item's name without its ordinal, or its number: 随机变量 for 第2章 随机变量, 单摆 for 实验一 单摆."""
    return _NUMBERED.sub("", ORDINAL.sub("", fold_numbers(name))).strip(" :：.、-")


_NUMBERED = re.compile(r"^[一-龥]{2}\s*\d{1,3}(?![\d一-龥])[\s:：.、-]+(?=[一-龥]{2})")


def _by_name(text: str, tasks: Sequence[_Listed], form: Callable[[str], str]) -> list[_Listed]:
    names = {row.state_id: form(row.name) for row in tasks}
    fitting = [row for row in tasks if len(names[row.state_id]) > 1 and _whole(names[row.state_id], text)]
    longest = max((len(names[row.state_id]) for row in fitting), default=0)
    return [row for row in fitting if len(names[row.state_id]) == longest]


def _whole(name: str, text: str) -> bool:
    """`chapter 1` does not occur in `chapter 12`, nor 第1章 in 第11章."""
    before, after = (r"(?<!\d)" if name[0].isdigit() else ""), (r"(?!\d)" if name[-1].isdigit() else "")
    return _occurs_as(before, name, after, text)


def _by_ordinal(text: str, tasks: Sequence[_Listed]) -> list[_Listed]:
    match = ORDINAL.search(text)
    if not match:
        return []
    number = int(match[1] or match[4])
    kind = "chapter" if match[3] == "ch" else match[3]
    said = re.compile(rf"第\s*{number}\s*{match[2]}" if match[1] else rf"\b{kind}\s*{number}(?!\d)")
    in_name = [row for row in tasks if said.search(fold_numbers(row.name))]
    kinds = next((kinds for kinds in KINDS if (match[2] or kind) in kinds), ())
    of_kind = [row for row in tasks if any(word in fold_text(row.name) for word in kinds)]
    return in_name or [row for row in of_kind or (tasks if "lab" not in kinds else []) if row.order == number]
