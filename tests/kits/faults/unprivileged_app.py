"""The application of `smartmate.asgi` in a process that obeys file modes: root without any of its capabilities."""

from __future__ import annotations

import ctypes

_VERSION_3 = 0x20080522
_header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
_nothing = (ctypes.c_uint32 * 6)()
if ctypes.CDLL(None, use_errno=True).capset(_header, _nothing):
    raise OSError(ctypes.get_errno(), "capset")

from smartmate.asgi import application  # noqa: E402

__all__ = ["application"]
