"""Fit the networks that tell forms, slots and beginnings to the sentences of the paraphraser, and write them.

Run it after `script/train_paraphraser.py`, with the packages of `requirements-train.txt`. `--check` writes nothing: it
fits to nine tenths of the messages and prints what share of the others' forms is told rightly.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import jax
import jax.numpy as jnp
import numpy as np
import optax
from train_paraphraser import OTHER, OTHERS, Example, join_message, parse_arguments, read_messages

from agent.llm.offline.language.classifier.features import read_thesaurus
from agent.llm.offline.language.paraphrase.models import BEGINS, OUTSIDE, digest_sources
from agent.llm.offline.language.paraphrase.network import (
    MOST_BEFORE,
    MOST_PIECES,
    MOST_TAGS,
    MOST_TOKENS,
    PIECES,
    UNKNOWN,
    WEIGHTS_ROOM,
    find_pieces_of,
    write_network,
)

SIZE, HIDDEN, BEFORE_SIZE, TAG_HIDDEN, BEGIN_HIDDEN = 128, 256, 64, 128, 64
BATCH, ROUNDS, PACE = 64, 8, 3e-3
LENGTHS = (20, MOST_TOKENS)
"""Requests are read in batches of their own up to these lengths."""
UNSEEN_WORDS, UNSEEN_TOKENS, UNSEEN_INPUT, UNSEEN_FOUND, UNSEEN_HIDDEN = 0.12, 0.1, 0.25, 0.4, 0.3
"""Shares that are left out while it learns (dropout): words for their letters alone, whole tokens, numbers."""
SMOOTHED = 0.05
Params = dict[str, Any]


class Whole(NamedTuple):
    """A message of several requests: which of its words begin a further one."""

    words: list[str]
    labels: list[str]
    form = ""
    before: tuple[str, ...] = ("begin",)


class Tables:
    """The numbers of words, tags, forms, labels and of what stood before."""

    def __init__(self, examples: list[Example]) -> None:
        counts = Counter(word for one in examples for word in one.words)
        self.words = ["", "?", *(word for word, count in counts.most_common() if count > 1)]
        self.tags = ["", *sorted({tag for tags in read_thesaurus().values() for tag in tags})]
        self.before = ["", *sorted({name for one in examples for name in one.before})]
        self.forms = sorted({one.form for one in examples})
        self.labels = sorted({OUTSIDE, *(label for one in examples for label in one.labels)})
        self.number = {
            name: {word: at for at, word in enumerate(getattr(self, name))}
            for name in ("words", "tags", "before", "forms", "labels")
        }

    def encode(self, examples: list[Example | Whole], length: int) -> list[np.ndarray]:
        """Rows of words, pieces, tags, lengths, what stood before, forms, labels, beginnings and what is a request."""
        count = len(examples)
        words, labels, begins = np.zeros((3, count, length), np.int32)
        pieces = np.zeros((count, length, MOST_PIECES), np.int32)
        tags = np.zeros((count, length, MOST_TAGS), np.int32)
        before = np.zeros((count, MOST_BEFORE), np.int32)
        number, known = self.number, read_thesaurus()
        for row, one in enumerate(examples):
            for at, word in enumerate(one.words[:length]):
                words[row, at] = number["words"].get(word, UNKNOWN)
                found = find_pieces_of(word)
                pieces[row, at, : len(found)] = found
                own = [number["tags"][tag] for tag in known.get(word, ())[:MOST_TAGS]]
                tags[row, at, : len(own)] = own
                labels[row, at] = number["labels"].get(one.labels[at], 0)
                begins[row, at] = one.labels[at] == BEGINS
            told = [number["before"][name] for name in one.before[:MOST_BEFORE] if name in number["before"]]
            before[row, : len(told)] = told
        lengths = np.array([min(length, len(one.words)) for one in examples], np.int32)
        forms = np.array([number["forms"].get(one.form, 0) for one in examples], np.int32)
        requests = np.array([bool(one.form) for one in examples], np.float32)
        return [words, pieces, tags, lengths, before, forms, labels, begins, requests]


def begin(tables: Tables, key: Any) -> Params:
    keys = iter(jax.random.split(key, 30))

    def rows(*shape: int, scale: float = 0.0) -> Any:
        return jax.random.normal(next(keys), shape) * (scale or shape[0] ** -0.5)

    units = {f"{way}_{name}": value for way in ("ahead", "back") for name, value in (
        ("in", rows(SIZE, 3 * SIZE)), ("state", rows(SIZE, 3 * SIZE)), ("bias", jnp.zeros(3 * SIZE)))}  # fmt: skip
    forms, labels = len(tables.forms), len(tables.labels)
    return {
        "words": rows(len(tables.words), SIZE, scale=0.1), "pieces": rows(PIECES + 1, SIZE, scale=0.1),
        "tags": rows(len(tables.tags), SIZE, scale=0.1), "before": rows(len(tables.before), BEFORE_SIZE, scale=0.1),
        **units, "attend": rows(2 * SIZE, 1), "hidden": rows(6 * SIZE + BEFORE_SIZE, HIDDEN),
        "hidden_bias": jnp.zeros(HIDDEN), "out": rows(HIDDEN, forms), "out_bias": jnp.zeros(forms),
        "form_tags": rows(forms, 64, scale=0.1), "tag_hidden": rows(2 * SIZE + 64, TAG_HIDDEN),
        "tag_bias": jnp.zeros(TAG_HIDDEN), "tag_out": rows(TAG_HIDDEN, labels), "tag_out_bias": jnp.zeros(labels),
        "begin_hidden": rows(2 * SIZE, BEGIN_HIDDEN), "begin_bias": jnp.zeros(BEGIN_HIDDEN),
        "begin_out": rows(BEGIN_HIDDEN, 1), "begin_out_bias": jnp.zeros(1),
    }  # fmt: skip


def drop(key: Any, values: Any, share: float) -> Any:
    return (
        values
        if key is None
        else jnp.where(jax.random.bernoulli(key, 1 - share, values.shape), values / (1 - share), 0)
    )


def recur(seen: Any, mask: Any, params: Params, way: str) -> Any:
    rows = jnp.swapaxes(seen @ params[f"{way}_in"] + params[f"{way}_bias"], 0, 1)

    def step(state: Any, given: Any) -> Any:
        row, here = given
        own = state @ params[f"{way}_state"]
        gates = jax.nn.sigmoid(row[:, : 2 * SIZE] + own[:, : 2 * SIZE])
        candidate = jnp.tanh(row[:, 2 * SIZE :] + gates[:, :SIZE] * own[:, 2 * SIZE :])
        new = (1 - gates[:, SIZE:]) * candidate + gates[:, SIZE:] * state
        new = here * new + (1 - here) * state
        return new, new

    first = jnp.zeros((seen.shape[0], SIZE))
    _, states = jax.lax.scan(step, first, (rows, jnp.swapaxes(mask, 0, 1)[..., None]), reverse=way == "back")
    return jnp.swapaxes(states, 0, 1)


def read(params: Params, words: Any, pieces: Any, tags: Any, lengths: Any, before: Any, key: Any) -> Any:
    """The states of each token, the mask, and the scores of the forms."""
    keys = [None] * 5 if key is None else jax.random.split(key, 5)
    mask = (jnp.arange(words.shape[1])[None] < lengths[:, None]).astype(jnp.float32)
    if key is not None:
        words = jnp.where(jax.random.bernoulli(keys[0], UNSEEN_WORDS, words.shape), UNKNOWN, words)
    some = (pieces > 0).astype(jnp.float32)[..., None]
    seen = params["words"][words] + (params["pieces"][pieces] * some).sum(2) / jnp.maximum(some.sum(2), 1)
    seen += (params["tags"][tags] * (tags > 0)[..., None]).sum(2)
    if key is not None:
        seen *= jax.random.bernoulli(keys[1], 1 - UNSEEN_TOKENS, (*seen.shape[:2], 1))
    seen = drop(keys[2], seen, UNSEEN_INPUT)
    states = jnp.concatenate([recur(seen, mask, params, way) for way in ("ahead", "back")], -1)
    here = mask[..., None]
    attended = jnp.where(mask > 0, (jnp.tanh(states) @ params["attend"])[..., 0], -1e9)
    share = jax.nn.softmax(attended, -1)[..., None]
    told = (params["before"][before] * (before > 0)[..., None]).sum(1)
    found = [
        jnp.where(here > 0, states, -1e9).max(1),
        (states * here).sum(1) / here.sum(1),
        (states * share).sum(1),
        told,
    ]
    hidden = jax.nn.relu(
        drop(keys[3], jnp.concatenate(found, -1), UNSEEN_FOUND) @ params["hidden"] + params["hidden_bias"]
    )
    return states, mask, drop(keys[4], hidden, UNSEEN_HIDDEN) @ params["out"] + params["out_bias"]


def loss_of(params: Params, batch: Any, key: Any) -> Any:
    words, pieces, tags, lengths, before, forms, labels, begins, requests = batch
    first, second, third = jax.random.split(key, 3)
    states, mask, scores = read(params, words, pieces, tags, lengths, before, first)
    count = scores.shape[-1]
    wanted = jax.nn.one_hot(forms, count) * (1 - SMOOTHED) + SMOOTHED / count
    of_forms = -((wanted * jax.nn.log_softmax(scores)).sum(-1) * requests).sum() / requests.sum()
    beside = jnp.repeat(params["form_tags"][forms][:, None], words.shape[1], 1)
    joined = drop(second, jnp.concatenate([states, beside], -1), UNSEEN_HIDDEN)
    tagged = (
        jax.nn.relu(joined @ params["tag_hidden"] + params["tag_bias"]) @ params["tag_out"] + params["tag_out_bias"]
    )
    own = mask * requests[:, None]
    of_labels = (optax.softmax_cross_entropy_with_integer_labels(tagged, labels) * own).sum() / own.sum()
    hidden = jax.nn.relu(drop(third, states, UNSEEN_HIDDEN) @ params["begin_hidden"] + params["begin_bias"])
    begun = (hidden @ params["begin_out"] + params["begin_out_bias"])[..., 0]
    of_beginnings = (optax.sigmoid_binary_cross_entropy(begun, begins) * mask).sum() / mask.sum()
    return of_forms + of_labels + of_beginnings


def fit(messages: list[list[Example]], held_out: list[Example], name: str) -> tuple[Params, Tables]:
    """The weights after `ROUNDS` rounds (AdamW, one cycle of the pace)."""
    examples = [one for requests in messages for one in requests]
    tables, chance = Tables(examples), np.random.default_rng(0)
    many: list[Example | Whole] = [one for one in examples for _ in range(OTHERS if one.form == OTHER else 1)]
    many += [Whole(*join_message(requests)) for requests in messages if len(requests) > 1]
    shorter = 0
    groups = []
    for length in LENGTHS:
        own = [one for one in many if shorter < len(one.words) and (len(one.words) <= length or length == LENGTHS[-1])]
        groups.append(tables.encode(own, length))
        shorter = length
    steps = ROUNDS * sum(len(group[0]) // BATCH for group in groups)
    optimiser = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(optax.cosine_onecycle_schedule(steps, PACE, pct_start=0.15), weight_decay=1e-4),
    )
    key = jax.random.PRNGKey(0)
    params = begin(tables, key)
    state = optimiser.init(params)

    @partial(jax.jit, donate_argnums=(0, 1))
    def learn(params: Params, state: Any, batch: Any, key: Any) -> Any:
        loss, slopes = jax.value_and_grad(loss_of)(params, batch, key)
        change, state = optimiser.update(slopes, state, params)
        return optax.apply_updates(params, change), state, loss

    started = time.time()
    for round_ in range(ROUNDS):
        order = [(at, picked) for at, group in enumerate(groups) for picked in
                 np.array_split(chance.permutation(len(group[0])), len(group[0]) // BATCH)]  # fmt: skip
        chance.shuffle(order)  # type: ignore[arg-type]
        total = 0.0
        for at, picked in order:
            key, own_key = jax.random.split(key)
            batch = [rows[picked[:BATCH]] for rows in groups[at]]
            params, state, loss = learn(params, state, batch, own_key)
            total += float(loss)
        right = share_right(params, tables, held_out) if held_out else 0
        print(f"{name} {round_}: {total / len(order):.3f} {right:.3f} {time.time() - started:.0f} s", flush=True)
    return params, tables


def share_right(params: Params, tables: Tables, examples: list[Example]) -> float:
    *given, forms, _, _, _ = tables.encode([*examples], MOST_TOKENS)
    scores = jax.jit(partial(read, key=None))(params, *given)[2]
    return float((np.array(scores).argmax(-1) == forms).mean())


def main() -> None:
    asked = parse_arguments(__doc__)
    for language in asked.languages:
        messages = [requests for requests in read_messages(language) if requests]
        if asked.check:
            random.Random(2).shuffle(messages)
        cut = len(messages) * 9 // 10 if asked.check else len(messages)
        held_out = [one for requests in messages[cut:] for one in requests]
        params, tables = fit(messages[:cut], held_out, language)
        if not asked.check:
            weights = {name: np.array(value) for name, value in params.items()}
            named = {name: getattr(tables, name) for name in ("words", "tags", "before", "forms", "labels")}
            (WEIGHTS_ROOM / f"{language}.network").write_bytes(write_network(weights, named, digest_sources()))


if __name__ == "__main__":
    main()
