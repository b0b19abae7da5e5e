"""The page's step, task and period are read as an item, a task class and a section, and told as the page says."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.utterance.page_words import read_answer_back, read_page_words, write_page_words
from tests.kits.offline.conversations import planned

pytestmark = pytest.mark.storeless


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("move the last step to Sunday", "move the last item to Sunday"),
        ("Steps left?", "items left?"),
        ("new task: Listening, 6 periods", "new task class: Listening, 6 sections"),
        ("create a new task called Listening", "create a new task class called Listening"),
        ('create a task "Listening", 6 periods', 'create a task class "Listening", 6 sections'),
        ("move it to periods 3-4", "move it to sections 3-4"),
        ("4 月 5 日", "4月5日"),
    ],
)
def test_words_of_the_page_are_read(said: str, read: str) -> None:
    assert read_page_words(said, ()) == read


@pytest.mark.parametrize(
    "said",
    [
        "plan it step by step",
        "do it in two steps",
        "undo the last two steps",
        "which steps should I take to learn faster?",
        "which tasks do I have?",
        "a free period on Friday",
    ],
)
def test_words_that_mean_something_else_stay(said: str) -> None:
    assert read_page_words(said, ()) == said


def test_names_keep_their_words() -> None:
    names = ("Two-step equations", "12 月 11 日 的作业")
    assert read_page_words("move two-step equations to Sunday", names) == "move two-step equations to Sunday"
    assert read_page_words("把12 月 11 日 的作业排到4 月 22 日", names) == "把12 月 11 日 的作业排到4月22日"


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ("45 items placed, one class crowded into a day.", "45 steps placed, one task crowded into a day."),
        (
            'Task class "Signals": say "add an item called exercises".',
            'Task "Signals": say "add a step called exercises".',
        ),
        ("Wed, sections 5-6; 1 section of classes", "Wed, periods 5-6; 1 period of tasks"),
        ("3 unplaced; filler courses may be used", "3 not placed; lectures that allow it may be used"),
        ("move Class notes to section 3", "move Class notes to period 3"),
        (
            'I cannot read "my class on Monday"; a class has items.',
            'I cannot read "my class on Monday"; a task has steps.',
        ),
    ],
)
def test_answers_have_the_words_of_the_page(own: str, told: str) -> None:
    assert write_page_words(own, ("Class notes",), ("plan around my class on Monday",)) == told


@pytest.mark.parametrize(
    ("told", "read"),
    [("what is not placed yet?", "what is unplaced yet?"), ("use lectures that allow it", "use filler courses")],
)
def test_what_the_page_calls_otherwise_is_read(told: str, read: str) -> None:
    assert read_page_words(told, ()) == read


def test_an_answer_is_read_again_as_it_was_meant() -> None:
    request = "make Eigenvalues 3 sections long and move the last item to sections 3-4"
    assert read_page_words(write_page_words(request, (), ()), ()) == request


async def test_why_a_goal_ends_is_told_in_the_words_of_the_page() -> None:
    chat = await planned(english=True)
    await chat.says("plan it anew")
    assert "This task already has a first plan" in "\n".join(event.full_content for event in chat.of("text.ended"))


def test_an_answer_is_read_back_in_the_words_it_was_made_of() -> None:
    told = 'The last step of "Two-step proofs" stands in periods 5-6; a step of its task has 2 periods.'
    read = 'The last item of "Two-step proofs" stands in sections 5-6; an item of its task class has 2 sections.'
    assert read_answer_back(told, ("Two-step proofs",)) == read
