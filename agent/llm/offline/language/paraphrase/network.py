"""A recurrent network that tells which form a request has and which slot a token fills: it reads words by their letters
too, and in their order.

Words, their pieces of three to five letters and their tags in the thesaurus become vectors; gated recurrent units (Cho
et al. 2014) read them in both directions; their greatest, mean and attended states tell the form, and each state tells
the slot of its token where the form is known. It knows words that no sentence has, and what only the order tells;
`models.FormModel` and `models.TagModel` know the rare word, so both are heard.
`script/train_network.py` fits it and writes the files that are read here.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.llm.offline.language.classifier.features import read_thesaurus

WEIGHTS_ROOM = Path(__file__).parent / "weights"
Floats = NDArray[np.float32]
MOST_TOKENS, MOST_PIECES, MOST_TAGS, MOST_BEFORE = 44, 14, 2, 2
PIECES = 8000
"""How many numbers the pieces of words share."""
UNKNOWN = 1


def find_pieces_of(word: str) -> list[int]:
    """The numbers of a word's pieces; none for a single character."""
    bound = f"<{word}>"
    cuts = (bound[at : at + size] for size in (3, 4, 5) for at in range(len(bound) - size + 1))
    return [zlib.crc32(cut.encode()) % PIECES + 1 for cut in cuts][:MOST_PIECES] if len(word) > 1 else []


@dataclass(frozen=True, eq=False)
class Network:
    """The weights by name, and the numbers of words, tags and of what stood before; row 0 of each is nothing."""

    weights: Mapping[str, Floats]
    words: Mapping[str, int]
    tags: Mapping[str, int]
    before: Mapping[str, int]
    forms: tuple[str, ...]
    labels: tuple[str, ...]
    digest: str

    def read(self, words: Sequence[str], before: Sequence[str]) -> Reading:
        """Read a request of these tokens, after what stood `before`."""
        weights = self.weights
        read = _read_states(self, tuple(words[:MOST_TOKENS]))
        attended = np.tanh(read) @ weights["attend"]
        share = np.exp(attended - attended.max())
        told = [weights["before"][self.before[name]] for name in before[:MOST_BEFORE] if name in self.before]
        found = np.concatenate(
            [
                read.max(0),
                read.mean(0),
                (read * (share / share.sum())).sum(0),
                sum(told, np.zeros_like(weights["before"][0])),
            ]
        )
        hidden = np.maximum(found @ weights["hidden"] + weights["hidden_bias"], 0)
        scores = hidden @ weights["out"] + weights["out_bias"]
        chances = np.exp(_normalise(scores)).tolist()
        return Reading(self, read, dict(zip(self.forms, chances, strict=True)))

    def read_states(self, words: Sequence[str]) -> Floats:
        """The states of both directions, a row for each token."""
        seen = np.stack([_look_up(self, word) for word in words])
        ahead, back = (
            _recur(
                seen[::step] @ self.weights[f"{name}_in"] + self.weights[f"{name}_bias"], self.weights[f"{name}_state"]
            )
            for name, step in (("ahead", 1), ("back", -1))
        )
        return np.concatenate([ahead, back[::-1]], axis=1)


@lru_cache(maxsize=4096)
def _look_up(network: Network, word: str) -> Floats:
    """The vector of a token: of the word, of its pieces, of its tags."""
    weights, pieces = network.weights, find_pieces_of(word)
    found: Floats = weights["words"][network.words.get(word, UNKNOWN)].copy()
    if pieces:
        found += weights["pieces"][pieces].mean(0)
    for tag in read_thesaurus().get(word, ())[:MOST_TAGS]:
        found += weights["tags"][network.tags[tag]] if tag in network.tags else 0
    return found


@lru_cache(maxsize=512)
def _read_states(network: Network, words: tuple[str, ...]) -> Floats:
    """The states of a request, which is read for its beginnings, for its form and after several things."""
    return network.read_states(words)


@dataclass(frozen=True)
class Reading:
    """A request that a network has read: the states of its tokens, and the chance of each form."""

    network: Network
    states: Floats
    forms: Mapping[str, float]

    def weigh_labels(self, form: str) -> Floats:
        """The logarithm of the chance of each label for each token that was read, if the request has this form."""
        weights, size = self.network.weights, self.states.shape[1]
        own = self.states @ weights["tag_hidden"][:size] + weights["tag_bias"]
        if form in self.network.forms:
            own = own + weights["form_tags"][self.network.forms.index(form)] @ weights["tag_hidden"][size:]
        return _normalise(np.maximum(own, 0) @ weights["tag_out"] + weights["tag_out_bias"])

    def weigh_beginnings(self) -> Floats:
        """The logarithm of the chance that a token begins a further request, over that it does not."""
        weights = self.network.weights
        hidden = np.maximum(self.states @ weights["begin_hidden"] + weights["begin_bias"], 0)
        told: Floats = (hidden @ weights["begin_out"])[:, 0] + weights["begin_out_bias"]
        return told


def _normalise(scores: Floats) -> Floats:
    """The logarithms of the chances that these scores are of, along the last axis."""
    above = scores - scores.max(-1, keepdims=True)
    told: Floats = above - np.log(np.exp(above).sum(-1, keepdims=True))
    return told


def _recur(seen: Floats, weights: Floats) -> Floats:
    """The states of gated recurrent units over rows of their inputs: reset, update, candidate side by side."""
    size = weights.shape[0]
    state, states = np.zeros(size, np.float32), []
    for row in seen:
        own = state @ weights
        gates = 1 / (1 + np.exp(-(row[: 2 * size] + own[: 2 * size])))
        candidate = np.tanh(row[2 * size :] + gates[:size] * own[2 * size :])
        state = (1 - gates[size:]) * candidate + gates[size:] * state
        states.append(state)
    return np.stack(states)


@lru_cache(maxsize=2)
def load_network(language: str) -> Network:
    """The network of `zh` or `en` as it was last trained."""
    return read_network((WEIGHTS_ROOM / f"{language}.network").read_bytes())


def write_network(weights: Mapping[str, Floats], tables: Mapping[str, Sequence[str]], digest: str) -> bytes:
    """A network as bytes: a line of JSON, then for each matrix the scale of each row and its numbers in a byte each."""
    head: dict[str, object] = {**{name: list(row) for name, row in tables.items()}, "digest": digest}
    head["weights"] = [[name, list(found.shape)] for name, found in weights.items()]
    body = b""
    for found in weights.values():
        rows = np.atleast_2d(found).astype(np.float32)
        scales = np.maximum(np.abs(rows).max(1), 1e-8) / 127
        body += scales.astype("<f4").tobytes() + np.round(rows / scales[:, None]).astype("i1").tobytes()
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return gzip.compress(text + body, compresslevel=9, mtime=0)


def read_network(packed: bytes) -> Network:
    """The network that these bytes hold."""
    text, _, body = gzip.decompress(packed).partition(b"\n")
    head, at = json.loads(text), 0
    weights: dict[str, Floats] = {}
    for name, shape in head["weights"]:
        rows, width = (shape[0], shape[1]) if len(shape) == 2 else (1, shape[0])
        scales = np.frombuffer(body, "<f4", rows, at)
        numbers = np.frombuffer(body, "i1", rows * width, at + 4 * rows).reshape(rows, width)
        weights[name] = (numbers * scales[:, None]).astype(np.float32).reshape(shape)
        at += 4 * rows + rows * width
    words, tags, before = ({name: at for at, name in enumerate(head[table])} for table in ("words", "tags", "before"))
    return Network(weights, words, tags, before, tuple(head["forms"]), tuple(head["labels"]), head["digest"])
