"""What students suppose in a question, composed of what is supposed and what is asked, with what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import product

from tests.conversations.composition.generators.questions import Keeps, Question, date_said
from tests.conversations.composition.generators.term import LABS, TODAY, WORDS, Item, items_of

FREE: tuple[tuple[tuple[str, ...], tuple[str, ...], Keeps], ...] = (
    (("每周五都空出来", "以后周五都不学"), ("I kept every Friday free", "Fridays were off"),
     lambda one: one.day is not None and one.day.isoweekday() == 5),
    (("4月13号到15号我不在", "13号到15号请假"), ("I was away from 13 to 15 April", "I took 13 to 15 April off"),
     lambda one: one.day is not None and date(2026, 4, 13) <= one.day <= date(2026, 4, 15)),
    (("晚上都不排任务", "每天晚上都休息"), ("I kept the evenings free", "nothing were planned in the evenings"),
     lambda one: one.first >= 9),
    (("周末都不学", "每个周末都休息"), ("I left weekends out", "I kept weekends free"),
     lambda one: one.day is not None and one.day.isoweekday() > 5),
    (("明天什么都不学", "明天请假"), ("I skipped tomorrow", "I took tomorrow off"),
     lambda one: one.day == TODAY + timedelta(days=1)),
    (("五一假期全空出来",), ("I kept the May holiday free",),
     lambda one: one.day is not None and date(2026, 5, 1) <= one.day <= date(2026, 5, 5)),
)  # fmt: skip
ASKED = (
    ("如果{said}，哪些任务会受影响？", "要是{said}，会怎么样", "{said}的话，会影响几项任务？"),
    ("What would happen if {said}?", "If {said}, which tasks would be affected?", "Which items would move if {said}?"),
)
PACE = (("每天只学一项", "每天做一项"), ("I did one item a day", "I only did one task a day"), 1), (
    ("每天学两项",), ("I did two items a day",), 2)  # fmt: skip
WHEN_DONE = (("如果{said}，什么时候能学完？",), ("If {said}, when would I be done?", "When would I finish if {said}?"))
DEADLINES = (
    (
        ("英语六级4月15号考试", "六级的截止日期改成4月15号"),
        ("the CET-6 exam were on 15 April",),
        WORDS,
        date(2026, 4, 15),
    ),
    (("物理实验4月20号就截止",), ("the deadline of the physics labs were 20 April",), LABS, date(2026, 4, 20)),
)
STILL = (
    ("如果{said}，还来得及吗？", "要是{said}，排得下吗"),
    ("If {said}, would it still fit?", "Would it work if {said}?"),
)


def _names(rows: list[Item], every: list[Item]) -> Callable[[str], str]:
    """Those that are affected are named with their dates before what follows."""

    def check(text: str) -> str:
        lacking = [row.name for row in rows if not any(
            row.name in line and row.day and date_said(row.day, line) for line in text.splitlines())]  # fmt: skip
        wrong = [row.name for row in every if row not in rows and f"{row.name}：" in text.replace(": ", "：")]
        if lacking or wrong:
            return f"lacks {lacking}, names {wrong}"
        none = rows or any(word in text for word in ("没有影响", "changes nothing"))
        return "" if none else "does not say that nothing is affected"

    return check


def _says_day(day: date) -> Callable[[str], str]:
    return lambda text: "" if date_said(day, text.splitlines()[0]) else f"no {day} in {text.splitlines()[0]!r}"


def _is_left(row: Item) -> bool:
    return row.mark != "done" and (row.day is None or (row.day, row.first) > (TODAY, 2))


def _wordings(language: str, forms: tuple[tuple[str, ...], tuple[str, ...]], said: tuple[str, ...]) -> Iterator[str]:
    for form, words in product(forms[language == "en"], said):
        yield form.format(said=words)


def suppositions(language: str) -> list[Question]:
    """Every supposition in every wording, with what its answer has to say."""
    english = language == "en"
    every = [row for row in items_of(language) if _is_left(row)]
    found = []
    for zh, en, keeps in FREE:
        check = _names([row for row in every if keeps(row)], every)
        found += [Question("free", language, text, check) for text in _wordings(language, ASKED, en if english else zh)]
    for zh, en, number in PACE:
        end = TODAY + timedelta(days=-(-len(every) // number) - 1)
        texts = _wordings(language, WHEN_DONE, en if english else zh)
        found += [Question("pace", language, text, _says_day(end)) for text in texts]
    for zh, en, owner, last in DEADLINES:
        late = [row for row in every if row.class_id == owner and row.day and row.day > last]
        check = _names(late, [])
        found += [Question("end", language, text, check) for text in _wordings(language, STILL, en if english else zh)]
    return found
