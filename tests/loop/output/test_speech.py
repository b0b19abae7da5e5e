"""Speech is forwarded while the answer arrives, and equals what the finished answer says."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.loop.model_call.incremental_json import AnswerReader
from agent.loop.model_call.lenient_json import FRAGMENT, DecisionError, read_object
from tests.kits.budgets import tried

TEXTS = st.text(st.characters(exclude_categories=[]), max_size=40)
ANSWERS = st.fixed_dictionaries(
    {"speak": TEXTS},
    optional={
        "action": st.just("continue"),
        "reason": TEXTS,
        "tool_call": st.fixed_dictionaries({"arguments": st.dictionaries(TEXTS, TEXTS, max_size=2), "name": TEXTS}),
        "extra": st.lists(st.dictionaries(st.just("speak"), TEXTS, max_size=1), max_size=2),
    },
)


NOISE = st.sampled_from('{}[]":,\\u0dspeak action<think>/x\n')


def heard(answer: str, cuts: list[int]) -> AnswerReader:
    reader, bounds = AnswerReader(), sorted({0, len(answer), *(cut % (len(answer) + 1) for cut in cuts)})
    pieces = [reader.feed(answer[a:b]) for a, b in pairwise(bounds)]
    assert "".join(pieces) == reader.spoken
    return reader


@tried(300)
@given(
    found=ANSWERS,
    cuts=st.lists(st.integers(0, 500), max_size=12),
    ascii_only=st.booleans(),
    shuffle=st.randoms(use_true_random=False),
    around=st.sampled_from(["", "```json\n", "好的 {不是} ", "\ufeff"]),
)  # fmt: skip
def test_streamed_speech_equals_parsed_speech_for_any_split(
    found: dict[str, Any], cuts: list[int], ascii_only: bool, shuffle: Any, around: str
) -> None:
    keys = list(found)
    shuffle.shuffle(keys)
    answer = around + json.dumps({key: found[key] for key in keys}, ensure_ascii=ascii_only)
    reader = heard(answer, cuts)
    try:
        parsed = read_object(answer)
    except DecisionError:
        return
    assert reader.spoken == parsed["speak"]
    assert reader.spoken.encode().decode() == reader.spoken


@tried(300)
@given(answer=st.text(NOISE, max_size=80), cuts=st.lists(st.integers(0, 99)))
def test_any_noise_is_read_alike_whole_and_in_pieces(answer: str, cuts: list[int]) -> None:
    assert heard(answer, cuts).spoken == heard(answer, []).spoken


def test_the_first_characters_are_out_before_the_object_is_complete() -> None:
    reader = AnswerReader()
    assert reader.feed('{"speak":"先看') == "先看"
    assert reader.feed("\\ud83d") == ""
    assert reader.feed("\\ude00一下") == "😀一下"


def test_it_names_the_tool_as_soon_as_the_name_is_complete() -> None:
    reader = AnswerReader()
    reader.feed('{"tool_call":{"arguments":{"name":"trap"},"name":"mo')
    assert reader.tool_name is None
    reader.feed('ve"')
    assert reader.tool_name == "move"


def test_speech_inside_other_values_is_not_spoken() -> None:
    reader = AnswerReader()
    reader.feed('{"a":{"speak":"no"},"b":[{"speak":"no"}],"reason":"speak","speak":"yes"}')
    assert reader.spoken == "yes"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param('{"speak": "' + "很好" * 1_000_000 + '"}', id="long_speech"),
        pytest.param(
            '{"speak": "", "tool_call": {"name": "a", "arguments": {"b": "' + "c" * 999_999 + '"}}}', id="args"
        ),
        pytest.param("<thought" * 50_000 + '{"speak": "好"}', id="many_thoughts"),
        pytest.param("talk " * 400_000 + '{"speak": "好"}', id="talk_before"),
    ],
)
def test_an_answer_of_megabytes_is_read_like_a_short_one(answer: str) -> None:
    """Reading takes a time linear in the length: with a square one this test would last for hours."""
    reader = AnswerReader()
    for at in range(0, len(answer), 40):
        reader.feed(answer[at : at + 40])
    assert read_object(answer)["speak"] == reader.spoken


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        pytest.param('{"a": ' * 900 + "1" + "}" * 900, "no_json", id="nested"),
        pytest.param("{" * 200_000, "no_json", id="never_closed"),
        pytest.param("".join(f'{{"a": {n}}} ' for n in range(20_000)), "ambiguous", id="many_objects"),
        pytest.param("{" + ", ".join(f'"k{n}": 1' for n in range(20_000)) + ', "k7": 2}', "duplicate_key", id="keys"),
    ],
)
def test_an_endless_answer_is_a_correction(answer: str, code: str) -> None:
    with pytest.raises(DecisionError) as caught:
        read_object(answer)
    assert caught.value.code == code
    assert len(caught.value.fragment) <= FRAGMENT


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"公式 \frac{1}{2} 和 \(\alpha\) 对吗？", r"公式 \frac{1}{2} 和 \(\alpha\) 对吗？"),
        (r"先看 \beta 分布", r"先看 \beta 分布"),
        (r"It\'s \"fine\" \* \n好", 'It\'s "fine" * \n好'),
        (r"哪\u0000天？\u001b", "哪天？"),
        ("哪\\u009b31m天\x7f？\x9d", "哪31m天？"),
    ],
)
def test_backslashes_that_no_escape_has_and_control_characters_are_read_as_meant(written: str, meant: str) -> None:
    answer = f'{{"action": "ask_user", "speak": "{written}"}}'
    reader = AnswerReader()
    reader.feed(answer)
    assert (reader.spoken, read_object(answer)["speak"]) == (meant, meant)
