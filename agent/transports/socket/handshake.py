"""Who opens a WebSocket: a bearer token in a header or a subprotocol, or a session cookie from an allowed origin."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import parse_cookie
from django.http.request import validate_host
from django.utils.http import is_same_domain
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from taskclasses.kernel.auth import SCHEMES, identity_of_token, language_chosen_by, user_of_session
from taskclasses.kernel.i18n import language_of

PROTOCOL = "smartmate.v1"
BEARER = "bearer."


class HandshakeRefused(Exception):
    """Tells of no credentials, or bad ones."""


@dataclass(frozen=True)
class Visitor:
    """Holds who asks; `via` tells whether a cookie vouched for the visitor; `subprotocol` is the one to select;
    `language` the one that the account chose, if any."""

    user_id: int
    via: str
    subprotocol: str | None
    language: str = ""


def identify(scope: Any) -> Visitor:
    """Returns the visitor behind a handshake, looked up anew each time. Raises `HandshakeRefused`."""
    offered = list(scope.get("subprotocols") or ())
    selected = PROTOCOL if PROTOCOL in offered else None
    header = _header(scope, b"authorization")
    if header is not None:
        scheme, _, key = header.partition(" ")
        return _by_token(key.strip() if scheme.lower() in SCHEMES else "", selected)
    bearer = next((name.removeprefix(BEARER) for name in offered if name.startswith(BEARER)), None)
    if bearer is not None:
        return _by_token(bearer, selected)
    return _by_session(scope, selected)


def _by_token(key: str, selected: str | None) -> Visitor:
    found = identity_of_token(key)
    if found is None:
        raise HandshakeRefused
    return Visitor(int(found.user.pk), "token", selected, language_chosen_by(found.user))


def _by_session(scope: Any, selected: str | None) -> Visitor:
    cookies = parse_cookie(_header(scope, b"cookie") or "")
    key = cookies.get(settings.SESSION_COOKIE_NAME)
    if not key:
        raise HandshakeRefused
    user = user_of_session(import_module(settings.SESSION_ENGINE).SessionStore(key))
    if not user.is_authenticated or not user.is_active:
        raise HandshakeRefused
    return Visitor(int(user.pk), "session", selected, language_chosen_by(user))


def is_origin_allowed(scope: Any, visitor: Visitor) -> bool:
    """Tells whether the page may open a socket: a browser sends its cookie from any page, so the page must be ours; a
    token proves itself."""
    if visitor.via == "token":
        return True
    origin, host = _header(scope, b"origin"), _header(scope, b"host")
    if not origin or not host:
        return False
    parts = urlsplit(origin)
    if any(_is_trusted(parts, urlsplit(known)) for known in settings.CSRF_TRUSTED_ORIGINS):
        return True
    # A proxy that ends TLS speaks plainly with us, so only the setting tells what our own pages are opened by.
    schemes = {"https"} if settings.HTTPS else {"http", "https"}
    name = urlsplit(f"//{host}").hostname or ""
    known_host = validate_host(name, settings.ALLOWED_HOSTS or ["localhost", "127.0.0.1"])
    return parts.scheme in schemes and parts.netloc == host and known_host


def _is_trusted(origin: SplitResult, known: SplitResult) -> bool:
    """Tells whether an origin is one that is trusted, or below one that begins with a star, as for the pages' forms."""
    return origin.scheme == known.scheme and is_same_domain(origin.netloc, known.netloc.removeprefix("*"))


def locale_of_scope(scope: Any, visitor: Visitor | None) -> str:
    """Returns `zh` or `en`: what the account chose, else what the client asks for; zh when it names no language we
    have."""
    if visitor is not None and visitor.language:
        return language_of(visitor.language)
    for name, _ in parse_accept_lang_header((_header(scope, b"accept-language") or "").lower()):
        try:
            return language_of(get_supported_language_variant(name))
        except LookupError:
            continue
    return "zh"


def _header(scope: Any, name: bytes) -> str | None:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)
