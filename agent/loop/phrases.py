"""Phrases that decide without a model: the gates of the rough build, scope answers, the conversation's language.

A phrase matches as a substring of the NFKC-folded, lower-cased message.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from opencc import OpenCC

from taskclasses.kernel.i18n import language_of
from taskclasses.shapes import ClassObject

DRAFT_ONLY = (
    "只要初稿", "先给初稿", "先排进去就行", "先排进去", "先不优化", "先别优化", "先不微调", "先别微调", "排完就收口",
    "粗排就行", "草稿就行", "draft only", "no refine", "no optimization", "no optimisation",
)  # fmt: skip
AGAIN = ("重排", "重新排", "重新安排", "再排一遍", "再排一次", "redo", "replan", "re-plan", "rearrange")
"""Words for planning anew: they allow a second build, but do not ask for one alone."""
SECOND_BUILD = (
    "重新粗排", "重做粗排", "从头排", "从头重排", "重新排一遍", "重新排课", "重排全部", "全部重排", "重置排程",
    "重置后重排", "重新生成初稿", "重新排一下", "重新安排一遍", "重排一遍", "重新规划", "rebuild", "from scratch",
    "start over", "重来", "重头来", "重新来过", "推倒", "start again", "start afresh", "redo everything",
    "just redo", "redo my", "redo the", "redo it", "plan it again", "plan again", *AGAIN,
)  # fmt: skip
ACCEPT_PARTIAL = (
    "能排多少排多少", "先排能排的", "接受风险", "排不下就算了", "as many as fit", "accept the risk",
)  # fmt: skip
GLOBAL = (
    "全局优化", "整体优化", "全局重排", "整体重排", "重新优化", "全面优化", "体检", "节奏", "切换太多", "太碎",
    "太累", "太满", "optimise", "optimize", "check my plan", "too fragmented", "too tiring",
)  # fmt: skip
CLASS_NOUNS = ("任务类", "复习计划", "学习计划", "学习任务", "task class", "study plan")
CLASS_VERBS = ("新建", "创建", "添加", "修改", "建一个", "建个", "编辑", "create", "add", "edit", "make", "new")
ALL_WORDS = ("全部", "所有", "都要", "都排", "all", "everything", "both")
_CJK = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile("[A-Za-z]{2,}")
_SPOKEN = re.compile("[的了是我你吗吧呢请已把]|可以|没有")
"""What Chinese sentences hold, and names seldom."""
_KANA = re.compile("[\u3040-\u30ff]")
LEAST_LATIN, LEAST_HAN, LEAST_WORDS = 12, 4, 2
"""Letters from which on words are known for those of a language."""
OTHER_LANGUAGES = (
    "英文", "英语", "中文", "汉语", "日语", "日文", "翻译", "translate", "english", "chinese", "japanese", "language",
)  # fmt: skip
_QUOTED = re.compile('「[^」]*」|『[^』]*』|《[^》]*》|“[^”]*”|"[^"]*"')
_ENGLISH = re.compile(
    r"\b(?:plan|move|put|swap|place|show|schedule|arrange|rebuild|create|edit|rename|remove|unplace|check|my|the|to|on|in|at"
    r"|for|of|and|with|is|are|am|when|where|what|which|why|how|please|can|you|it|i|free|week|draft|only|from|until|no)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile("[把请帮我你吗呢吧]|[移放改排调换][到成]|安排|排[好进课一]|周[一二三四五六日末]|什么|怎么")
_SIDE_BY_SIDE = re.compile(r"[和与跟、,，&+]|\band\b")
_AROUND = re.compile(r"^(?:那|就|先|排|the|my|\s)+|(?:吧|的|那个|呢|please|one|class|[\s.!。])+$")
"""What an answer says around a name."""
_NEUTRAL = re.compile(r"\W*(?:y|n|ok|okay|yes|no)\W*")
"""Answers that are typed in any language."""
_NUMBER = re.compile(r"(?:选|第|option|no\.?|#)?\s*(\d{1,2})\s*(?:个|项|号)?[.。、]?")


@lru_cache(maxsize=4096)
def fold_text(message: str) -> str:
    """Returns the form in which texts are compared: NFKC, lower case, Chinese in simplified characters."""
    text = unicodedata.normalize("NFKC", message).lower()
    return text if text.isascii() else _converter()(text)


@lru_cache(maxsize=1)
def _converter() -> Callable[[str], str]:
    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


def join_names(names: Iterable[str], locale: str) -> str:
    """Joins names in a sentence for the student."""
    return (", " if language_of(locale) == "en" else "、").join(names)


def says(message: str, phrases: Sequence[str]) -> bool:
    text = fold_text(message)
    return any(phrase in text for phrase in phrases)


def writes_a_class(message: str) -> bool:
    """Tells whether the message is about creating or editing a task class."""
    return says(message, CLASS_NOUNS) and says(message, CLASS_VERBS)


def language_of_message(message: str, default: str = "zh") -> str:
    """Returns zh when at least a fifth of the letters are CJK, else en; `default` for a message without letters.

    Names are the student's data, whatever language the student speaks: quoted ones, and Chinese ones in a sentence that
    is built of English words (put 实现最小生成树 on Tuesday).
    """
    said = _QUOTED.sub("", message)
    letters = [char for char in said if char.isalpha()]
    if not letters or _NEUTRAL.fullmatch(fold_text(message)):
        return default
    if sum(1 for _ in _ENGLISH.finditer(said)) >= 2 and not _CHINESE.search(said):
        return "en"
    return "zh" if 5 * sum(1 for char in letters if _CJK.match(char)) >= len(letters) else "en"


def is_foreign(words: str, locale: str, names: Iterable[str] = ()) -> bool:
    """Tells whether words are plainly in another language than that of `locale`; names are nobody's language."""
    said = _QUOTED.sub("", words)
    for name in names:
        said = said.replace(name, " ") if name else said
    letters = [char for char in said if char.isalpha()]
    han = sum(1 for char in letters if _CJK.match(char))
    if language_of(locale) == "en":
        english = sum(1 for _ in _WORD.finditer(said)) >= LEAST_WORDS
        # Names alone, of classes for instance, are no sentence.
        return not english and (len(letters) - han >= LEAST_LATIN or (han >= LEAST_HAN and bool(_SPOKEN.search(said))))
    kana = sum(1 for char in letters if _KANA.match(char))
    return (han == 0 and len(letters) >= LEAST_LATIN) or (kana >= LEAST_HAN and 2 * kana > han)


def chosen_option(message: str, options: Sequence[tuple[str, str]]) -> str | None:
    """Returns the id of the option a reply names by id, label or number in the list; None when it names none."""
    text = fold_text(message).strip()
    for key, label in options:
        if text in (fold_text(key), fold_text(label).strip()):
            return key
    number = _NUMBER.fullmatch(text)
    if number and 1 <= int(number.group(1)) <= len(options):
        return options[int(number.group(1)) - 1][0]
    return None


def means_all(message: str) -> bool:
    """Tells whether an answer names everything that is offered."""
    text = fold_text(message)
    return text.strip() in ALL_WORDS or any(word in text for word in ALL_WORDS if not word.isascii())


def classes_named(message: str, classes: Sequence[ClassObject]) -> list[int]:
    """Returns ids of the classes whose name occurs in the message, or that an answer names in part: 六级和概率论."""
    text = fold_text(message)
    whole = [row["id"] for row in classes if row["name"] and fold_text(row["name"]) in text]
    if whole:
        return whole
    pieces = [_AROUND.sub("", piece) for piece in _SIDE_BY_SIDE.split(text)]
    told = [piece for piece in pieces if len(piece) >= (3 if piece.isascii() else 2)]
    owners = [[row["id"] for row in classes if piece in fold_text(row["name"])] for piece in told]
    meant = {ids[0] for ids in owners if len(ids) == 1}
    return [row["id"] for row in classes if row["id"] in meant]
