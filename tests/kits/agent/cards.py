"""Every card that anybody is shown fits the schema that is served for it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import jsonschema

from agent.tools.cards.schemas import view_schemas


@lru_cache(maxsize=1)
def validators() -> dict[str, jsonschema.Draft202012Validator]:
    return {name: jsonschema.Draft202012Validator(schema) for name, schema in view_schemas().items()}


@lru_cache(maxsize=4096)
def _check(text: str) -> None:
    """Each different card once: pages and streams show the same ones again and again."""
    card = json.loads(text)
    validators()[card["view_type"]].validate(card)


def check_cards(document: Any) -> int:
    """Validates every card in a document of any shape and answers how many there are."""
    if isinstance(document, list):
        return sum(map(check_cards, document))
    if not isinstance(document, dict):
        return 0
    if "view_type" in document:
        _check(json.dumps(document, sort_keys=True))
        return 1
    return sum(map(check_cards, document.values()))
