"""Fit the models of the paraphraser to its sentences and write them.

Run it with the development requirements after a change of the sentences, the tokens or the features. `--check` writes
nothing: it fits the models to nine tenths of the messages and prints what they make of the rest.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy
import pycrfsuite
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from agent.llm.offline.language.classifier.kinds import CLASS, ITEM
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.features import add_form, find_form_features, find_token_features
from agent.llm.offline.language.paraphrase.models import (
    BEGINS,
    FIRST,
    INNER,
    OUTSIDE,
    ROOM,
    digest_sources,
    read_models,
)
from agent.llm.offline.language.paraphrase.names import POINTERS
from agent.llm.offline.language.paraphrase.network import WEIGHTS_ROOM
from agent.llm.offline.language.paraphrase.tokens import Name, Token, tokenise
from agent.llm.offline.language.slips import correct_spelling

LANGUAGES = ("zh", "en")
MARKED = re.compile(r"\{(\w+) ([^{}]*)\}")
OPEN, CLOSE = "\ue100", "\ue200"
LEAST = 2
"""A feature of a single message says nothing of others."""
STRENGTH, ROUNDS = 20.0, 60
CRF = {"c1": 0.08, "c2": 0.05, "max_iterations": 80, "feature.possible_transitions": True}
LIMIT = 127
OTHER, OTHERS = "other", 3
"""What no form says is of every kind: each example counts as several."""
UNNAMED = 0.15
"""The share of names that a student spells so that they are not known again."""
NAMES = {"item": ITEM, "items": ITEM, "item2": ITEM, "except": ITEM, "first": ITEM, "class": CLASS, "class2": CLASS}


class Example(NamedTuple):
    """A request with its form, its modifiers, its tokens and their labels; `before`: what stood before it."""

    form: str
    modifiers: tuple[str, ...]
    tokens: list[Token]
    labels: list[str]
    before: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        return [token.word for token in self.tokens]


def read_marked(text: str, chance: random.Random) -> tuple[list[Token], list[str]]:
    """The tokens of a message in which the slots are marked, and their labels."""
    text = _correct(text)
    slots = [match[1] for match in MARKED.finditer(text)]
    held = iter(range(len(slots)))
    folded = fold_numbers(MARKED.sub(lambda match: f"{OPEN}{chr(0xE300 + next(held))}{match[2]}{CLOSE}", text))
    plain, marks, names, at = [], [], set(), 0
    begun: list[tuple[str, int]] = []
    rest = iter(folded)
    for char in rest:
        if char == OPEN:
            begun.append((slots[ord(next(rest)) - 0xE300], at))
        elif char == CLOSE:
            slot, start = begun.pop()
            marks.append((slot, start, at))
        else:
            plain.append(char)
            at += 1
    said = "".join(plain)
    for slot, start, end in marks:
        sign = NAMES.get(slot)
        if sign and not POINTERS.fullmatch(said[start:end].strip()) and chance.random() > UNNAMED:
            pieces = re.split(r"[、,，&]|\band\b|和|跟|与|及", said[start:end])
            whole = (piece.strip() for piece in pieces if len(piece.strip()) > 1 and not _RANGE.search(piece))
            names |= {Name(_shorten(piece, chance), sign) for piece in whole}
    tokens = tokenise(said, names)
    labels, last = [], OUTSIDE
    for token in tokens:
        slot = next((name for name, start, end in marks if start < token.end and token.start < end), OUTSIDE)
        labels.append(slot if slot == OUTSIDE else (INNER if slot == last else FIRST) + slot)
        last = slot
    return tokens, labels


_CORRECTED = ("time", "length", "number", "but_not_on", "most_a_day")


def _correct(text: str) -> str:
    """A marked message without slips outside its names."""
    told, end = [], 0
    for match in MARKED.finditer(text):
        inner = correct_spelling(match[2]) if match[1].startswith(_CORRECTED) else match[2]
        told += [correct_spelling(text[end : match.start()]), f"{{{match[1]} {inner}}}"]
        end = match.end()
    return "".join([*told, correct_spelling(text[end:])])


def _shorten(name: str, chance: random.Random) -> str:
    """A name, or now and then the part of it that would be known."""
    words = name.split()
    if len(words) < 2 or chance.random() > UNNAMED:
        return name
    return words[chance.choice((0, -1))]


_RANGE = re.compile(r"\d\s*(?:[-~到至]|to|through)\s*\d")


def read_messages(language: str) -> list[list[Example]]:
    """The requests of each message."""
    chance = random.Random(1)
    messages = []
    for line in (ROOM / "sentences" / f"{language}.tsv").read_text(encoding="utf-8").splitlines():
        forms, text = line.split("\t")
        requests, before = [], "begin"
        for form, part in zip(forms.split(" | "), text.split(" | "), strict=True):
            name, *modifiers = form.split("+")
            tokens, labels = read_marked(part, chance)
            if tokens:
                requests.append(Example(name, tuple(modifiers), tokens, labels, (before,)))
            before = f"same {name}"
        messages.append(requests)
    later = ROOM / "sentences" / f"later.{language}.tsv"
    for line in later.read_text(encoding="utf-8").splitlines() if later.exists() else ():
        state, last, form, text = line.split("\t")
        name, *modifiers = form.split("+")
        tokens, labels = read_marked(text, chance)
        messages.append([Example(name, tuple(modifiers), tokens, labels, (state, f"{state} {last}"))])
    return messages


def fit_linear(rows: list[dict[str, float]], labels: Sequence[Any]) -> tuple[DictVectorizer, LogisticRegression]:
    vectorizer = DictVectorizer(dtype=numpy.float64)
    matrix = _narrow(vectorizer.fit_transform(rows))
    return vectorizer, LogisticRegression(C=STRENGTH, max_iter=ROUNDS, tol=1e-3).fit(matrix, labels)


def _narrow(matrix: Any) -> Any:
    matrix.indices, matrix.indptr = matrix.indices.astype("int32"), matrix.indptr.astype("int32")
    return matrix


def keep_frequent(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    counts = Counter(name for row in rows for name in row)
    return [{name: value for name, value in row.items() if counts[name] >= LEAST} for row in rows]


def pack(features: dict[str, dict[int, float]], labels: Sequence[str]) -> tuple[dict[str, Any], bytes]:
    """Weights as a header and bytes; those that are nothing after rounding are left out."""
    scale = max(abs(value) for row in features.values() for value in row.values()) / LIMIT
    start, columns, values, names = array("I", [0]), array("B"), array("b"), []
    for name, row in sorted(features.items()):
        kept = [(column, round(value / scale)) for column, value in sorted(row.items()) if round(value / scale)]
        if kept:
            names.append(name)
            columns.extend(column for column, _ in kept)
            values.extend(value for _, value in kept)
            start.append(len(columns))
    head = {"labels": list(labels), "features": names, "scale": scale, "count": len(columns)}
    return head, start.tobytes() + columns.tobytes() + values.tobytes()


def fit_forms(examples: list[Example]) -> tuple[dict[str, Any], bytes]:
    examples = [one for one in examples for _ in range(OTHERS if one.form == OTHER else 1)]
    rows = keep_frequent([find_form_features(one.words, one.before) for one in examples])
    vectorizer, model = fit_linear(rows, [one.form for one in examples])
    weights = {
        name: dict(enumerate(map(float, model.coef_[:, at]))) for at, name in enumerate(vectorizer.feature_names_)
    }
    head, body = pack(weights, list(model.classes_))
    return {**head, "bias": [round(float(value), 4) for value in model.intercept_]}, body


def fit_modifiers(examples: list[Example]) -> tuple[dict[str, Any], bytes]:
    rows = keep_frequent([find_form_features(one.words, one.before) for one in examples])
    names = sorted({name for one in examples for name in one.modifiers})
    weights: dict[str, dict[int, float]] = {}
    bias = []
    for column, name in enumerate(names):
        vectorizer, model = fit_linear(rows, [name in one.modifiers for one in examples])
        for at, feature in enumerate(vectorizer.feature_names_):
            weights.setdefault(feature, {})[column] = float(model.coef_[0, at])
        bias.append(round(float(model.intercept_[0]), 4))
    head, body = pack(weights, names)
    return {**head, "bias": bias}, body


def fit_sequences(rows: Iterable[tuple[list[list[str]], list[str]]]) -> tuple[dict[str, Any], bytes]:
    trainer = pycrfsuite.Trainer(verbose=False)
    for features, labels in rows:
        trainer.append(features, labels)
    trainer.set_params(CRF)
    with TemporaryDirectory() as folder:
        path = f"{folder}/model"
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        info = tagger.info()
    labels = sorted(info.labels)
    weights: dict[str, dict[int, float]] = {}
    for (name, label), value in info.state_features.items():
        weights.setdefault(name, {})[labels.index(label)] = value
    head, body = pack(weights, labels)
    steps = [[before, after, round(value, 4)] for (before, after), value in sorted(info.transitions.items())]
    return {**head, "steps": steps}, body


def join_message(requests: list[Example]) -> tuple[list[str], list[str]]:
    """The words of a whole message, and which of them begin a further request."""
    words, labels = [], []
    for at, one in enumerate(requests):
        words += one.words
        labels += [BEGINS if at and not place else OUTSIDE for place in range(len(one.words))]
    return words, labels


def fit(messages: list[list[Example]]) -> bytes:
    examples = [one for requests in messages for one in requests]
    parts = {
        "forms": fit_forms(examples),
        "modifiers": fit_modifiers(examples),
        "slots": fit_sequences(
            (_join(find_token_features(one.words, one.before), one.form), one.labels) for one in examples
        ),
        "beginnings": fit_sequences(
            (find_token_features(words, ()), labels) for words, labels in map(join_message, messages)
        ),
    }
    head = {name: part for name, (part, _) in parts.items()} | {"digest": digest_sources()}
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return gzip.compress(text + b"".join(body for _, body in parts.values()), compresslevel=9, mtime=0)


def check(language: str, messages: list[list[Example]]) -> None:
    """Print the share of unseen requests whose form, and whose form and slots, are told rightly, and the mistakes."""
    order = list(range(len(messages)))
    random.Random(2).shuffle(order)
    cut = len(order) * 9 // 10
    unseen = [messages[at] for at in order[cut:]]
    models = read_models(fit([messages[at] for at in order[:cut]]))
    right, whole, split, count = Counter[bool](), Counter[bool](), Counter[bool](), 0
    wrong: Counter[tuple[str, str]] = Counter()
    for requests in unseen:
        words, labels = join_message(requests)
        told, _ = models.beginnings.decode(models.beginnings.weigh(find_token_features(words, ())), frozenset({BEGINS}))
        split[told == labels] += 1
        for one in requests:
            rows = find_token_features(one.words, one.before)
            form = models.forms.weigh(find_form_features(one.words, one.before))[0][0]
            scores = models.slots.weigh(_join(rows, one.form))
            allowed = frozenset(models.slots.weights.labels)
            right[form == one.form] += 1
            whole[form == one.form and models.slots.decode(scores, allowed)[0] == one.labels] += 1
            wrong[one.form, form] += form != one.form
            count += 1
    print(f"{language}: {count} requests, form {right[True] / count:.3f}, form and slots {whole[True] / count:.3f}")
    print(f"{len(unseen)} messages, divided rightly {split[True] / len(unseen):.3f}")
    for (wanted, form), times in wrong.most_common(40):
        print(f"{times:4} {wanted} taken for {form}")


def _join(rows: list[list[str]], form: str) -> list[list[str]]:
    return [[*row, *more] for row, more in zip(rows, add_form(rows, form), strict=True)]


def parse_arguments(told: str | None) -> argparse.Namespace:
    """The languages, and whether only to check."""
    parser = argparse.ArgumentParser(description=told)
    parser.add_argument("languages", nargs="*", default=LANGUAGES)
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


def main() -> None:
    asked = parse_arguments(__doc__)
    for language in asked.languages:
        messages = [requests for requests in read_messages(language) if requests]
        if asked.check:
            check(language, messages)
        else:
            (WEIGHTS_ROOM / f"{language}.bin").write_bytes(fit(messages))


if __name__ == "__main__":
    main()
