"""Names the kinds of tools and groups them by what their calls do."""

from __future__ import annotations

from typing import Any, Literal

Json = dict[str, Any]

Kind = Literal["control", "read", "analysis", "queue", "draft_write", "sql_write", "web"]
LoggedKind = Kind | Literal["rough_build", "rejected"]
"""The kinds of the tools, the rough build, and a call that the student refused."""
Status = Literal["done", "failed", "blocked"]

ANSWERS: frozenset[LoggedKind] = frozenset({"read", "analysis", "web"})
"""They say how something is; asked again of an unchanged draft, the earlier answer is given again."""
OBSERVATIONS: frozenset[LoggedKind] = ANSWERS | {"queue"}
"""Their result is evidence of a step. The queue answers too, but each call moves it on."""
WRITES: frozenset[LoggedKind] = frozenset({"draft_write", "sql_write"})
"""They change the draft or a class: a dry run first, consent, a receipt."""
LOOKS: frozenset[LoggedKind] = OBSERVATIONS | {"control"}
"""All that write nothing: a newer result of the same tool makes the older one dispensable."""
