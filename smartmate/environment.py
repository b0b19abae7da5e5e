"""The environment as settings: each is read by its kind, and what is wrong is named, all of it at once."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Collection, Mapping
from email.utils import parseaddr
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import environ

T = TypeVar("T")
MOST = 10**9
"""What a number is at most, where nothing else is said: no time is reckoned with more seconds."""
ON, OFF = {"on", "true", "yes", "y", "ok", "1"}, {"off", "false", "no", "n", "0"}
HOST = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*\.?|\[[0-9a-fA-F:.]+\]")
DATABASES = ("sqlite", "mysql", "mysql2")
WAY_OPTIONS = {"charset", "ssl_ca", "ssl_mode", "unix_socket"}
VERIFYING = ("VERIFY_IDENTITY", "VERIFY_CA")


class Environment:
    """Reads variables; one that is empty means its default, and so does a wrong one until `refuse_wrong` ends the
    process. No value of an address is ever repeated: it may hold a password."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values
        self.names: set[str] = set()
        self.wrong: list[str] = []

    def secret(self, name: str) -> str:
        """Returns any text: whatever it is made of may belong to a key or a password."""
        self.names.add(name)
        return self._values.get(name, "").strip()

    def text(self, name: str, default: str = "", known: Callable[[str], Any] = str) -> str:
        """Returns a text; `known` raises `ValueError` for one that cannot be."""
        text = self.secret(name)
        if text[1:] and text[0] == text[-1] and text[0] in "'\"":
            self.wrong.append(f"{name}: is in quotes, which nothing takes away: leave them out")
            return default
        if text:
            self._tried(name, text, known)
        return text or default

    def header(self, name: str) -> str:
        """Returns a key or token that travels in a header of HTTP; it is never repeated."""
        text = self.text(name)
        if not text.isascii() or not text.isprintable() or " " in text:
            self.wrong.append(f"{name}: has characters that no key has: spaces, line breaks or others than ASCII")
        return text

    def choice(self, name: str, default: str, among: Collection[str]) -> str:
        def chosen(text: str) -> str:
            if text not in among:
                raise ValueError(f"is none of {', '.join(among)}")
            return text

        return self._read(name, default, chosen)

    def switch(self, name: str, default: bool) -> bool:
        def switched(text: str) -> bool:
            if text.lower() not in ON | OFF:
                raise ValueError("is neither on nor off")
            return text.lower() in ON

        return self._read(name, default, switched)

    def whole(self, name: str, default: int, least: int = 0, most: int = MOST) -> int:
        return self._read(name, default, lambda text: _number(text, int, "whole number", least, most))

    def days(self, name: str, default: int, least: int = 0) -> int:
        return self.whole(name, default, least, most=36_500)

    def seconds(self, name: str, default: float, least: float = 0.1) -> float:
        return self._read(name, default, lambda text: _number(text, float, "number", least, 86_400))

    def listed(self, name: str, default: Collection[str] = (), known: Callable[[str], Any] = str) -> list[str]:
        """Returns the entries between commas; `known` raises `ValueError` for one that is none."""
        entries = [entry.strip() for entry in self.secret(name).split(",") if entry.strip()]
        for entry in entries:
            self._tried(name, entry, known)
        return entries or list(default)

    def hosts(self, name: str, default: Collection[str]) -> list[str]:
        return self.listed(name, default, _host)

    def networks(self, name: str) -> list[str]:
        return self.listed(name, known=_network)

    def origins(self, name: str) -> list[str]:
        return self.listed(name, known=_origin)

    def server(self, name: str, default: str) -> str:
        return self.text(name, default, _server)

    def mailbox(self, name: str, default: str) -> str:
        return self.text(name, default, _mailbox)

    def folder(self, name: str, default: Path) -> Path:
        """Returns a folder that is there from now on."""
        found = Path(self.text(name) or default)
        try:
            found.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.wrong.append(f"{name}: the folder {found} cannot be made: {error.strerror}")
        return found

    def address(self, name: str, schemes: Collection[str]) -> str:
        """Returns a URL of one of the schemes; empty when there is none."""
        url = self.text(name)
        try:
            parts = urlsplit(url)
            place = parts.path if parts.scheme == "unix" else parts.hostname
            good = parts.scheme in schemes and bool(place) and " " not in url and parts.port != 0
        except ValueError:
            good = False
        if url and not good:
            self.wrong.append(f"{name}: no address of the form {' or '.join(f'{one}://...' for one in schemes)}")
        return url

    def redis(self, name: str) -> str:
        """Returns the URL of a Redis. The client passes over a database that is no number, and finds options that it
        has not at the first command."""
        url = self.address(name, ("redis", "rediss", "unix"))
        if not url or self._has_wrong(name):
            return url
        parts = urlsplit(url)
        if parts.scheme != "unix" and not re.fullmatch(r"/?|/[0-9]{1,4}/?", parts.path):
            self.wrong.append(f"{name}: the database behind the host is no number")
        from redis.connection import ConnectionPool

        try:
            ConnectionPool.from_url(url).make_connection()  # nothing is connected
        except (TypeError, ValueError):
            self.wrong.append(f"{name}: an option behind the question mark is none, or has no such value")
        return url

    def model_door(self, name: str) -> str:
        """Returns the address below which a model answers; the client puts the rest behind it."""
        url = self.address(name, ("https", "http"))
        if urlsplit(url).path.rstrip("/").endswith("/chat/completions"):
            self.wrong.append(f"{name}: /chat/completions is put behind it: leave that out")
        return url

    def _has_wrong(self, name: str) -> bool:
        return any(one.startswith(f"{name}: ") for one in self.wrong)

    def database(self, name: str, default: str) -> dict[str, Any]:
        """Returns Django's settings of a database by its URL; what its query says about the way there are `OPTIONS`."""
        url = self.text(name, default)
        try:
            if url.partition("://")[0] not in DATABASES:
                raise ValueError
            found: dict[str, Any] = environ.Env.db_url_config(url)
            if not found["NAME"] or ("/" in found["NAME"] and not url.startswith("sqlite")):
                raise ValueError
            if found["NAME"] == ":memory:":  # each thread would have a database of its own, without tables
                raise ValueError
        except ValueError:
            self.wrong.append(f"{name}: neither mysql://user:password@host:3306/name nor sqlite:///file")
            found = environ.Env.db_url_config(default)
        if url.startswith("mysql"):
            found["OPTIONS"] = self._way_to_mysql(name, found.get("OPTIONS") or {})
        return found

    def _way_to_mysql(self, name: str, told: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the options of the client library. None is passed over, for TLS may be what was asked for, and with a
        mode that verifies nothing the library goes on in the clear where the server has no TLS."""
        unknown = sorted(told.keys() - WAY_OPTIONS)
        if unknown:
            self.wrong.append(f"{name}: no option {', '.join(unknown)}; there are {', '.join(sorted(WAY_OPTIONS))}")
        options = {option: str(value) for option, value in told.items() if option in WAY_OPTIONS}
        authority = options.pop("ssl_ca", "")
        if authority and not Path(authority).is_file():
            self.wrong.append(f"{name}: ssl_ca is no file that can be read")
        mode = options.setdefault("ssl_mode", VERIFYING[0] if authority else "")
        if mode and mode not in VERIFYING:
            self.wrong.append(f"{name}: ssl_mode is none of {', '.join(VERIFYING)}")
        ways = {**options, "ssl": {"ca": authority} if authority else None}
        return {option: value for option, value in ways.items() if value}

    def refuse_wrong(self) -> None:
        """Ends the process, with every wrong setting on standard error, when there is one."""
        if self.wrong:
            sys.exit("\n".join(f"wrong setting: {one}" for one in self.wrong))

    def _read(self, name: str, default: T, read: Callable[[str], T]) -> T:
        text = self.text(name)
        found = self._tried(name, text, read) if text else None
        return default if found is None else found

    def _tried(self, name: str, text: str, read: Callable[[str], T]) -> T | None:
        try:
            return read(text)
        except ValueError as error:
            self.wrong.append(f"{name}: {text!r} {error}")
            return None


def _number(text: str, kind: Callable[[str], T], called: str, least: float, most: float) -> T:
    try:
        found = kind(text)
    except ValueError:
        raise ValueError(f"is no {called}") from None
    number = float(str(found))
    if number < least:
        raise ValueError(f"is less than {least}")
    if not math.isfinite(number):
        raise ValueError("is no number")
    if number > most:
        raise ValueError(f"is more than {most}")
    return found


def _host(text: str) -> None:
    if not HOST.fullmatch(text):
        raise ValueError("is no name of a host: leave scheme, port and path out")


def _server(text: str) -> None:
    # Not as a host is served: an address of IPv6 stands without brackets, and no pattern is connected to.
    if re.fullmatch(r"[\w-]+(\.[\w-]+)*\.?", text):
        return
    try:
        ip_address(text)
    except ValueError:
        raise ValueError("is no name of a host: leave scheme, port and path out") from None


def _network(text: str) -> None:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise ValueError("is neither an address nor a network") from None


def _origin(text: str) -> None:
    # One with a path or a slash behind it is no origin that a browser names: each form would be refused.
    if not re.fullmatch(r"https?://[\w*.-]+(:[0-9]+)?|https?://\[[0-9a-fA-F:.]+\](:[0-9]+)?", text):
        raise ValueError("is no origin of the form https://host: leave the path and the slash behind it out")


def _mailbox(text: str) -> None:
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", parseaddr(text)[1]):
        raise ValueError("is no address of the form name@host or Name <name@host>")
