"""Fit the classifier of the offline assistant to its sentences and write its weights.

Run it with the development requirements after a change of the sentences, the thesaurus or the features. `--check`
writes nothing: it fits the model to nine tenths of the sentences and prints how many of the rest it tells apart.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from agent.llm.offline.language.classifier.classify import SENTENCES, WEIGHTS, digest_sources
from agent.llm.offline.language.classifier.features import find_features
from agent.llm.offline.language.classifier.kinds import read_tokens
from agent.llm.offline.language.slips import correct_spelling, drop_slips
from agent.llm.offline.language.spans.times.spelling import spell_out_times

TODAY = date(2026, 4, 8)
"""The day on which the sentences are read; they are told apart by what they want, not by when."""
SEEN_AT_LEAST = 2
"""A feature of a single sentence says nothing of others."""
STRENGTH, ROUNDS = 30.0, 80
LIMIT = 127


class Example(NamedTuple):
    """A sentence with its label; `context` is what stood before it: `later` and what the assistant had done."""

    label: str
    text: str
    context: tuple[str, ...]


def read_examples() -> list[Example]:
    """The sentences of all files: label and sentence; of later turns also `asked` or `told` and what came before."""
    found = []
    for path in sorted(SENTENCES.glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            label, text, *before = line.split("\t")
            found.append(Example(label, text, ("later", before[0]) if before else ()))
    return found


def vary_context(examples: list[Example]) -> list[Example]:
    """The examples, and again a part of the first turns as later ones: most later turns are requests of their own."""
    chance = random.Random(1)
    did, weights = ("asked", "told"), (1, 4)
    first = [example for example in examples if not example.context]
    again = chance.sample(first, len(first) // 3)
    return examples + [row._replace(context=("later", *chance.choices(did, weights))) for row in again]


def featurize(examples: list[Example]) -> list[dict[str, float]]:
    names = dict.fromkeys(("class", "item"), ())
    for kind in names:
        names[kind] = tuple((SENTENCES / f"{kind}_names.txt").read_text(encoding="utf-8").split("\n")[:-1])
    rows = []
    for example in examples:
        read = spell_out_times(drop_slips(correct_spelling(example.text, names["class"])), names["class"], TODAY)
        rows.append(find_features(read_tokens(read, names["class"], names["item"]), example.context))
    return rows


def fit(rows: list[dict[str, float]], labels: list[str]) -> tuple[DictVectorizer, LogisticRegression]:
    counts = Counter(name for row in rows for name in row)
    kept = [{name: value for name, value in row.items() if counts[name] >= SEEN_AT_LEAST} for row in rows]
    vectorizer = DictVectorizer(dtype=numpy.float64)
    matrix = _narrow(vectorizer.fit_transform(kept))
    return vectorizer, LogisticRegression(C=STRENGTH, max_iter=ROUNDS, tol=1e-3).fit(matrix, labels)


def _narrow(matrix: Any) -> Any:
    matrix.indices, matrix.indptr = matrix.indices.astype("int32"), matrix.indptr.astype("int32")
    return matrix


def check(examples: list[Example], rows: list[dict[str, float]]) -> None:
    """Print the share of unseen sentences whose label is the likeliest one, and the commonest mistakes."""
    order = list(range(len(examples)))
    random.Random(2).shuffle(order)
    cut = len(order) * 9 // 10
    seen, unseen = order[:cut], order[cut:]
    vectorizer, model = fit([rows[at] for at in seen], [examples[at].label for at in seen])
    told = model.predict(_narrow(vectorizer.transform([rows[at] for at in unseen])))
    wrong = Counter((examples[at].label, label) for at, label in zip(unseen, told, strict=True))
    right = sum(count for (wanted, label), count in wrong.items() if wanted == label)
    print(f"{right} of {len(unseen)} = {right / len(unseen):.3f}")
    for (wanted, label), count in wrong.most_common(80):
        if wanted != label:
            print(f"{count:4} {wanted} taken for {label}")


def write(vectorizer: DictVectorizer, model: LogisticRegression) -> None:
    """Write the weights as signed bytes, feature by feature."""
    weights = model.coef_.T
    scale = float(numpy.abs(weights).max()) / LIMIT
    head = {
        "labels": list(model.classes_),
        "bias": [round(float(value), 4) for value in model.intercept_],
        "scale": scale,
        "digest": digest_sources(),
        "features": list(vectorizer.feature_names_),
    }
    body = numpy.rint(weights / scale).astype("int8").tobytes()
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    WEIGHTS.write_bytes(gzip.compress(text + body, compresslevel=9, mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    examples = read_examples()
    if parser.parse_args().check:
        examples = vary_context(examples)
        check(examples, featurize(examples))
        return
    examples = vary_context(examples)
    write(*fit(featurize(examples), [example.label for example in examples]))


if __name__ == "__main__":
    main()
