"""Forms of what may be changed elsewhere while they are open: saving here takes nothing back that was written there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import time
from typing import Any

from django import forms
from django.utils.translation import gettext

from smartmate.pages.forms.merge_lines import merge_lines


class MergeForm(forms.Form):
    """Merges three ways, field by field: what the page showed (`base`), what is stored now, what the student sent.

    A field that the student left alone takes what is stored. One that both have changed is told; sent again, the
    student's stands. Lines are merged one by one.
    """

    def __init__(self, data: Any = None, *, stored: bool, **named: Any) -> None:
        """Makes the form; `stored`: its initial values are those of something that exists."""
        super().__init__(data, **named)
        now = {name: _plain(self.get_initial_for_field(field, name)) for name, field in self.fields.items()}
        self._now: dict[str, list[str]] = now if stored else {}
        self._changed_by_both: list[str] = []
        base = _read_base(data)
        if base:
            self.data = self._merge(data.copy(), base)

    @property
    def base(self) -> str:
        """Returns the stored values, for the page to send back beside the student's; "" where nothing is stored yet."""
        return json.dumps(self._now, ensure_ascii=False) if self._now else ""

    def _merge(self, sent: Any, base: Mapping[str, list[str]]) -> Any:
        for name, now in self._now.items():
            was, said = base.get(name, now), _plain(sent.getlist(name))
            if was == now or said == now:
                continue
            both = now if said == was else self._merge_lines(name, was, now, said)
            if both is None:
                self._changed_by_both.append(name)
            else:
                sent.setlist(name, both)
        return sent

    def _merge_lines(self, name: str, *texts: Sequence[str]) -> list[str] | None:
        """Returns both changes of a field of lines; None where they meet, and for any other field."""
        if not isinstance(self.fields[name].widget, forms.Textarea):
            return None
        merged = merge_lines(*("".join(text) for text in texts))
        return None if merged is None else [merged]

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        for name in self._changed_by_both:
            told = self._words_of(name)
            here = gettext("再提交一次就用这里的。")
            there = gettext("刚刚在别处改成：%(value)s。") % {"value": told} if told else gettext("刚刚在别处改过。")
            self.add_error(name, f"{there} {here}")
        return said

    def _words_of(self, name: str) -> str:
        """Returns what is stored in a field as the page says it; "" where it is not said in words."""
        choices = getattr(self.fields[name], "choices", None)
        words = self._now[name] if choices is None else _labels(choices, self._now[name])
        return gettext("、").join(line for one in words for line in one.splitlines() if line)


def _labels(choices: Iterable[tuple[Any, Any]], values: Iterable[str]) -> list[str]:
    labels = {str(value): str(label) for value, label in choices}
    return [label for value in values if (label := labels.get(value, "")) != value]


def _plain(value: Any) -> list[str]:
    """Returns a value, stored or sent, as the texts that a form sends for it."""
    values = value if isinstance(value, list | tuple) else ["on"] if value is True else [value]
    told = (_text_of(one) for one in values if one is not None and one is not False)
    return sorted(filter(None, told))


def _text_of(value: Any) -> str:
    return f"{value:%H:%M}" if isinstance(value, time) else str(value).replace("\r\n", "\n").strip()


def _read_base(data: Any) -> Mapping[str, list[str]]:
    """Returns the fields of a base; what is no list of texts is none."""
    try:
        base = json.loads(data.get("base", "{}")) if data else {}
    except (ValueError, RecursionError):
        return {}
    return {name: told for name, told in base.items() if _is_texts(told)} if isinstance(base, dict) else {}


def _is_texts(told: Any) -> bool:
    return isinstance(told, list) and all(isinstance(one, str) for one in told)
