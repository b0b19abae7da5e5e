"""What a message wants, by a linear model of the sentences in `sentences/`: each wish with its probability.

The model is multinomial logistic regression over the features of `features.py`. `script/train_classifier.py` fits it
and writes `weights.bin`: gzip over a line of JSON (labels, features, scale, bias, digest of what it was fitted to) and
one signed byte for each feature and label.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from array import array
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agent.llm.offline.language.classifier.features import THESAURUS, find_features

ROOM = Path(__file__).parent
WEIGHTS = ROOM / "weights.bin"
SENTENCES = ROOM / "sentences"


@dataclass(frozen=True)
class LinearModel:
    """Weights of `scale` each, row by row: `weights[row * len(labels) + column]`."""

    labels: tuple[str, ...]
    rows: dict[str, int]
    weights: array[int]
    bias: tuple[float, ...]
    scale: float
    digest: str

    def weigh(self, features: dict[str, float]) -> list[tuple[str, float]]:
        """Each label with its probability, the likeliest first."""
        width = len(self.labels)
        scores = list(self.bias)
        for name, value in features.items():
            row = self.rows.get(name)
            if row is not None:
                strength = value * self.scale
                for column, weight in enumerate(self.weights[row * width : (row + 1) * width]):
                    scores[column] += strength * weight
        highest = max(scores)
        odds = [math.exp(score - highest) for score in scores]
        total = sum(odds)
        ranked = sorted(zip(self.labels, odds, strict=True), key=lambda pair: -pair[1])
        return [(label, value / total) for label, value in ranked]


@lru_cache(maxsize=1)
def load_model() -> LinearModel:
    """The model as it was last trained."""
    head, _, body = gzip.decompress(WEIGHTS.read_bytes()).partition(b"\n")
    told = json.loads(head)
    rows = {name: row for row, name in enumerate(told["features"])}
    weights = array("b", body)
    return LinearModel(tuple(told["labels"]), rows, weights, tuple(told["bias"]), told["scale"], told["digest"])


@lru_cache(maxsize=4096)
def classify(tokens: tuple[str, ...], context: tuple[str, ...] = ()) -> tuple[tuple[str, float], ...]:
    """The three likeliest labels of a message with their probabilities."""
    return tuple(load_model().weigh(find_features(tokens, context))[:3])


def digest_sources() -> str:
    """A digest of what the weights are fitted to: the sentences, the thesaurus and the code that reads them."""
    paths = sorted([*SENTENCES.iterdir(), THESAURUS, *(ROOM / name for name in ("kinds.py", "features.py"))])
    texts = [path.read_text(encoding="utf-8") for path in paths]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
