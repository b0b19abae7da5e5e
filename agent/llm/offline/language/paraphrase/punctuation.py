"""The commas of a message that was dictated or typed without any: 第二章移到周六如果周六有课就算了.

Where a comma stands is told by a linear-chain conditional random field (Lafferty, McCallum and Pereira 2001) with the
tokens and the features of the paraphraser, fitted to its sentences without their commas and to sentences joined
without one. `script/train_punctuation.py` fits it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from agent.llm.offline.language.classifier.kinds import CLASS, ITEM
from agent.llm.offline.language.normalize import fold_numbers, has_chinese
from agent.llm.offline.language.paraphrase.features import find_form_features, find_token_features
from agent.llm.offline.language.paraphrase.frames import OTHER
from agent.llm.offline.language.paraphrase.models import COMMA, load_models, load_punctuation
from agent.llm.offline.language.paraphrase.names import list_names
from agent.llm.offline.language.paraphrase.tokens import Token, tokenise

SEPARATORS = frozenset(",;!。")
"""What divides the clauses of a folded text, beside a full stop of Latin letters."""
_WRITTEN = re.compile(r"[,，;；。！!\n](?=.*\w)|\.(?=\s+\w)|\(?\b1\)|①", re.DOTALL)
"""Separators, or an enumeration, which divides as well."""
BEGIN = ("begin",)
TIMES, NAMED, NUMBER = frozenset("ⒺⓌⒹⓎⓅⓈⒽ"), frozenset((CLASS, ITEM)), "Ⓝ"
CONJUNCTIONS = frozenset(("and", "but", "or", "so", "because", "then", "和", "跟", "与"))
"""What divides by itself, or joins."""
BESIDE = (
    CONJUNCTIONS
    | frozenset("从自到至起以之开始前后的在是个半、-~")
    | frozenset(("from", "since", "until", "till", "by", "to", "on", "in", "at", "of", "after", "before", "for"))
)
"""What stands beside a time or a name and says nothing without it."""
PARTICLES = frozenset("那这吧呢啊了呀嘛啦")
"""What says nothing of its own in a clause: 那个吧."""
QUOTE = re.compile(r"[\"“”「」『』]|(?<!\w)'|'(?!\w)")
LONGEST = 200
"""Characters of a message that is punctuated: each of them is tried as the end of what was folded."""
SHORTEST = 3
"""The tokens of a clause."""
SURE = 1.0
"""The odds, as a logarithm, from which a comma is written."""
DOUBTFUL, CERTAIN = 2.0, 0.9
"""How far below that one is written yet between two clauses that are surely requests, and the chance of each."""
ASKED = 3.0
"""What more is needed in a question, which is asked as a whole."""
_ASKS = re.compile(
    r"(?:[?？]|[吗呢么])\s*$|[哪谁]|什么|怎[么样]|多少|几[天个周项次节点]|^(?:what|when|where|which|who|how)\b",
    re.IGNORECASE,
)
SPACED = 2.0
"""What a space between Chinese characters adds to them: who writes no commas divides clauses so."""


def punctuate(message: str, classes: Sequence[str], items: Sequence[str]) -> str:
    """Return a message that has no separators with commas where its clauses end; any other as it is."""
    if _WRITTEN.search(message) or not message.strip() or len(message) > LONGEST:
        return message
    return _punctuate(message, tuple(classes), tuple(items))


@lru_cache(maxsize=1024)
def _punctuate(message: str, classes: tuple[str, ...], items: tuple[str, ...]) -> str:
    text, chinese = fold_numbers(message), has_chinese(message)
    tokens = tokenise(text, list_names(text, classes, items))
    language = "zh" if chinese else "en"
    odds = load_punctuation(language).commas.weigh_odds(find_token_features([one.word for one in tokens], ()), COMMA)
    least = SURE + (ASKED if _ASKS.search(message) else 0)
    ends: list[int] = []
    for at in range(SHORTEST, len(tokens) - SHORTEST + 1):
        told = odds[at] + (SPACED if chinese and _are_spaced(text, tokens[at - 1], tokens[at]) else 0)
        if told < least - DOUBTFUL or _belong_together(text, tokens[at - 1], tokens[at]):
            continue
        if _are_one_title(message, tokens[at - 1], tokens[at]):
            continue
        if len(QUOTE.findall(text[: tokens[at].start])) % 2 or _BETWEEN.match(text, tokens[at].start):
            continue
        parts = tokens[ends[-1] if ends else 0 : at], tokens[at:]
        sure = told > least or all(_is_request(part, language) for part in parts)
        if sure and all(map(_says_something, parts)):
            ends.append(at)
    return _write_commas(message, text, [tokens[at].start for at in ends], "，" if chinese else ", ")


_BETWEEN = re.compile(r"[中之]间")
"""What stands behind the two things that it is about."""


def _is_request(tokens: Sequence[Token], language: str) -> bool:
    """Whether a clause is surely a request of its own."""
    words, models = [token.word for token in tokens], load_models(language)
    form, chance = models.weigh_forms(find_form_features(words, BEGIN), models.read(words, BEGIN))[0]
    return form != OTHER and chance > CERTAIN


def _says_something(tokens: Sequence[Token]) -> bool:
    """Whether a clause has a word beside its names and times, or a name and a time for it."""
    words = {token.word for token in tokens} - PARTICLES
    return bool(words - TIMES - NAMED - BESIDE) or bool(words & TIMES and words & NAMED)


def _are_spaced(text: str, last: Token, token: Token) -> bool:
    return text[last.end : token.start].isspace()


def _belong_together(text: str, last: Token, token: Token) -> bool:
    """Whether two tokens are parts of one name, list or time (a class and its item, 第七章 回归分析, 2 chapters, a date
    and its weekday), or the second one joins what is before it."""
    words = {last.word, token.word}
    named = _are_spaced(text, last, token) and (last.word == ITEM or ":" in text[: last.end])
    return (
        (named and has_chinese(text)) or last.word == NUMBER or words == NAMED or words <= TIMES or token.word in BESIDE
    )


def _are_one_title(message: str, last: Token, token: Token) -> bool:
    """Whether two words of a name that nobody knows yet stand there with capital letters: Great Expectations."""
    if {last.word, token.word} & (TIMES | NAMED | {NUMBER}) or message.istitle() or message.isupper():
        return False
    found = re.search(rf"\b{re.escape(last.word)}\s+{re.escape(token.word)}", message, re.IGNORECASE)
    return found is not None and found[0][0].isupper() and found[0].split()[-1][0].isupper()


def _write_commas(message: str, text: str, ends: Sequence[int], comma: str) -> str:
    """The message with a comma at each of these places of its folded text."""
    said, done = [], 0
    for end in ends:
        folded = _close(text[:end])
        place = next((at for at in range(done + 1, len(message)) if _close(fold_numbers(message[:at])) == folded), None)
        if place is not None:
            said.append(message[done:place].strip())
            done = place
    return comma.join([*said, message[done:].strip()]) if said else message


def _close(text: str) -> str:
    return "".join(text.split())
