"""The parts below the openai backend: event lines, cut characters, think blocks, stage settings, profiles."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.llm.factory import backend_of
from agent.llm.openai.profiles import SAFE, Profile, profile_for, read_profiles
from agent.llm.openai.sse_lines import MAX_EVENT_BYTES, EventReader, EventTooLarge, TextJoiner
from agent.llm.stages import stage_settings
from agent.loop.model_call.marks import Restart, ThoughtSplitter
from agent.loop.outside.limits import STAGE_SETTINGS
from agent.loop.outside.model import Reasoning, Text
from agent.runs.execution.limits import limits_from

STREAM = b": hi\r\n\r\ndata: one\r\n\r\nevent: x\ndata:two\ndata: three\n\ndata: four\r\rdata\n\ndata: five"


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
def test_events_do_not_depend_on_how_the_bytes_arrive(cuts):
    borders = [0, *sorted(cuts), len(STREAM)]
    reader = EventReader()
    events = [e for a, b in itertools.pairwise(borders) for e in reader.feed(STREAM[a:b])] + reader.end()
    assert events == [b"one", b"two\nthree", b"four", b"", b"five"]


def test_an_endless_event_is_refused():
    with pytest.raises(EventTooLarge):
        EventReader().feed(b"data: " + b"x" * (MAX_EVENT_BYTES + 1))


@given(st.text(max_size=30), st.lists(st.integers(0, 120), max_size=6))
def test_characters_cut_anywhere_are_joined_again(text, cuts):
    data = text.encode()
    borders = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    joiner = TextJoiner()
    parts = [data[a:b].decode("utf-8", "surrogateescape") for a, b in itertools.pairwise(borders)]
    assert "".join(joiner.feed(part, raw=True) for part in parts) + joiner.end() == text


def test_a_half_pair_without_its_other_half_is_replaced():
    joiner = TextJoiner()
    assert joiner.feed("a\ud83d") + joiner.feed("b") + joiner.feed("\ud83d") + joiner.end() == "a�b�"


@example([18], "<think>why</think>\n{}")
@given(
    st.lists(st.integers(0, 40), max_size=6), st.sampled_from(["<think>why</think>\n{}", "plain <think>", "<thin", ""])
)
def test_a_think_block_is_told_apart_wherever_it_is_cut(cuts, answer):
    borders = [0, *sorted(min(cut, len(answer)) for cut in cuts), len(answer)]
    splitter = ThoughtSplitter()
    deltas = [d for a, b in itertools.pairwise(borders) for d in splitter.feed(answer[a:b])] + splitter.end()
    whole = {kind: "".join(d.text for d in deltas if isinstance(d, kind)) for kind in (Reasoning, Text)}
    assert whole == ({Reasoning: "why", Text: "{}"} if "why" in answer else {Reasoning: "", Text: answer})


def test_the_environment_changes_one_stage():
    read = stage_settings({"AGENT_PLAN_MODEL": "big", "AGENT_PLAN_THINKING": "on", "AGENT_COMPACTION_DEADLINE": "9"})
    assert (read["plan"].model, read["plan"].thinking, read["plan"].temperature) == ("big", True, 0.2)
    assert read["compact"].deadline_s == 9
    assert read["chat"] == STAGE_SETTINGS["chat"]


def test_the_loop_asks_with_the_settings_of_the_environment():
    stages = limits_from({"AGENT_EXECUTE_TEMPERATURE": "0.9", "AGENT_DELIVER_DEADLINE": "7"}).stages
    assert (stages["execute"].temperature, stages["deliver"].deadline_s) == (0.9, 7)
    assert stages["chat"] == STAGE_SETTINGS["chat"]


@pytest.mark.parametrize("given_", [{"AGENT_CHAT_TEMPERATURE": "warm"}, {"AGENT_CHAT_THINKING": "maybe"}])
def test_a_setting_that_makes_no_sense_is_named(given_):
    with pytest.raises(ValueError, match=next(iter(given_))):
        stage_settings(given_)


def test_the_longest_prefix_finds_the_profile():
    assert profile_for("vendor/DeepSeek-R1-0528").reasoning == "inline_think"
    assert profile_for("deepseek-chat").json_mode is True
    assert profile_for("something-new") == SAFE
    assert profile_for("gpt-4o", {"gpt-4o": Profile()}).json_mode is False


def test_profiles_are_read_from_json():
    assert read_profiles('{"M": {"json_mode": true, "echo_reasoning": false, "extra_body": {"x": 1}}}') == {
        "m": Profile(json_mode=True, extra_body={"x": 1})
    }


@pytest.mark.parametrize(
    "document",
    ["[]", '{"m": 1}', '{"m": {"colour": 1}}', '{"m": {"reasoning": "loud"}}', '{"m": {"echo_reasoning": true}}'],
)
def test_a_profile_that_makes_no_sense_is_refused(document):
    with pytest.raises(ValueError):
        read_profiles(document)


@pytest.mark.parametrize(
    ("given_", "backend"),
    [
        ({}, "offline"),
        ({"OPENAI_API_KEY": "k"}, "openai"),
        ({"OPENAI_BASE_URL": "http://x"}, "openai"),
        ({"OPENAI_API_KEY": "k", "AGENT_BACKEND": "offline"}, "offline"),
        ({"AGENT_BACKEND": "openai"}, "openai"),
    ],
)
def test_the_backend_follows_the_settings(given_, backend):
    assert backend_of(given_) == backend


def test_an_unknown_backend_is_refused():
    with pytest.raises(ValueError, match="AGENT_BACKEND"):
        backend_of({"AGENT_BACKEND": "magic"})


@pytest.mark.parametrize("cut", range(1, 12))
def test_blanks_behind_a_mark_without_opening_are_none_of_the_answer_wherever_it_is_cut(cut):
    answer = "w</think>\n {}"
    splitter = ThoughtSplitter()
    deltas = splitter.feed(answer[:cut]) + splitter.feed(answer[cut:]) + splitter.end()
    behind = deltas[next(at for at, delta in enumerate(deltas) if isinstance(delta, Restart)) + 1 :]
    assert "".join(delta.text for delta in behind) == "{}"
