"""What a method of an endpoint takes and answers, said beside the method; the OpenAPI document is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Contract:
    """Holds what an endpoint answers; `data` = type of the envelope's `data`, None for null. `codes` = the refusals
    that not every endpoint has.

    `body` = the model of a JSON body, `form` = the schema of a multipart body. `media` = what is answered outside the
    envelope, with any of `statuses`: media type -> JSON Schema, or the type of the answer. `nothing` = what a 204
    means, where there is one. `bare` = with the query `bare=true` the data is answered without its envelope. `tagged` =
    carries an ETag, and answers 304 to who names it. `headers` = what a success carries beside those of all answers.
    `public` = asks for no credentials.
    """

    data: Any = None
    codes: tuple[int, ...] = ()
    body: Any = None
    form: Mapping[str, Any] | None = None
    media: Mapping[str, Any] = field(default_factory=dict)
    statuses: tuple[int, ...] = (200,)
    nothing: str = ""
    bare: bool = False
    tagged: bool = False
    headers: tuple[str, ...] = ()
    public: bool = False


def answers(data: Any = None, *codes: int, **more: Any) -> Callable[[F], F]:
    """Marks a method or a plain view with its contract; `more` are the other fields of `Contract`."""
    contract = Contract(data=data, codes=codes, **more)

    def mark(method: F) -> F:
        method.contract = contract  # type: ignore[attr-defined]
        return method

    return mark
