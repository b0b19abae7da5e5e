"""Lists of the admin that read no more than some thousand rows, however many a table has.

A list shows the newest rows; older ones are found by their owner or their id, both by an index. So every list, filter,
count and search is bounded, and none sorts a table.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AutocompleteSelect
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import JSONField, Model, Q, QuerySet
from django.forms.fields import InvalidJSONInput
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from taskclasses.kernel.errors import GARBAGE, CodedError
from taskclasses.kernel.i18n import language_of

ROWS = 10_000
"""Rows that a list reads at most."""
OWNERS = 20
"""Accounts that a beginning of a name finds at most."""
LAST_CHAR = "\U0010ffff"
UNREADABLE = _("存储的内容无法识别")
T = TypeVar("T")
logger = logging.getLogger("smartmate.admin")


def tell_stored(tell: Callable[[], T]) -> T | str:
    """Returns what `tell` makes of a stored document; of one that cannot be read it says so, and the page shows the
    rest."""
    try:
        return tell()
    except GARBAGE as error:
        logger.warning("a stored document cannot be read: %s: %s", type(error).__name__, error)
        return str(UNREADABLE)


def may_see(request: HttpRequest, model: type[Model]) -> bool:
    """Tells whether rows of a model may be shown: who may change them sees them too."""
    meta = model._meta
    asked = [f"{meta.app_label}.{get_permission_codename(action, meta)}" for action in ("view", "change")]
    return any(request.user.has_perm(permission) for permission in asked)


def accounts_named(word: str) -> list[int]:
    """Returns the account of this name, else those whose name begins so, by the index of names; full-width letters are
    plain ones, as at sign-in."""
    if not word:
        return []
    word = User.normalize_username(word)
    found = User.objects.filter(username__gte=word, username__lt=word + LAST_CHAR).order_by("username")
    named = list(found.values_list("pk", "username")[:OWNERS])
    # The shorter name stands first.
    return [pk for pk, name in named if name == word] or [pk for pk, _name in named]


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """Counts as far as a list reads."""

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[:ROWS].count())


class BoundedList(ChangeList):
    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        # By the index alone, whatever the address asks for.
        return self._asked.order(by_owner=self._is_scoped())

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        if not self.query and not self._is_scoped():
            self.root_queryset = self._asked.newest(self.root_queryset)
        return super().get_queryset(request, exclude_parameters)

    def get_results(self, request: HttpRequest) -> None:
        try:
            super().get_results(request)
        except OverflowError:  # the address has a number that no column holds
            raise IncorrectLookupParameters from None

    @property
    def _asked(self) -> BoundedAdmin:
        return self.model_admin  # type: ignore[return-value]

    def _is_scoped(self) -> bool:
        return any(name in self._asked.scopes for name in self.params)


class PlainJson(forms.JSONField):
    """Takes JSON as an admin's form does; what is nested too deeply to be read is wrong as any other text."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except RecursionError:
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": "..."}) from None

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            return super().bound_data(data, initial)
        except RecursionError:
            return InvalidJSONInput(data)


class FoundSelect(AutocompleteSelect):
    """Shows who is chosen; a value that names no row shows nobody, and the form says that it is wrong."""

    def optgroups(self, name: str, value: Sequence[str], attr: dict[str, Any] | None = None) -> Any:
        try:
            return super().optgroups(name, value, attr)
        except (ValueError, OverflowError):
            return super().optgroups(name, [], attr)


class BoundedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Shows rows in a list that is bounded.

    `owner` is the way to the account of a row; `found_by` are indexed columns by the type of their ids; `texts` are
    searched within the rows of an account, or within the newest; `scopes` are the filters that an index serves, for
    links.
    """

    owner = ""
    found_by: ClassVar[Mapping[type, Sequence[str]]] = {int: ("pk",)}
    texts: ClassVar[tuple[str, ...]] = ()
    scopes: ClassVar[tuple[str, ...]] = ()
    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()
    formfield_overrides: ClassVar[Any] = {JSONField: {"form_class": PlainJson}}
    search_fields: ClassVar[tuple[str, ...]] = ("pk",)
    search_help_text = _("用户名的开头，可再加要找的文字；或者编号。未指定时只列出最新的一万行。")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return BoundedList

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Returns the page of a row; what a use case refuses is told there, and nothing of it was written."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except CodedError as refusal:
            student = refusal.data.get("student") if isinstance(refusal.data, dict) else None
            info = refusal.info(language_of(get_language() or "zh"))
            self.message_user(request, f"{student}: {info}" if student else info, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Does what was chosen to the rows; what names no row is told, and so is what a use case refuses: those before
        it are done."""
        try:
            for chosen in request.POST.getlist(ACTION_CHECKBOX_NAME):
                self.opts.pk.run_validators(self.opts.pk.to_python(chosen))
            return super().response_action(request, queryset)
        except ValidationError:
            self.message_user(request, _("选中的行无法识别，没有做任何改动"), messages.ERROR)
        except CodedError as refusal:
            self.message_user(request, refusal.info(language_of(get_language() or "zh")), messages.ERROR)
        return HttpResponseRedirect(request.get_full_path())

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            options["widget"] = FoundSelect(db_field, self.admin_site, using=options.get("using"))
        return super().formfield_for_foreignkey(db_field, request, **options)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:  # type: ignore[override]
        return lookup in self.scopes or super().lookup_allowed(lookup, value, request)

    def order(self, *, by_owner: bool) -> list[str]:
        """Tells how rows are listed. Those of an account stand by account first: else MariaDB may walk down the table
        in the order of the list until it has met enough of them."""
        return [*([f"{self.owner}_id"] if by_owner and self.owner else []), *self.ordering]

    def newest(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Returns the rows from the last one that a list reads on."""
        column = self.ordering[0].removeprefix("-")
        order = self.model._default_manager.order_by(f"-{column}").values_list(column, flat=True)
        oldest = next(iter(order[ROWS - 1 : ROWS]), None)
        return rows if oldest is None else rows.filter(**{f"{column}__gte": oldest})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        number = _id_of(term)
        columns = self.found_by.get(type(number), ())
        named = queryset.filter(_any([Q(**{name: number}) for name in columns]))
        if columns and named.exists():
            return named, False
        first, _space, rest = term.partition(" ")
        accounts = accounts_named(first) if self.owner else []
        if accounts:
            mine = queryset.filter(**{f"{self.owner}__in": accounts})
            queryset, term = mine.order_by(*self.order(by_owner=True)), rest.strip()
        else:
            queryset = self.newest(queryset)
        matches = [Q(**{f"{name}__icontains": term}) for name in self.texts]
        if term:
            queryset = queryset.filter(_any(matches)) if matches else queryset.none()
        return queryset, any("__" in name for name in self.texts)


def _any(conditions: Sequence[Q]) -> Q:
    found = Q()
    for condition in conditions:
        found |= condition
    return found


def _id_of(term: str) -> int | UUID | None:
    if re.fullmatch(r"[0-9]{1,18}", term):
        return int(term)
    try:
        return UUID(term)
    except ValueError:
        return None
