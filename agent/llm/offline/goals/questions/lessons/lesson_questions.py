"""Whether a question is about the lessons of the timetable, not about what is studied: decided by its words alone.

A word for a lesson or the name of what is taught speaks for lessons; items, their classes and free time speak for the
plan. A turn that names neither goes on about what the turn before asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from agent.llm.offline.goals.questions.inquiry import asked_in
from agent.llm.offline.goals.questions.query import ASKS
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.meaning.whether import asks_whether
from agent.llm.offline.language.normalize import fold_text
from agent.llm.offline.language.spans.conditions.suppositions import ACTS, read_occasion
from agent.llm.offline.language.spans.items.spoken import named_items
from agent.llm.offline.language.spans.lesson_moves import says_lesson, says_studied, says_subject, without_subjects
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, said_names
from agent.llm.offline.language.spans.times.reading import read_times

LESSONS = "lessons"
LONGEST = 120
_ASKS = re.compile(
    r"几|还是|吧\s*[?？。!]*$|\bwh(?:en|at|ich)(?:'s|s|re)?\b|\bhow (?:many|often)\b|\bwould (?:that|it|this)\b"
)
_BY_NAME = re.compile(
    r"[几多少]节[^,，。;；]{0,4}课(?!时)|几节(?:的)?[^,，。;；?？任内要学]{2,5}\s*[?？]?$|有(?!没|别的"
    r"|其[他它余])[^,，。;；有什么哪几多空时事排项]{2,5}(?:课)?[吗么]|有没有[^,，。;；什么哪几多]{2,5}课"
    r"|\b(?:do|did|will|don't) i (?:still )?have (?:any |a |an )?[a-z]+(?: (?:class|lesson|lecture)(?:es"
    r"|s)?)? (?:on|this|next|tomorrow"
    r"|today|in)\b|\bhow many (?:[a-z]+ )?(?:lessons|lectures)\b"
)
_WANTS = re.compile(
    r"[移挪调换改](?=[到去在成至])|取消|停[课掉了]|不想|想要?|能不能|可不可以|可以|应该|该不该|为什么|为啥|建议"
    r"|顺序|怎么|[排塞]|放(?![学假])"
    r"|\b(?:should|can (?:you|i|we)|could|may i|why|how come|move|put|swap|skip|cancel\w*|plan|instead|order"
    r"|before or)\b"
)
"""A change, a reason, advice: no fact of the timetable."""
BESIDE = re.compile(
    r"同一?天|那[一几]?天|的(?:日子|那天|那几天)|\bsame days?\b|\bon (?:a |the |an (?:\w+ )?|a (?:\w+ )?)?days?\b"
    r"|\bdays? (?:with|when|of"
    r"|i have)\b"
)
"""Items are asked about by the days of lessons."""
CLASHES = re.compile(
    r"冲突|撞|重叠|打架|碍|影响|\b(?:clash\w*|conflict\w*|overlap\w*|collid\w*|hit|interfere\w*|affect\w*"
    r"|in the way|problem|trouble)\b"
)
EVERY_DAY = (
    r"每[一1]?天|天天|(?:周一|星期一)到(?:周|星期)五都|\b(?:every|all|each)(?: single)? (?:day|weekday)s?\b|\bdaily\b"
)
_GOES_ON = re.compile(
    rf"{EVERY_DAY}|也[有上是]|下[一1]?(?:次|节|回|堂)|上到|什么时候结束|最后[一1]|第[一1]|呢\s*[?？]?$|再(?:上|有)|它|这门|几点|哪天|周几"
    r"|\b(?:next|last|first|it|again|that one|another|what time)\b|^(?:and|what about|how about|or)\b"
)
"""What a turn asks of the lessons that were spoken of."""
_BARE = re.compile(r"^(?:那|还有|and|what about|how about|or|so|ok|,|，|\s)+|呢|[?？\s]+$")


@dataclass(frozen=True)
class LessonQuestion:
    """A question about lessons: `text` holds its form, `said` the texts that may name them, the nearest first."""

    text: str
    said: tuple[str, ...]
    whole: str
    """The message as the student wrote it."""
    lessons_said: bool
    """Whether a word for a lesson tells that lessons are meant, whatever they are called."""


def asks_about_lessons(brief: Brief) -> bool:
    """Whether lessons may be asked about."""
    return find_lesson_question(brief) is not None


def find_lesson_question(brief: Brief) -> LessonQuestion | None:
    """What is asked of lessons; None where the plan is asked about, or nothing is asked."""
    if not brief.view["semester"] or APART in brief.request or read_occasion(brief.request, brief):
        return None
    own = own_words(brief)
    text = fold_text(own)
    if len(text) > LONGEST or not (ASKS.search(text) or asks_whether(text) or _ASKS.search(text)):
        return None
    lesson, subject = says_lesson(text), says_subject(text)
    if (lesson or subject) and asks_beside_items(text, brief):
        return LessonQuestion(text, (text,), own, lesson)
    if ACTS.search(text) or _WANTS.search(text) or says_studied(text) or _names_items(text, brief):
        return None
    if CLASHES.search(text):
        return LessonQuestion(text, (text,), own, lesson) if subject else None
    before = _asked_before(brief)
    if lesson or subject or (_BY_NAME.search(text) and asked_in(text, brief).timed):
        bare = not lesson and before and without_subjects(_BARE.sub("", text)).strip(" ,，") == ""
        return LessonQuestion(f"{before}" if bare else text, (text,), own, lesson or bool(bare))
    if before and _GOES_ON.search(text):
        return LessonQuestion(text, (text, before), own, lessons_said=True)
    return None


def asks_beside_items(text: str, brief: Brief) -> bool:
    """Whether items are asked about by the days or the times of lessons."""
    asks = asks_whether(text) or ASKS.search(text) is not None or _ASKS.search(text) is not None
    on_days = BESIDE.search(text) is not None
    clash = CLASHES.search(text) is not None and any(
        one.kind in ("sections", "clock") or one.weekdays or one.first for one in read_times(text, brief.term)
    )
    rest = without_subjects(text)
    of_items = bool(items_in(rest, brief) or named_items(rest, brief)) or says_studied(text) or _THEY.search(text)
    return (
        asks
        and ((on_days and bool(of_items)) or clash)
        and (_SUPPOSED.search(text) is not None or not _PUTS.search(text))
    )


_THEY = re.compile(r"它们?|他们|[哪这那][几些]项|\b(?:they|them|those|these|both|it|that(?! day))\b")
_SUPPOSED = re.compile(r"^(?:那|那么)?[^,，。;；]{0,4}(?:要是|如果|假如)|^(?:so |and )?(?:if|would|suppos\w+)\b")
_PUTS = re.compile(r"[把将](?!要)|帮我|请|[移挪](?=到)|\b(?:please|move (?!d)|put|swap)\b")


def own_words(brief: Brief) -> str:
    """The student's words of this turn, before what they point to was told by items."""
    typed = brief.turns[-1] if len(brief.view["turns"]) > 1 else brief.view["request"]
    return brief.plain(brief.read_words(brief.spoken.get(typed, typed)) if brief.whole is None else brief.message)


def _names_items(text: str, brief: Brief) -> bool:
    """Whether an item is named, or a class by its own name."""
    rest = _EDGE.sub(" ", without_subjects(text))
    if items_in(rest, brief) or items_in(rest, brief, among=all_items(brief)):
        return True
    known = any(fold_text(brief.names_of([one])).strip("「」") in text for one in classes_in(text, brief.classes))
    return known or bool(said_names(rest, brief))


_EDGE = re.compile(r"(?:最后|第)[一1]?(?:次|节|堂)课?|\b(?:first|last|next) (?:\w+ )?(?:lesson|lecture|class|one)\b")
"""A lesson at an end, which is no item."""


def _asked_before(brief: Brief) -> str:
    """What the student said right before, where that was of lessons; empty elsewhere."""
    said = [turn["text"] for turn in (brief.whole or brief).earlier if turn["role"] == "user"]
    said = [*said, *brief.turns[:-1]] if len(brief.view["turns"]) > 1 else said
    for text in (fold_text(one) for one in reversed(said[-2:])):
        if (says_lesson(text) or says_subject(text)) and not _names_items(text, brief) and not says_studied(text):
            return text
        if not _GOES_ON.search(text):
            return ""
    return ""


def is_named(name: str, text: str) -> bool:
    """Whether a lesson is said by its name, by the beginning of a word of it (calc), or by two of its characters in
    their order: 高数 for 高等数学."""
    said = [word for word in re.findall(r"[a-z]+", text) if len(word) > 3]
    if name in text or any(one.startswith(word) for one in name.split() for word in said):
        return True
    pairs = (a + b for a, b in pairwise(text) if "一" <= a <= "鿿" and "一" <= b <= "鿿")
    return any(one[0] in name and one[1] in name[name.index(one[0]) + 1 :] for one in pairs)
