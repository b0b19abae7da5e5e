"""The authorities that certificates are checked by, read once: each client of HTTP would read all of them anew."""

from __future__ import annotations

import os
import ssl
from functools import cache
from typing import Any

import certifi

USUAL = (certifi.where(), os.environ.get("SSL_CERT_FILE"))
_create = ssl.create_default_context
_known = cache(_create)


def read_authorities_once() -> None:
    """Lets all clients that trust the usual authorities share one context; others have contexts of their own."""

    def create(*purpose: Any, **more: Any) -> ssl.SSLContext:
        usual = not purpose and more in ({"cafile": file} for file in USUAL if file)
        return _known(**more) if usual else _create(*purpose, **more)

    ssl.create_default_context = create
