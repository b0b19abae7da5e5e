"""Fit the models of the commas to the paraphraser's sentences and write them.

Run it with the development requirements after a change of the sentences, the tokens or the features. `--check` writes
nothing: it fits the models to nine tenths of the messages and prints what they make of the rest.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from train_paraphraser import OTHER, fit_sequences, parse_arguments, read_marked

from agent.llm.offline.language.paraphrase.features import find_token_features
from agent.llm.offline.language.paraphrase.models import COMMA, OUTSIDE, SENTENCES, digest_sources, read_punctuation
from agent.llm.offline.language.paraphrase.network import WEIGHTS_ROOM
from agent.llm.offline.language.paraphrase.punctuation import SEPARATORS, SURE
from agent.llm.offline.language.paraphrase.tokens import Token

Clauses = tuple[list[str], list[str]]
"""The words of a message without its separators, and the label of each: whether a comma stood before it."""
JOINED = 0.5
"""Messages of requests that are joined without a word, for each message that was written."""
SHORTEST, LONGEST, COUNTS = 3, 14, (2, 2, 2, 3)
"""The tokens of a request that is joined, and how many are."""


def leave_out_commas(tokens: Sequence[Token]) -> Clauses:
    words, labels, divided = [], [], False
    for token in tokens:
        if token.word in SEPARATORS or token.word == ".":
            divided = bool(words)
            continue
        words.append(token.word)
        labels.append(COMMA if divided and token.word not in "?？" else OUTSIDE)
        divided = False
    return words, labels


def read_clauses(language: str) -> Iterator[tuple[Clauses, bool]]:
    """Each message, and whether it is one of requests, which may stand beside another."""
    chance, gap = random.Random(1), "" if language == "zh" else " "
    for line in (SENTENCES / f"{language}.tsv").read_text(encoding="utf-8").splitlines():
        forms, text = line.split("\t")
        said = leave_out_commas(read_marked(gap.join(text.split(" | ")), chance)[0])
        if said[0]:
            yield said, OTHER not in forms and not {"?", "？"} & set(text) and SHORTEST <= len(said[0]) <= LONGEST
    for line in (SENTENCES / f"later.{language}.tsv").read_text(encoding="utf-8").splitlines():
        said = leave_out_commas(read_marked(line.split("\t")[3], chance)[0])
        if said[0]:
            yield said, False


def join_requests(requests: Sequence[Clauses], chance: random.Random) -> Clauses:
    words, labels = [], []
    for _ in range(chance.choice(COUNTS)):
        more, told = chance.choice(requests)
        labels += [COMMA if words else OUTSIDE, *told[1:]]
        words += more
    return words, labels


def fit(messages: Sequence[tuple[Clauses, bool]]) -> bytes:
    chance, requests = random.Random(2), [said for said, joins in messages if joins]
    joined = [join_requests(requests, chance) for _ in range(int(JOINED * len(messages)))]
    every = [*(said for said, _ in messages), *joined]
    part, body = fit_sequences((find_token_features(words, ()), labels) for words, labels in every)
    head = json.dumps({"commas": part, "digest": digest_sources()}, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(head.encode() + b"\n" + body, compresslevel=9, mtime=0)


def check(language: str, messages: list[tuple[Clauses, bool]]) -> None:
    """Print which share of the commas of unseen messages are told, and which of those that are told are right."""
    random.Random(3).shuffle(messages)
    cut = len(messages) * 9 // 10
    commas = read_punctuation(fit(messages[:cut])).commas
    told = right = written = 0
    for (words, labels), _ in messages[cut:]:
        found = [odds > SURE for odds in commas.weigh_odds(find_token_features(words, ()), COMMA)]
        told += sum(found)
        written += labels.count(COMMA)
        right += sum(one and label == COMMA for one, label in zip(found, labels, strict=True))
    print(f"{language}: {len(messages) - cut} messages, found {right / written:.3f}, right {right / told:.3f}")


def main() -> None:
    asked = parse_arguments(__doc__)
    for language in asked.languages:
        messages = list(read_clauses(language))
        if asked.check:
            check(language, messages)
        else:
            (WEIGHTS_ROOM / f"{language}.commas").write_bytes(fit(messages))


if __name__ == "__main__":
    main()
