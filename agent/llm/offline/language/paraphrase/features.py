"""What the models of the paraphraser weigh: of a whole request for its form, of a token for its slot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent.llm.offline.language.classifier.classify import load_model
from agent.llm.offline.language.classifier.features import find_features, find_stem, read_thesaurus
from agent.llm.offline.language.paraphrase.tokens import is_sign

BEGIN, END = "^", "$"
_AIMS = 4
_SIGNS = 6
_MOST = 3
_NEAR = 5
"""Words to the left in which a known verb or preposition is looked for."""


def find_form_features(words: Sequence[str], before: Sequence[str]) -> dict[str, float]:
    """The features of a request: its words, the signs in their order, what the classifier takes it for, and what was
    before it."""
    plain = find_features(words)
    found = dict(plain)
    signs = [word for word in words if is_sign(word)]
    for sign, count in Counter(signs).items():
        found[f"n{sign}{min(count, _MOST)}"] = 0.3
    found["signs " + "".join(signs[:_SIGNS])] = 0.3
    for name in before:
        found[f"before {name}"] = 0.4
    if len(words) < 4:
        found["short"] = 0.3
    for label, chance in load_model().weigh(plain)[:_AIMS]:
        found[f"aim {label}"] = chance * 0.8
    return found


def find_token_features(words: Sequence[str], before: Sequence[str]) -> list[list[str]]:
    """The features of each token that do not depend on the form; the first is the word itself."""
    tags, count = read_thesaurus(), len(words)
    near = _NEAR
    padded = [BEGIN] * near + list(words) + [END] * near
    stems = [find_stem(word) for word in padded]
    signs = [at for at, word in enumerate(words) if is_sign(word)]
    rows = []
    for at in range(count):
        here = at + near
        word, last, last2, next1, next2 = (padded[here + step] for step in (0, -1, -2, 1, 2))
        row = [word, "b"]
        row += [f"{step}={stems[here + step]}" for step in (-3, -2, -1, 1, 2, 3)]
        row += [f"-2-1={last2} {last}", f"+1+2={next1} {next2}", f"-1+1={last} {next1}", f"-1w={last} {word}"]
        row += [f"w+1={word} {next1}", f"-3-2-1={padded[here - 3]} {last2} {last}"]
        if is_sign(word):
            same = [one for one in signs if words[one] == word]
            place = f"{word}{min(same.index(at), _MOST)}/{min(len(same), _MOST + 1)}"
            order = signs.index(at)
            row += ["sign", f"ord={place}", f"ps={words[signs[order - 1]] if order else BEGIN}"]
            row.append(f"ns={words[signs[order + 1]] if order + 1 < len(signs) else END}")
        row += [f"t{step}={tag}" for step in (-2, -1, 0, 1, 2) for tag in tags.get(padded[here + step], ())[:2]]
        known = next((tags[padded[here - step]][0] for step in range(1, near + 1) if tags.get(padded[here - step])), "")
        rows.append([*row, f"lt={known}", *(f"before={name}" for name in before)])
    return rows


def add_form(rows: Sequence[Sequence[str]], form: str) -> list[list[str]]:
    """The features of each token together with the form: the form alone, with the word, with the place of a sign."""
    return [
        [f"form={form}", f"form+w={form}|{row[0]}", *(f"form+{name}|{form}" for name in row if name.startswith("ord="))]
        for row in rows
    ]
