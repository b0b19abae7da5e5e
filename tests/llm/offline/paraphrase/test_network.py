"""The network that tells forms: kept in bytes, sure of what it was taught, and able to read words that it never saw."""

from __future__ import annotations

import numpy as np
import pytest

from agent.llm.offline.language.paraphrase.models import digest_sources, load_models
from agent.llm.offline.language.paraphrase.network import find_pieces_of, load_network, read_network, write_network
from agent.llm.offline.language.paraphrase.tokens import tokenise

LANGUAGES = ("zh", "en")
BEGIN = ("begin",)


def words_of(text: str) -> list[str]:
    return [token.word for token in tokenise(text, ())]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_network_is_that_of_the_sentences(language):
    assert load_network(language).digest == digest_sources(), "run script/train_network.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_network_tells_the_forms_of_the_other_model(language):
    models = load_models(language)
    assert models.network is not None
    assert set(models.network.forms) == set(models.forms.weights.labels)


def test_what_is_written_is_read_again_within_a_127th_of_each_row():
    chance = np.random.default_rng(1)
    weights = {"words": chance.normal(size=(5, 4)).astype("f4"), "out_bias": chance.normal(size=3).astype("f4")}
    tables = {
        "words": ["", "?", "a"],
        "tags": [""],
        "before": ["", "begin"],
        "forms": ["did", "other"],
        "labels": ["O"],
    }
    found = read_network(write_network(weights, tables, "d1"))
    assert (found.digest, found.forms, found.words["a"], found.before["begin"]) == ("d1", ("did", "other"), 2, 1)
    for name, wanted in weights.items():
        bound = np.abs(np.atleast_2d(wanted)).max(1).repeat(wanted.shape[-1]).reshape(wanted.shape) / 127
        assert (np.abs(found.weights[name] - wanted) <= bound).all()


@pytest.mark.parametrize(
    ("language", "text", "form"),
    [
        ("en", "what have i got on friday", "what_on"),
        ("en", "could you undo that", "undo"),
        ("en", "i'm away from thursday to saturday", "away"),
        ("zh", "周五有什么安排", "what_on"),
        ("zh", "撤销刚才的改动", "undo"),
        ("zh", "周四到周六我都不在", "away"),
    ],
)
def test_a_plain_request_has_its_form(language, text, form):
    told = load_network(language).read(words_of(text), BEGIN).forms
    assert max(told, key=told.__getitem__) == form
    assert sum(told.values()) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    ("language", "text", "form", "labels"),
    [
        ("en", "what have i got on friday", "what_on", {"on friday": "B-time"}),
        ("en", "swap friday with sunday", "swap_times", {"friday": "B-time", "sunday": "B-time2"}),
        ("zh", "周四到周六我都不在", "away", {"周四": "B-time", "周六": "I-time"}),
    ],
)
def test_a_word_has_its_slot_by_the_form_and_by_its_place(language, text, form, labels):
    network, tokens = load_network(language), tokenise(text, ())
    chances = network.read([token.word for token in tokens], BEGIN).weigh_labels(form)
    assert np.exp(chances).sum(1) == pytest.approx(1, abs=1e-4)
    told = {text[one.start : one.end]: network.labels[at] for one, at in zip(tokens, chances.argmax(1), strict=True)}
    assert {word: told[word] for word in labels} == labels


def test_a_further_request_is_likelier_to_begin_where_it_does():
    tokens = tokenise("i finished chapter 2 what is next", ())
    odds = load_network("en").read([token.word for token in tokens], ()).weigh_beginnings()
    assert tokens[int(odds.argmax())].word == "what"
    assert (odds > 0).sum() == 1


@pytest.mark.parametrize("words", [["🦉"], ["zzzzqq"] * 400, ["。"], ["x", "Ⓘ", "Ⓓ"]])
def test_words_that_nobody_taught_have_chances_as_well(words):
    read = load_network("en").read(words, ("never heard",))
    told = read.forms
    assert np.isfinite(read.weigh_labels("never heard")).all()
    assert np.isfinite(read.weigh_beginnings()).all()
    assert sum(told.values()) == pytest.approx(1, abs=1e-4)


def test_a_slip_shares_most_of_its_pieces_with_the_word():
    shared = {*find_pieces_of("tomorrow")} & {*find_pieces_of("tomorow")}
    assert len(shared) >= 6
    assert find_pieces_of("排") == []
