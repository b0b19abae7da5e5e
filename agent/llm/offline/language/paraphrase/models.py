"""The models of the paraphraser: which form a request has, which slot a token fills, where the next request begins.

Forms are told by multinomial logistic regression, slots and beginnings by linear-chain conditional random fields
(Lafferty, McCallum and Pereira 2001) whose labels are those that the form allows. `script/train_paraphraser.py` fits
them and writes the files that are read here.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agent.llm.offline.language.classifier.classify import WEIGHTS
from agent.llm.offline.language.paraphrase.features import find_token_features
from agent.llm.offline.language.paraphrase.network import WEIGHTS_ROOM, Network, Reading, load_network

ROOM = Path(__file__).parent
OUTSIDE, FIRST, INNER, BEGINS, COMMA = "O", "B-", "I-", "S", "C"
SENTENCES = ROOM / "sentences"
HEARD = 0.7
"""The weight of what the network says of a label or a beginning beside the random field."""


@dataclass(frozen=True)
class SparseWeights:
    """The weights of features that are not zero: those of row r at `start[r]:start[r + 1]`, each for a label."""

    labels: tuple[str, ...]
    rows: Mapping[str, int]
    start: array[int]
    columns: array[int]
    values: array[int]
    scale: float

    def sum_up(self, features: Mapping[str, float], scores: list[float]) -> None:
        """Add the weights of these features to a score for each label."""
        rows, start, columns, values = self.rows, self.start, self.columns, self.values
        for name, strength in features.items():
            row = rows.get(name)
            if row is not None:
                factor = strength * self.scale
                for at in range(start[row], start[row + 1]):
                    scores[columns[at]] += factor * values[at]


@dataclass(frozen=True)
class FormModel:
    """Which form a request has."""

    weights: SparseWeights
    bias: tuple[float, ...]

    def weigh(self, features: Mapping[str, float]) -> list[tuple[str, float]]:
        """Each form with its probability, the likeliest first."""
        scores = list(self.bias)
        self.weights.sum_up(features, scores)
        highest = max(scores)
        odds = [math.exp(score - highest) for score in scores]
        total = sum(odds)
        return sorted(
            zip(self.weights.labels, (one / total for one in odds), strict=True), key=lambda pair: (-pair[1], pair[0])
        )


@dataclass(frozen=True)
class ModifierModel:
    """Which modifiers a request has whose words fill no slot."""

    weights: SparseWeights
    bias: tuple[float, ...]

    def find(self, features: Mapping[str, float]) -> list[str]:
        """The modifiers that are likelier than not."""
        scores = list(self.bias)
        self.weights.sum_up(features, scores)
        return [name for name, score in zip(self.weights.labels, scores, strict=True) if score > 0]


@dataclass(frozen=True)
class TagModel:
    """Which label each token has."""

    weights: SparseWeights
    steps: Mapping[tuple[str, str], float]

    def weigh(self, rows: Sequence[Sequence[str]]) -> list[list[float]]:
        """The score of each label for each token."""
        width = len(self.weights.labels)
        told = []
        for row in rows:
            scores = [0.0] * width
            self.weights.sum_up(dict.fromkeys(row, 1.0), scores)
            told.append(scores)
        return told

    def weigh_odds(self, rows: Sequence[Sequence[str]], label: str) -> list[float]:
        """The logarithm of the odds, for each token, that it has this label among tokens that have none."""
        wanted, outside = (self.weights.labels.index(one) for one in (label, OUTSIDE))
        there, back, on = (
            self.steps.get(pair, 0.0) for pair in ((OUTSIDE, label), (label, OUTSIDE), (OUTSIDE, OUTSIDE))
        )
        return [scores[wanted] - scores[outside] + there + back - 2 * on for scores in self.weigh(rows)]

    def decode(self, scores: Sequence[Sequence[float]], allowed: frozenset[str]) -> tuple[list[str], float]:
        """The likeliest labels among those allowed, and their probability. Viterbi and the forward algorithm."""
        names = [name for name in self.weights.labels if name == OUTSIDE or name in allowed]
        tokens = np.asarray(scores)[:, [self.weights.labels.index(name) for name in names]]
        steps = np.array([[self.steps.get((before, after), 0.0) for after in names] for before in names])
        best = total = tokens[0]
        back = []
        for own in tokens[1:]:
            ways = best[:, None] + steps
            chosen = ways.argmax(0)
            best = ways[chosen, np.arange(len(names))] + own
            total = np.logaddexp.reduce(total[:, None] + steps, axis=0) + own
            back.append(chosen)
        at = int(best.argmax())
        chance = math.exp(best[at] - np.logaddexp.reduce(total))
        path = [at]
        for chosen in reversed(back):
            path.append(int(chosen[path[-1]]))
        return [names[one] for one in reversed(path)], chance


@lru_cache(maxsize=8)
def _join_columns(own: tuple[str, ...], others: tuple[str, ...]) -> list[tuple[int, int]]:
    """The places of the labels that two models have, in each of them."""
    known = {label: column for column, label in enumerate(others)}
    return [(at, known[label]) for at, label in enumerate(own) if label in known]


@dataclass(frozen=True)
class Models:
    """The models of one language, and the digest of what they were fitted to."""

    forms: FormModel
    modifiers: ModifierModel
    slots: TagModel
    beginnings: TagModel
    digest: str
    network: Network | None = None
    """Beside the model of forms; None only while the others are held against sentences."""

    def read(self, words: Sequence[str], before: Sequence[str]) -> Reading | None:
        """Read a request with the network."""
        return self.network.read(words, before) if self.network else None

    def weigh_forms(self, features: Mapping[str, float], read: Reading | None) -> list[tuple[str, float]]:
        """Each form with its probability, the likeliest first: the mean of both models."""
        told = self.forms.weigh(features)
        if read is None:
            return told
        both = ((form, (chance + read.forms.get(form, 0.0)) / 2) for form, chance in told)
        return sorted(both, key=lambda pair: (-pair[1], pair[0]))

    def weigh_labels(
        self, own: Sequence[Sequence[float]], of_form: Sequence[Sequence[float]], read: Reading | None, form: str
    ) -> list[list[float]]:
        """The score of each label for each token: by its features, by the form, by the network."""
        told = [[one + two for one, two in zip(*pair, strict=True)] for pair in zip(own, of_form, strict=True)]
        if read is None:
            return told
        columns = _join_columns(self.slots.weights.labels, read.network.labels)
        for scores, found in zip(told, read.weigh_labels(form).tolist(), strict=False):
            for at, column in columns:
                scores[at] += HEARD * found[column]
        return told

    def weigh_beginnings(self, words: Sequence[str]) -> list[float]:
        """The logarithm of the odds, for each of the words of a message, that it begins a further request."""
        told = self.beginnings.weigh_odds(find_token_features(words, ()), BEGINS)
        if self.network is not None:
            heard = self.network.read(words, ()).weigh_beginnings().tolist()
            told[: len(heard)] = [one + HEARD * two for one, two in zip(told, heard, strict=False)]
        return told


@lru_cache(maxsize=2)
def load_models(language: str) -> Models:
    """The models of `zh` or `en` as they were last trained."""
    return replace(read_models((WEIGHTS_ROOM / f"{language}.bin").read_bytes()), network=load_network(language))


def read_models(packed: bytes) -> Models:
    """The models that these bytes hold."""
    told, weights = _unpack(packed, ("forms", "modifiers", "slots", "beginnings"))
    return Models(
        FormModel(weights["forms"], tuple(told["forms"]["bias"])),
        ModifierModel(weights["modifiers"], tuple(told["modifiers"]["bias"])),
        TagModel(weights["slots"], _read_steps(told["slots"])),
        TagModel(weights["beginnings"], _read_steps(told["beginnings"])),
        told["digest"],
    )


class Punctuation(NamedTuple):
    """Before which tokens a comma stands, and the digest of what the model was fitted to."""

    commas: TagModel
    digest: str


@lru_cache(maxsize=2)
def load_punctuation(language: str) -> Punctuation:
    """The model of the commas of `zh` or `en` as it was last trained."""
    return read_punctuation((WEIGHTS_ROOM / f"{language}.commas").read_bytes())


def read_punctuation(packed: bytes) -> Punctuation:
    """The model of the commas that these bytes hold."""
    told, weights = _unpack(packed, ("commas",))
    return Punctuation(TagModel(weights["commas"], _read_steps(told["commas"])), told["digest"])


def _unpack(packed: bytes, names: Iterable[str]) -> tuple[dict[str, Any], dict[str, SparseWeights]]:
    """The header of packed models, and the weights of each of them in the order in which they were written."""
    head, _, body = gzip.decompress(packed).partition(b"\n")
    told = json.loads(head)
    weights, at = {}, 0
    for name in names:
        part = told[name]
        size, count = len(part["features"]) + 1, part["count"]
        start, columns, values = array("I"), array("B"), array("b")
        start.frombytes(body[at : at + 4 * size])
        at += 4 * size
        columns.frombytes(body[at : at + count])
        values.frombytes(body[at + count : at + 2 * count])
        at += 2 * count
        rows = {feature: row for row, feature in enumerate(part["features"])}
        weights[name] = SparseWeights(tuple(part["labels"]), rows, start, columns, values, part["scale"])
    return told, weights


def _read_steps(part: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    return {(before, after): value for before, after, value in part["steps"]}


def digest_sources() -> str:
    """A digest of what the models are fitted to: the sentences, the code that reads them, the classifier's weights."""
    own = [ROOM / name for name in ("tokens.py", "features.py")]
    texts = [path.read_bytes() for path in (*sorted(SENTENCES.iterdir()), *own, WEIGHTS)]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]
